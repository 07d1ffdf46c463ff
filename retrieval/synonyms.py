"""Which phrases mean the same, in either language? Groups of synonyms folded to one token each.

A group `deploy: deploy, roll out, 部署, 上线` gives every text that holds a member the index term
`~deploy`. `retrieval/data/synonyms.txt` has the built-in groups and describes the format; a user's
file is merged over them:

- a group with a known id extends that group, a new id opens a group;
- a member that another built-in group holds moves to the user's group;
- a member written `-member` leaves the group.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from memweir.errors import ConfigError
from memweir.retrieval.normalise import has_han, normalise
from memweir.retrieval.stemming import stem, strip_accents
from memweir.retrieval.stopwords import read_data

__all__ = ["LONGEST_PHRASE", "TOKEN_MARK", "Groups", "Synonyms"]

TOKEN_MARK: Final = "~"
"""What a synonym token begins with; no other term does."""

LONGEST_PHRASE: Final = 5  # words of an English member
_LONGEST_MEMBER: Final = 48  # characters
_BUILT_IN: Final = "synonyms.txt"
_ID: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_WORDS: Final = re.compile(
    r"[a-z0-9\u00c0-\u024f]+(?:'[a-z]+)?(?: [a-z0-9\u00c0-\u024f]+(?:'[a-z]+)?)*"
)
_SEPARATOR: Final = re.compile("[,、;]")
_VOWELS: Final = frozenset("aeiou")

Groups = Mapping[str, tuple[str, ...]]


class Synonyms:
    """Compiled synonym groups; immutable.

    Attributes:
        groups: id → members, both sorted.
        digest: eight hex digits that change when a group does.
    """

    __slots__ = ("_forms", "_han", "_phrases", "digest", "groups")

    def __init__(self, groups: Mapping[str, Iterable[str]] | None = None) -> None:
        """Groups with members already in the form of `normalise`; none: nothing is folded."""
        self.groups: Groups = {
            key: tuple(sorted(set(members))) for key, members in sorted((groups or {}).items())
        }
        written = "\n".join(f"{key}: {', '.join(members)}" for key, members in self.groups.items())
        self.digest: str = hashlib.sha256(written.encode()).hexdigest()[:8]
        phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        han: dict[str, list[tuple[str, str]]] = {}
        words: set[str] = set()
        for key, members in self.groups.items():
            for member in members:
                if has_han(member):
                    han.setdefault(member[0], []).append((member, f"{TOKEN_MARK}{key}"))
                else:
                    first, *rest = member.split(" ")
                    phrases.setdefault(first, []).append((tuple(rest), f"{TOKEN_MARK}{key}"))
                    words.update(member.split(" "))
        # Longest first: the longest member wins.
        self._phrases = {word: tuple(sorted(ends, key=_by_length)) for word, ends in phrases.items()}
        self._han = {first: tuple(sorted(whole, key=_by_length)) for first, whole in han.items()}
        self._forms = _forms(words)

    @classmethod
    def load(cls, path: str | os.PathLike[str] | None = None) -> Synonyms:
        """The built-in groups, merged with those of a user's UTF-8 file.

        Raises:
            ConfigError: the file cannot be read or a line is wrong; `setting` names file and line.
        """
        if path is None:
            return _built_in()
        name = os.fspath(path)
        try:
            text = Path(name).read_text(encoding="utf-8-sig")
        except (OSError, ValueError) as error:
            raise ConfigError("synonyms", name, f"cannot be read as UTF-8 text: {error}") from error
        groups: dict[str, set[str]] = {key: set(members) for key, members in _built_in().groups.items()}
        for key, (added, removed) in _parse(text, str(name)).items():
            for members in groups.values():
                members -= added
            groups[key] = (groups.get(key, set()) | added) - removed
        return cls({key: members for key, members in groups.items() if members})

    def members_like(self, word: str) -> tuple[str, ...]:
        """The words of members that a folded Latin word is a form of, sorted."""
        found = self._forms.get(strip_accents(word), ())
        return tuple(base for base in found if base == word or stem(base) == stem(word))

    def phrases(self, word: str) -> tuple[tuple[tuple[str, ...], str], ...]:
        """Members that begin with this word: (the words after it, token), longest first."""
        return self._phrases.get(word, ())

    def han(self, character: str) -> tuple[tuple[str, str], ...]:
        """Members that begin with this Han character: (member, token), longest first."""
        return self._han.get(character, ())


@functools.cache
def _built_in() -> Synonyms:
    groups = _parse(read_data(_BUILT_IN), _BUILT_IN, normalised=True)
    return Synonyms({key: added for key, (added, _) in groups.items()})


def _parse(text: str, name: str, *, normalised: bool = False) -> dict[str, tuple[set[str], set[str]]]:
    """id → (members, members to remove). `normalised`: the file is in the form of `normalise`."""
    groups: dict[str, tuple[set[str], set[str]]] = {}
    owner: dict[str, str] = {}
    for number, raw in enumerate(text.splitlines(), start=1):
        where = f"synonyms {name}:{number}"
        line = raw.strip() if normalised else normalise(raw)
        if not line or line.startswith("#"):
            continue
        key, colon, rest = line.partition(":")
        key = key.strip()
        if not colon or not _ID.fullmatch(key):
            raise ConfigError(where, raw, "write ID: MEMBER, MEMBER with an id of a-z, 0-9, - and _")
        if key in groups:
            raise ConfigError(where, key, "this id has a line already; put the members together")
        added: set[str] = set()
        removed: set[str] = set()
        for member in filter(None, (part.strip() for part in _SEPARATOR.split(rest))):
            if member.startswith("-"):
                removed.add(_checked(member[1:].strip(), where))
                continue
            added.add(_checked(member, where))
            if owner.setdefault(member, key) != key:
                raise ConfigError(
                    where, member, f"belongs to {owner[member]} already; one group a member"
                )
        if not added and not removed:
            raise ConfigError(where, key, "the group has no member")
        groups[key] = (added, removed)
    return groups


def _checked(member: str, where: str) -> str:
    if len(member) > _LONGEST_MEMBER:
        raise ConfigError(where, member, f"a member has at most {_LONGEST_MEMBER} characters")
    if has_han(member):
        if not all(map(has_han, member)):
            raise ConfigError(where, member, "a member is either Chinese or in Latin letters")
        if len(member) < 2:
            raise ConfigError(where, member, "a Chinese member has two characters or more")
    elif not _WORDS.fullmatch(member):
        raise ConfigError(where, member, "a member is made of words with single spaces between them")
    elif member.count(" ") >= LONGEST_PHRASE:
        raise ConfigError(where, member, f"a member has at most {LONGEST_PHRASE} words")
    return member


def _by_length(entry: tuple[tuple[str, ...] | str, str]) -> tuple[int, tuple[str, ...] | str]:
    return -len(entry[0]), entry[0]


def _forms(words: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Surface form → the words it may be a form of. Whether it is one, their stems decide later."""
    forms: dict[str, set[str]] = {}
    for word in words:
        for form in _inflections(strip_accents(word)):
            forms.setdefault(form, set()).add(word)
    return {form: tuple(sorted(bases)) for form, bases in forms.items()}


def _inflections(word: str) -> list[str]:
    if len(word) < 3 or not word.isalpha():
        return [word, f"{word}s"]
    forms = [word, f"{word}s", f"{word}es", f"{word}ed", f"{word}ing"]
    if word.endswith("e"):
        forms += [f"{word}d", f"{word[:-1]}ing"]
    elif word.endswith("y"):
        forms += [f"{word[:-1]}ies", f"{word[:-1]}ied"]
    elif word[-1] not in _VOWELS and word[-2] in _VOWELS:
        forms += [f"{word}{word[-1]}ed", f"{word}{word[-1]}ing"]
    return forms
