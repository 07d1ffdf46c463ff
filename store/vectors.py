"""How is a vector kept on disk, and how is the nearest found? Blobs, sign codes, exact rescoring.

An embedding of length 1 is quantised to whole numbers in [-127, 127]. Three kinds of blobs, all numbers
little-endian:

- sparse (1), where most of a vector is zero: codec, three zero bytes, 1 / norm as float32, then uint16
  dimensions and int8 values;
- dense (2): the same header, then an int8 value a dimension;
- hybrid (3), a sparse head before a dense tail: codec, a zero byte, the tail's dimensions as uint16,
  then as float32 what a whole number of the head and one of the tail count in the vector of length 1,
  and 1 / norm of the tail alone; then the head as in a sparse blob and an int8 value a dimension of
  the tail. Each part has a scale of its own, so that a short one is kept as finely as a long one.

A vector's code is the signs of a random ±1 projection to `CODE_BITS` dimensions (Charikar, STOC 2002:
the Hamming distance of two codes grows with their angle), computed from whole numbers, so that it is
the same on every machine.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memweir.errors import EmbedderError

__all__ = [
    "CODE_BITS",
    "code_of",
    "compare",
    "decode_support",
    "encode",
    "hamming",
    "quantise",
    "sign_code",
]

CODE_BITS: Final = 1024

_SPARSE: Final = 1
_DENSE: Final = 2
_HYBRID: Final = 3
_HEADER: Final = struct.Struct("<B3xf")
_HYBRID_HEADER: Final = struct.Struct("<BxHfff")
_MOST_DIMENSIONS: Final = 65_536  # of a head, or of a vector without a tail
_MOST_TAIL: Final = 65_535
_CHUNK_BITS: Final = 64
_CODE_BLOCK: Final = 256  # dimensions projected at once
_CODE_TOTAL: Final = 1 << 22  # what the whole numbers behind a code add up to at most


def quantise(vector: NDArray[np.float32]) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
    """The dimensions that are not zero and their values scaled so that the largest is ±127.

    Args:
        vector: (d,) float32, finite.
    Raises:
        EmbedderError: not finite, not one-dimensional or of more than 65,536 dimensions.
    """
    _check(vector, _MOST_DIMENSIONS)
    support = np.flatnonzero(vector)
    if support.size == 0:
        return support, np.zeros(0, np.int8)
    values = vector[support].astype(np.float64)
    scaled = np.rint(values * (127.0 / np.abs(values).max())).astype(np.int8)
    kept = scaled != 0
    return support[kept], scaled[kept]


def encode(vector: NDArray[np.float32], *, sparse: bool, tail: int = 0) -> tuple[bytes, bytes] | None:
    """(embedding blob, code) of a vector, None of a zero vector: it has no neighbours.

    Args:
        sparse: as the embedder says; all vectors of one store are kept alike.
        tail: dense dimensions at the end of a sparse vector.
    Raises:
        EmbedderError: see `quantise`; a tail that is longer than the vector, or of a dense one.
    """
    if tail:
        return _encode_hybrid(vector, sparse=sparse, tail=tail)
    support, values = quantise(vector)
    if support.size == 0:
        return None
    header = _HEADER.pack(_SPARSE if sparse else _DENSE, _inverse_norm(values))
    body = _sparse_body(support, values) if sparse else _dense_body(support, values, vector.size)
    return header + body, sign_code(support, values)


def _encode_hybrid(
    vector: NDArray[np.float32], *, sparse: bool, tail: int
) -> tuple[bytes, bytes] | None:
    if not sparse or not 0 < tail <= min(_MOST_TAIL, vector.size):
        raise EmbedderError(f"a vector of {vector.size} dimensions cannot have a dense tail of {tail}")
    code = code_of(vector, tail=tail)
    if code is None:
        return None
    parts = vector[:-tail], vector[-tail:]
    lengths = [_length(part) for part in parts]
    whole = math.sqrt(math.fsum(length * length for length in lengths))
    (support, values), (dense, dense_values) = (quantise(part) for part in parts)
    inverse = [_inverse_norm(values), _inverse_norm(dense_values)]
    scales = [length / whole * each for length, each in zip(lengths, inverse, strict=True)]
    header = _HYBRID_HEADER.pack(_HYBRID, tail, *scales, inverse[1])
    return header + _sparse_body(support, values) + _dense_body(dense, dense_values, tail), code


def _check(vector: NDArray[np.float32], most: int) -> None:
    if vector.ndim != 1 or vector.shape[0] > most:
        raise EmbedderError(f"an embedding must be (d,) with d up to {most}, got shape {vector.shape}")
    if not np.isfinite(vector).all():
        raise EmbedderError("an embedding must be finite (NaN or infinity found)")


def _length(vector: NDArray[np.float32]) -> float:
    """Rounded once, so that it is the same in whatever order a machine adds."""
    wide = vector[np.flatnonzero(vector)].astype(np.float64)
    return math.sqrt(math.fsum((wide * wide).tolist()))


def _inverse_norm(values: NDArray[np.int8]) -> float:
    """1 / length of whole numbers; 0 of none."""
    wide = values.astype(np.int64)
    squares = int((wide * wide).sum())
    return 1.0 / math.sqrt(squares) if squares else 0.0


def _sparse_body(support: NDArray[np.int64], values: NDArray[np.int8]) -> bytes:
    return support.astype("<u2").tobytes() + values.tobytes()


def _dense_body(support: NDArray[np.int64], values: NDArray[np.int8], size: int) -> bytes:
    dense = np.zeros(size, np.int8)
    dense[support] = values
    return dense.tobytes()


def decode_support(blob: bytes) -> NDArray[np.int64]:
    """The dimensions that are not zero in an embedding blob; of a hybrid one those of its head.

    Raises:
        ValueError, IndexError: a blob that `encode` did not make.
    """
    if blob[0] == _DENSE:
        return np.flatnonzero(np.frombuffer(blob, np.int8, -1, _HEADER.size))
    start, tail = (_HYBRID_HEADER.size, _tail_of(blob)) if blob[0] == _HYBRID else (_HEADER.size, 0)
    if len(blob) < start + tail:
        raise ValueError("an embedding blob is too short")
    return np.frombuffer(blob, "<u2", (len(blob) - start - tail) // 3, start).astype(np.int64)


def _tail_of(blob: bytes) -> int:
    return int.from_bytes(blob[2:4], "little")


def compare(
    query: NDArray[np.float64], blobs: Sequence[bytes], *, tail: int = 0
) -> NDArray[np.float64]:
    """(n, 3): cosine in [-1, 1], containment in [0, 1], meaning in [-1, 1] of a query with each blob.

    Args:
        query: (d,) float64 of length 1.
        blobs: of one store, whose embedder makes them all of one kind.
        tail: dense dimensions at the end of sparse vectors.
    Returns:
        The cosine is of the whole vectors. Containment is the share of the query head's squared weight
        on dimensions that the memory sets with the same sign; without a tail the head is all of it; for
        a dense blob, the cosine where it is above 0. Meaning is the cosine of the tails, 0 where one is
        zero; of a dense blob the cosine, of a sparse one 0.
    Raises:
        ValueError, IndexError: a blob that `encode` did not make for this dimension.
    """
    if not blobs:
        return np.zeros((0, 3), np.float64)
    codec = blobs[0][0]
    if any(len(blob) <= _HEADER.size or blob[0] != codec for blob in blobs):
        raise ValueError("an embedding blob is too short or of another codec")
    if (codec == _HYBRID) != (tail > 0):
        raise ValueError("an embedding blob with a tail, or without the one asked for")
    if codec == _DENSE:
        cosine = _dense_sums(query, [blob[_HEADER.size :] for blob in blobs]) * _floats(blobs, 4)
        columns = (cosine, cosine, cosine)
    elif codec == _HYBRID:
        columns = _compare_hybrid(query, blobs, tail)
    elif codec == _SPARSE:
        sums, held = _sparse_sums(query, [blob[_HEADER.size :] for blob in blobs])
        columns = (sums * _floats(blobs, 4), held, np.zeros(len(blobs)))
    else:
        raise ValueError("an embedding blob of no known codec")
    return np.clip(np.stack(columns, axis=1), [-1.0, 0.0, -1.0], 1.0)


def _compare_hybrid(
    query: NDArray[np.float64], blobs: Sequence[bytes], tail: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    start = _HYBRID_HEADER.size
    if any(len(blob) < start + tail or _tail_of(blob) != tail for blob in blobs):
        raise ValueError("the tail of an embedding blob is of another length")
    asked, asked_tail = query[:-tail], query[-tail:]
    sums, held = _sparse_sums(asked, [blob[start:-tail] for blob in blobs])
    tails = _dense_sums(asked_tail, [blob[-tail:] for blob in blobs])
    cosine = sums * _floats(blobs, 4) + tails * _floats(blobs, 8)
    weight = float((asked * asked).sum())
    length = math.sqrt(float((asked_tail * asked_tail).sum()))
    containment = held / weight if weight else held
    meaning = tails * _floats(blobs, 12) / length if length else np.zeros(len(blobs))
    return cosine, containment, meaning


def _floats(blobs: Sequence[bytes], start: int) -> NDArray[np.float64]:
    """(n,): the float32 at a place of each header."""
    return np.frombuffer(b"".join(blob[start : start + 4] for blob in blobs), "<f4").astype(np.float64)


def _dense_sums(query: NDArray[np.float64], bodies: Sequence[bytes]) -> NDArray[np.float64]:
    """(n,): the query times the whole numbers of each body."""
    if any(len(body) != query.size for body in bodies):
        raise ValueError("a dense embedding blob holds one byte a dimension")
    values = np.frombuffer(b"".join(bodies), np.int8).reshape(len(bodies), query.size)
    # Not BLAS: its order of summation, and so the last digits, differ between machines.
    sums: NDArray[np.float64] = (values * query).sum(axis=1)
    return sums


def _sparse_sums(
    query: NDArray[np.float64], bodies: Sequence[bytes]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(n,) each: the query times the whole numbers, and its squared weight where both have one sign."""
    if any(len(body) % 3 for body in bodies):
        raise ValueError("a sparse embedding blob holds three bytes a dimension")
    counts = [len(body) // 3 for body in bodies]
    support = b"".join(body[: 2 * count] for body, count in zip(bodies, counts, strict=True))
    values = b"".join(body[2 * count :] for body, count in zip(bodies, counts, strict=True))
    picked = query[np.frombuffer(support, "<u2")]
    products = picked * np.frombuffer(values, np.int8)
    sums, held = np.zeros((2, len(bodies)))
    filled = np.flatnonzero(counts)  # of a hybrid one, the head may hold nothing
    if filled.size:
        starts = np.cumsum([0, *counts[:-1]])[filled]
        sums[filled] = np.add.reduceat(products, starts)
        held[filled] = np.add.reduceat(np.where(products > 0, picked * picked, 0.0), starts)
    return sums, held


def code_of(vector: NDArray[np.float32], *, tail: int = 0) -> bytes | None:
    """The code of a vector as `encode` makes it; None of a zero vector.

    Head and tail count in it as they do in the vector: the whole of it is brought to length 1, and
    rounded to parts of the greatest power of two that the sums of `sign_code` allow.

    Raises:
        EmbedderError: see `quantise`.
    """
    if not tail:
        support, values = quantise(vector)
        return sign_code(support, values) if support.size else None
    _check(vector, _MOST_DIMENSIONS + _MOST_TAIL)
    support = np.flatnonzero(vector)
    length = _length(vector)
    if length == 0.0:
        return None
    unit = vector[support].astype(np.float64) / length
    # Each value is rounded by at most one half, so that all of them add up to less than _CODE_TOTAL.
    room = (_CODE_TOTAL - support.size) / math.fsum(np.abs(unit).tolist())
    whole = np.rint(np.ldexp(unit, math.frexp(room)[1] - 1)).astype(np.int64)
    kept = whole != 0
    return sign_code(support[kept], whole[kept])


@cache
def _projection_words(dim: int) -> NDArray[np.uint64]:
    """(dim, CODE_BITS / 64) uint64: the signs, splitmix64 (Steele et al., OOPSLA 2014) of a counter."""
    words = CODE_BITS // _CHUNK_BITS
    z = np.arange(1, dim * words + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (z ^ (z >> np.uint64(31))).astype("<u8").reshape(dim, words)


@cache
def _projection(width: int) -> NDArray[np.uint8]:
    """(width, CODE_BITS / 8) uint8: the packed signs of the first `width` dimensions, as bytes."""
    return _projection_words(width).view(np.uint8)


def sign_code(support: NDArray[np.int64], values: NDArray[np.integer]) -> bytes:
    """CODE_BITS / 8 bytes: bit i is set where the projection on row i is above zero.

    Args:
        support, values: the dimensions that are not zero and their whole numbers, whose absolute values
            add up to less than 2**23.

    Every product and sum is then a whole number of at most 2**24, so float32 is exact in any order of
    summation.
    """
    projection = _projection(1 << max(int(support.max()).bit_length(), 10))
    weights = values.astype(np.float32)
    held = np.zeros(CODE_BITS, np.float32)
    # A block at a time: for greater ones BLAS wakes its threads, which costs more than they save.
    for start in range(0, support.size, _CODE_BLOCK):
        block = slice(start, start + _CODE_BLOCK)
        bits = np.unpackbits(projection[support[block]], axis=1).astype(np.float32)
        held += weights[block] @ bits
    return np.packbits(2.0 * held > weights.sum()).tobytes()


def hamming(code: bytes, codes: Sequence[bytes]) -> NDArray[np.int64]:
    """(n,) number of bits in which each of `codes` differs from `code`."""
    if not codes:
        return np.zeros(0, np.int64)
    table = np.frombuffer(b"".join(codes), np.uint8).reshape(len(codes), -1)
    differing = np.bitwise_xor(table, np.frombuffer(code, np.uint8))
    counts: NDArray[np.int64] = np.bitwise_count(differing).sum(axis=1, dtype=np.int64)
    return counts
