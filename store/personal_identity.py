"""Which digits of a text are a Chinese resident identity number?

GB 11643-1999: six digits of a region, eight of a birth date, three of order and a check character
by ISO 7064 MOD 11-2. Three of these four can be tested, so that the number needs no word beside it;
the form of before 1999, without century and check, does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from memweir.store.gate_rules import LazyPattern
from memweir.store.personal_numbers import is_named_otherwise, is_whole, line_after, line_before

__all__ = ["identity_numbers"]


def identity_numbers(text: str) -> Iterator[tuple[int, int]]:
    """Spans of identity numbers in a folded text, in its order, none overlapping."""
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        if match["old"] is not None:
            accepted = _is_old_number(match["old"]) and _is_beside_word(text, start, end)
        else:
            accepted = _is_number("".join(match.group().split()).replace("-", "").upper())
        if accepted and is_whole(text, start, end) and not is_named_otherwise(text, start, ids=False):
            yield start, end


_NUMBER: Final = re.compile(
    r"(?<![0-9])(?:[1-9][0-9]{5}(?P<mark>[ -]?)(?:18|19|20)[0-9]{2}[ -]?[0-9]{4}(?P=mark)"
    r"[0-9]{3}[0-9Xx]"
    r"|(?P<old>[1-8][0-9]{14}))(?![0-9])"
)

# GB/T 2260: provinces; 81 to 83 are residence permits for people of Hong Kong, Macao and Taiwan. Of
# the regions below them no list is kept: they are renamed every year, and a person keeps the number
# of the day it was given.
_PROVINCES: Final = re.compile(r"1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3]")


def _is_number(number: str) -> bool:
    if not (_is_region(number[:6]) and _is_date(number[6:14])):
        return False
    from stdnum.iso7064 import mod_11_2

    return mod_11_2.is_valid(number)


def _is_old_number(number: str) -> bool:
    return _is_region(number[:6]) and _is_date("19" + number[6:12])


def _is_region(digits: str) -> bool:
    if digits[0] == "9":  # permanent residents from abroad: 9, province, country
        return _PROVINCES.match(digits, 1) is not None
    return _PROVINCES.match(digits) is not None


def _is_date(digits: str) -> bool:
    try:
        date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    except ValueError:
        return False
    return True


_WORD: Final = r"(?:身[份分][证證]|(?<![a-z])id(?: card)?(?: number| no\.?)?(?![a-z])|[证證]件[号號])"
_BEFORE: Final = LazyPattern(rf"{_WORD}[^0-9]{{0,10}}$")
_BEHIND: Final = LazyPattern(r"[^0-9]{0,8}身[份分][证證]")


def _is_beside_word(text: str, start: int, end: int) -> bool:
    return (
        _BEFORE.search(line_before(text, start, 32)) is not None
        or _BEHIND.match(line_after(text, end, 16)) is not None
    )
