"""Which English words name a month or its days? "in May", "May 5th, 2023", "mid-May".

Early, mid and late (the beginning, middle and end) are days 1-10, 11-20 and 21 to the last. A month
without a year recurs; "last May" is the latest before this month, "next May" the first after it. "May"
and "March" in lower case, and "April", "June" or "August" alone, are ordinary words unless the text
shows a date.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Final

from memweir.retrieval import periods
from memweir.retrieval.dates_grammar import Context, LazyPattern, Reading, Rule, Yearly
from memweir.retrieval.types import Window

__all__ = [
    "COUNTED",
    "MONTH_HINTS",
    "NTH",
    "PART",
    "PARTS",
    "RIGHT",
    "RULES",
    "SAID",
    "STEPS",
    "TAIL",
    "WEEKDAY",
    "WEEKDAYS",
    "YEAR",
    "YEAR_RIGHT",
    "part",
    "rule",
    "said_or_yearly",
]

STEPS: Final = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "next": 1, "coming": 1}
PARTS: Final = {
    "early": "start",
    "beginning": "start",
    "start": "start",
    "mid": "middle",
    "middle": "middle",
    "late": "end",
    "end": "end",
}
WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MONTH_HINTS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)

NTH: Final = {
    **{word: n for n, word in enumerate(("first", "second", "third", "fourth", "fifth"), 1)},
    **{word: n for n, word in enumerate(("1st", "2nd", "3rd", "4th", "5th"), 1)},
    "last": -1,
}
_ONES: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_ORDINALS: Final = (  # of the days of a month
    *_ONES,
    "tenth",
    "eleventh",
    "twelfth",
    *(f"{stem}teenth" for stem in ("thir", "four", "fif", "six", "seven", "eigh", "nine")),
    "twentieth",
    *(f"twenty-{one}" for one in _ONES),
    "thirtieth",
    "thirty-first",
)

# --- pieces of patterns -------------------------------------------------------------------------------
# A blank stands for one to four white-space characters, " ?" for none to four (see `rule`).

_LEFT: Final = r"(?<![a-z0-9_])"
RIGHT: Final = r"(?![a-z0-9_])"
_MONTH: Final = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    rf"|sept(?:ember)?|sep|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?){RIGHT}"
)
_WEEKDAY_FULL: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_WEEKDAY_ANY: Final = rf"(?:{_WEEKDAY_FULL}|mon|tues?|wed|thur?s?|fri|sat|sun)"
WEEKDAY: Final = rf"(?P<weekday>{_WEEKDAY_ANY}){RIGHT}"

YEAR: Final = r"(?:1[0-9]|20|21)[0-9]{2}"
YEAR_RIGHT: Final = r"(?![a-z0-9_]|[-/.:,][0-9])"
SAID: Final = rf"(?:(?P<year>{YEAR}){YEAR_RIGHT}|(?P<relative>last|this|next) year{RIGHT})"
TAIL: Final = rf"(?:,? (?:(?:of|in) )?{SAID})"  # ", 2023", " of last year", " last year"

_DAY: Final = r"(?P<day>[0-9]{1,2})(?P<suffix>st|nd|rd|th)?(?![a-z0-9_]|[:.,%][0-9])"
_TO_DAY: Final = (
    r"(?:(?: ?[-~] ?| (?:to|through|until) )(?P<until>[0-9]{1,2})(?:st|nd|rd|th)?"
    r"(?![a-z0-9_]|[:.,%][0-9]))?"
)
_NAMED_BEFORE: Final = rf"(?:{_WEEKDAY_ANY}\.?,? (?:the )?)?"  # "Friday, May 5"
_NAMED_AFTER: Final = rf"(?:, {_WEEKDAY_FULL}{RIGHT}| ?\({_WEEKDAY_FULL}\))?"
# A number before one of these counts them: "in May 20 people came", "in 2000 lines".
COUNTED: Final = (
    r"(?! (?:people|persons?|users?|lines?|files?|rows?|items?|dollars?|euros?|pounds?|km|miles?"
    r"|kilomet\w+|met(?:er|re)s?|words?|tokens?|chars?|characters?|ms|seconds?|secs?|minutes?|mins?|hours?|hrs?"
    r"|days?|weeks?|months?|years?|times|points?|bytes?|kb|mb|gb|records?|requests?|tests?|pages?|steps?"
    r"|calories|units?|pieces?|votes?|percent|students?|guests?|kids|children|men|women|others?|more"
    rf"|different|degrees|games?|cases?|cups?|tickets?|of (?:us|you|them|these|those)){RIGHT}|\s?[%°])"
)
PART: Final = r"(?P<part>(?:early|mid|late)(?:-| )|(?:the )?(?:beginning|start|middle|end) of )"

_DATE_FOLLOWS: Final = LazyPattern(
    r"(?<![a-z])(?:on|since|until|till|before|after|from|between|to|by|and|for)(?:\s+the)?\s+$"
)
_MONTH_FOLLOWS: Final = LazyPattern(
    r"(?<![a-z])(?:in|during|throughout|around|since|until|till)(?:\s+the\s+month\s+of)?\s+$"
)
_SURNAME: Final = LazyPattern(r"\s[A-Z][a-z]")
_NOT_WORDS: Final = ("january", "february", "july", "september", "october", "november", "december")
_AFTER_MAY: Final = LazyPattern(
    r"\s+(?:i|we|you|he|she|it|they|be|not|have|has|well|also|still|never|only|or|need|take|come|seem|want"
    r"|help|the)(?![a-z])"
)


def rule(
    name: str,
    needs: tuple[str, ...],
    pattern: str,
    resolve: Callable[[re.Match[str], Context], Reading | None],
    hint: str | None = None,
) -> Rule:
    """A rule that begins at a word's beginning."""
    return Rule(name, needs, _compile(_LEFT + pattern), resolve, _compile(hint) if hint else None)


