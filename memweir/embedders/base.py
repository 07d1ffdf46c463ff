"""What do learned embedders have in common? Cleaning, prefixes, batches, length 1 and a fingerprint."""

from __future__ import annotations

import importlib
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from memweir.errors import EmbedderError, MemweirError, MissingExtra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["LONGEST", "LearnedEmbedder", "Prefixes", "fingerprint", "optional", "prefixes_of"]

LONGEST: Final = 8_000
"""Characters of a text that a model is given; most models read less."""

_PROBES: Final = (
    "The release was put off to Friday because the disk was full.",
    "她每周三晚上学做饭。",
    "def area(width, height): return width * height",
)
_FEWEST, _MOST = 8, 24  # dimensions of a probe that a fingerprint is made of
_E5: Final = re.compile(r"(?:^|[/_-])(?:multilingual[_-])?e5[_-](?:small|base|large)", re.IGNORECASE)
_NOMIC: Final = re.compile(r"nomic-embed-text", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What is put before a text that asks, and before one that is kept."""

    query: str = ""
    passage: str = ""


def prefixes_of(model: str, query: str | None = None, passage: str | None = None) -> Prefixes:
    """The prefixes given, else those that models of this name were trained with and cannot do without.

    Known are E5 (Wang et al., arXiv:2212.03533) and Nomic Embed (Nussbaum et al., arXiv:2402.01613);
    every other model gets none.
    """
    known = Prefixes()
    if _E5.search(model) and "instruct" not in model.lower():
        known = Prefixes("query: ", "passage: ")
    elif _NOMIC.search(model):
        known = Prefixes("search_query: ", "search_document: ")
    return Prefixes(
        known.query if query is None else query, known.passage if passage is None else passage
    )


def optional(module: str, *, extra: str, package: str) -> Any:
    """An optional dependency, imported where it is needed.

    Raises:
        MissingExtra: it is not installed; names the extra that brings it.
        EmbedderError: it is installed and cannot be imported.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise MissingExtra(extra, package) from error
    except Exception as error:
        raise EmbedderError(f"{package} cannot be imported: {type(error).__name__}: {error}") from error


class LearnedEmbedder(ABC):
    """A dense embedder around a model that is loaded when it is first needed. Safe between threads.

    Blank texts have the zero vector and never reach the model. A model is asked by one thread at a time
    unless `concurrent` says that it can take more, and texts that ask come before texts that are kept.

    Attributes:
        name: what the user calls the model.
        version: a fingerprint of what the model makes of three fixed texts on either side, so that
            other weights, pooling or prefixes under the same name are another embedder.
        dim: length of every vector, as the model says.
    """

    sparse = False
    concurrent = False

    def __init__(
        self, name: str, prefixes: Prefixes | None = None, *, batch: int = 64, longest: int = LONGEST
    ) -> None:
        """Args: batch: texts given to the model at once; longest: characters of a text it is given."""
        if batch < 1 or longest < 1:
            raise EmbedderError(f"batch and longest must be 1 or more, got {batch} and {longest}")
        self._name = name
        self._prefixes = prefixes or Prefixes()
        self._batch = batch
        self._longest = longest
        self._lock = threading.RLock()
        self._turns = _Turns()
        self._probed: tuple[str, int] | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._name!r})"

    @property
    def name(self) -> str:
        """What the user calls the model."""
        return self._name

    @property
    def version(self) -> str:
        """Another version means other vectors. Loads the model."""
        return self._probe()[0]

    @property
    def dim(self) -> int:
        """Length of every vector. Loads the model."""
        return self._probe()[1]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dim) float32 of texts that are kept: rows of length 1, all zero of a blank text.

        Raises:
            MissingExtra: the package that runs the model is not installed.
            EmbedderError: the model failed, or gave something that is no vector of a text.
        """
        return self._rows(texts, self.dim, query=False)

    def embed_query(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same of texts that ask."""
        return self._rows(texts, self.dim, query=True)

    @abstractmethod
    def _encode(self, texts: Sequence[str], *, query: bool) -> object:
        """(n, d) numbers of any lengths, of texts that are not blank and have their prefix."""

    def _prefixes_used(self) -> Prefixes:
        """What is put before texts; a model may bring its own."""
        return self._prefixes

    def _probe(self) -> tuple[str, int]:
        if self._probed is not None:  # not behind a thread that has just begun a batch
            return self._probed
        with self._lock:
            if self._probed is None:
                kept = self._rows(_PROBES, None, query=False)
                asked = self._rows(_PROBES, None, query=True)
                self._probed = (fingerprint([*kept, *asked]), int(kept.shape[1]))
            return self._probed

    def _rows(self, texts: Sequence[str], dim: int | None, *, query: bool) -> NDArray[np.float32]:
        import numpy as np

        prefixes = self._prefixes_used()
        prefix = prefixes.query if query else prefixes.passage
        cleaned = [_clean(text)[: self._longest] for text in texts]
        said = [place for place, text in enumerate(cleaned) if text]
        found: list[NDArray[np.float32]] = []
        for start in range(0, len(said), self._batch):
            batch = [prefix + cleaned[place] for place in said[start : start + self._batch]]
            found.append(self._checked(batch, dim, query=query))
            dim = found[0].shape[1]
        vectors = np.zeros((len(texts), dim or 0), np.float32)
        if found:
            vectors[said] = np.concatenate(found)
        return vectors

    def _checked(self, texts: Sequence[str], dim: int | None, *, query: bool) -> NDArray[np.float32]:
        """What the model makes of a batch, at length 1."""
        import numpy as np

        try:
            if self.concurrent:
                given = np.asarray(self._encode(texts, query=query), np.float64)
            else:
                with self._turns.taken(first=query):
                    given = np.asarray(self._encode(texts, query=query), np.float64)
        except MemweirError:
            raise
        except Exception as error:
            raise EmbedderError(f"{self._name} failed: {type(error).__name__}: {error}") from error
        wanted = (len(texts), given.shape[-1] if dim is None and given.ndim == 2 else dim)
        if given.shape != wanted or not given.shape[-1]:
            raise EmbedderError(f"{self._name} gave shape {given.shape} for {len(texts)} texts")
        if not np.isfinite(given).all():
            raise EmbedderError(f"{self._name} gave a number that is not finite")
        largest = np.abs(given).max(axis=1, keepdims=True)
        given = given / np.where(largest > 0.0, largest, 1.0)  # squares neither vanish nor overflow
        lengths = np.sqrt((given * given).sum(axis=1, keepdims=True))
        unit: NDArray[np.float32] = (given / np.where(lengths > 0.0, lengths, 1.0)).astype(np.float32)
        return unit


