"""When did it happen? The date expressions of a sentence as words that hold whenever they are read.

The days themselves come from `memweir.retrieval.dates`; here they get words: "yesterday" becomes "on
7 May
2023", "last week" "in the week of 1 May 2023", and one stretch of days becomes the window of the event.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final

from memweir.dating import LONGEST_EVENT_DAYS
from memweir.learning.english.lexicon import words
from memweir.learning.english.tokens import MARK, WORD, Token
from memweir.retrieval.dates import find_dates, window_bounds_ms
from memweir.retrieval.types import DateSpan, Window
from memweir.store.records import from_ms

__all__ = ["Moment", "bounds", "find_moments", "one_window"]

_MAY_HOLD: Final = re.compile(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)|day\b|today|tomorrow|tonight|night|yesterday|week|month|year"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|spring|summer|autumn|fall|winter|ago\b|decade"
    r"|christmas|easter|thanksgiving|halloween|morning|evening|afternoon|noon|last|next|eve\b|festival|quarter",
    re.IGNORECASE,
)
_MONTHS: Final = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_DAYS: Final = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_WEEKDAY: Final = re.compile(
    r"\b(?:mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?s?\b", re.IGNORECASE
)
_YEAR: Final = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_LOOSE: Final = re.compile(
    r"\b(?:recently|lately|these days|nowadays|so far|the past|in the last|over the last)\b",
    re.IGNORECASE,
)
_EVENING: Final = re.compile(r"\b(morning|afternoon|evening|night|tonight|noon)\b", re.IGNORECASE)
_SEASON: Final = re.compile(r"\b(spring|summer|autumn|fall|winter)\b", re.IGNORECASE)
_NAMED: Final = re.compile(
    r"\b(christmas(?: eve| day)?|new year(?:'s|’s)?(?: eve| day)?|easter(?: sunday| monday)?"
    r"|thanksgiving|halloween|valentine(?:'s|’s)? day|mother(?:'s|’s) day|father(?:'s|’s) day"
    r"|labor day|memorial day|independence day|national day|black friday"
    r"|spring festival|chinese new year|lunar new year|mid-autumn festival)\b",
    re.IGNORECASE,
)
_BOUND: Final = frozenset(("since", "until", "till", "by", "before", "after", "from", "through"))
_PLACING: Final = frozenset(("on", "in", "at", "over", "during", "for", "this", "the"))


@dataclass(frozen=True, slots=True)
class Moment:
    """A date expression.

    Attributes:
        start, end: places of tokens, half-open, a preposition that belongs to it included.
        window: the days meant.
        said: the words that say so whenever they are read, with their preposition; "" where the words
            as written do.
        event: it places an event: neither loose ("recently") nor open ("since May").
    """

    start: int
    end: int
    window: Window
    said: str
    event: bool


@lru_cache(maxsize=16)
def _spans(text: str, now: datetime) -> tuple[DateSpan, ...]:
    """The dates of a sentence, which is looked at more than once."""
    return find_dates(text, now, told=True)


def find_moments(text: str, tokens: Sequence[Token], now: datetime) -> tuple[Moment, ...]:
    """The date expressions of a sentence that is told, in order."""
    if not _MAY_HOLD.search(text):
        return ()
    away = _away(text, tokens, now)
    found: list[Moment] = []
    for span in _spans(text, now):
        if span.window is None:
            continue
        inside = [
            at for at, token in enumerate(tokens) if token.start < span.end and token.end > span.start
        ]
        if inside and _measures(text[span.start : span.end], tokens, inside[-1] + 1):
            continue
        if not inside or (found and inside[0] < found[-1].end):
            continue
        moment = _ranged(tokens, inside[0], inside[-1] + 1, span.window) or _moment(
            text[span.start : span.end], tokens, inside[0], inside[-1] + 1, span.window
        )
        if not any(each.start < moment.end and moment.start < each.end for each in away):
            found.append(moment)
    return tuple(sorted((*found, *away), key=lambda each: each.start)) if away else tuple(found)


_LENGTH: Final = re.compile(
    r"(?:in |for )?(?:two|three|four|five|six|\d+)[ -](?:day|week|month|year)", re.I
)


def _measures(written: str, tokens: Sequence[Token], end: int) -> bool:
    """ "In two week sprints": how long something lasts, no date."""
    return end < len(tokens) and tokens[end].kind == WORD and _LENGTH.fullmatch(written) is not None


def _ranged(tokens: Sequence[Token], start: int, end: int, window: Window) -> Moment | None:
    """ "From 24 to 27 December": the first day stands without its month; None elsewhere."""
    if (
        start < 2
        or window.first != window.last
        or tokens[start - 1].low not in ("to", "-", "and", "until")
    ):
        return None
    if tokens[start - 1].low == "and" and (start < 3 or tokens[start - 3].low != "between"):
        return None
    day = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", tokens[start - 2].low)
    if day is None or not 0 < int(day.group(1)) < window.last.day:
        return None
    taken = start - 2
    taken -= taken > 0 and tokens[taken - 1].low in ("from", "between", "the")
    first = window.first.replace(day=int(day.group(1)))
    return Moment(
        taken, end, Window(first, window.last), f"from {first.day} to {_day(window.last)}", True
    )


_AWAY: Final = re.compile(
    r"\b(?P<count>a|one|two|three|four|\d{1,2})\s+(?P<unit>day|week|fortnight)s?\s+from\s+(?P<day>today|now|tomorrow|yesterday"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)
_COUNTS: Final = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4}


def _away(text: str, tokens: Sequence[Token], now: datetime) -> list[Moment]:
    """ "A week from today", "two days from tomorrow": a single day."""
    found = []
    for match in _AWAY.finditer(text):
        inside = [
            at
            for at, token in enumerate(tokens)
            if token.start < match.end() and token.end > match.start()
        ]
        count = match.group("count").lower()
        days = (_COUNTS[count] if count in _COUNTS else int(count)) * (
            {"day": 1, "week": 7, "fortnight": 14}[match.group("unit").lower()]
        )
        counted = match.group("day").lower().capitalize()
        if counted in _DAYS:
            days += (_DAYS.index(counted) - now.weekday()) % 7
        days += {"Tomorrow": 1, "Yesterday": -1}.get(counted, 0)
        try:
            when = now.date() + timedelta(days=days)
        except OverflowError:
            continue
        if inside:
            said = f"on {_day(when)}"
            found.append(Moment(inside[0], inside[-1] + 1, Window(when, when), said, True))
    return found


def one_window(moments: Sequence[Moment]) -> Window | None:
    """The days of the event that moments place: of several the narrowest, where it lies in all
    others."""
    windows = sorted({moment.window for moment in moments if moment.event})
    if not windows:
        return None
    narrow = min(windows, key=lambda window: (window.last - window.first, window))
    if not all(each.first <= narrow.first and narrow.last <= each.last for each in windows):
        return None
    return narrow if (narrow.last - narrow.first).days < LONGEST_EVENT_DAYS else None


def bounds(window: Window, now: datetime) -> tuple[datetime, datetime] | None:
    """First moment and end of a window in the zone of `now`; None at the ends of the calendar."""
    if window.first == date.min or window.last == date.max or now.tzinfo is None:
        return None
    start, end = window_bounds_ms(window, now.tzinfo)
    if start >= end:
        return None
    try:
        return from_ms(start).astimezone(now.tzinfo), from_ms(end).astimezone(now.tzinfo)
    except (OverflowError, ValueError, NotImplementedError):
        return from_ms(start).astimezone(UTC), from_ms(end).astimezone(UTC)


def _moment(written: str, tokens: Sequence[Token], start: int, end: int, window: Window) -> Moment:
    before = tokens[start - 1].low if start > 0 else ""
    first = tokens[start].low
    open_ended = (
        window.first == date.min or window.last == date.max or first in ("since", "until", "till")
    )
    if open_ended or before in ("since", "until", "till", "through"):
        return Moment(start, end, window, _open(written, tokens, start, window, before), False)
    if _LOOSE.search(written):
        return Moment(start, end, window, "", False)
    if before in ("a", "an") and _WEEKDAY.fullmatch(written):  # "never on a Friday"
        return Moment(start, end, window, "", False)
    if before in ("every", "each") or _in_turn(tokens, start):
        return Moment(start, end, window, "", False)
    if before in ("to", "of", "than") and window.first == window.last and not _YEAR.search(written):
        weekday = f"{_DAYS[window.first.weekday()]} " if _WEEKDAY.search(written) else ""
        return Moment(start, end, window, f"{weekday}{_day(window.first)}", True)
    if _modifies(tokens, start, end):
        if before in ("my", "our", "a", "an") and _WEEKDAY.fullmatch(written):  # a habit, not a day
            return Moment(start, end, window, "", False)
        plain = _plain(window, written)
        said = (
            "" if _YEAR.search(written) or not plain else f"{_as_written(tokens, start, end)} ({plain})"
        )
        return Moment(start, end, window, said, True)
    taken = start
    bound = ""
    while taken > 0 and tokens[taken - 1].kind == WORD:
        low = tokens[taken - 1].low
        if low in _BOUND:
            bound = low
            taken -= 1
            break
        if low in _PLACING and not (
            low == "for" and taken == start and (window.last - window.first).days > 31
        ):
            if low == "for":
                bound = "for"
            taken -= 1
            continue
        break
    if taken != start and _YEAR.search(written):
        return Moment(start, end, window, "", True)
    if bound == "" and taken != start and tokens[taken].low == "for":
        bound = "for"
    said = _said(written, window, bound)
    if before in ("around", "about", "roughly", "like", "back") and said.startswith(("in ", "on ")):
        said = said if before == "back" else said[3:]
    if not said:
        return Moment(start, end, window, "", True)
    return Moment(taken, end, window, said, True)


def _as_written(tokens: Sequence[Token], start: int, end: int) -> str:
    return " ".join(token.text for token in tokens[start:end])


def _modifies(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether an expression stands before the noun it belongs to: "yesterday's meeting", "my Friday
    class"."""
    if tokens[end - 1].low.endswith("'s"):
        return True
    if start == 0 or end >= len(tokens) or tokens[end].kind == MARK or tokens[end].kind != WORD:
        return False
    before, after = tokens[start - 1].low, tokens[end].low
    if before not in ("the", "a", "an", "my", "our", "his", "her", "their", "your", "this", "next"):
        return False
    closed = (
        "preposition",
        "subordinator",
        "coordinator",
        "first",
        "third",
        "second",
        "be",
        "have",
        "do",
        "modal",
    )
    return not any(after in words(name) for name in (*closed, "adverb", "determiner", "relative"))


