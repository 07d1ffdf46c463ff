"""What does an identifier consist of, and is it an exact symbol?

`read_identifier` takes one run of letters, digits and connectors (`src/app/main.py`, `getUserById`,
`10.0.0.1:8080`, `ERR-42`) and says what it contains: itself, the smaller identifiers inside it, the
words and numbers it is made of, and which of these a query may be pinned by.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memweir.retrieval.normalise import fold
from memweir.retrieval.stopwords import word_lists

__all__ = ["Identifier", "read_identifier"]

_MOST_NODES: Final = 64  # of one identifier, which may be as long as it likes
_MOST_SYMBOLS: Final = 8
_MOST_PREFIXES: Final = 8  # of a dotted number
_LONGEST_SYMBOL: Final = 256  # characters; the patterns below need a bound

_LEVELS: Final = tuple(
    map(
        re.compile,
        (
            r"[/\\]+",
            r"[:@?&=#%+~,;!$*()\[\]{}|^<>]+",
            r"(?<![0-9])\.+|\.+(?![0-9])",  # not the one in 3.11
            "-+",
            "['’]+",
            "_+",
        ),
    )
)
_HYPHEN: Final = 3  # its level
_HUMPS: Final = re.compile(
    r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^A-Za-z0-9]+"
)
_HUMP_LETTERS: Final = 2.5  # letters per part below which a mix is a key or a hash, not words

_NUMBER: Final = re.compile("[0-9]+")
_DOTTED_NUMBER: Final = re.compile(r"[vV]?([0-9]+(?:\.[0-9]+)+)([^/\\]*)")
_COLON_NUMBERS: Final = re.compile("[0-9:]+")
_V_NUMBER: Final = re.compile("v([0-9]+)")
_NUMBERS: Final = re.compile(r"[0-9]+(?:[-/:][0-9]+)+")
_QUANTITY: Final = re.compile(
    r"([0-9]+(?:\.[0-9]+)?)"
    "(?:[mun]?s|sec|mins?|hr?s?|[kmgtp]?i?b|k|[km]?wh?|v|a|mah|[kmg]?hz|fps|px|pt|r?em|dpi|p|x|[km]?g|lbs?|oz"
    "|[kcm]?m|mi|ft|m?l|k?cal|rpm|[qr]ps|usd|eur|rmb|cny)"
)
_CALENDAR: Final = re.compile("([0-9]+)(?:st|nd|rd|th|am|pm)|((?:19|20)[0-9]0)s")
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*://")
_EMAIL: Final = re.compile(r"[^@\s/]+@[^@\s/]+\.[^@\s/]+")
_NO_NODE: Final = re.compile("[?=&#%]")  # a piece of a URL's query
_TWO: Final = re.compile(r"[^\W_].*[^\W_]", re.DOTALL)
_IP: Final = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?:/[0-9]{1,2})?")
_CODE: Final = re.compile("[a-z]+(?:[-_][a-z0-9]+)+")
_SNAKE: Final = re.compile(r"\w*[^\W_]_+[^\W_]\w*|__\w+__")
_CAMEL: Final = re.compile("[a-z]+(?:[A-Z]+[a-z0-9]+)+[A-Z]*")
_PASCAL: Final = re.compile("(?:[A-Z][a-z0-9]+){3,}")


@dataclass(frozen=True, slots=True)
class Identifier:
    """What one run of letters, digits and connectors contains.

    Attributes:
        nodes: the run itself and the identifiers inside it, folded, outermost first, unique.
        words: the words and numbers it is made of, case kept, in order.
        symbols: those of its nodes and numbers that are exact symbols, folded.
        opaque: a mix such as `a1b2c3` that is not made of words: `words` is empty.
    """

    nodes: tuple[str, ...]
    words: tuple[str, ...]
    symbols: tuple[str, ...]
    opaque: bool = False


def read_identifier(text: str) -> Identifier:
    """Take an identifier apart. Linear in its length."""
    nodes: dict[str, None] = {}
    words: list[str] = []
    symbols: dict[str, None] = {}
    _note(text, nodes, symbols, outermost=True)
    body, number = text, ""
    if _SCHEME.match(fold(text)):
        body = text[text.index("://") + 3 :]
        _note(body, nodes, symbols)
    elif numbered := _numbered(text):  # host:8080, main.py:42
        body, number = numbered
        _note(body, nodes, symbols)
    _split(body, 0, nodes, words, symbols)
    if number:
        words.append(number)
    return Identifier(
        nodes=tuple(nodes)[:_MOST_NODES],
        words=tuple(words),
        symbols=tuple(symbols)[:_MOST_SYMBOLS],
        opaque=not words,
    )


def _split(
    text: str, level: int, nodes: dict[str, None], words: list[str], symbols: dict[str, None]
) -> None:
    """Walk down the separators from the widest (`/`) to the narrowest (`_`), then to the humps."""
    dotted = _DOTTED_NUMBER.fullmatch(text)
    if dotted:
        _split_dotted(text, dotted, nodes, words, symbols)
        return
    for deeper in range(level, len(_LEVELS)):
        parts = [_bare(part) for part in _LEVELS[deeper].split(text) if part]
        if len(parts) > 1:
            for part in parts:
                # A piece of a hyphenated code or of a snake_case name is no symbol of its own.
                _note(part, nodes, symbols if deeper < _HYPHEN else {})
                _split(part, deeper + 1, nodes, words, symbols)
            return
        if not parts:
            return
        text = parts[0]
    words.extend(_humps(text))


def _bare(part: str) -> str:
    """Without a full stop in front, unless it begins a hidden file's name."""
    return part if part[1:2].isascii() and part[1:2].isalpha() else part.lstrip(".") or part


