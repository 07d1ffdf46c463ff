"""How does a person's sentence read in the third person? From "I've got" to "The user has got".

Pronouns of the first person become the subject in which statements are made, verbs agree with it, dates
get words that hold whenever they are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from memweir.learning.english.clauses import is_name
from memweir.learning.english.dates import Moment
from memweir.learning.english.lexicon import (
    BASE,
    ING,
    PARTICIPLE,
    PAST,
    THIRD,
    third_person,
    verb,
    words,
)
from memweir.learning.english.pieces import Piece, Unit
from memweir.learning.english.tokens import MARK, OTHER, WORD, Token
from memweir.learning.english.verb_groups import skip_adverbs

__all__ = ["Voice", "owner", "plain", "sentence", "statement"]

_SILENT: Final = frozenset(("!", "?", "*", "…", "...", "..", "“", "”", '"', "{", "}", "[", "]"))
_SPACELESS: Final = frozenset((",", ".", ";", ":", "!", "?", ")", "…"))


@dataclass(frozen=True, slots=True)
class Voice:
    """In whose words statements are made.

    Attributes:
        subject: "The user" or a name.
        group: what "we" stands for.
        plural: whether verbs agree with the group as with several.
        second: what "you" stands for, "" where it stays.
    """

    subject: str
    group: str
    plural: bool
    second: str = ""

    @property
    def inner(self) -> str:
        """The subject where it does not begin a sentence."""
        return f"the{self.subject[3:]}" if self.subject.startswith("The ") else self.subject

    @property
    def inner_group(self) -> str:
        return f"the{self.group[3:]}" if self.group.startswith("The ") else self.group


def owner(name: str) -> str:
    """The possessive of a name."""
    return f"{name}'" if name.endswith("s") and not name.endswith("ss") else f"{name}'s"


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    said = " ".join(text.split()).strip(" ,;:-")
    if not said:
        return ""
    if not said.endswith((".", "!", "?")):
        said += "."
    return said[:1].upper() + said[1:]


def statement(tokens: Sequence[Token], unit: Unit, voice: Voice, moments: Sequence[Moment]) -> str:
    """A unit in the third person."""
    writer = _Writer(tokens, voice, {moment.start: moment for moment in moments if moment.said})
    writer.alone = not _has_others(tokens, unit)
    for number, piece in enumerate(unit.pieces):
        if number:
            writer.join(piece)
        if piece.clause is not None and piece.clause.person == "none" and piece.clause is unit.clause:
            writer.supply_subject(unit)
        writer.write(piece.start, piece.end, piece)
    return sentence(writer.text())


def plain(tokens: Sequence[Token], unit: Unit, voice: Voice, moments: Sequence[Moment]) -> str:
    """A unit with its pronouns and dates replaced, no subject supplied and no capital given."""
    writer = _Writer(tokens, voice, {moment.start: moment for moment in moments if moment.said})
    writer.out.append("")
    writer.told_to = bool(voice.second)
    for piece in unit.pieces:
        writer.write(piece.start, piece.end, piece)
    return writer.text().strip()


def _has_others(tokens: Sequence[Token], unit: Unit) -> bool:
    """Whether "they" might be somebody else than the subject."""
    for piece in unit.pieces:
        for at in range(piece.start, piece.end):
            low = tokens[at].low
            if low in ("they", "them", "their", "theirs", "he", "she", "him", "her", "his"):
                return True
    return False


@dataclass(slots=True)
class _Writer:
    tokens: Sequence[Token]
    voice: Voice
    moments: dict[int, Moment]
    alone: bool = True
    out: list[str] = field(default_factory=list)
    named: bool = False  # the subject was said in this statement
    grouped: bool = False
    agree: str = ""  # how the next verb is to agree: "one", "several"
    coordinate: str = ""  # how a verb after "and" is to agree
    said_clause: bool = False
    told_to: bool = False  # it is the partner who is to do something

    def text(self) -> str:
        return "".join(self.out)

    def put(self, word: str, *, gap: bool = True) -> None:
        if self.out and gap:
            self.out.append(" ")
        self.out.append(word)

    def join(self, piece: Piece) -> None:
        joint = piece.joint
        first = self.tokens[piece.start]
        known = verb(first.low)
        if (
            piece.kind == "verbal"
            and known is not None
            and known.forms == THIRD
            and joint not in ("and", "or", "but")
        ):
            self.put("that")
        elif joint in ("and", "or", "but", "so", "yet", "then", "plus"):
            if piece.kind == "clause" or joint in ("but", "so", "yet"):
                self.out.append(",") if joint != "and" else None
            self.put({"plus": "and", "then": "then"}.get(joint, joint))
        elif piece.kind == "clause" and self.said_clause:
            self.out.append(";")
        else:
            self.out.append(",")

    def supply_subject(self, unit: Unit) -> None:
        clause = unit.clause
        token = self.tokens[clause.finite]
        known = verb(token.low)
        self.put(self.voice.subject if not self.out else self.voice.inner)
        self.named = True
        if known is None:
            return
        if known.forms & ING and not known.forms & BASE:
            self.put("is")
        elif token.low == "been" or known.forms == PARTICIPLE:
            self.put("has")
        elif known.forms & BASE and not known.forms & PAST:
            self.agree = "one"

    def write(self, start: int, end: int, piece: Piece) -> None:
        at = start
        clause = piece.clause
        if piece.kind != "verbal" or piece.joint not in ("and", "or", "but", "then"):
            self.coordinate = ""
        elif self.coordinate and self._coordinates(at, skip_adverbs(self.tokens, start, end), end):
            self.agree = self.coordinate
        self.said_clause = self.said_clause or clause is not None
        compound = (
            clause is not None and clause.subject[1] - clause.subject[0] > 1 and clause.person == "i"
        )
        while at < end:
            moment = self.moments.get(at)
            if moment is not None:
                self.put(moment.said)
                at = moment.end
                continue
            token = self.tokens[at]
            if compound and clause is not None and at == clause.subject[1]:
                self.agree = "several"
            at += self._token(
                token, at, end, inside=compound and clause is not None and at < clause.subject[1]
            )

    def _token(self, token: Token, at: int, end: int, *, inside: bool) -> int:
        """Write a token; how many were used up."""
        low = token.low
        if token.kind != WORD:
            self._mark(token)
            return 1
        if low in words("first"):
            self._first(low, at, end, inside=inside)
            return 1
        if low in ("you", "your", "yours", "yourself") and self.voice.second:
            self.put(
                self.voice.second
                if low in ("you", "yourself")
                else "their"
                if self.told_to
                else owner(self.voice.second)
            )
            following = skip_adverbs(self.tokens, at + 1, end)
            coming = verb(self.tokens[following].low) if low == "you" and following < end else None
            if coming is not None and coming.forms & BASE and not self._governed(at):
                self.agree = "one"
            return 1
        if self.agree and low not in words("adverb"):
            return self._agreeing(token, at, end)
        if low == "and" or low == "or":
            self.put(low)
            following = skip_adverbs(self.tokens, at + 1, end)
            if self.coordinate and following < end and self._coordinates(at, following, end):
                self.agree = self.coordinate
            return 1
        if low == "can" and at + 1 < end and self.tokens[at + 1].low == "not":
            self.put("cannot", gap=token.gap or bool(self.out))
            return 2
        if low == "to" or low in words("subordinator"):
            self.coordinate = ""
        text = token.text
        if not self.out:
            self.put(text)
        else:
            if token.text[:1].isupper() and token.text[1:].islower() and self._was_first(at):
                text = token.text if is_name(self.tokens, at) or low in words("not-name") else low
            self.put(text, gap=token.gap or at == 0 or self._glued_to_mark(at))
        return 1

    def _governed(self, at: int) -> bool:
        """Whether a verb or preposition stands before a pronoun: it is no subject there."""
        if at == 0:
            return False
        before = self.tokens[at - 1].low
        known = verb(before)
        return (before in words("preposition") and before not in words("subordinator")) or (
            known is not None and before not in words("subordinator")
        )

    def _was_first(self, at: int) -> bool:
        return at == 0 or (self.tokens[at - 1].kind == MARK and self.tokens[at - 1].low in ".!?;,-–—…)")

    def _glued_to_mark(self, at: int) -> bool:
        return (
            at > 0
            and self.tokens[at - 1].kind == MARK
            and self.tokens[at - 1].low not in ("-", "(", "[", "'")
        )

    def _mark(self, token: Token) -> None:
        if token.kind == OTHER and not (token.text.isascii() and self.out):
            return
        if token.kind == MARK and token.low in _SILENT:
            return
        if token.kind == OTHER:
            self.out.append(f" {token.text}" if token.gap else token.text)
            return
        spaceless = token.low in _SPACELESS or not token.gap
        if (self.out and not spaceless) or (
            self.out and token.kind != MARK and self.out[-1] not in ("-", "(")
        ):
            self.out.append(" ")
        self.out.append(token.text)

    def _first(self, low: str, at: int, end: int, *, inside: bool) -> None:
        voice = self.voice
        start = not self.out
        if low == "i" or (low == "me" and inside):
            if self.named and self.alone and not inside:
                self.put("they")
                self.agree = "several"
            else:
                self.put(voice.subject if start else voice.inner)
                self.agree = "" if inside else "one"
                self.named = True
        elif low == "me":
            self.put(voice.subject if start else voice.inner)
        elif low in ("my", "mine"):
            if self.named and self.alone:
                self.put("their" if low == "my" else "theirs")
            else:
                self.put(owner(voice.subject if start else voice.inner))
        elif low in ("myself", "ourselves"):
            self.put("themselves")
        elif low == "we":
            if self.grouped or (self.named and "others" in voice.group):
                self.put("they")
                self.agree = "several"
            else:
                self.put(voice.group if start else voice.inner_group)
                self.agree = "several" if voice.plural else "one"
                self.grouped = True
        elif low == "us":
            self.put("them" if self.grouped else voice.inner_group)
        else:  # our, ours
            following = self.tokens[at + 1].low if at + 1 < end else ""
            if following in ("team", "company", "group") and "others" not in voice.group:
                self.put(owner(voice.subject if start else voice.inner))
            elif self.grouped:
                self.put("their" if low == "our" else "theirs")
            elif "others" in voice.group:
                if self.named and self.alone:
                    self.put("their" if low == "our" else "theirs")
                else:
                    self.put(owner(voice.subject if start else voice.inner))
            else:
                self.put(owner(voice.group if start else voice.inner_group))

    def _agreeing(self, token: Token, at: int, end: int) -> int:
        """Write the finite verb in the number of its subject."""
        low, how = token.low, self.agree
        self.agree = self.coordinate = ""
        if how == "several":
            text = {"am": "are", "was": "were", "is": "are", "has": "have"}.get(low, token.text)
            self.put(low if low in ("have",) else text)
            return 1
        known = verb(low)
        if low in ("am", "are"):
            self.put("is")
            self.coordinate = how
        elif low == "were":
            self.put("was")
        elif low == "have":
            following = skip_adverbs(self.tokens, at + 1, end)
            if (
                following < end
                and self.tokens[following].low == "got"
                and (following + 1 < end and self.tokens[following + 1].low != "to")
            ):
                self.put("has")
                return following - at + 1
            self.put("has")
            self.coordinate = how
        elif low == "do":
            following = skip_adverbs(self.tokens, at + 1, end)
            coming = verb(self.tokens[following].low) if following < end else None
            if following == at + 1 and coming is not None and coming.forms & BASE:  # "I do love"
                self.agree = how
                return 1
            self.put("does")
        elif low in words("modal"):
            if low == "can" and at + 1 < end and self.tokens[at + 1].low == "not":
                self.put("cannot")
                return 2
            self.put(low)
        elif known is not None and known.forms & BASE:
            past = known.forms & PAST and self._past(low, at, end)
            self.put(low if past else third_person(low))
            self.coordinate = "" if past else how
        elif known is None and not low.endswith(("ed", "ing", "s")) and low.isalpha():
            self.put(third_person(low))
        else:
            self.put(token.text if low != "i" else low)
        return 1

    def _past(self, low: str, at: int, end: int) -> bool:
        if low in ("quit", "hit", "hurt", "cut", "shut", "split", "bet", "set", "put", "let"):
            return True
        return any(token.low in words("past-time") for token in self.tokens[at:end]) or any(
            moment.window.last for place, moment in self.moments.items() if at < place < end
        )

    def _coordinates(self, at: int, following: int, end: int) -> bool:
        """Whether a verb stands after "and" whose subject is the one before."""
        known = verb(self.tokens[following].low)
        if known is None or not known.forms & BASE or known.forms & PAST:
            return False
        if self.tokens[following].low in ("be", "like") or following + 1 >= end:
            return False
        after = self.tokens[following + 1]
        return after.kind != MARK and (
            after.low in words("determiner")
            or after.low in words("preposition")
            or after.low in words("first")
            or after.low not in words("coordinator")
        )
