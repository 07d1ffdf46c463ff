"""In which order do the fused memories stand? Agreement of the paths and six signals, weighed once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from memweir.fusion.contested import newer_first
from memweir.fusion.decay import decays
from memweir.fusion.rrf import unranked
from memweir.fusion.signals import recency, unit
from memweir.fusion.types import Candidate, DecayConfig, Fused, RerankConfig, Scored

__all__ = ["recency", "rerank"]

_NEUTRAL = 0.5
_TIE_DECIMALS = 9
_DECAY = DecayConfig()


def rerank(
    fused: Sequence[Fused],
    candidates: Mapping[str, Candidate],
    *,
    config: RerankConfig,
    decay: DecayConfig = _DECAY,
) -> list[Scored]:
    """Order by the weighted sum of seven signals, exact matches first.

    The signals (rank fusion, relevance, confidence, recency, layer prior, importance, scope prior)
    are clamped to [0, 1] and their weights are taken in proportion to their sum, so the score is in
    [0, 1]. A candidate that holds an exact symbol of the query stands above every one that does not:
    as a sort key and not as a weight, for inside a weighted sum an exact hit loses to noise.

    What time has worn (`fusion.decay.decays`: unused for long, or an accident that did not recur)
    keeps `decay.factor` of its whole score, once even where both hold; the gate's relevance is not
    touched. A memory that may have replaced another stands before it whatever the scores
    (`fusion.contested.newer_first`), the only exception to the order below.

    Args:
        fused: the fused ranking, in any order.
        candidates: id → signals. A fused id without a candidate is left out: it went out of sight
            between ranking and loading. A candidate without a fused entry takes part with a fusion
            signal of 0: no path ranked it, it came through a reserved slot or its group.
        config: the weights.
        decay: only its factor is looked at; which candidates it holds for, they say themselves.

    Returns:
        Exact candidates first, then by score descending (compared at 9 decimals, so that float noise
        cannot order), then by rank fusion, then by id. `why` has one child per signal, adding up to the
        score; the child "fused" unfolds into the paths.
    """
    ranked = {each.id: each for each in fused}
    given = config.weights()
    total = math.fsum(given.values())
    weights = {name: weight / total for name, weight in given.items()}
    scored = [
        _score(
            candidate,
            ranked.get(memory_id) or unranked(memory_id),
            weights,
            config,
            decay.factor if decays(candidate) else 1.0,
        )
        for memory_id, candidate in candidates.items()
    ]
    scored.sort(
        key=lambda each: (
            not each.candidate.exact,
            -round(each.score, _TIE_DECIMALS),
            -round(each.fused.score, _TIE_DECIMALS),
            each.candidate.id,
        )
    )
    return newer_first(scored)


def _score(
    candidate: Candidate,
    fused: Fused,
    weights: Mapping[str, float],
    config: RerankConfig,
    decay: float,
) -> Scored:
    signals = {
        "fused": unit(fused.score),
        "relevance": unit(candidate.relevance if candidate.match is None else candidate.match),
        "confidence": unit(candidate.confidence),
        "recency": recency(candidate.age_days, half_life_days=config.half_life_days),
        "layer": config.layer_prior.get(candidate.layer, _NEUTRAL),
        "importance": unit(candidate.importance),
        "scope": config.scope_prior.get(candidate.scope_kind, _NEUTRAL),
    }
    score = math.fsum(decay * weights[name] * signal for name, signal in signals.items())
    return Scored(candidate, fused, min(1.0, score), signals, weights, decay)
