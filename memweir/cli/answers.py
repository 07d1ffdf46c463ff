"""Which standing answers are there, and which of them are true no more?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from memweir.cli import plain
from memweir.cli.output import console, note, one_line, quoted, write_json, write_text
from memweir.cli.session import (
    add_common,
    now,
    open_memory,
    reading_scopes,
    settings,
    typed,
)
from memweir.errors import InputError
from memweir.store.records import Answer

if TYPE_CHECKING:
    from datetime import datetime

    from memweir.memory import Memory
    from memweir.store.scopes import Scope

__all__ = ["add_arguments"]

_ACTIONS: Final = ("list", "show", "phrase", "verify", "withdraw")
_MOST: Final = 100
_GAP: Final = "  "


def add_arguments(name: str, parser: argparse.ArgumentParser) -> None:
    """Give a command of this module its arguments and what runs it."""
    if name != "answers":
        raise AssertionError(name)
    parser.epilog = (
        "list: all of them, the one verified longest ago first. show: one. phrase: let it be found by "
        "further questions, given with --phrasing. verify: it was found true, now. withdraw: delete it "
        "with its phrasings and earlier texts; nothing brings it back."
    )
    parser.add_argument(
        "action",
        metavar="ACTION",
        nargs="?",
        choices=_ACTIONS,
        default="list",
        help=", ".join(_ACTIONS),
    )
    parser.add_argument("id", metavar="ID", nargs="?", help="the answer; of every action but list")
    parser.add_argument(
        "--phrasing",
        metavar="TEXT",
        action="append",
        default=[],
        help="with phrase: another way to ask the question; may be repeated",
    )
    parser.add_argument(
        "--approve-personal",
        action="store_true",
        help="with phrase: a person approved what it says of a person",
    )
    parser.add_argument("--limit", type=int, metavar="N", help=f"answers at most; default {_MOST}")
    add_common(parser, scopes="many")
    parser.set_defaults(run=_answers)


def _answers(args: argparse.Namespace) -> int:
    config, scopes = settings(args), reading_scopes(args)
    if (args.id is None) != (args.action == "list"):
        raise InputError(f"{args.action} takes {'no' if args.id else 'the'} ID of an answer")
    if (args.action == "phrase") != bool(args.phrasing):
        raise InputError("further questions are given as: phrase ID --phrasing TEXT")
    if args.approve_personal and args.action != "phrase":
        raise InputError("--approve-personal belongs to phrase")
    at = now(args, config)
    with open_memory(args, config) as memory:
        if args.action == "list":
            return _list(args, memory.answers(scope=scopes, limit=args.limit, now=at))
        answer = _act(args, memory, scopes, at)
    if args.json:
        write_json(answer)
        return 0
    done = {"phrase": "has its phrasings", "verify": "is verified", "withdraw": "is withdrawn"}
    if args.action in done:
        write_text(f"{answer.id} {done[args.action]}")
    else:
        _show(answer)
    return 0


def _act(
    args: argparse.Namespace, memory: Memory, scopes: tuple[Scope, ...], at: datetime | None
) -> Answer:
    match args.action:
        case "verify":
            return memory.verify_answer(args.id, scope=scopes, now=at)
        case "withdraw":
            return memory.withdraw_answer(args.id, scope=scopes, now=at)
        case "phrase":
            return memory.add_phrasings(
                args.id,
                args.phrasing,
                scope=scopes,
                approve_personal=args.approve_personal,
                now=at,
            )
    return memory.get_answer(args.id, scope=scopes, now=at)


def _list(args: argparse.Namespace, found: list[Answer]) -> int:
    if args.json:
        write_json({"answers": found})
        return 0
    if not found:
        write_text("no standing answer")
    for place, each in enumerate(found):
        if place:
            write_text("")
        _show(each)
    stale = next((each for each in found if each.stale), None)
    if stale is not None:
        note(f"not verified for too long: {typed(args, 'answers', 'verify', stale.id)}")
    if len(found) == (args.limit or _MOST):
        note("there may be more: --limit shows them")
    return 0


def _show(answer: Answer) -> None:
    """One answer; what somebody wrote never begins a line: it could look like ours."""
    figures = [f"given {answer.hits} times", f"verified {plain.iso(answer.verified_at_ms)}"]
    figures += ["stale"] if answer.stale else []
    figures += [f"{answer.earlier} earlier texts"] if answer.earlier else []
    write_text(f"{answer.id}  {', '.join(figures)}  in {one_line(str(answer.scope))}")
    others = [each for each in answer.phrasings if each != answer.question]
    for each in ([answer.question] if answer.question else []) + others:
        write_text(f"{_GAP}? {one_line(each)}")
    for line in quoted(answer.text, console().width - len(_GAP)):
        write_text(f"{_GAP}{line}")
