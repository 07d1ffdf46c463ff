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
from memweir.store.secret_tokens import is_technical, token_kind
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
    "judge_alone",
    "judge_bare_pass",
    "judge_beside",
    "judge_chinese_key",
    "judge_chinese_password",
    "judge_code",
    "judge_figures",
    "judge_key",
    "judge_key_said",
    "judge_listed",
    "judge_named",
    "judge_named_key",
    "judge_pair",
    "judge_password",
    "judge_password_quoted",
    "judge_password_said",
    "judge_phrase",
    "judge_quoted",
    "judge_slashed",
    "judge_token",
    "judge_token_beside",
    "judge_told_phrase",
    "judge_usual_name",
    "judge_value_before",
    "judge_word_named",
]


def judge_password(match: re.Match[str], text: Folded) -> bool:
    value = _value(match, text)
    if _no_value(match, text, value) or (
        is_prose(value) and not (value.quoted and looks_secret(value.text))
    ):
        return False
    weak = match["sign"] in _WEAK_SIGNS or match["sign"].startswith("..")
    if weak and not (value.quoted and "=" in match["sign"]):
        figures = _FIGURES_ONLY.fullmatch(value.text) is not None and match["sign"].startswith("-")
        quoted = value.quoted and " " in value.text and _FIELDS_BESIDE.match(value.tail) is None
        made_up = match["sign"] != "|" and token_kind(value.text) in ("medium", "strong")
        return looks_secret(value.text) or quoted or (value.closes and (figures or made_up))
    if value.text.isdigit():
        return len(value.text) >= 3
    if _talked_about(match, text) and not value.quoted:
        return looks_secret(value.text)
    if match.group().startswith("passwd") and text.lower[match.start() - 1 : match.start()] == "/":
        return False  # the file /etc/passwd
    if _CJK.fullmatch(value.text) and not value.quoted:
        return 2 <= len(value.text) <= 16 and value.closes
    if match["sign"] == ":" and not value.quoted and _SAID_OF_IT.fullmatch(value.text):
        return False  # "Password: expired"
    if "phrase" in match.group() and is_word_list(value, least=3):
        return True
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
        return len(value.text) >= 2 and (" " in value.text or not is_adjective(value.text))
    if is_word_list(value):
        return True
    if value.text.isdigit():
        return len(value.text) >= 4
    if _CJK.fullmatch(value.text):
        told = match.group().startswith(("暗", "口令"))  # words that are said, sentences among them
        return (
            2 <= len(value.text) <= 12
            and value.closes
            and (told or not _CJK_FUNCTION.search(value.text))
        )
    if not value.closes or len(value.text) < 3:
        return False
    if is_technical(value.text):
        return False
    if _WORD_AND_NUMBER.fullmatch(value.text):
        return True
    if "-" in value.text or ("_" in value.text and _NAMES_ITSELF.search(value.text) is None):
        return _is_passphrase(value.text.replace("_", "-"))
    return value.text.isalpha() and not is_adjective(value.text)


def judge_key(match: re.Match[str], text: Folded) -> bool:
    value = _value(match, text)
    if _no_value(match, text, value) or is_prose(value) or value.text.isdigit() or " " in value.text:
        return False
    if sum(map(str.isalnum, value.text)) < 3:
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
    if _PART_OF.search(text.lower[max(0, match.start() - 32) : match.start()]):
        return False  # "the fingerprint of the signing key is …"
    return looks_secret(value.text, least=6) or (value.quoted and len(value.text) >= 12)


def judge_code(match: re.Match[str], text: Folded) -> bool:
    value = _value(match, text)
    if is_pointer(value) or not value.closes or is_prose(value):
        return False
    granted = match.group().startswith(("access", "auth", "entry", "login", "room", "meeting"))
    if granted and (_LETTERS_OF_CHANCE.fullmatch(value.text) or _MARKED_CODE.fullmatch(value.text)):
        return True
    if match.group().startswith(("security", "cv")) and re.fullmatch(r"\d{3}", value.text):
        return True
    if not is_code(value.text):
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


