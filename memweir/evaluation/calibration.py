"""Does a probability mean what it says, and what does refusing the doubtful ones buy?

A case is a probability and a label: a candidate was said to answer the question with probability p, and
it does (1) or does not (0). Every measure takes weights, so that a bootstrap resamples by weighing and
never copies: `weights` is None (every case once) or (..., n), and the result has the shape (...).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from memweir.errors import InputError

__all__ = [
    "BINS",
    "Bin",
    "area_under_risk_coverage",
    "auroc",
    "brier_score",
    "equal_mass_bins",
    "expected_calibration_error",
    "reliability",
    "risk_coverage",
]

BINS: Final = 10

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bin:
    """Cases of about the same probability.

    Attributes:
        count: cases in it.
        confidence: their mean probability.
        accuracy: the share of them with label 1.
    """

    count: int
    confidence: float
    accuracy: float


def equal_mass_bins(probabilities: ArrayLike, *, bins: int = BINS) -> NDArray[np.intp]:
    """Bin of every case, 0 for the smallest probabilities, about equally many cases in each.

    Equal probabilities are never split, so there may be fewer bins and larger ones.

    Args:
        probabilities: (n,).
        bins: at most so many.

    Returns:
        (n,) whole numbers from 0 without gaps.
    """
    p = np.asarray(probabilities, dtype=np.float64)
    _check_probabilities(p)
    first_of_ties = np.searchsorted(np.sort(p), p, side="left")
    coarse = first_of_ties * bins // max(p.size, 1)
    return np.unique(coarse, return_inverse=True)[1].astype(np.intp)


def reliability(probabilities: ArrayLike, labels: ArrayLike, *, bins: int = BINS) -> list[Bin]:
    """The reliability diagram over `equal_mass_bins` (Nguyen and O'Connor, EMNLP 2015)."""
    p, y = _cases(probabilities, labels)
    place = equal_mass_bins(p, bins=bins)
    return [
        Bin(int(inside.sum()), float(p[inside].mean()), float(y[inside].mean()))
        for inside in (place == each for each in range(int(place.max(initial=-1)) + 1))
    ]


def expected_calibration_error(
    probabilities: ArrayLike, labels: ArrayLike, *, bins: int = BINS, weights: ArrayLike | None = None
) -> _Floats:
    """Mean distance of probability and frequency over the bins, weighted by their cases.

    Naeini, Cooper and Hauskrecht, AAAI 2015, with bins of equal mass. The bins are those of the
    unweighted cases.

    Returns:
        (...) in [0, 1], 0 is best; nan without any weight.
    """
    p, y = _cases(probabilities, labels)
    w = _weights(weights, p.size)
    place = equal_mass_bins(p, bins=bins)
    inside = np.eye(int(place.max(initial=-1)) + 1)[place]  # (n, bins)
    return _ratio(np.abs((w * (p - y)) @ inside).sum(axis=-1), w.sum(axis=-1))


def brier_score(
    probabilities: ArrayLike, labels: ArrayLike, *, weights: ArrayLike | None = None
) -> _Floats:
    """Mean squared distance of probability and label (Brier, Monthly Weather Review 1950).

    Returns:
        (...) in [0, 1], 0 is best; nan without any weight.
    """
    p, y = _cases(probabilities, labels)
    w = _weights(weights, p.size)
    return _ratio(w @ (p - y) ** 2, w.sum(axis=-1))


def risk_coverage(probabilities: ArrayLike, labels: ArrayLike) -> list[tuple[float, float]]:
    """What answering only the surest cases is worth (El-Yaniv and Wiener, JMLR 2010).

    Returns:
        (coverage, risk) for every threshold, the strictest first: the share of cases whose probability
        reaches it, and the share of label 0 among those.
    """
    p, y = _cases(probabilities, labels)
    mass, wrong = _by_threshold(p, np.ones((1, p.size)), 1 - y)
    covered, risk = np.cumsum(mass[0]), np.cumsum(wrong[0])
    return [(float(each / p.size), float(bad / each)) for each, bad in zip(covered, risk, strict=True)]


def area_under_risk_coverage(
    probabilities: ArrayLike, labels: ArrayLike, *, weights: ArrayLike | None = None
) -> _Floats:
    """The mean risk over all coverages (AURC; Geifman, Uziel and El-Yaniv, ICLR 2019).

    Cases of equal probability are answered together.

    Returns:
        (...) in [0, 1], 0 is best; nan without any weight.
    """
    p, y = _cases(probabilities, labels)
    w = _weights(weights, p.size)
    mass, wrong = _by_threshold(p, w, 1 - y)
    risk = _ratio(np.cumsum(wrong, axis=-1), np.cumsum(mass, axis=-1))
    return _ratio((mass * np.nan_to_num(risk)).sum(axis=-1), w.sum(axis=-1))


def auroc(scores: ArrayLike, labels: ArrayLike, *, weights: ArrayLike | None = None) -> _Floats:
    """The chance that a case of label 1 has a greater score than one of label 0, ties counting half.

    Args:
        scores: (n,) any finite numbers.

    Returns:
        (...) 1 is perfect, 0.5 chance; nan where there are no cases of one label.
    """
    s, y = _cases(scores, labels, probabilities=False)
    w = _weights(weights, s.size)
    mass, right = _by_threshold(s, w, y)
    wrong = mass - right
    below = wrong.sum(axis=-1, keepdims=True) - np.cumsum(wrong, axis=-1)
    pairs = right.sum(axis=-1) * wrong.sum(axis=-1)
    return _ratio((right * (below + wrong / 2)).sum(axis=-1), pairs)


def _by_threshold(scores: _Floats, weights: _Floats, flags: _Floats) -> tuple[_Floats, _Floats]:
    """Weight, and weight of the flagged, at every distinct score, the greatest first: (..., k) each."""
    if not scores.size:
        empty = np.zeros((*weights.shape[:-1], 0))
        return empty, empty
    order = np.argsort(-scores, kind="stable")
    starts = np.flatnonzero(np.diff(scores[order], prepend=np.inf))
    ordered = weights[..., order]
    return (
        np.add.reduceat(ordered, starts, axis=-1),
        np.add.reduceat(ordered * flags[order], starts, axis=-1),
    )


def _cases(
    scores: ArrayLike, labels: ArrayLike, *, probabilities: bool = True
) -> tuple[_Floats, _Floats]:
    s, y = np.asarray(scores, dtype=np.float64), np.asarray(labels, dtype=np.float64)
    if s.ndim != 1 or s.shape != y.shape:
        raise InputError(f"one label a probability is needed, got {s.shape} and {y.shape}")
    if not np.isin(y, (0.0, 1.0)).all():
        raise InputError("labels must be 0 or 1")
    if probabilities:
        _check_probabilities(s)
    elif not np.isfinite(s).all():
        raise InputError("scores must be finite")
    return s, y


def _check_probabilities(p: _Floats) -> None:
    if not ((p >= 0) & (p <= 1)).all():  # false for nan too
        raise InputError("probabilities must be between 0 and 1")


def _weights(weights: ArrayLike | None, count: int) -> _Floats:
    return np.ones(count) if weights is None else np.asarray(weights, dtype=np.float64)


def _ratio(part: ArrayLike, whole: ArrayLike) -> _Floats:
    """part / whole, nan where there is no whole."""
    divisor = np.asarray(whole, dtype=np.float64)
    result: _Floats = np.divide(part, divisor, out=np.full(divisor.shape, np.nan), where=divisor > 0)
    return result
