"""`memweir eval`: how good is recall on these sets, and is one configuration better than another?

Four forms of one command: folders of sets, `tune` and folders, `compare` and files of single questions,
and `--store` with `--queries`.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from memweir.errors import ConfigError, InputError

if TYPE_CHECKING:
    from memweir.config import Config
    from memweir.evaluation.ablations import Ablation
    from memweir.evaluation.batch import Task
    from memweir.evaluation.datasets import DataSet

__all__ = ["add_parser", "run"]

_FORMS: Final = {
    "tune": ("param", "trials", "seed", "objective", "held_out"),
    "compare": (),
    "store": ("store", "queries", "scope", "now", "reindex"),
    "sets": ("controls", "ablate", "pooled"),
}
"""Form → the options that belong to it alone."""
_SHARED: Final = {
    "group": ("sets", "compare"),
    "jobs": ("sets", "tune"),
    "limit": ("sets", "tune"),
    "per_query": ("sets", "store"),
}
"""Option → the forms that have it, where not all do."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `eval` to the command line; it answers with `run`."""
    parser = subparsers.add_parser(
        "eval",
        help="measure recall on folders of memories and questions",
        description="Load each set into a fresh store, ask every question, report how well recall "
        "found, kept and refused. The environment's settings are not read: a run depends on the "
        "sets and the configurations named here only. `eval tune DIR…` searches a configuration, "
        "`eval compare FILE…` compares files written by --per-query, `eval --store FILE --queries "
        "FILE` asks a copy of a store.",
        allow_abbrev=False,
    )
    _take_folders_anywhere(parser)
    parser.add_argument(
        "dir",
        nargs="*",
        type=Path,
        metavar="DIR",
        help="a set (memories.jsonl and queries.jsonl) or a folder of sets; tune and folders; compare "
        "and files (write ./tune for a folder of that name)",
    )
    parser.add_argument(
        "--config",
        action="append",
        default=[],
        metavar="FILE",
        help="a TOML configuration to run every set under, repeatable; 'default' names the built-in "
        "one; the later ones are tested against the first",
    )
    parser.add_argument(
        "--group",
        choices=("session",),
        help="judge by session: a session ranks where its best turn does (ids as SESSION:TURN)",
    )
    parser.add_argument("--per-query", type=Path, metavar="FILE", help="write one JSON line a question")
    parser.add_argument(
        "--limit", type=_positive, metavar="N", help="ask the first N questions of each set only"
    )
    parser.add_argument(
        "--jobs",
        type=_positive,
        metavar="N",
        help="processes at once, default one a set up to the number of processors; times are "
        "trustworthy with 1 only",
    )
    parser.add_argument(
        "--report",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="write a report, FILE.md or FILE.html; repeatable",
    )
    parser.add_argument(
        "--preamble", type=Path, metavar="FILE", help="text to begin the reports with (Markdown)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")

    sets = parser.add_argument_group("of folders of sets")
    sets.add_argument(
        "--controls",
        choices=("fixed", "cross", "none"),
        default=None,
        help="texts that should draw nothing: small talk and code (fixed, the default), and questions "
        "of the other sets too (cross)",
    )
    sets.add_argument(
        "--ablate",
        nargs="*",
        metavar="NAME",
        help="run the first configuration with each of these techniques off, or with KEY=VALUE; all "
        "techniques without a name",
    )
    sets.add_argument(
        "--pooled", action="store_true", help="ask every question across all scopes of its set too"
    )

    store = parser.add_argument_group("of a store")
    store.add_argument("--store", type=Path, metavar="FILE", help="evaluate a copy of this store")
    store.add_argument("--queries", type=Path, metavar="FILE", help="questions, one JSON object a line")
    store.add_argument(
        "--scope",
        action="append",
        default=[],
        metavar="KIND:KEY",
        help="where a question without a scope is asked; repeatable; default global",
    )
    store.add_argument("--now", metavar="ISO", help="when a question without as_of is asked")
    store.add_argument(
        "--reindex", action="store_true", help="rebuild the copy's index under each configuration"
    )

    tune = parser.add_argument_group("of tune")
    tune.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="KEY=LOW:HIGH",
        help="a setting to search, for example fusion.rrf.k=5:100, or a preset; repeatable",
    )
    tune.add_argument("--trials", type=_positive, metavar="N", help="configurations tried, default 30")
    tune.add_argument("--seed", type=int, metavar="S", help="of the split and the search, default 0")
    tune.add_argument("--objective", metavar="FIGURE", help="what to raise, default mrr@10")
    tune.add_argument(
        "--held-out", type=float, metavar="SHARE", help="of each set, kept for the report; default 0.5"
    )


