"""What holds of somebody or something? Rules over one Chinese clause."""

from __future__ import annotations

import re
from typing import Final

from memweir.learning.chinese.clauses import BLOT, Clause
from memweir.learning.chinese.lexicon import Pattern, words
from memweir.learning.chinese.readings import CODE, OWNED, SPEAKER, THEIRS, Reading, sure
from memweir.learning.chinese.subjects import Subject
from memweir.learning.chinese.things import TROUBLE

__all__ = ["attribute", "has", "holds", "is_what", "located", "manner", "stated", "trait", "uses"]

_ATTRIBUTE: Final = Pattern(
    r"(?:<attribute>|<category>)(?:一共|大概|现在|目前|已经|今年)?(?:是|为|在|有|叫|:|：|大约"
    r"|只有|就是|定在|定为|挺|很|\d|[一二三四五六七八九十])"
)
_OF: Final = re.compile("的[^,的]{0,6}$|^$|^其$")


def attribute(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """X的电话是…, X身高172厘米."""
    found = _ATTRIBUTE.search(clause.body)
    if found is None or re.match("(?:时间|预算|内容|关系)就是", clause.body):
        return None
    limits = re.match("预算|上限", found.group()) is not None
    means = "constraint" if limits else "fact"
    of = _OF.search(clause.body[: found.start()]) is not None
    if kind in ("none", "noun", "self", "we"):
        if not of or re.search("我|你", clause.body[: found.start()]):
            return None
        return Reading(means, "extract.attribute", OWNED, True, "的")
    if kind == "named" and not of and found.start() > subject.end - subject.before + 1:
        return None
    return Reading(means, "extract.attribute", max(sure(kind), 0.75), True, found.group())


_WHICH_IS: Final = re.compile(
    r"^(?!说|想|觉得|认为|问|指|的意思)[^,的]{1,8}的(?:那[个家台只条部]"
    r"|这[个家台])?[^,是]{0,6}(?:是|叫)(?!不是|因为|想|什么)[^,]{2,24}$"
)
_IS: Final = re.compile(
    r"^(?:(?:和|跟|与)[^,是]{1,8})?(?:现在|目前|其实|也|本来|以前|曾经|原来|就|都|是个"
    r"|今年|已经|还|今后)*(?:是|算是|当过?"
    r"|做过?)(?!说|想|觉得|认为|问|指|因为|为了|在|不是|否|这样|的$|什么|要|不|怎么|想要|看|来"
    r"|从|第一次|真的|很|用来|打算|个问题|不会|时候|谁|对的|错的)[^,]{2,30}$"
)


_ROLE: Final = Pattern("(?:<kin>|<associate>|国人|本人)$")
_CLASS: Final = re.compile("^是一(?:种|门|类|款|项|个开源|个编程|个框架)")


_IS_NOT: Final = re.compile(
    "^(?:可|并|也|其实)?不(?:是|算)[^,这那]{2,12}(?:人|[员师生]|党|粉|派|控|出身|专业)(?:的)?$"
)


def is_what(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    if subject.kind in SPEAKER | THEIRS and _IS_NOT.match(subject.said):
        return Reading("fact", "extract.negation", sure(kind), True, "不是")
    if subject.kind == "self" and _WHICH_IS.match(subject.said):
        return Reading("fact", "extract.stated", 0.6, True, "是")
    if kind in ("none", "noun", "we") and not (
        kind == "we" and re.search("公司|团队|夫妻|组|家", clause.body)
    ):
        return None
    if not _IS.match(subject.said) or (kind == "named" and _CLASS.match(subject.said)):
        return None
    if (
        kind == "named"
        and subject.noun.isascii()
        and not re.search("[A-Za-z0-9]|我|咱", subject.said)
        and _ROLE.search(subject.said) is None
    ):
        return None
    if (
        subject.kind == "self" and re.search("是(?:用|在|做|去|来)[^,]+的$", subject.said) is None
    ) or kind != "self":
        return Reading("fact", "extract.identity", sure(kind), True, "是")
    return Reading("fact", "extract.identity", OWNED, True, "是")


_HAS: Final = re.compile(
    r"^(?:(?:跟|和|与)[^,有]{1,8})?(?:现在|目前|家里|还|也|一共|总共|就|只|都|已经|今年"
    r"|手上|手头|名下|家|里|中|以前"
    r"|曾经)*(?:有|养了?|生了?(?![气病日])|没有?(?![电法辙用]))(?P<what>[^,]{1,24})$"
)
_NO_HAS: Final = re.compile(
    r"^(?:个?点|时候|时|可能|意思|道理|用|趣|问题|想法|疑问|疑惑|空|事|人|些|帮助|一点|一种"
    r"|很多话|机会|必要|办法|兴趣|感觉|关系|错|效果|没有|什么|一个问题|个问题|个想法|个事|件事"
    r"|几个问题|一件事|一些|看|说|吃|想|听|去|完|有|懂|发现|注意|报错|错误|反应|变化|结果|进展"
    r"|时间|收到|影响|区别|一天|一次|一段|一回|做|用|来|能|成功|通过|找|过)"
)


def has(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    if kind not in SPEAKER | THEIRS:
        return None
    found = _HAS.match(subject.said)
    if found is not None and subject.kind == "self" and CODE.search(found["what"]):
        return None
    if (
        found is None
        or (kind in ("project", "owned") and TROUBLE.search(subject.said))
        or ("现在" in clause.body and "没" in found.group())
        or _NO_HAS.match(found["what"].lstrip("了"))
        or clause.body.endswith(("了没", "没"))
    ):
        return None
    return Reading("fact", "extract.possession", sure(kind), True, "有")


_LOCATED: Final = re.compile(
    r"^(?:[^,]{1,12})?(?:放|存|藏|锁|收|挂|停|寄存|埋)在(?!心|一起|眼里|首位)[^,]{2,20}$"
    r"|^(?:都|一般|就|平时)?在[^,]{1,14}(?:里|上|下|旁边?|那里|那儿|抽屉|柜子?|包里|口袋|门口"
    r"|楼下|隔壁|附近|对面)[^,]{0,3}$"
)


def located(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """Where a thing is kept: 备用钥匙在鞋柜里, 我把护照放在书房了."""
    if kind not in ("self", "noun", "owned", "project", "none") or re.search("现在|刚", clause.body):
        return None
    if kind in ("self", "none"):
        if not re.match(
            r"^(?:一般|都|平时|通常)?(?:把|将)[^,]{1,12}(?:放|存|藏|锁|收|停|寄存)在", subject.said
        ):
            return None
        return Reading("fact", "extract.location", 0.6, True, "在")
    if _LOCATED.match(subject.said) is None or TROUBLE.search(clause.body):
        return None
    return Reading("fact", "extract.location", 0.6, True, "在")


_LIVES: Final = re.compile(
    r"(?:住在|家在|家住|居住在?|定居在?|现居|常住|租住|一起住|同住|在[^,]{1,10}长大|合租|独居|一个人住"
    r"|独自生活|住(?:在|着|的是|\S{2,12}$)|来自|出生[在于]|生于|毕业于|就读于?|在读|老家在"
    r"|籍贯|祖籍)"
)
_WORKS: Final = re.compile(
    r"在[^,]{1,20}?(?:工作|上班|任职|就职|供职|读书|上学|读研|读博|念书|教书|留学|当[^,]{1,8}"
    r"|做[^,]{1,12}|实习|打工|开店|创业|负责[^,]{1,10}|担任[^,]{1,10}|学[^,]{1,8})(?:了|过|呢"
    r"|的)?(?:[一二两三四五六七八九十0-9]+[^,]{0,3}年[^,]{0,3})?$"
)
_STUDIES: Final = re.compile(
    r"(?:读|上|念)(?:的是|的)?(?:夜班|白班|早班|晚班|倒班|大[一二三四]|高[一二三]"
    r"|初[一二三]|研[一二三]|博[一二三]?"
    r"|小学|初中|高中|大学|幼儿园|[一二三四五六七八九]年级|本科|专科|硕士|博士|研究生"
    r"|[^,]{1,8}专业|小班|中班|大班)|学的是|专业是|主修|攻读|(?:做|干|搞|从事|主要做|写|学"
    r"|教)(?:的)?(?:是)?[^,]{1,10}的$|从事|担任|负责|任职|就职|供职|主要(?:做|写|用|负责|研究"
    r"|教|管|是)|平时(?:做|写|用|主要)|干[^,]{1,6}这行|自由职业|当[^,了]{2,8}$"
    r"|做[^,了的]{2,8}(?:工作|行业|开发|设计|销售|运营|生意)"
    r"|(?:转去|转到|调去|调到|跳到|改当|改做|升为|升到|当上|做到|升了)[^,]{2,16}了?$"
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
    r"^(?:还|也|只|都)?(?:[讲说](?:[^,]{1,4}[语话文])|会(?:说|讲|弹|拉|吹|画|唱|跳|写|开"
    r"|游泳|做|滑|骑|修|编程|下|打|一点"
    r"|用|英语|日语|法语|德语|粤语|手语)(?!的|得)|擅长|不太会|不怎么会|不会做|精通|熟悉|熟练"
    r"|拿手|不擅长|不熟悉"
    r"|懂(?!了|得|事|你)|有[^,]{1,8}年[^,]{0,6}经验|掌握)"
)


def holds(clause: Clause, subject: Subject, kind: str) -> Reading | None:
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
            return Reading("fact", rule, sure(kind), True, found.group())
    return None


_USES: Final = re.compile(
    r"^(?:们|以前|之前|原来|原先|后来|今后|改|开始|都|也|主要|一般|平时|通常|现在|目前|一直|的"
    r"|里|上|这边|默认|全部|统一|日常|还|只|已经|开发|工作|写\S{1,4}|在\S{1,4}|都是|做\S{1,4}"
    r"|会|是|方面)*(?:用的?是?|使用的?是?|跑在|部署在|托管在|放在|存在|存放在|基于|依赖|采用"
    r"|运行在|建在|搭在|开在|位于|坐落[在于]|设在|写在|走的?是?|连的?是?"
    r"|装的?是?)(?P<what>[^,]{2,40})$"
)
_NO_USES: Final = re.compile(r"^(?:的?时候|起来|于|来|了一下|过一次|不了|不上|到了|法|户|途|例|一下)")


def uses(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    known = kind in SPEAKER | THEIRS
    if not known and (kind != "noun" or not re.search("[A-Za-z]", clause.body)):
        return None
    found = _USES.match(subject.said)
    if (
        found is None
        or TROUBLE.search(clause.body)
        or _NO_USES.match(found["what"])
        or re.search("了$|试了|[写做跑画爬搭建]了|(?:实现|写|做|画|算)一", clause.body)
    ):
        return None
    if subject.kind in SPEAKER and not re.search(
        "的是|[A-Za-z0-9]|" + BLOT + "|牌|手机|电脑|键盘|系统|输入法|护肤|眼镜", subject.said
    ):
        return None
    return Reading("fact", "extract.use", sure(kind), True, "用")


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


def _is_person(subject: Subject) -> bool:
    return any(subject.noun in words(section) for section in ("kin", "associate"))


def trait(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    if kind == "self":
        found = _TRAIT.search(subject.said)
        if found is not None and not re.search("今天|刚|这次", clause.body):
            return Reading("fact", "extract.trait", OWNED, True, found.group())
        return None
    if kind in ("owned", "kin", "named", "project") and len(clause.body) >= 5:
        if re.search("今天|刚|这次|现在", clause.body) or re.search("了$", clause.body):
            return None
        found = _DEGREE.search(subject.said)
        if TROUBLE.search(subject.said) and not _is_person(subject):
            return None
        if found is not None and (kind == "kin" or _lives(subject.noun)):
            return Reading("fact", "extract.trait", 0.55, True, found.group())
    return None


_ORDERS: Final = re.compile("流程|步骤|规范|约定|惯例|规矩|原则|顺序|策略")
_MANNER: Final = re.compile(
    r"(?:流程|步骤|做法|规范|约定|惯例|规矩|原则|顺序|策略|习惯|口号)(?:都)?(?:是|为|:|：)[^,]{2,}"
    r"|^(?:都|一般|默认)?(?:先|得先|要先)[^,]{2,14}(?:再|然后|,)?|(?:出问题|出错|失败|上线"
    r"|发布|部署|合并)[^,]{0,3}(?:先|就|后要|前要)[^,]{2,}"
)
_SETTING: Final = re.compile(
    r"(?:统一|默认|固定|一律|全部)?(?:设成|设为|设置为|配成|配置为|保留|限制在|限制为|控制在"
    r"|跑在|监听在?|缓存)[^,]{0,2}?[0-9一二两三四五六七八九十A-Za-z]"
)


def manner(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """How something is done: 发布流程是先打标签再部署."""
    known = kind in ("owned", "project", "we", "named")
    if clause.body.startswith("先"):
        return None
    if (known or (kind == "noun" and _ORDERS.search(clause.body))) and _MANNER.search(clause.body):
        return Reading("procedure", "extract.procedure", 0.6, True, "先")
    if kind == "none" and re.match("(?:线上|生产|发布|部署|上线|合并|提交)[^,]{0,6}先", clause.body):
        return Reading("procedure", "extract.procedure", 0.6, True, "先")
    if kind in ("noun", "project", "named") and _SETTING.search(clause.body):
        return Reading("fact", "extract.setting", 0.55, True, "设")
    return None


def stated(clause: Clause, subject: Subject, kind: str) -> Reading | None:
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
        if kind == "named" and (
            _CLASS.match(said)
            or (subject.noun.isascii() and re.match("比", said))
            or (subject.noun.isascii() and not re.search("[A-Za-z0-9]|我", said))
        ):
            return None
        if TROUBLE.search(said) and not _is_person(subject):
            return None
        if said.startswith("的") and re.search("是|在|有|为", said) is None:
            return None
        if re.match(r"(?:和|跟|与|说|觉得|认为|问|让|叫我|给我|好像|不错|可以)", said):
            return None
        return Reading("fact", "extract.stated", 0.5, True, "")
    return None
