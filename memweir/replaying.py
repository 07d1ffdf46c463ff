"""What does capture make of a whole conversation? Its messages handed over one by one."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from memweir.errors import InputError
from memweir.learning.messages import read_turn
from memweir.learning.types import PERSON, LeftOut, Message
from memweir.results import Captured

if TYPE_CHECKING:
    from memweir.memory import Memory
    from memweir.store.scopes import Scope

__all__ = ["Replayed", "read_conversation", "replay"]

_LARGEST: Final = 1_000_000_000  # bytes of a file


@dataclass(frozen=True, slots=True)
class Replayed:
    """One part of a message of a conversation, and what capture made of it.

    Attributes:
        number: of the message, from 1.
        known: it was read before.
    """

    number: int
    message: Message
    captured: tuple[Captured, ...]
    left_out: tuple[LeftOut, ...]
    known: bool = False

    def words(self, left: LeftOut) -> str:
        """The words that were left out."""
        return self.message.text[left.start : left.end]


def read_conversation(path: str | os.PathLike[str]) -> list[object]:
    """The messages of a file, as `observe` takes them, in their order.

    Args:
        path: JSON Lines, each line a message or a turn (a list of messages, or a mapping with
            "messages"); or one JSON list or mapping of them.

    Raises:
        InputError: the file cannot be read, or a line of it is none of these; it names the line.
    """
    try:
        if Path(path).stat().st_size > _LARGEST:
            raise InputError(f"{path}: larger than {_LARGEST} bytes; cut it into pieces")
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8, at byte {error.start}") from error
    found: list[object] = []
    for place, value in _values(text, str(path)):
        if not isinstance(value, dict | list):
            raise InputError(f"{path}{place}: a message is a JSON object, got {type(value).__name__}")
        if isinstance(value, dict) and "messages" in value:
            value = value["messages"]
        found += value if isinstance(value, list) else [value]
    return found


def _values(text: str, path: str) -> Iterator[tuple[str, Any]]:
    try:
        yield "", json.loads(text)
    except (ValueError, RecursionError):
        pass
    else:
        return
    # Not splitlines: a message may hold other line ends than JSON Lines has.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield f", line {number}", json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}, line {number}: not JSON") from error


def replay(
    memory: Memory,
    conversation: Sequence[object],
    *,
    scope: Scope,
    session: str | None = None,
    subject: str | None = None,
    now: datetime | None = None,
    recalls: bool = False,
) -> Iterator[Replayed]:
    """Observe the messages one by one.

    Args:
        now: of messages that do not say when they were said.
        recalls: before a message, recall what belongs to it, as a host does; its echo is known then.

    Raises:
        InputError: a message is none; those before it were observed.
    """
    for number, given in enumerate(conversation, start=1):
        try:
            parts = read_turn([given])
        except InputError as error:
            raise InputError(f"message {number} of the conversation: {error}") from error
        for part in parts:
            if recalls and part.source == PERSON and part.text.strip():
                memory.recall_or_empty(part.text, scope=scope, now=part.at or now)
        seen = memory.observe([given], scope=scope, session=session, subject=subject, now=now)
        for part in parts:
            captured = tuple(each for each in seen.captured if each.part == part.part)
            left = tuple(each for each in seen.left_out if each.part == part.part)
            known = part.source == PERSON and bool(part.text.strip()) and not (captured or left)
            yield Replayed(number, part, captured, left, known=known and seen.known > 0)
