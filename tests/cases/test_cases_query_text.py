"""Does whatever a turn says reach the index as plain text? Section A of the cases: the query."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memweir import Config, Memory
from memweir.config import StoreConfig
from memweir.testing import SCOPE

Tell = Callable[..., list[str]]
Open = Callable[..., Memory]
Only = Callable[..., Config]

# Everyday lines that share nothing but small words with the questions of this file.
ENGLISH = (
    "Talked to Ada about the roadmap",
    "The build moved to another runner",
    "We agreed to review pull requests daily",
    "Bob wants to learn Rust",
    "Send the invoice to accounting",
    "The cat likes to sleep",
    "Move the meeting to Monday",
    "The team voted to adopt tabs",
    "Remember to water the plants",
    "Lin is going to Kyoto in May",
    "The API returns errors to the client",
    "Try to keep functions short",
    "The logs go to stdout",
    "It took two hours to compile",
    "She prefers tea to coffee",
    "Add a header to the report",
    "The door to the lab is locked",
    "Ask Sam to approve the budget",
    "From dusk to dawn the lamp is on",
    "He swims to relax",
)
CHINESE = (
    "把报告发给财务",
    "我们的会议改到周一了",
    "他的猫喜欢睡觉",
    "把日志写到标准输出",
    "这是测试的结果",
    "茶比咖啡更合她的口味",
    "小林五月要去京都",
    "门是锁着的",
    "我们决定每天评审代码",
    "构建花了两个小时",
    "团队投票使用制表符",
    "不要忘记给植物浇水",
    "接口把错误返回给客户端",
    "他的预算要老板批准",
    "在报告里加了一个标题",
)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("run pre-edit check", "pre-edit"),
        ("run pre-edit check", "pre -edit"),
        ("run pre-edit check", "-edit"),
        ("git commit --no-verify skips the hooks", "--no-verify"),
        ("the co-op opens at nine", "when does the co-op open?"),
        ("预发-环境已经就绪", "预发-环境"),
        ("run pre‑edit check", "pre-edit"),  # a non-breaking hyphen was stored
        ("never use NOT in labels", "NOT in labels"),
    ],
)
def test_case_01_hyphen_is_no_operator(memory: Memory, tell: Tell, text: str, query: str) -> None:
    wanted, *_ = tell(memory, text, *ENGLISH)
    assert [item.id for item in memory.recall(query, scope=SCOPE).items] == [wanted]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Don't use agents for releases", "don't use agents"),
        ("Don’t use agents for releases", "don't use agents"),
        ("Ada's laptop is the grey one", "Ada's laptop"),
        ("Lunch is at twelve o'clock", "o'clock"),
        ("They play rock 'n' roll", "rock 'n' roll"),
        ("L'heure d'été commence dimanche", "l'heure d'été"),
        ("Seán O'Brien signs the contracts", "O'Brien"),
        ("他说‘下周’交付", "'下周'交付"),
    ],
)
def test_case_02_apostrophe_is_no_quote(memory: Memory, tell: Tell, text: str, query: str) -> None:
    wanted, *_ = tell(memory, text, *ENGLISH)
    assert wanted in [item.id for item in memory.recall(query, scope=SCOPE).items]


@pytest.mark.parametrize(
    "query",
    [
        '"--error-on-warnings"',
        "NEAR(alpha beta)",
        "alpha* OR",
        "col:alpha",
        "^alpha",
        "alpha AND beta OR NOT gamma",
        "{body title}: alpha",
        "alpha + beta",
        'say "alpha',
        "alpha; DROP TABLE memory; --",
        "alpha NEAR/2 beta",
        "-alpha",
        "(alpha",
        "alpha) OR (beta",
        "阿尔法 AND 贝塔",
    ],
)
def test_case_04_index_syntax_is_literal_text(memory: Memory, tell: Tell, query: str) -> None:
    wanted, *_ = tell(memory, f"the note says {query} and no more", *ENGLISH)
    recall = memory.recall(query, scope=SCOPE)
    assert recall.items[0].id == wanted
    assert recall.items[0].ranks["keyword"] == 1


@pytest.mark.parametrize(
    "query", ['"', "'", "(((", ")", "*", '""""', "{}", ":", "^", "--", "NEAR(", "OR"]
)
def test_case_04_bare_syntax_finds_nothing_and_says_why(memory: Memory, tell: Tell, query: str) -> None:
    tell(memory, *ENGLISH)
    recall = memory.recall(query, scope=SCOPE)
    assert recall.items == ()
    assert recall.block == ""
    assert recall.abstained in ("empty-query", "no-match", "irrelevant", "unanswered")


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    query=st.lists(
        st.sampled_from(
            [
                *(
                    '"',
                    "'",
                    "(",
                    ")",
                    "*",
                    ":",
                    "^",
                    "-",
                    "+",
                    "{",
                    "}",
                    ",",
                    ";",
                    "\\",
                    "%",
                    "_",
                    "\x00",
                ),
                *("AND", "OR", "NOT", "NEAR", "/2", " ", "body", "scope", "s1", "tea", "茶", "rowid"),
                "\ud83d",
            ]
        ),
        max_size=12,
    ).map("".join)
)
def test_case_04_no_mix_of_syntax_raises_or_crosses_scopes(memory: Memory, query: str) -> None:
    if not memory.stats().memories:
        memory.remember("tea 茶 is body NOT scope", scope=SCOPE)
    recall = memory.recall(query, scope=[SCOPE], record=False)
    assert {item.scope for item in recall.candidates} <= {"project:atlas"}
    assert all(0.0 <= item.score <= 1.0 for item in recall.candidates)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("the build host runs ubuntu 20.04", "ubuntu 20.04"),
        ("skill-audit comes before the gate", "skill-audit, gate"),
        ("the parser is written in C++", "C++, parser"),
        ("read src/app/main.py first", "src/app/main.py?"),
        ("coverage must stay above 85%", "85%"),
        ("mail goes to ops@example.org", "ops@example.org"),
        ("closes issue #4711", "#4711"),
        ("the gateway is 10.0.0.254:8443", "10.0.0.254:8443!"),
        ("max_connections is 200", "max_connections=200"),
        ("数据库是 PostgreSQL 16.4", "PostgreSQL 16.4，数据库"),
        ("预算是 3,500 元", "3,500"),
    ],
)
def test_case_05_punctuation_in_a_query_keeps_the_keyword_path(
    open_memory: Open, tell: Tell, only: Only, text: str, query: str
) -> None:
    # One of the texts is an address, which would wait for a person's approval.
    config = only("keyword", store=StoreConfig(quarantine_personal_data=False))
    memory = open_memory(config=config)
    wanted, *_ = tell(memory, text, *ENGLISH)
    recall = memory.recall(query, scope=SCOPE)
    assert recall.candidates[0].id == wanted
    assert recall.candidates[0].ranks == {"keyword": 1}
    assert recall.candidates[0].injected


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Codey is reached by telegram", "why can I not reach Codey today"),
        ("Codey is reached by telegram", "为什么我联系不上 Codey"),
        ("可以通过电报联系科迪", "为什么我今天怎么都联系不上科迪呢"),
        (
            "The staging password rotates on the first of the month",
            "can you tell me when the staging password gets rotated, because I always forget it",
        ),
        ("打印机的驱动装在三楼的电脑上", "请问一下有没有人知道打印机的驱动到底装在哪台电脑上"),
    ],
)
def test_case_06_whole_sentence_is_not_an_and_of_its_words(
    memory: Memory, tell: Tell, text: str, query: str
) -> None:
    wanted, *_ = tell(memory, text, *ENGLISH, *CHINESE)
    recall = memory.recall(query, scope=SCOPE)
    assert recall.candidates[0].id == wanted
    assert recall.candidates[0].injected  # as "verify" where most of the sentence stays unanswered


