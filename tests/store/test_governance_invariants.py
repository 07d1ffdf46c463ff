"""Does the store stay true to its rules whatever happens in whatever order?

Random sequences of telling, editing, superseding, withdrawing, restoring, deciding, feedback and
recalls on a store in a file; after every step the rows themselves are looked at.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import apsw
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from memweir.errors import NotFoundError, RefusedError
from memweir.store.audit import Run
from memweir.store.database import connect
from memweir.store.records import Draft, Stored, to_ms
from memweir.store.scopes import Scope
from memweir.store.sqlite import SqliteStore
from memweir.store.statements import statements
from memweir.testing import NOW, SCOPE, PlainIndexer

_OTHER = Scope.project("borealis")
_BOTH = (SCOPE, _OTHER)
_DAY_MS = 86_400_000

_TEXTS = st.sampled_from(
    [
        *("editor is code", "editor is zed", "editor is helix", "port is 22", "port is not 22"),
        *("deploys are allowed", "deploys are not allowed", "Ada likes tea", "now Ada likes coffee"),
        *("公司在上海", "公司在北京", "mail me at ada@example.org", "call 13800138000"),
    ]
)
_KEYS = st.sampled_from([None, None, "editor", "Editor", "port"])
_PROVENANCES = st.sampled_from(["human", "human", "human", "tool", "inferred"])
_SCOPES = st.sampled_from(_BOTH)
_NAMES = st.sampled_from([None, None, "Ada", "Grace"])


class Governance(RuleBasedStateMachine):
    """One store; `self.ids` are the memories there ever were."""

    @initialize()
    def open(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="memweir-")
        self.path = Path(self.folder.name) / "memory.db"
        self.store = SqliteStore.open(self.path, PlainIndexer(dim=32), keep_runs=5)
        self.sql = connect(self.path, busy_timeout_ms=1000, read_only=True)
        self.now = to_ms(NOW)
        self.ids: list[str] = []
        self.before = self.snapshot()
        self.runs: list[int] = []

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.sql.close()
            self.store.close()
            self.folder.cleanup()

    # What happens

    def tick(self) -> int:
        self.now += _DAY_MS // 3
        return self.now

    def pick(self, place: int) -> str:
        return self.ids[place % len(self.ids)]

    @rule(
        text=_TEXTS,
        scope=_SCOPES,
        key=_KEYS,
        provenance=_PROVENANCES,
        speaker=_NAMES,
        document=st.sampled_from([None, None, None, "d1", "d2"]),
        old=st.none() | st.integers(0, 30),
        kind=st.sampled_from(["fact", "fact", "preference", "turn"]),
    )
    def tell(
        self,
        text: str,
        scope: Scope,
        key: str | None,
        provenance: str,
        speaker: str | None,
        document: str | None,
        old: int | None,
        kind: str,
    ) -> None:
        draft = Draft(
            text,
            scope,
            kind=kind,
            semantic_key=key,
            provenance=provenance,
            speaker=speaker,
            document_id=document,
            supersedes=self.pick(old) if old is not None and self.ids else None,
        )
        (result,) = self.store.add_many([draft], now_ms=self.tick())
        if isinstance(result, Stored):
            if result.id not in self.ids:
                self.ids.append(result.id)
            record = self.store.fetch(result.id, _BOTH)
            assert record.status == result.status
            assert record.scope == scope
        else:
            assert isinstance(result, NotFoundError | RefusedError)

    @precondition(lambda self: self.ids)
    @rule(
        place=st.integers(0, 30),
        text=st.none() | _TEXTS,
        key=st.just("") | _KEYS,
        scope=st.none() | _SCOPES,
        pinned=st.none() | st.booleans(),
    )
    def edit(
        self, place: int, text: str | None, key: str | None, scope: Scope | None, pinned: bool | None
    ) -> None:
        changes: dict[str, object] = {}
        if text is not None:
            changes["text"] = text
        if key != "":
            changes["semantic_key"] = key
        if scope is not None:
            changes["scope"] = scope
        if pinned is not None:
            changes["pinned"] = pinned
        self.attempt(lambda: self.store.edit(self.pick(place), _BOTH, changes, now_ms=self.tick()))

    @precondition(lambda self: self.ids)
    @rule(place=st.integers(0, 30), how=st.sampled_from(["archive", "forget", "restore"]))
    def withdraw_or_restore(self, place: int, how: str) -> None:
        verb = getattr(self.store, how)
        self.attempt(lambda: verb(self.pick(place), _BOTH, now_ms=self.tick()))

    @rule(place=st.integers(0, 30), choice=st.integers(0, 5), fresh=st.booleans())
    def decide(self, place: int, choice: int, fresh: bool) -> None:
        waiting = self.store.reviews(_BOTH, now_ms=self.now, limit=50)
        if not waiting:
            return
        review = waiting[place % len(waiting)]
        decision = review.decisions[choice % len(review.decisions)]
        token = review.token if fresh else "0" * 16
        before = self.snapshot()
        done = self.attempt(
            lambda: self.store.decide(review.id, decision, token, _BOTH, now_ms=self.tick())
        )
        assert done or self.snapshot() == before
        assert fresh or not done

    @precondition(lambda self: self.ids)
    @rule(
        place=st.integers(0, 30),
        outcome=st.sampled_from(["helped", "harmful", "stale", "conflict", "unknown"]),
    )
    def feedback(self, place: int, outcome: str) -> None:
        self.store.feedback(self.pick(place), outcome, None, now_ms=self.tick(), learned=("rum",))

    @precondition(lambda self: self.ids)
    @rule(place=st.integers(0, 30), source=st.sampled_from([None, "s@1", "s@2"]))
    def counter(self, place: int, source: str | None) -> None:
        self.store.counter(self.pick(place), _BOTH, now_ms=self.tick(), source=source)

    @precondition(lambda self: self.ids)
    @rule(place=st.integers(0, 30))
    def recall(self, place: int) -> None:
        before = self.snapshot()
        position = self.store.position()
        run = Run(self.tick(), "0" * 32, _BOTH, "assist", (), (self.pick(place),), terms=("gin", "rum"))
        self.runs.append(self.store.record_run(run))
        after = self.snapshot()
        # Being recalled strengthens nothing, and changes nothing that a recall is made of.
        assert after == before
        assert self.store.position() == position

    @rule()
    def reindex(self) -> None:
        counts = self.counts()
        self.store.reindex(now_ms=self.tick())
        assert self.counts() == counts

    def attempt(self, call: Any) -> bool:
        """Whether a call was done; one that is refused leaves everything as it was."""
        before = self.snapshot()
        try:
            call()
        except (NotFoundError, RefusedError):
            assert self.snapshot() == before
            return False
        return True

    # What must hold

    def rows(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        return self.sql.execute(statement, values).fetchall()

    def snapshot(self) -> dict[str, tuple[Any, ...]]:
        """Memory → everything about it that counts as its state."""
        found = self.rows(
            "SELECT id, status, scope_id, text, title, folded_key, speaker, superseded_by, supersedes, "
            "invalid_at, coexistence, pinned, alpha, beta, harmful_count, learned_terms, version_of "
            "FROM memory ORDER BY id"
        )
        return {row[0]: row[1:] for row in found}

    def counts(self) -> dict[str, list[tuple[Any, ...]]]:
        tables = {
            "term": "SELECT * FROM term ORDER BY 1, 2",
            "scope_statistics": "SELECT * FROM scope_statistics ORDER BY 1",
            "vector_statistics": "SELECT documents, df FROM vector_statistics WHERE documents",
            "memory_index": "SELECT seq, scope_id, terms FROM memory_index ORDER BY 1",
            "vector": "SELECT seq, embedding FROM vector ORDER BY 1",
        }
        return {name: self.rows(statement) for name, statement in tables.items()}

    @invariant()
    def every_change_has_its_line_in_the_ledger(self) -> None:
        after = self.snapshot()
        for memory_id, state in after.items():
            if self.before.get(memory_id) == state:
                continue
            owner = state[-1] or memory_id  # an earlier wording is told of with its memory
            told = self.rows("SELECT max(at) FROM ledger WHERE memory_id = :id", id=owner)
            assert told[0][0] == self.now, (memory_id, self.before.get(memory_id), state)
        assert set(self.before) <= set(after)  # nothing is deleted
        self.before = after

    @invariant()
    def a_key_has_one_value_in_a_scope(self) -> None:
        found = self.rows(
            "SELECT scope_id, folded_key, coalesce(coexistence, id), lower(text) FROM memory "
            "WHERE status = 'active' AND superseded_by IS NULL AND folded_key IS NOT NULL "
            "AND (invalid_at IS NULL OR invalid_at > :now)",
            now=self.now,
        )
        values: dict[tuple[int, str], set[str]] = {}
        texts: dict[tuple[int, str], set[str]] = {}
        for scope, key, side, text in found:
            values.setdefault((scope, key), set()).add(side)
            texts.setdefault((scope, key), set()).add(text)
        for place, sides in values.items():
            assert len(sides) == 1 or len(texts[place]) == 1, (place, sides, texts[place])

    @invariant()
    def no_row_is_both_superseded_and_archived(self) -> None:
        assert not self.rows(
            "SELECT id FROM memory WHERE superseded_by IS NOT NULL AND status = 'archived'"
        )

    @invariant()
    def links_lead_to_memories_that_are_there_and_back(self) -> None:
        assert not self.rows("PRAGMA foreign_key_check")
        for loser, winner in self.rows(
            "SELECT id, superseded_by FROM memory WHERE superseded_by IS NOT NULL"
        ):
            ((known,),) = self.rows(
                "SELECT count(*) FROM evidence JOIN memory ON memory.seq = evidence.memory_seq "
                "WHERE (memory.id = :id OR memory.version_of = :id) AND evidence.kind = 'superseded' "
                "AND evidence.source = :winner",
                id=loser,
                winner=winner,
            )
            assert known

    @invariant()
    def the_index_holds_what_was_ever_believed_and_is_not_forgotten(self) -> None:
        expected = self.rows(
            "SELECT seq FROM memory WHERE status <> 'tombstoned' "
            "AND EXISTS (SELECT 1 FROM believed WHERE memory_seq = memory.seq) ORDER BY seq"
        )
        for table, column in (
            ("memory_index", "seq"),
            ("memory_fts_docsize", "id"),
            ("vector", "seq"),
            ("vector_code", "seq"),
        ):
            assert self.rows(f"SELECT {column} FROM {table} ORDER BY 1") == expected, table
        for table in ("tag", "mention", "relation", "evidence", "believed"):
            assert not self.rows(
                f"SELECT 1 FROM {table} WHERE memory_seq NOT IN (SELECT seq FROM memory)"
            )

    @invariant()
    def what_counts_is_what_is_active(self) -> None:
        terms: Counter[tuple[str, int]] = Counter()
        documents: Counter[int] = Counter()
        for scope, text in self.rows(
            "SELECT memory.scope_id, terms FROM memory_index JOIN memory USING (seq) "
            "WHERE status = 'active'"
        ):
            documents[scope] += 1
            terms.update((term, scope) for term in text.split(" ") if term)
        assert dict(terms) == {(row[0], row[1]): row[2] for row in self.rows("SELECT * FROM term")}
        assert dict(documents) == dict(self.rows("SELECT * FROM scope_statistics"))

    @invariant()
    def what_is_active_is_believed_and_nothing_else_is(self) -> None:
        assert self.rows("SELECT memory_seq FROM believed WHERE until IS NULL ORDER BY 1") == self.rows(
            "SELECT seq FROM memory WHERE status = 'active' ORDER BY 1"
        )
        assert not self.rows("SELECT 1 FROM believed WHERE until < since")

    @invariant()
    def what_waits_is_asked_about(self) -> None:
        holding = {
            row[0]
            for row in self.rows(
                "SELECT memory_id FROM review WHERE closed_at IS NULL "
                "AND kind IN ('personal-data', 'key')"
            )
        }
        waiting = {row[0] for row in self.rows("SELECT id FROM memory WHERE status = 'quarantined'")}
        assert holding == waiting

    @invariant()
    def a_group_has_members_of_one_scope_that_are_all_recalled(self) -> None:
        groups: dict[str, list[tuple[str, int]]] = {}
        for group, status, scope in self.rows(
            "SELECT coexistence, status, scope_id FROM memory WHERE coexistence IS NOT NULL"
        ):
            groups.setdefault(group, []).append((status, scope))
        for members in groups.values():
            assert len(members) > 1
            assert {status for status, _ in members} == {"active"}
            assert len({scope for _, scope in members}) == 1

    @invariant()
    def the_file_is_sound(self) -> None:
        assert self.rows("PRAGMA integrity_check") == [("ok",)]
        writer = apsw.Connection(str(self.path))
        try:
            writer.execute(statements("index")["fts_check"])
        finally:
            writer.close()


TestGovernance = Governance.TestCase
TestGovernance.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
