"""What is one memory? The record, the draft it comes from and what a write answers."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from memweir.errors import InputError, LimitError, TextError
from memweir.quoting import quoted
from memweir.store.scopes import Scope

__all__ = [
    "ELSEWHERE",
    "KINDS",
    "LAYERS",
    "ORIGIN_CREDENCE",
    "OUTCOMES",
    "PROVENANCES",
    "STATUSES",
    "Answer",
    "Assertion",
    "Draft",
    "PromptBlock",
    "Record",
    "Relation",
    "Review",
    "Stored",
    "clean_text",
    "elsewhere",
    "from_ms",
    "to_ms",
]

LAYERS: Final = ("world", "experience", "belief", "negative", "skill")
KINDS: Final = ("turn", "preference", "constraint", "decision", "fact", "event", "procedure")
STATUSES: Final = ("active", "quarantined", "archived", "tombstoned")
PROVENANCES: Final = ("human", "tool", "inferred")
OUTCOMES: Final = ("helped", "harmful", "stale", "conflict", "unknown")

ORIGIN_CREDENCE: Final = {"explicit": (6.0, 1.0), "heuristic": (4.0, 2.0)}
"""Starting (alpha, beta) of a memory a person stated, and of one a rule extracted."""

ELSEWHERE: Final = "another scope"
"""In place of the id of a memory that was moved out of the caller's sight."""

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_LABEL_LIMIT: Final = 4_000  # characters of a title, key, speaker, scene, domain, id or tag
_TAG_LIMIT: Final = 64
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def elsewhere(record: Record, shown: Collection[str]) -> Record:
    """A record that names no memory outside the caller's scopes.

    Args:
        shown: those of the memories it is linked with that may be seen.
    """
    hidden: dict[str, Any] = {
        name: ELSEWHERE
        for name in ("superseded_by", "supersedes")
        if getattr(record, name) is not None and getattr(record, name) not in shown
    }
    return replace(record, **hidden) if hidden else record


def to_ms(moment: datetime) -> int:
    """An aware moment as UTC milliseconds since 1970.

    Raises:
        InputError: not a moment, or one without a time zone.
    """
    if not isinstance(moment, datetime):
        raise InputError(f"a moment must be a datetime, got {type(moment).__name__}")
    try:
        if moment.tzinfo is None or moment.utcoffset() is None:
            raise InputError("a moment needs a time zone; pass for example datetime.now(UTC)")
        delta = moment - _EPOCH
    except InputError:
        raise
    except Exception as error:  # a zone of the caller's own
        raise InputError(f"not a usable moment: its time zone raises {type(error).__name__}") from error
    return delta.days * 86_400_000 + delta.seconds * 1000 + delta.microseconds // 1000


def from_ms(milliseconds: int) -> datetime:
    """UTC milliseconds since 1970 as an aware moment in UTC, clipped to years 1 to 9999."""
    low, high = -62_135_596_800_000, 253_402_300_799_000
    clipped = min(max(milliseconds, low), high)
    seconds, rest = divmod(clipped, 1000)
    days, seconds = divmod(seconds, 86_400)
    return _EPOCH + timedelta(days=days, seconds=seconds, milliseconds=rest)


def clean_text(text: str) -> str:
    """The text as it can be stored: each lone surrogate, which UTF-8 cannot carry, becomes U+FFFD."""
    return _SURROGATE.sub("\ufffd", text)


def _label(name: str, value: object, *, optional: bool = True) -> str | None:
    if value is None and optional:
        return None
    if not isinstance(value, str):
        raise InputError(f"{name} must be text, got {type(value).__name__}")
    if not value.strip():
        if optional:
            return None
        raise TextError(f"{name} must not be blank")
    if len(value) > _LABEL_LIMIT:
        raise LimitError(name, len(value), f"has at most {_LABEL_LIMIT} characters")
    return clean_text(value)


@dataclass(frozen=True, slots=True)
class Relation:
    """A directed edge between two entities, asserted by a memory.

    Attributes:
        source, predicate, target: names as written, not blank.
    """

    source: str
    predicate: str
    target: str

    def __post_init__(self) -> None:
        for name in ("source", "predicate", "target"):
            cleaned = _label(f"relation {name}", getattr(self, name), optional=False)
            object.__setattr__(self, name, cleaned)


