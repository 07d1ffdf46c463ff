"""What does fusion rely on from any path? One contract, against our four and one of a user's."""

from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from memweir import Draft, Relation, Scope
from memweir.config import FIELD_WEIGHTS
from memweir.retrieval.graph import GraphPath
from memweir.retrieval.keyword import KeywordPath, query_terms
from memweir.retrieval.semantic import SemanticPath
from memweir.retrieval.timeline import TimelinePath
from memweir.retrieval.types import PATHS, Hit, Query, Ranking, RetrievalPath
from memweir.store.reads import TermMatch
from memweir.store.records import to_ms
from memweir.store.seam import Reader
from memweir.store.sqlite import SqliteStore
from memweir.testing import NOW, SCOPE, draft

Put = Callable[..., list[str]]
Ask = Callable[..., Query]

OTHER = Scope.project("borealis")
QUERY = "Zoltan signed the lease twelve days ago"  # something for every path


def _findable(text: str = "Zoltan signed the lease", *, days: float = 12, **fields: Any) -> Draft:
    """A draft that every path finds for QUERY."""
    start = NOW - timedelta(days=days)
    values: dict[str, Any] = {
        "title": "Zoltan",
        "relations": (Relation("Zoltan", "signed", "the lease"),),
        "event_start": start,
        "event_end": start + timedelta(hours=1),
    }
    return draft(text, **(values | fields))


class PathContract:
    """Inherit, name the class `Test…`, and implement `make`."""

    def make(self, reader: Reader) -> RetrievalPath:
        """The path under test on a store."""
        raise NotImplementedError

    @pytest.fixture
    def path(self, store: SqliteStore) -> RetrievalPath:
        return self.make(store)

    def test_it_is_a_path_with_a_name(self, path: RetrievalPath) -> None:
        assert isinstance(path, RetrievalPath)
        assert path.name.strip() == path.name != ""

    def test_ranking_carries_the_name_of_its_path(
        self, path: RetrievalPath, put: Put, ask: Ask
    ) -> None:
        put(_findable())
        assert path.rank(ask(QUERY), limit=10).path == path.name
        assert path.rank(ask("zzzz"), limit=10).path == path.name

    def test_memory_is_found(self, path: RetrievalPath, put: Put, ask: Ask) -> None:
        (wanted,) = put(_findable())
        assert [hit.id for hit in path.rank(ask(QUERY), limit=10).hits] == [wanted]

    def test_empty_store_gives_an_empty_ranking_that_says_why(
        self, path: RetrievalPath, ask: Ask
    ) -> None:
        ranking = path.rank(ask("xyzzy"), limit=10)
        assert ranking.hits == ()
        assert ranking.pinned == frozenset()
        assert ranking.note or path.name == "semantic"

    @pytest.mark.parametrize("limit", [1, 2, 7, 40, 1000])
    def test_hits_are_unique_finite_best_first_and_within_the_limit(
        self, path: RetrievalPath, put: Put, ask: Ask, limit: int
    ) -> None:
        put(*(_findable(f"Zoltan signed lease {number} " + "of it " * number) for number in range(20)))
        ranking = path.rank(ask(QUERY), limit=limit)
        assert len(ranking.hits) == min(limit, 20)
        ids = [hit.id for hit in ranking.hits]
        assert len(set(ids)) == len(ids)
        assert ranking.pinned <= set(ids)
        scores = [hit.score for hit in ranking.hits]
        assert all(map(math.isfinite, scores))
        assert scores == sorted(scores, reverse=True)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            " ",
            "\x00",
            '"',
            "(((",
            "a* OR NEAR(",
            "🙂",
            "的了",
            "x" * 30_000,
            "昨天",
            "12" * 40,
        ],
    )
    def test_no_query_raises(self, path: RetrievalPath, put: Put, ask: Ask, text: str) -> None:
        put(_findable(), "🙂", "的了 12")
        ranking = path.rank(ask(text), limit=5)
        assert all(math.isfinite(hit.score) for hit in ranking.hits)

    def test_what_may_not_be_seen_is_not_ranked_and_takes_no_place(
        self, path: RetrievalPath, store: SqliteStore, put: Put, ask: Ask
    ) -> None:
        archived, superseded, visible = put(
            _findable("Zoltan signed the lease first", document_id="a", scene="home", tags=("red",)),
            _findable("Zoltan signed the lease twice", document_id="b", scene="home", tags=("red",)),
            _findable("Zoltan signed the lease after a long talk", scene="home", tags=("red",)),
        )
        put(
            _findable(scope=OTHER),
            _findable("Zoltan signed the lease at work", scene="work", tags=("red",)),
            _findable("Zoltan signed the lease untagged", scene="home"),
            _findable("not yet", scene="home", tags=("red",), valid_at=NOW + timedelta(days=1)),
        )
        store.forget(archived, (SCOPE,), now_ms=to_ms(NOW))
        put(draft("another matter", supersedes=superseded, created_at=NOW - timedelta(hours=1)))
        query = ask(QUERY, scene="home", tags=("red",))
        for limit in (1, 10):
            assert [hit.id for hit in path.rank(query, limit=limit).hits] == [visible]
        elsewhere = path.rank(ask(QUERY, Scope.project("nowhere")), limit=10)
        assert elsewhere.hits == ()
        assert elsewhere.pinned == frozenset()
        assert [hit.id for hit in path.rank(ask(QUERY, OTHER), limit=10).hits] != [visible]

    def test_ranking_and_hits_are_frozen(self, path: RetrievalPath, put: Put, ask: Ask) -> None:
        put(_findable())
        ranking = path.rank(ask(QUERY), limit=10)
        assert isinstance(ranking, Ranking)
        assert isinstance(ranking.hits, tuple)
        assert isinstance(ranking.pinned, frozenset)
        with pytest.raises(dataclasses.FrozenInstanceError):
            ranking.note = "x"  # type: ignore[misc]
        with pytest.raises(dataclasses.FrozenInstanceError):
            ranking.hits[0].score = 2.0  # type: ignore[misc]

    def test_ranking_again_gives_the_same_and_changes_nothing(
        self, path: RetrievalPath, store: SqliteStore, put: Put, ask: Ask
    ) -> None:
        ids = put(*(_findable(f"Zoltan signed lease {number}") for number in range(9)))
        query = ask(QUERY, seeds={ids[4]: 0.5, ids[2]: 0.25})
        before = copy.deepcopy(query)
        first = path.rank(query, limit=6)
        assert path.rank(query, limit=6) == first
        assert self.make(store).rank(query, limit=6) == first
        assert query.vector is not None
        assert before.vector is not None
        assert (query.vector == before.vector).all()
        assert dataclasses.replace(query, vector=None) == dataclasses.replace(before, vector=None)
        assert store.statistics()["runs"] == 0

    def test_order_of_writing_breaks_no_tie(
        self, path: RetrievalPath, store: SqliteStore, put: Put, ask: Ask
    ) -> None:
        drafts = [_findable("Zoltan signed the lease", document_id=f"d{place}") for place in range(6)]
        put(*drafts)
        ranked = [hit.id for hit in path.rank(ask(QUERY), limit=10).hits]
        assert ranked == sorted(ranked)


