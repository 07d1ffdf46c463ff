"""May a fact be evidence for a belief? The quality gate of reflection names the rule that says no.

What it holds back stays in the store and is found as before; it makes no belief, strengthens none and
overwrites none. Without the gate three nearly equal lines of a host's clock make a belief of much
evidence. Rules design, "quality gate".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from memweir.errors import ConfigError
from memweir.learning.claim_words import claim_words
from memweir.learning.lists import read_lines
from memweir.retrieval.normalise import normalise

__all__ = ["MIN_CHARS", "consolidatable", "weighted_length"]

MIN_CHARS: Final = 12
"""The shortest evidence, see `weighted_length`: "The user runs", 用户抽烟."""

_HAN_WEIGHT: Final = 3
_SETTING: Final = "reflect_skip_patterns"
_FILE: Final = "not_evidence.txt"
_SECTIONS: Final = ("scaffolding", "instruction", "standing")

_HAN: Final = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_ENDS_ASKING: Final = re.compile(
    r"[?？][\"'”’)）】\s]*$|[吗么呢][\s。.!！]*$(?<!什么)(?<!那么)(?<!这么)(?<!怎么)(?<!多么)"
)
_ASKS: Final = re.compile(
    r"^(?:what|who|whom|whose|which|why|where|when|how)\b(?! (?:ever|much the))"
    r"(?=.* (?:is|are|do|does|did|can|should|was|were|will|would|has|have)\b)"
    r"(?!.*,)"
    r"|^(?:is|are|am|does|do|did|can|could|will|would|should|has|have|was|were|may)(?:n't)? "
    r"(?:i|you|he|she|it|we|they|the|my|your|our|his|her|their|this|that|these|those|there|any\w*)\b(?!.*,)"
    r"|^(?:为什么|为何|怎么|怎样|如何|什么时候|哪里|哪个|哪些|谁|几点|多少|是不是|能不能|可不可以|有没有|要不要)"
)
_SIGNS: Final = re.compile(r"^[\W_]+")


def consolidatable(
    text: str, *, min_chars: int = MIN_CHARS, skip_patterns: Sequence[str] = ()
) -> str | None:
    """None where a fact may be evidence, else the name of the first rule that holds it back.

    Args:
        min_chars: 0 or more, counted as `weighted_length` does.
        skip_patterns: regular expressions, searched in the text as it is given, case not minded.

    Returns:
        "quality.short", "quality.scaffolding", "quality.question", "quality.instruction",
        "quality.pattern" or None.

    Raises:
        ConfigError: a pattern is no regular expression, or `min_chars` is below 0.
    """
    if min_chars < 0:
        raise ConfigError("reflect_min_chars", min_chars, "must be 0 or more")
    patterns = _compiled(tuple(skip_patterns))
    folded = normalise(text).replace("’", "'")
    said = _SIGNS.sub("", folded)
    if weighted_length(said) < min_chars:
        return "quality.short"
    starts = _starts()
    if starts["scaffolding"].match(said):
        return "quality.scaffolding"
    if (
        _ENDS_ASKING.search(folded)
        or _ASKS.match(said)
        or claim_words().said["question"].search(folded)
    ):
        return "quality.question"
    if starts["instruction"].match(said) and not starts["standing"].match(said):
        return "quality.instruction"
    if any(pattern.search(text) for pattern in patterns):
        return "quality.pattern"
    return None


def weighted_length(text: str) -> int:
    """Characters of a text without white space at its ends, a Chinese one counted three times.

    One of them says about what three letters say: 用户抽烟 is as much as "The user smokes".
    """
    stripped = text.strip()
    return len(stripped) + (_HAN_WEIGHT - 1) * len(_HAN.findall(stripped))


@lru_cache(maxsize=64)
def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    compiled = []
    for pattern in patterns:
        try:
            compiled.append(re.compile(pattern, re.IGNORECASE))
        except (re.error, RecursionError, OverflowError) as error:
            raise ConfigError(_SETTING, pattern, f"is no regular expression: {error}") from error
    return tuple(compiled)


@cache
def _starts() -> dict[str, re.Pattern[str]]:
    """Section → what matches a text that begins like one of its entries."""
    sections: dict[str, list[str]] = {name: [] for name in _SECTIONS}
    for section, line in read_lines(_FILE):
        if section not in sections:
            raise ConfigError(_FILE, line, f"stands in no known section, but in {section!r}")
        sections[section].append(line)
    return {
        name: re.compile(
            "|".join(
                re.escape(entry) + (r"(?!\w)" if entry.isascii() and entry[-1].isalnum() else "")
                for entry in sorted(entries, key=lambda each: (-len(each), each))
            )
        )
        for name, entries in sections.items()
    }
