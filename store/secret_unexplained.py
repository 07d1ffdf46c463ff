"""Which token of chance, or made up by somebody, does nothing in its sentence explain?

Nobody writes 32 random characters for their own sake. A file, an order, a commit or an address has one
and is named beside it; where no such word stands near, what is left is a key or a password that its
writer needs no word for: "Hetzner: …", "the usual, Kestrel!Nest5". Only for what nothing else mixes so,
and made-up ones in prose alone, as program text is full of them.
"""

from __future__ import annotations

import base64
import re
from typing import Final

from memweir.store.folding import Folded
from memweir.store.gate_rules import Finding, LazyPattern
from memweir.store.secret_sentences import (
    is_prose_line,
    is_something_else,
    names_password,
    sentence_around,
    tells_entry,
)
from memweir.store.secret_tokens import TOKEN_RUN, Kind, bare_token, token_kind

__all__ = ["unexplained_finding"]

_LEAST_KEY: Final = 20
_LEAST_MADE_UP: Final = 8
_HASH_LENGTHS: Final = (40, 56, 64, 96, 128)  # of hexadecimal digits; 32 is a key's as often


def unexplained_finding(text: Folded) -> Finding | None:
    """The first such token of a text."""
    if _MIXED.search(text.exact) is None:
        return None
    for match in _TOKENS.finditer(text.exact):
        if _is_unexplained(match, text):
            return Finding("unexplained-token", *text.span(*match.span("value")))
    return None


def _is_unexplained(match: re.Match[str], text: Folded) -> bool:
    run = match["value"]
    if len(run) < _LEAST_MADE_UP or "/" in run or "@" in run:
        return False
    token = bare_token(run)
    kind = token_kind(token)
    if kind == "key":
        wanted = len(token) >= _LEAST_KEY
    elif kind == "hex":
        wanted = len(token) >= 24 and len(token) not in _HASH_LENGTHS and "-" not in token
    elif kind in ("medium", "weak"):
        return _is_in_password_sentence(match, text, kind)
    elif kind == "strong":
        wanted = len(token) >= _LEAST_MADE_UP and _OTHER_NAME.search(token) is None
    else:
        return False
    if not wanted:
        return False
    left, right = sentence_around(match, text)
    if _JUDGED.search(left) or is_something_else(match, text, left, right, kind):
        return False
    if _EXPLAINED.search(left) or _EXPLAINED.search(right):
        return False
    if kind == "key":
        return ">>>" not in text.exact and not _is_encoded_text(token)
    return _is_prose(match, text)


def _is_in_password_sentence(match: re.Match[str], text: Folded, kind: Kind) -> bool:
    """Mixed as names are too: only where the sentence is about a password, and not about its rules."""
    left, right = sentence_around(match, text)
    entry = kind == "medium" and (tells_entry(left) or tells_entry(right))
    if not (entry or names_password(left) or names_password(right)):
        return False
    if is_something_else(match, text, left, right, kind):
        return False
    if _EXPLAINED.search(left) or _EXPLAINED.search(right) or _TALK.search(left + " " + right):
        return False
    if _VERSION.match(right):
        return False  # "依赖 fastjson2 2.0.57"
    token = bare_token(match["value"])
    if kind != "medium" or _IDENTIFIER.search(token):
        return False
    if entry and _NAME_AND_YEAR.fullmatch(token):
        return False
    return _is_prose(match, text)


def _is_encoded_text(token: str) -> bool:
    """Base64 of words: what they say is read as a text of its own."""
    if len(token) % 4 or _BASE64.fullmatch(token) is None:
        return False
    decoded = base64.b64decode(token)
    return decoded.isascii() and decoded.decode("ascii").isprintable()


def _is_prose(match: re.Match[str], text: Folded) -> bool:
    start, end = match.span("value")
    around = text.lower[max(0, start - _WINDOW) : start] + " " + text.lower[end : end + _WINDOW]
    return is_prose_line(match, text) and _PROGRAM.search(around) is None