def _in_turn(tokens: Sequence[Token], start: int) -> bool:
    """Whether it is one of several that come again: "every Monday and Thursday"."""
    at = start - 1
    while at > 0 and (tokens[at].low in ("and", "or", ",") or _WEEKDAY.fullmatch(tokens[at].low)):
        at -= 1
    return at < start - 1 and tokens[at].low in ("every", "each")


def _open(written: str, tokens: Sequence[Token], start: int, window: Window, before: str) -> str:
    """ "since May" with its year; "" where the year was said."""
    if _YEAR.search(written):
        return ""
    first = tokens[start].low
    word = first if first in ("since", "until", "till") else ""
    day = window.last if (word or before) in ("until", "till", "through") else window.first
    if day in (date.min, date.max):
        return ""
    if _WEEKDAY.search(written) or re.search(
        r"yesterday|today|tomorrow|tonight|\d(?:st|nd|rd|th)?\b", written, re.I
    ):
        plain = _day(day)
    elif re.search(r"year|ago", written, re.I) and not re.search("month|week|day", written, re.I):
        plain = str(day.year)
    elif re.search(rf"\b(?:{'|'.join(month[:3] for month in _MONTHS)})", written):
        return f"{written} {day.year}"
    else:
        plain = f"{_MONTHS[day.month - 1]} {day.year}"
    return f"{word} {plain}".strip()


