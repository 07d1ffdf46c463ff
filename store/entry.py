"""What does the index hold of a memory, and who makes it?

The store keeps terms and vectors but cannot analyse text: it asks an `Indexer`, which the face builds
from the text analysis and the embedder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["FIELDS", "IndexEntry", "Indexable", "Indexer"]

FIELDS: Final = (
    *("body", "chars", "synonyms", "title", "tags"),
    *("key", "speaker", "learned", "symbols"),
)
"""The term fields of the keyword index, in the order of its columns (the scope token follows)."""


@dataclass(frozen=True, slots=True)
class Indexable:
    """What the index entry of a memory is made of: its text fields, and what kind of thing it is."""

    text: str
    title: str | None = None
    tags: tuple[str, ...] = ()
    semantic_key: str | None = None
    speaker: str | None = None
    learned_terms: tuple[str, ...] = ()
    layer: str = "world"
    kind: str = "fact"


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One memory as the index holds it.

    Attributes:
        normal: the folded text: part of the memory's identity.
        fields: field of `FIELDS` → terms in text order, repeats kept.
        tags: folded tags, for exact filters.
        embedding: (dim,) float32, length 1, or all zero where the text has no feature; head and tail
            weighted against each other.
        entities: (folded name, name as written, role) of what the memory mentions; roles "subject"
            (title or speaker) and "text".
        pending: the embedding is what could be had at once, perhaps nothing; `Indexer.vectors` makes
            the whole of it later.
        key: the folded semantic key; "" where there is none.
        stance, polarity: what the text states apart from its polarity, as a short hash, and how it
            stands to it: texts of one stance and different polarity deny each other. "" where the text
            is no plain statement.
        revises: terms to look for, where the text says of itself that something has changed.
        incident: the record of a failure.
    """

    normal: str
    fields: Mapping[str, tuple[str, ...]]
    tags: tuple[str, ...]
    embedding: NDArray[np.float32]
    entities: tuple[tuple[str, str, str], ...]
    pending: bool = False
    key: str = ""
    stance: str = ""
    polarity: str = ""
    revises: tuple[str, ...] = ()
    incident: bool = False


class Indexer(Protocol):
    """Makes index entries. Same fields, same entry, on any machine."""

    @property
    def analyzer(self) -> str:
        """Names the text analysis; another value means other terms."""
        ...

    @property
    def embedder(self) -> str:
        """Names the embedder, its version and dimension; another value means other vectors."""
        ...

    @property
    def dim(self) -> int:
        """Length of the embeddings."""
        ...

    @property
    def sparse(self) -> bool:
        """Whether embeddings are mostly zero, each dimension a feature of its own; but for the tail."""
        ...

    @property
    def tail(self) -> int:
        """How many dimensions at the end of a sparse embedding are dense; 0 of a dense one."""
        ...

    def index(self, documents: Sequence[Indexable]) -> list[IndexEntry]: ...

    def vectors(self, documents: Sequence[Indexable]) -> NDArray[np.float32]:
        """(n, dim) float32, the whole embeddings: those of entries that are not pending."""
        ...

    def fold(self, name: str) -> str:
        """A name, key or phrasing as the index compares it."""
        ...

    def clash(self, newer: Indexable, older: Indexable) -> str:
        """ "contradiction" where one text denies the other, "update" where the newer says that what the
        older says has changed, "" otherwise and in doubt.
        """
        ...
