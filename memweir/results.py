"""What does a verb of the face answer?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memweir.fusion.types import Block, Decision, Dropped, Node, Scored
from memweir.learning.types import LeftOut
from memweir.retrieval.types import Ranking
from memweir.store.records import Answer, PromptBlock, Record
from memweir.store.view import Blocked

__all__ = ["Captured", "Explanation", "Observation", "Prompt", "Recall", "RecallItem", "Stats"]


@dataclass(frozen=True, slots=True)
class RecallItem:
    """One candidate of a recall, injected or not, with everything that decided about it.

    Attributes:
        id, text, title, layer, kind, scope, provenance, created, speaker: of the memory; `scope` in the
            form `Scope.parse` reads, `created` an ISO date, `speaker` "" where nobody is named.
        score: fused and reranked, in [0, 1].
        decision: the gate's action, reason and four scores.
        ranks: path → rank of the paths that found it.
        scored: the signals and weights behind the score.
        matched: what each path says it found: path → detail.
        contributions: feature (see `memweir.retrieval.features.FEATURES`) → what it adds to the score
            behind `decision.relevance`.
        slot: "pinned" or "belief" where it came through a reserved slot.
        injected: it is in the block.
        duplicate_of: id of the better-ranked memory that says the same, "" where there is none.
        turn: probability that anything in the store answers the turn, as `Recall.relevance`: what the
            rule `unanswered` compares with `fusion.gate.turn_relevance`.
        injection: the name of its place in this block, for `feedback`; "" where it was not injected or
            nothing was recorded.
    """

    id: str
    text: str
    title: str
    layer: str
    kind: str
    scope: str
    provenance: str
    created: str
    score: float
    decision: Decision
    ranks: Mapping[str, int]
    scored: Scored
    matched: Mapping[str, Mapping[str, object]]
    contributions: Mapping[str, float] = field(default_factory=dict)
    speaker: str = ""
    slot: str = ""
    injected: bool = False
    duplicate_of: str = ""
    turn: float = 0.0
    injection: str = ""

    @property
    def why(self) -> Node:
        """The score as a tree whose numbers add up. Built when looked at."""
        return self.scored.why

    @property
    def action(self) -> str:
        """ "use", "verify" or "ignore"."""
        return self.decision.action

    @property
    def reason(self) -> str:
        """The code of the gate rule that decided."""
        return self.decision.reason


@dataclass(frozen=True, slots=True)
class Recall:
    """What a turn gets.

    Attributes:
        block: ready to put before the turn's text; "" where nothing is to be said.
        items: what the block holds, in its order.
        candidates: every memory considered, fused and reranked, best first; slots that no path found
            come last.
        rankings: path → its own ranking with raw scores.
        answer: the standing answer that matched, or None.
        answer_stale: it has not been verified for longer than the configuration allows.
        relevance: probability that anything in the store answers the turn, in [0, 1]: below
            `fusion.gate.turn_relevance` nothing is injected for its relevance.
        abstained: why nothing was injected, "" where something was: where the gate kept everything
            out, its reason against the best-ranked candidate.
        dropped: entries that passed the gate and did not fit.
        warnings: what the caller should know: a path that is off, an audit that could not be written.
        run_id: the audit's, 0 where nothing was recorded.
        blocked: how many memories were kept out before any ranking, by rule.
        mode: the gate's.
    """

    block: str = ""
    items: tuple[RecallItem, ...] = ()
    candidates: tuple[RecallItem, ...] = ()
    rankings: Mapping[str, Ranking] | None = None
    answer: Answer | None = None
    answer_stale: bool = False
    relevance: float = 0.0
    abstained: str = ""
    dropped: tuple[Dropped, ...] = ()
    warnings: tuple[str, ...] = ()
    run_id: int = 0
    mode: str = "assist"
    rendered: Block | None = None
    blocked: Blocked = field(default_factory=Blocked)

    def __bool__(self) -> bool:
        """Whether there is something to inject."""
        return bool(self.block)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why did (or didn't) a memory come up?

    Attributes:
        record: the memory as stored.
        evidence, ledger, decisions, consumption: its trail, newest first, plain JSON values.
        relations: edges it asserts, as (source, predicate, target).
        item: how it fares for the query asked about, None without one, where no path found it or
            too many others matched better.
        verdict: one sentence that says what decided.
    """

    record: Record
    evidence: tuple[Mapping[str, object], ...]
    ledger: tuple[Mapping[str, object], ...]
    decisions: tuple[Mapping[str, object], ...]
    consumption: tuple[Mapping[str, object], ...]
    relations: tuple[tuple[str, str, str], ...]
    item: RecallItem | None
    verdict: str


@dataclass(frozen=True, slots=True)
class Stats:
    """What is in the store: counts by status, layer, kind and scope kind, and what built its index.

    `pending` are memories whose vector is not there yet, or only the part that takes no model.
    """

    memories: Mapping[str, int]
    layers: Mapping[str, int]
    kinds: Mapping[str, int]
    scopes: Mapping[str, int]
    entities: int
    relations: int
    answers: int
    runs: int
    terms: int
    pending: int
    schema: int
    analyzer: str
    embedder: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Captured:
    """A fact that `observe` stored.

    Attributes:
        id, outcome, status, reviews: as in `Stored`.
        statement: what is remembered; quote: the words it was made of.
        kind, explicit, semantic_key, confidence, rule: as in `memweir.learning.types.Fact`.
        message, part: number of its message in what was handed over, and of the part of it, from 0.
        start, end: where the quote stands in the text of that part, half-open, in characters.
    """

    id: str
    outcome: str
    status: str
    statement: str
    quote: str
    kind: str
    explicit: bool
    semantic_key: str | None
    confidence: float
    rule: str
    message: int
    start: int
    end: int
    reviews: tuple[str, ...] = ()
    part: int = 0


@dataclass(frozen=True, slots=True)
class Observation:
    """What `observe` made of a turn.

    Attributes:
        captured: the facts stored, in the order in which they were said.
        left_out: every other stretch, and why; what a write gate refused among them.
        read: messages of a person that were read now; known: those that were read before.
        warnings: what went wrong without breaking the turn.
    """

    captured: tuple[Captured, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    read: int = 0
    known: int = 0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """The text for the system prompt.

    Attributes:
        text: the bodies of the blocks, a blank line between them; the built-in guidance where there is
            none. Exactly what is given.
        blocks: those in it, in its order.
        characters: of the text.
        fallback: no block is enabled, so it is the built-in guidance.
        warnings: blocks that were left out, and why; fingerprints that could not be written.
    """

    text: str
    blocks: tuple[PromptBlock, ...]
    characters: int
    fallback: bool
    warnings: tuple[str, ...] = ()
