"""What does one statement claim, in units that can be held against another's?

A `Claim` is a row of units: words of the same meaning have the same key in either language, numbers,
times and amounts one form, and what is denied is marked. Built on the polarity reader of retrieval,
which knows denials and scales.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from memweir.learning.amounts import fold_amounts
from memweir.learning.claim_words import MARKS, USER, Entry, base, claim_words, is_verb
from memweir.learning.english import lexicon as english
from memweir.retrieval.meaning import WordVectors
from memweir.retrieval.normalise import normalise
from memweir.retrieval.polarity import read_sentence
from memweir.retrieval.stopwords import word_lists
from memweir.retrieval.typed_values import kind_of
from memweir.retrieval.wording import cut_words

__all__ = ["LONGEST_CLAIM", "Claim", "Unit", "read_claim"]

LONGEST_CLAIM: Final = 400
"""Characters of a statement that is read; a longer one claims too much to be held against another."""

_MOST_CLAUSES: Final = 8
_FIRST_HAN: Final = "\u3400"
_MARK: Final = "\ue000"
_ROLES: Final = {
    **dict.fromkeys(("from", "从"), "from"),
    **dict.fromkeys(("to", "into", "onto", "到", "给", "向", "往"), "to"),
    **dict.fromkeys(("over", "than", "比"), "than"),
    **dict.fromkeys(("by", "被", "由"), "by"),
    **dict.fromkeys(("under", "below"), "below"),
    **dict.fromkeys(
        ("in", "on", "at", "for", "of", "with", "as", "about", "在", "用", "对", "以"), "with"
    ),
}
_ORDERS: Final = {"befor": "before", "before": "before", "after": "after"}
_STANDS_AFTER: Final = {
    **dict.fromkeys(("前", "之前", "以前"), "before"),
    **dict.fromkeys(("后", "之后", "以后"), "after"),
}
_LIGHT: Final = frozenset(
    (
        *("be", "have", "do", "can", "will", "and", "or", "but", "so", "then", "also", "not_only"),
        *("this", "that", "these", "those", "there", "who", "which"),
        *("it", "its", "their", "his", "her", "my", "our", "your"),
    )
)
_HAN_LIGHT: Final = frozenset(
    "的了得地着是在有和与把将被给由从到往向对以为就都也又还让个只条次份于及呢啊吧里上中下会能要所之其"
)
_CLAUSE: Final = re.compile(r"[;。;!?！？]|(?<=[^0-9])\.(?=\s|$)")
_LEADING_REASON: Final = re.compile(
    r"^(?:因为|为了|由于|because |since |due to |as )(?P<why>[^,]{1,80}),\s*(?P<main>.+)$"
)
_DETAIL: Final = re.compile(
    r"(?:,| (?:because|since|so that|so as to|in order to|which|who|whose|due to) "
    r"| that (?=[a-z]+s\b|(?:he|she|they|it|the user)\b)|因为|以便|好让| \()"
)
_DOUBLE_EN: Final = re.compile(
    r"^(?P<pre>.*?)\bthere (?:is|are) (?:no|nobody|no one|not a single|not one|never a)\b"
    r"(?P<n>.{0,60}?)"
    r"\b(?:who|that|which|where|when|on which|in which|for which)\b(?P<s>.{0,60}?)"
    r"(?:\b(?:does|do|is|are|has|have|can|will)(?:n't| not)|\bnever|\blacks|\bwithout)\b(?P<v>.*)$"
)
_WITHOUT: Final = re.compile(
    r"\b(never|not|no|nobody|no one|cannot|can't|doesn't|don't|won't|nothing)\b(.*?)\bwithout\b"
)
_ONLY_ZH: Final = re.compile(
    "^(?P<s>[^,]*?)(?:不会|不能|不得|不可|不)?(?:不经过|没有经过|没经过|没有|不|没|未)"
    "(?P<x>(?!只|仅|光|但|是)[^,不没]{1,14}?),?"
    "(?:就不会|就不能|就不得|就不|不会|不能|不得|不可以|不可|不准|不许|就不让|绝不)(?P<y>[^,]{1,20})$"
)
_NOT_NOT: Final = re.compile("不会不|不能不|不得不|不可不|不可能不|无不|不是不")
_THEN: Final = re.compile("不(?:会|能)不(?P<x>[^,]{1,10}?)就(?P<y>[^,]{1,14})$")
_NONE_ZH: Final = re.compile(
    "没有(?:一|哪|任何)?[个条次件家位天张份种只]?(?P<n>[^,]{1,12}?)(?:是|会|能|可以)?"
    "(?:不|没有人|没人|没有|没|无人)(?P<v>[^,]{1,12})$"
)
_UNABLE: Final = re.compile("(?P<v>[\u4e00-\u9fff])不(?:了|来)(?![\u4e00-\u9fff]?解)")
_ABLE: Final = re.compile("(?P<v>[\u4e00-\u9fff])得(?:了|来)")
_A_EVEN: Final = re.compile("一[个条次件家位天张份种只](?P<n>[^,]{1,12}?)(?:都|也)(?P<v>没有|没|不)")
_STOPPED_ZH: Final = re.compile("戒(?P<n>[烟酒糖茶])")
_HABIT: Final = {"烟": "抽烟", "酒": "喝酒", "糖": "吃糖", "茶": "喝茶"}
_NOBODY: Final = re.compile(r"^(?:nobody|no one|none of the team) (?=may|can|is|should|must)")
_RUNNING: Final = re.compile(r"\b(?:\w+-)?(?:year|month|week|day)s?-old\b")
_UNIVERSAL: Final = (("<everybody>", 1), ("<everything>", 1), ("<need>", 1))  # "everyone in the team"
_SAID: Final = ("change", "correct", "end", "whole", "names-old")
_AUXILIARIES: Final = frozenset(
    (
        *("is", "are", "am", "was", "were", "be", "been", "being", "has", "have", "had", "having"),
        *("get", "gets", "got", "gotten", "getting"),
    )
)
_AGAIN: Final = re.compile(
    r"\b(?:once again |again )?"
    r"(?:mentioned|mentions|confirmed|confirms|noted|notes|repeated|emphasi[sz]ed|stressed)"
    r"(?: once)?(?: again)?(?: that)?\b(?! by\b)"
)
_LETTER: Final = re.compile(r"(?<!^)\b([A-HJ-Z])\b(?!['’.])")  # "from A to B" has no article
_WISHED: Final = re.compile(
    r"^(?:the user|she|he) (?:wants|would like|expects) (?P<rest>.{1,60}? to be .*)$"
)
_JOINED: Final = (
    ("and", re.compile(r"\b(?:and|as well as|plus)\b|[和与跟及、]")),
    ("or", re.compile(r"\bor\b|或")),
)
_EXCEPTS: Final = re.compile(
    r"\b(?:except|excluding|apart from|other than|but|although|though|however)\b"
    r"|除|例外|不包括|不含|但|不过"
)
_MAY: Final = re.compile(r"\b(?:can|may|might|could|is able to|are able to)\b(?! not)")
_HAN_RUN: Final = re.compile("[㐀-鿿]+")
_RISKY: Final = re.compile("[本该真太就又都很挺要地得着是吧了请注]")
_STANDS: Final = re.compile(
    "[不没别未无]|^(?:都是|就是|还是|也是|真的|只要|就要|都要|要是|总是|的|一定要|是否|必须|需要"
    "|请|太|很|就|都|是)"
)
_EXPERIENCE: Final = re.compile("[\u4e00-\u9fff]过(?![滤敏期程去年夜时多于分来度节]|后)")


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing that a statement speaks of.

    Attributes:
        key: equal for what says the same.
        kind: "word", "name", "value" or "scale".
        unit: of a value its kind, "clock", "week", "number", "second", …; else "".
        mask: of a scale the states left open, as bits; else 0.
        denied: the clause in which it stands is denied, and it is no subject of it.
        role: "from", "to", "than", "by", "before", "after", "below", "with" or "": where it stands.
        person: somebody in relation to somebody.
        predicate: may be a verb.
        detail: stands in a part that gives a reason or a detail.
        grouped: its key is that of a known group of words.
        light: says little beside what is used, kept or had.
        stays: lives somewhere.
        often: how often.
        every: of an opposite all of its states, else 0.
    """

    key: str
    kind: str = "word"
    unit: str = ""
    mask: int = 0
    denied: bool = False
    role: str = ""
    person: bool = False
    predicate: bool = False
    detail: bool = False
    grouped: bool = False
    light: bool = False
    stays: bool = False
    often: bool = False
    every: int = 0


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement as units.

    Attributes:
        units: in the order of the text.
        marks: of `MARKS`, what keeps it from being that it is so now.
        change, correct, end, whole: it says that the value is another one from now on; was wrong; that
            it is so no more; that all of it is denied.
        past: it tells of an occasion that is over.
        may: it says what somebody can or may do, not what is done.
        names_old: where it tells of a change, the value that was is named.
        bounds: which ways of saying how much or how many it has, by number.
        demand: it says what is to be; joined: how its main part joins things, "and", "or", both or "".
        excepts: it tells of an exception.
        turned: two denials were read as one statement, whose order says nothing.
    """

    units: tuple[Unit, ...] = ()
    marks: frozenset[str] = frozenset()
    change: bool = False
    correct: bool = False
    end: bool = False
    whole: bool = False
    past: bool = False
    turned: bool = False
    may: bool = False
    names_old: bool = False
    bounds: frozenset[int] = frozenset()
    demand: bool = False
    joined: str = ""
    excepts: bool = False


@lru_cache(maxsize=16_384)
def read_claim(text: str) -> Claim:
    """Read a statement; of one that is too long or says nothing there are no units."""
    if len(text) > LONGEST_CLAIM:
        return Claim()
    folded = (
        normalise(_LETTER.sub(r"q\1", text)).replace("’", "'").replace(_MARK, " ").rstrip(" .。!！;；")
    )
    said = claim_words().said
    marks = frozenset(name for name in MARKS if said[name].search(folded))
    if text.rstrip().endswith(("?", "？")):
        marks |= {"question"}
    names = _names(text)
    folded = _WISHED.sub(r"\g<rest>", _AGAIN.sub(" ", folded))
    demands = said["demand"].search(_parted(folded)[0]) is not None
    said_so = {name: said[name].search(folded) is not None for name in _SAID}
    folded = said["whole"].sub(" ", folded)
    folded = said["end"].sub(_denial, folded)
    people = claim_words().people
    folded = claim_words().person.sub(lambda match: people[match.group(1)], folded)
    folded, turned = _turn_denials(_RUNNING.sub(" ", folded))
    folded = fold_amounts(folded)
    main, detail = _parted(folded)
    bounds = frozenset(
        number for number, bound in enumerate(claim_words().bounds) if bound.search(main)
    )
    past = _is_past(main)
    units: list[Unit] = []
    for part, is_detail in ((main, False), (detail, True)):
        for number, clause in enumerate(filter(str.strip, _CLAUSE.split(part))):
            if number >= _MOST_CLAUSES:
                return Claim()
            units += _read_clause(clause.strip(), names, is_detail)
    if not any(unit.person or unit.key == USER for unit in units):
        # "The data lives in Vault" says where it is stored.
        store = claim_words().store
        units = [replace(unit, key=store, light=True) if unit.stays else unit for unit in units]
    return Claim(
        tuple(units),
        marks,
        said_so["change"],
        said_so["correct"],
        said_so["end"],
        said_so["whole"],
        past,
        turned,
        _MAY.search(folded) is not None,
        said_so["names-old"],
        bounds,
        demands,
        "".join(name for name, pattern in _JOINED if pattern.search(main)),
        _EXCEPTS.search(folded) is not None,
    )


def _denial(match: re.Match[str]) -> str:
    """What says that it is so no more, as a denial."""
    said = match.group()
    if not said.isascii():
        return "不再"
    return " no longer from " if said.endswith(" from") else " no longer "


def _names(text: str) -> dict[str, str]:
    """Base → surface of the capitalised words of a text, but for one that begins it."""
    found: dict[str, str] = {}
    for match in re.finditer(r"[A-Za-z][\w.+#/-]*", text):
        word = match.group()
        if word[0].isupper() and (match.start() > 0 or not word[1:].islower()):
            found[base(word.lower())] = word.lower()
    return found


def _is_past(folded: str) -> bool:
    """Whether it tells of an occasion that is over, by 过 or the past tense of its verbs."""
    if _EXPERIENCE.search(folded):
        return True
    words = re.findall(r"[a-z']+", folded)
    for at, word in enumerate(words):
        if word in ("was", "were") and words[at + 1 : at + 2] != ["born"]:
            return True
        found = english.verb(word)
        if found is None or not found.forms & english.PAST or found.forms & english.BASE:
            continue
        participle = found.forms & english.PARTICIPLE and not _AUXILIARIES.isdisjoint(
            words[max(at - 3, 0) : at]
        )
        if not participle and word not in ("had", "did", "was", "were") and at > 0:
            return True
    return False


def _turn_denials(folded: str) -> tuple[str, bool]:
    """Two denials that make a statement, read as that statement."""
    for pattern, said in (
        (_DOUBLE_EN, r"\g<pre> every \g<n> \g<s> \g<v>"),
        (_THEN, r"\g<y>前必须\g<x>"),
        (_ONLY_ZH, r"\g<s>\g<y>前必须\g<x>"),
        (_NONE_ZH, r"\g<n>\g<v>"),
    ):
        turned = pattern.sub(said, folded, count=1)
        if turned != folded:
            return turned, True
    turned = _NOT_NOT.sub("必须", folded)
    if turned == folded:
        turned = _WITHOUT.sub(r"\1\2 not with", folded)
    if turned != folded:
        return turned, True
    folded = _A_EVEN.sub(r"\g<v>\g<n>", folded)
    folded = _STOPPED_ZH.sub(lambda match: "不再" + _HABIT[match["n"]], folded)
    folded = _ABLE.sub(r"能\g<v>", _UNABLE.sub(r"不能\g<v>", folded))
    return _NOBODY.sub("not ", folded), False


def _parted(folded: str) -> tuple[str, str]:
    """The main statement, and the reason or detail beside it."""
    match = _LEADING_REASON.match(folded)
    if match:
        return match["main"], match["why"]
    match = _DETAIL.search(folded)
    if match is None or match.start() < 4:
        return folded, ""
    main, detail = folded[: match.start()], folded[match.end() :]
    # "As a vegetarian, …" and "In May, …" lead up to what is said.
    if re.match(r"(?:as|in|at|on|for|given|when|before|after|during)\b|.{0,6}[时候]$", main):
        return f"{main} {detail}", ""
    return main, detail


def _read_clause(clause: str, names: dict[str, str], detail: bool) -> list[Unit]:
    shielded, words = _shield(clause)
    reading = read_sentence(shielded)
    slots = iter(reading.polarity)
    units: list[Unit] = []
    tokens: list[str] = []
    masks: list[tuple[str, int]] = []

    def close(state: int) -> None:
        nonlocal tokens, masks
        found = _units(tokens, dict(masks), names)
        denied = state & 0b011 == 0 or state == 0b110
        found = [unit for unit in found if unit.kind != "cue"]
        if denied and found and found[-1].every:
            # A denial turns the opposite that ends the clause, and is used up by it.
            found[-1] = replace(found[-1], mask=found[-1].every & ~found[-1].mask)
            denied = False
        units.extend(replace(unit, denied=denied, detail=detail) for unit in found)
        tokens, masks = [], []

    for token in reading.skeleton.split(" "):
        if token == ",":
            close(next(slots, 0b011))
        elif token.startswith("<") and token.endswith(">"):
            marked, mask = f"{token}{len(masks)}", next(slots, 0)
            if (token, mask) not in _UNIVERSAL:
                masks.append((marked, mask))
                tokens.append(marked)
        elif token:
            tokens.append(words.get(token, token))
    close(next(slots, 0b011))
    return units


def _shield(clause: str) -> tuple[str, dict[str, str]]:
    """A clause with a token for each Chinese word that the polarity reader would take apart.

    It leaves out 本 and 要 wherever they stand, in 脚本 and 需要 as well.
    """
    words: dict[str, str] = {}

    def cut(match: re.Match[str]) -> str:
        said = []
        for word in cut_words(match.group()):
            if len(word) > 1 and _RISKY.search(word) and not _STANDS.search(word):
                token = f"hz{len(words)}"
                words[token] = word
                said.append(f" {token} ")
            else:
                said.append(word)
        return "".join(said)

    return _HAN_RUN.sub(cut, clause), words


def _units(tokens: list[str], masks: dict[str, int], names: dict[str, str]) -> list[Unit]:
    """The units of one clause, roles told by what stands before."""
    pieces = [piece for token in tokens for piece in _pieces(token)]
    known, stop = claim_words(), word_lists().stop
    units: list[Unit] = []
    role, fresh, at = "", False, 0  # fresh: what the role is of has not come yet
    while at < len(pieces):
        piece = pieces[at]
        if piece in _STANDS_AFTER and units:
            units[-1] = replace(units[-1], role=_STANDS_AFTER[piece])
            role, at = "", at + 1
            continue
        if piece in masks:
            units.append(
                Unit(piece[: piece.index(">") + 1], "scale", mask=masks[piece], role="", predicate=True)
            )
            role, at = "", at + 1
            continue
        if piece[:1] == _MARK:
            units.append(Unit(piece, "value", kind_of(piece), role=_time_role(role)))
            role, at = "", at + 1
            continue
        if piece[0] >= _FIRST_HAN:
            length, made = _han_unit(pieces, at, known.han)
        else:
            length, made = _latin_unit(pieces, at, known.latin, names)
        if piece in _ROLES and (made is None or piece in "从由到给向往比被在用对以"):
            role, fresh = _ROLES[piece], True
            if role == "to" and any(unit.key == known.prefer for unit in units):
                role = "than"  # "prefers tea to coffee"
        elif piece in _ORDERS:
            role, fresh = _ORDERS[piece], True
        elif made is not None and not fresh and (made.person or made.predicate or made.key == USER):
            role = ""
        if made is not None and (made.grouped or made.kind != "word" or made.key not in stop):
            if piece not in _ORDERS and piece not in _ROLES:
                units.append(replace(made, role=role))
                following = pieces[at + length] if at + length < len(pieces) else ""
                if role == "by" and fresh and following >= _FIRST_HAN:
                    pass  # 被支付模块: what the agent begins with may be a verb by itself
                elif made.predicate or made.person or made.key == USER or following >= _FIRST_HAN:
                    role = ""
                fresh = False
        elif made is None and piece not in _ROLES and piece not in _ORDERS:
            role = ""
        at += length
    last = pieces[-1] if pieces else ""
    if last >= _FIRST_HAN and last[0] != _MARK:
        # What ends a clause is its verb: 周一到, 周一走.
        if last in _ROLES:
            units.append(Unit(last, predicate=True))
        elif units and units[-1].light and units[-1].role == "":
            units[-1] = replace(units[-1], light=False)
    return units


def _time_role(role: str) -> str:
    return role if role in ("before", "after", "from", "to") else ""


def _pieces(token: str) -> list[str]:
    if token[0] == _MARK or token[0] == "<" or token[0] < _FIRST_HAN:
        return [token]
    return [part for word in cut_words(token) if word.strip() for part in _split_han(word)]


def _split_han(word: str) -> list[str]:
    """A Chinese word as the words it is made of, where it is one that the segmenter made up.

    What is left out of a clause brings together characters that are no word: 会锁屏, 猫叫.
    """
    if len(word) < 2:
        return [word]
    if all(each in _HAN_LIGHT or each in _STANDS_AFTER for each in word):
        return [word] if word in _STANDS_AFTER else list(word)
    known = claim_words().han
    if _is_listed(word, known):
        return [word]
    if len(word) > 2:
        if word[-1] in _STANDS_AFTER:
            return [*_split_han(word[:-1]), word[-1]]
        for phrase, entry in known.get(word[0], ()):
            if entry.action in ("do", "light") and word.startswith(phrase):
                return [phrase, word[len(phrase) :]]
    if WordVectors.load().knows(word):
        return [word]
    if len(word) > 2 and (word[0] in _HAN_LIGHT or word[0] in _STANDS_AFTER):
        return [word[0], *_split_han(word[1:])]
    for at in range(1, len(word)):
        if _is_listed(word[:at], known) and _is_listed(word[at:], known):
            return [word[:at], word[at:]]
    return [word]


def _is_listed(word: str, known: dict[str, tuple[tuple[str, Entry], ...]]) -> bool:
    return any(phrase == word for phrase, _ in known.get(word[0], ()))


def _entry_unit(entry: Entry) -> Unit | None:
    if entry.action == "drop":
        return None
    if entry.action == "cue":
        return Unit("", "cue", grouped=True)
    if entry.action == "opposite":
        return Unit(entry.key, "scale", mask=entry.side, every=entry.every, grouped=True)
    action = entry.action
    return Unit(
        entry.key,
        predicate=action in ("do", "light", "stays"),
        person=action == "person",
        light=action == "light",
        stays=action == "stays",
        often=action == "often",
        grouped=True,
    )


def _latin_unit(
    pieces: list[str],
    at: int,
    known: dict[str, tuple[tuple[tuple[str, ...], Entry], ...]],
    names: dict[str, str],
) -> tuple[int, Unit | None]:
    word = base(pieces[at])
    for rest, entry in known.get(word, ()):
        # Small words between the words of a phrase do not part them.
        end, matched = at + 1, 0
        while matched < len(rest) and end < len(pieces):
            if base(pieces[end]) == rest[matched]:
                matched += 1
            elif pieces[end] not in ("be", "have"):
                break
            end += 1
        if matched == len(rest):
            return end - at, _entry_unit(entry)
    if kind_of(pieces[at]):
        return 1, Unit(pieces[at], "value", "number")
    if pieces[at] in _LIGHT or pieces[at] in _ROLES or (len(word) == 1 and word not in names):
        return 1, None
    return 1, Unit(word, "name" if word in names else "word", predicate=is_verb(word))


def _han_unit(
    pieces: list[str], at: int, known: dict[str, tuple[tuple[str, Entry], ...]]
) -> tuple[int, Unit | None]:
    word = pieces[at]
    ahead = [word]
    while (
        len(ahead) < 6
        and at + len(ahead) < len(pieces)
        and pieces[at + len(ahead)][0] >= _FIRST_HAN
        and pieces[at + len(ahead)][0] != _MARK
    ):
        ahead.append(pieces[at + len(ahead)])
    joined = "".join(ahead)
    ends = {sum(map(len, ahead[: length + 1])): length + 1 for length in range(len(ahead))}
    for phrase, entry in known.get(word[0], ()):
        if len(phrase) in ends and joined.startswith(phrase):
            made = _entry_unit(entry)
            return ends[len(phrase)], made
    if word in _HAN_LIGHT or word in _ROLES:
        return 1, None
    return 1, Unit(word)
