"""Is there nothing to remember in a Chinese clause? The rule that says so, or "".

Questions, small talk, commands, suppositions, guesses, states that pass, talk about the talk.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Final

from memweir.learning.chinese.clauses import BLOT, Clause, is_small_talk
from memweir.learning.chinese.lexicon import Pattern, words
from memweir.learning.chinese.subjects import Subject

__all__ = [
    "COMMAND",
    "GREETING",
    "GUESS",
    "HYPOTHETICAL",
    "LOG",
    "NOTHING",
    "QUESTION",
    "QUOTED",
    "REACTION",
    "SARCASM",
    "TALK",
    "TRANSIENT",
    "VAGUE",
    "gate",
    "is_command",
    "is_condition",
    "is_log",
    "is_question",
    "is_sarcastic",
    "supposes",
]

QUESTION: Final = "shape.question"
GREETING: Final = "shape.greeting"
REACTION: Final = "shape.reaction"
COMMAND: Final = "shape.command"
HYPOTHETICAL: Final = "shape.hypothetical"
TRANSIENT: Final = "shape.transient"
QUOTED: Final = "shape.quoted"
GUESS: Final = "extract.guess"
VAGUE: Final = "extract.vague"
TALK: Final = "extract.talk"
NOTHING: Final = "extract.nothing-lasting"
LOG: Final = "shape.log"
SARCASM: Final = "extract.sarcasm"


def gate(clause: Clause, subject: Subject, *, chained: bool = False) -> str:
    """The rule by which a clause holds nothing lasting, "" where none speaks against it.

    Hypothetical clauses are the sentence's affair (`supposes`).

    Args:
        chained: it goes on after a clause that states something: "…，提供住宿" commands nothing.
    """
    if not clause.body or is_small_talk(clause.body):
        return _kind_of_small_talk(clause)
    if is_question(clause):
        return QUESTION
    if is_command(clause, subject, chained=chained):
        return COMMAND
    for rule in (_exclaims, _guesses, _quotes, _generalises, _addresses, _passes, _talks, _points):
        found = rule(clause, subject)
        if found:
            return found
    return ""


# --- small talk --------------------------------------------------------------------------------------


def _kind_of_small_talk(clause: Clause) -> str:
    kept = clause.whole.strip()
    greets = _GREETS.search(kept) is not None
    return GREETING if greets else REACTION


_GREETS: Final = Pattern("<greeting>|<thanks>")
_EXCLAIMS: Final = re.compile(
    r"^(?:这|那|这个|那个|真的?|实在)?(?:也|可)?太[^,]{1,8}了$|^(?:真|好|多么?|超|超级"
    r"|实在)[^,的是在有]{1,4}[啊呀啦了]?$|^[^,]{1,4}(?:死了|死我了|极了|爆了|坏了|疯了)$"
    r"|^(?:听|看|闻|尝)(?:起来|上去|着)"
    r"|^(?:祝|祝你|祝您|愿你|恭喜|希望你|希望您)"
    r"|^(?:这|那)?(?:就|也|都)?(?:对|好|行|可以|没问题|没错|够)了$"
)


def _exclaims(clause: Clause, subject: Subject) -> str:
    return REACTION if _EXCLAIMS.search(clause.body) and not clause.dates else ""


# --- questions ---------------------------------------------------------------------------------------

_ASKS_AT_END: Final = re.compile(
    r"(?:吗|么|没有?|不|否|对吧|是吧|好吧|对不|行不|好不|啥|咋样|如何|怎么样|怎样|怎么办"
    r"|为什么|多少|是谁|在哪里?|哪儿)[啊呀呢哈嘛的了]*$"
)
_NO_QUESTION_END: Final = re.compile(
    r"(?:怎么|什么|那么|这么|多么|要么|从|并|还|可|也|都|就|了|绝|决|从来|[是]|几乎|才|又|再"
    r"|要|谁|什么都?|还是?|一点都?)(?:没有?|不)$|[这那多要怎]么$"
)
_A_NOT_A: Final = re.compile(
    r"([\u4e00-\u9fff])[不没]\1(?!一|可|休)|有没有|是不是|能不能|会不会|可不可以|要不要|好不好"
    r"|对不对|行不行|该不该|是否|能否|可否|喜不喜欢|知不知道|愿不愿意|应不应该|有无"
)
_WH: Final = re.compile(
    r"什么|甚么|怎么|怎样|为何|为啥|干嘛|干吗|咋|啥|哪(?!怕|吒)|谁|多少|多久|多大|多长|多远"
    r"|多高|多重|多快|如何|几(?=[点号月日岁年楼级周时次个人天位种]|年级)|周几|星期几|几时"
    r"|凭什么|何时|何处|何必|难道|岂"
)
_NO_WH: Final = re.compile(
    r"(?:什么|啥|谁|哪\S?|怎么|多少|几\S?)[^,]{0,4}(?:都|也|就)|什么的|没什么|没啥|没多少|没几"
    r"|没怎么|不怎么|有什么说什么|多少有|多少会|多少还|好几|十几|几十|几百|几千|几万|几乎|几率"
    r"|前几|后几|近几|这几|那几|几[个天年月周次位种](?:月|星期|小时|多)?(?:前|后|朋友|同事"
    r"|人一起|内|左右|来|里)"
    r"|(?:有|了|过|养|买|写|去|请|约|和|跟|带|做|开|看|住|的|还有|叫|教"
    r"|认识)(?:好)?几[个只本次位天年家台条种篇人回趟部张句件场款支块]|第几|不管|无论|不论|任何"
    r"|哪怕|取决于|谁知道|没有?谁|随便"
)
_EMBEDS: Final = re.compile(
    r"(?:(?<!不)(?<!想)知道|学会|学了|学到|明白了|搞懂|弄懂|清楚|懂得|研究|决定|想好|教|记录"
    r"|记下|说明|了解了|看|展示|告诉|忘了|忘记|讨论|明确|规定|取决于|会)[^,]{0,12}$"
)
_ASKS_YOU: Final = re.compile(
    r"^(?:你|您)(?:觉得|认为|知道|有|能|会|可以|喜欢|怎么|是|叫|说|看|听|用|吃|在|还|也|最"
    r"|平时|最近)|^(?:能|可以|能否|可否)(?:不能|不可以)?(?:帮|给|再|告诉|请|麻烦|教|推荐|你|您"
    r"|解释|说|讲)"
)
_OR: Final = re.compile(
    r"(?:是|用|选|去|吃|喝|买|学|要|该|先|在|有|做)[^,]{1,16}还是[^,]{1,16}(?:好|呢|合适"
    r"|比较好)?$"
)


def is_question(clause: Clause) -> bool:
    """It asks, with or without a question mark. "什么都吃" and "我知道怎么走" ask nothing."""
    return clause.asks or _asks(clause.body, clause.whole.strip(), clause.particle)


@functools.lru_cache(maxsize=256)
def _asks(body: str, whole: str, particle: str) -> bool:
    if re.search(r"吗[^\w]*$", whole) and not whole.endswith("干吗去了"):
        return True
    if _ASKS_AT_END.search(body) and not _NO_QUESTION_END.search(body):
        wh = _WH.search(body)
        if wh is None or not _EMBEDS.search(body[: wh.start()]):
            return True
    said = _A_NOT_A.search(body)
    if said is not None and not _EMBEDS.search(body[: said.start()]):
        return True
    found = _WH.search(body)
    if found is not None and not _NO_WH.search(body) and not _EMBEDS.search(body[: found.start()]):
        return True
    return bool(
        (
            particle.startswith("呢")
            and (_OR.search(body) or (found and not _NO_WH.search(body)) or len(body) <= 4)
        )
        or (_OR.search(body) and re.search(r"还是.{1,16}(?:好|呢|合适|比较好)$", body + particle))
    )


# --- commands ----------------------------------------------------------------------------------------

_COMMAND: Final = Pattern("<command_head>")
_PLEASE: Final = re.compile("请|帮|麻烦|给我|替我|劳")
_BA_DONE: Final = re.compile(r"^(?:把|将)[^,]+[了过]")
_DONE: Final = re.compile(r"^[^,]{1,4}(?:了|过)|了$|完了|好了")
_YOU_DO: Final = re.compile(
    r"^(?:你|您)(?:先|再|来|去|帮|给|把|就|只|直接|可以|能|也|需要|要|得|自己|不要|别|不用"
    r"|应该|现在|重新|继续|试|看|写|说|改)"
)
_WANT_YOU: Final = re.compile(r"^(?:我)?(?:想|要|需要|希望|让|请|麻烦|拜托)(?:请|让|要|麻烦)?(?:你|您)")
_LETS: Final = re.compile(
    r"^(?:我们|咱们?)(?:来|先|一起|再|就(?!喜欢|爱|认|习惯|好|是|只|这|不)|继续|开始|试|看"
    r"|聊|接着|换|可以|去|走|不如|现在|把"
    r"|从)"
)
_LETS_DONE: Final = re.compile("了$|[成为到掉完好给上下]了|过了|(?:把|将)[^,]{2,}了")
_NEED_ONE: Final = re.compile(
    r"^(?:我)?(?:现在|今天|这里)?(?:急)?(?:需要|想要|要)(?:一|个|你|把|将|写|做|先|知道|实现"
    r"|在这|能|的是)"
)
_SUBJECTLESS: Final = re.compile(r"^(?:把|将)")
_FORBIDS: Final = re.compile(r"^(?:别|不要|不用|不必|先别|先不要|千万别|无需|不许|不准)")


def is_command(clause: Clause, subject: Subject, *, chained: bool = False) -> bool:
    """It asks for something to be done, once."""
    body = clause.body
    if subject.kind == "you" and _YOU_DO.match(body):
        return True
    if _WANT_YOU.match(body) or (_LETS.match(body) and not _LETS_DONE.search(body)):
        return True
    if _NEED_ONE.match(body) and not re.search("每[天周月年]|定期|长期|戴|吃药", body):
        return True
    if subject.kind not in ("none", "noun"):
        return False
    if _SUBJECTLESS.match(body):
        return _BA_DONE.match(body) is None
    if re.match("不(?:用|要)[^,]{2,16}了$", body) and not chained:  # 不用 Electron 了
        return re.search("这|那|它|说|解释|管|急", body) is not None
    if _FORBIDS.match(body):
        return not (chained and re.match("不用|不必|无需|不许|不准", body))
    head = _COMMAND.match(body)
    if head is None or (chained and not _PLEASE.match(body)):
        return False
    rest = body[head.end() :]
    return not (
        rest.startswith(("了", "过", "的是", "完了", "好了"))
        or (_DONE.search(body[: head.end() + 4]) is not None and "一下" not in body)
    )


# --- lines of a log, and what is said to mean the opposite -------------------------------------------

_LOG: Final = re.compile(
    r"【(?:通知|公告|警告|系统|告警|提示)[^】]{0,6}】|(?:export|const|let|var|import|def"
    r"|class|function|return|public|private)\b +[^，。]*[=({;:]|"
    r"(?:#+ ?|//+ ?|/\* ?|-- ?|<!-- ?)?(?:TODO|FIXME|XXX|HACK|NOTE\(|WARN(?:ING)?|ERROR"
    r"|INFO|DEBUG|TRACE|FATAL|CRITICAL)\b(?![的是我])"
    r"|(?://+|/\*|<!--|#+ )|[\[【](?:警告|错误|信息|提示|调试|严重|INFO|WARN(?:ING)?|ERROR"
    r"|DEBUG|FATAL)[\]】]"
    r"|(?:[A-Za-z_.]*(?:Error|Exception|Warning|Failure)|Traceback|panic|fatal|错误|异常"
    r"|警告|警告信息|报错|提示)[:：]|at [a-z]+\.[\w.]+\("
)


def is_log(text: str) -> bool:
    """A sentence that begins as a line of a log or a remark in code does."""
    return _LOG.match(text.strip()) is not None


_SARCASM: Final = re.compile(
    r"^(?:呵呵|可不[是嘛]|是是是|对对对|厉害啊|厉害了|真有你的|真行|真会|合着|敢情|感情好"
    r"|我谢谢|真是谢谢|好家伙|牛啊|真棒啊|笑死|可真行|真有意思|可以啊)"
)
_IRONY: Final = re.compile(
    r"可真(?!的|心|实)|真够[^,]{1,6}的|我可太|可太[^,]{1,6}了|不愧是|佩服佩服|天书似的"
    r"|所谓的|好棒棒|我谢谢(?:你|它)|多得没处|最养生|就爱加班|真会(?:挑|选|玩|来事|算)"
    r"|谁不爱|我(?:可)?真是(?:天才|谢谢|服了)|(?:也)?太(?:贴心|智能|人性化)了|真贴心"
    r"|好得很呢|呢可不"
)


def is_sarcastic(clauses: Sequence[Clause]) -> bool:
    """It says one thing and means the other, as far as its opening and some turns tell."""
    if not clauses:
        return False
    text = "，".join(each.whole for each in clauses)
    return _IRONY.search(text) is not None or (
        len(clauses) > 1
        and _SARCASM.match(clauses[0].whole.strip()) is not None
        and not re.match("对对对|厉害了|笑死|可以啊|牛啊|好家伙", clauses[0].whole.strip())
    )


# --- suppositions and guesses ------------------------------------------------------------------------


_SUPPOSES: Final = Pattern("<hypothetical>|(?<![主需重])要是(?!的)")


def supposes(clause: Clause) -> bool:
    """It supposes something, so that what follows does not hold as said."""
    return (
        _SUPPOSES.search(clause.body) is not None or _WERE_IT.match(clause.body) is not None
    ) and "如果说" not in clause.body


_ONLY_IF: Final = re.compile(r"(?:如果|要|若|遇到|碰到)?(?P<of>[^,]{1,14})的话")
_HOLDS_THEN: Final = Pattern(
    r"(?:<prefer>|宁可|宁愿|宁肯|一般|习惯|都是|从来|必须|不能|一律|统一|要先|得先|都要"
    r"|都得|优先|只[吃喝用看听选坐住]|默认)"
)


def is_condition(clause: Clause, following: str) -> bool:
    """A case of which something holds in general: 吃面的话我从不放香菜."""
    match = _ONLY_IF.search(clause.body)
    if match is None or re.search("如果|要是|假如|万一|倘若|假设|就好了", clause.body):
        return False
    rest = clause.body[match.end() :]
    return _HOLDS_THEN.search(rest if len(rest) > 2 else following) is not None


_WERE_IT: Final = re.compile(
    "(?:要真|真要|要不(?:我|咱|咱们|我们|就|先)|不如(?:我|咱|就)|真想|要换|若非|哪天要"
    "|等(?:哪天|有钱|以后有))"
)


_NO_GUESS: Final = re.compile(
    "[于达占到有足过超近][^,]{0,2}八成|八成以|八成$|不可能|尽可能|可能性|怀疑自己"
    "|不一定要|估计值|猜谜|猜拳|好像一样"
)
_GUESS: Final = Pattern("<guess>")
_ABOUT: Final = re.compile(r"(?:大概|估计|可能|应该)[^,]*吧?$")


def _guesses(clause: Clause, subject: Subject) -> str:
    body = _NO_GUESS.sub("", clause.body)
    if _GUESS.search(body):
        return GUESS
    if re.search("(?<![酒网贴水清书啡氧])吧$", body) and not re.search(
        "用回|就(?:用|选|定|按|叫|去|买|这|订)|还是(?:用|选|定)", body
    ):
        return GUESS
    return ""


_SAYS: Final = re.compile(
    r"(?:说|讲|问|道|喊|写道|回复|表示|提到|告诉我|跟我说|曰|称|吐槽|答)(?:过|了|的|道"
    r"|是)?[:：]?" + BLOT
)
_HEARD: Final = re.compile(
    r"^(?:他|她|它|他们|她们|别人|有人|网上|书上|文章里?|新闻里?|大家|人家|专家|医学上|老话"
    r"|俗话)(?:都|经常|总|总是|还|又|常)?(?:说|讲|写|告诉|问|认为|觉得|建议)"
)


def _quotes(clause: Clause, subject: Subject) -> str:
    if _SAYS.search(clause.body) or _HEARD.search(clause.body):
        return QUOTED
    return QUOTED if clause.body.startswith(BLOT) and not clause.body.strip(BLOT + "的了吗") else ""


# --- what is said to the assistant, or about the talk ------------------------------------------------

_TALK: Final = Pattern("<talk>")
_AGENT: Final = Pattern("<agent_word>")
_NAMES_ME: Final = re.compile(r"(?:叫我|称呼我|喊我)")
_NO_ADDRESS: Final = re.compile("你好|迷你|不亲你|你懂的|看你|你我|Mini")


_PEOPLE_AT_LARGE: Final = re.compile(
    "(?:(?:一个)?(?:好|优秀|真正|成熟|理想)的(?:代码|架构|程序员|设计|产品|团队|朋友|公司"
    "|老师)|一般(?:来说)?的?(?:公司|人|情况)|大部分|大多数|多数|很多人|现在的|如今的"
    "|年轻人|大厂|程序员|人们|男人|女人|小孩子|老人(?!家)|没人(?!维护|管|会|懂|负责|用)"
    "|世界上|天下|社会"
    "|国内的?(?:公司|大厂)|正常人|普通人|人总|人都|人就|老板都|领导都|人家|有的人|有些人)"
)


def _generalises(clause: Clause, subject: Subject) -> str:
    """What holds of everybody is nothing to remember of one."""
    body = clause.body
    return QUOTED if _PEOPLE_AT_LARGE.match(body) and "我" not in body else ""


def _addresses(clause: Clause, subject: Subject) -> str:
    """你 in a plain statement: said to the assistant, of it."""
    body = _NO_ADDRESS.sub("", clause.body)
    if _TALK.search(body):
        return TALK
    if not _AGENT.search(body) or _NAMES_ME.search(body):
        return ""
    if re.search(
        "我(?:更|最|比较|一直|还是)?(?:喜欢|希望|偏好|讨厌|不喜欢|习惯)(?:你|您)(?:用|的?回答"
        "|的?解释|直接|叫|先|每次|写|给|说|在|把|能|以|尽量|简|详)",
        body,
    ):
        return ""
    return TALK


_TODAY_IS: Final = re.compile(r"^(?:今天|明天|昨天|后天|今年|现在|这周)(?:已经)?(?:是|就是)(?!我)")
_NOT_NOW: Final = re.compile(
    "经常|总是|老是|一直|容易|每[天次周年晚]|长期|从小|最怕|天生|一到|一坐|平时|常年|向来"
)
_WEATHER: Final = re.compile(
    r"^(?:今天|明天|昨天|外面|这边|这里|这几天|最近)?(?:的)?(?:天气|外面|雨|雪|风|太阳"
    r"|气温)(?:很|真|太|好|不|挺|越|大|停|又|要|这么|那么|预报|变|有点|热|冷|小|了|$)|^(?:今天"
    r"|外面|这边|明天|昨天)?(?:好像)?(?:又|要|在|正|快|真|好|很|太)?(?:下雨|下雪|刮风|降温"
    r"|升温|热|冷|闷)[^,]{0,4}$"
)


def _passes(clause: Clause, subject: Subject) -> str:
    """A state or doing of the moment."""
    body = clause.body
    if _WEATHER.search(body) or _TODAY_IS.match(body) or _UNWELL.search(body):
        return TRANSIENT
    if subject.kind in ("owned", "kin", "named", "noun") and not clause.dates:
        if _THEIRS_PASSES.search(subject.said):
            return TRANSIENT
        if subject.kind == "owned" and _ASKING_NOUN.match(subject.noun):
            return NOTHING
    if subject.kind not in ("self", "none"):
        return ""
    if _NOT_NOW.search(body) or _NOT_SKILLED.search(body) or _LASTS.search(body):
        return ""
    if _WAITS.match(body) or (_ACHES.match(body) and not _OFTEN.search(body)):
        return TRANSIENT
    said = subject.said
    if subject.topic and re.match("先|要(?!你|把|一)", said):
        return ""
    if subject.kind == "self" and _SELF_PASSES.match(said) and not _dated_otherwise(clause):
        return TRANSIENT
    if _STATE.match(said) and not (_dated_otherwise(clause)):
        return TRANSIENT
    return ""


_UNWELL: Final = re.compile(
    "(?:今天|这两天|这几天|最近)[^,]{0,4}(?:有点|有些|不太|特别|好)?(?:感冒|发烧|不舒服"
    "|没睡好|失眠|起晚|状态|累|困|忙|拉肚子|上火|咳嗽|落枕|头疼|堵车|没胃口)[^,]{0,4}$"
    "|(?:今天|今儿)[^,]{0,2}(?:就|先)?到这"
)
_LASTS: Final = re.compile(
    "对[^,]{1,12}(?:没(?:什么|啥)?(?:感觉|兴趣)|无感|不感冒)|(?:把|将)[^,]{1,6}(?:戒|辞|卖|退|换|搬)了?"
)
_NOT_SKILLED: Final = re.compile(
    "不(?:太|怎么|大)?(?:懂|会|熟)(?!了|的|吧|为什么|怎么|什么|这|那|你|啊|说|要|有|让|再|是|出|$)"
)
_WAITS: Final = re.compile("(?:等|待)(?:我|下|会|一下|一会|他|她)")
_ACHES: Final = re.compile(
    "(?:我)?(?:今天|今早|今晚|现在|这会儿?|刚刚?|突然)*(?:头|腰|腿|背|脖子|嗓子|肚子|胃"
    "|眼睛|手|脚|牙|肩膀|膝盖|身体|脑子|心里|人)"
    "(?:又|还|都|就|真|好|很|有点儿?|有些|特别|非常)*(?:酸|疼|痛|晕|胀|痒|难受|不舒服|干"
    "|沉|麻|疲|累|困|乱)[^,]{0,3}$"
)
_OFTEN: Final = re.compile("一[到吃喝坐看]|老毛病|经常|每|容易|就会|总|常年|从小|天生")


def _dated_otherwise(clause: Clause) -> bool:
    return any(
        clause.body[s.start - clause.start : s.end - clause.start] not in words("today")
        for s in clause.dates
    )


_THEIRS_PASSES: Final = re.compile(
    r"^(?:现在|又|正|还|都|刚|已经|好像)*(?:在|正在)(?:做饭|睡|吃|看|哭|玩|洗|忙|开会|催|打|吵"
    r"|闹|叫|等|说|笑|写作业|上课|路上|加班|休息)"
    r"|(?:没电|生气|睡着|醒|哭|饿|困|下班|到家|回来|死机|卡住|黑屏|闪退|走|睡|来|出门|挂)了$"
)
_ASKING_NOUN: Final = re.compile(
    "意思|问题|疑问|想法|疑惑|代码$|程序$|脚本$|报错|建议|需求|思路|理解|天|妈呀"
)


_SELF_PASSES: Final = Pattern(
    "(?:今天|今晚|今早|刚刚|刚才|刚|现在|已经|又|也|都|还|正|正在|终于|好不容易|有点儿?|一直"
    "|真的?|就|才|实在|真心|完全|暂时|目前|好像|最近)*(?:"
    "<passing_adverb>"
    "|(?:一定|肯定)?会(?:再|先|多|去|好好|继续|认真|努力|尽快|尽量)*<response_verb>"
    "|(?:想|要|想要|打算|准备|需要)(?:再|先|去|来|跟大家|和大家|也)?<ask_verb>"
    "|(?:还)?有(?:一)?(?:点|个|些|几个|件|小|两个)?(?:小)?<trouble>"
    "|<passing_verb>"
    "|(?:在|正在)(?:写|看|改|调|跑|吃|等|想|听|开会|加班|忙|排队|上课|用手机|路上|家里?$"
    "|公司$|外面|地铁|车上|办公室|医院$|机场|玩|搞|弄|打|做饭|洗|收拾|公交)"
    "|的(?:问题|疑问|意思|想法是|疑惑)"
    "|没有?(?:问题|看懂|明白|听懂|理解|说|事|时间|空|办法|灵感|思路|注意)"
    "|(?:去|来)[^,]{1,6}了$"
    ")"
)
_STATE: Final = Pattern(
    "(?:现在|今天|今晚|刚刚?|有点儿?|有些|好|很|太|真|特别|非常|挺|超|超级|感觉|感到|觉得|又"
    "|都|快|要|也|还|一点|比较|实在|的|心里|莫名|最近|这几天|不太|不|略|稍微|心情|真是|有"
    "|一些|自己|十分|格外|极其)*"
    r"<self_state>(?:死了?|坏了?|了|极了|的|得\w{1,6})?$"
)


_MENTAL_HEAD: Final = re.compile(
    r"^(?:我)?(?:也|还|就|真的|一直|突然|总|只|只是|其实|现在|今天|刚|刚刚|最近"
    r"|个人)*(?:对[^,]{1,10})?(?:并|不)*(?:觉得|认为|感觉|感到|以为|相信|担心|期待|同意|好奇"
    r"|怀疑|猜|知道|不知道|想起|记得|理解|明白|发现|听说|祝|看来|看到|明白了|意识到|了解到)"
)


def _talks(clause: Clause, subject: Subject) -> str:
    if (
        subject.kind in ("self", "none")
        and not _LASTS.search(clause.body)
        and _MENTAL_HEAD.match(clause.body)
    ):
        return NOTHING
    return ""


_POINTS: Final = re.compile(
    r"^(?:这|那|此)(?:一)?(?:个|样|些|里|儿|边|种|次|下|回|段|款)?(?:就|也|都|还|可|真|很|太"
    r"|是|不|挺|的|有|比|让|能|会|应该|才|样|对|$)"
)


def _points(clause: Clause, subject: Subject) -> str:
    """It speaks of "this" or "that", which the statement could not name."""
    if subject.kind == "this" and (_POINTS.match(clause.body) or len(clause.body) < 8):
        return VAGUE
    return ""