def _compile(pattern: str) -> LazyPattern:
    return LazyPattern(pattern.replace(" ?", r"\s{0,4}").replace(" ", r"\s{1,4}"))


def part(match: re.Match[str]) -> tuple[str, bool]:
    """One of "start", "middle" and "end", and whether it was said as early, mid, late."""
    words = match["part"].replace("-", " ").split()
    word = words[1] if words[0] == "the" else words[0]
    return PARTS[word], word in ("early", "mid", "late")


def _is_word(match: re.Match[str], context: Context, *, evidence: bool) -> bool:
    """Is the month's name an ordinary word here? A lower-case "may" or "march" needs `evidence`, and
    "may" before a pronoun or verb is never a month unless capitalised."""
    word = match["month"]
    if word not in ("may", "march") or context.text[match.start("month")] != word[0]:
        return False
    return not evidence or (
        word == "may" and _AFTER_MAY.match(context.folded, match.end("month")) is not None
    )


# --- readings -----------------------------------------------------------------------------------------


def _month(match: re.Match[str]) -> int:
    return MONTH_HINTS.index(match["month"][:3]) + 1


def said_or_yearly(match: re.Match[str], context: Context, in_year: Callable[[int], Window]) -> Reading:
    if match["year"]:
        return Reading(in_year(int(match["year"])))
    if match["relative"]:
        return Reading(in_year(context.today.year + STEPS[match["relative"]]))
    return Reading(recurrence=Yearly(in_year))


def _days(year: int, month: int, first: int, last: int) -> Window:
    if last < first:
        raise ValueError("the range runs backwards")
    return Window(date(year, month, first), date(year, month, last))


def _day_of_month(
    match: re.Match[str], context: Context, first: int, *, evidence: bool
) -> Reading | None:
    last = int(match["until"]) if match["until"] else first
    evidence = (
        evidence or bool(match["year"]) or bool(_DATE_FOLLOWS.search(context.before(match.start())))
    )
    if first > 31 or last > 31 or _is_word(match, context, evidence=evidence):
        return None
    month = _month(match)
    return said_or_yearly(match, context, lambda year: _days(year, month, first, last))


def _month_day(match: re.Match[str], context: Context) -> Reading | None:
    return _day_of_month(match, context, int(match["day"]), evidence=bool(match["suffix"]))


def _day_month(match: re.Match[str], context: Context) -> Reading | None:
    first = _ORDINALS.index(match["word"]) + 1 if match["word"] else int(match["day"])
    return _day_of_month(match, context, first, evidence=bool(match["of"]))


def _whole_month(match: re.Match[str], context: Context) -> Reading | None:
    if _is_word(match, context, evidence=True):
        return None
    month = _month(match)
    return said_or_yearly(match, context, lambda year: periods.month(year, month))


def _bare_month(match: re.Match[str], context: Context) -> Reading | None:
    if _is_word(match, context, evidence=True):
        return None
    month, before = _month(match), context.before(match.start())
    weak = match["month"] not in _NOT_WORDS and not _MONTH_FOLLOWS.search(before)
    if weak and _SURNAME.match(context.text, match.end()):
        return None  # June Lockhart
    return Reading(recurrence=Yearly(lambda year: periods.month(year, month)), weak=weak)


