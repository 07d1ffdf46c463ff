"""Is what was erased in no byte of the store's files, and all that was not erased still there?"""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from memweir.errors import NotFoundError, StoreBusy, StoreError
from memweir.retrieval.analysis import Analyzer
from memweir.retrieval.embedding import HashedNgramEmbedder
from memweir.retrieval.indexing import TextIndexer
from memweir.store import remains
from memweir.store.audit import DecisionRow, Run
from memweir.store.entry import Indexable, Indexer
from memweir.store.erasure import EraseReceipt, EraseTarget
from memweir.store.reads import TermMatch
from memweir.store.records import Relation, Stored, to_ms
from memweir.store.scopes import Scope
from memweir.store.sqlite import SqliteStore as Store
from memweir.store.statements import statements
from memweir.testing import NOW, SCOPE, PlainIndexer, draft, view

NOW_MS = to_ms(NOW)
HERE = (SCOPE,)
PERSON = Scope.project("vqompfen household")
SUBJECT = "Zyxandra"


Opener = Callable[..., Store]


@pytest.fixture
def open_store(path: Path) -> Iterator[Opener]:
    opened: list[Store] = []

    def opening(indexer: Indexer | None = None, place: Path = path, **options: Any) -> Store:
        options.setdefault("random_bytes", lambda size: b"k" * size)
        opened.append(Store.open(place, indexer or PlainIndexer(), **options))
        return opened[-1]

    yield opening
    for each in opened:
        each.close()


@pytest.fixture(scope="module")
def text_indexer() -> TextIndexer:
    analyzer = Analyzer()
    return TextIndexer(analyzer, HashedNgramEmbedder(analyzer))


def add(store: Store, text: str, **fields: Any) -> str:
    (stored,) = store.add_many([draft(text, **fields)], now_ms=NOW_MS)
    assert isinstance(stored, Stored), stored
    return stored.id


def erase(store: Store, target: EraseTarget, scopes: tuple[Scope, ...] = HERE) -> EraseReceipt:
    plan = store.plan_erasure(target, scopes)
    return store.erase(target, scopes, plan.token, now_ms=NOW_MS)


def bytes_at(path: Path) -> bytes:
    """All bytes of the store's files: database, log, shared memory and whatever else is beside them."""
    return b"".join(each.read_bytes() for each in sorted(path.parent.iterdir()))


_SHOW = """
import pathlib, sys
for each in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    sys.stdout.buffer.write(each.read_bytes())
"""


def bytes_beside(path: Path) -> bytes:
    """The same, read by another process: who closes a file drops its process's locks on it."""
    command = [sys.executable, "-S", "-c", _SHOW, str(path.parent)]
    return subprocess.run(command, check=True, capture_output=True).stdout


# What only the erased says: rare words, so that nothing else in the file can be one of them. They are
# looked for without their first letter too: the index leaves out what a term shares with its neighbour.
LONG = " ".join(f"wxq{number:05d}k" for number in range(20_000))
TEXTS = {
    "english": "The zqvarnholt keeps a wjubbleforth under the Qxmindrake",
    "chinese": "我把龘靐放在齉爩那里，鱻麤知道",
    "emoji": "see 🦩🪿🫎 at quzzlepompf",
    "long": LONG,
}
RARE = {
    "english": ["zqvarnholt", "wjubbleforth", "Qxmindrake", "qxmindrake"],
    "chinese": ["龘靐", "齉爩", "鱻麤"],
    "emoji": ["🦩", "🪿", "🫎", "quzzlepompf"],
    "long": ["wxq00000k", "wxq09999k", "wxq19999k", "xq00001", "xq13131", "xq19998"],
}
FIELDS: dict[str, dict[str, Any]] = {
    "title": {"title": "Notes on jyxophant"},
    "tag": {"tags": ("vrzkatoon", "plain")},
    "quote": {"raw_quote": "as gwyffendor said"},
    "speaker": {"speaker": "Hjolvardine"},
    "entity": {"entities": ("Kvuspargel",)},
    "relation": {"relations": (Relation("Xibbelquay", "mjoltrates", "Plazwhunt"),)},
    "key": {"semantic_key": "port of fnordwick"},
    "scene": {"scene": "oxqualm", "domain": "trevvixen"},
    "document": {"document_id": "doc-yuzzbarn", "session_id": "blipfzorn", "source": "blipfzorn@7"},
}
FIELD_WORDS = {
    "title": ["jyxophant"],
    "tag": ["vrzkatoon"],
    "quote": ["gwyffendor"],
    "speaker": ["Hjolvardine", "hjolvardine"],
    "entity": ["Kvuspargel", "kvuspargel"],
    "relation": ["Xibbelquay", "xibbelquay", "mjoltrates", "plazwhunt"],
    "key": ["fnordwick"],
    "scene": ["oxqualm", "trevvixen"],
    "document": ["yuzzbarn", "blipfzorn"],
}


