"""Which lasting facts does a Chinese sentence state? Its clauses gated, read, grouped and retold."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from memweir.learning.chinese.clauses import Clause, View, read_clauses, read_view
from memweir.learning.chinese.corrections import find_correction
from memweir.learning.chinese.dates import Edit, date_edits, event_bounds
from memweir.learning.chinese.frames import Frame, find_frame
from memweir.learning.chinese.gates import (
    COMMAND,
    HYPOTHETICAL,
    LOG,
    NOTHING,
    SARCASM,
    TRANSIENT,
    VAGUE,
    gate,
    is_condition,
    is_log,
    is_sarcastic,
    supposes,
)
from memweir.learning.chinese.keys import key_of, reply_key
from memweir.learning.chinese.kinds import read_kind
from memweir.learning.chinese.lexicon import Pattern, words
from memweir.learning.chinese.names import entities_of, participants_of, relations_of
from memweir.learning.chinese.readings import CLEAR, Reading
from memweir.learning.chinese.rewrite import statement_of, subject_phrase
from memweir.learning.chinese.rules import forbids
from memweir.learning.chinese.standing import goes_on, is_standing, remembered, standing_kind
from memweir.learning.chinese.subjects import Subject, find_subject
from memweir.learning.types import Fact, Sentence, Slots, Spoken
from memweir.store.records import clean_text

__all__ = ["LONGEST", "read_chinese"]

LONGEST: Final = 600
"""Characters of a sentence that is read; a longer one is no sentence."""

_USER: Final = "用户"
_EXPLICIT: Final = 0.95
_MOST_CLAUSES: Final = 24
_MOST_IN_ONE: Final = 4
_ENDS_GROUP: Final = ("shape.question", "shape.command", "shape.hypothetical", "shape.quoted")
_HELD: Final = re.compile(
    r"^(?:因为|由于|为了|虽然|尽管|自从|从|在|当|趁|随着|除了|等|到)|(?:时候|期间|之后|以后"
    r"|的时候|时|的话)$"
)


@dataclass(frozen=True, slots=True)
class _Item:
    """A clause read.

    Attributes:
        gated: the rule by which it holds nothing; standing: it is an instruction.
        owner, phrase: the subject it inherits, and that in the third person.
        topic: the next clause says something of it.
        when: a clause left out that says on which day this was: 今天天气好，我去了公园.
        framed: it is one of several that make one fact together.
    """

    clause: Clause
    subject: Subject
    reading: Reading | None = None
    gated: str = ""
    standing: bool = False
    phrase: str = ""
    owner: Subject | None = None
    topic: bool = False
    when: Clause | None = None
    framed: bool = False

    @property
    def whose(self) -> Subject:
        """The subject that it has or inherits."""
        return self.owner if self.owner is not None and self.subject.kind == "none" else self.subject


def read_chinese(sentence: Sentence, spoken: Spoken) -> tuple[Fact, ...] | str:
    """The facts of one sentence, or the rule by which there are none. Never raises.

    Args:
        sentence: prose a person wrote, simplified or traditional, with or without English words.
        spoken: who said it and when.
    """
    text = clean_text(sentence.text)
    if not text.strip():
        return NOTHING
    if len(text) > LONGEST:
        return "shape.long"
    now = spoken.now if spoken.now.utcoffset() is not None else spoken.now.replace(tzinfo=UTC)
    who = spoken.subject.strip() or _USER
    view = read_view(text, now)
    clauses = read_clauses(view)
    places = list(range(len(text) + 1))
    for _ in range(3):
        change = find_correction(view, clauses)
        if change is None:
            break
        kept = (
            text[: change.start]
            + change.words
            + text[change.end : change.resume]
            + text[change.until :]
        )
        # From a place in the corrected text to one in the sentence; the new words cover all of it.
        middle = [change.until] * (len(change.words) + change.resume - change.end)
        places = [
            *places[: change.start + 1],
            *[places[each] for each in middle],
            *places[change.until + 1 :],
        ]
        places = places[: len(kept) + 1]
        text = kept
        view = read_view(text, now)
        clauses = read_clauses(view)
    clauses = clauses[:_MOST_CLAUSES]
    if not clauses:
        return "shape.reaction"
    found = _facts(view, clauses, who, _spoken_of(text, sentence.before, now, who))
    if isinstance(found, str):
        return found
    whole = sentence.text
    return tuple(
        replace(fact, quote=whole[places[start] : max(places[end], places[start] + 1)])
        for start, end, fact in found
    )


_Placed = tuple[int, int, Fact]


def _facts(
    view: View, clauses: list[Clause], who: str, before: tuple[Subject, str] | None
) -> list[_Placed] | str:
    if is_log(view.simple):
        return LOG
    if is_sarcastic(clauses):
        return SARCASM
    request = remembered(view, clauses)
    if request is not None:
        if not request.clauses:
            return VAGUE
        return _explicit(view, request.clauses, who, before)
    items = _read_items(view, clauses, who, before)
    asked = any(item.gated in _ENDS_GROUP for item in items)
    groups = _groups(items, beside=asked)
    found = [
        placed
        for placed in (_fact(view, group, who) for group in groups)
        if len(placed[2].statement) > 3
    ]
    if found:
        return found
    for item in items:
        if item.gated and item.gated not in ("shape.greeting", "shape.reaction"):
            return item.gated
    return next((item.gated for item in items if item.gated and all(i.gated for i in items)), NOTHING)


_CHANGE: Final = Pattern("<change>")
_DIRECTIVE: Final = Pattern("<directive>")
_ITS: Final = Pattern("其<attribute>")
_HE: Final = re.compile("[他她它牠](?!们|人)")
_PEOPLE: Final = ("owned", "kin", "named")


def _read_items(
    view: View, clauses: list[Clause], who: str, before: tuple[Subject, str] | None
) -> list[_Item]:
    items: list[_Item] = []
    owner: tuple[Subject, str] | None = None
    supposed = False
    frame = find_frame(clauses)
    mentioned: tuple[Subject, str] | None = None
    for number, clause in enumerate(clauses):
        subject = find_subject(clause, view)
        alone = frame is not None and frame.first == frame.last and is_standing(clause, subject)
        if frame is not None and frame.first <= number <= frame.last and not alone:
            items.append(_framed(clause, subject, frame, first=number == frame.first))
            continue
        if is_standing(clause, subject) or (
            items
            and items[-1].standing
            and subject.kind not in ("self", "we", "kin", "owned", "named")
            and goes_on(clause, items[-1].clause)
        ):
            items.append(_Item(clause, subject, standing=True))
            continue
        following = clauses[number + 1].body if number + 1 < len(clauses) else ""
        supposed = supposed or (supposes(clause) and not is_condition(clause, following))
        if supposed:
            items.append(_Item(clause, subject, gated=HYPOTHETICAL))
            continue
        subject, phrase = _resolved(subject, clause, owner, owner or mentioned or before)
        if subject.kind == "other" and items and _is_topic(items[-1], clause):
            items[-1] = replace(items[-1], topic=True)
            subject = replace(subject, kind="named")
        chained = bool(items) and not items[-1].gated and items[-1].clause.mark in ("，", ",", "、")
        gated = gate(clause, subject, chained=chained)
        if gated == COMMAND and forbids(clause, subject, subject.kind) is not None:
            gated = ""
        if gated:
            mentioned = _mentioned(view, clause, who) or mentioned
            items.append(_Item(clause, subject, gated=gated))
        else:
            spoken_of = owner or mentioned or before
            inherited = spoken_of[0].kind if spoken_of is not None and phrase else "none"
            reading = read_kind(clause, subject, inherited)
            if (
                reading is not None
                and subject.kind == "none"
                and reading.rule in _NEEDS_SUBJECT
                and reading.word != "叫我"
                and not (phrase and items and items[-1].reading is not None)
                and subject.start == subject.end
            ):
                reading = None
            items.append(
                _Item(
                    clause,
                    subject,
                    reading,
                    phrase=phrase,
                    owner=spoken_of[0] if spoken_of is not None and phrase else None,
                    when=_day_before(items, clause, reading),
                )
            )
        names = items[-1].reading is not None or len(subject.said) > 2
        if subject.kind not in ("none", "this", "you") and names:
            owner = subject, subject_phrase(view, subject, who)
        elif owner is None and phrase:
            owner = before
    return items


_MENTION: Final = Pattern("(?:我|咱|俺)(?:们)?(?:家|的)?(?P<noun><kin>|<associate>)(?![们节亲])")


def _mentioned(view: View, clause: Clause, who: str) -> tuple[Subject, str] | None:
    """The one person of the speaker's that a clause names beside what it is about: 给我领导写封邮件."""
    found = list(_MENTION.finditer(clause.body))
    if len(found) != 1:
        return None
    start, end = clause.start + found[0].start(), clause.start + found[0].end()
    subject = Subject("owned", start, end, found[0]["noun"], "", clause.start)
    return subject, subject_phrase(view, subject, who)


