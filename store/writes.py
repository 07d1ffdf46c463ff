"""How does a memory come in, change and go out of sight? One transaction a write, gates before it.

Nothing of a refused draft reaches the disk but the rule's name and a keyed fingerprint in the ledger.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import apsw

from memweir.errors import NotFoundError, RefusedError, SecretRefused, StoreCorrupt, ThreatRefused
from memweir.store.database import decoded
from memweir.store.entry import Indexable, IndexEntry, Indexer
from memweir.store.gates import check_fields, check_pair, names_credential
from memweir.store.identity import document_address, memory_address
from memweir.store.indexing import IndexWriter, indexable, rebuild, same_vector
from memweir.store.records import ORIGIN_CREDENCE, Draft, Record, Relation, Stored, to_ms
from memweir.store.rows import fetch_record, scope_id, scope_ids
from memweir.store.scopes import Scope
from memweir.store.statements import statements

__all__ = [
    "CREDENCE_STEPS",
    "Writer",
    "check_answer",
    "check_draft",
    "draft_indexable",
    "is_echo",
    "merged_tags",
]

CREDENCE_STEPS = {
    "helped": (1.0, 0.0, 0),
    "harmful": (0.0, 5.0, 1),
    "stale": (0.0, 2.0, 0),
    "conflict": (0.0, 4.0, 0),
    "unknown": (0.0, 0.0, 0),
}
"""Outcome → what is added to (alpha, beta, harmful_count). Gate design, section 3."""

# Field → how a label elsewhere in the memory is tied to it; ids and pointers look random by nature.
_TIES: Final[Mapping[str, Literal["beside", "loose"]]] = {
    "text": "beside",
    "raw_quote": "beside",
    "title": "beside",
    "semantic_key": "beside",
    "tags": "beside",
    "entities": "beside",
    "speaker": "loose",
    "scene": "loose",
    "domain": "loose",
}
_HASH = re.compile(r"[0-9a-f]{32}")
_BOND = re.compile(
    r"^(?:(?:is|was|are|has|have|had|uses?|with|的|是|有|用)(?![A-Za-z])\s*)+(?:an?\s+|the\s+)?"
    r"|\s*(?:(?<![A-Za-z])(?:is|of|for|to)|是|为)$",
    re.IGNORECASE,
)
_LEADS_BACK = re.compile(r"(?<![A-Za-z])(?:of|for|to)\s*$|^\s*是.*[^是为\s]\s*$", re.IGNORECASE)
_OWNED = re.compile(r"\s*(?:has|have|had|with|knows?|uses?|owns?)(?![A-Za-z])", re.IGNORECASE)
_TAG_LIMIT = 64  # of a memory, as of a draft
_LEARNED_LIMIT = 40  # terms a memory learns from queries it helped with


def check_draft(draft: Draft, *, key: bytes) -> None:
    """Every text field through the write gates.

    Raises:
        SecretRefused, ThreatRefused: naming the field and the rule, never the text.
    """
    fields = {
        "text": draft.text,
        "title": draft.title,
        "raw_quote": draft.raw_quote,
        "semantic_key": draft.semantic_key,
        "speaker": draft.speaker,
        "scene": draft.scene,
        "domain": draft.domain,
        "document_id": draft.document_id,
        "session_id": draft.session_id,
        "source": draft.source,
    }
    fields["scope"] = _scope_key(draft.scope)
    fields |= {f"tags[{place}]": tag for place, tag in enumerate(draft.tags)}
    fields |= {f"entities[{place}]": name for place, name in enumerate(draft.entities)}
    for place, edge in enumerate(draft.relations):
        fields[f"relations[{place}]"] = f"{edge.source} {edge.predicate} {edge.target}"
    for name, text in fields.items():
        if text:
            # Alone: beside "I forgot my password" a speaker or a session id is no password.
            check_fields({name: text}, key=key)
    for label in ("title", "semantic_key"):
        for name in ("text", "raw_quote"):
            value = fields[name] or ""
            if fields[label] and len(value.split()) == 1:  # "WiFi password" over "hunter2"
                check_fields({label: fields[label] or "", name: value}, key=key)
    _check_pairs({name: text for name, text in fields.items() if text}, key=key)
    for place, edge in enumerate(draft.relations):
        _check_relation(edge, f"relations[{place}]", key=key)


def check_answer(scope: Scope, text: str, phrasings: Iterable[str], *, key: bytes) -> None:
    """A standing answer through the write gates: each field, and each question with the answer.

    Raises:
        SecretRefused, ThreatRefused: naming the field and the rule, never the text.
    """
    asked = {f"phrasing[{place}]": each for place, each in enumerate(phrasings)}
    check_fields({"answer": text} | asked, key=key)
    scoped = _scope_key(scope)
    if scoped:
        check_fields({"scope": scoped}, key=key)
    for each in asked.values():
        check_pair(each, text, "answer", tie="said", key=key)


def _scope_key(scope: Scope) -> str | None:
    """The key as a text that goes through the gates; None of a hash and of a word of ours."""
    if scope.kind == "global" or (scope.kind == "workspace" and _HASH.fullmatch(scope.key)):
        return None
    return scope.key


def _check_pairs(fields: Mapping[str, str], *, key: bytes) -> None:
    """A label in one field and its value in another: the text "WiFi password", the tag "hunter2"."""
    ties = {name: tie for name in fields if (tie := _TIES.get(name.partition("[")[0])) is not None}
    for label in ties:
        if label == "speaker":
            continue  # who said it names nothing
        if not names_credential(fields[label]):
            continue
        for name, tie in ties.items():
            if name != label and fields[name] != fields[label]:
                under = label in ("title", "semantic_key") and name in ("text", "raw_quote")
                check_pair(fields[label], fields[name], name, tie="said" if under else tie, key=key)


def _check_relation(edge: Relation, name: str, *, key: bytes) -> None:
    """`(hunter2, is password of, admin)`, `(admin, has password, hunter2)`."""
    label = _BOND.sub("", edge.predicate.strip())
    # "password of": what stands behind is the thing it opens, and before it the value, or who has it.
    leads = _LEADS_BACK.search(edge.predicate) is not None
    owned = _OWNED.match(edge.predicate) is not None
    check_pair(label, edge.source, name, tie="said" if leads and not owned else "beside", key=key)
    check_pair(label, edge.target, name, tie="beside" if leads else "said", key=key)
    check_pair(edge.source, edge.target, name, tie="beside", key=key)
    check_pair(edge.target, edge.source, name, tie="beside", key=key)


def draft_indexable(draft: Draft) -> Indexable:
    """The text fields of a draft."""
    return Indexable(
        text=draft.text,
        title=draft.title,
        tags=draft.tags,
        semantic_key=draft.semantic_key,
        speaker=draft.speaker,
    )


def is_echo(draft: Draft, found: Record) -> bool:
    """Whether a tool or a rule says again what a person stated: evidence for it, and nothing more.

    What a person wrote about a memory (title, tags, times, pin, …) is changed by a person only.
    """
    return draft.provenance != "human" and found.provenance == "human"


def merged_tags(draft: Draft, found: Record) -> tuple[str, ...]:
    """The tags of both tellings, first told first; beyond the limit the newest telling's come first."""
    tags = tuple(dict.fromkeys([*found.tags, *draft.tags]))
    if len(tags) <= _TAG_LIMIT:
        return tags
    return tuple(dict.fromkeys([*draft.tags, *found.tags]))[:_TAG_LIMIT]


