"""Which clauses does a Chinese sentence consist of? Cut at its punctuation, openers and particles off.

Decisions are made on the simplified form, which has the length of the text, so that every place in it
is one of the text as written. What stands in quotation marks or a title is blotted out in `masked`:
no rule looks inside.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Final

from memweir.learning.chinese.dialect import standard
from memweir.learning.chinese.lexicon import Pattern, words
from memweir.retrieval.dates import find_dates
from memweir.retrieval.phatic import consists_of
from memweir.retrieval.scripts import HAN
from memweir.retrieval.types import DateSpan

__all__ = ["BLOT", "Clause", "View", "clause_at", "is_small_talk", "read_clauses", "read_view"]

BLOT: Final = "□"
"""What a quoted character is in `View.masked`."""

_WIDE: Final = {code: code - 0xFEE0 for code in range(0xFF10, 0xFF5B) if chr(code - 0xFEE0).isalnum()}
_QUOTED: Final = re.compile(
    r"《[^《》\n]{1,64}》|「[^「」\n]{1,200}」|『[^『』\n]{1,200}』|〈[^〈〉\n]{1,64}〉"
    r"|“[^“”\n]{1,200}”"
    r"|\"[^\"\n]{1,200}\"|`[^`\n]{1,200}`|‘[^‘’\n]{1,200}’"
)
_TITLES: Final = "《〈"
_BREAK: Final = re.compile(
    rf"(?:(?<![0-9]),|,(?![0-9])|[，；;。！!？?…~～\n]|——|--)[\s，,；;。！!？?…~～—]*"
    rf"|(?<=[{HAN}]) +(?=[{HAN}])"
)
_KEPT_AT_ENDS: Final = frozenset('《》〈〉“”"「」『』‘’`()（）[]%％+#°℃￥$¥/@&' + BLOT)
# Openers that are ordinary words too: cut off only before the speaker, or where nothing follows.
_ORDINARY: Final = frozenset(
    [
        "对",
        "是",
        "好",
        "那",
        "那个",
        "就是",
        "行",
        "可以",
        "还有",
        "另外",
        "背景",
        "当然",
        "确实",
        "没错",
        "只是",
        "首先",
        "其次",
        "最后",
        "然后",
        "内个",
        "你看",
        "再有",
        "哎",
        "嗯",
        "哦",
        "啊",
        "额",
        "呃",
        "哈",
        "嘿",
        "嗨",
        "谢谢",
        "那么",
        "好的",
        "说明一下",
        "提醒一下",
        "你好",
        "您好",
        "是的",
    ]
)
_AFTER_ORDINARY: Final = re.compile(r"[我俺咱\s]|$")
_AFTER_ALSO: Final = re.compile("[我俺咱\\s以今往从下每所凡千别不请记麻帮他她它这那]|[A-Za-z]|$")
_OPENER: Final = Pattern("<opener>")
_PARTICLES: Final = Pattern("(?:<final_particle>)+$")
_LONGEST_TALK: Final = 40  # characters
_SMALL_TALK: Final = ("greeting", "thanks", "reaction", "opener", "final_particle")


@dataclass(frozen=True, slots=True)
class View:
    """A sentence as the rules see it; all texts of one length.

    Attributes:
        text: as written. simple: simplified. masked: without what is quoted.
        dates: its date expressions, none inside a title.
        now: when it was said.
    """

    text: str
    simple: str
    masked: str
    dates: tuple[DateSpan, ...]
    now: datetime

    def dates_in(self, start: int, end: int) -> tuple[DateSpan, ...]:
        """Those that lie between two places."""
        return tuple(each for each in self.dates if start <= each.start and each.end <= end)


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch between two breaks, its openers, particles and stray signs cut off.

    Attributes:
        start, end: its place in the text; equal where nothing was left.
        body: that place of `View.masked`.
        mark: the sign after it, "" at the end.
        opener: what was cut off before it, "但是".
        particle: what was cut off after it, "呢".
        whole: the stretch with all of it, folded, for rules about small talk and questions.
        dates: its date expressions.
        today: the day it was said.
    """

    start: int
    end: int
    body: str
    mark: str
    opener: str
    particle: str
    whole: str
    dates: tuple[DateSpan, ...]
    today: date

    def words(self, span: DateSpan) -> str:
        """Those of one of its date expressions."""
        return self.body[span.start - self.start : span.end - self.start]

    @property
    def asks(self) -> bool:
        """It ends in a question mark."""
        return "?" in self.mark or "？" in self.mark


