"""What is made of one clause: its kind, the rule that says so, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from memweir.learning.chinese.lexicon import Pattern

__all__ = ["CHANGES", "CLEAR", "CODE", "OWNED", "SPEAKER", "THEIRS", "WEAK", "Reading", "sure"]

CLEAR: Final = 0.8
"""A lasting statement in the first person."""
OWNED: Final = 0.65
"""A statement about somebody or something that is named, or the speaker's own."""
WEAK: Final = 0.4

SPEAKER: Final = frozenset(("self", "we"))
THEIRS: Final = frozenset(("owned", "kin", "named", "project"))

CHANGES: Final = Pattern("<change>")
CODE: Final = Pattern("<code>")
"""Words of work on code, of which a talk is full and little lasts."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a rule makes of one clause.

    Attributes:
        kind: of the fact.
        rule: which rule.
        confidence: how sure.
        lasting: it holds beyond the day, so that it may stand beside a question or a command.
        word: the word that told, simplified.
    """

    kind: str
    rule: str
    confidence: float
    lasting: bool
    word: str = ""


def sure(kind: str, clear: float = CLEAR) -> float:
    """How sure a rule is, of a subject of this kind.

    Args:
        clear: of the speaker.
    """
    if kind in SPEAKER:
        return clear
    if kind in THEIRS:
        return min(clear, OWNED)
    return min(clear, 0.6) if kind == "none" else WEAK
