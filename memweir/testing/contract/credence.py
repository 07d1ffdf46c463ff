"""What is a memory worth, and what does it learn? Counter-evidence, and the terms of recalls."""

from __future__ import annotations

from pathlib import Path

from memweir.errors import SecretRefused, ThreatRefused
from memweir.testing.builders import SCOPE, draft, view
from memweir.testing.contract.base import (
    DAY_MS,
    NOW_MS,
    SECRET,
    THREAT,
    ContractBase,
    actions_of,
    add,
    add_one,
    any_of,
    edit,
    raises,
    run_of,
)

__all__ = ["CredenceContract"]


class CredenceContract(ContractBase):
    """Part of `StoreContract`."""

    # Counter-evidence

    def test_counter_evidence_takes_a_fifth_from_the_confidence_down_to_a_fifth(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "uses pnpm")
            guess = add_one(store, "likes tea", origin="heuristic")
            # 6 / 7 - 1/5 = 23/35: beta = 6 * 12/23; then 16/35: 6 * 19/16; then 9/35: 6 * 26/9;
            # 2/35 would be below the floor: 1/5, beta = 6 * 4; and there it stays.
            betas = (72 / 23, 7.125, 52 / 3, 24.0, 24.0)
            # 4 / 6 = 10/15, then 7/15: beta = 4 * 8/7; then 4/15: 4 * 11/4; then the floor: 4 * 4.
            guesses = (32 / 7, 11.0, 16.0, 16.0, 16.0)
            for beta, other in zip(betas, guesses, strict=True):
                record = store.counter(memory_id, (SCOPE,), now_ms=NOW_MS, note="it failed")
                assert abs(record.beta - beta) < 1e-9
                assert (record.alpha, record.harmful_count) == (6.0, 0)
                record = store.counter(guess, (SCOPE,), now_ms=NOW_MS)
                assert abs(record.beta - other) < 1e-9
            assert abs(store.fetch(memory_id, (SCOPE,)).confidence - 0.2) < 1e-9
            trail = store.trail(memory_id, (SCOPE,))
            assert [each["kind"] for each in trail.evidence] == ["countered"] * 5 + ["asserted"]
            assert trail.evidence[0]["note"] == "it failed"
            assert actions_of(store, memory_id) == ["created", *["countered"] * 5]

    def test_a_confidence_below_the_floor_is_left_where_it_is(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "uses pnpm")
            for _ in range(6):  # 6 / (6 + 1 + 6 * 5) = 6/37
                store.feedback(memory_id, "harmful", None, now_ms=NOW_MS)
            assert store.counter(memory_id, (SCOPE,), now_ms=NOW_MS).beta == 31.0

    def test_one_source_counts_once(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "uses pnpm")
            once = store.counter(memory_id, (SCOPE,), now_ms=NOW_MS, source="s@3")
            assert once.beta > 1.0
            position = store.position()
            assert store.counter(memory_id, (SCOPE,), now_ms=NOW_MS + 9, source="s@3") == once
            assert store.position()[1] == position[1]
            other = store.counter(memory_id, (SCOPE,), now_ms=NOW_MS, source="s@4")
            assert other.beta > once.beta
            evidence = store.trail(memory_id, (SCOPE,)).evidence
            assert [each["source"] for each in evidence] == ["s@4", "s@3", None]
            # Of another text a source has not spoken yet.
            edit(store, memory_id, text="uses npm")
            assert store.counter(memory_id, (SCOPE,), now_ms=NOW_MS, source="s@3").beta > 1.0

    def test_note_and_source_of_counter_evidence_pass_the_gates(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "uses pnpm")
            for bad, kind in ((f"token {SECRET}", SecretRefused), (THREAT, ThreatRefused)):
                with raises(kind):
                    store.counter(memory_id, (SCOPE,), now_ms=NOW_MS, note=bad)
                with raises(kind):
                    store.counter(memory_id, (SCOPE,), now_ms=NOW_MS, source=bad)
            assert store.fetch(memory_id, (SCOPE,)).beta == 1.0

    # Learning

    def test_a_memory_that_helped_learns_the_terms_of_the_recalls_that_gave_it(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            memory_id, other = add_one(store, "uses pnpm"), add_one(store, "likes tea")
            runs = (
                (1, (memory_id,), ("install", "pnpm", "uses")),  # pnpm and uses it says itself
                (2, (other, memory_id), ("package", "install")),
                (3, (other,), ("considered",)),  # looked at, not given
                (14, (memory_id,), ("fortnight",)),  # not within the last 14 days any more
                (20, (memory_id,), ("ancient",)),
            )
            for days, injected, terms in runs:
                both = [memory_id, other]
                run = run_of(both, injected=injected, terms=terms, at_ms=NOW_MS - days * DAY_MS)
                store.record_run(run)
            for outcome in ("harmful", "stale", "conflict", "unknown"):
                assert store.feedback(memory_id, outcome, None, now_ms=NOW_MS).learned_terms == ()
            record = store.feedback(memory_id, "helped", None, now_ms=NOW_MS)
            # The latest recall's terms first, those of one recall in alphabetical order.
            assert record.learned_terms == ("install", "package")
            assert store.matching(view(), any_of("package"), 9) == [memory_id]
            for term in ("considered", "fortnight", "ancient"):
                assert store.matching(view(), any_of(term), 9) == []
            given = store.feedback(memory_id, "helped", None, now_ms=NOW_MS, learned=("bun",))
            assert given.learned_terms == ("bun", "install", "package")
            assert store.fetch(other, (SCOPE,)).learned_terms == ()

    def test_it_learns_from_the_last_twenty_recalls_and_at_most_forty_terms(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "uses pnpm")
            for number in range(25):  # the newest is number 0, recorded first
                run = run_of(
                    [memory_id],
                    injected=(memory_id,),
                    terms=(f"t{number:02}",),
                    at_ms=NOW_MS - (number + 1) * 60_000,
                )
                store.record_run(run)
            store.record_run(run_of([memory_id], injected=(memory_id,), at_ms=NOW_MS))  # no terms
            record = store.feedback(memory_id, "helped", None, now_ms=NOW_MS)
            newest = tuple(f"t{number:02}" for number in range(20))
            assert record.learned_terms == newest
            given = tuple(f"g{number:02}" for number in range(30))
            record = store.feedback(memory_id, "helped", None, now_ms=NOW_MS, learned=given)
            assert record.learned_terms == (*given, *newest)[:40]  # 30 of those given, then ten

    def test_what_is_out_of_sight_learns_nothing(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "uses pnpm")
            store.record_run(run_of([memory_id], injected=(memory_id,), terms=("install",)))
            store.archive(memory_id, (SCOPE,), now_ms=NOW_MS)
            record = store.feedback(memory_id, "helped", None, now_ms=NOW_MS, learned=("bun",))
            assert (record.learned_terms, record.alpha) == ((), 7.0)

    def test_feedback_names_the_recall_it_is_about(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "uses pnpm")
            run_id = store.record_run(run_of([memory_id], injected=(memory_id,)))
            store.feedback(memory_id, "stale", (SCOPE,), now_ms=NOW_MS, note="old", run_id=run_id)
            store.feedback(memory_id, "helped", (SCOPE,), now_ms=NOW_MS + 1)
            trail = store.trail(memory_id, (SCOPE,))
            told = [(each["outcome"], each["note"], each["run_id"]) for each in trail.consumption]
            assert told == [("helped", None, None), ("stale", "old", run_id)]
            sources = [(each["kind"], each["source"]) for each in trail.evidence]
            assert sources == [("helped", None), ("stale", f"run:{run_id}"), ("asserted", None)]
            lines = [(each["action"], each["detail"]) for each in trail.ledger]
            assert lines == [("feedback", "helped"), ("feedback", "stale"), ("created", None)]

    def test_what_a_rewritten_document_had_learned_is_gone(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            memory_id = add_one(store, "uses pnpm", document_id="d")
            store.feedback(memory_id, "helped", None, now_ms=NOW_MS, learned=("bun",))
            add(store, draft("uses npm", document_id="d"))
            assert store.fetch(memory_id, (SCOPE,)).learned_terms == ()
