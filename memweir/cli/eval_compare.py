"""`memweir eval compare FILE…`: which of these runs, written by --per-query, is better?"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memweir.evaluation.lines import MarkedRun

__all__ = ["run"]


def run(args: argparse.Namespace) -> int:
    """Compare the runs of one or several files; 0 when that was done.

    Raises:
        LinesError: a file cannot be read, or its runs are not about the same questions.
    """
    from memweir.cli.eval_common import show
    from memweir.evaluation.changes import changes_of_runs
    from memweir.evaluation.grouping import by_session
    from memweir.evaluation.lines import aligned, labelled_only, read_runs
    from memweir.evaluation.report import summary

    if args.config:
        from memweir.errors import InputError

        raise InputError("eval compare asks nothing, so it takes no --config")
    runs = aligned([(file, read_runs(file)) for file in args.dir])
    group = by_session if args.group == "session" else (lambda run: run)
    judged = [group(each) for each in map(labelled_only, runs)]
    report = summary([each for each in judged if each.asked])
    report["changes"] = changes_of_runs([group(each) for each in runs])
    report["unlabelled"] = _unlabelled(runs, report["notes"])
    if args.group:
        report["group"] = args.group
    show(report, args)
    return 0


def _unlabelled(runs: Sequence[MarkedRun], notes: list[dict[str, str]]) -> int:
    """How many questions are unlabelled, each counted once; with a note for each set that has any."""
    sets = {run.name: run for run in runs}
    for name, run in sets.items():
        if run.unlabelled:
            configs = ", ".join(each.config for each in runs if each.name == name)
            note = (
                f"{len(run.unlabelled)} of {len(run.asked)} questions are unlabelled: they count in "
                "what changed and in no figure of quality"
            )
            notes.append({"set": name, "config": configs, "note": note})
    return sum(len(run.unlabelled) for run in sets.values())
