"""Who makes the vectors that a slow embedder still owes? A thread that works through what is pending.

What waits stands in the store, so nothing is lost with the process. The thread asks for ids, has the
vectors made without holding any lock of the store, and stops at the first word of `close`. A failing
embedder costs nothing but time: the memories stay pending, a warning is logged once per outage, and the
next try comes later and later.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from memweir.errors import EmbedderError, EmbedderMismatch, MissingExtra, StoreClosed

__all__ = ["BATCH", "BackgroundIndexer", "PendingWork"]

BATCH: Final = 32
"""Memories embedded at once: what a crash makes to be done again."""

_PASS: Final = 5_000  # ids fetched at once
_ALONE: Final = (
    3  # that many memories failing one by one in a row are the embedder's failure, not theirs
)
_FIRST_WAIT_SECONDS: Final = 1.0
_LONGEST_WAIT_SECONDS: Final = 300.0
_CLOSING_SECONDS: Final = 2.0
_LOG = logging.getLogger("memweir")


class PendingWork(Protocol):
    """What the thread needs of a store."""

    def pending(self, limit: int) -> list[str]:
        """Ids of memories that wait for their vector, newest first."""
        ...

    def index_pending(self, ids: Sequence[str]) -> int:
        """Make and write the vectors of those that still wait; how many."""
        ...


class BackgroundIndexer:
    """One daemon thread for one store."""

    def __init__(
        self,
        store: PendingWork,
        *,
        batch: int = BATCH,
        first_wait_seconds: float = _FIRST_WAIT_SECONDS,
        longest_wait_seconds: float = _LONGEST_WAIT_SECONDS,
        wait: Callable[[threading.Event, float], bool] = threading.Event.wait,
    ) -> None:
        """The thread starts at once, with what earlier processes left.

        Args:
            batch: memories embedded at once.
            first_wait_seconds, longest_wait_seconds: between tries while the embedder fails, doubled
                every time.
            wait: waits for an event; for tests.
        """
        self._store = store
        self._batch = batch
        self._waits = (first_wait_seconds, longest_wait_seconds)
        self._wait = wait
        self._closing = threading.Event()
        self._news = threading.Event()
        self._told = False
        self._thread = threading.Thread(target=self._run, name="memweir-indexer", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Something new may be pending."""
        self._news.set()

    def close(self) -> None:
        """Stop after the batch at hand; does not wait long for an embedder that hangs."""
        self._closing.set()
        self._news.set()
        if threading.current_thread() is not self._thread:
            self._thread.join(_CLOSING_SECONDS)

    def _run(self) -> None:
        delay = self._waits[0]
        while not self._closing.is_set():
            try:
                left = self._pass()
            except StoreClosed:
                return
            except Exception as error:
                # A store that is busy or full; or a mistake, which must not end the thread unseen.
                _LOG.warning("indexing in the background: %s: %s", type(error).__name__, error)
                left = True
            if left:
                self._wait(self._closing, delay)
                delay = min(delay * 2.0, self._waits[1])
            else:
                delay = self._waits[0]
                self._told = False
                self._news.wait()
            self._news.clear()

    def _pass(self) -> bool:
        """Go once through what is pending; whether something is left that failed."""
        failed: set[str] = set()
        in_a_row = 0
        size = self._batch
        while not self._closing.is_set():
            waiting = [each for each in self._store.pending(_PASS) if each not in failed]
            if not waiting:
                break
            done = 0
            while done < len(waiting) and not self._closing.is_set():
                part = waiting[done : done + size]
                try:
                    if self._store.index_pending(part) == 0:
                        failed.update(part)  # changed meanwhile: another time
                except EmbedderMismatch:
                    return False  # nothing to be done before `reindex`, which wakes this thread
                except (EmbedderError, MissingExtra) as error:
                    if not self._told:
                        _LOG.warning("memories stay without a vector for now: %s", error)
                        self._told = True
                    if len(part) > 1:
                        size = 1  # which of them is it?
                        continue
                    failed.update(part)
                    in_a_row += 1
                    if in_a_row == _ALONE:
                        return True
                else:
                    in_a_row = 0
                    size = min(size * 2, self._batch)
                done += len(part)
        return bool(failed)
