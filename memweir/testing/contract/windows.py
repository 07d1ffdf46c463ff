"""When do two memories meet? One value of a key holds after another; ends move with beginnings."""

from __future__ import annotations

from pathlib import Path

from memweir.errors import RefusedError
from memweir.store.records import to_ms
from memweir.store.seam import Store
from memweir.testing.builders import NOW, SCOPE, view
from memweir.testing.contract.base import (
    NOW_MS,
    OTHER,
    PHONE,
    ContractBase,
    actions_of,
    add_one,
    answered,
    any_of,
    asked,
    edit,
    in_days,
    raises,
)

__all__ = ["WindowsContract"]


def _port(store: Store, days: float, **fields: object) -> list[str]:
    """The values of the port that hold so many days from now."""
    shown = view(as_of=NOW + in_days(days), point_in_time=True, **fields)
    return store.matching(shown, any_of("port"), 99)


def _status(store: Store, memory_id: str) -> str:
    return store.fetch(memory_id, (SCOPE,)).status


def _handed_over(store: Store) -> tuple[str, str]:
    """A port that holds, and the one that it becomes in three days."""
    old = add_one(store, "port is 22", semantic_key="port")
    new = add_one(store, "port is 23", semantic_key="port", supersedes=old, valid_at=NOW + in_days(3))
    return old, new


