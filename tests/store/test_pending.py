"""What may happen while a vector is being made? Other writes, a kill, another embedder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memweir.errors import EmbedderError, EmbedderMismatch, StoreReadOnly
from memweir.store.entry import Indexable
from memweir.store.records import to_ms
from memweir.store.sqlite import SqliteStore
from memweir.testing import NOW, SCOPE, DeferredIndexer, PlainIndexer, draft, view

NOW_MS = to_ms(NOW)
Opener = Callable[..., SqliteStore]


class Meanwhile(DeferredIndexer):
    """Does something while it makes vectors."""

    def __init__(self, happening: Callable[[], object] = lambda: None) -> None:
        super().__init__(PlainIndexer())
        self.happening = happening

    def vectors(self, documents: Sequence[Indexable]) -> NDArray[np.float32]:
        self.happening()
        return super().vectors(documents)


def add(store: SqliteStore, text: str, document_id: str | None = None) -> str:
    (stored,) = store.add_many([draft(text, document_id=document_id)], now_ms=NOW_MS)
    assert not isinstance(stored, Exception), stored
    return stored.id


def test_the_store_is_free_while_the_embedder_works(open_store: Opener) -> None:
    indexer = Meanwhile()
    store = open_store(indexer)
    memory_id = add(store, "green tea")

    def another_thread_writes() -> None:
        writing = threading.Thread(target=add, args=(store, "black coffee"))
        writing.start()
        writing.join(30)
        assert not writing.is_alive(), "the write waited for the embedder"

    indexer.happening = another_thread_writes
    assert store.index_pending([memory_id]) == 1
    assert store.count(view()) == 2
    assert len(store.pending(9)) == 1


def test_a_text_that_changed_meanwhile_goes_on_waiting(open_store: Opener) -> None:
    indexer = Meanwhile()
    store = open_store(indexer)
    memory_id = add(store, "green tea", "drink")
    indexer.happening = lambda: add(store, "black coffee", "drink")
    assert store.index_pending([memory_id]) == 0
    assert store.pending(9) == [memory_id]
    indexer.happening = lambda: None
    assert store.index_pending([memory_id]) == 1
    query = PlainIndexer().embed("black coffee")
    assert store.similarity(query, [memory_id])[memory_id].cosine > 0.99


def test_a_memory_withdrawn_meanwhile_gets_no_vector(open_store: Opener) -> None:
    indexer = Meanwhile()
    store = open_store(indexer)
    memory_id = add(store, "green tea")
    indexer.happening = lambda: store.forget(memory_id, (SCOPE,), now_ms=NOW_MS)
    assert store.index_pending([memory_id]) == 0
    assert store.vector_statistics().documents == 0
    assert store.similarity(PlainIndexer().embed("green tea"), [memory_id]) == {}


def test_another_embedder_does_not_make_what_waits_before_a_rebuild(open_store: Opener) -> None:
    memory_id = add(open_store(DeferredIndexer(PlainIndexer())), "green tea")
    other = open_store(DeferredIndexer(PlainIndexer(name="other")))
    with pytest.raises(EmbedderMismatch):
        other.index_pending([memory_id])
    add(other, "told under the other one")
    assert other.pending(9) == [memory_id]
    other.reindex(now_ms=NOW_MS)
    assert len(other.pending(9)) == 2
    assert other.index_pending(other.pending(9)) == 2


def test_a_rebuild_by_another_embedder_meanwhile_is_noticed(open_store: Opener) -> None:
    indexer = Meanwhile()
    store = open_store(indexer)
    memory_id = add(store, "green tea")
    other = open_store(PlainIndexer(name="other"))
    indexer.happening = lambda: other.reindex(now_ms=NOW_MS)
    with pytest.raises(EmbedderMismatch):
        store.index_pending([memory_id])
    query = PlainIndexer(name="other").embed("green tea")
    assert other.similarity(query, [memory_id])[memory_id].cosine > 0.99


@pytest.mark.parametrize(
    "wrong", [np.full((1, 64), np.nan, np.float32), np.zeros((1, 70_000), np.float32)]
)
def test_what_is_no_vector_is_not_written(open_store: Opener, wrong: NDArray[np.float32]) -> None:
    class Wrong(DeferredIndexer):
        def vectors(self, documents: Sequence[Indexable]) -> NDArray[np.float32]:
            return wrong

    store = open_store(Wrong(PlainIndexer()))
    memory_id = add(store, "green tea")
    with pytest.raises(EmbedderError):
        store.index_pending([memory_id])
    assert store.pending(9) == [memory_id]
    assert store.vector_statistics().documents == 0


def test_a_store_that_is_only_read_makes_no_vector(open_store: Opener) -> None:
    memory_id = add(open_store(DeferredIndexer(PlainIndexer())), "green tea")
    reading = open_store(DeferredIndexer(PlainIndexer()), read_only=True)
    assert reading.pending(9) == [memory_id]
    with pytest.raises(StoreReadOnly):
        reading.index_pending([memory_id])


KILLED = """
import os, signal, sys
from memweir.store.sqlite import SqliteStore
from memweir.testing import DeferredIndexer, PlainIndexer, draft
class Killed(DeferredIndexer):
    made = 0
    def vectors(self, documents):
        if self.made == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        self.made += 1
        return super().vectors(documents)
store = SqliteStore.open(sys.argv[1], Killed(PlainIndexer()))
store.add_many([draft(f"note {number}") for number in range(6)], now_ms=0)
while ids := store.pending(2):
    store.index_pending(ids)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
def test_a_kill_loses_nothing_and_the_next_process_goes_on(open_store: Opener, path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(path)], capture_output=True, env=os.environ, check=False
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    store = open_store(DeferredIndexer(PlainIndexer()))
    # Two batches of two were written before the third was killed in the making.
    waiting = store.pending(9)
    assert len(waiting) == 2
    assert store.count(view()) == 6
    assert store.index_pending(waiting) == 2
    assert store.vector_statistics().documents == 6
