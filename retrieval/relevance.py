"""Does a memory answer the query at all? Absolute match in [0, 1], comparable between queries.

Ranks cannot abstain: the best of nothing still has rank 1. Relevance asks instead how much of the
query's weight a memory accounts for, the words included that no memory holds, because what the store
has never heard of is what it cannot answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from memweir.retrieval.embedding import SMALLEST_COLLECTION
from memweir.retrieval.spelling import SHORTEST, is_slip

__all__ = ["Evidence", "TermWeights", "relevance"]

_RARITY: Final = 1.5  # exponent of idf in the coverage: one rare word says more than two half as rare
_SLIP: Final = 0.6  # what a word counts that is matched as a slip of the pen only
_COVERAGE, _CONTAINMENT, _SHARE = 0.4, 0.3, 0.3
_SUPPORT: Final = 0.06  # match of the words from which a window counts in full
_EXACT, _LITERAL, _WINDOW, _RELATED, _LINKED = 0.5, 0.6, 0.35, 0.6, 0.1


@dataclass(frozen=True, slots=True)
class TermWeights:
    """The query's terms, each with idf ** 1.5; idf = ln(1 + (N - df + 0.5) / (df + 0.5)).

    N is at least `SMALLEST_COLLECTION`.

    Attributes:
        weights: term → weight, above 0; a term that no memory holds weighs most.
        alternatives: term → synonym token that counts for it; see `Query.alternatives`.
        unknown: Latin words that no memory holds: slips of another word, perhaps.
        slips: unknown word → words that may be meant.
    """

    weights: Mapping[str, float]
    alternatives: Mapping[str, str] = field(default_factory=dict)
    unknown: frozenset[str] = frozenset()
    slips: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        terms: Sequence[str],
        documents: int,
        df: Mapping[str, int],
        alternatives: Mapping[str, str] | None = None,
    ) -> TermWeights:
        """Weights from document frequencies among `documents` memories."""
        known = alternatives or {}
        tokens = set(known.values())
        collection = max(documents, SMALLEST_COLLECTION)
        found = {}
        for term in dict.fromkeys(terms):
            if term not in tokens:  # a token is counted through the terms it stands for
                held = min(df.get(term, 0), documents)
                found[term] = math.log1p((collection - held + 0.5) / (held + 0.5)) ** _RARITY
        unknown = (term for term in found if not df.get(term) and _is_word(term))
        return cls(found, known, frozenset(unknown))

    def coverage(self, held: frozenset[str]) -> float:
        """Share of the weight that a memory's terms account for, in [0, 1]."""
        total = math.fsum(self.weights.values())
        if total <= 0.0:
            return 0.0
        covered = []
        for term, weight in self.weights.items():
            if term in held or self.alternatives.get(term) in held:
                covered.append(weight)
            elif term in self.slips and not self.slips[term].isdisjoint(held):
                covered.append(_SLIP * weight)
        return math.fsum(covered) / total

    def with_slips(self, vocabulary: Iterable[str]) -> TermWeights:
        """The same, with the words of a vocabulary that the unknown ones may be slips of."""
        if not self.unknown:
            return self
        by_letter: dict[str, list[str]] = {term[0]: [] for term in self.unknown}
        for known in vocabulary:
            if known[0] in by_letter and _is_word(known):
                by_letter[known[0]].append(known)
        slips = {
            term: frozenset(known for known in by_letter[term[0]] if is_slip(term, known))
            for term in self.unknown
        }
        return replace(self, slips={term: meant for term, meant in slips.items() if meant})


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a memory; every part in [0, 1], 0 where nothing does.

    Attributes:
        coverage: see `TermWeights.coverage`.
        containment: of the query's n-gram weight, see `memweir.store.reads.VectorHit`: it sees
            inflected and misspelt words.
        share: bm25 over what is attainable: it sees repetition, length and the field.
        exact: holds an exact symbol of the query.
        literal: holds the query as it stands.
        window: how well it fits the days that were asked about.
        only_time: nothing but these days was asked about, so that fitting them is enough.
        related: how strongly stated relations lead to it from what was asked about.
        linked: how strongly shared mentions do.
    """

    coverage: float = 0.0
    containment: float = 0.0
    share: float = 0.0
    exact: bool = False
    literal: bool = False
    window: float = 0.0
    only_time: bool = False
    related: float = 0.0
    linked: float = 0.0


def _is_word(term: str) -> bool:
    return len(term) >= SHORTEST and term.isascii() and term.isalpha()


def relevance(evidence: Evidence) -> float:
    """One number in [0, 1], monotone in every part of the evidence.

    A window decides alone where only a time was asked about ("what did I do yesterday?"); where a
    subject was named ("what is the weather today?") it counts as far as the words do.

    Coverage, containment and share see the same words from three sides and are averaged. A symbol, the
    literal text, a window, a relation are reasons of their own and combine as independent ones do
    (noisy-or: 1 - the product of what each leaves open).
    """
    lexical = _COVERAGE * evidence.coverage
    lexical += _CONTAINMENT * evidence.containment + _SHARE * evidence.share
    support = min(lexical / _SUPPORT, 1.0)
    window = _WINDOW * evidence.window * (1.0 if evidence.only_time else support)
    # Spelled out: this runs for every candidate of every recall.
    missing = 1.0 - min(lexical, 1.0)
    missing *= 1.0 - _EXACT * evidence.exact
    missing *= 1.0 - _LITERAL * evidence.literal
    missing *= 1.0 - min(window, 1.0)
    missing *= 1.0 - _RELATED * min(evidence.related, 1.0)
    missing *= 1.0 - _LINKED * min(evidence.linked, 1.0)
    return 1.0 - missing
