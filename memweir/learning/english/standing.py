"""Which rule, decision or procedure does a sentence lay down as it stands?

"No deploys on Fridays", "final call: we ship in May", "to deploy, run make release": what they say
holds for whoever reads it, so their statement is the sentence itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memweir.learning.english.chatter import opening
from memweir.learning.english.clauses import is_name, read_clause
from memweir.learning.english.lexicon import BASE, ING, verb, words
from memweir.learning.english.names import words_of_tools
from memweir.learning.english.tokens import (
    CODE,
    MARK,
    NUMBER,
    OTHER,
    QUOTED,
    WORD,
    Token,
    longest_at,
)
from memweir.learning.english.verb_groups import Clause, skip_adverbs

__all__ = ["Standing", "find_standing", "is_technical", "without_insisting"]

_BOUNDS: Final = frozenset(
    ("before", "after", "on", "without", "in", "until", "till", "outside", "except", "for", "at")
) | frozenset(("during", "unless", "between", "to", "from", "over", "with", "when", "while", "inside"))
_CUTS: Final = frozenset((",", "-", "–", "—", ";", ":", ".", "(", "…", "...", "!"))
_LASTING: Final = frozenset(
    ("always", "usually", "normally", "typically", "generally", "every", "each")
)
_GENERIC: Final = (
    frozenset(
        ("run", "build", "deploy", "start", "restart", "install", "configure", "generate", "regenerate")
    )
    | frozenset(
        (
            "reset",
            "create",
            "compile",
            "test",
            "release",
            "publish",
            "rotate",
            "update",
            "upgrade",
            "export",
        )
    )
    | frozenset(("import", "add", "register", "set", "bump", "tag", "push", "pull", "open", "enable"))
)
_MEANS: Final = frozenset(
    ("with", "by", "via", "from", "through", "using", "in", "on", "before", "after")
)


@dataclass(frozen=True, slots=True)
class Standing:
    """What is laid down.

    Attributes:
        start, end: places of the tokens that say it.
        kind, rule, confidence, explicit: of the fact.
    """

    start: int
    end: int
    kind: str
    rule: str
    confidence: float
    explicit: bool = False


def find_standing(tokens: Sequence[Token]) -> Standing | None:
    """The rule, decision or procedure that a sentence lays down as it stands; None where it lays
    down none."""
    if any(token.low == "?" for token in tokens):
        return None
    end = _end(tokens)
    for start in _starts(tokens, end):
        if start >= end:
            continue
        rest, insisted = without_insisting(tokens, start, end)
        found = (
            _verdict(tokens, start, rest)
            or _forbidden(tokens, start, rest, insisted=insisted)
            or _steps(tokens, start, rest)
            or _on_trouble(tokens, start, end)
            or _labelled(tokens, start, end)
        )
        if found is not None:
            return found
    return None


def without_insisting(tokens: Sequence[Token], start: int, end: int) -> tuple[int, bool]:
    """Where a rule ends before words that only insist on it, and whether there are any."""
    for at in range(start + 2, end):
        if tokens[at].kind != MARK or tokens[at].low not in _CUTS:
            continue
        length = longest_at("insists", tokens, at + 1, end)
        after = at + 1 + length
        if length and (
            after >= end
            or tokens[after].kind in (MARK, OTHER)
            or tokens[after].low in ("for", "here", "with", "in", "on", "and", "please")
        ):
            return at, True
    return end, False


def is_technical(low: str) -> bool:
    """Whether a word is of software or of the work around it."""
    bare = low[:-2] if low.endswith("'s") else low
    if bare in words("technical"):
        return True
    return bare in words_of_tools() and bare not in words("everyday")


def _end(tokens: Sequence[Token]) -> int:
    end = len(tokens)
    while end > 0 and tokens[end - 1].kind in (MARK, OTHER):
        end -= 1
    return end


def _starts(tokens: Sequence[Token], end: int) -> list[int]:
    """Where a rule may begin: at the start, openers left out or not, and after deep cuts."""
    begun = opening(tokens, 0, end)
    found = [0, begun, begun + (begun < end and tokens[begun].low in ("please", "pls"))]
    for at in range(1, end - 2):
        if tokens[at].low in (";", ".", "…", "...", "—", "–", "-", ":", ","):
            place = at + 1
            while place < end and tokens[place].low in ("so", "and", "but", "also", "please", "btw"):
                place += 1
            hard = tokens[at].low != ","
            forbids = place < end and (
                tokens[place].low in ("no", "decision")
                or longest_at("forbidden-at", tokens, place, end) > 0
            )
            if forbids and (hard or place > at + 1):
                found.append(place)
    return list(dict.fromkeys(found))


# --- decisions ----------------------------------------------------------------------------------------


def _verdict(tokens: Sequence[Token], start: int, end: int) -> Standing | None:
    """ "Final call: …", "decision from the steering group is …"."""
    length = longest_at("verdict", tokens, start, end)
    if not length:
        return None
    at = start + length
    if at < end and tokens[at].kind == MARK and tokens[at].low in (":", "-", "–", "—"):
        at += 1
        rule = {"rule", "policy", "convention", "thumb"} & {each.low for each in tokens[start:at]}
        kind = "constraint" if rule else "decision"
        return Standing(at, end, kind, "extract.verdict", 0.75) if _says(tokens, at, end) else None
    if tokens[at - 1].low != "decision":
        return None
    while at < end and at - start < 8 and tokens[at].kind != MARK:
        if tokens[at].low in ("is", "was"):
            told = _says(tokens, at + 1, end) and at + 1 < end
            formed = told and (
                tokens[at + 1].low in ("to", "that", "no", "not") or tokens[at].low == "was"
            )
            return Standing(start, end, "decision", "extract.verdict", 0.7) if formed else None
        at += 1
    return None


# --- rules --------------------------------------------------------------------------------------------


def _forbidden(tokens: Sequence[Token], start: int, end: int, *, insisted: bool) -> Standing | None:
    """ "No deploys on Fridays", "under no circumstances …", "metric units only, no exceptions"."""
    if longest_at("forbidden-at", tokens, start, end) and end - start > 4:
        return Standing(start, end, "constraint", "explicit.rule", 0.9, True)
    if tokens[start].low == "no" and _no_thing(tokens, start, end, insisted=insisted):
        return Standing(start, end, "constraint", "explicit.rule", 0.85 if insisted else 0.75, True)
    joint = next((at for at in range(end - 2, start, -1) if tokens[at].low == "but"), -1)
    start = joint + 1 if joint > 0 else start
    if _ruled(tokens, start, end):
        return Standing(start, end, "constraint", "extract.constraint", 0.6)
    if _wide(tokens, start, end):
        return Standing(start, end, "constraint", "explicit.rule", 0.7, True)
    said = insisted and end - start >= 3 and _says(tokens, start, end)
    personal = {token.low for token in tokens[start:end]} & (words("second") | {"i", "me", "it"})
    if said and not personal and tokens[start].low not in words("third"):
        return Standing(start, end, "constraint", "explicit.rule", 0.8, True)
    return None


def _ruled(tokens: Sequence[Token], start: int, end: int) -> bool:
    """ "It is forbidden to store passwords in plain text", "it's important that …", of the work."""
    if start + 4 >= end or tokens[start].low != "it" or tokens[start + 1].low != "is":
        return False
    at = skip_adverbs(tokens, start + 2, end)
    at += at < end and tokens[at].low == "not"
    stern = at + 1 < end and tokens[at].low in words("binding") | {"important", "essential", "crucial"}
    return (
        stern
        and tokens[at + 1].low in ("to", "that", "for")
        and any(is_technical(tokens[place].low) for place in range(at + 1, end))
    )


def _wide(tokens: Sequence[Token], start: int, end: int) -> bool:
    """ "Dark mode everywhere please", "metric units only": a few words and how far they reach."""
    last = end - 1 - (tokens[end - 1].low in ("please", "pls", "thanks"))
    if not 1 <= last - start <= 5 or tokens[last].low not in ("everywhere", "only"):
        return False
    before = [tokens[at].low for at in range(start, last)]
    closed = words("subject") | words("first") | words("be") | words("modal") | words("preposition")
    plain = not any(low in closed or low in words("adverb") or low in words("vague") for low in before)
    deeds = any((known := verb(low)) is not None and known.forms != BASE for low in before[:1])
    return plain and not deeds and all(tokens[at].kind != MARK for at in range(start, last))


def _labelled(tokens: Sequence[Token], start: int, end: int) -> Standing | None:
    """ "Api rate limit: 100 requests per minute": what is so called, and its value."""
    colon = next((at for at in range(start + 1, min(start + 6, end)) if tokens[at].low == ":"), -1)
    if colon < 0 or not 1 <= end - colon - 1 <= 9:
        return None
    head = [tokens[at].low for at in range(start, colon)]
    if any(low in _LOGGED or low in words("subject") or low in words("imperative") for low in head[:1]):
        return None
    if any(low in _LOGGED or (low in words("be") or low in words("modal")) for low in head):
        return None
    named = len(head) > 1 or head[0] in words("company")
    named = named and any(is_technical(low) or low in words("company") for low in head)
    own = head[0] in ("my", "our", "favorite")
    value = any(
        tokens[at].kind in (CODE, NUMBER, QUOTED) or is_name(tokens, at) for at in range(colon + 1, end)
    )
    ordered = tokens[colon + 1].low in words("imperative") or tokens[colon + 1].low in words("first")
    if head[-1] in ("process", "workflow", "procedure", "steps", "checklist", "flow"):
        commas = sum(tokens[at].low in (",", ">", "then") for at in range(colon + 1, end))
        return Standing(start, end, "procedure", "extract.steps", 0.6) if commas >= 2 else None
    if ordered or not ((named and value) or (own and len(head) > 1)):
        return None
    return Standing(start, end, "preference" if "favorite" in head else "fact", "extract.labelled", 0.5)


_LOGGED: Final = frozenset(
    ("error", "errors", "warning", "warn", "info", "debug", "fatal", "status", "todo", "fixme", "note")
) | frozenset(("usage", "traceback", "exception", "output", "input", "result", "re", "fwd", "subject"))


def _no_thing(tokens: Sequence[Token], start: int, end: int, *, insisted: bool) -> bool:
    """Whether "no" and a noun, and what bounds it, forbid something."""
    at = start + 1
    plural = False
    while at < end and at - start <= 5:
        token = tokens[at]
        low = token.low
        if token.kind == MARK or low in words("subject") or low in words("be") | words("modal"):
            return False
        if low in _BOUNDS or low in words("be"):
            break
        if low == "more" and at == start + 1:
            at += 1 + (at + 1 < end and tokens[at + 1].low == "than")
            continue
        if low in words("no-rule") or low in words("vague"):
            return False
        plural = (
            token.kind in (CODE, QUOTED)
            or low.endswith(("s", "ing", "code"))
            or is_technical(low)
            or low in words("tongue")
        )
        at += 1
    if at <= start + 1:
        return False
    bounded = at + 1 <= end - 1 and tokens[at].low in _BOUNDS
    asked = at == end - 1 and tokens[at].low in ("please", "allowed", "here", "ever")
    last = at < end and longest_at("transient-matter", tokens, at, end) > 0
    if any(token.low in words("second") for token in tokens[start:end]) or last:
        return False
    named = plural and at >= end and at - start >= 3 and tokens[end - 1].low.endswith("s")
    named = named and any(is_technical(tokens[place].low) for place in range(start + 1, end))
    return named or (plural and (bounded or asked)) or (insisted and at >= end)


# --- procedures ---------------------------------------------------------------------------------------


def _steps(tokens: Sequence[Token], start: int, end: int) -> Standing | None:
    """ "To deploy, run make release", "first you export X, then run Y", "you run it with Z"."""
    low = tokens[start].low
    at = start
    if low == "in" and start + 3 < end and tokens[start + 1].low == "order":
        at += 2
    if at == start + 2 and _concrete(tokens, start, end) and end - start > 7:
        return Standing(start, end, "procedure", "extract.steps", 0.65)
    if low in ("for", "when") and _for_this(tokens, start, end):
        return Standing(start, end, "procedure", "extract.steps", 0.65)
    if (
        at + 3 < end
        and tokens[at].low == "to"
        and _is_base(tokens, at + 1, end)
        and tokens[at + 2].low != ":"
    ):
        return _aimed(tokens, start, at + 2, end)
    if low in ("for", "when"):
        comma = next(
            (place for place in range(start, min(start + 7, end - 2)) if tokens[place].low == ","), -1
        )
        begun = comma > 0 and tokens[comma + 1].low == "first" and _is_base(tokens, comma + 2, end)
        if begun and _concrete(tokens, start, end):
            return Standing(start, end, "procedure", "extract.steps", 0.65)
    if low in ("the", "how") and _told_how(tokens, start, end):
        return Standing(start, end, "procedure", "extract.steps", 0.65)
    if low in ("first", "start") and _sequenced(tokens, start, end):
        return Standing(start, end, "procedure", "extract.steps", 0.7)
    if low == "you" and _done_so(tokens, start, end):
        return Standing(start, end, "procedure", "extract.steps", 0.6)
    return None


def _for_this(tokens: Sequence[Token], start: int, end: int) -> bool:
    """ "For local dev run docker compose up and then make seed", "when releasing we freeze main, …"."""
    several = any(token.low in ("then", "and") for token in tokens[start + 3 : end])
    if not several or not _concrete(tokens, start, end):
        return False
    doing = verb(tokens[start + 1].low)
    if tokens[start].low == "when" and (doing is None or not doing.forms & ING):
        return False
    for at in range(start + 2, min(start + 7, end - 2)):
        before = tokens[at - 1].low
        if before in ("we", "you", "just", ",") and _is_base(tokens, at, end):
            return before != "we" or tokens[start].low == "when"
        if tokens[start].low == "for" and tokens[at].low in (
            "run",
            "use",
            "call",
            "execute",
            "install",
        ):
            return before not in words("determiner") and before not in words("subject")
    return False


def _told_how(tokens: Sequence[Token], start: int, end: int) -> bool:
    """ "The way we do hotfixes is to branch from the tag", "how we deploy: …"."""
    lows = [token.low for token in tokens[start:end]]
    if lows[:2] == ["the", "way"] and lows[2:3] in (["we"], ["i"], ["to"]):
        told = any(
            one in ("is", "works") and other in ("to", "by", "that", "with")
            for one, other in itertools.pairwise(lows)
        )
        return told and _concrete(tokens, start, end)
    if lows[0] == "how" and lows[1:2] in (["we"], ["to"]) and ":" in lows[2:7]:
        return _concrete(tokens, start, end)
    return False


def _aimed(tokens: Sequence[Token], start: int, at: int, end: int) -> Standing | None:
    """An aim, and the order or the deed that gets there."""
    for place in range(at, min(end - 1, at + 14)):
        low = tokens[place].low
        marked = tokens[place - 1].kind == MARK
        if low in ("you", "we", "i", "one", "just", "simply", "first") and place > at:
            after = skip_adverbs(tokens, place + 1, end)
            while after < end and tokens[after].low in ("must", "need", "have", "can", "to", "should"):
                after += 1
            if _is_base(tokens, after, end) and _concrete(tokens, place, end):
                return Standing(start, end, "procedure", "extract.steps", 0.7)
        takes = low == "it" and place + 2 < end and tokens[place + 1].low in ("is", "takes")
        if takes and tokens[place + 2].low in ("necessary", "needed", "required", "enough", "best"):
            return Standing(start, end, "procedure", "extract.steps", 0.7)
        if marked and _is_base(tokens, place, end) and low in words("imperative"):
            if _concrete(tokens, start, end):
                return Standing(start, end, "procedure", "extract.steps", 0.7)
        elif (
            low in words("imperative")
            and place > at + 1
            and tokens[place - 1].low not in words("determiner") | words("preposition")
            and low in _GENERIC
            and _concrete(tokens, start, end)
            and tokens[place - 1].low not in ("and", "or")
        ):
            return Standing(start, end, "procedure", "extract.steps", 0.65)
    return None


def _sequenced(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether one deed after another is told, in general."""
    at = start + 1
    at += at < end and tokens[at].kind == MARK
    at += at < end and tokens[at].low in ("you", "we")
    if not (_is_base(tokens, at, end) or (tokens[start].low == "start" and at < end)):
        return False
    lows = [token.low for token in tokens[at:end]]
    onward = {"then", "afterwards", "next", "finally", "only"} & set(lows) or any(
        one == "after" and other == "that" for one, other in itertools.pairwise(lows)
    )
    anyone = tokens[at - 1].low in ("you", "we")
    exact = any(
        tokens[place].kind in (CODE, NUMBER, QUOTED) or is_name(tokens, place)
        for place in range(at, end)
    )
    return bool(onward) and _concrete(tokens, start, end) and (anyone or exact)


