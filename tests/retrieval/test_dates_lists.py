"""Is a text that is a list of dates read at its ends, and any other one as ever?"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.retrieval.dates import blanked, find_dates, read_dates

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)

FORMS = (
    *(
        "2026-05-06 ",
        "5月6日，",
        "昨天",
        "上周五 ",
        "in May, ",
        "3 days ago ",
        "May 6, ",
        "every Friday ",
    ),
    *("may I ", "2月30日 ", "from 1 May to 3 May; ", "lunch ", "午饭", "最近一次 "),
)


@given(st.lists(st.sampled_from(FORMS), max_size=12).map("".join))
@settings(deadline=None, max_examples=200)
def test_text_that_is_no_list_is_read_as_ever(text: str) -> None:
    assert read_dates(text, NOW, most=64) == (find_dates(text, NOW), ())


@given(st.lists(st.sampled_from(FORMS), max_size=30).map("".join), st.integers(2, 6))
@settings(deadline=None, max_examples=200)
def test_what_is_not_read_was_a_date_and_is_told_once(text: str, most: int) -> None:
    whole = find_dates(text, NOW)
    spans, unread = read_dates(text, NOW, most=most)
    places = sorted([*((each.start, each.end) for each in spans), *unread])
    assert all(end <= start for (_, end), (start, _) in pairwise(places))
    if not unread:
        assert spans == whole


@pytest.mark.parametrize(
    ("form", "most"), [("2026-05-{:02} ", 4), ("2026年5月{}日，", 4), ("May {}, ", 6), ("5月{}号", 6)]
)
def test_list_of_dates_is_read_at_both_ends(form: str, most: int) -> None:
    words = [form.format(day) for day in range(1, 29)]
    spans, unread = read_dates("".join(words), NOW, most=most)
    half = most // 2
    days = [*range(1, 1 + half), *range(29 - half, 29)]
    windows = [span.window for span in spans]
    assert [each.first for each in windows if each] == [date(2026, 5, day) for day in days]
    assert len(unread) == 28 - most
    left = blanked("".join(words), unread)
    assert find_dates(left, NOW) == spans


def test_list_in_which_not_all_are_dates_is_read_whole() -> None:
    days = [date(2026, 5, 1) + timedelta(days=number) for number in range(28)]
    text = "every Friday, " + "on Friday, " * 20
    assert read_dates(text, NOW, most=6) == (find_dates(text, NOW), ())
    assert len(find_dates(text, NOW)) == 20
    may = "you may go, " * 20 + " ".join(map(str, days))  # the word is too weak to be a date alone
    spans, unread = read_dates(may, NOW, most=6)
    assert (len(spans), len(unread)) == (6, 22)
    assert all(may[start:end].startswith("2026-05-") for start, end in unread)


def test_form_that_is_rare_is_read_in_a_list_of_another_form() -> None:
    text = "2026-05-06 ok\n" * 40 + "what did I say yesterday?" + "\n2026-05-07 ok" * 40
    spans, unread = read_dates(text, NOW, most=8)
    assert [text[span.start : span.end] for span in spans] == [
        *["2026-05-06"] * 4,
        "yesterday",
        *["2026-05-07"] * 4,
    ]
    assert len(unread) == 80 - 8
