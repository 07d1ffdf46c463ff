"""Does every older file open, and does a broken upgrade leave the file as it was?

`kept/version_N.sql` is a store that schema version N wrote, as SQL text. It is never made again once
another version follows; before that, after a change of the newest migration:

    python tests/store/test_migrations.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from memweir.errors import StoreError, StoreReadOnly
from memweir.store import database
from memweir.store.audit import DecisionRow, Run
from memweir.store.database import APPLICATION_ID
from memweir.store.identity import query_hash
from memweir.store.reads import TermMatch
from memweir.store.records import Relation, Stored, to_ms
from memweir.store.scopes import Scope
from memweir.store.sqlite import SqliteStore
from memweir.store.statements import migrations, statements
from memweir.testing import NOW, SCOPE, PlainIndexer, draft, view

Sql = Callable[..., list[tuple[Any, ...]]]
Opener = Callable[..., SqliteStore]

_KEPT = Path(__file__).parent / "kept"
_LATEST = migrations()[-1][0]
_NOW_MS = to_ms(NOW)
_TEAM = Scope.team("north")


# The kept file


def _write(path: Path) -> None:
    """One of everything a store can hold."""
    store = SqliteStore.open(path, PlainIndexer(dim=16), random_bytes=lambda count: b"k" * count)
    first = store.add_many(
        [
            draft("The project uses pnpm", tags=("tools", "构建"), title="Tooling", pinned=True),
            draft("The project uses pnpm"),
            draft("公司在上海", speaker="Ada", age_days=400, valid_at=NOW - timedelta(days=500)),
            draft("port is 22", document_id="port", source="s1@4", session_id="s1"),
            draft("Ada met Grace", kind="event", event_start=NOW, event_end=NOW + timedelta(hours=1)),
            draft("draft of a plan", scope=_TEAM, relations=(Relation("Ada", "plans", "trip"),)),
            draft("withdrawn note"),
        ],
        now_ms=_NOW_MS,
    )
    ids = [each.id for each in first if isinstance(each, Stored)]
    store.add_many([draft("port is 49222", supersedes=ids[3], age_days=1)], now_ms=_NOW_MS)
    store.forget(ids[6], (SCOPE,), now_ms=_NOW_MS)
    store.feedback(ids[0], "helped", None, now_ms=_NOW_MS, learned=("install",), note="it did")
    store.put_answer(SCOPE, "Ada owns it", {"who owns it": "Who owns it?"}, now_ms=_NOW_MS)
    decision = DecisionRow(ids[0], 1, "use", "strong", 0.5, 0.5, 0.5, 0.5, 0.5, {"keyword": 1})
    store.record_run(Run(_NOW_MS, store.hash_query("q"), (SCOPE,), "assist", (decision,), (ids[0],)))
    store.close()


def _dump(path: Path) -> str:
    """A database as SQL; a virtual table as its creation and the rows of its shadow tables."""
    connection = apsw.Connection(str(path))
    lines = [f"PRAGMA application_id = {APPLICATION_ID};"]
    lines.append(f"PRAGMA user_version = {connection.execute('PRAGMA user_version').get};")
    schema = connection.execute(
        "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
    ).fetchall()
    virtual = [name for name, text in schema if str(text).startswith("CREATE VIRTUAL")]
    tables = [
        row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    ]
    shadows = [name for name in tables if any(str(name).startswith(f"{each}_") for each in virtual)]
    lines += [f"{text};" for name, text in schema if name not in (*shadows, "sqlite_sequence")]
    lines += [f"DELETE FROM {name};" for name in shadows]
    for name in tables:
        if name not in virtual:
            columns = [str(row[1]) for row in connection.execute(f"PRAGMA table_info({name})")]
            quoted = " || ', ' || ".join(f'quote("{column}")' for column in columns)
            rows = connection.execute(f"SELECT {quoted} FROM {name}").fetchall()
            lines += [f"INSERT INTO {name} VALUES ({row[0]});" for row in rows]
    connection.close()
    return "\n".join(lines) + "\n"


@pytest.fixture(params=range(1, _LATEST + 1))
def version(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def kept(path: Path, version: int) -> Path:
    path.parent.mkdir()
    connection = apsw.Connection(str(path))
    connection.execute("BEGIN")
    script = _KEPT / f"version_{version}.sql"
    for _ in connection.execute(script.read_text(encoding="utf-8")):
        pass
    connection.execute("COMMIT")
    connection.close()
    return path


@pytest.fixture
def upgraded(kept: Path, open_store: Opener) -> SqliteStore:
    return open_store(PlainIndexer(dim=16))


def test_the_kept_file_is_of_its_version(kept: Path, sql: Sql, version: int) -> None:
    assert sql("PRAGMA user_version") == [(version,)]
    assert sql("PRAGMA application_id") == [(APPLICATION_ID,)]
    assert sql("PRAGMA integrity_check") == [("ok",)]
    sql(statements("index")["fts_check"])


def test_an_older_file_is_searched_on_every_path(upgraded: SqliteStore) -> None:
    def words(*terms: str) -> TermMatch:
        return TermMatch({"": terms}, {})

    assert upgraded.index_mismatch() == {}
    records = upgraded.records(view(), upgraded.matching(view(), words("pnpm", "install"), 9))
    (record,) = records.values()
    assert (record.text, record.tags, record.title) == (
        "The project uses pnpm",
        ("tools", "构建"),
        "Tooling",
    )
    assert (record.evidence_count, record.alpha, record.beta) == (2, 7.0, 1.0)
    assert (record.recall_count, record.learned_terms) == (1, ("install",))
    assert upgraded.pinned(view(tags=("构建",)), 9) == [record.id]
    nearest = upgraded.nearest(view(), PlainIndexer(dim=16).embed("公司在上海"), 1)[0]
    assert upgraded.fetch(nearest.id, (SCOPE,)).text == "公司在上海"
    assert len(upgraded.event_window(view(), _NOW_MS, _NOW_MS + 1, 9)) == 1
    ports = upgraded.records(view(), upgraded.matching(view(), words("port"), 9))
    assert [each.text for each in ports.values()] == ["port is 49222"]
    assert upgraded.count(view(include_history=True)) == 5
    assert upgraded.count(view(_TEAM)) == 1
    ada = upgraded.entities_named(["ada"])["ada"]
    assert [edge.predicate for edge in upgraded.relations_at(view(_TEAM), ada, 9)] == ["plans"]
    answer = upgraded.find_answer((SCOPE,), "who owns it")
    assert answer is not None
    assert answer.text == "Ada owns it"
    trail = upgraded.trail(record.id, (SCOPE,))
    assert [each["reason"] for each in trail.decisions] == ["strong"]
    assert [each["note"] for each in trail.consumption] == ["it did"]


def test_what_an_older_file_remembers_is_known_again(upgraded: SqliteStore) -> None:
    again = [
        draft("The project uses pnpm"),
        draft("公司在上海", speaker="Ada"),
        draft("Ada met Grace", kind="event", event_start=NOW, event_end=NOW + timedelta(hours=1)),
        draft("port is 49222"),
        draft("withdrawn note"),
        draft("port is 23", document_id="port"),
    ]
    results = upgraded.add_many(again, now_ms=_NOW_MS)
    outcomes = [each.outcome for each in results if isinstance(each, Stored)]
    assert outcomes == ["confirmed"] * 5 + ["updated"]
    assert upgraded.hash_query("q") == query_hash("q", b"k" * 16)  # the key it was made with


def test_what_an_older_file_said_before_it_was_renewed_is_not_made_up(
    kept: Path, version: int, open_store: Opener, sql: Sql
) -> None:
    if version >= 3:
        pytest.skip("it keeps what was said before")
    sql("UPDATE answer SET created_at = created_at - 5")  # told, and renewed 5 ms later
    store = open_store(PlainIndexer(dim=16))
    stood = [
        store.find_answer((SCOPE,), "who owns it", at_ms=_NOW_MS + each) for each in (-5, -1, 0, 1)
    ]
    assert [each and each.text for each in stood] == [None, None, "Ada owns it", "Ada owns it"]


def test_a_rebuilt_older_file_answers_as_before(upgraded: SqliteStore) -> None:
    match = TermMatch({"": ("the", "port", "pnpm", "公", "ada")}, {})
    before = upgraded.keyword(view(), match, 9)
    assert upgraded.reindex(now_ms=_NOW_MS) == 6
    assert upgraded.keyword(view(), match, 9) == before
    assert len(before) == 4


def _untidy(path: Path) -> None:
    """A file of version 1 with three values of one key, and a memory that waits without a question."""
    path.parent.mkdir()
    connection = apsw.Connection(str(path))
    connection.execute((_KEPT / "version_1.sql").read_text(encoding="utf-8"))
    ports = connection.execute(
        "SELECT id FROM memory WHERE text LIKE 'The project%' OR text LIKE '公司%'"
    )
    for (memory_id,) in ports.fetchall():
        connection.execute("UPDATE memory SET semantic_key = ' Home' WHERE id = ?", (memory_id,))
    connection.execute(
        "UPDATE memory SET semantic_key = 'home', provenance = 'tool' WHERE text LIKE 'port is 49222'"
    )
    connection.execute("UPDATE memory SET status = 'quarantined' WHERE text LIKE 'Ada met%'")
    connection.close()


def test_what_an_older_file_left_open_is_asked_about(path: Path, open_store: Opener) -> None:
    _untidy(path)
    store = open_store(PlainIndexer(dim=16))
    waits, key = sorted(store.reviews((SCOPE,), now_ms=_NOW_MS, limit=9), key=lambda each: each.kind)
    assert (waits.kind, waits.rule, waits.memory.text) == (
        "personal-data",
        "kept-waiting",
        "Ada met Grace",
    )
    # Told 3 days ago; the tool's of yesterday is not newer than a person's word.
    assert (key.kind, key.memory.text) == ("update", "The project uses pnpm")
    assert {each.text for each in key.against} == {"公司在上海", "port is 49222"}
    assert {each.status for each in (key.memory, *key.against)} == {"active"}
    store.decide(key.id, "replace", key.token, (SCOPE,), now_ms=_NOW_MS)
    store.decide(waits.id, "approve", waits.token, (SCOPE,), now_ms=_NOW_MS)
    assert store.count(view()) == 2


def test_an_upgraded_file_has_the_schema_of_a_new_one(
    upgraded: SqliteStore, sql: Sql, tmp_path: Path
) -> None:
    query = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
    upgraded.close()
    SqliteStore.open(tmp_path / "new.db", PlainIndexer()).close()
    new = apsw.Connection(str(tmp_path / "new.db"))
    expected = new.execute(query).fetchall()
    new.close()
    assert sql(query) == expected, "after a change of an unreleased migration run this file"
    assert sql("PRAGMA user_version") == [(migrations()[-1][0],)]


# Steps


def test_migrations_are_numbered_from_one_without_gaps() -> None:
    assert [version for version, _ in migrations()] == list(range(1, len(migrations()) + 1))


def _more(*scripts: str) -> tuple[tuple[int, str], ...]:
    """The migrations and, numbered behind them, `scripts`."""
    known = migrations()
    return (*known, *((len(known) + place + 1, text) for place, text in enumerate(scripts)))


def test_missing_steps_are_applied_once_and_in_order(
    kept: Path, open_store: Opener, sql: Sql, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = _more(
        "CREATE TABLE later (x); INSERT INTO later VALUES (1)",
        "-- a comment\nALTER TABLE later ADD COLUMN y DEFAULT 2;\nINSERT INTO later VALUES (3, 4);\n",
    )
    monkeypatch.setattr(database, "migrations", lambda: steps)
    for _ in range(2):
        store = open_store(PlainIndexer(dim=16))
        assert store.statistics()["schema"] == steps[-1][0]
        store.close()
        assert sql("SELECT x, y FROM later") == [(1, 2), (3, 4)]


def _tables(sql: Sql) -> list[tuple[Any, ...]]:
    return sql("SELECT name, sql FROM sqlite_schema ORDER BY name")


@pytest.mark.parametrize("bad", ["SELECT no_such_function()", "CREATE TABLE memory (x)", "nonsense"])
def test_a_step_that_fails_halfway_leaves_the_file_at_the_version_before(
    kept: Path, open_store: Opener, sql: Sql, monkeypatch: pytest.MonkeyPatch, bad: str
) -> None:
    open_store(PlainIndexer(dim=16)).close()
    before = _tables(sql), sql("SELECT * FROM memory")
    good = "CREATE TABLE later (x); UPDATE memory SET text = 'lost'"
    with monkeypatch.context() as patch:
        patch.setattr(database, "migrations", lambda: _more(f"{good}; {bad}; CREATE TABLE last (x)"))
        with pytest.raises(StoreError):
            open_store(PlainIndexer(dim=16))
    assert sql("PRAGMA user_version") == [(len(migrations()),)]
    assert (_tables(sql), sql("SELECT * FROM memory")) == before
    store = open_store(PlainIndexer(dim=16))
    assert store.count(view()) == 4
    store.close()


def test_of_two_steps_the_first_stays_when_the_second_fails(
    kept: Path, open_store: Opener, sql: Sql, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(database, "migrations", lambda: _more("CREATE TABLE two (x)", "nonsense"))
        with pytest.raises(StoreError):
            open_store(PlainIndexer(dim=16))
    assert sql("PRAGMA user_version") == [(len(migrations()) + 1,)]
    patched = _more("CREATE TABLE two (x)", "CREATE TABLE three (x)")
    monkeypatch.setattr(database, "migrations", lambda: patched)
    store = open_store(PlainIndexer(dim=16))
    assert store.statistics()["schema"] == patched[-1][0]


def test_a_new_file_whose_first_step_breaks_off_is_new_again(
    path: Path, open_store: Opener, sql: Sql, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = migrations()[0][1].split(";")[0]
    with monkeypatch.context() as patch:
        patch.setattr(database, "migrations", lambda: ((1, f"{script}; SELECT no_such_function()"),))
        with pytest.raises(StoreError):
            open_store()
    assert sql("PRAGMA user_version") == [(0,)]
    assert sql("PRAGMA application_id") == [(0,)]
    assert _tables(sql) == []
    store = open_store()
    assert store.statistics()["schema"] == migrations()[-1][0]


@pytest.mark.parametrize("statement", [1, 4, 12])
def test_a_process_killed_in_the_middle_of_a_step_leaves_the_file_as_it_was(
    path: Path, open_store: Opener, sql: Sql, statement: int
) -> None:
    path.parent.mkdir()
    code = f"""
