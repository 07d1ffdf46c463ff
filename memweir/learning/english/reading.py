"""Which facts does one English sentence hold? The way through the stages, from words to facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from memweir.learning.english.chatter import cleaned, opening
from memweir.learning.english.clauses import read_clause
from memweir.learning.english.corrections import amended, continued, corrected
from memweir.learning.english.dates import Moment, bounds, find_moments, one_window
from memweir.learning.english.detail import Detail, detail_of
from memweir.learning.english.fragments import supplied
from memweir.learning.english.gates import ADDRESSED, FINAL, sentence_gate, unit_gate
from memweir.learning.english.keys import key_of, reply_language, tool_key
from memweir.learning.english.kinds import Verdict, judge
from memweir.learning.english.lexicon import words
from memweir.learning.english.names import entities_of, relations_of, words_of_tools
from memweir.learning.english.pieces import Piece, Unit, cut, reasons, units, without_partner
from memweir.learning.english.presumed import presumed
from memweir.learning.english.referents import resolved
from memweir.learning.english.requests import Choice, Request, find_choice, find_request
from memweir.learning.english.rewrite import Voice, owner, plain, statement
from memweir.learning.english.rewrite import sentence as sentence_of
from memweir.learning.english.showing import embedded, pictured, turned, unfolded
from memweir.learning.english.standing import Standing, find_standing
from memweir.learning.english.tokens import MARK, OTHER, Token, longest_at, tokenise
from memweir.learning.english.verb_groups import Clause
from memweir.learning.english.verdicts import FOR_SPEAKER
from memweir.learning.types import Fact, Sentence, Slots, Spoken

__all__ = ["read_english"]

_EXPLICIT: Final = 0.95
_IN_PASSING: Final = 0.45
_GRANTED: Final = 0.6
_PRESUMED: Final = frozenset(
    ("extract.identity", "extract.possession", "extract.owned", "extract.preference")
) | frozenset(("extract.constraint", "extract.name"))
_LOOKED_BACK: Final = 300  # characters of a sentence before that one may put right
_SHARED: Final = 0.4
_LONGEST: Final = 1_000  # characters of a sentence; a longer one is no sentence
_NOTHING: Final = "extract.nothing-lasting"
_TOO_LONG: Final = "shape.too-long"


def read_english(sentence: Sentence, spoken: Spoken) -> tuple[Fact, ...] | str:
    """The facts that a sentence states, or the rule by which it states none.

    Args:
        sentence: of prose that a person wrote.
        spoken: the subject of statements, and the moment that "yesterday" counts from.
    Returns:
        Facts in text order, each with a quote that stands in the sentence; or the name of a rule,
        "shape.…" where it is no statement, "extract.…" where nothing in it lasts.
    """
    text = sentence.text
    if len(text) > _LONGEST:
        return _TOO_LONG
    tokens = tokenise(text)
    if not tokens:
        return _NOTHING
    tokens = amended(tokens)
    looks_back = 0 < len(sentence.before) <= _LOOKED_BACK and longest_at("correction", tokens, 0)
    whole = continued(tokens, tokenise(sentence.before)) if looks_back else ()
    if whole:
        meant = _of_units(text, whole, spoken, "")
        if not isinstance(meant, str):
            return tuple(_putting_right(text, fact) for fact in meant)
    shown = pictured(tokens)
    if shown != (0, 0):
        return (_shared(text, tokens, shown, spoken),)
    request = find_request(tokens)
    if request is not None:
        return _asked(text, tokens, request, spoken)
    start = opening(tokens, 0, len(tokens))
    tokens = supplied(tokens, start)
    standing = find_standing(tokens)
    if standing is not None:
        laid_down = _laid_down(text, tokens, standing, spoken)
        return (*_before(text, tokens, standing.start, spoken), laid_down)
    tokens = turned(unfolded(resolved(tokens, start, sentence.before), start), start)
    chosen = find_choice(tokens)
    if chosen is not None:
        return _preferred(text, tokens, chosen, spoken)
    gate = sentence_gate(
        tokens, opening(tokens, 0, len(tokens), _places(find_moments(text, tokens, spoken.now)))
    )
    stated = gate if gate in FINAL else _stated(text, tokens, spoken, gate)
    if isinstance(stated, str):
        return _taken_for_granted(text, tokens, spoken) or stated
    return stated


# --- what is stated -----------------------------------------------------------------------------------


def _stated(text: str, tokens: tuple[Token, ...], spoken: Spoken, gate: str) -> tuple[Fact, ...] | str:
    """The facts of a sentence; of one that states none, what it tells in passing."""
    stated = _of_units(text, tokens, spoken, gate)
    if isinstance(stated, str):
        passing = embedded(cleaned(tokens, frozenset())[0])
        told = _of_units(text, passing, spoken, "") if passing else ""
        if not isinstance(told, str):
            return tuple(
                replace(fact, confidence=min(fact.confidence, _IN_PASSING), rule="extract.in-passing")
                for fact in told
            )
    return stated


def _putting_right(text: str, fact: Fact) -> Fact:
    """A fact that takes the place of the one before it."""
    return replace(fact, quote=text, slots=replace(fact.slots, relation="correction"))


def _taken_for_granted(text: str, tokens: tuple[Token, ...], spoken: Spoken) -> tuple[Fact, ...]:
    """What a question or an order says of its speaker on its way: "since I'm deaf, could …"."""
    for told in presumed(tokens):
        facts = _of_units(text, told, spoken, "")
        if not isinstance(facts, str):
            sound = tuple(
                replace(fact, confidence=min(fact.confidence, _GRANTED), rule="extract.presumed")
                for fact in facts
                if fact.rule in _PRESUMED
            )
            if sound:
                return sound[:1]
    return ()


def _of_units(
    text: str, tokens: tuple[Token, ...], spoken: Spoken, gate: str
) -> tuple[Fact, ...] | str:
    """The facts of a sentence; of one that begins as no statement (`gate`) what it goes on to say."""
    tokens, moments = _settled(text, tokens, spoken)
    start = opening(tokens, 0, len(tokens), _places(moments))
    tokens, moments = _from(tokens, moments, start)
    refused = gate
    facts: list[Fact] = []
    waiting = list(units(tokens, cut(tokens, _places(moments)), _places(moments)))
    while waiting:
        whole = waiting.pop(0)
        unit = without_partner(tokens, whole)
        if unit != whole and (unit.clause.modal or unit.clause.tense == "future"):  # "I can send you …"
            refused = refused or ADDRESSED
            continue
        if gate and not _goes_on(unit):
            waiting[:0] = reasons(tokens, unit)
            continue
        own = _inside(moments, unit)
        detail = detail_of(tokens, unit, own)
        rule = unit_gate(tokens, unit, detail)
        if rule:
            refused = refused or rule
            waiting[:0] = reasons(tokens, unit)
            continue
        verdict = judge(tokens, unit, detail)
        plain_answer = verdict.rule == "extract.vague" and unit.clause.person in ("my", "our")
        if plain_answer and key_of(tokens, unit, verdict) is not None:
            verdict = Verdict("extract.owned", "fact", 0.7)  # one word answers a plain question
        if not verdict.kind:
            refused = refused or verdict.rule
            continue
        facts.append(_fact(text, tokens, unit, own, verdict, detail, spoken, explicit=False))
    return tuple(facts) if facts else refused or _NOTHING


def _goes_on(unit: Unit) -> bool:
    """Whether a unit is a statement of the speaker that does not begin its sentence."""
    said = next((piece for piece in unit.pieces if piece.clause is unit.clause), unit.pieces[0])
    return said.joint != "" and unit.clause.person in ("i", "we", "my", "our")


def _settled(
    text: str, tokens: tuple[Token, ...], spoken: Spoken
) -> tuple[tuple[Token, ...], tuple[Moment, ...]]:
    """The tokens as meant, without chatter, and the dates in them."""
    meant = corrected(tokens)
    moments = find_moments(text, meant, spoken.now)
    kept = _places(moments)
    clean, _ = cleaned(meant, kept)
    if len(clean) != len(meant):
        moments = find_moments(text, clean, spoken.now)
    return clean, moments


def _fact(
    text: str,
    tokens: Sequence[Token],
    unit: Unit,
    moments: Sequence[Moment],
    verdict: Verdict,
    detail: Detail,
    spoken: Spoken,
    *,
    explicit: bool,
) -> Fact:
    clause = unit.clause
    voice = _voice(tokens, unit, spoken)
    entities = entities_of(tokens, unit, voice, _places(moments))
    lasting = _recurs(tokens, unit)
    told = () if lasting else tuple(moments)
    window = one_window(told)
    places = [at for piece in unit.pieces for at in range(piece.start, piece.end)]
    said = statement(tokens, unit, voice, told)
    if verdict.relation == FOR_SPEAKER:
        said = f"{said.rstrip('.!')} for {voice.inner}."
        verdict = replace(verdict, relation="")
    quote = text[min(tokens[at].start for at in places) : max(tokens[at].end for at in places)]
    return Fact(
        statement=said,
        quote=quote,
        kind=verdict.kind,
        confidence=_EXPLICIT if explicit else round(max(min(verdict.confidence, 0.9), 0.0), 2),
        rule=verdict.rule,
        explicit=explicit,
        semantic_key=key_of(tokens, unit, verdict),
        window=None if window is None else bounds(window, spoken.now),
        entities=entities,
        relations=relations_of(tokens, unit, voice, _places(moments)),
        slots=Slots(
            time="; ".join(_written(text, tokens, moment) for moment in moments),
            participants=_participants(tokens, unit, voice, entities),
            event=_event(tokens, clause) if verdict.kind == "event" else "",
            relation=verdict.relation,
            conclusion=_event(tokens, clause)
            if verdict.kind in ("decision", "preference", "constraint")
            else "",
        ),
    )


def _voice(tokens: Sequence[Token], unit: Unit, spoken: Spoken, second: str = "") -> Voice:
    subject = spoken.subject or "The user"
    lows = [tokens[at].low for piece in unit.pieces for at in range(piece.start, piece.end)]
    group = f"{owner(subject)} team"
    if _at_work(lows, unit.clause):
        return Voice(subject, group, False, second)
    return Voice(subject, f"{subject} and others", True, second)


def _at_work(lows: Sequence[str], clause: Clause) -> bool:
    """Whether "we" are people who build something together."""
    if not {"we", "our", "us", "ours"} & set(lows):
        return False
    technical = any(
        (low in words_of_tools() and low not in words("everyday")) or low in _TECHNICAL for low in lows
    )
    return technical or (clause.lemma in _AT_WORK and clause.person in ("we", "our"))


_TECHNICAL: Final = frozenset(
    (
        *(
            "repo",
            "repository",
            "codebase",
            "api",
            "backend",
            "frontend",
            "server",
            "database",
            "schema",
            "pipeline",
            "ci",
            "cd",
        ),
        *(
            "cluster",
            "deployment",
            "release",
            "releases",
            "branch",
            "branches",
            "monorepo",
            "staging",
            "production",
            "prod",
            "endpoint",
        ),
        *(
            "sprint",
            "sprints",
            "standup",
            "migration",
            "migrations",
            "deploy",
            "deploys",
            "commits",
            "commit",
            "prs",
            "linter",
        ),
        *(
            "main",
            "trunk",
            "tests",
            "code",
            "docs",
            "config",
            "environment",
            "logs",
            "monitoring",
            "package",
            "packages",
            "project",
        ),
    )
)
_AT_WORK: Final = frozenset(
    [
        "deploy",
        "ship",
        "release",
        "merge",
        "lint",
        "version",
        "tag",
        "standardize",
        "standardise",
        "sprint",
        "publish",
        "commit",
    ]
)


def _recurs(tokens: Sequence[Token], unit: Unit) -> bool:
    """Whether a date without its year is one of every year: a birthday."""
    lows = {tokens[at].low for piece in unit.pieces for at in range(piece.start, piece.end)}
    head = {token.low for token in tokens[unit.clause.subject[0] : unit.clause.subject[1]]}
    if head & {"year", "season", "semester", "term", "holidays"} and unit.clause.tense == "present":
        return True
    return bool(lows & {"birthday", "birthdays", "born", "anniversary"}) and not lows & {
        "party",
        "celebrated",
        "celebrate",
        "celebrating",
        "got",
        "went",
        "for",
        "bought",
    }


def _participants(
    tokens: Sequence[Token], unit: Unit, voice: Voice, entities: Sequence[str]
) -> tuple[str, ...]:
    found: list[str] = []
    lows = {tokens[at].low for piece in unit.pieces for at in range(piece.start, piece.end)}
    if lows & words("first") or unit.clause.person == "none":
        found.append(voice.inner)
    for name in entities:
        if name.startswith(owner(voice.inner)):
            found.append(name)
    return tuple(found)


def _event(tokens: Sequence[Token], clause: Clause) -> str:
    """The verb with what follows it, as written."""
    return " ".join(
        token.text for token in tokens[clause.main : clause.end] if token.kind not in (MARK, OTHER)
    )


def _written(text: str, tokens: Sequence[Token], moment: Moment) -> str:
    return text[tokens[moment.start].start : tokens[moment.end - 1].end]


def _preferred(
    text: str, tokens: tuple[Token, ...], choice: Choice, spoken: Spoken
) -> tuple[Fact, ...]:
    """ "Let's use Redis for caching", "call me Sam"."""
    wanted, moments = _settled(text, _without_end(tokens[choice.start :]), spoken)
    whole = _whole(wanted)
    voice = _voice(wanted, whole, spoken)
    said = plain(wanted, whole, voice, moments).rstrip(".")
    return (
        Fact(
            statement=f"{voice.subject} {choice.says} {said}.",
            quote=text[tokens[choice.quoted].start : wanted[-1].end],
            kind=choice.kind,
            confidence=choice.confidence,
            rule=choice.rule,
            semantic_key=choice.key or tool_key(wanted, 0, len(wanted)),
            entities=entities_of(wanted, whole, voice, _places(moments)),
            slots=Slots(participants=(voice.inner,), conclusion=said),
        ),
    )


def _shared(text: str, tokens: tuple[Token, ...], shown: tuple[int, int], spoken: Spoken) -> Fact:
    """The note of an attached picture: that it was shared, and what it shows."""
    voice = Voice(spoken.subject or "The user", "", False)
    picture = " ".join(
        "photo" if token.low == "photography" else token.text
        for token in tokens[shown[0] : shown[1]]
        if token.kind != OTHER
    )
    whole = _whole(tokens[shown[0] : shown[1]])
    return Fact(
        statement=f"{voice.subject} shared {picture}.",
        quote=text[tokens[1].start : tokens[shown[1] - 1].end],
        kind="event",
        confidence=_SHARED,
        rule="extract.shared",
        entities=entities_of(tokens[shown[0] : shown[1]], whole, voice),
        slots=Slots(participants=(voice.inner,), event=picture),
    )


# --- what is asked for --------------------------------------------------------------------------------


def _asked(
    text: str, tokens: tuple[Token, ...], request: Request, spoken: Spoken
) -> tuple[Fact, ...] | str:
    end = len(tokens) if request.end >= len(tokens) else request.end
    condition = tokens[request.condition[0] : request.condition[1]]
    condition = (
        tuple(replace(token, text=token.low, gap=True) for token in condition[:1]) + condition[1:]
    )
    wanted, moments = _settled(text, _without_end(tokens[request.start : end]) + condition, spoken)
    wanted = _without_end(wanted)
    if not wanted:
        return _NOTHING
    if request.mode == "keep":
        return _kept(text, wanted, moments, spoken, ruled=bool(request.onward))
    return (_ordered(text, tokens, wanted, moments, request, spoken),)


def _without_end(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Without the marks at its end."""
    end = len(tokens)
    while end and (
        tokens[end - 1].kind == MARK
        or (
            tokens[end - 1].kind == OTHER
            and (tokens[end - 1].gap or not tokens[end - 1].text.isascii())
        )
    ):
        end -= 1
    return tokens[:end]


