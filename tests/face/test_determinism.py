"""Is the answer the same in every process, with either way to compute distances, after any rebuild?"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir import Config, Draft, Memory, Relation
from memweir.retrieval.analysis import Analyzer
from memweir.retrieval.embedding import HashedNgramEmbedder
from memweir.retrieval.hybrid import HybridEmbedder
from memweir.retrieval.indexing import TextIndexer
from memweir.retrieval.meaning import WordVectors
from memweir.store.sqlite import SqliteStore
from memweir.testing import NOW, SCOPE, FixedClock, draft

ROOT = Path(__file__).parents[2]
QUERIES = (
    "where does the kestrel nest?",
    "kestral nset",
    "who manages Zoltan",
    "port 8081",
    "what happened three days ago",
    "the latest about the tower",
    "红隼在哪里",
    "昨天做了什么",
    "服务器端口８０８１",
    "🙂",
    "np",
    "zeppelin",
)


def _drafts() -> list[Draft]:
    drafts = []
    for number in range(40):
        start = NOW - timedelta(days=number % 7, hours=2)
        drafts += [
            draft(
                f"the kestrel of tower {number} nests near port {8070 + number}",
                age_days=number / 3,
                tags=("birds", f"t{number % 5}"),
                importance=(number % 10) / 10,
            ),
            draft(
                f"塔楼{number}的红隼在服务器端口{8070 + number}旁边",
                age_days=number % 7,
                event_start=start,
                event_end=start + timedelta(hours=1),
            ),
        ]
    drafts += [
        draft("Ada manages Zoltan", relations=(Relation("Ada", "manages", "Zoltan"),)),
        draft("he keeps the ledger", relations=(Relation("Zoltan", "keeps", "ledger"),)),
        draft("Answer in Chinese", pinned=True),
        draft("Tests come first", layer="belief"),
        draft("🙂🙂 np pnpm"),
        # Ties: the same words, told at the same moment, apart by id only.
        *(draft("the owl sleeps", document_id=f"owl{number}") for number in range(6)),
    ]
    return drafts


def _told(memory: Memory) -> dict[str, Any]:
    """Everything a recall says, as plain values."""
    answers = {}
    for query in (*QUERIES, "the owl"):
        recall = memory.recall(query, scope=SCOPE, record=False, context=("we spoke of towers",))
        assert recall.rankings is not None
        answers[query] = {
            "block": recall.block,
            "candidates": [
                [item.id, item.score, item.action, item.reason, dict(item.ranks), item.duplicate_of]
                for item in recall.candidates
            ],
            "rankings": {
                name: [[hit.id, hit.score] for hit in ranking.hits]
                for name, ranking in recall.rankings.items()
            },
            "dropped": [[each.id, each.reason] for each in recall.dropped],
            "abstained": recall.abstained,
        }
    return answers


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("determinism") / "memory.db"
    with Memory.open(path, clock=FixedClock()) as memory:
        memory.remember_many(_drafts())
        memory.answer("Who owns it?", "Grace", scope=SCOPE)
    return path


@pytest.fixture(scope="module")
def expected(file: Path) -> dict[str, Any]:
    with Memory.open(file, clock=FixedClock()) as memory:
        told = _told(memory)
    assert sum(bool(each["block"]) for each in told.values()) >= 10
    return told


_ELSEWHERE = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("determinism", sys.argv[1])
module = importlib.util.module_from_spec(spec)
sys.modules["determinism"] = module
spec.loader.exec_module(module)
path = sys.argv[2]
if sys.argv[3] == "write":
    with module.Memory.open(path, clock=module.FixedClock()) as memory:
        memory.remember_many(module._drafts())
with module.Memory.open(path, clock=module.FixedClock()) as memory:
    print(json.dumps(module._told(memory)))
"""


def _in_another_process(file: Path, *, seed: str, write: bool, **variables: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", _ELSEWHERE, __file__, str(file), "write" if write else "read"],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONUTF8": "1", **variables},
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@pytest.mark.parametrize("seed", ["1", "2"])
def test_another_process_reads_the_same_from_the_file(
    file: Path, expected: dict[str, Any], seed: str
) -> None:
    assert _in_another_process(file, seed=seed, write=False) == expected


