"""How does the plain store answer the candidate queries? By looking at every row."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from memweir.errors import EmbedderError
from memweir.store import vectors
from memweir.store.entry import FIELDS, Indexer
from memweir.store.reads import (
    Edge,
    Mention,
    Neighbours,
    TermMatch,
    TermStatistics,
    TimedHit,
    VectorHit,
    VectorStatistics,
)
from memweir.store.records import Record
from memweir.store.scopes import Scope
from memweir.store.view import Blocked, View
from memweir.testing.bm25 import Phrase, bm25
from memweir.testing.plain_index import likeness
from memweir.testing.plain_rows import Row, State, fits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PlainReader", "ranked"]

_ASCII_LOWER: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_MOST_SCENES: Final = 200
_MOST_COUNTED: Final = 100


def ranked(state: State, view: View, match: TermMatch) -> list[tuple[str, float]]:
    """(id, bm25) of the visible memories that hold any of the terms, best first."""
    rows = {row.record.id: _columns(state, row) for row in state.rows.values() if row.indexed}
    phrases = [
        Phrase(term, (field,) if field else FIELDS)
        for field, terms in match.terms.items()
        for term in terms
    ]
    scores = bm25(rows, phrases, match.weights)
    shown = [each for each in scores.items() if state.row(each[0]).shown(view)]
    return sorted(shown, key=lambda hit: (-hit[1], hit[0]))


def _columns(state: State, row: Row) -> Mapping[str, tuple[str, ...]]:
    # The scope token makes every row one token longer; its weight is nought.
    return {**row.entry.fields, "scope": (f"s{state.scopes[row.record.scope]}",)}


class PlainReader(ABC):
    """Implements `memweir.store.seam.Reader`."""

    _indexer: Indexer

    @property
    @abstractmethod
    def _state(self) -> State:
        """What is kept. Raises: StoreClosed."""

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        self._state  # noqa: B018  a closed store says so
        yield

    # By words and vectors

    def keyword(self, view: View, match: TermMatch, limit: int) -> list[tuple[str, float]]:
        return ranked(self._state, view, match)[:limit]

    def matching(self, view: View, match: TermMatch, limit: int) -> list[str]:
        found = [memory_id for memory_id, _ in ranked(self._state, view, match)]
        return _newest(self._matched(view, found), limit)

    def substring(self, view: View, raw: str, folded: str, limit: int) -> list[str]:
        found = [
            row
            for row in self._shown(view)
            if raw in row.record.text or folded in row.record.text.translate(_ASCII_LOWER)
        ]
        return _newest(found, limit)

    def nearest(self, view: View, query: NDArray[np.float32], limit: int) -> list[VectorHit]:
        ids = [row.record.id for row in self._shown(view)]
        hits = self.similarity(query, ids).values()
        return sorted(hits, key=lambda hit: (-hit.cosine, hit.id))[:limit]

    def similarity(self, query: NDArray[np.float32], ids: Sequence[str]) -> dict[str, VectorHit]:
        state = self._state
        if query.shape != (self._indexer.dim,):
            raise EmbedderError(f"a query of {self._indexer.dim} dimensions is needed")
        values = [float(value) for value in query]
        if not any(values):
            return {}
        return {
            row.record.id: VectorHit(row.record.id, *likeness(values, row.blob))
            for row in map(state.named, ids)
            if row is not None and row.blob is not None
        }

    # By time

    def event_window(self, view: View, start_ms: int, end_ms: int, limit: int) -> list[TimedHit]:
        found = [
            hit
            for hit in map(_timed, self._shown(view))
            if hit.event_start_ms is not None
            and hit.event_end_ms is not None
            and hit.event_start_ms < end_ms
            and hit.event_end_ms > start_ms
        ]
        return sorted(found, key=lambda hit: (-(hit.event_start_ms or 0), hit.id))[:limit]

    def created_window(self, view: View, start_ms: int, end_ms: int, limit: int) -> list[TimedHit]:
        found = [
            hit for hit in map(_timed, self._shown(view)) if start_ms <= hit.created_at_ms < end_ms
        ]
        return sorted(found, key=lambda hit: (-hit.created_at_ms, hit.id))[:limit]

    def latest(self, view: View, limit: int) -> list[TimedHit]:
        told = [hit for hit in map(_timed, self._shown(view)) if hit.created_at_ms <= view.as_of_ms]
        return sorted(told, key=lambda hit: (-hit.created_at_ms, hit.id))[:limit]

    # By what it is

    def pinned(self, view: View, limit: int) -> list[str]:
        found = [row.record for row in self._shown(view) if row.record.pinned]
        found.sort(key=lambda each: (-each.importance, -each.confirmed_at_ms, each.id))
        return [record.id for record in found[:limit]]

    def beliefs(self, view: View, limit: int) -> list[str]:
        found = [row.record for row in self._shown(view) if row.record.layer == "belief"]
        found.sort(
            key=lambda each: (-each.confidence, -each.importance, -each.confirmed_at_ms, each.id)
        )
        return [record.id for record in found[:limit]]

    def incidents(self, view: View, match: TermMatch, limit: int) -> list[str] | None:
        shown = [row for row in self._shown(view) if row.record.incident]
        if not shown:
            return None
        found = {memory_id for memory_id, _ in ranked(self._state, view, match)}
        return _newest([row for row in shown if row.record.id in found], limit)

    def records(self, view: View, ids: Sequence[str]) -> dict[str, Record]:
        return {row.record.id: row.as_known(view.known_ms) for row in self._matched(view, ids)}

    def count(self, view: View) -> int:
        return len(self._shown(view))

    def group_mates(self, view: View, groups: Sequence[str]) -> list[str]:
        found = [row.record for row in self._shown(view)]
        return sorted(record.id for record in found if record.coexistence in groups)

    def contested(self, view: View, ids: Sequence[str]) -> dict[str, str]:
        state, known = self._state, view.known_ms
        questions = sorted(state.questions.values(), key=lambda each: (each.opened_at_ms, each.id))
        asked = [each for each in questions if not each.holds_back and each.open_at(known)]
        found = {}
        for row in map(state.named, ids):
            for question in asked:
                newer = state.wording_at(question.memory_id, known)
                if row is None or newer is None or newer.record.status == "tombstoned":
                    continue
                if (row.record.version_of or row.record.id) in question.sides:
                    found[row.record.id] = newer.record.id
        return found

    def replacing(self, view: View, ids: Sequence[str]) -> dict[str, str]:
        state, known = self._state, view.known_ms
        decided = [each for each in state.questions.values() if each.decision == "replace"]
        decided.sort(key=lambda each: (each.closed_at_ms or 0, each.id))
        found = {}
        for row in map(state.named, ids):
            for question in decided:
                at_ms = question.closed_at_ms or 0
                if row is None or (known is not None and at_ms > known):
                    continue
                if (row.record.version_of or row.record.id) in question.sides:
                    found[row.record.id] = question.memory_id
        return found

    # By the entities it mentions

    def entities_named(self, norms: Sequence[str]) -> dict[str, int]:
        known = self._state.entities
        return {norm: known[norm] for norm in norms if norm in known}

    def entities_of(self, view: View, ids: Sequence[str]) -> list[Mention]:
        found = [
            Mention(row.record.id, entity, role)
            for row in self._matched(view, ids)
            for entity, role in row.mentions.items()
        ]
        return sorted(found, key=lambda each: (each.id, each.entity))

    def mentions_of(self, view: View, entity: int, limit: int) -> list[Mention]:
        # Of more than the limit those stored first, as the seam says; only then the order.
        rows = [row for row in self._shown(view) if entity in row.mentions][:limit]
        rows.sort(
            key=lambda row: (
                row.mentions[entity] == "text",
                -row.record.created_at_ms,
                row.record.id,
            )
        )
        return [Mention(row.record.id, entity, row.mentions[entity]) for row in rows]

    def relations_at(self, view: View, entity: int, limit: int) -> list[Edge]:
        asserted = [(row, edge) for row in self._shown(view) for edge in row.relations]
        asserted.sort(key=lambda pair: (-pair[0].record.created_at_ms, pair[1][0]))
        leaving = [pair for pair in asserted if pair[1][1] == entity][:limit]
        arriving = [pair for pair in asserted if pair[1][3] == entity][:limit]
        edges = [Edge(row.record.id, edge[2], edge[1], edge[3]) for row, edge in leaving + arriving]
        return list(dict.fromkeys(edges))

    def entity_name(self, entity: int) -> str:
        return self._state.names[entity]

    def neighbours(self, view: View, ids: Sequence[str]) -> dict[str, Neighbours]:
        turns: dict[tuple[Scope, str, int], list[str]] = {}
        for row in sorted(self._shown(view), key=lambda row: (row.record.created_at_ms, row.record.id)):
            place = row.place_in_session()
            if place is not None:
                turns.setdefault(place, []).append(row.record.id)
        found = {}
        for row in self._matched(view, ids):
            place = row.place_in_session()
            if place is not None:
                sides = [turns.get((*place[:2], place[2] + step), []) for step in (-1, 1)]
                line = [*sides[0][-1:], *turns[place], *sides[1][:1]]
                at = line.index(row.record.id)
                before, after = line[:at][-1:], line[at + 1 :][:1]
                found[row.record.id] = Neighbours(
                    *[side[0] if side else None for side in (before, after)]
                )
        return found

    # Figures

    def term_statistics(self, view: View, terms: Iterable[str]) -> TermStatistics:
        rows = [row for row in self._state.rows.values() if row.counted]
        held = [row.record.terms for row in rows if row.record.scope in view.scopes]
        counts = Counter(term for each in held for term in each)
        return TermStatistics(
            len(held), {term: counts[term] for term in sorted(set(terms)) if counts[term]}
        )

    def vector_statistics(self) -> VectorStatistics:
        import numpy as np

        rows = [row for row in self._state.rows.values() if row.counted]
        blobs = [row.blob for row in rows if row.blob is not None]
        df = np.zeros(self._indexer.dim - self._indexer.tail, np.int64)
        for blob in blobs:
            df[vectors.decode_support(blob)] += 1
        return VectorStatistics(len(blobs), df)

    def scenes(self, view: View) -> list[str]:
        return sorted({each.scene for each in self._active(view) if each.scene})[:_MOST_SCENES]

    def blocked(self, view: View) -> Blocked:
        active = self._active(view)

        def others(name: str, asked: str | None) -> int:
            values = [getattr(each, name) for each in active if asked is not None]
            return _counted(not fits(value, asked or "") for value in values)

        wanted = view.incidents
        failures = [each for each in active if each.incident and not each.pinned]
        ends = [each.invalid_at_ms for each in active if each.invalid_at_ms is not None]
        questions = [each for each in self._state.questions.values() if each.closed_at_ms is None]
        counted = [row.record.scope for row in self._state.rows.values() if row.counted]
        return Blocked(
            workspace=sum(each.kind == "workspace" and each not in view.scopes for each in counted),
            scene=others("scene", view.scene),
            domain=others("domain", view.domain),
            task=_counted(wanted is not None and each.id not in wanted for each in failures),
            ended=_counted(not view.include_history and each <= view.as_of_ms for each in ends),
            review=_counted(each.holds_back and each.scope in view.scopes for each in questions),
        )

    # Helpers

    def _shown(self, view: View) -> list[Row]:
        return [row for row in self._state.rows.values() if row.shown(view)]

    def _matched(self, view: View, ids: Iterable[str]) -> list[Row]:
        wanted = set(ids)
        return [row for row in self._shown(view) if row.record.id in wanted]

    def _active(self, view: View) -> list[Record]:
        records = [row.record for row in self._state.rows.values()]
        return [each for each in records if each.scope in view.scopes and each.status == "active"]


def _counted(kept_out: Iterable[bool]) -> int:
    """How many are; a great many are as good as more."""
    return min(sum(kept_out), _MOST_COUNTED)


def _newest(rows: Sequence[Row], limit: int) -> list[str]:
    order = sorted(rows, key=lambda row: (-row.record.created_at_ms, row.record.id))
    return [row.record.id for row in order[:limit]]


def _timed(row: Row) -> TimedHit:
    record = row.record
    return TimedHit(record.id, record.event_start_ms, record.event_end_ms, record.created_at_ms)
