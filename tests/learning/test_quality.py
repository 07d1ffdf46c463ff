"""Does the quality gate hold back what is no lasting fact, and nothing else?"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.errors import ConfigError, InputError
from memweir.learning.quality import MIN_CHARS, consolidatable, weighted_length


@pytest.mark.parametrize(
    "text",
    [
        "The user prefers tabs",
        "The user smokes",
        "When the flag is set, the cache is off",
        "Should a test fail, the deployment stops",
        "The user's questions are answered by mail",
        "Please always answer in English",
        "From now on commits are signed",
        "The checkout service retries 3 times",
        "用户抽烟",
        "用户的问题已经解决了",
        "用户要求访问日志保留三十天",
        "请始终用中文回答",
        "把关代码质量的是王工",
        "用户喜欢把窗户开着",
    ],
)
def test_a_lasting_fact_may_be_evidence(text: str) -> None:
    assert consolidatable(text) is None


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("ok", "quality.short"),
        ("用户吃", "quality.short"),
        ("   \n", "quality.short"),
        ("Time sampled while preparing turn 12", "quality.scaffolding"),
        ("[Elapsed since the preceding turn: 3 s]", "quality.scaffolding"),
        ("HEARTBEAT 2026-11-01T10:00:00Z", "quality.scaffolding"),
        ("Available skills: deploy, review", "quality.scaffolding"),
        ("当前时间：2026-11-01 10:00", "quality.scaffolding"),
        ("可用技能：部署、审查", "quality.scaffolding"),
        ("What is the port of the gateway?", "quality.question"),
        ("Is the cache shared between tenants", "quality.question"),
        ("The user asked whether Redis is needed", "quality.question"),
        ("用户的端口是多少？", "quality.question"),
        ("这个接口需要登录吗", "quality.question"),
        ("为什么构建这么慢", "quality.question"),
        ("Please fix the failing test", "quality.instruction"),
        ("Help me write the release notes", "quality.instruction"),
        ("帮我把日志清一下", "quality.instruction"),
        ("把这个函数改成异步的", "quality.instruction"),
        ("先找出所有失败的测试", "quality.instruction"),
    ],
)
def test_what_is_no_lasting_fact_is_held_back(text: str, rule: str) -> None:
    assert consolidatable(text) == rule


def test_a_chinese_character_counts_three_times() -> None:
    # 4 Chinese characters are 12, as many as "The user runs" has less one.
    assert weighted_length("用户抽烟") == 12 == MIN_CHARS
    assert weighted_length("  用 X  ") == 5  # 3 + space + 1
    assert consolidatable("用户吃", min_chars=9) is None


def test_a_pattern_of_the_user_holds_back_whatever_its_case() -> None:
    assert consolidatable("The sprint board is at Jira", skip_patterns=["jira"]) == "quality.pattern"
    assert consolidatable("The sprint board is at Jira", skip_patterns=["trello"]) is None


def test_a_bad_pattern_is_a_typed_error_that_names_the_setting() -> None:
    with pytest.raises(ConfigError, match="reflect_skip_patterns") as raised:
        consolidatable("The user prefers tabs", skip_patterns=["fine", "("])
    assert isinstance(raised.value, InputError)


def test_a_bad_pattern_is_an_error_for_a_text_that_is_held_back_anyway() -> None:
    with pytest.raises(ConfigError):
        consolidatable("ok", skip_patterns=["["])


def test_a_length_below_nothing_is_an_error() -> None:
    with pytest.raises(ConfigError):
        consolidatable("The user prefers tabs", min_chars=-1)


@given(st.text(max_size=80), st.integers(0, 60))
@settings(deadline=None, max_examples=60)
def test_any_text_gets_an_answer_and_a_lower_limit_holds_back_no_more(text: str, limit: int) -> None:
    rule = consolidatable(text, min_chars=limit)
    assert rule is None or rule.startswith("quality.")
    if rule is None:
        assert consolidatable(text, min_chars=0) is None
