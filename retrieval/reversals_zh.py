"""Which change does a Chinese sentence announce? Patterns over one folded sentence."""

from __future__ import annotations

import functools
import re
from typing import Final, NamedTuple

from memweir.retrieval.changes import Change, change_words

__all__ = ["read_chinese"]


def read_chinese(sentence: str) -> Change | None:
    """The first change or end that a Chinese sentence announces.

    An instruction to change something (请把…, 帮我…, 把… without 了) announces nothing.
    """
    if _INSTRUCTS.search(sentence):
        return None
    for read in (_replaced, _changed, _ended, _now):
        found = read(sentence)
        if found is not None:
            return found
    return None


_INSTRUCTS: Final = re.compile(
    "^(?:请|麻烦|帮)|^(?:把|将)(?!.*了)|(?:让|叫|要|请)(?:我|你|他|她|大家)?(?:把|将)"
)
_ADVERBS: Final = re.compile(
    "(?: |已经|已|都|也|现在|正式|被|又|今后|后来|最终|统一|全部|刚|开始|了|,)+$"
)
_VERBS: Final = "使用|用|吃|喝|去|坐|骑|开|穿|学|住|读|看|在|玩|做|买"
_DENIED: Final = re.compile("没|未|不(?!再|用|是|吃|喝|去|坐|骑|开|穿|学|住|读|看|在)|别|差点|险些")
_OUTSIDE: Final = re.compile("^(?:它|这|那|这个|那个|什么)+$|同比|环比|^[比较]")


def _change(slot: str, subject: str, value: str, old: str) -> Change | None:
    subject = _ADVERBS.sub("", subject).rpartition(",")[2]
    value = value.strip(" .!").removesuffix("了").rstrip()
    if not value or _DENIED.search(subject) or _OUTSIDE.search(subject):
        return None
    return Change("change", slot, re.sub("[把将]", " ", subject).strip(), value, old.strip())


# --- 用 A 而不是 B, 不用 B 用 A, 用 A 代替 B ----------------------------------------------

_NOT_BUT: Final = re.compile(
    rf"^(?P<s>[^,]*?)(?:不再|不)(?P<v>{_VERBS})(?P<o>[^,]{{1,30}}?)了?, ?"
    r"(?:现在|而是|而|都|就|今后|以后)*改?(?P=v)(?P<n>[^,]{1,30})$"
)
_RATHER: Final = re.compile(
    r"^(?P<s>.*?)(?:现在)?(?:使用|用|是|要|在|喝|吃|选|住|叫|穿|开|坐|骑)(?P<n>[^,]{1,30}?)了?,? ?"
    r"(?:而不是|而非|不再是|不再用|,不用)(?P<o>[^,]{1,30})$"
)
_FOR: Final = "(?:代替|取代|替代|替换|顶替)"
_WITH: Final = re.compile(
    rf"^(?P<s>.*?)(?:用|以|拿|换)(?P<n>[^,]{{1,30}}?){_FOR}(?:了|掉)?(?P<o>[^,]{{1,30}}?)了?$"
)
# 后端不再由小李负责, 改由小陈负责
_IN_CHARGE: Final = re.compile(
    r"^(?P<s>[^,]*?)(?:已经|已|现在)?不再由(?P<o>[^,]{1,20}?)"
    r"(?P<v>负责|管理|维护|主持|处理|跟进|审批), ?"
    r"(?:而是|而|现在|今后|以后)*改?由(?P<n>[^,]{1,20}?)(?:来|接手)?(?P=v)?了?$"
)
_BY: Final = re.compile(rf"^(?P<o>[^,]{{1,30}}?)(?:已经|已)?被(?P<n>[^,]{{1,30}}?){_FOR}了?$")
_REPLACES: Final = re.compile(rf"^(?P<n>[^,]{{1,30}}?)(?:已经|已)?{_FOR}了(?P<o>[^,]{{1,30}})$")


def _replaced(sentence: str) -> Change | None:
    match = _IN_CHARGE.match(sentence)
    if match:
        return _change("", match["s"] + match["v"], match["n"], match["o"])
    for pattern in (_NOT_BUT, _RATHER, _WITH, _BY, _REPLACES):
        match = pattern.match(sentence)
        if match:
            return _change("", match.groupdict().get("s") or "", match["n"], match["o"])
    return None


# --- 从 B 改为 A, 改到 A ------------------------------------------------------------------

