"""Is the file opened only where it should be, and does it survive? Paths, modes, locks, kills."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from memweir import errors
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
from memweir.store.database import APPLICATION_ID, connect, mapped_errors
from memweir.store.reads import TermMatch, TermStatistics
from memweir.store.records import Stored, to_ms
from memweir.store.sqlite import SqliteStore
from memweir.store.statements import statements
from memweir.testing import NOW, SCOPE, PlainIndexer, draft, view

Opener = Callable[..., SqliteStore]
Sql = Callable[..., list[tuple[Any, ...]]]

_NOW_MS = to_ms(NOW)
_POSIX = pytest.mark.skipif(os.name != "posix", reason="file modes and links of POSIX")


def _open(path: object, **options: Any) -> SqliteStore:
    return SqliteStore.open(path, PlainIndexer(), **options)  # type: ignore[arg-type]


def _add(store: SqliteStore, *texts: str) -> list[str]:
    results = store.add_many([draft(text) for text in texts], now_ms=_NOW_MS)
    return [each.id for each in results if isinstance(each, Stored)]


def _files(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in sorted(folder.iterdir())}


@contextmanager
def _untouched(folder: Path) -> Iterator[None]:
    """The files in the folder are the same afterwards, byte for byte.

    An empty log and its index may come: SQLite cannot take them away again after only reading.
    """
    before = _files(folder)
    yield
    after = _files(folder)
    assert {name: after[name] for name in before} == before
    added = {name: data for name, data in after.items() if name not in before}
    assert all(name.endswith(("-wal", "-shm")) for name in added)
    assert not any(data for name, data in added.items() if name.endswith("-wal"))


# Paths


def test_a_directory_is_no_store(tmp_path: Path) -> None:
    with _untouched(tmp_path), pytest.raises(StorePathError, match="directory"):
        _open(tmp_path)


@pytest.mark.parametrize("given", ["", "  ", "a\x00b", b"bytes.db"])
def test_what_names_no_file_is_an_error(given: object) -> None:
    with pytest.raises(InputError):
        _open(given)


def test_a_path_below_a_file_cannot_hold_a_store(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("a file")
    for below in ("plain/memory.db", "plain/deeper/memory.db"):
        with _untouched(tmp_path), pytest.raises(StorePathError):
            _open(tmp_path / below)


def test_a_path_that_cannot_be_is_a_typed_error(tmp_path: Path) -> None:
    unable = [
        tmp_path / ("x" * 300 + ".db"),
        tmp_path / "cut \ud83d.db",
        "~no-such-user-here/memory.db",
    ]
    for given in unable:
        with pytest.raises(StorePathError):
            _open(given)
    assert _files(tmp_path) == {}


@_POSIX
def test_a_broken_link_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "memory.db").symlink_to(tmp_path / "nowhere" / "memory.db")
    with pytest.raises(StorePathError):
        _open(tmp_path / "memory.db")


@_POSIX
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root ignores file modes")
def test_a_folder_or_file_without_write_permission_is_a_typed_error(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    _open(path).close()
    path.chmod(0o400)
    with pytest.raises(StoreReadOnly):
        _open(path)
    _open(path, read_only=True).close()
    path.chmod(0o600)
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StorePathError):
            _open(tmp_path / "other.db")
    finally:
        tmp_path.chmod(0o700)


def test_a_missing_file_is_not_made_by_a_reader(tmp_path: Path) -> None:
    with pytest.raises(StorePathError, match="does not exist"):
        _open(tmp_path / "memory.db", read_only=True)
    assert _files(tmp_path) == {}


def test_a_name_that_sqlite_reads_otherwise_is_a_file_like_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = [":memory:", "file:x.db?mode=memory"] if os.name == "posix" else ["file.db"]
    for name in names:
        store = _open(name)
        ids = _add(store, "green tea")
        store.close()
        again = _open(name)
        assert again.matching(view(), TermMatch({"": ("tea",)}, {}), 5) == ids
        again.close()
        assert (tmp_path / name).stat().st_size > 0


def test_a_relative_path_stays_the_same_file_when_the_folder_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    store = _open("memory.db")
    monkeypatch.chdir(tmp_path / "elsewhere")
    _add(store, "green tea")
    store.close()
    assert sorted(_files(tmp_path / "elsewhere")) == []


@_POSIX
def test_files_are_private_and_new_folders_too_whatever_the_umask(tmp_path: Path) -> None:
    path = tmp_path / "new" / "deeper" / "memory.db"
    umask = os.umask(0)
    try:
        store = _open(path)
        _add(store, "green tea")
        modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()}
        assert modes == {"memory.db": 0o600, "memory.db-wal": 0o600, "memory.db-shm": 0o600}
        folders = [stat.S_IMODE(each.stat().st_mode) for each in (path.parent, path.parent.parent)]
        assert folders == [0o700, 0o700]
        store.close()
    finally:
        os.umask(umask)


# Other files


@pytest.mark.parametrize("content", [b"x", b"not a database", b"SQLite format 2\0" * 9, b"\0" * 5000])
def test_another_kind_of_file_is_refused_and_untouched(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.db"
    path.write_bytes(content)
    for read_only in (False, True):
        with _untouched(tmp_path), pytest.raises(NotAStore):
            _open(path, read_only=read_only)


def _foreign(path: Path, *statements: str) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    for statement in statements:
        connection.execute(statement)
    return connection


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TABLE memory (id)", "INSERT INTO memory VALUES (1)"],
        ["PRAGMA application_id = 77"],
        ["PRAGMA user_version = 3"],
        ["PRAGMA journal_mode = WAL", "CREATE TABLE notes (id)"],
    ],
)
def test_another_programs_database_is_refused_and_untouched(
    tmp_path: Path, statements: list[str]
) -> None:
    path = tmp_path / "notes.db"
    _foreign(path, *statements).close()
    for read_only in (False, True):
        with _untouched(tmp_path), pytest.raises(NotAStore, match="another program"):
            _open(path, read_only=read_only)


def test_a_newer_schema_is_refused_and_untouched(path: Path, open_store: Opener, sql: Sql) -> None:
    store = open_store()
    known = int(sql("PRAGMA user_version")[0][0])
    store.close()
    sql(f"PRAGMA user_version = {known + 1}")
    for read_only in (False, True):
        with _untouched(path.parent), pytest.raises(SchemaTooNew) as caught:
            open_store(read_only=read_only)
        if not read_only:
            assert sorted(_files(path.parent)) == ["memory.db"]
        assert (caught.value.found, caught.value.known) == (known + 1, known)
    assert sql("PRAGMA user_version") == [(known + 1,)]


def test_a_refused_files_write_ahead_log_stays_where_it_is(tmp_path: Path, path: Path) -> None:
    # As after a crash of its owner: what was committed stands in the log only.
    alive = _foreign(
        tmp_path / "alive.db",
        "PRAGMA journal_mode = WAL",
        f"PRAGMA application_id = {APPLICATION_ID}",
        "PRAGMA user_version = 99",
        "CREATE TABLE t (x)",
    )
    path.parent.mkdir()
    shutil.copy(tmp_path / "alive.db", path)
    shutil.copy(tmp_path / "alive.db-wal", f"{path}-wal")
    alive.close()
    assert Path(f"{path}-wal").stat().st_size > 0
    with _untouched(path.parent), pytest.raises(SchemaTooNew):
        _open(path)


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.95])
def test_a_truncated_file_is_a_typed_error_on_opening_or_reading(
    path: Path, open_store: Opener, keep: float
) -> None:
    store = open_store()
    _add(store, *[f"green tea {n}" for n in range(200)])
    store.close()
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * keep)])
    reading: list[Callable[[SqliteStore], object]] = [
        lambda damaged: damaged.matching(view(), TermMatch({"": ("tea",)}, {}), 500),
        lambda damaged: damaged.latest(view(), 500),
        lambda damaged: damaged.nearest(view(), PlainIndexer().embed("tea"), 500),
        lambda damaged: damaged.reindex(now_ms=_NOW_MS),
    ]
    caught: list[MemweirError] = []
    for read in reading:
        try:
            damaged = open_store()
            read(damaged)
        except StoreError as error:
            caught.append(error)
    assert any(isinstance(error, StoreCorrupt) for error in caught)


def test_garbage_behind_a_good_header_is_a_typed_error(path: Path, open_store: Opener) -> None:
    open_store().close()
    data = bytearray(path.read_bytes())
    data[100:4000] = b"\xa5" * 3900
    path.write_bytes(data)
    with pytest.raises(StoreCorrupt):
        open_store()


# SQLite's words


@pytest.mark.parametrize(
    ("foreign", "ours"),
    [
        (apsw.BusyError, StoreBusy),
        (apsw.LockedError, StoreBusy),
        (apsw.ReadOnlyError, StoreReadOnly),
        (apsw.FullError, StoreFull),
        (apsw.CorruptError, StoreCorrupt),
        (apsw.NotADBError, StoreCorrupt),
        (apsw.IOError, StoreError),
        (apsw.CantOpenError, StoreError),
        (apsw.PermissionsError, StoreError),
        (apsw.ConnectionClosedError, StoreError),
        (apsw.SQLError, StoreError),
        (apsw.ConstraintError, StoreError),
    ],
)
def test_each_of_sqlites_errors_becomes_ours_and_keeps_its_cause(
    foreign: type[Exception], ours: type[MemweirError]
) -> None:
    with pytest.raises(ours) as caught, mapped_errors():
        raise foreign("words of SQLite")
    assert type(caught.value) is ours
    assert isinstance(caught.value.__cause__, foreign)


@pytest.mark.parametrize("said", ["not an error", ""])
@pytest.mark.parametrize(
    ("foreign", "reason"),
    [
        (apsw.NotADBError, "file is not a database"),
        (apsw.CorruptError, "database disk image is malformed"),
        (apsw.IOError, "disk I/O error"),
        (apsw.CantOpenError, "unable to open database file"),
        (apsw.PermissionsError, "access permission denied"),
        (apsw.SQLError, "SQLite says no more"),
    ],
)
def test_an_error_that_sqlite_calls_none_is_told_by_its_kind(
    foreign: type[Exception], reason: str, said: str
) -> None:
    with pytest.raises(StoreError) as caught, mapped_errors():
        raise foreign(said)
    assert str(caught.value).endswith(f": {reason}")


def test_the_words_of_sqlite_are_kept_where_it_has_some() -> None:
    with pytest.raises(StoreCorrupt, match=r"damaged: row 3 missing from index$"), mapped_errors():
        raise apsw.CorruptError("row 3 missing from index")


def test_every_error_of_sqlite_is_mapped_and_ours_pass() -> None:
    foreign = [each for each in vars(apsw).values() if isinstance(each, type)]
    for kind in foreign:
        if issubclass(kind, apsw.Error):
            with pytest.raises(StoreError), mapped_errors():
                raise kind("x")
    for name in errors.__all__:
        kind = getattr(errors, name)
        made = kind.__new__(kind)
        with pytest.raises(kind) as caught, mapped_errors():
            raise made
        assert caught.value is made
    with pytest.raises(KeyError), mapped_errors():
        raise KeyError("a mistake of our own is not the store's")


def test_a_held_write_lock_is_busy_and_reading_goes_on(open_store: Opener, path: Path) -> None:
    store = open_store(busy_timeout_ms=20)
    ids = _add(store, "green tea")
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy):
        _add(store, "black tea")
    assert store.matching(view(), TermMatch({"": ("tea",)}, {}), 5) == ids
    other.execute("ROLLBACK")
    other.close()
    assert len(_add(store, "black tea")) == 1


def test_the_file_is_opened_as_intended(open_store: Opener) -> None:
    connection = open_store()._connection
    assert connection is not None
    expected = {
        "journal_mode": "wal",
        "synchronous": 1,
        "foreign_keys": 1,
        "trusted_schema": 0,
        "secure_delete": 2,
        "application_id": APPLICATION_ID,
    }
    assert {name: connection.execute(f"PRAGMA {name}").get for name in expected} == expected


def test_a_snapshot_does_not_see_what_another_process_writes_meanwhile(open_store: Opener) -> None:
    reader, writer = open_store(), open_store()
    _add(writer, "green tea")
    with reader.snapshot():
        assert reader.count(view()) == 1
        _add(writer, "black tea")
        assert reader.count(view()) == 1
        assert reader.term_statistics(view(), ["tea"]) == TermStatistics(1, {"tea": 1})
    assert reader.count(view()) == 2


def test_a_snapshot_that_breaks_off_leaves_no_transaction_open(open_store: Opener) -> None:
    store = open_store()
    with pytest.raises(ZeroDivisionError), store.snapshot():
        raise ZeroDivisionError
    assert len(_add(store, "green tea")) == 1


def test_threads_share_one_store(open_store: Opener) -> None:
    store = open_store()
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(10):
                _add(store, f"note {number} {turn}")
                store.keyword(view(), TermMatch({"": ("note",)}, {}), 5)
                with store.snapshot():
                    assert store.count(view()) == len(store.latest(view(), 1000))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert store.count(view()) == 40
    assert store.term_statistics(view(), ["note"]) == TermStatistics(40, {"note": 40})


# Processes

_CHILD = """
import sys
from memweir.store.sqlite import SqliteStore
from memweir.testing import PlainIndexer, draft
path, name, first, last = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
sys.stdin.readline()
store = SqliteStore.open(path, PlainIndexer(), busy_timeout_ms=60000)
for number in range(first, last):
    result = store.add_many([draft(f"shared {name} n{number}")], now_ms=number)[0]
    print(result.id, flush=True)
