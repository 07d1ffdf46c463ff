"""Which index terms does a run without spaces give? Words where a dictionary knows them, and pairs.

Every pair of neighbouring characters is a term, so that whatever stands in the text is found whether
or not the segmenter cuts both sides alike; the segmenter's words tell which pairs touch a stop word.
"""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Callable, Sequence
from importlib import metadata
from typing import Final, NamedTuple

from memweir.retrieval.gathered import Gathered
from memweir.retrieval.scripts import HAN, UNSPACED
from memweir.retrieval.stopwords import word_lists
from memweir.retrieval.synonyms import Synonyms

__all__ = ["PARTICLES", "RunReader", "segmenter_version"]

# Characters that end or soften a clause: a pair that holds one is noise.
PARTICLES: Final = frozenset("的了吗么呢吧啊呀嘛哦哇啦喔噢嗯呐咯")

_DENYING: Final = frozenset("不没")  # terms of their own wherever they stand
_OTHER: Final = re.compile(f"[^{HAN}]+")
_UNSPACED: Final = re.compile(f"[{UNSPACED}]")
_NAME_TAGS: Final = frozenset(["nr", "ns", "nt", "nz", "nrt", "nrfg"])
_PERSON_TAGS: Final = frozenset(["nr", "nrfg"])
_FAMILIAR: Final = frozenset("小老阿")  # 小明, 老王, 阿强
_LONE_WORD_TAGS: Final = frozenset("nva")  # noun, verb, adjective: of one character, yet a word
_LONGEST_WORD: Final = 64
_CACHED: Final = 32_768  # words

_STOP: Final = 1  # flags of a character: in a stop word, in a word that denies, a particle
_DENIAL: Final = 2
_PARTICLE: Final = 4

_Segmenter = Callable[[str], list[tuple[str, str]]]


class _Word(NamedTuple):
    """What a segmented word contributes, wherever it stands.

    Attributes:
        flag: _STOP, _DENIAL or 0.
        term: itself where it is a term besides its pairs, or "".
        hashed: the entry of `Analysis.words`, or None.
        is_name: it may be the name of a person, place, organisation or brand.
        token: the synonym token of the word itself, or "".
        longer: synonym members that begin with it and go on: (member, token), longest first.
    """

    flag: int
    term: str
    hashed: tuple[str, str] | None
    is_name: bool
    token: str
    longer: tuple[tuple[str, str], ...]


def segmenter_version() -> str:
    """Which segmenter cuts the words, without loading it."""
    return f"rjieba-{metadata.version('rjieba')}"


