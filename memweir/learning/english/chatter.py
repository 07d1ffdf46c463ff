"""Which words of a sentence say nothing? What opens it, fills it and closes it.

"Hey", "by the way" and whom a sentence calls before it, intensifiers and talk about the talk in it,
"lol" and "you know" behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memweir.learning.english.clauses import is_name, read_clause
from memweir.learning.english.lexicon import verb, words
from memweir.learning.english.tokens import (
    CODE,
    MARK,
    NUMBER,
    OTHER,
    QUOTED,
    WORD,
    Token,
    last_words,
    longest_at,
)

__all__ = ["cleaned", "is_empty", "opening", "without_tail"]

_STARTS_ANEW: Final = frozenset(["i", "we", "you", "he", "she", "it", "they", "there"])
_NAMES_OWN: Final = frozenset(
    ("my", "our", "the", "this", "that", "these", "those", "your", "his", "her")
)


def opening(tokens: Sequence[Token], start: int, end: int, kept: frozenset[int] = frozenset()) -> int:
    """Where a stretch begins to say something: after "hey", "well", "by the way", and whom it calls.

    Args:
        kept: places that are no openers whatever stands there (of dates).
    """
    at = start
    called = False  # a greeting or thanks came before, to somebody
    while at < end:
        token = tokens[at]
        if token.kind in (MARK, OTHER):
            at += 1
            continue
        if at in kept:
            break
        if (
            token.low in ("for", "about")
            and at > start
            and tokens[at - 1].low in ("sorry", "thanks", "you")
        ):
            mark = next((place for place in range(at, end) if tokens[place].low in ",;.!-–—"), -1)
            if mark > 0 and tokens[at - 1].low != "you":
                at = mark
                continue
        length = longest_at("opener", tokens, at, end)
        if length == 1 and not _stands_alone(tokens, at, end):
            length = 0
        if length:
            at += length
            called = True
            continue
        if _is_called(tokens, at, end, called=called):
            at += 1
            continue
        if _is_exclamation(tokens, at, end):
            at += 1
            called = True
            continue
        break
    return at


def cleaned(tokens: Sequence[Token], kept: frozenset[int]) -> tuple[tuple[Token, ...], frozenset[int]]:
    """The tokens without intensifiers and without talk about the talk ("that I told you about").

    Args:
        kept: places that stay whatever stands there (of dates).
    Returns:
        The tokens left, and the places that `kept` has among them.
    """
    out: list[Token] = []
    places: list[int] = []
    at, end = 0, len(tokens)
    while at < end:
        if at not in kept:
            length = longest_at("taken-advice", tokens, at, end) or _chatter(
                tokens, at, end, said=bool(out) and out[-1].kind != MARK
            )
            if length == 0 and _intensifies(tokens, at, end):
                length = 2 if tokens[at].low in ("kind", "sort") else 1
            if length:
                at += length
                continue
        else:
            places.append(len(out))
        out.append(tokens[at])
        at += 1
    return tuple(out), frozenset(places)


def is_empty(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether nothing in a stretch says who, what, where or when."""
    return not any(_says_something(tokens, at) for at in range(start, end))


def without_tail(tokens: Sequence[Token], start: int, end: int, kept: frozenset[int]) -> int:
    """The end of a stretch without what closes it: "lol", "though", "you know", emoji."""
    while end > start:
        if end - 1 in kept:
            return end
        if tokens[end - 1].kind in (MARK, OTHER):
            end -= 1
            continue
        if tokens[end - 1].low not in last_words("tail"):
            return end
        for length in (6, 5, 4, 3, 2, 1):
            at = end - length
            capital = (
                length == 1
                and tokens[end - 1].text[:1].isupper()
                and not tokens[end - 1].text.isupper()
            )
            if at >= start and not capital and longest_at("tail", tokens, at, end) == length:
                if at - start < 2 and at != start and length == 1:
                    continue
                owned = tokens[at - 1].low if at > start else ""
                if length == 1 and (
                    owned in words("determiner")
                    or owned in words("be")
                    or owned in words("preposition")
                ):
                    continue
                end = at
                break
        else:
            return end
    return end


def _stands_alone(tokens: Sequence[Token], at: int, end: int) -> bool:
    """Whether a word that can open a sentence does so here: a mark follows, or a clause, or another."""
    if at + 1 >= end:
        return True
    following = tokens[at + 1]
    low = tokens[at].low
    if following.kind in (MARK, OTHER):
        return True
    if low in (
        "first",
        "next",
        "last",
        "then",
        "so",
        "and",
        "but",
        "plus",
        "also",
        "well",
        "besides",
        "finally",
    ):
        return (
            low in ("so", "and", "but", "plus", "also", "well", "then")
            or read_clause(tokens, at + 1, end) is not None
        )
    if longest_at("opener", tokens, at + 1, end) and following.low not in (
        "no",
        "right",
        "welcome",
        "next",
        "look",
    ):
        return True
    if low in (
        "no",
        "look",
        "listen",
        "right",
        "true",
        "sure",
        "man",
        "welcome",
        "update",
        "please",
        "see",
        "next",
    ):
        if low == "no" and following.low not in _STARTS_ANEW and following.low not in _NAMES_OWN:
            return False  # "no tests run on Windows" denies, it does not answer
        return low in ("no", "sure", "man") and read_clause(tokens, at + 1, end) is not None
    return True


