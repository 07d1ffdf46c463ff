"""Whom and what does a Chinese fact speak of, and how do they stand to each other?"""

from __future__ import annotations

import re
from typing import Final

from memweir.learning.chinese.clauses import Clause, View
from memweir.learning.chinese.lexicon import Pattern, words
from memweir.learning.chinese.readings import Reading
from memweir.learning.chinese.rewrite import apply, person_edits
from memweir.learning.chinese.subjects import Subject, names_among, person_names, tagged
from memweir.store.records import Relation

__all__ = ["entities_of", "participants_of", "relations_of", "subject_name"]

_LATIN: Final = re.compile(
    r"[A-Za-z][A-Za-z0-9]*(?:[-_.+#/][A-Za-z0-9+#]+)*[+#]*(?: [A-Z0-9][A-Za-z0-9.+#-]*)*"
)
_TITLE: Final = re.compile(r"《([^《》\n]{1,64})》")
_PLACE_TAGS: Final = frozenset(("ns", "nt"))
_OURS: Final = re.compile(r"(?:我们?|咱们?|俺)(?:家)?的?(?P<noun>[\u4e00-\u9fff]{1,4})")
_MINE: Final = re.compile("我|俺|咱")
_MOST: Final = 12


def subject_name(subject: Subject, who: str) -> str:
    """How the graph calls a subject: "用户", "用户的妹妹", a name; "" where it has no name."""
    if subject.kind in ("self", "none"):
        return who
    if subject.kind == "we":
        return f"{who}的团队"
    if subject.kind in ("owned", "kin"):
        return f"{who}的{subject.noun}" if subject.noun else ""
    return subject.noun if subject.kind in ("named", "project") else ""


def participants_of(view: View, start: int, end: int) -> tuple[str, ...]:
    """People by name or by what they are to the speaker, as written."""
    found = [(at + start, name) for at, name in person_names(view.simple[start:end])]
    for match in _OURS.finditer(view.masked, start, end):
        noun = _longest(match["noun"], "kin", "associate")
        if noun:
            found.append((match.start("noun"), noun))
    return tuple(dict.fromkeys(view.text[at : at + len(name)] for at, name in sorted(found)))


def entities_of(view: View, start: int, end: int, who: str, subjects: list[Subject]) -> tuple[str, ...]:
    """Names of people, places, products, titles, in text order; the speaker's people by relation."""
    found: list[tuple[int, str]] = []
    text, simple = view.text, view.simple
    for subject in subjects:
        name = subject_name(subject, who)
        if name and subject.kind != "none":
            found.append((subject.start, name))
    for match in _TITLE.finditer(text, start, end):
        found.append((match.start(), match.group(1)))
    for match in _LATIN.finditer(view.masked, start, end):
        beside = text[max(0, match.start() - 1) : match.start()] + text[match.end() : match.end() + 1]
        if len(match.group()) > 1 and "@" not in beside:
            found.append((match.start(), match.group()))
    for match in _OURS.finditer(view.masked, start, end):
        noun = _longest(match["noun"], "kin", "associate", "pet")
        if noun:
            found.append((match.start(), f"{who}的{noun}"))
    at = start
    cut = tagged(simple[start:end])
    people = {place + start: len(name) for place, name in names_among(cut)}
    for word, tag in cut:
        if at in people or (tag in _PLACE_TAGS and len(word) > 1):
            found.append((at, text[at : at + people.get(at, len(word))]))
        at += len(word)
    return tuple(dict.fromkeys(name for _, name in sorted(found)))[:_MOST]


_ATTRIBUTE: Final = Pattern("(?P<p><attribute>|<category>)(?:是在|是|为|叫|在|:|：)(?P<o>[^,]{1,40})$")
_TRIPLES: Final = {
    "extract.name": (
        r"(?:(?:名字|大名|全名|小名|英文名)是|^我是|叫做?|名叫|姓)(?P<o>[^,的是]{1,12})$",
        "姓名",
    ),
    "extract.residence": (
        r"(?:住在|家在|定居在?|居住在?|现居|家住|常住|住)(?P<o>[^,的了]{2,16})$",
        "居住地",
    ),
    "extract.work": (r"在(?P<o>[^,]{2,16}?)(?:工作|上班|任职|就职|供职|实习)", "工作于"),
    "extract.relation": (r"(?<![不])是(?P<o>(?:我|咱|俺)[^,]{1,12}?)(?:来着|了)?$", "是"),
    "extract.identity": (r"是(?:一[名个位])?(?P<o>[^,]{2,16})$", "是"),
    "extract.use": (r"用的?是?(?P<o>[A-Za-z][\w .+#-]*)", "使用"),
    "extract.health": (r"对(?P<o>[^,]{1,10}?)过敏", "过敏"),
    "extract.preference": (
        r"(?<!不)(?<!不太)(?:喜欢|偏好|热爱|爱吃|爱喝|偏爱|最爱)(?P<o>[^,的]{1,12})$",
        "喜欢",
    ),
}


def relations_of(
    view: View, clause: Clause, subject: Subject, reading: Reading, who: str
) -> tuple[Relation, ...]:
    """The one triple of a clause, where its rule gives one plainly."""
    source = subject_name(subject, who)
    if not source:
        return ()
    base = clause.start
    if reading.rule == "extract.attribute":
        match = _ATTRIBUTE.search(clause.body)
        if match is None or subject.kind == "none":
            return ()
        predicate = view.text[base + match.start("p") : base + match.end("p")]
        target = view.text[base + match.start("o") : base + match.end("o")]
        if subject.kind == "owned" and subject.noun not in words("kin") | words("associate"):
            source = who
        return (Relation(source, predicate, target),)
    triple = _TRIPLES.get(reading.rule)
    if triple is None:
        return ()
    pattern, predicate = triple
    match = re.search(pattern, clause.body)
    if match is None:
        return ()
    target = view.text[base + match.start("o") : base + match.end("o")].strip("了 ")
    if _MINE.search(target):
        at = base + match.start("o"), base + match.end("o")
        target = apply(view, *at, person_edits(view, *at, who)).strip("了 ")
    if not target or re.search("你|他|她", target):
        return ()
    return (Relation(source, predicate, target),)


def _longest(text: str, *sections: str) -> str:
    """The longest noun of sections that a text begins with; ""."""
    for length in range(min(4, len(text)), 0, -1):
        if any(text[:length] in words(section) for section in sections):
            return text[:length]
    return ""
