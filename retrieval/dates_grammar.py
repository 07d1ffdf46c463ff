"""What is a date rule, and what can it read? The vocabulary shared by the languages' rule lists.

A `Rule` is a regular expression over the folded text and a function that turns a match into a
`Reading`: a fixed window, a day that recurs (a month, a holiday, a weekday whose year or week was not
said), or an order ("latest"). Which of several recurrences is meant is decided later, when it is known
whether the expression is one end of a range.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone
from enum import Enum, auto
from typing import Final, Protocol

from memweir.retrieval import periods
from memweir.retrieval.holidays import UnknownYear
from memweir.retrieval.types import Window

__all__ = [
    "CONTEXT_CHARS",
    "COUPLE",
    "FEW",
    "IMPOSSIBLE",
    "RECENT_DAYS",
    "Context",
    "LazyPattern",
    "Reading",
    "Recurrence",
    "Resolve",
    "Rule",
    "RuleIndex",
    "Tense",
    "Weekly",
    "Yearly",
    "fold",
]

RECENT_DAYS: Final = 14  # "recently", 最近: from so many days ago to today
COUPLE: Final = (2, 3)  # "a couple of days ago": between so many units ago
FEW: Final = (2, 7)  # "a few days ago", 几天前
CONTEXT_CHARS: Final = 32  # characters of context before a match that a rule may look at

# Years that are searched for a recurring day: 29 February can be eight years away (1896 to 1904).
_REACH_YEARS: Final = 8


class LazyPattern:
    """A regular expression, compiled when it is first used: a text needs few of the grammar's."""

    __slots__ = ("_compiled", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        self._compiled: re.Pattern[str] | None = None

    @property
    def compiled(self) -> re.Pattern[str]:
        if self._compiled is None:
            self._compiled = re.compile(self.source)
        return self._compiled

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self.compiled.search(text, start, end)

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self.compiled.match(text, start, end)

    def fullmatch(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self.compiled.fullmatch(text, start, end)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self.compiled.finditer(text)


class Recurrence(Protocol):
    """Days that come again; which of them is meant was not said.

    Attributes:
        yearly: the unsaid part is the year.
    """

    @property
    def yearly(self) -> bool: ...

    def at_or_before(self, day: date) -> Window:
        """The latest occurrence that begins no later than `day`."""
        ...

    def at_or_after(self, day: date) -> Window:
        """The first occurrence that ends no earlier than `day`."""
        ...


@dataclass(frozen=True, slots=True)
class Yearly:
    """A month, a day of a month, a holiday, a season, … of a year that was not said.

    Attributes:
        in_year: year → days; raises `ValueError` for a year without them, `UnknownYear` where the
            days of that year are not known.
    """

    in_year: Callable[[int], Window]
    yearly: bool = field(default=True, init=False)

    def at_or_before(self, day: date) -> Window:
        for year in range(day.year, day.year - _REACH_YEARS - 1, -1):
            window = self._try(year)
            if window is not None and window.first <= day:
                return window
        raise ValueError("no such day in the years before")

    def at_or_after(self, day: date) -> Window:
        for year in range(day.year - 1, day.year + _REACH_YEARS + 1):
            window = self._try(year)
            if window is not None and window.last >= day:
                return window
        raise ValueError("no such day in the years after")

    def _try(self, year: int) -> Window | None:
        try:
            return self.in_year(year)
        except (ValueError, OverflowError):
            return None


@dataclass(frozen=True, slots=True)
class Weekly:
    """A weekday (Monday is 0) of a week that was not said."""

    weekday: int
    yearly: bool = field(default=False, init=False)

    def at_or_before(self, day: date) -> Window:
        return periods.day(day - timedelta(days=(day.weekday() - self.weekday) % 7))

    def at_or_after(self, day: date) -> Window:
        return periods.day(day + timedelta(days=(self.weekday - day.weekday()) % 7))


@dataclass(frozen=True, slots=True)
class Reading:
    """What a rule read.

    Attributes:
        window: the days, where they are known without a guess.
        recurrence: the days, where the year or week was not said.
        latest: the expression orders instead ("latest").
        weak: a word such as "march" that is a date only as one end of a range or after "since".
    """

    window: Window | None = None
    recurrence: Recurrence | None = None
    latest: bool = False
    weak: bool = False


class Tense(Enum):
    """Which way from the moment of telling a sentence looks."""

    PAST = auto()
    AHEAD = auto()
    UNSAID = auto()


class _Parts:
    """The parts of a text between stops, and the tense of each, found when it is first asked for."""

    __slots__ = ("_stops", "_tenses")

    def __init__(self, folded: str, stop: LazyPattern) -> None:
        self._stops = [0, *(each.end() for each in stop.finditer(folded)), len(folded)]
        self._tenses: dict[int, Tense] = {}

    def tense(self, context: Context, position: int) -> Tense:
        at = bisect_right(self._stops, position, hi=len(self._stops) - 1)
        start, end = self._stops[max(at - 1, 0)], self._stops[at]
        if start not in self._tenses:
            self._tenses[start] = context.tense_of(context.text[start:end], context.folded[start:end])
        return self._tenses[start]


@dataclass(slots=True)
class Context:
    """What a rule may know beside its match.

    Attributes:
        text: as given.
        folded: the same length; see `fold`.
        now: aware; its zone is the caller's zone.
        tense_of: (text, folded) of one sentence or clause → does it speak of what was or is to come?
        told: the text is a statement: its clauses are read first, and it need not look back.
        today: the day of `now` in its own zone.
    """

    text: str
    folded: str
    now: datetime
    tense_of: Callable[[str, str], Tense]
    told: bool = False
    today: date = field(init=False)
    _clauses: _Parts | None = field(default=None, init=False)
    _sentences: _Parts | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.today = self.now.date()

    def day_ago(self, elapsed: timedelta) -> date:
        """The caller's day so much time ago: hours that passed, whatever the clock was set to."""
        moment = self.now.astimezone(UTC) - elapsed
        try:
            return moment.astimezone(self.now.tzinfo).date()
        except (ValueError, NotImplementedError):  # the zone does not say dst(), as it may
            return moment.astimezone(timezone(self.now.utcoffset() or timedelta(0))).date()

    def before(self, position: int) -> str:
        """The folded characters before a position, at most `CONTEXT_CHARS`."""
        return self.folded[max(0, position - CONTEXT_CHARS) : position]

    def tense(self, position: int) -> Tense:
        """Of the sentence around this position; of what was told, of the clause if it says."""
        if self.told:
            if self._clauses is None:
                self._clauses = _Parts(self.folded, _CLAUSE)
            found = self._clauses.tense(self, position)
            if found is not Tense.UNSAID:
                return found
        if self._sentences is None:
            self._sentences = _Parts(self.folded, _STOP)
        return self._sentences.tense(self, position)

    def is_future(self, position: int) -> bool:
        """Does the sentence around this position speak of what is to come ("will", 打算)?"""
        return self.tense(position) is Tense.AHEAD

    def pick(self, recurrence: Recurrence, position: int) -> Window:
        """The occurrence meant: where the sentence looks back the latest that has begun, where it
        speaks ahead the next that has not ended; where it says neither the next weekday, and of
        yearly days the nearest, of two as near the later.

        Raises:
            ValueError: there is none.
        """
        tense = self.tense(position)
        if tense is Tense.PAST:
            return recurrence.at_or_before(self.today)
        if tense is Tense.AHEAD or not recurrence.yearly:
            return recurrence.at_or_after(self.today)
        return self._nearest(recurrence)

    def pick_range(self, first: Recurrence, last: Recurrence, position: int) -> tuple[Window, Window]:
        """Both ends of a range: of what was told the one that goes on today, else as `pick`.

        Raises:
            ValueError: there is none.
        """
        picked = self.pick(first, position)
        if self.told and picked.first > self.today:
            with suppress(ValueError):
                begun = first.at_or_before(self.today)
                end = last.at_or_after(begun.first)
                if end.last >= self.today:
                    return begun, end
        return picked, last.at_or_after(picked.first)

    def _nearest(self, recurrence: Recurrence) -> Window:
        try:
            after = recurrence.at_or_after(self.today)
        except ValueError:
            return recurrence.at_or_before(self.today)
        try:
            before = recurrence.at_or_before(self.today)
        except ValueError:
            return after
        # A window that holds today is at most 0 away, and as "before" and "after" the same one.
        return before if self.today - before.last < after.first - self.today else after


IMPOSSIBLE: Final = (ValueError, OverflowError, UnknownYear)
"""What an impossible or unknown date raises: 30 February, the year 10000, 春节 of a year not known."""

# None: not a date after all, other rules may have the words. `IMPOSSIBLE` raised: the words are taken
# and mean no day.
Resolve = Callable[[re.Match[str], Context], Reading | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """One form of date expression.

    Attributes:
        name: for tests and explanations.
        needs: the folded text holds one of these, or the rule cannot match: keeps ordinary text cheap.
        hint: a cheaper pattern that also matches wherever `pattern` does; None: no more than `needs`.
        pattern: over the folded text; a group named "x", where there is one, is the expression itself.
        resolve: match → reading.
    """

    name: str
    needs: tuple[str, ...]
    pattern: LazyPattern
    resolve: Resolve
    hint: LazyPattern | None = None


class RuleIndex:
    """Which rules of a list can match a text at all?"""

    def __init__(self, rules: Sequence[Rule]) -> None:
        by_word: dict[str, list[int]] = {}
        for at, rule in enumerate(rules):
            for word in rule.needs:
                by_word.setdefault(word, []).append(at)
        self._rules = tuple(rules)
        self._by_word = tuple((word, tuple(ats)) for word, ats in sorted(by_word.items()))

    def possible(self, folded: str) -> list[Rule]:
        """Those whose needs and hint are met, in list order."""
        ats: set[int] = set()
        for word, of_word in self._by_word:
            if word in folded:
                ats.update(of_word)
        hints: dict[str, bool] = {}
        possible = []
        for at in sorted(ats):
            rule = self._rules[at]
            if rule.hint is not None:
                if rule.hint.source not in hints:
                    hints[rule.hint.source] = rule.hint.search(folded) is not None
                if not hints[rule.hint.source]:
                    continue
            possible.append(rule)
        return possible


def fold(text: str) -> str:
    """Lower case, half width, simplified Chinese (as far as the grammar's words go), plain dashes,
    quotes and blanks; character by character, so that offsets hold in the text as given."""
    return text.lower() if text.isascii() else text.translate(_FOLD)


_STOP: Final = LazyPattern(r"[!?;\n。！？；]|\.(?=\s|$)")
_CLAUSE: Final = LazyPattern(
    rf"{_STOP.source}|[,，:：()（）]|\s-{{1,2}}\s"
    r"|(?<![a-z])(?:and|but|because|so|that|which|who|when|where|while|if)(?![a-z])|[但而]是?|因为|所以"
)

# The traditional forms of the characters in the grammar's own words, and the simplified ones in order.
_TRADITIONAL: Final = (
    "來係倉個備傢兒內兩劃劇劉動勞卽厠厤參吳員單噸噹國圍園報場塊奬婦媽孫學宮將屆層島嵗師幾庫廁廣"
    "廳張後從慶懷戀摺敎數斷於時曆書會東條楊樂樓標樣樹機檯歲歷氣準滿灣為燈爲牀獎現當盤硃碼禮箇節"
    "紀級統經綫網綴線繫續羅聖聲臘臨臺與舉舊舘萬葯蔘藥號衕衚衛裏裡襪親計記訴証詩誌誕語說説課調證"
    "賽趙車輕輩轉辦農迴這週運過遠遲選遺邊鄰醫鈡銀鋒錢錶鍾鏇鐘鐵長門開閏間陣陰陳陽際隨雙離電鞦韆"
    "預頭風颱飛飯餅館馬鬍麪麫麵黃點鼕齡齣"
)
_SIMPLIFIED: Final = (
    "来系仓个备家儿内两划剧刘动劳即厕历参吴员单吨当国围园报场块奖妇妈孙学宫将届层岛岁师几库厕广"
    "厅张后从庆怀恋折教数断于时历书会东条杨乐楼标样树机台岁历气准满湾为灯为床奖现当盘朱码礼个节"
    "纪级统经线网缀线系续罗圣声腊临台与举旧馆万药参药号同胡卫里里袜亲计记诉证诗志诞语说说课调证"
    "赛赵车轻辈转办农回这周运过远迟选遗边邻医钟银锋钱表钟旋钟铁长门开闰间阵阴陈阳际随双离电秋千"
    "预头风台飞饭饼馆马胡面面面黄点冬龄出"
)

_FOLD: Final = {
    **{code: code + 32 for code in range(ord("A"), ord("Z") + 1)},
    **{code: ord(chr(code - 0xFEE0).lower()) for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys(map(ord, "\u00a0\u2002\u2003\u2009\u202f\u3000"), ord(" ")),
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), ord("-")),
    **dict.fromkeys(map(ord, "\u301c\u223c"), ord("~")),
    **dict.fromkeys(map(ord, "\u2018\u2019\u02bc"), ord("'")),
    **dict.fromkeys(map(ord, "\u25cb\u25ef"), ord("〇")),
    **dict(zip(map(ord, _TRADITIONAL), map(ord, _SIMPLIFIED), strict=True)),
}
