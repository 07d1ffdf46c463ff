"""Does one turn ask for a credential and another give it? Conversations, questions and answers, forms.

"Leila: can you resend the zoom passcode" over "Oskar: 8Yb4Qe": neither line is a credential alone. A
turn asks where it names a credential and is short; what answers it within two turns is read as a
value under that label.
"""

from __future__ import annotations

import re
from typing import Final

from memweir.store.folding import Folded
from memweir.store.gate_rules import Finding, LazyPattern
from memweir.store.secret_nouns import CHINESE_CREDENTIALS, CREDENTIALS
from memweir.store.secret_tokens import TOKEN_RUN, Kind, bare_token, token_kind
from memweir.store.secret_values import is_adjective, is_pointer, is_prose, read_value, words

__all__ = ["turn_finding"]

_MOST_ASKED: Final = 120  # characters of a turn that asks
_MOST_SAID: Final = 160  # characters of a turn that answers
_WITHIN: Final = 2  # turns between the question and its answer


def turn_finding(text: Folded) -> Finding | None:
    """The first turn that answers another with a credential."""
    if _ASKS_AT_ALL.search(text.lower) is None:
        return None
    exact = text.exact
    if ":" in exact and _INLINE.search(exact):
        exact = _INLINE.pattern.sub("\n", exact)
    if "\n" not in exact:
        return None
    turns = [
        (match["said"], match.start("said"), match.end("said"))
        for match in _TURN.finditer(exact)
        if _FIELDS.isdisjoint(match["who"].lower().split())
        and not _LABEL.search(match["who"])
        and not _STAMP.match(match["who"])
    ]
    if len(turns) < 2:
        return None
    asked: list[tuple[int, bool]] = []  # turns that ask, and whether for figures
    for number, (said, start, end) in enumerate(turns):
        for place, wanted_figures in asked[-_WITHIN:]:
            if number - place <= _WITHIN and _answers(said, turns[place][0], figures=wanted_figures):
                return Finding("credential-in-answer", *text.span(start, end))
        wanted = _asks(said.lower())
        if wanted is not None:
            previous = turns[number - 1][0] if number else ""
            if _is_lone_credential(previous):
                return Finding("credential-in-answer", *text.span(*turns[number - 1][1:]))
            asked.append((number, wanted))
    return None


def _asks(said: str) -> bool | None:
    """Whether a turn names a credential as something to be told; True where figures will do."""
    if "${" in said or "://" in said or "{{" in said or "<" in said:
        return None  # a line of settings with a reference
    if len(said) > _MOST_ASKED or _NO_QUESTION.search(said):
        return None
    if _NOUN.search(said) is None and _OPENING.search(said) is None:
        return None
    return _FIGURES_DO.search(said) is not None


def _answers(said: str, asked: str, *, figures: bool) -> bool:
    """Whether a turn holds a value: alone, behind a word that gives it, or beyond mistaking."""
    if len(said) > _MOST_SAID:
        return False
    stated = _LEAD_IN.pattern.sub("", said.strip(), count=1)
    first = _TOKENS.match(stated)
    if first is not None and _kind(first["value"]) in ("key", "strong"):
        return True
    if _ELSEWHERE.search(said.lower()):
        return False
    # Where somebody is in trouble the answer must say what was set, unless just that is asked for.
    if _CHANGED.search(asked.lower()):  # "did you change it? – yes, plinth-Orchid-3"
        told = _YES.match(said.lower())
        rest = "" if told is None else said[told.end() :].strip(" .!")
        return _kind(rest) in ("medium", "strong", "key", "weak") and " " not in rest
    if _SEED_ASKED.search(asked.lower()) and _BASE32.search(said):
        return True
    trouble = _TROUBLE.search(asked.lower()) is not None and _ASKED_FOR.search(asked.lower()) is None
    if figures and (_GIVEN_FIGURES.search(said.lower()) or (not trouble and _FIGURES.match(stated))):
        return True
    for match in _TOKENS.finditer(said):
        kind = _kind(match["value"])
        if kind in ("key", "strong") or (kind == "hex" and not trouble):
            return True
        if kind in ("medium", "weak"):
            before, after = said[: match.start("value")].lower(), said[match.end("value") :]
            if _GIVES.search(before) or (
                not trouble
                and _FIRST.match(match["value"][-1] + after)
                and not _LEAD_IN.pattern.sub("", before.strip() + " ", count=1).strip()
            ):
                return True
    if trouble:
        return False
    several = stated.strip(" .!?。").split()
    return (len(several) == 1 and _is_lone_value(several[0])) or _is_phrase(several, asked.lower())


