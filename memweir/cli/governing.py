"""How do people and outcomes change what is remembered? Feedback, edits, withdrawal."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from memweir.cli import plain
from memweir.cli.output import write_json, write_text
from memweir.cli.reviewing import say_stored
from memweir.cli.session import (
    add_common,
    moment,
    now,
    open_memory,
    read_text,
    reading_scopes,
    settings,
    typed,
    window,
)
from memweir.errors import InputError
from memweir.store.records import KINDS, LAYERS, OUTCOMES, Record
from memweir.store.scopes import Scope

if TYPE_CHECKING:
    from memweir.config import Config
    from memweir.memory import Memory

__all__ = ["add_arguments"]


def add_arguments(name: str, parser: argparse.ArgumentParser) -> None:
    """Give a command of this module its arguments and what runs it."""
    match name:
        case "feedback":
            parser.add_argument(
                "id", metavar="ID|INJECTION", help="the memory, or its place in a block that was given"
            )
            parser.add_argument(
                "outcome", metavar="OUTCOME", choices=OUTCOMES, help=", ".join(OUTCOMES)
            )
            parser.add_argument("--query", metavar="TEXT", help="the text it was recalled for")
            parser.add_argument("--note", metavar="TEXT", help="why, in words")
            parser.set_defaults(run=_feedback)
        case "counter":
            parser.add_argument("id", metavar="ID")
            parser.add_argument(
                "--source", metavar="SESSION@SEQ", help="where it was said; one place counts once"
            )
            parser.add_argument("--note", metavar="TEXT", help="what, in words")
            parser.set_defaults(run=_counter)
        case "edit":
            parser.add_argument("id", metavar="ID")
            _add_changes(parser)
            parser.set_defaults(run=_edit)
        case "archive" | "forget" | "restore":
            parser.add_argument("id", metavar="ID")
            parser.set_defaults(run={"archive": _archive, "forget": _forget, "restore": _restore}[name])
        case _:
            raise AssertionError(name)
    add_common(parser, scopes="many")


def _add_changes(parser: argparse.ArgumentParser) -> None:
    """What `edit` may change."""
    parser.epilog = "An empty value ('') takes a title, tag list, key, name or moment away."
    parser.add_argument("--text", metavar="TEXT", help="what it says; - reads stdin")
    parser.add_argument("--title", metavar="TEXT")
    parser.add_argument(
        "--tag", metavar="TAG", action="append", help="its tags from now on; may be repeated"
    )
    parser.add_argument("--key", "--semantic-key", metavar="KEY", help="semantic key")
    parser.add_argument("--speaker", metavar="NAME")
    parser.add_argument("--scene", metavar="NAME")
    parser.add_argument("--domain", metavar="NAME")
    parser.add_argument("--quote", metavar="TEXT", help="the words it was taken from")
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--layer", choices=LAYERS)
    parser.add_argument("--move-to", metavar="KIND:KEY", help="another scope")
    parser.add_argument(
        "--pinned",
        action=argparse.BooleanOptionalAction,
        help="put it in front of every turn, or no more",
    )
    parser.add_argument("--importance", type=float, metavar="0..1", help="0.5 is neutral")
    parser.add_argument("--event", metavar="START/END", help="when it happened, or one date; or none")
    parser.add_argument("--valid-at", metavar="ISO", help="true from then on")
    parser.add_argument("--expires", metavar="ISO", help="to be checked before use; or none")


def _feedback(args: argparse.Namespace) -> int:
    def act(memory: Memory, **common: Any) -> Record:
        return memory.feedback(args.id, args.outcome, query=args.query, note=args.note, **common)

    def said(record: Record) -> str:
        return f"{args.outcome}: confidence {record.confidence:.2f}, harmful {record.harmful_count}"

    return _act(args, act, said)


def _counter(args: argparse.Namespace) -> int:
    def act(memory: Memory, **common: Any) -> Record:
        return memory.counter_evidence(args.id, source=args.source, note=args.note, **common)

    return _act(args, act, lambda record: f"confidence {record.confidence:.2f}")


def _archive(args: argparse.Namespace) -> int:
    back = "memweir restore brings it back"
    return _act(
        args,
        lambda memory, **common: memory.archive(args.id, **common),
        lambda record: f"{record.status}; {back}",
    )


def _forget(args: argparse.Namespace) -> int:
    back = "memweir restore brings it back, memweir erase removes it for good"
    return _act(
        args,
        lambda memory, **common: memory.forget(args.id, **common),
        lambda record: f"{record.status}; {back}",
    )


def _restore(args: argparse.Namespace) -> int:
    def remark(record: Record) -> str:
        if record.status == "quarantined":
            return f"it waits for a decision: {typed(args, 'reviews')}"
        if record.superseded_by is not None:
            return f"superseded by {record.superseded_by}: recall will not bring it up"
        return ""

    def said(record: Record) -> str:
        between = ", but " if record.status == "active" else "; "
        return f"{record.status}{between}{remark(record)}" if remark(record) else record.status

    return _act(args, lambda memory, **common: memory.restore(args.id, **common), said, remark)


def _act(
    args: argparse.Namespace,
    act: Callable[..., Record],
    said: Callable[[Record], str],
    remark: Callable[[Record], str] = lambda _: "",
) -> int:
    """Run a verb that answers with the memory, and show that."""
    config, scopes = settings(args), reading_scopes(args)
    at = now(args, config)
    with open_memory(args, config) as memory:
        record = act(memory, scope=scopes, now=at)
    if args.json:
        more = {"remark": remark(record)} if remark(record) else {}
        write_json({**plain.record(record), **more})
    else:
        write_text(f"{record.id} {said(record)}")
    return 0


def _edit(args: argparse.Namespace) -> int:
    config, scopes = settings(args), reading_scopes(args)
    changes, at = _changes(args, config), now(args, config)
    moved = None if args.move_to is None else Scope.parse(args.move_to)
    if not changes and moved is None:
        raise InputError("nothing to change: give at least one of the options, for example --text")
    with open_memory(args, config) as memory:
        stored = memory.edit(args.id, scope=scopes, now=at, move_to=moved, **changes)
        where = scopes if moved is None else moved
        return say_stored(args, memory, stored, where, at, moved=moved is not None)


def _changes(args: argparse.Namespace, config: Config) -> dict[str, Any]:
    """The fields that were given; an empty value stays one, and takes away what was there."""
    given = {
        "text": None if args.text is None else read_text(args.text),
        "title": args.title,
        "tags": None if args.tag is None else tuple(each for each in args.tag if each.strip()),
        "semantic_key": args.key,
        "speaker": args.speaker,
        "scene": args.scene,
        "domain": args.domain,
        "raw_quote": args.quote,
        "kind": args.kind,
        "layer": args.layer,
        "pinned": args.pinned,
        "importance": args.importance,
        "valid_at": moment("--valid-at", args.valid_at, config),
    }
    changes = {name: value for name, value in given.items() if value is not None}
    if args.expires is not None:
        gone = _is_none(args.expires)
        changes["expires_at"] = None if gone else moment("--expires", args.expires, config)
    if args.event is not None:
        event = None if _is_none(args.event) else window("--event", args.event, config)
        changes["event_start"], changes["event_end"] = event or (None, None)
    return changes


def _is_none(text: str) -> bool:
    return text.strip().lower() in ("", "none")
