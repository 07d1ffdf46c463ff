"""Which figures about a store would be 0 under every configuration, whatever recall is worth?

Questions that are asked where the store holds nothing, and labels that name what is not there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final

from memweir.evaluation.datasets import StoreQuestion
from memweir.retrieval.analysis import Analyzer
from memweir.retrieval.embedding import HashedNgramEmbedder
from memweir.retrieval.indexing import TextIndexer
from memweir.store.records import to_ms
from memweir.store.scopes import Scope
from memweir.store.seam import Reader
from memweir.store.sqlite import SqliteStore
from memweir.store.view import View

__all__ = ["Place", "unseen", "within"]

_NAMED: Final = 5  # ids and scopes that a note spells out

Place = tuple[tuple[Scope, ...], datetime]
"""Where and when a question is asked."""


def unseen(
    store: Path, questions: Sequence[StoreQuestion], places: Sequence[Place], aside: Place
) -> tuple[str, ...]:
    """What a reader of the figures should know before taking a 0 for quality.

    Args:
        store: of this version's schema; it is only read.
        places: of each question.
        aside: of the off-topic texts and controls.

    Returns:
        A note where scopes hold no memory at all, where the off-topic texts and controls meet none, and
        where relevant ids name no memory that their question can see: one that the store does not
        hold, of another scope, withdrawn or superseded.
    """
    with _reading(store) as reader:
        empty = _empty(reader, [*(scopes for scopes, _ in places), aside[0]])
        notes = [
            _of_empty_scopes(questions, places, empty),
            _of_aside(aside[0], empty),
            _of_labels(reader, questions, places),
        ]
    return tuple(each for each in notes if each)


def within(store: Path, places: Sequence[Place]) -> int:
    """How many active memories, superseded ones included, the scopes of all places hold together."""
    scopes = dict.fromkeys(scope for several, _ in places for scope in several)
    with _reading(store) as reader:
        # A memory has one scope, so that nothing is counted twice.
        return sum(reader.count(_active((scope,))) for scope in scopes)


@contextmanager
def _reading(store: Path) -> Iterator[Reader]:
    analyzer = Analyzer()  # reads of rows ask the indexer nothing
    indexer = TextIndexer(analyzer, HashedNgramEmbedder(analyzer))
    opened = SqliteStore.open(store, indexer, read_only=True)
    try:
        yield opened
    finally:
        opened.close()


def _active(scopes: tuple[Scope, ...]) -> View:
    return View(scopes, as_of_ms=0, include_history=True)


def _empty(reader: Reader, places: Sequence[tuple[Scope, ...]]) -> set[tuple[Scope, ...]]:
    """Those that hold no active memory, not even a superseded one."""
    return {scopes for scopes in dict.fromkeys(places) if reader.count(_active(scopes)) == 0}


def _of_empty_scopes(
    questions: Sequence[StoreQuestion], places: Sequence[Place], empty: set[tuple[Scope, ...]]
) -> str:
    asked = [
        (each.question.id, scopes)
        for each, (scopes, _) in zip(questions, places, strict=True)
        if scopes in empty
    ]
    if not asked:
        return ""
    names = [" + ".join(map(str, scopes)) for scopes in dict.fromkeys(scopes for _, scopes in asked)]
    return (
        f"{len(asked)} of {len(questions)} questions are asked where the store holds no memory, so "
        f"they get nothing: in {_first(names)}; questions {_first([each for each, _ in asked])}"
    )


def _of_aside(scopes: tuple[Scope, ...], empty: set[tuple[Scope, ...]]) -> str:
    if scopes not in empty:
        return ""
    return (
        f"off-topic texts and controls are asked in {' + '.join(map(str, scopes))}, where the store "
        "holds no memory: that they draw nothing says nothing; choose with --scope"
    )


def _of_labels(reader: Reader, questions: Sequence[StoreQuestion], places: Sequence[Place]) -> str:
    labels = 0
    missing: list[str] = []
    for each, (scopes, now) in zip(questions, places, strict=True):
        relevant = each.question.relevant
        seen = reader.records(View(scopes, to_ms(now)), relevant) if relevant else {}
        labels += len(relevant)
        missing += [one for one in relevant if one not in seen]
    if not missing:
        return ""
    return (
        f"{len(missing)} of {labels} labels name no memory that their question can see (not in this "
        "store, of another scope, withdrawn or superseded) and count as never found: "
        f"{_first(list(dict.fromkeys(missing)))}"
    )


def _first(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
