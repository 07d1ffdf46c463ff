"""What do the tests of the paths share? A store with the real analysis, and queries made by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from memweir import Draft, Scope, Stored
from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.dates import find_dates
from memweir.retrieval.embedding import HashedNgramEmbedder, weigh_query
from memweir.retrieval.indexing import TextIndexer
from memweir.retrieval.types import Query
from memweir.store.records import to_ms
from memweir.store.sqlite import SqliteStore
from memweir.testing import NOW, SCOPE, draft, view


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """An empty store that indexes with the built-in analysis and embedder."""
    indexer = TextIndexer(default_analyzer(), HashedNgramEmbedder(default_analyzer()))
    opened = SqliteStore.open(tmp_path / "memory.db", indexer)
    yield opened
    opened.close()


@pytest.fixture
def put(store: SqliteStore) -> Callable[..., list[str]]:
    """Store texts or drafts; their ids."""

    def putting(*texts: str | Draft, **fields: Any) -> list[str]:
        drafts = [each if isinstance(each, Draft) else draft(each, **fields) for each in texts]
        ids = []
        for result in store.add_many(drafts, now_ms=to_ms(NOW)):
            assert isinstance(result, Stored), result
            ids.append(result.id)
        return ids

    return putting


@pytest.fixture
def ask(store: SqliteStore) -> Callable[..., Query]:
    """A query of the store as the face would make it, but for what depends on other paths."""

    def asking(
        text: str,
        *scopes: Scope,
        now: datetime = NOW,
        seeds: Mapping[str, float] | None = None,
        **shown: Any,
    ) -> Query:
        dates = find_dates(text, now)
        said = text
        for span in dates:  # "three days ago" says when and not what
            said = said[: span.start] + " " * (span.end - span.start) + said[span.end :]
        said = said if any(map(str.isalnum, said)) else text
        (vector,) = HashedNgramEmbedder(default_analyzer()).embed([said])
        statistics = store.vector_statistics()
        return Query(
            text=text,
            analysis=default_analyzer().analyse(said),
            view=view(*(scopes or (SCOPE,)), **shown),
            now=now,
            dates=dates,
            vector=weigh_query(vector, statistics.df, statistics.documents),
            seeds=seeds or {},
        )

    return asking
