"""What is in the store, is its index current, and what does the engine look like at work?"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from memweir.cli.output import console, write_json, write_text
from memweir.cli.session import add_common, now, open_memory, settings

if TYPE_CHECKING:
    from memweir.memory import Memory

__all__ = ["add_arguments"]


def add_arguments(name: str, parser: argparse.ArgumentParser) -> None:
    """Give a command of this module its arguments and what runs it."""
    match name:
        case "stats":
            add_common(parser)
            parser.set_defaults(run=_stats)
        case "reindex":
            add_common(parser)
            parser.add_argument(
                "--pending",
                action="store_true",
                help="only the vectors that indexing in the background still owes",
            )
            parser.set_defaults(run=_reindex)
        case "demo":
            parser.add_argument(
                "--lang",
                choices=("en", "zh", "both"),
                default="both",
                help="of the questions; default both",
            )
            parser.add_argument(
                "--store",
                metavar="FILE",
                help="keep the demo's store in this new file; default: nowhere",
            )
            parser.add_argument("--json", action="store_true", help="print exactly one JSON object")
            parser.set_defaults(run=_demo)
        case _:
            raise AssertionError(name)


def _stats(args: argparse.Namespace) -> int:
    with _opened(args) as memory:
        found = memory.stats()
    if args.json:
        write_json(found)
        return 0
    for title, value in (
        ("memories", found.memories),
        ("layers", found.layers),
        ("kinds", found.kinds),
        ("scopes", found.scopes),
        ("entities", found.entities),
        ("relations", found.relations),
        ("answers", found.answers),
        ("audited recalls", found.runs),
        ("index terms", found.terms),
        ("vectors owed", found.pending),
        ("schema", found.schema),
        ("analyzer", found.analyzer),
        ("embedder", found.embedder),
        ("size", f"{found.bytes / 1024:.0f} KiB"),
    ):
        if isinstance(value, Mapping):
            value = ", ".join(f"{each} {name}" for name, each in value.items()) or "none"
        write_text(f"{title:>15}  {value}")
    return 0


def _reindex(args: argparse.Namespace) -> int:
    with _opened(args) as memory:
        count = memory.index_pending() if args.pending else memory.reindex()
    if args.json:
        write_json({"indexed" if args.pending else "reindexed": count})
    else:
        write_text(f"{count} vectors made" if args.pending else f"{count} memories reindexed")
    return 0


def _opened(args: argparse.Namespace) -> Memory:
    config = settings(args)
    now(args, config)  # accepted on every verb, and checked; these two do not depend on it
    return open_memory(args, config)


def _demo(args: argparse.Namespace) -> int:
    from memweir.cli.demo import show, to_dict
    from memweir.demo import play

    played = play(args.store, languages=("en", "zh") if args.lang == "both" else (args.lang,))
    if args.json:
        write_json(to_dict(played))
    else:
        show(played, console())
    return 0
