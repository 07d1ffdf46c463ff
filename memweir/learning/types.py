"""What passes between the stages of capture? Messages, sentences, facts, and what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Protocol

from memweir.store.records import Relation

__all__ = [
    "LANGUAGES",
    "PERSON",
    "Extractor",
    "Fact",
    "LeftOut",
    "Message",
    "Sentence",
    "Slots",
    "Spoken",
]

PERSON: Final = "user"
"""The source of what a person wrote; every other source is a machine's."""

LANGUAGES: Final = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a turn as hosts have it, its parts joined.

    Attributes:
        role: as the host says: "user", "assistant", "system", "tool", …
        text: its text parts, joined by newlines; images and calls of tools are no text.
        source: who made it, `PERSON` where a person did: a host's own word where it gives one, else
            what the role implies.
        id: the host's, where it gives one.
        at: when it was said, aware; None: not told.
        name: who said it, where the host says so.
        place: its number in the list that was given, from 0.
        part: its number among the parts of that message that hold text, from 0.
    """

    role: str
    text: str
    source: str
    id: str | None = None
    at: datetime | None = None
    name: str | None = None
    place: int = 0
    part: int = 0


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence a person wrote.

    Attributes:
        text: without the white space around it, otherwise as written.
        start, end: its place in the text of its message, half-open, in characters.
        lang: "zh" where Chinese words carry it, else "en".
        before: the sentence before it in the same message, "" where it is the first.
    """

    text: str
    start: int
    end: int
    lang: str
    before: str = ""


@dataclass(frozen=True, slots=True)
class Slots:
    """What a rule recognised in a sentence, each as written, "" where it saw none."""

    time: str = ""
    participants: tuple[str, ...] = ()
    event: str = ""
    relation: str = ""
    conclusion: str = ""


@dataclass(frozen=True, slots=True)
class Spoken:
    """Who speaks, and when: what an extractor knows beside the sentence.

    Attributes:
        subject: the third person in which statements are made: a name, or "" for the user.
        now: aware, when it was said, in the speaker's zone: what "yesterday" counts from.
    """

    subject: str
    now: datetime


@dataclass(frozen=True, slots=True)
class Fact:
    """A compact statement in the third person, made of one sentence.

    Attributes:
        statement: "The user prefers pnpm over npm." / "用户偏好 pnpm，不用 npm。"; dates resolved.
        quote: the words it was made of, exactly as they stand in the sentence: the evidence.
        kind: of `memweir.store.records.KINDS`, never "turn".
        confidence: 0 to 1, how sure the rule is that this is worth keeping and said rightly.
        explicit: the person asked for it to be remembered, or gave a standing instruction.
        semantic_key: of what has one answer a person, "preference.editor"; None where it is not clear.
        window: first moment and end (exclusive) of the event that it speaks of, aware.
        entities: names of who and what it is about; relations: between them.
        rule: name of the rule that made it.
    """

    statement: str
    quote: str
    kind: str
    confidence: float
    rule: str
    explicit: bool = False
    semantic_key: str | None = None
    window: tuple[datetime, datetime] | None = None
    entities: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    slots: Slots = field(default_factory=Slots)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A stretch of text that was not captured, and the rule that says so.

    Attributes:
        rule: "source.assistant", "echo", "shape.question", "extract.nothing-lasting", …
        place: number of its message; start, end: half-open, in characters of its text.
        part: number of the part of the message whose text that is.
    """

    rule: str
    place: int
    start: int
    end: int
    part: int = 0


class Extractor(Protocol):
    """Makes facts of the sentences that passed the gates. Plug a model in by writing another one.

    What it returns is checked as anything else is: a quote must stand in its sentence word for word,
    and the write gates look at the statement.
    """

    def extract(self, sentences: Sequence[Sentence], spoken: Spoken) -> list[tuple[Fact, ...] | str]:
        """For each sentence its facts, or the rule by which there are none. Shape: as `sentences`."""
        ...
