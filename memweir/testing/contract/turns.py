"""What was said just before and after a turn?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from memweir.store.reads import Neighbours
from memweir.store.records import Draft
from memweir.store.scopes import Scope
from memweir.testing.builders import NOW, SCOPE, draft, view
from memweir.testing.contract.base import NOW_MS, OTHER, ContractBase, add, in_days

__all__ = ["TurnsContract"]


class TurnsContract(ContractBase):
    """Part of `StoreContract`."""

    @staticmethod
    def _turn(place: int | str, session: str | None = "s", text: str = "", **fields: object) -> Draft:
        values: dict[str, object] = {"kind": "turn", "session_id": session, "source": f"s@{place}"}
        return draft(text or f"turn {place} of {session}", **(values | fields))  # type: ignore[arg-type]

    def test_the_turns_next_to_a_turn_are_those_one_before_and_one_after_it(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            drafts = [self._turn(place) for place in (0, 1, 2, 4, 9, 10)]
            zero, one, two, four, nine, ten = (each.id for each in add(store, *drafts))
            assert store.neighbours(view(), [one, two, four, nine, ten, zero, "mem_none"]) == {
                zero: Neighbours(None, one),
                one: Neighbours(zero, two),
                two: Neighbours(one, None),
                four: Neighbours(None, None),
                nine: Neighbours(None, ten),
                ten: Neighbours(nine, None),
            }
            assert store.neighbours(view(), []) == {}
            assert store.neighbours(view(Scope.team("nobody")), [one]) == {}

    def test_what_is_no_turn_or_does_not_point_into_its_session_has_no_neighbours_and_is_none(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            turn, first = (each.id for each in add(store, self._turn(5), self._turn(0)))
            others = [
                self._turn(4, kind="fact"),
                self._turn(4, session=None),
                self._turn(4, session="t"),
                self._turn(6, source=None),
                self._turn(6, source="6"),
                self._turn(6, source="s@06"),
                self._turn(6, source="s@6 "),
                self._turn(6, source="s@٦"),
                self._turn(6, source="s@-6"),
                self._turn(6, source="s@"),
                self._turn(-1, source="s@-1"),
            ]
            others = [replace(each, text=f"other {n}") for n, each in enumerate(others)]
            ids = [each.id for each in add(store, *others)]
            assert store.neighbours(view(), [turn, first, *ids]) == dict.fromkeys(
                (turn, first), Neighbours(None, None)
            )

    def test_a_session_named_with_an_at_sign_is_a_session_of_its_own(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            drafts = [
                self._turn(1, session="a@b", source="a@b@1"),
                self._turn(2, session="a@b", source="a@b@2"),
                self._turn(3, session="a", source="a@b@3"),
                self._turn(3, session="a", source="a@3"),
            ]
            drafts = [replace(each, text=f"turn {n}") for n, each in enumerate(drafts)]
            one, two, astray, other = (each.id for each in add(store, *drafts))
            assert store.neighbours(view(), [one, two, astray, other]) == {
                one: Neighbours(None, two),
                two: Neighbours(one, None),
                other: Neighbours(None, None),
            }

    def test_a_neighbour_that_may_not_be_seen_is_none(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            (turn,) = (each.id for each in add(store, self._turn(5)))
            add(store, self._turn(4, scope=OTHER), self._turn(6, scope=OTHER))
            hidden = [
                self._turn(4, text="archived"),
                self._turn(6, text="later", valid_at=NOW + in_days(1)),
                self._turn(4, text="elsewhere", scene="work"),
            ]
            archived, later, elsewhere = (each.id for each in add(store, *hidden))
            store.forget(archived, (SCOPE,), now_ms=NOW_MS)
            home = view(SCOPE, OTHER, scene="home")
            assert store.neighbours(home, [turn, archived, later, elsewhere]) == {
                turn: Neighbours(None, None)
            }
            future = view(as_of=NOW + in_days(2), scene="work")
            assert store.neighbours(future, [turn, later]) == {
                turn: Neighbours(elsewhere, later),
                later: Neighbours(turn, None),
            }

    def test_turns_with_one_number_follow_each_other_as_they_were_created(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            # Days before now: 4 is told first at its place, though stored last.
            ages = {"three": (3, 9), "late": (4, 5), "mid": (4, 6), "early": (4, 7), "five": (5, 8)}
            drafts = [
                self._turn(place, text=text, created_at=NOW - in_days(age))
                for text, (place, age) in ages.items()
            ]
            three, late, mid, early, five = (each.id for each in add(store, *drafts))
            expected = {
                three: Neighbours(None, early),
                early: Neighbours(three, mid),
                mid: Neighbours(early, late),
                late: Neighbours(mid, five),
                five: Neighbours(late, None),
            }
            assert store.neighbours(view(), list(expected)) == expected
            for each, sides in expected.items():  # whoever else is asked for
                assert store.neighbours(view(), [each]) == {each: sides}

    def test_turns_with_one_number_told_at_one_moment_follow_each_other_by_id(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            same = sorted(
                each.id for each in add(store, *[self._turn(4, text=f"t{n}") for n in range(5)])
            )
            (turn,) = (each.id for each in add(store, self._turn(5)))
            line = [None, *same, turn, None]
            assert store.neighbours(view(), [turn, *same]) == {
                each: Neighbours(line[at - 1], line[at + 1])
                for at, each in enumerate(line)
                if each is not None
            }

    def test_what_only_claims_a_place_stands_between_no_turns(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            one, two = (each.id for each in add(store, self._turn(1), self._turn(2)))
            add(
                store,
                self._turn(1, kind="fact", text="a fact"),
                self._turn(1, session="t", text="of another session"),
                self._turn(1, scope=OTHER, text="of another scope"),
                self._turn(1, text="not yet valid", valid_at=NOW + in_days(1)),
            )
            assert store.neighbours(view(), [one, two]) == {
                one: Neighbours(None, two),
                two: Neighbours(one, None),
            }
