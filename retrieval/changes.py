"""What does an announced change consist of, and which words announce one?"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Final

from memweir.errors import ConfigError
from memweir.retrieval.stopwords import read_data

__all__ = ["CHANGING", "Change", "ChangeWords", "change_words", "either"]

CHANGING: Final = ("turn", "move", "shift", "name", "job")
"""Kinds of verbs after which the new value follows."""

_KINDS: Final = (*CHANGING, "stop", "gone")


@dataclass(frozen=True, slots=True)
class Change:
    """What a sentence announces, in pieces of it.

    Attributes:
        reversal: "change" or "end".
        slot: what kind of change: one of `CHANGING`, "live", "work", "now"; "" where `old` decides.
        subject: what changed; of an end all that is no more.
        value: what it is now; "" of an end.
        old: what it was, where that is named; "".
    """

    reversal: str
    slot: str
    subject: str
    value: str = ""
    old: str = ""


@dataclass(frozen=True, slots=True)
class ChangeWords:
    """The verbs of `data/reversals.tsv`.

    Attributes:
        english, chinese: kind → an alternation for a regular expression, longest first.
        slots: changing verb → its kind.
    """

    english: dict[str, str]
    chinese: dict[str, str]
    slots: dict[str, str]


@functools.cache
def change_words() -> ChangeWords:
    """Read once per process."""
    try:
        lines = read_data("reversals.tsv").splitlines()
    except (OSError, ValueError) as error:
        raise ConfigError("reversals.tsv", str(error), "cannot be read; reinstall memweir") from error
    latin: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    han: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    slots: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        if not line or line.startswith("#"):
            continue
        kind, _, members = line.partition("\t")
        if kind not in _KINDS:
            raise ConfigError(f"reversals.tsv:{number}", kind, "is no known kind")
        for member in members.split(", "):
            (latin if member.isascii() else han)[kind].append(member)
            if kind in CHANGING:
                slots[member] = kind
    for table in (latin, han):
        table["changing"] = [verb for kind in CHANGING for verb in table[kind]]
    return ChangeWords(
        {kind: either(members) for kind, members in latin.items()},
        {kind: either(members) for kind, members in han.items()},
        slots,
    )


def either(members: list[str]) -> str:
    """An alternation of words, the longest first."""
    return "|".join(
        re.escape(member) for member in sorted(members, key=lambda each: (-len(each), each))
    )
