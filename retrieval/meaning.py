"""What is a text about, whatever its words? A table of word vectors, English and Chinese in one space.

A text's vector is the weighted sum of the vectors of its content words, at length 1. The table was
distilled from two sentence encoders so that this sum comes near what they make of the whole text; how
much a word says is the length of its vector, as in Arora et al. (A Simple but Tough-to-Beat Baseline
for Sentence Embeddings, ICLR 2017). No encoder runs here. `data/MEANING.md` names the sources.

Sums are integers and the length comes from an exact sum of squares, so that a text has the same bytes
on every machine.
"""

from __future__ import annotations

import functools
import math
import struct
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import blake2b
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memweir.errors import EmbedderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memweir.retrieval.types import Analysis

__all__ = ["FILE_NAME", "FORMAT", "HEADER", "MAGIC", "WordVectors", "stem_key", "word_key"]

FILE_NAME: Final = "meaning.bin"
"""The table's name in `retrieval/data/`."""

MAGIC: Final = b"MWMEANS\n"
FORMAT: Final = 1
HEADER: Final = struct.Struct("<8sIIIIII")
"""Magic, format, table version, dim, rows, keys, CRC-32 of what follows; then, little-endian:
(keys,) uint64 sorted hashes, (keys,) uint16 rows, (rows,) uint16 scales, (rows, dim / 2) uint8 pairs of
4-bit codes, the lower half first, each 8 more than its value."""

_UNIT: Final = 64  # a word's weight is counted in these parts of 1
_HEAVIEST: Final = 64 * _UNIT
_SATURATION: Final = 1.2  # k1 of BM25 for repeats within one text
_TERMS_AT_ONCE: Final = 1_024  # rows of the table unpacked together
_REMEMBERED: Final = 32_768  # words
_LONGEST_PIECE: Final = 4  # characters of a known Chinese word
_LONGEST_WORD: Final = 64  # characters; nothing longer is a word, or made of a few
_WIDEST: Final = 512
_ROOT_BITS: Final = 22  # what is kept of a sum: squares of 512 such numbers add up below 2**53
_PRODUCT: Final = 200_000  # multiplications at once
_MOST_WORDS: Final = 512  # of a text that are compared one by one
_STEM_MARK: Final = "\x00"  # no word holds it


def word_key(word: str) -> int:
    """The 64-bit key of a folded word."""
    return int.from_bytes(
        blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little"
    )


def stem_key(stem: str) -> int:
    """The 64-bit key under which the words of a stem are found; none of a word's."""
    return word_key(_STEM_MARK + stem)


