"""How does text become a vector without a model? Signed feature hashing of words and character n-grams.

The hashing trick with signs (Weinberger et al., ICML 2009): each feature adds its weight, with a sign
of its own, to one of `dim` dimensions. Features of Latin words are the stem and the 3- to 5-grams of
the word between boundary marks, so that a misspelt or inflected word still shares many of them;
features of Han and kana runs are their 1- to 3-grams. Counts saturate as in BM25 (Robertson and
Zaragoza, 2009). Document frequencies weigh the query, not the memories: what is on disk stays right
while the store grows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from memweir.errors import EmbedderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memweir.retrieval.analysis import Analyzer
    from memweir.retrieval.types import Analysis, Embedder

__all__ = [
    "SMALLEST_COLLECTION",
    "HashedNgramEmbedder",
    "embed_checked",
    "inverse_document_frequency",
    "weigh_query",
]

SMALLEST_COLLECTION: Final = 10
"""Fewer memories are weighed as so many: where there is one, each of its words is in all of them."""

_MULTIPLIER: Final = 0x9E3779B97F4A7C15  # odd, so that it has an inverse modulo 2**64
_SATURATION: Final = 1.2  # k1 of BM25 for repeats within one text
_RUNS: Final = re.compile(
    r"[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af\U00020000-\U0003ffff]+"
)
_OPEN, _CLOSE = "\x02", "\x03"  # boundary marks; analysis leaves no control characters in a text

_WORD_GRAMS: Final = (3, 4, 5)
_RUN_GRAMS: Final = (1, 2, 3)
_LENGTH_TOLERANCE: Final = 1e-3
_STEM_WEIGHT: Final = 2.0
_RUN_WEIGHT: Final = {1: 0.5, 2: 1.0, 3: 1.0}


class HashedNgramEmbedder:
    """The default embedder: no model, no training, the same vectors on every machine."""

    name = "hashed-ngram"
    version = "1"
    sparse = True

    def __init__(self, analyzer: Analyzer, *, dim: int = 4096) -> None:
        """Args: dim: a power of two, 256 to 65,536; more dimensions, fewer collisions."""
        if dim < 256 or dim > 65_536 or dim & (dim - 1):
            raise EmbedderError(f"dim must be a power of two from 256 to 65536, got {dim}")
        self._analyzer = analyzer
        self._dim = dim

    @property
    def dim(self) -> int:
        """Length of every vector."""
        return self._dim

    def analyse(self, texts: Sequence[str]) -> list[Analysis]:
        """What this embedder sees of each text."""
        return [self._analyzer.analyse(text) for text in texts]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dim) float32, rows of length 1, or all zero where a text has no feature."""
        return self.embed_analysed(self.analyse(texts))

    def embed_analysed(self, analyses: Sequence[Analysis]) -> NDArray[np.float32]:
        """The same from analyses that are already there."""
        import numpy as np

        rows, hashes, weights = self._features(analyses)
        # One feature counts once a text, with its saturated count.
        order = np.lexsort((hashes, rows))
        rows, hashes, weights = rows[order], hashes[order], weights[order]
        first = np.ones(rows.size, bool)
        first[1:] = (rows[1:] != rows[:-1]) | (hashes[1:] != hashes[:-1])
        starts = np.flatnonzero(first)
        counts = np.diff(np.append(starts, rows.size)).astype(np.float64)
        rows, hashes, weights = rows[starts], hashes[starts], weights[starts]
        value = weights * counts * (_SATURATION + 1) / (counts + _SATURATION)
        signed = np.where(hashes >> np.uint64(63), -value, value)
        places = rows * self._dim + (hashes & np.uint64(self._dim - 1)).astype(np.int64)
        flat = np.bincount(places, weights=signed, minlength=len(analyses) * self._dim)
        table = flat.reshape(len(analyses), self._dim)
        lengths = np.sqrt((table * table).sum(axis=1, keepdims=True))
        vectors: NDArray[np.float32] = (table / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
        return vectors

    def _features(
        self, analyses: Sequence[Analysis]
    ) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.float64]]:
        """Row, hash and weight of every feature occurrence of every text."""
        import numpy as np

        pieces: list[tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.float64]]] = []
        words: list[str] = []
        word_rows: list[int] = []
        stems: list[str] = []
        runs: list[str] = []
        run_rows: list[int] = []
        for row, analysis in enumerate(analyses):
            for surface, stem in analysis.words:
                if not _RUNS.match(surface):
                    words.append(_OPEN + surface + _CLOSE)
                    stems.append(stem)
                    word_rows.append(row)
            for run in _RUNS.findall(analysis.normal):
                runs.append(run)
                run_rows.append(row)
        for size in _WORD_GRAMS:
            pieces.append(_grams(words, word_rows, size, 1.0))
        pieces.append(_whole(stems, word_rows, _STEM_WEIGHT))
        for size in _RUN_GRAMS:
            pieces.append(_grams(runs, run_rows, size, _RUN_WEIGHT[size]))
        return (
            np.concatenate([piece[0] for piece in pieces]),
            np.concatenate([piece[1] for piece in pieces]),
            np.concatenate([piece[2] for piece in pieces]),
        )


