"""What may this caller see? The visibility every candidate query carries."""

from __future__ import annotations

from dataclasses import dataclass

from memweir.store.scopes import Scope

__all__ = ["View"]


@dataclass(frozen=True, slots=True)
class View:
    """Visibility comes first: what may not be seen is never ranked.

    Attributes:
        scopes: at least one; rows of other scopes do not exist for this caller.
        as_of_ms: the instant whose validity windows count, UTC milliseconds since 1970.
        point_in_time: the caller asked about another instant than now: rows told after it do not
            exist yet. Without it a row told by a clock that runs ahead is seen all the same.
        include_history: rows that were superseded or are not valid at `as_of_ms` are seen too.
        scene: rows of this scene or of none; None: every scene.
        domain: rows of this domain or of none; None: every domain.
        tags: rows that carry every one of these tags (folded); empty: no filter.
    """

    scopes: tuple[Scope, ...]
    as_of_ms: int
    point_in_time: bool = False
    include_history: bool = False
    scene: str | None = None
    domain: str | None = None
    tags: tuple[str, ...] = ()
