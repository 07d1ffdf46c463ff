"""Which Chinese words name a year, a part of one, or a holiday? 2024年, 去年底, 三季度, 今年夏天, 国庆.

年初, 年中 and 年底 are January-February, June-July and November-December. Whatever has no year recurs.
"""

from __future__ import annotations

import re
from typing import Final

from memweir.retrieval import periods
from memweir.retrieval.dates_grammar import Context, LazyPattern, Reading
from memweir.retrieval.dates_zh_calendar import (
    HEAD,
    NOT_IN_NUMBER,
    YEAR,
    YEAR_WORD,
    headed,
    month_part,
    number,
    rule,
)
from memweir.retrieval.holidays import holiday
from memweir.retrieval.types import Window

# 今年三十二岁 is an age.
_LAST_DAY: Final = (
    "(?:大年三十|(?<![今去明前后本当每整近])年三十)(?![一二三四五六七八九]|多?岁|[多来余])"
)

__all__ = ["RULES", "SEASONS"]

SEASONS: Final = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}

_YEAR_PART: Final = (
    r"(?P<part>年?(?:初(?![一二三四五六七八九十中级恋衷次])|末(?!日|期|班|端|尾)|底(?!层|部|下|线|片|盘|座|薪)"
    r"|中(?!下旬|长|国|午|秋|间|文|学|心|奖|考|旬|超|年|央|东|美|英|日|药|医|介|标|毒|断|级|等|型)))"
)


def _whole_year(match: re.Match[str], context: Context) -> Reading:
    return headed(match, context, periods.year)


def _year_range(match: re.Match[str], context: Context) -> Reading:
    first, last = int(match["first"]), int(match["last"])
    if last < first:
        raise ValueError("the range runs backwards")
    return Reading(Window(periods.year(first).first, periods.year(last).last))


def _year_part(match: re.Match[str], context: Context) -> Reading:
    part = month_part(match["part"])
    return headed(match, context, lambda year: periods.edge_of_year(year, part))


def _half(match: re.Match[str], context: Context) -> Reading:
    number = 1 if match["half"] == "上" else 2
    return headed(match, context, lambda year: periods.half(year, number))


def _quarter(match: re.Match[str], context: Context) -> Reading:
    quarter = number(match["quarter"])
    return headed(match, context, lambda year: periods.quarter(year, quarter))


def _season(match: re.Match[str], context: Context) -> Reading:
    name, today = SEASONS[match["season"]], context.today
    if match["word"] == "今年" and name == "winter" and today.month <= 2:
        return Reading(periods.season(today.year - 1, name))  # the winter that is running
    return headed(match, context, lambda year: periods.season(year, name))


_NOT_THE_NAME: Final = LazyPattern(r"[张李王刘陈杨赵黄吴徐孙胡朱高林何郭马罗]$")  # 李国庆


def _holiday(match: re.Match[str], context: Context) -> Reading | None:
    at = next(at for at in range(len(_HOLIDAYS)) if match[f"holiday{at}"])
    name = _HOLIDAYS[at][2]
    if name == "national day" and _NOT_THE_NAME.search(context.before(match.start())):
        return None
    if name == "lunar new year":
        name = f"{name} {number(match['nth'])}"

    def in_year(year: int) -> Window:
        window = holiday(name, year)
        return periods.day(window.first) if match["that"] else window

    if match["short"]:
        return Reading(in_year(int(match["short"])))
    return headed(match, context, in_year)


