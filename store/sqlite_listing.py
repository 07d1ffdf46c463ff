"""What does the store on SQLite hold, as a whole? Lists for people, read beside everything else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

import apsw

from memweir.errors import InputError, StoreClosed
from memweir.store.answers import list_answers
from memweir.store.database import connect, decoded, mapped_errors
from memweir.store.identity import query_hash
from memweir.store.reads import view_values
from memweir.store.records import Answer, Assertion, Record
from memweir.store.reflecting import Revision
from memweir.store.rows import record_of, scope_ids
from memweir.store.scopes import Scope
from memweir.store.sqlite_parts import SqlitePart
from memweir.store.statements import statements
from memweir.store.view import View

__all__ = ["ORDERS", "SqliteListing", "SqliteLists"]

ORDERS: Final = ("told", "strongest", "newest")
"""Orders of a list of memories: told first first; most credible first; latest first."""

_PAGE: Final = 500  # records in memory at once
_PATIENCE_MS: Final = 5_000


class SqliteLists:
    """Implements `Lists` of `memweir.store.seam` on a connection of its own, inside one read."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def memories(self, view: View, *, order: str, layer: str | None = None) -> Iterator[Record]:
        """What the view shows, in one of `ORDERS`; of one layer unless the order is "newest".

        Raises:
            InputError: no such order, or one that needs a layer and has none.
        """
        if order not in ORDERS or (layer is None) != (order == "newest"):
            raise InputError(f"cannot list memories by {order!r} of the layer {layer!r}")
        values = view_values(self._connection, view) | {"layer": layer}
        with mapped_errors():
            found = self._connection.execute(_sql(order, view.looks_back), values)
            while seqs := [int(row[0] or 0) for row in islice(found, _PAGE)]:
                yield from self._rows(seqs)

    def layers_of(self, view: View, ids: Iterable[str]) -> dict[str, str]:
        """Id → layer, of those of the ids that the view shows."""
        values = view_values(self._connection, view) | {"ids": json.dumps(sorted(set(ids)))}
        with mapped_errors(), decoded():
            rows = self._connection.execute(_sql("layers_of", view.looks_back), values).fetchall()
            return {str(row[0]): str(row[1]) for row in rows}

    def relations(self, view: View) -> Iterator[Assertion]:
        """Every relation that memories which the view shows assert, those from one entity together."""
        values = view_values(self._connection, view)
        with mapped_errors(), decoded():
            for row in self._connection.execute(_sql("relations", view.looks_back), values):
                source, predicate, target, memory_id, layer, at, holds = row
                yield Assertion(
                    source=str(source),
                    predicate=str(predicate),
                    target=str(target),
                    memory_id=str(memory_id),
                    layer=str(layer),
                    created_at_ms=int(at or 0),
                    holds=bool(holds),
                )

    def answers(self, scopes: Sequence[Scope]) -> Iterator[Answer]:
        """The standing answers of the scopes, those stored first first."""
        with mapped_errors():
            found = list_answers(self._connection, scopes, limit=-1)  # to SQLite: all of them
        yield from sorted(found, key=lambda each: (each.created_at_ms, each.id))

    def belief_evidence(
        self, belief: str, scopes: Sequence[Scope]
    ) -> tuple[list[tuple[str, bool]], list[Revision]]:
        """(id, whether it speaks against it) of what a belief rests on, and how it stood before.

        Of what the scopes do not cover, was forgotten or waits for a person, nothing is told.
        """
        values: dict[str, Any] = {
            "belief": belief,
            "scopes": json.dumps(scope_ids(self._connection, scopes)),
        }
        named = statements("listing")
        with mapped_errors(), decoded():
            evidence = self._connection.execute(named["evidence"], values).fetchall()
            revisions = self._connection.execute(named["revisions"], values).fetchall()
            return (
                [(str(row[0]), bool(row[1])) for row in evidence],
                [
                    Revision(
                        number=int(row[0] or 0),
                        at_ms=int(row[1] or 0),
                        reason=str(row[2]),
                        text=str(row[5] or ""),
                        strength=float(row[3] or 0.0),
                        evidence=tuple(json.loads(str(row[4]))),
                    )
                    for row in revisions
                ],
            )

    def _rows(self, seqs: Sequence[int]) -> Iterator[Record]:
        yield from _records(self._connection, seqs)


class SqliteListing(SqlitePart):
    """Verbs of `memweir.store.sqlite.SqliteStore` that show it as a whole."""

    _connection: apsw.Connection | None
    _path: Path

    @contextmanager
    def listing(self) -> Iterator[SqliteLists]:
        """Lists inside show one state of the store, and nobody waits until they are read."""
        if self._connection is None:
            raise StoreClosed
        connection = connect(self._path, busy_timeout_ms=_PATIENCE_MS, read_only=True)
        try:
            with mapped_errors():
                connection.execute("BEGIN")
            yield SqliteLists(connection)
        finally:
            connection.close(True)

    def wordings(self, ids: Sequence[str]) -> Mapping[str, str]:
        """Of those of the ids that are earlier wordings: id → the memory that it is a wording of."""
        with self._reading() as connection:
            values = {"ids": json.dumps(list(ids))}
            rows = connection.execute(statements("listing")["wordings"], values).fetchall()
            return {str(row[0]): str(row[1]) for row in rows}

    def note_mirror(self, folder: str) -> None:
        """Remember, as a keyed hash, that memories are mirrored into a folder."""
        mark = query_hash(f"mirror {folder}", self._key)
        with self._reading() as connection:
            known = _mirrors(connection)
        if mark in known:
            return
        with self._writing() as connection:
            value = json.dumps(sorted({*_mirrors(connection), mark}))
            connection.execute(statements("memory")["meta_set"], {"key": "mirrors", "value": value})

    def other_mirrors(self, folder: str | None) -> int:
        """Into how many folders besides this one memories were ever mirrored."""
        with self._reading() as connection:
            return len(_mirrors(connection) - {query_hash(f"mirror {folder}", self._key)})

    def believed(self, after: int) -> list[Record]:
        """The beliefs that began after a line of the ledger and stand."""
        with self._reading() as connection:
            rows = connection.execute(statements("listing")["believed"], {"after": after}).fetchall()
            seqs = list(dict.fromkeys(int(row[0] or 0) for row in rows))
            return list(_records(connection, seqs))


@decoded()
def _mirrors(connection: apsw.Connection) -> set[str]:
    kept = connection.execute(statements("memory")["meta_get"], {"key": "mirrors"}).get
    return {str(each) for each in json.loads(str(kept or "[]"))}


@decoded()
def _records(connection: apsw.Connection, seqs: Sequence[int]) -> list[Record]:
    """The rows of these numbers, in their order."""
    cursor = connection.execute(statements("listing")["rows"], {"seqs": json.dumps(list(seqs))})
    found: dict[int, Record] = {}
    names: list[str] = []
    for row in cursor:
        names = names or [each[0] for each in cursor.get_description()]
        values: dict[str, Any] = dict(zip(names, row, strict=True))
        found[int(values["seq"] or 0)] = record_of(values)
    return [found[each] for each in seqs if each in found]


@cache
def _sql(name: str, past: bool) -> str:
    named = statements("reads")
    visible = named["visible_past" if past else "visible_now"]
    return statements("listing")[name].replace("{visible}", f"{visible}\n{named['visible_rest']}")
