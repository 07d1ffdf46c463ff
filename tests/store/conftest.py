"""What do the tests of the store share? A store in a folder of its own, and a look at its bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from memweir.store.sqlite import SqliteStore
from memweir.testing import PlainIndexer

Opener = Callable[..., SqliteStore]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "room" / "memory.db"


@pytest.fixture
def open_store(path: Path) -> Iterator[Opener]:
    """Open the store at `path` with `PlainIndexer`; closed at the end of the test."""
    opened: list[SqliteStore] = []

    def opening(indexer: PlainIndexer | None = None, **options: Any) -> SqliteStore:
        opened.append(SqliteStore.open(path, indexer or PlainIndexer(), **options))
        return opened[-1]

    yield opening
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Opener) -> SqliteStore:
    return open_store()


@pytest.fixture
def every_byte(path: Path) -> Callable[[], bytes]:
    """All bytes of the store's files: database, write-ahead log, shared memory."""
    return lambda: b"".join(each.read_bytes() for each in sorted(path.parent.iterdir()))


@pytest.fixture
def sql(path: Path) -> Callable[..., list[tuple[Any, ...]]]:
    """Run one statement on the file by a connection of its own; the rows."""

    def run(statement: str, bindings: Any = None) -> list[tuple[Any, ...]]:
        connection = apsw.Connection(str(path))
        try:
            return connection.execute(statement, bindings).fetchall()
        finally:
            connection.close()

    return run
