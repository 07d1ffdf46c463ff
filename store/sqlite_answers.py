"""How does the store on SQLite keep standing answers? Told, verified, listed, withdrawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import apsw

from memweir.errors import InputError, NotFoundError
from memweir.store import answers
from memweir.store.draft_gates import check_answer
from memweir.store.identity import answer_address
from memweir.store.policy import WritePolicy
from memweir.store.records import Answer
from memweir.store.scopes import Scope
from memweir.store.sqlite_parts import SqlitePart

__all__ = ["SqliteAnswers"]


class SqliteAnswers(SqlitePart):
    """Verbs of `memweir.store.sqlite.SqliteStore` about standing answers."""

    _policy: WritePolicy

    def put_answer(
        self,
        scope: Scope,
        text: str,
        phrasings: Mapping[str, str],
        *,
        now_ms: int,
        approve_personal: bool = False,
    ) -> Answer:
        """Store a standing answer under its phrasings (folded key → as written), or renew it.

        What it said until now is kept. It is found at once, so a person's data in it is refused unless
        a person has approved it.

        Raises:
            RefusedError: a phrasing belongs to another answer of the scope; the gates' refusals.
        """
        self._check_writable()
        if not phrasings:
            raise InputError("a standing answer needs a phrasing by which it is found")
        answer_id = answer_address(scope, next(iter(phrasings)))
        with self._gated(now_ms, scope):
            check_answer(scope, text, phrasings.values(), key=self._key)
            with self._writer(now_ms) as writer:
                known = self._known(writer.connection, answer_id, scope)
                personal = self._personal(text, phrasings, known, approved=approve_personal)
                answers.put_answer(writer, scope, text, phrasings, personal=personal)
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
        """Let a standing answer of the scopes be found by further phrasings.

        Raises:
            NotFoundError; RefusedError: a phrasing belongs to another answer of the scope; the gates'
                refusals.
        """
        self._check_writable()
        if not phrasings:
            raise InputError("no phrasing is given")
        before = self.answer(answer_id, scopes)
        with self._gated(now_ms, before.scope):
            check_answer(before.scope, before.text, phrasings.values(), key=self._key)
            with self._writer(now_ms) as writer:
                known = answers.read_answer(writer.connection, answer_id, scopes)
                if known.text != before.text:  # renewed meanwhile: looked at once more
                    check_answer(known.scope, known.text, phrasings.values(), key=self._key)
                personal = self._personal(known.text, phrasings, known, approved=approve_personal)
                answers.add_phrasings(writer, known, phrasings, personal=personal)
        return self.answer(answer_id, scopes)

    def find_answer(
        self, scopes: Sequence[Scope], key: str, *, at_ms: int | None = None
    ) -> Answer | None:
        """The standing answer of a folded phrasing, as it stood at a moment; None: as it stands."""
        with self._reading() as connection:
            return answers.find_answer(connection, scopes, key, at_ms=at_ms)

    def answers(self, scopes: Sequence[Scope], *, limit: int) -> list[Answer]:
        """The standing answers of the scopes; whose verification lies furthest back comes first."""
        with self._reading() as connection:
            return answers.list_answers(connection, scopes, limit=limit)

    def answer(self, answer_id: str, scopes: Sequence[Scope]) -> Answer:
        """One of them. Raises: NotFoundError: no such answer there."""
        with self._reading() as connection:
            return answers.read_answer(connection, answer_id, scopes)

    def verify_answer(self, answer_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Answer:
        """A person found a standing answer of the scopes to be true, now. Raises: NotFoundError."""
        with self._writer(now_ms) as writer:
            answer = answers.read_answer(writer.connection, answer_id, scopes)
            answers.verify_answer(writer, answer)
        return self.answer(answer_id, scopes)

    def withdraw_answer(self, answer_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Answer:
        """Delete a standing answer of the scopes, by a person's act; what it was.

        Raises:
            NotFoundError: no such answer there.
        """
        with self._writer(now_ms) as writer:
            answer = answers.read_answer(writer.connection, answer_id, scopes)
            answers.withdraw_answer(writer, answer)
        return answer

    def _known(self, connection: apsw.Connection, answer_id: str, scope: Scope) -> Answer | None:
        try:
            return answers.read_answer(connection, answer_id, (scope,))
        except NotFoundError:
            return None

    def _personal(
        self, text: str, phrasings: Mapping[str, str], known: Answer | None, *, approved: bool
    ) -> str:
        if not self._policy.quarantine_personal_data:
            return ""
        return answers.refuse_personal(
            text, phrasings.values(), known, approved=approved, key=self._key
        )
