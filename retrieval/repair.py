"""Does a turn wish to repair or to diagnose something?

Asked of the turn's own words: "fix the login", "why does the build fail", "it crashed again" and 又崩了
do; "fix dinner", "prefix", "add error handling", 修改文案 and 个人修养 do not.
"""

from __future__ import annotations

import functools
import re
from typing import Final

from memweir.retrieval.failure_marks import holds_stack_trace
from memweir.retrieval.phrases import Phrases, flat, read_phrases
from memweir.retrieval.types import Analysis

__all__ = ["wants_repair"]

_TURN: Final = 8_000  # characters
_WORDS: Final = "incident_words.txt"
_BEFORE: Final = 60  # characters in front of a failure that may make it a supposed one


def wants_repair(said: Analysis | str) -> bool:
    """Whether a turn is a wish, a question for the cause, a failure as it stands or a pasted trace.

    Of its first 8,000 characters.
    """
    if isinstance(said, Analysis):
        normal = said.normal[:_TURN]
    elif holds_stack_trace(said[:_TURN]):
        return True
    else:
        normal = flat(said[:_TURN])
    normal = normal.replace("’", "'")
    if _HOUSEHOLD.search(normal) and not any(_technical().find(normal)):
        return False
    if _WISH.search(normal) is not None or _WISH_ZH.search(normal) is not None:
        return True
    return _stated(normal, _STATE, _SUPPOSED) or _stated(normal, _STATE_ZH, _SUPPOSED_ZH)


# ---- English ------------------------------------------------------------------------------------

