"""What becomes of a belief when facts of its topic come together? The decision, and nothing else.

Facts are taken in order of time, whatever order they are given in. What says the same is evidence;
what says that it is otherwise now ends the belief and begins another; what denies a part weakens it;
the rest is about something else and is left alone. A statement is always the wording of one of the
facts, never made up, and no evidence is lost: it stays with the belief or is named as superseded. No
store and no clock. Rules design, "reflect"; capability design, "provenance".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from memweir.errors import InputError
from memweir.learning.pairing import Verdict, judge

__all__ = [
    "ACTIONS",
    "MIN_EVIDENCE",
    "PROVENANCE_WEIGHTS",
    "STRONGEST",
    "Belief",
    "Decision",
    "Evidence",
    "consolidate",
    "strength_of",
]

ACTIONS: Final = ("merge", "reinforce", "overwrite", "weaken", "nothing")

MIN_EVIDENCE: Final = 3
"""Facts that say the same before they make a belief."""

STRONGEST: Final = 0.95
"""No belief is stronger, whatever its evidence: what is certain cannot be corrected."""

PROVENANCE_WEIGHTS: Final = {"human": 1.0, "tool": 0.7, "inferred": 0.4}
"""What a fact counts, times its confidence, by who said so; the order of rank too."""

_WEAK_SHARE: Final = 0.5  # of its weight counts what denies a part, or what may not overwrite
_DECIMALS: Final = 6


@dataclass(frozen=True, slots=True)
class Evidence:
    """A fact that may be evidence.

    Attributes:
        at: aware, when it was said or happened.
        confidence: 0 to 1.
        key: its semantic key; facts of two keys never say the same.
        provenance: of `PROVENANCE_WEIGHTS`.

    Raises:
        InputError: a number, a moment or a provenance is none of these.
    """

    id: str
    text: str
    at: datetime
    confidence: float = 0.72
    key: str | None = None
    provenance: str = "human"

    def __post_init__(self) -> None:
        if not 0.0 <= self.confidence <= 1.0:
            raise InputError(f"the confidence of a fact is from 0 to 1, not {self.confidence!r}")
        if self.provenance not in PROVENANCE_WEIGHTS:
            raise InputError(f"the provenance of a fact is not {self.provenance!r}")
        if self.at.tzinfo is None:
            raise InputError("the moment of a fact needs a time zone")

    @property
    def weight(self) -> float:
        return self.confidence * PROVENANCE_WEIGHTS[self.provenance]


@dataclass(frozen=True, slots=True)
class Belief:
    """A belief as it stands.

    Attributes:
        evidence: ids of the facts that it rests on; against: of those counted against it. Each once.
        at: aware, of its newest evidence; None: not known, and every fact is newer.
        key: its semantic key, where its evidence has one.
        provenance: the highest of its evidence; a belief that a person wrote or edited is "human".
    """

    statement: str
    strength: float
    evidence: tuple[str, ...]
    revision: int
    against: tuple[str, ...] = ()
    at: datetime | None = None
    key: str | None = None
    provenance: str = "human"


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do.

    Attributes:
        action: one of `ACTIONS`. "reinforce" and "weaken" leave statement and revision as they are.
        statement, strength: of the belief afterwards; "" and 0 where there is none.
        evidence, against: ids afterwards, distinct, in the order in which they counted.
        superseded: ids of facts whose claim held until now.
        revision: of the belief afterwards; 0 where there is none.
        reason: "merged", "reinforced", "contradicted_by_new_evidence:" and a reason of
            `pairing.Verdict`, "weakened:" and one, "outranked", "counted_before", "too_few" or
            "unchanged".
        provenance: the highest of the evidence; at: of its newest, None where there is none.
    """

    action: str
    statement: str
    strength: float
    evidence: tuple[str, ...]
    against: tuple[str, ...]
    superseded: tuple[str, ...]
    revision: int
    reason: str
    provenance: str = "human"
    at: datetime | None = None


def strength_of(support: float, opposition: float = 0.0) -> float:
    """The posterior mean of a Beta distribution: support / (support + opposition + 1).

    Jøsang and Ismail, The Beta Reputation System, 2002, with the prior Beta(0, 1): one unit of doubt,
    so that without evidence the strength is 0. Three facts of a person at confidence 0.72 make
    2.16 / 3.16 = 0.68; ten make 0.88.

    Args:
        support, opposition: sums of the weights of the facts, 0 or more.
    Returns:
        0 to `STRONGEST`, to six decimals.
    """
    return round(min(support / (support + opposition + 1.0), STRONGEST), _DECIMALS)


