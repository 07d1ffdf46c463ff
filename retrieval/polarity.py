"""What does a sentence state, and does it affirm or deny it? A skeleton, and the states it leaves open.

The skeleton is what is said with everything taken out that carries polarity: denials, "always", the
choice between the members of a scale such as allowed and forbidden. Two sentences that part in nothing
but polarity have equal skeletons. What was taken out is kept beside it, one number for each place: the
bits of the states that the sentence leaves open there. Two of them contradict each other where no bit
is common to both, so that "does not like" and "does not hate" do not.

A denial turns the next member of a scale in its clause, or the clause where none follows; a second one
turns it back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from memweir.retrieval.polarity_words import Manner, Rule, Scale, lexicon
from memweir.retrieval.stemming import stem
from memweir.retrieval.typed_values import kind_of
from memweir.retrieval.wording import RUN, VALUE, WORD, cut_words, word_tokens

__all__ = ["Manner", "Reading", "clash", "read_sentence"]


@dataclass(frozen=True, slots=True)
class Reading:
    """One sentence.

    Attributes:
        skeleton: what is said apart from its polarity.
        polarity: for each place that carries polarity the bits of the states left open there.
        manner: what else is to be known of the sentence.
        content: how many of its words, or Chinese characters, say something by themselves.
        denies: it denies something, in whatever place.
    """

    skeleton: str
    polarity: tuple[int, ...]
    manner: Manner
    content: int
    denies: bool


def read_sentence(sentence: str) -> Reading:
    """Read one sentence, in time proportional to its length.

    Args:
        sentence: folded as `normalise` does, with straight apostrophes.
    """
    return _Reader().read(sentence)


def clash(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether two polarities of one skeleton leave no state open that is common to both, somewhere."""
    return len(one) == len(other) and any(
        not left & right for left, right in zip(one, other, strict=True)
    )


# States of a clause without a scale, as bits: always, sometimes, never.
_STATED: Final = 0b011
_ALWAYS: Final = 0b001
_NOT_ALWAYS: Final = 0b110
_DENIED: Final = 0b100

_BE: Final = frozenset(("is", "are", "am", "be", "been", "being"))
_HAVE: Final = frozenset(("has", "have", "having"))
_BASES: Final = {
    **dict.fromkeys((*_BE, "was", "were"), "be"),
    **dict.fromkeys((*_HAVE, "had"), "have"),
    "did": "do",
}
# After these "closed" is no past tense: "is closed", "gets paid", "the closed shop".
_BEFORE_PARTICIPLE: Final = frozenset(
    (
        *(
            *_BE,
            *_HAVE,
            "get",
            "gets",
            "got",
            "become",
            "becomes",
            "remain",
            "remains",
            "stay",
            "stays",
        ),
        *("a", "an", "the", "my", "our", "your", "his", "her", "its", "their"),
    )
)
# After these "that" stands for something said elsewhere.
_AFTER_POINTER: Final = frozenset(
    (
        *(*_BE, "not", "do", "does", "did", "can", "will", "should", "must"),
        *("looks", "look", "sounds", "sound", "works", "work"),
    )
)
_POINTERS: Final = frozenset(("that", "this", "these", "those"))
_BEFORE_MAY: Final = frozenset(
    ("in", "of", "on", "by", "since", "until", "till", "from", "last", "next", "and", "this")
)
_BEFORE_DAY: Final = frozenset(("next", "last", "this", "coming"))
_DEGREES: Final = frozenset(("so", "very", "too", "quite", "pretty", "rather"))
_AFTER_CLAUSE: Final = frozenset(
    ("by", "in", "on", "at", "for", "during", "when", "while", "after", "before")
)
_FUNCTION: Final = frozenset(
    (
        *(
            "of",
            "to",
            "in",
            "on",
            "at",
            "by",
            "for",
            "from",
            "as",
            "into",
            "onto",
            "over",
            "under",
            "about",
        ),
        *("than", "this", "these", "those", "there"),
    )
)
_ENDINGS_ZH: Final = "的了吧啊呀哦嘛呢"
_BREAKS_ZH: Final = ("但", "而", "所以", "因此", "同时")
_FIRST_HAN: Final = "\u3400"


