"""Is what a caller passes to a verb usable? Checks that raise before anything is read or written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields as fields_of
from typing import Any, Final

from memweir.errors import InputError, LimitError, ScopeError
from memweir.fusion.types import MODES, Budget
from memweir.quoting import quoted
from memweir.store.records import Draft, clean_text
from memweir.store.scopes import Scope

__all__ = [
    "MOST_CANDIDATES",
    "budget_of",
    "context_of",
    "draft_of",
    "drafts_of",
    "label_of",
    "limit_of",
    "memory_id_of",
    "mode_of",
    "query_text",
    "run_number_of",
    "scope_of",
    "texts_of",
    "token_of",
]

MOST_CANDIDATES: Final = 1_000
"""What a path may be asked for at most."""

_QUERY_LIMIT: Final = 20_000  # characters of a turn's text that are analysed: its beginning and its end
_CONTEXT_TURNS: Final = 16
_DIGITS: Final = 19  # of the greatest number that the store can hold
_FIELDS: Final = tuple(each.name for each in fields_of(Draft) if each.name not in ("text", "scope"))


def scope_of(scope: object) -> Scope:
    """The one scope of a write.

    Raises:
        ScopeError: none, or several: a memory has one owner.
    """
    if not isinstance(scope, Scope):
        raise ScopeError(
            f"a write needs one Scope, got {quoted(scope)}; for example Scope.project('name')"
        )
    return scope


def draft_of(text: str, scope: Scope, fields: Mapping[str, Any]) -> Draft:
    """A draft from a verb's arguments. Raises `InputError`: a field that there is not."""
    unknown = sorted(set(fields) - set(_FIELDS))
    if unknown:
        raise InputError(f"not a field of a memory: {', '.join(unknown)}; use {', '.join(_FIELDS)}")
    return Draft(text=text, scope=scope_of(scope), **fields)


def drafts_of(drafts: object) -> list[Draft]:
    """Drafts to store. Raises `InputError`: no list, or something else among them."""
    if isinstance(drafts, str) or not isinstance(drafts, Iterable):
        raise InputError(f"drafts must be a list of Draft, got {type(drafts).__name__}")
    found = list(drafts)
    for place, each in enumerate(found):
        if not isinstance(each, Draft):
            raise InputError(f"drafts[{place}] must be a Draft, got {type(each).__name__}")
    return found


def texts_of(name: str, values: object) -> list[str]:
    """A list of texts. Raises `InputError`: no list, or something else in it."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputError(f"{name} must be a list of texts, got {type(values).__name__}")
    found = list(values)
    if not all(isinstance(each, str) for each in found):
        raise InputError(f"{name} must hold texts only")
    return [clean_text(each) for each in found]


def label_of(name: str, value: object) -> str | None:
    """A text or None; blank is None. Raises `InputError`: neither."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise InputError(f"{name} must be text, got {type(value).__name__}")
    return clean_text(value) if value.strip() else None


def budget_of(budget: Budget | None, default: Budget) -> Budget:
    """What a block may cost. Raises `InputError`: not a Budget."""
    if budget is None:
        return default
    if not isinstance(budget, Budget):
        raise InputError(f"budget must be a Budget, got {type(budget).__name__}")
    return budget


def memory_id_of(memory_id: object) -> str:
    """A memory's id. Raises `InputError`: not text, or blank."""
    if not isinstance(memory_id, str) or not memory_id.strip():
        raise InputError(f"a memory id is text such as mem_0123…, got {quoted(memory_id)}")
    return clean_text(memory_id)


def run_number_of(run_id: object) -> int:
    """The number of a recall. Raises `InputError`: neither a number nor such as "run:12"."""
    if isinstance(run_id, str):
        digits = run_id.removeprefix("run:")
        if digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS:
            return int(digits)
    elif isinstance(run_id, int) and not isinstance(run_id, bool):
        return run_id
    raise InputError(f"a recall is named by its number, 12 or 'run:12', got {run_id!r}")


def token_of(name: str, token: object) -> str:
    """What a plan or a question gave to be confirmed. Raises `InputError`: not text, or blank."""
    if not isinstance(token, str) or not token.strip():
        raise InputError(f"{name} is missing: it is the token of what was looked at, got {token!r}")
    return token


def query_text(text: object) -> str:
    """A turn's text, of a very long one its beginning and its end. Raises `InputError`: not text."""
    if not isinstance(text, str):
        raise InputError(f"a query must be text, got {type(text).__name__}")
    cleaned = clean_text(text)
    if len(cleaned) <= _QUERY_LIMIT:
        return cleaned
    # A pasted log: what is asked stands at one of its ends.
    half = _QUERY_LIMIT // 2
    return cleaned[:half] + "\n" + cleaned[-half:]


def context_of(context: Sequence[str]) -> tuple[str, ...]:
    """The last turns before, oldest first. Raises `InputError`: not a list of texts."""
    turns = texts_of("context", context)
    return tuple(query_text(turn) for turn in turns[-_CONTEXT_TURNS:] if turn.strip())


def limit_of(limit: object, default: int) -> int:
    """Candidates a path may return. Raises `LimitError`: not a whole number from 1 to the most."""
    if limit is None:
        return default
    if isinstance(limit, bool) or not isinstance(limit, int):
        raise LimitError("limit", limit, "must be a whole number")
    if not 1 <= limit <= MOST_CANDIDATES:
        raise LimitError("limit", limit, f"must be between 1 and {MOST_CANDIDATES}")
    return limit


def mode_of(mode: str | None, default: str) -> str:
    """The gate's mode. Raises `InputError`: there is no such mode."""
    if mode is None:
        return default
    if mode not in MODES:
        raise InputError(f"unknown mode {quoted(mode)}; use one of {', '.join(MODES)}")
    return mode
