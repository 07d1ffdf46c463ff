"""Is it known what kind of answer a question is after, and whether a text holds one?"""

from __future__ import annotations

import pytest

from memweir.retrieval.answering import (
    Wanted,
    holds_name,
    holds_number,
    says_when,
    states_preference,
    wanted,
)


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("When did she move?", {"when"}),
        ("她什么时候搬家的", {"when"}),
        ("How many cats does he have?", {"number"}),
        ("他有几只猫", {"number"}),
        ("How long did it take?", {"when", "number"}),
        ("Which of the two is older?", {"number", "name"}),
        ("哪个活动的人数更多", {"number"}),
        ("他的生日是什么", {"when"}),
        ("Who came?", {"name"}),
        ("Where did she move?", {"name"}),
        ("Can you recommend a hotel?", {"preference"}),
        ("推荐一家餐厅", {"preference"}),
        ("How does he feel?", set()),
        ("I left early.", set()),
        ("我喜欢茶", set()),
    ],
)
def test_what_would_answer_is_known(question: str, kinds: set[str]) -> None:
    assert wanted(question, question) == Wanted(**dict.fromkeys(kinds, True))


def test_advice_is_asked_for_in_any_sentence_of_a_turn() -> None:
    assert wanted("Is it far?", "Please suggest a museum. Is it far?").preference
    assert not wanted("Is it far?", "I saw a museum. Is it far?").preference


def test_time_is_told_from_a_text_without_any() -> None:
    assert says_when("We met last week")
    assert says_when("三月去过")
    assert not says_when("We met at the station")


def test_number_is_one_in_digits_or_words() -> None:
    assert holds_number("at 7 sharp")
    assert holds_number("twice a day")
    assert holds_number("养了两只猫")
    assert not holds_number("at noon")


def test_name_is_a_capital_inside_a_sentence_that_the_question_does_not_hold() -> None:
    assert holds_name("it was with Zoltan", "who came?")
    assert not holds_name("it was with Zoltan", "did zoltan come?")
    assert not holds_name("Nobody came. It rained", "who came?")
    assert not holds_name("昨天来了", "who came?")


@pytest.mark.parametrize(
    "text", ["I can't stand noise", "I'd rather walk", "allergic to nuts", "我不吃辣", "最爱爬山"]
)
def test_taste_or_need_is_stated(text: str) -> None:
    assert states_preference(text)


@pytest.mark.parametrize("text", ["We met at the station", "昨天去了车站", "a glass of water"])
def test_plain_fact_states_no_taste(text: str) -> None:
    assert not states_preference(text)
