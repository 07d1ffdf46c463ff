"""Does a memory answer the query at all? Absolute match in [0, 1], comparable between queries.

Ranks cannot abstain: the best of nothing still has rank 1. Relevance asks instead how much of the query's
weight the memory accounts for: by terms, each weighing its idf, unknown terms included, because what the
store has never heard of is what it cannot answer; and by character n-grams, so that an inflected or
misspelt word counts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Evidence", "TermWeights", "relevance"]


@dataclass(frozen=True, slots=True)
class TermWeights:
    """The query's terms with their idf, ln(1 + (N - df + 0.5) / (df + 0.5)).

    Attributes:
        weights: term → idf, above 0; a term no memory holds weighs most.
    """

    weights: Mapping[str, float]

    @classmethod
    def of(cls, terms: Sequence[str], documents: int, df: Mapping[str, int]) -> TermWeights:
        found = {}
        for term in dict.fromkeys(terms):
            counted = min(df.get(term, 0), documents)
            found[term] = math.log1p((documents - counted + 0.5) / (counted + 0.5))
        return cls(found)

    def coverage(self, held: frozenset[str]) -> float:
        """Share of the query's idf that a memory's terms account for, in [0, 1]."""
        total = math.fsum(self.weights.values())
        if total <= 0.0:
            return 0.0
        return math.fsum(weight for term, weight in self.weights.items() if term in held) / total


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a memory.

    Attributes:
        coverage: see `TermWeights.coverage`.
        containment: of the query's n-gram weight, see `memweir.store.reads.VectorHit`.
        exact: holds an exact symbol of the query.
        window: score of the timeline path, 0 where the query names no time.
        linked: score of the graph path, 0 where it did not come up there.
        known: the query has terms; False: it is only to be found as it stands.
    """

    coverage: float = 0.0
    containment: float = 0.0
    exact: bool = False
    window: float = 0.0
    linked: float = 0.0
    literal: bool = False


def relevance(evidence: Evidence) -> float:
    """One number in [0, 1] from the evidence, monotone in every part of it.

    Terms and n-grams overlap in what they see: the better one counts, the other supports it. An exact
    symbol, a window that was asked about, a link from what was asked about are reasons of their own and
    combine as independent ones (noisy-or).
    """
    lexical = 0.7 * max(evidence.coverage, evidence.containment)
    lexical += 0.3 * min(evidence.coverage, evidence.containment)
    reasons = [lexical, 0.35 * evidence.window, 0.3 * min(evidence.linked, 1.0)]
    if evidence.exact:
        reasons.append(0.5)
    if evidence.literal:
        reasons.append(0.6)
    missing = 1.0
    for reason in reasons:
        missing *= 1.0 - min(max(reason, 0.0), 1.0)
    return 1.0 - missing
