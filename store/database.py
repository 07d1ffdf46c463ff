"""How is the file opened, and what does SQLite's word become? Path, pragmas, migrations, errors."""

from __future__ import annotations

import functools
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Final, ParamSpec, TypeVar

import apsw

from memweir.errors import (
    InputError,
    MemweirError,
    NotAStore,
    SchemaTooNew,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StorePathError,
    StoreReadOnly,
)
from memweir.store.statements import migrations

__all__ = [
    "APPLICATION_ID",
    "connect",
    "decoded",
    "mapped_errors",
    "migrate",
    "schema_version",
    "transaction",
]

APPLICATION_ID: Final = 0x6D77656B
"""Written into the SQLite header, so that another program's database is told apart."""

_HEADER: Final = b"SQLite format 3\x00"
_PAUSE_MS: Final = 10  # between two tries for a lock that SQLite does not wait for


@contextmanager
def mapped_errors() -> Iterator[None]:
    """Turn SQLite's errors into ours at the room's edge; ours pass."""
    try:
        yield
    except MemweirError:
        raise
    except (apsw.BusyError, apsw.LockedError) as error:
        raise StoreBusy("another process holds the store's write lock; try again") from error
    except apsw.ReadOnlyError as error:
        raise StoreReadOnly("the store's file or folder does not accept writes") from error
    except apsw.FullError as error:
        raise StoreFull("the disk is full; the write was rolled back") from error
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise StoreCorrupt(f"the store's file is damaged: {_reason(error)}") from error
    except (apsw.IOError, apsw.CantOpenError, apsw.PermissionsError) as error:
        raise StoreError(f"the store's file cannot be read or written: {_reason(error)}") from error
    except UnicodeEncodeError as error:
        # A lone surrogate, which UTF-8 cannot carry: in nothing that was stored, so never found.
        raise InputError("text must be valid Unicode (lone surrogate found)") from error
    except apsw.ConnectionClosedError as error:
        raise StoreError("the store is closed") from error
    except apsw.Error as error:
        raise StoreError(f"SQLite: {type(error).__name__}: {_reason(error)}") from error


_NO_REASON: Final = "not an error"
_REASONS: Final = {  # as sqlite3_errstr has them
    apsw.CantOpenError: "unable to open database file",
    apsw.CorruptError: "database disk image is malformed",
    apsw.IOError: "disk I/O error",
    apsw.NotADBError: "file is not a database",
    apsw.PermissionsError: "access permission denied",
}


def _reason(error: apsw.Error) -> str:
    """SQLite's word for it. A backup asks the wrong connection, which knows of no error."""
    text = str(error)
    if text and text != _NO_REASON:
        return text
    return _REASONS.get(type(error), "SQLite says no more")


_P = ParamSpec("_P")
_R = TypeVar("_R")


class decoded:  # noqa: N801 - used as a function is
    """What a row holds and Python cannot read is damage: no writer of ours leaves such a row.

    A context, or a decorator of a function; around the reading of rows only, so that a fault of the
    caller's own code is not taken for damage. A class and not a generator: it runs for every row.
    """

    __slots__ = ()

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, _UNREADABLE) and not isinstance(error, MemweirError | UnicodeEncodeError):
            raise _damaged(error) from error

    def __call__(self, function: Callable[_P, _R]) -> Callable[_P, _R]:
        @functools.wraps(function)
        def guarded(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            try:
                return function(*args, **kwargs)
            except (MemweirError, UnicodeEncodeError):  # the second: the caller's text
                raise
            except _UNREADABLE as error:
                raise _damaged(error) from error

        return guarded


_UNREADABLE: Final = (ValueError, TypeError, LookupError, ArithmeticError, RecursionError)


def _damaged(error: BaseException) -> StoreCorrupt:
    # Without the error's own words, which may quote the row.
    return StoreCorrupt(
        f"the store's file is damaged: a row cannot be read ({type(error).__name__}); "
        "`reindex` mends the index, for anything else restore a backup"
    )


def connect(path: Path, *, busy_timeout_ms: int, read_only: bool) -> apsw.Connection:
    """Open the file at `path`, made private (0600, new folders 0700) where it is new.

    Raises:
        StorePathError: a directory, a missing or unwritable folder.
        NotAStore: another kind of file, or an empty one; it is not touched. A store is never empty, so
            that an empty file is one that was cut off: a new store there would hide the loss. Of two
            processes that create at once the second waits until the first has written the header.
        SchemaTooNew: written by a newer memweir; it is not touched.
    """
    fresh = _check_path(path, read_only=read_only, patience_ms=busy_timeout_ms)
    flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE
    name = str(path)
    if read_only and _is_immutable(path):
        flags |= apsw.SQLITE_OPEN_URI
        name = f"{path.as_uri()}?immutable=1"
    connection: apsw.Connection | None = None
    try:
        with mapped_errors():
            connection = apsw.Connection(name, flags=flags)
            connection.set_busy_timeout(busy_timeout_ms)
            if not fresh:
                # Closing a refused file must not move a write-ahead log that was there into it.
                keep_log = int(_has_log(path))
                connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep_log)
                _check_identity(connection, path)
                connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
            _set_pragmas(connection)
            if not read_only:
                _log_ahead(connection, patience_ms=busy_timeout_ms)
                migrate(connection)
            elif schema_version(connection) < migrations()[-1][0]:
                raise StoreReadOnly(
                    f"{path} has an older schema; open it once for writing to upgrade it"
                )
    except BaseException:
        if connection is not None:
            connection.close()
        if fresh:
            _take_back(path)
        raise
    return connection


