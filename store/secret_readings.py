"""What else does a text say, read as markup, as an encoding, or letter by letter?

A credential may stand in tags and character references, in percent or base64 encoding, between
pictures or with a space behind every letter. Each reading is made only where the text shows the signs
of it, is no longer than the text, and is put before the rules once: no reading of a reading.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import quopri
import re
from collections.abc import Iterator
from urllib.parse import unquote

from memweir.store.gate_rules import LazyPattern

__all__ = ["readings"]


def readings(text: str) -> Iterator[str]:
    """Other readings of a folded text, letter case kept; none of an ordinary one."""
    if ("<" in text or "&" in text) and _MARKUP.search(text):
        yield _without_markup(text)
    if "**" in text or "__" in text or "``" in text or '" + "' in text or "' + '" in text:
        yield _JOINTS.pattern.sub("", text)
    if "=" in text and _QUOTED_PRINTABLE.search(text):
        yield _QUOTED_PRINTABLE.pattern.sub(_unquote, text)
    if _TURNED.search(text):
        yield text[::-1]
        yield codecs.encode(text, "rot13")
    if "%" in text and _PERCENT.search(text):
        yield unquote(text, errors="replace")
    if "\\" in text and _ESCAPE.search(text):
        yield _ESCAPE.pattern.sub(_unescape, text)
    decoded = _decoded(text)
    if decoded:
        yield decoded
    if not text.isascii():
        if _PICTURE.search(text):
            yield _PICTURE.pattern.sub("", text)
        if _SPLIT_CHINESE.search(text):
            yield _SPLIT_CHINESE.pattern.sub(r"\1\2", text)
    if _MAY_BE_SPELT.search(text) and _SPELT.search(text):
        yield _SPELT.pattern.sub(_joined, text)


def _without_markup(text: str) -> str:
    """Cells become columns, rows and blocks lines, every other tag nothing."""
    text = _CELL_END.pattern.sub(" | ", text)
    text = _ROW_END.pattern.sub("\n", text)
    text = _COMMENT.pattern.sub("", text)
    text = _TAG.pattern.sub("", text)
    return html.unescape(text).replace("\xa0", " ")


def _unquote(match: re.Match[str]) -> str:
    return quopri.decodestring(match.group().encode("ascii")).decode("utf-8", "replace")


def _unescape(match: re.Match[str]) -> str:
    code = int(match["u"] or match["x"], 16)
    return chr(code) if not 0xD800 <= code < 0xE000 else ""


def _decoded(text: str) -> str:
    """What the base64 runs of a text say, a line each, where they say text."""
    lines = []
    for match in _BASE64.finditer(text):
        run = match.group()
        try:
            plain = base64.b64decode(run + "=" * (-len(run) % 4), validate=True).decode("utf-8")
        except (binascii.Error, ValueError):
            continue
        if plain.isprintable() or all(c.isprintable() or c in "\r\n\t" for c in plain):
            lines.append(plain)
    for match in _HEX_TEXT.finditer(text):
        plain = bytes.fromhex(match.group()).decode("utf-8", "replace")
        if plain.isprintable() and "\ufffd" not in plain:
            lines.append(plain)
    return "\n".join(lines)


def _joined(match: re.Match[str]) -> str:
    """`p a s s w o r d` → `password`; wider gaps are kept as one space."""
    run = match.group()
    gap = run[1]
    return (
        run.replace(gap, "")
        if gap != " "
        else re.sub(r" {2,}", "\0", run).replace(" ", "").replace("\0", " ")
    )


_MARKUP = LazyPattern(r"</[A-Za-z]|<!--|&(?:#\d{2,6}|#x[0-9A-Fa-f]{2,5}|nbsp|quot|amp|lt|gt|colon);")
_CELL_END = LazyPattern(r"(?i)</t[dh]>|</dt>")
_ROW_END = LazyPattern(r"(?i)</(?:tr|p|div|li|dd|h\d)>|<br[ /]{0,2}>")
_COMMENT = LazyPattern(r"<!--[^>]{0,400}-->")
_TAG = LazyPattern(r"</?[A-Za-z][^<>]{0,400}>")
_JOINTS = LazyPattern(r"(?<=[A-Za-z])(?:\*\*|__|``)(?=[A-Za-z])|[\"'] \+ [\"']")
_QUOTED_PRINTABLE = LazyPattern(r"(?:=[0-9A-F]{2}){3,}")
_TURNED = LazyPattern(
    r"(?i)drowssap|esarhpssap|sdrowssap|terces|nekot|yek ipa|cnffjbeq|cnffcuenfr|gbxra|frperg|ncv xrl"
)  # backwards, rot13
_PERCENT = LazyPattern(r"%[0-9A-Fa-f]{2}")
_ESCAPE = LazyPattern(r"\\u(?P<u>[0-9A-Fa-f]{4})|\\x(?P<x>[0-9A-Fa-f]{2})")
_HEX_TEXT = LazyPattern(r"(?<![0-9A-Za-z])(?:[2-7][0-9A-Fa-f]){10,400}(?![0-9A-Za-z])")
_BASE64 = LazyPattern(r"[A-Za-z0-9+/]{12,4096}+={0,2}(?![A-Za-z0-9+/=_.-])")
_PICTURE = LazyPattern(
    r"[\u2190-\u21ff\u2300-\u23ff\u2460-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f]+"
)
_MAY_BE_SPELT = LazyPattern(r"[ ._*、,-]\w[ ._*、,-]{1,2}\w[ ._*、,-]{1,2}[\w:=]")
_SPELT = LazyPattern(r"\w(?<![^\W_]\w)(?P<gap>[ ._*、,-])(?:\w(?P=gap){1,2}){2,80}[\w:=]+(?![^\W_])")
_SPLIT_CHINESE = LazyPattern(r"([密口令暗秘])[ \t./_|·•*-]{1,3}([码令牌钥号])")
