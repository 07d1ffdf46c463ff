"""What do deleted rows leave in the file, and how does it go? Index segments, pages, the log.

A deleted row goes on in three places. FTS5 keeps the terms of a contentless index in their segments
until these are merged. A page that was split keeps copies of the cells that moved out, and one that was
freed keeps everything: `secure_delete` clears what a delete touches, not what an earlier change left
behind, so that only VACUUM, which writes every page anew, is sure. And the write-ahead log keeps every
page as it was until it is moved into the file and cut off; that waits for readers of older states.

What is left to do stands in the store itself, so that it survives a crash.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import apsw

from memweir.store.database import transaction
from memweir.store.statements import statements

__all__ = ["COMPACT", "DONE", "TRUNCATE", "finish", "left", "mark", "thorough"]

COMPACT: Final = "compact"
TRUNCATE: Final = "truncate"
DONE: Final = ""
"""What is left to do: write everything anew and cut the log off, only the latter, or nothing."""

_KEY: Final = "remains"
_IN_MEMORY: Final = (
    128 * 1024 * 1024
)  # bytes: a larger store is written anew by way of a temporary file


@contextmanager
def thorough(connection: apsw.Connection) -> Iterator[None]:
    """For a transaction that erases: deleted bytes are overwritten, whatever it costs.

    References are not checked either: of a deleted memory SQLite would look through the whole table for
    rows that it superseded, once for each. The caller clears them.
    """
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        with _overwriting(connection):
            yield
    finally:
        connection.execute("PRAGMA foreign_keys = ON")


@contextmanager
def _overwriting(connection: apsw.Connection) -> Iterator[None]:
    connection.execute("PRAGMA secure_delete = ON")
    try:
        yield
    finally:
        connection.execute("PRAGMA secure_delete = FAST")


def mark(connection: apsw.Connection) -> None:
    """Note that the file must be written anew; inside the transaction that deletes."""
    _set(connection, COMPACT)


def left(connection: apsw.Connection) -> str:
    """What is left to do."""
    return str(connection.execute(statements("memory")["meta_get"], {"key": _KEY}).get or DONE)


def finish(connection: apsw.Connection, *, wait: bool = True) -> str:
    """Do what is left to do; what is left then.

    Takes time and log space with the size of the store, outside of any transaction of the caller.

    Args:
        wait: for other processes, as long as the connection waits for locks; False: not at all.

    Raises:
        apsw.BusyError, apsw.FullError, …: it could not be done now; what is left stays noted.
    """
    patience = int(connection.execute("PRAGMA busy_timeout").get)
    if not wait:
        connection.execute("PRAGMA busy_timeout = 0")
    try:
        if left(connection) == COMPACT:
            _compact(connection)
            with transaction(connection):
                _set(connection, TRUNCATE)
        if left(connection) == TRUNCATE and _truncate(connection):
            with transaction(connection):
                connection.execute(statements("erase")["meta_delete"], {"key": _KEY})
            _truncate(connection)  # of the mark; whether it can be is all the same
        return left(connection)
    finally:
        connection.execute(f"PRAGMA busy_timeout = {patience}")


def _compact(connection: apsw.Connection) -> None:
    with _overwriting(connection), transaction(connection):
        connection.execute(statements("erase")["fts_optimize"])
    sized = connection.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    if int(sized.get) > _IN_MEMORY:
        connection.execute("PRAGMA temp_store = FILE")
    try:
        connection.execute("VACUUM")
    finally:
        connection.execute("PRAGMA temp_store = MEMORY")


def _truncate(connection: apsw.Connection) -> bool:
    """Whether the whole log is in the file now, and empty."""
    busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0][0]
    return not busy


def _set(connection: apsw.Connection, value: str) -> None:
    connection.execute(statements("memory")["meta_set"], {"key": _KEY, "value": value})
