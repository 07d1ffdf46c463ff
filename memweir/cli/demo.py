"""How is the demo's story shown: to a person, and to a program?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from memweir.cli import plain
from memweir.cli.output import candidate_table, visible
from memweir.demo import Asked, Played, Told
from memweir.errors import RefusedError

if TYPE_CHECKING:
    from rich.console import Console

    from memweir.results import Recall, RecallItem

__all__ = ["show", "to_dict"]

_SHOWN_CANDIDATES: Final = 3


def to_dict(played: Played) -> dict[str, object]:
    """Everything as plain JSON values."""
    keys = played.keys()
    return {
        "now": played.story["now"].isoformat(),
        "languages": list(played.languages),
        "summary": {each: played.story["summary"][each] for each in played.languages},
        "memories": [_told_dict(each) for each in played.told],
        "questions": [_asked_dict(each, keys) for each in played.asked],
        "counts": _counts(played),
        "next": {each: list(played.story["next"][each]) for each in played.languages},
    }


def show(played: Played, screen: Console) -> None:
    """Print the story for a person."""
    from rich.padding import Padding
    from rich.rule import Rule
    from rich.text import Text

    def rule(title: str) -> None:
        screen.print(Rule(Text(title), align="left", characters="─"))

    for language in played.languages:
        screen.print(Text(played.story["summary"][language].strip()))
        screen.print()
    _show_told(played, screen, rule)
    for number, each in enumerate(played.asked, start=1):
        language = each.entry["lang"]
        words = _WORDS[language]
        rule(f"{number}. {each.entry['text']}")
        details = [f"{words['scopes']}: {' + '.join(each.entry['scopes'])}"]
        if "as_of" in each.entry:
            details.append(f"{words['as of']}: {each.entry['as_of'].date().isoformat()}")
        screen.print(Text("   ".join(details), style="dim"))
        screen.print()
        shown = _shown(each.recall)
        if shown:
            candidate_table(screen, shown)
            screen.print()
        if each.recall.block:
            screen.print(Padding(Text(visible(each.recall.block.rstrip())), (0, 0, 0, 2)))
        else:
            screen.print(Text(f"  {words['nothing']} ({each.recall.abstained})", style="yellow"))
        screen.print()
        screen.print(Text.assemble((f"{words['shows']}: ", "bold"), each.entry["shows"]))
        screen.print()
    rule(" · ".join(_WORDS[each]["count"] for each in played.languages))
    for language in played.languages:
        _show_counts(played, screen, _WORDS[language])
    for language in played.languages:
        screen.print()
        screen.print(Text(f"{_WORDS[language]['next']}:"))
        for line in played.story["next"][language]:
            screen.print(Text(f"  {line}"))


_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "as of": "as of",
        "count": "Count",
        "stored": "stored",
        "refused": "refused",
        "asked": "questions",
        "abstained": "abstained",
        "legend": "* in the block; match: how well it answers, 0 to 1; found by: path:rank",
        "next": "Where to go next",
        "nothing": "nothing is injected",
        "scopes": "asked in",
        "shows": "What this shows",
        "told": "Told and stored",
        "turned away": "Told and turned away",
        "rule": "rule",
    },
    "zh": {
        "as of": "回到",
        "count": "合计",
        "stored": "存入",
        "refused": "拒收",
        "asked": "提问",
        "abstained": "不答",
        "legend": "* 已注入；match：与问题的相合程度，0 到 1；found by：路径:名次",
        "next": "接下来可以试试",
        "nothing": "什么也不注入",
        "scopes": "提问的作用域",
        "shows": "看点",
        "told": "说过并存下的",
        "turned away": "说过但拒收的",
        "rule": "规则",
    },
}


def _shown(recall: Recall) -> list[RecallItem]:
    """What was injected, in the block's order, then the best of the rest."""
    injected = {each.id for each in recall.items}
    rest = [each for each in recall.candidates if each.id not in injected]
    return [*recall.items, *rest[: max(0, _SHOWN_CANDIDATES - len(recall.items))]]


