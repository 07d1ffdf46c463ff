"""Are facts grouped that are near and say the same, and no others?"""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from memweir.errors import InputError
from memweir.learning.pairing import says_same
from memweir.learning.topics import group_facts, pair_scores
from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.meaning import WordVectors


def units(*angles: float) -> np.ndarray:
    """Vectors in the plane, by degrees."""
    radians = np.radians(angles)
    return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)


def test_near_facts_are_grouped_and_far_ones_left_alone() -> None:
    # cos 10° = 0.985, cos 80° = 0.17, cos 90° = 0
    found = group_facts(units(0, 10, 90, 180), [["a"], ["a"], ["a"], ["b"]], ["s"] * 4, min_cosine=0.9)
    assert found == [(0, 1)]


def test_facts_of_two_blocks_never_meet() -> None:
    found = group_facts(units(0, 0, 0, 0), [["a"]] * 4, ["s", "t", "s", "t"], min_cosine=0.9)
    assert found == [(0, 2), (1, 3)]


def test_a_chain_is_no_group() -> None:
    # Neighbours are 25° apart: cos 25° = 0.906; the ends 75°: 0.259. Pairs are left.
    found = group_facts(units(0, 25, 50, 75), [["a"]] * 4, ["s"] * 4, min_cosine=0.9)
    assert sorted(map(len, found)) == [2, 2]


def test_who_judges_has_the_last_word_on_what_is_near() -> None:
    vectors, terms = units(0, 1, 2), [["a"]] * 3
    assert group_facts(vectors, terms, ["s"] * 3, same=lambda one, other: (one, other) == (0, 2)) == [
        (0, 2)
    ]
    assert group_facts(vectors, terms, ["s"] * 3, same=lambda one, other: False) == []


def test_the_judge_is_not_asked_about_what_is_not_near() -> None:
    asked: list[tuple[int, int]] = []

    def same(one: int, other: int) -> bool:
        asked.append((one, other))
        return True

    group_facts(units(0, 5, 170), [["a"]] * 3, ["s"] * 3, same=same, min_cosine=0.5)
    assert asked == [(0, 1)]


def test_sparse_and_dense_vectors_give_the_same_groups() -> None:
    vectors = units(0, 4, 90, 92, 200)
    arguments = ([["a"], ["a"], ["b"], ["b"], ["c"]], ["s"] * 5)
    dense = group_facts(vectors, *arguments, min_cosine=0.9)
    assert dense == group_facts(csr_array(vectors), *arguments, min_cosine=0.9) == [(0, 1), (2, 3)]


def test_no_fact_and_one_fact_make_no_group() -> None:
    assert group_facts(np.zeros((0, 2), np.float32), [], []) == []
    assert group_facts(units(0), [["a"]], ["s"]) == []


def test_facts_without_a_known_word_are_not_near_each_other() -> None:
    assert group_facts(np.zeros((3, 2), np.float32), [["a"]] * 3, ["s"] * 3) == []


def test_a_form_letter_of_hundreds_is_left_out() -> None:
    # 250 equal facts are more than a component that is looked at in whole.
    assert group_facts(units(*[0] * 250), [["a"]] * 250, ["s"] * 250) == []


@pytest.mark.parametrize("wrong", [{"min_cosine": 1.5}, {"neighbours": 0}])
def test_a_number_out_of_range_is_an_error(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError):
        group_facts(units(0, 1), [["a"]] * 2, ["s"] * 2, **wrong)  # type: ignore[arg-type]


def test_lists_of_different_lengths_are_an_error() -> None:
    with pytest.raises(InputError, match="one length"):
        group_facts(units(0, 1), [["a"]], ["s"] * 2)


def test_pairs_are_counted_within_groups() -> None:
    # Found: 01 02 12 34. Expected: 01 35. Right: 01.
    assert pair_scores([(0, 1, 2), (3, 4)], [(0, 1), (3, 5)]) == (1, 4, 2)


FACTS = [
    "The backend uses Python 3.11",
    "The user's cat is called Mia",
    "The backend still uses Python 3.11",
    "The user likes tea",
    "后端用 Python 3.11",
    "The backend used Python 2",
    "用户住在柏林",
    "The user lives in Berlin",
    "The user's aunt lives in Berlin",
]


def test_facts_that_say_the_same_are_grouped_across_languages() -> None:
    assert grouped(FACTS) == {frozenset({FACTS[0], FACTS[2], FACTS[4]}), frozenset(FACTS[6:8])}


@given(st.permutations(FACTS))
@settings(deadline=None, max_examples=15)
def test_groups_do_not_depend_on_the_order_of_the_facts(facts: list[str]) -> None:
    assert grouped(facts) == grouped(FACTS)


def grouped(facts: list[str]) -> set[frozenset[str]]:
    analyses = [default_analyzer().analyse(text) for text in facts]
    found = group_facts(
        WordVectors.load().embed_analysed(analyses),
        [analysis.terms for analysis in analyses],
        ["s"] * len(facts),
        same=lambda one, other: says_same(facts[one], facts[other]),
    )
    return {frozenset(facts[number] for number in group) for group in found}


def test_a_large_block_is_grouped_by_the_terms_that_facts_share() -> None:
    # 6,000 facts, two of each kind: too many to search by vector, so that only shared terms find them.
    numbers = [number for number in range(3_000) for _ in range(2)]
    random.Random(5).shuffle(numbers)
    rng = np.random.default_rng(5)
    kinds = rng.standard_normal((3_000, 16))
    kinds /= np.linalg.norm(kinds, axis=1, keepdims=True)
    found = group_facts(
        kinds[numbers],
        [[f"kind{number}", "common"] for number in numbers],
        ["s"] * 6_000,
        min_cosine=0.99,
    )
    assert len(found) == 3_000
    assert all(numbers[one] == numbers[other] for one, other in found)
