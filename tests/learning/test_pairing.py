"""Is a newer statement told to be more evidence, an end, a narrower denial or another fact?"""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.learning.claims import read_claim
from memweir.learning.pairing import VERDICTS, judge, says_same


def decision(older: str, newer: str) -> str:
    return judge(older, newer).decision


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The user prefers tea to coffee", "The user still prefers tea to coffee"),
        ("The API is public", "The API is not private"),
        ("Caching is switched off", "Caching is not switched on"),
        ("The timeout is 60 seconds", "The timeout is 1 minute"),
        ("The wedding is on 2027-06-05", "The wedding is on June 5, 2027"),
        ("The user gets up at 6:30 am", "The user gets up at half past six"),
        ("The user taught Ben to swim", "Ben was taught to swim by the user"),
        ("The user does not eat gluten", "The user doesn't eat gluten because of coeliac disease"),
        ("Logs are stored in Loki", "Logs are stored in Loki, with two replicas"),
        ("The user has a bicycle", "The user has a red bicycle"),
        ("The database is PostgreSQL", "数据库是 PostgreSQL"),
        ("用户住在柏林", "The user lives in Berlin"),
        ("会议下午三点开始", "会议 15:00 开始"),
        ("折扣是百分之二十", "折扣是 20%"),
        ("接口不是公开的", "接口是私有的"),
        ("没有测试就不能合并", "合并必须有测试"),
        ("用户每天记账", "为了攒钱，用户每天记账"),
        ("用户推荐小王", "小王被用户推荐"),
        ("后端用 Go", "后端仍然用 Go"),
        ("用户讨厌香菜", "用户不喜欢香菜"),
    ],
)
def test_what_says_the_same_is_more_evidence(older: str, newer: str) -> None:
    assert decision(older, newer) == "reinforce"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        # who does what to whom
        ("The user sends invoices to the accountant", "The accountant sends invoices to the user"),
        ("The frontend calls the backend", "The frontend is called by the backend"),
        ("The user is older than Tom", "Tom is older than the user"),
        ("The user prefers cats to dogs", "The user prefers dogs to cats"),
        ("Data flows from A to B", "Data flows from B to A"),
        ("The user talks about Tom", "Tom talks about the user"),
        ("The user reads books about cats", "The user's cats read books"),
        ("用户给妈妈打电话", "妈妈给用户打电话"),
        ("用户从北京搬到上海", "用户从上海搬到北京"),
        ("前端调用后端", "前端被后端调用"),
        # when
        ("The user runs tests before committing", "The user runs tests after committing"),
        ("用户提交前跑测试", "用户提交后跑测试"),
        ("The user works at Siemens", "The user worked at Siemens"),
        ("The user wants a dog", "The user has a dog"),
        ("用户准备买车", "用户买车了"),
        # how much, how many
        ("The user has two cats", "The user has three cats"),
        ("The user likes most vegetables", "The user likes few vegetables"),
        ("Only admins may delete projects", "Admins may delete projects"),
        ("The password needs at least 8 characters", "The password needs at most 8 characters"),
        ("The user almost missed the train", "The user missed the train"),
        ("The timeout is 30 seconds", "The timeout is 30 minutes"),
        ("The meeting is at 9 am", "The meeting is at 9 pm"),
        ("Contributors may push to main", "Contributors must push to main"),
        # what is joined, excepted, bound together
        ("The user drinks tea or coffee", "The user drinks tea and coffee"),
        ("The user eats meat", "The user eats meat, but not pork"),
        ("用户吃肉", "用户吃肉，除了猪肉"),
        ("The user writes comments in English and docs in Chinese",
         "The user writes comments in Chinese and docs in English"),
        ("用户喜欢茶，不喜欢咖啡", "用户喜欢咖啡，不喜欢茶"),
        ("The user lives in Paris", "The user lives in Paris, Texas"),
        # whose
        ("The user's manager is Anna", "Anna's manager is the user"),
        ("用户喜欢猫", "用户的女儿喜欢猫"),
        ("用户和妈妈住在杭州", "用户的妈妈住在杭州"),
        ("The user likes Berlin", "The user dislikes Berlin"),
    ],
)  # fmt: skip
def test_what_says_something_else_is_never_more_evidence(older: str, newer: str) -> None:
    assert decision(older, newer) != "reinforce"
    assert not says_same(older, newer)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The user works at Siemens", "The user now works at Bosch"),
        ("The build takes 10 minutes", "The build now takes 12 minutes"),
        ("The user is allergic to nuts", "The user is not allergic to nuts"),
        ("The API is public", "The API is private"),
        ("The user smokes", "The user quit smoking"),
        ("The user is a member of the rowing club", "The user left the rowing club"),
        ("Emails are sent by Postmark", "Emails are sent by Mailgun instead of Postmark now"),
        ("用户抽烟", "用户戒烟了"),
        ("构建要 10 分钟", "构建现在要 12 分钟"),
        ("缓存是启用的", "缓存是禁用的"),
        ("用户的猫叫小白", "更正：用户的猫叫小黑，不叫小白"),
        ("项目用 ECharts 的地图组件", "项目已经完全不用 ECharts 了"),
    ],
)
def test_what_ends_a_claim_overwrites_it(older: str, newer: str) -> None:
    assert decision(older, newer) == "overwrite"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The user uses SQLite", "The user no longer uses SQLite's backup interface"),
        ("The user goes swimming", "The user does not go swimming in winter"),
        ("The app works offline", "The app's map view doesn't work offline"),
        ("用户用 SQLite", "用户不再用 SQLite 的备份接口"),
        ("用户每天跑步", "用户下雨天不跑步"),
        ("用户爱吃鱼", "用户不爱吃生鱼片"),
    ],
)
def test_denying_a_part_only_weakens(older: str, newer: str) -> None:
    assert decision(older, newer) == "weaken"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The user uses SQLite", "The user uses PostgreSQL"),
        ("The user uses Vim", "The user now uses Emacs"),
        ("The team uses Slack", "The team now uses Slack for alerts"),
        ("The user has a cat", "The user now has a dog"),
        ("The shop opens at 8", "The shop closes at 8"),
        ("The user is allergic to nuts", "The user's brother is not allergic to nuts"),
        ("The user drives a diesel", "The user might buy an electric car"),
        ("The user drives a diesel", "Does the user drive a diesel?"),
        ("The user's left knee hurts", "The user's right knee hurts"),
        ("用户用 SQLite", "用户用 PostgreSQL"),
        ("用户的法语课在周四", "用户的舞蹈课改到了周四"),
        ("用户戴眼镜", "用户小时候不戴眼镜"),
        ("安卓端需要登录", "网页端不需要登录"),
    ],
)
def test_what_is_about_something_else_stays_apart(older: str, newer: str) -> None:
    assert decision(older, newer) == "separate"


