"""Which word vectors add up to what the teachers make of whole texts?

Each text is a bag of content words. The prior of a word is the teacher's vector of the word by itself,
shrunk by how common it is (smooth inverse frequency, Arora et al., ICLR 2017); ridge regression moves
the vectors from there towards those whose weighted sum is the teacher's vector of the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
import scipy.sparse as sparse

from memweir.retrieval.stemming import stem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memweir.retrieval.types import Analysis

__all__ = ["Vocabulary", "fitted", "prior", "rotation", "unit"]

_SATURATION: Final = 1.2  # as in retrieval/meaning.py
_STEPS: Final = 12


class Vocabulary:
    """The rows of the table, and which of them a word of a text stands for: as the table will do it."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = list(words)
        self._row = {word: row for row, word in enumerate(words)}
        self._by_stem: dict[str, int] = {}
        for row, word in enumerate(words):
            if word.isascii():
                self._by_stem.setdefault(stem(word), row)

    def rows(self, surface: str, root: str) -> tuple[int, ...]:
        row = self._row.get(surface, self._by_stem.get(root, -1))
        if row >= 0:
            return (row,)
        found: list[int] = []
        at = 0
        while not surface.isascii() and at < len(surface):
            for length in (4, 3, 2, 1):
                part = surface[at : at + length]
                if len(part) == length and part in self._row:
                    found.append(self._row[part])
                    at += length
                    break
            else:
                at += 1
        return tuple(found)

    def bags(self, analyses: Sequence[Analysis]) -> sparse.csr_matrix:
        """(texts, words) float32 of saturated counts."""
        values: list[float] = []
        columns: list[int] = []
        ends = [0]
        for analysis in analyses:
            counts: dict[int, float] = {}
            for surface, root in analysis.words:
                rows = self.rows(surface, root)
                for row in rows:
                    counts[row] = counts.get(row, 0.0) + len(rows) ** -0.5
            columns += counts
            values += [
                count * (_SATURATION + 1) / (count + _SATURATION) if count > 1 else count
                for count in counts.values()
            ]
            ends.append(len(columns))
        shape = (len(analyses), len(self.words))
        return sparse.csr_matrix((np.array(values, np.float32), columns, ends), shape=shape)


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows at length 1; zero rows stay."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    result: NDArray[np.float32] = vectors / np.maximum(lengths, np.float32(1e-9))
    return result


def prior(vectors: NDArray[np.float32], *, rarity: float) -> NDArray[np.float32]:
    """The teacher's vectors of single words, frequent first, without their mean, shrunk by frequency.

    A word's probability is taken from its rank (Zipf); `rarity` is the `a` of a / (a + p).
    """
    centred = vectors - vectors.mean(axis=0)
    share = 1.0 / np.arange(2, len(vectors) + 2)
    share /= share.sum()
    result: NDArray[np.float32] = centred * (rarity / (rarity + share))[:, None].astype(np.float32)
    return result


def fitted(
    bags: sparse.csr_matrix,
    targets: NDArray[np.float32],
    start: NDArray[np.float32],
    *,
    ridge: float,
) -> NDArray[np.float32]:
    """Minimise |S X W - Y|² + ridge |W - start|² by conjugate gradients, each dimension by itself.

    Args:
        bags: (n, v); S scales each bag so that its sum over `start` has length 1.
        targets: (n, d) centred teacher vectors.
        start: (v, d).
    """
    lengths = np.linalg.norm(bags @ start, axis=1)
    scale = np.where(lengths > 1e-6, 1.0 / np.maximum(lengths, 1e-6), 0.0).astype(np.float32)
    scaled = (sparse.diags(scale) @ bags).tocsr()
    across = scaled.T.tocsr()
    moved = np.zeros_like(start)
    residual = across @ (targets - scaled @ start)
    diagonal = np.asarray(scaled.multiply(scaled).sum(axis=0)).reshape(-1, 1) + ridge
    diagonal = diagonal.astype(np.float32)
    eased = residual / diagonal
    step = eased.copy()
    power = (residual * eased).sum(axis=0)
    for _ in range(_STEPS):
        image = across @ (scaled @ step) + np.float32(ridge) * step
        along = power / np.maximum((step * image).sum(axis=0), 1e-20)
        moved += along * step
        residual -= along * image
        eased = residual / diagonal
        following = (residual * eased).sum(axis=0)
        step = eased + (following / np.maximum(power, 1e-20)) * step
        power = following
    result: NDArray[np.float32] = start + moved
    return result


def rotation(bilingual: NDArray[np.float32], english: NDArray[np.float32]) -> NDArray[np.float32]:
    """(d, d) orthogonal: takes the bilingual teacher's centred vectors to the English teacher's space.

    It keeps every distance among the bilingual vectors (orthogonal Procrustes, Schönemann, 1966).

    Args:
        bilingual, english: (n, d) what both make of the same English texts.
    """
    source = bilingual - bilingual.mean(axis=0)
    target = english - english.mean(axis=0)
    left, _, right = np.linalg.svd(source.T @ target)
    result: NDArray[np.float32] = left @ right
    return result
