"""What holds for any text at any moment."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, date, datetime, timedelta, timezone

from hypothesis import example, given, settings
from hypothesis import strategies as st

from memweir.retrieval.dates import event_window, find_dates, window_bounds_ms
from memweir.retrieval.dates_grammar import fold

PHRASES = """
today yesterday last this next past the of in on since before after until between and from to week
weekend month year quarter day days ago Friday sat May march 5th 29 31 2023 2023-02-29 Feb Q3 summer
Christmas Easter a few couple first early mid- end recently latest every will week's now hours minutes
"""
WORDS = sorted(PHRASES.split())
CHARACTERS = (
    "今昨前明后大上下这本去年月日号天周星期礼拜末初中底旬个半第季度春夏秋冬节国庆元旦夕清端午五一二三十两几零〇"
    "最近过来以之间到至从起农历腊正闰每逢多小时分钟的和、，2024-/.ＱＱ３１"
)
ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.one_of(
    st.datetimes(timezones=ZONES),
    st.sampled_from([datetime.min, datetime.max, datetime(1, 3, 1), datetime(9998, 11, 30)]).flatmap(
        lambda moment: ZONES.map(lambda zone: moment.replace(tzinfo=zone))
    ),
)
ENGLISH = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
CHINESE = st.text(st.sampled_from(CHARACTERS), max_size=14)
ANYTHING = st.text(st.characters(), max_size=40)  # surrogates and NUL too
TEXTS = st.one_of(
    ANYTHING,
    ENGLISH,
    CHINESE,
    st.tuples(ANYTHING, ENGLISH, CHINESE).map("".join),
    st.tuples(CHINESE, ENGLISH).map(" ".join),
)


@settings(deadline=None, max_examples=800)
@given(text=TEXTS, now=MOMENTS, told=st.booleans())
@example(text="上个冬天 这个冬天 下个冬天", now=datetime(9999, 12, 31, tzinfo=UTC), told=False)
@example(text="last winter, next winter, last week", now=datetime(1, 1, 1, tzinfo=UTC), told=True)
def test_spans_lie_in_the_text_in_order_and_never_overlap(text: str, now: datetime, told: bool) -> None:
    spans = find_dates(text, now, told=told)
    position = 0
    for span in spans:
        assert position <= span.start < span.end <= len(text)
        position = span.end
        assert span.latest == (span.window is None)
        if span.window is not None:
            assert span.window.first <= span.window.last
            assert now.tzinfo is not None
            start, end = window_bounds_ms(span.window, now.tzinfo)
            assert start < end
    window = event_window(text, now)
    assert window is None or window in {span.window for span in find_dates(text, now, told=True)}


@settings(deadline=None, max_examples=300)
@given(text=st.one_of(ANYTHING, CHINESE, ENGLISH))
def test_folding_keeps_every_character_in_its_place(text: str) -> None:
    folded = fold(text)
    assert len(folded) == len(text)
    assert fold(folded) == folded


@settings(deadline=None, max_examples=200)
@given(now=MOMENTS, days=st.integers(1, 60))
def test_days_ago_counts_back_from_today(now: datetime, days: int) -> None:
    today = now.date()
    for text in (f"{days} days ago", f"{days}天前"):
        spans = find_dates(text, now)
        if today - date.min < timedelta(days=days):
            assert spans == ()  # before the first day of the calendar
        else:
            assert spans[0].window is not None
            assert spans[0].window.first == spans[0].window.last == today - timedelta(days=days)


@settings(deadline=None, max_examples=200)
@given(day=st.dates(date(1800, 1, 1), date(2199, 12, 31)), now=MOMENTS)
def test_a_full_date_means_that_day_whatever_today_is(day: date, now: datetime) -> None:
    for text in (
        f"{day:%Y-%m-%d}",
        f"{day:%Y/%m/%d}",
        f"{day.year}年{day.month}月{day.day}日",
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day} {day:%b} {day.year}",
    ):
        (span,) = find_dates(text, now)
        assert (span.window is not None and span.window.first, span.window and span.window.last) == (
            day,
            day,
        )


@settings(deadline=None, max_examples=200)
@given(
    now=st.datetimes(datetime(1, 2, 1), datetime(9999, 11, 30), timezones=st.just(UTC)),
    month=st.integers(1, 12),
)
def test_a_month_without_a_year_has_begun_and_is_the_latest_such(now: datetime, month: int) -> None:
    for text in (f"{month}月", f"in {datetime(2000, month, 1):%B}"):
        spans = find_dates(text, now)
        if not spans:
            assert now.year == 1  # its latest is before the calendar begins
            continue
        window = spans[0].window
        assert window is not None
        assert spans[0].recurring
        assert window.first.month == window.last.month == month
        assert window.first <= now.date()
        assert now.date() - window.first < timedelta(days=366)


def test_a_long_text_gives_every_date_once() -> None:
    text = "去年5月我们去了北京。 We met on May 5th, 2023; it was fine. " * 500
    assert len(find_dates(text, datetime(2025, 10, 15, tzinfo=UTC))) == 1000


def test_the_module_loads_no_third_party_code() -> None:
    code = (
        "import sys; before = set(sys.modules); import memweir.retrieval.dates; "
        "heavy = {'numpy', 'apsw', 'opencc', 'rjieba', 'rich'} & (set(sys.modules) - before); "
        "sys.exit(repr(sorted(heavy)) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
