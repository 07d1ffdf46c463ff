"""Which lasting facts does a Chinese sentence state? Its clauses gated, read, grouped and retold."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from typing import Final

from memweir.learning.chinese.clauses import Clause, View, read_clauses, read_view
from memweir.learning.chinese.corrections import find_correction
from memweir.learning.chinese.gates import LOG, NOTHING, SARCASM, VAGUE, is_log, is_sarcastic
from memweir.learning.chinese.grouping import ENDS_GROUP, groups_of, starts_anew
from memweir.learning.chinese.items import LONGEST, Item, read_items, spoken_of
from memweir.learning.chinese.kinds import read_kind
from memweir.learning.chinese.lexicon import Pattern
from memweir.learning.chinese.standing import remembered
from memweir.learning.chinese.subjects import Subject
from memweir.learning.chinese.telling import Placed, tell
from memweir.learning.types import Fact, Sentence, Spoken
from memweir.store.records import clean_text

__all__ = ["LONGEST", "read_chinese"]

_USER: Final = "用户"
_MOST_CLAUSES: Final = 24


def read_chinese(sentence: Sentence, spoken: Spoken) -> tuple[Fact, ...] | str:
    """The facts of one sentence, or the rule by which there are none. Never raises.

    Args:
        sentence: prose a person wrote, simplified or traditional, with or without English words.
        spoken: who said it and when.
    """
    text = clean_text(sentence.text)
    if not text.strip():
        return NOTHING
    if len(text) > LONGEST:
        return "shape.long"
    now = spoken.now if spoken.now.utcoffset() is not None else spoken.now.replace(tzinfo=UTC)
    who = spoken.subject.strip() or _USER
    view = read_view(text, now)
    clauses = read_clauses(view)
    places = list(range(len(text) + 1))
    for _ in range(3):
        change = find_correction(view, clauses)
        if change is None:
            break
        kept = (
            text[: change.start]
            + change.words
            + text[change.end : change.resume]
            + text[change.until :]
        )
        # From a place in the corrected text to one in the sentence; the new words cover all of it.
        middle = [change.until] * (len(change.words) + change.resume - change.end)
        places = [
            *places[: change.start + 1],
            *[places[each] for each in middle],
            *places[change.until + 1 :],
        ]
        places = places[: len(kept) + 1]
        text = kept
        view = read_view(text, now)
        clauses = read_clauses(view)
    clauses = clauses[:_MOST_CLAUSES]
    if not clauses:
        return "shape.reaction"
    found = _facts(view, clauses, who, spoken_of(text, sentence.before, now, who))
    if isinstance(found, str):
        return found
    whole = sentence.text
    return tuple(
        replace(fact, quote=whole[places[start] : max(places[end], places[start] + 1)].strip() or whole)
        for start, end, fact in found
    )


def _facts(
    view: View, clauses: list[Clause], who: str, before: tuple[Subject, str] | None
) -> list[Placed] | str:
    if is_log(view.simple):
        return LOG
    if is_sarcastic(clauses):
        return SARCASM
    request = remembered(view, clauses)
    if request is not None:
        if not request.clauses:
            return VAGUE
        return _explicit(view, request.clauses, who, before)
    items = read_items(view, clauses, who, before)
    asked = any(item.gated in ENDS_GROUP for item in items)
    groups = groups_of(items, beside=asked)
    found = [
        placed
        for placed in (tell(view, group, who) for group in groups)
        if len(placed[2].statement) > 3
    ]
    if found:
        return found
    for item in items:
        if item.gated and item.gated not in ("shape.greeting", "shape.reaction"):
            return item.gated
    return next((item.gated for item in items if item.gated and all(i.gated for i in items)), NOTHING)


# --- explicit requests -------------------------------------------------------------------------------

_DIRECTIVE: Final = Pattern("<directive>")


def _explicit(
    view: View, clauses: tuple[Clause, ...], who: str, before: tuple[Subject, str] | None
) -> list[Placed] | str:
    items: list[Item] = []
    for read in read_items(view, [each for each in clauses if each.body], who, before):
        clause, subject = read.clause, read.subject
        if read.gated in ("shape.question", "shape.greeting", "shape.reaction"):
            continue
        reading = read.reading
        if read.gated and read.gated != "shape.command":
            reading = read_kind(clause, subject)
        directive = subject.kind in ("none", "you", "noun") and (
            read.standing
            or read.gated == "shape.command"
            or (reading is None and not clause.dates and _DIRECTIVE.match(clause.body) is not None)
        )
        items.append(
            replace(read, standing=directive, reading=None if directive else reading, gated="")
        )
    if not items:
        return VAGUE
    groups: list[list[Item]] = []
    for item in items:
        if (
            groups
            and not item.standing
            and not groups[-1][-1].standing
            and not (item.reading is not None and starts_anew(groups[-1], item))
        ) or (groups and item.standing and groups[-1][-1].standing):
            groups[-1].append(item)
        else:
            groups.append([item])
    return [tell(view, group, who, explicit=True) for group in groups]
