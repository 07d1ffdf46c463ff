"""What may a person change about a memory, and is anything changed at all?"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from memweir.errors import InputError
from memweir.store.records import Draft, Record, from_ms, to_ms

__all__ = [
    "ADJUSTABLE",
    "EDITABLE",
    "content_of_draft",
    "content_of_record",
    "differing",
    "edited",
    "not_the_same",
    "relabels",
    "same_statement",
    "says_another",
    "says_no_more",
]

ADJUSTABLE: Final = frozenset({"importance", "pinned"})
"""What says nothing about the content: no earlier wording is kept, no question asked."""

EDITABLE: Final = (
    *("text", "scope", "kind", "layer", "title", "semantic_key", "tags", "speaker", "scene", "domain"),
    *("raw_quote", "event_start", "event_end", "valid_at", "expires_at", "importance", "pinned"),
)

_MOMENTS: Final = ("event_start", "event_end", "expires_at")
_MARKS: Final = frozenset(".,:;!?\"'`()[]{}<>«»‹›„“”‘’、。「」『』《》〈〉【】〔〕…—–·-_~")
_WIDE: Final = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
_BESIDE_WIDE: Final = re.compile(rf"(?<=[{_WIDE}]) | (?=[{_WIDE}])")


def edited(record: Record, changes: Mapping[str, object]) -> Draft:
    """All fields of a memory with some of them changed; a person's words from then on.

    Raises:
        InputError: no such field, or not a value of it.
    """
    unknown = sorted(set(changes) - set(EDITABLE))
    if unknown:
        raise InputError(f"cannot change {', '.join(unknown)}; change {', '.join(EDITABLE)}")
    fields: dict[str, Any] = {
        name: getattr(record, name) for name in EDITABLE if name not in (*_MOMENTS, "valid_at")
    }
    fields |= {name: _moment(getattr(record, f"{name}_ms")) for name in _MOMENTS}
    if (
        "text" in changes
        and "raw_quote" not in changes
        and not same_statement(str(changes["text"]), record.text)
    ):
        fields["raw_quote"] = None  # the quote was of the old text
    text = fields.pop("text")
    scope = fields.pop("scope")
    given = dict(changes)
    if "valid_at" in given and given["valid_at"] is None:
        given["valid_at"] = from_ms(record.created_at_ms)  # true since it was told
    new_text, new_scope = given.pop("text", text), given.pop("scope", scope)
    provenance = "human" if changes else record.provenance
    return Draft(new_text, new_scope, provenance=provenance, **fields | given)  # type: ignore[arg-type]


def differing(record: Record, changes: Mapping[str, object]) -> frozenset[str]:
    """The fields that an edit would really change; none: it leaves everything as it is."""
    before, after = edited(record, {}), edited(record, changes)
    names = {name for name in EDITABLE if _kept(before, name) != _kept(after, name)}
    if after.valid_at is None or to_ms(after.valid_at) == record.valid_at_ms:
        names.discard("valid_at")
    return frozenset(names)


def not_the_same(one: Record, other: Record) -> bool:
    """Whether a memory changed in what an edit starts from."""
    pins = (one.pinned, one.importance) != (other.pinned, other.importance)
    return pins or content_of_record(one) != content_of_record(other)


def relabels(record: Record, draft: Draft, tags: Sequence[str]) -> bool:
    """Whether telling a memory again gives it other labels or times: what was known before is kept.

    Args:
        tags: of both tellings.
    """
    labels = ("semantic_key", "speaker", "scene", "domain", "title")
    given = [(getattr(draft, name), getattr(record, name)) for name in labels]
    for name in (*_MOMENTS, "valid_at"):
        moment = getattr(draft, name)
        given.append((None if moment is None else to_ms(moment), getattr(record, f"{name}_ms")))
    return tuple(tags) != record.tags or any(new is not None and new != old for new, old in given)


def same_statement(one: str, other: str) -> bool:
    """Whether two texts differ in nothing but punctuation, case and white space.

    A mark between or before figures is part of the number ("1.5" is not "15"), and one inside a word
    parts it ("a.b" is not "ab"). Signs such as %, + and / say something.
    """
    return one == other or _bare(one) == _bare(other)


def _bare(text: str) -> str:
    folded = f" {unicodedata.normalize('NFKC', text).casefold()} "
    kept = [
        " " if here in _MARKS and not _in_number(before, here, after) else here
        for before, here, after in zip(folded, folded[1:], folded[2:], strict=False)
    ]
    return _BESIDE_WIDE.sub("", " ".join("".join(kept).split()))


def _in_number(before: str, mark: str, after: str) -> bool:
    return after.isdigit() and (before.isdigit() or (mark in "-." and before.isspace()))


def says_another(record: Record, draft: Draft, fold: Callable[[str], str]) -> bool:
    """Whether an edit changes what is asked about: what it says, where, by which key and when."""
    keys = [fold(each) if each else "" for each in (record.semantic_key, draft.semantic_key)]
    since = draft.valid_at is not None and to_ms(draft.valid_at) != record.valid_at_ms
    expires = None if draft.expires_at is None else to_ms(draft.expires_at)
    longer = record.expires_at_ms is not None and (expires is None or expires > record.expires_at_ms)
    same = (record.text, record.scope, keys[0]) == (draft.text, draft.scope, keys[1])
    return since or longer or not same


def says_no_more(record: Record, draft: Draft) -> bool:
    """Whether an edit of what was let in adds no words: nothing new to approve."""
    if record.status != "active":
        return False
    old = (record.text, record.title, record.tags, record.semantic_key, record.raw_quote)
    new = (draft.text, draft.title, draft.tags, draft.semantic_key, draft.raw_quote)
    return all(_within(after, before) for before, after in zip(old, new, strict=True))


def _kept(draft: Draft, name: str) -> object:
    """A field as the store keeps it: moments to the millisecond."""
    value = getattr(draft, name)
    return to_ms(value) if isinstance(value, datetime) else value


def content_of_draft(draft: Draft) -> tuple[object, ...]:
    """What makes a wording another one, as a draft gives it."""
    moments = (draft.event_start, draft.event_end, draft.expires_at)
    return (
        draft.scope,
        draft.text,
        draft.title,
        draft.tags,
        draft.semantic_key,
        *(draft.speaker, draft.scene, draft.domain, draft.kind, draft.layer, draft.raw_quote),
        *(None if moment is None else to_ms(moment) for moment in moments),
    )


def content_of_record(record: Record) -> tuple[object, ...]:
    """The same of a record."""
    return (
        record.scope,
        record.text,
        record.title,
        record.tags,
        record.semantic_key,
        *(record.speaker, record.scene, record.domain, record.kind, record.layer, record.raw_quote),
        *(record.event_start_ms, record.event_end_ms, record.expires_at_ms),
    )


def _within(after: object, before: object) -> bool:
    if isinstance(after, tuple) and isinstance(before, tuple):
        return set(after) <= set(before)
    return after is None or after == before


def _moment(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else from_ms(milliseconds)
