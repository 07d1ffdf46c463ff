"""Which lines are a block that is no prose? Code, tables, logs, traces, diffs, data, quotes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memweir.learning.code_lines import is_code, is_command
from memweir.learning.runtime_lines import fences
from memweir.learning.stretches import Cut
from memweir.retrieval.scripts import HAN

__all__ = ["block_cuts"]

_CODE: Final = "shape.code"
_TABLE: Final = "shape.table"
_LOG: Final = "shape.log"
_TRACE: Final = "shape.trace"
_DIFF: Final = "shape.diff"
_DATA: Final = "shape.data"
_QUOTE: Final = "shape.quote"


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a stretch, without its break; `gap`: a blank line, or another stretch, before it."""

    start: int
    end: int
    text: str
    gap: bool


_LINE: Final = re.compile(r"[^\n\r\v\f\x85\u2028\u2029]+")
_HAN: Final = re.compile(f"[{HAN}]")
_INDENTED: Final = re.compile(r"(?: {4}|\t| {1,3}\t)")
_LONGEST: Final = 2_000  # characters of a line that are looked at

_QUOTED: Final = re.compile(r"\s{0,12}[>＞](?![=>]\s)")
_RULED: Final = re.compile(r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:[|+][ \t]*:?-*:?[ \t]*)+$")
_CELLS: Final = re.compile(r"[ \t]*\|.*\|[ \t]*$")
_DRAWN: Final = re.compile(r"[ \t]*[┌┬┐├┼┤└┴┘│║╔╗╚╝╠╣═─━]|[ \t]*\+[-=+]{3,}")
_COLUMNS: Final = re.compile(r"(?<=[^\s\-*+•·.)])(?: {3,}|\t+ *| *\t+)(?=\S)")
_COMMA: Final = re.compile(r",(?=\S)|,$")
_LEVELS: Final = r"TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL|PANIC|SEVERE"
_LOGGED: Final = re.compile(
    r"\s*(?:"
    r"[\[(<]?\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[T ,]{1,2}\d{1,2}:\d{2}:\d{2}"
    r"|[\[(<]?\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?[\])>]?\s"
    r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s{1,2}\d{1,2} \d{2}:\d{2}:\d{2}\s"
    r"|\d{1,3}(?:\.\d{1,3}){3} \S+ \S+ \["
    rf"|[\[(<]\s*(?:{_LEVELS}|trace|debug|info|warn|warning|error|fatal)\s*[\])>]"
    rf"|(?:{_LEVELS})(?:\s*[:|\-\[(]|\s{{2,}})(?!\s*(?:I|I'm|My|my|We|we)\b)"
    r"|npm (?:ERR!|WARN\b|error (?:code|path|errno|syscall|network)\b"
    r"|warn (?:deprecated|config|using)\b)|\s?ERR_PNPM_\w+\b"
    r"|(?:error|warning|note)(?:\[\w+\])?:.{0,200}\[-W|error\[\w+\]:"
    r"|[\w./\\-]+\.[A-Za-z]\w{0,4}[:(]\d+(?:[:,]\d+)?\)?:?\s"
    r"|={5,}.*={5,}\s*$|-{5,}.*-{5,}\s*$"
    r"|(?:PASS|FAIL|PASSED|FAILED|ok|not ok)\s+[\w./-]+[./]\S*"
    r"|\[\d+/\d+\]\s"
    r")"
)
_TRACEBACK: Final = re.compile(
    r"\s*(?:Traceback \(most recent call last\)|Exception in thread |Caused by: |thread '[^'\n]{0,80}'"
    r" (?:\(\d+\) )?panicked at|goroutine \d+ \[|panic: |Unhandled (?:exception|rejection)"
    r"|Uncaught \w*Error|Stack ?trace:|stack backtrace:"
    r"|During handling of the above exception|The above exception was)"
)
_FRAME: Final = re.compile(
    r"\s+at (?:async |new )?[\w$.<>\[\]/ ]{1,200}(?:\(|$)|\s+at \S+:\d+|\s*File \"[^\"\n]+\", line \d+"
    r"|\s+\.{3} \d+ more|\s*#\d+\s+(?:0x[0-9a-f]+|\S+\()|\s+\d+:\s+(?:0x[0-9a-f]+|[\w:<>]+::\w+)"
    r"|\s+~*\^+~*\s*$"
)
_RAISED: Final = re.compile(
    r"\s*(?:[\w$]+[.:]{1,2})*[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit|Failure|Panic)\b\s*(?::|$)"
)
_DIFF_HEAD: Final = re.compile(
    r"diff --git |index [0-9a-f]{6,40}\.\.[0-9a-f]{6,40}|--- (?:a/|/dev/null)|\+\+\+ (?:b/|/dev/null)"
    r"|@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|(?:new|deleted) file mode \d|rename (?:from|to) "
    r"|similarity index"
)
_DIFF_BODY: Final = re.compile(r"[-+ \\]|$")
_BRACES: Final = re.compile(r"\s*[\[\]{}(),]{1,20}[,;]?\s*$")
_FIELD: Final = re.compile(r"\s*[{\[]{0,4}\s*\"[^\"\n]{1,200}\"\s*:\s*\S|\s*\"[^\"\n]{1,200}\"\s*:\s*$")
_ELEMENT: Final = re.compile(
    r"\s*(?:\"[^\"\n]*\"|'[^'\n]*'|-?\d[\d.eE+-]*|true|false|null|None)\s*,?\s*$"
)
_OBJECT: Final = re.compile(
    r"\s*(?:\{\s*[\"'{}]|\[\s*[\"'{\[\d\]]).*[\]}][,;]?\s*$|\s*\"?[\w.-]{1,60}\"?\s*[:=]\s*[{\[]\s*$"
)
_MARKUP: Final = re.compile(r"\s*<[/!?A-Za-z][^<>\n]{0,500}>")
_MARKUP_END: Final = re.compile(r"[/>]>\s*$|>\s*$")
_KEY: Final = re.compile(r"(\s*)(-\s+)?[A-Za-z_][\w.\-/]{0,60}:(\s|$)")
_YAML_ITEM: Final = re.compile(r"\s+-\s+\S")
_SETTING: Final = re.compile(r"\s*(?:export\s+)?[A-Z][A-Z0-9_]{1,60}=\S*")
_INI: Final = re.compile(r"\s*[\w.-]{1,60}\s*=\s*\S")
_INI_HEAD: Final = re.compile(r"\s*\[[\w.\- \":]{1,80}\]\s*$")
_TREE: Final = re.compile(r"[\s│|]*(?:├|└|`|\+|\|)[─-]{2,}\s")
_LISTED: Final = re.compile(r"[-dlbcps][rwxsStT-]{9}[.+@]?\s+\d")


