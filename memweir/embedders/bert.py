"""What does a small BERT make of a text, without a framework? The encoder written out in numpy.

BERT (Devlin et al., NAACL 2019) with mean pooling (Reimers and Gurevych, EMNLP 2019). Good for a
model of a few layers on a processor; for anything larger take sentence-transformers.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from memweir.embedders.base import optional
from memweir.errors import EmbedderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["SentenceBert"]

_TOKENS_AT_ONCE: Final = 2_048
_PARTS: Final = ("query", "key", "value")
_ROOT: Final = 0.7978845608  # sqrt(2 / pi)


class SentenceBert:
    """A sentence encoder of the BERT family with mean pooling."""

    def __init__(self, folder: Path) -> None:
        """Args: folder: holds `config.json`, `tokenizer.json` and `model.safetensors`, and the settings
        of sentence-transformers where the model is one of its.

        Raises:
            EmbedderError: a file is missing or damaged, or it is another kind of model.
            MissingExtra: a package of the extra `minilm` is not installed.
        """
        load = optional("safetensors.numpy", extra="minilm", package="safetensors").load_file
        tokenizers = optional("tokenizers", extra="minilm", package="tokenizers")
        try:
            settings = _read(folder / "config.json")
            self._heads = int(settings["num_attention_heads"])
            self._layers = int(settings["num_hidden_layers"])
            self._epsilon = float(settings["layer_norm_eps"])
            pooling = folder / "1_Pooling" / "config.json"
            if settings["model_type"] != "bert" or settings["hidden_act"] != "gelu":
                raise EmbedderError(f"{folder.name} is no BERT with gelu")
            if pooling.exists() and not _read(pooling).get("pooling_mode_mean_tokens"):
                raise EmbedderError(f"{folder.name} does not pool by the mean")
            most = int(settings["max_position_embeddings"])
            sentence = folder / "sentence_bert_config.json"
            if sentence.exists():
                most = min(most, int(_read(sentence).get("max_seq_length") or most))
            self._weights = _prepared(load(folder / "model.safetensors"), self._layers)
            self._tokenizer: Any = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._tokenizer.no_padding()
            self._tokenizer.enable_truncation(most)
        except EmbedderError:
            raise
        except Exception as error:
            raise EmbedderError(
                f"{folder.name} holds no model that can be read: {type(error).__name__}: {error}"
            ) from error

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, d) float32 of any lengths; texts of one number of tokens go through together."""
        import numpy as np

        tokens = [each.ids for each in self._tokenizer.encode_batch(list(texts))]
        by_length: dict[int, list[int]] = {}
        for row, ids in enumerate(tokens):
            by_length.setdefault(len(ids), []).append(row)
        width = self._weights["embeddings.LayerNorm.bias"].shape[0]
        vectors = np.zeros((len(texts), width), np.float32)
        for length, rows in sorted(by_length.items()):
            step = max(1, _TOKENS_AT_ONCE // max(length, 1))
            for start in range(0, len(rows), step):
                part = rows[start : start + step]
                vectors[part] = self._forward(np.array([tokens[row] for row in part], np.int64))
        return vectors

    def _forward(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """(n, d): the mean over the tokens of (n, length) token numbers."""
        import numpy as np

        weights = self._weights
        texts, length = ids.shape
        hidden = weights["embeddings.word_embeddings.weight"][ids]
        hidden = hidden + weights["embeddings.position_embeddings.weight"][:length]
        hidden += weights["embeddings.token_type_embeddings.weight"][0]
        width = hidden.shape[-1]
        hidden = self._normalised(hidden.reshape(texts * length, width), "embeddings.LayerNorm")
        size = width // self._heads
        for layer in range(self._layers):
            at = f"encoder.layer.{layer}."
            joint = self._dense(hidden, at + "attention.self")
            split = joint.reshape(texts, length, 3, self._heads, size).transpose(2, 0, 3, 1, 4)
            query, key, value = split
            scores = query @ key.transpose(0, 1, 3, 2) * np.float32(size**-0.5)
            scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
            scores /= scores.sum(axis=-1, keepdims=True)
            mixed = (scores @ value).transpose(0, 2, 1, 3).reshape(texts * length, width)
            mixed = self._dense(mixed, at + "attention.output.dense") + hidden
            hidden = self._normalised(mixed, at + "attention.output.LayerNorm")
            inner = _gelu(self._dense(hidden, at + "intermediate.dense"))
            outer = self._dense(inner, at + "output.dense") + hidden
            hidden = self._normalised(outer, at + "output.LayerNorm")
        pooled: NDArray[np.float32] = hidden.reshape(texts, length, width).mean(axis=1)
        return pooled

    def _dense(self, values: NDArray[np.float32], name: str) -> NDArray[np.float32]:
        result: NDArray[np.float32] = values @ self._weights[name + ".weight"]
        result += self._weights[name + ".bias"]
        return result

    def _normalised(self, values: NDArray[np.float32], name: str) -> NDArray[np.float32]:
        import numpy as np

        centred = values - values.mean(axis=-1, keepdims=True)
        variance = (centred * centred).mean(axis=-1, keepdims=True)
        centred /= np.sqrt(variance + np.float32(self._epsilon))
        result: NDArray[np.float32] = centred * self._weights[name + ".weight"]
        result += self._weights[name + ".bias"]
        return result


def _prepared(loaded: dict[str, NDArray[np.float32]], layers: int) -> dict[str, NDArray[np.float32]]:
    """Matrices the way round they are multiplied, and query, key and value of a layer as one."""
    import numpy as np

    weights: dict[str, NDArray[np.float32]] = {}
    for name, value in loaded.items():
        turned = value.T if name.endswith("dense.weight") else value
        weights[name] = np.ascontiguousarray(turned, np.float32)
    for layer in range(layers):
        at = f"encoder.layer.{layer}.attention.self"
        matrices = [weights.pop(f"{at}.{part}.weight").T for part in _PARTS]
        biases = [weights.pop(f"{at}.{part}.bias") for part in _PARTS]
        weights[at + ".weight"] = np.ascontiguousarray(np.concatenate(matrices, axis=1))
        weights[at + ".bias"] = np.concatenate(biases)
    return weights


def _gelu(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """The tanh form (Hendrycks and Gimpel, arXiv:1606.08415), within 0.001 of the exact one."""
    import numpy as np

    inner = np.float32(_ROOT) * (values + np.float32(0.044715) * values * values * values)
    return np.asarray(np.float32(0.5) * values * (np.float32(1.0) + np.tanh(inner)), np.float32)


def _read(path: Path) -> dict[str, Any]:
    found = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(found, dict):
        raise EmbedderError(f"{path.name} is no table of settings")
    return found
