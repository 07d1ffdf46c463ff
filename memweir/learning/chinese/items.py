"""What does each clause of a Chinese sentence state, and of whom? Gated, read, its subject found.

A clause takes the subject of the one before it where it has none, and 他 is who was spoken of.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from memweir.learning.chinese.clauses import Clause, View, read_clauses, read_view
from memweir.learning.chinese.frames import Frame, find_frame
from memweir.learning.chinese.gates import (
    COMMAND,
    HYPOTHETICAL,
    TRANSIENT,
    gate,
    is_condition,
    supposes,
)
from memweir.learning.chinese.kinds import read_kind
from memweir.learning.chinese.lexicon import Pattern
from memweir.learning.chinese.readings import Reading
from memweir.learning.chinese.rewrite import subject_phrase
from memweir.learning.chinese.rules import forbids
from memweir.learning.chinese.standing import goes_on, is_standing
from memweir.learning.chinese.subjects import Subject, find_subject
from memweir.store.records import clean_text

__all__ = ["LONGEST", "NEEDS_SUBJECT", "Item", "read_items", "spoken_of"]

LONGEST: Final = 600
"""Characters of a sentence that is read; a longer one is no sentence."""


@dataclass(frozen=True, slots=True)
class Item:
    """A clause read.

    Attributes:
        gated: the rule by which it holds nothing; standing: it is an instruction.
        owner, phrase: the subject it inherits, and that in the third person.
        topic: the next clause says something of it.
        when: a clause left out that says on which day this was: 今天天气好，我去了公园.
        framed: it is one of several that make one fact together.
    """

    clause: Clause
    subject: Subject
    reading: Reading | None = None
    gated: str = ""
    standing: bool = False
    phrase: str = ""
    owner: Subject | None = None
    topic: bool = False
    when: Clause | None = None
    framed: bool = False

    @property
    def whose(self) -> Subject:
        """The subject that it has or inherits."""
        return self.owner if self.owner is not None and self.subject.kind == "none" else self.subject


_ITS: Final = Pattern("其<attribute>")
_HE: Final = re.compile("[他她它牠](?!们|人)")
_PEOPLE: Final = ("owned", "kin", "named")


def read_items(
    view: View, clauses: list[Clause], who: str, before: tuple[Subject, str] | None
) -> list[Item]:
    items: list[Item] = []
    owner: tuple[Subject, str] | None = None
    supposed = False
    frame = find_frame(clauses)
    mentioned: tuple[Subject, str] | None = None
    for number, clause in enumerate(clauses):
        subject = find_subject(clause, view)
        alone = frame is not None and frame.first == frame.last and is_standing(clause, subject)
        if frame is not None and frame.first <= number <= frame.last and not alone:
            items.append(_framed(clause, subject, frame, first=number == frame.first))
            continue
        if is_standing(clause, subject) or (
            items
            and items[-1].standing
            and subject.kind not in ("self", "we", "kin", "owned", "named")
            and goes_on(clause, items[-1].clause)
        ):
            items.append(Item(clause, subject, standing=True))
            continue
        following = clauses[number + 1].body if number + 1 < len(clauses) else ""
        supposed = supposed or (supposes(clause) and not is_condition(clause, following))
        if supposed:
            items.append(Item(clause, subject, gated=HYPOTHETICAL))
            continue
        subject, phrase = _resolved(subject, clause, owner, owner or mentioned or before)
        if subject.kind == "other" and items and _is_topic(items[-1], clause):
            items[-1] = replace(items[-1], topic=True)
            subject = replace(subject, kind="named")
        chained = bool(items) and not items[-1].gated and items[-1].clause.mark in ("，", ",", "、")
        gated = gate(clause, subject, chained=chained)
        if gated == COMMAND and forbids(clause, subject, subject.kind) is not None:
            gated = ""
        if gated:
            mentioned = _mentioned(view, clause, who) or mentioned
            items.append(Item(clause, subject, gated=gated))
        else:
            spoken_of = owner or mentioned or before
            inherited = spoken_of[0].kind if spoken_of is not None and phrase else "none"
            reading = read_kind(clause, subject, inherited)
            if reading is not None and items and _is_ordered(items[-1], clause, subject, phrase):
                items.append(Item(clause, subject, gated=COMMAND))
                continue
            if (
                reading is not None
                and subject.kind == "none"
                and reading.rule in NEEDS_SUBJECT
                and reading.word != "叫我"
                and not (phrase and items and items[-1].reading is not None)
                and subject.start == subject.end
            ):
                reading = None
            items.append(
                Item(
                    clause,
                    subject,
                    reading,
                    phrase=phrase,
                    owner=spoken_of[0] if spoken_of is not None and phrase else None,
                    when=_day_before(items, clause, reading),
                )
            )
        names = items[-1].reading is not None or len(subject.said) > 2
        if subject.kind not in ("none", "this", "you") and names:
            owner = subject, subject_phrase(view, subject, who)
        elif owner is None and phrase:
            owner = before
    return items


def _is_ordered(before: Item, clause: Clause, subject: Subject, phrase: str) -> bool:
    """What goes on after an order without a subject is part of it: 帮我写个脚本，每天三点备份."""
    return (
        before.gated == COMMAND
        and before.clause.mark[:1] in ("，", ",", "、")
        and (
            (subject.kind == "none" and subject.end == subject.start)
            or re.match("每(?:天|周|月|隔|次|小时)|然后|再|最后|并且?", clause.body) is not None
        )
        and not phrase
        and re.match("(?:先)?(?:别|不要|不用)", before.clause.body) is None
    )


_MENTION: Final = Pattern("(?:我|咱|俺)(?:们)?(?:家|的)?(?P<noun><kin>|<associate>)(?![们节亲])")


def _mentioned(view: View, clause: Clause, who: str) -> tuple[Subject, str] | None:
    """The one person of the speaker's that a clause names beside what it is about: 给我领导写封邮件."""
    found = list(_MENTION.finditer(clause.body))
    if len(found) != 1:
        return None
    start, end = clause.start + found[0].start(), clause.start + found[0].end()
    subject = Subject("owned", start, end, found[0]["noun"], "", clause.start)
    return subject, subject_phrase(view, subject, who)


