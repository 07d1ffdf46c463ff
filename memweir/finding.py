"""What do the paths find for a query, and what speaks for each memory?

The paths that look at words come first: from their best hits the graph and the timeline start.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from memweir.config import Config
from memweir.fusion.rrf import rrf
from memweir.fusion.types import Budget, Fused
from memweir.retrieval.embedding import SMALLEST_COLLECTION
from memweir.retrieval.features import FEATURES, Candidates, Found
from memweir.retrieval.profile import Profile
from memweir.retrieval.relevance import Reasons, RelevanceModel, relevance
from memweir.retrieval.synonyms import TOKEN_MARK
from memweir.retrieval.types import Hit, Query, Ranking, RetrievalPath
from memweir.store.reads import VectorHit
from memweir.store.records import Record
from memweir.store.seam import Store
from memweir.store.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memweir.retrieval.analysis import Analyzer
    from memweir.retrieval.meaning import WordVectors

__all__ = ["Assessed", "Finder", "Findings"]

_LEADING: Final = 12  # best of the fused ranks that the other paths may start from
_AROUND: Final = 32  # best candidates whose neighbouring turns are looked at
_GROUND: Final = 0.12  # relevance of the reasons alone from which they are enough to be heard
_OWN: Final = 0.05  # match of its own words from which a memory speaks for itself
_BESIDE: Final = 0.3  # most that a memory is worth for the turns around it alone
_QUESTION, _CONTAINMENT = FEATURES.index("question"), FEATURES.index("containment")
_NO_VECTOR: Final = VectorHit("", 0.0, 0.0, 0.0)
_DIRECT: Final = ("semantic", "keyword")
_DERIVED: Final = ("graph", "timeline")


@dataclass(frozen=True, slots=True)
class Assessed:
    """What speaks for one memory.

    Attributes:
        relevance: probability that it answers the turn, other reasons included, in [0, 1].
        grounded: the reasons alone would do.
        match: the score on the scale that orders, in [0, 1].
        reasons: those beside the features.
        contributions: (len(FEATURES),) what each feature adds to the score.
    """

    relevance: float
    grounded: bool
    match: float
    reasons: Reasons
    contributions: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Findings:
    """What the paths and slots brought up, and what speaks for each.

    Attributes:
        contested: memory → the newer one that an open question says may have replaced it, "" for none;
            of those that were looked at.
        matrix, ids: features of the candidates, a row each.
        turn: probability that anything here answers the turn.
    """

    rankings: Mapping[str, Ranking]
    slots: Mapping[str, str]
    fused: Sequence[Fused] = ()
    records: Mapping[str, Record] = field(default_factory=dict)
    assessed: Mapping[str, Assessed] = field(default_factory=dict)
    contested: Mapping[str, str] = field(default_factory=dict)
    matrix: NDArray[np.float64] | None = None
    ids: tuple[str, ...] = ()
    turn: float = 0.0


class Finder:
    """Stateless between calls; the store is asked for everything."""

    def __init__(
        self,
        store: Store,
        analyzer: Analyzer,
        paths: Mapping[str, RetrievalPath],
        config: Config,
        words: WordVectors | None,
    ) -> None:
        """Args: words: None: no word is near another in meaning."""
        self._store = store
        self._analyzer = analyzer
        self._paths = paths
        self._config = config
        self._words = words
        self._model = RelevanceModel.load().scaled(config.retrieval.feature_weights)

    def find(self, query: Query, profile: Profile, *, limit: int, budget: Budget) -> Findings:
        """Args: limit: hits a path may return; budget: how many slots are reserved."""
        rankings = {
            name: self._paths[name].rank(query, limit=limit) for name in _DIRECT if name in self._paths
        }
        slots = self._slots(query.view, budget)
        fused = self._fused(query, rankings)
        direct = [each.id for each in fused][: limit + limit // 2]
        candidates = Candidates(profile, self._words, self._analyzer)
        records = self._store.records(query.view, list(dict.fromkeys([*direct, *slots])))
        candidates.add(records)
        vectors = _vectors(rankings)
        leading = {each: records[each] for each in direct[:_LEADING] if each in records}
        first = self._assess(
            query, Findings(rankings, slots, fused, leading), candidates, vectors, thoroughly=False
        ).assessed
        # The best first, by all that is known of them until now.
        order = sorted(first, key=lambda each: (-first[each].match, each))
        seeds = {each: first[each].relevance for each in order}
        seeded = replace(query, seeds=seeds)
        for name in _DERIVED:
            if name in self._paths:
                rankings[name] = self._paths[name].rank(seeded, limit=limit)
        found = [hit.id for name in _DERIVED if name in rankings for hit in rankings[name].hits]
        fresh = [each for each in dict.fromkeys(found) if each not in records]
        if fresh:
            more = self._store.records(query.view, fresh)
            candidates.add(more)
            records = {**records, **more}
        # Who may be seen says the scope and the time; what was asked for does not part a group.
        whole = replace(query.view, tags=(), scene=None, domain=None, incidents=None)
        contested: dict[str, str] = {}
        while True:
            fresh = self._along(whole, records, contested)
            more = self._store.records(whole, fresh) if fresh else {}
            if not more:
                break
            candidates.add(more)
            records = {**records, **more}
        findings = Findings(rankings, slots, self._fused(query, rankings), records, contested=contested)
        findings = self._assess(query, findings, candidates, vectors, thoroughly=True)
        return _best(findings, limit)

    def _along(self, view: View, records: Mapping[str, Record], contested: dict[str, str]) -> list[str]:
        """What comes along with what was brought up, and was not brought up itself.

        Members of its coexistence groups, and what may have replaced it.

        Args:
            contested: what is known of the records so far, added to.
        """
        groups = sorted({each.coexistence for each in records.values() if each.coexistence is not None})
        mates = self._store.group_mates(view, groups) if groups else []
        unknown = [each for each in records if each not in contested]
        newer = self._store.contested(view, unknown) if unknown else {}
        contested |= dict.fromkeys(unknown, "") | newer
        found = dict.fromkeys([*mates, *sorted(newer.values())])
        return [each for each in found if each not in records]

    def _fused(self, query: Query, rankings: Mapping[str, Ranking]) -> list[Fused]:
        ids = {name: [hit.id for hit in ranking.hits] for name, ranking in rankings.items()}
        if query.vector is None:  # a path that cannot be asked is not one that found nothing
            ids.pop("semantic", None)
        return rrf(ids, config=self._config.rrf)

    def _assess(
        self,
        query: Query,
        findings: Findings,
        candidates: Candidates,
        vectors: dict[str, VectorHit],
        *,
        thoroughly: bool,
    ) -> Findings:
        """What speaks for each record. Args: thoroughly: with neighbouring turns and sources."""
        import numpy as np

        ids = tuple(findings.records)
        if not ids:
            return findings
        found = self._found(query, findings, vectors)
        around: Mapping[str, tuple[str | None, str | None]] = {}
        rarity: Mapping[str, float] = {}
        if thoroughly:
            around, beside = self._around(query, findings, candidates, found)
            # The turns around the best are candidates too: an answer seldom repeats the question.
            findings = replace(findings, records={**findings.records, **beside})
            ids = tuple(findings.records)
            found = self._found(query, findings, vectors) if beside else found
            rarity = self._rarity(query.view, findings.records)
        matrix = candidates.matrix(ids, found, around, rarity, together=thoroughly)
        scores = self._model.scores(matrix)
        probabilities = self._model.probabilities(matrix, scores)
        matches = self._model.matches(scores)
        added = self._model.contributions(matrix)
        reasons_of = _reasons(query, findings, candidates)
        own = np.maximum(matrix[:, _QUESTION], matrix[:, _CONTAINMENT]) >= _OWN
        # Standing beside a question makes nothing an answer: what shares no word is to be verified.
        chances = np.where(own, probabilities, np.minimum(probabilities, _BESIDE))
        assessed = {}
        for place, memory_id in enumerate(ids):
            reasons = reasons_of[memory_id]
            assessed[memory_id] = Assessed(
                relevance=relevance(float(chances[place]), reasons),
                grounded=relevance(0.0, reasons) >= _GROUND,
                match=float(matches[place]),
                reasons=reasons,
                contributions=added[place],
            )
        # The best hits alone say nothing of the turn yet.
        turn = self._model.chance(matrix, scores, probabilities) if thoroughly else 0.0
        return replace(findings, assessed=assessed, matrix=matrix, ids=ids, turn=turn)

    def _found(
        self, query: Query, findings: Findings, vectors: dict[str, VectorHit]
    ) -> dict[str, Found]:
        """What each path says of each record. Args: vectors: figures known so far, added to."""
        rankings = findings.rankings
        graph, timeline = _by_id(rankings.get("graph")), _by_id(rankings.get("timeline"))
        missing = [each for each in findings.records if each not in vectors]
        if query.vector is not None and missing and query.vector.any():
            vectors |= self._store.similarity(query.vector, missing)
        fused = {each.id: each.score for each in findings.fused}
        found = {}
        for memory_id in findings.records:
            vector = vectors.get(memory_id, _NO_VECTOR)
            found[memory_id] = Found(
                cosine=vector.cosine,
                containment=vector.containment,
                meaning=vector.meaning,
                fused=0.0 if query.silent else fused.get(memory_id, 0.0),
                window=timeline[memory_id].score if memory_id in timeline else 0.0,
                linked=_figure(graph.get(memory_id), "linked"),
            )
        return found

    def _around(
        self,
        query: Query,
        findings: Findings,
        candidates: Candidates,
        found: Mapping[str, Found],
    ) -> tuple[dict[str, tuple[str | None, str | None]], dict[str, Record]]:
        """The turns before and after the best candidates, and the records of those that are new."""
        turns = [each for each, record in findings.records.items() if record.source]
        if not turns:
            return {}, {}
        scores = self._model.scores(candidates.matrix(turns, found, {}, {}, together=False))
        order = sorted(range(len(turns)), key=lambda place: (-float(scores[place]), turns[place]))
        best = [turns[place] for place in order[:_AROUND]]
        around: dict[str, tuple[str | None, str | None]] = {}
        for each, pair in self._store.neighbours(query.view, best).items():
            around[each] = pair.before, pair.after
            # What stands before it is followed by it.
            if pair.before is not None and pair.before not in around:
                around[pair.before] = None, each
            if pair.after is not None and pair.after not in around:
                around[pair.after] = each, None
        fresh = [each for each in around if each not in findings.records]
        beside = self._store.records(query.view, fresh)
        candidates.add(beside)
        return around, beside

    def _rarity(self, view: View, records: Mapping[str, Record]) -> dict[str, float]:
        """Speaker → 1 where one memory is theirs, 0 where all are: by the rarest term of the name."""
        terms = {
            speaker: [each for each in self._analyzer.analyse(speaker).terms if each[0] != TOKEN_MARK]
            for speaker in sorted({record.speaker for record in records.values() if record.speaker})
        }
        statistics = self._store.term_statistics(
            view, dict.fromkeys(term for found in terms.values() for term in found)
        )
        documents = max(statistics.documents, SMALLEST_COLLECTION)
        rarity = {}
        for speaker, found in terms.items():
            held = min((statistics.df.get(term, 0) for term in found), default=documents)
            rarity[speaker] = max(1.0 - math.log(max(held, 1)) / math.log(documents), 0.0)
        return rarity

    def _slots(self, view: View, budget: Budget) -> dict[str, str]:
        beliefs = self._store.beliefs(view, budget.belief_slots) if budget.belief_slots else []
        pinned = self._store.pinned(view, budget.pinned_slots) if budget.pinned_slots else []
        return dict.fromkeys(beliefs, "belief") | dict.fromkeys(pinned, "pinned")


def _reasons(query: Query, findings: Findings, candidates: Candidates) -> dict[str, Reasons]:
    empty = Ranking("", ())
    keyword = findings.rankings.get("keyword", empty)
    literal = {hit.id for hit in keyword.hits if _figure(hit, "literal")} if not query.silent else set()
    related = {hit.id: _figure(hit, "related") for hit in findings.rankings.get("graph", empty).hits}
    window = (
        {hit.id: hit.score for hit in findings.rankings.get("timeline", empty).hits}
        if query.only_time
        else {}
    )
    return {
        memory_id: Reasons(
            exact=memory_id in keyword.pinned,
            literal=memory_id in literal,
            # Of a question about a time alone the words are those of a date.
            whole=not query.only_time and candidates.holds_all(memory_id),
            named=candidates.holds_name(memory_id),
            window=window.get(memory_id, 0.0),
            related=related.get(memory_id, 0.0),
        )
        for memory_id in findings.records
    }


def _vectors(rankings: Mapping[str, Ranking]) -> dict[str, VectorHit]:
    """What the semantic path has compared already."""
    return {
        each: VectorHit(
            each, _figure(hit, "cosine"), _figure(hit, "containment"), _figure(hit, "meaning")
        )
        for each, hit in _by_id(rankings.get("semantic")).items()
    }


def _by_id(ranking: Ranking | None) -> dict[str, Hit]:
    return {} if ranking is None else {hit.id: hit for hit in ranking.hits}


def _best(findings: Findings, most: int) -> Findings:
    """The candidates that match best, and those of a slot or with a reason of their own."""
    if len(findings.assessed) <= most:
        return findings
    order = sorted(findings.assessed, key=lambda each: (-findings.assessed[each].match, each))
    kept = set(order[:most])
    kept |= {
        each
        for each, assessed in findings.assessed.items()
        if each in findings.slots or assessed.reasons != Reasons()
    }
    kept |= _brought_along(findings, kept)
    places = [place for place, each in enumerate(findings.ids) if each in kept]
    ids = tuple(findings.ids[place] for place in places)
    return replace(
        findings,
        records={each: findings.records[each] for each in ids},
        assessed={each: findings.assessed[each] for each in ids},
        matrix=None if findings.matrix is None else findings.matrix[places],
        ids=ids,
    )


def _brought_along(findings: Findings, kept: set[str]) -> set[str]:
    """Those that hang together with some candidates: of their groups, or may have replaced them."""
    found: set[str] = set()
    fresh = kept
    while fresh:
        found |= fresh
        groups = {findings.records[each].coexistence for each in fresh} - {None}
        along = {each for each, record in findings.records.items() if record.coexistence in groups}
        newer = {findings.contested.get(each, "") for each in fresh}
        fresh = (along | {each for each in newer if each in findings.records}) - found
    return found


def _figure(hit: Hit | None, name: str) -> float:
    """A number that a path says about its hit, 0 where it did not find the memory."""
    value = None if hit is None else hit.why.get(name)
    return float(value) if isinstance(value, int | float) else 0.0
