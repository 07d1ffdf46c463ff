"""How does a value of the face look in JSON?"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from memweir.fusion.types import Node
from memweir.results import Explanation, Recall, RecallItem
from memweir.store.audit import LedgerLine
from memweir.store.history import Event, History
from memweir.store.records import Answer, PromptBlock, Record, Review, Stored, from_ms
from memweir.store.scopes import Scope

if TYPE_CHECKING:
    from memweir.receipts import Rerun
    from memweir.runs import RunExplanation

__all__ = [
    "TRAILS",
    "dumps",
    "explanation",
    "history",
    "iso",
    "item",
    "plain",
    "recall",
    "record",
    "rerun",
    "review",
    "run",
    "stored",
]

TRAILS: Final = ("evidence", "ledger", "decisions", "consumption")


def dumps(value: object) -> str:
    """One JSON text, readable Chinese included; lone surrogates become JSON escapes."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def plain(value: object) -> object:
    """Any value of the face as what `json` can carry.

    Dataclasses become objects, scopes the text `Scope.parse` reads, sets sorted arrays, moments ISO
    text and numbers that are not finite null.
    """
    if isinstance(value, Scope):
        return str(value)
    if isinstance(value, Record):
        return record(value)
    if isinstance(value, RecallItem):
        return item(value)
    if isinstance(value, Explanation):
        return explanation(value)
    if isinstance(value, Answer | Event | LedgerLine | PromptBlock | Review):
        return _dated(value)
    if isinstance(value, Node):
        return _node(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted((plain(each) for each in value), key=str)
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, PurePath):
        return str(value)
    return repr(value)


def recall(result: Recall, *, everything: bool) -> dict[str, object]:
    """A recall; with `everything` also the candidates that were not injected and each path's list."""
    shown: dict[str, object] = {
        "block": result.block,
        "items": plain(result.items),
        "relevance": result.relevance,
        "abstained": result.abstained,
        "answer": plain(result.answer),
        "answer_stale": result.answer_stale,
        "dropped": plain(result.dropped),
        "blocked": plain(result.blocked),
        "warnings": plain(result.warnings),
        "mode": result.mode,
        "run_id": result.run_id,
    }
    if everything:
        shown["candidates"] = plain(result.candidates)
        shown["rankings"] = plain(result.rankings or {})
    return shown


def explanation(value: Explanation) -> dict[str, object]:
    """An explanation, the moments of its trails as ISO text."""
    shown = {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    for name in TRAILS:
        shown[name] = [_trail_row(each) for each in getattr(value, name)]
    return shown


def item(value: RecallItem) -> dict[str, object]:
    """A candidate with its decision and the tree of its score."""
    shown = {
        each.name: plain(getattr(value, each.name)) for each in fields(value) if each.name != "scored"
    }
    return {**shown, "why": plain(value.why), "action": value.action, "reason": value.reason}


def record(value: Record) -> dict[str, object]:
    """A memory as stored: moments as ISO text, the index's own terms left out."""
    return {**_dated(value, without=("terms",)), "confidence": value.confidence}


def stored(value: Stored, remark: str) -> dict[str, object]:
    """What a write answers. Args: remark: what a person should know of it, "" for nothing."""
    shown = _dated(value, without=() if value.warnings else ("warnings",))
    return {**shown, **({"remark": remark} if remark else {})}


def review(value: Review) -> dict[str, object]:
    """A question with both its sides."""
    return _dated(value)


def history(value: History) -> dict[str, object]:
    """A timeline, its moments as ISO text."""
    return _dated(value)


def run(value: RunExplanation, differs: Sequence[tuple[str, object, object]]) -> dict[str, object]:
    """A recall of the past. Args: differs: (setting, then, now) of the settings that are others now."""
    shown = _dated(value)
    shown["differs"] = [
        {"setting": name, "then": plain(then), "now": plain(now)} for name, then, now in differs
    ]
    return shown


def rerun(value: Rerun) -> dict[str, object]:
    """A recall asked again, and what is different."""
    return {
        "same": value.same,
        "changes": plain(value.changes),
        "gone": plain(value.gone),
        "new": plain(value.new),
        "settings": [
            {"setting": name, "then": plain(then), "now": plain(now)}
            for name, then, now in value.settings
        ],
        "happened": [_dated(each) for each in value.happened],
        "recall": recall(value.recall, everything=False),
    }


def iso(milliseconds: int) -> str:
    """UTC milliseconds since 1970 as `2026-01-31T08:00:00Z`."""
    moment = from_ms(milliseconds)
    digits = "milliseconds" if moment.microsecond else "seconds"
    return moment.isoformat(timespec=digits).replace("+00:00", "Z")


def _dated(value: Any, *, without: Sequence[str] = ()) -> dict[str, object]:
    """A dataclass, each `name_ms` of it as ISO text under `name`."""
    shown: dict[str, object] = {}
    for each in fields(value):
        if each.name in without:
            continue
        content = getattr(value, each.name)
        if each.name.endswith("_ms"):
            shown[each.name.removesuffix("_ms")] = None if content is None else iso(content)
        else:
            shown[each.name] = plain(content)
    return shown


def _trail_row(row: Mapping[str, object]) -> dict[str, object]:
    at = row.get("at")
    moments = {"at": iso(at)} if isinstance(at, int) else {}
    return {**{str(name): plain(each) for name, each in row.items()}, **moments}


def _node(value: Node) -> dict[str, object]:
    shown: dict[str, object] = {"name": value.name, "value": plain(value.value)}
    if value.detail:
        shown["detail"] = value.detail
    if value.children:
        shown["children"] = [_node(each) for each in value.children]
    return shown
