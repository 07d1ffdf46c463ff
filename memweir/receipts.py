"""Would this recall say the same today? A receipt holds all that it was made of, and is asked again.

A recall is a function of its query, its clock, its configuration and the store. While the store is
unchanged the same receipt gives the same bytes; where it is not, what happened since is told.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from memweir.asking import Request
from memweir.config import Config
from memweir.errors import ConfigError, InputError, NotFoundError
from memweir.fusion.types import Budget
from memweir.inputs import label_of, limit_of, mode_of, texts_of
from memweir.recording import TRACE_VERSION, block_digest, recorded
from memweir.results import Recall
from memweir.runs import RunExplanation
from memweir.store.audit import Happened
from memweir.store.database import decoded
from memweir.store.records import from_ms, to_ms
from memweir.store.scopes import Scope, as_scopes
from memweir.store.seam import Store
from memweir.store.view import View

__all__ = ["Receipt", "Rerun", "compare", "differences", "receipt_of", "request_of"]

_SHOWN = 50  # lines of the ledger that a rerun looks at
_INTEGER_LIMIT: Final = 2**63  # what the store can hold
_UNUSABLE: Final = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    OverflowError,
    OSError,
    RecursionError,
)
"""What parts of the right kind can still raise when they are put together."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What one recall was made of: plain JSON values, nothing of the query or the memories' text.

    Attributes:
        now: ISO moment and name of its zone, "" where it has none.
        scopes: (kind, key) of each.
        query, context: keyed hashes of the turn's text and of the turns before.
        request: as_of, known, history, scene, domain, tags, route, limit, budget, mode.
        settings: the whole configuration.
        store: analyzer, embedder, changes, ledger: what the store was at that moment.
        ids: what the block held, in its order; answer: id and hits of the standing answer in it.
        block: SHA-256 of the block's bytes.
    """

    version: int
    memweir: str
    run: int
    now: tuple[str, str]
    scopes: tuple[tuple[str, str], ...]
    query: str
    context: tuple[str, ...]
    request: Mapping[str, Any]
    settings: Mapping[str, Any]
    store: Mapping[str, Any]
    ids: tuple[str, ...]
    answer: tuple[str, int] | None
    block: str

    def to_json(self) -> str:
        """As one JSON object."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Receipt:
        """What `to_json` gave.

        Raises:
            InputError: it is no receipt, or one of another version.
        """
        try:
            given = json.loads(text)
        except (ValueError, TypeError, RecursionError) as error:
            raise InputError(f"not a receipt: {type(error).__name__}") from error
        if not isinstance(given, dict) or not _is_current(given.get("version")):
            raise InputError("not a receipt of this version of memweir")
        if set(given) != {each.name for each in fields(cls)}:
            raise InputError("not a receipt: its fields are others")
        lists = {name: _as_tuple(given[name]) for name in ("now", "context", "ids", "answer")}
        scopes = _as_tuple(given["scopes"])
        if isinstance(scopes, tuple):
            scopes = tuple(map(_as_tuple, scopes))
        return _checked(cls(**given | lists | {"scopes": scopes}))


@dataclass(frozen=True, slots=True)
class Rerun:
    """A recall asked again.

    Attributes:
        same: the block has the same bytes.
        recall: as it is today; its settings and clock are the receipt's.
        changes: what is different, in words; empty where nothing is.
        happened: lines of the ledger since, of the scopes asked.
        gone, new: ids that were in the block and are not any more, and the other way round.
        settings: (setting, then, now) of those in force that differ; it was asked with those of then.
    """

    same: bool
    recall: Recall
    changes: tuple[str, ...]
    happened: tuple[Happened, ...]
    gone: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    settings: tuple[tuple[str, Any, Any], ...] = ()


