"""Does a numbering plan know these digits, and do they reach a person?

The plans are those of libphonenumber. They take about 15 ms to load, so that this room is entered
only with digits that have the shape of a telephone number and nothing beside them that says otherwise.
"""

from __future__ import annotations

from typing import Final

from phonenumbers import (
    COUNTRY_CODE_TO_REGION_CODE,
    NumberParseException,
    PhoneNumber,
    PhoneNumberType,
    is_possible_number,
    number_type,
    parse,
)

__all__ = ["is_calling_code", "is_national", "is_personal", "is_personal_in", "is_unassigned", "read"]


def read(digits: str, region: str | None) -> PhoneNumber | None:
    """The number that digits are in a region; without one they begin with "+" and a country."""
    try:
        return parse(digits, region)
    except NumberParseException:
        return None


def is_personal(number: PhoneNumber) -> bool:
    """Whether a number is in a range for people: no service, no premium rate, not unassigned."""
    return number_type(number) in _PERSONAL or _is_set_aside(number)


def is_personal_in(digits: str, region: str) -> bool:
    """`is_personal` of digits as they are dialled in a region."""
    number = read(digits, region)
    return number is not None and is_personal(number)


def is_unassigned(number: PhoneNumber) -> bool:
    """Whether a number has a length of its plan, in no range that the plan knows."""
    return number_type(number) == PhoneNumberType.UNKNOWN and is_possible_number(number)


def _is_set_aside(number: PhoneNumber) -> bool:
    """Whether a number is one of those for examples and films, which the plans do not list.

    Sources: Ofcom (01632 960, 07700 900), ARCEP (06 39 98), ComReg (020 91). They are found as other
    numbers are, so that what is tried with an example holds for a person's own.
    """
    digits = f"{number.country_code}{number.national_number}"
    return digits.startswith(_SET_ASIDE) and is_possible_number(number)


def is_national(digits: str) -> bool:
    """Whether digits are a personal number somewhere, dialled from within its country."""
    if digits[0] == "0" and digits[1] != "0":
        return any(is_personal_in(digits, region) for region in _WITH_ZERO)
    for region in _WITHOUT_ZERO.get(len(digits), ()):
        number = read(digits, region)
        if number is not None and number_type(number) != PhoneNumberType.UNKNOWN:
            return is_personal(number)  # the first plan that knows it decides: 800 is a service
    return False


def is_calling_code(digits: str) -> bool:
    """Whether digits are the code of a country or territory."""
    return int(digits) in COUNTRY_CODE_TO_REGION_CODE


_PERSONAL: Final = frozenset(
    {
        PhoneNumberType.FIXED_LINE,
        PhoneNumberType.MOBILE,
        PhoneNumberType.FIXED_LINE_OR_MOBILE,
        PhoneNumberType.VOIP,
        PhoneNumberType.PERSONAL_NUMBER,
        PhoneNumberType.PAGER,
    }
)

_SET_ASIDE: Final = ("441632960", "447700900", "3363998", "3532091")

# Where a number without a country may be from. Without the leading 0 of their national form most plans
# would take any digits for a number of theirs.
_WITH_ZERO: Final = ("CN", "GB", "TW", "JP", "KR", "AU", "DE", "FR")
_WITHOUT_ZERO: Final = {10: ("US", "CN", "IN"), 11: ("CN", "US"), 13: ("CN",)}
