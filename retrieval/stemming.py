"""What is the stem of a Latin word? Snowball English (Porter2) over an accent-free form."""

from __future__ import annotations

import functools
import re
import threading
import unicodedata
from collections.abc import Callable
from typing import Final

__all__ = ["stem", "strip_accents"]

_LATIN: Final = re.compile("[a-z\u00df-\u024f\u1e00-\u1eff]+")
_LETTERS: Final = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
        "ı": "i",
        "ħ": "h",
        "ŧ": "t",
    }
)
_LOCK: Final = threading.Lock()  # a stemmer keeps the word it works on in itself
_LONGEST: Final = 40  # letters; nothing longer is an inflected English word


def stem(word: str) -> str:
    """The stem of a folded word; words of other scripts, of digits or of 1 or 2 letters as they are."""
    if len(word) < 3 or len(word) > _LONGEST or not (word.isascii() and word.isalpha()):
        return word
    return _stem(word)


def strip_accents(word: str) -> str:
    """A folded Latin word without its accents (café → cafe); words of other scripts as they are."""
    if word.isascii() or not _LATIN.fullmatch(word):
        return word
    decomposed = unicodedata.normalize("NFD", word.translate(_LETTERS))
    return "".join(character for character in decomposed if not unicodedata.combining(character))


@functools.lru_cache(maxsize=32_768)
def _stem(word: str) -> str:
    with _LOCK:
        return _stemmer()(word)


@functools.cache
def _stemmer() -> Callable[[str], str]:
    # The class itself: the package's factory would hand out a C implementation where one is
    # installed, whose version need not be the one that built the index.
    from snowballstemmer.english_stemmer import EnglishStemmer

    stem_word: Callable[[str], str] = EnglishStemmer().stemWord
    return stem_word
