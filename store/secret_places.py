"""Which credentials are known by the place they stand in? Headers, URLs, cookies, command lines."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Final

from memweir.store.folding import Folded
from memweir.store.gate_rules import Judge, LazyPattern, Rule, hints
from memweir.store.secret_values import is_placeholder, is_pointer, is_prose, read_value, words

__all__ = ["PLACE_RULES"]


def _at_least(length: int) -> Judge:
    """The place says that it is a credential: any value but a placeholder."""

    def judge(match: re.Match[str], text: Folded) -> bool:
        value = _value(match, text)
        return len(value) >= length and not _stands_for_one(value)

    return judge


def _stands_for_one(value: str) -> bool:
    """A placeholder, a type, or a word of the text around it."""
    lower = value.lower()
    if is_placeholder(value) or lower in _PROSE or lower in _SAMPLES or value[:1] in "/:":
        return True
    return not value.isascii() and is_prose(read_value(value))


def _user_and_password(match: re.Match[str], text: Folded) -> bool:
    """`user:password@` is how documentation writes it: both a word for what stands there."""
    value = _value(match, text)
    if _stands_for_one(value):
        return False
    name = text.lower[max(0, match.start("value") - 24) : match.start("value")]
    return not (_SAMPLE_NAME.search(name) and value.lower() in _SAMPLE_PASSWORDS)


def _basic(match: re.Match[str], text: Folded) -> bool:
    """Base64 of `user:password`, as no word behind "basic" is."""
    value = _value(match, text)
    try:
        plain = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except (binascii.Error, ValueError):
        return False
    return ":" in plain and plain.isprintable()


def _encoded_login(match: re.Match[str], text: Folded) -> bool:
    """Base64 of `name:password`, near a word for it."""
    if not _basic(match, text):
        return False
    value = _value(match, text)
    plain = base64.b64decode(value + "=" * (-len(value) % 4)).decode()
    around = text.lower[max(0, match.start() - 60) : match.end() + 40]
    return _NAME_COLON.fullmatch(plain) is not None and _LOGIN_WORD.search(around) is not None


def _with_digit(match: re.Match[str], text: Folded) -> bool:
    """As a sentence may stand in the same place, the value must be none of its words."""
    value = _value(match, text)
    return not is_placeholder(value) and any(c.isdigit() for c in value)


def _no_word(match: re.Match[str], text: Folded) -> bool:
    """Of a cookie: no name of an attribute, no word of an example."""
    value = _value(match, text)
    return not is_placeholder(value) and not (value.isalpha() and _WORDS_ONLY.fullmatch(value))


def _authorization(match: re.Match[str], text: Folded) -> bool:
    value = _value(match, text)
    if _stands_for_one(value):
        return False
    if any(c.isdigit() or c == "=" for c in value):
        return match["other"] is None or (len(value) >= 12 and "/" not in value)
    if match["scheme"] is None:
        return False
    return "." in value.rstrip(".") or value not in (value.lower(), value.capitalize())


def _login(match: re.Match[str], text: Folded) -> bool:
    value = read_value(_value(match, text))
    return not is_placeholder(value.text) and not is_prose(value)


def _flag(match: re.Match[str], text: Folded) -> bool:
    value = read_value(_value(match, text))
    if is_pointer(value) or is_prose(value) or value.text.startswith("-"):
        return False
    if value.text.isdigit() and "pass" not in match.group():
        return False
    if value.text.isalpha() and value.text.islower() and not value.closes:
        return False  # "the --token option of …"
    return len(value.text) >= 2 and value.text.lower() not in _PROSE


def _value(match: re.Match[str], text: Folded) -> str:
    """The group "value", letter case kept."""
    return text.exact[match.start("value") : match.end("value")].strip("\"'`")


_PROSE: Final = words(
    """
    and arg args argument arguments auth authentication because credentials file flag flags for from
    header headers if instead is login mode option options or parameter parameters stdin switch to
    value values when
    """
)

_WORDS_ONLY = LazyPattern(r"[A-Z]?[a-z]+(?:[A-Z][a-z]+)*")
_NAME_COLON = LazyPattern(r"[\w.@-]{2,40}:[^\s:/]{4,64}")
_LOGIN_WORD = LazyPattern(r"login|basic|auth|credential|password|登录|凭证|密码")
_SAMPLE_NAME = LazyPattern(
    r"(?:user(?:_?name)?|usr|name|login|uid|account|me|foo|(?:my|your|db|some)[_-]?user(?:name)?|"
    r"用户名?|账号|//):\Z"
)
_SAMPLES: Final = words(  # types, and what is written where nothing is known yet
    """
    none null nil undefined str string text todo tbd fixme password passwd yourpassword mypassword
    your-password your_password hidden redacted masked omitted empty 密码 口令 你的密码 你的密钥 密钥
    令牌
    """
)
_SAMPLE_PASSWORDS: Final = words(
    """
    pass password passwd pwd passphrase secret token mypass mypassword yourpassword your_password
    your-password my-password my_password db_password some_password somepassword bar 密码 口令
    """
)

PLACE_RULES: Final[tuple[Rule, ...]] = (
    Rule(
        "authorization-header",
        ("authorization",),
        r"(?<![a-z])authorization[\"'`]?\s{0,4}[:=]\s{0,4}[\"'`]?\s{0,2}"
        r"(?:(?P<scheme>bearer|basic|token|digest|api-?key|negotiate|oauth)(?![a-z])\s{1,8}|"
        r"(?P<other>[a-z][\w-]{2,24})\s{1,8}(?=\S{12}))?"
        r"(?P<value>[^\s\"'`,;]{4,2000})",
        _authorization,
    ),
    Rule(
        "basic-credentials",
        ("basic",),
        r"(?<![A-Za-z])[Bb]asic[ \t](?P<value>[A-Za-z0-9+/]{8,512}={0,2})(?![A-Za-z0-9+/=])",
        _basic,
        view="exact",
    ),
    Rule(
        "encoded-login",
        hints("base64 login basicauth credential 登录 凭证"),
        r"(?<![A-Za-z0-9+/=_.-])(?P<value>[A-Za-z0-9+/]{12,512}={0,2})(?![A-Za-z0-9+/=_.-])",
        _encoded_login,
        view="exact",
    ),
    Rule(
        "bearer-token",
        ("bearer",),
        r"(?<![a-z])bearer\s{1,8}(?P<value>[a-z0-9._~+/-]{12,2000})",
        _with_digit,
    ),
    Rule(
        "url-credentials",
        ("://",),
        # The second form lets a password hold "/" or "#"; digits up to a "/" are a port.
        r"://[^\s/?#@:\"'<>\[]{0,256}:"
        r"(?P<value>[^\s/?#@\"'<>]{1,512}|(?!\d{0,5}/)[^\s\"'<>@]{1,128})@(?=[\w\[$%{/?])",
        _user_and_password,
    ),
    Rule(
        "session-cookie",
        ("cookie",),
        r"(?<![a-z])(?:set-)?cookies?[\"'`]?\s{0,4}[:=]\s{0,4}[\"'`]?[\w.%-]{1,64}="
        r"(?P<value>[^\s;,\"'`]{4,2000})",
        _no_word,
    ),
    Rule(
        "session-id",
        ("phpsessid=", "jsessionid=", "connect.sid=", "asp.net_sessionid=", "sessionid="),
        r"(?:phpsessid|jsessionid|connect\.sid|asp\.net_sessionid|(?<![a-z_])sessionid)="
        r"(?P<value>[\w.%:+/-]{8,512})",
        _with_digit,
    ),
    Rule(
        "netrc-login",
        ("machine", "default"),
        r"(?<![a-z])(?:machine\s{1,8}\S{1,253}|default)\s{1,8}login\s{1,8}\S{1,128}\s{1,8}"
        r"(?:account\s{1,8}\S{1,128}\s{1,8})?password\s{1,8}(?P<value>\S{1,256})",
        _login,
    ),
    Rule(
        "mysql-flag",
        ("mysql", "mariadb"),
        r"(?<![A-Za-z])(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump)(?![A-Za-z])"
        r"[^\n|;]{0,200}?\s-p(?P<value>[^\s\"'`-]\S{1,127}|[\"'][^\s\"']{2,128})",
        _at_least(2),
        view="exact",
    ),
    Rule("sshpass-flag", ("sshpass-p",), r"sshpass\s{1,4}-p\s{0,4}(?P<value>\S{2,128})", _at_least(2)),
    Rule(
        "redis-flag",
        ("redis-cli",),
        r"redis-cli[^\n|;]{0,100}?\s-a\s{1,4}(?P<value>\S{2,128})",
        _at_least(2),
    ),
    Rule(
        "archive-flag",
        ("7z", "zip"),
        r"(?<![A-Za-z])(?:7z[ar]?[^\n|;]{0,100}?\s-p|(?:un)?zip\s[^\n|;]{0,60}?-P\s{1,4})"
        r"(?P<value>[^\s-]\S{1,127})",
        _at_least(2),
        view="exact",
    ),
    Rule(
        "openssl-flag",
        ("-pass",),
        r"-pass(?:in|out)?\s{1,4}pass:(?P<value>\S{2,128})",
        _at_least(2),
    ),
    Rule(
        "ldap-flag",
        ("ldap",),
        r"ldap\w{3,8}\s[^\n|;]{0,100}?-w\s{1,4}(?P<value>\S{2,128})",
        _at_least(2),
    ),
    Rule(
        "curl-user",
        ("curl", "wget", "http-a", "https-a"),
        r"(?<![a-z])(?:curl|wget|https?)(?![a-z])[^\n|;]{0,200}?\s(?:-u|--user|-a|"
        r"--proxy-user)[ =]{0,4}"
        r"[\"']?[^\s:\"'-][^\s:\"']{0,63}:(?P<value>[^\s\"'/]{1,128})",
        _user_and_password,
    ),
    Rule(
        "password-flag",
        ("--",),
        r"(?<![\w-])--(?![a-z-]{0,20}(?:page|lock|change|request|idempotency|starting|continuation|"
        r"update|feedback|next)-)"
        r"[a-z0-9-]{0,30}?(?:password|passwd|passphrase|token|secret|api-?key|access-?key|secret-?key)"
        r"(?:=|[ \t]{1,4})(?=(?P<value>[^\n]{0,160}))",
        _flag,
    ),
    Rule(
        "registry-login-flag",
        ("login",),
        r"(?<![a-z])(?:docker|podman|nerdctl|helm|oras|buildah|skopeo|az)\s[^\n|;]{0,60}?login"
        r"[^\n|;]{0,120}?\s-p\s{0,4}(?P<value>[^\s-]\S{1,127})",
        _at_least(2),
    ),
    Rule(
        "database-flag",
        ("mongo", "sqlcmd"),
        r"(?<![A-Za-z])(?:mongo\w{0,12}[^\n|;]{0,160}?\s-p\s{1,4}|sqlcmd[^\n|;]{0,160}?\s-P\s{0,4})"
        r"(?P<value>[^\s-]\S{1,127})",
        _at_least(2),
        view="exact",
    ),
    Rule(
        "npmrc-auth",
        ("_auth=", "_auth:"),
        r"(?<![a-z])_auth\s{0,2}[=:]\s{0,2}(?P<value>[a-z0-9+/=]{8,512})",
    ),
    Rule("azure-signature", ("sig=",), r"(?<![a-z])sig=[a-z0-9%+/]{30,256}(?:%3d|=)"),
)
