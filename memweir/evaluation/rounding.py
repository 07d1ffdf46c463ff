"""How many digits does a figure of the report keep?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

__all__ = ["all_rounded", "difference", "rounded", "rounded_interval"]

_DIGITS: Final = 6


def rounded(value: float | None) -> float | None:
    """To six digits; nan, which JSON cannot say, is None."""
    return None if value is None or math.isnan(value) else round(value, _DIGITS)


def all_rounded(values: Mapping[str, float | None]) -> dict[str, float | None]:
    """`rounded` of each; whole numbers stay whole."""
    return {name: value if isinstance(value, int) else rounded(value) for name, value in values.items()}


def difference(one: float | None, other: float | None) -> float | None:
    """one - other, None where either is missing."""
    return None if one is None or other is None else rounded(one - other)


def rounded_interval(interval: tuple[float, float] | None) -> list[float] | None:
    """As a list, which JSON has."""
    return None if interval is None else [round(end, _DIGITS) for end in interval]