def neighbours(store: Store) -> list[str]:
    """Memories that stay, on shared words, before and after those that go."""
    return [
        add(store, f"The lantern number {number} hangs by the harbour gate", tags=("plain",))
        for number in range(40)
    ]


def assert_nothing_left(found: bytes, words: list[str]) -> None:
    for word in words:
        assert word.encode() not in found, word
        if word.isascii():
            assert word[1:].encode() not in found, word


def assert_still_found(store: Store, kept: list[str]) -> None:
    (entry,) = store._indexer.index([Indexable("harbour")])
    match = TermMatch({"": tuple(entry.fields["body"])}, {})
    assert set(store.matching(view(), match, 99)) == set(kept)
    assert {hit.id for hit in store.latest(view(), 99)} == set(kept)
    assert {hit.id for hit in store.nearest(view(), entry.embedding, 99)} == set(kept)


@pytest.mark.parametrize("indexed", ["words", "text"])
@pytest.mark.parametrize("kind", [*TEXTS, *FIELDS])
def test_no_byte_of_it_stays(
    open_store: Opener, text_indexer: TextIndexer, path: Path, kind: str, indexed: str
) -> None:
    store = open_store(text_indexer if indexed == "text" else PlainIndexer())
    kept = neighbours(store)
    text, words = TEXTS.get(kind, "a lantern"), RARE.get(kind) or FIELD_WORDS[kind]
    lost = add(store, text, **FIELDS.get(kind, {}))
    kept += [add(store, f"Another lantern of the harbour, {number}") for number in range(9)]
    before = bytes_at(path)
    assert [each for each in words if each.encode() in before]
    assert lost.encode() in before
    receipt = erase(store, EraseTarget.by_ids([lost]))
    assert (receipt.compacted, receipt.wal_truncated, receipt.remedy) == (True, True, "")
    assert_nothing_left(bytes_at(path), [*words, lost, lost[4:]])
    assert path.with_name(f"{path.name}-wal").stat().st_size == 0
    assert_still_found(store, kept)
    store.close()
    assert_nothing_left(bytes_at(path), [*words, lost])
    store = open_store(store._indexer)
    assert_still_found(store, kept)


# A memory with everything that can hang on one


def _rows(path: Path) -> dict[str, set[str | bytes]]:
    """Every text and blob in every table that is not of the keyword index itself."""
    connection = apsw.Connection(str(path))
    try:
        named = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'memory_fts%'"
        tables = [str(row[0]) for row in connection.execute(named)]
        found: dict[str, set[str | bytes]] = {}
        for table in tables:
            for row in connection.execute(f"SELECT * FROM {table}"):
                found.setdefault(table, set()).update(
                    each for each in row if isinstance(each, str | bytes) and len(each) > 5
                )
        return found
    finally:
        connection.close()


