"""The face: one object, the verbs of a memory."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from zoneinfo import ZoneInfo

from memweir.background import BATCH, BackgroundIndexer
from memweir.config import Config
from memweir.dating import with_event
from memweir.embedders import resolve
from memweir.errors import ConfigError, InputError, LimitError, MemweirError, StoreError
from memweir.explaining import Explained
from memweir.fusion.types import Budget
from memweir.governing import Governed
from memweir.inputs import (
    budget_of,
    context_of,
    draft_of,
    drafts_of,
    label_of,
    limit_of,
    memory_id_of,
    mode_of,
    query_text,
    texts_of,
)
from memweir.learning.extractor import RuleExtractor
from memweir.mirror import Mirror
from memweir.mirroring import Mirroring
from memweir.observing import Observing
from memweir.pipeline import Pipeline, Request
from memweir.prompting import Prompted
from memweir.receipts import Receipt, Rerun, compare, receipt_of, request_of
from memweir.recording import run_of
from memweir.reflecting import Reflecting
from memweir.results import Recall, RecallItem, Stats
from memweir.retrieval.analysis import Analyzer
from memweir.retrieval.embedding import HashedNgramEmbedder
from memweir.retrieval.graph import GraphPath
from memweir.retrieval.hybrid import HybridEmbedder
from memweir.retrieval.indexing import TextIndexer
from memweir.retrieval.keyword import KeywordPath
from memweir.retrieval.meaning import WordVectors
from memweir.retrieval.semantic import SemanticPath
from memweir.retrieval.synonyms import Synonyms
from memweir.retrieval.timeline import TimelinePath
from memweir.retrieval.types import Embedder
from memweir.standing import Standing
from memweir.store.policy import WritePolicy
from memweir.store.records import Draft, Record, Relation, Stored, to_ms
from memweir.store.scopes import Scope, as_scopes
from memweir.store.sqlite import SqliteStore
from memweir.store.view import View

if TYPE_CHECKING:
    from memweir.learning.types import Extractor
    from memweir.retrieval.types import RetrievalPath
    from memweir.store.seam import Store

__all__ = ["Memory"]

_LOG = logging.getLogger("memweir")
_MIRRORED = 1_000  # memories that are stored before they are mirrored


class Memory(Mirroring, Governed, Explained, Observing, Prompted, Reflecting, Standing):
    """A long-term memory in one file. Open it, use it as a context manager, share it between threads.

    Every verb takes `now`, an aware moment whose zone is the caller's; without it the clock given to
    `open` is asked. Every verb raises below `MemweirError` only; a call without a parameter that the
    verb needs, or with one that it does not have, is Python's `TypeError`, as of any function.
    """

    def __init__(
        self,
        store: Store,
        *,
        analyzer: Analyzer,
        embedder: Embedder,
        config: Config,
        clock: Callable[[], datetime],
        records: bool = True,
        background: bool = False,
        extractor: Extractor | None = None,
    ) -> None:
        """Put a memory together from its parts; `open` is the usual way.

        Args:
            records: write the audit of recalls; False where the store takes no writes.
            background: a thread makes the vectors that the store's indexer puts off.
            extractor: makes facts of sentences; None: as configured.
        """
        self._records = records
        self._store = store
        self._analyzer = analyzer
        self._config = config
        self._clock = clock
        self._zone: tzinfo | None = ZoneInfo(config.timezone) if config.timezone else None
        self._embedder = embedder
        self._extractor = extractor or _default_extractor(config)
        folder = config.mirror.folder
        self._mirror = None if folder is None else Mirror(_absolute(folder))
        self._pipeline = self._pipeline_of(config)
        self._mismatch = store.index_mismatch()
        for warning in self._mismatch_warnings():
            _LOG.warning("%s", warning)
        self._worker = BackgroundIndexer(store) if background else None
        if not background and store.pending(1):
            _LOG.warning("memories wait for their vector; index_pending makes it")

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        config: Config | None = None,
        embedder: Embedder | None = None,
        clock: Callable[[], datetime] | None = None,
        read_only: bool = False,
        background: bool | None = None,
        extractor: Extractor | None = None,
        random_bytes: Callable[[int], bytes] = os.urandom,
    ) -> Self:
        """Open the store at `path`, made where it does not exist.

        Args:
            config: settings; None: the defaults. Files and environment are read by `Config.load` only.
            embedder: a learned model behind the `Embedder` protocol; None: hashed n-grams.
            clock: tells the moment where a verb is not told; None: the system's.
            read_only: look, but write nothing, not even an audit.
            background: a thread makes what takes a model of a memory's vector, after it was stored;
                None: as configured. Without a model there is nothing to put off.
            extractor: makes facts of what a person says, for `observe`; None: as `capture.extractor`
                says, by default by rules.
            random_bytes: makes the key of the hashes in the audit of a new store.

        Raises:
            StorePathError, NotAStore, SchemaTooNew, StoreReadOnly, StoreError, ConfigError.
        """
        if config is not None and not isinstance(config, Config):
            raise InputError(f"config must be a Config, got {type(config).__name__}")
        if not isinstance(path, str | os.PathLike):
            raise InputError(f"a store needs a file path, got {path!r}")
        if clock is not None and not callable(clock):
            raise InputError("clock must be callable")
        if embedder is not None and not isinstance(embedder, Embedder):
            raise InputError(f"not an embedder: {type(embedder).__name__}; see the Embedder protocol")
        if extractor is not None and not callable(getattr(extractor, "extract", None)):
            raise InputError(
                f"not an extractor: {type(extractor).__name__}; see the Extractor protocol"
            )
        settings = config or Config()
        synonyms = Synonyms.load(settings.retrieval.synonyms)
        analyzer = Analyzer(synonyms=synonyms)
        used: Embedder = embedder or _default_embedder(analyzer, settings)
        wanted = settings.retrieval.background_indexing if background is None else bool(background)
        indexer = TextIndexer(analyzer, used, deferred=wanted and not read_only)
        store = SqliteStore.open(
            path,
            indexer,
            busy_timeout_ms=settings.store.busy_timeout_ms,
            keep_runs=settings.store.keep_runs,
            read_only=read_only,
            random_bytes=random_bytes,
            policy=WritePolicy(
                quarantine_personal_data=settings.store.quarantine_personal_data,
                ask_contradictions=settings.store.ask_contradictions,
            ),
        )
        zone = ZoneInfo(settings.timezone) if settings.timezone else None
        ticking = clock or (lambda: datetime.now(zone) if zone else datetime.now().astimezone())
        try:
            return cls(
                store,
                analyzer=analyzer,
                embedder=used,
                config=settings,
                clock=ticking,
                records=not read_only,
                background=indexer.deferred,
                extractor=extractor,
            )
        except BaseException:
            store.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the store; closing twice is fine. What is pending is made when it is next open."""
        self._stop_reflecting()
        if self._worker is not None:
            self._worker.close()
        self._store.close()

    # Writing

    def remember(
        self, text: str, *, scope: Scope, now: datetime | None = None, **fields: Any
    ) -> Stored:
        """Store one memory; `fields` are those of `Draft`.

        Telling the same again is one more piece of evidence, not a second memory.

        Raises:
            SecretRefused, ThreatRefused: a gate refused it; nothing of it was written.
            NotFoundError: `supersedes` names nothing in the scope.
            RefusedError: it names what waits, was withdrawn or must not be superseded.
            InputError: a field is wrong.
        """
        result = self.remember_many([draft_of(text, scope, fields)], now=now)[0]
        if isinstance(result, MemweirError):
            raise result
        return result

    def remember_many(
        self, drafts: Iterable[Draft], *, now: datetime | None = None
    ) -> list[Stored | MemweirError]:
        """Store many, in batches of one transaction each; a refused one is its error in its place.

        A draft without an event window gets that of the one date expression its text holds.
        """
        moment = self._now(now)
        dated = (with_event(draft, moment) for draft in drafts_of(drafts))
        try:
            if not self._mirrors():
                return self._store.add_many(dated, now_ms=to_ms(moment))
            results: list[Stored | MemweirError] = []
            while several := list(islice(dated, _MIRRORED)):
                stored = self._store.add_many(several, now_ms=to_ms(moment))
                warnings = self._mirror_drafts(list(zip(stored, several, strict=True)), moment)
                results += [_warned(each, warnings) for each in stored]
            return results
        finally:  # of several batches the first ones may be stored
            self._wake()

    def relate(
        self,
        source: str,
        predicate: str,
        target: str,
        *,
        scope: Scope,
        now: datetime | None = None,
        **fields: Any,
    ) -> Stored:
        """Store a relation between two entities, asserted by a memory that says it.

        `text` among the fields words the memory; without it the three parts do.
        """
        edge = Relation(source, predicate, target)
        text = fields.pop("text", None) or f"{edge.source} {edge.predicate} {edge.target}"
        more = fields.pop("relations", None) or ()
        if not isinstance(more, (tuple, list)):
            raise InputError("relations must be a list of Relation(source, predicate, target)")
        relations = (edge, *more)
        return self.remember(text, scope=scope, now=now, relations=relations, **fields)

    def reindex(self, *, now: datetime | None = None) -> int:
        """Rebuild all that is derived with the current analysis and embedder; how many memories.

        With indexing in the background, what takes a model is pending when this returns.
        """
        done = self._store.reindex(now_ms=to_ms(self._now(now)))
        self._mismatch = self._store.index_mismatch()
        self._wake()
        return done

    def index_pending(self, limit: int | None = None) -> int:
        """Make vectors that are pending, here and now; how many.

        Args:
            limit: at most so many, newest first; None: all.

        Raises:
            EmbedderError, MissingExtra: the embedder failed; what was made before is kept.
            StoreError, LimitError.
        """
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 0):
            raise LimitError("limit", limit, "must be a whole number from 0, or None")
        done = 0
        before: list[str] = []
        while limit is None or done < limit:
            waiting = self._store.pending(BATCH if limit is None else min(BATCH, limit - done))
            made = self._store.index_pending(waiting) if waiting else 0
            # Another thread may have made them; but what stays where it is will not go now.
            if not waiting or (not made and waiting == before):
                break
            before = waiting
            done += made
        return done

    # Reading

    def recall(
        self,
        text: str,
        *,
        scope: Scope | Iterable[Scope],
        now: datetime | None = None,
        context: Sequence[str] = (),
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        include_history: bool = False,
        scene: str | None = None,
        domain: str | None = None,
        tags: Sequence[str] = (),
        route: bool = True,
        limit: int | None = None,
        budget: Budget | None = None,
        mode: str | None = None,
        record: bool = True,
    ) -> Recall:
        """What belongs into the prompt of this turn.

        Args:
            text: the turn's; blank gives an empty result with a reason.
            scope: one or several; what is not in them does not exist for this call.
            context: turns before, oldest first.
            as_of: what held at this instant instead of now.
            known_at: what the store knew at this instant instead of now: what it was told, let in,
                ended or worded anew later has not happened yet. Without `as_of` it is what held
                then, too. What was forgotten stays forgotten. A standing answer is shown as it stood at
                the earlier of `as_of` and `known_at`.
            include_history: memories that hold no more, superseded or replaced, are candidates too.
            scene, domain: memories of another scene or domain stay out; None: every domain, and the
                scene that the turn clearly speaks of, if it does of one.
            tags: only memories that carry all of them.
            route: False: look at every scene and at every record of a failure, whatever the turn is
                about.
            limit: candidates a path may return, 1 to 1000; None: as configured.
            budget, mode: of the block; None: as configured.
            record: write the audit of this recall.

        Raises:
            ScopeError, InputError, StoreError. `recall_or_empty` never raises.
        """
        moment = self._now(now)
        request = Request(
            text=query_text(text),
            view=self._view(scope, moment, as_of, known_at, include_history, scene, domain, tags),
            now=moment,
            context=context_of(context),
            limit=limit_of(limit, self._config.retrieval.limit),
            budget=budget_of(budget, self._config.budget),
            mode=mode_of(mode, self._config.gate.mode),
            route=bool(route),
        )
        return self._recall(request, record=record)

    def _recall(self, request: Request, *, record: bool) -> Recall:
        result = self._pipeline.run(request, vectors="embedder" not in self._mismatch)
        # In the words they were logged with, so that whoever shows both can tell that they are one.
        result = replace(result, warnings=(*result.warnings, *self._mismatch_warnings()))
        if not (record and self._records):
            return result
        try:
            run = run_of(self._store, request, result, self._config, self._analyzer)
            run_id = self._store.record_run(run)
        except StoreError as error:
            # The turn goes on: what was found is right, only its audit is missing.
            warning = f"recall not recorded: {error}"
            _LOG.warning("%s", warning)
            return replace(result, warnings=(*result.warnings, warning))
        places = {each.id: place for place, each in enumerate(result.items)}

        def named(item: RecallItem) -> RecallItem:
            place = places.get(item.id)
            return (
                item
                if place is None
                else replace(item, injection=self._store.injection_id(run_id, place))
            )

        warnings = self._note_given(request.view.scopes, _given(result), what="echoes of the recall")
        return replace(
            result,
            run_id=run_id,
            items=tuple(named(each) for each in result.items),
            candidates=tuple(named(each) for each in result.candidates),
            warnings=(*result.warnings, *warnings),
        )

    def recall_or_empty(self, text: str, **options: Any) -> Recall:
        """`recall` that never breaks a turn: any failure is logged and gives an empty result."""
        try:
            return self.recall(text, **options)
        except Exception as error:
            _LOG.exception("recall failed; the turn goes on without memory")
            return Recall(abstained="error", warnings=(f"{type(error).__name__}: {error}",))

    def receipt(self, run_id: int | str, *, scope: Scope | Iterable[Scope]) -> Receipt:
        """All that a recall was made of but its text, to be asked again by `rerun`.

        Args:
            run_id: `Recall.run_id`.
            scope: must cover every scope that the recall asked.

        Raises:
            NotFoundError: the audit has no such recall, keeps it no more, or it asked other scopes.
        """
        return receipt_of(self.explain_run(run_id, scope=scope))

    def rerun(self, receipt: Receipt, text: str, *, context: Sequence[str] = ()) -> Rerun:
        """Ask a recall again, with its clock and configuration: the same bytes, or what changed.

        Nothing is recorded.

        Args:
            text, context: as they were asked; the receipt tells whether they are the same.

        Raises:
            InputError: not a usable receipt.
        """
        request = request_of(receipt, query_text(text), context_of(context))
        config = Config.from_dict(receipt.settings)
        vectors = "embedder" not in self._mismatch
        recall = self._pipeline_of(config).run(request, vectors=vectors)
        return compare(receipt, request, recall, store=self._store, config=self._config)

    def get(self, memory_id: str, *, scope: Scope | Iterable[Scope]) -> Record:
        """One memory of the scopes in any status.

        Raises:
            NotFoundError: no such memory there.
        """
        return self._store.fetch(memory_id_of(memory_id), as_scopes(scope))

    def stats(self) -> Stats:
        """What is in the store."""
        return Stats(**_decoded(self._store.statistics()))

    # Helpers

    def _asked(self, text: str, options: Mapping[str, Any]) -> Recall:
        return self.recall(text, **options)

    def _pipeline_of(self, config: Config) -> Pipeline:
        store = self._store
        settings = config.retrieval
        paths: dict[str, RetrievalPath] = {
            "semantic": SemanticPath(store),
            "keyword": KeywordPath(
                store, weights=settings.field_weights, pin_max_df=settings.pin_max_df
            ),
            "graph": GraphPath(
                store,
                hops=settings.graph_hops,
                fanout=settings.graph_fanout,
                damping=settings.graph_damping,
            ),
            "timeline": TimelinePath(store),
        }
        active = {name: paths[name] for name in settings.paths()}
        return Pipeline(
            store,
            self._analyzer,
            self._embedder,
            active,
            config,
            WordVectors.load() if settings.word_vectors else None,
        )

    def _mismatch_warnings(self) -> list[str]:
        return [
            f"{name} of the index is {built}, not {given}; run reindex"
            for name, (built, given) in sorted(self._mismatch.items())
        ]

    def _wake(self) -> None:
        if self._worker is not None:
            self._worker.wake()

    def _now(self, now: datetime | None, name: str = "now") -> datetime:
        moment = self._clock() if now is None else now
        if not isinstance(moment, datetime):
            raise InputError(f"{name} must be a datetime, got {type(moment).__name__}")
        try:
            if moment.tzinfo is None:
                # A moment without a zone is the caller's wall clock.
                return moment.replace(tzinfo=self._zone) if self._zone else _local(moment)
            to_ms(moment)
        except (ValueError, OverflowError) as error:
            raise InputError(f"{name} is not a usable moment: {error}") from error
        return moment

    def _view(
        self,
        scope: Scope | Iterable[Scope],
        now: datetime,
        as_of: datetime | None,
        known_at: datetime | None,
        include_history: bool,
        scene: str | None,
        domain: str | None,
        tags: Sequence[str],
    ) -> View:
        folded = (self._analyzer.analyse(tag).normal or tag for tag in texts_of("tags", tags))
        known_ms = None if known_at is None else to_ms(self._now(known_at, "known_at"))
        held_ms = to_ms(now) if known_ms is None else min(known_ms, to_ms(now))
        return View(
            scopes=as_scopes(scope),
            as_of_ms=held_ms if as_of is None else to_ms(self._now(as_of, "as_of")),
            point_in_time=as_of is not None,
            known_ms=known_ms,
            include_history=bool(include_history),
            scene=label_of("scene", scene),
            domain=label_of("domain", domain),
            tags=tuple(folded),
        )


