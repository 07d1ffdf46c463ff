"""How much does a single token look like a credential, whatever stands around it?

Five kinds, from what only machines make to what people make up:

key     random characters of both letter cases with digits, or groups of them
hex     hexadecimal digits and UUIDs: as often a hash or an id, so that a word must claim them
strong  a made-up password: mixed as no name, version, date, path or identifier is mixed
medium  letters with digits or inner marks: a password where a word leads straight to it
weak    a short word with a number, as accounts and machines are called too
"""

from __future__ import annotations

import re
from typing import Final, Literal

from memweir.store.gate_rules import Anchor, LazyPattern
from memweir.store.secret_values import is_ordinary, is_placeholder

__all__ = ["AT_TOKENS", "TOKEN_RUN", "Kind", "bare_token", "is_random", "is_technical", "token_kind"]

Kind = Literal["key", "hex", "strong", "medium", "weak"]

_BREAK: Final = r"\s\"'`,;<>()\[\]{}|、。「」『』【】《》\u3400-\u9fff\uac00-\ud7a3"
_RUN: Final = rf"[^{_BREAK}]"
_MARK: Final = r"\d!@#$%^&*~_"
TOKEN_RUN: Final = rf"(?<!{_RUN})(?P<value>[^{_BREAK}{_MARK}]{{0,64}}+[{_MARK}]{_RUN}{{0,256}}+)"
"""A run without white space, quotes or brackets that holds a digit or a mark."""

AT_TOKENS: Final = Anchor("tokens", LazyPattern(TOKEN_RUN))


def bare_token(run: str) -> str:
    """A run without what names the value (`name=`, `name:`) and without closing punctuation."""
    found = _NAME.match(run)
    if found is not None:
        run = run[found.end() :]
    run = run.rstrip(".,:;?*").lstrip("*:")
    return run if _DIGITS.search(run) else run.rstrip("!.")


def token_kind(token: str) -> Kind | None:
    """The kind of a token without name and closing punctuation; None: an ordinary word."""
    length = len(token)
    if length == 4:
        return "weak" if _SHORT_MIX.fullmatch(token) else None
    if _WORD_DASH_NUMBER.fullmatch(token) and not _TECHNICAL.match(token):
        return "weak"
    if length < 5 or _PLAIN.fullmatch(token) or _FOREIGN.search(token) or is_placeholder(token):
        return None
    if _UUID.fullmatch(token):
        return "hex"
    if _HEX.fullmatch(token):
        return "hex" if length >= 16 and _DIGITS.search(token) else None
    if _NAMED_HASH.fullmatch(token):
        return "hex"
    if _TECHNICAL.match(token) and length < 40:
        return None
    if is_random(token):
        return "key"
    if "/" in token or "\\" in token:
        return None
    if _NAME_WITH_NUMBER.fullmatch(token) or _LOWER_PARTS.fullmatch(token):
        return "weak"
    if is_ordinary(token):
        return "medium" if _WORD_MARK_NUMBER.fullmatch(token) else None
    return _made_up(token)


def is_technical(token: str) -> bool:
    """The name of an algorithm, a protocol or a product, with or without a number."""
    return _TECHNICAL.match(token) is not None


def is_random(token: str) -> bool:
    """Characters that change class as often as only chance does, or groups of such.

    A run of one class is a run of capitals, small letters or digits: in random text of 62 characters
    about two thirds of the neighbours differ in class, in CamelCase names with a number a quarter.
    """
    if not token.isascii():
        return False
    if len(token) < 16:
        return len(token) >= 12 and _is_short_random(token)
    if _GROUPS.fullmatch(token):
        return any(c.isdigit() for c in token)
    body = token.strip("=")
    if not _KEY_CHARACTERS.fullmatch(body) or sum(map(str.isdigit, body)) < 2:
        return False
    if body.count("/") > 3 and "//" not in body:
        return False
    joined = body.replace("-", "")
    if len(joined) >= 16 and _MIXED_GROUPS.fullmatch(body):
        body = joined
    longest = max(_WORD_CHARACTERS.pattern.findall(body), key=len)
    if len(longest) < 12:
        return False
    runs = len(_CLASS_RUNS.pattern.findall(longest))
    mixed = _LOWER.search(longest) is not None and _UPPER.search(longest) is not None
    if _CAMEL_WORDS.fullmatch(longest):
        return False
    if len(longest) >= 40 and runs >= 12:
        return True
    if mixed:
        return runs >= max(6, 0.34 * len(longest)) and len(_DIGITS.pattern.findall(longest)) >= 2
    return len(longest) >= 16 and runs >= max(7, 0.34 * len(longest))


