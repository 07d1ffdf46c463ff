"""What of a query is looked for in a memory, term by term, and what kind of answer is it after?"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memweir.retrieval.answering import Wanted, wanted
from memweir.retrieval.clauses import asks, clauses, last_question, segments
from memweir.retrieval.dates import window_bounds_ms
from memweir.retrieval.embedding import SMALLEST_COLLECTION
from memweir.retrieval.spelling import SHORTEST
from memweir.retrieval.synonyms import TOKEN_MARK
from memweir.retrieval.timeline import framing, windows_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memweir.retrieval.analysis import Analyzer
    from memweir.retrieval.types import Query

__all__ = ["Parts", "Profile", "Told", "is_word"]

_LONGEST_WINDOW_MS = 45 * 86_400_000  # "in June" still says when something was not
_MANY = 1_000  # memories from which a store is no small one
_FEW = 3  # memories that may hold a name which points to them
_DATE_WORDS = 12  # date expressions that are looked for as they are written
_FIRST_WORD = re.compile(r"(?:^|[.!?:;\n\"'“(])\s*([A-Za-z][\w'-]*)")
_SHORT_TURN, _LONG_TURN = 8, 38  # words: up to the first a turn is short, from the second on long


@dataclass(frozen=True, slots=True)
class Parts:
    """The terms of a turn, part by part, synonym tokens left out. Each part is analysed once.

    Attributes:
        own: terms the whole question is judged by.
        sentences: (terms, asks something) of each.
        segments: terms of each stretch between commas; empty where it is one.
        names: terms of each name that the turn gives with a capital, dates left out.
    """

    own: tuple[str, ...]
    sentences: tuple[tuple[tuple[str, ...], bool], ...]
    segments: tuple[tuple[str, ...], ...]
    names: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def of(cls, query: Query, text: str, terms: Sequence[str], analyzer: Analyzer) -> Parts:
        """Args: text: without relative dates; terms: of `query_terms`."""
        own = _plain(terms)
        if query.silent:
            return cls(own, ((own, True),), ())
        analysed = {text: own}

        def terms_of(part: str) -> tuple[str, ...]:
            if part not in analysed:
                analysed[part] = _plain(analyzer.analyse(part).content)
            return analysed[part]

        said = tuple((found, asks(part)) for part in clauses(text) if (found := terms_of(part)))
        cut = tuple(found for part in segments(text) if (found := terms_of(part)))
        named = tuple(found for name in _names(query, text) if (found := terms_of(name)))
        return cls(own, said or ((own, True),), cut, named)

    def all(self) -> tuple[str, ...]:
        """Every term of any part, once: the question's own come first."""
        found = dict.fromkeys(self.own)
        for part in (*(terms for terms, _ in self.sentences), *self.segments, *self.names):
            found |= dict.fromkeys(part)
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Told:
    """The terms of a query, weighed.

    Attributes:
        terms: distinct, synonym tokens left out: of the question and its sentences.
        weights: (m,) idf of each.
        question: (k,) places of the question's own terms.
        sentences: (places, asks something, share of the heaviest sentence's weight) of each sentence.
        segments: (places, share of half the question's weight, 1 at most) of each, see `clauses`.
        alternatives: term → the synonym token that says the same.
        subject: (k,) places of the question's terms without what only frames it ("tell me about").
        names: places of the terms of each name that the question gives and no memory holds as written.
        given: how many names the question gives.
        named: (k,) places of Latin words that a question in Chinese holds and few memories do: in its
            midst these are names.
        known: share of the weight of the question's own terms that some memory holds.
        rare: idf of a term that one memory holds.
        few: how few memories there are: 1 for one, 0 from a thousand on.
        unknown: Latin words that no memory holds: slips of another word, perhaps.
    """

    terms: tuple[str, ...]
    weights: NDArray[np.float64]
    question: NDArray[np.int64]
    subject: NDArray[np.int64]
    sentences: tuple[tuple[NDArray[np.int64], bool, float], ...]
    segments: tuple[tuple[NDArray[np.int64], float], ...]
    alternatives: Mapping[str, str]
    names: tuple[NDArray[np.int64], ...]
    given: int
    named: NDArray[np.int64]
    known: float
    rare: float
    few: float
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
        windows: (start, end) in ms of the days it names, end excluded; no longer stretches.
        date_words: its date expressions as written, in lower case; not those of digits alone.
        only_time: it asks what there is in a stretch of time and names no subject.
        wanted: what kind of answer it is after.
        now_ms: when it is asked.
    """

    told: Told
    normal: str
    text: str
    length: float
    windows: tuple[tuple[int, int], ...]
    date_words: tuple[str, ...]
    only_time: bool
    wanted: Wanted
    now_ms: int

    @classmethod
    def of(
        cls,
        query: Query,
        text: str,
        parts: Parts,
        analyzer: Analyzer,
        statistics: tuple[int, Mapping[str, int]],
        now_ms: int,
    ) -> Profile:
        """Args: text: without relative dates; statistics: documents, and df of the parts' terms."""
        return cls(
            told=_told(query, parts, framing(analyzer), *statistics),
            normal=query.analysis.normal,
            text=query.text,
            length=_ramp(len(set(query.analysis.words)), _SHORT_TURN, _LONG_TURN),
            windows=_days(query),
            date_words=_date_words(query),
            only_time=query.only_time,
            wanted=wanted(last_question(text), text),
            now_ms=now_ms,
        )


