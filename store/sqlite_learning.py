"""How does the store on SQLite learn from conversation? Echoes, messages read, facts captured."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager

import apsw

from memweir.errors import MemweirError
from memweir.store import capturing
from memweir.store.capturing import Fingerprinter
from memweir.store.gating import Gated
from memweir.store.records import Draft, Stored
from memweir.store.scopes import Scope
from memweir.store.writes import Writer

__all__ = ["SqliteLearning"]


class SqliteLearning(ABC):
    """Verbs of `memweir.store.sqlite.SqliteStore` by which it learns."""

    _key: bytes

    @abstractmethod
    def _reading(self) -> AbstractContextManager[apsw.Connection]:
        """The connection, for what reads rows and nothing else."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[apsw.Connection]:
        """The connection inside a transaction."""

    @abstractmethod
    def _writer(self, now_ms: int) -> AbstractContextManager[Writer]:
        """The writes of one transaction."""

    @abstractmethod
    def _check_writable(self) -> None:
        """Raises: StoreClosed, StoreReadOnly."""

    @abstractmethod
    def _gate(self, drafts: Sequence[Draft]) -> Gated:
        """Drafts through the write gates, indexed."""

    def note_injected(
        self, scopes: Sequence[Scope], entries: Mapping[str, str], fingerprints: Fingerprinter
    ) -> None:
        """Remember by fingerprints what a recall of the scopes put into a prompt.

        Args:
            entries: id of a memory, answer or prompt block → its text as it was given.
        """
        self._check_writable()
        with self._reading() as connection:
            fresh = capturing.unknown_texts(connection, scopes, entries, key=self._key)
        if not fresh:
            return
        with self._writing() as connection:
            capturing.note_injected(connection, scopes, fresh, fingerprints, key=self._key)

    def echoes(self, scope: Scope, fingerprints: Collection[int]) -> set[int]:
        """Those of the fingerprints that something has which was given to a prompt of the scope."""
        with self._reading() as connection:
            return capturing.known_echoes(connection, scope, fingerprints, key=self._key)

    def seen(self, scope: Scope, messages: Sequence[str]) -> list[bool]:
        """Of each message, by what identifies it, whether it was read in the scope before."""
        with self._reading() as connection:
            return capturing.seen(connection, scope, messages, key=self._key)

    def capture(
        self, scope: Scope, read: Mapping[str, Sequence[Draft]], *, now_ms: int
    ) -> dict[str, list[Stored | MemweirError]]:
        """Store what was made of messages, and that they were read: all of it, or nothing.

        Args:
            read: what identifies a message → the drafts made of it, perhaps none.
        Returns:
            Of each message that nobody read meanwhile, its results; a refused draft gives its error.
        """
        self._check_writable()
        flat = [draft for drafts in read.values() for draft in drafts]
        gated = self._gate(flat)
        results: dict[str, list[Stored | MemweirError]] = {}
        with self._writer(now_ms) as writer:
            place = 0
            for message, drafts in read.items():
                places = range(place, place + len(drafts))
                place += len(drafts)
                if capturing.mark_observed(
                    writer.connection, scope, message, now_ms=now_ms, key=self._key
                ):
                    results[message] = [gated.add(writer, each) for each in places]
        return results
