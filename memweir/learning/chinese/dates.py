"""Which days does a Chinese clause speak of, and how does a statement name them that is read later?

"昨天" becomes "2026年6月14日". What recurs (每周二, a birthday) or is vague (最近) keeps its words.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from memweir.dating import LONGEST_EVENT_DAYS
from memweir.learning.chinese.clauses import View
from memweir.retrieval import periods
from memweir.retrieval.dates import find_dates, window_bounds_ms
from memweir.retrieval.types import DateSpan, Window
from memweir.store.records import from_ms

__all__ = ["Edit", "date_edits", "event_bounds"]


class Edit(NamedTuple):
    """Words in place of a stretch of the text."""

    start: int
    end: int
    words: str


_YEARLY: Final = re.compile("生日|纪念日|忌日|每年|年年")
_FLOATING: Final = re.compile(
    r"^(?:最近|近来|近日|近期|这阵子|这段时间|这段日子|这些天|这几天|前阵子|前一?段(?:时间"
    r"|日子)|前些天|前些日子|前不久|不久前|不久以前|不久之前|前一阵子?)$"
)
_SINCE: Final = re.compile(
    r"^(?P<before>从|自从?|截止到?|截至|直到|到)?(?P<inner>.+?)(?P<after>之?前|以前|之?后|以后"
    r"|为止|起|开始|以来)?$"
)
_YEAR_WORD: Final = re.compile(
    r"^(?:大前年|前年|去年|今年|本年|明年|后年|来年|上个?|这个?|本|下个?)的?"
)
_PART: Final = re.compile(r"(?:月)?(?P<part>初|中旬?|底|末|上旬|下旬)$")
_NIGHT: Final = re.compile(r"[前昨今明后](?P<part>晚|早|夜|晨)$")


_EVERY: Final = re.compile("每(?:个|隔)?(?:周|星期|礼拜)[^,，]{1,6}$|每$")
_WEEKLY: Final = re.compile(
    r"^(?:周|星期|礼拜)[一二三四五六日天末](?:晚|早|上午|下午|晚上|早上)?(?:之?[前后]|以[前后]|起)?$"
)


def date_edits(view: View, start: int, end: int, *, weekly: bool = False) -> list[Edit]:
    """What the date expressions between two places are replaced by, where they are.

    Args:
        weekly: a day of the week is every one of them: 周五不发版.
    """
    if _YEARLY.search(view.masked, start, end):
        return []
    edits = []
    for span in view.dates_in(start, end):
        words = view.simple[span.start : span.end]
        if _WEEKLY.match(words) and (weekly or _EVERY.search(view.simple[start : span.start])):
            continue
        named = _named(words, span, view.now)
        if named and named != words:
            edits.append(Edit(span.start, span.end, named))
    return edits


def event_bounds(
    view: View, start: int, end: int, *, weekly: bool = False
) -> tuple[datetime, datetime] | None:
    """The first moment and the end of the one stretch of days spoken of; None where there is none.

    Of several the narrowest, where it lies inside all the others. No stretch of a month and more.
    """
    if _YEARLY.search(view.masked, start, end):
        return None
    windows = set()
    for span in view.dates_in(start, end):
        words = view.simple[span.start : span.end]
        if (
            span.window is None
            or _FLOATING.match(words)
            or (_WEEKLY.match(words) and (weekly or _EVERY.search(view.simple[start : span.start])))
        ):
            continue
        window = _closed(words, span.window, view.now)
        if window is None:
            return None
        windows.add(window)
    if not windows:
        return None
    narrow = min(windows, key=lambda each: (each.last - each.first, each))
    if not all(each.first <= narrow.first and narrow.last <= each.last for each in windows):
        return None
    if (narrow.last - narrow.first).days >= LONGEST_EVENT_DAYS or narrow.last == date.max:
        return None
    zone = view.now.tzinfo
    if zone is None:
        return None
    first, last = window_bounds_ms(narrow, zone)
    if first >= last:
        return None
    return from_ms(first).astimezone(zone), from_ms(last).astimezone(zone)


def _closed(words: str, window: Window, now: datetime) -> Window | None:
    """The window; of "by Friday" Friday itself; None for one that is open otherwise."""
    if window.first != date.min and window.last != date.max:
        return window
    match = _SINCE.match(words)
    inner = _alone(match["inner"], now) if match and window.first == date.min else None
    return inner.window if inner is not None else None


def _alone(words: str, now: datetime) -> DateSpan | None:
    """The date expression that these words are, from end to end."""
    found = find_dates(words, now, told=True)
    return found[0] if len(found) == 1 and found[0].end - found[0].start == len(words) else None


def _named(words: str, span: DateSpan, now: datetime) -> str:
    """The days by name; "" where the words stay."""
    window = span.window
    if (
        window is None
        or _FLOATING.match(words)
        or re.search("[0-9]{4}|[一二三四五六七八九〇零]{4}年", words)
    ):
        return ""
    is_open = window.first == date.min or window.last == date.max
    if is_open or re.search("^[从自]|以来$|起$|开始$", words):
        match = _SINCE.match(words)
        if match is None or not (match["before"] or match["after"]):
            return ""
        inner = _alone(match["inner"], now)
        named = _named(match["inner"], inner, now) if inner is not None else ""
        return f"{match['before'] or ''}{named}{match['after'] or ''}" if named else ""
    return _stretch(words, window, span)


def _stretch(words: str, window: Window, span: DateSpan) -> str:
    first, last = window.first, window.last
    bare = _YEAR_WORD.sub("", words)
    if first == last:
        night = _NIGHT.search(words)
        return _day(first) + (night["part"] if night else "")
    try:
        if (first, last) == tuple(_bounds(periods.year(first.year))):
            return f"{first.year}年"
        if (first, last) == tuple(_bounds(periods.month(first.year, first.month))):
            return f"{first.year}年{first.month}月"
    except ValueError:
        return ""
    part = _PART.search(words) if "月" in words else None
    if part is not None and (first.year, first.month) == (last.year, last.month):
        return f"{first.year}年{first.month}月{part['part']}"
    if re.search(
        "[春夏秋冬节假年]|圣诞|国庆|中秋|五一|十一|元旦|清明|端午|季度|半年", bare
    ) and not re.search("[0-9一二两三四五六七八九十几]+(?:多)?年", bare):
        year = first.year
        return f"{year}年{bare}" if not bare.startswith("年") else f"{year}{bare}"
    if (last - first).days <= 31:
        return _range(first, last)
    return ""


def _bounds(window: Window) -> tuple[date, date]:
    return window.first, window.last


def _day(day: date) -> str:
    return f"{day.year}年{day.month}月{day.day}日"


def _range(first: date, last: date) -> str:
    """2026年6月8日至14日."""
    if last - first > timedelta(days=0) and (first.year, first.month) == (last.year, last.month):
        return f"{_day(first)}至{last.day}日"
    if first.year == last.year:
        return f"{_day(first)}至{last.month}月{last.day}日"
    return f"{_day(first)}至{_day(last)}"
