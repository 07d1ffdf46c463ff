"""Which facts does the English reader make of a sentence, and by which rule does it make none?"""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.learning.english import read_english
from memweir.learning.types import Fact, Sentence, Spoken
from memweir.store.records import KINDS

NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)  # a Wednesday
FIRST_PERSON = re.compile(r"\b(?:i|me|my|mine|myself|we|us|our|ours|ourselves)\b", re.IGNORECASE)


def read(text: str, subject: str = "", before: str = "") -> tuple[Fact, ...] | str:
    return read_english(Sentence(text, 0, len(text), "en", before), Spoken(subject, NOW))


def facts(text: str, subject: str = "", before: str = "") -> tuple[Fact, ...]:
    found = read(text, subject, before)
    assert not isinstance(found, str), f"{text!r} was refused by {found}"
    return found


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Does the cache expire?", "shape.question"),
        ("what should the timeout be", "shape.question"),
        ("any idea why the cache is stale", "shape.question"),
        ("I wonder if the cache expires", "shape.question"),
        ("You moved to Graz, right?", "shape.question"),
        ("Remember when we camped in Wales?", "shape.question"),
        ("Good morning!", "shape.greeting"),
        ("That's wonderful!", "shape.reaction"),
        ("Thanks for the quick answer!", "shape.reaction"),
        ("Glad you liked the soup", "shape.reaction"),
        ("I like it", "shape.reaction"),
        ("please rename the column", "shape.command"),
        ("can you rename the column", "shape.command"),
        ("let's run the migration", "shape.command"),
        ("If I had a garden I would grow figs", "shape.hypothetical"),
        ("I'm exhausted", "shape.transient"),
        ("brb", "shape.transient"),
        ("I'm looking at the stack trace right now", "shape.transient"),
        ("I'm getting an odd error in the parser", "shape.transient"),
        ("You missed the second column", "shape.addressed"),
        ("My boss said we must ship on Friday", "shape.quoted"),
        ("maybe I'll paint the fence", "shape.guess"),
        ("I think the fence is green", "shape.guess"),
        ("I'd love to sail", "shape.wish"),
        ("I told you I'm from Graz", "shape.conversation"),
        ("I'll check it out!", "shape.promise"),
        ("It was great", "shape.reaction"),
        ("I had a great time", "extract.vague"),
        ("She lives in Graz.", "extract.unknown-subject"),
        ("The rain was cold.", "extract.general"),
    ],
)
def test_a_sentence_that_states_nothing_lasting_is_refused_by_its_rule(text: str, rule: str) -> None:
    assert read(text) == rule


@pytest.mark.parametrize(
    ("text", "statement", "kind"),
    [
        ("I'm allergic to walnuts.", "The user is allergic to walnuts.", "fact"),
        ("I've got two ferrets.", "The user has two ferrets.", "fact"),
        ("I don't drink tea.", "The user does not drink tea.", "fact"),
        ("I carry an umbrella every day.", "The user carries an umbrella every day.", "fact"),
        (
            "My brother lives in Graz and works at Voith.",
            "The user's brother lives in Graz and works at Voith.",
            "fact",
        ),
        ("I love rowing and pottery.", "The user loves rowing and pottery.", "preference"),
        (
            "I'd rather use tabs than spaces.",
            "The user would rather use tabs than spaces.",
            "preference",
        ),
        ("I can't stand crowded trains.", "The user cannot stand crowded trains.", "preference"),
        ("I never eat liver.", "The user never eats liver.", "constraint"),
        ("I must not eat gluten.", "The user must not eat gluten.", "constraint"),
        ("Commit messages must be in English.", "Commit messages must be in English.", "constraint"),
        ("We decided to go with Postgres.", "The user's team decided to go with Postgres.", "decision"),
        (
            "We deploy by tagging a release on trunk.",
            "The user's team deploys by tagging a release on trunk.",
            "procedure",
        ),
        (
            "I sold my boat because I needed cash.",
            "The user sold their boat because they needed cash.",
            "event",
        ),
        (
            "My wife and I were married in Graz.",
            "The user's wife and the user were married in Graz.",
            "event",
        ),
    ],
)
def test_a_statement_is_in_the_third_person_with_its_kind(text: str, statement: str, kind: str) -> None:
    (fact,) = facts(text)
    assert (fact.statement, fact.kind) == (statement, kind)


