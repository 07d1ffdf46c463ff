"""Does a text repeat what memweir put into the prompt? Fingerprints of what was injected, and its echo.

An entry is fingerprinted by shingles of its folded words: each stretch of six words or of ten
characters of a script without spaces, whatever punctuation and line breaks stand in it (Broder, 1997;
the choice among those of a long entry is a kind of winnowing: Schleimer, Wilkerson and Aiken, 2003).
A text is compared by all of its shingles, so that a repeated stretch is seen wherever it begins.

An echo is what repeats an entry and says nothing else: whole clauses of it, or a long stretch. A
sentence that begins as a memory does and ends otherwise is a person's correction, and none.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Protocol

from memweir.learning.stretches import Cut, without
from memweir.learning.types import LeftOut
from memweir.retrieval.normalise import fold, simplify_characters
from memweir.retrieval.scripts import BIGRAM_SCRIPTS, IGNORABLE, MARKS
from memweir.retrieval.stopwords import read_data, word_lists

__all__ = [
    "ECHO",
    "MOST_FINGERPRINTS",
    "Echoes",
    "Unknown",
    "echoed",
    "fingerprints",
    "probes",
    "without_echoes",
]

ECHO: Final = "echo"
"""The rule under which a repeated stretch is left out."""

MOST_FINGERPRINTS: Final = 257
"""Numbers of one entry at most: 256 shingles, and one for the whole where it is short.

