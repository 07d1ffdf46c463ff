"""Who does what in a stretch of an English sentence? Subject, verb group, tense, polarity.

No grammar is parsed: a subject is a pronoun or a noun phrase in front of a verb that agrees with it, as
far as the closed classes and the listed verbs tell. Where they do not, there is no clause.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memweir.learning.english.lexicon import BASE, ING, PARTICIPLE, PAST, THIRD, verb, words
from memweir.learning.english.tokens import CODE, MARK, OTHER, WORD, Token
from memweir.learning.english.verb_groups import Clause, is_adverb, read_group, skip_adverbs

__all__ = ["is_name", "read_clause", "read_elided"]

_LONGEST_SUBJECT: Final = 14  # tokens
_PRONOUN: Final = {
    "i": "i",
    "we": "we",
    "you": "you",
    "he": "he",
    "she": "she",
    "it": "it",
    "they": "they",
    "this": "this",
    "that": "this",
    "these": "this",
    "those": "this",
    "there": "there",
    "someone": "other",
    "everyone": "other",
    "nobody": "other",
    "everybody": "other",
    "somebody": "other",
    "anyone": "other",
    "everything": "other",
    "something": "other",
    "nothing": "other",
    "who": "who",
    "one": "noun",
}
_BE_FINITE: Final = frozenset(("am", "is", "are", "was", "were"))
_PAST_AUX: Final = frozenset(("was", "were", "had", "did"))
_HAVE_FINITE: Final = frozenset(("have", "has", "had"))
_WHEN: Final = frozenset(("yesterday", "today", "tonight", "tomorrow"))
_NO_NOUN: Final = frozenset(("not", "never", "always", "also", "just", "really"))


def is_name(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word looks like a proper name: a capital that the start of a sentence does not
    explain."""
    token = tokens[at]
    if token.kind not in (WORD, CODE) or not token.text[:1].isupper():
        return False
    low = token.low[:-2] if token.low.endswith("'s") else token.low
    if low in words("not-name") or low in words("subject") or low in words("determiner"):
        return False
    if at > 0 and not (tokens[at - 1].kind == MARK and tokens[at - 1].low in ".!?…:-–—"):
        return True
    if at == 0 or (tokens[at - 1].kind == MARK and tokens[at - 1].low not in '(“"'):
        known = verb(low)
        return not (
            known is not None
            or low in words("adverb")
            or low in words("preposition")
            or low in words("question-word")
            or low in words("subordinator")
            or low in words("coordinator")
            or low in words("evaluative")
            or low in words("kin")
            or low in words("project")
            or low.endswith(("ing", "ed", "ly"))
        )
    return True


def read_clause(tokens: Sequence[Token], start: int, end: int) -> Clause | None:
    """The clause that begins at a place with its subject; None where no subject and verb begin
    there."""
    at = start
    while at < end and tokens[at].kind == WORD and is_adverb(tokens[at].low):
        if tokens[at].low in ("no", "all", "both") or tokens[at].low in ("better", "once"):
            break
        at += 1
    if at >= end:
        return None
    subject_end, person = _pronoun_subject(tokens, at, end)
    if subject_end < 0:
        subject_end, person = _noun_subject(tokens, at, end)
    if subject_end < 0:
        return None
    finite = skip_adverbs(tokens, subject_end, end)
    if finite >= end:
        return None
    return read_group(tokens, start, end, (at, subject_end), person, finite)


def read_elided(tokens: Sequence[Token], start: int, end: int) -> Clause | None:
    """The clause of a stretch that left out its subject: "went to Rome", "planning a trip"."""
    at = skip_adverbs(tokens, start, end)
    if at >= end or tokens[at].kind != WORD:
        return None
    low = tokens[at].low
    if verb(low) is None and not (
        low.endswith("ed") and len(low) > 4 and low not in words("noun-suffix-not-verb")
    ):
        return None
    return read_group(tokens, start, end, (at, at), "none", at)


# --- the subject --------------------------------------------------------------------------------------


def _pronoun_subject(tokens: Sequence[Token], at: int, end: int) -> tuple[int, str]:
    """(end, person) of a pronoun that is a subject; (-1, "") where none stands here."""
    low = tokens[at].low
    if tokens[at].kind != WORD:
        return -1, ""
    following = tokens[at + 1] if at + 1 < end else None
    if low in ("me", "you", "i", "she", "he") and following is not None and following.low == "and":
        finite = _finite_after(tokens, at + 2, end)
        if finite < 0 and low == "me":
            finite = _finite_after(tokens, at, end)
        inner = read_clause(tokens, at + 2, end) if low != "me" else None
        if finite > 0 and not (
            inner is not None and inner.person in ("i", "we", "he", "she", "they") and low != "you"
        ):
            return finite, "i" if low in ("me", "i") or _has_first(tokens, at, finite) else low
        return -1, ""
    person = _PRONOUN.get(low)
    if person is None or following is None:
        return -1, ""
    place = skip_adverbs(tokens, at + 1, end)
    if place >= end:
        return -1, ""
    if low in ("this", "that", "these", "those", "one") and not _is_strong(tokens, place, at):
        known = verb(tokens[place].low)
        if known is None or not known.forms & (THIRD | PAST):
            return -1, ""
        if _finite_after(tokens, at, end) > place:
            return -1, ""
        return at + 1, person
    if low in ("i", "we") or _may_be_finite(tokens, place):
        if tokens[place].kind != WORD or tokens[place].low in words("preposition") - {"like"}:
            return -1, ""
        if tokens[place].low in words("determiner") or tokens[place].low in words("coordinator"):
            return -1, ""
        return at + 1, person
    return -1, ""


