"""Which year or week does a statement mean that says neither? The tense of its sentence decides."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.retrieval.dates import event_window, find_dates
from memweir.retrieval.types import Window

TOLD = date(2026, 5, 20)  # a Wednesday


def told_on(day: date, text: str) -> Window | None:
    return event_window(text, datetime(day.year, day.month, day.day, 12, tzinfo=UTC))


def day(text: str) -> Window:
    return Window(date.fromisoformat(text), date.fromisoformat(text))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("We are flying to Lisbon on 12 June for ten days.", "2026-06-12"),
        ("The review is on 28 May at 14:00.", "2026-05-28"),
        ("The deadline is 28 May.", "2026-05-28"),
        ("Dentist appointment: 28 May, 9:30", "2026-05-28"),
        ("I start my new job on 1 September", "2026-09-01"),
        ("我九月一号开始新工作。", "2026-09-01"),
        ("Our flight leaves on 12 June", "2026-06-12"),
        ("Petra comes to visit on 30 May.", "2026-05-30"),
        ("The exam is on Friday.", "2026-05-22"),
        ("I have an exam on Friday.", "2026-05-22"),
        ("The party is on Saturday.", "2026-05-23"),
        ("周六我们去爬山。", "2026-05-23"),
        ("下一次评审定在五月二十八日下午两点。", "2026-05-28"),
        ("周六要去爬山", "2026-05-23"),
        ("我们将在三月十二号搬家", "2027-03-12"),  # this year's is over
        ("The fair takes place on 12 March", "2027-03-12"),
        ("We are getting married on 12 June.", "2026-06-12"),
        ("The advanced course is on 12 June.", "2026-06-12"),
        ("The shop is closed on Friday.", "2026-05-22"),
        ("Fred and Ahmed come on Friday.", "2026-05-22"),
        ("周五开会", "2026-05-22"),
        ("周五的会议很重要", "2026-05-22"),
        ("为了考试，周五我去图书馆", "2026-05-22"),
    ],
)
def test_what_is_to_come_is_the_next_such_day(text: str, meant: str) -> None:
    assert told_on(TOLD, text) == day(meant)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("We flew to Lisbon on 12 June for ten days.", "2025-06-12"),
        ("The review was on 28 May at 14:00.", "2025-05-28"),
        ("The deadline was 28 May.", "2025-05-28"),
        ("Had a dentist appointment: 28 May, 9:30", "2025-05-28"),
        ("I started my new job on 1 September", "2025-09-01"),
        ("我九月一号开始了新工作。", "2025-09-01"),
        ("Our flight left on 12 June", "2025-06-12"),
        ("Petra came to visit on 30 May.", "2025-05-30"),
        ("The exam was on Friday.", "2026-05-15"),
        ("I had an exam on Friday.", "2026-05-15"),
        ("The party wasn't on Saturday.", "2026-05-16"),
        ("周六我们去爬了山。", "2026-05-16"),
        ("周六我们去爬了山", "2026-05-16"),
        ("上一次评审定在五月二十八日下午两点。", "2025-05-28"),
        ("十二月三号我去了北京", "2025-12-03"),
        ("We went climbing on Saturday", "2026-05-16"),
        ("Visited Anna on 12 June.", "2025-06-12"),
        ("周五开了会", "2026-05-15"),
        ("周六和小王吃过饭", "2026-05-16"),
        ("周六我没去爬山", "2026-05-16"),
        ("周六玩得很开心", "2026-05-16"),
        ("我們曾在六月十二號搬家", "2025-06-12"),
        ("Will came on Friday", "2026-05-15"),  # a name
    ],
)
def test_what_has_been_is_the_latest_such_day(text: str, meant: str) -> None:
    assert told_on(TOLD, text) == day(meant)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("I booked a table for Saturday.", "2026-05-23"),
        ("I booked the hotel on Saturday.", "2026-05-16"),
        ("The review was moved to 28 May.", "2026-05-28"),
        ("We moved to Berlin on 12 June.", "2025-06-12"),
        ("我预约了周五的牙医", "2026-05-22"),
        ("评审改到了五月二十八日", "2026-05-28"),
    ],
)
def test_what_was_arranged_lies_ahead_of_the_arranging(text: str, meant: str) -> None:
    assert told_on(TOLD, text) == day(meant)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("We packed our bags, the flight leaves on 12 June", "2026-06-12"),
        ("We went to the lake on Saturday and will never forget it.", "2026-05-16"),
        ("Petra said that the review is on 28 May", "2026-05-28"),
        ("行李收拾好了，我们六月十二号出发", "2026-06-12"),
        ("I was tired. The exam is on Friday.", "2026-05-22"),
        ("On Saturday, we went climbing", "2026-05-16"),  # its own clause says nothing
        ("周六天气很好，我们去爬了山", "2026-05-16"),
    ],
)
def test_the_clause_of_the_date_speaks_before_the_rest_of_its_sentence(text: str, meant: str) -> None:
    assert told_on(TOLD, text) == day(meant)


@pytest.mark.parametrize(
    ("text", "meant"),
    [  # 20 May to 3 May: 17 days, to the next: 348; to 28 May: 8, from the last: 357
        ("Wedding anniversary, 3 May", "2026-05-03"),
        ("Wedding anniversary, 28 May", "2026-05-28"),
        ("五月三号是妈妈的生日", "2026-05-03"),
        ("19 November", "2025-11-19"),  # 182 days back, 183 on
        ("18 November", "2026-11-18"),  # 182 days on, 183 back
        ("20 May", "2026-05-20"),
    ],
)
def test_without_a_word_for_either_the_nearest_day_is_meant(text: str, meant: str) -> None:
    assert told_on(TOLD, text) == day(meant)


def test_a_turn_of_the_year_between_telling_and_day() -> None:
    after = date(2026, 1, 3)
    assert told_on(after, "on 28 December we saw the fireworks") == day("2025-12-28")
    assert told_on(after, "Fireworks, 28 December") == day("2025-12-28")
    assert told_on(after, "the fair is on 5 January") == day("2026-01-05")
    assert told_on(after, "the fair is on 28 December") == day("2026-12-28")
    before = date(2025, 12, 28)
    assert told_on(before, "Fair, 5 January") == day("2026-01-05")
    assert told_on(before, "一月五号去逛庙会") == day("2026-01-05")
    assert told_on(before, "一月五号去逛了庙会") == day("2025-01-05")
    assert told_on(before, "the fair was on 5 January") == day("2025-01-05")
    assert told_on(date(2025, 12, 31), "The party is on Thursday") == day("2026-01-01")


def test_the_29th_of_february_is_of_a_leap_year_on_the_side_spoken_of() -> None:
    assert told_on(TOLD, "We met on 29 February") == day("2024-02-29")
    assert told_on(TOLD, "The fair is on 29 February") == day("2028-02-29")
    assert told_on(TOLD, "Leap day fair, 29 February") == day("2028-02-29")  # 650 days, not 811
    assert told_on(date(2025, 5, 20), "Leap day fair, 29 February") == day("2024-02-29")  # 446, 1015


def test_a_range_that_goes_on_is_not_put_off_by_a_year() -> None:
    running = Window(date(2026, 5, 12), date(2026, 6, 2))
    assert told_on(TOLD, "From 12 May to 2 June we are in Lisbon") == running
    assert told_on(TOLD, "五月十二号到六月二号我们要在里斯本") == running
    assert told_on(TOLD, "We are in Lisbon from 12 June to 2 July") == Window(
        date(2026, 6, 12), date(2026, 7, 2)
    )
    assert told_on(TOLD, "We were in Lisbon from 12 June to 2 July") == Window(
        date(2025, 6, 12), date(2025, 7, 2)
    )


def test_the_weekend_is_the_coming_one_unless_it_has_been() -> None:
    past, coming = (Window(date(2026, 5, d), date(2026, 5, d + 1)) for d in (16, 23))
    assert told_on(TOLD, "We were at the lake over the weekend") == past
    assert told_on(TOLD, "We are at the lake over the weekend") == coming


def test_a_question_is_still_taken_to_ask_about_the_past() -> None:
    now = datetime(2026, 5, 20, 12, tzinfo=UTC)
    for text, meant in (
        ("The exam is on Friday.", "2026-05-15"),
        ("Our flight leaves on 12 June", "2025-06-12"),
        ("周六我们去爬山。", "2026-05-16"),
    ):
        (asked,) = find_dates(text, now)
        (told,) = find_dates(text, now, told=True)
        assert asked.window == day(meant)
        assert told.window != asked.window
        assert told.recurring == asked.recurring


FRAMES = st.sampled_from(
    [
        "We went there on {}.",
        "The exam is on {}.",
        "Exam, {}",
        "They said the exam on {} was planned",
        "{}我们去爬山",
        "{}我们去爬了山",
        "打算{}去爬山",
    ]
)
COMMON = st.dates(date(1900, 1, 1), date(2199, 12, 31)).filter(
    lambda each: (each.month, each.day) != (2, 29)
)


@settings(deadline=None, max_examples=300)
@given(frame=FRAMES, meant=COMMON, told=st.dates(date(1800, 1, 1), date(2199, 12, 31)))
def test_the_day_meant_is_such_a_day_at_most_a_year_from_the_telling(
    frame: str, meant: date, told: date
) -> None:
    chinese = frame.startswith(("{}", "打算"))
    said = f"{meant.month}月{meant.day}号" if chinese else f"{meant.day} {meant:%B}"
    window = told_on(told, frame.format(said))
    assert window is not None
    assert window.first == window.last
    assert (window.first.month, window.first.day) == (meant.month, meant.day)
    assert abs(window.first - told) <= timedelta(days=366)


@settings(deadline=None, max_examples=200)
@given(frame=FRAMES, weekday=st.integers(0, 6), told=st.dates(date(1800, 1, 1), date(2199, 12, 31)))
def test_the_weekday_meant_is_less_than_a_week_from_the_telling(
    frame: str, weekday: int, told: date
) -> None:
    chinese = frame.startswith(("{}", "打算"))
    english = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    window = told_on(
        told, frame.format("星期" + "一二三四五六日"[weekday] if chinese else english[weekday])
    )
    assert window is not None
    assert window.first == window.last
    assert window.first.weekday() == weekday
    assert abs(window.first - told) < timedelta(days=7)
