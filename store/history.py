"""What became of a memory? Its chain, its wordings and what happened to it, from what the tables tell.

Pure: the engine reads rows (`memweir.store.annals`), this tells them. One fact that two tables keep is
one event; of a memory outside the scopes asked nothing is told, not even its id.
"""

from __future__ import annotations

import heapq
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple

from memweir.store.edits import ADJUSTABLE, EDITABLE
from memweir.store.policy import CREDENCE_STEPS
from memweir.store.records import ELSEWHERE, Record

__all__ = [
    "ERASED",
    "HAPPENINGS",
    "MOST_EVENTS",
    "Annals",
    "Asked",
    "Belief",
    "Chapter",
    "Event",
    "History",
    "Line",
    "Proof",
    "Reported",
    "Wording",
    "tell",
]

"""Stands for a memory that the scopes asked do not cover."""

ERASED: Final = "erased"
"""Stands for a memory that is there no more."""

MOST_EVENTS: Final = 500

HAPPENINGS: Final[Mapping[str, str]] = {
    "told": "it was first told",
    "repeated": "it was told again",
    "edited": "a person, or the caller under its document id, gave it another wording or other fields",
    "adjusted": "its pin or its importance was changed",
    "asked": "a question about it was opened",
    "decided": "a person answered the question",
    "lapsed": "the question became void",
    "held": "it had to wait for a decision",
    "believed-from": "it could be recalled from then on",
    "believed-until": "it could be recalled until then",
    "valid-from": "what it says holds from then on",
    "valid-until": "what it says held until then",
    "superseded": "another memory replaced it",
    "preceded": "a person said what held before it",
    "revived": "what was replaced holds again",
    "unlinked": "what it was to replace was replaced by another memory before",
    "grouped": "it began to stand side by side with others",
    "ungrouped": "it stands side by side with them no more",
    "archived": "it was withdrawn from what is known now",
    "forgotten": "it was withdrawn from every recall",
    "restored": "it was brought back",
    "helped": "reported by a host",
    "harmful": "reported by a host",
    "stale": "reported by a host",
    "conflict": "reported by a host",
    "unknown": "reported by a host",
    "countered": "something spoke against it",
    "recalled": "it was given to prompts on that day (UTC), of the recalls that the audit keeps",
    "refused": "somebody asked for what a rule forbids",
}
"""What an event can be → what that means. A ledger of a newer version may tell of more."""

_EVIDENCE: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "asserted": ("told", ("created",)),
    "repeated": ("repeated", ("confirmed",)),
    "edited": ("edited", ("edited", "updated")),
    "relabelled": ("edited", ("edited", "updated")),
    "superseded": ("superseded", ("superseded",)),
    "countered": ("countered", ("countered",)),
}
"""Kind of evidence → the event, and the actions by which the ledger tells the same."""

