"""What of a model's answer may be believed? Facts that stand in their sentence word for word."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from memweir.dating import LONGEST_EVENT_DAYS
from memweir.errors import InputError
from memweir.extractors.support import Source
from memweir.learning.types import Fact, Sentence, Spoken
from memweir.retrieval.dates import window_bounds_ms
from memweir.retrieval.types import Window
from memweir.store.gates import scan_secrets, scan_threats
from memweir.store.records import KINDS, Relation, from_ms

__all__ = [
    "MALFORMED",
    "NOTHING",
    "NO_EVIDENCE",
    "UNSUPPORTED",
    "Asked",
    "read_answer",
    "verified",
]

NO_EVIDENCE: Final = "extract.no-evidence"
UNSUPPORTED: Final = "extract.unsupported"
MALFORMED: Final = "extract.malformed"
NOTHING: Final = "extract.nothing-lasting"

_RULE: Final = "model.openai"
_LONGEST_STATEMENT: Final = 400  # characters
_LONGEST_NAME: Final = 64
_MOST_NAMES: Final = 16
_MOST_RELATIONS: Final = 8
_KEY: Final = re.compile(r"[a-z\u4e00-\u9fff][\w-]{0,31}(?:\.[\w-]{1,32}){0,3}")
_FENCED: Final = re.compile(r"```[a-zA-Z]*\s*\n(.*?)\n\s*```", re.DOTALL)
_THOUGHT: Final = "</think>"
_FIRST_PERSON: Final = re.compile(
    r"\b(?:i|i['’](?:m|ve|d|ll)|me|my|mine|myself)\b|我|俺|咱", re.IGNORECASE
)
_QUOTATION: Final = re.compile("\"[^\"]*\"|“[^”]*”|「[^」]*」|《[^》]*》|'[^']*'(?!\\w)")


@dataclass(frozen=True, slots=True)
class Asked:
    """A sentence that a model was asked about.

    Attributes:
        before: the sentence before it, where that was shown too.
        explicit: the rules of its language see a request to keep it.
    """

    sentence: Sentence
    before: str
    explicit: bool


def read_answer(content: str) -> list[Any] | None:
    """The facts that a model wrote down, unverified; None: it is no such answer.

    A fence around the JSON, thoughts before it and words around it are passed over.
    """
    said = content.rpartition(_THOUGHT)[2]
    fenced = _FENCED.search(said)
    tries = [said, *([fenced.group(1)] if fenced else [])]
    start, end = said.find("{"), said.rfind("}")
    if 0 <= start < end:
        tries.append(said[start : end + 1])
    for each in tries:
        try:
            value = json.loads(each)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            value = value.get("facts")
        if isinstance(value, list):
            return value
    return None


def verified(item: Any, asked: Asked, spoken: Spoken) -> Fact | str:
    """A fact that a model gave for a sentence, or the rule by which it is none.

    What is beside the statement (a key, a day, names, relations) and does not hold is left out.
    """
    if not isinstance(item, Mapping):
        return MALFORMED
    statement, quote = _text(item.get("statement")), item.get("quote")
    kind, confidence = item.get("kind"), item.get("confidence")
    if statement is None or not isinstance(quote, str) or not _is_share(confidence):
        return MALFORMED
    if not isinstance(kind, str) or kind not in KINDS or kind == "turn":
        return MALFORMED
    if not quote.strip() or quote not in asked.sentence.text:
        return NO_EVIDENCE
    source = Source(f"{asked.before}\n{asked.sentence.text}", spoken.subject, spoken.now)
    if _FIRST_PERSON.search(_QUOTATION.sub(" ", statement)) or not source.supports(statement):
        return UNSUPPORTED
    refused = scan_secrets(statement) or scan_threats(statement)
    if refused is not None:
        return f"refused.{refused.rule}"
    try:
        window = _window(item.get("event"), source, spoken.now)
    except ValueError:
        return MALFORMED
    assert isinstance(confidence, int | float)
    return Fact(
        statement=statement,
        quote=quote,
        kind=kind,
        confidence=float(confidence),
        rule=_RULE,
        explicit=item.get("explicit") is True and asked.explicit,
        semantic_key=_key(item.get("semantic_key")),
        window=window,
        entities=_names(item.get("entities"), source),
        relations=_relations(item.get("relations"), source),
    )


def _text(value: object) -> str | None:
    if not isinstance(value, str) or not value.strip() or len(value) > _LONGEST_STATEMENT:
        return None
    said = " ".join(value.split())
    return said if any(map(str.isalnum, said)) else None


def _is_share(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) and 0.0 <= value <= 1.0


def _key(value: object) -> str | None:
    return value if isinstance(value, str) and _KEY.fullmatch(value) else None


def _window(value: object, source: Source, now: datetime) -> tuple[datetime, datetime] | None:
    """First moment and end of an event's days; None where nothing said is on them.

    Raises:
        ValueError: these are no days.
    """
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise ValueError("no window")
    first = value.get("start")
    last = value.get("end") or first
    if first is None and last is None:
        return None
    if not isinstance(first, str) or not isinstance(last, str) or max(len(first), len(last)) > 10:
        raise ValueError("no days")
    start, end = date.fromisoformat(first), date.fromisoformat(last)
    if start > end:
        raise ValueError("ends before it begins")
    if (end - start).days >= LONGEST_EVENT_DAYS or not source.allows(start, end):
        return None
    if now.tzinfo is None:
        return None
    try:
        low, high = window_bounds_ms(Window(start, end), now.tzinfo)
        return from_ms(low).astimezone(now.tzinfo), from_ms(high).astimezone(now.tzinfo)
    except (OverflowError, NotImplementedError) as error:
        raise ValueError("beyond the calendar") from error


def _names(value: object, source: Source) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    held = [each.strip() for each in value if _is_name(each) and source.holds(each)]
    return tuple(dict.fromkeys(held))[:_MOST_NAMES]


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value.strip()) <= _LONGEST_NAME


def _relations(value: object, source: Source) -> tuple[Relation, ...]:
    """Those between names that are said; what may not be written as a relation is left out."""
    found: list[Relation] = []
    for each in value if isinstance(value, list) else ():
        if not isinstance(each, Mapping):
            continue
        given = [each.get(name) for name in ("source", "predicate", "target")]
        parts = [str(part).strip() for part in given if _is_name(part)]
        if len(parts) != 3:
            continue
        one, predicate, other = parts
        if source.holds(one) and source.holds(other) and source.supports(predicate):
            try:
                found.append(Relation(one, predicate, other))
            except InputError:
                continue
    return tuple(dict.fromkeys(found))[:_MOST_RELATIONS]
