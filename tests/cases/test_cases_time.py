"""Does a date question find its days, in every zone and language? Section G of the cases: time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from memweir import Config, Draft, Memory
from memweir.config import RetrievalConfig
from memweir.testing import SCOPE, draft

Tell = Callable[..., list[str]]
Open = Callable[..., Memory]
Only = Callable[..., Config]

_LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


def _event(text: str, start: datetime) -> Draft:
    """An event of a quarter of an hour that was told years before, so that its telling is no hit."""
    return draft(text, created_at=_LONG_AGO, event_start=start, event_end=start + timedelta(minutes=15))


# 61: the caller's calendar day


@pytest.mark.parametrize(
    ("zone", "today"),
    [
        ("UTC", date(2026, 3, 18)),
        ("Asia/Shanghai", date(2026, 3, 18)),
        ("Pacific/Midway", date(2026, 3, 18)),  # 11 hours behind
        ("Pacific/Kiritimati", date(2026, 3, 18)),  # 14 hours ahead
        ("Asia/Kathmandu", date(2026, 3, 18)),  # 5:45 ahead
        ("America/New_York", date(2026, 3, 9)),  # yesterday had 23 hours
        ("America/New_York", date(2026, 11, 2)),  # yesterday had 25 hours
        ("Europe/Berlin", date(2026, 3, 30)),
        ("Australia/Lord_Howe", date(2026, 4, 6)),  # yesterday had half an hour more
        ("America/Sao_Paulo", date(2018, 11, 5)),  # yesterday began at 01:00
    ],
)
@pytest.mark.parametrize("hour", [0, 9, 23])
@pytest.mark.parametrize("query", ["昨天做了什么", "what did I do yesterday?"])
def test_case_61_yesterday_is_the_callers_calendar_day(
    open_memory: Open, tell: Tell, only: Only, zone: str, today: date, hour: int, query: str
) -> None:
    memory = open_memory(config=only("timeline"))
    here = ZoneInfo(zone)

    def local(day: date, at: time) -> datetime:
        return datetime.combine(day, at, here)

    yesterday, before = today - timedelta(days=1), today - timedelta(days=2)
    _, early, late, _ = tell(
        memory,
        _event("late the day before", local(before, time(23, 30))),
        _event("early yesterday", local(yesterday, time(1, 15))),
        _event("late yesterday", local(yesterday, time(23, 30))),
        _event("early today", local(today, time(0, 15))),
    )
    now = local(today, time(hour, 30))
    asked = memory.recall(query, scope=SCOPE, now=now)
    assert {item.id for item in asked.candidates} == {early, late}
    assert {item.created for item in asked.candidates} == {yesterday.isoformat()}
    assert {item.id for item in asked.items} == {early, late}
    # The same moment said in UTC is another caller's day unless the offset is the same.
    in_utc = memory.recall(query, scope=SCOPE, now=now.astimezone(UTC))
    same_day = now.astimezone(UTC).date() == today and now.utcoffset() == timedelta(0)
    assert ({item.id for item in in_utc.candidates} == {early, late}) is same_day


@pytest.mark.parametrize("zone", ["Asia/Shanghai", "Pacific/Midway"])
def test_case_61_configured_zone_says_what_a_bare_clock_means(
    open_memory: Open, tell: Tell, zone: str
) -> None:
    here = ZoneInfo(zone)
    now = datetime(2026, 3, 18, 9, 30)
    timeline = RetrievalConfig(semantic=False, keyword=False, graph=False)
    memory = open_memory(config=Config(timezone=zone, retrieval=timeline), clock=lambda: now)
    late, _ = tell(
        memory,
        _event("late yesterday", datetime(2026, 3, 17, 23, 30, tzinfo=here)),
        _event("early today", datetime(2026, 3, 18, 0, 15, tzinfo=here)),
    )
    for moment in (None, now):
        recall = memory.recall("昨天做了什么", scope=SCOPE, now=moment)
        assert [item.id for item in recall.candidates] == [late]


# 62, 64: exact windows over a diary with one entry a day

_FIRST, _LAST = date(2024, 9, 25), date(2025, 11, 5)


@pytest.fixture(scope="module")
def diary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    days = [_FIRST + timedelta(days=n) for n in range((_LAST - _FIRST).days + 1)]
    drafts = [_event("an entry", datetime.combine(day, time(10), UTC)) for day in days]
    timeline = RetrievalConfig(semantic=False, keyword=False, graph=False, limit=1000)
    path = tmp_path_factory.mktemp("diary") / "memory.db"
    with Memory.open(path, config=Config(retrieval=timeline)) as memory:
        stored: list[Any] = memory.remember_many(drafts, now=datetime(2026, 1, 1, tzinfo=UTC))
        assert {each.outcome for each in stored} == {"created"}
        yield memory


def _days(diary: Memory, query: str, today: date) -> list[str]:
    now = datetime.combine(today, time(12), UTC)
    recall = diary.recall(query, scope=SCOPE, now=now, record=False)
    return sorted(item.created for item in recall.candidates)


def _span(first: str, last: str) -> list[str]:
    start, end = date.fromisoformat(first), date.fromisoformat(last)
    return [(start + timedelta(days=n)).isoformat() for n in range((end - start).days + 1)]


# The week of Monday 13 to Sunday 19 October 2025.
_WEEK = [date(2025, 10, 13) + timedelta(days=n) for n in range(7)]


@pytest.mark.parametrize("today", _WEEK, ids=[f"{day:%a}" for day in _WEEK])
@pytest.mark.parametrize(
    ("query", "first", "last"),
    [
        ("what happened last week?", "2025-10-06", "2025-10-12"),
        ("where did we go last weekend?", "2025-10-11", "2025-10-12"),
        ("上周做了什么", "2025-10-06", "2025-10-12"),
        ("上周末去了哪里", "2025-10-11", "2025-10-12"),
        ("上上周的安排", "2025-09-29", "2025-10-05"),
        ("上周五定了什么", "2025-10-10", "2025-10-10"),
        ("月底要交什么", "2025-10-21", "2025-10-31"),
        ("上月底交了什么", "2025-09-21", "2025-09-30"),
    ],
)
def test_case_62_window_is_the_same_on_every_weekday(
    diary: Memory, today: date, query: str, first: str, last: str
) -> None:
    assert _days(diary, query, today) == _span(first, last)


def test_case_62_windows_of_following_weeks_neither_overlap_nor_leave_a_day_out(diary: Memory) -> None:
    sunday = date(2025, 10, 19)
    weeks = [_days(diary, query, sunday) for query in ("上上周", "上周", "本周", "下周")]
    assert [day for week in weeks for day in week] == _span("2025-09-29", "2025-10-26")


@pytest.mark.parametrize(
    ("query", "first", "last"),
    [
        ("三天前定的", "2025-10-12", "2025-10-12"),
        ("两天前说的", "2025-10-13", "2025-10-13"),
        ("前两天说的", "2025-10-13", "2025-10-14"),
        ("前天说的", "2025-10-13", "2025-10-13"),
        ("大前天说的", "2025-10-12", "2025-10-12"),
        ("过去三天", "2025-10-12", "2025-10-15"),
        ("去年国庆去了哪里", "2024-10-01", "2024-10-07"),
        ("今年国庆去了哪里", "2025-10-01", "2025-10-07"),
        ("three days ago", "2025-10-12", "2025-10-12"),
        ("yesterday", "2025-10-14", "2025-10-14"),
        ("a week ago", "2025-10-06", "2025-10-12"),
        ("recently", "2025-10-01", "2025-10-15"),
        ("最近两周做了什么", "2025-10-01", "2025-10-15"),
        ("in September 2025", "2025-09-01", "2025-09-30"),
        ("上个月", "2025-09-01", "2025-09-30"),
        ("2025年9月3日", "2025-09-03", "2025-09-03"),
    ],
)
def test_case_64_relative_and_absolute_days_in_both_languages(
    diary: Memory, query: str, first: str, last: str
) -> None:
    assert _days(diary, query, date(2025, 10, 15)) == _span(first, last)


@pytest.mark.parametrize(
    "query", ["最近定了什么", "what is the latest decision?", "what did we decide recently?"]
)
def test_case_64_the_latest_is_what_was_told_last(
    open_memory: Open, tell: Tell, only: Only, query: str
) -> None:
    memory = open_memory(config=only("timeline"))
    ids = tell(memory, *(draft(f"decision {age}", age_days=age) for age in (40, 4, 400)))
    recall = memory.recall(query, scope=SCOPE)
    assert recall.candidates[0].id == ids[1]


# 63: ordinary words are no dates

ORDINARY = (
    "what did we do about the car",
    "I may need a car",
    "may I ask who sat there",
    "where is the second march",
    "日志在哪",
    "月饼偏好",
    "日本的供应商是谁",
    "节日常数是多少",
    "岁月是一首歌",
    "port 8080 and Python 3.11",
    "版本 3.10 的端口 2025",
)


@pytest.mark.parametrize("query", ORDINARY)
def test_case_63_ordinary_word_is_no_time_filter(diary: Memory, query: str) -> None:
    recall = diary.recall(query, scope=SCOPE, now=datetime(2025, 10, 15, 12, tzinfo=UTC), record=False)
    assert recall.rankings is not None
    assert recall.rankings["timeline"].note == "the query names no time"
    assert recall.candidates == ()


@pytest.mark.parametrize(
    ("query", "day"),
    [
        ("what did we decide on 2025-09-10", "2025-09-10"),
        ("what may we do about the car of 2025-09-10?", "2025-09-10"),
        ("2025年9月10日的日志在哪", "2025-09-10"),
        ("9月10号的月饼是谁买的", "2025-09-10"),
        ("the March release notes of September 10, 2025", "2025-09-10"),
    ],
)
def test_case_63_true_date_is_the_only_one(diary: Memory, query: str, day: str) -> None:
    assert day in _days(diary, query, date(2025, 10, 15))
    if "March" not in query:
        assert _days(diary, query, date(2025, 10, 15)) == [day]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("日志写在标准输出", "日志在哪"),
        ("喜欢五仁月饼，不要蛋黄", "月饼偏好"),
        ("The rental car is grey", "I may need a car"),
    ],
)
def test_case_63_the_word_itself_is_still_found(
    memory: Memory, tell: Tell, text: str, query: str
) -> None:
    wanted, *_ = tell(memory, text, "The kitchen is painted blue", "厨房刷成了蓝色")
    assert [item.id for item in memory.recall(query, scope=SCOPE).items] == [wanted]
