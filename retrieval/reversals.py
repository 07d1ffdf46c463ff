"""Does a sentence announce that something changed or ended, and what does it say that it was and is?"""

from __future__ import annotations

import functools
import re
from typing import Final

from memweir.retrieval.changes import Change, change_words
from memweir.retrieval.reversals_en import read_english
from memweir.retrieval.reversals_zh import read_chinese

__all__ = ["LONGEST_SENTENCE", "announced", "may_announce"]

LONGEST_SENTENCE: Final = 240
"""Characters of a sentence that is looked at."""


def may_announce(text: str) -> bool:
    """Whether a folded text holds any word of a reversal; most hold none."""
    return _hint().search(text) is not None


def announced(sentence: str) -> Change | None:
    """The first change or end that a folded sentence announces, punctuation at its end taken off."""
    if len(sentence) > LONGEST_SENTENCE or not may_announce(sentence):
        return None
    return read_english(sentence) or read_chinese(sentence)


@functools.cache
def _hint() -> re.Pattern[str]:
    words = change_words()
    english, chinese = words.english, words.chinese
    return re.compile(
        rf"\b(?:{english['changing']}|{english['stop']}|{english['gone']}|no longer|any ?more"
        r"|any longer|instead|rather than|in place of|replace[sd]?|swapped|used to|now|not)\b"
        rf"|(?:{chinese['changing']})了?[为成到至用叫]|不"
        r"|改[吃喝去骑坐开穿学住读看]"
        rf"|{chinese['stop']}|{chinese['gone']}|代替|取代|替代|替换|顶替|而非|现在"
    )
