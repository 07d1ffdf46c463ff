"""What does a small test start from? A clock that stands still, drafts and views with defaults."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from memweir.store.records import Draft, to_ms
from memweir.store.scopes import Scope
from memweir.store.view import View

__all__ = ["NOW", "SCOPE", "FixedClock", "draft", "view"]

NOW: Final = datetime(2026, 6, 15, 12, 0, tzinfo=UTC)
"""The moment at which tests happen, a Monday."""

SCOPE: Final = Scope.project("atlas")
"""Where tests remember, unless they say otherwise."""


class FixedClock:
    """A clock that moves only when told to. Give it to `Memory.open(clock=…)`."""

    def __init__(self, now: datetime = NOW) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    @property
    def ms(self) -> int:
        """The moment as UTC milliseconds since 1970, as the store seam takes it."""
        return to_ms(self.now)

    def advance(self, **delta: float) -> datetime:
        """Move on by the arguments of `timedelta`; the new moment."""
        self.now += timedelta(**delta)
        return self.now


def draft(
    text: str = "The project uses pnpm",
    *,
    age_days: float | None = 3,
    scope: Scope = SCOPE,
    now: datetime = NOW,
    **fields: Any,
) -> Draft:
    """A draft told `age_days` before `now`.

    Args:
        age_days: None: `created_at` stays unset, so that the write's own moment counts.
        fields: any other field of `Draft`.
    """
    if age_days is not None:
        fields.setdefault("created_at", now - timedelta(days=age_days))
    return Draft(text=text, scope=scope, **fields)


def view(*scopes: Scope, as_of: datetime = NOW, **fields: Any) -> View:
    """A view of the scopes, `SCOPE` where none is given, at `as_of`; `fields` are those of `View`."""
    return View(scopes=scopes or (SCOPE,), as_of_ms=to_ms(as_of), **fields)