_ARTICLES: Final = "the|a|an|my|our|us|me|some|up|your|his|her|this|that|all"
# What is fixed without being broken: meals, appointments, things of the house, wording.
_FIXED_OTHERWISE: Final = (
    "dinner|lunch|breakfast|supper|brunch|meals?|food|snacks?|drinks?|coffee|tea|sandwich(?:es)?"
    "|cocktails?|plate|dates?|prices?|rates?|times?|appointment|deadline|day|hair|make-?up|tie|bed|cars?"
    "|bikes?|sink|roof|fence|house|teeth|sleep|posture|diet|typos?|wording|spelling|grammar|punctuation"
    "|formatting|indentation|capitali[sz]ation|tone|title|heading|translation"
)
_ENDS: Final = (
    r"(?:\ (?:of|for|with|at|on|to|in|by|and|before|after|tonight|today|tomorrow|this|next)\b"
    r"|[.,;!?|]|$)"
)
_TROUBLE: Final = (
    r"(?:errors?|exceptions?|failures?|crash(?:es)?|outages?|downtime|bugs?|leaks?|deadlocks?|timeouts?"
    r"|regressions?|incidents?|traceback|stack\ ?trace|panic|segfault|null\ pointers?"
    r"|race\ conditions?)\b"
    r"(?!\ (?:codes?|messages?|handling|handlers?|pages?|class(?:es)?|types?|hierarchy|reports?|texts?"
    r"|responses?|training|process|templates?|budgets?|rates?|forms?|trackers?|of|course))"
)
_FAILING: Final = (
    r"(?:fail\w*|crash\w*|hang(?:s|ing)?|hung|break(?:s|ing)?|brok\w+|error\w*|exception\w*|throw\w*"
    r"|timeouts?|time[sd]?\ out|timing\ out|refus\w+|stuck|stall\w*|stop(?:s|ped|ping)?|slow\w*|blank"
    r"|disconnect\w*|restart\w*|missing|wrong|red|die[sd]?|dying|leak\w*|flak\w+|reject\w*|denied|lost"
    r"|losing|garbled|corrupt\w*|deadlock\w*|panic\w*|[45]\d\ds?|oom\w*|unreachable|down"
    r"|(?:not|n't)\ (?:\w+\ )?(?:work|start|load|build|compile|connect|respond|run|open|render|install"
    r"|show|save)\w*)"
)
_WISH: Final = re.compile(
    rf"""(?<![\w-])(?:
        fix(?:ing)?(?![\w-])
            (?!(?:\ (?:{_ARTICLES})){{0,3}}\ (?:{_FIXED_OTHERWISE}){_ENDS})
      | debug(?:ging)?(?![\w-])(?<!to\ debug)
            (?!\ (?:mode|flags?|levels?|builds?|logs?|logging|output|symbols?|menu|panel|info
                |prints?))
      | to\ debug\ \w
      | troubleshoot(?:ing)?(?![\w-]) | diagnos(?:e|ing)(?![\w-])
      | repair(?:ing)?(?![\w-])(?!\ (?:shops?|manual|cost))
      | (?:find|figure|work|sort|puzzle)(?:ing)?\ out\ (?:why|what(?:'s|\ is|\ was)?
            \ (?:mak\w+|caus\w+|break\w*|broke|wrong))\b
      | (?:track|hunt|chase)(?:ing)?\ (?:\w+\ ){{0,3}}?down\b
      | (?:find|locate)\ (?:the|this|that|a)\ (?:culprit|cause|root\ cause|{_TROUBLE})
      | (?:resolve|solve|patch|squash|reproduce|investigate|look\ into|get\ (?:past|around|rid\ of))
            \ (?:\w+\ ){{0,4}}?{_TROUBLE}
      | why\b[^.?!|]{{0,120}}?\b{_FAILING}\b
      | what(?:'s|\ is|\ went|\ goes|\ are|\ could\ be|ever)?
            \ (?:wrong|broken|broke|causing|caused|failing|breaking)\b
      | how\ (?:do|can|could|should)\ (?:i|we)\ get\ (?:past|around|rid\ of)\b
      | (?:look\ at|explain|understand|about|with|here\ is|here's|see)\ (?:this|the|that|my)
            \ (?:\w+\ ){{0,2}}?{_TROUBLE}
      | (?:working|running|green)\ again\b
    )""",
    re.VERBOSE,
)
# A failure told as it stands: "the build hangs", "page 2 won't load", "same error again".
_STATE: Final = re.compile(
    rf"""(?<![\w-])(?:
        (?:is|are|'s|was|seems?|went|goes|go|turned|be)\ (?:\w+\ ){{0,2}}?
            (?:broken|failing|crashing|hanging|erroring|timing\ out|unreachable|not\ working|stuck
                |flaky|red)\b
      | (?:is|are|was)\ down(?:\ again)?(?=[,.?!|]|$)
      | keeps?\ (?:on\ )?(?:failing|crashing|hanging|breaking|restarting|disconnecting|throwing
            |stopping|dying|freezing|timing\ out)\b
      | still\ (?:broken|failing|not\ working|crashing|red|hangs|fails|crashes|the\ same)\b
      | (?:does|do|did|will|wo|is)(?:n't|\ not)\ (?:\w+\ )?
            (?:work(?:ing)?|start|load|build|compile|connect|respond|boot|render)\b
            (?!\ (?:on\ (?:mon|tues|wednes|thurs|fri|satur|sun)|until|for\ |at\ |as\ |full|part))
      | (?:unable\ to|can(?:'t|not))\ (?:connect|start|build|install|import|log\ ?in|load|reach
            |resolve|compile|push|pull)\b
      | (?:fails|failed|crashes|crashed|hangs|hung|segfaults?|segfaulted|panics|panicked|times\ out
            |timed\ out|errors\ out|exits\ with|breaks|broke|blows\ up|blew\ up|does\ nothing
            |stopped\ working)\b
      | (?:get|got|getting|see|seeing|hit|hitting|throws?|throwing|gives?|raises?|have|has|there\ is
            |there's|found)\ (?:me\ )?(?:an?|the|this|that|these|some|another)
            \ (?:\w+\ ){{0,2}}?{_TROUBLE}
      | same\ (?:error|problem|issue|crash|failure)\b
      | (?:something|it|this)\ is\ off\b
    )
    | ^not\ working\b
    | \bslow\b[^|]{{0,40}}\bwhat(?:'s|\ is)\ going\ on\b
    """,
    re.VERBOSE,
)
# In front of a failure, these make it one that is provided for or spoken about.
_SUPPOSED: Final = re.compile(
    r"\b(?:if|when|whenever|unless|until|in case|once|that|which|who|whose|should|would|could|must"
    r"|what happens|how|add|write|draft|design|create|document|describe|implement|make|explain|poem"
    r"|story|about)\b[^.,;:!?|]*$"
)

# What breaks at home and in life.
_HOUSEHOLD: Final = re.compile(
    r"\b(?:cars?|bikes?|bicycles?|washing machine|dishwasher|fridge|oven|stove|toilet|sink|roof|heating"
    r"|tooth|leg|wrist|ankle|knee|heart|marriage|boyfriend|girlfriend|vase|exams?|driving test)\b"
    r"|车子|汽车|修车|自行车|洗衣机|冰箱|空调|马桶|水管|水龙头|电梯|路灯|楼道|屋顶|膝盖|考试|婚姻|感情"
)

# ---- Chinese ------------------------------------------------------------------------------------

