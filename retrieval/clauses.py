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
    "clauses",
    "last_question",
    "question_share",
    "segments",
]

LONGEST: Final = 24
"""Sentences of a turn that are looked at one by one: the last ones."""

_CUT: Final = re.compile(r"(?<=[?？!！。;；\n])\s*|(?<=[.])\s+|(?<=[:：])\s*")
_SENTENCE: Final = re.compile(r"(?<=[?？!！。])\s*|(?<=[.;；\n])\s+")
_AROUND: Final = " \t\r\n\"'”’)）」』"
_SEGMENT: Final = re.compile(
    r"[，,；;、。？?！!：:\n]|(?<=[\u4e00-\u9fff])[和与及](?=[\u4e00-\u9fff])|\b(?:and|or|than|but)\b",
    re.IGNORECASE,
)
_SHORTEST: Final = 3  # letters and digits of a segment; a Chinese character is two
_SEGMENTS: Final = 12
_ASKS: Final = re.compile(
    r"\b(?:what|which|who|whom|whose|when|where|why|how)\b|[?？]|吗|呢|什么|甚么|谁|哪|多少|几|怎么|怎样|如何|是否",
    re.IGNORECASE,
)


def clauses(text: str) -> list[str]:
    """The sentences of a text that say anything, at most the last `LONGEST`."""
    parts = [part.strip() for part in _CUT.split(text)]
    said = [part for part in parts if sum(map(str.isalnum, part)) > 1]
    return said[-LONGEST:] if len(said) > 1 else [text]


def segments(text: str) -> list[str]:
    """The stretches of a text between commas and conjunctions, the last 12; none where it is one.

    "The day the summit began, what did the bank announce?" asks about two things, and one memory
    answers one of them.
    """
    parts = [part.strip() for part in _SEGMENT.split(text)]
    said = [part for part in parts if _length(part) >= _SHORTEST]
    return said[-_SEGMENTS:] if len(said) > 1 else []


def _length(part: str) -> int:
    return sum(1 + (not each.isascii()) for each in part if each.isalnum())


def asks(text: str) -> bool:
    """Whether a sentence asks something."""
    return _ASKS.search(text) is not None


def last_question(text: str) -> str:
    """The last sentence that asks something; the whole text where none does."""
    return next((part for part in reversed(clauses(text)) if asks(part)), text)


def question_share(text: str) -> float:
    """How much of what somebody said are questions, by length: these seldom answer another. 0 to 1."""
    if "?" not in text and "？" not in text:
        return 0.0
    parts = [part.strip(_AROUND) for part in _SENTENCE.split(text)]
    asked = sum(len(part) for part in parts if part.endswith(("?", "？")))
    return asked / max(sum(map(len, parts)), 1)
