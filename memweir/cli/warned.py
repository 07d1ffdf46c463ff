"""What does a command warn of? Everything once, whether the engine logs it, answers it or both."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from memweir.cli.output import note

__all__ = ["Warned", "told", "warn", "warned"]

_LOGGER: Final = logging.getLogger("memweir")


class Warned(logging.Handler):
    """The warnings of one command: a text that was said is not said again."""

    def __init__(self, *, late: bool) -> None:
        """Args: late: what is logged waits for the end of the command, which may tell it itself."""
        super().__init__(logging.WARNING)
        self._late = late
        self._said: set[str] = set()
        self._waiting: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            text = f"{text}: {type(error).__name__}: {error}"
        if self._late:
            self._waiting.append(text)
        else:
            self.say(text)

    def say(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            note(f"warning: {text}")

    def mark(self, texts: Iterable[str]) -> None:
        self._said.update(texts)

    def finish(self) -> None:
        for each in self._waiting:
            self.say(each)


@contextmanager
def warned(*, late: bool = False) -> Iterator[None]:
    """Within it, what the engine logs as a warning goes to stderr as the command's own warnings do."""
    handler = Warned(late=late)
    _LOGGER.addHandler(handler)
    try:
        yield
    finally:
        _LOGGER.removeHandler(handler)
        handler.finish()


def warn(text: str) -> None:
    """Say it on stderr, where this command has not said it before."""
    for each in _handlers() or [Warned(late=False)]:
        each.say(text)


def told(texts: Iterable[str]) -> None:
    """The command's result says this: it need not stand on stderr as well."""
    several = tuple(texts)
    for each in _handlers():
        each.mark(several)


def _handlers() -> list[Warned]:
    return [each for each in _LOGGER.handlers if isinstance(each, Warned)]
