"""How do models of other packages become embedders? sentence-transformers, fastembed, Model2Vec.

Each takes the name of a model, the folder of one, or a model that is loaded already. A name that is
no folder is looked up by the package, which may download it; a folder never is.
"""

from __future__ import annotations

import os
import threading
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from memweir.embedders.base import LONGEST, LearnedEmbedder, Prefixes, optional, prefixes_of
from memweir.errors import EmbedderError, MemweirError

__all__ = ["FastEmbedEmbedder", "Model2VecEmbedder", "SentenceTransformersEmbedder"]


class _PackageEmbedder(LearnedEmbedder):
    """A model given by name, by folder, or loaded."""

    package: str

    def __init__(
        self,
        model: str | os.PathLike[str] | object,
        *,
        name: str | None = None,
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
        batch: int = 64,
        longest: int = LONGEST,
        **options: Any,
    ) -> None:
        """Nothing is imported or loaded before the first vector is wanted.

        Args:
            model: a name, a folder, or a loaded model.
            name: the embedder's name; None: made of the model's, of a folder's by its last part.
            query_prefix, passage_prefix: None: what models of this name need, see `prefixes_of`.
            batch: texts given to the model at once.
            longest: characters of a text that the model is given.
            options: handed to the package when it loads the model.
        """
        self._source = os.fspath(model) if isinstance(model, str | os.PathLike) else None
        if self._source is not None and not self._source.strip():
            raise EmbedderError(f"{self.package} needs the name or the folder of a model")
        self._model: Any = None if self._source is not None else model
        self._options = options
        called = _called(self._source) if self._source is not None else type(model).__name__
        name = name or f"{self.package}:{called}"
        self._stated = (query_prefix, passage_prefix)
        prefixes = prefixes_of(called, query_prefix, passage_prefix)
        super().__init__(name, prefixes, batch=batch, longest=longest)
        self._loading = threading.Lock()

    @abstractmethod
    def _load(self, source: str) -> Any:
        """The model of a name or folder."""

    def _loaded(self) -> Any:
        with self._loading:
            if self._model is None and self._source is not None:
                try:
                    self._model = self._load(self._source)
                except MemweirError:
                    raise
                except Exception as error:
                    raise EmbedderError(
                        f"{self.name} cannot be loaded: {type(error).__name__}: {error}"
                    ) from error
            return self._model


class SentenceTransformersEmbedder(_PackageEmbedder):
    """A model of sentence-transformers, by the extra `sentence-transformers`.

    The prompts "query" and "document" or "passage" of the model's own settings are its prefixes where
    none are given. Code that comes with a model is run only with `trust_remote_code=True`.
    """

    package = "sentence-transformers"

    def _load(self, source: str) -> Any:
        found = optional("sentence_transformers", extra=self.package, package=self.package)
        return found.SentenceTransformer(source, **self._options)

    def _prefixes_used(self) -> Prefixes:
        own = getattr(self._loaded(), "prompts", None)
        prompts: Mapping[str, str] = own if isinstance(own, Mapping) else {}
        query, passage = self._stated
        asked = prompts.get("query") or self._prefixes.query
        kept = prompts.get("document") or prompts.get("passage") or self._prefixes.passage
        return Prefixes(asked if query is None else query, kept if passage is None else passage)

    def _encode(self, texts: Sequence[str], *, query: bool) -> object:
        # An empty prompt: None would bring in the model's default one, behind our prefix.
        return self._loaded().encode(
            list(texts), prompt="", batch_size=self._batch, show_progress_bar=False
        )


class FastEmbedEmbedder(_PackageEmbedder):
    """An ONNX model of fastembed, by the extra `fastembed`.

    A model in a folder needs its name too: `FastEmbedEmbedder(name, specific_model_path=folder)`.
    """

    package = "fastembed"

    def _load(self, source: str) -> Any:
        found = optional("fastembed", extra=self.package, package=self.package)
        return found.TextEmbedding(model_name=source, **self._options)

    def _encode(self, texts: Sequence[str], *, query: bool) -> object:
        model = self._loaded()
        # Both exist for models that have a head of their own for each side.
        return list(model.query_embed(list(texts)) if query else model.passage_embed(list(texts)))


class Model2VecEmbedder(_PackageEmbedder):
    """A static model of Model2Vec, by the extra `model2vec`: a table, as quick as hashing."""

    package = "model2vec"

    def _load(self, source: str) -> Any:
        found = optional("model2vec", extra=self.package, package=self.package)
        return found.StaticModel.from_pretrained(source, **self._options)

    def _encode(self, texts: Sequence[str], *, query: bool) -> object:
        return self._loaded().encode(list(texts), use_multiprocessing=False)


def _called(source: str) -> str:
    """A model's name as it is; of a folder its last part, so that it may lie elsewhere tomorrow."""
    return Path(source).resolve().name if Path(source).is_dir() else source
