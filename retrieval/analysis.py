"""What does a text say, in terms an index can hold? The one analysis both sides of retrieval share."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from importlib import metadata
from typing import Final

from memweir.retrieval.calendar_numbers import calendar_date, chinese_date, is_calendar_number
from memweir.retrieval.cjk import RunReader, segmenter_version
from memweir.retrieval.gathered import MOST_SYMBOLS, MOST_TERMS, Gathered
from memweir.retrieval.names import find_names
from memweir.retrieval.normalise import fold, has_han, simplify, simplify_characters, unify
from memweir.retrieval.pieces import Piece, PieceReader
from memweir.retrieval.stopwords import data_digest
from memweir.retrieval.synonyms import LONGEST_PHRASE, Synonyms
from memweir.retrieval.tokenise import (
    DATE,
    GROUPED,
    NEXT_WORD,
    PICTOGRAPH,
    RUN,
    TOKEN,
    pictograph,
    shade,
)
from memweir.retrieval.types import Analysis

__all__ = ["MOST_SYMBOLS", "MOST_TERMS", "Analyzer", "default_analyzer"]

_RULES: Final = 1  # raised when changed code analyses the same text differently
_REMEMBERED: Final = 1_024  # texts
_LONGEST_REMEMBERED: Final = 500  # characters
_PART: Final = 65_536  # characters analysed at a time


class Analyzer:
    """Turns texts into `Analysis`: same text, same analysis, in every process.

    Safe to share between threads. The dictionaries are loaded at the first text that needs them: the
    Chinese ones at the first Han character, the stemmer at the first English word.

    Of a text with more than `MOST_TERMS` terms the repeats are dropped; what is still too much is
    thinned evenly, so that the end of the text is represented like its start.

    Args:
        synonyms: groups to fold; None: the built-in ones. `Synonyms()` folds nothing.
    """

    def __init__(self, *, synonyms: Synonyms | None = None) -> None:
        self._synonyms = Synonyms.load() if synonyms is None else synonyms
        self._pieces = PieceReader(self._synonyms)
        self._runs = RunReader(self._synonyms)
        self._remembered = functools.lru_cache(maxsize=_REMEMBERED)(self._analyse)

    @functools.cached_property
    def version(self) -> str:
        """Names everything an index depends on: another version means other terms, so re-index."""
        return "+".join(
            (
                f"analysis-{_RULES}",
                segmenter_version(),
                f"opencc-{metadata.version('opencc')}",
                f"snowball-{metadata.version('snowballstemmer')}",
                f"words-{data_digest()}",
                f"synonyms-{self._synonyms.digest}",
            )
        )

    def analyse(self, text: str) -> Analysis:
        """Analyse any text; never raises, whatever is in it."""
        return self._remembered(text) if len(text) <= _LONGEST_REMEMBERED else self._analyse(text)

    def _analyse(self, text: str) -> Analysis:
        unified = unify(text)
        cased = by_character = unified
        if has_han(unified):
            cased = simplify(unified)
            by_character = simplify_characters(unified)
            if len(by_character) != len(cased):
                by_character = cased
        gathered = Gathered()
        for start, end in _parts(cased):
            self._read(cased[start:end], by_character[start:end], gathered)
            gathered.drop_repeats()
        return gathered.analysis(fold(cased))

    def _read(self, text: str, by_character: str, gathered: Gathered) -> None:
        """One pass over the tokens. This loop is the hot path: it looks everything up once."""
        terms, content, words = gathered.terms, gathered.content, gathered.words
        read, read_run = self._pieces.read, self._runs.read
        shaded = shade(text)
        names = find_names(text, shaded)
        covered = 0  # up to here a synonym of several words has been folded
        for match in TOKEN.finditer(shaded):
            kind = match.lastindex
            if kind == RUN:
                start, end = match.span()
                read_run(text[start:end], by_character[start:end], start, gathered, names)
                continue
            if kind == PICTOGRAPH:
                signs, meant = pictograph(match.group())
                terms += signs
                content += signs if meant else ()
                continue
            token = match.group()
            if kind == DATE:
                dated = calendar_date(token)
                terms += dated
                content += dated
                words += [(term, term) for term in dated[:1]]
                if token[4] != ".":  # 2026.1.15 may as well be a version
                    continue
            elif kind == GROUPED:
                token = token.replace(",", "")
            piece = read(token)
            terms += piece.terms
            content += piece.content
            words += piece.words
            if piece.symbols:
                self._keep_symbols(piece, match.start(), match.end(), text, gathered, names)
            if (piece.token or piece.entries) and match.start() >= covered:
                folded, covered = self._fold(piece, shaded, match.end())
                if folded:
                    terms.append(folded)
                    content.append(folded)
        gathered.add_names(names)

    def _keep_symbols(
        self,
        piece: Piece,
        start: int,
        end: int,
        text: str,
        gathered: Gathered,
        names: list[tuple[int, str]],
    ) -> None:
        if piece.number and is_calendar_number(text, start, end):
            for term in chinese_date(piece.number, text, end):
                gathered.terms.append(term)
                gathered.content.append(term)
            return
        for symbol in piece.symbols:
            if len(gathered.symbols) < MOST_SYMBOLS:
                gathered.symbols[symbol] = None
            if not symbol.isascii() or any(map(str.isalpha, symbol)):
                names.append((start, symbol))

    def _fold(self, piece: Piece, shaded: str, end: int) -> tuple[str, int]:
        """The synonym token of the longest member that begins with a piece, and where it ends."""
        if piece.entries:
            ends = [end]
            following: list[Piece] = []
            while len(following) < LONGEST_PHRASE - 1 and (word := NEXT_WORD.match(shaded, ends[-1])):
                following.append(self._pieces.read(word.group(1)))
                ends.append(word.end())
            token, length = piece.longest_member(following)
            return token, ends[length - 1]
        return piece.token, end


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """Cut after a space or the end of a clause where there is one in the second half of a part."""
    start = 0
    while len(text) - start > _PART:
        half, whole = start + _PART // 2, start + _PART
        end = max(text.rfind(mark, half, whole) for mark in " 。、!?;") + 1 or whole
        yield start, end
        start = end
    yield start, len(text)


@functools.cache
def default_analyzer() -> Analyzer:
    """The analyzer with the built-in synonyms, one per process."""
    return Analyzer()
