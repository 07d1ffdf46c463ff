"""What was chosen, dropped or put off? Rules over one Chinese clause, whoever decided."""

from __future__ import annotations

import re
from typing import Final

from memweir.learning.chinese.clauses import Clause
from memweir.learning.chinese.readings import OWNED, Reading
from memweir.learning.chinese.subjects import Subject
from memweir.learning.chinese.things import TROUBLE

__all__ = ["chose", "dropped"]

_CHOSE: Final = re.compile(
    r"(?:最后|最终|到头来|到最后|终究|权衡下来|想来想去|比来比去|还是|后来"
    r"|已经)[^,]{0,10}?(?:决定|就|又|给)?"
    r"(?:选|买|定|用|上|走|签|租|报|挑|采用|落地|辞|留)(?:择|用|定)?(?:了|的是|回了?"
    r"|下了?)(?![吗没])[^,]*$"
    r"|^(?:讨论|评估|权衡|对比|商量|考虑|想来想去|折腾|纠结|比较)[^,]{0,6}?(?:下来|来去"
    r"|半天|之后|完|一圈|后)?(?:我们)?(?:还是|最后|决定)(?:走|用|选|上|定|买|去|租|自|保留"
    r"|维持|不)[^,]{1,}$"
    r"|^(?:我们)?(?:最后|最终)(?:没|不|还是没|决定不)[^,]{2,12}$|^(?:我们|我)?(?:商量|说"
    r"|谈|想|定|约)好了?(?!了|的|吗|再|说|久|没|不)[^,]{4,}$"
    r"|(?:最后|最终|想来想去)[^,]{0,6}(?:还是)?(?:用|选|走|上|定)(?:的是|的|在)?[^,]{2,16}$"
    r"|^(?:们)?(?:就|已经|全部?|统一)?(?:选|选定|选择|定|敲定|拍板|采用|选用)了(?!吗)[^,]{1,24}$"
    r"|改(?:走|上|买|租|投|去|用|成|为|到|在)了?[^,]{1,20}$|统一(?:成|为|到"
    r"|用回)了? ?[^,]{2,}$|用回 ?[^,]{2,}$|全(?:部)?(?:换|切|迁|改)(?:成|到|为"
    r"|用)?了? ?[^,]{2,}$|(?:已经|都|全)?换(?:了)? ?[A-Z][^,]{1,16}了$|(?:之后|以后|完"
    r"|一圈)(?:还是|就)?(?:订|选|买|定|签|租|报)了[^,]{2,}$|从[^,]{1,14}(?:换|迁|切|转"
    r"|改)(?:到|成|为|去)了? ?[^,]{1,20}$"
)
_THEN_USE: Final = re.compile(
    r"^[^,我你他这那帮请]{1,10}?(?:就|直接|统一|还是|先)(?:用|走|上|选|定|采用|接|做|支持"
    r"|买|租) ?[^,]{2,24}$"
)
_DROPS: Final = re.compile(
    r"^只(?:留|保留|做|上|支持)[^,了]{2,}$|^(?:我们)?(?:决定)?放弃[^,了]{2,16}$"
    r"|^不用 ?[A-Za-z][^,]{1,20}了$"
    r"|^[^,我你他这那]{2,8}不(?:维护|更新|支持|做|卖|开|用|上|接|收|招|生产)了$|(?:放弃"
    r"|砍掉|砍|弃|弃用|下掉|去掉|取消|废弃|淘汰)了[^,]{0,16}$|(?:砍掉|下掉|弃用|废弃|作废"
    r"|取消|搁置|暂缓)(?:了|掉)?$|还是弃了$|(?:砍|弃|放弃)了$|主攻[^,]{2,}$|先放一放$"
    r"|往后放$|范围(?:收窄|缩小|缩减)|(?:这[版期次]|本期|今年|暂时|先|以后|再也"
    r"|从此)不(?:做|上|搞|支持|买|考|接|维护|发|用|开|更新)了?$"
    r"|(?:^|以后|已经|决定|都|们|也|就|自己|房子|车|先)不(?:再)?(?:做|上|搞|买|考|接|维护"
    r"|支持|更新|用|走|自己[^,]{1,6}|办|开|租|换|招|卖)了?[^,]{0,16}了$|不再(?:支持|维护"
    r"|更新|使用|提供|做|用|接)[^,]{0,20}$"
)
_BUT_THIS: Final = re.compile("用回|就(?:用|选|定)|还是(?:用|选|上|走)")
_AT_HAND: Final = re.compile(
    "这个(?!版|项目|功能|方案|库|季度|月)|那个|这段|上面|一下|吧$|你|您|不用了$|要是|如果"
    "|可能|应该|要不|不如|好像|想|怎么|没(?:有)?(?:选|定|决定)|还没"
)


def chose(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """最后选了 Postgres, 登录就走 OAuth, 前端统一改用 Svelte."""
    body = clause.body
    at_hand = _AT_HAND.search(re.sub("(?<=.)吧$", "", body) if _BUT_THIS.search(body) else body)
    if subject.kind in ("you", "other", "this") or at_hand or clause.asks:
        return None
    if kind in ("kin", "named") or (TROUBLE.search(body) and not re.search("选|定|改|换", body)):
        return None
    said = subject.said if subject.kind in ("we", "self") else body
    if _CHOSE.search(said) or (subject.kind in ("noun", "project") and _THEN_USE.match(body)):
        if subject.kind == "self" and not re.search("最后|最终|想来想去|决定|选|定", body):
            return None
        changes = re.search("改|换|迁|切|转", body) is not None
        rule = "extract.change" if changes else "extract.decision"
        return Reading("decision", rule, OWNED, True, "改" if changes else "选")
    return None


def dropped(clause: Clause, subject: Subject, kind: str) -> Reading | None:
    """暗黑模式这版砍掉, 多语言先不做了, 不再支持 3.8 了."""
    body = clause.body
    if subject.kind in ("you", "other", "this", "kin") or (
        subject.kind == "named" and not subject.noun.isascii()
    ):
        return None
    if _AT_HAND.search(body) or clause.asks:
        return None
    if subject.kind == "self" and not re.search("决定|放弃|砍|不再", body):
        return None
    if len(body) < 4 or _DROPS.search(body) is None or TROUBLE.search(body):
        return None
    return Reading("decision", "extract.decision", OWNED, True, "不")