def _noun_subject(tokens: Sequence[Token], at: int, end: int) -> tuple[int, str]:
    """(end, person) of a noun phrase in front of a finite verb."""
    first = tokens[at]
    if first.kind in (MARK, OTHER):
        return -1, ""
    if first.kind == WORD:
        if first.low in words("preposition") and first.low not in ("like",):
            return -1, ""
        cleft = first.low == "what" and at + 1 < end and tokens[at + 1].low in ("i", "we")
        if (
            first.low in ("who", "why", "how", "when", "where", "whom")
            or (first.low == "what" and not cleft)
            or first.low in words("modal")
        ):
            return -1, ""
        if (
            first.low in words("subordinator")
            or first.low in words("coordinator")
            or first.low in words("be")
        ):
            return -1, ""
        if first.low in ("have", "has", "had", "do", "does", "did", "not", "me", "him", "them", "us"):
            return -1, ""
    finite = _finite_after(tokens, at, end)
    known = verb(tokens[finite].low) if finite == at + 1 and first.low in _WHEN else None
    if finite <= at or (known is not None and known.lemma != "be"):
        return -1, ""  # "yesterday took my dog out"
    return finite, _person_of_noun(tokens, at, finite)


def _person_of_noun(tokens: Sequence[Token], at: int, finite: int) -> str:
    lows = [token.low for token in tokens[at:finite]]
    known = verb(lows[0])
    if (
        known is not None
        and known.forms & ING
        and not known.forms & BASE
        and tokens[at].kind == WORD
        and lows[0] not in words("technical")
    ):
        return "gerund"
    if "i" in lows and "and" not in lows[max(lows.index("i") - 1, 0) : lows.index("i") + 2]:
        return "my"
    if "i" in lows and "and" in lows[max(lows.index("i") - 1, 0) : lows.index("i") + 2]:
        return "i"
    for low in lows:
        if low in ("my", "mine"):
            return "my"
        if low in ("our", "ours"):
            return "our"
        if low in ("your", "yours", "you"):
            return "your"
        if low in ("his", "her", "its", "their"):
            return "his"
    if any(is_name(tokens, place) for place in range(at, finite)) and lows[0] not in words(
        "determiner"
    ):
        stop = next(
            (each for each in range(at, finite) if tokens[each].low in words("preposition")), finite
        )
        of_things = any(
            low in words("project") or low in words("technical") for low in lows[1 : stop - at]
        )
        plain = (
            at == 0 and of_things and not any(is_name(tokens, place) for place in range(at + 1, stop))
        )
        return "noun" if plain else "name"
    if lows[0] in (
        "the",
        "this",
        "that",
        "these",
        "those",
        "a",
        "an",
        "all",
        "every",
        "each",
        "no",
        "any",
    ):
        return "the"
    return "noun"


def _has_first(tokens: Sequence[Token], start: int, end: int) -> bool:
    return any(token.low in words("first") for token in tokens[start:end])


def _finite_after(tokens: Sequence[Token], at: int, end: int) -> int:
    """Where the verb stands whose subject is the noun phrase that begins at a place; -1: nowhere."""
    limit = min(end, at + _LONGEST_SUBJECT)
    if at >= limit:
        return -1
    least = at + 1
    if tokens[at].low in words("determiner") and tokens[at].low not in (
        "this",
        "that",
        "these",
        "those",
        "one",
        "all",
        "some",
        "both",
    ):
        least = at + 2
    embedded = False
    place = at
    while place < limit:
        token = tokens[place]
        if token.kind == MARK and token.low not in ("'", "-"):
            return -1
        if token.kind == WORD and place > at:
            low = token.low
            if low in ("i", "we", "he", "she", "they", "you") and tokens[place - 1].low not in (
                "and",
                "or",
            ):
                embedded = True
                place += 1
                continue
            if low in ("who", "which", "whom") or (
                low == "that" and place >= least and _opens_relative(tokens, place, limit)
            ):
                embedded = True
                place += 1
                continue
            if low in (
                "but",
                "so",
                "because",
                "when",
                "while",
                "if",
                "though",
                "although",
                "unless",
                "whereas",
            ):
                return -1
            if place >= least and (
                _is_finite(tokens, place, at, limit) or (embedded and _may_be_finite(tokens, place))
            ):
                if not embedded:
                    return _back_over_adverbs(tokens, place, least)
                embedded = False
                place = _end_of_group(tokens, place, limit)
                if place < limit and tokens[place].low in words(
                    "preposition"
                ):  # "I signed up for starts"
                    while place < limit and tokens[place].low in words("preposition"):
                        place += 1
                    if place < limit and _may_be_finite(tokens, place):
                        return place
                continue
        place += 1
    return -1


