"""How do memories, relations and answers get into the store?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from memweir.cli.output import amount, write_json, write_text
from memweir.cli.reviewing import say_stored
from memweir.cli.session import (
    add_common,
    moment,
    now,
    open_memory,
    read_text,
    settings,
    window,
    writing_scope,
)
from memweir.errors import InputError
from memweir.store.records import KINDS, LAYERS, PROVENANCES, Relation

if TYPE_CHECKING:
    from memweir.config import Config

__all__ = ["add_arguments"]


def add_arguments(name: str, parser: argparse.ArgumentParser) -> None:
    """Give a command of this module its arguments and what runs it."""
    match name:
        case "remember":
            parser.add_argument("text", metavar="TEXT", help="what to remember; - reads stdin")
            _add_fields(parser)
            parser.add_argument(
                "--relation",
                nargs=3,
                action="append",
                default=[],
                metavar=("SOURCE", "PREDICATE", "TARGET"),
                help="a relation the text asserts; may be repeated",
            )
            add_common(parser, scopes="one")
            parser.set_defaults(run=_remember)
        case "relate":
            parser.add_argument("source_name", metavar="SOURCE")
            parser.add_argument("predicate", metavar="PREDICATE")
            parser.add_argument("target", metavar="TARGET")
            _add_fields(parser)
            add_common(parser, scopes="one")
            parser.set_defaults(run=_relate)
        case "answer":
            parser.add_argument("question", metavar="QUESTION")
            parser.add_argument("text", metavar="TEXT", help="the answer; - reads stdin")
            parser.add_argument(
                "--phrasing",
                metavar="TEXT",
                action="append",
                default=[],
                help="another way to ask the question; may be repeated",
            )
            parser.add_argument(
                "--approve-personal",
                action="store_true",
                help="a person approved what it says of a person",
            )
            add_common(parser, scopes="one")
            parser.set_defaults(run=_answer)
        case _:
            raise AssertionError(name)


def _add_fields(parser: argparse.ArgumentParser) -> None:
    """The optional fields of a memory."""
    parser.add_argument("--kind", choices=KINDS, help="what it is; default fact")
    parser.add_argument("--layer", choices=LAYERS, help="how it is known; default world")
    parser.add_argument("--title", metavar="TEXT")
    parser.add_argument("--tag", metavar="TAG", action="append", default=[], help="may be repeated")
    parser.add_argument(
        "--key", "--semantic-key", metavar="KEY", help="semantic key, for example package_manager"
    )
    parser.add_argument("--speaker", metavar="NAME", help="who said it")
    parser.add_argument("--pinned", action="store_true", help="put it in front of every turn")
    parser.add_argument("--importance", type=float, metavar="0..1", help="0.5 is neutral")
    parser.add_argument("--document-id", metavar="ID", help="your own id: writing it again updates")
    parser.add_argument("--session", metavar="ID", help="the session it was said in")
    parser.add_argument("--source", metavar="SESSION@SEQ", help="where it was said")
    parser.add_argument("--scene", metavar="NAME")
    parser.add_argument("--domain", metavar="NAME")
    parser.add_argument(
        "--event",
        metavar="START/END",
        help="when what it tells of happened: two ISO moments, the end excluded, or one date",
    )
    parser.add_argument("--valid-at", metavar="ISO", help="true from then on; default now")
    parser.add_argument("--expires", metavar="ISO", help="to be checked before use from then on")
    parser.add_argument("--created-at", metavar="ISO", help="when it was told; default now")
    parser.add_argument("--provenance", choices=PROVENANCES, help="who it comes from; default human")
    parser.add_argument("--supersedes", metavar="ID", help="the memory it replaces")
    parser.add_argument(
        "--entity",
        metavar="NAME",
        action="append",
        default=[],
        help="a name it is about; may be repeated",
    )


def _fields(args: argparse.Namespace, config: Config) -> dict[str, Any]:
    """The fields that were given; what was not keeps the engine's default."""
    event = window("--event", args.event, config)
    given = {
        "kind": args.kind,
        "layer": args.layer,
        "title": args.title,
        "tags": tuple(args.tag) or None,
        "semantic_key": args.key,
        "speaker": args.speaker,
        "pinned": args.pinned or None,
        "importance": args.importance,
        "document_id": args.document_id,
        "session_id": args.session,
        "source": args.source,
        "scene": args.scene,
        "domain": args.domain,
        "event_start": event[0] if event else None,
        "event_end": event[1] if event else None,
        "valid_at": moment("--valid-at", args.valid_at, config),
        "expires_at": moment("--expires", args.expires, config),
        "created_at": moment("--created-at", args.created_at, config),
        "provenance": args.provenance,
        "supersedes": args.supersedes,
        "entities": tuple(args.entity) or None,
    }
    return {name: value for name, value in given.items() if value is not None}


def _remember(args: argparse.Namespace) -> int:
    config, scope = settings(args), writing_scope(args)
    fields = _fields(args, config)
    if args.relation:
        fields["relations"] = tuple(Relation(*each) for each in args.relation)
    text, at = read_text(args.text), now(args, config)
    with open_memory(args, config, create=True) as memory:
        stored = memory.remember(text, scope=scope, now=at, **fields)
        return say_stored(args, memory, stored, scope, at)


def _relate(args: argparse.Namespace) -> int:
    config, scope = settings(args), writing_scope(args)
    fields, at = _fields(args, config), now(args, config)
    with open_memory(args, config, create=True) as memory:
        stored = memory.relate(
            args.source_name, args.predicate, args.target, scope=scope, now=at, **fields
        )
        return say_stored(args, memory, stored, scope, at)


def _answer(args: argparse.Namespace) -> int:
    config, scope = settings(args), writing_scope(args)
    if args.question == "-":
        raise InputError("only the answer can be read from stdin")
    text, at = read_text(args.text), now(args, config)
    with open_memory(args, config, create=True) as memory:
        answer = memory.answer(
            args.question,
            text,
            scope=scope,
            phrasings=tuple(args.phrasing),
            approve_personal=args.approve_personal,
            now=at,
        )
    if args.json:
        write_json(answer)
    else:
        write_text(f"{answer.id} answers {amount(len(answer.phrasings), 'phrasing')}")
    return 0
