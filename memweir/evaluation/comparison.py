"""Is one run better than another on the same questions, and by how much?

Every figure is compared question by question: the difference of the means, its bootstrap interval, and
p of the paired randomisation test, raw and corrected by Holm's procedure over all sets and
configurations that are compared in that figure. Figures are not corrected for one another: look at the
one you chose before looking.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memweir.errors import InputError
from memweir.evaluation.bootstrap import Resampling, percentile_interval
from memweir.evaluation.figures import Figures, mean_of, resampling_of
from memweir.evaluation.rounding import difference, rounded, rounded_interval
from memweir.evaluation.significance import holm, randomisation_p

__all__ = ["Pair", "compare_all", "compare_over_sets"]

_Floats = NDArray[np.float64]
_Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs of the same questions.

    Raises:
        InputError: they are not.
    """

    baseline: Figures
    other: Figures

    def __post_init__(self) -> None:
        one, two = self.baseline, self.other
        if (one.scopes, one.categories) != (two.scopes, two.categories):
            raise InputError(f"the runs of {one.name} to be compared are not about the same questions")

    def columns(self) -> Iterator[tuple[str, str, _Floats, _Floats, Resampling]]:
        """(section, figure, baseline's values, the other's, draws); nan where not both count."""
        for section in ("ranking", "gate", "aside"):
            first: Mapping[str, _Floats] = getattr(self.baseline, section)
            second: Mapping[str, _Floats] = getattr(self.other, section)
            for name in first:
                if name not in second or first[name].shape != second[name].shape:
                    continue
                either = np.isnan(first[name]) | np.isnan(second[name])
                before, after = (np.where(either, np.nan, each[name]) for each in (first, second))
                draws = (
                    resampling_of(self.baseline.name, ("",) * before.size)
                    if section == "aside"
                    else self.baseline.resampling()
                )
                yield "metrics" if section == "ranking" else "gate", name, before, after, draws


def compare_all(pairs: Sequence[Pair]) -> list[dict[str, _Entry]]:
    """Every pair by itself.

    Returns:
        For each pair `metrics` and `gate`: figure → `baseline` and `config` (the means over questions
        that count in both runs), `difference` (config minus baseline), `interval` of the difference,
        `p`, and `p_holm`, corrected over the pairs.
    """
    entries: list[dict[str, _Entry]] = []
    for pair in pairs:
        entry: dict[str, _Entry] = {"metrics": {}, "gate": {}}
        for section, name, before, after, draws in pair.columns():
            counted = ~np.isnan(before)
            entry[section][name] = _compared(
                mean_of(before),
                mean_of(after),
                draws.mean(after - before),
                randomisation_p(before[counted], after[counted]) if counted.any() else None,
            )
        entries.append(entry)
    _correct(entries)
    return entries


def compare_over_sets(groups: Sequence[Sequence[Pair]]) -> list[dict[str, _Entry]]:
    """The mean over the sets of each group, every set counting the same whatever its size.

    The randomisation test flips the sign of each question's contribution to that mean; `p_holm` is
    corrected over the groups.

    Args:
        groups: one a configuration: its pairs, one a set.
    """
    entries = []
    for pairs in groups:
        columns: dict[tuple[str, str], list[tuple[_Floats, _Floats, _Floats]]] = {}
        for pair in pairs:
            for section, name, before, after, draws in pair.columns():
                counted = ~np.isnan(before)
                if counted.any():
                    columns.setdefault((section, name), []).append(
                        (before[counted], after[counted], draws.means(after - before))
                    )
        entry: dict[str, _Entry] = {"metrics": {}, "gate": {}}
        for (section, name), several in columns.items():
            shares = [(after - before) / (before.size * len(several)) for before, after, _ in several]
            together = np.concatenate(shares)
            entry[section][name] = _compared(
                float(np.mean([before.mean() for before, _, _ in several])),
                float(np.mean([after.mean() for _, after, _ in several])),
                percentile_interval(np.mean([means for _, _, means in several], axis=0)),
                randomisation_p(np.zeros(together.size), together),
            )
            entry[section][name]["sets"] = len(several)
        entries.append(entry)
    _correct(entries)
    return entries


def _compared(
    before: float | None,
    after: float | None,
    interval: tuple[float, float] | None,
    p_value: float | None,
) -> _Entry:
    return {
        "baseline": rounded(before),
        "config": rounded(after),
        "difference": difference(after, before),
        "interval": rounded_interval(interval),
        "p": p_value,  # rounded after it was corrected
        "p_holm": None,
    }


def _correct(entries: Sequence[dict[str, _Entry]]) -> None:
    """Fill in `p_holm`: over all entries, figure by figure."""
    for section in ("metrics", "gate"):
        for name in dict.fromkeys(each for entry in entries for each in entry[section]):
            mine = [entry[section][name] for entry in entries if name in entry[section]]
            tested = {str(place): one["p"] for place, one in enumerate(mine) if one["p"] is not None}
            for place, corrected in holm(tested).items():
                mine[int(place)]["p_holm"] = rounded(corrected)
            for one in mine:
                one["p"] = rounded(one["p"])
