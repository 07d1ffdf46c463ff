"""How well does the table alone find what answers a question?

    python -m tools.meaning.measure DATA [SET …] [--table FILE] [--idf] [--centre]

Cosine of the question's vector with every memory's of its scope (and of an earlier `seq`, where the set
has one), nothing else; hit@1 and hit@5 over the questions that have an answer. Then the pairs of
`pairs.tsv`: how often a sentence's translation is the nearest, and among the nearest five, of all.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.meaning import WordVectors

if TYPE_CHECKING:
    from memweir.retrieval.types import Analysis

__all__ = ["across", "hits", "main"]


def hits(table: WordVectors, folder: Path, *, idf: bool, centre: bool) -> tuple[float, float]:
    """Percent of the answerable questions with an answer in first place, and in the first five."""
    memories = _rows(folder / "memories.jsonl")
    questions = [row for row in _rows(folder / "queries.jsonl") if row["relevant"]]
    analyses = _analyses([row["text"] for row in memories])
    vectors = table.embed_analysed(analyses)
    asked = _analyses([row["text"] for row in questions])
    plain = table.embed_analysed(asked)
    by_scope: dict[str, list[int]] = {}
    for at, row in enumerate(memories):
        by_scope.setdefault(json.dumps(row["scope"]), []).append(at)
    first = five = 0
    for question, analysis, given in zip(questions, asked, plain, strict=True):
        bound = question.get("as_of_seq")
        seen = [
            at
            for at in by_scope.get(json.dumps(question["scope"]), [])
            if bound is None or memories[at].get("seq") is None or memories[at]["seq"] < bound
        ]
        vector, pool = given, vectors[seen]
        if idf:
            weights = _rarity([analyses[at] for at in seen])
            (vector,) = table.embed_analysed([analysis], weights=weights)
        if centre:
            middle = pool.mean(axis=0)
            vector, pool = vector - middle, pool - middle
            pool = pool / np.maximum(np.linalg.norm(pool, axis=1, keepdims=True), 1e-9)
        order = np.argsort(-(pool @ vector), kind="stable")[:5]
        right = [memories[seen[at]]["id"] in question["relevant"] for at in order]
        first += right[:1] == [True]
        five += any(right)
    return 100 * first / len(questions), 100 * five / len(questions)


def across(table: WordVectors, pairs: Path) -> tuple[float, float]:
    """Percent of English sentences with their translation the nearest of all, and in the first five."""
    rows = [line.split("\t") for line in pairs.read_text("utf-8").splitlines()]
    english, chinese = (table.embed_analysed(_analyses([row[side] for row in rows])) for side in (0, 1))
    cosines = english @ chinese.T
    ranks = (cosines > np.diag(cosines)[:, None]).sum(axis=1)
    return 100 * float((ranks < 1).mean()), 100 * float((ranks < 5).mean())


def _rarity(analyses: Sequence[Analysis]) -> Mapping[str, float]:
    """Stem → idf among these texts, as a share of the largest possible."""
    seen = Counter(stem for analysis in analyses for stem in {stem for _, stem in analysis.words})
    total = max(len(analyses), 10)
    most = np.log1p((total + 0.5) / 0.5)
    return {
        stem: float(np.log1p((total - count + 0.5) / (count + 0.5)) / most)
        for stem, count in seen.items()
    }


def _analyses(texts: Sequence[str]) -> list[Analysis]:
    return [default_analyzer().analyse(text) for text in texts]


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--table", type=Path)
    parser.add_argument("--idf", action="store_true", help="weigh the question's words by rarity")
    parser.add_argument("--centre", action="store_true", help="take out the mean of the scope")
    given = parser.parse_args(arguments)
    table = WordVectors.load(given.table)
    names = given.sets or sorted(path.parent.name for path in given.data.glob("*/queries.jsonl"))
    for name in names:
        one, five = hits(table, given.data / name, idf=given.idf, centre=given.centre)
        print(f"{name:20} {one:5.1f} / {five:5.1f}", flush=True)
    one, five = across(table, Path(__file__).with_name("pairs.tsv"))
    print(f"{'across':20} {one:5.1f} / {five:5.1f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
