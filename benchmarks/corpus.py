"""What would a person's turns over some years look like? Text from a seed, half English, half Chinese.

Templates times vocabulary (`corpus.toml`), drawn by Zipf's law as words are in life: a few services,
people and tools are spoken of all the time, most of them seldom. Nothing here is taken from an
evaluation set, and nothing of it says how good recall is: it is for measuring time and space only.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

from memweir import Draft, Scope

__all__ = ["NOW", "drafts", "questions", "scopes"]

NOW: Final = datetime(2026, 3, 20, 10, 0, tzinfo=UTC)

_SPAN_DAYS: Final = 900
_PROJECTS: Final = ("harbor", "meridian", "驿站", "lantern", "算盘", "quarry")


def scopes() -> tuple[Scope, ...]:
    """Where the memories lie: six projects and, last, the global scope."""
    return (*(Scope.project(name) for name in _PROJECTS), Scope.everywhere())


def drafts(count: int, *, seed: int) -> Iterator[Draft]:
    """`count` memories told one after another until `NOW`, the first project holding the most."""
    random_ = random.Random(f"drafts {seed}")
    places = scopes()
    for number in range(count):
        told = NOW - timedelta(days=_SPAN_DAYS * (count - number) / count)
        language = _languages()[random_.random() < 0.5]
        said = random_.choice(language["said"])
        text = _filled(said["text"], language, random_)
        if random_.random() < 0.5:
            space = " " if text.isascii() else ""
            text += space + _filled(random_.choice(language["tails"]), language, random_)
        yield Draft(
            text=text,
            scope=places[_zipf(random_, len(places))],
            kind=said["kind"],
            speaker=random_.choice(("user", "user", "assistant", None)),
            importance=random_.choice((0.3, 0.5, 0.5, 0.8)),
            created_at=told,
        )


def questions(count: int, *, seed: int) -> list[tuple[str, tuple[Scope, ...]]]:
    """`count` turns, each with the two scopes it is asked in: a project and the global one."""
    random_ = random.Random(f"questions {seed}")
    *projects, everywhere = scopes()
    asked: list[tuple[str, tuple[Scope, ...]]] = []
    for _ in range(count):
        language = _languages()[random_.random() < 0.5]
        text = _filled(random_.choice(language["asked"]), language, random_)
        asked.append((text, (projects[_zipf(random_, len(projects))], everywhere)))
    return asked


@cache
def _vocabulary() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("corpus.toml").read_text(encoding="utf-8"))


def _languages() -> tuple[dict[str, Any], dict[str, Any]]:
    return _vocabulary()["en"], _vocabulary()["zh"]


def _filled(template: str, language: dict[str, Any], random_: random.Random) -> str:
    words: dict[str, list[str]] = language["words"]
    values = {name: _pick(each, random_) for name, each in words.items()}
    return template.format(
        **values,
        stranger=_joined(language["names"], "", random_),
        company=language["company"].format(_joined(language["names"], "", random_)),
        module=_joined(_vocabulary()["identifiers"], "_", random_),
        person2=_pick(words["person"], random_),
        tool2=_pick(words["tool"], random_),
        food2=_pick(words["food"], random_),
        env=random_.choice(language["environments"]),
        reason=random_.choice(language["reasons"]),
        host=f"{random_.choice(('kite', 'heron', 'plover', 'egret'))}-{random_.randrange(40)}",
        ticket=f"{random_.choice(('OPS', 'WEB', 'PAY'))}-{random_.randrange(100, 9000)}",
        code=f"ERR_{random_.choice(('POOL', 'TLS', 'QUOTA', 'PARSE'))}_{random_.randrange(100, 999)}",
        flag=random_.choice(("sql", "net", "cache", "lock")),
        port=random_.randrange(1024, 65_536),
        hour=random_.randrange(6, 23),
        minute=f"{random_.randrange(60):02}",
        number=random_.randrange(2, 400),
        number2=random_.randrange(400, 100_000),
        major=random_.randrange(1, 20),
        minor=random_.randrange(30),
    )


def _joined(parts: dict[str, list[str]], mark: str, random_: random.Random) -> str:
    return mark.join(random_.choice(each) for each in parts.values())


def _pick(words: Sequence[str], random_: random.Random) -> str:
    return words[_zipf(random_, len(words))]


def _zipf(random_: random.Random, count: int) -> int:
    """0 to count - 1; the n-th is drawn about as often as 1 / n says."""
    return min(int((count + 1) ** random_.random()) - 1, count - 1)
