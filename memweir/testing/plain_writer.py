"""How does a memory come in, change and go out of sight in the plain store? The writes of one call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from typing import Any, NoReturn

from memweir.errors import NotFoundError, RefusedError
from memweir.store.draft_gates import personal_rule, texts_of
from memweir.store.edits import relabels
from memweir.store.entry import Indexer
from memweir.store.identity import document_address, memory_address
from memweir.store.indexing import indexable
from memweir.store.policy import (
    END_MOVED,
    WITHDRAWN,
    WritePolicy,
    draft_indexable,
    is_echo,
    merged_tags,
    window_of,
)
from memweir.store.records import ORIGIN_CREDENCE, Draft, Record, Stored, to_ms
from memweir.testing.plain_index import PlainIndex
from memweir.testing.plain_questions import Held, PlainQuestions, open_with
from memweir.testing.plain_rows import Row, State

__all__ = ["PlainWriter"]

_MOMENTS = ("event_start", "event_end", "valid_at", "expires_at")
_LABELS = ("semantic_key", "speaker", "scene", "domain", "title")
_TOLD = ("asserted", "repeated", "edited")


class PlainWriter:
    """The writes of one call; who makes it puts the state back where it fails."""

    def __init__(self, state: State, indexer: Indexer, *, now_ms: int, policy: WritePolicy) -> None:
        self.state = state
        self.questions = PlainQuestions(state, indexer, now_ms=now_ms, policy=policy)
        self.index = PlainIndex(state, indexer)
        self._indexer = indexer
        self._now = now_ms
        self.verdict: dict[str, Any] | None = None
        """The last refusal, whose line of the ledger outlives the write that it undoes."""

    # Telling

    def add(self, draft: Draft, *, personal: str = "") -> Stored:
        """Store a draft that passed the gates; see `memweir.store.writes.Writer.add`."""
        address, row = self._target(draft)
        predecessor = self._predecessor(draft, address)
        if row is None:
            return self._create(draft, address, predecessor, personal)
        found = row.record
        self._check_rewrite(draft, found, supersedes=predecessor is not None)
        if not is_echo(draft, found):
            self.check_ends(found, draft)
        if is_echo(draft, found):
            return self._echo(row, draft, predecessor)
        rewritten = draft.document_id is not None and draft.text != found.text
        before = None if self._is_another_wording(draft, found) else found
        let_in = not rewritten and bool(row.believed)
        if let_in:
            personal = personal and personal_rule(draft, known=self._said(row))
        if rewritten:
            self.questions.leave(row)
            self.questions.void(found.id)
        supersedes, predecessor = (
            predecessor is not None,
            None if predecessor is row else predecessor,
        )
        row = self._merge(row, draft, supersedes=supersedes)
        self._assert(row, draft, "edited" if rewritten else "repeated")
        outcome = "updated" if rewritten else "confirmed"
        self.log(outcome, address)
        self.count_evidence(row)
        if found.status == "quarantined" and not rewritten:
            if row.believed and indexable(row.record) != indexable(found):
                self.index.renew(row, indexable(found))
            self._go_on_waiting(row, personal, predecessor)
            return self.stored(row, outcome)
        if found.status in WITHDRAWN:
            self.log("restored", address)
        if row.entry.key != self._indexer.fold(found.semantic_key or ""):
            self.questions.leave(row)
        settled = let_in and found.status == "active" and row.record.semantic_key == found.semantic_key
        settled = settled and window_of(row.record) == window_of(found)
        if not settled or personal:
            held = self.held(row, personal=personal, supersedes=predecessor)
            if held is not None:
                self.hold_back(row, held, before)
                return self.stored(row, outcome)
        self.admit(row, before)
        if predecessor is not None:
            self.supersede(predecessor, row, since_ms=self._since(draft))
        self.move_ends(found, row.record)
        if not settled:
            self.questions.ask(row)
        if found.status in WITHDRAWN:
            self.questions.ask_again(row)
        return self.stored(row, outcome)

    def _go_on_waiting(self, row: Row, personal: str, predecessor: Row | None) -> None:
        memory_id = row.record.id
        if predecessor is not None:
            self.questions.intend(memory_id, predecessor.record.id)
        if personal and not self.questions.waits_for_approval(memory_id):
            due = self.due(row)
            self.questions.void(memory_id)
            held = self.questions.hold(
                row.record, personal=personal, supersedes=due.record if due else None
            )
            if held is not None:
                self.questions.open(row.record, held)

    def due(self, row: Row) -> Row | None:
        """What a memory that was never let in supersedes once it is, where that still stands."""
        named = self.questions.intended_for(row.record.id) or row.record.supersedes
        found = self.state.named(named)
        if found is None or found.record.status != "active" or found.record.superseded_by is not None:
            return None
        return found if found.record.scope == row.record.scope else None

    def _target(self, draft: Draft) -> tuple[str, Row | None]:
        if draft.document_id is not None:
            found = self.state.by_document(draft.scope, draft.document_id)
            if found is not None:
                return found.record.id, found
            first = address = document_address(draft.scope, draft.document_id)
            number = 1
            while address in self.state.ids:
                number += 1
                address = f"{first}-{number}"
            return address, None
        normal = self._indexer.fold(draft.text)
        replaced: Row | None = None
        for generation in count():
            address = memory_address(draft, normal, now_ms=self._now, generation=generation)
            found = self.state.by_address(address)
            if found is not None and found.record.invalid_at_ms is None:
                return found.record.id, found
            # What is over keeps its row: the same words, true again, are a memory of their own.
            if found is not None and found.record.superseded_by is None:
                replaced = found
            if found is None and address not in self.state.ids:
                break
        if replaced is not None and draft.provenance != "human":
            return replaced.record.id, replaced  # by a person's decision, which only a person undoes
        return address, None

    def _predecessor(self, draft: Draft, successor: str) -> Row | None:
        if draft.supersedes is None:
            return None
        row = self.state.named(draft.supersedes)
        if row is None or row.record.scope != draft.scope:
            raise NotFoundError("memory to supersede", draft.supersedes)
        if row.record.status != "active":
            self.refuse(row.record.id, "supersede-refused", f"is-{row.record.status}")
        if row.record.superseded_by == successor:
            return None
        if row.record.provenance == "human" and draft.provenance != "human":
            self.refuse(row.record.id, "supersede-refused", "human-loser-protected")
        if row.record.superseded_by is not None:
            self.refuse(row.record.id, "supersede-refused", "superseded-already")
        return row

    def _create(self, draft: Draft, address: str, predecessor: Row | None, personal: str) -> Stored:
        entry = self._indexer.index([draft_indexable(draft)])[0]
        row = self.state.put(_first_record(draft, address, self._now), entry)
        row.dated = draft.valid_at is not None
        row.set(incident=entry.incident)
        held = self.held(row, personal=personal, supersedes=predecessor)
        if held is None:
            row.believe(self._now)
            self.index.insert(row)
        else:
            row.set(status="quarantined")
        self._assert(row, draft, "asserted")
        self.log("created", address)
        self.count_evidence(row)
        if held is not None:
            self.log("quarantined", address, rule=held.rule or held.kind)
            self.questions.open(row.record, held)
        else:
            if predecessor is not None:
                self.supersede(predecessor, row, since_ms=self._since(draft))
            self.questions.ask(row)
        return self.stored(row, "created")

    def _check_rewrite(self, draft: Draft, found: Record, *, supersedes: bool) -> None:
        if draft.provenance == "human":
            return
        if found.status in WITHDRAWN:
            self.refuse(found.id, "restore-refused", "withdrawn-stays")
        if found.provenance != "human":
            return
        if supersedes and found.invalid_at_ms is not None:
            self.refuse(found.id, "revive-refused", "human-text-protected")
        if draft.document_id is not None and draft.text != found.text:
            self.refuse(found.id, "rewrite-refused", "human-text-protected")

    def _echo(self, row: Row, draft: Draft, predecessor: Row | None) -> Stored:
        self.prove(row, "repeated", source=draft.source)
        self.log("confirmed", row.record.id)
        if predecessor is not None and predecessor is not row and row.record.status == "active":
            self.supersede(predecessor, row, since_ms=self._since(draft), link=False)
        self.count_evidence(row)
        return self.stored(row, "confirmed")

    def _merge(self, row: Row, draft: Draft, *, supersedes: bool) -> Row:
        """Write what a further telling adds; the row, a new one where the text is another."""
        old = row.record
        rewritten = draft.document_id is not None and draft.text != old.text
        if self._is_another_wording(draft, old):
            row = self.new_version(row, same_text=not rewritten)
        moments = {name: getattr(draft, name) for name in _MOMENTS}
        labels = {name: getattr(draft, name) for name in _LABELS}
        given = {f"{name}_ms": to_ms(each) for name, each in moments.items() if each is not None}
        given |= {name: each for name, each in labels.items() if each is not None}
        kept = {
            name: getattr(draft, name) if getattr(old, name) is None else getattr(old, name)
            for name in ("session_id", "source", "raw_quote")
        }
        row.set(
            pinned=old.pinned or draft.pinned,
            importance=old.importance if draft.importance == 0.5 else float(draft.importance),
            provenance="human" if draft.provenance == "human" else old.provenance,
            tags=merged_tags(draft, old),
            updated_at_ms=self._now,
            confirmed_at_ms=max(old.confirmed_at_ms, self._now),
            **given,
            **kept,
        )
        row.dated = row.dated or draft.valid_at is not None
        if rewritten:
            self._reword(row, draft, old)
        if old.invalid_at_ms is not None and (rewritten or supersedes):
            self.hold_again(row)
            row.set(valid_at_ms=self._since(draft))
            row.dated = True
            self.log("revived", old.id)
        self.index.entry(row)
        return row

    @staticmethod
    def _is_another_wording(draft: Draft, found: Record) -> bool:
        """Whether a telling changes what was known so far."""
        if draft.document_id is not None and draft.text != found.text:
            return True
        return found.status != "quarantined" and relabels(found, draft, merged_tags(draft, found))

    def _reword(self, row: Row, draft: Draft, old: Record) -> None:
        """Another text: what belonged to the old one goes."""
        alpha, beta = ORIGIN_CREDENCE[draft.origin]
        row.set(
            text=draft.text,
            kind=draft.kind,
            layer=draft.layer,
            provenance=draft.provenance,
            origin=draft.origin,
            tags=draft.tags or old.tags,
            session_id=draft.session_id,
            source=draft.source,
            raw_quote=draft.raw_quote,
            event_start_ms=None if draft.event_start is None else to_ms(draft.event_start),
            event_end_ms=None if draft.event_end is None else to_ms(draft.event_end),
            expires_at_ms=None if draft.expires_at is None else to_ms(draft.expires_at),
            alpha=alpha,
            beta=beta,
            harmful_count=0,
            learned_terms=(),
        )

    def _assert(self, row: Row, draft: Draft, kind: str) -> None:
        for name in draft.entities:
            self._mention(row, name)
        for edge in draft.relations:
            source, target = self._mention(row, edge.source), self._mention(row, edge.target)
            if (source, edge.predicate, target) not in [each[1:] for each in row.relations]:
                self.state.last_relation += 1
                row.relations.append((self.state.last_relation, source, edge.predicate, target))
        self.prove(row, kind, source=draft.source)

    def _mention(self, row: Row, name: str) -> int:
        entity = self.state.entity(self._indexer.fold(name), name)
        row.mention(entity, "stated")
        return entity

    def _said(self, row: Row) -> list[str]:
        """The texts and names of a memory that a person let in."""
        names = [self.state.names[each] for each, role in row.mentions.items() if role == "stated"]
        return [*texts_of(row.record), *names]

    # Letting in, holding back, ending

    def admit(self, row: Row, before: Record | None = None) -> None:
        """Let a row be recalled. Args: before: as it stood, where it is in the index so."""
        row.believe(self._now)
        if row.record.status != "active":
            row.set(status="active", updated_at_ms=self._now)
        stood = indexable(before) if before is not None and before.status == "active" else None
        if stood is None or stood != indexable(row.record):
            self.index.renew(row, stood)

    def held(self, row: Row, *, personal: str = "", supersedes: Row | None = None) -> Held | None:
        """Why a memory must wait; where it is a person's word, the values of its key wait instead."""
        loser = supersedes.record if supersedes is not None else None
        held = self.questions.hold(row.record, personal=personal, supersedes=loser)
        if held is None or not held.yielding:
            return held
        for each in held.rivals:
            rival = self.state.row(each)
            before = rival.record
            self.questions.void(each)
            waits = Held("key", "", (row.record.id,), before.supersedes)
            self.hold_back(rival, waits, before)
        return None

    def hold_back(self, row: Row, held: Held, before: Record | None = None) -> None:
        """Let a row wait for a person; what was once known of it stays in the index."""
        row.doubt(self._now)
        if not row.believed:
            self.index.remove(row)
        elif not row.indexed or before is None or indexable(before) != indexable(row.record):
            self.index.renew(row, indexable(before) if before is not None and row.indexed else None)
        row.set(status="quarantined", updated_at_ms=self._now)
        self.lift_ends(row)
        self.questions.leave(row)
        self.log("quarantined", row.record.id, rule=held.rule or held.kind)
        self.questions.open(row.record, held)

    def lift_ends(self, row: Row) -> None:
        """What was to end when a memory begins that is withdrawn before goes on."""
        for older in list(self.state.rows.values()):
            old = older.record
            ends_with = old.superseded_by == row.record.id and old.scope == row.record.scope
            to_come = old.invalid_at_ms is not None and old.invalid_at_ms > self._now
            if ends_with and to_come and old.status == "active":
                self.hold_again(older)
                self.log("revived", old.id)

    def move_ends(self, before: Record, after: Record) -> None:
        """What ended when a memory began ends when it begins by now; what was known of it is kept."""
        since = after.valid_at_ms
        for older in self._ended_with(before, since) if before.scope == after.scope else ():
            old = older.record
            active = old.status == "active"
            row = self.new_version(older, same_text=True) if active else older
            row.set(invalid_at_ms=max(since, old.valid_at_ms), updated_at_ms=self._now)
            self.prove(row, "relabelled", note=END_MOVED)
            self.count_evidence(row)
            if active:
                self.admit(row)
            self.log("edited", old.id)

    def check_ends(self, before: Record, draft: Draft) -> None:
        """Whether the ends that would move with a beginning may, before the first change."""
        since = before.valid_at_ms if draft.valid_at is None else to_ms(draft.valid_at)
        for older in self._ended_with(before, since):
            old = older.record
            if old.status == "active" and old.superseded_by is not None:
                moved = replace(old, invalid_at_ms=max(since, old.valid_at_ms))
                if self.questions.rivals(moved, old.superseded_by):
                    self.refuse(old.id, "edit-refused", "key-taken")

    def _ended_with(self, before: Record, since_ms: int) -> list[Row]:
        """What ended when a memory began that by now begins at another moment."""
        if since_ms == before.valid_at_ms:
            return []
        replaced = {
            side
            for each in self.state.questions.values()
            if each.memory_id == before.id and each.decision == "replace"
            for side in each.sides
        }
        found = []
        for row in self.state.rows.values():
            old = row.record
            here = old.scope == before.scope and old.version_of is None
            here = here and old.invalid_at_ms == before.valid_at_ms
            ended = old.superseded_by == before.id or (old.superseded_by is None and old.id in replaced)
            if here and ended and old.status in ("active", "archived"):
                found.append(row)
        return found

    def check_past(self, row: Row, personal: str = "", *, verb: str = "edit") -> None:
        """What was superseded can be corrected, but not wait for a decision."""
        if row.record.superseded_by is None:
            return
        if personal and self.questions.quarantines:
            self.refuse(row.record.id, f"{verb}-refused", personal)
        if self.questions.rivals(row.record, row.record.superseded_by):
            self.refuse(row.record.id, f"{verb}-refused", "key-taken")

    def supersede(self, loser: Row, winner: Row, *, since_ms: int, link: bool = True) -> None:
        """End a memory where another begins, linked both ways."""
        if since_ms <= self._now:
            self.questions.leave(loser)
        self.cut_link(loser)
        loser.set(
            superseded_by=winner.record.id,
            invalid_at_ms=since_ms,
            invalidated_at_ms=self._now,
            updated_at_ms=self._now,
        )
        self.prove(loser, "superseded", source=winner.record.id)
        self.log("superseded", loser.record.id, detail=winner.record.id)
        if link:
            winner.set(supersedes=loser.record.id)
        self.questions.void(loser.record.id)

    def cut_link(self, row: Row) -> None:
        """The successor that a memory was to have no longer has it for a predecessor."""
        successor = self.state.named(row.record.superseded_by)
        if successor is not None and successor.record.supersedes == row.record.id:
            successor.set(supersedes=None)
            self.log("unlinked", successor.record.id)

    @staticmethod
    def hold_again(row: Row) -> None:
        """Take back that a memory ends."""
        row.set(invalid_at_ms=None, invalidated_at_ms=None, superseded_by=None)

    def _since(self, draft: Draft) -> int:
        since = draft.valid_at or draft.created_at
        return self._now if since is None else to_ms(since)

    def new_version(self, row: Row, *, same_text: bool) -> Row:
        """Keep the wording that stands as a row of its own; the row that goes on, equal to it so far.

        A wording that was never believed is not kept.
        """
        old, state = row.record, self.state
        if not row.believed:
            if not same_text:
                row.relations.clear()
                row.mentions.clear()
            return row
        number = len(state.wordings(old.id)) + 1
        state.rename(row, f"{old.id}.{number}")
        new = state.put(replace(old, status="active", updated_at_ms=self._now), row.entry)
        new.set(terms=frozenset(), evidence_count=0)
        new.dated, new.address = row.dated, row.address
        if not row.pending:
            self.index.earlier[old.id] = row.blob, indexable(old)
        if same_text:
            self._move_statements(row, new)
        row.set(
            version_of=old.id,
            status="tombstoned" if old.status == "tombstoned" else "archived",
            document_id=None,
            coexistence=None,
            superseded_by=None,
            supersedes=None,
        )
        row.address, row.pending = None, False
        row.doubt(self._now)
        if old.status == "tombstoned":
            row.believed = []  # it was forgotten, and nobody asked for it again
        return new

    def _move_statements(self, row: Row, new: Row) -> None:
        """What was said about the same text goes on with it."""
        new.mentions = {entity: role for entity, role in row.mentions.items() if role == "stated"}
        for _, source, predicate, target in row.relations:
            self.state.last_relation += 1
            new.relations.append((self.state.last_relation, source, predicate, target))

    # The trail

    def prove(self, row: Row, kind: str, **values: object) -> None:
        """A piece of evidence."""
        self.state.last_evidence += 1
        piece = {"kind": kind, "at": self._now, "source": None, "note": None} | values
        row.evidence.append((self.state.last_evidence, piece))

    def count_evidence(self, row: Row) -> None:
        """What was told before the last edit that says something else is no evidence any more."""
        row.set(evidence_count=sum(piece["kind"] in _TOLD for piece in self.since_edited(row)))

    def since_edited(self, row: Row) -> list[Mapping[str, object]]:
        """The evidence of a memory since it last got another text or scope, of all its wordings."""
        wordings = [*self.state.wordings(row.record.id), row]
        pieces = [(number, piece) for each in wordings for number, piece in each.evidence]
        edited = max((number for number, piece in pieces if piece["kind"] == "edited"), default=0)
        return [piece for number, piece in pieces if number >= edited]

    def stored(self, row: Row, outcome: str) -> Stored:
        """What a write answers."""
        record = row.record
        reviews = open_with(self.state, record.id)
        return Stored(record.id, outcome, record.evidence_count, record.status, reviews)

    def refuse(self, memory_id: str, action: str, rule: str) -> NoReturn:
        """Note a verdict against a request, and raise it."""
        self.note_verdict(action, memory_id, rule=rule)
        raise RefusedError(f"{memory_id}: {action}, {rule}")

    def note_verdict(self, action: str, memory_id: str, **values: Any) -> None:
        """A verdict against a request, which is raised next."""
        self.verdict = {"action": action, "memory_id": memory_id, "now_ms": self._now, **values}
        self.state.log(**self.verdict)

    def log(self, action: str, memory_id: str | None, **values: Any) -> None:
        """A line of the ledger."""
        self.state.log(action, memory_id, self._now, **values)


