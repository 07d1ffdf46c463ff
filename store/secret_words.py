"""Which credentials are known by the word before them? "password", "api key", "密码" and their kin.

A word alone proves nothing: people talk about passwords all day. What counts is a value behind the
word, by a sign ("password: …", "DB_PASS=…"), by a verb ("密码改成了…", "the token is …") or right
beside it ("WiFi 密码 hunter2"). The weaker the tie, the more the value itself must look like one.

To add a word, add it to its family's pattern and hints.
"""

from __future__ import annotations

import re
from typing import Final

from memweir.store.folding import Folded, fold
from memweir.store.gate_rules import LazyPattern, Rule
from memweir.store.secret_values import (
    Value,
    is_adjective,
    is_code,
    is_code_name,
    is_pointer,
    is_prose,
    is_sentence,
    is_word_list,
    looks_secret,
    read_value,
    words,
)

__all__ = ["WORD_RULES"]

# ---- the families -------------------------------------------------------------------------------

_OTHER_LANGUAGES: Final = tuple(
    fold(word).lower
    for word in (
        *(
            "passwort",
            "kennwort",
            "contraseña",
            "mot de passe",
            "wachtwoord",
            "palavra-passe",
            "пароль",
        ),
        *("パスワード", "暗証番号", "비밀번호"),
    )
)
_PASSWORD: Final = "|".join(
    (
        r"pass[_-]?(?:word|wd|phrase|code)|passwrd|(?<![a-z])(?:pwd|psw|pswd|pw|senha)|(?<=[_-])(?:pwd|pw)",
        r"(?:mysql|pg|sql)_?pwd",
        *_OTHER_LANGUAGES,
    )
)
_PASSWORD_HINTS: Final = (
    *("passw", "pass_w", "pass-w", "passphrase", "pass_p", "pass-p", "passcode", "pass_c", "pass-c"),
    *("pwd", "psw", "pw:", "pw=", 'pw"', "pw'", "pwis", "pw|", "senha"),
    *("".join(word.split()) for word in _OTHER_LANGUAGES),
)
_KEY: Final = (
    r"(?:api|app|access|account|auth|client|consumer|cookie|deploy|encryption|jwt|license|master|private|"
    r"secret|service|session|shared[ _-]?access|signing|ssh|storage|subscription|webhook)"
    r"[ _.-]?(?:key|secret)(?:[ _-]?(?:id|secret))?|secret[ _-]?access[ _-]?key"
)
_KEY_HINTS: Final = ("key", "secret")
_TOKEN: Final = r"token|(?<![a-z])secret"
_TOKEN_HINTS: Final = ("token", "secret")
_CODE: Final = (
    r"(?:verification|security|one[ -]time|2fa|authenticator|login|confirmation|backup|"
    r"recovery)[ -](?:pass)?code"
    r"|(?<![a-z])(?:otp|totp|cvv2?|cvc|pin)"
)
_CODE_HINTS: Final = ("code", "otp", "cvv", "cvc", "pinis", "pin:", "pin=")
_ZH_PASSWORD: Final = ("密码", "口令", "通行码", "暗号")
_ZH_KEY: Final = ("密钥", "秘钥", "私钥", "金钥", "令牌", "凭证", "凭据", "授权码", "激活码")
_ZH_CODE: Final = ("验证码", "校验码", "动态码", "安全码")

# ---- what ties a word to a value ----------------------------------------------------------------

# Between a word and its sign: closing quotes and brackets, a remark ("password (staging):").
_CLOSE: Final = r"""["'`*_)\]}]{0,4}[ \t]{0,4}(?:\([^()\n]{0,40}\)[ \t]{0,4})?["'`*]{0,3}[ \t]{0,4}"""
_FOR: Final = r"(?:[ \t]{1,4}(?:for|of|to|on|in|at)[ \t]{1,4}[^\n:=.;!?]{1,50}?)?"
_SIGN: Final = r"(?P<sign>:=|=>|={1,3}|->|→|:|\||>)"
_VERB: Final = (
    r"(?P<verb>(?:(?:has been |have been |was |is |were )?(?:re)?(?:set|changed|updated|"
    r"now)(?: to)?|is|was|are|"
    r"equals|will be|to be|to)(?:[ \t]{1,4}(?:now|currently|still|just|probably|simply|actually|"
    r"always))?)"
)
_ZH_VERB: Final = (
    r"(?P<verb>(?:已经?|现在|目前|还|仍然?|一直|应该|就|都|统一|暂时|默认|是)?"
    r"(?:(?:被)?(?:设置?|设定|改|换|更新|更改|修改|重置|定)(?:为|成|到|是)了?|为|是|叫|用的是))"
)
_SUFFIX: Final = (
    r"(?:[_-](?:prod|production|dev|staging|test|local|old|new|main|base|value|root|admin|user|"
    r"[0-9ab]))?"
)
_VALUE: Final = r"(?=(?P<value>[^\n]{0,160}))"


