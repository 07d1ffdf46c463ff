"""Which words of a Chinese text are a date? Here those that count from today, and the whole rule list.

Weeks begin on Monday.

- 上周, 上周末, 上周五: of the week before this one, whatever today is; 上上周, 本周, 下周 alike.
- 周五 alone: the latest up to today, or the next where the sentence speaks ahead.
- 两天前 is one day, two days ago; 前两天 is the two days before today. 两周前, 三个月前, 两年前: the
  calendar week, month, year that holds the day so long ago.
- 最近三天, 过去一周, 近半年: from so long ago up to and including today. 最近: 14 days.
- 月初, 月中, 月底 are of this month; 昨晚 is yesterday, 今晚 and 今早 are today.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from memweir.retrieval import dates_zh_calendar, dates_zh_years, periods
from memweir.retrieval.dates_grammar import FEW, RECENT_DAYS, Context, LazyPattern, Reading, Weekly
from memweir.retrieval.dates_zh_calendar import (
    MONTH_PART,
    NOT_IN_NUMBER,
    NTH_WEEK,
    YEAR_WORD,
    YEAR_WORDS,
    month_part,
    nth_week,
    number,
    rule,
)
from memweir.retrieval.dates_zh_years import SEASONS
from memweir.retrieval.types import Window

__all__ = ["HABIT", "RULES", "speaks_ahead"]

_WHILE_DAYS: Final = 60  # 前阵子, 前段时间, 不久前

HABIT: Final = LazyPattern(r"(?:每[年月周]?(?:个|逢|到|的)?|逢)$")
"""Before a date word: a habit, not a date (每周五, 每年春节)."""

_AHEAD: Final = LazyPattern(
    r"将[在于要会举去]|即将|打算|(?:计划|准备)[在于去]|要(?:去|在|参加|举办|交)|会[在去举]"
    r"|下次|届时|预计|预定|提醒我|快到了"
)
_BACK_THEN: Final = LazyPattern(r"曾|[说提讲聊问诉写做去来到]过|上次|当时")  # 我曾告诉过你我打算…


def speaks_ahead(folded: str) -> bool:
    """Does a Chinese sentence, folded, speak of what is to come, and not of what was once planned?"""
    return _AHEAD.search(folded) is not None and _BACK_THEN.search(folded) is None


# --- pieces of patterns -------------------------------------------------------------------------------

_STEPS: Final = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_WEEKDAYS: Final = {char: n for n, char in enumerate("一二三四五六日")} | {"天": 6}
_DAY_WORDS: Final = {
    "大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3,
}  # fmt: skip

# 以上周期, 晚上周会, 网上月饼, 样本周期: the first character belongs to the word before.
_STEP: Final = (
    r"(?P<step>上上|下下|(?<![以线晚早网楼街身马])上|(?<![以线楼如])下|这|(?<![成版基样根书课剧原])本)"
    r"一?个? "
)
_WEEK: Final = r"(?:周(?![期边围折旋密身转长刊])|星期|礼拜)"
# 上周一起, 上周三个人, 上周日程: the character is not the weekday's.
_WEEKDAY: Final = (
    r"(?P<weekday>一(?!起(?!床|得)|[直共个次天些般样定旦切点边]|下(?!午|班|雨|课)|会儿)"
    r"|[二三四五六](?!个|次(?!日|晨)|天(?!气|黑|亮|空|津)|场|遍|件|位|岁|块钱|节课|篇|条|趟|小时|分钟)(?!(?<=六)日)"
    r"|日(?![志程均常报期用语本记])|天(?![天气]))"
)
# 两周三次, 每周五, 隔周五, 小周五点来: a count, a habit, a name.
_NOT_BARE_WEEK: Final = "[一二两三四五六七八九十0-9每几半个各逢上下这本双单隔老小姓]"
_AFTER_WEEKDAY: Final = "(?<=[周期拜][一二三四五六日天])"  # 周一周二
# 以前天气, 目前天天, 三年前天津: 前天 needs a word's edge before it; 以后天天, 先天后天 likewise.
_BEFORE_FRONT: Final = "[元以之目当从提空生午先日年月周天期面眼跟饭睡]"
_BEFORE_BACK: Final = "[以之今往然最午雨饭随先和身]"
_DAY_WORD: Final = (
    rf"(?P<day>大前|(?<!{_BEFORE_FRONT})(?<!大)前|昨|(?<![如当现])今|(?<![说声证表透不])明|大后"
    rf"|(?<!{_BEFORE_BACK})(?<!大)(?<!先天)(?<!先天[和与])后)"
)
_COUNT: Final = r"(?P<count>[0-9]{1,3}|[一二两三四五六七八九十百]{1,4}|十?几|半)"
_COUNT_SEVERAL: Final = r"(?P<count>[0-9]{1,3}|[一二两三四五六七八九十百]{1,4}|几|半)"
_UNIT: Final = (
    r"(?P<more>多)? (?P<unit>天|日|周|年|个? ?(?:多 ?)?(?:星期|礼拜)|个 ?[多半]? ?月)(?P<rest>[半多])?"
)
_TIME_UNIT: Final = r"(?P<unit>个? ?半? ?(?:小时|钟头)|分钟)"

_AGO_HINT: Final = "[天日周年期拜月半多] [以之]?前"
_LATER_HINT: Final = "[天日周年期拜月半多] [以之过]?后"
_FRONT: Final = r"(?:以|之)?前(?!端(?!午)|台(?!湾|风)|锋|后|排)"
_BACK: Final = r"(?:以|之|过)?后(?!端|台|面|来|天天|勤|排|卫|续)"


_PLACES: Final = (  # 最近的车站 is near in space
    "地铁|公交|车站|站|出口|机场|医院|药店|超市|商店|便利店|餐厅|饭店|厕所|银行|酒店|停车场|加油站|路线|公园"
)


# --- readings -----------------------------------------------------------------------------------------


def _kind(unit: str) -> str:
    if "月" in unit:
        return "month"
    if "年" in unit:
        return "year"
    return "day" if unit in ("天", "日") else "week"


def _count_range(text: str) -> tuple[int, int]:
    """几 → few, 十几 → 11 to 19, 两三 → 2 to 3, 十二 → 12."""
    if text == "几":
        return FEW
    if text == "十几":
        return 11, 19
    if len(text) == 2 and not text.isdecimal() and "十" not in text and "百" not in text:
        low, high = number(text[0]), number(text[1])
        if not 0 < low < high:
            raise ValueError("not a number")
        return low, high
    value = number(text)
    return value, value


def _amount(match: re.Match[str]) -> tuple[int, int, str, str]:
    """(least, most, unit to count in, unit whose calendar stretch is meant)."""
    unit, kind = match["unit"], _kind(match["unit"])
    if match["count"] == "半":
        if kind == "year":
            return 6, 6, "month", "month"
        if kind == "month":
            return 15, 15, "day", "week"
        raise ValueError("half a day or week is no date")
    low, high = _count_range(match["count"])
    if match["rest"] == "半" and kind == "year":  # 一年半
        return 12 * low + 6, 12 * high + 6, "month", "month"
    if "半" in unit:  # 一个半月
        return 30 * low + 15, 30 * high + 15, "day", "week"
    if match["more"] or match["rest"] == "多" or "多" in unit:  # 三个多月: between three and four
        high += 1
    return low, high, kind, kind


def _between(context: Context, low: int, high: int, kind: str, stretch: str) -> Window:
    first = periods.unit(periods.shift(context.today, low, kind), stretch).first
    return Window(first, periods.unit(periods.shift(context.today, high, kind), stretch).last)


def _ago(match: re.Match[str], context: Context) -> Reading:
    low, high, kind, stretch = _amount(match)
    return Reading(_between(context, -high, -low, kind, stretch))


def _later(match: re.Match[str], context: Context) -> Reading:
    low, high, kind, stretch = _amount(match)
    return Reading(_between(context, low, high, kind, stretch))


def _minutes(match: re.Match[str]) -> tuple[timedelta, timedelta]:
    """The least and the most time of a count of hours or minutes."""
    unit = timedelta(minutes=1) if match["unit"] == "分钟" else timedelta(hours=1)
    if match["count"] == "半":
        return unit / 2, unit / 2
    low, high = _count_range(match["count"])
    half = unit / 2 if "半" in match["unit"] else timedelta()  # 一个半小时
    return low * unit + half, high * unit + half


def _hours_ago(match: re.Match[str], context: Context) -> Reading:
    least, most = _minutes(match)
    return Reading(Window(context.day_ago(most), context.day_ago(least)))


def _past_hours(match: re.Match[str], context: Context) -> Reading:
    _, most = _minutes(match)
    return Reading(Window(context.day_ago(most), context.today))


def _past(match: re.Match[str], context: Context) -> Reading | None:
    _, most, kind, _ = _amount(match)
    if match["x"].startswith("这") and most == 1 and kind != "year":
        return None  # 这一天, 这一周, 这一个月
    return Reading(Window(periods.shift(context.today, -most, kind), context.today))


def _days_before(match: re.Match[str], context: Context) -> Reading | None:
    """前两天: up to yesterday. 前一天 is the day before something else."""
    _, most, kind, _ = _amount(match)
    if most == 1 or (kind == "year" and most > 20):  # 前86年: before our era
        return None
    return Reading(Window(periods.shift(context.today, -most, kind), _yesterday(context)))


def _coming(match: re.Match[str], context: Context) -> Reading:
    _, most, kind, _ = _amount(match)
    return Reading(Window(context.today, periods.shift(context.today, most, kind)))


def _yesterday(context: Context) -> date:
    return context.today - timedelta(days=1)


_NEAREST: Final = LazyPattern(r"(?:离|距|跟)[^,。.!?！？；;]{0,8}$")


def _recently(match: re.Match[str], context: Context) -> Reading | None:
    if _NEAREST.search(context.before(match.start())):
        return None  # 离我最近的车站
    return Reading(Window(context.today - timedelta(days=RECENT_DAYS), context.today))


def _days_back(days: int) -> Callable[[re.Match[str], Context], Reading]:
    def resolve(match: re.Match[str], context: Context) -> Reading:
        return Reading(Window(context.today - timedelta(days=days), _yesterday(context)))

    return resolve


def _latest(match: re.Match[str], context: Context) -> Reading:
    return Reading(latest=True)


def _day_word(match: re.Match[str], context: Context) -> Reading:
    return Reading(periods.day(context.today + timedelta(days=_DAY_WORDS[match["day"]])))


def _week(match: re.Match[str], context: Context) -> Reading:
    return Reading(periods.week(context.today, _STEPS[match["step"]]))


def _weekend(match: re.Match[str], context: Context) -> Reading:
    return Reading(periods.weekend(context.today, _STEPS[match["step"]]))


def _stepped_weekday(match: re.Match[str], context: Context) -> Reading:
    monday = periods.week(context.today, _STEPS[match["step"]]).first
    return Reading(periods.day(monday + timedelta(days=_WEEKDAYS[match["weekday"]])))


def _bare_weekday(match: re.Match[str], context: Context) -> Reading:
    return Reading(recurrence=Weekly(_WEEKDAYS[match["weekday"]]))


def _month(match: re.Match[str], context: Context) -> Reading:
    near = periods.shift_months(context.today.replace(day=1), _STEPS[match["step"]])
    if match["part"]:
        return Reading(periods.part_of_month(near.year, near.month, month_part(match["part"])))
    if match["day"]:
        return Reading(periods.day(near.replace(day=number(match["day"]))))
    if match["nth"] or match["lastweek"]:
        return Reading(nth_week(match, near.year, near.month))
    return Reading(periods.month(near.year, near.month))


def _month_part(match: re.Match[str], context: Context) -> Reading:
    today = context.today
    return Reading(periods.part_of_month(today.year, today.month, month_part(match["part"])))


def _quarter(match: re.Match[str], context: Context) -> Reading:
    return Reading(
        periods.unit(periods.shift(context.today, _STEPS[match["step"]], "quarter"), "quarter")
    )


def _season(match: re.Match[str], context: Context) -> Reading:
    """这个夏天 is this year's; 上个夏天 the latest over; 下个夏天 the next to begin."""
    name, step, today = SEASONS[match["season"]], _STEPS[match["step"]], context.today
    years = range(today.year - 2, today.year + 3)
    found = [periods.season(year, name) for year in years]
    if step < 0:
        return Reading(max(window for window in found if window.last < today))
    if step > 0:
        return Reading(min(window for window in found if window.first > today))
    running = [window for window in found if window.first <= today <= window.last]
    return Reading(running[0] if running else periods.season(today.year, name))


