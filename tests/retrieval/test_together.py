"""Do memories that hang together count for what they say together, and only then?"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from memweir.retrieval.together import accounted, bridged, group_accounted, within_group

WEIGHTS = np.array([3.0, 1.0])


def test_share_is_by_weight() -> None:
    held = np.array([[1.0, 0.0], [0.5, 1.0], [0.0, 0.0]])
    # 3/4, (1.5 + 1)/4, 0.
    assert accounted(held, WEIGHTS).tolist() == [0.75, 0.625, 0.0]
    assert accounted(held, np.zeros(2)).tolist() == [0.0, 0.0, 0.0]


def test_group_accounts_for_what_any_of_it_does() -> None:
    soft = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.0], [1.0, 1.0]])
    # a: 3 and 1 of 4; b: 1.5 of 4; who belongs to nothing has no group.
    assert group_accounted(soft, WEIGHTS, ["a", "a", "b", None]).tolist() == [1.0, 1.0, 0.375, 0.0]


def test_word_that_the_whole_group_holds_says_nothing_within_it() -> None:
    soft = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    # Of the first three all hold the first word: 3 * (1 - 1); the second holds the other alone: 1 / 4.
    assert within_group(soft, WEIGHTS, ["a", "a", "a", "b"]).tolist() == [0.0, 0.25, 0.0, 0.0]


def test_memory_gains_by_the_best_that_it_shares_a_word_with() -> None:
    soft = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.0, 0.0]])
    words = [
        frozenset({"uncle"}),
        frozenset({"uncle", "sixty"}),
        frozenset({"cousin"}),
        frozenset[str](),
    ]
    gain = bridged(soft, WEIGHTS, np.array([0.75, 0.25, 0.2, 0.0]), words)
    # The second adds the 3 of the first to its own 1, the first the 1 of the second to its 3.
    assert gain.tolist() == [0.25, 0.75, 0.0, 0.0]


def test_common_word_bridges_less() -> None:
    rows = 8
    soft = np.zeros((rows, 2))
    soft[0, 0], soft[1, 1] = 1.0, 1.0
    match = np.linspace(1.0, 0.1, rows)
    gain = bridged(soft, WEIGHTS, match, [frozenset({"we"})] * rows)
    # Held by eight of the best, four of which are few: half of the gain.
    assert gain[1] == pytest.approx(0.5 * 0.75)


def test_what_matches_nothing_bridges_nothing() -> None:
    soft = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert not bridged(soft, WEIGHTS, np.zeros(2), [frozenset({"uncle"})] * 2).any()


@settings(deadline=None, max_examples=50)
@given(
    soft=arrays(np.float64, (6, 4), elements=st.floats(0, 1)),
    weights=arrays(np.float64, 4, elements=st.floats(0, 9)),
    groups=st.lists(st.sampled_from(["a", "b", None]), min_size=6, max_size=6),
    words=st.lists(st.frozensets(st.sampled_from("pqrs")), min_size=6, max_size=6),
)
def test_everything_is_a_share(
    soft: np.ndarray, weights: np.ndarray, groups: list[str | None], words: list[frozenset[str]]
) -> None:
    own = accounted(soft, weights)
    for found in (
        own,
        group_accounted(soft, weights, groups),
        within_group(soft, weights, groups),
        bridged(soft, weights, own, words),
    ):
        assert found.shape == (6,)
        assert ((found >= -1e-12) & (found <= 1 + 1e-12)).all()
