"""What may stored text look like in a prompt? It cannot close a tag, hide or reorder itself."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

__all__ = ["escape", "escape_attribute", "revealed", "visible"]

# Every character whose compatibility form (NFKC or NFKD) holds one of < > &, and in attributes also
# one of " '. A reader that folds ＜ to < must not find a tag that another reader did not find.
_CONTENT: Final = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    **{each: f"&#x{ord(each):X};" for each in "\u226e\u226f\ufe60\ufe64\ufe65＆＜＞"},
}
_QUOTES: Final = {'"': "&quot;", "'": "&#39;", "＂": "&#xFF02;", "＇": "&#xFF07;"}
_CONTENT_REFERENCES: Final = str.maketrans(_CONTENT)
_ATTRIBUTE_REFERENCES: Final = str.maketrans(_CONTENT | _QUOTES)

# Blocks that emoji sequences are made of; ranges, so that every Python and Unicode version agrees.
_EMOJI: Final = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf"
    "\u2934\u2935\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
# Default_Ignorable_Code_Point of Unicode (DerivedCoreProperties.txt): zero-width and bidi controls,
# variation selectors, tag characters, fillers; and the interlinear annotation marks.
_HIDDEN: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
# C0 without tab and line feed, DEL, C1, lone surrogates, noncharacters: no XML, no UTF-8, no text.
_CONTROL: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))
)  # fmt: skip
# Letters between which a joiner or its opposite is spelling: of Arabic and Indic scripts.
_JOINED_SCRIPT: Final = re.compile("[\u0600-\u07ff\u08a0-\u08ff\u0900-\u0dff]")
_UNSAFE: Final = re.compile(
    rf"(?P<line>\r\n?|[\u2028\u2029])"
    rf"|(?P<control>[{_CONTROL}])"
    # Kept: a presentation selector after its emoji or keycap, and a joiner between two emoji.
    rf"|(?P<joined>(?<=[{_EMOJI}])[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)"
    rf"|(?:(?<=[{_EMOJI}])|(?<=[{_EMOJI}]\ufe0f))\u200d(?=[{_EMOJI}]))"
    rf"|[{_HIDDEN}]"
)


def visible(text: str) -> str:
    """The text as a reader is shown it: nothing hidden, nothing that is not text.

    - carriage returns and the Unicode line and paragraph separators become line feeds;
    - other control characters (C0 without tab and line feed, DEL, C1), lone surrogates and
      noncharacters become U+FFFD: something was there, and what follows is kept;
    - what has no form of its own is removed: zero-width characters, bidi controls, variation
      selectors, tag characters, fillers. Kept are the selector and the joiner inside an emoji
      sequence, so that 👨‍👩‍👧 and 🏳️‍🌈 stay as they are. Joiners inside words (Persian, Indic
      scripts) and regional flags made of tag characters lose theirs.

    Applying it twice changes nothing more.
    """
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(_shown, text)


def revealed(text: str) -> str:
    """The text for a person who looks for what it hides: `visible`, but nothing is removed.

    Control characters and what has no form of its own are spelled out, as ⟨U+202E⟩; joiners stay inside
    words of scripts that are written with them (Arabic and Persian, Indic scripts), as there they
    change letters and hide nothing.

    Applying it twice changes nothing more.
    """
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(_spelled, text)


def escape(text: str) -> str:
    """`visible` text as XML character data, fit for element content.

    < > & and every character that compatibility normalisation folds to one of them (＜ ﹤ ≮ ＞ ＆ …)
    become character references, so an XML parser gives `visible(text)` back and no reading of the
    escaped text, folded or not, holds a tag. ‹ and 〈 do not fold to angle brackets and stay. Quotes
    stay too: they end nothing here, and "don&#39;t" costs a reader four tokens for one. A combining
    mark at the start becomes a reference, or composition would join it to the tag's own bracket.
    """
    return _referenced(visible(text), _CONTENT_REFERENCES)


def escape_attribute(text: str) -> str:
    """`visible` text as the value of an attribute in either kind of quotes.

    As `escape`, with quotes and what folds to them as references too. Runs of white space become one
    space and ends are stripped, as an XML parser would make a line break a space anyway.
    """
    joined = " ".join(visible(text).split())
    return _referenced(joined, _ATTRIBUTE_REFERENCES)


def _referenced(text: str, references: dict[int, str]) -> str:
    first = text[:1]
    if first and unicodedata.combining(first):
        return f"&#x{ord(first):X};{text[1:].translate(references)}"
    return text.translate(references)


def _shown(match: re.Match[str]) -> str:
    kind = match.lastgroup
    if kind == "line":
        return "\n"
    if kind == "control":
        return "\ufffd"
    return match.group() if kind == "joined" else ""


def _spelled(match: re.Match[str]) -> str:
    kind, found = match.lastgroup, match.group()
    if kind == "line":
        return "\n"
    if kind == "joined":
        return found
    before = match.string[match.start() - 1 : match.start()]
    if found in "\u200c\u200d" and _JOINED_SCRIPT.match(before):
        return found
    return "".join(f"⟨U+{ord(each):04X}⟩" for each in found)
