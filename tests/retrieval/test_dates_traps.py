"""Ordinary words, numbers and names that look like dates, and dates that do not exist."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memweir.retrieval import dates_en, dates_numeric, dates_zh
from memweir.retrieval.dates import find_dates
from memweir.retrieval.dates_grammar import fold

NOW = datetime(2025, 10, 15, 12, tzinfo=UTC)

ORDINARY = """
we do car may I
May I ask you something
I may need a car
this may be wrong
the top 5 may win
you may 5 of us
May 5 of us come along
I sat down
he last sat there
march forward
we march 5 miles
we decided to march to June
the last march was long
April told me
June Lockhart
before June Lockhart came
Sun Microsystems
wait a second
second time
Python 3.11
version 2024.10.14
PyCharm v2024.1.3
3.14
1/2 cup
12/25
5/6/2023
10-12 people
24/7
12:30
5-6-7
2019-2021
IP 10.0.0.1
8080 port
port 2000
in 2000 lines
in May2 module
2026-10-14.md
log_2026-10-14
CVE-2024-12-345
https://example.org/2024/10/14/post
every Friday
every other Friday we meet
every year on May 5
Fridays are busy
the last week of school
for the last time
by noon at the latest
twice in a week
I finished the book in 3 days
the first win in five years
USA Today
Monday.com
next spring boot release
an Easter egg
Happy New Year
New Year's resolutions
on the 5th floor
decide, maybe, mayor, octet, separate, marble
a long time ago
months ago
版本2024.1
版本 2024.1.3
端口 8080
日志在哪
月饼偏好
今日头条
明日方舟
日常
星期八
五一二
五一路
号码
一日三餐
周杰伦
周到
周围
周日志
小周五点来
前年轻人
以前年轻的时候
目前天气很好
以后天天见
先天后天的区别
明天系
说明天气情况
说明年龄
不明日期
在如今天气
上周期
以上周边
晚上周会
网上月饼
样本周期
成本月度
三月饼
五月天演唱会
十月怀胎
一月一次
一周一次
两周三次
每周五开会
每年5月1日
每个月底
每年春节
逢周三休息
第三天
前三名
两年经验
五年前端经验
三年后端开发
2000年历史
90年代
1990年代
2023年级
2008–09赛季
前86年
公元前221年
农历八月初三
三月三
清明上河图
李国庆
儿童节目
附近来了人
最近邻算法
离我最近的车站
最近的地铁站
周六福珠宝
做了三天
晚上次日
"""

IMPOSSIBLE = """
2月30日
2月30号
2023年2月29日
2024年13月
13月5日
三十二日
5月32号
6月31日
2023-13-45
2023-02-30
2023/02/30
31/31/2023
30/02/2023
February 30
February 29th, 2023
31 June
31st of April 2024
2040年春节
2014年中秋
"""


@pytest.mark.parametrize("text", ORDINARY.strip().splitlines())
def test_ordinary_words_are_no_dates(text: str) -> None:
    assert find_dates(text, NOW) == ()


@pytest.mark.parametrize("text", IMPOSSIBLE.strip().splitlines())
def test_an_impossible_or_unknown_date_gives_no_span(text: str) -> None:
    assert find_dates(text, NOW) == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("what did we decide on 2026-06-10", ["2026-06-10"]),
        ("what did we do in May, we may need a car", ["May"]),
        ("日志在 2024年5月3日 的目录里", ["2024年5月3日"]),
        ("中秋的月饼", ["中秋"]),
        ("上周一起去爬山", ["上周"]),
        ("上周三个人吃饭", ["上周"]),
        ("上周日程很满", ["上周"]),
        ("昨天前端挂了", ["昨天"]),
        ("今天后台报错", ["今天"]),
        ("上周后端重构", ["上周"]),
        ("三月中国队赢了", ["三月"]),
        ("5月6号线开通", ["5月"]),
    ],
)
def test_only_the_true_date_is_taken_from_among_the_words(text: str, words: list[str]) -> None:
    assert [text[span.start : span.end] for span in find_dates(text, NOW)] == words


def test_a_rule_left_out_by_its_cheap_conditions_could_not_have_matched() -> None:
    matched = set()
    for text in [*ORDINARY.splitlines(), *IMPOSSIBLE.splitlines()]:
        folded = fold(text)
        for rule in (*dates_numeric.RULES, *dates_en.RULES, *dates_zh.RULES):
            if rule.pattern.search(folded):
                matched.add(rule.name)
                assert any(word in folded for word in rule.needs), (rule.name, text)
                assert rule.hint is None or rule.hint.search(folded), (rule.name, text)
    assert matched
