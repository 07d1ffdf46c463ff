"""Is a reflection made on its days, once each, and made up for where the machine was off?"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.errors import InputError
from memweir.learning.schedule import Schedule, due, next_run

_BERLIN = ZoneInfo("Europe/Berlin")


def _at(month: int, day: int, hour: int = 3, minute: int = 0, *, year: int = 2026) -> datetime:
    return datetime(year, month, day, hour, minute, tzinfo=UTC)


def test_a_run_is_due_from_its_hour_on_and_no_more_once_it_was_made() -> None:
    before, after = _at(6, 8, 2, 59), _at(6, 8, 3, 0)
    assert due(Schedule(), before, date(2026, 6, 1)) is None
    assert due(Schedule(), after, date(2026, 6, 1)) == date(2026, 6, 8)
    assert due(Schedule(), after, date(2026, 6, 8)) is None
    assert due(Schedule(), _at(6, 14, 23), date(2026, 6, 8)) is None


def test_a_machine_that_was_off_makes_up_for_the_latest_run_alone() -> None:
    assert due(Schedule(), _at(6, 10), date(2026, 6, 1)) == date(2026, 6, 8)
    assert due(Schedule(), _at(6, 30), date(2026, 5, 1)) == date(2026, 6, 29)
    assert due(Schedule(), _at(7, 1, 2), date(2026, 5, 1)) == date(2026, 6, 29)


def test_a_new_store_waits_for_its_first_day() -> None:
    assert due(Schedule(), _at(6, 10), None) is None


def test_a_clock_that_was_set_back_runs_nothing_twice() -> None:
    assert due(Schedule(), _at(6, 3), date(2026, 6, 8)) is None


def test_the_next_run_is_the_first_day_to_come() -> None:
    assert next_run(Schedule(), _at(6, 1, 2)) == _at(6, 1)
    assert next_run(Schedule(), _at(6, 1, 3)) == _at(6, 8)
    assert next_run(Schedule(), _at(2, 22, 12)) == _at(3, 1)  # no 29th of February in 2026
    assert next_run(Schedule(), _at(2, 22, 12, year=2028)) == _at(2, 29, year=2028)
    assert next_run(Schedule(days=(31,)), _at(3, 31, 4)) == _at(5, 31)


def test_the_hour_is_of_the_hosts_clock() -> None:
    summer = datetime(2026, 6, 8, 2, 0, tzinfo=_BERLIN)
    assert next_run(Schedule(), summer).astimezone(UTC) == _at(6, 8, 1)
    assert due(Schedule(), datetime(2026, 6, 8, 3, 0, tzinfo=_BERLIN), date(2026, 6, 1)) == date(
        2026, 6, 8
    )


def test_an_hour_that_clocks_leap_over_is_the_one_after() -> None:
    # On 29 March 2026 clocks in Berlin go from 2:00 to 3:00.
    schedule = Schedule(at=time(2, 30))
    moment = next_run(schedule, datetime(2026, 3, 29, 0, 0, tzinfo=_BERLIN))
    assert (moment.hour, moment.minute) == (3, 30)
    assert due(schedule, moment, date(2026, 3, 22)) == date(2026, 3, 29)


@pytest.mark.parametrize("days", [(), (0,), (1, 32)])
def test_days_that_no_month_has_are_an_error(days: tuple[int, ...]) -> None:
    with pytest.raises(InputError):
        Schedule(days=days)


@given(
    st.lists(st.integers(1, 31), min_size=1, max_size=5),
    st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)),
)
@settings(deadline=None, max_examples=200)
def test_what_is_next_is_due_when_it_comes_and_not_before(days: list[int], now: datetime) -> None:
    schedule = Schedule(days=tuple(days))
    moment = next_run(schedule, now)
    assert moment > now
    assert due(schedule, moment, now.date() - timedelta(days=70)) == moment.date()
    latest = due(schedule, moment - timedelta(seconds=1), now.date() - timedelta(days=70))
    assert latest is None or latest < moment.date()
