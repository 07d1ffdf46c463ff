"""What passes between text analysis, the four paths and fusion?

`Analysis` (of any text) → `Query` (of a turn) → one `Ranking` per path. All frozen: a stage returns
new values and never writes into its input.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memweir.store.reads import TermStatistics
    from memweir.store.view import View

__all__ = [
    "PATHS",
    "Analysis",
    "DateSpan",
    "Embedder",
    "Hit",
    "Query",
    "Ranking",
    "RetrievalPath",
    "Window",
]

PATHS = ("semantic", "keyword", "graph", "timeline")


@dataclass(frozen=True, slots=True)
class Analysis:
    """One text as both sides of retrieval see it. Same text, same analysis, on any machine.

    Attributes:
        normal: NFKC, case-folded, traditional folded to simplified, control characters and runs of
            white space folded to one space, stripped.
        terms: every index term in text order, repeats kept: stemmed Latin words (no stop words),
            identifiers whole and split, Chinese words of two characters or more, Chinese bigrams,
            synonym tokens, emoji and other pictographs. No term holds white space or a double quote.
        content: the terms a query should be judged by: `terms` without those that touch a stop word.
            Empty where the text has stop words only.
        chars: single CJK characters that are not stop characters, in text order: findable but weak.
        words: (surface form, stem) of the content words for n-gram hashing, in text order, Chinese
            words with the stem equal to the form.
        symbols: exact symbols in first-seen order, unique: numbers of two digits or more, versions,
            IP addresses, ports, paths, URLs, `snake_case`, `camelCase`, codes such as ERR-42.
            Folded like `normal`. Not the numbers of a date expression.
        names: candidate entity names in first-seen order, folded like `normal`: runs of capitalised
            Latin words, quoted titles, identifiers, Chinese quoted names 《…》「…」“…”.
    """

    normal: str
    terms: tuple[str, ...]
    content: tuple[str, ...]
    chars: tuple[str, ...]
    words: tuple[tuple[str, str], ...]
    symbols: tuple[str, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, order=True)
class Window:
    """A half-open stretch of calendar days [first, last + 1 day) in the caller's time zone.

    Attributes:
        first, last: both included; `first <= last`.
    """

    first: date
    last: date


@dataclass(frozen=True, slots=True)
class DateSpan:
    """One date expression of a text and the days it means.

    Attributes:
        start, end: character offsets in the text given to the parser, end excluded.
        window: the days meant; None where the expression only orders ("latest", "最近一次").
        recurring: the year was not said and the window is the nearest guess ("in May", "5月6号"):
            other years are weaker candidates, not impossible ones.
        latest: the expression asks for the newest rather than for a window.
    """

    start: int
    end: int
    window: Window | None
    recurring: bool = False
    latest: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A turn's text made ready for the paths.

    Attributes:
        text: as given.
        analysis: of the text with date expressions left out of `symbols`.
        view: what the caller may see: part of every candidate query.
        now: aware; its zone is the caller's zone.
        dates: date expressions found in the text, resolved against `now`.
        only_time: the query asks what there is in a stretch of time and names no subject.
        silent: it is made of stop words or small talk only, which speak for no memory.
        alternatives: content term → the synonym token that says the same: a memory that holds the token
            need not hold the term.
        vector: (dim,) float32, length 1 or all zero; None where the semantic path is off.
        statistics: how rare its terms are in the view's scopes, where somebody looked already.
        seeds: best hits of the paths that look at the words, best first, each with its relevance in
            [0, 1]: for the paths that start from them.
    """

    text: str
    analysis: Analysis
    view: View
    now: datetime
    dates: tuple[DateSpan, ...] = ()
    only_time: bool = False
    silent: bool = False
    alternatives: Mapping[str, str] = field(default_factory=dict)
    vector: NDArray[np.float32] | None = None
    statistics: TermStatistics | None = None
    seeds: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hit:
    """One memory as one path found it.

    Attributes:
        id: the memory.
        score: the path's own raw score, higher is better, finite; comparable within one ranking only.
        why: what made the score: matched terms, the relation walked, the window met.
    """

    id: str
    score: float
    why: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ranking:
    """One path's answer: best first, ids unique.

    Attributes:
        path: the path's name.
        hits: at most the `limit` the path was asked for.
        pinned: ids that hold an exact symbol of the query: above every weight in fusion.
        note: why the ranking is empty or partial, "" where it is neither.
    """

    path: str
    hits: tuple[Hit, ...]
    pinned: frozenset[str] = frozenset()
    note: str = ""


@runtime_checkable
class RetrievalPath(Protocol):
    """One way of ranking what may be seen. Best first; ids unique; at most `limit`."""

    @property
    def name(self) -> str: ...

    def rank(self, query: Query, *, limit: int) -> Ranking: ...


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors. Plug in a learned model by implementing this.

    A model that wants a text that asks otherwise than one that is kept has a second method,
    `embed_query`, of the same form as `embed`; without it `embed` serves both.

    Attributes:
        name, version: together with `dim` the fingerprint kept in the store; a change of what the
            vectors mean must change one of them.
        dim: length of every vector.
        sparse: True where each dimension is a hashed feature whose document frequency in the store
            should weigh the query (the default embedder); False for learned models.
    """

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def dim(self) -> int: ...
    @property
    def sparse(self) -> bool: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dim) float32, rows of length 1; a row is all zero where a text has no feature."""
        ...
