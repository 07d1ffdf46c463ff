"""Did the speaker take a word back in the same sentence? "use npm, no, pnpm" says pnpm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from memweir.learning.english.clauses import is_name, read_clause
from memweir.learning.english.lexicon import words
from memweir.learning.english.names import words_of_tools
from memweir.learning.english.tokens import CODE, MARK, NUMBER, QUOTED, WORD, Token, longest_at

__all__ = ["amended", "continued", "corrected"]

_LONGEST: Final = 8  # tokens of what is put in place of something
_CUTS: Final = frozenset((",", "-", "–", "—", ";", ".", "...", "…", "(", "!", "--"))
# These need a mark on both sides, or the sentence goes on in earnest: "No, pnpm is fine."
_LOOSE: Final = frozenset(
    ("no", "nope", "sorry", "actually", "rather", "wait", "oops", "correction", "well")
)


def corrected(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens as the speaker meant them: what was taken back is left out, the last word stays."""
    left = list(tokens)
    for _ in range(3):
        at, length = _marker(left)
        if at < 0:
            break
        left = _apply(left, at, length)
    return tuple(left)


def amended(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """ "I said I take the 7:40 train but it's really the 7:52 one" as what holds; else as given."""
    end = len(tokens)
    while end and tokens[end - 1].kind == MARK:
        end -= 1
    if end < 8 or tokens[0].low != "i" or tokens[1].low not in _SAID:
        return tokens
    thought = tokens[1].low == "thought"
    start = 2
    while start < end and tokens[start].low in ("you", "that", "earlier", "before", ","):
        start += 1
    for at in range(start + 2, end - 2):
        if tokens[at].low not in ("but", "no"):
            continue
        after = _aside(tokens, at + 1, end)
        if after == at + 1 or after >= end:
            return tokens
        first = after + (tokens[after].low in ("the", "a"))
        last = end - (tokens[end - 1].low in ("one", "instead", "now", "already"))
        cut = at - 1 if tokens[at - 1].kind == MARK else at
        kind = _sort(tokens, first)
        for place in range(cut - 1, start, -1):
            if _sort(tokens, place) != kind or kind == "word":
                continue
            same = [each.low for each in tokens[first + 1 : last]]
            if same != [each.low for each in tokens[place + 1 : place + 1 + len(same)]]:
                return tokens
            held = (*tokens[start:place], tokens[first], *tokens[place + 1 : cut])
            return tuple(map(_as_now, held)) if thought else held
        return tokens
    return tokens


def continued(tokens: tuple[Token, ...], earlier: Sequence[Token]) -> tuple[Token, ...]:
    """The sentence before as one that only puts a word of it right means it: after "we meet in
    room 4", "correction, room 6" means "we meet in room 6"; () where it puts nothing right.

    Args:
        earlier: the sentence before it.
    Returns:
        Tokens whose places all lie in the later sentence.
    """
    length = longest_at("correction", tokens, 0)
    if not length or not earlier or length >= len(tokens):
        return ()
    after = length
    while after < len(tokens) and tokens[after].kind == MARK:
        after += 1
    marked = after > length or length > 1
    after = _aside(tokens, after, len(tokens))
    stop = len(tokens)
    while stop > after and tokens[stop - 1].kind == MARK:
        stop -= 1
    if not marked or not after < stop <= after + _LONGEST:
        return ()
    if read_clause(tokens, after, stop) is not None:
        return ()
    end = len(earlier)
    while end and earlier[end - 1].kind == MARK:
        end -= 1
    place = tokens[0].start
    held = [replace(each, start=place, end=place) for each in earlier[:end]]
    plain = _sort(tokens, after) == "word" and tokens[after].low not in words("preposition")
    if not held or (plain and all(each.low != tokens[after].low for each in held)):
        return ()
    comma = replace(tokens[0], text=",", low=",", kind=MARK, gap=False, end=place)
    joined = [*held, comma, *tokens[after:stop]]
    at, new = len(held), len(held) + 1
    if not _fits(joined, at, new, len(joined)):
        return ()
    return tuple(_apply(joined, at, new - at))


_SAID: Final = frozenset(("said", "wrote", "mentioned", "told", "thought"))
_NOW: Final = {"was": "is", "were": "are", "had": "have"}


def _as_now(token: Token) -> Token:
    now = _NOW.get(token.low, "")
    return replace(token, text=now, low=now) if now else token


def _aside(tokens: Sequence[Token], at: int, end: int) -> int:
    """Where what is put in place begins: after "forget floats,", "that's my brother,"."""
    for _ in range(3):
        low = tokens[at].low if at < end else ""
        following = tokens[at + 1].low if at + 1 < end else ""
        comma = next((each for each in range(at, min(at + 6, end)) if tokens[each].low == ","), -1)
        set_aside = low in ("forget", "ignore", "scrap", "drop") or (
            low in ("that", "this") and following in ("is", "was")
        )
        if set_aside and comma > 0 and comma + 1 < end:
            at = comma + 1
            continue
        if low == "for" and following == "me" and at + 2 < end:
            at += 2
            continue
        if low in ("it", "he", "she", "they", "that", "mine") and following in ("is", "are", "was"):
            at += 2
            while at < end and tokens[at].low in ("really", "actually", "now", "in", "fact"):
                at += 1
            continue
        break
    return at


def _marker(tokens: Sequence[Token]) -> tuple[int, int]:
    """(place of the mark before, tokens up to what is put in place); (-1, 0): none."""
    for at in range(1, len(tokens) - 1):
        if tokens[at].kind != MARK or tokens[at].low not in _CUTS:
            continue
        begin = at + 1
        while begin < len(tokens) and tokens[begin].kind == MARK:
            begin += 1
        length = longest_at("correction", tokens, begin)
        if not length:
            continue
        after = begin + length
        if after >= len(tokens):
            continue
        if (
            tokens[begin].low == "wait"
            and length == 1
            and tokens[after].low in ("for", "until", "till")
        ):
            continue
        single = length == 1 and tokens[begin].low in _LOOSE
        well = tokens[begin].low == "well" and length == 1
        if well and (after + 1 >= len(tokens) or _sort(tokens, after + 1) == "word"):
            continue
        marked = tokens[after].kind == MARK
        while after < len(tokens) and (
            tokens[after].kind == MARK
            or (longest_at("correction", tokens, after) and tokens[after].low != "rather")
        ):
            after += max(1, longest_at("correction", tokens, after))
        if after >= len(tokens):
            continue
        aside = _aside(tokens, after, len(tokens))
        if (
            aside != after
            and aside < len(tokens)
            and _fits(tokens, at, aside, _until_mark(tokens, aside))
        ):
            return at, aside - at
        rest = _until_mark(tokens, after)
        if single and not marked and not _fits(tokens, at, after, rest):
            continue
        if (
            tokens[begin].low in ("sorry", "actually", "rather")
            and length == 1
            and not _fits(tokens, at, after, rest)
        ):
            continue
        if (
            tokens[begin].low in ("no", "nope")
            and length == 1
            and read_clause(tokens, after, rest) is not None
        ):
            continue
        goes_on = read_clause(tokens, after, len(tokens)) is not None or not _fits(
            tokens, at, after, rest
        )
        if tokens[begin].low == "i" and length == 2 and goes_on:
            continue  # "I mean" goes on before a clause, and corrects before a phrase
        return at, after - at
    return -1, 0


def _apply(tokens: list[Token], at: int, length: int) -> list[Token]:
    after = at + length
    if read_clause(tokens, after, len(tokens)) is not None and not _fits(
        tokens, at, after, _until_mark(tokens, after)
    ):
        return tokens[after:]
    rest = _until_mark(tokens, after)
    start = _replaced(tokens, at, after, rest)
    if start < 0:
        return tokens[after:]
    if rest - after == 1 and _sort(tokens, after) == "number" and start + 1 < at:
        kept = tokens[start + 1 : at]
        if all(each.kind == WORD and each.low not in words("number-word") for each in kept):
            return [*tokens[:start], tokens[after], *kept, *tokens[rest:]]  # "12 servers, no, 14"
    # What was only put in place of the last words may leave out the preposition before them.
    goes_on = rest + 1 < len(tokens) and tokens[rest].low == "," and tokens[rest + 1].kind == WORD
    counted = rest - after == 1 and start == at - 1 and _sort(tokens, after) == "number"
    if goes_on and counted:  # "three, actually four, interns"
        return [*tokens[:start], tokens[after], *tokens[rest + 1 :]]
    return [*tokens[:start], *tokens[after:]]


def _until_mark(tokens: Sequence[Token], start: int) -> int:
    at = start
    while at < len(tokens) and not (
        tokens[at].kind == MARK and tokens[at].low in _CUTS | {"?", ":", ")"}
    ):
        at += 1
    return at


def _fits(tokens: Sequence[Token], at: int, after: int, rest: int) -> bool:
    return (
        0 < _phrase_end(tokens, after, rest) - after <= _LONGEST
        and _replaced(tokens, at, after, rest) >= 0
    )


def _replaced(tokens: Sequence[Token], at: int, after: int, rest: int) -> int:
    """Where the words begin, up to the mark, that a phrase is put in place of; -1: nowhere."""
    first = tokens[after]
    begin = at
    while begin > 0 and not (tokens[begin - 1].kind == MARK and tokens[begin - 1].low in ".!?;"):
        begin -= 1
    for place in range(at - 1, begin - 1, -1):
        token = tokens[place]
        if (
            first.kind == WORD
            and token.low == first.low
            and (
                first.low in words("preposition")
                or first.low in words("determiner")
                or first.low in words("subject")
                or first.low in words("first")
            )
        ):
            return place
    kind = _sort(tokens, after)
    size = _phrase_end(tokens, after, rest) - after
    for place in range(at - 1, max(begin, at - 7) - 1, -1):
        if _sort(tokens, place) == kind and kind != "word":
            while (
                place > begin
                and _sort(tokens, place - 1) == kind
                and tokens[place - 1].kind == tokens[place].kind
                and size > 1
            ):
                place -= 1
            return place
    if kind == "word" and size <= 3 and at - size >= begin:
        place = at - 1
        while (
            place > begin
            and at - place < size
            and tokens[place - 1].kind == WORD
            and tokens[place - 1].low not in words("preposition")
            and tokens[place - 1].low not in words("be")
        ):
            place -= 1
        low = tokens[place].low
        if low in words("preposition") or low in words("be"):
            return -1
        return place
    if kind in ("name", "code") and size <= 3:
        return at - 1
    return -1


def _phrase_end(tokens: Sequence[Token], after: int, rest: int) -> int:
    """Where the phrase ends that is put in place of something: before the next preposition or
    clause."""
    at = after + 1
    while at < rest and not (
        tokens[at].kind == WORD
        and (
            tokens[at].low in words("preposition")
            or tokens[at].low in words("subordinator")
            or tokens[at].low in words("coordinator")
        )
    ):
        at += 1
    return at if tokens[after].low not in words("preposition") else rest


def _sort(tokens: Sequence[Token], at: int) -> str:
    token = tokens[at]
    if token.kind == NUMBER or token.low in words("number-word"):
        return "number"
    if token.kind in (CODE, QUOTED) or token.low in words_of_tools():
        return "code"
    if token.low.rstrip("s") in _DAYS or token.low in _MONTHS:
        return "date"
    if token.kind == WORD and is_name(tokens, at):
        return "name"
    return "word"


_DAYS: Final = frozenset(
    [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "today",
        "tomorrow",
        "yesterday",
        "tonight",
    ]
)
_MONTHS: Final = frozenset(
    [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ]
)