class _Reader:
    """One pass over one sentence."""

    __slots__ = (
        "_all",
        "_content",
        "_denied",
        "_denies",
        "_emitted",
        "_kinds",
        "_last",
        "_lexicon",
        "_manner",
        "_not_all",
        "_slots",
        "_words",
    )

    def __init__(self) -> None:
        self._lexicon = lexicon()
        self._words: list[str] = []
        self._kinds: list[int] = []
        self._emitted: list[str] = []
        self._slots: list[int] = []
        self._manner = 0
        self._content = 0
        self._last = ""  # the word before that is no denial and not left out
        self._denied = self._all = self._not_all = self._denies = False

    def read(self, sentence: str) -> Reading:
        words, kinds = self._words, self._kinds = word_tokens(sentence)
        at, end = 0, len(words)
        while at < end:
            kind = kinds[at]
            if kind == WORD:
                at += self._read_word(at)
                continue
            if kind == RUN:
                self._read_run(words[at], at + 1 == end or kinds[at + 1] > RUN)
            elif kind == VALUE:
                if self._last in _BEFORE_DAY and kind_of(words[at]) == "week":
                    self._manner |= Manner.DAY
                self._emit(words[at], counts=True)
            else:
                self._break()
            at += 1
        self._break()
        while self._emitted and self._emitted[-1] == ",":
            self._emitted.pop()
        skeleton = " ".join(self._emitted)
        if not skeleton.isascii():
            saying = self._lexicon.trivial_han.sub("", skeleton)
            self._content += sum(1 for character in saying if _FIRST_HAN <= character < "\ue000")
        return Reading(skeleton, tuple(self._slots), Manner(self._manner), self._content, self._denies)

    def _read_word(self, at: int) -> int:
        """Read the phrase that begins at a word; how many words it takes up."""
        word = self._words[at]
        found: Rule | None = None
        for phrase, rule in self._lexicon.rules.get(word, ()):
            length = len(phrase)
            if (length == 1 or self._continues(at, phrase)) and self._applies(rule.scale, at + length):
                found = rule
                break
        if found is not None and found.action == "keep":
            self._emit("_".join(self._words[at : at + found.length]))
            self._last = word
            return found.length
        for phrase, manner in self._lexicon.manners.get(word, ()):
            if len(phrase) > 1 and not self._continues(at, phrase):
                continue
            if word == "when" and not self._emitted:  # "When the flag is set" is a condition
                self._manner |= Manner.HEDGE
            if manner is Manner.PASSING and self._last not in _BE and self._last not in _DEGREES:
                continue
            self._manner |= manner
        if found is None:
            self._plain(word, at)
            self._last = word
            return 1
        self._act(found)
        if found.action == "scale":  # "is not locked": the word before "locked" is "is"
            self._last = word
        return found.length

    def _continues(self, at: int, phrase: tuple[str, ...]) -> bool:
        """Whether a phrase, whose first word stands here, goes on to its end."""
        end = at + len(phrase)
        return tuple(self._words[at + 1 : end]) == phrase[1:] and all(
            kind == WORD for kind in self._kinds[at + 1 : end]
        )

    def _applies(self, scale: Scale | None, after: int) -> bool:
        """Whether a member of a scale stands where it must, to be one; `after`: the word after it."""
        if scale is None or not scale.condition:
            return True
        if scale.condition == "^":
            return self._emitted[-1:] == ["be"]
        return (
            after >= len(self._words) or self._kinds[after] > RUN or self._words[after] in _AFTER_CLAUSE
        )

    def _plain(self, word: str, at: int) -> None:
        """A word without a rule of its own."""
        after = at + 1
        following = (
            self._words[after] if after < len(self._words) and self._kinds[after] == WORD else ""
        )
        lists = self._lexicon.lists
        if word in _POINTERS:
            if not following or following in _AFTER_POINTER:
                self._manner |= Manner.VAGUE
            if word == "that":
                return
        elif word == "may":
            if not following[:1].isdigit() and self._last not in _BEFORE_MAY:
                self._manner |= Manner.HEDGE
        elif self._last not in _BEFORE_PARTICIPLE and (
            word in lists["irregular"]
            or (word.endswith("ed") and len(word) > 4 and word not in lists["present"])
        ):
            self._manner |= Manner.PAST
        base = _BASES.get(word) or stem(word)
        counts = not (
            base in ("be", "have", "do")
            or len(word) == 1
            or word in _FUNCTION
            or word in lists["trivial"]
            or word in lists["person"]
            or word in lists["light"]
        )
        self._emit(base, counts=counts)

    def _read_run(self, run: str, ends_clause: bool) -> None:
        """A run of Han characters; `ends_clause`: nothing of its clause follows."""
        rules, manners = self._lexicon.han_rules, self._lexicon.han_manners
        special = self._lexicon.special
        experienced = run.rfind("过")
        at, end = 0, len(run)
        while at < end:
            found = special.search(run, at)
            start = found.start() if found else end
            if start > at:
                self._emit_han(run[at:start])
                at = start
                continue
            for phrase, manner in manners.get(run[at], ()):
                if run.startswith(phrase, at):
                    self._manner |= manner
                    break
            for phrase, rule in rules.get(run[at], ()):
                if run.startswith(phrase, at) and self._applies_han(
                    rule.scale, run, at + len(phrase), ends_clause
                ):
                    break
            else:
                self._emit_han(run[at])
                at += 1
                continue
            if rule.action == "keep":
                self._emit_han(phrase)
            elif rule.action in ("have", "occasion"):
                self._deny()
                if run.startswith(self._lexicon.lasting, at + len(phrase)):
                    pass  # 没完成 and 没有完成 deny a state
                elif rule.action == "have":
                    self._emit_han("有")
                elif experienced < at:  # 没去过 is no single occasion
                    self._manner |= Manner.PAST
            else:
                self._act(rule)
            at += rule.length
        if "就" in run[run.find("不") :] and "不" in run:
            self._manner |= Manner.HEDGE  # 不喝酒就睡不着: if not
        words = self._lexicon.han_words
        if not words.keys().isdisjoint(run):
            for word in cut_words(run):
                if len(word) == 1 and word in words:
                    self._manner |= words[word]
        self._last = ""

    def _applies_han(self, scale: Scale | None, run: str, after: int, ends_clause: bool) -> bool:
        if scale is None or not scale.condition:
            return True
        rest = run[after : after + 8].lstrip(_ENDINGS_ZH)
        return rest.startswith(_BREAKS_ZH) if rest else ends_clause

    def _act(self, rule: Rule) -> None:
        if rule.action == "deny":
            self._deny()
        elif rule.action == "all":
            if self._denied:
                self._denied, self._not_all = False, True
            else:
                self._all = True
        elif rule.action == "break":
            self._break()
        elif rule.scale is not None:
            mask, every = rule.scale.mask, rule.scale.every
            if self._not_all:
                mask = every  # "not always allowed" leaves everything open
            elif self._denied:
                mask = every & ~mask
                self._denied = False
            self._slots.append(mask)
            self._emitted.append(f"<{rule.scale.name}>")

    def _deny(self) -> None:
        self._denied = not self._denied
        self._denies = True

    def _break(self) -> None:
        """The end of a clause: a denial in it that no scale has used up denies the clause."""
        if self._emitted and self._emitted[-1] != ",":
            if self._not_all:
                stated = _NOT_ALWAYS
            elif self._denied:
                stated = _DENIED
            else:
                stated = _ALWAYS if self._all else _STATED
            self._slots.append(stated)
            self._emitted.append(",")
        self._denied = self._all = self._not_all = False  # "No, we use npm" denies something else
        self._last = ""

    def _emit(self, text: str, *, counts: bool = False) -> None:
        self._emitted.append(text)
        self._content += counts

    def _emit_han(self, text: str) -> None:
        """Runs are joined, whatever was taken out between them."""
        if self._emitted and self._emitted[-1][-1] >= _FIRST_HAN and self._emitted[-1][0] != "\ue000":
            self._emitted[-1] += text
        else:
            self._emitted.append(text)
