"""Does what may have replaced a memory stand before it, and does everything else stay?"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.fusion.contested import newer_first
from memweir.fusion.types import Candidate, Fused, Scored


def scored(*entries: str) -> list[Scored]:
    """ "old>new": the memory "old", contested by "new"; each scores less than the one before."""
    built = []
    for place, entry in enumerate(entries):
        memory_id, _, newer = entry.partition(">")
        candidate = Candidate(memory_id, "text", contested=newer)
        built.append(Scored(candidate, Fused(memory_id, 0.0, {}), 1.0 - place / 100))
    return built


def order(*entries: str) -> list[str]:
    return [each.candidate.id for each in newer_first(scored(*entries))]


def test_a_newer_memory_moves_directly_before_the_one_it_may_have_replaced() -> None:
    assert order("a", "old>new", "b", "new", "c") == ["a", "new", "old", "b", "c"]


def test_a_newer_memory_that_stands_above_already_stays_where_it_is() -> None:
    assert order("new", "a", "old>new", "b") == ["new", "a", "old", "b"]


def test_a_newer_memory_that_is_not_in_the_list_moves_nothing() -> None:
    assert order("a", "old>new", "b") == ["a", "old", "b"]


def test_a_list_without_contested_memories_is_given_back_as_it_is() -> None:
    given_list = scored("a", "b", "c")
    assert newer_first(given_list) == given_list
    assert newer_first([]) == []


def test_an_id_that_is_empty_is_not_taken_for_the_newer_one() -> None:
    assert order("a", "b", "") == ["a", "b", ""]


def test_only_the_order_changes_and_the_moved_one_says_why_it_stands_there() -> None:
    before = {each.candidate.id: each for each in scored("old>new", "a", "new")}
    new, old, a = newer_first(scored("old>new", "a", "new"))
    assert (new.score, old.score, a.score) == (0.98, 1.0, 0.99)  # 1 - place / 100
    assert (new.ahead_of, old.ahead_of, a.ahead_of) == ("old", "", "")
    assert (old, a) == (before["old"], before["a"])
    assert "may have replaced old" in new.why.detail
    assert new.why.value == new.score


def test_a_newer_memory_that_did_not_move_carries_no_note() -> None:
    assert [each.ahead_of for each in newer_first(scored("new", "old>new"))] == ["", ""]


def test_a_chain_stands_with_the_newest_first() -> None:
    assert order("v1>v2", "a", "v2>v3", "b", "v3") == ["v3", "v2", "v1", "a", "b"]
    assert [each.ahead_of for each in newer_first(scored("v1>v2", "v2>v3", "v3"))] == ["v2", "v1", ""]
    # v2 stands above v1 already, so only v3 moves.
    assert order("v2>v3", "v1>v2", "v3") == ["v3", "v2", "v1"]


def test_a_memory_that_may_have_replaced_several_stands_before_the_best_of_them() -> None:
    assert order("a", "x>new", "b", "y>new", "new") == ["a", "new", "x", "b", "y"]


@pytest.mark.parametrize(
    "entries",
    [
        ("a>a", "b"),
        ("a>b", "b>a", "c"),
        ("a>b", "c", "b>a"),
        ("a>b", "b>c", "c>a"),
        ("c>a", "a>b", "b>c"),
    ],
)
def test_memories_that_name_each_other_in_a_circle_keep_their_order(entries: tuple[str, ...]) -> None:
    assert order(*entries) == [each.partition(">")[0] for each in entries]


def test_what_a_member_of_a_circle_may_have_replaced_still_stands_behind_it() -> None:
    # b and c name each other and keep their order; d is contested by c and b stays between.
    assert order("d>c", "b>c", "a", "c>b") == ["c", "d", "b", "a"]


ids = [f"m{n}" for n in range(7)]
lists = st.lists(
    st.tuples(st.sampled_from(ids), st.sampled_from(["", "", *ids, "gone"])),
    unique_by=lambda each: each[0],
    max_size=7,
).map(
    lambda pairs: scored(
        *(f"{memory_id}>{newer}" if newer else memory_id for memory_id, newer in pairs)
    )
)


def circles(given_list: list[Scored]) -> set[str]:
    """Ids from which following `contested` leads back to themselves: the plain way, step by step."""
    newer = {each.candidate.id: each.candidate.contested for each in given_list}
    found = set()
    for start in newer:
        at = start
        for _ in range(len(newer)):
            at = newer.get(at, "")
            if at == start:
                found.add(start)
    return found


@given(lists)
@settings(deadline=None, max_examples=300)
def test_every_newer_memory_stands_before_the_contested_one_outside_circles(
    given_list: list[Scored],
) -> None:
    ordered = newer_first(given_list)
    places = {each.candidate.id: place for place, each in enumerate(ordered)}
    assert sorted(places) == sorted(each.candidate.id for each in given_list)
    looped = circles(given_list)
    for each in given_list:
        old, new = each.candidate.id, each.candidate.contested
        if new in places and old not in looped:
            assert places[new] < places[old]


@given(lists)
@settings(deadline=None, max_examples=300)
def test_what_did_not_move_keeps_its_order_and_what_moved_stands_directly_before(
    given_list: list[Scored],
) -> None:
    ordered = newer_first(given_list)
    scores = {each.candidate.id: each.score for each in given_list}
    stayed = [each.score for each in ordered if not each.ahead_of]
    assert stayed == sorted(stayed, reverse=True)
    for place, each in enumerate(ordered):
        assert each.score == scores[each.candidate.id]
        if each.ahead_of:
            behind = ordered[place + 1]
            assert behind.candidate.id == each.ahead_of
            assert behind.candidate.contested == each.candidate.id
            # The end of the chain was the best of it, or nothing of the chain would have moved.
            end = next(other for other in ordered[place:] if not other.ahead_of)
            assert each.score < end.score
    assert newer_first(ordered) == ordered
