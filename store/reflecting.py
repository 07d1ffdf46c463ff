"""How do facts become beliefs in the store? What is read to plan it, and each step of the plan.

A belief is a memory of the layer "belief". The facts that it rests on keep their rows and are
superseded by it: what was recalled before it is recalled of that time still. A step is checked again
before it is carried out, and left out where what it rests on changed since it was planned.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from memweir.errors import RefusedError
from memweir.store.database import decoded
from memweir.store.entry import Indexer
from memweir.store.policy import draft_indexable
from memweir.store.records import Draft, Record, from_ms
from memweir.store.rows import fetch_record, scope_ids, stored_scope
from memweir.store.scopes import Scope
from memweir.store.statements import statements
from memweir.store.writes import Writer

__all__ = [
    "BeliefRow",
    "Fact",
    "ReflectionRow",
    "Revision",
    "began_ms",
    "beliefs",
    "carry_out",
    "edit_note",
    "evidence",
    "facts",
    "keep_plan",
    "last_reflection",
    "least_used",
    "open_reflection",
    "reflection",
    "revisions",
    "scopes",
    "standing",
    "withdraw",
]

_PAGE = 2_000


@dataclass(frozen=True, slots=True)
class Fact:
    """A memory that may be evidence.

    Attributes:
        seq: its row: another one once it says something else.
        at_ms: since when it holds.
        terms: of the index.
        about: who said it, and the scene and domain that it belongs to, as one name: statements of
            several persons or situations are never one claim.
    """

    seq: int
    id: str
    text: str
    kind: str
    at_ms: int
    confidence: float
    key: str | None
    provenance: str
    terms: tuple[str, ...]
    about: str = ""


@dataclass(frozen=True, slots=True)
class BeliefRow:
    """A belief as it stands.

    Attributes:
        seq: its row; about: as of `Fact`.
        at_ms: of its newest evidence, or of its last wording by a person.
        evidence, against: ids of memories in the order in which they counted.
    """

    seq: int
    id: str
    text: str
    at_ms: int
    strength: float
    key: str | None
    provenance: str
    terms: tuple[str, ...]
    revision: int
    evidence: tuple[str, ...]
    against: tuple[str, ...]
    about: str = ""


@dataclass(frozen=True, slots=True)
class Revision:
    """How a belief stood before it was changed.

    Attributes:
        text: "" where it said the same, or where that was erased.
    """

    number: int
    at_ms: int
    reason: str
    text: str
    strength: float
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReflectionRow:
    """A reflection. `left`: steps that are still to be carried out."""

    period: str
    at_ms: int
    state: str
    report: Mapping[str, Any]
    left: int


# What planning reads


@decoded()
def scopes(connection: apsw.Connection) -> list[tuple[int, Scope]]:
    """The scopes that hold anything, by number."""
    rows = connection.execute(statements("learning")["scopes_to_reflect"])
    return [(int(row[0] or 0), stored_scope(row[1], row[2])) for row in rows]


@decoded()
def facts(connection: apsw.Connection, scope: int, *, now_ms: int) -> list[Fact]:
    """What of a scope may be evidence, in order of row."""
    sql, found, after = statements("learning")["facts"], [], 0
    while True:
        values = {"scope": scope, "after": after, "now": now_ms, "limit": _PAGE}
        rows = connection.execute(sql, values).fetchall()
        for seq, memory_id, text, kind, at, confidence, key, provenance, terms, about in rows:
            found.append(
                Fact(
                    seq=int(seq or 0),
                    id=str(memory_id),
                    text=str(text),
                    kind=str(kind),
                    at_ms=int(at or 0),
                    confidence=float(confidence or 0.0),
                    key=None if key is None else str(key),
                    provenance=str(provenance),
                    terms=tuple(str(terms or "").split()),
                    about=str(about),
                )
            )
            after = int(seq or 0)
        if len(rows) < _PAGE:
            return found


@decoded()
def beliefs(connection: apsw.Connection, scope: int) -> list[BeliefRow]:
    """The beliefs of a scope that stand, in order of row."""
    rows = connection.execute(statements("learning")["beliefs_standing"], {"scope": scope}).fetchall()
    return [
        BeliefRow(
            seq=int(row[0] or 0),
            id=str(row[1]),
            text=str(row[2]),
            at_ms=int(row[3] or 0),
            strength=float(row[4] or 0.0),
            key=None if row[5] is None else str(row[5]),
            provenance=str(row[6]),
            terms=tuple(str(row[7] or "").split()),
            revision=int(row[8] or 0),
            evidence=tuple(json.loads(str(row[9]))),
            against=tuple(json.loads(str(row[10]))),
            about=str(row[11]),
        )
        for row in rows
    ]


@decoded()
def least_used(
    connection: apsw.Connection,
    scope: int,
    limit: int,
    share: float,
    *,
    leaving: Collection[str] = (),
    coming: int = 0,
) -> list[tuple[str, int]]:
    """(id, row) to archive of a scope that holds more than `limit`: a share of it, or what is over.

    Args:
        leaving: ids that will not be there any more; coming: how many will be there besides.
    """
    values: dict[str, Any] = {"scope": scope, "leaving": json.dumps(sorted(leaving))}
    active = int(connection.execute(statements("learning")["active_in"], values).get) + coming
    if active <= limit:
        return []
    wanted = max(active - limit, int(limit * share))
    rows = connection.execute(statements("learning")["least_used"], values | {"limit": wanted})
    return [(str(row[0]), int(row[1] or 0)) for row in rows]


@decoded()
def evidence(
    connection: apsw.Connection, belief: str, scopes: Sequence[Scope]
) -> list[tuple[str, bool]]:
    """(id, whether it speaks against it) of what a belief rests on, as far as the scopes show it."""
    values: dict[str, Any] = {"belief": belief, "scopes": json.dumps(scope_ids(connection, scopes))}
    rows = connection.execute(statements("learning")["evidence_shown"], values).fetchall()
    return [(str(row[0]), bool(row[1])) for row in rows]


@decoded()
def standing(connection: apsw.Connection, scopes: Sequence[Scope], *, limit: int) -> list[str]:
    """Ids of the beliefs of the scopes that stand, strongest first."""
    values: dict[str, Any] = {"scopes": json.dumps(scope_ids(connection, scopes)), "limit": limit}
    rows = connection.execute(statements("learning")["beliefs_list"], values).fetchall()
    return [str(row[0]) for row in rows]


def withdraw(writer: Writer, belief: Record) -> tuple[str, ...]:
    """Forget a belief, so that what it superseded holds again, facts and an earlier belief; their ids.

    Raises:
        RefusedError: it is no belief, or was superseded itself.
    """
    if belief.layer != "belief":
        writer.refuse(belief.id, "withdraw-refused", "no-belief", f"{belief.id} is no belief")
    if belief.superseded_by is not None:
        message = f"{belief.id} has ended; withdraw what took its place"
        writer.refuse(belief.id, "withdraw-refused", "superseded-already", message)
    rows = writer.connection.execute(statements("learning")["held_by"], {"belief": belief.id})
    held = [str(row[0]) for row in rows.fetchall()]
    if belief.status != "tombstoned":
        writer.forget(belief)
    revived = []
    for each in held:
        record = fetch_record(writer.connection, each)
        if record is not None and record.status == "active":
            writer.restore(record)
            revived.append(each)
    return tuple(revived)


@decoded()
def revisions(connection: apsw.Connection, belief: str) -> list[Revision]:
    """How a belief stood before, oldest first."""
    rows = connection.execute(statements("learning")["revisions"], {"belief": belief}).fetchall()
    return [
        Revision(
            int(row[0] or 0),
            int(row[1] or 0),
            str(row[2]),
            str(row[6] or ""),
            float(row[4] or 0.0),
            tuple(json.loads(str(row[5]))),
        )
        for row in rows
    ]


# The plan


def keep_plan(
    connection: apsw.Connection,
    period: str,
    at_ms: int,
    steps: Sequence[Mapping[str, Any]],
    report: Mapping[str, Any],
    *,
    again: bool = False,
) -> bool:
    """Keep a plan whole; in a write transaction. False: another one is waiting, or was carried out.

    Args:
        again: also where one of the period was carried out.
    """
    if open_reflection(connection) is not None:
        return False
    if not again and reflection(connection, period) is not None:
        return False
    sql = statements("learning")
    values = {"period": period, "at": at_ms, "state": "planned", "report": _json(report)}
    connection.execute(sql["reflection_put"], values)
    connection.executemany(
        sql["step_put"], [(period, number, _json(step)) for number, step in enumerate(steps)]
    )
    return True


@decoded()
def reflection(connection: apsw.Connection, period: str) -> ReflectionRow | None:
    """The reflection of a period."""
    return _reflection(connection, "reflection_get", period=period)


@decoded()
def open_reflection(connection: apsw.Connection) -> ReflectionRow | None:
    """One that was planned and not carried out to its end."""
    return _reflection(connection, "reflection_open")


def last_reflection(connection: apsw.Connection) -> str | None:
    """The period of the last that was carried out."""
    found = connection.execute(statements("learning")["reflection_last"]).get
    return None if found is None else str(found)


@decoded()
def began_ms(connection: apsw.Connection) -> int | None:
    """When the first memory was told."""
    found = connection.execute(statements("learning")["began"]).get
    return None if found is None else int(found)


def _reflection(connection: apsw.Connection, name: str, **values: Any) -> ReflectionRow | None:
    row = connection.execute(statements("learning")[name], values).fetchone()
    if row is None:
        return None
    period = str(row[0])
    left = connection.execute(statements("learning")["steps_left"], {"period": period}).get
    return ReflectionRow(period, int(row[1] or 0), str(row[2]), json.loads(str(row[3])), int(left))


# Carrying it out


def carry_out(writer: Writer, indexer: Indexer, period: str, most: int) -> int:
    """Carry out the next steps of a reflection, in the transaction of the writer; how many there were.

    After the last one the reflection is done. The clock of the writer is that of the reflection.
    """
    connection, sql = writer.connection, statements("learning")
    kept = reflection(connection, period)
    if kept is None or kept.state != "planned":
        return 0
    counts = dict(kept.report)
    done = 0
    while done < most:
        row = connection.execute(sql["step_next"], {"period": period}).fetchone()
        if row is None:
            break
        step = json.loads(str(row[1]))
        outcome = _Step(writer, indexer, step).run()
        counts[outcome] = counts.get(outcome, 0) + 1
        connection.execute(sql["step_drop"], {"period": period, "number": int(row[0] or 0)})
        done += 1
    left = int(connection.execute(sql["steps_left"], {"period": period}).get)
    state = "planned" if left else "done"
    values = {"period": period, "at": kept.at_ms, "state": state, "report": _json(counts)}
    connection.execute(sql["reflection_put"], values)
    if not left:
        writer.ledger("reflected", None, detail=_json(counts))
    return done


class _Step:
    """One step: a belief begun, strengthened, weakened or replaced, or a memory archived.

    A step is a mapping: `action`; `rows`, id → row of all that it is about; of "archive" the `id`; else
    `belief` ("" where one begins), `new` (the ids of facts that now count), of these `against` it,
    `ended` (facts whose claim is over), the `wording` (the id of a fact), `strength`, `weight` (of all
    the evidence), `provenance` and `reason`.
    """

    def __init__(self, writer: Writer, indexer: Indexer, step: Mapping[str, Any]) -> None:
        self._writer = writer
        self._connection = writer.connection
        self._indexer = indexer
        self._step = step
        self._sql = statements("learning")

    def run(self) -> str:
        """What was done, or "outdated" where what it rests on is not as it was."""
        if self._step["action"] == "archive":
            return self._archive()
        evidence = [self._standing(each) for each in self._step["new"]]
        if any(each is None for each in evidence):
            return "outdated"
        records = [each for each in evidence if each is not None]
        belief = self._standing(self._step["belief"]) if self._step["belief"] else None
        if self._step["belief"] and (belief is None or belief.layer != "belief"):
            return "outdated"
        try:
            if self._step["action"] in ("merge", "overwrite"):
                self._begin(records, belief)
            elif belief is not None:
                self._move(records, belief)
        except RefusedError:
            return "refused"
        return str(self._step["action"])

    def _archive(self) -> str:
        record = self._standing(self._step["id"])
        if record is None or record.pinned or record.layer == "belief":
            return "outdated"
        self._writer.archive(record)
        return "archive"

    def _standing(self, memory_id: str) -> Record | None:
        """A memory that holds and says what it said when the step was planned."""
        found = fetch_record(self._connection, memory_id)
        if found is None or found.status != "active" or found.superseded_by is not None:
            return None
        return found if self._seq(memory_id) == self._step["rows"].get(memory_id) else None

    def _begin(self, records: Sequence[Record], before: Record | None) -> None:
        """A belief in the words of one of the facts; of one that is ended, its successor."""
        worded = next(each for each in records if each.id == self._step["wording"])
        keys = {each.semantic_key for each in records} - {None}
        draft = Draft(
            text=worded.text,
            scope=worded.scope,
            kind=worded.kind,
            layer="belief",
            provenance=self._step["provenance"],
            origin="heuristic",
            speaker=worded.speaker,
            scene=worded.scene,
            domain=worded.domain,
            raw_quote=worded.raw_quote,
            document_id=f"belief:{worded.id}:{self._writer.now_ms}",
            created_at=from_ms(self._writer.now_ms),
            supersedes=before.id if before is not None else None,
        )
        entry = self._indexer.index([draft_indexable(draft)])[0]
        stored = self._writer.add(draft, entry)
        if before is not None:
            self._connection.execute(
                self._sql["revisions_inherit"], {"belief": stored.id, "from": before.id}
            )
            self._revise(stored.id, before, wording=before.id)
        self._hold(stored.id, records)
        for each in self._step["ended"]:
            ended = self._standing(each)
            if ended is not None:
                self._writer.supersede(ended, stored.id, since=self._writer.now_ms, link=False)
        if len(keys) == 1:
            key = keys.pop()
            folded = self._indexer.fold(key or "")
            values = {"seq": self._seq(stored.id), "key": key, "folded": folded}
            self._connection.execute(self._sql["key_set"], values)
        self._strengthen(stored.id)

    def _move(self, records: Sequence[Record], belief: Record) -> None:
        """More evidence for a belief, or against it."""
        if self._step["action"] == "weaken":
            self._revise(belief.id, belief, wording=None)
        self._hold(belief.id, records)
        self._strengthen(belief.id)

    def _hold(self, belief: str, records: Sequence[Record]) -> None:
        """Note what the belief rests on; what says the same is superseded by it."""
        against = set(self._step["against"])
        for each in records:
            values = {
                "belief": belief,
                "memory": each.id,
                "at": self._writer.now_ms,
                "against": int(each.id in against),
            }
            self._connection.execute(self._sql["evidence_put"], values)
            if each.id not in against:
                self._writer.supersede(each, belief, since=self._writer.now_ms, link=False)

    def _revise(self, belief: str, before: Record, *, wording: str | None) -> None:
        rows = self._connection.execute(self._sql["evidence_ids"], {"belief": before.id}).fetchall()
        values = {
            "belief": belief,
            "at": self._writer.now_ms,
            "reason": self._step["reason"],
            "wording": wording,
            "strength": before.confidence,
            "evidence": _json([str(row[0]) for row in rows]),
        }
        self._connection.execute(self._sql["revision_put"], values)

    def _strengthen(self, belief: str) -> None:
        strength, weight = float(self._step["strength"]), float(self._step["weight"])
        values = {
            "seq": self._seq(belief),
            "alpha": strength * weight,
            "beta": (1 - strength) * weight,
            "now": self._writer.now_ms,
        }
        self._connection.execute(self._sql["credence_set"], values)
        self._writer.ledger("believed", belief, rule=self._step["action"], detail=self._step["reason"])

    def _seq(self, memory_id: str) -> int:
        rows = self._connection.execute(statements("memory")["row_state"], {"id": memory_id}).fetchall()
        return int(rows[0][0] or 0)


def edit_note(connection: apsw.Connection, before: Record, *, now_ms: int) -> None:
    """Note in its history that a person worded a belief anew; in the transaction of the edit."""
    sql = statements("learning")
    rows = connection.execute(sql["evidence_ids"], {"belief": before.id}).fetchall()
    values = {
        "belief": before.id,
        "at": now_ms,
        "reason": "manual_edit",
        "wording": connection.execute(sql["wording_last"], {"id": before.id}).get,
        "strength": before.confidence,
        "evidence": _json([str(row[0]) for row in rows]),
    }
    connection.execute(sql["revision_put"], values)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
