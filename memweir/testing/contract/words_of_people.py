"""Does what a person stated stand until a person says otherwise? No tool or inference changes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memweir.errors import RefusedError, ReviewStale
from memweir.store.records import to_ms
from memweir.testing.builders import NOW, SCOPE, draft, view
from memweir.testing.contract.base import (
    HOUR_MS,
    NOW_MS,
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
)

__all__ = ["WordsOfPeopleContract"]

_MAIL = "the port is 9090, ask ada@example.org"


class WordsOfPeopleContract(ContractBase):
    """Part of `StoreContract`."""

    # When it ends

    def test_a_tool_does_not_move_when_a_persons_memory_ends(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            stated = add_one(store, "the port is 1", semantic_key="k")
            told: dict[str, Any] = {"semantic_key": "k", "provenance": "tool"}
            add_one(store, "the port is 2", valid_at=NOW + in_days(30), **told)
            answered(store, "replace")
            ends = store.fetch(stated, (SCOPE,)).invalid_at_ms
            assert ends == to_ms(NOW + in_days(30))
            earlier = draft("the port is 2", valid_at=NOW - in_days(1), **told)
            (refused,) = store.add_many([earlier], now_ms=NOW_MS + 9)
            assert isinstance(refused, RefusedError)
            assert store.fetch(stated, (SCOPE,)).invalid_at_ms == ends
            assert actions_of(store, stated)[-1] == "supersede-refused"
            # A person may.
            add(store, draft("the port is 2", semantic_key="k", valid_at=NOW + in_days(9)))
            assert store.fetch(stated, (SCOPE,)).invalid_at_ms == to_ms(NOW + in_days(9))

    def test_a_tool_moves_no_end_by_bringing_back_what_was_over_under_its_document_id(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            stated = add_one(store, "the port is 1", semantic_key="k", age_days=9)
            told: dict[str, Any] = {"document_id": "d", "provenance": "tool", "semantic_key": "k"}
            held = add_one(store, "the port is 2", valid_at=NOW - in_days(2), **told)
            answered(store, "replace")
            ends = store.fetch(stated, (SCOPE,)).invalid_at_ms
            assert ends == to_ms(NOW - in_days(2))
            add_one(store, "there is no port", supersedes=held, provenance="tool")
            again = draft("the port is 3", **told)  # told three days ago
            (refused,) = store.add_many([again], now_ms=NOW_MS + 9)
            assert isinstance(refused, RefusedError)
            assert store.fetch(stated, (SCOPE,)).invalid_at_ms == ends

    # What waits to supersede it

    def test_what_a_tool_was_to_supersede_is_a_persons_word_by_now_and_stands(
        self, tmp_path: Path
    ) -> None:
        for by_edit in (False, True):
            with self.opened(tmp_path / str(by_edit)) as store:
                old = add_one(store, "the port is 8080", provenance="tool")
                new = add_one(store, _MAIL, provenance="tool", supersedes=old)
                if by_edit:
                    edit(store, old, text="the port is 7777")
                else:
                    add(store, draft("the port is 8080"))
                assert asked(store).supersedes is None
                answered(store, "approve")
                kept = store.fetch(old, (SCOPE,))
                assert (kept.provenance, kept.superseded_by) == ("human", None)
                assert store.fetch(new, (SCOPE,)).supersedes is None
                assert set(store.matching(view(), any_of("port"), 5)) == {old, new}

    def test_what_a_tool_was_to_supersede_is_asked_about_where_they_share_a_key(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            told: dict[str, Any] = {"provenance": "tool", "semantic_key": "port"}
            old = add_one(store, "the port is 8080", **told)
            new = add_one(store, _MAIL, supersedes=old, **told)
            add(store, draft("the port is 8080", semantic_key="port"))
            answered(store, "approve")
            review = asked(store)
            assert (review.kind, review.memory.id) == ("key", new)
            assert [each.id for each in review.against] == [old]
            assert store.matching(view(), any_of("port"), 5) == [old]

    def test_a_question_shows_what_would_be_superseded_and_is_stale_once_that_changed(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "the port is 8080")
            add_one(store, _MAIL, supersedes=old)
            review = asked(store)
            assert review.supersedes == store.fetch(old, (SCOPE,))
            assert review.against == ()
            edit(store, old, text="the port is 8081")
            with raises(ReviewStale):
                store.decide(review.id, "approve", review.token, (SCOPE,), now_ms=NOW_MS + 5)
            answered(store, "approve", now_ms=NOW_MS + 9)
            assert store.fetch(old, (SCOPE,)).superseded_by == review.memory.id

    def test_what_comes_back_supersedes_no_word_that_a_person_confirmed_meanwhile(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "the port is 8080", provenance="tool")
            new = add_one(
                store,
                "the port is 9090",
                provenance="tool",
                supersedes=old,
                valid_at=NOW + in_days(5),
            )
            store.archive(new, (SCOPE,), now_ms=NOW_MS + 1)
            add(store, draft("the port is 8080"), now_ms=NOW_MS + 2)
            store.restore(new, (SCOPE,), now_ms=NOW_MS + 3)
            assert store.fetch(old, (SCOPE,)).superseded_by is None
            assert store.fetch(old, (SCOPE,)).invalid_at_ms is None

    # What a person says too

    def test_a_waiting_value_that_a_person_tells_comes_in_and_the_tools_waits(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            told: dict[str, Any] = {"provenance": "tool", "semantic_key": "port"}
            first = add_one(store, "the port is 1", **told)
            second = add_one(store, "the port is 2", **told)
            stored = add(store, draft("the port is 2", semantic_key="port"), now_ms=NOW_MS + 9)[0]
            assert (stored.id, stored.status) == (second, "active")
            assert store.fetch(first, (SCOPE,)).status == "quarantined"
            review = asked(store)
            assert review.memory.id == first
            assert [each.id for each in review.against] == [second]
            assert store.matching(view(), any_of("port"), 5) == [second]

    def test_a_waiting_value_that_a_person_tells_supersedes_what_the_person_names(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            first = add_one(store, "the port is 1", semantic_key="port")
            second = add_one(store, "the port is 2", semantic_key="port", provenance="tool")
            told = draft("the port is 2", semantic_key="port", supersedes=first)
            assert add(store, told, now_ms=NOW_MS + 9)[0].status == "active"
            assert store.fetch(first, (SCOPE,)).superseded_by == second
            assert store.reviews((SCOPE,), now_ms=NOW_MS + 9, limit=9) == []

    def test_a_waiting_value_goes_on_waiting_where_another_person_s_value_holds(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            add_one(store, "the port is 1", semantic_key="port")
            add_one(store, "the port is 2", semantic_key="port", provenance="tool")
            review = asked(store)
            stored = add(store, draft("the port is 2", semantic_key="port"), now_ms=NOW_MS + HOUR_MS)
            assert (stored[0].status, stored[0].reviews) == ("quarantined", (review.id,))
