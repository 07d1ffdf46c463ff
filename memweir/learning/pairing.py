"""What is a newer statement to an older one of the same topic: more evidence, its end, or neither?

Two statements are held against each other unit by unit (`claims`). What agrees in all that it says is
more evidence; what denies just that, or names another value and says that it changed, is its end; what
denies a part of it weakens it; everything else is another fact. In doubt it is another fact: a merge
that was missed is made by the next statement, one that was wrong puts words into somebody's mouth.
Rules design, "reflect".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memweir.learning.claim_words import USER, claim_words
from memweir.learning.claims import Claim, Unit, read_claim
from memweir.learning.matching import Alignment, align
from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.contradiction import relation
from memweir.retrieval.statements import read_statement

__all__ = ["VERDICTS", "Verdict", "judge", "says_same"]

VERDICTS: Final = ("reinforce", "overwrite", "weaken", "separate")

_FIRST_HAN: Final = "\u3400"
# Scales that say nothing without what they are about.
_TRANSITIVE: Final = ("<liking>", "<permission>", "<switch>", "<need>", "<agreement>", "<acceptance>")
_MOST_VALUE: Final = 3  # units of a value that is replaced


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a newer statement is to an older one.

    Attributes:
        decision: one of `VERDICTS`.
        reason: the rule: "same.words", "same.claim", "same.detail", "reversal", "correction", "ended",
            "antonym", "negation", "narrower.negation"; of "separate" what kept them apart: "unread",
            "mark.question" and the like, "owner", "order", "polarity", "value", "other".
    """

    decision: str
    reason: str


def judge(older: str, newer: str) -> Verdict:
    """What `newer` is to `older`. Pure; the same answer in every process.

    Both are taken to be true statements in the third person, the newer one told later. Judging a text
    with itself gives "reinforce", unless it does not state that something is so.
    """
    one, other = read_claim(older), read_claim(newer)
    kept_apart = _kept_apart(one, other, same_text=older == newer)
    if kept_apart is not None:
        return kept_apart
    found = align(one.units, other.units, timeless=one.turned or other.turned)
    verdict = _same(one, other, found) or _denied(one, other, found)
    if verdict is not None:
        return verdict
    if _updates(older, newer):
        return Verdict("overwrite", "reversal" if other.change or other.end else "negation")
    return _replaced(one, other, found) or _why(found)


def says_same(one: str, other: str) -> bool:
    """Whether either of two statements is more evidence for the other, whichever is older."""
    left, right = read_claim(one), read_claim(other)
    kept_apart = _kept_apart(left, right, same_text=one == other)
    if kept_apart is not None:
        return kept_apart.decision == "reinforce"
    timeless = left.turned or right.turned
    return any(
        _same(older, newer, align(older.units, newer.units, timeless=timeless)) is not None
        for older, newer in ((left, right), (right, left))
    )


def _kept_apart(one: Claim, other: Claim, *, same_text: bool) -> Verdict | None:
    """What decides at once: one is no statement, of another time or about somebody else."""
    if not one.units or not other.units:
        return Verdict("separate", "unread")
    for mark in ("question", "guess", "condition", "remind", "only"):
        if mark in one.marks or mark in other.marks:
            return Verdict("separate", f"mark.{mark}")
    if same_text:
        return Verdict("reinforce", "same.words")
    for mark in ("plan", "report", "past"):
        if (mark in one.marks) != (mark in other.marks):
            return Verdict("separate", f"mark.{mark}")
    if (_owner(one.units) or (USER,)) != (_owner(other.units) or (USER,)):
        return Verdict("separate", "owner")
    return None


def _adds(one: Claim, other: Claim, found: Alignment) -> bool:
    """Whether the newer statement has more only of detail, how often, or what a thing is like."""
    more = [unit for unit in found.right if not unit.detail]
    if any(unit.often for unit in more):
        if any(unit.often for unit in one.units):
            return False
        more = [unit for unit in more if not unit.often]
    if not more:
        return True
    have = claim_words().have
    last = [unit for unit in other.units if not unit.detail][-1]
    return (
        any(unit.key == have and not unit.denied for unit, _ in found.pairs)
        and all(unit.kind == "word" and unit.role == "" and not unit.person for unit in more)
        and any(mate is last for _, mate in found.pairs)
        and found.adjacent
        and other.units.index(more[-1]) == other.units.index(last) - 1
        and last.kind == "word"
    )


def _spoken(unit: Unit) -> int:
    """States that nobody means: who "does not like" something dislikes it."""
    return 0b0100 if unit.key == "<liking>" and unit.mask & 0b1000 else 0


def _has_matter(found: Alignment) -> bool:
    """Whether anything is shared beside the user, a scale and words that say little."""
    return any(
        unit.key not in (USER, *_TRANSITIVE) and not unit.light and not unit.often
        for unit, _ in found.pairs
    )


def _updates(older: str, newer: str) -> bool:
    analyzer = default_analyzer()
    return relation(read_statement(newer, analyzer), read_statement(older, analyzer)) != ""


def _owner(units: Sequence[Unit]) -> tuple[str, ...]:
    """Whom it is about: the first persons that it names, "the user's brother" as two."""
    owner: list[str] = []
    for unit in units:
        if unit.person or unit.key == USER:
            owner.append(unit.key)
        elif owner:
            break
    return tuple(owner)


# --- more evidence -----------------------------------------------------------------------------------