def _is_lone_value(said: str) -> bool:
    """All that is said: mixed characters, or one plain word that is no answer of another sort."""
    value = read_value(said)
    if (
        len(value.text) < (5 if value.text.isascii() else 3)
        or is_pointer(value)
        or is_prose(value)
        or _NO_SECRET.fullmatch(said)
    ):
        return False
    if _kind(said) in ("medium", "weak"):
        return True
    if not value.text.isascii():
        return (
            _CHINESE_WORD.fullmatch(value.text) is not None
            and _NO_SECRET_CHINESE.search(value.text) is None
        )
    if value.text.isalpha():
        return value.text.islower() and not is_adjective(value.text)
    mixed = any(each.isdigit() for each in said) and any(each.isalpha() for each in said)
    return (mixed or "_" in said) and _NO_TOKEN.search(said) is None


def _is_phrase(several: list[str], asked: str) -> bool:
    """A few plain words where a passphrase was asked for: `ember lantern quiet orbit`."""
    if not 3 <= len(several) <= 8 or _PHRASE_ASKED.search(asked) is None:
        return "/" in several and _kind(several[-1]) in ("weak", "medium", "strong")
    return all(each.isalpha() and each.islower() and not is_adjective(each) for each in several)


def _is_lone_credential(said: str) -> bool:
    """A turn of nothing but a key: what the next one speaks of."""
    said = said.strip()
    return len(said.split()) == 1 and _kind(said) == "key"


def _kind(run: str) -> Kind | None:
    return token_kind(bare_token(run))


