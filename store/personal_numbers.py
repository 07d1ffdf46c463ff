"""Is a run of digits a number of its own, and what do the words beside it call it?

The same eleven digits are a telephone number, an order number or a count of bytes. What decides is
looked for in a bounded stretch before and after the digits, so that a judgement costs the same in
any text.
"""

from __future__ import annotations

import re
from typing import Final

from memweir.store.folding import fold
from memweir.store.gate_rules import LazyPattern

__all__ = [
    "address_before",
    "any_of",
    "is_amount",
    "is_joined_after",
    "is_joined_before",
    "is_named_otherwise",
    "is_whole",
    "line_after",
    "line_before",
]


def any_of(words: str) -> str:
    """A pattern of any of these words, as they read in a folded text; Chinese in both scripts."""
    folded = {fold(word).lower for word in words.split()}
    return f"(?:{'|'.join(sorted(map(re.escape, folded)))})"


def line_before(text: str, start: int, limit: int) -> str:
    """What stands before an offset on its line, at most `limit` characters, lower case."""
    before = text[max(0, start - limit) : start]
    return before[before.rfind("\n") + 1 :].lower()


def line_after(text: str, end: int, limit: int) -> str:
    """What stands behind an offset on its line, at most `limit` characters, lower case."""
    return text[end : end + limit].partition("\n")[0].lower()


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether the digits end where the match does: no longer code, decimal, time or file name."""
    return not is_joined_before(text, start) and not is_joined_after(text, end)


def is_joined_before(text: str, start: int) -> bool:
    """Whether what stands right before an offset goes on in the digits behind it."""
    return _JOINED_BEFORE.search(text[max(0, start - 12) : start]) is not None


def is_joined_after(text: str, end: int) -> bool:
    """Whether the digits before an offset go on in what stands right behind it."""
    return _JOINED_AFTER.match(text[end : end + 12]) is not None


def is_amount(text: str, start: int, end: int) -> bool:
    """Whether the digits count or cost something."""
    return (
        _CURRENCY.search(line_before(text, start, 8)) is not None
        or _UNIT.match(line_after(text, end, 16)) is not None
    )


def address_before(text: str, start: int) -> str:
    """The part before an offset of the URL or file path that it is in; empty outside of one."""
    before = text[max(0, start - 300) : start]
    # Read backwards, so that the stretch is walked once.
    run = _ADDRESS_RUN.match(before[::-1])
    word = before[len(before) - run.end() :] if run is not None else ""
    return word if _ADDRESS.search(word) is not None else ""


def is_named_otherwise(text: str, start: int, *, ids: bool = True, bare: bool = True) -> bool:
    """Whether the words right before the digits name them: an order number, a time stamp, an id.

    Args:
        ids: whether names for any identifier count too ("id", "代码"), not only those of papers.
        bare: whether the paper alone names them ("order 123"), without "number" or the like.
    """
    before = line_before(text, start, 40)
    return (
        _PAPER_NUMBER.search(before) is not None
        or (bare and _PAPER.search(before) is not None)
        or (ids and _IDENTIFIER.search(before) is not None)
    )


# A letter, digit, sign or half number that makes the digits a part of something longer. A slash or a
# comma may stand between two whole numbers.
_JOINED_BEFORE: Final = LazyPattern(
    r"(?:(?<!\\)[A-Za-z]|[0-9_#$%*@\\+]|[0-9][.:]|[A-Za-z0-9_]-|[A-Za-z_]/|(?<![0-9])[0-9]{1,6}/"
    r"|(?<![0-9])[0-9]{1,3},|[._][A-Za-z0-9]{1,10}\(|[=(,\[<>]\s?-)$"
)
_JOINED_AFTER: Final = LazyPattern(
    r"(?!(?:x|ext)\.? ?[0-9])[A-Za-z0-9_]|[@%*]|[.:][0-9]|-[A-Za-z0-9]"
    r"|\.[A-Za-z]{2,5}(?![A-Za-z])|,[0-9]{3}(?![0-9])|/[0-9]{1,6}(?![0-9])"
)

_CURRENCY: Final = LazyPattern(r"(?:[$¥€£₩₹฿]|(?<![a-z])(?:usd|rmb|cny|eur|gbp|hkd|jpy))\s?$")
_UNIT: Final = LazyPattern(
    r"\s?(?:[元块塊円圆圓万萬亿億次倍吨噸秒股]|[个個](?!人)|人(?!民)|字节|位元組|毫秒|微秒|纳秒|奈秒"
    r"|(?:bytes?|[kmgt]b|[mun]s|sec|seconds?|milliseconds?|microseconds?|nanoseconds?|users?"
    r"|downloads?|views?|dollars?|usd|rmb|cny|eur|km|kg|px|tokens?|rows?|records?|items?)(?![a-z]))"
)

_ADDRESS_RUN: Final = LazyPattern(r"[!#$%&()*+,./:;=?@\\\[\]~A-Za-z0-9_-]+")
_ADDRESS: Final = LazyPattern(
    r"[A-Za-z][A-Za-z0-9+.-]{1,20}://|(?<![A-Za-z0-9.])www\.|^[(=:]?(?:~|\.{1,2})?/[A-Za-z_]"
    r"|^[(=:]?[A-Za-z]:\\"
)

_PAPERS: Final = any_of(
    """
    order ticket invoice tracking waybill shipment parcel transaction trade payment serial receipt
    booking reservation reference ref confirmation claim policy case issue bug batch lot sku part
    model patent license licence student employee staff member membership library loyalty gift
    meeting webinar build job run task commit record row document file item product user session
    request trace device version
    """
)
_BARE_PAPERS: Final = any_of(
    """
    order ticket invoice tracking shipment parcel transaction serial receipt build issue bug job
    """
)
_CHINESE_PAPERS: Final = any_of(
    """
    订单 訂單 工单 工單 快递 快遞 快递单 快遞單 运单 運單 物流 物流单 物流單 快件 流水 合同 票 车票
    機票 机票 发票 發票 单 單 批 案 案件 档案 檔案 学 學 工 员工 員工 会员 會員 货 貨 条 條 书 書 型
    设备 設備 序列 交易 账单 帳單 保单 保單 文件 邮件 郵件 商品 房间 房間 房 门牌 門牌 群 会议 會議
    车架 車架 备案 備案
    """
)
_BARE_CHINESE_PAPERS: Final = any_of(
    "订单 訂單 工单 工單 快递单 快遞單 运单 運單 物流单 物流單 账单 帳單 保单 保單 流水 批次 快件"
)
_IDENTIFIERS: Final = any_of(
    """
    id uid uuid guid mid pid imei imsi iccid ean upc gtin isbn issn barcode sku ts timestamp epoch
    seed checksum crc hash version port offset nonce counter key
    """
)
_CHINESE_IDENTIFIERS: Final = any_of(
    """
    编号 編號 编码 編碼 代码 代碼 识别码 識別碼 条码 條碼 条形码 條形碼 序列码 序列碼 时间戳 時間戳
    毫秒 微秒 纳秒 奈秒 端口 版本 模型 群 门牌 門牌 邮编 郵編 股票 基金 坐标 座標 圆周率 圓周率
    """
)
_LINK: Final = r"[\"']?\s{0,3}(?:is|was|are|是|为|[:=#]|=>|->)?\s{0,3}[\"'(\[]?\s{0,2}$"

_PAPER_NUMBER: Final = LazyPattern(
    rf"(?:(?<![a-z]){_PAPERS}[ _-]?(?:numbers?|num|no|nr|id|code|key|#)\.?"
    rf"|{_CHINESE_PAPERS}(?:号(?!码)|[编編](?:号|码))"
    rf"|{_BARE_CHINESE_PAPERS}号码){_LINK}"
)
_PAPER: Final = LazyPattern(rf"(?:(?<![a-z]){_BARE_PAPERS}|{_BARE_CHINESE_PAPERS}){_LINK}")
_IDENTIFIER: Final = LazyPattern(
    rf"(?:(?<![a-z])(?:[a-z]{{1,20}}[_-])?{_IDENTIFIERS}(?:[ _-]?(?:number|no|code)\.?)?"
    rf"|{_CHINESE_IDENTIFIERS}){_LINK}"
)