def _is_short_random(token: str) -> bool:
    """Twelve to fifteen characters that change class nearly always."""
    if not token.isalnum() or token.isupper() or token.islower():
        return False
    runs = _CLASS_RUNS.pattern.findall(token)
    return len(runs) >= 0.6 * len(token) and sum(map(str.isdigit, token)) >= 2


def _made_up(token: str) -> Kind | None:
    lower, upper = _LOWER.search(token) is not None, _UPPER.search(token) is not None
    digits = sum(map(str.isdigit, token))
    if not (lower or upper):
        return None
    if _OPERATOR.fullmatch(token):
        return "weak" if _NAME_AT_NAME.fullmatch(token) else None
    if _MARKED.search(token):
        if digits or (lower and upper):
            return "strong" if len(token) >= 6 else "medium"
        return "medium" if len(token) >= 6 else None
    if digits:
        if lower and upper and len(token) >= 7 and not _WORD_AND_NUMBER.fullmatch(token):
            return "strong"
        if (
            lower
            and len(token) >= 8
            and "_" not in token
            and len(_SWITCHES.pattern.findall(token)) >= 3
        ):
            return "strong"
        return "medium" if len(token) >= 6 or (lower and upper) else None
    # Words joined by underscores, each with a capital: no identifier is written so but in prose.
    return "medium" if lower and upper and _CAPITAL_WORDS.fullmatch(token) else None


_NAME = LazyPattern(
    r"(?!(?:sha\d|md5|blake|h1|urn|arn|doi|data|https?|crc)[\w-]*:)"
    r"(?:[A-Za-z_$][\w.$-]{0,40}(?:=(?!=|$)|:(?![/:]|$)))+"
)
_UUID = LazyPattern(r"\{?[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}\}?")
_HEX = LazyPattern(r"(?:0x)?(?:[0-9a-f]+|[0-9A-F]+)")
_NAMED_HASH = LazyPattern(
    r"[a-z][a-z0-9]{0,24}(?:[-_.:@][a-z0-9]{1,24}){0,3}[-_.:@](?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}"
)
_GROUPS = LazyPattern(
    r"(?:(?:[A-Z]{2}-)?[A-Z0-9]{4,7}(?:-[A-Z0-9]{4,7}){2,8}|[a-z0-9]{4,6}(?:-[a-z0-9]{4,6}){3,8})"
)
_MIXED_GROUPS = LazyPattern(r"(?=[^-]*\d)[A-Za-z0-9]{4,12}(?:-(?=[^-]*\d)[A-Za-z0-9]{4,12}){1,8}")
_KEY_CHARACTERS = LazyPattern(r"[\w+/.~%|=:@!$*-]+", re.ASCII)
_WORD_CHARACTERS = LazyPattern(r"[A-Za-z0-9]+")
_CLASS_RUNS = LazyPattern(r"[A-Z]+|[a-z]+|[0-9]+")
_CAMEL_WORDS = LazyPattern(r"(?:[A-Z]{0,4}[a-z]{2,}\d{0,2})+")
_LOWER = LazyPattern(r"[^\W\d_A-Z]")
_UPPER = LazyPattern(r"[A-Z]")
_DIGITS = LazyPattern(r"\d+")
_SWITCHES = LazyPattern(r"(?<=[A-Za-z])\d|(?<=\d)[A-Za-z]")
_MARKED = LazyPattern(r"[^\W_][!@#$%^&*+~?]+(?=[^\W_])|[^\W_][!#$%^*~]+$|^[!#^&~][^\W_]")
_OPERATOR = LazyPattern(  # R&D, a+b, C++, Ctrl+K, 50%, me@host, react@18, C#7, a*b, x^2
    r"[A-Za-z]{1,3}[&+][A-Za-z]{1,3}\d?|[A-Za-z]\w?[+^*]+[\w.]{1,3}|\d+(?:\.\d+)?%?|"
    r"[a-z][\w.-]*@[a-z][a-z.-]*\d?\d?"
    r"|@?[\w./-]+@[v^~]?\d{1,2}(?:\.[\w-]+)*|[\w.-]+@(?:\d{1,3}\.){3}\d{1,3}|@[\w-]+|#[\w-]+|"
    r"[A-Za-z]\w{0,2}[#*+&?]+\d{0,2}"
    r"|[*_~]+\w+[*_~]+|[a-z_\d.]+\*[a-z_\d.]+|[a-z]+[A-Z]\w*[+/-]\d{1,2}|[A-Za-z]\w*[*&][a-z_]+|"
    r"[^\W\d]+[!?]+|[\w.-]+#L\d+(?:-L?\d+)?|[\w.-]+\.\w+#[\w-]+|[~^][\d.]+[\w.-]*"
    r"|[%$&][\w.]+|%[.\d]*[a-z]\w*|(?i:ctrl|alt|shift|cmd|esc|option|super|meta|fn|f\d+)(?:\+\w+)+"
)
_NAME_AT_NAME = LazyPattern(r"[a-z][a-z.-]*\d*@[a-z]{3,}\d{1,2}")
_SHORT_MIX = LazyPattern(r"(?=.*[A-Za-z])(?=.*\d)(?=.*[!#$^&*])[^\s]{4}")
_CAPITAL_WORDS = LazyPattern(r"[A-Z][^\W\d_A-Z]{2,}(?:_[^\W\d_]{2,}){1,5}(?<=[^A-Z])")
_WORD_AND_NUMBER = LazyPattern(
    r"[A-Z]{2,}[a-z]+[A-Z]?\d{1,3}[A-Za-z]?\d?|[A-Z][a-z]+\d{1,3}[A-Z]\w?|[A-Z]?[a-z]+[_-]?\d{1,8}|"
    r"[A-Z]+[_-]?\d+[a-z]?|[A-Z]{2,}[a-z]?\d*"
)
_WORD_DASH_NUMBER = LazyPattern(r"[a-z]{4,}-\d{2,4}")
_WORD_MARK_NUMBER = LazyPattern(r"[A-Za-z]{4,}[#-]\d{3,6}|[A-Z][a-z]{3,}[#-]\d{2,6}")

