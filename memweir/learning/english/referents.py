"""Who or what is "she", "it", "they" at the start of a sentence? What the sentence before named.

Only a sole candidate is taken: one relative of the right sex, one name of a person, one thing that
somebody got or made. Where two could be meant, none is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from memweir.learning.english.chatter import opening
from memweir.learning.english.clauses import is_name, read_clause
from memweir.learning.english.lexicon import words
from memweir.learning.english.names import noun_phrase
from memweir.learning.english.tokens import MARK, WORD, Token, tokenise

__all__ = ["resolved"]

_PERSONS: Final = frozenset(("he", "she", "they", "his", "her", "their"))
_GETTING: Final = words("getting")
_PLACES: Final = frozenset(
    ("in", "at", "to", "from", "near", "into", "through", "around", "called", "via", "on")
)
_LONGEST: Final = 400  # characters of a sentence that is looked back at


def resolved(tokens: tuple[Token, ...], start: int, before: str) -> tuple[Token, ...]:
    """The tokens with the pronoun that begins them replaced, where the sentence before says by what.

    Args:
        start: where the sentence begins to say something.
        before: the sentence before it, as written.
    """
    if start >= len(tokens) or not before or len(before) > _LONGEST or before.rstrip().endswith("?"):
        return tokens
    first = tokens[start]
    if first.kind != WORD or first.low not in ("he", "she", "it", "they", "his", "her", "its", "their"):
        return tokens
    possessive = first.low in ("his", "her", "its", "their")
    earlier = tokenise(before)
    found = _person(earlier, first.low) if first.low in _PERSONS else _thing(earlier)
    if not found:
        return tokens
    new = [
        replace(each, start=first.start, end=first.end, gap=first.gap if number == 0 else True)
        for number, each in enumerate(found)
    ]
    if possessive:
        last = new[-1]
        new[-1] = replace(last, text=f"{last.text}'s", low=f"{last.low}'s")
    return (*tokens[:start], *new, *tokens[start + 1 :])


def _person(tokens: Sequence[Token], pronoun: str) -> tuple[Token, ...]:
    """The relative or named person that a sentence is about; () where there are several or none."""
    sex = {"he": "male", "his": "male", "she": "female", "her": "female"}.get(pronoun, "")
    several = pronoun in ("they", "their")
    found: dict[str, tuple[Token, ...]] = {}
    for at in range(len(tokens) - 1):
        if tokens[at].low in ("my", "our"):
            last = _relative_end(tokens, at + 1)
            if last < 0:
                continue
            kin = tokens[last].low
            plural = kin in words("kin-several") or (kin.endswith("s") and kin[:-1] in _all_kin())
            if several != plural:
                continue
            if not several and kin in words("kin-male" if sex == "female" else "kin-female"):
                continue
            found[" ".join(each.low for each in tokens[at : last + 1])] = tuple(tokens[at : last + 1])
    if found or several:
        return next(iter(found.values())) if len(found) == 1 else ()
    names = {
        tokens[at].low: (tokens[at],)
        for at in range(1, len(tokens))
        if is_name(tokens, at)
        and tokens[at - 1].low not in _PLACES
        and not tokens[at].low.endswith("'s")
        and not is_name(tokens, at - 1)
        and tokens[at - 1].low
        in (
            "friend",
            "colleague",
            "named",
            "with",
            "met",
            "dating",
            "married",
            "and",
            "girl",
            "guy",
            "boss",
        )
    }
    return next(iter(names.values())) if len(names) == 1 else ()


def _relative_end(tokens: Sequence[Token], at: int) -> int:
    """Where the word for a relative stands in "my older sister"; -1: nowhere."""
    for place in range(at, min(at + 3, len(tokens))):
        if tokens[place].low in _all_kin() or tokens[place].low.rstrip("s") in _all_kin():
            return place
        if tokens[place].kind != WORD:
            return -1
    return -1


def _thing(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The one thing that somebody got or made: "I adopted a puppy", "my favorite treat is a lemon
    tart"."""
    end = len(tokens)
    while end and tokens[end - 1].kind == MARK:
        end -= 1
    found: tuple[Token, ...] = ()
    for start in _starts(tokens, end):
        clause = read_clause(tokens, start, end)
        if clause is None or clause.negated:
            continue
        if (
            clause.person == "my"
            and clause.lemma == "be"
            and clause.subject[1] - clause.subject[0] <= 5
        ):
            one = tuple(tokens[clause.subject[0] : clause.subject[1]])
            if found or one[-1].low.endswith("s") or one[-1].low in words("vague"):
                return ()
            found = one
        elif clause.person in ("i", "we") and clause.lemma in _GETTING and clause.rest < end:
            first, last = noun_phrase(tokens, clause.rest, end)
            determiner = tokens[clause.rest]
            if determiner.low not in ("a", "an", "my", "our", "another") or last <= first or found:
                return ()
            if tokens[last - 1].low in words("vague") or tokens[last - 1].low.endswith("s"):
                return ()
            if last < end and tokens[last].low in ("and", "or"):
                return ()
            whose = "my" if clause.lemma in words("getting-own") else "the"
            own = (
                determiner
                if determiner.low in ("our", "my")
                else replace(determiner, text=whose, low=whose)
            )
            found = (own, *tokens[first:last])
    return found


def _starts(tokens: Sequence[Token], end: int) -> list[int]:
    """Where clauses may begin: at the start, and after marks and conjunctions."""
    start = opening(tokens, 0, end)
    later = (
        at + 1
        for at in range(start, end - 1)
        if tokens[at].kind == MARK or tokens[at].low in ("and", "but", "so")
    )
    return [start, *later]


def _all_kin() -> frozenset[str]:
    return words("kin-female") | words("kin-male") | words("kin") | words("pet")
