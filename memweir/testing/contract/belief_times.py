"""What did the store know at an earlier moment? `View.known_ms`, whatever became of it since."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memweir.store.records import Record, to_ms
from memweir.store.seam import Store
from memweir.testing.builders import NOW, SCOPE, draft, view
from memweir.testing.contract.base import (
    DAY_MS,
    EVERY_QUERY,
    HOUR_MS,
    NOW_MS,
    PHONE,
    ContractBase,
    add,
    add_one,
    answered,
    any_of,
    edit,
    in_days,
)

__all__ = ["BeliefTimesContract"]


def _known(store: Store, hours: float, word: str = "port", **fields: Any) -> list[str]:
    """Ids of the memories that were known so long after `NOW`, and hold a word."""
    known_ms = NOW_MS + round(hours * HOUR_MS)
    return store.matching(view(known_ms=known_ms, **fields), any_of(word), 99)


def _at(hours: float) -> int:
    return NOW_MS + round(hours * HOUR_MS)


class BeliefTimesContract(ContractBase):
    """Part of `StoreContract`."""

    def test_what_was_not_written_yet_was_not_known_however_old_it_is(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add(store, self.everywhere(age_days=20))[0].id
            before, at = view(known_ms=NOW_MS - 1), view(known_ms=NOW_MS)
            assert self.found_by(store, memory_id, "kestrel", shown=before) == set()
            assert store.count(before) == 0
            assert self.found_by(store, memory_id, "kestrel", shown=at) == EVERY_QUERY

    def test_belief_and_validity_are_two_times(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            # True five days ago, told today.
            memory_id = add_one(store, "port is 22", age_days=5)
            past: dict[str, Any] = {"as_of": NOW - in_days(4), "point_in_time": True}
            assert _known(store, 0, **past) == [memory_id]
            assert _known(store, -1, **past) == []
            assert _known(store, 0, as_of=NOW - in_days(6), point_in_time=True) == []

    def test_before_a_memory_was_superseded_the_old_one_held(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "port is 22")
            # The end lies in the past, but nobody knew of it.
            told = draft("port is 23", age_days=2, supersedes=old)
            new = add(store, told, now_ms=_at(2))[0].id
            assert [_known(store, hours) for hours in (0, 1, 2, 3)] == [[old], [old], [new], [new]]
            assert _known(store, 1, include_history=True) == [old]
            assert set(_known(store, 2, include_history=True)) == {old, new}

    def test_before_a_value_was_replaced_the_old_one_held(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "port is 22", semantic_key="port", age_days=5)
            told = draft("port is 23", semantic_key="port", age_days=2)
            new = add(store, told, now_ms=_at(1))[0].id
            answered(store, "replace", now_ms=_at(2))
            assert [_known(store, hours) for hours in (0, 1, 1.9)] == [[old]] * 3
            assert [_known(store, hours) for hours in (2, 3)] == [[new]] * 2
            past: dict[str, Any] = {"as_of": NOW - in_days(3), "point_in_time": True}
            assert [_known(store, hours, **past) for hours in (1, 3)] == [[old], []]

    def test_what_was_never_let_in_was_known_at_no_moment(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "port is 22", semantic_key="port")
            waiting = add_one(store, "port is 23", semantic_key="port")
            private = add_one(store, f"port office, call {PHONE}")
            views = [view(known_ms=_at(hours), include_history=True) for hours in (-1, 0, 1, 9)]

            def nobody_knows() -> None:
                for shown in views:
                    for each in (waiting, private):
                        assert self.found_by(store, each, "port", PHONE, shown=shown) == set()
                assert [store.count(shown) for shown in views] == [0, 1, 1, 1]

            nobody_knows()
            answered(store, "reject", memory_id=waiting, now_ms=_at(1))
            store.forget(private, (SCOPE,), now_ms=_at(1))
            nobody_knows()
            store.reindex(now_ms=_at(2))
            nobody_knows()
            assert _known(store, 9) == [old]

    def test_what_was_let_in_late_is_known_from_then_on(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, f"port office, call {PHONE}")
            answered(store, "approve", now_ms=_at(2))
            assert [_known(store, hours) for hours in (0, 1.9, 2, 3)] == [
                *([], [], [memory_id], [memory_id]),
            ]

    def test_a_withdrawn_memory_is_known_until_then_and_again_once_restored(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "port is 22")
            store.archive(memory_id, (SCOPE,), now_ms=_at(1))
            store.restore(memory_id, (SCOPE,), now_ms=_at(2))
            store.archive(memory_id, (SCOPE,), now_ms=_at(3))
            hours = (0, 0.9, 1, 1.9, 2, 2.9, 3, 4)
            shown = [bool(_known(store, each)) for each in hours]
            assert shown == [True, True, False, False, True, True, False, False]

    def test_what_was_believed_and_waits_again_was_known_until_then(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            add_one(store, "editor is vim", semantic_key="k")
            memory_id = add_one(store, "port is 22", tags=("net",))
            told = draft("port is 22", semantic_key="k", tags=("web",))
            assert add(store, told, now_ms=_at(1))[0].status == "quarantined"
            known = f"{memory_id}.1"  # with the labels of then
            for _ in range(2):
                assert [_known(store, hours) for hours in (0, 0.9, 1, 2)] == [[known], [known], [], []]
                assert (_known(store, 0, "net"), _known(store, 0, "web")) == ([known], [])
                assert store.term_statistics(view(), ["port", "vim"]).df == {"vim": 1}
                store.reindex(now_ms=_at(2))

    def test_telling_again_with_other_labels_and_times_leaves_what_was_known(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "port is 22", document_id="port", tags=("net",), title="ssh")
            later = draft(
                "port is 22", document_id="port", tags=("web",), valid_at=NOW + in_days(1), title="http"
            )
            (told,) = add(store, later, now_ms=_at(1))
            assert (told.outcome, told.evidence_count) == ("confirmed", 2)
            add(store, later, now_ms=_at(2))  # says nothing new
            assert [_known(store, hours) for hours in (0, 1, 2)] == [[f"{memory_id}.1"], [], []]
            past = store.records(view(known_ms=NOW_MS), [f"{memory_id}.1"])[f"{memory_id}.1"]
            assert (past.tags, past.title) == (("net",), "ssh")
            now = store.fetch(memory_id, (SCOPE,))
            assert (now.tags, now.title, now.evidence_count) == (("net", "web"), "http", 3)

    def test_every_query_asks_what_was_known(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add(store, self.everywhere())[0].id
            store.archive(memory_id, (SCOPE,), now_ms=_at(1))
            then, now = view(known_ms=_at(0.5)), view(known_ms=_at(1))
            for _ in range(2):
                assert self.found_by(store, memory_id, "kestrel", shown=then) == EVERY_QUERY
                assert self.found_by(store, memory_id, "kestrel", shown=now) == set()
                assert (store.count(then), store.count(now)) == (1, 0)
                store.reindex(now_ms=_at(2))

    def test_what_was_known_then_still_passes_scene_and_tags(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "port is 22", scene="work", tags=("net",))
            edit(store, memory_id, scene="home", tags=("web",), now_ms=_at(1))
            assert len(_known(store, 0, scene="work", tags=("net",))) == 1
            assert _known(store, 0, scene="home") == _known(store, 0, tags=("web",)) == []
            assert _known(store, 1, scene="home", tags=("web",)) == [memory_id]
            assert _known(store, 1, scene="work") == _known(store, 1, tags=("net",)) == []

    def test_a_record_is_told_as_it_was_known(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "port is 22", age_days=5)
            store.feedback(memory_id, "helped", None, now_ms=_at(1))
            store.counter(memory_id, (SCOPE,), now_ms=_at(2))
            store.feedback(memory_id, "harmful", None, now_ms=_at(3))
            new = add(store, draft("port is 23", age_days=2, supersedes=memory_id), now_ms=_at(4))[0].id

            def known(hours: float) -> Record:
                shown = view(known_ms=_at(hours), include_history=True)
                # Once it holds again, the wording that was known to end is one of the past.
                (record,) = store.records(shown, [memory_id, f"{memory_id}.1"]).values()
                return record

            # 6/1; helped: 7/1. 7/8 - 1/5 = 27/40: beta = 7 * 13/27. Harmful: five more.
            betas = (1.0, 1.0, 91 / 27, 91 / 27 + 5, 91 / 27 + 5)
            for hours, beta in enumerate(betas):
                record = known(hours)
                assert record.alpha == (6.0 if hours == 0 else 7.0)
                assert abs(record.beta - beta) < 1e-9
                assert record.harmful_count == (hours >= 3)
                assert record.superseded_by == (new if hours == 4 else None)
                assert record.invalid_at_ms == (to_ms(NOW - in_days(2)) if hours == 4 else None)
            assert known(0).confirmed_at_ms <= _at(0)  # it was found helpful later
            store.forget(new, (SCOPE,), now_ms=_at(5))
            store.restore(memory_id, (SCOPE,), now_ms=_at(6))
            store.archive(memory_id, (SCOPE,), now_ms=_at(7))
            assert known(1).status == "active"

    def test_the_turns_beside_a_turn_are_those_that_were_known(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            turns = [
                draft(f"turn {n}", kind="turn", session_id="s", source=f"s@{n}") for n in (1, 2, 3)
            ]
            one, two, three = (each.id for each in add(store, *turns))
            store.archive(three, (SCOPE,), now_ms=_at(1))
            found = store.neighbours(view(known_ms=_at(0)), [two])[two]
            assert (found.before, found.after) == (one, three)
            found = store.neighbours(view(known_ms=_at(1)), [two])[two]
            assert (found.before, found.after) == (one, None)

    def test_the_present_and_the_last_moment_known_are_one(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            ids = [add_one(store, f"port is {n}", age_days=n) for n in range(6)]
            store.archive(ids[0], (SCOPE,), now_ms=_at(1))
            store.forget(ids[1], (SCOPE,), now_ms=_at(1))
            edit(store, ids[2], text="port is 22", now_ms=_at(1))
            add(store, draft("port is 23", supersedes=ids[3]), now_ms=_at(1))
            far = NOW_MS + 9 * DAY_MS
            for history in (False, True):
                now = store.latest(view(include_history=history), 9)
                assert store.latest(view(known_ms=far, include_history=history), 9) == now

    # What was over, and holds again

    def test_what_was_superseded_then_was_known_to_be_over_though_it_holds_again(
        self, tmp_path: Path
    ) -> None:
        for forgotten in (False, True):
            with self.opened(tmp_path / str(forgotten)) as store:
                old = add_one(store, "port is in Rome")
                new = add(store, draft("port is in Oslo", supersedes=old), now_ms=_at(1))[0].id
                if forgotten:
                    store.forget(old, (SCOPE,), now_ms=_at(2))
                store.archive(new, (SCOPE,), now_ms=_at(3))
                store.restore(old, (SCOPE,), now_ms=_at(4))
                assert store.matching(view(as_of=NOW + in_days(1)), any_of("port"), 9) == [old]
                assert _known(store, 1.5, as_of=NOW + in_days(1)) == [new]
                assert _known(store, 4, as_of=NOW + in_days(1)) == [old]
                # What it was before is told as well, and how often it was told.
                assert _known(store, 0.5) == [f"{old}.1"]
                assert store.fetch(old, (SCOPE,)).evidence_count == 1
                assert store.history(old, (SCOPE,)).chain[0].wordings[0].id == f"{old}.1"

    def test_what_was_to_end_then_was_known_to_though_it_goes_on(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "port is in Rome")
            told = draft("port is in Oslo", supersedes=old, valid_at=NOW + in_days(2))
            new = add(store, told, now_ms=_at(1))[0].id
            store.archive(new, (SCOPE,), now_ms=_at(3))
            after: dict[str, Any] = {"as_of": NOW + in_days(4)}
            assert _known(store, 1.5, **after) == [new]
            assert _known(store, 3, **after) == [old]
            assert store.fetch(old, (SCOPE,)).invalid_at_ms is None

    def test_a_document_told_again_was_known_to_be_over_though_it_holds_again(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "port is in Rome", document_id="d")
            new = add(store, draft("port is in Oslo", supersedes=old), now_ms=_at(1))[0].id
            add(store, draft("port is in Rome", document_id="d", supersedes=new), now_ms=_at(3))
            after: dict[str, Any] = {"as_of": NOW + in_days(1)}
            assert store.matching(view(**after), any_of("port"), 9) == [old]
            assert _known(store, 1.5, **after) == [new]
            assert _known(store, 0.5, **after) == [f"{old}.1"]
