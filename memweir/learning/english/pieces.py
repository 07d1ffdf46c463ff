"""Which pieces of a sentence belong together? Cut at marks and clauses.

A unit is what one statement can be made of: a clause with its own subject, and what hangs on it (a
subordinate clause, a list, a place).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from memweir.learning.english.chatter import is_empty, opening, without_tail
from memweir.learning.english.clauses import is_name, read_clause, read_elided
from memweir.learning.english.lexicon import BASE, ING, PARTICIPLE, PAST, THIRD, verb, words
from memweir.learning.english.tokens import MARK, OTHER, WORD, Token, longest_at
from memweir.learning.english.verb_groups import Clause

__all__ = [
    "Piece",
    "Unit",
    "cut",
    "reasons",
    "units",
    "without_partner",
]

_HARD: Final = frozenset((*".!?;…:()—–-", "..", "...", "....", "--"))
_CONJUNCTIONS: Final = frozenset(("and", "but", "so", "or", "yet", "plus", "then"))
_MEALS: Final = frozenset(("lunch", "dinner", "breakfast", "coffee", "tea", "fun", "trouble", "issues"))
_OWN: Final = frozenset(("i", "we", "my", "our", "name", "the", "noun"))
_POINTS_BACK: Final = frozenset(("it", "they", "he", "she", "this", "his", "who"))


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of tokens between two cuts.

    Attributes:
        joint: the mark or conjunction before it, "" at the beginning.
        start, end: places of tokens, without openers and closers.
        clause: what it says, where it has a subject or, as the first, left it out.
        kind: "clause", "sub" (because, when), "relative", "verbal" (a verb without its subject),
            "other".
    """

    joint: str
    start: int
    end: int
    clause: Clause | None
    kind: str


@dataclass(frozen=True, slots=True)
class Unit:
    """What one statement is made of: a clause and the pieces that hang on it, in order."""

    clause: Clause
    pieces: tuple[Piece, ...]


def cut(tokens: Sequence[Token], kept: frozenset[int] = frozenset()) -> tuple[Piece, ...]:
    """The pieces of a sentence, in order; what says nothing at their ends is left out, and empty
    ones."""
    spans: list[tuple[str, int, int]] = []
    joint, start = "", 0
    for at, token in enumerate(tokens):
        if token.kind == MARK and at not in kept and (token.low == "," or _is_hard(tokens, at)):
            if at > start:
                spans.append((joint, start, at))
            joint, start = _stronger(joint, token.low) if at == start and spans else token.low, at + 1
    if start < len(tokens):
        spans.append((joint, start, len(tokens)))
    pieces: list[Piece] = []
    for joint, start, end in spans:
        for inner_joint, inner_start, inner_end in _at_conjunctions(tokens, joint, start, end, kept):
            piece = _piece(tokens, inner_joint, inner_start, inner_end, kept, first=not pieces)
            if piece is not None:
                pieces.append(piece)
    return _with_apposition(tokens, pieces)


def units(
    tokens: Sequence[Token], pieces: Sequence[Piece], kept: frozenset[int] = frozenset()
) -> tuple[Unit, ...]:
    """The units of a sentence. A clause whose subject is taken from the one before ("it", "she") stays
    with that one.

    Args:
        kept: places of dates, which say something wherever they stand.
    """
    found: list[tuple[Clause, list[Piece]]] = []
    waiting: list[Piece] = []
    for number, piece in enumerate(pieces):
        clause = piece.clause
        if piece.kind == "clause" and clause is not None:
            if found and clause.person in _POINTS_BACK and piece.joint not in (".", "!", "?"):
                if clause.lemma in words("reporting"):
                    continue
                if not is_empty(tokens, clause.rest, piece.end) and not _praises(tokens, clause):
                    found[-1][1].append(piece)
                continue
            if found and not waiting and _points_at(tokens, clause):
                found[-1][1].append(piece)
                continue
            if len(found) == 1 and not waiting and _introduces(tokens, *found[0], piece):
                found[0] = (clause, [*found[0][1], piece])
                continue
            found.append((clause, [*waiting, piece]))
            waiting = []
        elif found and (piece.joint not in (".", "!", "?", ";") or piece.kind in ("sub", "relative")):
            if _belongs(tokens, piece):
                found[-1][1].append(piece)
        elif piece.kind in ("sub", "other") and not found and number + 1 < len(pieces):
            if piece.start in kept or (
                (piece.kind == "sub" or tokens[piece.start].low in words("preposition"))
                and not _recalls_talk(tokens, piece)
            ):
                waiting.append(piece)
        elif piece.kind == "verbal":
            elided = _left_out(tokens, piece)
            if elided is not None:
                found.append((elided, [*waiting, replace(piece, clause=elided)]))
                waiting = []
    return tuple(Unit(clause, tuple(members)) for clause, members in found)