def judge_listed(match: re.Match[str], text: Folded) -> bool:
    """`network Plover, password tidepool`: in a list of a login's parts a plain word will do."""
    group = "value" if match["value"] is not None else "second"
    value = read_value(text.exact[match.start(group) : match.end(group)])
    if is_pointer(value) or is_prose(value) or not value.closes or is_adjective(value.text):
        return False
    return (
        len(value.text) >= 4
        and value.text.lower() not in _NO_PASSWORDS
        and _LOGIN_PART.search(text.lower[max(0, match.start() - 70) : match.start()]) is not None
    )


def judge_word_named(match: re.Match[str], text: Folded) -> bool:
    """`the password is just the word rhubarb`."""
    value = _value(match, text)
    return (
        value.closes and len(value.text) >= 4 and not is_prose(value) and not is_adjective(value.text)
    )


def judge_usual_name(match: re.Match[str], text: Folded) -> bool:
    """`admin:Wintergreen5`, `root with toor`."""
    value = _value(match, text)
    if is_pointer(value) or is_prose(value) or not value.text:
        return False
    if match["sign"] in (":", "/"):
        kind = token_kind(value.text.rstrip("!"))
        if kind == "weak":
            return match.group().endswith("/ ")
        return kind == "strong" or (kind == "medium" and value.tail[:1] not in ("/", "."))
    return (
        value.closes and value.text.isalnum() and len(value.text) >= 4 and not is_adjective(value.text)
    )


def judge_beside(match: re.Match[str], text: Folded) -> bool:
    """No sign and no verb, so only what no sentence would hold."""
    value = _value(match, text)
    if (
        match.group().rstrip().endswith("phrase")
        and is_word_list(value)
        and _WITH.search(text.lower[max(0, match.start() - 16) : match.start()])
    ):
        return True
    if is_pointer(value) or is_prose(value) or not value.closes:
        return False
    if (
        not match.group().isascii()
        and _LONG_WORD.fullmatch(value.text)
        and not value.tail.strip(" .。,!")
    ):
        return not is_adjective(value.text)  # Chinese spelt in letters
    if value.text.isdigit():
        return len(value.text) >= (
            4 if _IS_CHINESE.match(match.group()) and not value.tail.strip(" .。,!") else 6
        )
    if _WORD_AND_NUMBER.fullmatch(value.text) and not is_technical(value.text):
        return not match.group().isascii()
    return looks_secret(value.text)


def judge_token_beside(match: re.Match[str], text: Folded) -> bool:
    value = _value(match, text)
    if is_pointer(value) or is_prose(value) or not value.closes or _talked_about(match, text):
        return False
    if value.text.lower().startswith(("id:", "id=", "ids:")):
        return False
    if _LETTERS_OF_CHANCE.fullmatch(value.text) and not match.group().isascii():
        return True  # the sixteen letters that mail services give for a password
    return looks_secret(value.text, least=12)


def judge_quoted(match: re.Match[str], text: Folded) -> bool:
    """`IDENTIFIED BY 'hunter2'`, `setPassword("hunter2")`; not `("password", "email")`."""
    value = _value(match, text)
    if not value.quoted or not value.text or is_pointer(value) or is_prose(value):
        return False
    the = (
        text.lower[max(0, match.start() - 4) : match.start()] == "the "
        and _FIELD_WORD.match(value.tail) is None
    )
    if the and value.text.isalpha() and len(value.text) >= 5 and not is_adjective(value.text):
        return True
    joined = text.lower[max(0, match.start() - 1) : match.start()]
    if (joined.isalpha() or joined == "_") and value.text.isalpha() and len(value.text) >= 5:
        return not is_adjective(value.text)
    if "phrase" in match.group() and len(value.text.split()) >= 3 and value.text.islower():
        return True
    psk = match.group().startswith("psk") and len(value.text) >= 8
    return looks_secret(value.text) or psk or match.group().startswith("identified")


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
    said = match.group().startswith(("cred", "basic", "账", "帐", "用户名"))
    plain = value.text.isalpha() and len(value.text) >= 4 and not is_adjective(value.text)
    closes = value.closes or _WHERE.match(value.tail) is not None
    return closes and len(value.text) >= 3 and (match["name"] in _USUAL_NAMES or (said and plain))


