"""By which words is a machine's line or tag known? The lists `learning/data/scaffolding*.txt`."""

from __future__ import annotations

import functools
import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from memweir.errors import ConfigError
from memweir.learning.lists import read_lines, read_sections

__all__ = ["EXTENTS", "Entry", "clock_words", "entries_in", "folded", "keys_of", "tag_kind"]

EXTENTS: Final = ("bracket", "line", "paragraph", "document", "turn")

_LINES: Final = "scaffolding.txt"
_TAGS: Final = "scaffolding_tags.txt"
_WORDS: Final = "scaffolding_words.txt"
_SIGNS: Final = re.compile(r"[\W_]+")
_JOINS: Final = (".", "-", "/", "'", "’", "@", "+", "&")
_WORD: Final = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Entry:
    """How a line begins, or what stands in it, that a host wrote.

    Attributes:
        rule: the name under which the cut is reported; "end", "person" and "reply" are marks of an end.
        extent: of `EXTENTS`.
        words: folded.
        anywhere: it may stand anywhere in the line; loose: any word may follow.
    """

    rule: str
    extent: str
    words: str
    anywhere: bool = False
    loose: bool = False


def folded(line: str) -> str:
    """A line as the lists spell it: compatibility forms, lower case."""
    return (line if line.isascii() else unicodedata.normalize("NFKC", line)).lower().strip()


def entries_in(line: str) -> list[Entry]:
    """The entries that a folded line fits, in the order of the list, what stands anywhere last."""
    bare = line[_signs(line) :]
    found = [
        entry
        for start, signed in ((bare, False), (line, True))
        for entry in _beginnings().get((start[:2], signed), ())
        if start.startswith(entry.words) and (entry.loose or _ends(start, len(entry.words)))
    ]
    pattern, inside = _insides()
    match = pattern.search(line)
    return [*found, *inside[match.group()]] if match is not None else found


def tag_kind(name: str) -> str:
    """ "person", "inline" or "machine" by the list, "" where it does not hold the name."""
    kinds = read_sections(_TAGS)
    name = name.casefold().replace("-", "_")  # as the list spells it
    return next((kind for kind in ("person", "inline", "machine") if name in kinds[kind]), "")


def clock_words() -> frozenset[str]:
    """Words of a line that only tells the time."""
    return read_sections(_WORDS)["clock"]


def keys_of(section: str) -> frozenset[str]:
    """Keys of a host's dump or of a letter's head: "host" or "mail"."""
    return read_sections(_WORDS)[section]


def _signs(line: str) -> int:
    match = _SIGNS.match(line)
    return match.end() if match is not None else 0


def _ends(line: str, place: int) -> bool:
    """Whether no further word follows at a place, but for figures."""
    match = _WORD.search(line, place)
    if match is None or line[place - 1 : place] == ":":
        return True
    between = line[place : match.start()]
    if between in _JOINS:  # "heartbeat.md", "cron's"
        return False
    return bool(between.strip()) or match.group().isdigit()


@functools.cache
def _entries() -> tuple[Entry, ...]:
    found = []
    for section, line in read_lines(_LINES):
        rule, _, extent = section.partition(" ")
        if extent not in EXTENTS:
            raise ConfigError(_LINES, section, f"must end with one of {', '.join(EXTENTS)}")
        anywhere, loose = line.startswith("~"), line.endswith("…")
        found.append(Entry(rule, extent, folded(line.strip("~…")), anywhere, loose or anywhere))
    return tuple(found)


@functools.cache
def _beginnings() -> dict[tuple[str, bool], list[Entry]]:
    """By the first two characters, and whether the entry begins with a sign."""
    found: dict[tuple[str, bool], list[Entry]] = {}
    for entry in _entries():
        if not entry.anywhere:
            key = entry.words[:2], _signs(entry.words) > 0
            found.setdefault(key, []).append(entry)
    return found


@functools.cache
def _insides() -> tuple[re.Pattern[str], dict[str, list[Entry]]]:
    found: dict[str, list[Entry]] = {}
    for entry in _entries():
        if entry.anywhere:
            found.setdefault(entry.words, []).append(entry)
    longest = sorted(found, key=lambda words: (-len(words), words))
    return re.compile("|".join(map(re.escape, longest))), found
