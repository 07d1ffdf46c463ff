"""How is a table of rules run over a text, cheaply on ordinary text and in linear time on any?

A rule is a row: a name, a few hints, one pattern, and where a pattern alone cannot tell, a judge.
A rule's pattern runs only over texts that contain one of its hints, so a table may grow to hundreds
of rows and still cost an ordinary text a few microseconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from memweir.store.folding import Folded

__all__ = ["Anchor", "Finding", "Judge", "LazyPattern", "Rule", "RuleTable", "hints"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a gate saw, without the text it saw.

    Attributes:
        rule: the rule's name.
        start, end: character offsets in the text given, end excluded.
    """

    rule: str
    start: int
    end: int


Judge = Callable[[re.Match[str], Folded], bool]
"""Whether a match counts. Sees the text around it; must look at a bounded stretch only."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """What several rules begin with, looked up once in a text for all of them.

    Attributes:
        name: unique among the anchors of a table.
        pattern: over the lower view; linear, as a rule's pattern.
    """

    name: str
    pattern: LazyPattern


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of a table.

    Attributes:
        name: unique in its table, stable: it is what the ledger keeps.
        hints: lower case, without white space; one of them is in every text the pattern matches.
        pattern: a regular expression over one view of the folded text. Linear: every repetition is
            bounded or consumes what it scans, and what follows a key is read in a lookahead, so that
            a rejected match hides nothing behind it.
        judge: decides about a match; None: every match counts.
        view: the attribute of `Folded` that the pattern reads: letter case folded, kept, or folded
            without white space (for scripts that write none).
        at: where the pattern is tried: at the anchor's places only. Not with the squeezed view, whose
            offsets are its own.
    """

    name: str
    hints: tuple[str, ...]
    pattern: str
    judge: Judge | None = None
    view: Literal["lower", "exact", "squeezed"] = "lower"
    at: Anchor | None = None


def hints(text: str) -> tuple[str, ...]:
    """Hints separated by white space: how long lists of them are written."""
    return tuple(text.split())


class RuleTable:
    """Rules in order of precedence."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        names = [rule.name for rule in self.rules]
        assert len(names) == len(set(names)), "rule names are unique in a table"
        self._patterns = tuple(LazyPattern(rule.pattern) for rule in self.rules)
        hinted: dict[str, list[int]] = {}  # hint to the numbers of its rules
        for number, rule in enumerate(self.rules):
            assert rule.hints, "a rule without hints would never run"
            for hint in rule.hints:
                hinted.setdefault(hint, []).append(number)
        hints_of = [(hint, tuple(numbers)) for hint, numbers in hinted.items()]
        groups: dict[str, list[_Called]] = {}
        for each in hints_of:
            groups.setdefault(max(each[0], key=_rank), []).append(each)
        self._groups = tuple((mark, tuple(hints)) for mark, hints in groups.items())
        # By what of them a short text is asked: in plain letters, and in any writing.
        self._plain = _Grams(
            [each for each in hints_of if each[0].isascii()], width=4, encoding="ascii"
        )
        self._any = _Grams(hints_of, width=2, encoding="utf-16-le")

    def first(self, text: Folded) -> Finding | None:
        """The finding of the first rule that has one."""
        hinted = self._hinted(text.squeezed)
        places: dict[str, tuple[int, ...]] = {}
        for number in sorted(hinted):
            rule = self.rules[number]
            for match in self._matches(number, text, places):
                if rule.judge is None or rule.judge(match, text):
                    start, end = match.span()
                    if "value" in match.re.groupindex:
                        end = max(end, match.end("value"))
                    if rule.view == "squeezed":
                        start, end = text.spread(start, end)
                    return Finding(rule.name, *text.span(start, end))
        return None

    def _hinted(self, squeezed: str) -> set[int]:
        """The rules that one of their hints calls for."""
        if len(squeezed) <= _SHORT_TEXT:
            return (self._plain if squeezed.isascii() else self._any).called(squeezed)
        return {  # one look for all hints that share a rare character
            number
            for mark, hints in self._groups
            if mark in squeezed
            for hint, numbers in hints
            if hint in squeezed
            for number in numbers
        }

    def _matches(
        self, number: int, text: Folded, places: dict[str, tuple[int, ...]]
    ) -> Iterator[re.Match[str]]:
        """The matches of a rule; `places` keeps where the anchors of this text are."""
        rule, pattern = self.rules[number], self._patterns[number]
        view: str = getattr(text, rule.view)
        if rule.at is None:
            yield from pattern.finditer(view)
            return
        if rule.at.name not in places:
            found = rule.at.pattern.finditer(text.lower)
            places[rule.at.name] = tuple(match.start() for match in found)
        for place in places[rule.at.name]:
            match = pattern.match(view, place)
            if match is not None:
                yield match


class LazyPattern:
    """A regular expression that is compiled when it is first used, so that importing costs nothing."""

    __slots__ = ("_compiled", "_flags", "_source")

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source, self._flags = source, flags
        self._compiled: re.Pattern[str] | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        if self._compiled is None:
            self._compiled = re.compile(self._source, self._flags)
        return self._compiled

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        if end is None:
            return self.pattern.search(text, start)
        return self.pattern.search(text, start, end)

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        return self.pattern.match(text, start)

    def fullmatch(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        if end is None:
            return self.pattern.fullmatch(text, start)
        return self.pattern.fullmatch(text, start, end)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self.pattern.finditer(text)


_Called = tuple[str, tuple[int, ...]]  # a hint and the rules it calls for
_SHORT_TEXT = 8_192  # characters


class _Grams:
    """Hints by a run of their characters.

    All runs of a text are taken as numbers and looked up at once: most texts hold next to none of those
    that the hints are known by. Four bytes make a run: four plain letters, or two characters of any
    writing.
    """

    def __init__(self, hints: Iterable[_Called], *, width: int, encoding: str) -> None:
        self._step, self._encoding = 4 // width, encoding
        self._short: tuple[_Called, ...] = ()
        self._by_run: dict[int, tuple[_Called, ...]] = {}
        for each in hints:
            runs = [each[0][n : n + width] for n in range(len(each[0]) - width + 1)]
            if not runs:
                self._short += (each,)
                continue
            rarest = max(runs, key=lambda run: sum(map(_rank, run)))
            (run,) = self._runs(rarest)
            self._by_run[run] = (*self._by_run.get(run, ()), each)

    def called(self, text: str) -> set[int]:
        """The rules whose hints the text holds."""
        called = [numbers for hint, numbers in self._short if hint in text]
        for run in self._runs(text) & self._by_run.keys():
            called += [numbers for hint, numbers in self._by_run[run] if hint in text]
        return set().union(*called)

    def _runs(self, text: str) -> set[int]:
        data = memoryview(text.encode(self._encoding, "surrogatepass"))
        runs: set[int] = set()
        for offset in range(0, 4, self._step):
            length = (len(data) - offset) // 4 * 4
            if length > 0:
                runs.update(data[offset : offset + length].cast("I"))
        return runs


_COMMON = "etaoinsrhldcumfpgwybvkxjqz"  # letters of English prose, most frequent first


def _rank(character: str) -> int:
    """How rare a character is: its place among the letters; anything else is rarer than they."""
    return _COMMON.find(character) % 99  # -1 % 99: not a letter