def _introduces(
    tokens: Sequence[Token], clause: Clause, pieces: Sequence[Piece], following: Piece
) -> bool:
    """ "I'm Ngozi, I teach chemistry": a name that the next clause says more of."""
    if len(pieces) != 1 or clause.lemma != "be" or clause.person != "i" or following.clause is None:
        return False
    named = clause.end - clause.rest in (1, 2) and all(
        is_name(tokens, at) for at in range(clause.rest, clause.end)
    )
    return named and following.clause.person == "i" and following.joint in (",", "and", "-", "–", "—")


def _belongs(tokens: Sequence[Token], piece: Piece) -> bool:
    """Whether a piece without a clause of its own adds something to the one before."""
    if is_empty(tokens, piece.start, piece.end) or piece.joint == "so":
        return False
    low = tokens[piece.start].low
    if low in ("what", "why", "how", "who") and piece.kind != "relative":
        return False
    if low in words("evaluative") and piece.kind == "other":
        return False
    if longest_at("request", tokens, piece.start, piece.end):
        return False
    return (
        low not in words("imperative")
        or piece.kind == "verbal"
        or not piece.joint.startswith(("-", "–", "—", ":"))
    )


def _points_at(tokens: Sequence[Token], clause: Clause) -> bool:
    """Whether the object of a clause was named in the one before: "and I saw them live"."""
    at = clause.rest
    while at < clause.end and tokens[at].low in words("preposition"):
        at += 1
    if at >= clause.end or tokens[at].low not in ("it", "them", "him", "her"):
        return False
    if (
        tokens[at].low == "her"
        and at + 1 < clause.end
        and tokens[at + 1].low not in words("preposition")
    ):
        return False
    return clause.person in ("i", "we") and not is_empty(tokens, at, clause.end)


def _praises(tokens: Sequence[Token], clause: Clause) -> bool:
    """ "It was great to see them all": what is said of the thing before is praise alone."""
    if clause.lemma not in ("be", "seem", "feel", "look", "sound", "turn", "taste", "make", "get"):
        return False
    at = clause.rest
    while at < clause.end and (
        tokens[at].low in words("adverb")
        or tokens[at].low in ("a", "an", "the", "such", "out", "like", "me", "to", "be", "feel", "of")
    ):
        at += 1
    return at < clause.end and (
        tokens[at].low in words("evaluative") or tokens[at].low in words("state")
    )


def _recalls_talk(tokens: Sequence[Token], piece: Piece) -> bool:
    """ "Since we last spoke"."""
    lows = {token.low for token in tokens[piece.start : piece.end]}
    return bool(lows & {"we", "you"}) and bool(
        lows & {"spoke", "talked", "chatted", "talk", "chat", "spoken", "met", "saw"}
    )


def _left_out(tokens: Sequence[Token], piece: Piece) -> Clause | None:
    """The clause of a piece whose subject, the speaker, was left out."""
    clause = read_elided(tokens, piece.start, piece.end)
    if clause is None:
        return None
    low = tokens[clause.finite].low
    known = verb(low)
    if clause.rest < clause.end and (
        (tokens[clause.rest].low == "by" and known is not None and known.forms & PARTICIPLE)
        or (low == "like" and tokens[clause.rest].low in ("a", "an"))
        or _has_other_verb(tokens, clause)
    ):
        return None
    moving = clause.rest < clause.end and tokens[clause.rest].low in ("to", "into", "in", "from", "out")
    if (low in words("state") and not moving) or low in words("evaluative"):
        return None
    if clause.rest < clause.end and tokens[clause.rest].low in (
        "me",
        "us",
    ):  # "reminded me of home": not I
        return None
    if low == "been":
        following = clause.rest < clause.end and tokens[clause.rest].low == "to"
        return clause if clause.progressive or following else None
    if known is not None and not known.forms & (PAST | ING) and low not in words("stative"):
        return None
    if low == "having" and any(
        tokens[at].low in _MEALS for at in range(clause.rest, min(clause.rest + 3, clause.end))
    ):
        return None
    coming = low == "going" and clause.rest < clause.end and tokens[clause.rest].low == "to"
    if coming and clause.rest + 1 < clause.end:
        aim = verb(tokens[clause.rest + 1].low)
        if aim is not None and aim.lemma in words("promise"):
            return None
    if clause.progressive and tokens[clause.finite].low != "being":
        if (
            clause.lemma == "have"
            and tokens[clause.rest : clause.end][:1]
            and any(
                tokens[at].low in _MEALS for at in range(clause.rest, min(clause.rest + 3, clause.end))
            )
        ):
            return None
        lasting = clause.lemma in words("lasting-progress") or clause.lemma in words("plan")
        several = any(
            tokens[at].low in ("and", "or")
            and (other := verb(tokens[at + 1].low)) is not None
            and other.forms & ING
            for at in range(clause.rest, clause.end - 1)
        )
        return clause if lasting and not several and clause.rest < clause.end else None
    return clause


