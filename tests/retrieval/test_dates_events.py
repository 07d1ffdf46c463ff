"""The one window a statement speaks about."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from memweir.retrieval.dates import event_window
from memweir.retrieval.types import Window

NOW = datetime(2025, 10, 15, 12, tzinfo=UTC)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("昨天我去了医院", date(2025, 10, 14), date(2025, 10, 14)),
        ("I went to the dentist yesterday", date(2025, 10, 14), date(2025, 10, 14)),
        ("昨天很累，昨天我去了医院", date(2025, 10, 14), date(2025, 10, 14)),  # the same day twice
        ("Last week, on Tuesday, I ran", date(2025, 10, 7), date(2025, 10, 7)),  # of that week
        ("去年我很忙，去年五月搬家了", date(2024, 5, 1), date(2024, 5, 31)),  # the narrowest of nested
        ("since 2020 I live in Berlin", date(2020, 1, 1), date(2025, 10, 15)),
        ("我们最新的方案是昨天定的", date(2025, 10, 14), date(2025, 10, 14)),  # an order has no days
    ],
)
def test_the_window_is_the_one_spoken_of(text: str, first: date, last: date) -> None:
    assert event_window(text, NOW) == Window(first, last)


@pytest.mark.parametrize(
    "text",
    [
        "我喜欢喝茶",
        "The latest version is fine",
        "Yesterday I flew to Rome and tomorrow I fly back",
        "2023年我在北京，2024年我在上海",
        "every Friday we have a meeting",
    ],
)
def test_no_date_or_unrelated_dates_give_no_window(text: str) -> None:
    assert event_window(text, NOW) is None