def block_cuts(text: str, stretches: Sequence[tuple[int, int]]) -> list[Cut]:
    """The blocks in the stretches of a text. They may overlap; linear in its length."""
    cuts = [Cut(start, end, _CODE) for start, end in fences(text)]
    lines = list(_lines(text, stretches, cuts))
    for find in (_quotes, _traces, _diffs, _tables, _logs, _data, _code):
        cuts += find(lines)
    return cuts


def _lines(text: str, stretches: Sequence[tuple[int, int]], blocks: Sequence[Cut]) -> Iterator[_Line]:
    number = 0
    for first, last in stretches:
        end = -1
        for match in _LINE.finditer(text, first, last):
            start = match.start()
            while number < len(blocks) and blocks[number].end <= start:
                number += 1
                end = -1
            said = match.group()[:_LONGEST]
            if (number < len(blocks) and blocks[number].start <= start) or not said.strip():
                continue
            gap = end < 0 or text.count("\n", end, start) > 1
            end = match.end()
            yield _Line(start, end, said, gap)


def _cut(lines: Sequence[_Line], rule: str) -> Iterator[Cut]:
    """One cut of the lines one after the other."""
    if lines:
        yield Cut(lines[0].start, lines[-1].end, rule)


def _runs(
    lines: Sequence[_Line], fits: Callable[[_Line], bool], *, over_gaps: bool = False
) -> Iterator[list[_Line]]:
    """Lines one after the other that fit; a blank line ends a run."""
    run: list[_Line] = []
    for line in lines:
        if run and ((line.gap and not over_gaps) or not fits(line)):
            yield run
            run = []
        if fits(line):
            run.append(line)
    if run:
        yield run


def _quotes(lines: Sequence[_Line]) -> Iterator[Cut]:
    for run in _runs(lines, lambda line: _QUOTED.match(line.text) is not None):
        yield from _cut(run, _QUOTE)


# --- what a program printed --------------------------------------------------------------------------


def _traces(lines: Sequence[_Line]) -> Iterator[Cut]:
    """From the head of a trace, or its first frame, to the error that it names."""
    run: list[_Line] = []
    framed = False
    for line in lines:
        frame = _FRAME.match(line.text) is not None
        if _TRACEBACK.match(line.text) or frame:
            run.append(line)
            framed = True
            continue
        raised = _RAISED.match(line.text) is not None and not _HAN.search(line.text)
        if run and not line.gap and (raised or (framed and line.text[0] in " \t")):
            run.append(line)
            if not (raised and line.text[0] not in " \t"):
                continue
        elif raised:  # its frames may follow
            yield from _cut(run, _TRACE)
            run, framed = [line], False
            continue
        if run:
            yield from _cut(run, _TRACE)
        run, framed = [], False
    yield from _cut(run, _TRACE)


