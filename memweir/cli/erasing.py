"""What would go for good, and is it gone? First shown, then confirmed by its token."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from memweir.cli.output import amount, note, write_json, write_text
from memweir.cli.session import (
    add_common,
    now,
    open_memory,
    reading_scopes,
    settings,
    typed,
)
from memweir.cli.warned import warn
from memweir.errors import InputError
from memweir.store.erasure import ErasePlan, EraseReceipt

if TYPE_CHECKING:
    from memweir.config import Config

__all__ = ["add_arguments"]


def add_arguments(name: str, parser: argparse.ArgumentParser) -> None:
    """Give a command of this module its arguments and what runs it."""
    if name != "erase":
        raise AssertionError(name)
    parser.epilog = (
        "Without --confirm nothing is erased: what would go is shown, with the command that erases it. "
        "Without --scope it is looked for where every command looks; --everything needs --scope."
    )
    parser.add_argument(
        "ids", metavar="ID", nargs="*", help="memories (mem_…), answers (ans_…), prompt blocks (prm_…)"
    )
    parser.add_argument("--subject", metavar="NAME", help="what is said by a name, of it, or with it")
    parser.add_argument("--everything", action="store_true", help="all of the scopes, names included")
    parser.add_argument("--confirm", metavar="TOKEN", help="of what was shown: erase it")
    parser.add_argument(
        "--finish",
        action="store_true",
        help="do what an erasure could not, others being at the file",
    )
    parser.add_argument("--receipts", action="store_true", help="the receipts of the last erasures")
    add_common(parser, scopes="many")
    parser.set_defaults(run=_erase)


def _erase(args: argparse.Namespace) -> int:
    config = settings(args)
    chosen = [bool(args.ids), args.subject is not None, args.everything, args.finish, args.receipts]
    if sum(chosen) != 1:
        raise InputError("name IDs, --subject, --everything, --finish or --receipts: one of them")
    if args.finish or args.receipts:
        return _aftermath(args, config)
    if args.everything and not args.scope:
        raise InputError("--everything erases whole scopes; name them with --scope")
    scopes, at = reading_scopes(args), now(args, config)
    with open_memory(args, config) as memory:
        done = memory.erase(
            scope=scopes,
            ids=args.ids or None,
            subject=args.subject,
            everything=args.everything,
            confirm=args.confirm,
            now=at,
        )
    if args.json:
        write_json(done)
    elif isinstance(done, ErasePlan):
        _show_plan(args, done)
    else:
        _show_receipt(done)
    return 0


def _aftermath(args: argparse.Namespace, config: Config) -> int:
    with open_memory(args, config) as memory:
        if args.finish:
            clean = memory.finish_erasure()
            if args.json:
                write_json({"finished": clean})
            else:
                write_text("nothing is left to do" if clean else "another process still reads")
            return 0
        receipts = memory.erasures()
    if args.json:
        write_json({"receipts": receipts})
        return 0
    for each in receipts:
        _show_receipt(each)
    if not receipts:
        note("nothing was erased")
    return 0


def _show_plan(args: argparse.Namespace, plan: ErasePlan) -> None:
    for each in plan.memories:
        earlier = f", {amount(each.wordings, 'earlier wording')}" if each.wordings else ""
        write_text(f"{each.id}  {each.status}{earlier}")
    for answer in (*plan.wordings, *plan.answers, *plan.prompts):
        write_text(answer)
    write_text("")
    write_text(f"would go: {_counted(plan.counts) or 'nothing'}")
    if _counted(plan.scrubbed):
        write_text(f"would lose their words: {_counted(plan.scrubbed)}")
    if plan.also_said:
        write_text(f"says the same and would stay: {', '.join(plan.also_said)}")
    _show_mirror("would go from the mirror", plan)
    if not plan.counts:
        return
    named = [*args.ids] or (["--everything"] if args.everything else ["--subject", args.subject])
    write_text("")
    write_text("nothing is erased yet; nothing undoes it. To erase:")
    write_text(f"  {typed(args, 'erase', *named, '--confirm', plan.token)}")


def _show_receipt(receipt: EraseReceipt) -> None:
    write_text(f"erased {receipt.id} ({receipt.target}): {_counted(receipt.counts) or 'nothing'}")
    if _counted(receipt.scrubbed):
        write_text(f"  without their words now: {_counted(receipt.scrubbed)}")
    _show_mirror("gone from the mirror", receipt)
    if receipt.key:
        write_text(f"  key of this receipt, kept nowhere: {receipt.key}")
    if receipt.remedy:
        note(receipt.remedy)


def _show_mirror(what: str, found: ErasePlan | EraseReceipt) -> None:
    if found.mirror:
        write_text(f"  {what}: {_counted(found.mirror)} line(s)")
    if found.mirror_left:
        write_text(f"  written by hand, and stays: {', '.join(found.mirror_left)}")
    for each in found.warnings:
        warn(each)


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()) if count)
