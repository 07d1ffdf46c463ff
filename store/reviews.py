"""Which questions wait for a person, and what does an answer do? One transaction, or nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Final

import apsw

from memweir.errors import InputError, NotFoundError, ReviewStale
from memweir.store.database import decoded
from memweir.store.entry import Indexer
from memweir.store.policy import window_of
from memweir.store.questions import key_rivals
from memweir.store.records import Record, Review
from memweir.store.rows import fetch_record, scope_id, scope_ids, stored_scope
from memweir.store.scopes import Scope
from memweir.store.statements import statements
from memweir.store.writes import Writer

__all__ = [
    "DECISIONS",
    "PRECEDE",
    "contested",
    "decide",
    "fitting_decisions",
    "open_reviews",
    "read_review",
    "replacing",
    "review_token",
    "reviews_of",
    "successor",
]

DECISIONS: Final = {
    "personal-data": ("approve", "reject"),
    "key": ("replace", "coexist", "reject"),
    "contradiction": ("replace", "coexist", "reject", "dismiss"),
    "update": ("replace", "coexist", "reject", "dismiss"),
}
"""Kind of question → the answers that fit.

`approve`: recall it; of a key where nobody holds it any more. `replace`: the older sides are archived,
and held until the newer began; of one that begins to hold later they are superseded.
`coexist`: they stand side by side, shown together or not at all. `reject`: the newer side is archived.
`dismiss`: they do not meet at all, and both stand.

