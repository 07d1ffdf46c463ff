"""Do scores mean what they say, on any store? Section C of the cases: scores, fusion, filters."""

from __future__ import annotations

import hashlib
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from memweir import Config, Draft, Memory, Relation, Scope
from memweir.config import RetrievalConfig
from memweir.errors import ConfigError
from memweir.fusion.types import GateConfig, RerankConfig, RrfConfig
from memweir.retrieval.types import PATHS
from memweir.testing import NOW, SCOPE, FixedClock, draft

Tell = Callable[..., list[str]]
Open = Callable[..., Memory]
Only = Callable[..., Config]

OTHER = Scope.project("borealis")


def _filled(path: Path, drafts: Sequence[Draft], **options: Any) -> Memory:
    memory = Memory.open(path, clock=FixedClock(), **options)
    refused = [each for each in memory.remember_many(drafts) if isinstance(each, Exception)]
    assert refused == []
    return memory


# 22, 24, 25: what a score is


@pytest.mark.parametrize(
    ("strong", "weak", "none", "query"),
    [
        (
            "the release train of the release team leaves every Tuesday",
            "the last release took an hour and everybody waited in the kitchen",
            "the kitchen is painted blue",
            "when does the release train leave",
        ),
        (
            "发布列车每周二发车",
            "上次发布花了一个小时，大家都在厨房里等",
            "厨房刷成了蓝色",
            "发布列车几点发车",
        ),
    ],
)
def test_case_22_strong_hit_stands_above_weak_above_none(
    open_memory: Open, tell: Tell, only: Only, strong: str, weak: str, none: str, query: str
) -> None:
    memory = open_memory(config=only("keyword"))
    first, second, absent = tell(memory, strong, weak, none)
    tell(memory, *(f"remark {number} about lunch 第{number}条午饭的备注" for number in range(20)))
    recall = memory.recall(query, scope=SCOPE)
    assert [item.id for item in recall.candidates] == [first, second]
    assert absent not in [item.id for item in recall.candidates]
    assert recall.rankings is not None
    hits = recall.rankings["keyword"].hits
    assert hits[0].score > hits[1].score > 0.0
    shares = [hit.why["share"] for hit in hits]
    assert 1.0 >= shares[0] > shares[1] > 0.0  # type: ignore[operator]
    assert 1.0 >= recall.candidates[0].score > recall.candidates[1].score >= 0.0
    relevances = [item.decision.relevance for item in recall.candidates]
    assert 1.0 >= relevances[0] > relevances[1] > 0.0


@pytest.mark.parametrize("weight", [-1.0, math.nan, math.inf, 1e9, "1", None, True])
def test_case_24_senseless_weight_is_rejected_by_name(weight: Any) -> None:
    with pytest.raises(ConfigError, match="keyword"):
        RrfConfig(weights={"keyword": weight})
    with pytest.raises(ConfigError, match="recency"):
        RerankConfig(recency=weight)
    with pytest.raises(ConfigError, match="title"):
        RetrievalConfig(field_weights={"title": weight})


def test_case_24_weights_of_nothing_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="not all be 0"):
        RrfConfig(weights=dict.fromkeys(PATHS, 0.0))
    with pytest.raises(ConfigError, match="not all be 0"):
        RetrievalConfig(field_weights=dict.fromkeys(RetrievalConfig().field_weights, 0.0))
    with pytest.raises(ConfigError, match=r"sum to 1\.0"):
        RerankConfig(fused=0.9, relevance=0.9)
    with pytest.raises(ConfigError, match="the weight 0"):
        Config(
            rrf=RrfConfig(weights={"semantic": 0.0, "keyword": 1.0}),
            retrieval=RetrievalConfig(keyword=False, graph=False, timeline=False),
        )
    for line in ("keyword = -1", "keyword = nan", "semantic = 0\nkeyword = 0\ngraph = 0\ntimeline = 0"):
        file = tmp_path / "memweir.toml"
        file.write_text(f"[fusion.rrf.weights]\n{line}\n")
        with pytest.raises(ConfigError, match=r"fusion\.rrf\.weights"):
            Config.load(file, environ={})


_SIGNED = NOW - timedelta(days=40)


