"""Which tables does a report have? The same for the screen, Markdown and HTML."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from memweir.evaluation import metrics

__all__ = ["Table", "sections", "visible", "written", "written_with"]

_RANKING: Final = (*metrics.METRICS, "auroc_unanswerable")
_COMPARED: Final = ("hit@1", "hit@5", "mrr@10")
_CALIBRATION: Final = ("accuracy", "ece", "brier", "auroc", "aurc")
_GATE: Final = (
    ("answerable_kept", "answerable kept"),
    ("kept_of_top6", "kept of top 6"),
    ("unanswerable_used", "unanswerable used"),
    ("offtopic_injected", "off-topic injected"),
)
_ASIDE: Final = (("small_talk_injected", "small talk"), ("code_injected", "code"))
_IDS_WIDE: Final = 48  # characters of ids in a cell; the rest are counted


@dataclass(frozen=True, slots=True)
class Table:
    """One table, its cells as they are shown.

    Attributes:
        names: how many of the first columns say what a row is about.
        note: what the columns mean, one paragraph.
        detail: for a written report only, too long for a screen.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int
    note: str = ""
    detail: bool = False


def sections(report: Mapping[str, Any]) -> list[Table]:
    """Every table of the report that has a row, in reading order."""
    return [each for each in _all(report) if each.rows]


def written(table: Table) -> Table:
    """The table without its column of configurations where all rows are of one."""
    place = table.columns.index("config") if "config" in table.columns[: table.names] else -1
    if place < 0 or len({row[place] for row in table.rows}) > 1:
        return table
    return replace(
        table,
        columns=table.columns[:place] + table.columns[place + 1 :],
        rows=tuple(row[:place] + row[place + 1 :] for row in table.rows),
        names=table.names - 1,
    )


def written_with(report: Mapping[str, Any]) -> str:
    """One sentence on what was measured and with what."""
    asked = report.get("asked", ())
    shown = asked or report["sets"]
    configs = list(dict.fromkeys(visible(each["config"]) for each in shown))
    single = list({each["name"]: each for each in shown}.values())
    memories = _counted(sum(each["memories"] for each in single), "memory", "memories")
    questions = _counted(sum(each["queries"] for each in single), "question", "questions")
    if asked:
        names = ", ".join(visible(each["name"]) for each in single)
        labelled = sum(each["labelled"] for each in single)
        reached = sum(_within(each) for each in single)
        if reached < sum(each["memories"] for each in single):
            memories += f", {reached} of them active in the scopes asked"
        what = f"Store {names}: {memories}; {questions}, {labelled or 'none'} of them labelled"
    else:
        what = f"{_counted(len(single), 'set', 'sets')}, {memories}, {questions}"
    versions = ", ".join(
        f"{name} {importlib.metadata.version(name)}" for name in ("memweir", "numpy", "apsw")
    )
    return (
        f"{what}; configuration{'s' if len(configs) > 1 else ''} {', '.join(configs)}. "
        f"{versions}; Python {platform.python_version()}."
    )


