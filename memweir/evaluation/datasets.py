"""What is in an evaluation set, and what of it goes into a store?

A set is a folder of `memories.jsonl` and `queries.jsonl`. Its fields are passed to the store as fields
and never glued into the text:

- `scope` becomes a project scope, `id` the document id, so that equal texts stay separate memories.
- A day without a time is that day's noon for a memory and its last second for a question; a moment
  without a zone is UTC.
- `kind` is passed where it is one of the engine's own, ignored otherwise.
- An id of the form `SESSION:NUMBER` says that the memory is that turn of that session: it is stored as
  such, of the kind "turn" where the set names none. No other kind is guessed: the rest are facts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, timezone
from pathlib import Path
from typing import Final, NoReturn

from memweir.errors import InputError
from memweir.store.records import KINDS, Draft, clean_text
from memweir.store.scopes import Scope

__all__ = [
    "UNDATED",
    "DataSet",
    "DataSetError",
    "MemoryLine",
    "Question",
    "StoreQuestion",
    "find_sets",
    "parse_moment",
    "session_of",
    "store_questions",
]

UNDATED: Final = datetime(2024, 1, 1, 12, tzinfo=UTC)
"""When a memory was told that has no date, in a set none of whose questions has one either."""

_NOON: Final = time(12)
_LAST_SECOND: Final = time(23, 59, 59)
_MEMORIES: Final = "memories.jsonl"
_QUERIES: Final = "queries.jsonl"
_MOMENT: Final = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})"
    r"(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(?:(Z)|([+-])(\d{2}):?(\d{2}))?)?",
    re.ASCII | re.IGNORECASE,
)
_TURN: Final = re.compile(r"(?s)(.*\S.*):(\d+)", re.ASCII)


class DataSetError(InputError):
    """A set cannot be read as one; `line` is 0 where the whole file is meant."""

    def __init__(self, file: Path, line: int, problem: str) -> None:
        super().__init__(f"{file}{f', line {line}' if line else ''}: {problem}")
        self.file, self.line, self.problem = str(file), line, problem


def parse_moment(text: str, *, day_means: time) -> datetime:
    """`2024-3-1`, `2024-03-01T08:00:00` or `2024-03-01 08:00+08:00` as an aware moment.

    Args:
        day_means: the time of a day that names none.

    Raises:
        ValueError: no such day, time or form.
    """
    found = _MOMENT.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is not a date such as 2024-03-01 or 2024-03-01T08:00:00")
    year, month, day, hour, minute, second, _, sign, off_hours, off_minutes = found.groups()
    if not 2 <= int(year) <= 9998:  # room for a day before and a day after in any zone
        raise ValueError(f"year {year} is not between 2 and 9998")
    clock = day_means if hour is None else time(int(hour), int(minute), int(second or 0))
    zone = UTC
    if sign is not None:
        offset = timedelta(hours=int(off_hours), minutes=int(off_minutes))
        zone = timezone(offset if sign == "+" else -offset)
    return datetime.combine(datetime(int(year), int(month), int(day)), clock, zone)


def session_of(memory_id: str) -> str:
    """The session an id names, the part before its last colon; an id without one stands for itself."""
    session, colon, _ = memory_id.rpartition(":")
    return session if colon and session else memory_id


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """One line of `memories.jsonl`.

    Attributes:
        line: its number, 1 is the first.
        created_at: when it was told, None where the set does not say.
        kind: as the set has it, one of the engine's or not.
        seq: its place in time: a question with `as_of_seq` sees memories of smaller ones only.
    """

    line: int
    id: str
    text: str
    scope: str
    created_at: datetime | None = None
    speaker: str | None = None
    kind: str | None = None
    seq: int | None = None

    def draft(self, *, undated: datetime) -> Draft:
        """The memory as it is handed to a store.

        Args:
            undated: when it was told if the set does not say.

        Raises:
            InputError: the store could not take such a memory.
        """
        turn = _TURN.fullmatch(self.id)
        return Draft(
            self.text,
            Scope.project(self.scope),
            kind=self.kind if self.kind in KINDS else "turn" if turn else "fact",
            speaker=self.speaker,
            document_id=self.id,
            session_id=turn[1] if turn else None,
            source=f"{turn[1]}@{turn[2]}" if turn else None,
            created_at=self.created_at or undated,
        )


@dataclass(frozen=True, slots=True)
class Question:
    """One line of `queries.jsonl`.

    Attributes:
        relevant: ids of the memories that answer it; empty: the store cannot answer it.
        trap: ids it might be confused with.
        context: the turns before, oldest first.
        as_of: when it is asked, None where the set does not say.
        as_of_seq: memories of this `seq` and later do not exist yet.
    """

    line: int
    id: str
    text: str
    scope: str
    category: str
    relevant: tuple[str, ...]
    trap: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    as_of: datetime | None = None
    as_of_seq: int | None = None

    @property
    def answerable(self) -> bool:
        return bool(self.relevant)


@dataclass(frozen=True, slots=True)
class DataSet:
    """A set's name and folder. Reading is lazy and starts anew with every call."""

    name: str
    folder: Path

    def memories(self) -> Iterator[MemoryLine]:
        """Every memory in file order.

        Raises:
            DataSetError: an unreadable file or line, an id used twice.
        """
        seen: dict[str, int] = {}
        for row in _rows(self.folder / _MEMORIES):
            memory = MemoryLine(
                line=row.line,
                id=row.text("id"),
                text=row.text("text"),
                scope=row.text("scope"),
                created_at=row.moment("created_at", day_means=_NOON),
                speaker=row.optional_text("speaker"),
                kind=row.optional_text("kind"),
                seq=row.whole("seq"),
            )
            row.check_new(memory.id, seen)
            yield memory

    def questions(self) -> Iterator[Question]:
        """Every question in file order.

        Raises:
            DataSetError: an unreadable file or line, an id used twice.
        """
        seen: dict[str, int] = {}
        for row in _rows(self.folder / _QUERIES):
            question = Question(
                line=row.line,
                id=row.text("id"),
                text=row.text("text"),
                scope=row.text("scope"),
                category=row.text("category"),
                relevant=tuple(dict.fromkeys(row.texts("relevant", required=True))),
                trap=tuple(dict.fromkeys(row.texts("trap"))),
                context=row.texts("context"),
                as_of=row.moment("as_of", day_means=_LAST_SECOND),
                as_of_seq=row.whole("as_of_seq"),
            )
            row.check_new(question.id, seen)
            yield question

    def has_scopes(self) -> bool:
        """Whether its memories are of more than one scope.

        Raises:
            DataSetError: a memory cannot be read.
        """
        return len({each.scope for each in self.memories()}) > 1

    def drafts(self, memories: Iterable[MemoryLine], *, undated: datetime) -> list[Draft]:
        """`MemoryLine.draft` of each; what no store could take is named by file and line.

        Raises:
            DataSetError: see above.
        """
        drafts = []
        for memory in memories:
            try:
                drafts.append(memory.draft(undated=undated))
            except InputError as error:
                raise DataSetError(self.folder / _MEMORIES, memory.line, str(error)) from error
        return drafts


