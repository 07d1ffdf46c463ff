"""Is the whole past of a memory told, each fact once, and nothing of what may not be seen?"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.errors import MemweirError, NotFoundError, RefusedError
from memweir.store.annals import MOST_LINKED, MOST_WORDINGS
from memweir.store.audit import Run
from memweir.store.history import (
    ELSEWHERE,
    HAPPENINGS,
    MOST_EVENTS,
    Annals,
    History,
    Line,
    Proof,
    Wording,
    tell,
)
from memweir.store.records import Draft, Stored, to_ms
from memweir.store.scopes import Scope
from memweir.store.sqlite import SqliteStore
from memweir.testing import NOW, SCOPE, PlainIndexer

OTHER = Scope.project("borealis")
BOTH = (SCOPE, OTHER)
HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS

Sql = Callable[..., list[tuple[Any, ...]]]


def at(hour: int) -> int:
    """So many hours after the tests' now, 12:00 UTC."""
    return to_ms(NOW) + hour * HOUR_MS


def add(store: SqliteStore, text: str, hour: int, *, scope: Scope = SCOPE, **fields: Any) -> str:
    return put(store, Draft(text, scope, **fields), hour).id


def put(store: SqliteStore, draft: Draft, hour: int) -> Stored:
    [stored] = store.add_many([draft], now_ms=at(hour))
    assert isinstance(stored, Stored), stored
    return stored


def give(store: SqliteStore, ids: Sequence[str], hour: int, *scopes: Scope) -> int:
    """A recall that gave the memories to a prompt."""
    run = Run(at(hour), "hash", scopes or (SCOPE,), "assist", (), tuple(ids))
    return store.record_run(run)


def answer(store: SqliteStore, decision: str, hour: int, *scopes: Scope) -> str:
    """Decide the oldest open question; its id."""
    [review, *_] = store.reviews(scopes or (SCOPE,), now_ms=at(hour), limit=10)
    store.decide(review.id, decision, review.token, scopes or (SCOPE,), now_ms=at(hour))
    return review.id


