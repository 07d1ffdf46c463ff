"""Which credentials are known by the word before them? "password", "api key", "密码" and their kin.

A word alone proves nothing: people talk about passwords all day. What counts is a value behind the
word, by a sign ("password: …", "DB_PASS=…"), by a verb ("密码改成了…", "the token is …") or right
beside it ("WiFi 密码 hunter2"). The weaker the tie, the more the value itself must look like one.

To add a word, add it to its family's pattern and hints.
"""

from __future__ import annotations

from typing import Final

from memweir.store.folding import fold
from memweir.store.gate_rules import Rule, hints
from memweir.store.secret_judges import (
    judge_account,
    judge_bare_pass,
    judge_beside,
    judge_chinese_key,
    judge_chinese_password,
    judge_code,
    judge_figures,
    judge_key,
    judge_key_said,
    judge_named,
    judge_pair,
    judge_password,
    judge_password_said,
    judge_quoted,
    judge_token,
    judge_token_beside,
    judge_value_before,
)

__all__ = ["CHINESE_CREDENTIALS", "CREDENTIALS", "WORD_RULES"]

# ---- the families -------------------------------------------------------------------------------

_OTHER_LANGUAGES: Final = tuple(
    fold(word).lower
    for word in (
        *("passwort", "kennwort", "contraseña", "mot de passe", "wachtwoord", "palavra-passe", "senha"),
        *("пароль", "パスワード", "暗証番号", "비밀번호"),
    )
)
_PASSWORD: Final = "|".join(
    (
        r"pass[ _-]?(?:word|wd|phrase|code)|p[a@]ss?w[o0]rd|passwr?o?d|(?<![a-z])p/w",
        r"(?<![a-z])(?:pwd|psw|pswd|pw)|(?<=[_-])(?:pwd|pw)|(?:mysql|pg|sql)_?pwd",
        *(rf"(?<![a-z]){word}" for word in _OTHER_LANGUAGES),
    )
)
_PASSWORD_HINTS: Final = (
    *("passw", "pass_w", "pass-w", "passphrase", "pass_p", "pass-p", "passcode", "pass_c", "pass-c"),
    *("p@ss", "pasw", "pwd", "psw", "pw:", "pw=", 'pw"', "pw'", "pwis", "pw|", "p/w"),
    *("".join(word.split()) for word in _OTHER_LANGUAGES),
)
_KEY: Final = (
    r"(?:access|account|activation|api|app|auth|client|consumer|cookie|deploy|encryption|jwt|license|"
    r"master|private|recovery|secret|serial|service|session|shared[ _-]?access|signing|ssh|storage|"
    r"subscription|webhook)[ _.-]?(?:key|secret)(?:[ _-]?(?:id|secret))?|secret[ _-]?access[ _-]?key"
)
_KEY_HINTS: Final = ("key", "secret")
_TOKEN: Final = r"token|(?<![a-z])secret"
_TOKEN_HINTS: Final = ("token", "secret")
# Codes that are sent, and codes that open a door.
_SENT_CODE: Final = (
    r"(?:verification|security|one[ -]time|2fa|authenticator|confirmation|backup|recovery)"
    r"[ -](?:pass)?code|(?<![a-z])(?:otp|totp|cvv2?|cvc)"
)
_DOORS: Final = r"(?:alarm|door|entry|garage|gate|lock|locker|safe|unlock|vault)"
_DOOR_CODE: Final = rf"(?<![a-z]){_DOORS}[ -]code|(?<![a-z])code (?:to|for|of) (?:the|my|our) {_DOORS}"
_CODE: Final = (
    rf"{_SENT_CODE}|{_DOOR_CODE}|(?<![a-z])pin(?:[ -]?code)?|(?<![a-z])(?:login|access)[ -]code"
)
_CODE_HINTS: Final = ("code", "otp", "cvv", "cvc", "pinis", "pin:", "pin=")
_ZH_PASSWORD: Final = ("密码", "口令", "通行码", "暗号")
_ZH_KEY: Final = ("密钥", "秘钥", "私钥", "金钥", "令牌", "凭证", "凭据", "授权码", "激活码")
_ZH_CODE: Final = ("验证码", "校验码", "动态码", "安全码", "提取码", "访问码", "门禁码", "pin码")

CREDENTIALS: Final = f"{_PASSWORD}|{_KEY}|{_TOKEN}|{_CODE}"
"""The words of all families, as a pattern over lower-cased text."""

CHINESE_CREDENTIALS: Final = "|".join((*_ZH_PASSWORD, *_ZH_KEY, *_ZH_CODE))
"""The Chinese ones."""

# ---- what ties a word to a value ----------------------------------------------------------------