class WordVectors:
    """The table. Immutable but for a memory of words looked up; safe to share between threads.

    A word that the table does not hold counts as the commonest word of the same stem; a Chinese one as
    the longest known words and characters it is made of. A text of which nothing is known has the zero
    vector.
    """

    __slots__ = (
        "_codes",
        "_dim",
        "_keys",
        "_known",
        "_pairs",
        "_rows",
        "_scales",
        "_small",
        "_terms",
        "_values",
        "_version",
    )

    def __init__(self, data: bytes, *, name: str = FILE_NAME) -> None:
        """Args: data: a whole file; name: what to call it in an error.

        Raises:
            EmbedderError: it is no table, one of another format, cut short or altered.
        """
        import numpy as np

        if len(data) < HEADER.size or data[: len(MAGIC)] != MAGIC:
            raise EmbedderError(f"{name} is not a table of word vectors; reinstall memweir")
        _, form, version, dim, rows, keys, checksum = HEADER.unpack_from(data)
        if form != FORMAT:
            raise EmbedderError(
                f"{name} has format {form}, this memweir reads {FORMAT}; reinstall memweir"
            )
        size = HEADER.size + keys * 10 + rows * 2 + rows * dim // 2
        if len(data) != size or dim % 2 or not 0 < dim <= _WIDEST or not rows or not keys:
            raise EmbedderError(
                f"{name} is damaged: {len(data)} bytes, {size} expected; reinstall memweir"
            )
        if zlib.crc32(memoryview(data)[HEADER.size :]) != checksum:
            raise EmbedderError(f"{name} is damaged: its checksum differs; reinstall memweir")
        at = HEADER.size
        self._keys = np.frombuffer(data, "<u8", keys, at)
        self._rows = np.frombuffer(data, "<u2", keys, at + keys * 8)
        self._scales = np.frombuffer(data, "<u2", rows, at + keys * 10)
        self._codes = np.frombuffer(data, np.uint8, rows * dim // 2, at + keys * 10 + rows * 2).reshape(
            rows, dim // 2
        )
        pairs = np.arange(256)
        self._values = np.stack([pairs & 15, pairs >> 4], axis=1).astype(np.float64) - 8.0
        self._pairs = self._values.view(np.complex128).ravel()  # two numbers fetched as one
        if int(self._rows.max()) >= rows:
            raise EmbedderError(f"{name} is damaged: a word has no row; reinstall memweir")
        self._dim, self._version = int(dim), f"meaning-{version}"
        self._known: dict[tuple[str, str], tuple[int, ...]] = {}
        self._small = self._values.astype(np.float32)
        self._terms: dict[str, int] = {}

    @classmethod
    def load(cls, path: Path | None = None) -> WordVectors:
        """The built-in table, one per process, or another from a file.

        Raises:
            EmbedderError: the file cannot be read or is damaged.
        """
        if path is None:
            return _built_in()
        try:
            data = path.read_bytes()
        except OSError as error:
            raise EmbedderError(f"{path.name} cannot be read: {error.strerror}") from error
        return cls(data, name=path.name)

    @property
    def dim(self) -> int:
        """Length of every vector."""
        return self._dim

    @property
    def version(self) -> str:
        """Another version means other vectors."""
        return self._version

    def knows(self, word: str) -> bool:
        """Whether the table holds a folded word itself."""
        return self._find([word_key(word)])[0] >= 0

    def embed_analysed(
        self, analyses: Sequence[Analysis], *, weights: Mapping[str, float] | None = None
    ) -> NDArray[np.float32]:
        """(n, dim) float32, rows of length 1, or all zero where a text has no known word.

        Args:
            weights: stem → factor on its words, 0 to 64; words without one have 1.
        """
        import numpy as np

        counted = [_counts(analysis, weights) for analysis in analyses]
        known = self._look_up(word for words in counted for word in words)
        sums = np.zeros((len(analyses), self._dim))
        rows: list[int] = []
        factors: list[int] = []
        owners: list[int] = []
        starts: list[int] = []
        for owner, words in enumerate(counted):
            begun = False
            for word, weight in words.items():
                found = known[word]
                if not found:
                    continue
                if not begun:
                    owners.append(owner)
                    starts.append(len(rows))
                    begun = True
                rows += found
                share = weight / math.sqrt(len(found))
                factors += [min(int(_UNIT * share + 0.5), _HEAVIEST)] * len(found)
                if len(rows) >= _TERMS_AT_ONCE:
                    self._add(sums, rows, factors, owners, starts)
                    rows, factors, owners, starts, begun = [], [], [], [], False
        if rows:
            self._add(sums, rows, factors, owners, starts)
        return _unit(sums)

    def nearest_of(self, terms: Sequence[str], texts: Sequence[Collection[str]]) -> NDArray[np.float64]:
        """(n, m) float64: cosine of each term with the nearest word of each text, 0 or more.

        Args:
            terms: (m) index terms, see `Analysis.terms`: stems of Latin words, Chinese words.
            texts: (n) terms of each text, in any order; of a very long one evenly chosen ones.
        """
        import numpy as np

        near = np.zeros((len(texts), len(terms)))
        kept = [_thinned(text) for text in texts]
        flat = [term for text in kept for term in text]
        row_of = self._term_rows(dict.fromkeys([*terms, *flat]))
        asked = [place for place, term in enumerate(terms) if row_of[term] >= 0]
        held = np.array([row_of[term] for term in flat], np.int64)
        owner = np.repeat(np.arange(len(kept)), [len(text) for text in kept])[held >= 0]
        if not asked or not owner.size:
            return near
        wanted = [row_of[terms[place]] for place in asked]
        rows, place_of = np.unique(np.concatenate([wanted, held[held >= 0]]), return_inverse=True)
        columns, words = place_of[: len(asked)], place_of[len(asked) :]
        # Whole numbers below 2**24 in every product and sum: exact in any order of adding.
        codes = self._small[self._codes[rows]].reshape(rows.size, self._dim)
        lengths = np.sqrt((codes * codes).sum(axis=1, dtype=np.float64))
        against = np.ascontiguousarray(codes[columns].T)
        # In blocks so small that BLAS wakes no second thread: waking one costs more than the product.
        rows_at_once = max(_PRODUCT // (self._dim * columns.size), 1)
        cosine = np.concatenate(
            [
                codes[start : start + rows_at_once] @ against
                for start in range(0, len(codes), rows_at_once)
            ]
        ).astype(np.float64)
        cosine /= lengths[:, None]
        cosine /= lengths[columns]
        starts = np.flatnonzero(np.diff(owner, prepend=-1))
        best = np.maximum.reduceat(cosine[words], starts, axis=0)
        near[np.ix_(owner[starts], np.array(asked))] = np.clip(best, 0.0, 1.0)
        return near

    def _term_rows(self, terms: Iterable[str]) -> dict[str, int]:
        """The row of each index term, -1 where it has none."""
        remembered = self._terms
        rows: dict[str, int] = {}
        fresh: list[str] = []
        for term in terms:
            row = remembered.get(term)
            if row is None:
                fresh.append(term)
            else:
                rows[term] = row
        if fresh:
            fresh = list(dict.fromkeys(fresh))
            keys = [stem_key(term) for term in fresh] + [word_key(term) for term in fresh]
            found = self._find(keys)
            for term, by_stem, as_word in zip(
                fresh, found[: len(fresh)], found[len(fresh) :], strict=True
            ):
                rows[term] = by_stem if by_stem >= 0 else as_word
            if len(remembered) + len(fresh) > _REMEMBERED:
                self._terms = remembered = {}
            for term in fresh[:_REMEMBERED]:
                remembered[term] = rows[term]
        return rows

    def _add(
        self,
        sums: NDArray[np.float64],
        rows: list[int],
        factors: list[int],
        owners: list[int],
        starts: list[int],
    ) -> None:
        """Add weighted rows to the sums of their owners; an owner's rows begin at its start.

        All numbers are integers far below 2**53, so that no order of adding rounds.
        """
        import numpy as np

        at = np.array(rows)
        codes = self._pairs.take(self._codes.take(at, axis=0)).view(np.float64)
        weights = np.array(factors) * self._scales[at].astype(np.float64)
        for owner, start, end in zip(owners, starts, [*starts[1:], at.size], strict=True):
            sums[owner] += weights[start:end] @ codes[start:end]

    def _look_up(self, words: Iterable[tuple[str, str]]) -> dict[tuple[str, str], tuple[int, ...]]:
        """The rows of each (word, stem); what was not met before is found in one search."""
        import numpy as np

        remembered = self._known
        known: dict[tuple[str, str], tuple[int, ...]] = {}
        fresh: list[tuple[str, str]] = []
        for word in words:
            if word not in known:
                rows = remembered.get(word)
                if rows is None:
                    fresh.append(word)
                known[word] = rows or ()
        if fresh:
            keys = [word_key(surface) for surface, _ in fresh]
            keys += [stem_key(stem) for _, stem in fresh]
            keys += [word_key(stem) for _, stem in fresh]
            found = zip(*np.reshape(self._find(keys), (3, -1)).tolist(), strict=True)
            for word, places in zip(fresh, found, strict=True):
                row = next((row for row in places if row >= 0), -1)
                known[word] = (row,) if row >= 0 else self._pieces(word[0])
            if len(remembered) + len(fresh) > _REMEMBERED:
                self._known = remembered = {}
            for word in fresh[:_REMEMBERED]:
                remembered[word] = known[word]
        return known

    def _pieces(self, word: str) -> tuple[int, ...]:
        """The rows of the longest known parts of a Chinese word, from the left."""
        if word.isascii() or not 1 < len(word) <= _LONGEST_WORD:
            return ()
        parts = [
            (start, word[start : start + length])
            for start in range(len(word))
            for length in range(min(_LONGEST_PIECE, len(word) - start), 0, -1)
        ]
        found = self._find([word_key(part) for _, part in parts])
        rows: list[int] = []
        at = 0
        for (start, part), row in zip(parts, found, strict=True):
            if start >= at and row >= 0:
                rows.append(row)
                at = start + len(part)
        return tuple(rows)

    def _find(self, keys: Sequence[int]) -> list[int]:
        """The row of each key, -1 where there is none."""
        import numpy as np

        wanted = np.array(keys, np.uint64)
        places = np.minimum(np.searchsorted(self._keys, wanted), self._keys.size - 1)
        rows: list[int] = np.where(
            self._keys[places] == wanted, self._rows[places].astype(np.int64), -1
        ).tolist()
        return rows


@functools.cache
def _built_in() -> WordVectors:
    try:
        data = (resources.files("memweir.retrieval") / "data" / FILE_NAME).read_bytes()
    except OSError as error:
        raise EmbedderError(
            f"{FILE_NAME} cannot be read: {error.strerror}; reinstall memweir"
        ) from error
    return WordVectors(data)


def _thinned(terms: Collection[str]) -> Collection[str]:
    """At most `_MOST_WORDS` of them, each standing for an equal stretch of the sorted list."""
    if len(terms) <= _MOST_WORDS:
        return terms
    ordered = sorted(terms)
    return [ordered[at * len(ordered) // _MOST_WORDS] for at in range(_MOST_WORDS)]


def _counts(analysis: Analysis, weights: Mapping[str, float] | None) -> dict[tuple[str, str], float]:
    """Weight of each content word of a text: its saturated count, times what its stem weighs.

    A text of nothing but single characters is taken by these.
    """
    words = analysis.words or [(character, character) for character in analysis.chars]
    counts: dict[tuple[str, str], float] = {}
    for word in words:
        counts[word] = counts.get(word, 0.0) + 1.0
    if len(counts) < len(words):
        for word, count in counts.items():
            if count > 1.0:
                counts[word] = count * (_SATURATION + 1.0) / (count + _SATURATION)
    if weights is not None:
        for word in counts:
            counts[word] *= max(weights.get(word[1], 1.0), 0.0)
    return counts


def _unit(sums: NDArray[np.float64]) -> NDArray[np.float32]:
    """Rows at length 1. Squares and their sum are exact: no rounding but what IEEE 754 fixes."""
    import numpy as np

    largest = np.abs(sums).max(axis=1, initial=0.0, keepdims=True)
    excess = np.maximum(np.frexp(largest)[1] - _ROOT_BITS, 0)
    kept = np.floor(np.ldexp(sums, -excess))
    lengths = np.sqrt((kept * kept).sum(axis=1, keepdims=True))
    vectors: NDArray[np.float32] = (kept / np.where(lengths > 0.0, lengths, 1.0)).astype(np.float32)
    return vectors
