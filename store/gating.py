"""How does a batch of drafts come to be written? Through the gates, then one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memweir.errors import InputError, MemweirError, NotFoundError, RefusedError
from memweir.store.draft_gates import check_draft, personal_rule
from memweir.store.entry import IndexEntry, Indexer
from memweir.store.policy import WritePolicy, draft_indexable
from memweir.store.records import Draft, Stored
from memweir.store.writes import Writer

__all__ = ["Gated", "gate"]


@dataclass(frozen=True, slots=True)
class Gated:
    """Drafts that were looked at, before the store is held.

    Attributes:
        drafts: as given.
        refusals: place → why a gate refused it.
        entries: place → what the index keeps of it, of those that passed.
        personal: place → the rule by which it holds a person's data.
    """

    drafts: Sequence[Draft]
    refusals: Mapping[int, RefusedError]
    entries: Mapping[int, IndexEntry]
    personal: Mapping[int, str]

    def add(self, writer: Writer, place: int) -> Stored | MemweirError:
        """Write the draft at a place, or say in the ledger why it is refused."""
        refusal = self.refusals.get(place)
        if refusal is not None:
            writer.note_refusal(refusal, self.drafts[place].scope)
            return refusal
        try:
            personal = self.personal.get(place, "")
            return writer.add(self.drafts[place], self.entries[place], personal=personal)
        except (NotFoundError, RefusedError) as error:
            # Raised before the first change. Anything else undoes the batch.
            return error


def gate(drafts: Sequence[Draft], indexer: Indexer, policy: WritePolicy, *, key: bytes) -> Gated:
    """Drafts through the write gates and the analysis; nothing is written.

    Raises:
        InputError: one of them is no draft.
    """
    refusals: dict[int, RefusedError] = {}
    personal: dict[int, str] = {}
    passed = []
    for place, draft in enumerate(drafts):
        if not isinstance(draft, Draft):
            raise InputError(f"a Draft is needed, got {type(draft).__name__}")
        try:
            check_draft(draft, key=key)
        except RefusedError as error:
            refusals[place] = error
            continue
        passed.append(place)
        if policy.quarantine_personal_data:
            personal[place] = personal_rule(draft)
    entries = indexer.index([draft_indexable(drafts[place]) for place in passed])
    return Gated(drafts, refusals, dict(zip(passed, entries, strict=True)), personal)
