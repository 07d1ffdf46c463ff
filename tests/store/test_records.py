"""What is a valid draft? Checks that come before anything is read or written, and moments."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memweir.errors import InputError, LimitError, TextError
from memweir.store.records import Draft, Relation, clean_text, from_ms, to_ms
from memweir.store.scopes import Scope
from memweir.testing import NOW, draft

_NAIVE = datetime(2026, 6, 15)
_LABELS = ("title", "semantic_key", "speaker", "scene", "domain", "document_id", "session_id", "source")


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u3000"])
def test_a_memory_without_words_is_an_error(text: str) -> None:
    with pytest.raises(TextError):
        draft(text)


@pytest.mark.parametrize("text", [None, 7, b"bytes", ["list"]])
def test_a_text_that_is_no_string_is_an_error(text: Any) -> None:
    with pytest.raises(InputError):
        draft(text)


@pytest.mark.parametrize("scope", [None, "", "atlas", "global", ("project", "atlas")])
def test_a_draft_needs_a_scope(scope: Any) -> None:
    with pytest.raises(InputError, match="Scope"):
        Draft("text", scope)


@pytest.mark.parametrize("name", ["kind", "layer", "provenance", "origin"])
@pytest.mark.parametrize("value", ["", "FACT", "unheard-of", None, 3, ["fact"]])
def test_a_word_outside_its_list_is_an_error(name: str, value: Any) -> None:
    with pytest.raises(InputError, match=name):
        draft(**{name: value})


@pytest.mark.parametrize("value", [-0.01, 1.01, math.nan, math.inf, -math.inf, True, "0.5", None])
def test_importance_is_a_number_from_nought_to_one(value: Any) -> None:
    with pytest.raises(LimitError, match="importance"):
        draft(importance=value)


@pytest.mark.parametrize("value", [0, 1, "yes", None])
def test_pinned_is_true_or_false(value: Any) -> None:
    with pytest.raises(InputError, match="pinned"):
        draft(pinned=value)


@pytest.mark.parametrize("name", _LABELS)
def test_a_blank_label_is_no_label_and_another_type_is_an_error(name: str) -> None:
    assert getattr(draft(**{name: " \u3000"}), name) is None
    for value in (3, b"x", ["x"]):
        with pytest.raises(InputError, match=name):
            draft(**{name: value})
    with pytest.raises(LimitError):
        draft(**{name: "x" * 4001})


@pytest.mark.parametrize("name", ["tags", "entities"])
def test_labels_in_a_list_are_unique_and_of_the_right_type(name: str) -> None:
    assert getattr(draft(**{name: ["b", "a", "b"]}), name) == ("b", "a")
    assert getattr(draft(**{name: {"b", "a"}}), name) == ("a", "b")  # a set has no order of its own
    for value in ("one text", None, 3, ["ok", " "], ["ok", 3], [f"t{n}" for n in range(65)]):
        with pytest.raises(InputError):
            draft(**{name: value})


@pytest.mark.parametrize("value", [3, b"quote", ["quote"]])
def test_a_quote_that_is_no_string_is_an_error(value: Any) -> None:
    with pytest.raises(InputError, match="raw_quote"):
        draft(raw_quote=value)


@pytest.mark.parametrize("value", [None, 3, "a b c", [("a", "b", "c")], [None]])
def test_relations_are_a_list_of_relations(value: Any) -> None:
    with pytest.raises(InputError, match="relation"):
        draft(relations=value)


@pytest.mark.parametrize(
    "parts", [("", "knows", "b"), ("a", " ", "b"), ("a", "knows", None), (1, "x", "y")]
)
def test_a_relation_names_both_ends_and_what_joins_them(parts: Any) -> None:
    with pytest.raises(InputError):
        Relation(*parts)


@pytest.mark.parametrize("name", ["valid_at", "expires_at", "created_at"])
@pytest.mark.parametrize("value", [_NAIVE, "2026-06-15", 1750000000, _NAIVE.date()])
def test_a_moment_is_a_datetime_with_a_zone(name: str, value: Any) -> None:
    with pytest.raises(InputError):
        draft(age_days=None, **{name: value})


def test_an_event_window_has_two_ends_in_order() -> None:
    for start, end in ((NOW, None), (None, NOW), (NOW, NOW), (NOW, NOW - timedelta(seconds=1))):
        with pytest.raises(InputError, match="event"):
            draft(event_start=start, event_end=end)
    with pytest.raises(InputError, match="event"):  # one millisecond is the finest that is stored
        draft(event_start=NOW, event_end=NOW + timedelta(microseconds=999))
    assert draft(event_start=NOW, event_end=NOW + timedelta(microseconds=1000)).event_start == NOW


def test_lone_surrogates_become_replacement_characters_in_every_field() -> None:
    cut = "done \ud83d"
    one = draft(
        cut,
        title=cut,
        tags=(cut,),
        entities=(cut,),
        raw_quote=cut,
        relations=(Relation(cut, cut, cut),),
        **dict.fromkeys(("speaker", "scene", "domain", "document_id"), cut),
    )
    whole = "done \ufffd"
    assert (one.text, one.title, one.tags, one.entities) == (whole, whole, (whole,), (whole,))
    assert (one.raw_quote, one.speaker, one.scene, one.document_id) == (whole,) * 4
    assert one.relations == (Relation(whole, whole, whole),)


@given(st.text())
def test_a_text_that_utf8_can_carry_is_left_alone_and_any_becomes_one(text: str) -> None:
    cleaned = clean_text(text)
    assert clean_text(cleaned) == cleaned
    assert len(cleaned) == len(text)
    try:
        text.encode()
    except UnicodeEncodeError:
        cleaned.encode()
    else:
        assert cleaned == text


@given(st.datetimes(timezones=st.timezones()))
def test_milliseconds_are_the_same_instant_cut_to_the_millisecond(moment: datetime) -> None:
    if not 2 <= moment.year <= 9998:
        return
    back = from_ms(to_ms(moment))
    assert timedelta(0) <= moment - back < timedelta(milliseconds=1)
    assert back.tzinfo is UTC


def test_moments_at_the_ends_of_the_calendar_do_not_overflow() -> None:
    east, west = timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))
    # Year 1 in the east is year 0 in UTC, year 9999 in the west 10000: clipped on the way back.
    assert from_ms(to_ms(datetime.min.replace(tzinfo=east))) == datetime.min.replace(tzinfo=UTC)
    assert from_ms(to_ms(datetime.max.replace(tzinfo=west))).year == 9999
    assert to_ms(datetime(1970, 1, 1, tzinfo=UTC)) == 0
    assert to_ms(datetime(1969, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC)) == -1
    assert from_ms(-1) == datetime(1969, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC)


def test_a_draft_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        draft().text = "other"  # type: ignore[misc]
    assert draft(scope=Scope.everywhere()) == draft(scope=Scope.everywhere())