def _assigned(family: str, plural: str = "s?") -> str:
    """`word: value`, `WORD=value`, `"word": "value"`, `<word>value`, `| word | value`."""
    return rf"(?:{family}){plural}{_SUFFIX}(?![a-z]){_FOR}{_CLOSE}{_SIGN}\s{{0,8}}{_VALUE}"


def _said(family: str) -> str:
    """`word is value`, `word for the router was changed to value`."""
    return rf"(?:{family})(?![a-z]){_FOR}[\"'`)]?[ \t]{{1,4}}{_VERB}[ \t]{{0,4}}:?\s{{1,8}}{_VALUE}"


def _chinese(family: tuple[str, ...]) -> str:
    """`密码：value`, `密码（路由器）是 value`, `密码改成了value`."""
    remark = r"[\"'`*)\]]{0,3}\s{0,4}(?:\([^()\n]{0,20}\))?[\"'`*]{0,3}\s{0,4}"
    sign = r"(?P<sign>:|={1,3}|->|=>|→)"
    return rf"(?:{'|'.join(family)}){remark}(?:{sign}|{_ZH_VERB})\s{{0,8}}:?\s{{0,8}}{_VALUE}"


# ---- judges -------------------------------------------------------------------------------------


def _password(match: re.Match[str], text: Folded) -> bool:
    value = _value(match, text)
    if _no_value(match, text, value) or (
        is_prose(value) and not (value.quoted and looks_secret(value.text))
    ):
        return False
    if match["sign"] == "|":
        return looks_secret(value.text)
    if value.text.isdigit():
        return len(value.text) >= 3
    if _talked_about(match, text) and not value.quoted:
        return looks_secret(value.text)
    if _CJK.fullmatch(value.text) and not value.quoted:
        return 2 <= len(value.text) <= 16 and value.closes
    return not is_sentence(value) and (len(value.text) >= 2 or value.quoted)


def _password_said(match: re.Match[str], text: Folded) -> bool:
    value = _value(match, text)
    if _no_value(match, text, value) or is_prose(value) or not _sets(match, text):
        return False
    if looks_secret(value.text):
        return True
    if value.quoted:
        return not is_adjective(value.text)
    if is_word_list(value):
        return True
    if value.text.isdigit():
        return len(value.text) >= 4
    if _CJK.fullmatch(value.text):
        return 2 <= len(value.text) <= 12 and value.closes and not _CJK_FUNCTION.search(value.text)
    return (
        value.text.isalpha() and len(value.text) >= 3 and value.closes and not is_adjective(value.text)
    )


def _key(match: re.Match[str], text: Folded) -> bool:
    value = _value(match, text)
    if _no_value(match, text, value) or is_prose(value) or value.text.isdigit() or " " in value.text:
        return False
    if looks_secret(value.text):
        return True
    if not value.closes or is_adjective(value.text):
        return False
    return len(value.text) >= (3 if _is_field(match, text) else 4)


def _token(match: re.Match[str], text: Folded) -> bool:
    value = _value(match, text)
    if _no_value(match, text, value) or is_prose(value) or value.text.replace(",", "").isdigit():
        return False
    if " " in value.text:
        return False
    if _talked_about(match, text) or match["sign"] in ("==", "==="):
        return False
    if looks_secret(value.text, least=6):
        return value.closes
    if not _is_field(match, text) or is_adjective(value.text) or not value.closes:
        return False
    spaced = text.lower[match.end("sign") : match.end("sign") + 1].isspace()
    return len(value.text) >= 3 and (value.quoted or not spaced)


def _key_said(match: re.Match[str], text: Folded) -> bool:
    value = _value(match, text)
    if _no_value(match, text, value) or is_prose(value) or not _sets(match, text):
        return False
    return looks_secret(value.text, least=6) or (value.quoted and len(value.text) >= 12)


def _code(match: re.Match[str], text: Folded) -> bool:
    value = _value(match, text)
    return not is_pointer(value) and is_code(value.text) and value.closes and not is_prose(value)


