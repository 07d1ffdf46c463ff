"""Is a contradiction or an update found where there is one, and nowhere else?

`contradiction_set.jsonl` holds pairs that were labelled before there were rules, in two halves; the
rules were made with "dev" alone. A "rule" names the look-alike that a pair without relation is one of.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.contradiction import relation
from memweir.retrieval.statements import read_statement

LABELLED: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "contradiction_set.jsonl").read_text("utf-8").splitlines()
]


def related(new: str, old: str) -> str:
    analyzer = default_analyzer()
    return relation(read_statement(new, analyzer), read_statement(old, analyzer))


# --- the labelled set ---------------------------------------------------------------------------------


def test_labelled_set_is_large_and_mostly_look_alikes() -> None:
    for lang in ("en", "zh"):
        labels = Counter(pair["label"] for pair in LABELLED if pair["lang"] == lang)
        assert labels.total() >= 150
        assert labels["none"] / labels.total() >= 0.55
        assert min(labels["contradiction"], labels["update"]) >= 40


@pytest.mark.parametrize("half", ["dev", "held"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_question_is_raised_where_one_is_due_and_hardly_elsewhere(half: str, lang: str) -> None:
    pairs = [pair for pair in LABELLED if pair["half"] == half and pair["lang"] == lang]
    due = [pair for pair in pairs if pair["label"] != "none"]
    raised = [pair for pair in pairs if related(pair["new"], pair["old"])]
    right = [pair for pair in raised if pair["label"] != "none"]
    assert len(right) / len(raised) >= 0.95
    assert len(right) / len(due) >= 0.7


@pytest.mark.parametrize("rule", sorted({pair["rule"] for pair in LABELLED if "rule" in pair}))
def test_no_question_is_raised_by_a_look_alike(rule: str) -> None:
    pairs = [pair for pair in LABELLED if pair.get("rule") == rule]
    assert len(pairs) >= 4
    raised = [(pair["new"], pair["old"]) for pair in pairs if related(pair["new"], pair["old"])]
    assert raised == []


def test_relation_found_is_the_relation_labelled() -> None:
    found = [(related(pair["new"], pair["old"]), pair["label"]) for pair in LABELLED]
    agreed = sum(got == label for got, label in found if got)
    assert agreed / sum(bool(got) for got, _ in found) >= 0.97


# --- rules, each by what it is for --------------------------------------------------------------------


def test_opposite_polarity_of_the_same_is_a_contradiction_in_either_order() -> None:
    for one, other in [
        ("Production deployment is allowed", "Production deployment is not allowed"),
        ("允许部署到生产", "不允许部署到生产"),
        ("Ada likes tea", "Ada hates tea"),
    ]:
        assert related(one, other) == related(other, one) == "contradiction"


def test_restating_is_no_contradiction() -> None:
    assert related("Ada doesn't like tea", "Ada hates tea") == ""
    assert related("阳台上禁止抽烟", "阳台上不允许抽烟") == ""


def test_not_liking_and_not_hating_is_no_contradiction() -> None:
    assert related("Ada doesn't like tea", "Ada doesn't hate tea") == ""


def test_negation_counts_only_exactly_where_two_statements_part() -> None:
    assert related("The build is not slow and uses pnpm", "The build is slow and uses npm") == ""
    assert related("The build is not slow and uses pnpm", "The build is slow and uses pnpm") == (
        "contradiction"
    )


@pytest.mark.parametrize(
    ("new", "old"),
    [("Don't forget to run the tests", "Run the tests"), ("别忘了关灯", "关灯")],
)
def test_do_not_forget_to_does_not_contradict_the_thing(new: str, old: str) -> None:
    assert related(new, old) == ""


def test_do_not_forget_to_contradicts_not_doing_it() -> None:
    assert related("Don't forget to lock the door", "Don't lock the door") == "contradiction"
    assert related("别忘了关灯", "不要关灯") == "contradiction"


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("2. install pnpm", "1. install node"),
        ("第二步：端口改为 8080", "第一步：端口是 80"),
        ("- the port was changed to 8080", "- the port is 80"),
    ],
)
def test_two_items_of_a_list_are_no_update(new: str, old: str) -> None:
    assert related(new, old) == ""


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Merged PR #480", "Merged PR #260"),
        ("The SSH port is 49222", "The SSH port is 22"),
        ("SSH 端口是 49222", "SSH 端口是 22"),
    ],
)
def test_two_numbers_without_a_word_of_change_are_two_facts(new: str, old: str) -> None:
    assert related(new, old) == ""


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("SSH 端口改到 49222", "服务器 SSH 端口是 22"),
        ("The SSH port was changed to 49222", "The server's SSH port is 22"),
        ("The SSH port was changed to 49222", "The SSH port was changed to 8022"),
    ],
)
def test_two_numbers_with_a_word_of_change_are_an_update(new: str, old: str) -> None:
    assert related(new, old) == "update"


def test_update_to_what_is_known_already_is_none() -> None:
    assert related("The SSH port was changed to 22", "The SSH port is 22") == ""
    assert related("We stopped using Jenkins", "We have stopped using Jenkins") == ""
    assert related("爸爸戒烟了", "爸爸已经戒烟了") == ""


def test_value_of_another_kind_is_not_outdated() -> None:
    assert related("The meeting was moved to room 5", "The meeting is at 3pm") == ""
    assert related("The meeting was moved to Friday", "The meeting is on Monday") == "update"
    assert related("Our database was moved to Frankfurt", "Our database is PostgreSQL") == ""


def test_number_of_another_unit_is_not_outdated() -> None:
    assert related("The session was extended to 90 minutes", "The session is on Friday at 9") == ""
    assert related("The session was extended to 90 minutes", "The session takes 60 minutes") == "update"


def test_what_is_not_done_this_once_has_not_ended() -> None:
    assert related("我今天不喝咖啡了", "我喝咖啡") == ""
    assert related("我不喝咖啡了", "我喝咖啡") == "update"


def test_condition_without_a_conjunction_is_no_side() -> None:
    assert related("不喝酒就睡不着", "喝酒就睡不着") == ""


def test_named_old_value_is_outdated_wherever_the_subject_holds_it() -> None:
    assert related("CI switched from Travis to Jenkins", "CI runs on Travis") == "update"
    assert related("CI switched from Travis to Jenkins", "CI runs on Bamboo") == ""
    assert (
        related("CI switched from Travis to Jenkins", "Travis wrote the CI guide for the new team")
        == ""
    )


def test_other_subject_is_not_outdated() -> None:
    assert related("The staging port was changed to 8081", "The production port is 8080") == ""
    assert related("The meeting was moved to Friday", "The second meeting is on Monday") == ""
    assert related("The timeout was increased to 30 seconds", "The HTTP timeout is 10 seconds") == ""
    assert related("会议改到五号", "会议室是 301") == ""


def test_other_person_is_not_outdated() -> None:
    assert related("I no longer eat meat", "Lena eats meat every day") == ""
    assert related("He moved to Berlin", "I live in Paris") == ""
    assert related("I moved to Berlin", "I live in Paris") == "update"
    assert related("His phone number changed to 555-0199", "My phone number is 555-0142") == ""
    assert related("我哥不抽烟了", "我抽烟") == ""


def test_end_of_something_narrower_does_not_end_the_whole() -> None:
    assert (
        related("The project no longer uses SQLite's backup interface", "The project uses SQLite") == ""
    )
    assert related("项目不再使用 SQLite 的备份接口", "项目使用 SQLite") == ""
    assert related("The project no longer uses SQLite", "The project uses SQLite") == "update"


def test_related_but_different_statements_are_neither() -> None:
    assert related("The service uses PostgreSQL", "The service uses SQLite") == ""


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Is production deployment not allowed?", "Production deployment is allowed"),
        ("If the port is changed to 49222, tell me", "The port is 22"),
        ("You don't use npm anymore, do you?", "You use npm"),
        ("我们可能从 npm 换成 pnpm", "我们用 npm"),
        ("Production deployment is not allowed", "Is production deployment allowed?"),
        ("The port was changed to 49222", "If the port is 22, change it"),
    ],
)
def test_question_or_condition_is_never_a_side(new: str, old: str) -> None:
    assert related(new, old) == ""


def test_days_that_differ_are_two_facts() -> None:
    assert related("We don't deploy on Fridays", "We deploy on Mondays") == ""
    assert related("五月四号没有课", "五月十一号有课") == ""
    assert related("周五不发布", "周一发布") == ""


def test_day_told_by_the_day_of_telling_is_never_a_side_of_a_contradiction() -> None:
    assert related("There is no standup today", "There is a standup today") == ""
    assert related("今天不开会", "今天开会") == ""


def test_double_negation_affirms() -> None:
    assert related("Force pushing is not prohibited", "Force pushing is allowed") == ""
    assert related("Force pushing is not prohibited", "Force pushing is not allowed") == "contradiction"
    assert related("小王不是不喜欢喝茶", "小王喜欢喝茶") == ""


def test_words_of_somebody_else_are_never_a_side() -> None:
    assert related('Ben said "we no longer use npm"', "We use npm") == ""
    assert related("听说小王搬到北京了", "小王住在上海") == ""
    assert related("报错提示“不允许登录”", "报错提示“允许登录”") == ""


def test_end_of_what_is_denied_already_is_none() -> None:
    assert related("We no longer use npm", "We don't use npm") == ""


def test_statement_after_its_end_was_told_is_a_contradiction() -> None:
    assert related("We use npm", "We no longer use npm") == "contradiction"


def test_long_text_clashes_with_nothing() -> None:
    long = "Production deployment is not allowed. " * 60
    assert len(long) > 2_000
    assert related(long, "Production deployment is allowed") == ""
    assert related("The SSH port was changed to 22", "The SSH port is 49222. " * 100) == ""


_TEXTS = st.sampled_from(
    [each for pair in LABELLED for each in (pair["new"], pair["old"])],
) | st.text(max_size=40)


@settings(deadline=None, max_examples=300)
@given(_TEXTS, _TEXTS)
def test_contradiction_holds_both_ways_and_needs_equal_skeletons(one: str, other: str) -> None:
    analyzer = default_analyzer()
    new, old = read_statement(one, analyzer), read_statement(other, analyzer)
    found = relation(new, old)
    assert found in ("", "update", "contradiction")
    if found == "contradiction":
        assert new.skeleton == old.skeleton
        assert new.polarity != old.polarity
        assert relation(old, new)
    if found == "update":
        assert new.reversal


@settings(deadline=None, max_examples=200)
@given(_TEXTS)
def test_no_sentence_has_a_relation_to_itself(text: str) -> None:
    assert related(text, text) == ""


# --- plain reversals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The API listens on port 8443", "The API now listens on port 9443 instead of 8443"),
        ("We use Postgres 14 in production", "We migrated to Postgres 16 in production"),
        ("推送通知用极光", "推送通知改用小米，极光不再使用"),
        ("评审定在周三", "评审推迟到周五"),
        ("小李负责后端", "后端不再由小李负责，改由小陈负责"),
    ],
)
def test_plain_reversal_is_an_update_and_its_terms_find_the_old_text(old: str, new: str) -> None:
    assert related(new, old) == "update"
    analyzer = default_analyzer()
    wanted = read_statement(new, analyzer).lookup_terms
    assert set(wanted) & set(analyzer.analyse(old).terms)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Another subject, another place, another thing, the same value.
        ("The API listens on port 8443", "The console now listens on port 9443 instead of 443"),
        ("We use Postgres 14 in production", "We migrated to Postgres 16 in staging"),
        ("We use Postgres 14 in production", "They migrated to Postgres 16 in production"),
        ("We use Postgres 14 in production", "We migrated to Redis 16 in production"),
        ("We use Postgres 16 in production", "We migrated to Postgres 16 in production"),
        ("The meeting is in room 14", "We moved to room 16"),
        ("短信用极光", "推送通知改用小米，极光不再使用"),
        ("推送通知用小米", "推送通知改用小米，极光不再使用"),
        ("评审定在周三", "发布推迟到周五"),
        ("小李负责前端", "后端不再由小李负责，改由小陈负责"),
        ("小陈负责后端", "后端不再由小李负责，改由小陈负责"),
    ],
)
def test_what_only_looks_like_the_old_value_is_no_update(old: str, new: str) -> None:
    assert related(new, old) == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("提交前必须跑测试", "提交前不必跑测试"),
        ("All tests must pass before a merge", "All tests need not pass before a merge"),
        ("All tests must pass before a merge", "All tests must not pass before a merge"),
        ("测试必须联网", "测试不得联网"),
    ],
)
def test_what_must_be_and_what_need_not_or_must_not_be_contradict_each_other(
    old: str, new: str
) -> None:
    assert related(new, old) == related(old, new) == "contradiction"
