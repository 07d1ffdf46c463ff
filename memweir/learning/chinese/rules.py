"""What must, may not or is never to be done, whoever does it? Rules over one Chinese clause.

不要直接往主分支推, 周五不发版, 单个函数别超过五十行: said for good, not of the thing at hand.
"""

from __future__ import annotations

import re
from typing import Final

from memweir.learning.chinese.clauses import Clause
from memweir.learning.chinese.lexicon import Pattern
from memweir.learning.chinese.readings import OWNED, Reading
from memweir.learning.chinese.subjects import Subject
from memweir.learning.chinese.things import TROUBLE

__all__ = ["forbids", "is_rule", "never"]

_AT_HAND: Final = re.compile(
    r"这(?!种|类|边)|那(?!种|类|边)|[它他她]|^先|一下|刚|现在|今天|上面|下面"
    r"|第[一二三四五0-9]+[个段行步条]|了$|吧$|再说|又|你"
    r"|(?<!提交)(?<!上传)(?:删|改|动|管|加|挪|换|合|跑|停|关)(?!除)[^,]{0,3}$"
)
_MOOD: Final = re.compile(
    r"^(?:别|不要|先别)[^,]{1,4}了|^(?:千万|绝对|可)?(?:别|不要|不用|不必"
    r"|勿)(?:再)?(?:担心|急|着急|闹|怕|客气|紧张"
    r"|生气|难过|哭|笑|骗|瞎|乱|慌|多想|想太多|介意"
    r"|误会|装|逗|提了|说了|管|理|问|看|废话|啰嗦|道歉|猜|老|这么|那么|总是?|忘)"
)
_NOT_TO: Final = re.compile(
    r"^(?:请|大家|所有人|任何人|谁[都也]?|以后)?(?:千万|绝对|永远|尽量|一律|坚决|严格|一定)*"
    r"(?:别|不要|勿|禁止|严禁|不许|不准|不得|不能|不可以?|不允许|避免)(?P<what>[^,]{3,})$"
    r"|^(?:谁|任何人|所有人)[都也]?(?:不许|不能|不准|别|不得)(?P<all>[^,]+)$"
)
# 单个函数别超过五十行: of a thing.
_THING_NOT: Final = re.compile(
    r"^(?:里面?|上|中|时|的时候|内|这边|那边)?[^,]{0,8}?(?:千万|绝对|永远|尽量|一律|都"
    r"|统统|一概|全部|坚决|全都?|一[个张条份行次]都)*"
    r"(?:别|不要|禁止|严禁|不许|不准|不得|不能|不可以?|不允许|不该)(?P<what>[^,]{2,})$"
)
_THING_MUST: Final = re.compile(
    r"^[^,]{0,14}?(?:必须|务必|一定要|都得|都要|都必须|得先|要先|需要先|(?:一律|统一)(?!是"
    r"|叫|为|在|放)|只能"
    r"|只许|只准|只允许|只可以|至少|最多|最少|不超过|不低于|不少于"
    r"|不多于|不大于|不小于|控制在|限制在|仅限|只读|上限|下限|要在[^,]{1,8}内|要压在"
    r"|要控制在|要过|要经过|要有|要用|要写|要加|要带|得用|得写|得加|得带|得过|得有|才能"
    r"|才可以|才让|才准|不给[合过批发上报]|不让(?!你|我)|打回|不予"
    r"|一票否决)(?P<what>[^,]*)$"
)
_BEFORE: Final = re.compile(
    r"^[^,我]{2,14}?(?:之后|以后)只(?!是)[^,]{2,}$|^[^,我]{2,14}?(?:之?前|之?后|以后|完|时"
    r"|的时候)(?:请|都|就|先|还|统统|一律)*(?:要|得|必须|需要?|一定要|务必|记得|不能|不要"
    r"|别|不许|不准)[^,]{2,}$"
    r"|^(?:涉及|凡|所有|任何|每个?|对外|新增|关于|超过|低于|没有?"
    r"|有)[^,我你]{2,14}?(?:都)?(?:要|得|需要|必须)(?!求)[^,]{2,}$"
    r"|^[^,我你这那]{2,10}(?:超过|低于|高于|少于|多于|达到|满|不足)[^,我你]{1,8}?(?:就|都"
    r"|则)?(?:要|得|需要|必须)[^,]{2,}$|^[^,我你这那]{2,10}(?:改动|变更|调整|发布|上线"
    r"|变动)(?:都)?(?:要|得|需要|必须)[^,]{2,}$"
)
_WEEKDAY: Final = Pattern(
    r"^(?:每(?:个)?)?(?:周[一二三四五六日天末]|星期[一二三四五六日天]"
    r"|礼拜[一二三四五六日天]|晚上|半夜|夜里|下班后|节假日|节前|月底|年底|高峰期|大促期间"
    r"|工作日|上班时间)"
    r"[^,]{0,8}?(?:都|一律|从|从来|绝|绝对|坚决)?(?:不|别|不要|禁止|不许|不能|不准|只)[^,]{2,}$"
)
_WE_RULE: Final = re.compile(
    "^(?:组|公司|团队|项目|这边|内部)?(?:规定|要求|约定|硬性规定|明确)(?!是|了$)[^,]{3,}"
)
_EACH_TIME: Final = re.compile("每次[^,我你]{1,14}?(?:都得|都要|得|要|必须|必|都需要|需要)[^,]{2,}$")
_NEVER_MIND: Final = re.compile(
    "不[会想知行对好错够如是在到像清确明太怎同止仅过必用管]|不了|不好|不舒|不下|没"
)
_WORK: Final = Pattern(
    "<project_noun>|<reply>|[A-Za-z]{2,}|[0-9]+|用户|数据|线程|生产|线上|外网|隐私|名字"
    "|照片|价格|合同|邮件"
)
_SAID_SO: Final = re.compile("(?:规矩|规定|规范|约定|要求|红线|底线|原则|硬性要求|铁律)")


