"""How is a file written where other programs and people write too? Privately, whole, through no link.

A folder is opened once, and files are named within it: what a path leads to may change while we look.
Where the system cannot do that (Windows), they are named by their path. Locks are those of `flock`,
which keep programs apart that ask for them; where there are none, single writes have to do.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final, Self

from memweir.errors import FolderError

try:
    import fcntl
except ImportError:  # Windows
    _LOCK: Callable[[int], None] | None = None
else:

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    _LOCK = _lock

__all__ = ["Folder", "reason"]

_WITHIN: Final = os.open in os.supports_dir_fd and os.rename in os.supports_dir_fd
_NOFOLLOW: Final[int] = getattr(os, "O_NOFOLLOW", 0)
_FLAGS: Final[int] = (
    _NOFOLLOW
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a pipe in the way must not make anybody wait
)
_TRIES: Final = 200  # for a lock,
_PAUSE_S: Final = 0.01  # this long apart
_NEW: Final = (".memweir-", ".new")  # around the name of a file that is being written


class Folder:
    """A folder that is open. A context manager.

    Every verb raises `FolderError` where the system refuses, and then has changed nothing.
    """

    def __init__(self, path: Path, handle: int | None) -> None:
        """See `open`."""
        self.path = path
        self._handle = handle

    @classmethod
    def open(cls, path: Path, *, create: bool) -> Self:
        """Open a folder that is no symbolic link.

        Args:
            create: make it, and what is missing above it, for the owner only.

        Raises:
            FolderError: there is none, something else is there, or the system refuses.
        """
        try:
            if create:
                _make(path)
            found = os.lstat(path)
            if stat.S_ISLNK(found.st_mode):
                raise FolderError(str(path), "is a symbolic link; name the folder that it leads to")
            if not stat.S_ISDIR(found.st_mode):
                raise FolderError(str(path), "is no folder")
            if not _WITHIN:
                return cls(path, None)
            flags = os.O_RDONLY | _NOFOLLOW | getattr(os, "O_DIRECTORY", 0)
            return cls(path, os.open(path, flags | getattr(os, "O_CLOEXEC", 0)))
        except (OSError, ValueError) as error:
            raise FolderError(str(path), reason(error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def names(self) -> list[str]:
        """What is in it, in order; files that were being written are left out."""
        with self._mapped(""):
            where = self.path if self._handle is None else self._handle
            return sorted(each for each in os.listdir(where) if not _is_new(each))

    def regular(self, name: str) -> bool | None:
        """Whether a name is that of a file: None where there is nothing, False of anything else."""
        with self._mapped(name):
            try:
                found = os.stat(self._at(name), dir_fd=self._handle, follow_symlinks=False)
            except FileNotFoundError:
                return None
            return stat.S_ISREG(found.st_mode)

    def read(self, name: str, most: int = -1) -> bytes:
        """The content of a file, at most so many bytes of it."""
        with self._opened(name, os.O_RDONLY) as file, os.fdopen(os.dup(file), "rb") as stream:
            return stream.read(most)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Within it no other program that asks writes whole files here."""
        with self._mapped(""):
            if self._handle is None or _LOCK is None:
                yield
                return
            handle = os.open(".", os.O_RDONLY, dir_fd=self._handle)
            try:
                _wait_for(handle)
                yield
            finally:
                os.close(handle)

    def append(self, name: str, lines: bytes, *, heading: bytes) -> None:
        """Add lines to a file, in one write; whole or not at all.

        A line end before them where the file does not end with one, a heading where it is empty.
        """
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
        while True:
            with self._opened(name, flags, lock=True) as file:
                if not self._still(name, file):  # it was replaced while we waited for the lock
                    continue
                size = os.fstat(file).st_size
                before = heading if size == 0 else b"" if self._ends(file, size) else b"\n"
                content = before + lines
                done = 0
                try:
                    done = os.write(file, content)
                finally:
                    if done < len(content):  # half a line must not stay
                        with suppress(OSError):
                            os.ftruncate(file, size)
                if done < len(content):
                    raise FolderError(str(self.path / name), "the disk is full")
                return

    def rewrite(self, name: str, change: Callable[[bytes], bytes]) -> None:
        """Give a file other content, made of what it holds; nobody appends meanwhile.

        It keeps its mode. Where the content is the same the file is not touched.
        """
        while True:
            with self._opened(name, os.O_RDWR, lock=True) as file:
                if not self._still(name, file):
                    continue
                with os.fdopen(os.dup(file), "rb") as stream:
                    before = stream.read()
                after = change(before)
                if after != before:
                    mode = stat.S_IMODE(os.fstat(file).st_mode)
                    with self.new(name, mode=mode) as written:
                        written.write(after)
                    self.put(name)
                return

    @contextmanager
    def new(self, name: str, *, mode: int = 0o600) -> Iterator[IO[bytes]]:
        """A new file to write, which takes the place of `name` with `put`; gone where that fails."""
        with self._mapped(name):
            self.drop(name)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS
            file = os.open(self._at(name.join(_NEW)), flags, mode, dir_fd=self._handle)
            try:
                with os.fdopen(file, "wb") as stream:
                    yield stream
                    stream.flush()
                    os.fsync(stream.fileno())
            except BaseException:
                self.drop(name)
                raise

    def put(self, name: str) -> None:
        """Put what was written by `new` in place."""
        with self._mapped(name):
            where: dict[str, Any] = {"src_dir_fd": self._handle, "dst_dir_fd": self._handle}
            os.replace(self._at(name.join(_NEW)), self._at(name), **where)

    def drop(self, name: str) -> None:
        """Take away what was written by `new`."""
        with suppress(OSError):
            os.unlink(self._at(name.join(_NEW)), dir_fd=self._handle)

    def _at(self, name: str) -> str:
        return str(self.path / name) if self._handle is None else name

    @contextmanager
    def _opened(self, name: str, flags: int, *, lock: bool = False) -> Iterator[int]:
        with self._mapped(name):
            file = os.open(self._at(name), flags | _FLAGS, 0o600, dir_fd=self._handle)
            try:
                if not stat.S_ISREG(os.fstat(file).st_mode):
                    raise FolderError(str(self.path / name), "is no regular file")
                if lock and _LOCK is not None:
                    _wait_for(file)
                yield file
            finally:
                os.close(file)

    def _still(self, name: str, file: int) -> bool:
        """Whether a name still is that of the file that was opened."""
        try:
            found = os.stat(self._at(name), dir_fd=self._handle, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return os.path.samestat(found, os.fstat(file))

    @staticmethod
    def _ends(file: int, size: int) -> bool:
        """Whether the last line of a file is ended."""
        os.lseek(file, size - 1, os.SEEK_SET)
        return os.read(file, 1) == b"\n"

    @contextmanager
    def _mapped(self, name: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise FolderError(str(self.path / name), reason(error)) from error


def reason(error: BaseException) -> str:
    """The system's word for it, as a part of a sentence."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error) or type(error).__name__


def _make(path: Path) -> None:
    missing: list[Path] = []
    each = path
    while not os.path.lexists(each) and each != each.parent:
        missing.append(each)
        each = each.parent
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)


def _wait_for(file: int) -> None:
    """Ask for the lock for a while: somebody who never gives it back must not hold up a turn."""
    if _LOCK is None:
        return
    for _ in range(_TRIES):
        try:
            _LOCK(file)
            return
        except BlockingIOError:
            time.sleep(_PAUSE_S)
    raise TimeoutError(0, "another program holds it locked")


def _is_new(name: str) -> bool:
    return name.startswith(_NEW[0]) and name.endswith(_NEW[1])
