"""Where does the time of a recall go? One figure a stage, by pytest-benchmark.

    python -m pytest benchmarks/test_stages.py

Not among the tests that run by default. The calls that real recalls make of each stage are recorded
once and then made again, one after another, so a figure is a mean over kinds of questions and not over
repeats of one. A recall may make several calls of a stage: `calls` in the extra information says how
many.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any, Final

import pytest

import memweir.asking
import memweir.finding
import memweir.pipeline
from benchmarks.corpus import NOW, drafts, questions
from memweir import Memory
from memweir.retrieval.analysis import Analyzer
from memweir.retrieval.features import Candidates

SIZE: Final = int(os.environ.get("MEMWEIR_BENCHMARK_SIZE", "2000"))
QUESTIONS: Final = questions(64, seed=7)

FUNCTIONS: Final = {
    memweir.asking: ("read_dates", "find_dates"),
    memweir.finding: ("rrf",),
    memweir.pipeline: ("rerank", "scan_threats", "collapse", "judge", "render"),
}
FEATURES: Final = ("add", "matrix")
STAGES: Final = ("ask", *FEATURES, *(name for names in FUNCTIONS.values() for name in names))
PATHS: Final = ("semantic", "keyword", "graph", "timeline")
READS: Final = (
    *("nearest", "keyword", "records", "similarity", "term_statistics", "vector_statistics"),
    *("entities_named", "entities_of", "mentions_of", "relations_at", "find_answer"),
)

Call = Callable[[], object]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    path = tmp_path_factory.mktemp("stages") / "memory.db"
    with Memory.open(path, clock=lambda: NOW) as opened:
        opened.remember_many(drafts(SIZE, seed=7))
        yield opened


class _Recorded:
    """Stands before an object and notes the calls of some of its methods."""

    def __init__(self, real: Any, names: tuple[str, ...], note: Callable[[str, Call], None]) -> None:
        self._real, self._names, self._note = real, names, note

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._real, name)
        if name not in self._names:
            return value

        def call(*arguments: Any, **named: Any) -> Any:
            self._note(name, lambda: value(*arguments, **named))
            return value(*arguments, **named)

        return call


def _noted(method: Callable[..., Any], name: str, note: Callable[[str, Call], None]) -> Any:
    def call(*arguments: Any, **named: Any) -> Any:
        note(name, lambda: method(*arguments, **named))
        return method(*arguments, **named)

    return call


@pytest.fixture(scope="module")
def calls(memory: Memory) -> dict[str, list[Call]]:
    """Stage → the calls that the questions make of it."""
    found: dict[str, list[Call]] = {}

    def note_under(prefix: str) -> Callable[[str, Call], None]:
        return lambda name, call: found.setdefault(f"{prefix}{name}", []).append(call)

    # The stages are not public; this file is the one place that looks inside to time them apart.
    pipeline = memory._pipeline
    asker, finder = pipeline._asker, pipeline._finder
    with pytest.MonkeyPatch.context() as patch:
        for module, names in FUNCTIONS.items():
            recorded = _Recorded(module, names, note_under(""))
            for name in names:
                patch.setattr(module, name, getattr(recorded, name))
        paths: dict[str, Any] = {}
        for name, path in finder._paths.items():
            paths[name] = _Recorded(path, ("rank",), note_under(f"path:{name}:"))
        patch.setattr(finder, "_paths", paths)
        store = _Recorded(pipeline._store, READS, note_under("read:"))
        for owner in (pipeline, asker, finder):
            patch.setattr(owner, "_store", store)
        for path in paths.values():
            patch.setattr(path._real, "_reader", store)
        patch.setattr(asker, "ask", _Recorded(asker, ("ask",), note_under("")).ask)
        for name in FEATURES:
            original = getattr(Candidates, name)
            patch.setattr(Candidates, name, _noted(original, name, note_under("")))
        for text, scope in QUESTIONS:
            memory.recall(text, scope=scope, record=False)
    return found


def _replay(benchmark: Any, made: list[Call]) -> None:
    if not made:
        pytest.skip("no question makes this call")
    benchmark.extra_info["calls"] = round(len(made) / len(QUESTIONS), 2)
    turn = cycle(made)
    benchmark(lambda: next(turn)())


def test_analysis(benchmark: Any) -> None:
    analyzer = Analyzer()
    # Texts are remembered by the analyzer: its own work is what is timed here.
    analyse = analyzer._analyse
    analyse("部署 deploys")  # loads the dictionaries
    turn = cycle([text for text, _ in QUESTIONS])
    benchmark(lambda: analyse(next(turn)))


@pytest.mark.parametrize("stage", STAGES)
def test_stage(benchmark: Any, calls: dict[str, list[Call]], stage: str) -> None:
    _replay(benchmark, calls.get(stage, []))


@pytest.mark.parametrize("path", PATHS)
def test_path(benchmark: Any, calls: dict[str, list[Call]], path: str) -> None:
    _replay(benchmark, calls.get(f"path:{path}:rank", []))


@pytest.mark.parametrize("read", READS)
def test_read(benchmark: Any, calls: dict[str, list[Call]], read: str) -> None:
    """What the paths and the pipeline ask of the store; part of their figures."""
    _replay(benchmark, calls.get(f"read:{read}", []))


@pytest.mark.parametrize("record", [True, False], ids=["recorded", "unrecorded"])
def test_recall(benchmark: Any, memory: Memory, record: bool) -> None:
    """The whole, as a host calls it."""
    turn = cycle(QUESTIONS)

    def recall() -> object:
        text, scope = next(turn)
        return memory.recall(text, scope=scope, record=record)

    benchmark(recall)


def test_remember(benchmark: Any, tmp_path: Path) -> None:
    with Memory.open(tmp_path / "memory.db", clock=lambda: NOW) as opened:
        turn = iter(drafts(1_000_000, seed=11))
        benchmark(lambda: opened.remember_many([next(turn)]))
