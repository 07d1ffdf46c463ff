"""How does a turn's text become a block? Query, four paths, fusion, gate, injection: one pass."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from memweir.config import Config
from memweir.errors import EmbedderError
from memweir.fusion.duplicates import collapse
from memweir.fusion.gate import judge
from memweir.fusion.injection import render
from memweir.fusion.rerank import rerank
from memweir.fusion.rrf import rrf, unranked
from memweir.fusion.types import Block, Budget, Candidate, Judged, Scored, StandingAnswer
from memweir.results import Recall, RecallItem
from memweir.retrieval.dates import find_dates, without_dates
from memweir.retrieval.keyword import query_terms
from memweir.retrieval.relevance import Evidence, TermWeights, relevance
from memweir.retrieval.synonyms import TOKEN_MARK
from memweir.retrieval.timeline import asks_only_of_time
from memweir.retrieval.types import Analysis, DateSpan, Hit, Query, Ranking, RetrievalPath
from memweir.store.gates import scan_threats
from memweir.store.records import Answer, Record, from_ms, to_ms
from memweir.store.seam import Store
from memweir.store.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memweir.retrieval.analysis import Analyzer
    from memweir.retrieval.types import Embedder

__all__ = ["Pipeline", "Request", "answer_key"]

_NUMBER: Final = re.compile(r"\d+(?:[.:]\d+)*")
_FAR: Final = timedelta(days=7 * 407 + 3)  # another weekday, month and year
_DUPLICATE_CHECKS: Final = 4  # candidates compared, as a multiple of the entries that may be shown
_DAY_MS: Final = 86_400_000


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
    """

    text: str
    view: View
    now: datetime
    context: tuple[str, ...]
    limit: int
    budget: Budget
    mode: str


@dataclass(frozen=True, slots=True)
class _Found:
    """What the paths and slots brought up, and what speaks for each."""

    rankings: Mapping[str, Ranking]
    slots: Mapping[str, str]
    records: Mapping[str, Record] = field(default_factory=dict)
    evidence: Mapping[str, Evidence] = field(default_factory=dict)