def _framed(clause: Clause, subject: Subject, frame: Frame, *, first: bool) -> _Item:
    """A clause of a frame; the first carries what is made of it all."""
    return _Item(clause, subject, frame.reading if first else None, framed=True)


def _day_before(items: list[_Item], clause: Clause, reading: Reading | None) -> Clause | None:
    """The clause left out before an event without a day that names its day."""
    if reading is None or reading.kind != "event" or clause.dates or not items:
        return None
    last = items[-1]
    return last.clause if last.gated == TRANSIENT and len(last.clause.dates) == 1 else None


def _is_topic(before: _Item, clause: Clause) -> bool:
    """我家的那台空调，它…: a noun of which the next clause speaks as "it"."""
    return (
        before.reading is None
        and not before.gated
        and not before.standing
        and len(before.clause.body) >= 4
        and _HE.match(clause.body) is not None
    )


def _resolved(
    subject: Subject,
    clause: Clause,
    owner: tuple[Subject, str] | None,
    antecedent: tuple[Subject, str] | None,
) -> tuple[Subject, str]:
    """A subject and the phrase of whom it means where that was said before: 他 is who was spoken of."""
    if (
        subject.kind == "other"
        and antecedent is not None
        and antecedent[0].kind in (*_PEOPLE, "project")
    ):
        place = subject.start - clause.start
        if clause.body.startswith("其", place) and _ITS.match(clause.body, place):
            return replace(subject, kind="none"), antecedent[1] + "的"
        if _HE.match(clause.body, place) and subject.end - subject.start == 1:
            return replace(subject, kind="none"), antecedent[1]
    if subject.kind == "none" and owner is not None:
        return subject, owner[1]
    return subject, ""


