"""Who or what does a Chinese clause speak of? Its subject, and what is said of it."""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from memweir.learning.chinese.clauses import BLOT, Clause, View
from memweir.learning.chinese.lexicon import Pattern
from memweir.retrieval.scripts import HAN
from memweir.retrieval.stopwords import word_lists

__all__ = ["Subject", "find_subject", "names_among", "person_names", "tagged"]


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a clause.

    Attributes:
        kind: "self" (我), "we" (我们), "owned" (我妈妈, 我的车, 我们公司), "kin" (妈妈 alone),
            "named", "project" (这个项目, 服务器), "you", "other" (他, 它, 大家), "this" (这个),
            "noun" (any other noun), "none".
        start, end: its place in the text; both at the start of the clause where there is none.
        noun: the noun of an owned or kin subject, simplified; the name of a named one.
        said: what follows it in `View.masked`, to the end of the clause.
        before: where the words before it began: the start of the clause.
        topic: something else is named before it that is spoken of: 书我只读纸质的.
    """

    kind: str
    start: int
    end: int
    noun: str
    said: str
    before: int
    topic: bool = False


_ADVERBS: Final = re.compile(
    r"(?:现在|目前|如今|当时|那时候?|之前|以前|从前|早年|当年|后来|平时|平常|平日|周末|工作日"
    r"|早上|早晨|上午|中午|下午|傍晚|晚上|半夜|凌晨|夜里|睡前|饭后|最近|近来"
    r"|小时候|从小到大|从小|自小|一般|通常|有时候|有时|偶尔|经常|每[天日周月年晚早次](?:早上"
    r"|晚上|下午|上午|中午)?|每个?(?:周|星期|礼拜)?[末一二三四五六日天]?"
    r"|终于|刚刚|刚才|刚|大[一二三四](?:时|的时候)?|大学(?:时|的时候|期间)?|高中(?:时|的时候"
    r"|期间)?|前段时间|这段时间|一直|已经|曾经|还|也|都|就|又|才|正|只|真的|因为|由于|为了"
    r"|虽然|尽管"
    r"|自从|除了|目前为止|到目前为止|其中|结果|幸好|还好|可惜|当然|同时|今后|以后|今晚|本来"
    r"|原来|原本|今生|这辈子|一年[四到]季|家里|(?:[零一二两三四五六七八九十]{1,3}"
    r"|[0-9]{1,2})点(?:半|[零一二三四五六七八九十0-9]{1,3}分?)?钟?(?:左右|多|前|后)?"
    r"|[0-9]{1,2}[:：][0-9]{2}|平均|大约|大概|大多数时候|大部分时候|基本上|主要是"
    r"|整个\w{1,4}[季天月年]|但是?|而|所以|因此|[,、 ])"
)
_PHRASE: Final = re.compile(
    r"(?:在|从|当|等|到|自从|关于|对于|自|为了|经过|除了)[^我俺咱,]{1,14}?(?:上|里|中|下|时"
    r"|时候|期间|之?后|之?前|以来|开始|起|来说|方面|以外|之外)(?=我|俺|咱|$)"
)
_BEFORE_SELF: Final = re.compile(
    r"(?:在|从|对|跟|和|给|用|经过|通过|按照|权衡|作为|根据|到|论|比起|相比|关于|除了|每|自|因为|由于"
    r"|为了)[^我俺咱你您他她它的,]{1,12}?(?=[我俺咱](?!的)[\u4e00-\u9fff])(?<!回答)(?<!回"
    r"复)(?<!回覆)(?<!提醒)(?<!告诉)(?<!通知)(?<!回覆)(?<!提醒)(?<!告诉)(?<!通知)(?<!叫)(?"
    r"<!给)(?<!帮)(?<!跟)(?<!和)(?<!让)"
)
_SELF: Final = re.compile(
    r"(?<![自忘敌唯])(?:我|俺|咱(?!们)|本人)(?!们|国|方|司|校|军|辈)(?:自己|个人|本人|这个?人|这边)?"
)
_WE: Final = re.compile(
    r"(?:我[司校院]|我们|咱们|俺们|我和\w{1,4}们)(?:自己|大家|几个|[俩仨两三四]个?人?)?"
)
_YOU: Final = re.compile(r"[你您](?:们)?")
_OTHER: Final = re.compile(
    r"(?:他|她|它|牠)们?|大家|人家|别人|有人|谁|对方|双方|两个人|两人|两者|后者|前者|彼此"
)
_THIS: Final = re.compile(
    r"(?:这|那|此)(?:一)?(?:些|个|种|款|次|位|台|本|部|家|件|只|条|道|座|里|儿|边|样|时|段|张"
    r"|份|门|顿|篇|首|批|片|套)?"
)
_HERE: Final = re.compile(
    "(?:这边|这里|这儿)(?=没有 ?[A-Za-z]|用的?|都用|都走|统一|规定|[^,]{0,6}(?:走|用)的?(?:是)?[ A-Z])"
)
_PROJECT: Final = re.compile(
    r"(?:我们|咱们|这个?|该|本|这边的?|整个)?(?:项目|仓库|代码库|工程|系统|平台|网站|服务器"
    r"|服务|数据库|后端|前端|接口|主分支|生产环境|测试环境|开发环境|线上环境|预发环境"
    r"|生产数据库"
    r"|公司|团队|部门|小组|周会|例会|站会|晨会|办公室|产品|客户端|客户|甲方|应用|小程序|官网"
    r"|集群|网关|缓存|消息队列|流水线|日志|监控|备份|文档|代码|主干|发版|版本|合同|工资|房租"
    r"|婚礼|小区|学校|店里|家里|宿舍|班级|幼儿园|账单|快递|密码|证书|域名|预算|报告|论文|作业)"
)
# 我的… up to a verb, 我 with a noun of people or things one has, 我们 with a group's noun.
_OWNED: Final = Pattern(
    "(?<![自忘敌唯])(?:(?:我|俺|咱|本人)(?:家)?(?:里|的|那个?|这个?|家的|有个"
    "|(?<=我)们家的?)?(?P<noun><kin>"
    "|<associate>|<pet>|<belonging>)(?![家里]?[具庭长])"
    "|(?:我们|咱们|俺们)(?:的|这个?|那个?|家)?(?P<org><self_org>)"
    "|(?:我|俺|咱|我们|咱们|本人)(?:家)?的(?:那?一?个|一些)?(?P<any>[^,是在有叫要会的]{1,16}?)"
    "(?=是|在|有|叫|要|会|用|很|比|对|不|已|都|也|的|跟|和|从|喜欢|每|今|昨|明|姓|属|最近|表示|说"
    "|一直|正|将|想|打算|决定|去|来|给|让|把|被|$))"
)
_KIN: Final = Pattern("(?P<noun><kin>)(?![节亲])(?:他|她|它)?(?:们)?")
# 书我只读纸质的: what is spoken of before the speaker, unless a verb or preposition takes 我.
_TOPIC: Final = re.compile(
    r"(?!不对|等|让|帮|请|给|跟|对|把|被|如果|要是|因为|所以|但|而|就|也|都|还|才|再|又|先|谢|除了)"
    r"[^我俺咱你您他她它,□]{1,16}?(?=(?:我们|咱们|俺们|我|俺|咱)(?!的))"
)
_TAKES_ME: Final = re.compile(
    "(?:[给跟对和与同让叫帮找问教请陪带是比像为被把离在等到归由害爱骗怪骂夸说替向从嫌看催"
    "约回发使令得要有想会能"
    "了着过的不也都就还先才再只但而如若]|告诉|提醒|通知|联系|回复|回答|答复|答应|支持"
    "|帮助|介绍|知道|觉得|喜欢"
    "|希望|需要|因为|所以|如果|以后|每次|除非|然后|显示|提示|连接|送|借|寄|转|打|教会"
    "|允许|要求|建议|欠|抱|推荐)$"
)
# 我快递都是…, 我左耳听力…: a noun of the speaker's without 的.
_BARE: Final = re.compile(
    "都|全|是|在(?!想|看|做|忙|等|写|调)|不|没|很|挺|比较|特别|非常|有点|一般|从来|一直"
    "|通常|也|要|得|用|叫|放|存|姓|对"
    "|只|[0-9一二两三四五六七八九十]|换|听力|视力|水平|基础|底子|特差"
    "|[差好浅深大小高低短弱强重轻多少慢快灵断骨折伤稀淡粗细硬]|做过|动过|受过| ?[A-Z0-9]"
)
_NOT_MINE: Final = re.compile(
    "感觉|建议|决定|意思|计划|习惯|需求|要求|猜测|希望|想法|理解|印象|意见|经验|偏好|偏向"
    "|倾向|喜欢|个人|自己|本人|现在|平时|基本"
    "|乳糖|色弱|左撇子|一般|主要|确实|目前|同意|保证|发誓|打算|准备|认为|人|们|国|方|晚上"
    "|早上|周末|家$|问题|报错|真心"
)
_MINE: Final = Pattern(
    "(?P<noun><mine>)(?:号码?)?(?=[是在有为叫不很一二两三四五六七八九十0-9A-Za-z:： \u4e00-\u9fff])"
)
_QUALITY: Final = Pattern("<quality>")
_THING: Final = Pattern(
    "(?:这[个份条台张批版]?|那个|该|本|整个|所有的?|全部的?|任何|每个|各个?"
    "|我们的?)?(?P<before>[^,我俺咱你您他她它把被给请帮让先再了过着]{0,12}?)"
    "(?:<project_noun>)(?:(?<=[A-Za-z])(?![A-Za-z0-9])|(?<![A-Za-z]))(?:里面?|上|中|这边"
    "|那边|那块|这块)? *"
    "(?=[是为在有放存跑走叫用要得不没都全一统默保限监设归由只共就必禁严需至最支仅已将从每"
    "占分各按连装跟和"
    "两二三四五六七八九十0-9:：「□部托升改换目现挂依兼别绝千务尽得发出合上下周前后谁代写"
    "大约差超参行冻走跟进支方一低高商]|监听| +[A-Za-z0-9]|[A-Z]|$)"
)
_ORDERS: Final = Pattern("<command_head>")
_LATIN_NAME: Final = re.compile(
    r"[A-Za-z][A-Za-z0-9]*(?:[-_.+#/][A-Za-z0-9+#]+)*[+#]*(?: [A-Z0-9][A-Za-z0-9.+#-]*)*"
)
_FAMILIAR: Final = re.compile(
    rf"[小老阿][{HAN}](?=[是在有叫要会去来也都说喜爱负的住把和跟对今明昨上下做用用给帮从已"
    rf"将刚每不没想能可被很最就还])"
)
_PERSON_TAGS: Final = frozenset(("nr", "nrfg"))
_PREDICATE: Final = Pattern("(?:<change>|<event>|<plan>|<prefer>|<ongoing>)(?!的|是|在|用)")
_TITLED: Final = re.compile(
    r"(?:总|工|哥|姐|老师|医生|教授|经理|主任|叔|叔叔|阿姨|女士|先生|师傅|教练|律师|警官|院长"
    r"|校长|局|董|博士|学长|学姐)"
)


def find_subject(clause: Clause, view: View) -> Subject:
    """The subject of a clause. Never raises."""
    body, base = clause.body, clause.start
    at = _after_adverbs(clause)
    match = _BEFORE_SELF.match(body, at)
    if match is not None:
        at = match.end()

    def subject(kind: str, end: int, noun: str = "") -> Subject:
        return Subject(kind, base + at, base + end, noun, body[end:].lstrip(), base)

    topic = _topic(body, at)
    if topic:
        whole = clause.start + topic
        inner = _of_speaker(body, topic)
        if inner is not None and len(body) - inner[1] >= 2:
            person, end, whose = inner
            return Subject(person, whole, base + end, whose, body[end:].lstrip(), base, topic=True)
    speaker = _of_speaker(body, at)
    if speaker is not None and speaker[0] == "owned":
        return subject(*speaker)
    for pronoun, pattern in (("we", _WE), ("self", _SELF), ("you", _YOU), ("other", _OTHER)):
        found = pattern.match(body, at)
        if found is not None:
            return subject(pronoun, found.end())
    found = _KIN.match(body, at)
    if found is not None:
        return subject("kin", found.end(), found["noun"])
    found = _MINE.match(body, at)
    if found is not None and at == 0:
        return subject("kin", found.end("noun"), found["noun"])
    length = _thing(body, at, view.simple[base : base + len(body)])
    if length:
        return subject("project", at + length, body[at : at + length])
    found = _PROJECT.match(body, at)
    if (
        found is not None
        and len(body[at : at + _noun(body, at)].partition("的")[0]) <= found.end() - at
    ):
        return subject("project", found.end(), found.group())
    found = _HERE.match(body, at)
    if found is not None:
        return subject("project", found.end(), found.group())
    found = _THIS.match(body, at)
    if found is not None:
        return subject("this", found.end())
    named = _named(body, at, view.simple[base : base + len(body)])
    if named:
        return subject("named", at + named, view.simple[base + at : base + at + named])
    noun = _noun(body, at)
    if noun:
        return subject("noun", at + noun, body[at : at + noun])
    return subject("none", at)


@functools.lru_cache(maxsize=1024)
def tagged(text: str) -> tuple[tuple[str, str], ...]:
    """The words of a text and their parts of speech."""
    return tuple(_tagger()(text))


def person_names(text: str) -> list[tuple[int, str]]:
    """(place, name) of the Chinese personal names in a simplified text."""
    return names_among(tagged(text))


def names_among(words: Sequence[tuple[str, str]]) -> list[tuple[int, str]]:
    """`person_names` of words that are tagged already."""
    found: list[tuple[int, str]] = []
    at = 0
    surnames = word_lists().surnames
    for number, (word, tag) in enumerate(words):
        if tag in _PERSON_TAGS and 2 <= len(word) <= 4 and _is_person(word):
            found.append((at, word))
        elif word in surnames and number + 1 < len(words):
            given, given_tag = words[number + 1]
            if (
                given_tag in _PERSON_TAGS
                and len(given) <= 2
                and not (len(given) == 2 and given[0] in surnames)
            ):
                found.append((at, word + given))
        at += len(word)
    return found


# --- the speaker --------------------------------------------------------------------------------------


def _topic(body: str, at: int) -> int:
    """Where the speaker is named after something that is spoken of; 0 where nothing is."""
    if not any(each in body[at:] for each in "我俺咱"):
        return 0
    match = _TOPIC.match(body, at)
    if match is None or _TAKES_ME.search(match.group()):
        return 0
    word, tag = tagged(match.group())[-1]
    return 0 if tag[0] == "v" and len(word) == 1 else match.end()


def _of_speaker(body: str, at: int) -> tuple[str, int, str] | None:
    """Kind, end and noun of a subject in the first person that begins here."""
    owned = _OWNED.match(body, at)
    if owned is not None:
        return "owned", owned.end(), owned["noun"] or owned["org"] or owned["any"]
    found = _WE.match(body, at)
    if found is not None:
        return "we", found.end(), ""
    found = _SELF.match(body, at)
    if found is None:
        return None
    rest = body[found.end() :]
    if found.group() in ("我", "俺", "咱") and rest and not _NOT_MINE.match(rest):
        length = _bare_noun(rest)
        if length:
            return "owned", found.end() + length, rest[:length]
    return "self", found.end(), ""


def _thing(body: str, at: int, simple: str) -> int:
    """Length of a phrase for a thing of work that begins here; 0 where none does."""
    match = _THING.match(body, at)
    if match is None or (_ORDERS.match(body, at) is not None and _MODULE.match(body, at) is None):
        return 0
    before = match["before"]
    if before:
        head = simple[at : at + 12]
        if (head[0] in "小老阿大" and _FAMILIAR.match(head)) or _person(head) or _titled(head):
            return 0
        cut = tagged(before)
        verbs = [number for number, (_, tag) in enumerate(cut) if tag[0] == "v" and tag != "vn"]
        if verbs and not before.endswith("的") and len(before) > 2:
            return 0
    return match.end() - at


def _titled(head: str) -> bool:
    return head[0] in _surname_starts() and _TITLED.match(head, 1) is not None


def _bare_noun(rest: str) -> int:
    """Length of the speaker's noun without 的; 0 where none stands there."""
    if _PREDICATE.match(rest):
        return 0
    quality = _QUALITY.match(rest)
    if quality is not None:
        return quality.end() if quality.end() < len(rest) and rest[quality.end()] not in "的了" else 0
    length = 0
    for word, tag in tagged(rest[:12]):
        if tag[0] in "n" or tag in ("l", "eng", "nz", "vn"):
            length += len(word)
            continue
        break
    if length < 2 or length >= len(rest):
        return 0
    following = tagged(rest[length : length + 6])[0][1]
    return length if _BARE.match(rest, length) or following == "a" else 0


