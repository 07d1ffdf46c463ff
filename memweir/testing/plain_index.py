"""What does the plain store's index hold of a memory, and how like is a query to it?"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memweir.store import vectors
from memweir.store.entry import Indexable, IndexEntry, Indexer
from memweir.store.indexing import indexable, same_vector
from memweir.testing.plain_rows import Row, State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PlainIndex", "likeness"]

_SPARSE, _DENSE = 1, 2  # codecs of an embedding blob, see memweir.store.vectors


class PlainIndex:
    """Index changes of one write."""

    def __init__(self, state: State, indexer: Indexer) -> None:
        self._state = state
        self._indexer = indexer
        self.earlier: dict[str, tuple[bytes | None, Indexable]] = {}
        """Memory → the vector that its wording before had, and what that was of."""

    def entry(self, row: Row) -> IndexEntry:
        """What the analysis makes of a row as it stands; the row keeps it."""
        row.entry = self._indexer.index([indexable(row.record)])[0]
        row.set(incident=row.entry.incident)
        return row.entry

    def insert(self, row: Row) -> None:
        """Index a row that is not in the index."""
        entry = self.entry(row)
        row.indexed = True
        row.blob, row.pending = self.encoded(entry.embedding), entry.pending
        blob, earlier = self.earlier.get(row.record.id, (None, None))
        if row.pending and blob and earlier and same_vector(earlier, indexable(row.record)):
            row.blob, row.pending = blob, False
        row.set(terms=frozenset(term for held in entry.fields.values() for term in held))
        for norm, name, role in entry.entities:
            row.mention(self._state.entity(norm, name), role)

    def remove(self, row: Row) -> None:
        """Take a row out of the index; nothing happens where it is not in it."""
        if not row.indexed:
            return
        row.indexed, row.blob, row.pending = False, None, False
        row.set(terms=frozenset())
        row.mentions = {entity: role for entity, role in row.mentions.items() if role == "stated"}

    def renew(self, row: Row, before: Indexable | None = None) -> None:
        """Index a row anew. Args: before: as it stands in the index, None where it does not."""
        vector = row.blob, row.pending
        self.remove(row)
        self.insert(row)
        # A vector that would only be made later is not thrown away while it is still right.
        if row.pending and before is not None and same_vector(before, indexable(row.record)):
            row.blob, row.pending = vector

    def encoded(self, embedding: NDArray[np.float32]) -> bytes | None:
        """The blob of an embedding, None of a zero one."""
        found = vectors.encode(embedding, sparse=self._indexer.sparse, tail=self._indexer.tail)
        return found[0] if found else None


def likeness(query: Sequence[float], blob: bytes) -> tuple[float, float, float]:
    """A query against an embedding blob in float64: cosine, containment and meaning of a `VectorHit`.

    Args:
        query: (d,) of any length above 0.
    """
    length = _length(query)
    unit = [value / length for value in query]
    if blob[0] == _DENSE:
        (inverse,) = struct.unpack_from("<4xf", blob)
        cosine = _product(unit, struct.unpack_from(f"<{len(blob) - 8}b", blob, 8)) * inverse
        return _rounded(cosine, max(cosine, 0.0), cosine)
    if blob[0] == _SPARSE:
        (inverse,) = struct.unpack_from("<4xf", blob)
        product, containment = _sparse(unit, blob[8:])
        return _rounded(product * inverse, containment, 0.0)
    tail, scale, tail_scale, inverse = struct.unpack_from("<2xHfff", blob)
    product, containment = _sparse(unit[:-tail], blob[16:-tail])
    tail_product = _product(unit[-tail:], struct.unpack(f"<{tail}b", blob[-tail:]))
    tail_length = _length(unit[-tail:])
    meaning = tail_product * inverse / tail_length if tail_length else 0.0
    return _rounded(product * scale + tail_product * tail_scale, containment, meaning)


def _sparse(query: Sequence[float], body: bytes) -> tuple[float, float]:
    """The products of what both hold, and the share of the query's squares where the signs agree."""
    count = len(body) // 3
    dimensions = struct.unpack_from(f"<{count}H", body)
    values = struct.unpack_from(f"<{count}b", body, 2 * count)
    pairs = [(query[place], value) for place, value in zip(dimensions, values, strict=True)]
    held = math.fsum(weight * weight for weight, value in pairs if weight * value > 0)
    whole = math.fsum(weight * weight for weight in query)
    return math.fsum(weight * value for weight, value in pairs), held / whole if whole else 0.0


def _product(query: Sequence[float], values: Sequence[int]) -> float:
    return math.fsum(weight * value for weight, value in zip(query, values, strict=True))


def _length(values: Sequence[float]) -> float:
    return math.sqrt(math.fsum(value * value for value in values))


def _rounded(cosine: float, containment: float, meaning: float) -> tuple[float, float, float]:
    """To the six decimals of a `VectorHit`."""
    low, high = (-1.0, 0.0, -1.0), 1.0
    figures = (cosine, containment, meaning)
    cut = [min(max(each, least), high) for each, least in zip(figures, low, strict=True)]
    return round(cut[0], 6), round(cut[1], 6), round(cut[2], 6)
