"""Which texts does the secret gate refuse? Recall and precision over a made set.

    python -m benchmarks.secrets --set blind

`data/secrets.jsonl` holds texts with a credential and look-alikes without one, half English and half
Chinese, each a kind of its own; every value in it is invented. The set is split into two halves by
turns within each category and language: `dev` was worked with first, `held` was reported until it was
worked with too. `data/secrets_test.jsonl`, the blind set, was written by somebody who had not seen
the rules, and of it only figures were looked at. Inside the values stands the mark `¦`, so that the
scanners of code hosts do not take the files for a leak; the loader removes it.

Precision depends on how many look-alikes a set holds; the rate of false alarms beside it does not.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

__all__ = [
    "BLIND",
    "DATA",
    "MARK",
    "Counts",
    "Row",
    "Verdict",
    "count",
    "gate",
    "judge",
    "load",
    "main",
    "report",
    "wilson",
]

DATA: Final = Path(__file__).with_name("data") / "secrets.jsonl"
BLIND: Final = DATA.with_name("secrets_test.jsonl")
MARK: Final = "¦"

_HALVES: Final = ("dev", "held")
_SETS: Final = {"tuned": DATA, "blind": BLIND}
_Z95: Final = 1.959963984540054  # of the normal distribution, two-sided 95 %

Share = tuple[int, int]  # how many, of how many


@dataclass(frozen=True, slots=True)
class Row:
    """One text of the set; `secret` says whether a store must refuse it."""

    id: str
    text: str
    secret: bool
    lang: str
    category: str
    half: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """A row and the name of the rule that refused it, None where nothing did."""

    row: Row
    rule: str | None


@dataclass(frozen=True, slots=True)
class Counts:
    """Secrets refused and missed, look-alikes refused and let through."""

    hits: int
    misses: int
    false_alarms: int
    passed: int

    @property
    def recall(self) -> Share:
        return self.hits, self.hits + self.misses

    @property
    def precision(self) -> Share:
        return self.hits, self.hits + self.false_alarms

    @property
    def false_alarm_rate(self) -> Share:
        return self.false_alarms, self.false_alarms + self.passed


def load(path: Path = DATA, *, half: str = "all") -> list[Row]:
    """The rows of one half or of all, in the order of the file, without the mark."""
    rows = (Row(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines())
    return [
        Row(row.id, row.text.replace(MARK, ""), row.secret, row.lang, row.category, row.half)
        for row in rows
        if half in ("all", row.half)
    ]


def judge(rows: Iterable[Row], scan: Callable[[str], str | None]) -> list[Verdict]:
    """Ask `scan` about each text: the name of a rule, or None."""
    return [Verdict(row, scan(row.text)) for row in rows]


def count(verdicts: Iterable[Verdict]) -> Counts:
    """The four cells of the confusion matrix."""
    cells = {(secret, refused): 0 for secret in (True, False) for refused in (True, False)}
    for verdict in verdicts:
        cells[verdict.row.secret, verdict.rule is not None] += 1
    return Counts(cells[True, True], cells[True, False], cells[False, True], cells[False, False])


def wilson(share: Share, *, z: float = _Z95) -> tuple[float, float]:
    """The score interval of a proportion (Wilson, JASA 22, 1927); (0, 1) where nothing was counted.

    With p = k / n the centre is (p + z²/2n) / (1 + z²/n), the half-width
    z √(p(1-p)/n + z²/4n²) / (1 + z²/n).
    """
    successes, trials = share
    if trials == 0:
        return 0.0, 1.0
    p, scale = successes / trials, 1 + z * z / trials
    centre = (p + z * z / (2 * trials)) / scale
    width = z * math.sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials)) / scale
    return max(centre - width, 0.0), min(centre + width, 1.0)


def report(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Shares in all, by language and by half; what went wrong by category."""
    languages = sorted({each.row.lang for each in verdicts})
    halves = [half for half in _HALVES if any(each.row.half == half for each in verdicts)]
    return {
        "total": _shares(count(verdicts)),
        "languages": {
            lang: _shares(count(each for each in verdicts if each.row.lang == lang))
            for lang in languages
        },
        "halves": {
            half: _shares(count(each for each in verdicts if each.row.half == half)) for half in halves
        },
        "missed": _by_category(verdicts, secret=True),
        "false_alarms": _by_category(verdicts, secret=False),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Scan the set and print the report. Texts are never printed, only ids and rules."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.secrets", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--set", choices=(*_SETS,), default="tuned")
    parser.add_argument("--half", choices=(*_HALVES, "all"), default="all")
    parser.add_argument("--json", action="store_true", help="one JSON object and nothing else")
    parser.add_argument("--show", action="store_true", help="name what was missed and refused amiss")
    args = parser.parse_args(argv)
    verdicts = judge(load(_SETS[args.set], half=args.half), gate)
    result = report(verdicts)
    if args.show:
        result["shown"] = {
            "missed": [each.row.id for each in verdicts if each.row.secret and each.rule is None],
            "false_alarms": {
                each.row.id: each.rule
                for each in verdicts
                if not each.row.secret and each.rule is not None
            },
        }
    if args.json:
        print(json.dumps(result))
    else:
        _print(result)
    return 0


def gate(text: str) -> str | None:
    """What the secret gate says of a text: the name of a rule, or None."""
    from memweir.store.gates import scan_secrets

    finding = scan_secrets(text)
    return None if finding is None else finding.rule


def _shares(counts: Counts) -> dict[str, object]:
    shares = {
        "recall": counts.recall,
        "precision": counts.precision,
        "false_alarm_rate": counts.false_alarm_rate,
    }
    return {name: _share(share) for name, share in shares.items()}


def _share(share: Share) -> dict[str, object]:
    """The fraction, None where nothing was counted, its 95 % interval and the two numbers."""
    number, of = share
    low, high = wilson(share)
    value = round(number / of, 4) if of else None
    return {"value": value, "low": round(low, 4), "high": round(high, 4), "count": number, "of": of}


def _by_category(verdicts: Iterable[Verdict], *, secret: bool) -> dict[str, dict[str, int]]:
    """What went wrong of each category: missed secrets, or look-alikes refused."""
    table: dict[str, dict[str, int]] = {}
    for each in verdicts:
        if each.row.secret is secret:
            cell = table.setdefault(each.row.category, {"count": 0, "of": 0})
            cell["of"] += 1
            cell["count"] += secret is (each.rule is None)
    return dict(sorted(table.items()))


def _print(result: Mapping[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    table = Table("", "recall", "precision", "false alarms")
    for name, shares in {"all": result["total"], **result["languages"], **result["halves"]}.items():
        table.add_row(name, *(_cell(share) for share in shares.values()))
    console.print(table)
    for heading in ("missed", "false_alarms"):
        categories = Table("category", heading.replace("_", " "), "of")
        for name, cell in result[heading].items():
            categories.add_row(name, str(cell["count"]), str(cell["of"]))
        console.print(categories)
    if "shown" in result:
        console.print_json(json.dumps(result["shown"]))


def _cell(share: Mapping[str, Any]) -> str:
    if share["value"] is None:
        return "none counted"
    return "{value:.3f} [{low:.3f}, {high:.3f}] {count}/{of}".format(**share)


if __name__ == "__main__":
    sys.exit(main())
