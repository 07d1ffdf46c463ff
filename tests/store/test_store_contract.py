"""Do all stores keep the same promises? The contract, against each of them."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

from memweir.store.entry import Indexer
from memweir.store.seam import Reader, Store
from memweir.store.sqlite import SqliteStore
from memweir.store.view import View
from memweir.testing import PlainIndexer, PlainStore, StoreContract


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


def _verbs() -> set[str]:
    return {name for name in (*vars(Reader), *vars(Store)) if not name.startswith("_")}


@pytest.mark.parametrize("kind", [SqliteStore, PlainStore])
def test_a_store_has_every_verb_of_the_seam_with_the_same_arguments(kind: type) -> None:
    for name in sorted(_verbs()):
        promised = inspect.signature(getattr(Store, name)).parameters
        given = inspect.signature(getattr(kind, name)).parameters
        assert [(each.name, each.kind, each.default) for each in given.values()] == [
            (each.name, each.kind, each.default) for each in promised.values()
        ], name


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
