"""How does a Chinese clause read in the third person? The speaker named, dates said, fillers gone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from memweir.learning.chinese.clauses import Clause, View
from memweir.learning.chinese.dates import Edit, date_edits
from memweir.learning.chinese.lexicon import Pattern
from memweir.learning.chinese.subjects import Subject

__all__ = ["apply", "person_edits", "statement_of", "subject_phrase", "team_word"]

# 我 inside words that do not mean the speaker.
_PRONOUN: Final = re.compile(
    r"(?P<firm>我[司校院])|(?P<we>(?<![自忘敌唯])(?:我们|咱们|俺们)|咱(?!们))(?P<wetail>家的?|的)?"
    r"|(?<![自忘敌唯非无大小])(?P<i>我|俺|(?<![他她其名的])本人)(?!行我素|见犹怜)(?P<tail>自己"
    r"|个人|本人|家里|家的?|的)?"
    r"|(?<=[\u4e00-\u9fff])(?P<noone>(?!))"
)
# 我妈 is 妈妈.
_SHORT: Final = re.compile(r"(?P<kin>[爸妈哥姐弟妹爷])(?!(?P=kin)|[爸妈媳夫子])")
_FILLER: Final = re.compile(
    r"(?<=[\u4e00-\u9fff,，])(?:呃|嗯|额(?=[,，]))[,，]?|(?:^|(?<=[，,]))(?:呃|嗯"
    r"|额)(?=[\u4e00-\u9fff])"
)
_SUGGESTS: Final = re.compile("(?<![酒网贴水清书啡氧])吧$")
_WORK: Final = Pattern("<group_work>")
_FAMILY: Final = Pattern("<group_family>")
_ORG: Final = Pattern("<self_org>")
_PEOPLE: Final = Pattern("(?!家[具庭长住在])(?:<kin>|<associate>|<pet>|<belonging>)")
_TRAILING_LE: Final = re.compile("了$")


def team_word(who: str, sentence: str) -> str:
    """Whom 我们 means: a team at work, a family, else the speaker and others."""
    if _WORK.search(sentence) or re.search("[A-Za-z]{2,}", sentence):
        return f"{who}的团队"
    if _FAMILY.search(sentence):
        return f"{who}一家"
    return f"{who}等人"


def person_edits(view: View, start: int, end: int, who: str) -> list[Edit]:
    """Every first person between two places in the third."""
    edits = []
    for match in _PRONOUN.finditer(view.masked, start, end):
        after = match.end()
        if match["firm"]:
            words = who + {"司": "的公司", "校": "的学校", "院": "的学院"}[match["firm"][1]]
        elif match["we"]:
            tail = match["wetail"] or ""
            if tail.startswith("家"):
                words = f"{who}家" + tail[1:]
            elif _ORG.match(view.masked, after, end):
                words = f"{who}的"
            elif tail == "的":
                words = f"{team_word(who, view.masked)}的"
            else:
                words = team_word(who, view.masked)
        else:
            tail = match["tail"] or ""
            words = who + tail
            if not tail and _PEOPLE.match(view.masked, after, end):
                words = f"{who}的"
                short = _SHORT.match(view.masked, after)
                if short is not None and after < end:
                    words += short.group()
            if tail == "个人":
                words = who
        edits.append(Edit(match.start(), match.end(), words))
    return edits


def subject_phrase(view: View, subject: Subject, who: str) -> str:
    """A subject in the third person."""
    if subject.kind == "none":
        return ""
    words = apply(view, subject.start, subject.end, person_edits(view, subject.start, subject.end, who))
    return f"{who}的{words}" if subject.kind == "kin" else words


def apply(view: View, start: int, end: int, edits: Sequence[Edit]) -> str:
    """The text between two places with edits applied; of overlapping edits the first."""
    pieces, at = [], start
    for edit in sorted(edits, key=lambda each: each.start):
        if edit.start < at or edit.end > end:
            continue
        pieces += [view.text[at : edit.start], edit.words]
        at = edit.end
    pieces.append(view.text[at:end])
    return "".join(pieces)


def statement_of(
    view: View, clause: Clause, who: str, extra: Sequence[Edit] = (), *, weekly: bool = False
) -> str:
    """One clause in the third person."""
    edits = [
        *extra,
        *person_edits(view, clause.start, clause.end, who),
        *date_edits(view, clause.start, clause.end, weekly=weekly),
    ]
    text = apply(view, clause.start, clause.end, edits)
    text = _SUGGESTS.sub("", _FILLER.sub("", text))
    if clause.particle.startswith("啦") and not _TRAILING_LE.search(text):
        text += "了"
    return text.strip()