def _split_dotted(
    text: str, dotted: re.Match[str], nodes: dict[str, None], words: list[str], symbols: dict[str, None]
) -> None:
    """`v3.11.2rc1`: what it begins with is asked for (3.11.2, 3.11, 3), its other numbers are not."""
    number, rest = dotted.groups()
    if number != text:
        nodes[number] = None
        if not rest:
            symbols[number] = None
    parts = number.split(".")
    for length in range(min(len(parts) - 1, _MOST_PREFIXES), 0, -1):
        nodes[".".join(parts[:length])] = None
    if rest:
        _split(rest, 0, nodes, words, symbols)


def _humps(text: str) -> list[str]:
    """`HTTPServer2` → HTTP, Server, 2. A mix that alternates too fast has no words."""
    ordinal = _CALENDAR.fullmatch(text.lower())
    if ordinal:
        return [ordinal[1] or ordinal[2]]
    if not text.isascii() or text.isdigit() or text.lower() in word_lists().whole_words:
        return [text]
    parts = _HUMPS.findall(text)
    if len(parts) > 2 and len(text) < _HUMP_LETTERS * len(parts):
        return []
    if len(parts) == 2 and len(text) < 3:
        return []
    return [part for part in parts if len(part) > 1 or part.isdigit() or len(parts) == 1]


def _note(
    text: str, nodes: dict[str, None], symbols: dict[str, None], *, outermost: bool = False
) -> None:
    """Keep a node unless it is one plain word or number, and what is an exact symbol of it."""
    folded = fold(text).replace("’", "'")
    if not outermost:
        even = text[1:].lower() == text[1:] or text.isupper()
        plain = folded.isdigit() or (even and folded.isalpha())
        if plain or len(nodes) >= _MOST_NODES or _NO_NODE.search(folded) or not _TWO.search(folded):
            return
    nodes[folded] = None
    for symbol in _symbols(text, folded):
        if outermost or len(symbol) > 2:  # "v1" inside a path says too little
            symbols[symbol] = None


def _numbered(text: str) -> tuple[str, str] | None:
    """`host:8080` → (host, 8080), also of an address or a file; not of a time such as 10:30."""
    name, _, number = text.rpartition(":")
    if name and len(number) < 7 and _NUMBER.fullmatch(number) and not _COLON_NUMBERS.fullmatch(name):
        return name, number
    return None


