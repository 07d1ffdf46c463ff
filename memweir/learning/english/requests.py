"""Does the person ask for something to be kept? "Remember that …", "from now on …", "always …"."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from memweir.learning.english.chatter import opening
from memweir.learning.english.clauses import is_name, read_clause
from memweir.learning.english.keys import tool_at
from memweir.learning.english.lexicon import BASE, ING, verb, words
from memweir.learning.english.tokens import MARK, NUMBER, OTHER, WORD, Token, longest_at
from memweir.learning.english.verb_groups import skip_adverbs

__all__ = ["Choice", "Request", "find_choice", "find_request"]

_NEEDS_MARK: Final = frozenset(("note", "nb", "important", "memo", "remember", "memorize", "rule", "n"))
_ASKED_AFTER: Final = frozenset(("can", "could", "will", "would"))
_ENCOURAGES: Final = frozenset(
    (
        "give",
        "stop",
        "quit",
        "forget",
        "lose",
        "settle",
        "say",
        "doubt",
        "underestimate",
        "mind",
        "look",
        "remember",
        "feel",
        "dream",
    )
)
_LEADING: Final = frozenset(("so", "please", "just", "and", "but", "also", "then", ",", "pls"))
_DEEP: Final = frozenset((";", ":", ".", "-", "–", "—", "…", "...", "!"))
_USING: Final = frozenset(
    ("use", "prefer", "avoid", "store", "keep", "write", "name", "answer", "reply", "format", "stick")
) | frozenset(("start", "prefix", "respond", "put", "spell", "address", "call", "treat", "default"))
_POINTS: Final = frozenset(("it", "this", "that", "these", "those", "them", "here", "above", "there"))
_HERE: Final = frozenset(("codebase", "repo", "repository", "project", "team", "workspace", "package"))
_WIDE: Final = frozenset(
    ("everywhere", "exclusively", "anywhere", "throughout", "only", "consistently")
)
_HEARTENS: Final = frozenset(
    ("worry", "be", "think", "doubt", "feel", "cry", "beat", "talk", "try", "blame", "compare", "kid")
) | frozenset(("complain", "pretend", "tease", "make", "run", "wait", "look", "get", "overthink"))
_EDGES: Final = frozenset((",", ":", "-", "–", "—", ";", "."))


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for.

    Attributes:
        mode: "keep" (a statement), "remind" (of something to do), "order" (a standing one).
        start, end: places of tokens that are to be kept.
        denied: an order not to do it; always: "always" or "never" where it was said.
        onward: the words that say from when on, as written.
        condition: places of the words that say when an order holds; empty where it always does.
    """

    mode: str
    start: int
    end: int
    denied: bool = False
    always: str = ""
    onward: str = ""
    condition: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person proposes or goes by, said as an order.

    Attributes:
        start: place of the words that follow `says` in a statement; quoted: where the order begins.
        says: the verb of the statement.
        rule, kind, confidence, key: of the fact.
    """

    start: int
    quoted: int
    says: str
    rule: str
    kind: str
    confidence: float
    key: str = ""


def find_choice(tokens: Sequence[Token]) -> Choice | None:
    """ "Use pnpm", "let's go with Postgres", "call me Sam": short orders that settle something."""
    end = len(tokens)
    while end > 0 and tokens[end - 1].kind in (MARK, OTHER):
        end -= 1
    if any(token.low == "?" for token in tokens):
        return None
    start = at = opening(tokens, 0, end)
    if at >= end:
        return None
    while at < end and tokens[at].low in (
        "please",
        "just",
        "you",
        "can",
        "let's",
        "let",
        "us",
        "we",
        "should",
        "instead",
    ):
        at += 1
    if at + 1 >= end:
        return None
    if tokens[at].low == "call" and tokens[at + 1].low == "me" and at + 2 < end and end - at <= 5:
        if tokens[at + 2].text[:1].isupper() and tokens[at + 2].low not in words("not-name"):
            return Choice(at + 2, start, "goes by", "extract.name", "fact", 0.8, "nickname")
        return None
    settled = tokens[start].low in ("let", "let's") and _named_choice(tokens, at, end)
    if settled:
        return Choice(at, start, "wants to", "extract.choice", "decision", 0.55)
    with_it = 2 if tokens[at].low in ("go", "stick") and tokens[at + 1].low == "with" else 0
    if tokens[at].low == "switch" and tokens[at + 1].low == "to":
        with_it = 2
    if not with_it and tokens[at].low != "use":
        return None
    named = at + (with_it or 1)
    if named >= end or any(token.low in words("second") for token in tokens[named:end]):
        return None
    if tool_at(tokens, named, end)[1] == 0:
        return None
    if (start < at and tokens[start].low == "we") or any(
        token.low in ("that", "it", "here") for token in tokens[named:end]
    ):
        return None
    return Choice(at, start, "wants to", "extract.choice", "decision", 0.55)


def _named_choice(tokens: Sequence[Token], at: int, end: int) -> bool:
    """ "Stick with MIT as the license": what is chosen has a name, or is a part of the work."""
    if at + 2 >= end:
        return False
    with_it = tokens[at].low in ("go", "stick") and tokens[at + 1].low in ("with", "for")
    if not with_it and tokens[at].low not in ("use", "adopt", "standardize", "standardise"):
        return False
    named = range(at + 1 + with_it, end)
    lows = {tokens[place].low for place in named}
    if lows & (_POINTS | words("second") | {"first", "second", "last", "one", "option"}):
        return False
    return any(is_name(tokens, place) or tokens[place].low in words("technical") for place in named)


def find_request(tokens: Sequence[Token]) -> Request | None:
    """The explicit request that a sentence is, if it is one."""
    end = len(tokens)
    while end > 0 and tokens[end - 1].kind in (MARK, OTHER):
        end -= 1
    start = opening(tokens, 0, end)
    for begin in dict.fromkeys((start, 0)):
        found = _to_keep(tokens, begin, end) or _to_obey(tokens, begin, end)
        if found is not None:
            return found
    return _asked_at_the_end(tokens, start, end) or _told_later(tokens, start, end)


def _told_later(tokens: Sequence[Token], start: int, end: int) -> Request | None:
    """A standing order behind something else: "the build is slow, so please never use npm here"."""
    if any(token.low == "?" for token in tokens):
        return None
    for at in range(start + 1, end - 2):
        if tokens[at].kind != MARK and tokens[at].low not in ("and", "but", "so"):
            continue
        begin = at + 1
        while begin < end - 2 and tokens[begin].low in _LEADING:
            begin += 1
        softened = any(token.low in ("please", "just") for token in tokens[at + 1 : begin])
        hard = softened or tokens[at].low in _DEEP or "so" in [each.low for each in tokens[at:begin]]
        own = not hard and read_clause(tokens, start, at) is not None
        told = tokens[begin].low in ("always", "never") or (
            begin + 2 < end and tokens[begin].low == "do" and tokens[begin + 2].low == "ever"
        )
        if not told or own:
            continue
        found = _order(tokens, begin, _until(tokens, begin, end), "", denied=False)
        trouble = found is not None and tokens[found.start].low in ("have", "get", "be")
        if (
            found is not None
            and not trouble
            and found.always
            and _base(tokens[found.start]) in words("imperative")
        ):
            return found
    return None


def _until(tokens: Sequence[Token], start: int, end: int) -> int:
    """Where an order ends: before the next deep mark."""
    at = start
    while at < end and not (tokens[at].kind == MARK and tokens[at].low in _DEEP):
        at += 1
    return at


def _until_clause(tokens: Sequence[Token], start: int, end: int) -> int:
    """Where an order ends: before the next clause with its own subject."""
    for at in range(start + 1, end - 1):
        if tokens[at].kind == MARK and read_clause(tokens, at + 1, end) is not None:
            return at
    return end


def _base(token: Token) -> str:
    """The verb that an order begins with, "push" of "force-push"; "" where it is none."""
    if token.kind != WORD:
        return ""
    known = verb(token.low) or verb(token.low.rpartition("-")[2])
    return known.lemma if known is not None and known.forms & BASE else ""


def _to_keep(tokens: Sequence[Token], start: int, end: int) -> Request | None:
    asks = any(token.low == "?" for token in tokens)
    if start >= end or (asks and tokens[start].low not in _ASKED_AFTER):
        return None
    length = longest_at("remember", tokens, start, end)
    polite = 0 if length else longest_at("politely", tokens, start, end)
    start += polite
    if start >= end:
        return None
    length = length or longest_at("remember", tokens, start, end)
    bare = length == 1 and tokens[start].low in _NEEDS_MARK - {"remember", "memorize"}
    if not length or (polite and bare):
        return None
    at = start + length
    if at >= end:
        return None
    following = tokens[at]
    marked = following.kind == MARK
    while at < end and tokens[at].kind in (MARK, OTHER):
        at += 1
    if at >= end:
        return None
    low = tokens[at].low
    if (
        low in ("when", "how", "what", "who", "why", "me", "you", "your", "us", "back", "those", "the")
        and not marked
    ):
        if low == "the" and at + 1 < end:
            clause = read_clause(tokens, at, end)
            here = {"line", "this", "above", "below", "fix"} & {each.low for each in tokens[at:end]}
            return Request("keep", at, end) if clause is not None and not here else None
        return None
    if length == 1 and tokens[start].low in _NEEDS_MARK and not marked:
        if low == "to":
            return _to_remind(tokens, at, end)
        if not _has_verb(tokens, at, end) or tokens[start].low not in ("remember", "memorize", "note"):
            return None
    if low == "to" and not marked:
        return _to_remind(tokens, at, end)
    if low in ("this", "that") and at + 1 < end and tokens[at + 1].kind == MARK:
        at += 2
    if low in ("this", "that") and at < end and tokens[at].low == "time":
        return None
    said = [token.low for token in tokens[at:end]]
    if following.kind == MARK and following.low == "," and not _of_somebody(tokens, at, end):
        return None  # "remember, it takes time": advice
    if any(each in words("second") for each in said) and not {"i", "my", "me", "we", "our"} & set(said):
        orders = any(each in ("always", "never", "not", "must", "should", "have") for each in said)
        if not orders:
            return None
    if at >= end:
        return None
    inner = _to_obey(tokens, at, end)
    if inner is not None:
        return inner
    while at < end - 1 and tokens[at].low in ("and", "please", ",", "retain", "remember", "it", "this"):
        if tokens[at].low in ("it", "this") and tokens[at + 1].low not in (",", "that", ":"):
            break
        at += 1
    if tokens[at].low == "that" and at + 1 < end and read_clause(tokens, at + 1, end) is not None:
        at += 1
    return Request("keep", at, end)


def _of_somebody(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether words are of the speaker, a name, a number or the work, not of life in general."""
    return any(
        tokens[at].low in words("first")
        or tokens[at].kind not in (WORD, MARK, OTHER)
        or is_name(tokens, at)
        or tokens[at].low in words("technical")
        or tokens[at].low in ("always", "never")
        for at in range(start, end)
    )


