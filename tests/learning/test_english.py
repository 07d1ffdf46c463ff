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


def kept(text: str, kinds: str, *parts: str) -> Fact:
    """The first fact of a kind whose statement holds all parts."""
    found = facts(text)
    for fact in found:
        said = fact.statement.casefold()
        if fact.kind in kinds.split() and all(part.casefold() in said for part in parts):
            return fact
    raise AssertionError(f"{text!r} gave {[(fact.kind, fact.statement) for fact in found]}")


@pytest.mark.parametrize(
    "text",
    [
        "never force-push to main",
        "no deploys on Fridays",
        "the build is slow, so please never use npm here",
        "Avoid abbreviations in variable names.",
        "only use double quotes in JSON",
        "under no circumstances touch the billing tables",
        "every commit has to be signed, no exceptions",
        "before every commit run the formatter",
        "whenever you touch the parser run the fuzzer",
        "stop adding comments to my code",
        "keep the bundle under 200 kB",
        "do not use any library without asking me first",
        "dark mode everywhere please",
        "From here on, metric units only.",
        "prefer composition to inheritance in this codebase",
        "don't call me sir",
    ],
)
def test_a_rule_is_a_constraint_and_explicit_without_remember(text: str) -> None:
    assert kept(text, "constraint").explicit


@pytest.mark.parametrize(
    "text",
    [
        "secrets may not be committed",
        "tests should never hit the network",
        "nobody pushes to main directly",
        "commits need to be signed",
        "only Marta may approve refunds",
        "it is forbidden to store passwords in plain text",
        "the talk can't be longer than 20 minutes",
        "I must avoid salt because of my kidneys",
        "I need to be home by 5 every day",
        "all my emails should be in formal German",
        "every function needs a docstring",
    ],
)
def test_what_must_be_is_a_constraint(text: str) -> None:
    kept(text, "constraint")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("staging lives at staging.acme.dev", "staging.acme.dev"),
        ("the gateway listens on port 9090", "9090"),
        ("the API key rotates every 90 days", "90 days"),
        ("worker timeouts are set to 45 seconds", "45 seconds"),
        ("the mobile app talks to the v2 api only", "v2 api"),
        ("Marta owns the billing service", "billing"),
        ("python 3.12 is the minimum version we support", "3.12"),
        ("api rate limit: 100 requests per minute", "100"),
        ("the repo uses conventional commits", "conventional"),
        ("there are no tests for the legacy module", "legacy"),
        ("the library isn't thread safe", "not thread safe"),
        ("image uploads go to Cloudinary", "Cloudinary"),
        ("the old billing job isn't used anymore", "not used"),
    ],
)
def test_a_fact_of_a_project_is_kept(text: str, part: str) -> None:
    kept(text, "fact", part)


@pytest.mark.parametrize(
    "text",
    [
        "we went with Postgres",
        "we're going to use Kafka for the events",
        "let's stick with MIT as the license",
        "we decided against GraphQL",
        "we dropped support for IE11",
        "we're dropping Travis in favour of GitHub Actions",
        "Decision: no more feature flags in the config file",
        "we agreed with finance to invoice quarterly",
        "the new service will be called Pigeon",
        "we will not migrate to Kubernetes",
        "we ended up choosing Vue",
        "the plan is to sunset v1 in October",
        "Everyone agreed to freeze the API",
        "my wife and I agreed that we'll sell the boat",
    ],
)
def test_what_was_settled_is_a_decision(text: str) -> None:
    kept(text, "decision")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("to deploy, run make release then tag the commit", "make release"),
        ("To reset the database run make db-reset and restart the worker.", "db-reset"),
        ("for a release we tag the commit, wait for CI and promote the image", "promote"),
        ("if the VPN drops, restart the tunnel service, that usually helps", "restart"),
        ("first you build the image, then you push it to the registry", "First build"),
        ("you run migrations with alembic upgrade head", "Run migrations"),
        ("secrets get rotated by running rotate.sh on the bastion", "rotate.sh"),
        ("the way we do hotfixes is to branch from the tag", "branch from the tag"),
        ("the release process: tag, build, sign, upload", "sign"),
        ("in order to get access to the vault ask Ines for a token", "Ines"),
    ],
)
def test_how_something_is_done_is_a_procedure(text: str, part: str) -> None:
    kept(text, "procedure", part)