def consolidate(
    facts: Iterable[Evidence],
    belief: Belief | None = None,
    *,
    min_evidence: int = MIN_EVIDENCE,
    judge: Callable[[str, str], Verdict] = judge,
) -> Decision:
    """What becomes of a belief, or of none, by the facts of one topic.

    The order of the facts does not matter, a fact given twice counts once. Facts that passed no quality
    gate, and those that were superseded, are the caller's to leave out; then deciding again on what was
    decided changes nothing.

    - Without a belief, `min_evidence` facts that say the same make one ("merge"), in the words of the
      one that agrees with most others, the newest of several. Facts that a later one has ended are
      superseded and do not count.
    - A fact that says the same as the belief reinforces it; only its strength changes.
    - A newer fact that ends it overwrites it, unless its provenance ranks below that of the belief:
      then it only weakens. If it was counted before, for or against, only the strength changes, once.
    - A fact older than the newest evidence overwrites nothing.

    Raises:
        InputError: `min_evidence` is below 1.
    """
    if min_evidence < 1:
        raise InputError(f"a belief needs 1 fact or more, not {min_evidence!r}")
    ordered = sorted({fact.id: fact for fact in _in_order(facts)}.values(), key=_moment)
    if belief is None:
        return _begin(ordered, min_evidence, judge)
    return _continue(ordered, belief, judge)


def _in_order(facts: Iterable[Evidence]) -> list[Evidence]:
    """In an order that does not depend on the one given: of one id the last counts."""
    return sorted(
        facts, key=lambda fact: (fact.id, fact.at, fact.text, fact.confidence, fact.provenance)
    )


def _moment(fact: Evidence) -> tuple[datetime, str]:
    return fact.at, fact.id


@dataclass(frozen=True, slots=True)
class _State:
    """What is believed after some of the facts."""

    support: tuple[Evidence, ...] = ()
    against: tuple[Evidence, ...] = ()
    superseded: tuple[str, ...] = ()


def _begin(facts: Sequence[Evidence], min_evidence: int, judge: _Judge) -> Decision:
    best: _State | None = None
    rest = list(facts)
    # The first fact need not be of the claim that most are of: whoever is left over begins anew.
    while rest:
        state, rest = _gather(rest, judge)
        if best is None or len(state.support) > len(best.support):
            best = state
    if best is None or len(best.support) < min_evidence:
        return Decision("nothing", "", 0.0, (), (), (), 0, "too_few")
    return Decision(
        "merge",
        _wording(best.support, judge).text,
        strength_of(_weight(best.support), _weight(best.against, _WEAK_SHARE)),
        _ids(best.support),
        _ids(best.against),
        best.superseded,
        1,
        "merged",
        _provenance(best.support),
        best.support[-1].at,
    )


def _gather(facts: Sequence[Evidence], judge: _Judge) -> tuple[_State, list[Evidence]]:
    """What comes of the claim of the first fact, and the facts that are about something else."""
    state = _State(support=(facts[0],))
    rest: list[Evidence] = []
    for fact in facts[1:]:
        verdict = _verdict([(each.text, each.key) for each in state.support], fact, judge)
        if verdict.decision == "reinforce":
            state = replace(state, support=(*state.support, fact))
        elif verdict.decision == "overwrite" and _may_end(fact, _provenance(state.support)):
            rest += state.against  # what spoke against the old claim may say the same as the new one
            state = _State((fact,), (), (*state.superseded, *_ids(state.support)))
        elif verdict.decision in ("overwrite", "weaken"):
            state = replace(state, against=(*state.against, fact))
        else:
            rest.append(fact)
    claims = [(each.text, each.key) for each in state.support]
    support = tuple(_also(rest, state.support, state.superseded, claims, judge))
    return replace(state, support=support), [fact for fact in rest if fact not in support]


