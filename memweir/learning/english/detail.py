"""How much does a stretch of words tell? Names, numbers, places, against vague words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memweir.learning.english.clauses import is_name
from memweir.learning.english.dates import Moment
from memweir.learning.english.lexicon import verb, words
from memweir.learning.english.pieces import Unit
from memweir.learning.english.tokens import CODE, NUMBER, QUOTED, WORD, Token

__all__ = ["Detail", "detail_of", "is_concrete"]

_CLOSED = (
    *("first", "second", "third", "subject", "determiner", "be", "have", "do", "modal", "preposition"),
    *("subordinator", "coordinator", "relative", "question-word", "adverb", "evaluative", "vague"),
)


@dataclass(frozen=True, slots=True)
class Detail:
    """What a unit tells beside its subject.

    Attributes:
        strong: names, numbers, identifiers, quotations, after the verb or in a subject of one's own.
        concrete: other words with a meaning of their own.
        dated: date expressions.
        verb: 1 where its main verb says something without an object.
    """

    strong: int
    concrete: int
    dated: int
    verb: int = 0

    @property
    def told(self) -> int:
        """Words that say what, who or where."""
        return self.strong + self.concrete

    @property
    def total(self) -> int:
        return 2 * self.strong + self.concrete + self.dated + self.verb


def is_concrete(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word means something by itself."""
    token = tokens[at]
    if token.kind != WORD:
        return token.kind in (NUMBER, CODE, QUOTED)
    low = token.low[:-2] if token.low.endswith("'s") else token.low
    if len(low) < 2 or any(low in words(name) for name in _CLOSED):
        return False
    known = verb(low)
    return known is None or known.lemma not in words("light")


def detail_of(tokens: Sequence[Token], unit: Unit, moments: Sequence[Moment]) -> Detail:
    strong = concrete = dated = 0
    clause = unit.clause
    inside = {place for moment in moments for place in range(moment.start, moment.end)}
    for piece in unit.pieces:
        for at in range(piece.start, piece.end):
            if at in inside:
                continue
            if clause.subject[0] <= at < clause.subject[1] and tokens[at].low not in words("kin"):
                continue
            token = tokens[at]
            if at == clause.main:
                continue
            if (
                token.kind in (NUMBER, CODE, QUOTED)
                or (token.kind == WORD and is_name(tokens, at))
                or (
                    token.low in words("number-word")
                    and token.low
                    not in (
                        "one",
                        "first",
                        "second",
                        "once",
                        "half",
                    )
                )
            ):
                strong += 1
            elif is_concrete(tokens, at):
                concrete += 1
    for moment in moments:
        if any(piece.start <= moment.start < piece.end for piece in unit.pieces):
            dated += 1
    light = clause.lemma in words("light") or clause.lemma in (
        "happen",
        "matter",
        "seem",
        "sound",
        "work",
    )
    return Detail(strong, concrete, dated, 0 if light else 1)