_FIELDS: Final = words(  # of headers and lists, which look like speakers
    """
    commit version description title date url pr-url changes type author added deprecated note notes
    returns args arguments parameters param default example examples see todo fixme warning status
    path file line error id ref tags license summary usage name value key from subject cc bcc host
    http https
    """
)
_TURN = LazyPattern(
    r"(?m)^[ \t>*-]{0,6}(?:\[[^\]\n]{1,24}\][ \t]{0,3})?(?:\d\d:\d\d(?::\d\d)?[ \t]{1,3})?"
    r"(?P<who>--|[^\s:>\[\]|=#/\"'`(){}]{1,20}(?:[ \t][^\s:>\[\]|=#/\"'`(){}]{1,16}){0,2})[ \t]?(?:\([^"
    r"()\n]{1,24}\))?[ \t]?(?:[:>]|(?<=--)|(?<=-- )|(?<=^[qaQA])\.)[ \t]{0,4}(?P<said>\S[^\n]*)$"
)
_STAMP = LazyPattern(r"\d{2,4}[-/.]\d|\d{1,2}:\d\d")  # lines of a log
_LABEL = LazyPattern(
    r"(?i)公钥|请求|编号|订单|指纹|校验|哈希|地址|捐赠|版本|链接|日期|时间|备注|说明|标题|状态|"
    r"\bids?$|sha\d|md5|crc|etag|hash|traceparent|fingerprint"
)
_INLINE = LazyPattern(r"(?<=[?!。])[ \t]*(?=(?:A|答|回答|Answer|Re)[:.])")  # "Q: …? A: …" on one line
_TOKENS = LazyPattern(TOKEN_RUN)
_NOUN = LazyPattern(
    rf"(?:{CREDENTIALS}|{CHINESE_CREDENTIALS}|(?<![a-z])(?:pass|credentials?|creds|logins?|code|"
    rf"combination|key|pins?|cookie|basic auth)(?![a-z])"
    r"|账密|(?:账号|帐号|账户).{0,4}(?:给|发|借|多少)|验证码|密匙|登录信息|口令|恢复码|备用码)"
)
_ASKS_AT_ALL = LazyPattern(
    r"pass|otp|basic auth|pwd|pw|p[is]n|key|token|secret|code|credential|creds|login|log in|"
    r"combination|cookie|[码令钥匙证账]|门禁|门锁|保险柜|"
    r"[输填]入?[什啥多]|几号|怎么[登进]|登不|what do i|"
    r"can['’]?t|log in|sign in|get in|locked out|code"
)
_OPENING = LazyPattern(
    r"(?:how (?:do|can) i|what do i (?:need|use) to) (?:log|sign|get) in(?:to)?|what (?:do|should) i "
    r"(?:type|enter|answer|say)|(?:can['’]?t|cannot) (?:log|sign|get) in|locked out|登不[上进]|门禁"
    r"(?:是)?(?:多少|几|啥)|门锁(?:是)?(?:多少|几|啥)|保险[柜箱](?:是)?(?:多少|几)|怎么(?:登录|登陆|登进|进后台)|(?:要|该|"
    r"应该)?(?:输|填)(?:入)?(?:什么|啥|多少)|(?:记|存)(?:一?下|住|好).{0,6}(?:门禁|门锁|保险)"
)
_FIGURES_DO = LazyPattern(r"pin|puk|code|combination|otp|number|密码|口令|码|门禁|保险[柜箱]|几位|几号")
# A question about credentials in general, or about what was done with one.
_TROUBLE = LazyPattern(r"forgot|lost|can['’]?t|cannot|locked out|reset|忘|登不[上进]|进不去|丢了")
_ASKED_FOR = LazyPattern(
    r"do you|can you|could you|have it|what is it|有吗|知道|记得|多少|是啥|是什么|发|给"
)
_SEED_ASKED = LazyPattern(
    r"(?<![a-z])(?:seed|totp|otp|2fa|authenticator|secret)(?![a-z])|种子|动态口令|两步"
)
_BASE32 = LazyPattern(r"(?<!\w)(?=[A-Z]*[2-7])[A-Z2-7]{16,64}(?!\w)")
_CHANGED = LazyPattern(r"did you (?:change|rotate|reset|set)|改了[吗没]|换了[吗没]")
_YES = LazyPattern(r"(?:yes|yep|yeah|sure|done|ok|just now|改了|换了|嗯|是)[\s,.:!;-]{1,3}")
_FIRST = LazyPattern(r".(?:[.,;:!?)]|[ \t]*(?:$|[,.;:(–—-]|[:;]-?[)D]))")
_GIVES = LazyPattern(
    r"(?:(?<![a-z])(?:to|be|is|was|now|it['’]s|use|try|said|password|pw|key|pass|with)|/|[:=]|是|为|"
    r"成|用|叫|说|试|输|填|样子,|一样,|没变,)[ \t]*[\"'`(]*\Z"
)
_GIVEN_FIGURES = LazyPattern(
    r"(?:按|(?:re)?set (?:it )?to|is now|changed to|now|it['’]s|重置[为成]|改[为成]了?|新的是|是)[ "
    r"\t]*\d{4,8}(?![\d%:.-])"
)
_PHRASE_ASKED = LazyPattern(r"phrase|password|seed|recovery")
_CHINESE_WORD = LazyPattern(r"[\u4e00-\u9fff]{3,8}")
_NO_SECRET = LazyPattern(
    r"(?i)thanks?|thx|sorry|hello|maybe|never|later|nothing|today|monday|friday|okta|google|github|"
    r"ctrl\W.*|f\d+|jwt|json|yaml|bcrypt"
)
_NO_SECRET_CHINESE = LazyPattern(
    r"收到|好的|谢|没|等|稍|不|知道|发[你了给]|私[聊信]|可以|已经|马上|问|找|看|在|了$|吗$|吧$|呢$|的$"
)
_NO_TOKEN = LazyPattern(
    r"[/\\]|@[\w-]+\.|@\d+\.|\.[a-z]{2,4}$|^v?\d+(?:\.\d+)+|^[0-9a-f]{7,12}$|^\d{1,3}[a-z]{1,5}$|"
    r"^[A-Z]{1,4}-?\d{1,4}$|^\d{1,3}(?!\d)"
)
_NO_QUESTION = LazyPattern(
    r"(?<![a-z])(?:or \w+(?: \w+)?\?|policy|polic|how (?:long|many|often|much)|where|who(?! knows| "
    r"has| remembers)|when|why|did you delete|do we (?:rotate|need)|"
    r"does it (?:need|have)|limit|length|format|budget|max(?:imum)?|min(?:imum)?|expire|version|"
    r"commit|manager|should i (?:change|rotate)|"
    r"is (?:it|the \w+) (?:encrypted|hashed|stored|required)|forgot|lost|review|error code|zip code|"
    r"area code|source code|qr code|key (?:point|metric|insight))"
    r"|多少位|几位数?[?]?$|多久|多长|策略|在哪|哪里|哪儿|谁(?!知道|记得|还记得|有)|何时|什么时候|"
    r"为什么|要[^,]{0,4}吗|最多|最少|上限|还剩|用量|过期|错误码|邮编|[最至]少|"
    r"长度"
)
_ELSEWHERE = LazyPattern(
    r"(?<![a-z])(?:vault|1password|bitwarden|keepass\w*|lastpass|keychain|manager|ask|see|look|in "
    r"the|on the|console|settings|docs?|wiki|commit|"
    r"days?|hours?|weeks?|months?|characters?|digits|minutes?|yes|no|none|don't|cannot|can't|never|"
    r"forgot|https?://\S+)(?![a-z])"
    r"|保管|保险|管理器|问|找|看|见|不用|不需要|没有|没设|不知道|忘|位$|天$|至少|大约|文档|设置里|提交"
)
_LEAD_IN = LazyPattern(
    r"^(?:(?:sure|ok(?:ay)?|yes|yep|here(?: you go| it is)?|of course|hi|hey|well|sorry|no problem|"
    r"you told me|i think|try|use|it's|its|it is|"
    r"that's|that is|this is|the (?:password|code|pin|key|token) is|still|now|again|just|好的?|嗯|是|"
    r"就是|给你|用|输|填|还是|它是|在这|来了|喏)[\s,.:!-]*){1,4}",
    re.IGNORECASE,
)
_FIGURES = LazyPattern(
    r"\d{3}[- ]\d{3}(?!\d)|\d{3,8}(?:[#*]|[ \t](?:加|再|then|and|as|again|#|\*)|[.!。,]?[ \t]*$|"
    r"[,.][ \t])|\d{1,3}(?:[- ]\d{1,3}){2,4}(?!\d)"
)