def _warned(result: Stored | MemweirError, warnings: tuple[str, ...]) -> Stored | MemweirError:
    return replace(result, warnings=warnings) if warnings and isinstance(result, Stored) else result


def _absolute(folder: str) -> Path:
    """Absolute, so that a later change of folder changes nothing."""
    try:
        return Path(folder).expanduser().absolute()
    except (OSError, RuntimeError) as error:
        raise ConfigError("mirror.folder", folder, f"cannot be resolved: {error}") from error


def _given(result: Recall) -> dict[str, str]:
    """Id of what a block gives → its text."""
    if not result.block:
        return {}
    given = {each.id: each.text for each in result.items}
    return given if result.answer is None else given | {result.answer.id: result.answer.text}


def _local(moment: datetime) -> datetime:
    try:
        return moment.astimezone()
    except (ValueError, OverflowError):  # at an end of the calendar no zone has a table
        return moment.replace(tzinfo=UTC)


def _decoded(figures: Mapping[str, Any]) -> dict[str, Any]:
    import json

    tables = ("memories", "layers", "kinds", "scopes")
    return {
        name: json.loads(value or "{}") if name in tables else value for name, value in figures.items()
    }


def _default_embedder(analyzer: Analyzer, config: Config) -> Embedder:
    if config.retrieval.embedder:
        return resolve(config.retrieval.embedder, analyzer)
    head = HashedNgramEmbedder(analyzer)
    return HybridEmbedder(head, WordVectors.load()) if config.retrieval.word_vectors else head


def _default_extractor(config: Config) -> Extractor:
    capture = config.capture
    if not capture.extractor:
        return RuleExtractor()
    from memweir.extractors import resolve as resolve_extractor

    return resolve_extractor(capture.extractor, fallback=capture.extractor_fallback)
