"""What does a person always do, never do, or do in a manner of their own? Rules over one clause.

The last to be tried: what the speaker says of themselves in plain words without a mark of the moment.
"""

from __future__ import annotations

import re
from typing import Final

from memweir.learning.chinese.clauses import Clause
from memweir.learning.chinese.lexicon import Pattern
from memweir.learning.chinese.readings import OWNED, Reading
from memweir.learning.chinese.subjects import Subject
from memweir.learning.chinese.things import TROUBLE

__all__ = [
    "at_home",
    "changed",
    "does",
    "experience",
    "plainly",
    "quality",
    "refuses",
    "schooled",
    "tastes",
]

_MOMENT: Final = re.compile(
    r"今天|今晚|今早|刚|现在(?!住|在|用|做|都|一般)|正在|这次|这会|一下|马上|待会|等会"
    r"|等下|一会|稍后|回头|先(?!看|吃|喝|洗|跑|写|做|起|问|查)|再说|再试|又"
    r"|怎么|这个|那个|这段|上面|刚才|好像|可能|应该|差点|以为|你|您|突然|终于|还没|还在|忘"
    r"|没空|没时间|没事|这么|那么|试试|看看"
)
_TASTE: Final = re.compile(
    r"(?:[吃喝用看听住穿坐睡闻学读]不(?:惯|来|下去?|了|进去?|习惯)(?!.{0,4}[报错代码])"
    r"|看了就(?:烦|头大|头疼|犯困)|[一]?(?:闻|看|听|吃|喝)(?:到|了|见)?就(?:想吐|头疼|反胃"
    r"|烦|犯困)"
    r"|[最很好特别真超]*(?:烦|恨|厌|腻味?|膈应|讨厌|反感)(?!了|死|人$|恼|躁)|一?(?:口|点"
    r"|筷子|滴)都不(?:吃|喝|碰|沾|想)|碰都不碰|沾都不沾|无感|不感冒|没感觉|提不起兴趣"
    r"|(?:受|忍|hold)不(?:了|住)|见不得|听不得|离不开|少不了|戒不掉|情愿|宁肯|宁愿|宁可"
    r"|独爱|就好这口|就爱|就喜欢|偏爱|偏好|首选"
    r"|只(?:[看吃喝用听穿认读住坐](?:得)?(?:惯|进|下|来|下去|懂)|认|爱)|懒得|更习惯"
    r"|比较习惯|习惯了?[用看吃喝睡先]|信不过|敬而远之|不太喜欢|来不了|不(?:太|怎么)?能接受"
    r"|接受不了|[吃扛顶遭]不(?:消|住)|[用玩写]不来|(?:很|最|超|特别|挺|好|更|蛮)爱"
    r"|没(?:什么|啥|有)?兴趣|绝不|绝对不|死活不|打死不|坚决不|才(?:[听看读]得[懂进下]"
    r"|睡得着|舒服|踏实|安心|习惯)|偏向|倾向|(?<!不)习惯(?:了)?(?=[^,了性的]{2,})"
    r"|对[^,]{1,12}(?:没(?:什么|啥)?感觉|没有?抵抗力|毫无抵抗力|上头|上瘾|有执念|很挑"
    r"|要求高)|最怕|偏(?!偏|向|好|头|重|执|僻)[^,]{1,6}$)"
)
_ONLY: Final = re.compile(
    r"^[^,只必都总从现今]{0,10}?(?:们)?(?:自己)?(?:一般|基本上?|基本|平时|通常|从来|向来"
    r"|一直|永远|现在|其实|都|也)*(?:只|必|都是|都|总|总是|从来不|从不|从没|基本上?|一般"
    r"|通常|向来|永远)"
    r"(?:会)?(?:先|只"
    r"|要)?(?P<verb>[吃喝用看听穿坐住买选点写做读玩去带睡跑洗骑开走学收存放寄订逛抽养叫记"
    r"接回打练泡泡在])[^,]{1,30}$"
)
_SHI_DE: Final = re.compile(
    r"(?:[读学念上做干开用写教考搞玩练弹买坐骑养住租](?:了[^,]{1,6})?的(?:都)?(?:是)?(?!时"
    r"候|人$|话|那)[^,]{1,20}|(?:都|一直|从来|一般)是[^,]{2,24}的)$"
)
_KEEPS: Final = re.compile(
    r"^(?:自己|现在|目前|还|也|一个人|在[^,]{1,10}|平时)*(?:开|经营|带|养|当|教|做|管|打"
    r"|种|收集|玩|练|弹|骑|写|搞|运营|租|养着|带着|管着|开着|戴|随身带|追|订阅)(?:着|的是"
    r"|过)?(?:了)?"
    r"(?:[一二两三四五六七八九十几0-9]+ ?[间家个台辆只条群支套款名位份档门把张]|着)[^,了]{1,16}$"
)
_PROGRESS: Final = re.compile("^(?:在|正)(?:看|写|做|改|调|跑|等|吃|开会|忙|想)")


