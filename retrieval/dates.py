"""Which days does a text speak of? Date expressions in English and Chinese, resolved against a moment.

The grammar is a list of rules a language (`dates_en`, `dates_zh`, `dates_numeric`); here they are
applied. Of overlapping readings the longest wins, an impossible date (2月30日) takes its words and
means no day, and neighbours become ranges (`dates_join`). Ordinary words ("may I", 日志) are no dates.

Where the year was not said, a question is taken to ask about the past: the latest occurrence that has
begun, or, in a sentence that speaks ahead ("will", 打算), the next one that has not ended. What is told
("we are flying on 12 June") goes by the tense of its sentence (`dates_tense`).

A text that is a list of dates is read at both ends only, where the caller says so (`read_dates`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import Final

from memweir.errors import InputError
from memweir.retrieval import dates_en, dates_numeric, dates_zh
from memweir.retrieval.dates_grammar import (
    IMPOSSIBLE,
    Context,
    LazyPattern,
    Rule,
    RuleIndex,
    Tense,
    fold,
)
from memweir.retrieval.dates_join import Atom, join
from memweir.retrieval.dates_rules import names_weekday, states_rule
from memweir.retrieval.dates_tense import told_tense
from memweir.retrieval.types import DateSpan, Window

__all__ = ["blanked", "event_window", "find_dates", "read_dates", "window_bounds_ms", "without_dates"]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MS: Final = timedelta(milliseconds=1)
_DAY_MS: Final = 86_400_000
_SENTENCE_END: Final = re.compile(r"[.!?](?=\s|$)|[。！？；;\n]")


def find_dates(text: str, now: datetime, *, told: bool = False) -> tuple[DateSpan, ...]:
    """The date expressions of a text, in text order, not overlapping.

    Args:
        text: any text; offsets are into it as given.
        now: aware; its zone is the caller's zone.
        told: the text is a statement told at `now`, not a question: where it does not look back, a
            weekday is the coming one and a day of a year the next, or, with no word for either, the
            nearest.
    Returns:
        One span per expression. A span holds the words its window depends on: "since May", not the "in"
        of "in May". Open ranges reach to `date.min` or `date.max`; "since" ends today. No span where a
        date is impossible or its holiday's year is not in the tables.
    Raises:
        InputError: `now` is naive.
    """
    return _read_dates(text, now, None, told=told)[0]


def read_dates(
    text: str, now: datetime, *, most: int | None = None
) -> tuple[tuple[DateSpan, ...], tuple[tuple[int, int], ...]]:
    """`find_dates` for a text that may be a list of dates.

    Args:
        text, now: as for `find_dates`.
        most: of one form of expression ("5月1日", "2023-05-01", "in May") so many are read, even: the
            first half of them and the last. Where a text has more and all of these are dates, those
            between them are taken for dates too and not read; where not all are, every one is read.
            None: every one is read.
    Returns:
        The date expressions as `find_dates` gives them, and (start, end) of those that were not read,
        in text order.
    Raises:
        InputError: `now` is naive.
    """
    return _read_dates(text, now, most, told=False)


def without_dates(text: str, spans: Iterable[DateSpan]) -> str:
    """The text with blanks in place of date expressions: every other offset stays."""
    return blanked(text, ((span.start, span.end) for span in spans))


def blanked(text: str, places: Iterable[tuple[int, int]]) -> str:
    """The text with blanks from each start to its end."""
    characters = list(text)
    for start, end in places:
        characters[start:end] = " " * (end - start)
    return "".join(characters)


def event_window(text: str, now: datetime) -> Window | None:
    """The one stretch of days a statement speaks about.

    Args:
        text: a statement, told at `now`.
        now: aware; its zone is the caller's zone.
    Returns:
        The window of its date expression; of several the narrowest, where it lies inside all the
        others. None where there is none or they are unrelated. A year or week that was not said is
        guessed as in `find_dates` with `told`; an open range stays open. None too where a rule or a
        habit names nothing but a weekday ("we never deploy on a Friday"): that is no single day.
    """
    spans = [span for span in find_dates(text, now, told=True) if span.window is not None]
    windows = {span.window for span in spans if span.window is not None}
    if spans and _is_rule(text, spans):
        return None
    if not windows:
        return None
    narrow = min(windows, key=lambda window: (window.last - window.first, window))
    if all(each.first <= narrow.first and narrow.last <= each.last for each in windows):
        return narrow
    return None


def _is_rule(text: str, spans: Iterable[DateSpan]) -> bool:
    """Whether every date of a text is a bare weekday in a sentence that states a rule or a habit."""
    folded = fold(text)
    stops = [0, *(match.end() for match in _SENTENCE_END.finditer(folded)), len(folded)]
    for span in spans:
        if not names_weekday(folded[span.start : span.end]):
            return False
        begin = max(stop for stop in stops if stop <= span.start)
        end = min(stop for stop in stops if stop >= span.end)
        if not states_rule(folded[begin:end], span.end - begin):
            return False
    return True


def window_bounds_ms(window: Window, zone: tzinfo) -> tuple[int, int]:
    """[start, end) of a window's calendar days in a zone, UTC milliseconds since 1970.

    A day begins at the first instant that bears its date: 01:00 where the clock jumps over midnight.
    Where the clock is set back over midnight it begins when its date comes to stay. A day that a zone
    skipped altogether is empty (start = end).
    """
    end = (
        _day_start_ms(window.last, zone) + _DAY_MS
        if window.last == date.max
        else _day_start_ms(window.last + timedelta(days=1), zone)
    )
    return _day_start_ms(window.first, zone), end


# --- applying the rules -------------------------------------------------------------------------------

_LANGUAGES: Final[tuple[tuple[RuleIndex, LazyPattern | None, bool], ...]] = (
    (RuleIndex(dates_numeric.RULES), None, True),
    (RuleIndex(dates_en.RULES), dates_en.HABIT, True),
    (RuleIndex(dates_zh.RULES), dates_zh.HABIT, False),
)  # rules, habit, whether a text in ASCII can match


def _read_dates(
    text: str, now: datetime, most: int | None, *, told: bool
) -> tuple[tuple[DateSpan, ...], tuple[tuple[int, int], ...]]:
    if now.utcoffset() is None:
        raise InputError("`now` must be aware: its zone decides which day today is")
    context = Context(text, fold(text), now, told_tense if told else _asked_tense, told)
    atoms = _longest(_candidates(context, most))
    spans = tuple(join(atoms, context)) if atoms else ()
    return spans, tuple((each.start, each.end) for each in atoms if each.unread)


def _asked_tense(text: str, folded: str) -> Tense:
    ahead = dates_en.speaks_ahead(text) or dates_zh.speaks_ahead(folded)
    return Tense.AHEAD if ahead else Tense.PAST


def _candidates(context: Context, most: int | None) -> list[Atom]:
    """Every reading of every rule, in rule order; of a rule with more than `most` matches see there."""
    folded, ascii_only = context.folded, context.folded.isascii()
    found: list[Atom] = []
    for rules, habit, reads_ascii in _LANGUAGES:
        if ascii_only and not reads_ascii:
            continue
        for rule in rules.possible(folded):
            matches = list(rule.pattern.finditer(folded))
            between: list[re.Match[str]] = []
            if most is not None and len(matches) > most:
                half = max(most // 2, 1)
                between = matches[half:-half]
                matches = [*matches[:half], *matches[-half:]]
            read = [_read(rule, match, habit, context) for match in matches]
            if between and all(map(_is_date, read)):
                group = _group(between[0])
                found += (Atom(*match.span(group), None, unread=True) for match in between)
            else:
                read += (_read(rule, match, habit, context) for match in between)
            found += (each for each in read if each is not None)
    return found


def _read(rule: Rule, match: re.Match[str], habit: LazyPattern | None, context: Context) -> Atom | None:
    start, end = match.span(_group(match))
    if habit is not None and habit.search(context.before(start)):
        return None
    try:
        reading = rule.resolve(match, context)
    except IMPOSSIBLE:
        return Atom(start, end, None)
    return None if reading is None else Atom(start, end, reading)


def _group(match: re.Match[str]) -> str | int:
    """The group that is the expression itself."""
    return "x" if "x" in match.re.groupindex else 0


def _is_date(atom: Atom | None) -> bool:
    """Whether the words can hardly mean anything else, as "march" can."""
    return atom is not None and (atom.reading is None or not atom.reading.weak)


def _longest(candidates: list[Atom]) -> list[Atom]:
    """Of overlapping readings the longest, then the earlier, then the earlier rule; in text order."""
    taken: list[Atom] = []  # in text order
    starts: list[int] = []  # of each
    for atom in sorted(candidates, key=lambda each: (each.start - each.end, each.start)):
        at = bisect_left(starts, atom.start)
        if at < len(taken) and starts[at] < atom.end:
            continue
        if at > 0 and taken[at - 1].end > atom.start:
            continue
        taken.insert(at, atom)
        starts.insert(at, atom.start)
    return taken


# --- days in a zone -----------------------------------------------------------------------------------


def _day_start_ms(day: date, zone: tzinfo) -> int:
    midnight = datetime.combine(day, time(), zone)
    early = (midnight - _EPOCH) // _MS
    late = (midnight.replace(fold=1) - _EPOCH) // _MS
    if early == late:
        return early
    if early < late:  # midnight comes twice: the second time only if the day before came back
        return late if _date_at(late - 1, zone) < day else early
    low, high = late, early  # midnight was skipped (PEP 495): the day begins where the clock jumped
    while low < high:
        middle = (low + high) // 2
        if _date_at(middle, zone) < day:
            low = middle + 1
        else:
            high = middle
    return low


def _date_at(ms: int, zone: tzinfo) -> date:
    moment = _EPOCH + timedelta(milliseconds=ms)
    try:
        return moment.astimezone(zone).date()
    except (ValueError, NotImplementedError):  # the zone does not say dst(), as it may
        offset = moment.replace(tzinfo=zone).utcoffset() or timedelta(0)
        return moment.astimezone(timezone(offset)).date()
