"""What stands side by side by a person's decision? Coexistence groups, and what breaks them up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from memweir.store.seam import Store
from memweir.testing.builders import NOW, SCOPE, draft, view
from memweir.testing.contract.base import (
    NOW_MS,
    OTHER,
    ContractBase,
    actions_of,
    add,
    add_one,
    answered,
    asked,
    edit,
    in_days,
)

__all__ = ["GroupsContract"]


def _group(store: Store, *texts: str, key: str = "port") -> list[str]:
    """Values of one key that a person let coexist."""
    ids = [add_one(store, texts[0], semantic_key=key)]
    for text in texts[1:]:
        ids.append(add_one(store, text, semantic_key=key))
        answered(store, "coexist", memory_id=ids[-1])
    return ids


def _groups_of(store: Store, *ids: str) -> list[str | None]:
    return [store.fetch(each, (SCOPE, OTHER)).coexistence for each in ids]


class GroupsContract(ContractBase):
    """Part of `StoreContract`."""

    def test_values_that_coexist_are_mates_of_one_group(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            one, two = _group(store, "port is 22", "port is 23")
            alone = add_one(store, "nothing else")
            (group,) = set(_groups_of(store, one, two))
            assert group is not None
            assert store.fetch(alone, (SCOPE,)).coexistence is None
            assert store.group_mates(view(), [group]) == sorted([one, two])
            assert store.group_mates(view(), ["grp_nothing"]) == []
            assert store.group_mates(view(), []) == []
            assert store.reviews((SCOPE,), now_ms=NOW_MS, limit=9) == []
            assert actions_of(store, one) == ["created", "grouped"]
            assert actions_of(store, two)[-2:] == ["review-coexist", "grouped"]
            assert store.trail(one, (SCOPE,)).ledger[0]["detail"] == group

    def test_a_third_value_meets_the_whole_group_and_joins_it(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            one, two = _group(store, "port is 22", "port is 23")
            (before,) = set(_groups_of(store, one, two))
            three = add_one(store, "port is 24", semantic_key="port")
            assert {each.id for each in asked(store).against} == {one, two}
            answered(store, "coexist")
            assert _groups_of(store, one, two, three) == [before] * 3
            assert store.group_mates(view(), [before or ""]) == sorted([one, two, three])

    def test_a_value_that_replaces_a_group_archives_all_of_it(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            one, two = _group(store, "port is 22", "port is 23")
            three = add_one(store, "port is 24", semantic_key="port")
            answered(store, "replace")
            assert [store.fetch(each, (SCOPE,)).status for each in (one, two, three)] == [
                *("archived", "archived", "active"),
            ]
            assert _groups_of(store, one, two, three) == [None] * 3

    def test_mates_are_shown_only_where_the_view_shows_them(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            one, two = _group(store, "port is 22", "port is 23")
            edit(store, two, pinned=True)
            (group,) = {str(each) for each in _groups_of(store, one, two)}
            assert store.group_mates(view(OTHER), [group]) == []
            assert store.group_mates(view(tags=("net",)), [group]) == []
            assert store.group_mates(view(SCOPE, OTHER), [group, group]) != []

    def test_pin_importance_and_further_tellings_break_up_no_group(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            one, two = _group(store, "port is 22", "port is 23")
            before = _groups_of(store, one, two)
            edit(store, one, pinned=True, importance=0.8)
            # Fields given as they are change nothing, whoever fills in the whole form.
            edit(store, two, text="port is 23", semantic_key="port", tags=(), pinned=True)
            add(store, draft("port is 22", semantic_key="PORT", title="Ports"))
            store.feedback(one, "helped", (SCOPE,), now_ms=NOW_MS)
            assert _groups_of(store, one, two) == before

    def test_labels_break_up_no_group(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            one, two = _group(store, "port is 22", "port is 23")
            before = _groups_of(store, one, two)
            assert edit(store, two, title="Ports", tags=("net",), scene="work").status == "active"
            assert _groups_of(store, one, two) == before

    def test_other_words_leave_the_group_and_are_asked_about(self, tmp_path: Path) -> None:
        changes: tuple[dict[str, Any], ...] = (
            {"text": "port is 25"},
            {"valid_at": NOW - in_days(40)},
        )
        for place, change in enumerate(changes):
            folder = tmp_path / str(place)
            folder.mkdir()
            with self.opened(folder) as store:
                one, two, three = _group(store, "port is 22", "port is 23", "port is 24")
                assert edit(store, two, **change).status == "quarantined"
                assert {each.id for each in asked(store).against} == {one, three}
                group, none, same = _groups_of(store, one, two, three)
                assert (none, same) == (None, group)
                answered(store, "coexist")
                assert _groups_of(store, one, two, three) == [group] * 3

    def test_who_leaves_a_group_of_two_leaves_nobody_in_a_group(self, tmp_path: Path) -> None:
        leaving: dict[str, Callable[[Store, str], object]] = {
            "archive": lambda store, each: store.archive(each, (SCOPE,), now_ms=NOW_MS),
            "forget": lambda store, each: store.forget(each, (SCOPE,), now_ms=NOW_MS),
            "supersede": lambda store, each: add(store, draft("no port", supersedes=each)),
            "another key": lambda store, each: edit(store, each, semantic_key="harbour"),
            "another key told": lambda store, each: add(
                store, draft("port is 23", semantic_key="harbour")
            ),
            "move": lambda store, each: edit(store, each, scope=OTHER),
        }
        for name, leave in leaving.items():
            folder = tmp_path / name
            folder.mkdir()
            with self.opened(folder) as store:
                one, two = _group(store, "port is 22", "port is 23")
                leave(store, two)
                assert _groups_of(store, one, two) == [None, None], name
                assert actions_of(store, one)[-1] == "ungrouped", name
                assert store.fetch(one, (SCOPE,)).status == "active"

    def test_a_document_written_anew_leaves_its_group(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            one = add_one(store, "port is 22", semantic_key="port")
            two = add_one(store, "port is 23", semantic_key="port", document_id="d")
            answered(store, "coexist")
            rewritten = add(store, draft("port is 24", document_id="d"))[0]
            assert (rewritten.id, rewritten.status) == (two, "quarantined")
            assert [each.id for each in asked(store).against] == [one]
            assert _groups_of(store, one, two) == [None, None]

    def test_a_restored_member_is_asked_about_again(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            one, two = _group(store, "port is 22", "port is 23")
            store.archive(two, (SCOPE,), now_ms=NOW_MS)
            assert store.restore(two, (SCOPE,), now_ms=NOW_MS).status == "quarantined"
            assert [each.id for each in asked(store).against] == [one]

    def test_groups_that_a_decision_brings_together_become_one(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            gate = _group(store, "gate is open", "gate is ajar", key="gate")
            # Another key, so that nothing waits; but it denies the first of the others.
            door = _group(store, "gate is not open", "door is shut", key="door")
            review = asked(store)
            assert (review.kind, [each.id for each in review.against]) == ("contradiction", gate[:1])
            assert len(set(_groups_of(store, *gate, *door))) == 2
            answered(store, "coexist")
            assert len(set(_groups_of(store, *gate, *door))) == 1
