"""What does a memory meet in the plain store, and what waits there for a person?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memweir.errors import NotFoundError
from memweir.store.entry import Indexer
from memweir.store.identity import group_address, review_address
from memweir.store.indexing import indexable
from memweir.store.policy import (
    SUPERSEDED_BEFORE,
    WritePolicy,
    may_part,
    meet,
    meets_again,
    prevails,
    window_of,
    yields,
)
from memweir.store.reads import TermMatch
from memweir.store.records import Record, Review
from memweir.store.reviews import fitting_decisions, review_token
from memweir.store.scopes import Scope
from memweir.store.view import View
from memweir.testing.plain_reader import ranked
from memweir.testing.plain_rows import Question, Row, State

__all__ = ["Held", "PlainQuestions", "open_ids", "open_in", "open_with", "shown_review"]

_COMPARED: Final = 16
_ASKED: Final = 8


@dataclass(frozen=True, slots=True)
class Held:
    """Why a memory waits for a person."""

    kind: str
    rule: str = ""
    rivals: tuple[str, ...] = ()
    supersedes: str | None = None
    yielding: bool = False


class PlainQuestions:
    """The questions of one write."""

    def __init__(self, state: State, indexer: Indexer, *, now_ms: int, policy: WritePolicy) -> None:
        self._state = state
        self._indexer = indexer
        self._now = now_ms
        self._policy = policy

    @property
    def quarantines(self) -> bool:
        """Whether personal data waits for approval."""
        return self._policy.quarantine_personal_data

    def hold(
        self, record: Record, *, personal: str = "", supersedes: Record | None = None
    ) -> Held | None:
        """Why a memory must wait; None where it need not. What was superseded meets nobody."""
        successor_of = supersedes.id if supersedes is not None else None
        if record.superseded_by is not None:
            return None
        if personal and self._policy.quarantine_personal_data:
            return Held("personal-data", personal, (), successor_of)
        others = self.rivals(record, successor_of)
        if not others:
            return None
        ids = tuple(each.id for each in others)
        return Held("key", "", ids, successor_of, yields(record.provenance, others))

    def rivals(self, record: Record, superseded: str | None) -> list[Record]:
        """Other values of its key that hold while it does, of another text and not side by side."""
        group = record.coexistence
        others = [
            each
            for each in _rivals(self._state, self._indexer, record, self._now)
            if each.id != superseded and (group is None or each.coexistence != group)
        ]
        normal = self._indexer.fold(record.text)
        same = all(self._indexer.fold(each.text) == normal for each in others)
        return [] if same else others

    def held_after(self, record: Record) -> list[Row]:
        """Values of its key that began after a memory, held, and are over by now."""
        key = self._indexer.fold(record.semantic_key or "")
        found = []
        for row in self._state.rows.values():
            other = row.record
            same = bool(key) and other.scope == record.scope and other.id != record.id
            same = same and row.entry.key == key and other.version_of is None
            over = other.invalid_at_ms is not None and other.invalid_at_ms > other.valid_at_ms
            stood = over and other.status in ("active", "archived")
            if same and stood and other.valid_at_ms > record.valid_at_ms:
                found.append(row)
        return found

    def ask(self, row: Row, *, told_ms: int | None = None) -> tuple[str, ...]:
        """Open a question where two memories seem to deny or to replace each other; their ids."""
        record = row.record
        if not self._policy.ask_contradictions or record.superseded_by is not None:
            return ()
        clashes: dict[tuple[str, str], list[str]] = {}
        for other in self._comparable(row):
            together = record.coexistence is not None and record.coexistence == other.coexistence
            if together or not may_part(record, other) or self._asked_before(record.id, other.id):
                continue
            kind = self._indexer.clash(indexable(record), indexable(other))
            newer, older = (
                (record, other) if prevails(record, other, told_ms=told_ms) else (other, record)
            )
            if kind:
                clashes.setdefault((kind, newer.id), []).append(older.id)
        return tuple(
            self.open(self._state.row(newer).record, Held(kind, rivals=tuple(ids[:_ASKED])))
            for (kind, newer), ids in sorted(clashes.items())
        )

    def ask_again(self, row: Row) -> None:
        """Ask about a memory that is back and what it superseded before, where that holds again."""
        record, before = row.record, self._state.named(row.record.supersedes)
        if before is None or not meets_again(record, before.record, now_ms=self._now):
            return
        if not self._asked_before(record.id, before.record.id):
            self.open(record, Held("update", SUPERSEDED_BEFORE, (before.record.id,)))

    def _comparable(self, row: Row) -> list[Record]:
        state, entry = self._state, row.entry
        ids: list[str] = []
        if entry.stance:
            opposed = [
                other.record.id
                for other in state.rows.values()
                if other.holds(self._now)
                and other.record.scope == row.record.scope
                and other.entry.stance == entry.stance
                and other.entry.polarity != entry.polarity
            ]
            ids += opposed[::-1][:_ASKED]
        if entry.revises:
            view = View(scopes=(row.record.scope,), as_of_ms=self._now)
            found = ranked(state, view, TermMatch({"": entry.revises}, {}))[:_COMPARED]
            ids += [memory_id for memory_id, _ in found]
        records = [state.row(each).record for each in dict.fromkeys(ids) if each != row.record.id]
        return [each for each in records if each.superseded_by is None]

    def _asked_before(self, one: str, other: str) -> bool:
        """Whether the two are being asked about, or were said not to meet since either was edited."""
        for question in self._state.questions.values():
            pairs = [{question.memory_id, side} for side in question.sides]
            if {one, other} not in pairs:
                continue
            if question.closed_at_ms is None:
                return True
            if question.decision == "dismiss" and self._decided_since_edit(question.id, one, other):
                return True
        return False

    def _decided_since_edit(self, review_id: str, one: str, other: str) -> bool:
        for line in reversed(self._state.ledger):
            if line.detail == review_id:
                return True
            if line.memory_id in (one, other) and line.action in ("edited", "updated"):
                return False
        return False

    # Questions as rows

    def open(self, record: Record, held: Held) -> str:
        """Write a question down; its id."""
        state = self._state
        number = sum(each.memory_id == record.id for each in state.questions.values())
        review_id = review_address(record.id, held.kind, now_ms=self._now, number=number)
        state.questions[review_id] = Question(
            id=review_id,
            memory_id=record.id,
            scope=record.scope,
            kind=held.kind,
            rule=held.rule,
            sides=tuple(sorted(held.rivals)),
            supersedes=held.supersedes,
            opened_at_ms=self._now,
        )
        state.log("review-asked", record.id, self._now, rule=held.kind, detail=review_id)
        return review_id

    def close(self, review_id: str, decision: str) -> None:
        """Write down how a question ended."""
        state = self._state
        question = state.questions[review_id]
        state.questions[review_id] = replace(question, closed_at_ms=self._now, decision=decision)
        state.log(
            f"review-{decision}",
            question.memory_id,
            self._now,
            scope=question.scope,
            rule=question.kind,
            detail=review_id,
        )

    def settle(self, review_id: str, sides: Iterable[str]) -> None:
        """Note whom a decision was about: of a key whoever held it by then."""
        question = self._state.questions[review_id]
        self._state.questions[review_id] = replace(question, sides=tuple(sorted(sides)))

    def intended_for(self, memory_id: str) -> str | None:
        """What a memory supersedes that had to wait, by the last question that kept it."""
        found = [each for each in self._state.questions.values() if each.memory_id == memory_id]
        found = [each for each in found if each.supersedes is not None]
        return max(found, key=lambda each: (each.opened_at_ms, each.id)).supersedes if found else None

    def waits_for_approval(self, memory_id: str) -> bool:
        """Whether a person is being asked about the personal data of a memory."""
        named = (self._state.questions[each] for each in open_ids(self._state, memory_id))
        return any(each.kind == "personal-data" for each in named)

    def intend(self, memory_id: str, supersedes: str) -> None:
        """Note what a memory that waits supersedes once it is let in."""
        for review_id in open_ids(self._state, memory_id):
            question = self._state.questions[review_id]
            if question.holds_back:
                self._state.questions[review_id] = replace(question, supersedes=supersedes)

    def void(self, memory_id: str) -> None:
        """Close the open questions of a memory that changed or went, whichever side it was."""
        for review_id in open_ids(self._state, memory_id):
            self.close(review_id, "withdrawn")
        for question in _sorted(self._state.questions.values()):
            is_open = question.closed_at_ms is None and not question.holds_back
            if is_open and memory_id in question.sides:
                self._drop_side(question, memory_id)

    def _drop_side(self, question: Question, memory_id: str) -> None:
        self.close(question.id, "withdrawn")
        left = [each for each in question.sides if each != memory_id]
        left = [each for each in left if self._state.row(each).holds(self._now)]
        if left:
            newer = self._state.row(question.memory_id).record
            self.open(newer, Held(question.kind, question.rule, tuple(left)))

    # Coexistence groups

    def join(self, rows: Sequence[Row]) -> None:
        """Let memories stand side by side: in the group that one of them has, or in a new one."""
        known = sorted({each.record.coexistence for each in rows if each.record.coexistence})
        group = known[0] if known else group_address([each.record.id for each in rows])
        moved = [row for other in known[1:] for row in self._state.mates(other)]
        for row in (*rows, *moved):
            self._group(row, group)

    def leave(self, row: Row) -> None:
        """Take a memory out of its group; one that is left alone is no group."""
        group = row.record.coexistence
        if group is None:
            return
        self._group(row, None)
        left = list(self._state.mates(group))
        if len(left) == 1:
            self._group(left[0], None)

    def _group(self, row: Row, group: str | None) -> None:
        if row.record.coexistence == group:
            return
        row.set(coexistence=group, updated_at_ms=self._now)
        action = "ungrouped" if group is None else "grouped"
        self._state.log(action, row.record.id, self._now, detail=group)


def _rivals(state: State, indexer: Indexer, record: Record, now_ms: int) -> list[Record]:
    """Other memories of a record's scope that hold its key, from now on, while it does."""
    key = indexer.fold(record.semantic_key) if record.semantic_key else ""
    if not key:
        return []
    return [
        row.record
        for row in state.rows.values()
        if row.record.status == "active"
        and row.record.scope == record.scope
        and row.entry.key == key
        and row.record.id != record.id
        and row.record.superseded_by != record.id
        and meet(window_of(record), window_of(row.record), now_ms=now_ms)
    ]


