"""Which words carry polarity, and what else do the word lists know of a word?

`data/antonyms.tsv` has the scales, `data/denials.tsv` everything else; both say what their columns
mean.
"""

from __future__ import annotations

import functools
import re
from enum import IntFlag
from typing import Final, NamedTuple

from memweir.errors import ConfigError
from memweir.retrieval.stopwords import read_data

__all__ = ["Lexicon", "Manner", "Rule", "Scale", "lexicon"]


class Manner(IntFlag):
    """What keeps a sentence from being one side of a contradiction or an update."""

    HEDGE = 1  # a condition, a guess, a wish
    PLAN = 2  # not yet so
    REPORT = 4  # somebody else's words
    DAY = 8  # a day told by today's date
    PASSING = 16  # a state of hours
    VAGUE = 32  # what it is about stands outside of it
    PAST = 64  # an occasion that is over


class Scale(NamedTuple):
    """A place on a scale.

    Attributes:
        mask: the states left open, as bits.
        every: all states of the scale.
        condition: "^" after a form of "be", "$" at the end of a clause, "" anywhere.
    """

    name: str
    mask: int
    every: int
    condition: str


class Rule(NamedTuple):
    """What a phrase does, besides the manner it may give the sentence.

    Attributes:
        length: how much of the text it takes up: words, or characters of a Chinese phrase.
        action: "deny", "keep", "drop", "all", "break", "scale", "have" (没有) or "occasion" (没).
    """

    length: int
    action: str
    scale: Scale | None = None


_STRUCTURE: Final = ("deny", "first", "keep", "drop", "all", "break")
_MANNERS: Final = {manner.name.lower(): manner for manner in Manner if manner.name}
_LISTS: Final = ("person", "part", "light", "trivial", "lasting", "day", "irregular", "present")