@pytest.mark.parametrize(
    "query",
    [
        "ship to prod safely",
        "how to bake it",
        "what is it to the",
        "to the",
        "to",
        "is",
        "and then to where",
        "安全地上线的方法是什么",
        "怎么把面包烤好",
        "的",
        "了",
        "是的",
        "我们的",
        "的 了 是 在",
    ],
)
def test_case_07_stop_words_alone_inject_nothing(memory: Memory, tell: Tell, query: str) -> None:
    tell(memory, *ENGLISH, *CHINESE)
    recall = memory.recall(query, scope=SCOPE)
    assert recall.items == ()
    assert recall.block == ""
    assert recall.abstained in ("no-match", "irrelevant", "unanswered")


@pytest.mark.parametrize(
    "query",
    ["", " ", "   ", "\u3000", "？！…", "\n\t", "...", "\u200b\ufeff", "\x00", "，。、", "——", "“”"],
)
def test_case_08_blank_query_gives_an_empty_result_with_a_reason(
    memory: Memory, tell: Tell, query: str
) -> None:
    tell(memory, *ENGLISH)
    recall = memory.recall(query, scope=SCOPE)
    assert (recall.block, recall.items, recall.candidates) == ("", (), ())
    assert recall.abstained == "empty-query"
    assert not recall
