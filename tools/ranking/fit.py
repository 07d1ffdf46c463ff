"""Which weights order candidates best, and what probability does a score stand for?

    python -m tools.ranking.fit features.pkl small.pkl --out ../../retrieval/data/relevance.json

Weights are fitted on half of the scopes (half of the questions where a set has one scope) and reported
on both halves; every set counts alike, however many questions it has. The order: a conditional logit
over the candidates of a question, in its two forms, "some relevant one comes first" and "every relevant
one comes before the others", with a ridge. A question of a wrong premise ("what did Ada buy", when it
was Grace) takes part with the memory it was made from: that is the one to see, and to verify. The
probability: scikit-learn's logistic regression over `relevance.CALIBRATION` of the best candidates, own
and foreign questions together. All weights but those of long turns are held at 0 or above, so that more
evidence never counts against a memory.
"""

from __future__ import annotations

import argparse
import json
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from memweir.retrieval.features import FEATURES
from memweir.retrieval.relevance import CALIBRATION, TURN, RelevanceModel
from tools.ranking.rows import SMALL

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tools.ranking.rows import Row

__all__ = ["fit_order", "fit_probability", "fit_turn", "main"]

_RIDGE: Final = 0.1
_EVERY: Final = 0.25  # share of the second form of the loss
_MOST: Final = 400  # questions of a set
_SIX: Final = 6
_BEST: Final = 8  # candidates of a question that the probability is fitted on
_WEIGHT: Final = 100.0  # of a set, against the ridge
_SMALL: Final = 0.3  # what a set in small stores counts beside one as it is
_SHARE: Final = {"answerable": 1.0, "trap": 1.0, "foreign": 0.1}  # of the sorts of question
_ABSOLUTE: Final = ("mass", "known", "few", "misnamed", "unknown_name")  # they say how much, not which
_SETS: Final = 0.1  # how far an intercept of each set may go: it stands in for what sets differ in