class _Turns:
    """One thread at a time, and those that ask before those that index: a person waits for them."""

    def __init__(self) -> None:
        self._free = threading.Condition()
        self._taken = False
        self._asking = 0

    @contextmanager
    def taken(self, *, first: bool) -> Iterator[None]:
        """Wait for one's turn and keep it. Args: first: before all that are not."""
        with self._free:
            self._asking += first
            while self._taken or (self._asking and not first):
                self._free.wait()
            self._asking -= first
            self._taken = True
        try:
            yield
        finally:
            with self._free:
                self._taken = False
                self._free.notify_all()


def fingerprint(rows: Sequence[NDArray[np.float32]]) -> str:
    """Which dimensions stand out in each row, and on which side of zero, as 12 hexadecimal digits.

    Of the 8 to 24 largest dimensions those above the widest gap are taken: rounding, which differs
    between machines, does not carry a number over that gap, and another model has other large numbers.
    """
    import numpy as np

    digest = blake2b(digest_size=6)
    for row in rows:
        sizes = np.abs(row.astype(np.float64))
        order = np.lexsort((np.arange(sizes.size), -sizes))
        falling = np.append(sizes[order], 0.0)
        low, high = min(_FEWEST, sizes.size), min(_MOST, sizes.size)
        cut = low + int(np.argmax(falling[low - 1 : high] - falling[low : high + 1]))
        kept = np.sort(order[:cut])
        signs = np.where(row[kept] < 0, -1, 1)
        digest.update(f"{sizes.size}:{(kept * signs + signs).tolist()};".encode())
    return digest.hexdigest()


def _clean(text: str) -> str:
    """What any engine takes: no NUL, at which C stops, no half of a surrogate pair, no outer blanks."""
    return text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8").strip()
