"""What goes into every system prompt? Its text, and the blocks that a person puts into it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Final

from memweir.cli.output import console, one_line, quoted, write_json, write_text
from memweir.cli.session import (
    add_common,
    now,
    open_memory,
    read_text,
    reading_scopes,
    settings,
    writing_scope,
)
from memweir.cli.warned import warn
from memweir.errors import InputError

if TYPE_CHECKING:
    from datetime import datetime

    from memweir.memory import Memory
    from memweir.store.records import PromptBlock

__all__ = ["add_arguments"]

_ACTIONS: Final = ("list", "add", "edit", "remove")
_GAP: Final = "  "


def add_arguments(name: str, parser: argparse.ArgumentParser) -> None:
    """Give a command of this module its arguments and what runs it."""
    match name:
        case "prompt":
            parser.set_defaults(run=_prompt)
        case "prompts":
            parser.epilog = (
                "list: all blocks of the scopes in their order. add: a block, with --title and --body. "
                "edit ID: what is given. remove ID: delete it; it does not come back. memweir prompt "
                "shows what they make."
            )
            parser.add_argument(
                "action",
                metavar="ACTION",
                nargs="?",
                choices=_ACTIONS,
                default="list",
                help=", ".join(_ACTIONS),
            )
            parser.add_argument("id", metavar="ID", nargs="?", help="the block; of edit and remove")
            parser.add_argument("--title", metavar="TEXT", help="what people call it")
            parser.add_argument("--body", metavar="TEXT", help="what the prompt says; - reads stdin")
            parser.add_argument(
                "--position", type=int, metavar="N", help="the smaller, the earlier; default the end"
            )
            parser.add_argument(
                "--enabled",
                action=argparse.BooleanOptionalAction,
                help="with edit: put it into prompts, or no more",
            )
            parser.set_defaults(run=_prompts)
        case _:
            raise AssertionError(name)
    add_common(parser, scopes="many")


def _prompt(args: argparse.Namespace) -> int:
    config, scopes = settings(args), reading_scopes(args)
    at = now(args, config)
    with open_memory(args, config) as memory:
        prompt = memory.prompt(scope=scopes, now=at)
    if args.json:
        write_json(prompt)
        return 0
    for each in prompt.warnings:
        warn(each)
    write_text(prompt.text)
    return 0


def _prompts(args: argparse.Namespace) -> int:
    config = settings(args)
    _check(args)
    at = now(args, config)
    if args.action == "add":
        scope, body = writing_scope(args), read_text(args.body)
        with open_memory(args, config, create=True) as memory:
            block = memory.add_prompt(args.title, body, scope=scope, position=args.position, now=at)
        return _done(args, block, "is added")
    with open_memory(args, config) as memory:
        if args.action == "list":
            return _list(args, memory.prompts(scope=reading_scopes(args), now=at))
        if args.action == "remove":
            block = memory.remove_prompt(args.id, scope=reading_scopes(args), now=at)
            return _done(args, block, "is removed")
        return _done(args, _edit(args, memory, at), "is edited")


def _check(args: argparse.Namespace) -> None:
    named = args.action in ("edit", "remove")
    if (args.id is not None) != named:
        raise InputError(f"{args.action} takes {'the' if named else 'no'} ID of a block")
    given = _given(args)
    if args.action in ("list", "remove") and given:
        raise InputError(f"{args.action} changes no field of a block")
    if args.action == "edit" and not given:
        raise InputError("edit needs --title, --body, --position, --enabled or --no-enabled")
    if args.action == "add" and (args.title is None or args.body is None or args.enabled is not None):
        raise InputError("add needs --title and --body; what is added is enabled")


def _given(args: argparse.Namespace) -> dict[str, Any]:
    names = ("title", "body", "position", "enabled")
    return {name: getattr(args, name) for name in names if getattr(args, name) is not None}


def _edit(args: argparse.Namespace, memory: Memory, at: datetime | None) -> PromptBlock:
    changes = _given(args)
    if "body" in changes:
        changes["body"] = read_text(changes["body"])
    return memory.edit_prompt(args.id, scope=reading_scopes(args), now=at, **changes)


def _done(args: argparse.Namespace, block: PromptBlock, what: str) -> int:
    if args.json:
        write_json(block)
    else:
        write_text(f"{block.id} {what}")
    return 0


def _list(args: argparse.Namespace, found: list[PromptBlock]) -> int:
    if args.json:
        write_json({"prompts": found})
        return 0
    if not found:
        write_text("no prompt block")
    for place, each in enumerate(found):
        if place:
            write_text("")
        off = "" if each.enabled else ", off"
        size = f"{len(each.body)} characters"
        write_text(f"{each.id}  at {each.position}, {size}{off}  in {one_line(str(each.scope))}")
        write_text(f"{_GAP}{one_line(each.title)}")
        for line in quoted(each.body, console().width - len(_GAP)):
            write_text(f"{_GAP}{line}")
    return 0
