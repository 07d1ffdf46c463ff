"""Which units of two statements say the same? An alignment, and what it leaves over on either side."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memweir.learning.claim_words import USER, may_be_verb
from memweir.learning.claims import Unit
from memweir.retrieval.meaning import WordVectors

__all__ = ["Alignment", "align"]

_NEAR: Final = 0.7  # cosine of words of one language that say the same; brothers and sisters have less
_FIRST_HAN: Final = "\u3400"
_PARTS: Final = frozenset(("from", "to", "than", "below"))
_TIMES: Final = frozenset(("before", "after"))


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two statements side by side.

    Attributes:
        pairs: units that say the same, in the order of the older statement.
        left, right: what only the older one and what only the newer one says.
        agreed: some pair has the same polarity, beside what both are about.
        opposed: some pair has opposite polarities.
        by_scale: the opposition is that of two members of a scale.
        ordered: nothing that may be taken for doer and done stands the other way round.
        adjacent: what is left over on either side stands together, and is no other one of a kind, as
            the French class and the dance class are.
        covered: share of the older statement's units, light ones aside, that have a partner, 0 to 1.
    """

    pairs: tuple[tuple[Unit, Unit], ...]
    left: tuple[Unit, ...]
    right: tuple[Unit, ...]
    agreed: bool
    opposed: bool
    by_scale: bool
    ordered: bool
    adjacent: bool
    covered: float

    @property
    def complete(self) -> bool:
        return not self.left and not self.right


def align(one: Sequence[Unit], other: Sequence[Unit], *, timeless: bool = False) -> Alignment:
    """Align the units of an older and a newer statement, each with at most one.

    Args:
        timeless: "before" says nothing, as where one of them says that there is no X without Y.
    """
    partner: dict[int, int] = {}
    taken: set[int] = set()
    # Of several the one that stands beside the same neighbours, then the one in the same part. Words of
    # the same key come before those that are near.
    for loose in (False, True):
        for at, unit in enumerate(one):
            if at in partner:
                continue
            found = [
                place
                for place, candidate in enumerate(other)
                if place not in taken and _says_same(unit, candidate, loose=loose, timeless=timeless)
            ]
            if found:
                place = min(
                    found,
                    key=functools.partial(_fitness, one, at, other),
                )
                partner[at] = place
                taken.add(place)
    places = sorted(partner.items())
    pairs = tuple((one[at], other[place]) for at, place in places)
    timed = any(unit.unit == "clock" for unit, _ in pairs)
    left = [at for at, unit in enumerate(one) if at not in partner and _counts(unit, timed)]
    right = [place for place, unit in enumerate(other) if place not in taken and _counts(unit, timed)]
    opposed = [pair for pair in pairs if _opposed(*pair)]
    plain = [pair for pair in pairs if not _opposed(*pair)]
    told = _told(plain, opposed)
    return Alignment(
        pairs,
        tuple(one[at] for at in left),
        tuple(other[place] for place in right),
        told,
        bool(opposed),
        any(unit.kind == "scale" and not (unit.mask & mate.mask) for unit, mate in opposed),
        _ordered(one, other, places),
        _together(left) and _together(right) and not _modify(one, left, other, right, partner),
        _covered(one, partner),
    )


def _counts(unit: Unit, timed: bool) -> bool:
    """Whether something is said where only one statement has it. What is done at two is done daily."""
    return unit.key != USER and not (timed and unit.often)


def _covered(one: Sequence[Unit], partner: Mapping[int, int]) -> float:
    counted = [at for at, unit in enumerate(one) if not unit.light]
    return sum(1 for at in counted if at in partner) / len(counted) if counted else 0.0


def _fitness(one: Sequence[Unit], at: int, other: Sequence[Unit], place: int) -> tuple[int, int]:
    """Less for a better partner."""
    return -2 * _beside(one, at, other, place) - (one[at].role == other[place].role), place


def _beside(one: Sequence[Unit], at: int, other: Sequence[Unit], place: int) -> int:
    return sum(
        1
        for step in (-1, 1)
        if 0 <= at + step < len(one)
        and 0 <= place + step < len(other)
        and one[at + step].key == other[place + step].key
    )


def _says_same(one: Unit, other: Unit, *, loose: bool, timeless: bool) -> bool:
    if one.kind == "value" or other.kind == "value":
        return one.kind == other.kind and one.key == other.key
    if one.role != other.role:
        roles = {one.role, other.role}
        # What stands after "from", "than" and the like is what it is there.
        if roles <= _PARTS or (roles & _TIMES and not (timeless and "after" not in roles)):
            return False
    return one.key == other.key or (loose and _near(one, other))


def _near(one: Unit, other: Unit) -> bool:
    """Whether two words that no list knows say the same by their vectors."""
    if one.kind != "word" or other.kind != "word" or (one.grouped and other.grouped):
        return False
    if one.grouped or other.grouped or one.person or other.person:
        return False
    if (one.key[0] >= _FIRST_HAN) != (other.key[0] >= _FIRST_HAN):
        return False
    return bool(WordVectors.load().nearest_of([one.key], [[other.key]])[0, 0] >= _NEAR)


