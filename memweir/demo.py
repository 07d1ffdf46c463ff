"""What does the engine do with a few weeks of one person's turns? A story, played.

`play` tells the story of `memweir/data/demo.toml` to a fresh store through the public face and asks
its questions; nothing in it is special. The story brings its own clock, so that every run on every
machine answers the same.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from memweir.errors import RefusedError, StorePathError
from memweir.store.records import Stored
from memweir.store.scopes import Scope

if TYPE_CHECKING:
    from memweir.memory import Memory
    from memweir.results import Recall

__all__ = ["LANGUAGES", "Asked", "Played", "Told", "load_story", "play"]

LANGUAGES: Final = ("en", "zh")

_FIELDS: Final = (
    "title",
    "kind",
    "layer",
    "provenance",
    "speaker",
    "semantic_key",
    "importance",
    "pinned",
    "tags",
)


@dataclass(frozen=True, slots=True)
class Told:
    """One memory of the story and what the store said.

    Attributes:
        key: its name in the story.
        entry: the story's table.
        stored: the write's answer, None where it was refused.
        refusal: the refusal, None where it was stored.
    """

    key: str
    entry: Mapping[str, Any]
    stored: Stored | None
    refusal: RefusedError | None


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of the story and the recall it got."""

    entry: Mapping[str, Any]
    recall: Recall

    def best(self) -> str:
        """Id of the first memory injected because it matched, "" where none was.

        Pinned memories and beliefs that came through a reserved slot do not count.
        """
        return next((each.id for each in self.recall.items if not each.slot), "")


@dataclass(frozen=True, slots=True)
class Played:
    """The whole story: what was told, what was asked, in which languages it is shown."""

    languages: tuple[str, ...]
    story: Mapping[str, Any]
    told: tuple[Told, ...]
    answers: Mapping[str, str]
    asked: tuple[Asked, ...]

    def keys(self) -> dict[str, str]:
        """Id of a stored memory → its key in the story."""
        return {each.stored.id: each.key for each in self.told if each.stored is not None}


def load_story() -> dict[str, Any]:
    """The story as written down."""
    text = resources.files("memweir").joinpath("data/demo.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def play(
    store: str | os.PathLike[str] | None = None, *, languages: Sequence[str] = LANGUAGES
) -> Played:
    """Tell the story to a fresh store and ask the questions of these languages.

    Args:
        store: a file to keep, which must not exist yet; None: a temporary one.

    Raises:
        StorePathError: the file exists already.
    """
    from memweir.memory import Memory

    story = load_story()
    now: datetime = story["now"]
    with (
        _place(store) as path,
        Memory.open(path, clock=lambda: now, random_bytes=_same_key) as memory,
    ):
        told = _tell(memory, story["memory"])
        answers = {
            entry["key"]: memory.answer(
                entry["question"],
                entry["text"],
                scope=Scope.parse(entry["scope"]),
                phrasings=tuple(entry["phrasings"]),
                now=entry["at"],
            ).id
            for entry in story["answer"]
        }
        asked = tuple(
            Asked(entry, _ask(memory, entry, now))
            for entry in story["question"]
            if entry["lang"] in languages
        )
    return Played(tuple(languages), story, told, answers, asked)


def _tell(memory: Memory, entries: Sequence[Mapping[str, Any]]) -> tuple[Told, ...]:
    ids: dict[str, str] = {}
    told: list[Told] = []
    for entry in sorted(entries, key=lambda each: each["at"]):
        scope, at = Scope.parse(entry["scope"]), entry["at"]
        fields: dict[str, Any] = {name: entry[name] for name in _FIELDS if name in entry}
        if "event" in entry:
            fields["event_start"], fields["event_end"] = entry["event"]
        if "supersedes" in entry:
            fields["supersedes"] = ids[entry["supersedes"]]
        stored: Stored | None = None
        refusal: RefusedError | None = None
        try:
            if "relate" in entry:
                stored = memory.relate(*entry["relate"], scope=scope, now=at, **fields)
            else:
                stored = memory.remember(entry["text"], scope=scope, now=at, **fields)
            ids[entry["key"]] = stored.id
        except RefusedError as error:
            refusal = error
        told.append(Told(entry["key"], entry, stored, refusal))
    return tuple(told)


def _ask(memory: Memory, entry: Mapping[str, Any], now: datetime) -> Recall:
    return memory.recall(
        entry["text"],
        scope=[Scope.parse(each) for each in entry["scopes"]],
        now=now,
        as_of=entry.get("as_of"),
        context=tuple(entry.get("context", ())),
    )


def _same_key(count: int) -> bytes:
    """The demo shows the same on every machine, and hides nothing by its key."""
    return b"memweir demo key"[:count].ljust(count, b".")


@contextlib.contextmanager
def _place(store: str | os.PathLike[str] | None) -> Iterator[Path]:
    if store is not None:
        if os.path.lexists(store):
            raise StorePathError(os.fspath(store), "exists already; the demo wants a new file")
        yield Path(store)
        return
    with tempfile.TemporaryDirectory(prefix="memweir-demo-") as folder:
        yield Path(folder) / "demo.db"
