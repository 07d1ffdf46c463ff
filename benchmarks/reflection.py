"""How long does a reflection take, and how much memory? Generated facts of several scopes, one run.

    python -m benchmarks.reflection --facts 100000 --json

The facts are made up by a seed: statements about people, services and habits in English and Chinese. A
share of them says again what another one says, in other words, and some say that it is over. The store
is written first; the reflection runs in a process of its own, so that its peak is its own.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from memweir.store.records import Draft
from memweir.store.scopes import Scope

__all__ = ["SCOPES", "START", "generated", "main", "scope_of"]

SCOPES: Final = 5
START: Final = datetime(2026, 1, 1, tzinfo=UTC)

_NAMES: Final = (
    *("Ada", "Ben", "Clara", "Dmitri", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kira"),
    *("Lena", "Mateo", "Nadia", "Oskar", "Priya", "Quinn", "Rosa", "Sven", "Tara", "Umar", "Vera"),
)
_FAMILIES: Final = (
    *("Abel", "Brandt", "Costa", "Demir", "Eklund", "Fischer", "Garcia", "Horvat", "Ito", "Jansen"),
    *("Keller", "Lind", "Moreau", "Novak", "Okafor", "Petrov", "Rossi", "Silva", "Tanaka", "Weber"),
)
_CITIES: Final = (
    *("Oslo", "Graz", "Lisbon", "Porto", "Tallinn", "Kyoto", "Bergen", "Ghent", "Leeds", "Turin"),
    *("Utrecht", "Malmo", "Bilbao", "Nantes", "Gdansk", "Zagreb", "Basel", "Aarhus", "Cork", "Split"),
)
_TOOLS: Final = (
    *("Redis", "Postgres", "SQLite", "Kafka", "Nginx", "Django", "Flask", "React", "Vue", "Terraform"),
    *("Ansible", "Grafana", "Prometheus", "RabbitMQ", "MongoDB", "Elasticsearch", "Celery", "Helm"),
)
_ROLES: Final = (
    *("billing", "search", "login", "report", "export", "import", "mail", "chat", "photo", "video"),
    *("invoice", "order", "stock", "route", "audit", "quota", "cache", "alert", "batch", "proxy"),
)
_SURNAMES_ZH: Final = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗"
_GIVEN_ZH: Final = "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超霞平刚桂英华玉兰"
_CITIES_ZH: Final = (
    "北京",
    "上海",
    "杭州",
    "成都",
    "南京",
    "武汉",
    "西安",
    "苏州",
    "厦门",
    "青岛",
    "大连",
    "昆明",
)
_DRINKS_ZH: Final = ("绿茶", "红茶", "咖啡", "豆浆", "牛奶", "可乐", "果汁", "奶茶")

# Ways of saying one thing, then of saying that it is over.
_WAYS: Final[tuple[tuple[tuple[str, ...], str], ...]] = (
    (
        (
            "{person} lives in {city}.",
            "{person} still lives in {city}.",
            "{person} is living in {city}.",
        ),
        "{person} no longer lives in {city}.",
    ),
    (
        (
            "The {service} service uses {tool} {version}.",
            "The {service} service still uses {tool} {version}.",
            "The {service} service currently uses {tool} {version}.",
        ),
        "The {service} service no longer uses {tool} {version}.",
    ),
    (("{人}住在{城}。", "{人}还是住在{城}。", "{人}一直住在{城}。"), "{人}不再住在{城}了。"),
    (("{人}喜欢喝{饮}。", "{人}很喜欢喝{饮}。", "{人}一直喜欢喝{饮}。"), "{人}不再喜欢喝{饮}了。"),
)


def scope_of(number: int) -> Scope:
    """The scope that the facts of this number belong to."""
    return Scope.project(f"project-{number % SCOPES}")


def generated(count: int, *, seed: int = 0, again: float = 0.4, over: float = 0.02) -> Iterator[Draft]:
    """So many facts, a minute apart.

    Args:
        again: share that says what an earlier one says; over: share that says that it is over.
    """
    random_of = random.Random(seed)
    said: list[tuple[int, int, dict[str, str]]] = []  # (scope, way, words)
    for number in range(count):
        chance = random_of.random()
        if said and chance < again + over:
            # Of late things more often, as people do.
            scope, way, words = said[-1 - int(random_of.random() ** 2 * min(len(said), 400))]
            ways, ended = _WAYS[way]
            text = ended if chance < over else random_of.choice(ways)
        else:
            scope, way, words = number, random_of.randrange(len(_WAYS)), _words(random_of)
            said.append((scope, way, words))
            text = _WAYS[way][0][0]
        yield Draft(
            text=text.format(**words),
            scope=scope_of(scope),
            origin="heuristic",
            created_at=START + timedelta(minutes=number),
        )


def _words(random_of: random.Random) -> dict[str, str]:
    family = random_of.choice(_SURNAMES_ZH)
    given = random_of.choice(_GIVEN_ZH) + random_of.choice(_GIVEN_ZH)
    return {
        "person": f"{random_of.choice(_NAMES)} {random_of.choice(_FAMILIES)}",
        "city": random_of.choice(_CITIES),
        "service": f"{random_of.choice(_ROLES)}-{random_of.choice(_ROLES)}-{random_of.randrange(100)}",
        "tool": random_of.choice(_TOOLS),
        "version": f"{random_of.randrange(1, 9)}.{random_of.randrange(20)}",
        "人": family + given,
        "城": random_of.choice(_CITIES_ZH),
        "饮": random_of.choice(_DRINKS_ZH),
    }


def reflected(path: Path, now: datetime) -> dict[str, Any]:
    """Reflect on the store at a path, in this process: seconds, the peak and what was done."""
    import resource

    from memweir.memory import Memory

    before = _peak_bytes(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    phases: dict[str, float] = {}
    seen: list[tuple[int, int]] = []
    with Memory.open(path, clock=lambda: now) as memory:
        started = time.perf_counter()

        def note(done: int, of: int) -> None:
            if not seen or of != seen[-1][1]:
                phases[f"first of {of}"] = round(time.perf_counter() - started, 1)
            seen.append((done, of))

        done = memory.reflect(progress=note)
        seconds = time.perf_counter() - started
        beliefs = sum(len(memory.beliefs(scope=scope_of(each), limit=1_000)) for each in range(SCOPES))
    return {
        "seconds": round(seconds, 1),
        "peak_bytes": _peak_bytes(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss),
        "peak_before_bytes": before,
        "counts": dict(done.counts),
        "steps": sum(
            done.counts.get(each, 0)
            for each in ("merge", "reinforce", "overwrite", "weaken", "archive", "outdated", "refused")
        ),
        "beliefs_shown": beliefs,
        "phases": phases,
    }


def _peak_bytes(maximum: int) -> int:
    return maximum if sys.platform == "darwin" else maximum * 1024


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a store, reflect on it in another process, print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reflection", description=__doc__)
    parser.add_argument("--facts", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--again", type=float, default=0.4, help="share that says the same again")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(arguments)

    from memweir.memory import Memory
    from memweir.store.records import Stored

    with tempfile.TemporaryDirectory(prefix="memweir-reflection-") as folder:
        path = Path(folder, "memory.db")
        now = START + timedelta(minutes=args.facts, days=1)
        started = time.perf_counter()
        with Memory.open(path, clock=lambda: now) as memory:
            results = memory.remember_many(generated(args.facts, seed=args.seed, again=args.again))
        stored = sum(1 for each in results if isinstance(each, Stored) and each.outcome == "created")
        written = time.perf_counter() - started
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            row = pool.apply(reflected, (path, now))
        size = path.stat().st_size
    row = {"facts": args.facts, "memories": stored, "write_seconds": round(written, 1), **row}
    row["disk_bytes"] = size
    if args.json:
        print(json.dumps({"rows": [row]}, ensure_ascii=False))
        return 0
    for name, value in row.items():
        print(f"{name:>18} {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
