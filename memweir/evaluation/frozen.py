"""What would another configuration rank and inject in a store as it is today?

A snapshot is asked, never the store: SQLite's backup copies it into a temporary file through a
read-only connection. Every configuration gets a copy of its own, and nothing of a run is recorded.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import apsw

from memweir.config import Config
from memweir.errors import NotAStore, StoreBusy, StorePathError
from memweir.evaluation.changes import changes_of_runs
from memweir.evaluation.controls import FIXED, ControlRun
from memweir.evaluation.datasets import Question, StoreQuestion
from memweir.evaluation.lines import MarkedRun, labelled_only
from memweir.evaluation.metrics import latency
from memweir.evaluation.offtopic import OFF_TOPIC
from memweir.evaluation.report import summary
from memweir.evaluation.rounding import rounded
from memweir.evaluation.runner import Asked, Progress, SetRun, as_asked
from memweir.evaluation.unseen import unseen, within
from memweir.memory import Memory
from memweir.store.database import mapped_errors
from memweir.store.scopes import Scope

__all__ = ["run_store", "snapshot", "store_report"]


@contextmanager
def snapshot(store: Path) -> Iterator[Path]:
    """A copy of the store in a temporary file, gone afterwards. The store and its log stay as they are.

    What is refused of the copy within the context is told of the store.

    Raises:
        StorePathError: there is no such file.
        NotAStore: it is another kind of file, or empty.
        StoreBusy: it was written while it was copied.
        StoreError: it cannot be read, or is damaged.
    """
    if not store.is_file():
        raise StorePathError(str(store), "no store here")
    with tempfile.TemporaryDirectory(prefix="memweir-eval-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / "memory.db"
        with mapped_errors():
            _copy(store, copy)
        try:
            yield copy
        except (NotAStore, StorePathError) as error:
            if Path(error.path).resolve() != copy.resolve():
                raise
            raise type(error)(str(store), error.problem) from error


def _copy(store: Path, copy: Path) -> None:
    # A reader of a log must see it, and the log is there only while somebody writes or a writer died.
    # Without one the file is all there is, and "immutable" leaves not even an empty log beside it.
    quiet = not _log(store).exists()
    before = _state(store)
    if quiet and not before[0]:  # SQLite takes it for a database without a table
        raise NotAStore(str(store), "it is empty")
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    address = store.resolve().as_uri() + ("?immutable=1" if quiet else "?mode=ro")
    with (
        closing(apsw.Connection(address, flags=flags)) as source,
        closing(apsw.Connection(str(copy))) as target,
        target.backup("main", source, "main") as backup,
    ):
        try:
            while not backup.done:
                backup.step(-1)
        except apsw.NotADBError as error:
            raise NotAStore(str(store), "no SQLite database") from error
    if quiet and (_log(store).exists() or _state(store) != before):
        raise StoreBusy("the store was written while it was copied; try again")


def _log(store: Path) -> Path:
    return store.with_name(store.name + "-wal")


def _state(store: Path) -> tuple[int, int]:
    found = store.stat()
    return found.st_size, found.st_mtime_ns


def run_store(
    store: Path,
    questions: Sequence[StoreQuestion],
    config: Config,
    *,
    name: str,
    scopes: Sequence[Scope],
    now: datetime,
    reindex: bool = False,
    progress: Progress | None = None,
) -> tuple[MarkedRun, tuple[str, ...]]:
    """Ask a copy of the store every question, as a host does: with the configuration's own limit.

    Args:
        name: of the configuration.
        scopes: where a question without a scope is asked, and the off-topic texts and controls.
        now: when a question without a moment is asked.
        reindex: rebuild the copy's index first, which other synonyms or another embedder need.

    Returns:
        The run, unlabelled questions in it marked; and what to know of it: what recall warned of, and
        which figures are 0 because the store holds nothing there.

    Raises:
        ScopeError: a question's scope is none.
        MemweirError: what `Memory.open` and `recall` raise.
    """
    places = [
        (Scope.parse(each.question.scope),) if each.question.scope else tuple(scopes)
        for each in questions
    ]
    aside = [*OFF_TOPIC, *(text for control in FIXED for text in control.texts)]
    total = len(questions) + len(aside)
    warnings: dict[str, None] = {}
    done = 0
    moments = [each.question.as_of or now for each in questions]
    with (
        snapshot(store) as copy,
        Memory.open(copy, config=config.unmirrored(), clock=lambda: now, background=False) as memory,
    ):
        if reindex:
            memory.reindex()
        asked_at = list(zip(places, moments, strict=True))
        notes = unseen(copy, questions, asked_at, (tuple(scopes), now))
        reached = within(copy, asked_at)

        def ask(question: Question, where: Sequence[Scope]) -> Asked:
            nonlocal done
            started = time.perf_counter()
            recall = memory.recall(
                question.text,
                scope=where,
                now=question.as_of or now,
                context=question.context,
                limit=config.retrieval.limit,
                record=False,
            )
            latency_ms = (time.perf_counter() - started) * 1000
            warnings.update(dict.fromkeys(recall.warnings))
            done += 1
            if progress is not None:
                progress(done, total)
            return as_asked(question, recall, latency_ms)

        ask(questions[0].question, places[0])  # loads dictionaries; not measured
        done = 0
        asked = tuple(
            ask(replace(each.question, scope=each.question.scope or _written(scopes)), where)
            for each, where in zip(questions, places, strict=True)
        )
        blank = Question(0, "", "", _written(scopes), "control", ())
        offtopic = tuple(ask(replace(blank, text=text), scopes).injected for text in OFF_TOPIC)
        controls = tuple(
            ControlRun(
                control,
                tuple(ask(replace(blank, text=text.text), scopes).injected for text in control.texts),
            )
            for control in FIXED
        )
        memories = sum(memory.stats().memories.values())
    run = MarkedRun(
        store.stem,
        name,
        memories,
        refused=(),
        unknown=(),
        asked=asked,
        offtopic=offtopic,
        controls=controls,
        within=reached,
        unlabelled=frozenset(each.question.id for each in questions if not each.labelled),
    )
    return run, (*notes, *warnings)


def store_report(
    questions: Sequence[StoreQuestion], answered: Mapping[str, tuple[SetRun, tuple[str, ...]]]
) -> dict[str, Any]:
    """The report of one store under one or several configurations.

    Args:
        answered: configuration → what `run_store` gave for it; the first is the baseline.

    Returns:
        `memweir.evaluation.report.summary` of the labelled questions; `asked`: what every configuration
        was asked and injected, over all questions, and `changes`: what each later one ranks and injects
        otherwise. A note that holds of several configurations names them all.
    """
    runs = [run for run, _ in answered.values()]
    labelled = [each.labelled for each in questions]
    judged = [labelled_only(run) for run in runs]
    report = summary(judged if any(labelled) else ())
    report["asked"] = [_asked_entry(run, questions) for run in runs]
    report["changes"] = changes_of_runs(runs)
    report["injected"] = {
        run.config: sum(each.injected for each in run.asked) / len(run.asked) for run in runs
    }
    report["unlabelled"] = labelled.count(False)
    noted: dict[str, list[str]] = {}
    for run, notes in answered.values():
        for note in notes:
            noted.setdefault(note, []).append(run.config)
    report["notes"] += [
        {"set": runs[0].name, "config": ", ".join(configs), "note": note}
        for note, configs in noted.items()
    ]
    return report


def _asked_entry(run: SetRun, questions: Sequence[StoreQuestion]) -> dict[str, Any]:
    """What was asked of a store and what came of it; `abstained`: reason → questions, most first;
    `within`: those of `memories` that are active in the scopes asked."""
    silent: dict[str, list[str]] = {}
    for each in run.asked:
        if not each.injected:
            silent.setdefault(each.abstained, []).append(each.question.id)
    return {
        "name": run.name,
        "config": run.config,
        "memories": run.memories,
        "within": run.within,
        "queries": len(questions),
        "labelled": sum(each.labelled for each in questions),
        "answerable": sum(each.question.answerable for each in questions),
        "injected": rounded(sum(each.injected for each in run.asked) / len(run.asked)),
        "abstained": dict(sorted(silent.items(), key=lambda one: (-len(one[1]), one[0]))),
        "latency_ms": {
            name: None if value is None else round(value, 3)
            for name, value in latency(run.asked).items()
        },
    }


def _written(scopes: Sequence[Scope]) -> str:
    return ",".join(str(each) for each in scopes)