def _spoken_of(text: str, before: str, now: datetime, who: str) -> tuple[Subject, str] | None:
    """The one person that the sentence before is about; None where there is none or several."""
    if not before or len(before) > LONGEST or not _HE.search(text):
        return None
    view = read_view(clean_text(before), now)
    if text.lstrip()[:1] in ("它", "牠"):
        return _thing_spoken_of(view, who)
    found: dict[str, Subject] = {}
    for clause in read_clauses(view):
        subject = find_subject(clause, view)
        if subject.kind in _PEOPLE:
            found[subject_phrase(view, subject, who)] = subject
    if len(found) != 1:
        return None
    phrase, subject = next(iter(found.items()))
    return subject, phrase


_THING: Final = Pattern(
    "(?:我们|咱们|咱|我|你)?(?:家|的)?(?:那个|这个|那|这)?(?P<thing>[A-Za-z0-9][A-Za-z0-9 ._/-]{0,24}的?[\u4e00-\u9fff]{0,4}?<project_noun>|<project_noun>)"
)


def _thing_spoken_of(view: View, who: str) -> tuple[Subject, str] | None:
    """The one thing of work that a sentence names, for "it" in the next."""
    found = list(_THING.finditer(view.masked))
    if len(found) != 1:
        return None
    start, end = found[0].start("thing"), found[0].end("thing")
    name = view.text[start:end].strip()
    return Subject("project", start, end, name, "", start), name


_NEEDS_SUBJECT: Final = frozenset(
    (
        "extract.identity",
        "extract.possession",
        "extract.trait",
        "extract.stated",
        "extract.name",
        "extract.use",
    )
)