def tastes(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """Likes and dislikes in other words than those of the lists."""
    if kind not in ("self", "we", "owned", "kin") or clause.asks or subject.kind == "none":
        return None
    body = clause.body
    if _MOMENT.search(body) or TROUBLE.search(subject.said):
        return None
    found = _TASTE.search(body)
    if found is None:
        return None
    return Reading("preference", "extract.preference", OWNED, True, found.group())


def does(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """我都是先看测试再看实现的, 吃火锅我必点毛肚, 我大学读的土木."""
    if subject.kind not in ("self", "owned") or clause.asks or _MOMENT.search(clause.body):
        return None
    said = subject.said
    if (
        TROUBLE.search(said)
        or (said.endswith("了") and not re.search("年了$", said))
        or _PROGRESS.match(said)
    ):
        return None
    only = _ONLY.match(said)
    if only or _SHI_DE.search(said):
        taste = (
            only is not None
            and re.match("(?:[^,]{0,4})?(?:只|必)", said)
            and only["verb"] in "吃喝用看听穿坐买选点读"
        )
        return Reading("preference" if taste else "fact", "extract.habit", OWNED, True, "都")
    if _KEEPS.match(said) and not re.search(
        "代码|脚本|函数|接口|bug|报告|作业|需求|任务|页面|测试", said
    ):
        return Reading("fact", "extract.possession", OWNED, True, "有")
    return None


# 我睡眠浅, 我右手食指断过, 我日语 N2.
_QUALITY: Final = Pattern("(?:<quality>|[左右][手脚眼耳腿肩](?:[^,]{0,2}指)?)$")


def quality(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """What the speaker's body, senses and skills are like."""
    if (
        subject.kind != "owned"
        or clause.asks
        or not subject.said
        or _QUALITY.search(subject.noun) is None
    ):
        return None
    if re.search("今天|今早|今晚|现在|刚|这两天|这几天|突然|又|正", clause.body) or re.match(
        "[疼痛酸晕痒麻胀](?:$|死|得)|(?:好|有点|真|太|又|还)[疼痛酸晕痒麻胀干累困涩花]", subject.said
    ):
        return None
    if subject.said.endswith("了") and not re.search("年了$", subject.said):
        return None
    return Reading("fact", "extract.body", OWNED, True, "")


_REFUSES: Final = re.compile(
    r"^(?:自己|这边|们|从来|一直|早就|已经|早|基本上?|一般|平时|几乎|完全|根本|向来|现在"
    r"|都|也|就|真的|压根|反正|家)*(?:不(?:怎么|太|大|再)?|没有?|从没|从未|从不"
    r"|没再)(?P<what>[^,]{1,24})$"
    r"|^(?:一般|平时|真的)?(?:很少|极少|不常|几乎不)(?P<rare>[^,]{2,24})$|^(?:都|也|完全"
    r"|还)?[听看读写吃喝开讲说]不(?:懂|了|来|得)(?P<able>[^,你这那]{2,12})$"
)
_LASTS: Final = re.compile(r"早就|早已|已经|再也|不再|戒|从来|从没|从未|从不|基本|几乎|向来|根本")
_NO_DOING: Final = re.compile(
    r"^(?:知道|清楚|确定|明白|懂了|理解|记得|想|敢|会(?:吧|的)|是|对|好|行|同意|认为|觉得"
    r"|信(?!星|教|命|中医|鬼|佛|算命|任)|急|客气|介意|管|多说|一样|够|必|至于|得不|能不"
    r"|用谢|要|应该|该|小心|"
    r"问题|事|关系|办法|空|时间|意见|看到|看见|听到|听说|收到|找到|想到|发现|注意|搞懂|弄"
    r"|改|动|写|跑|试|成功|通过|报错|反应|错|用$|了|吃饭|睡|睡好|睡着|起床|下班|到|回|提交"
    r"|提|合|说|讲|看懂|打开|保存|装上?|做完|写完|跑完|吃完|来得及|下载|登录)"
)
_GROUP_DOES: Final = re.compile("(?:写|跑|提|合|测|发|上|记)(?!了|不|到|过|完|出)[^,]{2,}")
_SKILLED: Final = re.compile(
    "^(?:会|懂|擅长|熟|能|吃|喝|抽|用|看|玩|去|做|开|坐|住|碰|沾|打|听|熬夜|加班|接|收|买"
    "|养|学|写|穿|戴|爱|喜欢|考|当|炒|参加|早起|打卡|化妆|运动|健身|刷|追|过|信|相信|签"
    "|留|靠|走|搭|骑|跑步|出差|依赖|支持|服|戴|结|上|租|吸|碰|回|读|开车|旅|谈|点|搞|有"
    "|产|招|发|开源|收费|联网|校验|区分|涉及|面向|在(?=[^,]{1,12}了$)|姓|公开|限|强制"
    "|提供|外包|卖|收|记)"
)


def refuses(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """我不开车, 我沒養寵物, 我早就不抽烟了, 我们公司不打卡."""
    if subject.kind not in ("self", "owned", "we", "kin", "named", "project") or clause.asks:
        return None
    if _MOMENT.search(clause.body) or TROUBLE.search(subject.said):
        return None
    match = _REFUSES.match(subject.said)
    if match is not None and (match["rare"] or match["able"]):
        return Reading("fact", "extract.negation", OWNED, True, "不")
    group = subject.kind == "we" and _GROUP_DOES.match(match["what"] if match is not None else "")
    if match is not None and group and not subject.said.endswith("了"):
        return Reading("fact", "extract.negation", OWNED, True, "不")
    if match is None or _NO_DOING.match(match["what"]) or not _SKILLED.match(match["what"]):
        return None
    ends = subject.said.endswith("了")
    if ends and not _LASTS.search(subject.said) and subject.kind not in ("we", "project", "owned"):
        return None
    taste = (
        subject.kind == "self"
        and not ends
        and re.match("[吃喝抽爱碰沾]|喜欢|用|看|玩|听|坐|穿", match["what"])
    )
    return Reading("preference" if taste else "fact", "extract.negation", OWNED, True, "不")


_YEARS: Final = re.compile(
    r"(?:[做干写教当搞学练玩住待用养开打弹在来到](?:了|过|的)?[^,了]{0,10}?)(?:了|有|快|都"
    r"|已经| )*(?:半|[0-9一二两三四五六七八九十]+(?:多|来|几)?个?)(?:年|月)(?:多|半)?(?:了"
    r"|的)?[^,]{0,8}$"
    r"|[做干写教当搞学练玩住待开]了[0-9一二两三四五六七八九十]+(?:多|来|几)?年(?:多)?(?:的)?[^,]{0,10}$"
)


def experience(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """干后端八年了, 做了十年前端: of the speaker where nobody else is named."""
    if subject.kind not in ("self", "none", "noun", "kin", "owned", "named") or clause.asks:
        return None
    if subject.kind in ("none", "noun") and not re.match(
        "(?:之前|以前|在|[做干写教当搞学练玩住待开用养])", clause.body
    ):
        return None
    if _MOMENT.search(clause.body) or _YEARS.search(clause.body) is None:
        return None
    return Reading("fact", "extract.experience", OWNED, True, "年")


_SCHOOL: Final = re.compile(
    r"^(?:我)?(?:大学|本科|研究生|硕士|博士|高中|中专|大专|大二|当年|学生时代|科班)(?:时"
    r"|期间|阶段)?(?:是)?(?:[读学念上考](?:的)?(?:是)?[^,]{1,16}|出身|在[^,]{2,14}(?:读|念"
    r"|上|学)的?[^,]{0,8})(?:的)?$"
    r"|^(?:老家|祖籍|籍贯|坐标|人在|base)(?:在|是|:|：)? ?[^,]{1,10}(?:的|人)?$"
    r"|^[^,]{2,6}(?:人|土著),?(?:在|现居|定居)[^,]{2,8}$"
)


def schooled(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """本科学的化学, 老家东北的: said without 我, of the speaker."""
    if (
        subject.kind not in ("none", "noun", "kin", "self", "owned")
        or clause.asks
        or clause.body.endswith(("了", "吗", "呢"))
    ):
        return None
    if _SCHOOL.match(clause.body) is None:
        return None
    return Reading("fact", "extract.background", OWNED, True, "的")


_CHANGED: Final = re.compile(
    "换(?:了|过)?(?:新)?(?:手机号|手机|号码|号|电话|邮箱|工作|公司|地址|微信|部门|岗位"
    "|房子|车|电脑|城市)了|(?:手机号|号码|邮箱|地址|微信|名字)(?:换|改)(?:成|为)?了"
)


def changed(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """我换手机号了."""
    if (
        subject.kind not in ("self", "owned", "we")
        or clause.asks
        or _CHANGED.search(clause.body) is None
    ):
        return None
    return Reading("fact", "extract.change", OWNED, True, "换")


_NOW_DOING: Final = re.compile(
    "^(?:打个|举个|说个|讲个|问个|插|提|显示|去|来|再|这就|重新|换个|试|补充|整理|发|说"
    "|贴|传|等|问|查|想|要|需要|打算|准备|得|该|能|可以|可能|应该|会|没|不|把|给|跟|和|对"
    "|让|被|叫|到|回|走|看(?!书|小说|电影)|听|觉得|认为|感觉|发现|遇到"
    "|碰到|看到|猜|估计|建议|同意|支持|确认|理解|明白|知道|记得|忘|改|写|跑|搞|弄|调|修"
    "|加|删|装|点|开始|继续|接着|按|照|用了|是|有|在|只是|就是|真|太|好|很|挺|也|都|就|才"
    "|还|又|先|现)"
)


def plainly(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """What the speaker says of themselves without a mark of when: 牛排我吃七分熟, 我视障."""
    if subject.kind != "self" or clause.asks or clause.dates:
        return None
    body, said = clause.body, subject.said
    if _MOMENT.search(body) or TROUBLE.search(body) or "了" in said or said.endswith(("着", "过")):
        return None
    if subject.topic:
        if re.match(
            "按|照|忽略|跳过|接着|继续|刚才|把|[0-9一二三四五六七八九十]+(?:分|秒|小时|天|点)", body
        ):
            return None
        if len(said) < 3 or re.match(
            "(?:再|先|想|要|会|觉得|认为|感觉|猜|去|来|看看|试|查|不知道|没(?!有))", said
        ):
            return None
        taste = re.match("(?:一般|都|只|不)?[吃喝穿用听看坐住选买玩]", said)
        return Reading("preference" if taste else "fact", "extract.habit", 0.6, True, "")
    if len(said) < 4 or _NOW_DOING.match(said):
        return None
    return Reading("fact", "extract.stated", 0.5, True, "")


_AT_HOME: Final = re.compile(
    "^(?:家里|家中)(?:的[^,]{1,6})?(?:现在|一直|都|也)*(?:装的|用的|是|有|养|住|没有|没"
    "|订|只有|四口|三口)[^,]{1,}$"
)


def at_home(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """家里装的是电信千兆."""
    if (
        subject.kind in ("you", "this")
        or clause.asks
        or TROUBLE.search(clause.body)
        or clause.body.endswith("了")
    ):
        return None
    if _AT_HOME.match(clause.body) is None or _MOMENT.search(clause.body):
        return None
    return Reading("fact", "extract.home", 0.6, True, "有")
