"""What belongs in this prompt, and why did (or didn't) a memory come up?"""

from __future__ import annotations

import argparse
import dataclasses
import re
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from memweir.cli import plain
from memweir.cli.output import (
    candidate_table,
    compared,
    console,
    note,
    ranks_text,
    score_lines,
    write_json,
    write_text,
)
from memweir.cli.past import blocked_text, check_place, show_run, write_receipt
from memweir.cli.session import (
    add_common,
    moment,
    now,
    open_memory,
    read_text,
    reading_scopes,
    settings,
)
from memweir.cli.warned import warn
from memweir.errors import InputError, NotFoundError, StoreError
from memweir.fusion.gate import UNANSWERED
from memweir.fusion.types import MODES

if TYPE_CHECKING:
    from memweir.config import Config
    from memweir.memory import Memory
    from memweir.results import Explanation, Recall
    from memweir.store.scopes import Scope

__all__ = ["add_arguments"]

_RUN: Final = re.compile(r"(?:run:)?[0-9]+", re.ASCII)
_DIGITS: Final = 18  # of a run's number


def add_arguments(name: str, parser: argparse.ArgumentParser) -> None:
    """Give a command of this module its arguments and what runs it."""
    match name:
        case "recall":
            parser.add_argument("text", metavar="TEXT", help="the turn's text; - reads stdin")
            parser.add_argument(
                "--context",
                metavar="TEXT",
                action="append",
                default=[],
                help="a turn before, oldest first; may be repeated",
            )
            parser.add_argument("--mode", choices=MODES, help="of the gate")
            parser.add_argument("--items", type=int, metavar="N", help="entries in the block at most")
            parser.add_argument(
                "--characters", type=int, metavar="N", help="of the whole block at most"
            )
            parser.add_argument("--tokens", type=int, metavar="N", help="of the whole block at most")
            parser.add_argument("--limit", type=int, metavar="N", help="candidates of a path at most")
            parser.add_argument(
                "--as-of", metavar="ISO", help="what held at that moment; a date alone is its midnight"
            )
            parser.add_argument(
                "--known-at",
                metavar="ISO",
                help="what was known at that moment; a date alone is its midnight",
            )
            parser.add_argument("--history", action="store_true", help="superseded memories too")
            parser.add_argument(
                "--tag", metavar="TAG", action="append", default=[], help="only with it"
            )
            parser.add_argument("--scene", metavar="NAME", help="only of this scene or of none")
            parser.add_argument("--domain", metavar="NAME", help="only of this domain or of none")
            parser.add_argument(
                "--explain", action="store_true", help="show every candidate and what decided about it"
            )
            parser.add_argument(
                "--no-route",
                action="store_true",
                help="every scene and every record of a failure, whatever the turn is about",
            )
            parser.add_argument("--no-record", action="store_true", help="write no audit")
            parser.add_argument(
                "--receipt", metavar="FILE", help="write what rerun needs to ask this recall again"
            )
            add_common(parser, scopes="many")
            parser.set_defaults(run=_recall)
        case "explain":
            parser.add_argument(
                "id", metavar="ID|RUN", help="a memory, or a recall of the past: 12 or run:12"
            )
            parser.add_argument(
                "--query", metavar="TEXT", help="how does the memory fare for this text?"
            )
            add_common(parser, scopes="many")
            parser.set_defaults(run=_explain)
        case _:
            raise AssertionError(name)


def _recall(args: argparse.Namespace) -> int:
    if args.receipt is not None:
        _check_receipt(args)
    config = settings(args)
    given = {name: getattr(args, name) for name in ("items", "characters", "tokens")}
    budget = dataclasses.replace(
        config.budget, **{name: value for name, value in given.items() if value is not None}
    )
    scopes, at = reading_scopes(args), now(args, config)
    as_of = moment("--as-of", args.as_of, config)
    known_at = moment("--known-at", args.known_at, config)
    text = read_text(args.text)
    with open_memory(args, config) as memory:
        result = memory.recall(
            text,
            scope=scopes,
            now=at,
            context=tuple(args.context),
            as_of=as_of,
            known_at=known_at,
            include_history=args.history,
            scene=args.scene,
            domain=args.domain,
            tags=tuple(args.tag),
            route=not args.no_route,
            limit=args.limit,
            budget=budget,
            mode=args.mode,
            record=not args.no_record,
        )
        if args.receipt is not None:
            _write_receipt(args.receipt, memory, result, scopes)
    for each in result.warnings:
        warn(each)
    if args.json:
        write_json(plain.recall(result, everything=args.explain))
    else:
        _show_recall(result, config.gate.turn_relevance, everything=args.explain)
    return 0


def _check_receipt(args: argparse.Namespace) -> None:
    """Refuse what cannot be, before anything is asked."""
    if args.receipt.strip() in ("", "-"):
        raise InputError(
            "--receipt needs a file: stdout carries the result, for example --receipt recall.json"
        )
    if args.no_record:
        raise InputError("--receipt tells of a recorded recall; leave --no-record out")
    check_place(args.receipt)


