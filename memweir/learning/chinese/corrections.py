"""What does a sentence say after its speaker has corrected it? "用 npm，不对，pnpm" says "用 pnpm"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memweir.learning.chinese.clauses import Clause, View
from memweir.learning.chinese.subjects import find_subject, tagged

__all__ = ["Correction", "find_correction"]


@dataclass(frozen=True, slots=True)
class Correction:
    """A stretch of the text that is taken back, and what is put in its place.

    Attributes:
        start, end: of what is taken out: the old value, or the clause that held it.
        words: in its place, as written.
        until: where the correcting words end; from `resume` to here nothing is read again.
        resume: where they begin, the sign before the marker.
    """

    start: int
    end: int
    words: str
    resume: int
    until: int


_MAY_CORRECT: Final = re.compile(
    "不对|不是|[不错][了，,。！!… —-]|[说写打记搞弄讲看发输][错漏反]|[啊哦呃噢]|正|口误"
    "|笔误|手[滑误]|我是说|我的意思|应该说|准确|确切|等等|等一下|no|sorry|wait|scratch"
    "|mean|actually",
    re.IGNORECASE,
)
_MARKER: Final = re.compile(
    r"^(?:(?:哦|啊|噢|呃|额|嗯|诶|欸|哎|唉|呀|呸|我去|那个|等等|等一下|等下|等会|sorry"
    r"|Sorry|抱歉|不好意思|oops|no|wait)[, ]*)*"
    r"(?:不对(?:不对)*|不是|不不+|不|(?:刚才|刚|我|上面)*(?:说|写|打|记|搞|弄|讲|看|发|输"
    r"|敲)[错漏反]了?|错了|(?:更|纠|修|改)正(?:一下)?|口误|笔误"
    r"|手[滑误]|我是说|我的意思是|应该说|(?P<precise>准确(?:地|的)?(?:来)?说|确切(?:地"
    r"|的)?(?:来)?说)|(?P<wait>等等|等一下|等下|啊|哦|呃|噢)"
    r"|no|No|NO|wait|sorry|Sorry|I mean|scratch that|actually)(?:了|啊|哦|吧|的|呀|打错)*"
    r"(?P<rest>[，,：: ]*(?:是|应该是|应该叫|应该说是|改成|准确说是|准确地说是)(?P<value>.+))?$"
)
_NOW: Final = re.compile("应该是|已经|早就|现在|上个?月|去年|前[天年]|昨天|刚|后来|[搬换改转调]")
_COUNT: Final = re.compile(
    r"^(?:现在|已经|都|其实|应该|是|有|养了?)*(?P<count>(?:[0-9]+"
    r"|[零一二两三四五六七八九十百千万]+)[\u4e00-\u9fff])"
)
_TAIL: Final = re.compile("(?:才对|才是|才行|来着|没错|的才对|的)$")
_PRONOUN: Final = re.compile("(?:他|她|它|牠)(?!们)")
_PREDICATE: Final = re.compile(
    "(?:已经|现在|早就|其实|后来|上个?月|去年|刚|今年|是在|都是|应该|改|换|搬|转)"
)
_LEAD: Final = re.compile(r"^(?:其实)?(?:是(?!在)|应该是|应该叫|我是说|应该说|改成|准确说是|要说|就是)")
_NUMBER: Final = re.compile(
    r"[0-9]+(?:\.[0-9]+)?"
    r"|[零一二两三四五六七八九十百千万]+(?=[个只岁点号月日年人块元公斤斤次位条台分小米厘天周])"
)
_LATIN: Final = re.compile(r"[A-Za-z][\w.+#-]*(?: [A-Z][\w.+#-]*)*")


def find_correction(view: View, clauses: list[Clause]) -> Correction | None:
    """The first self-correction of a sentence; None where there is none."""
    if len(clauses) < 2 or not _MAY_CORRECT.search(view.masked):
        return None
    for number in range(1, len(clauses)):
        clause = clauses[number]
        whole_start = view.masked.find(clause.whole.strip(), clauses[number - 1].end)
        match = _MARKER.match(clause.whole.strip(" ！!。."))
        if match is None or clause.asks:
            continue
        old = clauses[number - 1]
        if match["value"]:
            start = whole_start + match.start("value")
            new = _stretch(view, start, clause.end if clause.body else start + len(match["value"]))
        elif number + 1 < len(clauses):
            new = clauses[number + 1]
            lead = _LEAD.match(new.body)
            if lead is not None:
                new = _stretch(view, new.start + lead.end(), new.end)
        else:
            continue
        if new is None or not new.body or not old.body or new.asks or _WHO_ASKS.search(new.body):
            continue
        said_next = clauses[number + 1].body if number + 1 < len(clauses) else new.body
        if match["wait"] and _NOW.search(said_next) is None:
            continue
        until = new.end
        tail = _TAIL.search(new.body)
        if tail is not None and tail.start() > 1 and tail.group() != "的":
            new = _stretch(view, new.start, new.start + tail.start()) or new
        inserted = _inserted(view, old, new)
        if inserted is not None:
            return Correction(inserted, inserted, *_said(view, old, new, inserted), old.end, until)
        if match["precise"] and old.body.rfind(tagged(new.body)[0][0]) <= 0:
            continue
        counted = _count(view, old, new)
        if counted is not None:
            start, end, words = counted
            return Correction(start, end, words, old.end, until)
        he = _PRONOUN.match(new.body)
        if he is not None or _PREDICATE.match(new.body):
            subject = find_subject(old, view)
            rest = new.start + (he.end() if he is not None else 0)
            if subject.end > old.start and rest < new.end:
                return Correction(subject.end, old.end, view.text[rest : new.end], old.end, until)
        found = _place(view, old, new)
        if found is None:
            continue
        start, end = found
        return Correction(start, end, view.text[new.start : new.end], old.end, until)
    return None


def _count(view: View, old: Clause, new: Clause) -> tuple[int, int, str] | None:
    """The number that the new words put in place of one of the same unit: 两只狗, 现在三只了."""
    match = _COUNT.match(new.body)
    if match is None or match.start("count") == 0 or new.body[match.end() :] not in ("", "了"):
        return None
    unit = match["count"][-1]
    found = list(re.finditer(rf"(?:[0-9]+|[零一二两三四五六七八九十百千万]+){unit}", old.body))
    if not found:
        return None
    start, end = new.start + match.start("count"), new.start + match.end("count")
    return old.start + found[-1].start(), old.start + found[-1].end(), view.text[start:end]


_WHO_ASKS: Final = re.compile("怎么|什么|为什么|谁|哪")


def _inserted(view: View, old: Clause, new: Clause) -> int | None:
    """Where the new words go in when they end as the old clause does: 不喝咖啡, 下午三点以后不喝."""
    for length in range(min(4, len(new.body) - 2), 1, -1):
        place = old.body.find(new.body[-length:])
        if place > 0 and new.body[-length] in "不没只也":
            return old.start + place
    return None


def _said(view: View, old: Clause, new: Clause, place: int) -> tuple[str]:
    """The new words without those that the old clause has already."""
    length = next(
        each
        for each in range(min(4, len(new.body) - 2), 1, -1)
        if old.body.startswith(new.body[-each:], place - old.start)
    )
    return (view.text[new.start : new.end - length],)


def _stretch(view: View, start: int, end: int) -> Clause | None:
    if start >= end:
        return None
    return Clause(
        start,
        end,
        view.masked[start:end],
        "",
        "",
        "",
        view.masked[start:end],
        view.dates_in(start, end),
        view.now.date(),
    )


def _place(view: View, old: Clause, new: Clause) -> tuple[int, int] | None:
    """Which stretch of the old clause the new words take the place of."""
    if re.match(r"(?:我|俺|我们|咱)", new.body) or (
        not _NUMBER.match(new.body)
        and not _LATIN.match(new.body)
        and new.body.endswith("了")
        and not old.body.endswith("了")
        and len(new.body) > 3
        and not new.dates
    ):
        return old.start, old.end
    words = tagged(new.body)
    head = words[0][0]
    at = old.body.rfind(head)
    if at > 0 and len(words) > 1 and words[0][1][:1] in "vpr":  # the verb is said again
        return old.start + at, old.end
    if new.dates and new.dates[0].start == new.start:
        if not old.dates:
            return None
        span = old.dates[-1]
        whole = new.dates[0].end < new.end
        return span.start, (old.end if whole else span.end)
    for pattern in (_LATIN, _NUMBER):
        if pattern.match(new.body):
            places = list(pattern.finditer(old.body))
            if places:
                last = places[-1]
                longer = pattern.match(new.body)
                rest = longer is not None and longer.end() < len(new.body)
                return old.start + last.start(), old.end if rest else old.start + last.end()
            if pattern is _LATIN:
                break
    if len(new.body) > 10:
        return old.start, old.end
    tail = tagged(old.body)
    length = 0
    for word, tag in reversed(tail):
        if tag[0] in "nmqlsjxei" or tag in ("vn", "eng", "t"):
            length += len(word)
            if tag[:2] in ("ns", "nr", "nz", "nt") or tag == "eng":
                break
            continue
        break
    if not length:
        length = len(tail[-1][0])
    if length >= len(old.body):
        return None
    return old.end - length, old.end
