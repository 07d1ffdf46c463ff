"""Which memories do the paths agree on? Several rankings to one, by weighted Reciprocal Rank Fusion."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from memweir.fusion.types import Fused, RrfConfig

__all__ = ["rrf", "unranked"]

_TIE_DECIMALS = 12  # far below the smallest gap between two ranks, far above float noise


def rrf(rankings: Mapping[str, Sequence[str]], *, config: RrfConfig) -> list[Fused]:
    """Join rankings by the sum of weight / (k + rank), divided by the attainable maximum.

    The maximum is what a memory would get that stood first on every path in `rankings`. An enabled
    path that found nothing still counts in it, so a score says how many of the paths that were asked
    agree, and is comparable between queries that asked the same paths. Leave a path out of
    `rankings` only where it was not asked.

    Source: Cormack, Clarke, Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual
    Rank Learning Methods", SIGIR 2009. Weights and normalisation are ours.

    Args:
        rankings: path → memory ids, best first. An id repeated within a ranking counts at its first
            rank; later ids keep the rank of their place.
        config: rank constant and path weights. A path of weight 0 adds nothing to any score; the
            ranks it gave are kept for explanation.

    Returns:
        Every id of every ranking, by score descending, ties by id. Scores are in [0, 1]: 1 for a
        memory that is first everywhere, all 0 where every path weighs 0. `why` has one child per
        path of `rankings`, in the order of their names, adding up to the score.
    """
    paths = sorted(rankings)
    weights = {path: config.weights.get(path, 1.0) for path in paths}
    ceiling = math.fsum(weight / (config.k + 1) for weight in weights.values())
    ranks: dict[str, dict[str, int]] = {}
    for path in paths:
        for rank, memory_id in enumerate(rankings[path], start=1):
            ranks.setdefault(memory_id, {}).setdefault(path, rank)

    fused = []
    for memory_id, found in ranks.items():
        shares = dict.fromkeys(paths, 0.0)
        if ceiling > 0.0:
            for path, rank in found.items():
                shares[path] = weights[path] / (config.k + rank) / ceiling
        # fsum is exact before it rounds: the order of the paths cannot break a true tie.
        fused.append(Fused(memory_id, min(1.0, math.fsum(shares.values())), found, shares))
    fused.sort(key=lambda each: (-round(each.score, _TIE_DECIMALS), each.id))
    return fused


def unranked(memory_id: str) -> Fused:
    """What fusion says of a memory that no path ranked (a reserved slot, a coexistence group)."""
    return Fused(memory_id, 0.0, {})
