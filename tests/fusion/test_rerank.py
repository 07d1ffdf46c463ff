"""Is the order the weighted sum of the signals, with exact matches first and every term explained?"""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.fusion.rerank import rerank
from memweir.fusion.rrf import rrf
from memweir.fusion.types import Candidate, DecayConfig, Fused, Node, RerankConfig, RrfConfig, Scored

CONFIG = RerankConfig(
    fused=0.35, relevance=0.50, confidence=0.05, recency=0.04, layer=0.02, importance=0.02, scope=0.02
)


def memory(memory_id: str = "m", **fields: Any) -> Candidate:
    return Candidate(memory_id, "text", **fields)


def by_id(*candidates: Candidate) -> dict[str, Candidate]:
    return {each.id: each for each in candidates}


signal = st.one_of(st.floats(0, 1), st.floats(allow_nan=True, allow_infinity=True))
candidates = st.builds(
    Candidate,
    id=st.sampled_from([f"m{n}" for n in range(6)]),
    text=st.just("t"),
    layer=st.sampled_from(["world", "belief", "unheard-of"]),
    scope_kind=st.sampled_from(["session", "global", "unheard-of"]),
    relevance=signal,
    confidence=signal,
    age_days=signal,
    importance=signal,
    exact=st.booleans(),
    pinned=st.booleans(),
    unused=st.booleans(),
    one_off=st.booleans(),
    contested=st.sampled_from(["", "", "m0", "m3"]),
)
many = st.lists(candidates, max_size=6, unique_by=lambda each: each.id)


def test_the_score_is_the_weighted_sum_of_the_seven_signals() -> None:
    fused = Fused("m", 0.5, {"keyword": 1}, {"graph": 0.0, "keyword": 0.5})
    candidate = memory(
        relevance=0.8,
        confidence=0.6,
        age_days=180.0,
        importance=1.0,
        layer="belief",
        scope_kind="workspace",
    )
    (scored,) = rerank([fused], by_id(candidate), config=CONFIG)
    # 0.35*0.5 + 0.50*0.8 + 0.05*0.6 + 0.04*0.25 + 0.02*0.7 + 0.02*1.0 + 0.02*0.7
    # = 0.175 + 0.4 + 0.03 + 0.01 + 0.014 + 0.02 + 0.014 = 0.663
    assert scored.score == pytest.approx(0.663, abs=1e-12)
    values = {node.name: node.value for node in scored.why.children}
    assert values == pytest.approx(
        {
            "fused": 0.175,
            "relevance": 0.4,
            "confidence": 0.03,
            "recency": 0.01,
            "layer": 0.014,
            "importance": 0.02,
            "scope": 0.014,
        },
        abs=1e-12,
    )
    paths = {node.name: node.value for node in scored.why.children[0].children}
    assert paths == pytest.approx({"graph": 0.0, "keyword": 0.175}, abs=1e-12)


def test_a_layer_and_scope_that_are_not_named_are_neutral() -> None:
    config = RerankConfig(0, 0, 0, 0, layer=0.5, importance=0, scope=0.5)
    (scored,) = rerank([], by_id(memory(layer="new", scope_kind="new")), config=config)
    assert scored.score == 0.5


def test_an_exact_match_stands_above_the_best_of_the_others() -> None:
    perfect = memory("a", relevance=1.0, confidence=1.0, importance=1.0, layer="belief")
    exact = memory("z", exact=True, age_days=1e6, importance=0.0, confidence=0.0)
    fused = [Fused("a", 1.0, {"keyword": 1}, {"keyword": 1.0})]
    ranked = rerank(fused, by_id(perfect, exact), config=CONFIG)
    assert [each.candidate.id for each in ranked] == ["z", "a"]
    assert ranked[0].score < ranked[1].score
    assert "exact" in ranked[0].why.detail


def test_exact_matches_are_ordered_by_score_among_themselves() -> None:
    ranked = rerank(
        [],
        by_id(memory("a", exact=True, relevance=0.1), memory("b", exact=True, relevance=0.9)),
        config=CONFIG,
    )
    assert [each.candidate.id for each in ranked] == ["b", "a"]


