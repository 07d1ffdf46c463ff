"""What does a memory meet when it comes in? Other values of its key, what it denies, what must wait.

Two of the questions keep the newer side out until a person decides: personal data, and another value of
one semantic key. The others, about memories without a common key, only mark the older side: better an
open question than a destroyed memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import apsw

from memweir.store.entry import IndexEntry, Indexer
from memweir.store.identity import group_address, review_address
from memweir.store.indexing import indexable
from memweir.store.policy import (
    SUPERSEDED_BEFORE,
    Window,
    WritePolicy,
    may_part,
    meet,
    meets_again,
    prevails,
    window_of,
    yields,
)
from memweir.store.reads import TermMatch, keyword
from memweir.store.records import Record
from memweir.store.rows import fetch_record, scope_id
from memweir.store.statements import statements
from memweir.store.view import View

__all__ = ["Hold", "Questions", "key_rivals"]

_COMPARED: Final = 16  # earlier memories that a text which announces a change is compared with
_ASKED: Final = 8  # questions that one memory raises at most
_HOLDING: Final = ("personal-data", "key")  # their newer side is out of every recall


@dataclass(frozen=True, slots=True)
class Hold:
    """Why a memory waits for a person.

    Attributes:
        kind: "personal-data" or "key".
        rivals: ids of the other values of its key.
        supersedes: id of the memory that it supersedes once it is let in.
        yielding: it is the rivals that wait, for a decision about this memory, which comes in.
    """

    memory_id: str
    scope_id: int
    kind: str
    rule: str = ""
    rivals: tuple[str, ...] = ()
    supersedes: str | None = None
    yielding: bool = False


@dataclass(frozen=True, slots=True)
class _Newcomer:
    """What decides whom a memory meets: scope, folded key and text, who said it and when it holds."""

    id: str
    scope_id: int
    key: str
    normal: str
    provenance: str
    window: Window


def key_rivals(
    connection: apsw.Connection, memory_id: str, owner: int, key: str, window: Window, *, now_ms: int
) -> list[Record]:
    """Other memories of a scope with a key that hold, from now on, while one does, oldest first."""
    values: dict[str, Any] = {"scope_id": owner, "key": key, "now": now_ms, "id": memory_id}
    found = [str(row[0]) for row in connection.execute(statements("reviews")["rivals"], values)]
    records = (fetch_record(connection, each) for each in found)
    others = [each for each in records if each is not None and each.superseded_by != memory_id]
    return [each for each in others if meet(window, window_of(each), now_ms=now_ms)]


class Questions:
    """The questions of one write transaction."""

    def __init__(
        self, connection: apsw.Connection, indexer: Indexer, *, now_ms: int, policy: WritePolicy
    ) -> None:
        self._connection = connection
        self._indexer = indexer
        self._now = now_ms
        self._policy = policy
        self._sql = statements("reviews")

    @property
    def quarantines(self) -> bool:
        """Whether personal data waits for approval."""
        return self._policy.quarantine_personal_data

    # What keeps a memory out

    def hold(
        self,
        record: Record,
        *,
        normal: str,
        personal: str = "",
        supersedes: Record | None = None,
    ) -> Hold | None:
        """Why a stored memory must wait; None where it need not. What was superseded meets nobody.

        Args:
            normal: its folded text.
            personal: the rule by which it holds a person's data that nobody approved.
            supersedes: what it supersedes: no rival of it.
        """
        if record.superseded_by is not None:
            return None
        key = self._indexer.fold(record.semantic_key) if record.semantic_key else ""
        owner = scope_id(self._connection, record.scope)
        newcomer = _Newcomer(record.id, owner, key, normal, record.provenance, window_of(record))
        return self._hold(newcomer, personal, supersedes, record.coexistence)

    def hold_new(
        self,
        memory_id: str,
        owner: int,
        entry: IndexEntry,
        *,
        provenance: str,
        window: Window,
        personal: str,
        supersedes: Record | None,
    ) -> Hold | None:
        """The same of a memory that is not stored yet."""
        newcomer = _Newcomer(memory_id, owner, entry.key, entry.normal, provenance, window)
        return self._hold(newcomer, personal, supersedes, None)

    def _hold(
        self, memory: _Newcomer, personal: str, supersedes: Record | None, group: str | None
    ) -> Hold | None:
        successor_of = supersedes.id if supersedes is not None else None
        if personal and self._policy.quarantine_personal_data:
            return Hold(memory.id, memory.scope_id, "personal-data", personal, (), successor_of)
        if not memory.key:
            return None
        rivals = self._rivals(memory, group, successor_of)
        if not rivals:
            return None
        ids = tuple(each.id for each in rivals)
        waits = yields(memory.provenance, rivals)
        return Hold(memory.id, memory.scope_id, "key", "", ids, successor_of, waits)

    def rivals(self, record: Record) -> tuple[Record, ...]:
        """Other values of the key of a stored memory that hold while it does."""
        key = self._indexer.fold(record.semantic_key) if record.semantic_key else ""
        if not key:
            return ()
        owner, normal = scope_id(self._connection, record.scope), self._indexer.fold(record.text)
        memory = _Newcomer(record.id, owner, key, normal, record.provenance, window_of(record))
        return self._rivals(memory, record.coexistence, record.superseded_by)

    def held_after(self, record: Record) -> Record | None:
        """The first value of its key that began after a memory and is over by now."""
        key = self._indexer.fold(record.semantic_key) if record.semantic_key else ""
        if not key:
            return None
        owner = scope_id(self._connection, record.scope)
        values: dict[str, Any] = {"scope_id": owner, "key": key, "id": record.id}
        values |= {"since": record.valid_at_ms}
        found = self._connection.execute(self._sql["held_after"], values).get
        return None if found is None else fetch_record(self._connection, str(found))

    def _rivals(
        self, memory: _Newcomer, group: str | None, superseded: str | None
    ) -> tuple[Record, ...]:
        """Those of another text that are not side by side with this one; none: no question."""
        others = key_rivals(
            self._connection, memory.id, memory.scope_id, memory.key, memory.window, now_ms=self._now
        )
        others = [each for each in others if group is None or each.coexistence != group]
        others = [each for each in others if each.id != superseded]
        if all(self._indexer.fold(each.text) == memory.normal for each in others):
            return ()
        return tuple(others)

    # What is asked about memories that both stand

    def ask(self, memory_id: str, entry: IndexEntry, *, told_ms: int | None = None) -> tuple[str, ...]:
        """Open a question where the memory and another seem to deny or replace each other; their ids.

        Args:
            told_ms: when it got the words it has, where that is later than it holds.
        """
        if not self._policy.ask_contradictions or not (entry.stance or entry.revises):
            return ()
        record = fetch_record(self._connection, memory_id)
        if record is None or record.superseded_by is not None:
            return ()
        clashes: dict[tuple[str, str], list[str]] = {}
        for other in self._comparable(record, entry):
            if not may_part(record, other) or self._asked_before(record.id, other.id):
                continue
            if record.coexistence is not None and record.coexistence == other.coexistence:
                continue
            kind = self._indexer.clash(indexable(record), indexable(other))
            if kind and prevails(record, other, told_ms=told_ms):
                clashes.setdefault((kind, record.id), []).append(other.id)
            elif kind:
                clashes.setdefault((kind, other.id), []).append(record.id)
        owner = scope_id(self._connection, record.scope)
        opened = [
            self.open(Hold(newer, owner, kind, "", tuple(ids[:_ASKED])))
            for (kind, newer), ids in sorted(clashes.items())
        ]
        return tuple(sorted(opened))

    def ask_again(self, memory_id: str) -> None:
        """Ask about a memory that is back and what it superseded before, where that holds again."""
        record = fetch_record(self._connection, memory_id)
        named = record.supersedes if record is not None else None
        before = fetch_record(self._connection, named) if named else None
        if record is None or before is None or not meets_again(record, before, now_ms=self._now):
            return
        if not self._asked_before(record.id, before.id):
            owner = scope_id(self._connection, record.scope)
            self.open(Hold(record.id, owner, "update", SUPERSEDED_BEFORE, (before.id,)))

    def _comparable(self, record: Record, entry: IndexEntry) -> list[Record]:
        owner = scope_id(self._connection, record.scope)
        ids: list[str] = []
        if entry.stance:
            values: dict[str, Any] = {
                "scope_id": owner,
                "stance": entry.stance,
                "polarity": entry.polarity,
                "now": self._now,
                "id": record.id,
                "limit": _ASKED,
            }
            ids += [str(row[0]) for row in self._connection.execute(self._sql["same_stance"], values)]
        if entry.revises:
            view = View(scopes=(record.scope,), as_of_ms=self._now)
            match = TermMatch({"": entry.revises}, {})
            ids += [each for each, _ in keyword(self._connection, view, match, _COMPARED)]
        records = [fetch_record(self._connection, each) for each in dict.fromkeys(ids)]
        standing = [each for each in records if each is not None and each.superseded_by is None]
        return [each for each in standing if each.id != record.id]

    def _asked_before(self, newer: str, older: str) -> bool:
        values = {"newer": newer, "older": older}
        return bool(self._connection.execute(self._sql["asked_before"], values).get)

    # Questions as rows

    def open(self, hold: Hold) -> str:
        """Write a question down; its id."""
        number = self._number(hold.memory_id)
        review_id = review_address(hold.memory_id, hold.kind, now_ms=self._now, number=number)
        values: dict[str, Any] = {
            "id": review_id,
            "memory_id": hold.memory_id,
            "scope_id": hold.scope_id,
            "kind": hold.kind,
            "rule": hold.rule or None,
            "supersedes": hold.supersedes,
            "now": self._now,
        }
        self._connection.execute(self._sql["open"], values)
        for each in hold.rivals:
            self._connection.execute(self._sql["side"], {"id": review_id, "memory_id": each})
        self._note("asked", hold.memory_id, hold.scope_id, rule=hold.kind, detail=review_id)
        return review_id

    def open_with(self, memory_id: str) -> tuple[str, ...]:
        """Open questions about a memory, whichever side it is."""
        rows = self._connection.execute(self._sql["open_with"], {"id": memory_id})
        return tuple(str(row[0]) for row in rows)

    def open_of(self, memory_id: str) -> tuple[str, ...]:
        """Open questions about a memory as the newer side."""
        rows = self._connection.execute(self._sql["open_of"], {"id": memory_id})
        return tuple(str(row[0]) for row in rows)

    def intended(self, review_id: str) -> str | None:
        """The memory that the newer side supersedes once it is let in."""
        row = self._connection.execute(self._sql["get"], {"id": review_id}).fetchall()[0]
        return None if row[6] is None else str(row[6])

    def intended_for(self, memory_id: str) -> str | None:
        """What a memory supersedes that had to wait, by the last question that kept it."""
        found = self._connection.execute(self._sql["intended_for"], {"id": memory_id}).get
        return None if found is None else str(found)

    def waits_for_approval(self, memory_id: str) -> bool:
        """Whether a person is being asked about the personal data of a memory."""
        found = self._connection.execute(self._sql["approval_open"], {"id": memory_id}).get
        return bool(found)

    def intend(self, memory_id: str, supersedes: str) -> None:
        """Note what a memory that waits supersedes once it is let in."""
        values = {"id": memory_id, "supersedes": supersedes}
        self._connection.execute(self._sql["intend"], values)

    def void(self, memory_id: str) -> None:
        """Close the open questions of a memory that changed or went, whichever side it was."""
        for review_id in self.open_of(memory_id):
            self.close(review_id, "withdrawn")
        for row in self._connection.execute(self._sql["open_about"], {"id": memory_id}).fetchall():
            self._drop_side(str(row[0]), memory_id)

    def _drop_side(self, review_id: str, memory_id: str) -> None:
        """Close a question that one of its older sides has left; ask anew about the others."""
        found = self._connection.execute(self._sql["get"], {"id": review_id}).fetchall()[0]
        newer, kind = str(found[1]), str(found[4])
        if kind in _HOLDING:
            return  # its newer side still waits; who it meets is looked up anew
        values: dict[str, Any] = {"id": review_id, "left": memory_id, "now": self._now}
        rows = self._connection.execute(self._sql["sides_holding"], values).fetchall()
        self.close(review_id, "withdrawn")
        if rows:
            owner = self._connection.execute(statements("memory")["scope_of"], {"id": newer}).get
            self.open(Hold(newer, int(owner), kind, "", tuple(str(row[0]) for row in rows)))

    def close(self, review_id: str, decision: str) -> None:
        """Write down how a question ended."""
        values: dict[str, Any] = {"id": review_id, "now": self._now, "decision": decision}
        self._connection.execute(self._sql["close"], values)
        row = self._connection.execute(self._sql["get"], {"id": review_id}).fetchall()[0]
        owner = self._connection.execute(
            statements("memory")["scope_find"], {"kind": row[2], "key": row[3]}
        ).get
        self._note(decision, str(row[1]), owner, rule=str(row[4]), detail=review_id)

    def settle(self, review_id: str, sides: Iterable[str]) -> None:
        """Note whom a decision was about: of a key whoever held it by then."""
        self._connection.execute(self._sql["sides_clear"], {"id": review_id})
        for each in sides:
            self._connection.execute(self._sql["side"], {"id": review_id, "memory_id": each})

    def _number(self, memory_id: str) -> int:
        return int(self._connection.execute(self._sql["number"], {"id": memory_id}).get)

    def _note(self, action: str, memory_id: str, owner: object, *, rule: str, detail: str) -> None:
        self._line(f"review-{action}", memory_id, owner, rule=rule, detail=detail)

    def _line(
        self, action: str, memory_id: str, owner: object, *, rule: str | None, detail: str | None
    ) -> None:
        values: dict[str, Any] = {
            "at": self._now,
            "action": action,
            "memory_id": memory_id,
            "scope_id": owner,
            "rule": rule,
            "fingerprint": None,
            "detail": detail,
        }
        self._connection.execute(statements("memory")["ledger_add"], values)

    # Coexistence groups

    def join(self, records: list[Record]) -> str:
        """Let memories stand side by side: in the group that one of them has, or in a new one."""
        known = sorted({each.coexistence for each in records if each.coexistence is not None})
        group = known[0] if known else group_address([each.id for each in records])
        for each in records:
            self._group(each.id, group)
        for other in known[1:]:
            values = {"coexistence": other}
            for (member,) in self._connection.execute(self._sql["group_members"], values).fetchall():
                self._group(str(member), group)
        return group

    def leave(self, record: Record) -> None:
        """Take a memory out of its group; one that is left alone is no group."""
        if record.coexistence is None:
            return
        self._group(record.id, None)
        values = {"coexistence": record.coexistence}
        left = [str(row[0]) for row in self._connection.execute(self._sql["group_members"], values)]
        if len(left) == 1:
            self._group(left[0], None)

    def _group(self, memory_id: str, group: str | None) -> None:
        values: dict[str, Any] = {"id": memory_id, "coexistence": group, "now": self._now}
        changed = self._connection.execute(self._sql["group_set"], values).fetchall()
        if changed:
            action = "ungrouped" if group is None else "grouped"
            self._line(action, memory_id, changed[0][0], rule=None, detail=group)
