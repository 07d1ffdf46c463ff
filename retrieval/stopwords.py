"""Which words are known beforehand? Stop words, names and endings, in both languages."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from importlib import resources
from typing import Final

__all__ = ["WordLists", "data_digest", "read_data", "word_lists"]

_FILES: Final = (
    "domain_endings.txt",
    "dotted_words.txt",
    "file_endings.txt",
    "negations.txt",
    "stopwords_en.txt",
    "stopwords_zh.txt",
    "surnames.txt",
    "whole_words.txt",
)


@dataclass(frozen=True, slots=True)
class WordLists:
    """The lists of `retrieval/data/`, folded.

    Attributes:
        stop: words of both languages that are no index terms.
        negations: words that deny: index terms, but no content.
        surnames: Chinese family names of one or two characters.
        whole_words: words never split at an inner capital.
        file_endings, domain_endings: what a file's name or an internet domain ends in.
        dotted_words: names such as "node.js" that are neither file nor domain.
    """

    stop: frozenset[str]
    negations: frozenset[str]
    surnames: frozenset[str]
    whole_words: frozenset[str]
    file_endings: frozenset[str]
    domain_endings: frozenset[str]
    dotted_words: frozenset[str]


@functools.cache
def word_lists() -> WordLists:
    """Read once per process."""
    stop = _words("stopwords_en.txt") | _words("stopwords_zh.txt")
    negations = _words("negations.txt")
    return WordLists(
        stop=stop - negations,
        negations=negations,
        surnames=_words("surnames.txt"),
        whole_words=_words("whole_words.txt"),
        file_endings=_words("file_endings.txt"),
        domain_endings=_words("domain_endings.txt"),
        dotted_words=_words("dotted_words.txt"),
    )


def read_data(name: str) -> str:
    """The text of a file in `retrieval/data/`."""
    return (resources.files("memweir.retrieval") / "data" / name).read_text(encoding="utf-8")


def data_digest() -> str:
    """Eight hex digits that change when one of the word lists changes."""
    digest = hashlib.sha256()
    for name in _FILES:
        digest.update("\0".join([name, *sorted(_words(name))]).encode())
    return digest.hexdigest()[:8]


def _words(name: str) -> frozenset[str]:
    lines = read_data(name).splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
