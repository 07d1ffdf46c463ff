"""Does a memory answer the query at all? A learned sum of features, and the probability it stands for.

Ranks cannot abstain: the best of nothing still has rank 1. Relevance is absolute instead. The features
of a candidate (`memweir.retrieval.features`) are weighed by a small table that ships as data: one
weight a feature, which orders the candidates (a conditional logit, McFadden, 1974), and one a figure
of the calibration, which turns the sum into the probability that the memory answers the turn (Platt,
1999). `tools/ranking` holds the script that fits both. What a table cannot learn, because the sets it
was fitted on do not have it, stands beside it as a reason of its own: an exact symbol, the literal
text, a stated relation, every word of the question, a window where nothing but a time was asked for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

from memweir.errors import ConfigError
from memweir.retrieval.features import FEATURES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["CALIBRATION", "FILE_NAME", "TURN", "Reasons", "RelevanceModel", "relevance"]

FILE_NAME: Final = "relevance.json"
"""The table's name in `retrieval/data/`."""

_EXTRA: Final = ("lead", "spread")
CALIBRATION: Final = (
    *_EXTRA,
    "cosine_best",
    "meaning",
    "fused",
    "mass",
    "known",
    "few",
    "question",
    "segment",
    "bridged",
    "other_speaker_match",
    "misnamed",
    "unknown_name",
    "is_question_match",
    "says_name",
    "says_preference",
    "window",
    "linked",
)
"""What the probability is made of: the lead of the score over the best other, how far it stands above
the mean of the best six, and features that say how much is accounted for at all. The score itself is
not: sets, and so stores, differ in its height, and not in its spread."""

_GREATEST: Final = (
    *("words", "question", "mass", "says_preference", "window"),
    *("few", "unknown_name"),  # the same of all
)
TURN: Final = (
    "gap",  # the best score above the sixth
    "top_soft_best",  # the best one's soft match against the best soft match
    "expected",  # how many of the best six answer: the sum of their probabilities
    *_GREATEST,  # of the best six
    "meaning",  # mean of the best six, as of the next one
    "agreement",  # of rank fusion
    "distinct",  # how far the vectors of the best six fall behind the best of all
)
"""What the probability that anything here answers the turn is made of. It looks at the best six
together: where nothing fits, they fit about equally little."""

_SIX: Final = 6
_VERSION: Final = 1
_NO_TABLE: Final = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)
_EXACT, _LITERAL, _WHOLE, _NAMED, _WINDOW, _RELATED = 0.5, 0.6, 0.3, 0.2, 0.35, 0.6
_STEEPEST: Final = 60.0  # exponents beyond are 0 or 1 at any precision


@dataclass(frozen=True, slots=True)
class Reasons:
    """What speaks for a memory beside its features; every part in [0, 1], 0 where nothing does.

    Attributes:
        exact: holds an exact symbol of the query.
        literal: holds the query as it stands.
        whole: holds every word of the question, whichever field it stands in.
        named: holds a rare Latin word of a question in Chinese; it may say the rest in English.
        window: how well it fits the days that were asked about, where nothing but these was.
        related: how strongly stated relations lead to it from what was asked about.
    """

    exact: bool = False
    literal: bool = False
    whole: bool = False
    named: bool = False
    window: float = 0.0
    related: float = 0.0


