"""What was decided, injected and learned from it? The audit of recalls."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from memweir.store.database import decoded
from memweir.store.records import ELSEWHERE
from memweir.store.rows import scope_ids, shown_ids, stored_scope
from memweir.store.scopes import Scope
from memweir.store.statements import statements

__all__ = [
    "DecisionRow",
    "Happened",
    "KeptRun",
    "LedgerLine",
    "Run",
    "Trail",
    "add_run",
    "happened",
    "injected_at",
    "last_used",
    "ledger",
    "looked_back",
    "read_run",
    "read_settings",
    "terms_heard",
    "trail",
]


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """One candidate's decision as the audit keeps it; `detail` is JSON: what went into the score."""

    memory_id: str
    rank: int
    action: str
    reason: str
    score: float
    relevance: float
    freshness: float
    confidence: float
    risk: float
    paths: Mapping[str, int]
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """One recall as the audit keeps it: the query only as a keyed hash.

    Attributes:
        terms: of the query, from which a memory learns that helped; kept in alphabetical order.
        trace: JSON: the request and the figures of the whole recall. What a recall gave that asked
            about another moment than now, or for history, was looked at and not used: `looked_back`.
        settings: fingerprint and JSON of the configuration, kept once.
    """

    at_ms: int
    query_hash: str
    scopes: tuple[Scope, ...]
    mode: str
    decisions: tuple[DecisionRow, ...]
    injected: tuple[str, ...]
    abstained: str = ""
    answer_id: str | None = None
    terms: tuple[str, ...] = ()
    trace: str = ""
    settings: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A recall as the audit kept it.

    Attributes:
        scopes: those of its scopes that held anything.
        decisions: of every candidate, best first.
        injected: ids in the order of the block.
        trace: see `Run`; "" of a run that an older version wrote.
    """

    id: int
    at_ms: int
    query_hash: str
    scopes: tuple[Scope, ...]
    mode: str
    abstained: str
    decisions: tuple[DecisionRow, ...]
    injected: tuple[str, ...]
    trace: str


def looked_back(trace: str) -> bool:
    """Whether a recall of such a trace asked `as_of` or `known_at` a moment, or for history."""
    try:
        asked = json.loads(trace) if trace else {}
    except (ValueError, RecursionError):
        return False
    if not isinstance(asked, dict):
        return False
    moments = (asked.get(name) is not None for name in ("as_of", "known"))
    return any(moments) or asked.get("history") is True


def read_settings(connection: apsw.Connection, fingerprint: str) -> str | None:
    """The configuration of a fingerprint, as JSON."""
    found = connection.execute(statements("audit")["settings_get"], {"fingerprint": fingerprint}).get
    return None if found is None else str(found)


@dataclass(frozen=True, slots=True)
class Happened:
    """A line of the ledger."""

    id: int
    at_ms: int
    action: str
    memory_id: str
    rule: str
    detail: str


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A line of the ledger as the scopes that it is of may read it.

    Attributes:
        at_ms: UTC milliseconds since 1970.
        action: what was done, or asked for and refused.
        memory_id: "" where it is about none, as a draft that the gates refused.
        rule: that decided, "" where none did.
        fingerprint: keyed, of what the gates refused; "" of all else. Nothing of its text is kept.
    """

    id: int
    at_ms: int
    action: str
    memory_id: str
    rule: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Trail:
    """Everything that is kept about one memory, newest first, as plain values."""

    evidence: tuple[Mapping[str, object], ...]
    ledger: tuple[Mapping[str, object], ...]
    decisions: tuple[Mapping[str, object], ...]
    consumption: tuple[Mapping[str, object], ...]
    relations: tuple[tuple[str, str, str], ...]


