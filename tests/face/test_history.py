"""Does the face tell what became of a memory, and of a question, to those who may know?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memweir import Memory, Scope
from memweir.errors import ConfigError, InputError, LimitError, NotFoundError, ScopeError
from memweir.store.history import History
from memweir.store.records import ELSEWHERE
from memweir.testing import NOW, SCOPE, FixedClock

OTHER = Scope.project("borealis")


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def memory(open_memory: Callable[..., Memory], clock: FixedClock) -> Memory:
    return open_memory(clock=clock)


def whats(history: History) -> list[str]:
    return [each.what for each in history.events]


def test_a_history_goes_from_the_telling_to_the_last_recall(memory: Memory, clock: FixedClock) -> None:
    old = memory.remember("控制台用 npm", scope=SCOPE).id
    clock.advance(days=1)
    recall = memory.recall("控制台用什么？", scope=SCOPE)
    assert [each.id for each in recall.items] == [old]
    clock.advance(days=1)
    memory.feedback(recall.items[0].injection, "stale", scope=SCOPE, note="已经换了")
    new = memory.remember("控制台用 pnpm", scope=SCOPE, supersedes=old).id
    history = memory.history(old, scope=SCOPE)
    assert [each.record.id for each in history.chain] == [old, new]
    assert next(each for each in history.events if each.what == "stale").detail == (
        f"已经换了; recall {recall.run_id}"
    )
    assert whats(history)[:3] == ["told", "believed-from", "recalled"]
    assert memory.history(new, scope=SCOPE).events == history.events


def test_looking_back_writes_nothing(memory: Memory) -> None:
    told = memory.remember("tea, not coffee", scope=SCOPE).id
    before = memory.stats()
    assert memory.history(told, scope=SCOPE) == memory.history(told, scope=[SCOPE, OTHER])
    assert memory.stats() == before


@pytest.mark.parametrize(
    ("memory_id", "scope", "error"),
    [
        ("mem_nobody", SCOPE, NotFoundError),
        ("", SCOPE, InputError),
        (None, SCOPE, InputError),
        ("mem_x\ud83d", SCOPE, NotFoundError),
        ("mem_x\x00", SCOPE, NotFoundError),
        ("mem_x", (), ScopeError),
        ("mem_x", None, ScopeError),
        ("mem_x", "project:atlas", ScopeError),
    ],
)
def test_what_cannot_be_looked_at_is_an_error(
    memory: Memory, memory_id: Any, scope: Any, error: type[Exception]
) -> None:
    with pytest.raises(error):
        memory.history(memory_id, scope=scope)


def test_one_question_is_read_open_and_closed(memory: Memory, clock: FixedClock) -> None:
    memory.remember("the console uses npm", scope=SCOPE, semantic_key="pm")
    stored = memory.remember("the console uses pnpm", scope=SCOPE, semantic_key="pm")
    [waiting] = memory.reviews(scope=SCOPE)
    assert memory.review(waiting.id, scope=SCOPE) == waiting
    assert stored.reviews == (waiting.id,)
    memory.decide(waiting.id, "replace", token=waiting.token, scope=SCOPE)
    closed = memory.review(waiting.id, scope=SCOPE)
    assert (closed.decision, closed.token, closed.decisions) == ("replace", "", ())
    for wrong, scope in ((waiting.id, OTHER), ("rev_nobody", SCOPE)):
        with pytest.raises(NotFoundError):
            memory.review(wrong, scope=scope)


def test_a_closed_question_shows_no_side_that_was_moved_away(memory: Memory) -> None:
    old = memory.remember("Deploys on Friday are allowed", scope=SCOPE).id
    new = memory.remember("Deploys on Friday are not allowed", scope=SCOPE)
    [review_id] = new.reviews
    question = memory.review(review_id, scope=SCOPE)
    assert [each.id for each in question.against] == [old]
    memory.decide(review_id, "dismiss", token=question.token, scope=SCOPE)
    memory.edit(old, scope=SCOPE, move_to=OTHER)
    assert memory.review(review_id, scope=SCOPE).against == ()
    assert [each.id for each in memory.review(review_id, scope=[SCOPE, OTHER]).against] == [old]
    memory.edit(new.id, scope=SCOPE, move_to=OTHER)
    with pytest.raises(NotFoundError):
        memory.review(review_id, scope=SCOPE)
    assert ELSEWHERE not in repr(memory.history(old, scope=OTHER).chain)


@pytest.mark.parametrize("run_id", [0, -1, 2**63, 10**40])
def test_a_recall_with_an_impossible_number_is_not_found(memory: Memory, run_id: int) -> None:
    with pytest.raises(NotFoundError):
        memory.explain_run(run_id, scope=SCOPE)
    with pytest.raises(NotFoundError):
        memory.receipt(run_id, scope=SCOPE)


def test_a_recall_of_a_scope_that_held_nothing_is_not_shown_to_others(memory: Memory) -> None:
    memory.remember("tea, not coffee", scope=SCOPE)
    for scopes in ([OTHER], [SCOPE, OTHER]):
        run_id = memory.recall("what does Ada drink?", scope=scopes).run_id
        with pytest.raises(NotFoundError):
            memory.explain_run(run_id, scope=SCOPE)
        assert memory.explain_run(run_id, scope=[OTHER, SCOPE]).scopes == tuple(sorted(scopes))


def test_a_rerun_names_what_is_gone_and_new_and_which_settings_differ(
    memory: Memory, clock: FixedClock
) -> None:
    old = memory.remember("the console uses npm", scope=SCOPE).id
    recall = memory.recall("what does the console use?", scope=SCOPE)
    receipt = memory.receipt(recall.run_id, scope=SCOPE)
    same = memory.rerun(receipt, "what does the console use?")
    assert (same.same, same.gone, same.new, same.settings) == (True, (), (), ())
    memory.archive(old, scope=SCOPE)
    new = memory.remember("the console uses pnpm", scope=SCOPE, created_at=NOW).id
    changed = memory.rerun(receipt, "what does the console use?")
    assert (changed.same, changed.gone, changed.new, changed.settings) == (False, (old,), (new,), ())


def test_explaining_a_moved_memory_tells_nothing_of_its_past_elsewhere(
    memory: Memory, clock: FixedClock
) -> None:
    told = memory.remember("The vault is behind the mill", scope=SCOPE).id
    clock.advance(hours=1)
    memory.feedback(told, "harmful", scope=SCOPE, note="said by Grace")
    clock.advance(hours=1)
    memory.edit(told, scope=SCOPE, text="The mill stands still", move_to=OTHER)
    found = memory.explain(told, scope=OTHER)
    assert "Grace" not in repr((found.evidence, found.consumption))
    assert [each["action"] for each in found.ledger] == ["edited"]


def test_a_memory_does_not_name_what_superseded_it_and_was_moved_away(memory: Memory) -> None:
    old = memory.remember("the console uses npm", scope=SCOPE).id
    new = memory.remember("the console uses pnpm", scope=SCOPE, supersedes=old).id
    memory.edit(new, scope=SCOPE, move_to=OTHER)
    assert new not in repr(memory.get(old, scope=SCOPE))
    assert new not in repr(memory.explain(old, scope=SCOPE, query="what does the console use?"))


# ------------------------------------------------------------------ what an error repeats of the input

LONG = "x" * 2_000_000


def test_a_long_id_is_told_in_part_and_kept_whole(memory: Memory) -> None:
    with pytest.raises(NotFoundError) as caught:
        memory.history(LONG, scope=SCOPE)
    # A quote and 199 characters of the id, then the ellipsis.
    assert str(caught.value) == f"no memory '{'x' * 199}… in this store and scope"
    assert caught.value.key == LONG


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (NotFoundError("memory", "x" * 198), f"no memory '{'x' * 198}' in this store and scope"),
        (LimitError("limit", "y" * 300, "is high"), f"limit = '{'y' * 199}…: is high"),
        (LimitError("z" * 300, 5, "is high"), f"{'z' * 200}… = 5: is high"),
        (ConfigError("z" * 300, [0] * 300, "is odd"), f"{'z' * 200}… = [{'0, ' * 66}0…: is odd"),
        (ConfigError("k", 10**5_000, "is out of range"), "k = <int>: is out of range"),
        (ScopeError("s" * 1_000), "s" * 1_000),
        (ScopeError("s" * 900 + "t" * 101), f"{'s' * 200}…{'s' * 99}{'t' * 101}"),
    ],
)
def test_an_error_quotes_two_hundred_characters(error: Exception, message: str) -> None:
    assert str(error) == message


@pytest.mark.parametrize(
    "call",
    [
        lambda memory: memory.history(LONG, scope=SCOPE),
        lambda memory: memory.explain_run(LONG, scope=SCOPE),
        lambda memory: memory.recall("tea", scope=SCOPE, mode=LONG),
        lambda memory: memory.recall("tea", scope=SCOPE, limit=LONG),
        lambda memory: memory.remember("tea", scope=LONG),
        lambda memory: memory.feedback(LONG, "helped", scope=SCOPE),
        lambda memory: memory.feedback("mem_x", LONG, scope=SCOPE),
        lambda memory: Scope.parse(LONG),
        lambda memory: Scope(LONG, "x"),
    ],
)
def test_no_verb_repeats_the_whole_of_a_long_input(
    memory: Memory, call: Callable[[Memory], object]
) -> None:
    with pytest.raises((InputError, NotFoundError)) as caught:
        call(memory)
    assert len(str(caught.value)) <= 1_000
