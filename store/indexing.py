"""How does a memory enter and leave the index? Terms, vectors, tags, mentions and their statistics."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import apsw

from memweir.store import vectors
from memweir.store.database import decoded
from memweir.store.entry import FIELDS, Indexable, IndexEntry, Indexer
from memweir.store.records import Record
from memweir.store.rows import record_of
from memweir.store.statements import statements

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "IndexWriter",
    "complete",
    "derived_columns",
    "indexable",
    "pending",
    "read_vector_statistics",
    "rebuild",
    "same_vector",
    "waiting",
]

_REBUILD_BATCH = 500  # rows analysed at once
_NOWHERE = 0  # the scope by which a row is counted that is not


def indexable(record: Record) -> Indexable:
    """The text fields of a stored memory."""
    return Indexable(
        text=record.text,
        title=record.title,
        tags=record.tags,
        semantic_key=record.semantic_key,
        speaker=record.speaker,
        learned_terms=record.learned_terms,
        layer=record.layer,
        kind=record.kind,
    )


def read_vector_statistics(connection: apsw.Connection, dim: int) -> tuple[int, NDArray[np.int64]]:
    """(documents, (dim,) int64 document frequencies); zeros where none are kept for this dimension.

    Args:
        dim: of the vectors without their tail, whose dimensions mean nothing alone.
    """
    import numpy as np

    documents, df = _kept_vector_statistics(connection)
    return (documents, df) if df.size == dim else (0, np.zeros(dim, np.int64))


def _kept_vector_statistics(connection: apsw.Connection) -> tuple[int, NDArray[np.int64]]:
    """As they are kept, whatever dimension the embedder had that made them."""
    import numpy as np

    row = connection.execute(statements("index")["vector_statistics_get"]).fetchone()
    if row is None or not isinstance(row[1], bytes):
        return 0, np.zeros(0, np.int64)
    return int(row[0] or 0), np.frombuffer(row[1], "<u4").astype(np.int64)


def derived_columns(entry: IndexEntry) -> dict[str, Any]:
    """What the analysis of a text says about its row."""
    return {
        "folded_key": entry.key or None,
        "stance": entry.stance or None,
        "polarity": entry.polarity if entry.stance else None,
        "incident": int(entry.incident),
    }


class IndexWriter:
    """Index changes of one write transaction; `flush` writes the statistics once at its end."""

    def __init__(self, connection: apsw.Connection, indexer: Indexer, *, with_vectors: bool) -> None:
        self._connection = connection
        self._sql = statements("index") | statements("memory")
        self._with_vectors = with_vectors
        self._head = indexer.dim - indexer.tail
        self._tail = indexer.tail
        self._sparse = indexer.sparse
        self._term_delta: Counter[tuple[str, int]] = Counter()  # (term, scope)
        self._document_delta: Counter[int] = Counter()  # scope
        self._support: Counter[int] = Counter()
        self._vector_delta = 0

    def insert(
        self, seq: int, scope_id: int, entry: IndexEntry, *, vector: bool = True, counted: bool = True
    ) -> None:
        """Index a memory that is not in the index.

        Args:
            vector: False: it has kept its vector.
            counted: False: it can be found, but does not weigh how rare a term is.
        """
        run = self._connection.execute
        joined = {field: " ".join(entry.fields.get(field, ())) for field in FIELDS}
        run(self._sql["fts_insert"], joined | {"seq": seq, "scope": f"s{scope_id}"})
        # Split as the keyword index splits them, so that what is counted here is uncounted by `remove`.
        distinct = sorted({term for text in joined.values() for term in text.split(" ")} - {""})
        owner = scope_id if counted else _NOWHERE
        self._run("terms_insert", seq=seq, scope_id=owner, terms=" ".join(distinct))
        if counted:
            self._count(distinct, scope_id, 1)
        if vector and self._with_vectors:
            self._put_vector(seq, entry.embedding, counted=counted)
            if entry.pending:
                run(self._sql["pending_add"], {"seq": seq})
        for tag in entry.tags:
            run(self._sql["tags_add"], {"seq": seq, "tag": tag})
        for norm, name, role in entry.entities:
            self.mention(seq, norm, name, role)

    @decoded()
    def remove(self, seq: int, *, vector: bool = True) -> None:
        """Take a memory out of the index; nothing happens where it is not in it.

        Args:
            vector: False: leave its vector, for a memory that comes back with the same.
        """
        known = self._known(seq)
        if known is None:
            return
        scope_id, terms = known
        if scope_id != _NOWHERE:
            self._count(terms, scope_id, -1)
        if vector:
            self._drop_vector(seq, counted=scope_id != _NOWHERE)
        for name in ("fts_delete", "terms_delete", "tags_clear", "mention_clear"):
            self._run(name, seq=seq)

    @decoded()
    def uncount(self, seq: int) -> None:
        """Leave a memory findable, but let it weigh no more: a wording of the past, or withdrawn."""
        known = self._known(seq)
        if known is None or known[0] == _NOWHERE:
            return
        scope_id, terms = known
        self._count(terms, scope_id, -1)
        self._count_vector(seq, -1)
        self._run("terms_owner", seq=seq, scope_id=_NOWHERE)

    def holds(self, seq: int) -> bool:
        """Whether a memory is in the index."""
        return self._known(seq) is not None

    def _known(self, seq: int) -> tuple[int, list[str]] | None:
        """(scope by which it is counted, its terms) of a memory in the index."""
        row = self._run("terms_get", seq=seq).fetchone()
        if row is None:
            return None
        return int(row[0] or 0), [term for term in str(row[1] or "").split(" ") if term]

    def _count(self, terms: Sequence[str], scope_id: int, sign: int) -> None:
        for term in terms:
            self._term_delta[term, scope_id] += sign
        self._document_delta[scope_id] += sign

    def _count_vector(self, seq: int, sign: int) -> None:
        found = self._run("vector_get", seq=seq).get
        if isinstance(found, bytes):
            for dimension in vectors.decode_support(found).tolist():
                self._support[dimension] += sign
            self._vector_delta += sign

    def _run(self, name: str, **values: Any) -> apsw.Cursor:
        return self._connection.execute(self._sql[name], values)

    def complete(self, seq: int, embedding: NDArray[np.float32]) -> None:
        """Give a memory that waits for its vector the whole of it."""
        known = self._known(seq)
        counted = known is None or known[0] != _NOWHERE
        self._drop_vector(seq, counted=counted)
        self._put_vector(seq, embedding, counted=counted)

    def _put_vector(self, seq: int, embedding: NDArray[np.float32], *, counted: bool) -> None:
        encoded = vectors.encode(embedding, sparse=self._sparse, tail=self._tail)
        if encoded is None:
            return
        self._run("vector_insert", seq=seq, embedding=encoded[0])
        self._run("code_insert", seq=seq, code=encoded[1])
        if counted:
            self._support.update(vectors.decode_support(encoded[0]).tolist())
            self._vector_delta += 1

    @decoded()
    def _drop_vector(self, seq: int, *, counted: bool) -> None:
        if counted:
            self._count_vector(seq, -1)
        for name in ("vector_delete", "code_delete", "pending_delete"):
            self._run(name, seq=seq)

    def waits(self, seq: int) -> bool:
        """Whether a memory's vector is still to be made."""
        return self._run("pending_get", seq=seq).get is not None

    @decoded()
    def copy_vector(self, source: int, seq: int) -> None:
        """Give a memory in the index the vector of another row instead of the one that it waits for."""
        found = self._run("vector_get", seq=source).get
        if not isinstance(found, bytes):
            return
        self._drop_vector(seq, counted=True)
        for name in ("vector_copy", "code_copy"):
            self._run(name, source=source, seq=seq)
        self._count_vector(seq, 1)

    def mention(self, seq: int, norm: str, name: str, role: str) -> int:
        """Note that a memory mentions an entity; the entity's id."""
        entity = self.entity(norm, name)
        values: dict[str, Any] = {"entity_id": entity, "seq": seq, "role": role}
        self._connection.execute(self._sql["mention_add"], values)
        return entity

    @decoded()
    def entity(self, norm: str, name: str) -> int:
        """The id of an entity, made where it is new."""
        row = self._connection.execute(self._sql["entity_find"], {"norm": norm}).fetchone()
        if row is None:
            added = self._connection.execute(self._sql["entity_add"], {"norm": norm, "name": name})
            return int(added.get)
        if row[1] == norm != name:
            # Known so far from running text, which is folded; now somebody wrote the name.
            self._connection.execute(self._sql["entity_rename"], {"id": row[0], "name": name})
        return int(row[0])

    def flush(self) -> None:
        """Write the collected statistics."""
        many = self._connection.executemany
        terms = sorted((*key, delta) for key, delta in self._term_delta.items() if delta)
        many(self._sql["term_count"], terms)
        many(self._sql["term_prune"], [(term, scope) for term, scope, delta in terms if delta < 0])
        scopes = sorted(each for each in self._document_delta.items() if each[1])
        many(self._sql["documents_count"], scopes)
        many(self._sql["documents_prune"], [(scope,) for scope, delta in scopes if delta < 0])
        if self._vector_delta or any(self._support.values()):
            self._flush_vectors()
        self._term_delta.clear()
        self._document_delta.clear()
        self._support.clear()
        self._vector_delta = 0

    @decoded()
    def _flush_vectors(self) -> None:
        import numpy as np

        # Not the embedder's dimension: under another embedder the old vectors are still taken out.
        documents, df = _kept_vector_statistics(self._connection)
        if not df.size:
            df = np.zeros(self._head, np.int64)
        for dimension, delta in self._support.items():
            df[dimension] += delta
        blob = np.maximum(df, 0).astype("<u4").tobytes()
        values: dict[str, Any] = {"documents": max(documents + self._vector_delta, 0), "df": blob}
        self._connection.execute(self._sql["vector_statistics_set"], values)