def _framed(clause: Clause, subject: Subject, frame: Frame, *, first: bool) -> Item:
    """A clause of a frame; the first carries what is made of it all."""
    return Item(clause, subject, frame.reading if first else None, framed=True)


def _day_before(items: list[Item], clause: Clause, reading: Reading | None) -> Clause | None:
    """The clause left out before an event without a day that names its day."""
    if reading is None or reading.kind != "event" or clause.dates or not items:
        return None
    last = items[-1]
    return last.clause if last.gated == TRANSIENT and len(last.clause.dates) == 1 else None


def _is_topic(before: Item, clause: Clause) -> bool:
    """我家的那台空调，它…: a noun of which the next clause speaks as "it"."""
    return (
        before.reading is None
        and not before.gated
        and not before.standing
        and len(before.clause.body) >= 4
        and _HE.match(clause.body) is not None
    )


def _resolved(
    subject: Subject,
    clause: Clause,
    owner: tuple[Subject, str] | None,
    antecedent: tuple[Subject, str] | None,
) -> tuple[Subject, str]:
    """A subject and the phrase of whom it means where that was said before: 他 is who was spoken of."""
    if (
        subject.kind == "other"
        and antecedent is not None
        and antecedent[0].kind in (*_PEOPLE, "project")
    ):
        place = subject.start - clause.start
        if clause.body.startswith("其", place) and _ITS.match(clause.body, place):
            return replace(subject, kind="none"), antecedent[1] + "的"
        if _HE.match(clause.body, place) and subject.end - subject.start == 1:
            return replace(subject, kind="none"), antecedent[1]
    if subject.kind == "none" and owner is not None:
        return subject, owner[1]
    return subject, ""


def spoken_of(text: str, before: str, now: datetime, who: str) -> tuple[Subject, str] | None:
    """The one person that the sentence before is about; None where there is none or several."""
    if not before or len(before) > LONGEST or not _HE.search(text):
        return None
    view = read_view(clean_text(before), now)
    if text.lstrip()[:1] in ("它", "牠"):
        return _thing_spoken_of(view, who)
    found: dict[str, Subject] = {}
    for clause in read_clauses(view):
        subject = find_subject(clause, view)
        if subject.kind in _PEOPLE:
            found[subject_phrase(view, subject, who)] = subject
    if len(found) != 1:
        return None
    phrase, subject = next(iter(found.items()))
    return subject, phrase


_THING: Final = Pattern(
    "(?:我们|咱们|咱|我|你)?(?:家|的)?(?:那个|这个|那"
    "|这)?(?P<thing>[A-Za-z0-9][A-Za-z0-9 ._/-]{0,24}的?[\u4e00-\u9fff]{0,4}?<project_nou"
    "n>|<project_noun>)"
)


def _thing_spoken_of(view: View, who: str) -> tuple[Subject, str] | None:
    """The one thing of work that a sentence names, for "it" in the next."""
    found = list(_THING.finditer(view.masked))
    if len(found) != 1:
        return None
    start, end = found[0].start("thing"), found[0].end("thing")
    name = view.text[start:end].strip()
    return Subject("project", start, end, name, "", start), name


NEEDS_SUBJECT: Final = frozenset(
    (
        "extract.identity",
        "extract.possession",
        "extract.trait",
        "extract.stated",
        "extract.name",
        "extract.use",
    )
)
