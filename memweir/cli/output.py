"""How does a result reach the reader: a person at a terminal, a pipe, a program?

Stored text is data for the terminal too: at a terminal, control characters in it are shown, not
obeyed. A pipe gets the text as it is.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from typing import IO, TextIO

    from rich.console import Console

    from memweir.fusion.types import Node
    from memweir.results import RecallItem

__all__ = [
    "PIPE_WIDTH",
    "amount",
    "candidate_table",
    "compared",
    "console",
    "note",
    "one_line",
    "quoted",
    "ranks_text",
    "report",
    "score_lines",
    "visible",
    "wrapped",
    "write_json",
    "write_text",
]

PIPE_WIDTH: Final = 80  # columns, so that piped output does not depend on somebody's window
_WIDEST: Final = 110
_DECIMALS: Final = range(2, 10)  # up to those at which the gate compares
_FOUND_WIDTH: Final = 13  # two paths and their ranks
_QUOTED: Final = 2_000  # characters of a text that are shown where its whole is to be read
_WIDE: Final = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff"
_CLOSING: Final = "，。、；：？！）》」』”’…"
# What must not be broken: one wide character with its closing marks, or a run of narrow ones.
_PIECE: Final = re.compile(rf"[{_WIDE}][{_CLOSING}]*\s*|[^\s{_WIDE}]+\s*|\s+")
_PATHS: Final = {"semantic": "sem", "keyword": "key", "graph": "graph", "timeline": "time"}
# C0 and C1 controls but line feed and tab, and the characters that reorder what follows them.
_CONTROLS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


def write_json(value: object) -> None:
    """Exactly one JSON object and a line end."""
    from memweir.cli.plain import dumps, plain

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


def one_line(text: str) -> str:
    """The same on one line, so that no line end in stored text makes a line that we did not write."""
    return visible(" ".join(text.split()))


def amount(number: int, one: str) -> str:
    """ "1 phrasing", "2 phrasings"."""
    return f"{number} {one if number == 1 else f'{one}s'}"


def quoted(text: str, width: int) -> Iterator[str]:
    """Stored text in lines of at most `width` columns, behind a bar: none of them looks like ours."""
    more = len(text) - _QUOTED
    lines = wrapped(visible(text[:_QUOTED]).expandtabs(4), max(width - 2, 8))
    yield from (f"| {line}".rstrip() for line in lines)
    if more > 0:
        yield f"({more} more characters; --json shows all of them)"


def console() -> Console:
    """Where tables go: styled and as wide as the window at a terminal, plain and 80 wide in a pipe."""
    from rich.console import Console

    if not sys.stdout.isatty():
        return Console(
            file=cast("IO[str]", _Trimmed(sys.stdout)),
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


class _Trimmed:
    """A stream whose lines carry no trailing blanks: tables are padded to the window's width."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write("\n".join(line.rstrip(" ") for line in text.split("\n")))

    def flush(self) -> None:
        self._stream.flush()


def wrapped(text: str, width: int) -> Iterator[str]:
    """The text in lines of at most `width` columns, Chinese broken between any two characters.

    A closing mark stays with what it closes; a word longer than a line is cut.
    """
    from rich.cells import cell_len, chop_cells

    for paragraph in text.split("\n"):
        line = ""
        for piece in _PIECE.findall(paragraph):
            if cell_len(line + piece.rstrip()) <= width:
                line += piece
                continue
            if line.strip():
                yield line.rstrip()
            *full, line = chop_cells(piece, width)
            yield from full
        yield line.rstrip()


def candidate_table(screen: Console, items: Sequence[RecallItem], *, ids: bool = False) -> None:
    """One row a candidate: gate, score, relevance, the paths' ranks and the text."""
    from rich.table import Table
    from rich.text import Text

    reasons = {each.reason for each in items}
    gate_width = max(map(len, [*reasons, "verify", "gate"])) + 1
    # What the four columns before the text leave of the line; a blank pair stands between columns.
    text_width = max(screen.width - gate_width - 5 - 5 - _FOUND_WIDTH - 4 * 2, 16)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("gate", width=gate_width)
    table.add_column("score", justify="right", width=5)
    table.add_column("match", justify="right", width=5)
    table.add_column("found by", width=_FOUND_WIDTH)
    table.add_column("memory", width=text_width, overflow="fold")
    colours = {"use": "green", "verify": "yellow", "ignore": "dim"}
    for each in items:
        gate = Text(f"{'*' if each.injected else ' '}{each.action}", style=colours.get(each.action, ""))
        gate.append(f"\n {each.reason}", style="dim")
        text = visible(" ".join(each.text.split()))
        memory = Text("\n".join(wrapped(text if len(text) <= 160 else text[:159] + "…", text_width)))
        if ids:
            memory.append(f"\n{each.id}", style="dim")
            if each.injection:
                memory.append(f"\n{each.injection}", style="dim")
        table.add_row(
            gate,
            f"{each.score:.3f}",
            f"{each.decision.relevance:.2f}",
            ranks_text(each.ranks) or each.slot or "-",
            memory,
        )
    screen.print(table)


def compared(value: float, threshold: float) -> str:
    """ "0.32, below 0.60": with as many digits as it takes to see which of the two is larger."""
    shown = [(f"{value:.{digits}f}", f"{threshold:.{digits}f}") for digits in _DECIMALS]
    left, right = next((each for each in shown if each[0] != each[1]), shown[0])
    return f"{left}, {'below' if float(left) < float(right) else 'at least'} {right}"


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
