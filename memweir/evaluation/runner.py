"""What does recall answer to every question of a set?

A set is loaded into a fresh store in a temporary folder and every question is asked in its own scope,
without an audit. Time is part of the set and never the machine's:

- A question is asked at its `as_of`; one without, on the day after the set's newest memory.
- A memory without a date is taken as told on the day before the set's first question, or at
  `datasets.UNDATED` where no question has a date.
- Where questions carry `as_of_seq` the store grows: scope by scope, memories are written in the order
  of `seq`, and each question is asked when exactly those of a smaller `seq` exist.
- What was written before a question is seen by it, whatever its date: the question is asked now, with
  `now` as the set has it, and not as of another instant.

Off-topic questions come after them, in the scope of the first question, at the time of its scope's
latest; controls come last, in a few of the set's scopes in turn.

In a pooled run every question is asked across all scopes of the set. Where those are more than one call
takes, every memory is written into one scope instead. A growing store grows in all scopes at once then:
a question sees of every scope what has a smaller `seq`.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Protocol

from memweir.errors import MemweirError
from memweir.evaluation.controls import SCOPE_SAMPLE, Control, ControlRun, sample
from memweir.evaluation.datasets import UNDATED, DataSet, MemoryLine, Question
from memweir.evaluation.offtopic import OFF_TOPIC
from memweir.results import Recall
from memweir.retrieval.types import PATHS
from memweir.store.records import Draft, Stored
from memweir.store.scopes import Scope

__all__ = [
    "CANDIDATES",
    "Asked",
    "Engine",
    "OpenEngine",
    "Progress",
    "SetRun",
    "as_asked",
    "run_set",
]

CANDIDATES: Final = 100
"""Candidates every path is asked for."""

_BATCH: Final = 500  # memories a transaction
_MOST_SCOPES: Final = 256  # of one recall
_POOL: Final = "pooled"  # the one scope of a set that has more


class Engine(Protocol):
    """What of `Memory` an evaluation needs."""

    def remember_many(
        self, drafts: Iterable[Draft], *, now: datetime | None = None
    ) -> Sequence[Stored | MemweirError]: ...

    def recall(
        self,
        text: str,
        *,
        scope: Scope | Iterable[Scope],
        now: datetime | None = None,
        context: Sequence[str] = (),
        limit: int = 50,
        record: bool = True,
    ) -> Recall: ...


OpenEngine = Callable[[Path, datetime], AbstractContextManager[Engine]]
"""Opens a store in a file that does not exist yet, with the moment its clock is to show."""

Progress = Callable[[int, int], None]
"""Told (steps done, steps in all)."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question and what recall answered, in the set's own ids.

    Attributes:
        ranked: (id, score) of every candidate, fused and reranked, best first, before the gate.
        relevance: the greatest absolute relevance among the candidates, 0 without any.
        paths: path → ids as it ranked them, best first; a path that found nothing is there, empty.
        block: ids injected, in their order; `used`: those of them injected as "use".
        injected: something was put before the turn.
        abstained: why nothing was injected, "" where something was.
        latency_ms: of the call.
        relevances: absolute relevance of each of `ranked`; empty where it is not known.
    """

    question: Question
    ranked: tuple[tuple[str, float], ...]
    relevance: float
    paths: Mapping[str, tuple[str, ...]]
    block: tuple[str, ...]
    used: tuple[str, ...]
    injected: bool
    abstained: str
    latency_ms: float
    relevances: tuple[float, ...] = ()

    @property
    def best_score(self) -> float:
        """The greatest score of the ranked list, 0 where it is empty."""
        return max((score for _, score in self.ranked), default=0.0)


@dataclass(frozen=True, slots=True)
class SetRun:
    """A set under one configuration.

    Attributes:
        memories: lines of the set.
        refused: (id, reason) of memories that a write gate kept out: no question finds them.
        unknown: relevant ids that the set does not hold; they count as never found.
        asked: in the order of the set.
        offtopic: for each off-topic question whether anything was injected.
        controls: the same for the texts of each control.
        pooled: every question was asked across all scopes.
        within: of a store, those of `memories` that are active in a scope that a question asks.
    """

    name: str
    config: str
    memories: int
    refused: tuple[tuple[str, str], ...]
    unknown: tuple[str, ...]
    asked: tuple[Asked, ...]
    offtopic: tuple[bool, ...]
    controls: tuple[ControlRun, ...] = ()
    pooled: bool = False
    within: int | None = None


def run_set(
    dataset: DataSet,
    open_engine: OpenEngine,
    *,
    config: str = "default",
    limit: int | None = None,
    only: Collection[str] | None = None,
    controls: Sequence[Control] = (),
    pooled: bool = False,
    progress: Progress | None = None,
) -> SetRun:
    """Load a set, ask its questions.

    Args:
        config: the configuration's name, for the report.
        limit: ask the first so many questions only; all memories are loaded all the same.
        only: ids of the questions to ask, of those; None: all.
        controls: what else to ask.
        pooled: ask every question across all scopes.
        progress: one step is a memory written or a question answered.

    Raises:
        DataSetError: the set cannot be read.
        MemweirError: what `recall` raises.
    """
    memories, questions = list(dataset.memories()), list(dataset.questions())
    moments = _Moments.of(memories, questions)
    chosen = questions if limit is None else questions[:limit]
    if only is not None:
        chosen = [each for each in chosen if each.id in only]
    extra = sum(len(each.texts) for each in controls)
    with (
        tempfile.TemporaryDirectory(prefix="memweir-eval-", ignore_cleanup_errors=True) as folder,
        open_engine(Path(folder) / "memory.db", moments.default_now) as engine,
    ):
        total = len(memories) + len(chosen) + (len(OFF_TOPIC) + extra if chosen else 0)
        places = _Places.of(memories, questions, pooled=pooled)
        session = _Session(dataset, engine, moments, places, total, progress)
        asked = _ask_all(session, memories, chosen)
        offtopic = _ask_offtopic(session, questions) if chosen else ()
        answers = _ask_controls(session, questions, controls) if chosen else ()
    known = {memory.id for memory in memories}
    return SetRun(
        name=dataset.name,
        config=config,
        memories=len(memories),
        refused=tuple(session.refused),
        unknown=tuple(
            dict.fromkeys(
                each for question in chosen for each in question.relevant if each not in known
            )
        ),
        asked=tuple(asked),
        offtopic=offtopic,
        controls=answers,
        pooled=pooled,
    )


@dataclass(frozen=True, slots=True)
class _Moments:
    """When memories without a date were told and questions without one are asked."""

    undated: datetime
    default_now: datetime

    @classmethod
    def of(cls, memories: Sequence[MemoryLine], questions: Sequence[Question]) -> _Moments:
        asked = [question.as_of for question in questions if question.as_of is not None]
        undated = min(asked) - timedelta(days=1) if asked else UNDATED
        told = [memory.created_at or undated for memory in memories]
        return cls(undated, max(told, default=undated) + timedelta(days=1))


@dataclass(frozen=True, slots=True)
class _Places:
    """Where memories are written and questions asked.

    Attributes:
        everywhere: the scopes of a pooled question; empty: each is asked in its own.
        single: every memory goes into this one scope; None: each into its own.
    """

    everywhere: tuple[Scope, ...] = ()
    single: Scope | None = None

    @classmethod
    def of(
        cls, memories: Sequence[MemoryLine], questions: Sequence[Question], *, pooled: bool
    ) -> _Places:
        if not pooled:
            return cls()
        names = dict.fromkeys([*(each.scope for each in memories), *(each.scope for each in questions)])
        if len(names) > _MOST_SCOPES:
            return cls((Scope.project(_POOL),), Scope.project(_POOL))
        return cls(tuple(Scope.project(each) for each in names))

    def asked_in(self, scope: str) -> Scope | tuple[Scope, ...]:
        return self.everywhere or Scope.project(scope)


class _Session:
    """One store while it is filled and asked."""

    def __init__(
        self,
        dataset: DataSet,
        engine: Engine,
        moments: _Moments,
        places: _Places,
        total: int,
        progress: Progress | None,
    ) -> None:
        self.moments = moments
        self.places = places
        self.refused: list[tuple[str, str]] = []
        self._dataset, self._engine = dataset, engine
        self._total, self._done, self._progress = total, 0, progress
        self._data_id: dict[str, str] = {}  # the store's id → the set's

    def write(self, memories: Sequence[MemoryLine]) -> None:
        for start in range(0, len(memories), _BATCH):
            batch = memories[start : start + _BATCH]
            drafts = self._dataset.drafts(batch, undated=self.moments.undated)
            if self.places.single is not None:
                drafts = [replace(each, scope=self.places.single) for each in drafts]
            answers = self._engine.remember_many(drafts, now=self.moments.default_now)
            for memory, answer in zip(batch, answers, strict=True):
                if isinstance(answer, MemweirError):
                    self.refused.append((memory.id, str(answer)))
                else:
                    self._data_id[answer.id] = memory.id
            self._step(len(batch))

    def ask(self, question: Question) -> Asked:
        now = question.as_of or self.moments.default_now
        scope = self.places.asked_in(question.scope)
        started = time.perf_counter()
        recall = self._engine.recall(
            question.text,
            scope=scope,
            now=now,
            context=question.context,
            limit=CANDIDATES,
            record=False,
        )
        latency_ms = (time.perf_counter() - started) * 1000
        self._step(1)
        return as_asked(question, recall, latency_ms, named=self._named)

    def warm_up(self, question: Question) -> None:
        """One unmeasured call, so that loading dictionaries is not counted as a question's time."""
        now = question.as_of or self.moments.default_now
        scope = self.places.asked_in(question.scope)
        self._engine.recall(OFF_TOPIC[0], scope=scope, now=now, limit=CANDIDATES, record=False)

    def _named(self, memory_id: str) -> str:
        return self._data_id.get(memory_id, memory_id)

    def _step(self, count: int) -> None:
        self._done += count
        if self._progress is not None:
            self._progress(self._done, self._total)


