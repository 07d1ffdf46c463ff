"""Which words make up the verb of a clause, and what do they say of its time?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memweir.learning.english.lexicon import BASE, ING, PARTICIPLE, PAST, THIRD, verb, words
from memweir.learning.english.tokens import WORD, Token

__all__ = ["Clause", "is_adverb", "read_group", "skip_adverbs"]

_MOSTLY_PAST: Final = frozenset(
    ("quit", "hit", "hurt", "cut", "shut", "split", "bet", "beat", "set", "put", "let")
)
_NO_ADVERB: Final = frozenset(
    (
        "family",
        "monthly",
        "italy",
        "july",
        "assembly",
        "anomaly",
        "butterfly",
        "lively",
        "friendly",
        "lovely",
        "lonely",
        "ugly",
        "silly",
        "holy",
        "early",
        "elderly",
    )
)
_NO_PROGRESS: Final = frozenset(
    (
        "thing",
        "nothing",
        "something",
        "everything",
        "anything",
        "morning",
        "evening",
        "king",
        "ring",
        "string",
        "spring",
        "wedding",
        "building",
        "beijing",
        "exciting",
        "amazing",
        "interesting",
    )
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A subject with its verb group. Places are numbers of tokens.

    Attributes:
        start, end: the stretch it was read from.
        subject: half-open; empty where the subject was left out.
        person: "i", "we", "you", "he", "she", "it", "they", "this", "there", "who", "other" (somebody,
            everything), "my", "our", "your", "his" (a noun of theirs), "name", "the", "noun",
            "gerund", or "none" where it was left out.
        finite: the first verb of the group; main: its main verb; rest: what comes after.
        lemma: of the main verb.
        tense: "present", "past", "perfect", "future", "used".
        modal: "" or "would", "can", "could", "should", "may", "might", "must", "need".
        progressive, passive, negated: of the group; never: it is denied by "never".
    """

    start: int
    end: int
    subject: tuple[int, int]
    person: str
    finite: int
    main: int
    rest: int
    lemma: str
    tense: str
    modal: str = ""
    progressive: bool = False
    passive: bool = False
    negated: bool = False
    never: bool = False


def skip_adverbs(tokens: Sequence[Token], at: int, end: int) -> int:
    """The first place that holds no adverb."""
    while at < end and tokens[at].kind == WORD and is_adverb(tokens[at].low):
        at += 1
    return at


def is_adverb(low: str) -> bool:
    if low in words("adverb"):
        return True
    return low.endswith("ly") and len(low) > 5 and verb(low) is None and low not in _NO_ADVERB