def add_run(connection: apsw.Connection, run: Run, *, keep_runs: int) -> int:
    """Write a run, its decisions and injections, and forget runs beyond the newest `keep_runs`."""
    sql = statements("audit")
    values: dict[str, Any] = {
        "at": run.at_ms,
        "query_hash": run.query_hash,
        "scopes": json.dumps(scope_ids(connection, run.scopes)),
        "mode": run.mode,
        "candidates": len(run.decisions),
        "abstained": run.abstained,
        "terms": " ".join(sorted(dict.fromkeys(run.terms))),
        "trace": run.trace or None,
    }
    run_id = int(connection.execute(sql["run_add"], values).get)
    rows = [
        (
            *(run_id, each.memory_id, each.rank, each.action, each.reason, each.score),
            *(each.relevance, each.freshness, each.confidence, each.risk),
            json.dumps(dict(sorted(each.paths.items()))),
            each.detail or None,
        )
        for each in run.decisions
    ]
    connection.executemany(sql["decision_add"], rows)
    connection.executemany(
        sql["injection_add"], [(run_id, place, each) for place, each in enumerate(run.injected)]
    )
    if not looked_back(run.trace):
        connection.executemany(sql["recalled"], [(run.at_ms, each) for each in run.injected])
    if run.settings[0]:
        connection.execute(sql["settings_add"], run.settings)
    if run.answer_id is not None:
        connection.execute(sql["answer_hit"], {"id": run.answer_id})
    connection.execute(sql["runs_trim"], {"last": run_id, "keep": keep_runs})
    return run_id


@decoded()
def read_run(connection: apsw.Connection, run_id: int) -> KeptRun | None:
    """A recall that the audit still keeps."""
    sql = statements("audit")
    row = connection.execute(sql["run_get"], {"id": run_id}).fetchone()
    if row is None:
        return None
    decisions = tuple(
        DecisionRow(
            memory_id=str(each[0]),
            rank=int(each[1]),
            action=str(each[2]),
            reason=str(each[3]),
            score=float(each[4]),
            relevance=float(each[5]),
            freshness=float(each[6]),
            confidence=float(each[7]),
            risk=float(each[8]),
            paths=json.loads(each[9]),
            detail=str(each[10] or ""),
        )
        for each in _rows(connection, sql["decisions_in"], run_id)
    )
    scopes = connection.execute(sql["scopes_named"], {"ids": row[3]}).fetchall()
    return KeptRun(
        id=int(row[0] or 0),
        at_ms=int(row[1] or 0),
        query_hash=str(row[2]),
        scopes=tuple(stored_scope(each[0], each[1]) for each in scopes),
        mode=str(row[4]),
        abstained=str(row[6]),
        decisions=decisions,
        injected=tuple(str(each[1]) for each in _rows(connection, sql["injections_in"], run_id)),
        trace=str(row[7] or ""),
    )


def _rows(connection: apsw.Connection, sql: str, run_id: int) -> list[tuple[Any, ...]]:
    return connection.execute(sql, {"id": run_id}).fetchall()


@decoded()
def injected_at(connection: apsw.Connection, run_id: int, position: int) -> str | None:
    """The memory at a place of a block that was given."""
    values = {"run_id": run_id, "position": position}
    row = connection.execute(statements("audit")["injected_at"], values).fetchone()
    return None if row is None else str(row[0])


@decoded()
def terms_heard(connection: apsw.Connection, memory_id: str, *, since_ms: int, runs: int) -> list[str]:
    """Terms of the last recalls since then that gave a memory to a prompt, the latest first."""
    values: dict[str, Any] = {"id": memory_id, "since": since_ms, "limit": runs}
    rows = connection.execute(statements("audit")["learned_from"], values)
    return list(dict.fromkeys(term for row in rows for term in str(row[0]).split()))


@decoded()
def last_used(connection: apsw.Connection, ids: Sequence[str], *, before_ms: int) -> dict[str, int]:
    """Memory → when it was last given to a prompt before a moment, of those the audit still knows."""
    values: dict[str, Any] = {"ids": json.dumps(list(ids)), "before": before_ms}
    rows = connection.execute(statements("audit")["last_used"], values)
    return {str(row[0]): int(row[1] or 0) for row in rows}