def _chinese_password(match: re.Match[str], text: Folded) -> bool:
    before = text.lower[max(0, match.start() - 5) : match.start()].rstrip("的")
    if before.endswith(_FIGURES) and _CJK.match(_value(match, text).text):
        return False
    return (_password if match["sign"] else _password_said)(match, text)


def _chinese_key(match: re.Match[str], text: Folded) -> bool:
    value = _value(match, text)
    if _no_value(match, text, value) or is_prose(value) or not value.text[0].isascii():
        return False
    if value.text.isdigit():
        return len(value.text) >= 6
    if looks_secret(value.text, least=4):
        return True
    return (
        bool(match["sign"]) and value.closes and len(value.text) >= 6 and not is_adjective(value.text)
    )


def _beside(match: re.Match[str], text: Folded) -> bool:
    """No sign and no verb, so only what no sentence would hold."""
    value = _value(match, text)
    if is_pointer(value) or is_prose(value) or not value.closes:
        return False
    return looks_secret(value.text, least=6) or (value.text.isdigit() and len(value.text) >= 6)


def _bare_pass(match: re.Match[str], text: Folded) -> bool:
    """`DB_PASS=hunter2`, but not "PASS: 12 tests", "first_pass=1", "compass: north"."""
    value = _value(match, text)
    if (
        _no_value(match, text, value)
        or is_prose(value)
        or (value.text.isdigit() and len(value.text) < 4)
    ):
        return False
    left = text.exact[max(0, match.start() - 24) : match.start()]
    word = text.exact[match.start() : match.start() + 4]
    joined = left[-1:] in ("_", "-") or (word == "Pass" and left[-1:].islower())
    if left[-1:].isalnum() and not joined:
        return False
    if joined:
        owner = re.split(r"[^A-Za-z0-9]|(?<=[a-z0-9])(?=[A-Z])", left.rstrip("_-"))[-1].lower()
        return word == "PASS" or owner in _OWNERS or looks_secret(value.text)
    if word == "PASS" and match["sign"] != "=":
        return False
    return value.closes and looks_secret(value.text)


def _account(match: re.Match[str], text: Folded) -> bool:
    """Beside a user name a plain word is a password too: `admin / letmein`."""
    value = _value(match, text)
    if is_pointer(value) or is_prose(value) or is_adjective(value.text):
        return False
    return len(value.text) >= 3 and value.closes and value.text.isascii()


def _value_before(match: re.Match[str], text: Folded) -> bool:
    """`hunter2 is my password`, `hunter2 是我的密码`: the value stands before."""
    stretch = text.exact[max(0, match.start() - 80) : match.start()]
    found = _LAST_TOKEN.search(stretch)
    if found is None:
        return False
    value = Value(found["token"], False, "")
    return looks_secret(value.text, least=6) and not is_pointer(value)


# ---- what the judges look at --------------------------------------------------------------------


def _value(match: re.Match[str], text: Folded) -> Value:
    return read_value(text.exact[match.start("value") : match.end("value")])


def _left(match: re.Match[str], text: Folded) -> str:
    """What is joined to the left of the word: `db_` of `db_password`, `self.` of `self.token`."""
    found = _JOINED.search(text.lower[max(0, match.start() - 32) : match.start()])
    return "" if found is None else found.group()


def _no_value(match: re.Match[str], text: Folded, value: Value) -> bool:
    """Nothing, a pointer, or a sign that assigns no value: a tag's end, a return type, a code name."""
    if not value.text or is_pointer(value):
        return True
    groups = match.re.groupindex
    sign = match["sign"] if "sign" in groups else None
    if not sign:
        return False
    between = text.lower[match.start() : match.start("sign")]
    behind = text.lower[match.end("sign") : match.end("sign") + 1]
    before = text.lower[max(0, match.start() - len(_left(match, text)) - 1) : match.start()][:1]
    if sign == ":" and before == ":" and not behind.isspace():
        return True  # `host:user:password:flags`, `arn:…:secret:name`
    if sign == ":" and before in ('"', "'", "`") and before == behind and before not in between:
        return True  # `the "passwd:" line`
    if match["value"].startswith("//"):
        return True  # `… <https://example.com>`
    if sign == ":" and ")" in between and "(" not in between and not looks_secret(value.text):
        return True  # `(read_password): Break in two`
    if sign == ">":
        start = match.start() - len(_left(match, text))
        return text.lower[max(0, start - 1) : start] != "<" or "</" not in match["value"]
    if sign == "->" and ")" in between:
        return True
    if text.lower[max(0, match.start() - 16) : match.start()].endswith(_DOCSTRING):
        return True
    if value.quoted:
        return value.text[0] == "_" and is_code_name(value.text)
    if not is_code_name(value.text):
        return sign == "=" and value.text.isalpha() and _is_program(match, text)
    if sign == ":":  # an annotation, or a plain value of YAML
        return "." in value.text or value.text[0] == "_" or _NAMES_ITSELF.search(value.text) is not None
    return not _is_env_line(match, text)


