"""How far could a figure be off by the luck of which questions were asked?

The percentile bootstrap (Efron and Tibshirani, 1993). Questions of one scope are about the same
memories and rise and fall together, so scopes are drawn first and questions within the drawn ones then
(two-stage; Davison and Hinkley, 1997, section 3.8): drawing few scopes alone, and each of them whole,
would give intervals that are too narrow. In a set of one scope that is the plain bootstrap over its
questions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from memweir.evaluation.significance import SEED

__all__ = ["LEVEL", "RESAMPLES", "Interval", "Resampling", "percentile_interval"]

RESAMPLES: Final = 1000
LEVEL: Final = 0.95

Interval = tuple[float, float]
"""Lower and upper end."""

_Floats = NDArray[np.float64]


class Resampling:
    """The same draws for every figure of a set, so that figures of two runs can be subtracted.

    Attributes:
        weights: (resamples, n) how often each question was drawn.
    """

    def __init__(
        self, clusters: Sequence[str], *, resamples: int = RESAMPLES, seed: int = SEED
    ) -> None:
        """Args: clusters: the scope of each of the n questions."""
        number_of = {each: place for place, each in enumerate(dict.fromkeys(clusters))}
        member = np.array([number_of[each] for each in clusters], dtype=np.intp)
        generator = np.random.Generator(np.random.PCG64(seed))
        self.weights: _Floats = np.zeros((resamples, len(clusters)))
        if not number_of:
            return
        drawn = generator.multinomial(
            len(number_of), np.full(len(number_of), 1 / len(number_of)), size=resamples
        )
        for cluster in range(len(number_of)):
            places = np.flatnonzero(member == cluster)
            share = np.full(places.size, 1 / places.size)
            self.weights[:, places] = generator.multinomial(drawn[:, cluster] * places.size, share)

    def mean(self, values: ArrayLike) -> Interval | None:
        """Of the mean of (n,) values; a nan is a question that does not count.

        Returns:
            None where no question counts.
        """
        return percentile_interval(self.means(values))

    def means(self, values: ArrayLike) -> _Floats:
        """(resamples,) means over the questions that count; nan where none was drawn."""
        array = np.asarray(values, dtype=np.float64)
        counts = ~np.isnan(array)
        weights = self.weights[:, counts]
        total = weights.sum(axis=1)
        result: _Floats = np.divide(
            weights @ array[counts], total, out=np.full(total.shape, np.nan), where=total > 0
        )
        return result

    def of(self, statistic: Callable[[_Floats], _Floats]) -> Interval | None:
        """Of any statistic of weights, (resamples, n) → (resamples,)."""
        return percentile_interval(statistic(self.weights))


def percentile_interval(replicates: _Floats) -> Interval | None:
    """The middle 95 % of a statistic's replicates; nan is left out, None of nothing else."""
    finite = replicates[np.isfinite(replicates)]
    if not finite.size:
        return None
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(finite, (tail, 1 - tail))
    return float(low), float(high)