@dataclass(frozen=True, slots=True)
class Draft:
    """A memory somebody wants stored. Checked here; nothing is read or written yet.

    Attributes:
        text: what is remembered, kept byte for byte (lone surrogates become U+FFFD); not blank.
        scope: whose it is; required.
        kind, layer, provenance, origin: of `KINDS`, `LAYERS`, `PROVENANCES`, `ORIGIN_CREDENCE`.
        title, semantic_key, tags, speaker, scene, domain, raw_quote: optional metadata.
        importance: [0, 1]; 0.5 is neutral.
        pinned: injected in every turn of its scope, budget permitting.
        document_id: the caller's own identity within the scope; writing it again is an update.
        session_id, source: pointer to where it was said, `source` as `session@seq`.
        event_start, event_end: the half-open window it speaks about; both or neither, aware.
        valid_at: from when it is true; None: from `created_at`.
        expires_at: from when it should be checked before use.
        created_at: when it was told; None: the moment of the write.
        supersedes: id of the memory this one replaces from `valid_at` on.
        entities: names it mentions, besides those found in the text.
        relations: edges it asserts.

    Raises:
        InputError: a value of the wrong type or outside its list; TextError: blank text;
            LimitError: a number outside its range.
    """

    text: str
    scope: Scope
    kind: str = "fact"
    layer: str = "world"
    provenance: str = "human"
    origin: str = "explicit"
    title: str | None = None
    semantic_key: str | None = None
    tags: tuple[str, ...] = ()
    speaker: str | None = None
    scene: str | None = None
    domain: str | None = None
    raw_quote: str | None = None
    importance: float = 0.5
    pinned: bool = False
    document_id: str | None = None
    session_id: str | None = None
    source: str | None = None
    event_start: datetime | None = None
    event_end: datetime | None = None
    valid_at: datetime | None = None
    expires_at: datetime | None = None
    created_at: datetime | None = None
    supersedes: str | None = None
    entities: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise InputError(f"text must be a string, got {type(self.text).__name__}")
        if not self.text.strip():
            raise TextError("a memory needs text that is not blank")
        if not isinstance(self.scope, Scope):
            raise InputError("a memory needs a Scope; a missing scope never means global")
        object.__setattr__(self, "text", clean_text(self.text))
        for name, allowed in (
            ("kind", KINDS),
            ("layer", LAYERS),
            ("provenance", PROVENANCES),
            ("origin", tuple(ORIGIN_CREDENCE)),
        ):
            if getattr(self, name) not in allowed:
                raise InputError(
                    f"unknown {name} {quoted(getattr(self, name))}; use one of {', '.join(allowed)}"
                )
        for name in ("title", "semantic_key", "speaker", "scene", "domain", "document_id"):
            object.__setattr__(self, name, _label(name, getattr(self, name)))
        for name in ("session_id", "source", "supersedes"):
            object.__setattr__(self, name, _label(name, getattr(self, name)))
        object.__setattr__(self, "raw_quote", _quote(self.raw_quote))
        for name in ("tags", "entities"):
            object.__setattr__(self, name, _labels(name, getattr(self, name)))
        object.__setattr__(self, "relations", _relations(self.relations))
        self._check_numbers()
        self._check_moments()

    def _check_numbers(self) -> None:
        number = self.importance
        if (
            isinstance(number, bool)
            or not isinstance(number, (int, float))
            or (isinstance(number, float) and not math.isfinite(number))
        ):
            raise LimitError("importance", number, "must be a finite number")
        if not 0 <= number <= 1:
            raise LimitError("importance", number, "must be between 0 and 1")
        if not isinstance(self.pinned, bool):
            raise InputError("pinned must be True or False")

    def _check_moments(self) -> None:
        for name in ("event_start", "event_end", "valid_at", "expires_at", "created_at"):
            moment = getattr(self, name)
            if moment is not None:
                to_ms(moment)
        if (self.event_start is None) != (self.event_end is None):
            raise InputError("an event window needs both event_start and event_end")
        if self.event_start is None or self.event_end is None:
            return
        if to_ms(self.event_start) >= to_ms(self.event_end):
            raise InputError("event_end must be later than event_start")


