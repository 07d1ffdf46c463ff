"""How does the store on SQLite learn from conversation? Echoes, messages read, facts captured."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from memweir.errors import MemweirError
from memweir.store import capturing, reflecting
from memweir.store.capturing import Fingerprinter
from memweir.store.gating import Gated
from memweir.store.records import Draft, Record, Stored
from memweir.store.reflecting import ReflectionRow, Revision
from memweir.store.scopes import Scope
from memweir.store.sqlite_parts import SqlitePart

__all__ = ["SqliteLearning"]


class SqliteLearning(SqlitePart):
    """Verbs of `memweir.store.sqlite.SqliteStore` by which it learns."""

    @abstractmethod
    def _owned(self, memory_id: str, scopes: Sequence[Scope] | None) -> Record:
        """A memory of the scopes."""

    @abstractmethod
    def _gate(self, drafts: Sequence[Draft]) -> Gated:
        """Drafts through the write gates, indexed."""

    def note_injected(
        self, scopes: Sequence[Scope], entries: Mapping[str, str], fingerprints: Fingerprinter
    ) -> None:
        """Remember by fingerprints what a recall of the scopes put into a prompt.

        Of a scope whose name the gates refuse nothing is kept: nothing is observed there either.

        Args:
            entries: id of a memory, answer or prompt block → its text as it was given.
        """
        self._check_writable()
        with self._reading() as connection:
            named = [each for each in scopes if capturing.may_be_named(connection, each)]
            fresh = capturing.unknown_texts(connection, named, entries, key=self._key)
        if not fresh:
            return
        with self._writing() as connection:
            capturing.note_injected(connection, named, fresh, fingerprints, key=self._key)

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

    def values_of(self, scope: Scope, key: str, *, now_ms: int) -> list[str]:
        """What the memories of a scope say that hold a semantic key now or will, oldest first."""
        folded = self._indexer.fold(key)
        with self._reading() as connection:
            return capturing.values_of(connection, scope, folded, now_ms=now_ms)

    # Reflection

    def scopes_to_reflect(self) -> list[tuple[int, Scope]]:
        """The scopes that hold anything, with their numbers."""
        with self._reading() as connection:
            return reflecting.scopes(connection)

    def reflectable(
        self, scope: int, *, now_ms: int
    ) -> tuple[list[reflecting.Fact], list[reflecting.BeliefRow]]:
        """What of a scope may be evidence now, and its beliefs; one state of both."""
        with self.snapshot(), self._reading() as connection:
            found = reflecting.facts(connection, scope, now_ms=now_ms)
            return found, reflecting.beliefs(connection, scope)

    def least_used(
        self, scope: int, limit: int, share: float, *, leaving: Collection[str], coming: int
    ) -> list[tuple[str, int]]:
        """(id, row) of what to archive of a scope that holds more than the limit.

        Args:
            leaving: ids of what beliefs stand for by then; coming: how many beliefs come.
        """
        with self._reading() as connection:
            return reflecting.least_used(
                connection, scope, limit, share, leaving=leaving, coming=coming
            )

    def keep_plan(
        self,
        period: str,
        steps: Sequence[Mapping[str, Any]],
        report: Mapping[str, Any],
        *,
        now_ms: int,
        again: bool,
    ) -> bool:
        """Keep the plan of a reflection; nothing of it is carried out yet.

        Args:
            again: also where one of the period was carried out.
        Returns:
            False: one was planned meanwhile, and this one is not kept.
        """
        self._check_writable()
        with self._writing() as connection:
            return reflecting.keep_plan(connection, period, now_ms, steps, report, again=again)

    def reflection(self, period: str | None) -> ReflectionRow | None:
        """The reflection of a period; None: one that was planned and not carried out to its end."""
        with self._reading() as connection:
            if period is None:
                return reflecting.open_reflection(connection)
            return reflecting.reflection(connection, period)

    def last_reflection(self) -> str | None:
        """The period of the last that was carried out."""
        with self._reading() as connection:
            return reflecting.last_reflection(connection)

    def began_ms(self) -> int | None:
        """When the first memory was told; None: there is none."""
        with self._reading() as connection:
            return reflecting.began_ms(connection)

    def carry_out(self, period: str, most: int, *, now_ms: int) -> int:
        """Carry out at most so many steps of a reflection, in one transaction; how many there were.

        Args:
            now_ms: the clock of the reflection, as it was planned.
        """
        with self._writer(now_ms) as writer:
            return reflecting.carry_out(writer, self._indexer, period, most)

    # Beliefs

    def belief_evidence(
        self, memory_id: str, scopes: Sequence[Scope]
    ) -> tuple[list[tuple[str, bool]], list[Revision]]:
        """(id, whether it speaks against it) of what a belief of the scopes rests on; its history."""
        with self.snapshot(), self._reading() as connection:
            record = self._owned(memory_id, scopes)
            return (
                reflecting.evidence(connection, record.id, scopes),
                reflecting.revisions(connection, record.id),
            )

    def list_beliefs(self, scopes: Sequence[Scope], *, limit: int) -> list[str]:
        """Ids of the beliefs of the scopes that stand, strongest first."""
        with self._reading() as connection:
            return reflecting.standing(connection, scopes, limit=limit)

    def withdraw_belief(
        self, memory_id: str, scopes: Sequence[Scope], *, now_ms: int
    ) -> tuple[str, ...]:
        """Forget a belief by a person's act; the facts that it stood for hold again. Their ids.

        Raises:
            RefusedError: it is no belief.
        """
        with self._writer(now_ms) as writer:
            record = self._owned(memory_id, scopes)
            return reflecting.withdraw(writer, record)
