"""Which English words name a year, a part of one, or a holiday? "in 2023", "Q3 2025", "Easter".

Early, mid and late are four months each of a year; its beginning, middle and end are January-February,
June-July and November-December. A holiday without a year recurs; "last Christmas", "last summer" are
the latest that are fully over. A number is a year only after a word such as "in" or "since".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from memweir.retrieval import periods
from memweir.retrieval.dates_en_calendar import (
    COUNTED,
    NTH,
    PART,
    RIGHT,
    SAID,
    STEPS,
    TAIL,
    YEAR,
    YEAR_RIGHT,
    part,
    rule,
    said_or_yearly,
)
from memweir.retrieval.dates_grammar import Context, LazyPattern, Reading, Yearly
from memweir.retrieval.holidays import holiday
from memweir.retrieval.types import Window

__all__ = ["RULES"]

# A word every form holds, the forms (a pattern), the key in `holidays`.
_HOLIDAYS: Final = (
    ("mas", "(?:christmas|xmas) eve", "christmas eve"),
    ("mas", "(?:christmas|xmas)(?: day)?", "christmas"),
    ("boxing", "boxing day", "boxing day"),
    ("new year", "(?:chinese|lunar) new year'?s eve", "lunar new year's eve"),
    ("new year", "(?:chinese|lunar) new year", "spring festival"),
    ("new year", "new year'?s eve", "new year's eve"),
    ("new year", "new year'?s(?: day)?(?! (?:resolution|wish|greeting))", "new year"),
    ("festival", "spring festival", "spring festival"),
    ("festival", "lantern festival", "lantern festival"),
    ("festival", "dragon boat festival", "dragon boat"),
    ("festival", "mid-autumn festival", "mid-autumn"),
    ("halloween", "halloween", "halloween"),
    ("thanksgiving", "thanksgiving(?: day)?", "thanksgiving"),
    ("friday", "black friday", "black friday"),
    ("friday", "good friday", "good friday"),
    ("valentine", "(?:st\\.? )?(?:valentine's(?: day)?|valentines day)", "valentine"),
    ("easter", "easter monday", "easter monday"),
    ("easter", "easter(?: sunday)?(?! (?:eggs?|bunny|island))", "easter"),
    ("mother", "mother'?s'? day", "mother's day"),
    ("father", "father'?s'? day", "father's day"),
    ("memorial", "memorial day", "memorial day"),
    ("independence", "independence day", "independence day"),
    ("labo", "labou?r day", "labor day"),
    ("april fool", "april fools'?(?: day)?", "april fools"),
    ("patrick", "st\\.? patrick'?s day", "st patrick"),
)

_YEAR_FOLLOWS: Final = LazyPattern(
    r"(?<![a-z])(?:in|during|of|by|throughout|around|circa|year)(?:\s+the\s+year)?\s+$|[在于]\s{0,2}$"
)


def _relative(in_year: Callable[[int], Window], word: str, today: date) -> Window:
    """The last one that is over, this year's or the running one, the next that has not begun."""
    every = Yearly(in_year)
    if STEPS[word] < 0:
        window = every.at_or_before(today)
        return window if window.last < today else every.at_or_before(window.first - timedelta(days=1))
    if STEPS[word] > 0:
        window = every.at_or_after(today)
        return window if window.first > today else every.at_or_after(window.last + timedelta(days=1))
    running = every.at_or_before(today)
    return running if running.last >= today else in_year(today.year)


def _part_of_year(match: re.Match[str], context: Context) -> Reading:
    which, third = part(match)
    split = periods.third_of_year if third else periods.edge_of_year
    return Reading(split(int(match["x"][-4:]), which))


def _bare_year(match: re.Match[str], context: Context) -> Reading:
    weak = not _YEAR_FOLLOWS.search(context.before(match.start()))
    return Reading(periods.year(int(match["x"])), weak=weak)


def _ordinal(match: re.Match[str]) -> int:
    groups = match.groupdict()
    return int(groups["number"]) if "number" in groups else NTH[groups["nth"]]