@pytest.mark.parametrize(
    "text",
    [
        "i'm a morning person",
        "i much prefer aisle seats",
        "tabs over spaces, always",
        "spaces, not tabs",
        "give me vim over vscode any day",
        "not a fan of ORMs",
        "tea beats coffee for me every time",
        "mornings work best for me",
        "small commits are what I like best",
        "I want explanations before code",
        "i hate it when examples use foo and bar",
        "I have a strong preference for metric units",
        "tmux and fish, that's my go-to setup",
        "pair programming is not my thing",
    ],
)
def test_a_preference_is_one_in_whatever_words(text: str) -> None:
    kept(text, "preference")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("i dont drink coffee after noon", "does not drink"),
        ("we no longer support 3.8", "no longer support"),
        ("I've never been to Asia", "never been to Asia"),
        ("no one in my family drinks alcohol", "No one"),
        ("our office doesn't have parking", "does not have parking"),
        ("I didn't eat meat last year", "did not eat meat"),
        ("neither of my parents speaks English", "Neither"),
        ("we do not ship to Switzerland", "does not ship"),
        ("our app has no dark mode yet", "no dark mode"),
        ("the CLI doesn't support Windows", "does not support"),
    ],
)
def test_what_is_denied_stays_denied(text: str, part: str) -> None:
    kept(text, "fact event constraint", part)


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("Dana is my manager", ("Dana", "is", "the user's manager")),
        ("i work at Voith in Graz", ("the user", "works at", "Voith")),
        ("my brother lives in Oslo", ("the user's brother", "lives in", "Oslo")),
        ("my partner's name is Jonas", ("the user's partner", "is called", "Jonas")),
        ("Lukas and Emma are my twins", ("Lukas and Emma", "is", "the user's twins")),
        ("I'm allergic to eggs", ("the user", "is allergic to", "eggs")),
    ],
)
def test_a_relation_is_a_triple(text: str, triple: tuple[str, str, str]) -> None:
    (relation,) = facts(text)[0].relations
    assert (relation.source, relation.predicate, relation.target) == triple


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("I work at Ericsson, well, Nokia now", "The user works at Nokia now."),
        ("we have 12 servers, no, 14", "The user and others have 14 servers."),
        ("My son is 8, oh wait, he's 9", "The user's son is 9."),
        (
            "I'm allergic to nuts - ah no, that's dad, for me it's eggs",
            "The user is allergic to eggs.",
        ),
        ("I said I take the 6:10 bus but it's really the 6:20 one", "The user takes the 6:20 bus."),
        ("the port is 8080 — no wait, 8081", "The port is 8081."),
        ("store sizes as floats, eh no, forget floats, Decimal everywhere", ""),
        ("my boss is Karen, I mean Carol", "The user's boss is Carol."),
    ],
)
def test_a_correction_with_asides_keeps_the_last_word(text: str, statement: str) -> None:
    (fact,) = facts(text)
    if statement:
        assert fact.statement == statement
    else:
        assert "Decimal" in fact.statement
        assert "floats" not in fact.statement


def test_a_correction_in_a_sentence_of_its_own_takes_the_place_of_the_fact_before() -> None:
    (fact,) = facts("Correction, room 6.", before="We meet in room 4.")
    assert fact.statement == "The user and others meet in room 6."
    assert fact.slots.relation == "correction"
    assert fact.quote == "Correction, room 6."


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("Since I'm left-handed, which mouse would you buy?", "The user is left-handed."),
        ("as a vegetarian, what can I eat in Prague?", "The user is a vegetarian."),
        ("Which pan fits, given that my stove is gas?", "The user's stove is gas."),
        ("can you help, as someone with a nut allergy, to cook this?", "The user has a nut allergy."),
        ("when do you think I moved to Graz?", ""),
    ],
)
def test_what_a_question_takes_for_granted_is_kept_and_never_what_it_asks(
    text: str, statement: str
) -> None:
    found = read(text)
    statements = [] if isinstance(found, str) else [fact.statement for fact in found]
    assert statements == ([statement] if statement else [])