def _groups(items: list[_Item], *, beside: bool) -> list[list[_Item]]:
    groups: list[list[_Item]] = []
    current: list[_Item] = []
    held: list[_Item] = []
    loose: _Item | None = None
    for item in items:
        if item.gated:
            loose = None
        elif loose is not None and not current and not held and _belongs_to(loose, item):
            held = [loose]
        if item.gated:
            if item.gated in _ENDS_GROUP and current:
                groups.append(current)
                current = []
            held = []
            continue
        if item.standing:
            if current and not _is_rule(current):
                groups.append(current)
                current = []
            if current:
                current.append(item)
            elif groups and _ends_in_rule(groups[-1], item):
                groups[-1].append(item)
            else:
                groups.append([*held, item])
            held = []
            continue
        if item.framed:
            if item.reading is not None:
                if current:
                    groups.append(current)
                current = []
                groups.append([item])
            else:
                groups[-1].append(item)
            continue
        if item.reading is None:
            if current:
                excepts = item.clause.opener in ("不过", "但是", "但") or item.clause.body.startswith(
                    "但"
                )
                if len(current) < _MOST_IN_ONE and (not beside or excepts) and _attaches(item):
                    current.append(item)
            elif item.topic or _HELD.search(item.clause.body) or item.clause.dates:
                held.append(item)
            else:
                loose = item
            continue
        loose = None
        if not current:
            current = [*held, item]
        elif _starts_anew(current, item):
            groups.append(current)
            current = [*held, item]
        elif len(current) < _MOST_IN_ONE:
            current.append(item)
        held = []
    if current:
        groups.append(current)
    if beside:
        groups = [
            group
            for group in groups
            if any(
                item.standing
                or (
                    item.reading is not None
                    and item.reading.lasting
                    and item.reading.confidence >= 0.6
                    and (item.reading.kind != "event" or _is_dated(item))
                )
                for item in group
            )
        ]
    return groups


def _belongs_to(loose: _Item, item: _Item) -> bool:
    """A clause without a reading of its own says of what a rule or a decision is: 大促期间代码冻结，谁也不许发."""
    kind = "" if item.reading is None else item.reading.kind
    return (
        kind in ("constraint", "decision")
        and item.subject.kind in ("none", "noun")
        and 4 <= len(loose.clause.body) <= 24
        and loose.subject.kind in ("noun", "project", "owned", "we", "none")
        and loose.clause.mark in ("，", ",")
    )


def _is_dated(item: _Item) -> bool:
    """An event of somebody's on a day that is named."""
    reading = item.reading
    return (
        bool(item.clause.dates)
        and item.subject.kind in ("self", "we", "owned", "kin")
        and reading is not None
        and (reading.rule == "extract.deadline" or reading.confidence >= 0.7)
    )


def _is_rule(group: list[_Item]) -> bool:
    """Rules said in one breath are one: 测试里不准访问外网，所有请求都得 mock 掉."""
    return all(
        item.standing or (item.reading is not None and item.reading.kind == "constraint")
        for item in group
    )


def _ends_in_rule(group: list[_Item], item: _Item) -> bool:
    last = group[-1]
    return (
        len(group) < _MOST_IN_ONE
        and _is_rule(group)
        and last.clause.end < item.clause.start
        and last.clause.mark[:1] in ("，", ",", "、", " ")
    )


def _attaches(item: _Item) -> bool:
    if item.clause.opener in ("所以", "因此", "因为", "于是") and item.subject.kind in ("we", "owned"):
        return True
    return 2 <= len(item.clause.body) <= 24 and item.subject.kind in (
        "none",
        "noun",
        "other",
        "self",
        "project",
        "named",
    )


# What only a person does, so that a clause without a subject speaks of the person before it.
_DOINGS: Final = frozenset(("extract.event", "extract.plan"))
_OF_THINGS: Final = frozenset(
    (
        "extract.thing",
        "extract.setting",
        "extract.location",
        "extract.use",
        "extract.attribute",
        "extract.identity",
    )
)
_OF_PERSONS: Final = frozenset(("extract.work", "extract.residence", "extract.preference"))


