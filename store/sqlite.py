"""The store seam on SQLite: one file, one connection, one lock, one transaction a write."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import apsw

from memweir.errors import (
    InputError,
    MemweirError,
    NotFoundError,
    RefusedError,
    StoreClosed,
    StoreCorrupt,
    StoreError,
    StorePathError,
    StoreReadOnly,
)
from memweir.store import audit, reflecting, reviews
from memweir.store.database import connect, decoded, mapped_errors, schema_version, transaction
from memweir.store.draft_gates import check_draft, personal_rule
from memweir.store.edits import ADJUSTABLE, differing, edited, not_the_same, says_no_more
from memweir.store.entry import Indexer
from memweir.store.gates import check_fields
from memweir.store.gating import Gated, gate
from memweir.store.identity import injection_address, injection_place, query_hash
from memweir.store.indexing import complete, pending, waiting
from memweir.store.policy import (
    LEARNED_RUNS,
    LEARNING_DAYS,
    WITHDRAWN,
    WritePolicy,
    draft_indexable,
)
from memweir.store.records import OUTCOMES, Draft, Record, Review, Stored, elsewhere
from memweir.store.rows import fetch_record, shown_ids
from memweir.store.scopes import Scope
from memweir.store.sqlite_answers import SqliteAnswers
from memweir.store.sqlite_erasing import SqliteErasing
from memweir.store.sqlite_learning import SqliteLearning
from memweir.store.sqlite_listing import SqliteListing
from memweir.store.sqlite_prompts import SqlitePrompts
from memweir.store.sqlite_reader import SqliteReader
from memweir.store.statements import statements
from memweir.store.writes import Writer

__all__ = ["SqliteStore"]

_BATCH = 1_000  # drafts analysed and written in one transaction
_DAY_MS = 86_400_000


class SqliteStore(
    SqliteReader, SqliteAnswers, SqliteErasing, SqliteLearning, SqliteListing, SqlitePrompts
):
    """Implements `Store`, `Erasing`, `Learning`, `Listing` and `Prompting` of `memweir.store.seam`.

    Safe to share between threads; calls take turns.
    """

    def __init__(
        self,
        connection: apsw.Connection,
        indexer: Indexer,
        *,
        path: Path,
        keep_runs: int,
        read_only: bool,
        vectors_in_sql: bool,
        policy: WritePolicy,
    ) -> None:
        self._connection: apsw.Connection | None = connection
        self._indexer = indexer
        self._path = path
        self._keep_runs = keep_runs
        self._read_only = read_only
        self._vectors_in_sql = vectors_in_sql
        self._policy = policy
        self._lock = threading.RLock()
        self._key = b""

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        indexer: Indexer,
        *,
        busy_timeout_ms: int = 5000,
        keep_runs: int = 5000,
        read_only: bool = False,
        vectors_in_sql: bool | None = None,
        random_bytes: Callable[[int], bytes] = os.urandom,
        policy: WritePolicy | None = None,
    ) -> Self:
        """Open or create the file.

        Args:
            vectors_in_sql: distances by sqlite-vec; None: where it can be loaded; False: by numpy.
            random_bytes: makes the key of the hashes in the audit of a new store.
            policy: of the write gates; None: the default.

        Raises:
            StorePathError, NotAStore, SchemaTooNew, StoreReadOnly, StoreError: see `memweir.errors`.
        """
        raw = os.fspath(path)
        if not isinstance(raw, str) or not raw.strip() or "\x00" in raw:
            raise InputError(f"a store needs a file path, got {raw!r}")
        place = _absolute(raw)
        connection = connect(place, busy_timeout_ms=busy_timeout_ms, read_only=read_only)
        loaded = vectors_in_sql is not False and _load_vector_functions(connection)
        if vectors_in_sql and not loaded:
            connection.close()
            raise StoreError("sqlite-vec cannot be loaded here; leave vectors_in_sql unset")
        store = cls(
            connection,
            indexer,
            path=place,
            keep_runs=keep_runs,
            read_only=read_only,
            vectors_in_sql=loaded,
            policy=policy or WritePolicy(),
        )
        try:
            store._introduce(random_bytes)
            if not read_only:
                store._resume_erasure()
        except BaseException:
            connection.close()
            raise
        return store

    def close(self) -> None:
        """Close the file; closing twice is fine."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    # What built the index

    def _introduce(self, random_bytes: Callable[[int], bytes]) -> None:
        with self._reading() as connection:
            named = statements("memory")
            key = connection.execute(named["meta_get"], {"key": "hash_key"}).get
        if key is None and not self._read_only:
            with self._writing() as connection:
                key = connection.execute(named["meta_get"], {"key": "hash_key"}).get
                if key is None:
                    key = random_bytes(16)
                    connection.execute(named["meta_set"], {"key": "hash_key", "value": key})
                    self._name_index(connection)
        if key is not None and (not isinstance(key, bytes) or not key):
            raise StoreCorrupt(
                "the store's file is damaged: its hash key is unreadable; restore a backup"
            )
        self._key = key or b""

    def _name_index(self, connection: apsw.Connection) -> None:
        for name in ("analyzer", "embedder"):
            values = {"key": name, "value": getattr(self._indexer, name)}
            connection.execute(statements("memory")["meta_set"], values)

    def index_mismatch(self) -> dict[str, tuple[str, str]]:
        """ "analyzer" or "embedder" → (what built the index, what is given now), where they differ."""
        with self._reading() as connection:
            built = {name: self._built_by(connection, name) for name in ("analyzer", "embedder")}
        given = {"analyzer": self._indexer.analyzer, "embedder": self._indexer.embedder}
        return {name: (built[name], given[name]) for name in built if built[name] != given[name]}

    def reindex(self, *, now_ms: int) -> int:
        """Rebuild terms, vectors and mentions of every active memory; how many."""
        with self._writer(now_ms) as writer:
            done = writer.rebuild()
            self._name_index(writer.connection)
        return done

    # Vectors that are made later

    def pending(self, limit: int) -> list[str]:
        """Ids of memories that wait for their vector, newest first."""
        with self._reading() as connection:
            return pending(connection, limit)

    def index_pending(self, ids: Sequence[str]) -> int:
        """Make and write the vectors of those of the ids that wait for one; how many.

        The store is free while the embedder works. What changed meanwhile goes on waiting.

        Raises:
            EmbedderMismatch: another embedder built the index: `reindex` first.
            EmbedderError, MissingExtra: the embedder failed; all of them go on waiting.
        """
        self._check_writable()
        with self._reading() as connection:
            self._check_built(connection)
            documents = waiting(connection, ids)
        if not documents:
            return 0
        embeddings = self._indexer.vectors(list(documents.values()))
        with self._writing() as connection:
            self._check_built(connection)
            connection.execute(statements("memory")["meta_count"], {"key": "changes"})
            return complete(connection, self._indexer, documents, embeddings)

    # Writes

    def add_many(self, drafts: Iterable[Draft], *, now_ms: int) -> list[Stored | MemweirError]:
        """Store drafts, each through the gates; a refused one gives its error in its place."""
        self._check_writable()
        results: list[Stored | MemweirError] = []
        batch: list[Draft] = []
        for draft in drafts:
            batch.append(draft)
            if len(batch) >= _BATCH:
                results += self._add_batch(batch, now_ms)
                batch = []
        return results + (self._add_batch(batch, now_ms) if batch else [])

    def _add_batch(self, drafts: Sequence[Draft], now_ms: int) -> list[Stored | MemweirError]:
        gated = self._gate(drafts)
        with self._writer(now_ms) as writer:
            return [gated.add(writer, place) for place in range(len(drafts))]

    def _gate(self, drafts: Sequence[Draft]) -> Gated:
        return gate(drafts, self._indexer, self._policy, key=self._key)

    def edit(
        self,
        memory_id: str,
        scopes: Sequence[Scope],
        changes: Mapping[str, object],
        *,
        now_ms: int,
    ) -> Stored:
        """Give a memory of the scopes other fields by a person's act; its wording so far is kept.

        Args:
            changes: field of `memweir.store.edits.EDITABLE` → new value, None where it goes.

        Raises:
            InputError: no such field, or not a value of it.
            SecretRefused, ThreatRefused: in what it says now; RefusedError: another memory says the
                same, or this one is withdrawn.
        """
        self._check_writable()
        record = self.fetch(memory_id, scopes)
        draft = edited(record, changes)
        changed = differing(record, changes)
        if not changed:
            return self._as_stored(record)
        with self._gated(now_ms, record.scope):
            check_draft(draft, key=self._key)
        personal = "" if says_no_more(record, draft) else personal_rule(draft)
        entry = self._indexer.index([draft_indexable(draft)])[0]
        with self._writer(now_ms) as writer:
            current = self._owned(memory_id, scopes)
            if current.status not in ("active", "quarantined"):
                writer.refuse(
                    memory_id,
                    "edit-refused",
                    "withdrawn",
                    f"{memory_id} is {current.status}; restore it first",
                )
            if not_the_same(current, record):  # somebody edited it meanwhile: these changes go on top
                draft = edited(current, changes)
                check_draft(draft, key=self._key)
                changed = differing(current, changes)
                personal = "" if says_no_more(current, draft) else personal_rule(draft)
                entry = self._indexer.index([draft_indexable(draft)])[0]
                if not changed:
                    return self._as_stored(current)
            if changed <= ADJUSTABLE:
                return writer.adjust(current, pinned=draft.pinned, importance=draft.importance)
            stored = writer.edit(current, draft, entry, personal=personal)
            if current.layer == "belief" and draft.text != current.text:
                reflecting.edit_note(writer.connection, current, now_ms=now_ms)
            return stored

    def _as_stored(self, record: Record) -> Stored:
        with self._reading() as connection:
            rows = connection.execute(statements("reviews")["open_with"], {"id": record.id}).fetchall()
        reviews = tuple(str(row[0]) for row in rows)
        return Stored(record.id, "unchanged", record.evidence_count, record.status, reviews)

    def archive(self, memory_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Record:
        """Withdraw a memory of the scopes from every recall of what is known now.

        Raises:
            RefusedError: it was superseded, so it is history already.
        """
        with self._writer(now_ms) as writer:
            record = self._owned(memory_id, scopes)
            if record.status not in WITHDRAWN:
                writer.archive(record)
        return self.fetch(memory_id, scopes)

    def forget(self, memory_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Record:
        """Withdraw a memory of the scopes from every recall, whatever moment it asks about."""
        with self._writer(now_ms) as writer:
            record = self._owned(memory_id, scopes)
            if record.status != "tombstoned":
                writer.forget(record)
        return self.fetch(memory_id, scopes)

    def restore(self, memory_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Record:
        """Bring a withdrawn memory of the scopes back; active already: nothing happens.

        It may have to wait for a person, where another value holds its key by now. One that was
        superseded holds again once its successor is withdrawn.

        Raises:
            RefusedError: what superseded it holds.
        """
        with self._writer(now_ms) as writer:
            record = self._owned(memory_id, scopes)
            ended = record.superseded_by is not None or record.invalid_at_ms is not None
            if record.status in WITHDRAWN or ended:
                believed = statements("memory")["believed_count"]
                known = writer.connection.execute(believed, {"id": record.id}).get
                personal = "" if known else personal_rule(edited(record, {}))
                writer.restore(record, personal=personal)
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
        run_id: int | None = None,
    ) -> Record:
        """Report what came of a memory of the scopes, or of any with None; see `CREDENCE_STEPS`.

        Args:
            learned: terms to learn, before those of the recalls that gave it.
            run_id: the recall that gave it, where it is known.

        Raises:
            InputError: unknown outcome; SecretRefused, ThreatRefused: in the note.
        """
        self._check_writable()
        if outcome not in OUTCOMES:
            raise InputError(f"unknown outcome {outcome!r}; use one of {', '.join(OUTCOMES)}")
        self._check_fields({"note": note or ""}, now_ms)
        for term in learned:  # one by one: side by side, a label and a word would look like a value
            self._check_fields({"learned": term}, now_ms)
        with self._writer(now_ms) as writer:
            record = self._owned(memory_id, scopes)
            heard = list(learned)
            if outcome == "helped":
                since = now_ms - LEARNING_DAYS * _DAY_MS
                heard += audit.terms_heard(
                    writer.connection, memory_id, since_ms=since, runs=LEARNED_RUNS
                )
            writer.feedback(record, outcome, note=note or None, learned=heard, run_id=run_id)
        return self.fetch(memory_id, (record.scope,))

    def counter(
        self,
        memory_id: str,
        scopes: Sequence[Scope],
        *,
        now_ms: int,
        source: str | None = None,
        note: str | None = None,
    ) -> Record:
        """Note evidence against a memory of the scopes; one source counts once.

        Raises:
            SecretRefused, ThreatRefused: in the note or the source.
        """
        self._check_fields({"note": note or "", "source": source or ""}, now_ms)
        with self._writer(now_ms) as writer:
            record = self._owned(memory_id, scopes)
            writer.counter(record, source=source or None, note=note or None)
        return self.fetch(memory_id, scopes)

    # Questions that wait for a person

    def reviews(self, scopes: Sequence[Scope], *, now_ms: int, limit: int) -> list[Review]:
        """The open questions of the scopes, oldest first."""
        with self.snapshot(), self._reading() as connection:
            return reviews.open_reviews(connection, self._indexer, scopes, now_ms=now_ms, limit=limit)

    def review(self, review_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Review:
        """One question of the scopes. Raises: NotFoundError: no such question there."""
        with self._reading() as connection:
            return reviews.read_review(connection, self._indexer, review_id, scopes, now_ms=now_ms)

    def decide(
        self,
        review_id: str,
        decision: str,
        token: str,
        scopes: Sequence[Scope],
        *,
        now_ms: int,
    ) -> Review:
        """Answer a question of the scopes; all of it, or nothing.

        Raises:
            InputError: no answer to this question; ReviewStale: a side changed since the token.
        """
        with self._writer(now_ms) as writer:
            review = reviews.read_review(
                writer.connection, self._indexer, review_id, scopes, now_ms=now_ms
            )
            reviews.decide(writer, review, decision, token)
        return self.review(review_id, scopes, now_ms=now_ms)

    def record_run(self, run: audit.Run) -> int:
        """Write a recall's audit and forget the oldest runs; the run's id."""
        with self._writing() as connection:
            return audit.add_run(connection, run, keep_runs=self._keep_runs)

    def read_run(self, run_id: int) -> audit.KeptRun:
        """A recall that the audit still keeps. Raises: NotFoundError: no such recall."""
        with self._reading() as connection:
            found = audit.read_run(connection, run_id)
        if found is None:
            raise NotFoundError("recall", str(run_id))
        return found

    def injection_id(self, run_id: int, position: int) -> str:
        """The name of a place in a block that was given; nobody can guess another one's."""
        if self._connection is None:
            raise StoreClosed
        return injection_address(run_id, position, self._key)

    def injected(self, injection_id: str) -> tuple[str, int]:
        """The memory and the recall of a place in a block.

        Raises:
            NotFoundError: no such place, or the audit keeps that recall no more.
        """
        run_id, position = injection_place(injection_id)
        if injection_id != self.injection_id(run_id, position):
            raise NotFoundError("injection", injection_id)
        with self._reading() as connection:
            found = audit.injected_at(connection, run_id, position)
        if found is None:
            raise NotFoundError("injection", injection_id)
        return found, run_id

    def hash_query(self, text: str) -> str:
        """A query as the audit keeps it."""
        if self._connection is None:
            raise StoreClosed
        return query_hash(text, self._key)

    # Reads of single rows

    def fetch(self, memory_id: str, scopes: Sequence[Scope]) -> Record:
        """A memory of the scopes in any status.

        Raises:
            NotFoundError: no such memory there; other scopes' rows are reported the same way.
        """
        with self._reading() as connection:
            record = self._owned(memory_id, scopes)
            linked = [each for each in (record.superseded_by, record.supersedes) if each is not None]
            return elsewhere(record, shown_ids(connection, linked, scopes)) if linked else record

    def trail(self, memory_id: str, scopes: Sequence[Scope]) -> audit.Trail:
        """Evidence, ledger, decisions, feedback and relations of a memory of the scopes."""
        with self._reading() as connection:
            record = self._owned(memory_id, scopes)
            state = connection.execute(statements("memory")["row_state"], {"id": record.id}).fetchall()
            return audit.trail(connection, record.id, int(state[0][0] or 0), scopes)

    def statistics(self) -> dict[str, Any]:
        """Counts by status, layer, kind and scope kind, sizes, and what built the index."""
        with self._reading() as connection:
            row = connection.execute(statements("memory")["statistics"]).fetchall()[0]
            names = [
                *("memories", "layers", "kinds", "scopes", "entities"),
                *("relations", "answers", "runs", "terms", "pending", "bytes"),
            ]
            found: dict[str, Any] = dict(zip(names, row, strict=True))
            found |= {name: self._built_by(connection, name) for name in ("analyzer", "embedder")}
            return found | {"schema": schema_version(connection)}

    # Plumbing

    @contextmanager
    def _connected(self) -> Iterator[apsw.Connection]:
        with self._lock, mapped_errors():
            if self._connection is None:
                raise StoreClosed
            yield self._connection

    @contextmanager
    def _reading(self) -> Iterator[apsw.Connection]:
        """For what reads rows and nothing else: what cannot be read is damage."""
        with self._connected() as connection, decoded():
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Reads inside see one state of the store, whatever other processes write meanwhile."""
        with self._connected() as connection:
            if connection.in_transaction:
                yield
                return
            connection.execute("BEGIN")
            try:
                yield
            finally:
                _end_snapshot(connection)

    @contextmanager
    def _writing(self) -> Iterator[apsw.Connection]:
        self._check_writable()
        with self._connected() as connection, transaction(connection):
            yield connection

    @contextmanager
    def _writer(self, now_ms: int) -> Iterator[Writer]:
        writer: Writer | None = None
        try:
            with self._writing() as connection:
                writer = self._new_writer(connection, now_ms)
                yield writer
                writer.flush()
        except RefusedError:
            # What was asked is undone; that it was asked, and why it was refused, is kept.
            if writer is not None and writer.verdict is not None:
                with self._writing() as connection:
                    self._new_writer(connection, now_ms).ledger(**writer.verdict)
            raise

    def _new_writer(self, connection: apsw.Connection, now_ms: int) -> Writer:
        with_vectors = self._built_by(connection, "embedder") == self._indexer.embedder
        return Writer(
            connection,
            self._indexer,
            with_vectors=with_vectors,
            now_ms=now_ms,
            policy=self._policy,
        )

    def _check_writable(self) -> None:
        if self._connection is None:
            raise StoreClosed
        if self._read_only:
            raise StoreReadOnly("the store was opened with read_only=True")

    def _check_fields(self, fields: Mapping[str, str], now_ms: int) -> None:
        """What is written besides drafts, through the gates; a refusal goes into the ledger."""
        with self._gated(now_ms):
            check_fields({name: text for name, text in fields.items() if text}, key=self._key)

    @contextmanager
    def _gated(self, now_ms: int, scope: Scope | None = None) -> Iterator[None]:
        self._check_writable()
        try:
            yield
        except RefusedError as error:
            with self._writer(now_ms) as writer:
                writer.note_refusal(error, scope)
            raise

    def _owned(self, memory_id: str, scopes: Sequence[Scope] | None) -> Record:
        if self._connection is None:
            raise StoreClosed
        found = fetch_record(self._connection, memory_id)
        # An earlier wording is looked at by way of its memory.
        if found is None or found.version_of is not None:
            raise NotFoundError("memory", memory_id)
        if scopes is not None and found.scope not in scopes:
            raise NotFoundError("memory", memory_id)
        return found


def _absolute(raw: str) -> Path:
    """Absolute, so that a later change of folder changes nothing and ":memory:" is a file like any."""
    try:
        raw.encode()
        return Path(raw).expanduser().absolute()
    except UnicodeEncodeError as error:
        raise StorePathError(repr(raw), "is not valid Unicode, which SQLite needs") from error
    except (OSError, RuntimeError) as error:
        raise StorePathError(raw, f"cannot be resolved: {error}") from error


def _end_snapshot(connection: apsw.Connection) -> None:
    if connection.in_transaction:
        connection.execute("COMMIT")


def _load_vector_functions(connection: apsw.Connection) -> bool:
    """Whether sqlite-vec is there and loads; its absence costs speed, never results."""
    try:
        import sqlite_vec
    except ImportError:
        return False
    try:
        connection.enable_load_extension(True)
        connection.load_extension(sqlite_vec.loadable_path())
    except (apsw.Error, OSError):
        return False
    finally:
        connection.enable_load_extension(False)
    return True
