"""What was answered, decided and learned? Standing answers, runs, trails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from memweir.errors import InputError, NotFoundError
from memweir.testing.builders import SCOPE
from memweir.testing.contract.base import NOW_MS, OTHER, ContractBase, add_one, raises, run_of

__all__ = ["TrailContract"]


class TrailContract(ContractBase):
    """Part of `StoreContract`."""

    def test_an_answer_is_found_by_each_of_its_phrasings_and_only_in_its_scope(
        self, tmp_path: Path
    ) -> None:
        with self.opened(tmp_path) as store:
            asked = {"who owns it": "Who owns it?", "owner": "Owner?"}
            first = store.put_answer(SCOPE, "Ada", asked, now_ms=NOW_MS)
            assert (first.text, first.phrasings, first.hits) == ("Ada", ("Owner?", "Who owns it?"), 0)
            for key in asked:
                assert store.find_answer((OTHER, SCOPE), key) == first
                assert store.find_answer((OTHER,), key) is None
            again = store.put_answer(SCOPE, "Grace", {"who owns it": "Who owns it?"}, now_ms=NOW_MS + 5)
            assert (again.id, again.text, again.verified_at_ms) == (first.id, "Grace", NOW_MS + 5)
            theirs = store.put_answer(OTHER, "Alan", {"owner": "Owner?"}, now_ms=NOW_MS + 9)
            assert store.find_answer((OTHER, SCOPE), "owner") == theirs  # verified last
            with raises(InputError):
                store.put_answer(SCOPE, "Ada", {}, now_ms=NOW_MS)

    def test_an_answer_is_shown_of_a_moment_as_it_stood_then(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            told = {"who": "Who?"}
            first = store.put_answer(SCOPE, "Ada", told, now_ms=10)
            assert store.verify_answer(first.id, (SCOPE,), now_ms=20).text == "Ada"
            store.put_answer(SCOPE, "Grace", told, now_ms=30)
            store.add_phrasings(first.id, (SCOPE,), {"owner": "Owner?"}, now_ms=40)
            store.put_answer(SCOPE, "Alan", told, now_ms=50)

            def stood(key: str, at_ms: int | None) -> tuple[str, int, int, int] | None:
                found = store.find_answer((SCOPE,), key, at_ms=at_ms)
                if found is None:
                    return None
                return found.text, found.verified_at_ms, found.earlier, len(found.phrasings)

            assert stood("who", 9) is None
            assert stood("who", 10) == ("Ada", 10, 0, 1)
            assert stood("who", 29) == ("Ada", 20, 0, 1)
            assert stood("who", 30) == ("Grace", 30, 1, 1)
            assert stood("owner", 39) is None
            assert stood("owner", 40) == ("Grace", 30, 1, 2)
            assert stood("owner", 50) == stood("owner", None) == ("Alan", 50, 2, 2)

    def test_answers_are_listed_and_withdrawn_in_their_scope_only(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            late = store.put_answer(SCOPE, "Ada", {"who": "Who?", "owner": "Owner?"}, now_ms=20)
            early = store.put_answer(SCOPE, "8443", {"port": "Port?"}, now_ms=10)
            theirs = store.put_answer(OTHER, "Alan", {"who": "Who?"}, now_ms=15)
            assert store.answers((SCOPE,), limit=9) == [early, late]
            assert store.answers((SCOPE, OTHER), limit=2) == [early, theirs]
            assert (late.question, late.created_at_ms) == ("Who?", 20)
            calls: tuple[Callable[[], object], ...] = (
                lambda: store.answer(late.id, (OTHER,)),
                lambda: store.add_phrasings(late.id, (OTHER,), {"x": "x"}, now_ms=30),
                lambda: store.verify_answer(late.id, (OTHER,), now_ms=30),
                lambda: store.withdraw_answer(late.id, (OTHER,), now_ms=30),
            )
            for call in calls:
                with raises(NotFoundError):
                    call()
            assert store.withdraw_answer(late.id, (SCOPE,), now_ms=30) == late
            assert store.find_answer((SCOPE,), "owner") is None
            assert store.find_answer((SCOPE,), "who", at_ms=25) is None
            assert store.answers((SCOPE, OTHER), limit=9) == [early, theirs]
            with raises(NotFoundError):
                store.answer(late.id, (SCOPE,))
            assert store.put_answer(SCOPE, "Ada", {"owner": "Owner?"}, now_ms=40).earlier == 0

    def test_a_run_is_told_in_the_trail_of_its_memories(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            shown, dropped = (add_one(store, text) for text in ("shown", "dropped"))
            answer = store.put_answer(SCOPE, "Ada", {"owner": "Owner?"}, now_ms=NOW_MS)
            run = run_of([shown, dropped], injected=(shown,), answer_id=answer.id)
            assert store.record_run(run) == 1
            decision = store.trail(shown, (SCOPE,)).decisions[0]
            assert decision == {
                "run_id": 1,
                "at": NOW_MS,
                "rank": 1,
                "action": "use",
                "reason": "strong",
                "score": 0.5,
                "relevance": 0.4,
                "freshness": 0.3,
                "confidence": 0.2,
                "risk": 0.1,
                "paths": {"keyword": 1, "semantic": 2},
                "injected": True,
            }
            assert store.trail(dropped, (SCOPE,)).decisions[0]["injected"] is False
            record = store.fetch(shown, (SCOPE,))
            assert (record.recall_count, record.last_recalled_at_ms) == (1, NOW_MS)
            assert store.fetch(dropped, (SCOPE,)).recall_count == 0
            found = store.find_answer((SCOPE,), "owner")
            assert found is not None
            assert found.hits == 1

    def test_a_query_hash_is_keyed_and_repeatable(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            assert store.hash_query("how?") == store.hash_query("how?")
            assert store.hash_query("how?") != store.hash_query("how")
            assert "how" not in store.hash_query("how?")