def _starts_anew(current: list[_Item], item: _Item) -> bool:
    """Whether a clause with a reading of its own is a fact apart from those before it."""
    last = next((each for each in reversed(current) if each.reading is not None), None)
    if last is None or last.reading is None or item.reading is None:
        return False
    if _moves_on(last, item):
        return False
    own = item.subject.kind != "none"
    if item.subject.kind == "project" and current[0].subject.kind in ("owned", "project", "we"):
        return False
    if item.clause.opener in ("因为", "所以", "因此", "于是"):
        return False
    if re.match(
        r"(?:因为|所以|因此|于是|才|而是|而不是|而非|不是|就|以便|从而|为了|但|不过|可是|也|后来|剩下|其余|其他|另外)",
        item.clause.body,
    ):
        return False
    if re.search(
        "[给跟和对帮替比让](?:他|她|它)|^(?:他|她)(?:的)?(?:[男女]朋友|老公|老婆|爸|妈|儿子|女儿|弟|妹|哥|姐)",
        item.clause.body,
    ):
        return False
    if not own:
        if last.reading.rule == "extract.background" or item.reading.rule == "extract.experience":
            return False
        if last.subject.kind in ("project", "noun", "we", "owned") and item.reading.rule in _OF_THINGS:
            return False
        if last.reading.rule == "extract.negation" and item.clause.body.startswith(("戒", "都", "从")):
            return False
        if last.reading.rule in _DOINGS and item.reading.rule in _OF_PERSONS:
            return True
        if any(
            each.reading is not None
            and each.reading.rule in ("extract.possession", "extract.event", "extract.plan")
            for each in current
        ):
            return False
        if item.reading.rule in _NEEDS_SUBJECT:
            return False
        if item.reading.kind == "event" or last.reading.kind in ("decision", "constraint"):
            return False
        if item.reading.rule == last.reading.rule == "extract.preference":
            return _denies(item) == _denies(last)
        return item.reading.lasting
    if item.subject.kind in ("self", "we") and item.reading.kind == last.reading.kind == "event":
        return item.clause.mark not in ("，", ",") and last.clause.mark in ("；", ";", "。")
    return True


def _denies(item: _Item) -> bool:
    return re.search("不|讨厌|反感|受不了|厌恶|嫌|怕", item.clause.body) is not None


_THEN: Final = re.compile("以前|之前|原来|原先|过去|曾经|本来|早先|从前")
_NOW: Final = re.compile("现在|如今|目前|后来|今年开始|已经|改")


def _moves_on(before: _Item, after: _Item) -> bool:
    """以前住北京，现在住上海."""
    return _THEN.search(before.clause.body) is not None and _NOW.search(after.clause.body) is not None


# --- facts -------------------------------------------------------------------------------------------


def _fact(view: View, group: list[_Item], who: str, *, explicit: bool = False) -> _Placed:
    start, end = (group[0].when or group[0].clause).start, group[-1].clause.end
    if any(item.standing for item in group):
        return start, end, _instruction(view, group, who)
    main = next((item for item in group if item.reading is not None), group[0])
    if _RULE_OF.search(main.clause.body):  # 我们组有个规矩，周会不超过半小时
        main = next((each for each in group if _is_rule([each])), main)
    reading = main.reading or Reading("fact", "explicit.remember", CLEAR, True)
    if len(group) == 2 and _moves_on(group[0], group[1]):
        ordered = [group[1], group[0]]
        main = group[1]
        reading = replace(group[1].reading or reading, rule="extract.change")
        moved = True
    else:
        ordered, moved = group, False
    pieces = [
        _piece(view, item, who, first=number == 0, moved=moved, main=main)
        for number, item in enumerate(ordered)
    ]
    statement = "，".join(filter(None, pieces)).strip("，, ") + "。"
    key_reading = main.reading or reading
    key = key_of(main.clause, main.whose, key_reading, view)
    if explicit and key is None:
        key = reply_key(main.clause.body) if main.subject.kind == "none" else None
    relations = tuple(
        dict.fromkeys(
            relation
            for item in group
            if item.reading is not None
            for relation in relations_of(view, item.clause, item.whose, item.reading, who)
        )
    )
    change = _CHANGE.search(view.simple[start:end])
    dates = view.dates_in(start, end)
    spoken = view.text
    said = (
        spoken[main.clause.end - len(main.subject.said) : main.clause.end] if main.subject.said else ""
    )
    slots = Slots(
        time="，".join(spoken[span.start : span.end] for span in dates),
        participants=participants_of(view, start, end),
        event=said if reading.kind == "event" else "",
        relation=spoken[start + change.start() : start + change.end()] if change else "",
        conclusion=said if reading.kind in ("decision", "preference", "constraint") else "",
    )
    fact = Fact(
        statement=statement,
        quote="",
        kind=reading.kind,
        confidence=_EXPLICIT if explicit else reading.confidence,
        rule="explicit.remember" if explicit else reading.rule,
        explicit=explicit or _is_order(group),
        semantic_key=key,
        window=event_bounds(view, start, end, weekly=_is_weekly(main)),
        entities=entities_of(view, start, end, who, [item.whose for item in group]),
        relations=relations,
        slots=slots,
    )
    return start, end, fact


