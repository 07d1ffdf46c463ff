"""Which plain word is a password by the frame it stands in? "log in as guest with …", "密码填…就行".

A word of the dictionary is a password only where the sentence leaves it nothing else to be. The frames
here take any word or figures that no talk about passwords would put there.
"""

from __future__ import annotations

import re
from typing import Final

from memweir.store.folding import Folded
from memweir.store.gate_rules import LazyPattern, Rule, hints
from memweir.store.secret_nouns import (
    AT_CHINESE_PASSWORD,
    AT_PASSWORD,
    CHINESE_PASSWORDS,
    PASSWORD,
    PASSWORD_HINTS,
)
from memweir.store.secret_tokens import is_technical
from memweir.store.secret_values import is_adjective, is_pointer, is_prose, read_value, words

__all__ = ["FRAME_RULES"]


def _judge(match: re.Match[str], text: Folded) -> bool:
    value = read_value(text.exact[match.start("value") : match.end("value")])
    if not value.text or is_pointer(value) or is_prose(value) or not value.closes:
        return False
    if value.text.isdigit():
        return 4 <= len(value.text) <= 10
    lower = value.text.lower()
    if is_technical(value.text) or any(each in _NO_WORDS for each in _PARTS.pattern.split(lower)):
        return False
    return _WORD.fullmatch(value.text) is not None and not is_adjective(lower)


def _before(match: re.Match[str], text: Folded, pattern: LazyPattern) -> bool:
    return pattern.search(text.lower[max(0, match.start() - 40) : match.start()]) is not None


def _judge_with(match: re.Match[str], text: Folded) -> bool:
    return _before(match, text, _WITH) and _judge(match, text)


def _judge_listed(match: re.Match[str], text: Folded) -> bool:
    return _before(match, text, _ACCOUNT) and _judge(match, text)


def _judge_first(match: re.Match[str], text: Folded) -> bool:
    """The first word of the value alone: what follows says when to type it."""
    if _ASKED.search(match["value"].lower()) is None:
        return False
    value = read_value(text.exact[match.start("value") : match.end("value")])
    lower = value.text.lower()
    if is_pointer(value) or is_prose(value) or lower in _NO_WORDS or is_adjective(lower):
        return False
    return value.text.isdigit() or _WORD.fullmatch(value.text) is not None


_WITH = LazyPattern(
    r"(?<![a-z])(?:with|using|by|use|uses|used|is|was|be|try|worked|enter|type|accepts?|takes?|under|"
    r"needs?|and|plus)(?: was| is)? the \Z"
)
_ASKED = LazyPattern(r"^\S{3,40} (?:when|if|once|as soon as|at the prompt|at its prompt|where|and it)")
_ACCOUNT = LazyPattern(r"账号|帐号|账户|用户|登录名|管理员|root|admin|后台|登录")
_WORD = LazyPattern(
    r"[A-Za-z][a-z]{3,31}|[A-Za-z][a-z]{1,15}(?:[-_.][a-z]{2,15}){1,4}\d{0,4}|[a-z]{4,24}\d{1,4}"
)
_PARTS = LazyPattern(r"[-_.]")
_NO_WORDS: Final = words(  # what a sentence in the same frame speaks of
    """
    mismatch verification failure error reminder update notice expiration age history complexity
    lockout attempt attempts guess guesses spray leak leaks breach google github facebook apple
    microsoft okta saml oauth sso ldap kerberos vault bitwarden keepass keychain lastpass dashlane
    manager caution care pride help support email mail phone badge passkey fingerprint face touch
    credentials username username login input textbox form admin root guest user test exit quit yes
    auto automatically manually again before after first once twice slowly carefully only always never
    key keys token hash module library plugin file field table column algorithm function method class
    interface argument parameter option flag protection encryption authentication generator checker
    meter hints tips advice rules length reset change changes recovery page screen prompt box dialog
    entry managers policies cracking cracker hashing sharing storage file files case sensitive server
    client host port name names number numbers letters digits words characters
    """
)
_VALUE: Final = r"(?=(?P<value>[^\n]{0,120}))"
_OPEN: Final = (
    r"(?:open|unlock|decrypt|encrypted|protected|locked|extract|mount|archive|zip|vault|luks|"
    r"bitlocker|keystore)"
)
_NO_GAP: Final = (
    r"(?![^:]{0,16}(?:算法|字段|接口|文件|工具|类型|格式|组件|管理|参数|变量|函数|方法|库|模块|路径|"
    r"表|列|方式|策略|规则|框|强度|长度|页|提示|错误|校验|学|服务|功能|协议))"
)

