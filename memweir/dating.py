"""Which days does a new memory speak about? The one date expression of its text as an event window."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta, timezone
from typing import Final

from memweir.retrieval.dates import event_window, window_bounds_ms
from memweir.store.records import Draft, from_ms

__all__ = ["LONGEST_EVENT_DAYS", "in_zone_of", "with_event"]

LONGEST_EVENT_DAYS: Final = 31
"""A longer stretch ("since 2019", "in 2023") says little about when: it would meet every question."""

_TEXT_LIMIT: Final = 2_000  # characters; a longer text is a document, and its dates are many


def with_event(draft: Draft, now: datetime) -> Draft:
    """The draft with its event window, where the caller gave none and the text names one.

    "Yesterday" is the day before the memory was told, in the zone of `now`.

    Args:
        draft: any.
        now: aware; when it is written, and the caller's zone.
    """
    if draft.event_start is not None or len(draft.text) > _TEXT_LIMIT or now.tzinfo is None:
        return draft
    try:
        told = now if draft.created_at is None else in_zone_of(now, draft.created_at)
    except OverflowError:  # at an end of the calendar
        return draft
    window = event_window(draft.text, told)
    if window is None or window.first == date.min or window.last == date.max:
        return draft
    if (window.last - window.first).days >= LONGEST_EVENT_DAYS:
        return draft
    start, end = window_bounds_ms(window, now.tzinfo)
    if start >= end:
        return draft
    return replace(draft, event_start=from_ms(start), event_end=from_ms(end))


def in_zone_of(now: datetime, moment: datetime) -> datetime:
    """A moment in the zone of another.

    Raises:
        OverflowError: at an end of the calendar.
    """
    try:
        return moment.astimezone(now.tzinfo)
    except (ValueError, NotImplementedError):  # a zone that does not say dst() may tell only offsets
        return moment.astimezone(timezone(now.utcoffset() or timedelta(0)))