def _to_remind(tokens: Sequence[Token], at: int, end: int) -> Request | None:
    verb_at = skip_adverbs(tokens, at + 1, end)
    if verb_at >= end or verb_at + 1 >= end:
        return None
    known = verb(tokens[verb_at].low)
    if known is None or not known.forms & BASE or known.lemma in words("advice"):
        return None
    return Request("remind", at, end)


def _to_obey(tokens: Sequence[Token], start: int, end: int) -> Request | None:
    """A standing order."""
    at, onward = start, ""
    if at < end and tokens[at].low in ("please", "pls"):
        at += 1
    length = longest_at("standing", tokens, at, end)
    if (length > 1 or (length and tokens[at].low == "henceforth")) and tokens[at].low not in (
        "every",
        "each",
        "rule",
    ):
        onward = _text(tokens, at, at + length)
        at += length
        while at < end and (tokens[at].kind in (MARK, OTHER) or tokens[at].low in ("please", "just")):
            at += 1
    tail = _onward_at_the_end(tokens, at, end)
    if tail and not onward:
        onward = _text(tokens, tail, end)
        end = tail
        while end > at and tokens[end - 1].kind == MARK:
            end -= 1
    if at >= end:
        return None
    conditional = _on_condition(tokens, at, end, onward) or _scoped(tokens, at, end, onward)
    if conditional is not None:
        return conditional
    general = _in_general(tokens, at, end)
    if general is not None:
        return general
    begin = at
    low = tokens[at].low
    if (
        low == "you"
        and at + 2 < end
        and tokens[at + 1].low in ("should", "must", "need", "have", "will", "are", "do")
    ):
        at += 2
        while at < end and tokens[at].low in ("to", "please"):
            at += 1
        denied = at < end and tokens[at].low == "not"
        at += denied
        found = _order(tokens, at, end, onward, denied=denied)
        return found if found is not None and (onward or found.always) else None
    if (
        low == "i"
        and at + 3 < end
        and tokens[at + 2].low == "you"
        and tokens[at + 1].low in ("want", "need", "expect")
    ):
        at += 3
        at += at < end and tokens[at].low == "to"
        found = _order(tokens, at, end, onward, denied=False)
        return found if found is not None and (onward or found.always) else None
    if low == "make" and at + 2 < end and tokens[at + 1].low == "sure":
        at += 2
        at += at < end and tokens[at].low in ("to", "you", "that")
        at += at < end and tokens[at].low == "you"
        found = _order(tokens, at, end, onward, denied=False)
        return found if found is not None and (onward or found.always) else None
    found = _order(tokens, at, end, onward, denied=False)
    if found is not None and (onward or found.always):
        return found
    plain = (
        onward
        and not any(token.low == "?" for token in tokens)
        and "future" not in onward
        and "default" not in onward
    )
    ruled = plain and (tokens[end - 1].low == "only" or tokens[begin].low in ("no", "only"))
    if ruled and end - begin >= 2:
        return Request("keep", begin, end, onward=onward)
    spoken_to = any(token.low in words("second") for token in tokens[begin:end])
    if (
        plain
        and not spoken_to
        and tokens[begin].low not in ("you", "i", "it", "that")
        and _has_verb(tokens, begin, end)
    ):
        return Request("keep", start, end if not tail else len(tokens))
    return None


