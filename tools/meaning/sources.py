"""Which words and which texts is the table learned from? Freely licensed packages, and texts made here.

Every choice is by frequency, by part of speech or by a seeded draw; no evaluation set is read.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = [
    "Places",
    "chinese_clauses",
    "chinese_phrases",
    "chinese_sentences",
    "chinese_words",
    "english_phrases",
    "english_sentences",
    "english_turns",
    "english_words",
    "word_groups",
]

_SEED: Final = 20_260_115
_WORD: Final = re.compile(r"[a-z]{2,24}")
_SLOT: Final = re.compile(r"\{(\w+)\}")
_HAN: Final = re.compile(r"[\u4e00-\u9fff]+")
_CLAUSE: Final = re.compile(r"[。！？!?…；;\n]+")
_LEXICOGRAPHER: Final = {
    4: "act",
    5: "animal",
    6: "thing",
    7: "attribute",
    8: "body",
    9: "thought",
    10: "message",
    11: "event",
    12: "feeling",
    13: "food",
    14: "group",
    15: "place",
    18: "person",
    20: "plant",
    21: "possession",
    26: "state",
    27: "substance",
    28: "time",
}


@dataclass(frozen=True, slots=True)
class Places:
    """Where the sources lie.

    Attributes:
        vocabulary: `vocab.txt` of the English teacher.
        wordnet: the folder with `data.noun`, `index.sense` and the rest.
        jieba: the package's folder, with `dict.txt`.
        chatterbot: the folder with `english/` and `chinese/`.
        reviews: the folder with `pos.txt` and `neg.txt`.
        fortunes: the folder of fortune files.
        templates: the folder with `templates_en.txt` and `templates_zh.txt`.
    """

    vocabulary: Path
    wordnet: Path
    jieba: Path
    chatterbot: Path
    reviews: Path
    fortunes: Path
    templates: Path


@dataclass(frozen=True, slots=True)
class _Synset:
    kind: str
    lemmas: tuple[str, ...]
    gloss: str


def english_words(places: Places) -> list[str]:
    """Whole words of the teacher's vocabulary, frequent first, then the words of WordNet that its
    tagged texts hold, most often first."""
    words = dict.fromkeys(
        word
        for word in places.vocabulary.read_text("utf-8").splitlines()
        if _WORD.fullmatch(word) and not word.startswith("##")
    )
    tagged = _tag_counts(places)
    for word in sorted(tagged, key=lambda each: (-tagged[each], each)):
        if tagged[word] and _WORD.fullmatch(word):
            words[word] = None
    return list(words)


def chinese_words(places: Places, *, words: int, characters: int) -> list[str]:
    """The most frequent words of two to four characters and single characters of the dictionary."""
    longer: list[tuple[int, str]] = []
    single: list[tuple[int, str]] = []
    for word, count, tag in _jieba(places):
        if len(word) == 1:
            single.append((-count, word))
        elif len(word) <= 4 and tag not in ("m", "eng"):
            longer.append((-count, word))
    longer.sort()
    single.sort()
    return [word for _, word in longer[:words]] + [word for _, word in single[:characters]]


def english_sentences(places: Places) -> list[str]:
    """WordNet's glosses, each with one of its words before it, and examples; fortunes; dialogues."""
    known = set(english_words(places))
    texts: list[str] = []
    draw = random.Random(_SEED)
    for synset in _synsets(places):
        definition, _, rest = synset.gloss.partition('; "')
        single = [lemma for lemma in synset.lemmas if lemma in known]
        if single:
            texts.append(f"{draw.choice(single)}: {definition.strip()}")
        texts += [
            example.strip(' "') for example in rest.split('; "') if 10 < len(example.strip(' "')) < 160
        ]
    texts += _fortunes(places)
    texts += _dialogues(places.chatterbot / "english")
    return _unique(texts)


def chinese_sentences(places: Places) -> list[str]:
    """Dialogues, and of each review the clauses of 6 to 40 characters among the first four."""
    return _unique([*_dialogues(places.chatterbot / "chinese"), *_clauses(places, 0, 4)])


def chinese_clauses(places: Places) -> list[str]:
    """Of the reviews' sentences of more than 40 characters the stretches of 8 to 40 between commas."""
    stretches: list[str] = []
    for name in ("pos.txt", "neg.txt"):
        for line in (places.reviews / name).read_text("utf-8", errors="ignore").splitlines():
            for sentence in _CLAUSE.split(line):
                parts = re.split("[，,、 ]+", sentence) if len(sentence) > 40 else []
                held = ""
                for part in [*parts, "。" * 41]:
                    if len(held) + len(part) >= 40:
                        if 8 <= len(held) <= 40 and _HAN.search(held):
                            stretches.append(held)
                        held = ""
                    held = f"{held}，{part}" if held else part
    return _unique(stretches)