def _reachable_by(*paths: str) -> Draft:
    """A memory about the lease that these paths can find for "Zoltan lease 2026-05-06"."""
    text = "lease" if "keyword" in paths else "the paper about the flat"
    fields: dict[str, Any] = {}
    if "graph" in paths:
        fields["relations"] = (Relation("Zoltan", "signed", "it"),)
    if "timeline" in paths:
        fields |= {"event_start": _SIGNED, "event_end": _SIGNED + timedelta(hours=1)}
    return draft(text, age_days=400, **fields)


def test_case_25_fused_score_rises_with_every_path_and_ends_at_one(
    open_memory: Open, tell: Tell
) -> None:
    weights = {"semantic": 1.0, "keyword": 1.5, "graph": 0.3, "timeline": 0.5}
    memory = open_memory(config=Config(rrf=RrfConfig(k=20, weights=weights)))
    query = "lease Zoltan 2026-05-06"
    seen = []
    for paths in (("timeline",), ("graph", "timeline"), ("keyword", "semantic", "graph", "timeline")):
        (wanted,) = tell(memory, _reachable_by(*paths))
        found = {item.id: item for item in memory.recall(query, scope=SCOPE).candidates}[wanted]
        assert set(found.ranks) == set(paths)
        assert set(found.ranks.values()) == {1}
        seen.append(found.scored.fused.score)
        memory.forget(wanted, scope=SCOPE)
    # The attainable sum is (1.0 + 1.5 + 0.3 + 0.5) / 21 = 3.3 / 21. The timeline alone, at rank 1, is
    # 0.5 / 3.3 of it, the graph with it 0.8 / 3.3, all four are all of it.
    assert seen == pytest.approx([0.5 / 3.3, 0.8 / 3.3, 1.0])


def test_case_25_gate_threshold_is_compared_with_an_absolute_match(
    open_memory: Open, tell: Tell
) -> None:
    # A raw reciprocal-rank sum is at most 3.3 / 21 = 0.157 and could never pass 0.5.
    memory = open_memory(config=Config(gate=GateConfig(min_relevance=0.5)))
    tell(memory, "the release train leaves monthly", "the kitchen is blue")
    recall = memory.recall("when does the release train leave?", scope=SCOPE)
    assert [item.text for item in recall.items] == ["the release train leaves monthly"]


# 26, 33: nothing is said where nothing is known


def _notes(seed: int) -> list[str]:
    choose = Random(seed)
    people = ("Ada", "Grace", "Linus", "Ken", "Margaret", "Barbara")
    did = (
        "refactored",
        "deployed",
        "reverted",
        "reviewed",
        "profiled",
        "documented",
        "found out how to fix",
    )
    what = (
        *(
            "the retry logic",
            "the login page",
            "the payment webhook",
            "the cache layer",
            "the CI pipeline",
        ),
        *(
            "the search index",
            "the settings screen",
            "the release script",
            "the parser",
            "the audit log",
        ),
        *(
            "the database migration",
            "the feature flag",
            "how the queue drains",
            "how to start a worker",
        ),
    )
    why = (
        *(
            "because tests were flaky",
            "to cut latency by {n} ms",
            "after incident {n}",
            "as asked in {n}",
        ),
        *("before release 2.{n}", "so that staging matches production", "and how to roll it back"),
    )
    return [
        f"{choose.choice(people)} {choose.choice(did)} {choose.choice(what)} "
        f"{choose.choice(why).format(n=number)}"
        for number in range(300)
    ]


def _chinese_notes(seed: int) -> list[str]:
    choose = Random(seed)
    people = ("小李", "小王", "老张", "阿敏")
    did = ("重构了", "部署了", "回滚了", "评审了", "修复了", "删除了", "新增了", "说明了怎么改")
    what = (
        *(
            "重试逻辑",
            "登录页面",
            "支付回调",
            "缓存层",
            "持续集成流水线",
            "搜索索引",
            "设置界面",
            "发布脚本",
        ),
        *("解析器", "审计日志", "数据库迁移", "功能开关", "怎么启动队列"),
    )
    why = (
        *(
            "因为测试不稳定",
            "把延迟降低{n}毫秒",
            "在事故{n}之后",
            "赶在2.{n}版本之前",
            "让预发和生产一致",
        ),
        *("按工单{n}的要求", "以及如何回滚", "这样更好看"),
    )
    return [
        f"{choose.choice(people)}{choose.choice(did)}{choose.choice(what)}，"
        f"{choose.choice(why).format(n=number)}"
        for number in range(300)
    ]