def happened(
    connection: apsw.Connection, scopes: Sequence[Scope], *, after: int, limit: int
) -> tuple[list[Happened], int]:
    """(lines of the scopes after a line of the ledger, oldest first; how many lines of other scopes).

    What concerns the whole store, such as a rebuilt index, is told to everybody.
    """
    values: dict[str, Any] = {
        "scopes": json.dumps(scope_ids(connection, scopes)),
        "last": after,
        "limit": limit,
    }
    rows = connection.execute(statements("audit")["ledger_since"], values).fetchall()
    own = [
        Happened(
            id=int(row[0] or 0),
            at_ms=int(row[1] or 0),
            action=str(row[2]),
            memory_id=str(row[3] or ""),
            rule=str(row[4] or ""),
            detail=str(row[5] or ""),
        )
        for row in rows
        if row[6]
    ]
    return own, len(rows) - len(own)


@decoded()
def ledger(
    connection: apsw.Connection, scopes: Sequence[Scope], *, after: int | None, limit: int
) -> list[LedgerLine]:
    """Lines of the scopes, oldest first: those after a line, or the last ones. Of no scope: none."""
    values: dict[str, Any] = {
        "scopes": json.dumps(scope_ids(connection, scopes)),
        "after": after,
        "limit": limit,
    }
    name = "ledger_newest" if after is None else "ledger_after"
    rows = connection.execute(statements("audit")[name], values).fetchall()
    found = [
        LedgerLine(
            id=int(row[0] or 0),
            at_ms=int(row[1] or 0),
            action=str(row[2]),
            memory_id=str(row[3] or ""),
            rule=str(row[4] or ""),
            fingerprint=str(row[5] or ""),
        )
        for row in rows
    ]
    return found[::-1] if after is None else found


def trail(connection: apsw.Connection, memory_id: str, seq: int, scopes: Sequence[Scope]) -> Trail:
    """The trail of one memory, of the time that it was in the scopes."""
    memory, audit = statements("memory"), statements("audit")
    shown = json.dumps(scope_ids(connection, scopes))
    arrived = connection.execute(memory["arrived"], {"id": memory_id, "scopes": shown}).get or 0

    def rows(sql: str, names: Sequence[str], **values: Any) -> list[dict[str, object]]:
        found = connection.execute(sql, {"id": memory_id} | values).fetchall()
        return [dict(zip(names, row, strict=True)) for row in found]

    names = [
        *("run_id", "at", "rank", "action", "reason", "score"),
        *("relevance", "freshness", "confidence", "risk", "paths", "injected"),
    ]
    decisions = tuple(
        each | {"paths": json.loads(str(each["paths"])), "injected": bool(each["injected"])}
        for each in rows(audit["decisions_of"], names, since=arrived)
    )
    evidence = rows(memory["evidence_of"], ("kind", "at", "source", "note"), scopes=shown)
    ledger = rows(memory["ledger_of"], ("at", "action", "rule", "detail"), scopes=shown)
    told = ("outcome", "at", "note", "run_id")
    relations = connection.execute(memory["relations_of"], {"seq": seq}).fetchall()
    named = {str(each[name]) for each, name in _naming(evidence, ledger)}
    known = shown_ids(connection, named, scopes) if named else frozenset()
    for each, name in _naming(evidence, ledger):
        if each[name] not in known:
            each[name] = ELSEWHERE
    return Trail(
        evidence=tuple(evidence),
        ledger=tuple(ledger),
        decisions=decisions,
        consumption=tuple(rows(audit["consumption_of"], told, since=arrived)),
        relations=tuple((str(row[0]), str(row[1]), str(row[2])) for row in relations),
    )


def _naming(
    evidence: Sequence[dict[str, object]], ledger: Sequence[dict[str, object]]
) -> list[tuple[dict[str, object], str]]:
    """The places that name another memory: what superseded this one."""
    found = [(each, "source") for each in evidence if each["kind"] == "superseded"]
    found += [(each, "detail") for each in ledger if each["action"] == "superseded"]
    return [(each, name) for each, name in found if each[name] is not None]
