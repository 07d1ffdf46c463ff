"""Is a memory worn by time where it should be, and no other?"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.config import Config
from memweir.errors import ConfigError
from memweir.fusion.decay import DecayConfig, decay, decays
from memweir.fusion.types import Candidate

CONFIG = DecayConfig()


def unused(layer: str, idle_days: float, config: DecayConfig = CONFIG) -> bool:
    return decay(layer, idle_days=idle_days, age_days=0.0, occurrences=1, config=config)[0]


def one_off(
    age_days: float, occurrences: int = 1, layer: str = "negative", config: DecayConfig = CONFIG
) -> bool:
    return decay(layer, idle_days=0.0, age_days=age_days, occurrences=occurrences, config=config)[1]


@pytest.mark.parametrize("layer", ["skill", "experience"])
def test_a_skill_or_experience_is_unused_past_fourteen_idle_days_and_not_at_them(layer: str) -> None:
    assert not unused(layer, 14.0)
    assert unused(layer, 14.001)
    assert unused(layer, math.inf)


@pytest.mark.parametrize("layer", ["world", "belief", "negative", "unheard-of"])
def test_a_layer_that_is_not_named_is_never_unused(layer: str) -> None:
    assert not unused(layer, 1e9)


def test_the_layers_and_days_of_the_configuration_are_those_that_count() -> None:
    config = DecayConfig(unused_days={"world": 3})
    assert unused("world", 4.0, config)
    assert not unused("skill", 4000.0, config)
    assert not unused("world", 4000.0, DecayConfig(unused_days={}))


def test_a_negative_memory_is_an_old_accident_past_thirty_days_and_not_at_them() -> None:
    assert not one_off(30.0)
    assert one_off(30.001)
    assert not one_off(30.001, config=DecayConfig(one_off_days=31))


@pytest.mark.parametrize("occurrences", [2, 3, 1000])
def test_a_negative_memory_that_recurred_is_no_old_accident_however_old(occurrences: int) -> None:
    assert not one_off(1e9, occurrences)


@pytest.mark.parametrize("occurrences", [0, -1])
def test_fewer_occurrences_than_one_count_as_one(occurrences: int) -> None:
    assert one_off(31.0, occurrences)
    assert not one_off(29.0, occurrences)


@pytest.mark.parametrize("layer", ["world", "experience", "belief", "skill"])
def test_only_a_negative_memory_can_be_an_old_accident(layer: str) -> None:
    assert not one_off(1e9, layer=layer)


@pytest.mark.parametrize("days", [math.nan, -1.0, -math.inf])
def test_days_that_are_unknown_or_lie_ahead_decay_nothing(days: float) -> None:
    assert not unused("skill", days)
    assert not one_off(days)


def test_idle_days_say_nothing_of_an_accident_and_age_nothing_of_use() -> None:
    config = DecayConfig(unused_days={"negative": 14})
    assert decay("negative", idle_days=15, age_days=1, occurrences=1, config=config) == (True, False)
    assert decay("negative", idle_days=1, age_days=31, occurrences=1, config=config) == (False, True)
    assert decay("negative", idle_days=15, age_days=31, occurrences=1, config=config) == (True, True)
    assert decay("negative", idle_days=15, age_days=31, occurrences=2, config=config) == (True, False)


@pytest.mark.parametrize("signal", [{"unused": True}, {"one_off": True}])
def test_what_a_person_pinned_does_not_decay(signal: dict[str, Any]) -> None:
    worn = replace(Candidate("m", "text"), **signal)
    assert decays(worn)
    assert decays(replace(worn, slot="belief"))
    assert not decays(replace(worn, pinned=True))
    assert not decays(replace(worn, slot="pinned"))


def test_what_is_neither_unused_nor_an_old_accident_does_not_decay() -> None:
    assert not decays(Candidate("m", "text", layer="negative", age_days=1e9))


def test_the_settings_stand_at_fusion_decay_and_what_is_not_named_stays() -> None:
    config = Config.load(
        environ={"MEMWEIR_FUSION_DECAY_UNUSED_DAYS_SKILL": "60"},
        overrides={"fusion.decay.factor": 0.25, "fusion.decay.unused_days.world": 365},
    )
    assert config.decay == DecayConfig(
        unused_days={"skill": 60.0, "experience": 14.0, "world": 365.0}, one_off_days=30.0, factor=0.25
    )


@pytest.mark.parametrize(
    "wrong", [{"fusion.decay.unused_days.skills": 3}, {"fusion.decay.half_life_days": 3}]
)
def test_a_layer_or_setting_that_does_not_exist_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=r"fusion\.decay"):
        Config.load(environ={}, overrides=wrong)


@given(
    st.sampled_from(["skill", "experience", "negative", "world"]),
    st.floats(0, 1e4),
    st.floats(0, 1e4),
    st.floats(0, 1e4),
    st.integers(1, 4),
)
@settings(deadline=None, max_examples=100)
def test_more_days_never_wear_a_memory_less_and_more_occurrences_never_more(
    layer: str, idle: float, age: float, more: float, occurrences: int
) -> None:
    now = decay(layer, idle_days=idle, age_days=age, occurrences=occurrences, config=CONFIG)
    later = decay(
        layer, idle_days=idle + more, age_days=age + more, occurrences=occurrences, config=CONFIG
    )
    again = decay(layer, idle_days=idle, age_days=age, occurrences=occurrences + 1, config=CONFIG)
    assert later[0] >= now[0]
    assert later[1] >= now[1]
    assert again[0] == now[0]
    assert again[1] <= now[1]
