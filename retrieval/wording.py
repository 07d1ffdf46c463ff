"""Which words, values and runs of characters does a sentence consist of? Contractions taken apart."""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Callable
from typing import Final

from memweir.retrieval.scripts import HAN
from memweir.retrieval.typed_values import MARK, mark_values

__all__ = ["BREAK", "RUN", "VALUE", "WORD", "cut_words", "split_contraction", "word_tokens"]

VALUE: Final = 1  # a marked value
WORD: Final = 2  # of letters and digits
RUN: Final = 3  # of Han characters
BREAK: Final = 4  # a sign that ends a clause

_CONTRACTED: Final = {
    "can't": ("can", "not"),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
    "ain't": ("is", "not"),
    "cannot": ("can", "not"),
    "dont": ("do", "not"),
    "doesnt": ("does", "not"),
    "didnt": ("did", "not"),
    "isnt": ("is", "not"),
    "arent": ("are", "not"),
    "wasnt": ("was", "not"),
    "werent": ("were", "not"),
    "couldnt": ("could", "not"),
    "wouldnt": ("would", "not"),
    "shouldnt": ("should", "not"),
    "hasnt": ("has", "not"),
    "havent": ("have", "not"),
    "let's": ("let", "us"),
    "no-one": ("no", "one"),
    "anymore": ("any", "more"),
}
_ENDINGS: Final = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would"}
_IS: Final = frozenset(
    ("it", "he", "she", "that", "there", "here", "what", "who", "where", "how", "when", "this")
)  # "it's" is "it is"

_TOKEN: Final = re.compile(
    rf"({MARK}[a-z]+[0-9:.]*)"
    rf"|([#$€£¥]?(?:[0-9]{{1,3}}(?:,[0-9]{{3}})+(?![0-9])|[^\W{HAN}]+)(?:['.:/@+\-]+(?=[^\W{HAN}])[^\W{HAN}]+)*%?)"
    rf"|([{HAN}]+)"
    r"|([,;:.!?、()\n\[\]{}…—|]|--)"
)


def word_tokens(sentence: str) -> tuple[list[str], list[int]]:
    """The tokens of a folded sentence and their kinds, `VALUE`, `WORD`, `RUN` or `BREAK`."""
    words: list[str] = []
    kinds: list[int] = []
    for match in _TOKEN.finditer(mark_values(sentence)):
        kind = match.lastindex or 0
        if kind == WORD:
            parts = split_contraction(match.group())
            words += parts
            kinds += [WORD] * len(parts)
        else:
            words.append(match.group())
            kinds.append(kind)
    return words, kinds


@functools.lru_cache(maxsize=16_384)
def split_contraction(word: str) -> tuple[str, ...]:
    """A folded Latin word as the words it stands for: "isn't" is "is not", "Ada's" is "ada"."""
    if word in _CONTRACTED:
        return _CONTRACTED[word]
    if "'" not in word[1:]:
        return (word,)
    if word.endswith("n't") and len(word) > 3:
        return (word[:-3], "not")
    stem_, mark, ending = word.rpartition("'")
    if mark + ending in _ENDINGS:
        return (stem_, _ENDINGS[mark + ending])
    if ending == "s":
        return (stem_, "is") if stem_ in _IS else (stem_,)
    return (word,)


_LOADING: Final = threading.Lock()


@functools.cache
def _cutter() -> Callable[[str], list[str]]:
    with _LOADING:
        import rjieba

        cut: Callable[[str], list[str]] = rjieba.cut
        return cut


def cut_words(run: str) -> list[str]:
    """The dictionary's words of a run of Han characters."""
    return _cutter()(run)