def as_asked(
    question: Question, recall: Recall, latency_ms: float, *, named: Callable[[str], str] = str
) -> Asked:
    """The answer to a question, every memory called what `named` calls it."""
    rankings = recall.rankings or {}
    paths = [*PATHS, *sorted(path for path in rankings if path not in PATHS)]
    return Asked(
        question=question,
        ranked=tuple((named(each.id), each.score) for each in recall.candidates),
        relevance=max((each.decision.relevance for each in recall.candidates), default=0.0),
        paths={
            path: tuple(named(hit.id) for hit in rankings[path].hits) if path in rankings else ()
            for path in paths
        },
        block=tuple(named(each.id) for each in recall.items),
        used=tuple(named(each.id) for each in recall.items if each.action == "use"),
        injected=bool(recall.block),
        abstained=recall.abstained,
        latency_ms=latency_ms,
        relevances=tuple(each.decision.relevance for each in recall.candidates),
    )


def _ask_all(
    session: _Session, memories: Sequence[MemoryLine], questions: Sequence[Question]
) -> list[Asked]:
    if all(question.as_of_seq is None for question in questions):
        session.write(memories)
        if questions:
            session.warm_up(questions[0])
        return [session.ask(question) for question in questions]
    answers: dict[str, Asked] = {}
    session.warm_up(questions[0])
    scopes = [each.scope for each in memories] + [each.scope for each in questions]
    parts: Iterable[set[str]] = (
        [set(scopes)] if session.places.everywhere else ({each} for each in dict.fromkeys(scopes))
    )
    for part in parts:
        # What has no seq was there from the start; a question without one is asked at the end.
        waiting = sorted((each for each in memories if each.scope in part), key=_memory_place)
        for question in sorted((each for each in questions if each.scope in part), key=_question_place):
            end = sum(_memory_place(each) < _question_place(question) for each in waiting)
            fed, waiting = waiting[:end], waiting[end:]
            session.write(fed)
            answers[question.id] = session.ask(question)
        session.write(waiting)
    return [answers[question.id] for question in questions]


