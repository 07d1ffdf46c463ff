"""How does a memory come in, change and go out of sight? One transaction a write, gates before it.

Nothing of a refused draft reaches the disk but the rule's name and a keyed fingerprint in the ledger.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any, Final, NoReturn

import apsw

from memweir.errors import (
    NotFoundError,
    PersonalDataRefused,
    PromptRefused,
    RefusedError,
    SecretRefused,
    StoreCorrupt,
    ThreatRefused,
)
from memweir.store.database import decoded
from memweir.store.draft_gates import personal_rule, texts_of
from memweir.store.edits import (
    content_of_draft,
    content_of_record,
    relabels,
    same_statement,
    says_another,
)
from memweir.store.entry import IndexEntry, Indexer
from memweir.store.identity import document_address, memory_address
from memweir.store.indexing import IndexWriter, derived_columns, indexable, rebuild, same_vector
from memweir.store.policy import (
    CREDENCE_STEPS,
    END_MOVED,
    WITHDRAWN,
    Window,
    WritePolicy,
    countered_beta,
    is_echo,
    learned_terms,
    merged_tags,
    window_of,
)
from memweir.store.questions import Hold, Questions
from memweir.store.records import ORIGIN_CREDENCE, Draft, Record, Stored, to_ms
from memweir.store.rows import fetch_by_address, fetch_by_document, fetch_record, scope_id, scope_ids
from memweir.store.scopes import Scope
from memweir.store.statements import statements

__all__ = ["Writer"]


_NOT_STANDING: Final = {
    "quarantined": "waits for a decision and holds nowhere yet; decide about it, or edit it",
    "archived": "was withdrawn or replaced and holds no more; there is nothing to supersede",
    "tombstoned": "was forgotten and holds no more; there is nothing to supersede",
}


class Writer:
    """The writes of one transaction. The caller opens and commits it."""

    def __init__(
        self,
        connection: apsw.Connection,
        indexer: Indexer,
        *,
        with_vectors: bool,
        now_ms: int,
        policy: WritePolicy,
    ) -> None:
        self.connection = self._connection = connection
        self._indexer = indexer
        self._sql = statements("memory")
        self._now = self.now_ms = now_ms
        self._index = IndexWriter(connection, indexer, with_vectors=with_vectors)
        self.questions = Questions(connection, indexer, now_ms=now_ms, policy=policy)
        self._earlier: dict[int, tuple[int, Record]] = {}  # row → the one before, with its vector
        self.verdict: dict[str, Any] | None = None
        """The last refusal: its line of the ledger outlives the transaction that it undoes."""

    def flush(self) -> None:
        """Write what was collected; call once, before the commit."""
        self._index.flush()
        self._run("meta_count", key="changes")

    # Telling

    def add(self, draft: Draft, entry: IndexEntry, *, personal: str = "") -> Stored:
        """Store a draft that passed the gates; checks come before the first change.

        Args:
            personal: the rule by which it holds a person's data, "" where it may be recalled at once.

        Raises:
            NotFoundError: `supersedes` names no memory of the same scope.
            RefusedError: a tool- or inferred memory would supersede or rewrite a person's, or bring
                it back, or `supersedes` names what waits, was withdrawn, or was superseded already.
        """
        address, found = self._target(draft, entry)
        predecessor = self._predecessor(draft, address)
        if found is None:
            return self._create(draft, entry, address, predecessor, personal)
        self._check_rewrite(draft, found, supersedes=predecessor is not None)
        if not is_echo(draft, found):
            self._check_ends(found, draft)
        seq = self._seq(found.id)
        if is_echo(draft, found):
            return self._echo(seq, draft, found, predecessor)
        rewritten = _rewrites(draft, found)
        before = None if _is_another_wording(draft, found) else found
        # What a person let in stays in, whoever says it again; another text is another matter.
        let_in = not rewritten and bool(self._run("believed_ever", seq=seq).get)
        if let_in and personal:
            names = [str(row[0]) for row in self._run("stated_names", seq=seq)]
            personal = personal_rule(draft, known=[*texts_of(found), *names])
        if rewritten:
            self.questions.leave(found)
            self.questions.void(found.id)
        seq = self._merge(seq, draft, entry, found, supersedes=predecessor is not None)
        self._assert(seq, draft, "edited" if rewritten else "repeated")
        outcome = "updated" if rewritten else "confirmed"
        self.ledger(outcome, address)
        evidence = self._count_evidence(seq)
        current = self._fetched(address)
        if found.status == "quarantined" and not rewritten:
            if let_in:
                self._keep_known(seq, current, found)
            self._go_on_waiting(current, personal, predecessor)
            return Stored(address, outcome, evidence, "quarantined", self.questions.open_with(address))
        if found.status in WITHDRAWN:
            self.ledger("restored", address)
        if predecessor is not None and predecessor.id == address:
            predecessor = None
        if self._key(current) != self._key(found) and current.coexistence is not None:
            self.questions.leave(current)
            current = self._fetched(address)
        settled = let_in and found.status == "active" and current.semantic_key == found.semantic_key
        settled = settled and window_of(current) == window_of(found)
        if not settled or personal:
            hold = self._held(
                self.questions.hold(
                    current,
                    normal=self._indexer.fold(current.text),
                    personal=personal,
                    supersedes=predecessor,
                )
            )
            if hold is not None:
                self._hold_back(seq, hold, current, before=before)
                reviews = self.questions.open_with(address)
                return Stored(address, outcome, evidence, "quarantined", reviews)
        self._admit(seq, current, before=before)
        if predecessor is not None:
            self.supersede(predecessor, address, since=self._since(draft))
        self._move_ends(found, current)
        if not settled:
            self.questions.ask(address, entry)
        if found.status in WITHDRAWN:
            self.questions.ask_again(address)
        return Stored(address, outcome, evidence, "active", self.questions.open_with(address))

    def _go_on_waiting(self, record: Record, personal: str, predecessor: Record | None) -> None:
        """What was told again while it waits may be a person's data now, or supersede something."""
        if predecessor is not None and predecessor.id != record.id:
            self.questions.intend(record.id, predecessor.id)
        if personal and not self.questions.waits_for_approval(record.id):
            due = self._due(record)
            self.questions.void(record.id)
            hold = self.questions.hold(record, normal="", personal=personal, supersedes=due)
            if hold is not None:
                self.questions.open(hold)

    def _due(self, record: Record) -> Record | None:
        """What a memory that was never let in supersedes once it is, where that still stands."""
        named = self.questions.intended_for(record.id) or record.supersedes
        found = fetch_record(self._connection, named) if named else None
        stands = found is not None and found.status == "active" and found.superseded_by is None
        return found if stands and found is not None and found.scope == record.scope else None

    def _target(self, draft: Draft, entry: IndexEntry) -> tuple[str, Record | None]:
        """The memory a draft belongs to: its id and what stands there already."""
        if draft.document_id is not None:
            found = fetch_by_document(self._connection, draft.scope, draft.document_id)
            if found is not None:
                return found.id, found
            address = document_address(draft.scope, draft.document_id)
            # One that was moved into another scope has taken its first address along.
            return self._free(address), None
        replaced: Record | None = None
        for generation in count():
            address = memory_address(draft, entry.normal, now_ms=self._now, generation=generation)
            found = fetch_by_address(self._connection, address)
            if found is not None and found.invalid_at_ms is None:
                return found.id, found
            # What is over keeps its row: the same words, true again, are a memory of their own.
            if found is not None and found.superseded_by is None:
                replaced = found
            if found is None and not self._run("id_taken", id=address).get:
                break
        if replaced is not None and draft.provenance != "human":
            return replaced.id, replaced  # by a person's decision, which only a person undoes
        return address, None

    def _free(self, address: str) -> str:
        number, free = 1, address
        while self._run("id_taken", id=free).get:
            number, free = number + 1, f"{address}-{number + 1}"
        return free

    def _create(
        self,
        draft: Draft,
        entry: IndexEntry,
        address: str,
        predecessor: Record | None,
        personal: str,
    ) -> Stored:
        alpha, beta = ORIGIN_CREDENCE[draft.origin]
        owner = scope_id(self._connection, draft.scope)
        created = self._now if draft.created_at is None else to_ms(draft.created_at)
        hold = self._held(
            self.questions.hold_new(
                address,
                owner,
                entry,
                provenance=draft.provenance,
                window=Window(
                    created if draft.valid_at is None else to_ms(draft.valid_at),
                    None if draft.expires_at is None else to_ms(draft.expires_at),
                ),
                personal=personal,
                supersedes=predecessor,
            )
        )
        status = "active" if hold is None else "quarantined"
        columns = self._columns(draft, entry) | {
            "id": address,
            "status": status,
            "scope_id": owner,
            "alpha": alpha,
            "beta": beta,
            "created_at": created,
            "document_id": draft.document_id,
        }
        try:
            seq = int(self._run("row_insert", **columns).get)
        except apsw.ConstraintError as error:
            # `_target` saw no such row, but an index of the table does.
            raise StoreCorrupt(
                f"the store's file is damaged: {address} is in its index only; restore a backup"
            ) from error
        if hold is None:
            self._run("believed_open", seq=seq, at=self._now)
            self._index.insert(seq, owner, entry)
        self._assert(seq, draft, "asserted")
        self.ledger("created", address, scope_id=owner)
        count = self._count_evidence(seq)
        if hold is not None:
            self.ledger("quarantined", address, scope_id=owner, rule=hold.rule or hold.kind)
            self.questions.open(hold)
            return Stored(address, "created", count, status, self.questions.open_with(address))
        if predecessor is not None:
            self.supersede(predecessor, address, since=self._since(draft))
        self.questions.ask(address, entry)
        return Stored(address, "created", count, status, self.questions.open_with(address))

    def _check_rewrite(self, draft: Draft, found: Record, *, supersedes: bool) -> None:
        if found.status in WITHDRAWN and draft.provenance != "human":
            self.note_verdict("restore-refused", found.id, rule="withdrawn-stays")
            raise RefusedError(
                f"{found.id} was withdrawn; {_a(draft.provenance)} draft cannot bring it back"
            )
        if supersedes and found.invalid_at_ms is not None and is_echo(draft, found):
            self.note_verdict("revive-refused", found.id, rule="human-text-protected")
            raise RefusedError(
                f"{found.id}, which a person stated, holds no more; {_a(draft.provenance)} draft "
                "cannot make it hold again"
            )
        if not _rewrites(draft, found) or draft.provenance == "human" or found.provenance != "human":
            return
        self.note_verdict("rewrite-refused", found.id, rule="human-text-protected")
        raise RefusedError(
            f"{_a(draft.provenance)} draft cannot rewrite {found.id}, which a person stated"
        )

    def _echo(self, seq: int, draft: Draft, found: Record, predecessor: Record | None) -> Stored:
        self._prove(seq, draft, "repeated")
        self.ledger("confirmed", found.id)
        if predecessor is not None and predecessor.id != found.id and found.status == "active":
            self.supersede(predecessor, found.id, since=self._since(draft), link=False)
        count = self._count_evidence(seq)
        reviews = self.questions.open_with(found.id)
        return Stored(found.id, "confirmed", count, found.status, reviews)

    def _merge(
        self, seq: int, draft: Draft, entry: IndexEntry, found: Record, *, supersedes: bool
    ) -> int:
        """Write what a further telling adds; the row, a new one where it says something else."""
        rewritten = _rewrites(draft, found)
        tags = merged_tags(draft, found)
        columns = self._columns(draft, entry) | {"tags": json.dumps(tags, ensure_ascii=False)}
        if _is_another_wording(draft, found):
            seq = self.new_version(seq, found, same_text=not rewritten)
        self._run("row_confirm", **columns | {"seq": seq})
        if rewritten:
            alpha, beta = ORIGIN_CREDENCE[draft.origin]
            kept = json.dumps(draft.tags or found.tags, ensure_ascii=False)
            self._run(
                "row_rewrite", **columns | {"seq": seq, "tags": kept, "alpha": alpha, "beta": beta}
            )
        if found.invalid_at_ms is not None and (rewritten or supersedes):
            # The caller's identity leaves no room for a second row, so this one holds again.
            self._run("row_revived", seq=seq, valid_at=self._since(draft))
            self.ledger("revived", found.id)
        return seq

    def _columns(self, draft: Draft, entry: IndexEntry) -> dict[str, Any]:
        moments = ("event_start", "event_end", "valid_at", "expires_at")
        columns: dict[str, Any] = {
            name: None if getattr(draft, name) is None else to_ms(getattr(draft, name))
            for name in moments
        }
        for name in ("kind", "layer", "provenance", "origin", "session_id", "source", "semantic_key"):
            columns[name] = getattr(draft, name)
        for name in ("speaker", "scene", "domain", "title", "text", "raw_quote"):
            columns[name] = getattr(draft, name)
        columns["pinned"] = int(draft.pinned)
        columns["importance"] = float(draft.importance)
        columns["tags"] = json.dumps(draft.tags, ensure_ascii=False)
        columns["now"] = self._now
        return columns | derived_columns(entry)

    # Letting in, holding back, withdrawing

    def _admit(self, seq: int, record: Record, *, before: Record | None = None) -> None:
        """Let a row be recalled: active, believed from now, in the index.

        Args:
            before: as it stood, where it is in the index so; None: unknown.
        """
        if not self._run("believed_now", seq=seq).get:
            self._run("believed_open", seq=seq, at=self._now)
        if record.status != "active":
            self._run("row_status", seq=seq, status="active", now=self._now)
            record = replace(record, status="active")
        indexed = before if before is not None and before.status == "active" else None
        if indexed is None or indexable(indexed) != indexable(record):
            self._reindex(seq, record, indexed)

    def _held(self, hold: Hold | None) -> Hold | None:
        """Why a memory must wait; where it is a person's word, the values of its key wait instead."""
        if hold is None or not hold.yielding:
            return hold
        for each in hold.rivals:
            rival = self._fetched(each)
            self.questions.void(each)
            waits = Hold(each, hold.scope_id, "key", "", (hold.memory_id,), rival.supersedes)
            self._hold_back(self._seq(each), waits, rival, before=rival)
        return None

    def _hold_back(self, seq: int, hold: Hold, record: Record, *, before: Record | None = None) -> None:
        """Let a row wait for a person: out of every recall until then, but one of what was known.

        Args:
            before: as it stood, where it is in the index so; None: unknown.
        """
        self._run("believed_close", seq=seq, at=self._now)
        if self._run("believed_ever", seq=seq).get:
            self._keep_known(seq, record, before)
        else:
            self._index.remove(seq)
        self._run("row_status", seq=seq, status="quarantined", now=self._now)
        self._lift_ends(record)
        self.questions.leave(record)
        self.ledger("quarantined", record.id, rule=hold.rule or hold.kind)
        self.questions.open(hold)

    def _keep_known(self, seq: int, record: Record, before: Record | None) -> None:
        """Leave in the index, as it stands, what is out of recalls but was known before."""
        indexed = before if before is not None and before.status != "tombstoned" else None
        if indexed is None or indexable(indexed) != indexable(record):
            self._reindex(seq, record, indexed)
        self._index.uncount(seq)

    def admit(self, record: Record, predecessor: Record | None) -> None:
        """Let in what waited, by a person's decision. Args: predecessor: what it supersedes."""
        self._admit(self._seq(record.id), record)
        if predecessor is not None:
            self.supersede(predecessor, record.id, since=record.valid_at_ms)
        self.questions.ask(record.id, self._indexer.index([indexable(record)])[0])

    def precede(self, record: Record, successor: Record, *, supersedes: Record | None) -> None:
        """Let a memory have held until another began that stands, by a person's decision.

        Args:
            supersedes: what it supersedes itself, where it waited.
        """
        if record.status == "quarantined":
            self._admit(self._seq(record.id), record)
            if supersedes is not None:
                self.supersede(supersedes, record.id, since=record.valid_at_ms)
        # One memory has one predecessor: where it has one, only the older is linked.
        free = successor.supersedes is None
        self.supersede(record, successor.id, since=successor.valid_at_ms, link=free)
        if free:
            self.ledger("preceded", successor.id)

    def hold_again(self, record: Record, predecessor: Record | None) -> bool:
        """Whether what a person approved must wait for another reason; it is asked about then."""
        normal = self._indexer.fold(record.text)
        hold = self._held(self.questions.hold(record, normal=normal, supersedes=predecessor))
        if hold is not None:
            self._hold_back(self._seq(record.id), hold, record, before=record)
        return hold is not None

    def archive(self, record: Record) -> None:
        """Withdraw a memory: out of every recall but one of what was known before."""
        if record.superseded_by is not None:
            self.refuse(
                record.id,
                "archive-refused",
                "superseded-already",
                f"{record.id} was superseded by {self._named(record)} and is history already; "
                "forget takes it out of history too",
            )
        self._index.uncount(self._seq(record.id))
        self._withdraw(record, "archived")
        self._lift_ends(record)

    def forget(self, record: Record) -> None:
        """Withdraw a memory from every recall, whatever moment it asks about; the row is kept."""
        for version in self._versions(record.id):
            self._index.remove(version)
        self._run("versions_status", id=record.id, status="tombstoned")
        self._index.remove(self._seq(record.id))
        self._withdraw(record, "tombstoned")
        self._lift_ends(record)

    def _withdraw(self, record: Record, status: str) -> None:
        seq = self._seq(record.id)
        self._run("believed_close", seq=seq, at=self._now)
        self._run("row_status", seq=seq, status=status, now=self._now)
        self.questions.leave(record)
        self.questions.void(record.id)
        self.ledger("forgotten" if status == "tombstoned" else status, record.id)

    def restore(self, record: Record, *, personal: str = "") -> None:
        """Bring a withdrawn memory back; what it meets by now is asked about first.

        Args:
            personal: the rule by which it holds a person's data and was never approved.

        Raises:
            RefusedError: it was superseded, and what superseded it holds.
        """
        seq = self._seq(record.id)
        if record.status == "tombstoned":
            self._run("versions_status", id=record.id, status="archived")
            for version in self._versions(record.id):
                self._reindex(version, self._of_row(version))
                self._index.uncount(version)
        if record.superseded_by is not None:
            self._revive(seq, record)
        elif record.invalid_at_ms is not None:
            self._run("row_holds_again", seq=seq)  # it was replaced; now the two meet again
        self.ledger("restored", record.id)
        current = self._fetched(record.id)
        normal = self._indexer.fold(current.text)
        begun = bool(self._run("believed_ever", seq=seq).get) and current.valid_at_ms <= self._now
        due = None if begun else self._due(current)
        self._check_past(current, personal, verb="restore")
        hold = self._held(
            self.questions.hold(current, normal=normal, personal=personal, supersedes=due)
        )
        if hold is not None:
            self._hold_back(seq, hold, current, before=record)
        else:
            self._admit(seq, current)
            if due is not None:
                self.supersede(due, record.id, since=current.valid_at_ms)
            self.questions.ask(record.id, self._indexer.index([indexable(current)])[0])
            self.questions.ask_again(record.id)

    def _revive(self, seq: int, record: Record) -> None:
        successor = fetch_record(self._connection, record.superseded_by or "")
        # One that was moved away decides nothing here.
        here = successor is not None and successor.scope == record.scope
        if successor is not None and here and successor.status == "active":
            if record.status != "active":
                return  # it was forgotten, and is history again
            self.refuse(
                record.id,
                "restore-refused",
                "superseded-already",
                f"{record.id} was superseded by {successor.id}; withdraw that one first",
            )
        self._run("row_holds_again", seq=seq)

    def _named(self, record: Record) -> str:
        """What superseded a memory, in words for who may see the memory's scope."""
        successor = fetch_record(self._connection, record.superseded_by or "")
        here = successor is not None and successor.scope == record.scope
        return successor.id if successor is not None and here else "a memory of another scope"

    # Superseding

    def _predecessor(self, draft: Draft, successor: str) -> Record | None:
        """What the draft supersedes; None where it names nothing, or did so when it was told before."""
        if draft.supersedes is None:
            return None
        found = fetch_record(self._connection, draft.supersedes)
        if found is None or found.scope != draft.scope:
            raise NotFoundError("memory to supersede", draft.supersedes)
        if found.status != "active":
            self.refuse(
                found.id,
                "supersede-refused",
                f"is-{found.status}",
                f"{found.id} {_NOT_STANDING[found.status]}",
            )
        if found.superseded_by == successor:
            return None
        if found.provenance == "human" and draft.provenance != "human":
            self.refuse(
                found.id,
                "supersede-refused",
                "human-loser-protected",
                f"{_a(draft.provenance)} memory cannot supersede {found.id}, which a person stated",
            )
        if found.superseded_by is not None:
            self.refuse(
                found.id,
                "supersede-refused",
                "superseded-already",
                f"{found.id} was superseded by {self._named(found)}; supersede that one",
            )
        return found

    def supersede(self, loser: Record, winner: str, *, since: int, link: bool = True) -> None:
        """End a memory where another begins, linked both ways.

        Args:
            since: the end of the one, UTC milliseconds.
            link: False: the winner's own record is a person's, and its telling again changes nothing.
        """
        seq = self._seq(loser.id)
        if since <= self._now:  # until it ends it stands side by side with others
            self.questions.leave(loser)
        self._cut_link(loser)
        self._run("row_superseded", seq=seq, successor=winner, invalid_at=since, now=self._now)
        self._run("evidence_add", seq=seq, kind="superseded", at=self._now, source=winner, note=None)
        self.ledger("superseded", loser.id, detail=winner)
        if link:
            self._run("row_supersedes", seq=self._seq(winner), predecessor=loser.id)
        self.questions.void(loser.id)

    def _cut_link(self, record: Record) -> None:
        """What a memory was to be followed by no longer follows it."""
        values = {"id": record.id, "successor": record.superseded_by}
        for (successor,) in self._run("link_cut", **values).fetchall():
            self.ledger("unlinked", str(successor))

    def _lift_ends(self, record: Record) -> None:
        """What was to end when a memory begins that is withdrawn before goes on."""
        owner = scope_id(self._connection, record.scope)
        for (older,) in self._run(
            "ending_with", scope_id=owner, id=record.id, now=self._now
        ).fetchall():
            self._run("row_holds_again", seq=self._seq(str(older)))
            self.ledger("revived", str(older))

    def _check_ends(self, before: Record, draft: Draft) -> None:
        """Whether the ends that would move with a beginning may, before the first change.

        Raises:
            RefusedError: a second value of a key would come back into the time that it still holds.
        """
        since = before.valid_at_ms if draft.valid_at is None else to_ms(draft.valid_at)
        for record in self._ended_with(before, since):
            if record.status == "active":
                self._check_past(replace(record, invalid_at_ms=max(since, record.valid_at_ms)))

    def _ended_with(self, before: Record, since: int) -> list[Record]:
        """What ended when a memory began that by now begins at another moment."""
        if since == before.valid_at_ms:
            return []
        owner = scope_id(self._connection, before.scope)
        found = self._run("ended_at", scope_id=owner, id=before.id, at=before.valid_at_ms).fetchall()
        return [self._fetched(str(row[0])) for row in found]

    def _move_ends(self, before: Record, after: Record) -> None:
        """What ended when a memory began ends when it begins by now; what was known of it is kept."""
        since = after.valid_at_ms
        for record in self._ended_with(before, since) if before.scope == after.scope else ():
            seq = self._seq(record.id)
            if record.status == "active":
                seq = self.new_version(seq, record, same_text=True)
            self._run("row_end_moved", seq=seq, at=since, now=self._now)
            piece = {"kind": "relabelled", "source": None, "note": END_MOVED}
            self._run("evidence_add", seq=seq, at=self._now, **piece)
            self._count_evidence(seq)
            if record.status == "active":
                self._admit(seq, self._fetched(record.id))
            self.ledger("edited", record.id)

    def end(self, record: Record, *, since: int) -> None:
        """Archive a memory that another value replaces by a person's decision; it held until then."""
        seq = self._seq(record.id)
        self._cut_link(record)
        self._run("row_ended", seq=seq, invalid_at=since, now=self._now)
        self._index.uncount(seq)
        self._withdraw(record, "archived")

    def _since(self, draft: Draft) -> int:
        """From when what a draft says holds."""
        since = draft.valid_at or draft.created_at
        return self._now if since is None else to_ms(since)

    # Wordings

    def new_version(self, seq: int, record: Record, *, same_text: bool) -> int:
        """Keep the wording that stands as a row of its own; the row that goes on, equal to it so far.

        A wording that was never believed is not kept.

        Args:
            same_text: what was said about the text, relations and names, goes on with it.
        """
        if not self._run("believed_ever", seq=seq).get:
            for name in () if same_text else ("relations_clear", "mentions_clear"):
                self._run(name, seq=seq)
            return seq
        # References to the memory stand while for a moment no row bears its name.
        self._run("defer_references")
        names = ("pinned", "superseded_by", "supersedes", "document_id", "address", "coexistence")
        kept = self._run("version_identity", seq=seq).fetchall()[0]
        number = int(self._run("version_numbers", id=record.id).get) + 1
        self._run("version_retire", seq=seq, id=record.id, version=f"{record.id}.{number}")
        identity = dict(zip(names, kept, strict=True))
        new = int(self._run("version_next", seq=seq, id=record.id, now=self._now, **identity).get)
        if same_text:
            for name in ("relations_copy", "mentions_copy"):
                self._run(name, seq=seq, new=new)
        self._run("believed_close", seq=seq, at=self._now)
        if not self._index.waits(seq):
            self._earlier[new] = seq, record
        self._index.uncount(seq)
        self._run("pending_drop", seq=seq)
        if record.status == "tombstoned":
            self._run("believed_never", seq=seq)  # it was forgotten, and nobody asked for it again
        return new

    def _versions(self, memory_id: str) -> list[int]:
        return [int(row[0] or 0) for row in self._run("version_rows", id=memory_id)]

    def edit(self, record: Record, draft: Draft, entry: IndexEntry, *, personal: str = "") -> Stored:
        """Give a memory the fields of a draft by a person's act; what it meets then is asked about.

        Args:
            record: as it stands, active or quarantined.
            draft: all its fields, those that do not change too.
            personal: the rule by which it holds a person's data that nobody approved.

        Raises:
            RefusedError: another memory of the scope says the same, or has the document id.
        """
        seq = self._seq(record.id)
        content = content_of_draft(draft) != content_of_record(record)
        content = content or (
            draft.valid_at is not None and to_ms(draft.valid_at) != record.valid_at_ms
        )
        address = self._address(record, draft, entry)
        if draft.scope == record.scope:
            self._check_ends(record, draft)
        # What it says, where, under which key and since when: that is asked about. Labels are not.
        asks = record.status != "active" or says_another(record, draft, self._indexer.fold)
        due = self._due(record) if record.status == "quarantined" else None
        if asks:
            self.questions.leave(record)
            self.questions.void(record.id)
        same = same_statement(draft.text, record.text)
        if content:
            seq = self.new_version(seq, record, same_text=same)
        owner = scope_id(self._connection, draft.scope)
        columns = self._columns(draft, entry) | {
            "seq": seq,
            "scope_id": owner,
            "document_id": record.document_id,
            "address": address,
        }
        self._run("row_edit", **columns)
        if not same:
            alpha, beta = ORIGIN_CREDENCE["explicit"]
            self._run("row_fresh_credence", seq=seq, alpha=alpha, beta=beta, now=self._now)
        if draft.scope != record.scope:
            self._run("row_arrived", seq=seq)  # of its time elsewhere nothing is told
        stays = same and draft.scope == record.scope
        self._assert(seq, draft, "relabelled" if stays else "edited")
        self.ledger("edited", record.id)
        count = self._count_evidence(seq)
        current = self._fetched(record.id)
        hold = None
        if asks or personal:
            self._check_past(current, personal)
            hold = self._held(
                self.questions.hold(current, normal=entry.normal, personal=personal, supersedes=due)
            )
        if hold is not None:
            self._hold_back(seq, hold, current, before=record)
            return Stored(
                record.id, "updated", count, "quarantined", self.questions.open_with(record.id)
            )
        self._admit(seq, current)
        if due is not None:
            self.supersede(due, record.id, since=current.valid_at_ms)
        self._move_ends(record, current)
        if asks:
            told = None if same else self._now
            self.questions.ask(record.id, entry, told_ms=told)
        return Stored(record.id, "updated", count, "active", self.questions.open_with(record.id))

    def _check_past(self, current: Record, personal: str = "", *, verb: str = "edit") -> None:
        """What was superseded can be corrected, but not wait for a decision: its end is settled.

        Raises:
            RefusedError: it would have to.
        """
        if current.superseded_by is None:
            return
        if personal and self.questions.quarantines:
            self.refuse(
                current.id,
                f"{verb}-refused",
                personal,
                f"{current.id} was superseded, and what is history cannot wait for approval: it cannot "
                f"be given what {personal} finds",
            )
        rivals = self.questions.rivals(current)
        if rivals:
            self.refuse(
                current.id,
                f"{verb}-refused",
                "key-taken",
                f"{current.id}, which was superseded, holds until then, and {rivals[0].id} has its key",
            )

    def adjust(self, record: Record, *, pinned: bool, importance: float) -> Stored:
        """Change what says nothing about the content; no question is asked."""
        seq = self._seq(record.id)
        self._run("row_adjust", seq=seq, pinned=int(pinned), importance=importance, now=self._now)
        self.ledger("adjusted", record.id)
        return Stored(
            record.id,
            "updated",
            record.evidence_count,
            record.status,
            self.questions.open_with(record.id),
        )

    def _address(self, record: Record, draft: Draft, entry: IndexEntry) -> str | None:
        """Where an edited memory is found when it is told again; None: at its id or document id."""
        if record.document_id is not None:
            other = fetch_by_document(self._connection, draft.scope, record.document_id)
            if other is not None and other.id != record.id:
                self.refuse(
                    record.id,
                    "edit-refused",
                    "document-taken",
                    f"{other.id} has this document id in that scope already",
                )
            return None
        created, free = record.created_at_ms, ""
        for generation in count():
            address = memory_address(draft, entry.normal, now_ms=created, generation=generation)
            other = fetch_by_address(self._connection, address)
            if other is None or other.id == record.id:
                free = free or address
                if other is None and not self._run("id_taken", id=address).get:
                    break
            elif other.invalid_at_ms is None:  # else the same words, true again
                message = f"{other.id} says the same already"
                self.refuse(record.id, "edit-refused", "told-already", message)
        return None if free == record.id else free

    # Credence

    def feedback(
        self,
        record: Record,
        outcome: str,
        *,
        note: str | None,
        learned: Sequence[str],
        run_id: int | None = None,
    ) -> None:
        """Move the credence by `CREDENCE_STEPS`; on "helped" the queries' terms are learned."""
        seq = self._seq(record.id)
        alpha, beta, harmful = CREDENCE_STEPS[outcome]
        confirmed = int(outcome == "helped")
        self._run(
            "row_credence",
            seq=seq,
            alpha=alpha,
            beta=beta,
            harmful=harmful,
            confirmed=confirmed,
            now=self._now,
        )
        source = f"run:{run_id}" if run_id is not None else None
        if outcome != "unknown":
            self._run("evidence_add", seq=seq, kind=outcome, at=self._now, source=source, note=note)
        # Of a memory out of the index nobody can tell which terms would be new to it.
        if outcome == "helped" and record.status == "active":
            kept = learned_terms(record, learned)
            if kept != record.learned_terms:
                self._run("row_learned", seq=seq, terms=" ".join(kept), now=self._now)
                self._reindex(seq, replace(record, learned_terms=kept), record)
        values: dict[str, Any] = {
            "memory_id": record.id,
            "outcome": outcome,
            "at": self._now,
            "note": note,
            "run_id": run_id,
        }
        self._connection.execute(statements("audit")["consumption_add"], values)
        self.ledger("feedback", record.id, detail=outcome)

    def counter(self, record: Record, *, source: str | None, note: str | None) -> bool:
        """Lower the confidence for a piece of counter-evidence; one source counts once."""
        seq = self._seq(record.id)
        if source is not None:
            known = self._run("evidence_known", seq=seq, kind="countered", source=source).get
            if known:
                return False
        step = countered_beta(record.alpha, record.beta) - record.beta
        self._run("row_credence", seq=seq, alpha=0.0, beta=step, harmful=0, confirmed=0, now=self._now)
        self._run("evidence_countered", seq=seq, at=self._now, source=source, note=note, step=step)
        self.ledger("countered", record.id)
        return True

    def rebuild(self) -> int:
        """Rebuild all that is derived from the rows; how many memories."""
        done = rebuild(self._connection, self._indexer)
        self.ledger("reindexed", None, detail=str(done))
        return done

    # The ledger

    def note_refusal(self, error: RefusedError, scope: Scope | None = None) -> None:
        """A refusal in the ledger: rule and fingerprint, never the text.

        A scope that nothing was ever stored in stays unnamed: its key may be what was refused.
        """
        rule, fingerprint = "refused", None
        if isinstance(error, PersonalDataRefused | PromptRefused | SecretRefused | ThreatRefused):
            rule, fingerprint = error.rule, error.fingerprint
        known = scope_ids(self._connection, (scope,) if scope else ())
        owner = known[0] if known else None
        self.ledger("refused", None, rule=rule, fingerprint=fingerprint, scope_id=owner)

    def refuse(self, memory_id: str, action: str, rule: str, message: str) -> NoReturn:
        """Note a verdict against a request, and raise it."""
        self.note_verdict(action, memory_id, rule=rule)
        raise RefusedError(message)

    def note_verdict(self, action: str, memory_id: str, **values: Any) -> None:
        """A verdict against a request, which is raised next."""
        self.verdict = {"action": action, "memory_id": memory_id} | values
        self.ledger(**self.verdict)

    def ledger(self, action: str, memory_id: str | None, **values: Any) -> None:
        """One line of the ledger."""
        columns = {"scope_id": None, "rule": None, "fingerprint": None, "detail": None} | values
        if memory_id is not None and columns["scope_id"] is None:
            columns["scope_id"] = self._run("scope_of", id=memory_id).get
        self._run("ledger_add", at=self._now, action=action, memory_id=memory_id, **columns)

    # Helpers

    def _run(self, name: str, **values: Any) -> apsw.Cursor:
        return self._connection.execute(self._sql[name], values)

    @decoded()
    def _seq(self, memory_id: str) -> int:
        return int(self._run("row_state", id=memory_id).fetchall()[0][0] or 0)

    def _fetched(self, memory_id: str) -> Record:
        found = fetch_record(self._connection, memory_id)
        if found is None:
            raise AssertionError(f"{memory_id} vanished inside a transaction")
        return found

    def _key(self, record: Record) -> str:
        """The semantic key as it is compared."""
        return self._indexer.fold(record.semantic_key) if record.semantic_key else ""

    def _of_row(self, seq: int) -> Record:
        return self._fetched(str(self._run("id_of", seq=seq).get))

    def _assert(self, seq: int, draft: Draft, kind: str) -> None:
        for name in draft.entities:
            self._index.mention(seq, self._indexer.fold(name), name, "stated")
        for edge in draft.relations:
            ends = [
                self._index.mention(seq, self._indexer.fold(name), name, "stated")
                for name in (edge.source, edge.target)
            ]
            values = {
                "source_id": ends[0],
                "predicate": edge.predicate,
                "target_id": ends[1],
                "seq": seq,
            }
            self._run("relation_add", **values)
        self._prove(seq, draft, kind)

    def _prove(self, seq: int, draft: Draft, kind: str) -> None:
        self._run("evidence_add", seq=seq, kind=kind, at=self._now, source=draft.source, note=None)

    @decoded()
    def _count_evidence(self, seq: int) -> int:
        return int(self._run("evidence_count", seq=seq).get)

    def _reindex(self, seq: int, record: Record, before: Record | None = None) -> None:
        """Index a memory anew. Args: before: as it stands in the index, None where it does not."""
        document = indexable(record)
        entry = self._indexer.index([document])[0]
        # A vector that would only be made later is not thrown away while it is still right.
        kept = entry.pending and before is not None and same_vector(indexable(before), document)
        self._index.remove(seq, vector=not kept)
        scope = scope_id(self._connection, record.scope)
        self._index.insert(seq, scope, entry, vector=not kept)
        source, earlier = self._earlier.get(seq, (0, None))
        if entry.pending and earlier is not None and same_vector(indexable(earlier), document):
            self._index.copy_vector(source, seq)
        self._run("row_derived", seq=seq, **derived_columns(entry))


def _is_another_wording(draft: Draft, found: Record) -> bool:
    """Whether a telling changes what was known so far; what waits was not known, or not so."""
    if _rewrites(draft, found):
        return True
    return found.status != "quarantined" and relabels(found, draft, merged_tags(draft, found))


def _rewrites(draft: Draft, found: Record) -> bool:
    return draft.document_id is not None and draft.text != found.text


def _a(word: str) -> str:
    return f"{'an' if word[:1] in 'aeiou' else 'a'} {word}"
