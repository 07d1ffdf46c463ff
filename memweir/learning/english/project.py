"""What does a unit say of a project: a binding rule, a decision, how it is built and run?"""

from __future__ import annotations

import itertools
from typing import Final

from memweir.learning.english.clauses import is_name
from memweir.learning.english.lexicon import ING, PARTICIPLE, verb, words
from memweir.learning.english.names import words_of_tools
from memweir.learning.english.standing import is_technical
from memweir.learning.english.tokens import CODE, NUMBER, QUOTED
from memweir.learning.english.verdicts import FIRST, VAGUE, Seen, Verdict

__all__ = ["binding", "decision", "is_trouble", "project_fact"]

_NOBODY: Final = frozenset(("nobody", "none", "no-one", "noone"))
_CHOSEN: Final = frozenset(("choosing", "picking", "going", "using", "staying", "taking", "dropping"))
_BINDS: Final = frozenset(("always", "only", "never", "ever"))
# What people settle by doing it, where it is done to a part of a project.
_SETTLES: Final = (
    frozenset(
        ("use", "adopt", "standardise", "standardize", "drop", "ditch", "scrap", "retire", "deprecate")
    )
    | frozenset(
        (
            "sunset",
            "replace",
            "abandon",
            "kill",
            "phase",
            "outsource",
            "deploy",
            "migrate",
            "move",
            "host",
        )
    )
    | frozenset(
        ("rip", "rule", "vendor", "switch", "stop", "skip", "freeze", "support", "license", "cap")
    )
)
_PASSING: Final = frozenset(
    ("run", "build", "fail", "compile", "load", "deploy", "wait", "restart", "hang", "start", "finish")
) | frozenset(("come", "go", "take", "get", "crash", "break", "freeze", "stall", "act", "behave"))
_FAILS: Final = frozenset(
    ("fail", "crash", "break", "hang", "freeze", "stall", "stop", "die", "pass", "work", "time", "look")
) | frozenset(("hurt", "ache", "itch", "smell", "seem", "sound", "feel"))
_CONDITIONS: Final = (
    frozenset(
        (
            "slow",
            "green",
            "red",
            "flaky",
            "stale",
            "empty",
            "dirty",
            "clean",
            "missing",
            "open",
            "merged",
        )
    )
    | frozenset(
        ("fixed", "wrong", "weird", "done", "ready", "up", "down", "broken", "full", "failing", "stuck")
    )
    | frozenset(
        ("gone", "back", "live", "late", "early", "running", "huge", "ugly", "messy", "crowded")
    )
)
_IN_GENERAL: Final = frozenset(("basically", "generally", "typically", "commonly", "apparently"))
_SETTLED_BY_PASSIVE: Final = frozenset(
    ("call", "name", "write", "build", "host", "replace", "move", "drop", "retire", "split", "merge")
) | frozenset(("deprecate", "remove", "rewrite", "migrate", "rename", "license", "ship", "release"))


def binding(seen: Seen) -> Verdict | None:
    """A rule for whoever works there: "tests should never hit the network", "nobody pushes to main"."""
    clause = seen.unit.clause
    if clause.tense != "present":
        return None
    trade = _of_trade(seen)
    longest = clause.modal == "can" and clause.negated and seen.lemma == "be" and "than" in seen.after
    if longest and seen.detail.strong and clause.person in ("the", "my", "our", "noun"):
        return Verdict("extract.constraint", "constraint", 0.55)
    if clause.person == "other":
        nobody = bool(seen.head) and (seen.head[0] in _NOBODY or seen.head[:2] == ("no", "one"))
        trade = trade or seen.lemma in words("team-verb") or seen.lemma in ("push", "touch")
        bound = nobody and (trade or seen.detail.strong > 0)
        return Verdict("extract.constraint", "constraint", 0.6) if bound else None
    every = seen.head[:1] in (("all",), ("every",), ("each",)) and clause.modal == "should"
    if every and seen.detail.told >= 1:
        return Verdict("extract.constraint", "constraint", 0.6)
    if clause.modal in ("should", "may", "can", "ought") and clause.person in (
        *("the", "noun", "name", "our", "we"),
    ):
        said = clause.negated or clause.never or bool(_BINDS & set(seen.lows))
        if clause.modal == "can" and not (clause.negated and clause.passive):
            return None
        if said and trade and seen.detail.told + seen.detail.verb >= 1:
            return Verdict("extract.constraint", "constraint", 0.6)
    only = seen.tokens[seen.unit.pieces[0].start].low == "only" and clause.person in (
        "name",
        "the",
        "noun",
    )
    if only and clause.modal in ("may", "can", "should", "must") and seen.detail.told >= 1:
        return Verdict("extract.constraint", "constraint", 0.6)
    if clause.modal == "need" and clause.person in ("the", "noun", "our") and trade:
        return Verdict("extract.constraint", "constraint", 0.55)
    return None


