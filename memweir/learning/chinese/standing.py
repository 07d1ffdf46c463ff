"""Does a Chinese sentence ask for something to be remembered, or to be done from now on?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memweir.learning.chinese.clauses import Clause, View, clause_at
from memweir.learning.chinese.gates import is_question
from memweir.learning.chinese.lexicon import Pattern, words
from memweir.learning.chinese.subjects import Subject

__all__ = ["Request", "is_standing", "remembered", "standing_kind"]


@dataclass(frozen=True, slots=True)
class Request:
    """An explicit request to remember.

    Attributes:
        clauses: what is to be remembered; empty where it is said elsewhere ("记住这些").
    """

    clauses: tuple[Clause, ...]


_AFTER_MARKER: Final = re.compile(
    r"^(?:一下|下|了|哦|啊|这一?点|这个|一点|一件事|件事|以下(?:内容|几点)?"
    r"|如下)?[\s:：,，\-—]*"
)
_REMEMBER: Final = Pattern("<remember>")
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
    for number, clause in enumerate(clauses[:2]):
        marker = _REMEMBER.match(clause.body)
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
    r"|准备|能)|今后的|往后(?:退|翻|看|推)|之后都(?:会|没)|永远(?:是|不会|爱|喜欢|的|记得"
    r"|忘不了|在)|默认(?:是|为|的|值)|总是(?:报错|失败|有|觉得|在|会|很|忘|被|想)"
    r"|每次都?(?:报错|失败|会|不|是|这样|觉得|忘|被|有|出)"
)


def is_standing(clause: Clause, subject: Subject) -> bool:
    """It tells the assistant what to do from now on, always or never."""
    body = clause.body
    if _NOT_STANDING.search(body) or is_question(clause):
        return False
    if subject.kind == "self":
        return _WANTS_YOU.match(body) is not None and _STANDING.search(body) is not None
    if subject.kind not in ("none", "you", "noun", "project"):
        return False
    match = _STANDING.search(body)
    if match is not None:
        return subject.kind != "noun" or _REPLY.search(body) is not None or match.start() == 0
    return False


_WANTS_YOU: Final = re.compile("我(?:更|比较)?(?:希望|想|想让|想要|需要|喜欢)(?:你|您)")
_STANDING: Final = Pattern(
    r"^(?:请|麻烦|请你|你)?<from_now>(?:[,，:：]|\s)*(?:请|你|您|都|就|在|我们|所有|每次|遇到"
    r"|凡是|[^,，]{0,12}?)*?<directive>"
    "|(?:一律|永远(?:不要|别|都要?|不许|不准|不得|用)|绝对不要|绝不要|千万不要|千万别"
    "|任何时候都?|任何情况下都?|无论何时都?|始终)"
    "|^(?:请|你|请你)?(?:每次|每回|凡是|所有的?)[^,，]{0,16}?(?:都|先|要|必须|之?前|之?后"
    "|时)[^,，]{0,8}?<directive>"
    "|^(?:请|你)?(?:回答|回复|解释|写代码|改代码|提交|部署|发布|合并|写文档|翻译|起名"
    "|命名)[^,，]{0,6}?(?:时候?|的时候|之?前|之?后)[,，]?(?:请|都|要|先|别|不要|必须|用|记得)"
    "|^(?:请)?(?:代码)?(?:里的)?(?:注释|提交信息|提交说明|commit(?: message)?|文档|变量名?"
    "|函数名|回答|回复|日志|标题|报告|邮件)(?:里|中)?(?:请|都|统一|要|全部|一律|尽量"
    "|里)*(?:用|使用|写成|按|遵循|保持|不要|别)"
    "|^我(?:更|比较)?(?:希望|想|想让|想要|需要|喜欢)(?:你|您)(?:能)?(?:以后|今后|每次|都|尽量"
    "|一直|总是|平时|回答|解释|回复|说话|直接)"
    "|提到[^,，]{1,12}(?:指的?是|就是|是指|说的是)"
    "|^每(?:周|天|月|个|次)[^,，]{0,6}?(?:不要|别|必须|要先|先)(?!生)"
    "|^(?:请|你|请你|麻烦)?(?:都|总是|默认|统一|务必|始终)<directive>"
)


def standing_kind(text: str) -> str:
    """The kind of a standing instruction; simplified text."""
    if re.search(
        "不要|别|不许|不准|不得|禁止|必须|不能|不可|务必|只能|只用|只许|严禁|绝不|永远不", text
    ):
        return "constraint"
    if re.search("回答|回复|称呼|叫我|语气|中文|英文|简短|简洁|详细|表情|格式", text):
        return "preference"
    return "procedure"
