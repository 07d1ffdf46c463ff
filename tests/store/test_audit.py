"""What does the audit keep, and what not? Runs, their retention, keyed hashes, the ledger."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memweir.errors import RefusedError
from memweir.store.audit import DecisionRow, Run
from memweir.store.identity import query_hash
from memweir.store.records import Stored, to_ms
from memweir.store.scopes import Scope
from memweir.store.sqlite import SqliteStore
from memweir.testing import NOW, SCOPE, PlainIndexer, PlainStore, draft

Sql = Callable[..., list[tuple[Any, ...]]]

_NOW_MS = to_ms(NOW)


def _decision(memory_id: str, rank: int = 1) -> DecisionRow:
    return DecisionRow(memory_id, rank, "use", "strong", 0.5, 0.4, 0.3, 0.2, 0.1, {"keyword": rank})


def _run(store: SqliteStore | PlainStore, *ids: str, at_ms: int = _NOW_MS, text: str = "q") -> Run:
    decisions = tuple(_decision(each, place + 1) for place, each in enumerate(ids))
    return Run(at_ms, store.hash_query(text), (SCOPE,), "assist", decisions, ids)


def _add(store: SqliteStore | PlainStore, text: str) -> str:
    result = store.add_many([draft(text)], now_ms=_NOW_MS)[0]
    assert isinstance(result, Stored)
    return result.id


def test_only_the_newest_runs_are_kept_with_all_that_belongs_to_them(
    open_store: Callable[..., SqliteStore], sql: Sql
) -> None:
    store = open_store(keep_runs=3)
    memory_id = _add(store, "word")
    numbers = [store.record_run(_run(store, memory_id, at_ms=_NOW_MS + n)) for n in range(7)]
    assert numbers == [1, 2, 3, 4, 5, 6, 7]
    for table, column in (("run", "id"), ("decision", "run_id"), ("injection", "run_id")):
        assert sql(f"SELECT {column} FROM {table} ORDER BY 1") == [(5,), (6,), (7,)]
    trail = store.trail(memory_id, (SCOPE,))
    assert [each["run_id"] for each in trail.decisions] == [7, 6, 5]
    assert store.fetch(memory_id, (SCOPE,)).recall_count == 7  # counted, not kept
    # Numbers are never given twice, so that a run id in a log means one run.
    store.close()
    store = open_store(keep_runs=1)
    assert store.record_run(_run(store)) == 8
    assert sql("SELECT id FROM run") == [(8,)]
    assert sql("SELECT * FROM decision") == []


def test_keeping_no_runs_keeps_none(open_store: Callable[..., SqliteStore], sql: Sql) -> None:
    store = open_store(keep_runs=0)
    assert [store.record_run(_run(store)) for _ in range(2)] == [1, 2]
    assert sql("SELECT * FROM run") == []


def test_the_plain_store_forgets_runs_alike() -> None:
    store = PlainStore(keep_runs=2)
    memory_id = _add(store, "word")
    for _ in range(5):
        store.record_run(_run(store, memory_id))
    assert [each["run_id"] for each in store.trail(memory_id, (SCOPE,)).decisions] == [5, 4]


def test_a_trail_shows_the_newest_twenty_decisions(store: SqliteStore) -> None:
    memory_id = _add(store, "word")
    for _ in range(25):
        store.record_run(_run(store, memory_id))
    decisions = store.trail(memory_id, (SCOPE,)).decisions
    assert [each["run_id"] for each in decisions] == list(range(25, 5, -1))


def test_a_query_is_in_no_byte_of_any_file(
    store: SqliteStore, sql: Sql, every_byte: Callable[[], bytes]
) -> None:
    text = "where does quixotic zephyrine live"
    store.record_run(_run(store, text=text))
    assert sql("SELECT query_hash FROM run") == [(store.hash_query(text),)]
    for _ in range(2):
        found = every_byte()
        for word in ("quixotic", "zephyrine"):
            assert word.encode() not in found
        store.close()


def test_the_key_of_the_hashes_is_made_once_and_is_the_stores_own(
    open_store: Callable[..., SqliteStore], tmp_path: Path
) -> None:
    store = open_store(random_bytes=lambda count: b"k" * count)
    assert store.hash_query("q") == query_hash("q", b"k" * 16)
    store.close()
    again = open_store(random_bytes=lambda count: b"other" * count)
    assert again.hash_query("q") == query_hash("q", b"k" * 16)
    other = SqliteStore.open(tmp_path / "other.db", PlainIndexer())
    third = SqliteStore.open(tmp_path / "third.db", PlainIndexer())
    assert len({each.hash_query("q") for each in (again, other, third)}) == 3
    other.close()
    third.close()


def test_a_run_names_only_scopes_that_hold_something(store: SqliteStore, sql: Sql) -> None:
    _add(store, "word")
    run = Run(_NOW_MS, "0" * 32, (SCOPE, Scope.session("nobody")), "assist", (), ())
    store.record_run(run)
    assert sql("SELECT scopes, candidates, abstained FROM run") == [("[1]", 0, "")]
    assert sql("SELECT key FROM scope") == [("atlas",)]  # asking stores no scope


def test_a_decision_about_one_memory_is_kept_once(store: SqliteStore) -> None:
    memory_id = _add(store, "word")
    rows = (_decision(memory_id, 1), _decision(memory_id, 2))
    store.record_run(Run(_NOW_MS, "0" * 32, (SCOPE,), "assist", rows, (memory_id,)))
    assert [each["rank"] for each in store.trail(memory_id, (SCOPE,)).decisions] == [2]


def test_every_change_of_a_memory_is_in_its_ledger(store: SqliteStore) -> None:
    first = _add(store, "word")
    store.add_many([draft("word"), draft("newer", supersedes=first)], now_ms=_NOW_MS + 1)
    store.forget(first, (SCOPE,), now_ms=_NOW_MS + 2)
    store.restore(first, (SCOPE,), now_ms=_NOW_MS + 3)
    ledger = store.trail(first, (SCOPE,)).ledger
    assert [(each["at"] - _NOW_MS, each["action"]) for each in ledger] == [  # type: ignore[operator]
        (3, "restored"),
        (2, "forgotten"),
        (1, "superseded"),
        (1, "confirmed"),
        (0, "created"),
    ]


@pytest.mark.parametrize("kind", ["sqlite", "plain"])
def test_an_answer_counts_only_the_runs_that_used_it(store: SqliteStore, kind: str) -> None:
    used: SqliteStore | PlainStore = store if kind == "sqlite" else PlainStore()
    answer = used.put_answer(SCOPE, "Ada", {"owner": "Owner?"}, now_ms=_NOW_MS)
    for answer_id in (answer.id, None, "ans_unknown", answer.id):
        used.record_run(Run(_NOW_MS, "0" * 32, (SCOPE,), "assist", (), (), answer_id=answer_id))
    found = used.find_answer((SCOPE,), "owner")
    assert found is not None
    assert found.hits == 2


def test_a_phrasing_stays_with_the_answer_it_was_given_first(store: SqliteStore) -> None:
    first = store.put_answer(SCOPE, "Ada", {"a": "A?", "b": "B?"}, now_ms=_NOW_MS)
    with pytest.raises(RefusedError, match=first.id):
        store.put_answer(SCOPE, "Grace", {"c": "C?", "b": "B!"}, now_ms=_NOW_MS)
    assert [store.find_answer((SCOPE,), key) for key in "abc"] == [first, first, None]