import os, sys
import apsw
from memweir.store.sqlite import SqliteStore
from memweir.testing import PlainIndexer

seen = 0
def trace(cursor, statement, bindings):
    global seen
    seen += statement.lstrip().startswith("CREATE") or "\\nCREATE" in statement
    if seen > {statement}:
        print(seen, flush=True)
        os._exit(9)
    return True

apsw.connection_hooks.append(lambda connection: setattr(connection, "exec_trace", trace))
SqliteStore.open(sys.argv[1], PlainIndexer())
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (9, str(statement + 1)), done.stderr
    assert sql("PRAGMA user_version") == [(0,)]
    assert _tables(sql) == []
    assert open_store().statistics()["schema"] == migrations()[-1][0]


def test_a_reader_does_not_upgrade_an_older_file(
    kept: Path, open_store: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "migrations", lambda: _more("CREATE TABLE later (x)"))
    before = kept.read_bytes()
    with pytest.raises(StoreReadOnly, match="older schema"):
        open_store(PlainIndexer(dim=16), read_only=True)
    assert kept.read_bytes() == before


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        _write(Path(folder, "memory.db"))
        made = _KEPT / f"version_{_LATEST}.sql"
        made.write_text(_dump(Path(folder, "memory.db")), encoding="utf-8", newline="\n")
