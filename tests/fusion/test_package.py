"""Does the room export what it says and load nothing heavy?"""

from __future__ import annotations

import os
import pkgutil
import subprocess
import sys
from importlib import import_module

import memweir.fusion as room
from memweir.fusion import types
from memweir.fusion.entries import _PATH_ORDER
from memweir.retrieval.types import PATHS


def test_exported_names_are_sorted_unique_and_there() -> None:
    modules = [
        import_module(f"memweir.fusion.{each.name}") for each in pkgutil.iter_modules(room.__path__)
    ]
    assert len(modules) >= 12
    for module in (room, *modules):
        names = list(module.__all__)
        constants = sorted(name for name in names if name.isupper())
        classes = sorted(name for name in names if name[0].isupper() and not name.isupper())
        functions = sorted(name for name in names if name[0].islower())
        assert names == constants + classes + functions, module.__name__
        assert all(hasattr(module, name) for name in names)


def test_every_type_is_exported_by_the_room() -> None:
    assert set(types.__all__) <= set(room.__all__)


def test_paths_are_shown_in_the_order_in_which_retrieval_names_them() -> None:
    assert _PATH_ORDER == PATHS


def test_importing_the_room_loads_no_database_no_numpy_and_no_other_room() -> None:
    code = (
        "import sys, memweir.fusion; "
        "print(sorted({name.split('.')[0] for name in sys.modules} "
        "& {'numpy', 'apsw', 'sqlite3', 'sklearn', 'networkx', 'rjieba', 'opencc'}), "
        "sorted(name for name in sys.modules if name.startswith('memweir.') "
        "and name.split('.')[1] in ('store', 'retrieval')))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[] []"


PIPELINE = """
from datetime import date
from memweir.fusion import *
ids = [f"m{n}" for n in range(40)]
fused = rrf({"keyword": ids, "semantic": ids[::-1], "graph": ids[::3]}, config=RrfConfig())
memories = {
    each: Candidate(
        each, f"text {each}", relevance=n / 40, confidence=0.9, group="g" if n % 9 == 0 else "",
        unused=n % 5 == 0, one_off=n % 7 == 0, contested=f"m{n - 3}" if n % 4 == 0 else "",
        fingerprint=frozenset(f"t{t}" for t in range(n // 2, n // 2 + 30)),
    )
    for n, each in enumerate(ids)
}
scored = rerank(fused, memories, config=RerankConfig())
duplicates = collapse(scored)
judged = judge(scored, config=GateConfig(), duplicates=duplicates)
print(render(judged, today=date(2026, 11, 1), budget=Budget(items=9), mode="assist"))
print(duplicates, scored[3].why)
"""


def test_the_whole_way_gives_the_same_bytes_whatever_the_hash_seed() -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", PIPELINE],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    ]
    assert b"<memory id=" in outputs[0]
    assert b"'duplicate'" in outputs[0]
    assert outputs[0] == outputs[1] == outputs[2]
