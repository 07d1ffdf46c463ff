"""Does taking off what all texts share leave what sets them apart, and nothing else?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from memweir import Embedder
from memweir.embedders import Centred
from memweir.embedders.centring import _TEXTS
from memweir.errors import EmbedderError
from memweir.retrieval.embedding import embed_checked


class Cone:
    """A model in a narrow cone: a large number that all texts share, then three small ones."""

    name, version, dim, sparse = "cone", "1", 4, False

    def __init__(self) -> None:
        self.calls: list[int] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls.append(len(texts))
        rows = np.array(
            [[3.0 if text else 0.0, *(float(mark in text) for mark in "xyz")] for text in texts],
            np.float32,
        ).reshape(len(texts), 4)
        lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
        return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)


def test_texts_that_have_only_the_cone_in_common_are_near_it_before_and_far_after() -> None:
    texts = ["x", "y"]
    raw = embed_checked(Cone(), texts)
    centred = embed_checked(Centred(Cone()), texts)
    # (3, 1, 0) and (3, 0, 1) at length 1: 9 / 10
    assert float(raw[0] @ raw[1]) == pytest.approx(0.9, abs=1e-6)
    assert float(centred[0] @ centred[1]) < 0.3


def test_the_mean_is_that_of_the_fixed_texts_on_both_sides() -> None:
    mean = Cone().embed(_TEXTS).astype(np.float64).mean(axis=0)
    expected = Cone().embed(["xz"])[0] - mean
    expected /= np.linalg.norm(expected)
    made = Centred(Cone())
    np.testing.assert_allclose(made.embed(["xz"])[0], expected, atol=1e-6)
    np.testing.assert_allclose(made.embed_query(["xz"])[0], expected, atol=1e-6)


def test_a_zero_vector_stays_one_and_costs_no_mean() -> None:
    model = Cone()
    assert not Centred(model).embed([""]).any()
    assert model.calls == [1]
    vectors = Centred(model).embed(["", "x"])
    np.testing.assert_array_equal(vectors.any(axis=1), [False, True])


def test_the_fixed_texts_are_asked_about_once() -> None:
    model = Cone()
    made = Centred(model)
    made.embed(["x"])
    made.embed_query(["y"])
    assert model.calls == [1, len(_TEXTS), len(_TEXTS), 1]


def test_it_is_another_embedder_than_the_model() -> None:
    made = Centred(Cone())
    assert isinstance(made, Embedder)
    assert (made.name, made.version, made.dim) == ("cone", "1-centred", 4)


def test_a_model_that_breaks_its_contract_is_told() -> None:
    model = Cone()
    made = Centred(model)
    model.dim = 5
    with pytest.raises(EmbedderError, match="shape"):
        made.embed(["x"])
