"""`memweir eval compare FILE…`: which of these runs, written by --per-query, is better?"""

from __future__ import annotations

import argparse

__all__ = ["run"]


def run(args: argparse.Namespace) -> int:
    """Compare the runs of one or several files; 0 when that was done.

    Raises:
        LinesError: a file cannot be read, or its runs are not about the same questions.
    """
    from memweir.cli.eval_common import show
    from memweir.evaluation.grouping import by_session
    from memweir.evaluation.lines import aligned, read_runs
    from memweir.evaluation.report import summary

    if args.config:
        from memweir.errors import InputError

        raise InputError("eval compare asks nothing, so it takes no --config")
    runs = aligned([(file, read_runs(file)) for file in args.dir])
    report = summary([by_session(each) for each in runs] if args.group == "session" else runs)
    if args.group:
        report["group"] = args.group
    show(report, args)
    return 0