Up to 261 words or 265 Chinese characters every shingle is one of them, and every stretch of six words
or ten characters is seen. Of a longer entry the shingles at the ends of its sentences are kept, and
others at even distances.
"""

_MOST_SHINGLES: Final = MOST_FINGERPRINTS - 1
_MOST_EDGES: Final = 128
_OF_WORD: Final = 5  # weight: six words weigh what ten characters do
_OF_CHARACTER: Final = 3
_SHINGLE: Final = 30
_LONG: Final = 2 * _SHINGLE  # a stretch that nobody repeats by chance
_SHORT: Final = 14  # below it an entry says too little to be known again
_CONTENT: Final = 4  # words of content that a clause needs to be told from a phrase
_WHOLE: Final = 3  # and a short entry to be known as a whole
_ABOUT_USER: Final = (("user",), ("the", "user"), ("用", "户"))  # of themselves a person says "I"
_SHORT_ABOUT_USER: Final = 10
_WHOLE_ABOUT_USER: Final = 2
_MOST_GAP: Final = 12  # words between two samples of a long entry

_WORD: Final = rf"[^\W_{BIGRAM_SCRIPTS}]"
_TOKEN: Final = re.compile(
    r"&(?:\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8});"
    rf"|(?P<character>[{BIGRAM_SCRIPTS}])"
    rf"|(?P<word>{_WORD}(?:[{MARKS}{IGNORABLE}'’ʼ]*+{_WORD})*+)"
)
_SILENT: Final = re.compile(f"[{IGNORABLE}'’ʼ]")
_BOUNDARY: Final = re.compile(
    r"[\n\r\u2028\u2029。！？；，、：…—|“”„‘「」『』《》()（）\[\]【】{}<>\"`*~•]"
    r"|[.,;:!?](?=[\s\"'”’»)\]])|\s[-–'/]|[-–']\s|&(?:lt|gt|quot);|^['’]|['’]$"
)
_SEGMENT: Final = re.compile(
    r"…|\s[-–—]|[-–—]\s|[\n\r\u2028\u2029。！？；：“”„「」『』()（）\[\]【】{}<>\"]|[.;:!?](?=[\s\"'”’»)\]])|&(?:lt|gt|quot);"
)
_ELLIPSIS: Final = re.compile(r"…|\.\.\.|。。")
_CLOSED: Final = re.compile(r"\s*[.!?。！？]")
_REFERENCE: Final = r"&(?:\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}|amp|apos|gt|lt|nbsp|quot);"
_LEFT: Final = re.compile(rf"[^\S\n]*(?:{_REFERENCE}|[^\w\s])*[^\S\n]*")
_OPENING: Final = re.compile(rf"(?:{_REFERENCE}|[\"'“‘「『《(（\[【<>*_~`])*$")
_LONGEST_OPENING: Final = 60  # characters


class Echoes(Protocol):
    """What was injected, as far as fingerprints tell."""

    def known(self, fingerprints: Collection[int]) -> set[int]:
        """Those of them that an injected entry has."""
        ...


class Unknown:
    """Nothing was ever injected."""

    def known(self, fingerprints: Collection[int]) -> set[int]:
        return set()


def fingerprints(text: str) -> frozenset[int]:
    """The fingerprints of an entry that is injected, to be kept: numbers of 63 bits, one a word.

    At most `MOST_FINGERPRINTS`, none where the entry says too little to be known again.

    They are digests of words and no secret; keep them keyed where the words are one. The same for every
    process, and for a text of other punctuation, case, white space or Chinese spelling.
    """
    return frozenset(_kept(_Reading(text)))


def probes(text: str) -> frozenset[int]:
    """All numbers by which an echo in a text can be known: what to ask `Echoes.known` about."""
    reading = _Reading(text)
    wholes = (number for _, _, number in reading.wholes())
    return frozenset((*(number for _, number in reading.shingles()), *wholes))


def echoed(text: str, known: Collection[int]) -> list[tuple[int, int]]:
    """The stretches of a text that repeat injected entries, in order, without overlap.

    Args:
        known: which of its `probes` are known.
    Returns:
        Half-open, in characters, with the punctuation around what is repeated.
    """
    if not known:
        return []
    reading = _Reading(text)
    runs = _runs(reading, known)
    found = _accepted(reading, runs)
    found += [(start, end) for start, end, number in reading.wholes() if number in known]
    spans: list[tuple[int, int]] = []
    for start, end in sorted(found):
        first, last = reading.span(start, end)
        if spans and first <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(last, spans[-1][1])
        else:
            spans.append((first, last))
    return spans


def without_echoes(
    text: str, stretches: Sequence[tuple[int, int]], echoes: Echoes, place: int = 0
) -> tuple[tuple[tuple[int, int], ...], tuple[LeftOut, ...]]:
    """The stretches of a text less the echoes in them, and what was cut.

    Args:
        stretches: half-open, in order and without overlap.
        place: number of the message, for the report.
    """
    cuts = [Cut(start, end, ECHO) for start, end in echoed(text, echoes.known(probes(text)))]
    return without(text, stretches, cuts, place)


# --- which repeated stretches are echoes -------------------------------------------------------------


def _runs(reading: _Reading, known: Collection[int]) -> list[tuple[int, int]]:
    """The stretches covered by known shingles, in order."""
    runs: list[tuple[int, int]] = []
    for start, (end, number) in enumerate(reading.shingles()):
        if number not in known:
            continue
        if runs and start <= runs[-1][1]:
            runs[-1] = runs[-1][0], max(end, runs[-1][1])
        else:
            runs.append((start, end))
    return _joined(reading, runs)


def _joined(reading: _Reading, runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Runs that are samples of one long stretch become one.

    What stands between two runs may also be what a person changed, so that only a chain of several is
    taken for samples.
    """
    joined: list[tuple[int, int]] = []
    chain: list[tuple[int, int]] = []
    for run in [*runs, None]:
        if run is not None and (not chain or run[0] - chain[-1][1] <= _MOST_GAP):
            chain.append(run)
            continue
        if len(chain) > 2 and sum(reading.weight(*each) for each in chain) > _LONG:
            joined.append((chain[0][0], chain[-1][1]))
        else:
            joined += chain
        chain = [] if run is None else [run]
    return joined


