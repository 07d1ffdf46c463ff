"""Does the timeline path find the days that were asked about, and the newest where that is asked?"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import cast
from zoneinfo import ZoneInfo

import pytest

from memweir import Draft
from memweir.retrieval.timeline import MOST_WINDOWS, TimelinePath
from memweir.retrieval.types import Query, Ranking
from memweir.store.reads import TimedHit
from memweir.store.seam import Reader
from memweir.store.sqlite import SqliteStore
from memweir.store.view import View
from memweir.testing import NOW, draft

Put = Callable[..., list[str]]
Ask = Callable[..., Query]

DAY = datetime(2026, 5, 6, 9, tzinfo=UTC)  # a Wednesday; NOW is Monday 15 June 2026


def _event(text: str, start: datetime = DAY, *, hours: float = 1, age_days: float = 300) -> Draft:
    end = start + timedelta(hours=hours)
    return draft(text, age_days=age_days, event_start=start, event_end=end)


def _scores(ranking: Ranking) -> dict[str, float]:
    return {hit.id: hit.score for hit in ranking.hits}


def test_query_without_a_date_ranks_nothing(store: SqliteStore, put: Put, ask: Ask) -> None:
    put(_event("lease"), "lunch")
    ranking = TimelinePath(store).rank(ask("where is the lease"), limit=5)
    assert (ranking.hits, ranking.note) == ((), "the query names no time")


def test_day_without_a_memory_says_so(store: SqliteStore, put: Put, ask: Ask) -> None:
    put(_event("lease"))
    ranking = TimelinePath(store).rank(ask("what happened on 2026-05-07?"), limit=5)
    assert (ranking.hits, ranking.note) == ((), "nothing lies in the window")


def test_event_counts_more_than_telling_and_telling_of_another_day_least(
    store: SqliteStore, put: Put, ask: Ask
) -> None:
    event, told, elsewhere = put(
        _event("the event itself"),
        draft("told that day", created_at=DAY),
        draft(
            "told that day of another",
            created_at=DAY,
            event_start=DAY - timedelta(days=90),
            event_end=DAY - timedelta(days=89),
        ),
    )
    put(_event("the day before", DAY - timedelta(days=1)), draft("told later", age_days=1))
    ranking = TimelinePath(store).rank(ask("what happened on 2026-05-06?"), limit=9)
    assert _scores(ranking) == {event: 1.0, told: 0.8, elsewhere: 0.3}
    assert [hit.id for hit in ranking.hits] == [event, told, elsewhere]
    assert {hit.why["window"] for hit in ranking.hits} == {"2026-05-06..2026-05-06"}


def test_year_that_was_guessed_counts_less(store: SqliteStore, put: Put, ask: Ask) -> None:
    (event,) = put(_event("lease"))
    path = TimelinePath(store)
    assert _scores(path.rank(ask("on May 6, 2026"), limit=5)) == {event: 1.0}
    assert _scores(path.rank(ask("on May 6"), limit=5)) == {event: pytest.approx(0.9)}
    assert _scores(path.rank(ask("5月6号"), limit=5)) == {event: pytest.approx(0.9)}


@pytest.mark.parametrize(
    ("start", "hours", "found"),
    [
        (datetime(2026, 5, 5, 23, tzinfo=UTC), 1.0, False),  # ends as the day begins
        (datetime(2026, 5, 5, 23, tzinfo=UTC), 1.01, True),
        (datetime(2026, 5, 6, tzinfo=UTC), 0.5, True),
        (datetime(2026, 5, 6, 23, 59, tzinfo=UTC), 5.0, True),
        (datetime(2026, 5, 7, tzinfo=UTC), 1.0, False),  # begins as the day ends
        (datetime(2026, 5, 1, tzinfo=UTC), 240.0, True),  # lasts over it
    ],
)
def test_window_of_a_day_is_half_open(
    store: SqliteStore, put: Put, ask: Ask, start: datetime, hours: float, found: bool
) -> None:
    (event,) = put(_event("a trip", start, hours=hours))
    ranking = TimelinePath(store).rank(ask("on 2026-05-06"), limit=5)
    assert ([hit.id for hit in ranking.hits] == [event]) is found


def test_day_is_the_callers(store: SqliteStore, put: Put, ask: Ask) -> None:
    shanghai = ZoneInfo("Asia/Shanghai")
    (early,) = put(_event("early", datetime(2026, 5, 6, 1, tzinfo=shanghai)))  # 5 May 17:00 in UTC
    path = TimelinePath(store)
    assert path.rank(ask("on 2026-05-06"), limit=5).hits == ()
    theirs = ask("on 2026-05-06", now=NOW.astimezone(shanghai))
    assert [hit.id for hit in path.rank(theirs, limit=5).hits] == [early]


def test_within_the_window_the_words_decide(store: SqliteStore, put: Put, ask: Ask) -> None:
    first, second, third = put(
        _event("the lease"), _event("the lamp"), draft("the bill", created_at=DAY)
    )
    seeded = ask("on 2026-05-06", seeds={third: 0.9, second: 0.4, "mem_elsewhere": 0.3})
    ranking = TimelinePath(store).rank(seeded, limit=9)
    assert [hit.id for hit in ranking.hits] == [third, second, first]
    assert _scores(ranking) == {third: 0.8, second: 1.0, first: 1.0}


def test_two_dates_are_two_windows(store: SqliteStore, put: Put, ask: Ask) -> None:
    one, two = put(_event("one"), _event("two", DAY + timedelta(days=20)))
    put(_event("between", DAY + timedelta(days=9)))
    ranking = TimelinePath(store).rank(ask("2026-05-06 or rather 2026-05-26?"), limit=9)
    assert set(_scores(ranking)) == {one, two}


class Counted:
    """A reader that notes the windows it is asked for."""

    def __init__(self, store: SqliteStore) -> None:
        self.asked: list[tuple[int, int]] = []
        self._store = store

    def event_window(self, view: View, start_ms: int, end_ms: int, limit: int) -> list[TimedHit]:
        self.asked.append((start_ms, end_ms))
        return self._store.event_window(view, start_ms, end_ms, limit)

    def created_window(self, view: View, start_ms: int, end_ms: int, limit: int) -> list[TimedHit]:
        return self._store.created_window(view, start_ms, end_ms, limit)


@pytest.mark.parametrize("text", ["2026-05-06 ", "2026年5月6日", "2026-05-06, May 6 2026, 2026/5/6; "])
def test_day_that_is_named_again_is_looked_up_once(
    store: SqliteStore, put: Put, ask: Ask, text: str
) -> None:
    (event,) = put(_event("lease"))
    reader = Counted(store)
    once = TimelinePath(store).rank(ask(text), limit=5)
    again = TimelinePath(cast("Reader", reader)).rank(ask(text * 50), limit=5)
    assert again.hits == once.hits
    assert [hit.id for hit in again.hits] == [event]
    assert len(reader.asked) == 1


def test_year_said_once_counts_in_full_however_often_it_is_left_out(
    store: SqliteStore, put: Put, ask: Ask
) -> None:
    (event,) = put(_event("lease"))
    for text in ("May 6, and May 6, 2026", "May 6, 2026, yes May 6"):
        assert _scores(TimelinePath(store).rank(ask(text), limit=5)) == {event: 1.0}


def test_of_more_windows_than_are_looked_up_the_first_and_the_last_count(
    store: SqliteStore, put: Put, ask: Ask
) -> None:
    days = [DAY + timedelta(days=number) for number in range(MOST_WINDOWS + 8)]
    ids = put(*(_event(f"event {number}", day) for number, day in enumerate(days)))
    half = MOST_WINDOWS // 2
    reader = Counted(store)
    path = TimelinePath(cast("Reader", reader))
    listed = " ".join(f"{day:%Y-%m-%d}" for day in days)
    assert set(_scores(path.rank(ask(listed), limit=99))) == {*ids[:half], *ids[-half:]}
    assert len(reader.asked) == MOST_WINDOWS
    fewer = " ".join(f"{day:%Y-%m-%d}" for day in days[:MOST_WINDOWS])
    assert set(_scores(path.rank(ask(fewer), limit=99))) == set(ids[:MOST_WINDOWS])


@pytest.mark.parametrize("query", ["what's the latest?", "最近一次"])
def test_latest_of_everything_is_what_was_told_last(
    store: SqliteStore, put: Put, ask: Ask, query: str
) -> None:
    ids = put(*(draft(f"note {age}", age_days=age) for age in (9, 1, 4)))
    ranking = TimelinePath(store).rank(ask(query), limit=2)
    assert [(hit.id, hit.score) for hit in ranking.hits] == [(ids[1], 1.0), (ids[2], 0.5)]


def test_latest_of_something_is_the_newest_about_it(store: SqliteStore, put: Put, ask: Ask) -> None:
    old, new, remark = put(
        draft("parser decided: PEG", age_days=300),
        draft("parser decided: Earley", age_days=200),
        draft("the parser is slow", age_days=100),
    )
    put(*(draft(f"note {number}", age_days=number / 10) for number in range(60)))
    query = ask("the latest decision on the parser", seeds={old: 0.9, new: 0.8, remark: 0.3})
    ranking = TimelinePath(store).rank(query, limit=5)
    # The remark has less than half of the best seed's relevance. A seed's own relevance is the ceiling.
    assert [(hit.id, hit.score) for hit in ranking.hits] == [(new, 0.8), (old, pytest.approx(0.45))]
    assert {hit.why["window"] for hit in ranking.hits} == {"latest"}


def test_latest_of_something_unknown_is_only_a_weak_guess(
    store: SqliteStore, put: Put, ask: Ask
) -> None:
    put(*(draft(f"note {number}", age_days=number + 1) for number in range(3)))
    for query in (
        ask("the latest news about elephants"),
        ask("关于大象的最新消息", seeds={"mem_gone": 0.0}),
    ):
        ranking = TimelinePath(store).rank(query, limit=5)
        assert [hit.score for hit in ranking.hits] == pytest.approx([0.3, 0.15, 0.1])


def test_latest_tells_nothing_of_after_the_instant_asked_about(
    store: SqliteStore, put: Put, ask: Ask
) -> None:
    before, _ = put(draft("before", age_days=10), draft("after", age_days=1))
    query = ask("what's the latest?", as_of=NOW - timedelta(days=5), point_in_time=True)
    assert [hit.id for hit in TimelinePath(store).rank(query, limit=5).hits] == [before]


def test_date_beside_latest_is_what_counts(store: SqliteStore, put: Put, ask: Ask) -> None:
    event, _ = put(_event("lease"), draft("newer", age_days=1))
    ranking = TimelinePath(store).rank(ask("the latest on 2026-05-06"), limit=5)
    assert [hit.id for hit in ranking.hits] == [event]


@pytest.mark.parametrize("query", ["what did we talk about on 6 May 2026?", "2026年5月6日我们聊了什么"])
def test_question_about_a_talk_means_the_day_it_was_told(
    store: SqliteStore, put: Put, ask: Ask, query: str
) -> None:
    day = datetime(2026, 5, 6, 12, tzinfo=UTC)
    told, about = put(
        draft("The cello is in the attic", created_at=day),
        draft(
            "Signed the lease", created_at=day + timedelta(days=2),
            event_start=day.replace(hour=0), event_end=day.replace(hour=0) + timedelta(days=1),
        ),
    )  # fmt: skip
    hits = {hit.id: hit.score for hit in TimelinePath(store).rank(ask(query), limit=9).hits}
    assert hits[told] > hits[about]
    other = {
        hit.id: hit.score
        for hit in TimelinePath(store).rank(ask("what happened on 6 May 2026?"), limit=9).hits
    }
    assert other[told] < other[about]
