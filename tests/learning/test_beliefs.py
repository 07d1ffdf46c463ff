"""Does a belief become what its facts make of it, by whoever said them, in whatever order they come?"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.errors import InputError
from memweir.learning.beliefs import (
    STRONGEST,
    Belief,
    Decision,
    Evidence,
    consolidate,
    strength_of,
)

START = datetime(2026, 3, 1, tzinfo=UTC)


def fact(
    id: str,
    text: str,
    day: int = 0,
    *,
    confidence: float = 0.72,
    provenance: str = "human",
    key: str | None = None,
) -> Evidence:
    return Evidence(id, text, START + timedelta(days=day), confidence, key, provenance)


def belief(
    statement: str = "The user uses SQLite",
    *,
    strength: float = 0.6,
    evidence: tuple[str, ...] = ("a", "b", "c"),
    against: tuple[str, ...] = (),
    day: int | None = 10,
    provenance: str = "human",
    key: str | None = None,
) -> Belief:
    at = None if day is None else START + timedelta(days=day)
    return Belief(statement, strength, evidence, 2, against, at, key, provenance)


SAME = [
    fact("f1", "The backend uses Python 3.11", 1),
    fact("f2", "The backend still uses Python 3.11", 2),
    fact("f3", "后端用 Python 3.11", 3),
]


def test_three_facts_that_say_the_same_make_a_belief() -> None:
    made = consolidate(SAME)
    assert (made.action, made.reason, made.revision) == ("merge", "merged", 1)
    assert made.evidence == ("f1", "f2", "f3")
    # All agree with all, so that the newest has the wording; 2.16 / 3.16 = 0.683544.
    assert made.statement == "后端用 Python 3.11"
    assert made.strength == 0.683544
    assert made.at == SAME[2].at


def test_two_facts_are_too_few_unless_two_are_enough() -> None:
    assert consolidate(SAME[:2]).reason == "too_few"
    assert consolidate(SAME[:2], min_evidence=2).action == "merge"
    assert consolidate([]).action == "nothing"


def test_one_fact_given_three_times_is_one_fact() -> None:
    assert consolidate([SAME[0]] * 3).action == "nothing"


def test_facts_of_another_claim_do_not_count_and_the_largest_claim_wins() -> None:
    other = fact("f0", "The user's cat is called Mia", 0)
    assert consolidate([other, *SAME]).evidence == ("f1", "f2", "f3")


def test_the_wording_is_that_of_the_fact_most_others_agree_with() -> None:
    facts = [
        fact("f1", "The user likes Berlin", 1),
        fact("f2", "The user loves Berlin", 2),
        fact("f3", "The user is fond of Berlin", 3),
    ]
    assert consolidate(facts).statement == "The user is fond of Berlin"


def test_facts_that_a_later_one_has_ended_are_superseded_before_they_make_a_belief() -> None:
    facts = [
        fact("f1", "The user smokes", 1),
        fact("f2", "The user quit smoking", 2),
        fact("f3", "The user no longer smokes", 3),
        fact("f4", "用户不再抽烟", 4),
        fact("f5", "The user quit smoking", 5),
    ]
    made = consolidate(facts)
    assert made.action == "merge"
    assert made.superseded == ("f1",)
    assert "f1" not in made.evidence
    assert len(made.evidence) >= 3


def test_more_evidence_changes_the_strength_alone() -> None:
    held = belief("The backend uses Python 3.11", strength=0.6, day=0)
    made = consolidate(SAME[1:2], held)
    assert (made.action, made.reason) == ("reinforce", "reinforced")
    assert (made.statement, made.revision) == (held.statement, held.revision)
    assert made.evidence == ("a", "b", "c", "f2")
    # 0.6 stands for a support of 0.6 / 0.4 = 1.5; (1.5 + 0.72) / (1.5 + 0.72 + 1) = 0.689441.
    assert made.strength == 0.689441


def test_evidence_that_was_counted_changes_nothing() -> None:
    held = belief("The backend uses Python 3.11", evidence=("f1", "f2", "f3"), day=3)
    made = consolidate(SAME, held)
    assert (made.action, made.reason) == ("nothing", "unchanged")
    assert (made.strength, made.evidence) == (held.strength, held.evidence)


def test_a_reversal_overwrites_and_names_what_it_ended() -> None:
    held = belief("The user works at Siemens")
    made = consolidate([fact("n", "The user now works at Bosch", 20)], held)
    assert made.action == "overwrite"
    assert made.reason == "contradicted_by_new_evidence:reversal"
    assert (made.statement, made.evidence) == ("The user now works at Bosch", ("n",))
    assert (made.superseded, made.revision) == (("a", "b", "c"), 3)
    assert made.strength == 0.418605  # 0.72 / 1.72


def test_what_comes_after_a_reversal_is_evidence_for_the_new_claim() -> None:
    facts = [
        fact("n", "The user quit smoking", 20),
        fact("m", "The user no longer smokes", 21),
    ]
    made = consolidate(facts, belief("The user smokes"))
    assert (made.action, made.evidence) == ("overwrite", ("n", "m"))
    assert made.strength == 0.590164  # 1.44 / 2.44


def test_a_narrower_denial_only_weakens() -> None:
    made = consolidate([fact("n", "The user no longer uses SQLite's backup interface", 20)], belief())
    assert (made.action, made.reason) == ("weaken", "weakened:narrower.negation")
    assert (made.statement, made.evidence, made.against) == (
        "The user uses SQLite",
        ("a", "b", "c"),
        ("n",),
    )
    # A part counts half: 1.5 / (1.5 + 0.36 + 1) = 0.524476.
    assert made.strength == 0.524476


def test_another_fact_of_the_topic_leaves_the_belief_alone() -> None:
    assert consolidate([fact("n", "The user uses PostgreSQL", 20)], belief()).action == "nothing"


@pytest.mark.parametrize("provenance", ["tool", "inferred"])
def test_what_was_concluded_never_overwrites_what_a_person_said(provenance: str) -> None:
    denial = fact("n", "The user no longer uses SQLite", 20, provenance=provenance)
    made = consolidate([denial], belief())
    assert (made.action, made.reason) == ("weaken", "outranked")
    assert made.statement == "The user uses SQLite"
    assert consolidate([denial], belief(provenance="inferred")).action == "overwrite"


def test_an_inferred_fact_ends_no_claim_of_a_person_while_a_belief_is_made() -> None:
    facts = [*SAME, fact("n", "The backend no longer uses Python 3.11", 9, provenance="inferred")]
    made = consolidate(facts)
    assert (made.action, made.evidence, made.against) == ("merge", ("f1", "f2", "f3"), ("n",))
    assert made.strength < consolidate(SAME).strength


def test_a_fact_older_than_the_evidence_overwrites_nothing() -> None:
    assert consolidate([fact("n", "The user no longer uses SQLite", 5)], belief()).action == "nothing"
    assert (
        consolidate([fact("n", "The user no longer uses SQLite", 5)], belief(day=None)).action
        == "overwrite"
    )


def test_a_contradiction_that_was_counted_as_evidence_changes_the_strength_once() -> None:
    held = belief(evidence=("a", "b", "n"), day=20)
    denial = fact("n", "The user no longer uses SQLite", 20)
    made = consolidate([denial], held)
    assert (made.action, made.reason) == ("weaken", "counted_before")
    assert (made.statement, made.revision) == (held.statement, held.revision)
    assert made.evidence == held.evidence
    assert made.against == ("n",)
    again = consolidate(
        [denial], belief(strength=made.strength, evidence=made.evidence, against=made.against)
    )
    assert (again.action, again.strength) == ("nothing", made.strength)


def test_facts_of_two_keys_never_say_the_same() -> None:
    held = belief("The backend uses Python 3.11", key="stack.backend", day=0)
    assert (
        consolidate([fact("n", "后端用 Python 3.11", 1, key="stack.worker")], held).action == "nothing"
    )
    assert (
        consolidate([fact("n", "后端用 Python 3.11", 1, key="stack.backend")], held).action
        == "reinforce"
    )


def test_no_belief_is_stronger_than_the_strongest() -> None:
    assert strength_of(1_000.0) == STRONGEST == 0.95
    assert strength_of(0.0) == 0.0
    assert strength_of(1.0, 2.0) == 0.25


def test_no_strength_is_gained_by_evidence_against() -> None:
    held = belief(strength=0.95)
    made = consolidate([fact("n", "The user does not use SQLite at work", 20, confidence=0.01)], held)
    assert made.strength <= held.strength


@pytest.mark.parametrize(
    "wrong",
    [
        {"confidence": 1.2},
        {"provenance": "rumour"},
        {"at": datetime(2026, 3, 1)},
    ],
)
def test_a_fact_with_a_wrong_field_is_an_error(wrong: dict[str, object]) -> None:
    fields: dict[str, object] = {"id": "x", "text": "t", "at": START, **wrong}
    with pytest.raises(InputError):
        Evidence(**fields)  # type: ignore[arg-type]


def test_a_belief_of_no_fact_is_an_error() -> None:
    with pytest.raises(InputError):
        consolidate(SAME, min_evidence=0)


TEXTS = [
    "The user uses SQLite",
    "The user still uses SQLite",
    "用户用 SQLite",
    "The user no longer uses SQLite",
    "The user no longer uses SQLite's backup interface",
    "The user uses PostgreSQL",
    "The user now uses DuckDB instead of SQLite",
    "The user's sister uses SQLite",
]
FACTS = st.lists(
    st.builds(
        lambda number, text, day, provenance: fact(f"id{number}", text, day, provenance=provenance),
        st.integers(0, 30),
        st.sampled_from(TEXTS),
        st.integers(0, 40),
        st.sampled_from(["human", "tool", "inferred"]),
    ),
    max_size=7,
    unique_by=lambda each: each.id,
)
BELIEFS = st.one_of(st.none(), st.sampled_from([belief(), belief(provenance="inferred", day=None)]))


@given(FACTS, BELIEFS, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=40)
def test_the_order_in_which_facts_are_given_does_not_matter(
    facts: list[Evidence], held: Belief | None, random: object
) -> None:
    shuffled = list(facts)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert consolidate(facts, held) == consolidate(shuffled, held)


@given(FACTS, BELIEFS)
@settings(deadline=None, max_examples=60)
def test_no_evidence_is_lost_and_no_statement_made_up(
    facts: list[Evidence], held: Belief | None
) -> None:
    made = consolidate(facts, held)
    after = {*made.evidence, *made.superseded}
    known = {each.id for each in facts} | set(held.evidence if held else ())
    assert set(held.evidence if held else ()) <= after
    assert after | set(made.against) <= known
    assert len(made.evidence) == len(set(made.evidence))
    assert 0.0 <= made.strength <= STRONGEST
    words = {each.text for each in facts} | ({held.statement} if held else set())
    assert made.statement in words or (made.action == "nothing" and made.statement == "")
    if made.action in ("reinforce", "weaken", "nothing") and held:
        assert (made.statement, made.revision) == (held.statement, held.revision)


@given(FACTS)
@settings(deadline=None, max_examples=80)
def test_deciding_again_on_what_was_decided_changes_nothing(facts: list[Evidence]) -> None:
    made = consolidate(facts, belief())
    left = [each for each in facts if each.id not in made.superseded]
    again = consolidate(left, kept(made))
    assert (again.action, again.strength) == ("nothing", made.strength)


def kept(made: Decision) -> Belief:
    return Belief(
        made.statement,
        made.strength,
        made.evidence,
        made.revision,
        made.against,
        made.at,
        None,
        made.provenance,
    )
