"""What became of a memory, what was a recall made of, and would it say the same today?"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from memweir.cli import plain
from memweir.cli.output import (
    PIPE_WIDTH,
    console,
    note,
    one_line,
    quoted,
    ranks_text,
    score_lines,
    write_json,
    write_text,
)
from memweir.cli.session import (
    add_common,
    now,
    open_memory,
    read_text,
    reading_scopes,
    settings,
)
from memweir.errors import InputError, RefusedError

if TYPE_CHECKING:
    from memweir.receipts import Receipt, Rerun
    from memweir.runs import RunExplanation, RunItem
    from memweir.store.history import History
    from memweir.store.records import Record

__all__ = ["add_arguments", "blocked_text", "check_place", "show_run", "write_receipt"]

_TREES: Final = 3  # score trees of a recall that gave nothing
_RECEIPT_BYTES: Final = 10_000_000


def add_arguments(name: str, parser: argparse.ArgumentParser) -> None:
    """Give a command of this module its arguments and what runs it."""
    match name:
        case "history":
            parser.add_argument("id", metavar="ID")
            add_common(parser, scopes="many")
            parser.set_defaults(run=_history)
        case "ledger":
            parser.add_argument("--limit", type=int, metavar="N", help="lines at most; default 100")
            parser.add_argument("--after", type=int, metavar="LINE", help="what came after that line")
            add_common(parser, scopes="many")
            parser.set_defaults(run=_ledger)
        case "rerun":
            parser.add_argument(
                "receipt", metavar="RECEIPT", help="file that recall --receipt wrote; - reads stdin"
            )
            parser.add_argument("text", metavar="TEXT", help="the turn's text; - reads stdin")
            parser.add_argument(
                "--context",
                metavar="TEXT",
                action="append",
                default=[],
                help="a turn before, oldest first; may be repeated",
            )
            add_common(parser)
            parser.set_defaults(run=_rerun)
        case _:
            raise AssertionError(name)


# History


def _history(args: argparse.Namespace) -> int:
    config, scopes = settings(args), reading_scopes(args)
    now(args, config)  # accepted on every verb, and checked; the past does not depend on it
    with open_memory(args, config) as memory:
        found = memory.history(args.id, scope=scopes)
    if args.json:
        write_json(plain.history(found))
    else:
        _show_history(found)
    return 0


def _ledger(args: argparse.Namespace) -> int:
    config, scopes = settings(args), reading_scopes(args)
    now(args, config)
    with open_memory(args, config) as memory:
        lines = memory.ledger(scope=scopes, limit=args.limit, after=args.after)
    if args.json:
        write_json({"lines": lines})
        return 0
    if not lines:
        note("the ledger has no such line of these scopes")
    for each in lines:
        about = [each.memory_id, each.rule and f"rule {each.rule}", each.fingerprint]
        said = " ".join(one_line(part) for part in about if part)
        write_text(
            f"{each.id:>6}  {plain.iso(each.at_ms)}  {one_line(each.action):<17} {said}".rstrip()
        )
    return 0


def _show_history(found: History) -> None:
    """The chain by numbers, then the timeline."""
    numbers = {each.record.id: place for place, each in enumerate(found.chain, start=1)}
    for chapter in found.chain:
        record = chapter.record
        asked = "  <- asked about" if record.id == found.id and len(found.chain) > 1 else ""
        write_text(f"{numbers[record.id]}. {record.id}  {_standing(record)}{asked}")
        for title, ids in (("replaced", chapter.replaces), ("replaced by", chapter.replaced_by)):
            if ids:
                named = (f"{numbers[each]}." if each in numbers else one_line(each) for each in ids)
                write_text(f"   {title} {', '.join(named)}")
        _show_texts("   ", record, chapter.wordings)
    if found.group:
        write_text("side by side with:")
        for each in found.group:
            write_text(f"   {each.id}  {_standing(each)}")
            _show_texts("   ", each, ())
    write_text("")
    several = len(found.chain) > 1
    for event in found.events:
        number = f"{numbers[event.memory_id]}. " if several and event.memory_id in numbers else ""
        line = f"{plain.iso(event.at_ms)}  {number}{one_line(event.what):<14}  {one_line(event.detail)}"
        write_text(line.rstrip())
    if found.cut:
        note("there is more than this: of what is further away or longer ago not all is shown")


def _standing(record: Record) -> str:
    since = f"valid from {plain.iso(record.valid_at_ms)}"
    until = "" if record.invalid_at_ms is None else f" until {plain.iso(record.invalid_at_ms)}"
    return f"{record.status}, {since}{until}"


def _show_texts(indent: str, record: Record, wordings: Sequence[Record]) -> None:
    for place, each in enumerate((*wordings, record), start=1):
        if wordings:
            write_text(f"{indent}wording {place}{', now' if each is record else ''}:")
        for line in quoted(each.text, PIPE_WIDTH - len(indent)):
            write_text(f"{indent}{line}")


# A recall of the past


def show_run(found: RunExplanation, differs: Sequence[tuple[str, Any, Any]]) -> None:
    """Candidates, scores, decisions and what was left out. Args: differs: (setting, then, now)."""
    injected = [each for each in found.items if each.position is not None]
    write_text(f"recall {found.id} of {plain.iso(found.at_ms)}, mode {found.mode}")
    write_text(f"  asked: {', '.join(one_line(str(each)) for each in found.scopes) or 'nothing known'}")
    outcome = f"gave {len(injected)} of {len(found.items)} candidates"
    write_text(f"  {outcome}{f' ({found.abstained})' if found.abstained else ''}")
    for line in _figures(found.trace):
        write_text(f"  {line}")
    if not found.trace:
        note("an older version recorded this recall: less is known of it")
    if found.items:
        write_text("")
        _run_table(found.items)
    shown = [each for each in found.items if each.position is not None or each.dropped]
    for each in shown or found.items[:_TREES]:
        write_text("")
        write_text(f"score of {each.id}:")
        for line in score_lines(each.why):
            write_text(f"  {line}")
    if differs:
        write_text("")
        write_text("settings that are others now:")
        for name, then, given in differs:
            write_text(f"  {name}: {one_line(repr(then))} then, {one_line(repr(given))} now")


def _figures(trace: Mapping[str, Any]) -> Iterable[str]:
    """What the audit keeps of the whole recall, where it kept it."""
    if "relevance" in trace:
        yield f"probability that anything here answered: {float(trace['relevance']):.2f}"
    if trace.get("hits"):
        yield "found: " + ", ".join(f"{path} {count}" for path, count in trace["hits"].items())
    blocked = blocked_text(trace.get("blocked", {}))
    if blocked:
        yield blocked
    if trace.get("characters"):
        yield f"the block had {trace['characters']} characters, about {trace['tokens']} tokens"
    asked = ("as_of", "known", "history", "scene", "domain", "tags")
    narrowed = {name: trace[name] for name in asked if trace.get(name) not in (None, False, [])}
    for name in ("as_of", "known"):
        if name in narrowed:
            narrowed[name] = plain.iso(int(narrowed[name]))
    if narrowed:
        yield "asked for: " + ", ".join(f"{name} {one_line(str(v))}" for name, v in narrowed.items())
    yield from (f"warning: {one_line(str(each))}" for each in trace.get("warnings", ()))


def blocked_text(blocked: Mapping[str, int]) -> str:
    """ "kept out before any ranking: 2 task, 1 review", "" where nothing was."""
    counts = ", ".join(f"{count} {rule}" for rule, count in blocked.items() if count)
    return f"kept out before any ranking: {counts}" if counts else ""


def _run_table(items: Sequence[RunItem]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("gate", overflow="fold")
    for title in ("score", "match"):
        table.add_column(title, justify="right", width=5)
    table.add_column("found by", width=13)
    table.add_column("memory", overflow="fold")
    for each in items:
        decision = each.decision
        gate = Text(f"{'*' if each.position is not None else ' '}{decision.action}\n {decision.reason}")
        about = [each.id]
        if each.position is not None:
            about.append(f"in the block at {each.position + 1}")
        if each.dropped:
            about.append(f"left out: {each.dropped}")
        marks = (f"{name} {value}" if value is not True else name for name, value in each.marks.items())
        about += [one_line(str(mark)) for mark in marks]
        table.add_row(
            gate,
            f"{each.score:.3f}",
            f"{decision.relevance:.2f}",
            ranks_text(each.ranks) or "-",
            Text("\n".join(about)),
        )
    console().print(table)


# A recall asked again


def _rerun(args: argparse.Namespace) -> int:
    if args.receipt == "-" and args.text == "-":
        raise InputError("only one of receipt and text can be read from stdin")
    config = settings(args)
    now(args, config)  # accepted on every verb, and checked; the receipt's own moment counts
    receipt = _read_receipt(args.receipt)
    text = read_text(args.text)
    with open_memory(args, config) as memory:
        found = memory.rerun(receipt, text, context=tuple(args.context))
    message = "the recall would give another block today"
    if args.json:
        error = {"error": {"type": "RerunDiffers", "message": message}}
        write_json({**plain.rerun(found), **({} if found.same else error)})
    else:
        _show_rerun(found)
    if not found.same:
        note(message)
    return 0 if found.same else 1


def _read_receipt(path: str) -> Receipt:
    from memweir.receipts import Receipt

    if path == "-":
        return Receipt.from_json(read_text("-"))
    try:
        with Path(path).open("rb") as stream:
            found = stream.read(_RECEIPT_BYTES + 1)
        if len(found) > _RECEIPT_BYTES:
            raise InputError(f"{path}: too large for a receipt")
        return Receipt.from_json(found.decode("utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: not a receipt") from error


def check_place(path: str) -> None:
    """Whether a receipt can be written there, asked before the recall is made and recorded.

    Raises:
        RefusedError: a folder of it is missing, none is made for it; or it is no place for a file.
    """
    place = Path(path)
    try:
        if not place.parent.is_dir():
            raise RefusedError(f"--receipt {path}: no such folder; make it first")
        if place.is_dir():
            raise RefusedError(f"--receipt {path}: is a folder; name a file in it")
        with suppress(FileNotFoundError):
            os.lstat(path)  # raises what a name that no file can have raises
        if not os.access(place if place.exists() else place.parent, os.W_OK):
            raise RefusedError(f"--receipt {path}: cannot be written")
    except (OSError, ValueError) as error:
        raise RefusedError(f"--receipt {path}: {_reason(error)}") from error


def write_receipt(path: str, receipt: Receipt) -> None:
    """Write it whole or not at all: a file that was there stays until the new one is complete.

    Raises:
        RefusedError: it cannot be written.
    """
    data = (receipt.to_json() + "\n").encode("utf-8", "backslashreplace")
    place = Path(path)
    try:
        if place.exists() and not place.is_file():  # a pipe or a device takes it as it comes
            place.write_bytes(data)
            return
        place = place.resolve()  # of a link, the file it leads to
        handle, half = tempfile.mkstemp(prefix=".memweir-", dir=place.parent)
        try:
            with open(handle, "wb") as stream:
                stream.write(data)
            if place.exists():
                shutil.copymode(place, half)
            os.replace(half, place)
        except BaseException:
            Path(half).unlink(missing_ok=True)
            raise
    except (OSError, ValueError) as error:
        raise RefusedError(f"--receipt {path}: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error)


def _show_rerun(found: Rerun) -> None:
    write_text("same" if found.same else "changed")
    for each in found.changes:
        write_text(f"  {one_line(each)}")
