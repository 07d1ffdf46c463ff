"""Which texts let somebody back in? Recovery phrases, backup codes, one-time seeds, wallets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memweir.store.folding import Folded
from memweir.store.gate_rules import LazyPattern, Rule, hints

__all__ = ["RECOVERY_RULES", "recovery_phrase"]

_PHRASE_LENGTHS: Final = (12, 15, 18, 21, 24, 25)
_LABELLED_LENGTH: Final = 6  # words in a row behind a label; a phrase is often told in parts


def recovery_phrase(text: Folded) -> tuple[int, int] | None:
    """Offsets in `lower` of a whole recovery phrase that no word announces.

    Words of the list in a row, as many as a phrase has; prose of that length always holds a word that
    is not in the list, such as "the", "of" or "is".
    """
    from memweir.store.secret_phrase_words import CHINESE_PHRASE_CHARACTERS

    if not text.lower.isascii() and text.lower.count(" ") > 10:
        for match in _CHINESE_RUN.finditer(text.lower):
            run = match.group().split()
            if len(run) in _PHRASE_LENGTHS and all(each in CHINESE_PHRASE_CHARACTERS for each in run):
                return match.span()
    if not _may_hold_phrase(text.lower):
        return None
    for start, end, count in _rows(text.lower):
        if count in _PHRASE_LENGTHS:
            return start, end
    return None


def _may_hold_phrase(text: str) -> bool:
    """A look at single words first: few texts hold twelve of the list at all."""
    from memweir.store.secret_phrase_words import ENGLISH_PHRASE_WORDS

    if not text.isascii() and sum(map(text.count, " ,、")) < _PHRASE_LENGTHS[0] - 1:
        return False
    words = text.translate(_TO_SPACES).split()
    return sum(map(ENGLISH_PHRASE_WORDS.__contains__, words)) >= _PHRASE_LENGTHS[0]


def _rows(text: str) -> Iterator[tuple[int, int, int]]:
    """Rows of words of the list with nothing but marks and numbers between: start, end, how many."""
    from memweir.store.secret_phrase_words import ENGLISH_PHRASE_WORDS

    count = start = end = 0
    for match in _WORDS.finditer(text):
        known = match["word"] in ENGLISH_PHRASE_WORDS
        if (
            known
            and count
            and match.start() - end <= _BETWEEN
            and _GAP.fullmatch(text, end, match.start())
        ):
            count, end = count + 1, match.end()
            continue
        if count > 1:
            yield start, end, count
        count, start, end = int(known), match.start(), match.end()
    if count > 1:
        yield start, end, count


def _judge_phrase(match: re.Match[str], text: Folded) -> bool:
    from memweir.store.secret_phrase_words import CHINESE_PHRASE_CHARACTERS

    stretch = text.lower[match.end() : match.end() + 400]
    if any(count >= _LABELLED_LENGTH for _, _, count in _rows(stretch)):
        return True
    chinese = _CHINESE_RUN_SHORT.search(stretch)
    if chinese is None:
        # Invented words count too, where they are told one after another as a phrase is.
        return _WORD_ROW.match(stretch) is not None
    characters = [each for each in chinese.group() if not each.isspace() and each not in ",、"]
    known = sum(each in CHINESE_PHRASE_CHARACTERS for each in characters)
    return len(characters) >= _LABELLED_LENGTH and known >= 0.75 * len(characters)


def _judge_codes(match: re.Match[str], text: Folded) -> bool:
    """Codes behind "backup codes": digits among them, and no date or count."""
    found = _CODES.pattern.findall(match["value"])
    return any(any(c.isdigit() for c in each) and not _PLAIN_NUMBER.fullmatch(each) for each in found)


def _judge_seed(match: re.Match[str], text: Folded) -> bool:
    value = re.sub(r"[\s-]", "", text.exact[match.start("value") : match.end("value")])
    if len(value) < 16:
        return False
    return value.isupper() or (value.islower() and any(c.isdigit() for c in value))


def _judge_base58(match: re.Match[str], _: Folded) -> bool:
    value = match["value"]
    return any(c.isdigit() for c in value) and value != value.upper() and value != value.lower()


def _judge_answer(match: re.Match[str], text: Folded) -> bool:
    """An answer that is no plain word: `mother's maiden name → Halvorsen-Quill7`."""
    value = text.exact[match.start("value") : match.end("value")]
    if _NO_ANSWER.search(value.lower()):
        return False
    if match.group().endswith(("is ", "is", ": ", ":")) and value.istitle():
        return True
    return any(each.isdigit() or each == "-" or not each.isascii() for each in value)


def _judge_bytes(match: re.Match[str], text: Folded) -> bool:
    """Bytes of a key as numbers, where a word before them says so."""
    before = text.lower[max(0, match.start() - 60) : match.start()]
    return _KEY_WORD.search(before) is not None or "keypair" in before


def _judge_split(match: re.Match[str], text: Folded) -> bool:
    """A key told in groups: `f2c2e75d 6b21c460 …` beside a word for it."""
    groups = text.lower[match.start() : match.end()].split()
    if 2 * sum(any(c.isdigit() for c in group) for group in groups) < len(groups):
        return False
    around = text.lower[max(0, match.start() - 90) : match.end() + 60]
    return _KEY_WORD.search(around) is not None and _HASH_WORD.search(around) is None


_NO_ANSWER = LazyPattern(
    r"(?<![a-z])(?:the|not|set|asked|required|your|disabled|optional)(?![a-z])|什么|多少|未|没|已|"
    r"设置|忘|请|可以|答错"
)
_BETWEEN: Final = 12  # characters between two words of a phrase: a number, a comma, a line break
_TO_SPACES: Final = str.maketrans("0123456789.,;:|()/-、", " " * 20)
_WORDS = LazyPattern(r"(?<![a-z])(?P<word>[a-z]+)(?![a-z])")
_GAP = LazyPattern(r"[ \t\n,;|、/-]{1,6}(?:\d{1,2}[.):]?[ \t]{0,4})?")
_WORD_ROW = LazyPattern(
    r"[^a-z\n]{0,8}\n{0,2}(?:(?:\d{1,2}[.):]?\s{0,4})?(?!(?:the|of|is|and|should|must|be|to|a|an|"
    r"words?)\s)[a-z]{3,8}[\s,;|/-]{1,6}){11,23}[a-z]{3,8}"
)
_CHINESE_RUN = LazyPattern(
    r"(?<![\u3400-\u9fff][ \t])(?<![\u3400-\u9fff])[\u4e00-\u9fff](?:[ "
    r"\t\n]{1,3}[\u4e00-\u9fff]){11,24}(?![\u3400-\u9fff])"
)
_CHINESE_RUN_SHORT = LazyPattern(
    r"[\u4e00-\u9fff](?:[ \t\n,、]{1,4}(?:\d{1,2}[.、]?[ \t]{0,2})?[\u4e00-\u9fff]"
    r"(?![\u4e00-\u9fff])){5,24}"
)
_CODES = LazyPattern(r"[a-z0-9]{3,10}(?:[ -][a-z0-9]{3,10})*")
_PLAIN_NUMBER = LazyPattern(
    r"\d{1,3}|(?:19|20)\d\d|\d{1,4}[a-z]{1,3}|[a-z -]*|\d{4}-\d\d-\d\d|(?:[a-z]+[ -])+\d{1,2}(?:[ "
    r"-][a-z]+)*"
)
_KEY_WORD = LazyPattern(
    r"(?<![a-z])(?:bitlocker|filevault|recovery|key|secret|token|seed|password|passphrase)(?![a-z])|"
    r"密钥|私钥|令牌|密码|口令"
)
_HASH_WORD = LazyPattern(
    r"(?<![a-z])(?:hash|sha\d*|md5|checksum|fingerprint|public|digest|commit|serial|mac address|ipv6)"
    r"(?![a-z])|指纹|公钥|摘要|校验"
)

_BASE58: Final = "1-9A-HJ-NP-Za-km-z"
_BACKUP: Final = (
    r"(?:recovery(?:(?: access| login)?[ -](?:codes?|keys?)|[^:\n\d]{0,20}(?=:))|(?:backup|back-up|"
    r"rescue|emergency|scratch|reset|2fa|two[ -]factor|"
    r"one[ -]time|single[ -]use|unlock|restore)(?: access| login| sign-in)?[ -](?:codes?|keys?)|"
    r"(?:login|sign-in|security|access) codes|(?:2fa|mfa|totp|two[ -]factor) backups?(?=:)"
    r"|恢复(?:码|代码|密钥)|备[用份]码|备份代码|应急码|救援(?:码|代码)|备用验证码|一次性(?:验证)?码)"
)
_OTP: Final = (
    r"(?:totp|otp|2fa|mfa|authy|双因素|authenticator|two[ -]factor|set-?up key|manual(?: entry)?(?: "
    r"key| code)?|one[ -]time|"
    r"验证(?:器|码)?|动态(?:口令|码)|令牌种子|谷歌验证|手动输入|种子|绑定密钥)"
)
_CODE_ITEM: Final = r"(?:(?:\d{1,2}[.)][ \t]{0,3})?[a-z0-9]{4,10}(?:[ -][a-z0-9]{3,10}){0,7})"

RECOVERY_RULES: Final[tuple[Rule, ...]] = (
    Rule(
        "recovery-phrase",
        hints(
            "phrase mnemonic seedwords recoverywords ledger trezor metamask wallet 助记词 恢复短语 "
            "冷钱包 钱包"
        ),
        r"(?:(?:seed|recovery|mnemonic|backup|secret)\s{1,4}(?:phrase|words)|mnemonic|助记词|"
        r"恢复短语|(?:ledger|trezor|metamask|wallet)"
        r"[^.\n]{0,24}?(?:words|phrase|seed|:)|钱包[^。\n]{0,12}词)(?:[^.。\n]{0,40}?[:：]|"
        r"[^a-z\n]{0,12}|\s{0,4}(?:is|are|was|是|为)\s{0,4})",
        _judge_phrase,
    ),
    Rule(
        "recovery-codes",
        hints("code key recover backup: backups: 恢复 备用 备份 应急 救援 一次性"),
        rf"{_BACKUP}(?![a-z])(?:[^.!?。;\d]{{0,60}}?)(?:[:=\n]|is|are|was|是|为|剩|-{{1,2}}|\(|[ "
        rf"\t])[\s\"'`*•-]{{0,8}}"
        rf"(?P<value>(?=[a-z]{{0,9}}[ -]?[a-z]{{0,9}}\d){_CODE_ITEM}(?:[ \t]{{0,3}}(?:[,;/|、\n]|"
        rf"(?=\d{{1,2}}[.)]))[\s*•-]{{0,6}}{_CODE_ITEM}){{0,24}})(?![a-z0-9-])",
        _judge_codes,
    ),
    Rule(
        "key-bytes",
        ("[",),
        r"\[\s{0,4}\d{1,3}(?:,\s{0,4}\d{1,3}){31,127}\s{0,4}\]",
        _judge_bytes,
    ),
    Rule("bitlocker-key", ("-",), r"\d(?<![\d-]\d)\d{5}(?:-\d{6}){7}(?![\d-])"),
    Rule(
        "one-time-seed",
        hints(
            "otp 2fa mfa authy authenticator factor setup set-up manual one-time 验证 动态 种子 "
            "手动输入 绑定密钥"
        ),
        rf"{_OTP}[^.!?。;\n]{{0,48}}?(?<![A-Za-z0-9/+])(?P<value>[a-z2-7]{{16,64}}={{0,6}}|"
        rf"(?:[a-z2-7]{{4}}[ -]){{3,15}}[a-z2-7]{{4}})(?![A-Za-z0-9/+-])",
        _judge_seed,
    ),
    Rule("one-time-url", ("otpauth://",), r"otpauth://[a-z]{4}/\S{0,200}?secret=[a-z2-7]{8,}"),
    Rule(
        "wallet-key",
        ("5", "k", "l"),
        rf"(?P<value>[5KL](?<![A-Za-z0-9][5KL])[{_BASE58}]{{50,51}})(?![A-Za-z0-9])",
        _judge_base58,
        view="exact",
    ),
    Rule(
        "extended-private-key",
        ("prv",),
        rf"(?<![A-Za-z0-9])[xyztuv]prv[{_BASE58}]{{60,}}",
        view="exact",
    ),
    Rule(
        "account-key",
        ("a3-",),
        r"(?<![A-Za-z0-9])A3-[A-Z0-9]{5,6}(?:-?[A-Z0-9]{5,6}){3,6}(?![A-Za-z0-9])",
        view="exact",
    ),
    Rule(
        "split-key",
        hints(
            "bitlocker filevault recovery key secret token seed password passphrase 密钥 私钥 令牌 "
            "密码 口令"
        ),
        r"[0-9a-z](?<![\w:.-][0-9a-z])(?:[0-9a-f]{7,15}(?:[ \t\n]{1,4}[0-9a-f]{8,16}){2,15}"
        r"|(?=[a-z0-9 ]{0,40}\d)[a-z0-9]{3,7}(?:[ ][a-z0-9]{4,8}){3,15})(?![\w:.-])",
        _judge_split,
    ),
    Rule(
        "app-password",
        ("app",),
        r"(?<![a-z])app(?:lication)?[ -](?:specific )?password[^.!?\n]{0,40}?[ \t:=(]{1,4}"
        r"(?P<value>[a-z]{4}(?:[ -][a-z]{4}){3})(?![a-z])",
    ),
    Rule(
        "security-answer",
        hints(
            "secretanswer securityquestion securityanswer maidenname 密保 安全问题 密码问题 提示问题"
        ),
        r"(?:(?:(?:security|secret) (?:question|answer)s?|maiden name)[^.。;\n]{0,80}?(?:→|->|:|=|is|"
        r"answer(?! (?:for|to|of|on|is)))|(?:密保(?:问题|答案)?|(?:安全|密码)"
        r"(?:提示)?问题)[^.。;,\n]{0,40}?(?:→|->|:|=|答案是?|叫|填|[ \t]))[ \t]*"
        r"(?=(?P<value>[^\s,.;:。]{2,40}(?:[ ][^\s,.;:。]{2,40}){0,2}))",
        _judge_answer,
    ),
)
