"""What is done again and again, goes on, lies ahead, has happened? Rules over a Chinese clause."""

from __future__ import annotations

import re
from typing import Final

from memweir.learning.chinese.clauses import Clause
from memweir.learning.chinese.lexicon import Pattern, words
from memweir.learning.chinese.readings import CHANGES, CODE, OWNED, SPEAKER, THEIRS, Reading, sure
from memweir.learning.chinese.subjects import Subject, tagged
from memweir.learning.chinese.things import TROUBLE
from memweir.retrieval.types import DateSpan

__all__ = ["habit_first", "happened", "ongoing", "plans", "recurs"]

_RECURS: Final = Pattern("<recur>")
_EVERY: Final = re.compile(
    r"每(?:个|隔)?[一二三两四五六七八九十0-9]{0,2}个?(?:周|星期|礼拜|月|年|天|小时|晚|早)"
    r"|一般(?=去|会|在|都|是|不|用|喝|吃|早|晚|坐|骑|走|周|买|看|做|点|睡|起)"
    r"|(?<![非通经平日正异照反家])常(?![识见用规常态驻住来事])"
)
_HABIT_NO: Final = re.compile(
    "一直以为|一直想|一直没|一直在(?:报错|转|等|加载)|有时候?(?:会)?(?:报错|卡|失败)"
    "|每次(?:都)?(?:报错|失败|不行)"
)