def _needles(value: str | bytes) -> Iterator[bytes]:
    """Stretches of a value that a page of the file cannot part all of."""
    if isinstance(value, bytes):
        yield from (value[start : start + 16] for start in range(0, len(value) - 15, 400))
        return
    for word in re.findall(r"\w{6,}", value):
        yield from (word.encode(), word.lower().encode())
    whole = value.encode()
    yield from (whole[start : start + 40] for start in range(0, len(whole) - 39, 400))


def _everything(store: Store, *, subject: bool = False) -> list[str]:
    """Memories and answers with everything that can hang on one; their ids."""
    named = {"speaker": SUBJECT} if subject else {}
    scope = PERSON if not subject else SCOPE
    here = (scope,)
    first = add(
        store,
        TEXTS["english"],
        scope=scope,
        title="Notes on jyxophant",
        tags=("vrzkatoon",),
        raw_quote="as gwyffendor said",
        entities=("Kvuspargel",),
        relations=(Relation("Xibbelquay", "mjoltrates", "Plazwhunt"),),
        scene="oxqualm",
        domain="trevvixen",
        document_id="doc-yuzzbarn",
        session_id="blipfzorn",
        source="blipfzorn@7",
        **{"speaker": "Hjolvardine"} | named,
    )
    store.edit(first, here, {"text": "The zqvarnholt is with Brixomund now"}, now_ms=NOW_MS + 1)
    store.edit(first, here, {"text": "Nobody knows of the Wumbelquist"}, now_ms=NOW_MS + 2)
    ids = [first]
    for text in (TEXTS["chinese"], TEXTS["emoji"], "write to dwizzlepop@example.org"):
        ids.append(add(store, text, scope=scope, **named))
    store.forget(ids[1], here, now_ms=NOW_MS)
    older = add(store, "the splonkquary is hot", scope=scope, **named)
    ids += [older, add(store, "the splonkquary is not hot", scope=scope, **named)]
    ids.append(add(store, "the fzorbium is here", scope=scope, supersedes=older, **named))
    for number in (1, 2):
        each = add(store, f"the qlimpf is {number}", scope=scope, semantic_key="qlimpf", **named)
        ids.append(each)
    question = next(each for each in store.reviews(here, now_ms=NOW_MS, limit=9) if each.kind == "key")
    store.decide(question.id, "coexist", question.token, here, now_ms=NOW_MS)
    answer = store.put_answer(
        scope, f"Ask {SUBJECT} at the quondlefair", {"prazzelwhip": "Prazzelwhip?"}, now_ms=NOW_MS
    )
    run = store.record_run(_run(ids, scope, answer.id))
    store.feedback(
        first,
        "helped",
        here,
        now_ms=NOW_MS,
        note="the snorkwiddle note",
        run_id=run,
        learned=("thrubbenzy",),
    )
    store.counter(first, here, now_ms=NOW_MS, source="ovvelgrim", note="the glaxopire note")
    return [*ids, answer.id]


def _run(ids: list[str], scope: Scope, answer_id: str) -> Run:
    rows = [
        DecisionRow(
            *(each, place + 1, "use", "ok", 1.0, 1.0, 1.0, 1.0, 0.0, {"keyword": place + 1}),
            json.dumps({"group": "grp_00000000", "contested": ids[0]}),
        )
        for place, each in enumerate(ids)
    ]
    return Run(
        at_ms=NOW_MS,
        query_hash="5e5e",
        scopes=(scope,),
        mode="auto",
        decisions=tuple(rows),
        injected=tuple(ids[:3]),
        answer_id=answer_id,
        terms=("frumpzigal", "lantern"),
        trace=json.dumps({"scopes": [[scope.kind, scope.key]], "answer": [answer_id, 1]}),
    )


