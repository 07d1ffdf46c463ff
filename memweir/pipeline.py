"""How does a turn's text become a block? Query, four paths, fusion, gate, injection: one pass."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from memweir.asking import Asker, Request, answer_key, is_stale, says_something
from memweir.config import Config
from memweir.dating import in_zone_of
from memweir.errors import NotFoundError
from memweir.finding import Assessed, Finder, Findings
from memweir.fusion.decay import decay
from memweir.fusion.duplicates import collapse
from memweir.fusion.gate import judge
from memweir.fusion.injection import render
from memweir.fusion.rerank import rerank
from memweir.fusion.rrf import unranked
from memweir.fusion.types import Block, Budget, Candidate, Judged, Scored, StandingAnswer
from memweir.recording import aging_layers
from memweir.results import Recall, RecallItem
from memweir.retrieval.features import FEATURES
from memweir.retrieval.types import Analysis, Query, RetrievalPath
from memweir.routing import Router
from memweir.store.gates import scan_threats
from memweir.store.records import ELSEWHERE, Answer, Record, from_ms, to_ms
from memweir.store.seam import Store
from memweir.store.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memweir.retrieval.analysis import Analyzer
    from memweir.retrieval.meaning import WordVectors
    from memweir.retrieval.types import Embedder

__all__ = ["Pipeline", "Request", "answer_key"]

_NUMBER: Final = re.compile(r"\d+(?:[.:]\d+)*")
_DUPLICATE_CHECKS: Final = 4  # candidates compared, as a multiple of the entries that may be shown
_DAY_MS: Final = 86_400_000
_HOUR_MS: Final = 3_600_000


class Pipeline:
    """Stateless between calls; the store is asked for everything."""

    def __init__(
        self,
        store: Store,
        analyzer: Analyzer,
        embedder: Embedder,
        paths: Mapping[str, RetrievalPath],
        config: Config,
        words: WordVectors | None,
    ) -> None:
        """Args: words: None: no word is near another in meaning."""
        self._store = store
        self._analyzer = analyzer
        self._config = config
        self._asker = Asker(store, analyzer, embedder, config, semantic="semantic" in paths)
        self._finder = Finder(store, analyzer, paths, config, words)
        self._router = Router(store, analyzer, config)

    def run(self, request: Request, *, vectors: bool) -> Recall:
        """The whole pass, without audit. Args: vectors: the store's vectors fit the embedder."""
        analysis = self._analyzer.analyse(request.text)
        if not says_something(analysis):
            return Recall(abstained="empty-query", mode=request.mode)
        with self._store.snapshot():
            request = replace(request, view=self._router.route(request))
            blocked = self._store.blocked(request.view)
            asking = self._asker.ask(request, analysis, vectors=vectors)
            query, warnings = asking.query, asking.warnings
            answer = self._answer(request, analysis)
            if answer is not None and scan_threats(answer.text) is not None:
                warnings = (*warnings, f"{answer.id} reads as an instruction: left out")
                answer = None
            found = self._finder.find(query, asking.profile, limit=request.limit, budget=request.budget)
            judged = self._judge(query, found, request)
        block = render(
            judged,
            today=request.now.date(),
            budget=request.budget,
            mode=request.mode,
            path_hits={name: len(ranking.hits) for name, ranking in found.rankings.items()},
            answer=_standing(answer, request),
            guard=_instruction,
        )
        result = self._recall(request, found, judged, block, answer)
        return replace(result, warnings=(*warnings, *block.warnings), blocked=blocked)

    def _answer(self, request: Request, analysis: Analysis) -> Answer | None:
        if not self._config.answers.enabled:
            return None
        key, view = answer_key(analysis), request.view
        found = self._store.find_answer(view.scopes, key, at_ms=view.told_by_ms)
        if found is None:
            return None
        asked_ms = to_ms(request.now)
        if view.told_by_ms is not None:
            asked_ms = min(asked_ms, view.told_by_ms)
        stale = is_stale(found, asked_ms, days=self._config.answers.stale_days)
        return replace(found, stale=stale)

    # Judgement

    def _judge(self, query: Query, found: Findings, request: Request) -> list[Judged]:
        config = self._config
        candidates = self._candidates(query, found, request.used or {})
        ranked = {each.id for each in found.fused}
        fused = [*found.fused, *(unranked(each) for each in found.slots if each not in ranked)]
        scored = rerank(fused, candidates, config=config.rerank, decay=config.decay)
        # Scanned when written; scanned again here, because a file can be changed behind our back.
        answered = found.turn >= config.gate.turn_relevance
        newer = {each.contested for each in candidates.values()}
        scored = [
            self._checked(each, request.budget, answered=answered, along=each.candidate.id in newer)
            for each in scored
        ]
        # Only what may be shown can be shown twice.
        best = scored[: max(request.budget.items, 1) * _DUPLICATE_CHECKS]
        relevant = [each for each in best if not each.candidate.suspicious]
        duplicates = collapse(relevant, threshold=config.retrieval.duplicate_threshold)
        return judge(scored, config=config.gate, duplicates=duplicates, turn=found.turn)

    def _checked(self, scored: Scored, budget: Budget, *, answered: bool, along: bool) -> Scored:
        """The same, marked where its text speaks to the agent; only of what may come into the block.

        Args:
            along: it may have replaced another candidate.
        """
        candidate = scored.candidate
        wanted = candidate.relevance >= self._config.gate.min_relevance and (
            answered or candidate.grounded
        )
        if not (wanted or along or candidate.slot or candidate.exact or candidate.group):
            return scored
        if len(candidate.text) > budget.characters:  # entries are whole or absent: it is absent
            return scored
        return replace(scored, candidate=_scanned(candidate))

    def _candidates(
        self, query: Query, found: Findings, used: Mapping[str, int]
    ) -> dict[str, Candidate]:
        gate = self._config.gate
        answered = found.turn >= gate.turn_relevance
        candidates = {}
        contested = self._contested(query.view, found)
        replacing = self._replacing(query.view, found.records)
        decayed = self._decayed(query, found.records, used)
        for memory_id, record in found.records.items():
            assessed, slot = found.assessed[memory_id], found.slots.get(memory_id, "")
            relevant = assessed.relevance >= gate.min_relevance and (answered or assessed.grounded)
            # A belief that the query's words find needs no slot; one they do not find may take one.
            if slot == "belief" and relevant:
                slot = ""
            candidate = _candidate(record, assessed, query, slot=slot)
            newer = contested.get(memory_id, "")
            if not newer and candidate.ended:  # a chain is read from what holds backwards
                newer = self._successor(record, query.view) or replacing.get(memory_id, "")
            if newer or memory_id in decayed:
                unused, one_off = decayed.get(memory_id, (False, False))
                candidate = replace(candidate, contested=newer, unused=unused, one_off=one_off)
            candidates[memory_id] = candidate
        return candidates

    def _contested(self, view: View, found: Findings) -> dict[str, str]:
        """Memory → the one that may have replaced it, where this caller may see that one."""
        records = found.records
        beside = [each for each in records if each not in found.contested]
        contested = {**found.contested, **(self._store.contested(view, beside) if beside else {})}
        unknown = sorted({newer for newer in contested.values() if newer and newer not in records})
        shown = {**records, **(self._store.records(view, unknown) if unknown else {})}
        return {
            older: newer
            for older, newer in contested.items()
            if older in records and newer in shown and self._speaks(shown[newer], view)
        }

    def _replacing(self, view: View, records: Mapping[str, Record]) -> dict[str, str]:
        """Memory that holds no more → what took its place by a person's decision."""
        ended = [each.id for each in records.values() if not _holds(each, view)]
        return self._store.replacing(view, ended) if ended else {}

    def _successor(self, record: Record, view: View) -> str:
        """What superseded a memory, by its id where this caller may see it."""
        if record.superseded_by is None:
            return ""
        try:
            return self._store.fetch(record.superseded_by, view.scopes).id
        except NotFoundError:
            return ELSEWHERE

    def _speaks(self, record: Record, view: View) -> bool:
        """Whether a memory may take the word from another: not where the gate gives it none."""
        expired = record.expires_at_ms is not None and record.expires_at_ms <= view.as_of_ms
        return not expired and record.harmful_count < self._config.gate.quarantine_harmful

    def _decayed(
        self, query: Query, records: Mapping[str, Record], used: Mapping[str, int]
    ) -> dict[str, tuple[bool, bool]]:
        """Memory → (unused, one-off) of those from whose weight time takes something."""
        config = self._config.decay
        layers = aging_layers(config)
        aging = [each for each in records.values() if each.layer in layers]
        if not aging:
            return {}
        now_ms = to_ms(query.now)
        used = self._store.last_used([each.id for each in aging], now_ms) | dict(used)
        found = {}
        for each in aging:
            confirmed = each.confirmed_at_ms if each.confirmed_at_ms <= now_ms else each.created_at_ms
            happened = each.event_end_ms if each.event_end_ms is not None else each.created_at_ms
            signs = decay(
                each.layer,
                idle_days=(now_ms - max(used.get(each.id, 0), confirmed)) / _DAY_MS,
                age_days=(now_ms - max(happened, min(confirmed, now_ms))) / _DAY_MS,
                occurrences=each.evidence_count,
                config=config,
            )
            if any(signs):
                found[each.id] = signs
        return found

    # Result

    def _recall(
        self,
        request: Request,
        found: Findings,
        judged: Sequence[Judged],
        block: Block,
        answer: Answer | None,
    ) -> Recall:
        shown = set(block.ids)
        matched: dict[str, dict[str, Mapping[str, object]]] = {}
        for name, ranking in found.rankings.items():
            for hit in ranking.hits:
                matched.setdefault(hit.id, {})[name] = {"score": hit.score} | dict(hit.why)
        items = tuple(
            _item(
                each,
                found.records[each.scored.candidate.id],
                matched,
                shown,
                _added(found.assessed[each.scored.candidate.id].contributions),
                found.turn,
            )
            for each in judged
        )
        by_id = {item.id: item for item in items}
        return Recall(
            block=block.text,
            items=tuple(by_id[memory_id] for memory_id in block.ids),
            candidates=items,
            rankings=dict(found.rankings),
            answer=answer,
            answer_stale=answer is not None and answer.stale,
            relevance=found.turn,
            abstained="" if block.text else _abstention(judged, block, request.mode),
            dropped=block.dropped,
            mode=request.mode,
            rendered=block,
        )


