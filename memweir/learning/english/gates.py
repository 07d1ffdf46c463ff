"""Does a person state in an English sentence what lasts? If not, which rule says so?

Two gates: one looks at a sentence as a whole (a question, an order, a greeting), one at each unit that
was cut out of it (about the partner, a guess, a state that passes, the words of others).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memweir.learning.english.clauses import is_name, read_clause
from memweir.learning.english.detail import Detail, is_concrete
from memweir.learning.english.lexicon import BASE, THIRD, verb, words
from memweir.learning.english.names import words_of_tools
from memweir.learning.english.pieces import Unit
from memweir.learning.english.standing import is_technical
from memweir.learning.english.tokens import (
    CODE,
    MARK,
    NUMBER,
    OTHER,
    QUOTED,
    WORD,
    Token,
    find,
    longest_at,
)
from memweir.learning.english.verb_groups import Clause, skip_adverbs

__all__ = [
    "ADDRESSED",
    "COMMAND",
    "CONVERSATION",
    "FINAL",
    "GREETING",
    "GUESS",
    "HYPOTHETICAL",
    "NO_SUBJECT",
    "PROMISE",
    "QUESTION",
    "QUOTED_WORDS",
    "REACTION",
    "TRANSIENT",
    "VAGUE",
    "WISH",
    "sentence_gate",
    "unit_gate",
]

QUESTION: Final = "shape.question"
GREETING: Final = "shape.greeting"
REACTION: Final = "shape.reaction"
COMMAND: Final = "shape.command"
HYPOTHETICAL: Final = "shape.hypothetical"
TRANSIENT: Final = "shape.transient"
ADDRESSED: Final = "shape.addressed"
CONVERSATION: Final = "shape.conversation"
QUOTED_WORDS: Final = "shape.quoted"
GUESS: Final = "shape.guess"
WISH: Final = "shape.wish"
PROMISE: Final = "shape.promise"
VAGUE: Final = "extract.vague"
NO_SUBJECT: Final = "extract.unknown-subject"

FINAL: Final = frozenset((QUESTION, HYPOTHETICAL, QUOTED_WORDS, "extract.nothing-lasting"))
"""Rules that speak of a sentence to its end; after another it may go on with a statement."""

_INVERTED_AFTER: Final = frozenset(
    [
        "i",
        "you",
        "we",
        "he",
        "she",
        "it",
        "they",
        "there",
        "this",
        "that",
        "these",
        "those",
        "the",
        "my",
        "your",
        "our",
        "his",
        "her",
        "their",
        "any",
        "anyone",
        "anybody",
    ]
)
_MENTAL: Final = words("mental") | {"feel"}
_EXCLAIMS: Final = frozenset(
    (
        "wait",
        "believe",
        "imagine",
        "help",
        "thank",
        "agree",
        "complain",
        "tell",
        "say",
        "get",
        "stop",
        "express",
    )
)
_TROUBLE: Final = frozenset(
    ("error", "bug", "exception", "warning", "failure", "traceback", "crash", "crashe")
)
_WORK_AT_HAND: Final = frozenset(("fix", "bug", "typo", "change", "changes", "bugs"))
_POINTERS: Final = frozenset(
    ("it", "this", "that", "them", "these", "those", "how", "the", "what", "him", "her")
)
_ROOTED: Final = frozenset(
    (
        "become",
        "learn",
        "visit",
        "study",
        "move",
        "start",
        "open",
        "adopt",
        "marry",
        "retire",
        "publish",
        "write",
    )
)


def sentence_gate(tokens: Sequence[Token], start: int) -> str:
    """The rule by which a sentence states nothing; "" where it may.

    Args:
        tokens: of the whole sentence.
        start: where it begins to say something (`pieces.opening`).
    """
    end = len(tokens)
    if any(token.kind == MARK and token.low == "?" for token in tokens):
        return QUESTION
    if start >= end:
        return _answering(tokens)
    if tokens[start].low == "for" and any(token.low.startswith("thank") for token in tokens[:start]):
        return REACTION
    if not any(token.kind == WORD for token in tokens[start:]):
        return "extract.nothing-lasting"
    low = tokens[start].low
    if tokens[start].kind == QUOTED and end - start <= 3:
        return QUOTED_WORDS
    if tokens[start].low in ("can", "could", "would", "will") and longest_at(
        "request", tokens, start, end
    ):
        return COMMAND
    if _asks(tokens, start, end):
        return QUESTION
    if _closed(tokens, start, end, "greeting", short=2):
        return GREETING
    if longest_at("guess", tokens, start, end):
        return GUESS
    if _closed(tokens, start, end, "transient", short=3):
        return TRANSIENT
    if longest_at("conversation", tokens, start, end):
        return CONVERSATION
    if longest_at("hypothetical", tokens, start, end) and not (
        low == "if" and any(token.low in words("frequency") for token in tokens[start:])
    ):
        return HYPOTHETICAL
    if longest_at("request", tokens, start, end) or _orders(tokens, start, end):
        return COMMAND
    if longest_at("reaction", tokens, start, end) and not _says_more(tokens, start, end):
        return REACTION
    if low in ("what", "how") and end > start + 1 and read_clause(tokens, start, end) is None:
        return REACTION
    return ""


def unit_gate(tokens: Sequence[Token], unit: Unit, detail: Detail) -> str:
    """The rule by which a unit states nothing that lasts; "" where it may."""
    clause = unit.clause
    dated = detail.dated > 0
    places = [at for piece in unit.pieces for at in range(piece.start, piece.end)]
    lows = [tokens[at].low for at in places]
    after = tokens[clause.rest].low if clause.rest < clause.end else ""
    first_person = clause.person in ("i", "we", "none")
    if clause.person in ("you", "your") or any(low in words("second") for low in lows):
        return ADDRESSED
    if (
        unit.pieces[0].kind == "sub"
        and tokens[unit.pieces[0].start].low in ("if", "unless")
        and (
            clause.modal
            or clause.tense != "present"
            or not any(low in words("frequency") for low in lows)
        )
    ):
        return HYPOTHETICAL
    if _binds(tokens, unit, lows):
        return ""
    if clause.rest + 1 < clause.end and after == "what" and tokens[clause.rest + 1].low in ("a", "an"):
        return REACTION
    if (
        any(low in words("hedge") for low in lows)
        or clause.modal in ("might", "may", "could")
        or find("undecided", tokens, unit.pieces[0].start, len(tokens))[1]
    ):
        return GUESS
    if clause.modal == "would":
        wish = clause.lemma in ("love", "like", "prefer")
        if _was_once(lows) and not wish and clause.person in ("i", "we", "my", "our", "name"):
            return ""
        spoken = " ".join(lows)
        leans = "over" in lows and ("any day" in spoken or "every time" in spoken or "always" in lows)
        if "rather" not in lows and clause.lemma != "prefer" and not leans:
            return WISH if wish else HYPOTHETICAL
    if clause.modal in ("should", "ought", "shall"):
        return HYPOTHETICAL
    if (
        first_person
        and clause.lemma in _MENTAL
        and not clause.passive
        and not (clause.lemma == "expect" and clause.progressive)
    ):
        return TRANSIENT if clause.lemma == "feel" else GUESS
    if (
        first_person
        and clause.lemma == "know"
        and clause.rest < clause.end
        and not _knows(tokens, clause.rest, clause.end)
    ):
        return VAGUE
    if first_person and clause.lemma in words("social") and not _is_agreed(clause, after, detail):
        return REACTION
    if clause.person == "other" and clause.lemma == "agree" and _is_agreed(clause, after, detail):
        return ""
    if clause.person == "other":
        own = any(low in words("first") for low in lows) and tokens[clause.subject[0]].low.startswith(
            "some"
        )
        return "" if own and detail.told >= 2 and clause.tense in ("past", "perfect") else NO_SUBJECT
    if clause.person in ("it", "this", "who"):
        return NO_SUBJECT
    if clause.person in ("he", "she", "they", "his"):
        return NO_SUBJECT
    if clause.person in ("noun", "the") and any(
        tokens[at].low == "them" for at in range(*clause.subject)
    ):
        return NO_SUBJECT  # "two of them are mixes"
    if clause.modal == "can" and clause.negated and clause.lemma in _EXCLAIMS:
        return REACTION
    care = {"doctor", "dentist", "therapist", "doc", "physio", "vet", "lawyer", "cardiologist"}
    ordered = clause.person == "my" and after == "me" and tokens[clause.subject[1] - 1].low in care
    if ordered and clause.lemma in ("tell", "advise", "order") and detail.told >= 2:
        return ""
    answers_to = clause.lemma == "report" and after == "to"
    if clause.lemma in words("reporting") and not (first_person or clause.passive or answers_to):
        return QUOTED_WORDS
    if first_person and clause.lemma in ("say", "mean", "ask", "mention"):
        return CONVERSATION
    if (
        first_person
        and clause.lemma in ("talk", "chat", "speak", "catch")
        and ("last" in lows or not (detail.strong or dated or detail.told >= 2))
    ):
        return CONVERSATION
    if first_person and clause.lemma in ("read", "hear") and after == "that":
        return QUOTED_WORDS
    if first_person and clause.lemma == "have" and {"failing", "broken", "failed"} & set(lows):
        return TRANSIENT
    done = clause.tense in ("past", "perfect") and not clause.progressive and clause.person != "we"
    if (
        first_person
        and done
        and clause.lemma in words("task") | {"push", "commit", "merge", "restart", "rerun", "change"}
        and not (detail.strong or dated)
        and detail.concrete <= 2
        and any(is_technical(low) or low in _WORK_AT_HAND for low in lows)
    ):
        return TRANSIENT
    chosen = clause.lemma == "keep" and clause.person == "we" and any(is_technical(low) for low in lows)
    chosen = (
        chosen
        or (clause.lemma in ("go", "stick") and after == "with")
        or (
            detail.strong > 0
            and clause.lemma in ("be", "go", "have", "stay", "get", "take", "make", "host")
        )
    )
    if (
        clause.tense == "future"
        and first_person
        and not dated
        and clause.lemma in words("promise")
        and not chosen
    ):
        return PROMISE
    if first_person and clause.lemma == "want" and clause.tense == "present":
        if after in ("all", "every", "no") and detail.told >= 2:
            return ""
        plain = after not in ("a", "an", "this", "that", "to", "it", "the", "some")
        if plain and any(
            tokens[at].low in words("answer-thing")
            for at in range(clause.rest, min(clause.rest + 4, clause.end))
        ):
            return ""
        aim = tokens[clause.rest + 1].low if after == "to" and clause.rest + 1 < clause.end else ""
        if aim not in _ROOTED:
            return COMMAND if after == "to" else WISH
    often = any(low in ("every", "each", "always") or low in words("frequency") for low in lows)
    needed = clause.modal == "need" and clause.person not in ("the", "noun", "our") and not often
    if (needed and not dated) or (clause.lemma == "need" and first_person):
        return TRANSIENT
    if (
        first_person
        and clause.lemma == "be"
        and not clause.progressive
        and _is_state(tokens, clause.rest, clause.end)
        and not _lasts(tokens, clause, detail, lows)
        and not _has_cause(tokens, clause.rest, clause.end, detail, lows)
    ):
        return TRANSIENT
    if (
        first_person
        and clause.lemma in ("try", "look", "wait", "hope", "wonder", "think")
        and clause.progressive
        and (clause.lemma != "try" or after == "to")
        and not (after == "forward" and (detail.strong or "my" in lows or dated))
        and not ("always" in lows and detail.told)
    ):
        return TRANSIENT
    employed = clause.lemma == "work" and after in ("on", "as", "at", "for", "with", "in")
    if (
        first_person
        and clause.lemma in words("task")
        and clause.progressive
        and not (dated or employed)
    ):
        return TRANSIENT
    if (
        first_person
        and clause.lemma == "have"
        and clause.tense == "present"
        and _has_trouble(tokens, clause.rest, clause.end)
    ):
        return TRANSIENT
    if (
        first_person
        and clause.tense == "present"
        and clause.lemma in ("get", "see", "have", "hit", "face", "encounter")
        and any(lows_each.rstrip("s") in _TROUBLE for lows_each in lows)
    ):
        return TRANSIENT
    if (clause.tense == "present" or clause.lemma in ("have", "get")) and find(
        "transient-matter", tokens, unit.pieces[0].start, unit.pieces[-1].end
    )[1]:
        return TRANSIENT
    if find("conversation", tokens, unit.pieces[0].start, unit.pieces[-1].end)[1]:
        return CONVERSATION
    liking = clause.lemma in ("love", "like", "enjoy", "hate", "appreciate", "miss")
    if (
        first_person
        and liking
        and not dated
        and after in _POINTERS
        and not _likes_a_thing(tokens, clause, len(lows))
        and not (
            after == "it"
            and clause.rest + 1 < clause.end
            and tokens[clause.rest + 1].low == "when"
            and detail.told >= 2
        )
    ):
        return REACTION
    return ""


def _binds(tokens: Sequence[Token], unit: Unit, lows: Sequence[str]) -> bool:
    """Whether a unit is a rule of the work: "nobody should call the endpoint", "tests may not …"."""
    clause = unit.clause
    trade = any(is_technical(low) for low in lows) or clause.lemma in words("team-verb") | {"push"}
    only = tokens[unit.pieces[0].start].low == "only"
    first = tokens[clause.subject[0]].low if clause.subject[1] > clause.subject[0] else ""
    if first in ("all", "every", "each") and clause.modal == "should" and clause.tense == "present":
        return not any(low in words("second") for low in lows)
    if clause.tense != "present" or not (trade or only):
        return False
    head = tokens[clause.subject[0]].low
    if tokens[unit.pieces[0].start].low == "only" and clause.modal in ("may", "can", "should"):
        return clause.person in ("name", "the", "noun")
    if clause.person == "other":
        return head == "nobody" or (head == "no" and clause.subject[1] - clause.subject[0] == 2)
    if clause.modal not in ("should", "may") or clause.person not in ("the", "noun", "our", "we"):
        return False
    return clause.negated or clause.never or "always" in lows or "only" in lows


def _is_agreed(clause: Clause, after: str, detail: Detail) -> bool:
    """ "We agreed to invoice quarterly": settled among some, not said to the partner."""
    return (
        clause.lemma == "agree"
        and clause.tense in ("past", "perfect")
        and after in ("on", "to", "that", "with")
        and detail.told >= 2
    )


def _likes_a_thing(tokens: Sequence[Token], clause: Clause, length: int) -> bool:
    """Whether what is liked has a name, or a noun with a meaning: not "it", "that idea"."""
    if any(
        is_name(tokens, at) or tokens[at].kind in (QUOTED, CODE)
        for at in range(clause.rest, clause.end)
    ):
        return True
    noun = clause.rest + 1
    while noun < clause.end and tokens[noun].low in words("evaluative"):
        noun += 1
    concrete = noun < clause.end and tokens[noun].low not in words("vague")
    told = sum(is_concrete(tokens, at) for at in range(noun, clause.end))
    return tokens[clause.rest].low == "the" and ((length > 5 and concrete) or told >= 3)


def _knows(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether it is a skill or a person that somebody knows, not that something is so."""
    at = skip_adverbs(tokens, start, end)
    if at >= end:
        return False
    if tokens[at].low == "how":
        return at + 1 < end and tokens[at + 1].low == "to"
    return (
        is_name(tokens, at)
        or tokens[at].low in words_of_tools()
        or tokens[at].low in words("number-word")
    )


