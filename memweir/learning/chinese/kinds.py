"""What does a Chinese clause say of its subject, and how surely is it worth keeping?

The rules are tried in order; the first that matches names the reading. A clause that none of them
knows holds nothing of its own: it goes with the clause before it, or is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from memweir.learning.chinese import decided, doings, habits, people, rules, states, things, wishes
from memweir.learning.chinese.clauses import Clause
from memweir.learning.chinese.readings import Reading
from memweir.learning.chinese.subjects import Subject

__all__ = ["read_kind"]

_SUBORDINATE: Final = re.compile(
    "(?:的时候|时候|(?<![小同临暂按及准平])时|的话|之后|以后|期间|的同时)$|^(?:自从|趁着?|随着|每当)"
)


def read_kind(clause: Clause, subject: Subject, inherited: str = "none") -> Reading | None:
    """The reading of a clause; None where no rule knows it.

    Args:
        inherited: kind of the subject of the clause before, where this one has none.
    """
    kind = subject.kind if subject.kind != "none" else inherited
    if kind in ("you", "this", "other"):
        return None
    if _SUBORDINATE.search(clause.body):
        return None
    for rule in _RULES:
        found = rule(clause, subject, kind)
        if found is not None:
            return found
    return None


_RULES: Final[tuple[Callable[[Clause, Subject, str], Reading | None], ...]] = (
    wishes.named,
    people.is_to_me,
    people.is_with_me,
    people.responsible,
    wishes.prefers,
    states.attribute,
    decided.chose,
    decided.dropped,
    wishes.must,
    rules.forbids,
    wishes.decides,
    rules.never,
    habits.tastes,
    habits.experience,
    habits.schooled,
    habits.quality,
    habits.changed,
    doings.habit_first,
    doings.plans,
    doings.recurs,
    states.has,
    states.located,
    states.holds,
    states.uses,
    states.manner,
    states.is_what,
    things.of_thing,
    things.of_group,
    doings.ongoing,
    doings.happened,
    habits.refuses,
    habits.does,
    habits.at_home,
    states.trait,
    states.stated,
    habits.plainly,
)
