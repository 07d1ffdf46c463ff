"""Does wrong input get an error of its own, and leave the store as it was?"""

from __future__ import annotations

import math
import os
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memweir import Budget, Config, Draft, Memory, Relation, Scope, Stored
from memweir.config import RetrievalConfig
from memweir.errors import (
    ConfigError,
    EmbedderError,
    InputError,
    LimitError,
    MemweirError,
    NotAStore,
    NotFoundError,
    ScopeError,
    StoreClosed,
    StoreCorrupt,
    StorePathError,
    StoreReadOnly,
    TextError,
)
from memweir.testing import NOW, SCOPE, FixedClock, draft

Tell = Callable[..., list[str]]
Open = Callable[..., Memory]

WRONG = (None, 7, 1.5, True, b"bytes", [], {}, object(), ("a",))


def _state(path: Path) -> list[tuple[Any, ...]]:
    """Every row of every table, so that "as before" means every one."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'memory_fts%'"
        tables = sorted(str(row[0]) for row in connection.execute(names))
        return [(name, *row) for name in tables for row in connection.execute(f"SELECT * FROM {name}")]
    finally:
        connection.close()


@pytest.fixture
def kept(memory: Memory, tell: Tell) -> str:
    (memory_id,) = tell(memory, draft("the kestrel nests", tags=("birds",)))
    return memory_id


@pytest.fixture
def unchanged(kept: str, path: Path) -> Iterable[None]:
    """Whatever the test does, the rows are as before."""
    before = _state(path)
    yield
    assert _state(path) == before


# Texts and queries


@pytest.mark.parametrize("text", ["", " ", "\n\t ", "\u3000"])
@pytest.mark.usefixtures("unchanged")
def test_blank_memory_is_refused(memory: Memory, text: str) -> None:
    with pytest.raises(TextError):
        memory.remember(text, scope=SCOPE)
    with pytest.raises(TextError):
        memory.relate("a", text or " ", "b", scope=SCOPE)


@pytest.mark.parametrize("text", WRONG)
@pytest.mark.usefixtures("unchanged")
def test_text_of_another_type_is_refused(memory: Memory, text: Any) -> None:
    for call in (
        lambda: memory.remember(text, scope=SCOPE),
        lambda: memory.recall(text, scope=SCOPE),
        lambda: memory.answer("q", text, scope=SCOPE),
        lambda: memory.answer(text, "a", scope=SCOPE),
        lambda: memory.answer("q", "a", scope=SCOPE, phrasings=(text,)),
        lambda: memory.relate(text, "b", "c", scope=SCOPE),
        lambda: memory.relate("a", "b", text, scope=SCOPE),
    ):
        with pytest.raises(InputError):
            call()


@pytest.mark.parametrize("phrasings", ["one question", 7, b"x"])
def test_phrasings_are_a_list(memory: Memory, phrasings: Any) -> None:
    with pytest.raises(InputError):
        memory.answer("q", "a", scope=SCOPE, phrasings=phrasings)
    assert memory.stats().answers == 0


# Limits, modes, moments


@pytest.mark.parametrize(
    "limit", [0, -1, 10**9, 1001, True, False, 1.5, math.nan, math.inf, "5", [], b"5"]
)
@pytest.mark.usefixtures("unchanged")
def test_absurd_limit_is_refused_by_name(memory: Memory, limit: Any) -> None:
    with pytest.raises(LimitError, match="limit") as refused:
        memory.recall("kestrel", scope=SCOPE, limit=limit, record=False)
    assert refused.value.name == "limit"
    with pytest.raises(ConfigError, match=r"retrieval\.limit"):
        RetrievalConfig(limit=limit)


@pytest.mark.parametrize("limit", [1, 1000])
def test_outermost_limits_are_accepted(memory: Memory, kept: str, limit: int) -> None:
    assert memory.recall("kestrel", scope=SCOPE, limit=limit).items[0].id == kept


@pytest.mark.parametrize("name", ["items", "characters", "tokens", "pinned_slots", "belief_slots"])
@pytest.mark.parametrize("value", [-1, 10**9, True, 1.5, math.nan, "5", None])
def test_absurd_budget_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=name):
        Budget(**{name: value})


@pytest.mark.parametrize("budget", [3, "6", {"items": 3}, (6, 6000), True])
@pytest.mark.usefixtures("unchanged")
def test_budget_of_another_type_is_refused(memory: Memory, budget: Any) -> None:
    with pytest.raises(InputError, match="budget"):
        memory.recall("kestrel", scope=SCOPE, budget=budget, record=False)


@pytest.mark.parametrize("mode", ["", "loud", "USE", 7, True, b"assist", [], {}])
@pytest.mark.usefixtures("unchanged")
def test_unknown_mode_is_refused(memory: Memory, mode: Any) -> None:
    with pytest.raises(InputError, match="mode"):
        memory.recall("kestrel", scope=SCOPE, mode=mode, record=False)


@pytest.mark.parametrize("moment", ["2026-06-15", 1_780_000_000, date(2026, 6, 15), True, b"", []])
@pytest.mark.usefixtures("unchanged")
def test_moment_of_another_type_is_refused(memory: Memory, kept: str, moment: Any) -> None:
    for call in (
        lambda: memory.recall("kestrel", scope=SCOPE, now=moment),
        lambda: memory.recall("kestrel", scope=SCOPE, as_of=moment),
        lambda: memory.remember("x", scope=SCOPE, now=moment),
        lambda: memory.remember("x", scope=SCOPE, valid_at=moment),
        lambda: memory.remember("x", scope=SCOPE, expires_at=moment),
        lambda: memory.remember("x", scope=SCOPE, event_start=moment, event_end=NOW),
        lambda: memory.forget(kept, scope=SCOPE, now=moment),
        lambda: memory.restore(kept, scope=SCOPE, now=moment),
        lambda: memory.feedback(kept, "helped", now=moment),
        lambda: memory.answer("q", "a", scope=SCOPE, now=moment),
        lambda: memory.explain(kept, scope=SCOPE, query="x", now=moment),
        lambda: memory.reindex(now=moment),
    ):
        with pytest.raises(InputError):
            call()


@pytest.mark.parametrize(
    "moment",
    [
        datetime.min.replace(tzinfo=UTC),
        datetime.max.replace(tzinfo=UTC),
        datetime(1, 1, 2),
        datetime(9999, 12, 31, 23, 59),
        datetime(1969, 12, 31, tzinfo=UTC),
        datetime.min.replace(tzinfo=ZoneInfo("Pacific/Midway")),
        datetime.min.replace(tzinfo=ZoneInfo("Pacific/Kiritimati")),
        datetime.max.replace(tzinfo=ZoneInfo("Pacific/Midway")),
        datetime.max.replace(tzinfo=ZoneInfo("Pacific/Kiritimati")),
    ],
)
def test_ends_of_the_calendar_are_no_trouble(memory: Memory, kept: str, moment: datetime) -> None:
    stored = memory.remember("the owl sleeps", scope=SCOPE, now=moment)
    for query in ("owl", "yesterday", "昨天", "last week", "去年", "tomorrow", "the latest owl"):
        recall = memory.recall(query, scope=SCOPE, now=moment, as_of=moment)
        assert all(math.isfinite(item.score) for item in recall.candidates)
    assert memory.get(stored.id, scope=SCOPE).text == "the owl sleeps"


def test_clock_that_tells_nothing_is_named(open_memory: Open) -> None:
    memory = open_memory(clock=lambda: None)
    with pytest.raises(InputError, match="now must be a datetime"):
        memory.remember("x", scope=SCOPE)


# Scopes, tags, context


def test_unknown_scope_kind_is_named() -> None:
    for make in (
        lambda: Scope("user", "ada"),
        lambda: Scope.parse("user:ada"),
        lambda: Scope("", "ada"),
    ):
        with pytest.raises(ScopeError, match="unknown scope kind"):
            make()
    with pytest.raises(ScopeError, match="KIND:KEY"):
        Scope.parse("ada")


@pytest.mark.parametrize("tags", ["birds", 7, None, [None], [7], b"x", {"a": 1}])
@pytest.mark.usefixtures("unchanged")
def test_tags_are_a_list_of_texts(memory: Memory, tags: Any) -> None:
    if tags not in (None, {"a": 1}):
        with pytest.raises(InputError):
            memory.recall("kestrel", scope=SCOPE, tags=tags, record=False)
    with pytest.raises(InputError):
        memory.remember("x", scope=SCOPE, tags=tags)


@pytest.mark.parametrize("context", ["a turn", [7], [None], 7, [b"x"]])
@pytest.mark.usefixtures("unchanged")
def test_context_is_a_list_of_texts(memory: Memory, context: Any) -> None:
    with pytest.raises(InputError):
        memory.recall("kestrel", scope=SCOPE, context=context, record=False)


@pytest.mark.parametrize("value", [7, b"x", ["home"], True, {}])
@pytest.mark.usefixtures("unchanged")
def test_scene_and_domain_are_texts(memory: Memory, value: Any) -> None:
    with pytest.raises(InputError):
        memory.recall("kestrel", scope=SCOPE, scene=value, record=False)
    with pytest.raises(InputError):
        memory.recall("kestrel", scope=SCOPE, domain=value, record=False)


# Fields of a memory


@pytest.mark.parametrize(
    "name",
    [
        *("kind", "layer", "provenance", "origin", "title", "semantic_key", "speaker", "scene"),
        *("domain", "raw_quote", "document_id", "session_id", "source", "supersedes"),
    ],
)
@pytest.mark.parametrize("value", [7, b"x", ["x"], True])
@pytest.mark.usefixtures("unchanged")
def test_field_of_another_type_is_refused_by_name(memory: Memory, name: str, value: Any) -> None:
    with pytest.raises(InputError, match=name):
        memory.remember("x", scope=SCOPE, **{name: value})


@pytest.mark.parametrize("value", [-0.01, 1.01, math.nan, math.inf, "0.5", None, True])
@pytest.mark.usefixtures("unchanged")
def test_importance_outside_its_range_is_refused(memory: Memory, value: Any) -> None:
    with pytest.raises(LimitError, match="importance"):
        memory.remember("x", scope=SCOPE, importance=value)


@pytest.mark.usefixtures("unchanged")
def test_contradicting_or_boundless_fields_are_refused(memory: Memory) -> None:
    for fields in (
        {"event_start": NOW},
        {"event_end": NOW},
        {"event_start": NOW, "event_end": NOW},
        {"valid_at": NOW.replace(tzinfo=None)},
        {"title": "x" * 5000},
        {"tags": [str(number) for number in range(100)]},
        {"tags": [""]},
        {"relations": [("a", "b", "c")]},
        {"relations": "a"},
        {"entities": "Ada"},
        {"pinned": 1},
        {"kind": "opinion"},
        {"layer": "dream"},
        {"provenance": "oracle"},
    ):
        with pytest.raises(InputError):
            memory.remember("x", scope=SCOPE, **fields)
    with pytest.raises(InputError):
        Relation("a", "", "c")


@pytest.mark.parametrize("wrong", [7, "x", None, {"text": "x"}, b"x"])
@pytest.mark.usefixtures("unchanged")
def test_batch_with_something_that_is_no_draft_stores_nothing(memory: Memory, wrong: Any) -> None:
    with pytest.raises(InputError):
        memory.remember_many([draft("tea"), wrong])


@pytest.mark.parametrize("drafts", [None, 7, draft("x")])
@pytest.mark.usefixtures("unchanged")
def test_batch_that_is_no_list_is_refused(memory: Memory, drafts: Any) -> None:
    with pytest.raises(InputError):
        memory.remember_many(drafts)


# Ids, outcomes, notes


@pytest.mark.parametrize("memory_id", [None, 7, "", " ", b"mem_", [], True])
@pytest.mark.usefixtures("unchanged")
def test_id_of_another_type_is_refused(memory: Memory, memory_id: Any) -> None:
    for call in (
        lambda: memory.get(memory_id, scope=SCOPE),
        lambda: memory.explain(memory_id, scope=SCOPE),
        lambda: memory.forget(memory_id, scope=SCOPE),
        lambda: memory.restore(memory_id, scope=SCOPE),
        lambda: memory.feedback(memory_id, "helped"),
    ):
        with pytest.raises(InputError):
            call()


@pytest.mark.parametrize("memory_id", ["mem_\ud83d", "mem_\x00", "x" * 100_000, "%", "'; --"])
@pytest.mark.usefixtures("unchanged")
def test_strange_id_is_not_found(memory: Memory, memory_id: str) -> None:
    for call in (
        lambda: memory.get(memory_id, scope=SCOPE),
        lambda: memory.forget(memory_id, scope=SCOPE),
        lambda: memory.feedback(memory_id, "helped"),
    ):
        with pytest.raises(NotFoundError):
            call()


@pytest.mark.parametrize("outcome", ["", "HELPED", "great", None, 7, [], b"helped", True])
@pytest.mark.usefixtures("unchanged")
def test_unknown_outcome_is_refused(memory: Memory, kept: str, outcome: Any) -> None:
    with pytest.raises(InputError, match="outcome"):
        memory.feedback(kept, outcome)


@pytest.mark.parametrize("value", [7, b"x", ["x"], True])
@pytest.mark.usefixtures("unchanged")
def test_note_and_query_of_feedback_are_texts(memory: Memory, kept: str, value: Any) -> None:
    with pytest.raises(InputError):
        memory.feedback(kept, "helped", note=value)
    with pytest.raises(InputError):
        memory.feedback(kept, "helped", query=value)
    with pytest.raises(InputError):
        memory.explain(kept, scope=SCOPE, query=value)


def test_lone_surrogates_are_no_trouble_anywhere(memory: Memory, kept: str) -> None:
    broken = "x\ud83d"
    memory.feedback(kept, "helped", note=broken, query=f"{broken} falcon")
    memory.answer(f"{broken}?", broken, scope=SCOPE, phrasings=(f"y{broken}",))
    memory.relate(broken, broken, broken, scope=SCOPE)
    memory.remember(
        "owl", scope=SCOPE, title=broken, tags=(broken,), speaker=broken, entities=(broken,)
    )
    for options in ({"tags": (broken,)}, {"scene": broken}, {"domain": broken}, {"context": (broken,)}):
        memory.recall(broken, scope=SCOPE, **options)  # type: ignore[arg-type]
    assert memory.recall(f"{broken}?", scope=SCOPE).answer is not None


# Files


def _nothing_new(folder: Path, before: set[str]) -> bool:
    return {each.name for each in folder.rglob("*")} == before


@pytest.mark.parametrize("path", ["", " ", "\x00", "a\x00b", None, 7, b"memory.db", [], True])
def test_path_of_another_kind_is_refused(
    path: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MemweirError) as refused:
        Memory.open(path)
    assert isinstance(refused.value, InputError | StorePathError)
    assert list(tmp_path.iterdir()) == []


def test_directory_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(StorePathError, match="is a directory"):
        Memory.open(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_file_in_the_way_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorePathError):
        Memory.open(tmp_path / "file" / "memory.db")
    assert (tmp_path / "file").read_text() == "x"


@pytest.mark.parametrize(
    "content",
    [b"hello", b"\x00" * 4096, b"SQLite format 2\x00" + b"\x00" * 99, "茶".encode(), b"{" * 10_000],
)
def test_file_of_another_kind_is_not_touched(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    for read_only in (False, True):
        with pytest.raises(NotAStore, match="not a memweir store"):
            Memory.open(path, read_only=read_only)
    assert path.read_bytes() == content
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_database_of_another_program_is_not_touched(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE memory (id INTEGER, text TEXT)")
    connection.execute("INSERT INTO memory VALUES (1, 'theirs')")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(NotAStore, match="another program"):
            Memory.open(path, read_only=read_only)
    assert path.read_bytes() == before


def test_missing_file_is_not_created_read_only(path: Path) -> None:
    with pytest.raises(StorePathError, match="does not exist"):
        Memory.open(path, read_only=True)
    assert not path.exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_folder_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    with pytest.raises((StorePathError, StoreReadOnly)):
        Memory.open(folder / "memory.db")
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_file_that_may_not_be_written_is_named(open_memory: Open, tell: Tell, path: Path) -> None:
    memory = open_memory()
    tell(memory, "the kestrel nests")
    memory.close()
    path.chmod(0o400)
    with pytest.raises(StoreReadOnly, match="read_only=True"):
        Memory.open(path)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_damaged_file_is_an_error_of_ours_or_an_empty_recall(
    open_memory: Open, tell: Tell, path: Path, share: float
) -> None:
    memory = open_memory()
    tell(
        memory,
        *(draft(f"the kestrel of tower {number} nests 红隼", title="Kira") for number in range(80)),
    )
    memory.close()
    whole = path.read_bytes()
    start = int(len(whole) * share) // 4096 * 4096
    path.write_bytes(whole[:start] + b"\xa5" * (len(whole) - start))
    try:
        broken = Memory.open(path, clock=FixedClock())
    except StoreCorrupt:
        return
    with broken:
        recall = broken.recall_or_empty("the kestrel of tower 7", scope=SCOPE)
        assert recall.block == "" or recall.items
        if recall.abstained == "error":
            assert recall.warnings[0].startswith("Store")
        for call in (broken.stats, broken.reindex, lambda: broken.remember("x", scope=SCOPE)):
            with suppress(StoreCorrupt):  # anything else is an error that nobody foresaw
                call()


def test_truncated_file_is_an_error_of_ours(open_memory: Open, tell: Tell, path: Path) -> None:
    memory = open_memory()
    tell(memory, *(f"the kestrel of tower {number}" for number in range(50)))
    memory.close()
    whole = path.read_bytes()
    for size in (1, 15, 16, 99, 100, 511, 4096, len(whole) // 2):
        path.write_bytes(whole[:size])
        with pytest.raises(MemweirError):
            Memory.open(path).recall("kestrel", scope=SCOPE)
        assert path.read_bytes()[:1] == whole[:1]


# Configuration and embedders


@pytest.mark.parametrize("config", [7, "x", {"retrieval": {}}, True, object()])
def test_config_of_another_type_is_refused(path: Path, config: Any) -> None:
    with pytest.raises(InputError):
        Memory.open(path, config=config)
    assert not path.exists()


@pytest.mark.parametrize("weight", [math.nan, -1.0, math.inf])
def test_senseless_weight_never_reaches_a_store(path: Path, weight: float) -> None:
    with pytest.raises(ConfigError):
        Config.load(environ={}, overrides={"fusion.rrf.weights.keyword": weight})
    with pytest.raises(ConfigError):
        Config.load(environ={}, overrides={"fusion.rerank.relevance": weight})
    assert not path.exists()


@pytest.mark.parametrize("path_of_synonyms", ["missing.txt", ".", "\x00"])
def test_synonyms_that_cannot_be_read_are_named(path: Path, path_of_synonyms: str) -> None:
    with pytest.raises(ConfigError, match="synonyms"):
        Memory.open(path, config=Config(retrieval=RetrievalConfig(synonyms=path_of_synonyms)))
    assert not path.exists()


class _Embedder:
    name, version, dim, sparse = "odd", "1", 8, False

    def __init__(self, rows: Callable[[int], Any]) -> None:
        self._rows = rows

    def embed(self, texts: Any) -> Any:
        return self._rows(len(texts))


@pytest.mark.parametrize(
    "rows",
    [
        lambda n: [[math.nan] * 8] * n,
        lambda n: [[math.inf] + [0.0] * 7] * n,
        lambda n: [[1.0] * 7] * n,
        lambda n: [[1.0] * 8] * (n + 1),
        lambda n: "vectors",
        lambda n: None,
        lambda n: [["a"] * 8] * n,
    ],
)
def test_embedder_that_breaks_its_promise_writes_nothing(open_memory: Open, rows: Any) -> None:
    memory = open_memory(embedder=_Embedder(rows))
    with pytest.raises(EmbedderError):
        memory.remember("x", scope=SCOPE)
    assert memory.stats().memories == {}


@pytest.mark.parametrize("embedder", [7, "model", object()])
def test_embedder_of_another_type_is_refused(path: Path, embedder: Any) -> None:
    with pytest.raises(MemweirError):
        Memory.open(path, embedder=embedder)
    assert not path.exists()


# Anything


_anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=8),
    st.binary(max_size=4),
    st.lists(st.text(max_size=3), max_size=2),
    st.just(NOW),
    st.just(SCOPE),
    st.just(datetime(2026, 6, 15)),
)


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    options=st.dictionaries(
        st.sampled_from(
            [
                *("scope", "now", "as_of", "context", "scene", "domain", "tags", "limit", "budget"),
                *("mode", "include_history", "record"),
            ]
        ),
        _anything,
        max_size=4,
    ),
    text=_anything,
)
def test_recall_raises_nothing_but_errors_of_ours(
    memory: Memory, options: dict[str, Any], text: Any
) -> None:
    options.setdefault("scope", SCOPE)
    with suppress(MemweirError):
        memory.recall(text, **options)
    assert memory.recall_or_empty(text, **options) is not None


_FIELDS = [name for name in Draft.__dataclass_fields__ if name not in ("text", "scope")]


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    fields=st.dictionaries(st.sampled_from([*_FIELDS, "scope"]), _anything, max_size=4), text=_anything
)
def test_remember_raises_nothing_but_errors_of_ours(
    memory: Memory, fields: dict[str, Any], text: Any
) -> None:
    fields.setdefault("scope", SCOPE)
    before = memory.stats().memories.get("active", 0)
    try:
        stored = memory.remember(text, **fields)
    except MemweirError:
        assert memory.stats().memories.get("active", 0) == before
    else:
        assert isinstance(stored, Stored)
        assert memory.get(stored.id, scope=fields["scope"]).text


def test_closed_memory_is_closed_for_wrong_input_too(open_memory: Open) -> None:
    memory = open_memory()
    memory.close()
    with pytest.raises(StoreClosed):
        memory.recall("kestrel", scope=SCOPE)
    with pytest.raises(InputError):
        memory.recall("kestrel", scope=SCOPE, limit=0)


def test_a_wrong_argument_is_named(memory: Memory) -> None:
    for name in ("now", "as_of", "known_at"):
        for wrong in ("2026-03-01", 5):
            with pytest.raises(InputError, match=f"^{name} must be a datetime"):
                memory.recall("port", scope=SCOPE, **{name: wrong})  # type: ignore[arg-type]


def test_a_field_that_there_is_not_is_answered_with_those_that_there_are(memory: Memory) -> None:
    with pytest.raises(InputError) as caught:
        memory.remember("port 22", scope=SCOPE, key="port", colour="red")
    message = str(caught.value)
    assert message.startswith("not a field of a memory: colour, key; use kind, layer, ")
    assert "semantic_key" in message
    assert "__init__" not in message


def test_a_recall_is_named_by_its_number_or_by_run_and_number(memory: Memory) -> None:
    memory.remember("the port is 22", scope=SCOPE)
    run_id = memory.recall("which port?", scope=SCOPE).run_id
    assert memory.explain_run(f"run:{run_id}", scope=SCOPE).id == run_id
    assert memory.explain_run(str(run_id), scope=SCOPE).id == run_id
    for wrong in ("run:abc", "run:", "", "-1", "12 ", 1.0, True, None, "9" * 30):
        with pytest.raises(InputError, match="named by its number, 12 or 'run:12'"):
            memory.explain_run(wrong, scope=SCOPE)  # type: ignore[arg-type]
