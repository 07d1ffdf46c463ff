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

__all__ = ["Finding", "Judge", "LazyPattern", "Rule", "RuleTable", "hints"]


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
    """

    name: str
    hints: tuple[str, ...]
    pattern: str
    judge: Judge | None = None
    view: Literal["lower", "exact", "squeezed"] = "lower"


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
        groups: dict[str, list[tuple[str, int]]] = {}
        for number, rule in enumerate(self.rules):
            assert rule.hints, "a rule without hints would never run"
            for hint in rule.hints:
                groups.setdefault(_rarest(hint), []).append((hint, number))
        self._hints = tuple((mark, tuple(hints)) for mark, hints in groups.items())

    def first(self, text: Folded) -> Finding | None:
        """The finding of the first rule that has one."""
        squeezed = text.squeezed
        hinted = {
            number
            for mark, hints in self._hints
            if mark in squeezed  # one look for all hints that share a rare character
            for hint, number in hints
            if hint in squeezed
        }
        for number in sorted(hinted):
            rule = self.rules[number]
            for match in self._patterns[number].finditer(getattr(text, rule.view)):
                if rule.judge is None or rule.judge(match, text):
                    start, end = match.span()
                    if "value" in match.re.groupindex:
                        end = max(end, match.end("value"))
                    if rule.view == "squeezed":
                        start, end = text.spread(start, end)
                    return Finding(rule.name, *text.span(start, end))
        return None


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

    def search(self, text: str) -> re.Match[str] | None:
        return self.pattern.search(text)

    def match(self, text: str) -> re.Match[str] | None:
        return self.pattern.match(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self.pattern.fullmatch(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self.pattern.finditer(text)


_COMMON = "etaoinsrhldcumfpgwybvkxjqz"  # letters of English prose, most frequent first


def _rarest(hint: str) -> str:
    """The character of a hint that ordinary text is least likely to hold."""
    return max(hint, key=lambda character: _COMMON.find(character) % 99)  # -1 % 99: not a letter
