"""What is answered without looking for it? Standing answers: told, verified, as they stood, gone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import apsw

from memweir.errors import NotFoundError, PersonalDataRefused, RefusedError
from memweir.store.database import decoded
from memweir.store.draft_gates import personal_in_answer
from memweir.store.gates import fingerprint
from memweir.store.identity import answer_address
from memweir.store.records import Answer
from memweir.store.rows import scope_id, scope_ids, stored_scope
from memweir.store.scopes import Scope
from memweir.store.statements import statements
from memweir.store.writes import Writer

__all__ = [
    "add_phrasings",
    "find_answer",
    "list_answers",
    "phrasing_taken",
    "put_answer",
    "read_answer",
    "refuse_personal",
    "verify_answer",
    "withdraw_answer",
]


def put_answer(
    writer: Writer, scope: Scope, text: str, phrasings: Mapping[str, str], *, personal: str = ""
) -> str:
    """Store a standing answer under its phrasings (folded key → as written); its id.

    Told again under its first phrasing it is renewed: what it said is kept as it stood until now.

    Args:
        personal: the rule by which it holds a person's data that a person approved.

    Raises:
        RefusedError: a phrasing belongs to another answer of the scope, which it names.
    """
    sql, connection = statements("answers"), writer.connection
    answer_id = answer_address(scope, next(iter(phrasings)))
    owner = scope_id(connection, scope)
    known = connection.execute(sql["state"], {"id": answer_id}).fetchone()
    values: dict[str, Any] = {"id": answer_id, "scope_id": owner, "text": text, "now": writer.now_ms}
    if known is None:
        connection.execute(sql["add"], values)
    else:
        _renew(writer, answer_id, text)
    _phrase(writer, owner, answer_id, phrasings)
    action = "answer-told" if known is None else "answer-renewed"
    writer.ledger(action, answer_id, scope_id=owner, rule=personal or None)
    return answer_id


def add_phrasings(
    writer: Writer, answer: Answer, phrasings: Mapping[str, str], *, personal: str = ""
) -> None:
    """Let an answer be found by further phrasings.

    Raises:
        RefusedError: a phrasing belongs to another answer of the scope.
    """
    owner = scope_id(writer.connection, answer.scope)
    _phrase(writer, owner, answer.id, phrasings)
    writer.ledger("answer-phrased", answer.id, scope_id=owner, rule=personal or None)


def verify_answer(writer: Writer, answer: Answer) -> None:
    """What an answer says was found to be true, now."""
    _renew(writer, answer.id, answer.text)
    owner = scope_id(writer.connection, answer.scope)
    writer.ledger("answer-verified", answer.id, scope_id=owner)


def withdraw_answer(writer: Writer, answer: Answer) -> None:
    """Delete an answer, its phrasings and what it said before."""
    writer.connection.execute(statements("answers")["withdraw"], {"id": answer.id})
    owner = scope_id(writer.connection, answer.scope)
    writer.ledger("answer-withdrawn", answer.id, scope_id=owner)


@decoded()
def _renew(writer: Writer, answer_id: str, text: str) -> None:
    """The same or another text, verified now; a clock that was put back shortens no earlier one."""
    sql, connection = statements("answers"), writer.connection
    said, verified_at, updated_at = connection.execute(sql["state"], {"id": answer_id}).fetchall()[0]
    since = max(writer.now_ms, int(updated_at or 0))
    revision: dict[str, Any] = {
        "id": answer_id,
        "until": since,
        "text": None if said == text else str(said),
        "verified_at": verified_at,
    }
    connection.execute(sql["revision_add"], revision)
    renewed: dict[str, Any] = {"id": answer_id, "text": text, "now": writer.now_ms, "since": since}
    connection.execute(sql["renew"], renewed)


def _phrase(writer: Writer, owner: int, answer_id: str, phrasings: Mapping[str, str]) -> None:
    sql, connection = statements("answers"), writer.connection
    for key in phrasings:
        other = connection.execute(sql["phrasing_owner"], {"scope_id": owner, "key": key}).get
        if other is not None and other != answer_id:
            raise phrasing_taken(str(other))
    for key, written in phrasings.items():
        values: dict[str, Any] = {
            "answer_id": answer_id,
            "scope_id": owner,
            "key": key,
            "text": written,
            "now": writer.now_ms,
        }
        connection.execute(sql["phrasing_upsert"], values)


def phrasing_taken(answer_id: str) -> RefusedError:
    """No answer takes over the phrasing of another: which of the two holds is a person's decision."""
    return RefusedError(
        f"a phrasing belongs to {answer_id} already; renew that answer under its own question, "
        "withdraw it, or leave the phrasing out"
    )


def refuse_personal(
    text: str, phrasings: Iterable[str], known: Answer | None, *, approved: bool, key: bytes
) -> str:
    """The rule by which an answer holds a person's data that a person approved, "" without any.

    Args:
        known: the answer as it stands: what repeats it adds nothing.
        approved: a person has approved it.
        key: of the fingerprint.

    Raises:
        PersonalDataRefused: nobody has approved it.
    """
    said = () if known is None else (known.text, *known.phrasings)
    found = personal_in_answer(text, phrasings, known=said)
    if found is None:
        return ""
    rule, field, value = found
    if not approved:
        raise PersonalDataRefused(rule, field, fingerprint(value, key=key))
    return rule


@decoded()
def find_answer(
    connection: apsw.Connection, scopes: Sequence[Scope], key: str, *, at_ms: int | None = None
) -> Answer | None:
    """The standing answer of a folded phrasing in the scopes.

    Args:
        at_ms: as it stood at this moment: what was told later has not been told. None: now.
    """
    values: dict[str, Any] = {"key": key, "at": at_ms}
    found = _answers(connection, "find", scopes, values, at_ms)
    return found[0] if found else None


@decoded()
def list_answers(connection: apsw.Connection, scopes: Sequence[Scope], *, limit: int) -> list[Answer]:
    """The answers of the scopes; whose verification lies furthest back comes first."""
    return _answers(connection, "listed", scopes, {"id": None, "limit": limit}, None)


@decoded()
def read_answer(connection: apsw.Connection, answer_id: str, scopes: Sequence[Scope]) -> Answer:
    """One answer of the scopes.

    Raises:
        NotFoundError: no such answer there; other scopes' answers are reported the same way.
    """
    found = _answers(connection, "listed", scopes, {"id": answer_id, "limit": 1}, None)
    if not found:
        raise NotFoundError("answer", answer_id)
    return found[0]


def _answers(
    connection: apsw.Connection,
    name: str,
    scopes: Sequence[Scope],
    values: Mapping[str, Any],
    at_ms: int | None,
) -> list[Answer]:
    sql = statements("answers")
    given = {**values, "scopes": json.dumps(scope_ids(connection, scopes))}
    found = []
    for row in connection.execute(sql[name], given).fetchall():
        phrased: dict[str, Any] = {"id": row[0], "at": at_ms}
        phrasings = [
            (str(key), str(text)) for key, text in connection.execute(sql["phrasings_of"], phrased)
        ]
        scope = stored_scope(row[1], row[2])
        answer_id = str(row[0])
        questions = [text for key, text in phrasings if answer_address(scope, key) == answer_id]
        found.append(
            Answer(
                id=answer_id,
                scope=scope,
                text=str(row[3]),
                phrasings=tuple(text for _, text in phrasings),
                hits=int(row[4] or 0),
                verified_at_ms=int(row[5] or 0),
                created_at_ms=int(row[6] or 0),
                question=questions[0] if questions else "",
                earlier=int(row[7] or 0),
            )
        )
    return found
