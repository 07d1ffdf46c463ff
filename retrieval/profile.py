"""What of a query is looked for in a memory, term by term, and what kind of answer is it after?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memweir.retrieval.clauses import asks, asks_how_many, asks_when, clauses, last_question
from memweir.retrieval.embedding import SMALLEST_COLLECTION
from memweir.retrieval.spelling import SHORTEST
from memweir.retrieval.synonyms import TOKEN_MARK
from memweir.retrieval.timeline import framing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memweir.retrieval.analysis import Analyzer
    from memweir.retrieval.types import Query

__all__ = ["Profile", "Told", "is_word"]

_SHORT_TURN, _LONG_TURN = 8, 38  # words: up to the first a turn is short, from the second on long


@dataclass(frozen=True, slots=True)
class Told:
    """The terms of a query, weighed.

    Attributes:
        terms: distinct, synonym tokens left out: of the question and its sentences.
        weights: (m,) idf of each.
        question: (k,) places of the question's own terms.
        sentences: (places, asks something, share of the heaviest sentence's weight) of each sentence.
        alternatives: term → the synonym token that says the same.
        subject: (k,) places of the question's terms without what only frames it ("tell me about").
        known: share of the weight of the question's own terms that some memory holds.
        rare: idf of a term that one memory holds.
        unknown: Latin words that no memory holds: slips of another word, perhaps.
    """

    terms: tuple[str, ...]
    weights: NDArray[np.float64]
    question: NDArray[np.int64]
    subject: NDArray[np.int64]
    sentences: tuple[tuple[NDArray[np.int64], bool, float], ...]
    alternatives: Mapping[str, str]
    known: float
    rare: float
    unknown: frozenset[str]

    def rarity(self) -> dict[str, float]:
        """Term → root of its idf as a share of the greatest, in [0, 1]."""
        greatest = float(self.weights.max(initial=0.0))
        if greatest <= 0.0:
            return {}
        shares = (self.weights / greatest) ** 0.5
        return dict(zip(self.terms, shares.tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class Profile:
    """What of a query does not depend on any memory.

    Attributes:
        told: its terms.
        normal: folded text; `text`: as it was written.
        length: 0 for a short turn, 1 for a long one.
        only_time: it asks what there is in a stretch of time and names no subject.
        when, number: a date, a number would answer it.
        now_ms: when it is asked.
    """

    told: Told
    normal: str
    text: str
    length: float
    only_time: bool
    when: bool
    number: bool
    now_ms: int

    @classmethod
    def of(
        cls,
        query: Query,
        text: str,
        terms: Sequence[str],
        analyzer: Analyzer,
        statistics: tuple[int, Mapping[str, int]],
        now_ms: int,
    ) -> Profile:
        """Args: text: without relative dates; terms: of `query_terms`; statistics: documents and df."""
        documents, df = statistics
        asked = last_question(text)
        return cls(
            told=_told(query, text, terms, analyzer, documents, df),
            normal=query.analysis.normal,
            text=query.text,
            length=_ramp(len(set(query.analysis.words)), _SHORT_TURN, _LONG_TURN),
            only_time=query.only_time,
            when=asks_when(asked),
            number=asks_how_many(asked),
            now_ms=now_ms,
        )

    @staticmethod
    def wanted(query: Query, text: str, terms: Sequence[str], analyzer: Analyzer) -> list[str]:
        """Every term whose frequency `of` needs."""
        found = dict.fromkeys(terms)
        for sentence in clauses(text):
            found |= dict.fromkeys(analyzer.analyse(sentence).content)
        return list(found)


def _ramp(value: float, low: float, high: float) -> float:
    return min(max((value - low) / (high - low), 0.0), 1.0)


def _told(
    query: Query,
    text: str,
    terms: Sequence[str],
    analyzer: Analyzer,
    documents: int,
    df: Mapping[str, int],
) -> Told:
    import numpy as np

    collection = max(documents, SMALLEST_COLLECTION)

    def idf(term: str) -> float:
        held = min(df.get(term, 0), documents)
        return math.log1p((collection - held + 0.5) / (held + 0.5))

    own = [term for term in dict.fromkeys(terms) if term[0] != TOKEN_MARK]
    said = [
        (own_terms, asks(part))
        for part in clauses(text)
        if not query.silent and (own_terms := _plain(analyzer.analyse(part).content))
    ] or [(own, True)]
    places = {
        term: place
        for place, term in enumerate(
            dict.fromkeys([*own, *(each for part, _ in said for each in part)])
        )
    }
    weights = np.array([idf(term) for term in places], np.float64)
    sizes = [math.fsum(weights[places[term]] for term in part) for part, _ in said]
    heaviest = max(sizes, default=0.0)
    frame = framing(analyzer)
    return Told(
        terms=tuple(places),
        weights=weights,
        question=np.array([places[term] for term in own], np.int64),
        subject=np.array([places[term] for term in own if term not in frame], np.int64),
        sentences=tuple(
            (
                np.array([places[term] for term in part], np.int64),
                asking,
                min(1.0, 2.0 * size / heaviest) if heaviest > 0.0 else 1.0,
            )
            for (part, asking), size in zip(said, sizes, strict=True)
        ),
        alternatives=query.alternatives,
        known=_share(own, {term: idf(term) for term in own}, df),
        rare=math.log1p((collection - 0.5) / 1.5),
        unknown=frozenset(term for term in own if not df.get(term) and is_word(term)),
    )


def _share(terms: Sequence[str], weights: Mapping[str, float], df: Mapping[str, int]) -> float:
    total = math.fsum(weights.values())
    if total <= 0.0:
        return 0.0
    return math.fsum(weights[term] for term in terms if df.get(term)) / total


def _plain(terms: Iterable[str]) -> list[str]:
    return [term for term in dict.fromkeys(terms) if term[0] != TOKEN_MARK]


def is_word(term: str) -> bool:
    """Whether a term is a Latin word long enough to be slipped."""
    return len(term) >= SHORTEST and term.isascii() and term.isalpha()
