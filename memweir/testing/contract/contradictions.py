"""What is asked about memories without a common key? Texts that deny each other, and news.

`PlainIndexer` sees a denial where only "not" parts two texts, and news where a text says "now". Nothing
is kept out while such a question is open: only the older side is marked.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from memweir.store.records import to_ms
from memweir.store.seam import Store
from memweir.testing.builders import NOW, SCOPE, draft, view
from memweir.testing.contract.base import (
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
)

__all__ = ["ContradictionsContract"]

_YES, _NO = "deployment is allowed", "deployment is not allowed"


def _opposed(store: Store, *, now_ms: int = NOW_MS, **fields: object) -> tuple[str, str]:
    """A memory, and a newer one that denies it."""
    old = add_one(store, _YES, age_days=5, **fields)
    return old, add(store, draft(_NO, age_days=2, **fields), now_ms=now_ms)[0].id  # type: ignore[arg-type]


def _contested(store: Store, *ids: str, known_ms: int | None = None) -> dict[str, str]:
    return store.contested(view(known_ms=known_ms), ids)


def _open(store: Store) -> int:
    return len(store.reviews((SCOPE,), now_ms=NOW_MS, limit=99))


class ContradictionsContract(ContractBase):
    """Part of `StoreContract`."""

    # What is asked

    def test_a_text_that_denies_an_earlier_one_opens_a_question_and_both_stand(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, _YES, age_days=5)
            new = add(store, draft(_NO, age_days=2))[0]
            review = asked(store)
            assert (new.status, new.reviews) == ("active", (review.id,))
            assert (review.kind, review.memory.id) == ("contradiction", new.id)
            assert [each.id for each in review.against] == [old]
            assert review.decisions == ("replace", "coexist", "reject", "dismiss")
            assert store.matching(view(), any_of("deployment"), 5) == [new.id, old]
            assert actions_of(store, new.id) == ["created", "review-asked"]

    def test_only_the_older_side_is_contested_and_by_the_newer(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old, new = _opposed(store)
            other = add_one(store, "tea is good")
            assert _contested(store, old, new, other, "mem_nothing") == {old: new}
            assert _contested(store) == {}
            assert _contested(store, new) == {}

    def test_a_text_that_says_now_asks_whether_it_replaces_an_earlier_one(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, "port is 22")
            add_one(store, "harbour crane repair")
            new = add(store, draft("port is now 23"))[0]
            review = asked(store)
            assert (review.kind, review.memory.id) == ("update", new.id)
            assert [each.id for each in review.against] == [old]
            assert _contested(store, old, new.id) == {old: new.id}
            answered(store, "replace")
            assert store.matching(view(), any_of("port"), 5) == [new.id]

    def test_nothing_is_asked_about_the_same_pair_twice(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old, new = _opposed(store)
            for text in (_YES, _NO, _NO, _YES):
                add(store, draft(text))
            assert _open(store) == 1
            answered(store, "dismiss")
            for text in (_YES, _NO):
                add(store, draft(text))
            for each in (new, old):
                store.archive(each, (SCOPE,), now_ms=NOW_MS)
                store.restore(each, (SCOPE,), now_ms=NOW_MS)
            assert _open(store) == 0

    def test_turns_events_and_what_others_say_contradict_nothing(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            add_one(store, _YES, speaker="Ada")
            for fields in ({"kind": "turn"}, {"kind": "event"}, {"speaker": "Grace"}):
                stored = add(store, draft(_NO, **fields))[0]  # type: ignore[arg-type]
                assert stored.reviews == (), fields
            for kind in ("turn", "event"):
                add_one(store, f"the {kind} is over", kind=kind)
                add_one(store, f"the {kind} is not over")
            add_one(store, _NO, scope=OTHER)
            assert store.reviews((SCOPE, OTHER), now_ms=NOW_MS, limit=9) == []
            assert len(add(store, draft(_NO, speaker="Ada"))[0].reviews) == 1
            assert len(add(store, draft(_NO, kind="decision"))[0].reviews) == 1  # said by nobody

    def test_what_holds_no_more_is_not_contradicted(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            gone = add_one(store, _YES)
            store.archive(gone, (SCOPE,), now_ms=NOW_MS)
            add_one(store, _NO)
            assert _open(store) == 0
            old = add_one(store, "port is 22")
            # It ends only in ten days; but that is said already.
            add_one(store, "port is now 23", supersedes=old, valid_at=NOW + in_days(10))
            assert _open(store) == 0

    def test_what_waits_contradicts_nothing_until_it_is_let_in(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            add_one(store, "the rule of deployment", semantic_key="rule")
            old = add_one(store, _YES)
            new = add_one(store, _NO, semantic_key="rule")
            assert asked(store).kind == "key"
            assert _contested(store, old) == {}
            answered(store, "coexist")
            review = asked(store)
            assert (review.kind, review.memory.id) == ("contradiction", new)
            assert _contested(store, old) == {old: new}

    def test_what_supersedes_the_memory_it_denies_asks_nothing(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add_one(store, _YES)
            assert add(store, draft(_NO, supersedes=old))[0].reviews == ()
            # The same where it had to wait first.
            add_one(store, "the rule of gates", semantic_key="rule")
            old = add_one(store, "gate is open")
            add_one(store, "gate is not open", semantic_key="rule", supersedes=old)
            answered(store, "coexist")
            assert _open(store) == 0

    # How it ends

    def test_each_decision_does_what_it_says(self, tmp_path: Path) -> None:
        expected = {
            "replace": ("archived", "active"),
            "coexist": ("active", "active"),
            "reject": ("active", "archived"),
            "dismiss": ("active", "active"),
        }
        for decision, statuses in expected.items():
            folder = tmp_path / decision
            folder.mkdir()
            with self.opened(folder) as store:
                old, new = _opposed(store)
                review = answered(store, decision)
                assert (review.decision, review.decisions) == (decision, ())
                records = [store.fetch(each, (SCOPE,)) for each in (old, new)]
                assert tuple(each.status for each in records) == statuses, decision
                together = {each.coexistence for each in records}
                assert (together == {None}) == (decision != "coexist")
                assert len(together) == 1
                assert _contested(store, old, new) == {}, decision
                assert _open(store) == 0
                assert f"review-{decision}" in actions_of(store, new)

    def test_a_persons_statement_may_have_held_until_what_a_tool_says_began(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            person = add_one(store, _YES, age_days=5)
            tool = add_one(store, _NO, age_days=2, provenance="tool")
            review = asked(store)  # a person's word is the newer side, whenever it began
            assert (review.memory.id, review.against[0].id) == (person, tool)
            assert review.decisions == ("replace", "precede", "coexist", "reject", "dismiss")
            answered(store, "precede")
            record = store.fetch(person, (SCOPE,))
            assert (record.superseded_by, record.invalid_at_ms) == (tool, to_ms(NOW - in_days(2)))
            assert (record.status, store.fetch(tool, (SCOPE,)).supersedes) == ("active", person)
            assert _contested(store, person, tool) == {}

    def test_a_question_is_withdrawn_when_one_of_its_sides_goes(self, tmp_path: Path) -> None:
        going: dict[str, Callable[[Store, str], object]] = {
            "archive": lambda store, each: store.archive(each, (SCOPE,), now_ms=NOW_MS),
            "forget": lambda store, each: store.forget(each, (SCOPE,), now_ms=NOW_MS),
            "supersede": lambda store, each: add(store, draft("no matter", supersedes=each)),
            "edit": lambda store, each: edit(store, each, text="deployment is our business"),
            "move": lambda store, each: edit(store, each, scope=OTHER),
        }
        for name, go in going.items():
            for side in (0, 1):
                folder = tmp_path / f"{name} {side}"
                folder.mkdir()
                with self.opened(folder) as store:
                    sides = _opposed(store)
                    review = asked(store)
                    go(store, sides[side])
                    assert _open(store) == 0, name
                    assert _contested(store, *sides) == {}, name
                    scopes = (SCOPE, OTHER)
                    closed = store.review(review.id, scopes, now_ms=NOW_MS)
                    assert (closed.decision, closed.token) == ("withdrawn", ""), name
                    assert "review-withdrawn" in [
                        each["action"] for each in store.trail(sides[1], scopes).ledger
                    ]

    def test_where_one_of_two_older_sides_goes_the_other_stays_contested(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            ids = [add_one(store, _YES, speaker=name) for name in ("Ada", "Grace")]
            new = add_one(store, _NO)
            assert _contested(store, *ids) == dict.fromkeys(ids, new)
            store.forget(ids[0], (SCOPE,), now_ms=NOW_MS)
            assert _contested(store, *ids) == {ids[1]: new}
            assert [each.id for each in asked(store).against] == ids[1:]

    def test_other_words_ask_again_about_what_was_decided_and_labels_do_not(
        self, tmp_path: Path
    ) -> None:
        for decision in ("dismiss", "coexist"):
            folder = tmp_path / decision
            folder.mkdir()
            with self.opened(folder) as store:
                old, new = _opposed(store)
                answered(store, decision)
                edit(store, new, title="Rules", tags=("law",))
                assert _open(store) == 0, decision
                edit(store, new, text=_NO.upper())
                review = asked(store)
                assert (review.kind, review.memory.id) == ("contradiction", new), decision
                assert _contested(store, old) == {old: new}

    def test_what_was_rejected_or_replaced_and_is_restored_is_asked_about_again(
        self, tmp_path: Path
    ) -> None:
        for decision, place in (("reject", 1), ("replace", 0)):
            folder = tmp_path / decision
            folder.mkdir()
            with self.opened(folder) as store:
                sides = _opposed(store)
                answered(store, decision)
                assert store.restore(sides[place], (SCOPE,), now_ms=NOW_MS).status == "active"
                review = asked(store)
                # Which is the newer does not depend on which came back last.
                assert review.memory.id == sides[1], decision
                assert [each.id for each in review.against] == [sides[0]]

    def test_a_persons_words_stand_against_a_tools_whichever_came_last(self, tmp_path: Path) -> None:
        for place, provenances in enumerate((("human", "tool"), ("inferred", "human"))):
            folder = tmp_path / str(place)
            folder.mkdir()
            with self.opened(folder) as store:
                ids = [
                    add_one(store, text, provenance=provenance)
                    for text, provenance in zip((_YES, _NO), provenances, strict=True)
                ]
                said = ids[provenances.index("human")]
                told = next(each for each in ids if each != said)
                assert asked(store).memory.id == said
                assert _contested(store, *ids) == {told: said}

    def test_what_held_long_ago_is_the_older_side_though_it_was_told_last(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            now = add_one(store, _YES, age_days=1)
            then = add_one(store, _NO, age_days=300)
            assert asked(store).memory.id == now
            assert _contested(store, now, then) == {then: now}

    def test_a_document_written_anew_is_asked_about_by_its_new_text(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            add_one(store, "gate is open")
            old = add_one(store, _YES)
            add_one(store, _NO, document_id="d")
            assert [each.id for each in asked(store).against] == [old]
            add_one(store, "gate is not open", document_id="d")
            assert [each.text for each in asked(store).against] == ["gate is open"]
            assert _contested(store, old) == {}

    # What was known

    def test_at_an_earlier_moment_a_memory_is_as_contested_as_it_was_then(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add(store, draft(_YES), now_ms=NOW_MS)[0].id
            new = add(store, draft(_NO), now_ms=NOW_MS + HOUR_MS)[0].id
            answered(store, "dismiss", now_ms=NOW_MS + 2 * HOUR_MS)
            moments = [NOW_MS + round(hours * HOUR_MS) for hours in (0, 0.5, 1, 1.5, 2, 2.5)]
            found = [_contested(store, old, new, known_ms=each) for each in moments]
            assert found == [{}, {}, {old: new}, {old: new}, {}, {}]
            assert _contested(store, old) == {}

    def test_earlier_wordings_are_contested_by_what_was_known_then(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = add(store, draft(_YES), now_ms=NOW_MS)[0].id
            new = add(store, draft(_NO), now_ms=NOW_MS + HOUR_MS)[0].id
            edit(store, old, text="nothing of the kind", now_ms=NOW_MS + 2 * HOUR_MS)
            edit(store, new, text="nothing at all", now_ms=NOW_MS + 3 * HOUR_MS)
            then = view(known_ms=NOW_MS + HOUR_MS + 1)
            found = store.records(then, [each.id for each in store.latest(then, 9)])
            wordings = {record.text: each for each, record in found.items()}
            assert wordings.keys() == {_YES, _NO}
            assert store.contested(then, list(found)) == {wordings[_YES]: wordings[_NO]}
            assert store.contested(view(), [old, new, *found]) == {}

    def test_what_was_forgotten_contests_nothing_at_any_moment(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old, new = _opposed(store)
            store.forget(new, (SCOPE,), now_ms=NOW_MS + HOUR_MS)
            assert _contested(store, old, known_ms=NOW_MS) == {}
            assert _contested(store, old) == {}
