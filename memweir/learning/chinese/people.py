"""How do people stand to the speaker, and who answers for what? Rules over one Chinese clause."""

from __future__ import annotations

import re
from typing import Final

from memweir.learning.chinese.clauses import Clause
from memweir.learning.chinese.lexicon import Pattern
from memweir.learning.chinese.readings import OWNED, Reading
from memweir.learning.chinese.subjects import Subject, person_names

__all__ = ["is_to_me", "is_with_me", "responsible"]

_WHEN: Final = (
    "(?:以前|之前|原来|曾经|现在|如今|目前|已经|后来|一直|本来|倒|又|就|也|都|其实|算|当时|今年)*"
)
# 佩珊是我太太, 老吴以前是我手下.
_IS_MINE: Final = Pattern(
    rf"^(?P<x>[^,]{{1,12}}?){_WHEN}(?:是|算是|当过|做过|成了|变成了?|成为了?)(?:我|我们|咱|咱们|俺)"
    r"(?:家|公司|团队|组|部门|班|学校|这边|那边|当年|以前|之前|现在|的)*"
    r"(?P<role>[^,的]{0,6}?(?:<kin>|<associate>|<pet>))(?:来着|了|之一|兼[^,]{1,8})?$"
)
# 大飞是带我入行的师傅.
_IS_WHO: Final = Pattern(
    r"^(?P<x>[^,我你]{1,8}?)是[^,你]{1,6}我[^,]{0,6}的(?:那个)?(?:<kin>|<associate>|人)$"
)
_IS_TOO: Final = Pattern(
    rf"^{_WHEN}(?:是|算是|成了|成为了?)(?:我|我们|咱|咱们)(?:的|家|公司|团队|组"
    rf"|部门)*[^,的]{{0,6}}?(?:<kin>|<associate>)(?:来着|了)?$"
)
_NO_ONE: Final = re.compile(
    "(?:这|那|他|她|它|谁|你|您|都|不|不是|可能|好像|如果|要是|我|就|而|但)$|^(?:不|要"
    "|如果)|^(?:现在?|以前|之前|如今|目前|后来|今年)$"
)
# 我跟赵凯是高中同桌, 阿强跟我是大学室友, 我和晓晓是发小.
_IS_WITH: Final = Pattern(
    rf"^(?:我|俺|咱)(?:们)?(?:跟|和|与|同)(?P<x>[^,是]{{1,10}}?)(?:两个人?|俩|两人)?{_WHEN}是"
    r"(?P<role>[^,]{0,8}?(?:<associate>|<kin>|同学|同乡|夫妻|情侣|恋人|兄弟|姐妹|亲戚|对象"
    r"|一个[^,]{1,6}的))(?:来着|了)?$"
    rf"|^(?P<y>[^,我你他她是]{{1,8}})(?:跟|和|与|同)(?:我|俺|咱){_WHEN}是"
    r"(?P<as>[^,]{0,8}?(?:<associate>|<kin>|同学|同乡|夫妻|情侣|恋人|兄弟|姐妹|亲戚|对象))(?:来着|了)?$"
    r"|^(?:我|俺|咱)(?:跟|和|与|同)(?P<z>[^,]{1,8}?)(?:[俩两]个?人?)?(?:一起)?(?:搭档|合伙"
    r"|合租|共事|同事|结婚|谈恋爱|在一起|认识)"
    r"(?:做|干|开|住|了|过|有|快|已经)*[^,]{0,6}[年月](?:了|多)?$"
    r"|^(?:我|俺|咱)(?:跟|和|与|同)[^,]{1,10}?(?:以前|之前|现在|曾经|都|一起)*在?(?:一家"
    r"|一个|同一个?|一间|同家)(?:公司|组|部门|班|学校|单位|小区|宿舍|团队|项目)[^,]{0,4}$"
)
# 支付模块归老徐管, 财务那边归孙姐管, 登录是小陈负责的, 值班就阿彪跟小米俩人轮.
_DOES: Final = (
    "管|负责|维护|跟进|跟|盯|看着|轮流|轮|值班|审批|审|批|带|对接|拍板|牵头|主导|接手"
    "|说了算|处理|把关|签字|保管"
)
_BELONGS: Final = re.compile(
    rf"^(?P<what>[^,你]{{1,16}}?)(?:现在|目前|一直|都|全|主要|一般|一律|已经|统一)*"
    rf"(?:(?:归|由|让|交给|就|给)(?P<who>[^,]{{1,14}}?)(?:来|在|全权|一手|俩人|两个人|他们"
    rf"|轮流)*(?:{_DOES})(?:的|着)?"
    rf"|是(?P<by>[^,的]{{1,10}}?)(?:在|来|全权|一手)*(?:{_DOES}|做|写|搭|弄|开发)的)$"
)
_ASK: Final = re.compile(
    r"^(?P<what>[^,你]{2,16}?)(?:就|都|要|得|一律|统一|可以|直接|请|先|去)*(?:找|问(?!题)"
    r"|联系|@|艾特|去找|汇报给|抄送给?|发给)"
    r"(?P<who>[^,我你]{1,10})(?:就行了?|就好了?|就可以了?|即可|要|拿|批|申请|确认|对接)*$"
)
# 測試主管是美玲.
_ROLE_IS: Final = re.compile(
    r"^[^,我你]{0,8}?(?:主管|经理|负责人|组长|总监|老师|医生|律师|老板|对接人|接口人"
    r"|联系人|队长|班长|店长|技术主管|leader|lead|owner|Owner|PM|PO|TL|CTO|CEO|DBA)(?:现在"
    r"|目前)?(?: ?)(?:是|叫|姓) ?(?P<who>[^,的]{1,12})$"
)
_NOBODY: Final = re.compile(
    "原因|办法|方法|资料|问题|bug|工作|房子?|东西|答案|规律|思路|文档|一下|一个|找|看看"
)
_TITLE: Final = re.compile(
    r"(?:[小老阿大][\u4e00-\u9fff]|[\u4e00-\u9fff]{1,2}(?:总|工|哥|姐|老师|医生|经理|主任"
    r"|叔|姨|局|董)|[A-Z][a-z]+)"
)
_GROUP: Final = re.compile(
    "运维|财务|行政|人事|法务|客服|值班|老板|领导|主管|经理|组|团队|部门|那边|DevOps|IT"
    "|HR|DBA|SRE|QA|自己|各"
)


