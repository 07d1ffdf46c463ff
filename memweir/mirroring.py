"""What of a memory can a person read and write in files? The mirror, its search, and the export."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from memweir.errors import ConfigError, FolderError, InputError, MemweirError, StoreError, TextError
from memweir.inputs import limit_of
from memweir.mirror import Erased, Mirror, Note, Told
from memweir.store.erasure import ErasePlan
from memweir.store.records import Draft, Stored, to_ms
from memweir.store.scopes import Scope, as_scopes
from memweir.store.seam import Listing
from memweir.store.view import View

if TYPE_CHECKING:
    from memweir.config import Config
    from memweir.markdown_export import MarkdownExport
    from memweir.store.seam import Store

__all__ = ["Mirroring"]

_LOG = logging.getLogger("memweir")
_NOTES: Final = 100
_WRITTEN: Final = ("created", "updated")


class Mirroring:
    """Verbs of `memweir.memory.Memory`."""

    _store: Store
    _config: Config
    _records: bool
    _mirror: Mirror | None
    _noted: bool = False  # that there is a mirror

    def _now(self, now: datetime | None) -> datetime:
        raise NotImplementedError

    # Verbs

    def export_markdown(
        self,
        folder: str | os.PathLike[str],
        *,
        scope: Scope | Iterable[Scope],
        exclude_superseded: bool = False,
        now: datetime | None = None,
    ) -> MarkdownExport:
        """Write what the scopes hold as Markdown pages, for people to read.

        Nothing is read back: the store stays what counts, and the pages can be written anew any time.

        Args:
            folder: missing, empty, or written by this verb before; made for the owner only.
            exclude_superseded: leave out what holds no more, and earlier wordings of beliefs.
            now: its zone is that of the times on the pages.

        Raises:
            FolderError: the folder holds something else, is a symbolic link, or takes no writes; the
                files in it are as they were.
            ScopeError: no scope; StoreError.
        """
        from memweir.markdown_export import write_pages

        if not isinstance(folder, str | os.PathLike) or not os.fspath(folder):
            raise InputError(f"an export needs a folder, got {folder!r}")
        moment = self._now(now)
        view = View(
            scopes=as_scopes(scope),
            as_of_ms=to_ms(moment),
            include_history=not exclude_superseded,
        )
        with self._listing().listing() as lists:
            return write_pages(
                lists,
                view,
                _place(os.fspath(folder)),
                moment,
                stale_days=self._config.answers.stale_days,
            )

    def search_notes(
        self,
        text: str,
        *,
        scope: Scope | Iterable[Scope] | None = None,
        limit: int | None = None,
    ) -> list[Note]:
        """The lines of the daily mirror that hold a text, whatever its case; the newest day first.

        What a person wrote into the files is found as well, which no recall does: it is no memory.

        Args:
            scope: of lines that memweir wrote, only those of these scopes. None: of all that were ever
                mirrored, for the person whose folder it is. Lines by hand belong to no scope.
            limit: lines at most, 1 to 1000; None: 100.

        Raises:
            ConfigError: no mirror is configured; TextError: blank; FolderError: a file cannot be read.
        """
        if not isinstance(text, str) or not text.strip():
            raise TextError("what is searched for must not be blank")
        if self._mirror is None:
            raise ConfigError("mirror.folder", None, "names no folder, so there are no notes")
        scopes = None if scope is None else as_scopes(scope)
        return self._mirror.search(text.strip(), scopes=scopes, limit=limit_of(limit, _NOTES))

    # What was written

    def _mirrors(self) -> bool:
        return self._mirror is not None and self._records

    def _mirror_drafts(
        self, written: Sequence[tuple[Stored | MemweirError, Draft]], moment: datetime
    ) -> tuple[str, ...]:
        """Mirror what was stored of drafts; what went wrong."""
        told = [
            Told(stored.id, draft.kind, draft.scope, draft.text)
            for stored, draft in written
            if isinstance(stored, Stored) and stored.outcome in _WRITTEN and stored.status == "active"
        ]
        return self._mirror_told(told, moment)

    def _mirror_memory(
        self, memory_id: str, scopes: Sequence[Scope], moment: datetime
    ) -> tuple[str, ...]:
        """Mirror a memory of the scopes as it stands."""
        if not self._mirrors():
            return ()
        try:
            found = self._store.fetch(memory_id, scopes)
        except MemweirError as error:
            return self._failed(error)
        active = found.status == "active"
        told = [Told(found.id, found.kind, found.scope, found.text)] if active else []
        return self._mirror_told(told, moment)

    def _mirror_beliefs(self, since: int, moment: datetime) -> tuple[str, ...]:
        """Mirror the beliefs that began after a line of the ledger."""
        if not self._mirrors() or not isinstance(self._store, Listing):
            return ()
        try:
            found = self._store.believed(since)
        except MemweirError as error:
            return self._failed(error)
        told = [Told(each.id, each.kind, each.scope, each.text) for each in found]
        return self._mirror_told(told, moment)

    def _mirror_told(self, told: Sequence[Told], moment: datetime) -> tuple[str, ...]:
        if self._mirror is None or not self._mirrors() or not told:
            return ()
        try:
            if not self._noted and isinstance(self._store, Listing):
                self._store.note_mirror(str(self._mirror.folder))
                self._noted = True
            self._mirror.append(told, moment)
        except Exception as error:
            return self._failed(error)
        return ()

    @staticmethod
    def _failed(error: Exception) -> tuple[str, ...]:
        """The write stands: what is missing is its line."""
        warning = f"not mirrored: {error}"
        _LOG.warning("%s", warning)
        return (warning,)

    # What is erased

    def _mirrored_of(self, plan: ErasePlan, scopes: Sequence[Scope]) -> Erased:
        """Which lines are those of a plan."""
        ids = [each.id for each in plan.memories]
        wordings: Iterable[str] = ()
        if plan.wordings and isinstance(self._store, Listing):
            wordings = self._store.wordings(plan.wordings).values()
        return Erased.of(
            ids,
            scopes=scopes if plan.target == "scope" else (),
            parted=[(memory, scope) for memory in wordings for scope in scopes],
        )

    def _mirror_lines(self, erased: Erased | None, *, wipe: bool = False) -> dict[str, Any]:
        """What the mirror has, or had, of what is erased: fields of a plan or a receipt."""
        warnings: list[str] = []
        folder = None if self._mirror is None else str(self._mirror.folder)
        if isinstance(self._store, Listing) and self._store.other_mirrors(folder):
            warnings.append(
                "memories of this store were mirrored into a folder that is not the one of "
                "mirror.folder now; what is erased stays there: erase with that folder set"
            )
        if self._mirror is None or erased is None:
            return {"warnings": tuple(warnings)}
        try:
            found = self._mirror.wipe(erased) if wipe else self._mirror.lines_of(erased)
        except FolderError as error:
            done = "taken out of" if wipe else "looked for in"
            warnings.append(f"not {done} the mirror: {error}")
            _LOG.warning("%s", warnings[-1])
            return {"warnings": tuple(warnings)}
        return {
            "mirror": found.files,
            "mirror_left": found.left,
            "warnings": tuple(warnings),
        }

    def _listing(self) -> Listing:
        if not isinstance(self._store, Listing):
            raise StoreError(f"{type(self._store).__name__} cannot be listed")
        return self._store


def _place(folder: str | bytes) -> Path:
    if not isinstance(folder, str) or "\x00" in folder:
        raise InputError(f"not the path of a folder: {folder!r}")
    try:
        return Path(folder).expanduser().absolute()
    except (OSError, RuntimeError) as error:
        raise FolderError(folder, f"cannot be resolved: {error}") from error