Where the newer side begins before every older one, as what is told late or what a tool said before a
person does, `PRECEDE` fits too: it held until the earliest of them began, or a value of its key that is
over by now.
"""

PRECEDE: Final = "precede"

_FOREVER: Final = 2**62


def open_reviews(
    connection: apsw.Connection, indexer: Indexer, scopes: Sequence[Scope], *, now_ms: int, limit: int
) -> list[Review]:
    """The open questions of the scopes, oldest first."""
    values = {"scopes": json.dumps(scope_ids(connection, scopes)), "limit": limit}
    rows = connection.execute(statements("reviews")["open_in"], values).fetchall()
    found = (
        read_review(connection, indexer, str(row[0]), scopes, now_ms=now_ms, check=False)
        for row in rows
    )
    return list(found)


@decoded()
def reviews_of(
    connection: apsw.Connection, indexer: Indexer, memory_id: str, *, now_ms: int
) -> list[Review]:
    """Every question a memory was a side of, oldest first."""
    rows = connection.execute(statements("reviews")["of_memory"], {"id": memory_id}).fetchall()
    found = [read_review(connection, indexer, str(row[0]), None, now_ms=now_ms) for row in rows]
    return sorted(found, key=lambda each: (each.opened_at_ms, each.id))


@decoded()
def read_review(
    connection: apsw.Connection,
    indexer: Indexer,
    review_id: str,
    scopes: Sequence[Scope] | None,
    *,
    now_ms: int,
    check: bool = True,
) -> Review:
    """One question as it stands.

    Args:
        scopes: that the caller may see; None: any.

    Raises:
        NotFoundError: no such question there.
    """
    row = connection.execute(statements("reviews")["get"], {"id": review_id}).fetchone()
    if row is None:
        raise NotFoundError("review", review_id)
    memory_id, kind = str(row[1]), str(row[4])
    memory = fetch_record(connection, memory_id)
    # Decided questions stay where they were asked; what moved on since is seen where it is.
    asked_in = (stored_scope(row[2], row[3]), memory.scope if memory is not None else None)
    if memory is None or (check and scopes is not None and not set(asked_in) <= set(scopes)):
        raise NotFoundError("review", review_id)
    closed = row[8]
    supersedes = None if row[6] is None else str(row[6])
    against = _against(connection, indexer, review_id, memory, kind, supersedes, closed, now_ms)
    against = tuple(each for each in against if scopes is None or each.scope in scopes)
    return Review(
        id=review_id,
        kind=kind,
        rule=str(row[5] or ""),
        memory=memory,
        against=against,
        decisions=fitting_decisions(kind, memory, against) if closed is None else (),
        token=review_token(review_id, memory, against, supersedes) if closed is None else "",
        opened_at_ms=int(row[7] or 0),
        closed_at_ms=None if closed is None else int(closed),
        decision=str(row[9] or ""),
    )


def _against(
    connection: apsw.Connection,
    indexer: Indexer,
    review_id: str,
    memory: Record,
    kind: str,
    supersedes: str | None,
    closed: object,
    now_ms: int,
) -> tuple[Record, ...]:
    """The older sides; while a question about a key is open, whoever holds the key by now."""
    if kind == "key" and closed is None and memory.semantic_key:
        owner, key = scope_id(connection, memory.scope), indexer.fold(memory.semantic_key)
        rivals = key_rivals(connection, memory.id, owner, key, window_of(memory), now_ms=now_ms)
        return tuple(each for each in rivals if each.id != supersedes)
    rows = connection.execute(statements("reviews")["sides"], {"id": review_id}).fetchall()
    records = (fetch_record(connection, str(row[0])) for row in rows)
    return tuple(each for each in records if each is not None)


def fitting_decisions(kind: str, memory: Record, against: Sequence[Record]) -> tuple[str, ...]:
    """The answers that fit an open question; one about a key that nobody holds any more needs a yes."""
    if kind == "key" and not against:
        return ("approve", "reject")
    if "replace" not in DECISIONS[kind] or successor(memory, against) is None:
        return DECISIONS[kind]
    first, *others = DECISIONS[kind]
    return (first, PRECEDE, *others)


def successor(memory: Record, against: Sequence[Record]) -> Record | None:
    """The side that begins first after the newer one; None where one begins with it or before."""
    first = min(against, key=lambda each: (each.valid_at_ms, each.id), default=None)
    return first if first is not None and memory.valid_at_ms < first.valid_at_ms else None


def review_token(
    review_id: str, memory: Record, against: Sequence[Record], supersedes: str | None
) -> str:
    """Stands for both sides as they are: another text, key, scope or status is another token."""
    sides = [
        (
            *(each.id, each.text, each.title, each.semantic_key, str(each.scope), each.status),
            *(each.provenance, each.speaker, each.invalid_at_ms, each.superseded_by, each.coexistence),
            *(each.tags, each.raw_quote, each.valid_at_ms),
        )
        for each in (memory, *sorted(against, key=lambda each: each.id))
    ]
    canonical = json.dumps([review_id, supersedes, sides], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def decide(writer: Writer, review: Review, decision: str, token: str) -> None:
    """Answer a question, all of it in the transaction of the writer.

    Raises:
        InputError: the decision does not fit the question.
        ReviewStale: the question is closed, or one of its sides changed since the token was given.
    """
    if review.closed_at_ms is not None or token != review.token:
        writer.note_verdict("review-refused", review.memory.id, rule="review-stale", detail=review.id)
        if review.closed_at_ms is None:
            raise ReviewStale(
                review.id, "is not what this token stands for: it changed, or the token is another's"
            )
        withdrawn = review.decision == "withdrawn"
        closed = "became void" if withdrawn else f"was decided already: {review.decision}"
        raise ReviewStale(review.id, closed, "nothing is left to decide")
    if decision not in review.decisions:
        raise InputError(
            f"{decision!r} does not answer this question; use one of {', '.join(review.decisions)}"
        )
    if review.kind == "key":
        writer.questions.settle(review.id, [each.id for each in review.against])
    writer.questions.close(review.id, decision)
    if decision == "approve":
        _let_in(writer, review, check=True)
    elif decision == "reject":
        writer.archive(review.memory)
    elif decision == "replace":
        since = review.memory.valid_at_ms
        for each in review.against:
            until = max(since, each.valid_at_ms)
            if since > writer.now_ms:  # until the newer begins to hold, the older does
                writer.supersede(each, review.memory.id, since=until)
            else:
                writer.end(each, since=until)
        _let_in(writer, review, check=False)
    elif decision == PRECEDE:
        # A value of the key that is over may have begun before those that stand.
        over = writer.questions.held_after(review.memory) if review.kind == "key" else None
        after = successor(review.memory, [*review.against, *([over] if over else [])])
        assert after is not None  # else it would not fit
        writer.precede(review.memory, after, supersedes=_predecessor(writer, review, review.memory))
    elif decision == "coexist":
        current = [review.memory, *(each for each in review.against if each.status == "active")]
        writer.questions.join(current)
        _let_in(writer, review, check=False)


def _let_in(writer: Writer, review: Review, *, check: bool) -> None:
    """Let the newer side in, or have the next question asked that it raises.

    Args:
        check: what it meets has not been looked at yet.
    """
    memory = fetch_record(writer.connection, review.memory.id)
    if memory is None or memory.status != "quarantined":
        return
    predecessor = _predecessor(writer, review, memory)
    if check and writer.hold_again(memory, predecessor):
        return
    writer.admit(memory, predecessor)


def _predecessor(writer: Writer, review: Review, memory: Record) -> Record | None:
    """What the newer side supersedes once it is let in, where that still stands."""
    supersedes = writer.questions.intended(review.id) or memory.supersedes
    found = fetch_record(writer.connection, supersedes) if supersedes else None
    stands = found is not None and found.status == "active" and not found.superseded_by
    return found if stands else None


@decoded()
def contested(
    connection: apsw.Connection, ids: Sequence[str], *, known_ms: int | None
) -> dict[str, str]:
    """Memory → the newer one that an open question says may have replaced it.

    Args:
        known_ms: questions that were open at this moment; None: that are open now.
    """
    known = _FOREVER if known_ms is None else known_ms
    values: dict[str, Any] = {"ids": json.dumps(list(ids)), "known": known}
    rows = connection.execute(statements("reviews")["contested"], values)
    return {str(row[0]): str(row[1]) for row in rows}


@decoded()
def replacing(
    connection: apsw.Connection, ids: Sequence[str], *, known_ms: int | None
) -> dict[str, str]:
    """Memory → the one that took its place by a person's decision, the last of several.

    Args:
        known_ms: decisions up to this moment; None: all.
    """
    known = _FOREVER if known_ms is None else known_ms
    values: dict[str, Any] = {"ids": json.dumps(list(ids)), "known": known}
    rows = connection.execute(statements("reviews")["replacing"], values)
    return {str(row[0]): str(row[1]) for row in rows}
