"""What is a sentence as a whole: a course of steps, or the account of a decision?

Its clauses belong together then, and none of them is judged alone: "先改配置" orders nothing inside a
course of steps, "接着租" nothing inside a decision.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memweir.learning.chinese.clauses import Clause
from memweir.learning.chinese.gates import is_question
from memweir.learning.chinese.lexicon import Pattern
from memweir.learning.chinese.readings import Reading
from memweir.learning.chinese.subjects import tagged

__all__ = ["Frame", "find_frame"]


@dataclass(frozen=True, slots=True)
class Frame:
    """Clauses that make one fact, by their numbers, both included."""

    first: int
    last: int
    reading: Reading


_MOST: Final = 5
_STEPS: Final = Reading("procedure", "extract.procedure", 0.65, True, "先")
_SETTLED: Final = Reading("decision", "extract.decision", 0.7, True, "定")


def find_frame(clauses: Sequence[Clause]) -> Frame | None:
    """The first frame of a sentence; None where it has none."""
    return _flow(clauses) or _steps(clauses) or _decision(clauses)


# --- steps -------------------------------------------------------------------------------------------

_FIRST: Final = re.compile(r"(?<![优首起原事领祖])先(?!生|进|前|后|天|知|锋|驱|不|别|这样|说)")
_THEN: Final = re.compile("再(?!说|见|也|次|看看)|然后|接着|最后|之后才|才(?!对|是|行$|怪)")
_GOES_ON: Final = re.compile(
    "(?:再|然后|接着|最后|之后|随后|完了|没问题|没毛病|还不够|还不行|不行|通过|确认|批"
    "|好了|等)|[^,]{1,4}完|[^,]{1,12}后(?!面|端|台|来)[^,]{2,}|[^,]{1,10}(?:后|完)?(?:再|才|就|然后)"
)
_NOT_GENERAL: Final = re.compile(
    r"^(?:按|照|帮|请(?!假|客|款|购)|你|您|麻烦|给我|现在|那|这次|这个|那个|等|我(?!们)"
    r"|咱们?|就|要不|不如|可以|能|那就|行|好)|一下|刚|说的|聊|谈"
)
_GENERAL: Final = re.compile(
    r"要|得|需|都|一般|通常|流程|步骤|顺序|规矩|习惯|每次|时$|时候$|[之以]?[前后]$|完$"
    r"|的话$|就$|是$|必须|应|了$|问题$|故障$|告警$|失败$|报警$|出错$|挂了|默认|统一|[：:]"
)
_CONDITION: Final = re.compile(
    r"^(?:如果|要是|若|假如|万一|每次|每当|遇到|碰到|一旦|凡是)|(?:的话|时|时候|之?前"
    r"|之?后|以后|告警|报警|故障|问题|出错|失败|步骤|流程|做法|方法|操作|办法|改完|完|了"
    r"|是)$"
)
_BY_MEANS: Final = re.compile(r"^[^,我你这那]{2,16}(?:用|走|靠|通过)[^,了]{2,20}$")
_COMMANDS: Final = Pattern("(?:<command_head>)")
_OURS: Final = re.compile("是|都|一般|通常|流程|每次|步骤|必须|要求|规定|得")


def _steps(clauses: Sequence[Clause]) -> Frame | None:
    for number, clause in enumerate(clauses):
        found = _FIRST.search(clause.body)
        if found is None or clause.asks or is_question(clause):
            continue
        head = clause.body[: found.start()].strip()
        start = number
        before = clauses[number - 1] if number else None
        condition = before is not None and (
            _BY_MEANS.match(before.body) is not None
            or _CONDITION.search(before.body) is not None
            or before.mark[:1] in (":", "：")
        )
        if before is not None and condition and _NOT_GENERAL.search(before.body) is None:
            start = number - 1
            if before.dates and not re.match("每", before.body):
                return None
        elif not _is_general(head, clause):
            continue
        if re.match("我们|咱们?", head) and not _OURS.search(head) and start == number:
            continue
        last = number
        inside = (
            _THEN.search(clause.body, found.end()) is not None
            or re.search("(?:前|后|时|时候|完|回来|故障|问题|告警|报警|事故|失败)$", head) is not None
        )
        while last + 1 < len(clauses) and last - start < _MOST - 1:
            following = clauses[last + 1]
            if following.asks or is_question(following) or not following.body:
                break
            linked = following.opener in ("然后", "最后", "接着", "再") or (
                following.opener != "" and last > number
            )
            if not linked and _GOES_ON.match(following.body) is None:
                break
            inside = (
                inside
                or _THEN.search(following.body) is not None
                or following.opener != ""
                or re.match("[^,]{1,6}(?:完|后)", following.body) is not None
            )
            last += 1
        if inside or (start < number and len(clause.body) >= 5 and _RUNS.search(clause.body)):
            return Frame(start, last, _STEPS)
    return _single_step(clauses)


# 上线流程是：提单、审批、灰度、全量
_FLOW: Final = re.compile(
    r"(?:流程|步骤|顺序|工序|路线)(?:一般|大概|都|就|固定)*(?:是|为|:|：|如下"
    r"|分[^,]{1,3}步)+ ?(?P<what>[^,]*)$"
)


def _flow(clauses: Sequence[Clause]) -> Frame | None:
    for number, clause in enumerate(clauses):
        match = _FLOW.search(clause.body)
        if match is None or clause.asks or is_question(clause):
            continue
        if re.search("、|→|->|然后|再|到", match["what"]):
            return Frame(number, number, _STEPS)
    return None


_RUNS: Final = re.compile("[A-Za-z/]{2,}|看|查|回滚|重启|找|停|开|切")
# 清缓存就执行 redis-cli FLUSHDB: what one does for an end.
_FOR_AN_END: Final = re.compile(
    r"^(?:想|要|如果要|要想)(?P<goal>[^,我你他这那]{2,12}?)(?:就|得|直接|可以)+(?:去|用|走"
    r"|找|看|跑|执行|在|从)[^,]{2,}$|^(?:想|要"
    r"|如果要)?(?P<end>[^,我你他这那]{2,16}?)(?:就是|就|直接) ?[a-z][a-z0-9.-]+ [^,]*$"
    r"|^(?P<after>[^,我你他这那]{2,12}?(?:之前|之后|以后|前|后|完))(?:就|要|得|都|必须"
    r"|需要)*(?:先|再)?(?:跑|执行|运行|重启|更新|检查|确认|备份|通知|同步|清"
    r"|重新)[^,]{2,}$"
    r"|^(?P<aim>[^,我你他这那]{2,16}?)(?:就|要|得|需要|必须|都要|都得|只要|一般"
    r"|直接)+(?:先|去|重新|手动)?(?:执行|跑|运行|敲|调|走|用|改|在|通过|重启"
    r"|行)[^,]*[A-Za-z/_.-]{3,}[^,]*$"
)


def _single_step(clauses: Sequence[Clause]) -> Frame | None:
    for number, clause in enumerate(clauses):
        match = _FOR_AN_END.match(clause.body)
        if match is None or clause.asks or is_question(clause) or clause.dates:
            continue
        end = match["goal"] or match["end"] or match["after"] or match["aim"]
        general = _NOT_GENERAL.search(end) is None and (
            match["after"] or _NOT_GENERAL.search(clause.body) is None
        )
        if not general or (
            not (match["end"] or match["goal"])
            and not re.search("[之以]?[前后]$|完$|时$|时候$|^[清改加删建发部装升打跑启停重更新]", end)
        ):
            continue
        last = number
        while (
            last + 1 < len(clauses)
            and _GOES_ON.match(clauses[last + 1].body)
            and not is_question(clauses[last + 1])
        ):
            last += 1
            if last - number >= _MOST - 1:
                break
        return Frame(number, last, _STEPS)
    return _way(clauses)


# 换密码得去 OA 里申请，等 IT 审完才生效.
_ACT: Final = re.compile(
    "[清改加删建发部装升打跑启停重更新换开导查上下申调拉推接连登注配迁提合切订报补办退交借还]"
)
_WAY: Final = re.compile(
    r"^(?:想)?(?P<aim>[^,我你他这那得要]{2,12}?)(?:都|就|一般|还)?(?:得|要|需要|必须|都是"
    r"|只能)(?:先|去|从|在|找|用|通过|走|到|手动|填|提|发)[^,]{3,}$"
)


_CASE: Final = re.compile(
    r"^(?:想|要)?(?P<aim>[^,我你他这那]{2,14}?)的话(?:就|直接|要|得|都)*(?:从|用|走|找|去"
    r"|在|先|跑|执行)[^,]{3,}$"
)


def _way(clauses: Sequence[Clause]) -> Frame | None:
    for number, clause in enumerate(clauses):
        match = _CASE.match(clause.body) or _WAY.match(clause.body)
        if match is None or clause.asks or is_question(clause) or clause.dates:
            continue
        aim = match["aim"]
        if _NOT_GENERAL.search(clause.body) or not (
            _ACT.search(aim) or tagged(aim)[0][1].startswith("v")
        ):
            continue
        following = clauses[number + 1] if number + 1 < len(clauses) else None
        goes_on = (
            following is not None
            and not is_question(following)
            and _GOES_ON.match(following.body) is not None
        )
        if goes_on or re.search("[A-Za-z]{2,}", clause.body):
            return Frame(number, number + goes_on, _STEPS)
    return None


def _is_general(head: str, clause: Clause) -> bool:
    if len(head) < 2 or _NOT_GENERAL.search(head) is not None:
        return False
    if clause.dates and not head.startswith("每"):
        return False
    if _GENERAL.search(head):
        return True
    return _COMMANDS.match(head) is None and "把" not in head


# --- decisions ---------------------------------------------------------------------------------------

_HAS_SETTLED: Final = re.compile(
    r"(?:(?:结论|结果|方案)(?:出来|定下来|确定)|(?:评审|投票|审批|立项)(?:通过|过)|(?:想"
    r"|考虑|商量|合计|讨论|盘算|谈|聊|评估|研究)(?:过|清楚|明白|好|通|妥|定|完)|敲定|拍板"
    r"|谈妥|说定|说好|选定|决定|(?<![不没确一固肯稳规设约否假待])定(?:下来|好)?|达成一致"
    r"|达成共识)(?:了|下来了|好了)(?P<what>[:：][^,]{2,})?$"
)
_AFTER_ALL: Final = re.compile(
    r"^(?:讨论|评估|权衡|对比|比较|考虑|纠结|想来想去|思来想去|经过|综合|比来比去"
    r"|商量)[^,]{0,10}?(?:之?后|以后|下来|一圈|再三|到最后|半天|很久|了?[好几]久|了半天"
    r"|了一[天周圈番]|$)"
)
_NOT_SETTLED: Final = re.compile("没|还|不确定|待|吗|谁|什么|怎么|如果|是不是|差不多")
_AND_SO: Final = re.compile(
    "^(?:这个|这事|这件事|已经|就这么|老板|领导|大家|都)[^,]{0,6}(?:定了|定下来了|点头了"
    "|同意了|拍板了|没意见|敲定了|决定了|通过了)$"
)


def _decision(clauses: Sequence[Clause]) -> Frame | None:
    for number, clause in enumerate(clauses):
        body = clause.body
        if clause.asks or is_question(clause) or _NOT_SETTLED.search(body):
            continue
        if number and _AND_SO.match(body):
            first = max(0, number - 3)
            while first < number and not _says(clauses[first]):
                first += 1
            if first < number:
                return Frame(first, number, _SETTLED)
            continue
        opens = _HAS_SETTLED.search(body) or (_AFTER_ALL.match(body) and len(body) <= 14)
        if not opens or re.match("(?:你|他|她|它|您|别|先|那)", body):
            continue
        last = number
        while last + 1 < len(clauses) and last - number < 3:
            following = clauses[last + 1]
            if not _says(following):
                break
            last += 1
        settled = _HAS_SETTLED.search(body)
        if last > number or (settled is not None and settled["what"]):
            return Frame(number, last, _SETTLED)
    return None


def _says(clause: Clause) -> bool:
    return (
        len(clause.body) >= 2
        and not clause.asks
        and not is_question(clause)
        and re.match("(?:你|您|帮|请|麻烦|哈哈|谢)", clause.body) is None
    )
