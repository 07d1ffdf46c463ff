"""What does a report look like as pictures? SVG that is the same on every run.

Lines and text are drawn in the colour of the page's text, so that a picture suits a light page and a
dark one. Every picture is about the first configuration of each set, the bars about all.
"""

from __future__ import annotations

import importlib
import io
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from memweir.errors import MissingExtra
from memweir.evaluation.sections import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["check_installed", "plots"]

_INK: Final = "#010203"  # replaced by the page's own colour
_COLOURS: Final = ("#3b82c4", "#d9822b", "#3f9e6b", "#b3569b", "#8a7a2e", "#6b7280")
_COLUMNS: Final = 4  # small pictures beside one another
_BAR: Final = 0.8  # of the height of a row


def check_installed() -> None:
    """Fail before the work rather than after it.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    try:
        importlib.import_module("matplotlib.figure")
    except ImportError as error:
        raise MissingExtra("eval", "matplotlib") from error


def plots(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(title, SVG element) of every picture the report has figures for.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    check_installed()
    sets = report["sets"]
    if not sets:
        return []
    first = list({each["name"]: each for each in reversed(sets)}.values())[::-1]
    known = [each for each in first if each["calibration"]]
    made: list[tuple[str, Callable[[], Figure]]] = [
        ("hit@1 with 95 % intervals", lambda: _bars(sets, "hit@1")),
        ("hit@5 with 95 % intervals", lambda: _bars(sets, "hit@5")),
    ]
    if known:
        made += [
            (
                "Reliability: how often the best candidate is right, by its relevance",
                lambda: _small(
                    known, _reliability, "relevance of the best candidate", "share that is right"
                ),
            ),
            (
                "Risk and coverage: how wrong the surest answers are",
                lambda: _small(known, _risk, "share of the questions answered", "share that is wrong"),
            ),
        ]
    if report["ablations_overall"]:
        made.append(
            (
                "Ablations: change of mrr@10, mean over the sets, with 95 % intervals",
                lambda: _ablations(report["ablations_overall"]),
            )
        )
    made.append(("Time of a recall: median, and up to the 95th percentile", lambda: _latency(first)))
    return [(title, _svg(draw, f"p{place}")) for place, (title, draw) in enumerate(made)]


def _bars(sets: Sequence[Mapping[str, Any]], name: str) -> Figure:
    names = list(dict.fromkeys(each["name"] for each in sets))
    configs = list(dict.fromkeys(each["config"] for each in sets))
    figure, axes = _canvas(len(names) * max(1, len(configs)) * 0.24 + 0.8)
    height = _BAR / len(configs)
    for number, config in enumerate(configs):
        mine = [each for each in sets if each["config"] == config and each["metrics"][name] is not None]
        values = [each["metrics"][name] for each in mine]
        places = [names.index(each["name"]) + (number + 0.5) * height - _BAR / 2 for each in mine]
        ends = [
            each["intervals"][name] or (value, value) for each, value in zip(mine, values, strict=True)
        ]
        axes.barh(
            places, values, height * 0.9, color=_COLOURS[number % len(_COLOURS)], label=visible(config)
        )
        axes.hlines(
            places, [low for low, _ in ends], [high for _, high in ends], color=_INK, linewidth=1
        )
    _name_rows(axes, names)
    axes.set_xlim(0, 1)
    if len(configs) > 1:
        axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=len(configs))
    return figure


def _latency(sets: Sequence[Mapping[str, Any]]) -> Figure:
    timed = [each for each in sets if each["latency_ms"]["p50"] is not None]
    figure, axes = _canvas(len(timed) * 0.24 + 0.8)
    middle = [each["latency_ms"]["p50"] for each in timed]
    axes.barh(range(len(timed)), middle, _BAR * 0.9, color=_COLOURS[0])
    axes.hlines(
        range(len(timed)),
        middle,
        [each["latency_ms"]["p95"] for each in timed],
        color=_INK,
        linewidth=1,
    )
    _name_rows(axes, [each["name"] for each in timed])
    axes.set_xlabel("milliseconds")
    axes.set_xlim(left=0)
    return figure


def _ablations(ablations: Sequence[Mapping[str, Any]]) -> Figure:
    measured = [(each["name"], each["metrics"].get("mrr@10")) for each in ablations]
    known = [(name, one) for name, one in measured if one is not None]
    figure, axes = _canvas(len(known) * 0.24 + 0.8)
    places = range(len(known))
    lows, highs = ([(one["interval"] or (0, 0))[end] for _, one in known] for end in (0, 1))
    axes.axvline(0, color=_INK, alpha=0.4, linewidth=0.8, linestyle="--")
    axes.hlines(places, lows, highs, color=_INK, linewidth=1)
    axes.scatter([one["difference"] for _, one in known], places, s=18, color=_COLOURS[0], zorder=3)
    _name_rows(axes, [name for name, _ in known])
    axes.set_xlabel("below 0: worse without it")
    return figure


def _name_rows(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), [visible(each) for each in names])
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.2, color=_INK)
    axes.set_axisbelow(True)


def _small(
    sets: Sequence[Mapping[str, Any]],
    draw: Callable[[Axes, Mapping[str, Any]], None],
    below: str,
    beside: str,
) -> Figure:
    from matplotlib.figure import Figure

    rows = -(-len(sets) // _COLUMNS)
    figure = Figure(figsize=(9, rows * 2.2 + 0.3), layout="constrained")
    grid = figure.subplots(rows, _COLUMNS, squeeze=False, sharex=True, sharey=True)
    for place, axes in enumerate(grid.flat):
        if place >= len(sets):
            axes.set_axis_off()
            continue
        draw(axes, sets[place]["calibration"])
        axes.set_title(visible(sets[place]["name"]), fontsize=9)
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
    figure.supxlabel(below, fontsize=9)
    figure.supylabel(beside, fontsize=9)
    return figure


def _reliability(axes: Axes, measured: Mapping[str, Any]) -> None:
    bins = measured["reliability"]
    largest = max(each["count"] for each in bins)
    axes.plot([0, 1], [0, 1], color=_INK, alpha=0.4, linewidth=0.8, linestyle="--")
    x, y = [each["confidence"] for each in bins], [each["accuracy"] for each in bins]
    axes.plot(x, y, color=_COLOURS[0], linewidth=1)
    axes.scatter(x, y, s=[4 + 20 * each["count"] / largest for each in bins], color=_COLOURS[0])


def _risk(axes: Axes, measured: Mapping[str, Any]) -> None:
    curve = measured["risk_coverage"]
    axes.plot([each for each, _ in curve], [risk for _, risk in curve], color=_COLOURS[1])
    axes.grid(alpha=0.2, color=_INK)


def _canvas(height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, height), layout="constrained")
    return figure, figure.subplots()


def _svg(draw: Callable[[], Figure], prefix: str) -> str:
    """The picture as an element that can stand in a page beside others: its ids begin with `prefix`."""
    import matplotlib

    settings: dict[Any, Any] = {
        "text.parse_math": False,
        "svg.hashsalt": "memweir",
        "svg.fonttype": "none",  # text stays text: it can be searched, and needs no font of ours
        "font.family": "sans-serif",
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        **dict.fromkeys(
            ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), _INK
        ),
    }
    written = io.StringIO()
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        # A name in a script that the measuring font lacks is drawn by the reader's font all the same.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        draw().savefig(
            written, format="svg", transparent=True, metadata={"Date": None, "Creator": None}
        )
    text = written.getvalue()
    element = text[text.index("<svg") :].replace(_INK, "currentColor")
    element = re.sub(r"<metadata>.*?</metadata>", "", element, flags=re.DOTALL)
    element = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{prefix}-", element)
    opening = element.index(">")
    sized = re.sub(r' (?:width|height)="[^"]*"', "", element[:opening])  # the page decides on them
    return (sized + element[opening:]).strip()
