"""How does a result reach the reader: a person at a terminal, a pipe, a program?

Stored text is data for the terminal too: at a terminal, control characters in it are shown, not
obeyed. A pipe gets the text as it is.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from memweir.cli.plain import dumps, plain

if TYPE_CHECKING:
    from rich.console import Console

    from memweir.fusion.types import Node
    from memweir.results import RecallItem

__all__ = [
    "candidate_table",
    "console",
    "note",
    "report",
    "score_lines",
    "visible",
    "write_json",
    "write_text",
]

PIPE_WIDTH: Final = 80  # columns, so that piped output does not depend on somebody's window
_WIDEST: Final = 110
_PATHS: Final = {"semantic": "sem", "keyword": "key", "graph": "graph", "timeline": "time"}
# C0 and C1 controls but line feed and tab, and the characters that reorder what follows them.
_CONTROLS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


def write_json(value: object) -> None:
    """Exactly one JSON object and a line end."""
    sys.stdout.write(dumps(plain(value)) + "\n")


def write_text(text: str) -> None:
    """A result in words, with a line end."""
    shown = visible(text) if sys.stdout.isatty() else text
    sys.stdout.write(shown if shown.endswith("\n") else shown + "\n")


def note(text: str) -> None:
    """Something that is no result, to stderr."""
    sys.stderr.write(f"memweir: {visible(text)}\n")


def report(kind: str, message: str, facts: Mapping[str, object], *, as_json: bool, code: int) -> int:
    """Say what went wrong and give back the exit code."""
    note(message)
    if as_json:
        write_json({"error": {"type": kind, "message": message, **facts}})
    return code


def visible(text: str) -> str:
    """The text with control characters spelled out."""
    return _CONTROLS.sub(lambda found: ascii(found.group())[1:-1], text)


def console() -> Console:
    """Where tables go: styled and as wide as the window at a terminal, plain and 80 wide in a pipe."""
    from rich.console import Console

    if not sys.stdout.isatty():
        return Console(
            file=sys.stdout,
            width=PIPE_WIDTH,
            force_terminal=False,
            color_system=None,
            highlight=False,
            emoji=False,
            markup=False,
        )
    screen = Console(file=sys.stdout, highlight=False, emoji=False, markup=False)
    screen.width = min(screen.width, _WIDEST)
    return screen


def candidate_table(screen: Console, items: Sequence[RecallItem], *, ids: bool = False) -> None:
    """One row a candidate: gate, score, relevance, the paths' ranks and the text."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=box.SIMPLE_HEAD if screen.is_terminal else None,
        pad_edge=False,
        show_edge=False,
        expand=True,
        padding=(0, 2, 0, 0),
    )
    table.add_column("gate", no_wrap=True)
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("match", justify="right", no_wrap=True)
    table.add_column("found by", ratio=2)
    table.add_column("memory", ratio=5)
    colours = {"use": "green", "verify": "yellow", "ignore": "dim"}
    for each in items:
        mark = "*" if each.injected else " "
        gate = Text(f"{mark}{each.action}", style=colours.get(each.action, ""))
        gate.append(f"\n {each.reason}", style="dim")
        text = visible(" ".join(each.text.split()))
        memory = Text(text if len(text) <= 160 else text[:159] + "…")
        if ids:
            memory.append(f"\n{each.id}", style="dim")
        table.add_row(
            gate,
            f"{each.score:.3f}",
            f"{each.decision.relevance:.2f}",
            Text(ranks_text(each.ranks) or each.slot or "-"),
            memory,
        )
    screen.print(table)


def ranks_text(ranks: Mapping[str, int]) -> str:
    """ "sem 1 · key 3": which paths found it, at which rank."""
    known = [(short, ranks[path]) for path, short in _PATHS.items() if path in ranks]
    others = sorted((path, rank) for path, rank in ranks.items() if path not in _PATHS)
    return " ".join(f"{name}:{rank}" for name, rank in [*known, *others])


def score_lines(node: Node, depth: int = 0) -> Iterator[str]:
    """The tree of a score, one line a number, indented."""
    detail = f"  {node.detail}" if node.detail else ""
    yield f"{'  ' * depth}{node.value:7.4f} {node.name}{detail}"
    for child in node.children:
        yield from score_lines(child, depth + 1)
