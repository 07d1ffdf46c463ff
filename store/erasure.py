"""What does a person want erased, what would go, and what is there to show for it afterwards?"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memweir.errors import InputError, TextError
from memweir.store.gates import fingerprint
from memweir.store.records import clean_text
from memweir.store.scopes import Scope, as_scopes

__all__ = ["Erasable", "ErasePlan", "EraseReceipt", "EraseTarget"]


@dataclass(frozen=True, slots=True)
class EraseTarget:
    """What a person wants erased of the scopes that come with it.

    Attributes:
        kind: "ids", "subject" or "scope".
        ids: of memories (mem_…), standing answers (ans_…) and prompt blocks (prm_…).
        subject: a name: what is said by it, of it, or with it.

    Raises:
        InputError: no such kind, no id, or an id that is not text; TextError: a blank subject.
    """

    kind: str
    ids: tuple[str, ...] = ()
    subject: str = ""

    def __post_init__(self) -> None:
        if self.kind not in ("ids", "subject", "scope"):
            raise InputError(f"cannot erase by {self.kind!r}; use ids, subject or scope")
        if (self.kind == "ids") != bool(self.ids) or (self.kind == "subject") != bool(self.subject):
            raise InputError("erase by ids, by a subject or whole scopes: one of them")

    @classmethod
    def by_ids(cls, ids: Iterable[str]) -> EraseTarget:
        """These memories, standing answers and prompt blocks."""
        if isinstance(ids, str) or not isinstance(ids, Iterable):
            raise InputError("ids are a list of texts such as mem_0123…")
        given = list(ids)
        if not given or not all(isinstance(each, str) and each.strip() for each in given):
            raise InputError("erasing by ids needs at least one, and each a text such as mem_0123…")
        return cls("ids", ids=tuple(sorted({clean_text(each) for each in given})))

    @classmethod
    def by_subject(cls, name: str) -> EraseTarget:
        """What is said by a name, mentions it, relates it, or holds it in a field; see `Name`."""
        if not isinstance(name, str):
            raise InputError(f"a subject is a name, got {type(name).__name__}")
        if not name.strip():
            raise TextError("a subject must name somebody or something")
        return cls("subject", subject=clean_text(name).strip())

    @classmethod
    def whole(cls) -> EraseTarget:
        """All of the scopes, and their names."""
        return cls("scope")

    def canonical(self, scopes: Sequence[Scope]) -> str:
        """One text for one target of the scopes."""
        parts = [self.kind, self.ids, self.subject, [str(each) for each in as_scopes(scopes)]]
        return json.dumps(parts, ensure_ascii=True, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Erasable:
    """A memory that would go. Attributes: wordings: earlier ones that would go with it."""

    id: str
    status: str
    wordings: int


@dataclass(frozen=True, slots=True)
class ErasePlan:
    """What an erasure would take. Nothing is written yet.

    Attributes:
        target: its kind.
        memories: of every status, those told first first.
        wordings: ids of earlier wordings that would go alone: their memory is in another scope by now.
        answers, prompts: ids of standing answers and of prompt blocks.
        counts: table → rows that would go, earlier wordings among those of `memory`.
        scrubbed: table → rows that would stay without words of theirs: recalls and, by subject, learned
            terms and notes.
        also_said: ids of other memories of the scopes with the very same text, which would stay.
        token: stands for the target and for all that the memories and answers say, as they are now.
        mirror: file of the daily mirror → lines of its that would go.
        mirror_left: "FILE:LINE" of lines by hand that name what would go; they stay.
        warnings: what could not be looked at.
    """

    target: str
    memories: tuple[Erasable, ...]
    wordings: tuple[str, ...]
    answers: tuple[str, ...]
    counts: Mapping[str, int]
    scrubbed: Mapping[str, int]
    also_said: tuple[str, ...]
    token: str
    prompts: tuple[str, ...] = ()
    mirror: Mapping[str, int] = field(default_factory=dict)
    mirror_left: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EraseReceipt:
    """What was erased, in numbers: it names nothing.

    Attributes:
        id: of the act: a fingerprint of its target under `key`.
        at_ms: UTC milliseconds since 1970.
        target: the kind of target.
        counts, scrubbed: as in the plan.
        compacted: the file was written anew, so that no page keeps what was in it.
        wal_truncated: the write-ahead log was moved into the file and cut off.
        key: hex; made for this act and kept nowhere. Under the store's own key, which lies in the same
            file, who has the file could try names and texts until one fits. "" of a receipt that was
            read again.
        mirror, mirror_left: as in the plan: lines that went, lines by hand that stayed. Not kept.
        warnings: what could not be taken out of the mirror, or not be looked at. Not kept.
    """

    id: str
    at_ms: int
    target: str
    counts: Mapping[str, int]
    scrubbed: Mapping[str, int]
    compacted: bool
    wal_truncated: bool
    key: str = ""
    mirror: Mapping[str, int] = field(default_factory=dict)
    mirror_left: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def remedy(self) -> str:
        """What is left to do so that no byte stays in the store's files; "" where nothing is."""
        if not self.compacted:
            return (
                "the rows are gone, but the file could not be written anew (another process was "
                "writing, or the disk is full); call finish_erasure once that is over"
            )
        if not self.wal_truncated:
            return (
                "another process still reads an older state, so its log cannot be cut off; end that "
                "process or its read, then call finish_erasure"
            )
        return ""

    def is_of(self, target: EraseTarget, scopes: Sequence[Scope]) -> bool:
        """Whether it is the receipt of this target. Always False without its key."""
        if not self.key:
            return False
        return fingerprint(target.canonical(scopes), key=bytes.fromhex(self.key)) == self.id