@decoded()
def receipt_of(run: RunExplanation) -> Receipt:
    """The receipt of a recall of the past.

    Raises:
        NotFoundError: an older version recorded it, without what a receipt needs.
    """
    trace = run.trace
    if trace.get("version") != TRACE_VERSION or not run.settings:
        raise NotFoundError("receipt of recall", str(run.id))
    request = ("as_of", "known", "history", "scene", "domain", "tags", "route", "limit", "budget")
    answer = trace["answer"] if trace["shown_answer"] else None
    return Receipt(
        version=TRACE_VERSION,
        memweir=str(trace["memweir"]),
        run=run.id,
        now=(str(trace["now"][0]), str(trace["now"][1])),
        scopes=tuple((str(kind), str(key)) for kind, key in trace["scopes"]),
        query=run.query_hash,
        context=tuple(map(str, trace["context"])),
        request={name: trace[name] for name in request} | {"mode": run.mode},
        settings=run.settings,
        store={name: trace[name] for name in ("analyzer", "embedder", "changes", "ledger")},
        ids=tuple(
            each.id
            for each in sorted(
                (each for each in run.items if each.position is not None),
                key=lambda each: each.position or 0,
            )
        ),
        answer=None if answer is None else (str(answer[0]), int(answer[1])),
        block=str(trace["block"]),
    )


def request_of(receipt: Receipt, text: str, context: Sequence[str]) -> Request:
    """The request of a receipt with its text, which the receipt does not hold.

    Raises:
        InputError: not a usable receipt; its settings are looked at too.
    """
    asked = _checked(receipt).request
    try:
        _check_settings(receipt.settings)
        now = datetime.fromisoformat(receipt.now[0])
        if receipt.now[1]:
            now = now.astimezone(ZoneInfo(receipt.now[1]))
        as_of, known = _moment(asked["as_of"]), _moment(asked["known"])
        now_ms = to_ms(now)
        held = now_ms if known is None else min(known, now_ms)
        view = View(
            scopes=as_scopes(Scope(kind, key) for kind, key in receipt.scopes),
            as_of_ms=held if as_of is None else as_of,
            point_in_time=as_of is not None,
            include_history=_flag(asked["history"]),
            scene=label_of("scene", asked["scene"]),
            domain=label_of("domain", asked["domain"]),
            tags=tuple(texts_of("tags", asked["tags"])),
            known_ms=known,
        )
        return Request(
            text=text,
            view=view,
            now=now,
            context=tuple(context),
            limit=limit_of(asked["limit"], 1),
            budget=Budget(**asked["budget"]),
            mode=mode_of(str(asked["mode"]), ""),
            route=_flag(asked["route"]),
            answer_hits=None if receipt.answer is None else receipt.answer[1],
        )
    except _UNUSABLE as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"not a usable receipt: {type(error).__name__}") from error


def _checked(receipt: object) -> Receipt:
    """The receipt, each part of its own kind: whoever made it, nothing behind here asks again.

    Raises:
        InputError: no receipt, one of another version, or a part of it is of another kind.
    """
    if not isinstance(receipt, Receipt):
        raise InputError(f"a Receipt is needed, got {type(receipt).__name__}; see Receipt.from_json")
    if not _is_current(receipt.version):
        raise InputError("not a receipt of this version of memweir")
    for name, fits in _PARTS.items():
        if not fits(getattr(receipt, name)):
            raise InputError(f"not a usable receipt: its {name} is of another kind")
    return receipt


def _is_current(version: object) -> bool:
    return _is_count(version) and version == TRACE_VERSION


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < _INTEGER_LIMIT  # True is an int too


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _are_texts(value: object) -> bool:
    return isinstance(value, tuple) and all(map(_is_text, value))