def _opens_relative(tokens: Sequence[Token], place: int, limit: int) -> bool:
    """Whether "that" begins a relative clause, not a noun phrase: a pronoun or verb comes next."""
    after = skip_adverbs(tokens, place + 1, limit)
    return after < limit and (
        tokens[after].low in words("subject")
        or _may_be_finite(tokens, after)
        or tokens[after].low in ("my", "our")
    )


def _back_over_adverbs(tokens: Sequence[Token], place: int, least: int) -> int:
    while place > least and tokens[place - 1].low in words("adverb"):
        place -= 1
    return place


def _end_of_group(tokens: Sequence[Token], place: int, limit: int) -> int:
    place += 1
    while place < limit and (
        tokens[place].low in words("be")
        or tokens[place].low in words("have")
        or tokens[place].low in words("adverb")
        or ((known := verb(tokens[place].low)) is not None and known.forms & (ING | PARTICIPLE))
    ):
        place += 1
    return place


def _is_strong(tokens: Sequence[Token], place: int, start: int) -> bool:
    """Whether an auxiliary or modal stands here, as a verb."""
    low = tokens[place].low
    if tokens[place].kind != WORD:
        return False
    if low in _BE_FINITE or low in _HAVE_FINITE or low in words("do") or low in words("modal"):
        before = tokens[place - 1].low if place > start else ""
        return before not in ("a", "an", "the", "my", "our", "your", "his", "her", "its", "their")
    return False


def _may_be_finite(tokens: Sequence[Token], place: int) -> bool:
    low = tokens[place].low
    if tokens[place].kind != WORD:
        return False
    if low in _BE_FINITE or low in _HAVE_FINITE or low in words("do") or low in words("modal"):
        return True
    known = verb(low)
    if known is not None:
        return bool(known.forms & (BASE | THIRD | PAST))
    return low.endswith("ed") and low not in words("noun-suffix-not-verb")


def _is_finite(tokens: Sequence[Token], place: int, start: int, limit: int) -> bool:
    """Whether a word after a noun phrase is its verb."""
    if _is_strong(tokens, place, start):
        return True
    low = tokens[place].low
    known = verb(low)
    before = tokens[place - 1]
    if before.low in words("determiner") or before.low in words("preposition") or before.low == "and":
        return False
    if before.low in words("evaluative") and place - 1 == start:  # "long drives"
        return False
    if (
        known is None
        and low.endswith("s")
        and before.low in ("always", "never", "usually", "often", "really", "still")
    ):
        return True
    if known is None:
        return (
            low.endswith("ed")
            and len(low) > 4
            and low not in words("noun-suffix-not-verb")
            and before.low not in words("evaluative")
        )
    after = skip_adverbs(tokens, place + 1, limit)
    if after < limit and tokens[after].kind == WORD:
        nearby = tokens[after].low
        if low in ("get", "gets") and (done := verb(nearby)) is not None and done.forms & PARTICIPLE:
            return True
        if _is_strong(tokens, after, start) or (nearby == "of" and not known.forms & PAST):
            return False
        other = verb(nearby)
        if (
            other is not None
            and other.forms & (THIRD | PAST)
            and not other.forms & BASE
            and not known.forms & PAST
        ):
            return nearby.endswith("ing")
    if low in ("called", "named", "set") and place + 1 < limit:  # "a book called …", "a film set in …"
        return False
    if known.forms & (THIRD | PAST) and not known.forms & BASE:
        return True
    if known.forms & PAST:  # "put", "read": base and past are one
        return place + 1 < limit and tokens[place + 1].kind != MARK
    if known.forms & BASE:
        plural = before.low.endswith("s") and not before.low.endswith(("ss", "'s", "us", "is"))
        several = before.low in (
            "people",
            "children",
            "men",
            "women",
            "parents",
            "folks",
            "both",
            "all",
            "also",
        )
        several = several or any(token.low == "and" for token in tokens[start:place])
        several = several or _heads_several(tokens, start, place, low)
        if not (plural or several):
            return False
        if low == "like" and not any(
            token.low in words("kin")
            or token.low in words("pet")
            or token.low.rstrip("s")
            in words("pet") | words("kin-male") | words("kin-female") | {"people", "kid"}
            for token in tokens[start:place]
        ):
            return False
        if place + 1 >= limit or tokens[place + 1].kind == MARK:
            return False
        nearby = tokens[place + 1].low
        return (
            nearby in words("determiner")
            or nearby in words("preposition")
            or nearby in words("adverb")
            or (low not in words("project"))
        )
    return False


def _heads_several(tokens: Sequence[Token], start: int, place: int, low: str) -> bool:
    """Whether a noun of several heads a long subject: "changes to the schema require …"."""
    if low in words("technical") or low in words("project") or low in words("vague"):
        return False
    for at in range(start + 1, min(start + 4, place - 1)):
        if tokens[at].low in ("to", "of", "in", "for", "with", "on", "from"):
            head = tokens[at - 1].low
            return head.endswith("s") and not head.endswith(("ss", "'s", "us", "is"))
    return False
