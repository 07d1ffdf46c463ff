"""What does a person like, what must be, and what was decided? Rules over one Chinese clause."""

from __future__ import annotations

import re
from typing import Final

from memweir.learning.chinese.clauses import Clause
from memweir.learning.chinese.lexicon import Pattern, keys, words
from memweir.learning.chinese.readings import CHANGES, CLEAR, OWNED, SPEAKER, THEIRS, Reading, sure
from memweir.learning.chinese.subjects import Subject, person_names
from memweir.learning.chinese.things import TROUBLE

__all__ = ["decides", "must", "named", "prefers"]

_CALLED: Final = re.compile(
    r"^(?:(?:的)?(?:名字|大名|小名|全名|英文名|网名|昵称|外号|笔名)(?:是|叫做?)|姓|名叫|名为"
    r"|叫做?)(?!我|你|外卖|车|人|醒|停|什么|不|了)[^,]{1,16}$"
)
_IAM: Final = re.compile(r"^是(?P<name>[\u4e00-\u9fff]{2,4}|[A-Z][a-z]+(?: [A-Z][a-z]+)?)$")
_CALL_ME: Final = re.compile(
    r"(?:叫我|称呼我为?|喊我)[^,我俺咱]{1,12}?(?:就行|就好|即可|吧|就可以了?)?$"
)


