"""Which digits of a text are the number of a bank card?

ISO/IEC 7812: 13 to 19 digits with a Luhn check digit. One run of digits in ten passes the check, so
that it must also begin as the cards of a network do, in their length, or stand beside a word for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memweir.store.gate_rules import LazyPattern
from memweir.store.personal_numbers import (
    address_before,
    any_of,
    is_amount,
    is_named_otherwise,
    is_whole,
    line_after,
    line_before,
)

__all__ = ["bank_cards"]


def bank_cards(text: str) -> Iterator[tuple[int, int]]:
    """Spans of card numbers in a folded text, in its order, none overlapping."""
    for cluster in _CLUSTER.finditer(text):
        groups = [(part.start(), part.end()) for part in _DIGITS.finditer(text, *cluster.span())]
        if len(groups) == 1 or cluster["mark"] == "-":
            span = groups[0][0], groups[-1][1]
            if _is_card(text, *span, tuple(end - start for start, end in groups)):
                yield span
        else:
            yield from _in_row(text, groups)


def _in_row(text: str, groups: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Cards among groups with blanks between them: an expiry date or a code may stand beside one."""
    first = 0
    while first < len(groups):
        for count in (5, 4, 3, 2, 1):
            chosen = groups[first : first + count]
            if len(chosen) < count or len(groups) - count > _MOST_BESIDE:
                continue
            start, end = chosen[0][0], chosen[-1][1]
            if _is_card(text, start, end, tuple(last - begin for begin, last in chosen)):
                yield start, end
                first += count - 1
                break
        first += 1


_CLUSTER: Final = re.compile(
    r"(?<![0-9])[0-9]{1,19}(?![0-9])"
    r"(?:(?P<mark>-)[0-9]{1,19}(?![0-9])(?:-[0-9]{1,19}(?![0-9]))*|(?: [0-9]{1,19}(?![0-9]|-[0-9]))*)"
)
_DIGITS: Final = re.compile(r"[0-9]+")
_MOST_BESIDE: Final = 4  # more groups than a card's own are a table of numbers
_GROUPINGS: Final = frozenset(
    (
        *((4, 4, 4, last) for last in (1, 2, 3, 4)),
        *((4, 4, 4, 4, last) for last in (1, 2, 3)),
        *((4, 6, 5), (4, 6, 4), (6, 13), (6, 10), (8, 8)),
    )
)

# Network, first digits (from, to), lengths that they need no word for. Sources: ISO/IEC 7812 and the
# networks' own ranges of issuer identification numbers.
_NETWORKS: Final[tuple[tuple[str, str, str, tuple[int, ...]], ...]] = (
    ("Visa", "4", "4", (16,)),
    ("Mastercard", "51", "55", (16,)),
    ("Mastercard", "2221", "2720", (16,)),
    ("American Express", "34", "34", (15,)),
    ("American Express", "37", "37", (15,)),
    ("Discover", "6011", "6011", (16,)),
    ("Discover", "644", "649", (16,)),
    ("Discover", "65", "65", (16,)),
    ("JCB", "3528", "3589", (16,)),
    ("Mir", "2200", "2204", (16,)),
    ("UnionPay", "62", "62", (16, 19)),
    ("UnionPay", "81", "81", (16, 19)),
    ("ICBC", "9558", "9558", (16, 19)),  # cards of before the common prefix
)
_DINERS: Final = ("300", "301", "302", "303", "304", "305", "36", "38", "39")


def _is_card(text: str, start: int, end: int, groups: tuple[int, ...]) -> bool:
    length = sum(groups)
    if not 13 <= length <= 19 or (len(groups) > 1 and groups not in _GROUPINGS):
        return False
    digits = "".join(_DIGITS.findall(text[start:end]))
    if not is_whole(text, start, end) or len(set(digits)) == 1:
        return False
    known = _is_of_network(digits, grouped=len(groups) > 1)
    if not known and not _is_beside_word(text, start, end):
        return False
    if _is_other_card(text, start) or is_named_otherwise(text, start):
        return False
    if address_before(text, start) or (len(groups) == 1 and is_amount(text, start, end)):
        return False
    from stdnum import luhn

    return luhn.is_valid(digits)


def _is_of_network(digits: str, *, grouped: bool) -> bool:
    if len(digits) == 14:
        return grouped and digits.startswith(_DINERS)
    return any(
        len(digits) in lengths and low <= digits[: len(low)] <= high
        for _, low, high, lengths in _NETWORKS
    )


_CHINESE_WORDS: Final = any_of(
    """
    银行卡 銀行卡 信用卡 储蓄卡 儲蓄卡 借记卡 借記卡 工资卡 工資卡 金融卡 银联 銀聯 卡号 卡號
    卡片号码 卡片號碼
    """
)
_WORDS: Final = (
    rf"(?:{_CHINESE_WORDS}|(?<![a-z])(?:(?:credit|debit|bank|atm|payment)[ _-]?cards?"
    r"|cards?[ _-]?(?:number|no|num)|visa|mastercard|amex|american express|unionpay|maestro|discover"
    r"|diners|jcb|pan)(?![a-z]))"
)
_BEFORE: Final = LazyPattern(rf"{_WORDS}[^0-9]{{0,16}}$")
_BEHIND: Final = LazyPattern(rf"[^0-9]{{0,10}}?{_WORDS}")
_OTHER_KINDS: Final = any_of(
    """
    会员 會員 学生 學生 校园 校園 公交 交通 地铁 地鐵 图书 圖書 借书 借書 门禁 門禁 饭 飯 礼品 禮品
    购物 購物 充值 积分 積分 贵宾 貴賓 健身 医保 醫保 就诊 就診 社保 sim 手机 手機 电话 電話 电信
    電信 移动 移動 联通 聯通 流量 上网 上網 油 名
    """
)
_OTHER_CARDS: Final = LazyPattern(
    rf"{_OTHER_KINDS} ?卡|(?<![a-z])(?:e?sim|library|membership|member|loyalty|gift|student|access"
    r"|transit|bus|metro|insurance|business|memory|graphics|report|score)[ -]?cards?"
)


def _is_beside_word(text: str, start: int, end: int) -> bool:
    return (
        _BEFORE.search(line_before(text, start, 32)) is not None
        or _BEHIND.match(line_after(text, end, 24)) is not None
    )


def _is_other_card(text: str, start: int) -> bool:
    before = line_before(text, start, 32)
    match: re.Match[str] | None = None
    for match in _OTHER_CARDS.finditer(before):  # noqa: B007  the last one
        pass
    return match is not None and _DIGITS.search(before, match.end()) is None