def _candidate(
    record: Record,
    assessed: Assessed,
    query: Query,
    *,
    slot: str,
) -> Candidate:
    now_ms = to_ms(query.now)
    happened = record.event_end_ms if record.event_end_ms is not None else record.created_at_ms
    reference = max(record.confirmed_at_ms, min(happened, now_ms))
    return Candidate(
        id=record.id,
        text=record.text,
        title=record.title or "",
        speaker=record.speaker or "",
        layer=record.layer,
        kind=record.kind,
        scope_kind=record.scope.kind,
        provenance=record.provenance,
        status=_status(record, query.view),
        relevance=assessed.relevance,
        grounded=assessed.grounded,
        match=assessed.match,
        confidence=record.confidence,
        age_days=(now_ms - reference) / _DAY_MS,
        importance=record.importance,
        harmful_count=record.harmful_count,
        expired=record.expires_at_ms is not None and record.expires_at_ms <= query.view.as_of_ms,
        valid=_holds(record, query.view) or query.view.include_history,
        ended="" if _holds(record, query.view) else _day(record.invalid_at_ms or 0, query.now),
        pinned=record.pinned,
        slot=slot,
        exact=assessed.reasons.exact,
        # Learned terms say what a memory was good for, not what it states.
        fingerprint=record.terms - frozenset(record.learned_terms),
        numbers=tuple(_NUMBER.findall(record.text)),
        created=_shown_day(record, query.now),
        evidence_count=record.evidence_count,
        group=record.coexistence or "",
    )


