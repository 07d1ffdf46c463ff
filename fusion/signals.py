"""What is a raw signal worth? Any number to [0, 1], and age in days to freshness."""

from __future__ import annotations

import math

from memweir.errors import ConfigError

__all__ = ["recency", "unit"]


def unit(value: float) -> float:
    """Clamp into [0, 1]. NaN counts as 0: an unknown signal never argues for a memory."""
    if value >= 1.0:
        return 1.0
    return value if value > 0.0 else 0.0


def recency(age_days: float, *, half_life_days: float) -> float:
    """Halve the signal every `half_life_days`.

    Args:
        age_days: `now` minus event time; below 0 counts as 0 (a future date is not a fault), NaN as
            infinitely old (an unknown age is not fresh).
        half_life_days: age at which the signal is 0.5; above 0 and finite.

    Returns:
        1.0 at age 0, 0.5 at one half-life, towards 0 with age.

    Raises:
        ConfigError: `half_life_days` is not a finite number above 0.
    """
    if not 0.0 < half_life_days < math.inf:
        raise ConfigError("half_life_days", half_life_days, "must be a finite number above 0")
    if math.isnan(age_days):
        return 0.0
    return float(0.5 ** (max(age_days, 0.0) / half_life_days))