def _assert_gone(path: Path, alone: Path, before: dict[str, set[str | bytes]], raw: bytes) -> None:
    """Nothing that the tables held, and those of a store without it do not, is in any byte."""
    without = bytes_at(alone)
    needles = {
        needle
        for table, values in before.items()
        for value in values - _rows(alone).get(table, set())
        for needle in _needles(value)
        if needle not in without
    }
    seen = {each for each in needles if each in raw}
    assert len(seen) > 80  # the look is worth something
    assert len(seen) > 0.9 * len(needles)
    left = bytes_at(path)
    assert sorted(each for each in needles if each in left) == []
    rare = ("龘", "齉爩", "🪿", "qvarnholt", "jubbleforth", "rixomund", "umbelquist", "norkwiddle")
    for word in rare:
        assert word.encode() not in left


@pytest.mark.parametrize("indexed", ["words", "text"])
@pytest.mark.parametrize("kind", ["ids", "subject", "scope"])
def test_nothing_of_anything_that_hung_on_it_stays(
    open_store: Opener, text_indexer: TextIndexer, path: Path, kind: str, indexed: str
) -> None:
    indexer = text_indexer if indexed == "text" else PlainIndexer()
    alone = path.with_name("alone") / "memory.db"
    without = open_store(indexer, place=alone)
    neighbours(without)
    erase(without, EraseTarget.by_subject("nobody at all"))
    place = path.with_name("both") / "memory.db"
    store = open_store(indexer, place=place)
    kept = neighbours(store)
    if kind == "ids":
        # The scope stays, and its name is in the recall's trace, which goes.
        for each in (without, store):
            add(each, "A lantern of somebody else", scope=PERSON)
    without.close()
    ids = _everything(store, subject=kind == "subject")
    before, raw = _rows(place), bytes_at(place)
    if kind == "ids":
        receipt = erase(store, EraseTarget.by_ids(ids), (PERSON,))
    elif kind == "subject":
        receipt = erase(store, EraseTarget.by_subject(SUBJECT))
    else:
        receipt = erase(store, EraseTarget.whole(), (PERSON,))
    assert receipt.remedy == ""
    assert (receipt.counts["memory"], receipt.counts["answer"]) == (len(ids) - 1 + 2, 1)
    _assert_gone(place, alone, before, raw)
    assert_still_found(store, kept)
    store.close()
    _assert_gone(place, alone, before, raw)


# Pages, segments and the log


def _many_writes(store: Store) -> tuple[list[str], list[str], list[str]]:
    """(ids that stay, ids to erase, their words) after pages were split, freed and filled again."""
    letters = random.Random(1)
    kept, lost, words = [], [], []
    for _ in range(15):
        rare = ["".join(letters.choices("bcdfghjklmnpqrstvwxz", k=14)) for _ in range(50)]
        drafts = [
            draft(f"{each} " + "a lantern by the harbour gate " * (place % 9 + 1))
            for place, each in enumerate(rare)
        ]
        for place, each in enumerate(store.add_many(drafts, now_ms=NOW_MS)):
            assert isinstance(each, Stored)
            if place % 3:
                kept.append(each.id)
            else:
                lost.append(each.id)
                words.append(rare[place])
    for place, each in enumerate(lost[::4]):
        store.edit(each, HERE, {"title": f"the lantern of {words[place * 4]}"}, now_ms=NOW_MS)
    for each in kept[::4]:
        store.forget(each, HERE, now_ms=NOW_MS)
    return kept, lost, words


def test_after_many_writes_no_page_keeps_a_copy(open_store: Opener, path: Path) -> None:
    store = open_store()
    kept, lost, words = _many_writes(store)
    before = bytes_at(path)
    assert all(each.encode() in before for each in words)
    erase(store, EraseTarget.by_ids(lost))
    after = bytes_at(path)
    assert [each for each in words if each.encode() in after] == []
    assert [each for each in words if each[4:].encode() in after] == []
    assert [each for each in lost if each[4:].encode() in after] == []
    assert store.count(view()) == len(kept) - len(kept[::4])


