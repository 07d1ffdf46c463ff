"""Do raw signals become numbers that may be weighed?"""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.errors import ConfigError
from memweir.fusion.signals import recency, unit


@pytest.mark.parametrize(
    ("age_days", "expected"),
    [
        (0.0, 1.0),
        (90.0, 0.5),
        (180.0, 0.25),
        (45.0, 0.7071067811865476),  # 2 ** -0.5
        (-30.0, 1.0),  # a future date is not a fault
        (math.inf, 0.0),
        (math.nan, 0.0),  # an unknown age is not fresh
    ],
)
def test_recency_halves_every_half_life(age_days: float, expected: float) -> None:
    assert recency(age_days, half_life_days=90.0) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("half_life_days", [0.0, -1.0, math.nan, math.inf])
def test_a_half_life_that_is_no_finite_number_above_zero_is_refused(half_life_days: float) -> None:
    with pytest.raises(ConfigError, match="half_life_days"):
        recency(1.0, half_life_days=half_life_days)


@given(st.floats(0, 1e6), st.floats(0, 1e6), st.floats(1e-3, 1e6))
@settings(deadline=None, max_examples=50)
def test_an_older_memory_is_never_fresher(a: float, b: float, half_life_days: float) -> None:
    younger, older = sorted((a, b))
    assert recency(older, half_life_days=half_life_days) <= recency(
        younger, half_life_days=half_life_days
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.3, 0.3), (-2, 0.0), (7, 1.0), (math.nan, 0.0), (math.inf, 1.0), (-math.inf, 0.0), (-0.0, 0.0)],
)
def test_a_signal_is_clamped_and_nan_counts_as_nothing(value: float, expected: float) -> None:
    assert unit(value) == expected