# A word every form holds, the forms (a pattern), the key in `holidays`.
_HOLIDAYS: Final = (
    (
        ("除夕", "年三十", "大年夜"),
        f"除夕|{_LAST_DAY}|大年夜",
        "lunar new year's eve",
    ),
    (("初",), "(?:大年|(?:农历|阴历)?正月)初(?P<nth>[一二三四五六七])", "lunar new year"),
    (("春节", "农历新年"), "春节(?!目)|农历新年", "spring festival"),
    (("元宵", "正月十五"), "元宵(?:节|(?=晚|夜|灯会))|(?:农历|阴历)?正月十五", "lantern festival"),
    (("清明",), "(?<!政治)清明(?!上河)节?", "qingming"),
    (("端午", "五月初五"), "端午节?|(?:农历|阴历)?五月初五", "dragon boat"),
    (("七夕", "七月初七"), "七夕节?|(?:农历|阴历)?七月初七", "qixi"),
    (("中秋", "八月十五"), "中秋节?|(?:农历|阴历)?八月十五(?![日号天个])", "mid-autumn"),
    (("重阳", "九月初九"), "重阳节|(?:农历|阴历)?九月初九", "double ninth"),
    (("元旦",), "元旦节?", "new year"),
    (("情人节",), "(?<!白色)情人节", "valentine"),
    (("妇女节",), "(?:三八|3 8)?(?:国际)?妇女节", "women's day"),
    (("愚人节",), "愚人节", "april fools"),
    (
        ("五一", "劳动节"),
        (
            "(?<![周期拜〇零一二三四五六七八九十百0-9])五一"
            "(?![〇零二三四五六七八九十百0-9路街广大道号中小村起直共个次])"
            "(?:国际)?(?:劳动节|节)?|(?:国际)?劳动节"
        ),
        "may day",
    ),
    (("母亲节",), "母亲节", "mother's day"),
    (("父亲节",), "父亲节", "father's day"),
    (("儿童节",), "(?:六一)?(?:国际)?儿童节(?!目)", "children's day"),
    (("教师节",), "教师节", "teachers' day"),
    (
        ("国庆", "十一"),
        "(?:(?<![二三四五六七八九])十一)?国庆节?|(?<![二三四五六七八九])十一(?=假期|黄金周|长假|小长假|期间)",
        "national day",
    ),
    (("万圣节",), "万圣节", "halloween"),
    (("双十一", "双11"), "双十一(?!月)|双11(?![0-9月])", "singles' day"),
    (("感恩节",), "感恩节", "thanksgiving"),
    (("平安夜",), "平安夜", "christmas eve"),
    (("圣诞",), "圣诞(?:节|(?!树|老人|帽|袜|卡|歌|诗|岛))", "christmas"),
)

_ANY_HOLIDAY: Final = "|".join(
    f"(?P<holiday{at}>{surface})" for at, (_, surface, _) in enumerate(_HOLIDAYS)
)

RULES: Final = (
    rule(
        "节日",
        tuple(sorted({word for needs, _, _ in _HOLIDAYS for word in needs})),
        rf"(?P<x>(?:{HEAD}|{NOT_IN_NUMBER}(?P<short>(?:19|20)[0-9]{{2}}) )?(?:{_ANY_HOLIDAY})"
        r"(?:假期|小?长假|黄金周|期间)?(?P<that>当天|当日|那天|那一天)?)(?!快乐)",
        _holiday,
    ),
    rule(
        "年到年",
        ("年",),
        rf"(?P<x>[从自由]?{NOT_IN_NUMBER}(?P<first>(?:19|20)[0-9]{{2}}) ?(?:到|至|-|~) ?"
        r"(?P<last>(?:19|20)[0-9]{2}) 年)(?! ?(?:[0-9]|级|届))",
        _year_range,
    ),
    rule(
        "年",
        ("年",),
        rf"(?P<x>{YEAR})(?! ?(?:的? ?历史|多|代|级|龄|薪|来))",
        _whole_year,
        r"[0-9〇零一二三四五六七八九] 年",
    ),
    rule("去年", ("年",), rf"(?P<x>{YEAR_WORD})", _whole_year, "[去今明前后本]年"),
    rule("年底", ("年",), rf"(?P<x>{HEAD}{_YEAR_PART})", _year_part, r"年度? 的? 年?[初末底中]"),
    rule(
        "bare 年底",
        ("年初", "年中", "年底", "年末"),
        r"(?<![去今明后前本这那每往历全周常学当成少青中老童新百千万多几半一二两三四五六七八九十0-9一-])"
        rf"(?P<x>(?=年){_YEAR_PART})",
        _year_part,
    ),
    rule("半年", ("半年",), rf"(?P<x>{HEAD}?(?<![以线])(?P<half>[上下])半年)(?!度|级)", _half),
    rule(
        "季度",
        ("季度",),
        rf"(?P<x>(?:{HEAD}|{NOT_IN_NUMBER})第?(?P<quarter>[一二三四1-4]) ?季度)(?![一两]次)",
        _quarter,
        r"[一二三四1-4] 季度",
    ),
    rule(
        "Q",
        ("q",),
        rf"(?P<x>{HEAD}q(?P<quarter>[1-4]))(?![a-z0-9])",
        _quarter,
    ),
    rule(
        "季节",
        ("春", "夏", "秋", "冬"),
        rf"(?P<x>{HEAD}(?P<season>[春夏秋冬])[天季])(?!运会)",
        _season,
        "[春夏秋冬][天季]",
    ),
)
