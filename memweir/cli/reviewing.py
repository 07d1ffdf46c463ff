"""What does a person have to decide, and with which words is it decided?"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
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
from memweir.store.records import Record, Review, Stored, to_ms
from memweir.store.reviews import successor
from memweir.store.scopes import Scope

if TYPE_CHECKING:
    from rich.console import Console

    from memweir.memory import Memory

__all__ = ["add_arguments", "say_stored"]

_KINDS: Final = {
    "personal-data": "it holds personal data; until it is approved it is not recalled",
    "key": "another value holds its key already; until that is decided it is not recalled",
    "contradiction": "the newer seems to deny the older; both are recalled meanwhile",
    "update": "the newer says that what the older says has changed; both are recalled meanwhile",
}
_DECISIONS: Final = {
    "approve": "recall it",
    "replace": "archive the older, which held until the newer began",
    "precede": "the newer held until the older began, and is history",
    "coexist": "both stand side by side, shown together or not at all",
    "reject": "archive the newer",
    "dismiss": "they do not meet: both stand, and nobody asks again",
}
_EARLIER: Final = "the newer is what is asked about; it holds since before the older"
_NEVER: Final = "archive the older, which never held: the newer began before it"
_NEVER_AT_ONCE: Final = "archive the older, which never held: the newer began no later"
_SOME_NEVER: Final = "archive the older; what began after the newer did never held, the rest until then"
_TO_COME: Final = "the older holds until the newer begins, and is history then"
_MOST: Final = 100
_GAP: Final = "  "


def add_arguments(name: str, parser: argparse.ArgumentParser) -> None:
    """Give a command of this module its arguments and what runs it."""
    match name:
        case "reviews":
            parser.add_argument(
                "--limit", type=int, metavar="N", help=f"questions at most; default {_MOST}"
            )
            parser.set_defaults(run=_reviews)
        case "review":
            parser.add_argument("id", metavar="REVIEW")
            parser.add_argument(
                "decision", metavar="DECISION", help=f"{', '.join(_DECISIONS)}: those that fit it"
            )
            parser.add_argument(
                "--token", required=True, metavar="TOKEN", help="of what was looked at, see reviews"
            )
            parser.set_defaults(run=_review)
        case _:
            raise AssertionError(name)
    add_common(parser, scopes="many")


def _reviews(args: argparse.Namespace) -> int:
    config, scopes = settings(args), reading_scopes(args)
    at = now(args, config)
    with open_memory(args, config) as memory:
        found = memory.reviews(scope=scopes, limit=args.limit, now=at)
    at_ms = to_ms(at or datetime.now(UTC))
    if args.json:
        write_json({"reviews": found})
        return 0
    if not found:
        write_text("no question waits for a decision")
    screen = console()
    for place, each in enumerate(found):
        if place:
            write_text("")
        _show(args, each, screen, at_ms)
    if len(found) == (args.limit or _MOST):
        note("there may be more: --limit shows them")
    return 0


def _show(args: argparse.Namespace, review: Review, screen: Console, at_ms: int) -> None:
    """One question: what it is about, both sides, and what can be typed."""
    rule = f" ({one_line(review.rule)})" if review.rule else ""
    write_text(f"{review.id}  {review.kind}{rule}  asked {plain.iso(review.opened_at_ms)}")
    about = _KINDS.get(review.kind, "")
    if review.kind == "key" and not review.against:
        about = "another value held its key, and does no more; until that is decided it is not recalled"
    if about:
        write_text(f"{_GAP}{about}")
    if successor(review.memory, review.against) is not None:
        write_text(f"{_GAP}{_EARLIER}")
    _show_sides(review, screen)
    for each in review.decisions:
        write_text(f"{_GAP}{each}: {_does(review, each, at_ms)}".rstrip(": "))
        write_text(f"{_GAP * 2}{typed(args, 'review', review.id, each, '--token', review.token)}")


def _does(review: Review, decision: str, at_ms: int) -> str:
    """What an answer to this question does."""
    since = review.memory.valid_at_ms
    if decision == "replace" and since > at_ms:
        return _TO_COME
    if decision == "replace":
        never = [since <= each.valid_at_ms for each in review.against]
        if all(never):
            return _NEVER if successor(review.memory, review.against) is not None else _NEVER_AT_ONCE
        return _SOME_NEVER if any(never) else _DECISIONS[decision]
    return _DECISIONS.get(decision, "")


def _show_sides(review: Review, screen: Console) -> None:
    """The newer and the older side next to each other."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    columns = 2 if review.against else 1
    width = (screen.width - len(_GAP) * (columns + 1)) // columns
    table = Table(box=None, pad_edge=False, padding=(0, len(_GAP), 0, 0), show_header=False)
    for _ in range(columns):
        table.add_column(width=width, overflow="fold", no_wrap=False)
    older = "\n\n".join("\n".join(_side("older", each, width)) for each in review.against)
    sides = ["\n".join(_side("newer", review.memory, width)), *([older] if older else [])]
    table.add_row(*map(Text, sides))
    screen.print(Padding(table, (0, 0, 0, len(_GAP))))


