"""What does a conversation teach, and why is the rest of it not kept?"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memweir.cli.output import PIPE_WIDTH, note, one_line, quoted, write_json, write_text
from memweir.cli.session import (
    add_common,
    now,
    open_memory,
    read_text,
    settings,
    writing_scope,
)
from memweir.errors import InputError

if TYPE_CHECKING:
    from memweir.config import Config
    from memweir.memory import Memory
    from memweir.replaying import Replayed
    from memweir.results import Captured, Observation

__all__ = ["add_arguments"]

_WORDS = 60  # characters of what was left out that are shown


def add_arguments(name: str, parser: argparse.ArgumentParser) -> None:
    """Give a command of this module its arguments and what runs it."""
    match name:
        case "observe":
            parser.add_argument(
                "turn",
                metavar="TURN",
                help="a person's words; or JSON: a message, or a list of them; - reads stdin",
            )
            _add_speech(parser)
            add_common(parser, scopes="one")
            parser.set_defaults(run=_observe)
        case "replay":
            parser.add_argument(
                "conversation", metavar="CONVERSATION", help="JSON Lines, a message or a turn a line"
            )
            _add_speech(parser)
            parser.add_argument(
                "--keep", action="store_true", help="into the store; else into one that is thrown away"
            )
            parser.add_argument(
                "--recall",
                action="store_true",
                help="recall before each message, as a host does, so that echoes are known",
            )
            parser.add_argument(
                "--kept-only", action="store_true", help="do not show what was left out, only count it"
            )
            add_common(parser, scopes="one")
            parser.set_defaults(run=_replay)
        case _:
            raise AssertionError(name)


def _add_speech(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--session", metavar="ID", help="names the conversation")
    parser.add_argument(
        "--subject", metavar="NAME", help='of whom statements are made; default "the user"'
    )


def _observe(args: argparse.Namespace) -> int:
    config, scope = settings(args), writing_scope(args)
    at = now(args, config)
    turn = _turn(read_text(args.turn))
    with open_memory(args, config, create=True) as memory:
        found = memory.observe(turn, scope=scope, session=args.session, subject=args.subject, now=at)
    if args.json:
        write_json(found)
        return 0
    _show_captured(found.captured)
    counts = Counter(each.rule for each in found.left_out)
    if counts:
        note(f"left out: {_counted(counts)}")
    _say_known(found)
    return 0


def _turn(text: str) -> object:
    """JSON where it is a message or a list; anything else is what a person said."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            value: Any = json.loads(text)
        except (ValueError, RecursionError):
            pass
        else:
            if isinstance(value, dict) and ("role" in value or "messages" in value):
                return value
            if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
                return value
    if not text.strip():
        raise InputError("a turn must say something")
    return [{"role": "user", "content": text}]


def _say_known(found: Observation) -> None:
    if not found.captured:
        read = f"; {found.known} message(s) were read before" if found.known else ""
        note(f"nothing to remember{read}")


def _replay(args: argparse.Namespace) -> int:
    from memweir.replaying import read_conversation, replay

    config, scope = settings(args), writing_scope(args)
    at = now(args, config)
    conversation = read_conversation(args.conversation)
    with _place(args, config) as memory:
        replayed = replay(
            memory,
            conversation,
            scope=scope,
            session=args.session,
            subject=args.subject,
            now=at,
            recalls=args.recall,
        )
        if args.json:
            parts = list(replayed)
            shown = [_as_json(each) for each in parts]
            write_json({"messages": shown, "summary": _summary(parts)})
            return 0
        parts = []
        for each in replayed:
            parts.append(each)
            _show(each, kept_only=args.kept_only)
    _show_summary(_summary(parts))
    return 0


@contextmanager
def _place(args: argparse.Namespace, config: Config) -> Iterator[Memory]:
    """The store that was named, or one that nobody sees again."""
    from memweir.memory import Memory

    if args.keep:
        with open_memory(args, config, create=True) as memory:
            yield memory
        return
    with (
        tempfile.TemporaryDirectory(prefix="memweir-replay-") as folder,
        Memory.open(Path(folder, "memory.db"), config=config.unmirrored()) as memory,
    ):
        yield memory


def _show(each: Replayed, *, kept_only: bool) -> None:
    shown = [(place.start, _kept_line(place)) for place in each.captured]
    if not kept_only:
        shown += [(left.start, f"  - {left.rule}: {_cut(each.words(left))}") for left in each.left_out]
    if each.known and not kept_only:
        shown.append((0, "  - read before"))
    if not shown:
        return
    write_text(f"{each.number} {each.message.name or each.message.role}")
    for _, line in sorted(shown, key=lambda pair: pair[0]):
        write_text(line)


def _kept_line(kept: Captured) -> str:
    marks = [kept.kind, *(["explicit"] if kept.explicit else [])]
    marks += [f"key {kept.semantic_key}"] if kept.semantic_key else []
    marks += [kept.status] if kept.status != "active" else []
    return f"  + {one_line(kept.statement)}  ({', '.join(marks)})"


def _cut(text: str) -> str:
    words = one_line(" ".join(text.split()))
    return words if len(words) <= _WORDS else f"{words[:_WORDS]}…"


def _show_captured(captured: Sequence[Captured]) -> None:
    for each in captured:
        write_text(f"{each.id}  {each.outcome}, {each.kind}{', explicit' if each.explicit else ''}")
        for line in quoted(each.statement, PIPE_WIDTH - 4):
            write_text(f"    {line}")
        if each.status != "active":
            note(f"{each.id} waits for a person: memweir reviews")


def _as_json(each: Replayed) -> dict[str, object]:
    return {
        "number": each.number,
        "role": each.message.role,
        "source": each.message.source,
        "known": each.known,
        "captured": each.captured,
        "left_out": [
            {"rule": left.rule, "start": left.start, "end": left.end, "text": each.words(left)}
            for left in each.left_out
        ],
    }


def _summary(parts: Iterable[Replayed]) -> dict[str, Any]:
    """Counts: what was read, what is kept of it, and by which rules the rest is not."""
    found = list(parts)
    people = [each for each in found if each.message.source == "user"]
    rules = Counter(left.rule for each in found for left in each.left_out)
    kept = {kept.id: kept for each in found for kept in each.captured}
    return {
        "messages": len({each.number for each in found}),
        "characters_of_people": sum(len(each.message.text) for each in people),
        "kept": len(kept),
        "characters_kept": sum(len(each.statement) for each in kept.values()),
        "kinds": dict(sorted(Counter(each.kind for each in kept.values()).items())),
        "left_out": dict(sorted(rules.items(), key=lambda pair: (-pair[1], pair[0]))),
    }


def _show_summary(summary: dict[str, Any]) -> None:
    write_text("")
    write_text(
        f"{summary['messages']} messages, {summary['characters_of_people']} characters by people; "
        f"kept {summary['kept']} memories of {summary['characters_kept']} characters"
    )
    if summary["kinds"]:
        write_text(f"kinds: {_counted(summary['kinds'])}")
    if summary["left_out"]:
        write_text(f"left out: {_counted(summary['left_out'])}")


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{rule} {count}" for rule, count in counts.items())