def _status(record: Record, view: View) -> str:
    """What was replaced is archived by now; to whom looks back it is a memory that held."""
    return "active" if view.looks_back and record.status == "archived" else record.status


def _added(contributions: NDArray[np.float64]) -> dict[str, float]:
    """Feature → what it adds to the score; those that add nothing are left out."""
    return {name: value for name, value in zip(FEATURES, contributions.tolist(), strict=True) if value}


def _day(milliseconds: int, now: datetime) -> str:
    """The caller's calendar day of a moment; at the ends of the calendar the day in UTC."""
    moment = from_ms(milliseconds)
    with suppress(OverflowError):
        moment = in_zone_of(now, moment)
    return moment.date().isoformat()


def _shown_day(record: Record, now: datetime) -> str:
    """The day that stands beside a memory: of what it speaks about, or when it was told.

    Whole days are days wherever they are read. They were told in a zone that is kept nowhere, but where
    they began at its midnight their middle is on the same date in UTC, from UTC-11 to UTC+12.
    """
    start, end = record.event_start_ms, record.event_end_ms
    if start is None or end is None:
        return _day(record.created_at_ms if start is None else start, now)
    clock = (end - start + _HOUR_MS) % _DAY_MS  # an hour more or less where clocks were changed
    whole = end - start >= _DAY_MS - _HOUR_MS and clock <= 2 * _HOUR_MS
    if not whole or _is_midnight(start, now):
        return _day(start, now)
    return from_ms(start + _DAY_MS // 2).date().isoformat()


def _is_midnight(milliseconds: int, now: datetime) -> bool:
    with suppress(OverflowError, ValueError, NotImplementedError):
        moment = from_ms(milliseconds).astimezone(now.tzinfo)
        return (moment.hour, moment.minute, moment.second) == (0, 0, 0)
    return False


def _holds(record: Record, view: View) -> bool:
    """Whether a memory is true at the view's instant; history is shown as what it is."""
    return record.invalid_at_ms is None or record.invalid_at_ms > view.as_of_ms


def _scanned(candidate: Candidate) -> Candidate:
    for text in (candidate.text, candidate.title, candidate.speaker):
        rule = _instruction(text) if text else ""
        if rule:
            return replace(candidate, suspicious=rule)
    return candidate


def _instruction(text: str) -> str:
    """The rule by which a text addresses the agent, "" where it does not."""
    finding = scan_threats(text)
    return "" if finding is None else finding.rule


def _standing(answer: Answer | None, request: Request) -> StandingAnswer | None:
    if answer is None:
        return None
    verified = _day(answer.verified_at_ms, request.now)
    hits = answer.hits if request.answer_hits is None else request.answer_hits
    return StandingAnswer(answer.id, answer.text, hits, verified, answer.stale)


def _item(
    judged: Judged,
    record: Record,
    matched: Mapping[str, Mapping[str, Mapping[str, object]]],
    shown: set[str],
    contributions: Mapping[str, float],
    turn: float,
) -> RecallItem:
    candidate = judged.scored.candidate
    return RecallItem(
        id=candidate.id,
        text=candidate.text,
        title=candidate.title,
        speaker=candidate.speaker,
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
        contributions=contributions,
        slot=candidate.slot,
        injected=candidate.id in shown,
        duplicate_of=judged.duplicate_of,
        turn=turn,
    )


def _abstention(judged: Sequence[Judged], block: Block, mode: str) -> str:
    """Why nothing is injected: of what the gate kept out, why the best was."""
    if not judged:
        return "no-match"
    if mode == "shadow":
        return "shadow-mode"
    if block.dropped:
        return "budget"
    best = judged[0].decision
    return best.reason if best.action == "ignore" else "to-be-verified"