def _sets(match: re.Match[str], text: Folded) -> bool:
    """A bare "to" ties a value to the word after "set", "changed" and the like only."""
    if match["verb"] != "to":
        return True
    return _SETTING.search(text.lower[max(0, match.start() - 32) : match.start()]) is not None


def _is_program(match: re.Match[str], text: Folded) -> bool:
    """An assignment of program text: to an attribute, or of several names at once."""
    left = _left(match, text)
    start = match.start() - len(left)
    return "." in left.strip("_") or text.lower[max(0, start - 2) : start].startswith(",")


def _is_env_line(match: re.Match[str], text: Folded) -> bool:
    """`SECRET_KEY=value`: upper case and no space around the sign, as shells and .env files have it."""
    word = text.exact[match.start() : match.start("sign")]
    after = text.exact[match.end("sign") : match.end("sign") + 1]
    return word.isupper() and not word[-1:].isspace() and not after.isspace()


def _is_field(match: re.Match[str], text: Folded) -> bool:
    """The word is a field of code or data rather than a word of prose."""
    word = text.exact[match.start() : match.start("sign")]
    return (
        match["sign"] not in (":", "|")
        or word.isupper()
        or any(mark in word for mark in "_\"'")
        or _left(match, text).endswith(("_", "-", "."))
    )


def _talked_about(match: re.Match[str], text: Folded) -> bool:
    """The word is part of something that is no credential: `max_tokens`, `next page token`."""
    before = text.lower[max(0, match.start() - 16) : match.start()]
    return _NO_CREDENTIAL.search(before) is not None


_SETTING = LazyPattern(
    r"(?<![a-z])(?:re)?(?:set|chang|updat|switch|rotat|mak|us)(?:e|es|ed|ting|ing)?(?![a-z])"
)
_CJK = LazyPattern(r"[\u3400-\u9fff]+")
_CJK_FUNCTION = LazyPattern(r"[的了吗呢吧么在是有会能被和与或不没请由给把让对从就都也还要可以]")
_JOINED = LazyPattern(r"[a-z0-9_.-]{0,32}\Z")
_LAST_TOKEN = LazyPattern(r"(?P<token>[!-&(-+\--9;-_a-~]{4,64})[\"'`]?\s*\Z")
_DOCSTRING: Final = (":param ", ":type ", "@param ", ":arg ", ":ivar ")
_NAMES_ITSELF = LazyPattern(
    r"(?:^|_|[a-z](?=[A-Z]))(?:pass(?:word|wd|phrase)?|pwd|secret|token|key)(?:$|_|s$)", re.I
)
_NO_CREDENTIAL = LazyPattern(
    r"(?:page|lock|change|request|idempotency|starting|continuation|update|feedback|next|"
    r"public[ _-]?key)[ _.-]?\Z"
    r"|(?:^|[^a-z])(?:max|min|num|n|cursor|sync|cancel|cancellation|design|lexer|stop|eos|bos|"
    r"pad|mask|unk|sep|cls|special|end|start|first|last|current|prev|input|output|prompt|completion|total|per|count|"
    r"image|public|forgot|reset|no|has|is|show|hide|with|without|use|needs?|requires?|"
    r"required)[ _.-]?\Z"
)
_FIGURES: Final = (  # 密码 as a figure of speech: the code of wealth, of life, of Da Vinci
    *(
        "财富",
        "流量",
        "成功",
        "幸福",
        "人生",
        "基因",
        "遗传",
        "文化",
        "生命",
        "长寿",
        "健康",
        "增长",
        "历史",
    ),
    *(
        "快乐",
        "爆款",
        "涨粉",
        "情感",
        "爱情",
        "性格",
        "身体",
        "摩斯",
        "摩尔斯",
        "致富",
        "发展",
        "心灵",
        "天文",
    ),
    *("宇宙", "生态", "味道", "达芬奇"),
)
_OWNERS: Final = words(
    """
    account ad admin amqp api app archive auth backup basic borg cert client database db docker
    elastic email es ftp git grafana http https imap jdbc jenkins kafka key keystore ldap login mail
    mongo mqtt mssql my mysql nas nexus oracle pdf pg pop postgres proxy rabbitmq rar rds rdp redis
    registry restic root router sa server service sftp site smtp sql ssh ssl store sudo svc svn test
    tls truststore user vnc vpn web wifi wlan zip
    """
)

