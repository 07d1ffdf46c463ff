"""What would an erasure touch? All of it is looked up before the first change; nothing is written."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import apsw

from memweir.errors import NotFoundError
from memweir.store.database import decoded
from memweir.store.erasure import Erasable, ErasePlan, EraseTarget
from memweir.store.names import Name
from memweir.store.rows import scope_ids
from memweir.store.scopes import Scope, as_scopes
from memweir.store.statements import statements

__all__ = ["Survey", "survey"]

_TOKEN: Final = 16  # hex digits
_WHAT: Final[Mapping[str, str]] = {"ans_": "answer", "prm_": "prompt block"}
_NAMED: Final = re.compile(r"(?:mem|ans|prm|rev|grp)_[0-9a-f]+(?:-\d+)?(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Survey:
    """Everything that an erasure touches.

    Attributes:
        lists: the parameters of erase.sql, lists as JSON.
        seqs: rows of `memory` that go.
        owners: scope ids.
        groups: coexistence groups that lose a member.
        runs: recalls that stay without their words.
        learned: row → the terms that it keeps, where it keeps fewer than it has.
        evidence: (id, whether the note goes, whether the source goes).
        notes: ids of rows of `consumption` whose note goes.
    """

    plan: ErasePlan
    lists: Mapping[str, Any]
    seqs: tuple[int, ...]
    owners: tuple[int, ...]
    groups: tuple[str, ...]
    runs: tuple[int, ...]
    learned: Mapping[int, str]
    evidence: tuple[tuple[int, bool, bool], ...]
    notes: tuple[int, ...]


@decoded()
def survey(
    connection: apsw.Connection,
    target: EraseTarget,
    name: Name | None,
    scopes: Sequence[Scope],
    *,
    key: bytes,
) -> Survey:
    """What an erasure of the target would touch.

    Args:
        name: of a subject.
        key: of the plan's token.

    Raises:
        NotFoundError: one of the ids is not of the scopes, or an earlier wording; ScopeError: no scope.
    """
    return _Surveyor(connection, target, name, as_scopes(scopes)).survey(key)


class _Surveyor:
    def __init__(
        self,
        connection: apsw.Connection,
        target: EraseTarget,
        name: Name | None,
        scopes: tuple[Scope, ...],
    ) -> None:
        self._connection = connection
        self._target = target
        self._whole = target.kind == "scope"
        self._scopes = scopes
        self._owners = tuple(scope_ids(connection, scopes))
        self._sql = statements("erase")
        self._name = name
        self._lists: dict[str, Any] = {"whole": int(self._whole)}
        self._set("scopes", self._owners)

    def survey(self, key: bytes) -> Survey:
        memories, wordings, answers, prompts = self._targets()
        self._set("ids", sorted(memories | wordings))
        memories |= self._texts("beliefs_of")
        self._set("ids", sorted(memories | wordings))
        rows = self._rows("rows_of")  # seq, id, version_of, status
        seqs = tuple(int(row[0]) for row in rows)
        self._set("seqs", seqs)
        ids = {str(row[1]) for row in rows} | answers | prompts
        self._set("ids", sorted(ids))
        reviews = self._texts("reviews_of")
        self._set("reviews", sorted(reviews))
        groups = self._texts("groups_of")
        gone = self._numbers("runs_only_in") if self._whole else set[int]()
        self._set("runs", sorted(gone))
        runs = self._runs_that_tell(ids | reviews | groups) - gone
        learned, evidence, notes = self._words()
        versions = Counter(row[2] for row in rows if row[2] in memories)
        plan = ErasePlan(
            target=self._target.kind,
            memories=tuple(
                Erasable(str(row[1]), str(row[3]), versions[row[1]]) for row in rows if row[2] is None
            ),
            wordings=tuple(sorted(wordings)),
            answers=tuple(sorted(answers)),
            prompts=tuple(sorted(prompts)),
            counts=dict(sorted(json.loads(str(self._rows("counts")[0][0])).items())),
            scrubbed={
                "consumption": len(notes),
                "evidence": len(evidence),
                "memory": len(learned),
                "run": len(runs),
            },
            also_said=tuple(sorted(self._texts("also_said"))),
            token=self._token(key),
        )
        return Survey(
            plan=plan,
            lists=dict(self._lists),
            seqs=seqs,
            owners=self._owners,
            groups=tuple(sorted(groups)),
            runs=tuple(sorted(runs)),
            learned=learned,
            evidence=evidence,
            notes=notes,
        )

    # The memories, the earlier wordings that go alone, the answers and the prompt blocks

    def _targets(self) -> tuple[set[str], set[str], set[str], set[str]]:
        if self._name is not None:
            return self._that_hold(self._name)
        if self._whole:
            memories, wordings, answers, prompts = (
                self._texts(f"{each}_in") for each in ("memories", "wordings", "answers", "prompts")
            )
            return memories, wordings, answers, prompts
        self._set("ids", self._target.ids)
        memories, answers, prompts = (
            self._texts(f"{each}_named") for each in ("memories", "answers", "prompts")
        )
        for each in self._target.ids:
            if each not in memories | answers | prompts:
                raise NotFoundError(_WHAT.get(each[:4], "memory"), each)
        return memories, set(), answers, prompts

    def _that_hold(self, name: Name) -> tuple[set[str], set[str], set[str], set[str]]:
        entities = self._cursor("entity_norms")
        self._set("entities", [row[0] for row in entities if name.is_folded_in(str(row[1]))])
        predicates = sorted(self._texts("predicates"))
        self._set("predicates", [each for each in predicates if name.is_in((each,))])
        about = self._numbers("rows_about")
        memories: set[str] = set()
        wordings: set[str] = set()
        for seq, own, version_of, owner, tags, *others in self._cursor("rows_in"):
            memory = _text(own if version_of is None else owner)
            if memory is not None and memory in memories:
                continue
            if seq in about or name.is_in([*json.loads(str(tags)), *map(_text, others)]):
                # An earlier wording of a memory that is elsewhere by now goes alone.
                (wordings if memory is None else memories).add(memory or str(own))
        answers = {
            str(row[0])
            for row in self._cursor("answer_texts")
            if name.is_in(map(_text, row[1:3])) or name.is_folded_in(str(row[3]))
        }
        prompts = {
            str(row[0]) for row in self._cursor("prompt_texts") if name.is_in(map(_text, row[1:]))
        }
        return memories, wordings, answers, prompts

    # What stays, and holds something of it

    def _runs_that_tell(self, names: set[str]) -> set[int]:
        """Recalls that considered one of the names, tell of one, or were asked of what goes."""
        found = self._numbers("runs_with")
        keys = frozenset(each for scope in self._scopes for each in (scope.key, str(scope)))
        if self._whole:
            found |= self._numbers("runs_in")
        for run, trace in self._cursor("traces"):
            text = str(trace)
            if _tells(text, names) or (self._whole and not keys.isdisjoint(_strings(text))):
                found.add(int(run))
        found |= {int(run) for run, detail in self._cursor("details") if _tells(str(detail), names)}
        if self._name is not None:
            for run, terms, trace in self._cursor("run_words"):
                if self._name.among(str(terms).split()) or self._name.is_in(_strings(str(trace or ""))):
                    found.add(int(run))
        return found

    def _words(
        self,
    ) -> tuple[dict[int, str], tuple[tuple[int, bool, bool], ...], tuple[int, ...]]:
        """By subject: learned terms and notes of memories that stay.

        Otherwise they stay as they are: they are a query's or a person's words, not the memory's.
        """
        name = self._name
        if name is None:
            return {}, (), ()
        learned = {}
        for seq, terms in self._cursor("learned_in"):
            pieces = str(terms).split()
            said = name.among(pieces)
            if said:
                learned[int(seq)] = " ".join(each for each in pieces if each not in said)
        evidence = [
            (int(row[0]), name.is_in((_text(row[1]),)), name.is_in((_text(row[2]),)))
            for row in self._cursor("evidence_words")
        ]
        notes = self._cursor("consumption_words")
        return (
            learned,
            tuple(each for each in evidence if each[1] or each[2]),
            tuple(int(row[0]) for row in notes if name.is_in((str(row[1]),))),
        )

    def _token(self, key: bytes) -> str:
        digest = hmac.new(key, self._target.canonical(self._scopes).encode(), hashlib.sha256)
        for name in ("contents", "answer_contents", "prompt_contents"):
            for row in self._cursor(name):
                digest.update(json.dumps(row, ensure_ascii=True, separators=(",", ":")).encode())
        return digest.hexdigest()[:_TOKEN]

    # Plumbing

    def _set(self, name: str, values: Sequence[object]) -> None:
        self._lists[name] = json.dumps(values)

    def _cursor(self, name: str) -> Iterator[tuple[Any, ...]]:
        return iter(self._connection.execute(self._sql[name], self._lists))

    def _rows(self, name: str) -> list[tuple[Any, ...]]:
        return list(self._cursor(name))

    def _texts(self, name: str) -> set[str]:
        return {str(row[0]) for row in self._cursor(name)}

    def _numbers(self, name: str) -> set[int]:
        return {int(row[0]) for row in self._cursor(name)}


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _tells(text: str, names: set[str]) -> bool:
    """Whether a JSON text names one of the ids."""
    return not names.isdisjoint(_NAMED.findall(text))


def _strings(text: str) -> Iterable[str]:
    """The strings of a JSON text, names of members among them; of anything else the text itself."""
    try:
        value = json.loads(text)
    except ValueError:
        return [text]
    found: list[str] = []
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            found.append(each)
        elif isinstance(each, dict):
            waiting += [*each, *each.values()]
        elif isinstance(each, list):
            waiting += each
    return found
