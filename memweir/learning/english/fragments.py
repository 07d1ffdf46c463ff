"""Which words did the speaker leave out at the start of a sentence?

"Not a fan of ORMs" stands for "I'm not …", "tabs over spaces" for "I prefer …".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from memweir.learning.english.clauses import read_clause
from memweir.learning.english.detail import is_concrete
from memweir.learning.english.lexicon import BASE, ING, verb, words
from memweir.learning.english.names import words_of_tools
from memweir.learning.english.tokens import MARK, OTHER, WORD, Token, longest_at

__all__ = ["supplied"]

_LONGEST: Final = 12  # tokens of "tabs over spaces any day"
_CLOSING: Final = frozenset(("always", "please", "thanks"))


def supplied(tokens: tuple[Token, ...], start: int) -> tuple[Token, ...]:
    """The tokens with the words that were left out where the sentence begins; as given where none
    were."""
    end = len(tokens)
    while end and tokens[end - 1].kind in (MARK, OTHER):
        end -= 1
    if start >= end:
        return tokens
    at = start
    while at < end and tokens[at].low in words("degree") | words("intensifier"):
        at += 1
    if longest_at("left-out-am", tokens, at, end) and end - at > 2:
        return (*tokens[:start], *_words(tokens[start], "I", "am"), *_lowered(tokens[start:]))
    denied = tokens[start].low in ("have", "did", "can", "could") and end - start > 4
    if denied and tokens[start + 1].low == "not" and verb(tokens[start + 2].low) is not None:
        first = replace(tokens[start], text=tokens[start].low, gap=True)
        return (*tokens[:start], *_words(tokens[start], "I"), first, *tokens[start + 1 :])
    found = _found_so(tokens, start, end)
    if found:
        return found
    return _contrasted(tokens, start, end) or _weighed(tokens, start, end)


def _found_so(tokens: tuple[Token, ...], start: int, end: int) -> tuple[Token, ...]:
    """ "It was lovely being out in the open": the speaker found it so; () elsewhere."""
    if (
        end - start < 7
        or tokens[start].low != "it"
        or tokens[start + 1].low not in ("is", "was", "felt")
    ):
        return ()
    at = start + 2
    while at < end and (tokens[at].low in words("degree") | words("intensifier") | words("adverb")):
        at += 1
    if at + 3 >= end or tokens[at].low not in words("evaluative") - {"worth", "like", "able", "sure"}:
        return ()
    deed = at + 1 + (tokens[at + 1].low == "to")
    known = verb(tokens[deed].low)
    if known is None or known.lemma in _SAID_TO or not known.forms & (BASE if deed > at + 1 else ING):
        return ()
    lows = {token.low for token in tokens[at:end]}
    own = bool(lows & {"my", "me", "i", "our"})
    past = tokens[start + 1].low != "is"
    if lows & words("second") or not (own or past) or tokens[deed + 1].low in _POINTING:
        return ()
    found = _words(tokens[start], "I", "found" if past else "find")
    return (*tokens[:start], *found, *_words(tokens[start], "it"), *_gapped(tokens[at:]))


_SAID_TO: Final = frozenset(
    ("hear", "know", "meet", "chat", "talk", "think", "say", "catch", "let", "be")
)
_POINTING: Final = frozenset(("it", "them", "him", "her", "that", "this", "these", "those", "everyone"))


def _contrasted(tokens: tuple[Token, ...], start: int, end: int) -> tuple[Token, ...]:
    """ "Spaces, not tabs": of two tools the one that is preferred; () elsewhere."""
    if end - start != 4 or tokens[start + 1].low != "," or tokens[start + 2].low != "not":
        return ()
    if not {tokens[start].low, tokens[start + 3].low} <= words_of_tools():
        return ()
    over = replace(tokens[start + 2], text="over", low="over", gap=True)
    said = (*_gapped(tokens[start : start + 1]), over, tokens[start + 3])
    return (*tokens[:start], *_words(tokens[start], "I", "prefer"), *said)


def _weighed(tokens: tuple[Token, ...], start: int, end: int) -> tuple[Token, ...]:
    """ "Give me vim over vscode any day": what is preferred."""
    begin = start
    if tokens[begin].low == "give" and begin + 1 < end and tokens[begin + 1].low == "me":
        begin += 2
    over = next((at for at in range(begin + 1, end - 1) if tokens[at].low in ("over", ">")), -1)
    if over < 0 or over - begin > 5 or end - begin > _LONGEST:
        return tokens
    stop = end
    given = longest_at("any-day", tokens, end - 2, end) or longest_at("any-day", tokens, end - 3, end)
    if given:
        stop = end - given
    elif tokens[end - 1].low in _CLOSING:
        stop, given = end - 1, 1
    while stop > over and tokens[stop - 1].kind == MARK:
        stop -= 1
    short = end - begin <= 5 and begin == start
    named = is_concrete(tokens, begin) and is_concrete(tokens, over + 1)
    if stop <= over + 1 or not named or not (given or begin > start or short):
        return tokens
    if read_clause(tokens, begin, stop) is not None or any(
        tokens[at].kind != WORD and tokens[at].kind == MARK for at in range(begin, stop)
    ):
        return tokens
    if any(tokens[at].low in words("subject") | words("first") for at in range(begin, stop)):
        return tokens
    said = (*_gapped(tokens[begin:over]), replace(tokens[over], text="over", low="over", kind=WORD))
    return (
        *tokens[:start],
        *_words(tokens[start], "I", "prefer"),
        *said,
        *_gapped(tokens[over + 1 : stop]),
    )


def _words(place: Token, *said: str) -> tuple[Token, ...]:
    return tuple(replace(place, text=word, low=word.lower(), kind=WORD, gap=True) for word in said)


def _lowered(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """What began a sentence and does so no more."""
    return (replace(tokens[0], text=tokens[0].low, gap=True), *tokens[1:])


def _gapped(tokens: Sequence[Token]) -> tuple[Token, ...]:
    return tuple(replace(each, gap=True) if at == 0 else each for at, each in enumerate(tokens))
