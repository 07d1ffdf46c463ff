"""Do words that the memories of a scope use alike help to find more of them?

    python -m benchmarks.associations DIR… --json

Reflection could learn from a store which terms come together more often than by chance, and the
keyword path could look for the neighbours of a question's terms too, at a low weight. This tries it on
evaluation sets: each is loaded once a variant, associations are made of the index terms of each scope,
and every question is asked with them and without. Reported are hit@5, how many questions won and lost
their answer, and the p of a randomisation test.

Measures: positive pointwise mutual information (Church and Hanks, 1990) and the log-likelihood ratio
(Dunning, 1993), of co-occurrence within one memory.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import apsw

from memweir.memory import Memory
from memweir.retrieval.keyword import KeywordPath, query_terms
from memweir.retrieval.types import Hit, Query, Ranking
from memweir.store.reads import TermMatch

__all__ = ["associations", "llr", "main", "ppmi"]

_MOST_DF: Final = 0.1  # share of the memories above which a term says nothing
_MOST_TERMS: Final = 40  # of a memory, the rarest
_STALE: Final = 100  # memories by which a growing store may be ahead of its associations

Associations = Mapping[str, tuple[str, ...]]


def ppmi(both: int, one: int, other: int, total: int) -> float:
    """log2 of how much more often two terms come together than by chance; 0 where not more often."""
    return max(math.log2(both * total / (one * other)), 0.0)


def llr(both: int, one: int, other: int, total: int) -> float:
    """Dunning's -2 log λ of the two-by-two table; 0 where they come together less than by chance."""
    if both * total <= one * other:
        return 0.0
    cells = (
        (both, one, other),
        (one - both, one, total - other),
        (other - both, total - one, other),
        (total - one - other + both, total - one, total - other),
    )
    return 2.0 * math.fsum(
        seen * math.log(seen * total / (row * column)) for seen, row, column in cells if seen > 0
    )


_MEASURES: Final = {"ppmi": ppmi, "llr": llr}


def associations(
    memories: Iterable[Sequence[str]], *, measure: str, support: int = 3, most: int = 3
) -> Associations:
    """Term → the terms that are most associated with it, best first.

    Args:
        memories: index terms of each memory of one scope.
        support: memories in which both must be, at least; most: terms kept for each.
    """
    held = [set(each) for each in memories]
    total = len(held)
    df = Counter(term for each in held for term in each)
    usable = {term for term, count in df.items() if support <= count <= max(_MOST_DF * total, support)}
    pairs: Counter[tuple[str, str]] = Counter()
    for each in held:
        kept = sorted(each & usable, key=lambda term: (df[term], term))[:_MOST_TERMS]
        pairs.update(combinations(sorted(kept), 2))
    score = _MEASURES[measure]
    near: dict[str, list[tuple[float, str]]] = {}
    for (one, other), both in pairs.items():
        # A bigram and the word that holds it are one word seen twice.
        if both < support or one in other or other in one:
            continue
        weight = score(both, df[one], df[other], total)
        if weight > 0.0:
            near.setdefault(one, []).append((-weight, other))
            near.setdefault(other, []).append((-weight, one))
    return {term: tuple(other for _, other in sorted(found)[:most]) for term, found in near.items()}


class _Expanding(KeywordPath):
    """The keyword path, with what the associations of the scopes asked add at a low weight."""

    def __init__(self, inner: KeywordPath, engine: _Engine, weight: float) -> None:
        super().__init__(inner._reader, weights=inner._weights, pin_max_df=inner._pin_max_df)
        self._engine, self._weight = engine, weight

    def rank(self, query: Query, *, limit: int) -> Ranking:
        ranking = super().rank(query, limit=limit)
        asked = set(query_terms(query))
        near = [self._engine.near(str(scope)) for scope in query.view.scopes]
        extra = dict.fromkeys(
            other
            for term in query_terms(query)
            for each in near
            for other in each.get(term, ())
            if other not in asked
        )
        if not extra:
            return ranking
        self._engine.expanded += 1
        found = dict(
            self._reader.keyword(query.view, TermMatch({"": tuple(extra)}, self._weights), limit)
        )
        hits = {each.id: each for each in ranking.hits}
        for memory_id, score in found.items():
            before = hits.get(memory_id) or Hit(
                memory_id, 0.0, {"bm25": 0.0, "share": 0.0, "exact": False, "literal": False}
            )
            hits[memory_id] = replace(before, score=before.score + self._weight * score)
        ordered = sorted(
            hits.values(), key=lambda hit: (hit.id not in ranking.pinned, -hit.score, hit.id)
        )
        return replace(ranking, hits=tuple(ordered[:limit]))