@pytest.fixture(scope="module", params=["english", "chinese"])
def notes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    make = {"english": _notes, "chinese": _chinese_notes}[request.param]
    drafts = [draft(text, age_days=place / 10) for place, text in enumerate(make(26))]
    path = tmp_path_factory.mktemp(request.param) / "memory.db"
    with _filled(path, drafts) as memory:
        assert memory.stats().memories["active"] > 250
        yield memory


@pytest.mark.parametrize(
    "query",
    [
        "how to bake sourdough bread",
        "how do I bake sourdough bread at home so that it gets a crust?",
        "what is the best recipe for carbonara",
        "who won the world cup in football",
        "怎么烤酸面包",
        "如何在家做一道好吃的红烧肉",
        "天空为什么是蓝色的",
        "世界杯的冠军是谁",
    ],
)
def test_case_26_question_about_something_else_injects_nothing(notes: Memory, query: str) -> None:
    recall = notes.recall(query, scope=SCOPE, record=False)
    assert recall.items == ()
    assert recall.block == ""
    assert {item.action for item in recall.candidates} <= {"ignore"}
    assert recall.abstained in ("no-match", "irrelevant", "unanswered")


def test_case_26_the_same_store_answers_what_it_knows(notes: Memory) -> None:
    # Abstaining always would pass the test above as well.
    english = notes.recall("who changed the payment webhook?", scope=SCOPE, record=False)
    chinese = notes.recall("谁动过支付回调？", scope=SCOPE, record=False)
    assert any("webhook" in item.text for item in english.items) or any(
        "支付回调" in item.text for item in chinese.items
    )


@pytest.mark.parametrize(
    "query",
    [
        "QQQQ phrase that exists nowhere",
        "xyzzy plugh",
        "asdf qwer zxcv uiop",
        "9f8e7d6c5b4a",
        "完全不存在的词组QQQQ",
        "魑魅魍魉饕餮",
        "ζητα λαμβδα",
    ],
)
def test_case_33_nonsense_abstains_with_a_reason(notes: Memory, query: str) -> None:
    recall = notes.recall(query, scope=SCOPE, record=False)
    assert recall.items == ()
    assert recall.block == ""
    assert recall.abstained in ("no-match", "irrelevant", "unanswered")


# 27: vectors of nothing


class _OnlyLetters:
    """A dense embedder of 26 dimensions, one a Latin letter: all zero where a text has none."""

    name, version, dim, sparse = "letters", "1", 26, False

    def embed(self, texts: Sequence[str]) -> Any:
        import numpy as np

        counts = np.array(
            [[text.lower().count(chr(97 + place)) for place in range(26)] for text in texts], np.float64
        )
        lengths = np.sqrt((counts * counts).sum(axis=1, keepdims=True))
        return (counts / np.where(lengths > 0, lengths, 1)).astype(np.float32)


@pytest.mark.parametrize("embedder", [None, _OnlyLetters()])
def test_case_27_text_without_a_feature_is_no_accidental_hit(
    open_memory: Open, tell: Tell, embedder: Any
) -> None:
    memory = open_memory(embedder=embedder)
    double, single, dots, rocket = tell(memory, "🙂🙂", "🙂", "。。。", "🚀 launch")
    for query in ("anything", "🙂", "🚀", "。。。", "launch", "?!", "🤖"):
        recall = memory.recall(query, scope=SCOPE)
        for item in recall.candidates:
            assert math.isfinite(item.score), query
            assert 0.0 <= item.decision.relevance <= 1.0, query
        assert dots not in [item.id for item in recall.candidates]
        assert recall.rankings is None or all(
            math.isfinite(hit.score) for ranking in recall.rankings.values() for hit in ranking.hits
        )
    smiles = memory.recall("🙂", scope=SCOPE)
    assert {item.id for item in smiles.candidates} == {double, single}
    assert {item.action for item in smiles.candidates} == {"use"}
    assert len(smiles.items) == 1  # they say the same
    assert [item.id for item in memory.recall("🚀", scope=SCOPE).items] == [rocket]
    assert memory.recall("🤖", scope=SCOPE).items == ()


# 29, 30: filters come first


