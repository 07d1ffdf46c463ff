"""What must never be written, and what is left of it?"""

from __future__ import annotations

from pathlib import Path

from memweir.errors import (
    InputError,
    NotFoundError,
    PersonalDataRefused,
    RefusedError,
    SecretRefused,
    ThreatRefused,
)
from memweir.store.reads import TermStatistics
from memweir.store.records import Relation, Stored
from memweir.store.scopes import Scope
from memweir.testing.builders import SCOPE, draft, view
from memweir.testing.contract.base import (
    NOW_MS,
    OTHER,
    SECRET,
    TEXT_FIELDS,
    THREAT,
    ContractBase,
    add,
    add_one,
    raises,
)

__all__ = ["RefusalsContract"]


class RefusalsContract(ContractBase):
    """Part of `StoreContract`."""

    def test_a_secret_or_a_threat_is_refused_in_every_text_field(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            kinds = ((SECRET, SecretRefused), (THREAT, ThreatRefused))
            for bad, kind in kinds:
                fields: dict[str, object] = dict.fromkeys(TEXT_FIELDS, bad)
                fields |= {
                    "tags": ("fine", bad),
                    "entities": ("fine", bad),
                    "relations": (Relation("fine", "knows", bad),),
                    "scope": Scope.session(bad),
                }
                for name, value in fields.items():
                    values = {"text": "fine"} | {name: value}
                    result = store.add_many([draft(**values)], now_ms=NOW_MS)[0]  # type: ignore[arg-type]
                    assert isinstance(result, kind), name
                    assert isinstance(result, SecretRefused | ThreatRefused)
                    assert result.field.startswith(name)
                    assert bad not in str(result)
                memory_id = add_one(store, "fine")
                with raises(kind):
                    store.feedback(memory_id, "helped", None, now_ms=NOW_MS, note=bad)
                with raises(kind):
                    store.feedback(memory_id, "helped", None, now_ms=NOW_MS, learned=(bad,))
                with raises(kind):
                    store.put_answer(SCOPE, bad, {"q": "q"}, now_ms=NOW_MS)
                with raises(kind):
                    store.put_answer(SCOPE, "fine", {"q": "q", "w": bad}, now_ms=NOW_MS)
                assert store.find_answer((SCOPE,), "q") is None
                record = store.fetch(memory_id, (SCOPE,))
                assert (record.alpha, record.beta, record.learned_terms) == (6.0, 1.0, ())
                for kept in (Scope.session(bad), Scope("workspace", bad)):
                    with raises(kind):
                        store.put_answer(kept, "fine", {"q": "q"}, now_ms=NOW_MS)
                    assert store.find_answer((kept,), "q") is None
            assert store.count(view(SCOPE, Scope.session(SECRET), Scope.session(THREAT))) == 1

    def test_a_question_and_its_answer_are_read_as_label_and_value(self, tmp_path: Path) -> None:
        refused = (
            ("What is the WiFi password?", "hunter2Xq9"),
            ("服务器密码是多少？", "x7Kq9zLm"),
            ("What is our API key?", "9f86d081884c7d659a2feaa0c55ad015"),
            ("the PIN for the door?", "4931"),
            ("admin password", "It is x7#Kq9!zLm"),
        )
        passed = (
            ("How do we deploy?", "make deploy"),
            ("What is the password policy?", "12 characters, rotated yearly"),
            ("密码策略是什么", "至少十二位"),
        )
        with self.opened(tmp_path) as store:
            for question, answer in refused:
                for asked in ({"q": question}, {"q": "How do we get in?", "w": question}):
                    with raises(SecretRefused):
                        store.put_answer(SCOPE, answer, asked, now_ms=NOW_MS)
                    assert store.find_answer((SCOPE,), "q") is None
            for question, answer in passed:
                assert store.put_answer(SCOPE, answer, {question: question}, now_ms=NOW_MS)

    def test_personal_data_in_an_answer_is_refused_until_it_is_approved(self, tmp_path: Path) -> None:
        holding = (
            ("ada@example.org", "Where is Ada?", "answer"),
            ("at her desk", "Who is ada@example.org?", "phrasing[0]"),
            ("4155550111", "What is Ada's phone number?", "answer"),
            ("13800138000", "李娜的手机号是多少？", "answer"),
        )
        with self.opened(tmp_path) as store:
            for text, question, field in holding:
                with raises(PersonalDataRefused) as caught:
                    store.put_answer(SCOPE, text, {question: question}, now_ms=NOW_MS)
                refused = caught[0]
                assert isinstance(refused, PersonalDataRefused)
                assert refused.field == field
                assert text not in str(refused)
                assert store.answers((SCOPE,), limit=9) == []
                asked = {question: question}
                told = store.put_answer(SCOPE, text, asked, now_ms=NOW_MS, approve_personal=True)
                # What was approved is not asked about again; what is new is.
                again = store.put_answer(SCOPE, text, asked, now_ms=NOW_MS + 1)
                assert again.id == told.id
                with raises(PersonalDataRefused):
                    store.put_answer(SCOPE, "bob@example.org", asked, now_ms=NOW_MS + 2)
                more = {"m": "the desk of bob@example.org?"}
                with raises(PersonalDataRefused):
                    store.add_phrasings(told.id, (SCOPE,), more, now_ms=NOW_MS + 3)
                assert store.answer(told.id, (SCOPE,)) == again
                store.add_phrasings(told.id, (SCOPE,), more, now_ms=NOW_MS + 3, approve_personal=True)
                store.withdraw_answer(told.id, (SCOPE,), now_ms=NOW_MS + 4)

    def test_no_answer_takes_over_the_phrasing_of_another(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            first = store.put_answer(SCOPE, "Ada", {"a": "A?", "b": "B?"}, now_ms=NOW_MS)
            for asked in ({"c": "C?", "b": "B!"}, {"b": "B!"}):
                with raises(RefusedError) as caught:
                    store.put_answer(SCOPE, "Grace", asked, now_ms=NOW_MS + 1)
                assert first.id in str(caught[0])
            assert store.find_answer((SCOPE,), "b") == first
            assert store.find_answer((SCOPE,), "c") is None
            again = store.put_answer(SCOPE, "Grace", {"a": "A?", "b": "B!", "c": "C?"}, now_ms=NOW_MS)
            assert (again.id, again.phrasings) == (first.id, ("A?", "B!", "C?"))
            other = store.put_answer(OTHER, "Alan", {"b": "B?"}, now_ms=NOW_MS)
            assert other.id != first.id

    def test_a_refused_draft_leaves_the_others_of_its_batch_stored(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            batch = [
                draft("one"),
                draft(f"token {SECRET}"),
                draft("two"),
                draft("three", supersedes="mem_nothing"),
                draft(THREAT),
                draft("four"),
            ]
            results = store.add_many(batch, now_ms=NOW_MS)
            kinds = [type(each) for each in results]
            assert kinds == [Stored, SecretRefused, Stored, NotFoundError, ThreatRefused, Stored]
            assert store.count(view()) == 3
            known = store.term_statistics(view(), ["three", "token", "one"])
            assert known == TermStatistics(3, {"one": 1})

    def test_a_batch_with_something_that_is_no_draft_stores_nothing_of_it(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            with raises(InputError):
                store.add_many([draft("one"), "two"], now_ms=NOW_MS)  # type: ignore[list-item]
            assert store.count(view()) == 0

    def test_later_drafts_of_a_batch_see_the_earlier_ones(self, tmp_path: Path) -> None:
        with self.opened(tmp_path) as store:
            results = add(store, draft("uses pnpm"), draft("uses npm"), draft("uses pnpm"))
            assert [each.outcome for each in results] == ["created", "created", "confirmed"]
            assert store.term_statistics(view(), ["uses"]) == TermStatistics(2, {"uses": 2})
