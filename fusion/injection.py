"""What goes into the prompt? Admitted memories as escaped text, whole entries within a budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from memweir.errors import ConfigError
from memweir.fusion.entries import (
    answer_entry,
    answer_words,
    block_frame,
    memory_entry,
    memory_words,
    one_line,
)
from memweir.fusion.gate import EXPIRED, INSTRUCTION_LIKE, admitted
from memweir.fusion.tokens import count_tokens
from memweir.fusion.types import MODES, Block, Budget, Dropped, Judged, StandingAnswer

__all__ = ["DROP_REASONS", "count_tokens", "render"]

_ITEMS: Final = "items-budget"
_CHARACTERS: Final = "character-budget"
_TOKENS: Final = "token-budget"
_SLOTS: Final = "slot-budget"
_GROUP: Final = "coexistence-budget"
_GROUP_MODE: Final = "coexistence-mode"
_NEWER: Final = "newer-left-out"
_DUPLICATE: Final = "duplicate"
_STALE_ANSWER: Final = "stale-answer"

DROP_REASONS: Final[Mapping[str, tuple[str, str]]] = {
    _ITEMS: ("The block holds as many entries as it may.", "条数已达上限。"),
    _CHARACTERS: ("The whole entry does not fit the character budget.", "字符预算容不下整条。"),
    _TOKENS: ("The whole entry does not fit the token budget.", "词元预算容不下整条。"),
    _SLOTS: ("The reserved slots of its kind are taken.", "该类专属槽位已占满。"),
    _GROUP: (
        "Its coexistence group does not fit whole, so no member is shown.",
        "并存组无法整组放入，整组跳过。",
    ),
    _GROUP_MODE: (
        "The mode admits only a part of its coexistence group, so no member is shown.",
        "当前模式只允许并存组的一部分，整组跳过。",
    ),
    _NEWER: (
        "What may have replaced it is not in the block, and it is not shown without.",
        "可能取代它的新记忆未能放入，旧的不单独呈现。",
    ),
    _DUPLICATE: ("A memory in the block says the same.", "块中已有含义相同的记忆。"),
    _STALE_ANSWER: (
        "The mode admits no answer that is to be verified.",
        "当前模式不注入待核实的常备答案。",
    ),
    INSTRUCTION_LIKE: (
        "The last look at what would be shown found an instruction to the agent, or failed.",
        "注入前的最后检查发现对智能体的指令，或检查本身失败。",
    ),
}


def render(
    judged: Sequence[Judged],
    *,
    today: date,
    budget: Budget,
    mode: str,
    path_hits: Mapping[str, int] | None = None,
    answer: StandingAnswer | None = None,
    count: Callable[[str], int] = count_tokens,
    guard: Callable[[str], str] | None = None,
) -> Block:
    """Fill the block: pinned slots, belief slots, the standing answer, then the ranked memories.

    Every limit holds for the whole text, wrapper included; without a memory there is no wrapper. An
    entry is in whole or not at all: one that does not fit is skipped and reported, and a smaller one
    after it may still fit. The standing answer takes its room before the ranked memories and stands
    last in the text; it counts as an entry. What came through a slot is shown only while slots of its
    kind are left: nothing says that it has to do with the query.

    A coexistence group is one entry of several memories: all of its admitted members, at the place of
    the best of them, or none, whichever limit, slot or guard keeps one of them out; each group left
    out leaves a line in `Block.warnings`. Where `mode` admits only some of them, none is shown. What
    the gate ignores (a suspicious, harmful or withdrawn member) has left the group, and so has an
    expired member that the mode does not admit. Members that are not in `judged` are not known here.

    What may have replaced a contested memory stands before it, in whichever slot that is, and has room
    first: where only one of the two fits it is the newer one, and where that does not fit neither is
    shown. What the mode, the gate or the guard does not admit is not waited for.

    A near-duplicate is left out where its kept memory, or another duplicate of that one, is in the
    block already; a member of a group never is.

    Stored text is data: every field is escaped (`fusion.escaping`), and what no person said carries
    its source and a request to verify. Identical input gives an identical text; it holds no clock but
    `today`.

    Args:
        judged: best first.
        today: the caller's calendar day.
        budget: the limits.
        mode: "shadow", "assist" or "enforce", see `fusion.gate.admitted`. "shadow" renders nothing,
            "enforce" no stale answer.
        path_hits: path → number of memories it found; None or empty: no line about it.
        answer: the standing answer to the query.
        count: the model's own token counter, where the estimate will not do. It is asked about
            single entries and once about the whole; where the whole costs more, the entries placed
            last go.
        guard: the last look before an entry is placed. It is given the entry's stored words as a
            reader is shown them (title, speaker and text of each of its memories, one below the
            other, not escaped) and returns "" or the name of the rule that they break. Anything but
            "" keeps the whole entry out, and so does a guard that raises: what could not be looked at
            is not shown. None: no look.

    Returns:
        The block; its text is "" where nothing is in it.

    Raises:
        ConfigError: no such mode.
    """
    if mode not in MODES:
        raise ConfigError("fusion.gate.mode", mode, f"must be one of {', '.join(MODES)}")
    draft = _Draft(today, budget, path_hits or {}, count, guard)
    for entry in _queue(judged, answer, mode):
        draft.offer(entry)
    return draft.block()


@dataclass(frozen=True, slots=True)
class _Refusal:
    """Why an entry is not in the block.

    Attributes:
        reason: a key of `DROP_REASONS`.
        problem: what a warning about a group says behind its name.
        detail: the guard's rule.
    """

    reason: str
    problem: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class _Entry:
    """What is shown whole or not at all: a memory, a coexistence group or the standing answer.

    Attributes:
        group: the coexistence group, "" where there is only one member that has not left it.
        barred: why the mode does not let it in.
        needs: what may have replaced its members and stands before it in the queue: id, or that of the
            memory which says the same. Without all of them it is not shown.
    """

    members: tuple[Judged, ...] = ()
    answer: StandingAnswer | None = None
    section: str = ""
    group: str = ""
    barred: _Refusal | None = None
    needs: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        if self.answer:
            return (self.answer.id,)
        return tuple(each.scored.candidate.id for each in self.members)

    @property
    def says(self) -> set[str]:
        """Its memories, of a near-duplicate the one that is kept."""
        return {each.duplicate_of or each.scored.candidate.id for each in self.members}

    @property
    def pinned(self) -> int:
        candidates = (each.scored.candidate for each in self.members)
        return sum(candidate.pinned or candidate.slot == "pinned" for candidate in candidates)

    def text(self) -> str:
        if self.answer:
            return answer_entry(self.answer)
        return "".join(memory_entry(each, coexists=self.group) for each in self.members)

    def words(self) -> str:
        """What the guard is asked about."""
        if self.answer:
            return answer_words(self.answer)
        return "\n".join(memory_words(each) for each in self.members)


def _queue(judged: Sequence[Judged], answer: StandingAnswer | None, mode: str) -> list[_Entry]:
    """What the mode admits in the order in which it is given room."""
    groups: dict[str, list[Judged]] = {}
    sections: dict[str, list[Judged]] = {"pinned": [], "belief": [], "": []}
    for each in judged:
        candidate = each.scored.candidate
        if candidate.group:
            groups.setdefault(candidate.group, []).append(each)
        if admitted(each.decision, mode):
            sections[candidate.slot if candidate.slot in sections else ""].append(each)

    queue = []
    seen: set[str] = set()
    for section, members in sections.items():
        if section == "" and answer is not None and mode != "shadow":
            barred = _Refusal(_STALE_ANSWER) if answer.stale and mode == "enforce" else None
            queue.append(_Entry(answer=answer, barred=barred))
        for each in members:
            group = each.scored.candidate.group
            if not group:
                queue.append(_Entry((each,), section=section))
            elif group not in seen:
                seen.add(group)
                queue.append(_group_entry(groups[group], section, mode))
    return _newer_first(queue)


def _newer_first(queue: Sequence[_Entry]) -> list[_Entry]:
    """The same entries, each behind those that may have replaced one of its members."""
    home = {each: place for place, entry in enumerate(queue) if entry.members for each in entry.ids}
    order: list[int] = []
    taken: set[int] = set()
    for start in range(len(queue)):
        waiting = [(start, False)]
        while waiting:
            place, ready = waiting.pop()
            if ready:
                order.append(place)
            elif place not in taken:  # where they name each other in a circle, the first stays first
                taken.add(place)
                waiting.append((place, True))
                named = (each.scored.candidate.contested for each in queue[place].members)
                waiting += [(home[each], False) for each in named if each in home]
    stands = {place: rank for rank, place in enumerate(order)}
    queued = []
    for place in order:
        needs = []
        for each in queue[place].members:
            newer = each.scored.candidate.contested
            held = not each.scored.candidate.ended and newer in home
            if held and stands[home[newer]] < stands[place]:
                before = queue[home[newer]].members
                needs += [
                    one.duplicate_of or newer for one in before if one.scored.candidate.id == newer
                ]
        queued.append(replace(queue[place], needs=tuple(needs)))
    return queued


def _group_entry(members: Sequence[Judged], section: str, mode: str) -> _Entry:
    shown: dict[str, Judged] = {}
    withheld: dict[str, Judged] = {}
    for each in members:
        candidate, decision = each.scored.candidate, each.decision
        if admitted(decision, mode):
            shown.setdefault(candidate.id, each)
        elif decision.action == "verify" and decision.reason != EXPIRED:
            withheld.setdefault(candidate.id, each)
    group = members[0].scored.candidate.group if len(shown) + len(withheld) > 1 else ""
    barred = None
    if withheld:
        entries = _amount(len(withheld), "entry", "entries")
        barred = _Refusal(_GROUP_MODE, f"has {entries} that the mode {mode} does not admit")
    return _Entry(tuple(shown.values()), section=section, group=group, barred=barred)


@dataclass(frozen=True, slots=True)
class _Size:
    """What the entries of a block add up to, without its frame."""

    items: int = 0
    memories: int = 0
    pinned: int = 0
    coexistence: bool = False
    characters: int = 0
    tokens: int = 0

    def plus(self, entry: _Entry, text: str, tokens: int) -> _Size:
        return _Size(
            items=self.items + len(entry.ids),
            memories=self.memories + len(entry.members),
            pinned=self.pinned + entry.pinned,
            coexistence=self.coexistence or bool(entry.group),
            characters=self.characters + len(text),
            tokens=self.tokens + tokens,
        )


class _Draft:
    """The block while it is filled. Sizes add up, so an entry costs the time of its own length only."""

    def __init__(
        self,
        today: date,
        budget: Budget,
        path_hits: Mapping[str, int],
        count: Callable[[str], int],
        guard: Callable[[str], str] | None,
    ) -> None:
        self._today, self._budget, self._path_hits, self._count = today, budget, path_hits, count
        self._guard = guard
        self._slots = {"pinned": budget.pinned_slots, "belief": budget.belief_slots}
        self._said: set[str] = set()  # ids shown, and ids that a shown duplicate stands for
        self._unsaid: set[str] = set()  # the same of what may not be shown, whatever the room
        self._size = _Size()
        self._placed: list[tuple[_Entry, str]] = []
        self._dropped: list[Dropped] = []
        self._warnings: list[str] = []

    def offer(self, entry: _Entry) -> None:
        """Take the entry in, or note why it is not in."""
        refusal = entry.barred or self._place(entry)
        if refusal is not None:
            if refusal.reason in (_GROUP_MODE, INSTRUCTION_LIKE):
                self._unsaid |= entry.says
            self._drop(entry, refusal)

    def block(self) -> Block:
        text = self._text()
        tokens = self._count(text)
        # Not every counter adds up; the limit holds for the whole text whatever the parts said.
        while tokens > self._budget.tokens and self._placed:
            problem = f"goes again: the block has {tokens} tokens, {self._budget.tokens} are allowed"
            self._drop(self._placed.pop()[0], _Refusal(_TOKENS, problem))
            text = self._text()
            tokens = self._count(text)
        ids = tuple(
            memory_id for entry, _ in self._placed if not entry.answer for memory_id in entry.ids
        )
        answers = [entry.answer.id for entry, _ in self._placed if entry.answer]
        tokens = tokens if text else 0
        return Block(
            text=text,
            ids=ids,
            dropped=tuple(self._dropped),
            characters=len(text),
            tokens=tokens,
            answer_id="".join(answers),
            warnings=tuple(self._warnings),
        )

    def _place(self, entry: _Entry) -> _Refusal | None:
        """Take the entry in and return None, or return which rule keeps it out."""
        says = entry.says
        grouped = any(each.scored.candidate.group for each in entry.members)
        if not grouped and not says.isdisjoint(self._said):
            return _Refusal(_DUPLICATE)
        if not self._said.issuperset(each for each in entry.needs if each not in self._unsaid):
            return _Refusal(_NEWER, "is not shown without what may have replaced a part of it")
        taken = sum(each.scored.candidate.slot == entry.section for each in entry.members)
        if entry.section and taken > self._slots[entry.section]:
            slots = _amount(taken, f"{entry.section} slot", f"{entry.section} slots")
            return _short(_SLOTS, slots, self._slots[entry.section])
        left = self._budget.items - self._size.items
        if len(entry.ids) > left:
            return _short(_ITEMS, _amount(len(entry.ids), "entry", "entries"), left)
        text = entry.text()
        tokens = self._count(text)
        size = self._size.plus(entry, text, tokens)
        frame = "".join(self._frame(size))
        left = self._budget.characters - self._size.characters - len(frame)
        if len(text) > left:
            return _short(_CHARACTERS, _amount(len(text), "character", "characters"), left)
        left = self._budget.tokens - self._size.tokens - self._count(frame)
        if tokens > left:
            return _short(_TOKENS, _amount(tokens, "token", "tokens"), left)
        rule = self._broken_rule(entry)
        if rule:
            return _Refusal(INSTRUCTION_LIKE, f"is kept out whole by the guard: {rule}", rule)
        if entry.section:
            self._slots[entry.section] -= taken
        self._said |= says
        self._size = size
        self._placed.append((entry, text))
        return None

    def _broken_rule(self, entry: _Entry) -> str:
        """The rule that the guard says the entry breaks, "" where it breaks none."""
        if self._guard is None:
            return ""
        try:
            rule = self._guard(entry.words())
            return "" if rule == "" else one_line(str(rule)) or "unnamed"
        except Exception as error:  # whatever it is: what could not be looked at is not shown
            return f"the guard failed with {type(error).__name__}"

    def _drop(self, entry: _Entry, refusal: _Refusal) -> None:
        reason = refusal.reason
        if entry.group:
            if reason not in (_GROUP_MODE, INSTRUCTION_LIKE):
                reason = _GROUP
            self._warnings.append(f"{reason}: {one_line(entry.group)} {refusal.problem}")
        self._dropped.extend(Dropped(each, reason, refusal.detail) for each in entry.ids)

    def _text(self) -> str:
        size = _Size()
        memories: list[str] = []
        answers: list[str] = []
        for entry, text in self._placed:
            size = size.plus(entry, text, 0)
            (answers if entry.answer else memories).append(text)
        if not self._placed:
            return ""
        head, foot = self._frame(size)
        return "".join((head, *memories, foot, *answers))

    def _frame(self, size: _Size) -> tuple[str, str]:
        if not size.memories:  # a standing answer says for itself what it is
            return "", ""
        return block_frame(
            count=size.memories,
            pinned=size.pinned,
            today=self._today,
            path_hits=self._path_hits,
            coexistence=size.coexistence,
        )


def _amount(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _short(reason: str, needed: str, left: int) -> _Refusal:
    left = max(left, 0)  # the frame alone may cost more than there is
    return _Refusal(reason, f"needs {needed}, {left} {'is' if left == 1 else 'are'} left")
