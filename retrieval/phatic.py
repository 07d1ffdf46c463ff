"""Does a turn ask for anything, or does it only keep the conversation going?

"Phatic" is what linguistics calls greetings, thanks and "go on" (Malinowski, 1923; Jakobson,
1960). The words are in `data/phatic.txt`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from memweir.errors import ConfigError
from memweir.retrieval.stopwords import read_data

__all__ = ["consists_of", "is_phatic"]

_LONGEST: Final = 80  # characters: who says more says something
_LATIN: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_HAN: Final = re.compile(r"[\u3400-\u9fff]+")
_SAYS_MORE: Final = re.compile(r"[\d@#/\\<>{}=_$%+*^|~]")


def is_phatic(normal: str) -> bool:
    """Whether a folded text is small talk from end to end, of any punctuation."""
    if len(normal) > _LONGEST or _SAYS_MORE.search(normal):
        return False
    words, phrases = _entries()
    runs = _HAN.findall(normal)
    spoken = _LATIN.findall(_HAN.sub(" ", normal))
    if not runs and not spoken:
        return False
    return all(word.replace("’", "'") in words for word in spoken) and all(
        consists_of(phrases, run) for run in runs
    )


def consists_of(phrases: frozenset[str], run: str) -> bool:
    """Whether phrases without a gap make up a run, in whatever way.

    From one possible end of a phrase to the next: a regular expression would try every way to cut the
    run, which are as many as powers of two where phrases hold each other.
    """
    longest = max(map(len, phrases))
    ends = {0}
    for end in range(1, len(run) + 1):
        if any(
            start in ends and run[start:end] in phrases for start in range(max(0, end - longest), end)
        ):
            ends.add(end)
    return len(run) in ends


@cache
def _entries() -> tuple[frozenset[str], frozenset[str]]:
    try:
        text = read_data("phatic.txt")
    except (OSError, ValueError) as error:
        raise ConfigError("phatic.txt", str(error), "cannot be read; reinstall memweir") from error
    lines = [line.strip() for line in text.splitlines()]
    entries = [line for line in lines if line and not line.startswith("#")]
    return frozenset(entries), frozenset(each for each in entries if _HAN.match(each))
