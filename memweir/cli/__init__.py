"""What did somebody type, and which verb of the face does it mean?

Each command is one verb of `memweir.memory.Memory`; there is no logic here. Only the chosen command's
module is imported, and the engine only when the command runs, so `memweir --help` is quick.

Exit codes: 0 done; 1 the request was understood and refused or could not be carried out; 2 wrong
usage; 130 interrupted; 128 + n where signal n ended an evaluation. Results go to stdout and nothing
else does; with `--json` that is exactly one JSON object, `{"error": {"type", "message", …}}` where the
code is not 0.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final, NoReturn

__all__ = ["COMMANDS", "build_parser", "main"]

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "remember": ("writing", "store one memory"),
    "recall": ("reading", "what belongs in this prompt?"),
    "observe": ("observing", "learn from a turn what lasts"),
    "replay": ("observing", "what would be learned from a conversation, and what not?"),
    "reflect": ("reflecting", "gather what says the same into beliefs"),
    "beliefs": ("reflecting", "what is believed, and how strongly?"),
    "belief": ("reflecting", "one belief: what it rests on, how it came about; edit or withdraw it"),
    "feedback": ("governing", "say how a recalled memory turned out"),
    "counter": ("governing", "note that something spoke against a memory"),
    "edit": ("governing", "change a memory; its wording so far is kept"),
    "archive": ("governing", "withdraw a memory from what is known now"),
    "forget": ("governing", "withdraw a memory from every recall (the row is kept)"),
    "restore": ("governing", "bring a withdrawn memory back"),
    "erase": ("erasing", "remove for good what is named, once it is confirmed"),
    "reviews": ("reviewing", "which questions wait for a person?"),
    "review": ("reviewing", "answer one of them"),
    "relate": ("writing", "store a relation between two entities"),
    "answer": ("writing", "store a standing answer to a question"),
    "answers": ("answers", "which standing answers are there? verify or withdraw one"),
    "prompt": ("prompts", "what goes into the system prompt?"),
    "prompts": ("prompts", "the blocks it is made of: list, add, edit or remove them"),
    "explain": ("reading", "why did (or didn't) a memory come up? what was a recall made of?"),
    "history": ("past", "what became of a memory?"),
    "ledger": ("past", "what was done and refused in the scopes?"),
    "rerun": ("past", "would a recall say the same today?"),
    "export": ("exporting", "write what is remembered as pages for people"),
    "search-notes": ("exporting", "what was mirrored, or written into the mirror by hand?"),
    "stats": ("upkeep", "what is in the store?"),
    "reindex": ("upkeep", "rebuild everything that is derived from the memories"),
    "eval": ("eval", "measure retrieval on evaluation sets"),
    "demo": ("upkeep", "see the engine at work on a small bilingual story"),
}
"""Command → module of this package, one line of help."""

# Options that may stand before the command although they belong to it: name → takes a value.
_MOVABLE: Final = {
    "--config": True,
    "--help": False,
    "--json": False,
    "--now": True,
    "--scope": True,
    "--set": True,
    "--store": True,
    "--tag": True,
    "-h": False,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Args:
        argv: the arguments after the program's name; None: the process's.
    """
    arguments = [_as_typed(each) for each in sys.argv[1:]] if argv is None else list(argv)
    _use_utf8()
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except _Stopped as stopped:
        return 128 + stopped.signal
    except BrokenPipeError:
        # The reader has what it wanted. The interpreter's own flush at exit must not complain.
        _silence_stdout()
        return 0
    return code


