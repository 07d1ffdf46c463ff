"""When do two spellings of a text count as the same? One canonical form, case kept or folded.

Stored text is never changed; this form exists for analysis and identity only.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable
from typing import Final

from memweir.retrieval.scripts import EMOJI, HAN, IGNORABLE, MARKS

__all__ = ["clean", "fold", "has_han", "normalise", "simplify", "simplify_characters", "unify"]

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_CONTROL: Final = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)], " ")
_IGNORABLE: Final = re.compile(f"[{IGNORABLE}]")
_STRAY_JOINER: Final = re.compile(f"(?<![{EMOJI}])\u200d|\u200d(?![{EMOJI}])")
_HAN: Final = re.compile(f"[{HAN}]")
# Compatibility folding would glue these to the word before them ("Acme™" would read "acmetm").
_TRADE_MARK: Final = re.compile("([\u2120\u2122])")
# The full-width forms of ASCII, by far the commonest reason for NFKC in Chinese text.
_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
_ROUNDS: Final = 4
# Sorting a pile of combining marks takes time with the square of its height. No language stacks more
# than a few; 30 is the limit of Unicode's own stream-safe format (UAX 15).
_LONG: Final = 256  # characters below which no pile can hurt


def normalise(text: str) -> str:
    """NFKC, case-folded, simplified, without invisible characters, white space squeezed.

    Idempotent. Lone surrogates become U+FFFD, control characters a space.
    """
    return fold(clean(text))


def clean(text: str) -> str:
    """`normalise` with the case kept: what the tokeniser reads."""
    text = unify(text)
    return simplify(text) if has_han(text) else text


def unify(text: str) -> str:
    """`clean` with traditional characters kept."""
    if text.isascii():
        return " ".join((text if text.isprintable() else text.translate(_CONTROL)).split())
    text = _SURROGATE.sub("\ufffd", text)
    if not text.isprintable():
        text = _IGNORABLE.sub("", text.translate(_CONTROL))
    elif _IGNORABLE.search(text):  # variation selectors are printable
        text = _IGNORABLE.sub("", text)
    text = _nfkc(text.translate(_FULL_WIDTH))
    if "\u200d" in text:
        text = _STRAY_JOINER.sub("", text)
    return " ".join(text.split())


def fold(text: str) -> str:
    """Fold the case of a cleaned text or of a piece of one."""
    if text.isascii():
        return text.lower()
    for _ in range(_ROUNDS):  # folding may leave a sequence that composes, and the other way round
        folded = _nfkc(text.casefold())
        if folded == text:
            break
        text = folded
    return text


def has_han(text: str) -> bool:
    """Whether the text holds a Han character."""
    return _HAN.search(text) is not None


def simplify(text: str) -> str:
    """Traditional Chinese to simplified, by phrase: 瞭解 → 了解 but 瞭望 stays."""
    # 坏 is a variant of 坯 in traditional writing, and the everyday word "bad" in simplified, where
    # the phrase table would turn 打坏 into 打坯: no phrase may hold it.
    return (
        "坏".join(map(_convert_phrases, text.split("坏"))) if "坏" in text else _convert_phrases(text)
    )


def simplify_characters(text: str) -> str:
    """Traditional to simplified, each character by itself, whatever stands around it.

    Keeps the length. Any substring is folded as it is inside the whole, which `simplify` cannot
    promise.
    """
    return text.translate(_CHARACTERS)


def _convert_phrases(text: str) -> str:
    convert = _converter()
    for _ in range(_ROUNDS):
        converted = convert(text)
        if converted == text:
            break
        text = converted
    return text


@functools.cache
def _pile() -> re.Pattern[str]:
    return re.compile(f"([{MARKS}]{{30}})[{MARKS}]+")


def _nfkc(text: str) -> str:
    if len(text) > _LONG:
        text = _pile().sub(r"\1", text)
    if unicodedata.is_normalized("NFKC", text):
        return text
    if "\u2122" in text or "\u2120" in text:
        return "".join(
            part if part in "\u2120\u2122" else unicodedata.normalize("NFKC", part)
            for part in _TRADE_MARK.split(text)
        )
    return unicodedata.normalize("NFKC", text)


@functools.cache
def _converter() -> Callable[[str], str]:
    import opencc

    convert: Callable[[str], str] = opencc.OpenCC("t2s").convert
    return convert


class _Characters(dict[int, int]):
    """Code point → simplified code point, asked of the converter the first time it is seen."""

    def __missing__(self, code: int) -> int:
        character = chr(code)
        simple = character
        if _HAN.match(character):
            convert = _converter()
            for _ in range(_ROUNDS):
                converted = convert(simple)
                if converted == simple or len(converted) != 1:
                    break
                simple = converted
        self[code] = ord(simple)
        return self[code]


_CHARACTERS: Final = _Characters()
