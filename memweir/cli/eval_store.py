"""`memweir eval --store FILE --queries FILE`: what would another configuration do with this store?"""

from __future__ import annotations

import argparse
from datetime import UTC, datetime

__all__ = ["run"]


def run(args: argparse.Namespace) -> int:
    """Ask a copy of the store under every configuration; 0 when that was done.

    Raises:
        MemweirError: the store, the questions or a configuration cannot be read.
    """
    from memweir.cli.eval_common import configurations, lines_to, progress_bar, show, write_lines
    from memweir.cli.session import moment
    from memweir.cli.warned import told
    from memweir.evaluation.datasets import store_questions
    from memweir.evaluation.frozen import run_store, store_report
    from memweir.store.scopes import Scope, as_scopes

    configs = configurations(args.config)
    given = [Scope.parse(each) for each in args.scope]
    scopes = as_scopes(given or Scope.everywhere())
    now = moment("--now", args.now, next(iter(configs.values()))) or datetime.now(UTC)
    questions = store_questions(args.queries)
    answered = {}
    with lines_to(args.per_query) as lines, progress_bar(len(configs)) as progress_of:
        for name, config in configs.items():
            answered[name] = run_store(
                args.store,
                questions,
                config,
                name=name,
                scopes=scopes,
                now=now,
                reindex=args.reindex,
                progress=progress_of(f"{args.store.stem} ({name})"),
            )
            list(write_lines([answered[name][0]], lines, first=1))
    report = store_report(questions, answered)
    report["now"] = now.isoformat()
    report["scopes"] = [str(each) for each in scopes]
    told(each["note"] for each in report["notes"])
    show(report, args)
    return 0
