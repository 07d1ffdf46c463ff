"""Calibration measures and bootstrap intervals: by hand, and against other implementations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.errors import InputError
from memweir.evaluation import calibration
from memweir.evaluation.bootstrap import Resampling, percentile_interval
from memweir.evaluation.calibration import Bin

# Four cases of probability and label; sorted 0.2 (0), 0.2 (1), 0.6 (1), 0.8 (0).
P = [0.8, 0.2, 0.6, 0.2]
Y = [0, 1, 1, 0]

_CASES = st.lists(
    st.tuples(st.integers(0, 8).map(lambda each: each / 8), st.integers(0, 1)), min_size=2, max_size=30
)


def test_bins_hold_equally_many_cases_and_never_split_equal_probabilities() -> None:
    # Two bins of four cases: the first two ranks (both 0.2), then 0.6 and 0.8.
    assert calibration.reliability(P, Y, bins=2) == [
        Bin(2, pytest.approx(0.2), pytest.approx(0.5)),
        Bin(2, pytest.approx(0.7), pytest.approx(0.5)),
    ]
    # Four bins: the tie stays together and takes the second bin's place with it.
    assert [each.count for each in calibration.reliability(P, Y, bins=4)] == [2, 1, 1]
    assert calibration.reliability([], []) == []


def test_calibration_error_is_the_mean_distance_of_the_bins() -> None:
    # |0.2 - 0.5| and |0.7 - 0.5|, two cases each: (0.3 + 0.2) / 2
    assert calibration.expected_calibration_error(P, Y, bins=2) == pytest.approx(0.25)
    # One bin: mean probability 0.45, mean label 0.5
    assert calibration.expected_calibration_error(P, Y, bins=1) == pytest.approx(0.05)


def test_brier_score_is_the_mean_squared_distance() -> None:
    # 0.64 + 0.64 + 0.16 + 0.04, of four
    assert calibration.brier_score(P, Y) == pytest.approx(1.48 / 4)


def test_the_risk_at_a_coverage_is_that_of_the_surest_cases() -> None:
    # 0.8 alone is wrong; with 0.6 one of two; both 0.2 come together: two of four.
    assert calibration.risk_coverage(P, Y) == [(0.25, 1.0), (0.5, 0.5), (1.0, 0.5)]
    # 1/4 · 1 + 1/4 · 1/2 + 2/4 · 1/2
    assert calibration.area_under_risk_coverage(P, Y) == pytest.approx(0.625)
    assert calibration.risk_coverage([], []) == []


def test_auroc_is_none_of_a_number_without_both_labels() -> None:
    # Right 0.2, 0.6; wrong 0.8, 0.2: pairs 0.2 < 0.8, 0.2 = 0.2, 0.6 < 0.8, 0.6 > 0.2
    assert calibration.auroc(P, Y) == pytest.approx(1.5 / 4)
    assert math.isnan(calibration.auroc([0.1, 0.2], [1, 1]))


@given(_CASES)
@settings(deadline=None, max_examples=60)
def test_measures_agree_with_scikit_learn(cases: list[tuple[float, int]]) -> None:
    from sklearn.metrics import brier_score_loss, roc_auc_score

    p, y = (list(each) for each in zip(*cases, strict=True))
    assert calibration.brier_score(p, y) == pytest.approx(brier_score_loss(y, p, pos_label=1))
    if len(set(y)) == 2:
        assert calibration.auroc(p, y) == pytest.approx(roc_auc_score(y, p))


@given(_CASES, st.data())
@settings(deadline=None, max_examples=60)
def test_a_case_that_weighs_two_counts_like_two_cases(
    cases: list[tuple[float, int]], data: st.DataObject
) -> None:
    p, y = (list(each) for each in zip(*cases, strict=True))
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(p), max_size=len(p)))
    several = [(one, two) for one, two, w in zip(p, y, weights, strict=True) for _ in range(w)]
    repeated = tuple(list(each) for each in zip(*several, strict=True)) if several else ([], [])
    for measure in (calibration.brier_score, calibration.area_under_risk_coverage, calibration.auroc):
        weighted = measure(p, y, weights=[weights, weights])
        assert weighted.shape == (2,)
        assert weighted[0] == pytest.approx(float(measure(*repeated)), nan_ok=True)


@given(_CASES)
@settings(deadline=None, max_examples=60)
def test_refusing_more_never_changes_what_all_answers_together_are_worth(
    cases: list[tuple[float, int]],
) -> None:
    p, y = (list(each) for each in zip(*cases, strict=True))
    curve = calibration.risk_coverage(p, y)
    assert curve[-1] == (1.0, pytest.approx(1 - sum(y) / len(y)))
    coverages = [each for each, _ in curve]
    assert coverages == sorted(set(coverages))


@pytest.mark.parametrize(
    ("p", "y"),
    [([0.5], [1, 0]), ([1.5], [1]), ([math.nan], [1]), ([0.5], [0.5]), ([[0.5]], [[1]])],
)
def test_what_is_no_probability_with_a_label_is_refused(p: list[float], y: list[float]) -> None:
    with pytest.raises(InputError):
        calibration.brier_score(p, y)


def test_the_interval_of_a_share_is_about_the_normal_one() -> None:
    values = [1.0] * 300 + [0.0] * 700
    interval = Resampling(["a"] * 1000).mean(values)
    # 0.3 ± 1.96 √(0.3 · 0.7 / 1000) = 0.3 ± 0.0284
    assert interval == pytest.approx((0.2716, 0.3284), abs=0.005)


def test_the_same_questions_are_drawn_every_time_and_others_with_another_seed() -> None:
    clusters = ["a", "b", "b", "c"] * 5
    one, two = Resampling(clusters), Resampling(clusters)
    assert np.array_equal(one.weights, two.weights)
    assert not np.array_equal(one.weights, Resampling(clusters, seed=1).weights)


def test_a_whole_scope_is_drawn_or_left_out_together() -> None:
    # Ten scopes, in each all questions alike: what is uncertain is the scopes, so the interval is as
    # wide as that of ten questions, and far wider than that of a hundred.
    clusters = [str(place // 10) for place in range(100)]
    values = [float(place // 10 < 5) for place in range(100)]
    low, high = Resampling(clusters).mean(values) or (0, 0)
    plain_low, plain_high = Resampling(["a"] * 100).mean(values) or (0, 0)
    ten_low, ten_high = Resampling(["a"] * 10).mean([1.0] * 5 + [0.0] * 5) or (0, 0)
    assert high - low == pytest.approx(ten_high - ten_low, abs=0.11)
    assert high - low > 2 * (plain_high - plain_low)


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=12))
@settings(deadline=None, max_examples=30)
def test_every_draw_has_as_many_questions_as_the_scopes_drawn_have(clusters: list[str]) -> None:
    weights = Resampling(clusters, resamples=20).weights
    sizes = {each: clusters.count(each) for each in clusters}
    assert weights.shape == (20, len(clusters))
    for row in weights:
        drawn = [
            sum(row[place] for place, each in enumerate(clusters) if each == scope) / size
            for scope, size in sizes.items()
        ]
        # Each scope was drawn a whole number of times, as often as there are scopes together.
        assert drawn == [pytest.approx(round(each)) for each in drawn]
        assert sum(drawn) == pytest.approx(len(sizes))


def test_a_question_that_does_not_count_has_no_part_in_an_interval() -> None:
    draws = Resampling(["a"] * 4)
    assert draws.mean([1.0, math.nan, 1.0, math.nan]) == (1.0, 1.0)
    assert draws.mean([math.nan] * 4) is None
    assert Resampling([]).mean([]) is None
    assert percentile_interval(np.array([math.nan])) is None


def test_an_interval_is_between_the_2_5th_and_the_97_5th_percentile() -> None:
    # 0 … 1000 in steps of 1, interpolated linearly: 25 and 975
    assert percentile_interval(np.arange(1001.0)) == pytest.approx((25, 975))
