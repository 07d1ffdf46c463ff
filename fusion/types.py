"""What passes through fusion, and the settings that steer it?

`Candidate` (a memory's neutral signals) → `Fused` (rank fusion) → `Scored` (rerank) → `Judged` (gate)
→ `Block` (injection). No database, no clock: ages and expiry are already resolved by the caller.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Final

from memweir.errors import ConfigError

__all__ = [
    "ACTIONS",
    "MODES",
    "Block",
    "Budget",
    "Candidate",
    "DecayConfig",
    "Decision",
    "Dropped",
    "Fused",
    "GateConfig",
    "Judged",
    "Node",
    "RerankConfig",
    "RrfConfig",
    "Scored",
    "StandingAnswer",
]

ACTIONS: Final = ("use", "verify", "ignore")
MODES: Final = ("shadow", "assist", "enforce")


@dataclass(frozen=True, slots=True)
class Node:
    """One number of a score and what it is made of. `value` is the sum of the children's values.

    Attributes:
        name: the term, for example "recency".
        value: what it contributes.
        detail: how it came about, in words or figures.
        children: terms that add up to `value`; empty for a leaf.
    """

    name: str
    value: float
    detail: str = ""
    children: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory's neutral signals at the moment of the query.

    Attributes:
        id: the memory.
        text, title: as stored (rendered escaped).
        speaker: who said it, as stored (rendered escaped and cut); "" where nobody is named.
        layer, kind, scope_kind, provenance, status: as in the record.
        relevance: absolute match with the query in [0, 1], comparable between queries: what the gate
            compares with its threshold.
        grounded: a reason of its own speaks for it, whatever the rest of the turn is like: an exact
            symbol, the literal text, every word asked for, a stated relation, the days asked about.
        match: the same on the scale that orders candidates, in [0, 1]; None: as `relevance`.
        confidence: alpha / (alpha + beta), in (0, 1).
        age_days: `now` minus the later of event time and last confirmation; below 0 counts as 0.
        importance: [0, 1], 0.5 is neutral.
        harmful_count: times reported harmful.
        expired: `expires_at` has passed.
        valid: inside its validity window at the view's instant.
        pinned: a person pinned it: injected without regard to similarity.
        slot: "pinned", "belief" or "" (ordinary): which reserved slot it came through. A slot skips
            the gate's relevance rule, so a caller names it for those it fetched for the slot only.
        exact: holds an exact symbol of the query: above every weight.
        suspicious: a threat rule matched when it was loaded; "" or the rule's name.
        fingerprint: terms that say what the memory states, for near-duplicate detection.
        numbers: every number in the text: two texts that differ in one are two facts.
        created: ISO date for display, "" where unknown.
        evidence_count: pieces of evidence behind it.
        group: coexistence group id or "": members are injected together or not at all.
        unused: neither used nor validated for long (`fusion.decay.decay`).
        one_off: a negative memory of one occurrence, long ago (`fusion.decay.decay`).
        contested: id of a newer memory that may have replaced it: an open question; "" for none.
        ended: ISO date until which it held, where the caller asked for history; "" while it holds.
    """

    id: str
    text: str
    title: str = ""
    speaker: str = ""
    layer: str = "world"
    kind: str = "fact"
    scope_kind: str = "project"
    provenance: str = "human"
    status: str = "active"
    relevance: float = 0.0
    grounded: bool = False
    match: float | None = None
    confidence: float = 0.5
    age_days: float = 0.0
    importance: float = 0.5
    harmful_count: int = 0
    expired: bool = False
    valid: bool = True
    pinned: bool = False
    slot: str = ""
    exact: bool = False
    suspicious: str = ""
    fingerprint: frozenset[str] = frozenset()
    numbers: tuple[str, ...] = ()
    created: str = ""
    evidence_count: int = 1
    group: str = ""
    unused: bool = False
    one_off: bool = False
    contested: str = ""
    ended: str = ""


