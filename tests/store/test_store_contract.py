"""Do all stores keep the same promises? The contract, against each of them."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from memweir.errors import MemweirError, NotFoundError
from memweir.store.entry import Indexer
from memweir.store.policy import WritePolicy
from memweir.store.records import Stored
from memweir.store.seam import Reader, Store
from memweir.store.sqlite import SqliteStore
from memweir.store.view import View
from memweir.testing import SCOPE, PlainIndexer, PlainStore, StoreContract, draft
from memweir.testing.contract.base import run_of


class TestSqliteStoreWithVectorsInSql(StoreContract):
    def open_store(self, folder: Path, indexer: Indexer) -> Store:
        return SqliteStore.open(folder / "memory.db", indexer, vectors_in_sql=True)


class TestSqliteStoreWithVectorsInNumpy(StoreContract):
    def open_store(self, folder: Path, indexer: Indexer) -> Store:
        return SqliteStore.open(folder / "memory.db", indexer, vectors_in_sql=False)


class TestSqliteStoreWithDenseVectors(StoreContract):
    indexer = PlainIndexer(sparse=False)

    def open_store(self, folder: Path, indexer: Indexer) -> Store:
        return SqliteStore.open(folder / "memory.db", indexer)


class TestSqliteStoreWithHybridVectorsInSql(StoreContract):
    indexer = PlainIndexer(dim=272, tail=16)

    def open_store(self, folder: Path, indexer: Indexer) -> Store:
        return SqliteStore.open(folder / "memory.db", indexer, vectors_in_sql=True)


class TestSqliteStoreWithHybridVectorsInNumpy(StoreContract):
    indexer = PlainIndexer(dim=272, tail=16)

    def open_store(self, folder: Path, indexer: Indexer) -> Store:
        return SqliteStore.open(folder / "memory.db", indexer, vectors_in_sql=False)


class TestPlainStoreWithHybridVectors(StoreContract):
    indexer = PlainIndexer(dim=272, tail=16)

    def open_store(self, folder: Path, indexer: Indexer) -> Store:
        return PlainStore(indexer)


class TestPlainStore(StoreContract):
    def open_store(self, folder: Path, indexer: Indexer) -> Store:
        return PlainStore(indexer)


_NAMES = {"analyzer", "embedder"}  # what a store is, not what it is asked


def _verbs() -> set[str]:
    return {name for name in (*vars(Reader), *vars(Store)) if not name.startswith("_")} - _NAMES


@pytest.mark.parametrize("kind", [SqliteStore, PlainStore])
def test_a_store_has_every_verb_of_the_seam_with_the_same_arguments(kind: type) -> None:
    for name in sorted(_verbs()):
        promised = inspect.signature(getattr(Store, name)).parameters
        given = inspect.signature(getattr(kind, name)).parameters
        assert [(each.name, each.kind, each.default) for each in given.values()] == [
            (each.name, each.kind, each.default) for each in promised.values()
        ], name
    assert all(isinstance(vars(base)[name], property) for name in _NAMES for base in _bases(kind, name))


def _bases(kind: type, name: str) -> list[type]:
    return [base for base in kind.__mro__ if name in vars(base)][:1]


@pytest.mark.parametrize("kind", [SqliteStore, PlainStore])
def test_a_policy_lets_personal_data_in_and_asks_about_no_contradiction(
    kind: type, tmp_path: Path
) -> None:
    policy = WritePolicy(quarantine_personal_data=False, ask_contradictions=False)
    indexer = PlainIndexer()
    store: Store = PlainStore(indexer, policy=policy)
    if kind is SqliteStore:
        store = SqliteStore.open(tmp_path / "memory.db", indexer, policy=policy)
    texts = ("call 13800138000", "deployment is allowed", "deployment is not allowed")
    stored = store.add_many([draft(text) for text in texts], now_ms=0)
    assert [each.status for each in stored if isinstance(each, Stored)] == ["active"] * 3
    edited = store.edit(_first(stored), (SCOPE,), {"text": "call 13900139000"}, now_ms=1)
    assert edited.status == "active"
    assert store.restore(_first(stored), (SCOPE,), now_ms=2).status == "active"
    # Two values of one key are asked about whatever the policy: one of them would be lost.
    told = [draft(f"port is {n}", semantic_key="port") for n in (22, 23)]
    stored = store.add_many(told, now_ms=3)
    assert [each.status for each in stored if isinstance(each, Stored)] == ["active", "quarantined"]
    assert len(store.reviews((SCOPE,), now_ms=3, limit=9)) == 1
    store.close()


@pytest.mark.parametrize("kind", [SqliteStore, PlainStore])
def test_a_recall_that_the_audit_has_forgotten_is_not_found(kind: type, tmp_path: Path) -> None:
    indexer = PlainIndexer()
    store: Store = PlainStore(indexer, keep_runs=2)
    if kind is SqliteStore:
        store = SqliteStore.open(tmp_path / "memory.db", indexer, keep_runs=2)
    memory_id = _first(store.add_many([draft("uses pnpm")], now_ms=0))
    runs = [
        store.record_run(run_of([memory_id], injected=(memory_id,), at_ms=n, terms=(f"t{n}",)))
        for n in range(3)
    ]
    with pytest.raises(NotFoundError):
        store.injected(store.injection_id(runs[0], 0))
    with pytest.raises(NotFoundError):
        store.read_run(runs[0])
    assert store.injected(store.injection_id(runs[1], 0)) == (memory_id, runs[1])
    assert store.last_used([memory_id], 1) == {}
    learned = store.feedback(memory_id, "helped", None, now_ms=3).learned_terms
    assert learned == ("t2", "t1")
    store.close()


def _first(stored: Sequence[Stored | MemweirError]) -> str:
    assert isinstance(stored[0], Stored)
    return stored[0].id


def test_the_contract_asks_every_verb_of_the_seam_of_a_closed_store() -> None:
    source = inspect.getsource(StoreContract.test_a_closed_store_says_so_on_every_verb)
    asked = set(re.findall(r"store\.(\w+)", source))
    assert _verbs() - asked == set()


def test_the_doubles_can_be_imported_without_pytest() -> None:
    code = "import sys; sys.modules['pytest'] = None; import memweir.testing as t; t.PlainStore()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_store_of_its_own_kind_is_held_to_the_contract(tmp_path: Path) -> None:
    class Forgetful(PlainStore):
        def count(self, view: View) -> int:
            return 0

    class Contract(StoreContract):
        def open_store(self, folder: Path, indexer: Indexer) -> Store:
            return Forgetful(indexer)

    with pytest.raises(AssertionError):
        Contract().test_the_same_fact_told_twice_is_one_memory_with_two_pieces_of_evidence(tmp_path)
    with pytest.raises(NotImplementedError):
        StoreContract().open_store(tmp_path, PlainIndexer())