def build_parser(chosen: str | None = None) -> argparse.ArgumentParser:
    """The parser with all commands' names and the chosen one's arguments."""
    parser: argparse.ArgumentParser = _Parser(
        prog="memweir",
        description="Local-first long-term memory for AI agents: four retrieval paths, one fused "
        "ranking, a gate that explains itself.",
        epilog="memweir COMMAND --help shows a command's options; memweir demo is a good start.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, help="show the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (module, summary) in COMMANDS.items():
        if name != chosen:
            commands.add_parser(name, help=summary)
        elif name == "eval":
            from memweir.cli import eval as evaluation

            evaluation.add_parser(commands)
        else:
            each = commands.add_parser(
                name, help=summary, description=summary.capitalize(), allow_abbrev=False
            )
            importlib.import_module(f"memweir.cli.{module}").add_arguments(name, each)
    return parser


class _Stopped(BaseException):
    """A signal ended the command; not an Exception, so that nobody takes it for a failure."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.signal = number


@contextmanager
def _stoppable() -> Iterator[None]:
    """Within it, SIGTERM and SIGHUP unwind the command as an interrupt does, so that no copy of a store
    stays behind. What somebody else decided, `nohup` for example, stays as it is.
    """
    import signal
    import threading

    names = ("SIGTERM", "SIGHUP")
    taken: list[int] = []

    def stop(number: int, _: object) -> None:
        for each in taken:
            signal.signal(each, signal.SIG_IGN)  # a second one must not cut the tidying short
        _interrupt_workers()
        raise _Stopped(number)

    if threading.current_thread() is threading.main_thread():
        numbers = [int(getattr(signal, name)) for name in names if hasattr(signal, name)]
        taken += [each for each in numbers if signal.getsignal(each) is signal.SIG_DFL]
    try:
        for each in taken:
            signal.signal(each, stop)
        yield
    finally:
        for each in taken:
            signal.signal(each, signal.SIG_DFL)


def _interrupt_workers() -> None:
    """A terminal's interrupt reaches the worker processes too; a signal to this one does not, and the
    end of the command waits for them."""
    processes = sys.modules.get("multiprocessing")
    if processes is None or sys.platform == "win32":
        return
    import signal

    for each in processes.active_children():
        with suppress(ProcessLookupError):
            os.kill(each.pid, signal.SIGINT)


class _Usage(Exception):
    """Wrong usage, with the usage line to show."""

    def __init__(self, message: str, usage: str) -> None:
        super().__init__(message)
        self.usage = usage


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _Usage(message, self.format_usage())


class _Version(argparse.Action):
    """Prints the version; it is looked up only when asked for."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import version

        print(f"memweir {version('memweir')}")
        parser.exit()


def _run(arguments: list[str]) -> int:
    ordered = _command_first(arguments)
    as_json = "--json" in arguments[: arguments.index("--") if "--" in arguments else None]
    try:
        args = build_parser(ordered[0] if ordered else None).parse_args(ordered)
    except _Usage as error:
        from memweir.cli.output import report

        sys.stderr.write(error.usage)
        return report("UsageError", str(error), {}, as_json=as_json, code=2)
    except SystemExit as done:  # --help and --version
        return done.code if isinstance(done.code, int) else 0

    from memweir.cli.output import report
    from memweir.cli.warned import warned
    from memweir.errors import InputError, MemweirError, NotFoundError

    try:
        with warned(late=args.command == "eval"):  # a report tells most of it
            if args.command == "eval":
                from memweir.cli import eval as evaluation

                with _stoppable():
                    return evaluation.run(args)
            code: int = args.run(args)
            return code
    except NotFoundError as error:
        from memweir.cli.session import looked_in

        scopes = looked_in(args)
        message = str(error)
        if scopes:
            message = (
                f"no {error.what} {error.key!r} in {' or '.join(scopes)}; "
                "pass --scope KIND:KEY where it belongs to another scope"
            )
        facts = {**vars(error), "scopes": list(scopes)}
        return report(type(error).__name__, message, facts, as_json=as_json, code=1)
    except MemweirError as error:
        code = 2 if isinstance(error, InputError) else 1
        return report(type(error).__name__, str(error), vars(error), as_json=as_json, code=code)


def _command_first(arguments: list[str]) -> list[str]:
    """The arguments with the options given before the command moved behind it."""
    index = 0
    while index < len(arguments) and arguments[index].startswith("-"):
        if arguments[index] == "--version":
            return ["--version"]
        if arguments[index].partition("=")[0] not in _MOVABLE:
            return arguments
        takes_value = _MOVABLE.get(arguments[index], False)  # "--store=x" brings its own
        index += 2 if takes_value else 1
    if index >= len(arguments):
        return arguments
    return [arguments[index], *arguments[:index], *arguments[index + 1 :]]


def _as_typed(argument: str) -> str:
    """UTF-8 that a process under an ASCII locale was handed as escaped bytes, read as UTF-8."""
    if sys.platform == "win32" or argument.isascii():
        return argument
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeError:
        return argument


def _use_utf8() -> None:
    """Write UTF-8 wherever we run; what it cannot carry becomes an escape, never a crash."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def _silence_stdout() -> None:
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
    except (OSError, ValueError):
        pass
