"""Which days does a calendar period hold? Weeks (from Monday), months, quarters, years, their parts.

Every function here is plain calendar arithmetic on `date`. Where a day would fall outside the years 1
to 9999, or does not exist, they raise `ValueError` or `OverflowError`, as `datetime` itself does.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from memweir.retrieval.types import Window

__all__ = [
    "day",
    "edge_of_year",
    "half",
    "last_days_of_month",
    "month",
    "nth_weekday",
    "part_of_month",
    "part_of_week",
    "quarter",
    "season",
    "shift",
    "shift_months",
    "third_of_year",
    "unit",
    "week",
    "week_of_month",
    "weekday_after",
    "weekday_before",
    "weekend",
    "year",
]

# First month of each season, northern hemisphere, meteorological. Winter ends in the following year.
_SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}

# Days 1-10, 11-20, 21-end: the Chinese 上旬, 中旬, 下旬. Together they hold every day once.
_MONTH_PARTS: Final = {"start": (1, 10), "middle": (11, 20)}
_YEAR_EDGES: Final = {"start": (1, 2), "middle": (6, 7), "end": (11, 12)}
_YEAR_THIRDS: Final = {"start": (1, 4), "middle": (5, 8), "end": (9, 12)}
_WEEK_PARTS: Final = {"start": (0, 1), "middle": (2, 3), "end": (4, 6)}  # days after Monday


def day(when: date) -> Window:
    """One day."""
    return Window(when, when)


def week(when: date, offset: int = 0) -> Window:
    """Monday to Sunday of the week that holds `when`, `offset` weeks on."""
    monday = when + timedelta(days=7 * offset - when.weekday())
    return Window(monday, monday + timedelta(days=6))


def weekend(when: date, offset: int = 0) -> Window:
    """Saturday and Sunday of the week that holds `when`, `offset` weeks on.

    With `offset=-1` this is the latest weekend that has fully ended before `when`, on every weekday:
    asked on a Sunday it is the one before.
    """
    sunday = week(when, offset).last
    return Window(sunday - timedelta(days=1), sunday)


def weekday_before(when: date, weekday: int) -> date:
    """The latest day strictly before `when` that is a `weekday` (Monday is 0)."""
    return when - timedelta(days=(when.weekday() - weekday - 1) % 7 + 1)


def weekday_after(when: date, weekday: int) -> date:
    """The first day strictly after `when` that is a `weekday` (Monday is 0)."""
    return when + timedelta(days=(weekday - when.weekday() - 1) % 7 + 1)


def month(in_year: int, number: int) -> Window:
    """The month `number` (1 to 12) of a year."""
    first = date(in_year, number, 1)
    return Window(first, date(in_year, number, _month_length(in_year, number)))


def year(number: int) -> Window:
    """1 January to 31 December."""
    return Window(date(number, 1, 1), date(number, 12, 31))


def quarter(in_year: int, number: int) -> Window:
    """Quarter 1 to 4 of a year."""
    if not 1 <= number <= 4:
        raise ValueError("a year has four quarters")
    return _months(in_year, 3 * number - 2, 3 * number)


def half(in_year: int, number: int) -> Window:
    """Half 1 or 2 of a year."""
    return _months(in_year, 6 * number - 5, 6 * number)


def season(in_year: int, name: str) -> Window:
    """Three months, northern hemisphere; the winter of a year runs to February of the next."""
    first = date(in_year, _SEASONS[name], 1)
    return Window(first, shift_months(first, 3) - timedelta(days=1))


def part_of_month(in_year: int, number: int, part: str) -> Window:
    """The "start", "middle" or "end" of a month: days 1-10, 11-20, 21 to the last."""
    whole = month(in_year, number)
    first, last = _MONTH_PARTS.get(part, (21, whole.last.day))
    return Window(whole.first.replace(day=first), whole.first.replace(day=last))


def third_of_year(in_year: int, part: str) -> Window:
    """The "start", "middle" or "end" of a year in the sense of early, mid, late: four months each."""
    return _months(in_year, *_YEAR_THIRDS[part])


def edge_of_year(in_year: int, part: str) -> Window:
    """The "start", "middle" or "end" of a year in the sense of 年初, 年中, 年底: January-February,
    June-July, November-December."""
    return _months(in_year, *_YEAR_EDGES[part])


def part_of_week(whole: Window, part: str) -> Window:
    """The "start", "middle" or "end" of a week: Monday-Tuesday, Wednesday-Thursday, Friday-Sunday."""
    first, last = _WEEK_PARTS[part]
    return Window(whole.first + timedelta(days=first), whole.first + timedelta(days=last))


def week_of_month(in_year: int, number: int, nth: int) -> Window:
    """The `nth` seven days of a month: 1-7, 8-14, 15-21, 22-28, 29 to the last."""
    whole = month(in_year, number)
    first = whole.first.replace(day=7 * nth - 6)
    return Window(first, min(first + timedelta(days=6), whole.last))


def last_days_of_month(in_year: int, number: int, days: int) -> Window:
    """The last `days` days of a month."""
    whole = month(in_year, number)
    return Window(whole.last - timedelta(days=days - 1), whole.last)


def nth_weekday(in_year: int, number: int, weekday: int, nth: int) -> date:
    """The `nth` (1 to 5; -1 the last) `weekday` of a month; Monday is 0.

    Raises:
        ValueError: the month has no fifth one.
    """
    whole = month(in_year, number)
    if nth < 0:
        return weekday_before(whole.last + timedelta(days=1), weekday)
    first = whole.first + timedelta(days=(weekday - whole.first.weekday()) % 7)
    found = first + timedelta(days=7 * (nth - 1))
    if found > whole.last:
        raise ValueError("the month has no such weekday")
    return found


def shift_months(when: date, months: int) -> date:
    """The same day `months` months on, or the last day of that month where it is shorter."""
    index = when.year * 12 + when.month - 1 + months
    in_year, number = index // 12, index % 12 + 1
    return date(in_year, number, min(when.day, _month_length(in_year, number)))


def shift(when: date, count: int, kind: str) -> date:
    """`when` moved by `count` of a unit: "day", "week", "fortnight", "month", "quarter" or "year"."""
    if kind == "day":
        return when + timedelta(days=count)
    if kind == "week":
        return when + timedelta(weeks=count)
    if kind == "fortnight":
        return when + timedelta(weeks=2 * count)
    return shift_months(when, count * {"month": 1, "quarter": 3, "year": 12}[kind])


def unit(when: date, kind: str) -> Window:
    """The calendar unit that holds `when`: its day, week, month, quarter or year."""
    if kind == "day":
        return day(when)
    if kind in ("week", "fortnight"):
        return week(when)
    if kind == "month":
        return month(when.year, when.month)
    if kind == "quarter":
        return quarter(when.year, (when.month + 2) // 3)
    return year(when.year)


def _months(in_year: int, first: int, last: int) -> Window:
    return Window(month(in_year, first).first, month(in_year, last).last)


def _month_length(in_year: int, number: int) -> int:
    first = date(in_year, number, 1)  # raises for a month that does not exist
    if number == 12:
        return 31  # the day after 9999-12-31 does not exist
    return (first.replace(month=number + 1) - first).days