class Pipeline:
    """Stateless between calls; the store is asked for everything."""

    def __init__(
        self,
        store: Store,
        analyzer: Analyzer,
        embedder: Embedder,
        paths: Mapping[str, RetrievalPath],
        config: Config,
    ) -> None:
        self._store = store
        self._analyzer = analyzer
        self._embedder = embedder
        self._paths = paths
        self._config = config

    def run(self, request: Request, *, vectors: bool) -> Recall:
        """The whole pass, without audit. Args: vectors: the store's vectors fit the embedder."""
        analysis = self._analyzer.analyse(request.text)
        if not _says_something(analysis):
            return Recall(abstained="empty-query", mode=request.mode)
        with self._store.snapshot():
            query, warnings = self._query(request, analysis, vectors=vectors)
            answer = self._answer(request, analysis)
            if answer is not None and scan_threats(answer.text) is not None:
                warnings = (*warnings, f"{answer.id} reads as an instruction: left out")
                answer = None
            found = self._find(query, request)
            judged = self._judge(query, found, request)
        stale = answer is not None and self._is_stale(answer, request.now)
        block = render(
            judged,
            today=request.now.date(),
            budget=request.budget,
            mode=request.mode,
            path_hits={name: len(ranking.hits) for name, ranking in found.rankings.items()},
            answer=_standing(answer, request.now, stale=stale),
        )
        result = self._recall(request, found, judged, block, answer, stale=stale)
        return replace(result, warnings=warnings)

    # Query

    def _query(
        self, request: Request, analysis: Analysis, *, vectors: bool
    ) -> tuple[Query, tuple[str, ...]]:
        """The query, and warnings: a model that fails costs its path and not the turn."""
        dates = find_dates(request.text, request.now)
        text = request.text
        only_time = False
        if dates:
            # "three days ago" says when and not what, so its words must not match any text; "March
            # 2026" may well stand in a memory, but its numbers are no exact symbols either.
            text = without_dates(text, _relative(dates, request))
            stated = self._analyzer.analyse(text) if text != request.text else analysis
            undated = self._analyzer.analyse(without_dates(request.text, dates))
            if _says_something(stated):
                analysis = stated
            analysis = replace(analysis, symbols=undated.symbols)
            only_time = asks_only_of_time(undated, self._analyzer)
        vector: NDArray[np.float32] | None = None
        warnings: tuple[str, ...] = ()
        if vectors and "semantic" in self._paths:
            try:
                vector = self._vector(text, request)
            except EmbedderError as error:
                warnings = (f"the semantic path is off: {error}",)
        query = Query(
            text=request.text,
            analysis=analysis,
            view=request.view,
            now=request.now,
            dates=dates,
            only_time=only_time,
            alternatives=self._alternatives(analysis),
            context=tuple(self._analyzer.analyse(turn) for turn in request.context),
            vector=vector,
        )
        return query, warnings

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

    def _vector(self, text: str, request: Request) -> NDArray[np.float32]:
        import numpy as np

        from memweir.retrieval.embedding import embed_checked, weigh_query
        from memweir.retrieval.hybrid import HybridEmbedder

        texts = [text, *reversed(request.context)]
        # Every turn further back counts half of the one after it.
        # A hashed stop word is a feature like any other; a model may make sense of it.
        silent = self._embedder.sparse and _is_empty_talk(self._analyzer.analyse(text))
        first = 0.0 if silent else 1.0
        scale = np.array(
            [
                first,
                *(self._config.retrieval.context_weight * 0.5**age for age in range(len(texts) - 1)),
            ]
        )
        if isinstance(self._embedder, HybridEmbedder):
            heads, tails = self._embedder.parts(texts)
            statistics = self._store.vector_statistics()
            head = weigh_query(_summed(heads, scale), statistics.df, statistics.documents)
            return self._embedder.join(head, _summed(tails, scale))
        vector = _summed(embed_checked(self._embedder, texts, query=True), scale)
        if self._embedder.sparse:
            statistics = self._store.vector_statistics()
            return weigh_query(vector, statistics.df, statistics.documents)
        return vector

    def _answer(self, request: Request, analysis: Analysis) -> Answer | None:
        if not self._config.answers.enabled:
            return None
        return self._store.find_answer(request.view.scopes, answer_key(analysis))

    def _is_stale(self, answer: Answer, now: datetime) -> bool:
        age_days = (to_ms(now) - answer.verified_at_ms) / _DAY_MS
        return age_days > self._config.answers.stale_days

    # Paths

    def _find(self, query: Query, request: Request) -> _Found:
        rankings: dict[str, Ranking] = {}
        for name in ("semantic", "keyword"):
            if name in self._paths:
                rankings[name] = self._paths[name].rank(query, limit=request.limit)
        slots = self._slots(query.view, request.budget)
        direct = [each.id for each in rrf(_ids(rankings), config=self._config.rrf)][: request.limit]
        terms = () if _is_empty_talk(query.analysis) else query_terms(query)
        known = self._store.term_statistics(query.view, terms)
        weights = TermWeights.of(terms, known.documents, known.df, query.alternatives)
        found = self._load(query, _Found(rankings, slots), [*direct, *slots], weights)
        seeds = {each: relevance(found.evidence[each]) for each in direct if each in found.evidence}
        seeded = replace(query, seeds=seeds)
        others = {
            name: self._paths[name].rank(seeded, limit=request.limit)
            for name in ("graph", "timeline")
            if name in self._paths
        }
        fresh = [hit.id for ranking in others.values() for hit in ranking.hits]
        found = self._load(query, replace(found, rankings=rankings | others), fresh, weights)
        return replace(found, evidence=_with_links(found.evidence, others))

    def _load(self, query: Query, found: _Found, ids: Sequence[str], weights: TermWeights) -> _Found:
        """Records of ids that are not there yet, and what speaks for them by their words."""
        missing = [each for each in dict.fromkeys(ids) if each not in found.records]
        if not missing:
            return found
        records = self._store.records(query.view, missing)
        containment = self._containment(query, found, missing)
        weights = weights.with_slips(set().union(*(record.terms for record in records.values())))
        keyword = found.rankings.get("keyword", Ranking("keyword", ()))
        # A query of stop words only finds what holds them, which speaks for nothing.
        silent = _is_empty_talk(query.analysis)
        hits = {} if silent else {hit.id: hit for hit in keyword.hits}
        evidence = {
            memory_id: Evidence(
                coverage=weights.coverage(record.terms),
                containment=containment.get(memory_id, 0.0),
                share=_figure(hits.get(memory_id), "share"),
                exact=memory_id in keyword.pinned,
                literal=bool(_figure(hits.get(memory_id), "literal")),
                only_time=query.only_time,
            )
            for memory_id, record in records.items()
        }
        return replace(
            found,
            records={**found.records, **records},
            evidence={**found.evidence, **evidence},
        )

    def _containment(self, query: Query, found: _Found, ids: Sequence[str]) -> dict[str, float]:
        """How much of the query's vector each memory holds; the semantic path knows most of it."""
        semantic = found.rankings.get("semantic", Ranking("semantic", ()))
        known = {hit.id: _figure(hit, "containment") for hit in semantic.hits}
        missing = [each for each in ids if each not in known]
        if query.vector is not None and missing:
            compared = self._store.similarity(query.vector, missing)
            known |= {memory_id: hit.containment for memory_id, hit in compared.items()}
        return known

    def _slots(self, view: View, budget: Budget) -> dict[str, str]:
        beliefs = self._store.beliefs(view, budget.belief_slots) if budget.belief_slots else []
        pinned = self._store.pinned(view, budget.pinned_slots) if budget.pinned_slots else []
        return dict.fromkeys(beliefs, "belief") | dict.fromkeys(pinned, "pinned")

    # Judgement

    def _judge(self, query: Query, found: _Found, request: Request) -> list[Judged]:
        config = self._config
        candidates = self._candidates(query, found)
        fused = rrf(_ids(found.rankings), config=config.rrf)
        ranked = {each.id for each in fused}
        fused += [unranked(each) for each in found.slots if each not in ranked]
        scored = rerank(fused, candidates, config=config.rerank)
        # Scanned when written; scanned again here, because a file can be changed behind our back.
        scored = [self._checked(each, request.budget) for each in scored]
        # Only what may be shown can be shown twice.
        best = scored[: max(request.budget.items, 1) * _DUPLICATE_CHECKS]
        relevant = [each for each in best if not each.candidate.suspicious]
        duplicates = collapse(relevant, threshold=config.retrieval.duplicate_threshold)
        return judge(scored, config=config.gate, duplicates=duplicates)

    def _checked(self, scored: Scored, budget: Budget) -> Scored:
        """The same, marked where its text speaks to the agent; only of what may come into the block."""
        candidate = scored.candidate
        wanted = candidate.relevance >= self._config.gate.min_relevance
        if not (wanted or candidate.slot or candidate.exact):
            return scored
        if len(candidate.text) > budget.characters:  # entries are whole or absent: it is absent
            return scored
        return replace(scored, candidate=_scanned(candidate))

    def _candidates(self, query: Query, found: _Found) -> dict[str, Candidate]:
        return {
            memory_id: _candidate(
                record,
                relevance(found.evidence[memory_id]),
                query,
                exact=found.evidence[memory_id].exact,
                slot=found.slots.get(memory_id, ""),
                min_relevance=self._config.gate.min_relevance,
            )
            for memory_id, record in found.records.items()
        }

    # Result

    def _recall(
        self,
        request: Request,
        found: _Found,
        judged: Sequence[Judged],
        block: Block,
        answer: Answer | None,
        *,
        stale: bool,
    ) -> Recall:
        shown = set(block.ids)
        matched: dict[str, dict[str, Mapping[str, object]]] = {}
        for name, ranking in found.rankings.items():
            for hit in ranking.hits:
                matched.setdefault(hit.id, {})[name] = {"score": hit.score} | dict(hit.why)
        items = tuple(
            _item(each, found.records[each.scored.candidate.id], matched, shown) for each in judged
        )
        by_id = {item.id: item for item in items}
        return Recall(
            block=block.text,
            items=tuple(by_id[memory_id] for memory_id in block.ids),
            candidates=items,
            rankings=dict(found.rankings),
            answer=answer,
            answer_stale=stale,
            abstained="" if block.text else _abstention(judged, block, request.mode),
            dropped=block.dropped,
            mode=request.mode,
            rendered=block,
        )