class RunReader:
    """Reads runs of `tokenise.TOKEN`. Safe to share between threads."""

    __slots__ = ("_particles", "_remembered", "_stop", "_stop_chars", "_synonyms")

    def __init__(self, synonyms: Synonyms) -> None:
        self._synonyms = synonyms
        self._stop = word_lists().stop
        self._stop_chars = PARTICLES | {word for word in self._stop if len(word) == 1}
        self._remembered = functools.lru_cache(maxsize=_CACHED)(self._read_word)

    def read(
        self, run: str, by_character: str, offset: int, into: Gathered, names: list[tuple[int, str]]
    ) -> None:
        """Add what a run gives.

        Args:
            run: of a cleaned text.
            by_character: the same stretch simplified character by character.
            offset: where the run begins in the text, for the names.
        """
        tokens = _segment(run)
        flags = bytearray(_PARTICLE if character in PARTICLES else 0 for character in run)
        extra: list[tuple[int, str, bool]] = []  # (position, term, content): terms besides the pairs
        known = self._remembered
        end = folded_to = 0
        for number, (word, tag) in enumerate(tokens):
            start, end = end, end + len(word)
            flag, term, hashed, is_name, token, longer = known(word, tag)
            if flag:
                for at in range(start, end):
                    flags[at] |= flag
                if flag == _DENIAL and end - start == 1 and word not in _DENYING:
                    extra.append((start, word, False))
            if (token or longer) and start >= folded_to:
                folded_to = end
                for member, token_of_member in longer:
                    if run.startswith(member, start) and _ends_with_word(tokens, number, len(member)):
                        token, folded_to = token_of_member, start + len(member)
                        break
                if token:
                    extra.append((start, token, True))
            if term:
                extra.append((start, term, True))
            if hashed:
                into.words.append(hashed)
                if is_name:
                    names.append((offset + start, word))
        if not _DENYING.isdisjoint(run):
            extra += [
                (at, character, False) for at, character in enumerate(run) if character in _DENYING
            ]
            extra.sort(key=lambda each: each[0])
        self._add_pairs(run, flags, tokens, extra, into)
        if by_character != run:
            self._add_by_character(run, by_character, flags, into)
        skip = self._stop_chars
        chars = [character for character in run if character not in skip]
        if _UNSPACED.search(run):
            chars = [character for character in chars if not _UNSPACED.match(character)]
        into.chars += chars

    def _add_pairs(
        self,
        run: str,
        flags: bytearray,
        tokens: Sequence[tuple[str, str]],
        extra: Sequence[tuple[int, str, bool]],
        into: Gathered,
    ) -> None:
        """The pairs in order, each with the other terms that begin where it begins."""
        stop = self._stop
        pairs = [
            "" if (one | two) & _PARTICLE or (pair := first + second) in stop else pair
            for first, second, one, two in zip(run, run[1:], flags, flags[1:], strict=False)
        ]
        content = [
            "" if one or two else pair for pair, one, two in zip(pairs, flags, flags[1:], strict=False)
        ]
        terms, kept = into.terms, into.content
        done = 0
        for at, term, is_content in extra:
            terms += filter(None, pairs[done:at])
            kept += filter(None, content[done:at])
            done = max(done, at)
            terms.append(term)
            if is_content:
                kept.append(term)
        terms += filter(None, pairs[done:])
        kept += filter(None, content[done:])

    def _add_by_character(self, run: str, by_character: str, flags: bytearray, into: Gathered) -> None:
        """Pairs around characters that stand in a phrase for another than they do alone (乾 in 乾隆).

        A fragment of the text may cut the phrase, and must still be found.
        """
        for at, character in enumerate(by_character):
            if character != run[at] and character not in self._stop_chars:
                into.chars.append(character)
            pair = by_character[at : at + 2]
            if len(pair) < 2 or pair == run[at : at + 2] or pair in self._stop:
                continue
            if PARTICLES.isdisjoint(pair):
                into.terms.append(pair)
                if not flags[at] and not flags[at + 1]:
                    into.content.append(pair)

    def _read_word(self, word: str, tag: str) -> _Word:
        lists = word_lists()
        flag = _STOP if word in lists.stop else _DENIAL if word in lists.negations else 0
        plain = not flag
        length = len(word)
        # A word of two characters is its pair, unless a particle in it forbids the pair: 了解.
        beside = 2 < length <= _LONGEST_WORD or (length == 2 and not PARTICLES.isdisjoint(word))
        lone = tag[:1] in _LONE_WORD_TAGS and word not in PARTICLES
        longer: list[tuple[str, str]] = []
        token = ""
        for member, token_of_member in self._synonyms.han(word[0]):
            if len(member) > length and member.startswith(word):
                longer.append((member, token_of_member))
            elif not token and word.startswith(member) and _is_head(len(member), length):
                token = token_of_member
        return _Word(
            flag=flag,
            term=word if plain and beside else "",
            hashed=(word, word) if plain and (length > 1 or lone) and length <= _LONGEST_WORD else None,
            is_name=tag in _NAME_TAGS and length > 1 and _is_name(word, tag),
            token=token,
            longer=tuple(longer),
        )


def _is_name(word: str, tag: str) -> bool:
    """The dictionary calls many a common word a person: those must begin like one."""
    if tag not in _PERSON_TAGS:
        return True
    surnames = word_lists().surnames
    return len(word) <= 4 and (word[0] in surnames or word[:2] in surnames or word[0] in _FAMILIAR)


def _is_head(member: int, word: int) -> bool:
    """Whether a member of this length may stand for a word that begins with it: 开会 for 开会时间."""
    return member == word or (word >= 4 and (word - member >= 2 or member >= 3))


def _ends_with_word(tokens: Sequence[tuple[str, str]], number: int, length: int) -> bool:
    while length > 0 and number < len(tokens):
        length -= len(tokens[number][0])
        number += 1
    return length == 0


def _segment(run: str) -> list[tuple[str, str]]:
    """(word, part of speech) that join to the run; a stretch of another script is one word."""
    if not _OTHER.search(run):
        return _segmenter()(run)
    tokens: list[tuple[str, str]] = []
    at = 0
    for other in _OTHER.finditer(run):
        if at < other.start():
            tokens += _segmenter()(run[at : other.start()])
        tokens.append((other.group(), "x"))
        at = other.end()
    return tokens + _segmenter()(run[at:]) if at < len(run) else tokens


@functools.cache
def _segmenter() -> _Segmenter:
    with _LOADING:
        return _load_segmenter()


@functools.cache
def _load_segmenter() -> _Segmenter:
    import rjieba

    # The package has loaded its dictionary on import; an instance of our own would do it again.
    tag: _Segmenter = rjieba.tag
    return tag


_LOADING: Final = threading.Lock()  # two threads that meet the first Han text load it once