def test_scores_that_differ_by_float_noise_are_ordered_by_id() -> None:
    ranked = rerank(
        [], by_id(memory("b", relevance=0.3), memory("a", relevance=0.3 - 1e-13)), config=CONFIG
    )
    assert ranked[0].score != ranked[1].score
    assert [each.candidate.id for each in ranked] == ["a", "b"]


def test_a_fused_id_without_candidate_is_left_out() -> None:
    fused = rrf({"keyword": ["gone", "here"]}, config=RrfConfig())
    assert [each.candidate.id for each in rerank(fused, by_id(memory("here")), config=CONFIG)] == [
        "here"
    ]


def test_a_candidate_that_no_path_ranked_takes_part_without_fusion_signal() -> None:
    (scored,) = rerank([], by_id(memory("pinned", slot="pinned")), config=CONFIG)
    assert scored.fused.ranks == {}
    assert scored.signals["fused"] == 0.0


def test_weights_within_the_rounding_tolerance_are_taken_in_proportion() -> None:
    config = RerankConfig(0.5000004, 0.5000004, 0, 0, 0, 0, 0)
    fused = [Fused("m", 1.0, {"keyword": 1}, {"keyword": 1.0})]
    best, half = rerank(fused, by_id(memory(relevance=1.0), memory("n", relevance=1.0)), config=config)
    assert best.score == 1.0
    assert half.score == 0.5


@given(many, st.lists(st.sampled_from([f"m{n}" for n in range(8)]), unique=True))
@settings(deadline=None, max_examples=100)
def test_scores_are_in_the_unit_interval_and_every_tree_adds_up(
    given_candidates: list[Candidate], ranking: list[str]
) -> None:
    fused = rrf({"keyword": ranking, "graph": ranking[::-1]}, config=RrfConfig())
    ranked = rerank(fused, by_id(*given_candidates), config=CONFIG)
    assert {each.candidate.id for each in ranked} == {each.id for each in given_candidates}
    for each in ranked:
        assert 0.0 <= each.score <= 1.0
        assert each.why.value == each.score
        assert_adds_up(each.why)
        assert each.why.value == min(1.0, math.fsum(child.value for child in each.why.children))


@given(many, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=50)
def test_the_order_does_not_depend_on_the_order_of_the_input(
    given_candidates: list[Candidate], random: Any
) -> None:
    fused = rrf({"keyword": [each.id for each in given_candidates]}, config=RrfConfig())
    expected = [each.candidate.id for each in rerank(fused, by_id(*given_candidates), config=CONFIG)]
    random.shuffle(fused)
    random.shuffle(given_candidates)
    ranked = rerank(fused, by_id(*given_candidates), config=CONFIG)
    assert [each.candidate.id for each in ranked] == expected


@given(many, st.floats(0, 1))
@settings(deadline=None, max_examples=50)
def test_a_more_relevant_memory_never_scores_less(
    given_candidates: list[Candidate], relevance: float
) -> None:
    for each in given_candidates:
        low, high = sorted((relevance, 0.5))
        (below,) = rerank([], by_id(memory(each.id, relevance=low)), config=CONFIG)
        (above,) = rerank([], by_id(memory(each.id, relevance=high)), config=CONFIG)
        assert above.score >= below.score


# What time has worn


def one(candidate: Candidate, **rest: Any) -> Scored:
    fused = Fused(candidate.id, 0.5, {"keyword": 1}, {"graph": 0.1, "keyword": 0.4})
    (scored,) = rerank([fused], by_id(candidate), config=CONFIG, **rest)
    return scored