_SENTENCE_GOES_ON: Final = LazyPattern(r"\s*[^\s?.!,;:)\]。，？！]")


def _stepped_month(match: re.Match[str], context: Context) -> Reading | None:
    closes = not _SENTENCE_GOES_ON.match(context.folded, match.end())
    if _is_word(match, context, evidence=closes):  # "this may work" is no month, "this May" is
        return None
    month, step, year = _month(match), STEPS[match["step"]], context.today.year
    if step < 0 and month >= context.today.month:
        year -= 1
    if step > 0 and month <= context.today.month:
        year += 1
    return Reading(periods.month(year, month))


def _part_of_month(match: re.Match[str], context: Context) -> Reading | None:
    if _is_word(match, context, evidence=True):
        return None
    month, (which, _) = _month(match), part(match)
    return said_or_yearly(match, context, lambda year: periods.part_of_month(year, month, which))


def _nth_of_month(match: re.Match[str], context: Context) -> Reading | None:
    nth, what = NTH[match["nth"]], match["what"]

    def place(year: int, month: int) -> Window:
        if what == "week":
            if nth < 0:
                return periods.last_days_of_month(year, month, 7)
            return periods.week_of_month(year, month, nth)
        if what == "day":
            if nth < 0:
                return periods.last_days_of_month(year, month, 1)
            return periods.day(date(year, month, nth))
        return periods.day(periods.nth_weekday(year, month, WEEKDAYS.index(what[:3]), nth))

    if match["of"]:
        near = periods.shift_months(context.today, STEPS.get(match["of"], 0))
        return Reading(place(near.year, near.month))
    if _is_word(match, context, evidence=True):
        return None
    month = _month(match)
    return said_or_yearly(match, context, lambda year: place(year, month))


_NTH_WORDS: Final = "|".join(NTH)

RULES: Final = (
    rule(
        "month day",
        MONTH_HINTS,
        rf"(?P<x>{_NAMED_BEFORE}{_MONTH}\.? (?:the )?{_DAY}{COUNTED}{_TO_DAY}{_NAMED_AFTER}{TAIL}?)",
        _month_day,
        r"[a-z.] (?:the )?[0-9]",
    ),
    rule(
        "from day to day",
        ("from", "between"),
        rf"(?P<x>(?:from|between) (?:the )?{_MONTH}\.? (?:the )?{_DAY}"
        r"(?: ?[-~] ?| (?:to|through|until|and) )"
        rf"(?P<until>[0-9]{{1,2}})(?:st|nd|rd|th)?{RIGHT}{TAIL}?)",
        _month_day,
        r"[a-z.] (?:the )?[0-9]",
    ),
    rule(
        "day month",
        MONTH_HINTS,
        rf"(?<![.,:/$#-])(?P<x>{_NAMED_BEFORE}(?:the )?"
        rf"(?:{_DAY}{_TO_DAY}|(?P<word>{'|'.join(_ORDINALS)})(?= of ))"
        rf" (?P<of>of )?{_MONTH}{TAIL}?)",
        _day_month,
        r"[0-9](?:st|nd|rd|th)? [a-z]|[a-z] of ",
    ),
    rule(
        "month year",
        MONTH_HINTS,
        rf"(?P<x>{_MONTH}\.?{TAIL})",
        _whole_month,
        r"[a-z.],? (?:[0-9]|of |in |last |this |next )",
    ),
    rule("month", MONTH_HINTS, rf"(?P<x>{_MONTH})", _bare_month),
    rule(
        "stepped month",
        MONTH_HINTS,
        rf"(?P<x>(?P<step>last|this|next|coming) {_MONTH})(?! [0-9])",
        _stepped_month,
    ),
    rule("part of month", MONTH_HINTS, rf"(?P<x>{PART}{_MONTH}{TAIL}?)", _part_of_month),
    rule(
        "nth of month",
        ("week", "day"),
        rf"(?P<x>(?:the )?(?P<nth>{_NTH_WORDS}) (?P<what>week|day|{_WEEKDAY_FULL}) (?:of|in) "
        rf"(?:(?P<of>the|this|last|next) month{RIGHT}|{_MONTH}{TAIL}?))",
        _nth_of_month,
        r"(?:week|day) (?:of|in) ",
    ),
)
