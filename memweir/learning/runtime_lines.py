"""Which lines of a message did a machine write? Clocks, heartbeats, catalogues, quotes, dumps, logs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memweir.learning.scaffolding import Entry, clock_words, entries_in, folded, keys_of
from memweir.learning.stretches import Cut

__all__ = ["fences", "line_cuts"]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that is not blank, without its break and without the stamp of a message.

    Attributes:
        plain: its text, folded.
        fenced: it is of a block of code; quoted: it begins with ">".
        stamped: the stamp of a message stands before it, so that a person's words may begin here.
    """

    start: int
    end: int
    text: str
    plain: str
    fenced: bool
    quoted: bool
    stamped: bool


_CLOCK: Final = "source.clock"
_STAMP: Final = "source.stamp"
_QUOTE: Final = "source.quote"
_CATALOGUE: Final = "source.catalogue"
_DOCUMENT: Final = "source.boot"
_LABEL: Final = "source.label"
_REPLY: Final = "source.reply"
_IN_QUOTES: Final = re.compile(
    r"[^:：\n]{1,60}[:：]\s*(?:\"[^\"\n]+\"|“[^“”\n]+”|「[^「」\n]+」|『[^『』\n]+』)[,.，。;；]?"
)
_HOST: Final = "source.environment"

_LINE: Final = re.compile(r"[^\n\r\u2028\u2029]+")
_FENCE: Final = re.compile(r"^[ \t]{0,3}(`{3,}(?=[^`\n]*$)|~{3,})([^\n]*)$", re.MULTILINE)
_QUOTED: Final = re.compile(r"[ \t]*[>＞]")
_WROTE: Final = re.compile(r"(?:on\s.{5,120}wrote|.{2,80}写道|.{2,80}寫道)\s*:$")
_KEYED: Final = re.compile(
    r"[ \t]*(?:[-*•]\s+)?[*`_]{0,2}([^\W\d_][\w .'/-]{0,30}?)[*`_]{0,2}"
    r"\s*[:：=][*`_]{0,2}(?:\s|(?<=：)|$)"
)
_ITEM: Final = re.compile(
    r"[ \t]*(?:[-*•+]|[0-9]{1,3}[.)])\s+(?:`[^`\n]{1,80}`|\*\*[\w./:@-]{1,80}\*\*|"
    r"/[A-Za-z][\w:.-]{0,80}|[A-Za-z]\w*(?:[-_./:@]\w+){1,10})\s*(?:\([^)\n]{0,80}\)\s*)?(?:[:：]|[-—–]+\s)"
)
_BULLET: Final = re.compile(r"[ \t]*(?:[-*•+]|[0-9]{1,3}[.)、])\s|[ \t]{2,}\S|\|")
_STAMPED: Final = re.compile(
    r"[ \t]*[\[【][^\[\]【】\n]{0,100}?[0-9]{1,2}:[0-9]{2}[^\[\]【】\n]{0,40}[\]】][ \t]*:?[ \t]*"
)
_BY_HOST: Final = re.compile(
    r"[ \t]*[\[【](?:[^\[\]【】\n]{0,80}[^\W\d_][^\[\]【】\n]{0,20}?\s)?"
    r"(?:mon|tue|wed|thu|fri|sat|sun|周|星期|[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}[ \]])",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(r"[^\s:：]{1,40}(?: [^\s:：]{1,40}){0,2}[:：](?:\s|(?<=：))")
_MOMENT: Final = re.compile(r"[0-9]{1,2}:[0-9]{2}|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}年|[0-9]{10}")
_CLOCK_WORD: Final = re.compile(r"[a-z]+(?:\.[a-z]+)*|[\u4e00-\u9fff]+")
_HEADING: Final = re.compile(
    r"[ \t]*(?:\#{1,6}[ \t]|\*\*|[=\-]{3,}|[\[【]|(?:file|path|文件|路径)\s*[:：])"
)
_BRACKET: Final = re.compile(r"[ \t]*[\[【{(<]")
_BRACKETED: Final = re.compile(r"[ \t]*[\[【][^\[\]【】\n]{1,400}[\]】][ \t]*")
# What stands in brackets within a line: numbers of messages, and memweir's own notes on an entry.
_NOTED: Final = re.compile(
    r"[\[【]\s*(?:(?:message[_ ]?id|消息编号)\s*[:：][^\[\]【】\n]{1,80}"
    r"|(?:reference, please verify|old accident, for reference|not used or verified for a long)"
    r"[^\[\]【】\n]{0,60})[\]】]",
    re.IGNORECASE,
)
_BULLETED: Final = re.compile(r"[ \t]*[-*•+][ \t]")
_COLON: Final = re.compile("[:：]")
_SAID: Final = re.compile(r"\w")
_FIGURE: Final = re.compile(r"[0-9]")
_FIRST_PERSON: Final = re.compile(r"\b(?:i|my|we|our)\b|[我咱]")
_OWN_WORDS: Final = re.compile(r"[\W_]*(?:(?:i|my|we|our)\b|[我咱])")
# A person may begin a line with the words of these: "Cron: I run it at 3."
_ORDINARY: Final = frozenset((_CATALOGUE, _CLOCK, "source.cron", "source.heartbeat"))
_PATH: Final = re.compile(r"[\w./\\~:@-]+$")


def line_cuts(text: str, outside: Sequence[Cut]) -> list[Cut]:
    """The lines of a message that a machine wrote.

    Args:
        outside: what is cut already, in order and without overlap; lines wholly in it are passed over.
    """
    lines = list(_lines(text, outside))
    cuts = list(_stamps(lines))
    lines = [_unstamped(line) for line in lines]
    cuts += _mail(lines)
    cuts += _keyed(lines)
    cuts += _catalogues(lines)
    cuts += _entered(text, lines)
    cuts += (
        Cut(line.start, line.end, _QUOTE)
        for line in lines
        if not line.fenced and _WROTE.match(line.plain)
    )
    cuts += (Cut(line.start, line.end, _CLOCK) for line in lines if _tells_time(line))
    cuts += (Cut(*match.span(), _LABEL) for match in _NOTED.finditer(text))
    return cuts


def fences(text: str) -> list[tuple[int, int]]:
    """Blocks of code between fences, in order; one that is not closed goes to the end."""
    found: list[tuple[int, int]] = []
    opened: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opened is None:
            opened = match
        elif match[1][0] == opened[1][0] and len(match[1]) >= len(opened[1]) and not match[2].strip():
            found.append((opened.start(), match.end()))
            opened = None
    if opened is not None:
        found.append((opened.start(), len(text)))
    return found


def _lines(text: str, outside: Sequence[Cut]) -> Iterator[_Line]:
    blocks = fences(text)
    block = number = 0
    for match in _LINE.finditer(text):
        start, end = match.span()
        while block < len(blocks) and blocks[block][1] <= start:
            block += 1
        while number < len(outside) and outside[number].end <= start:
            number += 1
        if number < len(outside) and outside[number].start <= start:
            start = outside[number].end  # the rest of the line after a tag
            if start >= end:
                continue
        said = text[start:end]
        if not said.strip():
            continue
        fenced = block < len(blocks) and blocks[block][0] <= start
        quoted = _QUOTED.match(said) is not None
        yield _Line(start, end, said, folded(said), fenced, quoted, stamped=False)


def _stamps(lines: list[_Line]) -> Iterator[Cut]:
    """Stamps of messages; lines of a transcript and of a log whole."""
    found = [
        (line, match)
        for line in lines
        if not (line.fenced or line.quoted) and (match := _STAMPED.match(line.text)) is not None
    ]
    for line, match in found:
        named = _NAMED.match(line.text, match.end()) is not None
        whole = len(found) > 1 and (named or _BY_HOST.match(line.text) is None)
        yield Cut(line.start, line.end if whole else line.start + match.end(), _STAMP)


def _unstamped(line: _Line) -> _Line:
    match = None if line.fenced or line.quoted else _STAMPED.match(line.text)
    if match is None or match.end() == len(line.text):
        return line
    said = line.text[match.end() :]
    host = _BY_HOST.match(line.text) is not None
    return replace(line, start=line.start + match.end(), text=said, plain=folded(said), stamped=host)


# --- beginnings --------------------------------------------------------------------------------------


def _entered(text: str, lines: list[_Line]) -> Iterator[Cut]:
    """Lines that begin as a host's do, and what belongs to them."""
    found = [[] if line.fenced or line.quoted else entries_in(line.plain) for line in lines]
    talk = any(entry.extent == "turn" for entries in found for entry in entries)
    front = _front_matter(lines)
    reach: Entry | None = front
    header = False  # of what reaches: its paragraph comes after a blank line
    heading = -2  # number of the line that began what reaches
    machine = False  # whether a host's line came before
    for number, (line, entries) in enumerate(zip(lines, found, strict=True)):
        person = next((entry for entry in entries if entry.rule == "person"), None)
        if person is None and talk:
            person = next((entry for entry in entries if entry.rule == "reply"), None)
        gap = number > 0 and text.count("\n", lines[number - 1].end, line.start) > 1
        if heading == number - 1 and text[lines[number - 1].end : line.start].strip():
            reach = None  # a block in tags was what the heading announced
        if reach is not None and person is None and not line.stamped:
            if reach.extent in ("document", "turn"):
                rule = reach.rule
                if reach is not front and any(entry.rule == "end" for entry in entries):
                    reach = None
                yield Cut(line.start, line.end, rule)
                continue
            if not gap or header or (reach.rule == _CATALOGUE and _BULLET.match(line.text)):
                header = False
                yield Cut(line.start, line.end, reach.rule)
                continue
        reach = None
        if person is not None:
            if talk or machine or number == 0:
                yield Cut(line.start, line.start + _label_end(line.text), _LABEL)
            continue
        entry = next((each for each in entries if _applies(each, line, lines, number)), None)
        if entry is None:
            continue
        machine = True
        bracket = _BRACKETED.match(line.text) if entry.extent == "bracket" else None
        # What stands in quotes after "you said:" is the assistant's; what follows them is not.
        bracket = _IN_QUOTES.match(line.text) if entry.rule == _REPLY else bracket
        yield Cut(line.start, line.start + bracket.end() if bracket else line.end, entry.rule)
        header = _only_header(line, entry)
        if entry.extent not in ("line", "bracket") and (entry.rule != _REPLY or header):
            reach, heading = entry, number


def _only_header(line: _Line, entry: Entry) -> bool:
    """A heading, or a label that nothing follows: what it is of comes after it."""
    rest = line.plain[line.plain.find(entry.words) + len(entry.words) :]
    return not _SAID.search(rest) and (
        _HEADING.match(line.text) is not None or line.plain.endswith((":", "]", "】"))
    )


def _applies(entry: Entry, line: _Line, lines: list[_Line], number: int) -> bool:
    """Whether a line that begins as a host's is one: a person may begin with the same word."""
    if not entry.rule.startswith("source."):
        return False
    rest = line.plain[line.plain.find(entry.words) + len(entry.words) :]
    if entry.anywhere and entry.rule in _ORDINARY and _FIRST_PERSON.search(line.plain):
        return False
    if not entry.anywhere and entry.rule in _ORDINARY and not _BRACKET.match(line.text):
        if _OWN_WORDS.match(rest):
            return False
        if entry.rule == _CLOCK and entry.words.endswith(" is") and not _FIGURE.search(rest):
            return False
    if entry.rule == _CATALOGUE:
        following = lines[number + 1] if number + 1 < len(lines) else None
        lists = following is not None and _BULLET.match(following.text) is not None
        return entry.loose or lists or (entry.words not in ("skills", "tools") and len(rest) < 40)
    if entry.extent == "document":
        if _BULLETED.match(line.text):
            return False
        heads = _HEADING.match(line.text) is not None and len(line.plain) < 200
        labels = line.plain.endswith(":") and not _FIRST_PERSON.search(line.plain)
        return (
            heads
            or labels
            or _PATH.match(line.plain.strip("`*\"' ")) is not None
            or line.plain == entry.words
            or (entry.loose and not entry.anywhere)
        )
    return True


def _label_end(text: str) -> int:
    match = _COLON.search(text)
    return match.end() if match is not None else len(text)


def _front_matter(lines: list[_Line]) -> Entry | None:
    """What begins with a block of keys between rules is a file."""
    if not lines or lines[0].plain != "---":
        return None
    for number, line in enumerate(lines[1:60], start=1):
        if line.plain == "---":
            return Entry(_DOCUMENT, "document", "---") if number > 1 else None
        if _KEYED.match(line.text) is None and not line.text.startswith((" ", "\t", "-")):
            return None
    return None


# --- runs of lines -----------------------------------------------------------------------------------


def _mail(lines: list[_Line]) -> Iterator[Cut]:
    """From the head of a letter on, all of it."""
    for first, _, keys in _runs(lines):
        if sum(key in keys_of("mail") for key in keys) >= 3:
            yield Cut(lines[first].start, lines[-1].end, _QUOTE)
            return


def _keyed(lines: list[_Line]) -> Iterator[Cut]:
    """Dumps of what a host knows of itself."""
    for first, last, keys in _runs(lines):
        if {"name", "description"} <= set(keys):
            yield Cut(lines[first].start, lines[last].end, _CATALOGUE)
            continue
        if any(_FIRST_PERSON.search(key) for key in keys):  # "My stack:"
            continue
        plain = [re.sub(r"[^\w]", "", key.replace("is directory", "")) for key in keys]
        known = sum(key.replace("_", "") in keys_of("host") for key in plain)
        if len(keys) >= 3 and known >= 2 and 2 * known >= len(keys):
            yield Cut(lines[first].start, lines[last].end, _HOST)


def _runs(lines: list[_Line]) -> Iterator[tuple[int, int, list[str]]]:
    """(first, last, folded keys) of lines one after the other that are a key and its value."""
    first = 0
    keys: list[str] = []
    for number, line in enumerate(lines):
        match = None if line.fenced else _KEYED.match(line.text)
        if match is not None:
            if not keys:
                first = number
            keys.append(folded(match[1]))
        if (match is None or number == len(lines) - 1) and keys:
            yield first, first + len(keys) - 1, keys
            keys = []


def _catalogues(lines: list[_Line]) -> Iterator[Cut]:
    """Three items or more, each an identifier and what it does."""
    run: list[_Line] = []
    for line in [*lines, None]:
        if line is not None and not line.fenced and _ITEM.match(line.text):
            run.append(line)
            continue
        if line is not None and run and line.text.startswith(("  ", "\t")):
            run.append(line)  # an item that goes on
            continue
        items = [each for each in run if _ITEM.match(each.text)]
        own = sum(_FIRST_PERSON.search(each.plain) is not None for each in items)
        if len(items) >= 3 and 2 * own < len(items):
            yield from (Cut(each.start, each.end, _CATALOGUE) for each in run)
        run = []


def _tells_time(line: _Line) -> bool:
    """Whether a line holds a moment and nothing else."""
    if line.fenced or len(line.plain) > 120 or not _MOMENT.search(line.plain):
        return False
    said = clock_words()
    return all(
        word in said or (word[0] > "\u3000" and all(each in said for each in _characters(word)))
        for word in _CLOCK_WORD.findall(line.plain)
    )


def _characters(word: str) -> list[str]:
    """A Chinese run cut by the list: words of two characters first."""
    said, parts = clock_words(), []
    while word:
        length = next((n for n in (4, 2, 1) if word[:n] in said and len(word) >= n), 1)
        parts.append(word[:length])
        word = word[length:]
    return parts
