"""What does a turn teach? The verb by which a memory learns from conversation."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from memweir.dating import in_zone_of
from memweir.errors import (
    MemweirError,
    RefusedError,
    SecretRefused,
    StoreError,
    ThreatRefused,
)
from memweir.inputs import label_of, scope_of
from memweir.learning.types import PERSON, Extractor, Fact, LeftOut, Message, Spoken
from memweir.results import Captured, Observation
from memweir.retrieval.normalise import normalise
from memweir.store.records import Draft, Stored, clean_text, to_ms
from memweir.store.scopes import Scope
from memweir.store.seam import Learning

if TYPE_CHECKING:
    from memweir.config import Config
    from memweir.learning.capture import Reading
    from memweir.learning.selection import Found
    from memweir.store.seam import Store

__all__ = ["Observing"]

_LOG = logging.getLogger("memweir")
_ENTITIES: Final = 64  # of a memory


class Observing:
    """Verbs of `memweir.memory.Memory`."""

    _store: Store
    _config: Config
    _extractor: Extractor

    def _now(self, now: datetime | None) -> datetime:
        raise NotImplementedError

    def _wake(self) -> None:
        raise NotImplementedError

    def _mirror_drafts(
        self, written: Sequence[tuple[Stored | MemweirError, Draft]], moment: datetime
    ) -> tuple[str, ...]:
        raise NotImplementedError

    def observe(
        self,
        turn: object,
        *,
        scope: Scope,
        session: str | None = None,
        subject: str | None = None,
        now: datetime | None = None,
    ) -> Observation:
        """Learn what a person said in a turn: lasting facts, each with the words it was made of.

        Only what a person wrote counts, never what a host, a tool, the assistant or memweir itself put
        into a message. A message is read once: hand over the whole history each time, or the last turn.

        Args:
            turn: a list of messages, or one; see `memweir.learning.messages.read_turn`.
            scope: whose the memories are.
            session: names the conversation; messages without an id or a time are told apart by it.
            subject: of whom the statements are made, where a message names nobody; None: "the user".
            now: when it is said, of messages that do not say; its zone is the speaker's.

        Raises:
            InputError: not a turn; ScopeError; StoreError; ExtractorError: of an extractor of your own.
                Nothing of the turn was stored. `observe_or_empty` never raises.
        """
        from memweir.learning.messages import read_turn

        moment, owner = self._now(now), scope_of(scope)
        conversation, name = label_of("session", session), label_of("subject", subject)
        messages = read_turn(turn)
        if not self._config.capture.enabled:
            return Observation()
        store = self._learning()
        marked = _marked(messages, conversation or "")
        before = store.seen(owner, list(marked))
        fresh = {
            mark: each for (mark, each), old in zip(marked.items(), before, strict=True) if not old
        }
        standing = _Standing(store, owner, to_ms(moment))
        readings: dict[str, Reading] = {}
        drafts: dict[str, list[Draft]] = {}
        for mark, each in fresh.items():
            spoken = Spoken(each.name or name or "", _said(each, moment))
            readings[mark] = standing.beside(self._read(each, spoken, owner))
            made = _Drafts(owner, conversation, each, each.name or name, spoken.now)
            drafts[mark] = [made.draft(found.fact) for found in readings[mark].found]
        try:
            results = store.capture(owner, drafts, now_ms=to_ms(moment)) if fresh else {}
        finally:
            self._wake()
        written = [
            (stored, draft)
            for mark, several in results.items()
            for stored, draft in zip(several, drafts[mark], strict=True)
        ]
        found = _observation(messages, fresh, readings, results)
        return replace(found, warnings=self._mirror_drafts(written, moment))

    def observe_or_empty(self, turn: object, **options: Any) -> Observation:
        """`observe` that never breaks a turn: any failure is logged and gives an empty result."""
        try:
            return self.observe(turn, **options)
        except Exception as error:
            _LOG.exception("observe failed; the turn goes on without it")
            return Observation(warnings=(f"{type(error).__name__}: {error}",))

    def _read(self, message: Message, spoken: Spoken, scope: Scope) -> Reading:
        from memweir.learning.capture import read_message

        settings = self._config.capture
        return read_message(
            message,
            self._extractor,
            spoken,
            _StoredEchoes(self._learning(), scope),
            most=settings.facts,
            least=settings.min_confidence,
        )

    def _learning(self) -> Learning:
        if not isinstance(self._store, Learning):
            raise StoreError(f"{type(self._store).__name__} cannot learn from conversation")
        return self._store


@dataclass(frozen=True, slots=True)
class _StoredEchoes:
    """What was injected into prompts of a scope, as the store knows it."""

    store: Learning
    scope: Scope

    def known(self, fingerprints: Collection[int]) -> set[int]:
        return self.store.echoes(self.scope, fingerprints) if fingerprints else set()


def _marked(messages: Sequence[Message], session: str) -> dict[str, Message]:
    """What identifies each message of a person → the message.

    Its id or its time where the host gives one; else it is the same text in the same conversation as
    often as it was said.
    """
    said: Counter[tuple[object, ...]] = Counter()
    marked: dict[str, Message] = {}
    for each in messages:
        if each.source != PERSON or not each.text.strip():
            continue
        at = to_ms(each.at) if each.at is not None and each.id is None else None
        key = (session, each.id, at, each.name, each.text)
        marked[json.dumps([*key, said[key]])] = each
        said[key] += 1
    return marked


def _said(message: Message, now: datetime) -> datetime:
    """When it was said, in the zone of now."""
    if message.at is None:
        return now
    try:
        return in_zone_of(now, message.at)
    except OverflowError:  # at an end of the calendar
        return message.at


class _Standing:
    """Which answers were given already to what has one.

    The same answer in other words is no second value that a person must be asked about, but more
    evidence: it is kept without its key.
    """

    def __init__(self, store: Learning, scope: Scope, now_ms: int) -> None:
        self._store, self._scope, self._now = store, scope, now_ms
        self._values: dict[str, list[str]] = {}

    def beside(self, reading: Reading) -> Reading:
        found = [replace(each, fact=self._beside(each.fact)) for each in reading.found]
        return replace(reading, found=tuple(found))

    def _beside(self, fact: Fact) -> Fact:
        key, said = fact.semantic_key, fact.statement
        if key is None:
            return fact
        if key not in self._values:
            self._values[key] = self._store.values_of(self._scope, key, now_ms=self._now)
        values = self._values[key]
        again = bool(values) and all(_is_other_wording(each, said) for each in values)
        if not again:
            values.append(said)
        return replace(fact, semantic_key=None) if again else fact


def _is_other_wording(one: str, other: str) -> bool:
    from memweir.learning.pairing import says_same

    return normalise(one) != normalise(other) and says_same(one, other)


@dataclass(frozen=True, slots=True)
class _Drafts:
    """Makes drafts of the facts of one message."""

    scope: Scope
    session: str | None
    message: Message
    speaker: str | None
    at: datetime

    def draft(self, fact: Fact) -> Draft:
        start, end = fact.window or (None, None)
        place = self.message.id or str(self.message.place)
        return Draft(
            text=fact.statement,
            scope=self.scope,
            kind=fact.kind,
            # Not "experience", which fades when it is not used: a person's life does not.
            layer="world",
            origin="explicit" if fact.explicit else "heuristic",
            raw_quote=fact.quote,
            semantic_key=fact.semantic_key,
            speaker=self.speaker,
            session_id=self.session,
            source=f"{self.session}@{place}" if self.session else None,
            event_start=start,
            event_end=end,
            created_at=self.at,
            entities=tuple(dict.fromkeys(fact.entities))[:_ENTITIES],
            relations=fact.relations,
        )


def _observation(
    messages: Sequence[Message],
    fresh: dict[str, Message],
    readings: dict[str, Reading],
    results: dict[str, list[Stored | MemweirError]],
) -> Observation:
    captured: list[Captured] = []
    left_out: list[LeftOut] = []
    for mark, message in fresh.items():
        if mark not in results:  # another process read it meanwhile
            continue
        reading = readings[mark]
        left = list(reading.left_out)
        for found, result in zip(reading.found, results[mark], strict=True):
            if isinstance(result, MemweirError):
                rule = _refusal(result)
                left.append(LeftOut(rule, message.place, found.start, found.end, message.part))
            else:
                captured.append(_captured(found, result, message))
        left_out += sorted(left, key=lambda each: (each.start, each.end))
    left_out += _machines(messages)
    people = sum(1 for each in messages if each.source == PERSON and each.text.strip())
    return Observation(
        captured=tuple(captured),
        left_out=tuple(sorted(left_out, key=lambda each: (each.place, each.part))),
        read=len(results),
        known=people - len(results),
    )


def _machines(messages: Sequence[Message]) -> Iterator[LeftOut]:
    """What no person wrote, as a whole."""
    from memweir.learning.sources import written

    for each in messages:
        if each.source != PERSON:
            yield from (replace(left, part=each.part) for left in written(each).left_out)


def _captured(found: Found, stored: Stored, message: Message) -> Captured:
    fact = found.fact
    return Captured(
        id=stored.id,
        outcome=stored.outcome,
        status=stored.status,
        statement=clean_text(fact.statement),
        quote=clean_text(fact.quote),
        kind=fact.kind,
        explicit=fact.explicit,
        semantic_key=fact.semantic_key,
        confidence=fact.confidence,
        rule=fact.rule,
        message=message.place,
        start=found.start,
        end=found.end,
        reviews=stored.reviews,
        part=message.part,
    )


def _refusal(error: MemweirError) -> str:
    """The rule of a write gate that refused it."""
    if isinstance(error, SecretRefused | ThreatRefused):
        return f"refused.{error.rule}"
    return "refused.withdrawn" if isinstance(error, RefusedError) else "refused"