def is_to_me(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """X is my something."""
    match = _IS_MINE.match(clause.body) or _IS_WHO.match(clause.body)
    if kind in ("named", "owned", "kin") and subject.kind == "none" and _IS_TOO.match(clause.body):
        return Reading("fact", "extract.relation", 0.7, True, "是")
    if match is None:
        return None
    who = match["x"].strip()
    if not who or _NO_ONE.search(who) or clause.asks:
        return None
    return Reading("fact", "extract.relation", 0.7, True, "是")


def is_with_me(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """The speaker and X are something to each other."""
    if _IS_WITH.match(clause.body) is None:
        return None
    return Reading("fact", "extract.relation", 0.7, True, "跟")


def responsible(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """Who answers for a thing, and whom to ask about it."""
    if subject.kind in ("you", "this", "other") and not clause.body.startswith(("这个", "这")):
        return None
    match = _BELONGS.match(clause.body)
    if match is not None and re.search("我们?$|我$", match["what"]) is None:
        who = match["who"] or match["by"] or ""
        if _somebody(who):
            return Reading("fact", "extract.responsible", OWNED, True, "归")
    match = _ROLE_IS.match(clause.body)
    if (
        match is not None
        and not clause.asks
        and re.search("谁|什么|哪|这|那|不|很|太", match["who"]) is None
    ):
        return Reading("fact", "extract.responsible", OWNED, True, "是")
    match = _ASK.match(clause.body)
    if match is not None and not _NOBODY.search(match["who"]) and _somebody(match["who"]):
        if re.match("(?:我|帮|你|请|去|先|再)", match["what"]) or clause.dates:
            return None
        return Reading("fact", "extract.responsible", OWNED, True, "找")
    return None


def _somebody(text: str) -> bool:
    return (
        _TITLE.search(text) is not None or _GROUP.search(text) is not None or bool(person_names(text))
    )