def test_another_process_writes_what_reads_the_same(tmp_path: Path, expected: dict[str, Any]) -> None:
    elsewhere = _in_another_process(tmp_path / "own.db", seed="77", write=True, TZ="Asia/Shanghai")
    assert elsewhere == expected


def _with_vectors(file: Path, *, in_sql: bool) -> Memory:
    analyzer = Analyzer()
    embedder = HybridEmbedder(HashedNgramEmbedder(analyzer), WordVectors.load())
    store = SqliteStore.open(file, TextIndexer(analyzer, embedder), vectors_in_sql=in_sql)
    return Memory(store, analyzer=analyzer, embedder=embedder, config=Config(), clock=FixedClock())


def test_distances_by_numpy_and_by_sql_give_the_same(file: Path, expected: dict[str, Any]) -> None:
    for in_sql in (True, False):
        with _with_vectors(file, in_sql=in_sql) as memory:
            assert _told(memory) == expected


def test_file_written_without_the_extension_reads_the_same(
    tmp_path: Path, expected: dict[str, Any]
) -> None:
    with _with_vectors(tmp_path / "plain.db", in_sql=False) as memory:
        memory.remember_many(_drafts())
    with _with_vectors(tmp_path / "plain.db", in_sql=True) as memory:
        assert _told(memory) == expected


def test_rebuilt_index_reads_the_same(file: Path, tmp_path: Path, expected: dict[str, Any]) -> None:
    copy = tmp_path / "copy.db"
    shutil.copy(file, copy)
    with Memory.open(copy, clock=FixedClock()) as memory:
        memory.reindex()
        assert _told(memory) == expected


def test_asking_changes_no_answer(file: Path, tmp_path: Path, expected: dict[str, Any]) -> None:
    copy = tmp_path / "copy.db"
    shutil.copy(file, copy)
    with Memory.open(copy, clock=FixedClock()) as memory:
        for query in QUERIES * 3:
            memory.recall(query, scope=SCOPE)
        assert _told(memory) == expected


def test_ties_break_on_the_id(expected: dict[str, Any]) -> None:
    keyword = expected["the owl"]["rankings"]["keyword"]
    assert len(keyword) == 6
    assert len({score for _, score in keyword}) == 1
    assert [memory_id for memory_id, _ in keyword] == sorted(memory_id for memory_id, _ in keyword)


@settings(deadline=None, max_examples=8)
@given(order=st.permutations(range(12)))
def test_order_in_which_facts_are_told_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, order: list[int]
) -> None:
    texts = [f"the kestrel of tower {number} nests 红隼" for number in range(12)]

    def told(places: list[int]) -> tuple[Any, ...]:
        path = tmp_path_factory.mktemp("order") / "memory.db"
        with Memory.open(path, clock=FixedClock()) as memory:
            memory.remember_many([draft(texts[place]) for place in places])
            recall = memory.recall("kestrel tower 7 红隼", scope=SCOPE, record=False)
            return recall.block, [(item.id, item.score) for item in recall.candidates]

    assert told(order) == told(list(range(12)))


def test_opening_the_engine_loads_no_optional_package(tmp_path: Path) -> None:
    script = """
import json, sys
from memweir import Memory, Scope
with Memory.open(sys.argv[1]) as memory:
    memory.remember("the kestrel nests 红隼", scope=Scope.project("p"))
    assert memory.recall("kestrel 红隼", scope=Scope.project("p")).items
print(json.dumps(sorted(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "memory.db")],
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    loaded = set(json.loads(done.stdout))
    unwanted = {"sklearn", "scipy", "networkx", "pandas", "rich", "jieba", "platformdirs", "hypothesis"}
    assert loaded & unwanted == set()
    assert {"memweir.cli", "memweir.evaluation", "memweir.testing", "memweir.demo"} & loaded == set()
