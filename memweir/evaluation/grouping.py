"""Was the right session found, whichever of its turns stood for it?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from memweir.evaluation.datasets import session_of
from memweir.evaluation.runner import Asked, SetRun

__all__ = ["by_session"]


def by_session(run: SetRun) -> SetRun:
    """The same answers with every memory id replaced by its session's.

    A session ranks where its best turn does. A question without an answer is judged by its `trap`: the
    session it is about is the one to find, whether or not the answer is in it. Ids that are not of the
    form `SESSION:TURN` stay what they are.
    """
    return replace(run, asked=tuple(_grouped(asked) for asked in run.asked))


def _grouped(asked: Asked) -> Asked:
    question = asked.question
    evidence = question.relevant or question.trap
    sessions = replace(question, relevant=_sessions(evidence), trap=())
    best: dict[str, float] = {}
    relevance: dict[str, float] = {}
    for memory_id, score in asked.ranked:
        best.setdefault(session_of(memory_id), score)
    for (memory_id, _), value in zip(asked.ranked, asked.relevances, strict=False):
        relevance.setdefault(session_of(memory_id), value)
    return replace(
        asked,
        question=sessions,
        ranked=tuple(best.items()),
        relevances=tuple(relevance.values()),
        paths={path: _sessions(ids) for path, ids in asked.paths.items()},
        block=_sessions(asked.block),
        used=_sessions(asked.used),
    )


def _sessions(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(session_of(each) for each in ids))
