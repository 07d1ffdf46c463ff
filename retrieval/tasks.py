"""What is the task of a turn, and does it open the door to an incident?

Incident logs stay out of a task, with three exceptions: the turn is the wish to repair something, it
names a mark of the failure, or it has a word that is rare in this store and that the incident holds.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memweir.retrieval.analysis import Analyzer, default_analyzer
from memweir.retrieval.failure_marks import incident_marks
from memweir.retrieval.phatic import consists_of
from memweir.retrieval.phrases import flat, read_phrases
from memweir.retrieval.repair import wants_repair
from memweir.retrieval.stemming import stem
from memweir.retrieval.stopwords import read_data, word_lists
from memweir.retrieval.types import Analysis

__all__ = ["Task", "opens", "rare_terms", "read_task", "task_terms", "task_text"]

_TURN: Final = 8_000  # characters of a turn
_EARLIER: Final = 32  # turns before that may say what the task is
_RARE_SHARE: Final = 50  # a rare word is in at most one memory of so many


@dataclass(frozen=True, slots=True)
class Task:
    """What a turn is about, as the door of the incidents asks it.

    Attributes:
        text: where the task is said: this turn, or the latest before it that says one.
        repair: it is the wish to repair or to diagnose something.
        marks: identifiers of failures that it names, as `incident_marks`.
        terms: its words as index terms, in text order, unique.
    """

    text: str
    repair: bool
    marks: tuple[str, ...]
    terms: tuple[str, ...]


def read_task(text: str, context: Sequence[str] = (), *, analyzer: Analyzer | None = None) -> Task:
    """Read a turn.

    Args:
        text: the user's own words of this turn.
        context: turns before, oldest first.
        analyzer: the index's; None: the one with the built-in synonyms.
    """
    said = task_text(text, context)
    return Task(
        text=said,
        repair=wants_repair(said),
        marks=incident_marks(said),
        terms=_terms(said, analyzer or default_analyzer()),
    )


def task_text(text: str, context: Sequence[str] = ()) -> str:
    """Where the task is said: in this turn, or where it only says "go on" in the latest that says more.

    Never the whole conversation: that holds the very error messages that make old incidents look
    relevant. Of a turn its first 8,000 characters count, of the turns before the last 32.
    """
    if _says_task(text):
        return text[:_TURN]
    earlier = reversed(context[-_EARLIER:])
    return next((turn[:_TURN] for turn in earlier if _says_task(turn)), text[:_TURN])


def task_terms(
    text: str, context: Sequence[str] = (), *, analyzer: Analyzer | None = None
) -> tuple[str, ...]:
    """The words and identifiers of the task as index terms, in text order, unique; no bigrams."""
    return _terms(task_text(text, context), analyzer or default_analyzer())


def rare_terms(terms: Iterable[str], df: Mapping[str, int], documents: int) -> tuple[str, ...]:
    """The words of a task that are rare enough here to open the door to what holds them.

    A rare word is held by one memory at least and by one of fifty at most (by one, in a store of up to
    99). It is a word of three Latin letters or two Han characters, not a number, not a word that
    failures in general are spoken of with, and not one of tasks in general.

    Args:
        terms: as `task_terms`.
        df: term → memories of this pool that hold it; absent: none.
        documents: memories of this pool.
    """
    most = max(1, documents // _RARE_SHARE)
    general = _general_terms()
    return tuple(
        dict.fromkeys(
            term
            for term in terms
            if 0 < df.get(term, 0) <= most and term not in general and _is_word(term)
        )
    )


def opens(task: Task, rare: Collection[str], held: Collection[str]) -> str:
    """Why an incident comes into a task: "repair", "mark" or "rare"; "" where it stays out.

    Args:
        rare: as `rare_terms` of the task's terms.
        held: the incident's index terms and its marks.
    """
    if task.repair:
        return "repair"
    if any(mark in held for mark in task.marks):
        return "mark"
    return "rare" if any(term in held for term in rare) else ""


def _terms(said: str, analyzer: Analyzer) -> tuple[str, ...]:
    analysis = analyzer.analyse(said)
    words = [stem for _, stem in analysis.words]
    whole = [term for term in analysis.content if term in _identifiers(analysis)]
    return tuple(dict.fromkeys([*words, *whole]))


def _identifiers(analysis: Analysis) -> frozenset[str]:
    return frozenset([*analysis.symbols, *(name for name in analysis.names if " " not in name)])


_LONGEST: Final = 80  # characters: who says more says something
_SAYS_MORE: Final = re.compile(r"[@#/\\<>{}=_$%+*^~`]")
_LATIN: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_HAN: Final = re.compile(r"[\u3400-\u9fff]+")


def _says_task(text: str) -> bool:
    """Whether a turn has a word of its own beside small talk and "go on"."""
    normal = flat(text[:_TURN])
    if not any(map(str.isalpha, normal)):
        return False
    if len(normal) > _LONGEST or _SAYS_MORE.search(normal) or wants_repair(text):
        return True
    words, phrases = _continuations()
    spoken = _LATIN.findall(_HAN.sub(" ", normal))
    return not (
        all(word.replace("’", "'") in words for word in spoken)
        and all(consists_of(phrases, run) for run in _HAN.findall(normal))
    )


@functools.cache
def _continuations() -> tuple[frozenset[str], frozenset[str]]:
    """Words of Latin letters, and Chinese phrases, of small talk and of "go on"."""
    phatic = [line.strip() for line in read_data("phatic.txt").splitlines() if line[:1] != "#"]
    entries = [*phatic, *read_phrases("task_words.txt")["continuation"]]
    words = frozenset(word for entry in entries for word in entry.split() if word.isascii())
    return words, frozenset(entry for entry in entries if _HAN.match(entry))


_LETTERS: Final = re.compile(r"[a-z]")
_HAN_WORD: Final = re.compile(r"[\u3400-\u9fff]{2,}")


def _is_word(term: str) -> bool:
    return _HAN_WORD.fullmatch(term) is not None or len(_LETTERS.findall(term)) > 2


@functools.cache
def _general_terms() -> frozenset[str]:
    """As index terms: an English word by its stem, of a longer Chinese one every two characters too."""
    entries = read_phrases("task_words.txt")
    general = set(word_lists().stop)
    for name in ("failure", "making", "plain", "thing"):
        for entry in entries[name]:
            general.add(stem(entry))
            if not entry.isascii():
                general.update(entry[start : start + 2] for start in range(len(entry) - 1))
    return frozenset(general)
