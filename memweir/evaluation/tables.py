"""How does a report look on a screen? Tables as wide as the terminal, no figure cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from memweir.evaluation.sections import Table, sections, visible

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["print_tables"]

_FRAME: Final = 3  # what a column costs beside its text: a rule and a blank on each side
_FOLDED: Final = 2  # the first columns name set and configuration
_FOLDED_SHARE: Final = 6  # names of sets and configurations fold at this part of the width


def print_tables(report: Mapping[str, Any], console: Console) -> None:
    """The report's tables but the detailed ones, then its notes."""
    for table in sections(report):
        if not table.detail:
            _print(console, table)
    for note in report["notes"]:
        line = visible(f"{note['set']} ({note['config']}): {note['note']}")
        console.print(line, markup=False, highlight=False)


def _print(console: Console, table: Table) -> None:
    """One table, in as many parts as the console's width asks for: a figure is never cut or folded."""
    from rich.cells import cell_len
    from rich.table import Table as Grid
    from rich.text import Text

    titles = table.columns
    needed = [_needed(title, [row[place] for row in table.rows]) for place, title in enumerate(titles)]
    needed[:_FOLDED] = [min(each, console.width // _FOLDED_SHARE) for each in needed[:_FOLDED]]
    for number, part in enumerate(_parts(needed, table.names, console.width)):
        places = [*range(table.names), *part]
        wide = sum(max(needed[each], cell_len(titles[each])) + _FRAME for each in places)
        tight = wide + 1 > console.width
        grid = Grid(title=table.title + (" (continued)" if number else ""), title_justify="left")
        for each in places:
            grid.add_column(
                titles[each],
                justify="left" if each < _FOLDED else "right",
                overflow="fold",
                width=needed[each] if tight else None,
            )
        for row in table.rows:
            grid.add_row(*(Text(row[each]) for each in places))
        console.print(grid)


def _parts(needed: Sequence[int], named: int, width: int) -> list[list[int]]:
    """Places of the columns behind the first `named`, in runs that fit beside those; none is empty."""
    left = width - 1 - sum(each + _FRAME for each in needed[:named])
    parts: list[list[int]] = [[]]
    free = left
    for place in range(named, len(needed)):
        taken = needed[place] + _FRAME
        if parts[-1] and taken > free:
            parts.append([])
            free = left
        parts[-1].append(place)
        free -= taken
    return parts


def _needed(title: str, cells: Sequence[str]) -> int:
    """Columns of the screen: a title may break between its words, a cell may not break."""
    from rich.cells import cell_len

    return max(cell_len(each) for each in (*title.split(" "), *cells))
