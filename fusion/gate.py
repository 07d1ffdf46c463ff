"""May a memory enter the prompt? `use`, `verify` or `ignore`, and the rule that decided."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from memweir.errors import ConfigError
from memweir.fusion.signals import recency, unit
from memweir.fusion.types import MODES, Candidate, Decision, GateConfig, Judged, Scored

__all__ = [
    "ALTERNATIVE",
    "CONTESTED",
    "CONTESTS",
    "ENDED",
    "EXPIRED",
    "HARMFUL",
    "HIGH_RISK",
    "INACTIVE",
    "INSTRUCTION_LIKE",
    "IRRELEVANT",
    "LOW_CONFIDENCE",
    "OK",
    "REASONS",
    "STALE",
    "UNANSWERED",
    "UNCERTAIN",
    "admitted",
    "decide",
    "freshness",
    "judge",
    "risk",
]

INACTIVE: Final = "inactive"
INSTRUCTION_LIKE: Final = "instruction-like"
EXPIRED: Final = "expired"
HARMFUL: Final = "harmful"
IRRELEVANT: Final = "irrelevant"
UNANSWERED: Final = "unanswered"
UNCERTAIN: Final = "uncertain"
CONTESTED: Final = "contested"
CONTESTS: Final = "contests"
ENDED: Final = "ended"
STALE: Final = "stale"
LOW_CONFIDENCE: Final = "low-confidence"
HIGH_RISK: Final = "high-risk"
ALTERNATIVE: Final = "alternative"
OK: Final = "ok"

REASONS: Final[Mapping[str, tuple[str, str]]] = {
    INACTIVE: (
        "Withdrawn, quarantined, superseded or outside its validity window.",
        "已撤回、隔离、被取代，或不在有效期内。",
    ),
    INSTRUCTION_LIKE: (
        "Reads as an instruction to the agent; a memory is data.",
        "读起来像对智能体下达的指令；记忆只是数据。",
    ),
    EXPIRED: ("Its expiry date has passed.", "已超过到期时间。"),
    HARMFUL: ("Reported harmful too often.", "被反馈为有害的次数达到阈值。"),
    IRRELEVANT: ("Too weak a match with the query.", "与当前问题的相关度不足。"),
    UNANSWERED: (
        "Most likely nothing here answers the turn.",
        "这里很可能没有所问的内容。",
    ),
    UNCERTAIN: (
        "It may well not be what was asked for.",
        "不一定是所问的内容。",
    ),
    ENDED: ("It held until the day that stands beside it.", "它只在所标日期之前成立。"),
    CONTESTED: (
        "A newer memory may have replaced it; nobody has decided yet.",
        "可能已被更新的记忆取代，尚未有人裁决。",
    ),
    STALE: ("Not confirmed for a long time.", "太久没有得到确认。"),
    LOW_CONFIDENCE: ("Too little evidence for it.", "支持它的证据不足。"),
    HIGH_RISK: (
        "A mistake here would cost too much for the evidence there is.",
        "就现有证据而言，出错的代价过高。",
    ),
    ALTERNATIVE: (
        "Holds side by side with a memory that was found.",
        "与命中的记忆并存，须一并呈现。",
    ),
    CONTESTS: (
        "It may have replaced a memory that was found.",
        "可能取代了命中的记忆，须一并呈现。",
    ),
    OK: ("Passed every rule.", "通过全部规则。"),
}

_DECIMALS: Final = 9  # thresholds are compared at this precision, so that float noise cannot decide


def decide(
    candidate: Candidate, config: GateConfig, *, alternative: bool = False, turn: float = 1.0
) -> Decision:
    """Judge one candidate. The first rule that applies decides; their order is fixed.

    1. not active, or outside its validity window → ignore, inactive
    2. a threat rule matched → ignore, instruction-like
    3. expired → verify, expired
    4. `harmful_count` at `quarantine_harmful` or more → ignore, harmful
    5. relevance below `min_relevance` → ignore, irrelevant. Skipped for a candidate of a reserved
       slot (it is there without regard to similarity), for one that holds an exact symbol of the
       query, and for an alternative.
    6. the turn's relevance below `turn_relevance`, and no reason of its own → ignore, unanswered.
       Skipped for the same candidates.
    7. relevance below `use_relevance` → verify, uncertain. Skipped for the same candidates.
    8. it holds no more, and the caller asked for history → verify, ended
    9. a newer memory may have replaced it → verify, contested. Not skipped for a pinned candidate:
       that it was to stay was said before the newer one was there.
    10. freshness below `min_freshness` → verify, stale. Skipped for a pinned candidate: a person
        said that it stays.
    11. confidence below `min_confidence` → verify, low-confidence
    12. risk above `max_risk` → verify, high-risk
    13. otherwise → use, ok (of an alternative: alternative)

    A signal that is NaN counts against the candidate.

    Args:
        candidate: its signals.
        config: the thresholds; `mode` is not looked at (see `admitted`).
        alternative: it comes along with a found member of its coexistence group.
        turn: probability that anything here answers the turn.

    Returns:
        Action, reason (a key of `REASONS`) and the four scores at 9 decimals. The scores are there
        whichever rule decided, so that a decision can be audited.
    """
    relevance = round(unit(candidate.relevance), _DECIMALS)
    fresh = round(freshness(candidate, config), _DECIMALS)
    confidence = round(unit(candidate.confidence), _DECIMALS)
    danger = round(risk(candidate, config), _DECIMALS)
    pinned = candidate.pinned or candidate.slot == "pinned"
    reserved = candidate.slot in ("pinned", "belief")
    answered = turn >= config.turn_relevance or candidate.grounded
    excused = reserved or candidate.exact or alternative

    if candidate.status != "active" or not candidate.valid:
        action, reason = "ignore", INACTIVE
    elif candidate.suspicious:
        action, reason = "ignore", INSTRUCTION_LIKE
    elif candidate.expired:
        action, reason = "verify", EXPIRED
    elif candidate.harmful_count >= config.quarantine_harmful:
        action, reason = "ignore", HARMFUL
    elif relevance < config.min_relevance and not excused:
        action, reason = "ignore", IRRELEVANT
    elif not answered and not excused:
        action, reason = "ignore", UNANSWERED
    elif relevance < config.use_relevance and not excused:
        action, reason = "verify", UNCERTAIN
    elif candidate.ended:
        action, reason = "verify", ENDED
    elif candidate.contested:
        action, reason = "verify", CONTESTED
    elif fresh < config.min_freshness and not pinned:
        action, reason = "verify", STALE
    elif confidence < config.min_confidence:
        action, reason = "verify", LOW_CONFIDENCE
    elif danger > config.max_risk:
        action, reason = "verify", HIGH_RISK
    else:
        action, reason = "use", ALTERNATIVE if alternative else OK
    return Decision(action, reason, relevance, fresh, confidence, danger)


def judge(
    scored: Sequence[Scored],
    *,
    config: GateConfig,
    duplicates: Mapping[str, str] | None = None,
    turn: float = 1.0,
) -> list[Judged]:
    """Decide for every candidate, and let coexistence groups come whole.

    Where one member of a group was found, its other members come along although the query's words do
    not match theirs: they are judged again without the relevance rule. Every other rule still holds,
    and an expired member brings nobody along.

    So does what may have replaced a contested memory that was found: whoever is shown the older one
    must meet the newer, whose words may be far from the question's. It is no surer than the memory that
    brings it: where that is `uncertain`, so is the newer one.

    Expiry comes before harm and relevance in the order of rules. Here it never lets in what these would
    have kept out: an expired memory that they ignore is ignored for their reason.

    Args:
        scored: in any order, which is kept.
        config: the gate's thresholds.
        duplicates: what `fusion.duplicates.collapse` found.
        turn: probability that anything here answers the turn.
    """
    known = duplicates or {}
    turn = round(unit(turn), _DECIMALS)
    decisions = [_first(each.candidate, config, turn) for each in scored]
    while True:
        groups, newer = _brought(scored, decisions)
        again = [
            _again(each.candidate, decision, config, groups, newer)
            for each, decision in zip(scored, decisions, strict=True)
        ]
        if again == decisions:
            break
        decisions = again
    return [
        Judged(each, decision, known.get(each.candidate.id, ""))
        for each, decision in zip(scored, decisions, strict=True)
    ]


def _brought(
    scored: Sequence[Scored], decisions: Sequence[Decision]
) -> tuple[set[str], dict[str, bool]]:
    """What comes along with what was found: groups, and newer memory → whether for a sure one."""
    groups: set[str] = set()
    newer: dict[str, bool] = {}
    for each, decision in zip(scored, decisions, strict=True):
        if decision.action == "ignore" or decision.reason == EXPIRED:
            continue
        groups.add(each.candidate.group)
        contested = each.candidate.contested
        if contested and not each.candidate.ended:
            newer[contested] = newer.get(contested, False) or decision.reason != UNCERTAIN
    return groups - {""}, newer


def _again(
    candidate: Candidate,
    decision: Decision,
    config: GateConfig,
    groups: Collection[str],
    newer: Mapping[str, bool],
) -> Decision:
    """The decision about what the query's words do not find, where something found brings it along."""
    if decision.reason not in (IRRELEVANT, UNANSWERED):
        return decision
    if candidate.group in groups:
        return decide(candidate, config, alternative=True)
    if candidate.id not in newer:
        return decision
    along = decide(candidate, config, alternative=True)
    if along.reason != ALTERNATIVE:
        return along
    if newer[candidate.id]:
        return replace(along, reason=CONTESTS)
    return replace(along, action="verify", reason=UNCERTAIN)