# Between a word and its sign: closing quotes and brackets, a remark ("password (staging):").
_CLOSE: Final = r"""["'`*_)\]}]{0,4}[ \t]{0,4}(?:\([^()\n]{0,40}\)[ \t]{0,4})?["'`*]{0,3}[ \t]{0,4}"""
_FOR: Final = r"(?:[ \t]{1,4}(?:for|of|to|on|in|at)[ \t]{1,4}[^\n:=.;!?]{1,50}?)?"
_SIGN: Final = r"(?P<sign>:=|=>|={1,3}|->|→|:|\||>|(?<=\s)--?(?=\s))"
_IS: Final = (
    r"(?:(?:(?:has been |have been |was |is |were )?(?:re)?(?:set|changed|updated|now)(?: to)?|"
    r"is|was|are|equals|will be|to be|to|es|est|ist)"
    r"(?:[ \t]{1,4}(?:now|currently|still|just|probably|simply|actually|always))?)"
)
_ZH_IS: Final = (
    r"(?:(?:已经?|现在|目前|还|仍然?|一直|应该|就|都|统一|暂时|默认|是)?"
    r"(?:(?:被)?(?:设置?|设定|改|换|更新|更改|修改|重置|定)(?:为|成|到|是)了?|为|是|叫|用的是))"
)
_SUFFIX: Final = (
    r"(?:[_-](?:prod|production|dev|staging|test|local|old|new|main|base|value|root|admin|user|"
    r"[0-9ab]))?"
)
_VALUE: Final = r"(?=(?P<value>[^\n]{0,160}))"
_NEAR: Final = r"(?:[ \t]{1,4}|[ \t]{0,4}\n{1,2}[ \t]{0,8})"  # beside, or alone on the next line


def _assigned(family: str, plural: str = "s?") -> str:
    """`word: value`, `WORD=value`, `"word": "value"`, `<word>value`, `| word | value`."""
    return rf"(?:{family}){plural}{_SUFFIX}(?![a-z]){_FOR}{_CLOSE}{_SIGN}\s{{0,8}}{_VALUE}"


def _said(family: str) -> str:
    """`word is value`, `word for the router was changed to value`, `word是value`."""
    verb = rf"(?P<verb>[ \t]{{1,4}}{_IS}[ \t]{{0,4}}:?\s{{1,8}}|\s{{0,4}}{_ZH_IS}\s{{0,8}}:?\s{{0,8}})"
    return rf"(?:{family})(?![a-z]){_FOR}[\"'`)]?{verb}{_VALUE}"


def _chinese(family: tuple[str, ...]) -> str:
    """`密码：value`, `密码（路由器）是 value`, `密码改成了value`."""
    remark = r"[\"'`*)\]]{0,3}\s{0,4}(?:\([^()\n]{0,20}\))?[\"'`*]{0,3}\s{0,4}"
    sign = r"(?P<sign>:|={1,3}|->|=>|→|\||--?(?=\s))"
    return rf"(?:{'|'.join(family)}){remark}(?:{sign}|(?P<verb>{_ZH_IS}))\s{{0,8}}:?\s{{0,8}}{_VALUE}"


def _named(family: str) -> str:
    """`name: WORD` beside `value: …`, as lists of settings in YAML and XML have it."""
    return (
        rf"(?:name|key|id)[\"']?\s{{0,4}}[:=]\s{{0,4}}[\"']?[\w.-]{{0,40}}?(?:{family})[\w.-]{{0,16}}[\"']?"
        rf"\s{{0,20}},?\s{{0,20}}[\"']?value[\"']?\s{{0,4}}(?P<sign>[:=])\s{{0,4}}{_VALUE}"
    )


# ---- the table ----------------------------------------------------------------------------------

