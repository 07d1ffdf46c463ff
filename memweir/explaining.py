"""Why did, or didn't, a memory come up? Looking at one memory, and at a recall of the past."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from memweir.errors import InputError, NotFoundError
from memweir.inputs import MOST_CANDIDATES, limit_of, memory_id_of, run_number_of
from memweir.results import Explanation, Recall, RecallItem
from memweir.runs import RunExplanation, read_run
from memweir.store.audit import LedgerLine
from memweir.store.history import History
from memweir.store.records import Record, Review, from_ms, to_ms
from memweir.store.scopes import Scope, as_scopes

if TYPE_CHECKING:
    from memweir.store.seam import Store

__all__ = ["Explained"]

_LINES = 100  # of the ledger, where no limit is given


class Explained:
    """Verbs of `memweir.memory.Memory`."""

    _store: Store

    def _now(self, now: datetime | None, name: str = "now") -> datetime:
        raise NotImplementedError

    def _asked(self, text: str, options: Mapping[str, Any]) -> Recall:
        raise NotImplementedError

    def explain(
        self,
        memory_id: str,
        *,
        scope: Scope | Iterable[Scope],
        query: str | None = None,
        now: datetime | None = None,
        **options: Any,
    ) -> Explanation:
        """Why did, or didn't, a memory come up? Its trail, and how it fares for `query`.

        Args:
            query: recalled as a turn would, with the same limit and budget.
            options: of `recall`: context, as_of, known_at, include_history, scene, domain, tags, …
        """
        scopes = as_scopes(scope)
        record = self._store.fetch(memory_id_of(memory_id), scopes)
        trail = self._store.trail(memory_id, scopes)
        item: RecallItem | None = None
        verdict = f"{_standing(record)}; ask with a query to see how it ranks"
        if query is not None:
            moment = self._now(now)
            asked: dict[str, Any] = {"scope": scopes, "now": moment, "record": False} | options
            result = self._asked(query, asked)
            item = next((each for each in result.candidates if each.id == memory_id), None)
            verdict = _verdict(record, item, result, moment)
            when = _out_of_its_time(record, trail.ledger, moment, asked, self._now)
            if item is None and when:
                verdict = when
            elif item is None and _is_candidate(record, moment):
                wider = self._asked(query, asked | {"limit": MOST_CANDIDATES})
                verdict = _missed(memory_id, result, wider)
        return Explanation(
            record=record,
            evidence=trail.evidence,
            ledger=trail.ledger,
            decisions=trail.decisions,
            consumption=trail.consumption,
            relations=trail.relations,
            item=item,
            verdict=verdict,
        )

    def history(self, memory_id: str, *, scope: Scope | Iterable[Scope]) -> History:
        """What became of a memory, of what it replaced and of what replaced it.

        Of a memory that the scopes do not cover nothing is told but that it is in another scope.

        Raises:
            NotFoundError: no such memory there.
        """
        return self._store.history(memory_id_of(memory_id), as_scopes(scope))

    def ledger(
        self, *, scope: Scope | Iterable[Scope], limit: int | None = None, after: int | None = None
    ) -> list[LedgerLine]:
        """What was done in the scopes, and what was refused there, oldest first.

        What the gates refused is told by rule and fingerprint, nothing of its text. Of other scopes,
        and of what concerns the store as a whole, nothing is told.

        Args:
            limit: lines at most, by default 100.
            after: the id of a line: what came after it; None: the last lines.
        """
        if after is not None and (isinstance(after, bool) or not isinstance(after, int)):
            raise InputError(f"after is the number of a line, got {after!r}")
        limit = limit_of(limit, _LINES)
        bounded = None if after is None else min(max(after, 0), 2**62)
        return self._store.ledger(as_scopes(scope), after=bounded, limit=limit)

    def review(
        self, review_id: str, *, scope: Scope | Iterable[Scope], now: datetime | None = None
    ) -> Review:
        """One question, open or closed. An older side that is in another scope by now is left out.

        Raises:
            NotFoundError: no such question there.
        """
        named, scopes = memory_id_of(review_id), as_scopes(scope)
        found = self._store.review(named, scopes, now_ms=to_ms(self._now(now)))
        if found.memory.scope not in scopes:
            raise NotFoundError("review", named)
        return replace(found, against=tuple(each for each in found.against if each.scope in scopes))

    def explain_run(self, run_id: int | str, *, scope: Scope | Iterable[Scope]) -> RunExplanation:
        """A recall of the past as it was: candidates, ranks, scores, decisions and what was left out.

        Args:
            run_id: `Recall.run_id`, or its name: 12 or "run:12".
            scope: must cover every scope that the recall asked.

        Raises:
            NotFoundError: the audit has no such recall, keeps it no more, or it asked other scopes.
        """
        number = run_number_of(run_id)
        scopes = as_scopes(scope)
        if not 0 < number < 2**63:
            raise NotFoundError("recall", str(run_id))
        found = read_run(self._store, self._store.read_run(number))
        if not set(found.scopes) <= set(scopes):
            raise NotFoundError("recall", str(run_id))
        return found


def _standing(record: Record) -> str:
    """Whether a memory can come up at all."""
    if record.status == "active" and record.superseded_by is not None:
        return f"superseded by {record.superseded_by}"
    return record.status


def _is_candidate(record: Record, now: datetime) -> bool:
    ended = record.invalid_at_ms is not None and from_ms(record.invalid_at_ms) <= now.astimezone(UTC)
    return record.status == "active" and not ended


def _out_of_its_time(
    record: Record,
    ledger: Iterable[Mapping[str, object]],
    now: datetime,
    asked: Mapping[str, Any],
    moment_of: Callable[[datetime | None, str], datetime],
) -> str:
    """Why no recall about the moments asked can bring a memory up; "" where they allow it.

    Args:
        ledger: what happened to it, newest first.
    """
    known = _asked_ms(asked, "known_at", moment_of)
    as_of = _asked_ms(asked, "as_of", moment_of)
    told = [int(str(line["at"])) for line in ledger if line["action"] == "created"]
    if known is not None and told and known < told[-1]:
        return f"not a candidate: the store was not told of it before {_iso(told[-1])} (known_at)"
    if asked.get("include_history"):
        return ""
    at_ms = as_of if as_of is not None else to_ms(now) if known is None else min(known, to_ms(now))
    name = "as_of" if as_of is not None else "known_at" if known is not None else "now"
    if at_ms < record.valid_at_ms:
        return f"not a candidate: it holds only since {_iso(record.valid_at_ms)} ({name} is before)"
    ended = record.invalid_at_ms
    if name == "as_of" and known is None and ended is not None and ended <= at_ms:
        return f"not a candidate: it held until {_iso(ended)} ({name} is not before)"
    return ""


def _asked_ms(
    asked: Mapping[str, Any], name: str, moment_of: Callable[[datetime | None, str], datetime]
) -> int | None:
    value = asked.get(name)
    return None if value is None else to_ms(moment_of(value, name))


def _iso(milliseconds: int) -> str:
    return from_ms(milliseconds).isoformat(timespec="seconds").replace("+00:00", "Z")


def _verdict(record: Record, item: RecallItem | None, result: Recall, now: datetime) -> str:
    if item is None:
        if record.status == "quarantined":
            return "not a candidate: it waits for a person's decision, see reviews"
        if record.status != "active":
            return f"not a candidate: it is {record.status}"
        return f"not a candidate: superseded by {record.superseded_by or 'a later memory'}"
    if item.injected:
        return f"injected as {item.action} ({item.reason})"
    dropped = next((each.reason for each in result.dropped if each.id == item.id), "")
    if dropped:
        return f"passed the gate as {item.action} but was left out: {dropped}"
    return f"gate: {item.action} ({item.reason})"


def _missed(memory_id: str, result: Recall, wider: Recall) -> str:
    """Why a memory that could come up is not among the candidates."""
    for each in (result, wider):
        rankings = (each.rankings or {}).items()
        ranks = {
            name: place + 1
            for name, ranking in rankings
            for place, hit in enumerate(ranking.hits)
            if hit.id == memory_id
        }
        if ranks:
            found = ", ".join(f"{name} {rank}" for name, rank in ranks.items())
            return f"found, but too many others matched better ({found})"
    blocked = result.blocked
    if blocked.task or blocked.scene or blocked.domain:
        kept = (("task", blocked.task), ("scene", blocked.scene), ("domain", blocked.domain))
        named = ", ".join(f"{name} {count}" for name, count in kept if count)
        return f"no path found it; what the turn is not about was kept out before ranking ({named})"
    return f"no path found it among its candidates ({result.abstained or 'others were closer'})"
