"""What does a person's answer do, and when is it too late? Decisions, tokens, questions asked anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from memweir.errors import InputError, NotFoundError, RefusedError, ReviewStale
from memweir.store.records import Review, to_ms
from memweir.store.seam import Store
from memweir.testing.builders import NOW, SCOPE, draft, view
from memweir.testing.contract.base import (
    EVERY_QUERY,
    HOUR_MS,
    NOW_MS,
    OTHER,
    PHONE,
    ContractBase,
    actions_of,
    add,
    add_one,
    answered,
    any_of,
    asked,
    edit,
    in_days,
    raises,
    run_of,
)

__all__ = ["ReviewsContract"]


def _two_values(store: Store, **fields: object) -> tuple[str, str]:
    """Two values of one key, the second waiting."""
    old = add_one(store, "port is 22", semantic_key="port", age_days=5)
    new = add_one(store, "port is 23", semantic_key="port", **({"age_days": 2} | fields))
    return old, new


class ReviewsContract(ContractBase):
    """Part of `StoreContract`."""

    # Decisions

    def test_replacing_archives_the_old_value_and_lets_the_new_one_in_at_once(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            old = add(store, self.everywhere(semantic_key="bird", age_days=5))[0].id
            told = self.everywhere("kestrel moved south", semantic_key="bird", age_days=2)
            new = add(store, told)[0].id
            before, _ = store.position()
            review = answered(store, "replace", now_ms=NOW_MS + HOUR_MS)
            assert store.position()[0] == before + 1  # one transaction
            assert self.found_by(store, new, "kestrel") == EVERY_QUERY
            assert self.found_by(store, old, "kestrel") == set()
            assert store.term_statistics(view(), ["kestrel", "north"]).df == {"kestrel": 1}
            assert store.vector_statistics().documents == 1
            record = store.fetch(old, (SCOPE,))
            assert (record.status, record.superseded_by) == ("archived", None)
            assert record.invalid_at_ms == to_ms(NOW - in_days(2))  # where the new one begins
            assert record.invalidated_at_ms == NOW_MS + HOUR_MS
            assert store.fetch(new, (SCOPE,)).status == "active"
            assert (review.decision, review.closed_at_ms) == ("replace", NOW_MS + HOUR_MS)
            assert (review.token, review.decisions) == ("", ())
            assert [each.id for each in review.against] == [old]
            assert actions_of(store, old) == ["created", "archived"]
            assert actions_of(store, new)[-1] == "review-replace"
            assert store.reviews((SCOPE,), now_ms=NOW_MS, limit=9) == []

    def test_what_was_replaced_held_until_the_new_value_began_and_is_seen_in_history(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            old, new = _two_values(store)
            answered(store, "replace")
            begins = NOW - in_days(2)
            moments = (begins - in_days(1), begins)
            views = [view(as_of=each, point_in_time=True) for each in moments]
            assert [store.matching(each, any_of("port"), 5) for each in views] == [[old], [new]]
            assert store.matching(view(include_history=True), any_of("port"), 5) == [new, old]
            assert store.matching(view(), any_of("port"), 5) == [new]

    def test_what_replaced_a_memory_is_told_the_last_of_several_and_once_it_was_decided(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            old, new = _two_values(store)
            assert store.replacing(view(), [old, new]) == {}
            answered(store, "replace", now_ms=NOW_MS + HOUR_MS)
            assert store.replacing(view(), [new, old]) == {old: new}
            assert store.replacing(view(known_ms=NOW_MS), [old]) == {}
            assert store.replacing(view(known_ms=NOW_MS + HOUR_MS), [old]) == {old: new}
            later = NOW_MS + 2 * HOUR_MS
            store.restore(old, (SCOPE,), now_ms=later)
            answered(store, "coexist", now_ms=later)
            third = add_one(store, "port is 24", semantic_key="port")
            answered(store, "replace", now_ms=later)
            assert store.replacing(view(), [old, new]) == {old: third, new: third}

    def test_a_rival_that_came_after_the_question_is_told_to_be_replaced_too(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            old, new = _two_values(store)
            add_one(store, "port is 25")
            second = edit(store, old, semantic_key=None).id
            late = add_one(store, "port is 24", semantic_key="port", age_days=1)
            answered(store, "replace", memory_id=new)
            assert store.replacing(view(), [second, late]) == {late: new}

    def test_what_is_replaced_ends_no_earlier_than_it_began(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old, _ = _two_values(store, age_days=9)
            answered(store, "replace")
            record = store.fetch(old, (SCOPE,))
            assert record.invalid_at_ms == record.valid_at_ms == to_ms(NOW - in_days(5))

    def test_a_value_that_began_before_all_others_may_have_held_until_the_first_of_them(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            assert "precede" not in self._decisions(store, _two_values(store))
            answered(store, "coexist")
            late = add(store, draft("port is 21", semantic_key="port", age_days=9))[0].id
            review = asked(store)
            assert review.decisions == ("replace", "precede", "coexist", "reject")
            old, new = sorted(review.against, key=lambda each: each.valid_at_ms)
            before, _ = store.position()
            decided = answered(store, "precede", now_ms=NOW_MS + HOUR_MS)
            assert store.position()[0] == before + 1  # one transaction
            assert (decided.decision, decided.memory.status) == ("precede", "active")
            record = store.fetch(late, (SCOPE,))
            assert (record.superseded_by, record.invalid_at_ms) == (old.id, old.valid_at_ms)
            assert store.fetch(old.id, (SCOPE,)).supersedes == late
            assert record.invalidated_at_ms == NOW_MS + HOUR_MS
            assert actions_of(store, late)[-2:] == ["review-precede", "superseded"]
            views = [view(as_of=NOW - in_days(each), point_in_time=True) for each in (7, 5, 0)]
            found = [store.matching(each, any_of("port"), 5) for each in views]
            assert found == [[late], [old.id], [new.id, old.id]]
            assert store.matching(view(known_ms=NOW_MS), any_of("port"), 5) == [new.id, old.id]
            assert store.reviews((SCOPE,), now_ms=NOW_MS, limit=9) == []
            chain = [each.record.id for each in store.history(late, (SCOPE,)).chain]
            assert chain[:2] == [late, old.id]

    @staticmethod
    def _decisions(store: Store, pair: tuple[str, str]) -> tuple[str, ...]:
        """What answers the open question about the newer of two."""
        review = asked(store)
        assert review.memory.id == pair[1]
        return review.decisions

    def test_a_tools_value_may_have_held_until_a_persons_began(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            tool = add_one(store, "port is 22", semantic_key="port", provenance="tool", age_days=5)
            person = add_one(store, "port is 23", semantic_key="port", age_days=2)
            assert asked(store).memory.id == tool
            answered(store, "precede")
            assert store.matching(view(), any_of("port"), 5) == [person]
            then = view(as_of=NOW - in_days(3), point_in_time=True)
            assert store.matching(then, any_of("port"), 5) == [tool]
            assert store.fetch(tool, (SCOPE,)).superseded_by == person
            assert store.fetch(person, (SCOPE,)).supersedes == tool

    def test_what_precedes_a_value_that_has_a_predecessor_is_linked_one_way(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            first = add_one(store, "port is 20", semantic_key="port", age_days=9)
            second = add_one(store, "port is 21", semantic_key="port", age_days=5, supersedes=first)
            late = add_one(store, "port is 19", semantic_key="port", age_days=7)
            answered(store, "precede")
            assert store.fetch(second, (SCOPE,)).supersedes == first
            assert store.fetch(late, (SCOPE,)).superseded_by == second

    def test_what_precedes_ends_where_a_value_began_that_is_over_by_now(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old, new = _two_values(store)
            answered(store, "replace")
            late = add_one(store, "port is 21", semantic_key="port", age_days=9)
            answered(store, "precede")
            record = store.fetch(late, (SCOPE,))
            assert (record.superseded_by, record.invalid_at_ms) == (old, to_ms(NOW - in_days(5)))
            views = [view(as_of=NOW - in_days(each), point_in_time=True) for each in (7, 3, 0)]
            found = [store.matching(each, any_of("port"), 5) for each in views]
            assert found == [[late], [old], [new]]

    def test_what_begins_with_another_or_after_it_precedes_nothing(self, tmp_path: Path) -> None:
        for days in (5, 2):
            folder = tmp_path / str(days)
            folder.mkdir()
            with self.opened(folder) as store:
                assert "precede" not in self._decisions(store, _two_values(store, age_days=days))
                with raises(InputError):
                    answered(store, "precede")

    def test_rejecting_archives_the_new_value_and_no_view_shows_it(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old, new = _two_values(store)
            answered(store, "reject", now_ms=NOW_MS + HOUR_MS)
            assert store.fetch(new, (SCOPE,)).status == "archived"
            views = (
                *(view(), view(include_history=True), view(as_of=NOW, point_in_time=True)),
                *(view(known_ms=NOW_MS + hours * HOUR_MS) for hours in (0, 1, 2)),
            )
            for shown in views:
                assert store.matching(shown, any_of("port"), 5) == [old]
            assert actions_of(store, new)[-2:] == ["review-reject", "archived"]

    def test_a_replaced_value_told_again_is_a_memory_of_its_own_that_meets_the_new_one(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            old, new = _two_values(store)
            answered(store, "replace")
            again = add(store, draft("port is 22", semantic_key="port", age_days=1))[0]
            assert (again.status, [each.id for each in asked(store).against]) == (
                "quarantined",
                [new],
            )
            answered(store, "replace")
            assert store.matching(view(), any_of("port"), 5) == [again.id]
            days = (3, 1.5, 0.5)  # 22 until two days ago, then 23, since yesterday 22
            views = [view(as_of=NOW - in_days(each), point_in_time=True) for each in days]
            found = [store.matching(each, any_of("port"), 5) for each in views]
            assert found == [[old], [new], [again.id]]

    def test_an_answer_that_does_not_fit_is_an_input_error_and_changes_nothing(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            _, new = _two_values(store)
            private = add_one(store, f"call {PHONE}")
            wrong = {new: ("approve", "dismiss", "maybe", ""), private: ("replace", "coexist", "no")}
            before = store.position()
            for memory_id, decisions in wrong.items():
                for decision in decisions:
                    with raises(InputError):
                        answered(store, decision, memory_id=memory_id)
            assert store.position() == before
            assert len(store.reviews((SCOPE,), now_ms=NOW_MS, limit=9)) == 2

    # Tokens

    def test_a_token_goes_stale_with_text_key_scope_and_status_of_the_old_value(
        self, tmp_path: Path
    ) -> None:
        changes: dict[str, Callable[[Store, str], object]] = {
            "text": lambda store, old: edit(store, old, text="port is 24"),
            "key": lambda store, old: edit(store, old, semantic_key="harbour"),
            "no key": lambda store, old: edit(store, old, semantic_key=None),
            "scope": lambda store, old: edit(store, old, scope=OTHER),
            "archived": lambda store, old: store.archive(old, (SCOPE,), now_ms=NOW_MS),
            "forgotten": lambda store, old: store.forget(old, (SCOPE,), now_ms=NOW_MS),
            "superseded": lambda store, old: add(store, draft("port is 0", supersedes=old)),
        }
        for name, change in changes.items():
            folder = tmp_path / name
            folder.mkdir()
            with self.opened(folder) as store:
                old, new = _two_values(store)
                seen = asked(store)
                change(store, old)
                self._check_stale(store, seen, new, name)
                assert asked(store).id == seen.id, name  # it is asked still, on a new sight
                assert asked(store).token != seen.token, name

    def test_a_token_goes_stale_with_text_key_scope_and_status_of_the_new_value(
        self, tmp_path: Path
    ) -> None:
        changes: dict[str, Callable[[Store, str], object]] = {
            "text": lambda store, new: edit(store, new, text="port is 24"),
            "key": lambda store, new: edit(store, new, semantic_key="harbour"),
            "scope": lambda store, new: edit(store, new, scope=OTHER),
            "archived": lambda store, new: store.archive(new, (SCOPE,), now_ms=NOW_MS),
            "forgotten": lambda store, new: store.forget(new, (SCOPE,), now_ms=NOW_MS),
        }
        for name, change in changes.items():
            folder = tmp_path / name
            folder.mkdir()
            with self.opened(folder) as store:
                _, new = _two_values(store)
                seen = asked(store)
                change(store, new)
                scope = OTHER if name == "scope" else SCOPE
                status = store.fetch(new, (scope,)).status
                with raises(NotFoundError if name == "scope" else ReviewStale):
                    store.decide(seen.id, "replace", seen.token, (SCOPE,), now_ms=NOW_MS)
                assert store.fetch(new, (scope,)).status == status, name
                if name != "scope":
                    closed = store.review(seen.id, (SCOPE,), now_ms=NOW_MS)
                    assert (closed.decision, closed.token) == ("withdrawn", ""), name

    def test_a_token_goes_stale_when_another_rival_comes_or_goes(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old, second = _two_values(store)
            third = add_one(store, "port is 24", semantic_key="port", age_days=1)
            _, seen = store.reviews((SCOPE,), now_ms=NOW_MS, limit=9)
            if seen.memory.id != third:
                seen, _ = store.reviews((SCOPE,), now_ms=NOW_MS, limit=9)
            assert [each.id for each in seen.against] == [old]  # what waits is no rival
            answered(store, "coexist", memory_id=second)
            self._check_stale(store, seen, third, "one more")
            seen = asked(store)
            assert {each.id for each in seen.against} == {old, second}
            store.archive(second, (SCOPE,), now_ms=NOW_MS)
            self._check_stale(store, seen, third, "one less")
            answered(store, "replace")
            assert store.matching(view(), any_of("port"), 5) == [third]

    @staticmethod
    def _check_stale(store: Store, seen: Review, memory_id: str, why: str) -> None:
        """The decision is refused, changes nothing, and is in the ledger."""
        before = [store.fetch(memory_id, (SCOPE,)), *store.review(seen.id, (SCOPE,), now_ms=0).against]
        changes, line = store.position()
        with raises(ReviewStale) as caught:
            store.decide(seen.id, "replace", seen.token, (SCOPE,), now_ms=NOW_MS + 7)
        assert isinstance(caught[0], RefusedError), why
        after = [store.fetch(memory_id, (SCOPE,)), *store.review(seen.id, (SCOPE,), now_ms=0).against]
        assert after == before, why
        assert store.position() == (changes, line + 1), why
        entry = store.trail(memory_id, (SCOPE,)).ledger[0]
        assert entry == {
            "at": NOW_MS + 7,
            "action": "review-refused",
            "rule": "review-stale",
            "detail": seen.id,
        }, why

    def test_a_token_stays_good_when_only_pin_importance_evidence_or_credence_change(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            old, new = _two_values(store)
            seen = asked(store)
            for each in (old, new):
                edit(store, each, pinned=True)
                edit(store, each, importance=0.9)
                store.feedback(each, "helped", (SCOPE,), now_ms=NOW_MS)
                store.counter(each, (SCOPE,), now_ms=NOW_MS)
            add(store, draft("port is 22", semantic_key="port"))
            add(store, draft("port is 23", semantic_key="port"))
            store.record_run(run_of([old, new], injected=(old, new)))
            assert asked(store).token == seen.token
            decided = store.decide(seen.id, "coexist", seen.token, (SCOPE,), now_ms=NOW_MS)
            assert decided.decision == "coexist"

    def test_a_token_goes_stale_with_whatever_else_a_side_says(self, tmp_path: Path) -> None:
        said: tuple[dict[str, Any], ...] = (
            {"title": "Ports"},
            {"tags": ("net",)},
            {"raw_quote": "it is 23"},
        )
        with self.opened(tmp_path) as store:
            _, new = _two_values(store)
            for fields in said:
                seen = asked(store)
                add(store, draft("port is 23", semantic_key="port", **fields))
                self._check_stale(store, seen, new, str(fields))

    def test_a_question_is_decided_once(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            _, new = _two_values(store)
            seen = asked(store)
            answered(store, "reject")
            for decision, token in (("reject", seen.token), ("replace", seen.token), ("replace", "")):
                changes, line = store.position()
                with raises(ReviewStale):
                    store.decide(seen.id, decision, token, (SCOPE,), now_ms=NOW_MS)
                assert store.position() == (changes, line + 1)
            assert store.fetch(new, (SCOPE,)).status == "archived"
            assert store.review(seen.id, (SCOPE,), now_ms=NOW_MS).decision == "reject"
            assert actions_of(store, new)[-3:] == ["review-refused"] * 3

    # Whose questions

    def test_the_questions_of_another_scope_are_not_found(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            _two_values(store)
            review = asked(store)
            assert store.reviews((OTHER,), now_ms=NOW_MS, limit=9) == []
            with raises(NotFoundError):
                store.review(review.id, (OTHER,), now_ms=NOW_MS)
            with raises(NotFoundError):
                store.decide(review.id, "replace", review.token, (OTHER,), now_ms=NOW_MS)
            with raises(NotFoundError):
                store.review("rev_nothing", (SCOPE,), now_ms=NOW_MS)
            assert asked(store) == review

    def test_a_decided_question_shows_nothing_that_has_moved_to_another_scope(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            old, new = _two_values(store)
            review = answered(store, "coexist")
            edit(store, old, scope=OTHER, text="port is hidden")
            again = store.review(review.id, (SCOPE,), now_ms=NOW_MS)
            assert (again.memory.id, again.against) == (new, ())
            both = store.review(review.id, (SCOPE, OTHER), now_ms=NOW_MS)
            assert [each.text for each in both.against] == ["port is hidden"]
            edit(store, new, scope=OTHER, text="port is not told")
            with raises(NotFoundError):
                store.review(review.id, (SCOPE,), now_ms=NOW_MS)

    def test_open_questions_come_oldest_first_and_at_most_the_limit(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            ids = [
                add(store, draft(f"call {PHONE} {n}", scope=scope), now_ms=NOW_MS + n)[0].id
                for n, scope in enumerate((SCOPE, OTHER, SCOPE, SCOPE))
            ]
            found = store.reviews((SCOPE, OTHER), now_ms=NOW_MS, limit=3)
            assert [each.memory.id for each in found] == ids[:3]
            found = store.reviews((SCOPE,), now_ms=NOW_MS, limit=9)
            assert [each.memory.id for each in found] == [ids[0], *ids[2:]]

    # Asked anew

    def test_a_restored_value_meets_the_one_that_holds_its_key_by_now(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "port is 22", semantic_key="port")
            store.archive(old, (SCOPE,), now_ms=NOW_MS)
            new = add_one(store, "port is 23", semantic_key="port")
            assert store.restore(old, (SCOPE,), now_ms=NOW_MS).status == "quarantined"
            review = asked(store)
            assert (review.memory.id, [each.id for each in review.against]) == (old, [new])
            assert store.matching(view(), any_of("port"), 5) == [new]
            answered(store, "replace")
            assert store.matching(view(), any_of("port"), 5) == [old]

    def test_a_replaced_value_restored_meets_what_replaced_it_and_holds_again_where_it_wins(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            old, new = _two_values(store)
            answered(store, "replace")
            assert store.restore(old, (SCOPE,), now_ms=NOW_MS).status == "quarantined"
            assert store.fetch(old, (SCOPE,)).invalid_at_ms is None
            assert [each.id for each in asked(store).against] == [new]
            answered(store, "coexist")
            assert set(store.matching(view(), any_of("port"), 5)) == {old, new}

    def test_a_new_key_is_checked_whether_it_is_edited_or_told(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            add_one(store, "port is 22", semantic_key="port")
            edited, told = add_one(store, "port is 23"), add_one(store, "port is 24")
            assert edit(store, edited, semantic_key="port").status == "quarantined"
            again = add(store, draft("port is 24", semantic_key="port"))[0]
            assert (again.id, again.outcome, again.status) == (told, "confirmed", "quarantined")
            assert store.count(view()) == 1
            waiting = store.reviews((SCOPE,), now_ms=NOW_MS, limit=9)
            assert {each.memory.id for each in waiting} == {edited, told}

    def test_a_memory_moved_to_another_scope_meets_the_key_there(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            there = add_one(store, "port is 22", semantic_key="port", scope=OTHER)
            moved = add_one(store, "port is 23", semantic_key="port")
            assert edit(store, moved, scope=OTHER).status == "quarantined"
            assert store.reviews((SCOPE,), now_ms=NOW_MS, limit=9) == []
            assert [each.id for each in asked(store, OTHER).against] == [there]
            assert store.count(view()) == 0

    def test_another_text_under_the_same_key_is_asked_about(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            mine = add_one(store, "port is 22", semantic_key="port")
            twin = add_one(store, "port is 22", semantic_key="port", speaker="Ada")
            assert edit(store, twin, text="port is 23").status == "quarantined"
            assert [each.id for each in asked(store).against] == [mine]

    def test_a_waiting_value_edited_to_say_the_same_is_let_in(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "port is 22", semantic_key="port", speaker="Ada")
            new = add_one(store, "port is 23", semantic_key="port")
            review = asked(store)
            edited = edit(store, new, text="Port is 22")
            assert (edited.status, edited.reviews) == ("active", ())
            closed = store.review(review.id, (SCOPE,), now_ms=NOW_MS)
            assert (closed.decision, closed.decisions) == ("withdrawn", ())
            assert set(store.matching(view(), any_of("port"), 5)) == {old, new}

    def test_a_question_whose_rivals_are_all_gone_needs_a_yes(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old, new = _two_values(store)
            store.forget(old, (SCOPE,), now_ms=NOW_MS)
            review = asked(store)
            assert (review.against, review.decisions) == ((), ("approve", "reject"))
            with raises(InputError):
                answered(store, "replace")
            answered(store, "approve")
            assert store.matching(view(), any_of("port"), 5) == [new]
