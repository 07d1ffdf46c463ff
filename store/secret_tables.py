"""Does a table have a column of credentials, and is it filled? CSV, tabs, Markdown, columns, SQL.

The word stands in the heading, the values rows below it, so that no rule that looks behind a word sees
them together.
"""

from __future__ import annotations

import re
from typing import Final

from memweir.store.folding import Folded, fold
from memweir.store.gate_rules import Finding, LazyPattern
from memweir.store.secret_nouns import CHINESE_CREDENTIALS, CREDENTIALS
from memweir.store.secret_values import (
    is_code_name,
    is_placeholder,
    is_pointer,
    is_prose,
    read_value,
    words,
)

__all__ = ["table_finding"]

_MOST_ROWS: Final = 40  # rows below a heading that are looked at
_LONGEST_LINE: Final = 600
_SEPARATORS: Final = ("|", "\t", ",", ";", "  ", " ")


def table_finding(text: Folded) -> Finding | None:
    """The first row with a value under a heading that names a credential."""
    if "\u3000" in text.original and "\n" in text.lower:  # columns set apart by full-width spaces
        found = _table_finding(fold(_FULL_WIDTH.sub("\t", text.original)))
        if found is not None:
            return Finding(found.rule, 0, len(text.original))
    return _table_finding(text)


def _table_finding(text: Folded) -> Finding | None:
    if "insertinto" in text.squeezed:
        found = _INSERT.search(text.exact)
        if found is not None and _is_insert(found["columns"], found["values"]):
            return Finding("credential-in-table", *text.span(*found.span()))
    if "\n" not in text.lower or _NOUN.search(text.lower) is None:
        return None
    lines = _lines(text.lower)
    for number, (start, end) in enumerate(lines[:-1]):
        if end - start > _LONGEST_LINE or _NOUN.search(text.lower, start, end) is None:
            continue
        heading = text.lower[start:end]
        for separator in _SEPARATORS:
            cells = _cells(heading, separator)
            columns = _columns(cells, separator)
            if not columns:
                continue
            before = lines[number - 1] if number else (0, 0)
            if len(_cells(text.lower[before[0] : before[1]], separator)) == len(cells):
                break  # no heading but a row
            for first, last in lines[number + 1 : number + 1 + _MOST_ROWS]:
                row = _cells(text.exact[first:last], separator)
                if _RULE.fullmatch(text.exact[first:last].strip()):
                    continue
                if len(row) != len(cells):
                    break
                if any(_is_value(row[place]) for place in columns):
                    return Finding("credential-in-table", *text.span(first, last))
            break
    return None


def _columns(cells: list[str], separator: str) -> list[int]:
    """The places of a heading's cells that name a credential; none where it is no heading."""
    if len(cells) < 2 or not all(_PLAIN_CELL.fullmatch(cell) for cell in cells):
        return []
    if separator == " " and (len(cells) < 3 or any(cell.isascii() for cell in cells)):
        return []  # only where each word is one Chinese heading
    if separator not in ("|", "\t") and not any(_COMPANION.search(cell) for cell in cells):
        return []
    found = [place for place, cell in enumerate(cells) if _is_heading(cell)]
    if not found and any(_NETWORK.fullmatch(cell) for cell in cells):
        return [place for place, cell in enumerate(cells) if cell == "key"]
    return found


def _lines(text: str) -> list[tuple[int, int]]:
    spans, start = [], 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        spans.append((start, end))
        start = end + 1
    return spans


def _cells(line: str, separator: str) -> list[str]:
    line = line.strip()
    if separator == "|":
        line = line.strip("|")
    if separator not in line:
        return []
    cells = line.split(separator)
    if separator == "  ":
        cells = [cell for cell in cells if cell.strip()]
    return [cell.strip(" \t*`") if separator == "|" else cell.strip() for cell in cells]


def _is_heading(cell: str) -> bool:
    """A cell of nothing but the word, its owner before it or a remark behind it."""
    return (
        len(cell) <= 40
        and not cell.endswith((" to pass", "must pass"))
        and _HEADING.fullmatch(cell) is not None
    )


def _is_value(cell: str) -> bool:
    value = read_value(cell)
    lower = cell.lower()
    if len(cell) < 3 or len(cell.split()) > 3 or lower in _NO_VALUES or not value.text:
        return False
    if is_placeholder(value.text) or is_pointer(value) or is_prose(value) or _RULE.fullmatch(cell):
        return False
    if cell.startswith(("$", "http", "/")) or _HASH.fullmatch(lower) is not None:
        return False
    if "_" in cell and cell.islower() and is_code_name(cell):
        return False
    return not cell.isdigit() or len(cell) >= 4


def _is_insert(columns: str, values: str) -> bool:
    names, cells = columns.split(","), values.split(",")
    if len(names) != len(cells):
        return False
    return any(
        _is_heading(name.strip(" `\"'\t\n").lower())
        and cell.strip()[:1] in "\"'"
        and _is_value(cell.strip(" \"'\t\n"))
        for name, cell in zip(names, cells, strict=True)
    )


_FULL_WIDTH: Final = re.compile("\u3000+")
_NOUN = LazyPattern(rf"{CREDENTIALS}|{CHINESE_CREDENTIALS}|(?<![a-z])(?:pass|pins?|key)(?![a-z])")
_HEADING = LazyPattern(
    rf"(?:[\w .'-]{{0,20}}[ _.-])?(?:{CREDENTIALS}|pass|pins?|api ?key)s?(?:[ ]?\([^()]{{1,20}}\))?|"
    rf"[\u3400-\u9fffA-Za-z -]{{0,8}}(?:{CHINESE_CREDENTIALS})(?:\([^()]{{1,12}}\))?"
)
_PLAIN_CELL = LazyPattern(r"[^\W\d][\w .#&()/-]{0,39}")
_COMPANION = LazyPattern(
    r"(?<![a-z])(?:users?|username|name|login|account|host|ip|site|service|system|url|device|email|"
    r"role|env|environment|server|app|key|ssid|"
    r"network|tool|platform)(?![a-z])|用户|账号|帐号|系统|设备|名称|地址|姓名|平台|环境|网站|服务|"
    r"门店|主机|工号|应用|型号|端口|位置|楼层|编号|房间|benutzer|utilisateur"
)
_NETWORK = LazyPattern(r"ssid|wi-?fi|network|wlan|无线")
_RULE = LazyPattern(r"[-=+:| \t_*~]{1,400}")
_INSERT = LazyPattern(
    r"(?is)insert\s{1,8}(?:ignore\s{1,8})?into\s{1,8}[\w.`\"\[\]]{1,80}\s{0,8}\((?P<columns>[^"
    r"()]{3,300})\)\s{0,8}values\s{0,8}\((?P<values>[^()]{3,600})\)"
)
_HASH = LazyPattern(r"\$\w{1,8}\$\S+|[0-9a-f]{40}|[0-9a-f]{64}")
_NO_VALUES: Final = words(
    """
    str int string text varchar char bool boolean bytes none null yes no true false required optional
    password secret token key any n/a na tbd todo unset empty varchar(255) argon2id bcrypt scrypt
    sha256 md5 plain hash hashed hidden masked same ditto 字符串 是 否 无 必填 选填 可选 待定 空 同上
    文本 密码 口令 令牌 密钥 加密 明文 未设置 已设置 已加密
    """
)
