"""Is relevance an absolute match: bounded, monotone, and 0 where nothing speaks for a memory?"""

from __future__ import annotations

import math
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.retrieval.embedding import SMALLEST_COLLECTION
from memweir.retrieval.relevance import Evidence, TermWeights, relevance

_UNIT = st.floats(0, 1)
_NUMBERS = [each.name for each in fields(Evidence) if each.type == "float"]
_REASONS = [each.name for each in fields(Evidence) if each.type == "bool"]
_evidence = st.builds(
    Evidence, **dict.fromkeys(_NUMBERS, _UNIT), **dict.fromkeys(_REASONS, st.booleans())
)


def test_nothing_is_0() -> None:
    assert relevance(Evidence()) == 0.0


def test_parts_combine_as_documented() -> None:
    # Words: 0.4 × 0.5 + 0.3 × 0.4 + 0.3 × 0.2 = 0.38.
    words = Evidence(coverage=0.5, containment=0.4, share=0.2)
    assert relevance(words) == pytest.approx(0.38)
    # With a window: 1 - (1 - 0.38) × (1 - 0.35) = 0.597.
    assert relevance(replace(words, window=1.0)) == pytest.approx(0.597)
    # With an exact symbol as well: 1 - 0.403 × 0.5 = 0.7985.
    assert relevance(replace(words, window=1.0, exact=True)) == pytest.approx(0.7985)
    # A link counts as 1 at most, however often it was walked: 0.1.
    assert relevance(Evidence(linked=7.0)) == pytest.approx(0.1)
    assert relevance(Evidence(literal=True)) == pytest.approx(0.6)
    assert relevance(Evidence(related=1.0)) == pytest.approx(0.6)


def test_all_evidence_is_at_most_1() -> None:
    full = Evidence(1.0, 1.0, 1.0, exact=True, literal=True, window=1.0, related=1.0, linked=1.0)
    assert relevance(full) == 1.0
    assert relevance(Evidence(1.0, 1.0, 1.0)) == pytest.approx(1.0)


@settings(deadline=None, max_examples=200)
@given(evidence=_evidence, name=st.sampled_from(_NUMBERS), more=_UNIT)
def test_more_of_any_evidence_never_makes_less_relevant(
    evidence: Evidence, name: str, more: float
) -> None:
    value = max(getattr(evidence, name), more)
    before, after = relevance(evidence), relevance(replace(evidence, **{name: value}))
    assert 0.0 <= before <= after + 1e-12 <= 1.0 + 1e-12


@settings(deadline=None, max_examples=100)
@given(evidence=_evidence, name=st.sampled_from(_REASONS))
def test_a_reason_of_its_own_never_makes_less_relevant(evidence: Evidence, name: str) -> None:
    with_it = relevance(replace(evidence, **{name: True}))
    assert relevance(replace(evidence, **{name: False})) <= with_it + 1e-12


def test_weight_is_idf_to_the_power_of_one_and_a_half() -> None:
    weights = TermWeights.of(["rare", "common", "unknown"], 100, {"rare": 1, "common": 60}).weights
    # ln(1 + (100 - 1 + 0.5) / 1.5) = 4.2096; ln(1 + 40.5 / 60.5) = 0.5124; ln(1 + 100.5 / 0.5) = 5.3083
    assert weights == pytest.approx(
        {"rare": 4.2096**1.5, "common": 0.51245**1.5, "unknown": 5.3083**1.5}, rel=2e-4
    )


def test_small_store_is_weighed_as_one_of_ten() -> None:
    assert SMALLEST_COLLECTION == 10
    for documents in (0, 1, 5, 10):
        weights = TermWeights.of(["held"], documents, {"held": min(documents, 1)}).weights
        # ln(1 + (10 - df + 0.5) / (df + 0.5))
        held = min(documents, 1)
        assert weights["held"] == pytest.approx(math.log1p((10.5 - held) / (held + 0.5)) ** 1.5)


def test_count_beyond_the_collection_is_no_negative_weight() -> None:
    weights = TermWeights.of(["stale"], 20, {"stale": 900}).weights
    assert weights["stale"] == pytest.approx(math.log1p(0.5 / 20.5) ** 1.5)


def test_coverage_is_the_share_of_the_weight() -> None:
    weights = TermWeights({"a": 1.0, "b": 3.0})
    assert weights.coverage(frozenset()) == 0.0
    assert weights.coverage(frozenset({"a"})) == pytest.approx(0.25)
    assert weights.coverage(frozenset({"b", "c"})) == pytest.approx(0.75)
    assert weights.coverage(frozenset({"a", "b"})) == pytest.approx(1.0)
    assert TermWeights({}).coverage(frozenset({"a"})) == 0.0


def test_synonym_counts_for_the_term_and_is_not_counted_twice() -> None:
    weights = TermWeights.of(["car", "~vehicle", "red"], 100, {}, {"car": "~vehicle"})
    assert set(weights.weights) == {"car", "red"}
    assert weights.coverage(frozenset({"~vehicle"})) == pytest.approx(0.5)
    assert weights.coverage(frozenset({"car", "~vehicle", "red"})) == pytest.approx(1.0)


def test_slip_of_a_known_word_counts_for_three_fifths() -> None:
    weights = TermWeights.of(["kuberntes", "port"], 100, {"port": 3})
    assert weights.unknown == {"kuberntes"}
    held = frozenset({"kubernetes"})
    assert weights.coverage(held) == 0.0
    known = weights.with_slips(["kubernetes", "port", "kiwi"])
    total = math.fsum(known.weights.values())
    assert known.coverage(held) == pytest.approx(0.6 * known.weights["kuberntes"] / total)


def test_word_that_some_memory_holds_is_no_slip() -> None:
    weights = TermWeights.of(["kestral"], 100, {"kestral": 1}).with_slips(["kestrel"])
    assert weights.coverage(frozenset({"kestrel"})) == 0.0


@pytest.mark.parametrize("term", ["cat", "端口端口", "8081", "err-42", "日志"])
def test_only_longer_latin_words_can_be_slips(term: str) -> None:
    weights = TermWeights.of([term], 100, {}).with_slips([term + "x", "car", "8080", "端口端口号"])
    assert weights.slips == {}


@settings(deadline=None, max_examples=100)
@given(
    held=st.frozensets(st.sampled_from("abcdefg")),
    df=st.dictionaries(st.sampled_from("abcdefg"), st.integers(0, 60)),
    documents=st.integers(0, 50),
)
def test_coverage_is_a_share(held: frozenset[str], df: dict[str, int], documents: int) -> None:
    weights = TermWeights.of(list("abcde"), documents, df)
    coverage = weights.coverage(held)
    assert 0.0 <= coverage <= 1.0 + 1e-12
    assert all(weight > 0 for weight in weights.weights.values())
    assert weights.coverage(held | {"a"}) >= coverage