def _accepted(reading: _Reading, runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The runs that are echoes, ragged ends included."""
    found: dict[int, tuple[int, int]] = {}
    for number, (start, end) in enumerate(runs):
        before, after = _left_over(reading, start, -1), _left_over(reading, end, 1)
        following = runs[number + 1][0] if number + 1 < len(runs) else None
        if _is_echo(reading, start, end, before, following):
            found[number] = (
                start - (before if before == 1 else 0),
                end + (after if after == 1 else 0),
            )
    # A stretch cut in the middle of its words, beside one that is whole.
    for number, (start, end) in enumerate(runs):
        if number in found:
            continue
        before, after = _left_over(reading, start, -1), _left_over(reading, end, 1)
        beside = (
            (number - 1 in found and start - before <= found[number - 1][1] and after <= 1)
            or (number + 1 in found and end + after >= found[number + 1][0] and before <= 1)
        )  # fmt: skip
        if beside and not _has_figures(reading, end, end + after):
            found[number] = (start - min(before, 1), end + min(after, 1))
    return [found[number] for number in sorted(found)]


def _is_echo(reading: _Reading, start: int, end: int, before: int, following: int | None) -> bool:
    """Whether a stretch that repeats an entry does nothing else.

    What stands before it may be of the same sentence ("No, …"). What follows in the same sentence is
    more likely what a person says instead.

    Args:
        before: words between it and the beginning of its clause.
        following: where the next stretch begins.
    """
    if reading.content(start, end) < _CONTENT:
        return False
    rest = _left_over(reading, end, 1, _SEGMENT)
    if following is not None and following - end <= min(rest, 3):
        return False  # something was put in another's place
    cut_before = not before or (before == 1 and _ELLIPSIS.search(reading.gap(start - 1)) is not None)
    cut_after = not rest or (rest == 1 and _ELLIPSIS.search(reading.gap(end + 1)) is not None)
    if cut_before and cut_after:
        return True
    if reading.weight(start, end) < _LONG:
        return False
    changed = 0 < rest <= _MOST_GAP and (
        _has_figures(reading, end, end + rest)
        or (rest < 3 and _CLOSED.match(reading.gap(end + rest)) is not None)
    )
    return not changed


def _left_over(reading: _Reading, place: int, step: int, boundary: re.Pattern[str] = _BOUNDARY) -> int:
    """Words from an end of a run to that of its clause, or of its sentence; at most one too many."""
    count = 0
    while count <= _MOST_GAP and not reading.bounded(place, boundary):
        count += 1
        place += step
    return count


def _has_figures(reading: _Reading, start: int, end: int) -> bool:
    return any(each.isdigit() for token in reading.tokens[start:end] for each in token.key)


# --- words and shingles ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    key: str
    weight: int


class _Reading:
    """A text as words. Stretches are half-open, counted in words."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [
            _Token(match.start(), match.end(), _key(match.group()), _OF_WORD)
            if match.lastgroup == "word"
            else _Token(match.start(), match.end(), _key(match.group()), _OF_CHARACTER)
            for match in _TOKEN.finditer(text)
            if match.lastgroup is not None
        ]
        self.sums = [0]
        for token in self.tokens:
            self.sums.append(self.sums[-1] + token.weight)

    def weight(self, start: int, end: int) -> int:
        return self.sums[end] - self.sums[start]

    def shingle_ends(self) -> list[int]:
        """For each word that a shingle begins with, where it ends."""
        ends = []
        end = 0
        for start in range(len(self.tokens)):
            while end < len(self.tokens) and self.weight(start, end) < _SHINGLE:
                end += 1
            if self.weight(start, end) < _SHINGLE:
                break
            ends.append(end)
        return ends

    def shingles(self) -> list[tuple[int, int]]:
        """(end, number) of the shingle that begins at each word."""
        return [(end, self.number(start, end)) for start, end in enumerate(self.shingle_ends())]

    def number(self, start: int, end: int, kind: bytes = b"shingle") -> int:
        keys = "\x1f".join([token.key for token in self.tokens[start:end]])
        digest = hashlib.blake2b(keys.encode("utf-8", "replace"), digest_size=8, person=kind).digest()
        return int.from_bytes(digest, "big") >> 1

    def gap(self, place: int) -> str:
        """What stands before a word; after the last one, at its number."""
        start = self.tokens[place - 1].end if place > 0 else 0
        end = self.tokens[place].start if place < len(self.tokens) else len(self.text)
        return self.text[start:end]

    def bounded(self, place: int, boundary: re.Pattern[str]) -> bool:
        """Whether a clause, or a sentence, may begin at a word."""
        return place in (0, len(self.tokens)) or boundary.search(self.gap(place)) is not None

    def segments(self) -> list[tuple[int, int]]:
        """Sentences, and what stands in quotes or brackets."""
        places = [
            place
            for place in range(len(self.tokens) + 1)
            if place in (0, len(self.tokens)) or _SEGMENT.search(self.gap(place))
        ]
        return list(pairwise(places))

    def lines(self) -> list[tuple[int, int]]:
        places = [
            place
            for place in range(len(self.tokens) + 1)
            if place in (0, len(self.tokens)) or "\n" in self.gap(place)
        ]
        return list(pairwise(places))

    def wholes(self) -> list[tuple[int, int, int]]:
        """(start, end, number) of what may be the whole of a short entry."""
        found = dict.fromkeys((*self.segments(), *self.lines()))
        return [
            (start, end, self.number(start, end, b"whole"))
            for start, end in found
            if self.is_whole(start, end)
        ]

    def is_whole(self, start: int, end: int) -> bool:
        """Whether a stretch is short and says enough to be known again as a whole."""
        first = tuple(token.key for token in self.tokens[start : min(start + 2, end)])
        about = any(first[: len(each)] == each for each in _ABOUT_USER)
        short, least = (_SHORT_ABOUT_USER, _WHOLE_ABOUT_USER) if about else (_SHORT, _WHOLE)
        return short <= self.weight(start, end) < _LONG and self.content(start, end) >= least

    def content(self, start: int, end: int) -> int:
        """Words that say something; two characters count as one."""
        said = _says_little()
        words = characters = 0
        for token in self.tokens[start:end]:
            if token.weight == _OF_CHARACTER:
                characters += 1
            elif token.key not in said:
                words += 1
        return words + characters // 2

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Characters of a stretch, with the punctuation that closes and opens it on its own lines."""
        first, last = self.tokens[start].start, self.tokens[end - 1].end
        before = self.tokens[start - 1].end if start else 0
        opening = self.text[before:first]
        opening = opening[opening.rfind("\n") + 1 :]
        kept = len(opening) if not start or before < first - len(opening) else 0
        if not kept:
            match = _OPENING.search(opening[-_LONGEST_OPENING:])
            kept = len(match.group()) if match is not None else 0
        after = self.tokens[end].start if end < len(self.tokens) else len(self.text)
        match = _LEFT.match(self.text, last, after)
        return first - kept, match.end() if match is not None else last


@functools.lru_cache(maxsize=32_768)
def _key(word: str) -> str:
    if word.isascii():
        return word.lower().replace("'", "")
    return simplify_characters(fold(_SILENT.sub("", word)))


@functools.cache
def _says_little() -> frozenset[str]:
    """Function words, denials and the words of small talk, as keys."""
    lists = word_lists()
    talk = [line for line in read_data("phatic.txt").splitlines() if not line.startswith("#")]
    return frozenset(map(_key, (*lists.stop, *lists.negations, *talk)))


def _kept(reading: _Reading) -> list[int]:
    whole = []
    total = len(reading.tokens)
    if reading.is_whole(0, total):
        whole.append(reading.number(0, total, b"whole"))
    ends = reading.shingle_ends()
    starts = _chosen(reading, ends) if len(ends) > _MOST_SHINGLES else range(len(ends))
    return [*whole, *(reading.number(start, ends[start]) for start in starts)]


def _chosen(reading: _Reading, ends: list[int]) -> list[int]:
    """Which shingles of a long entry are kept: at the ends of its sentences, and at even distances."""
    edges = {0, len(ends) - 1}
    for start, end in reading.segments():
        if reading.weight(start, end) < _SHINGLE:
            continue
        edges.add(start)
        last = end - 1
        while ends[min(last, len(ends) - 1)] > end or last >= len(ends):
            last -= 1
        edges.add(last)
    chosen = set(_even(sorted(edges), _MOST_EDGES))
    chosen.update(_even(range(len(ends)), _MOST_SHINGLES - len(chosen)))
    return sorted(chosen)


def _even(values: Sequence[int], most: int) -> list[int]:
    """At most so many of the values, at even distances, the first and the last among them."""
    if len(values) <= most:
        return list(values)
    return [values[number * (len(values) - 1) // (most - 1)] for number in range(most)]
