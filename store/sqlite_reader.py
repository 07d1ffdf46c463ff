"""How does the store answer the candidate queries? The reading half of the seam on SQLite."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import apsw

from memweir.errors import EmbedderError, EmbedderMismatch
from memweir.store import audit, reads, reviews
from memweir.store.annals import read_annals
from memweir.store.history import History, tell
from memweir.store.indexing import read_vector_statistics
from memweir.store.records import Record
from memweir.store.scopes import Scope
from memweir.store.sqlite_parts import SqlitePart
from memweir.store.statements import statements
from memweir.store.view import Blocked, View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["SqliteReader"]


class SqliteReader(SqlitePart):
    """Implements `memweir.store.seam.Reader` but for `snapshot`. See `memweir.store.reads`."""

    _vectors_in_sql: bool
    _workspaces: tuple[int, int] = (-1, 0)  # (changes seen, indexed memories of all workspaces)

    def _built_by(self, connection: apsw.Connection, name: str) -> str:
        return str(connection.execute(statements("memory")["meta_get"], {"key": name}).get or "")

    def keyword(self, view: View, match: reads.TermMatch, limit: int) -> list[tuple[str, float]]:
        with self._reading() as connection:
            return reads.keyword(connection, view, match, limit)

    def matching(self, view: View, match: reads.TermMatch, limit: int) -> list[str]:
        with self._reading() as connection:
            return reads.matching(connection, view, match, limit)

    def substring(self, view: View, raw: str, folded: str, limit: int) -> list[str]:
        with self._reading() as connection:
            return reads.substring(connection, view, raw, folded, limit)

    def nearest(self, view: View, query: NDArray[np.float32], limit: int) -> list[reads.VectorHit]:
        with self._reading() as connection:
            self._check_vector(connection, query)
            tail, in_sql = self._indexer.tail, self._vectors_in_sql
            return reads.nearest(connection, view, query, limit, tail=tail, in_sql=in_sql)

    def similarity(self, query: NDArray[np.float32], ids: Sequence[str]) -> dict[str, reads.VectorHit]:
        with self._reading() as connection:
            self._check_vector(connection, query)
            return reads.similarity(connection, query, ids, tail=self._indexer.tail)

    def event_window(self, view: View, start_ms: int, end_ms: int, limit: int) -> list[reads.TimedHit]:
        with self._reading() as connection:
            return reads.event_window(connection, view, start_ms, end_ms, limit)

    def created_window(
        self, view: View, start_ms: int, end_ms: int, limit: int
    ) -> list[reads.TimedHit]:
        with self._reading() as connection:
            return reads.created_window(connection, view, start_ms, end_ms, limit)

    def latest(self, view: View, limit: int) -> list[reads.TimedHit]:
        with self._reading() as connection:
            return reads.latest(connection, view, limit)

    def pinned(self, view: View, limit: int) -> list[str]:
        with self._reading() as connection:
            return reads.pinned(connection, view, limit)

    def beliefs(self, view: View, limit: int) -> list[str]:
        with self._reading() as connection:
            return reads.beliefs(connection, view, limit)

    def records(self, view: View, ids: Sequence[str]) -> dict[str, Record]:
        with self._reading() as connection:
            return reads.records(connection, view, ids)

    def count(self, view: View) -> int:
        with self._reading() as connection:
            return reads.count(connection, view)

    def entities_named(self, norms: Sequence[str]) -> dict[str, int]:
        with self._reading() as connection:
            return reads.entities_named(connection, norms)

    def entities_of(self, view: View, ids: Sequence[str]) -> list[reads.Mention]:
        with self._reading() as connection:
            return reads.entities_of(connection, view, ids)

    def mentions_of(self, view: View, entity: int, limit: int) -> list[reads.Mention]:
        with self._reading() as connection:
            return reads.mentions_of(connection, view, entity, limit)

    def relations_at(self, view: View, entity: int, limit: int) -> list[reads.Edge]:
        with self._reading() as connection:
            return reads.relations_at(connection, view, entity, limit)

    def entity_name(self, entity: int) -> str:
        with self._reading() as connection:
            return reads.entity_name(connection, entity)

    def neighbours(self, view: View, ids: Sequence[str]) -> dict[str, reads.Neighbours]:
        with self._reading() as connection:
            return reads.neighbours(connection, view, ids)

    def term_statistics(self, view: View, terms: Iterable[str]) -> reads.TermStatistics:
        with self._reading() as connection:
            return reads.term_statistics(connection, view, terms)

    def vector_statistics(self) -> reads.VectorStatistics:
        with self._reading() as connection:
            head = self._indexer.dim - self._indexer.tail
            return reads.VectorStatistics(*read_vector_statistics(connection, head))

    def group_mates(self, view: View, groups: Sequence[str]) -> list[str]:
        with self._reading() as connection:
            return reads.group_mates(connection, view, groups)

    def contested(self, view: View, ids: Sequence[str]) -> dict[str, str]:
        with self._reading() as connection:
            return reviews.contested(connection, ids, known_ms=view.known_ms)

    def replacing(self, view: View, ids: Sequence[str]) -> dict[str, str]:
        with self._reading() as connection:
            return reviews.replacing(connection, ids, known_ms=view.known_ms)

    def last_used(self, ids: Sequence[str], before_ms: int) -> dict[str, int]:
        with self._reading() as connection:
            return audit.last_used(connection, ids, before_ms=before_ms)

    def incidents(self, view: View, match: reads.TermMatch, limit: int) -> list[str] | None:
        with self._reading() as connection:
            return reads.incidents(connection, view, match, limit)

    def scenes(self, view: View) -> list[str]:
        with self._reading() as connection:
            return reads.scenes(connection, view)

    def blocked(self, view: View) -> Blocked:
        with self._reading() as connection:
            found = reads.blocked(connection, view)
            changes = self._changes(connection)
            if changes != self._workspaces[0]:
                self._workspaces = (changes, reads.workspace_documents(connection, None))
            asked = [each for each in view.scopes if each.kind == "workspace"]
            own = reads.workspace_documents(connection, asked) if asked else 0
            return replace(found, workspace=max(self._workspaces[1] - own, 0))

    def position(self) -> tuple[int, int]:
        """(how many transactions have changed what the store holds, last line of the ledger).

        Recalls change nothing.
        """
        with self._reading() as connection:
            last = connection.execute(statements("audit")["ledger_last"]).get
            return self._changes(connection), int(last or 0)

    def settings(self, fingerprint: str) -> str | None:
        """The configuration of a fingerprint that a recall was made with, as JSON."""
        with self._reading() as connection:
            return audit.read_settings(connection, fingerprint)

    def happened(
        self, scopes: Sequence[Scope], after: int, limit: int
    ) -> tuple[list[audit.Happened], int]:
        """(lines of the scopes after a line of the ledger, oldest first; how many of other scopes)."""
        with self._reading() as connection:
            return audit.happened(connection, scopes, after=after, limit=limit)

    def ledger(
        self, scopes: Sequence[Scope], *, after: int | None, limit: int
    ) -> list[audit.LedgerLine]:
        """Lines of the ledger of the scopes, oldest first: those after a line, or the last ones."""
        with self._reading() as connection:
            return audit.ledger(connection, scopes, after=after, limit=limit)

    def history(self, memory_id: str, scopes: Sequence[Scope]) -> History:
        """What became of a memory of the scopes, and of what it is linked with.

        Raises:
            NotFoundError: no such memory there.
        """
        with self.snapshot(), self._reading() as connection:
            annals = read_annals(connection, memory_id, scopes)
        return tell(annals)

    @property
    def analyzer(self) -> str:
        """What names the text analysis in use."""
        return self._indexer.analyzer

    @property
    def embedder(self) -> str:
        """What names the embedder in use."""
        return self._indexer.embedder

    def _changes(self, connection: apsw.Connection) -> int:
        return int(connection.execute(statements("memory")["meta_get"], {"key": "changes"}).get or 0)

    def _check_built(self, connection: apsw.Connection) -> str:
        built = self._built_by(connection, "embedder")
        if built != self._indexer.embedder:
            raise EmbedderMismatch(built, self._indexer.embedder)
        return built

    def _check_vector(self, connection: apsw.Connection, query: NDArray[np.float32]) -> None:
        built = self._check_built(connection)
        if query.shape != (self._indexer.dim,):
            raise EmbedderError(f"{built} needs ({self._indexer.dim},), got shape {query.shape}")
