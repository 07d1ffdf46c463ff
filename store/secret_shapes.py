"""Which credentials are known by their own shape? Providers' keys, key blocks, tokens, hashes."""

from __future__ import annotations

import re
from typing import Final

from memweir.store.folding import Folded
from memweir.store.gate_rules import Rule
from memweir.store.secret_providers import PROVIDER_PREFIXES, PROVIDER_SHAPES, WHOLE_PREFIXES
from memweir.store.secret_values import is_key_body

__all__ = ["SHAPE_RULES"]

_WRAP: Final = r"(?:[ \t]{0,8}\r?\n[ \t]{0,8})"
_SPACE: Final = r"\s{0,20}"  # what a line break with its indentation may put inside a key


def _prefix_rule(name: str, prefix: str, alphabet: str, least: int, sure: bool) -> Rule:
    """A key by its prefix: in one piece, spaced, or broken over lines."""

    def judge(match: re.Match[str], _: Folded) -> bool:
        return is_key_body(match["value"], least=least, sure=sure)

    first, *rest = map(re.escape, prefix)
    spaced = _SPACE.join((rf"{first}(?<![A-Za-z0-9]{first})", *rest))
    body = rf"(?=(?P<value>(?:[{alphabet}]{_SPACE}){{{least},100}}))"
    return Rule(name, (prefix.lower(),), rf"{spaced}{_SPACE}{body}", judge, view="exact")


def _whole_rule(name: str, prefix: str, alphabet: str, least: int) -> Rule:
    """A key by its prefix, in one piece."""

    def judge(match: re.Match[str], _: Folded) -> bool:
        return is_key_body(match["value"], least=least, sure=False)

    start = re.escape(prefix)
    return Rule(
        name,
        (prefix.lower(),),
        rf"{start}(?<![A-Za-z0-9_./+-]{start})(?=(?P<value>[{alphabet}]{{{least},128}}))",
        judge,
        view="exact",
    )


SHAPE_RULES: Final[tuple[Rule, ...]] = (
    *(_prefix_rule(*row) for row in PROVIDER_PREFIXES),
    *(_whole_rule(*row) for row in WHOLE_PREFIXES),
    *(Rule(name, hinted, pattern, view="exact") for name, hinted, pattern in PROVIDER_SHAPES),
    Rule(
        "private-key-block",
        ("privatekey",),
        r"-{2,5}\s{0,8}(?:begin|end)[\w ]{0,40}private\s{1,8}key(?:\s{1,8}block)?\s{0,8}-{2,5}",
    ),
    Rule("putty-private-key", ("putty-user-key-file",), r"putty-user-key-file-\d"),
    Rule("json-web-secret", ('"oct"',), r"\"k\"\s{0,4}:\s{0,4}\"[a-z0-9_-]{16,}"),
    Rule("json-web-key", ('"kty"',), r"\"d\"\s{0,4}:\s{0,4}\"[a-z0-9_-]{20,}"),
    Rule(
        "json-web-token",
        ("eyj",),
        rf"(?<![\w-])e{_WRAP}?y{_WRAP}?J[\w-]{{4,}}+(?:{_WRAP}[\w-]++){{0,4}}{_WRAP}?\.{_WRAP}?"
        rf"[\w-]{{8,}}+(?:{_WRAP}[\w-]++){{0,40}}{_WRAP}?\.{_WRAP}?[\w-]{{4,}}+",
        view="exact",
    ),
    Rule("telegram-bot-token", (":aa",), r"(?<!\d)(?<!\d:)\d{8,10}:AA[\w-]{30,}", view="exact"),
    Rule(
        "password-hash",
        ("$2", "$1$", "$5$", "$6$", "$y$", "$apr1$", "$argon2", "pbkdf2_sha", "pbkdf2:sha", "scrypt:"),
        r"\$2[abxy]?\$\d\d\$[./a-z0-9]{50,}|\$(?:1|5|6|y|apr1)\$[./a-z0-9=,]{1,40}\$[./a-z0-9$]{20,}"
        r"|\$argon2(?:id|i|d)\$[\w=,$]{1,80}\$[+/a-z0-9]{10,}"
        r"|(?:pbkdf2[_:]sha\d{1,3}|scrypt)[:$][\d:]{1,40}\$[\w/+=]{1,40}\$[\w/+=]{20,}",
    ),
    Rule(
        "chat-webhook",
        ("hooks.slack.com/", "api/webhooks/", "robot/send?", "open-apis/bot/", "webhook/send?key="),
        r"hooks\.slack\.com/(?:services|workflows)/t\w+/\w+/\w{8,}"
        r"|discord(?:app)?\.com/api/webhooks/\d+/[\w-]{20,}|robot/send\?access_token=\w{20,}"
        r"|open-apis/bot/(?:v2/)?hook/[\w-]{20,}|webhook/send\?key=[\w-]{20,}",
    ),
)
