"""How rare is a term, and where? Counts that follow every write."""

from __future__ import annotations

import json
from pathlib import Path

from memweir.store.reads import TermStatistics
from memweir.store.scopes import Scope
from memweir.testing.builders import SCOPE, draft, view
from memweir.testing.contract.base import NOW_MS, OTHER, ContractBase, add, add_one

__all__ = ["StatisticsContract"]


class StatisticsContract(ContractBase):
    """Part of `StoreContract`."""

    def test_statistics_count_indexed_memories(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "tea tea tea", title="tea")
            add(store, draft("tea and milk"), draft("coffee", scope=OTHER, layer="belief"))
            known = store.term_statistics(view(), ["tea", "milk", "rum"])
            assert known == TermStatistics(2, {"milk": 1, "tea": 2})
            store.forget(memory_id, (SCOPE,), now_ms=NOW_MS)
            assert store.term_statistics(view(), ["tea"]) == TermStatistics(1, {"tea": 1})
            figures = store.statistics()
            assert json.loads(figures["memories"]) == {"active": 2, "tombstoned": 1}
            assert json.loads(figures["layers"]) == {"belief": 1, "world": 1}
            assert json.loads(figures["scopes"]) == {"project": 2}
            assert (figures["terms"], figures["runs"], figures["answers"]) == (4, 0, 0)
            assert figures["embedder"] == self.indexer.embedder

    def test_how_rare_a_term_is_another_scope_neither_weighs_nor_tells(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            add(store, draft("tea and milk"), draft("tea alone"), draft("rum", age_days=1))
            theirs = [draft(f"tea secretplan {n}", scope=OTHER) for n in range(3)]
            ids = [each.id for each in add(store, *theirs)]
            add(store, draft("tea at large", scope=Scope.everywhere()))
            asked = ["tea", "milk", "secretplan", "plan", "tea"]

            def known(*scopes: Scope) -> TermStatistics:
                return store.term_statistics(view(*scopes), asked)

            assert known() == TermStatistics(3, {"tea": 2, "milk": 1})
            assert known(OTHER) == TermStatistics(3, {"tea": 3, "secretplan": 3})
            # Sums over the scopes asked: 3 + 3 memories, 2 + 3 of them with tea; a scope counts once.
            both = TermStatistics(6, {"tea": 5, "milk": 1, "secretplan": 3})
            assert known(SCOPE, OTHER) == known(OTHER, SCOPE, OTHER) == both
            assert known(SCOPE, Scope.everywhere()) == TermStatistics(4, {"tea": 3, "milk": 1})
            assert known(Scope.team("nobody")) == TermStatistics(0, {})
            assert store.term_statistics(view(), []) == TermStatistics(3, {})
            store.forget(ids[0], (OTHER,), now_ms=NOW_MS)
            assert known() == TermStatistics(3, {"tea": 2, "milk": 1})
            assert known(OTHER) == TermStatistics(2, {"tea": 2, "secretplan": 2})

    def test_statistics_follow_edits_supersession_and_feedback_within_their_scope(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            add(store, *[draft("tea and rum", scope=each, document_id="d") for each in (SCOPE, OTHER)])
            add(store, draft("tea without", document_id="d"))
            asked = ["tea", "rum", "without", "cocoa"]
            mine = TermStatistics(1, {"tea": 1, "without": 1})
            theirs = TermStatistics(1, {"tea": 1, "rum": 1})
            assert store.term_statistics(view(), asked) == mine
            assert store.term_statistics(view(OTHER), asked) == theirs
            # What was superseded stays indexed: it holds at an earlier moment.
            old = add_one(store, "rum is out")
            new = add_one(store, "rum is in", supersedes=old)
            assert store.term_statistics(view(), asked).df == {"tea": 1, "without": 1, "rum": 2}
            store.feedback(new, "helped", None, now_ms=NOW_MS, learned=("cocoa",))
            after = TermStatistics(3, {"tea": 1, "without": 1, "rum": 2, "cocoa": 1})
            for _ in range(2):
                assert store.term_statistics(view(), asked) == after
                assert store.term_statistics(view(OTHER), asked) == theirs
                store.reindex(now_ms=NOW_MS)

    def test_statistics_of_many_scopes_are_their_sum(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            scopes = [Scope.session(f"s{n}") for n in range(60)]
            add(store, *[draft(f"tea {n % 7}", scope=each) for n, each in enumerate(scopes)])
            for step in (1, 3, 20):  # close together, and few among many
                chosen = scopes[::step]
                known = store.term_statistics(view(*chosen), ["tea", "3", "rum"])
                threes = sum(n % 7 == 3 for n in range(0, 60, step))
                expected = {"tea": len(chosen)} | ({"3": threes} if threes else {})
                assert known == TermStatistics(len(chosen), expected)
