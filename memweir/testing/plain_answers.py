"""What does the plain store keep of standing answers? Each with what it said before."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from memweir.errors import InputError, NotFoundError
from memweir.store.answers import phrasing_taken, refuse_personal
from memweir.store.draft_gates import check_answer
from memweir.store.identity import answer_address
from memweir.store.policy import WritePolicy
from memweir.store.records import Answer
from memweir.store.scopes import Scope
from memweir.testing.plain_reader import PlainReader
from memweir.testing.plain_rows import Said, State

__all__ = ["PlainAnswers"]


class PlainAnswers(PlainReader):
    """The verbs of `memweir.store.seam.Store` that are about standing answers."""

    _key: bytes
    _policy: WritePolicy

    @abstractmethod
    def _writing(self, *, counted: bool) -> AbstractContextManager[State]:
        """A write. Args: counted: it changes what the store holds."""

    @abstractmethod
    def _gated(self, now_ms: int) -> AbstractContextManager[None]:
        """A refusal inside goes into the ledger."""

    def put_answer(
        self,
        scope: Scope,
        text: str,
        phrasings: Mapping[str, str],
        *,
        now_ms: int,
        approve_personal: bool = False,
    ) -> Answer:
        self._state  # noqa: B018  a closed store says so
        if not phrasings:
            raise InputError("a standing answer needs a phrasing")
        answer_id = answer_address(scope, next(iter(phrasings)))
        with self._gated(now_ms):
            check_answer(scope, text, phrasings.values(), key=self._key)
            known = self._stood(answer_id, None) if answer_id in self._state.answers else None
            personal = self._answer_personal(text, phrasings, known, approved=approve_personal)
            with self._writing(counted=True) as state:
                state.scope(scope)
                action = "answer-told" if known is None else "answer-renewed"
                if known is None:
                    state.answers[answer_id] = Answer(
                        answer_id, scope, text, (), 0, now_ms, now_ms, phrasings[next(iter(phrasings))]
                    )
                    state.said[answer_id] = ()
                else:
                    _renew(state, answer_id, text, now_ms)
                _phrase(state, scope, answer_id, phrasings, now_ms)
                state.log(action, answer_id, now_ms, scope=scope, rule=personal or None)
        return self.answer(answer_id, (scope,))

    def add_phrasings(
        self,
        answer_id: str,
        scopes: Sequence[Scope],
        phrasings: Mapping[str, str],
        *,
        now_ms: int,
        approve_personal: bool = False,
    ) -> Answer:
        self._state  # noqa: B018
        if not phrasings:
            raise InputError("no phrasing is given")
        known = self.answer(answer_id, scopes)
        with self._gated(now_ms):
            check_answer(known.scope, known.text, phrasings.values(), key=self._key)
            personal = self._answer_personal(known.text, phrasings, known, approved=approve_personal)
            with self._writing(counted=True) as state:
                _phrase(state, known.scope, answer_id, phrasings, now_ms)
                state.log("answer-phrased", answer_id, now_ms, scope=known.scope, rule=personal or None)
        return self.answer(answer_id, scopes)

    def find_answer(
        self, scopes: Sequence[Scope], key: str, *, at_ms: int | None = None
    ) -> Answer | None:
        state = self._state
        found = [state.phrasings[scope, key] for scope in scopes if (scope, key) in state.phrasings]
        stood = [
            self._stood(owner, at_ms)
            for owner, _, told_ms in found
            if at_ms is None or max(told_ms, state.answers[owner].created_at_ms) <= at_ms
        ]
        return min(stood, key=lambda each: (-each.verified_at_ms, each.id), default=None)

    def answers(self, scopes: Sequence[Scope], *, limit: int) -> list[Answer]:
        found = [each for each in self._state.answers.values() if each.scope in scopes]
        order = sorted(found, key=lambda each: (each.verified_at_ms, each.id))
        return [self._stood(each.id, None) for each in order[:limit]]

    def answer(self, answer_id: str, scopes: Sequence[Scope]) -> Answer:
        found = self._state.answers.get(answer_id)
        if found is None or found.scope not in scopes:
            raise NotFoundError("answer", answer_id)
        return self._stood(answer_id, None)

    def verify_answer(self, answer_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Answer:
        known = self.answer(answer_id, scopes)
        with self._writing(counted=True) as state:
            _renew(state, answer_id, known.text, now_ms)
            state.log("answer-verified", answer_id, now_ms, scope=known.scope)
        return self.answer(answer_id, scopes)

    def withdraw_answer(self, answer_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Answer:
        known = self.answer(answer_id, scopes)
        with self._writing(counted=True) as state:
            del state.answers[answer_id], state.said[answer_id]
            state.phrasings = {
                place: each for place, each in state.phrasings.items() if each[0] != answer_id
            }
            state.log("answer-withdrawn", answer_id, now_ms, scope=known.scope)
        return known

    def _stood(self, answer_id: str, at_ms: int | None) -> Answer:
        """An answer as it stood at a moment; None: as it stands."""
        state = self._state
        answer, before = state.answers[answer_id], state.said[answer_id]
        later = [] if at_ms is None else [each for each in before if each.until_ms > at_ms]
        texts = [each.text for each in later if each.text is not None]
        phrasings = sorted(
            (key, words)
            for (_, key), (owner, words, told_ms) in state.phrasings.items()
            if owner == answer_id and (at_ms is None or told_ms <= at_ms)
        )
        own = [words for key, words in phrasings if answer_address(answer.scope, key) == answer_id]
        return replace(
            answer,
            text=texts[0] if texts else answer.text,
            verified_at_ms=later[0].verified_at_ms if later else answer.verified_at_ms,
            phrasings=tuple(words for _, words in phrasings),
            question=own[0] if own else "",
            earlier=sum(each.text is not None for each in before if each not in later),
        )

    def _answer_personal(
        self, text: str, phrasings: Mapping[str, str], known: Answer | None, *, approved: bool
    ) -> str:
        if not self._policy.quarantine_personal_data:
            return ""
        return refuse_personal(text, phrasings.values(), known, approved=approved, key=self._key)


def _renew(state: State, answer_id: str, text: str, now_ms: int) -> None:
    """Another text, or the same, from now on; of two in one moment the first stood until then."""
    answer, before = state.answers[answer_id], state.said[answer_id]
    until = max(now_ms, answer.created_at_ms, *(each.until_ms for each in before))
    said = None if answer.text == text else answer.text
    if before and before[-1].until_ms == until:
        last = before[-1]
        before = (*before[:-1], replace(last, text=last.text if last.text is not None else said))
    else:
        before = (*before, Said(until, said, answer.verified_at_ms))
    state.said[answer_id] = before
    state.answers[answer_id] = replace(answer, text=text, verified_at_ms=now_ms)


def _phrase(
    state: State, scope: Scope, answer_id: str, phrasings: Mapping[str, str], now_ms: int
) -> None:
    for key in phrasings:
        other, _, _ = state.phrasings.get((scope, key), (answer_id, "", 0))
        if other != answer_id:
            raise phrasing_taken(other)
    for key, words in phrasings.items():
        _, _, told_ms = state.phrasings.get((scope, key), (answer_id, "", now_ms))
        state.phrasings[scope, key] = (answer_id, words, told_ms)
