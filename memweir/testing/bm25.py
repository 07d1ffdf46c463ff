"""What does FTS5's bm25() compute? The same sum in plain Python, as an oracle.

Okapi BM25 (Robertson and Zaragoza, 2009) as described in section 5.1.1 of SQLite's FTS5 documentation:
k1 = 1.2, b = 0.75; the inverse document frequency is floored at 1e-6 where a phrase stands in more than
half of the rows; the frequency of a phrase is the sum of the weights of the columns it stands in; a row
is as long as its tokens over all columns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["Phrase", "bm25"]

_K1: Final = 1.2
_B: Final = 0.75
_LEAST_IDF: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Phrase:
    """One term, and the columns it is looked for in."""

    term: str
    columns: tuple[str, ...]


def bm25(
    rows: Mapping[str, Mapping[str, Sequence[str]]],
    phrases: Sequence[Phrase],
    weights: Mapping[str, float],
) -> dict[str, float]:
    """Row → score above 0, for the rows that hold a phrase.

    Args:
        rows: row → column → tokens. All rows of the index: they make its statistics.
        weights: column → weight; 1.0 where it has none.
    """
    if not rows:
        return {}
    lengths = {row: sum(map(len, columns.values())) for row, columns in rows.items()}
    average = sum(lengths.values()) / len(rows)
    idf = [_idf(len(rows), sum(_holds(row, phrase) for row in rows.values())) for phrase in phrases]
    scores: dict[str, float] = {}
    for name, row in rows.items():
        if not any(_holds(row, phrase) for phrase in phrases):
            continue
        norm = _K1 * (1 - _B + _B * lengths[name] / average)
        score = 0.0
        for phrase, rarity in zip(phrases, idf, strict=True):
            frequency = _frequency(row, phrase, weights)
            score += rarity * ((frequency * (_K1 + 1)) / (frequency + norm))
        scores[name] = score
    return scores


def _idf(rows: int, holding: int) -> float:
    value = math.log((rows - holding + 0.5) / (holding + 0.5))
    return value if value > 0 else _LEAST_IDF


def _holds(row: Mapping[str, Sequence[str]], phrase: Phrase) -> bool:
    return any(phrase.term in row.get(column, ()) for column in phrase.columns)


def _frequency(row: Mapping[str, Sequence[str]], phrase: Phrase, weights: Mapping[str, float]) -> float:
    """Added up one occurrence at a time, as FTS5 does, so that the last digit agrees too."""
    found = 0.0
    for column in phrase.columns:
        for _ in range(row.get(column, ()).count(phrase.term)):
            found += weights.get(column, 1.0)
    return found
