"""What happens to a memory of the plain store later? Edits, withdrawal, credence, decisions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from memweir.errors import InputError, ReviewStale
from memweir.store.edits import content_of_draft, content_of_record, same_statement, says_another
from memweir.store.identity import memory_address
from memweir.store.indexing import indexable
from memweir.store.policy import CREDENCE_STEPS, countered_beta, learned_terms
from memweir.store.records import ORIGIN_CREDENCE, Draft, Record, Review, Stored, to_ms
from memweir.testing.plain_rows import Row
from memweir.testing.plain_writer import PlainWriter

__all__ = ["PlainChanges"]

_CONTENT = (
    *("scope", "text", "title", "tags", "semantic_key", "speaker", "scene", "domain"),
    *("kind", "layer", "raw_quote"),
)
_MOMENTS = ("event_start", "event_end", "expires_at")


class PlainChanges(PlainWriter):
    """The writes of one call, to memories that are there; see `memweir.store.writes.Writer`."""

    # Wordings

    def edit(self, row: Row, draft: Draft, *, personal: str = "") -> Stored:
        """Give a memory the fields of a draft by a person's act; what it meets then is asked about."""
        old = row.record
        address = self._address(row, draft)
        if draft.scope == old.scope:
            self.check_ends(old, draft)
        asks = old.status != "active" or says_another(old, draft, self._indexer.fold)
        due = self.due(row) if old.status == "quarantined" else None
        if asks:
            self.questions.leave(row)
            self.questions.void(old.id)
        same = same_statement(draft.text, old.text)
        if _says_another_thing(old, draft):
            row = self.new_version(row, same_text=same)
        self.state.scope(draft.scope)
        row.address = address
        row.set(
            **{name: getattr(draft, name) for name in _CONTENT},
            **{
                f"{name}_ms": None if getattr(draft, name) is None else to_ms(getattr(draft, name))
                for name in _MOMENTS
            },
            provenance=draft.provenance,
            pinned=draft.pinned,
            importance=float(draft.importance),
            updated_at_ms=self._now,
        )
        if draft.valid_at is not None:
            row.set(valid_at_ms=to_ms(draft.valid_at))
            row.dated = True
        if not same:
            alpha, beta = ORIGIN_CREDENCE["explicit"]
            row.set(origin="explicit", alpha=alpha, beta=beta, harmful_count=0, learned_terms=())
            row.set(confirmed_at_ms=max(old.confirmed_at_ms, self._now))
        if draft.scope != old.scope:
            row.set(learned_terms=(), recall_count=0, last_recalled_at_ms=None)
        self.index.entry(row)
        stays = same and draft.scope == old.scope
        self.prove(row, "relabelled" if stays else "edited", source=None)
        self.log("edited", old.id)
        self.count_evidence(row)
        held = None
        if asks or personal:
            self.check_past(row, personal)
            held = self.held(row, personal=personal, supersedes=due)
        if held is not None:
            self.hold_back(row, held, old)
            return self.stored(row, "updated")
        self.admit(row)
        if due is not None:
            self.supersede(due, row, since_ms=row.record.valid_at_ms)
        self.move_ends(old, row.record)
        if asks:
            self.questions.ask(row, told_ms=None if same else self._now)
        return self.stored(row, "updated")

    def _address(self, row: Row, draft: Draft) -> str | None:
        record = row.record
        if record.document_id is not None:
            other = self.state.by_document(draft.scope, record.document_id)
            if other is not None and other is not row:
                self.refuse(record.id, "edit-refused", "document-taken")
            return None
        normal = self._indexer.fold(draft.text)
        free: str | None = None
        for generation in count():
            address = memory_address(draft, normal, now_ms=record.created_at_ms, generation=generation)
            other = self.state.by_address(address)
            if other is not None and other is not row and other.record.invalid_at_ms is None:
                self.refuse(record.id, "edit-refused", "told-already")
            if other is None or other is row:
                free = free or address
            if other is None and address not in self.state.ids:
                break
        return None if free == record.id else free

    def adjust(self, row: Row, *, pinned: bool, importance: float) -> Stored:
        """Change what says nothing about the content; no question is asked."""
        row.set(pinned=pinned, importance=float(importance), updated_at_ms=self._now)
        self.log("adjusted", row.record.id)
        return self.stored(row, "updated")

    # Withdrawing

    def archive(self, row: Row) -> None:
        """Withdraw a memory: out of every recall but one of what was known before."""
        if row.record.superseded_by is not None:
            self.refuse(row.record.id, "archive-refused", "superseded-already")
        self._withdraw(row, "archived")
        self.lift_ends(row)

    def forget(self, row: Row) -> None:
        """Withdraw a memory from every recall, whatever moment it asks about."""
        for each in (*self.state.wordings(row.record.id), row):
            self.index.remove(each)
            each.set(status="tombstoned")
        self._withdraw(row, "tombstoned")
        self.lift_ends(row)

    def end(self, row: Row, *, since_ms: int) -> None:
        """Archive a memory that another value replaces by a person's decision; it held until then."""
        self.cut_link(row)
        row.set(invalid_at_ms=since_ms, invalidated_at_ms=self._now, superseded_by=None)
        self._withdraw(row, "archived")

    def _withdraw(self, row: Row, status: str) -> None:
        row.doubt(self._now)
        row.set(status=status, updated_at_ms=self._now)
        self.questions.leave(row)
        self.questions.void(row.record.id)
        self.log("forgotten" if status == "tombstoned" else status, row.record.id)

    def restore(self, row: Row, *, personal: str = "") -> None:
        """Bring a withdrawn memory back; what it meets by now is asked about first."""
        old = row.record
        if old.status == "tombstoned":
            for each in self.state.wordings(old.id):
                each.set(status="archived")
                self.index.renew(each)
        successor = self.state.named(old.superseded_by)
        here = successor is not None and successor.record.scope == old.scope
        if successor is None or not here or successor.record.status != "active":
            self.hold_again(row)
        elif old.status == "active":
            self.refuse(old.id, "restore-refused", "superseded-already")
        self.log("restored", old.id)
        begun = row.believed and row.record.valid_at_ms <= self._now
        due = None if begun else self.due(row)
        self.check_past(row, personal, verb="restore")
        held = self.held(row, personal=personal, supersedes=due)
        if held is not None:
            self.hold_back(row, held, old)
            return
        self.admit(row)
        if due is not None:
            self.supersede(due, row, since_ms=row.record.valid_at_ms)
        self.questions.ask(row)
        self.questions.ask_again(row)

    # Credence

    def feedback(
        self,
        row: Row,
        outcome: str,
        *,
        note: str | None,
        heard: Sequence[str],
        run_id: int | None,
    ) -> None:
        """Move the credence; on "helped" the terms heard become learned terms."""
        old = row.record
        alpha, beta, harmful = CREDENCE_STEPS[outcome]
        helped = outcome == "helped"
        row.set(
            alpha=old.alpha + alpha,
            beta=old.beta + beta,
            harmful_count=old.harmful_count + harmful,
            confirmed_at_ms=max(old.confirmed_at_ms, self._now) if helped else old.confirmed_at_ms,
            updated_at_ms=self._now,
        )
        source = None if run_id is None else f"run:{run_id}"
        if outcome != "unknown":
            row.steps.append((self._now, alpha, beta, harmful))
            self.prove(row, outcome, source=source, note=note)
        if helped and old.status == "active":
            kept = learned_terms(old, heard)
            if kept != old.learned_terms:
                row.set(learned_terms=kept)
                self.index.renew(row, indexable(old))
        told = {"outcome": outcome, "at": self._now, "note": note, "run_id": run_id}
        self.state.consumption.append((old.id, told))
        self.log("feedback", old.id, detail=outcome)

    def counter(self, row: Row, *, source: str | None, note: str | None) -> None:
        """Lower the confidence for a piece of counter-evidence; one source counts once."""
        record = row.record
        pieces = self.since_edited(row)
        known = [piece["source"] for piece in pieces if piece["kind"] == "countered"]
        if source is not None and source in known:
            return
        step = countered_beta(record.alpha, record.beta) - record.beta
        row.set(beta=record.beta + step, updated_at_ms=self._now)
        row.steps.append((self._now, 0.0, step, 0))
        self.prove(row, "countered", source=source, note=note)
        self.log("countered", record.id)

    # Decisions

    def decide(self, review: Review, decision: str, token: str) -> None:
        """Answer a question; see `memweir.store.reviews.decide`."""
        if review.closed_at_ms is not None or token != review.token:
            memory_id = review.memory.id
            self.note_verdict("review-refused", memory_id, rule="review-stale", detail=review.id)
            raise ReviewStale(review.id, "is closed, or not what this token stands for")
        if decision not in review.decisions:
            raise InputError(f"{decision!r} does not answer this question")
        row = self.state.row(review.memory.id)
        older = [self.state.row(each.id) for each in review.against]
        if review.kind == "key":
            self.questions.settle(review.id, [each.record.id for each in older])
        self.questions.close(review.id, decision)
        if decision == "reject":
            self.archive(row)
        elif decision == "replace":
            since = row.record.valid_at_ms
            for each in older:
                until = max(since, each.record.valid_at_ms)
                if since > self._now:
                    self.supersede(each, row, since_ms=until)
                else:
                    self.end(each, since_ms=until)
        elif decision == "precede":
            over = self.questions.held_after(row.record) if review.kind == "key" else []
            after = min([*older, *over], key=lambda each: (each.record.valid_at_ms, each.record.id))
            if row.record.status == "quarantined":
                supersedes = self._intended(review.id)
                self.admit(row)
                if supersedes is not None:
                    self.supersede(supersedes, row, since_ms=row.record.valid_at_ms)
            free = after.record.supersedes is None
            self.supersede(row, after, since_ms=after.record.valid_at_ms, link=free)
            if free:
                self.log("preceded", after.record.id)
        elif decision == "coexist":
            self.questions.join([row, *(each for each in older if each.record.status == "active")])
        if decision in ("approve", "replace", "coexist") and row.record.status == "quarantined":
            self._let_in(row, self._intended(review.id), check=decision == "approve")

    def _intended(self, review_id: str) -> Row | None:
        """What the newer side supersedes once it is let in, where it still holds."""
        question = self.state.questions[review_id]
        waiting = self.state.row(question.memory_id).record
        row = self.state.named(question.supersedes or waiting.supersedes)
        if row is None or row.record.status != "active" or row.record.superseded_by is not None:
            return None
        return row

    def _let_in(self, row: Row, predecessor: Row | None, *, check: bool) -> None:
        if check:
            held = self.held(row, supersedes=predecessor)
            if held is not None:
                self.hold_back(row, held, row.record)
                return
        self.admit(row)
        if predecessor is not None:
            self.supersede(predecessor, row, since_ms=row.record.valid_at_ms)
        self.questions.ask(row)


def _says_another_thing(record: Record, draft: Draft) -> bool:
    starts = draft.valid_at is not None and to_ms(draft.valid_at) != record.valid_at_ms
    return starts or content_of_draft(draft) != content_of_record(record)