_FROM: Final = re.compile("(?:从|由) ?(?P<o>[^从由,]{1,30}?)$")
_NOT_BEFORE: Final = re.compile(rf"(?P<s>.*?)(?:不再|不)(?P<v>{_VERBS})(?P<o>[^,]{{1,30}}?)了?,?$")
_NOT_AFTER: Final = re.compile(
    r",? ?(?:而不是|而非|不再是|不是|不再?(?:用|吃|喝|坐|骑|穿|学|看))(?P<o>[^,]{1,30}?)了?$"
)

# 改用小米, 极光不再使用
_NOT_USED: Final = re.compile(
    r", ?(?P<o>[^,不没]{1,20}?)(?:已经|已|就|都|则|现在)*(?:不再(?:使用|用)|停用|弃用)了?$"
)


def _changed(sentence: str) -> Change | None:
    patterns = _patterns()
    for match in patterns.verb.finditer(sentence):
        left = sentence[: match.start()].rstrip(" ")
        value, comma, after = sentence[match.end() :].partition(",")
        slot, old = "", ""
        source = _FROM.search(_ADVERBS.sub("", left))
        before = _NOT_BEFORE.match(left)
        rather = _NOT_AFTER.search(comma + after) or _NOT_USED.match(comma + after)
        if match["again"]:  # 改喝, which needs 不喝 beside it
            if before is not None and before["v"] == match["again"]:
                left, old = before["s"], before["o"]
            elif rather is not None:
                old = rather["o"]
            else:
                continue
            return _change(slot, left, value, old)
        slot = change_words().slots[match["verb"]]
        if source is not None:
            left, old = left[: source.start()], source["o"]
        elif before is not None:
            left, old = before["s"], before["o"]
        elif rather is not None:
            old = rather["o"]
        return _change(slot, left, value, old)
    return None


# --- 不再, 不…了, 停用了, 取消了 ----------------------------------------------------------

_NO_MORE: Final = re.compile(
    r"^(?P<s>[^,]*?)(?:已经|已|都|现在)?(?:不再|再也不|再也没)(?P<p>[^,]+?)了?$"
)
_NOT_LE: Final = re.compile(
    r"^(?P<s>[^,不]*?)(?:已经|已|都|现在)?不(?P<p>(?![得行见错好对早小少多是要])[^,]{2,}?)了$"
)
_FOR_ONCE: Final = re.compile("今|明|这次|这回|暂时|先")  # 今天不喝咖啡了 ends nothing
_DONE: Final = re.compile("[了已被停弃废]")


def _ended(sentence: str) -> Change | None:
    match = _NO_MORE.match(sentence) or _NOT_LE.match(sentence)
    if match is not None and _FOR_ONCE.search(match["s"]):
        return None
    if match is None:
        patterns = _patterns()
        match = patterns.stopped.match(sentence) or patterns.gone.match(sentence)
        if match is None or _DENIED.search(match["s"]) or not _DONE.search(sentence):
            return None
    whole = f"{match['s']} {match.groupdict().get('p') or ''}".strip()
    return None if _OUTSIDE.search(whole) else Change("end", "", whole)


# --- 现在住在, 现在在…上班 ----------------------------------------------------------------

_NOW: Final = re.compile(
    r"^(?P<s>[^,]*?),?现在(?:(?P<live>住在?)|在)(?P<n>[^,]{1,20}?)(?P<work>工作|上班|任职)?了?$"
)
_LEFT_JOB: Final = re.compile("(?:换了?工作|跳槽|离职|辞职|换了?单位)了?$")


def _now(sentence: str) -> Change | None:
    match = _NOW.match(sentence)
    if match is None or not (match["live"] or match["work"]):
        return None
    slot = "live" if match["live"] else "work"
    return _change(slot, _LEFT_JOB.sub("", match["s"]), match["n"], "")


class _Patterns(NamedTuple):
    verb: re.Pattern[str]
    stopped: re.Pattern[str]
    gone: re.Pattern[str]


@functools.cache
def _patterns() -> _Patterns:
    words = change_words().chinese
    return _Patterns(
        verb=re.compile(
            rf"(?P<verb>{words['changing']})了?[为成到至用叫] ?了?"
            r"|改(?P<again>[吃喝去骑坐开穿学住读看])"
        ),
        stopped=re.compile(rf"^(?P<s>[^,]*?)(?:已经|已)?(?:{words['stop']})了? ?(?P<p>[^,]+?)了?$"),
        gone=re.compile(rf"^(?P<s>[^,]+?) ?(?:已经|已|都|被)*(?:{words['gone']})了?$"),
    )