def decision(seen: Seen) -> Verdict | None:
    """Something was settled by the speaker or those they work with."""
    clause = seen.unit.clause
    everyone = clause.person == "other" and seen.head[:1] in (("everyone",), ("everybody",))
    together = everyone and seen.lemma == "agree"
    together = together or (clause.person in ("the", "noun", "our", "my") and _is_group(seen))
    if (
        not (seen.first or together or (clause.person == "the" and seen.lemma == "be"))
        or (
            clause.negated
            and not (clause.person == "we" and (clause.tense == "future" or clause.progressive))
        )
        or seen.detail.strong + seen.detail.concrete == 0
        or clause.modal in ("would", "could", "might", "may", "can")
    ):
        return None
    settled = clause.tense in ("past", "perfect", "future") or clause.progressive
    planned = (
        clause.person == "the"
        and seen.head[-1] in ("plan", "decision", "agreement", "consensus", "compromise", "verdict")
        and seen.lemma == "be"
        and seen.after[:1] in (("to",), ("that",))
    )
    if planned and (_of_trade(seen) or seen.detail.dated):
        return Verdict("extract.decision", "decision", 0.6)
    chosen = (
        seen.lemma in ("decide", "choose", "opt", "finalize")
        or (
            seen.lemma in ("settle", "agree", "standardize", "standardise", "vote", "commit", "land")
            and {"on", "to", "for", "with", "that", "against"} & set(seen.after[:2])
            and (settled or seen.lemma == "settle")
        )
        or (seen.lemma in ("standardize", "standardise") and "on" in seen.after[:2])
    )
    chosen = chosen or (seen.lemma in ("pick", "select") and clause.tense in ("past", "perfect"))
    chosen = chosen or (seen.lemma in ("go", "stick") and seen.after[:1] == ("with",) and settled)
    route = (
        seen.lemma == "go" and seen.after[:1] in (("through",), ("for",)) and clause.tense == "future"
    )
    chosen = chosen or (route and clause.person == "we" and bool(seen.detail.strong or _of_trade(seen)))
    granted = seen.lemma in ("approve", "reject", "veto", "greenlight") and together
    chosen = chosen or (granted and clause.tense in ("past", "perfect"))
    ended = seen.lemma == "end" and seen.after[:1] == ("up",) and clause.person == "we"
    chosen = chosen or (ended and bool(_CHOSEN & set(seen.after[1:3])))
    rather = (
        {"instead", "rather"} & set(seen.lows) and clause.tense == "future" and clause.person == "we"
    )
    kept = (
        seen.lemma == "keep" and clause.tense == "future" and clause.person == "we" and _of_trade(seen)
    )
    chosen = chosen or kept
    chosen = chosen or bool(rather and seen.lemma in ("take", "keep", "build", "write", "run", "buy"))
    chosen = chosen or (
        seen.lemma in _SETTLES
        and (clause.person == "we" or together)
        and settled
        and _of_trade(seen)
        and not (
            seen.lemma in ("use", "deploy", "support", "host") and clause.tense in ("past", "perfect")
        )
        and not (clause.progressive and seen.detail.dated)
    )
    if chosen and not (seen.lemma == "decide" and clause.tense == "present" and not clause.progressive):
        if clause.progressive and seen.lemma == "decide":
            return None
        if seen.lemma == "choose" and clause.tense == "present" and not clause.progressive:
            return None
        return Verdict("extract.decision", "decision", max(seen.sure(), 0.6))
    return None


