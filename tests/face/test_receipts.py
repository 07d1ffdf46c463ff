"""Does a receipt that somebody made by hand ever do more than be refused?"""

from __future__ import annotations

import copy
import dataclasses
import json
import math
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone, tzinfo
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memweir import Memory, Receipt, Rerun
from memweir.errors import InputError
from memweir.retrieval.dates import find_dates
from memweir.testing import NOW, SCOPE, FixedClock

ASKED = "what does the console use?"
TURN = "we set up the console"

DEEP: Any = {}
for _ in range(100_000):
    DEEP = {"x": DEEP}

ODD: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1.5,
    2**63,
    -(2**63) - 1,
    10**400,
    math.nan,
    math.inf,
    -math.inf,
    "",
    "x",
    "\ud83d",
    "a\x00b",
    "9999-12-31T23:59:59+00:00",
    "0001-01-01T00:00:00+14:00",
    "Asia",
    [],
    [[]],
    ["x", 1],
    [None],
    {},
    {"x": 1},
    {"items": None},
    {"": {"": {}}},
]


@pytest.fixture
def memory(open_memory: Callable[..., Memory]) -> Memory:
    memory = open_memory(clock=FixedClock())
    memory.remember("The console uses pnpm", scope=SCOPE)
    memory.answer(ASKED, "pnpm, since March", scope=SCOPE)
    return memory


@pytest.fixture
def receipt(memory: Memory) -> Receipt:
    recall = memory.recall(ASKED, scope=SCOPE, context=[TURN])
    found = memory.receipt(recall.run_id, scope=SCOPE)
    assert found.answer is not None
    assert found.ids
    return found


def bytes_of(path: Path) -> list[bytes]:
    files = (path, path.with_name(path.name + "-wal"))
    return [each.read_bytes() for each in files if each.exists()]


