"""What should a store answer? The whole store seam in plain Python, in memory, without an index.

Every question is answered by looking at every row, so that there is little to get wrong: a fast double
for tests of what stands above the store, and the oracle that `SqliteStore` is compared with.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from memweir.errors import (
    EmbedderError,
    InputError,
    MemweirError,
    NotFoundError,
    RefusedError,
    SecretRefused,
    StoreClosed,
    ThreatRefused,
)
from memweir.store import vectors
from memweir.store.audit import DecisionRow, Run, Trail, phrasing_taken
from memweir.store.entry import FIELDS, IndexEntry, Indexer
from memweir.store.gates import check_fields
from memweir.store.identity import answer_address, document_address, memory_address, query_hash
from memweir.store.indexing import indexable, same_vector
from memweir.store.reads import (
    Edge,
    Mention,
    Neighbours,
    TermMatch,
    TermStatistics,
    TimedHit,
    VectorHit,
    VectorStatistics,
)
from memweir.store.records import ORIGIN_CREDENCE, OUTCOMES, Answer, Draft, Record, Stored, to_ms
from memweir.store.scopes import Scope
from memweir.store.seam import Store
from memweir.store.view import View
from memweir.store.writes import (
    CREDENCE_STEPS,
    check_answer,
    check_draft,
    draft_indexable,
    is_echo,
    merged_tags,
)
from memweir.testing.bm25 import Phrase, bm25
from memweir.testing.indexer import PlainIndexer
from memweir.testing.plain_rows import Row, State, likeness

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PlainStore"]

_LEARNED_LIMIT: Final = 40
_TRAIL_LIMIT: Final = 100
_DECISION_LIMIT: Final = 20
_ASCII_LOWER: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_COUNTED: Final = ("asserted", "repeated")


class PlainStore:
    """Implements `memweir.store.seam.Store` in memory, for one thread."""

    def __init__(
        self, indexer: Indexer | None = None, *, keep_runs: int = 5000, key: bytes = b"plain"
    ) -> None:
        """Args: indexer: None: `PlainIndexer()`; keep_runs: newest runs kept; key: of the hashes."""
        self._indexer: Indexer = indexer or PlainIndexer()
        self._keep_runs = keep_runs
        self._key = key
        self._kept: State | None = State()

    @property
    def _state(self) -> State:
        if self._kept is None:
            raise StoreClosed
        return self._kept

    @contextmanager
    def _writing(self) -> Iterator[State]:
        before = self._state
        self._kept = before.copy()
        try:
            yield self._kept
        except BaseException:
            self._kept = before
            raise

    def close(self) -> None:
        """Forget everything."""
        self._kept = None

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        self._state  # noqa: B018  a closed store says so
        yield

    # Writes

    def add_many(self, drafts: Iterable[Draft], *, now_ms: int) -> list[Stored | MemweirError]:
        results: list[Stored | MemweirError] = []
        with self._writing():
            for draft in drafts:
                if not isinstance(draft, Draft):
                    raise InputError(f"a Draft is needed, got {type(draft).__name__}")
                try:
                    check_draft(draft, key=self._key)
                except RefusedError as error:
                    self._note_refusal(error, now_ms)
                    results.append(error)
                    continue
                try:
                    results.append(self._add(draft, now_ms))
                except (NotFoundError, RefusedError) as error:
                    results.append(error)
        return results

    def _add(self, draft: Draft, now_ms: int) -> Stored:
        state = self._state
        entry = self._indexer.index([draft_indexable(draft)])[0]
        address, found = self._target(draft, entry, now_ms)
        loser = self._predecessor(draft, address, now_ms)
        echo = found is not None and is_echo(draft, found.record)
        if found is None:
            row = self._create(draft, entry, address, now_ms)
            outcome = "created"
        else:
            row = found
            outcome = self._merge(row, draft, now_ms, supersedes=loser is not None)
        kind = {"created": "asserted", "confirmed": "repeated", "updated": "edited"}[outcome]
        self._assert(row, draft, kind, now_ms, echo=echo)
        self._log(outcome, address, now_ms)
        if loser is not None and loser is not row:
            since = draft.valid_at or draft.created_at
            loser.record = replace(
                loser.record,
                superseded_by=address,
                invalid_at_ms=to_ms(since) if since else now_ms,
                updated_at_ms=now_ms,
            )
            if not echo:
                row.record = replace(row.record, supersedes=loser.record.id)
            self._prove(loser, "superseded", now_ms, source=address)
            self._log("superseded", loser.record.id, now_ms, detail=address)
        return Stored(address, outcome, state.rows[address].record.evidence_count)

    def _target(self, draft: Draft, entry: IndexEntry, now_ms: int) -> tuple[str, Row | None]:
        if draft.document_id is not None:
            address = document_address(draft.scope, draft.document_id)
            return address, self._state.rows.get(address)
        generation = 0
        while True:
            address = memory_address(draft, entry.normal, now_ms=now_ms, generation=generation)
            found = self._state.rows.get(address)
            if found is None or found.record.invalid_at_ms is None:
                return address, found
            generation += 1

    def _predecessor(self, draft: Draft, address: str, now_ms: int) -> Row | None:
        if draft.supersedes is None:
            return None
        found = self._state.rows.get(draft.supersedes)
        if found is None or found.record.scope != draft.scope or found.record.status != "active":
            raise NotFoundError("memory to supersede", draft.supersedes)
        if found.record.superseded_by == address:
            return None
        rule = ""
        if found.record.provenance == "human" and draft.provenance != "human":
            rule = "human-loser-protected"
        elif found.record.superseded_by is not None:
            rule = "superseded-already"
        if rule:
            self._log("supersede-refused", found.record.id, now_ms, rule=rule)
            raise RefusedError(f"{draft.supersedes} cannot be superseded: {rule}")
        return found

    def _create(self, draft: Draft, entry: IndexEntry, address: str, now_ms: int) -> Row:
        alpha, beta = ORIGIN_CREDENCE[draft.origin]
        created = now_ms if draft.created_at is None else to_ms(draft.created_at)
        record = Record(
            id=address,
            scope=draft.scope,
            text=draft.text,
            kind=draft.kind,
            layer=draft.layer,
            provenance=draft.provenance,
            origin=draft.origin,
            status="active",
            title=draft.title,
            semantic_key=draft.semantic_key,
            tags=draft.tags,
            speaker=draft.speaker,
            scene=draft.scene,
            domain=draft.domain,
            raw_quote=draft.raw_quote,
            importance=float(draft.importance),
            pinned=draft.pinned,
            document_id=draft.document_id,
            session_id=draft.session_id,
            source=draft.source,
            event_start_ms=None if draft.event_start is None else to_ms(draft.event_start),
            event_end_ms=None if draft.event_end is None else to_ms(draft.event_end),
            valid_at_ms=created if draft.valid_at is None else to_ms(draft.valid_at),
            invalid_at_ms=None,
            superseded_by=None,
            supersedes=None,
            created_at_ms=created,
            updated_at_ms=now_ms,
            confirmed_at_ms=created,
            expires_at_ms=None if draft.expires_at is None else to_ms(draft.expires_at),
            alpha=alpha,
            beta=beta,
            harmful_count=0,
            recall_count=0,
            last_recalled_at_ms=None,
            evidence_count=0,
            learned_terms=(),
            terms=frozenset(),
        )
        row = Row(record, len(self._state.rows) + 1, dated=draft.valid_at is not None)
        self._state.rows[address] = row
        self._scope(draft.scope)
        self._index(row, entry)
        return row

    def _merge(self, row: Row, draft: Draft, now_ms: int, *, supersedes: bool) -> str:
        old = row.record
        if old.status == "archived" and draft.provenance != "human":
            self._log("restore-refused", old.id, now_ms, rule="withdrawn-stays")
            raise RefusedError(f"{old.id} was withdrawn; a {draft.provenance} draft cannot restore it")
        rewritten = draft.document_id is not None and draft.text != old.text
        echo = is_echo(draft, old)
        if echo and supersedes and old.invalid_at_ms is not None:
            self._log("revive-refused", old.id, now_ms, rule="human-text-protected")
            raise RefusedError(f"a {draft.provenance} draft cannot make {old.id} hold again")
        if rewritten and old.provenance == "human" and draft.provenance != "human":
            self._log("rewrite-refused", old.id, now_ms, rule="human-text-protected")
            raise RefusedError(f"a {draft.provenance} draft cannot rewrite {old.id}")
        if echo:
            return "confirmed"
        moments: dict[str, Any] = {
            f"{name}_ms": to_ms(moment)
            for name in ("event_start", "event_end", "valid_at", "expires_at")
            if (moment := getattr(draft, name)) is not None
        }
        labels = {
            name: value
            for name in ("semantic_key", "speaker", "scene", "domain", "title")
            if (value := getattr(draft, name)) is not None
        }
        kept = {
            name: getattr(draft, name) if getattr(old, name) is None else getattr(old, name)
            for name in ("session_id", "source", "raw_quote")
        }
        new = replace(
            old,
            status="active" if old.status == "archived" else old.status,
            pinned=old.pinned or draft.pinned,
            importance=old.importance if draft.importance == 0.5 else float(draft.importance),
            provenance="human" if draft.provenance == "human" else old.provenance,
            tags=merged_tags(draft, old),
            updated_at_ms=now_ms,
            confirmed_at_ms=max(old.confirmed_at_ms, now_ms),
            **moments,
            **labels,
            **kept,
        )
        row.dated = row.dated or draft.valid_at is not None
        if rewritten:
            new = self._rewrite(row, new, draft)
        if old.invalid_at_ms is not None and (rewritten or supersedes):
            since = draft.valid_at or draft.created_at
            new = replace(
                new,
                invalid_at_ms=None,
                superseded_by=None,
                valid_at_ms=to_ms(since) if since else now_ms,
            )
            row.dated = True
            self._log("revived", old.id, now_ms)
        row.record = new
        changed = old.status != "active" or indexable(new) != indexable(old)
        if new.status == "active" and changed:
            self._reindex(row, old if old.status == "active" else None)
        return "updated" if rewritten else "confirmed"

    def _rewrite(self, row: Row, merged: Record, draft: Draft) -> Record:
        """Another text: what belonged to the old one goes."""
        row.mentions.clear()
        row.relations.clear()
        alpha, beta = ORIGIN_CREDENCE[draft.origin]
        return replace(
            merged,
            text=draft.text,
            kind=draft.kind,
            layer=draft.layer,
            provenance=draft.provenance,
            origin=draft.origin,
            tags=draft.tags or row.record.tags,
            session_id=draft.session_id,
            source=draft.source,
            raw_quote=draft.raw_quote,
            event_start_ms=None if draft.event_start is None else to_ms(draft.event_start),
            event_end_ms=None if draft.event_end is None else to_ms(draft.event_end),
            expires_at_ms=None if draft.expires_at is None else to_ms(draft.expires_at),
            alpha=alpha,
            beta=beta,
            harmful_count=0,
            learned_terms=(),
        )

    def _assert(self, row: Row, draft: Draft, kind: str, now_ms: int, *, echo: bool) -> None:
        for name in () if echo else draft.entities:
            self._mention(row, name)
        for edge in () if echo else draft.relations:
            source, target = self._mention(row, edge.source), self._mention(row, edge.target)
            if (source, edge.predicate, target) not in [each[1:] for each in row.relations]:
                self._state.last_relation += 1
                row.relations.append((self._state.last_relation, source, edge.predicate, target))
        self._prove(row, kind, now_ms, source=draft.source)
        kinds = [each["kind"] for each in row.evidence]
        edits = [place for place, each in enumerate(kinds) if each == "edited"]
        current = kinds[edits[-1] :] if edits else kinds
        count = sum(each in (*_COUNTED, "edited") for each in current)
        row.record = replace(row.record, evidence_count=count)

    def _mention(self, row: Row, name: str) -> int:
        entity = self._state.entity(self._indexer.fold(name), name)
        row.mention(entity, "stated")
        return entity

    def archive(self, memory_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Record:
        with self._writing():
            row = self._owned(memory_id, scopes)
            if row.record.status != "archived":
                self._unindex(row)
                row.record = replace(row.record, status="archived", updated_at_ms=now_ms)
                self._log("archived", memory_id, now_ms)
        return self.fetch(memory_id, scopes)

    def restore(self, memory_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Record:
        with self._writing():
            row = self._owned(memory_id, scopes)
            if row.record.status == "archived":
                row.record = replace(row.record, status="active", updated_at_ms=now_ms)
                self._reindex(row)
                self._log("restored", memory_id, now_ms)
        return self.fetch(memory_id, scopes)

    def feedback(
        self,
        memory_id: str,
        outcome: str,
        scopes: Sequence[Scope] | None,
        *,
        now_ms: int,
        note: str | None = None,
        learned: Sequence[str] = (),
    ) -> Record:
        self._state  # noqa: B018
        if outcome not in OUTCOMES:
            raise InputError(f"unknown outcome {outcome!r}")
        self._check({"note": note or ""}, now_ms)
        for term in learned:
            self._check({"learned": term}, now_ms)
        with self._writing() as state:
            row = self._owned(memory_id, scopes)
            old = row.record
            alpha, beta, harmful = CREDENCE_STEPS[outcome]
            helped = outcome == "helped"
            row.record = replace(
                old,
                alpha=old.alpha + alpha,
                beta=old.beta + beta,
                harmful_count=old.harmful_count + harmful,
                confirmed_at_ms=max(old.confirmed_at_ms, now_ms) if helped else old.confirmed_at_ms,
                updated_at_ms=now_ms,
            )
            if outcome != "unknown":
                self._prove(row, outcome, now_ms, source=None, note=note or None)
            pieces = dict.fromkeys(piece for term in learned for piece in term.split())
            fresh = [piece for piece in pieces if piece not in old.terms]
            if helped and fresh and old.status == "active":
                terms = tuple(dict.fromkeys([*fresh, *old.learned_terms]))[:_LEARNED_LIMIT]
                row.record = replace(row.record, learned_terms=terms)
                self._reindex(row, old)
            told = {"outcome": outcome, "at": now_ms, "note": note or None}
            state.consumption.append((memory_id, told))
        return row.record

    def put_answer(
        self, scope: Scope, text: str, phrasings: Mapping[str, str], *, now_ms: int
    ) -> Answer:
        self._state  # noqa: B018
        if not phrasings:
            raise InputError("a standing answer needs a phrasing")
        with self._gated(now_ms):
            check_answer(scope, text, phrasings.values(), key=self._key)
        first = next(iter(phrasings))
        answer_id = answer_address(scope, first)
        with self._writing() as state:
            self._scope(scope)
            for key in phrasings:
                other, _ = state.phrasings.get((scope, key), (answer_id, ""))
                if other != answer_id:
                    raise phrasing_taken(other)
            known = state.answers.get(answer_id)
            hits = known.hits if known else 0
            state.answers[answer_id] = Answer(answer_id, scope, text, (), hits, now_ms)
            for key, words in phrasings.items():
                state.phrasings[scope, key] = (answer_id, words)
        found = self.find_answer((scope,), first)
        assert found is not None
        return found

    def find_answer(self, scopes: Sequence[Scope], key: str) -> Answer | None:
        state = self._state
        ids = [state.phrasings[scope, key][0] for scope in scopes if (scope, key) in state.phrasings]
        if not ids:
            return None
        answers = [state.answers[each] for each in ids]
        best = min(answers, key=lambda each: (-each.verified_at_ms, each.id))
        words = sorted(
            (each, text) for (_, each), (owner, text) in state.phrasings.items() if owner == best.id
        )
        return replace(best, phrasings=tuple(text for _, text in words))

    def record_run(self, run: Run) -> int:
        with self._writing() as state:
            state.last_run += 1
            state.runs.append((state.last_run, run))
            for memory_id in run.injected:
                row = state.rows.get(memory_id)
                if row is not None:
                    row.record = replace(
                        row.record,
                        recall_count=row.record.recall_count + 1,
                        last_recalled_at_ms=run.at_ms,
                    )
            answer = state.answers.get(run.answer_id or "")
            if answer is not None:
                state.answers[answer.id] = replace(answer, hits=answer.hits + 1)
            state.runs = [each for each in state.runs if each[0] > state.last_run - self._keep_runs]
            return state.last_run

    def reindex(self, *, now_ms: int) -> int:
        with self._writing() as state:
            active = [row for row in state.rows.values() if row.record.status == "active"]
            for row in active:
                self._reindex(row)
            self._log("reindexed", None, now_ms, detail=str(len(active)))
        return len(active)

    # Single rows

    def hash_query(self, text: str) -> str:
        self._state  # noqa: B018
        return query_hash(text, self._key)

    def fetch(self, memory_id: str, scopes: Sequence[Scope]) -> Record:
        return self._owned(memory_id, scopes).record

    def trail(self, memory_id: str, scopes: Sequence[Scope]) -> Trail:
        row = self._owned(memory_id, scopes)
        state = self._state
        decisions = [
            _decision_values(run_id, run, decision)
            for run_id, run in reversed(state.runs)
            for decision in {each.memory_id: each for each in run.decisions}.values()
            if decision.memory_id == memory_id
        ]
        ledger = [values for owner, values in reversed(state.ledger) if owner == memory_id]
        told = [values for owner, values in reversed(state.consumption) if owner == memory_id]
        return Trail(
            evidence=tuple(reversed(row.evidence))[:_TRAIL_LIMIT],
            ledger=tuple(ledger[:_TRAIL_LIMIT]),
            decisions=tuple(decisions[:_DECISION_LIMIT]),
            consumption=tuple(told[:_TRAIL_LIMIT]),
            relations=tuple(
                (state.names[source], predicate, state.names[target])
                for _, source, predicate, target in row.relations
            ),
        )

    def statistics(self) -> dict[str, Any]:
        state = self._state
        records = [row.record for row in state.rows.values()]
        active = [record for record in records if record.status == "active"]
        tables = {
            "memories": Counter(record.status for record in records),
            "layers": Counter(record.layer for record in active),
            "kinds": Counter(record.kind for record in active),
            "scopes": Counter(record.scope.kind for record in active),
        }
        return {name: _json(table) for name, table in tables.items()} | {
            "entities": len(state.entities),
            "relations": sum(len(row.relations) for row in state.rows.values()),
            "answers": len(state.answers),
            "runs": len(state.runs),
            "terms": len(set().union(*(record.terms for record in active))),
            "pending": sum(row.pending for row in state.rows.values()),
            "bytes": 0,
            "analyzer": self._indexer.analyzer,
            "embedder": self._indexer.embedder,
            "schema": 0,
        }

    def index_mismatch(self) -> dict[str, tuple[str, str]]:
        self._state  # noqa: B018
        return {}

    # Candidate queries

    def keyword(self, view: View, match: TermMatch, limit: int) -> list[tuple[str, float]]:
        rows = {row.record.id: self._columns(row) for row in self._state.rows.values() if row.entry}
        phrases = [
            Phrase(term, (field,) if field else FIELDS)
            for field, terms in match.terms.items()
            for term in terms
        ]
        scores = bm25(rows, phrases, match.weights)
        shown = [(row.record.id, scores[row.record.id]) for row in self._matched(view, scores)]
        return sorted(shown, key=lambda hit: (-hit[1], hit[0]))[:limit]

    def matching(self, view: View, match: TermMatch, limit: int) -> list[str]:
        found = [memory_id for memory_id, _ in self.keyword(view, match, len(self._state.rows))]
        return self._newest(self._matched(view, found), limit)

    def substring(self, view: View, raw: str, folded: str, limit: int) -> list[str]:
        found = [
            row
            for row in self._shown(view)
            if raw in row.record.text or folded in row.record.text.translate(_ASCII_LOWER)
        ]
        return self._newest(found, limit)

    def nearest(self, view: View, query: NDArray[np.float32], limit: int) -> list[VectorHit]:
        ids = [row.record.id for row in self._shown(view)]
        hits = self.similarity(query, ids).values()
        return sorted(hits, key=lambda hit: (-hit.cosine, hit.id))[:limit]

    def similarity(self, query: NDArray[np.float32], ids: Sequence[str]) -> dict[str, VectorHit]:
        if query.shape != (self._indexer.dim,):
            raise EmbedderError(f"a query of {self._indexer.dim} dimensions is needed")
        values = [float(value) for value in query]
        if not any(values):
            return {}
        rows = (self._state.rows.get(memory_id) for memory_id in ids)
        return {
            row.record.id: VectorHit(row.record.id, *likeness(values, row.blob))
            for row in rows
            if row is not None and row.blob is not None
        }

    def event_window(self, view: View, start_ms: int, end_ms: int, limit: int) -> list[TimedHit]:
        found = [
            hit
            for hit in map(_timed, self._shown(view))
            if hit.event_start_ms is not None
            and hit.event_end_ms is not None
            and hit.event_start_ms < end_ms
            and hit.event_end_ms > start_ms
        ]
        return sorted(found, key=lambda hit: (-(hit.event_start_ms or 0), hit.id))[:limit]

    def created_window(self, view: View, start_ms: int, end_ms: int, limit: int) -> list[TimedHit]:
        found = [
            hit for hit in map(_timed, self._shown(view)) if start_ms <= hit.created_at_ms < end_ms
        ]
        return sorted(found, key=lambda hit: (-hit.created_at_ms, hit.id))[:limit]

    def latest(self, view: View, limit: int) -> list[TimedHit]:
        told = [hit for hit in map(_timed, self._shown(view)) if hit.created_at_ms <= view.as_of_ms]
        return sorted(told, key=lambda hit: (-hit.created_at_ms, hit.id))[:limit]

    def pinned(self, view: View, limit: int) -> list[str]:
        found = [row.record for row in self._shown(view) if row.record.pinned]
        found.sort(key=lambda each: (-each.importance, -each.confirmed_at_ms, each.id))
        return [record.id for record in found[:limit]]

    def beliefs(self, view: View, limit: int) -> list[str]:
        found = [row.record for row in self._shown(view) if row.record.layer == "belief"]
        found.sort(
            key=lambda each: (-each.confidence, -each.importance, -each.confirmed_at_ms, each.id)
        )
        return [record.id for record in found[:limit]]

    def records(self, view: View, ids: Sequence[str]) -> dict[str, Record]:
        return {row.record.id: row.record for row in self._matched(view, ids)}

    def count(self, view: View) -> int:
        return len(self._shown(view))

    def entities_named(self, norms: Sequence[str]) -> dict[str, int]:
        known = self._state.entities
        return {norm: known[norm] for norm in norms if norm in known}

    def entities_of(self, view: View, ids: Sequence[str]) -> list[Mention]:
        found = [
            Mention(row.record.id, entity, role)
            for row in self._matched(view, ids)
            for entity, role in row.mentions.items()
        ]
        return sorted(found, key=lambda each: (each.id, each.entity))

    def mentions_of(self, view: View, entity: int, limit: int) -> list[Mention]:
        # Of more than the limit those stored first, as the seam says; only then the order.
        rows = [row for row in self._shown(view) if entity in row.mentions][:limit]
        rows.sort(
            key=lambda row: (
                row.mentions[entity] == "text",
                -row.record.created_at_ms,
                row.record.id,
            )
        )
        return [Mention(row.record.id, entity, row.mentions[entity]) for row in rows]

    def relations_at(self, view: View, entity: int, limit: int) -> list[Edge]:
        asserted = [(row, edge) for row in self._shown(view) for edge in row.relations]
        asserted.sort(key=lambda pair: (-pair[0].record.created_at_ms, pair[1][0]))
        leaving = [pair for pair in asserted if pair[1][1] == entity][:limit]
        arriving = [pair for pair in asserted if pair[1][3] == entity][:limit]
        edges = [Edge(row.record.id, edge[2], edge[1], edge[3]) for row, edge in leaving + arriving]
        return list(dict.fromkeys(edges))

    def entity_name(self, entity: int) -> str:
        return self._state.names[entity]

    def neighbours(self, view: View, ids: Sequence[str]) -> dict[str, Neighbours]:
        turns: dict[tuple[Scope, str, int], list[str]] = {}
        for row in sorted(self._shown(view), key=lambda row: (row.record.created_at_ms, row.record.id)):
            place = row.place_in_session()
            if place is not None:
                turns.setdefault(place, []).append(row.record.id)
        found = {}
        for row in self._matched(view, ids):
            place = row.place_in_session()
            if place is not None:
                sides = [turns.get((*place[:2], place[2] + step), []) for step in (-1, 1)]
                line = [*sides[0][-1:], *turns[place], *sides[1][:1]]
                at = line.index(row.record.id)
                before, after = line[:at][-1:], line[at + 1 :][:1]
                found[row.record.id] = Neighbours(
                    *[side[0] if side else None for side in (before, after)]
                )
        return found

    def term_statistics(self, view: View, terms: Iterable[str]) -> TermStatistics:
        rows = [row for row in self._state.rows.values() if row.record.scope in view.scopes]
        indexed = [row.record.terms for row in rows if row.entry]
        counts = Counter(term for held in indexed for term in held)
        return TermStatistics(
            len(indexed), {term: counts[term] for term in sorted(set(terms)) if counts[term]}
        )

    def vector_statistics(self) -> VectorStatistics:
        import numpy as np

        blobs = [row.blob for row in self._state.rows.values() if row.blob is not None]
        df = np.zeros(self._indexer.dim - self._indexer.tail, np.int64)
        for blob in blobs:
            df[vectors.decode_support(blob)] += 1
        return VectorStatistics(len(blobs), df)

    # Helpers

    def _shown(self, view: View) -> list[Row]:
        return [row for row in self._state.rows.values() if row.shown(view)]

    def _matched(self, view: View, ids: Iterable[str]) -> list[Row]:
        wanted = set(ids)
        return [row for row in self._shown(view) if row.record.id in wanted]

    @staticmethod
    def _newest(rows: Sequence[Row], limit: int) -> list[str]:
        order = sorted(rows, key=lambda row: (-row.record.created_at_ms, row.record.id))
        return [row.record.id for row in order[:limit]]

    def _columns(self, row: Row) -> dict[str, tuple[str, ...]]:
        fields = row.entry.fields if row.entry else {}
        # The scope token makes every row one token longer; its weight is nought.
        return {**fields, "scope": (f"s{self._state.scopes[row.record.scope]}",)}

    def _owned(self, memory_id: str, scopes: Sequence[Scope] | None) -> Row:
        row = self._state.rows.get(memory_id)
        if row is None or (scopes is not None and row.record.scope not in scopes):
            raise NotFoundError("memory", memory_id)
        return row

    def _scope(self, scope: Scope) -> int:
        return self._state.scopes.setdefault(scope, len(self._state.scopes) + 1)

    def _index(self, row: Row, entry: IndexEntry) -> None:
        row.entry, row.blob, row.pending = entry, self._encoded(entry.embedding), entry.pending
        terms = frozenset(term for held in entry.fields.values() for term in held)
        row.record = replace(row.record, terms=terms)
        for norm, name, role in entry.entities:
            row.mention(self._state.entity(norm, name), role)

    def _encoded(self, embedding: NDArray[np.float32]) -> bytes | None:
        encoded = vectors.encode(embedding, sparse=self._indexer.sparse, tail=self._indexer.tail)
        return encoded[0] if encoded else None

    def _unindex(self, row: Row) -> None:
        row.entry = row.blob = None
        row.pending = False
        row.record = replace(row.record, terms=frozenset())
        row.mentions = {entity: role for entity, role in row.mentions.items() if role == "stated"}

    def _reindex(self, row: Row, before: Record | None = None) -> None:
        document = indexable(row.record)
        entry = self._indexer.index([document])[0]
        vector = row.blob, row.pending
        self._unindex(row)
        self._index(row, entry)
        if entry.pending and before is not None and same_vector(indexable(before), document):
            row.blob, row.pending = vector

    def pending(self, limit: int) -> list[str]:
        rows = [row for row in self._state.rows.values() if row.pending]
        rows.sort(key=lambda row: -row.seq)
        return [row.record.id for row in rows[:limit]]

    def index_pending(self, ids: Sequence[str]) -> int:
        with self._writing() as state:
            rows = [state.rows[each] for each in ids if each in state.rows and state.rows[each].pending]
            embeddings = self._indexer.vectors([indexable(row.record) for row in rows])
            for row, embedding in zip(rows, embeddings, strict=True):
                row.blob, row.pending = self._encoded(embedding), False
        return len(rows)

    def _check(self, fields: Mapping[str, str], now_ms: int) -> None:
        with self._gated(now_ms):
            check_fields({name: text for name, text in fields.items() if text}, key=self._key)

    @contextmanager
    def _gated(self, now_ms: int) -> Iterator[None]:
        self._state  # noqa: B018
        try:
            yield
        except RefusedError as error:
            with self._writing():
                self._note_refusal(error, now_ms)
            raise

    def _note_refusal(self, error: RefusedError, now_ms: int) -> None:
        rule = error.rule if isinstance(error, SecretRefused | ThreatRefused) else "refused"
        self._log("refused", None, now_ms, rule=rule)

    def _prove(self, row: Row, kind: str, now_ms: int, **values: object) -> None:
        row.evidence.append({"kind": kind, "at": now_ms, "source": None, "note": None} | values)

    def _log(self, action: str, memory_id: str | None, now_ms: int, **values: object) -> None:
        entry = {"at": now_ms, "action": action, "rule": None, "detail": None} | values
        self._state.ledger.append((memory_id, entry))


def _json(table: Mapping[str, int]) -> str:
    return json.dumps(dict(sorted(table.items())), separators=(",", ":"))


def _timed(row: Row) -> TimedHit:
    record = row.record
    return TimedHit(record.id, record.event_start_ms, record.event_end_ms, record.created_at_ms)


def _decision_values(run_id: int, run: Run, decision: DecisionRow) -> dict[str, object]:
    names = ("rank", "action", "reason", "score", "relevance", "freshness", "confidence", "risk")
    return (
        {"run_id": run_id, "at": run.at_ms}
        | {name: getattr(decision, name) for name in names}
        | {
            "paths": dict(sorted(decision.paths.items())),
            "injected": decision.memory_id in run.injected,
        }
    )


if TYPE_CHECKING:

    def _implements(store: PlainStore) -> Store:
        """Checked by the type checker: the double has every verb of the seam."""
        return store
