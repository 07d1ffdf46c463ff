"""What may be seen, and how does each path find it? The candidate queries of the store seam.

Every query carries the view: scope, status, validity, scene, domain and tags are conditions of the
statement, not a filter behind it, so that hidden rows can neither be returned nor use up a place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import apsw

from memweir.errors import StoreCorrupt
from memweir.store.entry import FIELDS
from memweir.store.policy import CREDENCE_STEPS
from memweir.store.records import Record
from memweir.store.rows import record_of, scope_ids
from memweir.store.scopes import Scope
from memweir.store.statements import statements
from memweir.store.view import Blocked, View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Edge",
    "Mention",
    "Neighbours",
    "TermMatch",
    "TermStatistics",
    "TimedHit",
    "VectorHit",
    "VectorStatistics",
    "beliefs",
    "blocked",
    "count",
    "created_window",
    "credence_since",
    "entities_named",
    "entities_of",
    "entity_name",
    "event_window",
    "group_mates",
    "incidents",
    "keyword",
    "latest",
    "matching",
    "mentions_of",
    "nearest",
    "neighbours",
    "pinned",
    "records",
    "relations_at",
    "scenes",
    "similarity",
    "substring",
    "term_statistics",
    "view_values",
    "workspace_documents",
]

_OVERSAMPLING = 4  # exact rescoring of so many times the rows asked for (PROBES: equal to exact from 4)
_RESCORE_AT_LEAST = 96
_MOST_COUNTED: Final = 100
_NEAR_TOGETHER: Final = 4  # ids of which every fourth is asked for are read as one stretch
_PLACE: Final = re.compile(r"0|[1-9][0-9]*")
_BAD_VECTOR = "the store's file is damaged: a vector cannot be read; `reindex` mends it"


@dataclass(frozen=True, slots=True)
class TermMatch:
    """What the keyword index is asked: memories that hold any of `terms`.

    Attributes:
        terms: field of `FIELDS`, or "" for every field → terms of which one is enough.
        weights: field → weight in bm25.
    """

    terms: Mapping[str, tuple[str, ...]]
    weights: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class TimedHit:
    """A memory and its times, UTC milliseconds; the event window None where it has none."""

    id: str
    event_start_ms: int | None
    event_end_ms: int | None
    created_at_ms: int


@dataclass(frozen=True, slots=True)
class VectorHit:
    """A memory's vector against the query's.

    Attributes:
        cosine: in [-1, 1].
        containment: share of the query vector's squared weight on dimensions that the memory sets with
            the same sign, in [0, 1]: unlike the cosine it does not fall with the memory's length. Of a
            vector with a dense tail the same of its head alone; of a dense vector, whose dimensions
            mean nothing alone, the cosine where it is above 0.
        meaning: cosine of the two dense tails, in [-1, 1]; 0 where one of them knows nothing of its
            text. Of a dense vector the cosine, of a sparse one without a tail 0.
    """

    id: str
    cosine: float
    containment: float
    meaning: float


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity in a memory, and its role there: subject, stated or text."""

    id: str
    entity: int
    role: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation that a visible memory asserts."""

    id: str
    predicate: str
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The turns next to one in its session: ids; None where there is none to be seen."""

    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class TermStatistics:
    """How rare terms are among the memories of some scopes, and of no others.

    Attributes:
        documents: indexed memories.
        df: term → in how many of them it stands, above 0; a term of none is missing.
    """

    documents: int
    df: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class VectorStatistics:
    """In how many of `documents` each dimension of the head is set: (dim - tail,) int64."""

    documents: int
    df: NDArray[np.int64]


@cache
def _sql(name: str, visible: str = "visible_now") -> str:
    named = statements("reads")
    return named[name].replace("{visible}", f"{named[visible]}\n{named['visible_rest']}")


def _visible(view: View) -> str:
    """Which of the fragments says what a view shows."""
    if view.known_ms is not None:
        return "visible_known"
    return "visible_past" if view.looks_back else "visible_now"


def view_values(connection: apsw.Connection, view: View) -> dict[str, Any]:
    """The values that every candidate query binds."""
    return {
        "scopes": json.dumps(scope_ids(connection, view.scopes)),
        "history": int(view.include_history),
        "as_of": view.as_of_ms,
        "point_in_time": int(view.point_in_time),
        "scene": view.scene,
        "domain": view.domain,
        "tags": json.dumps(list(view.tags)) if view.tags else None,
        "known": view.known_ms,
        "incidents": None if view.incidents is None else json.dumps(list(view.incidents)),
    }


