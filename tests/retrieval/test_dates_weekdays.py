"""Weeks, weekends, weekdays and month ends, asked on each of the seven days of a week."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest

from memweir.retrieval.dates import find_dates
from memweir.retrieval.types import Window

MONDAY = date(2025, 10, 13)  # the week is 13 to 19 October 2025
WEEK = [MONDAY + timedelta(days=n) for n in range(7)]


def asked_on(day: date, text: str) -> Window:
    (span,) = find_dates(text, datetime(day.year, day.month, day.day, 9, tzinfo=UTC))
    assert span.window is not None
    return span.window


def october(first: int, last: int | None = None) -> Window:
    return Window(date(2025, 10, first), date(2025, 10, first if last is None else last))


@pytest.mark.parametrize("day", WEEK, ids=[f"{day:%a}" for day in WEEK])
@pytest.mark.parametrize(
    ("text", "window"),
    [
        ("last week", october(6, 12)),
        ("this week", october(13, 19)),
        ("next week", october(20, 26)),
        ("last weekend", october(11, 12)),
        ("this weekend", october(18, 19)),
        ("next weekend", october(25, 26)),
        ("next Friday", october(24)),
        ("this Friday", october(17)),
        ("上周", october(6, 12)),
        ("上上周", Window(date(2025, 9, 29), date(2025, 10, 5))),
        ("本周", october(13, 19)),
        ("下周", october(20, 26)),
        ("上周末", october(11, 12)),
        ("上上周末", october(4, 5)),
        ("本周末", october(18, 19)),
        ("下周末", october(25, 26)),
        ("上周五", october(10)),
        ("上周日", october(12)),
        ("下周一", october(20)),
        ("月初", october(1, 10)),
        ("月中", october(11, 20)),
        ("月底", october(21, 31)),
        ("上月底", Window(date(2025, 9, 21), date(2025, 9, 30))),
        ("end of the month", october(21, 31)),
    ],
)
def test_the_answer_is_the_same_on_every_day_of_the_week(day: date, text: str, window: Window) -> None:
    assert asked_on(day, text) == window


@pytest.mark.parametrize(
    ("text", "days"),
    [  # day of October 2025 meant, asked on Monday 13 … Sunday 19
        ("last Friday", [10, 10, 10, 10, 10, 17, 17]),
        ("on Friday", [10, 10, 10, 10, 17, 17, 17]),
        ("周五", [10, 10, 10, 10, 17, 17, 17]),
        ("last Monday", [6, 13, 13, 13, 13, 13, 13]),
        ("星期一", [13, 13, 13, 13, 13, 13, 13]),
        ("this coming Friday", [17, 17, 17, 17, 24, 24, 24]),
        ("we will meet on Friday", [17, 17, 17, 17, 17, 24, 24]),
        ("打算周五去", [17, 17, 17, 17, 17, 24, 24]),
        ("yesterday", [12, 13, 14, 15, 16, 17, 18]),
        ("前天", [11, 12, 13, 14, 15, 16, 17]),
    ],
)
def test_a_weekday_moves_with_the_day_it_is_asked_on(text: str, days: list[int]) -> None:
    assert [asked_on(day, text) for day in WEEK] == [october(day) for day in days]


def test_the_weekend_is_the_last_one_until_saturday_comes() -> None:
    windows = [asked_on(day, "what did I do over the weekend") for day in WEEK]
    assert windows == [october(11, 12)] * 5 + [october(18, 19)] * 2


@pytest.mark.parametrize("day", WEEK, ids=[f"{day:%a}" for day in WEEK])
def test_neighbouring_weeks_touch_and_never_overlap(day: date) -> None:
    windows = [asked_on(day, text) for text in ("上上周", "上周", "本周", "下周", "下下周")]
    for before, after in pairwise(windows):
        assert after.first - before.last == timedelta(days=1)


def test_the_parts_of_a_month_hold_every_day_once() -> None:
    for month in range(1, 13):
        parts = [
            asked_on(date(2024, 12, 31), f"2024年{month}月{part}") for part in ("初", "中旬", "底")
        ]
        whole = asked_on(date(2024, 12, 31), f"2024年{month}月")
        assert (parts[0].first, parts[2].last) == (whole.first, whole.last)
        assert parts[1].first - parts[0].last == timedelta(days=1)
        assert parts[2].first - parts[1].last == timedelta(days=1)