_NOUN_ZH: Final = (
    "(?!信息|提示|文案|页|码|处理|率|类|重试|次数|时(?!间)|的时候|的话|则|就|后|用例|模板|日志格式|和)"
)
_FAILING_ZH: Final = (
    "(?:失败|报错|报[ ]?(?:[a-z0-9_]|异常)|出错|崩|挂了|挂掉|卡死|卡住|卡了|卡着|很卡|超时|不通"
    "|不行|不动|不工作|起不来|打不开|连不上|登不上|登不进|跑不|用不了|装不上|异常|红了|断开|断了|断线|没反应|无响应"
    "|白屏|黑屏|乱码|重启|丢了|丢失|空白|不对|不显示|不生效|没了|停了|停止|变慢|这么慢|很慢|特别慢|这么高"
    "|出问题|泄漏|死锁|闪退|不出来|宕机|编译不过|[45]\\d\\d)"
) + _NOUN_ZH
_ASKS_ZH: Final = (
    "(?:怎么办|怎么解决|怎么处理|如何解决|如何处理|怎么修|帮我?看|看一?下|看看|查一?下|查查|什么原因"
    "|是不是|咋整|咋办|为什么|为啥|求助|什么情况|怎么回事)"
)
_WISH_ZH: Final = re.compile(
    rf"""(?<![装选必进研自主辅兼专整编删翻])修
            (?![改养饰辞订剪行建路身士女仙炼图学长缮脚葺道业习史正为撰宪读筑法维真眉容课])
      | 排查 | 调试(?!模式|开关|日志|信息|页) | 诊断(?!书|报告) | 检修 | 抢修 | 维修
      | 定位(?:一?下|到底|问题|原因|故障|bug|根因|为什么|是什么|内存|报错|崩溃|泄漏
            |这个(?:问题|报错|故障|bug))
      | (?:为什么|为啥|为何|什么原因|(?:怎么|咋)(?:又|会|老|总|还|突然|一直|都|就|没|不|这么))
            [^。;?!|]{{0,40}}?{_FAILING_ZH}
      | (?:怎么|咋)又?(?:挂|崩|红|炸|断)了 | (?:怎么|咋)回事
      | 哪里出了?(?:错|问题) | (?<!指)出了什么问题 | 问题出在
      | {_FAILING_ZH}[^|]{{0,30}}?{_ASKS_ZH}
      | 退出码[^|]{{0,10}}?{_ASKS_ZH}
      | [查找看](?:一?下|一查|查|找|清楚|出|看)[^。;?!|]{{0,30}}?
            (?:原因|为什么|为啥|怎么回事|出了?什么问题)
      | 看(?:一?下|看)?(?:这个|这段|那个)?(?:报错|错误|异常|堆栈){_NOUN_ZH}
      | (?:解决|处理|搞定)(?:一下|掉|下)?(?:这个|那个|该|上面的?)?[^,。;?!|]{{0,12}}?
            (?:报错|故障|崩溃|死锁|泄漏|bug|卡死|超时问题){_NOUN_ZH}
      | (?:这个|那个|该)\ ?(?:bug|报错|故障)\ ?(?:解决|处理|搞定|修)
    """,
    re.VERBOSE,
)
_STATE_ZH: Final = re.compile(
    rf"""又(?:挂|崩|红|超时|断了|卡|失败|不行|不通|出错|炸|报错|报[ ]?[a-z0-9])
      | (?:一直|老是|总是|突然|还是|仍然|现在|全都?|都)[^,。;?!|]{{0,6}}?
            (?:挂|崩|卡|红|报错|失败|超时|不行|不通|打不开|起不来|连不上|没反应|转圈){_NOUN_ZH}
      | (?:编译|跑|连|打|起|装|登|加载|启动|访问|下载|上传|推|拉|保存|提交|显示|渲染|构建|部署|安装
            |测试)(?:不过|不通|不上|不开|不动|不起来|不出来|失败|报错|超时|卡住)(?:了|,|。|!|$)
      | (?:挂了|崩了|没反应)(?=[,。!|]|$) | 不工作了 | 用不了了? | 打不开了 | 连不上
      | 有(?:个|一个)?\ ?bug | (?:好像|可能|应该)[^,。|]{{0,8}}(?:泄漏|死锁)
      | 同样的(?:错误|问题|报错)
    """,
    re.VERBOSE,
)
_SUPPOSED_ZH: Final = re.compile(
    "(?:如果|若|当|万一|要是|一旦|遇到|假如|关于|写|加|设计|实现|起草|介绍|解释|什么是)[^,。;?!|]*$"
)


def _stated(normal: str, state: re.Pattern[str], supposed: re.Pattern[str]) -> bool:
    return any(
        supposed.search(normal[max(match.start() - _BEFORE, 0) : match.start()]) is None
        for match in state.finditer(normal)
    )


@functools.cache
def _technical() -> Phrases:
    return Phrases.of({"technical": read_phrases(_WORDS)["technical"]})
