"""How is a vector kept on disk, and how is the nearest found? Blobs, sign codes, exact rescoring.

An embedding of length 1 is quantised to whole numbers in [-127, 127] and kept sparse where its
embedder is: eight bytes of header (codec, three zero bytes, 1 / norm as float32), then uint16
dimensions and int8 values; dense: header and int8 values. Its code is the signs of a random ±1
projection to `CODE_BITS` dimensions (Charikar, STOC 2002: the Hamming distance of two codes grows with
their angle), computed from the whole numbers, so that it is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memweir.errors import EmbedderError

__all__ = ["CODE_BITS", "compare", "decode_support", "encode", "hamming", "quantise", "sign_code"]

CODE_BITS: Final = 1024

_SPARSE: Final = 1
_DENSE: Final = 2
_HEADER: Final = 8
_CHUNK_BITS: Final = 64


def quantise(vector: NDArray[np.float32]) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
    """The dimensions that are not zero and their values scaled so that the largest is ±127.

    Args:
        vector: (d,) float32, finite.
    Raises:
        EmbedderError: not finite, not one-dimensional or of more than 65,536 dimensions.
    """
    if vector.ndim != 1 or vector.shape[0] > 65_536:
        raise EmbedderError(f"an embedding must be (d,) with d up to 65536, got shape {vector.shape}")
    if not np.isfinite(vector).all():
        raise EmbedderError("an embedding must be finite (NaN or infinity found)")
    support = np.flatnonzero(vector)
    if support.size == 0:
        return support, np.zeros(0, np.int8)
    values = vector[support].astype(np.float64)
    scaled = np.rint(values * (127.0 / np.abs(values).max())).astype(np.int8)
    kept = scaled != 0
    return support[kept], scaled[kept]


def encode(vector: NDArray[np.float32], *, sparse: bool) -> tuple[bytes, bytes] | None:
    """(embedding blob, code) of a vector, None of a zero vector: it has no neighbours.

    Args:
        sparse: as the embedder says; all vectors of one store are kept alike.
    """
    support, values = quantise(vector)
    if support.size == 0:
        return None
    wide = values.astype(np.int64)
    inverse = np.float32(1.0 / np.sqrt(float((wide * wide).sum())))
    head = bytes([_SPARSE if sparse else _DENSE, 0, 0, 0]) + inverse.astype("<f4").tobytes()
    if sparse:
        body = support.astype("<u2").tobytes() + values.tobytes()
    else:
        dense = np.zeros(vector.shape[0], np.int8)
        dense[support] = values
        body = dense.tobytes()
    return head + body, sign_code(support, values)


def _parts(blob: bytes) -> tuple[NDArray[np.int64] | None, NDArray[np.int8], float]:
    inverse = float(np.frombuffer(blob, "<f4", 1, 4)[0])
    if blob[0] == _DENSE:
        return None, np.frombuffer(blob, np.int8, -1, _HEADER), inverse
    count = (len(blob) - _HEADER) // 3
    support = np.frombuffer(blob, "<u2", count, _HEADER).astype(np.int64)
    return support, np.frombuffer(blob, np.int8, count, _HEADER + 2 * count), inverse


def decode_support(blob: bytes) -> NDArray[np.int64]:
    """The dimensions that are not zero in an embedding blob."""
    support, values, _ = _parts(blob)
    return np.flatnonzero(values) if support is None else support


def compare(query: NDArray[np.float64], blobs: Sequence[bytes]) -> NDArray[np.float64]:
    """(n, 2): cosine in [-1, 1] and containment in [0, 1] of a query with each embedding blob.

    Args:
        query: (d,) float64 of length 1.
        blobs: of one store, whose embedder makes them all sparse or all dense.
    Returns:
        Containment is the query's squared weight on dimensions that the memory sets with the same sign;
        for a dense blob, the cosine where it is above 0.
    Raises:
        ValueError, IndexError: a blob that `encode` did not make for this dimension.
    """
    if not blobs:
        return np.zeros((0, 2), np.float64)
    codec = blobs[0][0]
    if any(len(blob) <= _HEADER or blob[0] != codec for blob in blobs):
        raise ValueError("an embedding blob is too short or of another codec")
    if codec == _SPARSE and any((len(blob) - _HEADER) % 3 for blob in blobs):
        raise ValueError("a sparse embedding blob holds three bytes a dimension")
    inverse = np.frombuffer(b"".join(blob[4:_HEADER] for blob in blobs), "<f4").astype(np.float64)
    if codec == _DENSE:
        values = np.frombuffer(b"".join(blob[_HEADER:] for blob in blobs), np.int8)
        # Not BLAS: its order of summation, and so the last digits, differ between machines.
        cosine = (values.reshape(len(blobs), -1) * query).sum(axis=1) * inverse
        containment = np.maximum(cosine, 0.0)
    else:
        counts = [(len(blob) - _HEADER) // 3 for blob in blobs]
        cuts = [_HEADER + 2 * count for count in counts]
        support = b"".join(blob[_HEADER:cut] for blob, cut in zip(blobs, cuts, strict=True))
        values = np.frombuffer(
            b"".join(blob[cut:] for blob, cut in zip(blobs, cuts, strict=True)), np.int8
        )
        picked = query[np.frombuffer(support, "<u2")]
        products = picked * values
        starts = np.cumsum([0, *counts[:-1]])
        cosine = np.add.reduceat(products, starts) * inverse
        containment = np.add.reduceat(np.where(products > 0, picked * picked, 0.0), starts)
    pairs = np.stack([np.clip(cosine, -1.0, 1.0), np.clip(containment, 0.0, 1.0)], axis=1)
    return pairs.astype(np.float64, copy=False)


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


def sign_code(support: NDArray[np.int64], values: NDArray[np.int8]) -> bytes:
    """CODE_BITS / 8 bytes: bit i is set where the projection on row i is above zero.

    Every product and sum is a whole number below 2**24, so float32 is exact in any order of summation.
    """
    width = 1 << max(int(support.max()).bit_length(), 10)
    bits = np.unpackbits(_projection(width)[support], axis=1).astype(np.float32)
    weights = values.astype(np.float32)
    sums = 2.0 * (weights @ bits) - weights.sum()
    return np.packbits(sums > 0).tobytes()


def hamming(code: bytes, codes: Sequence[bytes]) -> NDArray[np.int64]:
    """(n,) number of bits in which each of `codes` differs from `code`."""
    if not codes:
        return np.zeros(0, np.int64)
    table = np.frombuffer(b"".join(codes), np.uint8).reshape(len(codes), -1)
    differing = np.bitwise_xor(table, np.frombuffer(code, np.uint8))
    counts: NDArray[np.int64] = np.bitwise_count(differing).sum(axis=1, dtype=np.int64)
    return counts