def _kept(
    text: str, tokens: tuple[Token, ...], moments: tuple[Moment, ...], spoken: Spoken, *, ruled: bool
) -> tuple[Fact, ...]:
    """What the person asks to remember, whatever it is."""
    facts: list[Fact] = []
    start = 0 if ruled else opening(tokens, 0, len(tokens), _places(moments))
    if start < len(tokens):
        tokens, moments = _from(tokens, moments, start)
    found = () if ruled else units(tokens, cut(tokens, _places(moments)), _places(moments))
    covered = sum(piece.end - piece.start for unit in found for piece in unit.pieces)
    if found and covered >= 0.6 * len(tokens):
        for unit in found:
            own = _inside(moments, unit)
            detail = detail_of(tokens, unit, own)
            verdict = judge(tokens, unit, detail)
            kind = verdict.kind or "fact"
            if kind == "event" and (_recurs(tokens, unit) or unit.clause.lemma in ("change", "become")):
                kind = "fact"
            verdict = Verdict("explicit.remember", kind, _EXPLICIT, verdict.relation)
            facts.append(_fact(text, tokens, unit, own, verdict, detail, spoken, explicit=True))
        return tuple(facts)
    whole = _whole(tokens)
    detail = detail_of(tokens, whole, moments)
    kind = "constraint" if ruled else "event" if one_window(moments) is not None else "fact"
    verdict = Verdict("explicit.remember", kind, _EXPLICIT)
    return (_fact(text, tokens, whole, moments, verdict, detail, spoken, explicit=True),)


