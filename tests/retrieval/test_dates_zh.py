"""Chinese date expressions, each with the exact days it means on Wednesday 15 October 2025."""

from __future__ import annotations

from datetime import UTC, date, datetime

import opencc
import pytest

from memweir.retrieval import dates_zh
from memweir.retrieval.dates import find_dates
from memweir.retrieval.dates_grammar import fold
from memweir.retrieval.types import Window

NOW = datetime(2025, 10, 15, 12, tzinfo=UTC)  # a Wednesday; the week is 13 to 19 October

# text with the span in [brackets] | first day | last day (empty: the same) | flag: R recurring
TABLE = """
[今天]几号                  | 2025-10-15 |            |
[昨天]做了什么              | 2025-10-14 |            |
[前天]                      | 2025-10-13 |            |
[大前天]                    | 2025-10-12 |            |
[明天]                      | 2025-10-16 |            |
[后天]                      | 2025-10-17 |            |
[大后天]                    | 2025-10-18 |            |
[今晚]吃什么                | 2025-10-15 |            |
[昨晚]                      | 2025-10-14 |            |
[今早]                      | 2025-10-15 |            |
[昨日]                      | 2025-10-14 |            |
[三天前]定的                | 2025-10-12 |            |
[3天前]                     | 2025-10-12 |            |
[3 天前]                    | 2025-10-12 |            |
[两天前]                    | 2025-10-13 |            |
[前两天]                    | 2025-10-13 | 2025-10-14 |
[前三天]                    | 2025-10-12 | 2025-10-14 |
[两三天前]                  | 2025-10-12 | 2025-10-13 |
[几天前]                    | 2025-10-08 | 2025-10-13 |
[前几天]                    | 2025-10-08 | 2025-10-14 |
[十几天前]                  | 2025-09-26 | 2025-10-04 |
[二十三天前]                | 2025-09-22 |            |
[两周前]                    | 2025-09-29 | 2025-10-05 |
[两个星期前]                | 2025-09-29 | 2025-10-05 |
[三个月前]                  | 2025-07-01 | 2025-07-31 |
[三个月之前]                | 2025-07-01 | 2025-07-31 |
[三个多月前]                | 2025-06-01 | 2025-07-31 |
[半年前]                    | 2025-04-01 | 2025-04-30 |
[半个月前]                  | 2025-09-29 | 2025-10-05 |
[两年前]                    | 2023-01-01 | 2023-12-31 |
[一年半前]                  | 2024-04-01 | 2024-04-30 |
[3小时前]                   | 2025-10-15 |            |
[最近24小时]                | 2025-10-14 | 2025-10-15 |
[一个半小时前]              | 2025-10-15 |            |
[三天后]                    | 2025-10-18 |            |
[两周以后]                  | 2025-10-27 | 2025-11-02 |
[半年后]                    | 2026-04-01 | 2026-04-30 |
[最近]忙什么                | 2025-10-01 | 2025-10-15 |
[近来]                      | 2025-10-01 | 2025-10-15 |
[前日]                      | 2025-10-13 |            |
[好几天前]                  | 2025-10-08 | 2025-10-13 |
[前些天]                    | 2025-10-01 | 2025-10-14 |
[前阵子]                    | 2025-08-16 | 2025-10-14 |
[这个夏天]                  | 2025-06-01 | 2025-08-31 |
[上个冬天]                  | 2024-12-01 | 2025-02-28 |
[2019至2021年]              | 2019-01-01 | 2021-12-31 |
[最近三天]                  | 2025-10-12 | 2025-10-15 |
[最近几天]                  | 2025-10-08 | 2025-10-15 |
[过去一周]                  | 2025-10-08 | 2025-10-15 |
[近半年]                    | 2025-04-15 | 2025-10-15 |
[近三年来]                  | 2022-10-15 | 2025-10-15 |
[这两天]                    | 2025-10-13 | 2025-10-15 |
[未来三天]                  | 2025-10-15 | 2025-10-18 |
[上周]                      | 2025-10-06 | 2025-10-12 |
[本周]                      | 2025-10-13 | 2025-10-19 |
[这周]                      | 2025-10-13 | 2025-10-19 |
[下周]                      | 2025-10-20 | 2025-10-26 |
[上上周]                    | 2025-09-29 | 2025-10-05 |
[下下周]                    | 2025-10-27 | 2025-11-02 |
[上个星期]                  | 2025-10-06 | 2025-10-12 |
[上周五]下午                | 2025-10-10 |            |
[上星期五]                  | 2025-10-10 |            |
[上个礼拜五]                | 2025-10-10 |            |
[上周一]早上                | 2025-10-06 |            |
[上上周三]                  | 2025-10-01 |            |
[本周三]                    | 2025-10-15 |            |
[下周日]                    | 2025-10-26 |            |
[周五]                      | 2025-10-10 |            |
[星期天]                    | 2025-10-12 |            |
打算[周五]去                | 2025-10-17 |            |
[上周末]                    | 2025-10-11 | 2025-10-12 |
[本周末]                    | 2025-10-18 | 2025-10-19 |
[上个月]                    | 2025-09-01 | 2025-09-30 |
[这个月]                    | 2025-10-01 | 2025-10-31 |
[下个月]                    | 2025-11-01 | 2025-11-30 |
[上上个月]                  | 2025-08-01 | 2025-08-31 |
[上月底]                    | 2025-09-21 | 2025-09-30 |
[上个月5号]                 | 2025-09-05 |            |
[上个月第二周]              | 2025-09-08 | 2025-09-14 |
[月初]                      | 2025-10-01 | 2025-10-10 |
[月中]                      | 2025-10-11 | 2025-10-20 |
[月底]                      | 2025-10-21 | 2025-10-31 |
[去年]                      | 2024-01-01 | 2024-12-31 |
[今年]                      | 2025-01-01 | 2025-12-31 |
[明年]                      | 2026-01-01 | 2026-12-31 |
[前年]                      | 2023-01-01 | 2023-12-31 |
[后年]                      | 2027-01-01 | 2027-12-31 |
[去年五月]                  | 2024-05-01 | 2024-05-31 |
[今年3月5日]                | 2025-03-05 |            |
[上半年]                    | 2025-01-01 | 2025-06-30 | R
[去年下半年]                | 2024-07-01 | 2024-12-31 |
[第三季度]                  | 2025-07-01 | 2025-09-30 | R
[一季度]                    | 2025-01-01 | 2025-03-31 | R
[2024年第三季度]            | 2024-07-01 | 2024-09-30 |
[2024年Q3]                  | 2024-07-01 | 2024-09-30 |
[上季度]                    | 2025-07-01 | 2025-09-30 |
[年初]                      | 2025-01-01 | 2025-02-28 | R
[年中]                      | 2025-06-01 | 2025-07-31 | R
[年底]                      | 2024-11-01 | 2024-12-31 | R
[去年底]                    | 2024-11-01 | 2024-12-31 |
[二〇二四年三月五日]        | 2024-03-05 |            |
[二零二四年三月五号]        | 2024-03-05 |            |
[2024年3月5日]              | 2024-03-05 |            |
[2024 年 3 月 5 日]         | 2024-03-05 |            |
[24年3月5日]                | 2024-03-05 |            |
在[5月6号]，我说了什么      | 2025-05-06 |            | R
[十二月三十一日]            | 2024-12-31 |            | R
[2月29日]                   | 2024-02-29 |            | R
[六月]                      | 2025-06-01 | 2025-06-30 | R
[12月]                      | 2024-12-01 | 2024-12-31 | R
打算[12月]去日本            | 2025-12-01 | 2025-12-31 | R
我曾说过打算[12月]去哪      | 2024-12-01 | 2024-12-31 | R
[2024年]                    | 2024-01-01 | 2024-12-31 |
[2024年5月]                 | 2024-05-01 | 2024-05-31 |
[3月上旬]                   | 2025-03-01 | 2025-03-10 | R
[三月最后一周]              | 2025-03-25 | 2025-03-31 | R
[5月6日（星期二）]          | 2025-05-06 |            | R
[3月到6月]                  | 2025-03-01 | 2025-06-30 | R
[从三月到六月]              | 2025-03-01 | 2025-06-30 | R
[11月到2月]                 | 2024-11-01 | 2025-02-28 | R
[2024年1月至3月]            | 2024-01-01 | 2024-03-31 |
[5月3日到8日]               | 2025-05-03 | 2025-05-08 | R
[5月3日到6月8日]            | 2025-05-03 | 2025-06-08 | R
[去年3月到6月]              | 2024-03-01 | 2024-06-30 |
[3月到明年5月]              | 2025-03-01 | 2026-05-31 |
[2023年到2024年]            | 2023-01-01 | 2024-12-31 |
[2024.05.06-2024.05.08]     | 2024-05-06 | 2024-05-08 |
[2024/5/6-2024/5/8]         | 2024-05-06 | 2024-05-08 |
[3月和6月之间]              | 2025-03-01 | 2025-06-30 | R
[今年2月以来]               | 2025-02-01 | 2025-10-15 |
[从去年开始]                | 2024-01-01 | 2025-10-15 |
[从3月起]                   | 2025-03-01 | 2025-10-15 |
[2024年以前]                | 0001-01-01 | 2023-12-31 |
[2023年之后]                | 2024-01-01 | 9999-12-31 |
[截至2024年5月]             | 0001-01-01 | 2024-05-31 |
[周五前]交报告              | 0001-01-01 | 2025-10-16 |
[国庆前两天]                | 2025-09-29 | 2025-09-30 | R
[2024年春节前一天]          | 2024-02-09 |            |
[国庆第二天]                | 2025-10-02 |            | R
[5月3日那周]                | 2025-04-28 | 2025-05-04 | R
[国庆]                      | 2025-10-01 | 2025-10-07 | R
[去年国庆]去了哪里          | 2024-10-01 | 2024-10-07 |
[国庆节当天]                | 2025-10-01 |            | R
[去年春节]                  | 2024-02-10 | 2024-02-16 |
[2024春节]                  | 2024-02-10 | 2024-02-16 |
[明年春节]                  | 2026-02-17 | 2026-02-23 |
[今年中秋]                  | 2025-10-06 |            |
[端午]                      | 2025-05-31 |            | R
[元旦]                      | 2025-01-01 |            | R
[清明节]                    | 2025-04-04 |            | R
[五一]                      | 2025-05-01 | 2025-05-05 | R
[劳动节]                    | 2025-05-01 | 2025-05-05 | R
[圣诞节]                    | 2024-12-25 |            | R
[情人节]                    | 2025-02-14 |            | R
[除夕]                      | 2025-01-28 |            | R
[元宵节]                    | 2025-02-12 |            | R
[七夕]                      | 2025-08-29 |            | R
[大年初三]                  | 2025-01-31 |            | R
[农历八月十五]              | 2025-10-06 |            | R
[去年夏天]                  | 2024-06-01 | 2024-08-31 |
[今年春天]                  | 2025-03-01 | 2025-05-31 |
[去年冬天]                  | 2024-12-01 | 2025-02-28 |
[去年的今天]                | 2024-10-15 |            |
"""


