"""Local-first long-term memory for AI agents.

`Memory.open(path)` opens a store; `recall` before a turn, `remember` after it. Names are loaded when
first used, so that importing one room does not load all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from memweir.config import Config
    from memweir.errors import MemweirError
    from memweir.fusion.types import Budget
    from memweir.memory import Memory
    from memweir.receipts import Receipt, Rerun
    from memweir.results import Explanation, Prompt, Recall, RecallItem, Stats
    from memweir.retrieval.types import Embedder
    from memweir.runs import RunExplanation
    from memweir.store.history import History
    from memweir.store.records import Answer, Draft, PromptBlock, Record, Relation, Review, Stored
    from memweir.store.scopes import Scope

__all__ = [
    "Answer",
    "Budget",
    "Config",
    "Draft",
    "Embedder",
    "Explanation",
    "History",
    "Memory",
    "MemweirError",
    "Prompt",
    "PromptBlock",
    "Recall",
    "RecallItem",
    "Receipt",
    "Record",
    "Relation",
    "Rerun",
    "Review",
    "RunExplanation",
    "Scope",
    "Stats",
    "Stored",
    "__version__",
]

__version__ = "0.1.0"

_HOMES: Final = {
    "Answer": "memweir.store.records",
    "Budget": "memweir.fusion.types",
    "Config": "memweir.config",
    "Draft": "memweir.store.records",
    "Embedder": "memweir.retrieval.types",
    "Explanation": "memweir.results",
    "History": "memweir.store.history",
    "Memory": "memweir.memory",
    "MemweirError": "memweir.errors",
    "Prompt": "memweir.results",
    "PromptBlock": "memweir.store.records",
    "Recall": "memweir.results",
    "RecallItem": "memweir.results",
    "Receipt": "memweir.receipts",
    "Record": "memweir.store.records",
    "Relation": "memweir.store.records",
    "Rerun": "memweir.receipts",
    "Review": "memweir.store.records",
    "RunExplanation": "memweir.runs",
    "Scope": "memweir.store.scopes",
    "Stats": "memweir.results",
    "Stored": "memweir.store.records",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'memweir' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
