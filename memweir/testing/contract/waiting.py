"""What waits for a person before it may be recalled? Other values of a key, and personal data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memweir.store.reads import TermStatistics
from memweir.store.records import Relation
from memweir.testing.builders import NOW, SCOPE, draft, view
from memweir.testing.contract.base import (
    EVERY_QUERY,
    HOUR_MS,
    NOW_MS,
    OTHER,
    PHONE,
    ContractBase,
    actions_of,
    add,
    add_one,
    answered,
    any_of,
    asked,
    in_days,
)

__all__ = ["WaitingContract"]

_KEY = "bird.home"


class WaitingContract(ContractBase):
    """Part of `StoreContract`."""

    # A person's data under its label

    def test_a_number_alone_is_a_persons_under_a_label_that_says_so(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            told = (
                draft("4155550111", title="phone"),
                draft("4155550112", semantic_key="手机"),
                draft("of the house", title="手机", raw_quote="4155550113"),
                draft("standup notes", scene="call 13800138000"),
            )
            for each in told:
                assert add(store, each)[0].status == "quarantined", each
            for each in (draft("4155550115", title="order"), draft("4155550114")):
                assert add(store, each)[0].status == "active", each

    # Other values of one key

    def test_a_second_value_of_a_key_waits_for_a_person_and_no_query_finds_it(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            first = add(store, self.everywhere(semantic_key=_KEY))[0].id
            told = self.everywhere("kestrel lives in the south", semantic_key=_KEY)
            second = add(store, told)[0]
            assert (second.outcome, second.status) == ("created", "quarantined")
            assert store.fetch(second.id, (SCOPE,)).status == "quarantined"
            later = NOW_MS + HOUR_MS
            views = (
                view(),
                view(include_history=True),
                view(as_of=NOW, point_in_time=True),
                view(known_ms=later),
                view(known_ms=later, include_history=True),
            )
            for shown in views:
                assert self.found_by(store, second.id, "kestrel", "south", shown=shown) == set()
                assert store.count(shown) == 1
            assert store.similarity(self.embed("kestrel"), [second.id]) == {}
            assert store.term_statistics(view(), ["south"]) == TermStatistics(1, {})
            assert self.found_by(store, first, "kestrel") == EVERY_QUERY  # the older one holds
            assert actions_of(store, second.id) == ["created", "quarantined", "review-asked"]

    def test_the_question_about_a_key_shows_both_sides_and_the_answers_that_fit(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            first = add_one(store, "editor is vim", semantic_key="preference.editor")
            told = draft("editor is zed", semantic_key="preference.editor")
            (second,) = add(store, told, now_ms=NOW_MS + 5)
            review = asked(store)
            assert second.reviews == (review.id,)
            assert (review.kind, review.rule, review.decision) == ("key", "", "")
            assert review.memory == store.fetch(second.id, (SCOPE,))
            assert review.against == (store.fetch(first, (SCOPE,)),)
            assert review.decisions == ("replace", "coexist", "reject")
            assert review.token
            assert (review.opened_at_ms, review.closed_at_ms) == (NOW_MS + 5, None)
            assert store.review(review.id, (SCOPE,), now_ms=NOW_MS) == review

    def test_the_same_value_of_a_key_told_again_is_no_conflict(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            stored = add(
                store,
                draft("editor is vim", semantic_key="editor"),
                draft("Editor  is VIM", semantic_key="editor"),
                draft("editor is vim", semantic_key="editor", speaker="Ada"),
            )
            assert [each.status for each in stored] == ["active"] * 3
            assert stored[0].id == stored[1].id != stored[2].id
            assert store.reviews((SCOPE,), now_ms=NOW_MS, limit=9) == []

    def test_a_key_of_another_scope_is_another_key(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            add_one(store, "editor is vim", semantic_key="editor", scope=OTHER)
            assert add(store, draft("editor is zed", semantic_key="editor"))[0].status == "active"
            assert store.reviews((SCOPE, OTHER), now_ms=NOW_MS, limit=9) == []

    def test_a_key_is_one_key_whatever_its_case_and_width(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            add_one(store, "editor is vim", semantic_key="preference.editor")
            keys = ("Preference.EDITOR", "ｐｒｅｆｅｒｅｎｃｅ．ｅｄｉｔｏｒ", " preference.editor ")
            for place, key in enumerate(keys):
                told = draft(f"editor is number {place}", semantic_key=key)
                assert add(store, told)[0].status == "quarantined", key
            assert add(store, draft("editor", semantic_key="preference-editor"))[0].status == "active"

    def test_what_holds_a_key_no_more_is_no_rival(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            gone = add_one(store, "port is 1", semantic_key="port")
            store.archive(gone, (SCOPE,), now_ms=NOW_MS)
            gone = add_one(store, "port is 2", semantic_key="port")
            store.forget(gone, (SCOPE,), now_ms=NOW_MS)
            gone = add_one(store, "port is 3", semantic_key="port")
            add(store, draft("no port at all", supersedes=gone))
            assert add(store, draft("port is 4", semantic_key="port"))[0].status == "active"
            assert store.reviews((SCOPE,), now_ms=NOW_MS, limit=9) == []

    def test_what_a_memory_supersedes_is_no_rival_of_it(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "port is 22", semantic_key="port")
            new = add(store, draft("port is 23", semantic_key="port", supersedes=old))[0]
            assert (new.status, new.reviews) == ("active", ())
            assert store.matching(view(), any_of("port"), 5) == [new.id]
            # Nor does it become one by what stands beside it and says the same as the new one.
            add_one(store, "port is 23", semantic_key="port", speaker="Ada")
            latest = add(
                store, draft("port is 23", semantic_key="port", supersedes=new.id, kind="event")
            )
            assert (latest[0].status, latest[0].reviews) == ("active", ())

    def test_a_waiting_memory_told_again_goes_on_waiting(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            add_one(store, "port is 22", semantic_key="port")
            for provenance in ("human", "human", "tool"):
                told = draft("port is 23", semantic_key="port", provenance=provenance)
                stored = add(store, told)[0]
                assert (stored.status, stored.reviews) == ("quarantined", (asked(store).id,))
            assert (stored.outcome, stored.evidence_count) == ("confirmed", 3)
            assert store.count(view()) == 1

    def test_what_waits_supersedes_nothing_before_it_is_let_in(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            add_one(store, "port is 22", semantic_key="port")
            old = add_one(store, "the harbour is open")
            told = draft(
                "port is closed", semantic_key="port", supersedes=old, valid_at=NOW - in_days(1)
            )
            new = add(store, told)[0]
            assert new.status == "quarantined"
            assert store.matching(view(), any_of("harbour"), 5) == [old]
            answered(store, "coexist", now_ms=NOW_MS + 9)
            record = store.fetch(old, (SCOPE,))
            assert (record.superseded_by, store.fetch(new.id, (SCOPE,)).supersedes) == (new.id, old)
            assert record.invalid_at_ms == store.fetch(new.id, (SCOPE,)).valid_at_ms
            assert store.matching(view(), any_of("harbour"), 5) == []

    def test_what_lost_its_hold_meanwhile_is_not_superseded_by_what_waited(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            add_one(store, "port is 22", semantic_key="port")
            old = add_one(store, "the harbour is open")
            waiting = add_one(store, "port is closed", semantic_key="port", supersedes=old)
            new = add_one(store, "the harbour is small", supersedes=old)
            answered(store, "coexist")
            assert store.fetch(old, (SCOPE,)).superseded_by == new
            assert store.fetch(waiting, (SCOPE,)).supersedes is None

    # Personal data

    def test_personal_data_waits_and_no_query_finds_it_until_a_person_approves(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            stored = add(store, self.everywhere(f"kestrel north, call {PHONE}"))[0]
            assert stored.status == "quarantined"
            review = asked(store)
            assert (review.kind, review.rule) == ("personal-data", "phone")
            assert (review.against, review.decisions) == ((), ("approve", "reject"))
            for shown in (view(), view(include_history=True), view(known_ms=NOW_MS)):
                assert self.found_by(store, stored.id, "kestrel", PHONE, shown=shown) == set()
            closed = answered(store, "approve", now_ms=NOW_MS + 9)
            assert (closed.decision, closed.closed_at_ms) == ("approve", NOW_MS + 9)
            assert closed.memory.status == "active"
            assert self.found_by(store, stored.id, "kestrel", PHONE) == EVERY_QUERY
            assert store.reviews((SCOPE,), now_ms=NOW_MS, limit=9) == []
            assert actions_of(store, stored.id) == [
                *("created", "quarantined", "review-asked", "review-approve"),
            ]

    def test_what_was_approved_once_is_not_asked_about_again(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            told = draft(f"call {PHONE}")
            memory_id = add(store, told)[0].id
            answered(store, "approve")
            for _ in range(2):
                assert add(store, told)[0].status == "active"
                store.archive(memory_id, (SCOPE,), now_ms=NOW_MS)
                assert store.restore(memory_id, (SCOPE,), now_ms=NOW_MS).status == "active"
            assert store.reviews((SCOPE,), now_ms=NOW_MS, limit=9) == []

    def test_personal_data_that_a_later_telling_adds_waits_too(self, tmp_path: Path) -> None:
        added: tuple[dict[str, Any], ...] = (
            {"title": f"call {PHONE}"},
            {"raw_quote": f"call {PHONE}"},
            {"tags": ("office", f"call {PHONE}")},
            {"entities": (PHONE,)},
            {"relations": (Relation("the office", "answers", PHONE),)},
        )
        with self.opened(tmp_path) as store:
            for place, fields in enumerate(added):
                text = f"call the office {'abcde'[place]}"
                memory_id = add_one(store, text, provenance="tool")
                for _ in range(2):
                    stored = add(store, draft(text, provenance="tool", **fields))[0]
                    assert (stored.id, stored.status) == (memory_id, "quarantined"), fields
                assert asked(store).kind == "personal-data"
                answered(store, "approve")
                stored = add(store, draft(text, provenance="tool", **fields))[0]
                assert (stored.status, stored.reviews) == ("active", ()), fields

    def test_rejected_personal_data_is_archived_and_told_again_asked_about_again(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            told = draft(f"call {PHONE}")
            memory_id = add(store, told)[0].id
            answered(store, "reject")
            assert store.fetch(memory_id, (SCOPE,)).status == "archived"
            assert store.count(view(include_history=True)) == 0
            assert store.restore(memory_id, (SCOPE,), now_ms=NOW_MS).status == "quarantined"
            answered(store, "reject")
            assert add(store, told)[0].status == "quarantined"
            assert asked(store).kind == "personal-data"

    def test_personal_data_waits_in_whatever_field_it_stands_but_a_speaker_is_a_name(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            fields: dict[str, object] = {
                "title": f"call {PHONE}",
                "raw_quote": f"call {PHONE}",
                "tags": (f"call {PHONE}",),
                "entities": ("ada@example.org",),
            }
            for name, value in fields.items():
                told = draft(f"something about {name}", **{name: value})  # type: ignore[arg-type]
                assert add(store, told)[0].status == "quarantined", name
            told = draft("something said", speaker="ada@example.org")
            assert add(store, told)[0].status == "active"

    def test_approved_personal_data_then_meets_the_other_value_of_its_key(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "call the office", semantic_key="contact")
            new = add_one(store, f"call {PHONE}", semantic_key="contact")
            assert asked(store).kind == "personal-data"
            answered(store, "approve")
            review = asked(store)
            assert review.kind == "key"
            assert [each.id for each in review.against] == [old]
            assert store.matching(view(), any_of("call"), 5) == [old]
            answered(store, "replace")
            assert store.matching(view(), any_of("call"), 5) == [new]

    def test_an_edit_that_adds_personal_data_waits_and_one_that_takes_it_away_lets_in(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "call the office")
            edited = store.edit(memory_id, (SCOPE,), {"text": f"call {PHONE}"}, now_ms=NOW_MS)
            assert (edited.status, asked(store).kind) == ("quarantined", "personal-data")
            assert store.count(view()) == 0
            edited = store.edit(memory_id, (SCOPE,), {"text": "call the front office"}, now_ms=NOW_MS)
            assert (edited.status, edited.reviews) == ("active", ())
            assert store.matching(view(), any_of("front"), 5) == [memory_id]
            assert store.reviews((SCOPE,), now_ms=NOW_MS, limit=9) == []

    def test_an_edit_that_adds_no_word_to_approved_personal_data_asks_nothing(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, f"call {PHONE}", tags=("a", "b"))
            answered(store, "approve")
            edited = store.edit(memory_id, (SCOPE,), {"tags": ("a",), "scene": "x"}, now_ms=NOW_MS)
            assert (edited.outcome, edited.status) == ("updated", "active")
