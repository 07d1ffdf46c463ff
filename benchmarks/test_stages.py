"""Where does the time of a recall go? One figure a stage, by pytest-benchmark.

    python -m pytest benchmarks/test_stages.py

Not among the tests that run by default. Each round asks one after another of the same questions, so a
figure is a mean over kinds of questions and not over repeats of one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from benchmarks.corpus import NOW, drafts, questions
from memweir import Budget, Config, Memory
from memweir.fusion.duplicates import collapse
from memweir.fusion.gate import judge
from memweir.fusion.injection import render
from memweir.fusion.rerank import rerank
from memweir.fusion.rrf import rrf
from memweir.pipeline import Pipeline, Request
from memweir.retrieval.analysis import Analyzer
from memweir.retrieval.dates import find_dates
from memweir.retrieval.embedding import HashedNgramEmbedder
from memweir.retrieval.types import Query
from memweir.store.gates import scan_threats
from memweir.store.view import View

SIZE = int(os.environ.get("MEMWEIR_BENCHMARK_SIZE", "2000"))
QUESTIONS = questions(64, seed=7)
CONFIG = Config()


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    path = tmp_path_factory.mktemp("stages") / "memory.db"
    with Memory.open(path, clock=lambda: NOW) as opened:
        opened.remember_many(drafts(SIZE, seed=7))
        yield opened


@pytest.fixture(scope="module")
def pipeline(memory: Memory) -> Pipeline:
    # The stages are not public; this file is the one place that looks inside to time them apart.
    return memory._pipeline


@pytest.fixture(scope="module")
def requests() -> list[Request]:
    return [
        Request(
            text=text,
            view=View(scopes=scope, as_of_ms=round(NOW.timestamp() * 1000)),
            now=NOW,
            context=(),
            limit=CONFIG.retrieval.limit,
            budget=Budget(),
            mode="assist",
        )
        for text, scope in QUESTIONS
    ]


@pytest.fixture(scope="module")
def queries(pipeline: Pipeline, requests: list[Request]) -> list[Query]:
    analyse = pipeline._analyzer.analyse
    made = [pipeline._query(each, analyse(each.text), vectors=True) for each in requests]
    return [
        Query(
            text=query.text,
            analysis=query.analysis,
            view=query.view,
            now=query.now,
            dates=query.dates,
            vector=query.vector,
            seeds=tuple(hit.id for hit in pipeline._paths["keyword"].rank(query, limit=50).hits),
        )
        for query in made
    ]


def _each(benchmark: Any, stage: Callable[[Any], object], inputs: list[Any]) -> None:
    """Time the stage on the inputs in turn."""
    turn = cycle(inputs)
    benchmark(lambda: stage(next(turn)))


def test_analysis(benchmark: Any) -> None:
    analyzer = Analyzer()
    # Texts are remembered by the analyzer: its own work is what is timed here.
    _each(benchmark, analyzer._analyse, [text for text, _ in QUESTIONS])


def test_dates(benchmark: Any) -> None:
    _each(benchmark, lambda text: find_dates(text, NOW), [text for text, _ in QUESTIONS])


def test_embedding(benchmark: Any) -> None:
    analyzer = Analyzer()
    analyses = [analyzer.analyse(text) for text, _ in QUESTIONS]
    embedder = HashedNgramEmbedder(analyzer)
    _each(benchmark, lambda analysis: embedder.embed_analysed([analysis]), analyses)


def test_query(benchmark: Any, pipeline: Pipeline, requests: list[Request]) -> None:
    """Analysis, dates and the weighed vector together."""
    analyse = pipeline._analyzer._analyse
    _each(benchmark, lambda each: pipeline._query(each, analyse(each.text), vectors=True), requests)


@pytest.mark.parametrize("path", ["semantic", "keyword", "graph", "timeline"])
def test_path(benchmark: Any, pipeline: Pipeline, queries: list[Query], path: str) -> None:
    ranker = pipeline._paths[path]
    _each(benchmark, lambda query: ranker.rank(query, limit=CONFIG.retrieval.limit), queries)


def test_candidates(
    benchmark: Any, pipeline: Pipeline, requests: list[Request], queries: list[Query]
) -> None:
    """Signals of what the paths found: relevance, age, credence."""
    pairs = list(zip(queries, requests, strict=True))
    found = [(query, pipeline._find(query, request)) for query, request in pairs]
    _each(benchmark, lambda each: pipeline._candidates(each[0], each[1], NOW), found)


def test_fusion(
    benchmark: Any, pipeline: Pipeline, requests: list[Request], queries: list[Query]
) -> None:
    """Rank fusion, rerank, duplicates and gate."""
    inputs = []
    for query, request in zip(queries, requests, strict=True):
        found = pipeline._find(query, request)
        rankings = {name: [hit.id for hit in each.hits] for name, each in found.rankings.items()}
        inputs.append((rankings, pipeline._candidates(query, found, NOW)))

    def fuse(each: Any) -> object:
        rankings, candidates = each
        fused = rrf(rankings, config=CONFIG.rrf)
        scored = rerank(fused, candidates, config=CONFIG.rerank)
        duplicates = collapse(scored, threshold=CONFIG.retrieval.duplicate_threshold)
        return judge(scored, config=CONFIG.gate, duplicates=duplicates)

    _each(benchmark, fuse, inputs)


def test_render(
    benchmark: Any, pipeline: Pipeline, requests: list[Request], queries: list[Query]
) -> None:
    judged = [
        pipeline._judge(query, pipeline._find(query, request), request)
        for query, request in zip(queries, requests, strict=True)
    ]
    _each(
        benchmark,
        lambda each: render(each, today=NOW.date(), budget=Budget(), mode="assist"),
        judged,
    )


def test_threat_scan(benchmark: Any) -> None:
    _each(benchmark, scan_threats, [draft.text for draft in drafts(64, seed=7)])


@pytest.mark.parametrize("record", [True, False], ids=["recorded", "unrecorded"])
def test_recall(benchmark: Any, memory: Memory, record: bool) -> None:
    """The whole, as a host calls it."""
    _each(
        benchmark,
        lambda each: memory.recall(each[0], scope=each[1], record=record),
        QUESTIONS,
    )


def test_remember(benchmark: Any, tmp_path: Path) -> None:
    with Memory.open(tmp_path / "memory.db", clock=lambda: NOW) as opened:
        turn = iter(drafts(1_000_000, seed=11))
        benchmark(lambda: opened.remember_many([next(turn)]))
