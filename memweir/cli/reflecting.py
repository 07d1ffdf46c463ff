"""What do the facts of a store come to, when is that worked out, and what does a person say to it?"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memweir.cli.output import PIPE_WIDTH, note, quoted, write_json, write_text
from memweir.cli.session import (
    add_common,
    now,
    open_memory,
    reading_scopes,
    settings,
    store_path,
)
from memweir.errors import InputError

if TYPE_CHECKING:
    from memweir.config import Config
    from memweir.learning.schedule import Schedule
    from memweir.reflecting import BeliefView, Reflection

__all__ = ["add_arguments"]

_DONE: Final = (
    ("merge", "begun"),
    ("reinforce", "strengthened"),
    ("overwrite", "replaced by news"),
    ("weaken", "weakened"),
)
_BESIDE: Final = (
    ("archive", "memories archived"),
    ("outdated", "steps left out, as what they rest on had changed"),
    ("refused", "steps refused"),
)


def add_arguments(name: str, parser: argparse.ArgumentParser) -> None:
    """Give a command of this module its arguments and what runs it."""
    match name:
        case "reflect":
            parser.add_argument(
                "--due", action="store_true", help="only where a day of the schedule has come"
            )
            parser.add_argument(
                "--again", action="store_true", help="also where it was done today already"
            )
            parser.add_argument(
                "--timer",
                choices=("cron", "systemd"),
                help="do nothing; print what a machine needs to reflect on the days of the schedule",
            )
            add_common(parser)
            parser.set_defaults(run=_reflect)
        case "beliefs":
            parser.add_argument(
                "--limit", type=int, default=100, metavar="N", help="at most so many (default 100)"
            )
            add_common(parser, scopes="many")
            parser.set_defaults(run=_beliefs)
        case "belief":
            parser.add_argument("id", metavar="ID", help="of the belief")
            change = parser.add_mutually_exclusive_group()
            change.add_argument("--edit", metavar="TEXT", help="word it anew; how it stood is kept")
            change.add_argument(
                "--withdraw", action="store_true", help="take it back; what it stood for holds again"
            )
            add_common(parser, scopes="many")
            parser.set_defaults(run=_belief)
        case _:
            raise AssertionError(name)


def _reflect(args: argparse.Namespace) -> int:
    config = settings(args)
    at = now(args, config)
    if args.timer:
        files = _timer(args, config)
        if args.json:
            write_json({"timer": args.timer, "files": files})
            return 0
        for place, (file, text) in enumerate(files.items()):
            write_text(("\n" if place else "") + f"# {file}\n{text}")
        return 0
    with open_memory(args, config) as memory, _bar() as progress:
        done = memory.reflect(now=at, due_only=args.due, again=args.again, progress=progress)
        following = memory.next_reflection(now=at) if args.due else None
    if args.json:
        write_json(done)
        return 0
    if not done.done:
        write_text(f"not due before {following:%Y-%m-%d %H:%M}" if following else "not due")
        return 0
    if done.already:
        note(f"{done.period} was reflected on before; --again does it once more")
    for line in _in_words(done):
        write_text(line)
    for warning in done.warnings:
        note(warning)
    return 0


def _in_words(done: Reflection) -> Iterator[str]:
    counts = done.counts
    resumed = "; went on where it had stopped" if done.resumed else ""
    yield f"reflection of {done.period}{resumed}"
    looked = f"looked at {counts.get('facts', 0)} facts and {counts.get('beliefs', 0)} beliefs"
    held = counts.get("filtered", 0)
    yield looked + (f"; {held} facts say nothing lasting ({_rules(counts)})" if held else "")
    made = [f"{counts[each]} {words}" for each, words in _DONE if counts.get(each)]
    yield f"beliefs: {', '.join(made) if made else 'none begun or changed'}"
    for each, words in _BESIDE:
        if counts.get(each):
            yield f"{counts[each]} {words}"


def _rules(counts: Mapping[str, int]) -> str:
    rules = [f"{rule} {count}" for rule, count in counts.items() if "." in rule]
    return ", ".join(rules) or "by the quality gate"


@contextmanager
def _bar() -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on stderr, where somebody looks at it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

    with Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(file=sys.stderr),
        transient=True,
    ) as shown:
        task = shown.add_task("")
        yield lambda done, total: shown.update(task, completed=done, total=total)


def _beliefs(args: argparse.Namespace) -> int:
    config, scopes = settings(args), reading_scopes(args)
    with open_memory(args, config) as memory:
        found = memory.beliefs(scope=scopes, limit=args.limit)
    if args.json:
        write_json({"beliefs": found})
        return 0
    for each in found:
        write_text(_headline(each))
        for line in quoted(each.record.text, PIPE_WIDTH - 4):
            write_text(f"    {line}")
    if not found:
        note("no beliefs here; memweir reflect makes them of facts that say the same")
    return 0


def _headline(belief: BeliefView) -> str:
    against = f", {len(belief.against)} against" if belief.against else ""
    revised = f", revised {len(belief.revisions)} times" if belief.revisions else ""
    rewritten = ", rewritten by reflection" if belief.rewritten else ""
    return (
        f"{belief.record.id}  strength {belief.strength:.2f}, "
        f"evidence {len(belief.evidence)}{against}{revised}{rewritten}"
    )


def _belief(args: argparse.Namespace) -> int:
    config, scopes = settings(args), reading_scopes(args)
    at = now(args, config)
    with open_memory(args, config) as memory:
        if args.withdraw:
            back = memory.withdraw_belief(args.id, scope=scopes, now=at)
            if args.json:
                write_json({"id": args.id, "withdrawn": True, "holding_again": back})
                return 0
            write_text(f"{args.id} withdrawn; {len(back)} memories hold again")
            for each in back:
                write_text(f"    {each}")
            return 0
        if args.edit is not None:
            if not args.edit.strip():
                raise InputError("a belief must say something; --withdraw takes it back")
            memory.edit_belief(args.id, args.edit, scope=scopes, now=at)
        belief = memory.belief(args.id, scope=scopes)
        texts = {
            each: memory.get(each, scope=scopes).text for each in (*belief.evidence, *belief.against)
        }
    if args.json:
        write_json({"belief": belief, "texts": texts})
        return 0
    _show(belief, texts, config)
    return 0


def _show(belief: BeliefView, texts: Mapping[str, str], config: Config) -> None:
    write_text(_headline(belief))
    for line in quoted(belief.record.text, PIPE_WIDTH - 4):
        write_text(f"    {line}")
    if belief.record.status != "active" or belief.record.superseded_by is not None:
        write_text(f"    no longer believed ({belief.record.status})")
    for heading, ids in (("rests on", belief.evidence), ("against it", belief.against)):
        if ids:
            write_text(heading)
        for each in ids:
            write_text(f"  {each}")
            for line in quoted(texts[each], PIPE_WIDTH - 4):
                write_text(f"    {line}")
    if belief.revisions:
        write_text("before")
    for revision in belief.revisions:
        day = _day(revision.at_ms, config)
        write_text(
            f"  {revision.number}, until {day}: strength {revision.strength:.2f}, {revision.reason}"
        )
        for line in quoted(revision.text, PIPE_WIDTH - 4) if revision.text else ():
            write_text(f"    {line}")


def _day(at_ms: int, config: Config) -> str:
    from memweir.store.records import from_ms

    return from_ms(at_ms).astimezone(config.zone()).date().isoformat()


# Timers


def _timer(args: argparse.Namespace, config: Config) -> dict[str, str]:
    """File → what is to stand in it."""
    schedule = config.reflection.schedule()
    program = [_program(), "reflect", "--due", "--store", str(Path(store_path(args)).absolute())]
    if args.config:
        program += ["--config", str(Path(args.config).absolute())]
    for each in args.set:
        program += ["--set", each]
    if args.timer == "cron":
        return {"crontab": _cron(program, schedule)}
    return _systemd(program, schedule)


def _program() -> str:
    """The absolute path of the program that runs, so that a timer need not find it."""
    called = Path(sys.argv[0])
    if called.name.partition(".")[0] == "memweir" and called.is_file():
        return str(called.absolute())
    beside = Path(sys.executable).with_name("memweir.exe" if os.name == "nt" else "memweir")
    return str(beside.absolute())


def _cron(program: list[str], schedule: Schedule) -> str:
    # In a crontab a percent sign is a line end.
    command = shlex.join(program).replace("%", r"\%")
    days = ",".join(map(str, sorted(schedule.days)))
    line = f"{schedule.at.minute} {schedule.at.hour} {days} * * {command}"
    return f"{line}\n@reboot {command}\n"


def _systemd(program: list[str], schedule: Schedule) -> dict[str, str]:
    days = ",".join(f"{day:02}" for day in sorted(schedule.days))
    service = (
        "[Unit]\nDescription=Reflection of a memweir store\n\n"
        f"[Service]\nType=oneshot\nExecStart={' '.join(map(_unit_word, program))}\nNice=10\n"
    )
    timer = (
        "[Unit]\nDescription=Days on which a memweir store is reflected on\n\n"
        f"[Timer]\nOnCalendar=*-*-{days} {schedule.at:%H:%M:%S}\nPersistent=true\n\n"
        "[Install]\nWantedBy=timers.target\n"
    )
    folder = "~/.config/systemd/user"
    return {
        f"{folder}/memweir-reflect.service": service,
        f"{folder}/memweir-reflect.timer": timer,
    }


def _unit_word(word: str) -> str:
    """A word of a command in a unit file, where percent and dollar signs mean something."""
    word = word.replace("\\", "\\\\").replace("%", "%%").replace("$", "$$").replace('"', '\\"')
    return f'"{word}"' if not word or any(each in word for each in " \t'\"\\;") else word