def judge_bare_pass(match: re.Match[str], text: Folded) -> bool:
    """`DB_PASS=hunter2`, but not "PASS: 12 tests", "first_pass=1", "compass: north"."""
    value = _value(match, text)
    if (
        _no_value(match, text, value)
        or is_prose(value)
        or (value.text.isdigit() and len(value.text) < 4)
    ):
        return False
    around = text.lower[max(0, match.start() - 60) : match.end() + 60]
    if match.group().startswith(('pass"', "pass'")) and value.quoted and _LOGIN_PART.search(around):
        return len(value.text) >= 3
    if (
        _PASS_LINE.search(text.lower, max(0, match.start() - 16), match.end("value"))
        and value.text.isalpha()
    ):
        return len(value.text) >= 5 and value.text.islower() and not is_adjective(value.text)
    left = text.exact[max(0, match.start() - 24) : match.start()]
    word = text.exact[match.start() : match.start() + 4]
    if word == "PASS" and _UPPER_OWNER.search(left):
        return len(value.text) >= 3
    joined = left[-1:] in ("_", "-") or (word == "Pass" and left[-1:].islower())
    if left[-1:].isalnum() and not joined:
        return False
    if joined:
        owner = re.split(r"[^A-Za-z0-9]|(?<=[a-z0-9])(?=[A-Z])", left.rstrip("_-"))[-1].lower()
        return word == "PASS" or owner in _OWNERS or looks_secret(value.text)
    if word == "PASS" and match["sign"] != "=":
        return not value.tail.strip() and token_kind(value.text) in ("strong", "medium")
    return value.closes and looks_secret(value.text)


def judge_account(match: re.Match[str], text: Folded) -> bool:
    """Beside a user name a plain word is a password too: `admin / letmein`."""
    value = _value(match, text)
    if is_pointer(value) or is_prose(value) or is_adjective(value.text):
        return False
    return len(value.text) >= 3 and value.closes and value.text.isascii()


def judge_password_quoted(match: re.Match[str], text: Folded) -> bool:
    """`口令“芝麻开门三六九”`: quoted or bracketed right behind the word."""
    value = read_value(text.exact[match.start("value") : match.end("value")].translate(_TO_QUOTES))
    if not value.quoted or is_pointer(value) or is_prose(value):
        return False
    return looks_secret(value.text) or (_CJK.fullmatch(value.text) is not None and len(value.text) >= 4)


def judge_slashed(match: re.Match[str], text: Folded) -> bool:
    """`bauer / Keller.Nr.12`: a name and what nobody would call a second one."""
    value = _value(match, text)
    kind = token_kind(value.text.rstrip("!") if value.text[-1:] == "!" else value.text)
    return kind == "strong" or (kind == "medium" and match["name"].islower() and value.closes)


def judge_named_key(match: re.Match[str], text: Folded) -> bool:
    """The key of a network named before it."""
    value = _value(match, text)
    return value.closes and len(value.text) >= 6 and not is_pointer(value) and not is_prose(value)


def judge_phrase(match: re.Match[str], text: Folded) -> bool:
    """Several plain words that are no sentence: `"nine tin whistles"`, `xiao yan zi chuan hua yi`."""
    value = _value(match, text)
    if value.quoted:
        chinese = _CJK.fullmatch(value.text) is not None and 2 <= len(value.text) <= 16
        return (chinese or 2 <= len(value.text.split()) <= 12) and not is_pointer(value)
    return is_word_list(value)


