"""What holds through rebuilding, inside a snapshot and after the end?"""

from __future__ import annotations

from pathlib import Path

from memweir.errors import StoreClosed
from memweir.testing.builders import SCOPE, draft, view
from memweir.testing.contract.base import NOW_MS, ContractBase, add, add_one, any_of, raises, run_of

__all__ = ["UpkeepContract"]


class UpkeepContract(ContractBase):
    """Part of `StoreContract`."""

    def test_rebuilding_the_index_changes_no_answer(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            ids = [add(store, self.everywhere())[0].id]
            ids += [add_one(store, text, tags=("t",)) for text in ("kestrel flies", "公司在上海", "🙂")]
            store.feedback(ids[1], "helped", None, now_ms=NOW_MS, learned=("hawk",))
            store.forget(ids[2], (SCOPE,), now_ms=NOW_MS)
            query = self.embed("kestrel")

            def answers() -> tuple[object, ...]:
                return (
                    store.keyword(view(), any_of("kestrel", "hawk", "north"), 9),
                    store.nearest(view(), query, 9),
                    store.records(view(), ids),
                    store.entities_of(view(), ids),
                    store.term_statistics(view(), ["kestrel", "hawk", "公", "flies"]),
                    store.vector_statistics().df.tolist(),
                    store.count(view(tags=("t",))),
                )

            before = answers()
            for _ in range(2):
                assert store.reindex(now_ms=NOW_MS) == 3
                assert answers() == before
            assert store.index_mismatch() == {}

    def test_reads_inside_a_snapshot_agree(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            add_one(store, "uses pnpm")
            with store.snapshot(), store.snapshot():
                assert store.count(view()) == len(store.latest(view(), 9)) == 1
            add_one(store, "uses npm")  # writing goes on afterwards
            assert store.count(view()) == 2

    def test_a_closed_store_says_so_on_every_verb(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "uses pnpm")
            query = self.embed("tea")
            store.close()
            store.close()
            shown = view()

            def snapshot() -> None:
                with store.snapshot():
                    pass

            calls = (
                lambda: store.add_many([draft("x")], now_ms=0),
                lambda: store.add_many([], now_ms=0),
                lambda: store.feedback(memory_id, "unheard of", (SCOPE,), now_ms=0),
                lambda: store.put_answer(SCOPE, "a", {}, now_ms=0),
                lambda: store.hash_query("q"),
                lambda: store.edit(memory_id, (SCOPE,), {}, now_ms=0),
                lambda: store.archive(memory_id, (SCOPE,), now_ms=0),
                lambda: store.forget(memory_id, (SCOPE,), now_ms=0),
                lambda: store.counter(memory_id, (SCOPE,), now_ms=0),
                lambda: store.reviews((SCOPE,), now_ms=0, limit=5),
                lambda: store.review("rev_x", (SCOPE,), now_ms=0),
                lambda: store.decide("rev_x", "replace", "", (SCOPE,), now_ms=0),
                lambda: store.read_run(1),
                lambda: store.settings("f"),
                lambda: store.happened((SCOPE,), 0, 5),
                lambda: store.ledger((SCOPE,), after=None, limit=5),
                lambda: store.injection_id(1, 0),
                lambda: store.injected("inj_1_0_x"),
                store.position,
                lambda: store.restore(memory_id, (SCOPE,), now_ms=0),
                lambda: store.feedback(memory_id, "helped", (SCOPE,), now_ms=0),
                lambda: store.put_answer(SCOPE, "a", {"q": "q"}, now_ms=0),
                lambda: store.find_answer((SCOPE,), "q"),
                lambda: store.answers((SCOPE,), limit=5),
                lambda: store.answer("ans_x", (SCOPE,)),
                lambda: store.add_phrasings("ans_x", (SCOPE,), {}, now_ms=0),
                lambda: store.add_phrasings("ans_x", (SCOPE,), {"q": "q"}, now_ms=0),
                lambda: store.verify_answer("ans_x", (SCOPE,), now_ms=0),
                lambda: store.withdraw_answer("ans_x", (SCOPE,), now_ms=0),
                lambda: store.record_run(run_of([])),
                lambda: store.fetch(memory_id, (SCOPE,)),
                lambda: store.trail(memory_id, (SCOPE,)),
                lambda: store.history(memory_id, (SCOPE,)),
                store.statistics,
                store.index_mismatch,
                lambda: store.reindex(now_ms=0),
                lambda: store.pending(5),
                lambda: store.index_pending([memory_id]),
                lambda: store.keyword(shown, any_of("tea"), 5),
                lambda: store.matching(shown, any_of("tea"), 5),
                lambda: store.substring(shown, "tea", "tea", 5),
                lambda: store.nearest(shown, query, 5),
                lambda: store.similarity(query, [memory_id]),
                lambda: store.event_window(shown, 0, 1, 5),
                lambda: store.created_window(shown, 0, 1, 5),
                lambda: store.latest(shown, 5),
                lambda: store.pinned(shown, 5),
                lambda: store.beliefs(shown, 5),
                lambda: store.records(shown, [memory_id]),
                lambda: store.count(shown),
                lambda: store.group_mates(shown, ["grp_x"]),
                lambda: store.contested(shown, [memory_id]),
                lambda: store.replacing(shown, [memory_id]),
                lambda: store.last_used([memory_id], 0),
                lambda: store.incidents(shown, any_of("tea"), 5),
                lambda: store.scenes(shown),
                lambda: store.blocked(shown),
                lambda: store.entities_named(["tea"]),
                lambda: store.entities_of(shown, [memory_id]),
                lambda: store.mentions_of(shown, 1, 5),
                lambda: store.relations_at(shown, 1, 5),
                lambda: store.entity_name(1),
                lambda: store.neighbours(shown, [memory_id]),
                lambda: store.term_statistics(shown, ["tea"]),
                store.vector_statistics,
                snapshot,
            )
            for call in calls:
                with raises(StoreClosed):
                    call()
