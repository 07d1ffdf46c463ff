"""What is each figure's value for each question? One table a run, from which all else is computed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from memweir.evaluation import metrics
from memweir.evaluation.bootstrap import Resampling
from memweir.evaluation.runner import Asked, SetRun
from memweir.evaluation.significance import SEED

__all__ = ["OFFTOPIC", "Figures", "control_figure", "mean_of", "resampling_of"]

OFFTOPIC = "offtopic_injected"

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Figures:
    """The values of one run.

    Attributes:
        name: of the set.
        scopes, categories: of each of the n questions.
        ranking, gate: figure → (n,), nan where the question does not count in it.
        paths: path → figure → (n,).
        aside: figure → one value for each text that is no question of the set: off-topic, controls.
    """

    name: str
    scopes: tuple[str, ...]
    categories: tuple[str, ...]
    ranking: Mapping[str, _Floats]
    gate: Mapping[str, _Floats]
    paths: Mapping[str, Mapping[str, _Floats]]
    aside: Mapping[str, _Floats]

    @classmethod
    def of(cls, run: SetRun, *, paths: bool = True) -> Figures:
        """Args: paths: compute the single paths' figures too."""
        asked = run.asked
        by_path = metrics.paths(asked) if paths else {}
        flags = metrics.gate_flags(asked)
        return cls(
            name=run.name,
            scopes=tuple(each.question.scope for each in asked),
            categories=tuple(each.question.category for each in asked),
            ranking=_spread(asked, metrics.ranking_metrics(asked)),
            gate={name: np.array(values, dtype=np.float64) for name, values in flags.items()},
            paths={path: _spread(asked, rows) for path, rows in by_path.items()},
            aside={
                OFFTOPIC: np.array(run.offtopic, dtype=np.float64),
                **{
                    control_figure(each.control.name): np.array(each.injected, dtype=np.float64)
                    for each in run.controls
                    if not each.control.crossed
                },
            },
        )

    def resampling(self) -> Resampling:
        """Of the questions; the same object for the same set and questions."""
        return resampling_of(self.name, self.scopes)

    def of_category(self, category: str) -> NDArray[np.bool_]:
        """(n,) whether a question is of the category."""
        return np.array([each == category for each in self.categories], dtype=np.bool_)


def control_figure(control: str) -> str:
    """The name of the figure for a control's texts that drew anything."""
    return f"{control}_injected"


def mean_of(values: _Floats) -> float | None:
    """Over the questions that count, None where none does."""
    counted = values[~np.isnan(values)]
    return float(counted.mean()) if counted.size else None


@lru_cache(maxsize=8)
def resampling_of(name: str, scopes: tuple[str, ...]) -> Resampling:
    """Each set has draws of its own, so that figures of two sets vary independently."""
    digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).digest()
    return Resampling(scopes, seed=SEED + int.from_bytes(digest[:6], "big"))


def _spread(asked: Sequence[Asked], rows: Sequence[Mapping[str, float]]) -> dict[str, _Floats]:
    """The answerable questions' figures at the places of their questions, nan at all others."""
    places = [place for place, each in enumerate(asked) if each.question.answerable]
    spread = {}
    for name in metrics.METRICS:
        values = np.full(len(asked), np.nan)
        values[places] = [row[name] for row in rows]
        spread[name] = values
    return spread
