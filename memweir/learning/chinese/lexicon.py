"""Which Chinese words do the rules of capture go by? Named sections of the lists in `learning/data`."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Final

from memweir.errors import ConfigError
from memweir.learning.lists import read_lines

__all__ = ["NEVER", "Keys", "Pattern", "alternation", "any_of", "keys", "words"]

_FILES: Final = ("zh_gates.txt", "zh_people.txt", "zh_predicates.txt", "zh_standing.txt")
_KEYS: Final = "zh_keys.txt"

NEVER: Final = "(?!)"
"""A pattern that matches nothing."""

Keys = dict[str, str]
"""Noun or product → what it is called in a semantic key."""


def words(section: str) -> frozenset[str]:
    """The members of a section. Read once per process.

    Raises:
        ConfigError: a list cannot be read, or holds no such section.
    """
    try:
        return _sections()[section]
    except KeyError:
        raise ConfigError(section, section, "is in none of the lists; reinstall memweir") from None


@functools.cache
def keys(section: str) -> Keys:
    """The members of a section of `zh_keys.txt`, each with its key; Latin ones folded."""
    found: Keys = {}
    for name, line in read_lines(_KEYS):
        if name == section:
            key, _, members = line.partition("\t")
            for member in members.split():
                found[member.casefold().replace("_", " ")] = key
    if not found:
        raise ConfigError(_KEYS, section, "is missing; reinstall memweir")
    return found


@functools.cache
def alternation(*sections: str) -> str:
    """A pattern that takes the longest member of sections that begins where it stands."""
    members: set[str] = set()
    for section in sections:
        members.update(words(section) if section in _sections() else keys(section))
    return any_of(members)


def any_of(members: Iterable[str]) -> str:
    """A pattern that takes the longest of some words: common beginnings are looked at once.

    A plain alternation tries every member at every place of the text.
    """
    tree: _Tree = {}
    for member in sorted(members):
        node = tree
        for character in member:
            node = node.setdefault(character, {})
        node[_END] = {}
    return _pattern_of(tree) if tree else NEVER


_Tree = dict[str, "_Tree"]
_END: Final = ""


def _pattern_of(node: _Tree) -> str:
    branches = [re.escape(each) + _pattern_of(below) for each, below in sorted(node.items()) if each]
    if not branches:
        return ""
    single = [each for each in branches if len(each) == 1]
    longer = [each for each in branches if len(each) != 1]
    if len(single) > 1:
        longer.append(f"[{''.join(single)}]")
    else:
        longer += single
    inside = "|".join(longer)
    optional = "?" if _END in node else ""
    return f"(?:{inside}){optional}" if optional or len(longer) > 1 else inside


class Pattern:
    """A regular expression over sections of the lists, `<prefer>` standing for any member of one.

    Compiled when it is first used: the lists are read from files.
    """

    __slots__ = ("_compiled", "_template")

    def __init__(self, template: str) -> None:
        self._template = template
        self._compiled: re.Pattern[str] | None = None

    @property
    def compiled(self) -> re.Pattern[str]:
        if self._compiled is None:
            filled = _SECTION.sub(lambda match: alternation(match[1]), self._template)
            self._compiled = re.compile(filled)
        return self._compiled

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self.compiled.match(text, start, end)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self.compiled.search(text, start, end)

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        return self.compiled.finditer(text, start, end)


_SECTION: Final = re.compile("(?<!P)<([a-z_]+)>")


@functools.cache
def _sections() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for file in _FILES:
        for name, line in read_lines(file):
            found.setdefault(name, set()).update(line.split())
    return {name: frozenset(members) for name, members in found.items()}