# --- what stands before and where it ends ------------------------------------------------------------


def _after_adverbs(clause: Clause) -> int:
    body, at = clause.body, 0
    starts = {span.start - clause.start: span.end - clause.start for span in clause.dates}
    while at < len(body):
        if at in starts:
            at = starts[at]
            continue
        match = _ADVERBS.match(body, at) or _PHRASE.match(body, at)
        if match is None or not match.group():
            break
        at = match.end()
    return at


def _named(body: str, at: int, simple: str) -> int:
    """Length of a name that begins here; 0 where none does."""
    if body.startswith(BLOT, at):
        end = at
        while end < len(body) and body[end] == BLOT:
            end += 1
        return end - at
    latin = _LATIN_NAME.match(body, at)
    if latin is not None:
        return latin.end() - at
    if at >= len(body):
        return 0
    head = simple[at : at + 12]
    if head[0] in "小老阿" and _FAMILIAR.match(head):
        return 2
    if head[0] in _surname_starts():
        titled = _TITLED.match(head, 1)
        if titled is not None:
            return titled.end()
    person = _person(head)
    if person:
        titled = _TITLED.match(head, person)
        return titled.end() if titled else person
    word, tag = tagged(head)[0]
    if tag in ("ns", "nt", "nz") and len(word) >= 2:
        return max(len(word), len(body[at : at + _noun(body, at)].partition("的")[0]))
    return 0


