"""What does a turn ask? Its text, dates and context as the paths need them, and as a profile."""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from memweir.config import Config
from memweir.errors import EmbedderError
from memweir.fusion.types import Budget
from memweir.retrieval.dates import blanked, find_dates, read_dates, without_dates
from memweir.retrieval.keyword import index_terms, query_terms
from memweir.retrieval.phatic import is_phatic
from memweir.retrieval.profile import Parts, Profile
from memweir.retrieval.synonyms import TOKEN_MARK
from memweir.retrieval.timeline import asks_only_of_time
from memweir.retrieval.types import Analysis, DateSpan, Query
from memweir.store.records import Answer, to_ms
from memweir.store.seam import Store
from memweir.store.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memweir.retrieval.analysis import Analyzer
    from memweir.retrieval.types import Embedder

__all__ = ["Asker", "Asking", "Request", "answer_key", "is_stale", "says_something"]

_LOG: Final = logging.getLogger(__name__)
_MOST_DATES: Final = 64  # of one form; a text with more is a list of dates, read at both ends
_DAY_MS: Final = 86_400_000
_FAR: Final = timedelta(days=7 * 407 + 3)  # another weekday, month and year


@dataclass(frozen=True, slots=True)
class Request:
    """One recall as asked, checked by the face.

    Attributes:
        text: the turn's.
        view: what the caller may see.
        now: aware; its zone is the caller's.
        context: turns before, oldest first.
        limit: candidates a path may return.
        budget, mode: of the block.
        route: narrow the view to what the turn is about.
        answer_hits: how often the standing answer was given, as the block is to say; None: as counted.
    """

    text: str
    view: View
    now: datetime
    context: tuple[str, ...]
    limit: int
    budget: Budget
    mode: str
    route: bool = True
    answer_hits: int | None = None


@dataclass(frozen=True, slots=True)
class Asking:
    """A request made ready.

    Attributes:
        query: for the paths.
        profile: for the features.
        warnings: a model that fails costs its path and not the turn.
    """

    query: Query
    profile: Profile
    warnings: tuple[str, ...] = ()


class Asker:
    """Stateless between calls."""

    def __init__(
        self, store: Store, analyzer: Analyzer, embedder: Embedder, config: Config, *, semantic: bool
    ) -> None:
        """Args: semantic: the path that needs a vector is on."""
        self._store = store
        self._analyzer = analyzer
        self._embedder = embedder
        self._config = config
        self._semantic = semantic

    def ask(self, request: Request, analysis: Analysis, *, vectors: bool) -> Asking:
        """Read the turn. Of a text that is a list of dates only those at its ends count (`read_dates`).

        Args:
            analysis: of the text.
            vectors: the store's vectors fit the embedder.
        """
        # Small talk asks for nothing, and least of all for what was spoken of before.
        if is_phatic(analysis.normal) or not self._config.retrieval.context_weight:
            request = replace(request, context=())
        dates, unread = read_dates(request.text, request.now, most=_MOST_DATES)
        given = request.text
        if unread:
            request = replace(request, text=blanked(request.text, unread))
            analysis = self._analyzer.analyse(request.text)
        text = request.text
        only_time = False
        if dates:
            # "three days ago" says when and not what, so its words must not match any text; "March
            # 2026" may well stand in a memory, but its numbers are no exact symbols either.
            text = without_dates(text, _relative(dates, request))
            stated = self._analyzer.analyse(text) if text != request.text else analysis
            undated = self._analyzer.analyse(without_dates(request.text, dates))
            if says_something(stated):
                analysis = stated
            else:
                text = request.text
            analysis = replace(analysis, symbols=undated.symbols)
            only_time = asks_only_of_time(undated, self._analyzer)
        query = Query(
            text=given,
            analysis=analysis,
            view=request.view,
            now=request.now,
            dates=dates,
            only_time=only_time,
            silent=_is_empty_talk(analysis) or is_phatic(analysis.normal),
            alternatives=self._alternatives(analysis),
        )
        query, profile = self._profile(query, text)
        if not (vectors and self._semantic):
            return Asking(query, profile)
        try:
            vector = self._vector(text, request, profile, silent=query.silent)
        except EmbedderError as error:
            return Asking(query, profile, (f"the semantic path is off: {error}",))
        return Asking(replace(query, vector=vector), profile)

    def _profile(self, query: Query, text: str) -> tuple[Query, Profile]:
        """The query with the frequency of its terms, and its profile: both from one look-up."""
        terms = () if query.silent else query_terms(query)
        parts = Parts.of(query, text, terms, self._analyzer)
        known = self._store.term_statistics(query.view, [*parts.all(), *index_terms(query)])
        profile = Profile.of(
            query, text, parts, self._analyzer, (known.documents, known.df), to_ms(query.now)
        )
        return replace(query, statistics=known), profile

    def _alternatives(self, analysis: Analysis) -> dict[str, str]:
        """Term → synonym token, for every term of the query that lies within a synonym's word."""
        tokens = {term for term in analysis.content if term.startswith(TOKEN_MARK)}
        found: dict[str, str] = {}
        if not tokens:
            return found
        for term in dict.fromkeys([*analysis.content, *(surface for surface, _ in analysis.words)]):
            parts = self._analyzer.analyse(term).content
            token = next((part for part in parts if part in tokens), None)
            if token is not None and not term.startswith(TOKEN_MARK):
                found |= dict.fromkeys((part for part in parts if part not in tokens), token)
        return found

    def _vector(
        self, text: str, request: Request, profile: Profile, *, silent: bool
    ) -> NDArray[np.float32]:
        import numpy as np

        from memweir.retrieval.embedding import embed_checked, weigh_query
        from memweir.retrieval.hybrid import HybridEmbedder

        texts = [text, *reversed(request.context)]
        # Every turn further back counts half of the one after it.
        # A hashed stop word is a feature like any other; a model may make sense of it.
        first = 0.0 if self._embedder.sparse and silent else 1.0
        further = self._config.retrieval.context_weight
        scale = np.array([first, *(further * 0.5**age for age in range(len(texts) - 1))])
        if isinstance(self._embedder, HybridEmbedder):
            try:
                heads, tails = self._embedder.parts(texts, weights=profile.told.rarity())
            except EmbedderError:
                _LOG.warning("no meaning for this query: its embedder failed", exc_info=True)
                rows = self._embedder.heads(texts)
                cut = rows.shape[1] - self._embedder.tail
                heads, tails = rows[:, :cut], np.zeros((len(texts), self._embedder.tail), np.float32)
            statistics = self._store.vector_statistics()
            head = weigh_query(_summed(heads, scale), statistics.df, statistics.documents)
            return self._embedder.join(head, _summed(tails, scale))
        vector = _summed(embed_checked(self._embedder, texts, query=True), scale)
        if self._embedder.sparse:
            statistics = self._store.vector_statistics()
            return weigh_query(vector, statistics.df, statistics.documents)
        return vector


