"""How is what a caller gave shown in a message? As Python writes it, in part where it is long."""

from __future__ import annotations

from typing import Final

__all__ = ["LONGEST_QUOTE", "cut", "quoted"]

LONGEST_QUOTE: Final = 200
"""Characters of what a caller gave."""


def cut(text: str) -> str:
    """The beginning of a text."""
    return text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "…"


def quoted(value: object) -> str:
    """What a caller gave, as Python writes it, or its type where it cannot be written."""
    try:
        return cut(repr(value))
    except Exception:  # a number of too many digits, a nest too deep, a type of the caller's own
        return f"<{type(value).__name__}>"
