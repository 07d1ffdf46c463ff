"""What belongs to the days that were asked about? The timeline path: exact windows, or the newest."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from memweir.retrieval.dates import window_bounds_ms, without_dates
from memweir.retrieval.types import Analysis, DateSpan, Hit, Query, Ranking, Window

if TYPE_CHECKING:
    from memweir.retrieval.analysis import Analyzer
    from memweir.store.reads import TimedHit
    from memweir.store.seam import Reader

__all__ = ["MOST_WINDOWS", "TimelinePath", "asks_only_of_time", "framing", "windows_of"]

MOST_WINDOWS: Final = 32
"""Different windows that one query is looked up in: of more the first half of these and the last."""

_EVENT: Final = 1.0  # the event itself lies in the window
_TOLD: Final = 0.8  # told in the window, and the memory speaks of no other time
_ONLY_EVENT: Final = 0.6  # the event lies in the window, but the talk was asked about
_TALK: Final = re.compile(
    r"\b(?:talk|talked|discuss|discussed|chat|chatted|conversation|tell|told|say|said|mention|mentioned|"
    r"share|shared|recommend|recommended|ask|asked)\b|聊|谈|讨论|说过|说了|说起|提到|提过|告诉|分享|推荐|对话|问过|问了"
)
_TOLD_OF_ELSE: Final = 0.3  # told in the window about another time
_COMING_YEAR: Final = 0.8  # the year was not said, and it is the next one
_YEAR_BEFORE: Final = 0.5
_HAPPENINGS: Final = (
    "happen happened do done doing did plan plans planned schedule scheduled event events agenda "
    "calendar anything something going on up to "
    "talk talked talking discuss discussed discussion chat chatted conversation topic topics subject "
    "subjects say said speak spoke tell told mention mentioned remember lot "
    "发生 安排 计划 日程 行程 活动 事情 做 干 忙 事 有没有 什么事 "
    "聊 聊天 聊了 聊过 话题 讨论 谈 谈论 谈到 说 说过 说起 提到 对话 主题 内容 记得 我们"
)
_GUESSED_YEAR: Final = 0.9  # the year was not said
_ABOUT: Final = 0.5  # share of the best seed's relevance from which another is about the same
_UNRELATED: Final = 0.3  # the newest of a store that knows nothing of what is asked for


class TimelinePath:
    """Memories whose event window, or else whose telling, falls into the window of a date expression.

    Within the window the best hits of the other paths come first: the days say when, the words say
    what. Recency ranks only where the query asks for the latest. Each window is looked up once however
    often it is named, and of more than `MOST_WINDOWS` the first and the last ones.
    """

    name = "timeline"

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def rank(self, query: Query, *, limit: int) -> Ranking:
        scores = self._scores(query, limit)
        if not scores and any(span.latest for span in query.dates):
            return self._latest(query, limit)
        if not query.dates:
            return Ranking(self.name, (), note="the query names no time")
        place = {memory_id: rank for rank, memory_id in enumerate(query.seeds)}
        order = sorted(
            scores,
            key=lambda each: (-scores[each][0], place.get(each, len(place)), each),
        )
        best = sorted(order, key=lambda each: place.get(each, len(place)) if place else 0)
        hits = tuple(Hit(each, scores[each][0], {"window": scores[each][1]}) for each in best[:limit])
        return Ranking(self.name, hits, note="" if hits else "nothing lies in the window")

    def _scores(self, query: Query, limit: int) -> dict[str, tuple[float, str]]:
        """Memory → (how well it fits the window it fits best, that window)."""
        windows = windows_of(query.dates)
        scores: dict[str, tuple[float, str]] = {}
        if not windows or query.now.tzinfo is None:
            return scores
        talk = _TALK.search(query.analysis.normal) is not None
        wide = max(limit * 4, 200)  # the seeds among them are chosen afterwards
        for window, factor in windows.items():
            start, end = window_bounds_ms(window, query.now.tzinfo)
            label = f"{window.first}..{window.last}"
            found = self._reader.event_window(query.view, start, end, wide)
            told = self._reader.created_window(query.view, start, end, wide)
            for hit in (*found, *told):
                score = factor * _strength(hit, start, end, talk=talk)
                if score > scores.get(hit.id, (0.0, ""))[0]:
                    scores[hit.id] = (score, label)
        return scores

    def _latest(self, query: Query, limit: int) -> Ranking:
        """The newest; where the query says of what, the newest among the best seeds.

        There the score is worth no more than the seed: being new makes nothing relevant.
        """
        weights = self._about(query)
        if weights:
            records = self._reader.records(query.view, list(weights)).values()
            told = sorted(records, key=lambda each: (-each.created_at_ms, each.id))
            newest = [record.id for record in told]
        else:
            newest = [hit.id for hit in self._reader.latest(query.view, limit)]
        otherwise = _UNRELATED if _says_of_what(query) else 1.0
        hits = tuple(
            Hit(each, weights.get(each, otherwise) / (rank + 1), {"window": "latest"})
            for rank, each in enumerate(newest[:limit])
        )
        return Ranking(self.name, hits)

    def _about(self, query: Query) -> dict[str, float]:
        """The seeds that are about what the query asks for, each with its relevance."""
        least = _ABOUT * max(query.seeds.values(), default=0.0)
        return {each: weight for each, weight in query.seeds.items() if weight >= least > 0.0}


def asks_only_of_time(undated: Analysis, analyzer: Analyzer) -> bool:
    """Whether a query names no subject besides its time: "what did I do", "有什么安排".

    Args:
        undated: analysis of the query without its date expressions.
    """
    neutral = framing(analyzer)
    subject = set(undated.content) - neutral
    spelled = {character for term in undated.content for character in term}
    return not subject and not set(undated.chars) - spelled - neutral


@lru_cache(maxsize=8)
def framing(analyzer: Analyzer) -> frozenset[str]:
    """Terms that frame a question and name no subject: "tell", "happened", "有什么安排"."""
    analysis = analyzer.analyse(_HAPPENINGS)
    return frozenset([*analysis.terms, *analysis.chars])


def windows_of(spans: Iterable[DateSpan]) -> dict[Window, float]:
    """Every window to look into, in text order, with its factor."""
    meant = list(
        dict.fromkeys((span.window, span.recurring) for span in spans if span.window is not None)
    )
    if len(meant) > MOST_WINDOWS:
        half = MOST_WINDOWS // 2
        meant = [*meant[:half], *meant[-half:]]
    windows: dict[Window, float] = {}
    for window, recurring in meant:
        for reading, factor in _readings(window, recurring=recurring):
            windows[reading] = max(factor, windows.get(reading, 0.0))
    return windows


def _readings(window: Window, *, recurring: bool) -> list[tuple[Window, float]]:
    """The window and, where its year was only guessed, the same days of the years beside it."""
    if not recurring:
        return [(window, 1.0)]
    others = ((_shifted(window, 1), _COMING_YEAR), (_shifted(window, -1), _YEAR_BEFORE))
    return [(window, _GUESSED_YEAR), *((each, factor) for each, factor in others if each)]


def _shifted(window: Window, years: int) -> Window | None:
    try:
        first, last = (
            day.replace(year=day.year + years, day=28 if (day.month, day.day) == (2, 29) else day.day)
            for day in (window.first, window.last)
        )
    except ValueError:  # beyond the calendar
        return None
    return Window(first, last)


def _says_of_what(query: Query) -> bool:
    """Whether the query says anything besides when."""
    analysis = query.analysis
    return any(map(str.isalnum, without_dates(query.text, query.dates))) and bool(
        analysis.content or analysis.chars
    )


def _strength(hit: TimedHit, start_ms: int, end_ms: int, *, talk: bool) -> float:
    """How well a memory fits a window. Args: talk: what was said then is asked about, not what was."""
    if talk:
        return _EVENT if start_ms <= hit.created_at_ms < end_ms else _ONLY_EVENT
    if hit.event_start_ms is None or hit.event_end_ms is None:
        return _TOLD
    overlaps = hit.event_start_ms < end_ms and hit.event_end_ms > start_ms
    return _EVENT if overlaps else _TOLD_OF_ELSE
