"""Which question does a statement answer that has one answer? "preference.editor", "home.city", "name".

A key is given only where the words say plainly what it is the value of: by a noun ("my timezone is"),
by
a verb with its place ("I live in Oslo"), or by a tool of a known kind ("I switched to pnpm").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from memweir.learning.english.clauses import is_name
from memweir.learning.english.kinds import Verdict
from memweir.learning.english.lexicon import entries, words
from memweir.learning.english.pieces import Unit
from memweir.learning.english.tokens import CODE, MARK, Token, tokenise
from memweir.learning.english.verb_groups import skip_adverbs

__all__ = ["key_of", "reply_language", "tool_at", "tool_key"]

# Of these one usually uses a single one; of others (databases, languages) a choice must be spoken of.
_SINGLE: Final = frozenset(
    [
        "package-manager",
        "editor",
        "shell",
        "terminal",
        "browser",
        "os",
        "theme",
        "keyboard-layout",
        "indentation",
        "formatter",
        "linter",
        "test-framework",
        "ci",
        "vcs",
    ]
)
_CHOOSING: Final = frozenset(
    [
        "prefer",
        "switch",
        "migrate",
        "choose",
        "pick",
        "select",
        "settle",
        "go",
        "stick",
        "decide",
        "opt",
        "move",
        "replace",
        "convert",
    ]
)
_USING: Final = frozenset(("use", "run", "work"))
_INSTEAD: Final = frozenset(("over", "not", "from", "than", "instead", "rather"))
_SLUG: Final = re.compile(r"[^a-z0-9]+")
_REPLY: Final = frozenset(
    ("answer", "reply", "respond", "write", "speak", "talk", "communicate", "explain")
)


def key_of(tokens: Sequence[Token], unit: Unit, verdict: Verdict) -> str | None:
    """The key of a unit; None where it is not clear."""
    clause = unit.clause
    if verdict.kind == "preference":
        topic = _of_topic(tokens, unit)
        if topic:
            return topic
    if verdict.relation == "change" and (clause.negated or clause.tense == "used"):
        return None
    if clause.person == "name" and clause.lemma == "be" and not clause.negated:
        held = tokens[clause.rest : clause.end]
        if len(held) == 2 and held[0].low in ("my", "our"):
            return _single(_nouns().get(held[1].low))
    named = clause.lemma == "be" or (clause.lemma in ("call", "name") and clause.passive)
    if named and not clause.negated and clause.subject[1] > clause.subject[0]:
        found = _of_noun(tokens, unit)
        if found:
            return found
    if clause.negated or clause.never:
        return None
    return _of_place(tokens, unit) or _of_tool(tokens, unit)


def reply_language(tokens: Sequence[Token], start: int, end: int) -> str | None:
    """The key of an order to answer in a language."""
    lows = [token.low for token in tokens[start:end]]
    if any(low in _REPLY or low in ("answers", "replies", "responses") for low in lows) and any(
        one == "in" and other in words("tongue") for one, other in pairwise(lows)
    ):
        return "language.reply"
    return None


def _single(key: str | None) -> str | None:
    return None if key is None or key.startswith("preference.") else key


def _of_topic(tokens: Sequence[Token], unit: Unit) -> str | None:
    """ "I'm more of a window seat person": the one thing of which several can be preferred."""
    lows = [tokens[at].low for piece in unit.pieces for at in range(piece.start, piece.end)]
    if unit.clause.negated or unit.clause.lemma in (
        "hate",
        "dislike",
        "stand",
        "bear",
        "detest",
        "loathe",
    ):
        return None
    if unit.clause.lemma in ("call", "address") and unit.clause.passive:
        return "nickname"
    spoken = f" {' '.join(lows)} "
    found = {
        key for key, topics in entries("key-topic").items() for one in topics if f" {one} " in spoken
    }
    return next(iter(found)) if len(found) == 1 else None


def _of_noun(tokens: Sequence[Token], unit: Unit) -> str | None:
    """ "My favorite color is green", "our default branch is main", "my dog's name is Max"."""
    clause = unit.clause
    subject = [token for token in tokens[clause.subject[0] : clause.subject[1]] if token.kind != MARK]
    lows = [token.low for token in subject]
    if len(lows) > 6 or "and" in lows:
        return None
    if "favorite" in lows:
        noun = lows[lows.index("favorite") + 1 :]
        if not noun or ("of" in noun[1:] and noun[0] not in ("kind", "type", "genre")):
            noun = noun[: noun.index("of")] if "of" in noun else noun
        return (
            _favourite(noun)
            if (noun and clause.person in ("my",) and not noun[-1].endswith("s"))
            or noun[-1:] == ["series"]
            else None
        )
    if clause.person in ("my", "our") and lows[0] in ("my", "our"):
        if lows[-1] == "name" and len(lows) == 3 and lows[1].endswith("'s"):
            owned = lows[1][:-2]
            if owned in words("pet"):
                return f"pet.{owned}.name"
            if owned in words("kin-female") | words("kin-male") | words("kin"):
                return f"family.{owned}.name"
            return None
        noun = lows[1:]
        if clause.lemma in ("call", "name") and len(noun) == 1:
            if noun[0] in words("pet"):
                return f"pet.{noun[0]}.name"
            if noun[0] in words("kin-female") | words("kin-male"):
                return f"family.{noun[0]}.name"
        if noun[-1] in ("setup", "toolchain", "toolset"):
            editors = [
                at
                for at in range(clause.rest, clause.end)
                if tool_at(tokens, at, clause.end)[0] == "editor"
            ]
            return "preference.editor" if len(editors) == 1 else None
        key = _nouns().get(" ".join(noun))
        if key and not key.startswith("preference."):
            return key
    if lows[0] in ("the", "our", "my") and "default" in lows:
        return (
            f"default.{_slug(' '.join(lows[lows.index('default') + 1 :]))}"
            if lows[-1] != "default"
            else None
        )
    return None


def _favourite(noun: Sequence[str]) -> str | None:
    spoken = " ".join(noun)
    known = _nouns().get(spoken)
    if known and known.startswith("preference."):
        return known
    slug = _slug(spoken)
    return f"preference.{slug}" if slug and len(noun) <= 3 else None


def _of_place(tokens: Sequence[Token], unit: Unit) -> str | None:
    """What a verb and its preposition tell of the speaker: where they live, for whom they work."""
    clause = unit.clause
    if clause.person not in ("i", "none") or clause.subject[1] - clause.subject[0] > 1 or clause.modal:
        return None
    at = skip_adverbs(tokens, clause.rest, clause.end)
    low = tokens[at].low if at < clause.end else ""
    following = at + 1
    named = following < clause.end and (is_name(tokens, following) or tokens[following].kind == CODE)
    if clause.lemma == "call" and clause.passive:
        return "nickname" if clause.modal else "name"
    if clause.lemma == "go" and low == "by" and named:
        return "nickname"
    if clause.lemma == "be" and low == "in" and named and tokens[following].low in words("zone"):
        return "timezone"
    if clause.lemma in ("work", "sit", "intern") and clause.tense in ("present", "perfect"):
        for place in range(at, clause.end - 1):
            if tokens[place].low == "at" and is_name(tokens, place + 1):
                return "work.employer"
    if (
        clause.lemma in ("live", "reside")
        and low == "in"
        and named
        and clause.tense in ("present", "perfect")
    ):
        return "home.city"
    if (
        clause.lemma in ("move", "relocate")
        and low == "to"
        and named
        and clause.tense in ("past", "perfect")
    ):
        return "home.city"
    if clause.lemma == "be" and clause.tense == "present":
        if (
            low == "based"
            and following + 1 < clause.end
            and tokens[following].low == "in"
            and is_name(tokens, following + 1)
        ):
            return "home.city"
        words_after = [token.low for token in tokens[at : clause.end]]
        if words_after[1:3] == ["years", "old"]:
            return "age"
        if words_after and words_after[0] in ("vegan", "vegetarian", "pescatarian"):
            return "diet"
        if words_after[:1] in (["a"], ["an"]) and len(words_after) > 1:
            if words_after[1] in ("vegan", "vegetarian", "pescatarian"):
                return "diet"
            head = list(words_after[1:4])
            if any(word in words("job") for word in head) and "of" not in head and "fan" not in head:
                return "work.role"
    if (
        clause.lemma == "work"
        and clause.tense in ("present", "perfect")
        and named
        and low in ("at", "for")
    ):
        return "work.employer"
    if clause.lemma == "work" and low == "as" and clause.tense in ("present", "perfect"):
        return "work.role"
    if (
        clause.lemma == "join"
        and clause.tense in ("past", "perfect")
        and at < clause.end
        and is_name(tokens, at)
    ):
        return (
            "work.employer"
            if any(token.low in ("as", "team") for token in tokens[at : clause.end])
            else None
        )
    return None


def _of_tool(tokens: Sequence[Token], unit: Unit) -> str | None:
    clause = unit.clause
    if clause.person not in ("i", "we", "none", "our", "the") or clause.modal not in (
        "",
        "would",
        "will",
        "must",
    ):
        return None
    if clause.lemma not in _CHOOSING and clause.lemma not in _USING:
        return None
    found = _chosen_tool(tokens, clause.rest, clause.end)
    if found is None or (clause.lemma in _USING and found not in _SINGLE):
        return None
    return f"{'preference' if clause.person in ('i', 'none') else 'project'}.{found}"


def tool_key(tokens: Sequence[Token], start: int, end: int) -> str | None:
    """The key of a choice of tool, for the project at hand."""
    found = _chosen_tool(tokens, start, end)
    return None if found is None else f"project.{found}"


def _chosen_tool(tokens: Sequence[Token], start: int, end: int) -> str | None:
    """The kind of the one tool that a stretch chooses; None where there is none, or several."""
    kinds: dict[str, int] = {}
    at = start
    against = False
    stop = end
    while at < stop:
        low = tokens[at].low
        if tokens[at].kind == MARK or (
            low in ("for", "in", "when", "because", "and") and kinds and low != "and"
        ):
            if low == "," and at + 1 < stop and tokens[at + 1].low == "not":
                against = True
            elif low != ",":
                break
        if low in _INSTEAD:
            against = True
        elif low == "to":
            against = False
        kind, length = tool_at(tokens, at, stop)
        if kind:
            if not against:
                kinds[kind] = kinds.get(kind, 0) + 1
            at += length
            continue
        at += 1
    if len(kinds) != 1:
        return None
    kind, count = next(iter(kinds.items()))
    return kind if count == 1 else None


def tool_at(tokens: Sequence[Token], at: int, end: int) -> tuple[str, int]:
    """(kind of tool, tokens) of the tool named at a place; ("", 0): none."""
    for parts, kind in _tools().get(tokens[at].low, ()):
        if at + len(parts) <= end and all(
            tokens[at + offset].low == part for offset, part in enumerate(parts)
        ):
            return kind, len(parts)
    return "", 0


@cache
def _tools() -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for kind, names in entries("tool").items():
        for name in names:
            parts = tuple(token.low for token in tokenise(name))
            found.setdefault(parts[0], []).append((parts, kind))
    return {
        first: tuple(sorted(each, key=lambda entry: -len(entry[0]))) for first, each in found.items()
    }


@cache
def _nouns() -> dict[str, str]:
    return {noun: key for key, nouns in entries("key-noun").items() for noun in nouns}


def _slug(spoken: str) -> str:
    return _SLUG.sub("-", spoken).strip("-")
