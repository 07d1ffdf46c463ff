"""Which sentences does a text consist of? Cut at marks and line breaks, without the marks of lists."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from typing import Final

from memweir.learning.lists import read_sections
from memweir.learning.types import Sentence
from memweir.retrieval.scripts import EMOJI, HAN, KANA
from memweir.retrieval.stopwords import word_lists

__all__ = ["language", "sentences"]

_LINE: Final = re.compile(r"[^\n\r\v\f\x85\u2028\u2029]+")
_BULLET: Final = re.compile(
    r"[ \t\u3000]*(?:(?:\#{1,6}|[-*+•·‣▪◦●○■□◆◇★☆►▶➤✓✔–—])[ \t\u3000]+(?:\[[ xX]\][ \t]+)?"
    r"|(?:[0-9]{1,3}|[a-hA-H])[.)][ \t]+"
    r"|[(（](?:[0-9]{1,3}|[a-z]|[一二三四五六七八九十]{1,3})[)）][ \t]*"
    r"|(?:[0-9]{1,3}|[一二三四五六七八九十]{1,3})[、．][ \t]*|[①-⑳⑴-⒇❶-❿][ \t]*)"
)
_NUMBER: Final = re.compile(r"\s*[0-9]{1,3}[.](?![0-9])")
_ITEM_AFTER: Final = re.compile(r"[:：;；]\s{0,2}[0-9]{1,2}[.]$")
_MARKS: Final = re.compile(r"[。！？｡!?]+[.…]*|(?<![.])[.](?![.])|\.{2,}[!?]*|…+[!?。！？]*")
_CLOSERS: Final = "\"'”’)）】」』》*_~`"
_OPENERS: Final = "\"'“‘(（【「『《*_~`[<"
_CLOSING: Final = re.compile(rf"[{re.escape(_CLOSERS)}]*(?:[ \t]?[{EMOJI}\ufe0f\u200d]+)*")
_QUOTED: Final = re.compile(
    r"“[^“”\n]{1,300}”|\"[^\"\n]{1,300}\"|「[^「」\n]{1,300}」|『[^『』\n]{1,300}』|《[^《》\n]{1,100}》"
    r"|（[^（）\n]{1,300}）|\([^()\n]{1,300}\)|`[^`\n]{1,300}`"
)
_ADDRESS: Final = re.compile(r"(?:https?|ftp|file)://[!-~]{1,2000}|www\.[!-~]{1,2000}", re.IGNORECASE)
_WORD_BEFORE: Final = re.compile(r"[^\s\"'“”‘’()（）\[\]{}<>,;:!?/]{0,12}$")
_INITIAL: Final = re.compile(r"(?:[A-Z]\.)*[A-Z]")
_HAN: Final = re.compile(f"[{HAN}]")
_KANA: Final = re.compile(f"[{KANA}]")
_LATIN: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_WRAPPED: Final = 50  # characters of a line that was broken by its length
_WRAPPED_HAN: Final = 30
_WRAPPERS: Final = ("***", "**", "__", "*", "_", "~~")
_OPTION: Final = re.compile(r"(?<!\S)-{1,2}[A-Za-z][\w-]*")  # of a command: no word of a sentence
_GRAMMAR: Final = frozenset("我你您他她它的了是在用和不有这那也都就要会把被给对从到与跟们吗呢吧个")
_STARTERS: Final = frozenset(
    (
        "i",
        "we",
        "he",
        "she",
        "it",
        "they",
        "you",
        "the",
        "my",
        "our",
        "this",
        "that",
        "but",
        "and",
        "so",
    )
)


def sentences(text: str, stretches: Sequence[tuple[int, int]]) -> list[Sentence]:
    """The sentences in the stretches of a text, in order. Linear in its length.

    A line break ends one, unless the line was broken for its length or ends with a comma. Marks inside
    quotes and brackets end none. What has neither a letter nor a digit nor an emoji is no sentence.

    Args:
        stretches: half-open, in order and without overlap; no sentence reaches over two.
    """
    found: list[Sentence] = []
    for first, last in stretches:
        for start, end in _spans(text, first, last):
            said = text[start:end]
            before = found[-1].text if found else ""
            found.append(Sentence(said, start, end, language(said), before))
    return found


def language(text: str) -> str:
    """ "zh" where Chinese words carry a sentence, else "en".

    The words of either side are counted, those that make its grammar three times: "I love 麻婆豆腐" is
    English, "我用 VS Code" is Chinese.
    """
    han = _HAN.findall(text)
    if not han or len(_KANA.findall(text)) * 4 > len(han):
        return "en"
    words = _LATIN.findall(_OPTION.sub(" ", _HAN.sub(" ", text)))
    stop = word_lists().stop
    grammar = sum(word.lower() in stop for word in words)
    if not grammar and len(han) > 2:
        return "zh"  # names and commands among Chinese words: "k8s namespace 统一叫 team-x"
    english = len(words) + 2 * grammar
    chinese = len(han) / 1.7 + 2 * sum(each in _GRAMMAR for each in han)
    return "zh" if chinese >= english else "en"


def _spans(text: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    for start, end in _paragraphs(text, first, last):
        for place, stop in _cut(text, start, end):
            span = _trimmed(text, place, stop)
            if span is not None:
                yield span


# --- lines -------------------------------------------------------------------------------------------


def _paragraphs(text: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Lines without their list marks; lines that were broken for their length are one."""
    start = end = -1
    for match in _LINE.finditer(text, first, last):
        if not match.group().strip():
            continue
        bullet = _BULLET.match(text, match.start(), match.end())
        if end >= 0 and bullet is None and _goes_on(text, start, end, match):
            end = match.end()
            continue
        if end >= 0:
            yield start, end
        start = bullet.end() if bullet is not None else match.start()
        end = match.end()
    if end >= 0:
        yield start, end