def _summed(rows: NDArray[np.float32], scale: NDArray[np.float64]) -> NDArray[np.float32]:
    import numpy as np

    total: NDArray[np.float32] = (rows * scale[:, None]).sum(axis=0).astype(np.float32)
    return total


def answer_key(analysis: Analysis) -> str:
    """A question as standing answers are looked up: folded, without closing punctuation."""
    return analysis.normal.strip(" \t?!.。,，;；:：…~")


def _says_something(analysis: Analysis) -> bool:
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


def _ids(rankings: Mapping[str, Ranking]) -> dict[str, list[str]]:
    return {name: [hit.id for hit in ranking.hits] for name, ranking in rankings.items()}


def _figure(hit: Hit | None, name: str) -> float:
    """A number that a path says about its hit, 0 where it did not find the memory."""
    value = None if hit is None else hit.why.get(name)
    return float(value) if isinstance(value, int | float) else 0.0


def _with_links(
    evidence: Mapping[str, Evidence], rankings: Mapping[str, Ranking]
) -> dict[str, Evidence]:
    """The evidence of the words, and what the graph and the timeline add to it."""
    joined = dict(evidence)
    for hit in rankings["graph"].hits if "graph" in rankings else ():
        if hit.id in joined:
            related = _figure(hit, "related")
            joined[hit.id] = replace(joined[hit.id], related=related, linked=hit.score)
    for hit in rankings["timeline"].hits if "timeline" in rankings else ():
        if hit.id in joined:
            joined[hit.id] = replace(joined[hit.id], window=hit.score)
    return joined


