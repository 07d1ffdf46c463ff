"""Does a statement say a number or a name that its sentence does not hold? Then somebody made it up.

A model may word a sentence anew; it may not know more than was said. Numbers are compared by value
("three", 三 and 3 are one), dates as the days that memweir itself reads, names by their words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Final

from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.dates import blanked, find_dates
from memweir.retrieval.normalise import clean, fold, has_han
from memweir.retrieval.stemming import stem
from memweir.retrieval.stopwords import word_lists
from memweir.retrieval.types import Window

__all__ = ["Source"]

_NUMBER: Final = re.compile(r"\d+(?:\.\d+)*")
_GROUPED: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_HAN_NUMBER: Final = re.compile("[零〇一二两三四五六七八九十百千]+")
_HAN_VALUES: Final = {figure: value for value, figure in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
}
_HAN_UNITS: Final = {"十": 10, "百": 100, "千": 1_000}
_ENGLISH_NUMBERS: Final = {
    **dict(zip(("zero", "one", "two", "three", "four", "five", "six", "seven"), range(8), strict=True)),
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18,
    "nineteen": 19,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
    "hundred": 100,
    "thousand": 1_000,
    "twice": 2,
    "both": 2,
    "dozen": 12,
}
_MONTHS: Final = {
    name: number
    for number, name in enumerate(
        (
            *("january", "february", "march", "april", "may", "june", "july", "august"),
            *("september", "october", "november", "december"),
        ),
        1,
    )
}
_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:['’][A-Za-z]+)?")
_DAYS: Final = frozenset(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"))
_OF_ANYBODY: Final = frozenset({"user", "users", "ok"})


@dataclass(frozen=True)
class Source:
    """What a statement may draw on.

    Attributes:
        text: the sentence, and the one before where it was shown.
        subject: of whom statements are made.
        now: aware, when it was said.
    """

    text: str
    subject: str
    now: datetime

    def supports(self, statement: str) -> bool:
        """Whether it holds no number and no name of its own."""
        said = clean(statement)
        # Days may be counted out from when it was said; nothing else may be as many as a day.
        dates = [(each.start, each.end) for each in find_dates(said, self.now, told=True)]
        if not set(_numbers(blanked(said, dates))) <= self._said:
            return False
        if not {number for start, end in dates for number in _numbers(said[start:end])} <= self._known:
            return False
        if not all(self._holds_word(word) for word in _names(said)):
            return False
        return all(self.holds(name) for name in default_analyzer().analyse(statement).names)

    def holds(self, name: str) -> bool:
        """Whether a name is said, or is that of the subject."""
        folded = fold(clean(name)).strip()
        if not folded:
            return False
        if folded in self._folded or folded in ("user", "the user", "用户"):
            return True
        words = [_bare(word) for word in _LATIN.findall(folded)]
        if has_han(folded):
            han = re.sub(r"[\W\d_a-z]+", " ", folded).split()
            if not all(each in self._folded or each == "用户" for each in han):
                return False
        elif not words:
            return False
        return all(self._holds_word(word) for word in words) and set(_numbers(folded)) <= self._said

    def allows(self, first: date, last: date) -> bool:
        """Whether something in it is on one of these days."""
        return any(each.first <= last and first <= each.last for each in self._windows)

    def _holds_word(self, word: str) -> bool:
        low = _bare(word)
        if low in _MONTHS:
            return str(_MONTHS[low]) in self._known or low in self._words
        return (
            low in self._words
            or stem(low) in self._stems
            or low in word_lists().stop
            or low in _OF_ANYBODY
            or low in _DAYS
            or (low in _ENGLISH_NUMBERS and str(_ENGLISH_NUMBERS[low]) in self._said)
        )

    @cached_property
    def _folded(self) -> str:
        return fold(clean(f"{self.text}\n{self.subject}"))

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(_bare(word) for word in _LATIN.findall(self._folded))

    @cached_property
    def _stems(self) -> frozenset[str]:
        return frozenset(map(stem, self._words))

    @cached_property
    def _windows(self) -> tuple[Window, ...]:
        spans = find_dates(self.text, self.now, told=True)
        return tuple(each.window for each in spans if each.window is not None)

    @cached_property
    def _said(self) -> frozenset[str]:
        return frozenset((*_numbers(clean(f"{self.text}\n{self.subject}")), "1"))

    @cached_property
    def _known(self) -> frozenset[str]:
        """What is said, and the numbers of the days that are meant."""
        found = set(self._said)
        days = [self.now.date()]
        days += [day for each in self._windows for day in (each.first, each.last)]
        for day in days:
            found |= {str(day.year), str(day.month), str(day.day)}
        return frozenset(found)


def _numbers(cleaned: str) -> Iterator[str]:
    """The values of a text, each in one spelling."""
    for match in _NUMBER.finditer(_GROUPED.sub("", cleaned)):
        yield ".".join(part.lstrip("0") or "0" for part in match.group().split("."))
    for match in _HAN_NUMBER.finditer(cleaned):
        yield str(_han_value(match.group()))
    for word in _LATIN.findall(cleaned):
        low = word.lower()
        if low in _ENGLISH_NUMBERS:
            yield str(_ENGLISH_NUMBERS[low])
        elif low in _MONTHS and word[0].isupper():
            yield str(_MONTHS[low])


def _han_value(written: str) -> int:
    """The value of a Chinese number below ten thousand; figures in a row are read one by one."""
    if not any(unit in written for unit in _HAN_UNITS):
        return int("".join(str(_HAN_VALUES[figure]) for figure in written))
    total, digit = 0, 0
    for character in written:
        if character in _HAN_UNITS:
            total, digit = total + (digit or 1) * _HAN_UNITS[character], 0
        else:
            digit = _HAN_VALUES[character]
    return total + digit


def _names(cleaned: str) -> Iterator[str]:
    """Words that may be names: capitalised ones; in a Chinese text all that are Latin."""
    chinese = has_han(cleaned)
    for match in _LATIN.finditer(cleaned):
        word = match.group()
        if chinese or any(map(str.isupper, word)):
            yield word


def _bare(word: str) -> str:
    low = word.lower().replace("’", "'")
    return low[:-2] if low.endswith("'s") else low
