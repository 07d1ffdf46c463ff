"""What are the words of an English sentence, and where do they stand? Contractions are taken apart.

Every word keeps its place in the sentence, so that whatever is made of it can be traced to the words
as written; "I'm" gives "I" and "am", both in the place of the whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from memweir.learning.english.lexicon import ING, PARTICIPLE, lines, verb, words

__all__ = [
    "CODE",
    "MARK",
    "NUMBER",
    "OTHER",
    "QUOTED",
    "WORD",
    "Token",
    "find",
    "joined",
    "last_words",
    "longest_at",
    "phrases",
    "tokenise",
]

WORD: Final = 0
NUMBER: Final = 1
CODE: Final = 2  # a path, an address, an identifier
MARK: Final = 3  # of punctuation
OTHER: Final = 4  # an emoji, another sign
QUOTED: Final = 5  # what stands in quotation marks or backquotes, marks included


@dataclass(frozen=True, slots=True)
class Token:
    """A word or mark.

    Attributes:
        text: as it is printed; low: folded to lower case.
        start, end: its place in the sentence, half-open.
        kind: one of the constants of this module.
        gap: white space stands before it, or is printed there.
    """

    text: str
    low: str
    start: int
    end: int
    kind: int
    gap: bool


_TOKEN: Final = re.compile(
    r"(?P<quoted>\"[^\"\n]{1,120}\"|“[^“”\n]{1,120}”|`[^`\n]{1,120}`|(?<![\w])'[^'\n]{1,80}'(?!\w)"
    r"|(?<!\w)‘[^‘’\n]{1,80}’(?!\w))"
    r"|(?P<code>[A-Za-z][A-Za-z0-9+.-]{1,15}://[^\s<>\"]*[^\s<>\".,;:!?)\]']"
    r"|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"
    r"|(?:~|\.{1,2})?/[\w./@+-]*\w/?|[A-Za-z]:\\[\w\\.-]+"
    r"|--?[A-Za-z][\w-]+(?==?)|\w+(?:[./:@_]\w+)*_\w+(?:\.\w+)*|[A-Za-z_]\w*\(\)"
    r"|@[\w-]+/[\w-]+|@\w[\w-]*|\#\w[\w-]*|\w+(?:[./@]\w+){1,8}/?(?::\d+)?|[A-Za-z]+\d[\w.-]*"
    r"|[A-Za-z]\w*:\d+|[A-Z]{2,}:[A-Z]{2,}|[A-Z]{2,}[+-]\d+(?::\d+)?|(?<!\w)\.[a-z]\w*(?:\.\w+)*)"
    r"|(?P<number>[$€£¥~]?\d+(?:[.,:]\d+)*(?:st|nd|rd|th|%|[kKmM]\b|°[CF]?|[ap]m\b|\+)?(?:-\w+)*)"
    r"|(?P<word>[wW]/(?=\s)|[^\W\d_]+(?:['’-][^\W\d_]+|-\d+)*(?:\+\+|\#)?|['’](?:em|cause|til|bout)\b|&)"
    r"|(?P<mark>\.{2,}|…|-{2,}|[-–—]+(?=\s|$)|—|–|[.!?;:,()\[\]{}*\"“”'‘’-])"
    r"|(?P<other>\S)"
)
_KINDS: Final = {
    "quoted": QUOTED,
    "code": CODE,
    "number": NUMBER,
    "word": WORD,
    "mark": MARK,
    "other": OTHER,
}
_FIGURES: Final = re.compile(r"\d+(?:[.,/:]\d+)*")
_ENDINGS: Final = {"m": "am", "re": "are", "ve": "have", "ll": "will"}
_IS_HOSTS: Final = frozenset(
    ["he", "she", "it", "that", "this", "there", "here", "what", "who", "where", "how", "when", "why"]
)
_AFTER_IS: Final = frozenset(
    (
        *(
            "a",
            "an",
            "the",
            "not",
            "in",
            "on",
            "at",
            "from",
            "called",
            "named",
            "very",
            "really",
            "so",
            "always",
        ),
        *(
            "allergic",
            "also",
            "now",
            "still",
            "my",
            "our",
            "about",
            "just",
            "only",
            "never",
            "vegan",
            "vegetarian",
        ),
        *(
            "based",
            "originally",
            "currently",
            "usually",
            "too",
            "turning",
            "pretty",
            "such",
            "and",
            "been",
            "got",
            "due",
        ),
    )
)


def tokenise(text: str) -> tuple[Token, ...]:
    """The words and marks of a sentence, in order. Linear in its length."""
    rough: list[Token] = []
    end = 0
    for match in _TOKEN.finditer(text):
        written = match.group()
        kind = _KINDS[match.lastgroup or "other"]
        low = written.replace("’", "'").replace("‘", "'").lower()
        rough.append(Token(written, low, match.start(), match.end(), kind, match.start() > end))
        end = match.end()
    found: list[Token] = []
    for at, token in enumerate(rough):
        if token.kind == WORD:
            following = rough[at + 1] if at + 1 < len(rough) else None
            later = rough[at + 2] if at + 2 < len(rough) else None
            found += _apart(token, following, later)
        elif token.kind == CODE and _FIGURES.fullmatch(token.low):
            found.append(replace(token, kind=NUMBER))
        else:
            found.append(token)
    return tuple(found)


def joined(tokens: Sequence[Token]) -> str:
    """The tokens as text."""
    out: list[str] = []
    for token in tokens:
        if out and token.gap:
            out.append(" ")
        out.append(token.text)
    return "".join(out)


@cache
def phrases(section: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """The phrases of a section by their first word, longer ones first, taken apart as sentences are."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for line in lines(section):
        parts = tuple(token.low for token in tokenise(line) if token.kind != MARK)
        if parts:
            found.setdefault(parts[0], set()).add(parts)
    return {
        first: tuple(sorted(members, key=lambda each: (-len(each), each)))
        for first, members in found.items()
    }


