"""Is relevance an absolute match: bounded, monotone, and readable from its table?"""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.errors import ConfigError
from memweir.retrieval.features import FEATURES
from memweir.retrieval.relevance import CALIBRATION, Reasons, RelevanceModel, relevance

_UNIT = st.floats(0, 1)
_reasons = st.builds(Reasons, exact=st.booleans(), literal=st.booleans(), window=_UNIT, related=_UNIT)


def _model(**given: object) -> RelevanceModel:
    table = {
        "version": 1,
        "weights": {"words": 2.0, "containment": 3.0},
        "calibration": {"spread": 1.5, "lead": 0.5, "mass": 1.0},
        "intercept": -2.0,
        "turn": {"gap": 2.0, "mass": 1.0, "meaning": 3.0},
        "turn_intercept": -1.0,
        "low": 0.0,
        "high": 4.0,
        "absent": 0.5,
    }
    return RelevanceModel.parse(json.dumps(table | given))


def _row(**features: float) -> list[float]:
    return [features.get(name, 0.0) for name in FEATURES]


def test_score_is_the_weighted_sum() -> None:
    matrix = np.array([_row(words=0.5, containment=0.25), _row(rarest=1.0)])
    # 2 × 0.5 + 3 × 0.25 = 1.75; the rarest word has no weight here.
    assert _model().scores(matrix) == pytest.approx([1.75, 0.0])
    assert _model().contributions(matrix)[0, FEATURES.index("containment")] == pytest.approx(0.75)


def test_match_is_the_score_between_its_ends() -> None:
    # (1 - 0) / 4; below the lower end 0, above the upper one 1.
    assert _model().matches(np.array([1.0, -3.0, 9.0])) == pytest.approx([0.25, 0.0, 1.0])


def test_probability_is_the_logistic_of_its_figures() -> None:
    matrix = np.array([_row(words=1.0, mass=1.0), _row(words=0.5)])
    chances = _model().probabilities(matrix, _model().scores(matrix))
    # Scores 2 and 1, so leads 1 and -1; four absent ones of 0.5 make a mean of 5 / 6.
    # 1.5 × 7/6 + 0.5 × 1 + 1 - 2 = 1.25; 1.5 × 1/6 - 0.5 - 2 = -2.25.
    assert chances == pytest.approx([1 / (1 + math.exp(-1.25)), 1 / (1 + math.exp(2.25))])


def test_chance_of_the_turn_is_the_logistic_of_the_best_six() -> None:
    rows = [_row(words=1.0, mass=0.5), *[_row(words=0.5, mass=0.8, meaning=0.3)] * 5, _row(mass=1.0)]
    matrix = np.array(rows)
    # Scores 2 and five times 1: gap 1; greatest mass of the six 0.8, mean meaning 0.3 × 5 / 6.
    logit = 2 * 1 + 0.8 + 3 * 0.25 - 1
    assert _model().chance(matrix, _model().scores(matrix)) == pytest.approx(1 / (1 + math.exp(-logit)))
    assert _model().chance(matrix[:0], np.zeros(0)) == 0.0


def test_gap_of_few_candidates_is_that_to_a_poor_one() -> None:
    matrix = np.array([_row(words=1.0), _row(words=0.9)])
    # Score 2, against 0.5 of one that is not there.
    chance = _model().chance(matrix, _model().scores(matrix))
    assert chance == pytest.approx(1 / (1 + math.exp(-(2 * 1.5 - 1))))
    # A best one that is poorer still has no gap below 0.
    poor = np.array([_row(words=0.1)])
    assert _model().chance(poor, _model().scores(poor)) == pytest.approx(1 / (1 + math.exp(1)))


def test_lead_of_a_lone_candidate_is_1() -> None:
    matrix = np.array([_row(words=1.0)])
    figures = _model().figures(matrix, _model().scores(matrix))
    assert figures[0, CALIBRATION.index("lead")] == 1.0


