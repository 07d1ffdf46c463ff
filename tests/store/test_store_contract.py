"""Do all stores keep the same promises? The contract, against each of them."""

from __future__ import annotations

from pathlib import Path

from memweir.store.entry import Indexer
from memweir.store.seam import Store
from memweir.store.sqlite import SqliteStore
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


class TestPlainStore(StoreContract):
    def open_store(self, folder: Path, indexer: Indexer) -> Store:
        return PlainStore(indexer)
