"""Which credentials are known by the place they stand in? Headers, URLs, cookies, command lines."""

from __future__ import annotations

import re
from typing import Final

from memweir.store.folding import Folded
from memweir.store.gate_rules import Judge, Rule
from memweir.store.secret_values import is_placeholder, is_pointer, is_prose, read_value, words

__all__ = ["PLACE_RULES"]


def _at_least(length: int) -> Judge:
    """The place says that it is a credential: any value but a placeholder."""

    def judge(match: re.Match[str], text: Folded) -> bool:
        value = _value(match, text)
        return len(value) >= length and not is_placeholder(value) and value.lower() not in _PROSE

    return judge


def _with_digit(match: re.Match[str], text: Folded) -> bool:
    """As a sentence may stand in the same place, the value must be none of its words."""
    value = _value(match, text)
    return not is_placeholder(value) and any(c.isdigit() for c in value)


def _authorization(match: re.Match[str], text: Folded) -> bool:
    value = _value(match, text)
    if is_placeholder(value) or value.lower() in _PROSE:
        return False
    if any(c.isdigit() or c == "=" for c in value):
        return True
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

PLACE_RULES: Final[tuple[Rule, ...]] = (
    Rule(
        "authorization-header",
        ("authorization",),
        r"(?<![a-z])authorization[\"'`]?\s{0,4}[:=]\s{0,4}[\"'`]?\s{0,2}"
        r"(?:(?P<scheme>bearer|basic|token|digest|apikey|api-key|negotiate|oauth)(?![a-z])\s{1,8})?"
        r"(?P<value>[^\s\"'`,;]{4,2000})",
        _authorization,
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
        r"(?P<value>[^\s/?#@\"'<>]{1,512}|(?!\d{0,5}/)[^\s\"'<>@]{1,128})@(?=[\w\[$%{])",
        _at_least(1),
    ),
    Rule(
        "session-cookie",
        ("cookie",),
        r"(?<![a-z])(?:set-)?cookies?[\"'`]?\s{0,4}[:=]\s{0,4}[\"'`]?[\w.%-]{1,64}=(?P<value>[^\s;,\"'`]{4,2000})",
        _at_least(4),
    ),
    Rule(
        "session-id",
        ("phpsessid=", "jsessionid=", "connect.sid=", "asp.net_sessionid=", "sessionid="),
        r"(?:phpsessid|jsessionid|connect\.sid|asp\.net_sessionid|(?<![a-z_])sessionid)=(?P<value>[\w.%:+/-]{8,512})",
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
        r"(?<![A-Za-z])(?:7z[ar]?[^\n|;]{0,100}?\s-p|(?:un)?zip\s[^\n|;]{0,60}?-P\s{1,4})(?P<value>[^\s-]\S{1,127})",
        _at_least(2),
        view="exact",
    ),
    Rule(
        "openssl-flag",
        ("-passin", "-passout"),
        r"-pass(?:in|out)\s{1,4}pass:(?P<value>\S{2,128})",
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
        _at_least(2),
    ),
    Rule(
        "password-flag",
        ("--",),
        r"(?<![\w-])--(?![a-z-]{0,20}(?:page|lock|change|request|idempotency|starting|continuation|update|feedback|next)-)"
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