@dataclass(frozen=True, slots=True)
class _Target:
    """The row a draft belongs to: its address and what stands there already."""

    id: str
    found: Record | None


class Writer:
    """The writes of one transaction. The caller opens and commits it."""

    def __init__(
        self, connection: apsw.Connection, indexer: Indexer, *, with_vectors: bool, now_ms: int
    ) -> None:
        self.connection = self._connection = connection
        self._indexer = indexer
        self._sql = statements("memory")
        self._now = now_ms
        self._index = IndexWriter(connection, indexer, with_vectors=with_vectors)

    def add(self, draft: Draft, entry: IndexEntry) -> Stored:
        """Store a draft that passed the gates; checks come before the first change.

        Raises:
            NotFoundError: `supersedes` names no active memory of the same scope.
            RefusedError: a tool- or inferred memory would supersede or rewrite a person's, or bring
                it back, or `supersedes` names what another memory superseded already.
        """
        target = self._target(draft, entry)
        predecessor = self._predecessor(draft, target.id)
        if target.found is None:
            stored = self._create(draft, entry, target.id)
        else:
            self._check_rewrite(draft, target.found, supersedes=predecessor is not None)
            if is_echo(draft, target.found):
                stored = self._echo(draft, target.found)
            else:
                stored = self._merge(draft, target.found, supersedes=predecessor is not None)
        if predecessor is not None and predecessor.id != stored.id:
            self._supersede(predecessor, stored.id, draft)
            if target.found is None or not is_echo(draft, target.found):
                self._run("row_supersedes", seq=self._seq(stored.id), predecessor=predecessor.id)
        return stored

    def flush(self) -> None:
        """Write what was collected; call once, before the commit."""
        self._index.flush()

    def note_refusal(self, error: RefusedError, scope: Scope | None = None) -> None:
        """A refusal in the ledger: rule and fingerprint, never the text.

        A scope that nothing was ever stored in stays unnamed: its key may be what was refused.
        """
        rule, fingerprint = "refused", None
        if isinstance(error, SecretRefused | ThreatRefused):
            rule, fingerprint = error.rule, error.fingerprint
        known = scope_ids(self._connection, (scope,) if scope else ())
        owner = known[0] if known else None
        self._ledger("refused", None, rule=rule, fingerprint=fingerprint, scope_id=owner)

    def archive(self, record: Record) -> None:
        """Withdraw a memory: out of the index, the row kept."""
        seq = self._seq(record.id)
        self._index.remove(seq)
        self._run("row_status", seq=seq, status="archived", now=self._now)
        self._ledger("archived", record.id)

    def restore(self, record: Record) -> None:
        """Bring an archived memory back."""
        seq = self._seq(record.id)
        self._run("row_status", seq=seq, status="active", now=self._now)
        self._reindex(seq, record)
        self._ledger("restored", record.id)

    def feedback(
        self, record: Record, outcome: str, *, note: str | None, learned: Sequence[str]
    ) -> None:
        """Move the credence by `CREDENCE_STEPS`; on "helped" the query's terms become learned terms."""
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
        if outcome != "unknown":
            self._run("evidence_add", seq=seq, kind=outcome, at=self._now, source=None, note=note)
        pieces = dict.fromkeys(piece for term in learned for piece in term.split())
        fresh = [piece for piece in pieces if piece not in record.terms]
        # Of a memory out of the index nobody can tell which terms would be new to it.
        if outcome == "helped" and fresh and record.status == "active":
            kept = tuple(dict.fromkeys([*fresh, *record.learned_terms]))[:_LEARNED_LIMIT]
            self._run("row_learned", seq=seq, terms=" ".join(kept), now=self._now)
            self._reindex(seq, replace(record, learned_terms=kept), record)
        audit = statements("audit")["consumption_add"]
        values: dict[str, Any] = {
            "memory_id": record.id,
            "outcome": outcome,
            "at": self._now,
            "note": note,
        }
        self._connection.execute(audit, values)

    def rebuild(self) -> int:
        """Rebuild all that is derived from the rows; how many memories."""
        done = rebuild(self._connection, self._indexer)
        self._ledger("reindexed", None, detail=str(done))
        return done

    def _run(self, name: str, **values: Any) -> apsw.Cursor:
        return self._connection.execute(self._sql[name], values)

    @decoded()
    def _seq(self, memory_id: str) -> int:
        return int(self._run("row_state", id=memory_id).fetchall()[0][0] or 0)

    def _target(self, draft: Draft, entry: IndexEntry) -> _Target:
        if draft.document_id is not None:
            address = document_address(draft.scope, draft.document_id)
            return _Target(address, fetch_record(self._connection, address))
        generation = 0
        while True:
            address = memory_address(draft, entry.normal, now_ms=self._now, generation=generation)
            found = fetch_record(self._connection, address)
            # What was superseded keeps its row: the same words, true again, are a memory of their own.
            if found is None or found.invalid_at_ms is None:
                return _Target(address, found)
            generation += 1

    def _create(self, draft: Draft, entry: IndexEntry, address: str) -> Stored:
        alpha, beta = ORIGIN_CREDENCE[draft.origin]
        scope = scope_id(self._connection, draft.scope)
        created = self._now if draft.created_at is None else to_ms(draft.created_at)
        columns = self._columns(draft) | {
            "id": address,
            "scope_id": scope,
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
        self._index.insert(seq, scope, entry)
        self._assert(seq, draft, "asserted")
        self._ledger("created", address, scope_id=scope)
        return Stored(address, "created", self._count_evidence(seq))

    def _check_rewrite(self, draft: Draft, found: Record, *, supersedes: bool) -> None:
        if found.status == "archived" and draft.provenance != "human":
            self._ledger("restore-refused", found.id, rule="withdrawn-stays")
            raise RefusedError(
                f"{found.id} was withdrawn; a {draft.provenance} draft cannot bring it back"
            )
        if supersedes and found.invalid_at_ms is not None and is_echo(draft, found):
            self._ledger("revive-refused", found.id, rule="human-text-protected")
            raise RefusedError(
                f"{found.id}, which a person stated, holds no more; a {draft.provenance} draft "
                "cannot make it hold again"
            )
        if not _rewrites(draft, found) or draft.provenance == "human" or found.provenance != "human":
            return
        self._ledger("rewrite-refused", found.id, rule="human-text-protected")
        raise RefusedError(
            f"a {draft.provenance} draft cannot rewrite {found.id}, which a person stated"
        )

    def _echo(self, draft: Draft, found: Record) -> Stored:
        seq = self._seq(found.id)
        self._prove(seq, draft, "repeated")
        self._ledger("confirmed", found.id)
        return Stored(found.id, "confirmed", self._count_evidence(seq))

    def _merge(self, draft: Draft, found: Record, *, supersedes: bool) -> Stored:
        seq = self._seq(found.id)
        rewritten = _rewrites(draft, found)
        tags = merged_tags(draft, found)
        columns = self._columns(draft) | {"seq": seq, "tags": json.dumps(tags, ensure_ascii=False)}
        self._run("row_confirm", **columns)
        if rewritten:
            self._rewrite(seq, draft, found, columns)
        if found.invalid_at_ms is not None and (rewritten or supersedes):
            # The caller's identity leaves no room for a second row, so this one holds again.
            self._run("row_revived", seq=seq, valid_at=self._since(draft))
            self._ledger("revived", found.id)
        current = fetch_record(self._connection, found.id)
        if current is None:
            raise AssertionError(f"{found.id} vanished inside a transaction")
        changed = found.status != "active" or indexable(current) != indexable(found)
        if current.status == "active" and changed:
            self._reindex(seq, current, found if found.status == "active" else None)
        self._assert(seq, draft, "edited" if rewritten else "repeated")
        action = "updated" if rewritten else "confirmed"
        self._ledger(action, found.id)
        return Stored(found.id, action, self._count_evidence(seq))

    def _rewrite(self, seq: int, draft: Draft, found: Record, columns: dict[str, Any]) -> None:
        """Another text under the caller's document id: what belonged to the old text goes."""
        alpha, beta = ORIGIN_CREDENCE[draft.origin]
        tags = json.dumps(draft.tags or found.tags, ensure_ascii=False)
        self._run("row_rewrite", **columns | {"tags": tags, "alpha": alpha, "beta": beta})
        for name in ("relations_clear", "mentions_clear"):
            self._run(name, seq=seq)

    def _columns(self, draft: Draft) -> dict[str, Any]:
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
        return columns

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

    def _predecessor(self, draft: Draft, successor: str) -> Record | None:
        """What the draft supersedes; None where it names nothing, or did so when it was told before."""
        if draft.supersedes is None:
            return None
        found = fetch_record(self._connection, draft.supersedes)
        if found is None or found.scope != draft.scope or found.status != "active":
            raise NotFoundError("memory to supersede", draft.supersedes)
        if found.superseded_by == successor:
            return None
        if found.provenance == "human" and draft.provenance != "human":
            self._ledger("supersede-refused", found.id, rule="human-loser-protected")
            raise RefusedError(
                f"a {draft.provenance} memory cannot supersede {found.id}, which a person stated"
            )
        if found.superseded_by is not None:
            self._ledger("supersede-refused", found.id, rule="superseded-already")
            raise RefusedError(
                f"{found.id} was superseded by {found.superseded_by}; supersede that one"
            )
        return found

    def _supersede(self, loser: Record, winner: str, draft: Draft) -> None:
        seq, since = self._seq(loser.id), self._since(draft)
        self._run("row_superseded", seq=seq, successor=winner, invalid_at=since, now=self._now)
        self._run("evidence_add", seq=seq, kind="superseded", at=self._now, source=winner, note=None)
        self._ledger("superseded", loser.id, detail=winner)

    def _since(self, draft: Draft) -> int:
        """From when what a draft says holds."""
        since = draft.valid_at or draft.created_at
        return self._now if since is None else to_ms(since)

    def _ledger(self, action: str, memory_id: str | None, **values: Any) -> None:
        columns = {"scope_id": None, "rule": None, "fingerprint": None, "detail": None} | values
        self._run("ledger_add", at=self._now, action=action, memory_id=memory_id, **columns)


def _rewrites(draft: Draft, found: Record) -> bool:
    return draft.document_id is not None and draft.text != found.text