class Lexicon:
    """The word lists, made ready for reading; immutable in use.

    Attributes:
        rules: first word of a Latin phrase → (its words, rule), longest first.
        manners: the same for the manner a phrase gives.
        han_rules, han_manners: first character of a Chinese phrase → (phrase, …), longest first.
        han_words: Chinese words of one character → the manner each gives where it is a word.
        special: any character that a Chinese phrase begins with.
        trivial_han: Chinese words that say nothing alone.
        lasting: Chinese verbs whose outcome stays.
        lists: name → the words of a plain list.
    """

    __slots__ = (
        "han_manners",
        "han_rules",
        "han_words",
        "lasting",
        "lists",
        "manners",
        "rules",
        "special",
        "trivial_han",
    )

    def __init__(self) -> None:
        self.rules: dict[str, list[tuple[tuple[str, ...], Rule]]] = {}
        self.manners: dict[str, list[tuple[tuple[str, ...], Manner]]] = {}
        self.han_rules: dict[str, list[tuple[str, Rule]]] = {}
        self.han_manners: dict[str, list[tuple[str, Manner]]] = {}
        self.han_words: dict[str, Manner] = {}
        gathered: dict[str, list[str]] = {}
        for action, members in _rows("denials.tsv", 2):
            gathered.setdefault(action, []).extend(members.split(", "))
        self.lists = {name: frozenset(gathered.get(name, ())) for name in _LISTS}
        for action, known in gathered.items():
            if action not in (*_STRUCTURE, *_MANNERS, *_LISTS):
                raise ConfigError("denials.tsv", action, "is no known action")
            for member in known:
                if action in _STRUCTURE:
                    self._add_rule(member, action)
                if action in _MANNERS:
                    self._add_manner(member, _MANNERS[action])
        self._add_scales()
        self._tell_occasions()
        for rules in self.rules.values():
            rules.sort(key=lambda entry: (-len(entry[0]), entry[0]))
        for manners in self.manners.values():
            manners.sort(key=lambda entry: (-len(entry[0]), entry[0]))
        for han_rules in self.han_rules.values():
            han_rules.sort(key=lambda entry: (-len(entry[0]), entry[0]))
        for han_manners in self.han_manners.values():
            han_manners.sort(key=lambda entry: (-len(entry[0]), entry[0]))
        self.special = re.compile(f"[{''.join(sorted({*self.han_rules, *self.han_manners}))}]")
        self.trivial_han = self._trivial()
        self.lasting = tuple(sorted(self.lists["lasting"]))

    def _add_rule(self, member: str, action: str, scale: Scale | None = None) -> None:
        if member.isascii():
            words = tuple(member.split(" "))
            self.rules.setdefault(words[0], []).append((words, Rule(len(words), action, scale)))
        else:
            rule = Rule(1, "deny") if action == "first" else Rule(len(member), action, scale)
            self.han_rules.setdefault(member[0], []).append((member, rule))

    def _add_manner(self, member: str, manner: Manner) -> None:
        if member.isascii():
            words = tuple(member.split(" "))
            self.manners.setdefault(words[0], []).append((words, manner))
        elif len(member) == 1:
            self.han_words[member] = self.han_words.get(member, Manner(0)) | manner
        else:
            self.han_manners.setdefault(member[0], []).append((member, manner))

    def _add_scales(self) -> None:
        rows = _rows("antonyms.tsv", 3)
        every: dict[str, int] = {}
        for name, states, _ in rows:
            every[name] = every.get(name, 0) | _bits(states)
        for name, states, members in rows:
            for written in filter(None, members.split(", ")):
                bare = written.lstrip("=^$")
                marks = written[: len(written) - len(bare)]
                scale = Scale(name, _bits(states), every[name], marks.replace("=", ""))
                # "turns on", "turned on": the first word is inflected, where the member is a verb.
                first, space, rest = bare.partition(" ")
                inflected = bare.isascii() and "=" not in marks and "^" not in marks
                for form in _forms(first) if inflected else (first,):
                    self._add_rule(f"{form}{space}{rest}", "scale", scale)

    def _tell_occasions(self) -> None:
        """没 denies that something took place, 没有 that there is something: unlike 不, both depend on
        what follows.
        """
        for denial, action in (
            ("没", "occasion"),
            ("还没", "occasion"),
            ("没有", "have"),
            ("还没有", "have"),
        ):
            entries = self.han_rules[denial[0]]
            entries[:] = [entry for entry in entries if entry[0] != denial]
            entries.append((denial, Rule(len(denial), action)))

    def _trivial(self) -> re.Pattern[str]:
        members = {"这个", "那个", "这", "那"}
        for name in ("trivial", "person", "light"):
            members.update(each for each in self.lists[name] if not each.isascii())
        return re.compile(
            "|".join(sorted(map(re.escape, members), key=lambda each: (-len(each), each)))
        )


@functools.cache
def lexicon() -> Lexicon:
    """Read once per process."""
    return Lexicon()


def _rows(name: str, columns: int) -> list[tuple[str, ...]]:
    try:
        text = read_data(name)
    except (OSError, ValueError) as error:
        raise ConfigError(name, str(error), "cannot be read; reinstall memweir") from error
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = tuple(line.split("\t"))
        if len(cells) != columns:
            raise ConfigError(f"{name}:{number}", line, f"has {len(cells)} columns, not {columns}")
        rows.append(cells)
    return rows


def _bits(states: str) -> int:
    return sum(1 << (int(state) - 1) for state in states)


def _forms(verb: str) -> list[str]:
    """The inflections of a regular English verb."""
    forms = [verb, f"{verb}s", f"{verb}ed", f"{verb}ing"]
    if verb.endswith("e"):
        forms += [f"{verb}d", f"{verb[:-1]}ing"]
    elif verb.endswith("y") and verb[-2] not in "aeiou":
        forms += [f"{verb[:-1]}ies", f"{verb[:-1]}ied"]
    elif verb[-1] not in "aeiouwxy" and verb[-2] in "aeiou":
        forms += [f"{verb}{verb[-1]}ed", f"{verb}{verb[-1]}ing"]
    return forms