_DAY = NOW - timedelta(days=5)
_ABOUT = {
    "relations": (Relation("Zoltan", "keeps", "the ledger"),),
    "event_start": _DAY,
    "event_end": _DAY + timedelta(hours=1),
}


@pytest.fixture(scope="module")
def unequal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """600 memories of another scope that are nearer to the query on every path, and one of ours."""
    near = [
        draft(f"Zoltan keeps the ledger {place}", scope=OTHER, age_days=1, **_ABOUT)
        for place in range(600)
    ]
    ours = draft(
        "an old remark on how Zoltan once kept a ledger, among many other things said that day",
        age_days=300,
        **_ABOUT,
    )
    path = tmp_path_factory.mktemp("unequal") / "memory.db"
    _filled(path, [*near, ours]).close()
    return path


@pytest.mark.parametrize("paths", [*((name,) for name in PATHS), PATHS])
def test_case_29_nearer_rows_of_another_scope_take_no_place(
    unequal: Path, only: Only, paths: tuple[str, ...]
) -> None:
    with Memory.open(unequal, config=only(*paths), clock=FixedClock()) as memory:
        query = "Zoltan ledger five days ago" if "timeline" in paths else "Zoltan ledger"
        recall = memory.recall(query, scope=SCOPE, limit=5, record=False)
        assert [item.scope for item in recall.candidates] == [str(SCOPE)]
        assert set(recall.candidates[0].ranks) == set(paths)
        assert recall.items == recall.candidates
        theirs = memory.recall(query, scope=OTHER, limit=5, record=False)
        assert {item.scope for item in theirs.candidates} == {str(OTHER)}


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    drafts = [
        draft(f"Zoltan keeps the ledger {place}", tags=("rare",) if place == 17 else (), **_ABOUT)
        for place in range(5000)
    ]
    path = tmp_path_factory.mktemp("large") / "memory.db"
    _filled(path, drafts).close()
    return path


@pytest.mark.parametrize("paths", [*((name,) for name in PATHS if name != "graph"), PATHS])
def test_case_30_rare_tag_is_found_among_5000(large: Path, only: Only, paths: tuple[str, ...]) -> None:
    with Memory.open(large, config=only(*paths), clock=FixedClock()) as memory:
        query = "Zoltan ledger five days ago" if "timeline" in paths else "Zoltan ledger"
        recall = memory.recall(query, scope=SCOPE, tags=("Rare",), record=False)
        assert [item.text for item in recall.candidates] == ["Zoltan keeps the ledger 17"]


# 31: no salt in any hash

_DIGEST = """
import hashlib
from memweir.retrieval.analysis import Analyzer
from memweir.retrieval.embedding import HashedNgramEmbedder
texts = ["数据库", "database of 数据库 数据庫", "getUserById 10.0.0.1", "🙂 →", "", "Ünïcödé ﬁ"]
analyzer = Analyzer()
vectors = HashedNgramEmbedder(analyzer).embed(texts)
told = repr([analyzer.analyse(text) for text in texts]) + analyzer.version
print(hashlib.sha256(vectors.tobytes() + told.encode()).hexdigest())
"""


def test_case_31_vectors_do_not_depend_on_the_hash_seed() -> None:
    digests = set()
    for seed in ("0", "1", "2", "random"):
        done = subprocess.run(
            [sys.executable, "-c", _DIGEST],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(done.stdout.strip())
    assert len(digests) == 1
    assert len(digests.pop()) == hashlib.sha256().digest_size * 2


def test_case_31_vectors_are_those_that_stores_already_hold() -> None:
    """Another hash would make every stored vector wrong, so the places of one word are fixed here."""
    import numpy as np

    from memweir.retrieval.analysis import default_analyzer
    from memweir.retrieval.embedding import HashedNgramEmbedder

    (vector,) = HashedNgramEmbedder(default_analyzer()).embed(["数据库"])
    # Three single characters of weight 0.5, two pairs and the three of weight 1: all counts are 1, so
    # the length is sqrt(3 × 0.25 + 3) = 1.9365, and the values are 0.5 and 1 over it.
    assert {int(place): round(float(vector[place]), 4) for place in np.flatnonzero(vector)} == {
        369: -0.5164,
        406: -0.2582,
        630: -0.5164,
        1925: -0.5164,
        2457: 0.2582,
        3594: 0.2582,
    }