def judge_told_phrase(match: re.Match[str], _: Folded) -> bool:
    """`passphrase for the ledger: four quiet lamps beneath the pier`: no talk about one."""
    return _NO_PHRASE.search(match["value"]) is None


def judge_alone(match: re.Match[str], text: Folded) -> bool:
    """The word alone on a line, and a single token alone on the next."""
    value = _value(match, text)
    if is_pointer(value) or is_prose(value):
        return False
    return token_kind(value.text) is not None or _COMPOUND.fullmatch(value.text) is not None


def judge_value_before(match: re.Match[str], text: Folded) -> bool:
    """`hunter2 is my password`, `hunter2 是我的密码`: the value stands before."""
    stretch = text.exact[max(0, match.start() - 80) : match.start()]
    found = _LAST_TOKEN.search(stretch)
    if found is None:
        return False
    value = Value(found["token"], False, "")
    noun = match["noun"] if "noun" in match.re.groupindex else ""
    if "://" in found["token"] or "//" in stretch[found.start() : found.end()]:
        return False
    if value.text.isdigit():
        return len(value.text) >= 4 and noun != "" and _YEAR.fullmatch(value.text) is None
    if noun in ("key", "code", "pin"):
        if (
            _NO_ONES_KEY.search(match.group())
            or "://" in stretch[found.start() - 60 if found.start() > 60 else 0 :]
        ):
            return False
        return token_kind(value.text) in ("key", "strong")
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
    if sign == ":" and before in ('"', "'", "`") and before not in between:
        rest = text.lower[match.end("sign") : match.end("sign") + 4].lstrip()
        if rest[:1] == before:
            return True  # `the "passwd:" line`, `read -p "Password: "`
    if (
        _NEXT_FIELD.match(match["value"])
        and "\n" in text.lower[match.end("sign") : match.start("value")]
    ):
        return True  # `DB_PASSWORD=` alone, the next line another field's
    if sign == ":" and "()" in between:
        return True  # `def password(): …`
    if match["value"].startswith("//"):
        return True  # `… <https://example.com>`
    if sign == ":" and ")" in between and "(" not in between and not looks_secret(value.text):
        return True  # `(read_password): Break in two`
    if sign == ">":
        start = match.start() - len(_left(match, text))
        if "<" not in match.group() and token_kind(value.text) in ("key", "hex"):
            return False
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
    if match["verb"] is None or match["verb"].strip() != "to":
        return True  # "the password, it's …" has no verb of its own
    return _SETTING.search(text.lower[max(0, match.start() - 32) : match.start()]) is not None


def _is_program(match: re.Match[str], text: Folded) -> bool:
    """An assignment of program text: to an attribute, or of several names at once."""
    left = _left(match, text)
    start = match.start() - len(left)
    if left.count(".") >= 1 and _PROPERTY.match(text.lower, start) and not left.startswith(_OBJECTS):
        return False  # `spring.datasource.password=…`, a line of settings
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


