"""Which stretches of a text are left when others are cut out? Half-open intervals, in characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memweir.learning.types import LeftOut

__all__ = ["Cut", "merged", "overlap", "without"]

_Stretch = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Cut:
    """A stretch that is left out, half-open, and the rule that says so."""

    start: int
    end: int
    rule: str


def merged(cuts: Iterable[Cut]) -> list[Cut]:
    """In order and without overlap; where two overlap the one that begins first has it."""
    found: list[Cut] = []
    for cut in sorted(cuts, key=lambda cut: (cut.start, -cut.end)):
        if found and cut.start < found[-1].end:
            if cut.end <= found[-1].end:
                continue
            cut = Cut(found[-1].end, cut.end, cut.rule)
        if found and cut.start == found[-1].end and cut.rule == found[-1].rule:
            found[-1] = Cut(found[-1].start, cut.end, cut.rule)
        elif cut.start < cut.end:
            found.append(cut)
    return found


def overlap(stretches: Sequence[_Stretch], cuts: Sequence[Cut]) -> list[Cut]:
    """What of the cuts lies in the stretches. Both in order and without overlap."""
    found: list[Cut] = []
    number = 0
    for cut in cuts:
        while number < len(stretches) and stretches[number][1] <= cut.start:
            number += 1
        each = number
        while each < len(stretches) and stretches[each][0] < cut.end:
            start, end = max(stretches[each][0], cut.start), min(stretches[each][1], cut.end)
            found.append(Cut(start, end, cut.rule))
            each += 1
    return found


def without(
    text: str, stretches: Sequence[_Stretch], cuts: Iterable[Cut], place: int
) -> tuple[tuple[_Stretch, ...], tuple[LeftOut, ...]]:
    """The stretches less the cuts, none of them blank, and what was cut of them.

    Args:
        stretches: in order and without overlap.
        cuts: in any order; where they reach out of the stretches, that part is none.
        place: number of the message, for the report.
    """
    cut = overlap(stretches, merged(cuts))
    kept: list[_Stretch] = []
    number = 0
    for start, end in stretches:
        while number < len(cut) and cut[number].start < end:
            kept.append((start, cut[number].start))
            start = cut[number].end
            number += 1
        kept.append((start, end))
    return (
        tuple(each for each in kept if text[each[0] : each[1]].strip()),
        tuple(LeftOut(each.rule, place, each.start, each.end) for each in cut),
    )
