"""What was decided, injected and learned from it? The audit of recalls, and standing answers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from memweir.errors import RefusedError
from memweir.store.identity import answer_address
from memweir.store.records import Answer
from memweir.store.rows import scope_id, scope_ids, stored_scope
from memweir.store.scopes import Scope
from memweir.store.statements import statements

__all__ = [
    "DecisionRow",
    "Run",
    "Trail",
    "add_run",
    "find_answer",
    "phrasing_taken",
    "put_answer",
    "trail",
]


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """One candidate's decision as the audit keeps it."""

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


@dataclass(frozen=True, slots=True)
class Run:
    """One recall as the audit keeps it: the query only as a keyed hash."""

    at_ms: int
    query_hash: str
    scopes: tuple[Scope, ...]
    mode: str
    decisions: tuple[DecisionRow, ...]
    injected: tuple[str, ...]
    abstained: str = ""
    answer_id: str | None = None


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
    }
    run_id = int(connection.execute(sql["run_add"], values).get)
    rows = [
        (
            *(run_id, each.memory_id, each.rank, each.action, each.reason, each.score),
            *(each.relevance, each.freshness, each.confidence, each.risk),
            json.dumps(dict(sorted(each.paths.items()))),
        )
        for each in run.decisions
    ]
    connection.executemany(sql["decision_add"], rows)
    connection.executemany(
        sql["injection_add"], [(run_id, place, each) for place, each in enumerate(run.injected)]
    )
    connection.executemany(sql["recalled"], [(run.at_ms, each) for each in run.injected])
    if run.answer_id is not None:
        connection.execute(sql["answer_hit"], {"id": run.answer_id})
    connection.execute(sql["runs_trim"], {"last": run_id, "keep": keep_runs})
    return run_id


def trail(connection: apsw.Connection, memory_id: str, seq: int) -> Trail:
    """The trail of one memory."""
    memory, audit = statements("memory"), statements("audit")

    def rows(sql: str, names: Sequence[str], **values: Any) -> tuple[Mapping[str, object], ...]:
        found = connection.execute(sql, values).fetchall()
        return tuple(dict(zip(names, row, strict=True)) for row in found)

    names = [
        *("run_id", "at", "rank", "action", "reason", "score"),
        *("relevance", "freshness", "confidence", "risk", "paths", "injected"),
    ]
    decisions = tuple(
        dict(each) | {"paths": json.loads(str(each["paths"])), "injected": bool(each["injected"])}
        for each in rows(audit["decisions_of"], names, id=memory_id)
    )
    relations = connection.execute(memory["relations_of"], {"seq": seq}).fetchall()
    return Trail(
        evidence=rows(memory["evidence_of"], ("kind", "at", "source", "note"), seq=seq),
        ledger=rows(memory["ledger_of"], ("at", "action", "rule", "detail"), id=memory_id),
        decisions=decisions,
        consumption=rows(audit["consumption_of"], ("outcome", "at", "note"), id=memory_id),
        relations=tuple((str(row[0]), str(row[1]), str(row[2])) for row in relations),
    )


def put_answer(
    connection: apsw.Connection, scope: Scope, text: str, phrasings: Mapping[str, str], *, now_ms: int
) -> str:
    """Store a standing answer under its phrasings (folded key → as written); its id.

    Raises:
        RefusedError: a phrasing belongs to another answer of the scope, which it names.
    """
    sql = statements("audit")
    answer_id = answer_address(scope, next(iter(phrasings)))
    owner = scope_id(connection, scope)
    for key in phrasings:
        other = connection.execute(sql["phrasing_owner"], {"scope_id": owner, "key": key}).get
        if other is not None and other != answer_id:
            raise phrasing_taken(str(other))
    values: dict[str, Any] = {"id": answer_id, "scope_id": owner, "text": text, "now": now_ms}
    connection.execute(sql["answer_upsert"], values)
    for key, written in phrasings.items():
        values = {
            "answer_id": answer_id,
            "scope_id": owner,
            "key": key,
            "text": written,
        }
        connection.execute(sql["phrasing_upsert"], values)
    return answer_id


def phrasing_taken(answer_id: str) -> RefusedError:
    """No answer takes over the phrasing of another: which of the two holds is a person's decision."""
    return RefusedError(
        f"a phrasing belongs to {answer_id} already; renew that answer by its first phrasing, "
        "or leave the phrasing out"
    )


def find_answer(connection: apsw.Connection, scopes: Sequence[Scope], key: str) -> Answer | None:
    """The standing answer of a folded phrasing in the scopes."""
    values: dict[str, Any] = {"scopes": json.dumps(scope_ids(connection, scopes)), "key": key}
    row = connection.execute(statements("reads")["answer_find"], values).fetchone()
    if row is None:
        return None
    found = connection.execute(statements("audit")["phrasings_of"], {"id": row[0]}).fetchall()
    return Answer(
        id=str(row[0]),
        scope=stored_scope(row[1], row[2]),
        text=str(row[3]),
        phrasings=tuple(str(each[0]) for each in found),
        hits=int(row[4] or 0),
        verified_at_ms=int(row[5] or 0),
    )
