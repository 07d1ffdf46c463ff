"""What does capture keep, is it right, and does recall over it find what it finds over the raw turns?

    python -m benchmarks.capture labelled --half test
    python -m benchmarks.capture conversations --half dev

`labelled` reads `data/capture_en.jsonl` and `data/capture_zh.jsonl`: sentences as people type them to
an agent, half of them worth keeping, written by hand by somebody who had not seen the rules. A sentence
that is to be kept names what a right statement must hold and must not, the kinds it may have and, of a
dated event, the days. Of the half `test` only figures were looked at. `data/capture_more_*.jsonl`
holds five further batches of either language, each to be measured before it is worked with:

    python -m benchmarks.capture labelled --batch 1

`conversations` hands the LoCoMo conversations over, every speaker a user in a scope of their own, and
asks the set's questions twice: of the raw turns, and of what `observe` made of them. Conversations in
even places of the set's order are `dev`, the others `held`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from benchmarks.secrets import wilson
from memweir import Memory, Scope
from memweir.evaluation.datasets import UNDATED, DataSet, MemoryLine, session_of
from memweir.learning.capture import read_message
from memweir.learning.echoes import Unknown
from memweir.learning.extractor import RuleExtractor
from memweir.learning.types import PERSON, Fact, Message, Spoken
from memweir.results import Captured

__all__ = ["DATA", "Label", "conversations", "labels", "main", "outcome", "read"]

DATA: Final = Path(__file__).with_name("data")
_HALVES: Final = ("dev", "test")
_CONVERSATIONS: Final = "locomo"
_TOP: Final = 5
_MOST: Final = 8
_LEAST: Final = 0.35


# Labelled sentences


@dataclass(frozen=True, slots=True)
class Label:
    """One sentence of the set; what the fields mean says the module's docstring."""

    id: str
    lang: str
    category: str
    half: str
    text: str
    before: str
    now: datetime
    keep: bool
    must: tuple[str, ...]
    must_not: tuple[str, ...]
    kinds: frozenset[str]
    explicit: bool
    key: str | None
    window: tuple[date, date] | None
    statement: str = ""


