"""Are words and meaning in one vector what each of them is alone, at the weights that were said?"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from memweir import Embedder
from memweir.errors import EmbedderError
from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.embedding import HashedNgramEmbedder, embed_checked
from memweir.retrieval.hybrid import HybridEmbedder
from memweir.retrieval.indexing import TextIndexer
from memweir.retrieval.meaning import WordVectors
from memweir.store.entry import Indexable

_HEAD = HashedNgramEmbedder(default_analyzer(), dim=256)


class Moods:
    """A dense tail of two dimensions: how glad and how sad a text is; knows nothing of others."""

    name, version, dim, sparse = "moods", "7", 2, False

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [("glad" in text, "sad" in text) for text in texts]
        vectors = np.array(rows, np.float32).reshape(len(texts), 2)
        lengths = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
        return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)

    def embed_query(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        return self.embed(texts)


def hybrid(share: float = 0.36) -> HybridEmbedder:
    return HybridEmbedder(_HEAD, Moods(), share)


def test_each_part_is_scaled_by_the_root_of_its_share() -> None:
    # sqrt(1 - 0.36) = 0.8 and sqrt(0.36) = 0.6
    vector = hybrid().embed(["glad clouds"])[0]
    head = _HEAD.embed(["glad clouds"])[0]
    np.testing.assert_allclose(vector[:256], 0.8 * head, rtol=1e-6)
    np.testing.assert_allclose(vector[256:], [0.6, 0.0], rtol=1e-6)


def test_the_cosine_is_the_weighted_mean_of_the_parts_cosines() -> None:
    one, other = "glad clouds", "sad clouds"
    vectors = hybrid().embed([one, other])
    heads = _HEAD.embed([one, other])
    # The tails are at right angles, so 0.36 * 0 + 0.64 * cosine of the heads is left.
    assert float(vectors[0] @ vectors[1]) == pytest.approx(0.64 * float(heads[0] @ heads[1]), abs=1e-6)


def test_a_text_of_which_one_part_knows_nothing_has_the_other_at_length_1() -> None:
    embedder = hybrid()
    without_tail, without_head = (
        embedder.embed(["clouds", "!?"])[0],
        embedder.join(np.zeros(256), np.array([0.0, 1.0])),
    )
    np.testing.assert_array_equal(without_tail[256:], [0.0, 0.0])
    assert float(np.linalg.norm(without_tail)) == pytest.approx(1.0, abs=1e-6)
    np.testing.assert_allclose(without_head[256:], [0.0, 1.0])


def test_a_text_of_which_neither_part_knows_anything_has_the_zero_vector() -> None:
    assert not hybrid().embed(["!?", ""]).any()
    assert not hybrid().join(np.zeros(256), np.zeros(2)).any()


def test_heads_alone_are_what_a_text_without_a_known_meaning_has() -> None:
    heads = hybrid().heads(["glad clouds", "!?"])
    np.testing.assert_array_equal(heads[0][:256], _HEAD.embed(["glad clouds"])[0])
    assert not heads[:, 256:].any()
    assert not heads[1].any()


def test_joining_brings_each_part_to_length_1_first() -> None:
    embedder = hybrid()
    heads, tails = embedder.parts(["glad clouds over the sea"])
    joined = embedder.join(7.0 * heads[0], 0.01 * tails[0])
    np.testing.assert_allclose(joined, embedder.embed_query(["glad clouds over the sea"])[0], atol=1e-7)


def test_joining_other_dimensions_is_refused() -> None:
    with pytest.raises(EmbedderError, match="256 and 2 dimensions, got 2 and 256"):
        hybrid().join(np.zeros(2), np.zeros(256))


def test_a_query_goes_through_the_tails_own_method_and_a_memory_does_not() -> None:
    tail = Moods()
    embedder = HybridEmbedder(_HEAD, tail)
    embedder.embed(["a memory"])
    assert tail.asked == []
    embedder.parts(["a question"])
    embed_checked(embedder, ["another"], query=True)
    assert tail.asked == ["a question", "another"]


def test_a_checked_query_of_an_embedder_without_that_method_is_embedded_as_a_memory_is() -> None:
    asked = embed_checked(_HEAD, ["clouds"], query=True)
    np.testing.assert_array_equal(asked, _HEAD.embed(["clouds"]))


def test_word_vectors_are_a_tail_and_weights_of_words_reach_them() -> None:
    embedder = HybridEmbedder(_HEAD, WordVectors.load())
    _, plain = embedder.parts(["coffee train"])
    _, weighed = embedder.parts(["coffee train"], weights={"train": 0.0})
    _, alone = embedder.parts(["coffee"])
    assert float(weighed[0] @ alone[0]) == pytest.approx(1.0, abs=1e-6)
    assert float(plain[0] @ alone[0]) < 0.99


def test_the_fingerprint_names_both_parts_and_changes_with_each_of_them() -> None:
    first = hybrid()
    assert first.name == "hashed-ngram+moods"
    assert first.version == "1(256)+7(2)@0.36"
    assert (first.dim, first.tail, first.sparse) == (258, 2, True)
    other_tail = Moods()
    other_tail.version = "8"
    others = [
        HybridEmbedder(_HEAD, other_tail, 0.36),
        HybridEmbedder(HashedNgramEmbedder(default_analyzer(), dim=512), Moods(), 0.36),
        hybrid(0.4),
        HybridEmbedder(_HEAD, WordVectors.load(), 0.36),
    ]
    assert len({(each.name, each.version, each.dim) for each in [first, *others]}) == 5


def test_it_is_an_embedder() -> None:
    assert isinstance(hybrid(), Embedder)


@pytest.mark.parametrize("share", [0.0, 1.0, -0.1, 1.5, math.nan])
def test_a_share_that_leaves_one_part_out_is_refused(share: float) -> None:
    with pytest.raises(EmbedderError, match="share"):
        hybrid(share)


def test_a_sparse_tail_is_refused() -> None:
    with pytest.raises(EmbedderError, match="dense"):
        HybridEmbedder(_HEAD, _HEAD)


class Broken(Moods):
    """Breaks the contract in the way it is told to."""

    def __init__(self, rows: NDArray[np.float32]) -> None:
        super().__init__()
        self.rows = rows

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.rows


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (np.zeros((1, 3), np.float32), "shape"),
        (np.full((1, 2), np.nan, np.float32), "not finite"),
        (np.full((1, 2), 5.0, np.float32), "length"),
    ],
)
def test_a_tail_that_breaks_its_contract_is_told_in_words_and_in_questions(
    rows: NDArray[np.float32], told: str
) -> None:
    embedder = HybridEmbedder(_HEAD, Broken(rows))
    with pytest.raises(EmbedderError, match=told):
        embedder.embed(["clouds"])
    with pytest.raises(EmbedderError, match=told):
        embedder.parts(["clouds"])


def test_the_index_holds_what_the_embedder_makes_of_title_and_text() -> None:
    embedder = hybrid()
    indexer = TextIndexer(default_analyzer(), embedder)
    plain, titled = indexer.index([Indexable("glad clouds"), Indexable("clouds", title="sad")])
    np.testing.assert_array_equal(plain.embedding, embedder.embed(["glad clouds"])[0])
    np.testing.assert_array_equal(titled.embedding, embedder.embed(["sad\nclouds"])[0])
    assert indexer.dim == 258
    assert indexer.embedder == "hashed-ngram+moods/1(256)+7(2)@0.36/258"


@settings(deadline=None, max_examples=30)
@given(st.lists(st.text(max_size=12), max_size=4), st.floats(0.01, 0.99))
def test_every_row_has_length_1_or_0_and_does_not_depend_on_its_neighbours(
    texts: list[str], share: float
) -> None:
    embedder = HybridEmbedder(_HEAD, WordVectors.load(), share)
    vectors = embed_checked(embedder, texts)
    assert vectors.dtype == np.float32
    for text, row in zip(texts, vectors, strict=True):
        np.testing.assert_array_equal(embedder.embed([text])[0], row)
        assert math.sqrt(math.fsum(float(x) ** 2 for x in row)) == pytest.approx(
            1.0 if row.any() else 0.0, abs=1e-5
        )
