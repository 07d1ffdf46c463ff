"""Which stretches of a text look like names? Capitals, quotation marks, identifiers; no dictionary."""

from __future__ import annotations

import re
from typing import Final

from memweir.retrieval.normalise import fold
from memweir.retrieval.stopwords import word_lists

__all__ = ["find_names"]

_MOST_WORDS: Final = 6  # of one name; a longer run of capitals is a heading or shouting
_LONGEST: Final = 64  # characters

_W: Final = r"\w"
_LETTER: Final = r"[^\W_]"
_UPPER: Final = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0391-\u03a9\u0410-\u042f"
_INITIALS: Final = rf"(?:[{_UPPER}]\.){{1,4}}+(?= ?[{_UPPER}])"
_CAPITALISED: Final = rf"(?:{_INITIALS}|[{_UPPER}]{_LETTER}*+(?:[-.&'’]{_LETTER}++)*+)"
_LINK: Final = r"(?:of(?: the)?|de(?: la)?|del|di|da|van(?: de[nr]?)?|von|der|al|bin|la|le)"
_RUN: Final = re.compile(
    rf"(?<!{_W})(?<!{_W}[-.:'’])(?<![/\\@])"  # not inside an identifier
    rf"{_CAPITALISED}(?: (?:{_LINK} )?{_CAPITALISED})*+"
    rf"(?![_/\\@]|:{_W})"
)
_CAPITAL: Final = re.compile(f"[{_UPPER}]")
_QUOTED: Final = re.compile(
    r"《([^《》\n]{1,64})》|「([^「」\n]{1,64})」|『([^『』\n]{1,64})』|〈([^〈〉\n]{1,64})〉"
    r"|“([^“”\n]{1,64})”|\"([^\"\n]{1,64})\"|`([^`\n]{1,64})`"
)
# Capitalised in English without being a name: days, titles, and months that are not first names too.
_NO_NAMES: Final = frozenset(
    {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mon", "tue", "wed"}
    | {"thu", "fri", "january", "february", "march", "july", "september", "october", "november"}
    | {"december", "jan", "feb", "mar", "apr", "jul", "aug", "sep", "sept", "oct", "nov", "dec"}
    | {"mr", "mrs", "ms", "dr", "prof"}
)
_SENTENCE: Final = re.compile(r"[。!?;,:，、]|[.] |\S+(?: \S+){7,}")


def find_names(text: str, shaded: str) -> list[tuple[int, str]]:
    """(offset, folded name) in text order, of a cleaned text whose case was kept, and its shade.

    A run of capitalised words gives one name, without the stop words at its ends. A quotation counts
    unless it reads as a sentence: more than seven words, or punctuation inside.
    """
    found: list[tuple[int, str]] = []
    if _CAPITAL.search(shaded):
        for match in _RUN.finditer(shaded):
            name = _trimmed(match.group())
            if name:
                found.append((match.start(), name))
    for match in _QUOTED.finditer(text):
        quoted = match.group(match.lastindex or 0).strip(" .-")
        if quoted and not _SENTENCE.search(quoted):
            found.append((match.start(), fold(quoted)))
    return found


def _trimmed(run: str) -> str:
    words = [_bare(word) for word in fold(run).replace("’", "'").split(" ")]
    while words and _says_nothing(words[0]):
        del words[0]
    while words and _says_nothing(words[-1]):
        del words[-1]
    name = " ".join(words)
    if len(words) > _MOST_WORDS or not 1 < len(name) <= _LONGEST or name in _NO_NAMES:
        return ""
    return name


def _bare(word: str) -> str:
    """Without the possessive ending."""
    return word[:-2] if word.endswith("'s") else word


def _says_nothing(word: str) -> bool:
    """A stop word, also contracted with another: i, i'm, what's."""
    stop = word_lists().stop
    return word in stop or word.partition("'")[0] in stop
