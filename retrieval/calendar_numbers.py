"""Does this number count days, or is it a name for something? Dates are no exact symbols.

A light look at what stands beside a number; the full grammar of date expressions is elsewhere. Here it
is enough that "May 12", "in 2019", "12日" and "20 days ago" do not pin memories that hold a 12 or a 20.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["calendar_date", "chinese_date", "is_calendar_number"]

_MONTH: Final = (
    "(?:january|february|march|april|may|june|july|august|september|october|november|december"
    "|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
)
_BEFORE: Final = re.compile(
    rf"(?<![a-z]){_MONTH}\.?,? (?:[0-9]{{1,2}}(?:st|nd|rd|th)?,? )?$|[0-9] ?[年月] ?$", re.IGNORECASE
)
_UNIT: Final = re.compile(
    " ?(?:(?P<year>年(?![级龄]))|(?P<month>月(?!饼))"
    "|(?P<day>日(?![志常程元本语记])|号(?![楼线机门厂馆房店院桌码]))"
    "|(?P<hour>[点點](?![击赞餐评数])|时(?![间区长候延])))"
)
_MOST: Final = {"year": 9999, "month": 12, "day": 31, "hour": 24}
_AFTER: Final = re.compile(
    rf" ?(?:[天周]前|(?:of )?{_MONTH}(?![a-z])"
    r"|(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?) (?:ago|later|from now)(?![a-z])"
    r"|[ap]\.?m(?![a-z])|o'clock)",
    re.IGNORECASE,
)
_YEAR: Final = re.compile("(?:19|20)[0-9]{2}")
_BEFORE_YEAR: Final = re.compile(
    r"(?<![a-z])(?:in|since|until|till|by|before|after|from|during|around|year|of|early|late|mid"
    r"|spring|summer|autumn|fall|winter)[ -]$",
    re.IGNORECASE,
)
_REACH: Final = 24  # characters looked at before a number
_CHINESE: Final = re.compile("年([0-9]{1,2})月([0-9]{1,2})[日号]")
_FIGURES: Final = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})")


def is_calendar_number(text: str, start: int, end: int) -> bool:
    """Whether the digits at [start, end) of a cleaned text belong to a date or a time of day."""
    if end - start > 4:
        return False
    unit = _UNIT.match(text, end)
    if unit and unit.lastgroup and int(text[start:end]) <= _MOST[unit.lastgroup]:
        return True
    if _AFTER.match(text, end):
        return True
    before = text[max(0, start - _REACH) : start]
    if _BEFORE.search(before):
        return True
    return bool(_YEAR.fullmatch(text, start, end) and _BEFORE_YEAR.search(before))


def calendar_date(figures: str) -> list[str]:
    """`2026/6/1` or `2026-06-01T08:00Z` as terms: the day in ISO form, year, month and day."""
    match = _FIGURES.match(figures)
    return _terms(*match.groups()) if match else []


def chinese_date(year: str, text: str, end: int) -> list[str]:
    """The day in ISO form where `年6月1日` follows a year that ends at `end`; else nothing."""
    match = _CHINESE.match(text, end)
    return _terms(year, *match.groups())[:1] if match and len(year) == 4 else []


def _terms(year: str, month: str, day: str) -> list[str]:
    return [f"{year}-{month:0>2}-{day:0>2}", year, month.lstrip("0") or "0", day.lstrip("0") or "0"]