def _same_day(match: re.Match[str], context: Context) -> Reading:
    """去年的今天, 上个月的今天, 上周的今天."""
    today = context.today
    if match["word"]:
        return Reading(periods.day(periods.shift_months(today, 12 * YEAR_WORDS[match["word"]])))
    kind = "month" if "月" in match["x"] else "week"
    return Reading(periods.day(periods.shift(today, _STEPS[match["step"]], kind)))


# --- the rules ----------------------------------------------------------------------------------------

_WEEKS: Final = ("周", "星期", "礼拜")

_RELATIVE_RULES: Final = (
    rule(
        "今天",
        ("天", "日"),
        rf"(?P<x>{_DAY_WORD}(?:天(?!系(?!统|列|数))|(?<![前后])日(?!头条|方舟|之|黄花|期|程|志|本)))(?P<none>)",
        _day_word,
        "[前昨今明后][天日]",
    ),
    rule(
        "前日", ("前日",), rf"(?P<x>(?<!{_BEFORE_FRONT})(?P<day>前)日)(?![期志程记本常益后])", _day_word
    ),
    rule(
        "今晚",
        ("晚", "早", "夜", "晨"),
        rf"(?P<x>(?P<day>(?<!{_BEFORE_FRONT})前(?=晚)|昨|(?<![如当现])今|(?<![说声证表透])明)[晚早夜晨])",
        _day_word,
        "[前昨今明][晚早夜晨]",
    ),
    rule(
        "去年的今天",
        ("今天", "今日"),
        rf"(?P<x>(?:{YEAR_WORD}|{_STEP}(?:月|周|星期|礼拜)) 的? 今[天日])",
        _same_day,
    ),
    rule("上周", _WEEKS, rf"(?P<x>{_STEP}{_WEEK})", _week),
    rule("上周末", ("周末",), rf"(?P<x>{_STEP}周末)", _weekend),
    rule("上周五", _WEEKS, rf"(?P<x>{_STEP}(?:周|星期|礼拜){_WEEKDAY})", _stepped_weekday),
    rule(
        "周五",
        _WEEKS,
        rf"(?:(?<!{_NOT_BARE_WEEK})|{_AFTER_WEEKDAY})(?P<x>(?:周|星期|礼拜){_WEEKDAY})(?!福|至[一二三四五六日])",
        _bare_weekday,
    ),
    rule(
        "上个月",
        ("月",),
        rf"(?P<x>{_STEP}月份?(?: 的? {MONTH_PART}"
        r"| 的? (?P<day>[0-9]{1,2}|[一二三四五六七八九十]{1,3}) ?[日号]"
        rf"|{NTH_WEEK}|(?![饼亮球光嫂票经子台薪])(?P<none>)))",
        _month,
        "[上下这本个一] 月",
    ),
    rule(
        "月底",
        ("月初", "月中", "月底", "月末"),
        rf"(?<![0-9一二三四五六七八九十个岁蜜明日腊正这那上下本当每两几半元同满])(?P<x>月{MONTH_PART})",
        _month_part,
    ),
    rule("上季度", ("季度",), rf"(?P<x>{_STEP}季度)", _quarter),
    rule("这个夏天", ("春", "夏", "秋", "冬"), rf"(?P<x>{_STEP}(?P<season>[春夏秋冬])[天季])", _season),
    rule(
        "三天前",
        ("前",),
        rf"{NOT_IN_NUMBER}(?<![好元])(?P<x>{_COUNT} {_UNIT} {_FRONT})",
        _ago,
        _AGO_HINT,
    ),
    rule("好几天前", ("好几",), rf"(?P<x>好(?P<count>几) {_UNIT} {_FRONT})", _ago),
    rule(
        "三小时前",
        ("前",),
        rf"{NOT_IN_NUMBER}(?P<x>{_COUNT} {_TIME_UNIT} {_FRONT})",
        _hours_ago,
        r"[时头钟] [以之]?前",
    ),
    rule(
        "三天后",
        ("后",),
        rf"{NOT_IN_NUMBER}(?<!元)(?P<x>{_COUNT} {_UNIT} {_BACK})",
        _later,
        _LATER_HINT,
    ),
    rule(
        "最近三天",
        ("近", "过去", "这"),
        rf"(?P<x>(?:最近|过去|(?<![附远靠接将最新亲临])近|这)[的这]? {_COUNT_SEVERAL} {_UNIT}(?!级)"
        r"(?:以?来|之?内|里|间)?)",
        _past,
    ),
    rule(
        "最近三小时",
        ("近", "过去"),
        rf"(?P<x>(?:最近|过去|(?<![附远靠接将最新亲临])近)的? {_COUNT_SEVERAL} {_TIME_UNIT}"
        r"(?:以?来|之?内|里|间)?)",
        _past_hours,
        "[时头钟]",
    ),
    rule(
        "前两天",
        ("前",),
        rf"(?<!{_BEFORE_FRONT})(?<!的)(?P<x>前 {_COUNT_SEVERAL} {_UNIT})(?!级|[以之]?[前后])",
        _days_before,
        "前 [0-9一二两三四五六七八九十百几半]",
    ),
    rule(
        "未来三天",
        ("未来", "接下来", "今后", "往后"),
        rf"(?P<x>(?:未来|接下来|今后|往后)的? {_COUNT_SEVERAL} {_UNIT}(?:之?内|里|间)?)",
        _coming,
    ),
    rule(
        "最近",
        ("近", "这"),
        rf"(?P<x>最近(?!邻|公共|似|距离|的(?:{_PLACES}))|(?<![附靠接最走临将邻远亲])近[来期日]|这阵子|这段时间|这段日子|这些天(?!天))",
        _recently,
    ),
    rule("前些天", ("前些",), r"(?P<x>前些(?:天|日子))", _days_back(RECENT_DAYS)),
    rule(
        "前阵子",
        ("前", "不久"),
        r"(?P<x>前一?阵子?|前一?段(?:时间|日子)|前不久|不久(?:以|之)?前)",
        _days_back(_WHILE_DAYS),
    ),
    rule(
        "最新",
        ("最", "上"),
        r"(?P<x>最新|最近的?(?:一次|一回)|最后一[次回]|上一[次回]|(?<![以线晚早网楼街身马])上[次回](?![数序级日]))",
        _latest,
    ),
)

RULES: Final = (*_RELATIVE_RULES, *dates_zh_years.RULES, *dates_zh_calendar.RULES)
