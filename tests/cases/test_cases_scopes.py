"""Does anything cross from one scope into another? Section E of the cases: scope, identity, filters."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from memweir import Config, Draft, Memory, Relation, Scope
from memweir.errors import InputError, NotFoundError, ScopeError
from memweir.retrieval.types import PATHS
from memweir.testing import NOW, draft

Tell = Callable[..., list[str]]
Open = Callable[..., Memory]
Only = Callable[..., Config]

ADA, BOB = Scope.agent("ada"), Scope.agent("bob")
_DAY = NOW - timedelta(days=12)


def _secret(scope: Scope = ADA, **fields: Any) -> Draft:
    values: dict[str, Any] = {
        "scope": scope,
        "title": "Zoltan",
        "tags": ("plan",),
        "relations": (Relation("Zoltan", "hides", "the plan"),),
        "event_start": _DAY,
        "event_end": _DAY + timedelta(hours=1),
    }
    return draft("Zoltan has a secret plan", **(values | fields))


@pytest.mark.parametrize("paths", [*((name,) for name in PATHS), PATHS])
@pytest.mark.parametrize(
    "query", ["Zoltan has a secret plan twelve days ago", "plan", "Zoltan", "最近有什么计划 plan"]
)
def test_case_48_no_path_shows_another_users_memory(
    open_memory: Open, tell: Tell, only: Only, paths: tuple[str, ...], query: str
) -> None:
    memory = open_memory(config=only(*paths))
    (secret,) = tell(memory, _secret())
    tell(memory, draft("Zoltan plan", scope=BOB, age_days=400), draft("lunch", scope=BOB, age_days=400))
    for scope in (BOB, Scope.everywhere(), [BOB, Scope.project("ada"), Scope.session("ada")]):
        recall = memory.recall(query, scope=scope, include_history=True)
        assert secret not in [item.id for item in recall.candidates]
        assert "secret" not in recall.block
        assert recall.rankings is not None
        for ranking in recall.rankings.values():
            assert secret not in [hit.id for hit in ranking.hits]
            assert secret not in ranking.pinned


def test_case_48_reserved_slots_and_standing_answers_stay_in_their_scope(
    memory: Memory, tell: Tell
) -> None:
    tell(memory, _secret(pinned=True), _secret(layer="belief", document_id="b"))
    memory.answer("What is the plan?", "Zoltan hides it", scope=ADA)
    recall = memory.recall("What is the plan?", scope=BOB)
    assert (recall.block, recall.candidates, recall.answer) == ("", (), None)
    assert memory.recall("What is the plan?", scope=ADA).answer is not None


def test_case_48_no_verb_reaches_another_users_memory(memory: Memory, tell: Tell) -> None:
    (secret,) = tell(memory, _secret())
    for call in (
        lambda: memory.get(secret, scope=BOB),
        lambda: memory.explain(secret, scope=BOB),
        lambda: memory.explain(secret, scope=BOB, query="plan"),
        lambda: memory.forget(secret, scope=BOB),
        lambda: memory.restore(secret, scope=BOB),
        lambda: memory.feedback(secret, "harmful", scope=BOB),
        lambda: memory.remember("Zoltan has none", scope=BOB, supersedes=secret),
    ):
        with pytest.raises(NotFoundError) as caught:
            call()
        # The same as for an id that is nowhere, so that asking tells nothing.
        with pytest.raises(NotFoundError) as nowhere:
            memory.get("mem_" + "0" * 24, scope=BOB)
        if "supersede" not in str(caught.value):
            assert str(caught.value).replace(secret, "") == str(nowhere.value).replace(
                "mem_" + "0" * 24, ""
            )
    record = memory.get(secret, scope=ADA)
    assert (record.status, record.harmful_count, record.superseded_by) == ("active", 0, None)


def test_case_48_several_scopes_show_their_union_and_nothing_else(memory: Memory, tell: Tell) -> None:
    eve = Scope.agent("eve")
    a, b, _ = tell(memory, *(draft("the plan is tea", scope=scope) for scope in (ADA, BOB, eve)))
    recall = memory.recall("plan", scope=[BOB, ADA, BOB])
    assert {item.id for item in recall.candidates} == {a, b}
    assert {item.scope for item in recall.candidates} == {"agent:ada", "agent:bob"}


def test_case_49_callers_objects_are_not_changed_and_do_not_carry_over(memory: Memory) -> None:
    fields: dict[str, Any] = {
        "tags": ["tea", "noon"],
        "entities": ["Ada"],
        "relations": [],
        "scope": ADA,
    }
    before = {name: list(value) if isinstance(value, list) else value for name, value in fields.items()}
    first = memory.remember("tea at noon", **fields)
    scopes, context, tags = [BOB, ADA], ["we spoke of tea"], ["Tea"]
    memory.recall("tea", scope=scopes, context=context, tags=tags)
    assert fields == before
    assert (scopes, context, tags) == ([BOB, ADA], ["we spoke of tea"], ["Tea"])
    fields["tags"].append("later")
    assert memory.get(first.id, scope=ADA).tags == ("tea", "noon")
    del fields["scope"]
    with pytest.raises(TypeError):
        memory.remember("tea at one", **fields)
    with pytest.raises(TypeError):
        memory.recall("tea")  # type: ignore[call-arg]
    assert memory.stats().memories == {"active": 1}


@pytest.mark.parametrize(
    "blank", ["", " ", "\t\n", "\u3000", None, 0, (), [], {}, "project:atlas", b"x", [None], [""]]
)
def test_case_50_a_missing_scope_is_refused_by_every_verb(
    memory: Memory, tell: Tell, blank: Any
) -> None:
    everywhere = Scope.everywhere()
    (kept,) = tell(memory, draft("tea is global", scope=everywhere))
    calls: tuple[Callable[[], object], ...] = (
        lambda: memory.remember("tea", scope=blank),
        lambda: memory.relate("Ada", "likes", "tea", scope=blank),
        lambda: memory.answer("tea?", "yes", scope=blank),
        lambda: memory.recall("tea", scope=blank),
        lambda: memory.get(kept, scope=blank),
        lambda: memory.explain(kept, scope=blank),
        lambda: memory.forget(kept, scope=blank),
        lambda: memory.restore(kept, scope=blank),
    )
    for call in calls:
        with pytest.raises(ScopeError):
            call()
    with pytest.raises(InputError):
        Draft(text="tea", scope=blank)
    assert memory.stats().memories == {"active": 1}
    assert memory.get(kept, scope=everywhere).status == "active"


@pytest.mark.parametrize(
    "make", [Scope.session, Scope.workspace, Scope.project, Scope.agent, Scope.team]
)
@pytest.mark.parametrize("blank", ["", " ", "\t", "\u3000", None, 7, b""])
def test_case_50_a_blank_key_is_no_scope_of_any_kind(make: Callable[[Any], Scope], blank: Any) -> None:
    with pytest.raises(ScopeError):
        make(blank)


HOSTILE = (
    "x' OR 1=1 --",
    'x" OR "1"="1',
    "x%",
    "x_",
    "x\\",
    "%",
    "_",
    "*",
    "x; DROP TABLE memory; --",
    "[1]",
    '["ada"]',
    "{}",
    "ada\x00",
    " ada",
    "ada ",
    "ADA",
    "а\u0064a",  # a Cyrillic letter
    "NULL",
    "s1",
    "$.key",
)


def test_case_51_a_key_is_data_whatever_it_holds(memory: Memory, tell: Tell) -> None:
    scopes = [ADA, *(Scope.agent(key) for key in HOSTILE)]
    ids = {scope: tell(memory, draft("the plan is tea", scope=scope))[0] for scope in scopes}
    assert len(set(ids.values())) == len(scopes)
    for scope in scopes:
        recall = memory.recall("plan", scope=scope)
        assert [item.id for item in recall.candidates] == [ids[scope]], scope
        others = [memory_id for other, memory_id in ids.items() if other != scope]
        for foreign in others[:3]:
            with pytest.raises(NotFoundError):
                memory.forget(foreign, scope=scope)
    memory.forget(ids[Scope.agent(HOSTILE[0])], scope=Scope.agent(HOSTILE[0]))
    assert memory.stats().memories == {"active": len(scopes) - 1, "tombstoned": 1}


@pytest.mark.parametrize("value", HOSTILE)
def test_case_51_filters_and_ids_are_data_whatever_they_hold(
    memory: Memory, tell: Tell, value: str
) -> None:
    (plain,) = tell(memory, draft("tea", scope=ADA, tags=("drinks",), scene="home", domain="kitchen"))
    for options in ({"tags": (value,)}, {"scene": value}, {"domain": value}):
        recall = memory.recall("tea", scope=ADA, **options)  # type: ignore[arg-type]
        assert recall.candidates == (), options
    with pytest.raises(NotFoundError):
        memory.get(value, scope=ADA)
    with pytest.raises(NotFoundError):
        memory.forget(value, scope=ADA)
    same = draft("coffee", scope=ADA, document_id=value, tags=(value,), scene=value, speaker=value)
    (hostile,) = tell(memory, same)
    assert hostile != plain
    (again,) = tell(memory, same)
    assert again == hostile
    assert memory.get(hostile, scope=ADA).document_id == value


def test_case_54_same_text_in_two_projects_is_two_memories(memory: Memory, tell: Tell) -> None:
    p, q = Scope.project("p"), Scope.project("q")
    (in_p,) = tell(memory, draft("run make before a commit", scope=p))
    (in_q,) = tell(memory, draft("run make before a commit", scope=q))
    assert in_p != in_q
    assert [item.id for item in memory.recall("make", scope=q).items] == [in_q]
    memory.forget(in_p, scope=p)
    assert memory.recall("make", scope=p).candidates == ()
    assert [item.id for item in memory.recall("make", scope=q).items] == [in_q]
    # Asked for both, the reader is told once.
    memory.restore(in_p, scope=p)
    both = memory.recall("make", scope=[p, q])
    assert {item.id for item in both.candidates} == {in_p, in_q}
    assert len(both.items) == 1


@pytest.mark.parametrize(
    "kinds", [("project", "team"), ("session", "agent"), ("workspace", "project"), ("agent", "team")]
)
def test_case_54_same_key_of_two_kinds_is_two_scopes(
    memory: Memory, tell: Tell, kinds: tuple[str, str]
) -> None:
    one, other = (Scope(kind, "atlas") for kind in kinds)
    (there,) = tell(memory, draft("run make before a commit", scope=one))
    assert memory.recall("make", scope=other).candidates == ()
    (here,) = tell(memory, draft("run make before a commit", scope=other))
    assert here != there