# ---- the table ----------------------------------------------------------------------------------

WORD_RULES: Final[tuple[Rule, ...]] = (
    Rule("password-assignment", _PASSWORD_HINTS, _assigned(_PASSWORD), _password),
    Rule("password-statement", _PASSWORD_HINTS, _said(_PASSWORD), _password_said),
    Rule(
        "pass-assignment",
        ("pass=", "pass:", 'pass"', "pass'", "pass|", "pass>"),
        _assigned("pass", ""),
        _bare_pass,
    ),
    Rule("key-assignment", _KEY_HINTS, _assigned(_KEY), _key),
    Rule("key-statement", _KEY_HINTS, _said(_KEY), _key_said),
    Rule("token-assignment", _TOKEN_HINTS, _assigned(_TOKEN, ""), _token),
    Rule("token-statement", _TOKEN_HINTS, _said(_TOKEN), _key_said),
    Rule("chinese-password", _ZH_PASSWORD, _chinese(_ZH_PASSWORD), _chinese_password),
    Rule("chinese-key", _ZH_KEY, _chinese(_ZH_KEY), _chinese_key),
    Rule("chinese-code", _ZH_CODE, _chinese(_ZH_CODE), _code),
    Rule(
        "one-time-code",
        _CODE_HINTS,
        rf"(?:{_CODE})(?![a-z])(?:{_CLOSE}{_SIGN}|[ \t]{{1,4}}(?:is|was|are)[ \t]?:?)\s{{0,8}}{_VALUE}",
        _code,
    ),
    Rule(
        "one-time-code-beside",
        ("code", "otp", *_ZH_CODE),
        r"(?:(?:verification|one[ -]time|2fa|confirmation)[ -](?:pass)?code|(?<![a-z])otp|"
        rf"{'|'.join(_ZH_CODE)})\s{{0,4}}{_VALUE}",
        _code,
    ),
    Rule(
        "account-and-password",
        ("pass", "pwd", "密码", "口令"),
        # A user name counts when a sign or verb brings it, or when it is one of the usual ones.
        r"(?:username|user|login|account|用户名|账号|账户|帐号|用户)"
        r"(?:\s{0,4}[:=]\s{0,4}|\s{1,4}is\s{1,4}|\s{0,4}[是为]\s{0,4}"
        r"|\s{0,4}(?=[\"'`]?(?:admin|administrator|root|guest|sa|postgres|ubuntu|pi)(?![a-z])))"
        r"[\"'`]?[\w.@+-]{1,64}[\"'`]?[\s,;/|和及、]{1,4}(?:and\s{1,4})?(?:登录)?"
        r"(?:password|passwd|pass|pwd|pw|密码|口令)(?![a-z])\s{0,4}(?:is|是|为|[:=])?\s{0,4}" + _VALUE,
        _account,
    ),
    Rule("password-beside", _PASSWORD_HINTS, rf"(?:{_PASSWORD})(?![a-z])[ \t]{{1,4}}{_VALUE}", _beside),
    Rule("key-beside", _KEY_HINTS, rf"(?:{_KEY})(?![a-z])[ \t]{{1,4}}{_VALUE}", _beside),
    Rule(
        "chinese-password-beside",
        _ZH_PASSWORD,
        rf"(?:{'|'.join(_ZH_PASSWORD)})\s{{0,4}}(?=[\"'`]?[!-~])(?=(?P<value>[!-~ ]{{0,160}}[^\n]?))",
        _beside,
    ),
    Rule(
        "password-after-value",
        ("password", "passphrase", "passcode", "apikey", "api-key", "token"),
        r"\s(?:is|was|as)\s{1,4}(?:my|the|our|his|her|their|your|a|an)\s{1,4}(?:[\w'-]{1,24}\s{1,4}){0,3}?"
        r"(?:password|passphrase|passcode|api[ -]?key|token)(?![a-z])",
        _value_before,
    ),
    Rule(
        "chinese-password-after-value",
        ("密码", "口令"),
        r"\s{0,2}(?:就?是|当作?|作为|做)(?:我们?|你|他|她|咱们|公司|家里|这个|那个)?的?[a-z0-9\u3400-\u9fff]{0,8}?(?:密码|口令)",
        _value_before,
    ),
)
