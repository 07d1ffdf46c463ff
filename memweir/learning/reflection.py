"""What should a reflection do with the facts and beliefs of a scope? A plan of steps, no act.

Facts pass the quality gate, are grouped by topic, and each group is settled claim by claim: first with
the beliefs that stand in it, then among the facts that are left. Pure; the same for the same input.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from memweir.errors import MissingExtra
from memweir.learning.beliefs import MIN_EVIDENCE, Belief, Decision, Evidence, consolidate
from memweir.learning.pairing import Verdict, judge
from memweir.learning.quality import MIN_CHARS, consolidatable
from memweir.learning.topics import group_facts
from memweir.store.records import from_ms
from memweir.store.reflecting import BeliefRow, Fact

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["Plan", "ReflectionSettings", "plan_scope"]

_MIN_COSINE: Final = 0.2  # of the terms of two facts, below which they are not held against each other
_JUDGED: Final = 200_000  # pairs whose verdict is kept


@dataclass(frozen=True, slots=True)
class ReflectionSettings:
    """How a reflection decides.

    Attributes:
        min_evidence: facts that say the same before they make a belief.
        quality_gate: hold back what is no lasting fact.
        min_chars, skip_patterns: see `memweir.learning.quality.consolidatable`.
    """

    min_evidence: int = MIN_EVIDENCE
    quality_gate: bool = True
    min_chars: int = MIN_CHARS
    skip_patterns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps for `memweir.store.reflecting.carry_out`, in order, and what was counted on the way."""

    steps: tuple[Mapping[str, Any], ...]
    counts: Mapping[str, int] = field(default_factory=dict)


def plan_scope(
    facts: Sequence[Fact],
    beliefs: Sequence[BeliefRow],
    settings: ReflectionSettings,
    *,
    progress: Callable[[int], None] | None = None,
) -> Plan:
    """The steps for one scope.

    Args:
        facts, beliefs: as they stand, in order of row.
        progress: told how many facts were settled since it was told last.

    Raises:
        ConfigError: a pattern of the settings is no regular expression.
        MissingExtra: what groups facts is not installed.
    """
    if find_spec("sklearn") is None:
        raise MissingExtra("reflection", "scikit-learn")
    counts: Counter[str] = Counter(facts=len(facts), beliefs=len(beliefs))
    passed = []
    for fact in facts:
        rule = _held_back(fact.text, settings) if settings.quality_gate else None
        if rule is None:
            passed.append(fact)
        else:
            counts[rule] += 1
            counts["filtered"] += 1
    _tell(progress, len(facts) - len(passed))
    judged = lru_cache(maxsize=_JUDGED)(judge)
    steps: list[Mapping[str, Any]] = []
    grouped = 0
    for group in _groups(passed, beliefs, judged):
        for part in _by_key(group, passed, beliefs):
            held = [passed[each] for each in part if each < len(passed)]
            standing = [beliefs[each - len(passed)] for each in part if each >= len(passed)]
            steps += _settled(held, standing, settings, judged)
            grouped += len(held)
            _tell(progress, len(held))
    _tell(progress, len(passed) - grouped)
    counts["grouped"] = grouped
    return Plan(tuple(steps), dict(sorted(counts.items())))


def _held_back(text: str, settings: ReflectionSettings) -> str | None:
    return consolidatable(text, min_chars=settings.min_chars, skip_patterns=settings.skip_patterns)


def _tell(progress: Callable[[int], None] | None, count: int) -> None:
    if progress is not None and count:
        progress(count)


_Judge = Callable[[str, str], Verdict]


def _groups(
    facts: Sequence[Fact], beliefs: Sequence[BeliefRow], judged: _Judge
) -> list[tuple[int, ...]]:
    """Numbers of what belongs together; the beliefs are numbered after the facts."""
    every: list[Fact | BeliefRow] = [*facts, *beliefs]
    if len(every) < 2:
        return []

    def related(one: int, other: int) -> bool:
        first, second = sorted((every[one], every[other]), key=lambda each: (each.at_ms, each.id))
        return judged(first.text, second.text).decision != "separate"

    terms = [each.terms for each in every]
    about = [each.about for each in every]
    return group_facts(_weighted(terms), terms, about, same=related, min_cosine=_MIN_COSINE)


