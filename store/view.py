"""What may this caller see? The visibility every candidate query carries."""

from __future__ import annotations

from dataclasses import dataclass, fields

from memweir.store.scopes import Scope

__all__ = ["Blocked", "View"]


@dataclass(frozen=True, slots=True)
class View:
    """Visibility comes first: what may not be seen is never ranked.

    Attributes:
        scopes: at least one; rows of other scopes do not exist for this caller.
        as_of_ms: the instant whose validity windows count, UTC milliseconds since 1970.
        point_in_time: the caller asked about another instant than now: rows told after it do not
            exist yet. Without it a row told by a clock that runs ahead is seen all the same.
        include_history: rows that were superseded or are not valid at `as_of_ms` are seen too.
        scene: rows of this scene or of none, whatever the case of its ASCII letters; None: every scene.
        domain: the same of domains; None: every domain.
        tags: rows that carry every one of these tags (folded); empty: no filter.
        known_ms: what the store knew at this moment, UTC milliseconds since 1970: rows written or let
            in later do not exist yet, those withdrawn or worded anew since still stand as they were.
            What was forgotten stays forgotten. None: what it knows now.
        incidents: of the records of failures only these; None: all of them.
    """

    scopes: tuple[Scope, ...]
    as_of_ms: int
    point_in_time: bool = False
    include_history: bool = False
    scene: str | None = None
    domain: str | None = None
    tags: tuple[str, ...] = ()
    known_ms: int | None = None
    incidents: tuple[str, ...] | None = None

    @property
    def looks_back(self) -> bool:
        """Whether rows that hold no more may be seen: what was replaced is archived."""
        return self.point_in_time or self.include_history or self.known_ms is not None

    @property
    def told_by_ms(self) -> int | None:
        """The moment by which a standing answer was told that is given; None: now."""
        asked = (self.as_of_ms if self.point_in_time else None, self.known_ms)
        return min((each for each in asked if each is not None), default=None)


@dataclass(frozen=True, slots=True)
class Blocked:
    """How many memories visibility keeps from a recall, by the rule that does; 100 stands for more.

    Attributes:
        workspace: indexed memories of workspaces that were not asked.
        scene, domain: of another scene or domain.
        task: records of failures that the turn is not about.
        ended: superseded or over at the view's instant.
        review: that wait for a person.
    """

    workspace: int = 0
    scene: int = 0
    domain: int = 0
    task: int = 0
    ended: int = 0
    review: int = 0

    def keys(self) -> tuple[str, ...]:
        """The rules, so that `dict(blocked)` is a plain dictionary."""
        return tuple(each.name for each in fields(self))

    def __getitem__(self, rule: str) -> int:
        """How many a rule keeps out. Raises: KeyError: no such rule."""
        if rule not in self.keys():
            raise KeyError(rule)
        return int(getattr(self, rule))
