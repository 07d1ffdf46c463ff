"""Is this word a slip of that one? Bounded edit distance between two index terms."""

from __future__ import annotations

from typing import Final

__all__ = ["SHORTEST", "is_slip"]

SHORTEST: Final = 4  # letters: of shorter words every other one is a neighbour
_TWO_FROM: Final = 8  # letters from which two slips are still one word


def is_slip(word: str, known: str) -> bool:
    """Whether two words are one edit apart, or two from eight letters on.

    An edit inserts, drops or changes a letter or swaps two neighbours (optimal string alignment:
    Boytsov, Journal of Experimental Algorithmics 2011). The first letter must be right, as it is in
    nearly all slips (Yannakoudakis and Fawthrop, 1983); equal words are none.
    """
    allowed = 2 if min(len(word), len(known)) >= _TWO_FROM else 1
    if len(word) < SHORTEST or len(known) < SHORTEST or abs(len(word) - len(known)) > allowed:
        return False
    if word == known or word[0] != known[0]:
        return False
    before: list[int] = []
    row = list(range(len(known) + 1))
    for at, letter in enumerate(word, start=1):
        earlier, before, row = before, row, [at]
        for place, other in enumerate(known, start=1):
            cost = min(before[place] + 1, row[-1] + 1, before[place - 1] + (letter != other))
            if place > 1 and at > 1 and letter == known[place - 2] and other == word[at - 2]:
                cost = min(cost, earlier[place - 2] + 1)
            row.append(cost)
        if min(row) > allowed:
            return False
    return row[-1] <= allowed