@dataclass(frozen=True, slots=True)
class StoreQuestion:
    """A question to a store that exists.

    Attributes:
        question: its `relevant` are ids of the store, its `scope` is in the command line's form, ""
            where the line has none.
        labelled: the line says what is relevant, be it nothing; otherwise answers are compared only.
    """

    question: Question
    labelled: bool


def store_questions(file: Path) -> list[StoreQuestion]:
    """The questions of a file whose lines need no more than `id` and `text`.

    Raises:
        DataSetError: an unreadable file or line, an id used twice, no question at all.
    """
    seen: dict[str, int] = {}
    found = []
    for row in _rows(file):
        question = Question(
            line=row.line,
            id=row.text("id"),
            text=row.text("text"),
            scope=row.optional_text("scope") or "",
            category=row.optional_text("category") or "all",
            relevant=tuple(dict.fromkeys(row.texts("relevant"))),
            trap=tuple(dict.fromkeys(row.texts("trap"))),
            context=row.texts("context"),
            as_of=row.moment("as_of", day_means=_LAST_SECOND),
        )
        row.check_new(question.id, seen)
        found.append(StoreQuestion(question, row.fields.get("relevant") is not None))
    if not found:
        raise DataSetError(file, 0, "holds no question")
    return found


def find_sets(folders: Iterable[Path]) -> list[DataSet]:
    """The sets in the folders given: a folder that is one, or every folder in it that is.

    A set is named by its folder; where two have the same name, by the whole path.

    Raises:
        DataSetError: a folder is missing or holds no set.
    """
    found: list[Path] = []
    for folder in folders:
        if not folder.is_dir():
            raise DataSetError(folder, 0, "no such folder")
        inner = (
            [folder]
            if _is_set(folder)
            else sorted(each for each in folder.iterdir() if each.is_dir() and _is_set(each))
        )
        if not inner:
            raise DataSetError(
                folder, 0, f"holds neither {_MEMORIES} and {_QUERIES} nor a folder that does"
            )
        found.extend(inner)
    unique: list[Path] = []
    for folder in found:
        if all(folder.resolve() != each.resolve() for each in unique):
            unique.append(folder)
    names = [folder.resolve().name for folder in unique]
    return [
        DataSet(name if names.count(name) == 1 else str(folder), folder)
        for name, folder in zip(names, unique, strict=True)
    ]