def _on_condition(tokens: Sequence[Token], at: int, end: int, onward: str) -> Request | None:
    """ "Whenever you write Python, use type hints": the order, and the words that say when it holds."""
    several = tokens[at].low in ("every", "each") and at + 1 < end and tokens[at + 1].low == "time"
    if not several and tokens[at].low not in ("whenever", "when", "if", "before", "after"):
        return None
    comma = next((place for place in range(at, end) if tokens[place].low == ","), -1)
    begin = comma + 1
    if comma < at + 2 or comma + 2 >= end or _base(tokens[comma + 1]) not in words("imperative"):
        begin = comma = _next_order(tokens, at + 3 + several, end)
    if comma < 0:
        return None
    found = _order(tokens, begin, end, onward, denied=False)
    if found is None:
        return None
    standing = several or tokens[at].low == "whenever" or onward or found.always
    finished = tokens[at + 1].low == "you" and tokens[at + 2].low in (
        "are",
        "have",
        "finish",
        "get",
        "can",
    )
    if not standing and finished:
        return None
    if not standing and not (tokens[at].low != "if" and tokens[at + 1].low == "you"):
        return None
    return replace(found, condition=(at, comma))


def _next_order(tokens: Sequence[Token], at: int, end: int) -> int:
    """Where an order begins without a comma before it: "… generate SQL use lowercase"; -1: nowhere."""
    for place in range(at, min(at + 8, end - 1)):
        low, before = tokens[place].low, tokens[place - 1].low
        ordered = low in ("always", "never", "please") or _base(tokens[place]) in words("imperative")
        if low == "do" and tokens[place + 1].low != "not":
            ordered = False
        bound = (
            before in words("determiner")
            or before in words("preposition")
            or before in words("subject")
            or before in words("coordinator")
            or before in words("modal")
            or before in words("subordinator")
        )
        known = verb(before)
        governed = known is not None and bool(known.forms & BASE) and low in words("technical")
        if ordered and not bound and not governed:
            return place
    return -1