def _done_so(tokens: Sequence[Token], start: int, end: int) -> bool:
    """ "You regenerate the protobufs with buf generate": what anybody does, and how."""
    at = skip_adverbs(tokens, start + 1, end)
    if at < end and tokens[at].low in ("need", "have", "must", "can"):
        at += 1
        at += at < end and tokens[at].low == "to"
    if at >= end or tokens[at].low not in _GENERIC | {"find", "get"} or not _is_base(tokens, at, end):
        return False
    lows = [token.low for token in tokens[at + 1 : end]]
    if set(lows) & {"me", "i", "my", "your", "yesterday", "earlier", "before", "it", "this", "again"}:
        return False
    return bool(set(lows[1:]) & _MEANS) and _concrete(tokens, at + 1, end)


def _on_trouble(tokens: Sequence[Token], start: int, end: int) -> Standing | None:
    """ "If the simulator hangs, delete the cache, that always fixes it"."""
    if tokens[start].low not in ("if", "when", "whenever") or end - start < 6:
        return None
    clause = read_clause(tokens, start + 1, end)
    anyone = tokens[start].low != "if" and tokens[start + 1].low in ("a", "an", "any", "the")
    if clause is None and anyone:
        clause = Clause(
            start, end, (start + 1, start + 2), "noun", start + 2, start + 2, start + 3, "", ""
        )
    if clause is None or clause.person in ("i", "we", "you", "it", "this", "he", "she"):
        return None
    comma = next((at for at in range(clause.main, end) if tokens[at].low in (",", "then")), -1)
    at = comma + 1 if comma > 0 else clause.rest
    while at < end and tokens[at].low in ("then", "just", "you", "we", "please", "simply", "always"):
        at += 1
    if not _is_base(tokens, at, end) or tokens[at].low not in words("imperative"):
        return None
    after = [token.low for token in tokens[at:end]]
    lasting = tokens[start].low == "whenever" or bool(_LASTING & set(after))
    lasting = lasting or ("fixes" in after or "helps" in after or "trick" in after)
    if not (lasting or tokens[start].low == "when") or not _concrete(tokens, start, end):
        return None
    pointed = {"this", "these", "me", "my", "again"} & set(after)
    return None if pointed else Standing(start, end, "procedure", "extract.steps", 0.65)


def _is_base(tokens: Sequence[Token], at: int, end: int) -> bool:
    known = verb(tokens[at].low) if at < end and tokens[at].kind == WORD else None
    return known is not None and bool(known.forms & BASE)


def _concrete(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether a name, a number or a word of the trade says of what it holds."""
    return any(
        tokens[at].kind in (CODE, NUMBER, QUOTED) or is_technical(tokens[at].low) or is_name(tokens, at)
        for at in range(start, end)
    )


def _says(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether a stretch names anything."""
    return (
        sum(
            tokens[at].kind in (CODE, NUMBER, QUOTED)
            or (
                tokens[at].kind == WORD
                and not any(tokens[at].low in words(name) for name in ("subject", "first", "be"))
                and tokens[at].low not in words("vague")
                and tokens[at].low not in words("preposition")
                and tokens[at].low not in words("determiner")
            )
            for at in range(start, end)
        )
        >= 2
    )
