"""Is a cut-off store told from a new one, and can a store be read where nothing may be written?"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from memweir.errors import NotAStore, StoreBusy, StoreFull
from memweir.store import database
from memweir.store.records import Stored, to_ms
from memweir.store.sqlite import SqliteStore
from memweir.testing import NOW, SCOPE, PlainIndexer, draft, view

Opener = Callable[..., SqliteStore]

_NOW_MS = to_ms(NOW)


def _filled(open_store: Opener) -> str:
    store = open_store()
    stored = store.add_many([draft("green tea")], now_ms=_NOW_MS)[0]
    store.close()
    assert isinstance(stored, Stored)
    return stored.id


@pytest.mark.parametrize("read_only", [False, True])
def test_a_store_cut_to_nothing_is_refused_and_left_alone(
    path: Path, open_store: Opener, read_only: bool
) -> None:
    _filled(open_store)
    path.write_bytes(b"")
    with pytest.raises(NotAStore, match="empty"):
        open_store(read_only=read_only, busy_timeout_ms=20)
    assert path.read_bytes() == b""
    path.unlink()
    open_store().close()
    assert path.stat().st_size > 0


def test_a_file_that_is_empty_because_its_store_is_being_created_is_waited_for(
    tmp_path: Path, path: Path, open_store: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory_id = _filled(open_store)
    store = tmp_path / "made.db"
    shutil.move(path, store)
    path.touch()
    waits: list[float] = []

    def other_process(seconds: float) -> None:
        """Writes the header while we wait for the third time."""
        waits.append(seconds)
        if len(waits) == 3:
            os.replace(store, path)

    monkeypatch.setattr("memweir.store.database.time.sleep", other_process)
    assert open_store(busy_timeout_ms=1000).fetch(memory_id, (SCOPE,)).text == "green tea"
    assert len(waits) == 3


def test_a_store_that_could_not_be_created_leaves_no_empty_file(
    path: Path, open_store: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(connection: apsw.Connection) -> None:
        raise apsw.FullError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(database, "_set_pragmas", full)
        with pytest.raises(StoreFull):
            open_store()
    assert not path.exists()
    open_store()


@pytest.fixture
def sealed(monkeypatch: pytest.MonkeyPatch, path: Path) -> Iterator[Callable[[], None]]:
    """Take away the right to write in the store's folder, in the eyes of root too."""
    allowed = os.access

    def seal() -> None:
        path.chmod(0o400)
        path.parent.chmod(0o500)
        monkeypatch.setattr(
            os,
            "access",
            lambda place, mode: (
                allowed(place, mode) and not (mode & os.W_OK and Path(place) in (path, path.parent))
            ),
        )

    yield seal
    path.parent.chmod(0o700)


def test_a_closed_store_in_a_folder_without_write_access_is_read(
    path: Path, open_store: Opener, sealed: Callable[[], None]
) -> None:
    memory_id = _filled(open_store)
    sealed()
    store = open_store(read_only=True)
    assert store.fetch(memory_id, (SCOPE,)).text == "green tea"
    assert [hit.id for hit in store.nearest(view(), PlainIndexer().embed("tea"), 5)] == [memory_id]
    assert os.listdir(path.parent) == [path.name]  # no log and no index of it beside the file
    store.close()
    assert os.listdir(path.parent) == [path.name]


def test_what_stands_in_the_log_only_is_read_too_where_nothing_may_be_written(
    path: Path, open_store: Opener, sealed: Callable[[], None]
) -> None:
    writer = open_store()
    stored = writer.add_many([draft("green tea")], now_ms=_NOW_MS)[0]
    assert isinstance(stored, Stored)
    assert path.with_name(f"{path.name}-wal").stat().st_size > 0
    sealed()
    assert open_store(read_only=True).count(view()) == 1


def test_a_name_with_marks_of_a_uri_is_opened_where_nothing_may_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "a?mode=rwc&b#c%20d 记忆.db"
    SqliteStore.open(place, PlainIndexer()).close()
    monkeypatch.setattr(os, "access", lambda place, mode: not mode & os.W_OK)
    SqliteStore.open(place, PlainIndexer(), read_only=True).close()
    assert os.listdir(tmp_path) == [place.name]


_BUSY = """
import apsw, sys
connection = apsw.Connection(sys.argv[1])
try:
    connection.execute("BEGIN EXCLUSIVE")
    print("taken")
except apsw.BusyError:
    print("held")
"""


def test_opening_a_store_keeps_the_locks_of_another_connection_of_the_process(path: Path) -> None:
    path.parent.mkdir()
    holder = apsw.Connection(str(path))
    holder.execute(f"PRAGMA application_id = {database.APPLICATION_ID}")
    holder.execute("BEGIN EXCLUSIVE")  # a lock on the file itself: there is no write-ahead log yet
    with pytest.raises(StoreBusy):
        SqliteStore.open(path, PlainIndexer(), busy_timeout_ms=10)
    seen = subprocess.run(
        [sys.executable, "-c", _BUSY, str(path)], capture_output=True, text=True, check=True
    )
    assert seen.stdout.strip() == "held"
    holder.close()