_REWORDING: Final = (*_EVIDENCE["edited"][1], *_EVIDENCE["repeated"][1])
_LEDGER: Final[Mapping[str, str]] = {
    "created": "told",
    "confirmed": "repeated",
    "updated": "edited",
    "quarantined": "held",
    "review-asked": "asked",
    "review-withdrawn": "lapsed",
}
_ORDER: Final = tuple(HAPPENINGS)
_CAUSES: Final = ("asked", "decided", "lapsed")
_HOLDING: Final = ("personal-data", "key")
_NAMED: Final = 8  # memories that the detail of one event names
_FIELDS: Final = {
    name: f"{name}_ms" if name.startswith("event_") or name.endswith("_at") else name
    for name in EDITABLE
    if name != "scope" and name not in ADJUSTABLE  # those change without another wording
}


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    Attributes:
        at_ms: UTC milliseconds since 1970.
        what: of `HAPPENINGS`.
        memory_id: the memory of the chain that it happened to.
        detail: in words: where it was told, what changed, which question, a note; "" where there is
            nothing to add.
    """

    at_ms: int
    what: str
    memory_id: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Chapter:
    """One memory of a chain.

    Attributes:
        record: as it stands; `ELSEWHERE` in place of an id that may not be seen.
        wordings: its earlier ones, oldest first.
        replaces, replaced_by: ids of the memories it is linked with, by superseding or by a person's
            decision; `ELSEWHERE` and `ERASED` among them. What holds again is not replaced any more.
    """

    record: Record
    wordings: tuple[Record, ...]
    replaces: tuple[str, ...]
    replaced_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class History:
    """What became of a memory.

    Attributes:
        id: the memory asked about.
        chain: it, what it replaced and what replaced it, oldest first.
        group: the memories that stand side by side with it, without itself.
        events: what happened to the memories of the chain, oldest first.
        cut: there is more than was told: memories further along the chain, wordings further back, or
            events before the first.
    """

    id: str
    chain: tuple[Chapter, ...]
    group: tuple[Record, ...]
    events: tuple[Event, ...]
    cut: bool


class Wording(NamedTuple):
    """A row of a memory. Args: shown: it is of the scopes asked."""

    seq: int
    memory_id: str
    record: Record
    shown: bool


class Proof(NamedTuple):
    """A piece of evidence, of the wording `seq`."""

    seq: int
    kind: str
    at_ms: int
    source: str
    note: str


class Line(NamedTuple):
    """A line of the ledger."""

    id: int
    at_ms: int
    action: str
    memory_id: str
    rule: str
    detail: str


class Reported(NamedTuple):
    """What a host said came of a memory."""

    memory_id: str
    outcome: str
    at_ms: int
    note: str
    run_id: int | None


class Belief(NamedTuple):
    """When a wording was believed, half-open; until None: still. Of what may not be seen too."""

    seq: int
    since_ms: int
    until_ms: int | None


class Asked(NamedTuple):
    """A question, its newer side and its older ones."""

    id: str
    memory_id: str
    kind: str
    rule: str
    opened_ms: int
    closed_ms: int | None
    decision: str
    sides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Annals:
    """What the tables tell of the memories of a chain, each list oldest first.

    Attributes:
        wordings: memory → its rows, the one that stands now last.
        links: (older, newer) of every link seen.
        known: id of a memory that is named anywhere → whether it may be seen; one that is there no more
            is missing.
        recalled: (memory, first moment of the day, how often).
        cut: of the chain or of the wordings not all was read.
    """

    memory_id: str
    wordings: Mapping[str, tuple[Wording, ...]]
    links: tuple[tuple[str, str], ...]
    known: Mapping[str, bool]
    group: tuple[Record, ...] = ()
    evidence: tuple[Proof, ...] = ()
    ledger: tuple[Line, ...] = ()
    reported: tuple[Reported, ...] = ()
    recalled: tuple[tuple[str, int, int], ...] = ()
    believed: tuple[Belief, ...] = ()
    asked: tuple[Asked, ...] = ()
    cut: bool = False


def tell(annals: Annals) -> History:
    """The history that the rows amount to."""
    chain = tuple(_chapter(annals, each) for each in _oldest_first(annals))
    events = _Told(annals).events()
    return History(
        id=annals.memory_id,
        chain=chain,
        group=tuple(_masked(each, annals.known) for each in annals.group),
        events=tuple(events[-MOST_EVENTS:]),
        cut=annals.cut or len(events) > MOST_EVENTS,
    )


# The chain


def _oldest_first(annals: Annals) -> list[str]:
    """The memories of the chain, each before what replaced it; where they go in a circle, as told."""

    def told(memory_id: str) -> tuple[int, int, str]:
        rows = annals.wordings[memory_id]
        return rows[-1].record.created_at_ms, rows[0].seq, memory_id

    newer: dict[str, set[str]] = defaultdict(set)
    waits: dict[str, set[str]] = {each: set() for each in annals.wordings}
    for older, later in annals.links:
        if older != later and older in waits and later in waits:
            newer[older].add(later)
            waits[later].add(older)
    ready = [told(each) for each, before in waits.items() if not before]
    heapq.heapify(ready)
    left = sorted(told(each) for each, before in waits.items() if before)
    order: list[str] = []
    done: set[str] = set()
    while len(order) < len(waits):
        # In a circle nobody is first: the one told first is.
        memory_id = heapq.heappop(ready)[2] if ready else next(e for _, _, e in left if e not in done)
        if memory_id in done:
            continue
        done.add(memory_id)
        order.append(memory_id)
        for each in newer[memory_id]:
            waits[each].discard(memory_id)
            if not waits[each] and each not in done:
                heapq.heappush(ready, told(each))
    return order


def _chapter(annals: Annals, memory_id: str) -> Chapter:
    *earlier, current = annals.wordings[memory_id]
    links = [each for each in annals.links if each[0] != each[1] and not _holds(annals, each[0])]
    older = sorted(one for one, other in links if other == memory_id)
    newer = sorted(other for one, other in links if one == memory_id)
    return Chapter(
        record=_masked(current.record, annals.known),
        wordings=tuple(_masked(each.record, annals.known) for each in earlier if each.shown),
        replaces=tuple(dict.fromkeys(_name(each, annals.known) for each in older)),
        replaced_by=tuple(dict.fromkeys(_name(each, annals.known) for each in newer)),
    )


def _holds(annals: Annals, memory_id: str) -> bool:
    """Whether a memory that was replaced has no end any more."""
    rows = annals.wordings.get(memory_id)
    if rows is None:
        return False
    record = rows[-1].record
    return record.superseded_by is None and record.invalid_at_ms is None


def _name(memory_id: str, known: Mapping[str, bool]) -> str:
    shown = known.get(memory_id)
    return ERASED if shown is None else memory_id if shown else ELSEWHERE


def _masked(record: Record, known: Mapping[str, bool]) -> Record:
    """A record that names no memory that may not be seen."""
    before, after = record.supersedes, record.superseded_by
    return replace(
        record,
        supersedes=None if before is None else _name(before, known),
        superseded_by=None if after is None else _name(after, known),
    )


# The events


class _Lines:
    """The ledger, of which each line is told once."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._by_fact: dict[tuple[str, int, str], deque[Line]] = defaultdict(deque)
        for each in lines:
            self._by_fact[each.memory_id, each.at_ms, each.action].append(each)

    def take(self, memory_id: str, at_ms: int, *actions: str, detail: str | None = None) -> Line | None:
        """The first line that tells this and was not told yet."""
        for action in actions:
            waiting = self._by_fact.get((memory_id, at_ms, action), deque())
            for line in waiting:
                if detail is None or line.detail == detail:
                    waiting.remove(line)
                    return line
        return None

    def left(self) -> list[Line]:
        """The lines that nobody took."""
        return [line for waiting in self._by_fact.values() for line in waiting]


