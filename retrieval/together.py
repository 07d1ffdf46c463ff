"""What does a memory say together with others it hangs together with? Sums over groups of candidates.

A question is seldom answered in one breath: its subject is named in one turn and what is asked about it
in the next, "Zoltan is my uncle" and "my uncle turned sixty". The functions compare how much of the
question two memories account for together with what each does by itself. A group is a session, a
source (a document, a speaker of few memories), or a rare word that both hold and the question does not.

Everywhere `soft` is (n, m) float64 in [0, 1], what a row's memory holds of each term of the question,
and `weights` is (m,) float64, the idf of the terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["accounted", "bridged", "group_accounted", "within_group"]

_BRIDGES: Final = 8  # best candidates that others may be bridged to
_AMONG: Final = 24  # best candidates among which a word must be rare
_RARE: Final = 4.0  # of them, that may hold it


def accounted(held: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n,) float64 in [0, 1]: share of the weight that each row accounts for; 0 without any weight."""
    import numpy as np

    total = float(weights.sum())
    if total <= 0.0:
        return np.zeros(held.shape[0])
    share: NDArray[np.float64] = (held * weights).sum(axis=1) / total
    return share


def group_accounted(
    soft: NDArray[np.float64], weights: NDArray[np.float64], groups: Sequence[str | None]
) -> NDArray[np.float64]:
    """(n,) float64 in [0, 1]: what all memories of a row's group account for; 0 without a group."""
    import numpy as np

    members = _members(groups)
    found = np.zeros(soft.shape[0])
    if members:
        most = np.stack([soft[rows].max(axis=0) for rows in members.values()])
        for rows, share in zip(members.values(), accounted(most, weights).tolist(), strict=True):
            found[rows] = share
    return found


def within_group(
    soft: NDArray[np.float64], weights: NDArray[np.float64], groups: Sequence[str | None]
) -> NDArray[np.float64]:
    """(n,) float64 in [0, 1]: what a row accounts for, a term the less the more others of its group do.

    What the whole group is about does not say which of its memories is meant. 0 where a row is alone.
    """
    import numpy as np

    found = np.zeros(soft.shape[0])
    for rows in _members(groups).values():
        if len(rows) < 2:
            continue
        held = soft[rows]
        others = (held.sum(axis=0) - held) / (len(rows) - 1)
        found[rows] = accounted(held * (1.0 - others), weights)
    return found


def bridged(
    soft: NDArray[np.float64],
    weights: NDArray[np.float64],
    match: NDArray[np.float64],
    others: Sequence[frozenset[str]],
) -> NDArray[np.float64]:
    """(n,) float64 in [0, 1]: the most that a row gains with one of the best it shares a word with.

    The gain is what both account for less what the row does alone, times how rare the word is among
    the best candidates: in full for a word that up to four of them hold.

    Args:
        match: (n,), by which the best are chosen; what matches nothing bridges nothing.
        others: the words of each row's memory that the question does not hold.
    """
    import numpy as np

    found = np.zeros(soft.shape[0])
    order = np.argsort(-match, kind="stable")
    best = [int(row) for row in order[:_BRIDGES] if match[row] > 0.0]
    words = sorted(frozenset[str]().union(*(others[row] for row in best)))
    if not words:
        return found
    place = {word: at for at, word in enumerate(words)}
    known = frozenset(words)
    held = np.zeros((soft.shape[0], len(words)))
    for row, own in enumerate(others):
        held[row, [place[word] for word in own & known]] = 1.0
    rarity = np.minimum(1.0, _RARE / np.maximum(held[order[:_AMONG]].sum(axis=0), 1.0))
    alone = accounted(soft, weights)
    for row in best:
        shared = (held * (held[row] * rarity)).max(axis=1)
        gain = shared * (accounted(np.maximum(soft, soft[row]), weights) - alone)
        gain[row] = 0.0
        found = np.maximum(found, gain)
    return found


def _members(groups: Sequence[str | None]) -> dict[str, list[int]]:
    members: dict[str, list[int]] = {}
    for row, group in enumerate(groups):
        if group is not None:
            members.setdefault(group, []).append(row)
    return members