@pytest.mark.parametrize(
    "text",
    [
        "UDP doesn't retransmit lost packets",
        "most people don't read the docs",
        "cats sleep a lot",
        "In Germany shops are closed on Sundays",
        "According to the docs, the flag is deprecated",
        "the tests are failing again",
        "my back hurts",
        "my screen has just frozen again",
        "tests are running, 40% through",
        "I've got twelve tabs open",
        "I have two failing tests",
        "i just pushed the fix",
        "the parser drops the last token",
        "use a for loop here",
        "rename foo to bar in all files",
        "add a docstring to this function",
        "note the odd name on line 40 and fix it",
        "first fix the bug, then run the tests",
        "if the tests fail, fix them",
        "when you're done, run the tests",
        "I'm half thinking about learning the cello",
        "don't touch that file",
        "do not run it yet",
        "no rows returned",
        "I wonder whether we need the index",
        "who maintains the parser",
        "gonna grab a coffee",
        "having lunch, back in 10",
        "It's great to see you so happy",
        "Since we last talked, a lot has happened",
    ],
)
def test_talk_of_the_hour_and_of_the_world_is_not_kept(text: str) -> None:
    found = read(text)
    assert isinstance(found, str), found


def test_a_note_of_a_picture_says_who_shared_it() -> None:
    (fact,) = facts("[shares a photography of a red kite over a lake]", subject="Mira")
    assert (fact.statement, fact.kind) == ("Mira shared a photo of a red kite over a lake.", "event")
    assert fact.quote == "shares a photography of a red kite over a lake"


@pytest.mark.parametrize(
    ("text", "said", "first", "end"),
    [
        # 10 June 2026 is a Wednesday: a week from it the 17th, a week from next Monday the 22nd.
        (
            "I have a dentist appointment a week from today",
            "on 17 June 2026",
            (2026, 6, 17),
            (2026, 6, 18),
        ),
        ("the audit starts a week from Monday", "on 22 June 2026", (2026, 6, 22), (2026, 6, 23)),
        ("I'll be in Rome from 3 to 7 August", "from 3 to 7 August", (2026, 8, 3), (2026, 8, 8)),
    ],
)
def test_days_that_are_counted_or_ranged_are_resolved(
    text: str, said: str, first: tuple[int, int, int], end: tuple[int, int, int]
) -> None:
    (fact,) = facts(text)
    assert said in fact.statement
    assert fact.window == (datetime(*first, tzinfo=UTC), datetime(*end, tzinfo=UTC))


@pytest.mark.parametrize(
    "text",
    [
        "never deploy on a friday",
        "the mobile team works in two week sprints",
        "remember that our fiscal year begins in April",
    ],
)
def test_a_day_that_comes_again_or_a_length_is_no_date(text: str) -> None:
    (fact,) = facts(text)
    assert fact.window is None
    assert "2026" not in fact.statement


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("Please store that I have two bikes", "The user has two bikes."),
        ("can you remember I'm lactose intolerant", "The user is lactose intolerant."),
        ("make a note that Raul runs payroll", "Raul runs payroll."),
        ("for future conversations: I'm a beginner in Rust", "The user is a beginner in Rust."),
        ("could you note that I live in Bonn?", "The user lives in Bonn."),
        ("keep in memory that the demo starts late", "The demo starts late."),
        ("save for later that my VAT id is DE1234", "The user's VAT id is DE1234."),
        ("pls remember my locker number is 212", "The user's locker number is 212."),
        ("You should know, and please retain it, that I'm deaf.", "The user is deaf."),
        ("write it down: gate 14", "Gate 14."),
    ],
)
def test_an_explicit_request_in_other_words_is_explicit(text: str, statement: str) -> None:
    (fact,) = facts(text)
    assert (fact.statement, fact.explicit) == (statement, True)


def test_a_name_and_what_the_next_clause_says_of_it_are_one_statement() -> None:
    (fact,) = facts("i'm Ngaio, i teach maths in Leeds")
    assert fact.statement == "The user is Ngaio; they teach maths in Leeds."


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
