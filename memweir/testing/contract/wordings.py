"""What does an edit change, and what is kept of before? Wordings, identity, gates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memweir.errors import InputError, NotFoundError, RefusedError, SecretRefused, ThreatRefused
from memweir.store.reads import TermStatistics
from memweir.store.records import Record, Relation, to_ms
from memweir.store.scopes import Scope
from memweir.store.seam import Store
from memweir.store.view import View
from memweir.testing.builders import NOW, SCOPE, draft, view
from memweir.testing.contract.base import (
    EVERY_QUERY,
    HOUR_MS,
    NOW_MS,
    OTHER,
    SECRET,
    THREAT,
    ContractBase,
    actions_of,
    add,
    add_one,
    any_of,
    edit,
    in_days,
    raises,
)

__all__ = ["WordingsContract"]

_LATER = NOW_MS + 2 * HOUR_MS
_BEFORE = view(known_ms=NOW_MS + HOUR_MS)


def _shown(store: Store, shown: View) -> Record:
    """The one memory that a view shows."""
    (hit,) = store.latest(shown, 9)
    return store.records(shown, [hit.id])[hit.id]


class WordingsContract(ContractBase):
    """Part of `StoreContract`."""

    # What was and what is

    def test_before_an_edit_every_query_finds_the_old_wording_and_now_only_the_new(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add(store, self.everywhere(raw_quote="kestrel!"))[0].id
            changes: dict[str, Any] = {"text": "osprey flies south", "title": "osprey"}
            stored = edit(store, memory_id, **changes, now_ms=_LATER)
            assert (stored.id, stored.outcome, stored.status) == (memory_id, "updated", "active")
            assert (stored.evidence_count, stored.reviews) == (1, ())
            old = _shown(store, _BEFORE)
            assert (old.text, old.version_of) == ("kestrel lives in the north", memory_id)
            assert self.found_by(store, old.id, "kestrel", shown=_BEFORE) == EVERY_QUERY
            assert self.found_by(store, memory_id, "osprey", "kestrel", shown=_BEFORE) == set()
            now = (view(), view(known_ms=_LATER), view(include_history=True))
            for shown in (*now, view(as_of=NOW, point_in_time=True)):
                assert _shown(store, shown).text == "osprey flies south"
                assert self.found_by(store, old.id, "osprey", "kestrel", shown=shown) == set()
                found = self.found_by(store, memory_id, "osprey", shown=shown)
                assert found == EVERY_QUERY - {"relations_at"}  # it was of the old text
                by_old = self.found_by(store, memory_id, "kestrel", shown=shown)
                words = {"keyword", "matching", "substring", "mentions_of", "relations_at"}
                assert not by_old & words
            assert actions_of(store, memory_id) == ["created", "edited"]

    def test_statistics_count_only_the_wording_that_stands(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "kestrel flies", relations=(Relation("a", "sees", "b"),))
            edit(store, memory_id, text="osprey flies", now_ms=_LATER)
            edit(store, memory_id, tags=("bird",), now_ms=_LATER)
            known = store.term_statistics(view(), ["kestrel", "osprey", "flies", "bird"])
            assert known == TermStatistics(1, {"osprey": 1, "flies": 1, "bird": 1})
            assert store.term_statistics(_BEFORE, ["flies"]) == TermStatistics(1, {"flies": 1})
            vectors = store.vector_statistics()
            head = self.indexer.dim - self.indexer.tail
            assert vectors.documents == 1
            assert vectors.df.tolist() == (self.embed("osprey flies")[:head] != 0).astype(int).tolist()
            figures = store.statistics()
            assert json.loads(figures["memories"]) == {"active": 1}
            assert (figures["terms"], figures["relations"]) == (3, 0)

    def test_each_of_several_wordings_is_known_in_its_time(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "port is 0")
            for number in (1, 2, 3):
                edit(store, memory_id, text=f"port is {number}", now_ms=NOW_MS + number * HOUR_MS)
            for number in (0, 1, 2, 3):
                # From the moment of an edit on, and until the next.
                for after in (0, HOUR_MS - 1):
                    then = view(known_ms=NOW_MS + number * HOUR_MS + after)
                    assert _shown(store, then).text == f"port is {number}"
            assert store.count(view(known_ms=NOW_MS - 1)) == 0

    def test_rebuilding_keeps_every_wording_findable_in_its_time(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "port is 0", tags=("net",))
            edit(store, memory_id, text="port is 1", tags=("web",), now_ms=_LATER)
            query = self.embed("port 0")

            def answers() -> list[object]:
                return [
                    (
                        store.keyword(shown, any_of("port", "0"), 9),
                        store.nearest(shown, query, 9),
                        store.count(shown),
                        store.term_statistics(shown, ["0", "1", "net"]),
                    )
                    for shown in (_BEFORE, view(), view(known_ms=NOW_MS, tags=("net",)))
                ]

            before = answers()
            assert store.reindex(now_ms=_LATER) == 1
            assert answers() == before
            assert store.vector_statistics().documents == 1

    def test_an_earlier_wording_is_reached_only_by_way_of_its_memory(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "port is 22")
            edit(store, memory_id, text="port is 23", now_ms=_LATER)
            old = _shown(store, _BEFORE).id
            calls = (
                lambda: store.fetch(old, (SCOPE,)),
                lambda: store.trail(old, (SCOPE,)),
                lambda: edit(store, old, text="port is 24"),
                lambda: store.archive(old, (SCOPE,), now_ms=_LATER),
                lambda: store.forget(old, (SCOPE,), now_ms=_LATER),
                lambda: store.restore(old, (SCOPE,), now_ms=_LATER),
                lambda: store.feedback(old, "helped", None, now_ms=_LATER),
                lambda: store.counter(old, (SCOPE,), now_ms=_LATER),
            )
            for call in calls:
                with raises(NotFoundError):
                    call()
            trail = store.trail(memory_id, (SCOPE,))
            assert [each["kind"] for each in trail.evidence] == ["edited", "asserted"]

    def test_a_document_written_anew_keeps_its_old_wording_for_the_time_before(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "port is 22", document_id="d")
            add(store, draft("port is 23", document_id="d"), now_ms=_LATER)
            old = _shown(store, _BEFORE)
            assert (old.text, old.version_of, old.document_id) == ("port is 22", memory_id, None)
            assert _shown(store, view()).id == memory_id

    def test_history_shows_what_was_replaced_and_not_how_it_was_worded(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "port is 22", document_id="d", age_days=9)
            new = add_one(store, "port is 23", supersedes=memory_id, age_days=5)
            # It holds again by another text; the wording that was superseded has an end.
            add(store, draft("port is 24", document_id="d", age_days=1), now_ms=_LATER)
            for shown in (view(include_history=True), view(include_history=True, known_ms=_LATER)):
                assert set(store.matching(shown, any_of("port"), 9)) == {memory_id, new}
                assert store.matching(shown, any_of("22"), 9) == []
            past = view(as_of=NOW - in_days(7), point_in_time=True)
            assert store.matching(past, any_of("22"), 9) == []
            assert _shown(store, view(known_ms=NOW_MS)).text == "port is 23"

    # What goes on with an edit

    def test_another_text_begins_anew_and_is_a_persons(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(
                store,
                "port is 22",
                provenance="inferred",
                origin="heuristic",
                raw_quote="it's 22",
                entities=("Acme",),
            )
            store.feedback(memory_id, "harmful", None, now_ms=NOW_MS)
            store.feedback(memory_id, "helped", None, now_ms=NOW_MS, learned=("ssh",))
            edit(store, memory_id, text="port is 23", now_ms=_LATER)
            record = store.fetch(memory_id, (SCOPE,))
            assert (record.alpha, record.beta, record.harmful_count) == (6.0, 1.0, 0)
            assert (record.provenance, record.origin) == ("human", "explicit")
            assert (record.raw_quote, record.learned_terms) == (None, ())
            assert (record.updated_at_ms, record.confirmed_at_ms) == (_LATER, _LATER)
            assert record.created_at_ms == to_ms(NOW - in_days(3))
            assert store.entities_of(view(), [memory_id]) == []
            assert store.matching(view(), any_of("ssh"), 9) == []

    def test_another_label_leaves_what_was_said_about_the_text(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            edge = Relation("Ada", "owns", "Billing")
            memory_id = add_one(store, "Ada was seen", entities=("Boat",), relations=(edge,))
            store.feedback(memory_id, "harmful", None, now_ms=NOW_MS)
            store.feedback(memory_id, "helped", None, now_ms=NOW_MS, learned=("owner",))
            store.counter(memory_id, (SCOPE,), now_ms=NOW_MS, source="s@1")
            before = store.fetch(memory_id, (SCOPE,))
            mentions = store.entities_of(view(), [memory_id])
            assert edit(store, memory_id, tags=("people",), now_ms=_LATER).outcome == "updated"
            record = store.fetch(memory_id, (SCOPE,))
            for name in ("alpha", "beta", "harmful_count", "learned_terms", "text", "created_at_ms"):
                assert getattr(record, name) == getattr(before, name), name
            assert store.trail(memory_id, (SCOPE,)).relations == (("Ada", "owns", "Billing"),)
            assert store.entities_of(view(), [memory_id]) == mentions
            ada = store.entities_named(["ada"])["ada"]
            assert [each.id for each in store.relations_at(view(), ada, 9)] == [memory_id]
            old = [each.id for each in store.relations_at(_BEFORE, ada, 9)]
            assert old == [_shown(store, _BEFORE).id]
            # A source that counted once counts no second time.
            again = store.counter(memory_id, (SCOPE,), now_ms=_LATER, source="s@1")
            assert again.beta == record.beta
            assert store.matching(view(tags=("people",)), any_of("owner"), 9) == [memory_id]

    def test_another_label_expiry_or_end_leaves_the_pieces_of_evidence(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "port is 22")
            assert add(store, draft("port is 22"))[0].evidence_count == 2
            for changes in ({"tags": ("net",)}, {"title": "Port"}, {"expires_at": NOW + in_days(9)}):
                assert edit(store, memory_id, now_ms=_LATER, **changes).evidence_count == 2, changes
            assert add(store, draft("port is 22", tags=("ssh",)), now_ms=_LATER)[0].evidence_count == 3
            assert edit(store, memory_id, text="port is 23", now_ms=_LATER).evidence_count == 1
            assert edit(store, memory_id, text="port is 22", now_ms=_LATER).evidence_count == 1
            # Of its time in another scope nothing is told, not even how often.
            add(store, draft("port is 22"), now_ms=_LATER)
            assert edit(store, memory_id, scope=OTHER, now_ms=_LATER).evidence_count == 1

    def test_other_punctuation_case_or_blanks_are_the_same_statement(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "port is 22", entities=("Boat",), raw_quote="it is 22")
            add(store, draft("port is 22"))
            store.feedback(memory_id, "harmful", None, now_ms=NOW_MS)
            store.feedback(memory_id, "helped", None, now_ms=NOW_MS, learned=("ssh",))
            store.counter(memory_id, (SCOPE,), now_ms=NOW_MS, source="s@1")
            before = store.fetch(memory_id, (SCOPE,))
            for text in ("Port is 22.", "port  is: 22", "(Port is) 22!", "PORT is 22"):
                edit(store, memory_id, text=text, now_ms=_LATER)
                record = store.fetch(memory_id, (SCOPE,))
                for name in ("alpha", "beta", "harmful_count", "learned_terms", "evidence_count"):
                    assert getattr(record, name) == getattr(before, name), (text, name)
                assert (record.text, record.raw_quote) == (text, "it is 22")
                assert "stated" in {each.role for each in store.entities_of(view(), [memory_id])}
                again = store.counter(memory_id, (SCOPE,), now_ms=_LATER, source="s@1")
                assert again.beta == record.beta
            assert store.matching(view(), any_of("ssh"), 9) == [memory_id]
            for text in ("port is 2.2", "port is -22", "port is 22%"):
                edit(store, memory_id, text=text, now_ms=_LATER)
                record = store.fetch(memory_id, (SCOPE,))
                assert (record.harmful_count, record.evidence_count) == (0, 1), text
                store.feedback(memory_id, "harmful", None, now_ms=NOW_MS)

    def test_every_field_that_may_be_changed_is_changed_and_none_goes(self, tmp_path: Path) -> None:
        changes: dict[str, Any] = {
            "text": "Billing is in Oslo",
            "kind": "decision",
            "layer": "belief",
            "title": "Billing",
            "semantic_key": "billing.place",
            "tags": ("where",),
            "speaker": "Ada",
            "scene": "work",
            "domain": "web",
            "raw_quote": "in Oslo!",
            "importance": 0.9,
            "pinned": True,
        }
        moments: dict[str, Any] = {
            "event_start": NOW - in_days(9),
            "event_end": NOW - in_days(8),
            "valid_at": NOW - in_days(7),
            "expires_at": NOW + in_days(7),
        }
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "Billing is in Rome")
            edit(store, memory_id, **changes, **moments)
            record = store.fetch(memory_id, (SCOPE,))
            assert {name: getattr(record, name) for name in changes} == changes
            given = {name: getattr(record, f"{name}_ms") for name in moments}
            assert given == {name: to_ms(each) for name, each in moments.items()}
            optional = ("title", "semantic_key", "speaker", "scene", "domain", "raw_quote")
            gone: dict[str, Any] = dict.fromkeys((*optional, *moments))
            edit(store, memory_id, **gone, tags=())
            record = store.fetch(memory_id, (SCOPE,))
            assert {name: getattr(record, name) for name in optional} == dict.fromkeys(optional)
            assert record.tags == ()
            assert (record.event_start_ms, record.event_end_ms, record.expires_at_ms) == (None,) * 3
            assert record.valid_at_ms == record.created_at_ms  # true since it was told

    def test_an_empty_edit_changes_nothing_at_all(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            told = draft(
                "Billing is in Oslo",
                title="Billing",
                tags=("a", "b"),
                event_start=NOW - in_days(9),
                event_end=NOW - in_days(8),
                valid_at=NOW - in_days(7),
                provenance="tool",
            )
            memory_id = add(store, told)[0].id
            record, position = store.fetch(memory_id, (SCOPE,)), store.position()
            same: tuple[dict[str, Any], ...] = (
                {},
                {"title": "Billing", "text": "Billing is in Oslo"},
                {"tags": ["a", "b"], "pinned": False, "importance": 0.5, "scope": SCOPE},
                {"event_start": NOW - in_days(9), "valid_at": NOW - in_days(7), "scene": "  "},
            )
            for changes in same:
                stored = edit(store, memory_id, **changes, now_ms=_LATER)
                assert (stored.outcome, stored.status, stored.reviews) == ("unchanged", "active", ())
                assert stored.evidence_count == 1
                assert store.fetch(memory_id, (SCOPE,)) == record
                assert store.position() == position
            assert len(store.trail(memory_id, (SCOPE,)).evidence) == 1

    def test_pin_and_importance_are_changed_without_a_wording_of_their_own(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "uses pnpm", provenance="tool")
            stored = edit(store, memory_id, pinned=True, importance=0.9, now_ms=_LATER)
            assert (stored.outcome, stored.evidence_count) == ("updated", 1)
            edit(store, memory_id, text="uses pnpm", importance=0.8, now_ms=_LATER)
            record = store.fetch(memory_id, (SCOPE,))
            assert (record.pinned, record.importance, record.provenance) == (True, 0.8, "tool")
            assert _shown(store, _BEFORE).id == memory_id
            assert actions_of(store, memory_id) == ["created", "adjusted", "adjusted"]

    # Identity

    def test_an_edited_memory_is_found_again_by_its_new_words_and_not_by_its_old(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "port is 22")
            edit(store, memory_id, text="port is 23", now_ms=_LATER)
            again, other = add(store, draft("Port is  23"), draft("port is 22"))
            assert (again.id, again.outcome) == (memory_id, "confirmed")
            assert (other.outcome, other.id != memory_id) == ("created", True)
            assert add(store, draft("port is 22"))[0].id == other.id
            # And back again, once nobody else says so.
            with raises(RefusedError):
                edit(store, memory_id, text="port is 22")
            edit(store, other.id, text="port is 24")
            edit(store, memory_id, text="port is 22")
            assert add(store, draft("port is 22"))[0].id == memory_id
            assert add(store, draft("port is 24"))[0].id == other.id

    def test_an_edit_into_what_another_memory_says_is_refused(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            add_one(store, "port is 22")
            other = add_one(store, "port is 23")
            before = store.fetch(other, (SCOPE,))
            with raises(RefusedError):
                edit(store, other, text="PORT is 22")
            assert store.fetch(other, (SCOPE,)) == before
            entry = store.trail(other, (SCOPE,)).ledger[0]
            assert (entry["action"], entry["rule"]) == ("edit-refused", "told-already")
            # A person's other words, whatever they were superseded by, may be said again.
            add_one(store, "port is 24", supersedes=add_one(store, "port is 21"))
            assert edit(store, other, text="port is 21").status == "active"

    def test_a_moved_memory_is_seen_in_its_new_scope_and_was_known_in_its_old_one(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add(store, self.everywhere())[0].id
            edit(store, memory_id, scope=OTHER, now_ms=_LATER)
            assert self.found_by(store, memory_id, "kestrel", scope=OTHER) == EVERY_QUERY
            assert store.count(view(include_history=True)) == 0
            assert store.count(view(OTHER, known_ms=NOW_MS + HOUR_MS)) == 0
            old = _shown(store, _BEFORE)
            assert (old.scope, old.version_of) == (SCOPE, memory_id)
            assert store.term_statistics(view(), ["kestrel"]) == TermStatistics(0, {})
            assert store.term_statistics(view(OTHER), ["kestrel"]).df == {"kestrel": 1}
            with raises(NotFoundError):
                store.fetch(memory_id, (SCOPE,))
            # The same words in either scope are told again each to its own.
            again = add(store, self.everywhere(), self.everywhere(scope=OTHER))
            assert (again[0].outcome, again[0].id != memory_id) == ("created", True)
            assert (again[1].outcome, again[1].id) == ("confirmed", memory_id)

    def test_a_document_takes_its_own_identity_along(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "notes", document_id="d")
            edit(store, memory_id, scope=OTHER)
            here = add_one(store, "other notes", document_id="d")
            assert here != memory_id
            assert add_one(store, "newer notes", document_id="d", scope=OTHER) == memory_id
            with raises(RefusedError):
                store.edit(memory_id, (OTHER,), {"scope": SCOPE}, now_ms=NOW_MS)
            entry = store.trail(memory_id, (OTHER,)).ledger[0]
            assert (entry["action"], entry["rule"]) == ("edit-refused", "document-taken")

    # What is refused

    def test_what_was_withdrawn_is_restored_before_it_is_edited(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            for name, withdraw in (("a", store.archive), ("b", store.forget)):
                memory_id = add_one(store, f"port {name}")
                withdraw(memory_id, (SCOPE,), now_ms=NOW_MS)
                record, (changes, line) = store.fetch(memory_id, (SCOPE,)), store.position()
                with raises(RefusedError):
                    edit(store, memory_id, text="port is 24")
                assert store.fetch(memory_id, (SCOPE,)) == record
                assert store.position() == (changes, line + 1)  # undone, but for its line
                entry = store.trail(memory_id, (SCOPE,)).ledger[0]
                assert (entry["action"], entry["rule"]) == ("edit-refused", "withdrawn")

    def test_an_edit_passes_the_gates_and_names_fields_that_there_are(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "uses pnpm")
            before = store.fetch(memory_id, (SCOPE,))
            for name in ("text", "title", "semantic_key", "scene", "raw_quote"):
                with raises(SecretRefused):
                    store.edit(memory_id, (SCOPE,), {name: f"token {SECRET}"}, now_ms=NOW_MS)
                with raises(ThreatRefused):
                    store.edit(memory_id, (SCOPE,), {name: THREAT}, now_ms=NOW_MS)
            with raises(SecretRefused):
                edit(store, memory_id, scope=Scope.session(SECRET))
            wrong: tuple[dict[str, Any], ...] = (
                {"status": "active"},
                {"alpha": 99.0},
                {"id": "mem_mine"},
                {"document_id": "d"},
                {"text": ""},
                {"text": None},
                {"importance": 2},
                {"kind": "rumour"},
                {"event_start": NOW},
            )
            for changes in wrong:
                with raises(InputError):
                    edit(store, memory_id, **changes)
            with raises(NotFoundError):
                store.edit(memory_id, (OTHER,), {"text": "mine"}, now_ms=NOW_MS)
            assert store.fetch(memory_id, (SCOPE,)) == before
