"""How does a memory go out of sight, and how does it come back? Archive, forget, restore; by whom."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from memweir.errors import RefusedError
from memweir.store.records import Draft, Record
from memweir.store.seam import Store
from memweir.store.view import View
from memweir.testing.builders import NOW, SCOPE, draft, view
from memweir.testing.contract.base import (
    EVERY_QUERY,
    HOUR_MS,
    NOW_MS,
    OTHER,
    ContractBase,
    actions_of,
    add,
    add_one,
    answered,
    any_of,
    asked,
    edit,
    in_days,
    raises,
)

__all__ = ["ForgettingContract"]

_HERE = (SCOPE,)
_VIEWS = (
    view(),
    view(include_history=True),
    view(as_of=NOW - in_days(1), point_in_time=True),
    view(as_of=NOW - in_days(1), point_in_time=True, include_history=True),
    *(view(known_ms=NOW_MS + hours * HOUR_MS) for hours in (0, 1, 2, 3)),
    *(view(known_ms=NOW_MS + hours * HOUR_MS, include_history=True) for hours in (0, 1, 2, 3)),
)


def _at(hours: float) -> int:
    return NOW_MS + round(hours * HOUR_MS)


def _texts(store: Store, shown: View) -> set[str]:
    ids = [each.id for each in store.latest(shown, 99)]
    return {record.text for record in store.records(shown, ids).values()}


def _verdicts(store: Store, memory_id: str) -> list[tuple[object, object]]:
    ledger = store.trail(memory_id, (SCOPE, OTHER)).ledger
    return [(each["action"], each["rule"]) for each in ledger if each["rule"]]


class ForgettingContract(ContractBase):
    """Part of `StoreContract`."""

    # Forgetting

    def test_what_is_forgotten_is_found_by_no_query_with_any_view(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add(store, self.everywhere())[0].id
            edit(store, memory_id, text="kestrel flies", now_ms=_at(1))
            wordings = {each.id for shown in _VIEWS for each in store.latest(shown, 9)}
            assert len(wordings) == 2
            assert store.forget(memory_id, _HERE, now_ms=_at(2)).status == "tombstoned"
            for _ in range(2):
                for shown in _VIEWS:
                    assert store.count(shown) == 0
                    for each in wordings:
                        found = self.found_by(store, each, "kestrel", "north", shown=shown)
                        assert found == set(), shown
                    assert store.group_mates(shown, ["grp_none"]) == []
                assert store.similarity(self.embed("kestrel"), sorted(wordings)) == {}
                assert store.term_statistics(view(), ["kestrel"]).documents == 0
                assert store.reindex(now_ms=_at(2)) == 0
            assert actions_of(store, memory_id) == ["created", "edited", "forgotten"]

    def test_restoring_brings_a_forgotten_memory_back_with_its_earlier_wordings(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add(store, self.everywhere())[0].id
            edit(store, memory_id, text="kestrel flies", now_ms=_at(1))
            then = view(known_ms=_at(0))
            (old,) = (each.id for each in store.latest(then, 9))
            statistics = store.term_statistics(view(), ["kestrel", "north"])
            store.forget(memory_id, _HERE, now_ms=_at(2))
            assert store.restore(memory_id, _HERE, now_ms=_at(3)).status == "active"
            for _ in range(2):
                assert self.found_by(store, old, "kestrel", "north", shown=then) == EVERY_QUERY
                found = self.found_by(store, memory_id, "kestrel")
                assert found == EVERY_QUERY - {"relations_at"}  # which were of the first text
                assert _texts(store, view(known_ms=_at(1))) == {"kestrel flies"}
                assert _texts(store, view(known_ms=_at(2))) == set()  # the gap stays one
                assert _texts(store, view(include_history=True)) == {"kestrel flies"}
                assert store.term_statistics(view(), ["kestrel", "north"]) == statistics
                assert store.vector_statistics().documents == 1
                store.reindex(now_ms=_at(3))
            assert actions_of(store, memory_id)[-2:] == ["forgotten", "restored"]

    def test_forgetting_what_is_archived_or_history_takes_it_out_of_history_too(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            archived = add_one(store, "port is 1")
            store.archive(archived, _HERE, now_ms=_at(1))
            old = add_one(store, "port is 2")
            add_one(store, "port is 3", supersedes=old)
            replaced = add_one(store, "editor is vim", semantic_key="editor")
            add_one(store, "editor is zed", semantic_key="editor")
            answered(store, "replace", now_ms=_at(1))
            for memory_id in (archived, old, replaced):
                store.forget(memory_id, _HERE, now_ms=_at(2))
            for shown in _VIEWS:
                assert _texts(store, shown) <= {"port is 3", "editor is zed"}

    def test_a_forgotten_document_written_anew_keeps_its_old_wording_forgotten(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "port is 22", document_id="d")
            store.forget(memory_id, _HERE, now_ms=_at(1))
            add(store, draft("port is 23", document_id="d"), now_ms=_at(2))
            assert [_texts(store, view(known_ms=_at(hours))) for hours in (0, 1, 2)] == [
                *(set(), set(), {"port is 23"}),
            ]
            store.reindex(now_ms=_at(3))
            assert store.matching(view(known_ms=_at(0)), any_of("port"), 9) == []

    def test_a_withdrawn_memory_told_again_by_a_person_is_back_and_its_ledger_says_so(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            for name, withdraw in (("a", store.archive), ("b", store.forget)):
                memory_id = add_one(store, f"uses {name}")
                withdraw(memory_id, _HERE, now_ms=_at(1))
                again = add(store, draft(f"uses {name}"), now_ms=_at(2))[0]
                assert (again.id, again.status) == (memory_id, "active")
                assert actions_of(store, memory_id)[-2:] == ["confirmed", "restored"]

    def test_a_forgotten_value_restored_while_its_key_is_taken_waits(self, tmp_path: Path) -> None:
        for again in (False, True):
            folder = tmp_path / str(again)
            folder.mkdir()
            with self.opened(folder) as store:
                told = draft("port is 22", semantic_key="port")
                old = add(store, told)[0].id
                store.forget(old, _HERE, now_ms=_at(1))
                new = add_one(store, "port is 23", semantic_key="port")
                if again:
                    add(store, told, now_ms=_at(2))
                else:
                    store.restore(old, _HERE, now_ms=_at(2))
                assert store.fetch(old, _HERE).status == "quarantined"
                assert [each.id for each in asked(store).against] == [new]
                # What was known before is findable again, if not now.
                for _ in range(2):
                    then = view(known_ms=_at(0.5))
                    assert set(store.matching(then, any_of("port"), 9)) == {old, new}
                    assert len(store.nearest(then, self.embed("port 22"), 9)) == 2
                    assert store.matching(view(), any_of("port"), 9) == [new]
                    assert store.term_statistics(view(), ["port"]).df == {"port": 1}
                    assert store.vector_statistics().documents == 1
                    store.reindex(now_ms=_at(3))

    # Archiving

    def test_an_archived_memory_is_hidden_now_but_not_from_what_was_known_before(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add(store, self.everywhere())[0].id
            assert store.archive(memory_id, _HERE, now_ms=_at(1)).status == "archived"
            for shown in _VIEWS:
                expected = EVERY_QUERY if shown.known_ms == NOW_MS else set()
                assert self.found_by(store, memory_id, "kestrel", shown=shown) == expected
            assert store.term_statistics(view(), ["kestrel"]).documents == 0
            assert store.vector_statistics().documents == 0
            once = store.fetch(memory_id, _HERE)
            assert store.archive(memory_id, _HERE, now_ms=_at(9)) == once
            assert actions_of(store, memory_id) == ["created", "archived"]
            assert store.restore(memory_id, _HERE, now_ms=_at(2)).status == "active"
            assert self.found_by(store, memory_id, "kestrel") == EVERY_QUERY

    def test_a_waiting_memory_can_be_archived_and_forgotten_and_its_question_is_withdrawn(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            add_one(store, "port is 22", semantic_key="port")
            for withdraw, status in ((store.archive, "archived"), (store.forget, "tombstoned")):
                memory_id = add_one(store, f"port is {status}", semantic_key="port")
                review = asked(store)
                assert withdraw(memory_id, _HERE, now_ms=_at(1)).status == status
                assert store.review(review.id, _HERE, now_ms=_at(1)).decision == "withdrawn"
                assert store.reviews(_HERE, now_ms=_at(1), limit=9) == []

    def test_archiving_what_was_superseded_is_refused_and_in_the_ledger(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "port is 22")
            add_one(store, "port is 23", supersedes=old)
            self._refused(
                store,
                old,
                lambda: store.archive(old, _HERE, now_ms=_at(1)),
                ("archive-refused", "superseded-already"),
            )

    # Restoring what was superseded

    def test_restoring_what_was_superseded_is_refused_while_its_successor_holds(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "port is 22")
            add_one(store, "port is 23", supersedes=old)
            self._refused(
                store,
                old,
                lambda: store.restore(old, _HERE, now_ms=_at(1)),
                ("restore-refused", "superseded-already"),
            )

    def test_restoring_what_was_superseded_revives_it_once_its_successor_is_withdrawn(
        self, tmp_path: Path
    ) -> None:
        for name in ("archive", "forget"):
            folder = tmp_path / name
            folder.mkdir()
            with self.opened(folder) as store:
                old = add_one(store, "port is 22")
                new = add_one(store, "port is 23", supersedes=old)
                getattr(store, name)(new, _HERE, now_ms=_at(1))
                assert store.matching(view(), any_of("port"), 9) == []
                record = store.restore(old, _HERE, now_ms=_at(2))
                assert (record.status, record.superseded_by) == ("active", None)
                assert (record.invalid_at_ms, record.invalidated_at_ms) == (None, None)
                assert store.matching(view(), any_of("port"), 9) == [old]
                assert actions_of(store, old)[-1] == "restored"

    def test_a_successor_that_is_back_meets_what_it_superseded_where_that_holds_again(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "kestrel in the north", age_days=5)
            new = add_one(store, "owl in the south", supersedes=old, age_days=2)
            for back in ("restored", "told again"):
                store.forget(new, (SCOPE,), now_ms=NOW_MS)
                if store.fetch(old, (SCOPE,)).superseded_by is not None:
                    store.restore(old, (SCOPE,), now_ms=NOW_MS)
                assert store.reviews((SCOPE,), now_ms=NOW_MS, limit=9) == [], back
                chain = store.history(old, (SCOPE,)).chain
                assert [(each.record.id, each.replaced_by, each.replaces) for each in chain] == [
                    (old, (), ()),
                    (new, (), ()),
                ]
                if back == "restored":
                    store.restore(new, (SCOPE,), now_ms=NOW_MS)
                else:
                    add_one(store, "owl in the south")
                review = asked(store)
                assert (review.kind, review.rule) == ("update", "superseded-before"), back
                assert (review.memory.id, [each.id for each in review.against]) == (new, [old])
                assert store.contested(view(), [old, new]) == {old: new}
                assert store.count(view()) == 2
            answered(store, "replace")
            assert store.matching(view(), any_of("kestrel", "owl"), 5) == [new]
            store.forget(new, (SCOPE,), now_ms=NOW_MS)
            store.restore(new, (SCOPE,), now_ms=NOW_MS)  # the older holds no more
            assert store.reviews((SCOPE,), now_ms=NOW_MS, limit=9) == []
            (first, _) = store.history(old, (SCOPE,)).chain
            assert (first.record.id, first.replaced_by) == (old, (new,))

    def test_a_forgotten_piece_of_history_is_restored_as_history(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "port is 22", semantic_key="port")
            new = add_one(store, "port is 23", semantic_key="port", supersedes=old)
            store.forget(old, _HERE, now_ms=_at(1))
            record = store.restore(old, _HERE, now_ms=_at(2))
            assert (record.status, record.superseded_by) == ("active", new)
            assert store.reviews(_HERE, now_ms=_at(2), limit=9) == []
            assert store.matching(view(), any_of("port"), 9) == [new]
            history = store.matching(view(include_history=True), any_of("port"), 9)
            assert set(history) == {old, new}

    # Who may not

    def test_no_tool_brings_back_rewrites_or_supersedes_what_a_person_stated(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            archived, forgotten = add_one(store, "uses a"), add_one(store, "uses b")
            store.archive(archived, _HERE, now_ms=_at(0))
            store.forget(forgotten, _HERE, now_ms=_at(0))
            written = add_one(store, "uses c", document_id="d")
            stated = add_one(store, "uses d")
            ids = (archived, forgotten, written, stated)
            before = [store.fetch(each, _HERE) for each in ids]
            for provenance in ("tool", "inferred"):
                drafts = [
                    draft("uses a", provenance=provenance),
                    draft("uses b", provenance=provenance),
                    draft("uses C++", document_id="d", provenance=provenance),
                    draft("uses E", supersedes=stated, provenance=provenance),
                ]
                results = store.add_many([*drafts, draft("fine")], now_ms=_at(1))
                assert [isinstance(each, RefusedError) for each in results] == [True] * 4 + [False]
            assert [store.fetch(each, _HERE) for each in ids] == before
            expected = {
                archived: ("restore-refused", "withdrawn-stays"),
                forgotten: ("restore-refused", "withdrawn-stays"),
                written: ("rewrite-refused", "human-text-protected"),
                stated: ("supersede-refused", "human-loser-protected"),
            }
            for memory_id, verdict in expected.items():
                assert _verdicts(store, memory_id) == [verdict] * 2

    def test_what_a_persons_decision_replaced_no_tool_brings_back(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "port is 22", semantic_key="port")
            new = add_one(store, "port is 23", semantic_key="port")
            answered(store, "replace")
            told = draft("port is 22", semantic_key="port", provenance="tool")
            assert isinstance(store.add_many([told], now_ms=_at(1))[0], RefusedError)
            assert store.matching(view(), any_of("port"), 9) == [new]
            assert _verdicts(store, old) == [("restore-refused", "withdrawn-stays")]
            # Once a person said it again, a tool may repeat it like anything else.
            again = add_one(store, "port is 22", semantic_key="port")
            answered(store, "replace")
            repeated = add(store, told)[0]
            assert (repeated.id, repeated.outcome) == (again, "confirmed")

    def _refused(
        self,
        store: Store,
        memory_id: str,
        call: Callable[[], object],
        verdict: tuple[str, str],
    ) -> None:
        """The call is refused, undone whole, and in the ledger all the same."""
        record, shown = store.fetch(memory_id, _HERE), _everything(store)
        changes, line = store.position()
        with raises(RefusedError):
            call()
        assert store.fetch(memory_id, _HERE) == record
        assert _everything(store) == shown
        assert store.position() == (changes, line + 1)
        assert _verdicts(store, memory_id) == [verdict]


def _everything(store: Store) -> Iterable[Record | Draft]:
    shown = view(include_history=True)
    return list(store.records(shown, [each.id for each in store.latest(shown, 99)]).values())