def _ordered(
    text: str,
    tokens: tuple[Token, ...],
    wanted: tuple[Token, ...],
    moments: tuple[Moment, ...],
    request: Request,
    spoken: Spoken,
) -> Fact:
    whole = _whole(wanted)
    voice = _voice(wanted, whole, spoken, second="the assistant")
    said = plain(wanted, whole, voice, moments).rstrip(".")
    if request.mode == "remind":
        text_said = f"{voice.subject} asks to be reminded {said}"
        rule, kind = "explicit.remind", "procedure"
    else:
        negation = "not " if request.denied else ""
        always = f"{request.always} " if request.always else ""
        text_said = f"{voice.subject} wants the assistant to {always}{negation}{said}"
        rule, kind = "explicit.standing", "constraint"
    window = one_window(moments) if request.mode == "remind" else None
    first = next(token.start for token in tokens if token.kind not in (MARK, OTHER))
    last = max(token.end for token in tokens if token.kind not in (MARK, OTHER))
    return Fact(
        statement=f"{text_said[:1].upper()}{text_said[1:]}.",
        quote=text[first:last],
        kind=kind,
        confidence=_EXPLICIT,
        rule=rule,
        explicit=True,
        semantic_key=None if request.denied else reply_language(wanted, 0, len(wanted)),
        window=None if window is None else bounds(window, spoken.now),
        entities=entities_of(wanted, whole, voice, _places(moments)),
        slots=Slots(
            time="; ".join(_written(text, wanted, moment) for moment in moments),
            participants=(voice.inner,),
            conclusion=said,
        ),
    )


