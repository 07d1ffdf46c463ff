"""Is small talk told from what asks for something?"""

from __future__ import annotations

import pytest

from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.phatic import is_phatic


def _phatic(text: str) -> bool:
    return is_phatic(default_analyzer().analyse(text).normal)


@pytest.mark.parametrize(
    "text",
    [
        "Thanks!", "OK, thank you very much.", "hello there", "You’re welcome", "carry on please",
        "hmm... wait a moment", "谢谢你！", "嗯，明白了", "好的好的，辛苦了", "OK，继续吧", "早上好呀",
    ],
)  # fmt: skip
def test_small_talk_asks_for_nothing(text: str) -> None:
    assert _phatic(text)


@pytest.mark.parametrize(
    "text",
    [
        "what's next?", "thanks, where is the key?", "hello world program", "good restaurants",
        "go on about the kestrel", "ok 42", "", "!!!", "🙂", "你好吗，钥匙在哪", "继续昨天的话题",
        "谢谢小明", "好的餐厅", "a" * 200, "/continue", "the night watch painting",
    ],
)  # fmt: skip
def test_turn_with_a_word_of_its_own_is_a_query(text: str) -> None:
    assert not _phatic(text)


def test_a_run_that_can_be_cut_in_many_ways_is_read_once() -> None:
    # Cut by a regular expression, each repetition doubled the ways to try.
    assert not is_phatic("继续吧" * 26 + "猫")
    assert is_phatic("继续吧" * 26)
