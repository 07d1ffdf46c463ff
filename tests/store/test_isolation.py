"""Does a scope's key stay data, and a folder's path stay off the disk?"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.errors import MemweirError, ScopeError
from memweir.store.audit import Run
from memweir.store.reads import Neighbours, TermMatch
from memweir.store.records import Stored, to_ms
from memweir.store.scopes import SCOPE_KINDS, Scope
from memweir.store.sqlite import SqliteStore
from memweir.testing import NOW, SCOPE, PlainIndexer, draft, view

_NOW_MS = to_ms(NOW)
_KEYED = tuple(kind for kind in SCOPE_KINDS if kind not in ("global", "workspace"))
_HOSTILE = (
    'x" OR 1=1 --',
    "x' OR '1'='1",
    "'; DROP TABLE memory; --",
    "%",
    "_",
    "\\",
    "a%b_c",
    "line\nbreak",
    "tab\tand\x00nul",
    "*",
    "[1,2]",
    '{"a":1}',
    "s1",
    "scope : (s1)",
    "全部",
    "Ａ",
    "A",
    "a",
    " a",
    "a ",
    "🙂",
)


def _ids(store: SqliteStore, scope: Scope) -> list[str]:
    shown = view(scope)
    found = store.matching(shown, TermMatch({"": ("word",)}, {}), 1000)
    assert [each for each, _ in store.keyword(shown, TermMatch({"": ("word",)}, {}), 1000)] == sorted(
        found
    )
    assert {hit.id for hit in store.nearest(shown, PlainIndexer().embed("word"), 1000)} == set(found)
    assert [hit.id for hit in store.latest(shown, 1000)] == found
    assert store.count(shown) == len(found)
    known = store.term_statistics(shown, ["word"])
    assert (known.documents, known.df.get("word", 0)) == (len(found), len(found))
    return found


def test_no_scope_key_reaches_beyond_its_own_memories(store: SqliteStore) -> None:
    scopes = [Scope("project", key) for key in _HOSTILE] + [Scope("team", key) for key in _HOSTILE]
    scopes.append(Scope.everywhere())
    results = store.add_many([draft("word", scope=scope) for scope in scopes], now_ms=_NOW_MS)
    ids = [each.id for each in results if isinstance(each, Stored)]
    assert len(set(ids)) == len(scopes)
    for scope, memory_id in zip(scopes, ids, strict=True):
        assert _ids(store, scope) == [memory_id]
        assert store.fetch(memory_id, (scope,)).scope == scope
    store.forget(ids[0], (scopes[0],), now_ms=_NOW_MS)
    assert sum(len(_ids(store, scope)) for scope in scopes) == len(scopes) - 1


@settings(deadline=None, max_examples=25)
@given(keys=st.lists(st.text(min_size=1, max_size=12), min_size=2, max_size=5, unique=True))
def test_any_keys_keep_their_memories_apart(
    tmp_path_factory: pytest.TempPathFactory, keys: list[str]
) -> None:
    scopes = []
    for number, key in enumerate(keys):
        try:
            scopes.append(Scope(_KEYED[number % 2], key))
        except ScopeError:
            continue
    store = SqliteStore.open(tmp_path_factory.mktemp("keys") / "memory.db", PlainIndexer())
    try:
        results = store.add_many([draft("word", scope=scope) for scope in scopes], now_ms=_NOW_MS)
        for scope, result in zip(scopes, results, strict=True):
            expected = [] if isinstance(result, MemweirError) else [result.id]
            assert _ids(store, scope) == expected
    finally:
        store.close()


@pytest.mark.parametrize("value", [*_HOSTILE, "home"])
def test_scene_domain_tag_and_speaker_are_data_too(store: SqliteStore, value: str) -> None:
    fields: dict[str, Any] = {"scene": value, "domain": value, "tags": (value,), "speaker": value}
    results = store.add_many([draft("word"), draft("word", **fields)], now_ms=_NOW_MS)
    marked = results[1]
    assert isinstance(marked, Stored)
    folded = PlainIndexer().fold(value)
    assert store.count(view(tags=(folded,))) == 1
    assert store.count(view(scene=value, domain=value)) == 2
    assert store.count(view(scene="another")) == 1
    assert store.count(view(domain="another")) == 1
    record = store.fetch(marked.id, (SCOPE,))
    assert record.tags == (value,)
    if value.strip():
        assert (record.scene, record.domain, record.speaker) == (value, value, value)


@pytest.mark.parametrize("session", [*_HOSTILE, "s@1", "@"])
def test_a_sessions_name_is_data_too(store: SqliteStore, session: str) -> None:
    turns = [
        draft(f"turn {n} {name}", kind="turn", session_id=name, source=f"{name}@{n}")
        for name in (session, "another")
        for n in (1, 2)
    ]
    results = store.add_many(turns, now_ms=_NOW_MS)
    one, two, *_ = (each.id for each in results if isinstance(each, Stored))
    assert store.neighbours(view(), [one, two]) == {
        one: Neighbours(None, two),
        two: Neighbours(one, None),
    }


def test_an_id_of_another_scope_and_an_unknown_id_are_told_alike(store: SqliteStore) -> None:
    here, there = Scope.project("here"), Scope.project("there")
    result = store.add_many([draft("word", scope=there)], now_ms=_NOW_MS)[0]
    assert isinstance(result, Stored)
    texts = set()
    for memory_id in (result.id, "mem_" + "0" * 24):
        with pytest.raises(MemweirError) as caught:
            store.fetch(memory_id, (here,))
        texts.add(str(caught.value).replace(memory_id, "ID"))
    assert len(texts) == 1


def test_no_part_of_a_workspace_path_is_in_any_byte_of_any_file(
    store: SqliteStore, tmp_path: Path, every_byte: Callable[[], bytes]
) -> None:
    folder = tmp_path / "quixotic-home" / "zephyrine-app"
    folder.mkdir(parents=True)
    scope = Scope.workspace(folder)
    store.add_many([draft("word", scope=scope)], now_ms=_NOW_MS)
    store.put_answer(scope, "an answer", {"q": "q"}, now_ms=_NOW_MS)
    store.record_run(Run(_NOW_MS, store.hash_query("q"), (scope,), "assist", (), ()))
    for _ in range(2):
        found = every_byte()
        for piece in ("quixotic", "zephyrine", str(tmp_path), tmp_path.name):
            assert piece.encode() not in found
            assert piece.encode("utf-16-le") not in found
        assert scope.key.encode() in found  # the scan does see the hash
        store.close()