def _before(text: str, tokens: tuple[Token, ...], end: int, spoken: Spoken) -> tuple[Fact, ...]:
    """The facts of what stands before a rule, up to the mark: "we settled on trunk, so no more …"."""
    mark = next((at for at in range(end - 1, 2, -1) if tokens[at].kind == MARK), 0)
    earlier = tokens[:mark]
    if not earlier:
        return ()
    gate = sentence_gate(earlier, opening(earlier, 0, len(earlier)))
    stated = gate if gate in FINAL else _stated(text, earlier, spoken, gate)
    return () if isinstance(stated, str) else stated


def _laid_down(text: str, tokens: tuple[Token, ...], standing: Standing, spoken: Spoken) -> Fact:
    """What holds for whoever reads it, as it stands."""
    said = tokens[standing.start : standing.end]
    quote = text[said[0].start : said[-1].end]
    wanted, moments = _settled(text, _without_anybody(said), spoken)
    wanted = _without_end(wanted)
    if not wanted:
        wanted, moments = said, ()
    whole = _whole(wanted)
    voice = _voice(wanted, whole, spoken)
    told = plain(wanted, whole, voice, moments)
    return Fact(
        statement=sentence_of(told),
        quote=quote,
        kind=standing.kind,
        confidence=standing.confidence,
        rule=standing.rule,
        explicit=standing.explicit,
        entities=entities_of(wanted, whole, voice, _places(moments)),
        slots=Slots(conclusion=told.rstrip(".")),
    )


