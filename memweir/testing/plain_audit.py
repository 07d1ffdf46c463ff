"""What does the plain store keep of recalls and changes?"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from memweir.errors import NotFoundError
from memweir.store.audit import (
    DecisionRow,
    Happened,
    KeptRun,
    LedgerLine,
    Run,
    Trail,
    looked_back,
)
from memweir.store.history import History, tell
from memweir.store.identity import injection_address, injection_place, query_hash
from memweir.store.records import ELSEWHERE
from memweir.store.scopes import Scope
from memweir.testing.plain_annals import plain_annals
from memweir.testing.plain_answers import PlainAnswers
from memweir.testing.plain_rows import Row, State

__all__ = ["PlainAudit", "heard"]

_TRAIL_LIMIT: Final = 100
_DECISION_LIMIT: Final = 20


class PlainAudit(PlainAnswers):
    """The verbs of `memweir.store.seam.Store` that are about recalls and trails."""

    _keep_runs: int

    @abstractmethod
    def _owned(self, memory_id: str, scopes: Sequence[Scope] | None) -> Row:
        """A memory of the scopes. Raises: NotFoundError."""

    # Recalls

    def record_run(self, run: Run) -> int:
        with self._writing(counted=False) as state:
            state.last_run += 1
            terms = tuple(sorted(dict.fromkeys(run.terms)))
            state.runs.append(
                (state.last_run, replace(run, terms=terms, scopes=state.known(run.scopes)))
            )
            for row in map(state.named, run.injected):
                if row is not None and not looked_back(run.trace):
                    row.set(recall_count=row.record.recall_count + 1, last_recalled_at_ms=run.at_ms)
            answer = state.answers.get(run.answer_id or "")
            if answer is not None:
                state.answers[answer.id] = replace(answer, hits=answer.hits + 1)
            if run.settings[0]:
                state.settings.setdefault(*run.settings)
            state.runs = [each for each in state.runs if each[0] > state.last_run - self._keep_runs]
            return state.last_run

    def read_run(self, run_id: int) -> KeptRun:
        for number, run in self._state.runs:
            if number == run_id:
                return KeptRun(
                    id=number,
                    at_ms=run.at_ms,
                    query_hash=run.query_hash,
                    scopes=run.scopes,
                    mode=run.mode,
                    abstained=run.abstained,
                    decisions=tuple(sorted(_decided(run), key=lambda each: each.rank)),
                    injected=run.injected,
                    trace=run.trace,
                )
        raise NotFoundError("recall", str(run_id))

    def settings(self, fingerprint: str) -> str | None:
        return self._state.settings.get(fingerprint)

    def injection_id(self, run_id: int, position: int) -> str:
        self._state  # noqa: B018
        return injection_address(run_id, position, self._key)

    def injected(self, injection_id: str) -> tuple[str, int]:
        run_id, position = injection_place(injection_id)
        for number, run in self._state.runs:
            named = number == run_id and injection_id == self.injection_id(run_id, position)
            if named and position < len(run.injected):
                return run.injected[position], run_id
        raise NotFoundError("injection", injection_id)

    def hash_query(self, text: str) -> str:
        self._state  # noqa: B018
        return query_hash(text, self._key)

    def last_used(self, ids: Sequence[str], before_ms: int) -> dict[str, int]:
        runs = [run for _, run in self._state.runs if run.at_ms < before_ms]
        runs = [run for run in runs if not looked_back(run.trace)]
        used = {each: [run.at_ms for run in runs if each in run.injected] for each in ids}
        return {memory_id: max(moments) for memory_id, moments in used.items() if moments}

    # Trails

    def happened(self, scopes: Sequence[Scope], after: int, limit: int) -> tuple[list[Happened], int]:
        lines = enumerate(self._state.ledger, start=1)
        later = [(number, line) for number, line in lines if number > after]
        later = [each for each in later if each[1].action != "refused"][:limit]
        own = [
            Happened(
                id=number,
                at_ms=line.at_ms,
                action=line.action,
                memory_id=line.memory_id or "",
                rule=line.rule or "",
                detail=line.detail or "",
            )
            for number, line in later
            if line.scope in scopes or (line.scope is None and line.memory_id is None)
        ]
        return own, len(later) - len(own)

    def ledger(self, scopes: Sequence[Scope], *, after: int | None, limit: int) -> list[LedgerLine]:
        own = [
            LedgerLine(
                id=number,
                at_ms=line.at_ms,
                action=line.action,
                memory_id=line.memory_id or "",
                rule=line.rule or "",
                fingerprint=line.fingerprint or "",
            )
            for number, line in enumerate(self._state.ledger, start=1)
            if line.scope is not None and line.scope in scopes and number > (after or 0)
        ]
        return own[-limit:] if after is None else own[:limit]

    def trail(self, memory_id: str, scopes: Sequence[Scope]) -> Trail:
        row = self._owned(memory_id, scopes)
        state = self._state
        versions = state.wordings(memory_id)
        # Of its time elsewhere nothing is told.
        abroad = [each for each in versions if each.record.scope not in scopes]
        arrived = max((until or 0 for each in abroad for _, until in each.believed), default=0)
        decisions = [
            _decision_values(run_id, run, decision)
            for run_id, run in reversed(state.runs)
            for decision in _decided(run)
            if decision.memory_id == memory_id and run.at_ms >= arrived
        ]
        ledger = [
            line
            for line in reversed(state.ledger)
            if line.memory_id == memory_id and (line.scope is None or line.scope in scopes)
        ]
        told = [
            values
            for owner, values in reversed(state.consumption)
            if owner == memory_id and _moment(values) >= arrived
        ]
        here = [each for each in (*versions, row) if each.record.scope in scopes]
        evidence = sorted((each for row in here for each in row.evidence), key=lambda each: -each[0])

        def named(other: object) -> object:
            found = state.named(str(other))
            known = found is not None and found.record.scope in scopes
            return other if other is None or known else ELSEWHERE

        pieces = [dict(piece) for _, piece in evidence[:_TRAIL_LIMIT]]
        lines: list[dict[str, object]] = [
            {"at": line.at_ms, "action": line.action, "rule": line.rule, "detail": line.detail}
            for line in ledger[:_TRAIL_LIMIT]
        ]
        for piece in pieces:
            if piece["kind"] == "superseded":
                piece["source"] = named(piece["source"])
        for each in lines:
            if each["action"] == "superseded":
                each["detail"] = named(each["detail"])
        return Trail(
            evidence=tuple(pieces),
            ledger=tuple(lines),
            decisions=tuple(decisions[:_DECISION_LIMIT]),
            consumption=tuple(told[:_TRAIL_LIMIT]),
            relations=tuple(
                (state.names[source], predicate, state.names[target])
                for _, source, predicate, target in row.relations
            ),
        )

    def history(self, memory_id: str, scopes: Sequence[Scope]) -> History:
        return tell(plain_annals(self._state, memory_id, scopes))

    def position(self) -> tuple[int, int]:
        return self._state.changes, len(self._state.ledger)


def heard(state: State, memory_id: str, *, since_ms: int, runs: int) -> list[str]:
    """Terms of the last recalls since then that gave a memory to a prompt, the latest first."""
    given = sorted(_given(state, memory_id, since_ms), key=lambda each: (-each[1].at_ms, -each[0]))
    return list(dict.fromkeys(term for _, run in given[:runs] for term in run.terms))


def _given(state: State, memory_id: str, since_ms: int) -> Iterator[tuple[int, Run]]:
    for run_id, run in state.runs:
        if memory_id in run.injected and run.at_ms > since_ms and run.terms:
            yield run_id, run


def _moment(values: Mapping[str, object]) -> int:
    return int(str(values["at"]))


def _decided(run: Run) -> list[DecisionRow]:
    """One decision a memory: the last."""
    return list({each.memory_id: each for each in run.decisions}.values())


def _decision_values(run_id: int, run: Run, decision: DecisionRow) -> dict[str, object]:
    names = ("rank", "action", "reason", "score", "relevance", "freshness", "confidence", "risk")
    return (
        {"run_id": run_id, "at": run.at_ms}
        | {name: getattr(decision, name) for name in names}
        | {
            "paths": dict(sorted(decision.paths.items())),
            "injected": decision.memory_id in run.injected,
        }
    )
