"""What did a host hand over? Its messages in one form, whatever shape the host keeps them in.

OpenAI's and Anthropic's shapes and a plain one are read:

    {"role": "user", "content": "I use pnpm"}
    {"role": "user", "content": [{"type": "text", "text": "I use pnpm"}, {"type": "image", …}]}
    {"role": "user", "text": "I use pnpm", "source": {"kind": "user"}, "id": "m1", "time": 1781524800}

Parts that are no text of the message, calls of tools and images, are left out. The result of a tool
inside a user's message is a message of its own, of the tool; so is a part that names another source.
Each part of text is one too, with the place and the id of the whole: a host puts what it adds itself
into parts beside the person's, and no sentence reaches from one into the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from memweir.errors import InputError, LimitError
from memweir.learning.types import PERSON, Message

__all__ = ["LONGEST_MESSAGE", "MOST_MESSAGES", "read_turn"]

LONGEST_MESSAGE: Final = 1_000_000
"""Characters of a message by a person. What a machine wrote is not read, however long it is."""

MOST_MESSAGES: Final = 10_000
"""Messages of one list. A longer history is handed over in pieces: what was captured is known again."""

_SPOKEN: Final = ("text", "input_text", "output_text")  # types of parts that a message says
_RESULTS: Final = ("tool_result", "function_call_output")
_RESULT: Final = "tool_result"
_CONTENTS: Final = ("content", "text", "parts")
_SOURCES: Final = ("source", "source_kind")
_ROLES: Final[Mapping[str, str]] = {"user": PERSON, "human": PERSON}
_MOMENTS: Final = ("time", "created_at", "timestamp")
_MILLISECONDS: Final = 100_000_000_000  # seconds of the year 5138, milliseconds of March 1973


def read_turn(turn: object) -> tuple[Message, ...]:
    """The messages of a turn, in their order.

    Args:
        turn: a list of messages, one message, or a mapping with the list under "messages".

    Raises:
        InputError: no messages, or one that has no role or no content; it says which. Nothing was read.
        LimitError: more than `MOST_MESSAGES`, or a person's of more than `LONGEST_MESSAGE` characters.
    """
    if isinstance(turn, Mapping):
        turn = turn.get("messages", [turn])
    if isinstance(turn, str | bytes) or not isinstance(turn, Sequence):
        raise InputError(
            f"a turn is a list of messages with role and content, got {type(turn).__name__}"
        )
    if len(turn) > MOST_MESSAGES:
        raise LimitError("messages of a turn", len(turn), f"must be at most {MOST_MESSAGES}")
    return tuple(message for place, given in enumerate(turn) for message in _read(given, place))


def _read(given: object, place: int) -> Iterator[Message]:
    if not isinstance(given, Mapping):
        raise InputError(f"message {place}: expected a mapping, got {type(given).__name__}")
    role = given.get("role")
    if not isinstance(role, str) or not role.strip():
        raise InputError(f"message {place}: it needs a role, for example 'user'")
    role = role.strip().lower()
    fields: dict[str, Any] = {
        "role": role,
        "source": _source(given, role, place),
        "id": _word(given, "id", place),
        "at": _moment(given, place),
        "name": _word(given, "name", place),
        "place": place,
    }
    length = 0
    for number, (part, text) in enumerate(_parts(given, place)):
        fields["part"] = number
        if part == _RESULT:
            yield Message(text=text, **fields | {"role": "tool", "source": "tool", "name": None})
            continue
        source = fields["source"]
        if isinstance(part, Mapping) and source == PERSON:
            source = _source(part, role, place)
        if source == PERSON:
            length += len(text)
            if length > LONGEST_MESSAGE:
                problem = f"must be at most {LONGEST_MESSAGE}"
                raise LimitError(f"message {place}: its characters", length, problem)
        yield Message(text=text, **fields | {"source": source})


def _source(given: Mapping[Any, Any], role: str, place: int) -> str:
    """Who made it: the host's own word where it gives one; a person only where both agree.

    A runtime's snapshot arrives with the role of a user and says so in its source; and what bears the
    role of an assistant was written by no person, whatever its source is called.
    """
    implied = _ROLES.get(role, role)
    told = next((given[each] for each in _SOURCES if given.get(each) is not None), None)
    if isinstance(told, Mapping):
        told = told.get("kind", told.get("type"))
    if told is None:
        return implied
    if not isinstance(told, str):
        raise InputError(f"message {place}: its source is a word, got {type(told).__name__}")
    kind = told.strip().lower()
    kind = _ROLES.get(kind, kind) or implied
    return implied if kind == PERSON else kind


def _parts(
    given: Mapping[Any, Any], place: int
) -> Iterator[tuple[Mapping[Any, Any] | str | None, str]]:
    """(what says its source, text) of the parts that hold text: the part, `_RESULT`, or None."""
    content = next((given[each] for each in _CONTENTS if given.get(each) is not None), None)
    if content is None and ("tool_calls" in given or "function_call" in given):
        return
    if content is None:
        raise InputError(f"message {place}: it has neither content nor text")
    if isinstance(content, str):
        yield None, content
        return
    if not isinstance(content, Sequence) or isinstance(content, bytes):
        raise InputError(
            f"message {place}: its content is a text or a list of parts, got {type(content).__name__}"
        )
    for number, part in enumerate(content):
        if isinstance(part, str):
            yield None, part
            continue
        if not isinstance(part, Mapping):
            raise InputError(
                f"message {place}, part {number}: expected a mapping, got {type(part).__name__}"
            )
        kind = part.get("type", "text")
        if kind in _RESULTS:
            yield _RESULT, _result(part)
        elif kind in _SPOKEN and isinstance(part.get("text"), str):
            told = any(part.get(each) is not None for each in _SOURCES)
            yield part if told else None, part["text"]


def _result(part: Mapping[Any, Any]) -> str:
    """The text of what a tool gave back."""
    content = part.get("content", part.get("output"))
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence) or isinstance(content, bytes):
        return ""
    texts = (each.get("text") for each in content if isinstance(each, Mapping))
    return "\n".join(each for each in texts if isinstance(each, str))


def _word(given: Mapping[Any, Any], name: str, place: int) -> str | None:
    value = given.get(name)
    if value is None or isinstance(value, str):
        return value or None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise InputError(f"message {place}: its {name} is a text, got {type(value).__name__}")


def _moment(given: Mapping[Any, Any], place: int) -> datetime | None:
    """When it was said: an aware moment, ISO 8601, or seconds or milliseconds since 1970."""
    value = next((given[name] for name in _MOMENTS if given.get(name) is not None), None)
    if value is None:
        return None
    try:
        if isinstance(value, str):
            value = datetime.fromisoformat(value.strip())
        elif isinstance(value, int | float) and not isinstance(value, bool):
            value = datetime.fromtimestamp(value / 1000 if abs(value) >= _MILLISECONDS else value, UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise InputError(f"message {place}: {value!r:.60} is no moment") from error
    if not isinstance(value, datetime):
        raise InputError(
            f"message {place}: a moment is ISO 8601 or a number, got {type(value).__name__}"
        )
    if value.tzinfo is None:
        raise InputError(f"message {place}: its time needs a time zone, for example 'Z'")
    return value