def _scoped(tokens: Sequence[Token], at: int, end: int, onward: str) -> Request | None:
    """ "In every chat start by …", "before each commit, run …"."""
    if at + 4 >= end or tokens[at].low not in _SCOPES or tokens[at + 1].low not in _EACH:
        return None
    begin = _next_order(tokens, at + 3, end)
    if begin < 0:
        return None
    found = _order(tokens, begin, end, onward, denied=False)
    if found is None:
        return None
    stop = begin - 1 if tokens[begin - 1].kind == MARK else begin
    return replace(found, condition=(at, stop))


_SCOPES: Final = frozenset(("in", "for", "on", "before", "after", "with", "at", "during"))
_EACH: Final = frozenset(("every", "each", "all", "any"))


def _in_general(tokens: Sequence[Token], at: int, end: int) -> Request | None:
    """An order that holds wherever it applies: "use tabs everywhere", "avoid abbreviations in names",
    "stop adding comments", "no emojis ever again"."""
    if any(token.low == "?" for token in tokens[at:]) or at + 1 >= end:
        return None
    lows = [token.low for token in tokens[at:end]]
    while lows and lows[0] in ("please", "just", "pls"):
        lows, at = lows[1:], at + 1
    pointing = any(
        low in _POINTS and not (low == "this" and at + place + 1 < end and lows[place + 1] in _HERE)
        for place, low in enumerate(lows)
    )
    if len(lows) < 3 or pointing:
        return None
    if lows[0] == "stop" and len(lows) >= 3:
        known = verb(lows[1])
        doing = known is not None and known.forms & ING and known.lemma not in _HEARTENS
        return Request("order", at, end) if doing and known is not None else None
    only = lows[0] == "only"
    begin = at + only
    denied = lows[0] == "do" and lows[1] == "not"
    if denied:
        bounded = "without" in lows or "any" in lows[2:4]
        if bounded and _base(tokens[at + 2]) in words("imperative") and len(lows) > 4:
            return Request("order", at + 2, end, denied=True)
        ever = len(lows) > 3 and (lows[-2:] == ["ever", "again"] or lows[-1] in ("ever", "anymore"))
        word = _base(tokens[at + 2]) if at + 2 < end else ""
        general = not set(lows[2:]) & (_POINTS | {"the", "yet", "now", "today", "just", "too", "your"})
        said = _base(tokens[at + 2]) if at + 2 < end else ""
        plain = said in words("imperative") and said not in _ENCOURAGES | _HEARTENS | words("advice")
        if not ever and general and plain and len(lows) >= 4 and "?" not in lows:
            return Request("order", at + 2, _until_clause(tokens, at + 2, end), denied=True)
        if not ever or word not in words("imperative") or word in _ENCOURAGES:
            return None
        stop = end - (2 if lows[-1] == "again" else 1)
        return Request("order", at + 2, stop, always="never")
    word = _base(tokens[begin])
    each_time = word in words("imperative") and any(
        one in ("before", "after", "on", "with", "for", "in") and other in ("every", "each")
        for one, other in itertools.pairwise(lows)
    )
    if each_time and not only:
        return Request("order", begin, end)
    bounded = word in ("keep", "limit", "cap", "restrict") and any(
        one in ("than", "to", "at") and tokens[at + place + 1].kind == NUMBER
        for place, one in enumerate(lows[:-1])
    )
    if bounded:
        return Request("order", begin, end)
    short = word == "keep" and set(lows[1:3]) & words("answer-thing")
    rather = lows[:2] == ["give", "me"] and "," in lows and "not" in lows
    if short or rather:
        return Request("order", begin, end)
    if word == "prefer" and {"to", "over"} & set(lows[1:]):
        return Request("order", begin, end)
    if word not in _USING:
        return None
    wide = only or word == "avoid" or bool(set(lows[1:]) & _WIDE) or lows[-2:] == ["by", "default"]
    wide = wide or any(
        one in ("in", "for", "on", "with") and other in ("all", "every", "each", "any", "everything")
        for one, other in itertools.pairwise(lows)
    )
    kept = word == "keep" and any(
        one in ("under", "below", "above", "within", "at") and tokens[at + place + 1].kind == NUMBER
        for place, one in enumerate(lows[:-1])
    )
    if not (wide or kept):
        return None
    return Request("order", begin, end, always="only" if only else "")


