"""What does a Chinese clause say of its subject, and how surely is it worth keeping?

The rules are tried in order; the first that matches names the reading. A clause that none of them
knows holds nothing of its own: it goes with the clause before it, or is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from memweir.learning.chinese.clauses import BLOT, Clause
from memweir.learning.chinese.lexicon import Pattern, keys, words
from memweir.learning.chinese.subjects import Subject, person_names
from memweir.retrieval.types import DateSpan

__all__ = ["CLEAR", "OWNED", "WEAK", "Reading", "read_kind"]

CLEAR: Final = 0.8
OWNED: Final = 0.65
WEAK: Final = 0.4


@dataclass(frozen=True, slots=True)
class Reading:
    """What a rule makes of one clause.

    Attributes:
        kind: of the fact.
        rule: which rule.
        confidence: how sure.
        lasting: it holds beyond the day, so that it may stand beside a question or a command.
        word: the word that told, simplified.
    """

    kind: str
    rule: str
    confidence: float
    lasting: bool
    word: str = ""


_SUBORDINATE: Final = re.compile(
    "(?:的时候|时候|时|的话|之后|以后|期间|的同时)$|^(?:自从|趁着?|随着|每当)"
)
_SPEAKER: Final = frozenset(("self", "we"))
_THEIRS: Final = frozenset(("owned", "kin", "named", "project"))


def read_kind(clause: Clause, subject: Subject, inherited: str = "none") -> Reading | None:
    """The reading of a clause; None where no rule knows it.

    Args:
        inherited: kind of the subject of the clause before, where this one has none.
    """
    kind = subject.kind if subject.kind != "none" else inherited
    if kind in ("you", "this", "other"):
        return None
    if _SUBORDINATE.search(clause.body):
        return None
    for rule in _RULES:
        found = rule(clause, subject, kind)
        if found is not None:
            return found
    return None


def _confidence(kind: str, clear: float = CLEAR) -> float:
    if kind in _SPEAKER:
        return clear
    if kind in _THEIRS:
        return min(clear, OWNED)
    return min(clear, 0.6) if kind == "none" else WEAK


# --- each kind of statement --------------------------------------------------------------------------

_CALLED: Final = re.compile(
    r"^(?:(?:的)?(?:名字|大名|小名|全名|英文名|网名|昵称|外号|笔名)(?:是|叫做?)|姓|名叫|名为"
    r"|叫做?)(?!我|你|外卖|车|人|醒|停|什么|不|了)[^,]{1,16}$"
)
_IAM: Final = re.compile(r"^是(?P<name>[\u4e00-\u9fff]{2,4}|[A-Z][a-z]+(?: [A-Z][a-z]+)?)$")
_CALL_ME: Final = re.compile(
    r"(?:叫我|称呼我为?|喊我)[^,我俺咱]{1,12}?(?:就行|就好|即可|吧|就可以了?)?$"
)


def _named(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    if _CALL_ME.search(clause.body) and not re.search(
        "叫我(?:去|来|做|不要|别|帮|吃|起|写|改|给|回|参加|过去|出|买|看|先|把)", clause.body
    ):
        return Reading("preference", "extract.name", CLEAR, True, "叫我")
    if kind == "self" or kind in _THEIRS:
        match = _CALLED.match(subject.said)
        if match is not None and kind != "project" and (kind != "owned" or _has_name(subject.noun)):
            return Reading("fact", "extract.name", _confidence(kind), True, "叫")
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


def _prefers(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    said = subject.said if subject.kind != "none" else clause.body
    said = _NO_PREFER.sub("", said)
    if kind == "self" and _NOT_USED.match(said):
        return Reading("preference", "extract.preference", OWNED, True, "不用")
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
    if kind == "project" and not re.search("团队|小组|部门|公司|班", subject.noun):
        return None
    return Reading("preference", "extract.preference", _confidence(kind), True, word)


_ALLERGIC: Final = re.compile("过敏|不耐受|禁忌|忌口")
_MUST: Final = Pattern("<must>")
_NO_MUST: Final = re.compile(
    "不能不|不得不|能不能|可不可以|不可思议|必须品|必要|受限制|不要紧|只能说|恨不能"
    "|不能再(?:好|同意)|忍不住|不能理解|不能接受|不能算|不得已|提要求|最多的|最少的"
)


def _must(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    body = _NO_MUST.sub("", clause.body)
    if _ALLERGIC.search(body) and kind != "noun" and not re.search("治|测", body):
        return Reading(
            "constraint" if "忌口" in body else "fact",
            "extract.health",
            _confidence(kind),
            True,
            "过敏",
        )
    found = _MUST.search(body)
    if found is None or found.group() == "过敏":
        return None
    if kind == "none" and not clause.dates and len(clause.body) < 6:
        return None
    confidence = _confidence(kind)
    if kind in ("none", "noun"):
        confidence = 0.6
    elif kind == "project":
        confidence = 0.7
    return Reading("constraint", "extract.constraint", confidence, True, found.group())


_DECIDES: Final = Pattern("<decide>")
_CHANGES: Final = Pattern("<change>")
_NO_DECIDE: Final = re.compile(
    "没(?:有)?(?:决定|选|定)|还没|决定权|不确定|固定了?|稳定了|肯定了|一定了|规定了|否定|认定了"
)


_FROM_NOW: Final = re.compile(
    "(?:决定)?(?:以后|今后|从今天起|从现在起|从此|往后)(?:都|就|只|再也不|不再|每天|每周|坚持)[^,]{2,}"
)
_USE_THIS: Final = re.compile(
    r"^(?:就|还是|都|统一|那就|咱们?就?)?(?:用|选|上)(?P<what>[ A-Za-z0-9.+#]+?)(?:吧|就行"
    r"|就好|好了)?$"
)


def _decides(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    body = clause.body
    if _NO_DECIDE.search(body) or kind == "noun":
        return None
    if kind == "self" and _FROM_NOW.match(subject.said):
        return Reading("decision", "extract.decision", OWNED, True, "以后")
    if re.search("第[一二三四五0-9]+[个种条]|这个|那个|上面|前者|后者|你", body):
        return None
    bare = _USE_THIS.match(body)
    if bare is not None and kind == "none" and bare["what"].strip().casefold() in keys("member"):
        return Reading("decision", "extract.decision", 0.6, True, "用")
    found = _DECIDES.search(body) or _CHANGES.search(body)
    if found is None:
        return None
    word = found.group()
    if word in (
        "搬到",
        "搬去",
        "搬家",
        "离职",
        "辞职",
        "跳槽",
        "升职",
        "升为",
        "晋升",
        "换工作",
        "转行",
        "转岗",
        "推迟到",
        "提前到",
        "延期到",
        "变成",
        "从此",
        "改名",
        "更名",
        "换了",
        "戒了",
        "戒掉",
        "调到",
        "升级到",
        "迁移到",
        "迁到",
    ):
        return None
    if word == "就用" and kind == "none" and not clause.particle and not clause.body.endswith("吧"):
        return None
    if kind == "none" and found.start() > 12:
        return None
    rule = "extract.change" if _CHANGES.search(body) else "extract.decision"
    return Reading(
        "decision", rule, max(_confidence(kind), OWNED) if kind != "none" else OWNED, True, word
    )


_ATTRIBUTE: Final = Pattern(
    r"(?:<attribute>|<category>)(?:一共|大概|现在|目前|已经|今年)?(?:是|为|在|有|叫|:|：|大约"
    r"|只有|就是|定在|定为|挺|很|\d|[一二三四五六七八九十])"
)
_OF: Final = re.compile("的[^,的]{0,6}$|^$|^其$")


def _attribute(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """X的电话是…, X身高172厘米."""
    found = _ATTRIBUTE.search(clause.body)
    if found is None:
        return None
    limits = re.match("截止|deadline|ddl|期限|预算|上限", found.group()) is not None
    means = "constraint" if limits else "fact"
    of = _OF.search(clause.body[: found.start()]) is not None
    if kind in ("none", "noun", "self", "we"):
        if not of or re.search("我|你", clause.body[: found.start()]):
            return None
        return Reading(means, "extract.attribute", OWNED, True, "的")
    if kind == "named" and not of and found.start() > subject.end - subject.before + 1:
        return None
    return Reading(means, "extract.attribute", max(_confidence(kind), 0.75), True, found.group())


_WHICH_IS: Final = re.compile(
    r"^(?!说|想|觉得|认为|问|指|的意思)[^,的]{1,8}的(?:那[个家台只条部]"
    r"|这[个家台])?[^,是]{0,6}(?:是|叫)(?!不是|因为|想|什么)[^,]{2,24}$"
)
_IS: Final = re.compile(
    r"^(?:现在|目前|其实|也|本来|以前|曾经|原来|就|都|是个|今年|已经|还|今后)*(?:是|算是|当过?"
    r"|做过?)(?!说|想|觉得|认为|问|指|因为|为了|在|不是|否|这样|的$|什么|要|不|怎么|想要|看|来"
    r"|从|第一次|真的|很|用来|打算|个问题|不会|时候|谁|对的|错的)[^,]{2,30}$"
)


_CLASS: Final = re.compile("^是一(?:种|门|类|款|项|个开源|个编程|个框架)")


def _is(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    if subject.kind == "self" and _WHICH_IS.match(subject.said):
        return Reading("fact", "extract.stated", 0.6, True, "是")
    if kind in ("none", "noun", "we") and not (
        kind == "we" and re.search("公司|团队|夫妻|组|家", clause.body)
    ):
        return None
    if not _IS.match(subject.said) or (kind == "named" and _CLASS.match(subject.said)):
        return None
    if (
        subject.kind == "self" and re.search("是(?:用|在|做|去|来)[^,]+的$", subject.said) is None
    ) or kind != "self":
        return Reading("fact", "extract.identity", _confidence(kind), True, "是")
    return Reading("fact", "extract.identity", OWNED, True, "是")


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


def _recurs(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    body = clause.body
    if kind == "noun":
        return None
    found = _RECURS.search(body)
    if found is None:
        weekly = _EVERY.search(body)
        if weekly is None:
            return None
        found = weekly
    if _HABIT_NO.search(body) or len(body) - (found.end() - found.start()) < 2:
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
    return Reading("fact", "extract.habit", _confidence(kind, 0.75), True, word)


_HAS: Final = re.compile(
    r"^(?:现在|目前|家里|还|也|一共|总共|就|只|都|已经|今年|手上|手头|名下|家|里|中|以前"
    r"|曾经)*(?:有|养了?|生了?(?![气病日])|没有?(?![电法辙用]))(?P<what>[^,]{1,24})$"
)
_NO_HAS: Final = re.compile(
    r"^(?:个?点|时候|时|可能|意思|道理|用|趣|问题|想法|疑问|疑惑|空|事|人|些|帮助|一点|一种"
    r"|很多话|机会|必要|办法|兴趣|感觉|关系|错|效果|没有|什么|一个问题|个问题|个想法|个事|件事"
    r"|几个问题|一件事|一些|看|说|吃|想|听|去|完|有|懂|发现|注意|报错|错误|反应|变化|结果|进展"
    r"|时间|收到|影响|区别|一天|一次|一段|一回|做|用|来|能|成功|通过|找|过)"
)


def _has(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    if kind not in _SPEAKER | _THEIRS:
        return None
    found = _HAS.match(subject.said)
    if found is not None and subject.kind == "self" and _TOOL_OF_TALK.search(found["what"]):
        return None
    if (
        found is None
        or _NO_HAS.match(found["what"].lstrip("了"))
        or clause.body.endswith(("了没", "没"))
    ):
        return None
    return Reading("fact", "extract.possession", _confidence(kind), True, "有")


_LOCATED: Final = re.compile(
    r"^(?:[^,]{1,12})?(?:放|存|藏|锁|收|挂|停|寄存|埋)在(?!心|一起|眼里|首位)[^,]{2,20}$"
    r"|^(?:都|一般|就|平时)?在[^,]{1,14}(?:里|上|下|旁边?|那里|那儿|抽屉|柜子?|包里|口袋|门口"
    r"|楼下|隔壁|附近|对面)[^,]{0,3}$"
)


def _located(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """Where a thing is kept: 备用钥匙在鞋柜里, 我把护照放在书房了."""
    if kind not in ("self", "noun", "owned", "project", "none") or re.search("现在|刚", clause.body):
        return None
    if kind in ("self", "none"):
        if not re.match(
            r"^(?:一般|都|平时|通常)?(?:把|将)[^,]{1,12}(?:放|存|藏|锁|收|停|寄存)在", subject.said
        ):
            return None
        return Reading("fact", "extract.location", 0.6, True, "在")
    if _LOCATED.match(subject.said) is None:
        return None
    return Reading("fact", "extract.location", 0.6, True, "在")


_LIVES: Final = re.compile(
    r"(?:住在|家在|家住|居住在?|定居在?|现居|常住|租住|在[^,]{1,10}长大|合租|独居|一个人住"
    r"|独自生活|住(?:在|着|的是|\S{2,12}$)|来自|出生[在于]|生于|毕业于|就读于?|在读|老家在"
    r"|籍贯|祖籍)"
)
_WORKS: Final = re.compile(
    r"在[^,]{1,20}?(?:工作|上班|任职|就职|供职|读书|上学|读研|读博|念书|教书|留学|当[^,]{1,8}"
    r"|做[^,]{1,12}|实习|打工|开店|创业|负责[^,]{1,10}|担任[^,]{1,10}|学[^,]{1,8})(?:了|过|呢"
    r"|的)?(?:[一二两三四五六七八九十0-9]+[^,]{0,3}年[^,]{0,3})?$"
)
_STUDIES: Final = re.compile(
    r"(?:读|上|念)(?:的是|的)?(?:大[一二三四]|高[一二三]|初[一二三]|研[一二三]|博[一二三]?"
    r"|小学|初中|高中|大学|幼儿园|[一二三四五六七八九]年级|本科|专科|硕士|博士|研究生"
    r"|[^,]{1,8}专业|小班|中班|大班)|学的是|专业是|主修|攻读|(?:做|干|搞|从事|主要做|写|学"
    r"|教)(?:的)?(?:是)?[^,]{1,10}的$|从事|担任|负责|任职|就职|供职|主要(?:做|写|用|负责|研究"
    r"|教|管|是)|平时(?:做|写|用|主要)|干[^,]{1,6}这行|自由职业|当[^,了]{2,8}$"
    r"|做[^,了的]{2,8}(?:工作|行业|开发|设计|销售|运营|生意)"
)
_BODY: Final = re.compile(
    r"(?:患有|患了|得了|查出|确诊)[^,]{1,14}|(?:有)?(?:高血压|糖尿病|哮喘|胃病|鼻炎|痛风|近视"
    r"|色盲|乳糖不耐受?|腰椎间盘|颈椎病|失眠症|抑郁症|偏头痛|低血糖|贫血|左撇子|素食|吃素|怀孕"
    r"|怀了)|(?:身高|体重|血型|鞋码|视力)\S|[0-9一二三四五六七八九十两百]+(?:多|来)?岁|(?:今年"
    r"|刚|快|马上)(?:满)?[0-9一二三四五六七八九十]+(?:岁|了)|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]"
    r"|[白双金巨狮处天射摩水]\S座|姓\S|戴(?:眼镜|牙套|助听器)|不会(?:游泳|开车|做饭|骑车|英语"
    r"|日语)|单身|已婚|离异|结婚[^,]{1,4}年|没结婚|退休|(?:胃|腰|颈椎|膝盖|胆子|眼睛|皮肤|睡眠"
    r"|记性|脾气|酒量|方向感|心脏|血压|肠胃|嗓子|视力|听力|身体)(?:一直|从小|都|也)?(?:很|不"
    r"|比较|有点儿?|不太|特别|非常)?(?:好|差|小|大|敏感|弱|高|低)$"
    r"|[0-9一二两三四五六七八九十]+(?:多|来)?年(?:多)?了$"
)
_SKILL: Final = re.compile(
    r"^(?:还|也|只|都)?(?:会(?:说|讲|弹|拉|吹|画|唱|跳|写|开|游泳|做|滑|骑|修|编程|下|打|一点"
    r"|用|英语|日语|法语|德语|粤语|手语)(?!的|得)|擅长|精通|熟悉|熟练|拿手|不擅长|不熟悉"
    r"|懂(?!了|得|事|你)|有[^,]{1,8}年[^,]{0,6}经验|掌握)"
)


def _holds(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """Where one lives and works, what one studies, can and suffers from."""
    if kind == "noun":
        return None
    said = subject.said if subject.kind != "none" else clause.body
    for rule, pattern in (
        ("extract.residence", _LIVES),
        ("extract.work", _WORKS),
        ("extract.work", _STUDIES),
        ("extract.body", _BODY),
        ("extract.skill", _SKILL),
    ):
        found = pattern.search(said)
        if found is not None and (kind != "none" or found.start() <= 6):
            if kind in ("none", "project") and rule == "extract.body":
                continue
            if rule == "extract.work" and re.search(
                "作业|饭|菜|梦|爱|了一|了个|实验$|会儿", found.group()
            ):
                continue
            return Reading("fact", rule, _confidence(kind), True, found.group())
    return None


_DOES_NOW: Final = Pattern(
    "(?:正在|一直在|在|刚开始|开始|忙着|热衷于|沉迷于?|迷上了?)<ongoing>[^,]{0,24}$"
)
_ONGOING_HEAD: Final = re.compile(
    r"(?:最近|正在|一直在|目前在|现在在|这段时间|这阵子|近来|这学期|今年|在)"
)


def _ongoing(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    if kind not in _SPEAKER | _THEIRS and kind != "none":
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
    return Reading("fact", "extract.ongoing", _confidence(kind, 0.7), True, found.group())


_USES: Final = re.compile(
    r"^(?:们|以前|之前|原来|原先|后来|今后|改|开始|都|也|主要|一般|平时|通常|现在|目前|一直|的"
    r"|里|上|这边|默认|全部|统一|日常|还|只|已经|开发|工作|写\S{1,4}|在\S{1,4}|都是|做\S{1,4}"
    r"|会|是|方面)*(?:用的?是?|使用的?是?|跑在|部署在|托管在|放在|存在|存放在|基于|依赖|采用"
    r"|运行在|建在|搭在|开在|位于|坐落[在于]|设在|写在|走的?是?|连的?是?"
    r"|装的?是?)(?P<what>[^,]{2,40})$"
)
_NO_USES: Final = re.compile(r"^(?:的?时候|起来|于|来|了一下|过一次|不了|不上|到了|法|户|途|例|一下)")


_TOOL_OF_TALK: Final = re.compile(
    "列表|变量|函数|数组|接口|文件|字段|需求|页面|脚本|任务|按钮|表格|数据|报错|bug|组件|类$"
    "|对象|字符串|参数|请求|循环"
)


def _uses(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    known = kind in _SPEAKER | _THEIRS
    if not known and (kind != "noun" or not re.search("[A-Za-z]", clause.body)):
        return None
    found = _USES.match(subject.said)
    if (
        found is None
        or _NO_USES.match(found["what"])
        or re.search("了$|试了|[写做跑画爬搭建]了|(?:实现|写|做|画|算)一", clause.body)
    ):
        return None
    if subject.kind in _SPEAKER and not re.search(
        "的是|[A-Za-z0-9]|" + BLOT + "|牌|手机|电脑|键盘|系统|输入法|护肤|眼镜", subject.said
    ):
        return None
    return Reading("fact", "extract.use", _confidence(kind), True, "用")


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


def _habit_first(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """A habit, where no day to come is named: 有时周末会去唱片店 is no plan."""
    return (
        None if any(_ahead(span, clause) for span in clause.dates) else _recurs(clause, subject, kind)
    )


_NO_PLAN: Final = re.compile(
    "准备好了|计划书|计划是什么|没打算|不打算|没计划|准备了|安排得|安排的|出发点|准备工作"
)
_GOES: Final = re.compile(
    r"(?:要|会|将|得|该|去|来|回|到|参加|开|见|考|飞|有|陪|带|接|交|发布|上线|出差|开会|面试"
    r"|过|举行|举办|结束|开始|截止|出发|搬)"
)


def _plans(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    body = clause.body
    ahead = [span for span in clause.dates if _ahead(span, clause)]
    if _NO_PLAN.search(body) or (re.search("在准备|在计划|在打算", body) and not ahead):
        return None
    found = _PLANS.search(body)
    if kind not in _SPEAKER | _THEIRS | {"none", "noun"}:
        return None
    if ahead and (found or (_GOES.search(body) and not re.search("了$", body))):
        confidence = _confidence(kind, 0.75)
        return Reading(
            "event", "extract.plan", max(confidence, 0.6), True, found.group() if found else "要"
        )
    if found and "的" in body[found.end() :] and re.search("的[^,是]{2,20}$", body):
        return None
    if found and kind in _SPEAKER | _THEIRS and not re.search("准备$|安排$", body):
        if (
            kind == "self"
            and found.group() in ("打算", "计划", "准备", "就要")
            and not _lasting_goal(body)
        ):
            return None
        if found.group() == "准备" and re.search("在准备", body):
            return None
        if (
            found.group()
            in (
                "安排",
                "报名",
                "出发",
                "预约",
                "订了",
                "约了",
                "约好",
                "要换",
                "要带",
                "要交",
                "要去",
                "要来",
            )
            and kind not in _SPEAKER
            and not clause.dates
        ):
            return None
        return Reading(
            "event",
            "extract.plan",
            _confidence(kind, OWNED),
            not re.search("一会|待会|马上|等下", body),
            found.group(),
        )
    if kind == "self" and _WANTS.match(subject.said) and _lasting_goal(body):
        return Reading("fact", "extract.goal", OWNED, True, "想")
    return None


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
    r"了(?![解结不])|过(?!来|去|程|敏|年|节|生日|分|期|渡|量|于|夜|度)|曾经|曾(?!祖)|[到成]了"
    r"|是[^,]{1,14}[去到来买生搬认学开]\S{0,8}的$"
)
_LIFE: Final = Pattern("<event>")
_CHATTER: Final = Pattern("(?:今天|刚刚?|刚才|我|又|已经)*<chatter_event>")
_NO_EVENT: Final = re.compile("为了|除了|罢了|太[^,]{1,4}了|不了$|算了|得了$|好了$|够了|不过")


def _happened(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    body = _NO_EVENT.sub("", clause.body)
    if kind == "noun" and not clause.dates:
        return None
    dated = [span for span in clause.dates if span.window is not None]
    life = _LIFE.search(body)
    past = _PAST.search(body) or clause.particle.startswith("啦")
    if dated:
        bare = len(body) - sum(span.end - span.start for span in clause.dates)
        if bare < 3 or (not past and not life and not re.search("[在去来到回跟和陪给]", body)):
            return None
        chatter = kind in ("self", "none") and _CHATTER.match(body)
        if chatter and not life:
            return None
        today = all(clause.words(span) in ("今天", "今日", "今早", "今晚") for span in dated)
        return Reading(
            "event", "extract.event", max(_confidence(kind, 0.7 if today else 0.75), 0.5), not today, ""
        )
    if life and past and kind in _SPEAKER | _THEIRS:
        if _CHATTER.match(subject.said):
            return None
        if len(body) < 5:
            return None
        return Reading(
            "event",
            "extract.event",
            _confidence(kind, OWNED),
            bool(_CHANGES.search(body)),
            life.group(),
        )
    return None


_DEGREE: Final = re.compile(
    r"(?:很|非常|特别|比较|挺|有点儿?|不太|太|超|十分|最|更|越来越|不|相当|偏)[^,]{1,12}$"
)
_TRAIT: Final = re.compile(
    r"(?:内向|外向|社恐|社牛|急性子|慢性子|路痴|脸盲|夜猫子|早起|完美主义|强迫症|宅|乐观|悲观"
    r"|敏感|近视|恐高|晕车|晕船|独立|慢热|i人|e人|I人|E人|INFP|INTJ|ENFP|健忘|粗心)"
)


def _lives(noun: str) -> bool:
    """A person or an animal, or where one lives: what lasts of a tool is not how slow it is today."""
    return any(noun in words(section) for section in ("kin", "associate", "pet")) or noun in (
        "家",
        "家里",
        "房子",
        "小区",
        "公司",
        "单位",
        "学校",
        "性格",
        "字",
        "脾气",
    )


def _trait(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    if kind == "self":
        found = _TRAIT.search(subject.said)
        if found is not None and not re.search("今天|刚|这次", clause.body):
            return Reading("fact", "extract.trait", OWNED, True, found.group())
        return None
    if kind in ("owned", "kin", "named", "project") and len(clause.body) >= 5:
        if re.search("今天|刚|这次|现在", clause.body) or re.search("了$", clause.body):
            return None
        found = _DEGREE.search(subject.said)
        if found is not None and (kind == "kin" or _lives(subject.noun)):
            return Reading("fact", "extract.trait", 0.55, True, found.group())
    return None


def _stated(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """Anything else said of somebody known."""
    said = subject.said
    if (
        kind in ("owned", "kin", "named")
        and len(said) >= 3
        and not re.search("今天|刚|现在|正在|了$", clause.body)
    ):
        if (
            kind == "owned"
            and not _lives(subject.noun)
            and re.search("不[对上了行动]|没|错|慢|卡|崩|挂", said)
        ):
            return None
        if kind == "named" and _CLASS.match(said):
            return None
        if said.startswith("的") and re.search("是|在|有|为", said) is None:
            return None
        if re.match(r"(?:和|跟|与|说|觉得|认为|问|让|叫我|给我|好像|不错|可以)", said):
            return None
        return Reading("fact", "extract.stated", 0.5, True, "")
    return None


_RULES: Final[tuple[Callable[[Clause, Subject, str], Reading | None], ...]] = (
    _named,
    _prefers,
    _attribute,
    _must,
    _decides,
    _habit_first,
    _plans,
    _recurs,
    _has,
    _located,
    _holds,
    _uses,
    _is,
    _ongoing,
    _happened,
    _trait,
    _stated,
)