def _has_other_verb(tokens: Sequence[Token], clause: Clause) -> bool:
    """ "Working on this takes me out of my head": the stretch is the subject of a verb in it."""
    return clause.progressive and any(
        (known := verb(tokens[at].low)) is not None
        and known.forms == THIRD
        and tokens[at + 1].low in ("me", "us", "my")
        for at in range(clause.rest, clause.end - 1)
    )


def without_partner(tokens: Sequence[Token], unit: Unit) -> Unit:
    """The unit without a closing phrase about the partner: "for you", "while you were away"."""
    pieces: list[Piece] = []
    clause = unit.clause
    for piece in unit.pieces:
        places = [at for at in range(piece.start, piece.end) if tokens[at].low in words("second")]
        if not places:
            pieces.append(piece)
            continue
        if piece.clause is not clause:
            if piece.kind in ("sub", "relative", "other"):
                continue
            pieces.append(piece)
            continue
        begin = places[0]
        while begin > clause.rest and not (
            tokens[begin].low in words("subordinator") or tokens[begin].low in words("preposition")
        ):
            begin -= 1
        if begin > clause.rest and not is_empty(tokens, clause.rest, begin) and places[0] - begin <= 2:
            clause = replace(clause, end=begin)
            pieces.append(replace(piece, end=begin, clause=clause))
        else:
            pieces.append(piece)
    return Unit(clause, tuple(pieces)) if pieces else unit


def reasons(tokens: Sequence[Token], unit: Unit) -> tuple[Unit, ...]:
    """What is stated behind "because", "as" and "since" by somebody of whom memories are kept."""
    found: list[Unit] = []
    if unit.clause.modal:
        return ()
    for piece in unit.pieces:
        for at in range(piece.start, piece.end - 2):
            if tokens[at].low not in ("because", "as", "since") or (
                at > 0 and tokens[at - 1].low in ("as", "such", "ever")
            ):
                continue
            clause = read_clause(tokens, at + 1, piece.end)
            if (
                clause is not None
                and clause.person in ("i", "we", "my", "our")
                and clause.lemma not in ("talk", "speak", "chat")
            ):
                found.append(Unit(clause, (Piece("because", at + 1, piece.end, clause, "clause"),)))
                break
    return tuple(found)


# --- cutting ------------------------------------------------------------------------------------------


def _is_hard(tokens: Sequence[Token], at: int) -> bool:
    low = tokens[at].low
    if low == ".":  # "e.g." and initials are no ends
        if (
            at > 0
            and tokens[at - 1].low
            in ("st", "dr", "mr", "mrs", "ms", "prof", "vs", "approx", "jr", "sr", "mt")
            and not tokens[at].gap
        ):
            return at + 1 >= len(tokens)
        return at + 1 >= len(tokens) or tokens[at + 1].gap or tokens[at + 1].kind in (MARK, OTHER)
    if low == ":":  # in a title: "Street Life: Part Two"
        inner = 0 < at < len(tokens) - 1
        return not (
            inner
            and is_name(tokens, at - 1)
            and tokens[at + 1].text[:1].isupper()
            and tokens[at + 1].low not in words("subject")
        )
    return low in _HARD


def _stronger(one: str, other: str) -> str:
    """Of two marks side by side the one that cuts deeper."""
    order = ".!?;…:-–—(),"
    return one if one and (order + one).index(one[0]) <= (order + other).index(other[0]) else other