def fit_order(rows: Sequence[Row]) -> dict[str, float]:
    """Feature → weight. Those of long turns may fall below 0; those of `_ABSOLUTE` stay at 0."""
    from scipy.optimize import minimize

    chosen = [row for row in rows if row.own and row.about.any()]
    by_set: dict[str, list[Row]] = {}
    for row in chosen:
        by_set.setdefault(row.set, []).append(row)
    kept: list[Row] = []
    weights: list[float] = []
    for group in by_set.values():
        taken = group[:: max(1, len(group) // _MOST)]
        kept += taken
        weights += [_WEIGHT / len(taken)] * len(taken)
    matrix = np.concatenate([row.matrix for row in kept]).astype(np.float64)
    labels = np.concatenate([row.about for row in kept])
    sizes = np.array([len(row.about) for row in kept])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    owner = np.repeat(np.arange(len(kept)), sizes)
    weight = np.array(weights)
    relevant = np.maximum(np.add.reduceat(labels.astype(float), starts), 1.0)
    spread = matrix.std(axis=0) + 1e-9
    scaled = matrix / spread

    def loss(beta: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        score = scaled @ beta
        top = np.maximum.reduceat(score, starts)
        e = np.exp(score - top[owner])
        both = np.add.reduceat(e, starts)
        good = np.add.reduceat(e * labels, starts)
        some = (weight * (np.log(both) - np.log(good + 1e-12))).sum()
        grad = (e / both[owner] - e * labels / (good[owner] + 1e-12)) * weight[owner]
        bad = both - good
        each = (weight / relevant)[owner]
        beside = e + bad[owner]
        every = (labels * each * (np.log(beside) - np.log(e + 1e-300))).sum()
        inverse = np.add.reduceat(np.where(labels, 1.0 / beside, 0.0), starts)
        grad_every = np.where(labels, each * (e / beside - 1.0), each * e * inverse[owner])
        total = (1.0 - _EVERY) * some + _EVERY * every + _RIDGE * float(beta @ beta)
        slope = scaled.T @ ((1.0 - _EVERY) * grad + _EVERY * grad_every) + 2.0 * _RIDGE * beta
        return float(total), slope

    bounds = [
        (None if name.startswith("long_") else 0.0, 0.0 if name in _ABSOLUTE else None)
        for name in FEATURES
    ]
    found = minimize(
        loss,
        np.zeros(len(FEATURES)),
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"maxiter": 500},
    )
    values = found.x / spread
    return {
        name: float(f"{value:.4g}")
        for name, value in zip(FEATURES, values, strict=True)
        if abs(value) >= 5e-3
    }


def _sort(row: Row) -> str:
    return "foreign" if not row.own else "answerable" if row.answerable else "trap"


def fit_misnamed(rows: Sequence[Row], model: RelevanceModel) -> float:
    """Weight of `misnamed` beside the score: what tells questions of a wrong premise from others."""
    from sklearn.linear_model import LogisticRegression

    premises = {row.set for row in rows if row.own and not row.answerable}
    figures, labels, sets = [], [], []
    for row in rows:
        if row.own and row.set in premises and len(row.labels):
            matrix = row.matrix.astype(np.float64)
            named = float(matrix[0, FEATURES.index("misnamed")])
            figures.append((float(model.scores(matrix).max()), named))
            labels.append(row.answerable)
            sets.append(row.set)
    if len(set(labels)) < 2:
        return 0.0
    x, weight = np.array(figures), np.array([1.0 / sets.count(each) for each in sets])
    spread = x.std(axis=0) + 1e-9
    fitted = LogisticRegression().fit(x / spread, labels, sample_weight=weight * len(x) / weight.sum())
    of_score, of_name = fitted.coef_[0] / spread
    return max(float(f"{of_name / max(of_score, 1e-9):.4g}"), 0.0)


def fit_probability(rows: Sequence[Row], model: RelevanceModel) -> tuple[dict[str, float], float]:
    """(figure → weight, intercept) of the logit that a candidate answers."""
    by_set: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if len(row.labels):
            by_set.setdefault((row.set, _sort(row)), []).append(row)
    blocks, labels, weights, sets = [], [], [], []
    for (name, _), group in by_set.items():
        taken = group[:: max(1, len(group) // _MOST)]
        for row in taken:
            matrix = row.matrix.astype(np.float64)
            scores = model.scores(matrix)
            best = np.argsort(-scores, kind="stable")[:_BEST]
            blocks.append(model.figures(matrix, scores)[best])
            labels.append(row.labels[best])
            share = _SHARE[_sort(row)] * (_SMALL if name.startswith(SMALL) else 1.0)
            weights.append(np.full(best.size, share / len(taken)))
            sets += [name] * best.size
    x, y, w = np.concatenate(blocks), np.concatenate(labels), np.concatenate(weights)
    return _logistic(x, y.astype(bool), w, CALIBRATION, sets)


def fit_turn(rows: Sequence[Row], model: RelevanceModel) -> tuple[dict[str, float], float]:
    """(figure → weight, intercept) of the logit that one of the best six answers the turn."""
    by_set: dict[tuple[str, bool], list[Row]] = {}
    for row in rows:
        scores = model.scores(row.matrix.astype(np.float64))
        best = np.argsort(-scores, kind="stable")[:_SIX]
        if scores.size and (not row.own or row.labels[best].any()):
            by_set.setdefault((row.set, row.own), []).append(row)
    figures, labels, weights = [], [], []
    for (name, own), group in by_set.items():
        for row in group:
            matrix = row.matrix.astype(np.float64)
            figures.append(model.turn_figures(matrix, model.scores(matrix)))
            labels.append(own)
            weights.append((_SMALL if name.startswith(SMALL) else 1.0) / len(group))
    return _logistic(np.stack(figures), np.array(labels), np.array(weights), TURN)


def _logistic(
    x: NDArray[np.float64],
    y: NDArray[np.bool_],
    w: NDArray[np.float64],
    names: Sequence[str],
    sets: Sequence[str] = (),
) -> tuple[dict[str, float], float]:
    """Weights of a logit by name, and its intercept; a figure of a weight below 0 is left out.

    Args:
        sets: of each row: each set may have a small intercept of its own, so that what tells sets apart
            is not taken for what tells right from wrong. They are dropped afterwards.
    """
    from sklearn.linear_model import LogisticRegression

    own = np.array([[_SETS * (each == one) for one in sorted(set(sets))] for each in sets])
    own = own.reshape(len(x), -1)
    used = list(range(len(names)))
    while True:
        spread = x[:, used].std(axis=0) + 1e-9
        fitted = LogisticRegression(C=1.0, max_iter=3000)
        scaled = np.concatenate([x[:, used] / spread, own], axis=1)
        fitted.fit(scaled, y, sample_weight=w * len(w) / w.sum())
        found = fitted.coef_[0][: len(used)]
        values = found / spread
        if (values >= 0).all():
            break
        del used[int(np.argmin(found))]
    table = {names[at]: float(f"{v:.4g}") for at, v in zip(used, values, strict=True)}
    return table, float(f"{fitted.intercept_[0]:.4g}")


def _model(weights: Mapping[str, float], rows: Sequence[Row]) -> RelevanceModel:
    """With the scale on which the scores order, so wide that hardly any lies beyond it."""
    plain = {**weights, "misnamed": 0.0}
    own = _scores(RelevanceModel(1, plain, {}, 0.0, {}, 0.0, 0.0, 1.0, 0.0), rows)
    all_scores = _scores(RelevanceModel(1, weights, {}, 0.0, {}, 0.0, 0.0, 1.0, 0.0), rows)
    low, high = np.percentile(all_scores, [0.5, 99.5])
    absent = float(np.percentile(own, 2))
    low, high = (round(float(each), 2) for each in (low, high + 0.3 * (high - low)))
    return RelevanceModel(1, weights, {}, 0.0, {}, 0.0, low, high, round(absent, 2))


def _scores(model: RelevanceModel, rows: Sequence[Row]) -> NDArray[np.float64]:
    found = [model.scores(row.matrix.astype(np.float64)) for row in rows if len(row.labels)]
    return np.concatenate(found)


def report(rows: Sequence[Row], model: RelevanceModel, which: int | None) -> str:
    """hit@1 / hit@5 / MRR@10 and the AUROC of the best probability, a line a set."""
    from sklearn.metrics import roc_auc_score

    lines = []
    for name in dict.fromkeys(row.set for row in rows):
        ranks: list[float] = []
        recall: list[float] = []
        answerable: list[float] = []
        not_answerable: list[float] = []
        for row in rows:
            if row.set != name or not row.own or (which is not None and row.half != which):
                continue
            matrix = row.matrix.astype(np.float64)
            scores = model.scores(matrix)
            top = float(scores.max(initial=-99.0))
            if not row.answerable:
                not_answerable.append(top)
                continue
            answerable.append(top)
            if not row.labels.any():
                ranks.append(np.inf)
                recall.append(0.0)
                continue
            order = np.argsort(-scores, kind="stable")
            ranks.append(float(np.flatnonzero(row.labels[order])[0]))
            recall.append(row.labels[order][:10].sum() / row.relevant)
        if not ranks:
            continue
        rank = np.array(ranks)
        line = f"{name:20} {100 * (rank < 1).mean():5.1f} {100 * (rank < 5).mean():5.1f}"
        line += f" mrr {100 * np.where(rank < 10, 1 / (rank + 1), 0).mean():5.1f}"
        line += f" R@10 {100 * np.mean(recall):5.1f}"
        if not_answerable:
            truth = [1] * len(answerable) + [0] * len(not_answerable)
            line += f" auroc {100 * roc_auc_score(truth, answerable + not_answerable):.1f}"
        lines.append(line)
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("features", nargs="+", type=Path, help="files of `collect`")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args(arguments)
    rows: list[Row] = [row for file in given.features for row in pickle.loads(file.read_bytes())]
    ours = [row for row in rows if row.half == 0]
    full = [row for row in ours if not row.set.startswith(SMALL)]
    weights = fit_order(full)
    weights["misnamed"] = fit_misnamed(full, _model(weights, full))
    model = _model(weights, full)
    calibration, intercept = fit_probability(ours, model)
    fitted = replace(model, calibration=calibration, intercept=intercept)
    turn, turn_intercept = fit_turn(ours, fitted)
    print("fitted half\n" + report(rows, model, 0))
    print("other half\n" + report(rows, model, 1))
    print("both\n" + report(rows, model, None))
    table = {
        "version": 1,
        "weights": dict(model.weights),
        "calibration": calibration,
        "intercept": intercept,
        "turn": turn,
        "turn_intercept": turn_intercept,
        "low": model.low,
        "high": model.high,
        "absent": model.absent,
    }
    text = json.dumps(table, indent=1) + "\n"
    print(text)
    if given.out:
        given.out.write_text(text)


if __name__ == "__main__":
    main()
