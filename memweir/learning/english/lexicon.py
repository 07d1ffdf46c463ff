"""Which English words are known beforehand? Closed classes, verbs, nouns with a meaning.

The words stand in `memweir/learning/data/en_*.txt`; a line that begins with # is a comment, [name]
opens a section.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from memweir.errors import ConfigError
from memweir.learning.lists import read_lines

__all__ = [
    "BASE",
    "ING",
    "PARTICIPLE",
    "PAST",
    "THIRD",
    "Verb",
    "entries",
    "lines",
    "third_person",
    "verb",
    "words",
]

BASE: Final = 1
THIRD: Final = 2
PAST: Final = 4
PARTICIPLE: Final = 8
ING: Final = 16

_FILES: Final = ("en_words.txt", "en_verbs.txt", "en_nouns.txt", "en_phrases.txt")


@dataclass(frozen=True, slots=True)
class Verb:
    """A form of a verb.

    Attributes:
        lemma: its base.
        forms: which forms it may be, bits of `BASE`, `THIRD`, `PAST`, `PARTICIPLE`, `ING`.
    """

    lemma: str
    forms: int


@cache
def lines(name: str) -> tuple[str, ...]:
    """The lines of a section, of whichever file."""
    try:
        return _sections()[name]
    except KeyError as error:
        raise ConfigError(name, "", "is no section of the English word lists") from error


@cache
def words(name: str) -> frozenset[str]:
    """The members of a section that lists words by commas."""
    members = (word.strip() for line in lines(name) for word in line.split(","))
    return frozenset(word for word in members if word)


@cache
def entries(name: str) -> dict[str, tuple[str, ...]]:
    """The lines "key: word, word" of a section."""
    found: dict[str, tuple[str, ...]] = {}
    for line in lines(name):
        key, _, members = line.partition(":")
        found[key.strip()] = tuple(word.strip() for word in members.split(",") if word.strip())
    return found


def verb(form: str) -> Verb | None:
    """The verb that a lower-case word may be a form of, as far as it is listed."""
    return _verbs().get(form)


def third_person(base: str) -> str:
    """The form after he or she: "works", "goes", "carries"."""
    known = _irregular_thirds().get(base)
    if known is not None:
        return known
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{base}es"
    if base.endswith("y") and base[-2:-1] not in tuple("aeiou"):
        return f"{base[:-1]}ies"
    return f"{base}s"


@cache
def _sections() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for name in _FILES:
        for section, line in read_lines(name):
            if not section:
                raise ConfigError(name, line, "stands before the first section")
            found.setdefault(section, []).append(line)
    return {name: tuple(members) for name, members in found.items()}


@cache
def _verbs() -> dict[str, Verb]:
    forms: dict[str, dict[str, int]] = {}

    def add(form: str, lemma: str, bit: int) -> None:
        of_lemma = forms.setdefault(form, {})
        of_lemma[lemma] = of_lemma.get(lemma, 0) | bit

    for line in lines("irregular"):
        base, third, past, participle = line.split()
        add(base, base, BASE)
        add(third, base, THIRD)
        for form in past.split("/"):
            add(form, base, PAST)
        for form in participle.split("/"):
            add(form, base, PARTICIPLE)
        add(_ing(base, doubled=base in _DOUBLED), base, ING)
    for written in sorted(words("regular")):
        base = written.rstrip("+")
        doubled = written.endswith("+")
        add(base, base, BASE)
        add(third_person(base), base, THIRD)
        add(_ed(base, doubled=doubled), base, PAST | PARTICIPLE)
        add(_ing(base, doubled=doubled), base, ING)
    add("am", "be", THIRD)
    add("are", "be", THIRD)
    # Of two verbs with one form ("lay", "found") the one whose base it is, else the first listed.
    chosen: dict[str, Verb] = {}
    for form, of_lemma in forms.items():
        lemma = form if form in of_lemma and form not in _PAST_FIRST else next(iter(of_lemma))
        bits = 0
        for each in of_lemma.values():
            bits |= each
        if form in _PAST_FIRST:
            bits &= ~BASE
        chosen[form] = Verb(lemma, bits)
    return chosen


_DOUBLED: Final = frozenset(
    [
        "get",
        "put",
        "run",
        "sit",
        "cut",
        "set",
        "win",
        "quit",
        "hit",
        "shut",
        "swim",
        "dig",
        "spin",
        "let",
        "split",
        "bet",
        "reset",
        "rerun",
        "babysit",
        "forget",
        "begin",
    ]
)
_PAST_FIRST: Final = frozenset(["found", "wound", "saw", "felt", "left"])


@cache
def _irregular_thirds() -> dict[str, str]:
    rows = (line.split() for line in lines("irregular"))
    return {row[0]: row[1] for row in rows}


def _ed(base: str, *, doubled: bool) -> str:
    if doubled:
        return f"{base}{base[-1]}ed"
    if base.endswith("e"):
        return f"{base}d"
    if base.endswith("y") and base[-2:-1] not in tuple("aeiou"):
        return f"{base[:-1]}ied"
    return f"{base}ed"


def _ing(base: str, *, doubled: bool) -> str:
    if doubled:
        return f"{base}{base[-1]}ing"
    if base.endswith("ie"):
        return f"{base[:-2]}ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
        return f"{base[:-1]}ing"
    return f"{base}ing"