def test_without_merging_the_index_keeps_the_terms(
    open_store: Opener, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remains, "_compact", lambda connection: connection.execute("VACUUM"))
    store = open_store()
    neighbours(store)
    erase(store, EraseTarget.by_ids([add(store, TEXTS["english"])]))
    assert b"qvarnholt" in bytes_at(path)


def test_without_writing_the_file_anew_pages_keep_copies(
    open_store: Opener, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    optimize = statements("erase")["fts_optimize"]
    monkeypatch.setattr(remains, "_compact", lambda connection: connection.execute(optimize))
    store = open_store()
    _, lost, words = _many_writes(store)
    erase(store, EraseTarget.by_ids(lost))
    after = bytes_at(path)
    assert [each for each in words if each[4:].encode() in after]


def test_without_cutting_it_off_the_log_keeps_everything(
    open_store: Opener, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remains, "_truncate", lambda connection: True)
    store = open_store()
    lost = add(store, TEXTS["english"])
    erase(store, EraseTarget.by_ids([lost]))
    assert TEXTS["english"].encode() in bytes_at(path)


def test_a_large_store_is_written_anew_by_way_of_a_file(
    open_store: Opener, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remains, "_IN_MEMORY", 0)
    store = open_store()
    kept = neighbours(store)
    lost = add(store, TEXTS["english"])
    assert erase(store, EraseTarget.by_ids([lost])).remedy == ""
    assert_nothing_left(bytes_at(path), RARE["english"])
    assert_still_found(store, kept)
    assert store._connection is not None
    assert store._connection.execute("PRAGMA temp_store").get == 2  # MEMORY


# Other connections and processes


_READER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
if sys.argv[2] != "idle":
    connection.execute({"read": "BEGIN", "write": "BEGIN IMMEDIATE"}[sys.argv[2]])
print(connection.execute("SELECT count(*) FROM memory").fetchone()[0], flush=True)
sys.stdin.readline()
print(connection.execute("SELECT count(*) FROM memory").fetchone()[0], flush=True)
if sys.argv[2] != "idle":
    connection.execute("COMMIT")
print("ended", flush=True)
sys.stdin.readline()
"""


class Other:
    """Another process with the file open."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.seen = self._line()

    def look(self) -> str:
        """What it sees now; after this its transaction ends."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        seen = self._line()
        assert self._line() == "ended"
        return seen

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


@contextmanager
def another_process(path: Path, doing: str) -> Iterator[Other]:
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", _READER, str(path), doing],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield Other(process)
    finally:
        process.kill()
        process.communicate()


def test_an_idle_connection_of_another_process_hinders_nothing(open_store: Opener, path: Path) -> None:
    store = open_store()
    kept = neighbours(store)
    lost = add(store, TEXTS["english"])
    with another_process(path, "idle") as other:
        assert other.seen == "41"
        assert erase(store, EraseTarget.by_ids([lost])).remedy == ""
        assert_nothing_left(bytes_beside(path), [*RARE["english"], lost])
        assert other.look() == "40"
    assert_still_found(store, kept)


def test_a_reader_of_an_older_state_keeps_the_log_and_the_receipt_says_so(
    open_store: Opener, path: Path
) -> None:
    store = open_store(busy_timeout_ms=50)
    kept = neighbours(store)
    lost = add(store, TEXTS["english"])
    with another_process(path, "read") as other:
        receipt = erase(store, EraseTarget.by_ids([lost]))
        assert (receipt.compacted, receipt.wal_truncated) == (True, False)
        assert "finish_erasure" in receipt.remedy
        assert RARE["english"][0].encode() in bytes_beside(path)  # so the reader goes on
        with pytest.raises(NotFoundError):
            store.fetch(lost, HERE)
        assert not store.finish_erasure()
        (read,) = store.erasures()
        assert (read.compacted, read.wal_truncated, read.remedy) == (True, False, receipt.remedy)
        assert other.look() == "41"
        assert store.finish_erasure()
        assert_nothing_left(bytes_beside(path), [*RARE["english"], lost])
    assert store.erasures()[0].remedy == ""
    assert_still_found(store, kept)


def test_a_later_erasure_finishes_an_earlier_one(open_store: Opener, path: Path) -> None:
    store = open_store(busy_timeout_ms=50)
    lost, next_lost = add(store, TEXTS["english"]), add(store, TEXTS["emoji"])
    with another_process(path, "read"):
        assert erase(store, EraseTarget.by_ids([lost])).remedy
    assert erase(store, EraseTarget.by_ids([next_lost])).remedy == ""
    assert_nothing_left(bytes_beside(path), [*RARE["english"], *RARE["emoji"]])
    assert all(each.remedy == "" for each in store.erasures())


def test_a_store_opened_later_finishes_what_a_reader_hindered(open_store: Opener, path: Path) -> None:
    store = open_store(busy_timeout_ms=50)
    lost = add(store, TEXTS["english"])
    with another_process(path, "read") as other:
        assert erase(store, EraseTarget.by_ids([lost])).remedy
        store.close()
        store = open_store(busy_timeout_ms=60_000)
        assert store.erasures()[0].remedy
        patience = _patience_of_checkpoints(store)
        store._resume_erasure()
        assert patience == [0]  # it waits for nobody
        assert store._connection is not None
        assert store._connection.execute("PRAGMA busy_timeout").get == 60_000
        store.close()
        other.look()
        store = open_store()
        assert store.erasures()[0].remedy == ""
        assert_nothing_left(bytes_beside(path), RARE["english"])


def _patience_of_checkpoints(store: Store) -> list[int]:
    """How long each checkpoint from now on is ready to wait for others, in milliseconds."""
    connection = store._connection
    assert connection is not None
    found: list[int] = []

    def trace(cursor: apsw.Cursor, statement: str, bindings: object) -> bool:
        if "wal_checkpoint" in statement:
            connection.exec_trace = None
            found.append(int(connection.execute("PRAGMA busy_timeout").get))
            connection.exec_trace = trace
        return True

    connection.exec_trace = trace
    return found


def test_while_another_process_writes_nothing_is_erased(open_store: Opener, path: Path) -> None:
    store = open_store(busy_timeout_ms=50)
    lost = add(store, TEXTS["english"])
    token = store.plan_erasure(EraseTarget.by_ids([lost]), HERE).token
    with another_process(path, "write"), pytest.raises(StoreBusy):
        store.erase(EraseTarget.by_ids([lost]), HERE, token, now_ms=NOW_MS)
    assert store.fetch(lost, HERE).text == TEXTS["english"]
    assert store._connection is not None
    assert store._connection.execute("PRAGMA foreign_keys").get == 1


@pytest.mark.parametrize("failure", [apsw.FullError, apsw.BusyError, apsw.IOError])
def test_where_the_file_cannot_be_written_anew_the_receipt_says_so(
    open_store: Opener, path: Path, monkeypatch: pytest.MonkeyPatch, failure: type[apsw.Error]
) -> None:
    def fails(connection: apsw.Connection) -> None:
        raise failure

    store = open_store()
    lost = add(store, TEXTS["english"])
    with monkeypatch.context() as patched:
        patched.setattr(remains, "_compact", fails)
        receipt = erase(store, EraseTarget.by_ids([lost]))
        assert (receipt.compacted, receipt.wal_truncated) == (False, False)
        assert "finish_erasure" in receipt.remedy
        with pytest.raises(NotFoundError):
            store.fetch(lost, HERE)
        assert [each.remedy for each in store.erasures()] == [receipt.remedy]
        with pytest.raises(StoreError):
            store.finish_erasure()
    assert store.finish_erasure()
    assert_nothing_left(bytes_at(path), RARE["english"])


def test_what_cannot_be_written_anew_is_overwritten_at_least(
    open_store: Opener, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(connection: apsw.Connection) -> None:
        raise apsw.FullError

    monkeypatch.setattr(remains, "_compact", fails)
    store = open_store()
    lost = add(store, LONG)
    erase(store, EraseTarget.by_ids([lost]))
    store.close()  # which moves the log into the file
    # Of the text, in pages that are free now. The terms one by one are in the index until it is merged.
    assert b"wxq00010k wxq00011k" not in bytes_at(path)
    assert b"wxq19000k wxq19001k" not in bytes_at(path)


def test_finishing_with_nothing_left_to_do_writes_nothing(open_store: Opener, path: Path) -> None:
    store = open_store()
    add(store, TEXTS["english"])
    before = path.read_bytes(), path.with_name("memory.db-wal").read_bytes()
    assert store.finish_erasure()
    store._resume_erasure()
    assert (path.read_bytes(), path.with_name("memory.db-wal").read_bytes()) == before


# A crash

_CHILD = """
import os, signal, sys
from memweir.store.erasure import EraseTarget
from memweir.store.sqlite import SqliteStore
from memweir.testing import PlainIndexer, SCOPE

path, lost, step, within = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
store = SqliteStore.open(path, PlainIndexer())
target = EraseTarget.by_ids([lost])
token = store.plan_erasure(target, (SCOPE,)).token

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def trace(cursor, sql, bindings):
    if sql.lstrip().startswith(step):
        if not within:
            die()
        ticks = iter(range(within))
        store._connection.set_progress_handler(lambda: next(ticks, None) is None and die(), 1)
    return True

store._connection.exec_trace = trace
store.erase(target, (SCOPE,), token, now_ms=0)
"""

# When the process is killed: before a statement, or after so many steps of it; is the memory gone then?
_STEPS = {
    "before the first change": ("INSERT INTO ledger", 0, False),
    "in the midst of the rows": ("DELETE FROM relation", 0, False),
    "before the commit": ("COMMIT", 0, False),
    "before the segments are merged": ("INSERT INTO memory_fts", 0, True),
    "before the file is written anew": ("VACUUM", 0, True),
    "while the file is written anew": ("VACUUM", 40, True),
    "before the log is cut off": ("PRAGMA wal_checkpoint", 0, True),
    "before the mark goes": ("DELETE FROM meta", 0, True),
}


@pytest.mark.parametrize("step", sorted(_STEPS))
def test_a_kill_leaves_a_memory_whole_or_gone(open_store: Opener, path: Path, step: str) -> None:
    statement, within, is_gone = _STEPS[step]
    store = open_store()
    kept = neighbours(store)
    lost = add(store, TEXTS["english"], tags=("vrzkatoon",), relations=FIELDS["relation"]["relations"])
    store.close()
    arguments = [str(path), lost, statement, str(within)]
    killed = subprocess.run([sys.executable, "-c", _CHILD, *arguments], capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    store = open_store(read_only=True)
    assert [each.remedy != "" for each in store.erasures()] == [True] * is_gone
    store.close()
    store = open_store()
    connection = store._connection
    assert connection is not None
    assert connection.execute("PRAGMA integrity_check").get == "ok"
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.execute(statements("index")["fts_check"])
    if not is_gone:
        assert store.fetch(lost, HERE).tags == ("vrzkatoon",)
        assert store.trail(lost, HERE).relations == (("Xibbelquay", "mjoltrates", "Plazwhunt"),)
        assert store.matching(view(), TermMatch({"": ("zqvarnholt",)}, {}), 9) == [lost]
        assert store.erasures() == []
        erase(store, EraseTarget.by_ids([lost]))
    else:
        with pytest.raises(NotFoundError):
            store.fetch(lost, HERE)
    # Opened for writing, the store has done what was left.
    assert [each.remedy for each in store.erasures()] == [""]
    assert_nothing_left(bytes_at(path), [*RARE["english"], "vrzkatoon", *FIELD_WORDS["relation"], lost])
    assert_still_found(store, kept)
