"""What does a text state, and does it announce that something changed? One text, read alone.

A `Statement` is what two texts are compared by (`contradiction.relation`). What is no plain statement,
a question, a condition, somebody else's words, an item of a list, is one that clashes with nothing: a
missed question is better than a foolish one.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memweir.retrieval.analysis import Analyzer
from memweir.retrieval.changes import Change
from memweir.retrieval.normalise import normalise
from memweir.retrieval.polarity import Manner, read_sentence
from memweir.retrieval.reversals import announced, may_announce
from memweir.retrieval.typed_values import MARK
from memweir.retrieval.types import Analysis

__all__ = ["LONGEST_TEXT", "Statement", "read_statement"]

LONGEST_TEXT: Final = 2_000
"""Characters of a text that is read; a longer one states too much to be compared as one statement."""

_MOST_SENTENCES: Final = 12
_MOST_STATED: Final = 6  # sentences of a text that may have a skeleton
_MOST_LOOKED_UP: Final = 12  # terms


@dataclass(frozen=True, slots=True)
class Statement:
    """What one text states.

    Attributes:
        skeleton: what it says with everything taken out that carries polarity; "" where it is no side
            of a contradiction. Texts that part in nothing but polarity have equal skeletons.
        polarity: for each place of the skeleton that carries polarity the states left open, as bits.
            Only texts with equal skeletons and different polarities can contradict each other.
        reversal: "change" or "end" where the text itself announces one, else "".
        subject_terms: index terms of what changed, or of what ended, to look up what was said of it.
        value_terms: index terms of the new value.
        old_terms: index terms of the old value, where it is named.
        change: the announced change in pieces of the folded text.
        sentences: the folded sentences that may be outdated by a later text.
    """

    skeleton: str = ""
    polarity: tuple[int, ...] = ()
    reversal: str = ""
    subject_terms: tuple[str, ...] = ()
    value_terms: tuple[str, ...] = ()
    old_terms: tuple[str, ...] = ()
    change: Change | None = None
    sentences: tuple[str, ...] = ()

    @property
    def lookup_terms(self) -> tuple[str, ...]:
        """What to ask an index for, to find the texts that this one may outdate, any of them.

        The old value, where it is named, before what it was the value of; and where the kind of change
        tells what was said, as of "I moved to Berlin", the synonym token of that ("lives in", 住在).
        """
        said = _SAID_BEFORE.get(self.change.slot, ()) if self.change is not None else ()
        known = (*self.old_terms, *self.subject_terms)
        # "We migrated to Postgres 16" names what was used before by what is used now.
        numbered = self.change is not None and any(map(str.isdigit, self.change.value))
        named = self.value_terms if not known and numbered else ()
        return tuple(dict.fromkeys((*known, *said, *named)))


_NOTHING: Final = Statement()

_SAID_BEFORE: Final = {
    "move": ("~residence",),
    "live": ("~residence",),
    "job": ("~job",),
    "work": ("~job",),
    "name": ("~name",),
}

_NO_SIDE: Final = (
    Manner.HEDGE | Manner.REPORT | Manner.DAY | Manner.PASSING | Manner.VAGUE | Manner.PAST
)  # of a contradiction
_NOT_ANNOUNCED: Final = Manner.HEDGE | Manner.PLAN | Manner.REPORT
_NOT_OUTDATED: Final = Manner.HEDGE | Manner.REPORT | Manner.PAST | Manner.VAGUE

_SENTENCE: Final = re.compile(r"(?<=[?!。？！；;])\s*|(?<=[.])\s+(?=\S)|\n+")
_BULLET: Final = re.compile(r"^\s*[-*•·–—+]\s+")
_ITEM: Final = re.compile(
    r"^\s*(?:(?:step|phase|part|item|option)\s*[0-9]+\b|[0-9]{1,3}\s*[.)、．:：]\s?(?![0-9])"
    r"|[（(]?[0-9]{1,3}[)）]|[（(]?[一二三四五六七八九十]{1,3}[)）、.]|[（(][a-z][)）]|[a-z][)）]\s|步骤\s*[0-9一二三四五六七八九十]+"
    r"|第[0-9一二三四五六七八九十]{1,3}[步条点项]"
    r"|(?:first|firstly|second|secondly|third|thirdly|next|then|finally|lastly)\s*,"
    r"|首先|其次|再次|然后|接着|最后|其一|其二|[①-⑳])",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"[\"“「『《‘]([^\"“”「」『』《》‘’]{1,200})[\"”」』》’]")
_SAYS_LITTLE: Final = re.compile(r"[^\s不没别未改换]{1,12}$")
_ASKS: Final = re.compile(
    r"[?？]|^(?:what|who|whom|whose|which|why|where|how)\b"
    r"|^(?:is|are|am|does|do|did|can|could|will|would|should|has|have|was|were)(?:n't)?"
    r" (?:i|you|he|she|it|we|they|the|my|your|our|his|her|their|this|that|these|those|there|any\w*)\b"
    r"|吗|什么|甚么|谁|哪|为何|为啥|怎么样|多少|几[点个号月年时]|是否|有没有|难道|对吧|是吧|好吗"
    r"|([\u4e00-\u9fff])不\1"
)


def read_statement(text: str, analyzer: Analyzer, analysis: Analysis | None = None) -> Statement:
    """Read a text. Linear in its length, whatever is in it.

    Args:
        analyzer: gives the terms to look up earlier texts by, where a text announces a change.
        analysis: of the text, where the caller has it already.
    Returns:
        A statement with empty fields for a text longer than `LONGEST_TEXT`.
    """
    if len(text) > LONGEST_TEXT:
        return _NOTHING
    lines = text.splitlines()
    if len(lines) > 1:
        items = sum(1 for line in lines if _BULLET.match(line) or _ITEM.match(line))
        if items > 1:
            return _NOTHING
    listed = _BULLET.match(text) is not None
    if _ITEM.match(text) or (listed and _ITEM.match(_BULLET.sub("", text))):
        return _NOTHING
    if len(lines) > 1 or listed:
        normal = "\n".join(filter(None, map(normalise, lines)))
        if listed:
            normal = _BULLET.sub("", normal)
    else:
        normal = analysis.normal if analysis is not None else normalise(text)
    normal = normal.replace("’", "'").replace(MARK, " ")
    normal = _QUOTED.sub(_opaque, normal)
    return _read(normal, analyzer, listed=listed)


def _read(normal: str, analyzer: Analyzer, *, listed: bool) -> Statement:
    skeletons: list[str] = []
    polarity: list[int] = []
    sentences: list[str] = []
    whole = True  # whether every sentence so far is a plain statement
    change: Change | None = None
    changes = not listed and may_announce(normal)
    content = 0
    for number, sentence in enumerate(_split(normal)):
        if number >= _MOST_SENTENCES:
            whole = False
            break
        if _ASKS.search(sentence):
            whole = False
            continue
        reading = read_sentence(sentence)
        if not reading.skeleton:
            continue
        if reading.manner & _NO_SIDE or number >= _MOST_STATED:
            whole = False
        skeletons.append(reading.skeleton)
        polarity += reading.polarity
        content += reading.content
        found: Change | None = None
        bare = sentence.rstrip(" .!。;")
        if changes and not reading.manner & _NOT_ANNOUNCED:
            found = announced(bare)
            change = change or found
        # "The port was changed to 22" is of the past, and what it gives is not.
        manner = reading.manner & ~Manner.PAST if found is not None else reading.manner
        if not listed and not manner & _NOT_OUTDATED:
            sentences.append(bare)
    skeleton = " . ".join(skeletons) if whole and content else ""
    if change is None:
        return Statement(skeleton, tuple(polarity) if skeleton else (), sentences=tuple(sentences))
    return Statement(
        skeleton=skeleton,
        polarity=tuple(polarity) if skeleton else (),
        reversal=change.reversal,
        subject_terms=_terms(change.subject, analyzer),
        value_terms=_terms(change.value, analyzer),
        old_terms=_terms(change.old, analyzer),
        change=change,
        sentences=tuple(sentences),
    )


def _split(normal: str) -> Iterator[str]:
    for part in _SENTENCE.split(normal):
        said = part.strip()
        if said:
            yield said


def _terms(piece: str, analyzer: Analyzer) -> tuple[str, ...]:
    if not piece:
        return ()
    analysis = analyzer.analyse(piece)
    return tuple(dict.fromkeys(analysis.content or analysis.terms or analysis.chars))[:_MOST_LOOKED_UP]


def _opaque(match: re.Match[str]) -> str:
    """Quoted words neither deny nor announce anything: they are one name, whatever they are."""
    quoted = match.group(1).strip()
    if _SAYS_LITTLE.match(quoted):
        return f" {quoted} "
    return f" q{zlib.crc32(quoted.encode('utf-8', 'replace')):08x} "
