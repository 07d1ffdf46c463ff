"""How do facts become beliefs, and what can a person do about it? Verbs of reflection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final

from memweir.errors import InputError, StoreError, StoreReadOnly
from memweir.inputs import limit_of, memory_id_of
from memweir.learning.schedule import due, next_run
from memweir.learning.scheduler import ReflectionScheduler
from memweir.store.records import Record, Stored, from_ms, to_ms
from memweir.store.reflecting import Revision
from memweir.store.scopes import Scope, as_scopes
from memweir.store.seam import Learning

if TYPE_CHECKING:
    from memweir.config import Config
    from memweir.store.seam import Store

__all__ = ["BeliefView", "Reflecting", "Reflection"]

_STEPS: Final = 50  # of a transaction
_BELIEFS: Final = 1_000
_REWRITTEN: Final = "contradicted_by_new_evidence"


@dataclass(frozen=True, slots=True)
class Reflection:
    """What a reflection did.

    Attributes:
        period: the day that it was for, as YYYY-MM-DD; "" where none was due.
        done: it was carried out to its end.
        already: it had been before, and nothing was done now.
        resumed: it had been planned before and was not at its end.
        warnings: what went wrong beside it: lines of the mirror that are missing.
        counts: facts and beliefs looked at, "filtered" and by which rule, "grouped", and how many steps
            of each kind: "merge", "reinforce", "overwrite", "weaken", "archive"; "outdated" where what
            a step rests on had changed since.
    """

    period: str
    done: bool
    counts: Mapping[str, int]
    already: bool = False
    resumed: bool = False
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BeliefView:
    """A belief, what it rests on and how it came to say what it says.

    Attributes:
        strength: in (0, 1).
        evidence, against: ids of memories of the scopes.
        revisions: how it stood before, oldest first.
        rewritten: the last revision that changed its words was made by reflection, not by a person.
    """

    record: Record
    strength: float
    evidence: tuple[str, ...]
    against: tuple[str, ...]
    revisions: tuple[Revision, ...]
    rewritten: bool


class Reflecting:
    """Verbs of `memweir.memory.Memory`."""

    _store: Store
    _config: Config
    _clock: Callable[[], datetime]
    _records: bool
    _scheduler: ReflectionScheduler | None = None

    def _now(self, now: datetime | None) -> datetime:
        raise NotImplementedError

    def _wake(self) -> None:
        raise NotImplementedError

    def _mirror_beliefs(self, since: int, moment: datetime) -> tuple[str, ...]:
        raise NotImplementedError

    def edit(
        self,
        memory_id: str,
        *,
        scope: Scope | Iterable[Scope],
        now: datetime | None = None,
        **changes: Any,
    ) -> Stored:
        raise NotImplementedError

    # Reflecting

    def reflect(
        self,
        *,
        now: datetime | None = None,
        due_only: bool = False,
        again: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> Reflection:
        """Gather what says the same into beliefs, over the whole store; once a day.

        It is planned as a whole and carried out in small transactions. One that was stopped goes on
        where it was when this is called again, on whatever day, and ends as it would have.

        Args:
            now: its zone is that of the schedule.
            due_only: only where a day of the schedule has come that was not reflected on; a store
                that never reflected begins with the next day of the schedule.
            again: also where it was done for this day already.
            progress: told (done, of how many): facts while it is planned, then steps.

        Raises:
            MissingExtra: what groups facts is not installed; StoreError; ConfigError: a pattern of the
                settings is no regular expression.
        """
        moment, store = self._now(now), self._reflective()
        waiting = store.reflection(None)
        if waiting is not None:
            return self._carry_out(store, waiting.period, moment, resumed=True, progress=progress)
        day = self._due(store, moment) if due_only else moment.date()
        if day is None:
            return Reflection("", done=False, counts={})
        period = day.isoformat()
        before = store.reflection(period)
        if before is not None and not again:
            return Reflection(period, done=True, counts=before.report, already=True)
        if not self._plan(store, period, moment, progress, again=again):
            # Another process was quicker. What it planned may be carried out by anybody.
            waiting = store.reflection(None)
            if waiting is not None:
                return self._carry_out(store, waiting.period, moment, resumed=True, progress=progress)
            done = store.reflection(period)
            counts = {} if done is None else done.report
            return Reflection(period, done=True, counts=counts, already=True)
        return self._carry_out(store, period, moment, resumed=False, progress=progress)

    def next_reflection(self, *, now: datetime | None = None) -> datetime:
        """When the next reflection of the schedule is due: now where one was missed."""
        moment = self._now(now)
        if self._due(self._reflective(), moment) is not None:
            return moment
        return next_run(self._config.reflection.schedule(), moment)

    def start_reflecting(self) -> bool:
        """Reflect in the background when a day of the schedule has come, until the memory is closed.

        What was missed is made up for at once. Calling it twice is fine, and so are several processes.

        Returns:
            Whether it runs: not where `reflection.enabled` is off.

        Raises:
            StoreReadOnly: the store takes no writes; StoreError.
        """
        if not self._config.reflection.enabled:
            return False
        self._reflective()
        if not self._records:
            raise StoreReadOnly("a store that was opened read-only cannot reflect")
        if self._scheduler is None or not self._scheduler.running:
            self._scheduler = ReflectionScheduler(self, clock=self._clock)
        return True

    def _stop_reflecting(self) -> None:
        scheduler, self._scheduler = self._scheduler, None
        if scheduler is not None:
            scheduler.close()

    def _due(self, store: Learning, moment: datetime) -> date | None:
        period = store.last_reflection()
        last = None if period is None else date.fromisoformat(period)
        began = store.began_ms() if last is None else None
        if began is not None:  # one that never reflected: from the day of its first memory on
            last = from_ms(began).astimezone(moment.tzinfo).date()
        return due(self._config.reflection.schedule(), moment, last)

    def _plan(
        self,
        store: Learning,
        period: str,
        moment: datetime,
        progress: Callable[[int, int], None] | None,
        *,
        again: bool,
    ) -> bool:
        """Plan and keep it; False: another process did meanwhile."""
        from memweir.learning.reflection import ReflectionSettings, plan_scope

        config = self._config.reflection
        settings = ReflectionSettings(
            min_evidence=config.min_evidence,
            quality_gate=config.quality_gate,
            min_chars=config.min_chars,
            skip_patterns=config.patterns(),
        )
        counts: Counter[str] = Counter()
        steps: list[Mapping[str, Any]] = []
        for number, _ in store.scopes_to_reflect():
            facts, beliefs = store.reflectable(number, now_ms=to_ms(moment))
            told = _Told(progress, len(facts))
            plan = plan_scope(facts, beliefs, settings, progress=told)
            counts.update(plan.counts)
            steps += plan.steps
            steps += self._archived(store, number, plan.steps)
        counted = dict(sorted(counts.items()))
        return store.keep_plan(period, steps, counted, now_ms=to_ms(moment), again=again)

    def _archived(
        self, store: Learning, scope: int, merged: Sequence[Mapping[str, Any]]
    ) -> Iterator[Mapping[str, Any]]:
        """What is archived of a scope over its limit, once what says the same is one."""
        config = self._config.reflection
        if not config.limit:
            return
        gone = {each for step in merged for each in (*step["new"], *step["ended"])}
        begun = sum(1 for step in merged if step["action"] == "merge")
        for memory_id, row in store.least_used(
            scope, config.limit, config.archive_share, leaving=gone, coming=begun
        ):
            yield {"action": "archive", "id": memory_id, "rows": {memory_id: row}}

    def _carry_out(
        self,
        store: Learning,
        period: str,
        moment: datetime,
        *,
        resumed: bool,
        progress: Callable[[int, int], None] | None,
    ) -> Reflection:
        kept = store.reflection(period)
        if kept is None:
            raise StoreError(f"the reflection of {period} is not there any more")
        total, done = kept.left, 0
        warnings: list[str] = []
        try:
            while True:
                since = self._store.position()[1]
                made = store.carry_out(period, _STEPS, now_ms=kept.at_ms)
                warnings += self._mirror_beliefs(since, moment)
                done += made
                if made < _STEPS:
                    break
                if progress is not None:
                    progress(done, total)
        finally:
            self._wake()
        if progress is not None and total:
            progress(done, total)
        ended = store.reflection(period)
        counts = {} if ended is None else ended.report
        told = tuple(dict.fromkeys(warnings))
        return Reflection(period, done=True, counts=counts, resumed=resumed, warnings=told)

    # Beliefs

    def beliefs(self, *, scope: Scope | Iterable[Scope], limit: int = 100) -> list[BeliefView]:
        """The beliefs of the scopes that stand, strongest first."""
        scopes = as_scopes(scope)
        most = limit_of(limit, _BELIEFS)
        return [
            self.belief(each, scope=scopes)
            for each in self._reflective().list_beliefs(scopes, limit=most)
        ]

    def belief(self, memory_id: str, *, scope: Scope | Iterable[Scope]) -> BeliefView:
        """One belief of the scopes, in any status.

        Raises:
            NotFoundError: no such memory there; InputError: it is no belief.
        """
        scopes = as_scopes(scope)
        record = self._store.fetch(memory_id_of(memory_id), scopes)
        if record.layer != "belief":
            raise InputError(f"{record.id} is no belief; it is of the layer {record.layer}")
        evidence, revisions = self._reflective().belief_evidence(record.id, scopes)
        worded = [each for each in revisions if each.text]
        return BeliefView(
            record=record,
            strength=record.confidence,
            evidence=tuple(each for each, against in evidence if not against),
            against=tuple(each for each, against in evidence if against),
            revisions=tuple(revisions),
            rewritten=bool(worded) and worded[-1].reason.startswith(_REWRITTEN),
        )

    def edit_belief(
        self,
        memory_id: str,
        text: str,
        *,
        scope: Scope | Iterable[Scope],
        now: datetime | None = None,
    ) -> Stored:
        """Word a belief anew by a person's act; how it stood so far is kept as a revision.

        The same text changes nothing and leaves no revision.

        Raises:
            NotFoundError, InputError: see `belief`; the refusals of `edit`.
        """
        self.belief(memory_id, scope=scope)
        return self.edit(memory_id, scope=scope, now=now, text=text)

    def withdraw_belief(
        self, memory_id: str, *, scope: Scope | Iterable[Scope], now: datetime | None = None
    ) -> tuple[str, ...]:
        """Take a belief back by a person's act; the facts that it stood for hold again. Their ids.

        `erase` with its id removes it for good, with its history.

        Raises:
            NotFoundError: no such memory there; RefusedError: it is no belief, or another one has
                taken its place: take that one back.
        """
        store = self._reflective()
        moment = self._now(now)
        return store.withdraw_belief(memory_id_of(memory_id), as_scopes(scope), now_ms=to_ms(moment))

    def _reflective(self) -> Learning:
        if not isinstance(self._store, Learning):
            raise StoreError(f"{type(self._store).__name__} cannot reflect")
        return self._store


class _Told:
    """Passes on how many facts of how many were settled."""

    def __init__(self, progress: Callable[[int, int], None] | None, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def __call__(self, count: int) -> None:
        self._done += count
        if self._progress is not None:
            self._progress(self._done, self._total)
