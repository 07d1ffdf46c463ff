"""Does the store stay true to its rules whatever happens in whatever order?

Random sequences of telling, editing, superseding, withdrawing, restoring, deciding, feedback and
recalls on a store in a file; after every step the rows themselves are looked at.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from memweir.errors import NotFoundError, RefusedError
from memweir.store.audit import Run
from memweir.store.database import connect
from memweir.store.records import OUTCOMES, Draft, Stored, from_ms, to_ms
from memweir.store.scopes import Scope
from memweir.store.sqlite import SqliteStore
from memweir.store.statements import statements
from memweir.store.view import View
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
_KEYS = st.sampled_from([None, "editor", "editor", "Editor", "port"])
_PROVENANCES = st.sampled_from(["human", "human", "human", "tool", "inferred"])
_SCOPES = st.sampled_from((SCOPE, SCOPE, *_BOTH))
_DAYS = st.sampled_from([None, None, None, -3.0, 1.0, 3.0, 9.0])  # from now
_NAMES = st.sampled_from([None, None, "Ada", "Grace"])


_VERBS = (
    *(("tell",) * 6),
    *(("edit", "decide") * 3),
    *(("retell", "come_back") * 2),
    *("hand_over", "overtake"),
    *(("withdraw", "restore") * 2),
    *("feedback", "counter", "recall", "reindex", "look_back", "look_back"),
)
_AHEAD = (0, 3)  # days from a moment at which what was known then is looked at
_Draw = Callable[[st.SearchStrategy[Any]], Any]


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
        self.before, self.checked = self.snapshot(), self.now
        self.seen: dict[int, list[set[tuple[Any, ...]]]] = {}

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.sql.close()
            self.store.close()
            self.folder.cleanup()

    # What happens

    def tick(self) -> int:
        self.now += _DAY_MS // 3
        return self.now

    def moment(self, days: float | None) -> datetime | None:
        return None if days is None else from_ms(self.now) + timedelta(days=days)

    @rule(data=st.data(), verb=st.sampled_from(_VERBS))
    def step(self, data: st.DataObject, verb: str) -> None:
        """One act: a single rule, so that each verb comes as often as it is named in `_VERBS`."""
        getattr(self, verb)(data.draw)

    def chosen(self, draw: _Draw) -> str:
        """A memory, often a late one."""
        late = self.ids[-3:] if draw(st.booleans()) else self.ids
        return draw(st.sampled_from(late))

    def standing(self, draw: _Draw, scope: Scope) -> str | None:
        """A memory, often one of the scope that can be superseded."""
        if not self.ids:
            return None
        found = self.rows(
            "SELECT memory.id FROM memory JOIN scope ON scope.id = scope_id "
            "WHERE status = 'active' AND superseded_by IS NULL AND scope.key = :key ORDER BY seq",
            key=scope.key,
        )
        free = [row[0] for row in found]
        return draw(st.sampled_from(free)) if free and draw(st.booleans()) else self.chosen(draw)

    def tell(self, draw: _Draw) -> None:
        scope, old = draw(_SCOPES), draw(st.sampled_from([False, False, True]))
        draft = Draft(
            draw(_TEXTS),
            scope,
            kind=draw(st.sampled_from(["fact", "fact", "preference", "turn"])),
            semantic_key=draw(_KEYS),
            provenance=draw(_PROVENANCES),
            speaker=draw(_NAMES),
            document_id=draw(st.sampled_from([None, None, None, "d1", "d2"])),
            supersedes=self.standing(draw, scope) if old else None,
            valid_at=self.moment(draw(_DAYS)),
            expires_at=self.moment(draw(st.sampled_from([None, None, None, 1.0, 4.0]))),
        )
        before = self.stated()
        (result,) = self.store.add_many([draft], now_ms=self.tick())
        if draft.provenance != "human":
            self.check_stated(before)
        if isinstance(result, Stored):
            if result.id not in self.ids:
                self.ids.append(result.id)
            record = self.store.fetch(result.id, _BOTH)
            assert record.status == result.status
            assert record.scope == scope
        else:
            assert isinstance(result, NotFoundError | RefusedError)

    def stated(self) -> dict[str, tuple[Any, ...]]:
        """What persons said: id → how it stands, its end and its successor last."""
        found = self.rows(
            "SELECT id, status, text, folded_key, valid_at, expires_at, invalid_at, superseded_by "
            "FROM memory WHERE provenance = 'human' AND version_of IS NULL"
        )
        return {row[0]: row[1:] for row in found}

    def check_stated(self, before: dict[str, tuple[Any, ...]]) -> None:
        """What a tool or a rule says changes nothing of it, but that an end may be taken back."""
        after = self.stated()
        for memory_id, was in before.items():
            goes_on = was[-2] is not None and after[memory_id][-2:] == (None, None)
            kept = after[memory_id][:-2] == was[:-2] if goes_on else after[memory_id] == was
            assert kept, (memory_id, was, after[memory_id])

    def check_superseded(self, before: dict[str, tuple[Any, ...]]) -> None:
        """What a person stated was superseded by no word of a tool."""
        for memory_id, (*_, successor) in self.stated().items():
            if successor is not None and memory_id in before and before[memory_id][-1] != successor:
                record = self.store.fetch(successor, _BOTH)
                assert record.provenance == "human", (memory_id, successor)

    def told(self, draft: Draft) -> str:
        """Tell something; its id, "" where it is refused."""
        (result,) = self.store.add_many([draft], now_ms=self.tick())
        if not isinstance(result, Stored):
            return ""
        if result.id not in self.ids:
            self.ids.append(result.id)
        return result.id

    def come_back(self, draw: _Draw) -> None:
        """Withdraw what superseded a memory, and bring that one back."""
        found = self.rows(
            "SELECT id, superseded_by FROM memory WHERE superseded_by IS NOT NULL ORDER BY seq"
        )
        if found:
            older, newer = draw(st.sampled_from(found))
            verb = getattr(self.store, draw(st.sampled_from(["archive", "forget"])))
            self.attempt(lambda: verb(newer, _BOTH, now_ms=self.tick()))
            self.what_is_shown_is_noted()
            self.attempt(lambda: self.store.restore(older, _BOTH, now_ms=self.tick()))

    def hand_over(self, draw: _Draw) -> None:
        """A person decides that a tool's value will replace what a person stated."""
        number = draw(st.integers(1, 9))
        self.told(Draft(f"host is {number}", SCOPE, semantic_key=f"host {number}"))
        self.what_is_shown_is_noted()
        newer = self.told(
            Draft(
                f"host is not {number}",
                SCOPE,
                semantic_key=f"host {number}",
                provenance="tool",
                valid_at=self.moment(draw(st.sampled_from([2.0, 9.0]))),
            )
        )
        for review in self.store.reviews(_BOTH, now_ms=self.now, limit=50):
            if review.memory.id == newer and "replace" in review.decisions:
                answer = (review.id, "replace", review.token, _BOTH)
                self.attempt(lambda it=answer: self.store.decide(*it, now_ms=self.tick()))

    def overtake(self, draw: _Draw) -> None:
        """A person takes over what a tool's word, which waits, is to supersede."""
        number = draw(st.integers(1, 9))
        tool: dict[str, Any] = {"provenance": "tool", "semantic_key": draw(_KEYS)}
        older = self.told(Draft(f"gate is {number}", SCOPE, **tool))
        if not older or self.store.fetch(older, _BOTH).status != "active":
            return
        text = f"gate is {number + 1}, mail ada{number}@example.org"
        self.told(Draft(text, SCOPE, **tool, supersedes=older))
        if draw(st.booleans()):
            self.told(Draft(f"gate is {number}", SCOPE))
        else:
            changes = {"text": f"gate is {number + 2}"}
            self.attempt(lambda: self.store.edit(older, _BOTH, changes, now_ms=self.tick()))

    def edit(self, draw: _Draw) -> None:
        fields: dict[str, st.SearchStrategy[object]] = {
            "text": _TEXTS,
            "semantic_key": _KEYS,
            "scope": _SCOPES,
            "pinned": st.booleans(),
            "valid_at": _DAYS.filter(lambda days: days is not None).map(self.moment),
            "expires_at": st.sampled_from([None, 1.0, 4.0]).map(self.moment),
        }
        if self.ids:
            names = draw(st.lists(st.sampled_from(sorted(fields)), max_size=2, unique=True))
            changes = {name: draw(fields[name]) for name in names}
            memory_id = self.chosen(draw)
            self.attempt(lambda: self.store.edit(memory_id, _BOTH, changes, now_ms=self.tick()))

    def withdraw(self, draw: _Draw) -> None:
        if self.ids:
            verb = getattr(self.store, draw(st.sampled_from(["archive", "forget"])))
            memory_id = self.chosen(draw)
            self.attempt(lambda: verb(memory_id, _BOTH, now_ms=self.tick()))

    def restore(self, draw: _Draw) -> None:
        if not self.ids:
            return
        # Often what could hold again, now that its successor is withdrawn.
        free = [
            row[0]
            for row in self.rows(
                "SELECT older.id FROM memory AS older JOIN memory AS newer "
                "ON newer.id = older.superseded_by WHERE newer.status <> 'active' ORDER BY older.seq"
            )
        ]
        memory_id = draw(st.sampled_from(free)) if free else self.chosen(draw)
        before = self.stated()
        self.attempt(lambda: self.store.restore(memory_id, _BOTH, now_ms=self.tick()))
        self.check_superseded(before)

    def retell(self, draw: _Draw) -> None:
        """Tell again what is there, by whoever, perhaps since another moment."""
        if not self.ids:
            return
        # Often what another memory ends with.
        ends = [row[0] for row in self.rows("SELECT DISTINCT superseded_by FROM memory ORDER BY 1")]
        ends = [each for each in ends if each is not None]
        often = ends and draw(st.booleans())
        record = self.store.fetch(draw(st.sampled_from(ends)) if often else self.chosen(draw), _BOTH)
        draft = Draft(
            record.text,
            record.scope,
            kind=record.kind,
            speaker=record.speaker,
            document_id=record.document_id,
            semantic_key=record.semantic_key if draw(st.booleans()) else None,
            provenance=draw(_PROVENANCES),
            valid_at=self.moment(draw(_DAYS)),
        )
        before = self.stated()
        (result,) = self.store.add_many([draft], now_ms=self.tick())
        if draft.provenance != "human":
            self.check_stated(before)
        if isinstance(result, Stored):
            if result.id not in self.ids:
                self.ids.append(result.id)
        else:
            assert isinstance(result, NotFoundError | RefusedError)

    def decide(self, draw: _Draw) -> None:
        waiting = self.store.reviews(_BOTH, now_ms=self.now, limit=50)
        if not waiting:
            return
        review = draw(st.sampled_from(waiting))
        decision = draw(st.sampled_from(review.decisions))
        fresh = draw(st.sampled_from([True, True, True, True, False]))
        token = review.token if fresh else "0" * 16
        before, stated = self.snapshot(), self.stated()
        done = self.attempt(
            lambda: self.store.decide(review.id, decision, token, _BOTH, now_ms=self.tick())
        )
        assert done or self.snapshot() == before
        assert fresh or not done
        if decision == "approve":
            self.check_superseded(stated)

    def feedback(self, draw: _Draw) -> None:
        if self.ids:
            outcome = draw(st.sampled_from(OUTCOMES))
            self.store.feedback(self.chosen(draw), outcome, None, now_ms=self.tick(), learned=("rum",))

    def counter(self, draw: _Draw) -> None:
        if self.ids:
            source = draw(st.sampled_from([None, "s@1", "s@2"]))
            self.store.counter(self.chosen(draw), _BOTH, now_ms=self.tick(), source=source)

    def recall(self, draw: _Draw) -> None:
        if not self.ids:
            return
        before = self.snapshot()
        position = self.store.position()
        given = (self.chosen(draw),)
        run = Run(self.tick(), "0" * 32, _BOTH, "assist", (), given, terms=("gin", "rum"))
        self.store.record_run(run)
        # Being recalled strengthens nothing, and changes nothing that a recall is made of.
        assert self.snapshot() == before
        assert self.store.position() == position

    def reindex(self, draw: _Draw) -> None:
        counts = self.counts()
        self.store.reindex(now_ms=self.tick())
        assert self.counts() == counts

    def look_back(self, draw: _Draw) -> None:
        """What was known at an earlier moment is what a recall said then, whatever came since.

        Of what was forgotten nothing is told, and of what moved nothing of its time elsewhere.
        """
        for at in draw(st.lists(st.sampled_from(sorted(self.seen)), min_size=1, max_size=4)):
            self.check_known(at)

    def check_known(self, at: int) -> None:
        hidden = {
            row[0]
            for row in self.rows(
                "SELECT memory_id FROM ledger WHERE action = 'forgotten' UNION "
                "SELECT here.id FROM memory AS here JOIN memory AS there ON there.version_of = here.id "
                "WHERE there.scope_id <> here.scope_id"
            )
        }
        for days, then in zip(_AHEAD, self.seen[at], strict=True):
            now = self.shown(as_of=at + days * _DAY_MS, known=at)
            assert {each for each in now if each[0] not in hidden} == {
                each for each in then if each[0] not in hidden
            }

    def shown(self, *, as_of: int, known: int | None = None) -> set[tuple[Any, ...]]:
        """Every memory that a view shows, as it shows it."""
        ids = [row[0] for row in self.rows("SELECT id FROM memory")]
        return {
            (
                *(memory_id.partition(".")[0], found.text, found.semantic_key, found.tags, scope.key),
                *(round(found.alpha, 6), round(found.beta, 6), found.valid_at_ms, found.expires_at_ms),
            )
            for scope in _BOTH
            for memory_id, found in self.store.records(
                View(scopes=(scope,), as_of_ms=as_of, known_ms=known), ids
            ).items()
        }

    @invariant()
    def what_is_shown_is_noted(self) -> None:
        self.seen[self.now] = [self.shown(as_of=self.now + days * _DAY_MS) for days in _AHEAD]

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
            # Some steps are several acts.
            assert told[0][0] > self.checked, (memory_id, self.before.get(memory_id), state)
        assert set(self.before) <= set(after)  # nothing is deleted
        self.before, self.checked = after, self.now

    @invariant()
    def a_key_has_one_value_in_a_scope(self) -> None:
        # At every moment from now on: what holds begins and ends.
        found = self.rows(
            "SELECT one.id, other.id FROM memory AS one JOIN memory AS other "
            "ON other.scope_id = one.scope_id AND other.folded_key = one.folded_key "
            "AND other.id > one.id AND lower(other.text) <> lower(one.text) "
            "WHERE one.status = 'active' AND other.status = 'active' "
            "AND (one.coexistence IS NULL OR one.coexistence IS NOT other.coexistence) "
            "AND max(:now, coalesce(one.valid_at, one.created_at), "
            "        coalesce(other.valid_at, other.created_at)) "
            "< min(coalesce(one.invalid_at, :never), coalesce(one.expires_at, :never), "
            "      coalesce(other.invalid_at, :never), coalesce(other.expires_at, :never))",
            now=self.now,
            never=2**62,
        )
        assert not found, found

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