def _first(candidate: Candidate, config: GateConfig, turn: float) -> Decision:
    decision = decide(candidate, config, turn=turn)
    if decision.reason != EXPIRED:
        return decision
    otherwise = decide(replace(candidate, expired=False), config, turn=turn)
    return otherwise if otherwise.action == "ignore" else decision


def admitted(decision: Decision, mode: str) -> bool:
    """Whether a mode lets a decision into the prompt.

    Args:
        decision: of the gate.
        mode: "shadow" admits nothing, "assist" `use` and `verify`, "enforce" `use` only.

    Raises:
        ConfigError: no such mode. An unknown mode never admits.
    """
    if mode not in MODES:
        raise ConfigError("fusion.gate.mode", mode, f"must be one of {', '.join(MODES)}")
    if mode == "assist":
        return decision.action in ("use", "verify")
    return mode == "enforce" and decision.action == "use"


def freshness(candidate: Candidate, config: GateConfig) -> float:
    """1.0 when new or just confirmed, 0.5 at `freshness_half_life_days`, towards 0 with age."""
    return recency(candidate.age_days, half_life_days=config.freshness_half_life_days)


def risk(candidate: Candidate, config: GateConfig) -> float:
    """What it may cost to believe the candidate wrongly, in [0, 1].

    The baseline of its kind, plus `uncertainty_risk` × (1 - confidence), plus `harmful_risk` for
    every harmful report, clamped.
    """
    baseline = config.kind_risk.get(candidate.kind, config.default_risk)
    uncertainty = config.uncertainty_risk * (1.0 - unit(candidate.confidence))
    return unit(baseline + uncertainty + config.harmful_risk * max(candidate.harmful_count, 0))