def _at_conjunctions(
    tokens: Sequence[Token], joint: str, start: int, end: int, kept: frozenset[int]
) -> list[tuple[str, int, int]]:
    """A stretch cut before each "and", "but", "so" that begins a clause of its own."""
    found: list[tuple[str, int, int]] = []
    begun = start
    if start < end and tokens[start].low in _CONJUNCTIONS:
        if joint in ("", ",", "-"):
            joint = tokens[start].low if joint != "" else joint
        begun = start + 1
    at = begun + 1
    while at < end - 1:
        low = tokens[at].low
        if tokens[at].kind == WORD and low in _CONJUNCTIONS and at not in kept:
            after = at + 1
            while (
                after < end
                and tokens[after].low in ("then", "now", "also", "so", "yes", "no")
                and after + 1 < end
            ):
                after += 1
            clause = read_clause(tokens, after, end)
            if clause is not None and _is_own(tokens, clause, low, begun, at):
                found.append((joint, begun, at))
                joint, begun = low, after
                at = after
        at += 1
    found.append((joint, begun, end))
    return found


def _is_own(tokens: Sequence[Token], clause: Clause, conjunction: str, start: int, at: int) -> bool:
    """Whether a clause after a conjunction stands on its own, after one that does too."""
    if conjunction == "so" and clause.modal in ("can", "could", "will", "would"):
        return False
    if clause.person == "gerund":
        return False
    if conjunction in ("and", "or") and clause.person in ("the", "noun", "name", "his"):
        if clause.finite - clause.subject[0] > 6:
            return False
        known = verb(tokens[clause.finite].low)
        if clause.rest >= clause.end and not (
            known is not None and known.forms & PAST and not known.forms & BASE
        ):
            return False
        before = read_clause(tokens, start, at)
        return before is not None and before.rest < at
    if clause.person == "i" and clause.subject[1] - clause.subject[0] > 1:
        return False
    return read_clause(tokens, start, at) is not None or start == at or conjunction in ("but", "so")


def _piece(
    tokens: Sequence[Token], joint: str, start: int, end: int, kept: frozenset[int], *, first: bool
) -> Piece | None:
    begin = opening(tokens, start, end, kept)
    stop = without_tail(tokens, begin, end, kept)
    if begin >= stop:
        return None
    low = tokens[begin].low
    if tokens[begin].kind == WORD:
        following = verb(tokens[begin + 1].low) if begin + 1 < stop else None
        if (
            low in ("after", "before", "since", "while")
            and following is not None
            and following.forms & ING
        ):
            clause = _after_setting(tokens, begin, stop, kept)
            if clause is not None:
                return Piece(joint, begin, stop, clause, "clause")
        if low in ("after", "before", "during", "until") and (
            begin + 1 < stop and tokens[begin + 1].low in words("determiner")
        ):
            clause = _after_setting(tokens, begin, stop, kept)
            if clause is not None and read_clause(tokens, begin + 1, clause.subject[0]) is None:
                return Piece(joint, begin, stop, clause, "clause")
        clause = _behind_sub(tokens, begin, stop) if low in words("subordinator") else None
        if clause is not None:
            return Piece(joint, begin, stop, clause, "clause")
        if low in words("subordinator") and low not in ("as",) and stop - begin > 1:
            return Piece(joint, begin, stop, None, "sub")
        if low in ("which", "who", "whose", "whom", "where", "with") and joint in (
            ",",
            "-",
            "–",
            "—",
            "(",
        ):
            return Piece(joint, begin, stop, None, "relative" if low != "with" else "other")
    clause = read_clause(tokens, begin, stop)
    if clause is not None:
        return Piece(joint, begin, stop, clause, "clause")
    clause = _after_setting(tokens, begin, stop, kept)
    if clause is not None:
        return Piece(joint, begin, stop, clause, "clause")
    known = verb(low)
    at = begin
    while (
        known is None
        and at + 1 < stop
        and (tokens[at].low in words("adverb") or at in kept)
        and tokens[at].low not in ("no", "not")
    ):
        at += 1
        known = verb(tokens[at].low)
    if known is not None and tokens[at].kind == WORD:
        if known.forms & (PAST | ING | THIRD) or known.forms == PARTICIPLE or low in words("stative"):
            return Piece(joint, begin, stop, None, "verbal")
        if known.forms & BASE and not first and joint in ("and", "but", "or"):
            return Piece(joint, begin, stop, None, "verbal")
    return Piece(joint, begin, stop, None, "other")