def _check_path(path: Path, *, read_only: bool, patience_ms: int) -> bool:
    """Whether the file is new; a new file is created private before SQLite sees it."""
    try:
        if path.is_dir():
            raise StorePathError(str(path), "is a directory; name a file in it, for example memory.db")
        if path.exists():
            _check_file(path, read_only=read_only, patience_ms=patience_ms)
            return False
        if read_only:
            raise StorePathError(str(path), "does not exist and cannot be created read-only")
        for folder in reversed(_missing_folders(path.parent)):
            folder.mkdir(mode=0o700, exist_ok=True)
        if _create(path):
            return True
        _check_file(path, read_only=read_only, patience_ms=patience_ms)
        return False
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise StorePathError(str(path), f"cannot hold a store: {reason}") from error


def _create(path: Path) -> bool:
    try:
        # O_EXCL: of two processes that create at once one creates and the other opens.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    return True


def _take_back(path: Path) -> None:
    """Leave no empty file of ours where creating failed: the next try would refuse it."""
    with suppress(OSError):
        if path.stat().st_size == 0:
            path.unlink()


def _missing_folders(folder: Path) -> list[Path]:
    missing = []
    while not folder.exists() and folder != folder.parent:
        missing.append(folder)
        folder = folder.parent
    return missing


def _check_file(path: Path, *, read_only: bool, patience_ms: int) -> None:
    if not stat.S_ISREG(path.stat().st_mode):
        raise NotAStore(str(path), "not a regular file")
    for _ in range(max(patience_ms // _PAUSE_MS, 1)):
        if path.stat().st_size:
            break
        # A process that creates the store right now has not written its header yet.
        time.sleep(_PAUSE_MS / 1000)
    head = _head(path)
    if not head:
        raise NotAStore(str(path), "it is empty: remove it to start anew, or restore a backup")
    if head != _HEADER:
        raise NotAStore(str(path), "no SQLite header")
    if not read_only and not os.access(path, os.W_OK):
        raise StoreReadOnly(f"{path} is not writable; open it with read_only=True to look at it")


def _head(path: Path) -> bytes:
    """The first bytes of the file, read by SQLite's own hand.

    POSIX drops all locks of a process on a file when it closes any handle to it: opened and closed
    by Python, the file would lose the locks that another connection of this process holds.
    """
    size = min(path.stat().st_size, len(_HEADER))
    try:
        file = apsw.VFSFile("", str(path), [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0])
        try:
            return file.xRead(size, 0) if size else b""
        finally:
            file.xClose()
    except apsw.Error as error:
        raise StorePathError(str(path), f"cannot hold a store: {error}") from error


def _is_immutable(path: Path) -> bool:
    """A closed store where SQLite may not put the log and its index, which reading needs as well.

    Without a log nobody has the store open, and who may not write here cannot see a writer come later:
    opened so, a store must not be changed by anybody until it is closed.
    """
    beside = [path.with_name(f"{path.name}-{kind}") for kind in ("wal", "shm")]
    if any(each.exists() for each in beside):
        return False
    return not (os.access(path.parent, os.W_OK) and os.access(path, os.W_OK))


def _has_log(path: Path) -> bool:
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size > 0
    except FileNotFoundError:  # there is none, or another process that closed just took it away
        return False


def _check_identity(connection: apsw.Connection, path: Path) -> None:
    connection.execute("BEGIN")  # one state, whatever another process is creating right now
    found = _pragma(connection, "application_id")
    version = schema_version(connection)
    tables = connection.execute("SELECT count(*) FROM sqlite_schema").get
    connection.execute("COMMIT")
    known = migrations()[-1][0]
    if found != APPLICATION_ID:
        # An empty database that another process is creating right now has neither mark yet.
        if found or version or tables:
            raise NotAStore(str(path), "a database of another program")
    elif version > known:
        raise SchemaTooNew(version, known)


def _log_ahead(connection: apsw.Connection, *, patience_ms: int) -> None:
    """WAL: readers keep reading while one writer writes."""
    for _ in range(max(patience_ms // _PAUSE_MS, 1)):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except apsw.BusyError:
            # SQLite does not wait by itself here, where two processes create one store at once.
            time.sleep(_PAUSE_MS / 1000)
    connection.execute("PRAGMA journal_mode = WAL")


def _set_pragmas(connection: apsw.Connection) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    # In WAL a power cut can lose the last commits, never the file; a crash of the process loses none.
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA cache_size = -16384")
    connection.execute("PRAGMA mmap_size = 268435456")
    # Deleted content is overwritten: what was forgotten must not linger in free pages.
    connection.execute("PRAGMA secure_delete = FAST")
    # A hostile schema must not run functions with side effects.
    connection.execute("PRAGMA trusted_schema = OFF")


def _pragma(connection: apsw.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").get)


def schema_version(connection: apsw.Connection) -> int:
    """`PRAGMA user_version`: the number of the last migration applied."""
    return _pragma(connection, "user_version")


def migrate(connection: apsw.Connection) -> None:
    """Apply the missing migrations. A step and its version commit together or not at all."""
    for version, script in migrations():
        if schema_version(connection) >= version:
            continue
        with transaction(connection):
            if schema_version(connection) >= version:
                continue  # another process was quicker
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            # apsw runs the statements one by one inside our transaction and commits nothing itself.
            for _ in connection.execute(script):
                pass
            connection.execute(f"PRAGMA user_version = {version}")


@contextmanager
def transaction(connection: apsw.Connection) -> Iterator[None]:
    """One write transaction; IMMEDIATE, so that it waits for the lock at its start and not halfway."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")  # may fail too, on a full disk for example
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