def _person(text: str) -> int:
    """Length of the Chinese personal name that a text begins with; 0 where none does."""
    words = tagged(text)
    word, tag = words[0]
    if tag in _PERSON_TAGS and 2 <= len(word) <= 4 and _is_person(word):
        return len(word)
    if word in word_lists().surnames and len(words) > 1:  # cut as family and given name
        given, tag = words[1]
        if tag in _PERSON_TAGS and len(given) <= 2:
            return len(word) + len(given)
    return 0


def _noun(body: str, at: int) -> int:
    """Length of the noun phrase that begins here, by parts of speech; 0 where none does."""
    if _PREDICATE.match(body, at):  # 跳槽, which the dictionary calls a noun
        return 0
    length, named = 0, False
    for word, tag in tagged(body[at : at + 20]):
        if (
            tag[0] in "nlbimq"
            or tag in ("vn", "an", "eng", "s", "t", "j")
            or (length and word in "的和与跟")
        ):
            length += len(word)
            named = named or tag[0] in "nlij" or tag in ("vn", "an", "eng", "s")
            continue
        break
    return length if named else 0


def _is_person(word: str) -> bool:
    surnames = word_lists().surnames
    return word[:2] in surnames or word[0] in surnames or word[0] in "小老阿"


@functools.cache
def _surname_starts() -> frozenset[str]:
    return frozenset(name for name in word_lists().surnames if len(name) == 1)


_MODULE: Final = re.compile("(?:登录|支付|搜索|推送|测试|部署|构建|编译|发布|监控|备份|打包|更新)")
_LOADING: Final = threading.Lock()


@functools.cache
def _tagger() -> Callable[[str], list[tuple[str, str]]]:
    with _LOADING:
        import rjieba

        tag: Callable[[str], list[tuple[str, str]]] = rjieba.tag
        return tag
