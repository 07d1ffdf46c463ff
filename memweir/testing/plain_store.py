"""What should a store answer? The whole store seam in plain Python, in memory, without an index.

Every question is answered by looking at every row, so that there is little to get wrong: a fast double
for tests of what stands above the store, and the oracle that `SqliteStore` is compared with.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from memweir.errors import (
    InputError,
    MemweirError,
    NotFoundError,
    PersonalDataRefused,
    RefusedError,
    SecretRefused,
    StoreClosed,
    ThreatRefused,
)
from memweir.store.draft_gates import check_draft, personal_rule
from memweir.store.edits import ADJUSTABLE, differing, edited, says_no_more
from memweir.store.entry import Indexer
from memweir.store.gates import check_fields
from memweir.store.indexing import indexable
from memweir.store.policy import LEARNED_RUNS, LEARNING_DAYS, WITHDRAWN, WritePolicy
from memweir.store.records import OUTCOMES, Draft, Record, Review, Stored, elsewhere
from memweir.store.scopes import Scope
from memweir.store.seam import Store
from memweir.testing.indexer import PlainIndexer
from memweir.testing.plain_audit import PlainAudit, heard
from memweir.testing.plain_changes import PlainChanges
from memweir.testing.plain_index import PlainIndex
from memweir.testing.plain_questions import open_in, shown_review
from memweir.testing.plain_rows import Row, State

__all__ = ["PlainStore"]

_DAY_MS: Final = 86_400_000


class PlainStore(PlainAudit):
    """Implements `memweir.store.seam.Store` in memory, for one thread."""

    def __init__(
        self,
        indexer: Indexer | None = None,
        *,
        keep_runs: int = 5000,
        key: bytes = b"plain",
        policy: WritePolicy | None = None,
    ) -> None:
        """Args:
        indexer: None: `PlainIndexer()`.
        keep_runs: newest runs kept.
        key: of the hashes.
        policy: of the write gates; None: the default.
        """
        self._indexer: Indexer = indexer or PlainIndexer()
        self._keep_runs = keep_runs
        self._key = key
        self._policy = policy or WritePolicy()
        self._kept: State | None = State()

    @property
    def _state(self) -> State:
        if self._kept is None:
            raise StoreClosed
        return self._kept

    def close(self) -> None:
        """Forget everything."""
        self._kept = None

    # Telling

    def add_many(self, drafts: Iterable[Draft], *, now_ms: int) -> list[Stored | MemweirError]:
        self._state  # noqa: B018  a closed store says so
        told = list(drafts)
        results: dict[int, Stored | MemweirError] = {}
        refused: dict[int, RefusedError] = {}
        for place, draft in enumerate(told):
            if not isinstance(draft, Draft):
                raise InputError(f"a Draft is needed, got {type(draft).__name__}")
            try:
                check_draft(draft, key=self._key)
            except RefusedError as error:
                results[place] = refused[place] = error
        if not told:
            return []
        with self._changing(now_ms) as writer:
            for place, draft in enumerate(told):
                if place in refused:
                    _note_refusal(writer, refused[place], draft.scope)
                    continue
                try:
                    results[place] = writer.add(draft, personal=self._personal(draft))
                except (NotFoundError, RefusedError) as error:
                    results[place] = error
        return [results[place] for place in range(len(told))]

    def _personal(self, draft: Draft) -> str:
        return personal_rule(draft) if self._policy.quarantine_personal_data else ""

    def edit(
        self,
        memory_id: str,
        scopes: Sequence[Scope],
        changes: Mapping[str, object],
        *,
        now_ms: int,
    ) -> Stored:
        row = self._owned(memory_id, scopes)
        record, draft = row.record, edited(row.record, changes)
        changed = differing(record, changes)
        if not changed:
            return self._changes_of(self._state, now_ms).stored(row, "unchanged")
        with self._gated(now_ms, record.scope):
            check_draft(draft, key=self._key)
        personal = "" if says_no_more(record, draft) else self._personal(draft)
        with self._changing(now_ms) as writer:
            row = self._owned(memory_id, scopes)
            if record.status in WITHDRAWN:
                writer.refuse(memory_id, "edit-refused", "withdrawn")
            if changed <= ADJUSTABLE:
                return writer.adjust(row, pinned=draft.pinned, importance=draft.importance)
            return writer.edit(row, draft, personal=personal)

    # Withdrawing

    def archive(self, memory_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Record:
        with self._changing(now_ms) as writer:
            row = self._owned(memory_id, scopes)
            if row.record.status not in WITHDRAWN:
                writer.archive(row)
        return self.fetch(memory_id, scopes)

    def forget(self, memory_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Record:
        with self._changing(now_ms) as writer:
            row = self._owned(memory_id, scopes)
            if row.record.status != "tombstoned":
                writer.forget(row)
        return self.fetch(memory_id, scopes)

    def restore(self, memory_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Record:
        with self._changing(now_ms) as writer:
            row = self._owned(memory_id, scopes)
            if row.record.status in WITHDRAWN or row.record.superseded_by is not None:
                wordings = (row, *writer.state.wordings(memory_id))
                let_in = any(each.believed for each in wordings)
                personal = "" if let_in else self._personal(edited(row.record, {}))
                writer.restore(row, personal=personal)
        return self.fetch(memory_id, scopes)

    # Credence

    def feedback(
        self,
        memory_id: str,
        outcome: str,
        scopes: Sequence[Scope] | None,
        *,
        now_ms: int,
        note: str | None = None,
        learned: Sequence[str] = (),
        run_id: int | None = None,
    ) -> Record:
        self._state  # noqa: B018
        if outcome not in OUTCOMES:
            raise InputError(f"unknown outcome {outcome!r}")
        self._check({"note": note or ""}, now_ms)
        for term in learned:
            self._check({"learned": term}, now_ms)
        with self._changing(now_ms) as writer:
            row = self._owned(memory_id, scopes)
            since = now_ms - LEARNING_DAYS * _DAY_MS
            terms = heard(writer.state, memory_id, since_ms=since, runs=LEARNED_RUNS)
            writer.feedback(row, outcome, note=note or None, heard=[*learned, *terms], run_id=run_id)
            return row.record

    def counter(
        self,
        memory_id: str,
        scopes: Sequence[Scope],
        *,
        now_ms: int,
        source: str | None = None,
        note: str | None = None,
    ) -> Record:
        self._check({"note": note or "", "source": source or ""}, now_ms)
        with self._changing(now_ms) as writer:
            row = self._owned(memory_id, scopes)
            writer.counter(row, source=source or None, note=note or None)
            return row.record

    # Questions that wait for a person

    def reviews(self, scopes: Sequence[Scope], *, now_ms: int, limit: int) -> list[Review]:
        found = open_in(self._state, scopes)[:limit]
        return [self.review(each, scopes, now_ms=now_ms) for each in found]

    def review(self, review_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Review:
        return shown_review(self._state, self._indexer, review_id, scopes, now_ms=now_ms)

    def decide(
        self,
        review_id: str,
        decision: str,
        token: str,
        scopes: Sequence[Scope],
        *,
        now_ms: int,
    ) -> Review:
        with self._changing(now_ms) as writer:
            writer.decide(self.review(review_id, scopes, now_ms=now_ms), decision, token)
        return self.review(review_id, scopes, now_ms=now_ms)

    # The index

    @property
    def analyzer(self) -> str:
        return self._indexer.analyzer

    @property
    def embedder(self) -> str:
        return self._indexer.embedder

    def index_mismatch(self) -> dict[str, tuple[str, str]]:
        self._state  # noqa: B018
        return {}

    def reindex(self, *, now_ms: int) -> int:
        with self._changing(now_ms) as writer:
            rows = [row for row in writer.state.rows.values() if row.indexed]
            for row in rows:
                writer.index.renew(row)
            active = sum(row.record.status == "active" for row in rows)
            writer.log("reindexed", None, detail=str(active))
        return active

    def pending(self, limit: int) -> list[str]:
        rows = [row for row in self._state.rows.values() if row.pending]
        return [row.record.id for row in rows[::-1][:limit]]

    def index_pending(self, ids: Sequence[str]) -> int:
        rows = [row for row in map(self._state.named, ids) if row is not None and row.pending]
        if not rows:
            return 0
        embeddings = self._indexer.vectors([indexable(row.record) for row in rows])
        with self._writing(counted=True) as state:
            index = PlainIndex(state, self._indexer)
            for each, embedding in zip(rows, embeddings, strict=True):
                row = state.rows[each.seq]
                row.blob, row.pending = index.encoded(embedding), False
        return len(rows)

    # Single rows

    def fetch(self, memory_id: str, scopes: Sequence[Scope]) -> Record:
        record = self._owned(memory_id, scopes).record
        linked = [self._state.named(each) for each in (record.superseded_by, record.supersedes)]
        shown = {each.record.id for each in linked if each is not None and each.record.scope in scopes}
        return elsewhere(record, shown)

    def statistics(self) -> dict[str, Any]:
        state = self._state
        rows = [row for row in state.rows.values() if row.record.version_of is None]
        records = [row.record for row in rows]
        active = [record for record in records if record.status == "active"]
        tables = {
            "memories": Counter(record.status for record in records),
            "layers": Counter(record.layer for record in active),
            "kinds": Counter(record.kind for record in active),
            "scopes": Counter(record.scope.kind for record in active),
        }
        return {name: _json(table) for name, table in tables.items()} | {
            "entities": len(state.entities),
            "relations": sum(len(row.relations) for row in rows),
            "answers": len(state.answers),
            "runs": len(state.runs),
            "terms": len(set().union(*(record.terms for record in active))),
            "pending": sum(row.pending for row in state.rows.values()),
            "bytes": 0,
            "analyzer": self.analyzer,
            "embedder": self.embedder,
            "schema": 0,
        }

    # Plumbing

    def _changes_of(self, state: State, now_ms: int) -> PlainChanges:
        return PlainChanges(state, self._indexer, now_ms=now_ms, policy=self._policy)

    @contextmanager
    def _writing(self, *, counted: bool) -> Iterator[State]:
        before = self._state
        self._kept = state = before.copy()
        try:
            yield state
        except BaseException:
            self._kept = before
            raise
        state.changes += counted

    @contextmanager
    def _changing(self, now_ms: int) -> Iterator[PlainChanges]:
        writer: PlainChanges | None = None
        try:
            with self._writing(counted=True) as state:
                writer = self._changes_of(state, now_ms)
                yield writer
        except RefusedError:
            # What was asked is undone; that it was asked, and why it was refused, is kept.
            if writer is not None and writer.verdict is not None:
                with self._writing(counted=False) as state:
                    state.log(**writer.verdict)
            raise

    def _check(self, fields: Mapping[str, str], now_ms: int) -> None:
        with self._gated(now_ms):
            check_fields({name: text for name, text in fields.items() if text}, key=self._key)

    @contextmanager
    def _gated(self, now_ms: int, scope: Scope | None = None) -> Iterator[None]:
        self._state  # noqa: B018
        try:
            yield
        except RefusedError as error:
            with self._changing(now_ms) as writer:
                _note_refusal(writer, error, scope)
            raise

    def _owned(self, memory_id: str, scopes: Sequence[Scope] | None) -> Row:
        row = self._state.named(memory_id)
        # An earlier wording is looked at by way of its memory.
        if row is None or row.record.version_of is not None:
            raise NotFoundError("memory", memory_id)
        if scopes is not None and row.record.scope not in scopes:
            raise NotFoundError("memory", memory_id)
        return row


def _note_refusal(writer: PlainChanges, error: RefusedError, scope: Scope | None) -> None:
    rule, fingerprint = "refused", None
    if isinstance(error, PersonalDataRefused | SecretRefused | ThreatRefused):
        rule, fingerprint = error.rule, error.fingerprint
    known = scope if scope in writer.state.scopes else None  # a new one's key may be what was refused
    writer.log("refused", None, rule=rule, scope=known, fingerprint=fingerprint)


def _json(table: Mapping[str, int]) -> str:
    return json.dumps(dict(sorted(table.items())), separators=(",", ":"))


if TYPE_CHECKING:

    def _implements(store: PlainStore) -> Store:
        """Checked by the type checker: the double has every verb of the seam."""
        return store