def _memory_place(memory: MemoryLine) -> float:
    return float("-inf") if memory.seq is None else memory.seq


def _question_place(question: Question) -> float:
    return float("inf") if question.as_of_seq is None else question.as_of_seq


def _ask_offtopic(session: _Session, questions: Sequence[Question]) -> tuple[bool, ...]:
    template = _late(questions, questions[0].scope)
    return tuple(session.ask(replace(template, text=text)).injected for text in OFF_TOPIC)


def _ask_controls(
    session: _Session, questions: Sequence[Question], controls: Sequence[Control]
) -> tuple[ControlRun, ...]:
    scopes = sample((each.scope for each in questions), SCOPE_SAMPLE)
    templates = [_late(questions, scope) for scope in scopes]
    return tuple(
        ControlRun(
            control,
            tuple(
                session.ask(
                    replace(templates[place % len(templates)], text=each.text, context=each.context)
                ).injected
                for place, each in enumerate(control.texts)
            ),
        )
        for control in controls
    )


def _late(questions: Sequence[Question], scope: str) -> Question:
    """A question to put other texts into: asked in the scope, when its latest is, about nothing."""
    inside = [each for each in questions if each.scope == scope]
    dated = [each.as_of for each in inside if each.as_of is not None]
    return replace(
        inside[0],
        category="control",
        relevant=(),
        trap=(),
        context=(),
        as_of=max(dated, default=None),
        as_of_seq=None,
    )
