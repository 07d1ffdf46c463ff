"""Does fusion compute what the formula says, whatever the order of the paths?"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.errors import ConfigError
from memweir.fusion.rrf import rrf, unranked
from memweir.fusion.types import RrfConfig
from memweir.retrieval.types import PATHS

EQUAL = RrfConfig(k=60, weights={})

ids = st.sampled_from([f"m{n}" for n in range(8)])
rankings = st.dictionaries(
    st.sampled_from([*PATHS, "plugin"]), st.lists(ids, max_size=8), min_size=1, max_size=5
)
configs = st.builds(
    RrfConfig,
    k=st.integers(1, 1000),
    weights=st.dictionaries(
        st.sampled_from(PATHS), st.just(0.0) | st.floats(1e-6, 1000), min_size=1, max_size=4
    ).filter(lambda weights: any(weights.values())),
)


def test_scores_are_the_reciprocal_rank_sum_over_its_maximum() -> None:
    fused = rrf({"semantic": ["a", "b"], "keyword": ["b", "c"]}, config=RrfConfig(k=1, weights={}))
    # k = 1: first rank 1/2, second 1/3; the maximum with two paths is 1.
    # a: 1/2; b: 1/3 + 1/2 = 5/6; c: 1/3
    assert [(each.id, each.score) for each in fused] == [
        ("b", pytest.approx(5 / 6, abs=1e-15)),
        ("a", 0.5),
        ("c", pytest.approx(1 / 3, abs=1e-15)),
    ]
    assert fused[0].ranks == {"semantic": 2, "keyword": 1}


def test_weights_scale_the_paths() -> None:
    config = RrfConfig(k=1, weights={"semantic": 3.0, "keyword": 1.0})
    fused = rrf({"semantic": ["a"], "keyword": ["b", "a"]}, config=config)
    # maximum 3/2 + 1/2 = 2; a: (3/2 + 1/3) / 2 = 11/12; b: (1/2) / 2 = 1/4
    assert [each.id for each in fused] == ["a", "b"]
    assert [each.score for each in fused] == pytest.approx([11 / 12, 1 / 4], abs=1e-15)


def test_a_path_that_found_nothing_still_counts_in_the_maximum() -> None:
    alone = rrf({"keyword": ["a"]}, config=EQUAL)
    beside = rrf({"keyword": ["a"], "semantic": [], "graph": [], "timeline": []}, config=EQUAL)
    assert [each.score for each in alone] == [1.0]
    assert [each.score for each in beside] == [0.25]


def test_each_further_path_that_finds_a_memory_raises_its_score() -> None:
    scores = []
    for found_by in range(1, 5):
        lists = {path: ["x"] if n < found_by else ["y"] for n, path in enumerate(PATHS)}
        scores += [each.score for each in rrf(lists, config=EQUAL) if each.id == "x"]
    assert scores == [0.25, 0.5, 0.75, 1.0]


def test_a_repeated_id_counts_at_its_first_rank_only() -> None:
    fused = rrf({"keyword": ["a", "a", "b"]}, config=RrfConfig(k=1, weights={}))
    # a: (1/2) / (1/2) = 1; b keeps the rank of its place, 3: (1/4) / (1/2) = 1/2
    assert [(each.id, each.score, dict(each.ranks)) for each in fused] == [
        ("a", 1.0, {"keyword": 1}),
        ("b", 0.5, {"keyword": 3}),
    ]


def test_true_ties_break_on_the_id_and_not_on_float_noise() -> None:
    # Both hold the ranks 1, 2, 3, on different paths: equal sums that plain addition would tell apart.
    lists = {
        "semantic": ["b", "a", "z"],
        "keyword": ["z", "b", "a"],
        "graph": ["a", "z", "b"],
    }
    fused = rrf(lists, config=RrfConfig(k=10, weights={}))
    assert [each.id for each in fused] == ["a", "b", "z"]
    assert len({each.score for each in fused}) == 1


def test_a_path_of_weight_zero_adds_nothing_but_its_rank_is_kept() -> None:
    config = RrfConfig(weights={"graph": 0.0, "keyword": 1.0})
    fused = rrf({"keyword": ["a"], "graph": ["b", "a"]}, config=config)
    assert [(each.id, each.score, dict(each.ranks)) for each in fused] == [
        ("a", 1.0, {"graph": 2, "keyword": 1}),
        ("b", 0.0, {"graph": 1}),
    ]


def test_only_paths_of_weight_zero_give_zero_and_no_division_error() -> None:
    config = RrfConfig(weights={"graph": 0.0, "keyword": 1.0})
    assert [each.score for each in rrf({"graph": ["b", "a"]}, config=config)] == [0.0, 0.0]


def test_nothing_asked_gives_nothing() -> None:
    assert rrf({}, config=EQUAL) == []
    assert rrf({"keyword": [], "graph": []}, config=EQUAL) == []


def test_a_memory_no_path_ranked_has_no_score_and_says_so() -> None:
    fused = unranked("m")
    assert (fused.id, fused.score, dict(fused.ranks)) == ("m", 0.0, {})
    assert (fused.why.value, fused.why.children) == (0.0, ())


def test_the_explanation_names_every_path_asked_with_its_rank() -> None:
    (fused,) = rrf({"semantic": ["a"], "keyword": []}, config=EQUAL)
    assert [(node.name, node.value, node.detail) for node in fused.why.children] == [
        ("keyword", 0.0, "not found"),
        ("semantic", 0.5, "rank 1"),
    ]


@given(rankings, configs)
@settings(deadline=None, max_examples=100)
def test_every_score_equals_exact_arithmetic(lists: dict[str, list[str]], config: RrfConfig) -> None:
    fused = rrf(lists, config=config)
    weight = {path: Fraction(config.weights.get(path, 1.0)) for path in lists}
    ceiling = sum(weight.values()) / (config.k + 1)
    assert {each.id for each in fused} == {found for found_ids in lists.values() for found in found_ids}
    for each in fused:
        total = sum(
            (weight[path] / (config.k + found.index(each.id) + 1))
            for path, found in lists.items()
            if each.id in found
        )
        exact = total / ceiling if ceiling else Fraction(0)
        assert each.score == pytest.approx(float(exact), rel=1e-12, abs=1e-12)
        assert 0.0 <= each.score <= 1.0


@given(rankings, configs)
@settings(deadline=None, max_examples=100)
def test_the_children_of_the_explanation_add_up_to_the_score(
    lists: dict[str, list[str]], config: RrfConfig
) -> None:
    for each in rrf(lists, config=config):
        assert abs(math.fsum(node.value for node in each.why.children) - each.score) < 1e-12
        assert each.why.value == each.score
        assert [node.name for node in each.why.children] == sorted(lists)


@given(rankings, configs, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=100)
def test_permuting_the_paths_changes_nothing(
    lists: dict[str, list[str]], config: RrfConfig, random: object
) -> None:
    paths = list(lists)
    random.shuffle(paths)  # type: ignore[attr-defined]
    permuted = {path: lists[path] for path in paths}
    assert rrf(permuted, config=config) == rrf(lists, config=config)


@given(rankings, configs, ids)
@settings(deadline=None, max_examples=100)
def test_one_more_path_with_a_memory_first_never_lowers_it(
    lists: dict[str, list[str]], config: RrfConfig, memory_id: str
) -> None:
    before = {each.id: each.score for each in rrf(lists, config=config)}.get(memory_id, 0.0)
    more = {**lists, "one_more": [memory_id]}
    after = {each.id: each.score for each in rrf(more, config=config)}[memory_id]
    assert after >= before - 1e-12


@given(rankings, configs)
@settings(deadline=None, max_examples=50)
def test_the_result_is_sorted_and_its_input_untouched(
    lists: dict[str, list[str]], config: RrfConfig
) -> None:
    copy = {path: list(found) for path, found in lists.items()}
    fused = rrf(lists, config=config)
    keys = [(-round(each.score, 12), each.id) for each in fused]
    assert keys == sorted(keys)
    assert lists == copy


def test_a_weight_lost_in_rounding_is_refused() -> None:
    # 5e-324 / 21 is 0 in floating point: the one path there is would score 0 instead of 1.
    with pytest.raises(ConfigError):
        RrfConfig(weights={"keyword": 5e-324})
