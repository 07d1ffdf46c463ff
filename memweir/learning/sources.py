"""Which stretches of a message did a person write? Whatever a machine put beside them is cut out.

Who made a message decides first. Inside a person's own, what hosts add (boot files, clocks,
heartbeats, catalogues of skills, reminders in tags, memweir's own block), what is quoted and what a
tool printed is known by its form: tags that wrap whole lines, headings and labels, dumps of keys,
stamps. The words by which it is known are in `data/scaffolding*.txt`. Where a form has no end of its
own, as that of a boot file, all that follows is cut: precision before recall.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memweir.learning.runtime_lines import fences, line_cuts
from memweir.learning.scaffolding import tag_kind
from memweir.learning.stretches import Cut, merged, without
from memweir.learning.types import PERSON, LeftOut, Message

__all__ = ["Written", "written"]


@dataclass(frozen=True, slots=True)
class Written:
    """What of a message a person wrote.

    Attributes:
        stretches: half-open, in characters of its text, in order; none is blank.
        left_out: what was cut, in order, each with the rule that says so.
    """

    stretches: tuple[tuple[int, int], ...]
    left_out: tuple[LeftOut, ...]


def written(message: Message) -> Written:
    """The person's words of a message. Linear in its length, whatever is in it."""
    text = message.text
    if message.source != PERSON:
        if not text.strip():
            return Written((), ())
        return Written((), (LeftOut(_rule_of(message.source), message.place, 0, len(text)),))
    if not text.strip():
        return Written((), ())
    tagged = merged(_tagged(text))
    cuts = [*tagged, *line_cuts(text, tagged)]
    return Written(*without(text, ((0, len(text)),), cuts, message.place))


_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,31}")


def _rule_of(source: str) -> str:
    """The host's own word, where it is one."""
    return f"source.{source}" if _NAME.fullmatch(source) else "source.other"


# --- tags --------------------------------------------------------------------------------------------

_TAGGED: Final = "source.tagged"
_INJECTED: Final = "source.injected"
_OWN: Final = ("user_long_term_memories", "standing_answer")
_TAG: Final = re.compile(
    r"(?:<|＜|&lt;)(?P<slash>[/／]?)(?P<name>[^\W\d_](?:[\w.:-]{0,62}\w)?)"
    r"(?:\s[^<>＜＞\n]{0,500}?)?(?P<single>[/／]?)(?:>|＞|&gt;)"
    r"|\[(?P<closes>/?)(?P<word>[^\W\d_][\w-]{0,62})(?:[\s:][^\[\]\n]{0,200})?\]"
)


def _tagged(text: str) -> list[Cut]:
    """What stands in tags that a machine wrote, and the tags around a person's words."""
    if "<" not in text and "＜" not in text and "&lt;" not in text and "[" not in text:
        return []
    cuts = [Cut(start, end, "source.comment") for start, end in _comments(text)]
    tags = list(_TAG.finditer(text))
    if not tags:
        return cuts
    blocks = fences(text)
    open_tags: list[tuple[str, re.Match[str]]] = []
    waiting: dict[str, int] = {}
    pairs: list[tuple[str, re.Match[str], re.Match[str]]] = []
    stray: list[tuple[str, re.Match[str]]] = []
    block = 0
    for match in tags:
        while block < len(blocks) and blocks[block][1] <= match.start():
            block += 1
        if block < len(blocks) and blocks[block][0] <= match.start():
            continue
        name = (match["name"] or match["word"]).casefold().replace("-", "_")
        if match["slash"] or match["closes"]:
            if not waiting.get(name):
                stray.append((name, match))
                continue
            while open_tags:
                opened, first = open_tags.pop()
                waiting[opened] -= 1
                if opened == name:
                    pairs.append((name, first, match))
                    break
                stray.append((opened, first))
        elif match["single"]:
            if _machine(name) and _begins_line(text, match) and _ends_line(text, match):
                cuts.append(Cut(*match.span(), _rule(name)))
        else:
            open_tags.append((name, match))
            waiting[name] = waiting.get(name, 0) + 1
    for name, first, last in pairs:
        kind = tag_kind(name)
        if kind == "inline":
            continue
        if kind == "person":
            cuts += (Cut(*first.span(), "source.label"), Cut(*last.span(), "source.label"))
        elif _machine(name) or (_begins_line(text, first) and _ends_line(text, last)):
            cuts.append(Cut(first.start(), last.end(), _rule(name)))
    return [*cuts, *_torn(text, merged(cuts), sorted([*stray, *open_tags], key=_place))]


def _place(tag: tuple[str, re.Match[str]]) -> int:
    return tag[1].start()


def _torn(text: str, covered: list[Cut], tags: list[tuple[str, re.Match[str]]]) -> Iterator[Cut]:
    """What belongs to tags whose other end was cut off.

    Memweir's own block ends with its paragraph: what else is of it, echoes tell. Of any other there is
    no telling how far it went.
    """
    reach = number = 0
    for name, match in tags:
        while number < len(covered) and covered[number].end <= match.start():
            reach = max(reach, covered[number].end)
            number += 1
        if match.start() < reach or not _tears(text, name, match):
            continue
        if number < len(covered) and covered[number].start <= match.start():
            continue
        own = name in _OWN or name == "memory"
        start, end = match.span()
        if match["slash"] or match["closes"]:
            start = max(reach, text.rfind("\n\n", reach, start) + 1) if own else reach
        elif _begins_line(text, match) or (own and " " in match.group()):
            blank = _BLANK.search(text, end) if own else None
            end = blank.start() if blank is not None else len(text)
        else:
            continue  # a person names the tag
        yield Cut(start, end, _rule(name))
        reach = end


_BLANK: Final = re.compile(r"\n[ \t\r]*\n")


def _rule(name: str) -> str:
    return _INJECTED if name in _OWN or name == "memory" else _TAGGED


def _machine(name: str) -> bool:
    """A name that no person writes for its own sake."""
    kind = tag_kind(name)
    return kind == "machine" or (kind == "" and "_" in name)


def _tears(text: str, name: str, tag: re.Match[str]) -> bool:
    """Whether a single tag is half of a pair: by its name, or because it stands alone on its line."""
    if tag["word"]:
        return name in _OWN
    alone = _begins_line(text, tag) and _ends_line(text, tag)
    return _machine(name) and (alone or tag_kind(name) == "machine")


def _begins_line(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - 40) : match.start()]
    return not before[before.rfind("\n") + 1 :].strip(" \t>*_`") and (
        "\n" in before or match.start() <= 40
    )


def _ends_line(text: str, match: re.Match[str]) -> bool:
    after = text[match.end() : match.end() + 40]
    head, _, rest = after.partition("\n")
    return not head.strip(" \t\r*_`.。") and (bool(rest) or len(after) < 40 or "\n" in after)


def _comments(text: str) -> Iterator[tuple[int, int]]:
    start = text.find("<!--")
    while start >= 0:
        end = text.find("-->", start)
        if end < 0:
            return
        yield start, end + 3
        start = text.find("<!--", end)