@dataclass(frozen=True, slots=True)
class Fused:
    """A memory after rank fusion.

    Attributes:
        score: in [0, 1]: its reciprocal-rank sum over the attainable maximum.
        ranks: path name → rank, 1 is best; paths that did not find it are absent.
        shares: path name → what the path contributes, one entry per path asked; add up to `score`.
    """

    id: str
    score: float
    ranks: Mapping[str, int]
    shares: Mapping[str, float] = field(default_factory=dict)

    @property
    def why(self) -> Node:
        """One child per path asked; children add up to `score`. Built when looked at."""
        return self._explain(1.0)

    def _explain(self, weight: float) -> Node:
        paths = tuple(
            Node(
                path, weight * share, f"rank {self.ranks[path]}" if path in self.ranks else "not found"
            )
            for path, share in self.shares.items()
        )
        return Node("fused", weight * self.score, "reciprocal ranks over their maximum", paths)


@dataclass(frozen=True, slots=True)
class Scored:
    """A memory after reranking.

    Attributes:
        score: in [0, 1]: the weighted sum of the signals, times `decay`.
        signals: name → value in [0, 1], the seven of `RerankConfig.weights`.
        weights: name → weight; add up to 1.
        decay: what time has left of the sum, in [0, 1]; 1: all of it.
        ahead_of: id of the memory that this one was moved directly before, because it may have
            replaced it (`fusion.contested`); "" where the score alone orders.
    """

    candidate: Candidate
    fused: Fused
    score: float
    signals: Mapping[str, float] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    decay: float = 1.0
    ahead_of: str = ""

    @property
    def why(self) -> Node:
        """One child per signal; children add up to `score`; "fused" unfolds into the paths.

        Every child is scaled by `decay`, so that the tree adds up to the score as it orders.
        """
        about = {
            "layer": self.candidate.layer,
            "recency": f"{self.candidate.age_days:.4g} days old",
            "scope": self.candidate.scope_kind,
        }
        terms = []
        for name, signal in self.signals.items():
            weight = self.decay * self.weights[name]
            product = f"{self.weights[name]:.4g} × {signal:.4g}"
            if self.decay != 1.0:
                product = f"{self.decay:.4g} × {product}"
            detail = f"{product}: {about[name]}" if name in about else product
            paths = self.fused._explain(weight).children if name == "fused" else ()
            terms.append(Node(name, weight * signal, detail, paths))
        return Node("rerank", self.score, "; ".join(self._notes()), tuple(terms))

    def _notes(self) -> list[str]:
        """What orders or scales the memory beside its signals, in words."""
        notes = []
        if self.candidate.exact:
            notes.append("exact symbol: above every memory without one")
        if self.ahead_of:
            notes.append(f"may have replaced {self.ahead_of}: stands before it whatever the scores")
        if self.decay != 1.0:
            causes = []
            if self.candidate.unused:
                causes.append("not used or verified for a long time")
            if self.candidate.one_off:
                causes.append("an accident of long ago that did not recur")
            notes.append(f"× {self.decay:.4g}: {', '.join(causes) or 'decayed'}")
        return notes


@dataclass(frozen=True, slots=True)
class Decision:
    """What the gate says: an action of `ACTIONS` and the rule that decided, with the four scores."""

    action: str
    reason: str
    relevance: float
    freshness: float
    confidence: float
    risk: float


@dataclass(frozen=True, slots=True)
class Judged:
    """A scored memory and the gate's decision; `duplicate_of` names the kept one of its kind."""

    scored: Scored
    decision: Decision
    duplicate_of: str = ""


@dataclass(frozen=True, slots=True)
class StandingAnswer:
    """A conclusion kept ready for a question, read before anything is searched.

    Attributes:
        id: the answer.
        text: as stored (rendered escaped).
        hits: times it was given.
        verified: ISO date of the last check, "" where it never was.
        stale: the last check is too long ago: to be verified before it is relied on.
    """

    id: str
    text: str
    hits: int = 0
    verified: str = ""
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Dropped:
    """An entry that passed the gate and is not in the block, and why.

    Attributes:
        reason: a key of `fusion.injection.DROP_REASONS`.
        detail: the rule that the guard of `render` named, "" for every other reason.
    """

    id: str
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """What is injected, and what passed the gate and is not.

    Attributes:
        text: ends with a line break, so that a user's words can follow; "" where nothing is injected.
        ids: the memories in it, in order.
        dropped: what is not in it, in the order it was considered.
        characters: code points of `text`.
        tokens: of `text`, as counted by the counter that `render` was given.
        answer_id: the standing answer in it, "" where there is none.
        warnings: one line for every coexistence group that is not in it, in the order in which they
            were considered: the reason, the group and what was missing.
    """

    text: str
    ids: tuple[str, ...]
    dropped: tuple[Dropped, ...]
    characters: int
    tokens: int
    answer_id: str = ""
    warnings: tuple[str, ...] = ()


