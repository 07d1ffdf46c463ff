"""Which scene does a turn clearly speak of, of those that a caller's memories carry?

A scene is a kind of work (database, ui, testing …). A turn about the user interface must not bring up
what was learnt about databases, however near its words are; but a wrong guess hides what is needed,
and no guess hides nothing. So only one scene, clearly named, is one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from memweir.errors import ConfigError
from memweir.retrieval.normalise import normalise
from memweir.retrieval.phrases import Phrases, read_phrases
from memweir.retrieval.stopwords import read_data, word_lists
from memweir.retrieval.types import Analysis

__all__ = ["GENERAL", "SCENES", "infer_scene", "is_general"]

SCENES: Final = (
    "build",
    "data",
    "database",
    "deployment",
    "docs",
    "ml",
    "networking",
    "observability",
    "plugin-dev",
    "security",
    "session-ops",
    "testing",
    "ui",
    "version-control",
)
"""The usual scenes, whose words are in `data/scenes.tsv`. The vocabulary is open: any other name is a
scene as well, known by its own name only."""

GENERAL: Final = frozenset(
    {
        *("all", "any", "common", "default", "general", "global", "misc", "none", "other", "unknown"),
        *("通用", "一般", "默认", "其他", "其它", "全部", "公共", "未分类", "未标注", "无", "综合"),
    }
)
"""Names, folded, that mean "no scene"."""

_FILE: Final = "scenes.tsv"
_LONGEST: Final = 8_000  # characters of a turn that are looked at
_SEPARATORS: Final = re.compile(r"[\s_/.:-]+")
_HAN: Final = re.compile("[\u3400-\u9fff]")
# A word ends where a Chinese character follows, too.
_EDGE: Final = r"(?<![^\W\u3400-\u9fff])"
_OTHER_EDGE: Final = r"(?![^\W\u3400-\u9fff])"


def is_general(scene: str) -> bool:
    """Whether a memory's scene means that it has none."""
    return normalise(scene) in GENERAL


def infer_scene(said: Analysis | str, known: Collection[str]) -> str | None:
    """The one scene of `known` that a turn clearly speaks of, spelled as there; None: none, or several.

    A usual scene is spoken of in the words of the table, one of the store's own by its name. Of the
    first 8,000 characters. A turn that speaks of two usual scenes speaks clearly of neither, even if
    the store knows only one of them; but what the store calls by a name of its own is clear beside a
    usual scene that the store does not have.

    Args:
        said: the turn, or its analysis.
        known: the scenes that the memories of this caller carry; general ones do not count.
    """
    usual: dict[str, list[str]] = {}
    own: dict[str, list[str]] = {}
    table = _table()
    for name in sorted(set(known)):
        folded = _spaced(normalise(name))
        if not folded or normalise(name) in GENERAL:
            continue
        if scene := table.names.get(folded):
            usual.setdefault(scene, []).append(name)
        elif folded not in _everyday() and len(folded) > 1:
            own.setdefault(folded, []).append(name)
    if not (usual or own):
        return None
    normal = (said.normal if isinstance(said, Analysis) else normalise(said[:_LONGEST]))[:_LONGEST]
    spoken = {scene for scene, _ in table.words.find(normal) if scene}
    named = _standing(own, _spaced(normal))
    if not named and len(spoken) > 1:
        return None
    meant = [name for scene in sorted(spoken) for name in usual.get(scene, ())]
    meant += [name for folded in named for name in own[folded]]
    return meant[0] if len(meant) == 1 else None


@dataclass(frozen=True, slots=True)
class _Table:
    """Attributes: names: what stores call a scene → the scene; words: scene → phrases, "": of none."""

    names: dict[str, str]
    words: Phrases


@cache
def _table() -> _Table:
    try:
        lines = read_data(_FILE).splitlines()
    except (OSError, ValueError) as error:
        raise ConfigError(_FILE, str(error), "cannot be read; reinstall memweir") from error
    names: dict[str, str] = {}
    words: dict[str, list[str]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        scene, kind, listed = line.split("\t")
        phrases = [phrase.strip() for phrase in listed.split(",")]
        if scene not in SCENES or kind not in ("names", "words", "not"):
            raise ConfigError(_FILE, number, "has no such scene or kind; reinstall memweir")
        if kind == "names":
            names |= {_spaced(phrase): scene for phrase in [scene, *phrases]}
        else:
            words.setdefault(scene if kind == "words" else "", []).extend(phrases)
    return _Table(names, Phrases.of(words))


@cache
def _everyday() -> frozenset[str]:
    """Words that a task may hold without speaking of a scene that is called so."""
    entries = read_phrases("task_words.txt")
    return word_lists().stop.union(*(entries[name] for name in sorted(entries)))


def _standing(names: Iterable[str], text: str) -> list[str]:
    """The folded names that stand in a text, but none inside a longer one; Chinese ones anywhere."""
    found = [
        name
        for name in names
        if name in text
        and (_HAN.search(name) or re.search(_EDGE + re.escape(name) + _OTHER_EDGE, text))
    ]
    return [name for name in found if not any(name != each and name in each for each in found)]


def _spaced(folded: str) -> str:
    return _SEPARATORS.sub(" ", folded).strip()
