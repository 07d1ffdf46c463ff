"""What happens to a memory later? Superseding, withdrawing, credence."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from memweir.errors import InputError, NotFoundError, RefusedError
from memweir.store.reads import TermStatistics
from memweir.store.records import to_ms
from memweir.testing.builders import NOW, SCOPE, draft, view
from memweir.testing.contract.base import (
    DAY_MS,
    EVERY_QUERY,
    NOW_MS,
    OTHER,
    PHONE,
    ContractBase,
    add,
    add_one,
    any_of,
    in_days,
    raises,
)

__all__ = ["ChangesContract"]


class ChangesContract(ContractBase):
    """Part of `StoreContract`."""

    # Superseding

    def test_superseding_links_both_and_hides_the_old_from_every_query(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add(store, self.everywhere())[0].id
            assert self.found_by(store, old, "kestrel") == EVERY_QUERY
            new = add_one(store, "kestrel moved south", age_days=1, supersedes=old)
            loser, winner = store.fetch(old, (SCOPE,)), store.fetch(new, (SCOPE,))
            assert (loser.superseded_by, winner.supersedes) == (new, old)
            assert loser.invalid_at_ms == to_ms(NOW - in_days(1))
            assert loser.status == "active"
            assert self.found_by(store, old, "kestrel") == set()
            history = view(include_history=True)
            assert {each for each, _ in store.keyword(history, any_of("kestrel"), 5)} == {old, new}
            before = view(as_of=NOW - in_days(2), point_in_time=True)
            assert store.matching(before, any_of("kestrel"), 5) == [old]
            assert [each["action"] for each in store.trail(old, (SCOPE,)).ledger] == [
                "superseded",
                "created",
            ]

    def test_the_old_ends_where_the_new_begins_to_be_valid(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "price is 10")
            new = add_one(store, "price is 12", supersedes=old, valid_at=NOW + in_days(10))
            assert store.matching(view(), any_of("price"), 5) == [old]
            later = view(as_of=NOW + in_days(10))
            assert store.matching(later, any_of("price"), 5) == [new]

    def test_a_tool_or_an_inference_cannot_supersede_what_a_person_said(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "port is 22")
            for provenance in ("tool", "inferred"):
                new = draft(f"port is 23 {provenance}", provenance=provenance, supersedes=old)
                assert isinstance(store.add_many([new], now_ms=NOW_MS)[0], RefusedError)
            record = store.fetch(old, (SCOPE,))
            assert (record.superseded_by, record.invalid_at_ms) == (None, None)
            assert store.count(view()) == 1
            ledger = store.trail(old, (SCOPE,)).ledger
            assert [(each["action"], each["rule"]) for each in ledger] == [
                ("supersede-refused", "human-loser-protected"),
                ("supersede-refused", "human-loser-protected"),
                ("created", None),
            ]

    def test_a_person_supersedes_a_tool_and_a_tool_a_tool(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            first = add_one(store, "port is 22", provenance="inferred")
            second = add_one(store, "port is 23", provenance="tool", supersedes=first)
            third = add_one(store, "port is 24", supersedes=second)
            assert store.matching(view(), any_of("port"), 5) == [third]

    def test_only_an_active_memory_of_the_same_scope_can_be_superseded(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            there = add_one(store, "port is 22", scope=OTHER)
            gone = add_one(store, "port is 21")
            store.forget(gone, (SCOPE,), now_ms=NOW_MS)
            archived = add_one(store, "port is 20")
            store.archive(archived, (SCOPE,), now_ms=NOW_MS)
            waiting = add_one(store, f"call {PHONE}")
            for named in (there, "mem_nothing"):  # another scope's is told of as one that is not there
                result = store.add_many([draft("port is 23", supersedes=named)], now_ms=NOW_MS)[0]
                assert isinstance(result, NotFoundError)
            for named in (gone, archived, waiting):
                result = store.add_many([draft("port is 23", supersedes=named)], now_ms=NOW_MS)[0]
                assert isinstance(result, RefusedError)
                status = store.fetch(named, (SCOPE,)).status
                (line, *_) = store.trail(named, (SCOPE,)).ledger
                assert (line["action"], line["rule"]) == ("supersede-refused", f"is-{status}")
            assert store.count(view()) == 0

    def test_superseding_again_moves_nothing_and_a_second_successor_is_refused(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "port is 22")
            told = draft("port is 23", age_days=1, supersedes=old)
            new = add(store, told)[0]
            again = add(store, replace(told, created_at=NOW), now_ms=NOW_MS + 1)[0]
            assert (again.id, again.outcome) == (new.id, "confirmed")
            assert store.fetch(old, (SCOPE,)).invalid_at_ms == to_ms(NOW - in_days(1))
            fork = store.add_many([draft("port is 24", supersedes=old)], now_ms=NOW_MS)[0]
            assert isinstance(fork, RefusedError)
            assert store.fetch(old, (SCOPE,)).superseded_by == new.id
            assert store.count(view()) == 1

    def test_a_superseded_value_told_again_is_a_memory_of_its_own(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            ids = [add_one(store, "port is 22", age_days=9)]
            for age, port in ((8, 23), (7, 22), (6, 23), (5, 22)):
                ids.append(add_one(store, f"port is {port}", age_days=age, supersedes=ids[-1]))
            assert len(set(ids)) == 5
            assert store.matching(view(), any_of("port"), 9) == [ids[-1]]
            # What was believed on each day is still told apart.
            days = [view(as_of=NOW - in_days(age - 0.5), point_in_time=True) for age in (9, 8, 7, 6, 5)]
            assert [store.matching(each, any_of("port"), 9) for each in days] == [
                [each] for each in ids
            ]

    def test_a_superseded_document_stays_hidden_until_its_text_changes(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "port is 22", document_id="d")
            new = add_one(store, "port is 23", supersedes=old)
            add(store, draft("port is 22", document_id="d"))
            assert store.matching(view(), any_of("port"), 9) == [new]
            add(store, draft("port is 24", document_id="d", age_days=0, supersedes=new))
            assert store.matching(view(), any_of("port"), 9) == [old]
            record = store.fetch(old, (SCOPE,))
            assert (record.superseded_by, record.supersedes) == (None, new)
            assert record.valid_at_ms == NOW_MS  # its old text held before, the new one from here
            assert store.count(view(as_of=NOW - timedelta(hours=1), point_in_time=True)) == 1

    # Withdrawing

    def test_archiving_takes_a_memory_out_of_every_query_and_restoring_brings_it_back(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add(store, self.everywhere())[0].id
            statistics = store.term_statistics(view(), ["kestrel"])
            frequencies = store.vector_statistics()
            assert self.found_by(store, memory_id, "kestrel") == EVERY_QUERY
            assert store.forget(memory_id, (SCOPE,), now_ms=NOW_MS).status == "tombstoned"
            assert self.found_by(store, memory_id, "kestrel") == set()
            assert store.count(view(include_history=True)) == 0
            assert store.term_statistics(view(), ["kestrel"]) == TermStatistics(0, {})
            assert store.vector_statistics().documents == 0
            assert not store.vector_statistics().df.any()
            assert store.restore(memory_id, (SCOPE,), now_ms=NOW_MS).status == "active"
            assert self.found_by(store, memory_id, "kestrel") == EVERY_QUERY
            assert store.term_statistics(view(), ["kestrel"]) == statistics
            assert (store.vector_statistics().df == frequencies.df).all()

    def test_archiving_and_restoring_twice_changes_nothing(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "uses pnpm")
            assert store.restore(memory_id, (SCOPE,), now_ms=NOW_MS).status == "active"
            once = store.forget(memory_id, (SCOPE,), now_ms=NOW_MS)
            assert store.forget(memory_id, (SCOPE,), now_ms=NOW_MS + 9) == once
            actions = [each["action"] for each in store.trail(memory_id, (SCOPE,)).ledger]
            assert actions == ["forgotten", "created"]

    def test_an_archived_memory_told_again_is_back_as_one_memory(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "uses pnpm")
            store.forget(memory_id, (SCOPE,), now_ms=NOW_MS)
            assert add_one(store, "uses pnpm") == memory_id
            assert store.matching(view(), any_of("pnpm"), 5) == [memory_id]
            assert store.term_statistics(view(), ["pnpm"]) == TermStatistics(1, {"pnpm": 1})

    def test_what_a_person_withdrew_no_tool_brings_back(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "uses pnpm")
            store.forget(memory_id, (SCOPE,), now_ms=NOW_MS)
            for provenance in ("tool", "inferred"):
                told = store.add_many([draft("uses pnpm", provenance=provenance)], now_ms=NOW_MS)[0]
                assert isinstance(told, RefusedError)
            assert store.fetch(memory_id, (SCOPE,)).status == "tombstoned"
            assert store.matching(view(), any_of("pnpm"), 5) == []
            actions = [each["action"] for each in store.trail(memory_id, (SCOPE,)).ledger]
            assert actions[:2] == ["restore-refused", "restore-refused"]

    # Credence

    def test_feedback_moves_the_credence_by_its_table(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            explicit = add_one(store, "uses pnpm")
            guessed = add_one(store, "likes tea", origin="heuristic")
            # Start 6/1 and 4/2; helped +1/0, harmful 0/+5, stale 0/+2, conflict 0/+4, unknown 0/0.
            expected = {
                "helped": ((7.0, 1.0, 0), (5.0, 2.0, 0)),
                "harmful": ((7.0, 6.0, 1), (5.0, 7.0, 1)),
                "stale": ((7.0, 8.0, 1), (5.0, 9.0, 1)),
                "conflict": ((7.0, 12.0, 1), (5.0, 13.0, 1)),
                "unknown": ((7.0, 12.0, 1), (5.0, 13.0, 1)),
            }
            for outcome, numbers in expected.items():
                for memory_id, number in zip((explicit, guessed), numbers, strict=True):
                    got = store.feedback(memory_id, outcome, (SCOPE,), now_ms=NOW_MS, note="why")
                    assert (got.alpha, got.beta, got.harmful_count) == number, outcome
            assert store.fetch(explicit, (SCOPE,)).confidence == 7 / 19
            trail = store.trail(explicit, (SCOPE,))
            assert [each["outcome"] for each in trail.consumption] == list(reversed(expected))
            assert {each["note"] for each in trail.consumption} == {"why"}
            kinds = [each["kind"] for each in trail.evidence]
            assert kinds == ["conflict", "stale", "harmful", "helped", "asserted"]
            with raises(InputError):
                store.feedback(explicit, "liked", (SCOPE,), now_ms=NOW_MS)

    def test_only_help_confirms(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "uses pnpm", age_days=3)
            for outcome in ("harmful", "stale", "conflict", "unknown"):
                got = store.feedback(memory_id, outcome, None, now_ms=NOW_MS)
                assert got.confirmed_at_ms == NOW_MS - 3 * DAY_MS
            helped = store.feedback(memory_id, "helped", None, now_ms=NOW_MS)
            assert helped.confirmed_at_ms == NOW_MS

    def test_terms_learned_from_a_query_that_it_helped_make_a_memory_findable(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "uses pnpm")
            for outcome in ("harmful", "stale", "conflict", "unknown"):
                store.feedback(memory_id, outcome, None, now_ms=NOW_MS, learned=("install",))
            assert store.keyword(view(), any_of("install"), 5) == []
            learned = ("install", "pnpm", "packages", "install")
            got = store.feedback(memory_id, "helped", None, now_ms=NOW_MS, learned=learned)
            assert got.learned_terms == ("install", "packages")  # not what it says by itself
            assert store.matching(view(), any_of("install"), 5) == [memory_id]
            many = tuple(f"t{n}" for n in range(50))
            got = store.feedback(memory_id, "helped", None, now_ms=NOW_MS, learned=many)
            assert got.learned_terms == many[:40]  # the newest, at most 40
            assert store.matching(view(), any_of("install"), 5) == []
