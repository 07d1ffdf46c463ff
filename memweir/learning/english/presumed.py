"""What does a question or an order take for granted of its speaker?

"As a vegan, what can I order?" says that its speaker is one. Only what stands in a clause of its own is
taken, after a word that gives a reason, so that nothing that is asked is ever taken for said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from memweir.learning.english.clauses import read_clause
from memweir.learning.english.lexicon import words
from memweir.learning.english.tokens import MARK, WORD, Token

__all__ = ["presumed"]

_REASONS: Final = frozenset(("since", "because", "given", "considering", "seeing", "as"))
_ASKING: Final = frozenset(
    ("could", "can", "would", "will", "should", "please", "which", "what", "how")
)
_PASSING: Final = frozenset(("last", "still", "just", "now", "today", "here", "it", "this", "that"))
_LONGEST: Final = 16  # tokens


def presumed(tokens: Sequence[Token]) -> list[tuple[Token, ...]]:
    """Each stretch that gives a reason about the speaker, as a sentence of its own."""
    found: list[tuple[Token, ...]] = []
    for at in range(len(tokens) - 3):
        low = tokens[at].low
        if tokens[at].kind != WORD or low not in _REASONS:
            continue
        if at > 0 and tokens[at - 1].low in ("as", "ever", "such", "same", "so", "well", "far"):
            continue
        begin = at + 1
        begin += tokens[begin].low in ("that", "as")
        if tokens[begin].low in ("i", "my", "we", "our"):
            clause = read_clause(tokens, begin, _stop(tokens, begin))
            lows = {token.low for token in tokens[begin : _stop(tokens, begin)]}
            now = (
                clause is not None and clause.tense in ("present", "perfect") and not clause.progressive
            )
            if clause is None or clause.modal or not now or lows & _PASSING:
                continue
            if clause.person in ("i", "my") or (clause.person == "our" and low != "since"):
                found.append(tuple(tokens[begin : _stop(tokens, begin)]))
        elif low == "as" and tokens[begin].low in ("someone", "somebody", "a", "an"):
            found += _being(tokens, at, begin)
    return found


def _being(tokens: Sequence[Token], at: int, begin: int) -> list[tuple[Token, ...]]:
    """ "As someone with a peanut allergy", "as a father of three", where a mark ends it."""
    stop = _stop(tokens, begin)
    if stop >= len(tokens) or tokens[stop].low != "," or stop - begin < 2:
        return []
    if at > 0 and tokens[at - 1].kind != MARK and at > 3:
        return []
    me = replace(tokens[at], text="I", low="i")
    if tokens[begin].low in ("someone", "somebody") and tokens[begin + 1].low == "with":
        return [(me, replace(tokens[at], text="have", low="have", gap=True), *tokens[begin + 2 : stop])]
    lows = {token.low for token in tokens[begin:stop]}
    known = tokens[begin].low in ("someone", "somebody") or bool(
        lows
        & (words("identity") | words("job") | words("kin-male") | words("kin-female") | words("kin"))
    )
    if not known:
        return []
    return [(me, replace(tokens[at], text="am", low="am", gap=True), *tokens[begin:stop])]


def _stop(tokens: Sequence[Token], begin: int) -> int:
    """Where a reason ends: before a mark, or before what is asked."""
    at = begin + 1
    while at < len(tokens) and at - begin < _LONGEST and tokens[at].kind != MARK:
        asked = tokens[at].low in _ASKING and at > begin + 2
        if asked and (
            tokens[at].low in ("please", "which", "what", "how")
            or (at + 1 < len(tokens) and tokens[at + 1].low in ("you", "i", "we"))
        ):
            break
        at += 1
    return at