def places(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value within a JSON value, itself left out."""
    if isinstance(value, dict):
        inner: Any = value.items()
    else:
        inner = enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*before, key)
        yield from places(each, (*before, key))


def changed(value: Any, place: tuple[Any, ...], new: Any) -> Any:
    """The JSON value with another at one place; unchanged where the place is gone."""
    table = value = copy.deepcopy(value)
    for key in place[:-1]:
        try:
            table = table[key]
        except (KeyError, IndexError, TypeError):
            return value
    if isinstance(table, dict) or (isinstance(table, list) and place[-1] in range(len(table))):
        table[place[-1]] = new
    return value


json_values = st.recursive(
    st.sampled_from(ODD) | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def outcome(memory: Memory, receipt: Any, text: Any = ASKED) -> str:
    """ "refused" or "asked again"; every other error passes."""
    try:
        found = memory.rerun(receipt, text, context=[TURN])
    except InputError:
        return "refused"
    assert isinstance(found, Rerun)
    return "asked again"


def test_a_receipt_comes_back_from_its_json_and_says_the_same(memory: Memory, receipt: Receipt) -> None:
    again = Receipt.from_json(receipt.to_json())
    assert again == receipt
    assert memory.rerun(again, ASKED, context=[TURN]).same


def test_every_odd_value_at_every_place_is_refused_or_asked_again(
    memory: Memory, receipt: Receipt, path: Path
) -> None:
    whole = json.loads(receipt.to_json())
    before = bytes_of(path)
    refused = 0
    for place in places(whole):
        for odd in ODD[::3] if len(place) > 2 else ODD:
            text = json.dumps(changed(whole, place, odd))
            try:
                made = Receipt.from_json(text)
            except InputError:
                refused += 1
                continue
            # What the engine itself is asked with is the property test's; here the door of the rerun.
            if place[0] not in ("settings", "ids", "block", "memweir", "query", "context"):
                outcome(memory, made)
    assert refused > len(whole)
    assert bytes_of(path) == before


@settings(
    deadline=None,
    max_examples=150,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_a_receipt_changed_at_random_is_refused_or_asked_again_and_nothing_is_written(
    memory: Memory, receipt: Receipt, path: Path, data: st.DataObject
) -> None:
    whole = json.loads(receipt.to_json())
    ways = list(places(whole))
    before = bytes_of(path)
    for _ in range(data.draw(st.integers(1, 3))):
        whole = changed(whole, data.draw(st.sampled_from(ways)), data.draw(json_values))
    try:
        made = Receipt.from_json(json.dumps(whole))
    except InputError:
        pass
    else:
        outcome(memory, made)
    assert bytes_of(path) == before


@pytest.mark.parametrize("part", [each.name for each in dataclasses.fields(Receipt)])
def test_a_receipt_with_a_part_of_another_kind_is_refused_or_asked_again(
    memory: Memory, receipt: Receipt, part: str
) -> None:
    odd = [
        *ODD,
        (),
        ("x",),
        ("x", True),
        ("x", math.inf),
        ("x", 10**5_000),
        (("x", "y"),),
        (("project", 5),),
        10**5_000,
        b"x",
        object(),
        {5: None},
        {"budget": {5: None}},
        {"x": 10**5_000},
        {"x": object()},
        DEEP,
        {"fusion": DEEP},
    ]
    texts = part in ("memweir", "query", "block")
    for each in odd:
        found = outcome(memory, dataclasses.replace(receipt, **{part: each}))
        if not (texts and isinstance(each, str)):
            empty = part in ("ids", "context") and isinstance(each, tuple) and _texts(each)
            fine = empty or (part == "answer" and each is None) or (part == "settings" and each == {})
            fine = fine or (part == "run" and type(each) is int and 0 <= each < 2**63)
            assert found == ("asked again" if fine else "refused"), (part, type(each))


def _texts(values: tuple[Any, ...]) -> bool:
    return all(isinstance(each, str) for each in values)


@pytest.mark.parametrize("wrong", [None, "x", 5, {}, [], Receipt])
def test_what_is_no_receipt_is_not_asked_again(memory: Memory, wrong: Any) -> None:
    assert outcome(memory, wrong) == "refused"


@pytest.mark.parametrize("wrong", [None, 5, b"\xff", "", "{", "[]", "null", "[" * 100_000, "1" * 5_000])
def test_what_is_no_json_of_a_receipt_is_refused(wrong: Any) -> None:
    with pytest.raises(InputError):
        Receipt.from_json(wrong)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("version",), True),
        (("version",), 1.0),
        (("store", "changes"), math.inf),
        (("store", "changes"), True),
        (("store", "changes"), 2**63),
        (("store", "ledger"), math.inf),
        (("store", "ledger"), "3"),
        (("answer", 1), math.inf),
        (("answer", 1), math.nan),
        (("answer", 1), True),
        (("answer", 0), 5),
        (("ids",), "abc"),
        (("now",), ["2026-06-15T12:00:00+00:00"]),
        (("scopes",), [["project", 5]]),
        (("settings", "budget", "items"), math.inf),
    ],
)
def test_a_part_of_another_kind_is_refused_when_it_is_read(
    receipt: Receipt, place: tuple[Any, ...], value: Any
) -> None:
    text = json.dumps(changed(json.loads(receipt.to_json()), place, value))
    with pytest.raises(InputError):
        Receipt.from_json(text)


def test_a_number_beyond_all_numbers_is_refused(receipt: Receipt) -> None:
    whole = changed(json.loads(receipt.to_json()), ("answer", 1), "HERE")
    with pytest.raises(InputError):
        Receipt.from_json(json.dumps(whole).replace('"HERE"', "1e999"))


@pytest.mark.parametrize(
    "section",
    ["fusion", "budget", "retrieval", "store", "answers"]
    + [f"fusion.{each}" for each in ("rrf", "rerank", "gate", "decay")],
)
@pytest.mark.parametrize("value", [5, None, [], "x", True])
def test_settings_whose_section_is_no_object_are_refused(
    memory: Memory, receipt: Receipt, section: str, value: Any
) -> None:
    whole = changed(json.loads(receipt.to_json()), ("settings", *section.split(".")), value)
    made = Receipt.from_json(json.dumps(whole))
    with pytest.raises(InputError, match=section.replace(".", r"\.")):
        memory.rerun(made, ASKED, context=[TURN])


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("nothing", 1),
        ("fusion.nothing", {}),
        ("fusion.gate.nothing", 1),
        ("fusion.gate.mode", 5),
        ("fusion.rrf.weights", 5),
        ("fusion.rrf.weights.graph", "x"),
        ("retrieval.limit", True),
        ("retrieval.embedder", "\ud800"),
        ("timezone", "Asia"),
        ("timezone", 5),
    ],
)
def test_unknown_and_odd_settings_are_refused(
    memory: Memory, receipt: Receipt, key: str, value: Any
) -> None:
    whole = changed(json.loads(receipt.to_json()), ("settings", *key.split(".")), value)
    made = Receipt.from_json(json.dumps(whole))
    assert outcome(memory, made) == "refused"


def test_a_recall_that_was_not_routed_is_not_routed_when_asked_again(
    open_memory: Callable[..., Memory],
) -> None:
    memory = open_memory()
    memory.remember("Buttons of the task board are blue", scope=SCOPE, scene="ui")
    memory.remember("The task board table is indexed", scope=SCOPE, scene="database")
    asked = "change the css of the task board buttons"
    shown = {}
    for route in (True, False):
        recall = memory.recall(asked, scope=SCOPE, route=route)
        shown[route] = [each.id for each in recall.candidates]
        rerun = memory.rerun(memory.receipt(recall.run_id, scope=SCOPE), asked)
        assert rerun.same
        assert [each.id for each in rerun.recall.candidates] == shown[route]
    assert [len(shown[route]) for route in (True, False)] == [1, 2]


# ------------------------------------------------------------------ zones that tell only offsets


class Offset(tzinfo):
    """Eight hours ahead; `dst` is None, which a zone may say."""

    def utcoffset(self, moment: datetime | None) -> timedelta:
        return timedelta(hours=8)

    def tzname(self, moment: datetime | None) -> str:
        return "X"

    def dst(self, moment: datetime | None) -> timedelta | None:
        return None


class Silent(Offset):
    """Does not tell `dst` at all."""

    def dst(self, moment: datetime | None) -> timedelta | None:
        raise NotImplementedError


@pytest.mark.parametrize("zone", [Offset(), Silent()])
def test_a_zone_without_daylight_saving_gives_its_own_calendar_day(
    memory: Memory, zone: tzinfo
) -> None:
    # 20:00 UTC on the 14th is 04:00 on the 15th eight hours ahead.
    told = NOW.replace(day=14, hour=20)
    stored = memory.remember("The kiln stands in the yard", scope=SCOPE, created_at=told)
    at = datetime(2026, 6, 16, 9, tzinfo=zone)
    recall = memory.recall("where does the kiln stand?", scope=SCOPE, now=at)
    [item] = [each for each in recall.candidates if each.id == stored.id]
    assert item.created == "2026-06-15"
    receipt = memory.receipt(recall.run_id, scope=SCOPE)
    assert memory.rerun(receipt, "where does the kiln stand?").same


@pytest.mark.parametrize("zone", [Offset(), Silent()])
def test_a_memory_is_dated_in_a_zone_without_daylight_saving(
    open_memory: Callable[..., Memory], zone: tzinfo
) -> None:
    memory = open_memory(clock=FixedClock(datetime(2026, 6, 16, 9, tzinfo=zone)))
    told = NOW.replace(day=14, hour=20)
    stored = memory.remember("Yesterday the kiln broke", scope=SCOPE, created_at=told)
    record = memory.get(stored.id, scope=SCOPE)
    # Told on the 15th in that zone: the 14th, which begins at 16:00 UTC on the 13th.
    begins = int(datetime(2026, 6, 13, 16, tzinfo=NOW.tzinfo).timestamp() * 1000)
    assert record.event_start_ms == begins


@pytest.mark.parametrize("zone", [Offset(), Silent()])
@pytest.mark.parametrize("text", ["what broke 48 hours ago?", "what broke yesterday?", "两小时前"])
def test_a_zone_without_daylight_saving_reads_dates_as_a_fixed_offset_does(
    text: str, zone: tzinfo
) -> None:
    fixed = datetime(2026, 6, 16, 1, tzinfo=timezone(timedelta(hours=8)))
    assert find_dates(text, fixed.replace(tzinfo=zone)) == find_dates(text, fixed)
    assert find_dates(text, fixed)
