"""What is one memory, and when are two tellings the same?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from memweir.errors import RefusedError
from memweir.store.records import Record, Relation
from memweir.testing.builders import NOW, SCOPE, draft, view
from memweir.testing.contract.base import NOW_MS, OTHER, ContractBase, add, add_one, any_of, in_days

__all__ = ["IdentityContract"]


class IdentityContract(ContractBase):
    """Part of `StoreContract`."""

    # What is one memory

    def test_the_same_fact_told_twice_is_one_memory_with_two_pieces_of_evidence(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            first, again = add(store, draft("uses pnpm"), draft("uses  PNPM", source="s1@7"))
            assert (first.outcome, again.outcome) == ("created", "confirmed")
            assert first.id == again.id
            assert (first.evidence_count, again.evidence_count) == (1, 2)
            assert store.count(view()) == 1
            evidence = store.trail(first.id, (SCOPE,)).evidence
            assert [(each["kind"], each["source"]) for each in evidence] == [
                ("repeated", "s1@7"),
                ("asserted", None),
            ]

    def test_the_first_wording_is_kept_byte_for_byte(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            text = "  Uses\tpnpm\r\n 👨‍👩‍👧 家庭日 e\u0301 \x00 end "
            memory_id = add_one(store, text)
            add(store, draft(" ".join(text.lower().split())))
            assert store.fetch(memory_id, (SCOPE,)).text == text

    def test_telling_again_without_metadata_blanks_none(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            full = draft(
                "uses pnpm",
                title="Package manager",
                semantic_key="tooling.package-manager",
                tags=("tools", "js"),
                scene="coding",
                domain="build",
                raw_quote="we use pnpm!",
                importance=0.9,
                pinned=True,
                session_id="s1",
                source="s1@3",
                event_start=NOW - in_days(9),
                event_end=NOW - in_days(8),
                valid_at=NOW - in_days(9),
                expires_at=NOW + in_days(90),
                created_at=NOW - in_days(9),
            )
            # An event's day is part of what it is; the bare draft names the same day.
            bare = replace(draft("uses pnpm"), event_start=NOW - in_days(9), event_end=NOW - in_days(8))
            memory_id = add(store, full)[0].id
            before = store.fetch(memory_id, (SCOPE,))
            assert add(store, bare)[0].outcome == "confirmed"
            after = store.fetch(memory_id, (SCOPE,))
            touched = ("updated_at_ms", "confirmed_at_ms", "evidence_count")
            unchanged = [name for name in Record.__slots__ if name not in touched]
            assert {name: getattr(after, name) for name in unchanged} == {
                name: getattr(before, name) for name in unchanged
            }
            assert after.confirmed_at_ms == NOW_MS
            assert after.evidence_count == 2

    def test_telling_again_adds_the_metadata_that_was_missing(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "uses pnpm", tags=("tools",))
            add(store, draft("uses pnpm", title="Tooling", tags=("js", "tools"), pinned=True))
            record = store.fetch(memory_id, (SCOPE,))
            assert (record.title, record.tags, record.pinned) == ("Tooling", ("tools", "js"), True)
            assert store.matching(view(), any_of("tooling", field="title"), 5) == [memory_id]
            assert store.matching(view(tags=("js",)), any_of("pnpm"), 5) == [memory_id]

    def test_beyond_the_limit_the_newest_tellings_tags_are_kept(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            old = tuple(f"old{n}" for n in range(60))
            new = ("old3", *(f"new{n}" for n in range(9)))
            memory_id = add_one(store, "uses pnpm", tags=old)
            assert add_one(store, "uses pnpm", tags=new[:5]) == memory_id  # 60 + 4: just within
            assert store.fetch(memory_id, (SCOPE,)).tags == (*old, *new[1:5])
            add_one(store, "uses pnpm", tags=new)
            # 10 of the newest telling, then 54 of the others as they stood: old3 is among the ten.
            kept = (*new, *(tag for tag in old if tag != "old3"))[:64]
            assert store.fetch(memory_id, (SCOPE,)).tags == kept
            assert store.count(view(tags=("new8",))) == 1
            assert store.count(view(tags=("old59",))) == 0
            again = draft("uses pnpm", tags=tuple(f"third{n}" for n in range(64)))
            add(store, again)
            assert store.fetch(memory_id, (SCOPE,)).tags == again.tags

    def test_what_a_tool_said_and_a_person_repeats_is_a_persons(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "uses pnpm", provenance="inferred", origin="heuristic")
            add(store, draft("uses pnpm"))
            assert store.fetch(memory_id, (SCOPE,)).provenance == "human"
            add(store, draft("uses pnpm", provenance="tool"))
            assert store.fetch(memory_id, (SCOPE,)).provenance == "human"

    def test_what_a_person_stated_and_a_tool_repeats_gains_evidence_and_changes_in_nothing_else(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            for place, provenance in enumerate(("tool", "inferred")):
                text = f"uses pnpm {place}"
                memory_id = add_one(store, text, title="Tooling", tags=("js",), age_days=2)
                before = store.fetch(memory_id, (SCOPE,))
                forged = draft(
                    text,
                    provenance=provenance,
                    source="s9@4",
                    title="Forged",
                    semantic_key="forged.key",
                    tags=("forged",),
                    scene="forged",
                    domain="forged",
                    raw_quote="forged",
                    session_id="s9",
                    importance=1.0,
                    pinned=True,
                    valid_at=NOW + in_days(9),
                    expires_at=NOW - in_days(9),
                    entities=("Mallory",),
                    relations=(Relation("Mallory", "owns", "pnpm"),),
                )
                again = add(store, forged)[0]
                assert (again.id, again.outcome, again.evidence_count) == (memory_id, "confirmed", 2)
                assert store.fetch(memory_id, (SCOPE,)) == replace(before, evidence_count=2)
                trail = store.trail(memory_id, (SCOPE,))
                assert [(each["kind"], each["source"]) for each in trail.evidence] == [
                    ("repeated", "s9@4"),
                    ("asserted", None),
                ]
                assert trail.relations == ()
                assert store.entities_named(["mallory"]) == {}
                assert memory_id not in store.matching(view(), any_of("forged"), 9)
                assert memory_id not in store.pinned(view(), 9)

    def test_a_tool_moves_neither_the_event_nor_the_validity_of_a_persons_document(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            mine = draft("sprint review", document_id="d1")
            memory_id = add(store, mine)[0].id
            before = store.fetch(memory_id, (SCOPE,))
            moved = replace(
                mine, provenance="tool", event_start=NOW - in_days(9), event_end=NOW - in_days(8)
            )
            assert add(store, moved)[0].id == memory_id
            assert store.fetch(memory_id, (SCOPE,)) == replace(before, evidence_count=2)
            # Superseded by a person: no tool makes it hold again, and what it would replace stays.
            add(store, draft("sprint review is off", supersedes=memory_id))
            guess = add_one(store, "review is on Monday", provenance="inferred")
            revived = replace(mine, provenance="tool", supersedes=guess)
            assert isinstance(store.add_many([revived], now_ms=NOW_MS)[0], RefusedError)
            assert store.fetch(memory_id, (SCOPE,)).superseded_by is not None
            assert store.fetch(guess, (SCOPE,)).superseded_by is None

    def test_a_tool_may_replace_a_guess_by_what_a_person_stated(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            stated = add_one(store, "uses pnpm")
            before = store.fetch(stated, (SCOPE,))
            guess = add_one(store, "uses npm", provenance="inferred")
            add(store, draft("uses pnpm", provenance="tool", supersedes=guess))
            assert store.fetch(guess, (SCOPE,)).superseded_by == stated
            assert store.fetch(stated, (SCOPE,)) == replace(before, evidence_count=2)

    def test_the_same_words_on_two_days_are_two_events_but_one_fact(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            for kind, expected in (("event", 2), ("turn", 2), ("fact", 1), ("preference", 1)):
                days = [draft(f"went running {kind}", kind=kind, age_days=age) for age in (2, 1)]
                assert len({each.id for each in add(store, *days)}) == expected, kind
            dated = [
                draft("sprint review", event_start=NOW - in_days(age), event_end=NOW - in_days(age - 1))
                for age in (8, 1)
            ]
            assert len({each.id for each in add(store, *dated)}) == 2

    def test_texts_that_differ_in_one_number_are_two_memories(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            stored = add(store, draft("Merged PR #260"), draft("Merged PR #480"))
            assert len({each.id for each in stored}) == 2

    def test_a_fact_and_its_negation_are_two_memories(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            texts = ("Deployment is allowed", "Deployment is not allowed", "允许部署", "不允许部署")
            assert len({each.id for each in add(store, *map(draft, texts))}) == 4

    def test_different_chinese_facts_are_different_memories(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            texts = ("我喜欢喝茶", "公司在上海", "公司在上海。", "。。。", "……", "🙂🙂", "🙂")
            assert len({each.id for each in add(store, *map(draft, texts))}) == len(texts)

    def test_the_same_words_of_two_speakers_are_two_memories(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            stored = add(
                store, draft("I like tea", speaker="Ada"), draft("I like tea", speaker="Grace")
            )
            assert len({each.id for each in stored}) == 2

    def test_the_same_text_in_two_scopes_is_two_memories_and_archiving_one_keeps_the_other(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            here = add_one(store, "uses pnpm")
            there = add_one(store, "uses pnpm", scope=OTHER)
            assert here != there
            store.forget(here, (SCOPE,), now_ms=NOW_MS)
            assert store.count(view()) == 0
            assert [each for each, _ in store.keyword(view(OTHER), any_of("pnpm"), 5)] == [there]

    # The caller's own identity

    def test_a_document_written_again_keeps_its_id_and_only_the_new_text_is_found(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            old = self.everywhere(document_id="d1", tags=("bird",))
            new = replace(
                draft("osprey moved", document_id="d1"),
                title="osprey",
                tags=("fish",),
                relations=(Relation("osprey", "lives in", "south"),),
            )
            first, second = add(store, old)[0], add(store, new)[0]
            assert (second.id, second.outcome, second.evidence_count) == (first.id, "updated", 1)
            record = store.fetch(first.id, (SCOPE,))
            assert (record.text, record.tags, record.event_start_ms) == (
                "osprey moved",
                ("fish",),
                None,
            )
            assert store.trail(first.id, (SCOPE,)).relations == (("osprey", "lives in", "south"),)
            by_new = self.found_by(store, first.id, "osprey")
            assert by_new >= {"keyword", "matching", "substring", "mentions_of", "relations_at"}
            by_old = self.found_by(store, first.id, "kestrel")
            words = {"keyword", "matching", "substring", "event_window", "mentions_of", "relations_at"}
            assert not by_old & words
            query = self.embed("kestrel")
            # The vector is the new text's: as near to the old word as that text is by itself.
            expected = self.embed("osprey osprey moved")
            got = store.similarity(query, [first.id])[first.id].cosine
            assert abs(got - float((query * expected).sum())) < 0.02  # int8 keeps two digits
            assert store.count(view(tags=("fish",))) == 1
            assert store.count(view(tags=("bird",))) == 0

    def test_a_document_written_again_unchanged_is_more_evidence(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            first, again = add(store, *[draft("notes", document_id="d1")] * 2)
            assert (again.id, again.outcome, again.evidence_count) == (first.id, "confirmed", 2)

    def test_documents_with_equal_text_stay_apart(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            stored = add(
                store,
                draft("notes", document_id="d1"),
                draft("notes", document_id="d2"),
                draft("notes"),
                draft("notes", document_id="d1", scope=OTHER),
            )
            assert len({each.id for each in stored}) == 4

    def test_a_rewritten_document_leaves_quote_credence_and_learned_terms_of_the_old_text_behind(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(
                store, "Maya is at Acme", document_id="d", raw_quote="at Acme", source="s@1"
            )
            store.feedback(memory_id, "helped", None, now_ms=NOW_MS, learned=("employer",))
            store.feedback(memory_id, "harmful", None, now_ms=NOW_MS)
            add(store, draft("Maya is at Beta", document_id="d", source="s@2", origin="heuristic"))
            record = store.fetch(memory_id, (SCOPE,))
            assert (record.raw_quote, record.source, record.learned_terms) == (None, "s@2", ())
            assert (record.alpha, record.beta, record.harmful_count) == (4.0, 2.0, 0)
            assert store.matching(view(), any_of("employer"), 5) == []

    def test_a_rewritten_document_keeps_the_labels_that_the_new_text_does_not_replace(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            labels = {"title": "Ports", "tags": ("net",), "scene": "work", "speaker": "Ada"}
            memory_id = add_one(store, "port is 22", document_id="d", **labels)
            add(store, draft("port is 23", document_id="d"))
            record = store.fetch(memory_id, (SCOPE,))
            assert record.text == "port is 23"
            assert {name: getattr(record, name) for name in labels} == labels
            assert store.matching(view(tags=("net",)), any_of("23"), 9) == [memory_id]

    def test_a_tool_cannot_rewrite_a_persons_document(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "port is 22", document_id="d")
            refused = store.add_many(
                [draft("port is 23", document_id="d", provenance="tool")], now_ms=NOW_MS
            )
            assert isinstance(refused[0], RefusedError)
            assert store.fetch(memory_id, (SCOPE,)).text == "port is 22"
            trail = store.trail(memory_id, (SCOPE,))
            assert [each["action"] for each in trail.ledger] == ["rewrite-refused", "created"]
