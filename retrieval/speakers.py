"""Does a query name who said it, and was it somebody else?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from memweir.retrieval.normalise import normalise
from memweir.retrieval.stopwords import word_lists

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memweir.retrieval.analysis import Analyzer
    from memweir.retrieval.profile import Profile
    from memweir.store.records import Record

__all__ = ["other_speaker"]

_ROLES: Final = frozenset(
    [
        "",
        "user",
        "assistant",
        "system",
        "tool",
        "human",
        "ai",
        "bot",
        "agent",
        "me",
        "用户",
        "助手",
        "我",
    ]
)
"""Names that say who of a dialogue spoke: no person is meant by them."""


def other_speaker(
    profile: Profile, records: Sequence[Record], analyzer: Analyzer
) -> NDArray[np.float64]:
    """0 where the query names who said it, or nobody; -0.5 where it names somebody else first, -1 where
    it names others only.
    """
    import numpy as np

    speakers = dict.fromkeys(record.speaker for record in records if record.speaker)
    people = {speaker: analyzer.analyse(speaker).normal for speaker in speakers}
    people = {speaker: folded for speaker, folded in people.items() if folded not in _ROLES}
    named = {
        speaker: place
        for speaker, folded in people.items()
        if (place := _place(profile, speaker, folded)) is not None
    }
    if not named:
        return np.zeros(len(records))
    first = min(named.values())

    def worth(speaker: str | None) -> float:
        if speaker not in people:
            return 0.0
        if speaker not in named:
            return -1.0
        return 0.0 if named[speaker] == first else -0.5

    return np.array([worth(record.speaker) for record in records])


def _place(profile: Profile, written: str, folded: str) -> int | None:
    """Where in its folded text a query names somebody, None where not; Chinese names need no gap.

    "How long" does not name Long: a name is written as one, unless the query has no capitals at all.
    """
    normal, text = profile.normal, profile.text
    if not folded or folded not in normal:
        return None
    if not folded.isascii():
        return normal.index(folded) if len(folded) > 1 else None
    if text == text.lower():
        found = _bounded(folded).search(normal)
        return None if found is None else found.start()
    found = next((each for each in _bounded(written).finditer(text) if _is_name(each)), None)
    # Folding drops and joins characters; with the name's first one no white space is lost at the end.
    return None if found is None else len(normalise(text[: found.start() + 1])) - 1


def _is_name(found: re.Match[str]) -> bool:
    """Whether a word is no function word that a sentence begins with ("Will it rain?")."""
    before = found.string[: found.start()].rstrip(" \t\"'(")
    begins = not before or before.endswith((".", "!", "?", "\n", ":"))
    return not (begins and found.group().lower() in word_lists().stop)


@lru_cache(maxsize=4096)
def _bounded(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])")