def embed_checked(
    embedder: Embedder, texts: Sequence[str], *, query: bool = False
) -> NDArray[np.float32]:
    """What an embedder makes of texts, held to its contract: (n, dim) float32, rows of length 1 or 0.

    Args:
        query: the texts ask; an embedder that has a method `embed_query` is asked by that one.

    Raises:
        EmbedderError: it failed, or gave another shape, another length or a number that is not finite.
    """
    import numpy as np

    label = f"{embedder.name}/{embedder.version}/{embedder.dim}"
    embed: Callable[[Sequence[str]], object] = embedder.embed
    if query:
        embed = getattr(embedder, "embed_query", embed)
    try:
        given = np.asarray(embed(texts))
        if given.dtype.kind not in "fiu":
            raise EmbedderError(f"embedder {label} gave {given.dtype}, not real numbers")
        vectors = given.astype(np.float32)
    except EmbedderError:
        raise
    except Exception as error:
        raise EmbedderError(f"embedder {label} failed: {type(error).__name__}: {error}") from error
    if vectors.shape != (len(texts), embedder.dim):
        raise EmbedderError(f"embedder {label} gave shape {vectors.shape} for {len(texts)} texts")
    if not np.isfinite(vectors).all():
        raise EmbedderError(f"embedder {label} gave a number that is not finite")
    lengths = np.sqrt((vectors.astype(np.float64) ** 2).sum(axis=1))
    if ((np.abs(lengths - 1.0) > _LENGTH_TOLERANCE) & (lengths > 0.0)).any():
        raise EmbedderError(f"embedder {label} gave rows whose length is neither 1 nor 0")
    return vectors


def inverse_document_frequency(df: NDArray[np.int64], documents: int) -> NDArray[np.float64]:
    """(dim,) float64: ln(1 + (N - df + 0.5) / (df + 0.5)), above 0 (Robertson and Zaragoza, 2009).

    N is at least `SMALLEST_COLLECTION`.
    """
    import numpy as np

    counted = np.minimum(df, documents).astype(np.float64)
    collection = max(documents, SMALLEST_COLLECTION)
    weights: NDArray[np.float64] = np.log1p((collection - counted + 0.5) / (counted + 0.5))
    return weights


def weigh_query(
    vector: NDArray[np.float32], df: NDArray[np.int64], documents: int
) -> NDArray[np.float32]:
    """A query vector with each hashed feature weighed by its rarity in the store, length 1 again."""
    import numpy as np

    weighed = vector.astype(np.float64) * inverse_document_frequency(df, documents)
    length = float(np.sqrt((weighed * weighed).sum()))
    scaled: NDArray[np.float32] = (weighed / length if length > 0 else weighed).astype(np.float32)
    return scaled


@cache
def _powers(size: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Powers of the multiplier and of its inverse modulo 2**64, `size` of each."""
    import numpy as np

    inverse = pow(_MULTIPLIER, -1, 1 << 64)
    ups, downs = np.empty(size, np.uint64), np.empty(size, np.uint64)
    for table, base in ((ups, _MULTIPLIER), (downs, inverse)):
        table[0] = 1
        done = 1
        while done < size:  # doubling: powers [done, 2 done) are powers [0, done) times base**done
            step = np.uint64(pow(base, done, 1 << 64))
            more = min(done, size - done)
            table[done : done + more] = table[:more] * step
            done += more
    return ups, downs


def _segments(texts: Sequence[str]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Prefix sums of code points times powers of the multiplier, and where each text ends."""
    import numpy as np

    joined = "".join(texts)
    points = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint64)
    ups, _ = _powers(1 << max(points.size, 1024).bit_length())
    sums = np.zeros(points.size + 1, np.uint64)
    np.cumsum((points + np.uint64(1)) * ups[: points.size], out=sums[1:])
    return sums, np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)))


def _hash(
    sums: NDArray[np.uint64], starts: NDArray[np.int64], ends: NDArray[np.int64], salt: int
) -> NDArray[np.uint64]:
    """A 64-bit hash of each stretch [start, end), whatever stands before it (splitmix64 finaliser)."""
    import numpy as np

    _, downs = _powers(1 << max(sums.size - 1, 1024).bit_length())
    z = (sums[ends] - sums[starts]) * downs[starts] + np.uint64(salt * 0xD1B54A32D192ED03 % (1 << 64))
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: NDArray[np.uint64] = z ^ (z >> np.uint64(31))
    return mixed


def _grams(
    texts: Sequence[str], rows: Sequence[int], size: int, weight: float
) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.float64]]:
    """Every stretch of `size` characters within a text."""
    import numpy as np

    if not texts:
        return np.zeros(0, np.int64), np.zeros(0, np.uint64), np.zeros(0, np.float64)
    sums, ends = _segments(texts)
    lengths = np.diff(ends, prepend=0)
    owner = np.repeat(np.arange(len(texts)), lengths)
    starts = np.arange(int(ends[-1]))
    starts = starts[starts + size <= ends[owner]]
    hashes = _hash(sums, starts, starts + size, size)
    picked = np.asarray(rows, np.int64)[owner[starts]]
    return picked, hashes, np.full(starts.size, weight, np.float64)


def _whole(
    texts: Sequence[str], rows: Sequence[int], weight: float
) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.float64]]:
    """Each text as one feature."""
    import numpy as np

    if not texts:
        return np.zeros(0, np.int64), np.zeros(0, np.uint64), np.zeros(0, np.float64)
    sums, ends = _segments(texts)
    starts = np.concatenate([[0], ends[:-1]])
    return np.asarray(rows, np.int64), _hash(sums, starts, ends, 0), np.full(len(texts), weight)