def _side(title: str, record: Record, width: int) -> Iterator[str]:
    """Who said what, and when. What somebody wrote never begins a line: it could look like ours."""
    from rich.cells import cell_len

    yield f"{title}: {one_line(record.id)}"
    yield f"{record.status}, {record.provenance}"
    yield f"told {plain.iso(record.created_at_ms)}"
    if record.valid_at_ms != record.created_at_ms:
        yield f"holds since {plain.iso(record.valid_at_ms)}"
    named = (("by", record.speaker), ("key", record.semantic_key), ("title", record.title))
    for name, value in (*named, ("in", str(record.scope))):
        if value:
            line = f"{name} {one_line(value)}"
            yield from [line] if cell_len(line) <= width else [name, *quoted(one_line(value), width)]
    yield from quoted(record.text, width)


def _review(args: argparse.Namespace) -> int:
    config, scopes = settings(args), reading_scopes(args)
    at = now(args, config)
    with open_memory(args, config) as memory:
        decided = memory.decide(args.id, args.decision, token=args.token, scope=scopes, now=at)
    if args.json:
        write_json(decided)
        return 0
    write_text(f"{decided.id} {decided.decision}")
    for record in (decided.memory, *decided.against):
        waits = record.status == "quarantined"
        write_text(
            f"{_GAP}{record.id} {record.status}"
            + (f", it waits for another decision: {typed(args, 'reviews')}" if waits else "")
        )
    return 0


def say_stored(
    args: argparse.Namespace,
    memory: Memory,
    stored: Stored,
    scope: Scope | Sequence[Scope],
    at: datetime | None,
    *,
    moved: bool = False,
) -> int:
    """What a write answers: what became of the memory, and what a person is asked about it.

    Args:
        scope: where it is now; moved: that is not where it was looked for.
    """
    remark = ""
    if stored.reviews:
        asked = [memory.review(each, scope=scope, now=at) for each in stored.reviews]
        named = (f"{each.kind}{f', {one_line(each.rule)}' if each.rule else ''}" for each in asked)
        where = [scope] if moved and isinstance(scope, Scope) else None
        waits = stored.status == "quarantined"
        verb = "it waits for a decision" if waits else "it raises a question and is recalled meanwhile"
        remark = f"{verb} ({'; '.join(dict.fromkeys(named))}): {typed(args, 'reviews', scopes=where)}"
    if args.json:
        write_json(plain.stored(stored, remark))
        return 0
    times = "" if stored.evidence_count == 1 else f", told {stored.evidence_count} times"
    write_text(f"{stored.id} {stored.outcome}{times}")
    if remark:
        write_text(f"{_GAP}{remark}")
    return 0
