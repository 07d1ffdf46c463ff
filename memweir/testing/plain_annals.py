"""What does the plain store tell of a memory's past? What `memweir.store.history` is told of it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from memweir.errors import NotFoundError
from memweir.store.annals import MOST_LINKED, MOST_WORDINGS
from memweir.store.history import (
    MOST_EVENTS,
    Annals,
    Asked,
    Belief,
    Line,
    Proof,
    Reported,
    Wording,
)
from memweir.store.records import Record
from memweir.store.scopes import Scope
from memweir.testing.plain_rows import Row, State

__all__ = ["plain_annals"]

_ROWS: Final = 4 * MOST_EVENTS
_DAY_MS: Final = 86_400_000
_Kept = TypeVar("_Kept")
_Periods = list[tuple[int | None, int | None]]


def plain_annals(state: State, memory_id: str, scopes: Sequence[Scope]) -> Annals:
    """What is kept of a memory of the scopes and of what it is linked with.

    Raises:
        NotFoundError: no such memory there.
    """
    return _Annals(state, scopes).read(memory_id)


class _Annals:
    def __init__(self, state: State, scopes: Sequence[Scope]) -> None:
        self._state = state
        self._scopes = frozenset(scopes)
        self._cut = False

    def read(self, memory_id: str) -> Annals:
        wordings, links = self._chain(memory_id)
        periods = {each: self._periods(each) for each in wordings}
        shown = {row.seq: row.memory_id for rows in wordings.values() for row in rows if row.shown}
        evidence = self._evidence(shown, periods)
        ledger = self._ledger(wordings)
        asked = self._asked(wordings)
        group = self._group(wordings[memory_id][-1].record)
        records = [row.record for rows in wordings.values() for row in rows] + group
        named = {end for link in links for end in link}
        named |= {each.source for each in evidence if each.kind == "superseded"}
        named |= {each.detail for each in ledger if each.detail.startswith("mem_")}
        named |= {side for each in asked for side in (each.memory_id, *each.sides)}
        named |= {end for each in records for end in (each.supersedes, each.superseded_by) if end}
        known = {each: self._state.named(each) for each in named}
        return Annals(
            memory_id=memory_id,
            wordings=wordings,
            links=links,
            known={each: row.record.scope in self._scopes for each, row in known.items() if row},
            group=tuple(group),
            evidence=evidence,
            ledger=ledger,
            reported=self._reported(periods),
            recalled=self._recalled(periods),
            believed=self._believed(row.seq for rows in wordings.values() for row in rows),
            asked=asked,
            cut=self._cut,
        )

    # The chain

    def _chain(
        self, memory_id: str
    ) -> tuple[dict[str, tuple[Wording, ...]], tuple[tuple[str, str], ...]]:
        if not self._may_be_seen(memory_id):
            raise NotFoundError("memory", memory_id)
        found = {memory_id: self._wordings(memory_id)}
        seen = {memory_id}
        links: dict[tuple[str, str], None] = {}
        waiting = deque([memory_id])
        while waiting:
            here = waiting.popleft()
            for link in self._links(here):
                links[link] = None
                other = link[0] if link[1] == here else link[1]
                if other in seen:
                    continue
                seen.add(other)
                if len(found) == MOST_LINKED:
                    self._cut = True
                elif self._may_be_seen(other):
                    found[other] = self._wordings(other)
                    waiting.append(other)
        return found, tuple(links)

    def _may_be_seen(self, memory_id: str) -> bool:
        row = self._state.named(memory_id)
        return row is not None and row.record.version_of is None and row.record.scope in self._scopes

    def _wordings(self, memory_id: str) -> tuple[Wording, ...]:
        rows = [*self._state.wordings(memory_id), self._state.row(memory_id)]
        self._cut = self._cut or len(rows) > MOST_WORDINGS + 1
        return tuple(
            Wording(row.seq, memory_id, row.record, row.record.scope in self._scopes)
            for row in rows[-MOST_WORDINGS - 1 :]
        )

    def _links(self, memory_id: str) -> list[tuple[str, str]]:
        """(older, newer) of what a memory is linked with."""
        record = self._state.row(memory_id).record
        rows = [*self._state.wordings(memory_id), self._state.row(memory_id)]
        told = {
            str(piece["source"])
            for row in rows
            for _, piece in row.evidence
            if row.record.scope in self._scopes and piece["kind"] == "superseded"
        }
        replacing = self._replacing()
        older = [
            record.supersedes or "",
            *(row.record.id for row in self._seen() if row.record.superseded_by == memory_id),
            *(side for newer, sides in replacing for side in sides if newer == memory_id),
        ]
        newer = [
            record.superseded_by or "",
            *sorted(told),
            *(newer for newer, sides in replacing if memory_id in sides),
        ]
        found = [(each, memory_id) for each in older if each]
        return found + [(memory_id, each) for each in newer if each]

    def _replacing(self) -> list[tuple[str, tuple[str, ...]]]:
        """(newer, older ones) of what a person decided to replace, in the order of the decisions."""
        found = [each for each in self._state.questions.values() if each.decision == "replace"]
        found = [each for each in found if each.scope in self._scopes]
        found.sort(key=lambda each: (each.closed_at_ms or 0, each.id))
        return [(each.memory_id, each.sides) for each in found]

    def _seen(self) -> list[Row]:
        rows = [row for row in self._state.rows.values() if row.record.version_of is None]
        return [row for row in rows if row.record.scope in self._scopes]

    def _group(self, record: Record) -> list[Record]:
        if record.coexistence is None:
            return []
        mates = [row for row in self._seen() if row.record.coexistence == record.coexistence]
        mates = [row for row in mates if row.record.id != record.id]
        mates.sort(key=lambda row: (row.record.created_at_ms, row.seq))
        self._cut = self._cut or len(mates) > MOST_LINKED
        return [row.record for row in mates[:MOST_LINKED]]

    # What is kept of it

    def _periods(self, memory_id: str) -> _Periods:
        """When a memory was in scopes that may be seen: after, before; None: without end."""
        lines = [each for each in self._state.ledger if each.memory_id == memory_id]
        shown = [(each.at_ms, each.scope in self._scopes) for each in lines] or [(0, True)]
        found: _Periods = []
        since, inside = None, shown[0][1]
        for at_ms, seen in shown[1:]:
            if seen == inside:
                continue
            if inside:
                found.append((since, at_ms))
            since, inside = at_ms, seen
        return [*found, (since, None)] if inside else found

    def _evidence(self, shown: dict[int, str], periods: dict[str, _Periods]) -> tuple[Proof, ...]:
        pieces = sorted(
            (number, seq, piece) for seq in shown for number, piece in self._state.rows[seq].evidence
        )
        found = [
            Proof(
                seq=seq,
                kind=str(piece["kind"]),
                at_ms=int(str(piece["at"])),
                source=str(piece["source"] or ""),
                note=str(piece["note"] or ""),
            )
            for _, seq, piece in self._newest(pieces)
        ]
        return tuple(
            each for each in found if _within(each.at_ms, periods[shown[each.seq]], begins=True)
        )

    def _ledger(self, ids: Iterable[str]) -> tuple[Line, ...]:
        wanted = set(ids)
        lines = [
            Line(
                id=number,
                at_ms=line.at_ms,
                action=line.action,
                memory_id=line.memory_id or "",
                rule=line.rule or "",
                detail=line.detail or "",
            )
            for number, line in enumerate(self._state.ledger, start=1)
            if line.memory_id in wanted and line.scope in self._scopes
        ]
        return tuple(self._newest(lines))

    def _reported(self, periods: dict[str, _Periods]) -> tuple[Reported, ...]:
        told = [
            Reported(
                memory_id=memory_id,
                outcome=str(values["outcome"]),
                at_ms=int(str(values["at"])),
                note=str(values["note"] or ""),
                run_id=None if values["run_id"] is None else int(str(values["run_id"])),
            )
            for memory_id, values in self._state.consumption
            if memory_id in periods
        ]
        told = [each for each in told if _within(each.at_ms, periods[each.memory_id], begins=False)]
        return tuple(self._newest(told))

    def _recalled(self, periods: dict[str, _Periods]) -> tuple[tuple[str, int, int], ...]:
        days: Counter[tuple[str, int]] = Counter()
        first: dict[tuple[str, int], int] = {}
        for _, run in self._state.runs:
            for memory_id in run.injected:
                if memory_id in periods and _within(run.at_ms, periods[memory_id], begins=False):
                    day = memory_id, run.at_ms // _DAY_MS
                    days[day] += 1
                    first[day] = min(first.get(day, run.at_ms), run.at_ms)
        rows = [(day[0], first[day], times) for day, times in days.items()]
        # Newest first and then by id, told the other way round.
        rows = sorted(sorted(rows, reverse=True), key=lambda each: each[1])
        return tuple(self._newest(rows))

    def _believed(self, seqs: Iterable[int]) -> tuple[Belief, ...]:
        periods = [
            Belief(seq, since, until) for seq in seqs for since, until in self._state.rows[seq].believed
        ]
        periods.sort(key=lambda each: (each.since_ms, each.seq))
        return tuple(self._newest(periods))

    def _asked(self, ids: Iterable[str]) -> tuple[Asked, ...]:
        wanted = set(ids)
        found = [
            Asked(
                id=each.id,
                memory_id=each.memory_id,
                kind=each.kind,
                rule=each.rule,
                opened_ms=each.opened_at_ms,
                closed_ms=each.closed_at_ms,
                decision=each.decision,
                sides=each.sides,
            )
            for each in self._state.questions.values()
            if each.scope in self._scopes and wanted & {each.memory_id, *each.sides}
        ]
        found.sort(key=lambda each: each.id, reverse=True)
        found.sort(key=lambda each: each.opened_ms)
        return tuple(self._newest(found))

    def _newest(self, rows: Sequence[_Kept]) -> Sequence[_Kept]:
        self._cut = self._cut or len(rows) > _ROWS
        return rows[-_ROWS:]


def _within(at_ms: int, periods: _Periods, *, begins: bool) -> bool:
    """Whether it is inside one of the periods. Args: begins: so is what happened as one began."""
    reach = 1 if begins else 0
    return any(
        (since is None or at_ms + reach > since) and (until is None or at_ms < until)
        for since, until in periods
    )
