"""Which dates are written in digits alone? 2026-10-14, 2026/10/14, 2026.10.14, 2026-10, 14/10/2026."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from memweir.retrieval import periods
from memweir.retrieval.dates_grammar import Context, LazyPattern, Reading, Rule

__all__ = ["RULES"]

_YEAR: Final = r"(?P<year>(?:1[5-9]|20|21)[0-9]{2})"
# Not inside a longer number, version, address, path or identifier.
_LEFT: Final = r"(?<![0-9a-z_./\\-])"
_RIGHT: Final = r"(?:(?=t[0-9]{2}:)|(?![0-9a-z_]|[-/.][0-9a-z]))"
# 2024.05.06-2024.05.08: the hyphen stands between two dates that have none in them.
_LEFT_OF_RANGE: Final = r"(?:(?<![0-9a-z_./\\-])|(?<=[./][0-9]-)|(?<=[./][0-9]{2}-))"
_RIGHT_OF_RANGE: Final = rf"(?:{_RIGHT}|(?=-(?:1[5-9]|20|21)[0-9]{{2}}[./]))"

# "2024.1.3" and "2026.10.14" are versions too: not after a word for one, and in short form only after a
# Chinese character, a preposition, or at the start.
_VERSIONED: Final = LazyPattern(r"(?:\bv|version|release|build|版本?|版本号)[\s:：]{0,3}$")
_DATED: Final = LazyPattern(
    r"(?:^|[\u4e00-\u9fff（(，,。:：]|\b(?:on|since|from|to|until|before|after|by)|[0-9]-)\s{0,2}$"
)


def _year_month_day(match: re.Match[str], context: Context) -> Reading | None:
    if match["separator"] == ".":
        before = context.before(match.start())
        short = len(match["month"]) < 2 or len(match["day"]) < 2
        if _VERSIONED.search(before) or (short and not _DATED.search(before)):
            return None
    return Reading(periods.day(date(int(match["year"]), int(match["month"]), int(match["day"]))))


def _year_month(match: re.Match[str], context: Context) -> Reading | None:
    if context.text[match.end("year")] in "\u2013\u2014":
        return None  # 2008–09 is two years
    return Reading(periods.month(int(match["year"]), int(match["month"])))


def _day_month_year(match: re.Match[str], context: Context) -> Reading | None:
    """Either order of day and month; a date only where the two orders cannot be confused."""
    first, second = int(match["first"]), int(match["second"])
    if first <= 12 and second <= 12 and first != second:
        return None
    day, month = (first, second) if first > 12 else (second, first)
    return Reading(periods.day(date(int(match["year"]), month, day)))


RULES: Final = (
    Rule(
        "year-month-day",
        ("-", "/", "."),
        LazyPattern(
            rf"{_LEFT_OF_RANGE}{_YEAR}(?P<separator>[-/.])(?P<month>[0-9]{{1,2}})(?P=separator)"
            rf"(?P<day>[0-9]{{1,2}}){_RIGHT_OF_RANGE}"
        ),
        _year_month_day,
    ),
    Rule(
        "year-month",
        ("-", "/"),
        LazyPattern(
            rf"{_LEFT}{_YEAR}[-/](?P<month>0[1-9]|1[0-2]){_RIGHT}(?!\s?(?:赛季|学年|年|season))"
        ),
        _year_month,
    ),
    Rule(
        "day-month-year",
        ("-", "/", "."),
        LazyPattern(
            rf"{_LEFT}(?P<first>[0-9]{{1,2}})(?P<separator>[-/.])(?P<second>[0-9]{{1,2}})(?P=separator)"
            rf"(?P<year>(?:19|20)[0-9]{{2}}){_RIGHT}"
        ),
        _day_month_year,
    ),
)
