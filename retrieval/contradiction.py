"""Does a new text contradict an earlier one, or outdate it? Two statements without a key, compared.

Conservative by intent: what it finds opens a question to a person, and settles nothing. It compares
what the texts say and nothing else; whether they are of one scope and of one speaker is the caller's to
know.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Final

from memweir.retrieval.changes import Change
from memweir.retrieval.given_values import Given, speaks_of_oneself, stated, used
from memweir.retrieval.polarity import clash, read_sentence
from memweir.retrieval.polarity_words import lexicon
from memweir.retrieval.reversals import announced
from memweir.retrieval.statements import Statement
from memweir.retrieval.stemming import stem
from memweir.retrieval.stopwords import word_lists
from memweir.retrieval.typed_values import kind_of
from memweir.retrieval.wording import BREAK, RUN, VALUE, cut_words, word_tokens

__all__ = ["relation"]

# How many words an earlier sentence may hold beside those that it must, and still be about no more.
_BESIDE_NAMED: Final = 3  # where it holds the very value that is replaced
_BESIDE_VALUE: Final = 2  # where it holds another value of the kind; fewer than the subject has words
_BESIDE_ENDED: Final = 2  # where it holds all that has ended; fewer than that has words
_LONGEST_VALUE: Final = 4  # words of a value that is a name

# Which slots of an earlier sentence a change fills that does not name the old value. A change of any
# other kind is known by the kind of its value: a time, a day, a number.
_FILLED: Final = {
    "turn": ("be",),
    "move": ("live", "place"),
    "name": ("name",),
    "job": ("work",),
    "live": ("live",),
    "work": ("work",),
}
_FIRST_PERSON: Final = frozenset(
    ("i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "我", "我们", "咱们", "咱")
)
_PERSONS: Final = {
    **dict.fromkeys(("your", "yours", "你", "你们", "您"), "you"),
    **dict.fromkeys(("him", "his", "他"), "he"),
    **dict.fromkeys(("her", "hers", "她"), "she"),
    **dict.fromkeys(("them", "their", "theirs", "他们", "她们"), "they"),
}
_NO_PLACE: Final = frozenset(
    ("the", "a", "an", "another", "new", "our", "my", "his", "her", "their", "some")
)
_ROOMS: Final = ("楼", "层", "室", "间", "部", "组")
_WANTS: Final = ("想", "敢")  # who no longer wants to may still do it
_NOT_SKIPPED: Final = frozenset(("like", "http", "https", "www", "com"))
_VERSION: Final = re.compile(r"([^\W\d_]{2,})[ -]?v?([0-9]+(?:\.[0-9]+)*)(?![^\W_])")
_FIRST_HAN: Final = "\u3400"


def relation(new: Statement, old: Statement) -> str:
    """What a new statement is to an earlier one.

    Returns:
        "update": the new one announces a change or an end, both are about the same subject, and the
            earlier one gives the value that is replaced, another value of its kind, or what has ended;
        "contradiction": they say the same of the same with opposite polarity;
        "": neither.
    """
    if new.change is not None and any(_outdated(new.change, sentence) for sentence in old.sentences):
        return "update"
    if new.skeleton and new.skeleton == old.skeleton and clash(new.polarity, old.polarity):
        return "update" if new.reversal else "contradiction"
    return ""


@dataclass(frozen=True, slots=True)
class _Matter:
    """What a sentence or a piece of one is about.

    Attributes:
        words: its content words in order, Latin ones as stems.
        values: its typed values as (kind, value).
        han: its runs of Han characters, spaces between them.
        persons: whom its pronouns mean, but for the first person.
        head: its first word or value, "" where it has none.
    """

    words: tuple[str, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    han: str = ""
    persons: frozenset[str] = frozenset()
    head: str = ""

    @property
    def size(self) -> int:
        return len(self.words) + len(self.values)

    def holds(self, word: str) -> bool:
        if word in self.words:
            return True
        if word[0] < _FIRST_HAN:
            return False
        # The last part of a compound is what it is one of: 烟 of 抽烟, but not 会议 of 会议室.
        if word in self.han and not any(each.startswith(word) for each in self.words):
            return True
        # A longer word may be cut otherwise in another sentence.
        return len(word) > 2 and all(word[at : at + 2] in self.han for at in range(len(word) - 1))

    def holds_all(self, other: _Matter) -> bool:
        return all(map(self.holds, other.words)) and all(value in self.values for value in other.values)

    def beside(self, *accounted: _Matter) -> int:
        """How many of its words none of these accounts for."""
        parts = [part for piece in accounted for part in piece.words]
        return sum(
            1
            for word in self.words
            if not any(piece.holds(word) for piece in accounted)
            and not (word[0] >= _FIRST_HAN and any(part in word for part in parts))  # 酒 in 喝酒
        )


_NOTHING: Final = _Matter()


@functools.lru_cache(maxsize=512)
def _matter(text: str) -> _Matter:
    pronouns, skipped = lexicon().lists["person"], _skipped()
    words: dict[str, None] = {}
    values: dict[tuple[str, str], None] = {}
    persons: set[str] = set()
    runs: list[str] = []
    head = ""
    for token, kind in zip(*word_tokens(text), strict=True):
        typed = kind_of(token)
        if kind == BREAK:
            continue
        if kind == VALUE or typed:
            values[typed, token] = None
            head = head or token
            continue
        if kind == RUN:
            runs.append(token)
        for word in _cut(token) if kind == RUN else (token,):
            if word in pronouns:
                persons.add(_PERSONS.get(word, word))
            elif word not in skipped:
                said = word if kind == RUN else stem(word)
                words[said] = None
                head = head or said
    others = frozenset(persons - _FIRST_PERSON)
    return _Matter(tuple(words), tuple(values), " ".join(runs), others, head)


def _cut(run: str) -> list[str]:
    """The words of a run; 是 is between two of them, whatever the dictionary makes of it."""
    return [word for part in run.split("是") for word in cut_words(part)]


@functools.cache
def _skipped() -> frozenset[str]:
    """Words that are no part of what a sentence is about."""
    known, lists = word_lists(), lexicon().lists
    skipped = known.stop.union(known.negations, lists["light"], lists["part"], lists["day"])
    return skipped - _NOT_SKIPPED


def _outdated(change: Change, sentence: str) -> bool:
    """Whether a change makes an earlier sentence a thing of the past."""
    if read_sentence(sentence).denies:
        return False
    before = announced(sentence)
    subject = _matter(change.subject)
    if change.reversal == "end":
        told_again = before is not None and before.reversal == "end"
        return not told_again and _holds_ended(change, subject, sentence)
    # Of an earlier change what it led to counts, not that it was one.
    is_change = before is not None and before.reversal == "change"
    old = _matter(f"{before.subject} {before.value}" if before is not None and is_change else sentence)
    value, named = _matter(change.value), _matter(change.old)
    if old.persons != subject.persons or (value.size and old.holds_all(value)):
        return False
    if named.size:
        return _holds_named(change, subject, value, named, sentence, old)
    if _holds_version(change, subject, value, sentence, old):
        return True
    return _holds_kind(subject, value, old) or _holds_slot(change, subject, value, sentence)


def _holds_ended(change: Change, ended: _Matter, sentence: str) -> bool:
    """Whether an earlier sentence says just that which has ended, of the same subject."""
    old = _matter(sentence)
    if not ended.size or ended.persons != old.persons or not old.holds_all(ended):
        return False
    if any(verb in change.subject and verb not in sentence for verb in _WANTS):
        return False
    if not any(
        each.endswith(old.head) or old.head.endswith(each) for each in (ended.head, *ended.words)
    ):
        return False  # somebody else does it
    return old.beside(ended) <= min(_BESIDE_ENDED, ended.size - 1)


def _holds_named(
    change: Change, subject: _Matter, value: _Matter, named: _Matter, sentence: str, old: _Matter
) -> bool:
    """Whether an earlier sentence holds the value that was named as the old one, of the subject."""
    if not old.holds_all(named):
        return False
    given = stated(sentence) or used(sentence)
    about = _matter(given.subject) if given is not None else _NOTHING
    if subject.size and old.holds_all(subject):
        return old.beside(subject, value, named) <= _BESIDE_NAMED and (
            about.beside(subject, named) < subject.size  # "the second meeting" is not "the meeting"
        )
    if given is None or _matter(given.value).head != named.head:
        return False
    if not subject.size and not speaks_of_oneself(change.subject):
        return True
    if not about.size and subject.size and (not given.subject or speaks_of_oneself(given.subject)):
        return False  # "use npm to install packages" does not say who uses it
    return subject.holds_all(about)


def _holds_kind(subject: _Matter, value: _Matter, old: _Matter) -> bool:
    """Whether an earlier sentence gives another time, day or number of the same subject."""
    if not subject.size or not old.holds_all(subject):
        return False
    before = [typed for typed in old.values if typed not in subject.values]
    kinds = {kind for kind, _ in value.values} & {kind for kind, _ in before}
    if not kinds or _dated(value.values) != _dated(before):
        return False
    if all(typed in before for typed in value.values if typed[0] in kinds):
        return False
    if kinds == {"number"} and value.words and not any(map(old.holds, value.words)):
        return False  # minutes are not dollars
    return old.beside(subject, value) <= min(_BESIDE_VALUE, subject.size - 1)


def _holds_version(
    change: Change, subject: _Matter, value: _Matter, sentence: str, old: _Matter
) -> bool:
    """Whether an earlier sentence says that the same subject uses the same thing of another number."""
    given = used(sentence)
    if change.slot != "move" or given is None or _dated(value.values) or _dated(old.values):
        return False
    about = _matter(given.subject)
    if not (about.holds_all(subject) and subject.holds_all(about)) or about.persons != subject.persons:
        return False
    new, before = (dict(_VERSION.findall(text)) for text in (change.value, given.value))
    if not any(name in before and before[name] != number for name, number in new.items()):
        return False
    return all(map(old.holds, value.words)) and old.beside(subject, value) == 0


def _dated(values: tuple[tuple[str, str], ...] | list[tuple[str, str]]) -> bool:
    """Whether a number among them is the day of a month."""
    return any(kind == "month" for kind, _ in values)


def _holds_slot(change: Change, subject: _Matter, value: _Matter, sentence: str) -> bool:
    """Whether an earlier sentence says where the same subject is, what it is or what it is called."""
    given = stated(sentence)
    if given is None or not _fills(change, given):
        return False
    about, before = _matter(given.subject), _matter(given.value)
    if any(each.values or not 0 < len(each.words) <= _LONGEST_VALUE for each in (value, before)):
        return False
    if about.persons != subject.persons or not (about.holds_all(subject) and subject.holds_all(about)):
        return False
    if subject.size:
        return True
    # Without a noun it is about the speaker, or about somebody whom another text names.
    return (
        given.slot in ("live", "work")
        and speaks_of_oneself(change.subject)
        and speaks_of_oneself(given.subject)
    )


def _fills(change: Change, given: Given) -> bool:
    if change.slot in ("move", "live") and (
        change.value.partition(" ")[0] in _NO_PLACE or change.value.endswith(_ROOMS)
    ):
        return False  # "moved to the marketing team", 搬到二楼
    if change.slot == "name" and given.slot == "be":
        return "name" in given.subject
    return given.slot in _FILLED.get(change.slot, ())