_TALK = LazyPattern(
    r"(?<![a-z])(?:must|at least|minimum|maximum|characters|digits|letters|length|long|policy|"
    r"policies|rules?|require[sd]?|expires?|expired|strength|"
    r"manager|vault|1password|bitwarden|keepass\w*|lastpass|see|ask|rate limited|hashed|bcrypt|"
    r"argon\w*|encrypted with|reset link|page|form|field|"
    r"column|table|library|supports?|without a password|no password|passwordless|see|vs|instead of|"
    r"or newer|release|wrong|incorrect|fails?|failed)(?![a-z])"
    r"|至少|最少|最多|位数|长度|字符|策略|规则|要求|必填|过期|强度|管理器|保管|问|找|加密算法|不能|"
    r"不要|不用|无需|没设|错误|失败|页面|字段|表|文件"
)
_WINDOW: Final = 240
_TOKENS = LazyPattern(TOKEN_RUN)
_PROGRAM = LazyPattern(
    r"[{}\\<>|]|\w\(|\)\.|::|:\w+:`|``|\"\"\"|>>>|\.\.\.,|\bgit |\n\s*(?:#|//|\*|\.\.) |= ?[\w'\"]"
)
_MIXED = LazyPattern(r"\d[A-Za-z]|[A-Za-z][!@#$%^&*+~_.-]?\d")
# Names and measures that are mixed as passwords are.
_OTHER_NAME = LazyPattern(
    r"^\d{3,4}[A-Z][a-z]+$|[#~^$%]$|^[#~^@%$&]|^\d+[A-Za-z]{1,3}[+/*]|^[A-Z0-9]+-[a-z]{4,}$|"
    r"^[A-Za-z]+-?\d+[A-Z]?$|^[A-Za-z]+-?\d+(?:\.\w+)+$"
    r"|^[a-z]{2,}\d*[A-Z][a-z]+|[\\()]|^[A-Za-z]+\d+[A-Za-z]+$|~\d+$|^[A-Z]+[a-z]?-[A-Z0-9]+-?\w*$|"
    r"UTF-8|%[a-z]|^pre-|^non-"
    r"|[a-z]{2}[A-Z][a-z]{2}|[A-Za-z]\d+_[a-z]{3}|[A-Z]+\d[A-Z][a-z]{2}|\*|[a-z_]\w*\.[a-z_]\w*$|"
    r"^[A-Z]{2,}_|^[A-Z][A-Za-z]+-[A-Z]?\d+(?:\.\d+)*$|\d(?:st|nd|rd|th)[A-Z]"
)
# Words of credentials: the rules that know them have looked at the token and passed it.
_JUDGED = LazyPattern(
    r"(?<![a-z])(?:(?:[a-z]+[ _-]?)?keys?|kid|sessions?|secrets?|tokens?|auth|passwords?)(?![a-z])|"
    r"密钥|令牌|会话|密码"
)
_BASE64 = LazyPattern(r"[A-Za-z0-9+/]{16,}={0,2}")
_NAME_AND_YEAR = LazyPattern(r"[A-Za-z]+(?:19|20)\d\d")
_VERSION = LazyPattern(r"[ \t]v?\d+\.\d+")
_IDENTIFIER = LazyPattern(r"_t$|[a-z]\d+_[a-z]|^[A-Z0-9_]+$|[a-z]\.[a-z_]|[*#]{2}")
_EXPLAINED = LazyPattern(
    r"(?<![a-z])(?:commits?|committed|hash(?:es|ed)?|sha-?\d*|md5|crc\d*|digest|checksum|"
    r"fingerprints?|publi[ck]|publishable|public[ _-]?key|pub[ _-]?key|site[ _-]?key|md5sum|"
    r"sha\d+sum|recipient|rid|modulus|s/n|issuer|cherry-pick|revert\w*|serialnumber|usage|uuid|guid|"
    r"ulid|"
    r"trace|span|ids?|identifiers?|etag|addresses|address|branch|tag|version|ticket|issue|revision|"
    r"serial|algorithm|cipher|model|example|"
    r"ipfs|cid|geohash|plus code|depend(?:s|ency|encies)|"
    r"e\.g|for instance|such as|placeholder|format|sample|files?|document|docs?|video|page|figma|"
    r"object|blob|tree|node|merge|regression|fix(?:ed)?|"
    r"cache|bucket|container|image|layer|doi|isbn|frame|starts with|begins with|header|magic|inode|"
    r"airdrop|wallets?|donat\w+|contract|transaction|"
    r"tx|block|nonce|iv|order|invoice|tracking|parcel|shipment|booking|reference|ref|playlist|"
    r"channel|group|chat|event|property|container|"
    r"certificate|cert|host ?key|dkim|spf|txt|dns|record|base64|encoded|decodes?|hex|pdf|png|jpe?g|"
    r"font|logo|integrity|resolved|lock ?file|"
    r"release|build|package|module|crate|wheel|locale|named|called|part number|sku|asin|isin|iban|"
    r"swift|vin|imei|mac|firmware|chip|"
    r"salt|cursor|configmap|reservation|jobs?|tasks?|send it to|batch|device|node|host|server|"
    r"cluster|instance|regex|pattern|string|input|output|test vector|fixture)(?![a-z])"
    r"|指纹|公钥|哈希|散列|摘要|提交|编号|编码|单号|地址|别名|版本|工单|序列|流水|例如|比如|形如|"
    r"格式|算法|错误|事件|文件|文档|视频|镜像|缓存|对象|设备|群|频道|"
    r"订单|收款|捐赠|合约|交易|区块|埋点|数据集|子模块|合并|基线|二维码|主题|乱码|图片|追踪|链路|"
    r"证书|型号|快递|发票|[号键](?=[ ]?[:是为]?[ ]?$)|请求|任务|标识|会员|商户|游标|批次|样例|示例|"
    r"号码|账号|校验|引入|回退"
)
