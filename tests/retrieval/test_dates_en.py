"""English date expressions, each with the exact days it means on Wednesday 15 October 2025."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from memweir.retrieval import dates_en, dates_numeric
from memweir.retrieval.dates import find_dates
from memweir.retrieval.dates_grammar import fold
from memweir.retrieval.types import Window

NOW = datetime(2025, 10, 15, 12, tzinfo=UTC)  # a Wednesday; the week is 13 to 19 October

# text with the span in [brackets] | first day | last day (empty: the same) | flag: R recurring
TABLE = """
what did I do [today]                       | 2025-10-15 |            |
[yesterday]                                 | 2025-10-14 |            |
[tomorrow] morning                          | 2025-10-16 |            |
dinner [tonight]                            | 2025-10-15 |            |
we talked [last night]                      | 2025-10-14 |            |
[this morning]                              | 2025-10-15 |            |
[earlier today]                             | 2025-10-15 |            |
[the day before yesterday]                  | 2025-10-13 |            |
[day after tomorrow]                        | 2025-10-17 |            |
[3 days ago]                                | 2025-10-12 |            |
[three days ago]                            | 2025-10-12 |            |
[a day ago]                                 | 2025-10-14 |            |
[twenty days ago]                           | 2025-09-25 |            |
[a couple of days ago]                      | 2025-10-12 | 2025-10-13 |
[a few days ago]                            | 2025-10-08 | 2025-10-13 |
[2-3 days ago]                              | 2025-10-12 | 2025-10-13 |
[two or three days ago]                     | 2025-10-12 | 2025-10-13 |
[a week ago]                                | 2025-10-06 | 2025-10-12 |
[two weeks ago]                             | 2025-09-29 | 2025-10-05 |
[a fortnight ago]                           | 2025-09-29 | 2025-10-05 |
[a month ago]                               | 2025-09-01 | 2025-09-30 |
[half a year ago]                           | 2025-04-01 | 2025-04-30 |
[2 years ago]                               | 2023-01-01 | 2023-12-31 |
[13 hours ago]                              | 2025-10-14 |            |
[5 minutes ago]                             | 2025-10-15 |            |
in [the last 24 hours]                      | 2025-10-14 | 2025-10-15 |
the exam is [in 3 days]                     | 2025-10-18 |            |
it is due [in two weeks]                    | 2025-10-27 | 2025-11-02 |
[5 days from now]                           | 2025-10-20 |            |
[last week]                                 | 2025-10-06 | 2025-10-12 |
[this week]                                 | 2025-10-13 | 2025-10-19 |
[next week]                                 | 2025-10-20 | 2025-10-26 |
[the week before last]                      | 2025-09-29 | 2025-10-05 |
[the month after next]                      | 2025-12-01 | 2025-12-31 |
[last month]                                | 2025-09-01 | 2025-09-30 |
[last quarter]                              | 2025-07-01 | 2025-09-30 |
[next year]                                 | 2026-01-01 | 2026-12-31 |
[earlier this week]                         | 2025-10-13 | 2025-10-15 |
[later this month]                          | 2025-10-15 | 2025-10-31 |
[last Friday]                               | 2025-10-10 |            |
[last wednesday]                            | 2025-10-08 |            |
[this Friday]                               | 2025-10-17 |            |
[this past Friday]                          | 2025-10-10 |            |
[next Monday]                               | 2025-10-20 |            |
[next Friday]                               | 2025-10-24 |            |
on [Friday]                                 | 2025-10-10 |            |
on [Wednesday]                              | 2025-10-15 |            |
we will meet on [Friday]                    | 2025-10-17 |            |
[Tuesday of last week]                      | 2025-10-07 |            |
[last week on Tuesday]                      | 2025-10-07 |            |
[past 3 days]                               | 2025-10-12 | 2025-10-15 |
[the last 2 weeks]                          | 2025-10-01 | 2025-10-15 |
[the past two months]                       | 2025-08-15 | 2025-10-15 |
in [the last week]                          | 2025-10-08 | 2025-10-15 |
over [the past year]                        | 2024-10-15 | 2025-10-15 |
in [the next few days]                      | 2025-10-15 | 2025-10-22 |
[recently]                                  | 2025-10-01 | 2025-10-15 |
anything new [lately]?                      | 2025-10-01 | 2025-10-15 |
[the other day]                             | 2025-10-08 | 2025-10-14 |
in [May]                                    | 2025-05-01 | 2025-05-31 | R
IN [MAY]                                    | 2025-05-01 | 2025-05-31 | R
what did I do in [may]                      | 2025-05-01 | 2025-05-31 | R
our [November] trip                         | 2024-11-01 | 2024-11-30 | R
in [October]                                | 2025-10-01 | 2025-10-31 | R
what will we do in [December]?              | 2025-12-01 | 2025-12-31 | R
what did we do in [December]?               | 2024-12-01 | 2024-12-31 | R
what did I say I will do in [December]?     | 2024-12-01 | 2024-12-31 | R
[last May]                                  | 2025-05-01 | 2025-05-31 |
[last October]                              | 2024-10-01 | 2024-10-31 |
[last November]                             | 2024-11-01 | 2024-11-30 |
[this May]                                  | 2025-05-01 | 2025-05-31 |
[next May]                                  | 2026-05-01 | 2026-05-31 |
[next December]                             | 2025-12-01 | 2025-12-31 |
in [May 2023]                               | 2023-05-01 | 2023-05-31 |
in [May of last year]                       | 2024-05-01 | 2024-05-31 |
[May last year]                             | 2024-05-01 | 2024-05-31 |
on [May 5th]                                | 2025-05-05 |            | R
[5 May]                                     | 2025-05-05 |            | R
[the 5th of May]                            | 2025-05-05 |            | R
[the fifth of May]                          | 2025-05-05 |            | R
[October 15]                                | 2025-10-15 |            | R
[October 16]                                | 2024-10-16 |            | R
[Feb 29]                                    | 2024-02-29 |            | R
[May 5, 2023]                               | 2023-05-05 |            |
[may 5 2023]                                | 2023-05-05 |            |
[31 October 1559]                           | 1559-10-31 |            |
[Friday, May 5, 2023]                       | 2023-05-05 |            |
[Dec. 25]                                   | 2024-12-25 |            | R
[May 5-10, 2023]                            | 2023-05-05 | 2023-05-10 |
[5-7 May]                                   | 2025-05-05 | 2025-05-07 | R
[from May 5 to 10]                          | 2025-05-05 | 2025-05-10 | R
[between May 5 and 10, 2023]                | 2023-05-05 | 2023-05-10 |
[2026-10-14]                                | 2026-10-14 |            |
at [2026-10-14]T08:00:00Z                   | 2026-10-14 |            |
[2026/10/14]                                | 2026-10-14 |            |
[2026.10.14]                                | 2026-10-14 |            |
[2026-10]                                   | 2026-10-01 | 2026-10-31 |
[13/6/2023]                                 | 2023-06-13 |            |
[6/13/2023]                                 | 2023-06-13 |            |
in [2023]                                   | 2023-01-01 | 2023-12-31 |
the summer games of [2008]                  | 2008-01-01 | 2008-12-31 |
[since March]                               | 2025-03-01 | 2025-10-15 |
[since 2019]                                | 2019-01-01 | 2025-10-15 |
[since last week]                           | 2025-10-06 | 2025-10-15 |
[between March and June]                    | 2025-03-01 | 2025-06-30 | R
[from March to June]                        | 2025-03-01 | 2025-06-30 | R
[from November to February]                 | 2024-11-01 | 2025-02-28 | R
[from 2023-01-02 to 2023-02-03]             | 2023-01-02 | 2023-02-03 |
[May 5 - June 3, 2023]                      | 2023-05-05 | 2023-06-03 |
[from 2019 to 2021]                         | 2019-01-01 | 2021-12-31 |
[between yesterday and today]               | 2025-10-14 | 2025-10-15 |
[from last Monday until Friday]             | 2025-10-13 | 2025-10-17 |
[Mon-Fri]                                   | 2025-10-13 | 2025-10-17 |
[before May 2023]                           | 0001-01-01 | 2023-04-30 |
[before 2020]                               | 0001-01-01 | 2019-12-31 |
[after Christmas 2024]                      | 2024-12-26 | 9999-12-31 |
[until yesterday]                           | 0001-01-01 | 2025-10-14 |
[from May 2023 onwards]                     | 2023-05-01 | 9999-12-31 |
[two days before Christmas]                 | 2024-12-23 |            | R
[the day after Christmas 2023]              | 2023-12-26 |            |
[the week before Easter 2024]               | 2024-03-24 | 2024-03-30 |
[the week of May 5]                         | 2025-05-05 | 2025-05-11 | R
[Q3 2025]                                   | 2025-07-01 | 2025-09-30 |
in [Q3]                                     | 2025-07-01 | 2025-09-30 | R
[2024 Q4]                                   | 2024-10-01 | 2024-12-31 |
[the second quarter of last year]           | 2024-04-01 | 2024-06-30 |
[first half of 2024]                        | 2024-01-01 | 2024-06-30 |
[H1 2024]                                   | 2024-01-01 | 2024-06-30 |
what did I do over [the weekend]            | 2025-10-11 | 2025-10-12 |
[last summer]                               | 2025-06-01 | 2025-08-31 |
[last winter]                               | 2024-12-01 | 2025-02-28 |
[this autumn]                               | 2025-09-01 | 2025-11-30 |
[next spring]                               | 2026-03-01 | 2026-05-31 |
in the [summer of 2023]                     | 2023-06-01 | 2023-08-31 |
[winter 2023]                               | 2023-12-01 | 2024-02-29 |
at [Christmas]                              | 2024-12-25 |            | R
[last Christmas]                            | 2024-12-25 |            |
[next Christmas]                            | 2025-12-25 |            |
[Christmas Eve last year]                   | 2024-12-24 |            |
[New Year's Eve]                            | 2024-12-31 |            | R
[New Year's Day 2020]                       | 2020-01-01 |            |
[Halloween]                                 | 2024-10-31 |            | R
[Thanksgiving]                              | 2024-11-28 |            | R
[Thanksgiving 2023]                         | 2023-11-23 |            |
[Valentine's Day]                           | 2025-02-14 |            | R
[Easter 2024]                               | 2024-03-31 |            |
[Chinese New Year 2026]                     | 2026-02-17 | 2026-02-23 |
[the first week of March]                   | 2025-03-01 | 2025-03-07 | R
[the last week of May 2024]                 | 2024-05-25 | 2024-05-31 |
[the last day of the month]                 | 2025-10-31 |            |
[the first Monday of May 2024]              | 2024-05-06 |            |
[mid-May]                                   | 2025-05-11 | 2025-05-20 | R
[early June]                                | 2025-06-01 | 2025-06-10 | R
[late June]                                 | 2025-06-21 | 2025-06-30 | R
[end of the month]                          | 2025-10-21 | 2025-10-31 |
at [the end of last month]                  | 2025-09-21 | 2025-09-30 |
[early 2023]                                | 2023-01-01 | 2023-04-30 |
by [the end of 2023]                        | 2023-11-01 | 2023-12-31 |
[late last year]                            | 2024-09-01 | 2024-12-31 |
"""


def rows(table: str) -> list[tuple[str, str, Window, bool]]:
    """(text, the words of the span, the days, recurring) of every row."""
    found = []
    for line in table.strip().splitlines():
        marked, first, last, flag = (cell.strip() for cell in line.split("|"))
        span = marked[marked.index("[") + 1 : marked.index("]")]
        begin = date.fromisoformat(first)
        window = Window(begin, date.fromisoformat(last) if last else begin)
        found.append((marked.replace("[", "").replace("]", ""), span, window, flag == "R"))
    return found


@pytest.mark.parametrize(("text", "words", "window", "recurring"), rows(TABLE))
def test_english_expression_means_exactly_these_days(
    text: str, words: str, window: Window, recurring: bool
) -> None:
    (span,) = find_dates(text, NOW)
    assert (text[span.start : span.end], span.window, span.recurring) == (words, window, recurring)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the latest version", "latest"),
        ("my most recent trip", "most recent"),
        ("the newest entry", "newest"),
        ("what did we eat last time", "last time"),
    ],
)
def test_an_order_asks_for_the_latest_and_has_no_window(text: str, words: str) -> None:
    (span,) = find_dates(text, NOW)
    assert (text[span.start : span.end], span.latest, span.window) == (words, True, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yesterday and today", ["yesterday", "today"]),
        ("in 2023 and 2024", ["2023", "2024"]),
        ("in May and June", ["May", "June"]),
        ("I moved it from Friday to Monday", ["Friday", "Monday"]),  # two dates, no stretch
    ],
)
def test_dates_side_by_side_stay_apart(text: str, expected: list[str]) -> None:
    assert [text[span.start : span.end] for span in find_dates(text, NOW)] == expected


def test_months_of_a_list_share_the_year_said_once() -> None:
    windows = [span.window for span in find_dates("in May or June 2023", NOW)]
    assert windows == [
        Window(date(2023, 5, 1), date(2023, 5, 31)),
        Window(date(2023, 6, 1), date(2023, 6, 30)),
    ]


@pytest.mark.parametrize(
    ("now", "text", "first"),
    [
        (date(2024, 2, 29), "a year ago", date(2023, 1, 1)),
        (date(2024, 2, 29), "past 12 months", date(2023, 2, 28)),  # 29 February has no match in 2023
        (date(2024, 3, 31), "last month", date(2024, 2, 1)),
        (date(2024, 1, 1), "yesterday", date(2023, 12, 31)),
        (date(2024, 1, 1), "last week", date(2023, 12, 25)),  # 1 January 2024 is a Monday
        (date(2024, 1, 1), "last quarter", date(2023, 10, 1)),
        (date(2024, 12, 31), "tomorrow", date(2025, 1, 1)),
        (date(2024, 12, 31), "next month", date(2025, 1, 1)),
        (date(2025, 1, 15), "last winter", date(2023, 12, 1)),  # the winter that runs is not over
        (date(2025, 1, 15), "this winter", date(2024, 12, 1)),
        (date(2025, 12, 26), "last Christmas", date(2025, 12, 25)),
        (date(2025, 12, 25), "last Christmas", date(2024, 12, 25)),
    ],
)
def test_year_boundaries_and_leap_days_are_kept(now: date, text: str, first: date) -> None:
    (span,) = find_dates(text, datetime(now.year, now.month, now.day, 12, tzinfo=UTC))
    assert span.window is not None
    assert span.window.first == first


def test_a_rule_left_out_by_its_cheap_conditions_could_not_have_matched() -> None:
    rules, matched = (*dates_numeric.RULES, *dates_en.RULES), set()
    for text in ["the latest", *(row[0] for row in rows(TABLE))]:
        folded = fold(text)
        for rule in rules:
            if rule.pattern.search(folded):
                matched.add(rule.name)
                assert any(word in folded for word in rule.needs), (rule.name, text)
                assert rule.hint is None or rule.hint.search(folded), (rule.name, text)
    assert matched == {rule.name for rule in rules}  # the table reaches every one
