"""How do the figures of several runs become one report?

`summary` gives plain JSON values; `tables`, `markdown` and `page` show them to a reader. Shares are
between 0 and 1, times in milliseconds, None where a set has no question of the kind. Intervals are 95 %
bootstrap intervals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from memweir.evaluation import calibration, metrics
from memweir.evaluation.ablations import Ablation
from memweir.evaluation.bootstrap import Resampling
from memweir.evaluation.changes import changes
from memweir.evaluation.comparison import Pair, compare_all, compare_over_sets
from memweir.evaluation.controls import language_of
from memweir.evaluation.figures import OFFTOPIC, Figures, mean_of, resampling_of
from memweir.evaluation.lines import per_query_lines
from memweir.evaluation.rounding import all_rounded, difference, rounded, rounded_interval
from memweir.evaluation.runner import Asked, SetRun
from memweir.evaluation.significance import randomisation_p

__all__ = ["AblationRun", "per_query_lines", "summary"]

_BEST_PATH_BY: Final = ("hit@5", "mrr@10")
_CURVE_POINTS: Final = 50
_HAS_AUROC: Final = "auroc_unanswerable"


@dataclass(frozen=True, slots=True)
class AblationRun:
    """A set under the first configuration with one technique switched off."""

    ablation: Ablation
    run: SetRun


def summary(
    runs: Sequence[SetRun],
    *,
    pooled: Sequence[SetRun] = (),
    ablations: Sequence[AblationRun] = (),
    jobs: int = 1,
) -> dict[str, Any]:
    """The report as one JSON object.

    Args:
        runs: every set under every configuration; of one set the baseline comes first.
        pooled: some of them asked across all scopes.
        ablations: variants of the first configuration.
        jobs: processes that ran at once; where it is not 1 times are marked as noisy.

    Returns:
        `sets`: one entry a run, in their order; `comparisons`: every later configuration of a set
        against its first, and `comparisons_overall` the mean over the sets; `ablations` and
        `ablations_overall` likewise; `notes`: what a reader of the figures should know; `jobs`.
    """
    figures = [Figures.of(run) for run in runs]
    first = {run.name: place for place, run in reversed(list(enumerate(runs)))}
    later = [place for place, run in enumerate(runs) if place != first[run.name]]
    pairs = [Pair(figures[first[runs[place].name]], figures[place]) for place in later]
    comparisons: list[dict[str, Any]] = [
        {
            "set": runs[place].name,
            "baseline": runs[first[runs[place].name]].config,
            "config": runs[place].config,
            **compared,
            "changes": changes(runs[first[runs[place].name]].asked, runs[place].asked),
        }
        for place, compared in zip(later, compare_all(pairs), strict=True)
    ]
    configs = list(dict.fromkeys(runs[place].config for place in later))
    grouped = [
        [pair for place, pair in zip(later, pairs, strict=True) if runs[place].config == config]
        for config in configs
    ]
    overall = [
        {"baseline": runs[0].config, "config": config, **compared}
        for config, compared in zip(configs, compare_over_sets(grouped), strict=True)
    ]
    across = {(each.name, each.config): each for each in pooled}
    return {
        "sets": [
            _set_entry(run, one, across.get((run.name, run.config)), noisy=jobs != 1)
            for run, one in zip(runs, figures, strict=True)
        ],
        "comparisons": comparisons,
        "comparisons_overall": overall,
        **_ablation_entries(ablations, {runs[place].name: figures[place] for place in first.values()}),
        "notes": [note for run in runs for note in _notes(run)],
        "jobs": jobs,
    }


def _ablation_entries(
    ablations: Sequence[AblationRun], base: Mapping[str, Figures]
) -> dict[str, list[dict[str, Any]]]:
    pairs = [Pair(base[each.run.name], Figures.of(each.run, paths=False)) for each in ablations]
    named = list({each.ablation.name: each.ablation for each in ablations}.values())
    grouped = [
        [
            pair
            for each, pair in zip(ablations, pairs, strict=True)
            if each.ablation.name == ablation.name
        ]
        for ablation in named
    ]
    return {
        "ablations": [
            {"set": each.run.name, "name": each.ablation.name, **compared}
            for each, compared in zip(ablations, compare_all(pairs), strict=True)
        ],
        "ablations_overall": [
            {
                "name": each.name,
                "description": each.description,
                "overrides": dict(each.overrides),
                **compared,
            }
            for each, compared in zip(named, compare_over_sets(grouped), strict=True)
        ],
    }


def _set_entry(run: SetRun, figures: Figures, pooled: SetRun | None, *, noisy: bool) -> dict[str, Any]:
    draws = figures.resampling()
    entry = {
        "name": run.name,
        "config": run.config,
        "language": language_of(each.question.text for each in run.asked),
        "memories": run.memories,
        "queries": len(run.asked),
        "answerable": sum(each.question.answerable for each in run.asked),
        "scopes": len(set(figures.scopes)),
        **_ranking(run, figures),
        "paths": {
            path: all_rounded(
                {
                    **{name: mean_of(values) for name, values in own.items()},
                    "answered": metrics.answered(run.asked, path),
                }
            )
            for path, own in figures.paths.items()
        },
        "path_intervals": {
            path: {name: rounded_interval(draws.mean(values)) for name, values in own.items()}
            for path, own in figures.paths.items()
        },
        **_categories(run, figures, draws),
        **_gate(run, figures, draws),
        "controls": _controls(run),
        "calibration": _calibration(run.asked, draws),
        "latency_ms": {
            name: None if value is None else round(value, 3)
            for name, value in metrics.latency(run.asked).items()
        },
        "latency_noisy": noisy,
        "fused_vs_best_path": _fused_vs_best_path(figures),
    }
    if pooled is not None:
        across = Figures.of(pooled, paths=False)
        entry["pooled"] = {
            **_ranking(pooled, across),
            **_gate(pooled, across, across.resampling()),
            "controls": _controls(pooled),
        }
    return entry


def _ranking(run: SetRun, figures: Figures) -> dict[str, Any]:
    draws = figures.resampling()
    found: dict[str, Any] = {name: mean_of(values) for name, values in figures.ranking.items()}
    intervals = {name: rounded_interval(draws.mean(values)) for name, values in figures.ranking.items()}
    found[_HAS_AUROC] = metrics.auroc(run.asked)
    labels = [float(each.question.answerable) for each in run.asked]
    scores = [each.best_score for each in run.asked]
    intervals[_HAS_AUROC] = (
        None
        if found[_HAS_AUROC] is None
        else rounded_interval(
            draws.of(lambda weights: calibration.auroc(scores, labels, weights=weights))
        )
    )
    return {"metrics": all_rounded(found), "intervals": intervals}


def _categories(run: SetRun, figures: Figures, draws: Resampling) -> dict[str, Any]:
    """Everything by category: of the ranking those with an answerable question, of the gate all."""
    found: dict[str, dict[str, Any]] = {
        "categories": {},
        "category_intervals": {},
        "category_paths": {},
        "category_gate": {},
    }
    for name in sorted(set(figures.categories)):
        inside = figures.of_category(name)
        ranking = {
            figure: np.where(inside, values, np.nan) for figure, values in figures.ranking.items()
        }
        gate = {figure: np.where(inside, values, np.nan) for figure, values in figures.gate.items()}
        answerable = int(np.count_nonzero(~np.isnan(ranking["hit@1"])))
        if answerable:
            found["categories"][name] = {
                **all_rounded({figure: mean_of(values) for figure, values in ranking.items()}),
                "queries": answerable,
            }
            found["category_paths"][name] = {
                path: all_rounded(
                    {figure: mean_of(np.where(inside, own[figure], np.nan)) for figure in own}
                )
                for path, own in figures.paths.items()
            }
        found["category_gate"][name] = {
            **all_rounded({figure: mean_of(values) for figure, values in gate.items()}),
            "queries": int(inside.sum()),
        }
        found["category_intervals"][name] = {
            figure: rounded_interval(draws.mean(values)) for figure, values in (ranking | gate).items()
        }
    return found


def _gate(run: SetRun, figures: Figures, draws: Resampling) -> dict[str, Any]:
    intervals = {name: rounded_interval(draws.mean(values)) for name, values in figures.gate.items()}
    for name, values in figures.aside.items():
        aside = resampling_of(run.name, ("",) * values.size)
        intervals[name] = rounded_interval(aside.mean(values))
    return {
        "gate": all_rounded(metrics.gate(run.asked, run.offtopic)),
        "gate_intervals": {
            name: interval for name, interval in intervals.items() if interval or name == OFFTOPIC
        },
    }


def _controls(run: SetRun) -> dict[str, Any]:
    """Shares of texts that drew anything: by control, and for crossed ones by language too."""
    found: dict[str, Any] = {}
    crossed: dict[str, Any] = {}
    by_language: dict[str, list[tuple[str, bool]]] = {"same": [], "other": []}
    mine = language_of(each.question.text for each in run.asked)
    for each in run.controls:
        texts = [text.text for text in each.control.texts]
        language = language_of(texts)
        shares = _injected(run.name, [("", drew) for drew in each.injected])
        if each.control.crossed:
            crossed[each.control.name] = {**shares, "language": language}
            kind = "same" if language == mine else "other"
            by_language[kind] += [(each.control.name, drew) for drew in each.injected]
        else:
            found[each.control.name] = {**shares, **_split(texts, each.injected)}
    if crossed:
        found["cross"] = crossed
        found["cross_same_language"] = _injected(run.name, by_language["same"])
        found["cross_other_language"] = _injected(run.name, by_language["other"])
    return found


def _split(texts: Sequence[str], flags: Sequence[bool]) -> dict[str, float | None]:
    """The share injected of the texts of each language."""
    found: dict[str, float | None] = {}
    for language in ("en", "zh"):
        mine = [
            drew for text, drew in zip(texts, flags, strict=True) if language_of([text]) == language
        ]
        found[language] = rounded(sum(mine) / len(mine)) if mine else None
    return found


def _injected(name: str, answers: Sequence[tuple[str, bool]]) -> dict[str, Any]:
    """Args: answers: (source, drew anything); what has one source rises and falls together."""
    values = np.array([drew for _, drew in answers], dtype=np.float64)
    draws = resampling_of(name, tuple(source for source, _ in answers))
    return {
        "questions": len(answers),
        "injected": rounded(mean_of(values)),
        "interval": rounded_interval(draws.mean(values)),
    }


def _calibration(asked: Sequence[Asked], draws: Resampling) -> dict[str, Any] | None:
    """Of the best-ranked candidate's relevance as a probability that it answers the question.

    A question without a candidate is a case of probability 0 and label 0. None where the candidates'
    relevance is not known.
    """
    if any(each.ranked and not each.relevances for each in asked) or not asked:
        return None
    # A relevance is in [0, 1] up to the last bits of a sum.
    p = np.clip([each.relevances[0] if each.relevances else 0.0 for each in asked], 0, 1)
    y = np.array(
        [float(bool(each.ranked) and each.ranked[0][0] in each.question.relevant) for each in asked]
    )
    measures = {
        "ece": calibration.expected_calibration_error,
        "brier": calibration.brier_score,
        "aurc": calibration.area_under_risk_coverage,
        "auroc": calibration.auroc,
    }
    curve = calibration.risk_coverage(p, y)
    places = np.unique(np.linspace(0, len(curve) - 1, min(_CURVE_POINTS, len(curve))).astype(int))
    return {
        "questions": len(asked),
        "accuracy": rounded(float(y.mean())),
        **{name: rounded(float(measure(p, y))) for name, measure in measures.items()},
        "intervals": {
            name: rounded_interval(draws.of(lambda w, of=measure: of(p, y, weights=w)))  # type: ignore[misc]
            for name, measure in measures.items()
        },
        "reliability": [
            {
                "count": each.count,
                "confidence": rounded(each.confidence),
                "accuracy": rounded(each.accuracy),
            }
            for each in calibration.reliability(p, y)
        ],
        "risk_coverage": [[rounded(value) for value in curve[place]] for place in places],
        "injected": _injected_calibration(asked),
    }


def _injected_calibration(asked: Sequence[Asked]) -> dict[str, Any]:
    """The same of every injected memory: does it answer the question it was injected for?"""
    cases = [
        (min(max(value, 0.0), 1.0), float(memory_id in each.question.relevant))
        for each in asked
        for (memory_id, _), value in zip(each.ranked, each.relevances, strict=False)
        if memory_id in each.block
    ]
    if not cases:
        return {"memories": 0, "precision": None, "ece": None, "brier": None, "auroc": None}
    p, y = (np.array(column) for column in zip(*cases, strict=True))
    return {
        "memories": len(cases),
        "precision": rounded(float(y.mean())),
        "ece": rounded(float(calibration.expected_calibration_error(p, y))),
        "brier": rounded(float(calibration.brier_score(p, y))),
        "auroc": rounded(float(calibration.auroc(p, y))),
    }


def _fused_vs_best_path(figures: Figures) -> dict[str, dict[str, Any]]:
    """The fused list against the path that is best on this very set.

    The path is chosen after the fact, in its favour: a difference that is not significantly below 0
    means that fusing lost nothing. `p` is not corrected.
    """
    if mean_of(figures.ranking["hit@1"]) is None or not figures.paths:
        return {}
    draws = figures.resampling()
    found = {}
    for name in _BEST_PATH_BY:
        means = {path: mean_of(own[name]) or 0.0 for path, own in figures.paths.items()}
        path = max(means, key=lambda each: means[each])  # the first of equals
        fused, best = figures.ranking[name], figures.paths[path][name]
        counted = ~np.isnan(fused)
        found[name] = {
            "path": path,
            "best": rounded(means[path]),
            "fused": rounded(mean_of(fused)),
            "difference": difference(mean_of(fused), means[path]),
            "p": rounded(randomisation_p(best[counted], fused[counted])),
            "interval": rounded_interval(draws.mean(fused - best)),
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