def _asks(tokens: Sequence[Token], start: int, end: int) -> bool:
    low = tokens[start].low
    following = tokens[start + 1] if start + 1 < end else None
    if longest_at("question", tokens, start, end):
        return True
    if following is None:
        return low in words("question-word")
    auxiliary = (
        low in words("be")
        or low in words("do")
        or low in words("modal")
        or low in ("have", "has", "had")
    )
    if auxiliary and following.low in _INVERTED_AFTER:
        return not (
            low in ("do", "have", "be")
            and following.low in ("the", "this", "that", "my", "your", "it", "these", "those", "any")
        )
    if (
        auxiliary
        and following.low == "not"
        and start + 2 < end
        and tokens[start + 2].low in _INVERTED_AFTER
    ):
        return low != "do"
    if low in words("question-word"):
        if low in ("when", "where") and following.low in words("subject") | {"my", "our", "the"}:
            return False
        if (
            following.low in words("modal")
            or following.low in words("be")
            or following.low in words("do")
        ):
            return True
        if following.low in (
            "have",
            "has",
            "had",
            "to",
            "about",
            "not",
            "many",
            "much",
            "long",
            "often",
            "old",
            "come",
            "else",
        ):
            return True
        if low in ("why", "who", "whose", "whom", "which"):
            return True
    return False


