"""How does a matrix of word vectors become the file that ships? Rotated, cut, four bits a number."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from memweir.retrieval.meaning import FORMAT, HEADER, MAGIC, stem_key, word_key
from memweir.retrieval.stemming import stem

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["principal_axes", "quantised", "table_bytes", "write_table"]

_FINEST: Final = 4_095  # the largest scale of a row
_CLIPS: Final = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 1.0)  # of a row's largest number


def principal_axes(vectors: NDArray[np.float32], dim: int) -> NDArray[np.float32]:
    """(d, dim): the directions of the most weight, the sign of each fixed by its largest number."""
    moment = vectors.T.astype(np.float64) @ vectors.astype(np.float64)
    _, axes = np.linalg.eigh(moment)
    axes = axes[:, ::-1][:, :dim]
    largest = axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])]
    result: NDArray[np.float32] = (axes * np.sign(largest)).astype(np.float32)
    return result


def quantised(vectors: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.uint16]]:
    """Codes of -8 to 7 and a scale a row, their product near the row; the clip of least error a row.

    Scales are whole parts of the largest one.
    """
    largest = np.abs(vectors).max(axis=1)
    coarsest = float(largest.max()) / 7.0
    best = np.full(len(vectors), np.inf)
    codes = np.zeros(vectors.shape, np.int8)
    scales = np.ones(len(vectors), np.uint16)
    for clip in _CLIPS:
        scale = np.clip(np.round(largest * clip / 7.0 / coarsest * _FINEST), 1, _FINEST)
        step = (scale * coarsest / _FINEST)[:, None]
        code = np.clip(np.round(vectors / step), -8, 7)
        error = ((code * step - vectors) ** 2).sum(axis=1)
        better = error < best
        best[better] = error[better]
        codes[better] = code[better].astype(np.int8)
        scales[better] = scale[better].astype(np.uint16)
    return codes, scales


def table_bytes(
    words: Sequence[str], codes: NDArray[np.int8], scales: NDArray[np.uint16], *, version: int
) -> bytes:
    """The whole file. Words are folded; a stem leads to the first word that has it.

    Raises:
        ValueError: two words have one key, or there are more rows than a row number can hold.
    """
    if len(words) > 65_535:
        raise ValueError(f"{len(words)} rows, 65535 fit")
    rows: dict[int, int] = {word_key(word): row for row, word in enumerate(words)}
    if len(rows) != len(words):
        raise ValueError("two words have one key")
    stems: dict[str, int] = {}
    for row, word in enumerate(words):
        if word.isascii():
            stems.setdefault(stem(word), row)
    for root, row in stems.items():
        if words[row] != root:  # else the root is found as the word it is
            rows.setdefault(stem_key(root), row)
    keys = np.array(sorted(rows), "<u8")
    numbers = np.array([rows[int(key)] for key in keys], "<u2")
    shifted = (codes + 8).astype(np.uint8)
    pairs = shifted[:, 0::2] | (shifted[:, 1::2] << 4)
    body = keys.tobytes() + numbers.tobytes() + scales.astype("<u2").tobytes() + pairs.tobytes()
    header = HEADER.pack(
        MAGIC, FORMAT, version, codes.shape[1], len(words), len(keys), zlib.crc32(body)
    )
    return header + body


def write_table(
    path: Path,
    words: Sequence[str],
    vectors: NDArray[np.float32],
    *,
    dim: int,
    flattening: float,
    version: int,
) -> int:
    """Turn to the principal axes, flatten, cut, quantise and write; returns the size in bytes."""
    turned = vectors @ principal_axes(vectors, dim)
    spread = np.sqrt((turned.astype(np.float64) ** 2).mean(axis=0))
    turned = (turned / spread**flattening).astype(np.float32)
    data = table_bytes(words, *quantised(turned), version=version)
    path.write_bytes(data)
    return len(data)
