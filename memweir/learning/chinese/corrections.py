"""What does a sentence say after its speaker has corrected it? "用 npm，不对，pnpm" says "用 pnpm"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memweir.learning.chinese.clauses import Clause, View
from memweir.learning.chinese.subjects import tagged

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
    "不对|不是|[不错][了，,。！!… ]|更正|纠正|口误|我是说|应该说|no|sorry|wait", re.IGNORECASE
)
_MARKER: Final = re.compile(
    r"^(?:哦|啊|噢|呃|额|嗯|诶|哎|等等|等一下|sorry|Sorry|抱歉|不好意思)*[, ]*"
    r"(?:不对|不是|不不|不|错了|我?(?:说|写|打|记|搞|弄)错了|更正(?:一下)?|纠正(?:一下)?|口误"
    r"|no|No|NO|wait|sorry|Sorry|我是说|应该说)(?:了|啊|哦|吧|的)?"
    r"(?P<rest>[，,：: ]*(?:是|应该是|应该叫|应该说是|改成|准确说是|准确地说是)(?P<value>.+))?$"
)
_LEAD: Final = re.compile(r"^(?:其实)?(?:是|应该是|应该叫|我是说|应该说|改成|准确说是|要说|就是)")
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
        if new is None or not new.body or not old.body:
            continue
        found = _place(view, old, new)
        if found is None:
            continue
        start, end = found
        return Correction(start, end, view.text[new.start : new.end], old.end, new.end)
    return None


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
    if re.match(r"(?:我|俺|我们|咱)", new.body):
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
