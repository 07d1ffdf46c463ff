"""Which clauses of a Chinese sentence are one fact together, and where does the next begin?"""

from __future__ import annotations

import re
from typing import Final

from memweir.learning.chinese.items import NEEDS_SUBJECT, Item

__all__ = ["ENDS_GROUP", "groups_of", "is_rule", "moves_on", "starts_anew"]

_MOST_IN_ONE: Final = 4
ENDS_GROUP: Final = ("shape.question", "shape.command", "shape.hypothetical", "shape.quoted")
_APPOSED: Final = re.compile("[^,是]{1,6}(?:人|岁|专业|出身|籍)$")
_HELD: Final = re.compile(
    r"^(?:因为|由于|为了|虽然|尽管|自从|从|在|当|趁|随着|除了|等|到)|(?:时候|期间|之后|以后"
    r"|的时候|时|的话)$"
)


def groups_of(items: list[Item], *, beside: bool) -> list[list[Item]]:
    groups: list[list[Item]] = []
    current: list[Item] = []
    held: list[Item] = []
    loose: Item | None = None
    for item in items:
        if item.gated:
            loose = None
        elif loose is not None and not current and not held and _belongs_to(loose, item):
            held = [loose]
        if item.gated:
            if item.gated in ENDS_GROUP and current:
                groups.append(current)
                current = []
            held = []
            continue
        if item.standing:
            if current and not is_rule(current):
                groups.append(current)
                current = []
            if current:
                current.append(item)
            elif groups and _ends_in_rule(groups[-1], item):
                groups[-1].append(item)
            else:
                groups.append([*held, item])
            held = []
            continue
        if item.framed:
            if item.reading is not None:
                if current:
                    groups.append(current)
                current = []
                groups.append([item])
            else:
                groups[-1].append(item)
            continue
        if item.reading is None:
            if current:
                excepts = item.clause.opener in ("不过", "但是", "但") or item.clause.body.startswith(
                    "但"
                )
                excepts = excepts or _APPOSED.match(item.clause.body) is not None
                if len(current) < _MOST_IN_ONE and (not beside or excepts) and _attaches(item):
                    current.append(item)
            elif item.topic or _HELD.search(item.clause.body) or item.clause.dates:
                held.append(item)
            else:
                loose = item
            continue
        loose = None
        if not current:
            current = [*held, item]
        elif starts_anew(current, item):
            groups.append(current)
            current = [*held, item]
        elif len(current) < _MOST_IN_ONE:
            current.append(item)
        held = []
    if current:
        groups.append(current)
    if beside:
        groups = [
            group
            for group in groups
            if any(
                item.standing
                or (
                    item.reading is not None
                    and item.reading.lasting
                    and item.reading.confidence >= 0.6
                    and (item.reading.kind != "event" or _is_dated(item))
                )
                for item in group
            )
        ]
    return groups


def _belongs_to(loose: Item, item: Item) -> bool:
    """A clause without a reading says of what a rule is: 大促期间代码冻结，谁也不许发."""
    kind = "" if item.reading is None else item.reading.kind
    return (
        kind in ("constraint", "decision")
        and item.subject.kind in ("none", "noun", "project")
        and 4 <= len(loose.clause.body) <= 24
        and loose.subject.kind in ("noun", "project", "owned", "we", "none")
        and loose.clause.mark in ("，", ",")
    )


def _is_dated(item: Item) -> bool:
    """An event of somebody's on a day that is named."""
    reading = item.reading
    return (
        bool(item.clause.dates)
        and item.subject.kind in ("self", "we", "owned", "kin")
        and reading is not None
        and (reading.rule == "extract.deadline" or reading.confidence >= 0.7)
    )


def is_rule(group: list[Item]) -> bool:
    """Rules said in one breath are one: 测试里不准访问外网，所有请求都得 mock 掉."""
    return all(
        item.standing or (item.reading is not None and item.reading.kind == "constraint")
        for item in group
    )


def _ends_in_rule(group: list[Item], item: Item) -> bool:
    last = group[-1]
    return (
        len(group) < _MOST_IN_ONE
        and is_rule(group)
        and last.clause.end < item.clause.start
        and last.clause.mark[:1] in ("，", ",", "、", " ")
    )


def _attaches(item: Item) -> bool:
    if item.clause.opener in ("所以", "因此", "因为", "于是") and item.subject.kind in ("we", "owned"):
        return True
    return 2 <= len(item.clause.body) <= 24 and item.subject.kind in (
        "none",
        "noun",
        "other",
        "self",
        "project",
        "named",
    )


# What only a person does, so that a clause without a subject speaks of the person before it.
_DOINGS: Final = frozenset(("extract.event", "extract.plan"))
_OF_THINGS: Final = frozenset(
    (
        "extract.thing",
        "extract.setting",
        "extract.location",
        "extract.use",
        "extract.attribute",
        "extract.identity",
    )
)
_OF_PERSONS: Final = frozenset(("extract.work", "extract.residence", "extract.preference"))


def starts_anew(current: list[Item], item: Item) -> bool:
    """Whether a clause with a reading of its own is a fact apart from those before it."""
    last = next((each for each in reversed(current) if each.reading is not None), None)
    if last is None or last.reading is None or item.reading is None:
        return False
    if moves_on(last, item):
        return False
    own = item.subject.kind != "none"
    if item.subject.kind == "project" and current[0].subject.kind in ("owned", "project", "we"):
        return False
    if item.clause.opener in ("因为", "所以", "因此", "于是"):
        return False
    if re.match(
        r"(?:因为|所以|因此|于是|才|而是|而不是|而非|不是|就|以便|从而|为了|但|不过|可是|也"
        r"|后来|剩下|其余|其他|另外)",
        item.clause.body,
    ):
        return False
    if re.search(
        "[给跟和对帮替比让](?:他|她|它)|^(?:他|她)(?:的)?(?:[男女]朋友|老公|老婆|爸|妈|儿子"
        "|女儿|弟|妹|哥|姐)",
        item.clause.body,
    ):
        return False
    if not own:
        if last.reading.rule == "extract.background" or item.reading.rule == "extract.experience":
            return False
        if last.subject.kind in ("project", "noun", "we", "owned") and item.reading.rule in _OF_THINGS:
            return False
        if last.reading.rule == "extract.negation" and item.clause.body.startswith(("戒", "都", "从")):
            return False
        if last.reading.rule in _DOINGS and item.reading.rule in _OF_PERSONS:
            return True
        if any(
            each.reading is not None
            and each.reading.rule in ("extract.possession", "extract.event", "extract.plan")
            for each in current
        ):
            return False
        if item.reading.rule in NEEDS_SUBJECT:
            return False
        if item.reading.kind == "event" or last.reading.kind in ("decision", "constraint"):
            return False
        if item.reading.rule == last.reading.rule == "extract.preference":
            return _denies(item) == _denies(last)
        return item.reading.lasting
    if item.subject.kind in ("self", "we") and item.reading.kind == last.reading.kind == "event":
        return item.clause.mark not in ("，", ",") and last.clause.mark in ("；", ";", "。")
    return True


def _denies(item: Item) -> bool:
    return re.search("不|讨厌|反感|受不了|厌恶|嫌|怕", item.clause.body) is not None


_THEN: Final = re.compile("以前|之前|原来|原先|过去|曾经|本来|早先|从前")
_NOW: Final = re.compile("现在|如今|目前|后来|今年开始|已经|改")


def moves_on(before: Item, after: Item) -> bool:
    """以前住北京，现在住上海."""
    return _THEN.search(before.clause.body) is not None and _NOW.search(after.clause.body) is not None