def _relative(spans: Sequence[DateSpan], request: Request) -> list[DateSpan]:
    """Expressions that mean other days when asked another day ("yesterday", but not "May 2026")."""
    earlier = request.now - _FAR if request.now.year > _FAR.days // 365 + 2 else request.now + _FAR
    elsewhere = {(each.start, each.end): each for each in find_dates(request.text, earlier)}
    relative = []
    for span in spans:
        other = elsewhere.get((span.start, span.end))
        if span.latest or (not span.recurring and (other is None or other.window != span.window)):
            relative.append(span)
    return relative


def _candidate(
    record: Record,
    match: float,
    query: Query,
    *,
    exact: bool,
    slot: str,
    min_relevance: float,
) -> Candidate:
    now_ms = to_ms(query.now)
    happened = record.event_end_ms if record.event_end_ms is not None else record.created_at_ms
    reference = max(record.confirmed_at_ms, min(happened, now_ms))
    told = record.event_start_ms if record.event_start_ms is not None else record.created_at_ms
    # A belief that the query's words find needs no slot; one they do not find may still take one.
    if slot == "belief" and match >= min_relevance:
        slot = ""
    return Candidate(
        id=record.id,
        text=record.text,
        title=record.title or "",
        layer=record.layer,
        kind=record.kind,
        scope_kind=record.scope.kind,
        provenance=record.provenance,
        status=record.status,
        relevance=match,
        confidence=record.confidence,
        age_days=(now_ms - reference) / _DAY_MS,
        importance=record.importance,
        harmful_count=record.harmful_count,
        expired=record.expires_at_ms is not None and record.expires_at_ms <= now_ms,
        valid=_holds(record, query.view),
        pinned=record.pinned,
        slot=slot,
        exact=exact,
        # Learned terms say what a memory was good for, not what it states.
        fingerprint=record.terms - frozenset(record.learned_terms),
        numbers=tuple(_NUMBER.findall(record.text)),
        created=_day(told, query.now),
        evidence_count=record.evidence_count,
    )


def _day(milliseconds: int, now: datetime) -> str:
    """The caller's calendar day of a moment; at the ends of the calendar the day in UTC."""
    moment = from_ms(milliseconds)
    with suppress(OverflowError):
        moment = moment.astimezone(now.tzinfo)
    return moment.date().isoformat()


def _holds(record: Record, view: View) -> bool:
    """Whether a memory is true at the view's instant; history is shown as what it is."""
    instant = view.as_of_ms
    return record.invalid_at_ms is None or record.invalid_at_ms > instant


def _scanned(candidate: Candidate) -> Candidate:
    for text in (candidate.text, candidate.title):
        finding = scan_threats(text) if text else None
        if finding is not None:
            return replace(candidate, suspicious=finding.rule)
    return candidate


def _standing(answer: Answer | None, now: datetime, *, stale: bool) -> StandingAnswer | None:
    if answer is None:
        return None
    verified = _day(answer.verified_at_ms, now)
    return StandingAnswer(answer.id, answer.text, answer.hits, verified, stale)


def _item(
    judged: Judged,
    record: Record,
    matched: Mapping[str, Mapping[str, Mapping[str, object]]],
    shown: set[str],
) -> RecallItem:
    candidate = judged.scored.candidate
    return RecallItem(
        id=candidate.id,
        text=candidate.text,
        title=candidate.title,
        layer=candidate.layer,
        kind=candidate.kind,
        scope=str(record.scope),
        provenance=candidate.provenance,
        created=candidate.created,
        score=judged.scored.score,
        decision=judged.decision,
        ranks=judged.scored.fused.ranks,
        scored=judged.scored,
        matched=matched.get(candidate.id, {}),
        slot=candidate.slot,
        injected=candidate.id in shown,
        duplicate_of=judged.duplicate_of,
    )


def _abstention(judged: Sequence[Judged], block: Block, mode: str) -> str:
    """Why nothing is injected, most telling reason first."""
    if not judged:
        return "no-match"
    if mode == "shadow":
        return "shadow-mode"
    if block.dropped:
        return "budget"
    reasons = Counter(each.decision.reason for each in judged if each.decision.action == "ignore")
    if not reasons:
        return "to-be-verified"
    return min(reasons, key=lambda reason: (-reasons[reason], reason))
