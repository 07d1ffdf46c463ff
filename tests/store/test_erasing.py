"""Does erasing take what the plan showed, all that was made of it, and nothing else?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.errors import (
    InputError,
    NotFoundError,
    ReviewStale,
    ScopeError,
    SecretRefused,
    StoreClosed,
    StoreReadOnly,
    TextError,
)
from memweir.store.audit import DecisionRow, Run
from memweir.store.erasure import ErasePlan, EraseReceipt, EraseTarget
from memweir.store.reads import TermMatch
from memweir.store.records import Draft, Record, Relation, Stored, to_ms
from memweir.store.scopes import Scope
from memweir.store.sqlite import SqliteStore as Store
from memweir.store.statements import statements
from memweir.testing import NOW, SCOPE, DeferredIndexer, PlainIndexer, draft, view

NOW_MS = to_ms(NOW)
HERE = (SCOPE,)
ELSEWHERE = Scope.project("borealis")
BY_IDS, BY_SUBJECT, WHOLE = EraseTarget.by_ids, EraseTarget.by_subject, EraseTarget.whole()


Opener = Callable[..., Store]
Sql = Callable[..., list[tuple[Any, ...]]]


@pytest.fixture
def open_store(path: Path) -> Iterator[Opener]:
    opened: list[Store] = []

    def opening(indexer: Any = None, place: Path = path, **options: Any) -> Store:
        opened.append(Store.open(place, indexer or PlainIndexer(), **options))
        return opened[-1]

    yield opening
    for each in opened:
        each.close()


@pytest.fixture
def store(open_store: Opener) -> Store:
    return open_store()


def add(store: Store, text: str, **fields: Any) -> str:
    (stored,) = store.add_many([draft(text, **fields)], now_ms=NOW_MS)
    assert isinstance(stored, Stored), stored
    return stored.id


def erase(
    store: Store, target: EraseTarget, scopes: Sequence[Scope] = HERE, now_ms: int = NOW_MS
) -> EraseReceipt:
    plan = store.plan_erasure(target, scopes)
    return store.erase(target, scopes, plan.token, now_ms=now_ms)


def planned(plan: ErasePlan) -> set[str]:
    return {each.id for each in plan.memories}


def run_of(*ids: str, **fields: Any) -> Run:
    """A recall of the ids, all of them given; `detail` names a member of each decision's detail."""
    detail = fields.pop("detail", {})
    rows = [
        DecisionRow(each, place + 1, "use", "ok", 1.0, 1.0, 1.0, 1.0, 0.0, {"keyword": place + 1})
        for place, each in enumerate(ids)
    ]
    rows = [
        DecisionRow(*[getattr(row, name) for name in row.__slots__[:-1]], json.dumps(detail))
        for row in rows
    ]
    values = {"at_ms": NOW_MS, "query_hash": "h", "scopes": HERE, "mode": "hybrid"} | fields
    return Run(decisions=tuple(rows), injected=ids, **values)


def gone(store: Store, memory_id: str, scopes: Sequence[Scope] = HERE) -> bool:
    try:
        store.fetch(memory_id, scopes)
    except NotFoundError:
        return True
    return False


def check(store: Store) -> None:
    """The file is whole, every reference leads somewhere, and the index agrees with itself."""
    connection = store._connection
    assert connection is not None
    assert connection.execute("PRAGMA integrity_check").get == "ok"
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.execute(statements("index")["fts_check"])
    assert connection.execute("PRAGMA foreign_keys").get == 1
    assert connection.execute("PRAGMA secure_delete").get == 2  # FAST


