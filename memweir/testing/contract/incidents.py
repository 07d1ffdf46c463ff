"""What is kept out of a turn, and how much is it? Records of failures, scenes, and counts by rule.

`PlainIndexer` takes a text with the word "traceback" for the record of a failure.
"""

from __future__ import annotations

from pathlib import Path

from memweir.store.reads import TermMatch
from memweir.store.scopes import Scope
from memweir.store.view import Blocked
from memweir.testing.builders import NOW, SCOPE, draft, view
from memweir.testing.contract.base import (
    EVERY_QUERY,
    HOUR_MS,
    NOW_MS,
    OTHER,
    PHONE,
    ContractBase,
    add,
    add_one,
    answered,
    any_of,
    edit,
    in_days,
)

__all__ = ["IncidentsContract"]

_NOTHING = TermMatch({}, {})


class IncidentsContract(ContractBase):
    """Part of `StoreContract`."""

    def test_where_there_is_no_record_of_a_failure_there_is_none_to_ask_for(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            add(store, draft("uses pnpm"), draft("traceback in the build", scope=OTHER))
            waiting = add_one(store, f"traceback, call {PHONE}")
            for match in (_NOTHING, any_of("traceback"), any_of("pnpm")):
                assert store.incidents(view(), match, 9) is None
            assert store.incidents(view(OTHER), any_of("build"), 9) != []
            answered(store, "approve")
            assert store.incidents(view(), any_of("traceback"), 9) == [waiting]

    def test_records_of_failures_are_found_by_their_terms_newest_first(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "traceback in the build", age_days=9)
            new = add_one(store, "traceback: build broke", age_days=2)
            add_one(store, "the build uses pnpm")
            assert store.incidents(view(), any_of("build"), 9) == [new, old]
            assert store.incidents(view(), any_of("build"), 1) == [new]
            assert store.incidents(view(), any_of("broke", "tea"), 9) == [new]
            assert store.incidents(view(), any_of("pnpm"), 9) == []
            assert store.incidents(view(), _NOTHING, 0) == []
            record = store.fetch(old, (SCOPE,))
            assert record.incident
            edit(store, old, text="the build is slow")
            assert not store.fetch(old, (SCOPE,)).incident
            assert store.incidents(view(), any_of("build"), 9) == [new]

    def test_records_of_failures_that_were_known_are_there_to_ask_for(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "traceback in the build")
            store.archive(memory_id, (SCOPE,), now_ms=NOW_MS + HOUR_MS)
            assert store.incidents(view(), any_of("build"), 9) is None
            assert store.incidents(view(known_ms=NOW_MS), any_of("build"), 9) == [memory_id]
            assert store.incidents(view(known_ms=NOW_MS + HOUR_MS), any_of("build"), 9) is None

    def test_a_view_shows_of_the_records_of_failures_only_those_it_names(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            told = self.everywhere("kestrel traceback in the north", pinned=False)
            failure = add(store, told)[0].id
            other = add_one(store, "kestrel traceback elsewhere")
            plain = add(store, self.everywhere("kestrel flies"))[0].id
            every = EVERY_QUERY - {"pinned"}
            for named in ((), (other,), ("mem_nothing",)):
                shown = view(incidents=named)
                assert self.found_by(store, failure, "kestrel", shown=shown) == set()
                assert self.found_by(store, plain, "kestrel", shown=shown) == EVERY_QUERY
            assert self.found_by(store, failure, "kestrel", shown=view()) == every
            shown = view(incidents=(failure,))
            assert self.found_by(store, failure, "kestrel", shown=shown) == every
            assert store.count(shown) == 2

    def test_a_pinned_record_of_a_failure_is_shown_whatever_the_turn_is_about(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            failure = add(store, self.everywhere("kestrel traceback in the north"))[0].id
            shown = view(incidents=())
            assert self.found_by(store, failure, "kestrel", shown=shown) == EVERY_QUERY
            assert store.blocked(shown).task == 0
            edit(store, failure, pinned=False)
            assert self.found_by(store, failure, "kestrel", shown=shown) == set()
            assert store.blocked(shown).task == 1

    def test_scenes_are_those_of_active_memories_of_the_scopes(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            for scene, scope in (("work", SCOPE), ("home", SCOPE), ("work", OTHER), ("sea", OTHER)):
                add_one(store, f"note in {scene}", scene=scene, scope=scope)
            gone = add_one(store, "note in a tent", scene="camp")
            store.archive(gone, (SCOPE,), now_ms=NOW_MS)
            add_one(store, f"call {PHONE}", scene="waiting")
            add_one(store, "no scene")
            assert store.scenes(view()) == ["home", "work"]
            assert store.scenes(view(OTHER, SCOPE)) == ["home", "sea", "work"]
            assert store.scenes(view(Scope.team("nobody"))) == []

    def test_what_is_of_every_scene_or_domain_is_kept_out_of_none(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            ids = [
                add_one(store, f"note {scene} {domain}", scene=scene, domain=domain)
                for scene in (None, "general", "通用", "home")
                for domain in (None, "general", "通用", "web")
            ]
            assert set(store.matching(view(scene="home", domain="web"), any_of("note"), 99)) == set(ids)
            found = store.matching(view(scene="work"), any_of("note"), 99)
            assert set(found) == set(ids[:12])
            found = store.matching(view(domain="data"), any_of("note"), 99)
            assert set(found) == {each for place, each in enumerate(ids) if place % 4 != 3}

    # How much is kept out

    def test_each_rule_says_how_many_memories_it_keeps_out(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            for n in range(3):
                add_one(store, f"at work {n}", scene="work")
            for n in range(2):
                add_one(store, f"on data {n}", domain="data")
            add(
                store,
                draft("everywhere", scene="general", domain="通用"),
                draft("at home", scene="home"),
            )
            failures = [add_one(store, f"traceback {n}") for n in range(4)]
            old = add_one(store, "port is 22")
            add_one(store, "port is 23", supersedes=old)
            later = add_one(store, "price is 10")
            add_one(store, "price is 12", supersedes=later, valid_at=NOW + in_days(10))
            add(store, draft(f"call {PHONE}"), draft(f"call {PHONE} too"))
            add_one(store, "port is 24", semantic_key="port")
            add_one(store, "port is 25", semantic_key="port")
            workspaces = [Scope.workspace(f"/home/ada/{n}") for n in range(3)]
            for n, scope in enumerate(workspaces):
                add(store, *[draft(f"file {m}", scope=scope) for m in range(n + 1)])
            assert store.blocked(view()) == Blocked(workspace=6, ended=1, review=3)
            narrow = view(scene="home", domain="web", incidents=tuple(failures[:1]))
            assert store.blocked(narrow) == Blocked(
                workspace=6, scene=3, domain=2, task=3, ended=1, review=3
            )
            assert store.blocked(view(incidents=())).task == 4
            assert store.blocked(view(as_of=NOW + in_days(10))).ended == 2
            assert store.blocked(view(include_history=True)).ended == 0
            assert store.blocked(view(SCOPE, workspaces[2])).workspace == 3
            assert store.blocked(view(*workspaces)) == Blocked()
            assert store.blocked(view(Scope.team("nobody"))) == Blocked(workspace=6)

    def test_what_is_kept_out_follows_every_change(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            there = Scope.workspace("/home/ada/app")
            memory_id = add_one(store, "uses pnpm", scope=there)
            private = add_one(store, f"call {PHONE}")
            assert store.blocked(view()) == Blocked(workspace=1, review=1)
            answered(store, "approve", memory_id=private)
            store.archive(memory_id, (there,), now_ms=NOW_MS)
            assert store.blocked(view()) == Blocked()
            store.restore(memory_id, (there,), now_ms=NOW_MS)
            assert store.blocked(view()) == Blocked(workspace=1)
