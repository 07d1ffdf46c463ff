"""What was a recall of the past made of? Put together again from what the audit kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from memweir.config import Config
from memweir.fusion.types import Decision, Node
from memweir.store.audit import DecisionRow, KeptRun
from memweir.store.database import decoded
from memweir.store.rows import stored_scope
from memweir.store.scopes import Scope

if TYPE_CHECKING:
    from memweir.store.seam import Store

__all__ = ["RunExplanation", "RunItem", "read_run"]

_SHAPES: Final = {
    **dict.fromkeys(("blocked", "budget", "hits"), dict),
    **dict.fromkeys(("context", "dropped", "now", "scopes", "tags", "warnings"), list),
    **dict.fromkeys(("as_of", "known"), int | None),
    **dict.fromkeys(("characters", "tokens"), int),
    "relevance": float | int,
    "settings": str,
}
"""Part of a trace → what it is."""


@dataclass(frozen=True, slots=True)
class RunItem:
    """One candidate of a recall of the past.

    Attributes:
        rank: among the candidates, 1 is best.
        decision: of the gate, with its four scores.
        ranks: path → rank of the paths that found it.
        why: the score as a tree whose numbers add up to it.
        added: feature → what it added to the score behind the relevance.
        position: in the block, from 0; None: it is not in it.
        dropped: why it was left out though the gate let it in, "" otherwise.
        marks: what else was said of it: slot, duplicate_of, contested, group, exact, unused, one_off.
    """

    id: str
    rank: int
    score: float
    decision: Decision
    ranks: Mapping[str, int]
    why: Node
    added: Mapping[str, float]
    position: int | None
    dropped: str
    marks: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class RunExplanation:
    """A recall of the past.

    Attributes:
        at_ms: the moment that counted as now, UTC milliseconds since 1970.
        scopes: that it asked, those that held nothing too where that was kept.
        query_hash: keyed; the text was not kept.
        abstained: why nothing was injected, "" where something was.
        items: every candidate, best first.
        trace: the request and the figures of the whole, as the audit keeps them: among them `blocked`,
            `dropped`, `warnings`, `relevance`, `hits` of each path, `budget`, `characters`, `tokens`.
            Empty of a recall that an older version recorded.
        settings: the configuration it was made with; empty where it is not known.
    """

    id: int
    at_ms: int
    query_hash: str
    scopes: tuple[Scope, ...]
    mode: str
    abstained: str
    items: tuple[RunItem, ...]
    trace: Mapping[str, Any]
    settings: Mapping[str, Any]


@decoded()
def read_run(store: Store, kept: KeptRun) -> RunExplanation:
    """A recall as the audit kept it, put together again.

    Raises:
        StoreCorrupt: what the audit holds of it cannot be read.
    """
    trace = _object(kept.trace)
    for name, kind in _SHAPES.items():
        if name in trace and not isinstance(trace[name], kind):
            raise TypeError(f"{name} is another thing")
    settings = _object(store.settings(str(trace.get("settings", ""))))
    # The audit's own list has only those that held anything.
    asked = [stored_scope(kind, key) for kind, key in trace.get("scopes", ())]
    dropped = {str(each[0]): str(each[1]) for each in trace.get("dropped", ())}
    places = {memory_id: place for place, memory_id in enumerate(kept.injected)}
    weights = _weights(settings)
    items = tuple(_item(each, places, dropped, weights) for each in kept.decisions)
    return RunExplanation(
        id=kept.id,
        at_ms=kept.at_ms,
        query_hash=kept.query_hash,
        scopes=tuple(sorted({*kept.scopes, *asked})),
        mode=kept.mode,
        abstained=kept.abstained,
        items=items,
        trace=trace,
        settings=settings,
    )


def _object(text: str | None) -> dict[str, Any]:
    """The JSON object of a text; empty where there is none."""
    found = json.loads(text) if text else {}
    if not isinstance(found, dict):
        raise TypeError("not a JSON object")
    return found


def _weights(settings: Mapping[str, Any]) -> dict[str, float]:
    given = Config.from_dict(settings).rerank.weights() if settings else {}
    total = sum(given.values())
    return {name: weight / total for name, weight in given.items()}


def _item(
    row: DecisionRow,
    places: Mapping[str, int],
    dropped: Mapping[str, str],
    weights: Mapping[str, float],
) -> RunItem:
    detail = _object(row.detail)
    figures = ("signals", "shares", "fused", "added", "decay")
    return RunItem(
        id=row.memory_id,
        rank=row.rank,
        score=row.score,
        decision=Decision(
            row.action, row.reason, row.relevance, row.freshness, row.confidence, row.risk
        ),
        ranks=row.paths,
        why=_tree(row, detail, weights),
        added=dict(detail.get("added", {})),
        position=places.get(row.memory_id),
        dropped=dropped.get(row.memory_id, ""),
        marks={name: value for name, value in detail.items() if name not in figures},
    )


def _tree(row: DecisionRow, detail: Mapping[str, Any], weights: Mapping[str, float]) -> Node:
    decay = float(detail.get("decay", 1.0))
    terms = []
    for name, signal in dict(detail.get("signals", {})).items():
        weight = weights.get(name, 0.0) * decay
        paths: tuple[Node, ...] = ()
        if name == "fused":
            paths = tuple(
                Node(
                    path,
                    weight * share,
                    f"rank {row.paths[path]}" if path in row.paths else "not found",
                )
                for path, share in dict(detail.get("shares", {})).items()
            )
        terms.append(Node(name, weight * signal, f"{weight:.4g} × {signal:.4g}", paths))
    note = f"× {decay:.4g} for its age without use" if decay != 1.0 else ""
    return Node("rerank", row.score, note, tuple(terms))