def rebuild(connection: apsw.Connection, indexer: Indexer) -> int:
    """Rebuild all that is derived from the rows, inside one transaction; how many were indexed."""
    sql, named = statements("index"), statements("memory")
    connection.execute(sql["fts_clear"])
    for _ in connection.execute(sql["clear"]):
        pass
    writer = IndexWriter(connection, indexer, with_vectors=True)
    done, after = 0, 0
    while True:
        seqs = [
            int(row[0] or 0)
            for row in connection.execute(
                sql["indexed_after"], {"after": after, "limit": _REBUILD_BATCH}
            )
        ]
        if not seqs:
            break
        rows = [_row(connection, seq) for seq in seqs]
        entries = indexer.index([indexable(record) for _, record in rows])
        for seq, (scope_id, record), entry in zip(seqs, rows, entries, strict=True):
            writer.insert(seq, scope_id, entry, counted=record.status == "active")
            connection.execute(named["row_derived"], derived_columns(entry) | {"seq": seq})
        done += sum(record.status == "active" for _, record in rows)
        after = seqs[-1]
        writer.flush()
    return done


@decoded()
def pending(connection: apsw.Connection, limit: int) -> list[str]:
    """Ids of memories that wait for their vector, newest first."""
    rows = connection.execute(statements("index")["pending_ids"], {"limit": limit})
    return [str(row[0]) for row in rows]


