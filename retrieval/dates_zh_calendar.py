"""Which Chinese words name a month or its days? 5月6号, 二〇二四年三月五日, 3月到6月, 五月下旬.

初, 中 and 底 of a month are its three 旬: days 1-10, 11-20, 21 to the last. A month or day without a
year recurs. Lunar months (农历五月, 腊月) are no Gregorian months: they take their words and mean no
day, but for the holidays among them (`dates_zh_years`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Final

from memweir.retrieval import periods
from memweir.retrieval.dates_grammar import Context, LazyPattern, Reading, Rule, Yearly
from memweir.retrieval.types import Window

__all__ = [
    "HEAD",
    "MONTH_PART",
    "NOT_IN_NUMBER",
    "NTH_WEEK",
    "RULES",
    "YEAR",
    "YEAR_WORD",
    "YEAR_WORDS",
    "headed",
    "month_part",
    "nth_week",
    "number",
    "rule",
]

_DIGITS: Final = {char: n for n, char in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2}
YEAR_WORDS: Final = {
    "大前年": -3,
    "前年": -2,
    "去年": -1,
    "今年": 0,
    "本年": 0,
    "明年": 1,
    "后年": 2,
    "大后年": 3,
}


# --- pieces of patterns; a blank in a pattern stands for at most two white-space characters ----------

NOT_IN_NUMBER: Final = r"(?<![0-9〇零一二两三四五六七八九十百千万几第闰])(?<![0-9][.,/:_-])"

# 说明年龄, 以前年轻, 过去年轻, 如今年轻, 今后年年, 样本年龄: the two characters belong to two words.
_TWO_WORDS_BEFORE_FRONT: Final = "以之目当从提空生午先日年月周天期面眼跟饭睡"
YEAR_WORD: Final = (
    rf"(?P<word>大前年|(?<![{_TWO_WORDS_BEFORE_FRONT}大])前年|(?<!过)去年|(?<![如当现])今年|(?<![成版基样根])本年"
    r"|(?<![说声证表透])明年|大后年|(?<![以之今往然最午此大])后年)(?:度)?(?![轻龄纪])"
)
_FOUR: Final = r"(?:1[0-9]|20|21)[0-9]{2}|[一二][〇零一二三四五六七八九]{3}"
YEAR: Final = rf"{NOT_IN_NUMBER}(?P<year>{_FOUR}) 年(?:度)?"
_YEAR_OR_SHORT: Final = (
    rf"{NOT_IN_NUMBER}(?P<year>{_FOUR}|[0-9]{{2}}(?=\s?年)|[〇零一二三四五六七八九]{{2}}) 年(?:度)?"
)
HEAD: Final = rf"(?:(?:{YEAR}|{YEAR_WORD}) 的? )"
_HEAD_OR_SHORT: Final = rf"(?:(?:{_YEAR_OR_SHORT}|{YEAR_WORD}) 的? )"
_BEGIN: Final = rf"(?:{_HEAD_OR_SHORT}|{NOT_IN_NUMBER})"

_NUMERAL: Final = r"[0-9]{1,2}|[一二三四五六七八九十]{1,3}"
_MONTH: Final = rf"(?P<month>{_NUMERAL}|元) 月份?"
_DAY_NUMBER: Final = r"[0-9]{1,2}|[一二三四五六七八九十廿卅]{1,3}"
# 5月6号线, 3号楼: a number, not a day.
_DAY_NAME: Final = (
    r"(?:日|号(?!线|楼|院|店|机|码|门|桌|房|车|室|馆|厅|库|仓|球|选手|文件|员|井|台风|公路|电池|字))"
)
_DAY: Final = rf"(?P<day>{_DAY_NUMBER}) {_DAY_NAME}"
_WEEKDAY_AFTER: Final = r"(?: ?[（(]?(?:星期|周|礼拜)[一二三四五六日天](?![起次个])[)）]?)?"
_TO: Final = r"(?:到|至|-|~)"

_MONTH_HINT: Final = "[0-9一二三四五六七八九十元] 月"
# 月底层, 三月中国, 五月初五: not a part of the month.
MONTH_PART: Final = (
    r"(?P<part>上旬|中旬|下旬|初(?![一二三四五六七八九十中级恋衷次])|末(?!日|期|班|端|尾)|底(?!层|部|下|线|片|盘|座)"
    r"|中(?!下旬|长|国|午|秋|间|文|学|心|奖|考|旬|超|年|央|东|美|英|日|药|医|介|标|毒|断|级|等|型))"
)
NTH_WEEK: Final = (
    r"(?:的? ?第 ?(?P<nth>[一二三四五1-5]) ?个?|的? ?(?P<lastweek>最后一个?))(?:周|星期|礼拜)(?!末)"
)
# 三月饼, 五月天 (the band), 十月怀胎, 一月一次, 三月三 and 八月十五 (lunar).
_MONTH_RIGHT: Final = (
    r"(?!饼|天(?!气|空)|花号|怀胎|革命|围城|龄|[一两三四]次|初[一二三四五六七八九十]|十五(?![日号天个])"
    r"|(?P=month)(?![日号个天次点人位月年起直共般0-9]))"
)


def rule(
    name: str,
    needs: tuple[str, ...],
    pattern: str,
    resolve: Callable[[re.Match[str], Context], Reading | None],
    hint: str | None = None,
) -> Rule:
    """A rule; blanks between the parts of an expression are allowed."""
    return Rule(name, needs, _compile(pattern), resolve, _compile(hint) if hint else None)


def _compile(pattern: str) -> LazyPattern:
    return LazyPattern(pattern.replace(" ?", " ").replace(" ", r"\s{0,2}"))


def number(text: str) -> int:
    """Arabic digits, a Chinese number below a thousand (十二, 一百零五), or a row of digits (二〇二四).

    Raises:
        ValueError: not a number.
    """
    if text.isdecimal():
        return int(text)
    text = text.replace("廿", "二十").replace("卅", "三十")
    if not any(unit in text for unit in "十百"):
        value = 0
        for char in text:
            value = value * 10 + _digit(char)
        return value
    hundreds, hundred, rest = text.rpartition("百")
    value = 100 * (_digit(hundreds) if hundreds else 1) if hundred else 0
    rest = rest.removeprefix("零")
    tens, ten, ones = rest.rpartition("十")
    value += 10 * (_digit(tens) if tens else 1) if ten else 0
    return value + (_digit(ones) if ones else 0)


def month_part(word: str) -> str:
    """The part of a month, "start", "middle" or "end", that 初, 上旬, 中, 中旬, 底, 末, 下旬 name."""
    if word.endswith("旬"):
        return {"上": "start", "中": "middle", "下": "end"}[word[0]]
    return {"初": "start", "中": "middle"}.get(word[-1], "end")


def nth_week(match: re.Match[str], year: int, month: int) -> Window:
    """The days of a `NTH_WEEK` of a month."""
    if match["lastweek"]:
        return periods.last_days_of_month(year, month, 7)
    return periods.week_of_month(year, month, number(match["nth"]))


# --- readings -----------------------------------------------------------------------------------------


def _digit(char: str) -> int:
    try:
        return _DIGITS[char]
    except KeyError:
        raise ValueError(f"not a Chinese digit: {char!r}") from None


def _year(text: str) -> int:
    value = number(text)
    if len(text) > 2:
        return value
    return value + (2000 if value < 50 else 1900)


def _month(text: str) -> int:
    return 1 if text == "元" else number(text)


def headed(match: re.Match[str], context: Context, in_year: Callable[[int], Window]) -> Reading:
    """`in_year` of the year said before it, or of a year not said."""
    groups = match.groupdict()
    if groups.get("year"):
        return Reading(in_year(_year(groups["year"])))
    if groups.get("word"):
        return Reading(in_year(context.today.year + YEAR_WORDS[groups["word"]]))
    return Reading(recurrence=Yearly(in_year))


def _days(year: int, month: int, first: int, last: int) -> Window:
    if last < first:
        raise ValueError("the range runs backwards")
    return Window(date(year, month, first), date(year, month, last))


def _full_date(match: re.Match[str], context: Context) -> Reading:
    month, day = _month(match["month"]), number(match["day"])
    return headed(match, context, lambda year: periods.day(date(year, month, day)))


def _day_range(match: re.Match[str], context: Context) -> Reading:
    month, first, last = _month(match["month"]), number(match["day"]), number(match["until"])
    return headed(match, context, lambda year: _days(year, month, first, last))


def _whole_month(match: re.Match[str], context: Context) -> Reading:
    month = _month(match["month"])
    if not 1 <= month <= 12:
        raise ValueError("no such month")
    if match["part"]:
        part = month_part(match["part"])
        return headed(match, context, lambda year: periods.part_of_month(year, month, part))
    return headed(match, context, lambda year: periods.month(year, month))


def _week_of_month(match: re.Match[str], context: Context) -> Reading:
    month = _month(match["month"])
    return headed(match, context, lambda year: nth_week(match, year, month))


def _month_range(match: re.Match[str], context: Context) -> Reading:
    first, last = _month(match["month"]), _month(match["until"])

    def in_year(year: int) -> Window:
        over = year if last >= first else year + 1
        return Window(periods.month(year, first).first, periods.month(over, last).last)

    return headed(match, context, in_year)


def _lunar(match: re.Match[str], context: Context) -> Reading:
    raise ValueError("a lunar date that is no holiday")


RULES: Final = (
    rule(
        "lunar date",
        ("农历", "阴历", "旧历", "腊月", "正月"),
        rf"(?P<x>(?P<lunar>(?:农历|阴历|旧历) )?{_HEAD_OR_SHORT}?"
        rf"(?:[正腊]月|(?(lunar)闰?(?:{_NUMERAL}|冬)月|(?!)))(?:初?[一二三四五六七八九十廿卅0-9]{{1,3}}[日号]?)?)",
        _lunar,
    ),
    rule(
        "年月日",
        ("日", "号"),
        rf"(?P<x>{_BEGIN}{_MONTH} 的? {_DAY}{_WEEKDAY_AFTER})",
        _full_date,
        _MONTH_HINT,
    ),
    rule(
        "月日到日",
        ("日", "号"),
        rf"(?P<x>[从自由]?{_BEGIN}{_MONTH} (?P<day>{_DAY_NUMBER}) [日号]? {_TO} "
        rf"(?P<until>{_DAY_NUMBER}) {_DAY_NAME})",
        _day_range,
        _MONTH_HINT,
    ),
    rule(
        "月到月",
        ("月",),
        rf"(?P<x>[从自由]?{_BEGIN}(?P<month>{_NUMERAL}) (?:月份?)? {_TO} "
        rf"(?P<until>{_NUMERAL}) 月份?)(?! ?(?:{_DAY_NUMBER}) ?[日号]|初|[上中下]旬|[中底末])",
        _month_range,
        _MONTH_HINT,
    ),
    rule(
        "月",
        ("月",),
        rf"(?P<x>{_BEGIN}{_MONTH}(?: 的? {MONTH_PART}|{_MONTH_RIGHT}(?P<none>)))",
        _whole_month,
        _MONTH_HINT,
    ),
    rule(
        "月第几周",
        ("周", "星期", "礼拜"),
        rf"(?P<x>{_BEGIN}{_MONTH}{NTH_WEEK})",
        _week_of_month,
        _MONTH_HINT,
    ),
)
