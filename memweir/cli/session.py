"""Which store, scope, settings and moment does a command line mean?"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from memweir.errors import InputError, ScopeError, StorePathError
from memweir.store.scopes import Scope

if TYPE_CHECKING:
    from memweir.config import Config
    from memweir.memory import Memory

__all__ = [
    "add_common",
    "looked_in",
    "moment",
    "now",
    "open_memory",
    "read_text",
    "reading_scopes",
    "settings",
    "store_path",
    "typed",
    "window",
    "writing_scope",
]


def add_common(parser: argparse.ArgumentParser, *, scopes: str = "") -> None:
    """The options every verb on a store has; `scopes` is "one", "many" or "" for none."""
    group = parser.add_argument_group("common options")
    group.add_argument(
        "--store",
        metavar="FILE",
        help="the store; default MEMWEIR_STORE, then a file in the user data folder",
    )
    if scopes:
        default = "the current folder's workspace" + (" and global" if scopes == "many" else "")
        group.add_argument(
            "--scope",
            metavar="KIND:KEY",
            action="append",
            default=[],
            help="global, workspace:PATH, session:ID, project:NAME, agent:ID or team:ID"
            + ("; may be repeated" if scopes == "many" else "")
            + f"; default {default}",
        )
    group.add_argument(
        "--config",
        metavar="FILE",
        help="settings; default MEMWEIR_CONFIG, then memweir.toml in the user configuration folder",
    )
    group.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="one setting, for example fusion.gate.min_relevance=0.2; may be repeated",
    )
    group.add_argument(
        "--now", metavar="ISO", help="the moment that counts as now, for reproducible output"
    )
    group.add_argument("--json", action="store_true", help="print exactly one JSON object")
    parser.set_defaults(scopes=scopes)


def settings(args: argparse.Namespace) -> Config:
    """The settings in force: `--set`, then the environment, then the file, then the defaults."""
    from memweir.config import Config, parse_scalar

    overrides: dict[str, object] = {}
    for each in args.set:
        key, equals, text = each.partition("=")
        if not equals:
            raise InputError(f"--set {each!r}: write KEY=VALUE")
        overrides[key.strip()] = parse_scalar(key.strip(), text)
    return Config.load(args.config or _default_config(), overrides=overrides)


def open_memory(args: argparse.Namespace, config: Config, *, create: bool = False) -> Memory:
    """The store named by `--store`, `MEMWEIR_STORE` or the platform.

    Args:
        create: make it where it does not exist. A verb that only looks, or works on what is there,
            must not leave an empty store at a mistyped path.

    Raises:
        StorePathError: there is none and none is to be made.
    """
    from memweir.memory import Memory

    path = store_path(args, create=create)
    if not create and _is_missing(path):
        raise StorePathError(path, "no store here yet; `memweir remember` makes one")
    return Memory.open(path, config=config)


def store_path(args: argparse.Namespace, *, create: bool = False) -> str:
    """The file that a command line means.

    Args:
        create: make the folder that it stands in by default.
    """
    path: str = args.store or os.environ.get("MEMWEIR_STORE") or _default_store(create=create)
    return path


def reading_scopes(args: argparse.Namespace) -> tuple[Scope, ...]:
    """What a reading verb may see."""
    given = tuple(Scope.parse(each) for each in args.scope)
    return given or (_here(), Scope.everywhere())


def writing_scope(args: argparse.Namespace) -> Scope:
    """Where a writing verb writes: one scope."""
    if len(args.scope) > 1:
        raise ScopeError("a memory belongs to one scope; give --scope once")
    return Scope.parse(args.scope[0]) if args.scope else _here()


def looked_in(args: argparse.Namespace) -> tuple[str, ...]:
    """The scopes a command line means, in words a person can type."""
    if not getattr(args, "scopes", ""):
        return ()
    if args.scope:
        return tuple(args.scope)
    return (f"workspace:{Path.cwd()}", *(["global"] if args.scopes == "many" else []))


def typed(args: argparse.Namespace, *words: str, scopes: Sequence[Scope] | None = None) -> str:
    """A command line that goes on where this one looked: the same store, settings, moment and scopes.

    Args:
        scopes: others than those given.
    """
    import shlex

    named = args.scope if scopes is None else list(map(str, scopes))
    options = [("--scope", value) for value in named] + [("--set", value) for value in args.set]
    single = (("--store", args.store), ("--config", args.config), ("--now", args.now))
    options += [(option, value) for option, value in single if value is not None]
    given: list[str] = []
    for option, value in options:  # a value that looks like an option is none only behind "="
        given += [f"{option}={value}"] if value.startswith("-") else [option, value]
    return shlex.join(["memweir", *words, *given])


def now(args: argparse.Namespace, config: Config) -> datetime | None:
    """`--now`; None: the engine's clock."""
    return moment("--now", args.now, config)


def moment(option: str, text: str | None, config: Config) -> datetime | None:
    """An ISO 8601 moment; one without a zone is meant in the configured or the system's zone.

    Raises:
        InputError: it is not ISO 8601.
    """
    if text is None:
        return None
    try:
        parsed = datetime.fromisoformat(text.strip())
        if parsed.utcoffset() is not None:
            return parsed
        zone = config.zone()
        return parsed.replace(tzinfo=zone) if zone is not None else parsed.astimezone()
    except (ValueError, OverflowError, OSError) as error:
        raise InputError(
            f"{option} {text!r}: not an ISO 8601 moment such as 2026-03-20T10:00"
        ) from error


def window(option: str, text: str | None, config: Config) -> tuple[datetime, datetime] | None:
    """`START/END`, the end excluded, or one date for that whole day.

    Raises:
        InputError: it is neither.
    """
    if text is None:
        return None
    first, slash, last = text.partition("/")
    start = moment(option, first, config)
    end = moment(option, last, config) if slash else None
    if start is not None and not slash and _is_date(first):
        end = start + timedelta(days=1)
    if start is None or end is None:
        raise InputError(f"{option} {text!r}: write START/END or a date such as 2026-03-20")
    return start, end


def read_text(text: str) -> str:
    """The text given, or stdin without its last line end where the text is `-`."""
    if text != "-":
        return text
    buffer = getattr(sys.stdin, "buffer", None)
    read = sys.stdin.read() if buffer is None else buffer.read().decode("utf-8-sig", "replace")
    return str(read).removesuffix("\n").removesuffix("\r")


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text.strip())
    except ValueError:
        return False
    return True


def _here() -> Scope:
    try:
        return Scope.workspace(Path.cwd())
    except OSError as error:
        raise ScopeError("the current folder is gone; name a scope with --scope") from error


def _default_config() -> str | None:
    given = os.environ.get("MEMWEIR_CONFIG")
    if given:
        return given
    from platformdirs import user_config_path

    path = user_config_path("memweir", appauthor=False) / "memweir.toml"
    return str(path) if path.is_file() else None


def _is_missing(path: str) -> bool:
    try:
        os.stat(path)
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        return False  # opening it says what is wrong
    return False


def _default_store(*, create: bool) -> str:
    from platformdirs import user_data_path

    folder = user_data_path("memweir", appauthor=False)
    if create:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise StorePathError(
                str(folder), f"cannot be made ({reason}); name a file with --store"
            ) from error
    return str(folder / "memory.db")
