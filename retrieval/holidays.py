"""On which days of a year is a holiday?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Final

from memweir.retrieval import periods
from memweir.retrieval.types import Window

__all__ = ["UnknownYear", "holiday"]


class UnknownYear(LookupError):
    """The calendar table does not reach this year: the day is unknown, not impossible."""


# Gregorian (month, day) of 春节 (1st day of the 1st lunar month), 清明, 端午 (5/5), 七夕 (7/7), 中秋
# (8/15) and 重阳 (9/9). Every lunar date was computed with two unrelated implementations, one from a
# table of lunar months, one from new moons and solar terms; they agree in every entry. The tests hold
# each row against the mean new moon and the sun's longitude.
_MOVABLE: Final[Mapping[int, tuple[tuple[int, int], ...]]] = {
    2015: ((2, 19), (4, 5), (6, 20), (8, 20), (9, 27), (10, 21)),
    2016: ((2, 8), (4, 4), (6, 9), (8, 9), (9, 15), (10, 9)),
    2017: ((1, 28), (4, 4), (5, 30), (8, 28), (10, 4), (10, 28)),
    2018: ((2, 16), (4, 5), (6, 18), (8, 17), (9, 24), (10, 17)),
    2019: ((2, 5), (4, 5), (6, 7), (8, 7), (9, 13), (10, 7)),
    2020: ((1, 25), (4, 4), (6, 25), (8, 25), (10, 1), (10, 25)),
    2021: ((2, 12), (4, 4), (6, 14), (8, 14), (9, 21), (10, 14)),
    2022: ((2, 1), (4, 5), (6, 3), (8, 4), (9, 10), (10, 4)),
    2023: ((1, 22), (4, 5), (6, 22), (8, 22), (9, 29), (10, 23)),
    2024: ((2, 10), (4, 4), (6, 10), (8, 10), (9, 17), (10, 11)),
    2025: ((1, 29), (4, 4), (5, 31), (8, 29), (10, 6), (10, 29)),
    2026: ((2, 17), (4, 5), (6, 19), (8, 19), (9, 25), (10, 18)),
    2027: ((2, 6), (4, 5), (6, 9), (8, 8), (9, 15), (10, 8)),
    2028: ((1, 26), (4, 4), (5, 28), (8, 26), (10, 3), (10, 26)),
    2029: ((2, 13), (4, 4), (6, 16), (8, 16), (9, 22), (10, 16)),
    2030: ((2, 3), (4, 5), (6, 5), (8, 5), (9, 12), (10, 5)),
    2031: ((1, 23), (4, 5), (6, 24), (8, 24), (10, 1), (10, 24)),
    2032: ((2, 11), (4, 4), (6, 12), (8, 12), (9, 19), (10, 12)),
    2033: ((1, 31), (4, 4), (6, 1), (8, 1), (9, 8), (10, 1)),
    2034: ((2, 19), (4, 5), (6, 20), (8, 20), (9, 27), (10, 20)),
    2035: ((2, 8), (4, 5), (6, 10), (8, 10), (9, 16), (10, 9)),
}

# The same day of every year. 五一 and 国庆 mean the days off that begin on the day.
_FIXED: Final[Mapping[str, tuple[int, int, int]]] = {  # month, day, number of days
    "new year": (1, 1, 1),
    "valentine": (2, 14, 1),
    "women's day": (3, 8, 1),
    "st patrick": (3, 17, 1),
    "april fools": (4, 1, 1),
    "may day": (5, 1, 5),
    "children's day": (6, 1, 1),
    "independence day": (7, 4, 1),
    "teachers' day": (9, 10, 1),
    "national day": (10, 1, 7),
    "halloween": (10, 31, 1),
    "singles' day": (11, 11, 1),
    "christmas eve": (12, 24, 1),
    "christmas": (12, 25, 1),
    "boxing day": (12, 26, 1),
    "new year's eve": (12, 31, 1),
}


def holiday(name: str, year: int) -> Window:
    """The days of a holiday in a Gregorian year.

    One day each, but 春节 ("spring festival") and 国庆 ("national day") are the seven and 五一 ("may
    day") the five days off that begin on the day itself. 除夕 ("lunar new year's eve") is the one whose
    date falls in `year`.

    Args:
        name: a key of this module's tables.
        year: Gregorian.
    Raises:
        UnknownYear: a holiday of the lunar calendar outside 2015 to 2035.
        ValueError: the year is outside 1 to 9999.
    """
    if name in _FIXED:
        month, day, days = _FIXED[name]
        first = date(year, month, day)
        return Window(first, first + timedelta(days=days - 1))
    return _COMPUTED[name](year)


def _movable(column: int, offset: int = 0, days: int = 1) -> Callable[[int], Window]:
    def find(year: int) -> Window:
        if year not in _MOVABLE:
            raise UnknownYear(f"the lunar calendar of {year} is not in the table")
        first = date(year, *_MOVABLE[year][column]) + timedelta(days=offset)
        return Window(first, first + timedelta(days=days - 1))

    return find


def _nth_weekday(month: int, weekday: int, nth: int, offset: int = 0) -> Callable[[int], Window]:
    def find(year: int) -> Window:
        return periods.day(periods.nth_weekday(year, month, weekday, nth) + timedelta(days=offset))

    return find


def _easter(offset: int) -> Callable[[int], Window]:
    """Easter Sunday, Gregorian; the anonymous algorithm of Meeus, Jones and Butcher (Nature, 1876)."""

    def find(year: int) -> Window:
        a, b, c = year % 19, year // 100, year % 100
        d, e = divmod(b, 4)
        g = (8 * b + 13) // 25
        h = (19 * a + b - d - g + 15) % 30
        i, k = divmod(c, 4)
        m = (32 + 2 * e + 2 * i - h - k) % 7
        n = (a + 11 * h + 22 * m) // 451
        month, day = divmod(h + m - 7 * n + 114, 31)
        return periods.day(date(year, month, day + 1) + timedelta(days=offset))

    return find


_COMPUTED: Final[Mapping[str, Callable[[int], Window]]] = {
    "spring festival": _movable(0, days=7),
    **{f"lunar new year {n}": _movable(0, n - 1) for n in range(1, 8)},  # 大年初一 to 初七
    "lunar new year's eve": _movable(0, -1),
    "lantern festival": _movable(0, 14),
    "qingming": _movable(1),
    "dragon boat": _movable(2),
    "qixi": _movable(3),
    "mid-autumn": _movable(4),
    "double ninth": _movable(5),
    "good friday": _easter(-2),
    "easter": _easter(0),
    "easter monday": _easter(1),
    "mother's day": _nth_weekday(5, 6, 2),
    "father's day": _nth_weekday(6, 6, 3),
    "memorial day": _nth_weekday(5, 0, -1),
    "labor day": _nth_weekday(9, 0, 1),
    "thanksgiving": _nth_weekday(11, 3, 4),
    "black friday": _nth_weekday(11, 3, 4, 1),
}
