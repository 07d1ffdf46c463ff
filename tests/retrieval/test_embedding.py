"""Are hashed vectors what the published recipe says, the same everywhere, for any text?"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir import Embedder
from memweir.errors import EmbedderError
from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.embedding import (
    SMALLEST_COLLECTION,
    HashedNgramEmbedder,
    inverse_document_frequency,
    weigh_query,
)

_RUN = re.compile("[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af\U00020000-\U0003ffff]+")
_MASK = (1 << 64) - 1


@pytest.fixture(scope="module")
def embedder() -> HashedNgramEmbedder:
    return HashedNgramEmbedder(default_analyzer())


def _plain_hash(text: str, salt: int) -> int:
    """A polynomial over the code points, then the finaliser of splitmix64 (Vigna, 2015)."""
    z = sum(
        (ord(each) + 1) * pow(0x9E3779B97F4A7C15, place, 1 << 64) for place, each in enumerate(text)
    )
    z = (z + salt * 0xD1B54A32D192ED03) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def _windows(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(len(text) - size + 1)]


def _plain_vector(text: str, dim: int) -> dict[int, float]:
    """Dimension → value, features counted one by one."""
    analysis = default_analyzer().analyse(text)
    counts: Counter[tuple[int, float]] = Counter()
    for surface, stem in analysis.words:
        if not _RUN.match(surface):
            counts[_plain_hash(stem, 0), 2.0] += 1
            for size in (3, 4, 5):
                for gram in _windows(f"\x02{surface}\x03", size):
                    counts[_plain_hash(gram, size), 1.0] += 1
    for run in _RUN.findall(analysis.normal):
        for size, weight in ((1, 0.5), (2, 1.0), (3, 1.0)):
            for gram in _windows(run, size):
                counts[_plain_hash(gram, size), weight] += 1
    values: dict[int, float] = {}
    for (hashed, weight), count in counts.items():
        signed = weight * count * 2.2 / (count + 1.2) * (-1 if hashed >> 63 else 1)
        values[hashed % dim] = values.get(hashed % dim, 0.0) + signed
    length = math.sqrt(math.fsum(value * value for value in values.values()))
    return {place: value / length for place, value in values.items()} if length else {}


_pieces = st.one_of(
    st.sampled_from(
        ("deploy", "deploys", "Kubernetes", "数据库", "數據庫", "今天下雨了", "getUserById", "v2.13")
    ),
    st.text(st.characters(exclude_categories=("Cs",)), max_size=8),
    st.text("abc ", max_size=12),
    st.text("的了上海服务器", max_size=8),
)
_texts = st.lists(_pieces, max_size=6).map(" ".join)


@settings(deadline=None, max_examples=80)
@given(text=_texts, dim=st.sampled_from((256, 4096)))
def test_vector_agrees_with_features_counted_one_by_one(text: str, dim: int) -> None:
    (vector,) = HashedNgramEmbedder(default_analyzer(), dim=dim).embed([text])
    expected = _plain_vector(text, dim)
    # Two features of opposite sign may cancel out to nothing but rounding.
    places = {place for place, value in expected.items() if abs(value) > 1e-7}
    assert {int(place) for place in np.flatnonzero(np.abs(vector) > 1e-7)} == places
    for place in places:
        assert vector[place] == pytest.approx(expected[place], abs=1e-6)


def test_repeats_saturate_as_in_bm25(embedder: HashedNgramEmbedder) -> None:
    once, thrice = embedder.embed(["海", "海，海，海"])
    assert np.flatnonzero(once).tolist() == np.flatnonzero(thrice).tolist()
    # Side by side with another: 0.5 × 3 × 2.2 / (3 + 1.2) = 0.7857 against 0.5 × 1 × 2.2 / 2.2 = 0.5.
    (both,) = embedder.embed(["海，海，海，江"])
    sea = int(np.flatnonzero(once)[0])
    others = [float(abs(both[place])) for place in np.flatnonzero(both) if place != sea]
    assert others == [pytest.approx(abs(float(both[sea])) * 0.5 / 0.7857, rel=1e-3)]


@settings(deadline=None, max_examples=60)
@given(texts=st.lists(_texts, max_size=5))
def test_rows_have_length_1_or_0_and_are_finite(texts: list[str]) -> None:
    rows = HashedNgramEmbedder(default_analyzer()).embed(texts)
    assert rows.shape == (len(texts), 4096)
    assert rows.dtype == np.float32
    assert np.isfinite(rows).all()
    for length in np.sqrt((rows.astype(np.float64) ** 2).sum(axis=1)):
        assert length == 0.0 or length == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize(
    "text", ["", " ", "\u3000", "。。。", "🙂🙂", "?!", "\x00\x1f", "the of is", "->"]
)
def test_text_without_a_feature_has_the_zero_vector(embedder: HashedNgramEmbedder, text: str) -> None:
    (vector,) = embedder.embed([text])
    assert not vector.any()


def test_no_texts_give_no_rows(embedder: HashedNgramEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 4096)


@settings(deadline=None, max_examples=40)
@given(texts=st.lists(_texts, min_size=1, max_size=6))
def test_batch_equals_single_to_the_bit(texts: list[str]) -> None:
    embedder = HashedNgramEmbedder(default_analyzer())
    batch = embedder.embed(texts)
    for text, row in zip(texts, batch, strict=True):
        assert embedder.embed([text]).tobytes() == row.tobytes()
    assert embedder.embed(texts[::-1]).tobytes() == batch[::-1].tobytes()


def test_same_text_again_gives_the_same_bytes(embedder: HashedNgramEmbedder) -> None:
    text = "run pre-edit check 今天下雨了"
    first = embedder.embed([text]).tobytes()
    assert HashedNgramEmbedder(default_analyzer()).embed([text]).tobytes() == first
    assert embedder.embed_analysed([default_analyzer().analyse(text)]).tobytes() == first


@pytest.mark.parametrize("piece", ["alpha beta gamma ", "服务器端口在上海", "x", "🙂", "a1b2 "])
def test_text_of_a_megabyte_is_embedded_like_any_other(
    embedder: HashedNgramEmbedder, piece: str
) -> None:
    text = piece * (1_000_000 // len(piece.encode()))
    (vector,) = embedder.embed([text])
    assert np.isfinite(vector).all()
    assert float(np.linalg.norm(vector)) == pytest.approx(1.0 if piece != "🙂" else 0.0, abs=1e-5)


def test_end_of_a_long_text_counts_like_its_beginning(embedder: HashedNgramEmbedder) -> None:
    filler = "nothing to see here, please move along now. " * 5_000
    first, last, query = embedder.embed(["kestrel. " + filler, filler + "kestrel.", "kestrel"])
    assert first.tobytes() == last.tobytes()
    assert float(query @ first) > 0.2


@pytest.mark.parametrize(
    ("near", "far", "text"),
    [
        ("kuberntes", "postgres", "Kubernetes autoscaling"),
        ("autoscaled", "postponed", "Kubernetes autoscaling"),
        ("结算系统", "会议系统", "结算系统由张伟维护"),
        ("張偉維護", "张三离职", "结算系统由张伟维护"),
    ],
)
def test_misspelt_or_inflected_word_is_nearer_than_another(
    embedder: HashedNgramEmbedder, near: str, far: str, text: str
) -> None:
    close, distant, target = embedder.embed([near, far, text])
    assert float(close @ target) > float(distant @ target) + 0.1


@pytest.mark.parametrize("dim", [0, -1, 1, 255, 257, 1000, 131_072])
def test_dimension_must_be_a_power_of_two_within_bounds(dim: int) -> None:
    with pytest.raises(EmbedderError, match="power of two"):
        HashedNgramEmbedder(default_analyzer(), dim=dim)


def test_dimensions_fold_into_each_other() -> None:
    # The lower half of the bits chooses: what falls together in 256 is what is equal modulo 256 in 512.
    wide, narrow = (
        HashedNgramEmbedder(default_analyzer(), dim=dim).embed(["海"])[0] for dim in (512, 256)
    )
    assert int(np.flatnonzero(wide)[0]) % 256 == int(np.flatnonzero(narrow)[0])


def test_embedder_is_one_by_the_protocol(embedder: HashedNgramEmbedder) -> None:
    assert isinstance(embedder, Embedder)
    assert (embedder.name, embedder.version, embedder.dim, embedder.sparse) == (
        *("hashed-ngram", "1", 4096),
        True,
    )


# Document frequencies


def test_idf_is_that_of_the_formula() -> None:
    found = inverse_document_frequency(np.array([0, 1, 50, 100]), 100)
    # ln(1 + (N - df + 0.5) / (df + 0.5))
    expected = [math.log(1 + (100 - df + 0.5) / (df + 0.5)) for df in (0, 1, 50, 100)]
    assert found.tolist() == pytest.approx(expected)
    assert (np.diff(found) < 0).all()
    assert found.min() > 0


def test_idf_of_a_small_collection_is_that_of_ten() -> None:
    for documents in (0, 1, 9, 10):
        found = inverse_document_frequency(np.array([0, 1]), documents)
        held = min(documents, 1)
        expected = [math.log1p(10.5 / 0.5), math.log1p((10.5 - held) / (held + 0.5))]
        assert found.tolist() == pytest.approx(expected)
    assert SMALLEST_COLLECTION == 10


def test_count_beyond_the_collection_stays_above_0() -> None:
    assert inverse_document_frequency(np.array([10_000]), 50).tolist() == pytest.approx(
        [math.log1p(0.5 / 50.5)]
    )


def test_weighed_query_has_length_1_and_prefers_the_rare() -> None:
    vector = np.array([0.6, 0.8, 0.0], np.float32)
    weighed = weigh_query(vector, np.array([1, 90, 5]), 100)
    # 0.6 × 4.2096 = 2.5258 and 0.8 × ln(1 + 10.5 / 90.5) = 0.8 × 0.1098 = 0.0878, over their length.
    assert weighed.tolist() == pytest.approx([0.99940, 0.03475, 0.0], abs=1e-4)
    assert float(np.linalg.norm(weighed)) == pytest.approx(1.0)
    assert vector.tolist() == pytest.approx([0.6, 0.8, 0.0])


def test_zero_query_stays_zero_without_a_warning() -> None:
    weighed = weigh_query(np.zeros(256, np.float32), np.zeros(256, np.int64), 0)
    assert weighed.dtype == np.float32
    assert not weighed.any()


# A learned model behind the protocol


class Letters:
    """A dense model in miniature: how often each Latin letter occurs."""

    name, version, dim, sparse = "letters", "1", 26, False

    def embed(self, texts: Any) -> Any:
        counts = np.array(
            [[text.lower().count(chr(97 + place)) for place in range(26)] for text in texts], np.float64
        ).reshape(len(texts), 26)
        lengths = np.sqrt((counts * counts).sum(axis=1, keepdims=True))
        return (counts / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def test_any_class_with_the_four_attributes_is_an_embedder() -> None:
    assert isinstance(Letters(), Embedder)
    assert not isinstance(object(), Embedder)