@cache
def last_words(section: str) -> frozenset[str]:
    """The words that phrases of a section end with."""
    return frozenset(phrase[-1] for members in phrases(section).values() for phrase in members)


def longest_at(section: str, tokens: Sequence[Token], at: int, end: int | None = None) -> int:
    """How many tokens the longest phrase of a section has that begins at a place; 0: none does."""
    limit = len(tokens) if end is None else end
    if at >= limit:
        return 0
    for phrase in phrases(section).get(tokens[at].low, ()):
        size = len(phrase)
        if at + size > limit:
            continue
        for offset in range(1, size):
            if tokens[at + offset].low != phrase[offset]:
                break
        else:
            return size
    return 0


def find(
    section: str, tokens: Sequence[Token], start: int = 0, end: int | None = None
) -> tuple[int, int]:
    """(place, tokens) of the first phrase of a section from a place on; (-1, 0): there is none."""
    limit = len(tokens) if end is None else end
    begun = phrases(section)
    for at in range(start, limit):
        if tokens[at].low not in begun:
            continue
        length = longest_at(section, tokens, at, limit)
        if length:
            return at, length
    return -1, 0


@cache
def _contractions() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in lines("contraction"):
        for entry in line.split(","):
            written, _, apart = entry.partition("=")
            found[written.strip()] = tuple(apart.replace("don't_know", "do not").split())
    return found


def _apart(token: Token, following: Token | None, later: Token | None) -> list[Token]:
    low = token.low
    if low == "&":
        return [Token("and", "and", token.start, token.end, WORD, token.gap)]
    known = _contractions().get(low)
    if known is not None:
        return _pieces(token, known)
    head, apostrophe, ending = low.rpartition("'")
    if not apostrophe or not head:
        return [token]
    if ending == "t" and head.endswith("n"):
        return _pieces(token, (head[:-1], "not"))
    if ending in _ENDINGS:
        return _pieces(token, (head, _ENDINGS[ending]))
    if ending == "d":
        return _pieces(token, (head, "had" if _is_participle(following, later) else "would"))
    if ending == "s" and head != "let":
        verb_word = _is_or_has(head, following, later)
        if verb_word:
            return _pieces(token, (head, verb_word))
    return [token]


def _pieces(token: Token, parts: tuple[str, ...]) -> list[Token]:
    """The first part keeps its capital; "i" is always "I"."""
    made: list[Token] = []
    for number, part in enumerate(parts):
        text = part
        if part == "i":
            text = "I"
        elif number == 0 and token.text[:1].isupper() and not token.text[1:2].isupper():
            text = part[:1].upper() + part[1:]
        elif number == 0 and token.text[: len(part)].lower() == part:
            text = token.text[: len(part)]
        made.append(
            Token(text, part.lower(), token.start, token.end, WORD, token.gap if number == 0 else True)
        )
    return made


def _is_participle(following: Token | None, later: Token | None) -> bool:
    """Whether a past participle comes next, an adverb between or not."""
    for token in (following, later):
        if token is None or token.kind != WORD:
            return False
        known = verb(token.low)
        if token.low == "better":
            return True
        if (
            known is not None
            and known.forms & PARTICIPLE
            and token.low not in ("like", "read", "let", "put")
        ):
            return True
        if token.low not in words("adverb"):
            return False
    return False


def _is_or_has(head: str, following: Token | None, later: Token | None) -> str:
    """What 's stands for; "" where it is a possessive."""
    if following is None or following.kind not in (WORD, NUMBER):
        return "is" if head in _IS_HOSTS else ""
    known = verb(following.low)
    if head in _IS_HOSTS:
        been = following.low in ("been", "got", "had", "become") or (
            following.low in words("adverb")
            and later is not None
            and later.low in ("been", "got", "had", "become", "gone", "wanted", "loved")
        )
        return "has" if been else "is"
    if (
        following.low in ("always", "never", "already", "also", "just")
        and later is not None
        and later.low in ("been", "had", "wanted", "loved")
    ):
        return "has"
    if following.low in ("been", "got", "become") or (following.low == "had" and later is not None):
        return "has"
    last = later is None or later.kind == MARK
    if (
        last
        and following.low.endswith(("able", "ible", "ful", "ous", "ing", "ic"))
        and head not in words("kin")
    ):
        return "is"
    if following.low in _AFTER_IS:
        return "is"
    if head == "name" and following.text[:1].isupper():
        return "is"
    if (
        following.kind == NUMBER
        and later is not None
        and later.low in ("years", "year", "months", "weeks", "yrs")
    ):
        return "is"
    if (
        known is not None
        and known.forms & ING
        and known.lemma in ("get", "go", "come", "work", "live", "move")
    ):
        return "is"
    return ""