def _are_two_texts(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and _are_texts(value)


def _are_pairs(value: object) -> bool:
    return isinstance(value, tuple) and all(map(_are_two_texts, value))


def _is_answer(value: object) -> bool:
    if value is None:
        return True
    return isinstance(value, tuple) and len(value) == 2 and _is_text(value[0]) and _is_count(value[1])


def _is_object(value: object) -> bool:
    """A JSON object that comes back as it is: names are texts and numbers finite, all the way down."""
    try:
        return isinstance(value, dict) and bool(json.loads(json.dumps(value, allow_nan=False)) == value)
    except (ValueError, TypeError, RecursionError):
        return False


def _is_position(value: object) -> bool:
    return (
        isinstance(value, dict)
        and all(_is_text(value.get(name)) for name in ("analyzer", "embedder"))
        and all(_is_count(value.get(name)) for name in ("changes", "ledger"))
    )


_PARTS: Final[Mapping[str, Callable[[object], bool]]] = {
    "memweir": _is_text,
    "run": _is_count,
    "now": _are_two_texts,
    "scopes": _are_pairs,
    "query": _is_text,
    "context": _are_texts,
    "request": _is_object,
    "settings": _is_object,
    "store": _is_position,
    "ids": _are_texts,
    "answer": _is_answer,
    "block": _is_text,
}
"""Part of a receipt → is this one?"""


def _as_tuple(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _check_settings(given: Mapping[str, Any]) -> None:
    """Raises `ConfigError`: an unknown setting or section, a section that is none, a wrong value."""
    known = Config().to_dict()
    _check_sections(given, known, "")
    _check_sections(given.get("fusion", {}), known["fusion"], "fusion.")
    Config.from_dict(given)


def _check_sections(given: Mapping[str, Any], known: Any, prefix: str) -> None:
    for name, value in given.items():
        if name not in known:
            raise ConfigError(prefix + name, value, "is not a setting")
        if isinstance(known[name], dict) and not isinstance(value, dict):
            raise ConfigError(prefix + name, value, "must be a section")


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise InputError("not a usable receipt: what is true or false in it is neither")
    return value


def _moment(value: object) -> int | None:
    """UTC milliseconds as they were kept. Raises `InputError`: no moment of the calendar."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or to_ms(from_ms(value)) != value:
        raise InputError("not a usable receipt: a moment of it is none")
    return value


def compare(
    receipt: Receipt, request: Request, recall: Recall, *, store: Store, config: Config
) -> Rerun:
    """What is different now. Args: config: the configuration in force, not the receipt's."""
    changes = []
    if store.hash_query(request.text) != receipt.query:
        changes.append("the query is another one, or the receipt is of another store")
    if tuple(store.hash_query(each) for each in request.context) != receipt.context:
        changes.append("the turns before are others")
    now = {"analyzer": store.analyzer, "embedder": store.embedder}
    changes += [
        f"{name}: {receipt.store[name]} then, {value} now"
        for name, value in now.items()
        if receipt.store[name] != value
    ]
    settings = tuple(differences(receipt.settings, recorded(config)))
    changes += [
        f"setting {name}: {then!r} then, {given!r} now (asked again as it was then)"
        for name, then, given in settings
    ]
    count, _ = store.position()
    written = count - receipt.store["changes"]
    happened: list[Happened] = []
    if written:
        happened, elsewhere = store.happened(request.view.scopes, receipt.store["ledger"], _SHOWN)
        changes += [_said(each) for each in happened]
        if elsewhere:
            changes.append(f"{elsewhere} changes in other scopes")
        if not happened and not elsewhere:
            changes.append(f"{written} writes without a line in the ledger")
    shown = tuple(each.id for each in recall.items)
    gone = tuple(sorted(set(receipt.ids) - set(shown)))
    new = tuple(sorted(set(shown) - set(receipt.ids)))
    changes += [f"{each} was in the block and is not any more" for each in gone]
    changes += [f"{each} was not in the block and is in it now" for each in new]
    same = block_digest(recall.block) == receipt.block
    if not same and set(shown) == set(receipt.ids):
        changes.append("the block holds the same memories, worded, ordered or marked otherwise")
    return Rerun(same, recall, tuple(changes), tuple(happened), gone, new, settings)


def differences(
    one: Mapping[str, Any], other: Mapping[str, Any], path: str = ""
) -> list[tuple[str, Any, Any]]:
    """(setting, here, there) of every setting that differs; None where a side has none."""
    found: list[tuple[str, Any, Any]] = []
    for name in sorted({*one, *other}):
        place = f"{path}.{name}" if path else name
        here, there = one.get(name), other.get(name)
        if isinstance(here, Mapping) and isinstance(there, Mapping):
            found += differences(here, there, place)
        elif here != there:
            found.append((place, here, there))
    return found


def _said(each: Happened) -> str:
    about = f" {each.memory_id}" if each.memory_id else ""
    rule = f" ({each.rule})" if each.rule else ""
    return f"{from_ms(each.at_ms).isoformat()} {each.action}{about}{rule}"
