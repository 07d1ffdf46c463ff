"""What does a turn ask, and which of its sentences asks it?

A turn often says much before it asks little. Its sentences are weighed one by one, so that a memory
which answers one of them is not drowned by the rest.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = [
    "LONGEST",
    "asks",
    "asks_how_many",
    "asks_when",
    "clauses",
    "last_question",
    "question_share",
    "says_when",
]

LONGEST: Final = 24
"""Sentences of a turn that are looked at one by one: the last ones."""

_CUT: Final = re.compile(r"(?<=[?？!！。;；\n])\s*|(?<=[.])\s+|(?<=[:：])\s*")
_SENTENCE: Final = re.compile(r"(?<=[?？!！。])\s*|(?<=[.;；\n])\s+")
_AROUND: Final = " \t\r\n\"'”’)）」』"
_ASKS: Final = re.compile(
    r"\b(?:what|which|who|whom|whose|when|where|why|how)\b|[?？]|吗|呢|什么|甚么|谁|哪|多少|几|怎么|怎样|如何|是否",
    re.IGNORECASE,
)
_WHEN: Final = re.compile(
    r"\bwhen\b|\bwhat (?:date|day|month|year|time)\b|\bhow long\b"
    r"|几号|几月|几点|哪天|哪一天|哪年|哪一年|什么时候|什么时间|何时",
    re.IGNORECASE,
)
_HOW_MANY: Final = re.compile(
    r"\bhow (?:many|much|old|long|often|far|big|large|tall|high)\b|多少|几|多大|多久|多长|多远|多高",
    re.IGNORECASE,
)
_SAYS_WHEN: Final = re.compile(
    r"\b(?:yesterday|today|tomorrow|tonight|last|next|ago|weeks?|weekend|months?|years?|days?|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|\d{4})\b|[年月日号周]|昨|今天|明天",
    re.IGNORECASE,
)


def clauses(text: str) -> list[str]:
    """The sentences of a text that say anything, at most the last `LONGEST`."""
    parts = [part.strip() for part in _CUT.split(text)]
    said = [part for part in parts if sum(map(str.isalnum, part)) > 1]
    return said[-LONGEST:] if len(said) > 1 else [text]


def asks(text: str) -> bool:
    """Whether a sentence asks something."""
    return _ASKS.search(text) is not None


def last_question(text: str) -> str:
    """The last sentence that asks something; the whole text where none does."""
    return next((part for part in reversed(clauses(text)) if asks(part)), text)


def asks_when(text: str) -> bool:
    """Whether a date would answer it."""
    return _WHEN.search(text) is not None


def asks_how_many(text: str) -> bool:
    """Whether a number would answer it."""
    return _HOW_MANY.search(text) is not None


def says_when(text: str) -> bool:
    """Whether a text names a day, a month or the like."""
    return _SAYS_WHEN.search(text) is not None


def question_share(text: str) -> float:
    """How much of what somebody said are questions, by length: these seldom answer another. 0 to 1."""
    if "?" not in text and "？" not in text:
        return 0.0
    parts = [part.strip(_AROUND) for part in _SENTENCE.split(text)]
    asked = sum(len(part) for part in parts if part.endswith(("?", "？")))
    return asked / max(sum(map(len, parts)), 1)