_QUARTER_FOLLOWS: Final = LazyPattern(r"(?<![a-z])(?:in|during|since|for|until|by)\s+$")


def _quarter(match: re.Match[str], context: Context) -> Reading | None:
    number = _ordinal(match)
    if not (
        match["year"] or match["relative"] or _QUARTER_FOLLOWS.search(context.before(match.start()))
    ):
        return None  # "Q3" alone may be a question's number
    return said_or_yearly(match, context, lambda year: periods.quarter(year, number))


def _half(match: re.Match[str], context: Context) -> Reading:
    number = _ordinal(match)
    return said_or_yearly(match, context, lambda year: periods.half(year, number))


def _season(match: re.Match[str], context: Context) -> Reading:
    name = "autumn" if match["season"] == "fall" else match["season"]
    return said_or_yearly(match, context, lambda year: periods.season(year, name))


def _stepped_season(match: re.Match[str], context: Context) -> Reading:
    name = "autumn" if match["season"] == "fall" else match["season"]
    return Reading(_relative(lambda year: periods.season(year, name), match["step"], context.today))


def _holiday(match: re.Match[str], context: Context) -> Reading:
    name = _HOLIDAYS[next(at for at in range(len(_HOLIDAYS)) if match[f"holiday{at}"])][2]

    def in_year(year: int) -> Window:
        return holiday(name, year)

    if match["before"]:
        return Reading(in_year(int(match["before"])))
    if match["step"]:
        return Reading(_relative(in_year, match["step"], context.today))
    return said_or_yearly(match, context, in_year)


_ANY_HOLIDAY: Final = "|".join(
    f"(?P<holiday{at}>{surface})" for at, (_, surface, _) in enumerate(_HOLIDAYS)
)
_FOUR: Final = r"(?P<nth>first|second|third|fourth|1st|2nd|3rd|4th)"
_SEASON: Final = r"(?P<season>spring|summer|autumn|fall|winter)"
_STEP: Final = r"(?P<step>last|this|next|past|coming)"

RULES: Final = (
    rule(
        "part of year",
        ("early", "mid", "late", "beginning", "start", "end"),
        rf"(?P<x>{PART}{YEAR}){YEAR_RIGHT}{COUNTED}",
        _part_of_year,
    ),
    rule(
        "year",
        ("19", "20"),
        rf"(?<![-/.,:$#€£])(?P<x>19[5-9][0-9]|20[0-4][0-9]){YEAR_RIGHT}{COUNTED}"
        r"(?!\s?[个人块元次米字行条名万千百家位件吨度期届号年])",
        _bare_year,
    ),
    rule("quarter in words", ("quarter",), rf"(?P<x>(?:the )?{_FOUR} quarter{TAIL})", _quarter),
    rule("quarter", ("q",), rf"(?P<x>q(?P<number>[1-4]){RIGHT}{TAIL}?)", _quarter),
    rule(
        "year quarter",
        ("q",),
        rf"(?P<x>(?P<year>{YEAR})[- ]?q(?P<number>[1-4])(?P<relative>)){RIGHT}",
        _quarter,
        r"[0-9][- ]?q",
    ),
    rule("half", ("half",), rf"(?P<x>(?:the )?(?P<nth>first|second) half{TAIL})", _half),
    rule("half in short", ("h1", "h2"), rf"(?P<x>h(?P<number>[12]){TAIL})", _half),
    rule(
        "season",
        ("spring", "summer", "autumn", "fall", "winter"),
        rf"(?P<x>{_SEASON}(?: of)? {SAID})",
        _season,
    ),
    rule(
        "stepped season",
        ("spring", "summer", "autumn", "fall", "winter"),
        rf"(?P<x>{_STEP} {_SEASON}){RIGHT}(?! (?:boot|framework|cleaning|roll))",
        _stepped_season,
    ),
    rule(
        "holiday",
        tuple(sorted({word for word, _, _ in _HOLIDAYS})),
        rf"(?P<x>(?:{_STEP} |(?P<before>{YEAR}) )?(?:{_ANY_HOLIDAY}){RIGHT}{TAIL}?)",
        _holiday,
    ),
)
