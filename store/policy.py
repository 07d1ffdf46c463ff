"""Which rules decide about a write? Who changes whose words, what credence is worth, what is learned.

Pure: the store and its double in memory both ask here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from memweir.store.entry import Indexable
from memweir.store.records import Draft, Record

__all__ = [
    "COUNTER_FLOOR",
    "COUNTER_STEP",
    "CREDENCE_STEPS",
    "END_MOVED",
    "LEARNED_RUNS",
    "LEARNED_TERMS",
    "LEARNING_DAYS",
    "SUPERSEDED_BEFORE",
    "WITHDRAWN",
    "Window",
    "WritePolicy",
    "countered_beta",
    "draft_indexable",
    "is_echo",
    "learned_terms",
    "may_part",
    "meet",
    "meets_again",
    "merged_tags",
    "prevails",
    "window_of",
    "yields",
]

CREDENCE_STEPS: Final[Mapping[str, tuple[float, float, int]]] = {
    "helped": (1.0, 0.0, 0),
    "harmful": (0.0, 5.0, 1),
    "stale": (0.0, 2.0, 0),
    "conflict": (0.0, 4.0, 0),
    "unknown": (0.0, 0.0, 0),
}
"""Outcome → what is added to (alpha, beta, harmful_count). Gate design, section 3."""

COUNTER_STEP: Final = 0.2
COUNTER_FLOOR: Final = 0.2
"""What one piece of counter-evidence takes from the confidence, and where that ends. Capability design,
self-refutation."""

LEARNING_DAYS: Final = 14
LEARNED_RUNS: Final = 20
LEARNED_TERMS: Final = 40
"""A helpful memory learns at most so many terms, from so many recalls of so many days. Gate design,
section 4."""

WITHDRAWN: Final = ("archived", "tombstoned")

END_MOVED: Final = "it ends when what replaced it begins, which was corrected"
"""Note of the evidence where the start of a successor was corrected."""

SUPERSEDED_BEFORE: Final = "superseded-before"
"""Rule of the question about a memory that is back and what it superseded, which holds again."""

_TAG_LIMIT: Final = 64  # of a memory, as of a draft


@dataclass(frozen=True, slots=True)
class WritePolicy:
    """What the write gates do beside refusing.

    Attributes:
        quarantine_personal_data: what holds an address, number or card of a person waits for approval.
        ask_contradictions: memories without a common key are compared too, and a question is opened
            where one seems to deny or to replace another.
    """

    quarantine_personal_data: bool = True
    ask_contradictions: bool = True


def draft_indexable(draft: Draft) -> Indexable:
    """The text fields of a draft."""
    return Indexable(
        text=draft.text,
        title=draft.title,
        tags=draft.tags,
        semantic_key=draft.semantic_key,
        speaker=draft.speaker,
        layer=draft.layer,
        kind=draft.kind,
    )


def is_echo(draft: Draft, found: Record) -> bool:
    """Whether a tool or a rule says again what a person stated: evidence for it, and nothing more.

    What a person wrote about a memory (title, tags, times, pin, …) is changed by a person only.
    """
    return draft.provenance != "human" and found.provenance == "human"


def merged_tags(draft: Draft, found: Record) -> tuple[str, ...]:
    """The tags of both tellings, first told first; beyond the limit the newest telling's come first."""
    tags = tuple(dict.fromkeys([*found.tags, *draft.tags]))
    if len(tags) <= _TAG_LIMIT:
        return tags
    return tuple(dict.fromkeys([*draft.tags, *found.tags]))[:_TAG_LIMIT]


def learned_terms(record: Record, heard: Iterable[str]) -> tuple[str, ...]:
    """What a memory has learned once it hears these terms: the newest first, none of its own words."""
    pieces = dict.fromkeys(piece for term in heard for piece in term.split())
    own = record.terms - frozenset(record.learned_terms)
    fresh = [piece for piece in pieces if piece not in own]
    return tuple(dict.fromkeys([*fresh, *record.learned_terms]))[:LEARNED_TERMS]


def countered_beta(alpha: float, beta: float) -> float:
    """The beta that lowers alpha / (alpha + beta) by `COUNTER_STEP`, but not below `COUNTER_FLOOR`.

    From c' = alpha / (alpha + beta') follows beta' = alpha (1 - c') / c'. A confidence at or below the
    floor stays.
    """
    confidence = alpha / (alpha + beta)
    lowered = max(confidence - COUNTER_STEP, COUNTER_FLOOR)
    return beta if lowered >= confidence else alpha * (1.0 - lowered) / lowered


def may_part(one: Record, other: Record) -> bool:
    """Whether two memories without a common key can be at odds: statements, of one speaker.

    That something was said on one day stays true whatever is said on another, so turns never are.
    """
    if "turn" in (one.kind, other.kind) or "event" in (one.kind, other.kind):
        return False
    return one.speaker is None or other.speaker is None or one.speaker == other.speaker


class Window(NamedTuple):
    """When a memory holds, half-open, in UTC milliseconds; `until_ms` None: for good."""

    since_ms: int
    until_ms: int | None


def window_of(record: Record) -> Window:
    """When a memory holds: what is superseded ends there, and what expires ends too."""
    ends = [each for each in (record.invalid_at_ms, record.expires_at_ms) if each is not None]
    return Window(record.valid_at_ms, min(ends, default=None))


def meet(one: Window, other: Window, *, now_ms: int) -> bool:
    """Whether there is a moment from now on at which both hold."""
    since = max(one.since_ms, other.since_ms, now_ms)
    return all(each.until_ms is None or since < each.until_ms for each in (one, other))


def meets_again(record: Record, before: Record, *, now_ms: int) -> bool:
    """Whether a memory that is back stands beside what it superseded before."""
    if record.superseded_by is not None or before.superseded_by is not None:
        return False
    if before.status != "active" or before.scope != record.scope:
        return False
    grouped = record.coexistence is not None and record.coexistence == before.coexistence
    return not grouped and meet(window_of(record), window_of(before), now_ms=now_ms)


def yields(provenance: str, others: Iterable[Record]) -> bool:
    """Whether it is the values that a key has which wait, and not the new one.

    A person's word comes in, and what tools and inferences said waits for a decision.
    """
    return provenance == "human" and all(each.provenance != "human" for each in others)


def prevails(one: Record, other: Record, *, told_ms: int | None = None) -> bool:
    """Which of two statements at odds is the newer side, whatever the order in which they were written.

    A person's words stand against a tool's or an inference's, whichever came last. Otherwise what holds
    since later does: an old log that is read in today says nothing new.

    Args:
        told_ms: when the one got the words that it has; None: since it holds.
    """
    if (one.provenance == "human") != (other.provenance == "human"):
        return one.provenance == "human"
    since = max(one.valid_at_ms, told_ms if told_ms is not None else one.valid_at_ms)
    return since >= other.valid_at_ms