def _order(tokens: Sequence[Token], at: int, end: int, onward: str, *, denied: bool) -> Request | None:
    always = ""
    if at < end and tokens[at].low in ("always", "never"):
        always = tokens[at].low
        at += 1
    elif at + 1 < end and tokens[at].low == "do" and tokens[at + 1].low == "not":
        denied = True
        at += 2
        if at < end and tokens[at].low == "ever":
            always = "never"
            denied = False
            at += 1
    while at < end and tokens[at].low in ("please", "ever", "just"):
        at += 1
    if at + 1 >= end or tokens[at].kind != WORD:
        return None
    lemma = _base(tokens[at])
    if not lemma:
        return None
    if always and (
        lemma in _ENCOURAGES or lemma in words("advice") - {"keep", "stay", "be", "have", "take"}
    ):
        return None
    if always and lemma in ("be", "have", "take", "keep", "stay") and end - at < 3:
        return None
    if any(token.kind == MARK and token.low == "?" for token in tokens):
        return None
    if lemma not in words("imperative") and not always:
        return None
    return Request("order", at, end, denied, always, onward)


def _onward_at_the_end(tokens: Sequence[Token], at: int, end: int) -> int:
    """Where "from now on" begins that closes a sentence; 0: nowhere."""
    for length in (5, 4, 3, 2):
        begin = end - length
        if begin > at and longest_at("standing", tokens, begin, end) == length:
            return begin
    return 0


