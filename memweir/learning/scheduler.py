"""Who reflects when its day has come? A thread that sleeps until then.

What was missed while the machine was off is made up for when it starts, once. A reflection that fails
costs nothing but time: what was planned stands in the store, a warning is logged, and the next try
comes later and later. Several processes at one store may each have one: a day is reflected on once.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, Protocol

from memweir.errors import StoreClosed, StoreReadOnly

__all__ = ["Outcome", "ReflectionScheduler", "Reflective"]

_LOG = logging.getLogger("memweir")
_FIRST_WAIT_SECONDS: Final = 60.0
_LONGEST_WAIT_SECONDS: Final = 3_600.0
_LONGEST_SLEEP_SECONDS: Final = 3_600.0
_CLOSING_SECONDS: Final = 5.0


class Reflective(Protocol):
    """What the thread needs of a memory."""

    def next_reflection(self, *, now: datetime | None = None) -> datetime:
        """When the next reflection is due: now where one was missed."""
        ...

    def reflect(
        self,
        *,
        now: datetime | None = None,
        due_only: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> Outcome:
        """Reflect, where it is due."""
        ...


class Outcome(Protocol):
    """What the thread asks of a reflection."""

    @property
    def done(self) -> bool:
        """It was carried out to its end."""
        ...


class ReflectionScheduler:
    """One daemon thread for one memory."""

    def __init__(
        self,
        memory: Reflective,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now().astimezone(),
        wait: Callable[[threading.Event, float], bool] = threading.Event.wait,
        first_wait_seconds: float = _FIRST_WAIT_SECONDS,
        longest_wait_seconds: float = _LONGEST_WAIT_SECONDS,
    ) -> None:
        """The thread starts at once, with what was missed.

        Args:
            clock: tells the moment, aware, in the zone of the schedule.
            wait: waits for an event, for so many seconds; for tests.
            first_wait_seconds, longest_wait_seconds: between tries while reflecting fails, doubled
                every time.
        """
        self._memory = memory
        self._clock = clock
        self._wait = wait
        self._waits = (first_wait_seconds, longest_wait_seconds)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="memweir-reflection", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether the thread is there still: it ends with its store."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Wake the thread and let it end, also in the middle of a reflection.

        What is left of that goes on at the next one.
        """
        self._closing.set()
        if threading.current_thread() is not self._thread:
            self._thread.join(_CLOSING_SECONDS)

    def _run(self) -> None:
        delay = self._waits[0]
        while not self._closing.is_set():
            try:
                # One clock for both, so that what is due when it is looked at is due when it is done.
                now = self._clock()
                seconds = _between(now, self._memory.next_reflection(now=now))
                if seconds <= 0:
                    made = self._memory.reflect(now=now, due_only=True, progress=self._go_on)
                    seconds, delay = 0.0 if made.done else delay, self._waits[0]
            except _Stopped:
                return
            except (StoreClosed, StoreReadOnly):
                return
            except Exception as error:
                # A store that is busy or full; or a mistake, which must not end the thread unseen.
                _LOG.warning("reflection: %s: %s", type(error).__name__, error)
                seconds = delay
                delay = min(delay * 2.0, self._waits[1])
            if seconds <= 0:
                continue
            # In parts: a machine that slept, or whose clock was set, looks at its clock again.
            self._wait(self._closing, min(seconds, _LONGEST_SLEEP_SECONDS))

    def _go_on(self, _done: int, _total: int) -> None:
        """Told as a reflection goes on; ends it where the thread is to end."""
        if self._closing.is_set():
            raise _Stopped


class _Stopped(Exception):
    """The thread is to end in the middle of a reflection, which goes on at the next one."""


def _between(now: datetime, then: datetime) -> float:
    """Seconds by the clock of the world, whatever zones and summer times do."""
    return (then.astimezone(UTC) - now.astimezone(UTC)).total_seconds()
