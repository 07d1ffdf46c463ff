"""What does the plain store keep? Rows, questions, answers, runs and the ledger as Python values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from memweir.store.audit import Run
from memweir.store.entry import IndexEntry
from memweir.store.records import Answer, Record
from memweir.store.scopes import Scope
from memweir.store.view import View

__all__ = ["EVERYWHERE", "Line", "Question", "Row", "Said", "State", "fits"]

EVERYWHERE: Final = ("general", "通用")
"""Scenes and domains that are as good as none."""

_ASCII_LOWER: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def fits(label: str | None, asked: str) -> bool:
    """Whether a scene or domain is shown to who asks for one: case of ASCII letters does not matter."""
    if label is None:
        return True
    folded = label.translate(_ASCII_LOWER)
    return folded == asked.translate(_ASCII_LOWER) or folded in EVERYWHERE


@dataclass(slots=True)
class Row:
    """One memory, or an earlier wording of one; what the index holds of it, and its trail.

    Attributes:
        entry: what the analysis makes of its fields as they stand, whether it is in the index or not.
        blob: None where it has no vector.
        pending: the blob is not the whole vector, which is made later.
        mentions: entity → role.
        relations: (relation, source, predicate, target), as asserted.
        evidence: (number, what), oldest first.
        dated: a `valid_at` was given; else the memory is valid since it was told.
        address: what it says has another address than its id; None: the id.
        believed: (since, until) of every time that it was let in; until None: still.
        steps: (moment, alpha, beta, harmful_count): what was added to its credence, in order.
    """

    record: Record
    seq: int
    entry: IndexEntry
    indexed: bool = False
    blob: bytes | None = None
    pending: bool = False
    mentions: dict[int, str] = field(default_factory=dict)
    relations: list[tuple[int, int, str, int]] = field(default_factory=list)
    evidence: list[tuple[int, Mapping[str, object]]] = field(default_factory=list)
    dated: bool = False
    address: str | None = None
    believed: list[tuple[int, int | None]] = field(default_factory=list)
    steps: list[tuple[int, float, float, int]] = field(default_factory=list)

    def copy(self) -> Row:
        return replace(
            self,
            mentions=dict(self.mentions),
            relations=list(self.relations),
            evidence=list(self.evidence),
            believed=list(self.believed),
            steps=list(self.steps),
        )

    def set(self, **fields: object) -> Record:
        """Give the record other fields; the record."""
        self.record = replace(self.record, **fields)  # type: ignore[arg-type]
        return self.record

    @property
    def counted(self) -> bool:
        """Whether it weighs in how rare a term is: a wording of the past does not."""
        return self.indexed and self.record.status == "active"

    def mention(self, entity: int, role: str) -> None:
        """Note a mention; "stated" outlives "subject", which outlives "text"."""
        known = self.mentions.get(entity)
        if known is None or not (known == "stated" or role == "text"):
            self.mentions[entity] = role

    def place_in_session(self) -> tuple[Scope, str, int] | None:
        """Scope, session and number of a turn whose source is `session@number`; None of another."""
        record = self.record
        if record.kind != "turn" or record.session_id is None or record.source is None:
            return None
        start = f"{record.session_id}@"
        number = record.source.removeprefix(start)
        if not record.source.startswith(start) or not (number.isascii() and number.isdigit()):
            return None
        return (record.scope, record.session_id, int(number)) if str(int(number)) == number else None

    # Belief

    def believe(self, now_ms: int) -> None:
        """Let it in, from now on."""
        if not self.believed_at(None):
            self.believed = [*(each for each in self.believed if each[0] != now_ms), (now_ms, None)]

    def doubt(self, now_ms: int) -> None:
        """End what is believed."""
        self.believed = [
            (since, max(now_ms, since) if until is None else until) for since, until in self.believed
        ]

    def believed_at(self, known_ms: int | None) -> bool:
        """Whether it was let in at a moment; None: now."""
        if known_ms is None:
            return any(until is None for _, until in self.believed)
        return any(
            since <= known_ms and (until is None or until > known_ms) for since, until in self.believed
        )

    def as_known(self, known_ms: int | None) -> Record:
        """The record as it was known, by no later change of status, end or credence touched."""
        record = self.record
        if known_ms is None:
            return record
        later = [(alpha, beta, harmful) for at, alpha, beta, harmful in self.steps if at > known_ms]
        ended_later = record.invalidated_at_ms is not None and record.invalidated_at_ms > known_ms
        return replace(
            record,
            status="active",
            invalid_at_ms=None if ended_later else record.invalid_at_ms,
            superseded_by=None if ended_later else record.superseded_by,
            confirmed_at_ms=max(min(record.confirmed_at_ms, known_ms), record.created_at_ms),
            alpha=record.alpha - sum(alpha for alpha, _, _ in later),
            beta=record.beta - sum(beta for _, beta, _ in later),
            harmful_count=record.harmful_count - sum(harmful for _, _, harmful in later),
        )

    # Visibility

    def shown(self, view: View) -> bool:
        """Whether the view shows the memory: the rules of `View`, one after the other."""
        record = self.record
        if record.scope not in view.scopes or not self._stands(view):
            return False
        if not view.include_history and not self._holds_at(view):
            return False
        if view.scene is not None and not fits(record.scene, view.scene):
            return False
        if view.domain is not None and not fits(record.domain, view.domain):
            return False
        failed = record.incident and not record.pinned
        if view.incidents is not None and failed and record.id not in view.incidents:
            return False
        carried = self.entry.tags if self.indexed else ()
        return all(tag in carried for tag in view.tags)

    def _stands(self, view: View) -> bool:
        status = self.record.status
        if view.known_ms is not None:
            return status != "tombstoned" and self.believed_at(view.known_ms)
        if status == "active":
            return True
        # Replaced by a person's decision: it held until then, which its earlier wordings did not.
        replaced = self.record.invalid_at_ms is not None and self.record.version_of is None
        return status == "archived" and replaced and view.looks_back

    def _holds_at(self, view: View) -> bool:
        record = self.record
        foreseen = (
            view.known_ms is not None
            and record.invalidated_at_ms is not None
            and record.invalidated_at_ms > view.known_ms
        )
        ends = None if foreseen else record.invalid_at_ms
        if ends is not None and ends <= view.as_of_ms:
            return False
        if self.dated:
            return record.valid_at_ms <= view.as_of_ms
        return not view.point_in_time or record.created_at_ms <= view.as_of_ms

    def holds(self, now_ms: int) -> bool:
        """Whether it is active, and neither superseded nor over."""
        record = self.record
        ended = record.invalid_at_ms is not None and record.invalid_at_ms <= now_ms
        return record.status == "active" and record.superseded_by is None and not ended


@dataclass(frozen=True, slots=True)
class Question:
    """A question that waits for a person, or waited; `sides` are ids of the older ones."""

    id: str
    memory_id: str
    scope: Scope
    kind: str
    rule: str
    sides: tuple[str, ...]
    supersedes: str | None
    opened_at_ms: int
    closed_at_ms: int | None = None
    decision: str = ""

    @property
    def holds_back(self) -> bool:
        """Whether the newer side is out of every recall while it is open."""
        return self.kind in ("personal-data", "key")

    def open_at(self, known_ms: int | None) -> bool:
        """Whether it was open at a moment; None: now."""
        if known_ms is None:
            return self.closed_at_ms is None
        closed = self.closed_at_ms is not None and self.closed_at_ms <= known_ms
        return self.opened_at_ms <= known_ms and not closed


@dataclass(frozen=True, slots=True)
class Said:
    """How a standing answer stood until a moment; `text` None: it says the same afterwards."""

    until_ms: int
    text: str | None
    verified_at_ms: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the ledger; `scope` of the memory when it was written."""

    at_ms: int
    action: str
    memory_id: str | None
    scope: Scope | None
    rule: str | None = None
    detail: str | None = None
    fingerprint: str | None = None