def _without_anybody(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Without a "you" that means anybody: "first you export it" is "first export it"."""
    kept: list[Token] = []
    at = 0
    while at < len(tokens):
        if tokens[at].low == "you":
            at += 1
            if at < len(tokens) and tokens[at].low in ("need", "have", "must", "can", "should"):
                at += 1
                at += at < len(tokens) and tokens[at].low == "to"
            continue
        kept.append(tokens[at])
        at += 1
    return tuple(kept)


def _whole(tokens: Sequence[Token]) -> Unit:
    """All tokens as one unit, whatever they are."""
    end = len(tokens)
    clause = read_clause(tokens, 0, end) or Clause(0, end, (0, 0), "other", 0, 0, 0, "", "present")
    return Unit(clause, (Piece("", 0, end, clause, "other"),))


# --- places -------------------------------------------------------------------------------------------


def _places(moments: Sequence[Moment]) -> frozenset[int]:
    return frozenset(at for moment in moments for at in range(moment.start, moment.end))


def _inside(moments: Sequence[Moment], unit: Unit) -> tuple[Moment, ...]:
    return tuple(
        moment
        for moment in moments
        if any(piece.start <= moment.start < piece.end for piece in unit.pieces)
    )


def _from(
    tokens: tuple[Token, ...], moments: Sequence[Moment], start: int
) -> tuple[tuple[Token, ...], tuple[Moment, ...]]:
    """What is left from a place on, dates moved with it."""
    if start == 0:
        return tokens, tuple(moments)
    return tokens[start:], tuple(
        Moment(moment.start - start, moment.end - start, moment.window, moment.said, moment.event)
        for moment in moments
        if moment.start >= start
    )
