"""Where does one token end and the next begin? One pass of one regular expression.

The expression reads a cleaned, shaded text whose case was kept. Every alternative gives up after a
bounded look or takes all it has looked at, so that the pass is linear whatever the text.
"""

from __future__ import annotations

import re
from typing import Final

from memweir.retrieval.scripts import BIGRAM_SCRIPTS, EMOJI, MARKS, SYMBOLS

__all__ = [
    "CHUNK",
    "DATE",
    "GROUPED",
    "NEXT_WORD",
    "PICTOGRAPH",
    "RUN",
    "TOKEN",
    "WORD",
    "pictograph",
    "shade",
]

# `Match.lastindex` of `TOKEN` says which kind of token was found.
RUN: Final = 1  # of Han, Kana, Hangul or another script without spaces
WORD: Final = 2  # ASCII letters that are no part of anything larger
DATE: Final = 3  # a calendar date in figures, with or without the time
GROUPED: Final = 5  # a number with thousands separators
PICTOGRAPH: Final = 6  # one emoji, joined sequences whole, or another sign
CHUNK: Final = 7  # whatever has digits, connectors or other letters: an identifier, a number, a word

# The expressions read a shaded text, in which a plain word character is none of those scripts: a
# class that leaves them out costs milliseconds to compile wherever it stands.
_SHADE: Final = "\x1f"  # no cleaned text holds a control character
_W: Final = r"\w"
_NOT_AFTER_W: Final = rf"(?<!{_W})"

_RUN: Final = f"({_SHADE}+)"
_WORD: Final = (
    r"([A-Za-z]++(?:['’][A-Za-z]++)?+"
    rf"(?!{_W}|[{MARKS}]|[-.\\@&'’]{_W}|/[.@]?{_W}|:[0-9/\\]|::{_W}|\+[+A-Za-z0-9]|\#(?!\w)))"
)
_TIME: Final = r"T[0-9]{2}:?[0-9]{2}(?::?[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
_DATE: Final = (
    rf"({_NOT_AFTER_W}(?<![-./])[0-9]{{4}}([-/.])[0-9]{{1,2}}\4[0-9]{{1,2}}"
    rf"(?:{_TIME})?(?!{_W}|[-/.:][0-9]))"
)
_GROUPED: Final = (
    rf"({_NOT_AFTER_W}(?<![.,])[0-9]{{1,3}}(?:,[0-9]{{3}})++(?:\.[0-9]++)?+(?!{_W}|,[0-9]))"
)
_TONE: Final = "[\U0001f3fb-\U0001f3ff]"
_PICTOGRAPH: Final = (
    rf"([{EMOJI}]{_TONE}?+(?:\u200d[{EMOJI}]{_TONE}?+)*+"
    rf"|[\U0001f1e6-\U0001f1ff]{{1,2}}|[0-9\#*]\u20e3|[{SYMBOLS}])"
)
_URL: Final = r"[A-Za-z][A-Za-z0-9+.-]{1,15}://[A-Za-z0-9\-._~:/?\#\[\]@!$&'()*+,;=%]++"
_EMAIL: Final = r"[A-Za-z0-9_.%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}"
_PREFIX: Final = (
    rf"(?:{_NOT_AFTER_W}(?<![/~.])(?:~/\.?|(?:\.{{1,2}}/){{1,16}}\.?|/\.?|\.(?=[A-Za-z]))"
    rf"|@(?=[\w.-]{{1,64}}/\w)|\#(?=[^\W\d])|{_NOT_AFTER_W}[A-Za-z]:[\\/])?+"
)
_SEGMENT: Final = rf"{_W}(?:{_W}|[{MARKS}])*+"
_JOINT: Final = r"(?:::|:(?=[0-9])|/[.@]?|[-.\\@&'’])"
_SUFFIX: Final = rf"(?:(?:\+\+|\#)(?!{_W}))?+"
_CHUNK: Final = rf"({_URL}|{_EMAIL}|{_PREFIX}{_SEGMENT}(?:{_JOINT}{_SEGMENT})*+{_SUFFIX})"

TOKEN: Final = re.compile("|".join((_RUN, _WORD, _DATE, _GROUPED, _PICTOGRAPH, _CHUNK)))

# The word after the one that ends here, where nothing but a space or a hyphen stands between.
NEXT_WORD: Final = re.compile(rf"[ -]([A-Za-z]++(?:['’][A-Za-z]++)?+)(?!{_W})")

_UNSPACED: Final = re.compile(f"[{BIGRAM_SCRIPTS}]+")

_TONES: Final = re.compile(_TONE)
_DRAWN: Final = re.compile(rf"[{EMOJI}\U0001f1e6-\U0001f1ff]|[0-9\#*]\u20e3")


def shade(text: str) -> str:
    """The text for `TOKEN` and `NEXT_WORD`: offsets stay, scripts without spaces are blanked."""
    return _UNSPACED.sub(lambda run: _SHADE * len(run.group()), text)


def pictograph(sign: str) -> tuple[list[str], bool]:
    """Terms of a PICTOGRAPH (itself, and without skin tones), and whether it is content.

    Emoji are; arrows, currency and mathematical signs can be found but say little.
    """
    toneless = _TONES.sub("", sign)
    return [sign] if toneless in ("", sign) else [sign, toneless], _DRAWN.match(sign) is not None