def test_nothing_to_score_is_an_empty_answer() -> None:
    matrix = np.zeros((0, len(FEATURES)))
    scores = _model().scores(matrix)
    assert scores.shape == (0,)
    assert _model().probabilities(matrix, scores).shape == (0,)


def test_reasons_combine_as_independent_ones() -> None:
    assert relevance(0.0, Reasons()) == 0.0
    assert relevance(0.38, Reasons()) == pytest.approx(0.38)
    # With a window: 1 - (1 - 0.38) × (1 - 0.35) = 0.597.
    assert relevance(0.38, Reasons(window=1.0)) == pytest.approx(0.597)
    # With an exact symbol as well: 1 - 0.403 × 0.5 = 0.7985.
    assert relevance(0.38, Reasons(exact=True, window=1.0)) == pytest.approx(0.7985)
    assert relevance(0.0, Reasons(literal=True)) == pytest.approx(0.6)
    assert relevance(0.0, Reasons(whole=True)) == pytest.approx(0.3)
    assert relevance(0.0, Reasons(named=True)) == pytest.approx(0.2)
    assert relevance(0.0, Reasons(related=7.0)) == pytest.approx(0.6)


@settings(deadline=None, max_examples=200)
@given(chance=_UNIT, more=_UNIT, reasons=_reasons)
def test_more_evidence_never_makes_less_relevant(chance: float, more: float, reasons: Reasons) -> None:
    before, after = relevance(chance, reasons), relevance(max(chance, more), reasons)
    assert 0.0 <= before <= after + 1e-12 <= 1.0 + 1e-12
    for stronger in (
        replace(reasons, exact=True),
        replace(reasons, literal=True),
        replace(reasons, whole=True),
        replace(reasons, named=True),
        replace(reasons, window=1.0),
        replace(reasons, related=1.0),
    ):
        assert relevance(chance, stronger) >= before - 1e-12


def test_built_in_table_never_holds_evidence_against_a_memory() -> None:
    model = RelevanceModel.load()
    for name, weight in model.weights.items():
        assert weight >= 0.0 or name.startswith("long_"), name
    assert all(weight >= 0.0 for weight in [*model.calibration.values(), *model.turn.values()])
    assert model.low < model.high


@pytest.mark.parametrize("feature", [name for name in FEATURES if not name.startswith("long_")])
def test_probability_rises_with_every_feature_of_a_short_turn(feature: str) -> None:
    model = RelevanceModel.load()
    low, high = np.full((2, len(FEATURES)), 0.2), np.full((2, len(FEATURES)), 0.2)
    for name in FEATURES:
        if name.startswith("long_"):
            low[:, FEATURES.index(name)] = high[:, FEATURES.index(name)] = 0.0
    high[0, FEATURES.index(feature)] = 0.9
    weaker = model.probabilities(low, model.scores(low))[0]
    stronger = model.probabilities(high, model.scores(high))[0]
    assert stronger >= weaker


@pytest.mark.parametrize(
    "damage",
    [
        {"weights": {"no_such_feature": 1.0}},
        {"calibration": {"no_such_figure": 1.0}},
        {"turn": {"no_such_figure": 1.0}},
        {"low": 4.0},
        {"weights": None},
        {"intercept": "much"},
    ],
)
def test_table_that_does_not_fit_is_refused_by_name(damage: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=r"relevance\.json"):
        _model(**damage)


def test_text_that_is_no_table_is_refused() -> None:
    for text in ("", "[]", "{}", "null"):
        with pytest.raises(ConfigError, match=r"relevance\.json"):
            RelevanceModel.parse(text)


@pytest.mark.parametrize(
    "damage",
    [
        {"version": 999},
        {"weights": {"words": -1.0}},
        {"weights": {"words": math.nan}},
        {"intercept": math.inf},
        {"turn_intercept": math.nan},
        {"version": math.inf},
    ],
)
def test_number_that_cannot_be_a_weight_is_refused(damage: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=r"relevance\.json"):
        _model(**damage)