FRAME_RULES: Final[tuple[Rule, ...]] = (
    Rule(
        "login-as-with",
        hints("loginto login logon signin signsin logsin signedin loggedin signson logson"),
        r"(?<![a-z])(?:log|sign|logs|signs|logged|signed)[ -]?(?:in|on)(?:to)?"
        r"(?![a-z])[^.!?\n]{0,60}?(?<![a-z])as (?:user )?[\w.@-]{2,40},? (?:with|using|and|password)"
        rf"(?: (?:the )?(?:password|pw|pass))?[ \t]{{1,3}}{_VALUE}",
        _judge,
    ),
    Rule(
        "password-apposition",
        PASSWORD_HINTS,
        rf"(?:{PASSWORD})(?![a-z]), (?=(?P<value>[\w.-]{{4,32}}, ?(?:still|is|was|now|opens?|works?|"
        rf"no longer|will|has|which|so|but|and)(?![a-z])))",
        _judge,
        at=AT_PASSWORD,
    ),
    Rule(
        "password-is-now",
        PASSWORD_HINTS,
        rf"(?:{PASSWORD})(?![a-z])[^.!?\n]{{1,70}}?(?<![a-z])(?:is|it is|it['’]s|will be|became|"
        rf"becomes)(?: now| again| from now on)[ \t]{{1,3}}{_VALUE}",
        _judge,
        at=AT_PASSWORD,
    ),
    Rule(
        "with-the-password",
        PASSWORD_HINTS,
        rf"(?<=the )(?:{PASSWORD})(?![a-z])[ \t]{{1,3}}(?=(?P<value>[\w.-]{{4,32}}(?:[.!\n]|$|, | "
        rf"\()))",
        _judge_with,
        at=AT_PASSWORD,
    ),
    Rule(
        "typed-when-asked",
        hints("type enter answer giveit"),
        rf"(?<![a-z]){_OPEN}[^.!?\n]{{0,60}}?(?<![a-z])(?:type|enter|answer|say|give it|use)[ "
        rf"\t]{{1,3}}{_VALUE}",
        _judge_first,
    ),
    Rule(
        "chinese-typed",
        CHINESE_PASSWORDS,
        rf"(?:{'|'.join(CHINESE_PASSWORDS)})(?!框|输入框|错|学)[^.!?。\n:]{{0,24}}?(?:填|输入?|敲|打|"
        rf"换成|改成|改为|设成|设为|就是|还是)[ \t]{{0,3}}(?=(?P<value>[a-z][a-z.-]{{4,31}}\d{{0,6}}"
        rf"(?:[\u3400-\u9fff,.。;!\n ]|$)))",
        _judge,
        at=AT_CHINESE_PASSWORD,
    ),
    Rule(
        "chinese-colon",
        CHINESE_PASSWORDS,
        rf"(?:{'|'.join(CHINESE_PASSWORDS)}){_NO_GAP}[^.!?。\n:很太在找不没已请要被锁错]{{1,16}}:[ "
        rf"\t]{{0,3}}(?=(?P<value>[a-z][a-z.-]{{4,31}}\d{{0,6}}(?:[,.。;!\n]|$)))",
        _judge,
        at=AT_CHINESE_PASSWORD,
    ),
    Rule(
        "chinese-listed",
        CHINESE_PASSWORDS,
        rf"(?:{'|'.join(CHINESE_PASSWORDS)})[ \t]{{1,3}}(?=(?P<value>[a-z][a-z.-]{{4,31}}\d{{0,6}}"
        rf"(?:[,.。;!\n]|$)))",
        _judge_listed,
        at=AT_CHINESE_PASSWORD,
    ),
    Rule(
        "chinese-named-after",
        CHINESE_PASSWORDS,
        rf"(?:{'|'.join(CHINESE_PASSWORDS)})[^.!?。;\n]{{0,20}}?(?:名字|姓名|拼音|全拼|小名|网名|"
        rf"英文名|狗名|猫名|街名)(?:的)?(?:全拼|拼音|首字母|缩写|小写)?[ \t]?[:,]?[ \t]?(?="
        rf"(?P<value>[a-z]{{4,24}}\d{{0,8}}(?:[,.。;!\n]|$)))",
        _judge,
        at=AT_CHINESE_PASSWORD,
    ),
    Rule(
        "chinese-taken-as",
        hints("当密码 当口令 作密码 做密码 当作密码 作为密码 是密码 当登录密码"),
        r"用[ \t]{0,3}(?P<value>[A-Za-z0-9][\w.-]{3,31})[ \t]{0,3}(?:当|作|做|当作|作为)(?:了)?"
        r"(?:登录|开机)?(?:密码|口令)",
        _judge,
    ),
)