def counted(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that is counted over memories."""
    connection = store._connection
    assert connection is not None
    named = "JOIN scope ON scope.id = scope_id ORDER BY 1, 2, 3"
    found = {
        "terms": connection.execute(f"SELECT term, kind, key, df FROM term {named}").fetchall(),
        "documents": connection.execute(
            f"SELECT kind, key, documents FROM scope_statistics {named}"
        ).fetchall(),
    }
    vectors = connection.execute("SELECT documents, df FROM vector_statistics").fetchall()
    # Of no vector it is the same whether there is a row of zeros or none.
    return found | {"vectors": [each for each in vectors if each[0] or any(each[1])]}


# The plan and its token


def test_a_plan_writes_nothing(store: Store, path: Path) -> None:
    memory_id = add(store, "green tea")
    files = [path, path.with_name(f"{path.name}-wal")]
    before = [each.read_bytes() for each in files]
    for target in (BY_IDS([memory_id]), BY_SUBJECT("tea"), WHOLE):
        assert planned(store.plan_erasure(target, HERE)) == {memory_id}
    assert [each.read_bytes() for each in files] == before


def test_a_plan_shows_memories_of_every_status_and_counts_their_earlier_wordings(store: Store) -> None:
    texts = ("an active note", "an archived note", "a forgotten note", "write to ann@example.org, note")
    active, archived, forgotten, waiting = [add(store, each) for each in texts]
    store.edit(active, HERE, {"text": "an edited note"}, now_ms=NOW_MS)
    store.edit(active, HERE, {"text": "a note edited twice"}, now_ms=NOW_MS)
    store.archive(archived, HERE, now_ms=NOW_MS)
    store.forget(forgotten, HERE, now_ms=NOW_MS)
    expected = {
        (active, "active", 2),
        (archived, "archived", 0),
        (forgotten, "tombstoned", 0),
        (waiting, "quarantined", 0),
    }
    for target in (WHOLE, BY_SUBJECT("note"), BY_IDS([active, archived, forgotten, waiting])):
        plan = store.plan_erasure(target, HERE)
        assert {(each.id, each.status, each.wordings) for each in plan.memories} == expected
        assert plan.counts["memory"] == 6
    assert erase(store, WHOLE).counts["memory"] == 6
    assert all(gone(store, each) for each in (active, archived, forgotten, waiting))
    check(store)


def test_a_receipt_counts_what_left_each_table(store: Store, sql: Sql) -> None:
    first = add(store, "Tea is green", tags=("hot",), relations=(Relation("Tea", "is", "Drink"),))
    second = add(store, "Coffee is black")
    store.put_answer(SCOPE, "At five", {"when": "When?"}, now_ms=NOW_MS)
    run = store.record_run(run_of(first, second))
    store.feedback(first, "helped", HERE, now_ms=NOW_MS, note="so it was", run_id=run)
    answer = store.find_answer(HERE, "when")
    assert answer is not None
    target = BY_IDS([first, answer.id])
    tables = sorted(store.plan_erasure(target, HERE).counts)
    assert {"memory", "evidence", "decision", "ledger", "vector"} < set(tables)

    def sizes() -> dict[str, int]:
        return {each: sql(f"SELECT count(*) FROM {each}")[0][0] for each in tables}

    before = sizes()
    receipt = erase(store, target)
    after = sizes() | {"ledger": sizes()["ledger"] - 1}  # the line of the act
    assert {each: before[each] - after[each] for each in tables} == dict(receipt.counts)
    assert receipt.counts["memory"] == receipt.counts["answer"] == receipt.counts["decision"] == 1
    assert receipt.counts["entity"] == 2  # Tea and Drink
    assert receipt.scrubbed["run"] == 1


def test_another_token_erases_nothing_and_is_noted(store: Store, sql: Sql) -> None:
    memory_id = add(store, "green tea")
    for token in ("", "0" * 16, None):
        with pytest.raises(ReviewStale):
            store.erase(BY_IDS([memory_id]), HERE, token, now_ms=NOW_MS)  # type: ignore[arg-type]
    assert store.fetch(memory_id, HERE).text == "green tea"
    noted = sql("SELECT action, memory_id, rule FROM ledger WHERE action LIKE 'erase%'")
    assert noted == [("erase-refused", None, "erase-stale")] * 3
    assert store.erasures() == []
    check(store)


_CHANGES: dict[str, Callable[[Store, str], object]] = {
    "its text was edited": lambda store, each: store.edit(
        each, HERE, {"text": "black Tea"}, now_ms=NOW_MS
    ),
    "its title was edited": lambda store, each: store.edit(
        each, HERE, {"title": "On Tea"}, now_ms=NOW_MS
    ),
    "it was forgotten": lambda store, each: store.forget(each, HERE, now_ms=NOW_MS),
    "it was archived": lambda store, each: store.archive(each, HERE, now_ms=NOW_MS),
    "a memory came in": lambda store, _: add(store, "Tea again"),
    "an answer came in": lambda store, _: store.put_answer(
        SCOPE, "Tea", {"what": "What?"}, now_ms=NOW_MS
    ),
    "an answer was renewed": lambda store, _: store.put_answer(
        SCOPE, "At six with Tea", {"when": "When?"}, now_ms=NOW_MS
    ),
    "a phrasing came in": lambda store, _: store.put_answer(
        SCOPE, "At five with Tea", {"when": "When?", "at": "At?"}, now_ms=NOW_MS
    ),
}


@pytest.mark.parametrize("change", sorted(_CHANGES))
def test_a_token_stands_for_what_was_shown(store: Store, change: str) -> None:
    memory_id = add(store, "green Tea")
    store.put_answer(SCOPE, "At five with Tea", {"when": "When?"}, now_ms=NOW_MS)
    tokens = {target: store.plan_erasure(target, HERE).token for target in (BY_SUBJECT("Tea"), WHOLE)}
    _CHANGES[change](store, memory_id)
    for target, token in tokens.items():
        with pytest.raises(ReviewStale):
            store.erase(target, HERE, token, now_ms=NOW_MS)
    erase(store, BY_SUBJECT("Tea"))
    assert store.count(view()) == 0


def test_a_token_outlives_recalls_and_feedback(store: Store) -> None:
    memory_id = add(store, "green tea")
    token = store.plan_erasure(BY_IDS([memory_id]), HERE).token
    store.record_run(run_of(memory_id))
    store.feedback(memory_id, "helped", HERE, now_ms=NOW_MS, note="yes")
    add(store, "black coffee")
    store.erase(BY_IDS([memory_id]), HERE, token, now_ms=NOW_MS)
    assert gone(store, memory_id)


def test_a_token_is_of_one_target_one_set_of_scopes_and_one_store(
    open_store: Opener, path: Path
) -> None:
    store = open_store()
    memory_id = add(store, "green tea")
    other = open_store(place=path.with_name("other.db"))
    assert add(other, "green tea") == memory_id
    targets = (BY_IDS([memory_id]), BY_SUBJECT("green"), BY_SUBJECT("tea"), WHOLE)
    tokens = [store.plan_erasure(each, HERE).token for each in targets]
    tokens += [store.plan_erasure(each, (SCOPE, ELSEWHERE)).token for each in targets]
    tokens += [other.plan_erasure(each, HERE).token for each in targets]
    assert len(set(tokens)) == len(tokens)
    # The order and the number of times that a scope or an id is named say nothing.
    again = store.plan_erasure(BY_IDS([memory_id, memory_id]), (ELSEWHERE, SCOPE, SCOPE))
    assert again.token == tokens[len(targets)]


def test_ids_that_may_not_be_seen_are_reported_as_ids_that_are_not_there(store: Store) -> None:
    mine, foreign = add(store, "green tea"), add(store, "black coffee", scope=ELSEWHERE)
    store.edit(mine, HERE, {"text": "green tea, hot"}, now_ms=NOW_MS)
    answer = store.put_answer(ELSEWHERE, "At five", {"when": "When?"}, now_ms=NOW_MS)
    for wrong in (foreign, "mem_0", f"{mine}.1", answer.id, "ans_0", "nonsense"):
        what = "answer" if wrong.startswith("ans_") else "memory"
        for attempt in (
            lambda wrong=wrong: store.plan_erasure(BY_IDS([mine, wrong]), HERE),
            lambda wrong=wrong: store.erase(BY_IDS([mine, wrong]), HERE, "0", now_ms=NOW_MS),
        ):
            with pytest.raises(NotFoundError) as caught:
                attempt()
            assert (caught.value.what, caught.value.key) == (what, wrong)
    assert not gone(store, mine)
    assert not gone(store, foreign, (ELSEWHERE,))


def test_a_target_says_what_it_means() -> None:
    for subject in ("", " ", "\n\t"):
        with pytest.raises(TextError):
            BY_SUBJECT(subject)
    for wrong in (7, None, b"x", ["x"]):
        with pytest.raises(InputError):
            BY_SUBJECT(wrong)  # type: ignore[arg-type]
    for ids in ([], [""], [" "], [7], "mem_0", None, 7):
        with pytest.raises(InputError):
            BY_IDS(ids)  # type: ignore[arg-type]
    for arguments in (("all",), ("ids",), ("subject",), ("scope", ("mem_0",)), ("ids", (), "tea")):
        with pytest.raises(InputError):
            EraseTarget(*arguments)  # type: ignore[arg-type]
    assert BY_SUBJECT(" x ").subject == "x"


def test_no_scope_is_never_every_scope(store: Store) -> None:
    memory_id = add(store, "green tea")
    for target in (BY_IDS([memory_id]), BY_SUBJECT("tea"), WHOLE):
        with pytest.raises(ScopeError):
            store.plan_erasure(target, ())
        with pytest.raises(ScopeError):
            store.erase(target, (), "0", now_ms=NOW_MS)


def test_a_read_only_store_plans_and_does_not_erase(open_store: Opener) -> None:
    store = open_store()
    memory_id = add(store, "green tea")
    store.close()
    store = open_store(read_only=True)
    plan = store.plan_erasure(BY_IDS([memory_id]), HERE)
    assert planned(plan) == {memory_id}
    with pytest.raises(StoreReadOnly):
        store.erase(BY_IDS([memory_id]), HERE, plan.token, now_ms=NOW_MS)
    with pytest.raises(StoreReadOnly):
        store.finish_erasure()
    assert store.erasures() == []


def test_a_closed_store_says_so(store: Store) -> None:
    store.close()
    for verb in (
        lambda: store.plan_erasure(WHOLE, HERE),
        lambda: store.erase(WHOLE, HERE, "0", now_ms=NOW_MS),
        store.finish_erasure,
        store.erasures,
    ):
        with pytest.raises(StoreClosed):
            verb()


def test_a_plan_tells_of_other_memories_with_the_very_same_text(store: Store) -> None:
    first = add(store, "green tea", speaker="Ann")
    second = add(store, "green tea", speaker="Bob")
    add(store, "green tea", scope=ELSEWHERE)
    assert store.plan_erasure(BY_IDS([first]), HERE).also_said == (second,)
    assert store.plan_erasure(BY_IDS([first, second]), HERE).also_said == ()
    assert store.plan_erasure(WHOLE, HERE).also_said == ()


# What goes of a memory


def test_what_was_counted_is_as_if_the_memory_had_never_been(open_store: Opener, path: Path) -> None:
    kept = ["green tea at five", "black coffee", "tea and coffee 42"]
    lost = ["green coffee with oolong", "oolong 42", "a note on oolong"]
    store, without = open_store(), open_store(place=path.with_name("without.db"))
    ids = {
        each: add(store, each, tags=(each[:3],))
        for pair in zip(kept, lost, strict=True)
        for each in pair
    }
    for each in kept:
        add(without, each, tags=(each[:3],))
    store.edit(ids[lost[0]], HERE, {"text": "green oolong", "title": "Leaves"}, now_ms=NOW_MS)
    store.archive(ids[lost[1]], HERE, now_ms=NOW_MS)
    store.forget(ids[lost[2]], HERE, now_ms=NOW_MS)
    erase(store, BY_IDS([ids[each] for each in lost]))
    assert counted(store) == counted(without)
    check(store)
    before = counted(store)
    assert store.reindex(now_ms=NOW_MS) == 3
    assert counted(store) == before


def test_vectors_of_another_embedder_are_uncounted_too(open_store: Opener) -> None:
    store = open_store(PlainIndexer(dim=64))
    first, _ = add(store, "green tea"), add(store, "black coffee")
    store.close()
    store = open_store(PlainIndexer(dim=32, name="other"))
    erase(store, BY_IDS([first]))
    store.close()
    store = open_store(PlainIndexer(dim=64))
    found = store.vector_statistics()
    assert found.documents == 1
    assert int(found.df.sum()) == int((PlainIndexer(dim=64).embed("black coffee") != 0).sum())


def test_what_waits_for_a_vector_can_be_erased_and_its_place_taken(open_store: Opener) -> None:
    store = open_store(DeferredIndexer(PlainIndexer()))
    memory_id = add(store, "green tea")
    assert erase(store, BY_IDS([memory_id])).counts["pending_vector"] == 1
    another = add(store, "black coffee")
    assert store.pending(9) == [another]
    assert store.index_pending([memory_id, another]) == 1
    assert [each.id for each in store.nearest(view(), PlainIndexer().embed("coffee"), 9)] == [another]


def test_what_the_index_has_lost_track_of_goes_too(open_store: Opener, sql: Sql) -> None:
    store = open_store(DeferredIndexer(PlainIndexer(dim=80, tail=16)))
    memory_id = add(store, "green tea", tags=("hot",))
    tables = ("tag", "vector", "vector_code", "pending_vector", "memory_fts")
    for lost in (False, True):
        if lost:
            sql("DELETE FROM memory_index")
            erase(store, BY_IDS([memory_id]))
        held = {each: sql(f"SELECT count(*) FROM {each}")[0][0] for each in tables}
        assert held == dict.fromkeys(tables, int(not lost))


def test_told_again_after_it_was_erased_a_memory_is_new(store: Store) -> None:
    memory_id = add(store, "green tea")
    store.feedback(memory_id, "harmful", HERE, now_ms=NOW_MS, note="wrong")
    changes, _ = store.position()
    erase(store, BY_IDS([memory_id]))
    assert store.position()[0] > changes
    (stored,) = store.add_many([draft("green tea")], now_ms=NOW_MS)
    assert isinstance(stored, Stored)
    assert (stored.id, stored.outcome, stored.evidence_count) == (memory_id, "created", 1)
    assert store.fetch(memory_id, HERE).harmful_count == 0
    trail = store.trail(memory_id, HERE)
    assert [each["action"] for each in trail.ledger] == ["created"]
    assert trail.consumption == ()


def test_who_was_superseded_by_an_erased_memory_stays_ended(store: Store, sql: Sql) -> None:
    first = add(store, "the port is 1")
    second = add(store, "the port is 2", supersedes=first)
    third = add(store, "the port is 3", supersedes=second)
    ended = store.fetch(first, HERE).invalid_at_ms
    assert ended is not None
    erase(store, BY_IDS([second]))
    before, after = store.fetch(first, HERE), store.fetch(third, HERE)
    assert (before.superseded_by, before.invalid_at_ms) == (None, ended)
    assert (after.supersedes, after.invalid_at_ms) == (None, None)
    assert store.latest(view(), 9)[0].id == third
    assert store.count(view()) == 1
    told = sql("SELECT source FROM evidence WHERE kind = 'superseded'")
    told += sql("SELECT detail FROM ledger WHERE action = 'superseded'")
    assert told == [(None,), (None,)]
    check(store)


def test_a_group_that_loses_a_member_goes_by_another_name_and_one_left_is_no_group(
    store: Store,
) -> None:
    ids = _side_by_side(store, 3)
    names = {store.fetch(each, HERE).coexistence for each in ids}
    assert len(names) == 1
    assert None not in names
    run = store.record_run(run_of(add(store, "tea"), detail={"group": names.copy().pop()}))
    erase(store, BY_IDS([ids[0]]))
    renamed = {store.fetch(each, HERE).coexistence for each in ids[1:]}
    assert len(renamed) == 1
    assert not renamed & names
    assert store.group_mates(view(), [str(renamed.copy().pop())]) == sorted(ids[1:])
    # The old name was a hash of all three: no recall keeps it.
    assert store.read_run(run).decisions[0].detail == ""
    erase(store, BY_IDS([ids[1]]))
    assert store.fetch(ids[2], HERE).coexistence is None


def _side_by_side(store: Store, count: int) -> list[str]:
    ids = []
    for number in range(count):
        (stored,) = store.add_many([draft(f"port {number}", semantic_key="port")], now_ms=NOW_MS)
        assert isinstance(stored, Stored)
        ids.append(stored.id)
        if number:
            (question,) = store.reviews(HERE, now_ms=NOW_MS, limit=9)
            store.decide(question.id, "coexist", question.token, HERE, now_ms=NOW_MS)
    return ids


def test_a_question_about_an_erased_older_side_is_void(store: Store) -> None:
    older = add(store, "the tea is hot")
    newer = add(store, "the tea is not hot")
    (question,) = store.reviews(HERE, now_ms=NOW_MS, limit=9)
    assert (question.memory.id, [each.id for each in question.against]) == (newer, [older])
    erase(store, BY_IDS([older]))
    assert store.reviews(HERE, now_ms=NOW_MS, limit=9) == []
    closed = store.review(question.id, HERE, now_ms=NOW_MS)
    assert (closed.decision, closed.against) == ("withdrawn", ())
    assert not gone(store, newer)


def test_who_waits_because_of_an_erased_rival_may_be_let_in(store: Store) -> None:
    add(store, "port 1", semantic_key="port")
    waiting = add(store, "port 2", semantic_key="port")
    (question,) = store.reviews(HERE, now_ms=NOW_MS, limit=9)
    (rival,) = question.against
    erase(store, BY_IDS([rival.id]))
    (question,) = store.reviews(HERE, now_ms=NOW_MS, limit=9)
    assert question.decisions == ("approve", "reject")
    store.decide(question.id, "approve", question.token, HERE, now_ms=NOW_MS)
    assert store.fetch(waiting, HERE).status == "active"


def test_the_questions_of_an_erased_newer_side_go_with_it(store: Store, sql: Sql) -> None:
    older = add(store, "the tea is hot")
    newer = add(store, "the tea is not hot")
    assert erase(store, BY_IDS([newer])).counts["review"] == 1
    assert sql("SELECT * FROM review") == sql("SELECT * FROM review_side") == []
    assert store.contested(view(), [older]) == {}


def test_a_question_forgets_what_its_newer_side_would_have_superseded(store: Store, sql: Sql) -> None:
    older = add(store, "write to the office")
    waiting = add(store, "write to ann@example.org", supersedes=older)
    (question,) = store.reviews(HERE, now_ms=NOW_MS, limit=9)
    erase(store, BY_IDS([older]))
    assert sql("SELECT supersedes FROM review") == [(None,)]
    (question,) = store.reviews(HERE, now_ms=NOW_MS, limit=9)
    store.decide(question.id, "approve", question.token, HERE, now_ms=NOW_MS)
    assert store.fetch(waiting, HERE).status == "active"


def test_an_entity_that_nobody_else_names_goes(store: Store) -> None:
    first = add(store, "Zephyr met Boreas", relations=(Relation("Zephyr", "knows", "Notus"),))
    add(store, "Boreas blows")
    erase(store, BY_IDS([first]))
    assert set(store.entities_named(["zephyr", "boreas", "notus"])) == {"boreas"}
    check(store)


def test_an_entity_of_a_memory_that_was_forgotten_before_goes_too(store: Store) -> None:
    memory_id = add(store, "Zephyr blows")
    store.forget(memory_id, HERE, now_ms=NOW_MS)
    erase(store, BY_IDS([memory_id]))
    assert store.entities_named(["zephyr"]) == {}


def test_an_entity_that_stays_is_written_as_who_stays_writes_it(store: Store) -> None:
    first = add(store, "a wind", entities=("ZEPHYR", "BOREAS", "NOTUS"))
    add(store, "Zephyr blows", title="Boreas")
    add(store, "another", entities=("notus",))
    entities = store.entities_named(["zephyr", "boreas", "notus"])
    assert [store.entity_name(entities[each]) for each in ("zephyr", "boreas")] == ["ZEPHYR", "BOREAS"]
    erase(store, BY_IDS([first]))
    # "Zephyr" stands in the text only, which says nothing of the entity's name: the folded one.
    written = {each: store.entity_name(number) for each, number in entities.items()}
    assert written == {"zephyr": "zephyr", "boreas": "Boreas", "notus": "notus"}


def test_recalls_that_considered_it_keep_their_figures_and_lose_their_words(
    store: Store, sql: Sql
) -> None:
    lost, kept = add(store, "green tea"), add(store, "black coffee")
    words = {"terms": ("green", "drink"), "trace": json.dumps({"block": "5e"}), "detail": {"fused": 1}}
    considered = store.record_run(run_of(kept, lost, **words))
    other = store.record_run(run_of(kept, **words))
    handle = store.injection_id(considered, 0)
    erase(store, BY_IDS([lost]))
    assert sql("SELECT id, terms, trace FROM run ORDER BY id") == [
        (considered, "", None),
        (other, "drink green", words["trace"]),
    ]
    run = store.read_run(considered)
    assert [(each.memory_id, each.rank, each.detail) for each in run.decisions] == [(kept, 1, "")]
    assert run.injected == (kept,)
    assert store.injected(handle) == (kept, considered)
    with pytest.raises(NotFoundError):
        store.injected(store.injection_id(considered, 1))
    assert store.read_run(other).decisions[0].detail == json.dumps(words["detail"])


def test_a_recall_that_only_tells_of_it_loses_its_words_too(store: Store) -> None:
    lost, kept, waiting = add(store, "green tea"), add(store, "black coffee"), add(store, "x y z")
    store.edit(lost, HERE, {"text": "green tea, hot"}, now_ms=NOW_MS)
    named = [
        run_of(kept, trace=json.dumps({"dropped": [[lost, "budget"]]})),
        run_of(kept, trace=json.dumps({"warnings": [f"{lost}: left out"]})),
        run_of(kept, trace=json.dumps({"dropped": [[f"{lost}.1", "budget"]]})),
        run_of(kept, trace="{}", detail={"contested": lost}),
    ]
    others = [
        run_of(kept, trace=json.dumps({"dropped": [[waiting, "budget"]]})),
        run_of(kept, trace="{}", detail={"contested": waiting}),
    ]
    runs = [store.record_run(each) for each in [*named, *others]]
    assert erase(store, BY_IDS([lost])).scrubbed["run"] == 4
    traces = [store.read_run(each).trace for each in runs]
    details = [store.read_run(each).decisions[0].detail for each in runs]
    assert traces == [""] * 4 + [each.trace for each in others]
    assert details == [""] * 4 + [each.decisions[0].detail for each in others]


def test_terms_that_other_memories_learned_stay_with_them(store: Store) -> None:
    lost, kept = add(store, "green tea"), add(store, "black coffee")
    store.feedback(kept, "helped", HERE, now_ms=NOW_MS, learned=("drink",))
    erase(store, BY_IDS([lost]))
    assert store.fetch(kept, HERE).learned_terms == ("drink",)
    assert store.matching(view(), TermMatch({"": ("drink",)}, {}), 9) == [kept]


def test_its_lines_of_the_ledger_give_way_to_one_that_names_nothing(store: Store, sql: Sql) -> None:
    kept = add(store, "black coffee")
    lost = add(store, "green tea")
    store.feedback(lost, "helped", HERE, now_ms=NOW_MS)
    last = sql("SELECT max(id) FROM ledger")[0][0]
    receipt = erase(store, BY_IDS([lost]), now_ms=NOW_MS + 7)
    lines = sql("SELECT id, at, action, memory_id, rule, fingerprint, detail FROM ledger ORDER BY id")
    assert [each[2:4] for each in lines] == [("created", kept), ("erased", None)]
    number, at, _, _, rule, fingerprint, detail = lines[-1]
    assert (at, rule, fingerprint) == (NOW_MS + 7, "ids", receipt.id)
    assert json.loads(detail) == {"counts": receipt.counts, "scrubbed": receipt.scrubbed}
    assert "mem_" not in detail
    # Who follows the ledger by its numbers sees the line.
    assert number > last


def test_what_is_left_has_a_history_that_ends_where_it_ended(store: Store) -> None:
    first = add(store, "the port is 1")
    second = add(store, "the port is 2", supersedes=first)
    erase(store, BY_IDS([second]))
    trail = store.trail(first, HERE)
    assert [each["action"] for each in trail.ledger] == ["superseded", "created"]
    assert second not in json.dumps([*trail.ledger, *trail.evidence])


def test_erasing_many_looks_through_no_table_once_for_each(open_store: Opener, path: Path) -> None:
    def steps(count: int) -> int:
        store = open_store(place=path.with_name(f"{count}.db"))
        store.add_many([draft(f"note {number}") for number in range(count)], now_ms=NOW_MS)
        token = store.plan_erasure(WHOLE, HERE).token
        taken = [0]

        def tick() -> bool:
            taken[0] += 1
            return False

        assert store._connection is not None
        store._connection.set_progress_handler(tick, 100)
        store.erase(WHOLE, HERE, token, now_ms=NOW_MS)
        return taken[0]

    # Four times the memories: four times the steps where each costs the same, sixteen times where each
    # costs a look at all the others.
    assert steps(1000) < 6 * steps(250)


# Receipts


def test_receipts_can_be_read_again_the_newest_first(store: Store) -> None:
    ids = [add(store, text) for text in ("green tea", "black coffee", "water")]
    receipts = [
        erase(store, BY_IDS([each]), now_ms=NOW_MS + place) for place, each in enumerate(ids[:2])
    ]
    receipts.append(erase(store, BY_SUBJECT("water"), now_ms=NOW_MS + 2))
    receipts.append(erase(store, WHOLE, now_ms=NOW_MS + 3))
    read = store.erasures()
    assert [each.id for each in read] == [each.id for each in reversed(receipts)]
    assert [each.target for each in read] == ["scope", "subject", "ids", "ids"]
    assert [each.at_ms - NOW_MS for each in read] == [3, 2, 1, 0]
    assert all(each.compacted and each.wal_truncated and not each.remedy for each in read)
    assert store.erasures(limit=1) == read[:1]
    for told, gave in zip(read, reversed(receipts), strict=True):
        assert (told.counts, told.scrubbed) == (gave.counts, gave.scrubbed)


def test_a_receipt_fits_its_target_and_no_other_and_only_with_its_key(store: Store) -> None:
    memory_id = add(store, "green tea")
    receipt = erase(store, BY_IDS([memory_id]))
    assert receipt.is_of(BY_IDS([memory_id]), HERE)
    assert not receipt.is_of(BY_IDS([memory_id]), (SCOPE, ELSEWHERE))
    assert not receipt.is_of(BY_SUBJECT("tea"), HERE)
    assert not store.erasures()[0].is_of(BY_IDS([memory_id]), HERE)


def test_who_has_the_file_cannot_try_which_target_a_receipt_is_of(
    store: Store, every_byte: Callable[[], bytes]
) -> None:
    add(store, "Ann likes tea")
    first = erase(store, BY_SUBJECT("Ann"))
    add(store, "Ann likes tea")
    second = erase(store, BY_SUBJECT("Ann"))
    # Under one key kept in the file both would be the same, and so would a guess.
    assert first.id != second.id
    for key in (first.key, second.key):
        assert key.encode() not in every_byte()
        assert bytes.fromhex(key) not in every_byte()


def test_the_key_of_a_receipt_comes_from_the_argument(store: Store) -> None:
    memory_id = add(store, "green tea")
    target = BY_IDS([memory_id])
    token = store.plan_erasure(target, HERE).token
    receipt = store.erase(target, HERE, token, now_ms=NOW_MS, random_bytes=lambda size: b"k" * size)
    assert receipt.key == "6b" * 16


# By subject


_HOLDS: dict[str, dict[str, Any]] = {
    "speaker": {"speaker": "Ann Lee"},
    "title": {"title": "About Ann"},
    "tag": {"tags": ("work", "ann")},
    "quote": {"raw_quote": "so said ANN yesterday"},
    "key": {"semantic_key": "ann/port"},
    "scene": {"scene": "ann"},
    "domain": {"domain": "home of ann"},
    "document": {"document_id": "notes-ann-1"},
    "session": {"session_id": "ann-7"},
    "source": {"source": "ann@3"},
    "entity": {"entities": ("Ann",)},
    "longer entity": {"entities": ("Ann of the mill",)},
    "relation": {"relations": (Relation("Bob", "knows", "Ann"),)},
    "relation from": {"relations": (Relation("Ann", "knows", "Bob"),)},
    "predicate": {"relations": (Relation("Bob", "child of ann", "Cid"),)},
}


@pytest.mark.parametrize("where", sorted(_HOLDS))
def test_a_subject_is_found_where_it_is_said(store: Store, where: str) -> None:
    held = add(store, "the port is 1", **_HOLDS[where])
    foreign = add(store, "the port is 1", scope=ELSEWHERE, **_HOLDS[where])
    kept = add(store, "the annual plan of Hannah", speaker="Joann", tags=("annual",))
    plan = store.plan_erasure(BY_SUBJECT("Ann"), HERE)
    assert planned(plan) == {held}
    store.erase(BY_SUBJECT("Ann"), HERE, plan.token, now_ms=NOW_MS)
    assert gone(store, held)
    assert not gone(store, kept)
    assert not gone(store, foreign, (ELSEWHERE,))
    check(store)


@pytest.mark.parametrize("name", ["ann", "Ann", "ANN", " Ann "])
def test_a_subject_is_found_as_written_and_as_folded(store: Store, name: str) -> None:
    ids = {add(store, text) for text in ("ask Ann", "ann's desk", "ANN!")}
    add(store, "annual")
    assert planned(store.plan_erasure(BY_SUBJECT(name), HERE)) == ids


def test_a_subject_takes_the_memory_whose_earlier_wording_holds_it(store: Store) -> None:
    memory_id = add(store, "Ann set the port to 1")
    store.edit(memory_id, HERE, {"text": "the port is 1"}, now_ms=NOW_MS)
    (found,) = store.plan_erasure(BY_SUBJECT("Ann"), HERE).memories
    assert (found.id, found.wordings) == (memory_id, 1)
    erase(store, BY_SUBJECT("Ann"))
    assert store.count(view(known_ms=NOW_MS)) == 0


def test_a_subject_takes_the_answers_that_hold_it(store: Store) -> None:
    answers = {
        store.put_answer(scope, text, phrasings, now_ms=NOW_MS).id: scope
        for scope, text, phrasings in (
            (SCOPE, "Ann does", {"who": "Who?"}),
            (SCOPE, "yes", {"does ann": "Does she?"}),
            (SCOPE, "no", {"does he": "Does Ann's brother?"}),
            (SCOPE, "the annual plan", {"what": "What?"}),
            (ELSEWHERE, "Ann does", {"who": "Who?"}),
        )
    }
    plan = store.plan_erasure(BY_SUBJECT("Ann"), HERE)
    assert plan.answers == tuple(sorted(list(answers)[:3]))
    store.erase(BY_SUBJECT("Ann"), HERE, plan.token, now_ms=NOW_MS)
    assert store.find_answer(HERE, "who") is None
    assert store.find_answer(HERE, "does ann") is None
    assert store.find_answer(HERE, "does he") is None
    assert store.find_answer(HERE, "what") is not None
    assert store.find_answer((ELSEWHERE,), "who") is not None


def test_a_subject_leaves_no_learned_term_and_no_note_behind(store: Store, sql: Sql) -> None:
    kept, foreign = add(store, "the port is 1"), add(store, "the port is 2", scope=ELSEWHERE)
    for memory_id, scope in ((kept, SCOPE), (foreign, ELSEWHERE)):
        learned = ("desk", "ann", "lee")
        store.feedback(
            memory_id, "helped", (scope,), now_ms=NOW_MS, note="Ann Lee says", learned=learned
        )
        store.counter(memory_id, (scope,), now_ms=NOW_MS, source="ann lee", note="no")
        store.counter(memory_id, (scope,), now_ms=NOW_MS, source="bob", note="so Ann Lee")
    before = counted(store)
    receipt = erase(store, BY_SUBJECT("Ann Lee"))
    assert (receipt.counts["memory"], receipt.scrubbed) == (
        0,
        {"consumption": 1, "evidence": 3, "memory": 1, "run": 0},
    )
    assert store.fetch(kept, HERE).learned_terms == ("desk",)
    assert store.matching(view(), TermMatch({"": ("lee",)}, {}), 9) == []
    assert store.matching(view(), TermMatch({"": ("desk",)}, {}), 9) == [kept]
    told = sql(
        "SELECT evidence.kind, evidence.source, note FROM evidence JOIN memory ON seq = memory_seq "
        "WHERE memory.id = ? AND evidence.kind <> 'asserted' ORDER BY evidence.id",
        (kept,),
    )
    assert told == [("helped", None, None), ("countered", None, "no"), ("countered", "bob", None)]
    assert [each["note"] for each in store.trail(kept, HERE).consumption] == [None]
    assert store.fetch(foreign, (ELSEWHERE,)).learned_terms == ("desk", "ann", "lee")
    assert [each["note"] for each in store.trail(foreign, (ELSEWHERE,)).consumption] == ["Ann Lee says"]
    check(store)
    assert counted(store)["vectors"] == before["vectors"]
    after = counted(store)
    store.reindex(now_ms=NOW_MS)
    assert counted(store) == after


def test_a_withdrawn_memory_unlearns_without_being_counted_again(store: Store) -> None:
    kept = add(store, "the port is 1")
    store.feedback(kept, "helped", HERE, now_ms=NOW_MS, learned=("ann",))
    store.archive(kept, HERE, now_ms=NOW_MS)
    erase(store, BY_SUBJECT("ann"))
    assert store.fetch(kept, HERE).learned_terms == ()
    assert counted(store)["terms"] == []
    assert store.matching(view(known_ms=NOW_MS - 1), TermMatch({"": ("port",)}, {}), 9) == []


def test_a_subject_leaves_no_recall_that_was_asked_about_it(store: Store) -> None:
    kept = add(store, "the port is 1")
    words = {"terms": ("ann", "lee", "port"), "trace": "{}"}
    asked = store.record_run(run_of(kept, **words))
    nowhere = store.record_run(run_of(scopes=(Scope.project("unknown"),), **words))
    foreign = store.record_run(run_of(scopes=(_known(store),), **words))
    tagged = store.record_run(run_of(kept, trace=json.dumps({"tags": ["Ann Lee"]})))
    other = store.record_run(run_of(kept, terms=("ann", "port"), trace=json.dumps({"tags": ["ann"]})))
    assert erase(store, BY_SUBJECT("Ann Lee")).scrubbed["run"] == 3
    blank = [store.read_run(each).trace == "" for each in (asked, nowhere, foreign, tagged, other)]
    assert blank == [True, True, False, True, False]


def _known(store: Store) -> Scope:
    add(store, "something", scope=ELSEWHERE)
    return ELSEWHERE


def test_a_subject_that_nothing_holds_gives_an_empty_plan(store: Store) -> None:
    add(store, "green tea")
    plan = store.plan_erasure(BY_SUBJECT("oolong"), HERE)
    assert (plan.memories, plan.answers, sum(plan.counts.values())) == ((), (), 0)


# Whole scopes


def test_a_scope_goes_with_everything_and_its_name(store: Store, sql: Sql) -> None:
    person = Scope.project("Ann Lee of Mill Road")
    add(store, "the tea is hot", scope=person)
    add(store, "the tea is not hot", scope=person)
    add(store, "write to ann@example.org", scope=person)
    store.put_answer(person, "At five", {"when": "When?"}, now_ms=NOW_MS)
    (refused,) = store.add_many([Draft("password: hunter2hunter2", person)], now_ms=NOW_MS)
    assert isinstance(refused, SecretRefused)
    kept = add(store, "green tea")
    receipt = erase(store, WHOLE, (person,))
    assert (receipt.counts["memory"], receipt.counts["answer"], receipt.counts["scope"]) == (3, 1, 1)
    mine = sql("SELECT scope_id FROM memory WHERE id = ?", (kept,))[0][0]
    for table in ("memory", "answer", "phrasing", "review", "ledger", "memory_index", "term"):
        owners = sql(f"SELECT DISTINCT scope_id FROM {table} WHERE scope_id IS NOT NULL")
        assert owners in ([], [(mine,)])
    assert sql("SELECT count(*) FROM scope WHERE key LIKE '%Ann%'") == [(0,)]
    assert sql("SELECT action FROM ledger ORDER BY id") == [("created",), ("erased",)]
    assert store.plan_erasure(WHOLE, (person,)).memories == ()
    assert store.count(view(person)) == 0
    assert store.count(view()) == 1
    check(store)


def test_a_scope_told_of_again_begins_empty_and_sees_no_other(store: Store, open_store: Opener) -> None:
    other = open_store()  # another process
    add(store, "green tea", scope=ELSEWHERE)
    for each in (store, other):
        assert each.count(view(ELSEWHERE)) == 1  # and each knows its number now
    erase(store, WHOLE, (ELSEWHERE,))
    add(store, "black coffee", scope=Scope.project("carina"))  # takes no number that was used
    for each in (store, other):
        assert each.count(view(ELSEWHERE)) == 0
        assert each.plan_erasure(WHOLE, (ELSEWHERE,)).memories == ()
    again = add(store, "water", scope=ELSEWHERE)
    assert [each.id for each in store.latest(view(ELSEWHERE), 9)] == [again]
    assert {each.id for each in other.latest(view(ELSEWHERE), 9)} <= {again}


def test_recalls_that_asked_only_the_scope_go_and_others_forget_that_they_asked_it(
    store: Store, sql: Sql
) -> None:
    lost, kept = add(store, "green tea", scope=ELSEWHERE), add(store, "black coffee")
    words = {"terms": ("drink",), "detail": {"fused": 1}}
    trace = json.dumps({"scopes": [["project", "borealis"]]})
    only = store.record_run(run_of(lost, scopes=(ELSEWHERE,), trace=trace, **words))
    both = store.record_run(run_of(lost, kept, scopes=(SCOPE, ELSEWHERE), trace=trace, **words))
    without = store.record_run(run_of(kept, scopes=(SCOPE, ELSEWHERE), trace="{}", **words))
    named = store.record_run(run_of(kept, trace=trace, **words))
    other = store.record_run(run_of(kept, trace='{"scopes":[["project","atlas"]]}', **words))
    receipt = erase(store, WHOLE, (ELSEWHERE,))
    assert (receipt.counts["run"], receipt.scrubbed["run"]) == (1, 3)
    with pytest.raises(NotFoundError):
        store.read_run(only)
    for each in (both, without, named):
        run = store.read_run(each)
        assert (run.scopes, run.injected, run.trace, run.decisions[0].detail) == (HERE, (kept,), "", "")
    assert store.read_run(other).trace
    assert sql("SELECT id FROM run WHERE terms <> ''") == [(other,)]


def test_receipts_of_a_scope_outlive_it(store: Store, sql: Sql) -> None:
    memory_id = add(store, "green tea")
    add(store, "black coffee")
    first = erase(store, BY_IDS([memory_id]))
    second = erase(store, WHOLE)
    assert [each.id for each in store.erasures()] == [second.id, first.id]
    assert sql("SELECT DISTINCT scope_id FROM ledger") == [(None,)]
    assert second.counts["ledger"] == 1  # that black coffee came in
    check(store)


def test_several_scopes_go_at_once(store: Store) -> None:
    for scope in (SCOPE, ELSEWHERE, Scope.everywhere()):
        add(store, "green tea", scope=scope)
    erase(store, WHOLE, (SCOPE, ELSEWHERE))
    assert [store.count(view(each)) for each in (SCOPE, ELSEWHERE, Scope.everywhere())] == [0, 0, 1]


def test_of_a_memory_that_moved_on_a_scope_takes_the_wording_that_was_told_there(
    store: Store,
) -> None:
    memory_id = add(store, "green tea", scope=ELSEWHERE)
    store.edit(memory_id, (ELSEWHERE,), {"scope": SCOPE}, now_ms=NOW_MS)
    plan = store.plan_erasure(WHOLE, (ELSEWHERE,))
    assert (plan.memories, plan.wordings) == ((), (f"{memory_id}.1",))
    erase(store, WHOLE, (ELSEWHERE,))
    assert store.fetch(memory_id, HERE).text == "green tea"
    assert store.count(view(known_ms=NOW_MS)) == 1
    check(store)


def test_of_a_memory_that_moved_on_a_scope_takes_the_questions_that_were_asked_there(
    store: Store, sql: Sql
) -> None:
    memory_id = add(store, "write to ann@example.org", scope=ELSEWHERE)
    (question,) = store.reviews((ELSEWHERE,), now_ms=NOW_MS, limit=9)
    store.decide(question.id, "approve", question.token, (ELSEWHERE,), now_ms=NOW_MS)
    store.edit(memory_id, (ELSEWHERE,), {"scope": SCOPE}, now_ms=NOW_MS)
    assert erase(store, WHOLE, (ELSEWHERE,)).counts["review"] == 1
    assert sql("SELECT * FROM review") == []
    assert not gone(store, memory_id)
    check(store)


def test_of_a_memory_that_moved_on_a_subject_takes_the_wording_that_holds_it(store: Store) -> None:
    memory_id = add(store, "Ann likes green tea", scope=ELSEWHERE)
    store.edit(memory_id, (ELSEWHERE,), {"scope": SCOPE, "text": "somebody likes tea"}, now_ms=NOW_MS)
    plan = store.plan_erasure(BY_SUBJECT("Ann"), (ELSEWHERE,))
    assert (plan.memories, plan.wordings) == ((), (f"{memory_id}.1",))
    erase(store, BY_SUBJECT("Ann"), (ELSEWHERE,))
    assert store.fetch(memory_id, HERE).text == "somebody likes tea"


def test_a_subject_takes_a_memory_that_was_told_elsewhere_by_its_name(store: Store) -> None:
    memory_id = add(store, "Ann likes green tea", scope=ELSEWHERE)
    store.edit(memory_id, (ELSEWHERE,), {"scope": SCOPE, "text": "somebody likes tea"}, now_ms=NOW_MS)
    (found,) = store.plan_erasure(BY_SUBJECT("Ann"), HERE).memories
    assert (found.id, found.wordings) == (memory_id, 1)


def test_a_memory_that_moved_here_takes_its_earlier_wordings_along(store: Store, sql: Sql) -> None:
    memory_id = add(store, "green tea", scope=ELSEWHERE)
    store.edit(memory_id, (ELSEWHERE,), {"scope": SCOPE}, now_ms=NOW_MS)
    (found,) = store.plan_erasure(BY_IDS([memory_id]), HERE).memories
    assert found.wordings == 1
    erase(store, BY_IDS([memory_id]))
    assert sql("SELECT count(*) FROM memory") == [(0,)]
    check(store)


# Nothing else


_WORDS = ["tea", "coffee", "Zephyr", "Boreas", "green", "42", "hot", "late"]
_DRAFTS = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.lists(st.sampled_from(_WORDS), min_size=1, max_size=4).map(" ".join),
            "scope": st.sampled_from([SCOPE, ELSEWHERE]),
            "speaker": st.sampled_from([None, "Zephyr", "Cid"]),
            "tags": st.sampled_from([(), ("hot",), ("hot", "late")]),
            "title": st.sampled_from([None, "Boreas", "On tea"]),
            "pinned": st.booleans(),
            "layer": st.sampled_from(["world", "belief"]),
            "kind": st.sampled_from(["fact", "turn"]),
            "scene": st.sampled_from([None, "shop"]),
            "age_days": st.integers(0, 5),
            "relations": st.sampled_from([(), (Relation("Zephyr", "knows", "Boreas"),)]),
        }
    ),
    min_size=1,
    max_size=12,
)


def answers(store: Store) -> dict[str, Any]:
    """What every candidate query says; relations by name, for a number depends on what came before."""
    found: dict[str, Any] = {}
    query = PlainIndexer().embed("tea Zephyr hot")
    match = TermMatch({"": ("tea", "zephyr", "42")}, {})
    names = ["zephyr", "boreas", "cid", "on tea"]
    for scopes in ((SCOPE,), (ELSEWHERE,), (SCOPE, ELSEWHERE)):
        shown = view(*scopes)
        entities = store.entities_named(names)
        found[str(scopes)] = [
            store.count(shown),
            store.keyword(shown, match, 99),
            store.matching(shown, match, 99),
            store.substring(shown, "tea", "tea", 99),
            [(hit.id, hit) for hit in store.nearest(shown, query, 99)],
            store.latest(shown, 99),
            store.created_window(shown, 0, NOW_MS, 99),
            store.event_window(shown, 0, NOW_MS, 99),
            store.pinned(shown, 99),
            store.beliefs(shown, 99),
            store.scenes(shown),
            store.term_statistics(shown, ["tea", "zephyr", "hot"]),
            [
                (
                    name,
                    store.entity_name(entities[name]).lower(),
                    sorted(
                        (each.id, each.role) for each in store.mentions_of(shown, entities[name], 99)
                    ),
                    sorted(each.id for each in store.relations_at(shown, entities[name], 99)),
                )
                for name in names
                if name in entities
            ],
            {
                each: _plain(record)
                for each, record in store.records(
                    shown, [hit.id for hit in store.latest(shown, 99)]
                ).items()
            },
        ]
    statistics = store.vector_statistics()
    return found | {
        "vectors": (statistics.documents, statistics.df.tolist()),
        "counted": counted(store),
    }


def _plain(record: Record) -> list[Any]:
    return [getattr(record, name) for name in Record.__slots__]


@settings(deadline=None, max_examples=25)
@given(drafts=_DRAFTS, chosen=st.sets(st.integers(0, 11)))
def test_what_stays_answers_as_if_nothing_else_had_ever_been(
    tmp_path_factory: pytest.TempPathFactory, drafts: list[dict[str, Any]], chosen: set[int]
) -> None:
    folder = tmp_path_factory.mktemp("erase")
    with_all = Store.open(folder / "all.db", PlainIndexer())
    without = Store.open(folder / "without.db", PlainIndexer())
    try:
        ids = [add(with_all, **each) for each in drafts]
        lost = {ids[place] for place in chosen if place < len(ids)}
        for memory_id, each in zip(ids, drafts, strict=True):
            if memory_id not in lost:
                add(without, **each)
        if lost:
            erase(with_all, BY_IDS(sorted(lost)), (SCOPE, ELSEWHERE))
        assert answers(with_all) == answers(without)
        check(with_all)
    finally:
        with_all.close()
        without.close()


@settings(deadline=None, max_examples=10)
@given(drafts=_DRAFTS)
def test_erasing_a_scope_changes_no_answer_of_another(
    tmp_path_factory: pytest.TempPathFactory, drafts: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("erase")
    store = Store.open(folder / "all.db", PlainIndexer())
    without = Store.open(folder / "without.db", PlainIndexer())
    try:
        for each in drafts:
            add(store, **each)
            if each["scope"] == SCOPE:
                add(without, **each)
        erase(store, WHOLE, (ELSEWHERE,))
        mine = str((SCOPE,))
        assert answers(store)[mine] == answers(without)[mine]
        assert store.count(view(ELSEWHERE)) == 0
        check(store)
    finally:
        store.close()
        without.close()


def test_a_question_goes_on_about_the_older_sides_that_stay(store: Store) -> None:
    gone = add(store, "deployment is allowed", age_days=9)
    stays = add(store, "deployment is allowed", age_days=9, speaker="Ada")
    new = add(store, "deployment is not allowed")
    (review,) = store.reviews(HERE, now_ms=NOW_MS, limit=9)
    assert [each.id for each in review.against] == sorted((gone, stays))
    erase(store, BY_IDS([gone]))
    (left,) = store.reviews(HERE, now_ms=NOW_MS, limit=9)
    assert (left.kind, left.memory.id) == (review.kind, new)
    assert [each.id for each in left.against] == [stays]
    assert store.contested(view(), [stays]) == {stays: new}