@dataclass(frozen=True, slots=True)
class RelevanceModel:
    """The table: read once, the same on every machine.

    Attributes:
        version: of the table.
        weights: feature → weight, 0 or more but for those of long turns, which correct the others.
        calibration: figure of `CALIBRATION` → weight, 0 or more.
        intercept: of the probability's logit.
        turn: figure of `TURN` → weight, 0 or more; `turn_intercept`: of its logit.
        low, high: scores that stand for a match of 0 and of 1.
        absent: the score of a poor candidate, for those that six candidates lack.
    """

    version: int
    weights: Mapping[str, float]
    calibration: Mapping[str, float]
    intercept: float
    turn: Mapping[str, float]
    turn_intercept: float
    low: float
    high: float
    absent: float

    @classmethod
    def load(cls) -> RelevanceModel:
        """The built-in table.

        Raises:
            ConfigError: it is damaged, or of another version of the features.
        """
        return _built_in()

    @classmethod
    def parse(cls, text: str, *, name: str = FILE_NAME) -> RelevanceModel:
        """A table from its JSON text.

        Raises:
            ConfigError: it is no such table.
        """
        try:
            table = json.loads(text)
            model = cls(
                version=int(table["version"]),
                weights={str(key): float(value) for key, value in table["weights"].items()},
                calibration={str(key): float(value) for key, value in table["calibration"].items()},
                intercept=float(table["intercept"]),
                turn={str(key): float(value) for key, value in table["turn"].items()},
                turn_intercept=float(table["turn_intercept"]),
                low=float(table["low"]),
                high=float(table["high"]),
                absent=float(table["absent"]),
            )
        except _NO_TABLE as error:
            raise ConfigError(name, type(error).__name__, "is no table of relevance weights") from error
        unknown = sorted(
            {*model.weights} - {*FEATURES}
            | {*model.calibration} - {*CALIBRATION}
            | {*model.turn} - {*TURN}
        )
        if unknown or model.version != _VERSION or not _is_sound(model):
            raise ConfigError(name, ", ".join(unknown), "does not fit this version's features")
        return model

    def scaled(self, factors: Mapping[str, float]) -> RelevanceModel:
        """The same with the weights of some features multiplied, in the score and the probability."""

        def times(weights: Mapping[str, float]) -> dict[str, float]:
            return {name: weight * factors.get(name, 1.0) for name, weight in weights.items()}

        return replace(
            self,
            weights=times(self.weights),
            calibration=times(self.calibration),
            turn=times(self.turn),
        )

    def scores(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n,) float64: the weighted sum of each row of a (n, len(FEATURES)) matrix."""
        total: NDArray[np.float64] = self.contributions(matrix).sum(axis=1)
        return total

    def contributions(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n, len(FEATURES)) float64: what each feature adds to each score."""
        import numpy as np

        weights = np.array([self.weights.get(name, 0.0) for name in FEATURES])
        added: NDArray[np.float64] = matrix * weights
        return added

    def matches(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n,) float64 in [0, 1]: the scores as one signal among those that order candidates."""
        import numpy as np

        scaled: NDArray[np.float64] = np.clip((scores - self.low) / (self.high - self.low), 0.0, 1.0)
        return scaled

    def figures(self, matrix: NDArray[np.float64], scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n, len(CALIBRATION)) float64: what the probability is made of."""
        import numpy as np

        order = np.argsort(-scores, kind="stable")[:_SIX]
        columns = [scores - _best_other(scores), scores - self._mean_of_six(scores[order])]
        columns += [matrix[:, FEATURES.index(name)] for name in CALIBRATION[len(_EXTRA) :]]
        return np.stack(columns, axis=1)

    def probabilities(
        self, matrix: NDArray[np.float64], scores: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """(n,) float64 in [0, 1]: how probable it is that a memory answers the turn."""
        import numpy as np

        weights = np.array([self.calibration.get(name, 0.0) for name in CALIBRATION])
        logits = (self.figures(matrix, scores) * weights).sum(axis=1) + self.intercept
        chance: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-np.clip(logits, -_STEEPEST, _STEEPEST)))
        return chance

    def turn_figures(
        self,
        matrix: NDArray[np.float64],
        scores: NDArray[np.float64],
        probabilities: NDArray[np.float64] | None = None,
    ) -> NDArray[np.float64]:
        """(len(TURN),) float64: what the chance of the turn is made of. Needs a row at least.

        Args:
            probabilities: of the rows, where they are known already.
        """
        import numpy as np

        order = np.argsort(-scores, kind="stable")[:_SIX]
        best, rows = order[0], matrix[order]

        def column(name: str) -> NDArray[np.float64]:
            values: NDArray[np.float64] = rows[:, FEATURES.index(name)]
            return values

        # Where there are fewer than six, nothing stands beside the best.
        sixth = float(scores[order[-1]]) if order.size == _SIX else self.absent
        if probabilities is None:
            probabilities = self.probabilities(matrix, scores)
        figures = {name: column(name).max() for name in _GREATEST} | {
            "gap": max(float(scores[best]) - sixth, 0.0),
            "top_soft_best": column("soft_best")[0],
            "expected": probabilities[order].sum(),
            "meaning": column("meaning").mean(),
            "agreement": column("fused").mean(),
            "distinct": 1.0 - float(column("cosine_best").sum()) / _SIX,
        }
        return np.array([figures[name] for name in TURN])

    def _mean_of_six(self, best: NDArray[np.float64]) -> float:
        """Mean of up to six scores; those that are lacking count as poor ones."""
        return (float(best.sum()) + (_SIX - best.size) * self.absent) / _SIX

    def chance(
        self,
        matrix: NDArray[np.float64],
        scores: NDArray[np.float64],
        probabilities: NDArray[np.float64] | None = None,
    ) -> float:
        """How probable it is, in [0, 1], that one of the best six answers the turn; 0 without any.

        Args:
            probabilities: of the rows, where they are known already.
        """
        import math

        if not scores.size:
            return 0.0
        figures = self.turn_figures(matrix, scores, probabilities).tolist()
        added = [self.turn.get(name, 0.0) * value for name, value in zip(TURN, figures, strict=True)]
        logit = math.fsum(added) + self.turn_intercept
        return 1.0 / (1.0 + math.exp(-min(max(logit, -_STEEPEST), _STEEPEST)))


