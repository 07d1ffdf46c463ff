"""How long does a turn wait for its memories, and what do they cost on disk?

    python -m benchmarks.latency --size 10000 --json

A store is built from `benchmarks.corpus` (same seed, same store) in a temporary folder; every figure is
taken on it. Warm figures ask each of the questions once after a warm-up, with and without the audit;
cold ones start a new process each time. Times are wall-clock milliseconds.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Final

from benchmarks.corpus import NOW, drafts, questions
from memweir import Memory, Scope

__all__ = ["main", "measure"]

_QUERIES: Final = 300
_WARM_UP: Final = 30
_SINGLE_WRITES: Final = 200
_COLD_RUNS: Final = 5

_COLD: Final = """
import sys, time
began = time.perf_counter()
import memweir
named = time.perf_counter()
from memweir import Memory, Scope
loaded = time.perf_counter()
from datetime import datetime
with Memory.open(sys.argv[1], read_only=True) as memory:
    opened = time.perf_counter()
    recall = memory.recall(
        sys.argv[2], scope=[Scope.parse(each) for each in sys.argv[4:]],
        now=datetime.fromisoformat(sys.argv[3]), record=False,
    )
    first = time.perf_counter()
rss = 0
try:
    # Not getrusage on Linux: there the peak of the process that started this one counts too.
    with open("/proc/self/status", encoding="ascii") as status:
        rss = next(1024 * int(line.split()[1]) for line in status if line.startswith("VmHWM"))
except (OSError, StopIteration):
    if sys.platform == "darwin":
        import resource
        rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
import json
print(json.dumps({
    "import_memweir": named - began, "import_engine": loaded - named, "open": opened - loaded,
    "first_recall": first - opened, "rss_bytes": rss,
}))
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Measure each size and print the report."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.latency", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--size", type=int, nargs="+", default=[10_000], metavar="N", help="memories")
    parser.add_argument("--queries", type=int, default=_QUERIES, metavar="N")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", action="store_true", help="the JSON only, without the table")
    args = parser.parse_args(argv)
    report = {
        "machine": _machine(),
        "seed": args.seed,
        "queries": args.queries,
        "rows": [measure(size, queries=args.queries, seed=args.seed) for size in args.size],
    }
    print(json.dumps(report, indent=None if args.json else 2))
    if not args.json:
        _print_table(report["rows"])
    return 0


def measure(size: int, *, queries: int, seed: int) -> dict[str, object]:
    """One row of the report: a store of `size` memories, built, asked and weighed."""
    with tempfile.TemporaryDirectory(prefix="memweir-latency-") as folder:
        path = Path(folder) / "memory.db"
        told = drafts(size + _SINGLE_WRITES, seed=seed)
        asked = questions(queries, seed=seed)
        with Memory.open(path, clock=lambda: NOW) as memory:
            bulk = list(islice(told, size))
            began = time.perf_counter()
            memory.remember_many(bulk)
            bulk_seconds = time.perf_counter() - began
            stored = memory.stats().memories.get("active", 0)
        disk = sum(each.stat().st_size for each in Path(folder).iterdir())
        with Memory.open(path, clock=lambda: NOW) as memory:
            with_audit, injected = _ask(memory, asked, record=True)
            without, _ = _ask(memory, asked, record=False)
            single = [_timed(memory.remember_many, [draft]) for draft in told]
        cold = _cold(path, asked[0])
    return {
        "size": size,
        "stored": stored,
        "recall_p50_ms": _percentile(with_audit, 50),
        "recall_p95_ms": _percentile(with_audit, 95),
        "recall_p99_ms": _percentile(with_audit, 99),
        "recall_unrecorded_p50_ms": _percentile(without, 50),
        "recall_unrecorded_p95_ms": _percentile(without, 95),
        "recall_unrecorded_p99_ms": _percentile(without, 99),
        "injecting": round(injected / len(asked), 3),
        "add_p50_ms": _percentile(single, 50),
        "add_p95_ms": _percentile(single, 95),
        "bulk_per_s": round(size / bulk_seconds),
        "disk_bytes": disk,
        **cold,
    }


def _ask(
    memory: Memory, asked: Sequence[tuple[str, tuple[Scope, ...]]], *, record: bool
) -> tuple[list[float], int]:
    """(milliseconds of every question, how many got a block)."""
    for text, scope in asked[:_WARM_UP]:
        memory.recall(text, scope=scope, record=record)
    times, injected = [], 0
    with _no_collection():
        for text, scope in asked:
            began = time.perf_counter()
            result = memory.recall(text, scope=scope, record=record)
            times.append(1000 * (time.perf_counter() - began))
            injected += bool(result)
    return times, injected


def _timed(call: Callable[..., object], *arguments: object) -> float:
    began = time.perf_counter()
    call(*arguments)
    return 1000 * (time.perf_counter() - began)


@contextmanager
def _no_collection() -> Iterator[None]:
    """The garbage of the benchmark itself is not collected inside a measurement."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _cold(path: Path, question: tuple[str, tuple[Scope, ...]]) -> dict[str, object]:
    """Medians of several new processes; the file is in the page cache."""
    text, scope = question
    runs = []
    for _ in range(_COLD_RUNS):
        done = subprocess.run(
            [sys.executable, "-c", _COLD, str(path), text, NOW.isoformat(), *map(str, scope)],
            capture_output=True,
            encoding="utf-8",
            check=True,
            env={**os.environ, "PYTHONUTF8": "1"},
        )
        runs.append(json.loads(done.stdout))
    steps = ("import_memweir", "import_engine", "open", "first_recall")
    medians = {name: 1000 * statistics.median(run[name] for run in runs) for name in steps}
    total = 1000 * statistics.median(sum(run[name] for name in steps) for run in runs)
    return {
        **{f"cold_{name}_ms": round(value, 3) for name, value in medians.items()},
        "cold_ms": round(total, 3),
        "rss_bytes": round(statistics.median(run["rss_bytes"] for run in runs)),
    }


def _percentile(times: Sequence[float], percent: int) -> float:
    """Nearest rank: the smallest time that `percent` of them do not exceed, in milliseconds."""
    ordered = sorted(times)
    rank = -(-len(ordered) * percent // 100)
    return round(ordered[max(rank, 1) - 1], 3)


def _machine() -> dict[str, object]:
    import apsw
    import numpy as np

    try:
        import sqlite_vec

        vectors = f"sqlite-vec {sqlite_vec.__version__}"
    except ImportError:
        vectors = "numpy"
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "sqlite": apsw.sqlite_lib_version(),
        "numpy": np.__version__,
        "vectors": vectors,
    }


def _print_table(rows: Sequence[dict[str, object]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table()
    table.add_column("figure")
    for row in rows:
        table.add_column(f"{row['size']:,}", justify="right")
    for name in rows[0]:
        if name != "size":
            table.add_row(name, *(f"{row[name]:,}" for row in rows))
    Console().print(table)


if __name__ == "__main__":
    sys.exit(main())
