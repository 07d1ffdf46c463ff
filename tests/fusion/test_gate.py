"""Does each rule of the gate decide what it says, and in its place?"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.errors import ConfigError
from memweir.fusion.gate import REASONS, admitted, decide, freshness, judge, risk
from memweir.fusion.types import MODES, Candidate, Decision, Fused, GateConfig, Scored

CONFIG = GateConfig(min_relevance=0.12, turn_relevance=0.12, use_relevance=0.3)
SEVERITY = {"use": 0, "verify": 1, "ignore": 2}
# What each rule needs to apply, in the order of the rules.
BREAKS: list[tuple[str, str, dict[str, Any]]] = [
    ("ignore", "inactive", {"status": "archived"}),
    ("ignore", "instruction-like", {"suspicious": "override"}),
    ("verify", "expired", {"expired": True}),
    ("ignore", "harmful", {"harmful_count": 2}),
    ("ignore", "irrelevant", {"relevance": 0.11}),
    ("verify", "uncertain", {"relevance": 0.29}),
    ("verify", "ended", {"ended": "2026-03-01"}),
    ("verify", "contested", {"contested": "mem_newer"}),
    ("verify", "stale", {"age_days": 900.0}),  # 0.5 ** (900 / 365) = 0.181
    ("verify", "low-confidence", {"confidence": 0.69}),
    ("verify", "high-risk", {"kind": "loaded"}),
]
LIMITS: dict[str, float] = {"min_relevance": 0.12, "turn_relevance": 0.12, "use_relevance": 0.3}
RISKY = GateConfig(kind_risk={"loaded": 0.9}, max_risk=0.6, **LIMITS)  # type: ignore[arg-type]


def good(**fields: Any) -> Candidate:
    base = Candidate("m", "text", relevance=0.9, confidence=0.9, age_days=1.0)
    return replace(base, **fields)


def outcome(candidate: Candidate, config: GateConfig = CONFIG) -> tuple[str, str]:
    decision = decide(candidate, config)
    return decision.action, decision.reason


def test_a_candidate_that_breaks_no_rule_is_used() -> None:
    assert outcome(good()) == ("use", "ok")


@pytest.mark.parametrize(("action", "reason", "fields"), BREAKS)
def test_each_rule_alone_decides(action: str, reason: str, fields: dict[str, Any]) -> None:
    assert outcome(good(**fields), RISKY) == (action, reason)


@pytest.mark.parametrize("first", range(len(BREAKS)))
def test_the_earlier_rule_wins_over_every_later_one(first: int) -> None:
    action, reason, _ = BREAKS[first]
    for later in range(first + 1, len(BREAKS)):
        both = BREAKS[later][2] | BREAKS[first][2]
        assert outcome(good(**both), RISKY) == (action, reason)
    everything: dict[str, Any] = {}
    for _, _, fields in reversed(BREAKS[first:]):
        everything |= fields
    assert outcome(good(**everything), RISKY) == (action, reason)


@pytest.mark.parametrize("status", ["quarantined", "archived", "tombstoned", "unheard-of", ""])
def test_whatever_is_not_active_is_ignored(status: str) -> None:
    assert outcome(good(status=status, pinned=True, slot="pinned")) == ("ignore", "inactive")


def test_a_memory_outside_its_validity_window_is_ignored() -> None:
    assert outcome(good(valid=False)) == ("ignore", "inactive")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"relevance": 0.3}, ("use", "ok")),  # thresholds themselves pass
        ({"relevance": 0.299999}, ("verify", "uncertain")),
        ({"relevance": 0.12}, ("verify", "uncertain")),
        ({"relevance": 0.119999}, ("ignore", "irrelevant")),
        ({"age_days": 365.0 * math.log2(5)}, ("use", "ok")),  # freshness 0.2
        ({"age_days": 848.0}, ("verify", "stale")),  # 0.5 ** (848 / 365) = 0.19982
        ({"confidence": 0.7}, ("use", "ok")),
        ({"confidence": 0.699999}, ("verify", "low-confidence")),
        ({"harmful_count": 1}, ("use", "ok")),  # risk 0.15 + 0.05 + 0.25 = 0.45
    ],
)
def test_a_value_at_the_threshold_passes_and_one_below_does_not(
    fields: dict[str, Any], expected: tuple[str, str]
) -> None:
    assert outcome(good(**fields)) == expected


def test_risk_is_baseline_plus_uncertainty_plus_harm() -> None:
    # procedure 0.25 + 0.5 * (1 - 0.8) + 0.25 * 1 = 0.6
    candidate = good(kind="procedure", confidence=0.8, harmful_count=1)
    assert risk(candidate, CONFIG) == pytest.approx(0.6, abs=1e-12)
    assert outcome(candidate) == ("use", "ok")  # 0.6 is not above 0.6, whatever floats make of it
    assert outcome(replace(candidate, confidence=0.79)) == ("verify", "high-risk")


def test_risk_of_a_kind_that_is_not_named_is_the_default_and_never_above_one() -> None:
    assert risk(good(kind="new", confidence=1.0), CONFIG) == 0.15
    assert risk(good(harmful_count=99), CONFIG) == 1.0
    assert risk(good(kind="new", confidence=1.0, harmful_count=-5), CONFIG) == 0.15


def test_freshness_is_one_half_after_its_half_life() -> None:
    assert freshness(good(age_days=365.0), CONFIG) == 0.5


@pytest.mark.parametrize("slot", ["pinned", "belief"])
def test_a_reserved_slot_skips_the_relevance_rule_and_no_other(slot: str) -> None:
    assert outcome(good(slot=slot, relevance=0.0)) == ("use", "ok")
    for action, reason, fields in BREAKS:
        if reason in ("irrelevant", "uncertain", "stale"):
            continue
        assert outcome(good(slot=slot, relevance=0.0, **fields), RISKY) in (
            (action, reason),
            ("ignore", "irrelevant"),
        )
        assert outcome(good(slot=slot, **fields), RISKY) == (action, reason)


def test_a_pinned_memory_without_a_slot_still_has_to_be_relevant() -> None:
    assert outcome(good(pinned=True, relevance=0.0)) == ("ignore", "irrelevant")


def test_an_unknown_slot_skips_nothing() -> None:
    assert outcome(good(slot="vip", relevance=0.0)) == ("ignore", "irrelevant")


def test_an_exact_match_counts_as_relevant() -> None:
    assert outcome(good(exact=True, relevance=0.0)) == ("use", "ok")


def test_a_pinned_memory_is_never_stale_but_a_belief_is() -> None:
    assert outcome(good(pinned=True, age_days=9e9)) == ("use", "ok")
    assert outcome(good(slot="pinned", age_days=9e9)) == ("use", "ok")
    assert outcome(good(slot="belief", age_days=9e9)) == ("verify", "stale")


def test_a_contested_memory_is_verified_even_where_a_person_pinned_it() -> None:
    for fields in ({"pinned": True}, {"slot": "pinned"}, {"slot": "belief"}, {"exact": True}):
        assert outcome(good(contested="mem_newer", **fields)) == ("verify", "contested")


def test_a_contested_alternative_is_verified_and_brings_its_group_along() -> None:
    alternative = decide(good(relevance=0.0, contested="mem_newer"), CONFIG, alternative=True)
    assert (alternative.action, alternative.reason) == ("verify", "contested")
    found = good(id="a", group="g", contested="mem_newer")
    assert reasons(found, good(id="b", group="g", relevance=0.0)) == [
        ("verify", "contested"),
        ("use", "alternative"),
    ]


def test_decay_changes_no_decision() -> None:
    for fields in ({"unused": True}, {"one_off": True}):
        assert decide(good(**fields), CONFIG) == decide(good(), CONFIG)


@pytest.mark.parametrize("field", ["relevance", "confidence", "age_days"])
def test_a_signal_that_is_nan_never_leads_to_use(field: str) -> None:
    decision = decide(good(**{field: math.nan}), CONFIG)
    assert decision.action != "use"
    assert all(
        math.isfinite(value)
        for value in (decision.relevance, decision.freshness, decision.confidence, decision.risk)
    )


def test_the_four_scores_are_there_whichever_rule_decided() -> None:
    decision = decide(good(status="archived", age_days=365.0), CONFIG)
    # risk 0.15 + 0.5 * 0.1
    assert decision == Decision("ignore", "inactive", 0.9, 0.5, 0.9, 0.2)


def test_every_reason_is_explained_in_english_and_chinese() -> None:
    reasons = {reason for _, reason, _ in BREAKS} | {"ok", "alternative", "contests", "unanswered"}
    assert set(REASONS) == reasons
    for english, chinese in REASONS.values():
        assert english.isascii()
        assert english.endswith(".")
        assert any("\u4e00" <= character <= "\u9fff" for character in chinese)
        assert chinese.endswith("。")


@pytest.mark.parametrize(
    ("mode", "letting_in"),
    [("shadow", set()), ("assist", {"use", "verify"}), ("enforce", {"use"})],
)
def test_a_mode_admits_its_actions_only(mode: str, letting_in: set[str]) -> None:
    for action in ("use", "verify", "ignore", "unheard-of"):
        decision = Decision(action, "ok", 1, 1, 1, 0)
        assert admitted(decision, mode) == (action in letting_in)


@pytest.mark.parametrize("mode", ["", "off", "Assist", "use"])
def test_an_unknown_mode_is_refused(mode: str) -> None:
    with pytest.raises(ConfigError, match=r"fusion\.gate\.mode"):
        admitted(Decision("use", "ok", 1, 1, 1, 0), mode)


candidates = st.builds(
    Candidate,
    id=st.just("m"),
    text=st.just("t"),
    kind=st.sampled_from(["fact", "procedure", "new"]),
    status=st.sampled_from(["active", "active", "active", "archived"]),
    relevance=st.floats(0, 1),
    confidence=st.floats(0, 1),
    age_days=st.floats(0, 3000),
    harmful_count=st.integers(0, 3),
    expired=st.booleans(),
    valid=st.sampled_from([True, True, True, False]),
    pinned=st.booleans(),
    slot=st.sampled_from(["", "pinned", "belief"]),
    exact=st.booleans(),
    suspicious=st.sampled_from(["", "", "", "rule"]),
    contested=st.sampled_from(["", "", "mem_newer"]),
)


def severity(candidate: Candidate) -> int:
    return SEVERITY[decide(candidate, CONFIG).action]


@given(candidates, st.integers(0, 5))
@settings(deadline=None, max_examples=150)
def test_more_harm_never_moves_towards_use(candidate: Candidate, more: int) -> None:
    worse = replace(candidate, harmful_count=candidate.harmful_count + more)
    assert severity(worse) >= severity(candidate)


@given(candidates, st.floats(0, 1))
@settings(deadline=None, max_examples=150)
def test_less_confidence_never_moves_towards_use(candidate: Candidate, factor: float) -> None:
    assert severity(replace(candidate, confidence=candidate.confidence * factor)) >= severity(candidate)


@given(candidates, st.floats(0, 1))
@settings(deadline=None, max_examples=150)
def test_less_relevance_never_moves_towards_use(candidate: Candidate, factor: float) -> None:
    assert severity(replace(candidate, relevance=candidate.relevance * factor)) >= severity(candidate)


@given(candidates, st.floats(0, 3000))
@settings(deadline=None, max_examples=150)
def test_more_age_never_moves_towards_use(candidate: Candidate, more: float) -> None:
    assert severity(replace(candidate, age_days=candidate.age_days + more)) >= severity(candidate)


@given(candidates)
@settings(deadline=None, max_examples=100)
def test_an_open_question_never_moves_towards_use_and_never_to_ignore(candidate: Candidate) -> None:
    plain = severity(replace(candidate, contested=""))
    assert severity(replace(candidate, contested="m2")) == max(plain, SEVERITY["verify"])


@given(candidates)
@settings(deadline=None, max_examples=100)
def test_losing_activity_validity_or_trust_always_ends_in_ignore(candidate: Candidate) -> None:
    for worse in ({"status": "archived"}, {"valid": False}, {"suspicious": "rule"}):
        assert decide(replace(candidate, **worse), CONFIG).action == "ignore"


@given(candidates, st.sampled_from(MODES))
@settings(deadline=None, max_examples=50)
def test_the_mode_in_the_config_does_not_change_a_decision(candidate: Candidate, mode: str) -> None:
    assert decide(candidate, replace(CONFIG, mode=mode)) == decide(candidate, CONFIG)


def scored(candidate: Candidate) -> Scored:
    return Scored(candidate, Fused(candidate.id, 0.0, {}), 0.5)


def reasons(*members: Candidate) -> list[tuple[str, str]]:
    judged = judge([scored(each) for each in members], config=CONFIG)
    return [(each.decision.action, each.decision.reason) for each in judged]


def test_members_of_a_found_group_come_along_without_being_relevant() -> None:
    assert reasons(
        good(id="a", group="g"),
        good(id="b", group="g", relevance=0.0),
        good(id="c", group="h", relevance=0.0),
        good(id="d", relevance=0.0),
    ) == [("use", "ok"), ("use", "alternative"), ("ignore", "irrelevant"), ("ignore", "irrelevant")]


def test_what_may_have_replaced_a_found_memory_comes_along_as_sure_as_that_one_and_no_surer() -> None:
    newer = good(id="new", relevance=0.0)
    assert reasons(good(id="old", contested="new"), newer) == [
        ("verify", "contested"),
        ("use", "contests"),
    ]
    assert reasons(newer, good(id="old", contested="new", slot="pinned", relevance=0.0)) == [
        ("use", "contests"),
        ("verify", "contested"),
    ]
    uncertain = good(id="old", contested="new", relevance=0.2)
    assert reasons(uncertain, newer) == [("verify", "uncertain")] * 2
    # A chain of them, and the group of one that comes along.
    assert reasons(
        good(id="old", contested="new"),
        replace(newer, contested="newest", group="g"),
        good(id="newest", relevance=0.0),
        good(id="mate", relevance=0.0, group="g"),
    ) == [
        ("verify", "contested"),
        ("verify", "contested"),
        ("use", "contests"),
        ("use", "alternative"),
    ]


def test_what_may_have_replaced_a_memory_is_held_to_every_other_rule() -> None:
    for fields, expected in (
        ({"suspicious": "override"}, ("ignore", "instruction-like")),
        ({"harmful_count": 2}, ("ignore", "harmful")),
        ({"status": "archived"}, ("ignore", "inactive")),
        ({"confidence": 0.5}, ("verify", "low-confidence")),
        ({"expired": True}, ("verify", "expired")),
    ):
        found = reasons(good(id="old", contested="new"), good(id="new", relevance=0.0, **fields))
        assert found[1] == expected, fields


def test_what_is_not_found_itself_expired_or_over_brings_nothing_newer_along() -> None:
    for fields in ({"relevance": 0.0}, {"expired": True}, {"ended": "2026-03-01"}):
        old = good(**({"id": "old", "contested": "new"} | fields))
        assert reasons(old, good(id="new", relevance=0.0))[1] == ("ignore", "irrelevant"), fields


def test_a_member_that_comes_along_is_held_to_every_other_rule() -> None:
    found = good(id="a", group="g")
    for action, reason, fields in BREAKS:
        if reason not in ("irrelevant", "high-risk"):
            member = good(id="b", group="g", **{"relevance": 0.0, **fields})
            assert reasons(found, member)[1] == (action, reason)


def test_an_expired_or_ignored_member_brings_nobody_along() -> None:
    silent = good(id="b", group="g", relevance=0.0)
    assert reasons(good(id="a", group="g", expired=True), silent)[1] == ("ignore", "irrelevant")
    assert reasons(good(id="a", group="g", harmful_count=9), silent)[1] == ("ignore", "irrelevant")
    assert reasons(good(id="a", group="g", confidence=0.5), silent)[1] == ("use", "alternative")


def test_judging_keeps_the_order_and_notes_duplicates() -> None:
    members = [scored(good(id=memory_id)) for memory_id in "cab"]
    judged = judge(members, config=CONFIG, duplicates={"b": "a"})
    assert [(each.scored.candidate.id, each.duplicate_of) for each in judged] == [
        ("c", ""),
        ("a", ""),
        ("b", "a"),
    ]


def test_expiry_lets_in_nothing_that_harm_or_irrelevance_keeps_out() -> None:
    # In the order of rules "expired" stands before both, so `decide` alone says verify.
    harmful = good(expired=True, harmful_count=9)
    irrelevant = good(expired=True, relevance=0.0)
    assert decide(harmful, CONFIG).reason == decide(irrelevant, CONFIG).reason == "expired"
    judged = judge([scored(harmful), scored(irrelevant), scored(good(expired=True))], config=CONFIG)
    assert [each.decision.reason for each in judged] == ["harmful", "irrelevant", "expired"]


def test_turn_that_nothing_answers_gets_nothing() -> None:
    config = GateConfig(min_relevance=0.1, turn_relevance=0.3, use_relevance=0.1)
    both = [scored(good(id="a", relevance=0.9)), scored(good(id="b", relevance=0.15))]
    for turn, reason in ((0.29, "unanswered"), (0.3, "ok"), (1.0, "ok")):
        assert [each.decision.reason for each in judge(both, config=config, turn=turn)] == [reason] * 2
    assert {each.decision.reason for each in judge(both, config=config, turn=math.nan)} == {
        "unanswered"
    }


def test_exact_and_reserved_candidates_need_no_answerable_turn() -> None:
    config = GateConfig(min_relevance=0.1, turn_relevance=0.3, use_relevance=0.1)
    for fields in ({"exact": True}, {"slot": "pinned"}, {"slot": "belief"}):
        lone = scored(good(id="a", relevance=0.05, **fields))
        assert judge([lone], config=config, turn=0.0)[0].decision.action == "use"


def test_memory_with_a_reason_of_its_own_needs_no_answerable_turn() -> None:
    config = GateConfig(min_relevance=0.1, turn_relevance=0.3, use_relevance=0.1)
    alone = scored(good(id="a", relevance=0.15, grounded=True))
    beside = scored(good(id="b", relevance=0.15))
    weak = scored(good(id="c", relevance=0.09, grounded=True))
    judged = judge([alone, beside, weak], config=config, turn=0.1)
    assert [each.decision.reason for each in judged] == ["ok", "unanswered", "irrelevant"]