@dataclass(slots=True)
class State:
    """Everything in the store; copied before a write, so that a failed one leaves no trace.

    Attributes:
        rows: in the order in which they were made.
        ids: id → its row.
        said: answer → how it stood before, oldest first.
        phrasings: (scope, folded phrasing) → (answer, as written, when it was told).
        ledger: the number of a line is its place, from 1.
        changes: how many writes there were.
    """

    rows: dict[int, Row] = field(default_factory=dict)
    ids: dict[str, int] = field(default_factory=dict)
    questions: dict[str, Question] = field(default_factory=dict)
    entities: dict[str, int] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    scopes: dict[Scope, int] = field(default_factory=dict)
    answers: dict[str, Answer] = field(default_factory=dict)
    said: dict[str, tuple[Said, ...]] = field(default_factory=dict)
    phrasings: dict[tuple[Scope, str], tuple[str, str, int]] = field(default_factory=dict)
    runs: list[tuple[int, Run]] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict)
    ledger: list[Line] = field(default_factory=list)
    consumption: list[tuple[str, Mapping[str, object]]] = field(default_factory=list)
    last_run: int = 0
    last_relation: int = 0
    last_evidence: int = 0
    changes: int = 0

    def copy(self) -> State:
        return replace(
            self,
            rows={key: row.copy() for key, row in self.rows.items()},
            ids=dict(self.ids),
            questions=dict(self.questions),
            entities=dict(self.entities),
            names=dict(self.names),
            scopes=dict(self.scopes),
            answers=dict(self.answers),
            said=dict(self.said),
            phrasings=dict(self.phrasings),
            runs=list(self.runs),
            settings=dict(self.settings),
            ledger=list(self.ledger),
            consumption=list(self.consumption),
        )

    def named(self, memory_id: str | None) -> Row | None:
        """The row of an id, that of an earlier wording too."""
        seq = self.ids.get(memory_id or "")
        return None if seq is None else self.rows[seq]

    def row(self, memory_id: str) -> Row:
        """The same, where it must be there."""
        return self.rows[self.ids[memory_id]]

    def put(self, record: Record, entry: IndexEntry) -> Row:
        """A new row, in no index."""
        seq = len(self.rows) + 1
        self.scope(record.scope)
        self.ids[record.id] = seq
        self.rows[seq] = Row(record, seq, entry)
        return self.rows[seq]

    def rename(self, row: Row, memory_id: str) -> None:
        """Give a row another id, and nobody its old one."""
        del self.ids[row.record.id]
        self.ids[memory_id] = row.seq
        row.set(id=memory_id)

    def wordings(self, memory_id: str) -> list[Row]:
        """Earlier wordings of a memory, oldest first."""
        return [row for row in self.rows.values() if row.record.version_of == memory_id]

    def wording_at(self, memory_id: str, known_ms: int | None) -> Row | None:
        """The wording of a memory that was let in at a moment; None: now."""
        rows = [row for row in (self.named(memory_id), *self.wordings(memory_id)) if row is not None]
        believed = [row for row in rows if row.believed_at(known_ms)]
        return believed[0] if believed else None

    def by_address(self, address: str) -> Row | None:
        """The memory that says what has this content address."""
        found = [row for row in self.rows.values() if (row.address or row.record.id) == address]
        return found[0] if found else None

    def by_document(self, scope: Scope, document_id: str) -> Row | None:
        """The memory of a scope with the caller's own id."""
        wanted = (scope, document_id)
        found = [
            row for row in self.rows.values() if (row.record.scope, row.record.document_id) == wanted
        ]
        return found[0] if found else None

    def scope(self, scope: Scope) -> int:
        """The number of a scope, made where it is new."""
        return self.scopes.setdefault(scope, len(self.scopes) + 1)

    def known(self, scopes: Sequence[Scope]) -> tuple[Scope, ...]:
        """Those of the scopes that hold anything, in order of their numbers; each once."""
        return tuple(each for each in self.scopes if each in scopes)

    def entity(self, norm: str, name: str) -> int:
        """The id of an entity, made where it is new; the first name written unfolded stays."""
        entity = self.entities.setdefault(norm, len(self.entities) + 1)
        if self.names.get(entity, norm) == norm:
            self.names[entity] = name
        return entity

    def log(
        self,
        action: str,
        memory_id: str | None,
        now_ms: int,
        *,
        scope: Scope | None = None,
        rule: str | None = None,
        detail: str | None = None,
        fingerprint: str | None = None,
    ) -> None:
        """A line of the ledger. Args: scope: None: that of the memory."""
        row = self.named(memory_id)
        owner = row.record.scope if row is not None and scope is None else scope
        self.ledger.append(Line(now_ms, action, memory_id, owner, rule, detail, fingerprint))

    def mates(self, group: str) -> Iterator[Row]:
        """Active members of a coexistence group."""
        for row in self.rows.values():
            if row.record.coexistence == group and row.record.status == "active":
                yield row
