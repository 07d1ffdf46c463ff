"""What did every single question get? Runs as JSON Lines, and back.

A line holds what the figures are computed from, so that `read_runs` gives runs that can be compared
without asking anything again. What is not about one question (off-topic texts, controls, single paths)
is not in a line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from memweir.errors import InputError
from memweir.evaluation.datasets import Question
from memweir.evaluation.runner import CANDIDATES, Asked, SetRun

__all__ = ["LinesError", "MarkedRun", "aligned", "labelled_only", "per_query_lines", "read_runs"]


class LinesError(InputError):
    """A file of single questions cannot be read as one; `line` is 0 where the whole file is meant."""

    def __init__(self, file: Path, line: int, problem: str) -> None:
        super().__init__(f"{file}{f', line {line}' if line else ''}: {problem}")
        self.file, self.line, self.problem = str(file), line, problem


@dataclass(frozen=True, slots=True)
class MarkedRun(SetRun):
    """A run that knows for which of its questions nobody said what is relevant.

    Attributes:
        unlabelled: their ids. Such a question has no relevant memory, as an unanswerable one has none,
            but counts in no figure of quality.
    """

    unlabelled: frozenset[str] = frozenset()


def labelled_only(run: SetRun) -> SetRun:
    """The run without its unlabelled questions."""
    left_out = _unlabelled(run)
    return replace(run, asked=tuple(each for each in run.asked if each.question.id not in left_out))


def _unlabelled(run: SetRun) -> frozenset[str]:
    return run.unlabelled if isinstance(run, MarkedRun) else frozenset()


def per_query_lines(run: SetRun) -> list[dict[str, Any]]:
    """One JSON object a question, in the order of the set.

    `labelled` is false where nobody said what is relevant: `relevant` is empty then and says nothing.
    """
    unlabelled = _unlabelled(run)
    return [
        {
            "set": run.name,
            "config": run.config,
            "query": each.question.id,
            "ranked": [[memory_id, score] for memory_id, score in each.ranked[:CANDIDATES]],
            "block": list(each.block),
            "used": list(each.used),
            "abstained": each.abstained or None,
            "labelled": each.question.id not in unlabelled,
            "relevant": list(each.question.relevant),
            "trap": list(each.question.trap),
            "scope": each.question.scope,
            "category": each.question.category,
            "injected": each.injected,
            "relevances": list(each.relevances[:CANDIDATES]),
            "latency_ms": round(each.latency_ms, 3),
        }
        for each in run.asked
    ]


def read_runs(file: Path) -> list[MarkedRun]:
    """The runs of a file: one for each set and configuration, in order of appearance.

    A line without `labelled`, as earlier versions wrote it, is labelled.

    Raises:
        LinesError: an unreadable file or line, a field that is missing or of another type, a question
            that occurs twice in a run.
    """
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise LinesError(file, 0, error.strerror or str(error)) from error
    found: dict[tuple[str, str], dict[str, Asked]] = {}
    unlabelled: dict[tuple[str, str], set[str]] = {}
    for number, each in enumerate(raw.split(b"\n"), start=1):
        if not each.strip():
            continue
        try:
            fields = json.loads(each.decode("utf-8-sig" if number == 1 else "utf-8"))
        except (ValueError, RecursionError) as error:
            raise LinesError(file, number, f"is not JSON ({error})") from error
        if not isinstance(fields, dict):
            raise LinesError(file, number, "must be a JSON object")
        line = _Line(file, number, fields)
        asked = line.asked()
        key = (line.text("set"), line.text("config"))
        run = found.setdefault(key, {})
        if asked.question.id in run:
            line.fail(f"question {asked.question.id!r} is there twice under one configuration")
        run[asked.question.id] = asked
        if not line.labelled():
            unlabelled.setdefault(key, set()).add(asked.question.id)
    if not found:
        raise LinesError(file, 0, "holds no question")
    return [
        MarkedRun(
            name,
            config,
            memories=0,
            refused=(),
            unknown=(),
            asked=tuple(run.values()),
            offtopic=(),
            unlabelled=frozenset(unlabelled.get((name, config), ())),
        )
        for (name, config), run in found.items()
    ]


def aligned(files: Sequence[tuple[Path, Sequence[MarkedRun]]]) -> list[MarkedRun]:
    """Runs of several files as one comparison: the questions of a set in the order of its first run.

    A question that one run of a set calls unlabelled is so in all of them: a file of an earlier version
    cannot say it.

    Where two files have a run of one set under one configuration, configurations are called
    `FILE:CONFIG` by the file's stem, by its path where stems are equal.

    Raises:
        LinesError: two runs of a set are not about the same questions with the same relevant memories.
    """
    pairs = [(run.name, run.config) for _, runs in files for run in runs]
    stems = [file.stem for file, _ in files]
    found: list[MarkedRun] = []
    first: dict[str, MarkedRun] = {}
    unlabelled: dict[str, frozenset[str]] = {}
    for file, runs in files:
        label = file.stem if stems.count(file.stem) == 1 else str(file)
        for run in runs:
            if len(set(pairs)) < len(pairs):
                run = replace(run, config=f"{label}:{run.config}")
            base = first.setdefault(run.name, run)
            mine = {each.question.id: each for each in run.asked}
            wanted = {each.question.id: each.question.relevant for each in base.asked}
            if {name: each.question.relevant for name, each in mine.items()} != wanted:
                raise LinesError(
                    file,
                    0,
                    f"{run.name}: not the same questions, with the same relevant ids, as before",
                )
            found.append(replace(run, asked=tuple(mine[name] for name in wanted)))
            unlabelled[run.name] = unlabelled.get(run.name, frozenset()) | run.unlabelled
    return [replace(run, unlabelled=unlabelled[run.name]) for run in found]


class _Line:
    """One object and where it stands; its accessors check what they return."""

    def __init__(self, file: Path, number: int, fields: Mapping[str, Any]) -> None:
        self._file, self._number, self._fields = file, number, fields

    def fail(self, problem: str) -> NoReturn:
        raise LinesError(self._file, self._number, problem)

    def asked(self) -> Asked:
        block = self.texts("block")
        ranked = self._get("ranked")
        if not isinstance(ranked, list) or not all(map(_is_ranked, ranked)):
            self.fail("ranked must be a list of [id, score]")
        relevances = self._fields.get("relevances", [])
        if not isinstance(relevances, list) or not all(map(_is_number, relevances)):
            self.fail("relevances must be a list of numbers")
        return Asked(
            question=Question(
                self._number,
                self.text("query"),
                "",
                self.text("scope"),
                self.text("category"),
                self.texts("relevant"),
                self.texts("trap"),
            ),
            ranked=tuple((memory_id, float(score)) for memory_id, score in ranked),
            relevance=max(map(float, relevances), default=0.0),
            paths={},
            block=block,
            used=self.texts("used"),
            injected=bool(self._fields.get("injected", bool(block))),
            abstained=str(self._fields.get("abstained") or ""),
            latency_ms=self._time(),
            relevances=tuple(map(float, relevances)),
        )

    def labelled(self) -> bool:
        value = self._fields.get("labelled", True)
        if not isinstance(value, bool):
            self.fail("labelled must be true or false")
        if not value and self.texts("relevant"):
            self.fail("labelled is false, but relevant names memories")
        return value

    def _time(self) -> float:
        value = self._fields.get("latency_ms", 0.0)
        if not _is_number(value):
            self.fail("latency_ms must be a number")
        return float(value)

    def text(self, name: str) -> str:
        value = self._get(name)
        if not isinstance(value, str):
            self.fail(f"{name} must be text")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._get(name)
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            self.fail(f"{name} must be a list of texts")
        return tuple(value)

    def _get(self, name: str) -> Any:
        if name not in self._fields:
            self.fail(f"{name} is missing; write the file anew with --per-query")
        return self._fields[name]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_ranked(pair: object) -> bool:
    return (
        isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) and _is_number(pair[1])
    )
