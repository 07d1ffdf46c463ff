"""How is a table of rules run over a text, cheaply on ordinary text and in linear time on any?

A rule is a row: a name, a few hints, one pattern, and where a pattern alone cannot tell, a judge.
A rule's pattern runs only over texts that contain one of its hints, so a table may grow to hundreds
of rows and still cost an ordinary text a few microseconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from memweir.store.folding import Folded

__all__ = ["Finding", "Judge", "Rule", "RuleTable"]


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
        pattern: a regular expression over the folded, lower-cased text. Linear: every repetition is
            bounded or consumes what it scans, and what follows a key is read in a lookahead, so that
            a rejected match hides nothing behind it.
        judge: decides about a match; None: every match counts.
        exact: the pattern is over the folded text with its letter case kept.
    """

    name: str
    hints: tuple[str, ...]
    pattern: str
    judge: Judge | None = None
    exact: bool = False


class RuleTable:
    """Rules in order of precedence; compiled one by one, when first needed."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        names = [rule.name for rule in self.rules]
        assert len(names) == len(set(names)), "rule names are unique in a table"
        self._hints = tuple((hint, n) for n, rule in enumerate(self.rules) for hint in rule.hints)
        self._compiled: dict[int, re.Pattern[str]] = {}

    def first(self, text: Folded) -> Finding | None:
        """The finding of the first rule that has one."""
        squeezed = text.squeezed
        hinted = [n for hint, n in self._hints if hint in squeezed]
        if not hinted:
            return None
        for n in dict.fromkeys(hinted):  # hints are in the order of the rules
            rule = self.rules[n]
            pattern = self._compiled.get(n)
            if pattern is None:
                pattern = self._compiled[n] = re.compile(rule.pattern)
            for match in pattern.finditer(text.exact if rule.exact else text.lower):
                if rule.judge is None or rule.judge(match, text):
                    value_end = match.end("value") if "value" in pattern.groupindex else -1
                    return Finding(rule.name, *text.span(match.start(), max(match.end(), value_end)))
        return None
