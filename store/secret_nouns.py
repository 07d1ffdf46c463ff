"""Which words name a credential? "password", "api key", "密码" and their kin, by family.

A word alone proves nothing: people talk about passwords all day. The tables of rules say what has to
stand around it. To add a word, add it to its family's pattern and hints.

Every alternative of an anchor's pattern begins with a plain character, and looks behind only after it:
so the regular expression engine leaps from one possible beginning to the next.
"""

from __future__ import annotations

from typing import Final

from memweir.store.folding import fold
from memweir.store.gate_rules import Anchor, LazyPattern

__all__ = [
    "AT_CHINESE_CODE",
    "AT_CHINESE_KEY",
    "AT_CHINESE_PASSWORD",
    "AT_CODE",
    "AT_KEY",
    "AT_PASSWORD",
    "AT_TOKEN",
    "CHINESE_CODES",
    "CHINESE_CREDENTIALS",
    "CHINESE_KEYS",
    "CHINESE_PASSWORDS",
    "CODE",
    "CODE_HINTS",
    "CREDENTIALS",
    "DOOR_CODE",
    "KEY",
    "KEY_HINTS",
    "PASSWORD",
    "PASSWORD_HINTS",
    "SENT_CODE",
    "TOKEN",
    "TOKEN_HINTS",
]


def _word(text: str) -> str:
    """A word with no letter before it, its first character in front."""
    return rf"{text[0]}(?<![a-z]{text[0]}){text[1:]}"


