"""How does a person read the store, and what was written into its mirror by hand?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from memweir.cli.output import note, one_line, write_json, write_text
from memweir.cli.session import add_common, now, open_memory, reading_scopes, settings
from memweir.errors import InputError
from memweir.store.scopes import Scope

if TYPE_CHECKING:
    from memweir.config import Config

__all__ = ["add_arguments"]


def add_arguments(name: str, parser: argparse.ArgumentParser) -> None:
    """Give a command of this module its arguments and what runs it."""
    match name:
        case "export":
            parser.add_argument(
                "--markdown",
                metavar="DIR",
                help="pages, in a folder that is missing, empty or an export",
            )
            parser.add_argument(
                "--exclude-superseded", action="store_true", help="leave out what holds no more"
            )
            add_common(parser, scopes="many")
            parser.set_defaults(run=_export)
        case "search-notes":
            parser.add_argument("text", metavar="TEXT", help="what a line holds, whatever its case")
            parser.add_argument("--limit", type=int, metavar="N", help="lines at most; default 100")
            parser.add_argument(
                "--scope",
                metavar="KIND:KEY",
                action="append",
                default=[],
                help="of mirrored lines only those of this scope; may be repeated; default all",
            )
            add_common(parser)
            parser.set_defaults(run=_search)
        case _:
            raise AssertionError(name)


def _export(args: argparse.Namespace) -> int:
    config = settings(args)
    if not args.markdown:
        raise InputError("name the folder of the export: --markdown DIR")
    scopes, at = reading_scopes(args), now(args, config)
    with open_memory(args, config) as memory:
        done = memory.export_markdown(
            args.markdown, scope=scopes, exclude_superseded=args.exclude_superseded, now=at
        )
    if args.json:
        write_json(done)
        return 0
    for name, count in done.files.items():
        write_text(f"{count:>7}  {name}")
    write_text(f"written to {done.folder}")
    return 0


def _search(args: argparse.Namespace) -> int:
    config: Config = settings(args)
    now(args, config)  # accepted on every verb, and checked; this one does not depend on it
    scopes = [Scope.parse(each) for each in args.scope] or None
    with open_memory(args, config) as memory:
        found = memory.search_notes(args.text, scope=scopes, limit=args.limit)
    if args.json:
        write_json({"notes": found})
        return 0
    for each in found:
        write_text(f"{each.file}:{each.line}: {one_line(each.text)}")
    if not found:
        note("no line of the mirror holds it")
    return 0