_ORDER: Final = re.compile(
    "别|不要|不许|不准|不得|不能|不可|禁止|严禁|必须|一律|都得|务必|统一|一定要|只能|只许|先给我|至少|最多"
)
_TO_YOU: Final = re.compile("(?:就|请|可)?(?:别|不要)(?:再)?(?:给|往|跟|叫|让|推荐|安排|排|约|发)")


def _is_order(group: list[_Item]) -> bool:
    """It lays down what others are to do, and says not that it is only so."""
    if any(
        item.subject.kind in ("none", "noun", "project") and _TO_YOU.search(item.clause.body)
        for item in group
    ):
        return True
    return any(
        item.reading is not None
        and item.reading.kind == "constraint"
        and item.subject.kind in ("none", "noun", "project", "other", "named")
        and _ORDER.search(item.clause.body)
        for item in group
    ) and not any(
        _RULE_OF.search(item.clause.body) or item.subject.kind in ("we", "self") for item in group
    )


_RULE_OF: Final = re.compile("(?:规矩|规定|约定|原则|底线|红线|要求)(?:是|就是|:|：)?$")
_WEEKLY: Final = ("constraint", "procedure", "preference")
_WEEKLY_RULES: Final = ("extract.habit", "extract.negation")


def _is_weekly(item: _Item) -> bool:
    """A day of the week in it is every one of them."""
    reading = item.reading
    return item.standing or (
        reading is not None and (reading.kind in _WEEKLY or reading.rule in _WEEKLY_RULES)
    )


def _piece(view: View, item: _Item, who: str, *, first: bool, moved: bool, main: _Item) -> str:
    """One clause of a statement; the first names its subject."""
    clause, subject = item.clause, item.subject
    extra: list[Edit] = []
    if item.reading is not None and item.reading.word == "叫我":
        return _naming(view, clause, who)
    if first:
        if subject.kind in ("self", "we") and subject.start > clause.start:
            phrase = subject_phrase(view, subject, who)
            extra = [Edit(clause.start, clause.start, phrase), Edit(subject.start, subject.end, "")]
        elif (
            subject.kind == "none"
            and (item.phrase or _speaks_of_user(item))
            and not _names_itself(item)
        ):
            extra = [
                Edit(clause.start, clause.start, item.phrase or _left_out(item, who)),
                Edit(subject.start, subject.end, ""),
            ]
        elif subject.kind == "kin":
            extra = [Edit(subject.start, subject.start, f"{who}的")]
    elif subject.kind == "self" and (main.subject.kind == "self" or moved):
        extra = [Edit(subject.start, subject.end, "")]
    elif subject.kind == "none" and subject.end > subject.start:  # 他, who was named before
        extra = [Edit(subject.start, subject.end, "" if item.phrase == main.phrase else item.phrase)]
    elif subject.kind == "kin":
        extra = [Edit(subject.start, subject.start, f"{who}的")]
    if first and item.when is not None:
        days = date_edits(view, item.when.start, item.when.end)
        extra.append(Edit(subject.end, subject.end, "".join(edit.words for edit in days)))
    text = statement_of(view, clause, who, extra, weekly=_is_weekly(main))
    if not first and clause.opener in words("connector"):
        text = clause.opener + text
    return text


_ALL: Final = re.compile("所有|全部|任何|一切|每个|凡|各")


