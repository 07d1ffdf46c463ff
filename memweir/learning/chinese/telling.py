"""How is a fact made of clauses? Its statement in the third person, kind, key, days and slots."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from memweir.learning.chinese.clauses import Clause, View
from memweir.learning.chinese.dates import Edit, date_edits, event_bounds
from memweir.learning.chinese.grouping import is_rule, moves_on
from memweir.learning.chinese.items import Item
from memweir.learning.chinese.keys import key_of, reply_key
from memweir.learning.chinese.lexicon import Pattern, words
from memweir.learning.chinese.names import entities_of, participants_of, relations_of
from memweir.learning.chinese.readings import CLEAR, Reading
from memweir.learning.chinese.rewrite import statement_of, subject_phrase
from memweir.learning.chinese.standing import standing_kind
from memweir.learning.types import Fact, Slots

__all__ = ["EXPLICIT", "Placed", "tell"]

EXPLICIT: Final = 0.95
"""How sure it is that what a person asked for is worth keeping."""

Placed = tuple[int, int, Fact]
"""A fact and where its clauses stand in the sentence."""

_CHANGE: Final = Pattern("<change>")


def tell(view: View, group: list[Item], who: str, *, explicit: bool = False) -> Placed:
    start, end = (group[0].when or group[0].clause).start, group[-1].clause.end
    if any(item.standing for item in group):
        return start, end, _instruction(view, group, who)
    main = next((item for item in group if item.reading is not None), group[0])
    if _RULE_OF.search(main.clause.body):  # 我们组有个规矩，周会不超过半小时
        main = next((each for each in group if is_rule([each])), main)
    reading = main.reading or Reading("fact", "explicit.remember", CLEAR, True)
    if len(group) == 2 and moves_on(group[0], group[1]):
        ordered = [group[1], group[0]]
        main = group[1]
        reading = replace(group[1].reading or reading, rule="extract.change")
        moved = True
    else:
        ordered, moved = group, False
    pieces = [
        _piece(view, item, who, first=number == 0, moved=moved, main=main)
        for number, item in enumerate(ordered)
    ]
    statement = "，".join(filter(None, pieces)).strip("，, ") + "。"
    key_reading = main.reading or reading
    key = key_of(main.clause, main.whose, key_reading, view)
    if explicit and key is None:
        key = reply_key(main.clause.body) if main.subject.kind == "none" else None
    relations = tuple(
        dict.fromkeys(
            relation
            for item in group
            if item.reading is not None
            for relation in relations_of(view, item.clause, item.whose, item.reading, who)
        )
    )
    change = _CHANGE.search(view.simple[start:end])
    dates = view.dates_in(start, end)
    spoken = view.text
    said = (
        spoken[main.clause.end - len(main.subject.said) : main.clause.end] if main.subject.said else ""
    )
    slots = Slots(
        time="，".join(spoken[span.start : span.end] for span in dates),
        participants=participants_of(view, start, end),
        event=said if reading.kind == "event" else "",
        relation=spoken[start + change.start() : start + change.end()] if change else "",
        conclusion=said if reading.kind in ("decision", "preference", "constraint") else "",
    )
    fact = Fact(
        statement=statement,
        quote="",
        kind=reading.kind,
        confidence=EXPLICIT if explicit else reading.confidence,
        rule="explicit.remember" if explicit else reading.rule,
        explicit=explicit or _is_order(group),
        semantic_key=key,
        window=event_bounds(view, start, end, weekly=_is_weekly(main)),
        entities=entities_of(view, start, end, who, [item.whose for item in group]),
        relations=relations,
        slots=slots,
    )
    return start, end, fact


_ORDER: Final = re.compile(
    "别|不要|不许|不准|不得|不能|不可|禁止|严禁|必须|一律|都得|务必|统一|一定要|只能|只许"
    "|先给我|至少|最多"
)
_TO_YOU: Final = re.compile("(?:就|请|可)?(?:别|不要)(?:再)?(?:给|往|跟|叫|让|推荐|安排|排|约|发)")


def _is_order(group: list[Item]) -> bool:
    """It lays down what others are to do, and says not that it is only so."""
    if any(
        item.subject.kind in ("none", "noun", "project") and _TO_YOU.search(item.clause.body)
        for item in group
    ):
        return True
    return any(
        item.reading is not None
        and item.reading.kind == "constraint"
        and item.subject.kind in ("none", "noun", "project", "other", "named")
        and _ORDER.search(item.clause.body)
        for item in group
    ) and not any(
        _RULE_OF.search(item.clause.body) or item.subject.kind in ("we", "self") for item in group
    )


_RULE_OF: Final = re.compile("(?:规矩|规定|约定|原则|底线|红线|要求)(?:是|就是|:|：)?$")
_WEEKLY: Final = ("constraint", "procedure", "preference")
_WEEKLY_RULES: Final = ("extract.habit", "extract.negation")


def _is_weekly(item: Item) -> bool:
    """A day of the week in it is every one of them."""
    reading = item.reading
    return item.standing or (
        reading is not None and (reading.kind in _WEEKLY or reading.rule in _WEEKLY_RULES)
    )


def _piece(view: View, item: Item, who: str, *, first: bool, moved: bool, main: Item) -> str:
    """One clause of a statement; the first names its subject."""
    clause, subject = item.clause, item.subject
    extra: list[Edit] = []
    if item.reading is not None and item.reading.word == "叫我":
        return _naming(view, clause, who)
    if first:
        if subject.kind in ("self", "we") and subject.start > clause.start:
            phrase = subject_phrase(view, subject, who)
            extra = [Edit(clause.start, clause.start, phrase), Edit(subject.start, subject.end, "")]
        elif (
            subject.kind == "none"
            and (item.phrase or _speaks_of_user(item))
            and not _names_itself(item)
        ):
            extra = [
                Edit(clause.start, clause.start, item.phrase or _left_out(item, who)),
                Edit(subject.start, subject.end, ""),
            ]
        elif subject.kind == "kin":
            extra = [Edit(subject.start, subject.start, f"{who}的")]
    elif subject.kind == "self" and (main.subject.kind == "self" or moved):
        extra = [Edit(subject.start, subject.end, "")]
    elif subject.kind == "none" and subject.end > subject.start:  # 他, who was named before
        extra = [Edit(subject.start, subject.end, "" if item.phrase == main.phrase else item.phrase)]
    elif subject.kind == "kin":
        extra = [Edit(subject.start, subject.start, f"{who}的")]
    if first and item.when is not None:
        days = date_edits(view, item.when.start, item.when.end)
        extra.append(Edit(subject.end, subject.end, "".join(edit.words for edit in days)))
    text = statement_of(view, clause, who, extra, weekly=_is_weekly(main))
    if not first and clause.opener in words("connector"):
        text = clause.opener + text
    return text


_ALL: Final = re.compile("所有|全部|任何|一切|每个|凡|各")


def _left_out(item: Item, who: str) -> str:
    """Whom a clause without a subject is about: the speaker, or what the speaker wants of others."""
    reading = item.reading
    if reading is not None and reading.rule == "extract.procedure":
        return ""
    if reading is not None and reading.rule == "extract.constraint" and not item.clause.dates:
        return "" if _ALL.match(item.clause.body) else f"{who}要求"
    return who


def _names_itself(item: Item) -> bool:
    """徒步挑战赛的时间是…: a subject that begins with a verb."""
    reading = item.reading
    return (
        reading is not None
        and reading.rule == "extract.attribute"
        and reading.word == "的"
        and not item.phrase
    )


def _speaks_of_user(item: Item) -> bool:
    return item.reading is not None or not item.clause.body[:1].isascii()


_CALL_ME: Final = re.compile(
    r"(?:叫我|称呼我为?|喊我)(?P<name>[^,我俺咱]{1,12}?)(?:就行了?|就好了?|即可|吧|就可以了?)?$"
)


def _naming(view: View, clause: Clause, who: str) -> str:
    match = _CALL_ME.search(clause.body)
    if match is None:
        return statement_of(view, clause, who)
    name = view.text[clause.start + match.start("name") : clause.start + match.end("name")]
    return f"{who}希望被称为{name}"


_ADDRESS: Final = re.compile(
    r"^(?:我(?:更|比较)?(?:希望|想|想让|想要|需要|喜欢)(?:你|您)能?|请你?|麻烦你?|你|您)+"
)


_TO_ME: Final = re.compile(r"(?<=回答|回复|答复|告诉)我$")


def _instruction(view: View, group: list[Item], who: str) -> Fact:
    start, end = group[0].clause.start, group[-1].clause.end
    simple = view.simple[start:end]
    pieces = []
    for item in group:
        address = _ADDRESS.match(item.clause.body)
        extra = [Edit(item.clause.start, item.clause.start + address.end(), "")] if address else []
        tail = _TO_ME.search(item.clause.body)
        if tail:
            extra.append(Edit(item.clause.start + tail.start(), item.clause.end, ""))
        if _CALL_ME.search(item.clause.body):
            pieces.append(_naming(view, item.clause, who))
            continue
        pieces.append(statement_of(view, item.clause, who, extra).replace("你", "助手"))
    statement = "，".join(filter(None, pieces)).strip("，,：: ") + "。"
    if not statement.startswith(f"{who}希望"):
        statement = f"{who}要求{statement}"
    return Fact(
        statement=statement,
        quote="",
        kind=standing_kind(simple),
        confidence=EXPLICIT,
        rule="explicit.standing",
        explicit=True,
        semantic_key=reply_key(simple),
        window=None,
        entities=entities_of(view, start, end, who, [item.subject for item in group]),
        slots=Slots(conclusion=view.text[start:end]),
    )
