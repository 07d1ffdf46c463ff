"""Which digits of a text are a person's telephone number?

A shape proposes, the words around it and the numbering plans decide: whether the digits are a number
of their own, whether the number is assigned, and whether to people rather than to services (400, 800
and short numbers are nobody's). What any number may look like - ten digits in a row, a local number -
counts only beside a word for a telephone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from memweir.store.gate_rules import LazyPattern
from memweir.store.personal_numbers import (
    address_before,
    any_of,
    is_amount,
    is_joined_after,
    is_joined_before,
    is_named_otherwise,
    line_after,
    line_before,
)

__all__ = ["phones"]


def phones(text: str) -> Iterator[tuple[int, int]]:
    """Spans of telephone numbers in a folded text, in its order, none overlapping."""
    done = 0
    for match in _START.finditer(text):
        start = match.start()
        if start >= done and (end := _end_of_phone(text, start)) is not None:
            yield start, end
            done = end


def _end_of_phone(text: str, start: int) -> int | None:
    """Where the number that begins here ends; None where none does."""
    found = [
        (judge, match)
        for shape, judge in _SHAPES
        if (match := shape.match(text, start)) is not None and _is_long_enough(match.group())
    ]
    begins = (
        not is_joined_before(text, start) or _GLUED.search(line_before(text, start, 10)) is not None
    )
    if not found or not (begins or text[start - 1] == "/"):
        return None
    if address := address_before(text, start):
        return _in_address(text, start, address)
    if not begins:
        return None
    return next((end for judge, match in found if (end := judge(text, match)) is not None), None)


# --- judges: where the number of a match ends, None where the match is no number --------------------


def _international(text: str, match: re.Match[str]) -> int | None:
    """The longest part of the match that is a number: other digits may stand behind it."""
    from memweir.store.personal_plans import is_calling_code, is_personal, is_unassigned, read

    start = match.start()
    if is_named_otherwise(text, start, bare=False):
        return None
    plus = "+" in match.group()
    named = _is_beside_word(text, *match.span()) or _NUMBER_BEFORE.search(line_before(text, start, 24))
    parts = list(_DIGITS.finditer(text, *match.span()))
    code = parts[0].group()
    for part in reversed(parts):
        written = text[start : part.end()]
        digits = _only_digits(written.replace("(0)", "")).removeprefix("" if plus else "00")
        if not 7 <= len(digits) <= 15 or written.count("(") > written.count(")"):
            continue
        if is_joined_after(text, part.end()) or _DATE.search(written) is not None:
            continue
        if not named and written.startswith("+ "):
            continue  # an addition
        if plus and part is not parts[0] and len(code) < 4 and not is_calling_code(code):
            continue  # "UTC +8 2024"
        number = read("+" + digits, None)
        if number is None or not (plus or named or number.country_code == 86):
            continue
        if is_personal(number) or (named and is_unassigned(number)):
            return part.end()
    return None


def _mobile(text: str, match: re.Match[str]) -> int | None:
    if not _stands_free(text, match):
        return None
    glued = match["prefix"] and not match["space"] and not match["prefix"].endswith(")")
    if glued and not _is_beside_word(text, *match.span()):
        return None  # thirteen digits in a row
    return _if_personal(match, match["number"], "CN")


def _landline(text: str, match: re.Match[str]) -> int | None:
    extension = _EXTENSION.match(text, match.end())
    if not _stands_free(text, match, end=extension.end() if extension is not None else None):
        return None
    return _if_personal(match, match.group(), "CN")


def _north_american(text: str, match: re.Match[str]) -> int | None:
    return _if_personal(match, match.group(), "US") if _stands_free(text, match) else None


def _row(text: str, match: re.Match[str]) -> int | None:
    """Digits in a row: seven or eight are a local number when a word is tied to them."""
    digits = match.group()
    local = len(digits) < 9
    named = _is_tied_to_word(text, match.start()) if local else _is_beside_word(text, *match.span())
    if not named or digits in _COUNTED or not _stands_free(text, match):
        return None
    return _if_known(match, digits)


def _groups(text: str, match: re.Match[str]) -> int | None:
    """Any groups of digits that a word is tied to; with a leading 0 one beside them is enough."""
    digits = _only_digits(match.group())
    # Pairs of digits are drawn at a lottery, too.
    zero = digits[0] == "0" and len(digits) >= 10 and len(_DIGITS.findall(match.group())) <= 4
    if not (_is_tied_to_word(text, match.start()) or (zero and _is_beside_word(text, *match.span()))):
        return None
    if len(digits) < 9 and _LOCAL_GROUPS.fullmatch(match.group()) is None:
        return None
    return _if_known(match, digits) if _stands_free(text, match) else None


def _in_address(text: str, start: int, address: str) -> int | None:
    """In a URL only what the URL itself calls a telephone number is one."""
    from memweir.store.personal_plans import is_personal_in

    match = _ADDRESS_NUMBER.match(text, start)
    if match is None or _ADDRESS_TIE.search(address.lower()) is None:
        return None
    digits = _only_digits(match.group())
    return match.end() if is_personal_in("+" + digits, "CN") or is_personal_in(digits, "CN") else None


def _if_personal(match: re.Match[str], digits: str, region: str) -> int | None:
    from memweir.store.personal_plans import is_personal_in

    return match.end() if is_personal_in(_only_digits(digits), region) else None


def _if_known(match: re.Match[str], digits: str) -> int | None:
    if len(digits) < 9:  # no plan tells local numbers apart
        return match.end() if digits[0] in "23456789" and len(set(digits)) > 2 else None
    from memweir.store.personal_plans import is_national

    return match.end() if is_national(digits) else None


def _stands_free(text: str, match: re.Match[str], *, end: int | None = None) -> bool:
    """Whether nothing in or around the match makes it another number, a date or an amount."""
    start, end = match.start(), end if end is not None else match.end()
    written = match.group()
    in_a_row = written.isdigit()
    if is_joined_after(text, end) or _DATE.match(written) is not None:
        return False
    if " " in written and (
        _GROUP_BEFORE.search(text[max(0, start - 12) : start]) is not None
        or _GROUP_AFTER.match(text, end) is not None
    ):
        return False  # a row of a table
    if is_named_otherwise(text, start, bare=in_a_row):
        return False
    return not (in_a_row and is_amount(text, start, end))


def _only_digits(written: str) -> str:
    return "".join(_DIGITS.findall(written))


def _is_long_enough(written: str) -> bool:
    return len(written) >= 7 and len(_only_digits(written)) >= 7


# --- shapes -------------------------------------------------------------------------------------

# Seven digits with little between them are the least that a shape has. A bracket is a part of the
# number where it closes behind a first group.
_START: Final = re.compile(
    r"(?<![0-9])(?:\((?=\+?[0-9]{1,5}\))\+?|\+ ?)?(?=[0-9](?:[^0-9\n]{0,3}[0-9]){6})"
)
_INTERNATIONAL: Final = re.compile(
    r"(?:\(\+[1-9][0-9]{0,2}\)[ -]?[0-9]{1,14}|\+ ?[1-9][0-9]{0,14}|00[ -]?[1-9][0-9]{0,14})"
    r"(?:(?: ?\([0-9]{1,5}\)[ -]?|[ ./-])[0-9]{1,12}){0,7}"
)
_MOBILE: Final = re.compile(  # of mainland China: 11, 3-4-4, 3-3-5, 3-8, 4-3-4
    r"(?P<prefix>\(?86\)?(?P<space>[ -]?))?"
    r"(?P<number>1[3-9][0-9](?:[0-9]{8}"
    r"|(?P<mark>[ .-])(?:[0-9]{4}(?P=mark)[0-9]{4}|[0-9]{3}(?P=mark)[0-9]{5})|[ -][0-9]{8})"
    r"|1[3-9][0-9]{2}(?P<sign>[ -])[0-9]{3}(?P=sign)[0-9]{4})(?![0-9])"
)
_LANDLINE: Final = re.compile(  # of mainland China, with the code of the place
    r"(?:\(0[1-9][0-9]{1,2}\) ?|0[1-9][0-9]{1,2}[ -])[0-9]{3,4}[ -]?[0-9]{4}(?![0-9])"
)
_NORTH_AMERICAN: Final = re.compile(
    r"(?:(?:1[ -]?)?\([2-9][0-9]{2}\)[ -]?[2-9][0-9]{2}[ .-]"
    r"|(?:1[ -])?[2-9][0-9]{2}[ /-][2-9][0-9]{2}[ -]"
    r"|(?:1\.)?[2-9][0-9]{2}\.[2-9][0-9]{2}\.)[0-9]{4}(?![0-9])"
)
_ROW: Final = re.compile(r"[0-9]{7,13}(?![0-9])")
_GROUPS: Final = re.compile(
    r"(?:\([0-9]{2,5}\) ?|[0-9]{2,5}[ .-])(?:[0-9]{2,5}[ .-]){0,4}[0-9]{2,8}(?![0-9])"
)
_SHAPES: Final[tuple[tuple[re.Pattern[str], Callable[[str, re.Match[str]], int | None]], ...]] = (
    (_INTERNATIONAL, _international),
    (_MOBILE, _mobile),
    (_LANDLINE, _landline),
    (_NORTH_AMERICAN, _north_american),
    (_ROW, _row),
    (_GROUPS, _groups),
)

_DIGITS: Final = re.compile(r"[0-9]+")
_COUNTED: Final = "01234567890123456789"  # what is typed where no number is meant
_LOCAL_GROUPS: Final = re.compile(r"[0-9]{3,4}[ -][0-9]{4}")
_EXTENSION: Final = re.compile(r"-[0-9]{1,4}(?![0-9A-Za-z-])")
_GROUP_BEFORE: Final = re.compile(r"(?<![0-9])(?:[0-9]{3,6}|[0-9]{1,6} [0-9]{1,2}) $")
_GROUP_AFTER: Final = re.compile(r" (?:[0-9]{3,6}|[0-9]{1,2} [0-9]{1,6})(?![0-9])")
_DATE: Final = re.compile(
    r"(?<![0-9])(?:(?:19|20)[0-9]{2}(?:(?:0[1-9]|1[0-2])[0-3][0-9]"
    r"|(?P<mark>[ ./-])(?:0?[1-9]|1[0-2])(?P=mark)[0-3]?[0-9])"
    r"|[0-3]?[0-9](?P<sign>[./-])[0-3]?[0-9](?P=sign)(?:19|20)[0-9]{2})(?![0-9])"
)

# --- words --------------------------------------------------------------------------------------

_CHINESE_NAMES: Final = any_of("电话 電話 手机 手機 座机 座機 固话 固話 传真 傳真 小灵通 小靈通")
_CHINESE_WORDS: Final = any_of("号码 號碼 致电 致電 拨打 撥打 联系 聯繫 聯絡 微信 短信 简讯 簡訊")
_NAMES: Final = (
    r"(?:(?<![a-z])(?:tele(?:phone|fon)|tel|phone|cell(?:phone)?|mobile|handy|whats-?app|fax)"
    rf"|{_CHINESE_NAMES})"
)
_WORDS: Final = (
    rf"(?:{_NAMES}(?![a-z])|(?<![a-z])(?:call|dial|imessage|wechat|contact"
    rf"|(?:text|ring|reach|message|signal) (?:me|him|her|us|them))(?![a-z])|{_CHINESE_WORDS})"
)
_BESIDE: Final = LazyPattern(rf"{_WORDS}[^0-9]{{0,16}}$")
_BEHIND: Final = LazyPattern(rf"[^0-9]{{0,12}}?{_NAMES}")
_NUMBER_BEFORE: Final = LazyPattern(r"(?:(?<![a-z])number|号)[^0-9]{0,12}$")
_TIED: Final = LazyPattern(
    rf"{_NAMES}(?:号码?|[ _-]?(?:number|num|no|nr))?\.?[\"']?"
    r"\s{0,2}(?:是|为|is|was|[:=]|at|on)?\s{0,2}[\"']?$"
)
_GLUED: Final = LazyPattern(
    r"(?<![a-z])(?:tel|phone|mobile|mob|cell|fax|ph|call|wechat|whatsapp|number)-?$"
)
_ADDRESS_TIE: Final = LazyPattern(
    r"(?:/wa\.me/|[?&](?:phone|tel|mobile|cell|msisdn|whatsapp)(?:_?number|_?no)?=)\+?$"
)
_ADDRESS_NUMBER: Final = re.compile(r"\+?[0-9]{7,15}(?![0-9A-Za-z_-])")


def _is_beside_word(text: str, start: int, end: int) -> bool:
    return (
        _BESIDE.search(line_before(text, start, 32)) is not None
        or _BEHIND.match(line_after(text, end, 24)) is not None
    )


def _is_tied_to_word(text: str, start: int) -> bool:
    return _TIED.search(line_before(text, start, 32)) is not None