def _opposed(one: Unit, other: Unit) -> bool:
    if one.kind == "scale" and other.kind == "scale" and one.key == other.key:
        return bool(not one.mask & other.mask) != (one.denied != other.denied)
    return one.denied != other.denied


def _told(plain: Sequence[tuple[Unit, Unit]], opposed: Sequence[tuple[Unit, Unit]]) -> bool:
    """Whether anything that is said agrees; beside opposites of one scale nothing does."""
    if any(unit.kind == "scale" for unit, _ in opposed):
        return False
    return any(unit.key != USER for unit, _ in plain)


def _ordered(one: Sequence[Unit], other: Sequence[Unit], places: Sequence[tuple[int, int]]) -> bool:
    if not _agents_lead(one, other, places) or _exchanged(one, other, places):
        return False
    return not any(
        there > elsewhere
        and not _free(one, first, other, there)
        and not _free(one, second, other, elsewhere)
        and not _fronted(one, first, second)
        and not _fronted(other, elsewhere, there)
        for at, (first, there) in enumerate(places)
        for second, elsewhere in places[at + 1 :]
    )


def _exchanged(one: Sequence[Unit], other: Sequence[Unit], places: Sequence[tuple[int, int]]) -> bool:
    """Whether two units have exchanged their parts, or what they stand beside."""
    roles = {(one[at].role, other[place].role) for at, place in places}
    for role in ("from", "to", "than", "below", "with"):
        if (role, "") in roles and ("", role) in roles:
            return True
    if any(one[at].detail != other[place].detail for at, place in places):
        return True
    partner = dict(places)
    moved = 0
    for at, place in places:
        if one[at].role == other[place].role == "with" and one[at].kind in ("word", "name"):
            before, there = _nominal_before(one, at), _nominal_before(other, place)
            if before is not None and there is not None and partner.get(before) not in (None, there):
                moved += 1
    return moved > 1


def _fronted(units: Sequence[Unit], first: int, second: int) -> bool:
    """Whether what the user does stands last, and what it is done to first: 猪肉用户是不吃的."""
    return units[second].key == USER and first < second and _verb_last(units, second)


def _verb_last(units: Sequence[Unit], at: int) -> bool:
    """Whether a verb stands after a unit and none before it."""
    verbs = [place for place, unit in enumerate(units) if unit.predicate]
    return bool(verbs) and verbs[0] > at


def _nominal_before(units: Sequence[Unit], at: int) -> int | None:
    for place in range(at - 1, -1, -1):
        unit = units[place]
        if (
            unit.kind in ("word", "name")
            and not unit.predicate
            and unit.role == ""
            and unit.key != USER
        ):
            return place
    return None


def _agents_lead(one: Sequence[Unit], other: Sequence[Unit], places: Sequence[tuple[int, int]]) -> bool:
    """Whether who "by" names in one statement only is what the other one begins with."""
    nominal = [
        (one[at], other[place], at, place)
        for at, place in places
        if one[at].kind in ("word", "name") and not one[at].predicate
    ]
    for unit, mate, at, place in nominal:
        agent, patient = unit.role == "by", mate.role == "by"
        if agent and not patient and _verb_last(other, place):
            continue
        if patient and not agent and _verb_last(one, at):
            continue
        if agent != patient and any(
            (each[3] < place if agent else each[2] < at)
            and (each[0].role if agent else each[1].role) != "by"
            for each in nominal
        ):
            return False
    return True


def _free(one: Sequence[Unit], at: int, other: Sequence[Unit], place: int) -> bool:
    """Whether it says by itself what part it plays, wherever it stands."""
    unit, mate = one[at], other[place]
    if unit.kind in ("value", "scale") or unit.predicate or mate.predicate or unit.often:
        return True
    if {unit.role, mate.role} == {"with", ""}:
        # "The telemetry in the app" is the app's telemetry; "about cats" is not what the cats do.
        units, bare = (other, place) if mate.role == "" else (one, at)
        after = units[bare + 1] if bare + 1 < len(units) else None
        return after is None or not (after.predicate or may_be_verb(after.key))
    return unit.role != "" or mate.role != ""


def _modify(
    one: Sequence[Unit],
    left: Sequence[int],
    other: Sequence[Unit],
    right: Sequence[int],
    partner: Mapping[int, int],
) -> bool:
    """Whether what is left over stands before the same noun on either side: another one of its kind."""
    if not left or not right:
        return False
    after, there = left[-1] + 1, right[-1] + 1
    if after >= len(one) or partner.get(after) != there:
        return False
    return one[after].kind in ("word", "name") and not one[after].predicate


def _together(places: Sequence[int]) -> bool:
    return not places or places[-1] - places[0] + 1 == len(places)
