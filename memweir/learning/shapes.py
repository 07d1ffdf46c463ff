"""Which text is no prose? Code, tables, logs, dumps and quotes as whole blocks; lines that say nothing.

Blocks are cut before a text is split into sentences, single sentences are looked at after. What a
sentence *does* (asks, greets, orders) is for the readers of its language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memweir.learning.blocks import block_cuts
from memweir.learning.code_lines import is_code, is_command
from memweir.learning.stretches import without
from memweir.learning.types import LeftOut, Sentence
from memweir.retrieval.scripts import HAN
from memweir.retrieval.stopwords import word_lists

__all__ = ["LONGEST", "sentence_shape", "shape_cuts"]

LONGEST: Final = 600
"""Characters of a sentence; a longer one is a text without marks."""

_ADDRESS: Final = re.compile(
    r"(?:[a-z][a-z0-9+.-]{1,20}://|www\.|mailto:)[!-~]+"
    r"|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}"
    r"|(?:[\w-]{1,63}\.){1,8}(?:com|org|net|io|dev|cn|edu|gov)\b(?:/[!-~]*)?",
    re.IGNORECASE | re.ASCII,
)
_PATH: Final = re.compile(
    r"(?:~|\.{1,2}|[A-Za-z]:|[\w.@+-]{1,255})?(?:[/\\][\w.@+ -]{0,255}){1,64}(?::\d{1,9}){0,2}"
    r"|[\w-]{1,255}(?:\.[\w-]{1,64}){0,3}\.[a-z][a-z0-9]{0,4}(?::\d{1,9}){0,2}"
)
_AROUND: Final = " \t\r\n.,;:!()[]<>\"'`*_-–—。，；：！（）【】《》“”"
_ONLY_CODE: Final = re.compile(r"(?:`[^`\n]+`[\s.,;，。、]*)+")
_LETTER: Final = re.compile(r"[^\W\d_]")
_HAN: Final = re.compile(f"[{HAN}]")
_WORD: Final = re.compile(r"[^\W_]+(?:['’.+#&/-][^\W_]+)*")
_OF_SPEAKER: Final = frozenset(
    (
        "i",
        "i'm",
        "i've",
        "i'd",
        "i'll",
        "im",
        "ive",
        "me",
        "my",
        "mine",
        "we",
        "we're",
        "we've",
        "our",
        "us",
    )
)
_LEAST_HAN: Final = 4
_LEAST_OF_SPEAKER: Final = 3  # 我吃素
_LEAST_WORDS: Final = 2


def shape_cuts(
    text: str, stretches: Sequence[tuple[int, int]], place: int = 0
) -> tuple[tuple[tuple[int, int], ...], tuple[LeftOut, ...]]:
    """The stretches of a text less the blocks that are no prose, and what was cut. Linear.

    Args:
        stretches: half-open, in order and without overlap.
        place: number of the message, for the report.
    """
    return without(text, stretches, block_cuts(text, stretches), place)


def sentence_shape(sentence: Sentence) -> str | None:
    """The rule by which a sentence is none, a line of code, an address, too short; None: it may be one.

    What a person asks to be remembered is looked at before: it may be as short as it likes.
    """
    text = sentence.text
    if not _LETTER.search(text):
        return "shape.wordless"
    if len(text) > LONGEST:
        return "shape.long"
    if not _LETTER.search(_ADDRESS.sub(" ", text)):
        return "shape.url"
    bare = text.strip(_AROUND)
    if " " not in bare and _PATH.fullmatch(bare) and _HAN.search(bare) is None:
        return "shape.path"
    if _ONLY_CODE.fullmatch(text) or is_code(text) or is_command(text):
        return "shape.code"
    if _is_short(text, sentence.lang):
        return "shape.short"
    return None


def _is_short(text: str, lang: str) -> bool:
    words = list(_words(text))
    if lang == "zh":
        han = len(_HAN.findall(text))
        latin = sum(_HAN.search(word) is None for word in words)
        return han + 2 * latin < (_LEAST_OF_SPEAKER if "我" in text else _LEAST_HAN)
    stop = word_lists().stop
    content = sum(word not in stop and word not in _OF_SPEAKER for word in words)
    if any(word in _OF_SPEAKER for word in words):
        return content < 1
    return content < _LEAST_WORDS


def _words(text: str) -> Iterator[str]:
    spaced = _HAN.sub(" ", text)
    yield from (match.group().lower().replace("’", "'") for match in _WORD.finditer(spaced))
    yield from (match.group() for match in _HAN.finditer(text))