# Addresses, paths, files, expressions, ids of services.
_FOREIGN = LazyPattern(
    r"://|^@|^www\.|^[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}$|^~?/|^[A-Za-z]:\\|^--?[a-z]|::|->|"
    r"=>|&&|\|\||==(?!$)"
    r"|^[%$][({A-Za-z_]|\\n|^(?:sha\d*|md5|blake\w*|urn|arn|doi|isbn|data|mailto|refs?|h1)[:-]|\.\.\.|…"
    r"|^[\w-]+(?:\.[\w-]+)+\.[a-z]{2,10}(?::\d+)?$|^[\w.-]+\.(?:example|internal|local|inner|lan|"
    r"cluster)$|^\d-[A-Z][a-z]+$"
    r"|^[\w-]+(?:\.[\w-]+)*\.(?:[a-z]{2,5}|mp[34]|m4a|7z|h5|bz2|p12|db3|jp2|sqlite3)(?:[/:?#].*)?$|"
    r"^[A-Za-z_]\w*\.[a-z_]\w*\("
    r"|^(?:JVBERi0|iVBORw0KG|d09GMg|d09GRg|/9j/|R0lGOD|UEsDB|H4sIA|PHN2Zy|UklGR|AAAAB3NzaC1|"
    r"AAAAC3NzaC1|AAAAE2VjZHNh|aHR0c|data:)"
    r"|^(?:bc1|npub1|age1|lnbc|addr1|cosmos1)[a-z0-9]{20,}$|^[xyz]pub[1-9A-HJ-NP-Za-km-z]{60,}$|"
    r"^6L[\w-]{38}$|^GHSA-|^(?:XN|xn)--|^0x[0-9a-fA-F]{40}$|^T[1-9A-HJ-NP-Za-km-z]{33}$|"
    r"^=\?[\w-]+\?[BQ]\?|^00-[0-9a-f]{32}-|^BV1\w{9}$"
    r"|^(?:MIGfMA0G|MIGeMA0G|MII[BC]\wjAN|MFkwEwYH|MHYwEAYH|MCowBQYD|MII[DFGH]\w{2}CC)"  # certificates
    # Content ids, places on the map, pinned steps of a pipeline, machines of clouds.
    r"|^Qm[1-9A-HJ-NP-Za-km-z]{44}$|^baf[a-z2-7]{50,}$|^[2-9CFGHJMPQRVWX]{4,8}\+[2-9CFGHJMPQRVWX]{2,3}$"
    r"|^[\w.-]+/[\w./-]+@[0-9a-f]{7,40}$|^(?:i|d|s|m|rm|lb|eip|nat|ngw|acl|cn|r)-[0-9a-z]{16,24}$"
    r"|^(?:vpc|vsw|sg|ami|subnet|eni|vol|snap|rtb|igw|eipalloc|cus|evt|req|sub|prod|price|acct|ord|"
    r"pi|ch|cs|seti|po|tr|txn|pm|src|card|plan|si|in|"
    r"inv|usr|org|proj|chatcmpl|"
    r"pk_(?:live|test)|msg|thread|asst|GTM|UA|AW|G|CVE|RFC|ISO)[-_](?=[A-Z0-9a-z]*\d)"
)
# Numbers, dates, measures, versions, ids of tickets and parts, identifiers of programs.
_PLAIN = LazyPattern(
    r"(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}|[A-Z]\d{1,2}(?:-[A-Z]\d{1,2})+|\d{4}-[A-Z][a-z]+|"
    r"[\W\d_]+|(?!0\d+[a-z]{3,})[+-]?\d[\d.,:/-]*(?:[a-z%°]{1,5}|[A-Z]{1,3}|[KMGTPkm]i?[A-Za-z]{1,2}|"
    r"°[CF])?|\d+(?:[x*:/-]\d+)+[A-Za-z]{0,3}|v?\d+(?:\.\w{1,8}){1,4}(?:[-+]\w{1,12})*"
    r"|[A-Z]{1,6}[-_]?\d{1,30}(?:[-/.]\d{1,4})*|[a-z_][a-z]*(?:_[a-z]+)*|[A-Z_][A-Z]*(?:_[A-Z]+)*|"
    r"_+\w+|\w+__\w*"
    r"|[a-z]+(?:_[a-z]+)*_\d(?:_[a-z]+)*|[a-z]+-v?\d{1,2}[a-z]?|[A-Z]+(?:_[A-Z0-9]+)+|[a-z]{1,3}\d{1,2}"
    r"|[a-z]+(?:_[a-z0-9]+)+_[a-z]+|[a-z]+_[a-z]\d|(?:[A-Za-z]{2,5}|[a-z]{2,10})\.\d{1,2}(?:\.\d+)*|"
    r"\d{4}-?(?:q\d|w\d\d|h\d)"
    r"|(?:[A-Z][a-z]+)+|[a-z]+(?:[A-Z][a-z]+)+\d?|\d{1,3}-?[a-z]{1,12}(?:-[a-z]+)*|\d+-[a-z]{1,12}"
    r"(?:-[a-z]+)*|(?:[1-9]\d*|0)[a-z]{1,4}|[a-z_]\w*(?:\.[A-Za-z_]\w*){2,}|"
    r"[A-Za-z_]\w*\.[A-Z][A-Z_]+|[a-z]{1,4}\d{1,2}[a-z]?"
    r"|[A-Z]+v\d+(?:_\d)?|[A-Z]+(?:_[A-Z]+)*_[A-Z][A-Za-z]*v?\d{1,2}|(?:GMT|UTC)[+-]\d{1,4}|"
    r"U\+[0-9A-F]{4,6}"
    r"|20\d\d(?:[-_./]\w{2,9}|[A-Za-z]\w{1,8})(?:[-_./]\w{1,9})?|20\d{6}T?\d{2,6}Z?|"
    r"\d{1,2}[a-z]{3,9}\d{2,4}"
)
_LOWER_PARTS = LazyPattern(r"[a-z]{2,}(?:[-_][a-z]{2,})+[-_]\d{1,4}|[a-z]+(?:_[a-z]+)*_[a-z]+\d{1,2}")
_NAME_WITH_NUMBER = LazyPattern(
    r"[a-z]{2,6}\d{1,3}|[A-Z][a-z]{1,5}\d{1,2}|[A-Z]{2,}[a-z]?\d{1,4}[A-Z]?\d?"
)
_TECHNICAL = LazyPattern(
    r"(?i:apache|bsd|gpl|mit|sha|md|aes|des|rsa|dsa|ecdsa|hmac|pbkdf|argon|bcrypt|scrypt|wpa|wep|"
    r"oauth|openid|saml|utf|base|ipv|https?|tls|"
    r"ssl|x?ed|secp|curve|x509|pkcs|p\d{3}|chacha|blake|xxhash|crc|hs\d|rs\d|es\d|jwt|iso|rfc|cve|"
    r"gpt|llama|qwen|claude|"
    r"gemini|mistral|covid|windows|win\d|python|py\d|java|node|ubuntu|debian|fedora|centos|linux|"
    r"macos|ios|android|"
    r"intel|amd|arm|x86|cuda|rtx|gtx|usb|hdmi|wifi|bluetooth|bt\d|iphone|ipad|pixel|galaxy|excel|"
    r"office|photoshop|"
    r"numpy|torch|pandas|postgres|mysql|redis|kafka|k8s|s3|ec2|log4j|neo4j|h\.?26|mp[34]|ip\d|i18n|"
    r"l10n|a11y|"
    r"vec|conv|ntlm|kerberos|ldap|snmp|imap|pop3|smtp|rc\d|v\d+|nist|fips|ansi|ieee|gb\d|din)v?"
    r"(?![a-z])"
)
