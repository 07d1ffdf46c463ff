"""What does one configuration rank and inject differently from another, right or wrong?

Needs no relevance judgements, so it works on any store: the first thing to look at in an offline A/B.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from memweir.evaluation.rounding import rounded
from memweir.evaluation.runner import Asked, SetRun

__all__ = ["DEPTHS", "changes", "changes_of_runs"]

DEPTHS: Final = (1, 6, 10)
"""Cutoffs at which two rankings are compared."""


def changes_of_runs(runs: Sequence[SetRun]) -> list[dict[str, Any]]:
    """What each later run of a set changes against its first, in their order."""
    first: dict[str, SetRun] = {}
    return [
        {
            "set": run.name,
            "baseline": base.config,
            "config": run.config,
            "queries": len(run.asked),
            "changes": changes(base.asked, run.asked),
        }
        for run in runs
        if (base := first.setdefault(run.name, run)) is not run
    ]


def changes(before: Sequence[Asked], after: Sequence[Asked]) -> dict[str, Any]:
    """The same questions, in the same order, under two configurations.

    Returns:
        `overlap@k`: the mean over the questions of the share of the first k that both have (of the
        longer list's k where one is shorter; 1 where both are empty); shares of the questions:
        `same_first` (the first ranked memory is the same or both have none), `block_changed` (other
        memories, or the same in another order), `newly_injected` and `newly_silent`; and of the single
        memories `decisions_changed`: how many are "use", "verify" or left out otherwise than before,
        with `decisions` = before → after → how many, equal ones included where either injects; and
        `questions`: the ids of those whose block changed.
    """
    pairs = list(zip(before, after, strict=True))
    count = len(pairs)
    table: dict[str, dict[str, int]] = {}
    for one, two in pairs:
        for memory_id in dict.fromkeys((*one.block, *two.block)):
            row = table.setdefault(_action(one, memory_id), {})
            row[_action(two, memory_id)] = row.get(_action(two, memory_id), 0) + 1

    def share(flags: Sequence[bool]) -> float | None:
        return rounded(sum(flags) / count) if count else None

    return {
        **{
            f"overlap@{depth}": rounded(sum(_overlap(one, two, depth) for one, two in pairs) / count)
            if count
            else None
            for depth in DEPTHS
        },
        "same_first": share([_ids(one, 1) == _ids(two, 1) for one, two in pairs]),
        "block_changed": share([one.block != two.block for one, two in pairs]),
        "newly_injected": share([two.injected and not one.injected for one, two in pairs]),
        "newly_silent": share([one.injected and not two.injected for one, two in pairs]),
        "decisions_changed": sum(
            number for old, row in table.items() for new, number in row.items() if old != new
        ),
        "decisions": {old: dict(sorted(row.items())) for old, row in sorted(table.items())},
        "questions": [one.question.id for one, two in pairs if one.block != two.block],
    }


def _ids(asked: Asked, depth: int) -> list[str]:
    return [each for each, _ in asked.ranked[:depth]]


def _overlap(one: Asked, two: Asked, depth: int) -> float:
    first, second = _ids(one, depth), _ids(two, depth)
    longest = max(len(first), len(second))
    return len(set(first) & set(second)) / longest if longest else 1.0


def _action(asked: Asked, memory_id: str) -> str:
    if memory_id not in asked.block:
        return "out"
    return "use" if memory_id in asked.used else "verify"