class TestKeywordPath(PathContract):
    def make(self, reader: Reader) -> RetrievalPath:
        return KeywordPath(reader, weights=FIELD_WEIGHTS)


class TestSemanticPath(PathContract):
    def make(self, reader: Reader) -> RetrievalPath:
        return SemanticPath(reader)


class TestGraphPath(PathContract):
    def make(self, reader: Reader) -> RetrievalPath:
        return GraphPath(reader)


class TestTimelinePath(PathContract):
    def make(self, reader: Reader) -> RetrievalPath:
        return TimelinePath(reader)


class TitlePath:
    """As a user may write one: memories with a title that holds a word of the query, newest first."""

    name = "title"

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def rank(self, query: Query, *, limit: int) -> Ranking:
        match = TermMatch({"title": query_terms(query)}, {})
        ids = self._reader.matching(query.view, match, limit) if query_terms(query) else []
        hits = tuple(Hit(memory_id, 1.0, {"title": True}) for memory_id in ids)
        return Ranking(self.name, hits, note="" if hits else "no title holds a word of the query")


class TestPathOfAUser(PathContract):
    def make(self, reader: Reader) -> RetrievalPath:
        return TitlePath(reader)


def test_the_contract_is_run_against_every_path_of_the_engine() -> None:
    made = {
        cls.__name__.removeprefix("Test").removesuffix("Path").lower()
        for cls in PathContract.__subclasses__()
    }
    assert made >= set(PATHS)