WORD_RULES: Final[tuple[Rule, ...]] = (
    Rule("password-assignment", _PASSWORD_HINTS, _assigned(_PASSWORD), judge_password),
    Rule("password-statement", _PASSWORD_HINTS, _said(_PASSWORD), judge_password_said),
    Rule(
        "pass-assignment",
        ("pass=", "pass:", 'pass"', "pass'", "pass|", "pass>"),
        _assigned("pass", ""),
        judge_bare_pass,
    ),
    Rule("key-assignment", _KEY_HINTS, _assigned(_KEY), judge_key),
    Rule("key-statement", _KEY_HINTS, _said(_KEY), judge_key_said),
    Rule("token-assignment", _TOKEN_HINTS, _assigned(_TOKEN, ""), judge_token),
    Rule("token-statement", _TOKEN_HINTS, _said(_TOKEN), judge_key_said),
    Rule("named-setting", ("value",), _named(rf"{_PASSWORD}|pass|{_KEY}|{_TOKEN}"), judge_named),
    Rule("chinese-password", _ZH_PASSWORD, _chinese(_ZH_PASSWORD), judge_chinese_password),
    Rule("chinese-key", _ZH_KEY, _chinese(_ZH_KEY), judge_chinese_key),
    Rule("chinese-code", _ZH_CODE, _chinese(_ZH_CODE), judge_code),
    Rule(
        "one-time-code",
        _CODE_HINTS,
        rf"(?:{_CODE})(?![a-z])(?:{_CLOSE}{_SIGN}|[ \t]{{1,4}}(?:is|was|are)[ \t]?:?)\s{{0,8}}{_VALUE}",
        judge_code,
    ),
    Rule(
        "pin-of",
        ("pinof", "pinfor", "pinto"),
        r"(?<![a-z])pin[ \t]{1,4}(?:for|of|to)[ \t]{1,4}(?P<thing>[^\n:=.;!?]{1,50}?)"
        rf"(?:{_CLOSE}{_SIGN}|[ \t]{{1,4}}(?:is|was)[ \t]?:?)\s{{0,8}}{_VALUE}",
        judge_figures,
    ),
    Rule(
        "one-time-code-beside",
        ("code", "otp", *_ZH_CODE),
        rf"(?:{_SENT_CODE}|{_DOOR_CODE}|{'|'.join(_ZH_CODE)})\s{{0,4}}{_VALUE}",
        judge_code,
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
        judge_account,
    ),
    Rule(
        "pass-statement",
        ("passis", "passwas"),
        r"(?:my|our|the|admin|db|root|user|wifi)[ \t]{1,4}pass[ \t]{1,4}(?P<verb>is|was)[ \t]{1,4}"
        + _VALUE,
        judge_key_said,
    ),
    Rule(
        "credential-pair",
        hints(
            "credential creds login: logins: loginis loginsare user/pass "
            "账号密码 帐号密码 用户名密码 账密"
        ),
        r"(?:credentials?|creds|logins?|user/pass(?:word)?|(?:账号|帐号|用户名)(?:和|及|/|、)?密码|账密)"
        r"\s{0,4}(?:[:=]|is|are|是|为)\s{0,4}(?P<name>[\w.@+-]{1,64})"
        r"\s{0,4}[:/|]\s{0,4}(?!/)" + _VALUE,
        judge_pair,
    ),
    Rule(
        "quoted-beside",
        ("password", "passwd", "passphrase", "identifiedby"),
        r"(?:password|passwd|passphrase|identified by)[\"']?\s{0,4}[,(]?\s{0,4}"
        r"(?=(?P<value>[\"'][^\n]{0,160}))",
        judge_quoted,
    ),
    Rule("password-beside", _PASSWORD_HINTS, rf"(?:{_PASSWORD})(?![a-z]){_NEAR}{_VALUE}", judge_beside),
    Rule("key-beside", _KEY_HINTS, rf"(?:{_KEY})(?![a-z]){_NEAR}{_VALUE}", judge_beside),
    Rule("token-beside", _TOKEN_HINTS, rf"(?:{_TOKEN})(?![a-z]){_NEAR}{_VALUE}", judge_token_beside),
    Rule(
        "chinese-key-beside",
        _ZH_KEY,
        rf"(?:{'|'.join(_ZH_KEY)})\s{{0,4}}(?=[\"'`]?[!-~])(?=(?P<value>[!-~ ]{{0,160}}[^\n]?))",
        judge_token_beside,
    ),
    Rule(
        "chinese-password-beside",
        _ZH_PASSWORD,
        rf"(?:{'|'.join(_ZH_PASSWORD)})\s{{0,4}}(?=[\"'`]?[!-~])(?=(?P<value>[!-~ ]{{0,160}}[^\n]?))",
        judge_beside,
    ),
    Rule(
        "password-after-value",
        ("password", "passphrase", "passcode", "apikey", "api-key", "token"),
        r"\s(?:is|was|as)\s{1,4}(?:my|the|our|his|her|their|your|a|an)\s{1,4}(?:[\w'-]{1,24}\s{1,4}){0,3}?"
        r"(?:password|passphrase|passcode|api[ -]?key|token)(?![a-z])",
        judge_value_before,
    ),
    Rule(
        "chinese-password-after-value",
        ("密码", "口令"),
        r"\s{0,2}(?:就?是|当作?|作为|做)(?:我们?|你|他|她|咱们|公司|家里|这个|那个)?的?[a-z0-9\u3400-\u9fff]{0,8}?(?:密码|口令)",
        judge_value_before,
    ),
)
