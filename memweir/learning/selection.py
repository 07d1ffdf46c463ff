"""Which of the facts of a message are kept? Sure ones, each once, the last where one was taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memweir.learning.types import Fact
from memweir.retrieval.normalise import fold

__all__ = ["CORRECTION", "DUPLICATE", "TAKEN_BACK", "TOO_MANY", "WEAK", "Found", "select"]

WEAK = "extract.weak"
DUPLICATE = "extract.duplicate"
TAKEN_BACK = "extract.taken-back"
TOO_MANY = "extract.too-many"
CORRECTION = "correction"
"""What the slot "relation" says of a fact that puts the one before it right."""


@dataclass(frozen=True, slots=True)
class Found:
    """A fact, and where its words stand in its message, half-open, in characters."""

    fact: Fact
    start: int
    end: int


def select(
    found: Sequence[Found], *, most: int, least: float
) -> tuple[list[Found], list[tuple[Found, str]]]:
    """Those of a message's facts that are kept, in order, and the others with their rule.

    What a person asked to be remembered is kept whatever the numbers say.

    Args:
        most: facts at most.
        least: confidence from which one is kept.
    """
    kept: list[Found] = []
    left: list[tuple[Found, str]] = []
    seen: set[str] = set()
    for each in found:
        statement = fold(each.fact.statement)
        if each.fact.slots.relation == CORRECTION:
            left += [(old, TAKEN_BACK) for old in kept[-1:] if old.end <= each.start]
            kept = [old for old in kept if old is not kept[-1] or old.end > each.start]
        if statement in seen:
            left.append((each, DUPLICATE))
        elif each.fact.confidence < least and not each.fact.explicit:
            left.append((each, WEAK))
        else:
            seen.add(statement)
            kept.append(each)
    last = {each.fact.semantic_key: each for each in kept if each.fact.semantic_key is not None}
    left += [(each, TAKEN_BACK) for each in kept if _is_taken_back(each, last)]
    kept = [each for each in kept if not _is_taken_back(each, last)]
    surest = sorted(
        range(len(kept)), key=lambda at: (not kept[at].fact.explicit, -kept[at].fact.confidence, at)
    )
    chosen = {at for place, at in enumerate(surest) if place < most or kept[at].fact.explicit}
    left += [(each, TOO_MANY) for at, each in enumerate(kept) if at not in chosen]
    return [each for at, each in enumerate(kept) if at in chosen], left


def _is_taken_back(found: Found, last: Mapping[str, Found]) -> bool:
    key = found.fact.semantic_key
    return key is not None and last[key] is not found