def test_openers_chatter_and_exclamations_are_left_out() -> None:
    (fact,) = facts("Hey! So guess what, I finally joined that choir I told you about, starts Tuesday!")
    assert fact.statement == "The user joined that choir that starts on Tuesday 16 June 2026."


def test_the_subject_is_the_name_that_was_given() -> None:
    (fact,) = facts("I painted my kitchen yesterday.", subject="Mira")
    assert fact.statement == "Mira painted their kitchen on 9 June 2026."


def test_facts_that_stand_alone_are_split() -> None:
    assert [fact.statement for fact in facts("I live in Graz and my sister lives in Oslo.")] == [
        "The user lives in Graz.",
        "The user's sister lives in Oslo.",
    ]


@pytest.mark.parametrize(
    ("text", "words", "first", "end"),
    [
        # 10 June 2026 is a Wednesday: yesterday the 9th; last week Monday 1 to Sunday 7 June.
        ("I climbed a fell yesterday.", "on 9 June 2026", (2026, 6, 9), (2026, 6, 10)),
        ("I climbed a fell last week.", "in the week of 1 June 2026", (2026, 6, 1), (2026, 6, 8)),
        ("Last month I adopted a whippet.", "In May 2026", (2026, 5, 1), (2026, 6, 1)),
    ],
)
def test_a_relative_date_is_resolved_in_words_and_window(
    text: str, words: str, first: tuple[int, int, int], end: tuple[int, int, int]
) -> None:
    (fact,) = facts(text)
    assert words in fact.statement
    assert fact.window == (datetime(*first, tzinfo=UTC), datetime(*end, tzinfo=UTC))


@pytest.mark.parametrize(
    "text", ["I have lived in Graz since 2019.", "My birthday is on June 5th.", "I row every Monday."]
)
def test_what_is_no_event_of_one_day_has_no_window(text: str) -> None:
    assert facts(text)[0].window is None


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("We use npm, no, pnpm for all packages", "The user's team uses pnpm for all packages."),
        ("I live in Oslo, no wait, Bergen.", "The user lives in Bergen."),
        (
            "The meeting is on Monday, I mean Thursday.",
            "The meeting is on Thursday 11 June 2026.",
        ),
        ("Scratch that: I prefer mornings.", "The user prefers mornings."),
    ],
)
def test_of_a_self_correction_the_last_word_holds_and_the_quote_stays_verbatim(
    text: str, statement: str
) -> None:
    (fact,) = facts(text)
    assert fact.statement == statement
    assert fact.quote in text


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("I no longer eat meat.", "The user no longer eats meat."),
        ("We switched from npm to pnpm.", "The user's team switched from npm to pnpm."),
        ("I stopped smoking cigars.", "The user stopped smoking cigars."),
    ],
)
def test_a_change_says_what_holds_now_and_that_it_changed(text: str, statement: str) -> None:
    (fact,) = facts(text)
    assert (fact.statement, fact.slots.relation) == (statement, "change")


@pytest.mark.parametrize(
    ("text", "statement", "kind"),
    [
        ("Remember that I'm left-handed.", "The user is left-handed.", "fact"),
        ("Don't forget that I'm vegan.", "The user is vegan.", "fact"),
        ("I'm allergic to eggs, please remember that.", "The user is allergic to eggs.", "fact"),
        (
            "remember to water the ferns tomorrow",
            "The user asks to be reminded to water the ferns on 11 June 2026.",
            "procedure",
        ),
        (
            "From now on answer in German.",
            "The user wants the assistant to answer in German.",
            "constraint",
        ),
        (
            "never push to trunk directly",
            "The user wants the assistant to never push to trunk directly.",
            "constraint",
        ),
        (
            "Whenever you write Python, use type hints",
            "The user wants the assistant to use type hints whenever the assistant writes Python.",
            "constraint",
        ),
    ],
)
def test_an_explicit_request_is_captured_as_explicit(text: str, statement: str, kind: str) -> None:
    (fact,) = facts(text)
    assert (fact.statement, fact.kind, fact.explicit, fact.confidence) == (statement, kind, True, 0.95)