def project_fact(seen: Seen) -> Verdict | None:
    """How something is built, run and owned: "staging listens on 8443"."""
    clause = seen.unit.clause
    if clause.person not in ("the", "noun", "name", "there", "our", "my", "his") or not seen.head:
        return None
    if clause.person == "there":
        named = any(is_technical(low) for low in seen.after)
        if not named or seen.detail.told < 2 or clause.tense != "present" or set(seen.lows) & _FUSS:
            return None
        return Verdict("extract.project", "fact", 0.5)
    first = seen.head[0]
    head = [low for low in seen.head if low not in words("determiner")]
    technical = any(is_technical(low) for low in head) or any(low in words("company") for low in head)
    moved = seen.lemma in ("move", "shift", "push", "postpone", "reschedule", "cancel", "delay")
    moved = moved and (clause.tense in ("past", "perfect") or clause.passive)
    occasion = seen.detail.dated > 0 and any(low in words("project") for low in head)
    if moved and occasion:
        return Verdict("extract.appointment", "event", 0.55)
    tool = bool(head) and (head[0] in words_of_tools() or seen.head[-1] in words_of_tools())
    tool = tool and not words("everyday") & {head[0], seen.head[-1]}
    trade = any(is_technical(low) for low in seen.after)
    if is_trouble(seen):
        return Verdict("shape.transient") if technical or trade else None
    if clause.person in ("our", "my"):
        negated = clause.negated and clause.passive and technical and clause.person == "our"
        return Verdict("extract.project", "fact", 0.6) if negated else None
    if first in ("a", "an") or first in words("general-head") or _IN_GENERAL & set(seen.lows):
        return None
    if _is_set_elsewhere(seen) or clause.modal not in ("", "will", "must", "can"):
        return None
    begun = seen.lemma in ("found", "establish", "create", "start", "build", "find") and clause.passive
    if begun and clause.tense == "past" and seen.detail.dated and technical:
        return Verdict("extract.project", "fact", 0.5)
    past = clause.tense == "past" or (clause.tense == "perfect" and not clause.passive)
    if past or clause.tense == "used":
        return None
    ours = bool({"we", "our", "us"} & set(seen.after))
    precise = _is_precise(seen) or ours or any(low[:1].isdigit() for low in seen.head[1:])
    if clause.person == "name" and seen.lemma == "report" and seen.after[:1] == ("to",):
        return Verdict("extract.project", "fact", 0.6)
    if clause.person == "name" or tool:
        led = seen.lemma in _ROLES and seen.detail.told >= 1
        known = precise or (trade and not tool and _is_definite(seen)) or (technical and occasion)
        if not (known or (led and not tool)):
            return None
    happens = seen.lemma in ("be", "take", "happen", "start", "begin", "end") and not clause.progressive
    if happens and occasion and not seen.often:
        return Verdict("extract.appointment", "event", 0.6)
    told = seen.detail.told + (seen.detail.verb if clause.passive else 0)
    definite = _is_definite(seen)
    reported = seen.lemma in _BUGGY and not clause.passive and not clause.negated
    if reported and not (seen.often or precise or seen.detail.dated):
        return None
    enough = (
        (technical and (seen.detail.strong + seen.detail.dated >= 1 or (definite and told >= 1)))
        or (technical and clause.passive and told >= 2)
        or (technical and told >= 3)
        or (technical and trade and first in ("the", "all") and told >= 2 and seen.lemma in _RELIES)
        or (technical and clause.negated and seen.lemma == "be" and told >= 2)
        or (technical and first in ("the", "this") and _lacks(seen))
        or (technical and clause.person == "noun" and seen.lemma in _RELIES and told >= 1)
        or (technical and seen.lemma == "be" and told >= 1 and {"default", "main", "max"} & set(head))
        or (clause.passive and precise and told >= 2 and seen.lemma in _DONE_TO)
        or (clause.person == "name" and seen.lemma in _ROLES and told >= 1)
        or (technical and trade and first in ("this", "the") and told >= 2 and seen.lemma == "be")
        or (technical and first in ("every", "each", "all", "any") and told >= 1)
        or (seen.lemma in _ROLES and definite and (trade or "team" in seen.after) and len(head) == 1)
        or (technical and (seen.says("for", "good") or "permanently" in seen.lows))
        or (technical and seen.often and seen.detail.verb + seen.detail.told >= 1)
        or (trade and precise and told >= 2 and first not in words("third"))
        or (trade and definite and told >= 2 and (clause.passive or clause.person == "name"))
    )
    if not enough:
        return None
    if seen.lemma == "be" and told == 1 and _CONDITIONS & set(seen.after) and not seen.detail.dated:
        return VAGUE
    if clause.person == "name" and not technical and not trade and seen.lemma not in _ROLES:
        return None
    if first in ("every", "each", "all", "any") and seen.lemma in ("need", "require", "get"):
        return Verdict("extract.project", "constraint", 0.6)
    sure = 0.65 if technical and (precise or seen.detail.strong) else 0.55
    if clause.tense == "future" and clause.passive and seen.lemma in _SETTLED_BY_PASSIVE:
        return Verdict("extract.project", "decision", sure)
    if clause.modal == "must" or set(seen.after[:3]) & words("binding"):
        return Verdict("extract.project", "constraint", sure)
    if _tells_how(seen):
        return Verdict("extract.project", "procedure", sure)
    if seen.detail.dated and not seen.often and not clause.negated:
        return Verdict("extract.project", "event", sure)
    return Verdict("extract.project", "fact", sure)


