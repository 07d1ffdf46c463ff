"""Which value does a sentence give of something? What it is, where it is, what somebody uses.

The patterns know the slots of which one value holds at a time (`stated`), and those of which several
may (`used`), over one folded sentence of bounded length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["Given", "speaks_of_oneself", "stated", "used"]

_LONGEST_SENTENCE: Final = 240  # characters


@dataclass(frozen=True, slots=True)
class Given:
    """A value in pieces of the sentence.

    Attributes:
        slot: "be", "name", "place", "live", "work" or "use".
    """

    slot: str
    subject: str
    value: str


def stated(sentence: str) -> Given | None:
    """The one value at a time that a folded sentence gives of something."""
    if len(sentence) > _LONGEST_SENTENCE:
        return None
    for slot, pattern in _STATED:
        match = pattern.match(sentence)
        if match:
            return Given(slot, match["s"].strip(), match["n"].strip())
    return None


def used(sentence: str) -> Given | None:
    """What somebody or something uses, eats or wears, by a folded sentence; there may be several."""
    match = _USED.match(sentence) if len(sentence) <= _LONGEST_SENTENCE else None
    return Given("use", match["s"], match["n"] or match["zh"]) if match else None


def speaks_of_oneself(subject: str) -> bool:
    """Whether the subject of a sentence is the speaker alone."""
    return _ONESELF.search(subject) is not None


_LIVES: Final = r"(?:lives?|living|resides?|(?:is|are|am) based) in"
_WORKS: Final = r"(?:works?|(?:is|am) employed) (?:at|for|by)"
_STANDS: Final = r"(?:is|are) (?:located |hosted |situated )?(?:in|at|on)"
_NAMED: Final = r"(?:is|are) (?:called|named)"
_STATED: Final = tuple(
    (slot, re.compile(pattern))
    for slot, pattern in (
        ("name", rf"(?P<s>[^,;]{{1,80}}?) {_NAMED} (?P<n>[^,;]{{1,60}})$"),
        ("live", rf"(?P<s>[^,;]{{0,60}}?)\b ?{_LIVES} (?P<n>[^,;]{{1,60}})$"),
        ("work", rf"(?P<s>[^,;]{{0,60}}?)\b ?{_WORKS} (?P<n>[^,;]{{1,60}})$"),
        ("place", rf"(?P<s>[^,;]{{1,80}}?) {_STANDS} (?P<n>[^,;]{{1,60}})$"),
        ("be", r"(?P<s>[^,;]{1,80}?)(?: (?:is|are) (?:set to )?|: | = )(?P<n>[^,;]{1,60})$"),
        ("live", r"(?P<s>[^,]{0,20}?)(?:现在|目前)?(?:住在|住|定居在?)(?P<n>[^,]{1,20})$"),
        ("work", r"(?P<s>[^,]{0,20}?)(?:现在|目前)?在(?P<n>[^,]{1,20}?)(?:工作|上班|任职)$"),
        ("name", r"(?P<s>[^,]{1,30}?)(?:名叫|名为|叫做|叫)(?P<n>[^,]{1,30})$"),
        ("be", r"(?P<s>[^,]{1,30}?)(?:现在|目前)?(?:设置为|设为|是|为|: ?)(?P<n>[^,]{1,30})$"),
        ("place", r"(?P<s>[^,]{1,30}?)(?:位于|在)(?P<n>[^,]{1,20})$"),
    )
)
_USED: Final = re.compile(
    r"(?P<s>[^,;]{0,60}?)(?:\b ?(?:uses?|using|runs?(?: on)?|prefers?|drinks?|eats?|drives?|rides?"
    r"|wears?|plays?|buys?|takes?|writes? in|is written in|goes to|go to|works? with|studies|study)"
    r" (?P<n>[^,;]{1,80})"
    r"|(?:使用|采用|选用|用|喝|吃|穿|骑|开|坐|跑在|学|看|读) ?(?:的是 ?)?(?P<zh>[^,]{1,40}))$"
)
_ONESELF: Final = re.compile(r"\b(?:i|my|me)\b|我(?!们)")
