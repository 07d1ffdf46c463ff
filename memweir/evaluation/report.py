"""How do the figures of several runs become one report?

`summary` gives plain JSON values, `print_tables` the same for a reader. Shares are between 0 and 1,
times in milliseconds, None where a set has no question of the kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from memweir.evaluation import metrics
from memweir.evaluation.runner import CANDIDATES, SetRun
from memweir.evaluation.significance import holm, randomisation_p

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["COMPARED", "compare", "per_query_lines", "print_tables", "summary"]

COMPARED: Final = ("hit@1", "hit@5", "mrr@10")
"""Figures in which two configurations are compared."""

_BEST_PATH_BY: Final = ("hit@5", "mrr@10")
_DIGITS: Final = 6
_FRAME: Final = 3  # what a column costs beside its text: a rule and a blank on each side
_FOLDED_SHARE: Final = 6  # names of sets and configurations fold at this part of the width


def summary(runs: Sequence[SetRun]) -> dict[str, Any]:
    """The report as one JSON object.

    Args:
        runs: every set under every configuration; of one set the baseline comes first.

    Returns:
        `sets`: one entry a run, in their order; `comparisons`: every later configuration of a set
        against its first; `notes`: what a reader of the figures should know.
    """
    rows = [metrics.ranking_metrics(run.asked) for run in runs]
    comparisons = []
    for place, run in enumerate(runs):
        base = next(index for index, each in enumerate(runs) if each.name == run.name)
        if base != place:
            comparisons.append(
                {
                    "set": run.name,
                    "baseline": runs[base].config,
                    "config": run.config,
                    "metrics": compare(rows[base], rows[place]),
                }
            )
    return {
        "sets": [_set_entry(run, row) for run, row in zip(runs, rows, strict=True)],
        "comparisons": comparisons,
        "notes": [note for run in runs for note in _notes(run)],
    }


def compare(
    baseline: Sequence[Mapping[str, float]], other: Sequence[Mapping[str, float]]
) -> dict[str, dict[str, float | None]]:
    """`COMPARED` of one run against another over the same questions.

    Returns:
        Per figure: the two means, `difference` (other minus baseline), `p` of the paired randomisation
        test and `p_holm`, corrected for the number of figures.
    """
    p_values = {
        name: randomisation_p([row[name] for row in baseline], [row[name] for row in other])
        for name in COMPARED
    }
    corrected = holm(p_values)
    before, after = metrics.mean(baseline, COMPARED), metrics.mean(other, COMPARED)
    return {
        name: {
            "baseline": _rounded(before[name]),
            "config": _rounded(after[name]),
            "difference": _difference(after[name], before[name]),
            "p": _rounded(p_values[name]),
            "p_holm": _rounded(corrected[name]),
        }
        for name in COMPARED
    }


def per_query_lines(run: SetRun) -> list[dict[str, Any]]:
    """One JSON object a question, in the order of the set."""
    return [
        {
            "set": run.name,
            "config": run.config,
            "query": each.question.id,
            "ranked": [[memory_id, score] for memory_id, score in each.ranked[:CANDIDATES]],
            "block": list(each.block),
            "used": list(each.used),
            "abstained": each.abstained or None,
        }
        for each in run.asked
    ]


def _set_entry(run: SetRun, rows: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    by_path = metrics.paths(run.asked)
    return {
        "name": run.name,
        "config": run.config,
        "memories": run.memories,
        "queries": len(run.asked),
        "answerable": sum(each.question.answerable for each in run.asked),
        "metrics": _all_rounded(
            {**metrics.mean(rows, metrics.METRICS), "auroc_unanswerable": metrics.auroc(run.asked)}
        ),
        "paths": {
            path: _all_rounded(
                {
                    **metrics.mean(own, metrics.PATH_METRICS),
                    "answered": metrics.answered(run.asked, path),
                }
            )
            for path, own in by_path.items()
        },
        "categories": {
            name: _all_rounded(figures) for name, figures in metrics.categories(run.asked, rows).items()
        },
        "gate": _all_rounded(metrics.gate(run.asked, run.offtopic)),
        "latency_ms": {
            name: None if value is None else round(value, 3)
            for name, value in metrics.latency(run.asked).items()
        },
        "fused_vs_best_path": _fused_vs_best_path(rows, by_path),
    }


def _fused_vs_best_path(
    rows: Sequence[Mapping[str, float]], by_path: Mapping[str, Sequence[Mapping[str, float]]]
) -> dict[str, dict[str, Any]]:
    """The fused list against the path that is best on this very set.

    The path is chosen after the fact, in its favour: a difference that is not significantly below 0
    means that fusing lost nothing. `p` is not corrected.
    """
    if not rows or not by_path:
        return {}
    found = {}
    for name in _BEST_PATH_BY:
        means = {path: metrics.mean(own, [name])[name] or 0.0 for path, own in by_path.items()}
        path = max(means, key=lambda each: means[each])  # the first of equals
        fused = metrics.mean(rows, [name])[name]
        p_value = randomisation_p([row[name] for row in by_path[path]], [row[name] for row in rows])
        found[name] = {
            "path": path,
            "best": _rounded(means[path]),
            "fused": _rounded(fused),
            "difference": _difference(fused, means[path]),
            "p": _rounded(p_value),
        }
    return found


def _notes(run: SetRun) -> list[dict[str, str]]:
    notes = []
    if run.refused:
        first, reason = run.refused[0]
        notes.append(
            f"{len(run.refused)} of {run.memories} memories were refused, first {first}: {reason}"
        )
    if run.unknown:
        notes.append(
            f"{len(run.unknown)} relevant ids are not in the set and count as never found, "
            f"first {run.unknown[0]}"
        )
    return [{"set": run.name, "config": run.config, "note": note} for note in notes]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


def _all_rounded(values: Mapping[str, float | None]) -> dict[str, float | None]:
    return {
        name: value if isinstance(value, int) else _rounded(value) for name, value in values.items()
    }


def _difference(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else _rounded(one - other)


def print_tables(report: Mapping[str, Any], console: Console) -> None:
    """The report as tables: figures, paths, gate and time, and comparisons where there are any."""
    sets = report["sets"]
    names = [*metrics.METRICS, "auroc_unanswerable"]
    _table(
        console,
        "Fused ranking",
        ["memories", "queries", "answerable", *names],
        [
            [
                each["memories"],
                each["queries"],
                each["answerable"],
                *(each["metrics"][n] for n in names),
            ]
            for each in sets
        ],
        sets,
    )
    names = [*metrics.PATH_METRICS, "answered"]
    by_path = [(each, path, own) for each in sets for path, own in each["paths"].items()]
    _table(
        console,
        "Single paths",
        ["path", *names],
        [[path, *(own[name] for name in names)] for _, path, own in by_path],
        [each for each, _, _ in by_path],
        names=1,
    )
    best = [(each, name, one) for each in sets for name, one in each["fused_vs_best_path"].items()]
    _table(
        console,
        "Fused against the best path",
        ["figure", "path", "best", "fused", "difference", "p"],
        [
            [name, one["path"], one["best"], one["fused"], one["difference"], _p(one["p"])]
            for _, name, one in best
        ],
        [each for each, _, _ in best],
        names=2,
    )
    _table(
        console,
        "Gate and time",
        ["answerable kept", "unanswerable used", "off-topic injected", "p50 ms", "p95 ms"],
        [[*each["gate"].values(), *each["latency_ms"].values()] for each in sets],
        sets,
    )
    compared = [
        (each, name, one) for each in report["comparisons"] for name, one in each["metrics"].items()
    ]
    if compared:
        _table(
            console,
            "Against the first configuration",
            ["figure", "baseline", "config", "difference", "p", "p (Holm)"],
            [
                [
                    name,
                    one["baseline"],
                    one["config"],
                    one["difference"],
                    _p(one["p"]),
                    _p(one["p_holm"]),
                ]
                for _, name, one in compared
            ],
            [{"name": each["set"], "config": each["config"]} for each, _, _ in compared],
            names=1,
        )
    for note in report["notes"]:
        line = _visible(f"{note['set']} ({note['config']}): {note['note']}")
        console.print(line, markup=False, highlight=False)


def _table(
    console: Console,
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    owners: Sequence[Mapping[str, Any]],
    *,
    names: int = 0,
) -> None:
    """One table, in as many parts as the console's width asks for: a figure is never cut or folded.

    Args:
        names: how many of the first columns say what a row is about; every part begins with them.
    """
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    cells = [
        [_visible(cell) for cell in (owner["name"], owner["config"], *map(_cell, row))]
        for owner, row in zip(owners, rows, strict=True)
    ]
    titles = ["set", "config", *columns]
    needed = [_needed(title, [row[place] for row in cells]) for place, title in enumerate(titles)]
    needed[:2] = [min(each, console.width // _FOLDED_SHARE) for each in needed[:2]]
    named = 2 + names
    for number, part in enumerate(_parts(needed, named, console.width)):
        places = [*range(named), *part]
        wide = sum(max(needed[each], cell_len(titles[each])) + _FRAME for each in places)
        tight = wide + 1 > console.width
        table = Table(title=title + (" (continued)" if number else ""), title_justify="left")
        for each in places:
            table.add_column(
                titles[each],
                justify="left" if each < 2 else "right",
                overflow="fold",
                width=needed[each] if tight else None,
            )
        for row in cells:
            table.add_row(*(Text(row[each]) for each in places))
        console.print(table)


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


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _p(value: float) -> str:
    """With one figure more than a share: 0.000 would say what no resampling can."""
    return f"{value:.4f}"


def _visible(text: str) -> str:
    """Names come from files: what a terminal would obey is spelled out."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
