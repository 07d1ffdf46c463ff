"""What was put into prompts, and which messages were read? Keyed hashes, no words.

A fingerprint is a digest of a few words, by which a guess at them could be checked; under the store's
own key that takes the file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import apsw

from memweir.store.database import decoded
from memweir.store.gates import scan_secrets
from memweir.store.rows import scope_id, scope_ids
from memweir.store.scopes import Scope
from memweir.store.statements import statements

__all__ = [
    "Fingerprinter",
    "known_echoes",
    "mark_observed",
    "may_be_named",
    "note_injected",
    "seen",
    "unknown_texts",
    "values_of",
]

Fingerprinter = Callable[[str], Collection[int]]
"""The fingerprints of an entry's text: whole numbers below 2^63."""


def may_be_named(connection: apsw.Connection, scope: Scope) -> bool:
    """Whether a scope may be written: it is known, or the gates refuse nothing of its name."""
    return bool(scope_ids(connection, (scope,))) or scan_secrets(scope.key) is None


def unknown_texts(
    connection: apsw.Connection,
    scopes: Sequence[Scope],
    entries: Mapping[str, str],
    *,
    key: bytes,
) -> dict[str, str]:
    """Of entries (id → text) those whose text has left no fingerprints in one of the scopes yet."""
    owners = scope_ids(connection, scopes)
    if len(owners) < len(scopes):
        return dict(entries)
    sql = statements("learning")["text_known"]
    found = {}
    for entry, text in entries.items():
        values = {"entry": entry, "text": _text_hash(text, key)}
        if not all(connection.execute(sql, values | {"scope": owner}).get for owner in owners):
            found[entry] = text
    return found


def note_injected(
    connection: apsw.Connection,
    scopes: Sequence[Scope],
    entries: Mapping[str, str],
    fingerprints: Fingerprinter,
    *,
    key: bytes,
) -> None:
    """Keep the fingerprints of entries that a recall of the scopes gave; in a write transaction."""
    sql = statements("learning")
    owners = [scope_id(connection, scope) for scope in scopes]
    for entry, text in entries.items():
        numbers = sorted(_keyed(each, key) for each in fingerprints(text))
        for owner in owners:
            connection.executemany(sql["echo_add"], [(each, owner, entry) for each in numbers])
            values = {"entry": entry, "scope": owner, "text": _text_hash(text, key)}
            connection.execute(sql["text_add"], values)


@decoded()
def known_echoes(
    connection: apsw.Connection, scope: Scope, fingerprints: Collection[int], *, key: bytes
) -> set[int]:
    """Those of the fingerprints that an entry has which was given to a prompt of the scope."""
    plain = {_keyed(each, key): each for each in fingerprints}
    found = _asked(connection, "echoes", scope, {"fingerprints": json.dumps(sorted(plain))})
    return {plain[each] for each in found}


@decoded()
def seen(
    connection: apsw.Connection, scope: Scope, messages: Sequence[str], *, key: bytes
) -> list[bool]:
    """Of each message, by what identifies it, whether it was read in the scope before."""
    hashes = [_text_hash(each, key) for each in messages]
    found = _asked(connection, "observed", scope, {"messages": json.dumps(hashes)})
    return [each in found for each in hashes]


def mark_observed(
    connection: apsw.Connection, scope: Scope, message: str, *, now_ms: int, key: bytes
) -> bool:
    """Note that a message was read; False: it was before. In a write transaction.

    Nothing is stored in a scope whose name the gates refuse: that is not written either.
    """
    if not may_be_named(connection, scope):
        return True
    owner = scope_id(connection, scope)
    values: dict[str, Any] = {"scope": owner, "message": _text_hash(message, key), "at": now_ms}
    return connection.execute(statements("learning")["observed_add"], values).get is not None


@decoded()
def values_of(connection: apsw.Connection, scope: Scope, key: str, *, now_ms: int) -> list[str]:
    """What the memories of a scope say that hold a folded semantic key now or will, oldest first."""
    owners = scope_ids(connection, (scope,))
    if not owners:
        return []
    values: dict[str, Any] = {"scope": owners[0], "key": key, "now": now_ms}
    rows = connection.execute(statements("learning")["values_of"], values).fetchall()
    return [str(row[0]) for row in rows]


def _asked(connection: apsw.Connection, name: str, scope: Scope, values: Mapping[str, Any]) -> set[int]:
    owners = scope_ids(connection, (scope,))
    if not owners:
        return set()
    rows = connection.execute(statements("learning")[name], {**values, "scope": owners[0]})
    return {int(row[0] or 0) for row in rows}


def _keyed(number: int, key: bytes) -> int:
    digest = hashlib.blake2b(number.to_bytes(8, "big"), digest_size=8, key=key, person=b"echo")
    return int.from_bytes(digest.digest(), "big") >> 1


def _text_hash(text: str, key: bytes) -> int:
    data = text.encode("utf-8", "surrogatepass")
    digest = hashlib.blake2b(data, digest_size=8, key=key, person=b"text")
    return int.from_bytes(digest.digest(), "big") >> 1
