"""What does a message say that is worth remembering? Its gates in their order, then the extractor.

    source   what a person wrote, of all that a host puts into a message
    echo     less what repeats memweir's own injections
    shape    less code, tables, logs and other blocks that are no prose
    extract  sentences into facts, each with the words it was made of
    select   sure ones, each once, a few

Whatever is left out is reported with its place and the rule that says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memweir.errors import ExtractorError
from memweir.learning.echoes import Echoes, without_echoes
from memweir.learning.selection import Found, select
from memweir.learning.sentences import sentences
from memweir.learning.shapes import sentence_shape, shape_cuts
from memweir.learning.sources import written
from memweir.learning.types import Extractor, Fact, LeftOut, Message, Sentence, Spoken
from memweir.store.records import KINDS

__all__ = ["Reading", "read_message"]

_NO_EVIDENCE: Final = "extract.no-evidence"
_FORBIDDEN_KIND: Final = "turn"  # what is kept as it was said, by whoever keeps whole turns


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of a message. `left_out` in the order of its text."""

    found: tuple[Found, ...]
    left_out: tuple[LeftOut, ...]


def read_message(
    message: Message,
    extractor: Extractor,
    spoken: Spoken,
    echoes: Echoes,
    *,
    most: int,
    least: float,
) -> Reading:
    """The facts of one message.

    Args:
        spoken: who says it and when.
        echoes: what was injected.
        most, least: see `select`.

    Raises:
        ExtractorError: the extractor failed, or gave what is no answer.
    """
    source = written(message)
    left = list(source.left_out)
    stretches = source.stretches
    if stretches:
        stretches, cut = without_echoes(message.text, stretches, echoes, message.place)
        left += cut
        stretches, cut = shape_cuts(message.text, stretches, message.place)
        left += cut
    prose: list[Sentence] = []
    for sentence in sentences(message.text, stretches):
        rule = sentence_shape(sentence)
        if rule is None:
            prose.append(sentence)
        else:
            left.append(LeftOut(rule, message.place, sentence.start, sentence.end))
    found: list[Found] = []
    for sentence, answer in zip(prose, _extracted(extractor, prose, spoken), strict=True):
        if isinstance(answer, str):
            left.append(LeftOut(answer, message.place, sentence.start, sentence.end))
            continue
        for fact in answer:
            place = _evidence(fact, sentence)
            if place is None:
                left.append(LeftOut(_NO_EVIDENCE, message.place, sentence.start, sentence.end))
            else:
                found.append(Found(fact, *place))
    kept, dropped = select(found, most=most, least=least)
    left += [LeftOut(rule, message.place, each.start, each.end) for each, rule in dropped]
    left = [replace(each, part=message.part) for each in left]
    return Reading(tuple(kept), tuple(sorted(left, key=lambda each: (each.start, each.end))))


def _extracted(
    extractor: Extractor, prose: Sequence[Sentence], spoken: Spoken
) -> list[tuple[Fact, ...] | str]:
    if not prose:
        return []
    try:
        answers = [
            each if isinstance(each, str) else tuple(each) for each in extractor.extract(prose, spoken)
        ]
    except ExtractorError:
        raise
    except Exception as error:
        raise ExtractorError(f"the extractor failed: {type(error).__name__}") from error
    if len(answers) != len(prose):
        raise ExtractorError(f"the extractor answered {len(answers)} times for {len(prose)} sentences")
    for fact in _facts(answers):
        if not isinstance(fact, Fact) or fact.kind not in KINDS or fact.kind == _FORBIDDEN_KIND:
            raise ExtractorError(f"the extractor gave no fact of a known kind: {type(fact).__name__}")
    return answers


def _facts(answers: Sequence[tuple[Fact, ...] | str]) -> Iterator[Fact]:
    for each in answers:
        if not isinstance(each, str):
            yield from each


def _evidence(fact: Fact, sentence: Sentence) -> tuple[int, int] | None:
    """Where the quoted words stand in the message; None: nobody wrote them."""
    start = sentence.text.find(fact.quote) if fact.quote.strip() else -1
    if start < 0 or not fact.statement.strip():
        return None
    return sentence.start + start, sentence.start + start + len(fact.quote)
