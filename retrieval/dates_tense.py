"""Does what was told speak of what was, or of what is to come? Read from one sentence or clause.

In this order, and in either language:

1. what can only lie ahead: "we will", "the exam is on Friday", 周六要去; and what was arranged for a
   day: "booked a table for Friday", 预约了周五;
2. what has been: "we flew", "visited", "since May", 去了, 去过, 已经, 当时;
3. what is usually said ahead: "the flight leaves", "we are flying", "deadline", 出发, 截止, 定在.

These words decide for a statement only. A question asks about the past or says that it does not
(`dates_en.speaks_ahead`, `dates_zh.speaks_ahead`).
"""

from __future__ import annotations

from typing import Final

from memweir.retrieval.dates_grammar import LazyPattern, Tense

__all__ = ["told_tense"]


def told_tense(text: str, folded: str) -> Tense:
    """The direction in time of a clause or sentence that was told.

    Args:
        text: as given; its case tells the verb "will" from the name.
        folded: the same, folded (`dates_grammar.fold`).
    Returns:
        `UNSAID` where no word speaks for either.
    """
    if _ZH_BACK_THEN.search(folded):
        return Tense.PAST
    if _EN_WILL.search(text) or _EN_AHEAD.search(folded) or _ZH_AHEAD.search(folded):
        return Tense.AHEAD
    verbs = _EN_NO_VERB.compiled.sub(" ", folded)
    if _EN_PAST.search(verbs) or _ZH_PAST.search(_ZH_NO_PAST.compiled.sub(" ", folded)):
        return Tense.PAST
    if _EN_PLAN.search(folded) or _ZH_PLAN.search(folded):
        return Tense.AHEAD
    return Tense.UNSAID


# --- English ------------------------------------------------------------------------------------------

_DAY: Final = (
    r"(?:the\s+)?(?:[0-9]|(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july"
    r"|august|september|october|november|december"
    r"|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(?![a-z]))"
)
_BE: Final = r"(?:(?<![a-z])(?:am|is|are|be|isn't|aren't|gets?|getting)|'(?:m|s|re))"
_GO: Final = (
    "starts?|begins?|leaves?|departs?|arrives?|comes?|opens?|closes?|ends?|expires?|launch(?:es)?|lands?"
    "|returns?|fly|flies|travels?|takes?\\s+place"
)
# Setting a day: said in the past tense of what lies ahead.
_ARRANGED: Final = (
    "booked|reserved|(?:re)?scheduled|planned|arranged|postponed|delayed|invited|registered|signed\\s+up|enrolled"
    "|moved|pushed|shifted|changed|brought\\s+forward|put\\s+off|agreed|set|fixed|bought|got|made"
)

_EN_WILL: Final = LazyPattern(
    r"\bwill\b|\bWill\s+(?:i|I|we|you|he|she|it|they|there|the|my|our|your)\b"  # not the name Will
)
_EN_AHEAD: Final = LazyPattern(
    r"(?<![a-z])(?:won't|shall|gonna|upcoming|remind\s+me|looking\s+forward|can't\s+wait)(?![a-z])"
    r"|'ll(?![a-z])|(?<![a-z])(?:am|is|are)\s+(?:going|about|due)\s+to(?![a-z])"
    rf"|(?:{_BE}|(?<![a-z])(?:{_GO}))\s+(?:(?:only|due|set|planned|scheduled|booked|on|for|by)\s+){{0,2}}{_DAY}"
    rf"|(?<![a-z])(?:{_ARRANGED})\s+(?:(?!(?:on|in|at|from)\s)[^\s.,;]+\s+){{0,6}}?(?:for|to|until|till)\s+{_DAY}"
)

