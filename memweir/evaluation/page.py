"""How does a report read in a browser? One HTML page that asks nobody for anything."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from typing import Any, Final

from memweir.evaluation.plots import plots
from memweir.evaluation.sections import Table, sections, visible, written, written_with

__all__ = ["html"]

_STYLE: Final = """
:root { color-scheme: light dark; --ink: #1c1f23; --page: #fff; --line: #d5d9de; --soft: #f4f6f8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3e6ea; --page: #15181c; --line: #363c44; --soft: #1e2329; }
}
body { margin: 0 auto; max-width: 72rem; padding: 1rem; color: var(--ink); background: var(--page);
  font: 15px/1.5 system-ui, sans-serif; }
h2 { margin-top: 2.5rem; font-size: 1.15rem; }
p { max-width: 48rem; }
.preamble { white-space: pre-wrap; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid var(--line); text-align: right;
  white-space: nowrap; }
thead th { background: var(--soft); position: sticky; top: 0; }
.name { text-align: left; }
svg { width: 100%; height: auto; }
nav { columns: 2; font-size: 13px; }
nav a { color: inherit; display: block; }
"""


def html(report: Mapping[str, Any], *, preamble: str = "") -> str:
    """The whole report: pictures first, then every table.

    Args:
        preamble: text that stands first, shown as it is written.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    tables = [written(each) for each in sections(report)]
    pictures = plots(report)
    titles = [*(title for title, _ in pictures), *(each.title for each in tables)]
    anchors = [f"s{place}" for place in range(len(titles))]
    bodies = [
        *(f'<div class="wide">{picture}</div>' for _, picture in pictures),
        *map(_table, tables),
    ]
    contents = "".join(
        f'<a href="#{anchor}">{escape(title)}</a>\n'
        for anchor, title in zip(anchors, titles, strict=True)
    )
    parts = "".join(
        f'<h2 id="{anchor}">{escape(title)}</h2>\n{body}\n'
        for anchor, title, body in zip(anchors, titles, bodies, strict=True)
    )
    title, rest = _split(preamble)
    return (
        "<!DOCTYPE html>\n"
        '<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n"
        + (f'<p class="preamble">{escape(rest)}</p>\n' if rest else "")
        + f"<p>{escape(written_with(report))}</p>\n<nav>{contents}</nav>\n{parts}{_notes(report)}"
        "</body>\n</html>\n"
    )


def _split(preamble: str) -> tuple[str, str]:
    """Title and text of a preamble whose first line may be a Markdown heading."""
    first, _, rest = preamble.strip().partition("\n")
    heading = re.fullmatch(r"#+\s+(.*\S)\s*", first)
    if heading is None:
        return "Evaluation", preamble.strip()
    return heading[1], rest.strip()


def _table(table: Table) -> str:
    name = ' class="name"'

    def cells(row: tuple[str, ...], tag: str) -> str:
        return "".join(
            f"<{tag}{name if place < table.names else ''}>{escape(each)}</{tag}>"
            for place, each in enumerate(row)
        )

    head = f"<thead><tr>{cells(table.columns, 'th')}</tr></thead>"
    body = "\n".join(f"<tr>{cells(row, 'td')}</tr>" for row in table.rows)
    note = f"<p>{escape(table.note)}</p>\n" if table.note else ""
    return f'{note}<div class="wide"><table>{head}<tbody>\n{body}\n</tbody></table></div>'


def _notes(report: Mapping[str, Any]) -> str:
    if not report["notes"]:
        return ""
    lines = [f"{each['set']} ({each['config']}): {each['note']}" for each in report["notes"]]
    items = "".join(f"<li>{escape(visible(each))}</li>\n" for each in lines)
    return f"<h2>Notes</h2>\n<ul>\n{items}</ul>\n"
