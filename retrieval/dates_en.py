"""Which words of an English text are a date? Here those that count from today, and the whole rule list.

Weeks begin on Monday.

- "last week", "last weekend": of the week before this one, whatever today is; "this" and "next" alike.
- "last Friday": the latest one before today; "this Friday", "next Friday": of this and of next week;
  "Friday" alone: the latest up to today, or the next where the sentence speaks ahead.
- "two weeks ago": the calendar week (month, year) that holds the day two weeks ago; with days, the day.
- "the past 3 days", "the last week": from so long ago up to and including today.
- "last night" is yesterday, "tonight" today.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

from memweir.retrieval import dates_en_calendar, dates_en_years, periods
from memweir.retrieval.dates_en_calendar import (
    PART,
    RIGHT,
    STEPS,
    WEEKDAY,
    WEEKDAYS,
    part,
    rule,
)
from memweir.retrieval.dates_grammar import (
    COUPLE,
    FEW,
    RECENT_DAYS,
    Context,
    LazyPattern,
    Reading,
    Tense,
    Weekly,
    Yearly,
)
from memweir.retrieval.types import Window

__all__ = ["COUNT", "HABIT", "RULES", "number_range", "speaks_ahead"]

_STEMS: Final = ("thir", "four", "fif", "six", "seven", "eigh", "nine")
_SMALL: Final = (
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    *(f"{stem}teen" for stem in _STEMS),
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBER_WORDS: Final = {
    "a": 1,
    "an": 1,
    **{word: n for n, word in enumerate(_SMALL, 1)},
    **{word: 10 * n for n, word in enumerate(_TENS, 2)},
}
COUNT: Final = (
    r"(?:[0-9]{1,4}|(?:a )?couple(?: of)?|(?:a )?few|several"
    rf"|{'|'.join(sorted(_NUMBER_WORDS, key=len, reverse=True))})"
)
"""A number of units; read it with `number_range`."""

HABIT: Final = LazyPattern(
    r"(?<![a-z])(?:every|each|any|most)(?:\s+(?:other|single|second|third|early|mid|late))?"
    r"(?:\s+(?:year|month|week)\s+(?:on|in|at)(?:\s+the)?)?\s+$"
)
"""Before a date word: a habit, not a date ("every Friday", "every year on May 5")."""

_AHEAD: Final = LazyPattern(
    r"(?i:(?<![a-z])(?:won't|going\s+to|gonna|upcoming|about\s+to|plan(?:s|ning)?\s+to|scheduled\s+for|due"
    r"|remind\s+me|looking\s+forward|can't\s+wait|shall)(?![a-z])|'ll(?![a-z]))"
    r"|\bwill\b|\bWill\s+(?:i|I|we|you|he|she|it|they|there|the|my|our|your)\b"  # not the name Will
)
_BACK_THEN: Final = LazyPattern(r"(?i:(?<![a-z])(?:did|didn't)(?![a-z]))")  # "what did I say I will do"


def speaks_ahead(sentence: str) -> bool:
    """Does an English sentence, its case as given, speak of what is to come, not of what was said?"""
    plain = sentence.replace("\u2019", "'")
    return _AHEAD.search(plain) is not None and _BACK_THEN.search(plain) is None


def number_range(words: str) -> tuple[int, int]:
    """The least and the most that a `COUNT` can mean."""
    if "couple" in words:
        return COUPLE
    if "few" in words or words == "several":
        return FEW
    number = _NUMBER_WORDS[words] if words in _NUMBER_WORDS else int(words)
    return number, number


# --- readings -----------------------------------------------------------------------------------------

_DAY_WORDS: Final = {
    "day before yesterday": -2,
    "yesterday": -1,
    "last night": -1,
    "tomorrow": 1,
    "day after tomorrow": 2,
}
_TITLE: Final = LazyPattern(r"(?<![a-z])(?:usa|psychology)\s+$")  # newspapers called Today


def _day_word(match: re.Match[str], context: Context) -> Reading | None:
    words = " ".join(match["x"].split()).removeprefix("the ")
    if words == "today" and _TITLE.search(context.before(match.start())):
        return None
    return Reading(periods.day(context.today + timedelta(days=_DAY_WORDS.get(words, 0))))


def _unit_at(context: Context, step: int, kind: str) -> Window:
    if kind == "weekend":
        return periods.weekend(context.today, step)
    return periods.unit(periods.shift(context.today, step, kind), kind)


def _stepped_unit(match: re.Match[str], context: Context) -> Reading:
    step = match["step"].split()[-1]
    if step == "past" and match["unit"] != "weekend":  # "past week": up to today
        return _past_one(match, context)
    return Reading(_unit_at(context, STEPS[step], match["unit"]))


def _unit_beyond(match: re.Match[str], context: Context) -> Reading:
    return Reading(_unit_at(context, -2 if match["side"] == "before last" else 2, match["unit"]))


def _the_weekend(match: re.Match[str], context: Context) -> Reading:
    begun = context.today.weekday() >= 5 or context.tense(match.start()) is not Tense.PAST
    return Reading(periods.weekend(context.today, 0 if begun else -1))


def _so_far(match: re.Match[str], context: Context) -> Reading:
    window = periods.unit(context.today, match["unit"])
    if match["side"] == "earlier":
        return Reading(Window(window.first, context.today))
    return Reading(Window(context.today, window.last))


def _part_of_unit(match: re.Match[str], context: Context) -> Reading:
    (which, third), today, step = part(match), context.today, match["step"]
    steps = STEPS.get(step or "", 0)
    if match["unit"] == "week":
        return Reading(periods.part_of_week(periods.week(today, steps), which))
    if match["unit"] == "month":
        near = periods.shift_months(today, steps)
        return Reading(periods.part_of_month(near.year, near.month, which))
    split = periods.third_of_year if third else periods.edge_of_year
    if step in STEPS:
        return Reading(split(today.year + steps, which))
    return Reading(recurrence=Yearly(lambda year: split(year, which)))


def _between(context: Context, low: int, high: int, kind: str) -> Window:
    """The calendar units `low` to `high` away."""
    return Window(_unit_at(context, low, kind).first, _unit_at(context, high, kind).last)


def _ago(match: re.Match[str], context: Context) -> Reading:
    low, high = number_range(match["count"])
    if match["most"]:
        high = max(low, number_range(match["most"])[1])
    return Reading(_between(context, -high, -low, match["unit"]))


def _half_year_ago(match: re.Match[str], context: Context) -> Reading:
    return Reading(_between(context, -6, -6, "month"))


def _hours_ago(match: re.Match[str], context: Context) -> Reading:
    unit = timedelta(hours=1) if match["unit"].startswith("h") else timedelta(minutes=1)
    if match["half"]:
        return Reading(periods.day(context.day_ago(unit / 2)))
    low, high = number_range(match["count"])
    return Reading(Window(context.day_ago(high * unit), context.day_ago(low * unit)))


def _past_hours(match: re.Match[str], context: Context) -> Reading:
    unit = timedelta(hours=1) if match["unit"].startswith("h") else timedelta(minutes=1)
    _, most = number_range(match["count"])
    return Reading(Window(context.day_ago(most * unit), context.today))


def _from_now(match: re.Match[str], context: Context) -> Reading:
    return Reading(_between(context, *number_range(match["count"]), match["unit"]))


# "I read it in three days" says how long it took.
_TOOK: Final = LazyPattern(
    r"(?<![a-z])(?:did|was|were|had|has|have|took|takes?|wrote|read|built|ran|made|done|times|once|twice|won|lost"
    r"|first|only|[a-z]{3,}est"
    r"|(?!need|feed|seed|speed|indeed|exceed|proceed|succeed)[a-z]{2,}ed)(?![a-z])"
)


def _in_time(match: re.Match[str], context: Context) -> Reading | None:
    if not match["time"] and not context.is_future(match.start()):
        if match["count"] in ("a", "an", "one"):  # "twice in a week"
            return None
        if _TOOK.search(context.before(match.start())):
            return None
    return _from_now(match, context)


def _past(match: re.Match[str], context: Context) -> Reading:
    _, most = number_range(match["count"])
    return Reading(Window(periods.shift(context.today, -most, match["unit"]), context.today))


def _past_one(match: re.Match[str], context: Context) -> Reading:
    return Reading(Window(periods.shift(context.today, -1, match["unit"]), context.today))


def _coming(match: re.Match[str], context: Context) -> Reading:
    _, most = number_range(match["count"])
    return Reading(Window(context.today, periods.shift(context.today, most, match["unit"])))


def _recently(match: re.Match[str], context: Context) -> Reading:
    return Reading(Window(context.today - timedelta(days=RECENT_DAYS), context.today))


def _other_day(match: re.Match[str], context: Context) -> Reading:
    return Reading(Window(context.today - timedelta(days=FEW[1]), context.today - timedelta(days=1)))


def _is_word(match: re.Match[str], context: Context) -> bool:
    """A lower-case "sat", "sun" or "wed" is an ordinary word."""
    return match["weekday"] in ("sat", "sun", "wed") and context.text[match.start("weekday")].islower()


def _weekday(match: re.Match[str]) -> int:
    return WEEKDAYS.index(match["weekday"][:3])


def _stepped_weekday(match: re.Match[str], context: Context) -> Reading | None:
    if _is_word(match, context):
        return None
    word = match["step"].split()[-1]
    if STEPS[word] < 0:
        return Reading(periods.day(periods.weekday_before(context.today, _weekday(match))))
    if word == "coming":
        return Reading(periods.day(periods.weekday_after(context.today, _weekday(match))))
    return Reading(_weekday_at(context, STEPS[word], _weekday(match)))


def _weekday_of_week(match: re.Match[str], context: Context) -> Reading | None:
    if _is_word(match, context):
        return None
    return Reading(_weekday_at(context, STEPS[match["step"]], _weekday(match)))


def _weekday_at(context: Context, step: int, weekday: int) -> Window:
    return periods.day(periods.week(context.today, step).first + timedelta(days=weekday))


_NAMED_DAY: Final = LazyPattern(
    r"(?<![a-z])(?:black|good|cyber|ash|palm|super|bloody|casual|ruby|blue|shrove|maundy)\s+$"
)
_ON: Final = LazyPattern(r"(?<![a-z])on\s+$")


def _bare_weekday(match: re.Match[str], context: Context) -> Reading | None:
    before = context.before(match.start())
    full = match["weekday"].endswith("day")
    if _NAMED_DAY.search(before) or _is_word(match, context):
        return None
    return Reading(recurrence=Weekly(_weekday(match)), weak=not full and not _ON.search(before))


_AT_LEAST: Final = LazyPattern(r"(?<![a-z])(?:at\s+the|at|for\s+the|for)\s+$")


def _latest(match: re.Match[str], context: Context) -> Reading | None:
    """Not "at the latest" and "for the last time"."""
    if _AT_LEAST.search(context.before(match.start())):
        return None
    return Reading(latest=True)


# --- the rules ----------------------------------------------------------------------------------------

_UNIT: Final = r"(?P<unit>day|week|fortnight|month|quarter|year)s?"
_STEP: Final = r"(?P<step>last|this|next|previous|current|this past|past|this coming|coming)"
_UNIT_HINTS: Final = ("day", "week", "night", "month", "quarter", "year")

_RELATIVE_RULES: Final = (
    rule(
        "day word",
        ("today", "yesterday", "tomorrow", "night", "this"),
        r"(?P<x>(?:the )?day before yesterday|(?:the )?day after tomorrow|(?:earlier )?today|yesterday"
        rf"|tomorrow|tonight|last night|this (?:morning|afternoon|evening)){RIGHT}",
        _day_word,
    ),
    rule(
        "stepped unit",
        _UNIT_HINTS,
        rf"(?P<x>{_STEP} (?P<unit>week|weekend|month|quarter|year)){RIGHT}(?! of )",
        _stepped_unit,
    ),
    rule(
        "unit beyond",
        ("before", "after"),
        r"(?P<x>(?:the )?(?P<unit>week|weekend|month|quarter|year) "
        rf"(?P<side>before last|after next)){RIGHT}",
        _unit_beyond,
    ),
    rule(
        "the weekend", ("weekend",), rf"(?:over|at|on|during) (?P<x>the weekend){RIGHT}", _the_weekend
    ),
    rule(
        "so far",
        ("earlier", "later"),
        rf"(?P<x>(?P<side>earlier|later) this (?P<unit>week|month|quarter|year)){RIGHT}",
        _so_far,
    ),
    rule(
        "part of unit",
        ("week", "month", "year"),
        rf"(?P<x>{PART}(?:(?P<step>last|this|next|the) )?(?P<unit>week|month|year)){RIGHT}",
        _part_of_unit,
    ),
    rule(
        "ago",
        ("ago",),
        rf"(?<![.,-])(?P<x>(?P<count>{COUNT})(?:(?: ?- ?| to | or )(?P<most>{COUNT}))? {_UNIT} ago)"
        + RIGHT,
        _ago,
    ),
    rule("half a year ago", ("ago",), rf"(?P<x>half a year ago){RIGHT}", _half_year_ago),
    rule(
        "hours ago",
        ("ago",),
        rf"(?<![.,-])(?P<x>(?:(?P<half>half an)|(?P<count>{COUNT})) (?P<unit>hour|minute|min)s? ago)"
        + RIGHT,
        _hours_ago,
    ),
    rule(
        "from now",
        ("from",),
        rf"(?<![.,-])(?P<x>(?P<count>{COUNT}) {_UNIT} from (?:now|today)){RIGHT}",
        _from_now,
    ),
    rule(
        "in time",
        ("in",),
        rf"(?P<x>in (?P<count>{COUNT}) {_UNIT}(?P<time>'? time)?){RIGHT}"
        r"(?! (?:of|ago|from|before|after) )",
        _in_time,
    ),
    rule(
        "past units",
        ("last", "past", "previous"),
        r"(?P<x>(?:the )?(?:last|past|previous|recent) "
        rf"(?P<count>(?!an? (?!few|couple)){COUNT}) {_UNIT})"
        rf"{RIGHT}(?! (?:of|in) )",
        _past,
    ),
    rule(
        "past hours",
        ("last", "past"),
        rf"(?P<x>(?:the )?(?:last|past) (?P<count>{COUNT}) (?P<unit>hour|minute|min)s?){RIGHT}(?! of )",
        _past_hours,
    ),
    rule(
        "past unit",
        ("last", "past"),
        rf"(?P<x>(?:the|this) past (?P<unit>day|week|month|quarter|year)){RIGHT}(?! of )",
        _past_one,
    ),
    rule(
        "the last unit",
        ("last",),
        rf"(?P<x>the last (?P<unit>week|month|quarter|year)){RIGHT}(?! (?:of|in|before) )",
        _past_one,
    ),
    rule(
        "coming units",
        ("next", "coming"),
        rf"(?P<x>(?:the )?(?:next|coming) (?P<count>{COUNT}) {_UNIT}){RIGHT}",
        _coming,
    ),
    rule("recently", ("recently", "lately"), rf"(?P<x>recently|lately){RIGHT}", _recently),
    rule("the other day", ("other day",), rf"(?P<x>the other day){RIGHT}", _other_day),
    rule(
        "latest",
        ("latest", "most recent", "newest", "last time"),
        rf"(?P<x>latest|most recent(?:ly)?|newest|(?:the )?last time){RIGHT}",
        _latest,
    ),
    rule("stepped weekday", WEEKDAYS, rf"(?P<x>{_STEP} {WEEKDAY})", _stepped_weekday),
    rule(
        "weekday of a week",
        ("week",),
        rf"(?P<x>{WEEKDAY} (?:of )?(?P<step>last|this|next) week){RIGHT}",
        _weekday_of_week,
    ),
    rule(
        "week's weekday",
        ("week",),
        rf"(?P<x>(?P<step>last|this|next) week(?:'s)? (?:on )?{WEEKDAY})",
        _weekday_of_week,
    ),
    rule(
        "weekday",
        WEEKDAYS,
        rf"(?P<x>{WEEKDAY})(?!\.com| (?:times|addams|night football|the 13th))",
        _bare_weekday,
    ),
)

RULES: Final = (*_RELATIVE_RULES, *dates_en_calendar.RULES, *dates_en_years.RULES)