# What looks like a past tense: "is closed", "the advanced course", "two days left".
_NOT_PAST: Final = (
    "based|named|titled|hundred|sacred|naked|wicked|united|infrared|aged|moped|embed|beloved|alfred"
    "|manfred|jared|ahmed|hamed|khaled|moham+ed|muham+ed|winifred|mildred|fred|shed|shred|sled|biped"
)
_EN_NO_VERB: Final = LazyPattern(
    rf"{_BE}\s+(?:(?:not|also|all|now|still|already)\s+)?(?:[a-z]+ed|done|gone|set|lost|shut|made|held|sold)(?![a-z])"
    r"|(?<![a-z])(?:the|an?|my|our|your|his|her|its|their|this|these|no)\s+(?:[a-z]+ed|thought|found|lost)(?![a-z])"
    r"|(?<![a-z])(?:days?|weeks?|months?|hours?|time)\s+left(?![a-z])"
    rf"|(?<![a-z])(?:{_NOT_PAST})(?![a-z])"
)
_IRREGULAR: Final = (
    "ate|became|been|began|begun|bent|blew|bought|broke|broken|brought|built|came|caught|chose|chosen|dealt|done"
    "|drank|drawn|drew|driven|drove|eaten|fell|felt|fled|flew|flown|forgot|forgotten|fought|found|froze|gave|given"
    "|gone|got|gotten|grew|heard|held|hid|hung|kept|knew|knelt|led|left|lent|lost|made|meant|met|paid|ran|rang|rode"
    "|said|sang|sank|saw|seen|sent|shook|slept|slid|sold|sought|spent|spoke|spoken|stole|stood|stuck|struck"
    "|swam|swore|swung|taken|taught|thought|threw|told|took|tore|understood|went|woke|won|wore|wrote|written"
)
_EN_PAST: Final = LazyPattern(
    rf"(?<![a-z])(?:(?:was|were|had|did)(?:n't)?|{_IRREGULAR}|ago|used\s+to|the\s+last\s+time|since\s+{_DAY}"
    r"|(?:agre|fre|guarante)ed|[a-z]{2,}(?<!e)ed)(?![a-z])"
)
_EN_PLAN: Final = LazyPattern(
    rf"(?<![a-z])(?:going\s+to|due|about\s+to|plan(?:s|ning|ned)?|scheduled|next|reminder|remind|deadline"
    rf"|appointments?|(?:is|are)\s+on|meeting\s+on|{_GO}|(?:by|until|till)\s+{_DAY})(?![a-z])"
    rf"|{_BE}\s+(?:(?:not|also|all)\s+)?[a-z]+ing(?![a-z])"
)

# --- Chinese ------------------------------------------------------------------------------------------

_ZH_BACK_THEN: Final = LazyPattern("曾|当时|当年(?!度)|那天|那时|上一?次|后来")
_ZH_ARRANGED: Final = (
    "(?:预约|预订|预定|约|订|定|安排|报名?|改期?|推迟|延期|延后|提前|邀请)(?:好|上|完)?(?:[到在至])?了"
    "|买(?:好|到)?了[^,，。]{0,16}票"
)
# 要 as a verb of what is to come, not in 重要, 要求.
_ZH_AHEAD: Final = LazyPattern(
    "即将|(?<![麻大健])将(?![军棋领近就士帅错])|打算|计划(?![了书生])|准备(?![了好])|预计|预定(?!了)|届时|提醒"
    "|马上|快[^,，。了]{0,6}了|别忘|记得[去带交要]"
    "|(?<![重主需只首次摘概简提纪扼险紧索])要(?![求点素害领闻紧么是塞命强了])"
    f"|{_ZH_ARRANGED}"
    "|(?:改|推迟|延期|延后|延|挪|移|换|提前|调整?|定|订|约|安排|排)[期好]?[到在至于](?=[下这本]{0,2}个?(?:周|星期|礼拜)[一二三四五六日天末])"
)
# 为了, 除了, 了解, 不了, 太好了: no 了 of what has been.
_ZH_NO_PAST: Final = LazyPattern("太[^,，。了]{1,6}了|[为除罢算极]了|[不得]了|了[解不结如]")
_ZH_PAST: Final = LazyPattern(
    "了|已经|(?:说|提|讲|聊|问|诉|写|做|去|来|到|看|见|吃|喝|住|读|听|玩|学|用|试|买|聚|谈|打|开|拍|跑|爬|走|加|发)过(?![来去程])"
    "|没有?(?=[去来吃看做见参买睡接收说写赶])|刚(?!好)"
    "|[玩聊睡吃考谈跑办过]得(?:很|挺|不|太|真|特别|非常)|是[^,，。]{0,12}[去来到走买见搬][^,，。]{0,6}的(?:[。!！]|$)"
)
# 会 before a verb, not in 开会, 庙会.
_ZH_PLAN: Final = LazyPattern(
    "(?<![开议聚晚约机社学年大协集宴班例商展博运音盛委工舞庙灯长乐唱布书讨谈动欢事])会(?=[去来在到举有参回出交跟和给再带帮请送做讲见])|"
    "定[在于到]|下一?次|下一?[场届轮]|开始|出发|启程|截止|预约|预订|起飞|到期|报到|入职|开学|开幕|上线|举[行办]|约[在好]|需要"
)
