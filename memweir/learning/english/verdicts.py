"""What do the rules of kinds look at, and what do they say? A unit with its words, and a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memweir.learning.english.detail import Detail
from memweir.learning.english.lexicon import words
from memweir.learning.english.pieces import Unit
from memweir.learning.english.tokens import Token

__all__ = ["FIRST", "FOR_SPEAKER", "GENERAL", "OWN", "VAGUE", "Seen", "Verdict"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a rule says of a unit.

    Attributes:
        rule: its name.
        kind: of memory; "" where the unit is nothing to keep.
        confidence: 0 to 1.
        relation: "change" where the unit says that something is no longer as it was.
    """

    rule: str
    kind: str = ""
    confidence: float = 0.0
    relation: str = ""


FIRST: Final = frozenset(("i", "we", "none"))
OWN: Final = frozenset(("my", "our"))
VAGUE: Final = Verdict("extract.vague")
FOR_SPEAKER: Final = "for-speaker"
"""Relation of a verdict whose statement has to say whom it holds for."""
GENERAL: Final = Verdict("extract.general")
_TURNS: Final = frozenset(
    [
        "day",
        "week",
        "month",
        "year",
        "morning",
        "evening",
        "afternoon",
        "night",
        "weekend",
        "weekday",
        "time",
        "summer",
        "winter",
        "spring",
        "fall",
        "autumn",
        "season",
        "sprint",
    ]
) | frozenset(
    [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "two",
        "second",
        "third",
        "fourth",
        "first",
        "last",
        "three",
        "few",
        "other",
        "single",
    ]
)


@dataclass(frozen=True, slots=True)
class Seen:
    """A unit with what the rules ask of it."""

    tokens: Sequence[Token]
    unit: Unit
    detail: Detail
    lows: tuple[str, ...]  # of the whole unit
    after: tuple[str, ...]  # of the clause, behind its verb
    head: tuple[str, ...]  # of its subject

    @property
    def lemma(self) -> str:
        return self.unit.clause.lemma

    @property
    def first(self) -> bool:
        return self.unit.clause.person in FIRST

    @property
    def often(self) -> bool:
        """It happens again and again: "usually", "on Mondays", "every week"."""
        return bool(set(self.lows) & words("frequency")) or any(
            one in ("every", "each") and other.rstrip("s") in _TURNS
            for one, other in zip(self.lows, self.lows[1:], strict=False)
        )

    def says(self, *phrase: str) -> bool:
        size = len(phrase)
        return any(self.lows[at : at + size] == phrase for at in range(len(self.lows) - size + 1))

    def sure(self, first: float = 0.8) -> float:
        """Confidence by who is spoken of."""
        person = self.unit.clause.person
        if person in ("i", "we"):
            return first
        if person == "none":
            return first - 0.15
        if person in OWN:
            return first - 0.1
        if person == "name":
            return first - 0.2
        return first - 0.3
