"""What was remembered on which day, in files that a person reads and writes in too?

One file a day, `2026-03-20.md`, to which a line is added for each memory that was written:

    - 10:32:05 `mem_0123…` fact [project:atlas] The project uses pnpm.

Lines are only added. What a person writes into a file stays, byte for byte, and is never read back as
memories. The one thing that takes lines away is an erasure: those that have our form, and an erased id.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from memweir.folders import Folder
from memweir.markdown_text import inline, plain
from memweir.store.scopes import Scope

__all__ = ["Erased", "Mirror", "Note", "Told", "Wiped"]

_FILE: Final = re.compile(r"\d{4}-\d\d-\d\d\.md")
# The scope ends at the first bracket that has no backslash before it: none of its own is without.
_OURS: Final = re.compile(
    rb"- \d\d:\d\d:\d\d `(?P<id>mem_[0-9a-f]+)` [a-z]+ \[(?P<scope>(?:[^\]\\]|\\.)*)\] "
)
_ID: Final = re.compile(rb"mem_[0-9a-f]+")


@dataclass(frozen=True, slots=True)
class Told:
    """A memory as its line tells it."""

    id: str
    kind: str
    scope: Scope
    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """A line of the mirror in which something was found.

    Attributes:
        file: its name, the day it is of; line: its number, from 1.
        text: the line as it stands in the file.
        memory_id: of a line that memweir wrote; "" of one by hand.
    """

    file: str
    line: int
    text: str
    memory_id: str = ""


@dataclass(frozen=True, slots=True)
class Wiped:
    """What an erasure finds in the mirror, or has taken out of it.

    Attributes:
        files: name → how many lines that memweir wrote of what is erased.
        left: "FILE:LINE" of other lines that name an erased id: a person wrote them, and they stay; and
            "FILE" of what has the name of a day and is no regular file, which is not looked into.
    """

    files: Mapping[str, int]
    left: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Erased:
    """Which lines go: those of an id, or of all that was told in a scope, or of an id in a scope.

    Attributes:
        ids: of memories; scopes: all of them; parted: (id, scope) of what was told before it was moved.
    """

    ids: frozenset[str]
    scopes: frozenset[str] = frozenset()
    parted: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def of(
        cls,
        ids: Iterable[str],
        *,
        scopes: Iterable[Scope] = (),
        parted: Iterable[tuple[str, Scope]] = (),
    ) -> Erased:
        """The same of scopes as they are."""
        return cls(
            frozenset(ids),
            frozenset(_label(each) for each in scopes),
            frozenset((memory, _label(scope)) for memory, scope in parted),
        )

    def takes(self, memory_id: str, scope: str) -> bool:
        """Whether a line of a memory in a scope goes."""
        return memory_id in self.ids or scope in self.scopes or (memory_id, scope) in self.parted


class Mirror:
    """A folder with a file a day. Safe to share between threads and processes."""

    def __init__(self, folder: Path) -> None:
        """Args: folder: made with the first line where it is missing, and not again when it is gone."""
        self.folder = folder
        self._made = False

    def append(self, told: Iterable[Told], moment: datetime) -> None:
        """Add a line for each memory to the file of the moment's day.

        Raises:
            FolderError: the file cannot be written; nothing was added.
        """
        lines = "".join(
            f"- {moment:%H:%M:%S} `{each.id}` {each.kind} [{_label(each.scope)}] {inline(each.text)}\n"
            for each in told
        )
        if not lines:
            return
        day = moment.date().isoformat()
        with Folder.open(self.folder, create=not self._made) as folder:
            self._made = True
            folder.append(f"{day}.md", _bytes(lines), heading=_bytes(f"# {day}\n\n"))

    def search(self, text: str, *, scopes: Collection[Scope] | None, limit: int) -> list[Note]:
        """The lines that hold a text, whatever its case, of the newest day first.

        Args:
            scopes: of lines that memweir wrote, only those of these scopes; None: all of them. A line
                by hand is of no scope.

        Raises:
            FolderError: a file cannot be read.
        """
        if not os.path.lexists(self.folder):  # nothing was mirrored yet
            return []
        wanted = text.casefold()
        shown = None if scopes is None else {_bytes(_label(each)) for each in scopes}
        found: list[Note] = []
        with self._open() as folder:
            for name in reversed(_days(folder)):
                for number, line in enumerate(_lines(folder.read(name)), 1):
                    ours = _OURS.match(line)
                    if ours is not None and shown is not None and ours["scope"] not in shown:
                        continue
                    read = line.decode("utf-8", "replace").rstrip("\r\n")
                    if wanted in read.casefold() or wanted in plain(read).casefold():
                        memory_id = "" if ours is None else ours["id"].decode()
                        found.append(Note(name, number, read, memory_id))
                        if len(found) == limit:
                            return found
        return found

    def lines_of(self, erased: Erased) -> Wiped:
        """What an erasure would find.

        Raises:
            FolderError: a file cannot be read.
        """
        if not os.path.lexists(self.folder):
            return Wiped({}, ())
        files: dict[str, int] = {}
        with self._open() as folder:
            left = _unread(folder)
            for name in _days(folder):
                content = folder.read(name)
                files[name] = sum(_goes(line, erased) for line in _lines(content))
                left += _naming(name, content, erased)
        return Wiped({name: count for name, count in files.items() if count}, tuple(left))

    def wipe(self, erased: Erased) -> Wiped:
        """Take the lines of what is erased out of the files; every other byte stays.

        Raises:
            FolderError: a file cannot be read or written; that one and those after it are as they were.
        """
        found = self.lines_of(erased)
        if found.files:
            with self._open() as folder:
                for name in found.files:
                    folder.rewrite(name, lambda content: _without(content, erased))
        return Wiped(found.files, self.lines_of(erased).left)

    def _open(self) -> Folder:
        return Folder.open(self.folder, create=False)


def _days(folder: Folder) -> list[str]:
    return [each for each in folder.names() if _FILE.fullmatch(each) and folder.regular(each)]


def _unread(folder: Folder) -> list[str]:
    """What has the name of a day and is no file: a link may lead to lines that nobody looks at here."""
    return [each for each in folder.names() if _FILE.fullmatch(each) and not folder.regular(each)]


def _lines(content: bytes) -> list[bytes]:
    """Lines with their ends."""
    return re.findall(rb"[^\n]*\n|[^\n]+", content)


def _without(content: bytes, erased: Erased) -> bytes:
    return b"".join(line for line in _lines(content) if not _goes(line, erased))


def _goes(line: bytes, erased: Erased) -> bool:
    ours = _OURS.match(line)
    if ours is None:
        return False
    return erased.takes(ours["id"].decode(), ours["scope"].decode("utf-8", "replace"))


def _naming(name: str, content: bytes, erased: Erased) -> list[str]:
    """Where an erased id stands in lines that stay."""
    return [
        f"{name}:{number}"
        for number, line in enumerate(_lines(content), 1)
        if not _goes(line, erased) and any(each.decode() in erased.ids for each in _ID.findall(line))
    ]


def _label(scope: Scope) -> str:
    """A scope in a line; no two have the same.

    Of one that a line cannot show as it is, because of a tab in it, something is added that stands
    in no other: an asterisk without a backslash.
    """
    name = str(scope)
    shown = inline(name)
    if plain(shown) == name:
        return shown
    return f"{shown} *{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:16]}*"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
