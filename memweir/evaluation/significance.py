"""Is the difference between two runs of the same questions more than luck?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from memweir.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["RESAMPLES", "SEED", "holm", "randomisation_p"]

RESAMPLES: Final = 10_000
SEED: Final = 20_250_101

_EXACT: Final = 12  # up to so many differing pairs all sign patterns are tried
_CHUNK: Final = 500  # sign patterns at once: bounds memory, not the result


def randomisation_p(first: ArrayLike, second: ArrayLike, *, seed: int = SEED) -> float:
    """p of the two-sided paired randomisation test of equal means.

    Under the null hypothesis which of the two runs gave which of a pair's values is a coin's toss, so
    the signs of the differences are flipped and the mean difference is compared with the one seen
    (Fisher; for retrieval: Smucker, Allan and Carterette, CIKM 2007). All patterns are tried where at
    most 12 pairs differ, otherwise 10,000 drawn ones, the pattern seen counted among them.

    Args:
        first, second: the runs' values of the same questions in the same order.

    Returns:
        In (0, 1]; 1 where no pair differs.

    Raises:
        InputError: the runs have different numbers of questions.
    """
    import numpy as np

    before, after = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if before.shape != after.shape:
        raise InputError(
            f"a paired test needs equal numbers of values, got {before.size}, {after.size}"
        )
    differences = after - before
    differences = differences[differences != 0]
    count = differences.size
    if count == 0:
        return 1.0
    # A pattern as extreme as the one seen may differ from it in the last bits of the sum.
    seen = abs(float(differences.sum())) - 1e-9 * float(np.abs(differences).sum())
    if count <= _EXACT:
        patterns = (np.arange(2**count)[:, None] >> np.arange(count)) & 1
        return float(np.mean(np.abs((1 - 2 * patterns) @ differences) >= seen))
    generator = np.random.Generator(np.random.PCG64(seed))
    extreme = 0
    for _ in range(RESAMPLES // _CHUNK):
        signs = 1 - 2 * generator.integers(0, 2, size=(_CHUNK, count))
        extreme += int(np.count_nonzero(np.abs(signs @ differences) >= seen))
    return (extreme + 1) / (RESAMPLES + 1)


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """p values corrected for their number by Holm's step-down procedure (Scand. J. Statist. 1979).

    Returns:
        The same keys in the same order; none is smaller than before or above 1.
    """
    ordered = sorted(p_values.items(), key=lambda pair: (pair[1], pair[0]))
    corrected: dict[str, float] = {}
    floor = 0.0
    for place, (name, p_value) in enumerate(ordered):
        floor = max(floor, min(1.0, p_value * (len(ordered) - place)))
        corrected[name] = floor
    return {name: corrected[name] for name in p_values}