_OTHER_LANGUAGES: Final = tuple(
    fold(word).lower
    for word in (
        *("passwort", "kennwort", "contraseña", "mot de passe", "wachtwoord", "palavra-passe", "senha"),
        *("lösenord", "salasana", "adgangskode", "passord", "heslo", "hasło", "şifre", "jelszó"),
        *("пароль", "пароля", "кодовое слово", "パスワード", "暗証番号", "비밀번호", "암호"),
    )
)
_CHINESE_SPELT: Final = (r"m(?<![a-z]m)i ?ma(?![a-z])", r"k(?<![a-z]k)ou ?ling(?![a-z])")
PASSWORD: Final = "|".join(
    (
        r"pass[ _.*-]?(?:word|wd|phrase|code)|p[a@4][s5$]{2}phrase|p[@4][s5$]{2}(?![a-z])",
        r"pass\(word\)|p[a@4][s5$]{1,2}w(?:[o0]r?d|r?o?d|[*.]rd)",
        r"p(?<![a-z]p)(?:/w|-?word)|p(?:(?<![a-z]p)|(?<=[_-]p))(?:wd|w)|p(?<![a-z]p)s(?:wd?|k)",
        r"(?:mysql|sql|pg)_?pwd",
        r"pre-?shared[ _-]?key|shared secret|(?:wi-?fi|wlan|network|wpa[23]?)[ _-]?(?:key|code)",
        r"(?:secret|code|safe)[ -]word|watchword",
        *map(_word, _OTHER_LANGUAGES),
        *_CHINESE_SPELT,
    )
)
PASSWORD_HINTS: Final = (
    *("passw", "pass_w", "pass-w", "passphrase", "pass_p", "pass-p", "passcode", "pass_c", "pass-c"),
    *("pass(w", "pass.w", "pass*w"),
    *("p@s", "p4s", "pa5", "pa$", "pasw", "pw", "psw", "wificode", "wi-ficode"),
    *(
        "p/w",
        "pword",
        "p-word",
        "psk",
        "sharedsecret",
        "pre-shared",
        "preshared",
        "wifikey",
        "wi-fikey",
        "wlankey",
        "networkkey",
        "wpakey",
        "wpa2key",
        "wpa3key",
        "tword",
        "eword",
        "t-word",
        "e-word",
        "watchword",
    ),
    *("mima", "kouling"),
    *("".join(word.split()) for word in _OTHER_LANGUAGES),
)
KEY: Final = (
    r"(?:access|account|activation|admin|api|app|application|auth|mch|partner|client|consumer|cookie|"
    r"deploy|"
    r"encrypt(?:ion)?|cipher|hmac|jwt|licen[cs]e|master|private|product|recovery|secret|serial|"
    r"service|session|"
    r"shared[ _-]?access|signature|signing|ssh|storage|stream|subscription|webhook|"
    r"wi-?fi|wlan|wpa[23]?|network)[ _.-]?"
    r"(?:key|secret)(?:[ _-]?(?:secret|key))?(?![ _-]?ids?(?![a-z]))|secret[ _-]?access[ _-]?key(?![ "
    r"_-]?ids?(?![a-z]))"
)
KEY_HINTS: Final = ("key", "secret")
TOKEN: Final = r"token|s(?<![a-z]s)ecret"
TOKEN_HINTS: Final = ("token", "secret")
# Codes that are sent, and codes that open a door.
SENT_CODE: Final = (
    r"(?:verification|security|one[ -]time|2fa|authenticator|confirmation|backup|recovery)"
    r"[ -](?:pass)?code|t(?<![a-z]t)otp|o(?<![a-z]o)tp|c(?<![a-z]c)v(?:v2?|c)"
)
_DOORS: Final = r"(?:alarm|door|entry|garage|gate|lock|locker|safe|unlock|vault|keypad|house|building)"
DOOR_CODE: Final = rf"{_DOORS}[ -]code|c(?<![a-z]c)ode (?:to|for|of) (?:the|my|our) {_DOORS}"
CODE: Final = (
    rf"{SENT_CODE}|{DOOR_CODE}|p(?<![a-z]p)(?:in|uk)(?:[ -]?(?:code|number))?"
    r"|(?:login|access|auth(?:oriz?s?ation)?|entry|room|meeting)[ ._-]?code"
)
CODE_HINTS: Final = (
    *("code", "otp", "cvv", "cvc", "pinis", "pin:", "pin=", "pin-", "pinnumber", "pin码", "puk"),
)
CHINESE_PASSWORDS: Final = (
    "密码",
    "口令",
    "通行码",
    "解压码",
    "暗号",
    "暗语",
    "暗码",
    "密语",
    "密马",
    "蜜码",
    "迷码",
)
CHINESE_KEYS: Final = (
    *("密钥", "秘钥", "私钥", "金钥", "密匙", "秘匙", "令牌", "凭证", "凭据", "授权码", "激活码"),
    *("注册码", "推流码", "加密串"),
)
CHINESE_CODES: Final = (
    *("验证码", "校验码", "动态码", "安全码", "提取码", "访问码", "门禁码", "pin码", "puk码"),
    *(
        "解锁码",
        "开箱码",
        "开锁码",
        "入会码",
        "会议码",
        "登录码",
        "解密码",
        "查看码",
        "分享码",
        "进门码",
        "房门码",
        "锁屏码",
        "开门码",
        "取件码",
        "取款码",
        "配对码",
        "短信码",
    ),
)

CREDENTIALS: Final = f"{PASSWORD}|{KEY}|{TOKEN}|{CODE}"
"""The words of all families, as a pattern over lower-cased text."""

CHINESE_CREDENTIALS: Final = "|".join((*CHINESE_PASSWORDS, *CHINESE_KEYS, *CHINESE_CODES))
"""The Chinese ones."""

AT_PASSWORD: Final = Anchor("password", LazyPattern(f"(?:{PASSWORD})"))
AT_KEY: Final = Anchor("key", LazyPattern(f"(?:{KEY})"))
AT_TOKEN: Final = Anchor("token", LazyPattern(f"(?:{TOKEN})"))
AT_CODE: Final = Anchor("code", LazyPattern(f"(?:{CODE}|{'|'.join(CHINESE_CODES)})"))
AT_CHINESE_PASSWORD: Final = Anchor("chinese-password", LazyPattern("|".join(CHINESE_PASSWORDS)))
AT_CHINESE_KEY: Final = Anchor("chinese-key", LazyPattern("|".join(CHINESE_KEYS)))
AT_CHINESE_CODE: Final = Anchor("chinese-code", LazyPattern("|".join(CHINESE_CODES)))