def named(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    if _CALL_ME.search(clause.body) and not re.search(
        "叫我(?:去|来|做|不要|别|帮|吃|起|写|改|给|回|参加|过去|出|买|看|先|把)", clause.body
    ):
        return Reading("preference", "extract.name", CLEAR, True, "叫我")
    if kind == "self" or kind in THEIRS:
        match = _CALLED.match(subject.said)
        if match is not None and kind != "project" and (kind != "owned" or _has_name(subject.noun)):
            return Reading("fact", "extract.name", sure(kind), True, "叫")
    if kind == "self":
        match = _IAM.match(subject.said)
        if match is not None and (
            match["name"].isascii() or person_names(match["name"]) == [(0, match["name"])]
        ):
            return Reading("fact", "extract.name", CLEAR, True, "是")
    return None


def _has_name(noun: str) -> bool:
    return any(noun in words(section) for section in ("kin", "associate", "pet")) or noun.endswith(
        ("名", "名字", "姓名", "公司", "小区", "学校", "店", "网站", "项目", "单位", "博客")
    )


_PREFERS: Final = Pattern("<prefer>")
_LOVES: Final = re.compile(
    r"(?:特别|非常|很|最|挺|超级?|更|也|都|就|还|不|从小|一直|真的|比较|只|太|尤其"
    r"|可)*(?P<word>爱|嫌)(?=[\u4e00-\u9fff])"
)
_NOT_USED: Final = re.compile(
    "(?:从来|一般|基本|平时|基本上|都|也|很少)?(?:不用|不使用|不装|不开)(?!了|担心|谢|客气|管"
    "|再|着急|急|说|想|怕|我|你|去|来|等)[^,了吧]{2,14}$"
)
# 键盘还是喜欢青轴的: the speaker is left out.
_OF_IT: Final = re.compile("(?:还是|就|只|都|更|最|比较)+(?:喜欢|爱(?!好)|偏爱|习惯|中意)[^,]{2,}")
_FEARS: Final = re.compile(
    "(?:狗|猫|黑|高|水|冷|热|辣|疼|痛|虫|蛇|打针|吵|生|鬼|蟑螂|老鼠|蜘蛛|晒|打雷|坐飞机|人多"
    "|麻烦)[^,]{0,3}$"
)
_ALONE: Final = frozenset(
    (
        "感兴趣",
        "不感兴趣",
        "没兴趣",
        "恐高",
        "无辣不欢",
        "吃不惯",
        "喝不惯",
        "用不惯",
        "受不了",
        "过敏",
        "戒了",
    )
)
_NO_PREFER: Final = re.compile(
    "喜欢过|不喜欢就|爱(?:情|人|心|护|国|好者|迪生|丁堡|尔兰)|怕(?:是|不是|的)|你(?:的|说|给|写|推荐)"
)


def prefers(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    said = subject.said if subject.kind != "none" else clause.body
    said = _NO_PREFER.sub("", said)
    if kind in SPEAKER and _NOT_USED.match(said):
        return Reading("preference", "extract.preference", OWNED, True, "不用")
    if kind == "noun" and _OF_IT.match(subject.said):
        return Reading("preference", "extract.preference", OWNED, True, "喜欢")
    found = _PREFERS.search(said) or _LOVES.match(said)
    case = re.match("[^,]{1,12}的话(?:还是)?", said)
    if case is not None:
        said = said[case.end() :]
        found = _PREFERS.search(said) or _LOVES.match(said)
    if found is None or kind == "noun" or (kind == "none" and found.start() > 8):
        return None
    word = found.group(found.lastindex or 0)
    after = said[found.end() :]
    if (after.startswith("的") and "最" not in word) or (not after and word not in _ALONE):
        return None
    if word == "怕" and not _FEARS.match(after):
        return None
    if word in ("感兴趣", "有兴趣", "没兴趣", "不感兴趣", "兴趣") and "对" not in said[: found.start()]:
        return None
    before = said[: found.start()]
    if "的" in before[1:] or re.search("了|过$|让|因为", before):
        return None
    if word in ("不吃", "不喝") and re.search("今|晚饭|早饭|午饭|了$", clause.body):
        return None
    if word.startswith(("不能", "吃不了")) and kind in ("owned", "kin"):
        return Reading("constraint", "extract.constraint", sure(kind), True, word)
    if kind == "project" and not re.search("团队|小组|部门|公司|班", subject.noun):
        return None
    return Reading("preference", "extract.preference", sure(kind), True, word)


_ALLERGIC: Final = re.compile("过敏|不耐受|禁忌|忌口")
_MUST: Final = Pattern("<must>")
_NO_MUST: Final = re.compile(
    "只读(?=[得的过懂完])|不能不|不得不|能不能|可不可以|不可思议|必须品|必要|受限制"
    "|不要紧|只能说|恨不能"
    "|不能再(?:好|同意)|忍不住|不能理解|不能接受|不能算|不得已|提要求|最多的|最少的"
)


def must(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    body = _NO_MUST.sub("", clause.body)
    if _ALLERGIC.search(body) and kind != "noun" and not re.search("治|测", body):
        return Reading(
            "constraint" if "忌口" in body else "fact",
            "extract.health",
            sure(kind),
            True,
            "过敏",
        )
    found = _MUST.search(body)
    if found is None or found.group() == "过敏":
        return None
    if kind == "none" and not clause.dates and len(clause.body) < 6:
        return None
    if clause.dates and re.match("到期|截[止至]|deadline|ddl|DDL|期限", found.group()):
        return Reading("event", "extract.deadline", max(sure(kind), 0.6), True, found.group())
    if TROUBLE.search(body) and not re.search("必须|禁止|不许|不准|一律|严禁", body):
        return None
    if subject.kind == "self" and found.group() == "一定要":
        return Reading("preference", "extract.preference", OWNED, True, "一定要")
    confidence = sure(kind)
    if kind in ("none", "noun"):
        confidence = 0.6
    elif kind == "project":
        confidence = 0.7
    return Reading("constraint", "extract.constraint", confidence, True, found.group())


_DECIDES: Final = Pattern("<decide>")
_NO_DECIDE: Final = re.compile(
    "没(?:有)?(?:决定|选|定)|还没|决定权|不确定|固定了?|稳定了|肯定了|一定了|规定了|否定|认定了"
)


_FROM_NOW: Final = re.compile(
    "(?:决定)?(?:以后|今后|从今天起|从现在起|从此|往后)(?:都|就|只|再也不|不再|每天|每周|坚持)[^,]{2,}"
)
_USES_NO_MORE: Final = re.compile(
    r"(?:现在|早就|都)?(?:已经)?(?:不用|不再用|没再用)[^,]{0,3}[A-Za-z][^,]{1,20}了$"
)
_USE_THIS: Final = re.compile(
    r"^(?:就|还是|都|统一|那就|咱们?就?)?(?:用|选|上)(?P<what>[ A-Za-z0-9.+#]+?)(?:吧|就行"
    r"|就好|好了)?$"
)


def decides(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    body = clause.body
    if _NO_DECIDE.search(body) or kind == "noun":
        return None
    if kind == "self" and _FROM_NOW.match(subject.said):
        return Reading("decision", "extract.decision", OWNED, True, "以后")
    if re.search("第[一二三四五0-9]+[个种条]|这个|那个|上面|前者|后者|你", body):
        return None
    if kind in SPEAKER and _USES_NO_MORE.match(subject.said):
        return Reading("decision", "extract.change", OWNED, True, "不用")
    bare = _USE_THIS.match(body)
    if bare is not None and kind == "none" and bare["what"].strip().casefold() in keys("member"):
        return Reading("decision", "extract.decision", 0.6, True, "用")
    found = _DECIDES.search(body) or CHANGES.search(body)
    if found is None or (
        kind == "named" and re.search("(?:会|将|能)(?:被|完全|逐渐)?" + found.group(), body)
    ):
        return None
    word = found.group()
    if word in words("life_change"):
        return None
    if word == "就用" and kind == "none" and not clause.particle and not clause.body.endswith("吧"):
        return None
    if kind == "none" and found.start() > 12:
        return None
    rule = "extract.change" if CHANGES.search(body) else "extract.decision"
    return Reading("decision", rule, max(sure(kind), OWNED) if kind != "none" else OWNED, True, word)
