"""Which numbers, times and days does a sentence hold? Each as one token, the same in both languages.

`mark_values` rewrites "三点半", "3:30 pm" and "周四" as marked tokens, so that a value can be told from
what it is the value of, and two values can be compared by kind.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["MARK", "kind_of", "mark_values"]

MARK: Final = "\ue000"  # for private use; no cleaned text means anything by it

_DAYS: Final = {
    day: number
    for number, days in enumerate(("一", "二", "三", "四", "五", "六", "日天"), 1)
    for day in days
}
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
    *("november", "december"),
)
_UNAMBIGUOUS: Final = "|".join(month for month in _MONTHS if month not in ("may", "march"))
_DIGITS: Final = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {
    "两": 2,
    "〇": 0,
}
_UNITS: Final = {"十": 10, "百": 100, "千": 1_000}
_FIGURES: Final = "零一二三四五六七八九十百千两〇"
_SMALL: Final = f"(?:[0-9]{{1,2}}|[{_FIGURES}]{{1,3}})"

_CHINESE: Final = re.compile(
    "(?P<which>下下|上上|[本这下上])?"
    "(?P<week>(?:周|星期|礼拜)(?P<day>一(?![个起样些定直])|[二三四五六日天]))(?![岁年期])"
    # 一点 and 两点 alone are "a bit" and "two points".
    rf"|(?P<hour>(?![一两]点(?![半钟整零一二三四五六七八九十0-9])){_SMALL}) ?点"
    rf"(?:钟|整|(?P<half>半)|(?P<quarter>[一三])刻| ?(?P<minute>{_SMALL}) ?分?)?(?![^\W\d_]?[0-9])"
    r"|(?P<month>[0-9]{1,2}|[一二三四五六七八九十]{1,2}) ?月"
    rf"(?:份|(?: ?(?P<of_month>{_SMALL}) ?[日号])?)"
    rf"|(?P<date>[0-9]{{1,2}}|[二三]?十?[一二三四五六七八九十]) ?[号日](?![线楼码院机店])"
    rf"|(?P<number>[{_FIGURES}]*[十百千万][{_FIGURES}万]*)(?![分万])"
)
_ENGLISH: Final = re.compile(
    r"(?P<clock>(?<![0-9a-z:.])[0-9]{1,2}(?::[0-9]{2})?) ?(?P<half>[ap])\.?m\b\.?"
    r"|(?<![0-9a-z:.])(?P<hour>[0-9]{1,2}:[0-9]{2})(?![0-9:])"
    rf"|\b(?P<week>(?:{'|'.join(_WEEKDAYS)}))s?\b"
    rf"|\b(?P<month>{_UNAMBIGUOUS}|(?:may|march)(?= [0-9]))\b"
)
_HINT: Final = re.compile(
    r"day|:[0-9]|[0-9] ?[ap]\.?m|january|february|march|april|may|june|july|august|ber\b"
)
_HAS_CHINESE: Final = re.compile("[周星礼点月号日十百千]")
_KIND: Final = re.compile(rf"{MARK}([a-z]+)")
_NUMBER: Final = re.compile(
    r"v?[0-9][0-9.,:-]*(?:th|st|nd|rd)?%?|[$€£¥][0-9][0-9.,]*|[0-9]+(?:[a-z]{1,4}/?)"
)


def mark_values(text: str) -> str:
    """The folded text with weekdays, times, months and Chinese numbers as marked tokens."""
    if not text.isascii() and _HAS_CHINESE.search(text):
        text = _CHINESE.sub(_chinese, text)
    if _HINT.search(text):
        text = _ENGLISH.sub(_english, text)
    return text


def kind_of(token: str) -> str:
    """week, clock, month or number; "" for a word."""
    if token[:1] == MARK:
        found = _KIND.match(token)
        return found.group(1) if found else ""
    return "number" if _NUMBER.fullmatch(token) else ""


def _chinese(match: re.Match[str]) -> str:
    if day := match["day"]:
        which = match["which"]
        marked = _marked("week", str(_DAYS[day]))
        return f" {which}周{marked}" if which else marked
    if hour := match["hour"]:
        minute = (
            "30"
            if match["half"]
            else {"一": "15", "三": "45"}.get(match["quarter"] or "", match["minute"] or "0")
        )
        return _marked("clock", f"{_value(hour)}:{_value(minute):02}")
    if month := match["month"]:
        of_month = match["of_month"]
        marked = _marked("month", str(_value(month)))
        return f"{marked}{_value(of_month)} " if of_month else marked
    if date := match["date"]:
        return f" {_value(date)} "
    number = match["number"]
    return (
        match.group() if number in ("千万", "万千", "十", "百", "千", "万") else f" {_value(number)} "
    )


def _english(match: re.Match[str]) -> str:
    if clock := match["clock"]:
        hour, _, minute = clock.partition(":")
        afternoon = 12 if match["half"] == "p" and int(hour) < 12 else 0
        return _marked("clock", f"{int(hour) + afternoon}:{minute or '00'}")
    if clock := match["hour"]:
        hour, _, minute = clock.partition(":")
        return _marked("clock", f"{int(hour)}:{minute}")
    if week := match["week"]:
        return _marked("week", str(_WEEKDAYS.index(week) + 1))
    return _marked("month", str(_MONTHS.index(match["month"]) + 1))


def _marked(kind: str, value: str) -> str:
    return f" {MARK}{kind}{value} "


def _value(written: str) -> int:
    """The value of a number in digits or in Chinese."""
    if written.isascii():
        return int(written)
    total = section = digit = 0
    for character in written:
        if character in _DIGITS:
            digit = digit * 10 + _DIGITS[character] if digit else _DIGITS[character]
        elif character == "万":
            total += (section + digit or 1) * 10_000
            section = digit = 0
        else:
            section += (digit or 1) * _UNITS[character]
            digit = 0
    return total + section + digit