def _diffs(lines: Sequence[_Line]) -> Iterator[Cut]:
    run: list[_Line] = []
    for line in lines:
        if _DIFF_HEAD.match(line.text) or (run and not line.gap and _DIFF_BODY.match(line.text)):
            run.append(line)
        else:
            yield from _cut(run, _DIFF)
            run = []
    yield from _cut(run, _DIFF)


def _logs(lines: Sequence[_Line]) -> Iterator[Cut]:
    """Lines with the stamp or the level of a log, and what is indented below them."""
    run: list[_Line] = []
    for line in lines:
        logged = _LOGGED.match(line.text) is not None or _LISTED.match(line.text) is not None
        if logged or (run and not line.gap and line.text[0] in " \t"):
            run.append(line)
        else:
            yield from _cut(run, _LOG)
            run = []
    yield from _cut(run, _LOG)


# --- tables and data ---------------------------------------------------------------------------------


def _tables(lines: Sequence[_Line]) -> Iterator[Cut]:
    for run in _runs(lines, lambda line: "|" in line.text or _DRAWN.match(line.text) is not None):
        ruled = any(_RULED.match(line.text) or _DRAWN.match(line.text) for line in run)
        if ruled or sum(_CELLS.match(line.text) is not None for line in run) > 1:
            yield from _cut(run, _TABLE)
    for run in _runs(lines, lambda line: _TREE.match(line.text) is not None):
        yield from _cut(run, _TABLE)
    for run in _runs(lines, lambda line: _COLUMNS.search(line.text) is not None):
        tabbed = all("\t" in line.text.strip() for line in run)
        if len(run) > 2 or (tabbed and len(run) > 1):
            yield from _cut(run, _TABLE)
    yield from _separated(lines)


def _separated(lines: Sequence[_Line]) -> Iterator[Cut]:
    """Three lines or more of equally many fields, with no space behind the commas."""
    run: list[_Line] = []
    width = 0
    for line in lines:
        commas = line.text.count(",")
        tight = commas > 0 and len(_COMMA.findall(line.text)) == commas
        if run and not line.gap and tight and commas == width:
            run.append(line)
            continue
        if len(run) > 2:
            yield from _cut(run, _TABLE)
        run, width = ([line], commas) if tight else ([], 0)
    if len(run) > 2:
        yield from _cut(run, _TABLE)


def _data(lines: Sequence[_Line]) -> Iterator[Cut]:
    for run in _runs(lines, _is_json, over_gaps=True):
        if any(not _ELEMENT.match(line.text) for line in run):
            yield from _cut(run, _DATA)
    for run in _runs(lines, lambda line: _MARKUP.match(line.text) is not None):
        if all(_MARKUP_END.search(line.text) for line in run):
            yield from _cut(run, _DATA)
    for run in _runs(lines, lambda line: bool(_KEY.match(line.text) or _YAML_ITEM.match(line.text))):
        keys = [match for line in run if (match := _KEY.match(line.text)) is not None]
        nested = any(match[1] or match[2] for match in keys) or len(keys) < len(run)
        if (
            len(run) > 2
            and len(keys) > 1
            and nested
            and not any(_HAN.search(line.text) for line in run)
        ):
            yield from _cut(run, _DATA)
    for run in _runs(lines, lambda line: bool(_INI_HEAD.match(line.text) or _INI.match(line.text))):
        settings = all(_SETTING.match(line.text) for line in run)
        if len(run) > 1 and (settings or _INI_HEAD.match(run[0].text)):
            yield from _cut(run, _DATA)


def _is_json(line: _Line) -> bool:
    said = line.text
    return any(each.match(said) for each in (_BRACES, _FIELD, _ELEMENT, _OBJECT))


# --- code --------------------------------------------------------------------------------------------


def _code(lines: Sequence[_Line]) -> Iterator[Cut]:
    """Lines of code one after the other, and what is indented below or between them.

    A line by itself is looked at as a sentence; so is an indented one that reads as prose.
    """
    run: list[_Line] = []
    known = 0  # lines of the run that are surely code; `last`: how many lines up to the last of them
    last = 0
    for line in [*lines, None]:
        code = line is not None and (is_code(line.text) or is_command(line.text))
        indented = line is not None and _INDENTED.match(line.text) is not None
        prose = line is not None and _HAN.search(line.text) is not None
        if line is not None and (code or (run and indented and not prose)):
            if line.gap and run and not (code or indented):
                yield from _known(run[:last], known)
                run, known, last = [], 0, 0
            run.append(line)
            if code:
                known, last = known + 1, len(run)
            elif known:
                last = len(run)
            continue
        yield from _known(run[:last], known)
        run, known, last = [], 0, 0


def _known(run: Sequence[_Line], known: int) -> Iterator[Cut]:
    if len(run) > 1 and 2 * known >= len(run):
        yield from _cut(run, _CODE)