def recurs(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    body = clause.body
    if kind == "noun":
        return None
    found = _RECURS.search(body)
    if found is None:
        weekly = _EVERY.search(body)
        if weekly is None:
            return None
        found = weekly
    if (
        _HABIT_NO.search(body)
        or (TROUBLE.search(body) and kind not in SPEAKER)
        or len(body) - (found.end() - found.start()) < 2
    ):
        return None
    if kind == "none" and found.start() > 6:
        return None
    word = found.group()
    if (
        word
        in (
            "平时",
            "一直",
            "坚持",
            "习惯",
            "偶尔",
            "有时",
            "有时候",
            "工作日",
            "从小",
            "从未",
            "从没",
            "早起",
            "晚睡",
        )
        and kind == "none"
    ):
        return None
    return Reading("fact", "extract.habit", sure(kind, 0.75), True, word)


_DOES_NOW: Final = Pattern(
    "(?:正在|一直在|在|刚开始|开始|忙着|热衷于|沉迷于?|迷上了?)<ongoing>[^,]{0,24}$"
)
_ONGOING_HEAD: Final = re.compile(
    r"(?:最近|正在|一直在|目前在|现在在|这段时间|这阵子|近来|这学期|今年|在)"
)


def ongoing(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    if kind not in SPEAKER | THEIRS and kind != "none":
        return None
    head = _ONGOING_HEAD.search(clause.body)
    if head is None:
        return None
    found = _DOES_NOW.search(clause.body)
    if found is None or (kind == "none" and subject.start != clause.start and not head):
        return None
    if re.search("报错|这个|那个|bug|函数$|脚本$|页面$", found.group()):
        return None
    if kind == "none" and "最近" not in clause.body:
        return None
    return Reading("fact", "extract.ongoing", sure(kind, 0.7), True, found.group())


_PLANS: Final = Pattern("<plan>")
_GOAL: Final = Pattern(
    "(?:想|要|希望|打算|计划|准备|目标是|梦想是)(?:能|能够|以后|将来|明年|今年|再|在[^,]{1,8}"
    "|带[^,]{1,6}|和[^,]{1,6}|自己|有一天|重新|尽快|[^,]{0,4}年内)*(?:<goal>|去[^,]{1,8}(?:看"
    "|旅游|旅行|留学|生活|定居|工作|徒步|自驾|滑雪|潜水|读书|读研|发展))"
)
_WANTS: Final = re.compile(
    r"(?:一直|好|很|最|特别|以后|将来|也|就|还|今年|明年|非常|真的)*(?:想|梦想|目标是|的梦想"
    r"|希望(?!你))"
)


def habit_first(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """A habit, where no day to come is named: 有时周末会去唱片店 is no plan."""
    return None if any(_ahead(span, clause) for span in clause.dates) else recurs(clause, subject, kind)


_NO_PLAN: Final = re.compile(
    "准备好了|计划书|计划是什么|没打算|不打算|没计划|准备了|安排得|安排的|出发点|准备工作"
)
_GOES: Final = re.compile(
    r"(?:要|会|将|得|该|去|来|回|到|参加|开|见|考|飞|有|陪|带|接|交|发布|上线|出差|开会|面试"
    r"|过|举行|举办|结束|开始|截止|出发|搬)"
)


def plans(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    body = clause.body
    if re.search("每(?:个|隔)?(?:周|星期|礼拜|月|年|天|晚|早)", body):
        return None
    ahead = [span for span in clause.dates if _ahead(span, clause)]
    if _NO_PLAN.search(body) or (re.search("在准备|在计划|在打算", body) and not ahead):
        return None
    found = _PLANS.search(body)
    if kind not in SPEAKER | THEIRS | {"none", "noun"}:
        return None
    if ahead and (_PUTS_OFF.search(body) or _TODAY_ONLY.search(body)):
        return None
    if ahead and (
        found or (_GOES.search(body) and not re.search("了$", body)) or _acts(clause, subject)
    ):
        confidence = sure(kind, 0.75)
        return Reading(
            "event", "extract.plan", max(confidence, 0.6), True, found.group() if found else "要"
        )
    if found and "的" in body[found.end() :] and re.search("的[^,是]{2,20}$", body):
        return None
    if found and kind in SPEAKER | THEIRS and not re.search("准备$|安排$", body):
        if (
            kind == "self"
            and found.group() in ("打算", "计划", "准备", "就要")
            and not _lasting_goal(body)
            and (len(body) < 7 or CODE.search(body) is not None)
        ):
            return None
        if found.group() == "准备" and re.search("在准备", body):
            return None
        if found.group() in words("plan_of_speaker") and kind not in SPEAKER and not clause.dates:
            return None
        return Reading(
            "event",
            "extract.plan",
            sure(kind, OWNED),
            not re.search("一会|待会|马上|等下", body),
            found.group(),
        )
    if kind == "self" and _WANTS.match(subject.said) and _lasting_goal(body):
        return Reading("fact", "extract.goal", OWNED, True, "想")
    return None


_TODAY_ONLY: Final = re.compile(
    "今[天早晚儿日](?!.*(?:[明后]天|周|号|星期))(?!.*(?:要|将|去|有个|有场|约|见|飞|参加"
    "|面试|考|出差|[0-9一二三四五六七八九十]点|会$|结束|到期|截止|上线|发|交|生日))"
)
_PUTS_OFF: Final = re.compile(
    "再(?!婚|次|考|版|生)|继续|接着|看看|[聊弄搞]$|(?:说|讲)(?:吧|$)|天气|下雨|下雪|一堆"
    "|好多|有点|有些|怎么|可能|应该|大概|没空|没事|有空|有事$|见$|加油|一直在|在开会"
)


_OCCASION: Final = re.compile(
    "(?:尾牙|年会|团建|聚餐|婚礼|考试|面试|演示|评审|评审会|发布会|体检|手术|比赛|答辩"
    "|典礼|开学|值班|培训|会议|家长会|聚会|生日|派对|停电|检修|直播|上课|满月|周岁|百天"
    "|大寿|维护|升级|切换|演练|停机|大促|满月酒|喜酒|同学会|路演|开庭|交房|复查|产检|出院"
    "|彩排)(?:会)?$"
)


def _acts(clause: Clause, subject: Subject) -> bool:
    """It says what is done, or what day it is: 下周四请半天假, 大后天是我妈六十大寿."""
    at = max((span.end - clause.start for span in clause.dates), default=0)
    rest = clause.body[at:]
    if subject.end > clause.start + at and subject.said:
        rest = subject.said
    if _OCCASION.search(clause.body):
        return True
    if len(rest) < 2 or rest.endswith("了"):
        return False
    if all(clause.words(span) in words("today") for span in clause.dates):
        return False
    if re.match("(?:就)?是[^,]{2,}(?:寿|生日|节|纪念日|婚礼|会|典礼|日|礼|考试|面试|截止|假)", rest):
        return True
    cut = tagged(rest[:16])
    return any(tag[0] == "v" for _, tag in cut[:4]) and not re.match(
        "(?:是|有|没|不|想|觉得|知道|得|能|可以|让|说)", rest
    )


def _lasting_goal(body: str) -> bool:
    return _GOAL.search(body) is not None


def _ahead(span: DateSpan, clause: Clause) -> bool:
    window = span.window
    if window is None or _past_words(clause):
        return False
    return window.first >= clause.today or window.last > clause.today


def _past_words(clause: Clause) -> bool:
    return re.search(
        "了(?!解)|过(?!来|去|程|敏|年|节|生日)|已经|刚", clause.body
    ) is not None and not re.search("订了|约了|买了[^,]*票|报了名|定了", clause.body)


_PAST: Final = re.compile(
    r"了(?![解结不])|过(?!来|去|程|敏|年|节|生日|分|期|渡|量|于|夜|度)|曾经|曾(?!祖)"
    r"|[到成]了|[结毕离入辞领搬剖][^,]{0,1}的(?:婚|业|职|家|证|腹产)?$"
    r"|是[^,]{1,14}[去到来买生搬认学开]\S{0,8}的$"
)
_LIFE: Final = Pattern("<event>")
_CHATTER: Final = Pattern("(?:今天|刚刚?|刚才|我|又|已经)*<chatter_event>")
_NO_EVENT: Final = re.compile("为了|除了|罢了|太[^,]{1,4}了|不了$|算了|得了$|好了$|够了|不过")


_TIMES_DONE: Final = re.compile(
    r"[\u4e00-\u9fff]过(?:[一二两三四五六七八九十几好]+|[0-9]+)(?:多)?(?:次|回|年|遍|趟|个月|场|届)"
)


def happened(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    body = _NO_EVENT.sub("", clause.body)
    if re.search("没有?[^,]{1,4}过|从未|从没", body) and not clause.dates:
        return None
    if kind == "noun" and not clause.dates and not CHANGES.search(body):
        return None
    dated = [span for span in clause.dates if span.window is not None]
    life = _LIFE.search(body)
    past = _PAST.search(body) or clause.particle.startswith("啦")
    if dated:
        bare = len(body) - sum(span.end - span.start for span in clause.dates)
        if bare < 3 or (not past and not life and not re.search("[在去来到回跟和陪给]", body)):
            return None
        if not life and all(clause.words(span) in words("today") for span in dated):
            return None
        chatter = kind in ("self", "none") and _CHATTER.match(body)
        if chatter and not life:
            return None
        today = all(clause.words(span) in ("今天", "今日", "今早", "今晚") for span in dated)
        return Reading(
            "event", "extract.event", max(sure(kind, 0.7 if today else 0.75), 0.5), not today, ""
        )
    if kind in SPEAKER and _TIMES_DONE.search(body):
        return Reading("event", "extract.event", sure(kind, OWNED), True, "过")
    if kind in ("noun", "project") and past and CHANGES.search(body) and re.search("[A-Za-z0-9]", body):
        return Reading("decision", "extract.change", 0.6, True, "到")
    if life and past and kind in SPEAKER | THEIRS:
        if kind == "project" and TROUBLE.search(body):
            return None
        if _CHATTER.match(subject.said):
            return None
        if len(body) < 5:
            return None
        return Reading(
            "event",
            "extract.event",
            sure(kind, OWNED),
            bool(CHANGES.search(body)),
            life.group(),
        )
    return None