def _run(
    connection: apsw.Connection, name: str, view: View, **values: Any
) -> list[tuple[apsw.SQLiteValue, ...]]:
    bindings = view_values(connection, view) | values
    return connection.execute(_sql(name, _visible(view)), bindings).fetchall()


def _quoted(terms: Iterable[str]) -> str:
    """Terms as FTS5 strings joined by OR: no character of a term is an operator."""
    return " OR ".join('"' + term.replace('"', '""').replace("\x00", " ") + '"' for term in terms)


def _match_expression(connection: apsw.Connection, view: View, match: TermMatch) -> str | None:
    scopes = scope_ids(connection, view.scopes)
    parts = []
    for field, terms in match.terms.items():
        if terms:
            prefix = f"{field} : " if field else "- scope : "
            parts.append(f"{prefix}({_quoted(terms)})")
    if not scopes or not parts:
        return None
    tokens = _quoted(f"s{scope}" for scope in scopes)
    return f"scope : ({tokens}) AND ({' OR '.join(parts)})"


def keyword(
    connection: apsw.Connection, view: View, match: TermMatch, limit: int
) -> list[tuple[str, float]]:
    """(id, bm25 as a positive number), best first."""
    expression = _match_expression(connection, view, match)
    if expression is None:
        return []
    weights = {field: match.weights.get(field, 1.0) for field in FIELDS}
    weights["tags_weight"] = weights.pop("tags")
    rows = _run(connection, "keyword", view, match=expression, limit=limit, **weights)
    return [(str(row[0]), _number(row[1])) for row in rows]


def matching(connection: apsw.Connection, view: View, match: TermMatch, limit: int) -> list[str]:
    """Ids that match, newest first, without scores."""
    expression = _match_expression(connection, view, match)
    if expression is None:
        return []
    rows = _run(connection, "matching", view, match=expression, limit=limit)
    return [str(row[0]) for row in rows]


def substring(connection: apsw.Connection, view: View, raw: str, folded: str, limit: int) -> list[str]:
    """Ids of visible memories whose text holds `raw`, or lower-cased `folded`, newest first."""
    rows = _run(connection, "substring", view, raw=raw, folded=folded, limit=limit)
    return [str(row[0]) for row in rows]


def nearest(
    connection: apsw.Connection,
    view: View,
    query: NDArray[np.float32],
    limit: int,
    *,
    tail: int,
    in_sql: bool,
) -> list[VectorHit]:
    """Best first: sign codes choose, exact cosines order.

    Args:
        query: (dim,) float32; a zero vector has no neighbours.
        tail: dense dimensions at the end of a sparse vector.
        in_sql: distances by sqlite-vec; False: the same by numpy.
    """
    import numpy as np

    from memweir.store import vectors

    code = vectors.code_of(query, tail=tail)
    if code is None:
        return []
    wanted = max(limit * _OVERSAMPLING, _RESCORE_AT_LEAST)
    if in_sql:
        try:
            rows = _run(connection, "codes_nearest", view, code=code, limit=wanted)
        except apsw.SQLError as error:
            raise StoreCorrupt(_BAD_VECTOR) from error  # a code of another length
        seqs = [row[0] for row in rows]
    else:
        rows = _run(connection, "codes_all", view)
        distance = vectors.hamming(code, [bytes(row[1]) for row in rows if isinstance(row[1], bytes)])
        order = np.argsort(distance, kind="stable")[:wanted]  # rows come in order of seq: stable ties
        seqs = [rows[int(place)][0] for place in order]
    found = connection.execute(_sql("embeddings"), {"seqs": json.dumps(seqs)}).fetchall()
    return _by_cosine(query, found, limit, tail=tail)[:limit]


def similarity(
    connection: apsw.Connection, query: NDArray[np.float32], ids: Sequence[str], *, tail: int
) -> dict[str, VectorHit]:
    """Each of `ids` that has a vector against the query; ids must come from a visible result."""
    found = connection.execute(_sql("embeddings_of"), {"ids": json.dumps(list(ids))}).fetchall()
    return {hit.id: hit for hit in _by_cosine(query, found, len(found), tail=tail)}


