"""Which numbers, times, dates and amounts does a statement hold? Each in one form, whatever its words.

On top of the values that retrieval marks (`memweir.retrieval.typed_values`): full dates, shares,
lengths of time, amounts of data, English number words, and the half of the day of a clock time.
"""

from __future__ import annotations

import re
from typing import Final

from memweir.retrieval.typed_values import MARK, mark_values

__all__ = ["fold_amounts"]

_WORDS: Final = {
    word: number
    for number, word in enumerate(
        (
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
            *(
                "eleven",
                "twelve",
                "thirteen",
                "fourteen",
                "fifteen",
                "sixteen",
                "seventeen",
                "eighteen",
            ),
            "nineteen",
        )
    )
    if number > 1
} | {
    word: 10 * number
    for number, word in enumerate(
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), 2
    )
}
_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            *("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul"),
            *("august aug", "september sep sept", "october oct", "november nov", "december dec"),
        ),
        1,
    )
    for name in names.split()
}
_MONTH: Final = "|".join(sorted(_MONTHS, key=lambda name: (-len(name), name)))
_ISO: Final = re.compile(r"\b(?P<y>[0-9]{4})[-/.](?P<m>[0-9]{1,2})[-/.](?P<d>[0-9]{1,2})\b")
_HAN_DATE: Final = re.compile(r"(?P<y>[0-9]{4}) ?年 ?(?P<m>[0-9]{1,2}) ?月 ?(?P<d>[0-9]{1,2}) ?[日号]")
_DAY_MONTH: Final = re.compile(
    rf"\b(?P<d>[0-9]{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<m>{_MONTH})\.?,? (?P<y>[0-9]{{4}})\b"
)
_MONTH_DAY: Final = re.compile(
    rf"\b(?P<m>{_MONTH})\.? (?P<d>[0-9]{{1,2}})(?:st|nd|rd|th)?,? (?P<y>[0-9]{{4}})\b"
)
_NUMBER_WORDS: Final = re.compile(
    rf"\b(?P<n>{'|'.join(_WORDS)})(?:[- ](?P<one>{'|'.join(list(_WORDS)[:8])}))?\b(?!-)"
)
_HALF_PAST: Final = re.compile(
    r"\b(?P<what>half past|quarter past|quarter to|a quarter past|a quarter to) (?P<h>[0-9]{1,2})\b"
)
_OCLOCK: Final = re.compile(r"\b(?P<h>[0-9]{1,2}) ?o'? ?clock\b")
_PERCENT: Final = re.compile(
    r"百分之(?P<zh>[0-9]+(?:\.[0-9]+)?)|(?P<n>[0-9]+(?:\.[0-9]+)?) ?(?:%|percent\b|per cent\b)"
)
_HAN_PERCENT: Final = re.compile("百分之(?P<n>[零一二三四五六七八九十两]+)")
_SIZES: Final = {"k": 1, "m": 1_024, "g": 1_024**2, "t": 1_024**3}
_SIZE: Final = re.compile(r"(?<![\w.])(?P<n>[0-9]+(?:\.[0-9]+)?) ?(?P<u>[kmgt])i?b\b", re.ASCII)
_SPANS: Final = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds", "秒", "秒钟"), 1),
    **dict.fromkeys(("min", "mins", "minute", "minutes", "分钟"), 60),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours", "小时", "个小时", "钟头", "个钟头"), 3_600),
    **dict.fromkeys(("day", "days", "天"), 86_400),
    **dict.fromkeys(("week", "weeks", "周", "个星期", "星期", "个礼拜"), 604_800),
}
_SPAN_EN, _SPAN_ZH = (
    "|".join(
        sorted(
            (unit for unit in _SPANS if unit.isascii() is latin), key=lambda unit: (-len(unit), unit)
        )
    )
    for latin in (True, False)
)
_SPAN: Final = re.compile(
    rf"(?<![\w.:])(?P<n>[0-9]+(?:\.[0-9]+)?)[ -]?(?:(?P<en>{_SPAN_EN})\b|(?P<zh>{_SPAN_ZH}))",
    re.ASCII,
)
_HAN_SPAN: Final = re.compile(
    "(?P<n>[零一二三四五六七八九十两半百]+)"
    "(?=个?(?:小时|钟头)|分钟|秒|天(?!气|空|然|才)|个?星期|个?礼拜)"
)
_FIGURES: Final = {figure: value for value, figure in enumerate("零一二三四五六七八九")} | {"两": 2}
_PARTS: Final = "凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里"
_CLOCK: Final = re.compile(
    rf"(?P<zh>{_PARTS})? *{MARK}clock(?P<h>[0-9]+):(?P<m>[0-9]+)"
    r"(?P<en> +(?:in the (?:morning|afternoon|evening)|at night))?"
)
_HAN_HOUR: Final = re.compile(f"(?<={_PARTS})(?P<h>[一两])点(?![半钟整零一二三四五六七八九十0-9])")
_LATER: Final = ("下午", "傍晚", "晚上", "夜里", "in the afternoon", "in the evening", "at night")


def fold_amounts(folded: str) -> str:
    """A folded text with every value it gives as one token; what is no value stays as it is."""
    for pattern in (_ISO, _HAN_DATE, _DAY_MONTH, _MONTH_DAY):
        folded = pattern.sub(_date, folded)
    folded = _NUMBER_WORDS.sub(
        lambda match: str(_WORDS[match["n"]] + _WORDS.get(match["one"] or "", 0)), folded
    )
    folded = _HALF_PAST.sub(_past, folded)
    folded = _OCLOCK.sub(r"\g<h>:00", folded)
    folded = _HAN_PERCENT.sub(lambda match: f"百分之{_han(match['n'])}", folded)
    folded = _PERCENT.sub(lambda match: f" {MARK}share{float(match['zh'] or match['n']):g} ", folded)
    folded = _SIZE.sub(
        lambda match: f" {MARK}size{float(match['n']) * _SIZES[match['u']]:.12g} ", folded
    )
    folded = _HAN_SPAN.sub(lambda match: str(_han(match["n"])), folded)
    folded = _SPAN.sub(_span, folded)
    folded = _HAN_HOUR.sub(lambda match: f"{_han(match['h'])}点", folded)
    return _CLOCK.sub(_clock, mark_values(folded))


def _date(match: re.Match[str]) -> str:
    month = match["m"]
    number = int(month) if month.isdigit() else _MONTHS[month]
    return f" {MARK}date{int(match['y'])}.{number}.{int(match['d'])} "


def _past(match: re.Match[str]) -> str:
    hour, what = int(match["h"]), match["what"]
    if what.startswith("half"):
        return f"{hour}:30"
    return f"{hour}:15" if what.endswith("past") else f"{(hour - 1) % 12 or 12}:45"


def _span(match: re.Match[str]) -> str:
    unit = match["en"] or match["zh"]
    return f" {MARK}second{float(match['n']) * _SPANS[unit]:.12g} "


def _clock(match: re.Match[str]) -> str:
    hour = int(match["h"])
    half = match["zh"] or (match["en"] or "").strip()
    if half in _LATER and 0 < hour < 12:
        hour += 12
    return f" {MARK}clock{hour}:{match['m']} "


def _han(written: str) -> float | int:
    """The value of a Chinese number below a thousand; 半 is a half."""
    if written == "半":
        return 0.5
    total, digit = 0, 0
    for character in written:
        if character == "百":
            total, digit = total + (digit or 1) * 100, 0
        elif character == "十":
            total, digit = total + (digit or 1) * 10, 0
        elif character != "半":
            digit = _FIGURES[character]
    return total + digit + (0.5 if written.endswith("半") else 0)