def _check_range(owner: str, name: str, value: float, low: float, high: float) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or (isinstance(value, float) and not math.isfinite(value)):
        raise ConfigError(f"{owner}.{name}", value, "must be a finite number")
    if not low <= value <= high:
        raise ConfigError(f"{owner}.{name}", value, f"must be between {low:g} and {high:g}")


def _check_whole(owner: str, name: str, value: int, low: int, high: int) -> None:
    if not isinstance(value, int):
        raise ConfigError(f"{owner}.{name}", value, "must be a whole number")
    _check_range(owner, name, value, low, high)


def _own_table(config: object, owner: str, name: str, low: float, high: float) -> dict[str, float]:
    """Check a name → number table of `config` and give it a copy that the caller cannot change."""
    table = getattr(config, name)
    if not isinstance(table, Mapping):
        raise ConfigError(f"{owner}.{name}", table, "must be a table of numbers")
    for key, value in table.items():
        _check_range(f"{owner}.{name}", key, value, low, high)
    own = dict(table)
    object.__setattr__(config, name, own)
    return own


@dataclass(frozen=True, slots=True)
class RrfConfig:
    """Reciprocal Rank Fusion (Cormack, Clarke, Büttcher, SIGIR 2009), weighted.

    Attributes:
        k: rank constant, 1 to 1000; small favours the very first ranks.
        weights: path → weight, each 0 or from 1e-6 to 1000, not all zero. A path not named weighs 1.
    """

    k: int = 20
    weights: Mapping[str, float] = field(
        default_factory=lambda: {"semantic": 1.0, "keyword": 1.5, "graph": 0.3, "timeline": 0.5}
    )

    def __post_init__(self) -> None:
        _check_whole("fusion.rrf", "k", self.k, 1, 1000)
        weights = _own_table(self, "fusion.rrf", "weights", 0.0, 1000.0)
        for path, weight in weights.items():
            if 0.0 < weight < 1e-6:  # next to nothing would be lost in rounding
                raise ConfigError(f"fusion.rrf.weights.{path}", weight, "must be 0 or at least 1e-6")
        if weights and not any(weights.values()):
            raise ConfigError("fusion.rrf.weights", weights, "must not all be 0")


