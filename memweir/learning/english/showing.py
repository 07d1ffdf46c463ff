"""Does a sentence only show what it speaks of? "Here's the cake I baked" says that it was baked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memweir.learning.english.clauses import read_clause
from memweir.learning.english.detail import is_concrete
from memweir.learning.english.lexicon import verb, words
from memweir.learning.english.tokens import MARK, NUMBER, Token, longest_at

__all__ = ["embedded", "pictured", "turned", "unfolded"]


def unfolded(tokens: tuple[Token, ...], start: int) -> tuple[Token, ...]:
    """The tokens with what is shown put behind its verb: "I baked the cake"; as given where none is
    shown.

    Args:
        start: where the sentence begins to say something.
    """
    end = len(tokens)
    length = 0
    begin = min(start, end - 1)
    while begin >= 0 and not length:  # "here" may have been taken for an opener
        length = longest_at("showing", tokens, begin, end)
        begin -= 1
    if not length:
        return tokens
    start = begin + 1
    first = start + length
    while first < end and tokens[first].low in words("adverb"):
        first += 1
    stop = first
    while stop < end and tokens[stop].kind != MARK:
        stop += 1
    for at in range(first + 1, stop - 1):
        begin = at + 1 if tokens[at].low in ("that", "which") else at
        if tokens[begin].low not in ("i", "we") or begin + 1 >= stop:
            continue
        clause = read_clause(tokens, begin, stop)
        if clause is None or clause.person not in ("i", "we") or at == first:
            return tokens
        return (*tokens[:start], *_ordered(tokens, first, at, begin, clause.rest, stop), *tokens[stop:])
    return tokens


def turned(tokens: tuple[Token, ...], start: int) -> tuple[Token, ...]:
    """ "Tmux and fish, that's my whole setup" as "my whole setup is tmux and fish"; as given where
    nothing is so put."""
    end = len(tokens)
    for at in range(start + 1, min(end - 4, start + 12)):
        if tokens[at].kind != MARK or tokens[at].low not in (",", "-", "–", "—", ":"):
            if tokens[at].kind == MARK:
                return tokens
            continue
        points = tokens[at + 1].low in ("that", "this", "those") and tokens[at + 2].low in ("is", "are")
        if not points or tokens[at + 3].low not in ("my", "our"):
            continue
        stop = _until_mark(tokens, at + 4, end)
        named = any(is_concrete(tokens, place) for place in range(start, at))
        if not named or read_clause(tokens, start, at) is not None or stop - at > 10:
            return tokens
        said = (*tokens[at + 3 : stop], tokens[at + 2], *tokens[start:at])
        return (*tokens[:start], *(replace(each, gap=True) for each in said), *tokens[stop:])
    return tokens


def embedded(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """What a sentence that states nothing itself tells of what its speaker did, in passing: of "it
    reminds
    me of a lake we found in Norway" that they found a lake there; () where it tells nothing."""
    end = len(tokens)
    while end and tokens[end - 1].kind == MARK:
        end -= 1
    for at in range(3, end - 1):
        if tokens[at].low not in ("i", "we"):
            continue
        if tokens[at - 1].low == "much" and tokens[at - 2].low == "how":
            clause = read_clause(tokens, at, _until_mark(tokens, at, end))
            liked = clause is not None and clause.lemma in words("agree") | {"miss", "value", "need"}
            if clause is not None and liked and not clause.negated and clause.tense == "present":
                return tuple(tokens[at : clause.end])
        stop = at - 1 if tokens[at - 1].low in ("that", "which") else at
        first = _noun_phrase_before(tokens, stop)
        if first < 0:
            continue
        clause = read_clause(tokens, at, _until_mark(tokens, at, end))
        if clause is None or clause.tense not in ("past", "perfect") or clause.negated or clause.modal:
            continue
        if clause.rest < clause.end and tokens[clause.rest].low in ("to", "it", "them", "on"):
            continue
        return _ordered(tokens, first, stop, at, clause.rest, clause.end)
    return ()


def _noun_phrase_before(tokens: Sequence[Token], stop: int) -> int:
    """Where a noun phrase begins that ends at a place; -1 where none does."""
    last = tokens[stop - 1].low
    if not is_concrete(tokens, stop - 1) or verb(last) is not None or last.endswith("est"):
        return -1
    for at in range(stop - 2, max(stop - 7, -1), -1):
        low = tokens[at].low
        if tokens[at].kind == MARK or low in words("preposition") or low in words("subordinator"):
            return -1
        if low in ("a", "an", "the", "this", "my", "our", "some"):
            return at
    return -1


def _until_mark(tokens: Sequence[Token], start: int, end: int) -> int:
    at = start
    while at < end and tokens[at].kind != MARK:
        at += 1
    return at


def _ordered(
    tokens: Sequence[Token], first: int, at: int, begin: int, rest: int, stop: int
) -> tuple[Token, ...]:
    """Subject and verb, the thing shown, and what was said behind the verb."""
    shown = tuple(each for each in _without_picture(tokens[first:at]) if each.low != "how")
    verb_group = [each for each in tokens[begin:rest] if each.low != "ever"]
    said = (*verb_group, *shown, *tokens[rest:stop])
    return tuple(replace(each, gap=True) for each in said)


def _without_picture(shown: Sequence[Token]) -> tuple[Token, ...]:
    """ "A photo of a cake" shows a cake."""
    for at in range(1, min(4, len(shown) - 1)):
        if shown[at].low == "of" and shown[at - 1].low in words("picture"):
            return tuple(shown[at + 1 :])
    return tuple(shown)


def pictured(tokens: Sequence[Token]) -> tuple[int, int]:
    """(start, end) of what an attached picture shows, where a sentence is only the note of one:
    "[shares a photo of a red kite]"; (0, 0) where it is none."""
    end = len(tokens)
    end = next((at + 1 for at in range(end) if tokens[at].low == "]"), end)
    if end < 7 or tokens[0].low != "[" or tokens[end - 1].low != "]":
        return 0, 0
    if tokens[1].low not in words("attaching"):
        return 0, 0
    at = 2
    while at < end and (tokens[at].low in words("determiner") or tokens[at].kind == NUMBER):
        at += 1
    if at + 2 >= end or tokens[at].low not in words("picture") or tokens[at + 1].low != "of":
        return 0, 0
    shown = any(is_concrete(tokens, place) for place in range(at + 2, end - 1))
    return (2, end - 1) if shown else (0, 0)
