"""What do all forms of `memweir eval` share? Configurations, progress, and where a report goes."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from memweir.errors import InputError

if TYPE_CHECKING:
    from typing import TextIO

    from rich.console import Console

    from memweir.config import Config
    from memweir.evaluation.runner import Progress, SetRun

__all__ = [
    "check_reports",
    "configurations",
    "cores",
    "lines_to",
    "progress_bar",
    "screen",
    "show",
    "write_lines",
]

_DEFAULT: Final = "default"
_PIPE_WIDTH: Final = 180  # characters
_REPORTS: Final = (".md", ".html")


def configurations(given: Sequence[str]) -> dict[str, Config]:
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


def cores() -> int:
    """Processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_reports(args: argparse.Namespace) -> None:
    """Fail before the work rather than after it.

    Raises:
        InputError: a report of a kind that is not written, or in no folder; an unreadable preamble.
        MissingExtra: a package that a report needs is not installed.
    """
    for file in args.report:
        if file.suffix not in _REPORTS:
            raise InputError(f"--report {file}: the name must end in {' or '.join(_REPORTS)}")
        if not file.parent.is_dir():
            raise InputError(f"--report {file}: no such folder")
        if file.suffix == ".html":
            from memweir.evaluation.plots import check_installed

            check_installed()
    _preamble(args)


def show(report: Mapping[str, Any], args: argparse.Namespace) -> None:
    """Write the reports asked for and print the figures: as JSON or as tables."""
    from memweir.cli.output import write_json
    from memweir.evaluation.tables import print_tables

    for file in args.report:
        if file.suffix == ".html":
            from memweir.evaluation.page import html as render
        else:
            from memweir.evaluation.markdown import markdown as render
        try:
            file.write_text(render(report, preamble=_preamble(args)), encoding="utf-8", newline="\n")
        except OSError as error:
            raise InputError(f"--report {file}: {error.strerror or error}") from error
    if args.json:
        write_json(report)
    else:
        print_tables(report, screen())


def _preamble(args: argparse.Namespace) -> str:
    if args.preamble is None:
        return ""
    try:
        text: str = args.preamble.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"--preamble {args.preamble}: cannot be read ({error})") from error
    return text


def screen() -> Console:
    """As wide as `COLUMNS` or a terminal of the process says, in a pipe too; else wide enough."""
    from rich.console import Console

    streams = (sys.stdin, sys.stdout, sys.stderr)
    told = os.environ.get("COLUMNS", "").isdigit() or any(
        each is not None and each.isatty() for each in streams
    )
    return Console(width=None if told else _PIPE_WIDTH)


@contextmanager
def lines_to(file: Path | None) -> Iterator[TextIO | None]:
    """The file of single questions, opened before anything is asked; None where none is wanted."""
    if file is None:
        yield None
        return
    try:
        stream = file.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"--per-query {file}: {error.strerror or error}") from error
    with stream:
        yield stream


def write_lines(runs: Iterable[SetRun], lines: TextIO | None, *, first: int) -> Iterator[SetRun]:
    """The same runs; the questions of each of the first so many are written as it passes."""
    from memweir.evaluation.lines import per_query_lines

    for place, run in enumerate(runs):
        if lines is not None and place < first:
            for line in per_query_lines(run):
                lines.write(json.dumps(line, ensure_ascii=False) + "\n")
        yield run


@contextmanager
def progress_bar(runs: int) -> Iterator[Callable[[str], Progress | None]]:
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
