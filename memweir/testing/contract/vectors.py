"""How near are vectors? Sparse, dense, and with a dense tail."""

from __future__ import annotations

from pathlib import Path

from memweir.errors import EmbedderError
from memweir.testing.builders import draft, view
from memweir.testing.contract.base import ContractBase, add, add_one, cosine_of, raises

__all__ = ["VectorsContract"]


class VectorsContract(ContractBase):
    """Part of `StoreContract`."""

    def test_a_zero_vector_has_no_neighbours_on_either_side(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id, silent = (each.id for each in add(store, draft("tea"), draft("🙂🙂")))
            assert store.nearest(view(), self.embed("🙂"), 9) == []
            assert [hit.id for hit in store.nearest(view(), self.embed("tea"), 9)] == [memory_id]
            assert store.similarity(self.embed("tea"), [silent]) == {}
            assert store.vector_statistics().documents == 1
            assert store.substring(view(), "🙂", "🙂", 9) == [silent]
            with raises(EmbedderError):
                store.nearest(view(), self.embed("tea")[:-1], 9)

    def test_the_nearest_come_first_and_equals_in_the_order_of_their_ids(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            same = sorted(add_one(store, "green tea", speaker=f"s{n}") for n in range(4))
            far = add_one(store, "green tea and a long story about boats in the harbour")
            query = self.embed("green tea")
            found = store.nearest(view(), query, 9)
            assert [hit.id for hit in found] == [*same, far]
            assert [hit.cosine for hit in found[:4]] == [found[0].cosine] * 4
            assert found[0].cosine > 0.99  # int8 keeps two digits
            assert found[4].cosine < 0.9
            assert store.similarity(query, [far, "mem_nothing"]) == {far: found[4]}
            assert [hit.id for hit in store.nearest(view(), query, 2)] == same[:2]

    def test_meaning_is_the_likeness_of_the_dense_part_of_the_vectors(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            texts = ("green tea", "black tea and milk", "harbour crane", "22 33")
            ids = [add_one(store, text) for text in texts]
            query = self.embed("green tea with milk")
            hits = store.similarity(query, ids)
            assert hits.keys() == set(ids)
            tail = self.indexer.tail if self.indexer.sparse else self.indexer.dim
            head = self.indexer.dim - tail
            for memory_id, text in zip(ids, texts, strict=True):
                vector, hit = self.embed(text), hits[memory_id]
                assert abs(hit.cosine - cosine_of(query, vector)) < 0.02  # int8 keeps two digits
                assert abs(hit.meaning - cosine_of(query[head:], vector[head:])) < 0.02
                same = (query * vector)[:head] > 0
                squares = query[:head] * query[:head]
                held = float(squares[same].sum() / squares.sum()) if head else max(hit.cosine, 0.0)
                assert abs(hit.containment - held) < 1e-5
            assert [hit.id for hit in store.nearest(view(), query, 9)] == sorted(
                ids, key=lambda each: (-hits[each].cosine, each)
            )

    def test_of_a_vector_with_a_tail_only_the_head_has_document_frequencies(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            add(store, draft("green tea"), draft("black tea"))
            vectors = [self.embed("green tea"), self.embed("black tea")]
            head = self.indexer.dim - self.indexer.tail
            counts = sum((vector[:head] != 0).astype(int) for vector in vectors)
            statistics = store.vector_statistics()
            assert statistics.documents == 2
            assert statistics.df.tolist() == counts.tolist()
