"""Can any verb of the face show, or change, what the caller's scopes do not cover?

Ada's scope holds a memory of every sort. Ben asks about all of them in his scope alone: with every path
by itself, every way to look back, and every id that he might have got hold of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest

from memweir import Config, Memory, MemweirError, Scope, Stored
from memweir.errors import NotFoundError, ScopeError
from memweir.retrieval.types import PATHS
from memweir.testing import NOW

ADA, BEN = Scope.agent("ada"), Scope.agent("ben")
SECRET = "quokka"
BEFORE = NOW - timedelta(days=9)

Open = Callable[..., Memory]
Only = Callable[..., Config]


@dataclass(frozen=True)
class World:
    """What Ada has: ids by what they are."""

    memory: Memory
    ids: dict[str, str]
    review: str
    run: int
    injection: str


def _tell(memory: Memory) -> World:
    at = NOW - timedelta(days=5)

    def remember(text: str, now: datetime = at, **fields: Any) -> Stored:
        return memory.remember(text, scope=ADA, now=now, **fields)

    ids = {
        "fact": remember(f"The {SECRET} plan starts in Shenzhen").id,
        "pinned": remember(f"Always say {SECRET} first", pinned=True).id,
        "belief": remember(f"Ada believes in the {SECRET}", layer="belief").id,
        "superseded": remember(f"The {SECRET} budget is 100", now=BEFORE).id,
        "turn": remember(f"We spoke of the {SECRET}", kind="turn", session_id="s", source="s@1").id,
        "incident": remember(
            f"Root cause of {SECRET.upper()}_DRIFT: the digest changed; temporary fix: retry",
            layer="experience",
        ).id,
    }
    ids["successor"] = remember(f"The {SECRET} budget is 200", supersedes=ids["superseded"]).id
    ids["relation"] = memory.relate("Quokka", "lives in", "Perth", scope=ADA, now=at).id
    ids["archived"] = remember(f"The {SECRET} code name was wombat").id
    memory.archive(ids["archived"], scope=ADA, now=at + timedelta(days=1))
    ids["first"] = remember(f"The {SECRET} editor is Zed", semantic_key="editor").id
    ids["second"] = remember(f"The {SECRET} editor is Helix", semantic_key="editor").id
    (review,) = memory.reviews(scope=ADA)
    memory.decide(review.id, "coexist", token=review.token, scope=ADA, now=at)
    ids["waiting"] = remember(f"The {SECRET} editor is Code", semantic_key="editor").id
    ids["edited"] = remember(f"The {SECRET} leader is Grace").id
    memory.edit(ids["edited"], scope=ADA, text=f"The {SECRET} leader is Ben", now=at)
    memory.answer(f"Who leads the {SECRET}?", "Grace", scope=ADA, now=at)
    memory.remember("The kitchen is blue", scope=BEN, now=at)
    memory.relate("Perth", "has", "a kitchen", scope=BEN, now=at)
    recall = memory.recall(f"the {SECRET} plan", scope=ADA, now=at)
    (open_review,) = memory.reviews(scope=ADA)
    return World(memory, ids, open_review.id, recall.run_id, recall.items[0].injection)


@pytest.fixture
def world(memory: Memory) -> World:
    return _tell(memory)


_QUESTIONS = (
    f"{SECRET}",
    f"where does the {SECRET} plan start?",
    f"Who leads the {SECRET}?",
    "where does Quokka live, is it Perth?",
    f"why does {SECRET.upper()}_DRIFT fail? fix it",
    "what was said five days ago?",
    "editor",
)
_VIEWS: tuple[dict[str, Any], ...] = (
    {},
    {"include_history": True},
    {"as_of": NOW - timedelta(days=4)},
    {"known_at": NOW - timedelta(days=4)},
    {"known_at": NOW - timedelta(days=4), "include_history": True},
    {"as_of": BEFORE, "known_at": NOW},
    {"route": False, "limit": 1000},
)


def _leaks(world: World, value: object) -> bool:
    told = repr(value).casefold()
    return SECRET in told or any(each in told for each in world.ids.values())


def test_what_is_asked_for_is_there_for_its_owner(world: World) -> None:
    found = {item.id for item in world.memory.recall(SECRET, scope=ADA).candidates}
    assert {world.ids["fact"], world.ids["first"], world.ids["second"]} <= found


@pytest.mark.parametrize("options", _VIEWS, ids=[",".join(each) or "now" for each in _VIEWS])
@pytest.mark.parametrize("alone", [*PATHS, "all"])
def test_no_path_shows_another_scope_whatever_moment_is_asked_about(
    open_memory: Open, only: Only, alone: str, options: dict[str, Any]
) -> None:
    config = Config() if alone == "all" else only(alone)
    world = _tell(open_memory(config=config))
    for question in _QUESTIONS:
        recall = world.memory.recall(question, scope=BEN, **options)
        assert not _leaks(world, (recall.block, recall.candidates, recall.answer, recall.warnings))
        assert not _leaks(world, recall.rankings)
        assert asdict(recall.blocked)["review"] == 0


def test_the_graph_does_not_walk_through_another_scope(open_memory: Open, only: Only) -> None:
    world = _tell(open_memory(config=only("keyword", "graph")))
    # Perth is named in both scopes: the way from it leads to Ben's memories alone.
    recall = world.memory.recall("Perth", scope=BEN)
    assert [item.text for item in recall.candidates] == ["Perth has a kitchen"]


def test_no_verb_finds_an_id_of_another_scope(world: World) -> None:
    memory, scope = world.memory, BEN
    for memory_id in world.ids.values():
        calls: list[Callable[[str], object]] = [
            lambda each: memory.get(each, scope=scope),
            lambda each: memory.explain(each, scope=scope, query=SECRET),
            lambda each: memory.history(each, scope=scope),
            lambda each: memory.edit(each, scope=scope, title="mine"),
            lambda each: memory.archive(each, scope=scope),
            lambda each: memory.forget(each, scope=scope),
            lambda each: memory.restore(each, scope=scope),
            lambda each: memory.counter_evidence(each, scope=scope),
            lambda each: memory.feedback(each, "harmful", scope=scope),
            lambda each: memory.remember("the newer", scope=scope, supersedes=each),
        ]
        before = memory.get(memory_id, scope=ADA)
        for call in calls:
            with pytest.raises(NotFoundError) as caught:
                call(memory_id)
            with pytest.raises(NotFoundError) as unknown:
                call("mem_000000000000000000000000")
            # Told in the same words as an id that there is not.
            assert str(caught.value).replace(memory_id, "ID") == str(unknown.value).replace(
                "mem_000000000000000000000000", "ID"
            )
        assert memory.get(memory_id, scope=ADA) == before


def test_no_question_of_another_scope_is_seen_or_answered(world: World) -> None:
    memory = world.memory
    assert memory.reviews(scope=BEN) == []
    (review,) = memory.reviews(scope=ADA)
    for decision in review.decisions:
        with pytest.raises(NotFoundError):
            memory.decide(review.id, decision, token=review.token, scope=BEN)
    assert [each.id for each in memory.reviews(scope=ADA)] == [review.id]


def test_a_recall_is_explained_to_who_could_have_asked_it_only(world: World) -> None:
    memory = world.memory
    for verb in (memory.explain_run, memory.receipt):
        with pytest.raises(NotFoundError):
            verb(world.run, scope=BEN)
    both = memory.recall(SECRET, scope=[ADA, BEN])
    with pytest.raises(NotFoundError):  # it asked Ada's scope too
        memory.explain_run(both.run_id, scope=BEN)
    assert memory.explain_run(both.run_id, scope=[BEN, ADA]).items


def test_a_rerun_tells_of_other_scopes_only_how_much_happened(world: World) -> None:
    memory = world.memory
    recall = memory.recall("kitchen", scope=BEN)
    receipt = memory.receipt(recall.run_id, scope=BEN)
    memory.remember(f"another {SECRET}", scope=ADA)
    rerun = memory.rerun(receipt, "kitchen")
    assert rerun.same
    assert rerun.happened == ()
    assert not _leaks(world, rerun.changes)
    assert rerun.changes == ("1 changes in other scopes",)


def test_an_injection_of_another_scope_is_not_found_where_the_scope_is_given(world: World) -> None:
    with pytest.raises(NotFoundError):
        world.memory.feedback(world.injection, "harmful", scope=BEN)
    number = world.injection.split("_")[1]
    for forged in (f"inj_{number}_1_000000000000", f"inj_{number}_0", "inj_", "inj_x_y_z"):
        with pytest.raises(NotFoundError):
            world.memory.feedback(forged, "harmful")


def test_what_another_scope_holds_is_no_rival_and_no_clash(world: World) -> None:
    stored = world.memory.remember("The editor is Vim", scope=BEN, semantic_key="editor")
    assert (stored.status, stored.reviews) == ("active", ())
    again = world.memory.remember(f"The {SECRET} plan does not start in Shenzhen", scope=BEN)
    assert again.reviews == ()


def test_ids_of_two_scopes_are_found_where_both_are_given(world: World) -> None:
    for memory_id in world.ids.values():
        assert world.memory.get(memory_id, scope=[BEN, ADA]).id == memory_id


@pytest.mark.parametrize("scope", ["", " ", None, [], ["agent:ben"], {}])
@pytest.mark.parametrize(
    "verb", ["recall", "get", "history", "forget", "reviews", "explain_run", "edit", "archive"]
)
def test_a_missing_scope_is_an_error_in_every_verb(world: World, verb: str, scope: Any) -> None:
    named = () if verb == "reviews" else (1 if verb == "explain_run" else world.ids["fact"],)
    with pytest.raises(ScopeError):
        getattr(world.memory, verb)(*named, scope=scope)


def test_a_workspace_that_cannot_be_told_is_an_error_and_never_everywhere() -> None:
    for path in ("", " ", "\x00"):
        with pytest.raises(MemweirError):
            Scope.workspace(path)


def test_memories_of_other_workspaces_are_counted_and_not_shown(memory: Memory) -> None:
    one, other = Scope.workspace("/home/ada/app"), Scope.workspace("/home/ada/other")
    memory.remember("the build uses pnpm", scope=one)
    for name in ("npm", "yarn", "bun"):
        memory.remember(f"the build uses {name}", scope=other)
    recall = memory.recall("what does the build use?", scope=one)
    assert [item.text for item in recall.items] == ["the build uses pnpm"]
    assert recall.blocked.workspace == 3
    assert memory.recall("what does the build use?", scope=[one, other]).blocked.workspace == 0
