"""What is an index entry without text analysis? Lower-cased words, and hashes of them as a vector."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from memweir.store.entry import Indexable, IndexEntry, Indexer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["DeferredIndexer", "PlainIndexer"]

_WORD: Final = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")
_NAME: Final = re.compile(r"\b[A-Z]\w+")
_FEATURES: Final = 2  # dimensions a word sets
_DENIED: Final = "not"
_CHANGED: Final = "now"
_FAILURE: Final = "traceback"


class PlainIndexer:
    """Implements `memweir.store.entry.Indexer` without knowing a language."""

    def __init__(
        self, *, dim: int = 64, sparse: bool = True, tail: int = 0, name: str = "plain"
    ) -> None:
        """Args: dim: of the vectors; sparse: how the store keeps them; tail: dense dimensions at their
        end; name: of the embedder."""
        self._dim = dim
        self._tail = tail
        self._sparse = sparse
        self._name = name

    @property
    def analyzer(self) -> str:
        return "words/1"

    @property
    def embedder(self) -> str:
        return f"{self._name}/1/{self._dim}"

    @property
    def dim(self) -> int:
        return self._dim

    @property
    def sparse(self) -> bool:
        return self._sparse

    @property
    def tail(self) -> int:
        return self._tail

    def words(self, text: str) -> tuple[str, ...]:
        """Terms of a text: its words in lower case, each Chinese character a word of its own."""
        return tuple(_WORD.findall(text.lower()))

    def fold(self, name: str) -> str:
        """Lower case, full-width characters as usual ones, white space as one space each."""
        return " ".join(unicodedata.normalize("NFKC", name).lower().split())

    def embed(self, text: str) -> NDArray[np.float32]:
        """(dim,) float32 of length 1: every word adds ±1 to two dimensions. Zero without a word.

        Every word without a digit adds ±1 to each dimension of the tail; a tail that is not zero weighs
        as much as the head.
        """
        import numpy as np

        head = np.zeros(self._dim - self._tail, np.float64)
        tail = np.zeros(self._tail, np.float64)
        for word, count in sorted(Counter(self.words(text)).items()):
            for feature in range(_FEATURES):
                digest = zlib.crc32(f"{feature}:{word}".encode())
                head[digest % head.size] += count if digest & 0x10000 else -count
            if not any(map(str.isdigit, word)):
                digests = (zlib.crc32(f"tail {place}:{word}".encode()) for place in range(self._tail))
                tail += [count if digest & 0x10000 else -count for digest in digests]
        vector = np.concatenate([_unit(head), _unit(tail)])
        return _unit(vector).astype(np.float32)

    def index(self, documents: Sequence[Indexable]) -> list[IndexEntry]:
        return [self._entry(document) for document in documents]

    def clash(self, newer: Indexable, older: Indexable) -> str:
        """Where only "not" parts two texts they deny each other; "now" says that something changed."""
        one, other = self.words(newer.text), self.words(older.text)
        if _stated(one) == _stated(other) and one != other:
            return "contradiction"
        rest = set(one) - {_CHANGED}
        return "update" if _CHANGED in one and len(rest & set(other)) * 2 > len(rest) else ""

    def vectors(self, documents: Sequence[Indexable]) -> NDArray[np.float32]:
        """(n, dim) float32: the embeddings of the entries."""
        import numpy as np

        rows = [self._entry(document).embedding for document in documents]
        return np.array(rows, np.float32).reshape(len(rows), self._dim)

    def _entry(self, document: Indexable) -> IndexEntry:
        body = self.words(document.text)
        subjects = [name for name in (document.title, document.speaker) if name]
        entities = [(self.fold(name), name, "subject") for name in subjects]
        entities += [(self.fold(name), name, "text") for name in _NAME.findall(document.text)]
        return IndexEntry(
            normal=self.fold(document.text),
            fields={
                "body": body,
                "title": self.words(document.title or ""),
                "tags": tuple(word for tag in document.tags for word in self.words(tag)),
                "key": self.words(document.semantic_key or ""),
                "speaker": self.words(document.speaker or ""),
                "learned": document.learned_terms,
                "symbols": tuple(dict.fromkeys(word for word in body if any(map(str.isdigit, word)))),
            },
            tags=tuple(dict.fromkeys(self.fold(tag) for tag in document.tags)),
            embedding=self.embed(f"{document.title or ''} {document.text}"),
            entities=tuple(entity for entity in entities if entity[0]),
            key=self.fold(document.semantic_key or ""),
            stance=" ".join(_stated(body)),
            polarity="-" if _DENIED in body else "+",
            revises=tuple(word for word in body if word != _CHANGED) if _CHANGED in body else (),
            incident=_FAILURE in body,
        )


def _stated(words: Sequence[str]) -> list[str]:
    return [word for word in words if word != _DENIED]


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    length = float(np.sqrt((vector * vector).sum()))
    return vector / length if length else vector


class DeferredIndexer:
    """Another indexer, its vectors put off: an entry has the head of its vector at most.

    Attributes:
        error: raised in place of vectors while it is not None.
    """

    def __init__(self, indexer: Indexer) -> None:
        self._indexer = indexer
        self.error: Exception | None = None

    @property
    def analyzer(self) -> str:
        return self._indexer.analyzer

    @property
    def embedder(self) -> str:
        return self._indexer.embedder

    @property
    def dim(self) -> int:
        return self._indexer.dim

    @property
    def sparse(self) -> bool:
        return self._indexer.sparse

    @property
    def tail(self) -> int:
        return self._indexer.tail

    def fold(self, name: str) -> str:
        return self._indexer.fold(name)

    def index(self, documents: Sequence[Indexable]) -> list[IndexEntry]:
        import numpy as np

        entries = []
        for entry in self._indexer.index(documents):
            head = np.zeros(self.dim, np.float64)
            if self.tail:
                head[: -self.tail] = entry.embedding[: -self.tail]
            entries.append(replace(entry, embedding=_unit(head).astype(np.float32), pending=True))
        return entries

    def clash(self, newer: Indexable, older: Indexable) -> str:
        return self._indexer.clash(newer, older)

    def vectors(self, documents: Sequence[Indexable]) -> NDArray[np.float32]:
        if self.error is not None:
            raise self.error
        return self._indexer.vectors(documents)