def _summed(rows: NDArray[np.float32], scale: NDArray[np.float64]) -> NDArray[np.float32]:
    import numpy as np

    total: NDArray[np.float32] = (rows * scale[:, None]).sum(axis=0).astype(np.float32)
    return total


def answer_key(analysis: Analysis) -> str:
    """A question as standing answers are looked up: folded, without closing punctuation."""
    return analysis.normal.strip(" \t?!.。,，;；:：…~")


def is_stale(answer: Answer, at_ms: int, *, days: float) -> bool:
    """Whether at a moment the last verification of a standing answer lay further back than `days`."""
    return (at_ms - answer.verified_at_ms) / _DAY_MS > days


def says_something(analysis: Analysis) -> bool:
    """Whether there is anything in a text to look for."""
    text = analysis.normal
    return bool(analysis.terms or analysis.chars) or any(map(str.isalnum, text)) or _has_sign(text)


def _is_empty_talk(analysis: Analysis) -> bool:
    """Whether a text is made of stop words only: they can be looked for, but speak for no memory."""
    content = analysis.content or analysis.chars or analysis.symbols
    return not content and any(map(str.isalnum, analysis.normal)) and not _has_sign(analysis.normal)


def _has_sign(text: str) -> bool:
    """Whether a text holds a sign that stands for something, such as -> or $; not punctuation.

    A mark without a letter is one: what is left of a spaced accent (U+00A8) when it is folded.
    """
    return any(unicodedata.category(each)[0] in "SM" for each in text)


def _relative(spans: Sequence[DateSpan], request: Request) -> list[DateSpan]:
    """Expressions that mean other days when asked another day ("yesterday", but not "May 2026")."""
    earlier = request.now - _FAR if request.now.year > _FAR.days // 365 + 2 else request.now + _FAR
    elsewhere: Mapping[tuple[int, int], DateSpan] = {
        (each.start, each.end): each for each in find_dates(request.text, earlier)
    }
    relative = []
    for span in spans:
        other = elsewhere.get((span.start, span.end))
        if span.latest or (not span.recurring and (other is None or other.window != span.window)):
            relative.append(span)
    return relative
