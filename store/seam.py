"""What must an engine do to stand behind memweir? The store seam, in scopes, rankings and records."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from memweir.errors import MemweirError
from memweir.store.audit import Happened, KeptRun, LedgerLine, Run, Trail
from memweir.store.capturing import Fingerprinter
from memweir.store.erasure import ErasePlan, EraseReceipt, EraseTarget
from memweir.store.history import History
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
from memweir.store.records import Answer, Assertion, Draft, PromptBlock, Record, Review, Stored
from memweir.store.reflecting import BeliefRow, Fact, ReflectionRow, Revision
from memweir.store.scopes import Scope
from memweir.store.view import Blocked, View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Erasing", "Learning", "Listing", "Lists", "Prompting", "Reader", "Store"]


class Reader(Protocol):
    """The candidate queries. Each returns only what the view shows, best first, at most `limit`."""

    def keyword(self, view: View, match: TermMatch, limit: int) -> list[tuple[str, float]]:
        """(id, bm25 above 0) of memories that hold any of the terms."""
        ...

    def matching(self, view: View, match: TermMatch, limit: int) -> list[str]:
        """Ids of memories that hold any of the terms, newest first."""
        ...

    def substring(self, view: View, raw: str, folded: str, limit: int) -> list[str]:
        """Ids of memories whose text holds `raw`, or lower-cased `folded`, newest first."""
        ...

    def nearest(self, view: View, query: NDArray[np.float32], limit: int) -> list[VectorHit]:
        """The nearest vectors to a query that is not all zero."""
        ...

    def similarity(self, query: NDArray[np.float32], ids: Sequence[str]) -> dict[str, VectorHit]:
        """The same figures for each of the ids that has a vector."""
        ...

    def event_window(self, view: View, start_ms: int, end_ms: int, limit: int) -> list[TimedHit]:
        """Memories whose event window overlaps [start, end)."""
        ...

    def created_window(self, view: View, start_ms: int, end_ms: int, limit: int) -> list[TimedHit]:
        """Memories told in [start, end)."""
        ...

    def latest(self, view: View, limit: int) -> list[TimedHit]:
        """The memories told last."""
        ...

    def pinned(self, view: View, limit: int) -> list[str]:
        """Pinned memories, most important first."""
        ...

    def beliefs(self, view: View, limit: int) -> list[str]:
        """Beliefs, most confident first."""
        ...

    def records(self, view: View, ids: Sequence[str]) -> dict[str, Record]:
        """The visible ones of the ids."""
        ...

    def group_mates(self, view: View, groups: Sequence[str]) -> list[str]:
        """Ids of the visible members of coexistence groups, ascending."""
        ...

    def contested(self, view: View, ids: Sequence[str]) -> dict[str, str]:
        """Of the ids, those that an open question says may be replaced → the newest that says so.

        At `View.known_ms` the questions that were open then.
        """
        ...

    def replacing(self, view: View, ids: Sequence[str]) -> dict[str, str]:
        """Of the ids, those that a person decided to replace → what took their place, last.

        It may be a memory that the view does not show. At `View.known_ms` the decisions up to then.
        """
        ...

    def last_used(self, ids: Sequence[str], before_ms: int) -> dict[str, int]:
        """When each was last given to a prompt before a moment, of those the audit still knows.

        A recall that looked back (`memweir.store.audit.looked_back`) used nothing.
        """
        ...

    def incidents(self, view: View, match: TermMatch, limit: int) -> list[str] | None:
        """Visible records of failures with any of the terms, newest first; None: there are none."""
        ...

    def scenes(self, view: View) -> list[str]:
        """The scenes that active memories of the scopes carry, in order."""
        ...

    def blocked(self, view: View) -> Blocked:
        """How many memories the view keeps out, by rule."""
        ...

    def count(self, view: View) -> int:
        """How many memories the view shows."""
        ...

    def entities_named(self, norms: Sequence[str]) -> dict[str, int]:
        """Folded name → entity. Names alone show no memory: what they lead to carries the view."""
        ...

    def entities_of(self, view: View, ids: Sequence[str]) -> list[Mention]:
        """What the visible ones of the ids mention."""
        ...

    def mentions_of(self, view: View, entity: int, limit: int) -> list[Mention]:
        """Visible memories that mention an entity, those about it first, then the newest.

        Of more than `limit` those stored first: the caller sees a hub and stops there.
        """
        ...

    def relations_at(self, view: View, entity: int, limit: int) -> list[Edge]:
        """Relations from and to an entity that visible memories assert."""
        ...

    def entity_name(self, entity: int) -> str:
        """A name as first written; only for entities that a visible result named."""
        ...

    def neighbours(self, view: View, ids: Sequence[str]) -> dict[str, Neighbours]:
        """The turns next to the visible ones of the ids that are turns and point into a session.

        `source` is `session_id@number`; next are the visible turns of the same scope and session with
        the same number or one smaller and one greater. Those with one number follow each other by time
        of creation, then id, so no turn is passed over.
        """
        ...

    def term_statistics(self, view: View, terms: Iterable[str]) -> TermStatistics:
        """How rare terms are among the indexed memories of the view's scopes.

        Its other conditions do not count: what was superseded or is of another scene weighs too.
        """
        ...

    def vector_statistics(self) -> VectorStatistics:
        """In how many memories each dimension is set."""
        ...

    def snapshot(self) -> AbstractContextManager[None]:
        """Reads inside see one state."""
        ...


class Store(Reader, Protocol):
    """Reads and writes. See `memweir.store.sqlite.SqliteStore` for what each raises."""

    def add_many(self, drafts: Iterable[Draft], *, now_ms: int) -> list[Stored | MemweirError]: ...
    def edit(
        self,
        memory_id: str,
        scopes: Sequence[Scope],
        changes: Mapping[str, object],
        *,
        now_ms: int,
    ) -> Stored: ...
    def archive(self, memory_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Record: ...
    def forget(self, memory_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Record: ...
    def restore(self, memory_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Record: ...
    def feedback(
        self,
        memory_id: str,
        outcome: str,
        scopes: Sequence[Scope] | None,
        *,
        now_ms: int,
        note: str | None = None,
        learned: Sequence[str] = (),
        run_id: int | None = None,
    ) -> Record: ...
    def counter(
        self,
        memory_id: str,
        scopes: Sequence[Scope],
        *,
        now_ms: int,
        source: str | None = None,
        note: str | None = None,
    ) -> Record: ...
    def reviews(self, scopes: Sequence[Scope], *, now_ms: int, limit: int) -> list[Review]: ...
    def review(self, review_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Review: ...
    def decide(
        self, review_id: str, decision: str, token: str, scopes: Sequence[Scope], *, now_ms: int
    ) -> Review: ...
    def put_answer(
        self,
        scope: Scope,
        text: str,
        phrasings: Mapping[str, str],
        *,
        now_ms: int,
        approve_personal: bool = False,
    ) -> Answer: ...
    def add_phrasings(
        self,
        answer_id: str,
        scopes: Sequence[Scope],
        phrasings: Mapping[str, str],
        *,
        now_ms: int,
        approve_personal: bool = False,
    ) -> Answer: ...
    def find_answer(
        self, scopes: Sequence[Scope], key: str, *, at_ms: int | None = None
    ) -> Answer | None: ...
    def answers(self, scopes: Sequence[Scope], *, limit: int) -> list[Answer]: ...
    def answer(self, answer_id: str, scopes: Sequence[Scope]) -> Answer: ...
    def verify_answer(self, answer_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Answer: ...
    def withdraw_answer(self, answer_id: str, scopes: Sequence[Scope], *, now_ms: int) -> Answer: ...
    def record_run(self, run: Run) -> int: ...
    def read_run(self, run_id: int) -> KeptRun: ...
    def settings(self, fingerprint: str) -> str | None: ...
    def happened(
        self, scopes: Sequence[Scope], after: int, limit: int
    ) -> tuple[list[Happened], int]: ...
    def ledger(self, scopes: Sequence[Scope], *, after: int | None, limit: int) -> list[LedgerLine]: ...
    def injection_id(self, run_id: int, position: int) -> str: ...
    def injected(self, injection_id: str) -> tuple[str, int]: ...
    def hash_query(self, text: str) -> str: ...
    def position(self) -> tuple[int, int]: ...
    @property
    def analyzer(self) -> str: ...
    @property
    def embedder(self) -> str: ...
    def fetch(self, memory_id: str, scopes: Sequence[Scope]) -> Record: ...
    def trail(self, memory_id: str, scopes: Sequence[Scope]) -> Trail: ...
    def history(self, memory_id: str, scopes: Sequence[Scope]) -> History: ...
    def statistics(self) -> dict[str, Any]: ...
    def index_mismatch(self) -> dict[str, tuple[str, str]]: ...
    def reindex(self, *, now_ms: int) -> int: ...
    def pending(self, limit: int) -> list[str]: ...
    def index_pending(self, ids: Sequence[str]) -> int: ...
    def close(self) -> None: ...


@runtime_checkable
class Erasing(Protocol):
    """What an engine can do that takes memories away for good. See `SqliteErasing` for the errors."""

    def plan_erasure(self, target: EraseTarget, scopes: Sequence[Scope]) -> ErasePlan: ...
    def erase(
        self,
        target: EraseTarget,
        scopes: Sequence[Scope],
        token: str,
        *,
        now_ms: int,
        random_bytes: Callable[[int], bytes] = ...,
    ) -> EraseReceipt: ...
    def finish_erasure(self) -> bool: ...
    def erasures(self, limit: int = ...) -> list[EraseReceipt]: ...


@runtime_checkable
class Learning(Protocol):
    """What an engine can do that learns from conversation. See `SqliteLearning`."""

    def note_injected(
        self, scopes: Sequence[Scope], entries: Mapping[str, str], fingerprints: Fingerprinter
    ) -> None: ...
    def echoes(self, scope: Scope, fingerprints: Collection[int]) -> set[int]: ...
    def seen(self, scope: Scope, messages: Sequence[str]) -> list[bool]: ...
    def capture(
        self, scope: Scope, read: Mapping[str, Sequence[Draft]], *, now_ms: int
    ) -> dict[str, list[Stored | MemweirError]]: ...
    def values_of(self, scope: Scope, key: str, *, now_ms: int) -> list[str]: ...
    def scopes_to_reflect(self) -> list[tuple[int, Scope]]: ...
    def reflectable(self, scope: int, *, now_ms: int) -> tuple[list[Fact], list[BeliefRow]]: ...
    def least_used(
        self, scope: int, limit: int, share: float, *, leaving: Collection[str], coming: int
    ) -> list[tuple[str, int]]: ...
    def keep_plan(
        self,
        period: str,
        steps: Sequence[Mapping[str, Any]],
        report: Mapping[str, Any],
        *,
        now_ms: int,
        again: bool,
    ) -> bool: ...
    def reflection(self, period: str | None) -> ReflectionRow | None: ...
    def last_reflection(self) -> str | None: ...
    def began_ms(self) -> int | None: ...
    def carry_out(self, period: str, most: int, *, now_ms: int) -> int: ...
    def belief_evidence(
        self, memory_id: str, scopes: Sequence[Scope]
    ) -> tuple[list[tuple[str, bool]], list[Revision]]: ...
    def list_beliefs(self, scopes: Sequence[Scope], *, limit: int) -> list[str]: ...
    def withdraw_belief(
        self, memory_id: str, scopes: Sequence[Scope], *, now_ms: int
    ) -> tuple[str, ...]: ...


@runtime_checkable
class Prompting(Protocol):
    """What an engine can do that keeps prompt blocks. See `SqlitePrompts`."""

    def prompts(self, scopes: Sequence[Scope], *, now_ms: int) -> list[PromptBlock]: ...
    def add_prompt(
        self, scope: Scope, title: str, body: str, *, position: int | None = None, now_ms: int
    ) -> PromptBlock: ...
    def edit_prompt(
        self,
        prompt_id: str,
        scopes: Sequence[Scope],
        changes: Mapping[str, object],
        *,
        now_ms: int,
    ) -> PromptBlock: ...
    def remove_prompt(self, prompt_id: str, scopes: Sequence[Scope], *, now_ms: int) -> PromptBlock: ...


class Lists(Protocol):
    """One state of the store, to be read through from end to end. See `SqliteLists`."""

    def memories(self, view: View, *, order: str, layer: str | None = None) -> Iterator[Record]: ...
    def layers_of(self, view: View, ids: Iterable[str]) -> dict[str, str]: ...
    def relations(self, view: View) -> Iterator[Assertion]: ...
    def answers(self, scopes: Sequence[Scope]) -> Iterator[Answer]: ...
    def belief_evidence(
        self, belief: str, scopes: Sequence[Scope]
    ) -> tuple[list[tuple[str, bool]], list[Revision]]: ...


@runtime_checkable
class Listing(Protocol):
    """What an engine can do that can be shown as a whole. See `SqliteListing`."""

    def listing(self) -> AbstractContextManager[Lists]: ...
    def wordings(self, ids: Sequence[str]) -> Mapping[str, str]: ...
    def believed(self, after: int) -> list[Record]: ...
    def note_mirror(self, folder: str) -> None: ...
    def other_mirrors(self, folder: str | None) -> int: ...
