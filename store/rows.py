"""How does a row become a record? Scopes and rows between SQL and Python."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final
from weakref import WeakKeyDictionary

import apsw

from memweir.errors import ScopeError, StoreCorrupt
from memweir.store.database import decoded
from memweir.store.records import Record
from memweir.store.scopes import Scope
from memweir.store.statements import statements

__all__ = ["fetch_record", "record_of", "scope_id", "scope_ids", "stored_scope"]

_KNOWN_SCOPES: Final[WeakKeyDictionary[apsw.Connection, dict[Scope, int]]] = WeakKeyDictionary()
_MOST_KNOWN: Final = 10_000  # scopes remembered for one connection


@decoded()
def scope_ids(connection: apsw.Connection, scopes: Sequence[Scope]) -> list[int]:
    """Ids of the scopes that hold anything, ascending.

    An id is remembered: a scope's row never changes or goes. Not inside a write transaction, which may
    still undo the row.
    """
    known = _KNOWN_SCOPES.setdefault(connection, {})
    sql = statements("memory")["scope_find"]
    found = []
    for each in scopes:
        number = known.get(each)
        if number is None:
            number = connection.execute(sql, {"kind": each.kind, "key": each.key}).get
            settled = connection.txn_state("main") != apsw.SQLITE_TXN_WRITE
            if number is not None and settled and len(known) < _MOST_KNOWN:
                known[each] = int(number)
        if number is not None:
            found.append(int(number))
    return sorted(found)


@decoded()
def scope_id(connection: apsw.Connection, scope: Scope) -> int:
    """Id of a scope, made where it is new; inside a write transaction."""
    named = statements("memory")
    values = {"kind": scope.kind, "key": scope.key}
    found = connection.execute(named["scope_find"], values).get
    return int(found if found is not None else connection.execute(named["scope_add"], values).get)


@decoded()
def fetch_record(connection: apsw.Connection, memory_id: str) -> Record | None:
    """A memory of any scope and status: for writes, which check the scope themselves."""
    cursor = connection.execute(statements("memory")["row_by_id"], {"id": memory_id})
    for row in cursor:
        return record_of(dict(zip((each[0] for each in cursor.get_description()), row, strict=True)))
    return None


def stored_scope(kind: object, key: object) -> Scope:
    """The scope of a row.

    Raises:
        StoreCorrupt: it is none, or there is none.
    """
    try:
        return Scope(kind, key)  # type: ignore[arg-type]  # checked there
    except (ScopeError, TypeError) as error:
        raise StoreCorrupt(
            "the store's file is damaged: a row's scope is missing or unreadable; restore a backup"
        ) from error


@decoded()
def record_of(row: Mapping[str, Any]) -> Record:
    """A row of `memory` with its scope and terms as a record."""
    valid_at = row["valid_at"]
    return Record(
        id=row["id"],
        scope=stored_scope(row["scope_kind"], row["scope_key"]),
        text=row["text"],
        kind=row["kind"],
        layer=row["layer"],
        provenance=row["provenance"],
        origin=row["origin"],
        status=row["status"],
        title=row["title"],
        semantic_key=row["semantic_key"],
        tags=_tags(row["tags"]),
        speaker=row["speaker"],
        scene=row["scene"],
        domain=row["domain"],
        raw_quote=row["raw_quote"],
        importance=row["importance"],
        pinned=bool(row["pinned"]),
        document_id=row["document_id"],
        session_id=row["session_id"],
        source=row["source"],
        event_start_ms=row["event_start"],
        event_end_ms=row["event_end"],
        valid_at_ms=row["created_at"] if valid_at is None else valid_at,
        invalid_at_ms=row["invalid_at"],
        superseded_by=row["superseded_by"],
        supersedes=row["supersedes"],
        created_at_ms=row["created_at"],
        updated_at_ms=row["updated_at"],
        confirmed_at_ms=row["confirmed_at"],
        expires_at_ms=row["expires_at"],
        alpha=row["alpha"],
        beta=row["beta"],
        harmful_count=row["harmful_count"],
        recall_count=row["recall_count"],
        last_recalled_at_ms=row["last_recalled_at"],
        evidence_count=row["evidence_count"],
        learned_terms=tuple(row["learned_terms"].split()),
        terms=frozenset((row["terms"] or "").split(" ")) - {""},
    )


def _tags(text: str) -> tuple[str, ...]:
    tags = json.loads(text)
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise TypeError("tags are a list of texts")
    return tuple(tags)