def _by_cosine(
    query: NDArray[np.float32],
    rows: Sequence[tuple[apsw.SQLiteValue, ...]],
    limit: int,
    *,
    tail: int,
) -> list[VectorHit]:
    """Best first; at least the best `limit`, and all that tie with the last of them."""
    import numpy as np

    from memweir.store import vectors

    exact = query.astype(np.float64)
    length = float(np.sqrt((exact * exact).sum()))
    if not rows or length == 0.0:
        return []
    blobs = [bytes(row[1]) for row in rows if isinstance(row[1], bytes)]
    scores = vectors.compare(exact / length, blobs, tail=tail)
    if not np.isfinite(scores).all():
        raise StoreCorrupt(_BAD_VECTOR)
    # Six decimals: what differs between machines stands behind them, so ties are true ties.
    scores = np.round(scores, 6)
    kept = np.arange(len(rows))
    if limit < len(rows):
        least = np.partition(scores[:, 0], -limit)[-limit]
        kept = np.flatnonzero(scores[:, 0] >= least)
    hits = [
        VectorHit(str(rows[place][0]), *figures)
        for place, figures in zip(kept.tolist(), scores[kept].tolist(), strict=True)
    ]
    return sorted(hits, key=lambda hit: (-hit.cosine, hit.id))


def event_window(
    connection: apsw.Connection, view: View, start_ms: int, end_ms: int, limit: int
) -> list[TimedHit]:
    """Memories whose event window overlaps [start, end), latest event first."""
    return _timed(_run(connection, "event_window", view, start=start_ms, end=end_ms, limit=limit))


def created_window(
    connection: apsw.Connection, view: View, start_ms: int, end_ms: int, limit: int
) -> list[TimedHit]:
    """Memories told in [start, end), latest first."""
    return _timed(_run(connection, "created_window", view, start=start_ms, end=end_ms, limit=limit))


def latest(connection: apsw.Connection, view: View, limit: int) -> list[TimedHit]:
    """The memories told last, up to the view's instant."""
    return _timed(_run(connection, "latest", view, limit=limit))


def _timed(rows: Sequence[tuple[apsw.SQLiteValue, ...]]) -> list[TimedHit]:
    return [TimedHit(str(row[0]), _whole(row[1]), _whole(row[2]), _whole(row[3]) or 0) for row in rows]


def group_mates(connection: apsw.Connection, view: View, groups: Sequence[str]) -> list[str]:
    """Ids of the visible members of coexistence groups."""
    rows = _run(connection, "group_mates", view, groups=json.dumps(list(groups)))
    return [str(row[0]) for row in rows]


def incidents(
    connection: apsw.Connection, view: View, match: TermMatch, limit: int
) -> list[str] | None:
    """Records of failures that hold one of the terms, newest first; None where there are none."""
    if not _run(connection, "incidents_any", view)[0][0]:
        return None
    expression = _match_expression(connection, view, match)
    if expression is None:
        return []
    return [str(row[0]) for row in _run(connection, "incidents", view, match=expression, limit=limit)]


def scenes(connection: apsw.Connection, view: View) -> list[str]:
    """The scenes that memories of the scopes carry."""
    scopes = json.dumps(scope_ids(connection, view.scopes))
    return [str(row[0]) for row in connection.execute(_sql("scenes"), {"scopes": scopes})]


def blocked(connection: apsw.Connection, view: View) -> Blocked:
    """What visibility keeps out; of workspaces nothing, see `workspace_documents`."""
    values = view_values(connection, view)

    def counted(name: str, *wanted: str) -> int:
        bound = {each: values[each] for each in ("scopes", *wanted)} | {"most": _MOST_COUNTED}
        return _whole(connection.execute(_sql(name), bound).get) or 0

    return Blocked(
        scene=0 if view.scene is None else counted("blocked_scene", "scene"),
        domain=0 if view.domain is None else counted("blocked_domain", "domain"),
        task=0 if view.incidents is None else counted("blocked_task", "incidents"),
        ended=0 if view.include_history else counted("blocked_ended", "as_of"),
        review=counted("blocked_review"),
    )


def workspace_documents(connection: apsw.Connection, scopes: Sequence[Scope] | None) -> int:
    """Indexed memories of the workspaces among the scopes; None: of every workspace."""
    ids = [] if scopes is None else scope_ids(connection, scopes)
    values: dict[str, Any] = {"scopes": json.dumps(ids), "all": int(scopes is None)}
    return _whole(connection.execute(_sql("workspace_documents"), values).get) or 0


