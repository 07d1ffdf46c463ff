"""What becomes of a memory whose vector is made later? Everything else is there at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memweir.errors import EmbedderError
from memweir.store.seam import Store
from memweir.testing.builders import SCOPE, view
from memweir.testing.contract.base import (
    EVERY_QUERY,
    NOW_MS,
    ContractBase,
    add,
    add_one,
    any_of,
    raises,
)
from memweir.testing.indexer import DeferredIndexer

__all__ = ["PendingContract"]


class PendingContract(ContractBase):
    """Part of `StoreContract`."""

    @contextmanager
    def deferring(self, folder: Path) -> Iterator[tuple[Store, DeferredIndexer]]:
        """A new store whose vectors are made later, and its indexer."""
        indexer = DeferredIndexer(self.indexer)
        store = self.open_store(folder, indexer)
        try:
            yield store, indexer
        finally:
            store.close()

    def test_a_memory_without_its_vector_is_found_by_everything_else(self, tmp_path: Path) -> None:
        with self.deferring(tmp_path) as (store, indexer):
            memory_id = add(store, self.everywhere())[0].id
            # The head of a vector with a tail takes no model, and is there.
            expected = EVERY_QUERY if indexer.tail else EVERY_QUERY - {"nearest"}
            assert self.found_by(store, memory_id, "kestrel", "north") == expected
            assert store.index_pending([memory_id]) == 1
            assert self.found_by(store, memory_id, "kestrel", "north") == EVERY_QUERY

    def test_vectors_made_later_are_those_made_at_once(self, tmp_path: Path) -> None:
        texts = ("kestrel flies north", "公司在上海", "green tea", "🙂", "tea and kestrels")
        folders = [tmp_path / name for name in ("later", "at once")]
        for folder in folders:
            folder.mkdir()
        with self.deferring(folders[0]) as (later, _), self.opened(folders[1]) as at_once:
            for text in texts:
                assert add_one(later, text) == add_one(at_once, text)
            assert later.index_pending(later.pending(9)) == 5
            assert later.pending(9) == []
            query = self.embed("tea for a kestrel")
            assert later.nearest(view(), query, 9) == at_once.nearest(view(), query, 9)
            ours, theirs = later.vector_statistics(), at_once.vector_statistics()
            assert ours.documents == theirs.documents
            assert ours.df.tolist() == theirs.df.tolist()

    def test_what_waits_is_told_newest_first_and_counted(self, tmp_path: Path) -> None:
        with self.deferring(tmp_path) as (store, _):
            ids = [add_one(store, f"note {number}") for number in range(4)]
            assert store.pending(9) == ids[::-1]
            assert store.pending(2) == [ids[3], ids[2]]
            assert store.statistics()["pending"] == 4
            assert store.index_pending([ids[1], "mem_nothing", ids[2]]) == 2
            assert store.pending(9) == [ids[3], ids[0]]
            assert store.index_pending([ids[1]]) == 0
            assert store.index_pending([]) == 0
            assert store.statistics()["pending"] == 2

    def test_a_store_whose_vectors_are_made_at_once_has_none_that_wait(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "green tea")
            assert store.pending(9) == []
            assert store.index_pending([memory_id]) == 0
            assert store.statistics()["pending"] == 0

    def test_a_withdrawn_memory_waits_no_more_and_a_restored_one_again(self, tmp_path: Path) -> None:
        with self.deferring(tmp_path) as (store, _):
            memory_id = add_one(store, "green tea")
            store.forget(memory_id, (SCOPE,), now_ms=NOW_MS)
            assert store.pending(9) == []
            assert store.index_pending([memory_id]) == 0
            store.restore(memory_id, (SCOPE,), now_ms=NOW_MS)
            assert store.pending(9) == [memory_id]

    def test_another_text_waits_again_and_the_same_one_keeps_its_vector(self, tmp_path: Path) -> None:
        with self.deferring(tmp_path) as (store, _):
            memory_id = add_one(store, "green tea", document_id="drinks")
            store.index_pending([memory_id])
            before = store.similarity(self.embed("green tea"), [memory_id])
            store.feedback(memory_id, "helped", None, now_ms=NOW_MS, learned=("matcha",))
            add_one(store, "green tea", document_id="drinks", tags=("hot",))
            assert store.pending(9) == []
            assert store.similarity(self.embed("green tea"), [memory_id]) == before
            assert [each for each, _ in store.keyword(view(), any_of("matcha"), 9)] == [memory_id]
            add_one(store, "black coffee", document_id="drinks")
            assert store.pending(9) == [memory_id]
            store.index_pending([memory_id])
            after = store.similarity(self.embed("black coffee"), [memory_id])
            assert after[memory_id].cosine > 0.99

    def test_what_still_waits_goes_on_waiting_when_it_helped(self, tmp_path: Path) -> None:
        with self.deferring(tmp_path) as (store, _):
            memory_id = add_one(store, "green tea")
            store.feedback(memory_id, "helped", None, now_ms=NOW_MS, learned=("matcha",))
            assert store.pending(9) == [memory_id]
            store.index_pending([memory_id])
            assert store.similarity(self.embed("green tea"), [memory_id])[memory_id].cosine > 0.99

    def test_an_earlier_wording_waits_for_no_vector(self, tmp_path: Path) -> None:
        with self.deferring(tmp_path) as (store, _):
            memory_id = add_one(store, "green tea")
            store.edit(memory_id, (SCOPE,), {"text": "black coffee"}, now_ms=NOW_MS)
            assert store.pending(9) == [memory_id]
            assert store.index_pending([memory_id]) == 1
            found = store.similarity(self.embed("black coffee"), [memory_id])
            assert found[memory_id].cosine > 0.99
            assert store.vector_statistics().documents == 1

    def test_making_vectors_is_a_change_of_the_store_where_any_were_made(self, tmp_path: Path) -> None:
        with self.deferring(tmp_path) as (store, _):
            memory_id = add_one(store, "green tea")
            before, _ = store.position()
            assert store.index_pending([memory_id]) == 1
            assert store.index_pending([memory_id, "mem_nothing"]) == 0
            assert store.position()[0] == before + 1

    def test_rebuilding_makes_all_of_them_wait(self, tmp_path: Path) -> None:
        with self.deferring(tmp_path) as (store, _):
            ids = [add_one(store, f"note {number}") for number in range(3)]
            store.index_pending(ids)
            assert store.reindex(now_ms=NOW_MS) == 3
            assert store.pending(9) == ids[::-1]
            assert store.index_pending(ids) == 3

    def test_a_failing_embedder_leaves_them_waiting(self, tmp_path: Path) -> None:
        with self.deferring(tmp_path) as (store, indexer):
            memory_id = add_one(store, "green tea")
            indexer.error = EmbedderError("away")
            with raises(EmbedderError):
                store.index_pending([memory_id])
            assert store.pending(9) == [memory_id]
            indexer.error = None
            assert store.index_pending([memory_id]) == 1
