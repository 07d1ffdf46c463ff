"""`memweir eval`: how good is recall on these sets, and is one configuration better than another?"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memweir.errors import InputError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from datetime import datetime
    from typing import TextIO

    from rich.console import Console

    from memweir.config import Config
    from memweir.evaluation.runner import Engine, OpenEngine, Progress, SetRun

__all__ = ["add_parser", "run"]

_DEFAULT: Final = "default"
_PIPE_WIDTH: Final = 180  # characters


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `eval` to the command line; it answers with `run`."""
    parser = subparsers.add_parser(
        "eval",
        help="measure recall on folders of memories and questions",
        description="Load each set into a fresh store, ask every question, report how well recall "
        "found, kept and refused. The environment's settings are not read: a run depends on the "
        "sets and the configurations named here only.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "dir",
        nargs="+",
        type=Path,
        metavar="DIR",
        help="a set (memories.jsonl and queries.jsonl) or a folder of sets",
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
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Evaluate; 0 when every set was measured.

    Raises:
        MemweirError: a set or configuration cannot be read, a package is missing.
    """
    from memweir.cli.output import write_json
    from memweir.evaluation import metrics
    from memweir.evaluation.datasets import find_sets
    from memweir.evaluation.grouping import by_session
    from memweir.evaluation.report import per_query_lines, print_tables, summary
    from memweir.evaluation.runner import run_set

    metrics.check_installed()  # before an hour of questions, not after it
    sets = find_sets(args.dir)
    configs = _configs(args.config)
    runs: list[SetRun] = []
    with _lines_to(args.per_query) as lines, _progress_bar(len(sets) * len(configs)) as progress_of:
        for dataset in sets:
            for name, config in configs.items():
                one = run_set(
                    dataset,
                    _opener(config),
                    config=name,
                    limit=args.limit,
                    progress=progress_of(f"{dataset.name} ({name})"),
                )
                if lines is not None:
                    for line in per_query_lines(one):
                        lines.write(json.dumps(line, ensure_ascii=False) + "\n")
                runs.append(by_session(one) if args.group == "session" else one)
    report = summary(runs)
    if args.group:
        report["group"] = args.group
    if args.json:
        write_json(report)
    else:
        print_tables(report, _screen())
    return 0


def _screen() -> Console:
    """As wide as `COLUMNS` or a terminal of the process says, in a pipe too; else wide enough."""
    from rich.console import Console

    streams = (sys.stdin, sys.stdout, sys.stderr)
    told = os.environ.get("COLUMNS", "").isdigit() or any(
        each is not None and each.isatty() for each in streams
    )
    return Console(width=None if told else _PIPE_WIDTH)


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return value


def _configs(given: Sequence[str]) -> dict[str, Config]:
    """The configurations by name: a file is named by its stem, by its path where stems are equal."""
    from memweir.config import Config

    if len(set(given)) < len(given):
        raise InputError(
            "the same --config is given twice; a configuration is compared with another one"
        )
    if not given:
        return {_DEFAULT: Config()}
    stems = [_DEFAULT if each == _DEFAULT else Path(each).stem for each in given]
    return {
        stem if stems.count(stem) == 1 else each: (
            Config() if each == _DEFAULT else Config.load(each, environ={})
        )
        for each, stem in zip(given, stems, strict=True)
    }


def _opener(config: Config) -> OpenEngine:
    from memweir.memory import Memory

    def open_engine(path: Path, now: datetime) -> AbstractContextManager[Engine]:
        return Memory.open(path, config=config, clock=lambda: now)

    return open_engine


@contextmanager
def _lines_to(file: Path | None) -> Iterator[TextIO | None]:
    if file is None:
        yield None
        return
    try:
        stream = file.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"--per-query {file}: {error.strerror or error}") from error
    with stream:
        yield stream


@contextmanager
def _progress_bar(runs: int) -> Iterator[Callable[[str], Progress | None]]:
    """A maker of progress callbacks; the bar is on stderr, and only where somebody may be looking."""
    if not sys.stderr.isatty():
        yield lambda description: None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        overall = bar.add_task("sets", total=runs)
        current = bar.add_task("", total=None)

        def progress_of(description: str) -> Progress:
            bar.update(current, description=description, completed=0, total=None)

            def progress(done: int, total: int) -> None:
                bar.update(current, completed=done, total=total)
                if done == total:
                    bar.advance(overall)

            return progress

        yield progress_of