def relevance(probability: float, reasons: Reasons) -> float:
    """One number in [0, 1], monotone in every part.

    A symbol, the literal text, a window, a relation are reasons of their own and combine with the
    probability as independent ones do (noisy-or: 1 - the product of what each leaves open).
    """
    missing = 1.0 - min(max(probability, 0.0), 1.0)
    missing *= 1.0 - _EXACT * reasons.exact
    missing *= 1.0 - _LITERAL * reasons.literal
    missing *= 1.0 - _WHOLE * reasons.whole
    missing *= 1.0 - _NAMED * reasons.named
    missing *= 1.0 - _WINDOW * min(reasons.window, 1.0)
    missing *= 1.0 - _RELATED * min(reasons.related, 1.0)
    return 1.0 - missing


def _is_sound(model: RelevanceModel) -> bool:
    """Whether every number is finite and no evidence counts against a memory."""
    import math

    weights = [*model.weights.values(), *model.calibration.values(), *model.turn.values()]
    numbers = [*weights, model.intercept, model.turn_intercept, model.low, model.high, model.absent]
    positive = all(
        weight >= 0.0
        for table in (model.weights, model.calibration, model.turn)
        for name, weight in table.items()
        if not name.startswith("long_")
    )
    return all(map(math.isfinite, numbers)) and positive and model.low < model.high


def _best_other(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each score the greatest of the others; of a single one its own less 1: it leads by little."""
    import numpy as np

    if scores.size < 2:
        return scores - 1.0
    order = np.argsort(-scores, kind="stable")
    best = np.full(scores.size, scores[order[0]])
    best[order[0]] = scores[order[1]]
    return best


@cache
def _built_in() -> RelevanceModel:
    try:
        text = (resources.files("memweir.retrieval") / "data" / FILE_NAME).read_text("utf-8")
    except (OSError, ValueError) as error:
        raise ConfigError(FILE_NAME, str(error), "cannot be read; reinstall memweir") from error
    return RelevanceModel.parse(text)
