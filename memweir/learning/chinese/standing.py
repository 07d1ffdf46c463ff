"""Does a Chinese sentence ask for something to be remembered, or to be done from now on?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memweir.learning.chinese.clauses import Clause, View, clause_at
from memweir.learning.chinese.gates import is_question
from memweir.learning.chinese.lexicon import Pattern, words
from memweir.learning.chinese.subjects import Subject

__all__ = ["Request", "goes_on", "is_standing", "remembered", "standing_kind"]


@dataclass(frozen=True, slots=True)
class Request:
    """An explicit request to remember.

    Attributes:
        clauses: what is to be remembered; empty where it is said elsewhere ("记住这些").
    """

    clauses: tuple[Clause, ...]


_AFTER_MARKER: Final = re.compile(
    r"^(?:一下|下|了|哦|啊|哈|呀|点|这一?点|这个|一点|一件事|件事|个事|以下(?:内容|几点)?"
    r"|如下)?[\s:：,，\-—]*"
)
# A request in any of its wordings: who is asked, the verb, and what is pointed at.
_REMEMBER: Final = Pattern(
    r"(?:(?:请|麻烦|劳驾|拜托|please|pls|Please|你|您|帮我|给我|替我|帮忙|一定|务必|千万"
    r"|可以|再|顺便|也|还要?|要|需要|希望|我希望|得"
    r"|给我好好|好好) ?)*"
    r"(?:<remember>|(?:存|记|留)着|记(?:住|一下|下来?|着点?|牢|好|个事儿?|件事|一笔)"
    r"|别忘[了记]?|不要忘[了记]?|不要不记得|别不记得|存一下|存下来|做个?备忘|remember|note"
    r"|mark) ?"
    r"(?:一下|一个|个事儿?|件事儿?|一?笔|下来|下|点儿?|住|好|了|啊|哦|哈|呀|哟)*"
    r"|(?:(?:请|麻烦|你|您|帮我|给我) ?)*(?:把|将)?(?:这个|这条|这点|这件事|这句话?|这事"
    r"|下面(?:这)?(?:个|条|句|段)?|以下(?:内容)?|它)?"
    r"(?:都)?(?:帮我|给我)?(?:存|记|写|加|放|录|保存|添加|更新)(?:到|进|入|在|下来)"
    r"(?:(?:你|您)?的?(?:长期|永久)?(?:记忆库?|备忘录?|小本本|笔记本?|脑子|memory"
    r"|Memory)(?:里面?|中)?)?(?:去|来|吧|哈|啊)*"
)
_TAIL: Final = Pattern("(?:<remember_tail>)+$")
_REPLY: Final = Pattern("<reply>")
_MEMORY: Final = re.compile(
    r"^记得(?:小时候|有一次|有次|那时|那年|那天|上次|以前|当时|当年|我们|你|曾|去年|昨天|前年"
    r"|第一次|很清楚|是|好像|吗|不)"
)
_NO_MARKER: Final = re.compile(
    r"^(?:记住|记录|备注|备忘|存一下|记下)(?:密码|用户|录|功能|按钮|登录|字段|栏)"
)
_POINTER: Final = re.compile(
    r"^(?:这些|这个|这|那个|那些|以上|上面(?:的|说的)?|刚才(?:说的|的)?|我(?:刚才"
    r"|刚刚)?说的(?:话)?|它|它们|此事|都|内容|一下|了)*(?:内容|东西|信息|规则|要求|几点|话)?$"
)


def remembered(view: View, clauses: list[Clause]) -> Request | None:
    """The request to remember that a sentence makes, before or after what it is about."""
    for number, clause in enumerate(clauses[:3]):
        marker = _REMEMBER.match(clause.body)
        if marker is not None and marker.group() in ("记", "存", "写", "加", "放"):
            marker = None
        if marker is None or _MEMORY.match(clause.body) or _NO_MARKER.match(clause.body):
            continue
        if is_question(clause) or re.search(r"[吗么][^\w]*$", clause.whole.strip()):
            return None
        tail = _AFTER_MARKER.match(clause.body[marker.end() :])
        at = marker.end() + (tail.end() if tail else 0)
        rest = clause_at(view, clause.start + at, clause.end, clause.mark)
        kept = [
            *([rest] if rest.body and not _POINTER.match(rest.body) else []),
            *clauses[number + 1 :],
        ]
        kept = [each for each in kept if not _is_tail(each)]
        if number and not kept:
            kept = clauses[:number]
        return Request(tuple(kept))
    if len(clauses) > 1 and _is_tail(clauses[-1]):
        return Request(tuple(clauses[:-1]))
    if clauses:
        last = clauses[-1]
        found = _TAIL.search(last.body)
        if (
            found
            and found.start() > 3
            and re.search(r"(?:请|帮我|给我|麻烦|别忘|要)", last.body[found.start() - 1 :])
        ):
            rest = clause_at(view, last.start, last.start + found.start(), last.mark)
            return Request((*clauses[:-1], rest))
    return None


def _is_tail(clause: Clause) -> bool:
    return clause.body in words("remember_tail")


_NOT_STANDING: Final = re.compile(
    r"以后(?:再|有机会|有空|有时间|可能|想|会|要是|如果|就知道|的事|慢慢|我|打算|也许|应该"
    r"|准备|能)|今后的|往后(?:退|翻|看|推(?!荐|送|给))|之后都(?:会|没)|永远(?:是|不会|爱|喜欢|的|记得"
    r"|忘不了|在)|默认(?:是|为|的|值)|总是(?:报错|失败|有|觉得|在|会|很|忘|被|想)"
    r"|每次都?(?:报错|失败|会|不|是|这样|觉得|忘|被|有|出)|下次(?:再(?:说|见|聊|来|看|约"
    r"|试|想)|见|聊|我|一定|有|会|要是|来|吧|记得提醒)|接下来(?:我|就|的|几|呢|会|打算"
    r"|准备|咱|要做|怎)"
)


def is_standing(clause: Clause, subject: Subject) -> bool:
    """It tells the assistant what to do from now on, always or never."""
    body = clause.body
    if _DEFINES.match(body) or (_WHENEVER.match(body) and not is_question(clause)):
        return True
    if _NOT_STANDING.search(body) or is_question(clause):
        return False
    if body.endswith("了") and not re.search("别|不要|不用|不必", body):
        return False
    if subject.kind == "self":
        return _WANTS_YOU.match(body) is not None and _STANDING.search(body) is not None
    if subject.kind not in ("none", "you", "noun", "project"):
        return False
    match = _STANDING.search(body)
    if match is not None:
        return subject.kind != "noun" or _REPLY.search(body) is not None or match.start() == 0
    return False


# 我说「老地方」就是指 /data/archive, 我之后的文案都要繁体.
_WHENEVER: Final = Pattern(
    "从(?:下周|下个?月|明天|周[一二三四五六日]|今天|现在)[^,]{0,3}(?:开始"
    "|起)[^,]{0,12}(?:给我|提醒我|帮我|别|不要)[^,]{1,}|<from_now>[,，]?(?:但凡|凡是|凡"
    "|只要|每次|每当|每回|遇到)我?[^,]{2,}"
)
_DEFINES: Final = re.compile(
    r"(?:以后|今后)?(?:我)?(?:要是)?(?:说|提到|说到|讲)(?:的)?[^,]{1,14}(?:都)?(?:就是指"
    r"|指的?(?:都)?是|就是说|就是(?!因为|不)|是指|都是指)[^,]{2,}$"
    r"|我(?:之后|以后|今后|后面|往后)的?[^,]{1,10}(?:都|一律|统一)(?:要|用|得|写)[^,]*$"
)
_WANTS_YOU: Final = re.compile("我(?:更|比较)?(?:希望|想|想让|想要|需要|喜欢)(?:你|您)")
_STANDING: Final = Pattern(
    r"^给我(?:推|列|发|写|选|看|讲|找|做)(?![一个这那下])[^,，]{1,8}?(?:就(?!行|好|可)|只"
    r"|别|不要|尽量|优先|统一|都)[^,，]{2,}|"
    r"^(?:请|麻烦|请你|你)?<from_now>(?:[,，:：]|\s)*(?:(?:请|你|您)[^,，]{2,}|(?:凡是"
    r"|所有|每次|只要|但凡|任何)[^,，]{2,}"
    r"|(?:都|就|在|我们|遇到|[^,，]{0,14}?)*?<directive>)"
    "|(?:一律|永远(?:不要|别|都要?|不许|不准|不得|用)|绝对不要|绝不要|千万不要|千万别"
    "|任何时候都?|任何情况下都?|无论何时都?|始终)"
    "|^(?:请|你|请你)?(?:每次|每回|凡是|所有的?)[^,，]{0,16}?(?:都|先|要|必须|之?前|之?后"
    "|时)[^,，]{0,8}?<directive>"
    "|^(?:请|你)?(?:回答|回复|解释|写代码|改代码|提交|部署|发布|合并|写文档|翻译|起名"
    "|命名|回答问题|聊天|说话)[^,，]{0,6}?(?:时候?|的时候|之?前|之?后)[,，]?(?:请|都|要"
    "|先|别|不要|必须|用|记得|能|最好|尽量|可以)"
    "|^(?:请)?(?:代码)?(?:里的)?(?:注释|提交信息|提交说明|commit(?: message)?|文档|变量名?"
    "|函数名|回答|回复|日志|标题|报告|邮件)(?:里|中)?(?:请|都|统一|要|全部|一律|尽量"
    "|里)*(?:用|使用|写成|按|遵循|保持|不要|别)"
    "|^我(?:更|比较)?(?:希望|想|想让|想要|需要|喜欢)(?:你|您)(?:能)?(?:以后|今后|每次|都|尽量"
    "|一直|总是|平时|回答|解释|回复|说话|直接)"
    r"|^(?:你|请)?(?:跟|给|对|和|回)我(?:的时候)?(?:解释|说话|沟通|打交道|讲|说|列|写|回"
    r"|发|聊|汇报|总结|翻译|推荐|介绍|改|出|做|生成|起)[^,，]{0,10}(?:时候?"
    r"|的话)[,，]?[^,，]{2,}"
    r"|^(?:你|请)?(?:跟|给|对|和)我(?:说话|解释|讲|沟通|聊天|写|回|发"
    r"|汇报)[^,，]{0,6}?(?:不用|不必|别|要|尽量|就够了?|就行|直接|随意|简单|都)[^,，]+|^(?:你"
    r"|请)?(?:回|回复|答|回答)我(?:的)?时候?[^,，]{2,}"
    r"|^(?:(?:请|麻烦|劳驾|你|您) ?)*<from_now>[^,，我]{0,16}?(?:都|一律|全部|统一|只|不要"
    r"|别|必须|得|要先)[^,，]{2,}|^(?:请)?(?:别|不要)再(?:给我|跟我|用|说|叫|加|写|推荐|发"
    r"|提)[^,，]{2,}"
    "|提到[^,，]{1,12}(?:指的?是|就是|是指|说的是)"
    "|^每(?:周|天|月|个|次)[^,，]{0,6}?(?:不要|别|必须|要先|先)(?!生)"
    "|^(?:请|你|请你|麻烦)?(?:都|总是|默认|统一|务必|始终)<directive>"
)


def goes_on(clause: Clause, before: Clause) -> bool:
    """It may go on after a standing instruction: …，别绕弯子."""
    if _AT_HAND.search(clause.body) or is_question(clause) or not clause.body:
        return False
    whenever = _FROM_NOW.match(before.body) is not None and len(clause.body) <= 24
    return whenever or _GOES_ON.match(clause.body) is not None


_FROM_NOW: Final = Pattern("(?:请|麻烦|你)?<from_now>")


_GOES_ON: Final = re.compile(
    "(?:别|不要|不用|不许|无需|尽量|就|都|也|只|用|说|写|给|直接|先|再|统一|一律|关键字"
    "|标题|包括|哪怕|除非|除了|不然|否则|而不是|最多|最少|至少|多|少)"
)
_AT_HAND: Final = re.compile("这(?!种|类|样)|那(?!种|类|样)|帮我|请|一下|现在|吗$|吧$")

_STEPS: Final = re.compile(
    "先[^,]*(?:再|然后)|(?:每次|[之以]?[前后]|完)[^,]{0,4}(?:都|要|得|必须)*(?:先"
    "|再)?(?:跑|执行|重启|检查|确认|更新|同步|备份)"
)
_ANSWERS: Final = re.compile(
    "回答|回复|回我|称呼|叫我|语气|中文|英文|简短|简洁|详细|表情|格式|给我|跟我|对我|结论"
    "|示例|例子|推荐|解释|输出|图片|短|直接|diff"
)


def standing_kind(text: str) -> str:
    """The kind of a standing instruction; simplified text."""
    if re.search("[叫喊]我|称呼", text):
        return "preference"
    if re.search(
        "不要|别(?!人)|不许|不准|不得|禁止|必须|不能|不可|务必|只能|只用|只许|严禁|绝不|永远不", text
    ):
        return "constraint"
    if _ANSWERS.search(text):
        return "preference"
    return "procedure" if _STEPS.search(text) else "constraint"
