"""Which days does a new memory speak about?"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from memweir import Draft, Memory, Scope
from memweir.dating import with_event

SCOPE = Scope.project("p")
NOW = datetime(2026, 3, 6, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))  # a Friday


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("Yesterday I had lunch with Inês at the harbour.", "2026-03-05", "2026-03-06"),
        ("The audit takes place on 25 March 2026.", "2026-03-25", "2026-03-26"),
        ("昨天和王伟去爬了香山", "2026-03-05", "2026-03-06"),
        ("上周末搬了家", "2026-02-28", "2026-03-02"),
        ("We are flying to Lisbon on 12 June.", "2026-06-12", "2026-06-13"),
        ("We flew to Lisbon on 12 June.", "2025-06-12", "2025-06-13"),
        ("周六我们去爬山。", "2026-03-07", "2026-03-08"),
        ("周六我们去爬了山。", "2026-02-28", "2026-03-01"),
    ],
)
def test_one_date_expression_gives_the_event_window(text: str, start: str, end: str) -> None:
    dated = with_event(Draft(text, SCOPE), NOW)
    zone = ZoneInfo("Asia/Shanghai")
    assert dated.event_start == datetime.fromisoformat(start).replace(tzinfo=zone)
    assert dated.event_end == datetime.fromisoformat(end).replace(tzinfo=zone)


@pytest.mark.parametrize(
    "text",
    [
        "We have used pnpm since 2019.",  # open
        "In 2023 the office moved.",  # a year meets every question about it
        "Python 3.11 runs on port 8080.",
        "Between 1 March 2026 and 5 May 2026 nothing ships.",  # longer than a month
        "Yesterday was calm, 12 January 2020 was not.",  # two unrelated days
        "x" * 3000 + " yesterday",
    ],
)
def test_no_window_where_the_text_does_not_name_one(text: str) -> None:
    assert with_event(Draft(text, SCOPE), NOW).event_start is None


def test_a_window_given_by_the_caller_stays() -> None:
    given = datetime(2020, 1, 1, tzinfo=UTC), datetime(2020, 1, 2, tzinfo=UTC)
    draft = Draft("Yesterday I ran.", SCOPE, event_start=given[0], event_end=given[1])
    assert with_event(draft, NOW) == draft


def test_what_happened_yesterday_is_found_on_its_day_and_not_on_the_day_it_was_told(
    tmp_path: Path,
) -> None:
    with Memory.open(tmp_path / "m.db") as memory:
        told = memory.remember("Yesterday I had lunch with Inês.", scope=SCOPE, now=NOW)
        memory.remember("The build server is called kestrel.", scope=SCOPE, now=NOW)
        later = NOW.replace(day=9)
        for question in ("what did I do on March 5th?", "三月五号做了什么？"):
            recall = memory.recall(question, scope=SCOPE, now=later)
            assert [item.id for item in recall.items] == [told.id]


def test_days_to_come_are_found_without_their_year(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db") as memory:
        audit = memory.remember("The audit takes place on 25 March 2026.", scope=SCOPE, now=NOW)
        for question in (
            "anything planned for March 25?",
            "3月25号有什么安排？",
            "what happens on 25 March?",
        ):
            recall = memory.recall(question, scope=SCOPE, now=NOW)
            assert [item.id for item in recall.items] == [audit.id], question


def test_a_time_word_brings_up_nothing_about_something_else(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db") as memory:
        for text in ("The API listens on 8443.", "后端用 Go 写。", "Retries are limited to four."):
            memory.remember(text, scope=SCOPE, now=NOW)
        for question in (
            "what is the weather today?",
            "今天天气怎么样？",
            "fix the login bug before Monday",
            "最近很累",
        ):
            assert memory.recall(question, scope=SCOPE, now=NOW).block == "", question
        assert len(memory.recall("what did we decide today?", scope=SCOPE, now=NOW).items) <= 3
        assert len(memory.recall("今天说了什么？", scope=SCOPE, now=NOW).candidates) == 3


@pytest.mark.parametrize("read", ["UTC", "America/New_York", "Asia/Shanghai", "Pacific/Auckland"])
@pytest.mark.parametrize("told", ["Asia/Shanghai", "America/New_York", "UTC"])
@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The audit takes place on 25 March 2026", "2026-03-25"),
        # The clocks of New York change on 8 March: that day has 23 hours.
        ("The audit took place on 8 March 2026", "2026-03-08"),
    ],
)
def test_a_whole_day_is_the_same_day_wherever_it_is_read(
    tmp_path: Path, told: str, read: str, text: str, day: str
) -> None:
    with Memory.open(tmp_path / "m.db") as memory:
        memory.remember(text, scope=SCOPE, now=NOW.astimezone(ZoneInfo(told)))
        asked = NOW.astimezone(ZoneInfo(read))
        (item,) = memory.recall("when is the audit?", scope=SCOPE, now=asked).candidates
    assert item.created == day


def test_an_event_of_hours_is_shown_on_the_day_of_whoever_reads_it(tmp_path: Path) -> None:
    begins = datetime(2026, 3, 25, 20, tzinfo=UTC)  # the 26th in Shanghai, from 4 to 6 in the morning
    with Memory.open(tmp_path / "m.db") as memory:
        memory.remember(
            "The audit",
            scope=SCOPE,
            event_start=begins,
            event_end=begins.replace(hour=22),
            now=NOW,
        )
        for zone, day in (("UTC", "2026-03-25"), ("Asia/Shanghai", "2026-03-26")):
            asked = NOW.astimezone(ZoneInfo(zone))
            (item,) = memory.recall("when is the audit?", scope=SCOPE, now=asked).candidates
            assert item.created == day


@pytest.mark.parametrize(
    "text",
    [
        "We never deploy on a Friday",
        "Deployments are not allowed on Friday",
        "Deployments must not happen on Friday",
        "Don't deploy on Friday afternoon",
        "No deployments on Friday",
        "We usually meet on Monday",
        "We have never deployed on a Friday",
        "We will never deploy on Friday",
        "周五不部署",
        "禁止周五部署",
        "周五不可以部署了",
        "不要在周五部署",
        "周五通常开会",
        "每个周五下午发版",
    ],
)
def test_a_rule_or_habit_about_a_weekday_speaks_of_no_single_day(text: str) -> None:
    assert with_event(Draft(text, SCOPE), NOW).event_start is None


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("We deployed on Friday", "2026-03-06"),
        ("周五部署了新版本", "2026-03-06"),
        ("周五不来了", "2026-03-06"),
        ("The bug never came back. We released on Friday", "2026-03-06"),
        ("We do not deploy on Friday 13 March 2026", "2026-03-13"),
        ("We never meet next Friday", "2026-03-13"),
        ("We met on Thursday and will never forget it", "2026-03-05"),
        ("It was on a Thursday that we met", "2026-03-05"),
        ("改到周四了", "2026-03-12"),
        ("评审推迟到周四了", "2026-03-12"),
        ("会议挪到周四了", "2026-03-12"),
        ("评审定在周三了", "2026-03-11"),
        ("约在周六了", "2026-03-07"),
        ("大年三十我们回了家", "2026-02-16"),
    ],
)
def test_what_happens_once_keeps_its_day(text: str, start: str) -> None:
    found = with_event(Draft(text, SCOPE), NOW).event_start
    assert found == datetime.fromisoformat(start).replace(tzinfo=ZoneInfo("Asia/Shanghai"))


@pytest.mark.parametrize("text", ["今年三十二岁", "他今年三十了", "她去年三十岁"])
def test_an_age_is_no_new_years_eve(text: str) -> None:
    # "This year" is a stretch that says little about when.
    assert with_event(Draft(text, SCOPE), NOW).event_start is None
