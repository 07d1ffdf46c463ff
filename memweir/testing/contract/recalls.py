"""What is kept of a recall, and what of the store's own history? Runs, injections, the ledger."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from memweir.errors import NotFoundError, RefusedError, ReviewStale
from memweir.store.scopes import Scope
from memweir.testing.builders import SCOPE, draft, view
from memweir.testing.contract.base import (
    HOUR_MS,
    NOW_MS,
    OTHER,
    PHONE,
    SECRET,
    ContractBase,
    actions_of,
    add,
    add_one,
    answered,
    asked,
    edit,
    raises,
    run_of,
)

__all__ = ["RecallsContract"]


class RecallsContract(ContractBase):
    """Part of `StoreContract`."""

    # Runs

    def test_a_recall_is_read_back_as_it_was(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            ids = [add_one(store, text) for text in ("one", "two", "three")]
            run = run_of(
                ids,
                injected=(ids[2], ids[0]),
                terms=("b", "a", "b"),
                trace='{"limit": 5}',
                settings=("f1", "{}"),
            )
            run_id = store.record_run(run)
            kept = store.read_run(run_id)
            assert (kept.id, kept.at_ms, kept.query_hash) == (run_id, NOW_MS, "0" * 32)
            assert (kept.scopes, kept.mode, kept.abstained) == ((SCOPE,), "assist", "")
            assert kept.decisions == run.decisions
            assert kept.injected == (ids[2], ids[0])
            assert kept.trace == '{"limit": 5}'
            for unknown in (0, run_id + 1, -1):
                with raises(NotFoundError):
                    store.read_run(unknown)

    def test_a_recall_names_those_of_its_scopes_that_held_anything(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            run_id = store.record_run(run_of([]))
            add_one(store, "uses pnpm")
            assert store.read_run(run_id).scopes == ()
            assert store.read_run(store.record_run(run_of([]))).scopes == (SCOPE,)

    def test_the_settings_of_recalls_are_kept_once_each(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            assert store.settings("f1") is None
            for settings in (("f1", "{}"), ("f1", "other"), ("f2", "[]"), ("", "none")):
                store.record_run(run_of([], settings=settings))
            assert [store.settings(each) for each in ("f1", "f2", "", "f3")] == [
                *("{}", "[]", None, None),
            ]

    # Injections

    def test_the_name_of_a_place_in_a_block_leads_to_memory_and_recall(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            ids = [add_one(store, text) for text in ("one", "two")]
            first = store.record_run(run_of(ids, injected=(ids[1], ids[0])))
            second = store.record_run(run_of(ids, injected=(ids[1],)))
            names = {store.injection_id(first, 0): (ids[1], first)}
            names[store.injection_id(first, 1)] = (ids[0], first)
            names[store.injection_id(second, 0)] = (ids[1], second)
            assert len(names) == 3
            assert {each: store.injected(each) for each in names} == names
            assert store.injection_id(first, 0) in names  # the same, whenever it is asked for
            assert ids[1] not in store.injection_id(first, 0)

    def test_a_forged_name_or_one_of_no_place_leads_nowhere(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "one")
            run_id = store.record_run(run_of([memory_id], injected=(memory_id,)))
            name = store.injection_id(run_id, 0)
            start, last = name[:-1], name[-1]
            forged = (
                start + ("0" if last != "0" else "1"),
                name.replace("_0_", "_1_"),
                name.replace("_0_", "_٠_"),
                name.replace("_0_", "_00_"),
                name + "_",
                name.upper(),
                f" {name}",
                start,
                *("", "inj", "inj___", "inj_1_0_", f"inj_{'9' * 99}_0_x", memory_id),
                store.injection_id(run_id, 1),
                store.injection_id(run_id + 1, 0),
                store.injection_id(0, 0),
            )
            for each in forged:
                with raises(NotFoundError):
                    store.injected(each)
            assert store.injected(name) == (memory_id, run_id)

    def test_a_recall_that_looked_back_is_no_use(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            one = add_one(store, "kestrel")
            back: tuple[dict[str, object], ...] = ({"as_of": 1}, {"known": 0}, {"history": True})
            for place, asked in enumerate(back):
                trace = json.dumps({"as_of": None, "known": None, "history": False} | asked)
                store.record_run(run_of([one], injected=(one,), at_ms=NOW_MS + place, trace=trace))
            record = store.fetch(one, (SCOPE,))
            assert (record.recall_count, record.last_recalled_at_ms) == (0, None)
            assert store.last_used([one], NOW_MS + 99) == {}
            now = ("", "not JSON", "[1]", "{}", json.dumps({"as_of": None, "history": False}))
            for place, trace in enumerate(now, start=1):
                at_ms = NOW_MS + 10 + place
                store.record_run(run_of([one], injected=(one,), at_ms=at_ms, trace=trace))
                assert store.fetch(one, (SCOPE,)).recall_count == place, trace
                assert store.last_used([one], NOW_MS + 99) == {one: at_ms}, trace

    def test_a_memory_was_last_used_when_it_was_last_given_before_a_moment(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            one, two, three = (add_one(store, text) for text in ("one", "two", "three"))
            for hours, injected in ((3, (one,)), (1, (one, two)), (2, (two,))):
                run = run_of([one, two, three], injected=injected, at_ms=NOW_MS + hours * HOUR_MS)
                store.record_run(run)
            ids = [one, two, three, "mem_nothing"]
            at = {hours: NOW_MS + hours * HOUR_MS for hours in (1, 2, 3)}
            assert store.last_used(ids, at[3] + 1) == {one: at[3], two: at[2]}
            assert store.last_used(ids, at[3]) == {one: at[1], two: at[2]}
            assert store.last_used(ids, at[2]) == {one: at[1], two: at[1]}
            assert store.last_used(ids, at[1]) == {}
            assert store.last_used([], at[3] + 1) == {}
            assert store.last_used([two], at[3] + 1) == {two: at[2]}

    # The ledger

    def test_the_ledger_is_told_to_its_scopes_alone_with_what_was_refused_there(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            store.add_many([draft(SECRET)], now_ms=NOW_MS)  # of a scope that holds nothing yet
            here, there = add_one(store, "kestrel"), add_one(store, "owl", scope=OTHER)
            for scope in (SCOPE, OTHER):
                store.add_many([draft(SECRET, scope=scope)], now_ms=NOW_MS + 1)
            store.archive(here, (SCOPE,), now_ms=NOW_MS + 2)
            store.reindex(now_ms=NOW_MS + 3)
            lines = store.ledger((SCOPE,), after=None, limit=99)
            told = [(each.action, each.memory_id) for each in lines]
            assert told == [("created", here), ("refused", ""), ("archived", here)]
            refused = lines[1]
            assert (refused.at_ms, bool(refused.rule), bool(refused.fingerprint)) == (
                NOW_MS + 1,
                True,
                True,
            )
            assert SECRET not in str(refused)
            assert {each.fingerprint for each in (lines[0], lines[2])} == {""}
            others = store.ledger((OTHER,), after=None, limit=99)
            assert [(each.action, each.memory_id) for each in others] == [
                ("created", there),
                ("refused", ""),
            ]
            assert store.ledger((Scope.project("nothing"),), after=None, limit=99) == []
            both = store.ledger((SCOPE, OTHER), after=None, limit=99)
            assert both == sorted([*lines, *others], key=lambda each: each.id)
            assert store.ledger((SCOPE,), after=None, limit=2) == lines[-2:]
            assert store.ledger((SCOPE,), after=0, limit=2) == lines[:2]
            assert store.ledger((SCOPE,), after=lines[1].id, limit=9) == lines[2:]

    # The store's history

    def test_the_store_counts_what_changes_it_and_not_what_asks_it(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "port is 22", semantic_key="port")
            other = add_one(store, "port is 23", semantic_key="port")
            review = asked(store)
            writes: dict[str, Callable[[], object]] = {
                "add": lambda: add_one(store, "uses pnpm"),
                "edit": lambda: edit(store, memory_id, title="Ports"),
                "adjust": lambda: edit(store, memory_id, pinned=True),
                "feedback": lambda: store.feedback(memory_id, "helped", None, now_ms=NOW_MS),
                "counter": lambda: store.counter(memory_id, (SCOPE,), now_ms=NOW_MS),
                "decide": lambda: answered(store, "coexist"),
                "archive": lambda: store.archive(other, (SCOPE,), now_ms=NOW_MS),
                "restore": lambda: store.restore(other, (SCOPE,), now_ms=NOW_MS),
                "forget": lambda: store.forget(other, (SCOPE,), now_ms=NOW_MS),
                "answer": lambda: store.put_answer(SCOPE, "Ada", {"who": "Who?"}, now_ms=NOW_MS),
                "reindex": lambda: store.reindex(now_ms=NOW_MS),
            }
            for name, write in writes.items():
                before, _ = store.position()
                write()
                assert store.position()[0] == before + 1, name

            def late() -> None:
                with raises(ReviewStale):
                    store.decide(review.id, "replace", review.token, (SCOPE,), now_ms=NOW_MS)

            others: dict[str, Callable[[], object]] = {
                "recall": lambda: store.record_run(run_of([memory_id], injected=(memory_id,))),
                "empty edit": lambda: edit(store, memory_id, title="Ports"),
                "no drafts": lambda: store.add_many([], now_ms=NOW_MS),
                "refused": late,
                "read": lambda: store.trail(memory_id, (SCOPE,)),
                "review": lambda: store.reviews((SCOPE,), now_ms=NOW_MS, limit=9),
            }
            before, _ = store.position()
            for name, ask in others.items():
                ask()
                assert store.position()[0] == before, name

    def test_every_change_of_a_memory_has_its_line_in_the_ledger(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, f"port office, call {PHONE}")
            answered(store, "approve")
            add(store, draft(f"port office, call {PHONE}"))
            edit(store, memory_id, scene="office")
            edit(store, memory_id, pinned=True)
            store.feedback(memory_id, "helped", None, now_ms=NOW_MS)
            store.counter(memory_id, (SCOPE,), now_ms=NOW_MS)
            store.archive(memory_id, (SCOPE,), now_ms=NOW_MS)
            store.restore(memory_id, (SCOPE,), now_ms=NOW_MS)
            store.forget(memory_id, (SCOPE,), now_ms=NOW_MS)
            add(store, draft(f"port office, call {PHONE}"))
            add_one(store, "port of call", supersedes=memory_id)
            with raises(RefusedError):
                store.archive(memory_id, (SCOPE,), now_ms=NOW_MS)
            assert actions_of(store, memory_id) == [
                *("created", "quarantined", "review-asked", "review-approve", "confirmed"),
                *("edited", "adjusted", "feedback", "countered", "archived", "restored"),
                *("forgotten", "confirmed", "restored", "superseded", "archive-refused"),
            ]

    def test_what_happened_is_told_of_the_scopes_and_of_others_only_how_much(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            assert store.position() == (0, 0)
            mine = add(store, draft("uses pnpm"), now_ms=NOW_MS)[0].id
            _, start = store.position()
            add(store, draft("uses npm", scope=OTHER), draft("uses bun", scope=OTHER))
            store.archive(mine, (SCOPE,), now_ms=NOW_MS + 5)
            store.reindex(now_ms=NOW_MS + 6)
            lines, others = store.happened((SCOPE,), start, 99)
            told = [(each.action, each.memory_id, each.at_ms) for each in lines]
            assert told == [("archived", mine, NOW_MS + 5), ("reindexed", "", NOW_MS + 6)]
            assert others == 2
            assert [each.id for each in lines] == sorted(each.id for each in lines)
            assert store.position()[1] == lines[-1].id
            assert store.happened((SCOPE,), lines[-1].id, 99) == ([], 0)
            lines, others = store.happened((SCOPE, OTHER), 0, 99)
            assert [each.action for each in lines] == ["created"] * 3 + ["archived", "reindexed"]
            assert others == 0
            lines, others = store.happened((SCOPE,), start, 3)
            assert ([each.action for each in lines], others) == (["archived"], 2)

    def test_a_history_tells_the_chain_of_a_memory_and_what_happened_to_it(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            old = add(store, draft("port is 22"), now_ms=NOW_MS)[0].id
            edit(store, old, text="port is 23", now_ms=NOW_MS + 1 * HOUR_MS)
            new = add(store, draft("port is 24", supersedes=old), now_ms=NOW_MS + 2 * HOUR_MS)[0].id
            store.forget(new, (SCOPE,), now_ms=NOW_MS + 3 * HOUR_MS)
            for asked_about in (old, new):
                history = store.history(asked_about, (SCOPE, OTHER))
                assert history.id == asked_about
                assert [each.record.id for each in history.chain] == [old, new]
                assert [each.text for each in history.chain[0].wordings] == ["port is 22"]
                assert history.chain[0].replaced_by == (new,)
                assert not history.cut
                told = [(each.what, each.memory_id) for each in history.events]
                for what in ("told", "edited", "superseded"):
                    assert (what, old) in told
                assert ("forgotten", new) in told
                assert [each.at_ms for each in history.events] == sorted(
                    each.at_ms for each in history.events
                )

    def test_a_store_names_what_analyses_and_embeds(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            assert (store.analyzer, store.embedder) == (self.indexer.analyzer, self.indexer.embedder)
            assert store.count(view()) == 0
