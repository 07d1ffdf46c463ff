"""Which index terms does one token give? Words, numbers and identifiers; not Chinese runs."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memweir.retrieval.normalise import fold
from memweir.retrieval.stemming import stem, strip_accents
from memweir.retrieval.stopwords import word_lists
from memweir.retrieval.symbols import read_identifier
from memweir.retrieval.synonyms import LONGEST_PHRASE, Synonyms

__all__ = ["LONGEST_TERM", "Entry", "Piece", "PieceReader", "bounded_term"]

LONGEST_TERM: Final = 64  # characters
_CACHED: Final = 32_768  # tokens
_LONGEST_CACHED: Final = 64  # characters

_ENDINGS: Final = frozenset(["s", "re", "ve", "ll", "d", "m", ""])
_NOT: Final = re.compile(
    "(?:do|does|did|is|are|was|were|ca|could|wo|would|should|has|have|had|ai)nt|cannot"
)
_INITIALS: Final = re.compile(r"[a-z](?:\.[a-z])+")
_URL_TAIL: Final = ".,;:!?'()[]*&"

Entry = tuple[tuple[str, ...], str]


@dataclass(frozen=True, slots=True)
class Piece:
    """What one token contributes. Shared between texts.

    Attributes:
        terms, content, words, symbols: as in `Analysis`, synonym tokens of single words left out.
        token: the synonym token of a member that is this one word, or "".
        keys: the words of synonym members this token is a form of.
        entries: members of several words that begin with it: (the words after it, token), longest
            first.
        number: its value as written where the token is nothing but ASCII digits, or "".
    """

    terms: tuple[str, ...] = ()
    content: tuple[str, ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    symbols: tuple[str, ...] = ()
    token: str = ""
    keys: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    number: str = ""

    def longest_member(self, following: Sequence[Piece]) -> tuple[str, int]:
        """The synonym token of the longest member that begins here, "" if none, and its words."""
        for rest, token in self.entries:
            if len(rest) <= len(following) and all(
                word in piece.keys for word, piece in zip(rest, following, strict=False)
            ):
                return token, 1 + len(rest)
        return self.token, 1


_NOTHING: Final = Piece()


def bounded_term(term: str) -> str:
    """The term, or a digest in its place where it is longer than `LONGEST_TERM`."""
    if len(term) <= LONGEST_TERM:
        return term
    return f"sha256:{hashlib.sha256(term.encode()).hexdigest()[:32]}"


class PieceReader:
    """Reads tokens, remembering the last 32,768 different ones. Safe to share between threads."""

    __slots__ = ("_remembered", "_synonyms")

    def __init__(self, synonyms: Synonyms) -> None:
        self._synonyms = synonyms
        self._remembered = functools.lru_cache(maxsize=_CACHED)(self._read)

    def read(self, token: str) -> Piece:
        """A token of `tokenise.TOKEN`, case kept."""
        return self._remembered(token) if len(token) <= _LONGEST_CACHED else self._read(token)

    def _read(self, token: str) -> Piece:
        if token.isascii() and token.isdigit():
            return self._number(token)
        folded = fold(token).replace("’", "'")
        if folded.endswith("'s") and folded[:-2] not in word_lists().stop:
            token, folded = token[:-2], folded[:-2]
        head, _, ending = token.replace("’", "'").partition("'")
        even = head[1:].lower() == head[1:] or head.isupper()
        if (even or folded in word_lists().whole_words) and (head + ending).isalpha():
            return self._word(folded)
        return self._identifier(token, folded)

    def _number(self, token: str) -> Piece:
        term = (bounded_term(token),)
        several = len(token) > 1
        return Piece(
            terms=term,
            content=term,
            words=((term[0], term[0]),) if several else (),
            symbols=term if several else (),
            number=token,
        )

    def _word(self, folded: str) -> Piece:
        """A word with or without one apostrophe: Nate's, don't, O'Brien."""
        lists = word_lists()
        base, apostrophe, ending = folded.partition("'")
        if apostrophe and base.endswith("n") and ending == "t":
            return self._piece(folded, terms=("not",), content=(), words=())
        if apostrophe and ending not in _ENDINGS:
            joined, short = strip_accents(base + ending), strip_accents(ending)
            both = tuple(bounded_term(stem(part)) for part in (joined, short) if len(part) > 1)
            return self._piece(folded, terms=both, content=both, words=((joined, stem(joined)),))
        if base in lists.negations:
            denial = "not" if _NOT.fullmatch(base) else base
            return self._piece(folded, terms=(denial,), content=(), words=())
        if base in lists.stop or folded in lists.stop:
            return self._piece(folded, terms=(), content=(), words=())
        plain = strip_accents(base)
        terms = (bounded_term(stem(plain)),)
        return self._piece(folded, terms=terms, content=terms, words=((plain, stem(plain)),))

    def _identifier(self, token: str, folded: str) -> Piece:
        if not any(map(str.isalnum, token)):
            return _NOTHING
        lists = word_lists()
        if "://" in token:
            token = token.rstrip(_URL_TAIL)
            folded = folded.rstrip(_URL_TAIL)
        if folded in lists.stop:  # e.g
            return _NOTHING
        if _INITIALS.fullmatch(folded):  # U.S.A
            term = (folded, folded.replace(".", ""))
            return Piece(terms=term, content=term, words=((term[1], term[1]),))
        if folded.endswith(("++", "#")):  # C++, C#: "c" would be another language
            return Piece(terms=(folded,), content=(folded,), words=((folded, folded),))
        found = read_identifier(token)
        parts = [self.read(part) for part in found.words if part != token]
        if not parts and found.words:  # one word after all, of mixed case or with a leading dot
            parts = [self._word(fold(found.words[0]))]
        return self._merge(found.nodes, parts, found.symbols, opaque=found.opaque)

    def _merge(
        self, nodes: Sequence[str], parts: Sequence[Piece], symbols: Sequence[str], *, opaque: bool
    ) -> Piece:
        symbols = tuple(bounded_term(symbol) for symbol in symbols)
        if not (opaque or symbols or any(part.content for part in parts)):  # "and/or"
            nodes = ()
        terms: dict[str, None] = dict.fromkeys(bounded_term(node) for node in nodes)
        content = dict(terms)
        words: dict[tuple[str, str], None] = {}
        if opaque and nodes and len(nodes[0]) <= LONGEST_TERM:
            words[nodes[0], nodes[0]] = None
        covered = 0
        for at, part in enumerate(parts):
            terms.update(dict.fromkeys(part.terms))
            content.update(dict.fromkeys(part.content))
            words.update(dict.fromkeys(part.words))
            if at < covered:
                continue
            token, length = part.longest_member(parts[at + 1 : at + LONGEST_PHRASE])
            if token:
                terms[token] = content[token] = None
                covered = at + length
        for rest, token in self._synonyms.phrases(nodes[0]) if opaque and nodes else ():  # k8s
            if not rest:
                terms[token] = content[token] = None
        for symbol in symbols:
            terms[symbol] = content[symbol] = None
        return Piece(tuple(terms), tuple(content), tuple(words), symbols)

    def _piece(
        self,
        folded: str,
        *,
        terms: tuple[str, ...],
        content: tuple[str, ...],
        words: tuple[tuple[str, str], ...],
    ) -> Piece:
        """A word's piece, with the synonym groups it stands in as it is: "i'd like" is not "i like"."""
        keys = self._synonyms.members_like(folded)
        phrases = [entry for key in keys for entry in self._synonyms.phrases(key)]
        single = sorted(token for rest, token in phrases if not rest)
        longer = sorted(
            (entry for entry in phrases if entry[0]), key=lambda entry: (-len(entry[0]), entry)
        )
        return Piece(
            terms=terms,
            content=content,
            words=words,
            token=single[0] if single else "",
            keys=keys,
            entries=tuple(longer),
        )