def _said(written: str, window: Window, bound: str) -> str:
    """An expression with its preposition; "" where it says its days already."""
    first, last = window.first, window.last
    length = (last - first).days + 1
    if _YEAR.search(written) and length > 1:
        return ""
    prefix = {"": "", "for": "for "}.get(bound, f"{bound} ")
    named = _NAMED.search(written)
    if length == 1:
        weekday = f"{_DAYS[first.weekday()]} " if _WEEKDAY.search(written) else ""
        if named:
            return f"{prefix or 'on '}{named.group()} {first.year}" if not _YEAR.search(written) else ""
        if _YEAR.search(written):
            return f"{prefix or 'on '}{_day(first)}" if re.fullmatch(r"[\d./-]+", written) else ""
        part = _EVENING.search(written)
        if part and not bound:
            name = "night" if part.group().lower() in ("night", "tonight") else part.group().lower()
            if name == "noon":
                return f"at noon on {weekday}{_day(first)}"
            return f"on the {name} of {weekday}{_day(first)}"
        return f"{prefix or 'on '}{weekday}{_day(first)}"
    if length == 2 and first.weekday() == 5:
        return f"{prefix or 'on '}the weekend of {_day(first)}"
    if length == 7 and first.weekday() == 0:
        return f"{prefix or 'in '}the week of {_day(first)}"
    if first.day == 1 and (last + timedelta(days=1)).day == 1 and last != date.max:
        months = (last.year - first.year) * 12 + last.month - first.month + 1
        season = _SEASON.search(written)
        if months == 1:
            return f"{prefix or 'in '}{_MONTHS[first.month - 1]} {first.year}"
        if season and months == 3:
            return f"{prefix or 'in '}{season.group().lower()} {first.year}"
        if months == 12 and first.month == 1:
            return f"{prefix or 'in '}{first.year}"
        if months % 12 == 0 and first.month == 1:
            return f"{written} ({first.year} to {last.year})"
        return f"{prefix or 'in '}{_MONTHS[first.month - 1]} to {_MONTHS[last.month - 1]} {last.year}"
    if bound == "from":
        return f"from {_plain(window, written)}"
    return (
        f"{prefix}between {_plain(window, written)}".replace(" to ", " and ")
        if not bound
        else f"{bound} {_day(last)}"
    )


def _plain(window: Window, written: str) -> str:
    """The days without a preposition."""
    first, last = window.first, window.last
    if first == last:
        return _day(first)
    if first.year != last.year:
        return f"{_day(first)} to {_day(last)}"
    if first.day == 1 and (last + timedelta(days=1)).day == 1:
        if first.month == last.month:
            return f"{_MONTHS[first.month - 1]} {first.year}"
        if (first.month, last.month) == (1, 12):
            return str(first.year)
    if first.month == last.month:
        return f"{first.day} to {_day(last)}"
    return f"{first.day} {_MONTHS[first.month - 1]} to {_day(last)}"


def _day(when: date) -> str:
    return f"{when.day} {_MONTHS[when.month - 1]} {when.year}"
