"""Which rows tell of a memory's past? Its chain, and what every table keeps about it, within bounds."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import apsw

from memweir.errors import NotFoundError
from memweir.store.database import decoded
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
from memweir.store.rows import record_of, scope_ids
from memweir.store.scopes import Scope
from memweir.store.statements import statements

__all__ = ["MOST_LINKED", "MOST_WORDINGS", "read_annals"]

MOST_LINKED: Final = 64
"""Memories of one chain, those nearest to the one asked about."""

MOST_WORDINGS: Final = 64
"""Of one memory, the newest."""

# An event takes four rows at most: of that many of each table the newest events are complete.
_ROWS: Final = 4 * MOST_EVENTS

_Periods = dict[str, list[tuple[int | None, int | None]]]
"""Memory → when it was in scopes that may be seen: after, before; both excluded, None: without end."""


def read_annals(connection: apsw.Connection, memory_id: str, scopes: Sequence[Scope]) -> Annals:
    """What is kept of a memory of the scopes and of what it is linked with. Inside one snapshot.

    Raises:
        NotFoundError: no such memory there; an earlier wording is looked at by way of its memory.
    """
    return _Reading(connection, scopes).read(memory_id)


class _Reading:
    def __init__(self, connection: apsw.Connection, scopes: Sequence[Scope]) -> None:
        self._connection = connection
        self._sql = statements("history")
        self._scopes = frozenset(scopes)
        self._shown = json.dumps(scope_ids(connection, scopes))
        self._cut = False

    @decoded()
    def read(self, memory_id: str) -> Annals:
        wordings, links = self._chain(memory_id)
        ids = list(wordings)
        seqs = {row.seq: row.memory_id for rows in wordings.values() for row in rows if row.shown}
        every = [row.seq for rows in wordings.values() for row in rows]
        periods = self._periods(wordings)
        ledger = self._ledger(ids)
        evidence = [
            each for each in self._evidence(list(seqs)) if _within(each.at_ms, periods[seqs[each.seq]])
        ]
        asked = self._asked(ids)
        group = self._group(wordings[memory_id][-1].record)
        named = {end for link in links for end in link}
        named |= {each.source for each in evidence if each.kind == "superseded"}
        named |= {each.detail for each in ledger if each.detail.startswith("mem_")}
        named |= {side for each in asked for side in (each.memory_id, *each.sides)}
        records = [row.record for rows in wordings.values() for row in rows] + group
        named |= {end for each in records for end in (each.supersedes, each.superseded_by) if end}
        return Annals(
            memory_id=memory_id,
            wordings=wordings,
            links=links,
            known=self._known(named),
            group=tuple(group),
            evidence=tuple(evidence),
            ledger=tuple(ledger),
            reported=tuple(self._reported(periods)),
            recalled=tuple(self._recalled(periods)),
            believed=tuple(self._believed(every)),
            asked=tuple(asked),
            cut=self._cut,
        )

    # The chain

    def _chain(
        self, memory_id: str
    ) -> tuple[dict[str, tuple[Wording, ...]], tuple[tuple[str, str], ...]]:
        """The memories that links lead to, those nearest first, and the links."""
        rows = self._wordings(memory_id)
        if not _is_shown(rows):
            raise NotFoundError("memory", memory_id)
        found = {memory_id: rows}
        seen = {memory_id}
        links: dict[tuple[str, str], None] = {}
        waiting = deque([memory_id])
        while waiting:
            here = waiting.popleft()
            for link in self._links(found[here]):
                links[link] = None
                other = link[0] if link[1] == here else link[1]
                if other in seen:
                    continue
                seen.add(other)
                if len(found) == MOST_LINKED:
                    self._cut = True
                    continue
                rows = self._wordings(other)
                # Of what may not be seen, neither is what it is linked with.
                if _is_shown(rows):
                    found[other] = rows
                    waiting.append(other)
        return found, tuple(links)

    def _wordings(self, memory_id: str) -> tuple[Wording, ...]:
        """The rows of a memory, the one that stands now last."""
        limit = MOST_WORDINGS + 2
        cursor = self._run("wordings", id=memory_id, limit=limit)
        names: list[str] = []
        rows = []
        for values in cursor:
            names = names or [each[0] for each in cursor.get_description()]
            row = dict(zip(names, values, strict=True))
            record = record_of(row)
            rows.append(Wording(int(row["seq"]), memory_id, record, record.scope in self._scopes))
        if len(rows) == limit:
            self._cut = True
        return tuple(reversed(rows[: MOST_WORDINGS + 1]))

    def _links(self, rows: Sequence[Wording]) -> list[tuple[str, str]]:
        """(older, newer) of what a memory is linked with."""
        record = rows[-1].record
        here = record.id
        older = [record.supersedes or "", *self._ids("superseded", id=here, scopes=self._shown)]
        older += self._ids("replaced", id=here, scopes=self._shown)
        seqs = json.dumps([row.seq for row in rows if row.shown])
        newer = [record.superseded_by or "", *self._ids("superseded_by", seqs=seqs)]
        newer += self._ids("replaced_by", id=here, scopes=self._shown)
        return [(each, here) for each in older if each] + [(here, each) for each in newer if each]

    def _ids(self, name: str, **values: Any) -> list[str]:
        limit = MOST_LINKED + 1
        found = [str(row[0]) for row in self._run(name, limit=limit, **values)]
        self._cut = self._cut or len(found) == limit
        return found

    def _group(self, record: Record) -> list[Record]:
        if record.coexistence is None:
            return []
        limit = MOST_LINKED + 1
        values = {"coexistence": record.coexistence, "id": record.id, "scopes": self._shown}
        cursor = self._run("group", limit=limit, **values)
        names: list[str] = []
        found = []
        for row in cursor:
            names = names or [each[0] for each in cursor.get_description()]
            found.append(record_of(dict(zip(names, row, strict=True))))
        self._cut = self._cut or len(found) == limit
        return found[:MOST_LINKED]

    def _known(self, ids: Iterable[str]) -> dict[str, bool]:
        rows = self._run("known", ids=json.dumps(sorted(ids)), scopes=self._shown)
        return {str(row[0]): bool(row[1]) for row in rows}

    # What the tables tell

    def _periods(self, wordings: Mapping[str, Sequence[Wording]]) -> _Periods:
        """When each memory was in scopes that may be seen.

        Most always were. What came from another scope has a past there.
        """
        periods: _Periods = {}
        rows = self._run("moves", ids=json.dumps(list(wordings)), scopes=self._shown).fetchall()
        moves: dict[str, list[tuple[int, bool]]] = {}
        for memory_id, at, shown in rows:
            moves.setdefault(str(memory_id), []).append((int(at or 0), bool(shown)))
        for memory_id in wordings:
            found: list[tuple[int | None, int | None]] = []
            first, *later = moves.get(memory_id, [(0, True)])
            since: int | None = None
            inside = first[1]
            for at, shown in later:
                if inside and not shown:
                    found.append((since, at))
                since, inside = at, shown
            periods[memory_id] = [*found, (since, None)] if inside else found
        return periods

    def _evidence(self, seqs: Sequence[int]) -> list[Proof]:
        rows = self._newest("evidence", seqs=json.dumps(sorted(seqs)))
        return [
            Proof(int(row[1] or 0), str(row[2]), int(row[3] or 0), str(row[4] or ""), str(row[5] or ""))
            for row in rows
        ]

    def _ledger(self, ids: Sequence[str]) -> list[Line]:
        rows = self._newest("ledger", ids=json.dumps(ids), scopes=self._shown)
        return [
            Line(
                id=int(row[0] or 0),
                at_ms=int(row[1] or 0),
                action=str(row[2]),
                memory_id=str(row[3]),
                rule=str(row[4] or ""),
                detail=str(row[5] or ""),
            )
            for row in rows
        ]

    def _reported(self, periods: _Periods) -> list[Reported]:
        rows = self._newest("consumption", periods=_as_rows(periods))
        return [
            Reported(
                memory_id=str(row[0]),
                outcome=str(row[1]),
                at_ms=int(row[2] or 0),
                note=str(row[3] or ""),
                run_id=None if row[4] is None else int(row[4]),
            )
            for row in rows
        ]

    def _recalled(self, periods: _Periods) -> list[tuple[str, int, int]]:
        rows = self._newest("recalled", periods=_as_rows(periods))
        return [(str(row[0]), int(row[1] or 0), int(row[2] or 0)) for row in rows]

    def _believed(self, seqs: Sequence[int]) -> list[Belief]:
        rows = self._newest("believed", seqs=json.dumps(sorted(seqs)))
        return [
            Belief(int(row[0] or 0), int(row[1] or 0), None if row[2] is None else int(row[2]))
            for row in rows
        ]

    def _asked(self, ids: Sequence[str]) -> list[Asked]:
        rows = self._newest("reviews", ids=json.dumps(ids), scopes=self._shown)
        sides: dict[str, list[str]] = {}
        for review_id, side in self._run("sides", ids=json.dumps([row[0] for row in rows])):
            sides.setdefault(str(review_id), []).append(str(side))
        return [
            Asked(
                id=str(row[0]),
                memory_id=str(row[1]),
                kind=str(row[2]),
                rule=str(row[3] or ""),
                opened_ms=int(row[4] or 0),
                closed_ms=None if row[5] is None else int(row[5]),
                decision=str(row[6] or ""),
                sides=tuple(sides.get(str(row[0]), ())),
            )
            for row in rows
        ]

    def _newest(self, name: str, **values: Any) -> list[tuple[apsw.SQLiteValue, ...]]:
        """The newest rows of a table, oldest first."""
        rows = self._run(name, limit=_ROWS + 1, **values).fetchall()
        self._cut = self._cut or len(rows) > _ROWS
        return rows[_ROWS - 1 :: -1] if len(rows) > _ROWS else rows[::-1]

    def _run(self, name: str, **values: Any) -> apsw.Cursor:
        return self._connection.execute(self._sql[name], values)


def _is_shown(rows: Sequence[Wording]) -> bool:
    """Whether these are the rows of a memory that may be seen, and not of an earlier wording of one."""
    return bool(rows) and rows[-1].shown and rows[-1].record.version_of is None


def _within(at_ms: int, periods: Sequence[tuple[int | None, int | None]]) -> bool:
    """Whether what was written then was written in scopes that may be seen: coming there was."""
    return any(
        (since is None or at_ms >= since) and (until is None or at_ms < until)
        for since, until in periods
    )


def _as_rows(periods: _Periods) -> str:
    return json.dumps([[each, *period] for each, found in periods.items() for period in found])
