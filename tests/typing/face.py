"""What does a type checker see of the face? Checked by mypy, never run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import assert_type

import numpy as np
from numpy.typing import NDArray

import memweir
from memweir import (
    Answer,
    Budget,
    Config,
    Draft,
    Embedder,
    Explanation,
    Memory,
    MemweirError,
    Prompt,
    PromptBlock,
    Recall,
    RecallItem,
    Record,
    Scope,
    Stats,
    Stored,
)
from memweir.fusion.types import Decision, Node
from memweir.markdown_export import MarkdownExport
from memweir.mirror import Note

here = Scope.project("atlas")
now = datetime(2026, 3, 20, tzinfo=UTC)

assert_type(memweir.__version__, str)
assert_type(Scope.parse("project:atlas"), Scope)
assert_type(Config.load(Path("memweir.toml"), environ={}, overrides={"fusion.rrf.k": 60}), Config)

with Memory.open("memory.db", config=Config(), clock=lambda: now) as memory:
    assert_type(memory, Memory)

    assert_type(memory.remember("text", scope=here, kind="fact", tags=("a",)), Stored)
    assert_type(memory.remember_many([Draft("text", here)], now=now), list[Stored | MemweirError])
    assert_type(memory.relate("atlas", "uses", "pnpm", scope=here), Stored)
    assert_type(memory.answer("which port?", "8080", scope=here, phrasings=["what port?"]), Answer)
    assert_type(memory.answers(scope=[here]), list[Answer])
    assert_type(memory.verify_answer("ans_1", scope=here), Answer)
    assert_type(memory.withdraw_answer("ans_1", scope=here), Answer)
    assert_type(memory.prompt(scope=here), Prompt)
    assert_type(memory.prompts(scope=[here]), list[PromptBlock])
    assert_type(memory.add_prompt("title", "body", scope=here), PromptBlock)
    assert_type(memory.edit_prompt("prm_1", scope=here, enabled=False), PromptBlock)
    assert_type(memory.feedback("mem_1", "helped", query="which port?"), Record)
    assert_type(memory.forget("mem_1", scope=here), Record)
    assert_type(memory.restore("mem_1", scope=[here]), Record)
    assert_type(memory.get("mem_1", scope=here), Record)
    assert_type(memory.explain("mem_1", scope=here, query="which port?"), Explanation)
    assert_type(memory.stats(), Stats)
    assert_type(memory.reindex(), int)

    recall = memory.recall(
        "which port?",
        scope={here, Scope.everywhere()},
        context=["we spoke of the gateway"],
        as_of=now,
        budget=Budget(items=3),
        mode="enforce",
        record=False,
    )
    assert_type(recall, Recall)
    assert_type(memory.recall_or_empty("which port?", scope=here), Recall)
    assert_type(recall.block, str)
    assert_type(bool(recall), bool)
    assert_type(recall.answer, Answer | None)
    for item in recall.items:
        assert_type(item, RecallItem)
        assert_type(item.action, str)
        assert_type(item.decision, Decision)
        assert_type(item.ranks, Mapping[str, int])
        assert_type(item.why, Node)
    assert_type(memory.export_markdown("pages", scope=here), MarkdownExport)
    assert_type(memory.search_notes("port"), list[Note])


class Letters:
    """Another embedder: nothing but the protocol's five names."""

    name = "letters"
    version = "1"
    dim = 26
    sparse = False

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.zeros((len(texts), self.dim), np.float32)


def takes_embedder(embedder: Embedder) -> Memory:
    return Memory.open("memory.db", embedder=embedder)


assert_type(takes_embedder(Letters()), Memory)

# A wrong call is an error of its own; an ignore that is not needed would be one too.
memory.recall("which port?")  # type: ignore[call-arg]
memory.remember("text", scope="project:atlas")  # type: ignore[arg-type]