def _asked_at_the_end(tokens: Sequence[Token], start: int, end: int) -> Request | None:
    """ "I'm allergic to nuts, please remember that"."""
    if any(token.low == "?" for token in tokens):
        return None
    for at in range(start + 2, end):
        if tokens[at - 1].kind == MARK and tokens[at - 1].low in _EDGES:
            begin = at + 1 if tokens[at].low in ("so", "and", "please") else at
            begin = begin + 1 if begin < end and tokens[begin].low == "please" else begin
            length = longest_at("remember", tokens, begin, end)
            rest = [token.low for token in tokens[begin + length : end]]
            keeping = [token.low for token in tokens[begin:end]] in (
                ["keep", "that", "in", "mind"],
                ["keep", "this", "in", "mind"],
                ["keep", "it", "in", "mind"],
            )
            if keeping or (length and rest in ([], ["this"], ["that"], ["it"], ["please"])):
                if length == 1 and tokens[begin].low in _NEEDS_MARK - {"remember", "memorize"}:
                    continue
                return Request("keep", start, at - 1)
    return None


def _has_verb(tokens: Sequence[Token], start: int, end: int) -> bool:
    return any(
        token.low in words("be")
        or token.low in words("modal")
        or ((known := verb(token.low)) is not None and known.lemma not in words("vague"))
        for token in tokens[start + 1 : end]
    )


def _text(tokens: Sequence[Token], start: int, end: int) -> str:
    return " ".join(token.low for token in tokens[start:end] if token.kind == WORD)
