"""Why did, or didn't, a memory come up? Looking at one memory, and at a recall of the past."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from memweir.errors import InputError, NotFoundError
from memweir.inputs import MOST_CANDIDATES, memory_id_of
from memweir.recording import kept_label
from memweir.results import Explanation, Recall, RecallItem
from memweir.runs import RunExplanation, read_run
from memweir.store.history import History
from memweir.store.records import Record, Review, from_ms, to_ms
from memweir.store.scopes import Scope, as_scopes

if TYPE_CHECKING:
    from memweir.store.seam import Store

__all__ = ["Explained"]

_ASKED_WITH: Final = frozenset(
    (
        *("context", "as_of", "known_at", "include_history", "scene", "domain", "tags"),
        *("route", "limit", "budget", "mode"),
    )
)
"""Options of a recall that a memory can be explained with."""


class Explained:
    """Verbs of `memweir.memory.Memory`."""

    _store: Store

    def _now(self, now: datetime | None) -> datetime:
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
        unknown = sorted(set(options) - _ASKED_WITH)
        if unknown:
            raise InputError(f"explain has no option {', '.join(unknown)}")
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
            if item is None and _is_candidate(record, moment):
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

    def explain_run(self, run_id: int, *, scope: Scope | Iterable[Scope]) -> RunExplanation:
        """A recall of the past as it was: candidates, ranks, scores, decisions and what was left out.

        Args:
            run_id: `Recall.run_id`.
            scope: must cover every scope that the recall asked.

        Raises:
            NotFoundError: the audit has no such recall, keeps it no more, or it asked other scopes.
        """
        if isinstance(run_id, bool) or not isinstance(run_id, int):
            raise InputError(f"a recall is named by its number, got {run_id!r}")
        scopes = as_scopes(scope)
        if not 0 < run_id < 2**63:
            raise NotFoundError("recall", str(run_id))
        found = read_run(self._store, self._store.read_run(run_id))
        kept = {Scope(each.kind, kept_label(self._store, each.key)) for each in scopes}
        if not set(found.scopes) <= kept:
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