def rows(table: str) -> list[tuple[str, str, Window, bool]]:
    """(text, the words of the span, the days, recurring) of every row."""
    found = []
    for line in table.strip().splitlines():
        marked, first, last, flag = (cell.strip() for cell in line.split("|"))
        span = marked[marked.index("[") + 1 : marked.index("]")]
        begin = date.fromisoformat(first)
        window = Window(begin, date.fromisoformat(last) if last else begin)
        found.append((marked.replace("[", "").replace("]", ""), span, window, flag == "R"))
    return found


ROWS = rows(TABLE)


@pytest.mark.parametrize(("text", "words", "window", "recurring"), ROWS)
def test_chinese_expression_means_exactly_these_days(
    text: str, words: str, window: Window, recurring: bool
) -> None:
    (span,) = find_dates(text, NOW)
    assert (text[span.start : span.end], span.window, span.recurring) == (words, window, recurring)


@pytest.mark.parametrize("profile", ["s2t", "s2tw", "s2hk"])
def test_traditional_characters_mean_the_same_days(profile: str) -> None:
    convert = opencc.OpenCC(profile).convert
    for text, _, window, _ in ROWS:
        written = convert(text)
        assert [span.window for span in find_dates(written, NOW)] == [window], written


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("２０２４年３月５日", "２０２４年３月５日"),
        ("昨天\x00", "昨天"),
        ("\ud800昨天\udfff", "昨天"),
        ("İSTANBUL 昨天", "昨天"),  # whose lower case is longer
        ("上個禮拜五 說的", "上個禮拜五"),
        ("兩天前", "兩天前"),
        ("去年國慶", "去年國慶"),
        ("５月６號", "５月６號"),
    ],
)
def test_offsets_hold_in_the_text_as_given(text: str, words: str) -> None:
    (span,) = find_dates(text, NOW)
    assert text[span.start : span.end] == words


