"""Is a memory gone for good once a person confirmed it, and nothing before? By the face and by hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memweir import Memory, Scope
from memweir.errors import InputError, NotFoundError, ReviewStale, ScopeError, TextError
from memweir.store.erasure import ErasePlan, EraseReceipt
from memweir.testing import NOW, SCOPE

OTHER = Scope.project("borealis")
ATLAS = ("--scope", str(SCOPE))


def _bytes(path: Path) -> bytes:
    return b"".join(each.read_bytes() for each in sorted(path.parent.iterdir()) if each.is_file())


def _plan(memory: Memory, **target: Any) -> ErasePlan:
    plan = memory.erase(scope=SCOPE, **target)
    assert isinstance(plan, ErasePlan)
    return plan


def _erased(memory: Memory, **target: Any) -> EraseReceipt:
    receipt = memory.erase(scope=SCOPE, confirm=_plan(memory, **target).token, **target)
    assert isinstance(receipt, EraseReceipt)
    return receipt


def _full_life(memory: Memory) -> str:
    """A memory that everything happened to: its words are in every table that can hold them."""
    at = NOW - timedelta(days=3)
    kept = memory.remember(
        "Zyxwort keeps 蜜蜂 in Quagmireton",
        scope=SCOPE,
        title="Zyxwort's bees",
        tags=("quagmireton", "蜜蜂"),
        raw_quote="I, Zyxwort, keep bees",
        speaker="Zyxwort",
        now=at,
    ).id
    memory.edit(kept, scope=SCOPE, text="Zyxwort keeps 蜜蜂 in Plonkington", now=at)
    recall = memory.recall("where does Zyxwort keep bees?", scope=SCOPE, now=at)
    assert kept in {item.id for item in recall.items}
    memory.feedback(kept, "helped", note="the one in Plonkington", now=at)
    memory.counter_evidence(kept, scope=SCOPE, note="seen in Quagmireton", now=at)
    memory.relate("Zyxwort", "owns", "Plonkington", scope=SCOPE, now=at)
    memory.answer("Where is Zyxwort?", "In Plonkington", scope=SCOPE, now=at)
    return kept


_WORDS = ("Zyxwort", "zyxwort", "Quagmireton", "quagmireton", "Plonkington", "plonkington", "蜜蜂")


def test_nothing_is_written_before_it_is_confirmed(memory: Memory, path: Path) -> None:
    kept = _full_life(memory)
    before = _bytes(path)
    plan = _plan(memory, ids=[kept])
    assert [each.id for each in plan.memories] == [kept]
    assert plan.memories[0].wordings == 1
    assert plan.counts["memory"] == 2
    assert _bytes(path) == before


def test_of_an_erased_subject_no_byte_is_left_and_its_neighbours_stay(
    memory: Memory, path: Path
) -> None:
    _full_life(memory)
    stays = memory.remember("The heron fishes at dawn", scope=SCOPE).id
    elsewhere = memory.remember("Heron station 蒼鷺", scope=OTHER).id
    receipt = _erased(memory, subject="Zyxwort")
    assert (receipt.target, receipt.compacted, receipt.wal_truncated) == ("subject", True, True)
    left = _bytes(path)
    for word in _WORDS:
        assert word.encode() not in left, word
    assert b"heron" in left
    assert [item.id for item in memory.recall("heron", scope=SCOPE).items] == [stays]
    assert [item.id for item in memory.recall("heron", scope=OTHER).items] == [elsewhere]
    found = memory.recall("Zyxwort bees 蜜蜂", scope=SCOPE, known_at=NOW).candidates
    assert not [item for item in found if any(word in item.text for word in _WORDS)]
    assert memory.recall("Where is Zyxwort?", scope=SCOPE).answer is None
    assert [each.counts for each in memory.erasures()] == [receipt.counts]


def test_an_id_is_erased_alone(memory: Memory, path: Path) -> None:
    one = memory.remember("The zyxwort blooms in May", scope=SCOPE).id
    other = memory.remember("The heron fishes at dawn", scope=SCOPE).id
    _erased(memory, ids=[one])
    assert b"zyxwort" not in _bytes(path).lower()
    with pytest.raises(NotFoundError):
        memory.get(one, scope=SCOPE)
    assert memory.get(other, scope=SCOPE).status == "active"
    # Told again it is a new memory, for nothing is known of the first.
    assert memory.remember("The zyxwort blooms in May", scope=SCOPE).outcome == "created"


def test_a_whole_scope_goes_with_its_name(memory: Memory, path: Path) -> None:
    scope = Scope.agent("zyxwort-the-third")
    memory.remember("The heron is grey", scope=scope)
    stays = memory.remember("The heron fishes at dawn", scope=SCOPE).id
    plan = memory.erase(scope=scope, everything=True)
    assert isinstance(plan, ErasePlan)
    memory.erase(scope=scope, everything=True, confirm=plan.token)
    assert b"zyxwort" not in _bytes(path)
    assert memory.get(stays, scope=SCOPE).status == "active"


def test_a_plan_goes_stale_with_what_it_was_made_of(memory: Memory) -> None:
    kept = _full_life(memory)
    plan = _plan(memory, ids=[kept])
    memory.edit(kept, scope=SCOPE, title="other bees")
    with pytest.raises(ReviewStale):
        memory.erase(scope=SCOPE, ids=[kept], confirm=plan.token)
    assert memory.get(kept, scope=SCOPE).title == "other bees"


def test_an_erased_successor_does_not_make_its_predecessor_hold_again(memory: Memory) -> None:
    old = memory.remember("The rent is 900", scope=SCOPE, now=NOW - timedelta(days=9)).id
    new = memory.remember("The rent is 950", scope=SCOPE, supersedes=old).id
    _erased(memory, ids=[new])
    record = memory.get(old, scope=SCOPE)
    assert (record.superseded_by, record.invalid_at_ms is None) == (None, False)
    assert memory.recall("the rent", scope=SCOPE).items == ()


@pytest.mark.parametrize(
    ("target", "error"),
    [
        ({}, InputError),
        ({"ids": ["mem_1"], "subject": "Ada"}, InputError),
        ({"ids": []}, InputError),
        ({"ids": "mem_1"}, InputError),
        ({"ids": ["mem_000000000000000000000000"]}, NotFoundError),
        ({"subject": " "}, TextError),
    ],
)
def test_what_names_no_one_target_erases_nothing(
    memory: Memory, target: dict[str, Any], error: type[Exception]
) -> None:
    kept = memory.remember("The heron fishes at dawn", scope=SCOPE).id
    with pytest.raises(error):
        memory.erase(scope=SCOPE, **target)
    for scope in ("", None, []):
        with pytest.raises(ScopeError):
            memory.erase(scope=scope, everything=True)  # type: ignore[arg-type]
    assert memory.get(kept, scope=SCOPE).status == "active"


def test_nobody_erases_what_is_not_of_their_scopes(memory: Memory) -> None:
    kept = _full_life(memory)
    with pytest.raises(NotFoundError):
        memory.erase(scope=OTHER, ids=[kept])
    plan = memory.erase(scope=OTHER, subject="Zyxwort")
    assert isinstance(plan, ErasePlan)
    assert (plan.memories, plan.answers, plan.also_said) == ((), (), ())
    assert not any(plan.counts.values())


# By hand


@pytest.mark.usefixtures("alone")
def test_the_command_shows_what_would_go_and_erases_what_was_shown(ask: Callable[..., Any]) -> None:
    stored = ask("remember", "Zyxwort keeps bees", *ATLAS)
    plan = ask("erase", stored["id"], *ATLAS)
    assert [each["id"] for each in plan["memories"]] == [stored["id"]]
    assert ask("explain", stored["id"], *ATLAS)["record"]["status"] == "active"
    receipt = ask("erase", stored["id"], "--confirm", plan["token"], *ATLAS)
    assert (receipt["target"], receipt["counts"]["memory"]) == ("ids", 1)
    gone = ask("erase", stored["id"], *ATLAS, code=1)
    assert gone["error"]["type"] == "NotFoundError"
    (kept,) = ask("erase", "--receipts")["receipts"]
    assert (kept["id"], kept["key"]) == (receipt["id"], "")
    assert ask("erase", "--finish") == {"finished": True}


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    "words",
    [
        ("erase",),
        ("erase", "mem_1", "--subject", "Ada"),
        ("erase", "--everything"),
        ("erase", "--finish", "--receipts"),
    ],
)
def test_a_command_that_names_no_one_target_is_refused(
    ask: Callable[..., Any], words: tuple[str, ...]
) -> None:
    ask("remember", "Zyxwort keeps bees", *ATLAS)
    assert ask(*words, code=2)["error"]["type"] == "InputError"


def test_a_scope_that_is_told_of_again_is_seen_by_everybody(
    memory: Memory, open_memory: Callable[..., Memory]
) -> None:
    other = open_memory()
    scope = Scope.agent("ada")
    for each in (memory, other):
        each.remember("The heron is grey", scope=scope)
        assert each.recall("heron", scope=scope).candidates
    plan = memory.erase(scope=scope, everything=True)
    assert isinstance(plan, ErasePlan)
    memory.erase(scope=scope, everything=True, confirm=plan.token)
    memory.remember("The heron is white", scope=scope)
    for each in (memory, other):
        assert [item.text for item in each.recall("heron", scope=scope).items] == ["The heron is white"]


def test_what_an_erased_memory_had_superseded_can_be_restored(memory: Memory) -> None:
    old = memory.remember("The rent is 900", scope=SCOPE, now=NOW - timedelta(days=9)).id
    new = memory.remember("The rent is 950", scope=SCOPE, supersedes=old).id
    _erased(memory, ids=[new])
    assert memory.restore(old, scope=SCOPE).invalid_at_ms is None
    assert [item.id for item in memory.recall("the rent", scope=SCOPE).items] == [old]
