"""When are two memories the same one? Addresses, stable across processes, and keyed hashes."""

from __future__ import annotations

import hashlib
import hmac
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memweir.store.identity import answer_address, document_address, memory_address, query_hash
from memweir.store.records import Draft, to_ms
from memweir.store.scopes import Scope
from memweir.testing import NOW, SCOPE, draft

_NOW_MS = to_ms(NOW)


def _address(one: Draft, normal: str | None = None, *, generation: int = 0) -> str:
    normal = one.text if normal is None else normal
    return memory_address(one, normal, now_ms=_NOW_MS, generation=generation)


def test_an_address_is_a_digest_of_the_parts_as_ascii_json() -> None:
    canonical = '["memory","project","atlas","Ada","","\\u516c\\u53f8"]'
    expected = "mem_" + hashlib.sha256(canonical.encode()).hexdigest()[:24]
    assert _address(draft("公司", speaker="Ada")) == expected


def test_addresses_differ_where_any_part_differs() -> None:
    drafts = [
        draft("a"),
        draft("b"),
        draft("a", speaker="Ada"),
        draft("a", scope=Scope.project("b")),
        draft("a", scope=Scope.team("atlas")),
        draft("a", kind="event"),
        draft("a", kind="event", age_days=9),
    ]
    addresses = {_address(each) for each in drafts} | {_address(draft("a"), generation=1)}
    addresses.add(document_address(SCOPE, "a"))
    assert len(addresses) == 9


def test_parts_that_run_into_each_other_are_still_told_apart() -> None:
    pairs = [
        (draft("x", speaker='a","b'), draft('b","x', speaker="a")),
        (draft("x", scope=Scope.project("ab")), draft("x", scope=Scope.project("a"), speaker="b")),
        (draft("ax"), draft("x", speaker="a")),
    ]
    assert [_address(one) == _address(other) for one, other in pairs] == [False] * 3
    assert document_address(Scope.project("a"), "b:c") != document_address(Scope.project("a:b"), "c")


def test_what_is_said_of_the_same_words_does_not_change_who_they_are() -> None:
    plain = _address(draft("a"))
    for fields in (
        {"title": "t"},
        {"tags": ("t",)},
        {"kind": "preference"},
        {"layer": "belief"},
        {"importance": 0.9},
        {"provenance": "tool"},
        {"scene": "home"},
        {"age_days": 300},
        {"source": "s@1"},
    ):
        assert _address(draft("a", **fields)) == plain


def test_the_day_of_an_event_is_its_utc_day() -> None:
    # 23:30 on the 14th at UTC-5 is 04:30 on the 15th in UTC.
    west = datetime(2026, 6, 14, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    east = datetime(2026, 6, 15, 22, 0, tzinfo=UTC)
    one, other = (draft("a", kind="event", age_days=None, created_at=each) for each in (west, east))
    assert _address(one) == _address(other)
    # A turn without a time is told when it is written.
    assert _address(draft("a", kind="event", age_days=None)) == _address(one)
    # The event's own window comes before the telling.
    window = {"event_start": NOW - timedelta(days=7), "event_end": NOW - timedelta(days=6)}
    assert _address(draft("a", age_days=1, **window)) == _address(draft("a", age_days=5, **window))


@pytest.mark.parametrize("hours", [14, -12])
def test_an_event_at_the_ends_of_the_calendar_has_an_address(hours: int) -> None:
    zone = timezone(timedelta(hours=hours))
    start = datetime.min.replace(tzinfo=zone) if hours > 0 else datetime.max.replace(tzinfo=zone)
    one = draft("a", kind="event", age_days=None, created_at=start)
    assert _address(one).startswith("mem_")


@given(st.text(min_size=1), st.text(min_size=1))
def test_two_texts_share_an_address_only_if_they_are_equal(one: str, other: str) -> None:
    same = _address(draft("x"), one) == _address(draft("x"), other)
    assert same == (one == other)


def test_addresses_are_the_same_in_every_process_and_under_every_hash_seed() -> None:
    code = (
        "from memweir.store.identity import *; from memweir.testing import draft, SCOPE;"
        "print(memory_address(draft('公司 🙂'), '公司 🙂', now_ms=0), document_address(SCOPE, 'd'),"
        "answer_address(SCOPE, 'q'), query_hash('q', b'k'))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    here = (
        memory_address(draft("公司 🙂"), "公司 🙂", now_ms=0),
        document_address(SCOPE, "d"),
        answer_address(SCOPE, "q"),
        query_hash("q", b"k"),
    )
    assert [each.decode().split() for each in printed] == [list(here)]


def test_a_query_hash_is_an_hmac_with_the_stores_key() -> None:
    expected = hmac.new(b"key", "雨 \ufffd".encode(), hashlib.sha256).hexdigest()[:32]
    assert query_hash("雨 \ufffd", b"key") == expected
    assert query_hash("雨", b"key") != query_hash("雨", b"another")
    assert query_hash("cut \ud83d", b"key") == query_hash("cut ?", b"key")
