"""How good are the answers of one run of a set?

Ranking figures are those of `ir_measures` over the answerable questions, relevance binary: Success@k
(here `hit@k`: 1 where any relevant memory is among the first k), recall@10, the reciprocal rank of the
first relevant one within 10, and nDCG@10 (Järvelin and Kekäläinen, TOIS 2002). A question that got no
answer counts as 0 and never vanishes.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from memweir.errors import MissingExtra
from memweir.evaluation.runner import Asked

__all__ = [
    "METRICS",
    "PATH_METRICS",
    "SHOWN_TO",
    "answered",
    "auroc",
    "check_installed",
    "gate",
    "gate_flags",
    "latency",
    "mean",
    "paths",
    "per_question",
    "percentile",
    "ranking_metrics",
]

METRICS: Final = ("hit@1", "hit@5", "hit@6", "recall@10", "mrr@10", "ndcg@10")
PATH_METRICS: Final = METRICS
"""Figures of a single path and of a category."""
SHOWN_TO: Final = 6
"""Candidates that a block has room for by default: what is ranked in them and lost, the gate lost."""

_PACKAGES: Final = {"ir-measures": "ir_measures", "scikit-learn": "sklearn.metrics"}
_DEPTH: Final = 10  # no figure looks further down a ranking


def check_installed() -> None:
    """Fail before the work rather than after it.

    Raises:
        MissingExtra: a package of the extra `eval` is not installed.
    """
    for package, module in _PACKAGES.items():
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise MissingExtra("eval", package) from error


def per_question(
    rankings: Iterable[tuple[Sequence[str], Sequence[str]]],
) -> list[dict[str, float]]:
    """Every figure of `METRICS` for every question.

    Args:
        rankings: (ids as ranked, relevant ids) of answerable questions; ids of one ranking are unique.

    Returns:
        One mapping a question, in the order given.

    Raises:
        MissingExtra: ir_measures is not installed.
    """
    try:
        from ir_measures import RR, R, Success, evaluator, nDCG
    except ImportError as error:
        raise MissingExtra("eval", "ir-measures") from error
    names = dict(
        zip(
            (Success @ 1, Success @ 5, Success @ 6, R @ 10, RR @ 10, nDCG @ 10),
            METRICS,
            strict=True,
        )
    )
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for number, (ranked, relevant) in enumerate(rankings):
        # ir_measures breaks ties by id, so the score is made of the rank; and it is given numbers for
        # ids, so that no character in one can matter to it.
        number_of = {each: str(index) for index, each in enumerate(dict.fromkeys([*ranked, *relevant]))}
        qrels[str(number)] = {number_of[each]: 1 for each in relevant}
        run[str(number)] = {
            number_of[each]: float(_DEPTH - rank) for rank, each in enumerate(ranked[:_DEPTH])
        }
    answers: list[dict[str, float]] = [{} for _ in qrels]
    if not answers:
        return answers
    for metric in evaluator(list(names), qrels).iter_calc(run):
        answers[int(metric.query_id)][names[metric.measure]] = float(metric.value)
    return [{name: each[name] for name in METRICS} for each in answers]


def mean(rows: Sequence[Mapping[str, float]], names: Iterable[str]) -> dict[str, float | None]:
    """The mean of each figure over the questions; None of each where there are none."""
    return {name: math.fsum(row[name] for row in rows) / len(rows) if rows else None for name in names}


def ranking_metrics(asked: Sequence[Asked]) -> list[dict[str, float]]:
    """`per_question` of the fused and reranked lists of the answerable questions, in their order."""
    return per_question(
        ([each for each, _ in one.ranked], one.question.relevant) for one in _answerable(asked)
    )


def auroc(asked: Sequence[Asked]) -> float | None:
    """How well the best score of the ranked list tells answerable questions from unanswerable ones.

    Returns:
        The chance that an answerable question has the greater one of the two, ties counting half:
        1 is perfect, 0.5 chance; None where the set has no question of one sort.

    Raises:
        MissingExtra: scikit-learn is not installed.
    """
    labels = [int(each.question.answerable) for each in asked]
    if len(set(labels)) < 2:
        return None
    try:
        from sklearn.metrics import roc_auc_score
    except ImportError as error:
        raise MissingExtra("eval", "scikit-learn") from error
    return float(roc_auc_score(labels, [each.best_score for each in asked]))


def paths(asked: Sequence[Asked]) -> dict[str, list[dict[str, float]]]:
    """Per path `per_question` of its own rankings over the answerable questions."""
    answerable = _answerable(asked)
    names = dict.fromkeys(path for each in asked for path in each.paths)
    return {
        path: per_question((each.paths.get(path, ()), each.question.relevant) for each in answerable)
        for path in names
    }


def answered(asked: Sequence[Asked], path: str) -> float | None:
    """The share of all questions for which the path found anything at all."""
    return _share(bool(each.paths.get(path)) for each in asked)


def gate(asked: Sequence[Asked], offtopic: Sequence[bool]) -> dict[str, float | None]:
    """What reaches the block, each a share, None where there is no such question.

    Returns:
        `answerable_kept`: answerable questions whose block holds a relevant memory;
        `unanswerable_used`: unanswerable ones with a memory injected as "use";
        `offtopic_injected`: off-topic ones with anything injected;
        `kept_of_top6`: of the answerable ones with a relevant memory among the first six as ranked,
        those whose block holds a relevant one;
        `injected`: all questions with anything injected.
    """
    return {
        "answerable_kept": _share(_kept(each) for each in _answerable(asked)),
        "unanswerable_used": _share(bool(each.used) for each in asked if not each.question.answerable),
        "offtopic_injected": _share(offtopic),
        "kept_of_top6": _share(_kept(each) for each in _answerable(asked) if _found(each)),
        "injected": _share(each.injected for each in asked),
    }


def gate_flags(asked: Sequence[Asked]) -> dict[str, list[float | None]]:
    """Figures of `gate` about the set's questions, by question; None: not about this one."""
    return {
        "answerable_kept": [float(_kept(each)) if each.question.answerable else None for each in asked],
        "unanswerable_used": [
            None if each.question.answerable else float(bool(each.used)) for each in asked
        ],
        "kept_of_top6": [float(_kept(each)) if _found(each) else None for each in asked],
        "injected": [float(each.injected) for each in asked],
    }


def latency(asked: Sequence[Asked]) -> dict[str, float | None]:
    """Median and 95th percentile of the calls, in milliseconds."""
    times = [each.latency_ms for each in asked]
    return {"p50": percentile(times, 0.50), "p95": percentile(times, 0.95)}


def percentile(values: Sequence[float], share: float) -> float | None:
    """The value below which `share` of the values lie, interpolated linearly; None of nothing."""
    if not values:
        return None
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def _answerable(asked: Sequence[Asked]) -> list[Asked]:
    return [each for each in asked if each.question.answerable]


def _kept(asked: Asked) -> bool:
    return not set(asked.question.relevant).isdisjoint(asked.block)


def _found(asked: Asked) -> bool:
    first = [each for each, _ in asked.ranked[:SHOWN_TO]]
    return not set(asked.question.relevant).isdisjoint(first)


def _share(flags: Iterable[bool]) -> float | None:
    several = list(flags)
    return sum(several) / len(several) if several else None
