"""What of a recall is kept, so that it can be explained, and asked again, afterwards?

The query is kept as a keyed hash and as terms in alphabetical order, never as it was asked.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from memweir import __version__
from memweir.asking import Request
from memweir.config import Config
from memweir.fusion.types import DecayConfig
from memweir.results import Recall, RecallItem
from memweir.retrieval.analysis import Analyzer
from memweir.store.audit import DecisionRow, Run
from memweir.store.gates import scan_secrets
from memweir.store.records import to_ms
from memweir.store.seam import Store

__all__ = [
    "TRACE_VERSION",
    "aging_layers",
    "block_digest",
    "kept_label",
    "learnable",
    "recorded",
    "run_of",
    "settings_of",
]

TRACE_VERSION: Final = 1
_TERMS: Final = 40  # of one query
_DIGITS: Final = 7


def run_of(store: Store, request: Request, result: Recall, config: Config, analyzer: Analyzer) -> Run:
    """The audit's row of a recall."""
    shown = result.rendered.answer_id if result.rendered else ""
    fingerprint, settings = settings_of(config)
    return Run(
        at_ms=to_ms(request.now),
        query_hash=store.hash_query(request.text),
        scopes=request.view.scopes,
        mode=request.mode,
        decisions=tuple(_decision(item, place + 1) for place, item in enumerate(result.candidates)),
        injected=tuple(item.id for item in result.items),
        abstained=result.abstained,
        answer_id=shown or None,
        terms=learnable(request.text, analyzer) if result.items else (),
        trace=_json(_trace(store, request, result, fingerprint, aging_layers(config.decay))),
        settings=(fingerprint, settings),
    )


def recorded(config: Config) -> dict[str, object]:
    """The settings that have a part in a recall: where the mirror is, has none, and is a path."""
    return config.unmirrored().to_dict()


def settings_of(config: Config) -> tuple[str, str]:
    """(fingerprint, JSON) of a configuration."""
    text = json.dumps(recorded(config), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16], text


def block_digest(block: str) -> str:
    """Stands for the bytes of a block."""
    return hashlib.sha256(block.encode("utf-8", "surrogatepass")).hexdigest()


def learnable(query: str, analyzer: Analyzer) -> tuple[str, ...]:
    """The terms of a query that a memory may learn: words, and nothing that could be private."""
    if scan_secrets(query) is not None:
        return ()  # torn into terms, a credential would pass the gate word by word
    analysis = analyzer.analyse(query)
    # Numbers and symbols of one question would bring a memory up for another one's.
    words = (term for term in analysis.content if not any(map(str.isdigit, term)))
    return tuple(term for term in dict.fromkeys(words) if term not in analysis.symbols)[:_TERMS]


def kept_label(store: Store, label: str) -> str:
    """A label that a recall asked by, as it is kept: what no memory may hold as a keyed hash."""
    return label if scan_secrets(label) is None else store.hash_query(label)


def aging_layers(config: DecayConfig) -> frozenset[str]:
    """The layers whose memories weigh less when they are not used, or happened once."""
    return frozenset({*config.unused_days, "negative"})


def _trace(
    store: Store, request: Request, result: Recall, fingerprint: str, aging: Collection[str]
) -> dict[str, Any]:
    view = request.view
    scene, domain = view.scene, view.domain
    rendered = result.rendered
    changes, ledger = store.position()
    return {
        "version": TRACE_VERSION,
        "memweir": __version__,
        "settings": fingerprint,
        "analyzer": store.analyzer,
        "embedder": store.embedder,
        "changes": changes,
        "ledger": ledger,
        "now": _moment(request.now),
        "scopes": [[each.kind, kept_label(store, each.key)] for each in view.scopes],
        "as_of": view.as_of_ms if view.point_in_time else None,
        "known": view.known_ms,
        "history": view.include_history,
        "scene": None if scene is None else kept_label(store, scene),
        "domain": None if domain is None else kept_label(store, domain),
        "tags": [kept_label(store, each) for each in view.tags],
        "route": request.route,
        "limit": request.limit,
        "budget": asdict(request.budget),
        "used": _used(store, request, result, aging),
        "context": [store.hash_query(each) for each in request.context],
        "relevance": round(result.relevance, _DIGITS),
        "hits": {name: len(ranking.hits) for name, ranking in (result.rankings or {}).items()},
        "blocked": asdict(result.blocked),
        "dropped": [[each.id, each.reason] for each in result.dropped],
        "warnings": list(result.warnings),
        "answer": [result.answer.id, result.answer.hits] if result.answer is not None else None,
        "shown_answer": rendered.answer_id if rendered else "",
        "characters": rendered.characters if rendered else 0,
        "tokens": rendered.tokens if rendered else 0,
        "block": block_digest(result.block),
    }


def _used(store: Store, request: Request, result: Recall, aging: Collection[str]) -> dict[str, int]:
    """When the candidates of the layers that age were last used: the audit forgets it."""
    ids = [each.id for each in result.candidates if each.layer in aging]
    known = store.last_used(ids, to_ms(request.now)) | dict(request.used or {}) if ids else {}
    return {each: known.get(each, 0) for each in ids}


def _decision(item: RecallItem, rank: int) -> DecisionRow:
    scored = item.scored
    detail: dict[str, Any] = {
        "signals": _rounded(scored.signals),
        "shares": _rounded(scored.fused.shares),
        "fused": round(scored.fused.score, _DIGITS),
        "added": _rounded(item.contributions),
    }
    candidate = scored.candidate
    marks = {
        "slot": item.slot,
        "duplicate_of": item.duplicate_of,
        "contested": candidate.contested,
        "group": candidate.group,
        "ahead_of": scored.ahead_of,
    }
    detail |= {name: value for name, value in marks.items() if value}
    flags = {"exact": candidate.exact, "unused": candidate.unused, "one_off": candidate.one_off}
    detail |= {name: True for name, value in flags.items() if value}
    if scored.decay != 1.0:
        detail["decay"] = scored.decay
    return DecisionRow(
        memory_id=item.id,
        rank=rank,
        action=item.action,
        reason=item.reason,
        score=item.score,
        relevance=item.decision.relevance,
        freshness=item.decision.freshness,
        confidence=item.decision.confidence,
        risk=item.decision.risk,
        paths=item.ranks,
        detail=_json(detail),
    )


def _moment(moment: datetime) -> list[str]:
    """ISO form, and the zone's name where it has one: "yesterday" is another day at another offset."""
    zone = moment.tzinfo.key if isinstance(moment.tzinfo, ZoneInfo) else ""
    return [moment.isoformat(), zone]


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {name: round(float(value), _DIGITS) for name, value in values.items()}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
