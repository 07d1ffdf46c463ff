"""How do people and outcomes change what is believed? Feedback, edits, withdrawal, open questions."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memweir.errors import InputError, NotFoundError, RefusedError
from memweir.inputs import label_of, limit_of, memory_id_of, scope_of, token_of
from memweir.recording import learnable
from memweir.store.erasure import ErasePlan, EraseReceipt, EraseTarget
from memweir.store.records import Record, Review, Stored, to_ms
from memweir.store.scopes import Scope, as_scopes
from memweir.store.seam import Erasing

if TYPE_CHECKING:
    from memweir.config import Config
    from memweir.mirror import Erased
    from memweir.retrieval.analysis import Analyzer
    from memweir.store.seam import Store

__all__ = ["Governed"]

_LOG = logging.getLogger("memweir")
_REVIEWS = 100
_RECEIPTS = 20


class Governed:
    """Verbs of `memweir.memory.Memory`."""

    _store: Store
    _analyzer: Analyzer
    _config: Config

    def _now(self, now: datetime | None, name: str = "now") -> datetime:
        raise NotImplementedError

    def _wake(self) -> None:
        raise NotImplementedError

    def _mirrors(self) -> bool:
        raise NotImplementedError

    def _mirror_memory(
        self, memory_id: str, scopes: Sequence[Scope], moment: datetime
    ) -> tuple[str, ...]:
        raise NotImplementedError

    def _mirrored_of(self, plan: ErasePlan, scopes: Sequence[Scope]) -> Erased:
        raise NotImplementedError

    def _mirror_lines(self, erased: Erased | None, *, wipe: bool = False) -> dict[str, Any]:
        raise NotImplementedError

    # What came of it

    def feedback(
        self,
        memory_id: str,
        outcome: str,
        *,
        scope: Scope | Iterable[Scope] | None = None,
        query: str | None = None,
        note: str | None = None,
        now: datetime | None = None,
    ) -> Record:
        """Say what came of a memory: helped, harmful, stale, conflict or unknown.

        Of a memory that helped, the terms of the recalls that gave it in the last 14 days are learned;
        of their texts nothing is kept. That a memory is recalled alone never strengthens it.

        Args:
            memory_id: the memory, or `RecallItem.injection`, the name of its place in a block.
            scope: the memory's scope, or several that may hold it; None: wherever it is. The id alone
                then authorises, so pass the scope where ids come from somebody else.
            query: with "helped", the text it helped with: its terms, not the text, are learned first.

        Raises:
            NotFoundError: no such memory in the scopes, or no such injection, or one of a recall that
                the audit keeps no more; InputError: unknown outcome.
        """
        scopes = None if scope is None else as_scopes(scope)
        asked, said = label_of("query", query), label_of("note", note)
        learned = learnable(asked, self._analyzer) if asked and outcome == "helped" else ()
        named, run_id = memory_id_of(memory_id), None
        if named.startswith("inj_"):
            place = named
            named, run_id = self._store.injected(place)
            if scopes is not None:
                try:
                    self._store.fetch(named, scopes)
                except NotFoundError as error:  # in the words of the place, which names nothing
                    raise NotFoundError("injection", place) from error
        return self._store.feedback(
            named,
            outcome,
            scopes,
            now_ms=to_ms(self._now(now)),
            note=said,
            learned=learned,
            run_id=run_id,
        )

    def counter_evidence(
        self,
        memory_id: str,
        *,
        scope: Scope | Iterable[Scope],
        source: str | None = None,
        note: str | None = None,
        now: datetime | None = None,
    ) -> Record:
        """Note that something spoke against a memory: its confidence falls by 0.2, to 0.2 at least.

        Args:
            source: where, as `session@seq`; the same place counts once.
        """
        return self._store.counter(
            memory_id_of(memory_id),
            as_scopes(scope),
            now_ms=to_ms(self._now(now)),
            source=label_of("source", source),
            note=label_of("note", note),
        )

    # Changing and withdrawing

    def edit(
        self,
        memory_id: str,
        *,
        scope: Scope | Iterable[Scope],
        now: datetime | None = None,
        move_to: Scope | None = None,
        **changes: Any,
    ) -> Stored:
        """Change a memory, as a person's act. Its wording so far is kept, see `history`.

        What it meets in its new form is asked about: it may have to wait for a decision.

        Args:
            move_to: another scope.
            changes: fields of `Draft` that a person may change, among them `text`, `title`, `tags`,
                `semantic_key`, `speaker`, `scene`, `domain`, `kind`, `layer`, `expires_at`, `pinned`
                and `importance`; None takes a value away.

        Raises:
            InputError: no such field, or not a value of it; SecretRefused, ThreatRefused: in what it
                would say; RefusedError: another memory says the same, or this one is withdrawn.
        """
        if move_to is not None:
            changes["scope"] = scope_of(move_to)
        moment, scopes = self._now(now), as_scopes(scope)
        stored = self._store.edit(memory_id_of(memory_id), scopes, changes, now_ms=to_ms(moment))
        self._wake()
        if stored.outcome == "unchanged":
            return stored
        where = scopes if move_to is None else (move_to,)
        return replace(stored, warnings=self._mirror_memory(stored.id, where, moment))

    def archive(
        self, memory_id: str, *, scope: Scope | Iterable[Scope], now: datetime | None = None
    ) -> Record:
        """Withdraw a memory from what is known now; `recall(known_at=…)` still shows what was known."""
        return self._store.archive(
            memory_id_of(memory_id), as_scopes(scope), now_ms=to_ms(self._now(now))
        )

    def forget(
        self, memory_id: str, *, scope: Scope | Iterable[Scope], now: datetime | None = None
    ) -> Record:
        """Withdraw a memory from every recall, whatever moment it asks about. It can be restored.

        The text stays in the file; `erase` removes it for good.
        """
        return self._store.forget(
            memory_id_of(memory_id), as_scopes(scope), now_ms=to_ms(self._now(now))
        )

    def restore(
        self, memory_id: str, *, scope: Scope | Iterable[Scope], now: datetime | None = None
    ) -> Record:
        """Bring a withdrawn memory back.

        Where another value holds its key by now it waits for a decision: see `reviews`. One that was
        superseded holds again once what superseded it is withdrawn.

        Raises:
            RefusedError: what superseded it holds.
        """
        restored = self._store.restore(
            memory_id_of(memory_id), as_scopes(scope), now_ms=to_ms(self._now(now))
        )
        self._wake()
        return restored

    # Erasing

    def erase(
        self,
        *,
        scope: Scope | Iterable[Scope],
        ids: Iterable[str] | None = None,
        subject: str | None = None,
        everything: bool = False,
        confirm: str | None = None,
        now: datetime | None = None,
    ) -> ErasePlan | EraseReceipt:
        """Remove for good what a person names, once they confirm what would go. Nothing undoes it.

        Without `confirm` nothing is written, and the plan says what would go. With its token that goes:
        rows, index, vectors, evidence, notes, relations, recalls that considered it, and their remains
        in the file and its log.

        Args:
            ids: of memories, standing answers and prompt blocks.
            subject: a name: what is said by it, mentions it or holds it.
            everything: all of the scopes, and their names. One of the three.
            confirm: `ErasePlan.token`.

        Raises:
            ReviewStale: what would go is not what was planned.
            NotFoundError: an id that is not of the scopes; InputError, TextError: not one target.
        """
        target = _target(ids, subject, everything)
        scopes = as_scopes(scope)
        store = self._erasing()
        if confirm is None:
            plan = store.plan_erasure(target, scopes)
            return replace(plan, **self._mirror_lines(self._mirrored_of(plan, scopes)))
        now_ms = to_ms(self._now(now))
        mirrored = None  # asked before it goes: afterwards nothing knows the ids
        if self._mirrors():
            mirrored = self._mirrored_of(store.plan_erasure(target, scopes), scopes)
        receipt = store.erase(target, scopes, token_of("confirm", confirm), now_ms=now_ms)
        return replace(receipt, **self._mirror_lines(mirrored, wipe=True))

    def finish_erasure(self) -> bool:
        """Do what an erasure could not, another process being at the file; whether nothing is left."""
        return self._erasing().finish_erasure()

    def erasures(self, limit: int | None = None) -> list[EraseReceipt]:
        """The receipts of the last erasures, newest first: numbers that name nothing."""
        return self._erasing().erasures(limit_of(limit, _RECEIPTS))

    def _erasing(self) -> Erasing:
        if not isinstance(self._store, Erasing):
            raise RefusedError("this store cannot erase for good")
        return self._store

    # Open questions

    def reviews(
        self,
        *,
        scope: Scope | Iterable[Scope],
        limit: int | None = None,
        now: datetime | None = None,
    ) -> list[Review]:
        """The questions that wait for a person, oldest first."""
        return self._store.reviews(
            as_scopes(scope), now_ms=to_ms(self._now(now)), limit=limit_of(limit, _REVIEWS)
        )

    def decide(
        self,
        review_id: str,
        decision: str,
        *,
        token: str,
        scope: Scope | Iterable[Scope],
        now: datetime | None = None,
    ) -> Review:
        """Answer an open question, as a person's act.

        Args:
            decision: one of `Review.decisions`: "approve" personal data; "replace" the older value, let
                both "coexist", or "reject" the newer one; "dismiss" a question that was none. Where the
                newer side began first, "precede" lets it have held until the older began.
            token: `Review.token`, which stands for what was looked at.

        Raises:
            ReviewStale: a side changed since, or somebody decided; look at it again.
            NotFoundError, InputError.
        """
        moment, scopes = self._now(now), as_scopes(scope)
        named = memory_id_of(review_id)
        waited = self._mirrors() and _waits(self._store, named, scopes, moment)
        decided = self._store.decide(
            named, str(decision), token_of("token", token), scopes, now_ms=to_ms(moment)
        )
        self._wake()
        if decided.decision == "coexist":
            self._warn_of_size(decided)
        if waited:  # what could not be mirrored before it was let in
            self._mirror_memory(decided.memory.id, scopes, moment)
        return decided

    def _warn_of_size(self, decided: Review) -> None:
        """A group is shown whole or not at all: one that no block can hold is never shown."""
        group = self._store.history(decided.memory.id, (decided.memory.scope,)).group
        size, most = 1 + sum(each.status == "active" for each in group), self._config.budget.items
        if size > most:
            _LOG.warning(
                "%d memories stand side by side now, and budget.items is %d: none of them is shown",
                size,
                most,
            )


def _waits(store: Store, review_id: str, scopes: Sequence[Scope], moment: datetime) -> bool:
    """Whether the newer side of a question is kept waiting by it."""
    try:
        review = store.review(review_id, scopes, now_ms=to_ms(moment))
    except NotFoundError:  # deciding it says so
        return False
    return review.memory.status == "quarantined"


def _target(ids: Iterable[str] | None, subject: str | None, everything: bool) -> EraseTarget:
    given = [ids is not None, subject is not None, bool(everything)]
    if sum(given) != 1:
        raise InputError("erase ids=…, subject=… or everything=True: one of them")
    if ids is not None:
        return EraseTarget.by_ids(ids)
    return EraseTarget.whole() if subject is None else EraseTarget.by_subject(subject)