def _left_out(item: _Item, who: str) -> str:
    """Whom a clause without a subject is about: the speaker, or what the speaker wants of others."""
    reading = item.reading
    if reading is not None and reading.rule == "extract.procedure":
        return ""
    if reading is not None and reading.rule == "extract.constraint" and not item.clause.dates:
        return "" if _ALL.match(item.clause.body) else f"{who}要求"
    return who


def _names_itself(item: _Item) -> bool:
    """徒步挑战赛的时间是…: a subject that begins with a verb."""
    reading = item.reading
    return (
        reading is not None
        and reading.rule == "extract.attribute"
        and reading.word == "的"
        and not item.phrase
    )


def _speaks_of_user(item: _Item) -> bool:
    return item.reading is not None or not item.clause.body[:1].isascii()


_CALL_ME: Final = re.compile(
    r"(?:叫我|称呼我为?|喊我)(?P<name>[^,我俺咱]{1,12}?)(?:就行了?|就好了?|即可|吧|就可以了?)?$"
)


def _naming(view: View, clause: Clause, who: str) -> str:
    match = _CALL_ME.search(clause.body)
    if match is None:
        return statement_of(view, clause, who)
    name = view.text[clause.start + match.start("name") : clause.start + match.end("name")]
    return f"{who}希望被称为{name}"


# --- explicit requests -------------------------------------------------------------------------------

_ADDRESS: Final = re.compile(
    r"^(?:我(?:更|比较)?(?:希望|想|想让|想要|需要|喜欢)(?:你|您)能?|请你?|麻烦你?|你|您)+"
)


def _explicit(
    view: View, clauses: tuple[Clause, ...], who: str, before: tuple[Subject, str] | None
) -> list[_Placed] | str:
    items: list[_Item] = []
    for read in _read_items(view, [each for each in clauses if each.body], who, before):
        clause, subject = read.clause, read.subject
        if read.gated in ("shape.question", "shape.greeting", "shape.reaction"):
            continue
        reading = read.reading
        if read.gated and read.gated != "shape.command":
            reading = read_kind(clause, subject)
        directive = subject.kind in ("none", "you", "noun") and (
            read.standing
            or read.gated == "shape.command"
            or (reading is None and not clause.dates and _DIRECTIVE.match(clause.body) is not None)
        )
        items.append(
            replace(read, standing=directive, reading=None if directive else reading, gated="")
        )
    if not items:
        return VAGUE
    groups: list[list[_Item]] = []
    for item in items:
        if (
            groups
            and not item.standing
            and not groups[-1][-1].standing
            and not (item.reading is not None and _starts_anew(groups[-1], item))
        ) or (groups and item.standing and groups[-1][-1].standing):
            groups[-1].append(item)
        else:
            groups.append([item])
    return [_fact(view, group, who, explicit=True) for group in groups]


_TO_ME: Final = re.compile(r"(?<=回答|回复|答复|告诉)我$")


def _instruction(view: View, group: list[_Item], who: str) -> Fact:
    start, end = group[0].clause.start, group[-1].clause.end
    simple = view.simple[start:end]
    pieces = []
    for item in group:
        address = _ADDRESS.match(item.clause.body)
        extra = [Edit(item.clause.start, item.clause.start + address.end(), "")] if address else []
        tail = _TO_ME.search(item.clause.body)
        if tail:
            extra.append(Edit(item.clause.start + tail.start(), item.clause.end, ""))
        if _CALL_ME.search(item.clause.body):
            pieces.append(_naming(view, item.clause, who))
            continue
        pieces.append(statement_of(view, item.clause, who, extra).replace("你", "助手"))
    statement = "，".join(filter(None, pieces)).strip("，,：: ") + "。"
    if not statement.startswith(f"{who}希望"):
        statement = f"{who}要求{statement}"
    return Fact(
        statement=statement,
        quote="",
        kind=standing_kind(simple),
        confidence=_EXPLICIT,
        rule="explicit.standing",
        explicit=True,
        semantic_key=reply_key(simple),
        window=None,
        entities=entities_of(view, start, end, who, [item.subject for item in group]),
        slots=Slots(conclusion=view.text[start:end]),
    )