def pinned(connection: apsw.Connection, view: View, limit: int) -> list[str]:
    """Ids of pinned memories, most important first."""
    return [str(row[0]) for row in _run(connection, "pinned", view, limit=limit)]


def beliefs(connection: apsw.Connection, view: View, limit: int) -> list[str]:
    """Ids of beliefs, most confident first."""
    return [str(row[0]) for row in _run(connection, "beliefs", view, limit=limit)]


def records(connection: apsw.Connection, view: View, ids: Sequence[str]) -> dict[str, Record]:
    """The visible ones of `ids`."""
    cursor = connection.execute(
        _sql("records", _visible(view)), view_values(connection, view) | {"ids": json.dumps(list(ids))}
    )
    names: list[str] = []
    found: dict[str, Record] = {}
    for row in cursor:
        names = names or _columns(cursor)
        record = record_of(dict(zip(names, row, strict=True)))
        found[record.id] = record
    if view.known_ms is None or not found:
        return found
    later = credence_since(connection, list(found), view.known_ms)
    return {each: _as_known(record, view.known_ms, later.get(each)) for each, record in found.items()}


def _as_known(record: Record, known_ms: int, later: tuple[float, float, int] | None) -> Record:
    """A record as it was known at a moment, by no later change of status, end or credence touched."""
    alpha, beta, harmful = later or (0.0, 0.0, 0)
    ended_later = record.invalidated_at_ms is not None and record.invalidated_at_ms > known_ms
    return replace(
        record,
        status="active",
        invalid_at_ms=None if ended_later else record.invalid_at_ms,
        superseded_by=None if ended_later else record.superseded_by,
        confirmed_at_ms=max(min(record.confirmed_at_ms, known_ms), record.created_at_ms),
        alpha=max(record.alpha - alpha, 1e-9),
        beta=max(record.beta - beta, 1e-9),
        harmful_count=max(record.harmful_count - harmful, 0),
    )


def credence_since(
    connection: apsw.Connection, ids: Sequence[str], known_ms: int
) -> dict[str, tuple[float, float, int]]:
    """Memory → what was added to (alpha, beta, harmful_count) after a moment, where anything was."""
    values: dict[str, Any] = {"ids": json.dumps(list(ids)), "known": known_ms}
    found: dict[str, tuple[float, float, int]] = {}
    for memory_id, kind, step in connection.execute(_sql("credence_since"), values):
        alpha, beta, harmful = found.get(str(memory_id), (0.0, 0.0, 0))
        added = CREDENCE_STEPS.get(str(kind), (0.0, _number(step), 0))
        found[str(memory_id)] = (alpha + added[0], beta + added[1], harmful + added[2])
    return found


def _columns(cursor: apsw.Cursor) -> list[str]:
    return [column[0] for column in cursor.get_description()]


def count(connection: apsw.Connection, view: View) -> int:
    """How many memories the view shows."""
    return _whole(_run(connection, "count_visible", view)[0][0]) or 0


def entities_named(connection: apsw.Connection, norms: Sequence[str]) -> dict[str, int]:
    """Folded name → entity, for the names that are known."""
    rows = connection.execute(_sql("entities_named"), {"norms": json.dumps(list(norms))}).fetchall()
    return {str(row[0]): _whole(row[1]) or 0 for row in rows}


def entities_of(connection: apsw.Connection, view: View, ids: Sequence[str]) -> list[Mention]:
    """The entities that the visible ones of `ids` mention."""
    rows = _run(connection, "entities_of", view, ids=json.dumps(list(ids)))
    return [Mention(str(row[0]), _whole(row[1]) or 0, str(row[2])) for row in rows]


def mentions_of(connection: apsw.Connection, view: View, entity: int, limit: int) -> list[Mention]:
    """Visible memories that mention an entity: first those about it, then the newest."""
    rows = _run(connection, "mentions_of", view, entity=entity, limit=limit)
    return [Mention(str(row[0]), entity, str(row[1])) for row in rows]