def open_ids(state: State, memory_id: str) -> tuple[str, ...]:
    """Open questions about a memory as the newer side."""
    found = [each for each in _sorted(state.questions.values()) if each.closed_at_ms is None]
    return tuple(each.id for each in found if each.memory_id == memory_id)


def open_with(state: State, memory_id: str) -> tuple[str, ...]:
    """Open questions about a memory, whichever side it is."""
    found = (each for each in state.questions.values() if each.closed_at_ms is None)
    return tuple(sorted(each.id for each in found if memory_id in (each.memory_id, *each.sides)))


def open_in(state: State, scopes: Sequence[Scope]) -> list[str]:
    """Open questions of the scopes, oldest first."""
    found = [each for each in _sorted(state.questions.values()) if each.closed_at_ms is None]
    return [each.id for each in found if each.scope in scopes]


def shown_review(
    state: State, indexer: Indexer, review_id: str, scopes: Sequence[Scope], *, now_ms: int
) -> Review:
    """One question of the scopes as it stands. Raises: NotFoundError."""
    question = state.questions.get(review_id)
    if question is None or question.scope not in scopes:
        raise NotFoundError("review", review_id)
    memory = state.row(question.memory_id).record
    if memory.scope not in scopes:
        raise NotFoundError("review", review_id)
    is_open = question.closed_at_ms is None
    if is_open and question.kind == "key" and memory.semantic_key:
        against = _rivals(state, indexer, memory, now_ms)
        against = [each for each in against if each.id != question.supersedes]
    else:
        against = [state.row(each).record for each in question.sides]
        against = [each for each in against if each.scope in scopes]
    token = review_token(review_id, memory, against, question.supersedes)
    return Review(
        id=review_id,
        kind=question.kind,
        rule=question.rule,
        memory=memory,
        against=tuple(against),
        decisions=fitting_decisions(question.kind, memory, against) if is_open else (),
        token=token if is_open else "",
        opened_at_ms=question.opened_at_ms,
        closed_at_ms=question.closed_at_ms,
        decision=question.decision,
    )


def _sorted(questions: Iterable[Question]) -> list[Question]:
    return sorted(questions, key=lambda each: (each.opened_at_ms, each.id))