def _names(query: Query, text: str) -> list[str]:
    """Names of a turn, in lower case; a word that only begins a sentence is none, nor is a date."""
    dates = " ".join(query.text[date.start : date.end] for date in query.dates).lower()
    begins = {found.group(1).lower() for found in _FIRST_WORD.finditer(text)}
    return [
        name
        for name in dict.fromkeys(query.analysis.names)
        if name.isascii() and name not in dates and name not in begins
    ]


def _days(query: Query) -> tuple[tuple[int, int], ...]:
    if query.now.tzinfo is None:
        return ()
    bounds = (window_bounds_ms(window, query.now.tzinfo) for window in windows_of(query.dates))
    return tuple((start, end) for start, end in bounds if end - start <= _LONGEST_WINDOW_MS)


def _date_words(query: Query) -> tuple[str, ...]:
    """ "Next Friday", which a memory may hold without meaning the same day: it is what was said."""
    written = (query.text[date.start : date.end].lower() for date in query.dates)
    return tuple(dict.fromkeys(each for each in written if any(map(str.isalpha, each))))[:_DATE_WORDS]


def _ramp(value: float, low: float, high: float) -> float:
    return min(max((value - low) / (high - low), 0.0), 1.0)


def _told(
    query: Query, parts: Parts, frame: frozenset[str], documents: int, df: Mapping[str, int]
) -> Told:
    import numpy as np

    collection = max(documents, SMALLEST_COLLECTION)

    def idf(term: str) -> float:
        held = min(df.get(term, 0), documents)
        return math.log1p((collection - held + 0.5) / (held + 0.5))

    own, said = parts.own, parts.sentences
    places = {term: place for place, term in enumerate(parts.all())}

    def at(terms: Iterable[str]) -> NDArray[np.int64]:
        return np.array([places[term] for term in terms], np.int64)

    weights = np.array([idf(term) for term in places], np.float64)

    def size(terms: Iterable[str]) -> float:
        return math.fsum(weights[places[term]] for term in terms)

    sizes = [size(part) for part, _ in said]
    heaviest, whole = max(sizes, default=0.0), size(own)
    return Told(
        terms=tuple(places),
        weights=weights,
        question=at(own),
        subject=at(term for term in own if term not in frame),
        sentences=tuple(
            (at(part), asking, min(1.0, 2.0 * own_size / heaviest) if heaviest > 0.0 else 1.0)
            for (part, asking), own_size in zip(said, sizes, strict=True)
        ),
        segments=tuple(
            (at(part), min(1.0, 2.0 * size(part) / whole) if whole > 0.0 else 1.0)
            for part in parts.segments
        ),
        alternatives=query.alternatives,
        names=tuple(at(name) for name in parts.names if not any(df.get(term) for term in name)),
        given=len(parts.names),
        named=at(term for term in own if is_word(term) and 0 < df.get(term, 0) <= _FEW)
        if any(not term.isascii() for term in own)
        else at(()),
        known=size(term for term in own if df.get(term)) / whole if whole > 0.0 else 0.0,
        rare=math.log1p((collection - 0.5) / 1.5),
        few=max(1.0 - math.log(max(documents, 1)) / math.log(_MANY), 0.0),
        unknown=frozenset(term for term in own if not df.get(term) and is_word(term)),
    )


def _plain(terms: Iterable[str]) -> tuple[str, ...]:
    return tuple(term for term in dict.fromkeys(terms) if term[0] != TOKEN_MARK)


def is_word(term: str) -> bool:
    """Whether a term is a Latin word long enough to be slipped."""
    return len(term) >= SHORTEST and term.isascii() and term.isalpha()
