"""What does the plain store keep? Rows, entities, answers, runs and the ledger as Python values."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from memweir.store.audit import Run
from memweir.store.entry import IndexEntry
from memweir.store.records import Answer, Record
from memweir.store.scopes import Scope
from memweir.store.view import View

__all__ = ["Row", "State", "likeness"]

_SPARSE, _DENSE = 1, 2  # codecs of an embedding blob, see memweir.store.vectors


@dataclass(slots=True)
class Row:
    """One memory, what the index holds of it and its trail.

    Attributes:
        entry, blob: None where the memory is out of the index; blob also where its vector is zero.
        pending: the blob is not the whole vector, which is made later.
        mentions: entity → role.
        relations: (relation, source, predicate, target), as asserted.
        evidence: oldest first.
        dated: a `valid_at` was given; else the memory is valid since it was told.
    """

    record: Record
    seq: int
    entry: IndexEntry | None = None
    blob: bytes | None = None
    pending: bool = False
    mentions: dict[int, str] = field(default_factory=dict)
    relations: list[tuple[int, int, str, int]] = field(default_factory=list)
    evidence: list[Mapping[str, object]] = field(default_factory=list)
    dated: bool = False

    def copy(self) -> Row:
        return replace(
            self,
            mentions=dict(self.mentions),
            relations=list(self.relations),
            evidence=list(self.evidence),
        )

    def mention(self, entity: int, role: str) -> None:
        """Note a mention; "stated" outlives "subject", which outlives "text"."""
        known = self.mentions.get(entity)
        if known is None or not (known == "stated" or role == "text"):
            self.mentions[entity] = role

    def place_in_session(self) -> tuple[Scope, str, int] | None:
        """Scope, session and number of a turn whose source is `session@number`; None of another."""
        record = self.record
        if record.kind != "turn" or record.session_id is None or record.source is None:
            return None
        start = f"{record.session_id}@"
        number = record.source.removeprefix(start)
        if not record.source.startswith(start) or not (number.isascii() and number.isdigit()):
            return None
        return (record.scope, record.session_id, int(number)) if str(int(number)) == number else None

    def shown(self, view: View) -> bool:
        """Whether the view shows the memory: the rules of `View`, one after the other."""
        record = self.record
        if record.scope not in view.scopes or record.status != "active":
            return False
        if not view.include_history and not self._holds_at(view):
            return False
        if view.scene is not None and record.scene not in (None, view.scene):
            return False
        if view.domain is not None and record.domain not in (None, view.domain):
            return False
        carried = self.entry.tags if self.entry else ()
        return all(tag in carried for tag in view.tags)

    def _holds_at(self, view: View) -> bool:
        record = self.record
        if record.invalid_at_ms is not None and record.invalid_at_ms <= view.as_of_ms:
            return False
        if self.dated:
            return record.valid_at_ms <= view.as_of_ms
        return not view.point_in_time or record.created_at_ms <= view.as_of_ms


@dataclass(slots=True)
class State:
    """Everything in the store; copied before a write, so that a failed one leaves no trace."""

    rows: dict[str, Row] = field(default_factory=dict)
    entities: dict[str, int] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    scopes: dict[Scope, int] = field(default_factory=dict)
    answers: dict[str, Answer] = field(default_factory=dict)
    phrasings: dict[tuple[Scope, str], tuple[str, str]] = field(default_factory=dict)
    runs: list[tuple[int, Run]] = field(default_factory=list)
    last_run: int = 0
    last_relation: int = 0
    ledger: list[tuple[str | None, Mapping[str, object]]] = field(default_factory=list)
    consumption: list[tuple[str, Mapping[str, object]]] = field(default_factory=list)

    def copy(self) -> State:
        return replace(
            self,
            rows={key: row.copy() for key, row in self.rows.items()},
            entities=dict(self.entities),
            names=dict(self.names),
            scopes=dict(self.scopes),
            answers=dict(self.answers),
            phrasings=dict(self.phrasings),
            runs=list(self.runs),
            ledger=list(self.ledger),
            consumption=list(self.consumption),
        )

    def entity(self, norm: str, name: str) -> int:
        """The id of an entity, made where it is new; the first name written unfolded stays."""
        entity = self.entities.setdefault(norm, len(self.entities) + 1)
        if self.names.get(entity, norm) == norm:
            self.names[entity] = name
        return entity


def likeness(query: Sequence[float], blob: bytes) -> tuple[float, float, float]:
    """A query against an embedding blob in float64: cosine, containment and meaning of a `VectorHit`.

    Args:
        query: (d,) of any length above 0.
    """
    length = _length(query)
    unit = [value / length for value in query]
    if blob[0] == _DENSE:
        (inverse,) = struct.unpack_from("<4xf", blob)
        cosine = _product(unit, struct.unpack_from(f"<{len(blob) - 8}b", blob, 8)) * inverse
        return _rounded(cosine, max(cosine, 0.0), cosine)
    if blob[0] == _SPARSE:
        (inverse,) = struct.unpack_from("<4xf", blob)
        product, containment = _sparse(unit, blob[8:])
        return _rounded(product * inverse, containment, 0.0)
    tail, scale, tail_scale, inverse = struct.unpack_from("<2xHfff", blob)
    product, containment = _sparse(unit[:-tail], blob[16:-tail])
    tail_product = _product(unit[-tail:], struct.unpack(f"<{tail}b", blob[-tail:]))
    tail_length = _length(unit[-tail:])
    meaning = tail_product * inverse / tail_length if tail_length else 0.0
    return _rounded(product * scale + tail_product * tail_scale, containment, meaning)


def _sparse(query: Sequence[float], body: bytes) -> tuple[float, float]:
    """The products of what both hold, and the share of the query's squares where the signs agree."""
    count = len(body) // 3
    dimensions = struct.unpack_from(f"<{count}H", body)
    values = struct.unpack_from(f"<{count}b", body, 2 * count)
    pairs = [(query[place], value) for place, value in zip(dimensions, values, strict=True)]
    held = math.fsum(weight * weight for weight, value in pairs if weight * value > 0)
    whole = math.fsum(weight * weight for weight in query)
    return math.fsum(weight * value for weight, value in pairs), held / whole if whole else 0.0


def _product(query: Sequence[float], values: Sequence[int]) -> float:
    return math.fsum(weight * value for weight, value in zip(query, values, strict=True))


def _length(values: Sequence[float]) -> float:
    return math.sqrt(math.fsum(value * value for value in values))


def _rounded(cosine: float, containment: float, meaning: float) -> tuple[float, float, float]:
    """To the six decimals of a `VectorHit`."""
    low, high = (-1.0, 0.0, -1.0), 1.0
    figures = (cosine, containment, meaning)
    cut = [min(max(each, least), high) for each, least in zip(figures, low, strict=True)]
    return round(cut[0], 6), round(cut[1], 6), round(cut[2], 6)
