"""Does a reflection that is killed, wherever it is, end as one that nobody disturbed?"""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

# benchmarks/ is not installed, and a bare `pytest` does not look here.
sys.path.append(str(Path(__file__).resolve().parents[2]))

from benchmarks.reflection import START, generated
from memweir import Memory

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system cannot kill like that"),
]

FACTS = 2_000
NOW = START + timedelta(days=9)
ROUNDS = 3

REFLECT = """
import sys
from datetime import datetime
from memweir import Memory
now = datetime.fromisoformat(sys.argv[2])
with Memory.open(sys.argv[1], clock=lambda: now) as memory:
    print("open", flush=True)
    memory.reflect()
    print("done", flush=True)
"""


def _start(path: Path, now: datetime) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", REFLECT, str(path), now.isoformat()],
        stdout=subprocess.PIPE,
        text=True,
    )


def _dump(path: Path) -> dict[str, list[Any]]:
    """All that a reflection leaves, in no order of rows."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    tables = {
        "memory": "id, text, layer, status, superseded_by, supersedes, invalid_at, invalidated_at, "
        "valid_at, round(alpha, 9), round(beta, 9), semantic_key, provenance, created_at",
        "belief_evidence": "belief_id, memory_id, at, against",
        "belief_revision": "belief_id, number, at, reason, wording, strength, evidence",
        "reflection": "period, at, state, report",
        "reflection_step": "period, number, step",
    }
    try:
        return {
            name: sorted(connection.execute(f"SELECT {columns} FROM {name}").fetchall(), key=repr)
            for name, columns in tables.items()
        }
    finally:
        connection.close()


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of generated facts on which nobody reflected."""
    path = tmp_path_factory.mktemp("told") / "memory.db"
    with Memory.open(path, clock=lambda: NOW) as memory:
        # Much is said again: many steps.
        memory.remember_many(generated(FACTS, seed=7, again=0.7))
    return path


@pytest.fixture(scope="module")
def undisturbed(told: Path) -> tuple[dict[str, list[Any]], float]:
    """What is left by a reflection that runs through, and the seconds that it takes."""
    path = told.with_name("undisturbed.db")
    shutil.copy(told, path)
    with _start(path, NOW) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "open\n"
        started = time.monotonic()
        assert child.wait(120) == 0
        seconds = time.monotonic() - started
    return _dump(path), seconds


def test_the_undisturbed_run_does_something(undisturbed: tuple[dict[str, list[Any]], float]) -> None:
    dump, _ = undisturbed
    assert sum(1 for row in dump["memory"] if row[2] == "belief") > 100
    assert dump["reflection_step"] == []
    assert [row[2] for row in dump["reflection"]] == ["done"]


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_killed_at_any_moment_and_run_again_it_ends_in_the_same_state(
    told: Path, undisturbed: tuple[dict[str, list[Any]], float], seed: int
) -> None:
    expected, seconds = undisturbed
    path = told.with_name(f"killed-{seed}.db")
    shutil.copy(told, path)
    random_of = random.Random(seed)
    for _ in range(2):
        with _start(path, NOW) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == "open\n"
            time.sleep(random_of.random() * seconds)
            child.kill()
    with Memory.open(path, clock=lambda: NOW) as memory:
        memory.reflect()
    assert _dump(path) == expected


def test_killed_between_two_steps_it_goes_on_days_later_as_if_it_were_the_same_day(
    told: Path, undisturbed: tuple[dict[str, list[Any]], float]
) -> None:
    path = told.with_name("later.db")
    shutil.copy(told, path)

    class Killed(Exception):
        pass

    told_before: list[tuple[int, int]] = [(0, 0)]

    def kill(done: int, of: int) -> None:
        # What comes in fifties is carried out; facts are planned for in groups of a few.
        if done == 100 and told_before[-1] == (50, of):
            raise Killed
        told_before.append((done, of))

    with Memory.open(path, clock=lambda: NOW) as memory, pytest.raises(Killed):
        memory.reflect(progress=kill)
    later = NOW + timedelta(days=5)
    with Memory.open(path, clock=lambda: later) as memory:
        done = memory.reflect()
        assert (done.resumed, done.period) == (True, NOW.astimezone().date().isoformat())
    assert _dump(path) == undisturbed[0]
