"""Where is the SQL? In store/sql/*.sql: each statement under a line `-- name: NAME`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

__all__ = ["migrations", "statements"]

_MARK: Final = "-- name:"


@cache
def statements(name: str) -> dict[str, str]:
    """The named statements of store/sql/`name`.sql.

    Raises:
        KeyError: by the caller's look-up, where a name is missing: a mistake of ours.
    """
    text = files("memweir.store").joinpath("sql", f"{name}.sql").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for part in text.split(_MARK)[1:]:
        title, _, body = part.partition("\n")
        found[title.strip()] = body.strip().rstrip(";")
    return found


@cache
def migrations() -> tuple[tuple[int, str], ...]:
    """(version, script) of every migration, ascending; the file name starts with the version."""
    folder = files("memweir.store").joinpath("sql", "migrations")
    steps = [
        (int(each.name.split("_", 1)[0]), each.read_text(encoding="utf-8"))
        for each in folder.iterdir()
        if each.name.endswith(".sql")
    ]
    return tuple(sorted(steps))