def relations_at(connection: apsw.Connection, view: View, entity: int, limit: int) -> list[Edge]:
    """Relations from and to an entity that visible memories assert, at most `limit` each way."""
    # Most entities have none, and finding that out takes a tenth of the time.
    if not connection.execute(_sql("relations_any"), {"entity": entity}).get:
        return []
    rows = _run(connection, "relations_from", view, entity=entity, limit=limit)
    rows += _run(connection, "relations_to", view, entity=entity, limit=limit)
    edges = [Edge(str(row[0]), str(row[1]), _whole(row[2]) or 0, _whole(row[3]) or 0) for row in rows]
    return list(dict.fromkeys(edges))


def entity_name(connection: apsw.Connection, entity: int) -> str:
    """A name as first written."""
    return str(connection.execute(_sql("entity_name"), {"id": entity}).get)


def neighbours(connection: apsw.Connection, view: View, ids: Sequence[str]) -> dict[str, Neighbours]:
    """The turns just before and after each of `ids` that is a visible turn with a session pointer.

    A pointer is `source` = `session_id@number`, the number written plainly. Only turns of the same
    scope and session are neighbours, of the same number or the next one: several turns with one number
    follow each other as they were created, ties by id. So every turn has one place in its session, and
    who goes from neighbour to neighbour passes each turn once.
    """
    wanted = json.dumps(list(ids))
    turns: list[tuple[str, int, _Place]] = []
    sources: dict[int, set[str]] = {}
    for memory_id, scope, session, source in _run(connection, "turns_of", view, ids=wanted):
        place = _place(session, source)
        if place is not None:
            turns.append((str(memory_id), int(scope or 0), place))
            sources.setdefault(int(scope or 0), set()).update(place)
    beside: dict[str, tuple[str | None, str | None]] = {}  # at its own place
    first: dict[tuple[int, str], str] = {}
    last: dict[tuple[int, str], str] = {}
    for scope, places in sorted(sources.items()):
        values: dict[str, Any] = {"scope": scope, "sources": json.dumps(sorted(places)), "ids": wanted}
        for memory_id, session, source, earlier, later in _run(connection, "turns_at", view, **values):
            if str(source).rpartition("@")[0] != session:
                continue
            beside[str(memory_id)] = _text(earlier), _text(later)
            if earlier is None:
                first[scope, str(source)] = str(memory_id)
            if later is None:
                last[scope, str(source)] = str(memory_id)
    found = {}
    for memory_id, scope, place in turns:
        earlier, later = beside.get(memory_id, (None, None))
        found[memory_id] = Neighbours(
            earlier if earlier is not None else last.get((scope, place.before)),
            later if later is not None else first.get((scope, place.after)),
        )
    return found


class _Place(NamedTuple):
    """A turn's source and those of the places next to its own."""

    own: str
    before: str
    after: str


def _place(session: apsw.SQLiteValue, source: apsw.SQLiteValue) -> _Place | None:
    """None where the source does not point into `session`."""
    if not isinstance(session, str) or not isinstance(source, str):
        return None
    named, _, place = source.rpartition("@")
    if named != session or not _PLACE.fullmatch(place):
        return None
    # Before the first is none: no source is empty.
    before = f"{session}@{int(place) - 1}" if int(place) else ""
    return _Place(source, before, f"{session}@{int(place) + 1}")


def _text(value: apsw.SQLiteValue) -> str | None:
    return None if value is None else str(value)


def term_statistics(connection: apsw.Connection, view: View, terms: Iterable[str]) -> TermStatistics:
    """How many memories the view's scopes hold, and how many of them each term."""
    scopes = scope_ids(connection, view.scopes)
    wanted = sorted(set(terms))
    if not scopes:
        return TermStatistics(0, {})
    values: dict[str, Any] = {"scopes": json.dumps(scopes)}
    documents = _whole(connection.execute(_sql("documents_in"), values).get) or 0
    values |= {"terms": json.dumps(wanted)}
    name = "term_df"
    if scopes[-1] - scopes[0] < _NEAR_TOGETHER * len(scopes):
        name = "term_df_between"
        values |= {"first": scopes[0], "last": scopes[-1]}
    rows = connection.execute(_sql(name), values).fetchall()
    return TermStatistics(documents, {str(row[0]): _whole(row[1]) or 0 for row in rows if row[1]})


def _whole(value: apsw.SQLiteValue) -> int | None:
    return None if value is None else int(value)


def _number(value: apsw.SQLiteValue) -> float:
    return float(value or 0.0)
