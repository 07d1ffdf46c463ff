"""Calendar days in the caller's zone, and the instants they span."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pytest

from memweir.errors import InputError
from memweir.retrieval.dates import find_dates, window_bounds_ms
from memweir.retrieval.types import Window

HOUR = 3_600_000
ZONES = ["UTC", "Asia/Shanghai", "Pacific/Midway", "Pacific/Kiritimati", "America/New_York"]


def zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError:  # a platform without a zone database
        pytest.skip(f"no zone data for {name}")


def ms(moment: datetime) -> int:
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


def bounds(day: date, name: str) -> tuple[int, int]:
    return window_bounds_ms(Window(day, day), zone(name))


@pytest.mark.parametrize("name", ZONES)
@pytest.mark.parametrize("text", ["昨天做了什么", "what did I do yesterday"])
def test_yesterday_is_the_day_of_the_callers_zone(name: str, text: str) -> None:
    here = zone(name)
    for day in (date(2025, 10, 15), date(2025, 3, 10), date(2025, 11, 3), date(2025, 1, 1)):
        for hour in (0, 12, 23):
            now = datetime(day.year, day.month, day.day, hour, 30, tzinfo=here)
            (span,) = find_dates(text, now)
            before = day - timedelta(days=1)
            assert span.window == Window(before, before)
            start, end = window_bounds_ms(span.window, here)
            late = datetime(before.year, before.month, before.day, 23, 30, tzinfo=here)
            assert start <= ms(late.replace(hour=0, minute=0)) < end
            assert start <= ms(late) < end
            assert not start <= ms(late + timedelta(minutes=30)) < end


def test_one_instant_is_three_different_todays() -> None:
    instant = datetime(2025, 10, 15, 10, 30, tzinfo=UTC)
    # Kiritimati is 14 hours ahead (16th, 00:30), Midway 11 behind (14th, 23:30).
    for name, day in (("Pacific/Kiritimati", 16), ("UTC", 15), ("Pacific/Midway", 14)):
        (span,) = find_dates("today", instant.astimezone(zone(name)))
        assert span.window == Window(date(2025, 10, day), date(2025, 10, day))


def test_bounds_of_a_day_are_its_local_midnights() -> None:
    # Shanghai is 8 hours ahead: 15 October begins at 16:00 UTC of the 14th.
    start = ms(datetime(2025, 10, 14, 16, tzinfo=UTC))
    assert bounds(date(2025, 10, 15), "Asia/Shanghai") == (start, start + 24 * HOUR)


@pytest.mark.parametrize(
    ("name", "day", "hours"),
    [
        ("America/New_York", date(2025, 3, 9), 23),  # 02:00 becomes 03:00
        ("America/New_York", date(2025, 11, 2), 25),  # 02:00 becomes 01:00
        ("America/Sao_Paulo", date(2018, 11, 4), 23),  # 00:00 becomes 01:00: there is no midnight
        ("America/Sao_Paulo", date(2018, 2, 17), 25),  # 24:00 becomes 23:00 of the same day
        ("America/Havana", date(2024, 11, 3), 25),  # 01:00 becomes 00:00: midnight comes twice
        ("Pacific/Apia", date(2011, 12, 30), 0),  # the zone crossed the date line
        ("Pacific/Apia", date(2011, 12, 29), 24),
        ("Australia/Lord_Howe", date(2025, 10, 5), 23.5),  # half an hour
    ],
)
def test_a_day_of_a_clock_change_has_its_own_length(name: str, day: date, hours: float) -> None:
    start, end = bounds(day, name)
    assert (end - start) / HOUR == hours


def test_the_day_begins_where_the_clock_jumps_over_midnight() -> None:
    # São Paulo, 4 November 2018: 00:00 -03 became 01:00 -02, that is 03:00 UTC.
    assert bounds(date(2018, 11, 4), "America/Sao_Paulo")[0] == ms(datetime(2018, 11, 4, 3, tzinfo=UTC))


def test_a_jump_that_begins_before_midnight_begins_the_day_too() -> None:
    # Toronto, 30 March 1919: 23:30 of the 30th became 00:30 of the 31st, at 04:30 UTC.
    start, _ = bounds(date(1919, 3, 31), "America/Toronto")
    assert start == ms(datetime(1919, 3, 31, 4, 30, tzinfo=UTC))


def test_the_day_begins_when_its_date_comes_to_stay() -> None:
    # St. John's, 29 October 2006: 00:01 NDT became 23:01 NST of the 28th; midnight again at 03:30 UTC.
    start, _ = bounds(date(2006, 10, 29), "America/St_Johns")
    assert start == ms(datetime(2006, 10, 29, 3, 30, tzinfo=UTC))


@pytest.mark.parametrize(
    "name",
    [*ZONES, "America/Sao_Paulo", "America/Havana", "Pacific/Apia", "Asia/Kathmandu", "Africa/Cairo"],
)
def test_every_hour_lies_in_the_day_its_local_date_names(name: str) -> None:
    here = zone(name)
    for year, month in ((2011, 12), (2018, 2), (2018, 11), (2024, 11), (2025, 3)):
        moment = datetime(year, month, 1, tzinfo=UTC)
        while moment.month == month:
            local = moment.astimezone(here)
            start, end = window_bounds_ms(Window(local.date(), local.date()), here)
            assert start <= ms(moment) < end, local
            moment += timedelta(hours=1)


@pytest.mark.parametrize("hours", [-12, 0, 14])
def test_the_first_and_last_days_of_the_calendar_have_bounds(hours: int) -> None:
    here = timezone(timedelta(hours=hours))
    start, end = window_bounds_ms(Window(date.min, date.max), here)
    # Year 1 begins 62,135,596,800 seconds before 1970, year 10000 253,402,300,800 after.
    assert start == -62_135_596_800_000 - hours * HOUR
    assert end == 253_402_300_800_000 - hours * HOUR


def test_hours_ago_count_hours_that_passed_not_hands_of_the_clock() -> None:
    # New York, 9 March 2025, 05:30: five hours ago it was 23:30, for 02:00 to 03:00 did not happen.
    now = datetime(2025, 3, 9, 5, 30, tzinfo=zone("America/New_York"))
    (span,) = find_dates("5 hours ago", now)
    assert span.window == Window(date(2025, 3, 8), date(2025, 3, 8))


def test_a_naive_now_is_refused() -> None:
    with pytest.raises(InputError):
        find_dates("today", datetime(2025, 10, 15))