@dataclass(frozen=True, slots=True)
class RerankConfig:
    """What orders the fused list; the seven weights sum to 1.

    Attributes:
        fused: weight of the rank-fusion score.
        relevance: weight of the absolute match.
        confidence, recency, layer, importance, scope: weights of the signals that do not depend on
            the query's words.
        half_life_days: age at which recency is 0.5.
        layer_prior, scope_prior: value in [0, 1] per layer and scope kind; not named: 0.5.
    """

    fused: float = 0.0
    relevance: float = 0.94
    confidence: float = 0.02
    recency: float = 0.01
    layer: float = 0.01
    importance: float = 0.01
    scope: float = 0.01
    half_life_days: float = 90.0
    layer_prior: Mapping[str, float] = field(
        default_factory=lambda: {
            "belief": 0.7,
            "world": 0.5,
            "experience": 0.5,
            "negative": 0.5,
            "skill": 0.5,
        }
    )
    scope_prior: Mapping[str, float] = field(
        default_factory=lambda: {
            "session": 0.8,
            "workspace": 0.7,
            "project": 0.6,
            "agent": 0.5,
            "team": 0.4,
            "global": 0.3,
        }
    )

    def weights(self) -> dict[str, float]:
        """The seven weights by name."""
        names = ("fused", "relevance", "confidence", "recency", "layer", "importance", "scope")
        return {name: getattr(self, name) for name in names}

    def __post_init__(self) -> None:
        for name, weight in self.weights().items():
            _check_range("fusion.rerank", name, weight, 0.0, 1.0)
        total = math.fsum(self.weights().values())
        if abs(total - 1.0) > 1e-6:
            raise ConfigError("fusion.rerank", total, "the seven weights must sum to 1.0")
        _check_range("fusion.rerank", "half_life_days", self.half_life_days, 1e-3, 1e6)
        for table in ("layer_prior", "scope_prior"):
            _own_table(self, "fusion.rerank", table, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class GateConfig:
    """Thresholds of the CBDC gate; the order of its rules is fixed.

    Attributes:
        mode: "shadow" decides and records but injects nothing; "assist" injects `use` and `verify`,
            the latter marked; "enforce" injects `use` only.
        min_relevance: below it: ignore.
        turn_relevance: a turn that anything here answers with less probability gets nothing on the
            strength of its relevance.
        use_relevance: below it: verify; at or below `min_relevance` it decides nothing.
        min_freshness: below it: verify.
        min_confidence: below it: verify.
        max_risk: above it: verify.
        quarantine_harmful: harmful reports from which a memory is ignored.
        freshness_half_life_days: age at which freshness is 0.5.
        kind_risk: baseline risk in [0, 1] per kind; not named: `default_risk`.
        uncertainty_risk: added in full at confidence 0, not at all at confidence 1.
        harmful_risk: added per harmful report.
    """

    mode: str = "assist"
    min_relevance: float = 0.05
    turn_relevance: float = 0.6
    use_relevance: float = 0.42
    min_freshness: float = 0.2
    min_confidence: float = 0.7
    max_risk: float = 0.6
    quarantine_harmful: int = 2
    freshness_half_life_days: float = 365.0
    default_risk: float = 0.15
    kind_risk: Mapping[str, float] = field(
        default_factory=lambda: {
            "preference": 0.10,
            "constraint": 0.20,
            "decision": 0.20,
            "fact": 0.15,
            "event": 0.10,
            "procedure": 0.25,
            "turn": 0.10,
        }
    )
    uncertainty_risk: float = 0.5
    harmful_risk: float = 0.25

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise ConfigError("fusion.gate.mode", self.mode, f"must be one of {', '.join(MODES)}")
        for name in (
            "min_relevance",
            "turn_relevance",
            "use_relevance",
            "min_freshness",
            "min_confidence",
            "max_risk",
            "default_risk",
            "uncertainty_risk",
            "harmful_risk",
        ):
            _check_range("fusion.gate", name, getattr(self, name), 0.0, 1.0)
        _check_whole("fusion.gate", "quarantine_harmful", self.quarantine_harmful, 1, 1000)
        _check_range(
            "fusion.gate", "freshness_half_life_days", self.freshness_half_life_days, 1e-3, 1e6
        )
        _own_table(self, "fusion.gate", "kind_risk", 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class DecayConfig:
    """From when on time takes away from a memory's score, and how much.

    Attributes:
        unused_days: layer → days without use or validation from which a memory of it counts as
            unused, 0 to 36,500. A layer not named never decays.
        one_off_days: age in days from which a negative memory of one occurrence is an old accident,
            0 to 36,500.
        factor: what is left of such a memory's score, 0 to 1; 1: all of it, and the block still says
            what time has done.
    """

    unused_days: Mapping[str, float] = field(
        default_factory=lambda: {"skill": 14.0, "experience": 14.0}
    )
    one_off_days: float = 30.0
    factor: float = 0.5

    def __post_init__(self) -> None:
        _own_table(self, "fusion.decay", "unused_days", 0.0, 36_500.0)
        _check_range("fusion.decay", "one_off_days", self.one_off_days, 0.0, 36_500.0)
        _check_range("fusion.decay", "factor", self.factor, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Budget:
    """What the injected block may cost. Entries are whole or absent.

    Attributes:
        items: entries at most, reserved slots included; 0 to 50.
        characters: of the whole block, wrapper included; 0 to 100,000.
        tokens: of the whole block by `fusion.injection.count_tokens`; 0 to 100,000.
        pinned_slots, belief_slots: entries of these kinds that do not depend on similarity.
    """

    items: int = 6
    characters: int = 6000
    tokens: int = 1200
    pinned_slots: int = 2
    belief_slots: int = 1

    def __post_init__(self) -> None:
        high = {
            "items": 50,
            "characters": 100_000,
            "tokens": 100_000,
            "pinned_slots": 50,
            "belief_slots": 50,
        }
        for each in fields(self):
            _check_whole("budget", each.name, getattr(self, each.name), 0, high[each.name])