def _write_receipt(path: str, memory: Memory, result: Recall, scopes: tuple[Scope, ...]) -> None:
    if not result.run_id:
        raise StoreError("no receipt: " + "; ".join(result.warnings or ("nothing was recorded",)))
    write_receipt(path, memory.receipt(result.run_id, scope=scopes))


def _show_recall(result: Recall, threshold: float, *, everything: bool) -> None:
    """The block; at a terminal or when asked, the table of what decided."""
    turn = _turn(result.relevance, threshold)
    refused = not result.block and result.abstained == UNANSWERED
    if result.block:
        write_text(result.block)
    else:
        note(f"nothing to inject: {result.abstained}{f': {turn}' if refused else ''}")
    if everything and not refused:
        note(turn)
    shown = result.candidates if everything else result.items
    if shown and (everything or sys.stdout.isatty()):
        write_text("")
        candidate_table(console(), shown, ids=True)
    if everything:
        _show_kept(result)
    for dropped in result.dropped:
        note(f"did not fit: {dropped.id} ({dropped.reason})")


def _show_kept(result: Recall) -> None:
    """What never ranked, and under which number the recall is kept."""
    blocked = blocked_text(dataclasses.asdict(result.blocked))
    if blocked or result.run_id:
        write_text("")
    if blocked:
        write_text(blocked)
    if result.run_id:
        write_text(f"recorded as run:{result.run_id}")


def _turn(relevance: float, threshold: float) -> str:
    """What the gate asks first, in its two numbers."""
    return f"probability that anything here answers {compared(relevance, threshold)}"


def _explain(args: argparse.Namespace) -> int:
    config, scopes = settings(args), reading_scopes(args)
    at = now(args, config)
    if args.id.startswith("run:") or _RUN.fullmatch(args.id):
        return _explain_run(args, config, scopes)
    with open_memory(args, config) as memory:
        found = memory.explain(args.id, scope=scopes, query=args.query, now=at)
    if args.json:
        write_json(found)
    else:
        _show_explanation(found, config.gate.turn_relevance)
    return 0


def _explain_run(args: argparse.Namespace, config: Config, scopes: tuple[Scope, ...]) -> int:
    from memweir.receipts import differences
    from memweir.recording import recorded

    if args.query is not None:
        raise InputError("--query goes with a memory; a recall of the past was asked what it was asked")
    number = args.id.removeprefix("run:")
    if _RUN.fullmatch(args.id) is None:
        raise InputError(f"a recall of the past is named by its number, 12 or run:12, got {args.id!r}")
    if len(number) > _DIGITS:
        raise NotFoundError("recall", number)
    with open_memory(args, config) as memory:
        found = memory.explain_run(int(number), scope=scopes)
    differs = differences(found.settings, recorded(config)) if found.settings else []
    if args.json:
        write_json(plain.run(found, differs))
    else:
        show_run(found, differs)
    return 0


def _show_explanation(found: Explanation, threshold: float) -> None:
    write_text(found.verdict)
    write_text("")
    for name, value in plain.record(found.record).items():
        if value not in (None, "", [], False):
            shown = ", ".join(map(str, value)) if isinstance(value, list) else value
            write_text(f"{name:>18}  {shown}")
    for source, predicate, target in found.relations:
        write_text(f"{'relation':>18}  {source} - {predicate} - {target}")
    if found.item is not None:
        decision = found.item.decision
        write_text("")
        write_text(f"gate: {decision.action} ({decision.reason})")
        if decision.reason == UNANSWERED:
            write_text(f"  {_turn(found.item.turn, threshold)}")
        write_text(
            f"  relevance {decision.relevance:.2f}  freshness {decision.freshness:.2f}  "
            f"confidence {decision.confidence:.2f}  risk {decision.risk:.2f}"
        )
        write_text(f"found by: {ranks_text(found.item.ranks) or found.item.slot or '-'}")
        write_text("score:")
        for line in score_lines(found.item.why):
            write_text(f"  {line}")
    trails = plain.explanation(found)
    for title in plain.TRAILS:
        rows = trails[title]
        if isinstance(rows, list) and rows:
            write_text("")
            write_text(f"{title}:")
            for row in rows:
                write_text("  " + "  ".join(_facts(row)))


def _facts(row: Mapping[str, object]) -> Iterator[str]:
    """ "name=value" for everything a row says, its moment first."""
    for name, value in sorted(row.items(), key=lambda each: each[0] != "at"):
        if value is None or value == "":
            continue
        if name == "at":
            yield str(value)
        elif isinstance(value, Mapping):
            yield f"{name}={ranks_text(value)}"
        else:
            yield f"{name}={value:.3f}" if isinstance(value, float) else f"{name}={value}"
