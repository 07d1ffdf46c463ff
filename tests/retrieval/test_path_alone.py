"""What does each path find that the other three together do not?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from memweir import Budget, Config, Draft, Memory, Relation
from memweir.retrieval.types import PATHS
from memweir.testing import SCOPE, draft

Tell = Callable[..., list[str]]
Open = Callable[..., Memory]
Only = Callable[..., Config]

ENGLISH = ("The kitchen is painted blue", "Grace plays the cello", "Lunch is at noon", "Bob has a cat")
CHINESE = ("厨房刷成了蓝色", "小李会拉大提琴", "午饭在十二点", "老王养了一只猫")


@dataclass(frozen=True)
class Trial:
    """One memory that one path finds.

    Attributes:
        wanted: the memory; `others` lie beside it.
        before: texts that may stand above it, because the way to it leads over them.
    """

    path: str
    query: str
    wanted: Draft
    others: Sequence[Draft]
    before: tuple[str, ...] = field(default=())


def _old(*texts: str) -> list[Draft]:
    return [draft(text, age_days=200) for text in texts]


def _event(text: str, day: datetime) -> Draft:
    return draft(text, age_days=300, event_start=day, event_end=day + timedelta(hours=1))


def _related(text: str, source: str, predicate: str, target: str) -> Draft:
    return draft(text, age_days=200, relations=(Relation(source, predicate, target),))


def _handbook(line: str, letters: str, longest: int, joint: str) -> str:
    """A long text of words made of `letters` in which `line` stands once, in the middle."""
    choose = Random(41873)
    sizes = [choose.randint(2, longest) for _ in range(1000)]
    words = ["".join(choose.choice(letters) for _ in range(size)) for size in sizes]
    return joint.join((*words[:500], line, *words[500:]))


# A long handbook mentions the port once among much else; sixty short lines with the neighbouring ports
# are nearer to the question in every way but that one number.
_NEIGHBOURS = [number for number in range(41843, 41904) if number != 41873]
_PORTS = [f"service {number} listens on port {number}" for number in _NEIGHBOURS]
_CHINESE_PORTS = [f"服务{number}监听端口{number}" for number in _NEIGHBOURS]
_HANDBOOK = _handbook("the old metrics relay answers on 41873 only", "abcdefghiklmnoprstuvw", 9, " ")
_CHINESE_HANDBOOK = _handbook(
    "旧的指标中继只在41873应答",
    "看磁盘读告警排空队列重启前打电话给小李风扇响蓝色线记下做过事星期浇水换灯泡关窗户印单据夜班交接擦白板锁机房",
    5,
    "，",
)
_DAY = datetime(2026, 5, 6, 9, tzinfo=UTC)

TRIALS = {
    "semantic-misspelt": Trial(
        "semantic",
        "kuberntes autoscalling",
        draft("Kubernetes autoscaled the checkout twice", age_days=200),
        _old(*ENGLISH),
    ),
    "semantic-inflected": Trial(
        "semantic",
        "photography",
        draft("Paid the photographer in advance", age_days=200),
        _old(*ENGLISH),
    ),
    "semantic-misspelt-in-chinese": Trial(
        "semantic",
        "怎么配 kuberntes",
        draft("结算服务靠 Kubernetes 扩容", age_days=200),
        _old(*CHINESE),
    ),
    "keyword-port": Trial(
        "keyword",
        "which service listens on port 41873?",
        draft(_HANDBOOK, age_days=200),
        _old(*_PORTS),
    ),
    "keyword-port-in-chinese": Trial(
        "keyword",
        "监听端口41873的是哪个服务",
        draft(_CHINESE_HANDBOOK, age_days=200),
        _old(*_CHINESE_PORTS),
    ),
    "graph-two-relations": Trial(
        "graph",
        "What hangs together with Zoltan?",
        _related("She keeps the ledger", "Grace", "keeps", "the ledger"),
        [
            _related("He reports to her", "Zoltan", "reports to", "Grace"),
            *_old(*ENGLISH[:1], *ENGLISH[2:]),
        ],
        before=("He reports to her",),
    ),
    "graph-two-relations-in-chinese": Trial(
        "graph",
        "王芳那边是什么情况",
        _related("账本由他维护", "张伟", "维护", "账本"),
        [_related("她带着一个徒弟", "王芳", "带", "张伟"), *_old(*CHINESE)],
        before=("她带着一个徒弟",),
    ),
    "timeline-day": Trial(
        "timeline",
        "what happened on 6 May 2026?",
        _event("Signed the lease", _DAY),
        [_event("Bought a lamp", _DAY - timedelta(days=1)), *_old(*ENGLISH)],
    ),
    "timeline-day-in-chinese": Trial(
        "timeline",
        "5月6号做了什么",
        _event("签了租房合同", _DAY),
        [_event("买了一盏灯", _DAY - timedelta(days=1)), *_old(*CHINESE)],
    ),
}


@pytest.fixture(params=TRIALS.values(), ids=list(TRIALS))
def trial(request: pytest.FixtureRequest) -> Trial:
    found: Trial = request.param
    return found


def _asked(memory: Memory, tell: Tell, trial: Trial) -> tuple[str, Any]:
    wanted, *_ = tell(memory, trial.wanted, *trial.others)
    wide = Budget(characters=100_000, tokens=100_000)  # a long text is to fit too
    return wanted, memory.recall(trial.query, scope=SCOPE, budget=wide)


def test_path_alone_finds_it_first(open_memory: Open, tell: Tell, only: Only, trial: Trial) -> None:
    wanted, recall = _asked(open_memory(config=only(trial.path)), tell, trial)
    texts = [item.text for item in recall.candidates]
    assert texts[: len(trial.before)] == list(trial.before)
    item = recall.candidates[len(trial.before)]
    assert item.id == wanted
    assert set(item.ranks) == {trial.path}
    assert item.injected


def test_other_three_together_do_not_bring_it_up(
    open_memory: Open, tell: Tell, only: Only, trial: Trial
) -> None:
    others = [name for name in PATHS if name != trial.path]
    wanted, recall = _asked(open_memory(config=only(*others)), tell, trial)
    # Whatever the vectors compare is a little alike, so the right one may be among the candidates:
    # with nothing that speaks for it.
    assert wanted not in [item.id for item in recall.items]
    alike = [item for item in recall.candidates if item.id == wanted]
    assert all(set(item.ranks) == {"semantic"} for item in alike)
    assert all(item.action == "ignore" and not item.injected for item in alike)


def test_all_four_together_inject_it(open_memory: Open, tell: Tell, trial: Trial) -> None:
    wanted, recall = _asked(open_memory(), tell, trial)
    assert wanted in [item.id for item in recall.items]
    item = next(each for each in recall.candidates if each.id == wanted)
    assert trial.path in item.ranks
    if trial.path == "graph":
        # What led there is known already, so the path itself puts first what it leads to.
        assert item.ranks["graph"] <= 2