# What a part of the work at hand is said to do wrong.
_BUGGY: Final = (
    frozenset(
        ("drop", "return", "throw", "lose", "ignore", "skip", "eat", "swallow", "print", "show", "miss")
    )
    | frozenset(
        (
            "break",
            "leak",
            "overwrite",
            "duplicate",
            "block",
            "display",
            "give",
            "output",
            "raise",
            "close",
        )
    )
    | frozenset(
        ("exit", "die", "stop", "say", "produce", "fail", "crash", "hang", "work", "look", "seem")
    )
)
_RELIES: Final = frozenset(
    (
        "use",
        "support",
        "require",
        "need",
        "follow",
        "target",
        "live",
        "store",
        "rely",
        "depend",
        "speak",
    )
) | frozenset(("expose", "accept", "come", "belong", "expect", "include", "contain", "read", "write"))
_DONE_TO: Final = frozenset(
    ("archive", "store", "keep", "deploy", "host", "build", "write", "generate", "log", "cache", "send")
) | frozenset(("index", "encrypt", "process", "handle", "manage", "route", "ship", "bill", "invoice"))
_ROLES: Final = frozenset(
    ("own", "run", "handle", "lead", "manage", "maintain", "review", "approve", "head", "coordinate")
)
_FUSS: Final = frozenset(
    ("so", "bug", "error", "problem", "issue", "something", "way", "chance", "weird")
)


def is_trouble(seen: Seen) -> bool:
    """Whether something is only so at the moment: the tests run, the screen froze, the head hurts."""
    clause = seen.unit.clause
    if seen.often or clause.modal or clause.person in FIRST:
        return False
    if clause.progressive and clause.tense == "present" and seen.lemma in _PASSING:
        return not seen.detail.dated
    if seen.lemma in _FAILS and clause.tense in ("present", "perfect", "past") and not clause.passive:
        recent = clause.tense == "perfect" or bool({"just", "again", "today", "now"} & set(seen.lows))
        bodily = seen.lemma in ("hurt", "ache", "itch", "smell", "seem", "sound", "feel", "look")
        return recent or (bodily and clause.tense == "present" and seen.detail.told < 3)
    return False


def _of_trade(seen: Seen) -> bool:
    return any(is_technical(low) for low in (*seen.head, *seen.lows)) or seen.detail.strong > 0


def _is_group(seen: Seen) -> bool:
    return bool(seen.head) and seen.head[-1] in words("group")


def _lacks(seen: Seen) -> bool:
    """ "The API doesn't paginate", "this package has no dependencies": not that it just fails to."""
    clause = seen.unit.clause
    if clause.tense != "present" or clause.modal or clause.progressive:
        return False
    if seen.lemma == "have" and seen.after[:1] == ("no",):
        return seen.detail.told >= 1
    trouble = seen.lemma in _FAILS | _BUGGY | _PASSING or seen.lemma in ("respond", "exist", "update")
    return clause.negated and not trouble and seen.lemma not in ("be", "have", "make", "know", "want")


def _is_definite(seen: Seen) -> bool:
    """Whether what is said of it is one that both know: "the orders table", "our cluster"."""
    return bool({"the", "our", "my"} & set(seen.after))


def _is_precise(seen: Seen) -> bool:
    """Whether an address, a number or a written name stands behind the verb."""
    clause = seen.unit.clause
    return any(
        seen.tokens[at].kind in (CODE, NUMBER, QUOTED)
        or (is_name(seen.tokens, at) and seen.tokens[at].low not in words_of_tools())
        for at in range(clause.rest, clause.end)
    )


def _is_set_elsewhere(seen: Seen) -> bool:
    """ "In Japan the fiscal year …": of a part of the world, not of a project."""
    start = seen.unit.pieces[0].start
    clause = seen.unit.clause
    return (
        seen.tokens[start].low in ("in", "according")
        and clause.subject[0] > start
        and any(is_name(seen.tokens, at) for at in range(start, clause.subject[0]))
    )


def _tells_how(seen: Seen) -> bool:
    lows = seen.lows
    doing = any(
        one in ("by", "after", "before") and (known := verb(other)) is not None and known.forms & ING
        for one, other in itertools.pairwise(lows)
    )
    clause = seen.unit.clause
    got = seen.lemma == "get" and any(
        (known := verb(low)) is not None and known.forms & PARTICIPLE for low in seen.after[:2]
    )
    return doing or ((clause.passive or got) and bool({"then", "hand", "manually"} & set(lows)))
