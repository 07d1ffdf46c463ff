"""What are the features of every candidate of every question? A file of arrays for `fit.py`.

    python -m tools.ranking.collect FOLDER... --out features.pkl

The sets are asked as `memweir eval` asks them. Beside its own questions every set is asked questions of
the other sets, which its memories do not answer.
"""

from __future__ import annotations

import argparse
import hashlib
import pickle
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from memweir import Memory
from memweir.asking import Asking
from memweir.evaluation.datasets import DataSet, MemoryLine, Question, find_sets
from memweir.evaluation.runner import run_set
from memweir.finding import Finder, Findings
from tools.ranking.rows import SMALL, Row, half

__all__ = ["main"]

FOREIGN: Final = 8
"""Questions of every other set that a set is asked, where nobody says otherwise."""

_STORES: Final = 48  # small stores made of a set
_SIZES: Final = (3, 6, 12)  # memories of each, in turn


class _Small:
    """Stores as they are in the beginning: some questions of a set, each among a handful of memories.

    The answer and others of the same scope, told before the question is asked; which ones is decided by
    a hash of their names.
    """

    def __init__(self, dataset: DataSet) -> None:
        self._dataset = dataset
        self.name = SMALL + dataset.name
        self._questions: list[Question] = []
        self._memories: list[MemoryLine] = []
        by_scope: dict[str, list[MemoryLine]] = {}
        for memory in dataset.memories():
            by_scope.setdefault(memory.scope, []).append(memory)
        own = [each for each in dataset.questions() if each.relevant]
        for place, question in enumerate(own[:: max(len(own) // _STORES, 1)][:_STORES]):
            until = question.as_of_seq
            told = [
                each
                for each in by_scope[question.scope]
                if until is None or each.seq is None or each.seq < until
            ]
            told.sort(key=lambda each: (each.id not in question.relevant, _shuffled(question, each)))
            scope = f"store{place}"
            # Two of the answers at most, so that there is something else.
            kept = [each for each in told if each.id in question.relevant][:2]
            kept += told[len(question.relevant) :][: _SIZES[place % len(_SIZES)] - len(kept)]
            self._memories += [replace(each, scope=scope, seq=None) for each in kept]
            relevant = tuple(each.id for each in kept if each.id in question.relevant)
            self._questions.append(
                replace(question, scope=scope, relevant=relevant, trap=(), as_of_seq=None)
            )

    def __getattr__(self, name: str) -> Any:
        return getattr(self._dataset, name)

    def memories(self) -> Iterator[MemoryLine]:
        yield from self._memories

    def questions(self) -> Iterator[Question]:
        yield from self._questions


def _shuffled(question: Question, memory: MemoryLine) -> bytes:
    return hashlib.sha256(f"{question.id}/{memory.id}".encode()).digest()


class _Watched:
    """A set whose questions are its own and some of others', and what was found for each."""

    def __init__(self, dataset: DataSet, foreign: Sequence[Question], step: int) -> None:
        self._dataset, self._foreign, self._step = dataset, foreign, step
        self.name = dataset.name

    def __getattr__(self, name: str) -> Any:
        return getattr(self._dataset, name)

    def questions(self) -> Iterator[Question]:
        own = list(self._dataset.questions())[:: self._step]
        yield from own
        scopes = list(dict.fromkeys(question.scope for question in own))
        for place, question in enumerate(self._foreign):
            model = next(each for each in own if each.scope == scopes[place % len(scopes)])
            yield replace(
                model,
                id=f"foreign/{place}/{question.id}",
                text=question.text,
                category="foreign",
                relevant=(),
                trap=(),
                # The turns before stay: what was spoken of until now is no answer to a new subject.
                as_of_seq=None,
            )


def _collect(dataset: DataSet, foreign: Sequence[Question], step: int) -> list[Row]:
    seen: list[tuple[Asking, Findings]] = []
    original = Finder.find

    def find(self: Finder, query: Any, profile: Any, **given: Any) -> Findings:
        findings = original(self, query, profile, **given)
        seen.append((Asking(query, profile), findings))
        return findings

    questions = list(_Watched(dataset, foreign, step).questions())
    scopes = {question.scope for question in questions}
    Finder.find = find  # type: ignore[method-assign]
    try:
        run = run_set(_Watched(dataset, foreign, step), _open)  # type: ignore[arg-type]
    finally:
        Finder.find = original  # type: ignore[method-assign]
    found: dict[tuple[str, str], list[Findings]] = {}
    for asking, findings in seen:
        key = asking.query.text, str(asking.query.view.scopes[0])
        found.setdefault(key, []).append(findings)
    rows = []
    for asked in run.asked:
        question = asked.question
        waiting = found.get((question.text, f"project:{question.scope}"), [])
        if not waiting:
            continue  # nothing to look for in it
        rows.append(_row(dataset.name, question, waiting.pop(0), single=len(scopes) == 1))
    return rows


def _row(name: str, question: Question, findings: Findings, *, single: bool) -> Row:
    import numpy as np

    from memweir.retrieval.features import FEATURES

    ids = tuple(findings.records[each].document_id or each for each in findings.ids)
    matrix = np.zeros((0, len(FEATURES))) if findings.matrix is None else findings.matrix
    return Row(
        set=name,
        question=question.text,
        scope=question.scope,
        category=question.category,
        half=half(question.id if single else question.scope),
        own=question.category != "foreign",
        answerable=bool(question.relevant),
        relevant=len(question.relevant),
        matrix=matrix.astype(np.float32),
        labels=np.array([each in question.relevant for each in ids], bool),
        about=np.array([each in {*question.relevant, *question.trap} for each in ids], bool),
        ids=ids,
    )


@contextmanager
def _open(path: Path, now: datetime) -> Iterator[Memory]:
    with Memory.open(path, clock=lambda: now) as memory:
        yield memory


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="+", type=Path)
    parser.add_argument("--only", nargs="*", default=[], help="sets to ask, of those in the folders")
    parser.add_argument("--step", type=int, default=1, help="ask every STEP-th question of a set")
    parser.add_argument("--foreign", type=int, default=FOREIGN, help="questions of each other set")
    parser.add_argument("--small", action="store_true", help="in small stores made of each set")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    sets = find_sets(given.folder)
    questions = {dataset.name: list(dataset.questions()) for dataset in sets}
    rows: list[Row] = []
    for dataset in sets:
        if given.only and dataset.name not in given.only:
            continue
        foreign = [
            question
            for name, theirs in questions.items()
            if name != dataset.name and not _same_kind(name, dataset.name)
            for question in theirs[:: max(len(theirs) // max(given.foreign, 1), 1)][: given.foreign]
        ]
        asked = _Small(dataset) if given.small else dataset
        found = _collect(asked, foreign, given.step)  # type: ignore[arg-type]
        rows += found
        print(dataset.name, len(found), flush=True)
    given.out.write_bytes(pickle.dumps(rows))


def _same_kind(one: str, other: str) -> bool:
    """Sets made from the same conversations: each may answer the other's questions."""
    return one.split("_")[0] == other.split("_")[0]


if __name__ == "__main__":
    main()