def is_rule(reading: Reading | None) -> bool:
    return reading is not None and reading.kind in ("constraint", "procedure")


def forbids(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """A clause without the speaker that orders or forbids for good."""
    body = clause.body
    if subject.kind in ("self", "you", "kin") or clause.asks:
        return None
    if subject.kind == "other" and re.match("谁|任何人|所有人|大家(?:都)?不", body) is None:
        return None
    if subject.kind == "named" and not subject.noun.isascii():
        return None
    if re.match("(?:大家|一家|全家|我们一|他们|人们|年轻人|谁|人(?!脸|工|员|事|力))", body):
        return None
    if subject.kind in ("we", "owned") and _WE_RULE.match(subject.said):
        return Reading("constraint", "extract.constraint", OWNED, True, "规定")
    if clause.dates and not _WEEKDAY.match(body):
        return None
    if _EACH_TIME.match(body) and subject.kind not in ("self", "you"):
        return Reading("procedure", "extract.procedure", OWNED, True, "每次")
    if _MOOD.match(body) or TROUBLE.search(body) or _AT_HAND.search(body):
        return None
    if _WEEKDAY.match(body):
        if _NEVER_MIND.search(body):
            return None
        return Reading("constraint", "extract.constraint", OWNED, True, "不")
    match = _NOT_TO.match(body)
    if (
        match is not None
        and not re.match("用", match["what"] or "")
        and (match["all"] or (_WORK.search(match["what"]) and len(match["what"]) >= 4))
    ):
        return Reading("constraint", "extract.constraint", OWNED, True, "不要")
    if _BEFORE.match(body):
        return Reading("constraint", "extract.constraint", OWNED, True, "前")
    if subject.kind in ("noun", "project", "owned", "we", "named") or re.match(
        "没有?|凡是?|所有|任何|每个|一切|新", body
    ):
        said = subject.said
        match = _THING_NOT.match(said) or _THING_MUST.match(said)
        if match is not None and len(body) >= 6:
            if re.search(
                "不能(?:用|跑|打开|登录|访问|显示|正常|编译|启动|识别|运行|加载)[^,]{0,3}$", body
            ):
                return None
            return Reading("constraint", "extract.constraint", OWNED, True, "不")
    return None


_OWN_RULE: Final = re.compile(
    r"(?:点|号|周末|晚上|早上|下班|饭后|睡前|周[一二三四五六日天])[^,]{0,6}(?:之?前|之?后"
    r"|以后|以前)?[^,]{0,4}(?:我)?(?:都|从|从来|绝|一律|就)?(?:不"
    r"|只)(?![想会知行对好错够是])[^,]{2,}$"
)


def never(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """我晚上十一点以后不接电话: what the speaker does not do at some time."""
    if (
        subject.kind != "self"
        or clause.asks
        or re.search("今[天晚早]|明[天晚早]|昨|了$|打算|准备", clause.body)
    ):
        return None
    if _OWN_RULE.search(clause.body) is None:
        return None
    return Reading("preference", "extract.habit", 0.7, True, "不")
