"""Who and what is named in a statement, and how is it related? Entities and triples for the graph."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from memweir.learning.english.clauses import is_name
from memweir.learning.english.lexicon import entries, words
from memweir.learning.english.pieces import Unit
from memweir.learning.english.rewrite import Voice, owner
from memweir.learning.english.tokens import CODE, MARK, NUMBER, QUOTED, WORD, Token
from memweir.learning.english.verb_groups import skip_adverbs
from memweir.store.records import Relation

__all__ = ["entities_of", "noun_phrase", "relations_of", "words_of_tools"]

_MOST: Final = 8  # entities of a statement
_LONGEST: Final = 5  # words of a noun phrase

# (lemma, preposition after it) → what the relation is called; "" is the object itself.
_PREDICATES: Final = {
    ("work", "at"): "works at",
    ("work", "for"): "works for",
    ("work", "as"): "works as",
    ("live", "in"): "lives in",
    ("move", "to"): "moved to",
    ("study", "at"): "studies at",
    ("study", ""): "studies",
    ("use", ""): "uses",
    ("prefer", ""): "prefers",
    ("love", ""): "loves",
    ("like", ""): "likes",
    ("enjoy", ""): "enjoys",
    ("hate", ""): "hates",
    ("own", ""): "owns",
    ("have", ""): "has",
    ("adopt", ""): "adopted",
    ("visit", ""): "visited",
    ("join", ""): "joined",
    ("marry", ""): "married",
    ("buy", ""): "bought",
    ("play", ""): "plays",
    ("speak", ""): "speaks",
    ("switch", "to"): "switched to",
    ("go", "to"): "went to",
    ("fly", "to"): "flies to",
    ("drive", ""): "drives",
    ("teach", ""): "teaches",
    ("run", "on"): "runs on",
    ("depend", "on"): "depends on",
}
_BE: Final = {"from": "is from", "in": "is in", "at": "is at"}


@cache
def words_of_tools() -> frozenset[str]:
    """The names of tools that are known, of one word or several."""
    return frozenset(name for names in entries("tool").values() for name in names)


def noun_phrase(
    tokens: Sequence[Token], start: int, end: int, dated: frozenset[int] = frozenset()
) -> tuple[int, int]:
    """The noun phrase that begins at a place, without its determiner; empty where none does.

    Args:
        dated: places of dates, which belong to no noun phrase.
    """
    at = start
    while at < end and (
        (tokens[at].low in words("determiner") and tokens[at].low != "one")
        or tokens[at].low in ("my", "our")
        or tokens[at].low in words("adverb")
    ):
        at += 1
    first = at
    while at < end and at - first < _LONGEST:
        token = tokens[at]
        if at in dated or token.low in ("named", "called"):
            break
        if token.kind in (CODE, NUMBER, QUOTED):
            at += 1
            continue
        low = token.low
        if (
            token.kind != WORD
            or low in words("preposition")
            or low in words("subordinator")
            or low in words("coordinator")
        ):
            break
        if (
            low in words("subject")
            or low in words("first")
            or low in words("third")
            or low in words("relative")
        ):
            break
        if at > first and (
            low in words("be")
            or low in words("modal")
            or low in words("adverb")
            or low in words("determiner")
        ):
            break
        at += 1
    return first, at


def entities_of(
    tokens: Sequence[Token], unit: Unit, voice: Voice, dated: frozenset[int] = frozenset()
) -> tuple[str, ...]:
    """Names of who and what a unit is about, in text order: proper names, tools, quoted titles,
    relatives."""
    found: dict[str, None] = {}
    for piece in unit.pieces:
        at = piece.start
        while at < piece.end:
            at = at + 1 if at in dated else _entity(tokens, at, piece.end, voice, found)
    return tuple(found)[:_MOST]


def _entity(tokens: Sequence[Token], at: int, end: int, voice: Voice, found: dict[str, None]) -> int:
    """Take down the entity that begins at a place, if one does; the place after it."""
    token = tokens[at]
    if token.low in ("my", "our"):
        for length in (2, 1):
            last = at + length
            if last < end and _bare(tokens[last].low) in _relatives():
                between = [tokens[place].text for place in range(at + 1, last)]
                if all(word.isalpha() and word.lower() != "favorite" for word in between):
                    name = " ".join([*between, _bare_text(tokens[last].text)])
                    found.setdefault(f"{owner(voice.inner)} {name}")
                    return last + 1
        return at + 1
    if token.kind == QUOTED:
        inner = token.text[1:-1].strip()
        if inner and len(inner.split()) <= 7:
            found.setdefault(inner)
        return at + 1
    if token.kind == CODE or (token.kind == WORD and (_bare(token.low) in words_of_tools())):
        found.setdefault(_bare_text(token.text))
        return at + 1
    if token.kind == WORD and is_name(tokens, at):
        last = at
        while (
            last + 1 < end
            and not tokens[last].low.endswith("'s")
            and (
                is_name(tokens, last + 1)
                or (
                    tokens[last + 1].kind == NUMBER
                    and len(tokens[last + 1].text) < 4
                    and tokens[last + 1].text.isdigit()
                )
                or (
                    tokens[last + 1].low in ("of", "de", "the", "von", "van")
                    and last + 2 < end
                    and is_name(tokens, last + 2)
                    and tokens[last + 1].low != "the"
                )
            )
        ):
            last += 1
        found.setdefault(_bare_text(" ".join(each.text for each in tokens[at : last + 1])))
        return last + 1
    return at + 1


def relations_of(
    tokens: Sequence[Token], unit: Unit, voice: Voice, dated: frozenset[int] = frozenset()
) -> tuple[Relation, ...]:
    """The triple of a plain statement: the user, works at, Acme. None of what is denied or only
    thought."""
    clause = unit.clause
    if clause.negated or clause.never or clause.tense in ("used", "future") or clause.modal:
        return ()
    source = _source(tokens, unit, voice)
    if not source:
        return ()
    at = skip_adverbs(tokens, clause.rest, clause.end)
    if at >= clause.end:
        return ()
    low = tokens[at].low
    predicate = ""
    start = at
    if clause.lemma == "be" and not clause.progressive:
        if clause.subject[1] - clause.subject[0] > 1 and tokens[clause.subject[1] - 1].low == "name":
            predicate = "is called"
        elif low in _BE:
            predicate, start = _BE[low], at + 1
        elif low == "based" and at + 1 < clause.end and tokens[at + 1].low in ("in", "at"):
            predicate, start = "lives in", at + 2
        elif (
            low in words("identity")
            and at + 1 < clause.end
            and tokens[at + 1].low in words("preposition")
        ):
            predicate, start = f"is {low} {tokens[at + 1].low}", at + 2
        elif low in words("determiner") or low in words("identity"):
            predicate = "is"
    elif low in words("preposition"):
        predicate, start = _PREDICATES.get((clause.lemma, low), ""), at + 1
    else:
        predicate = _PREDICATES.get((clause.lemma, ""), "")
    if not predicate:
        return ()
    first, last = noun_phrase(tokens, start, clause.end, dated)
    if clause.lemma == "be" and predicate == "is":
        first = skip_adverbs(tokens, start, clause.end)
    parts = [token.text for token in tokens[first:last]]
    if parts and tokens[first].low in ("my", "our"):
        parts[0] = owner(voice.inner)
    target = " ".join(parts).strip()
    if not target or not any(character.isalnum() for character in target) or len(target) > 60:
        return ()
    return (Relation(source, predicate, target),)


def _source(tokens: Sequence[Token], unit: Unit, voice: Voice) -> str:
    clause = unit.clause
    if clause.person in ("i", "none") and clause.subject[1] - clause.subject[0] <= 1:
        return voice.inner
    if clause.person == "we":
        return voice.inner_group
    start, end = clause.subject
    if end - start > 5 or any(tokens[at].kind == MARK for at in range(start, end)):
        return ""
    if clause.person in ("my", "our"):
        rest = [_bare_text(token.text) for token in tokens[start + 1 : end] if token.low != "name"]
        if (
            not rest
            or tokens[start].low not in ("my", "our")
            or any(token.low.endswith("'s") for token in tokens[start : end - 2])
        ):
            return ""
        return f"{owner(voice.inner)} {' '.join(rest)}"
    if clause.person == "name":
        return " ".join(token.text for token in tokens[start:end])
    return ""


@cache
def _relatives() -> frozenset[str]:
    return words("kin-female") | words("kin-male") | words("kin") | words("pet")


def _bare(low: str) -> str:
    return low[:-2] if low.endswith("'s") else low


def _bare_text(text: str) -> str:
    return text[:-2] if text.endswith(("'s", "’s")) else text
