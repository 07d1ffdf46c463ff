"""Does an old value stand above the newer one that may have replaced it? Never in this order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memweir.fusion.types import Scored

__all__ = ["newer_first"]


def newer_first(scored: Sequence[Scored]) -> list[Scored]:
    """Move what may have replaced a contested memory directly before it, where it ranks below.

    A score says how well a memory's words fit the question, and nothing of which value holds today.
    A stale value often has the closer wording ("the port is 8080" to "which port is it?", against "we
    moved the gateway to 9090"), so it out-ranks the current one, and where room is short it is the
    only one that is shown. Which of the two holds is an open question until a person decides it; until
    then the reader meets the newer one first. Only the order changes: scores stay what they are, and
    `ahead_of` says of a moved memory why it stands where its score would not put it.

    Args:
        scored: best first. `Candidate.contested` names the newer one; a name that is not in the list
            moves nothing.

    Returns:
        The same memories. Every newer one stands before those that it may have replaced, a chain of
        them the newest first; all others keep their order among themselves. Where memories name each
        other in a circle, nothing says which is the newest: their order stays that of the list.
    """
    places = {each.candidate.id: place for place, each in reversed(list(enumerate(scored)))}
    newer = [
        places.get(each.candidate.contested) if each.candidate.contested else None for each in scored
    ]
    circles = _in_circles(newer)
    taken: set[int] = set()
    ordered = []
    for start in range(len(scored)):
        chain: list[int] = []
        place: int | None = start
        while place is not None and place not in taken:
            taken.add(place)
            chain.append(place)
            place = None if place in circles else newer[place]
        for step in range(len(chain) - 1, -1, -1):
            each = scored[chain[step]]
            if step > 0:
                each = replace(each, ahead_of=scored[chain[step - 1]].candidate.id)
            ordered.append(each)
    return ordered


def _in_circles(following: Sequence[int | None]) -> set[int]:
    """The places from which the way leads back to themselves; every place has at most one way out."""
    circles: set[int] = set()
    seen: set[int] = set()
    for start in range(len(following)):
        trail: list[int] = []
        place: int | None = start
        while place is not None and place not in seen:
            seen.add(place)
            trail.append(place)
            place = following[place]
        if place in trail:
            circles.update(trail[trail.index(place) :])
    return circles