def _take_folders_anywhere(parser: argparse.ArgumentParser) -> None:
    """Folders behind options are folders too: argparse gives up on a list once an option ends it."""
    parse = parser.parse_known_args

    def parse_all(args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        found, extra = parse(args, namespace)
        if extra and not any(each.startswith("-") for each in extra):
            found.dir = [*found.dir, *map(Path, extra)]
            extra = []
        return found, extra

    parser.parse_known_args = parse_all  # type: ignore[method-assign]


def run(args: argparse.Namespace) -> int:
    """Evaluate; 0 when every set was measured.

    Raises:
        MemweirError: a set or configuration cannot be read, a package is missing.
    """
    from memweir.cli.eval_common import check_reports
    from memweir.evaluation import metrics

    form = _form(args)
    _check_options(args, form)
    metrics.check_installed()  # before an hour of questions, not after it
    check_reports(args)
    if form == "tune":
        from memweir.cli import eval_tune

        return eval_tune.run(args)
    if form == "compare":
        from memweir.cli import eval_compare

        return eval_compare.run(args)
    if form == "store":
        from memweir.cli import eval_store

        return eval_store.run(args)
    return _run_sets(args)


def _form(args: argparse.Namespace) -> str:
    first = str(args.dir[0]) if args.dir else ""
    if first in ("tune", "compare"):
        args.dir = args.dir[1:]
        if not args.dir:
            raise InputError(
                f"eval {first}: name at least one {'folder' if first == 'tune' else 'file'}"
            )
        return first
    if args.store is not None or args.queries is not None:
        if args.dir or args.store is None or args.queries is None:
            raise InputError("eval of a store takes --store and --queries and no folder")
        return "store"
    if not args.dir:
        raise InputError("eval: name a folder of sets, or --store and --queries")
    return "sets"


def _check_options(args: argparse.Namespace, form: str) -> None:
    for owner, options in _FORMS.items():
        for option in options:
            if owner != form and _given(getattr(args, option), bare=option == "ablate"):
                raise InputError(f"--{option.replace('_', '-')} is no option of this form of eval")
    for option, forms in _SHARED.items():
        if form not in forms and getattr(args, option) is not None:
            raise InputError(f"--{option.replace('_', '-')} is no option of this form of eval")


def _given(value: object, *, bare: bool) -> bool:
    """Whether an option was: an empty list is one that may stand without a value, or a default."""
    return value is not None and value is not False and (value != [] or bare)


def _run_sets(args: argparse.Namespace) -> int:
    from memweir.cli.eval_common import configurations, cores, lines_to, progress_bar, show, write_lines
    from memweir.evaluation.batch import run_tasks
    from memweir.evaluation.datasets import find_sets
    from memweir.evaluation.grouping import by_session
    from memweir.evaluation.report import AblationRun, summary

    sets = find_sets(args.dir)
    configs = configurations(args.config)
    notes: list[dict[str, str]] = []
    variants = _variants(args.ablate, *next(iter(configs.items())), notes)
    plain = _tasks(sets, configs, args)
    several = [each for each in sets if args.pooled and each.has_scopes()]
    pooled = _tasks(several, configs, args, crossing=False, pooled=True)
    ablated = [
        (ablation, task)
        for ablation, config in variants
        for task in _tasks(sets, {ablation.name: config}, args, crossing=False)
    ]
    tasks = [*plain, *pooled, *(task for _, task in ablated)]
    jobs = args.jobs or min(cores(), len(sets))
    group = by_session if args.group == "session" else (lambda run: run)
    with lines_to(args.per_query) as lines, progress_bar(len(tasks)) as progress_of:
        answered = run_tasks(tasks, jobs=jobs, progress_of=progress_of)
        runs = [group(each) for each in write_lines(answered, lines, first=len(plain))]
    end = len(plain) + len(pooled)
    report = summary(
        runs[: len(plain)],
        pooled=runs[len(plain) : end],
        ablations=[
            AblationRun(ablation, each) for (ablation, _), each in zip(ablated, runs[end:], strict=True)
        ],
        jobs=jobs if len(tasks) > 1 else 1,
    )
    report["notes"] += notes
    if args.group:
        report["group"] = args.group
    show(report, args)
    return 0


def _tasks(
    sets: Sequence[DataSet],
    configs: Mapping[str, Config],
    args: argparse.Namespace,
    *,
    crossing: bool = True,
    pooled: bool = False,
) -> list[Task]:
    """Every set under every configuration; crossed controls only where they are reported."""
    from memweir.evaluation.batch import Task
    from memweir.evaluation.controls import FIXED, crossed

    wanted = args.controls or "fixed"
    others = crossed(sets) if wanted == "cross" and crossing else {}
    fixed = () if wanted == "none" else FIXED
    return [
        Task(
            dataset,
            name,
            config,
            limit=args.limit,
            controls=(*fixed, *others.get(dataset.name, ())),
            pooled=pooled,
        )
        for dataset in sets
        for name, config in configs.items()
    ]


def _variants(
    names: Sequence[str] | None, base_name: str, base: Config, notes: list[dict[str, str]]
) -> list[tuple[Ablation, Config]]:
    """The ablations that change something in the base, and how; a note on each that does not."""
    from memweir.evaluation.ablations import chosen, with_overrides

    if names is None:
        return []
    found = []
    for ablation in chosen(names):
        problem = "the base is without it already"
        try:
            config = with_overrides(base, ablation.overrides)
        except ConfigError as error:
            config, problem = base, str(error)
        if config == base:
            note = f"ablation {ablation.name} is left out: {problem}"
            notes.append({"set": "all sets", "config": base_name, "note": note})
        else:
            found.append((ablation, config))
    return found


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return value
