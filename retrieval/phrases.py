"""Which words and phrases of a list does a folded text hold? One pass, the longest phrase first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from memweir.errors import ConfigError
from memweir.retrieval.normalise import fold, simplify_characters, unify
from memweir.retrieval.stopwords import read_data

__all__ = ["Phrases", "flat", "read_phrases"]

_WORD_CHARACTERS: Final = frozenset("_0123456789abcdefghijklmnopqrstuvwxyz")
_START: Final = re.compile(r"[0-9_a-z]+|[\u3400-\u9fff]")
_WORD: Final = re.compile(r"[0-9_a-z]*")
_LATIN_KEY: Final = 3  # characters by which a phrase is looked up
_HAN_KEY: Final = 2


@dataclass(frozen=True, slots=True)
class _Entry:
    phrase: str
    open_ended: bool
    classes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phrases:
    """Phrases by class, looked for together: where two overlap the first counts, then the longest.

    Latin phrases begin and end at the edge of a word, and a space in them stands for a hyphen too;
    Chinese ones, of two characters or more, stand anywhere. A Latin phrase of three letters or more
    that ends in `*` goes on to the end of its word.
    """

    _entries: Mapping[str, tuple[_Entry, ...]]

    @classmethod
    def of(cls, phrases: Mapping[str, Iterable[str]]) -> Phrases:
        """Args: phrases: class → its phrases, folded as `normalise` folds."""
        classes: dict[str, dict[str, None]] = {}
        for name in sorted(phrases):
            for phrase in phrases[name]:
                classes.setdefault(phrase.replace("-", " "), {})[name] = None
        entries: dict[str, list[_Entry]] = {}
        for phrase, names in classes.items():
            bare = phrase.removesuffix("*")
            entries.setdefault(_key(bare, 0), []).append(_Entry(bare, bare != phrase, tuple(names)))
        return cls(
            {
                key: tuple(sorted(found, key=lambda each: (-len(each.phrase), each.phrase)))
                for key, found in entries.items()
            }
        )

    def find(self, normal: str) -> Iterator[tuple[str, str]]:
        """(class, phrase as it stands) of every phrase in a folded text, in text order."""
        spaced = normal.replace("-", " ")
        covered = 0
        for match in _START.finditer(spaced):
            start = match.start()
            if start < covered:
                continue
            for entry in self._entries.get(_key(spaced, start), ()):
                if (end := _end(entry, spaced, start)) > start:
                    covered = end
                    for name in entry.classes:
                        yield name, normal[start:end]
                    break


def read_phrases(file: str) -> dict[str, tuple[str, ...]]:
    """The classes of a file of `retrieval/data/`: lines `class: phrase, phrase`, repeats add up.

    Raises:
        ConfigError: the file cannot be read or a line has no class.
    """
    try:
        text = read_data(file)
    except (OSError, ValueError) as error:
        raise ConfigError(file, str(error), "cannot be read; reinstall memweir") from error
    found: dict[str, list[str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, listed = line.partition(":")
        if not colon:
            raise ConfigError(file, number, "is a line without a class")
        phrases = (phrase.strip() for phrase in listed.split(","))
        found.setdefault(name.strip(), []).extend(phrase for phrase in phrases if phrase)
    return {name: tuple(phrases) for name, phrases in found.items()}


def flat(text: str) -> str:
    """Folded as phrases are looked for, a line break as ` | `, emphasis of Markdown left out.

    Character by character, which a write and a turn can afford.
    """
    line = unify(text.strip().replace("\n", " | ").replace("**", ""))
    return fold(line if line.isascii() else simplify_characters(line))


def _key(text: str, start: int) -> str:
    if text[start : start + 1].isascii():
        return text[start : min(_word_end(text, start), start + _LATIN_KEY)]
    return text[start : start + _HAN_KEY]


def _word_end(text: str, start: int) -> int:
    word = _WORD.match(text, start)
    return word.end() if word else start


def _end(entry: _Entry, text: str, start: int) -> int:
    """Where an entry that begins at `start` ends; 0 where it does not stand there."""
    if not text.startswith(entry.phrase, start):
        return 0
    end = start + len(entry.phrase)
    if entry.phrase[0].isascii():
        if entry.open_ended:
            return _word_end(text, end)
        if entry.phrase[-1] in _WORD_CHARACTERS and text[end : end + 1] in _WORD_CHARACTERS:
            return 0
    return end