def labels(half: str, batch: int = 0) -> list[Label]:
    """The sentences of one half, or of "all", or of a further batch instead; English first."""
    found = []
    kind = "capture_more" if batch else "capture"
    for lang in ("en", "zh"):
        for line in (DATA / f"{kind}_{lang}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["batch"] == batch if batch else half in ("all", row["half"]):
                found.append(_label(row))
    return found


def _label(row: Mapping[str, Any]) -> Label:
    window = row["window"]
    return Label(
        id=row["id"],
        lang=row["lang"],
        category=row["category"],
        half=row["half"],
        text=row["text"],
        before=row["before"],
        now=datetime.fromisoformat(row["now"]),
        keep=row["keep"],
        must=tuple(row["must"]),
        must_not=tuple(row["must_not"]),
        kinds=frozenset((row["kind"], *row["kinds"])) - {None},
        explicit=row["explicit"],
        key=row["key"],
        window=None
        if window is None
        else (date.fromisoformat(window[0]), date.fromisoformat(window[1])),
        statement=row["statement"],
    )


def read(label: Label) -> tuple[tuple[Fact, ...], tuple[str, ...]]:
    """The facts kept of the labelled sentence, and the rules by which the rest was not."""
    joint = "" if not label.before else " " if label.lang == "en" else ""
    text = f"{label.before}{joint}{label.text}"
    message = Message("user", text, PERSON, at=label.now)
    spoken = Spoken("", label.now)
    found = read_message(message, RuleExtractor(), spoken, Unknown(), most=_MOST, least=_LEAST)
    start = len(text) - len(label.text)
    facts = tuple(each.fact for each in found.found if each.start >= start)
    return facts, tuple(each.rule for each in found.left_out if each.end > start)


def outcome(label: Label, facts: Sequence[Fact]) -> str:
    """What capture did with a sentence: one word of what it should have done.

    "dropped" and "kept-wrongly" of a sentence to be dropped; "missed", "right", "wrong-statement",
    "wrong-kind" and "wrong-days" of one to be kept, judged by the best of its facts.
    """
    if not label.keep:
        return "kept-wrongly" if facts else "dropped"
    if not facts:
        return "missed"
    order = ("right", "wrong-days", "wrong-kind", "wrong-statement")
    return min((_judged(label, fact) for fact in facts), key=order.index)


def _judged(label: Label, fact: Fact) -> str:
    statement = fact.statement.casefold()
    if not all(each.casefold() in statement for each in label.must) or any(
        each.casefold() in statement for each in label.must_not
    ):
        return "wrong-statement"
    if fact.kind not in label.kinds:
        return "wrong-kind"
    return "right" if label.window is None or _days(fact) == label.window else "wrong-days"


def _days(fact: Fact) -> tuple[date, date] | None:
    """The event's days, half-open."""
    if fact.window is None:
        return None
    start, end = fact.window
    last = (end - timedelta(microseconds=1)).date() if end > start else end.date()
    return start.date(), last + timedelta(days=1)


@dataclass(slots=True)
class _Figures:
    outcomes: Counter[str] = field(default_factory=Counter)
    categories: dict[str, Counter[str]] = field(default_factory=dict)
    explicit: list[bool] = field(default_factory=list)
    keys: list[bool] = field(default_factory=list)

    def shown(self) -> dict[str, Any]:
        kept = {
            name: self.outcomes[name] for name in self.outcomes if name not in ("dropped", "missed")
        }
        total = sum(kept.values())
        to_keep = total - self.outcomes["kept-wrongly"] + self.outcomes["missed"]
        right = self.outcomes["right"]
        gate = total - self.outcomes["kept-wrongly"]
        return {
            "sentences": sum(self.outcomes.values()),
            "precision": _share(right, total),
            "recall": _share(right, to_keep),
            "keep_precision": _share(gate, total),
            "keep_recall": _share(gate, to_keep),
            "outcomes": dict(sorted(self.outcomes.items())),
            "explicit_right": _share(sum(self.explicit), len(self.explicit)),
            "key_given_where_clear": _share(sum(self.keys), len(self.keys)),
            "categories": {name: dict(sorted(each.items())) for name, each in self.categories.items()},
        }


def _share(part: int, whole: int) -> dict[str, Any]:
    low, high = wilson((part, whole))
    value = round(part / whole, 3) if whole else None
    return {"value": value, "of": [part, whole], "interval": [round(low, 3), round(high, 3)]}


def labelled(half: str, *, misses: bool = False, batch: int = 0) -> dict[str, Any]:
    """Figures of the set, by language; with `misses` each sentence that went wrong, never of `test`."""
    figures = {"en": _Figures(), "zh": _Figures(), "all": _Figures()}
    wrong = []
    for label in labels(half, batch):
        facts, rules = read(label)
        result = outcome(label, facts)
        for name in (label.lang, "all"):
            each = figures[name]
            each.outcomes[result] += 1
            each.categories.setdefault(label.category, Counter())[result] += 1
            if result == "right":
                each.explicit.append(any(fact.explicit for fact in facts) == label.explicit)
                if label.key is not None:
                    each.keys.append(any(fact.semantic_key is not None for fact in facts))
        if misses and label.half != "test" and result not in ("right", "dropped"):
            wrong.append(_miss(label, facts, rules, result))
    shown: dict[str, Any] = {name: each.shown() for name, each in figures.items()}
    return {
        "half": f"batch {batch}" if batch else half,
        **shown,
        **({"wrong": wrong} if misses else {}),
    }


def _miss(label: Label, facts: Sequence[Fact], rules: Sequence[str], result: str) -> dict[str, Any]:
    return {
        "id": label.id,
        "category": label.category,
        "outcome": result,
        "text": label.text,
        "wanted": label.statement,
        "must": list(label.must),
        "kinds": sorted(label.kinds),
        "got": [[fact.statement, fact.kind, fact.rule, fact.confidence] for fact in facts],
        "rules": list(rules),
    }


# Whole conversations


def conversations(data: Path, half: str, *, sample: int = 0) -> dict[str, Any]:
    """hit@5 of the set's answerable questions over raw turns and over what was captured of them.

    Args:
        sample: so many captured memories to be read by a person, drawn with a fixed seed.
    """
    dataset = DataSet(_CONVERSATIONS, data / _CONVERSATIONS)
    every = list(dataset.memories())
    names = sorted({each.scope for each in every})
    chosen = {
        name for place, name in enumerate(names) if half == "all" or place % 2 == (half == "held")
    }
    turns = [each for each in every if each.scope in chosen]
    speakers = {
        name: sorted({each.speaker or "" for each in turns if each.scope == name}) for name in chosen
    }
    with (
        tempfile.TemporaryDirectory(prefix="memweir-capture-") as folder,
        Memory.open(Path(folder, "raw.db")) as raw,
        Memory.open(Path(folder, "captured.db")) as captured,
    ):
        source, kept = _fill(raw, captured, turns)
        hits: Counter[str] = Counter()
        asked = 0
        for question in dataset.questions():
            if question.scope not in chosen or not question.relevant:
                continue
            asked += 1
            scopes = [_scope(question.scope, each) for each in speakers[question.scope]]
            at = question.as_of or UNDATED
            for name, memory in (("raw", raw), ("captured", captured)):
                found = memory.recall(question.text, scope=scopes, now=at, limit=100, record=False)
                top = [source.get(each.id, "") for each in found.candidates[:_TOP]]
                hits[name] += not set(question.relevant).isdisjoint(top)
    characters = sum(len(each.text) for each in turns)
    stated = sum(len(each.statement) for each in kept.values())
    report: dict[str, Any] = {
        "half": half,
        "conversations": len(chosen),
        "turns": len(turns),
        "questions": asked,
        "captured": len(kept),
        "raw_hit@5": round(hits["raw"] / asked, 4),
        "captured_hit@5": round(hits["captured"] / asked, 4),
        "ratio": round(hits["captured"] / max(hits["raw"], 1), 4),
        "characters_ratio": round(stated / characters, 4),
        "kinds": dict(sorted(Counter(each.kind for each in kept.values()).items())),
    }
    if sample:
        drawn = random.Random(20260514).sample(sorted(kept), min(sample, len(kept)))
        report["sample"] = [[kept[each].quote, kept[each].statement, kept[each].kind] for each in drawn]
    return report


def _fill(
    raw: Memory, captured: Memory, turns: Iterable[MemoryLine]
) -> tuple[dict[str, str], dict[str, Captured]]:
    """Both stores; id of a memory → the turn it is of, and what was captured by id."""
    source: dict[str, str] = {}
    kept: dict[str, Captured] = {}
    for turn in turns:
        scope = _scope(turn.scope, turn.speaker or "")
        at = turn.created_at or UNDATED
        stored = raw.remember_many([replace(turn.draft(undated=UNDATED), scope=scope)], now=at)[0]
        if not isinstance(stored, Exception):
            source[stored.id] = turn.id
        message = {
            "role": "user",
            "content": turn.text,
            "id": turn.id,
            "time": at,
            "name": turn.speaker,
        }
        for each in captured.observe(
            [message], scope=scope, session=session_of(turn.id), now=at
        ).captured:
            source.setdefault(each.id, turn.id)
            kept.setdefault(each.id, each)
    return source, kept


def _scope(conversation: str, speaker: str) -> Scope:
    return Scope.project(f"{conversation}/{speaker}")


# The command


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print; see the module's docstring."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.capture", description=__doc__)
    commands = parser.add_subparsers(dest="what", required=True)
    one = commands.add_parser("labelled")
    one.add_argument("--half", choices=(*_HALVES, "all"), default="test")
    one.add_argument(
        "--batch", type=int, choices=range(1, 6), default=0, help="a further batch instead"
    )
    one.add_argument("--misses", action="store_true", help="show what went wrong, never of test")
    two = commands.add_parser("conversations")
    two.add_argument("--half", choices=("dev", "held", "all"), default="dev")
    two.add_argument(
        "--data", type=Path, default=Path(os.environ.get("MEMWEIR_DATA", "../shared/data"))
    )
    two.add_argument("--sample", type=int, default=0)
    args = parser.parse_args(argv)
    if args.what == "labelled":
        found = labelled(args.half, misses=args.misses, batch=args.batch)
    elif not (args.data / _CONVERSATIONS).is_dir():
        print(f"no folder {args.data / _CONVERSATIONS}; set MEMWEIR_DATA", file=sys.stderr)
        return 2
    else:
        found = conversations(args.data, args.half, sample=args.sample)
    print(json.dumps(found, ensure_ascii=False, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
