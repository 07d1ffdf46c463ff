"""Are repetitions collapsed, and is a second fact never taken for one?"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.errors import ConfigError
from memweir.fusion.duplicates import collapse, turns_meaning
from memweir.fusion.types import Candidate, Fused, Scored

TEN = "alpha bravo charlie delta echo foxtrot golf hotel india juliet"


def scored(memory_id: str, terms: str = TEN, **fields: Any) -> Scored:
    candidate = Candidate(memory_id, terms, fingerprint=frozenset(terms.split()), **fields)
    return Scored(candidate, Fused(memory_id, 0.0, {}), 0.5)


def test_the_worse_ranked_of_two_near_duplicates_names_the_kept_one() -> None:
    # 10 shared of 11: 0.909
    assert collapse([scored("a"), scored("b", TEN + " kilo")]) == {"b": "a"}
    assert collapse([scored("b", TEN + " kilo"), scored("a")]) == {"a": "b"}


def test_similarity_just_below_the_threshold_is_kept() -> None:
    # 9 shared of 11: 0.818
    other = TEN.replace("juliet", "kilo")
    assert collapse([scored("a"), scored("b", other)]) == {}
    assert collapse([scored("a"), scored("b", other)], threshold=0.8) == {"b": "a"}


def test_similarity_exactly_at_the_threshold_collapses() -> None:
    nine = TEN.removesuffix(" juliet")  # 9 of 10
    assert collapse([scored("a"), scored("b", nine)], threshold=0.9) == {"b": "a"}


def test_two_texts_that_differ_in_a_number_are_two_facts() -> None:
    pair = [
        scored("a", "merged pr into main", numbers=("260",)),
        scored("b", "merged pr into main", numbers=("480",)),
    ]
    assert collapse(pair) == {}


def test_what_two_people_say_is_two_claims() -> None:
    assert collapse([scored("a", speaker="Ada"), scored("b", speaker="Grace")]) == {}
    assert collapse([scored("a", speaker="Ada"), scored("b", speaker="Ada")]) == {"b": "a"}
    # Who said the one is not known: it may be the same.
    assert collapse([scored("a", speaker="Ada"), scored("b")]) == {"b": "a"}


def test_numbers_in_another_order_are_another_fact() -> None:
    pair = [scored("a", numbers=("22", "80")), scored("b", numbers=("80", "22"))]
    assert collapse(pair) == {}


TURNING = """
not no never don't don’t cannot without disable disabl off Never
不 没 别 无 不允 没有 沒有 無法 禁用 启用 允许 之前
"""


@pytest.mark.parametrize("term", TURNING.split())
def test_a_term_that_turns_the_meaning_round_prevents_collapsing(term: str) -> None:
    plain = scored("a", TEN + " kilo lima mike november oscar papa quebec romeo sierra tango")
    turned = scored("b", plain.candidate.text + " " + term)  # 20 of 21: 0.952
    assert turns_meaning(term)
    assert collapse([plain, turned]) == {}
    assert collapse([turned, plain]) == {}
    also = scored("c", turned.candidate.text)
    assert collapse([turned, also]) == {"c": "b"}  # shared, it turns both


@pytest.mark.parametrize("term", ["note", "nothing-else", "knot", "数据库", "production", "offer"])
def test_an_ordinary_term_does_not_turn_the_meaning(term: str) -> None:
    assert not turns_meaning(term)


def test_enabled_and_disabled_are_two_facts_in_a_long_text() -> None:
    base = TEN + " kilo lima mike november oscar papa quebec romeo sierra"
    # 19 shared of 21: 0.905
    assert collapse([scored("a", base + " enabl"), scored("b", base + " disabl")]) == {}


def test_float_noise_in_the_threshold_loses_no_pair() -> None:
    # 14 of 25 is 0.56, but 0.56 * 25 is 14.000000000000002 in floats; the last 14 terms are shared.
    terms = [f"t{n:02d}" for n in range(25)]
    pair = [scored("a", " ".join(terms)), scored("b", " ".join(terms[11:]))]
    assert collapse(pair, threshold=0.56) == {"b": "a"}


def test_short_fingerprints_must_be_equal() -> None:
    assert collapse([scored("a", "x y z"), scored("b", "x y")], threshold=0.5) == {}
    assert collapse([scored("a", "x y z"), scored("b", "z y x")]) == {"b": "a"}
    assert collapse([scored("a", "w x y z"), scored("b", "x y z")], threshold=0.5) == {}


def test_an_empty_fingerprint_duplicates_nothing() -> None:
    assert collapse([scored("a", ""), scored("b", "")]) == {}


def test_members_of_one_coexistence_group_are_never_collapsed() -> None:
    pair = [scored("a", group="g"), scored("b", group="g")]
    assert collapse(pair) == {}


def test_a_group_member_is_never_collapsed_away_but_stands_for_others() -> None:
    assert collapse([scored("a"), scored("b", group="g")]) == {}
    assert collapse([scored("b", group="g"), scored("a")]) == {"a": "b"}


@pytest.mark.parametrize("kind", ["event", "turn"])
def test_the_same_words_on_two_days_are_two_events(kind: str) -> None:
    one = scored("a", kind=kind, created="2026-10-14")
    other = scored("b", kind=kind, created="2026-10-15")
    again = scored("c", kind=kind, created="2026-10-14T09:00:00Z")
    assert collapse([one, other, again]) == {"c": "a"}


def test_a_fact_told_on_two_days_is_one_fact() -> None:
    pair = [scored("a", created="2026-10-14"), scored("b", created="2026-10-15")]
    assert collapse(pair) == {"b": "a"}


def test_what_failed_never_stands_for_what_worked() -> None:
    assert collapse([scored("a", layer="negative"), scored("b", layer="experience")]) == {}
    assert collapse([scored("a", layer="belief"), scored("b", layer="world")]) == {"b": "a"}


def test_a_chain_does_not_join_its_ends() -> None:
    first, second = scored("a"), scored("b", TEN + " kilo")
    third = scored("c", TEN + " kilo lima")  # to a: 10 of 12; to b: 11 of 12
    assert collapse([first, second, third]) == {"b": "a"}


@pytest.mark.parametrize("threshold", [0.0, -1.0, 1.1, float("nan")])
def test_a_threshold_outside_its_range_is_refused(threshold: float) -> None:
    with pytest.raises(ConfigError, match="threshold"):
        collapse([], threshold=threshold)


fingerprints = st.frozensets(st.sampled_from("abcdefgh"), max_size=8)


@given(st.lists(fingerprints, max_size=25), st.sampled_from([0.3, 0.5, 0.55, 0.7, 0.75, 0.9, 1.0]))
@settings(deadline=None, max_examples=150)
def test_the_result_equals_comparing_every_pair(terms: list[frozenset[str]], threshold: float) -> None:
    ranked = [scored(f"m{n:02d}", " ".join(each)) for n, each in enumerate(terms)]
    expected: dict[str, str] = {}
    kept: list[Scored] = []
    for each in ranked:
        mine = each.candidate.fingerprint
        for other in kept:
            theirs = other.candidate.fingerprint
            if not mine or not theirs:
                continue
            near = len(mine & theirs) / len(mine | theirs) >= threshold
            if mine == theirs or (near and min(len(mine), len(theirs)) >= 4):
                expected[each.candidate.id] = other.candidate.id
                break
        else:
            kept.append(each)
    assert collapse(ranked, threshold=threshold) == expected
