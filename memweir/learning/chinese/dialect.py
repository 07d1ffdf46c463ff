"""What would a sentence of Hong Kong or Taiwan be in standard Chinese? Character for character.

The rules read the answer; statements are made of the sentence as written. So every word is replaced by
one of its own length, and a place in the one is a place in the other.
"""

from __future__ import annotations

import functools
import re
from typing import Final

from memweir.errors import ConfigError
from memweir.learning.chinese.lexicon import any_of
from memweir.learning.lists import read_lines
from memweir.retrieval.normalise import simplify_characters

__all__ = ["standard"]

_FILE: Final = "zh_dialect.txt"
_SIGNS: Final = re.compile(
    "[唔嘅咗喺佢哋冇嚟啲噉嘢畀揾搵攞睇諗嗰㗎攰瞓咩揀]|屋企|返[工學]|[聽听][日晚朝]"
    "|[琴尋寻][日晚]|食飯|飲茶|老[豆竇細]|細[佬妹路]|家姐|邊[度個]|點解|幾多"
    "|(?<![關聯关联干體])係(?!數|数)|鍾意|钟意|依家|而家"
)


def standard(text: str) -> str:
    """A text of the same length in simplified standard Chinese, as far as the list goes."""
    if text.isascii():
        return text
    for section in ("cantonese", "taiwan"):
        if section == "cantonese" and not _SIGNS.search(text):
            continue
        pattern, table = _replacements(section)
        text = pattern.sub(lambda match, table=table: table[match.group()], text)  # type: ignore[misc]
    return simplify_characters(text)


@functools.cache
def _replacements(section: str) -> tuple[re.Pattern[str], dict[str, str]]:
    table: dict[str, str] = {}
    for name, line in read_lines(_FILE):
        written, _, word = line.strip().partition(" ")
        if len(written) != len(word):
            raise ConfigError(_FILE, line, "must have two words of one length; reinstall memweir")
        if name == section:
            table[written] = word
    return re.compile(any_of(table)), table
