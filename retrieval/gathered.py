"""What has been found in a text so far, and how much of it is kept?"""

from __future__ import annotations

from typing import Final, TypeVar

from memweir.retrieval.types import Analysis

__all__ = ["MOST_NAMES", "MOST_SYMBOLS", "MOST_TERMS", "Gathered"]

MOST_TERMS: Final = 20_000  # kept of one text; as many content terms, characters and words
MOST_SYMBOLS: Final = 1_000  # kept of one text: the first
MOST_NAMES: Final = 32  # kept of one text: the first

_Kept = TypeVar("_Kept")


class Gathered:
    """The fields of an `Analysis` while its text is read."""

    __slots__ = ("_limit", "chars", "content", "names", "symbols", "terms", "words")

    def __init__(self) -> None:
        self.terms: list[str] = []
        self.content: list[str] = []
        self.chars: list[str] = []
        self.words: list[tuple[str, str]] = []
        self.symbols: dict[str, None] = {}
        self.names: dict[str, None] = {}
        self._limit = 4 * MOST_TERMS

    def add_names(self, found: list[tuple[int, str]]) -> None:
        """Keep the names found in one part, given with their offsets, in text order."""
        for _, name in sorted(found, key=lambda each: each[0]) if len(found) > 1 else found:
            if len(self.names) >= MOST_NAMES:
                return
            self.names[name] = None

    def drop_repeats(self) -> None:
        """Keep memory in proportion to the vocabulary of a text that is far too long."""
        if len(self.terms) > self._limit:
            self.terms = list(dict.fromkeys(self.terms))
            self.content = list(dict.fromkeys(self.content))
            self.chars = list(dict.fromkeys(self.chars))
            self.words = list(dict.fromkeys(self.words))
            self._limit = max(4 * MOST_TERMS, 2 * len(self.terms))

    def analysis(self, normal: str) -> Analysis:
        """What is kept of it."""
        return Analysis(
            normal=normal,
            terms=_bounded(self.terms),
            content=_bounded(self.content),
            chars=_bounded(self.chars),
            words=_bounded(self.words),
            symbols=tuple(self.symbols)[:MOST_SYMBOLS],
            names=tuple(self.names),
        )


def _bounded(found: list[_Kept]) -> tuple[_Kept, ...]:
    if len(found) <= MOST_TERMS:
        return tuple(found)
    unique = list(dict.fromkeys(found))
    if len(unique) <= MOST_TERMS:
        return tuple(unique)
    # Each of those kept stands for an equal stretch; in integers, so that nothing is rounded.
    return tuple(unique[at * len(unique) // MOST_TERMS] for at in range(MOST_TERMS))
