"""Which memories say something like this? The semantic path: hashed n-grams and what words mean."""

from __future__ import annotations

from memweir.retrieval.types import Hit, Query, Ranking
from memweir.store.seam import Reader

__all__ = ["SemanticPath"]


class SemanticPath:
    """Cosine of the query's vector with each visible memory's.

    A misspelt or inflected word still shares most of its character n-grams, so this path finds what the
    exact terms of the keyword path miss.
    """

    name = "semantic"

    def __init__(self, reader: Reader, *, floor: float = 0.02) -> None:
        """Args: floor: cosine below which a memory is chance, not likeness; 0 to 1."""
        self._reader = reader
        self._floor = floor

    def rank(self, query: Query, *, limit: int) -> Ranking:
        if query.vector is None:
            return Ranking(self.name, (), note="no vector: the path is off for this store")
        if not query.vector.any():
            return Ranking(self.name, (), note="the query has no feature to compare")
        hits = tuple(
            Hit(
                found.id,
                found.cosine,
                {
                    "cosine": found.cosine,
                    "containment": found.containment,
                    "meaning": found.meaning,
                },
            )
            for found in self._reader.nearest(query.view, query.vector, limit)
            if found.cosine >= self._floor
        )
        return Ranking(self.name, hits)