def _clauses(places: Places, first: int, end: int) -> Iterator[str]:
    for name in ("pos.txt", "neg.txt"):
        for line in (places.reviews / name).read_text("utf-8", errors="ignore").splitlines():
            for part in _CLAUSE.split(line)[first:end]:
                clause = part.strip(" ，,")
                if 6 <= len(clause) <= 40 and _HAN.search(clause):
                    yield clause


def english_phrases(places: Places, *, count: int) -> list[str]:
    """Texts made here: templates with words of a kind, and bare runs of two to five words."""
    groups = word_groups(places)
    return _compose(places.templates / "templates_en.txt", groups, count, " ")


def english_turns(places: Places, *, count: int) -> list[str]:
    """Two or three sentences from templates that share their words where their kinds allow it."""
    groups = word_groups(places)
    templates = _templates(places.templates / "templates_en.txt")
    draw = random.Random(_SEED + 1)
    texts: list[str] = []
    for _ in range(count):
        said = {kind: draw.choice(words) for kind, words in groups.items()}
        some = draw.sample(templates, draw.randint(2, 3))
        texts.append(". ".join(each.format_map(said) for each in some))
    return _unique(texts)


def chinese_phrases(places: Places, *, count: int) -> list[str]:
    """The same in Chinese, with the dictionary's parts of speech for kinds."""
    groups: dict[str, list[str]] = {}
    ranked = sorted(_jieba(places), key=lambda entry: (-entry[1], entry[0]))
    for word, _, tag in ranked[:15_000]:
        if 2 <= len(word) <= 4 and tag in ("n", "v", "a", "vn", "ns"):
            groups.setdefault(tag, []).append(word)
    return _compose(places.templates / "templates_zh.txt", groups, count, "")


def word_groups(places: Places) -> dict[str, list[str]]:
    """Kind → words and short phrases of that kind in common use, sorted."""
    common = set(places.vocabulary.read_text("utf-8").splitlines())
    tagged = _tag_counts(places)
    groups: dict[str, set[str]] = {}
    for synset in _synsets(places):
        for lemma in synset.lemmas:
            parts = lemma.split("_")
            usual = tagged.get(lemma, 0) > 0
            if usual and all(part in common for part in parts):
                groups.setdefault(synset.kind, set()).add(" ".join(parts))
    return {kind: sorted(words) for kind, words in sorted(groups.items())}


def _compose(path: Path, groups: dict[str, list[str]], count: int, joint: str) -> list[str]:
    templates = _templates(path)
    draw = random.Random(_SEED)
    kinds = sorted(groups)
    texts: list[str] = []
    for number in range(count):
        if number % 4 == 3:
            some = [draw.choice(groups[draw.choice(kinds)]) for _ in range(draw.randint(2, 5))]
            texts.append((joint or "，").join(some))
            continue
        template = draw.choice(templates)
        texts.append(_SLOT.sub(lambda slot: draw.choice(groups[slot.group(1)]), template))
    return _unique(texts)


def _templates(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]


def _synsets(places: Places) -> Iterator[_Synset]:
    for part in ("noun", "verb", "adj", "adv"):
        for line in (places.wordnet / f"data.{part}").read_text("latin-1").splitlines():
            if line.startswith("  "):
                continue
            data, _, gloss = line.partition(" | ")
            fields = data.split()
            lemmas = tuple(
                re.sub(r"\(\w+\)$", "", word).lower()
                for word in fields[4 : 4 + 2 * int(fields[3], 16) : 2]
            )
            kind = _LEXICOGRAPHER.get(int(fields[1]), "other") if part == "noun" else part
            yield _Synset(kind, lemmas, gloss.strip())


def _tag_counts(places: Places) -> dict[str, int]:
    counts: dict[str, int] = {}
    for line in (places.wordnet / "index.sense").read_text("latin-1").splitlines():
        key, _, _, count = line.split(" ")
        lemma = key.partition("%")[0]
        counts[lemma] = counts.get(lemma, 0) + int(count)
    return counts


def _jieba(places: Places) -> Iterator[tuple[str, int, str]]:
    for line in (places.jieba / "dict.txt").read_text("utf-8").splitlines():
        word, count, tag = line.split(" ")
        if _HAN.fullmatch(word):
            yield word, int(count), tag


def _fortunes(places: Places) -> Iterator[str]:
    for path in sorted(places.fortunes.iterdir()):
        if path.suffix or path.name in ("ascii-art", "translate-me"):
            continue
        for fortune in path.read_text("utf-8", errors="ignore").split("\n%\n"):
            text = re.sub(r"\s+", " ", re.sub(r"\s+--\s.*", "", fortune, flags=re.DOTALL)).strip()
            for sentence in re.split(r"(?<=[.!?]) (?=[A-Z\"])", text)[:6]:
                if 20 < len(sentence) < 220:
                    yield sentence


def _dialogues(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*.yml")):
        for line in path.read_text("utf-8").splitlines():
            said = re.match(r"\s*(?:- )?- (.+)", line)
            if said and len(said.group(1)) < 200:
                yield said.group(1).strip(" '\"")


def _unique(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(text for text in texts if text))