def test_what_is_stronger_is_evidence_for_what_is_weaker_and_not_the_reverse() -> None:
    assert decision("The user likes Berlin", "The user loves Berlin") == "reinforce"
    assert decision("The user loves Berlin", "The user likes Berlin") == "separate"


STATEMENTS = st.builds(
    lambda subject, verb, thing, rest: f"{subject} {verb} {thing}{rest}",
    st.sampled_from(["The user", "The team", "The user's sister", "Mina"]),
    st.sampled_from(["uses", "likes", "does not use", "no longer uses", "prefers", "stores data in"]),
    st.sampled_from(["Redis", "the blue editor", "tea", "3 servers", "Vault"]),
    st.sampled_from(["", " on Mondays", ", one per region", " at work", " before lunch"]),
)


@given(STATEMENTS)
@settings(deadline=None, max_examples=40)
def test_a_statement_is_more_evidence_for_itself(text: str) -> None:
    assert decision(text, text) == "reinforce"
    assert decision(text, f"{text}.") == "reinforce"


@given(STATEMENTS, STATEMENTS)
@settings(deadline=None, max_examples=60)
def test_saying_the_same_does_not_depend_on_which_is_older(one: str, other: str) -> None:
    assert says_same(one, other) is says_same(other, one)
    assert says_same(one, other) is ("reinforce" in (decision(one, other), decision(other, one)))


@given(st.text(max_size=60), st.text(max_size=60))
@settings(deadline=None, max_examples=60)
def test_any_two_texts_get_a_verdict_with_a_reason(one: str, other: str) -> None:
    verdict = judge(one, other)
    assert verdict.decision in VERDICTS
    assert verdict.reason


def test_a_text_too_long_to_be_one_claim_is_read_as_nothing() -> None:
    assert read_claim("The user uses Redis " * 40).units == ()
    assert decision("word " * 200, "word " * 200) == "separate"


def test_verdicts_do_not_depend_on_the_hash_seed() -> None:
    code = (
        "from memweir.learning.pairing import judge;"
        "print(judge('支付模块依赖风控模块', '风控模块被支付模块依赖'),"
        "judge('The team migrated from SVN to Git', 'The team uses Git now instead of SVN'))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path), "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(said) == 1
