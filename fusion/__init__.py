"""Several rankings in, one explained decision per memory and one prompt block out.

Question: which memories belong in this prompt, and on what authority? Useful for: fusing rankings,
reranking, gating and rendering, and for replaying any of these from a record. Not useful for: finding
or storing memories. Pure functions over the values of `memweir.fusion.types`: no database, no clock,
no network; time and settings are arguments.

    rrf → rerank → collapse → judge → render

`decay` says beforehand which candidates time has worn. The functions `rrf`, `rerank` and `decay` stand
here under the names of their modules; import those modules' other names with
`from memweir.fusion.rrf import …`.
"""

from memweir.fusion.contested import newer_first
from memweir.fusion.decay import decay, decays
from memweir.fusion.duplicates import collapse
from memweir.fusion.escaping import escape, escape_attribute, visible
from memweir.fusion.gate import REASONS, admitted, decide, freshness, judge, risk
from memweir.fusion.injection import DROP_REASONS, render
from memweir.fusion.rerank import rerank
from memweir.fusion.rrf import rrf, unranked
from memweir.fusion.signals import recency
from memweir.fusion.tokens import count_tokens
from memweir.fusion.types import (
    ACTIONS,
    MODES,
    Block,
    Budget,
    Candidate,
    DecayConfig,
    Decision,
    Dropped,
    Fused,
    GateConfig,
    Judged,
    Node,
    RerankConfig,
    RrfConfig,
    Scored,
    StandingAnswer,
)

__all__ = [
    "ACTIONS",
    "DROP_REASONS",
    "MODES",
    "REASONS",
    "Block",
    "Budget",
    "Candidate",
    "DecayConfig",
    "Decision",
    "Dropped",
    "Fused",
    "GateConfig",
    "Judged",
    "Node",
    "RerankConfig",
    "RrfConfig",
    "Scored",
    "StandingAnswer",
    "admitted",
    "collapse",
    "count_tokens",
    "decay",
    "decays",
    "decide",
    "escape",
    "escape_attribute",
    "freshness",
    "judge",
    "newer_first",
    "recency",
    "render",
    "rerank",
    "risk",
    "rrf",
    "unranked",
    "visible",
]