def _closed(tokens: Sequence[Token], start: int, end: int, section: str, *, short: int) -> bool:
    """A phrase of a section begins here and, where it has few words, nothing comes after it."""
    length = longest_at(section, tokens, start, end)
    if not length:
        return False
    if length > short:
        return True
    after = start + length
    return (
        after >= end
        or tokens[after].kind in (MARK, OTHER)
        or (is_name(tokens, after) and after + 1 >= end)
        or (after + 1 >= end)
    )


def _orders(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether a sentence begins with a bare verb: "run the tests", "don't touch it"."""
    low = tokens[start].low
    if tokens[start].kind != WORD:
        return False
    at = start
    if low == "do" and start + 2 < end and tokens[start + 1].low == "not":
        known = verb(tokens[start + 2].low)
        return known is not None and bool(known.forms & BASE)
    while at < end and tokens[at].low in (
        "just",
        "also",
        "then",
        "now",
        "please",
        "simply",
        "again",
        "quickly",
        "kindly",
    ):
        at += 1
    if at >= end or tokens[at].low not in words("imperative"):
        return False
    clause = read_clause(tokens, at, end)
    if clause is not None and clause.person in ("noun", "name", "the", "gerund"):
        known = verb(tokens[clause.finite].low)
        agrees = (known is not None and known.forms & THIRD) or tokens[clause.finite].low in words(
            "be"
        ) | words("modal")
        if (
            agrees
            and clause.finite - at <= 3
            and not any(
                tokens[place].low in words("determiner") or tokens[place].low in words("subject")
                for place in range(at, clause.finite)
            )
        ):
            return False
        plural = tokens[clause.finite - 1].low.endswith("s") and clause.finite - at <= 2
        return not plural
    return True


def _says_more(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether a clause in the first person follows the reaction that begins a sentence."""
    for at in range(start + 1, end):
        if tokens[at - 1].kind == MARK or tokens[at - 1].low in ("and", "but", "so"):
            clause = read_clause(tokens, at, end)
            if clause is not None and clause.person in ("i", "we", "my", "our"):
                return True
    return False


def _answering(tokens: Sequence[Token]) -> str:
    """What a sentence is that has nothing but openers."""
    for at in range(len(tokens)):
        if longest_at("greeting", tokens, at):
            return GREETING
    return REACTION


def _is_state(tokens: Sequence[Token], start: int, end: int) -> bool:
    at = skip_adverbs(tokens, start, end)
    while at < end and (
        tokens[at].low in ("bit", "little", "feeling", "all", "of")
        or (tokens[at].low == "a" and at + 1 < end and tokens[at + 1].low in ("bit", "little"))
    ):
        at += 1
    if at >= end:
        return True
    low = tokens[at].low
    if low not in words("state") and low not in words("evaluative"):
        return False
    following = tokens[at + 1].low if at + 1 < end else ""
    if low in ("in", "up", "about", "at"):
        return following not in words("tongue") and not any(
            tokens[place].kind in (NUMBER, CODE) or is_name(tokens, place) for place in range(at, end)
        )
    if low in (
        "interested",
        "fascinated",
        "intrigued",
        "afraid",
        "scared",
        "passionate",
        "good",
        "bad",
        "terrible",
        "great",
    ):
        return following not in ("in", "by", "of", "at", "about", "with") or at + 2 >= end
    if low == "new":
        return following not in ("to", "in", "at")
    return True


def _lasts(tokens: Sequence[Token], clause: Clause, detail: Detail, lows: Sequence[str]) -> bool:
    """Whether a feeling is one of always, or of what somebody has: "grateful to have a job I enjoy"."""
    if "always" in lows and detail.told:
        return True
    at = skip_adverbs(tokens, clause.rest, clause.end)
    has = [token.low for token in tokens[at + 1 : at + 3]]
    if has == ["to", "have"] or (has[:1] == ["that"] and has[1:2] in (["i"], ["my"], ["we"])):
        return detail.told >= 3
    return (
        tokens[at].low == "busy" and has[:1] == ["with"] and detail.told >= 2
        if at < clause.end
        else False
    )


def _was_once(lows: Sequence[str]) -> bool:
    """ "When I was little I'd …": what somebody would do then, not what they would do."""
    spoken = f" {' '.join(lows)} "
    return any(
        f" {said} " in spoken
        for said in ("when i was", "when we were", "as a kid", "as a child", "back then", "growing up")
    )


def _has_cause(
    tokens: Sequence[Token], start: int, end: int, detail: Detail, lows: Sequence[str]
) -> bool:
    """Whether a feeling is told with what it is about: "nervous about the exam on Friday"."""
    if any(low in words("moment") for low in lows):
        return False
    if detail.strong and any(
        tokens[at].low in ("available", "free", "off", "out") for at in range(start, end)
    ):
        return True
    if not any(
        tokens[at].low in ("about", "of", "for", "by", "with", "when") for at in range(start, end)
    ):
        return False
    return (bool(detail.strong or detail.dated) and detail.told >= 1) or (
        detail.told >= 2 and "my" in lows
    )


def _has_trouble(tokens: Sequence[Token], start: int, end: int) -> bool:
    at = start
    while at < end and (
        tokens[at].low in words("determiner")
        or tokens[at].low in words("evaluative")
        or tokens[at].low in words("adverb")
        or tokens[at].low in ("no", "been", "quick", "few", "trouble", "of")
    ):
        if tokens[at].low == "trouble":
            return True
        at += 1
    if at >= end:
        return False
    low = tokens[at].low.rstrip("s")
    return (
        low in words("topic-of-trouble")
        or tokens[at].low in words("topic-of-trouble")
        or low in ("clue", "time", "choice")
    )
