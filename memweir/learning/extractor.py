"""Which facts do sentences state, by rules alone? The extractor that ships with memweir."""

from __future__ import annotations

from collections.abc import Sequence

from memweir.learning.types import Fact, Sentence, Spoken

__all__ = ["RuleExtractor"]


class RuleExtractor:
    """Reads English and Chinese sentences; no model, no state. An `Extractor`."""

    def extract(self, sentences: Sequence[Sentence], spoken: Spoken) -> list[tuple[Fact, ...] | str]:
        """For each sentence its facts, or the rule by which there are none."""
        # A process that never observes need not load the rules of a language.
        from memweir.learning.chinese import read_chinese
        from memweir.learning.english import read_english

        readers = {"zh": read_chinese, "en": read_english}
        return [readers[each.lang](each, spoken) for each in sentences]
