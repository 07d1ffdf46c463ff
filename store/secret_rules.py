"""Which texts hold a credential? The table of the secret gate, and what no table of patterns sees.

Rows of several kinds: credentials known by their own shape, by what they restore, by the place they
stand in, by the word before them, and by the sentence around them. A text is refused by the first row
that finds one, so that the rows that name a provider come before those that only know a word. What
the rows pass is read as a conversation, as a table, and in the other readings that it shows signs of.
"""

from __future__ import annotations

from typing import Final

from memweir.store.folding import Folded, fold
from memweir.store.gate_rules import Finding, RuleTable
from memweir.store.secret_codes import CODE_RULES
from memweir.store.secret_commands import COMMAND_RULES
from memweir.store.secret_frames import FRAME_RULES
from memweir.store.secret_places import PLACE_RULES
from memweir.store.secret_readings import readings
from memweir.store.secret_recovery import RECOVERY_RULES, recovery_phrase
from memweir.store.secret_sentences import SENTENCE_RULES
from memweir.store.secret_shapes import SHAPE_RULES
from memweir.store.secret_tables import table_finding
from memweir.store.secret_turns import turn_finding
from memweir.store.secret_unexplained import unexplained_finding
from memweir.store.secret_words import WORD_RULES

__all__ = ["SECRET_RULES", "find_secret"]

SECRET_RULES: Final = RuleTable(
    (
        *SHAPE_RULES,
        *RECOVERY_RULES,
        *PLACE_RULES,
        *COMMAND_RULES,
        *WORD_RULES,
        *CODE_RULES,
        *FRAME_RULES,
        *SENTENCE_RULES,
    )
)


def find_secret(text: Folded) -> Finding | None:
    """The first credential of a text; of one found in another reading, the span is the whole text."""
    finding = _found(text)
    if finding is not None:
        return finding
    for reading in readings(text.exact):
        found = _found(fold(reading))
        if found is not None:
            return Finding(found.rule, 0, len(text.original))
    return unexplained_finding(text)


def _found(text: Folded) -> Finding | None:
    finding = SECRET_RULES.first(text) or turn_finding(text) or table_finding(text)
    if finding is None:
        phrase = recovery_phrase(text)
        if phrase is not None:
            return Finding("recovery-words", *text.span(*phrase))
    return finding