def waiting(connection: apsw.Connection, ids: Sequence[str]) -> dict[int, Indexable]:
    """Row → text fields of those of the ids that wait for their vector."""
    found = connection.execute(statements("index")["pending_seqs"], {"ids": json.dumps(list(ids))})
    seqs = [int(row[0] or 0) for row in found]
    return {seq: indexable(_row(connection, seq)[1]) for seq in seqs}


def complete(
    connection: apsw.Connection,
    indexer: Indexer,
    documents: Mapping[int, Indexable],
    embeddings: NDArray[np.float32],
) -> int:
    """Write vectors made of documents that waited; how many still did, with the same text.

    Args:
        documents: as `waiting` gave them, when the vectors had not been made yet.
        embeddings: (n, dim) float32, one of each document.
    """
    writer = IndexWriter(connection, indexer, with_vectors=True)
    done = 0
    for (seq, document), embedding in zip(documents.items(), embeddings, strict=True):
        still = connection.execute(statements("index")["pending_get"], {"seq": seq}).get
        if still is not None and same_vector(indexable(_row(connection, seq)[1]), document):
            writer.complete(seq, embedding)
            done += 1
    writer.flush()
    return done


def same_vector(one: Indexable, other: Indexable) -> bool:
    """Whether two memories have the same vector, which is of title and text."""
    return (one.text, one.title) == (other.text, other.title)


@decoded()
def _row(connection: apsw.Connection, seq: int) -> tuple[int, Record]:
    cursor = connection.execute(statements("index")["row_by_seq"], {"seq": seq})
    for row in cursor:
        values = dict(zip((each[0] for each in cursor.get_description()), row, strict=True))
        return int(values["scope_id"] or 0), record_of(values)
    raise AssertionError(f"row {seq} vanished inside a transaction")
