"""What is known of one question and its candidates, between `collect.py` and `fit.py`?"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["SMALL", "Row", "half"]

SMALL = "small/"
"""What the name of a set begins with that is asked in small stores."""


@dataclass(frozen=True, slots=True)
class Row:
    """One question and its candidates.

    Attributes:
        half: 0 or 1: of the scope, of the question where the set has one scope.
        own: the set's own question, not another set's.
        answerable: whether the set holds an answer.
        relevant: how many memories answer it; those that no path found included.
        matrix: (n, features) float32, `labels`: (n,) whether each candidate answers it.
        about: (n,) whether each is what the question is about: it answers it, or it is what a question
            of a wrong premise was made from.
        ids: of the set.
    """

    set: str
    question: str
    scope: str
    category: str
    half: int
    own: bool
    answerable: bool
    relevant: int
    matrix: NDArray[np.float32]
    labels: NDArray[np.bool_]
    about: NDArray[np.bool_]
    ids: tuple[str, ...]


def half(key: str) -> int:
    """0 or 1, the same on every machine."""
    return hashlib.sha256(("split/" + key).encode()).digest()[0] % 2