def _quote(value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise InputError(f"raw_quote must be text, got {type(value).__name__}")
    return clean_text(value) if value.strip() else None


def _relations(values: object) -> tuple[Relation, ...]:
    if not isinstance(values, (tuple, list)) or not all(isinstance(each, Relation) for each in values):
        raise InputError("relations must be a list of Relation(source, predicate, target)")
    return tuple(values)


def _labels(name: str, values: object) -> tuple[str, ...]:
    if isinstance(values, str) or not isinstance(values, (tuple, list, set, frozenset)):
        raise InputError(f"{name} must be a list of texts, got {type(values).__name__}")
    cleaned = [_label(f"one of {name}", value, optional=False) for value in values]
    if len(cleaned) > _TAG_LIMIT:
        raise LimitError(name, len(cleaned), f"has at most {_TAG_LIMIT} entries")
    ordered = sorted(cleaned, key=str) if isinstance(values, (set, frozenset)) else cleaned
    return tuple(dict.fromkeys(str(value) for value in ordered))


@dataclass(frozen=True, slots=True)
class Record:
    """One memory as stored. Moments are UTC milliseconds since 1970; None where not set.

    `invalidated_at_ms` is when it became known that it ends at `invalid_at_ms`; `coexistence` the group
    it is shown with; `version_of` the memory of which this is an earlier wording.
    """

    id: str
    scope: Scope
    text: str
    kind: str
    layer: str
    provenance: str
    origin: str
    status: str
    title: str | None
    semantic_key: str | None
    tags: tuple[str, ...]
    speaker: str | None
    scene: str | None
    domain: str | None
    raw_quote: str | None
    importance: float
    pinned: bool
    document_id: str | None
    session_id: str | None
    source: str | None
    event_start_ms: int | None
    event_end_ms: int | None
    valid_at_ms: int
    invalid_at_ms: int | None
    superseded_by: str | None
    supersedes: str | None
    created_at_ms: int
    updated_at_ms: int
    confirmed_at_ms: int
    expires_at_ms: int | None
    alpha: float
    beta: float
    harmful_count: int
    recall_count: int
    last_recalled_at_ms: int | None
    evidence_count: int
    learned_terms: tuple[str, ...]
    terms: frozenset[str]
    invalidated_at_ms: int | None = None
    coexistence: str | None = None
    version_of: str | None = None
    incident: bool = False

    @property
    def confidence(self) -> float:
        """alpha / (alpha + beta), in (0, 1)."""
        return self.alpha / (self.alpha + self.beta)


@dataclass(frozen=True, slots=True)
class Stored:
    """What a write answers.

    Attributes:
        id: the memory's.
        outcome: "created", "confirmed" (told again: one more piece of evidence), "updated" (other
            content under the caller's document id, or an edit) or "unchanged" (an edit of nothing).
        evidence_count: pieces of evidence behind it now.
        status: "active", or "quarantined" where it waits for a person and is not recalled until then.
        reviews: ids of the open questions about it that this write raised or found.
        warnings: what went wrong beside the write, which stands: a line of the mirror that is missing.
    """

    id: str
    outcome: str
    evidence_count: int
    status: str = "active"
    reviews: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """A question that waits for a person, or waited.

    Attributes:
        kind: "personal-data", "key" (another value of one semantic key), "contradiction" or "update".
        rule: what raised it, "" where the kind says it all.
        memory: the newer side, which is asked about; quarantined while a question of the first two
            kinds is open. It may hold since before the others: where it was told late, or where a
            person's word stands against a tool's.
        against: the older sides as they stand now.
        decisions: the answers that fit.
        token: stands for both sides as they are shown here; a decision made on an older sight of them
            is refused. "" of a closed one.
        decision: what was decided; "withdrawn" where the question became void, "" while it is open.
        supersedes: what the newer side supersedes once it is let in, as it stands now.
    """

    id: str
    kind: str
    rule: str
    memory: Record
    against: tuple[Record, ...]
    decisions: tuple[str, ...]
    token: str
    opened_at_ms: int
    closed_at_ms: int | None = None
    decision: str = ""
    supersedes: Record | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A standing answer: a conclusion read directly instead of being retrieved.

    Attributes:
        phrasings: the questions by which it is found, as written, in order of their folded form.
        hits: how often it was given.
        verified_at_ms: when it was told, renewed or found true last.
        created_at_ms: when it was first told.
        question: the phrasing under which it is renewed: the first it was told with.
        earlier: how many other texts it had before.
        stale: it has not been verified for longer than the configuration allows.
    """

    id: str
    scope: Scope
    text: str
    phrasings: tuple[str, ...]
    hits: int
    verified_at_ms: int
    created_at_ms: int
    question: str
    earlier: int = 0
    stale: bool = False


@dataclass(frozen=True, slots=True)
class PromptBlock:
    """A stretch of every system prompt of a scope: a person's words, in a person's order.

    Attributes:
        title: what people call it; not part of the prompt.
        body: what the prompt says.
        position: the smaller, the earlier.
        enabled: it goes into prompts.
    """

    id: str
    scope: Scope
    title: str
    body: str
    position: int
    enabled: bool
    created_at_ms: int
    updated_at_ms: int


@dataclass(frozen=True, slots=True)
class Assertion:
    """An edge between two entities, and the memory that asserts it.

    Attributes:
        source, predicate, target: as written.
        memory_id, layer, created_at_ms: of the asserting memory.
        holds: the memory does, at the view's instant.
    """

    source: str
    predicate: str
    target: str
    memory_id: str
    layer: str
    created_at_ms: int
    holds: bool