class WindowsContract(ContractBase):
    """Part of `StoreContract`."""

    # Values of one key

    def test_what_ends_one_day_is_a_rival_until_then(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old, new = _handed_over(store)
            third = add_one(store, "port is 24", semantic_key="port", age_days=None)
            assert _status(store, third) == "quarantined"
            assert {each.id for each in asked(store).against} == {old, new}
            answered(store, "replace")
            assert [_port(store, days) for days in (-1, 1, 4)] == [[old], [third], [third]]
            replaced = store.fetch(old, (SCOPE,))
            assert (replaced.status, replaced.superseded_by) == ("archived", None)
            assert store.fetch(new, (SCOPE,)).supersedes is None

    def test_a_value_that_begins_after_another_ends_is_no_question(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            leave = add_one(store, "port is 22", semantic_key="port", expires_at=NOW + in_days(2))
            back = add_one(store, "port is 23", semantic_key="port", valid_at=NOW + in_days(2))
            assert _status(store, back) == "active"
            assert store.reviews((SCOPE,), now_ms=NOW_MS, limit=9) == []
            early = add_one(store, "port is 24", semantic_key="port", valid_at=NOW + in_days(1.9))
            assert {each.id for each in asked(store).against} == {leave, back}
            assert _status(store, early) == "quarantined"

    def test_what_expired_is_no_rival_until_it_is_to_last_longer(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "port is 22", semantic_key="port", expires_at=NOW - in_days(1))
            new = add_one(store, "port is 23", semantic_key="port")
            assert (_status(store, old), _status(store, new)) == ("active", "active")
            assert edit(store, old, expires_at=NOW + in_days(1)).status == "quarantined"
            assert [each.id for each in asked(store).against] == [new]

    def test_telling_a_value_again_for_another_time_asks_anew(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            later = add_one(store, "port is 23", semantic_key="port", valid_at=NOW + in_days(5))
            first = add_one(store, "port is 22", semantic_key="port", expires_at=NOW + in_days(5))
            assert store.reviews((SCOPE,), now_ms=NOW_MS, limit=9) == []
            add_one(store, "port is 23", semantic_key="port", valid_at=NOW + in_days(2))
            assert (_status(store, first), _status(store, later)) == ("active", "quarantined")
            assert asked(store).memory.id == later

    # A person's word against tools'

    def test_a_persons_value_comes_in_and_a_tools_waits(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            guessed = add_one(store, "port is 22", semantic_key="port", provenance="inferred")
            stated = add_one(store, "port is 23", semantic_key="port")
            assert (_status(store, guessed), _status(store, stated)) == ("quarantined", "active")
            review = asked(store)
            assert (review.memory.id, [each.id for each in review.against]) == (guessed, [stated])
            assert actions_of(store, guessed)[-2:] == ["quarantined", "review-asked"]
            answered(store, "reject")
            assert _port(store, 0) == [stated]

    def test_a_tools_value_that_waits_behind_a_persons_may_still_replace_it(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            read = add_one(store, "port is 22", semantic_key="port", provenance="tool", age_days=1)
            stated = add_one(store, "port is 23", semantic_key="port", age_days=3)
            answered(store, "replace")
            assert _port(store, 0) == [read]
            assert _status(store, stated) == "archived"

    def test_a_persons_value_waits_where_a_person_stated_another(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            stated = add_one(store, "port is 22", semantic_key="port")
            second = add_one(store, "port is 23", semantic_key="port")
            assert (_status(store, stated), _status(store, second)) == ("active", "quarantined")

    # Beginnings that are withdrawn or corrected

    def test_withdrawing_what_has_not_begun_lets_its_predecessor_go_on(self, tmp_path: Path) -> None:
        for verb in ("archive", "forget"):
            folder = tmp_path / verb
            folder.mkdir()
            with self.opened(folder) as store:
                old, new = _handed_over(store)
                getattr(store, verb)(new, (SCOPE,), now_ms=NOW_MS)
                assert [_port(store, days) for days in (1, 4)] == [[old], [old]]
                assert actions_of(store, old)[-1] == "revived"
                # Brought back in time it takes over again.
                store.restore(new, (SCOPE,), now_ms=NOW_MS + 1)
                assert [_port(store, days) for days in (1, 4)] == [[old], [new]]

    def test_withdrawing_what_has_begun_revives_nothing(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            _, new = _handed_over(store)
            store.archive(new, (SCOPE,), now_ms=to_ms(NOW + in_days(3)))
            assert _port(store, 4) == []

    def test_what_must_wait_before_it_begins_lets_its_predecessor_go_on(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old, new = _handed_over(store)
            edit(store, new, text=f"port is 23, ask {PHONE}")
            assert [_port(store, days) for days in (1, 4)] == [[old], [old]]
            answered(store, "approve")
            assert [_port(store, days) for days in (1, 4)] == [[old], [new]]

    def test_correcting_a_beginning_moves_the_end_before_it(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old, new = _handed_over(store)
            edit(store, new, valid_at=NOW + in_days(5), now_ms=NOW_MS + 10)
            assert [_port(store, days) for days in (2, 4, 6)] == [[old], [old], [new]]
            # What was known before is kept: it was to end earlier.
            assert _port(store, 4, known_ms=NOW_MS + 9) == [f"{new}.1"]
            assert _port(store, 4, known_ms=NOW_MS + 10) == [old]
            edit(store, new, valid_at=NOW - in_days(1), now_ms=NOW_MS + 20)
            assert [_port(store, days) for days in (-2, 0, 6)] == [[old], [new], [new]]
            moved = store.fetch(old, (SCOPE,))
            assert (moved.superseded_by, moved.invalid_at_ms) == (new, to_ms(NOW - in_days(1)))
            assert actions_of(store, old)[-1] == "edited"

    def test_no_end_moves_before_its_beginning(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old, new = _handed_over(store)
            edit(store, new, valid_at=NOW - in_days(30))
            moved = store.fetch(old, (SCOPE,))
            assert moved.invalid_at_ms == moved.valid_at_ms

    def test_the_end_of_what_a_person_replaced_moves_too(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "port is 22", semantic_key="port", age_days=9)
            new = add_one(store, "port is 23", semantic_key="port", age_days=5)
            answered(store, "replace")
            assert [_port(store, days) for days in (-6, -4, -1)] == [[old], [new], [new]]
            edit(store, new, valid_at=NOW - in_days(3))
            assert [_port(store, days) for days in (-6, -4, -1)] == [[old], [old], [new]]

    def test_telling_a_successor_again_with_another_beginning_moves_the_end(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            old, new = _handed_over(store)
            add_one(store, "port is 23", semantic_key="port", valid_at=NOW + in_days(1))
            assert [_port(store, days) for days in (0, 2)] == [[old], [new]]

    # What was superseded can be corrected

    def test_what_was_superseded_is_corrected_for_the_time_it_held(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "port is 22", semantic_key="port", age_days=9)
            new = add_one(store, "port is 23", semantic_key="port", age_days=5, supersedes=old)
            edit(store, old, text="port is 21")
            assert store.fetch(old, (SCOPE,)).superseded_by == new
            assert [_port(store, days) for days in (-6, 0)] == [[old], [new]]
            shown = view(as_of=NOW - in_days(6), point_in_time=True)
            assert store.records(shown, [old])[old].text == "port is 21"

    def test_what_was_superseded_cannot_be_given_what_would_have_to_wait(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old, _ = _handed_over(store)
            other = add_one(store, "editor is vim", semantic_key="editor")
            with raises(RefusedError):
                edit(store, old, text=f"port is 22, ask {PHONE}")
            with raises(RefusedError):
                edit(store, old, semantic_key="editor")
            assert store.fetch(old, (SCOPE,)).semantic_key == "port"
            assert _status(store, other) == "active"
            assert actions_of(store, old)[-2:] == ["edit-refused", "edit-refused"]

    def test_a_beginning_is_not_moved_where_that_brings_back_a_second_value(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "port is 22", semantic_key="port", age_days=9)
            new = add_one(store, "ports are gone", age_days=5, supersedes=old)
            other = add_one(store, "port is 23", semantic_key="port")
            with raises(RefusedError):
                edit(store, new, valid_at=NOW + in_days(2))
            assert _port(store, 0) == [other]

    # A clock that was set back

    def test_a_belief_never_ends_before_it_begins(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "port is 22")
            store.archive(memory_id, (SCOPE,), now_ms=NOW_MS - 1000)
            for shift in (-1001, -1000, -1, 0, 1):
                shown = view(known_ms=NOW_MS + shift)
                assert store.matching(shown, any_of("port"), 9) == []
            store.restore(memory_id, (SCOPE,), now_ms=NOW_MS - 500)
            assert store.matching(view(known_ms=NOW_MS - 400), any_of("port"), 9) == [memory_id]

    # A successor that moves away

    def test_what_was_to_end_goes_on_where_its_successor_moves_to_another_scope(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            old, new = _handed_over(store)
            edit(store, new, now_ms=NOW_MS + 1, scope=OTHER)
            record = store.fetch(old, (SCOPE,))
            assert (record.superseded_by, record.invalid_at_ms) == (None, None)
            assert _port(store, 4) == [old]
            assert "revived" in actions_of(store, old)
