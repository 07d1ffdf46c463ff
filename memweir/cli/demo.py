"""How is the demo's story shown: to a person, and to a program?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from memweir.cli import plain
from memweir.cli.output import candidate_table, visible, wrapped
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
    for language in played.languages:
        _paragraph(screen, played.story["summary"][language].strip())
        screen.print()
    _show_told(played, screen)
    for number, each in enumerate(played.asked, start=1):
        _show_asked(number, each, screen)
    _rule(screen, _titles(played, "count"))
    for language in played.languages:
        _show_counts(played, screen, _WORDS[language])
    for language in played.languages:
        screen.print()
        _paragraph(screen, f"{_WORDS[language]['next']}:")
        for line in played.story["next"][language]:
            _paragraph(screen, line, indent=2)


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


def _rule(screen: Console, title: str) -> None:
    from rich.rule import Rule
    from rich.text import Text

    screen.print(Rule(Text(title), align="left", characters="─"))


def _titles(played: Played, word: str) -> str:
    return " · ".join(_WORDS[each][word] for each in played.languages)


def _paragraph(screen: Console, text: str, *, indent: int = 0, style: str = "") -> None:
    from rich.text import Text

    for line in wrapped(visible(text), screen.width - indent):
        screen.print(Text(" " * indent + line, style=style))


def _show_told(played: Played, screen: Console) -> None:
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    _rule(screen, _titles(played, "told"))
    stored = [each.entry for each in played.told if each.stored is not None]
    scope_width = max(cell_len(entry["scope"]) for entry in stored)
    text_width = max(screen.width - len("02-23") - scope_width - 2 * 2, 16)
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(width=len("02-23"), style="dim")
    table.add_column(width=scope_width, style="cyan")
    table.add_column(width=text_width, overflow="fold")
    for entry in stored:
        text = "\n".join(wrapped(visible(_text_of(entry)), text_width))
        table.add_row(entry["at"].date().isoformat()[5:], Text(entry["scope"]), Text(text))
    screen.print(table)
    screen.print()
    _rule(screen, _titles(played, "turned away"))
    for told in played.told:
        if told.refusal is not None:
            notes = " · ".join(told.entry["note"][each] for each in played.languages)
            _paragraph(screen, f"{type(told.refusal).__name__} ({_rule_of(told.refusal)}): {notes}")
    screen.print()
    for language in played.languages:
        _paragraph(screen, _WORDS[language]["legend"], style="dim")
    screen.print()


def _show_asked(number: int, asked: Asked, screen: Console) -> None:
    words = _WORDS[asked.entry["lang"]]
    _rule(screen, f"{number}. {asked.entry['text']}")
    details = f"{words['scopes']}: {' + '.join(asked.entry['scopes'])}"
    if "as_of" in asked.entry:
        details += f"   {words['as of']}: {asked.entry['as_of'].date().isoformat()}"
    _paragraph(screen, details, style="dim")
    screen.print()
    shown = _shown(asked.recall)
    if shown:
        candidate_table(screen, shown)
        screen.print()
    if asked.recall.block:
        _paragraph(screen, asked.recall.block.rstrip(), indent=2)
    else:
        _paragraph(screen, f"{words['nothing']} ({asked.recall.abstained})", indent=2, style="yellow")
    screen.print()
    _paragraph(screen, f"{words['shows']}: {asked.entry['shows']}", style="bold")
    screen.print()


def _show_counts(played: Played, screen: Console, words: Mapping[str, str]) -> None:
    counts = _counts(played)
    rules = ", ".join(f"{rule} {times}" for rule, times in counts["rules"].items())
    _paragraph(
        screen,
        f"{words['stored']} {counts['stored']}, {words['refused']} {counts['refused']} "
        f"({words['rule']}: {rules}), {words['asked']} {counts['questions']}, "
        f"{words['abstained']} {counts['abstained']}",
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
    # The fingerprint is keyed by the store: it would differ from run to run.
    return {
        **shown,
        "outcome": "refused",
        "error": type(told.refusal).__name__,
        "rule": _rule_of(told.refusal),
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
