"""Are settings that cannot mean anything refused, by name?"""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from memweir.errors import ConfigError
from memweir.fusion.types import Budget, DecayConfig, GateConfig, RerankConfig, RrfConfig

BAD_NUMBERS = [-1.0, math.nan, math.inf, -math.inf, 10**400, "1", None, True]


@pytest.mark.parametrize("weight", BAD_NUMBERS)
def test_a_path_weight_that_is_no_finite_number_from_zero_up_is_refused(weight: float) -> None:
    with pytest.raises(ConfigError, match="semantic"):
        RrfConfig(weights={"semantic": weight, "keyword": 1.0})


def test_path_weights_that_are_all_zero_are_refused() -> None:
    with pytest.raises(ConfigError, match="must not all be 0"):
        RrfConfig(weights={"semantic": 0, "keyword": 0.0})


@pytest.mark.parametrize("k", [0, -1, 1001, math.nan, 60.0, True, "60"])
def test_a_rank_constant_outside_1_to_1000_or_not_whole_is_refused(k: int) -> None:
    with pytest.raises(ConfigError, match=r"fusion\.rrf\.k"):
        RrfConfig(k=k)


@pytest.mark.parametrize("weight", [*BAD_NUMBERS, 1.1])
def test_a_signal_weight_outside_0_to_1_is_refused(weight: float) -> None:
    with pytest.raises(ConfigError, match=r"fusion\.rerank\.relevance"):
        RerankConfig(relevance=weight)


def test_signal_weights_that_do_not_sum_to_one_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"must sum to 1\.0"):
        RerankConfig(fused=0.35, relevance=0.49)
    with pytest.raises(ConfigError, match=r"must sum to 1\.0"):
        RerankConfig(0, 0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("build", "setting"),
    [
        (lambda: RerankConfig(half_life_days=0), "half_life_days"),
        (lambda: RerankConfig(layer_prior={"world": 1.5}), "layer_prior.world"),
        (lambda: RerankConfig(scope_prior={"team": math.nan}), "scope_prior.team"),
        (lambda: RerankConfig(scope_prior=["team"]), "scope_prior"),  # type: ignore[arg-type]
        (lambda: GateConfig(mode="on"), "mode"),
        (lambda: GateConfig(min_relevance=math.nan), "min_relevance"),
        (lambda: GateConfig(max_risk=-0.1), "max_risk"),
        (lambda: GateConfig(quarantine_harmful=0), "quarantine_harmful"),
        (lambda: GateConfig(quarantine_harmful=1.5), "quarantine_harmful"),  # type: ignore[arg-type]
        (lambda: GateConfig(kind_risk={"fact": 2}), "kind_risk.fact"),
        (lambda: DecayConfig(factor=1.1), "fusion.decay.factor"),
        (lambda: DecayConfig(factor=math.nan), "fusion.decay.factor"),
        (lambda: DecayConfig(one_off_days=-1), "fusion.decay.one_off_days"),
        (lambda: DecayConfig(one_off_days=36_501), "fusion.decay.one_off_days"),
        (lambda: DecayConfig(unused_days={"skill": -1}), "fusion.decay.unused_days.skill"),
        (lambda: DecayConfig(unused_days={"skill": math.inf}), "fusion.decay.unused_days.skill"),
        (lambda: DecayConfig(unused_days=14), "fusion.decay.unused_days"),  # type: ignore[arg-type]
        (lambda: Budget(items=51), "items"),
        (lambda: Budget(characters=-1), "characters"),
        (lambda: Budget(tokens=1.5), "tokens"),  # type: ignore[arg-type]
        (lambda: Budget(belief_slots=True), "belief_slots"),
    ],
)
def test_a_setting_outside_its_range_is_refused_by_its_name(
    build: Callable[[], object], setting: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        build()
    assert caught.value.setting.endswith(setting)


def test_a_table_given_to_a_config_can_be_changed_without_changing_the_config() -> None:
    weights, priors, risks, days = {"keyword": 1.0}, {"world": 0.4}, {"fact": 0.3}, {"skill": 7.0}
    rrf, rerank = RrfConfig(weights=weights), RerankConfig(layer_prior=priors)
    gate, decay = GateConfig(kind_risk=risks), DecayConfig(unused_days=days)
    weights["keyword"], priors["world"], risks["fact"], days["skill"] = -5.0, -5.0, -5.0, -5.0
    assert rrf.weights == {"keyword": 1.0}
    assert rerank.layer_prior == {"world": 0.4}
    assert gate.kind_risk == {"fact": 0.3}
    assert decay.unused_days == {"skill": 7.0}
