"""Which of the ranked memories say what a better-ranked one already says?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from memweir.errors import ConfigError
from memweir.fusion.types import Candidate, Scored

__all__ = ["collapse", "turns_meaning"]

_NOISE: Final = 1e-9
_FEW_TERMS: Final = 4  # below it one term is a third of the text: only equal sets are duplicates

# Terms, whole or stemmed, that turn a sentence round. Two texts that differ in one are two facts.
_ENGLISH: Final = """
no not never none nor neither nobody noth nothing nowher nowhere without cannot cant dont doesnt didnt
isnt arent wasnt werent wont wouldnt shouldnt couldnt mustnt hasnt havent hadnt except unless stop avoid
refus refuse reject forbid forbidden prohibit ban deni deny denied allow permit enabl enable enabled
disabl disable disabled on off true fals false yes before after always anymor anymore
"""
_CHINESE: Final = "启用 啟用 开启 開啟 关闭 關閉 允许 允許 之前 之后 之後"
_TURNING_WORDS: Final = frozenset(_ENGLISH.split())
_TURNING_PARTS: Final = tuple(_CHINESE.split())
_TURNING_CHARACTERS: Final = frozenset("不没沒别別无無未非勿莫否禁停")
_DATED_KINDS: Final = ("event", "turn")


def collapse(scored: Sequence[Scored], *, threshold: float = 0.9) -> dict[str, str]:
    """Map each near-duplicate to the better-ranked memory that is kept in its place.

    Two memories are near-duplicates where the Jaccard similarity of their fingerprints reaches
    `threshold`, their numbers are the same in the same order, and no term that turns a meaning round
    (`turns_meaning`) is in one fingerprint only. Fingerprints of fewer than 4 terms must be equal; an
    empty one says nothing and duplicates nothing. Events and turns of two days are two events,
    whatever their words, and of two people they are two claims; what failed (layer "negative") never
    stands for what worked. A member of a coexistence group is never the one that is collapsed, since
    the group would no longer be whole.

    Compared is with kept memories only, so a chain a ~ b ~ c does not make c a duplicate of a.

    Args:
        scored: best first.
        threshold: above 0, at most 1.

    Returns:
        id of a duplicate → id of the kept memory, in ranking order; a kept one is never a key.

    Raises:
        ConfigError: `threshold` is outside its range.
    """
    if not 0.0 < threshold <= 1.0:
        raise ConfigError("threshold", threshold, "must be above 0 and at most 1")
    kept: list[Candidate] = []
    postings: dict[str, list[int]] = {}  # prefix term → places in `kept`
    duplicates: dict[str, str] = {}
    for each in scored:
        candidate = each.candidate
        prefix = _prefix(candidate.fingerprint, threshold)
        if not candidate.group:
            places = sorted({place for term in prefix for place in postings.get(term, ())})
            same = (kept[place].id for place in places if _alike(candidate, kept[place], threshold))
            original = next(same, None)
            if original is not None:
                duplicates[candidate.id] = original
                continue
        for term in prefix:
            postings.setdefault(term, []).append(len(kept))
        kept.append(candidate)
    return duplicates


def turns_meaning(term: str) -> bool:
    """Whether a text with this term can say the opposite of the same text without it.

    Negations and polar words of both languages: "not", "never", "don't", "disable", "off"; any
    Chinese term that holds one of 不没别无未非勿莫否禁停. Wide on purpose: a false yes shows two
    similar memories, a false no hides a fact.
    """
    folded = term.casefold().replace("’", "'")
    return (
        folded in _TURNING_WORDS
        or folded.endswith("n't")
        or not _TURNING_CHARACTERS.isdisjoint(folded)
        or any(part in folded for part in _TURNING_PARTS)
    )


def _prefix(fingerprint: frozenset[str], threshold: float) -> list[str]:
    """The first terms, of which two fingerprints at the threshold must share at least one.

    A Jaccard similarity of t needs an overlap of at least t × the larger size, so two such sets,
    sorted alike, meet within their first n - ceil(t × n) + 1 terms (prefix filtering: Chaudhuri,
    Ganti, Kaushik, ICDE 2006). It spares comparing every pair and never loses one.
    """
    size = len(fingerprint)
    overlap = math.ceil(threshold * size - _NOISE)
    return sorted(fingerprint)[: size - overlap + 1]


def _alike(one: Candidate, other: Candidate, threshold: float) -> bool:
    if one.numbers != other.numbers or (one.layer == "negative") != (other.layer == "negative"):
        return False
    if one.speaker and other.speaker and one.speaker != other.speaker:
        return False
    dated = one.kind in _DATED_KINDS or other.kind in _DATED_KINDS
    if dated and one.created[:10] != other.created[:10]:
        return False
    if one.fingerprint == other.fingerprint:
        return True
    if min(len(one.fingerprint), len(other.fingerprint)) < _FEW_TERMS:
        return False
    shared = len(one.fingerprint & other.fingerprint)
    union = len(one.fingerprint) + len(other.fingerprint) - shared
    if shared / union < threshold:
        return False
    return not any(turns_meaning(term) for term in one.fingerprint ^ other.fingerprint)