@pytest.mark.parametrize(
    "signals", [{"unused": True}, {"one_off": True}, {"unused": True, "one_off": True}]
)
def test_what_time_has_worn_keeps_half_of_its_score_once_even_where_both_hold(
    signals: dict[str, bool],
) -> None:
    whole = one(memory(relevance=0.8))
    worn = one(memory(relevance=0.8, **signals))
    # 0.35*0.5 + 0.50*0.8 + 0.05*0.5 + 0.04*1 + 0.02*0.5 + 0.02*0.5 + 0.02*0.6 (scope "project") = 0.672
    assert whole.score == pytest.approx(0.672, abs=1e-12)
    assert worn.score == whole.score / 2
    assert (whole.decay, worn.decay) == (1.0, 0.5)
    assert worn.signals == whole.signals


def test_the_tree_of_a_worn_memory_adds_up_and_says_why_it_is_smaller() -> None:
    worn = one(memory(relevance=0.8, unused=True, one_off=True))
    assert_adds_up(worn.why)
    assert math.fsum(child.value for child in worn.why.children) == worn.why.value == worn.score
    relevance = next(child for child in worn.why.children if child.name == "relevance")
    assert relevance.value == pytest.approx(0.2, abs=1e-12)  # 0.5 * 0.5 * 0.8
    assert relevance.detail == "0.5 × 0.5 × 0.8"
    fused = worn.why.children[0]
    # 0.5 * 0.35 of 0.5, of which the paths give 0.1 and 0.4
    assert {node.name: node.value for node in fused.children} == pytest.approx(
        {"graph": 0.0175, "keyword": 0.07}, abs=1e-12
    )
    assert worn.why.detail == (
        "× 0.5: not used or verified for a long time, an accident of long ago that did not recur"
    )
    assert "exact symbol" in one(memory(unused=True, exact=True)).why.detail
    assert one(memory()).why.detail == ""


def test_the_factor_is_the_one_of_the_configuration() -> None:
    worn = memory(relevance=0.8, unused=True)
    assert one(worn, decay=DecayConfig(factor=0.25)).score == pytest.approx(0.168, abs=1e-12)
    assert one(worn, decay=DecayConfig(factor=0)).score == 0.0
    unworn = one(worn, decay=DecayConfig(factor=1))
    assert (unworn.score, unworn.why) == (
        one(memory(relevance=0.8)).score,
        one(memory(relevance=0.8)).why,
    )


@pytest.mark.parametrize("pinned", [{"pinned": True}, {"slot": "pinned"}])
def test_what_a_person_pinned_keeps_its_whole_score(pinned: dict[str, Any]) -> None:
    kept = one(memory(relevance=0.8, unused=True, one_off=True, **pinned))
    assert kept.score == pytest.approx(0.672, abs=1e-12)
    assert kept.why.detail == ""


def test_an_idle_skill_goes_behind_one_in_use_that_matches_a_little_less() -> None:
    idle = memory("a", relevance=0.9, layer="skill", unused=True)
    used = memory("b", relevance=0.7, layer="skill")
    ranked = rerank([], by_id(idle, used), config=CONFIG)
    assert [each.candidate.id for each in ranked] == ["b", "a"]


# What may have been replaced


def test_a_newer_memory_stands_before_the_contested_one_that_scores_better() -> None:
    old = memory("old", relevance=0.9, contested="new")
    ranked = rerank(
        [], by_id(old, memory("between", relevance=0.7), memory("new", relevance=0.5)), config=CONFIG
    )
    assert [each.candidate.id for each in ranked] == ["new", "old", "between"]
    assert ranked[0].score < ranked[2].score < ranked[1].score
    assert ranked[0].ahead_of == "old"
    assert "may have replaced old" in ranked[0].why.detail


def test_a_newer_memory_stands_before_the_contested_one_even_where_that_holds_an_exact_symbol() -> None:
    old = memory("old", exact=True, contested="new")
    ranked = rerank([], by_id(old, memory("other", exact=True), memory("new")), config=CONFIG)
    assert [each.candidate.id for each in ranked] == ["new", "old", "other"]


def assert_adds_up(node: Node) -> None:
    if node.children:
        assert abs(math.fsum(child.value for child in node.children) - node.value) < 1e-12
    for child in node.children:
        assert_adds_up(child)
