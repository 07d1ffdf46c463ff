"""Is kept what is to be kept, and the rest not? Sentences of every class, each a turn of its own."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import NamedTuple

import pytest

from memweir.learning.capture import read_message
from memweir.learning.chinese.dialect import standard
from memweir.learning.echoes import Unknown
from memweir.learning.extractor import RuleExtractor
from memweir.learning.types import PERSON, Fact, Message, Spoken

NOW = datetime(2026, 6, 15, 10, tzinfo=timezone(timedelta(hours=8)))


class Row(NamedTuple):
    kinds: list[str]
    words: list[str]
    text: str


def _rows() -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    lines = Path(__file__).with_name("chinese_sentences.tsv").read_text(encoding="utf-8").splitlines()
    for line in lines:
        if line and not line.startswith("# "):
            name, kinds, words, text = line.split("\t")
            found[f"{name}-{'none' if kinds == '-' else 'kept'}"].append(
                Row(kinds.split(), words.split(), text)
            )
    return dict(found)


ROWS = _rows()


def facts(text: str) -> list[Fact]:
    message = Message("user", text, PERSON, at=NOW)
    found = read_message(message, RuleExtractor(), Spoken("", NOW), Unknown(), most=8, least=0.35)
    return [each.fact for each in found.found]


def says(fact: Fact, row: Row) -> bool:
    return (
        all(word in fact.statement for word in row.words)
        and fact.kind in row.kinds
        and "我" not in fact.statement
    )


@pytest.mark.parametrize("name", [each for each in ROWS if each.endswith("-kept")])
def test_a_sentence_worth_keeping_is_kept_with_its_words_and_kind(name: str) -> None:
    wrong = [row.text for row in ROWS[name] if not any(says(each, row) for each in facts(row.text))]
    assert wrong == []


@pytest.mark.parametrize("name", [each for each in ROWS if each.endswith("-none")])
def test_nothing_is_kept_of_a_sentence_without_anything_lasting(name: str) -> None:
    wrong = [(row.text, each.statement) for row in ROWS[name] for each in facts(row.text)]
    assert wrong == []


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("聽日我要去養和照胃鏡", "明天我要去养和照胃镜"),
        ("我哋最後揀咗 MIT", "我们最后选了 MIT"),
        ("佢係我家姐", "他是我姐姐"),
        ("我跟他沒關係，係數不對", "我跟他没关系，系数不对"),
        ("專案的資料庫", "项目的数据库"),
        ("我不同意", "我不同意"),
    ],
)
def test_a_dialect_is_read_as_standard_chinese_of_the_same_length(written: str, read: str) -> None:
    assert standard(written) == read
    assert len(standard(written)) == len(written)


def test_a_day_of_the_week_in_a_rule_is_every_one_of_them() -> None:
    fact = facts("周五不发版")[0]
    assert (fact.statement, fact.window) == ("周五不发版。", None)


def test_steps_are_one_procedure_and_a_decision_keeps_what_led_to_it() -> None:
    assert [each.statement for each in facts("部署要先跑 make ship，再打 tag")] == [
        "部署要先跑 make ship，再打 tag。"
    ]
    assert [each.kind for each in facts("跟媳妇商量好了，今年过年不回老家")] == ["decision"]


def test_a_person_named_in_a_command_is_who_the_next_clause_speaks_of() -> None:
    assert [each.statement for each in facts("帮我给我领导写封请假邮件，她叫 Sandra，德国人")] == [
        "用户的领导叫 Sandra，德国人。"
    ]


def test_an_order_to_whoever_is_explicit_and_a_state_of_the_team_is_not() -> None:
    assert facts("日志里不许打印身份证号")[0].explicit
    assert not facts("我们用飞书，不用钉钉")[0].explicit
