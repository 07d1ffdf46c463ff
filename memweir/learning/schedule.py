"""When is the next reflection due, and which one was missed? Days of the month, by the host's clock.

Pure: the moment is an argument. A run belongs to the day that it is for: it is made once however
often it is asked for, and a machine that was off on the 8th makes up for it when it wakes on the 10th.
By day and not by a bucket of the month: otherwise the runs of the 8th, 22nd and 29th would never be
made. Rules design, "reflect".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from memweir.errors import InputError

__all__ = ["DEFAULT_DAYS", "Schedule", "due", "next_run"]

DEFAULT_DAYS: Final = (1, 8, 15, 22, 29)
_LONGEST_GAP: Final = 62  # days: from the 31st of a month to the 31st of the next that has one


@dataclass(frozen=True, slots=True)
class Schedule:
    """Days of the month, and the hour at which a run is due there.

    A day that a month does not have is left out in that month.

    Raises:
        InputError: no day, or one that no month has.
    """

    days: tuple[int, ...] = DEFAULT_DAYS
    at: time = time(3, 0)

    def __post_init__(self) -> None:
        if not self.days or not all(1 <= day <= 31 for day in self.days):
            raise InputError(f"reflection needs days of the month from 1 to 31, got {self.days!r}")
        if self.at.tzinfo is not None:
            raise InputError("the hour of reflection is of the host's clock and has no time zone")


def due(schedule: Schedule, now: datetime, last: date | None) -> date | None:
    """The day for which a run is to be made now: the latest that has come and was not run.

    Of several that were missed only the latest is made up for: a run looks at all that is there.

    Args:
        now: aware, in the zone of the host's clock.
        last: the day of the last run that was finished; None: there was none, and the first is due at
            the next day of the schedule, not at once.
    """
    latest = next(_backwards(schedule, now), None)
    return latest if latest is not None and last is not None and latest > last else None


def next_run(schedule: Schedule, now: datetime) -> datetime:
    """The first moment after `now` at which a run is due, in the zone of `now`.

    Where clocks leap over the hour it is the moment at which they have passed it; where the hour comes
    twice it is the first.
    """
    day = now.date()
    for _ in range(2 * _LONGEST_GAP):
        if day.day in schedule.days:
            moment = datetime.combine(day, schedule.at, tzinfo=now.tzinfo)
            # Through UTC, so that an hour that does not exist becomes the one that does.
            moment = moment.astimezone(UTC).astimezone(now.tzinfo)
            if moment > now:
                return moment
        day += timedelta(days=1)
    raise AssertionError("no month has any of the days")


def _backwards(schedule: Schedule, now: datetime) -> Iterator[date]:
    """The days whose hour has come, the latest first."""
    day = now.date()
    for _ in range(_LONGEST_GAP):
        moment = datetime.combine(day, schedule.at, tzinfo=now.tzinfo)
        if day.day in schedule.days and moment.astimezone(UTC) <= now.astimezone(UTC):
            yield day
        day -= timedelta(days=1)
