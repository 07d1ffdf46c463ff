"""How rightly does reflection tell more evidence from a change, a narrower denial and another fact?

    python -m benchmarks.beliefs --half held

`data/beliefs.jsonl` holds pairs of an older and a newer statement of one topic with what the newer
one is to the older, `data/clusters.jsonl` sets of facts with those that say the same grouped. Both are
made up, in English, Chinese and mixed, and split into halves: rules were worked on with `dev`, of
`held` only the figures were looked at.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.secrets import Share, wilson

__all__ = ["CLUSTERS", "PAIRS", "clusters", "load", "main", "pairs"]

PAIRS: Final = Path(__file__).with_name("data") / "beliefs.jsonl"
CLUSTERS: Final = PAIRS.with_name("clusters.jsonl")

_HALVES: Final = ("dev", "held")
_NEAR: Final = 0.2  # what is less alike need not be judged: the same in two languages is this near


def load(path: Path, *, half: str = "all") -> list[dict[str, Any]]:
    """The rows of one half or of all, in the order of the file."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [row for row in rows if half in ("all", row["half"])]


def pairs(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Judge each pair: the confusion matrix, precision and recall a verdict, ids of wrong merges."""
    from memweir.learning.pairing import VERDICTS, judge

    matrix = {label: dict.fromkeys(VERDICTS, 0) for label in VERDICTS}
    wrong: list[str] = []
    missed: dict[str, int] = {}
    for row in rows:
        decision = judge(row["belief"], row["fact"]).decision
        matrix[row["decision"]][decision] += 1
        if decision == "reinforce" != row["decision"]:
            wrong.append(row["id"])
        if decision != row["decision"]:
            missed[row["decision"]] = missed.get(row["decision"], 0) + 1
    return {
        "pairs": len(rows),
        "matrix": matrix,
        "verdicts": {
            verdict: {
                "precision": _share(
                    (matrix[verdict][verdict], sum(matrix[label][verdict] for label in VERDICTS))
                ),
                "recall": _share((matrix[verdict][verdict], sum(matrix[verdict].values()))),
            }
            for verdict in VERDICTS
        },
        "wrong_merges": wrong,
        "missed": missed,
    }


def clusters(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Group the facts of each set: pairwise precision and recall."""
    from memweir.learning.topics import group_facts, pair_scores
    from memweir.retrieval.analysis import default_analyzer
    from memweir.retrieval.meaning import WordVectors

    analyzer, table = default_analyzer(), WordVectors.load()
    totals = [0, 0, 0]
    for row in rows:
        texts = row["facts"]
        analyses = [analyzer.analyse(text) for text in texts]
        found = group_facts(
            table.embed_analysed(analyses),
            [analysis.terms for analysis in analyses],
            ["set"] * len(texts),
            same=_alike(texts),
            min_cosine=_NEAR,
        )
        totals = [
            total + more for total, more in zip(totals, pair_scores(found, row["groups"]), strict=True)
        ]
    right, made, labelled = totals
    return {
        "sets": len(rows),
        "precision": _share((right, made)),
        "recall": _share((right, labelled)),
    }


def _alike(texts: Sequence[str]) -> Callable[[int, int], bool]:
    from memweir.learning.pairing import says_same

    return lambda one, other: says_same(texts[one], texts[other])


def main(argv: Sequence[str] | None = None) -> int:
    """Judge both sets and print the figures. Texts are never printed, only ids."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.beliefs", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--half", choices=(*_HALVES, "all"), default="dev")
    parser.add_argument("--json", action="store_true", help="one JSON object and nothing else")
    args = parser.parse_args(argv)
    result = {
        "half": args.half,
        "pairs": pairs(load(PAIRS, half=args.half)),
        "clusters": clusters(load(CLUSTERS, half=args.half)),
    }
    if args.json:
        print(json.dumps(result))
    else:
        _print(result)
    return 0


def _share(share: Share) -> dict[str, object]:
    """The fraction, None where nothing was counted, its 95 % interval and the two numbers."""
    low, high = wilson(share)
    value = round(share[0] / share[1], 4) if share[1] else None
    return {
        "value": value,
        "low": round(low, 4),
        "high": round(high, 4),
        "count": share[0],
        "of": share[1],
    }


def _print(result: Mapping[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    judged = result["pairs"]
    matrix = Table("labelled, judged →", *judged["matrix"])
    for label, cells in judged["matrix"].items():
        matrix.add_row(label, *map(str, cells.values()))
    console.print(matrix)
    verdicts = Table("", "precision", "recall")
    for verdict, shares in judged["verdicts"].items():
        verdicts.add_row(verdict, _cell(shares["precision"]), _cell(shares["recall"]))
    grouped = result["clusters"]
    verdicts.add_row("groups", _cell(grouped["precision"]), _cell(grouped["recall"]))
    console.print(verdicts)
    console.print(f"wrong merges: {', '.join(judged['wrong_merges']) or 'none'}")


def _cell(share: Mapping[str, Any]) -> str:
    if share["value"] is None:
        return "none counted"
    return "{value:.3f} [{low:.3f}, {high:.3f}] {count}/{of}".format(**share)


if __name__ == "__main__":
    sys.exit(main())
