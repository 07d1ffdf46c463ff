"""Which memories hold these very words? The keyword path: FTS5 bm25 and the exact-symbol pin."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final

from memweir.retrieval.scripts import BIGRAM_SCRIPTS
from memweir.retrieval.types import Hit, Query, Ranking
from memweir.store.reads import TermMatch
from memweir.store.seam import Reader

__all__ = ["KeywordPath", "index_terms", "query_terms"]

_POSTING_BUDGET: Final = 1_500  # index rows of the scopes asked that a query may touch
_SUBSTRING_LIMIT: Final = 24  # characters of a query that may be looked for as it stands
_FRAGMENT_LIMIT: Final = 8  # characters up to which a query may be a piece cut out of a word
_RARE_AT_LEAST: Final = (
    3  # an exact symbol that so few memories hold pins them in the smallest store too
)
_NUMBER: Final = re.compile(r"[\d.,:-]+")
_PLAIN_NUMBER: Final = re.compile(r"\d{1,4}")
_CODE: Final = re.compile(r"[{};]|::|\w\(|==|=>|->|\d:\d\d:\d\d|\[ *\d+ *%|</?\w+>")
_PAIRED: Final = re.compile(f"[{BIGRAM_SCRIPTS}]")


def query_terms(query: Query) -> tuple[str, ...]:
    """The distinct terms a query is judged by: content terms; all terms where it has none."""
    return tuple(dict.fromkeys(query.analysis.content or query.analysis.terms))


def index_terms(query: Query) -> tuple[str, ...]:
    """Every term of a query whose frequency this path needs."""
    return (*query_terms(query), *query.analysis.chars, *query.analysis.symbols)


class KeywordPath:
    """bm25 over every term field, rarest terms first within a posting budget.

    An exact symbol of the query (a port, a version, an identifier) that few memories hold pins its
    holders: a boolean that fusion puts above every weight, because folded into a weighted sum it loses
    to noise. A plain number of up to four digits counts something, or is a year, more often than it
    names anything ("45 Calibre Echo", "the film of 1982"): it pins three holders at most.
    """

    name = "keyword"

    def __init__(
        self, reader: Reader, *, weights: Mapping[str, float], pin_max_df: float = 0.02
    ) -> None:
        """Args: weights: field → bm25 weight; pin_max_df: share of memories that a symbol may pin."""
        self._reader = reader
        self._weights = dict(weights)
        self._pin_max_df = pin_max_df

    def rank(self, query: Query, *, limit: int) -> Ranking:
        chars = tuple(dict.fromkeys(query.analysis.chars))
        statistics = query.statistics or self._reader.term_statistics(query.view, index_terms(query))
        documents, df = statistics.documents, statistics.df
        # Single characters are looked for in their own field, whose weight keeps them weak.
        known = [term for term in dict.fromkeys([*query_terms(query), *chars]) if df.get(term)]
        chosen = _within_budget(known, df)
        single = frozenset(chars) - frozenset(query_terms(query))
        match = TermMatch(
            {
                "": tuple(term for term in chosen if term not in single),
                "chars": tuple(term for term in chosen if term in single),
            },
            self._weights,
        )
        found = dict(self._reader.keyword(query.view, match, limit))
        note = "" if len(chosen) == len(known) else "common terms left out within the posting budget"
        fragments = self._literal(query, limit) if not found or _is_fragment(query) else []
        if fragments and not found:
            note = "found as it stands, not by terms"
        pinned = self._pinned(query, documents, df, limit)
        attainable = _attainable(query, documents, df)
        # What holds the query inside a longer word comes after what holds it as words, and is no
        # evidence beside it: "concatenate" says nothing about a cat.
        least = min(found.values(), default=1.0)
        hits = {each: least / (place + 2) for place, each in enumerate(fragments)} | found
        for memory_id in pinned:
            hits.setdefault(memory_id, 0.0)
        ranked = sorted(hits.items(), key=lambda hit: (hit[0] not in pinned, -hit[1], hit[0]))
        return Ranking(
            self.name,
            tuple(
                Hit(
                    memory_id,
                    score,
                    {
                        "bm25": round(found.get(memory_id, 0.0), 6),
                        "share": round(min(found.get(memory_id, 0.0) / attainable, 1.0), 6),
                        "exact": memory_id in pinned,
                        "literal": not found and memory_id in hits,
                    },
                )
                for memory_id, score in ranked[:limit]
            ),
            pinned=pinned,
            note=note if hits else "no term of the query is known here",
        )

    def _literal(self, query: Query, limit: int) -> list[str]:
        wanted = query.text.strip()
        if not 0 < len(wanted) <= _SUBSTRING_LIMIT or not query.analysis.normal:
            return []
        return self._reader.substring(query.view, wanted, query.analysis.normal, limit)

    def _pinned(
        self, query: Query, documents: int, df: Mapping[str, int], limit: int
    ) -> frozenset[str]:
        rare = max(_RARE_AT_LEAST, self._pin_max_df * documents)
        symbols = tuple(
            symbol
            for symbol in query.analysis.symbols
            if 0 < df.get(symbol, 0) <= (_RARE_AT_LEAST if _PLAIN_NUMBER.fullmatch(symbol) else rare)
        )
        if _CODE.search(query.text):
            # Code and log lines are full of numbers that stand for nothing elsewhere.
            symbols = tuple(each for each in symbols if not _NUMBER.fullmatch(each))
        if not symbols:
            return frozenset()
        return frozenset(self._reader.matching(query.view, TermMatch({"symbols": symbols}, {}), limit))


def _is_fragment(query: Query) -> bool:
    """Whether the query may be a piece of a word, so that its terms need not be those of the text.

    Chinese and the like never are: every pair of their characters is a term, wherever the cut is.
    """
    wanted = query.text.strip()
    return len(wanted) <= _FRAGMENT_LIMIT and any(
        unicodedata.category(each)[0] in "LMNS" and not _PAIRED.match(each) for each in wanted
    )


def _attainable(query: Query, documents: int, df: Mapping[str, int]) -> float:
    """bm25 that a memory tends to which repeats every term without end: the sum of idf × (k1 + 1).

    With FTS5's idf, ln((N - n + 0.5) / (n + 0.5)), and k1 = 1.2. Terms that no memory holds are part of
    it, so that the share of it is comparable between queries; of a term and its synonym token only the
    token is, because a memory in the other language cannot hold both.
    """
    total = 0.0
    for term in query_terms(query):
        if term not in query.alternatives:
            held = min(df.get(term, 0), documents)
            total += max(math.log((documents - held + 0.5) / (held + 0.5)), 0.0)
    return max(total * 2.2, 1.0)


def _within_budget(terms: Sequence[str], df: Mapping[str, int]) -> list[str]:
    """Rarest terms first until their postings fill the budget; at least one."""
    chosen: list[str] = []
    spent = 0
    for term in sorted(terms, key=lambda each: (df.get(each, 0), each)):
        spent += df.get(term, 0)
        if chosen and spent > _POSTING_BUDGET:
            break
        chosen.append(term)
    return chosen
