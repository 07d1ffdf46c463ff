"""How does a store read as pages? An index, facts, beliefs, answers, relations and a timeline.

The pages hold what the scopes show: what may be recalled now and, marked as such, what was superseded
or has ended. What was forgotten, what waits for a person and what was refused is on none of them.
Everything is written as it is read, so that a store of any size takes little room, and put in place
once all of it is there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from memweir import __version__
from memweir.errors import FolderError
from memweir.folders import Folder
from memweir.markdown_text import BREAK, inline
from memweir.store.records import LAYERS, Record, from_ms
from memweir.store.view import View

if TYPE_CHECKING:
    from memweir.store.reflecting import Revision
    from memweir.store.seam import Lists

__all__ = ["MARK", "PAGES", "MarkdownExport", "write_pages"]

MARK: Final = "<!-- memweir: an export, written anew by `memweir export --markdown` -->"
"""First line of the index: by it the folder is known as ours."""

PAGES: Final = ("README.md", "facts.md", "beliefs.md", "answers.md", "relations.md", "timeline.md")

_BELIEF: Final = "belief"
_BATCH: Final = 500  # records whose links are looked up at once
_PLAIN_ID: Final = re.compile(r"\w+", re.ASCII)
_TITLES: Final = {
    "facts.md": "Facts · 事实",
    "beliefs.md": "Beliefs · 信念",
    "answers.md": "Standing answers · 常备答案",
    "relations.md": "Relations · 关系",
    "timeline.md": "Timeline · 时间线",
}
_DAY_MS: Final = 23 * 3_600_000  # the shortest day, on which a clock is put forward


@dataclass(frozen=True, slots=True)
class MarkdownExport:
    """What was exported.

    Attributes:
        folder: absolute.
        files: page → how many entries are on it; of README.md, how many pages it links to.
        counts: "active" and "ended" memories, "answers", "relations", and memories of each layer.
        scopes: in the form that `Scope.parse` reads.
    """

    folder: str
    files: Mapping[str, int]
    counts: Mapping[str, int]
    scopes: tuple[str, ...]


def write_pages(
    lists: Lists, view: View, folder: Path, moment: datetime, *, stale_days: int
) -> MarkdownExport:
    """Write the pages; each takes its place whole, the index first.

    Args:
        view: what is shown; with history what holds no more is, too.
        moment: now; its zone is that of all times.
        stale_days: without verification from which an answer is marked.

    Raises:
        FolderError: see `memweir.memory.Memory.export_markdown`.
    """
    with Folder.open(folder, create=True) as place, place.locked():
        _check(place)
        with ExitStack() as failing:
            for name in PAGES:
                failing.callback(place.drop, name)
            pages = _Pages(lists, view, moment, stale_days)
            writers: dict[str, Callable[[_Sheet], int]] = {
                "facts.md": pages.facts,
                "beliefs.md": pages.beliefs,
                "answers.md": pages.answers,
                "relations.md": pages.relations,
                "timeline.md": pages.timeline,
            }
            files: dict[str, int] = {}
            for name, write in writers.items():
                with place.new(name) as stream:
                    sheet = _Sheet(stream)
                    sheet.line(f"# {_TITLES[name]}", "")
                    files[name] = write(sheet)
            with place.new("README.md") as stream:
                files["README.md"] = len(writers)
                pages.index(_Sheet(stream), files)
            for name in PAGES:  # the index first: it says whose the folder is
                place.put(name)
    return MarkdownExport(
        folder=str(folder),
        files={name: files[name] for name in PAGES},
        counts=dict(sorted(pages.counts.items())),
        scopes=tuple(str(each) for each in view.scopes),
    )


def _check(place: Folder) -> None:
    """Raises: FolderError: the folder is somebody else's, or something is in the way."""
    for name in PAGES:
        if place.regular(name) is False:
            raise FolderError(str(place.path / name), "is in the way; it is no regular file")
    if not place.names():
        return
    first = b""
    if place.regular("README.md"):
        first = place.read("README.md", len(MARK) + 2).split(b"\n")[0].rstrip(b"\r")
    if first != MARK.encode():
        raise FolderError(
            str(place.path), "holds something that is no export of memweir; name an empty folder"
        )


