"""Is a turn cut into the sentences it consists of, and is a question known as one?"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.retrieval.clauses import (
    LONGEST,
    asks,
    clauses,
    last_question,
    question_share,
    segments,
)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Where is the key?", ["Where is the key?"]),
        ("It rains. Where is the key? Thanks!", ["It rains.", "Where is the key?", "Thanks!"]),
        ("今天真冷。我想问的是：钥匙在哪？", ["今天真冷。", "我想问的是：", "钥匙在哪？"]),
        ("Version 2.5.1 of app.py fails", ["Version 2.5.1 of app.py fails"]),
        ("!!! ???", ["!!! ???"]),
        ("", [""]),
    ],
)
def test_sentences_are_cut_at_their_ends(text: str, parts: list[str]) -> None:
    assert clauses(text) == parts


def test_of_a_very_long_turn_the_last_sentences_count() -> None:
    found = clauses(" ".join(f"Sentence number {n}." for n in range(200)))
    assert len(found) == LONGEST
    assert found[-1] == "Sentence number 199."


@settings(deadline=None, max_examples=100)
@given(text=st.text(max_size=300))
def test_any_text_has_at_least_one_sentence_made_of_its_own_words(text: str) -> None:
    found = clauses(text)
    assert found
    assert all(part in text for part in found)


@pytest.mark.parametrize("text", ["Who left?", "tell me who left", "钥匙在哪", "你喜欢茶吗", "why"])
def test_question_is_one_with_or_without_a_mark(text: str) -> None:
    assert asks(text)


@pytest.mark.parametrize("text", ["I left early.", "The whole show", "我喜欢茶。"])
def test_statement_asks_nothing(text: str) -> None:
    assert not asks(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The day it began, what did they say?", ["The day it began", "what did they say"]),
        ("Is Ada older than Ben", ["Is Ada older", "Ben"]),
        ("峰会开幕当天，银行说了什么？", ["峰会开幕当天", "银行说了什么"]),
        ("张伟和李娜谁更高", ["张伟", "李娜谁更高"]),
        # A stretch of two letters says nothing, and a single one is the text.
        ("Where is it, eh", []),
        ("Where is the key?", []),
        ("", []),
    ],
)
def test_stretches_are_cut_at_commas_and_conjunctions(text: str, parts: list[str]) -> None:
    assert segments(text) == parts


def test_of_a_very_long_list_the_last_stretches_count() -> None:
    found = segments(", ".join(f"item {n}" for n in range(50)))
    assert found == [f"item {n}" for n in range(38, 50)]


def test_share_of_questions_is_by_length() -> None:
    assert question_share("I am.") == 0.0
    assert question_share('"Are you well?" ') == 1.0
    assert question_share("你去过吗？") == 1.0
    # 4 of 4 + 13 characters.
    assert question_share("Why? I have to go.") == pytest.approx(4 / 17)
    assert 0.0 < question_share("I started to play chess. Have you tried it?") < 0.6


def test_last_question_is_what_is_asked_in_the_end() -> None:
    assert last_question("When was it? Never mind. Who came? Thanks.") == "Who came?"
    assert last_question("I left. She stayed.") == "I left. She stayed."