@pytest.mark.parametrize("text", ["never give up!", "don't forget to relax!", "You can always call me"])
def test_kind_words_are_no_standing_orders(text: str) -> None:
    found = read(text)
    assert isinstance(found, str) or not any(fact.explicit for fact in found)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("My favorite color is teal.", "preference.color"),
        ("I prefer pnpm over npm.", "preference.package-manager"),
        ("We use pnpm, not npm.", "project.package-manager"),
        ("Our default branch is trunk.", "default.branch"),
        ("I moved to Graz last month.", "home.city"),
        ("My dog's name is Bruno.", "pet.dog.name"),
        ("My timezone is CET.", "timezone"),
        ("I'm a vegetarian.", "diet"),
        ("Always answer in French.", "language.reply"),
        ("I use Python and Rust.", None),
        ("I no longer use pnpm.", None),
        ("I have two ferrets.", None),
    ],
)
def test_a_key_is_given_where_there_is_one_answer_and_nowhere_else(text: str, key: str | None) -> None:
    assert facts(text)[0].semantic_key == key


def test_relatives_and_names_are_entities_and_a_plain_triple_is_a_relation() -> None:
    (fact,) = facts("My brother works at Voith.")
    assert fact.entities == ("the user's brother", "Voith")
    (relation,) = fact.relations
    assert (relation.source, relation.predicate, relation.target) == (
        "the user's brother",
        "works at",
        "Voith",
    )


@pytest.mark.parametrize("text", ["I don't like Python.", "I no longer use pnpm."])
def test_what_is_denied_or_has_ended_is_no_relation(text: str) -> None:
    assert facts(text)[0].relations == ()


def test_a_pronoun_is_resolved_by_the_sentence_before_where_one_person_is_meant() -> None:
    (fact,) = facts("She works at Voith.", before="My sister moved to Linz.")
    assert fact.statement == "The user's sister works at Voith."


def test_a_pronoun_that_two_could_be_meant_by_is_not_resolved() -> None:
    assert read("She works at Voith.", before="My sister visited my aunt.") == "extract.unknown-subject"


def test_what_is_only_shown_is_said() -> None:
    (fact,) = facts("Here's a photo of the quilt that I sewed for my aunt.")
    assert fact.statement == "The user sewed the quilt for their aunt."


def test_a_statement_behind_an_order_is_kept_without_the_order() -> None:
    (fact,) = facts("Check this out, I bought a cello last month")
    assert fact.statement == "The user bought a cello in May 2026."
    assert fact.quote == "I bought a cello last month"


WORDS = st.sampled_from(
    [
        *(
            "I",
            "me",
            "my",
            "we",
            "our",
            "us",
            "you",
            "it",
            "she",
            "that",
            "the",
            "a",
            "dog",
            "Graz",
            "Python",
        ),
        *(
            "love",
            "prefer",
            "was",
            "moved",
            "to",
            "from",
            "and",
            "but",
            "because",
            "if",
            "when",
            "not",
            "no",
        ),
        *(
            "never",
            "always",
            "remember",
            "don't",
            "I'm",
            "we've",
            "yesterday",
            "last",
            "week",
            "sorry",
            "3",
        ),
        *(",", ".", "!", "?", ":", "-", "2019", '"x"', "“", "…"),
    ]
)


@settings(deadline=None, max_examples=300)
@given(st.lists(WORDS, max_size=14).map(" ".join), st.sampled_from(["", "Mira"]))
def test_any_words_give_sound_facts_or_a_rule(text: str, subject: str) -> None:
    check(text, subject)


@settings(deadline=None, max_examples=200)
@given(st.text(max_size=60))
def test_any_text_gives_sound_facts_or_a_rule(text: str) -> None:
    check(text, "")


def check(text: str, subject: str) -> None:
    found = read(text, subject)
    if isinstance(found, str):
        assert found.startswith(("shape.", "extract."))
        return
    assert found
    for fact in found:
        assert fact.quote
        assert fact.quote in text
        assert fact.statement.endswith((".", "!", "?"))
        assert fact.kind in KINDS
        assert fact.kind != "turn"
        assert 0.0 <= fact.confidence <= 1.0
        quoted = re.sub(r"\"[^\"]*\"|“[^”]*”|`[^`]*`|'[^']*'|‘[^’]*’", "", fact.statement)
        assert not FIRST_PERSON.search(quoted), fact.statement


def test_the_same_sentence_gives_the_same_facts() -> None:
    text = "I moved to Graz last month and my sister lives in Oslo."
    assert read(text) == read(text)
