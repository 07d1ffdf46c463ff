"""What kind of memory is a unit, and how sure is that? The first named rule that applies decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from memweir.learning.english.clauses import is_name
from memweir.learning.english.detail import Detail
from memweir.learning.english.lexicon import BASE, verb, words
from memweir.learning.english.names import words_of_tools
from memweir.learning.english.pieces import Unit
from memweir.learning.english.project import binding, decision, is_trouble, project_fact
from memweir.learning.english.tokens import CODE, NUMBER, QUOTED, Token
from memweir.learning.english.verdicts import FIRST, FOR_SPEAKER, GENERAL, OWN, VAGUE, Seen, Verdict

__all__ = ["Verdict", "judge"]


_ARTICLES: Final = frozenset(("a", "an", "my", "our", "some", "another", "the", "new", "two", "three"))
_FORBIDS: Final = frozenset(
    ("allowed", "permitted", "supposed", "forbidden", "prohibited", "banned", "required", "mandatory")
)
_CONTACTS: Final = frozenset(
    ("one", "person", "contact", "guy", "expert", "owner", "lead", "maintainer")
)
_FAVOURED: Final = frozenset(
    ("driver", "thing", "forte", "go-to", "jam", "preference", "weakness", "poison")
)
_BROKE: Final = frozenset(("crash", "fail", "break", "hang", "freeze", "stop", "restart", "go", "be"))
_INGESTS: Final = frozenset(("eat", "drink", "have", "tolerate", "handle", "digest", "take", "use"))
_STATES_PERFECT: Final = frozenset(
    ("have", "know", "live", "work", "own", "use", "study", "teach", "be")
)


def judge(tokens: Sequence[Token], unit: Unit, detail: Detail) -> Verdict:
    """The verdict of the first rule that has one; less sure where the words point at what is not
    said."""
    clause = unit.clause
    lows = tuple(tokens[at].low for piece in unit.pieces for at in range(piece.start, piece.end))
    seen = Seen(
        tokens,
        unit,
        detail,
        lows,
        tuple(token.low for token in tokens[clause.rest : clause.end]),
        tuple(token.low for token in tokens[clause.subject[0] : clause.subject[1]]),
    )
    for rule in _RULES:
        verdict = rule(seen)
        if verdict is not None:
            return _pointing(seen, verdict) if verdict.kind else verdict
    return VAGUE


def _pointing(seen: Seen, verdict: Verdict) -> Verdict:
    """ "I watched it", "I took this photo": the object is known to the partner alone."""
    clause = seen.unit.clause
    at = clause.rest
    while at < clause.end and (
        seen.tokens[at].low in words("preposition") or seen.tokens[at].low in words("adverb")
    ):
        at += 1
    if at >= clause.end:
        return verdict
    low = seen.tokens[at].low
    following = seen.tokens[at + 1].low if at + 1 < clause.end else ""
    bare = low in ("it", "them", "him", "her") or (
        low in ("this", "that", "these", "those")
        and (
            at + 1 >= clause.end
            or following in words("preposition")
            or following in words("subordinator")
            or following in words("adverb")
        )
    )
    if (
        low == "her"
        and at + 1 < clause.end
        and following.isalpha()
        and following not in words("preposition")
    ):
        bare = False
    if bare and not (seen.detail.strong or seen.detail.dated) and seen.detail.concrete < 3:
        return VAGUE
    pointed = low in ("this", "that", "these", "those") and not bare
    noun = at + 1
    while noun < clause.end and seen.tokens[noun].low in words("evaluative"):
        noun += 1
    vague = pointed and (noun >= clause.end or seen.tokens[noun].low in words("vague"))
    if vague and not (seen.detail.strong or seen.detail.dated) and seen.detail.concrete < 4:
        return VAGUE
    if bare or (pointed and low != "that"):
        return replace(verdict, confidence=min(verdict.confidence - 0.2, 0.5))
    return verdict


# --- the rules, in order ------------------------------------------------------------------------------


def _change(seen: Seen) -> Verdict | None:
    clause = seen.unit.clause
    if not (seen.first or clause.person in ("my", "our", "the", "name", "noun")):
        return None
    if seen.detail.told + seen.detail.dated == 0:
        return None
    ended = seen.says("no", "longer") or (
        clause.negated
        and ("anymore" in seen.lows or seen.says("any", "more") or seen.says("any", "longer"))
    )
    if ended:
        return Verdict("extract.change", _kind_of_state(seen), seen.sure(), "change")
    if clause.tense == "used":
        return Verdict("extract.change", "fact", seen.sure(0.7), "change")
    if clause.negated or clause.modal:
        return None
    if seen.lemma in ("switch", "migrate", "convert", "upgrade", "swap", "revert", "transfer") and {
        "to",
        "from",
        "for",
        "with",
        "off",
    } & set(seen.after):
        return Verdict("extract.change", "decision", seen.sure(0.75), "change")
    if seen.lemma in ("replace", "rename") and clause.tense in ("past", "perfect"):
        return Verdict("extract.change", "decision", seen.sure(0.75), "change")
    if seen.lemma in ("stop", "quit") and clause.tense in ("past", "perfect") and not seen.says("by"):
        return Verdict("extract.change", "event", seen.sure(), "change")
    if seen.lemma in ("move", "relocate", "migrate") and "to" in seen.after and seen.detail.strong:
        return Verdict("extract.change", "event", seen.sure(), "change")
    return None


def _name(seen: Seen) -> Verdict | None:
    clause = seen.unit.clause
    if (
        seen.lemma == "be"
        and seen.head
        and seen.head[-1] in ("name", "nickname", "surname", "pronouns")
        and clause.person in ("my", "our")
    ):
        return Verdict("extract.name", "fact", 0.85)
    if (
        seen.lemma in ("call", "name")
        and clause.passive
        and clause.person in ("my", "our")
        and seen.detail.strong
    ):
        return Verdict("extract.name", "fact", 0.75)
    return None


def _preference(seen: Seen) -> Verdict | None:
    clause = seen.unit.clause
    told = seen.detail.told
    if _leans(seen):
        return Verdict("extract.preference", "preference", max(seen.sure(0.75), 0.5))
    if clause.person not in (*FIRST, "my", "our", "name", "gerund"):
        return None
    favourite = "favorite" in seen.head or (
        seen.lemma == "be"
        and {"favorite", "favorites", "faves"} & set(seen.after)
        and {"my", "our"} & set(seen.after)
        and clause.person in ("name", "gerund", "my")
    )
    if seen.head[:1] == ("what",) and seen.lemma == "be":  # "what I love most is …"
        loved = any(
            (known := verb(low)) is not None and known.lemma in words("agree") for low in seen.head
        )
        return Verdict("extract.preference", "preference", 0.7) if loved and told else None
    if favourite and seen.lemma == "be":
        named = told or clause.person in ("name", "gerund")
        return Verdict("extract.preference", "preference", 0.8) if named else VAGUE
    if clause.person == "gerund":
        return None
    likes = seen.lemma in words("agree") and clause.tense in ("present", "past", "perfect", "used")
    if likes and clause.tense in ("present", "perfect"):
        if told == 0 or not _has_object(seen):
            return VAGUE
        return Verdict(
            "extract.preference", "preference", seen.sure() if clause.person != "none" else 0.6
        )
    if "rather" in seen.lows and clause.modal == "would":
        return Verdict("extract.preference", "preference", seen.sure(0.75)) if told else VAGUE
    if clause.modal == "would" and seen.lemma == "prefer":
        return Verdict("extract.preference", "preference", seen.sure(0.7)) if told else VAGUE
    if clause.modal == "can" and clause.negated and seen.lemma in ("stand", "bear"):
        return Verdict("extract.preference", "preference", seen.sure()) if told else VAGUE
    if seen.lemma == "be" and clause.tense == "present":
        drawn = (
            seen.says("fan", "of")
            or seen.says("fond", "of")
            or seen.says("passionate", "about")
            or seen.says("obsessed", "with")
            or seen.says("hooked", "on")
            or seen.says("crazy", "about")
            or seen.says("all", "about")
            or seen.says("keen", "on")
            or seen.says("interested", "in")
            or seen.says("big", "on")
            or seen.after[:1] == ("into",)
            or seen.says("drawn", "to")
            or seen.says("addicted", "to")
            or seen.says("partial", "to")
        )
        if drawn:
            return (
                Verdict("extract.preference", "preference", seen.sure(0.75))
                if told > 1 or seen.detail.strong or (told and seen.after[:1] == ("into",))
                else VAGUE
            )
    if (
        seen.lemma in ("draw", "obsess", "interest", "fascinate", "hook", "addict")
        and clause.passive
        and told
    ):
        return Verdict("extract.preference", "preference", seen.sure(0.7))
    return None


def _leans(seen: Seen) -> bool:
    """Other ways to say what is preferred: "I'm a morning person", "tea beats coffee for me"."""
    clause = seen.unit.clause
    after = seen.after
    told = seen.detail.told + (seen.lemma == "be" and after[:1] == ("what",))
    told += seen.lemma == "be" and {"my", "thing"} <= set(after) and bool(seen.head)
    told += seen.lemma in ("work", "suit", "fit") and any(
        low not in words("vague") for low in seen.head
    )
    if told == 0 or (clause.negated and seen.lemma != "be"):
        return False
    personal = {"me", "my"} & set(seen.lows) or seen.says("any", "day") or seen.says("every", "time")
    if seen.lemma == "have" and seen.first and "preference" in after[:5]:
        return True
    if seen.lemma == "be" and seen.first and clause.tense == "present":
        kind = next((at for at, low in enumerate(after) if low in words("person-of")), -1)
        if kind > 1 and ({"a", "an"} & set(after[:kind])) and after[0] in ("a", "an", "more", "the"):
            return True
    always = "always" in seen.lows or clause.modal in ("will", "would") or "any" in after
    if (
        seen.lemma in ("pick", "choose", "take", "go", "use", "reach")
        and seen.first
        and "over" in after
    ):
        return always or clause.tense == "present"
    if seen.lemma == "be" and after[:2] in (("what", "i"), ("how", "i")) and clause.tense == "present":
        return bool({"like", "prefer", "love", "enjoy", "live", "about"} & set(after[2:6]))
    if seen.lemma == "want" and seen.first and clause.tense == "present":
        every = after[:1] in (("all",), ("every",), ("no",)) and seen.detail.told >= 2
        return every or bool(set(after[:4]) & words("answer-thing"))
    if seen.lemma == "beat" and clause.tense == "present":
        return bool(personal)
    if seen.lemma in ("swear", "lean", "gravitate", "tend") and seen.first:
        return bool({"by", "toward", "towards", "to"} & set(after[:2])) and clause.tense == "present"
    if seen.lemma in ("live", "do") and clause.modal in ("can", "could") and "without" in after[:1]:
        return True
    if seen.lemma == "have" and seen.first and seen.says("soft", "spot"):
        return True
    told += sum(low not in words("vague") for low in seen.head) if seen.lemma == "be" else 0
    fits = {"driver", "thing", "forte", "go-to", "jam", "preference", "weakness", "poison"} & {
        *seen.head,
        *after,
    }
    if seen.lemma == "be" and fits and {"my", "our"} & set(seen.lows):
        return True
    return (
        seen.lemma in ("work", "suit", "fit")
        and "me" in after
        and bool({"best", "better"} & set(after))
    )


def _constraint(seen: Seen) -> Verdict | None:
    clause = seen.unit.clause
    told = seen.detail.told
    if told == 0:
        return None
    if "deadline" in seen.head or ("deadline" in seen.after and seen.lemma in ("be", "have")):
        return (
            Verdict("extract.constraint", "constraint", max(seen.sure(), 0.6))
            if seen.detail.dated or seen.detail.strong
            else VAGUE
        )
    if (
        clause.person == "my"
        and seen.lemma in ("tell", "advise", "order")
        and seen.after[:1] == ("me",)
    ):
        return Verdict("extract.constraint", "constraint", 0.55)
    bound = clause.modal == "must" or (clause.modal == "need" and seen.often)
    bound = bound and clause.tense == "present"
    if bound and clause.person in (*FIRST, "my", "our", "the", "noun", "name"):
        lasts = seen.lemma in ("avoid", "limit", "take", "wear", "stay") and (
            "because" in seen.lows or seen.often or seen.lemma == "avoid"
        )
        if lasts:
            return Verdict("extract.constraint", "constraint", seen.sure(0.7))
        if (
            clause.person in FIRST
            and not seen.detail.dated
            and not seen.detail.strong
            and "not" not in seen.lows
            and "always" not in seen.lows
            and not seen.often
        ):
            return Verdict("shape.transient")
        return Verdict("extract.constraint", "constraint", max(seen.sure(0.7), 0.5))
    if (
        (clause.passive or seen.lemma == "be")
        and _FORBIDS & set(seen.lows)
        and clause.tense == "present"
    ):
        return Verdict("extract.constraint", "constraint", max(seen.sure(), 0.55))
    if clause.modal == "can" and clause.negated and seen.lemma in _INGESTS and seen.first:
        return Verdict("extract.constraint", "constraint", seen.sure())
    if clause.never and clause.tense == "present" and not clause.modal:
        return Verdict("extract.constraint", "constraint", seen.sure(0.75))
    return None


def _identity(seen: Seen) -> Verdict | None:
    clause = seen.unit.clause
    if seen.lemma not in ("be", "become") or clause.progressive or clause.passive or not seen.after:
        return None
    if clause.person not in (*FIRST, "my", "our", "name") or clause.tense == "future":
        return None
    told = seen.detail.told
    plain = [low for low in seen.after if low not in words("adverb") and low != "not"]
    if not plain:
        return VAGUE
    first = plain[0]
    if seen.lemma == "become":
        return Verdict("extract.identity", "event", seen.sure()) if told else VAGUE
    if clause.person in FIRST and clause.person != "none":
        if first in words("identity") or (any(low in words("identity") for low in plain[:3]) and told):
            return Verdict("extract.identity", "fact", seen.sure(0.85))
        if any(low.rstrip("s") in words("job") for low in plain[:6]) and first in (
            "a",
            "an",
            "the",
            "both",
        ):
            return Verdict("extract.identity", "fact", seen.sure(0.85))
        if first in ("from", "at", "on", "in", "with", "based") and (seen.detail.strong or told > 1):
            return Verdict("extract.identity", "fact", seen.sure(0.75))
        if seen.detail.strong and (
            "old" in plain or "years" in plain or (clause.tense == "present" and plain[0].isdigit())
        ):
            return Verdict("extract.identity", "fact", seen.sure(0.85))
        if first in ("a", "an", "the", "one", "part") and told:
            return Verdict(
                "extract.identity", "fact", seen.sure(0.75 if told > 1 or seen.detail.strong else 0.6)
            )
        if seen.often and clause.tense == "present":  # "I'm out on Fridays"
            return Verdict("extract.identity", "fact", seen.sure(0.65))
        if first == "to" and clause.tense == "perfect" and seen.detail.strong:  # "I've never been to"
            return Verdict("extract.identity", "fact", seen.sure(0.65))
        if "born" in plain and seen.detail.total > 1:
            return Verdict("extract.identity", "fact", seen.sure(0.85))
        return Verdict("extract.identity", "fact", seen.sure(0.5)) if seen.detail.total >= 3 else VAGUE
    related = bool({"my", "our"} & set(seen.after)) and told >= 1 and clause.person == "name"
    happens = seen.detail.dated > 0 and bool(set(seen.head) & words("project"))
    if not happens and (told == 0 or (seen.detail.total < 2 and clause.person != "my" and not related)):
        return VAGUE
    if seen.detail.dated and (set(seen.head) & words("project")):
        return Verdict("extract.appointment", "event", max(seen.sure(), 0.6))
    role = plain[:1] == ["the"] and bool({"to", "for"} & set(plain[2:4])) and plain[1] in _CONTACTS
    if role and clause.person == "name":
        return Verdict("extract.named", "fact", 0.5)
    if clause.person in ("my", "our"):
        if told == 1 and not seen.detail.strong and first in words("evaluative") | words("state"):
            return VAGUE
        return Verdict("extract.owned", "fact", seen.sure(0.75))
    if not (seen.detail.strong or seen.detail.dated or related):
        return GENERAL
    return Verdict("extract.named", "fact", 0.5 if seen.detail.total >= 3 else 0.4)


def _possession(seen: Seen) -> Verdict | None:
    clause = seen.unit.clause
    if seen.lemma not in ("have", "own", "get") or not (seen.first or clause.person in ("my", "our")):
        return None
    if seen.lemma == "get" and not (clause.tense == "perfect" and "got" in seen.lows):
        return None
    if clause.tense not in ("present", "perfect") or clause.modal:
        return None
    told = seen.detail.told
    if told == 0:
        return VAGUE
    if seen.detail.dated and clause.tense == "present":
        return Verdict("extract.appointment", "event", seen.sure(0.75))
    people = any(
        low in words("pet")
        or low in words("kin-female")
        or low in words("kin-male")
        or low in words("kin")
        for low in seen.after
    )
    return Verdict(
        "extract.possession", "fact", seen.sure(0.8 if people or seen.detail.strong else 0.65)
    )


def _in_steps(seen: Seen) -> bool:
    """ "For a hotfix we branch off the tag, cherry-pick, and bump the patch number"."""
    clause = seen.unit.clause
    start = seen.unit.pieces[0].start
    if clause.person not in ("we", "i") or clause.tense != "present" or clause.progressive:
        return False
    aimed = clause.subject[0] > start and seen.tokens[start].low in (
        "for",
        "to",
        "when",
        "before",
        "in",
    )
    deeds = sum(
        (low in words("imperative") or low in words("team-verb")) and seen.lows[at] in ("and", "then")
        for at, low in enumerate(seen.lows[1:])
    ) + sum(
        (known := verb(seen.tokens[piece.start].low)) is not None and bool(known.forms & BASE)
        for piece in seen.unit.pieces[1:]
    )
    return (aimed and deeds >= 1) or deeds >= 2


def _procedure(seen: Seen) -> Verdict | None:
    clause = seen.unit.clause
    if _in_steps(seen) and seen.detail.told >= 2 and not clause.modal and not clause.negated:
        return Verdict("extract.procedure", "procedure", seen.sure(0.7))
    if (
        clause.tense != "present"
        or clause.progressive
        or clause.negated
        or clause.modal not in ("", "must")
    ):
        return None
    if clause.person not in ("we", "our", "the", "noun", "i") or seen.detail.total < 2:
        return None
    lows = seen.lows
    for at in range(len(lows) - 1):
        known = verb(lows[at + 1])
        doing = known is not None and lows[at + 1].endswith("ing")
        common = seen.lemma in words("team-verb") or clause.person in ("we", "our")
        common = common or (
            lows[at] == "by" and seen.detail.strong > 0 and not {"me", "my"} & set(lows)
        )
        if lows[at] in ("by", "before", "after") and doing and common:
            return Verdict("extract.procedure", "procedure", max(seen.sure(0.7), 0.5))
    return None


def _event(seen: Seen) -> Verdict | None:
    clause = seen.unit.clause
    if clause.tense not in ("past", "perfect", "future") and not (
        seen.detail.dated
        and (clause.progressive or clause.modal == "must" or seen.lemma in words("plan"))
    ):
        return None
    if clause.modal not in ("", "will", "must", "need", "shall", "can"):
        return None
    told = seen.detail.told
    told += clause.person in ("my", "our") and bool(seen.head) and seen.head[-1] not in words("vague")
    acquired = (
        seen.lemma in words("getting") and seen.after[:1] and seen.after[0] in _ARTICLES and told >= 1
    )
    happened = (
        clause.tense == "past"
        and seen.detail.dated > 0
        and seen.lemma not in _BROKE
        and bool(set(seen.head) & words("project"))
    )
    enough = (
        acquired
        or happened
        or told >= 2
        or (told >= 1 and seen.detail.total + (told - seen.detail.told) >= 2)
    )
    if clause.person == "gerund" or (clause.person == "noun" and clause.tense == "perfect"):
        return _affects(seen)
    if clause.person not in (*FIRST, "my", "our", "name", "the", "noun", "other"):
        return None
    if is_trouble(seen) and clause.person in ("my", "the", "our"):
        return Verdict("shape.transient")
    if (
        clause.person in ("name", "noun")
        and words_of_tools() & set(seen.head)
        and not seen.detail.dated
    ):
        return GENERAL
    if seen.lemma == "go" and clause.tense == "past" and seen.says("to", "school"):
        return Verdict("extract.relation", "fact", seen.sure(0.7))
    if (
        clause.person in ("the", "noun", "name")
        and {"me", "us"} & set(seen.after)
        and clause.tense == "past"
    ):
        return Verdict("extract.event", "event", 0.5) if seen.detail.told >= 2 else GENERAL
    if clause.person == "other":
        return Verdict("extract.event", "event", 0.5) if enough else VAGUE
    if (
        clause.person in ("the", "noun")
        and not (_is_project(seen) and seen.detail.total >= 2)
        and seen.detail.strong + seen.detail.dated == 0
    ):
        return GENERAL
    if seen.head and all(low in words("vague") for low in seen.head) and clause.person == "noun":
        return VAGUE
    if not enough and clause.tense == "perfect" and clause.progressive and told:
        return Verdict("extract.since", "fact", seen.sure(0.6))
    if not enough:
        return VAGUE
    if (
        seen.lemma == "be"
        and clause.tense == "past"
        and not clause.passive
        and not seen.detail.strong
        and told < 2
    ):
        return VAGUE
    if clause.tense == "future":
        if not seen.detail.dated and seen.first and seen.detail.total < 3:
            return VAGUE
        return Verdict("extract.plan", "event", seen.sure(0.7 if seen.detail.dated else 0.5))
    if (
        seen.head
        and clause.person in OWN
        and seen.head[-1] in words("vague")
        and not (seen.detail.strong or seen.detail.dated)
    ):
        return VAGUE
    if seen.lemma == "come" and seen.after[:1] == ("from",) and clause.person in ("my", "our", "i"):
        return Verdict("extract.since", "fact", seen.sure(0.8))
    if clause.tense == "perfect" and (
        clause.progressive or (seen.lemma in _STATES_PERFECT and not seen.says("been", "to"))
    ):
        return Verdict("extract.since", "fact", seen.sure(0.7))
    return Verdict(
        "extract.event", "event", max(seen.sure(0.8 if seen.detail.total >= 3 else 0.65), 0.4)
    )


def _progress(seen: Seen) -> Verdict | None:
    clause = seen.unit.clause
    if not clause.progressive or clause.tense != "present":
        return None
    told = seen.detail.told
    if clause.person not in (*FIRST, "my", "our", "name"):
        return None
    if told == 0 or seen.detail.total < 2:
        return VAGUE
    if (
        seen.head
        and clause.person in OWN
        and seen.head[-1] in words("vague")
        and not (seen.detail.strong or seen.detail.dated)
    ):
        return VAGUE
    lasting = seen.lemma in words("lasting-progress")
    passing = set(seen.lows) & words("moment")
    if passing - {"now"} or (passing and (not lasting or seen.says("right", "now"))):
        return Verdict("shape.transient")
    if seen.lemma in words("plan"):
        return Verdict("extract.plan", "event", seen.sure(0.65))
    return Verdict("extract.progress", "fact", seen.sure(0.7 if lasting else 0.5))


def _habit(seen: Seen) -> Verdict | None:
    clause = seen.unit.clause
    if clause.tense != "present":
        return None
    told = seen.detail.told
    if is_trouble(seen) and clause.person in ("my", "the", "our"):
        return Verdict("shape.transient")
    if clause.person == "gerund":
        return _affects(seen)
    if clause.person in ("noun", "name") and {"me", "us", "my"} & set(seen.after):
        return _affects(seen)
    if clause.person == "there":
        own = bool({"my", "our", "we"} & set(seen.lows)) or (
            _is_project(seen) and seen.detail.strong > 0
        )
        return Verdict("extract.named", "fact", 0.45) if own and told >= 2 else GENERAL
    if clause.person in ("the", "noun"):
        if _is_project(seen) and (seen.detail.strong or seen.detail.dated or told >= 3):
            kind = "event" if seen.detail.dated and not seen.often else "fact"
            return Verdict(
                "extract.named", kind, 0.6 if seen.detail.strong or seen.detail.dated else 0.45
            )
        return GENERAL
    if (
        clause.person in ("my", "our")
        and seen.head
        and seen.head[-1] not in words("vague")
        and seen.detail.verb
    ):
        told += 1
    thin = seen.detail.total < 2 and not seen.often and seen.lemma in words("light")
    if told == 0 or thin:
        return VAGUE
    if clause.person == "name":
        if not (seen.detail.strong or seen.detail.dated):
            return GENERAL
        return Verdict("extract.named", "fact", 0.55 if seen.detail.total >= 3 else 0.4)
    if seen.detail.dated and not seen.often:
        return Verdict("extract.appointment", "event", seen.sure(0.7))
    if clause.person == "none":
        return Verdict("extract.habit", "fact", 0.45)
    if seen.lemma in ("know", "speak") and seen.after[:1] in (("that",), ("how",), ("what",), ("it",)):
        return VAGUE
    weak = seen.detail.total < 3 and not seen.often
    return Verdict("extract.habit", "fact", seen.sure(0.65 if weak else 0.75))


def _affects(seen: Seen) -> Verdict:
    """ "Hiking has opened up a new world for me", "painting helps me relax": what something is to
    somebody."""
    clause = seen.unit.clause
    at = seen.after[0] if seen.after else ""
    told = sum(low not in words("vague") and low not in words("preposition") for low in seen.head)
    felt = (
        clause.person == "gerund"
        and seen.lemma == "be"
        and clause.tense in ("past", "perfect")
        and not clause.modal
        and (at in words("evaluative") or at in words("degree") or seen.says("dream", "come", "true"))
    )
    if felt and told >= 3 and not clause.negated:
        own = {"my", "me", "i", "our", "we"} & {*seen.head, *seen.after}
        kind = "event" if seen.detail.dated else "fact"
        return Verdict("extract.affects", kind, 0.4, "" if own else FOR_SPEAKER)
    if not {"my", "me", "i", "our"} & set(seen.after):
        return GENERAL
    if clause.person == "gerund" and seen.lemma == "be" and at in ("my", "our") and told >= 3:
        return Verdict("extract.affects", "fact", 0.45)
    activity = any(low not in words("vague") and low not in words("evaluative") for low in seen.head)
    if seen.detail.told == 0 and not (activity and seen.lemma not in words("light")):
        return GENERAL
    return Verdict("extract.affects", "fact", 0.45) if activity else GENERAL


_RULES: Final[tuple[Callable[[Seen], Verdict | None], ...]] = (
    binding,
    _change,
    decision,
    _name,
    _preference,
    _constraint,
    project_fact,
    _possession,
    _procedure,
    _identity,
    _event,
    _progress,
    _habit,
)


def _kind_of_state(seen: Seen) -> str:
    return "preference" if seen.lemma in words("agree") else "fact"


def _has_object(seen: Seen) -> bool:
    """Whether the verb of liking has something concrete after it."""
    clause = seen.unit.clause
    tokens = seen.tokens
    for at in range(clause.rest, clause.end):
        if tokens[at].kind in (CODE, NUMBER, QUOTED) or is_name(tokens, at):
            return True
        low = tokens[at].low
        if low.isalpha() and not any(
            low in words(name)
            for name in (
                "first",
                "second",
                "third",
                "determiner",
                "preposition",
                "adverb",
                "evaluative",
                "vague",
                "subordinator",
                "be",
                "have",
                "do",
            )
        ):
            return True
    return False


def _is_project(seen: Seen) -> bool:
    """Whether the subject is of the kind that projects and lives are made of: a server, a wedding."""
    tools = words_of_tools()
    return any(
        low in words("project") or low.rstrip("s") in words("project") or low in tools
        for low in seen.head
    )