def _behind_sub(tokens: Sequence[Token], begin: int, stop: int) -> Clause | None:
    """The main clause behind a subordinate one without a comma: "since I'm vegan I cook with tofu"."""
    for at in range(begin + 4, stop - 2):
        if (
            tokens[at].low not in ("i", "we")
            or tokens[at - 1].kind == MARK
            or tokens[at - 1].low in ("and", "or", "but", "that")
        ):
            continue
        before = read_clause(tokens, begin + 1, at)
        clause = read_clause(tokens, at, stop)
        if before is not None and before.rest < at and clause is not None and clause.rest < stop:
            return clause
    return None


def _after_setting(
    tokens: Sequence[Token], begin: int, stop: int, kept: frozenset[int]
) -> Clause | None:
    """The clause behind a time or place that was put first: "next week I …", "in 2019 my sister …"."""
    first = tokens[begin]
    if begin not in kept and not (
        first.kind == WORD
        and (
            first.low in words("preposition")
            or first.low in ("every", "each", "last", "this", "these", "one")
        )
    ):
        return None
    if begin + 1 < stop and tokens[begin + 1].low in ("least", "most", "all", "time"):
        return None
    for at in range(begin + 1, min(begin + 9, stop - 1)):
        low = tokens[at].low
        if low in ("who", "which", "that") or (low in words("be") and at not in kept):
            return None
        if (
            low in ("i", "we", "my", "our")
            and at not in kept
            and tokens[at - 1].low not in words("preposition")
        ):
            clause = read_clause(tokens, at, stop)
            if clause is not None:
                return clause
    return None


def _with_apposition(tokens: Sequence[Token], pieces: list[Piece]) -> tuple[Piece, ...]:
    """Pieces with "My sister, Anna, lives in Rome" and "Max, Luna and Coco are my cats" made whole."""
    found: list[Piece] = []
    for piece in pieces:
        if (
            found
            and piece.clause is not None
            and piece.joint in ("", ",")
            and piece.clause.person == "i"
            and piece.clause.subject[1] - piece.clause.subject[0] > 1
            and all(each.kind == "other" and each.joint in ("", ",") for each in found)
            and len(found) <= 2
            and (
                tokens[found[0].start].low in ("my", "our")
                or (found[0].end - found[0].start == 1 and is_name(tokens, found[0].start))
            )
        ):  # "My girlfriend, Toby and I are going camping"
            whole = replace(
                piece.clause, start=found[0].start, subject=(found[0].start, piece.clause.subject[1])
            )
            found = [Piece("", found[0].start, piece.end, whole, "clause")]
            continue
        if (
            found
            and piece.clause is not None
            and piece.joint == "and"
            and piece.clause.person in ("noun", "name", "the", "gerund", "my")
            and all(
                (each.kind == "other" or each.end - each.start == 1) and each.joint in ("", ",")
                for each in found
            )
            and len(found) <= 4
            and tokens[found[0].start].low not in words("preposition")
        ):  # "Max, Luna and Coco are my cats"
            whole = replace(
                piece.clause, start=found[0].start, subject=(found[0].start, piece.clause.subject[1])
            )
            found = [Piece("", found[0].start, piece.end, whole, "clause")]
            continue
        if (
            found
            and piece.kind == "verbal"
            and piece.joint == ","
            and 1 <= len(found) <= 3
            and all(each.kind == "other" for each in found)
            and all(each.joint in ("", ",") for each in found)
        ):
            known = verb(tokens[piece.start].low)
            if known is not None and known.forms & (THIRD | PAST) and _is_noun_phrase(tokens, found[0]):
                spanned = _spanning(tokens, found[0].start, piece)
                if spanned is not None:
                    found = [spanned]
                    continue
        found.append(piece)
    return tuple(found)


def _is_noun_phrase(tokens: Sequence[Token], piece: Piece) -> bool:
    low = tokens[piece.start].low
    return low in ("my", "our", "the", "his", "her") or is_name(tokens, piece.start) or low == "one"


def _spanning(tokens: Sequence[Token], start: int, last: Piece) -> Piece | None:
    """The clause whose subject begins at a place and whose verb begins a later piece."""
    inner = read_elided(tokens, last.start, last.end)
    if inner is None:
        return None
    person = {"my": "my", "our": "our", "the": "the", "his": "his", "her": "his", "one": "my"}.get(
        tokens[start].low, "name"
    )
    clause = replace(inner, start=start, subject=(start, last.start), person=person)
    return Piece("", start, last.end, clause, "clause")
