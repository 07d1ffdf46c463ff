"""How does a row become a record? Scopes and rows between SQL and Python."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from weakref import WeakKeyDictionary

import apsw

from memweir.errors import ScopeError, StoreCorrupt
from memweir.store.database import decoded
from memweir.store.records import Record
from memweir.store.scopes import Scope
from memweir.store.statements import statements

__all__ = [
    "fetch_by_address",
    "fetch_by_document",
    "fetch_record",
    "forget_scopes",
    "record_of",
    "scope_id",
    "scope_ids",
    "shown_ids",
    "stored_scope",
]

_Known = tuple[int, dict[Scope, int]]  # (state of the file as another connection left it, ids)
_KNOWN_SCOPES: Final[WeakKeyDictionary[apsw.Connection, _Known]] = WeakKeyDictionary()
_MOST_KNOWN: Final = 10_000  # scopes remembered for one connection


@decoded()
def scope_ids(connection: apsw.Connection, scopes: Sequence[Scope]) -> list[int]:
    """Ids of the scopes that hold anything, ascending.

    An id is remembered as long as no other connection has changed the file: only an erasure takes a
    scope's name away. Not inside a write transaction, which may still undo the row.
    """
    state = connection.data_version("main")
    seen, known = _KNOWN_SCOPES.get(connection, (state, {}))
    if seen != state:
        known = {}
    _KNOWN_SCOPES[connection] = (state, known)
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


def forget_scopes(connection: apsw.Connection) -> None:
    """Look scopes up anew: the name of one may be gone."""
    _KNOWN_SCOPES.pop(connection, None)


@decoded()
def scope_id(connection: apsw.Connection, scope: Scope) -> int:
    """Id of a scope, made where it is new; inside a write transaction."""
    named = statements("memory")
    values = {"kind": scope.kind, "key": scope.key}
    found = connection.execute(named["scope_find"], values).get
    return int(found if found is not None else connection.execute(named["scope_add"], values).get)


def fetch_record(connection: apsw.Connection, memory_id: str) -> Record | None:
    """A memory of any scope and status: for writes, which check the scope themselves."""
    return _fetch(connection, "row_by_id", id=memory_id)


def fetch_by_address(connection: apsw.Connection, address: str) -> Record | None:
    """The memory that says what has this content address."""
    return _fetch(connection, "row_by_address", address=address)


def fetch_by_document(connection: apsw.Connection, scope: Scope, document_id: str) -> Record | None:
    """The memory of a scope with the caller's own id."""
    owner = connection.execute(
        statements("memory")["scope_find"], {"kind": scope.kind, "key": scope.key}
    ).get
    if owner is None:
        return None
    return _fetch(connection, "row_by_document", scope_id=owner, document_id=document_id)


@decoded()
def shown_ids(
    connection: apsw.Connection, ids: Iterable[str], scopes: Sequence[Scope]
) -> frozenset[str]:
    """Those of the ids that are memories of the scopes, in any status."""
    values: dict[str, Any] = {
        "ids": json.dumps(sorted(ids)),
        "scopes": json.dumps(scope_ids(connection, scopes)),
    }
    rows = connection.execute(statements("memory")["shown_ids"], values)
    return frozenset(str(row[0]) for row in rows)


@decoded()
def _fetch(connection: apsw.Connection, name: str, **values: Any) -> Record | None:
    cursor = connection.execute(statements("memory")[name], values)
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
        invalidated_at_ms=row["invalidated_at"],
        coexistence=row["coexistence"],
        version_of=row["version_of"],
        incident=bool(row["incident"]),
    )


def _tags(text: str) -> tuple[str, ...]:
    tags = json.loads(text)
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise TypeError("tags are a list of texts")
    return tuple(tags)
