"""Which facts are about the same? Groups of facts, found without holding every pair in memory.

Facts of different blocks (scopes, or scope and semantic key) never meet. Within a block a fact is held
against those that share its rarest terms, found by an inverted index, and, where the block is small
enough, against its nearest neighbours by vector. What is near enough, and says the same by the caller's
judgement, is joined; groups are the connected components, and a component that hangs together by a
chain alone is cut by average linkage (Sokal and Michener, 1958). In doubt facts stay apart.

Memory grows with the facts and the neighbours of each, not with the pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from memweir.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["group_facts", "pair_scores"]

_MOST_POSTINGS: Final = 64  # facts that may share a term for it to be rare
_RAREST_TERMS: Final = 12  # of a fact that are looked up
_SEARCHED: Final = 5_000  # facts of a block that are searched for nearest neighbours by vector
_BATCH: Final = 512
_LARGEST: Final = 200  # facts of a component that is looked at in whole


def group_facts(
    vectors: Any,
    terms: Sequence[Iterable[str]],
    blocks: Sequence[str],
    *,
    same: Callable[[int, int], bool] | None = None,
    min_cosine: float = 0.3,
    neighbours: int = 12,
) -> list[tuple[int, ...]]:
    """Groups of two facts or more, each in order, the groups in order of their first facts.

    The same input gives the same groups in every process. Which groups there are does not depend on the
    order of the facts, as long as no fact has more than `neighbours` near ones.

    Args:
        vectors: (n, d), dense or scipy CSR, rows of length 1 or all zero.
        terms: (n) index terms of each fact, in any order, repeats allowed.
        blocks: (n) names; only facts of one name can be grouped.
        same: whether two facts, given by their numbers, the smaller one first, say the same; None: what
            is near enough does.
        min_cosine: from -1 to 1; what is less alike is not asked about.
        neighbours: 1 or more, how many facts each is held against at most, by terms and by vector.

    Raises:
        InputError: the three are not of one length, or a number is out of its range.
    """
    count = vectors.shape[0]
    if len(terms) != count or len(blocks) != count:
        raise InputError(
            f"{count} vectors, {len(terms)} sets of terms, {len(blocks)} blocks: not of one length"
        )
    if not -1.0 <= min_cosine <= 1.0 or neighbours < 1:
        raise InputError(f"min_cosine {min_cosine!r} or neighbours {neighbours!r} is out of range")
    members: dict[str, list[int]] = {}
    for number, block in enumerate(blocks):
        members.setdefault(block, []).append(number)
    groups: list[tuple[int, ...]] = []
    for _, facts in sorted(members.items()):
        if len(facts) > 1:
            pairs = _candidates(vectors, terms, facts, neighbours)
            edges = _edges(vectors, pairs, same, min_cosine)
            groups += _components(vectors, edges, min_cosine, verified=same is not None)
    return sorted(groups)


def pair_scores(
    found: Iterable[Iterable[int]], expected: Iterable[Iterable[int]]
) -> tuple[int, int, int]:
    """Pairs of facts grouped rightly, grouped in all, and to be grouped.

    Pairwise precision is the first by the second, recall the first by the third.
    """
    one, other = (
        {pair for group in groups for pair in combinations(sorted(group), 2)}
        for groups in (found, expected)
    )
    return len(one & other), len(one), len(other)


def _candidates(
    vectors: Any, terms: Sequence[Iterable[str]], facts: Sequence[int], neighbours: int
) -> list[tuple[int, int]]:
    """Pairs of a block that may say the same, in order, each once."""
    pairs = _sharing(terms, facts, neighbours)
    if len(facts) <= _SEARCHED:
        pairs |= _nearest(vectors, facts, neighbours)
    return sorted(pairs)


def _sharing(
    terms: Sequence[Iterable[str]], facts: Sequence[int], neighbours: int
) -> set[tuple[int, int]]:
    """Facts that share rare terms, those that share most of them first."""
    held = {fact: sorted(set(terms[fact])) for fact in facts}
    postings: dict[str, list[int]] = {}
    for fact in facts:
        for term in held[fact]:
            postings.setdefault(term, []).append(fact)
    pairs: set[tuple[int, int]] = set()
    for fact in facts:
        rare = sorted(
            (len(postings[term]), term)
            for term in held[fact]
            if 1 < len(postings[term]) <= _MOST_POSTINGS
        )[:_RAREST_TERMS]
        shared: dict[int, float] = {}
        for frequency, term in rare:
            for other in postings[term]:
                if other != fact:
                    shared[other] = shared.get(other, 0.0) + 1.0 / frequency
        best = sorted(shared.items(), key=lambda entry: (-entry[1], entry[0]))[:neighbours]
        pairs.update((min(fact, other), max(fact, other)) for other, _ in best)
    return pairs


def _nearest(vectors: Any, facts: Sequence[int], neighbours: int) -> set[tuple[int, int]]:
    from sklearn.neighbors import NearestNeighbors

    rows = vectors[list(facts)]
    search = NearestNeighbors(
        n_neighbors=min(neighbours + 1, len(facts)), metric="cosine", algorithm="brute"
    ).fit(rows)
    pairs: set[tuple[int, int]] = set()
    for start in range(0, len(facts), _BATCH):
        found = search.kneighbors(rows[start : start + _BATCH], return_distance=False)
        for offset, near in enumerate(found.tolist()):
            fact = facts[start + offset]
            for place in near:
                other = facts[place]
                if other != fact:
                    pairs.add((min(fact, other), max(fact, other)))
    return pairs


def _edges(
    vectors: Any,
    pairs: Sequence[tuple[int, int]],
    same: Callable[[int, int], bool] | None,
    min_cosine: float,
) -> list[tuple[int, int]]:
    edges: list[tuple[int, int]] = []
    for start in range(0, len(pairs), _BATCH):
        batch = pairs[start : start + _BATCH]
        cosines = _cosines(vectors, batch)
        for pair, cosine in zip(batch, cosines.tolist(), strict=True):
            if cosine >= min_cosine and (same is None or same(*pair)):
                edges.append(pair)
    return edges


def _cosines(vectors: Any, pairs: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
    """(n,) cosine of each pair. Rounded, so that equal texts are equally near on every machine."""
    import numpy as np

    left = vectors[[one for one, _ in pairs]]
    right = vectors[[other for _, other in pairs]]
    if hasattr(left, "multiply"):
        products = np.asarray(left.multiply(right).sum(axis=1), np.float64).ravel()
    else:
        products = (np.asarray(left, np.float64) * np.asarray(right, np.float64)).sum(axis=1)
    return np.round(products, 9)


def _components(
    vectors: Any, edges: Sequence[tuple[int, int]], min_cosine: float, *, verified: bool
) -> list[tuple[int, ...]]:
    import numpy as np
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not edges:
        return []
    facts = sorted({fact for edge in edges for fact in edge})
    place = {fact: at for at, fact in enumerate(facts)}
    one = np.array([place[left] for left, _ in edges])
    other = np.array([place[right] for _, right in edges])
    graph = coo_array((np.ones(len(edges), np.int8), (one, other)), shape=(len(facts), len(facts)))
    _, labels = connected_components(graph, directed=False)
    groups: dict[int, list[int]] = {}
    for fact, label in zip(facts, labels.tolist(), strict=True):
        groups.setdefault(label, []).append(fact)
    joined = {frozenset(edge) for edge in edges}
    found: list[tuple[int, ...]] = []
    for group in groups.values():
        if len(group) > 2:
            found += _cut(vectors, group, joined, min_cosine, verified=verified)
        else:
            found.append(tuple(group))
    return found


def _cut(
    vectors: Any,
    group: list[int],
    joined: set[frozenset[int]],
    min_cosine: float,
    *,
    verified: bool,
) -> list[tuple[int, ...]]:
    """The parts of a component in which facts hang together by more than a chain.

    A pair is as far as its vectors are, but at distance 0 where it was judged to say the same. A
    component too large to be looked at in whole is left out: it is a form letter, not a claim.
    """
    import numpy as np
    from sklearn.cluster import AgglomerativeClustering

    if len(group) > _LARGEST:
        return []
    rows = vectors[group]
    cosine = rows @ rows.T
    dense = np.asarray(cosine.toarray() if hasattr(cosine, "toarray") else cosine, np.float64)
    distance = 1.0 - np.round(dense, 9)
    if verified:
        for one, other in combinations(range(len(group)), 2):
            if frozenset((group[one], group[other])) in joined:
                distance[one, other] = distance[other, one] = 0.0
    np.fill_diagonal(distance, 0.0)
    labels = AgglomerativeClustering(
        n_clusters=None,
        metric="precomputed",
        linkage="average",
        distance_threshold=1.0 - min_cosine + 1e-9,
    ).fit_predict(np.clip(distance, 0.0, 2.0))
    parts: dict[int, list[int]] = {}
    for fact, label in zip(group, labels.tolist(), strict=True):
        parts.setdefault(label, []).append(fact)
    return [tuple(part) for part in parts.values() if len(part) > 1]
