"""Does one field name the credential that another holds? Titles, keys, tags, questions, relations.

"What is the WiFi password?" and "hunter2" are harmless alone. A label counts when it is a noun phrase
about a credential ("our WiFi password", "服务器密码是多少"), not a sentence ("I forgot my password")
nor about something else ("password policy"). The looser the tie of the two fields, the more the
value itself must look like a credential.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from memweir.store.folding import Folded, fold
from memweir.store.gate_rules import Finding, LazyPattern
from memweir.store.secret_nouns import CHINESE_CREDENTIALS, CREDENTIALS
from memweir.store.secret_rules import SECRET_RULES
from memweir.store.secret_values import (
    FUNCTION_WORDS,
    PROSE_WORDS,
    is_adjective,
    is_word_list,
    looks_secret,
    read_value,
    words,
)

__all__ = ["Tie", "credential_word", "pair_finding"]

Tie = Literal["said", "beside", "loose"]
"""How a label is tied to a value.

said: the value is all that is said under the label (a question's answer, a title's text): any value.
beside: two fields of one memory, such as text and tag: what no word or name looks like.
loose: a field that holds names (speaker, scene): only what nobody is called.
"""

_LABEL_LIMIT: Final = 120  # characters
_VALUE_LIMIT: Final = 160
_MOST_WORDS: Final = 6  # before the credential's word in a label


def pair_finding(label: Folded, value: Folded, *, tie: Tie) -> Finding | None:
    """The rule by which label and value together are a credential; None where they are none."""
    word = credential_word(label)
    if word is None or not value.original.strip() or len(value.original) > _VALUE_LIMIT:
        return None
    stated = _stated(value.exact)
    if not _may_be_value(stated, word, tie):
        return None
    if word == "pin":  # "PIN: 400001" may be a place in India; said of itself it is none
        word = "passcode"
    return SECRET_RULES.first(fold(f"{word}: {stated}"))


def credential_word(label: Folded) -> str | None:
    """ "What is the WiFi password for the office?" → "password"; None where the label is none."""
    if len(label.original) > _LABEL_LIMIT:
        return None
    if label.lower.isascii() and _HINT.search(label.lower) is None:
        return None
    phrase = _ASIDE.pattern.sub("", label.lower.strip().strip(_MARKS).strip())
    asked = _ASKED.pattern.sub("", phrase)
    asked = _ASKED_ZH.pattern.sub("", _CLOSED_ZH.pattern.sub("", asked)).strip().strip(_MARKS)
    if _DEFINED_ZH.match(phrase):
        return None
    found = _ENDS_IN_WORD.search(asked)
    if found is None and asked != phrase:
        found = _ASKED_WORD.search(asked)
    if found is None:
        return None
    before = asked[: found.start("word")]
    if _NO_LABEL_ZH.search(before):
        return None
    leading = [each for each in _BREAKS.pattern.split(before) if each]
    if len(leading) > _MOST_WORDS or any(each in _NO_LABEL for each in leading):
        return None
    return found["word"]


def _stated(value: str) -> str:
    """A value without what introduces it: "It is hunter2." → "hunter2."."""
    return _LEAD_IN.pattern.sub("", value.strip(), count=1).strip()


def _may_be_value(stated: str, word: str, tie: Tie) -> bool:
    value = read_value(stated)
    if not value.text or _KEPT.search(stated.lower()) is not None:
        return False
    several = stated.strip(_MARKS).split()
    alone = len(several) == 1 or value.quoted
    if tie == "loose":
        return alone and _is_made_up(value.text)
    is_code = _CODE_WORD.search(word) is not None
    figures = re.fullmatch(r"(?!(?:19|20)\d\d$)\d{4,8}", value.text) is not None and is_code
    if tie == "beside":
        strong = looks_secret(value.text, least=6) if _PASSWORD_WORD.search(word) else False
        return alone and (strong or figures or _is_made_up(value.text))
    if alone or figures or _PAIR_WORD.search(word) is not None:
        return True
    if looks_secret(value.text, least=6) or is_word_list(value):
        return True
    # Two to five plain words and no sentence: a passphrase.
    return len(several) <= 5 and all(
        each.isascii() and each.isalpha() and each.islower() and not is_adjective(each)
        for each in several
    )


def _is_made_up(text: str) -> bool:
    """Letters in both cases or symbols, with digits among them, as no name mixes them."""
    if len(text) < 8 or not looks_secret(text) or not any(each.isdigit() for each in text):
        return False
    if re.search(r"[!@#$%^&*+=~]", text) is not None:
        return True
    inside = re.search(r"[a-z]", text) is not None and re.search(r"[A-Z]", text) is not None
    return inside or (len(text) >= 20 and text.isalnum())


_HINT = LazyPattern(  # in every word of the families that is written in plain letters
    r"pas|p@s|pwd|ps?w|p/w|key|secret|token|pin|code|otp|cv[vc]|credential|login|wort|woord|senha|"
    r"contras"
)
_MARKS: Final = "?!.。、…,;:~\"'` \t\r\n"
_ASIDE = LazyPattern(r"(?:\s+(?:is|was|again|now|today|currently|please|right now|these days|here))+$")
_ASKED = LazyPattern(
    r"^(?:(?:hey|so|and|please|can you|could you|do you (?:know|remember|have)|tell me|"
    r"remind me(?: of)?|give me)[,\s]+)*"
    r"(?:(?:what|which)(?:['’]?s|\s+(?:is|was|are|were))?(?![a-z])\s*)?"
)
_ASKED_ZH = LazyPattern(r"^(?:请问|请?告诉我|你?(?:还)?(?:知道|记得)|请)+")
_CLOSED_ZH = LazyPattern(r"(?:\s*(?:是|为)?(?:什么|多少|啥|哪个|几)?[呢吗呀啊来着]*)\s*$")
_DEFINED_ZH = LazyPattern(r"^(?:请问)?(?:什么|啥)(?:是|叫)")
_WORD: Final = (
    rf"(?P<word>{CREDENTIALS}|{CHINESE_CREDENTIALS}"
    r"|(?<![a-z])pass|(?<![a-z])credentials?|(?<![a-z])logins?)"
)
_ENDS_IN_WORD = LazyPattern(rf"{_WORD}s?(?:\s+(?:for|of|to|on|in|at|from)\s[^?:=]{{1,60}})?$")
_ASKED_WORD = LazyPattern(rf"{_WORD}s?\s+(?:do|does|did|should|must|can|to)\s[^?:=]{{1,60}}$")
_BREAKS = LazyPattern(r"[^\w'’]+|_+")
_PASSWORD_WORD = LazyPattern(
    r"pass|pwd|pw|密码|口令|暗号|通行码|wort|wachtwoord|senha|парол|パス|暗証|비밀"
)
_CODE_WORD = LazyPattern(r"pin|code|otp|cv[vc]|码|口令")
_PAIR_WORD = LazyPattern(r"^(?:credential|login)")
_LEAD_IN = LazyPattern(
    r"^(?:(?:it|that|this|they|the answer|answer)(?:['’]s|\s+(?:is|was|are))\s*(?:now\s+)?:?\s*"
    r"|(?:just\s+)?(?:use|try|type|enter)\s+|[:=]\s*"
    r"|(?:它|这|那|答案|应该|现在)?(?:就?是|为|用|叫)的?\s*:?\s*)",
    re.IGNORECASE,
)
_KEPT = LazyPattern(  # where credentials are kept or who is asked for them
    r"vault|keychain|keyring|bitwarden|1password|lastpass|keepass|dashlane|proton|manager|doppler|"
    r"infisical|"
    r"wiki|reception|desk|sticker|whiteboard|notebook|drawer|router|envelope|safe\b|passkey|sso|"
    r"保险|管理器|前台|便签|贴|白板|文档"
)
_NO_LABEL: Final = (
    (PROSE_WORDS | FUNCTION_WORDS)
    - words(
        """
        access all current data email encryption field first good help her his last mail main my new old
        open our page personal private public recovery safe screen secure share sign that the their
        this type user your
        """
    )
) | words(
    "a an i stores keeps holds manages forgot forget remember lost reset renew typed entered asked "
    "needs wrong how who why"
)
_NO_LABEL_ZH = LazyPattern(
    r"怎|如何|为什么|为何|谁|哪里|哪儿|何时|什么时候|多久|能不能|能否|可以|是否|忘|改|重置|设[置定]|"
    r"换|找回|没|需要|不|"
    r"[我你他她]们?(?:要|想|把|用)|请|输入|使用|保存|存"
)
