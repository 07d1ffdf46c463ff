"""Does a text hold a name? Whole words where a script parts words, any stretch where it does not."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from memweir.store.entry import Indexable, Indexer

__all__ = ["Name"]

_BETWEEN: Final = "\n|\n"  # parts fields: no name reaches from one into the next

# Thai to Burmese, Khmer, Hangul (a particle hangs on to a name), kana and Han.
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff]"
)


class Name:
    """A name that is looked for, as written and as the index compares it.

    "Ann" is in "Ann's", "ann_42" and "我叫Ann的", not in "annual"; "小明" is in "王小明".
    """

    def __init__(self, written: str, indexer: Indexer) -> None:
        self._written = written
        self._folded = indexer.fold(written)
        self._indexer = indexer
        self._terms = frozenset(indexer.index([Indexable(written)])[0].fields.get("body", ()))

    def is_in(self, fields: Iterable[str | None]) -> bool:
        """Whether one of the fields holds it."""
        text = _BETWEEN.join(field for field in fields if field)
        return _holds(text, self._written) or self.is_folded_in(self._indexer.fold(text))

    def is_folded_in(self, text: str) -> bool:
        """Whether a folded text holds it."""
        return _holds(text, self._folded)

    def among(self, terms: Iterable[str]) -> frozenset[str]:
        """Those of the terms that say it: each that holds it, and its own where all are there."""
        given = frozenset(terms)
        said = frozenset(term for term in given if self.is_in((term,)))
        return said | self._terms if self._terms and self._terms <= given else said


def _holds(text: str, name: str) -> bool:
    if not name:
        return False
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        before = start > 0 and _one_word(text[start - 1], name[0])
        after = end < len(text) and (_is_mark(text[end]) or _one_word(name[-1], text[end]))
        if not before and not after:
            return True
        start = text.find(name, start + 1)
    return False


def _one_word(one: str, other: str) -> bool:
    """Whether two characters side by side are of one word, or of one number."""
    if one.isdigit() or other.isdigit():
        return one.isdigit() and other.isdigit()
    spaced = not (_UNSPACED.match(one) or _UNSPACED.match(other))
    return spaced and _is_letter(one) and _is_letter(other)


def _is_letter(character: str) -> bool:
    return character.isalpha() or _is_mark(character)


def _is_mark(character: str) -> bool:
    return unicodedata.combining(character) > 0