def _same(one: Claim, other: Claim, found: Alignment) -> Verdict | None:
    """More evidence for the same claim."""
    if found.opposed or not found.agreed:
        return None
    turned = one.turned or other.turned
    changed = (one.change or one.end) and (other.change or other.end)
    if one.past != other.past and not (turned or changed):
        return None
    if (one.demand != other.demand and not turned) or one.joined != other.joined:
        return None
    if one.excepts != other.excepts:
        return None
    if one.may != other.may or one.bounds != other.bounds or not _has_matter(found):
        return None
    if (one.change or one.correct) != (other.change or other.correct) and not found.complete:
        return None
    left, right = found.left, found.right
    if any(
        mate.kind == "scale" and mate.mask & ~unit.mask & ~_spoken(unit) for unit, mate in found.pairs
    ):
        return None  # "likes" is no evidence for "loves"
    if all(unit.light for unit in (*left, *right)):
        if not found.ordered and not turned:
            return None
        return Verdict("reinforce", "same.claim")
    if left and right:
        return None
    if any(not unit.detail for unit in left) or not _adds(one, other, found):
        return None
    if any(unit.denied for unit in (*left, *right)) or not found.ordered:
        return None
    if all(unit.kind == "name" for unit in (*left, *right)):
        return None  # Paris, Texas
    return Verdict("reinforce", "same.detail")


# --- another value -----------------------------------------------------------------------------------


def _replaced(one: Claim, other: Claim, found: Alignment) -> Verdict | None:
    """Another value of the same, said to be another one from now on, or the right one."""
    if not (other.change or other.correct) or one.change:
        return None
    reason = "correction" if other.correct else "reversal"
    left = [unit for unit in found.left if not unit.predicate]
    right = [unit for unit in found.right if not unit.predicate]
    shared = [unit for unit, _ in found.pairs if unit.key != USER]
    if not right or len(right) > _MOST_VALUE or len(left) > _MOST_VALUE or not shared:
        return None
    if any(unit.person for unit in (*left, *right)) or not _starts_alike(one, found):
        return None
    if not left:
        # The old value is named too: "B instead of A", 从 A 换成 B.
        return Verdict("overwrite", reason) if found.covered >= 0.6 and other.names_old else None
    if _kinds(left) != _kinds(right):
        return None
    if not _kinds(left) and not any(not (unit.predicate or unit.light) for unit in shared):
        return None  # who plays the guitar now may play the piano too
    if found.covered < 0.5 or not found.adjacent:
        return None
    return Verdict("overwrite", reason)


def _kinds(units: Sequence[Unit]) -> tuple[str, ...]:
    return tuple(sorted({unit.unit for unit in units if unit.kind == "value"}))


def _starts_alike(one: Claim, found: Alignment) -> bool:
    """Whether what the older statement begins with, beside the user, is in the newer one too."""
    first = next((unit for unit in one.units if unit.key != USER), None)
    if first is None or first in [unit for unit, _ in found.pairs]:
        return True
    rest = one.units[one.units.index(first) + 1 :]
    return one.units[0].key == USER and (
        first.predicate or not any(unit in rest for unit, _ in found.pairs if not unit.predicate)
    )


# --- denied ------------------------------------------------------------------------------------------


def _denied(one: Claim, other: Claim, found: Alignment) -> Verdict | None:
    """The opposite of all of it, or of a part."""
    if not found.opposed or found.agreed:
        return None
    left = [unit for unit in found.left if not (unit.light or unit.detail or unit.often)]
    right = [unit for unit in found.right if not (unit.light or unit.detail)]
    if any(unit.person for unit in (*left, *right)):
        return None
    if not left and not right:
        if not found.ordered:
            return None
        if found.by_scale and any(unit.unit == "clock" for unit, _ in found.pairs):
            return None  # a shop opens at one time and closes at another
        if not _ends_with_opposites(one, other, found):
            return None
        if other.end:
            return Verdict("overwrite", "ended")
        return Verdict("overwrite", "antonym" if found.by_scale else "negation")
    if not right and (other.end or other.whole):
        return Verdict("overwrite", "ended")
    denies = found.by_scale or all(unit.denied for unit in right)
    if denies and (not left or _narrower(left, right)) and not other.past:
        return Verdict("weaken", "narrower.negation")
    return None


def _ends_with_opposites(one: Claim, other: Claim, found: Alignment) -> bool:
    """Whether opposites are what is said, and do not merely name a thing: "the early bus"."""
    for unit, mate in found.pairs:
        if unit.every and not unit.mask & mate.mask:
            main = [[each for each in claim.units if not each.detail] for claim in (one, other)]
            return all(units and units[-1].key == unit.key for units in main)
    return True


def _narrower(left: Sequence[Unit], right: Sequence[Unit]) -> bool:
    """Whether the one word left over on either side is of a kind with the other: 鱼 and 生鱼片."""
    if len(left) != 1 or len(right) != 1 or not len(left[0].key) < len(right[0].key):
        return False
    characters = iter(right[0].key)
    return left[0].key[0] >= _FIRST_HAN and all(each in characters for each in left[0].key)


def _why(found: Alignment) -> Verdict:
    if found.complete:
        return Verdict("separate", "polarity" if found.opposed else "order")
    values = [unit for unit in (*found.left, *found.right) if unit.kind == "value"]
    return Verdict("separate", "value" if values else "other")