class _Told:
    """The events of one set of annals."""

    def __init__(self, annals: Annals) -> None:
        self._annals = annals
        self._lines = _Lines(annals.ledger)
        self._found: list[tuple[Event, int]] = []
        rows = [row for rows in annals.wordings.values() for row in rows]
        self._owner = {row.seq: row.memory_id for row in rows if row.shown}

    def events(self) -> list[Event]:
        """All of them, oldest first; of one moment in the order of the ledger."""
        self._tell_feedback()
        self._tell_evidence()
        self._tell_questions()
        self._tell_beliefs()
        self._tell_validity()
        self._tell_recalls()
        self._tell_rest()

        def place(told: tuple[Event, int]) -> tuple[int, int, int, str, str, str]:
            event, line = told
            rank = _ORDER.index(event.what) if event.what in _ORDER else len(_ORDER)
            return event.at_ms, line, rank, event.memory_id, event.what, event.detail

        return [event for event, _ in sorted(self._found, key=place)]

    def _tell(self, at_ms: int, what: str, memory_id: str, detail: str, line: Line | None) -> None:
        # What the ledger does not tell follows what it tells of the same moment; but what was asked or
        # decided, of which another memory's ledger tells, is why the rest happened.
        place = line.id if line is not None else -1 if what in _CAUSES else 2**63
        self._found.append((Event(at_ms, what, memory_id, detail), place))

    def _tell_evidence(self) -> None:
        began = self._beginnings()
        for each in self._annals.evidence:
            if each.kind in CREDENCE_STEPS:
                continue  # told with the feedback
            memory_id = self._owner[each.seq]
            what, actions = _EVIDENCE.get(each.kind, (each.kind, ()))
            line = self._lines.take(memory_id, each.at_ms, *actions)
            detail = [each.source, each.note]
            if what == "superseded":
                detail = [self._named([each.source])]
            elif line is not None and line.id in began:
                detail = [self._difference(*began[line.id]), each.source, each.note]
            self._tell(each.at_ms, what, memory_id, _joined(detail), line)

    def _beginnings(self) -> dict[int, tuple[Wording, Wording]]:
        """Line of the ledger → the wording that ended there, and the one that began.

        A wording that is kept was believed, and ends with the first edit after that. An edit of what
        was never believed keeps none.
        """
        ended: dict[int, int] = {}
        for period in self._annals.believed:
            if period.until_ms is not None:
                ended[period.seq] = max(period.until_ms, ended.get(period.seq, period.until_ms))
        began: dict[int, tuple[Wording, Wording]] = {}
        for memory_id, rows in self._annals.wordings.items():
            edits = deque(
                line
                for line in self._annals.ledger
                if line.memory_id == memory_id and line.action in _REWORDING
            )
            for before, after in pairwise(rows):
                if before.seq not in ended:
                    continue
                while edits and edits[0].at_ms < ended[before.seq]:
                    edits.popleft()
                if edits and after.shown:
                    began[edits.popleft().id] = before, after
        return began

    def _difference(self, before: Wording, after: Wording) -> str:
        """What a wording changed of the one before it."""
        if not before.shown:
            return f"moved from {ELSEWHERE}"
        changed = [
            name
            for name, field in _FIELDS.items()
            if getattr(before.record, field) != getattr(after.record, field)
        ]
        moved = before.record.scope != after.record.scope
        return _joined([", ".join(changed), f"moved from {before.record.scope}" if moved else ""])

    def _tell_feedback(self) -> None:
        """What came of it: three tables tell of one report, each in the order of the reports."""
        facts: dict[tuple[str, int, str], tuple[list[Reported], list[Proof]]] = {}
        for said in self._annals.reported:
            fact = said.memory_id, said.at_ms, said.outcome
            facts.setdefault(fact, ([], []))[0].append(said)
        for proof in self._annals.evidence:
            if proof.kind in CREDENCE_STEPS:
                fact = self._owner[proof.seq], proof.at_ms, proof.kind
                facts.setdefault(fact, ([], []))[1].append(proof)
        for (memory_id, at_ms, outcome), (reports, proofs) in facts.items():
            for place in range(max(len(reports), len(proofs))):
                line = self._lines.take(memory_id, at_ms, "feedback", detail=outcome)
                if place < len(reports):
                    run_id = reports[place].run_id
                    detail = [reports[place].note, f"recall {run_id}" if run_id is not None else ""]
                else:
                    detail = [proofs[place].note, proofs[place].source.replace("run:", "recall ")]
                self._tell(at_ms, outcome, memory_id, _joined(detail), line)

    def _tell_questions(self) -> None:
        for each in self._annals.asked:
            sides = (each.memory_id, *each.sides)
            memory_id = next(side for side in sides if side in self._annals.wordings)
            others = [side for side in sides if side != memory_id]
            line = self._lines.take(each.memory_id, each.opened_ms, "review-asked", detail=each.id)
            if each.kind in _HOLDING:
                # That it waits is what the question is about.
                waits = self._lines.take(each.memory_id, each.opened_ms, "quarantined")
                line = waits or line
            about = f"about {self._named(others)}" if others else ""
            detail = _joined([each.kind, each.rule, about, each.id])
            self._tell(each.opened_ms, "asked", memory_id, detail, line)
            if each.closed_ms is None:
                continue
            action = f"review-{each.decision}"
            line = self._lines.take(each.memory_id, each.closed_ms, action, detail=each.id)
            void = each.decision == "withdrawn"
            detail = _joined(["" if void else each.decision, each.kind, each.id])
            self._tell(each.closed_ms, "lapsed" if void else "decided", memory_id, detail, line)

    def _tell_beliefs(self) -> None:
        """Periods of one memory that follow each other are one: only the wording changed."""
        periods: dict[str, list[Belief]] = defaultdict(list)
        for each in self._annals.believed:
            if each.seq in self._owner:
                periods[self._owner[each.seq]].append(each)
        for memory_id, found in periods.items():
            lasting = [each for each in found if each.until_ms != each.since_ms]
            starts = {each.since_ms for each in lasting}
            ends = {each.until_ms for each in lasting}
            for since in sorted(starts - ends):
                self._tell(since, "believed-from", memory_id, "", None)
            for until in sorted(each for each in ends - starts if each is not None):
                self._tell(until, "believed-until", memory_id, "", None)

    def _tell_validity(self) -> None:
        told = {(each.memory_id, each.at_ms) for each, _ in self._found if each.what == "told"}
        for memory_id, rows in self._annals.wordings.items():
            records = [row.record for row in rows if row.shown]
            # Of most memories it holds since it was told: one fact.
            starts = {each.valid_at_ms for each in records if (memory_id, each.valid_at_ms) not in told}
            ends = {each.invalid_at_ms for each in records if each.invalid_at_ms is not None}
            for start in sorted(starts):
                self._tell(start, "valid-from", memory_id, "", None)
            for end in sorted(ends):
                self._tell(end, "valid-until", memory_id, "", None)

    def _tell_recalls(self) -> None:
        for memory_id, at_ms, times in self._annals.recalled:
            often = "once" if times == 1 else f"{times} times"
            self._tell(at_ms, "recalled", memory_id, often, None)

    def _tell_rest(self) -> None:
        """What the ledger alone tells."""
        for line in self._lines.left():
            what, detail = _LEDGER.get(line.action, line.action), line.detail
            if line.action == "feedback":
                what, detail = (line.detail if line.detail in CREDENCE_STEPS else line.action), ""
            elif line.action.endswith("-refused"):
                what, detail = "refused", line.action.removesuffix("-refused")
            elif line.action.startswith("review-") and line.action not in _LEDGER:
                what, detail = "decided", _joined([line.action.removeprefix("review-"), line.detail])
            elif detail.startswith("mem_"):
                detail = self._named([detail])
            self._tell(line.at_ms, what, line.memory_id, _joined([detail, line.rule]), line)

    def _named(self, ids: Sequence[str]) -> str:
        names = list(dict.fromkeys(_name(each, self._annals.known) for each in ids if each))
        more = len(names) - _NAMED
        return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _joined(parts: Iterable[str]) -> str:
    return "; ".join(_given(parts))


def _given(parts: Iterable[str]) -> Iterator[str]:
    return (each for each in parts if each)