store.close()
"""


def _child(path: Path, name: str, first: int, last: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(_CHILD), str(path), name, str(first), str(last)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _go(*children: subprocess.Popen[str]) -> None:
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()


def _check_file(sql: Sql, ids: list[str]) -> None:
    """The file is sound, the acknowledged rows are there, and the statistics are those of the rows."""
    assert sql("PRAGMA integrity_check") == [("ok",)]
    sql(statements("index")["fts_check"])
    kept = {row[0] for row in sql("SELECT id FROM memory")}
    assert set(ids) <= kept
    assert sql("SELECT df FROM term WHERE term = 'shared'") == [(len(kept),)]
    assert sql("SELECT documents FROM scope_statistics") == [(len(kept),)]
    assert sql("SELECT documents FROM vector_statistics") == [(len(kept),)]
    assert sql("SELECT count(*) FROM memory_fts WHERE memory_fts MATCH 'shared'") == [(len(kept),)]
    assert sql("SELECT count(*) FROM evidence") == [(len(kept),)]


def test_two_processes_that_create_and_write_one_file_lose_nothing(path: Path, sql: Sql) -> None:
    path.parent.mkdir()
    children = [_child(path, name, 0, 100) for name in ("one", "two")]
    _go(*children)
    ids: list[str] = []
    for child in children:
        out, err = child.communicate(timeout=120)
        assert child.returncode == 0, err
        ids += out.split()
    assert len(set(ids)) == 200
    _check_file(sql, ids)
    assert sql("SELECT count(*) FROM memory") == [(200,)]
    assert sql("SELECT count(*) FROM meta WHERE key = 'hash_key'") == [(1,)]


def test_a_process_killed_while_it_writes_leaves_every_acknowledged_write(
    path: Path, open_store: Opener, sql: Sql
) -> None:
    path.parent.mkdir()
    acknowledged: list[str] = []
    # Started together, let go one after the other: each finds the file as the one before left it.
    children = [_child(path, f"run{number}", 0, 100_000) for number in range(10)]
    for number, child in enumerate(children):
        _go(child)
        assert child.stdout is not None
        assert child.stderr is not None
        # Read below Python's buffers: what a buffer takes in ahead is lost to the next reader.
        pipe, said = child.stdout.fileno(), b""
        while said.count(b"\n") < 3 + 4 * number and (piece := os.read(pipe, 65536)):
            said += piece
        child.kill()
        while piece := os.read(pipe, 65536):
            said += piece
        err = child.stderr.read()
        assert child.wait(timeout=60) != 0, err
        # A last line may have been cut off by the kill; what is whole was acknowledged.
        own = said.decode().split("\n")[:-1]
        assert len(own) >= 3 + 4 * number, err
        acknowledged += (line.strip() for line in own)
        for stream in (child.stdin, child.stdout, child.stderr):
            assert stream is not None
            stream.close()
        store = open_store()
        assert set(acknowledged) <= set(store.records(view(), acknowledged))
        store.close()
        _check_file(sql, acknowledged)
    assert len(acknowledged) == len(set(acknowledged)) >= 210  # 3 + 7 + 11 + … + 39
    assert sql("SELECT count(*) FROM memory")[0][0] - len(acknowledged) <= 10  # one in flight each


def test_processes_that_open_a_new_file_at_once_all_succeed(path: Path, sql: Sql) -> None:
    path.parent.mkdir()
    children = [_child(path, f"opener{number}", 0, 1) for number in range(6)]
    _go(*children)
    ids = []
    for child in children:
        out, err = child.communicate(timeout=120)
        assert child.returncode == 0, err
        ids += out.split()
    assert len(ids) == 6
    _check_file(sql, ids)


def test_connections_that_open_a_new_file_at_once_all_succeed(tmp_path: Path) -> None:
    failures: list[BaseException] = []

    def opening(path: Path, barrier: threading.Barrier) -> None:
        try:
            barrier.wait()
            connect(path, busy_timeout_ms=10_000, read_only=False).close()
        except BaseException as error:
            failures.append(error)

    for turn in range(15):
        barrier = threading.Barrier(4)
        threads = [
            threading.Thread(target=opening, args=(tmp_path / f"{turn}.db", barrier)) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failures == []


def test_a_store_that_was_copied_while_closed_opens_elsewhere(
    path: Path, open_store: Opener, tmp_path: Path
) -> None:
    store = open_store()
    ids = _add(store, "green tea")
    store.close()
    assert sorted(_files(path.parent)) == ["memory.db"]  # nothing is left beside it
    shutil.copy(path, tmp_path / "copy.db")
    copy = _open(tmp_path / "copy.db")
    assert copy.fetch(ids[0], (SCOPE,)).text == "green tea"
    copy.close()