def _text_of(entry: Mapping[str, Any]) -> str:
    return " - ".join(entry["relate"]) if "relate" in entry else str(entry["text"])


def _show_told(played: Played, screen: Console, rule: Any) -> None:
    from rich.table import Table
    from rich.text import Text

    rule(" · ".join(_WORDS[each]["told"] for each in played.languages))
    table = Table(box=None, pad_edge=False, show_header=False, expand=True, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="dim")
    table.add_column(no_wrap=True, style="cyan")
    table.add_column(ratio=1)
    for each in played.told:
        if each.stored is not None:
            when = each.entry["at"].date().isoformat()[5:]
            table.add_row(when, Text(each.entry["scope"]), Text(visible(_text_of(each.entry))))
    screen.print(table)
    screen.print()
    rule(" · ".join(_WORDS[each]["turned away"] for each in played.languages))
    for told in played.told:
        if told.refusal is not None:
            notes = " · ".join(told.entry["note"][each] for each in played.languages)
            screen.print(Text(f"{type(told.refusal).__name__} ({_rule_of(told.refusal)}): {notes}"))
    screen.print()
    for language in played.languages:
        screen.print(Text(_WORDS[language]["legend"], style="dim"))
    screen.print()


def _show_counts(played: Played, screen: Console, words: Mapping[str, str]) -> None:
    from rich.text import Text

    counts = _counts(played)
    rules = ", ".join(f"{rule} {times}" for rule, times in sorted(counts["rules"].items()))
    screen.print(
        Text(
            f"{words['stored']} {counts['stored']}, {words['refused']} {counts['refused']} "
            f"({words['rule']}: {rules}), {words['asked']} {counts['questions']}, "
            f"{words['abstained']} {counts['abstained']}"
        )
    )


def _counts(played: Played) -> dict[str, Any]:
    refusals = [each.refusal for each in played.told if each.refusal is not None]
    return {
        "stored": sum(1 for each in played.told if each.stored is not None),
        "refused": len(refusals),
        "rules": dict(sorted(Counter(_rule_of(each) for each in refusals).items())),
        "questions": len(played.asked),
        "abstained": sum(1 for each in played.asked if not each.recall.block),
    }


def _rule_of(error: RefusedError) -> str:
    return str(getattr(error, "rule", type(error).__name__))


def _told_dict(told: Told) -> dict[str, object]:
    shown: dict[str, object] = {
        "key": told.key,
        "at": told.entry["at"].isoformat(),
        "scope": told.entry["scope"],
    }
    if told.stored is not None:
        return {
            **shown,
            "text": _text_of(told.entry),
            "id": told.stored.id,
            "outcome": told.stored.outcome,
        }
    assert told.refusal is not None
    return {
        **shown,
        "outcome": "refused",
        "error": type(told.refusal).__name__,
        **{name: plain.plain(value) for name, value in vars(told.refusal).items()},
    }


def _asked_dict(asked: Asked, keys: Mapping[str, str]) -> dict[str, object]:
    entry, result = asked.entry, asked.recall
    return {
        "text": entry["text"],
        "lang": entry["lang"],
        "scopes": list(entry["scopes"]),
        "as_of": entry["as_of"].isoformat() if "as_of" in entry else None,
        "shows": entry["shows"],
        "best": keys.get(asked.best(), asked.best()),
        "injected": [keys.get(each.id, each.id) for each in result.items],
        "candidates": [
            {
                "key": keys.get(each.id, each.id),
                "action": each.action,
                "reason": each.reason,
                "score": each.score,
                "relevance": each.decision.relevance,
                "ranks": plain.plain(each.ranks),
                "slot": each.slot,
            }
            for each in result.candidates
        ],
        "recall": plain.recall(result, everything=False),
    }