_NO_PASSWORDS: Final = words(
    """
    mismatch verification failure error reminder update notice expiration history complexity lockout
    attempt attempts guess guesses leak leaks breach manager hash change reset check
    """
)
_FIELD_WORD = LazyPattern(
    r"\s*(?:field|column|key|parameter|option|argument|attribute|property|label|input|prompt|box|"
    r"button|flag|string|value|variable|"
    r"entry|word|is required|must|should|in the|to be)(?![a-z])"
)
_PART_OF = LazyPattern(
    r"(?<![a-z])(?:fingerprint|hash|checksum|digest|sha\d*|md5|ids?|name|length|version|serial|"
    r"thumbprint|alias|age|size|path|url|number|type|format|"
    r"status|owner|location|expiry|lifetime|count) (?:of|for) (?:the |our |a |this )?(?:\w+ ){0,2}\Z"
)
_PASS_LINE = LazyPattern(
    r"(?:^|\n)(?:export |set )?[ \t]*pass[ \t]?[:=][ \t]?[\"']?[a-z]+[\"']?[ \t]*(?:\n|$)"
)
_UPPER_OWNER = LazyPattern(
    r"(?:DB|SQL|PG|SMTP|MAIL|FTP|LDAP|ROOT|ADMIN|USER|APP|REDIS|WIFI|AUTH|LOGIN)$"
)
_PROPERTY = LazyPattern(
    r"(?<![^\n\s])[a-z][\w-]*(?:\.[\w-]+)+[ \t]?=[ \t]?(?!(?:pass|pwd|secret|token|key|value|none|"
    r"null|self)\w*\b)\S+[ \t]*(?:\n|$)"
)
_OBJECTS: Final = (
    "self.",
    "this.",
    "cls.",
    "obj.",
    "user.",
    "request.",
    "req.",
    "data.",
    "form.",
    "event.",
    "config.",
    "settings.",
)
_SAID_OF_IT = LazyPattern(r"[a-z]+(?:ed|able|ible)|[A-Za-z]+'s")
_LONG_WORD = LazyPattern(r"[a-z]{8,32}")
_YEAR = LazyPattern(r"(?:19|20)\d\d")
_TO_QUOTES: Final = str.maketrans("[](){}《》", '""""""""')
_WITH = LazyPattern(r"(?<![a-z])(?:with|using|by|via|use|enter|type)(?: the| a| my| its)?[ \t]\Z")
_LOGIN_PART = LazyPattern(
    r"(?<![a-z])(?:users?|username|login|account|network|wi-?fi|wlan|ssid|admin|root|host|server|"
    r"called|name|router|guest|"
    r"as|ftp|vpn|mail|portal|site)(?![a-z])|账号|帐号|账户|用户|网络|管理员|@"
)
_COMPOUND = LazyPattern(r"[A-Za-z]{3,16}(?:[-.][A-Za-z]{2,16}){1,4}[-.]?\d{0,6}|[A-Z][a-z]{3,}-\d{1,6}")
_NO_PHRASE = LazyPattern(
    r"(?<![a-z])(?:see|ask|stored|kept|is|are|was|were|must|should|with|use|used|vault|same|not|no|"
    r"never|rotate|missing|unknown|length|characters|"
    r"words|please|changed|manager|we|you|they|it|to be|as|at least|a random|a sequence|a string)"
    r"(?![a-z])"
)
_WORD_AND_NUMBER = LazyPattern(r"[a-z]{4,}-\d{1,6}")
_WHERE = LazyPattern(r"[ \t](?:on|for|at|by|in|until|everywhere)[ \t]")
_NO_ONES_KEY = LazyPattern(
    r"(?<![a-z])(?:host|public|primary|foreign|publishable|peer|partition|sort|cache)[ \t]key"
)
_MARKED_CODE = LazyPattern(r"[A-Z]{2,8}-\d{3,6}")
_LETTERS_OF_CHANCE = LazyPattern(r"[a-z]{16}|[A-Z]{16}")
_NEXT_FIELD = LazyPattern(r"[\"'`]?[A-Za-z_][\w.-]{0,40}[\"'`]?(?:=|:\s)")
_FIELDS_BESIDE = LazyPattern(r"[ \t]*[,|)\]][ \t]*[\"'`]")
_WEAK_SIGNS: Final = ("|", "~", "==", "===", "-", "--", "//", ";", "/")  # a table, a comparison, a dash
_SETTING = LazyPattern(
    r"(?<![a-z])(?:re)?(?:set|chang|updat|switch|rotat)(?:e|es|ed|ting|ing)?(?![a-z])"
)
_IS_CHINESE = LazyPattern(r"[\u3400-\u9fff]")
_NO_SETTING = LazyPattern(
    r"(?:file|path|name|ref|policy|length|limit|count|ttl|expiry|enabled|type|url|"
    r"hash)[\"']?\s{0,20},?\s{0,20}[\"']?value"
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
    r"pad|mask|unk|sep|cls|special|end|start|first|last|current|prev|input|output|prompt|completion|"
    r"total|per|count|"
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