@pytest.mark.parametrize("text", ["最新的版本", "最近一次体检", "上一次见面", "上次说的"])
def test_an_order_asks_for_the_latest_and_has_no_window(text: str) -> None:
    (span,) = find_dates(text, NOW)
    assert (span.latest, span.window) == (True, None)


def test_months_of_a_list_share_the_year_said_once() -> None:
    windows = [span.window for span in find_dates("去年5月和6月", NOW)]
    assert windows == [
        Window(date(2024, 5, 1), date(2024, 5, 31)),
        Window(date(2024, 6, 1), date(2024, 6, 30)),
    ]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("上周一和周二", [6, 7]),
        ("上周一周二", [6, 7]),
        ("上周，周二", [(6, 12), 7]),
        ("周一周二", [13, 14]),
    ],
)
def test_a_weekday_after_another_is_of_the_same_week(
    text: str, days: list[int | tuple[int, int]]
) -> None:
    expected = [
        Window(date(2025, 10, day[0]), date(2025, 10, day[1]))
        if isinstance(day, tuple)
        else Window(date(2025, 10, day), date(2025, 10, day))
        for day in days
    ]
    assert [span.window for span in find_dates(text, NOW)] == expected


def test_point_and_range_of_the_same_words_differ() -> None:
    (point,), (stretch,) = find_dates("两天前", NOW), find_dates("前两天", NOW)
    assert point.window == Window(date(2025, 10, 13), date(2025, 10, 13))
    assert stretch.window == Window(date(2025, 10, 13), date(2025, 10, 14))


def test_a_rule_left_out_by_its_cheap_conditions_could_not_have_matched() -> None:
    rules, matched = dates_zh.RULES, set()
    for text in ["最新", *(row[0] for row in rows(TABLE))]:
        folded = fold(text)
        for rule in rules:
            if rule.pattern.search(folded):
                matched.add(rule.name)
                assert any(word in folded for word in rule.needs), (rule.name, text)
                assert rule.hint is None or rule.hint.search(folded), (rule.name, text)
    assert matched == {rule.name for rule in rules}  # the table reaches every one
