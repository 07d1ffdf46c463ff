"""How do neighbouring words change a date? Ranges, and what comes before, after or since a date.

- "from A to B", "A - B", "between A and B", 从A到B, A和B之间: the first day of A to the last of B.
- "since A", A以来, 从A起: the first day of A to today (to the last of A where A is yet to come).
- "before A", A之前: everything before A, from `date.min`. "until A", 截至A: with A.
- "after A", A之后: everything after A, to `date.max`. "from A on": with A.
- "two days before A", A前一天: that day; A前两天: those days.
- "the week of A": Monday to Sunday.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final, NamedTuple

from memweir.retrieval import periods
from memweir.retrieval.dates_en import COUNT, number_range
from memweir.retrieval.dates_grammar import (
    CONTEXT_CHARS,
    FEW,
    IMPOSSIBLE,
    Context,
    LazyPattern,
    Reading,
    Weekly,
)
from memweir.retrieval.dates_zh_calendar import number
from memweir.retrieval.types import DateSpan, Window

__all__ = ["Atom", "join"]


@dataclass(frozen=True, slots=True)
class Atom:
    """One expression a rule found.

    Attributes:
        reading: None where the words name no possible day, or are taken for a date and not read.
        unread: the second of the two.
    """

    start: int
    end: int
    reading: Reading | None
    unread: bool = False


def join(atoms: Sequence[Atom], context: Context) -> list[DateSpan]:
    """Date spans in text order from atoms in text order that do not overlap."""
    atoms = _completed(atoms, context)
    spans: list[DateSpan] = []
    floor = 0  # where the last span ended: a prefix may not reach into it
    at = 0
    while at < len(atoms):
        left = atoms[at]
        right = atoms[at + 1] if at + 1 < len(atoms) else None
        if left.start < floor:  # its words went into the span before: 国庆前两天
            at += 1
            continue
        try:
            span = _range(left, right, context, floor) if right is not None else None
            taken = 2
            if span is None:
                span, taken = _single(left, context, floor), 1
        except IMPOSSIBLE:
            span, taken = None, 1
        if span is not None:
            spans.append(span)
            floor = span.end
        at += taken
    return spans


# --- neighbours that complete each other --------------------------------------------------------------

_BESIDE: Final = LazyPattern(
    r"\s{0,2},?\s{0,2}(?:(?:and|or|&|on|in|at|the)\s{1,2}){0,2}"
    r"|\s{0,2}(?:、|和|与|跟|及|以及|或|或者|的|在)\s{0,2}"
)
_SAYS_YEAR: Final = LazyPattern(
    r"(?:[0-9]{2,4}|[〇零一二三四五六七八九]{2,4})\s{0,2}年|大?[去今明前后]年"
    r"|(?:last|this|next)\s{1,4}year$|(?:1[0-9]|20|21)[0-9]{2}$"
)
_SAYS_WEEK: Final = LazyPattern(
    r"(?:上|下|这|本).{0,3}(?:周|星期|礼拜)|(?:last|this|next)\s{1,4}(?:week|[a-z]{3,6}day)"
)


def _completed(atoms: Sequence[Atom], context: Context) -> list[Atom]:
    """What one expression says holds for its neighbour: "May or June 2023", "last week, on Tuesday"."""
    members = list(atoms)
    for at in range(1, len(members)):
        left, right = members[at - 1], members[at]
        if right.start - left.end > _GAP_LIMIT or left.reading is None or right.reading is None:
            continue
        if not _BESIDE.fullmatch(context.folded, left.end, right.start):
            continue
        first, last = left.reading, right.reading
        if last.weak and not first.weak:
            right = replace(right, reading=replace(last, weak=False))
        try:
            after, before = _after_frame(last, left, context), _before_frame(first, right, context)
        except IMPOSSIBLE:
            continue
        if after is not None:
            right = replace(right, reading=Reading(after))
        elif before is not None:
            left = replace(left, reading=Reading(before))
        members[at - 1], members[at] = left, right
    return members


def _after_frame(reading: Reading, frame: Atom, context: Context) -> Window | None:
    """The weekday of the week, or the day of the year, that was named before it."""
    recurrence, window = reading.recurrence, frame.reading.window if frame.reading else None
    if recurrence is None or window is None:
        return None
    if not recurrence.yearly:
        if not _SAYS_WEEK.match(context.folded, frame.start, frame.end):
            return None
        return recurrence.at_or_after(periods.week(window.first).first)
    found = recurrence.at_or_after(window.first)
    said = _SAYS_YEAR.search(context.folded, frame.start, frame.end)
    return found if said and found.first.year == window.first.year else None


def _before_frame(reading: Reading, frame: Atom, context: Context) -> Window | None:
    """The day of the year that is named after it: "May or June 2023"."""
    recurrence, window = reading.recurrence, frame.reading.window if frame.reading else None
    if recurrence is None or window is None or not recurrence.yearly:
        return None
    if not context.folded[frame.end - 4 : frame.end].isdecimal():
        return None
    return recurrence.at_or_before(window.last)


# --- ranges -------------------------------------------------------------------------------------------

_FROM: Final = LazyPattern(
    r"(?:(?<![a-z])(?:from|between)\s{1,4}(?:the\s{1,4})?|(?:从|自从|自|由|在|介于)\s{0,2})$"
)
_MOVED: Final = LazyPattern(
    r"(?:mov|chang|reschedul|postpon|shift|push|改|推迟|提前|调整)[^.!?。！？]{0,24}$"
)
_TO: Final = LazyPattern(
    r"\s{0,4}(?:(?:to|through|thru|until|till)(?![a-z])\s{0,4}(?:the\s{1,4})?|[-~]\s{0,4}"
    r"|(?:一直)?[到至]\s{0,2})"
)
_AND: Final = LazyPattern(r"\s{1,4}and\s{1,4}(?:the\s{1,4})?|\s{0,2}[和与跟]\s{0,2}")
_INSIDE: Final = LazyPattern(r"\s{0,2}(?:之间|期间)")
_GAP_LIMIT: Final = 16


def _range(left: Atom, right: Atom, context: Context, floor: int) -> DateSpan | None:
    """The two atoms as ends of one range; None where the text does not make them one."""
    if right.start - left.end > _GAP_LIMIT or left.reading is None or right.reading is None:
        return None
    if left.reading.latest or right.reading.latest:
        return None
    gap = context.folded[left.end : right.start]
    head = context.folded[max(floor, left.start - 12) : left.start]
    opened = _FROM.search(head)
    inside = _INSIDE.match(context.folded, right.end)
    start = left.start - (len(opened[0]) if opened and not opened[0].startswith("在") else 0)
    end = inside.end() if inside else right.end
    if _AND.fullmatch(gap):
        between = opened is not None and ("between" in opened[0] or inside is not None)
        if not between and not (inside and re.search("[和与跟]", gap)):
            return None
    elif not _TO.fullmatch(gap):
        return None
    elif _MOVED.search(context.before(left.start)):
        return None  # "moved from Friday to Monday": two dates
    if opened is None and inside is None and not _both_stand(left, right, context):
        return None
    first, last = _ends(left, right, context)
    if last.last < first.first:
        raise ValueError("the range runs backwards")
    return DateSpan(
        start,
        end,
        Window(first.first, last.last),
        recurring=_unsaid(left.reading) and _unsaid(right.reading),
    )


def _both_stand(left: Atom, right: Atom, context: Context) -> bool:
    """Weak ends ("March to June") without "from" must be capitalised words, not numbers."""
    return all(
        atom.reading is None or not atom.reading.weak or context.text[atom.start].isupper()
        for atom in (left, right)
    )


def _unsaid(reading: Reading) -> bool:
    return reading.recurrence is not None and reading.recurrence.yearly


_OTHER_YEAR: Final = LazyPattern("[明后]年")


def _ends(left: Atom, right: Atom, context: Context) -> tuple[Window, Window]:
    """An end whose year was not said follows the other end."""
    if left.reading is None or right.reading is None:
        raise ValueError("an impossible date has no days")
    first, last = left.reading, right.reading
    if last.window is not None:
        if first.window is not None:
            return first.window, last.window
        if first.recurrence is not None:
            reach = last.window.last
            if _OTHER_YEAR.match(context.folded, right.start):  # 3月到明年5月: of the year before
                reach = reach.replace(year=reach.year - 1, month=12, day=31)
            return first.recurrence.at_or_before(reach), last.window
    elif last.recurrence is not None:
        if first.window is not None:
            return first.window, last.recurrence.at_or_after(first.window.first)
        if first.recurrence is not None:
            return context.pick_range(first.recurrence, last.recurrence, left.start)
    raise ValueError("an order has no ends")


# --- one atom and the words around it -----------------------------------------------------------------

_COUNT_EN: Final = COUNT.replace(" ", r"\s{1,4}")
_PREFIX: Final = LazyPattern(
    r"(?<![a-z])(?:(?P<since>(?:ever\s{1,4})?since)|(?P<before>before|prior\s{1,4}to)|(?P<after>after)"
    r"|(?P<until>until|till)|(?P<from>from)|(?P<week>(?:the\s{1,4})?week\s{1,4}of)"
    rf"|(?P<count>the|{_COUNT_EN})\s{{1,4}}(?P<unit>day|week|month|year)s?\s{{1,4}}(?P<side>before|after))"
    r"\s{1,4}(?:the\s{1,4})?$"
    r"|(?P<zh>(?P<zh_since>自从)|(?P<zh_from>从|自|打)|(?P<zh_until>截至|截止到?|直到|到))\s{0,2}$"
)
_ONWARDS: Final = LazyPattern(r"\s{1,4}(?:onwards?|forward|on(?=\s*(?:[,.;!?]|$)))(?![a-z])")
_SUFFIX: Final = LazyPattern(
    r"\s{0,2}(?:(?P<since>以来|至今|到现在)|(?P<start>起(?![来床飞码初名因诉草点步])|开始)|(?P<until>为止)"
    r"|(?P<week>那一?个?(?:周|星期|礼拜)|当周)(?!末)"
    r"|的?[之以]?(?P<side>[前后])的?(?P<exact>第)?(?P<count>[0-9]{1,3}|[一二两三四五六七八九十]{1,2}|几)\s{0,2}"
    r"(?P<unit>天|日|周|个?(?:星期|礼拜)|个月|年)|的?第(?P<nth>[0-9]{1,3}|[一二三四五六七八九十]{1,2})天"
    r"|(?P<before>[以之]前|前(?![端台面期排锋任往来线景方后夕言年女男同公身缀者辈世半卫哨妻夫人些阵段]|提(?![交出醒供到前])))"
    r"|(?P<after>[以之过]后|后(?![端台面期排来天果悔勤续院备座门代半年世跟者背宫卫缀辈人记援遗盾腿妈爸])))"
)
# 上周前端, 今天后台: a bare 前 or 后 follows dates of the calendar, not words relative to today.
_DEICTIC: Final = LazyPattern(
    r"大?[前昨今明后][天日晚早夜晨]|大?[去今明前后]年|(?:上上?|下下?|这|本)一?个?(?:周|月|季度|星期|礼拜)末?|最近"
    r"|(?:这|前|近|最近|过去|未来).{1,6}"
)
_DAY: Final = timedelta(days=1)


def _single(atom: Atom, context: Context, floor: int) -> DateSpan | None:
    """One atom, moved or opened by the words around it; None where it is too weak to stand alone."""
    reading, folded = atom.reading, context.folded
    if reading is None:
        return None
    if reading.latest:
        return DateSpan(atom.start, atom.end, None, latest=True)
    prefix = _PREFIX.search(folded[max(floor, atom.start - CONTEXT_CHARS) : atom.start])
    suffix = _SUFFIX.match(folded, atom.end)
    if suffix and len(suffix[0].strip()) == 1 and _DEICTIC.fullmatch(folded, atom.start, atom.end):
        suffix = None
    window, recurring = _plain(reading, atom.start, context, _looks_back(prefix, suffix))
    head = atom.start - (len(prefix[0]) if prefix else 0)
    if suffix is not None:
        moved = _suffixed(window, prefix, suffix, context)
        if moved is not None:
            start = head if prefix and prefix["zh"] else atom.start
            return DateSpan(start, suffix.end(), moved.window, recurring=recurring and not moved.open)
    if prefix is not None:
        moved = _prefixed(window, prefix, context)
        if moved is not None:
            return DateSpan(head, atom.end, moved.window, recurring=recurring and not moved.open)
        onwards = _ONWARDS.match(folded, atom.end)
        if prefix["from"] and onwards:
            return DateSpan(head, onwards.end(), Window(window.first, date.max))
    return None if reading.weak else DateSpan(atom.start, atom.end, window, recurring=recurring)


def _plain(reading: Reading, position: int, context: Context, looks_back: bool) -> tuple[Window, bool]:
    """The days, and whether their year was guessed."""
    if reading.window is not None:
        return reading.window, False
    if reading.recurrence is None:
        raise ValueError("an order has no days")
    if looks_back and isinstance(reading.recurrence, Weekly):  # "before Friday" is said ahead of it
        return reading.recurrence.at_or_after(context.today), False
    return context.pick(reading.recurrence, position), reading.recurrence.yearly


def _looks_back(prefix: re.Match[str] | None, suffix: re.Match[str] | None) -> bool:
    if prefix is not None and (prefix["before"] or prefix["until"]):
        return True
    return suffix is not None and bool(suffix["before"])


class _Moved(NamedTuple):
    """`open`: one side is unbounded or today, so that the same days of other years mean nothing."""

    window: Window
    open: bool


def _prefixed(window: Window, prefix: re.Match[str], context: Context) -> _Moved | None:
    if prefix["count"]:
        return _Moved(_distance(window, prefix), False)
    if prefix["since"] or prefix["zh_since"]:
        return _since(window, context)
    if prefix["before"]:
        return _before(window)
    if prefix["after"]:
        return _after(window)
    if prefix["until"] or (prefix["zh_until"] and prefix["zh_until"] != "到"):
        return _until(window)
    if prefix["week"] and window.first == window.last:
        return _Moved(periods.week(window.first), False)
    return None


def _suffixed(
    window: Window, prefix: re.Match[str] | None, suffix: re.Match[str], context: Context
) -> _Moved | None:
    from_here = prefix is not None and bool(prefix["zh_from"] or prefix["zh_since"])
    if suffix["since"] or (suffix["start"] and from_here):
        return _since(window, context)
    if suffix["before"]:
        return _before(window)
    if suffix["after"]:
        return _after(window)
    if suffix["until"] and prefix is not None and prefix["zh_until"]:
        return _until(window)
    if suffix["nth"]:  # 国庆第二天, 5月3日第二天
        return _Moved(periods.day(window.first + (number(suffix["nth"]) - 1) * _DAY), False)
    if suffix["week"] and window.first == window.last:
        return _Moved(periods.week(window.first), False)
    if suffix["side"]:
        return _beside(window, suffix)
    return None


def _beside(window: Window, suffix: re.Match[str]) -> _Moved | None:
    """国庆前两天: both days; 春节后第二天: that day."""
    count = FEW[1] if suffix["count"] == "几" else number(suffix["count"])
    unit = {"天": "day", "日": "day", "年": "year", "个月": "month"}.get(suffix["unit"], "week")
    if suffix["exact"]:
        if suffix["side"] == "前" or unit != "day":
            return None
        return _Moved(periods.day(window.last + count * _DAY), False)
    if suffix["side"] == "前":
        return _Moved(Window(periods.shift(window.first, -count, unit), window.first - _DAY), False)
    return _Moved(Window(window.last + _DAY, periods.shift(window.last, count, unit)), False)


def _distance(window: Window, prefix: re.Match[str]) -> Window:
    """The week before A touches A; two weeks before A is the calendar week that holds that day."""
    unit, back = prefix["unit"], prefix["side"] == "before"
    if prefix["count"] == "the":
        if back:
            return Window(periods.shift(window.first, -1, unit), window.first - _DAY)
        return Window(window.last + _DAY, periods.shift(window.last, 1, unit))
    low, high = number_range(prefix["count"])
    near, far = (
        periods.unit(
            periods.shift(window.first, -n, unit) if back else periods.shift(window.last, n, unit), unit
        )
        for n in (low, high)
    )
    return Window(min(near.first, far.first), max(near.last, far.last))


def _since(window: Window, context: Context) -> _Moved:
    return _Moved(Window(window.first, max(context.today, window.last)), True)


def _before(window: Window) -> _Moved:
    return _Moved(Window(date.min, window.first - _DAY), True)


def _until(window: Window) -> _Moved:
    return _Moved(Window(date.min, window.last), True)


def _after(window: Window) -> _Moved:
    return _Moved(Window(window.last + _DAY, date.max), True)