def read_group(
    tokens: Sequence[Token], start: int, end: int, subject: tuple[int, int], person: str, finite: int
) -> Clause | None:
    low = tokens[finite].low
    if tokens[finite].kind != WORD:
        return None
    known = verb(low)
    modal, tense = "", "present"
    progressive = passive = negated = never = False
    never = any(token.low == "never" for token in tokens[subject[1] : finite])
    last = ""  # the auxiliary before
    main, place = finite, finite
    lemma = known.lemma if known is not None else _stem(low)
    if low in words("modal"):
        modal = low
        tense = "future" if low in ("will", "shall") else "present"
        last = "modal"
        lemma = ""
    elif low in words("be"):
        last = "be"
        tense = "past" if low in ("was", "were") else "perfect" if low == "been" else "present"
    elif low in words("have"):
        last = "have"
        tense = "past" if low == "had" else "present"
    elif low in words("do"):
        last = "do"
        tense = "past" if low == "did" else "present"
    elif known is not None and known.forms & ING:
        tense, progressive = "present", True
    elif known is None:
        tense = "past" if low.endswith("ed") else "present"
    elif known.forms & PAST:
        tense = (
            "past"
            if not known.forms & BASE or low in _MOSTLY_PAST or _looks_back(tokens, start, end)
            else "present"
        )
        if known.forms & THIRD:
            tense = "present"
    elif known.forms & PARTICIPLE and not known.forms & BASE:
        tense = "perfect"
    if low in ("get", "gets") and person in ("noun", "the", "name", "our"):
        done = skip_adverbs(tokens, finite + 1, end)
        coming = verb(tokens[done].low) if done < end else None
        if coming is not None and coming.forms & PARTICIPLE and tokens[done].low not in words("state"):
            return Clause(
                start,
                end,
                subject,
                person,
                finite,
                done,
                done + 1,
                coming.lemma,
                "present",
                passive=True,
            )  # "secrets get rotated"
    place = finite + 1
    while last and place < end and tokens[place].kind == WORD:
        word = tokens[place].low
        if word == "not":
            negated = True
            place += 1
            continue
        if word == "never":
            never = True
            place += 1
            continue
        if last == "be" and word == "going" and place + 2 < end and tokens[place + 1].low == "to":
            after = skip_adverbs(tokens, place + 2, end)
            coming = verb(tokens[after].low) if after < end else None
            if coming is not None and coming.forms & BASE:
                tense = "future" if tense == "present" else tense
                main, lemma, place = after, coming.lemma, after + 1
                last = ""
                break
        if word == "much" and place + 1 < end and tokens[place + 1].low == "rather":
            place += 1
            continue
        if word in words("adverb") and word not in ("no", "so", "too", "in"):
            ahead = skip_adverbs(tokens, place + 1, end)
            nxt = verb(tokens[ahead].low) if ahead < end else None
            if nxt is None and not (ahead < end and tokens[ahead].low in words("be")):
                break
            place += 1
            continue
        other = verb(word)
        if last == "modal":
            if other is None or not other.forms & BASE:
                if (
                    modal
                    and not lemma
                    and other is None
                    and word.isalpha()
                    and word not in words("determiner")
                ):
                    main, lemma, place = place, word, place + 1
                    last = ""
                break
            main, lemma = place, other.lemma
            last = "be" if word == "be" else "have" if word == "have" else ""
        elif last == "do":
            if other is None or not other.forms & BASE or word in words("determiner"):
                break
            main, lemma, last = place, other.lemma, ""
        elif last == "have":
            if (
                other is None
                and word.endswith("ed")
                and len(word) > 4
                and word not in words("noun-suffix-not-verb")
            ):
                main, lemma, last = place, _stem(word), ""
                tense = tense if tense == "past" else "perfect"
                place += 1
                break
            if other is None or not other.forms & PARTICIPLE:
                break
            if (
                word == "had"
                and tokens[place - 1].low == "have"
                and place + 1 < end
                and tokens[place + 1].low == "to"
            ):
                pass
            main, lemma = place, other.lemma
            if tense != "past":
                tense = "perfect"
            last = "be" if word == "been" else ""
        elif last == "be":
            doing = other is not None and other.forms & ING and person in ("i", "we", "none")
            if not doing and (word in words("state") or word in words("evaluative")):
                break
            if other is None and word.endswith("ing") and len(word) > 5 and word not in _NO_PROGRESS:
                progressive, main, lemma, last = True, place, _stem(word), ""
                place += 1
                break
            if (
                other is None
                or not other.forms & (ING | PARTICIPLE)
                or (word == "being" and place + 1 >= end)
            ):
                break
            if other.forms & ING and other.forms & PARTICIPLE == 0:
                progressive, main, lemma = True, place, other.lemma
                last = "be" if word == "being" else ""
            elif other.forms & PARTICIPLE and not other.forms & BASE:
                passive, main, lemma, last = True, place, other.lemma, ""
            else:
                break
        place += 1
        if not last:
            break
    if modal and not lemma:
        return None
    between = [token.low for token in tokens[subject[1] : main]]
    negated = negated or ("no" in between and "longer" in between)
    rest = place if place > main else main + 1
    if (
        lemma == "use"
        and tokens[main].low == "used"
        and rest + 1 < end
        and tokens[rest].low == "to"
        and not passive
    ):
        after = skip_adverbs(tokens, rest + 1, end)
        coming = verb(tokens[after].low) if after < end else None
        if coming is not None and coming.forms & BASE:
            tense, main, lemma, rest = "used", after, coming.lemma, after + 1
    elif lemma in ("have", "need", "get") and rest < end and tokens[rest].low == "to":
        after = skip_adverbs(tokens, rest + 1, end)
        coming = verb(tokens[after].low) if after < end else None
        if (
            coming is None
            and lemma == "have"
            and after < end
            and tokens[after].low.isalpha()
            and tokens[after].low not in words("determiner")
        ):
            return Clause(
                start,
                end,
                subject,
                person,
                finite,
                after,
                after + 1,
                tokens[after].low,
                tense,
                "must",
                False,
                False,
                negated,
                never,
            )
        if (
            coming is not None
            and coming.forms & BASE
            and (lemma != "get" or (tokens[main].low == "got" and tense != "past"))
        ):
            modal = "need" if lemma == "need" else "must"
            main, lemma, rest = after, coming.lemma, after + 1
    return Clause(
        start,
        end,
        subject,
        person,
        finite,
        main,
        rest,
        lemma,
        tense,
        modal,
        progressive,
        passive,
        negated,
        never,
    )


def _stem(low: str) -> str:
    for ending in ("ing", "ed", "s"):
        if low.endswith(ending) and len(low) > len(ending) + 2:
            return low[: -len(ending)]
    return low


def _looks_back(tokens: Sequence[Token], start: int, end: int) -> bool:
    return any(token.low in words("past-time") for token in tokens[start:end])
