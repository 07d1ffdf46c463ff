"""Which questions have an answer that is not looked for? Telling, verifying and withdrawing it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from memweir.asking import answer_key, is_stale
from memweir.errors import TextError
from memweir.inputs import limit_of, memory_id_of, scope_of, texts_of
from memweir.store.records import Answer, clean_text, to_ms
from memweir.store.scopes import Scope, as_scopes

if TYPE_CHECKING:
    from memweir.config import Config
    from memweir.retrieval.analysis import Analyzer
    from memweir.store.seam import Store

__all__ = ["Standing"]

_ANSWERS = 100


class Standing:
    """Verbs of `memweir.memory.Memory` about standing answers."""

    _store: Store
    _analyzer: Analyzer
    _config: Config

    def _now(self, now: datetime | None) -> datetime:
        raise NotImplementedError

    def answer(
        self,
        question: str,
        text: str,
        *,
        scope: Scope,
        phrasings: Sequence[str] = (),
        approve_personal: bool = False,
        now: datetime | None = None,
    ) -> Answer:
        """Store a standing answer: read directly when the question, or a phrasing of it, is asked.

        Storing it again under the same question renews it: it counts as verified now, and what it said
        until now is what `recall(known_at=…)` shows of that time.

        Args:
            approve_personal: a person has approved that what it says of a person is given to prompts.

        Raises:
            TextError: a blank question, phrasing or answer; SecretRefused, ThreatRefused.
            PersonalDataRefused: it holds a person's data, and nobody has approved it.
            RefusedError: a phrasing belongs to another answer of the scope.
        """
        if not isinstance(text, str) or not text.strip():
            raise TextError("a standing answer needs text that is not blank")
        keys = self._keys([question, *texts_of("phrasings", phrasings)])
        moment = self._now(now)
        told = self._store.put_answer(
            scope_of(scope),
            clean_text(text),
            keys,
            now_ms=to_ms(moment),
            approve_personal=bool(approve_personal),
        )
        return self._aged(told, moment)

    def answers(
        self,
        *,
        scope: Scope | Iterable[Scope],
        limit: int | None = None,
        now: datetime | None = None,
    ) -> list[Answer]:
        """The standing answers of the scopes; whose verification lies furthest back comes first."""
        moment = self._now(now)
        found = self._store.answers(as_scopes(scope), limit=limit_of(limit, _ANSWERS))
        return [self._aged(each, moment) for each in found]

    def get_answer(
        self, answer_id: str, *, scope: Scope | Iterable[Scope], now: datetime | None = None
    ) -> Answer:
        """One standing answer of the scopes. Raises: NotFoundError: no such answer there."""
        moment = self._now(now)
        return self._aged(self._store.answer(memory_id_of(answer_id), as_scopes(scope)), moment)

    def add_phrasings(
        self,
        answer_id: str,
        phrasings: Sequence[str],
        *,
        scope: Scope | Iterable[Scope],
        approve_personal: bool = False,
        now: datetime | None = None,
    ) -> Answer:
        """Let a standing answer be found by further phrasings; its text and its date stay.

        Raises:
            NotFoundError: no such answer in the scopes; TextError: a blank phrasing.
            RefusedError: a phrasing belongs to another answer of its scope; the gates' refusals, as
                those of `answer`.
        """
        moment = self._now(now)
        told = self._store.add_phrasings(
            memory_id_of(answer_id),
            as_scopes(scope),
            self._keys(texts_of("phrasings", phrasings)),
            now_ms=to_ms(moment),
            approve_personal=bool(approve_personal),
        )
        return self._aged(told, moment)

    def verify_answer(
        self, answer_id: str, *, scope: Scope | Iterable[Scope], now: datetime | None = None
    ) -> Answer:
        """Say that a standing answer was found true: it counts as verified now, its text stays.

        Raises:
            NotFoundError: no such answer in the scopes.
        """
        moment = self._now(now)
        told = self._store.verify_answer(
            memory_id_of(answer_id), as_scopes(scope), now_ms=to_ms(moment)
        )
        return self._aged(told, moment)

    def withdraw_answer(
        self, answer_id: str, *, scope: Scope | Iterable[Scope], now: datetime | None = None
    ) -> Answer:
        """Delete a standing answer, as a person's act: its phrasings and earlier texts go with it.

        Nothing brings it back. `erase` also removes what recalls and the ledger keep of it.

        Returns:
            What it was.

        Raises:
            NotFoundError: no such answer in the scopes.
        """
        moment = self._now(now)
        gone = self._store.withdraw_answer(
            memory_id_of(answer_id), as_scopes(scope), now_ms=to_ms(moment)
        )
        return self._aged(gone, moment)

    def _keys(self, asked: Sequence[object]) -> dict[str, str]:
        """Folded question → as written, the first of those that fold alike."""
        keys: dict[str, str] = {}
        for each in asked:
            key = answer_key(self._analyzer.analyse(each)) if isinstance(each, str) else ""
            if not isinstance(each, str) or not key:
                raise TextError("a question must say something")
            keys.setdefault(key, clean_text(each))
        return keys

    def _aged(self, answer: Answer, moment: datetime) -> Answer:
        stale = is_stale(answer, to_ms(moment), days=self._config.answers.stale_days)
        return replace(answer, stale=stale)
