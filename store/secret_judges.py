"""Does the value behind a word make it a credential? One judge for each tie of word and value.

The weaker the tie, the more the value itself must look like a credential: a sign ("DB_PASS=…") takes
nearly any value, a verb ("the token is …") takes what no sentence would say, bare neighbourhood
("WiFi password hunter2") only what no sentence would hold.
"""

from __future__ import annotations

import re
from typing import Final

from memweir.store.folding import Folded
from memweir.store.gate_rules import LazyPattern
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

__all__ = [
    "judge_account",
    "judge_bare_pass",
    "judge_beside",
    "judge_chinese_key",
    "judge_chinese_password",
    "judge_code",
    "judge_figures",
    "judge_key",
    "judge_key_said",
    "judge_named",
    "judge_pair",
    "judge_password",
    "judge_password_said",
    "judge_quoted",
    "judge_token",
    "judge_token_beside",
    "judge_value_before",
]


def judge_password(match: re.Match[str], text: Folded) -> bool:
    value = _value(match, text)
    if _no_value(match, text, value) or (
        is_prose(value) and not (value.quoted and looks_secret(value.text))
    ):
        return False
    if match["sign"] in _WEAK_SIGNS and not (value.quoted and "=" in match["sign"]):
        return looks_secret(value.text)
    if value.text.isdigit():
        return len(value.text) >= 3
    if _talked_about(match, text) and not value.quoted:
        return looks_secret(value.text)
    if match.group().startswith("passwd") and text.lower[match.start() - 1 : match.start()] == "/":
        return False  # the file /etc/passwd
    if _CJK.fullmatch(value.text) and not value.quoted:
        return 2 <= len(value.text) <= 16 and value.closes
    if is_sentence(value) and not _is_env_line(match, text):
        return False
    return len(value.text) >= 2


def judge_password_said(match: re.Match[str], text: Folded) -> bool:
    value = _value(match, text)
    if _no_value(match, text, value) or is_prose(value) or not _sets(match, text):
        return False
    if looks_secret(value.text):
        return True
    if value.quoted:
        return len(value.text) >= 2 and not is_adjective(value.text)
    if is_word_list(value):
        return True
    if value.text.isdigit():
        return len(value.text) >= 4
    if _CJK.fullmatch(value.text):
        return 2 <= len(value.text) <= 12 and value.closes and not _CJK_FUNCTION.search(value.text)
    if not value.closes or len(value.text) < 3:
        return False
    if "-" in value.text:
        return _is_passphrase(value.text)
    return value.text.isalpha() and not is_adjective(value.text)


def judge_key(match: re.Match[str], text: Folded) -> bool:
    value = _value(match, text)
    if _no_value(match, text, value) or is_prose(value) or value.text.isdigit() or " " in value.text:
        return False
    if looks_secret(value.text):
        return True
    if not value.closes or is_adjective(value.text):
        return False
    return len(value.text) >= (3 if _is_field(match, text) else 4)


def judge_token(match: re.Match[str], text: Folded) -> bool:
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


def judge_key_said(match: re.Match[str], text: Folded) -> bool:
    value = _value(match, text)
    if _no_value(match, text, value) or is_prose(value) or not _sets(match, text):
        return False
    return looks_secret(value.text, least=6) or (value.quoted and len(value.text) >= 12)


def judge_code(match: re.Match[str], text: Folded) -> bool:
    value = _value(match, text)
    if is_pointer(value) or not is_code(value.text) or not value.closes or is_prose(value):
        return False
    postal = match.group().startswith("pin") and len(value.text) >= 6  # India's "PIN code"
    return not postal


def judge_figures(match: re.Match[str], text: Folded) -> bool:
    """`PIN of the company card: 4821`: figures only, and no year."""
    value = _value(match, text)
    return _FIGURES_ONLY.fullmatch(value.text) is not None and value.closes


def judge_chinese_password(match: re.Match[str], text: Folded) -> bool:
    before = text.lower[max(0, match.start() - 5) : match.start()].rstrip("的")
    if before.endswith(_FIGURES) and _CJK.match(_value(match, text).text):
        return False
    return (judge_password if match["sign"] else judge_password_said)(match, text)


def judge_chinese_key(match: re.Match[str], text: Folded) -> bool:
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


def judge_beside(match: re.Match[str], text: Folded) -> bool:
    """No sign and no verb, so only what no sentence would hold."""
    value = _value(match, text)
    if is_pointer(value) or is_prose(value) or not value.closes:
        return False
    if value.text.isdigit():
        return len(value.text) >= (
            4 if _IS_CHINESE.match(match.group()) and not value.tail.strip(" .。,!") else 6
        )
    return looks_secret(value.text)


def judge_token_beside(match: re.Match[str], text: Folded) -> bool:
    value = _value(match, text)
    if is_pointer(value) or is_prose(value) or not value.closes or _talked_about(match, text):
        return False
    return looks_secret(value.text, least=12)


def judge_quoted(match: re.Match[str], text: Folded) -> bool:
    """`IDENTIFIED BY 'hunter2'`, `setPassword("hunter2")`; not `("password", "email")`."""
    value = _value(match, text)
    if not value.quoted or not value.text or is_pointer(value) or is_prose(value):
        return False
    return looks_secret(value.text) or match.group().startswith("identified")


