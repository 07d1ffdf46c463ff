"""How does a report read as Markdown? One section a table, ready to be a page of documentation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from memweir.evaluation.sections import Table, sections, visible, written, written_with

__all__ = ["markdown"]


def markdown(report: Mapping[str, Any], *, preamble: str = "") -> str:
    """The whole report.

    Args:
        preamble: text that stands first, the page's title in it; "" for a title only.
    """
    parts = [preamble.strip() or "# Evaluation", written_with(report)]
    for table in sections(report):
        shown = written(table)
        parts += [f"## {_escaped(shown.title)}", *([_escaped(shown.note)] if shown.note else [])]
        parts.append(_table(shown))
    if report["notes"]:
        parts.append("## Notes")
        parts.append(
            "\n".join(
                f"- {_escaped(visible(each['set']))} ({_escaped(visible(each['config']))}): "
                f"{_escaped(visible(each['note']))}"
                for each in report["notes"]
            )
        )
    return "\n\n".join(parts) + "\n"


def _table(table: Table) -> str:
    rule = ["---" if place < table.names else "---:" for place in range(len(table.columns))]
    return "\n".join(_line(row) for row in (table.columns, rule, *table.rows))


def _line(cells: Sequence[str]) -> str:
    return (
        "| " + " | ".join(each if set(each) <= set("-:") else _escaped(each) for each in cells) + " |"
    )


def _escaped(text: str) -> str:
    """Names are data: none of their characters is markup."""
    return re.sub(r"([\\`*\[\]<>|]|(?<!\w)_|_(?!\w))", r"\\\1", text)