def _symbols(text: str, folded: str) -> tuple[str, ...]:
    if not 1 < len(folded) <= _LONGEST_SYMBOL:
        return ()
    if folded[0].isdigit():
        return _numeric_symbols(folded)
    version = _DOTTED_NUMBER.fullmatch(folded) or _V_NUMBER.fullmatch(folded)
    if version or _SCHEME.match(folded) or _EMAIL.fullmatch(folded):
        return (folded,)
    if "/" in folded or "\\" in folded:
        return _path_symbols(folded)
    if numbered := _numbered(folded):
        host, number = numbered
        is_port = len(number) > 1 and host.rpartition(".")[2] not in word_lists().file_endings
        return (folded, number) if is_port else (folded,)
    if "." in folded:
        return (folded,) if _is_dotted_symbol(text, folded) else ()
    has_digit = any(character.isdigit() for character in folded)
    if "-" in folded or "_" in folded:
        if _SNAKE.fullmatch(folded) or (has_digit and _CODE.fullmatch(folded)):
            return (folded,)
        return ()
    if has_digit:
        digits = sum(character.isdigit() for character in folded)
        return (folded,) if digits > 1 and len(folded) > 2 else ()
    if _CAMEL.fullmatch(text) or _PASCAL.fullmatch(text):
        return () if folded in word_lists().whole_words else (folded,)
    return ()


def _numeric_symbols(folded: str) -> tuple[str, ...]:
    """Of a run that begins with a digit. Times and calendar dates are no symbols."""
    if _NUMBER.fullmatch(folded) or _IP.fullmatch(folded):
        return (folded,)
    if _NUMBERS.fullmatch(folded):
        # 10-20 is two numbers; 138-0013-8000 is one; 10:30, 6/10 and 2026-06 are calendar or ratio.
        parts = re.split("[-/:]", folded)
        if "-" in folded and sum(map(len, parts)) > 6:
            return (folded,)
        if "-" not in folded or len(parts[0]) == 4:
            return ()
        return tuple(part for part in parts if len(part) > 1)
    if _CALENDAR.fullmatch(folded):
        return ()
    quantity = _QUANTITY.fullmatch(folded)
    if quantity:
        return (quantity[1],) if len(quantity[1]) > 1 else ()
    if _DOTTED_NUMBER.fullmatch(folded):
        numbered = _numbered(folded)
        return (folded, *numbered) if numbered else (folded,)
    if "-" in folded:
        first, *rest = folded.split("-")
        if len(folded) >= 20 or all(any(c.isdigit() for c in part) for part in rest):
            return (folded,)  # a UUID, a serial number
        return (first,) if first.isdigit() and len(first) > 1 else ()  # "24-hour"
    if "/" in folded or "\\" in folded:
        return _path_symbols(folded)
    if "." in folded:
        return (folded,) if folded.rpartition(".")[2] in word_lists().file_endings else ()
    if "_" in folded:
        return (folded,)
    digits = sum(character.isdigit() for character in folded)
    return (folded,) if digits > 1 and len(folded) > 2 else ()


def _path_symbols(folded: str) -> tuple[str, ...]:
    """A path, not "and/or": it is rooted, deeper than one step, or ends in a file's name."""
    parts = [part for part in re.split(r"[/\\]+", folded) if part]
    ending = parts[-1].rpartition(".")[2] if parts else ""
    rooted = folded.startswith(("~", ".", "@")) or folded[1:2] == ":"
    if not (
        rooted
        or len(parts) > 2
        or (len(parts) > 1 and folded[0] in "/\\")
        or (ending in word_lists().file_endings and parts[-1] != ending)
        or (len(parts) > 1 and any("_" in part for part in parts))
    ):
        return ()
    if all(part.isdigit() for part in parts):
        return ()
    slashed = folded.replace("\\", "/")
    return (folded,) if slashed == folded else (folded, slashed)


def _is_dotted_symbol(text: str, folded: str) -> bool:
    """A file, a domain or a qualified name; not "end.Next" and not "node.js"."""
    if folded in word_lists().dotted_words:
        return False
    stem, _, ending = folded.rpartition(".")
    if not stem:
        return text[1:2].isalpha() and text[1:].islower()  # .env, .gitignore; not .NET
    if ending in word_lists().file_endings or ending in word_lists().domain_endings:
        return len(stem) > 1
    parts = folded.split(".")
    long = [part for part in parts if len(part) > 1 and not part.isdigit()]
    return len(long) > 1 and (len(parts) > 2 or "_" in folded)
