"""How does each path find memories? Words, times, pins, beliefs, names."""

from __future__ import annotations

from pathlib import Path

from memweir.store.reads import TermMatch
from memweir.store.records import Relation, to_ms
from memweir.store.scopes import Scope
from memweir.testing.builders import NOW, SCOPE, draft, view
from memweir.testing.contract.base import (
    DAY_MS,
    NOW_MS,
    OTHER,
    ContractBase,
    add,
    add_one,
    any_of,
    in_days,
)

__all__ = ["QueriesContract"]


class QueriesContract(ContractBase):
    """Part of `StoreContract`."""

    def test_keyword_scores_are_above_nought_and_a_strong_match_beats_a_weak_one(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            strong = add_one(store, "harbour crane repair")
            weak = add_one(store, "the crane is a bird that many people like to watch in spring")
            add(store, *[draft(f"filler {n} text") for n in range(10)])
            found = store.keyword(view(), any_of("harbour", "crane"), 9)
            assert [each for each, _ in found] == [strong, weak]
            assert found[0][1] > found[1][1] > 0
            assert store.keyword(view(), any_of("harbour", "crane"), 1) == found[:1]

    def test_a_field_is_searched_by_itself_and_weighs_what_is_said(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            title = add_one(store, "about boats", title="crane")
            body = add_one(store, "about crane")
            add(store, *[draft(f"filler {n} text") for n in range(10)])
            for field, expected in (("title", [title]), ("body", [body]), ("speaker", [])):
                assert store.matching(view(), any_of("crane", field=field), 9) == expected
            for weights, best in (({"title": 9.0}, title), ({"body": 9.0}, body)):
                match = TermMatch({"": ("crane",)}, weights)
                assert store.keyword(view(), match, 9)[0][0] == best

    def test_no_text_of_a_term_is_an_operator(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            add(store, draft("plain words only"))
            hostile = (
                '"',
                "(((",
                "near(",
                "a* or",
                "body:plain",
                "^plain",
                "-plain",
                "*",
                "'",
                "\\",
                "",
            )
            for term in (*hostile, "plain*", "pla", "\x00", "scope", "s1", "{plain}", "+", "and"):
                for field in ("", "body"):
                    assert store.keyword(view(), any_of(term, field=field), 9) == []
                    assert store.matching(view(), any_of(term, field=field), 9) == []

    def test_nothing_asked_is_nothing_found(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "uses pnpm")
            assert store.keyword(view(), TermMatch({}, {}), 9) == []
            assert store.keyword(view(), TermMatch({"": ()}, {}), 9) == []
            assert store.records(view(), []) == {}
            assert store.entities_of(view(), []) == []
            assert store.entities_named([]) == {}
            unknown = view(Scope.team("nobody"))
            assert store.keyword(unknown, any_of("pnpm"), 9) == []
            assert store.records(unknown, [memory_id]) == {}
            assert store.count(unknown) == 0

    def test_windows_are_half_open_and_newest_first(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            day = to_ms(NOW - in_days(10))
            early, late = (
                add_one(
                    store,
                    f"event {n}",
                    event_start=NOW - in_days(n),
                    event_end=NOW - in_days(n - 1),
                    created_at=NOW - in_days(n),
                )
                for n in (10, 9)
            )
            add_one(store, "no event", age_days=200)

            def events(start: int, end: int) -> list[str]:
                return [hit.id for hit in store.event_window(view(), start, end, 9)]

            assert events(day, day + 1) == [early]
            assert events(day - 5, day) == []
            assert events(day + DAY_MS - 1, day + DAY_MS) == [early]
            assert events(day + DAY_MS - 1, day + DAY_MS + 1) == [late, early]
            told = store.created_window(view(), day, day + DAY_MS, 9)
            assert [(hit.id, hit.created_at_ms) for hit in told] == [(early, day)]
            assert [hit.id for hit in store.created_window(view(), day, day + DAY_MS + 1, 9)] == [
                late,
                early,
            ]
            assert [hit.id for hit in store.latest(view(), 2)] == [late, early]

    def test_pinned_and_beliefs_come_in_their_order(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            low, high = (
                add_one(store, f"pin {value}", pinned=True, importance=value) for value in (0.2, 0.8)
            )
            assert store.pinned(view(), 9) == [high, low]
            sure = add_one(store, "belief one", layer="belief")
            unsure = add_one(store, "belief two", layer="belief", origin="heuristic", importance=1.0)
            assert store.beliefs(view(), 9) == [sure, unsure]  # 6/7 before 4/6
            store.feedback(sure, "harmful", None, now_ms=NOW_MS)
            assert store.beliefs(view(), 9) == [unsure, sure]  # 6/12 after 4/6
            assert store.beliefs(view(), 1) == [unsure]

    def test_entities_and_relations_lead_only_to_visible_memories(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            edge = Relation("Ada", "works at", "Acme")
            mine = add_one(
                store, "Ada was seen", relations=(edge,), speaker="Grace", entities=("Boat",)
            )
            add(store, draft("acme is far", scope=OTHER, relations=(Relation("Acme", "in", "Oslo"),)))
            named = store.entities_named(["ada", "acme", "grace", "boat", "oslo", "nobody"])
            assert sorted(named) == ["acme", "ada", "boat", "grace", "oslo"]
            assert store.entity_name(named["ada"]) == "Ada"
            roles = {each.entity: each.role for each in store.entities_of(view(), [mine])}
            assert roles == {
                named["ada"]: "stated",
                named["acme"]: "stated",
                named["boat"]: "stated",
                named["grace"]: "subject",
            }
            edges = store.relations_at(view(), named["acme"], 9)
            assert [(each.id, each.predicate, each.source, each.target) for each in edges] == [
                (mine, "works at", named["ada"], named["acme"])
            ]
            assert store.relations_at(view(), named["oslo"], 9) == []
            assert store.mentions_of(view(), named["oslo"], 9) == []

    def test_a_relation_told_again_is_one_relation(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            edge = Relation("Ada", "works at", "Acme")
            memory_id = add(store, *[draft("Ada was seen", relations=(edge, edge))] * 2)[0].id
            assert store.trail(memory_id, (SCOPE,)).relations == (("Ada", "works at", "Acme"),)
            ada = store.entities_named(["ada"])["ada"]
            assert len(store.relations_at(view(), ada, 9)) == 1
            loop = Relation("Ada", "knows", "Ada")  # both ends one entity: still one edge
            other = add_one(store, "Ada knows herself", relations=(loop,))
            assert [each.id for each in store.relations_at(view(), ada, 9)].count(other) == 1