def read_view(text: str, now: datetime) -> View:
    """The sentence in its three forms. `now`: aware."""
    simple = standard(text).translate(_WIDE)
    masked = _QUOTED.sub(lambda match: BLOT * len(match.group()), simple)
    titles = [match.span() for match in _QUOTED.finditer(simple) if match.group()[0] in _TITLES]
    found = find_dates(_for_dates(simple), now, told=True)
    dates = tuple(
        _in_its_clause(span, masked, simple, now)
        for span in found
        if not any(start <= span.start < end for start, end in titles)
    )
    return View(text, simple, masked, dates, now)


def _in_its_clause(span: DateSpan, masked: str, simple: str, now: datetime) -> DateSpan:
    """A day of a year or week that was not said goes by the tense of its own clause."""
    if span.window is None or not (span.recurring or _WEEKDAY.match(simple, span.start)):
        return span
    cuts = [match.span() for match in _BREAK.finditer(masked)]
    if not cuts:
        return span
    start = max((end for _, end in cuts if end <= span.start), default=0)
    end = min((first for first, _ in cuts if first >= span.end), default=len(masked))
    alone = find_dates(_for_dates(simple[start:end]), now, told=True)
    for each in alone:
        if (each.start + start, each.end + start) == (span.start, span.end):
            return replace(span, window=each.window)
    return span


_WEEKDAY: Final = re.compile("周|星期|礼拜")
_AGE: Final = re.compile(r"(?<=[今明后])年三十")
_MOVED_TO: Final = re.compile(
    r"(?<=[改迟前期延后挪调定约]到)了(?=[周星礼下明后这0-9])"
    r"|(?<=[改迟前期延后挪调定约]到)(?P<day>[^,，。]{2,10})了(?=[,，。！!]|$)"
)


def _for_dates(simple: str) -> str:
    """The text to read dates in: 今年三十岁 names no New Year's Eve, 改到周四了 no Thursday past."""
    if "年三十" in simple:
        simple = _AGE.sub("年" + BLOT * 2, simple)
    return (
        _MOVED_TO.sub(lambda match: (match["day"] or "") + BLOT, simple) if "到" in simple else simple
    )


def read_clauses(view: View) -> list[Clause]:
    """The clauses of a sentence, in text order."""
    found: list[Clause] = []
    start = 0
    for match in _BREAK.finditer(view.masked):
        _add(found, view, start, match.start(), match.group())
        start = match.end()
    _add(found, view, start, len(view.masked), "")
    return _joined(found, view)


def _joined(clauses: list[Clause], view: View) -> list[Clause]:
    """ "从现在开始，…": the words that say from when belong to what follows."""
    found: list[Clause] = []
    for clause in clauses:
        before = found[-1] if found else None
        if before is not None and before.body in words("from_now") and clause.body:
            found[-1] = clause_at(view, before.start, clause.end, clause.mark)
        else:
            found.append(clause)
    return found


def is_small_talk(text: str) -> bool:
    """Whether greetings, thanks, reactions and particles make up a text, whatever the punctuation."""
    kept = "".join(filter(str.isalnum, text)).casefold()
    if not kept:
        return True
    if len(kept) > _LONGEST_TALK:
        return False
    phrases, first, last = _small_talk()
    return kept[0] in first and kept[-1] in last and consists_of(phrases, kept)


def clause_at(view: View, start: int, end: int, mark: str) -> Clause:
    """The clause of a stretch, openers and particles cut off."""
    masked = view.masked
    whole = masked[start:end]
    start, end = _trimmed(masked, start, end)
    opener = ""
    while start < end:
        match = _OPENER.match(masked, start, end)
        if match is None:
            break
        after = _AFTER_ALSO if match.group() in ("还有", "另外") else _AFTER_ORDINARY
        ordinary = match.group() in _ORDINARY or len(match.group()) == 1
        if ordinary and not after.match(masked, match.end(), end):
            break
        opener += match.group()
        start, _ = _trimmed(masked, match.end(), end)
    particle = ""
    match = _PARTICLES.search(masked, start, end)
    if match is not None:
        particle = match.group()
        end = match.start()
        start, end = _trimmed(masked, start, end)
    dates, today = view.dates_in(start, end), view.now.date()
    return Clause(start, end, masked[start:end], mark, opener, particle, whole, dates, today)


def _add(found: list[Clause], view: View, start: int, end: int, mark: str) -> None:
    clause = clause_at(view, start, end, mark)
    if clause.body or clause.whole.strip():
        found.append(clause)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and not (text[start].isalnum() or text[start] in _KEPT_AT_ENDS):
        start += 1
    while start < end and not (text[end - 1].isalnum() or text[end - 1] in _KEPT_AT_ENDS):
        end -= 1
    return start, end


@functools.cache
def _small_talk() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The phrases, and what they begin and end with."""
    phrases = frozenset(word.casefold() for section in _SMALL_TALK for word in words(section))
    return phrases, frozenset(each[0] for each in phrases), frozenset(each[-1] for each in phrases)