def _counted(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


def _all(report: Mapping[str, Any]) -> Iterator[Table]:
    sets = report["sets"]
    yield from _asked(report.get("asked", ()))
    yield from _ranking(sets)
    yield from _categories(sets)
    yield from _paths(sets)
    yield from _gate(sets)
    yield from _calibration(sets)
    yield from _pooled(sets)
    yield from _comparisons(report)
    yield from _ablations(report)


def _asked(stores: Sequence[Mapping[str, Any]]) -> Iterator[Table]:
    yield _table(
        "Asked",
        ("memories", "questions", "labelled", "injected", "got nothing", "p50 ms", "p95 ms"),
        (
            (
                each,
                _held(each),
                each["queries"],
                each["labelled"],
                each["injected"],
                sum(map(len, each["abstained"].values())),
                *(each["latency_ms"][name] for name in ("p50", "p95")),
            )
            for each in stores
        ),
        note='All questions, labelled or not; memories: of all scopes and in any status; "2 of 9": '
        "those active in the scopes asked, where they are fewer. injected: the "
        "share of the questions that got anything. Quality can be told of labelled questions only. "
        "Times are of one recall without audit, with the candidates that its configuration asks for.",
    )
    yield _table(
        "Why questions got nothing",
        ("reason", "questions", "which"),
        (
            (each, reason, len(ids), _some(ids))
            for each in stores
            for reason, ids in each["abstained"].items()
        ),
        names=1,
    )
    yield _table(
        "Questions that got nothing",
        ("question", "reason"),
        (
            (each, question, reason)
            for each in stores
            for reason, ids in each["abstained"].items()
            for question in ids
        ),
        names=2,
        detail=True,
    )


def _within(store: Mapping[str, Any]) -> int:
    """Memories that a question could find; all, where nothing says how many."""
    reached = store.get("within")
    return int(store["memories"] if reached is None else reached)


def _held(store: Mapping[str, Any]) -> int | str:
    memories, reached = int(store["memories"]), _within(store)
    return memories if reached == memories else f"{reached} of {memories}"


def _some(ids: Sequence[str]) -> str:
    """The first of them, as many as a cell has room for, and how many more there are."""
    shown: list[str] = []
    for each in ids:
        if shown and len(", ".join([*shown, visible(each)])) > _IDS_WIDE:
            break
        shown.append(each if len(visible(each)) <= _IDS_WIDE else f"{visible(each)[:_IDS_WIDE]}…")
    more = len(ids) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _ranking(sets: Sequence[Mapping[str, Any]]) -> Iterator[Table]:
    yield _table(
        "Fused ranking",
        ("memories", "queries", "answerable", *_RANKING),
        (
            (
                each,
                each["memories"],
                each["queries"],
                each["answerable"],
                *(each["metrics"][name] for name in _RANKING),
            )
            for each in sets
        ),
        note="Over the answerable questions, before the gate drops anything. auroc_unanswerable: the "
        "chance that an answerable question has a better best match than an unanswerable one.",
    )
    yield _table(
        "Fused ranking: 95 % intervals",
        _RANKING,
        ((each, *(_interval(each["intervals"][name]) for name in _RANKING)) for each in sets),
        note="Percentile bootstrap over the questions, by scope where a set has several.",
    )


def _categories(sets: Sequence[Mapping[str, Any]]) -> Iterator[Table]:
    shown = ("hit@1", "hit@5", "mrr@10")
    yield _table(
        "By category",
        ("category", "queries", *shown, "95 % of mrr@10", *(title for _, title in _GATE[:3])),
        (
            (
                each,
                name,
                gate["queries"],
                *(each["categories"].get(name, {}).get(figure) for figure in shown),
                _interval(each["category_intervals"][name]["mrr@10"]),
                *(gate[figure] for figure, _ in _GATE[:3]),
            )
            for each in sets
            for name, gate in each["category_gate"].items()
        ),
        names=1,
        detail=True,
    )
    yield _table(
        "By category and path: hit@5",
        ("category", *dict.fromkeys(path for each in sets for path in each["paths"])),
        (
            (
                each,
                name,
                *(
                    own.get(path, {}).get("hit@5")
                    for path in dict.fromkeys(path for one in sets for path in one["paths"])
                ),
            )
            for each in sets
            for name, own in each["category_paths"].items()
        ),
        names=1,
        detail=True,
    )


def _paths(sets: Sequence[Mapping[str, Any]]) -> Iterator[Table]:
    yield _table(
        "Single paths",
        ("path", *metrics.PATH_METRICS, "answered"),
        (
            (each, path, *(own[name] for name in (*metrics.PATH_METRICS, "answered")))
            for each in sets
            for path, own in each["paths"].items()
        ),
        names=1,
        note="Each path's own ranking. answered: the share of all questions for which it found any.",
    )
    yield _table(
        "Fused against the best path",
        ("figure", "path", "best", "fused", "difference", "95 %", "p"),
        (
            (
                each,
                name,
                one["path"],
                one["best"],
                one["fused"],
                one["difference"],
                _interval(one["interval"], digits=3),
                _p(one["p"]),
            )
            for each in sets
            for name, one in each["fused_vs_best_path"].items()
        ),
        names=2,
        note="The best path is the one with the highest figure on that very set, chosen after the "
        "fact. p: two-sided paired randomisation test, not corrected.",
    )


def _gate(sets: Sequence[Mapping[str, Any]]) -> Iterator[Table]:
    noisy = any(each["latency_noisy"] for each in sets)
    yield _table(
        "Gate and time",
        (*(title for _, title in _GATE), "p50 ms", "p95 ms"),
        (
            (
                each,
                *(each["gate"][name] for name, _ in _GATE),
                *(each["latency_ms"][name] for name in ("p50", "p95")),
            )
            for each in sets
        ),
        note="What reaches the block. kept of top 6: of the answerable questions with a relevant "
        "memory among the first six as ranked, those whose block holds one. Times are of one recall "
        "without audit, 100 candidates a path"
        + (", measured while several processes ran: read them as noisy." if noisy else "."),
    )
    yield _table(
        "Gate: 95 % intervals",
        tuple(title for _, title in _GATE),
        ((each, *(_interval(each["gate_intervals"].get(name)) for name, _ in _GATE)) for each in sets),
        detail=True,
    )
    yield _table(
        "Negative controls: share injected",
        ("small talk", "en", "zh", "code", "other sets, same language", "other language"),
        (
            (
                each,
                each["controls"]["small_talk"]["injected"],
                each["controls"]["small_talk"]["en"],
                each["controls"]["small_talk"]["zh"],
                each["controls"]["code"]["injected"],
                each["controls"].get("cross_same_language", {}).get("injected"),
                each["controls"].get("cross_other_language", {}).get("injected"),
            )
            for each in sets
            if "small_talk" in each["controls"]
        ),
        note="Texts that should draw nothing: small talk, code and log lines, and questions that were "
        "written for another set.",
    )
    yield _table(
        "Negative controls by source set: share injected",
        ("asked", "language", "questions", "injected"),
        (
            (each, source, own["language"], own["questions"], own["injected"])
            for each in sets
            for source, own in each["controls"].get("cross", {}).items()
        ),
        names=1,
        detail=True,
    )


def _calibration(sets: Sequence[Mapping[str, Any]]) -> Iterator[Table]:
    known = [each for each in sets if each["calibration"]]
    yield _table(
        "Calibration of the best candidate's relevance",
        ("questions", *_CALIBRATION, "95 % of ece"),
        (
            (
                each,
                each["calibration"]["questions"],
                *(each["calibration"][name] for name in _CALIBRATION),
                _interval(each["calibration"]["intervals"]["ece"]),
            )
            for each in known
        ),
        note="The relevance of the first candidate read as the probability that it answers the "
        "question. ece: expected calibration error over ten bins of equal mass; brier: mean squared "
        "error; auroc: how well it tells right from wrong; aurc: mean risk over all coverages. A set "
        "that does not list every memory that answers a question makes all of them look worse.",
    )
    yield _table(
        "Reliability",
        ("bin", "questions", "mean relevance", "right"),
        (
            (each, str(number), one["count"], one["confidence"], one["accuracy"])
            for each in known
            for number, one in enumerate(each["calibration"]["reliability"], start=1)
        ),
        names=1,
        detail=True,
    )


def _pooled(sets: Sequence[Mapping[str, Any]]) -> Iterator[Table]:
    shown = ("hit@1", "hit@5", "mrr@10")
    yield _table(
        "Asked across all scopes of the set",
        (
            "scopes",
            *(f"{name} {how}" for name in shown for how in ("scoped", "pooled")),
            "kept scoped",
            "kept pooled",
        ),
        (
            (
                each,
                each["scopes"],
                *(one["metrics"][name] for name in shown for one in (each, each["pooled"])),
                *(one["gate"]["answerable_kept"] for one in (each, each["pooled"])),
            )
            for each in sets
            if "pooled" in each
        ),
    )


def _comparisons(report: Mapping[str, Any]) -> Iterator[Table]:
    columns = ("figure", "baseline", "config", "difference", "95 %", "p", "p (Holm)")
    note = (
        "p: two-sided paired randomisation test over the questions; p (Holm): corrected over the sets "
        "and configurations compared in that figure."
    )
    yield _table(
        "Against the first configuration",
        columns,
        (
            ({"name": each["set"], "config": each["config"]}, name, *_compared(one))
            for each in report["comparisons"]
            for name, one in each["metrics"].items()
            if name in _COMPARED
        ),
        names=1,
        note=note,
    )
    yield _table(
        "Against the first configuration: the gate",
        columns,
        (
            ({"name": each["set"], "config": each["config"]}, name, *_compared(one))
            for each in report["comparisons"]
            for name, one in each["gate"].items()
        ),
        names=1,
        note=note,
        detail=True,
    )
    yield _table(
        "Against the first configuration: mean over the sets",
        ("figure", "sets", *columns[1:]),
        (
            ({"name": "all sets", "config": each["config"]}, name, one["sets"], *_compared(one))
            for each in report["comparisons_overall"]
            for name, one in (each["metrics"] | each["gate"]).items()
            if len({one["set"] for one in report["comparisons"]}) > 1
        ),
        names=1,
        note="Every set counts the same. p (Holm): corrected over the configurations.",
    )
    yield _table(
        "What changed against the first configuration",
        (
            "overlap@1",
            "overlap@6",
            "overlap@10",
            "block changed",
            "newly injected",
            "newly silent",
            "decisions changed",
        ),
        (
            (
                {"name": each["set"], "config": each["config"]},
                *(
                    each["changes"][name]
                    for name in (
                        "overlap@1",
                        "overlap@6",
                        "overlap@10",
                        "block_changed",
                        "newly_injected",
                        "newly_silent",
                        "decisions_changed",
                    )
                ),
            )
            for each in report.get("changes", report["comparisons"])
        ),
        note="Right or wrong: the share of the first ranked memories that both have, of the questions "
        "whose block differs, and how many memories are decided otherwise.",
    )


def _ablations(report: Mapping[str, Any]) -> Iterator[Table]:
    columns = ("base", "without", "difference", "95 %", "p", "p (Holm)")
    figures = ("mrr@10", "hit@1", "answerable_kept", "offtopic_injected")
    yield Table(
        "Ablations: mean over the sets",
        ("ablation", "figure", *columns),
        tuple(
            (visible(each["name"]), name, *map(_cell, _compared(one)))
            for each in report["ablations_overall"]
            for name, one in (each["metrics"] | each["gate"]).items()
            if name in figures
        ),
        2,
        note="The first configuration with one technique off, minus itself: below 0 in a ranking "
        "figure means that the technique helps. "
        + "; ".join(f"{each['name']}: {each['description']}" for each in report["ablations_overall"])
        + ".",
    )
    yield Table(
        "Ablations by set: mrr@10",
        ("set", "ablation", *columns),
        tuple(
            (
                visible(each["set"]),
                visible(each["name"]),
                *map(_cell, _compared(each["metrics"]["mrr@10"])),
            )
            for each in report["ablations"]
        ),
        2,
        note="p (Holm): corrected over the sets and ablations.",
        detail=True,
    )


def _compared(one: Mapping[str, Any]) -> tuple[object, ...]:
    return (
        one["baseline"],
        one["config"],
        one["difference"],
        _interval(one["interval"], digits=3),
        _p(one["p"]),
        _p(one["p_holm"]),
    )


def _table(
    title: str,
    columns: Sequence[str],
    rows: Iterator[tuple[Any, ...]] | Sequence[tuple[Any, ...]],
    *,
    names: int = 0,
    note: str = "",
    detail: bool = False,
) -> Table:
    """A table whose rows begin with the mapping that names their set and configuration."""
    cells = tuple(
        tuple(visible(each) for each in (owner["name"], owner["config"], *map(_cell, row)))
        for owner, *row in rows
    )
    return Table(title, ("set", "config", *columns), cells, 2 + names, note, detail)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{round(value, 3) + 0.0:.3f}" if isinstance(value, float) else str(value)


def _interval(ends: Sequence[float] | None, *, digits: int = 2) -> str | None:
    """ "0.12…0.57"; nought has no sign."""
    if ends is None:
        return None
    low, high = (f"{round(end, digits) + 0.0:.{digits}f}" for end in ends)
    return f"{low}…{high}"


def _p(value: float | None) -> str | None:
    """With one figure more than a share: 0.000 would say what no resampling can."""
    return None if value is None else f"{value:.4f}"


def visible(text: str) -> str:
    """Names come from files: what a terminal would obey is spelled out."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