def _is_set(folder: Path) -> bool:
    return (folder / _MEMORIES).is_file() and (folder / _QUERIES).is_file()


@dataclass(frozen=True, slots=True)
class _Row:
    """One JSON object and where it stands; its accessors check what they return."""

    file: Path
    line: int
    fields: Mapping[str, object]

    def fail(self, problem: str) -> NoReturn:
        raise DataSetError(self.file, self.line, problem)

    def text(self, name: str) -> str:
        value = self.fields.get(name)
        if not isinstance(value, str) or not value.strip():
            self.fail(f"{name} must be text that is not blank, got {value!r}")
        return clean_text(value)

    def optional_text(self, name: str) -> str | None:
        value = self.fields.get(name)
        return None if value is None or value == "" else self.text(name)

    def texts(self, name: str, *, required: bool = False) -> tuple[str, ...]:
        value = self.fields.get(name)
        if value is None and not required:
            return ()
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            self.fail(f"{name} must be a list of texts, got {value!r}")
        return tuple(clean_text(each) for each in value)

    def whole(self, name: str) -> int | None:
        value = self.fields.get(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            self.fail(f"{name} must be a whole number, got {value!r}")
        return value

    def moment(self, name: str, *, day_means: time) -> datetime | None:
        text = self.optional_text(name)
        if text is None:
            return None
        try:
            return parse_moment(text, day_means=day_means)
        except (ValueError, OverflowError) as error:
            self.fail(f"{name}: {error}")

    def check_new(self, each: str, seen: dict[str, int]) -> None:
        first = seen.setdefault(each, self.line)
        if first != self.line:
            self.fail(f"id {each!r} is used on line {first} already")


def _rows(file: Path) -> Iterator[_Row]:
    """The objects of a JSON Lines file; blank lines are skipped."""
    try:
        stream = file.open("rb")  # split on \n only: a text may hold other line separators
    except OSError as error:
        raise DataSetError(file, 0, error.strerror or str(error)) from error
    with stream:
        for number, raw in enumerate(stream, start=1):
            try:
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
                if not line.strip():
                    continue
                value = json.loads(line)
            except UnicodeDecodeError as error:
                raise DataSetError(file, number, f"is not UTF-8 (byte {error.start + 1})") from error
            except json.JSONDecodeError as error:
                problem = f"is not JSON ({error.msg}, column {error.pos + 1})"
                raise DataSetError(file, number, problem) from error
            except (RecursionError, ValueError) as error:  # nested too deep, too many digits
                raise DataSetError(file, number, f"is not JSON ({error})") from error
            if not isinstance(value, dict):
                raise DataSetError(file, number, "must be a JSON object")
            yield _Row(file, number, value)
