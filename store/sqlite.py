"""The store seam on SQLite: one file, one connection, one lock, one transaction a write."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import apsw

from memweir.errors import (
    EmbedderError,
    EmbedderMismatch,
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
from memweir.store import audit, reads
from memweir.store.database import connect, decoded, mapped_errors, schema_version, transaction
from memweir.store.entry import Indexer
from memweir.store.gates import check_fields
from memweir.store.identity import query_hash
from memweir.store.indexing import complete, pending, read_vector_statistics, waiting
from memweir.store.records import OUTCOMES, Answer, Draft, Record, Stored
from memweir.store.rows import fetch_record
from memweir.store.scopes import Scope
from memweir.store.statements import statements
from memweir.store.view import View
from memweir.store.writes import Writer, check_answer, check_draft, draft_indexable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["SqliteStore"]

_BATCH = 1_000  # drafts analysed and written in one transaction


class SqliteStore:
    """Implements `memweir.store.seam.Store`. Safe to share between threads; calls take turns."""

    def __init__(
        self,
        connection: apsw.Connection,
        indexer: Indexer,
        *,
        path: Path,
        keep_runs: int,
        read_only: bool,
        vectors_in_sql: bool,
    ) -> None:
        self._connection: apsw.Connection | None = connection
        self._indexer = indexer
        self._path = path
        self._keep_runs = keep_runs
        self._read_only = read_only
        self._vectors_in_sql = vectors_in_sql
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
    ) -> Self:
        """Open or create the file.

        Args:
            vectors_in_sql: distances by sqlite-vec; None: where it can be loaded; False: by numpy.
            random_bytes: makes the key of the hashes in the audit of a new store.

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
        )
        try:
            store._introduce(random_bytes)
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

    def _built_by(self, connection: apsw.Connection, name: str) -> str:
        return str(connection.execute(statements("memory")["meta_get"], {"key": name}).get or "")

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
        results: dict[int, Stored | MemweirError] = {}
        refusals: dict[int, RefusedError] = {}
        for place, draft in enumerate(drafts):
            if not isinstance(draft, Draft):
                raise InputError(f"a Draft is needed, got {type(draft).__name__}")
            try:
                check_draft(draft, key=self._key)
            except RefusedError as error:
                results[place] = refusals[place] = error
        passed = [place for place in range(len(drafts)) if place not in results]
        entries = self._indexer.index([draft_indexable(drafts[place]) for place in passed])
        with self._writer(now_ms) as writer:
            for place, refusal in refusals.items():
                writer.note_refusal(refusal, drafts[place].scope)
            for place, entry in zip(passed, entries, strict=True):
                try:
                    results[place] = writer.add(drafts[place], entry)
                except (NotFoundError, RefusedError) as error:
                    # Raised before the first change. Anything else undoes the batch.
                    results[place] = error
        return [results[place] for place in range(len(drafts))]

    def archive(self, memory_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Record:
        """Withdraw an active or quarantined memory of the scopes; archived already: nothing happens."""
        with self._writer(now_ms) as writer:
            record = self._owned(memory_id, scopes)
            if record.status != "archived":
                writer.archive(record)
        return self.fetch(memory_id, scopes)

    def restore(self, memory_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Record:
        """Bring an archived memory of the scopes back; active already: nothing happens."""
        with self._writer(now_ms) as writer:
            record = self._owned(memory_id, scopes)
            if record.status == "archived":
                writer.restore(record)
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
        """Report what came of a memory of the scopes, or of any with None; see `CREDENCE_STEPS`.

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
            writer.feedback(record, outcome, note=note or None, learned=learned)
        return self.fetch(memory_id, (record.scope,))

    def put_answer(
        self, scope: Scope, text: str, phrasings: Mapping[str, str], *, now_ms: int
    ) -> Answer:
        """Store a standing answer under its phrasings (folded key → as written).

        Raises:
            RefusedError: a phrasing belongs to another answer of the scope; the gates' refusals.
        """
        self._check_writable()
        if not phrasings:
            raise InputError("a standing answer needs a phrasing by which it is found")
        with self._gated(now_ms, scope):
            check_answer(scope, text, phrasings.values(), key=self._key)
        with self._writing() as connection:
            audit.put_answer(connection, scope, text, phrasings, now_ms=now_ms)
        found = self.find_answer((scope,), next(iter(phrasings)))
        if found is None:
            raise NotFoundError("answer", next(iter(phrasings)))
        return found

    def record_run(self, run: audit.Run) -> int:
        """Write a recall's audit and forget the oldest runs; the run's id."""
        with self._writing() as connection:
            return audit.add_run(connection, run, keep_runs=self._keep_runs)

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
        with self._reading():
            return self._owned(memory_id, scopes)

    def trail(self, memory_id: str, scopes: Sequence[Scope]) -> audit.Trail:
        """Evidence, ledger, decisions, feedback and relations of a memory of the scopes."""
        with self._reading() as connection:
            record = self._owned(memory_id, scopes)
            state = connection.execute(statements("memory")["row_state"], {"id": record.id}).fetchall()
            return audit.trail(connection, record.id, int(state[0][0] or 0))

    def find_answer(self, scopes: Sequence[Scope], key: str) -> Answer | None:
        """The standing answer of a folded phrasing."""
        with self._reading() as connection:
            return audit.find_answer(connection, scopes, key)

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

    # Candidate queries: see memweir.store.reads

    def keyword(self, view: View, match: reads.TermMatch, limit: int) -> list[tuple[str, float]]:
        with self._reading() as connection:
            return reads.keyword(connection, view, match, limit)

    def matching(self, view: View, match: reads.TermMatch, limit: int) -> list[str]:
        with self._reading() as connection:
            return reads.matching(connection, view, match, limit)

    def substring(self, view: View, raw: str, folded: str, limit: int) -> list[str]:
        with self._reading() as connection:
            return reads.substring(connection, view, raw, folded, limit)

    def nearest(self, view: View, query: NDArray[np.float32], limit: int) -> list[reads.VectorHit]:
        with self._reading() as connection:
            self._check_vector(connection, query)
            tail, in_sql = self._indexer.tail, self._vectors_in_sql
            return reads.nearest(connection, view, query, limit, tail=tail, in_sql=in_sql)

    def similarity(self, query: NDArray[np.float32], ids: Sequence[str]) -> dict[str, reads.VectorHit]:
        with self._reading() as connection:
            self._check_vector(connection, query)
            return reads.similarity(connection, query, ids, tail=self._indexer.tail)

    def event_window(self, view: View, start_ms: int, end_ms: int, limit: int) -> list[reads.TimedHit]:
        with self._reading() as connection:
            return reads.event_window(connection, view, start_ms, end_ms, limit)

    def created_window(
        self, view: View, start_ms: int, end_ms: int, limit: int
    ) -> list[reads.TimedHit]:
        with self._reading() as connection:
            return reads.created_window(connection, view, start_ms, end_ms, limit)

    def latest(self, view: View, limit: int) -> list[reads.TimedHit]:
        with self._reading() as connection:
            return reads.latest(connection, view, limit)

    def pinned(self, view: View, limit: int) -> list[str]:
        with self._reading() as connection:
            return reads.pinned(connection, view, limit)

    def beliefs(self, view: View, limit: int) -> list[str]:
        with self._reading() as connection:
            return reads.beliefs(connection, view, limit)

    def records(self, view: View, ids: Sequence[str]) -> dict[str, Record]:
        with self._reading() as connection:
            return reads.records(connection, view, ids)

    def count(self, view: View) -> int:
        with self._reading() as connection:
            return reads.count(connection, view)

    def entities_named(self, norms: Sequence[str]) -> dict[str, int]:
        with self._reading() as connection:
            return reads.entities_named(connection, norms)

    def entities_of(self, view: View, ids: Sequence[str]) -> list[reads.Mention]:
        with self._reading() as connection:
            return reads.entities_of(connection, view, ids)

    def mentions_of(self, view: View, entity: int, limit: int) -> list[reads.Mention]:
        with self._reading() as connection:
            return reads.mentions_of(connection, view, entity, limit)

    def relations_at(self, view: View, entity: int, limit: int) -> list[reads.Edge]:
        with self._reading() as connection:
            return reads.relations_at(connection, view, entity, limit)

    def entity_name(self, entity: int) -> str:
        with self._reading() as connection:
            return reads.entity_name(connection, entity)

    def neighbours(self, view: View, ids: Sequence[str]) -> dict[str, reads.Neighbours]:
        with self._reading() as connection:
            return reads.neighbours(connection, view, ids)

    def term_statistics(self, view: View, terms: Iterable[str]) -> reads.TermStatistics:
        with self._reading() as connection:
            return reads.term_statistics(connection, view, terms)

    def vector_statistics(self) -> reads.VectorStatistics:
        with self._reading() as connection:
            head = self._indexer.dim - self._indexer.tail
            return reads.VectorStatistics(*read_vector_statistics(connection, head))

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
        with self._writing() as connection:
            with_vectors = self._built_by(connection, "embedder") == self._indexer.embedder
            writer = Writer(connection, self._indexer, with_vectors=with_vectors, now_ms=now_ms)
            yield writer
            writer.flush()

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

    def _check_built(self, connection: apsw.Connection) -> str:
        built = self._built_by(connection, "embedder")
        if built != self._indexer.embedder:
            raise EmbedderMismatch(built, self._indexer.embedder)
        return built

    def _check_vector(self, connection: apsw.Connection, query: NDArray[np.float32]) -> None:
        built = self._check_built(connection)
        if query.shape != (self._indexer.dim,):
            raise EmbedderError(f"{built} needs ({self._indexer.dim},), got shape {query.shape}")

    def _owned(self, memory_id: str, scopes: Sequence[Scope] | None) -> Record:
        if self._connection is None:
            raise StoreClosed
        found = fetch_record(self._connection, memory_id)
        if found is None or found.status == "tombstoned":
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
