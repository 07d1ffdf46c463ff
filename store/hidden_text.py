"""Does a text show a reader something else than it says to a machine?"""

from __future__ import annotations

from typing import Final

from memweir.store.gate_rules import Finding, LazyPattern

__all__ = ["hidden_text"]


def hidden_text(text: str) -> Finding | None:
    """What hides in a text as given, unfolded.

    Hidden are: Unicode tags outside a flag, overrides of the writing direction, other direction
    marks that are never closed, and runs of eight or more invisible characters. Joiners and
    variation selectors inside emoji, byte order marks, and the marks that right-to-left and Indic
    scripts need are not.
    """
    if text.isascii() or _SUSPECT.search(text) is None:
        return None
    tags = _TAGS.search(_FLAG.pattern.sub(lambda match: "-" * len(match.group()), text))
    if tags is not None:
        return Finding("unicode-tags", *tags.span())
    for rule, pattern in (("direction-override", _OVERRIDE), ("invisible-run", _INVISIBLE_RUN)):
        match = pattern.search(text)
        if match is not None:
            return Finding(rule, *match.span())
    return _unclosed_direction(text)


def _unclosed_direction(text: str) -> Finding | None:
    """Embeddings and isolates must end before the text does, or they reorder what is put behind it."""
    embeddings: list[int] = []
    isolates: list[int] = []
    for match in _DIRECTION.finditer(text):
        mark = match.group()
        if mark in "\u202a\u202b":
            embeddings.append(match.start())
        elif mark in "\u2066\u2067\u2068":
            isolates.append(match.start())
        elif mark == "\u202c" and embeddings:
            embeddings.pop()
        elif mark == "\u2069" and isolates:
            isolates.pop()
    start = min(embeddings[:1] + isolates[:1], default=None)
    return None if start is None else Finding("direction-unclosed", start, len(text))


# Characters that show nothing: soft hyphen, joiners, fillers, selectors, invisible operators.
_INVISIBLE: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U0001d173-\U0001d17a\U000e0100-\U000e01ef"
)
_SUSPECT = LazyPattern(f"[{_INVISIBLE}\u202a-\u202e\U000e0000-\U000e007f]")
_INVISIBLE_RUN = LazyPattern(f"[{_INVISIBLE}]{{8,}}")
_OVERRIDE = LazyPattern("[\u202d\u202e]")
_DIRECTION = LazyPattern("[\u202a-\u202c\u2066-\u2069]")
_TAGS = LazyPattern("[\U000e0000-\U000e007f]+")
_FLAG = LazyPattern("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")  # Wales, …
