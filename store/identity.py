"""When are two memories the same one? Content addresses and keyed hashes."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Sequence
from typing import Final

from memweir.store.records import Draft, from_ms, to_ms
from memweir.store.scopes import Scope

__all__ = [
    "answer_address",
    "document_address",
    "group_address",
    "injection_address",
    "injection_place",
    "memory_address",
    "prompt_address",
    "query_hash",
    "review_address",
]

_DIGITS: Final = 24  # hex digits, 96 bits: a collision is out of reach for any store
_DATED_KINDS: Final = ("event", "turn")


def _digest(*parts: object) -> str:
    canonical = json.dumps(parts, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:_DIGITS]


def _short(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def memory_address(draft: Draft, normal: str, *, now_ms: int, generation: int = 0) -> str:
    """The content address: scope, speaker, event day (for events and turns) and folded text.

    Args:
        normal: the text as analysis folds it.
        now_ms: the day of an event or turn that names none.
        generation: 0, or how often the same words were true before and were superseded since.
    """
    day = ""
    if draft.event_start is not None or draft.kind in _DATED_KINDS:
        told = draft.event_start or draft.created_at
        # By way of milliseconds: at the ends of the calendar a change of zone would overflow.
        day = from_ms(to_ms(told) if told else now_ms).date().isoformat()
    parts = ["memory", draft.scope.kind, draft.scope.key, draft.speaker or "", day, normal]
    return "mem_" + _digest(*parts, *([generation] if generation else []))


def document_address(scope: Scope, document_id: str) -> str:
    """The address of a memory whose identity the caller gives."""
    return "mem_" + _digest("document", scope.kind, scope.key, document_id)


def answer_address(scope: Scope, key: str) -> str:
    """The address of a standing answer: its scope and its first phrasing, folded."""
    return "ans_" + _digest("answer", scope.kind, scope.key, key)


def prompt_address(scope: Scope, title: str, body: str, *, now_ms: int, number: int) -> str:
    """The address of a prompt block as it was added; `number`: of those alike at one moment."""
    return "prm_" + _digest("prompt", scope.kind, scope.key, title, body, now_ms, number)


def review_address(memory_id: str, kind: str, *, now_ms: int, number: int) -> str:
    """The name of a question about a memory, of which there were `number` before."""
    return "rev_" + _short(memory_id, kind, now_ms, number)


def group_address(ids: Sequence[str]) -> str:
    """The name of a coexistence group by those who founded it."""
    return "grp_" + _short(*sorted(ids))


def injection_address(run_id: int, position: int, key: bytes) -> str:
    """The name of a place in a block that was given: who does not know the key cannot guess it."""
    return f"inj_{run_id}_{position}_{query_hash(f'{run_id}:{position}', key)[:12]}"


def injection_place(injection_id: str) -> tuple[int, int]:
    """(recall, position) that a name speaks of, whoever made it; (0, 0) where it is no such name."""
    parts = injection_id.split("_")
    if len(parts) != 4 or not all(part.isascii() and part.isdigit() for part in parts[1:3]):
        return 0, 0
    return int(parts[1][:18]), int(parts[2][:9])


def query_hash(text: str, key: bytes) -> str:
    """A query as the audit keeps it: keyed with the store's own key: no table of hashes fits."""
    return hmac.new(key, text.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:32]