def _is_called(tokens: Sequence[Token], at: int, end: int, *, called: bool) -> bool:
    """Whether somebody is called by a name here: "Hey Anna", "Anna, I …"."""
    token = tokens[at]
    if token.kind != WORD or not token.text[:1].isupper() or token.low in words("not-name"):
        return False
    following = tokens[at + 1] if at + 1 < end else None
    if following is None:
        return called
    if following.kind == MARK and following.low in ",!.-–—:":
        if called and following.low != ":":
            return token.low not in words("subject") and verb(token.low) is None
        after = tokens[at + 2] if at + 2 < end else None
        if (
            following.low == ","
            and after is not None
            and after.low in ("after", "before", "when", "since", "thanks", "last", "yesterday")
        ):
            return is_name(tokens, at)
        return (
            following.low == ","
            and after is not None
            and after.low in _STARTS_ANEW
            and at + 3 < end
            and is_name(tokens, at)
        )
    return (
        called
        and following.low in _STARTS_ANEW
        and verb(token.low) is None
        and token.low not in words("subject")
        and is_name(tokens, at)
    )


def _is_exclamation(tokens: Sequence[Token], at: int, end: int) -> bool:
    """ "Nice!", "Amazing -" before the sentence proper."""
    if at + 1 >= end or tokens[at].low not in words("evaluative"):
        return False
    return tokens[at + 1].kind == MARK and tokens[at + 1].low in ("!", ".", ",", "-", "–", "—")


def _chatter(tokens: Sequence[Token], at: int, end: int, *, said: bool) -> int:
    """How many tokens of talk about the talk begin here: "that I told you about"."""
    if not said or (at > 0 and tokens[at - 1].low in ("as", "like")):
        return 0
    skipped = 1 if tokens[at].low in ("that", "which") else 0
    length = longest_at("relative-chatter", tokens, at + skipped, end)
    if not length:
        return 0
    after = at + skipped + length
    if (
        after < end
        and tokens[after].kind == WORD
        and tokens[after].low in ("that", "my", "the", "a", "i", "we", "about")
    ):
        return 0
    while after < end and tokens[after].low in (
        "earlier",
        "before",
        "yesterday",
        "already",
        "last",
        "time",
        "week",
    ):
        after += 1
    return after - at


def _intensifies(tokens: Sequence[Token], at: int, end: int) -> bool:
    low = tokens[at].low
    if tokens[at].kind != WORD or at + 1 >= end:
        return False
    following = tokens[at + 1]
    if low == "much":
        return following.low in ("prefer", "preferred", "rather", "enjoy", "love")
    if low in ("kind", "sort"):
        before = tokens[at - 1].low if at else ""
        return following.low == "of" and before not in (
            "a",
            "the",
            "this",
            "that",
            "some",
            "any",
            "every",
            "what",
            "which",
            "my",
            "each",
            "same",
            "favorite",
        )
    if low in words("degree"):
        return (
            following.kind == WORD
            and (
                following.low in words("evaluative")
                or following.low in words("state")
                or (
                    following.low in ("much", "many", "a", "hard", "far", "well")
                    and low in ("so", "such")
                    and following.low != "far"
                )
            )
            and not (low == "such" and following.low == "a" and at + 2 >= end)
        )
    if low == "just" and following.low in ("now", "as", "like", "in"):
        return following.low == "like" and at > 0 and tokens[at - 1].low in ("i", "we", "would")
    if low == "even" and following.low in ("if", "though"):
        return False
    return low in words("intensifier")


def _says_something(tokens: Sequence[Token], at: int) -> bool:
    token = tokens[at]
    if token.kind in (NUMBER, CODE, QUOTED):
        return True
    if token.kind != WORD:
        return False
    low = token.low
    closed = (
        *(
            "first",
            "second",
            "third",
            "subject",
            "determiner",
            "be",
            "have",
            "do",
            "modal",
            "preposition",
        ),
        *(
            "subordinator",
            "coordinator",
            "relative",
            "question-word",
            "adverb",
            "evaluative",
            "state",
            "vague",
        ),
    )
    if any(low in words(name) for name in closed) or low in ("to", "please", "yes", "no", "ok"):
        return low in ("second", "third") and False
    return not longest_at("tail", tokens, at, at + 1)
