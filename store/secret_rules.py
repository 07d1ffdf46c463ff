"""Which texts hold a credential? The table of the secret gate.

Three kinds of rows: credentials known by their own shape, by the place they stand in, and by the word
before them. A text is refused by the first row that finds one, so that the rows that name a provider
come before those that only know a word.
"""

from __future__ import annotations

from typing import Final

from memweir.store.gate_rules import RuleTable
from memweir.store.secret_places import PLACE_RULES
from memweir.store.secret_shapes import SHAPE_RULES
from memweir.store.secret_words import WORD_RULES

__all__ = ["SECRET_RULES"]

SECRET_RULES: Final = RuleTable((*SHAPE_RULES, *PLACE_RULES, *WORD_RULES))
