"""How are many sets run under many configurations? One after the other, or several at once.

Every task is a set under one configuration in a store of its own, so the answers are the same however
many processes there are; only times suffer.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from memweir.config import Config
from memweir.evaluation.controls import Control
from memweir.evaluation.datasets import DataSet
from memweir.evaluation.runner import OpenEngine, Progress, SetRun, run_set

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from memweir.evaluation.runner import Engine

__all__ = ["Task", "opener", "run_tasks"]


@dataclass(frozen=True, slots=True)
class Task:
    """A set to be run; the fields are the arguments of `run_set`."""

    dataset: DataSet
    config_name: str
    config: Config
    limit: int | None = None
    only: frozenset[str] | None = None
    controls: tuple[Control, ...] = ()
    pooled: bool = False

    @property
    def title(self) -> str:
        return f"{self.dataset.name} ({self.config_name}{', pooled' if self.pooled else ''})"


def opener(config: Config) -> OpenEngine:
    """Opens the engine itself under the configuration."""
    from memweir.memory import Memory

    # The data are public: whoever evaluates on them has let in what they hold.
    store = dataclasses.replace(config.store, quarantine_personal_data=False)
    config = dataclasses.replace(config, store=store)

    def open_engine(path: Path, now: datetime) -> AbstractContextManager[Engine]:
        # In the background, questions would be asked before all vectors are there.
        return Memory.open(path, config=config.unmirrored(), clock=lambda: now, background=False)

    return open_engine


def run_tasks(
    tasks: Sequence[Task],
    *,
    jobs: int = 1,
    progress_of: Callable[[str], Progress | None] = lambda title: None,
) -> Iterator[SetRun]:
    """The runs in the order of the tasks, each as soon as it and all before it are done.

    Args:
        jobs: processes at once; 1: this one.
        progress_of: makes a callback for a task by its title; with several processes it is told of the
            end of each only.

    Raises:
        MemweirError: what `run_set` raises; tasks that have not begun are not begun.
    """
    if jobs == 1 or len(tasks) < 2:
        for task in tasks:
            yield _run(task, progress_of(task.title))
        return
    # Not forked: a fork of a process with threads may hang.
    pool = ProcessPoolExecutor(min(jobs, len(tasks)), mp_context=get_context("spawn"))
    try:
        # The longest first, so that no process waits for it at the end.
        order = sorted(range(len(tasks)), key=lambda place: (-_size(tasks[place]), place))
        futures = {place: pool.submit(_run, tasks[place]) for place in order}
        for place, task in enumerate(tasks):
            run = futures[place].result()
            progress = progress_of(task.title)
            if progress is not None:
                progress(1, 1)
            yield run
    finally:
        pool.shutdown(cancel_futures=True)


def _run(task: Task, progress: Progress | None = None) -> SetRun:
    return run_set(
        task.dataset,
        opener(task.config),
        config=task.config_name,
        limit=task.limit,
        only=task.only,
        controls=task.controls,
        pooled=task.pooled,
        progress=progress,
    )


def _size(task: Task) -> int:
    try:
        return sum(each.stat().st_size for each in task.dataset.folder.glob("*.jsonl"))
    except OSError:
        return 0  # reading it says what is wrong
