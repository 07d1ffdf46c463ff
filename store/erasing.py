"""How does a person erase what is remembered, for good? First the plan, then the act, then its receipt.

Erasing is not forgetting: the rows go, and with them all that was made of them or would let a guess at
them be checked. An id is a hash of what a memory says, so ids go as well: from the ledger, from recalls
that considered the memory, from the memories that it replaced. The words of such recalls go too, which
may be its own. What deleted rows leave in the file is the affair of `memweir.store.remains`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Final

import apsw

from memweir.errors import ReviewStale
from memweir.store import remains
from memweir.store.database import decoded
from memweir.store.entry import Indexer
from memweir.store.erase_survey import Survey, survey
from memweir.store.erasure import ErasePlan, EraseReceipt, EraseTarget
from memweir.store.gates import fingerprint
from memweir.store.indexing import IndexWriter, indexable
from memweir.store.names import Name
from memweir.store.rows import record_of
from memweir.store.scopes import Scope
from memweir.store.statements import statements
from memweir.store.writes import Writer

__all__ = ["erase", "erasures", "name_of", "plan_erasure"]

_MENTIONERS: Final = 50  # memories looked at for the way a name is written


def name_of(target: EraseTarget, indexer: Indexer) -> Name | None:
    """The name of a subject as it is looked for. It may take a model: ask for it outside of any lock.

    Raises:
        EmbedderError, MissingExtra: the index entry of the name could not be made.
    """
    return Name(target.subject, indexer) if target.kind == "subject" else None


def plan_erasure(
    connection: apsw.Connection,
    target: EraseTarget,
    name: Name | None,
    scopes: Sequence[Scope],
    *,
    key: bytes,
) -> ErasePlan:
    """What would go; nothing is written.

    Args:
        name: see `name_of`.
        key: the store's own: without it a token would be a hash by which a guess can be checked.

    Raises:
        NotFoundError: one of the ids is not of the scopes, or an earlier wording; ScopeError: no scope.
    """
    return survey(connection, target, name, scopes, key=key).plan


def erase(
    writer: Writer,
    indexer: Indexer,
    target: EraseTarget,
    name: Name | None,
    scopes: Sequence[Scope],
    token: str,
    *,
    now_ms: int,
    key: bytes,
    act_key: bytes,
) -> EraseReceipt:
    """Erase what was planned, in the transaction of the writer, inside `remains.thorough`.

    Afterwards, outside of both, `remains.finish` does the rest.

    Args:
        name: see `name_of`.
        token: of the plan that a person has seen.
        key: the store's own.
        act_key: made for this act; see `EraseReceipt.key`.

    Raises:
        ReviewStale: what would go is not what the token stands for; nothing is erased.
        NotFoundError, ScopeError: see `plan_erasure`.
        EmbedderError, MissingExtra: a memory that stays has learned the name, and cannot be indexed.
    """
    found = survey(writer.connection, target, name, scopes, key=key)
    if token != found.plan.token:
        writer.verdict = {"action": "erase-refused", "memory_id": None, "rule": "erase-stale"}
        raise ReviewStale(
            "what is to be erased",
            "is not what this token stands for: it changed, or the token is another plan's",
            "ask for the plan again and confirm its token",
        )
    receipt = EraseReceipt(
        id=fingerprint(target.canonical(scopes), key=act_key),
        at_ms=now_ms,
        target=target.kind,
        counts=found.plan.counts,
        scrubbed=found.plan.scrubbed,
        compacted=False,
        wal_truncated=False,
        key=act_key.hex(),
    )
    # Before any line of the ledger goes, so that no number of one is used again.
    single = len(found.owners) == 1 and target.kind != "scope"
    writer.ledger(
        "erased",
        None,
        scope_id=found.owners[0] if single else None,
        rule=target.kind,
        fingerprint=receipt.id,
        detail=json.dumps({"counts": receipt.counts, "scrubbed": receipt.scrubbed}, sort_keys=True),
    )
    _Eraser(writer, indexer, found, now_ms).run()
    remains.mark(writer.connection)
    return receipt


@decoded()
def erasures(connection: apsw.Connection, limit: int) -> list[EraseReceipt]:
    """The receipts of the last erasures, newest first, with what is left to do by now."""
    still = remains.left(connection)
    rows = connection.execute(statements("erase")["receipts"], {"limit": limit}).fetchall()
    said = [json.loads(str(row[3])) for row in rows]
    return [
        EraseReceipt(
            id=str(row[2]),
            at_ms=int(row[0] or 0),
            target=str(row[1]),
            counts=each["counts"],
            scrubbed=each["scrubbed"],
            compacted=still != remains.COMPACT,
            wal_truncated=still == remains.DONE,
        )
        for row, each in zip(rows, said, strict=True)
    ]


class _Eraser:
    """Takes out what was found, in one transaction."""

    def __init__(self, writer: Writer, indexer: Indexer, found: Survey, now_ms: int) -> None:
        self._writer = writer
        self._connection = writer.connection
        self._indexer = indexer
        self._found = found
        self._values: dict[str, Any] = {**found.lists, "now": now_ms}
        self._sql = statements("erase")
        self._index = IndexWriter(writer.connection, indexer, with_vectors=True)

    def run(self) -> None:
        for (review,) in self._run("void_reviews"):
            self._writer.questions.close(str(review), "withdrawn")
        named = [int(row[0]) for row in self._run("entities_known")]
        for seq in self._found.seqs:
            self._index.remove(seq)
        for name in ("links_clear", "rows_delete", "audit_delete", "answers_delete", "learning_delete"):
            self._run(name)
        for group in self._found.groups:
            self._regroup(group)
        self._run("entities_delete")
        for entity in named:
            self._rename(entity)
        self._scrub()
        if self._values["whole"]:
            self._run("runs_leave")
            self._run("scopes_blank")
        self._index.flush()

    def _regroup(self, group: str) -> None:
        """Name what is left of a coexistence group anew: the name is a hash of all that were in it."""
        left = [str(row[0]) for row in self._run("group_members", coexistence=group)]
        digest = hashlib.sha256(json.dumps(left).encode()).hexdigest()[:16]
        name = f"grp_{digest}" if len(left) > 1 else None
        for each in left:
            values = {"id": each, "coexistence": name, "now": self._values["now"]}
            self._connection.execute(statements("reviews")["group_set"], values)

    @decoded()
    def _rename(self, entity: int) -> None:
        """Write an entity that stays as a memory that stays writes it; where none shows how, folded."""
        found = self._run("entity_written", id=entity)
        if not found:
            return
        norm, name = str(found[0][0]), str(found[0][1])
        rows = self._run("mentioners", id=entity, limit=_MENTIONERS)
        labels = [str(each) for row in rows for each in row[:2] if each is not None]
        written = [each for each in labels if each != norm and self._indexer.fold(each) == norm]
        if any(name in str(row[2]) for row in rows):
            written.append(name)
        values: dict[str, Any] = {"id": entity, "name": written[0] if written else norm}
        self._connection.execute(statements("memory")["entity_rename"], values)

    def _scrub(self) -> None:
        self._run("runs_scrub", runs=json.dumps(self._found.runs))
        for evidence, note, source in self._found.evidence:
            self._run("evidence_scrub", id=evidence, note=int(note), source=int(source))
        for consumption in self._found.notes:
            self._run("consumption_scrub", id=consumption)
        for seq, terms in self._found.learned.items():
            self._unlearn(seq, terms)

    @decoded()
    def _unlearn(self, seq: int, terms: str) -> None:
        indexed = statements("index")
        values: dict[str, Any] = {"seq": seq, "terms": terms, "now": self._values["now"]}
        self._connection.execute(statements("memory")["row_learned"], values)
        known = self._connection.execute(indexed["terms_get"], values).fetchall()
        if not known:
            return
        cursor = self._connection.execute(indexed["row_by_seq"], values)
        names = [each[0] for each in cursor.get_description()]
        row: dict[str, Any] = dict(zip(names, cursor.fetchall()[0], strict=True))
        entry = self._indexer.index([indexable(record_of(row))])[0]
        # The vector is of title and text, which stay; 0: indexed, but not counted.
        self._index.remove(seq, vector=False)
        self._index.insert(seq, int(row["scope_id"]), entry, vector=False, counted=known[0][0] != 0)

    def _run(self, name: str, **values: Any) -> list[tuple[Any, ...]]:
        return list(self._connection.execute(self._sql[name], self._values | values))
