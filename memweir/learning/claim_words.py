"""What do the words of a statement do when two statements are compared? The list, made ready."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from memweir.errors import ConfigError
from memweir.learning.english import lexicon
from memweir.learning.lists import read_lines
from memweir.retrieval.stemming import stem
from memweir.retrieval.synonyms import Synonyms
from memweir.retrieval.wording import RUN, split_contraction, word_tokens

__all__ = ["MARKS", "USER", "ClaimWords", "Entry", "base", "claim_words", "is_verb", "may_be_verb"]

MARKS: Final = ("question", "condition", "guess", "plan", "report", "remind", "past", "only")
"""What keeps a statement from being that something is so now."""

USER: Final = "user"
"""The key of the person whose memory it is."""

_FLAGS: Final = ("change", "correct", "end", "whole", "names-old", "demand")
_WORDS: Final = ("user", "same", "do", "light", "stays", "often", "person", "drop")
# What these are, where they are words by themselves, or what they are here.
_ALONE: Final = {
    "说": "(?<![小传解述学])说(?![明话服法唱])",
    "问": "(?<![访顾学疑慰提])问(?![题候卷答])",
    "曾": "曾(?![祖孙])",
    "戒": "戒(?![指备律])",
    "吗": "吗(?!啡)",
    "要": "(?<![不主重必])要(?![么是紧害点素闻])",
    "stopped": r"stopped(?! (?:at|by|in|for|over|off)\b)",
    "left": r"(?<!the )(?<!his )(?<!her )(?<!their )(?<!'s )left"
    r"(?= (?:the|his|her|their|its|[a-z]+ing)\b)",
}
_FILE: Final = "claims.txt"
_PERSON: Final = "zq"  # begins no word
_SIDES: Final = re.compile(r" \|\|? ")


@dataclass(frozen=True, slots=True)
class Entry:
    """What a phrase stands for.

    Attributes:
        key: the same for all phrases that say the same.
        action: "user", "same", "do", "light", "stays", "often", "person", "drop", "cue" or "opposite".
        side: of an opposite its state as a bit, else 0; every: all states of it.
    """

    key: str
    action: str
    side: int = 0
    every: int = 0


@dataclass(frozen=True, slots=True)
class ClaimWords:
    """The list of `data/claims.txt` over the synonyms of retrieval.

    Attributes:
        latin: first base form → (further base forms, entry), longest first.
        han: first character → (phrase, entry), longest first.
        said: mark or flag → what finds it in a folded text.
        prefer, store, have: the keys of preferring, of keeping something somewhere, of owning it.
        people: English word for a person → the token that stands for it; person: what finds one.
        bounds: what finds each way of saying how much or how many.
    """

    latin: dict[str, tuple[tuple[tuple[str, ...], Entry], ...]]
    han: dict[str, tuple[tuple[str, Entry], ...]]
    said: dict[str, re.Pattern[str]]
    bounds: tuple[re.Pattern[str], ...]
    prefer: str
    store: str
    have: str
    people: dict[str, str]
    person: re.Pattern[str]


def base(word: str) -> str:
    """What the forms of a folded Latin word, or of its stem, have in common."""
    stemmed = stem(word)
    return _irregular().get(stemmed) or stem(stemmed)


def is_verb(word: str) -> bool:
    """Whether a `base` is that of an irregular verb: of the regular ones too many are nouns as well."""
    return word in _verbs()


def may_be_verb(word: str) -> bool:
    """Whether a `base` is that of any listed verb, a noun or not."""
    return word in _verbs() or word in _regular()


@cache
def _regular() -> frozenset[str]:
    return frozenset(base(each.rstrip("+")) for each in lexicon.words("regular"))


@cache
def _irregular() -> dict[str, str]:
    return {
        stem(form): stem(stem(row.split()[0]))
        for row in lexicon.lines("irregular")
        for forms in row.split()
        for form in forms.split("/")
    }


@cache
def _verbs() -> frozenset[str]:
    return frozenset(_irregular().values())


@cache
def claim_words() -> ClaimWords:
    """Read once per process. Raises `ConfigError` where the file is damaged."""
    latin: dict[tuple[str, ...], Entry] = {}
    han: dict[str, Entry] = {}
    bounds: list[list[str]] = []
    people: dict[str, str] = {}
    said: dict[str, list[str]] = {name: [] for name in (*MARKS, *_FLAGS)}

    def add(member: str, entry: Entry) -> None:
        if member.isascii():
            latin.setdefault(_bases(member), entry)
        else:
            han.setdefault(member, entry)

    for number, (action, members) in enumerate(_rows(), start=1):
        if action == "opposite":
            every = 0b011 if " || " in members else 0b111
            for side, part in enumerate(_SIDES.split(members), start=1):
                for member in part.split(", "):
                    add(member, Entry(f"<>{number}", "opposite", side, every))
            continue
        if action == "bound":
            bounds.append(members.split(", "))
            continue
        if action not in (*_WORDS, *said):
            raise ConfigError(_FILE, action, "is no known action")
        for member in members.split(", "):
            if action == "person" and member.isascii():
                # By its letters: the stem of "customer" is that of "custom" too.
                people[member] = f"{_PERSON}{number}"
                latin[(people[member],)] = Entry(f"={number}", "person")
                continue
            if action in said:
                said[action].append(member)
            if action in _WORDS:
                add(member, Entry(USER if action == "user" else f"={number}", action))
            elif action in ("change", "correct"):
                add(member, Entry("", "cue"))
            elif action == "whole":
                add(member, Entry("", "drop"))
    for name, group in Synonyms.load().groups.items():
        # A group that shares a member with one of ours is the same group.
        entry = next(
            (
                found
                for member in group
                if (found := latin.get(_bases(member)) if member.isascii() else han.get(member))
            ),
            Entry(f"~{name}", "same"),
        )
        if entry.action in _WORDS and entry.action != "drop":
            for member in group:
                add(member, entry)
    return ClaimWords(
        _by_first(latin),
        _by_first_character(han),
        {name: _pattern(members) for name, members in said.items()},
        tuple(map(_pattern, bounds)),
        latin[_bases("prefer")].key,
        latin[_bases("store")].key,
        latin[_bases("possess")].key,
        people,
        re.compile(rf"\b({'|'.join(sorted(map(re.escape, people), key=_longest))})(?:s\b|\b)"),
    )


def _longest(word: str) -> tuple[int, str]:
    return -len(word), word


def _bases(member: str) -> tuple[str, ...]:
    words, kinds = word_tokens(member)
    return tuple(
        base(part)
        for word, kind in zip(words, kinds, strict=True)
        if kind < RUN
        for part in split_contraction(word)
        if part not in ("be", "a", "the", "do", "have") or len(words) == 1
    )


def _rows() -> list[tuple[str, str]]:
    rows = []
    for _, line in read_lines(_FILE):
        action, _, members = line.partition("\t")
        rows.append((action, members))
    return rows


def _by_first(
    latin: dict[tuple[str, ...], Entry],
) -> dict[str, tuple[tuple[tuple[str, ...], Entry], ...]]:
    grouped: dict[str, list[tuple[tuple[str, ...], Entry]]] = {}
    for words, entry in latin.items():
        if words:
            grouped.setdefault(words[0], []).append((words[1:], entry))
    return {first: tuple(sorted(rows, key=lambda row: -len(row[0]))) for first, rows in grouped.items()}


def _by_first_character(han: dict[str, Entry]) -> dict[str, tuple[tuple[str, Entry], ...]]:
    grouped: dict[str, list[tuple[str, Entry]]] = {}
    for phrase, entry in han.items():
        grouped.setdefault(phrase[0], []).append((phrase, entry))
    return {first: tuple(sorted(rows, key=lambda row: -len(row[0]))) for first, rows in grouped.items()}


def _pattern(members: list[str]) -> re.Pattern[str]:
    latin, han = (
        sorted(
            (each for each in members if each.isascii() is ascii_), key=lambda each: (-len(each), each)
        )
        for ascii_ in (True, False)
    )
    words = "|".join(_ALONE.get(member) or re.escape(member) for member in latin)
    parts = [rf"\b(?:{words})\b(?!-)"] if latin else []
    return re.compile("|".join((*parts, *(_ALONE.get(member) or re.escape(member) for member in han))))