def _continue(facts: Sequence[Evidence], belief: Belief, judge: _Judge) -> Decision:
    known, held_against = set(belief.evidence), set(belief.against)
    statement, provenance, at = belief.statement, belief.provenance, belief.at
    ended: Verdict | None = None  # how the belief ended
    weakened = ""
    claims = [(belief.statement, belief.key)]
    claims += [(fact.text, fact.key) for fact in facts if fact.id in known and fact.text != statement]
    # What only now is found to speak against a belief that counts it as evidence.
    claims = [claim for claim in claims if _says_same(belief, claim, judge)]
    support: list[Evidence] = []
    against: list[Evidence] = []
    superseded: list[str] = []
    for fact in facts:
        if fact.id in held_against:
            continue
        counted = fact.id in known
        verdict = _verdict(claims, fact, judge)
        if counted:
            if (
                verdict.decision in ("overwrite", "weaken")
                and ended is None
                and _is_newer(fact, at, counted)
            ):
                against.append(fact)
                weakened = weakened or "counted_before"
            continue
        if verdict.decision == "reinforce":
            support.append(fact)
            claims.append((fact.text, fact.key))
            at = fact.at if at is None else max(at, fact.at)
            provenance = max(provenance, fact.provenance, key=PROVENANCE_WEIGHTS.__getitem__)
        elif verdict.decision == "separate" or not _is_newer(fact, at, counted):
            continue
        elif verdict.decision == "overwrite" and _may_end(fact, provenance):
            superseded += [*(() if ended else belief.evidence), *_ids(support)]
            ended, weakened = verdict, ""
            support, against, claims = [fact], [], [(fact.text, fact.key)]
            statement, provenance, at = fact.text, fact.provenance, fact.at
        else:
            against.append(fact)
            outranked = verdict.decision == "overwrite"
            weakened = weakened or ("outranked" if outranked else f"weakened:{verdict.reason}")
    if ended is not None:
        support = _also(facts, support, superseded, claims, judge)
        against = [fact for fact in against if fact not in support]
        return Decision(
            "overwrite",
            _wording(support, judge).text,
            strength_of(_weight(support), _weight(against, _WEAK_SHARE)),
            _ids(support),
            _ids(against),
            tuple(dict.fromkeys(superseded)),
            belief.revision + 1,
            f"contradicted_by_new_evidence:{ended.reason}",
            _provenance(support),
            at,
        )
    if not support and not against:
        return Decision(
            "nothing",
            statement,
            belief.strength,
            belief.evidence,
            belief.against,
            (),
            belief.revision,
            "unchanged",
            provenance,
            at,
        )
    strength = _changed(belief.strength, _weight(support), _weight(against, _WEAK_SHARE))
    stronger = not against or strength > belief.strength
    return Decision(
        "reinforce" if stronger else "weaken",
        statement,
        strength,
        tuple(dict.fromkeys((*belief.evidence, *_ids(support)))),
        tuple(dict.fromkeys((*belief.against, *_ids(against)))),
        (),
        belief.revision,
        "reinforced" if stronger else weakened,
        provenance,
        at,
    )


def _also(
    facts: Sequence[Evidence],
    support: Sequence[Evidence],
    superseded: Sequence[str],
    claims: Sequence[tuple[str, str | None]],
    judge: _Judge,
) -> list[Evidence]:
    """With what was said before a belief ended, and says the same as the one that took its place."""
    taken = {*superseded, *_ids(support)}
    early = [
        fact
        for fact in facts
        if fact.id not in taken and _verdict(claims, fact, judge).decision == "reinforce"
    ]
    return sorted((*support, *early), key=_moment)


_Judge = Callable[[str, str], Verdict]


def _verdict(claims: Sequence[tuple[str, str | None]], fact: Evidence, judge: _Judge) -> Verdict:
    """What a fact is to a claim worded several ways; where they disagree it is another fact."""
    found: dict[str, Verdict] = {}
    for text, key in claims:
        if key is not None and fact.key is not None and key != fact.key:
            continue
        verdict = judge(text, fact.text)
        found.setdefault(verdict.decision, verdict)
    if "reinforce" in found and "overwrite" in found:
        return Verdict("separate", "at odds")
    for decision in ("reinforce", "overwrite", "weaken"):
        if decision in found:
            return found[decision]
    return Verdict("separate", "other")


def _says_same(belief: Belief, claim: tuple[str, str | None], judge: _Judge) -> bool:
    return claim[0] == belief.statement or "reinforce" in (
        judge(belief.statement, claim[0]).decision,
        judge(claim[0], belief.statement).decision,
    )


def _may_end(fact: Evidence, provenance: str) -> bool:
    """Whether a fact ranks as high as what it ends: no conclusion ends what a person said."""
    return PROVENANCE_WEIGHTS[fact.provenance] >= PROVENANCE_WEIGHTS[provenance]


def _is_newer(fact: Evidence, at: datetime | None, counted: bool) -> bool:
    return at is None or fact.at > at or (counted and fact.at == at)


def _wording(support: Sequence[Evidence], judge: _Judge) -> Evidence:
    """The fact that agrees with most others, the newest of several."""

    def agreeing(fact: Evidence) -> int:
        return sum(
            1
            for other in support
            if "reinforce"
            in (judge(fact.text, other.text).decision, judge(other.text, fact.text).decision)
        )

    return max(support, key=lambda fact: (agreeing(fact), fact.at, fact.id))


def _changed(strength: float, support: float, opposition: float) -> float:
    """A strength after more evidence, beside the support it stands for: strength / (1 - strength)."""
    held = min(max(strength, 0.0), STRONGEST)
    return strength_of(held / (1.0 - held) + support, opposition)


def _weight(facts: Sequence[Evidence], share: float = 1.0) -> float:
    return math.fsum(share * fact.weight for fact in facts)


def _ids(facts: Sequence[Evidence]) -> tuple[str, ...]:
    return tuple(fact.id for fact in facts)


def _provenance(facts: Sequence[Evidence]) -> str:
    return max((fact.provenance for fact in facts), key=PROVENANCE_WEIGHTS.__getitem__)
