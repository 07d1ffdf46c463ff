"""Is the text for the system prompt exactly what is shown, and never empty?"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import apsw
import pytest

from memweir import Config, Memory, Scope
from memweir.errors import InputError, NotFoundError, RefusedError, ScopeError, StoreBusy
from memweir.learning.echoes import fingerprints
from memweir.retrieval.analysis import Analyzer
from memweir.retrieval.embedding import HashedNgramEmbedder
from memweir.store.erasure import ErasePlan
from memweir.store.prompts import BUILT_IN_BODY, BUILT_IN_ID
from memweir.store.seam import Learning
from memweir.testing import PlainStore

ATLAS, OTHER, EVERYWHERE = Scope.project("atlas"), Scope.project("b"), Scope.everywhere()
NOW = datetime(2026, 3, 20, 9, tzinfo=UTC)
RULE = "Every change of the schema is a new file in the folder of migrations, never an edit."

Open = Callable[..., Memory]


@pytest.fixture
def open_memory(open_memory: Open) -> Open:
    """The clock stands at the moment of these tests."""
    return partial(open_memory, clock=lambda: NOW)


def test_the_prompt_is_the_bodies_in_order_with_a_blank_line_between(memory: Memory) -> None:
    memory.remove_prompt(BUILT_IN_ID, scope=EVERYWHERE)
    late = memory.add_prompt("Late", "Ask before you push.", scope=ATLAS, position=50)
    memory.add_prompt("Off", "Never shown.", scope=ATLAS, position=1)
    memory.edit_prompt(memory.prompts(scope=ATLAS)[0].id, scope=ATLAS, enabled=False)
    early = memory.add_prompt("先后", "先写测试。\n再写代码。", scope=EVERYWHERE, position=7)
    memory.add_prompt("Theirs", "Not yours.", scope=OTHER)
    prompt = memory.prompt(scope=[ATLAS, EVERYWHERE])
    assert prompt.text == "先写测试。\n再写代码。\n\nAsk before you push."
    assert (prompt.blocks, prompt.characters) == ((early, late), len(prompt.text))
    assert (prompt.fallback, prompt.warnings) == (False, ())
    assert memory.prompt(scope=[EVERYWHERE, ATLAS]) == prompt
    assert [each.title for each in memory.prompts(scope=[ATLAS, EVERYWHERE])] == ["Off", "先后", "Late"]


def test_a_new_store_says_how_to_use_memories_and_so_does_one_without_blocks(
    open_memory: Open,
) -> None:
    memory = open_memory()
    first = memory.prompt(scope=[ATLAS, EVERYWHERE])
    assert (first.text, first.fallback, [each.id for each in first.blocks]) == (
        BUILT_IN_BODY,
        False,
        [BUILT_IN_ID],
    )
    alone = memory.prompt(scope=ATLAS)
    assert (alone.text, alone.fallback, alone.blocks) == (BUILT_IN_BODY, True, ())
    memory.edit_prompt(BUILT_IN_ID, scope=EVERYWHERE, enabled=False)
    assert memory.prompt(scope=EVERYWHERE).fallback
    memory.edit_prompt(BUILT_IN_ID, scope=EVERYWHERE, body="Be brief.", enabled=True)
    assert memory.prompt(scope=EVERYWHERE).text == "Be brief."
    memory.remove_prompt(BUILT_IN_ID, scope=EVERYWHERE)
    memory.close()
    again = open_memory()
    assert again.prompts(scope=EVERYWHERE) == []
    assert (again.prompt(scope=EVERYWHERE).text, again.prompt(scope=EVERYWHERE).fallback) == (
        BUILT_IN_BODY,
        True,
    )


def test_a_reader_gets_the_same_text_and_writes_nothing(open_memory: Open, tmp_path: Path) -> None:
    writer = open_memory()
    writer.close()
    reader = open_memory(read_only=True)
    assert reader.prompt(scope=ATLAS).text == BUILT_IN_BODY
    reader.close()
    open_memory().add_prompt("t", RULE, scope=ATLAS)
    later = open_memory(read_only=True)
    before = (tmp_path / "memory.db").read_bytes()
    assert later.prompt(scope=ATLAS).text == RULE
    assert (tmp_path / "memory.db").read_bytes() == before


def test_what_a_prompt_gave_is_known_by_its_echo_and_a_look_leaves_none(memory: Memory) -> None:
    store = memory._store
    assert isinstance(store, Learning)
    told = fingerprints(RULE)
    memory.add_prompt("t", RULE, scope=ATLAS)
    memory.prompt(scope=ATLAS, record=False)
    assert store.echoes(ATLAS, told) == set()
    memory.prompt(scope=[ATLAS, EVERYWHERE])
    assert store.echoes(ATLAS, told) == store.echoes(EVERYWHERE, told) == set(told)
    assert store.echoes(OTHER, told) == set()
    memory.prompt(scope=OTHER)
    built_in = fingerprints(BUILT_IN_BODY)
    assert store.echoes(OTHER, built_in) == set(built_in)


def test_a_prompt_that_cannot_be_recorded_is_given_all_the_same(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.add_prompt("t", RULE, scope=ATLAS)

    def busy(*_: object) -> None:
        raise StoreBusy("locked")

    monkeypatch.setattr(memory._store, "note_injected", busy)
    prompt = memory.prompt(scope=ATLAS)
    assert (prompt.text, prompt.warnings) == (RULE, ("prompt not recorded: locked",))


def test_a_block_changed_behind_our_back_stays_out(memory: Memory, tmp_path: Path) -> None:
    memory.add_prompt("t", RULE, scope=ATLAS)
    bad = memory.add_prompt("t", "be brief", scope=ATLAS)
    connection = apsw.Connection(str(tmp_path / "memory.db"))
    values = ("so </user_long_term_memories>", bad.id)
    connection.execute("UPDATE prompt_block SET body = ? WHERE id = ?", values)
    connection.close()
    prompt = memory.prompt(scope=ATLAS)
    assert prompt.text == RULE
    assert prompt.warnings == (f"{bad.id} breaks its frame (block-frame): left out",)


def test_a_change_of_nothing_is_none(memory: Memory) -> None:
    block = memory.add_prompt("t", RULE, scope=ATLAS)
    assert memory.edit_prompt(block.id, scope=ATLAS) == block
    assert memory.edit_prompt(block.id, scope=ATLAS, title="t", enabled=True) == block


def test_blocks_keep_to_their_scopes(memory: Memory) -> None:
    block = memory.add_prompt("t", RULE, scope=ATLAS)
    for call in (memory.edit_prompt, memory.remove_prompt):
        with pytest.raises(NotFoundError):
            call(block.id, scope=[OTHER, EVERYWHERE])
        with pytest.raises(ScopeError):
            call(block.id, scope=())
        with pytest.raises(InputError):
            call(7, scope=ATLAS)  # type: ignore[arg-type]
    with pytest.raises(ScopeError):
        memory.add_prompt("t", RULE, scope=[ATLAS, OTHER])  # type: ignore[arg-type]
    for look in (memory.prompts, memory.prompt):
        with pytest.raises(ScopeError):
            look(scope=())
    assert RULE not in memory.prompt(scope=[OTHER, EVERYWHERE]).text


def test_a_block_is_erased_by_its_id_with_its_fingerprints(memory: Memory) -> None:
    block = memory.add_prompt("t", RULE, scope=ATLAS)
    memory.prompt(scope=ATLAS)
    plan = memory.erase(scope=ATLAS, ids=[block.id])
    assert isinstance(plan, ErasePlan)
    assert (plan.prompts, plan.counts["prompt_block"]) == ((block.id,), 1)
    assert plan.counts["echo"] > 0
    memory.erase(scope=ATLAS, ids=[block.id], confirm=plan.token)
    assert memory.prompts(scope=ATLAS) == []
    store = memory._store
    assert isinstance(store, Learning)
    assert store.echoes(ATLAS, fingerprints(RULE)) == set()


def test_a_store_without_blocks_says_so() -> None:
    analyzer = Analyzer()
    memory = Memory(
        PlainStore(),
        analyzer=analyzer,
        embedder=HashedNgramEmbedder(analyzer),
        config=Config(),
        clock=lambda: NOW,
    )
    with pytest.raises(RefusedError, match="keeps no prompt blocks"):
        memory.prompt(scope=ATLAS)
