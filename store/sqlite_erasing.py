"""How does the store on SQLite erase? The plan, the act with its aftermath, and the receipts."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from memweir.errors import StoreError
from memweir.store import erasing, remains, rows
from memweir.store.database import mapped_errors
from memweir.store.erasure import ErasePlan, EraseReceipt, EraseTarget
from memweir.store.scopes import Scope
from memweir.store.sqlite_parts import SqlitePart

__all__ = ["SqliteErasing"]

_ACT_KEY = 16  # bytes


class SqliteErasing(SqlitePart):
    """Verbs of `memweir.store.sqlite.SqliteStore` that take away for good."""

    def plan_erasure(self, target: EraseTarget, scopes: Sequence[Scope]) -> ErasePlan:
        """What an erasure would take; nothing is written.

        Raises:
            NotFoundError: one of the ids is not of the scopes; ScopeError: no scope.
            EmbedderError, MissingExtra: by subject, where the name cannot be indexed.
        """
        name = erasing.name_of(target, self._indexer)
        with self.snapshot(), self._reading() as connection:
            return erasing.plan_erasure(connection, target, name, scopes, key=self._key)

    def erase(
        self,
        target: EraseTarget,
        scopes: Sequence[Scope],
        token: str,
        *,
        now_ms: int,
        random_bytes: Callable[[int], bytes] = os.urandom,
    ) -> EraseReceipt:
        """Erase what a plan showed: the rows in one transaction, then what they leave in the files.

        The second part may wait for other processes; the receipt says so. Nothing undoes either.

        Args:
            token: of the plan that a person has seen and confirmed.
            random_bytes: makes the key of the receipt.

        Raises:
            ReviewStale: what would go is not what was planned; nothing is erased.
            NotFoundError, ScopeError: see `plan_erasure`; StoreReadOnly, StoreBusy, StoreFull.
        """
        self._check_writable()
        name = erasing.name_of(target, self._indexer)
        with self._connected() as connection:
            with remains.thorough(connection), self._writer(now_ms) as writer:
                receipt = erasing.erase(
                    writer,
                    self._indexer,
                    target,
                    name,
                    scopes,
                    token,
                    now_ms=now_ms,
                    key=self._key,
                    act_key=random_bytes(_ACT_KEY),
                )
            rows.forget_scopes(connection)
            with suppress(StoreError), mapped_errors():
                remains.finish(connection)
            left = remains.left(connection)
        compacted, truncated = left != remains.COMPACT, left == remains.DONE
        return replace(receipt, compacted=compacted, wal_truncated=truncated)

    def finish_erasure(self) -> bool:
        """Do what an erasure could not: write the file anew, cut the log off. Whether nothing is left.

        Raises:
            StoreBusy: another process is writing; StoreFull, StoreReadOnly.
        """
        self._check_writable()
        with self._connected() as connection:
            return remains.finish(connection) == remains.DONE

    def erasures(self, limit: int = 20) -> list[EraseReceipt]:
        """The receipts of the last erasures, newest first, with what is left to do by now."""
        with self._reading() as connection:
            return erasing.erasures(connection, limit)

    def _resume_erasure(self) -> None:
        """Do what a crash or a reader left undone, where nobody has to be waited for."""
        with self._connected() as connection, suppress(StoreError), mapped_errors():
            if remains.left(connection) != remains.DONE:
                remains.finish(connection, wait=False)
