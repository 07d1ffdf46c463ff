"""What may a caller see? Scopes, scenes, tags, validity."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from memweir.errors import NotFoundError
from memweir.store.scopes import Scope
from memweir.testing.builders import NOW, SCOPE, draft, view
from memweir.testing.contract.base import (
    DAY_MS,
    EVERY_QUERY,
    NOW_MS,
    OTHER,
    ContractBase,
    add,
    add_one,
    any_of,
    in_days,
    raises,
)

__all__ = ["VisibilityContract"]


class VisibilityContract(ContractBase):
    """Part of `StoreContract`."""

    def test_the_case_of_a_scene_or_domain_does_not_matter(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            texts = {"Work": "kestrel one", "work": "kestrel two", "General": "kestrel three"}
            for name in ("scene", "domain"):
                ids = [
                    add_one(store, f"{text} {name}", **{name: label}) for label, text in texts.items()
                ]
                other = add_one(store, f"kestrel away {name}", **{name: "home"})
                for asked in ("work", "WORK", "Work"):
                    label: dict[str, Any] = {name: asked}
                    shown = replace(view(), **label)
                    found = store.matching(shown, any_of(name), 9)
                    assert set(found) == set(ids), (name, asked)
                    assert store.blocked(shown)[name] == 1
                label = {name: "HOME"}
                home = replace(view(), **label)
                assert set(store.matching(home, any_of(name), 9)) == {other, ids[2]}

    def test_a_scope_sees_only_its_own(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            there = add(store, self.everywhere(scope=OTHER))[0].id
            assert self.found_by(store, there, "kestrel") == set()
            assert self.found_by(store, there, "kestrel", scope=OTHER) == EVERY_QUERY
            calls = (
                lambda: store.fetch(there, (SCOPE,)),
                lambda: store.trail(there, (SCOPE,)),
                lambda: store.history(there, (SCOPE,)),
                lambda: store.edit(there, (SCOPE,), {"pinned": False}, now_ms=NOW_MS),
                lambda: store.archive(there, (SCOPE,), now_ms=NOW_MS),
                lambda: store.forget(there, (SCOPE,), now_ms=NOW_MS),
                lambda: store.counter(there, (SCOPE,), now_ms=NOW_MS),
                lambda: store.restore(there, (SCOPE,), now_ms=NOW_MS),
                lambda: store.feedback(there, "helped", (SCOPE,), now_ms=NOW_MS),
            )
            for call in calls:
                with raises(NotFoundError):
                    call()
            assert store.fetch(there, (SCOPE, OTHER)).status == "active"

    def test_several_scopes_are_seen_together(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            scopes = (SCOPE, OTHER, Scope.everywhere(), Scope.session("atlas"))
            ids = {scope: add_one(store, "uses pnpm", scope=scope) for scope in scopes}
            assert len(set(ids.values())) == 4
            for chosen in (scopes[:1], scopes[:2], scopes[1:], scopes):
                found = store.matching(view(*chosen), any_of("pnpm"), 9)
                assert set(found) == {ids[each] for each in chosen}

    def test_nearer_memories_of_another_scope_take_no_place_in_any_query(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            mine = self.everywhere(text="kestrel once flew over the northern sea", age_days=20)
            mine = replace(mine, importance=0.1, origin="heuristic")
            theirs = [
                self.everywhere(text=f"kestrel {n}", scope=OTHER, age_days=1, title="kestrel")
                for n in range(600)
            ]
            add(store, *theirs)
            memory_id = add(store, mine)[0].id
            shown, words = view(), any_of("kestrel")
            query = self.embed("kestrel")
            entity = store.entities_named(["kestrel"])["kestrel"]
            window = (NOW_MS - 30 * DAY_MS, NOW_MS + 1, 5)
            answers = {
                "keyword": [each for each, _ in store.keyword(shown, words, 5)],
                "matching": store.matching(shown, words, 5),
                "substring": store.substring(shown, "kestrel", "kestrel", 5),
                "nearest": [hit.id for hit in store.nearest(shown, query, 5)],
                "event_window": [hit.id for hit in store.event_window(shown, *window)],
                "created_window": [hit.id for hit in store.created_window(shown, *window)],
                "latest": [hit.id for hit in store.latest(shown, 5)],
                "pinned": store.pinned(shown, 5),
                "beliefs": store.beliefs(shown, 5),
                "mentions_of": [hit.id for hit in store.mentions_of(shown, entity, 5)],
                "relations_at": [edge.id for edge in store.relations_at(shown, entity, 5)],
            }
            assert answers == {name: [memory_id] for name in answers}

    def test_scene_and_domain_keep_out_another_but_not_the_unmarked(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            ids = {
                (scene, domain): add_one(store, f"note {scene} {domain}", scene=scene, domain=domain)
                for scene in (None, "home", "work")
                for domain in (None, "web", "data")
            }
            for scene in (None, "home"):
                for domain in (None, "data"):
                    found = store.matching(view(scene=scene, domain=domain), any_of("note"), 99)
                    expected = {
                        memory_id
                        for (s, d), memory_id in ids.items()
                        if (scene is None or s in (None, scene))
                        and (domain is None or d in (None, domain))
                    }
                    assert set(found) == expected

    def test_a_tag_filter_asks_for_every_tag(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            both = add_one(store, "first", tags=("模型", "Red Team"))
            add(store, draft("second", tags=("模型",)), draft("third"))
            assert store.count(view(tags=("模型",))) == 2
            assert [hit.id for hit in store.latest(view(tags=("模型", "red team")), 9)] == [both]
            assert store.count(view(tags=("blue",))) == 0

    def test_validity_is_a_half_open_window(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            start, end = NOW - in_days(10), NOW - in_days(5)
            old = add_one(store, "old rule", valid_at=start, created_at=NOW - in_days(20))
            add_one(store, "new rule", valid_at=end, created_at=NOW - in_days(20), supersedes=old)
            moments = (start - in_days(1), start, end - timedelta(milliseconds=1), end)
            shown = [old in store.records(view(as_of=moment), [old]) for moment in moments]
            assert shown == [False, True, True, False]

    def test_what_was_told_later_does_not_exist_at_a_point_in_time(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            add_one(store, "uses pnpm", age_days=1)
            past = NOW - in_days(2)
            assert store.count(view(as_of=past, point_in_time=True)) == 0
            assert store.count(view(as_of=past)) == 1  # a clock that runs ahead hides nothing
            assert store.latest(view(as_of=past), 5) == []  # but is not the latest
            assert store.count(view(as_of=NOW - in_days(1), point_in_time=True)) == 1
