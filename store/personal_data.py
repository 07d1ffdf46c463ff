"""Does a text hold personal data that a person must approve before it may be recalled?

Four rules: e-mail addresses, telephone numbers, Chinese resident identity numbers and bank cards.
They know a value by its shape, its checksum and the words beside it, read the whole text in linear
time, and see through full-width forms, look-alike letters, invisible characters and the digits of
other scripts. Names, street addresses and what a sentence says about a person are not theirs to see.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import Final

from memweir.store.folding import fold
from memweir.store.gate_rules import Finding, LazyPattern

__all__ = ["PERSONAL_RULES", "find_personal_data", "personal_data"]

PERSONAL_RULES: Final = ("email", "phone", "chinese-id", "bank-card")
"""Names of the rules, in order of precedence."""


def find_personal_data(text: str) -> Finding | None:
    """The first of what `personal_data` finds, by order of the rules; None where there is nothing."""
    return min(
        personal_data(text),
        key=lambda found: (PERSONAL_RULES.index(found.rule), found.start),
        default=None,
    )


def personal_data(text: str) -> tuple[Finding, ...]:
    """All personal data of a text, in order of the text; no two findings overlap.

    Args:
        text: any string, of any length; never raises.
    Returns:
        Findings with a name of `PERSONAL_RULES` and the span of the value in the text as given,
        without the words around it.
    """
    if text.isascii() and _ANYTHING.search(text) is None:
        return ()
    exact = _with_plain_digits(fold(text).exact)
    found: list[tuple[int, int, str]] = []
    # Each room of rules is loaded by the first text that has something for it to look at.
    if "@" in exact or "%40" in exact:
        from memweir.store.personal_email import emails

        found += [(*span, "email") for span in emails(exact)]
    if _SEVEN_DIGITS.search(exact) is not None:
        from memweir.store.personal_card import bank_cards
        from memweir.store.personal_identity import identity_numbers
        from memweir.store.personal_phone import phones

        found += [(*span, "chinese-id") for span in identity_numbers(exact)]
        found += [(*span, "bank-card") for span in bank_cards(exact)]
        found += [(*span, "phone") for span in phones(exact)]
    return _placed(text, exact, _apart(found))


_ANYTHING: Final = LazyPattern(r"[@0-9]")
_SEVEN_DIGITS: Final = LazyPattern(r"[0-9](?:[^0-9]{0,3}[0-9]){6}")  # fewer are no number of ours
_FOREIGN_DIGIT: Final = LazyPattern(r"(?![0-9])\d")


def _with_plain_digits(text: str) -> str:
    """Decimal digits of other scripts as ASCII, one for one; folding leaves them as they are."""
    if text.isascii():
        return text
    return _FOREIGN_DIGIT.pattern.sub(_plain_digit, text)


def _plain_digit(match: re.Match[str]) -> str:
    return str(unicodedata.decimal(match.group()))


def _apart(found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Of findings that overlap the one that begins first, of those the longest."""
    kept: list[tuple[int, int, str]] = []
    for start, end, rule in sorted(found, key=lambda each: (each[0], -each[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end, rule))
    return kept


def _placed(text: str, exact: str, found: list[tuple[int, int, str]]) -> tuple[Finding, ...]:
    """Findings with their offsets in the text as given, all of them in one pass over it."""
    if not found or exact is text:
        return tuple(Finding(rule, start, end) for start, end, rule in found)
    width = {character: len(fold(character).exact) for character in set(text)}
    ends = list(accumulate(width[character] for character in text))
    return tuple(
        Finding(rule, bisect_right(ends, start), bisect_left(ends, end) + 1)
        for start, end, rule in found
    )