def _first_record(draft: Draft, address: str, now_ms: int) -> Record:
    alpha, beta = ORIGIN_CREDENCE[draft.origin]
    created = now_ms if draft.created_at is None else to_ms(draft.created_at)
    return Record(
        id=address,
        scope=draft.scope,
        text=draft.text,
        kind=draft.kind,
        layer=draft.layer,
        provenance=draft.provenance,
        origin=draft.origin,
        status="active",
        title=draft.title,
        semantic_key=draft.semantic_key,
        tags=draft.tags,
        speaker=draft.speaker,
        scene=draft.scene,
        domain=draft.domain,
        raw_quote=draft.raw_quote,
        importance=float(draft.importance),
        pinned=draft.pinned,
        document_id=draft.document_id,
        session_id=draft.session_id,
        source=draft.source,
        event_start_ms=None if draft.event_start is None else to_ms(draft.event_start),
        event_end_ms=None if draft.event_end is None else to_ms(draft.event_end),
        valid_at_ms=created if draft.valid_at is None else to_ms(draft.valid_at),
        invalid_at_ms=None,
        superseded_by=None,
        supersedes=None,
        created_at_ms=created,
        updated_at_ms=now_ms,
        confirmed_at_ms=created,
        expires_at_ms=None if draft.expires_at is None else to_ms(draft.expires_at),
        alpha=alpha,
        beta=beta,
        harmful_count=0,
        recall_count=0,
        last_recalled_at_ms=None,
        evidence_count=0,
        learned_terms=(),
        terms=frozenset(),
    )
