"""What do the parts of the store on SQLite count on? Its connection, and how it reads and writes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager

import apsw

from memweir.store.entry import Indexer
from memweir.store.scopes import Scope
from memweir.store.writes import Writer

__all__ = ["SqlitePart"]


class SqlitePart(ABC):
    """Of what a part is made; `memweir.store.sqlite.SqliteStore` is all of them, and provides it."""

    _indexer: Indexer
    _key: bytes

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[None]:
        """Reads inside see one state."""

    @abstractmethod
    def _connected(self) -> AbstractContextManager[apsw.Connection]:
        """The connection, held against other threads."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[apsw.Connection]:
        """The connection, for what reads rows and nothing else."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[apsw.Connection]:
        """The connection inside a transaction."""

    @abstractmethod
    def _writer(self, now_ms: int) -> AbstractContextManager[Writer]:
        """The writes of one transaction."""

    @abstractmethod
    def _gated(self, now_ms: int, scope: Scope | None = None) -> AbstractContextManager[None]:
        """A refusal inside goes into the ledger."""

    @abstractmethod
    def _check_writable(self) -> None:
        """Raises: StoreClosed, StoreReadOnly."""
