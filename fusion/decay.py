"""What has time taken from a memory? Skills that nobody uses, accidents that never happened again."""

from __future__ import annotations

from typing import Final

from memweir.fusion.types import Candidate, DecayConfig

__all__ = ["DecayConfig", "decay", "decays"]

_NEGATIVE: Final = "negative"


def decay(
    layer: str, *, idle_days: float, age_days: float, occurrences: int, config: DecayConfig
) -> tuple[bool, bool]:
    """Whether a memory counts as unused, and whether as an accident that did not recur.

    A skill that nobody used or verified for weeks may rest on a world that has moved on. A negative
    memory is the most forceful kind there is, for it reads as a prohibition; one that happened once,
    weeks ago, is an anecdote and no rule. What recurred stays a rule however old it is. Nothing is
    written: the next use, validation or occurrence sets the clock back by itself.

    Args:
        layer: of the memory.
        idle_days: `now` minus the later of last use and last validation; of a memory that was neither
            used nor validated, minus its creation. Below 0, or NaN where it is not known: not idle.
        age_days: `now` minus the last occurrence, which of a memory told once is its own time. Below
            0, or NaN: not old.
        occurrences: times it happened; below 1 counts as 1.
        config: the days, and which layers decay at all.

    Returns:
        What `Candidate.unused` and `Candidate.one_off` are to be. The days themselves do not count
        yet: at 14 days a skill is not unused, past them it is.
    """
    limit = config.unused_days.get(layer)
    unused = limit is not None and idle_days > limit
    one_off = layer == _NEGATIVE and occurrences <= 1 and age_days > config.one_off_days
    return unused, one_off


def decays(candidate: Candidate) -> bool:
    """Whether time takes from this candidate's weight: not where a person pinned it."""
    pinned = candidate.pinned or candidate.slot == "pinned"
    return (candidate.unused or candidate.one_off) and not pinned