class _Engine:
    """A memory that learns associations before it is asked."""

    def __init__(self, memory: Memory, path: Path, measure: str, weight: float) -> None:
        self._memory, self._path, self._measure = memory, path, measure
        self._written = 0
        self._made = -1
        self._near: dict[str, Associations] = {}
        self.expanded = 0
        paths: Any = memory._pipeline._finder._paths
        if measure:
            memory._pipeline._finder._paths = {
                name: _Expanding(each, self, weight) if isinstance(each, KeywordPath) else each
                for name, each in paths.items()
            }

    def remember_many(self, drafts: Iterable[Any], *, now: datetime | None = None) -> Any:
        told = list(drafts)
        self._written += len(told)
        return self._memory.remember_many(told, now=now)

    def recall(self, text: str, **options: Any) -> Any:
        return self._memory.recall(text, **options)

    def near(self, scope: str) -> Associations:
        """Of a scope, made anew where the store has grown."""
        if self._made < 0 or self._written - self._made >= _STALE:
            self._near, self._made = {}, self._written
            by_scope: dict[str, list[list[str]]] = {}
            connection = apsw.Connection(str(self._path), flags=apsw.SQLITE_OPEN_READONLY)
            for kind, key, terms in connection.execute(
                "SELECT scope.kind, scope.key, memory_index.terms FROM memory "
                "JOIN scope ON scope.id = memory.scope_id "
                "JOIN memory_index ON memory_index.seq = memory.seq WHERE status = 'active'"
            ):
                by_scope.setdefault(f"{kind}:{key}", []).append(str(terms).split())
            connection.close()
            for name, memories in by_scope.items():
                self._near[name] = associations(memories, measure=self._measure)
        return self._near.get(scope, {})


def _opening(measure: str, weight: float, made: list[_Engine]) -> Any:
    @contextmanager
    def opening(path: Path, now: datetime) -> Iterator[_Engine]:
        with Memory.open(path, clock=lambda: now) as memory:
            made.append(_Engine(memory, path, measure, weight))
            yield made[-1]

    return opening


def _hits(run: Any, cutoff: int = 5) -> dict[str, int]:
    found = {}
    for each in run.asked:
        if each.question.relevant:
            first = {name for name, _ in each.ranked[:cutoff]}
            found[each.question.id] = int(bool(first & set(each.question.relevant)))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask every set with and without; print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.associations", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--variants", default="ppmi:0.1,ppmi:0.3,llr:0.1,llr:0.3")
    parser.add_argument("--limit", type=int, help="the first so many questions of each set")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(arguments)

    import numpy as np

    from memweir.evaluation.datasets import find_sets
    from memweir.evaluation.runner import run_set
    from memweir.evaluation.significance import randomisation_p

    rows = []
    for dataset in find_sets(args.folders):
        base = _hits(run_set(dataset, _opening("", 0.0, []), limit=args.limit))
        for variant in args.variants.split(","):
            measure, _, weight = variant.partition(":")
            engines: list[_Engine] = []
            run = run_set(dataset, _opening(measure, float(weight), engines), limit=args.limit)
            found = _hits(run)
            one = np.array([base[each] for each in base], np.float64)
            other = np.array([found[each] for each in base], np.float64)
            row = {
                "set": dataset.name,
                "variant": variant,
                "answerable": len(base),
                "expanded": engines[0].expanded,
                "without": round(float(one.mean()), 4),
                "with": round(float(other.mean()), 4),
                "gained": int(((other - one) > 0).sum()),
                "lost": int(((other - one) < 0).sum()),
                "p": round(randomisation_p(other, one), 4),
            }
            rows.append(row)
            if not args.json:
                print(row, flush=True)
    if args.json:
        print(json.dumps({"rows": rows}, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