def judge_named(match: re.Match[str], text: Folded) -> bool:
    value = _value(match, text)
    if (
        not value.text
        or is_pointer(value)
        or is_prose(value)
        or _NO_SETTING.search(match.group()) is not None
    ):
        return False
    if value.text.isdigit():
        return len(value.text) >= 3 and "pass" in match.group()
    return len(value.text) >= 2


def judge_pair(match: re.Match[str], text: Folded) -> bool:
    """`credentials: admin / hunter2`."""
    value = _value(match, text)
    if _HOST.fullmatch(match["name"]) is not None and text.lower[match.end("name")] == "/":
        return False  # "the login is example.com/login2"
    if not value.text or is_pointer(value) or is_prose(value):
        return False
    if looks_secret(value.text) or (value.text.isdigit() and len(value.text) >= 4):
        return True
    return value.closes and len(value.text) >= 3 and match["name"] in _USUAL_NAMES


def judge_bare_pass(match: re.Match[str], text: Folded) -> bool:
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


def judge_account(match: re.Match[str], text: Folded) -> bool:
    """Beside a user name a plain word is a password too: `admin / letmein`."""
    value = _value(match, text)
    if is_pointer(value) or is_prose(value) or is_adjective(value.text):
        return False
    return len(value.text) >= 3 and value.closes and value.text.isascii()


def judge_value_before(match: re.Match[str], text: Folded) -> bool:
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
    if not value.text or (is_pointer(value) and not _is_weak_password(match, text, value)):
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
    if not between.isascii():
        return False
    if not is_code_name(value.text):
        return sign == "=" and value.text.isalpha() and _is_program(match, text)
    if sign == ":":  # an annotation, or a plain value of YAML
        return "." in value.text or value.text[0] == "_" or _NAMES_ITSELF.search(value.text) is not None
    return not _is_env_line(match, text)


def _is_weak_password(match: re.Match[str], text: Folded, value: Value) -> bool:
    """`POSTGRES_PASSWORD=secret`, `密码：password`: a word that names passwords is one here."""
    if value.text.lower() not in _WEAK_PASSWORDS or value.tail[:1] in (",", ")"):
        return False
    word = match.group()
    if not word.isascii():
        return True
    if "pass" not in word and "pwd" not in word:
        return False
    return value.text.lower() in ("secret", "default") or _is_env_line(match, text)


def _sets(match: re.Match[str], text: Folded) -> bool:
    """A bare "to" ties a value to the word after "set", "changed" and the like only."""
    if match["verb"].strip() != "to":
        return True
    return _SETTING.search(text.lower[max(0, match.start() - 32) : match.start()]) is not None


def _is_program(match: re.Match[str], text: Folded) -> bool:
    """An assignment of program text: to an attribute, or of several names at once."""
    left = _left(match, text)
    start = match.start() - len(left)
    return "." in left.strip("_") or text.lower[max(0, start - 2) : start].startswith(",")


def _is_env_line(match: re.Match[str], text: Folded) -> bool:
    """`SECRET_KEY=value`: upper case and no space around the sign, as shells and .env files have it."""
    if "sign" not in match.re.groupindex or not match["sign"]:
        return False
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


def _is_passphrase(text: str) -> bool:
    """`sunflower-garden`, but not "case-sensitive", "server-side", "up-to-date"."""
    parts = text.lower().split("-")
    return all(
        len(part) >= 3 and part.isalpha() and not is_adjective(part) and part not in _COMPOUNDS
        for part in parts
    )


_WEAK_SIGNS: Final = ("|", "==", "===", "-", "--")  # a table, a comparison, a dash
_SETTING = LazyPattern(
    r"(?<![a-z])(?:re)?(?:set|chang|updat|switch|rotat)(?:e|es|ed|ting|ing)?(?![a-z])"
)
_IS_CHINESE = LazyPattern(r"[\u3400-\u9fff]")
_NO_SETTING = LazyPattern(
    r"(?:file|path|name|ref|policy|length|limit|count|ttl|expiry|enabled|type|url|hash)[\"']?\s{0,20},?\s{0,20}[\"']?value"
)
_WEAK_PASSWORDS: Final = frozenset({"password", "secret", "default", "passwd", "token", "sample"})
_USUAL_NAMES: Final = words("admin administrator root guest user test sa postgres ubuntu pi demo")
_CJK = LazyPattern(r"[\u3400-\u9fff]+")
_FIGURES_ONLY = LazyPattern(r"(?!(?:19|20)\d\d$)\d{4,8}")
_HOST = LazyPattern(r"[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}")
_COMPOUNDS: Final = words(  # words that make an adjective of two
    """
    auto base bound case character client company cross day digit end factor free grade hand hard
    high host human industry limit line low machine medium mid multi non plain plaintext pre proof
    read retro self semi server side single site size space special specific sub team term text
    time two user week wide world write year zero
    """
)
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
    *("宇宙", "生态", "味道", "达芬奇", "军训", "队列"),
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