def _by_key(
    group: tuple[int, ...], facts: Sequence[Fact], beliefs: Sequence[BeliefRow]
) -> list[tuple[int, ...]]:
    """A group in parts of which none has two keys: what has no key is no bridge between them."""
    every = [facts[each] if each < len(facts) else beliefs[each - len(facts)] for each in group]
    keys = {each.key for each in every} - {None}
    if len(keys) < 2:
        return [group]
    parts: dict[str, list[int]] = {}
    for number, each in zip(group, every, strict=True):
        parts.setdefault(each.key or "", []).append(number)
    return [tuple(part) for _, part in sorted(parts.items())]


def _weighted(terms: Sequence[Sequence[str]]) -> csr_matrix:
    """(n, vocabulary) CSR float64, rows of length 1: tf-idf of the index terms.

    Salton and Buckley, 1988, in the smoothed form of scikit-learn.
    """
    import numpy as np
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import TfidfTransformer

    numbers: dict[str, int] = {}
    indices: list[int] = []
    bounds = [0]
    for each in terms:
        indices += [numbers.setdefault(term, len(numbers)) for term in sorted(set(each))]
        bounds.append(len(indices))
    shape = (len(terms), max(len(numbers), 1))
    counts = csr_matrix((np.ones(len(indices)), indices, bounds), shape=shape)
    return csr_matrix(TfidfTransformer().fit_transform(counts))


def _settled(
    facts: Sequence[Fact],
    beliefs: Sequence[BeliefRow],
    settings: ReflectionSettings,
    judged: _Judge,
) -> Iterable[Mapping[str, Any]]:
    """The steps of one group: what stands first, then what may begin."""
    left = {each.id: each for each in facts}
    for belief in beliefs:
        decision = consolidate(
            map(_evidence, left.values()),
            _belief(belief),
            min_evidence=settings.min_evidence,
            judge=judged,
        )
        if decision.action != "nothing":
            step = _step(decision, left, belief)
            if step is not None:
                yield step
        for each in (*decision.evidence, *decision.against, *decision.superseded):
            left.pop(each, None)
    while len(left) >= settings.min_evidence:
        decision = consolidate(
            map(_evidence, left.values()), min_evidence=settings.min_evidence, judge=judged
        )
        if decision.action != "merge":
            return
        step = _step(decision, left, None)
        if step is not None:
            yield step
        for each in (*decision.evidence, *decision.against, *decision.superseded):
            left.pop(each, None)


def _evidence(fact: Fact) -> Evidence:
    return Evidence(fact.id, fact.text, from_ms(fact.at_ms), fact.confidence, fact.key, fact.provenance)


def _belief(row: BeliefRow) -> Belief:
    at: datetime = from_ms(row.at_ms)
    return Belief(
        statement=row.text,
        strength=row.strength,
        evidence=row.evidence,
        revision=row.revision,
        against=row.against,
        at=at,
        key=row.key,
        provenance=row.provenance,
    )


def _step(
    decision: Decision, facts: Mapping[str, Fact], belief: BeliefRow | None
) -> Mapping[str, Any] | None:
    """A decision as a step: ids and rows, no text. None: nothing of it is new."""
    new = [each for each in (*decision.evidence, *decision.against) if each in facts]
    if not new:
        return None
    wording = next((each for each in reversed(new) if facts[each].text == decision.statement), None)
    if decision.action in ("merge", "overwrite") and wording is None:
        return None
    ended = [each for each in decision.superseded if each in facts]
    rows = {each: facts[each].seq for each in (*new, *ended)}
    if belief is not None:
        rows[belief.id] = belief.seq
    return {
        "action": decision.action,
        "belief": belief.id if belief is not None else "",
        "new": new,
        "against": [each for each in decision.against if each in facts],
        "ended": ended,
        "wording": wording,
        "rows": rows,
        "strength": decision.strength,
        "weight": float(len(decision.evidence) + len(decision.against) + 1),
        "provenance": decision.provenance,
        "reason": decision.reason,
    }