def _goes_on(text: str, start: int, end: int, following: re.Match[str]) -> bool:
    """Whether a line is the rest of the one before it."""
    if text.count("\n", end, following.start()) > 1:
        return False
    line = text[max(start, end - 200) : end].rstrip()
    line = line[line.rfind("\n") + 1 :]
    rest = following.group().lstrip()
    if line[-1:] in ",，、":
        return True
    if line[-1:] in "。！？!?….:：;；":
        return False
    if rest[0].islower():
        return len(line) >= _WRAPPED
    return len(_HAN.findall(line)) >= _WRAPPED_HAN and _HAN.match(rest) is not None


# --- marks -------------------------------------------------------------------------------------------


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A paragraph cut behind its marks."""
    held = sorted(
        match.span() for each in (_QUOTED, _ADDRESS) for match in each.finditer(text, start, end)
    )
    number = 0
    reach = 0  # how far the held ones so far go
    begin = start
    for mark in _MARKS.finditer(text, start, end):
        if mark.start() < begin:
            continue
        while number < len(held) and held[number][0] <= mark.start():
            reach = max(reach, held[number][1])
            number += 1
        closing = _CLOSING.match(text, mark.end(), end)
        stop = closing.end() if closing is not None else mark.end()
        if mark.start() < reach and stop < reach:
            continue
        if _ends(text, begin, mark, stop, end):
            yield begin, stop
            begin = stop
    if begin < end:
        yield begin, end


def _ends(text: str, begin: int, mark: re.Match[str], stop: int, end: int) -> bool:
    """Whether a sentence ends behind a mark and what closes it."""
    said = mark.group()
    rest = text[stop : min(end, stop + 40)]
    following = rest.lstrip().lstrip(_OPENERS)
    if not following:
        return True
    space = rest[0].isspace()
    chinese = _HAN.match(following) is not None
    if said[0] in "。！？｡":
        quoted = stop > mark.end() and text[mark.end()] in '”」』"’'
        return not (quoted and rest[0] in "，,、的")
    if said[0] in "!?":
        return chinese or (space and not (stop > mark.end() and following[0].islower()))
    if said[0] == "…" or len(said) > 1:
        return space and (following[0].isupper() or following[0].isdigit())
    if stop > mark.end() and space and following[0].islower() and rest.lstrip()[0] == following[0]:
        return False  # he said "I left." yesterday
    if _NUMBER.fullmatch(text, begin, mark.end()) or _ITEM_AFTER.search(
        text, max(begin, mark.start() - 6), mark.end()
    ):
        return False  # "… 2. I use vim"
    word = _WORD_BEFORE.search(text, max(begin, mark.start() - 12), mark.start())
    before = word.group() if word is not None else ""
    if not space:
        return chinese and not before.isdigit()
    if not before:
        return True
    low = before.lower().lstrip(_OPENERS)
    known = read_sections("abbreviations.txt")
    next_word = _LATIN.match(following)
    opens = following[0].isupper() or chinese
    if low in known["inside"] and not (low == "no" and not following[0].isdigit()):
        return False
    if low in known["last"]:
        return opens
    if before != "I" and _INITIAL.fullmatch(before):
        return chinese or (next_word is not None and next_word.group().lower() in _STARTERS)
    return True


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Without white space, the number of an item and emphasis around the whole; None: nothing."""
    number = _NUMBER.match(text, start, end)
    if number is not None and text[number.end() : end].strip():
        start = number.end()
    start, end = _stripped(text, start, end)
    for each in _WRAPPERS:
        if (
            end - start > 2 * len(each)
            and text.startswith(each, start)
            and text.endswith(each, start, end)
        ):
            start, end = _stripped(text, start + len(each), end - len(each))
            break
    says = any(map(str.isalnum, text[start:end])) or _pictured().search(text, start, end)
    return (start, end) if says else None


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    said = text[start:end]
    start += len(said) - len(said.lstrip())
    return start, start + len(said.strip())


@functools.cache
def _pictured() -> re.Pattern[str]:
    return re.compile(f"[{EMOJI}]")
