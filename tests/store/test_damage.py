"""Is a damaged row told as damage, by every verb that meets it, and nothing else taken for damage?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from memweir.errors import StoreCorrupt
from memweir.store.entry import Indexable, IndexEntry
from memweir.store.reads import TermMatch
from memweir.store.records import Stored, to_ms
from memweir.store.sqlite import SqliteStore
from memweir.testing import NOW, SCOPE, PlainIndexer, draft, view

Opener = Callable[..., SqliteStore]
Sql = Callable[..., list[tuple[Any, ...]]]

_NOW_MS = to_ms(NOW)
_QUERY = PlainIndexer().embed("tea")


def _add(store: SqliteStore, text: str) -> str:
    stored = store.add_many([draft(text, tags=("hot",))], now_ms=_NOW_MS)[0]
    assert isinstance(stored, Stored)
    return stored.id


@contextmanager
def _corrupt() -> Iterator[None]:
    with pytest.raises(StoreCorrupt) as caught:
        yield
    told = str(caught.value)
    assert "damaged" in told
    assert "reindex" in told or "restore a backup" in told
    assert "green" not in told


def _damage(
    open_store: Opener, sql: Sql, statement: str, indexer: PlainIndexer | None = None
) -> tuple[SqliteStore, str]:
    store = open_store(indexer)
    memory_id = _add(store, "green tea")
    store.close()
    sql(f"PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; {statement}")
    return open_store(indexer), memory_id


_VECTOR_VERBS: dict[str, Callable[[SqliteStore, str], object]] = {
    "nearest": lambda store, _: store.nearest(view(), _QUERY, 5),
    "similarity": lambda store, memory_id: store.similarity(_QUERY, [memory_id]),
}
_ROW_VERBS: dict[str, Callable[[SqliteStore, str], object]] = {
    "records": lambda store, memory_id: store.records(view(), [memory_id]),
    "fetch": lambda store, memory_id: store.fetch(memory_id, (SCOPE,)),
    "trail": lambda store, memory_id: store.trail(memory_id, (SCOPE,)),
    "archive": lambda store, memory_id: store.forget(memory_id, (SCOPE,), now_ms=_NOW_MS),
    "restore": lambda store, memory_id: store.restore(memory_id, (SCOPE,), now_ms=_NOW_MS),
    "feedback": lambda store, memory_id: store.feedback(memory_id, "helped", None, now_ms=_NOW_MS),
    "add_many": lambda store, _: _add(store, "green tea"),
    "reindex": lambda store, _: store.reindex(now_ms=_NOW_MS),
}


@pytest.mark.parametrize("in_sql", [True, False])
@pytest.mark.parametrize(
    "blob",
    [
        "x''",
        "x'01'",
        "x'010000000000803fffff7f'",  # dimension 65535
        "x'010000000000803f0100027f'",  # a byte more than one dimension has
        "x'010000000000c07f01007f'",  # 1 / norm is not a number
        "zeroblob(9)",
        "x'000000000000803f01007f'",  # of no codec
        "x'020000000000803f7f7f'",  # dense, of two dimensions
    ],
)
@pytest.mark.parametrize("verb", sorted(_VECTOR_VERBS))
def test_a_vector_that_cannot_be_read_is_damage_and_reindexing_mends_it(
    open_store: Opener, sql: Sql, verb: str, blob: str, in_sql: bool
) -> None:
    store, memory_id = _damage(open_store, sql, f"UPDATE vector SET embedding = {blob}")
    store.close()
    store = open_store(vectors_in_sql=in_sql)
    with _corrupt():
        _VECTOR_VERBS[verb](store, memory_id)
    assert store.reindex(now_ms=_NOW_MS) == 1
    assert [hit.id for hit in store.nearest(view(), _QUERY, 5)] == [memory_id]


@pytest.mark.parametrize("in_sql", [True, False])
@pytest.mark.parametrize(
    "blob",
    [
        "x'03'",
        "x'0300100000000000'",
        "x'030010000000803f0000'",  # cut in the header
        "x'030010000000803f0000803f0000803f7f'",  # cut in the tail
        "x'010000000000803f01007f'",  # sparse, without a tail
        "x'030001000000803f0000803f0000803f7f'",  # a tail of one dimension, alone
        "x'030000000000803f0000803f0000803f01007f'",  # no tail
        "x'030010000000803f0000803f0000803f' || zeroblob(17)",  # a byte more than head and tail
        "x'030010000000c07f0000803f0000803f' || zeroblob(19)",  # a scale is not a number
        "x'030010000000803f0000c07f0000803f' || x'01007f' || zeroblob(16)",
        "x'030010000000803f0000803f0000c07f' || x'01007f' || zeroblob(16)",
        "x'030010000000803f0000803f0000803f' || x'00017f' || zeroblob(16)",  # dimension 256, the tail's
    ],
)
@pytest.mark.parametrize("verb", sorted(_VECTOR_VERBS))
def test_a_vector_with_a_tail_that_cannot_be_read_is_damage_and_reindexing_mends_it(
    open_store: Opener, sql: Sql, verb: str, blob: str, in_sql: bool
) -> None:
    indexer = PlainIndexer(dim=272, tail=16)
    query = indexer.embed("tea")
    statement = f"UPDATE vector SET embedding = CAST({blob} AS BLOB)"
    store, memory_id = _damage(open_store, sql, statement, indexer)
    store.close()
    store = open_store(indexer, vectors_in_sql=in_sql)
    calls: dict[str, Callable[[], object]] = {
        "nearest": lambda: store.nearest(view(), query, 5),
        "similarity": lambda: store.similarity(query, [memory_id]),
    }
    with _corrupt():
        calls[verb]()
    assert store.reindex(now_ms=_NOW_MS) == 1
    assert [hit.id for hit in store.nearest(view(), query, 5)] == [memory_id]


@pytest.mark.parametrize("blob", ["x''", "x'01'", "x'03'", "x'030010000000803f0000803f0000803f7f'"])
def test_taking_out_a_vector_that_cannot_be_read_is_damage(
    open_store: Opener, sql: Sql, blob: str
) -> None:
    store, memory_id = _damage(open_store, sql, f"UPDATE vector SET embedding = {blob}")
    with _corrupt():
        store.forget(memory_id, (SCOPE,), now_ms=_NOW_MS)


@pytest.mark.parametrize("in_sql", [True, False])
def test_a_code_of_another_length_is_damage(open_store: Opener, sql: Sql, in_sql: bool) -> None:
    store, _ = _damage(open_store, sql, "UPDATE vector_code SET code = x'00ff'")
    store.close()
    with _corrupt():
        open_store(vectors_in_sql=in_sql).nearest(view(), _QUERY, 5)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE memory SET tags = 'not json'",
        "UPDATE memory SET tags = '5'",
        "UPDATE memory SET tags = '[1]'",
        "UPDATE memory SET tags = '{\"a\": 1}'",
        "UPDATE memory SET text = CAST(x'ff67' AS TEXT)",
        "DELETE FROM scope",
    ],
)
@pytest.mark.parametrize("verb", sorted(_ROW_VERBS))
def test_a_row_that_cannot_be_read_is_damage(
    open_store: Opener, sql: Sql, verb: str, damage: str
) -> None:
    store, memory_id = _damage(open_store, sql, damage)
    if (verb, damage) == ("records", "DELETE FROM scope"):  # of no scope that a view could name
        assert _ROW_VERBS[verb](store, memory_id) == {}
        return
    with _corrupt():
        _ROW_VERBS[verb](store, memory_id)


@pytest.mark.parametrize("df", ["x'010203'", "zeroblob(7)"])
def test_vector_statistics_of_a_wrong_size_are_damage(open_store: Opener, sql: Sql, df: str) -> None:
    store, memory_id = _damage(open_store, sql, f"UPDATE vector_statistics SET df = {df}")
    with _corrupt():
        store.vector_statistics()
    with _corrupt():
        _add(store, "black tea")
    with _corrupt():
        store.forget(memory_id, (SCOPE,), now_ms=_NOW_MS)
    store.reindex(now_ms=_NOW_MS)
    assert store.vector_statistics().documents == 1


def test_a_hash_key_that_is_none_is_damage(open_store: Opener, sql: Sql) -> None:
    with _corrupt():
        _damage(open_store, sql, "UPDATE meta SET value = 7 WHERE key = 'hash_key'")


def test_a_standing_answer_that_cannot_be_read_is_damage(open_store: Opener, sql: Sql) -> None:
    store = open_store()
    store.put_answer(SCOPE, "green", {"q": "Q?"}, now_ms=_NOW_MS)
    store.close()
    sql("UPDATE answer SET text = CAST(x'ff' AS TEXT)")
    with _corrupt():
        open_store().find_answer((SCOPE,), "q")


def test_a_fault_of_the_code_inside_a_snapshot_is_not_taken_for_damage(open_store: Opener) -> None:
    store = open_store()
    for fault in (ValueError, TypeError, IndexError, KeyError):
        with pytest.raises(fault), store.snapshot():
            raise fault("of the caller")
    assert store.count(view()) == 0


def test_a_fault_of_the_indexer_is_not_taken_for_damage(open_store: Opener) -> None:
    class Broken(PlainIndexer):
        broken = False

        def index(self, documents: Sequence[Indexable]) -> list[IndexEntry]:
            if self.broken:
                raise ValueError("of the indexer")
            return super().index(documents)

    indexer = Broken()
    store = open_store(indexer)
    memory_id = _add(store, "green tea")
    store.forget(memory_id, (SCOPE,), now_ms=_NOW_MS)
    indexer.broken = True
    calls: list[Callable[[], object]] = [
        lambda: _add(store, "black tea"),
        lambda: store.restore(memory_id, (SCOPE,), now_ms=_NOW_MS),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="of the indexer"):
            call()
    assert store.matching(view(), TermMatch({"": ("tea",)}, {}), 5) == []