class _Sheet:
    """A page as it is written."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def line(self, *lines: str) -> None:
        for each in lines:
            self._stream.write(each.encode("utf-8", "backslashreplace") + b"\n")

    def head(self, *names: str) -> None:
        self.row(*names)
        self.row(*("---" for _ in names))

    def row(self, *cells: str) -> None:
        """Args: cells: Markdown."""
        self.line(f"| {' | '.join(cells)} |")


class _Pages:
    def __init__(self, lists: Lists, view: View, moment: datetime, stale_days: int) -> None:
        self._lists = lists
        self._view = view
        self._moment = moment
        self._stale_days = stale_days
        self.counts: Counter[str] = Counter()

    def index(self, sheet: _Sheet, files: Mapping[str, int]) -> None:
        history = (
            "What was superseded or has ended is marked as such."
            if self._view.include_history
            else "What was superseded or has ended is left out."
        )
        sheet.line(
            MARK,
            "",
            "# Memories · 记忆",
            "",
            f"Written by memweir {__version__} at {self._moment.isoformat(timespec='seconds')}. The "
            "store is what counts; these pages are written anew as a whole, and nothing in them is "
            f"read back. {history}",
            "",
        )
        sheet.head("page", "entries")
        for name, title in _TITLES.items():
            sheet.row(f"[{title}]({name})", str(files[name]))
        sheet.line("", "## Counts · 计数", "")
        sheet.head("of", "count")
        for name in ("active", "ended", *LAYERS, "answers", "relations"):
            sheet.row(name, str(self.counts[name]))
        sheet.line("", "## Scopes · 范围", "")
        sheet.line(*(f"- {inline(str(each))}" for each in self._view.scopes))

    def facts(self, sheet: _Sheet) -> int:
        count = 0
        for layer in LAYERS:
            sheet.line(f"## {layer}", "")
            if layer == _BELIEF:
                sheet.line("See [beliefs](beliefs.md).", "")
                continue
            begun = False
            for record, linked in self._linked(self._memories("told", layer)):
                if not begun:
                    sheet.head(
                        *("id", "told", "kind", "confidence", "status", "tags", "scope", "source"),
                        *("text", "quote"),
                    )
                    begun = True
                count += 1
                self._count(record)
                sheet.row(
                    _anchor(record.id),
                    self._time(record.created_at_ms),
                    record.kind,
                    f"{record.confidence:.2f}",
                    self._status(record, linked),
                    ", ".join(inline(each) for each in record.tags),
                    inline(str(record.scope)),
                    _source(record),
                    _text(record),
                    inline(record.raw_quote or ""),
                )
            sheet.line(*([] if begun else ["None."]), "")
        return count

    def beliefs(self, sheet: _Sheet) -> int:
        count = 0
        for record, linked in self._linked(self._memories("strongest", _BELIEF)):
            if not count:
                sheet.head("id", "strength", "for", "against", "revisions", "status", "scope", "text")
            evidence, revisions = self._lists.belief_evidence(record.id, self._view.scopes)
            against = sum(each for _, each in evidence)
            count += 1
            self._count(record)
            sheet.row(
                _link(record.id, "#"),
                f"{record.confidence:.2f}",
                str(len(evidence) - against),
                str(against),
                str(len(revisions)),
                self._status(record, linked),
                inline(str(record.scope)),
                _text(record),
            )
        if not count:
            sheet.line("None.")
            return 0
        for record, linked in self._linked(self._memories("strongest", _BELIEF)):
            self._belief(sheet, record, linked)
        return count

    def _belief(self, sheet: _Sheet, record: Record, linked: Mapping[str, str]) -> None:
        evidence, revisions = self._lists.belief_evidence(record.id, self._view.scopes)
        named = {each for each, _ in evidence}.union(*(each.evidence for each in revisions))
        shown = self._lists.layers_of(self._view, named)

        def listed(ids: Iterable[str]) -> str:
            return ", ".join(_reference(each, shown, "beliefs.md") for each in ids) or "none"

        sheet.line(
            "",
            f"## {_anchor(record.id)}",
            "",
            f"- text: {_text(record)}",
            f"- strength: {record.confidence:.2f}",
            f"- status: {self._status(record, linked)}",
            f"- since: {self._time(record.valid_at_ms)}",
            f"- evidence: {listed(each for each, against in evidence if not against)}",
            f"- against it: {listed(each for each, against in evidence if against)}",
        )
        if not revisions:
            return
        sheet.line("")
        sheet.head("revision", "until", "reason", "strength", "evidence", "said")
        for each in revisions:
            sheet.row(
                str(each.number),
                self._time(each.at_ms),
                inline(each.reason),
                f"{each.strength:.2f}",
                listed(each.evidence),
                self._wording(each),
            )

    def _wording(self, revision: Revision) -> str:
        if not revision.text:
            return ""
        return inline(revision.text) if self._view.include_history else "left out"

    def answers(self, sheet: _Sheet) -> int:
        count = 0
        stale = self._moment - timedelta(days=self._stale_days) if self._stale_days else None
        for each in self._lists.answers(self._view.scopes):
            if not count:
                sheet.head("id", "scope", "answer", "phrasings", "hits", "last verified")
            count += 1
            verified = self._time(each.verified_at_ms)
            if stale is not None and from_ms(each.verified_at_ms) < stale:
                verified += " (to be verified)"
            sheet.row(
                _anchor(each.id),
                inline(str(each.scope)),
                inline(each.text),
                BREAK.join(inline(asked) for asked in each.phrasings),
                str(each.hits),
                verified,
            )
        self.counts["answers"] = count
        if not count:
            sheet.line("None.")
        return count

    def relations(self, sheet: _Sheet) -> int:
        count = 0
        for each in self._lists.relations(self._view):
            if not count:
                sheet.head("from", "relation", "to", "says", "told", "status")
            count += 1
            sheet.row(
                inline(each.source),
                inline(each.predicate),
                inline(each.target),
                _link(each.memory_id, f"{_page(each.layer)}#"),
                self._time(each.created_at_ms),
                "active" if each.holds else "ended",
            )
        self.counts["relations"] = count
        if not count:
            sheet.line("None.")
        return count

    def timeline(self, sheet: _Sheet) -> int:
        count, day = 0, ""
        for record, linked in self._linked(self._lists.memories(self._view, order="newest")):
            told = record.event_start_ms is None
            at = record.created_at_ms if record.event_start_ms is None else record.event_start_ms
            today = self._day(at)
            if today != day:
                sheet.line(*([""] if day else []), f"## {today}", "")
                day = today
            count += 1
            status = self._status(record, linked)
            marks = [
                *(["told"] if told else [self._until(record)]),
                *([] if status == "active" else [status]),
            ]
            sheet.line(
                f"- {self._clock(record, at)} {_link(record.id, f'{_page(record.layer)}#')} "
                f"{record.kind} ({'; '.join(marks)}): {_text(record)}"
            )
        if not count:
            sheet.line("None.")
        return count

    def _memories(self, order: str, layer: str) -> Iterator[Record]:
        return self._lists.memories(self._view, order=order, layer=layer)

    def _linked(self, records: Iterator[Record]) -> Iterator[tuple[Record, Mapping[str, str]]]:
        """Each record with the layers of what superseded those around it, as far as that is shown."""
        while several := list(islice(records, _BATCH)):
            named = [each.superseded_by for each in several if each.superseded_by is not None]
            linked = self._lists.layers_of(self._view, named) if named else {}
            for each in several:
                yield each, linked

    def _count(self, record: Record) -> None:
        self.counts[record.layer] += 1
        self.counts["ended" if self._ended(record) else "active"] += 1

    def _ended(self, record: Record) -> bool:
        over = record.invalid_at_ms is not None and record.invalid_at_ms <= self._view.as_of_ms
        return record.status != "active" or over

    def _status(self, record: Record, linked: Mapping[str, str]) -> str:
        said: list[str] = []
        until = "" if record.invalid_at_ms is None else self._time(record.invalid_at_ms)
        if record.superseded_by is not None and until:
            by = record.superseded_by
            name = _reference(by, linked, "") if by in linked else "a memory that is not shown"
            said.append(
                f"superseded by {name} at {until}"
                if self._ended(record)
                else f"active until {until}, then superseded by {name}"
            )
        elif self._ended(record):
            said.append(f"ended at {until}")
        elif until:
            said.append(f"active until {until}")
        if record.valid_at_ms > self._view.as_of_ms:
            said.append(f"from {self._time(record.valid_at_ms)} on")
        if record.expires_at_ms is not None and record.expires_at_ms <= self._view.as_of_ms:
            said.append(f"to be verified since {self._time(record.expires_at_ms)}")
        if record.harmful_count:
            said.append(f"reported harmful {record.harmful_count}x")
        if record.pinned:
            said.append("pinned")
        if not said or not (record.superseded_by or self._ended(record) or until):
            said.insert(0, "active")
        return ", ".join(said)

    # Times

    def _local(self, milliseconds: int) -> datetime:
        moment = from_ms(milliseconds)
        try:
            return moment.astimezone(self._moment.tzinfo)
        except (OverflowError, ValueError):  # at an end of the calendar
            return moment

    def _time(self, milliseconds: int) -> str:
        return self._local(milliseconds).isoformat(" ", "minutes")[: len("2026-03-20 10:00")]

    def _day(self, milliseconds: int) -> str:
        return self._local(milliseconds).date().isoformat()

    def _clock(self, record: Record, at: int) -> str:
        local = self._local(at)
        whole = record.event_end_ms is not None and record.event_end_ms - at >= _DAY_MS
        midnight = (local.hour, local.minute, local.second) == (0, 0, 0)
        return "all day" if whole and midnight else f"{local.hour:02}:{local.minute:02}"

    def _until(self, record: Record) -> str:
        """When what happened was over, where that was on another day."""
        start, end = record.event_start_ms, record.event_end_ms
        if start is None or end is None:
            return "happened"
        last = self._day(end - 1)
        return "happened" if last == self._day(start) else f"until {last}"


def _page(layer: str) -> str:
    return "beliefs.md" if layer == _BELIEF else "facts.md"


def _anchor(name: str) -> str:
    return f'<a id="{name}"></a>{name}' if _PLAIN_ID.fullmatch(name) else inline(name)


def _link(name: str, page: str) -> str:
    return f"[{name}]({page}{name})" if _PLAIN_ID.fullmatch(name) else inline(name)


def _reference(name: str, layers: Mapping[str, str], here: str) -> str:
    """A memory by its id, linked where it is on a page. Args: here: the page that it stands on."""
    if name not in layers:
        return inline(name)
    page = _page(layers[name])
    return _link(name, "#" if page == here else f"{page}#")


def _source(record: Record) -> str:
    told = [record.source or record.session_id or "", record.speaker or ""]
    origin = [] if record.provenance == "human" else [record.provenance]
    return ", ".join([*(inline(each) for each in told if each), *origin])


def _text(record: Record) -> str:
    return f"{inline(record.title)} — {inline(record.text)}" if record.title else inline(record.text)