def lines(history: History, memory_id: str | None = None) -> list[tuple[int, str, str]]:
    """(hour, what, detail) of the events, those of one memory where one is given."""
    return [
        ((each.at_ms - at(0)) // HOUR_MS, each.what, each.detail)
        for each in history.events
        if memory_id in (None, each.memory_id)
    ]


def chain(history: History) -> list[str]:
    return [each.record.id for each in history.chain]


# What is told


def test_a_memory_that_was_only_told_has_one_chapter_and_two_events(store: SqliteStore) -> None:
    told = add(store, "tea", 0, source="s1@4")
    history = store.history(told, (SCOPE,))
    assert history.id == told
    assert chain(history) == [told]
    assert history.chain[0].wordings == ()
    assert history.group == ()
    assert history.cut is False
    assert lines(history) == [(0, "told", "s1@4"), (0, "believed-from", "")]


def test_ledger_evidence_and_reports_tell_of_one_fact_once(store: SqliteStore) -> None:
    told = add(store, "tea", 0)
    add(store, "tea", 1, source="s2@9")
    store.feedback(told, "helped", (SCOPE,), now_ms=at(2), note="right", run_id=7)
    store.feedback(told, "harmful", (SCOPE,), now_ms=at(3))
    store.feedback(told, "stale", (SCOPE,), now_ms=at(4))
    store.feedback(told, "conflict", (SCOPE,), now_ms=at(5))
    store.feedback(told, "unknown", (SCOPE,), now_ms=at(6), note="who knows")
    store.counter(told, (SCOPE,), now_ms=at(7), source="s3@1", note="coffee on the desk")
    store.counter(told, (SCOPE,), now_ms=at(8), source="s3@1")  # the same place counts once
    assert lines(store.history(told, (SCOPE,))) == [
        (0, "told", ""),
        (0, "believed-from", ""),
        (1, "repeated", "s2@9"),
        (2, "helped", "right; recall 7"),
        (3, "harmful", ""),
        (4, "stale", ""),
        (5, "conflict", ""),
        (6, "unknown", "who knows"),
        (7, "countered", "s3@1; coffee on the desk"),
    ]


def test_two_equal_reports_of_one_moment_are_two_events_with_their_own_notes(
    store: SqliteStore,
) -> None:
    told = add(store, "tea", 0)
    for note in ("one", "two"):
        store.feedback(told, "helped", (SCOPE,), now_ms=at(1), note=note)
    assert lines(store.history(told, (SCOPE,)))[2:] == [(1, "helped", "one"), (1, "helped", "two")]


def test_withdrawing_and_bringing_back_are_acts_and_ends_of_belief(store: SqliteStore) -> None:
    told = add(store, "tea", 0)
    store.archive(told, (SCOPE,), now_ms=at(1))
    store.restore(told, (SCOPE,), now_ms=at(2))
    store.forget(told, (SCOPE,), now_ms=at(3))
    assert lines(store.history(told, (SCOPE,))) == [
        (0, "told", ""),
        (0, "believed-from", ""),
        (1, "archived", ""),
        (1, "believed-until", ""),
        (2, "restored", ""),
        (2, "believed-from", ""),
        (3, "forgotten", ""),
        (3, "believed-until", ""),
    ]


def test_an_edit_is_one_event_that_says_what_changed_and_no_break_of_belief(
    store: SqliteStore,
) -> None:
    told = add(store, "tea", 0, tags=("drink",))
    store.edit(told, (SCOPE,), {"text": "green tea", "tags": ("drink", "warm")}, now_ms=at(1))
    store.edit(told, (SCOPE,), {"title": "drinks"}, now_ms=at(2))
    store.edit(told, (SCOPE,), {"pinned": True}, now_ms=at(3))
    history = store.history(told, (SCOPE,))
    assert lines(history) == [
        (0, "told", ""),
        (0, "believed-from", ""),
        (1, "edited", "text, tags"),
        (2, "edited", "title"),
        (3, "adjusted", ""),
    ]
    [chapter] = history.chain
    assert [(each.text, each.title) for each in chapter.wordings] == [
        ("tea", None),
        ("green tea", None),
    ]
    assert (chapter.record.text, chapter.record.title) == ("green tea", "drinks")
    assert {each.version_of for each in chapter.wordings} == {told}


def test_of_edits_while_it_waited_and_after_each_says_what_it_changed(store: SqliteStore) -> None:
    told = put(store, Draft("mail me at ada@example.org", SCOPE), 0).id
    store.edit(told, (SCOPE,), {"title": "mail"}, now_ms=at(1))  # never believed: no wording is kept
    answer(store, "approve", 2)
    store.edit(told, (SCOPE,), {"text": "mail me at work"}, now_ms=at(3))
    store.archive(told, (SCOPE,), now_ms=at(4))
    store.restore(told, (SCOPE,), now_ms=at(5))
    store.edit(told, (SCOPE,), {"scene": "work"}, now_ms=at(6))
    history = store.history(told, (SCOPE,))
    edits = [each for each in lines(history) if each[1] == "edited"]
    assert edits == [(1, "edited", ""), (3, "edited", "text"), (6, "edited", "scene")]
    assert [each.text for each in history.chain[0].wordings] == [
        "mail me at ada@example.org",
        "mail me at work",
    ]


def test_another_text_under_a_document_id_is_an_edit_with_its_source(store: SqliteStore) -> None:
    told = add(store, "port 22", 0, document_id="d")
    assert add(store, "port 80", 1, document_id="d", source="s2@1") == told
    history = store.history(told, (SCOPE,))
    assert (1, "edited", "text; s2@1") in lines(history)
    assert [each.text for each in history.chain[0].wordings] == ["port 22"]


def test_validity_is_told_where_it_is_another_moment_than_the_telling(store: SqliteStore) -> None:
    old = add(store, "port 22", 0, valid_at=NOW.replace(hour=3))  # nine hours before
    new = add(store, "port 80", 5, supersedes=old, valid_at=NOW.replace(hour=14))  # two after
    history = store.history(old, (SCOPE,))
    assert lines(history, old) == [
        (-9, "valid-from", ""),
        (0, "told", ""),
        (0, "believed-from", ""),
        (2, "valid-until", ""),
        (5, "superseded", new),
    ]
    assert lines(history, new) == [(2, "valid-from", ""), (5, "told", ""), (5, "believed-from", "")]


def test_what_waits_is_asked_decided_and_believed_only_then(store: SqliteStore) -> None:
    old = add(store, "port is 22", 0, semantic_key="port")
    new = put(store, Draft("port is 80", SCOPE, semantic_key="port"), 1)
    assert new.status == "quarantined"
    review = answer(store, "replace", 2)
    history = store.history(new.id, (SCOPE,))
    assert chain(history) == [old, new.id]
    assert lines(history, new.id) == [
        (1, "told", ""),
        (1, "asked", f"key; about {old}; {review}"),
        (2, "decided", f"replace; key; {review}"),
        (2, "believed-from", ""),
    ]
    # It held until the newer one began to, whenever that was decided.
    assert lines(history, old) == [
        (0, "told", ""),
        (0, "believed-from", ""),
        (1, "valid-until", ""),
        (2, "archived", ""),
        (2, "believed-until", ""),
    ]


def test_a_question_names_its_rule_and_one_that_became_void_lapses(store: SqliteStore) -> None:
    told = put(store, Draft("mail me at ada@example.org", SCOPE), 0)
    [review] = told.reviews
    store.edit(told.id, (SCOPE,), {"text": "mail me at work"}, now_ms=at(1))
    found = lines(store.history(told.id, (SCOPE,)))
    assert found[0] == (0, "told", "")
    assert found[1][:2] == (0, "asked")
    assert found[1][2].startswith("personal-data; ")
    assert found[1][2].endswith(f"; {review}")
    assert found[2:] == [
        (1, "lapsed", f"personal-data; {review}"),
        (1, "edited", ""),
        (1, "believed-from", ""),
    ]


def test_memories_side_by_side_are_a_group_and_no_chain(store: SqliteStore) -> None:
    one = add(store, "port is 22", 0, semantic_key="port")
    two = put(store, Draft("port is 80", SCOPE, semantic_key="port"), 1).id
    review = answer(store, "coexist", 2)
    history = store.history(one, (SCOPE,))
    assert chain(history) == [one]
    assert [each.id for each in history.group] == [two]
    # The question was about this one too.
    assert (1, "asked", f"key; about {two}; {review}") in lines(history)
    assert (2, "decided", f"coexist; key; {review}") in lines(history)
    assert [each[:2] for each in lines(history) if each[1] == "grouped"] == [(2, "grouped")]


def test_recalls_are_counted_by_day_and_only_those_that_gave_it(store: SqliteStore) -> None:
    told, other = add(store, "tea", 0), add(store, "coffee", 0)
    for hour in (1, 2, 11, 12, 40):  # 13:00, 14:00 and 23:00 of one day, then 00:00, then a day after
        give(store, [told], hour)
    give(store, [other], 3)
    found = [each for each in lines(store.history(told, (SCOPE,))) if each[1] == "recalled"]
    assert found == [(1, "recalled", "3 times"), (12, "recalled", "once"), (40, "recalled", "once")]


def test_what_a_rule_forbade_is_told(store: SqliteStore) -> None:
    told = add(store, "tea", 0)
    forbidden = Draft("coffee", SCOPE, supersedes=told, provenance="tool")
    [result] = store.add_many([forbidden], now_ms=at(1))
    assert isinstance(result, RefusedError)
    found = lines(store.history(told, (SCOPE,)))
    assert (1, "refused", "supersede; human-loser-protected") in found


# The chain


def test_a_chain_is_followed_both_ways_oldest_first(store: SqliteStore) -> None:
    first = add(store, "port 22", 0)
    second = add(store, "port 80", 1, supersedes=first)
    third = add(store, "port 443", 2, supersedes=second)
    for each in (first, second, third):
        history = store.history(each, (SCOPE,))
        assert chain(history) == [first, second, third]
        assert [(each.replaces, each.replaced_by) for each in history.chain] == [
            ((), (second,)),
            ((first,), (third,)),
            ((second,), ()),
        ]


def test_several_that_one_memory_superseded_are_all_in_its_chain(store: SqliteStore) -> None:
    one, two = add(store, "port 22", 0), add(store, "port 23", 1)
    new = add(store, "port 80", 2, supersedes=one)
    add(store, "port 80", 3, supersedes=two)
    history = store.history(one, (SCOPE,))
    assert chain(history) == [one, two, new]
    assert set(history.chain[-1].replaces) == {one, two}


def test_told_in_one_moment_what_superseded_comes_after(store: SqliteStore) -> None:
    ids = [add(store, "port 0", 0)]
    for number in range(1, 12):
        ids.append(add(store, f"port {number}", 0, supersedes=ids[-1]))
    assert chain(store.history(ids[5], (SCOPE,))) == ids


def test_a_chain_that_goes_in_a_circle_ends(store: SqliteStore) -> None:
    one = add(store, "port 22", 0)
    two = add(store, "port 80", 1, supersedes=one)
    store.archive(two, (SCOPE,), now_ms=at(2))
    store.restore(one, (SCOPE,), now_ms=at(3))  # it holds again; the other still says it superseded it
    store.restore(two, (SCOPE,), now_ms=at(4))
    add(store, "port 22", 5, supersedes=two)
    history = store.history(one, (SCOPE,))
    assert chain(history) == [one, two]
    assert [(each.replaces, each.replaced_by) for each in history.chain] == [
        ((two,), ()),  # it holds again: nothing has replaced it
        ((), (one,)),
    ]


def test_what_was_superseded_and_holds_again_still_tells_by_what(store: SqliteStore) -> None:
    one = add(store, "port 22", 0)
    two = add(store, "port 80", 1, supersedes=one)
    store.archive(two, (SCOPE,), now_ms=at(2))
    store.restore(one, (SCOPE,), now_ms=at(3))
    for each in (one, two):
        history = store.history(each, (SCOPE,))
        assert chain(history) == [one, two]
        assert (1, "superseded", two) in lines(history, one)
    assert store.fetch(one, (SCOPE,)).superseded_by is None


def test_a_row_that_says_it_superseded_itself_is_told_once(store: SqliteStore, sql: Sql) -> None:
    told = add(store, "tea", 0)
    sql("UPDATE memory SET supersedes = id, superseded_by = id, invalid_at = 0 WHERE id = ?", (told,))
    assert chain(store.history(told, (SCOPE,))) == [told]


# Isolation


def everything(history: History) -> str:
    return repr(history)


def test_a_memory_of_another_scope_has_no_history_here(store: SqliteStore) -> None:
    told = add(store, "tea", 0)
    for wrong, scopes in ((told, (OTHER,)), ("mem_nobody", BOTH), (f"{told}.1", BOTH)):
        with pytest.raises(NotFoundError):
            store.history(wrong, scopes)
    store.edit(told, (SCOPE,), {"text": "green tea"}, now_ms=at(1))
    with pytest.raises(NotFoundError):  # its earlier wording is no memory of its own
        store.history(f"{told}.1", (SCOPE,))


def test_a_linked_memory_that_was_moved_away_is_another_scope(store: SqliteStore) -> None:
    first = add(store, "port 22", 0)
    second = add(store, "port 80", 1, supersedes=first)
    third = add(store, "port 443", 2, supersedes=second)
    store.edit(second, (SCOPE,), {"scope": OTHER}, now_ms=at(3))
    history = store.history(first, (SCOPE,))
    assert chain(history) == [first]
    assert history.chain[0].record.superseded_by == ELSEWHERE
    assert history.chain[0].replaced_by == (ELSEWHERE,)
    assert (1, "superseded", ELSEWHERE) in lines(history)
    assert second not in everything(history)
    assert "port 80" not in everything(history)
    history = store.history(third, (SCOPE,))
    assert history.chain[0].record.supersedes == ELSEWHERE
    assert history.chain[0].replaces == (ELSEWHERE,)
    assert second not in everything(history)
    assert chain(store.history(first, BOTH)) == [first, second, third]


def test_what_came_from_another_scope_keeps_its_past_there_to_itself(store: SqliteStore) -> None:
    told = add(store, "the vault is behind the mill", 0)
    store.feedback(told, "harmful", (SCOPE,), now_ms=at(1), note="said by Grace")
    store.feedback(told, "unknown", (SCOPE,), now_ms=at(1), note="said by Bo")
    give(store, [told], 2)
    store.edit(told, (SCOPE,), {"text": "the mill stands still", "scope": OTHER}, now_ms=at(3))
    store.feedback(told, "unknown", (OTHER,), now_ms=at(4), note="seen")
    give(store, [told], 5, OTHER)
    history = store.history(told, (OTHER,))
    assert [each for each in lines(history) if each[1] != "valid-from"] == [
        (3, "edited", f"moved from {ELSEWHERE}"),
        (3, "believed-from", ""),
        (4, "unknown", "seen"),
        (5, "recalled", "once"),
    ]
    assert history.chain[0].wordings == ()
    for private in ("vault", "Grace", "Bo", str(SCOPE)):
        assert private not in everything(history), private
    both = store.history(told, BOTH)
    assert (3, "edited", f"text; moved from {SCOPE}") in lines(both)
    assert [each.text for each in both.chain[0].wordings] == ["the vault is behind the mill"]
    assert (1, "harmful", "said by Grace") in lines(both)
    with pytest.raises(NotFoundError):
        store.history(told, (SCOPE,))


def test_what_went_and_came_back_is_told_without_what_happened_elsewhere(store: SqliteStore) -> None:
    told = add(store, "tea", 0)
    store.edit(told, (SCOPE,), {"scope": OTHER}, now_ms=at(1))
    store.feedback(told, "unknown", (OTHER,), now_ms=at(2), note="elsewhere")
    give(store, [told], 3, OTHER)
    store.edit(told, (OTHER,), {"scope": SCOPE}, now_ms=at(4))
    store.feedback(told, "unknown", (SCOPE,), now_ms=at(5), note="here")
    history = store.history(told, (SCOPE,))
    assert lines(history) == [
        (0, "told", ""),
        (0, "believed-from", ""),
        (1, "believed-until", ""),
        (4, "edited", f"moved from {ELSEWHERE}"),
        (4, "believed-from", ""),
        (5, "unknown", "here"),
    ]
    assert str(OTHER) not in everything(history)


def test_the_other_side_of_a_question_that_was_moved_away_is_not_named(store: SqliteStore) -> None:
    one = add(store, "deploys are allowed", 0)
    two = put(store, Draft("deploys are not allowed", SCOPE), 1)
    assert len(two.reviews) == 1
    answer(store, "dismiss", 2)
    store.edit(two.id, (SCOPE,), {"scope": OTHER}, now_ms=at(3))
    history = store.history(one, (SCOPE,))
    assert (1, "asked", f"contradiction; about {ELSEWHERE}; {two.reviews[0]}") in lines(history)
    assert two.id not in everything(history)


# Bounds


def test_of_a_long_chain_the_nearest_are_told_and_that_there_are_more(store: SqliteStore) -> None:
    ids = [add(store, "port 0", 0)]
    for number in range(1, MOST_LINKED + 10):
        ids.append(add(store, f"port {number}", number, supersedes=ids[-1]))
    history = store.history(ids[0], (SCOPE,))
    assert chain(history) == ids[:MOST_LINKED]
    assert history.cut is True
    assert store.history(ids[-1], (SCOPE,)).cut is True


def test_of_many_wordings_the_newest_are_told_and_that_there_are_more(store: SqliteStore) -> None:
    told = add(store, "take 0", 0)
    for number in range(1, MOST_WORDINGS + 1):
        store.edit(told, (SCOPE,), {"text": f"take {number}"}, now_ms=at(number))
    history = store.history(told, (SCOPE,))
    assert len(history.chain[0].wordings) == MOST_WORDINGS
    assert history.cut is False
    store.edit(told, (SCOPE,), {"text": "the last take"}, now_ms=at(100))
    history = store.history(told, (SCOPE,))
    assert history.chain[0].wordings[0].text == "take 1"
    assert len(history.chain[0].wordings) == MOST_WORDINGS
    assert history.cut is True


def test_of_many_events_the_newest_are_told(store: SqliteStore) -> None:
    told = add(store, "tea", 0)
    for number in range(MOST_EVENTS):
        store.feedback(told, "unknown", (SCOPE,), now_ms=at(number + 1), note=str(number))
    history = store.history(told, (SCOPE,))
    assert len(history.events) == MOST_EVENTS
    assert history.cut is True
    assert lines(history)[0] == (1, "unknown", "0")
    assert lines(history)[-1] == (MOST_EVENTS, "unknown", str(MOST_EVENTS - 1))


def test_days_before_1970_are_days(store: SqliteStore) -> None:
    told = add(store, "tea", 0)
    for moment in (-1, -DAY_MS, -DAY_MS - 1):
        store.record_run(Run(moment, "hash", (SCOPE,), "assist", (), (told,)))
    events = store.history(told, (SCOPE,)).events
    # -1 and -86 400 000 are the last and the first millisecond of 31 December 1969.
    assert [(each.at_ms, each.detail) for each in events if each.what == "recalled"] == [
        (-DAY_MS - 1, "once"),
        (-DAY_MS, "2 times"),
    ]


# Whatever happened


def test_a_line_of_a_newer_ledger_is_told_in_its_own_word(store: SqliteStore) -> None:
    told = add(store, "tea", 0)
    record = store.fetch(told, (SCOPE,))
    annals = Annals(
        memory_id=told,
        wordings={told: (Wording(1, told, record, True),)},
        links=(),
        known={told: True, "mem_hidden": False},
        evidence=(Proof(1, "reflected", at(1), "", "from three turns"),),
        ledger=(Line(9, at(2), "promoted", told, "three-times", "mem_hidden"),),
    )
    assert lines(tell(annals))[-2:] == [
        (1, "reflected", "from three turns"),
        (2, "promoted", f"{ELSEWHERE}; three-times"),
    ]
    assert {"reflected", "promoted"} & set(HAPPENINGS) == set()


_ACTS = st.sampled_from(
    [
        *("add", "add", "supersede", "edit", "move", "decide", "archive", "forget", "restore"),
        *("help", "counter", "give"),
    ]
)


@settings(deadline=None, max_examples=40)
@given(
    acts=st.lists(st.tuples(_ACTS, st.integers(0, 11), st.booleans()), min_size=4, max_size=25),
    still=st.booleans(),
)
def test_whatever_happens_history_is_in_order_told_once_and_of_the_scopes_asked(
    acts: list[tuple[str, int, bool]], still: bool
) -> None:
    with tempfile.TemporaryDirectory(prefix="memweir-") as folder:
        store = SqliteStore.open(Path(folder) / "memory.db", PlainIndexer(dim=32))
        ids: list[str] = []
        for hour, (act, number, flag) in enumerate(acts):
            _act(store, ids, act, number, flag, 0 if still else hour)
        everywhere = {each: store.fetch(each, BOTH) for each in dict.fromkeys(ids)}
        for memory_id, record in everywhere.items():
            both = store.history(memory_id, BOTH)
            _check(both)
            assert all(
                set(chain(store.history(each, BOTH))) == set(chain(both)) for each in chain(both)
            )
            seen = store.history(memory_id, (record.scope,))
            _check(seen)
            shown = everything(seen)
            rows = [row for each in both.chain for row in (each.record, *each.wordings)]
            own = {each.text for each in (*rows, *both.group) if each.scope == record.scope}
            for other, elsewhere in everywhere.items():
                if elsewhere.scope != record.scope:
                    assert other not in shown
                    assert elsewhere.text in own or repr(elsewhere.text) not in shown
            assert all(
                row.scope == record.scope or row.text in own or repr(row.text) not in shown
                for row in rows
            )
            known = Counter((each.at_ms, each.what, each.memory_id) for each in both.events)
            more = Counter((each.at_ms, each.what, each.memory_id) for each in seen.events) - known
            # Belief begins anew where a memory comes from another scope, as far as is seen from here;
            # a question may be told of the side that is seen.
            assert {what for _, what, _ in more} <= {
                *("believed-from", "believed-until", "valid-from", "asked", "decided", "lapsed"),
                "recalled",
            }
        store.close()


def _act(store: SqliteStore, ids: list[str], act: str, number: int, flag: bool, hour: int) -> None:
    scope = OTHER if flag else SCOPE
    some = ids[number % len(ids)] if ids else "mem_none"
    moment = at(hour)
    try:
        if act in ("add", "supersede"):
            keyed = {"semantic_key": "port"} if number % 3 == 0 else {}
            replaced = {"supersedes": some} if act == "supersede" else {}
            text = f"{scope.key} says {'not ' if number % 2 else ''}port {number // 4}"
            found = store.add_many([Draft(text, scope, **keyed, **replaced)], now_ms=moment)
            ids += [each.id for each in found if isinstance(each, Stored)]
        elif act == "edit":
            store.edit(some, BOTH, {"text": f"edited at {number} of {hour}"}, now_ms=moment)
        elif act == "move":
            store.edit(some, BOTH, {"scope": scope}, now_ms=moment)
        elif act == "help":
            store.feedback(some, "helped" if flag else "unknown", BOTH, now_ms=moment)
        elif act == "decide":
            [review, *_] = store.reviews(BOTH, now_ms=moment, limit=5) or [None]
            if review is not None:
                decision = review.decisions[number % len(review.decisions)]
                store.decide(review.id, decision, review.token, BOTH, now_ms=moment)
        elif act == "give":
            give(store, [some] if ids else [], hour, *BOTH)
        else:
            getattr(store, act)(some, BOTH, now_ms=moment)
    except MemweirError:
        pass  # refused: nothing happened


def _check(history: History) -> None:
    assert history.cut is False
    moments = [each.at_ms for each in history.events]
    assert moments == sorted(moments)
    assert {each.what for each in history.events} <= set(HAPPENINGS)
    assert {each.memory_id for each in history.events} <= set(chain(history))
    assert len(set(chain(history))) == len(history.chain)
    for chapter in history.chain:
        for each in (*chapter.replaces, *chapter.replaced_by):
            assert each in (*chain(history), ELSEWHERE)


_SAME = {
    "created": "told",
    "confirmed": "repeated",
    "edited": "edited",
    "superseded": "superseded",
    "countered": "countered",
    "archived": "archived",
    "forgotten": "forgotten",
    "restored": "restored",
    "adjusted": "adjusted",
    "review-withdrawn": "lapsed",
}


def _check_once(store: SqliteStore, history: History) -> None:
    """As many events as the ledger has lines of it, although other tables tell the same."""
    ledger: Counter[str] = Counter()
    for line in store.happened(BOTH, 0, 10_000)[0]:
        if line.memory_id in chain(history):
            reported = line.action == "feedback"
            ledger[line.detail if reported else _SAME.get(line.action, line.action)] += 1
    told = Counter(each.what for each in history.events)
    for what in (*_SAME.values(), "helped", "unknown"):
        if what != "lapsed":
            assert told[what] == ledger[what], what
    # A question is told to either side; the ledger tells it of the newer one.
    for what, action in (("asked", "review-asked"), ("lapsed", "lapsed")):
        assert told[what] >= ledger[action], what
