"""Do both engines answer alike? Random writes on SQLite and on the plain oracle, then every read."""

from __future__ import annotations

import dataclasses
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import apsw
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from memweir import Memory
from memweir.config import Config
from memweir.errors import MemweirError
from memweir.retrieval.analysis import Analyzer
from memweir.retrieval.embedding import HashedNgramEmbedder
from memweir.retrieval.indexing import TextIndexer
from memweir.retrieval.synonyms import Synonyms
from memweir.store.audit import DecisionRow, Run
from memweir.store.edits import EDITABLE
from memweir.store.entry import FIELDS
from memweir.store.reads import TermMatch
from memweir.store.records import KINDS, OUTCOMES, PROVENANCES, Draft, Relation, Stored, to_ms
from memweir.store.scopes import Scope
from memweir.store.seam import Store
from memweir.store.sqlite import SqliteStore
from memweir.store.statements import statements
from memweir.store.view import View
from memweir.testing import NOW, FixedClock, PlainIndexer, PlainStore

_WORDS = ("tea", "Ada", "port", "22", "wal_mode", "公司", "在", "茶", "the", "🙂", "Oslo", "not", "now")
_TERMS = (*(word.lower() for word in _WORDS), "公", "司", "rum", "red", "zzz")
_ASKED = (*_TERMS, "home")
_SCOPES = (Scope.project("atlas"), Scope.project("b'%_\""), Scope.everywhere())
_NAMES = ("Ada", "ada", "Oslo", "Acme")
_TAGS = ("red", "Blue sky", "模型")
_VERBS = (
    "add",
    "archive",
    "forget",
    "restore",
    "edit",
    "decide",
    "feedback",
    "counter",
    "recall",
    "answer",
)
_HOW_OFTEN = (8, 2, 2, 3, 4, 4, 2, 1, 2, 3)


@dataclass(frozen=True)
class _Write:
    """One write; `place` chooses among the memories stored so far, so that it exists."""

    verb: str
    place: int = 0
    drafts: tuple[Draft, ...] = ()
    supersede: bool = False
    outcome: str = ""
    learned: tuple[str, ...] = ()
    changes: Mapping[str, object] = field(default_factory=dict)
    decision: str = ""
    fresh: bool = True


class _Dice:
    """Random writes and questions from few words, so that they meet often; the same from one seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def _often(self, share: float) -> bool:
        return self._random.random() < share

    def _some(self, values: Sequence[Any], most: int) -> tuple[Any, ...]:
        return tuple(self._random.choices(values, k=self._random.randint(0, most)))

    def _moment(self, *days: float) -> Any:
        return NOW - timedelta(days=self._random.choice(days))

    def text(self) -> str:
        usual = self._random.choice(("tea", "tea", "port 22", "port not 22", "the tea", "公司 在 Oslo"))
        if self._often(0.1):
            usual = self._random.choice(("call 13800138000", "traceback tea", "port now 22"))
        return usual if self._often(0.6) else " ".join((*self._some(_WORDS, 5), "tea"))

    def draft(self) -> Draft:
        choice = self._random.choice
        fields: dict[str, Any] = {
            "text": self.text(),
            "scope": choice((_SCOPES[0], *_SCOPES)),
            "kind": choice(KINDS) if self._often(0.3) else "fact",
            "layer": choice(("world", "belief")),
            "provenance": choice(("human", *PROVENANCES)),
            "origin": choice(("explicit", "heuristic")),
            "importance": choice((0.1, 0.5, 0.5, 0.9)),
            "pinned": self._often(0.3),
            "tags": self._some(_TAGS, 2),
            "entities": self._some(_NAMES, 2),
            "document_id": choice(("d1", "d2")) if self._often(0.3) else None,
            "speaker": "Ada" if self._often(0.2) else None,
        }
        for name in ("title", "scene", "domain", "semantic_key", "source", "session_id", "raw_quote"):
            fields[name] = (
                choice(("home", "work", "Ada", "ada", "general")) if self._often(0.3) else None
            )
        for name in ("created_at", "valid_at", "expires_at"):
            fields[name] = self._moment(0, 1, 1, 3, -1) if self._often(0.4) else None
        if self._often(0.4):
            fields["kind"], fields["session_id"] = "turn", choice(("s", "s@1"))
            fields["source"] = f"{choice(('s', 's', 's@1'))}@{choice((0, 1, 2, 3, 3, 12))}"
        if self._often(0.3):
            fields["event_start"] = self._moment(1, 1, 3)
            fields["event_end"] = fields["event_start"] + timedelta(days=choice((1, 2)))
        if self._often(0.4):
            ends = choice(_NAMES), choice(_NAMES)
            fields["relations"] = (Relation(ends[0], choice(("knows", "sees")), ends[1]),)
        return Draft(**fields)

    def write(self) -> _Write:
        verb = self._random.choices((*_VERBS, "reindex"), (*_HOW_OFTEN, 1))[0]
        return _Write(
            verb,
            place=self._random.randrange(1000),
            drafts=tuple(self.draft() for _ in range(self._random.randint(1, 5))),
            supersede=self._often(0.5),
            outcome=self._random.choice(("helped", *OUTCOMES)),
            learned=self._some(("rum", "tea", "茶", "milk"), 3),
            changes=self.changes(),
            decision=self._random.choice(
                ("replace", "precede", "coexist", "reject", "approve", "dismiss", "no")
            ),
            fresh=self._often(0.9),
        )

    def changes(self) -> dict[str, object]:
        told = self.draft()
        names = self._random.sample(EDITABLE, k=self._random.randint(0, 3))
        changes = {name: getattr(told, name) for name in names if not name.startswith("event_")}
        if self._often(0.3):
            changes["text"] = self.text()
        return changes

    def view(self) -> View:
        choice = self._random.choice
        scopes = tuple(self._random.sample(_SCOPES, k=choice((1, 2, 3, 3))))
        return View(
            scopes=scopes,
            as_of_ms=to_ms(self._moment(0, 0, 0, -1, 1, 2)),
            point_in_time=self._often(0.3),
            include_history=self._often(0.3),
            known_ms=to_ms(NOW) + choice(range(-1, 31)) * 1000 if self._often(0.4) else None,
            incidents=() if self._often(0.2) else None,
            scene=choice(("home", "work")) if self._often(0.2) else None,
            domain=choice(("home", "work")) if self._often(0.2) else None,
            tags=choice((("red",), ("blue sky", "模型"))) if self._often(0.2) else (),
        )

    def match(self) -> TermMatch:
        terms: dict[str, tuple[str, ...]] = {"": ("tea", *self._some(_TERMS, 4))}
        if self._often(0.4):
            terms[self._random.choice(FIELDS)] = self._some(_TERMS, 3)
        weights = {each: self._random.choice((0.5, 1.0, 2.0, 3.3)) for each in self._some(FIELDS, 4)}
        return TermMatch(terms, weights)

    def limit(self) -> int:
        return self._random.choice((1, 2, 5, 50, 50))


@dataclass
class _Pair:
    """The same writes on every store; ids are the same everywhere because they are addresses."""

    indexer: PlainIndexer
    stores: dict[str, Store]
    ids: list[str] = field(default_factory=list)
    questions: dict[str, str] = field(default_factory=dict)
    """Question → a token it had."""
    answers: list[Any] = field(default_factory=list)

    def all_do(self, action: Callable[[Store], Any]) -> Any:
        """The one answer of all stores, an error's type standing for the error."""
        answers = {name: _answer(action, store) for name, store in self.stores.items()}
        expected = answers["plain"]
        assert answers == dict.fromkeys(answers, expected)
        self.answers.append(expected)
        return expected

    def write(self, step: _Write, now_ms: int) -> None:
        target = self.ids[step.place % len(self.ids)] if self.ids else "mem_none"
        if step.verb == "add":
            drafts = list(step.drafts)
            if step.supersede and self.ids:
                drafts[0] = dataclasses.replace(drafts[0], supersedes=target)
            results = self.all_do(lambda store: store.add_many(drafts, now_ms=now_ms))
            stored = [each.id for each in results if isinstance(each, Stored)]
            self.ids = list(dict.fromkeys([*self.ids, *stored]))
        elif step.verb in ("archive", "forget", "restore"):
            self.all_do(lambda store: getattr(store, step.verb)(target, _SCOPES, now_ms=now_ms))
        elif step.verb == "edit":
            self.all_do(lambda store: store.edit(target, _SCOPES, step.changes, now_ms=now_ms))
        elif step.verb == "decide":
            self._decide(step, now_ms)
        elif step.verb == "feedback":
            self.all_do(
                lambda store: store.feedback(
                    target, step.outcome, _SCOPES, now_ms=now_ms, note="n", learned=step.learned
                )
            )
        elif step.verb == "counter":
            source = f"s@{step.place % 3}"
            self.all_do(lambda store: store.counter(target, _SCOPES, now_ms=now_ms, source=source))
        elif step.verb == "recall":
            self.all_do(lambda store: store.record_run(self._run(step, now_ms)))
        elif step.verb == "answer":
            self._answer(step, now_ms)
        else:
            self.all_do(lambda store: store.reindex(now_ms=now_ms))
        for review in self.all_do(lambda store: store.reviews(_SCOPES, now_ms=now_ms, limit=99)):
            self.questions.setdefault(review.id, review.token)

    def _answer(self, step: _Write, now_ms: int) -> None:
        """An answer told, renewed, phrased, verified or withdrawn; now and then by a clock put back."""
        keys = [f"q{(step.place + each) % 4}" for each in (0, *range(len(step.learned)))]
        told = {key: key for key in keys}
        text = step.drafts[0].text
        at = now_ms if step.fresh else now_ms - 2000
        approved = step.supersede
        scope = _SCOPES[step.place % 2]
        known = [each.id for each in self.all_do(lambda store: store.answers(_SCOPES, limit=9))]
        answer_id = known[step.place % len(known)] if known else "ans_none"
        match step.outcome:
            case "helped" | "harmful":
                self.all_do(
                    lambda store: store.put_answer(
                        scope, text, told, now_ms=at, approve_personal=approved
                    )
                )
            case "stale":
                self.all_do(
                    lambda store: store.add_phrasings(
                        answer_id, _SCOPES, told, now_ms=at, approve_personal=approved
                    )
                )
            case "conflict":
                self.all_do(lambda store: store.verify_answer(answer_id, _SCOPES, now_ms=at))
            case _:
                self.all_do(lambda store: store.withdraw_answer(answer_id, _SCOPES[:1], now_ms=at))

    def _decide(self, step: _Write, now_ms: int) -> None:
        """An answer to one of the questions; now and then on an old sight of it."""
        if not self.questions:
            return
        review_id, token = list(self.questions.items())[-1 - step.place % min(len(self.questions), 3)]
        if step.fresh:
            token = self.stores["plain"].review(review_id, _SCOPES, now_ms=now_ms).token
        self.all_do(lambda store: store.decide(review_id, step.decision, token, _SCOPES, now_ms=now_ms))

    def _run(self, step: _Write, now_ms: int) -> Run:
        injected = tuple(self.ids[(step.place + n) % len(self.ids)] for n in (0, 7)) if self.ids else ()
        decision = DecisionRow("mem_x", 1, "use", "r", 0.5, 0.5, 0.5, 0.5, 0.5, {"keyword": 1})
        return Run(
            at_ms=now_ms,
            query_hash="h",
            scopes=_SCOPES,
            mode="assist",
            decisions=tuple(
                dataclasses.replace(decision, memory_id=each, rank=rank)
                for rank, each in enumerate(dict.fromkeys(injected), start=1)
            ),
            injected=injected[:1] if step.supersede else tuple(dict.fromkeys(injected)),
            terms=step.learned,
            trace="{}",
        )


def _answer(action: Callable[[Store], Any], store: Store) -> Any:
    try:
        found = action(store)
    except MemweirError as error:
        return type(error)
    if isinstance(found, list):
        return [type(each) if isinstance(each, MemweirError) else each for each in found]
    return found


@contextmanager
def _pair(indexer: PlainIndexer) -> Iterator[_Pair]:
    with tempfile.TemporaryDirectory() as folder:
        # One key, so that fingerprints in the ledger are the same.
        stores: dict[str, Store] = {
            "plain": PlainStore(indexer, key=b"k" * 16),
            **{
                name: SqliteStore.open(
                    Path(folder, f"{name}.db"),
                    indexer,
                    vectors_in_sql=name == "vec",
                    random_bytes=lambda count: b"k" * count,
                )
                for name in ("vec", "numpy")
            },
        }
        try:
            yield _Pair(indexer, stores)
        finally:
            for store in stores.values():
                store.close()


def _rounded(found: list[tuple[str, float]]) -> list[tuple[str, float]]:
    return [(memory_id, round(score, 12)) for memory_id, score in found]


def _all_answers(pair: _Pair, asked: list[tuple[View, TermMatch, str, int]]) -> list[Any]:
    """Every read of all stores, compared, and the answers they agree on."""
    pair.answers.clear()
    for view, match, text, limit in asked:
        _check_reads(pair, view, match, text, limit)
    _check_everything_kept(pair)
    return list(pair.answers)


def _check_reads(pair: _Pair, view: View, match: TermMatch, text: str, limit: int) -> None:
    query = pair.indexer.embed(text)
    window = (to_ms(NOW - timedelta(days=4)), to_ms(NOW - timedelta(days=1)), limit)
    pair.all_do(lambda store: _rounded(store.keyword(view, match, limit)))
    pair.all_do(lambda store: store.matching(view, match, limit))
    pair.all_do(lambda store: store.substring(view, text[:3], text[:3].lower(), limit))
    pair.all_do(lambda store: store.nearest(view, query, limit))
    pair.all_do(lambda store: store.similarity(query, pair.ids[:limit]))
    pair.all_do(lambda store: store.event_window(view, *window))
    pair.all_do(lambda store: store.created_window(view, *window))
    pair.all_do(lambda store: store.latest(view, limit))
    pair.all_do(lambda store: store.pinned(view, limit))
    pair.all_do(lambda store: store.beliefs(view, limit))
    # Earlier wordings too, which have ids of their own.
    shown = [each.id for each in pair.all_do(lambda store: store.latest(view, 999))]
    kept = pair.all_do(lambda store: store.records(view, [*pair.ids, *shown]))
    pair.all_do(lambda store: store.neighbours(view, shown))
    pair.all_do(lambda store: store.term_statistics(view, _ASKED))
    pair.all_do(lambda store: store.count(view))
    pair.all_do(lambda store: store.incidents(view, match, limit))
    pair.all_do(lambda store: store.scenes(view))
    pair.all_do(lambda store: store.blocked(view))
    pair.all_do(lambda store: store.contested(view, shown))
    groups = {each.coexistence for each in kept.values() if each.coexistence is not None}
    pair.all_do(lambda store: store.group_mates(view, sorted(groups)))
    pair.all_do(lambda store: store.entities_of(view, shown))
    names = pair.all_do(lambda store: store.entities_named(["ada", "oslo", "acme", "home"]))
    for entity in names.values():
        pair.all_do(lambda store, entity=entity: store.entity_name(entity))
        pair.all_do(lambda store, entity=entity: store.mentions_of(view, entity, limit))
        pair.all_do(lambda store, entity=entity: store.relations_at(view, entity, limit))


def _check_everything_kept(pair: _Pair) -> None:
    pair.all_do(lambda store: store.vector_statistics().documents)
    pair.all_do(lambda store: store.vector_statistics().df.tolist())
    sizes = ("memories", "layers", "kinds", "scopes", "entities", "relations", "terms")
    pair.all_do(lambda store: {name: store.statistics()[name] for name in sizes})
    pair.all_do(lambda store: store.last_used(pair.ids, to_ms(NOW) + 20_000))
    for number in range(4):
        for at_ms in (None, *(to_ms(NOW) + each * 1000 for each in range(-1, 31, 4))):
            pair.all_do(
                lambda store, key=f"q{number}", at_ms=at_ms: store.find_answer(
                    _SCOPES, key, at_ms=at_ms
                )
            )
    for scopes in (_SCOPES, _SCOPES[:1]):
        pair.all_do(lambda store, scopes=scopes: store.answers(scopes, limit=3))
    for review_id in pair.questions:
        for scopes in (_SCOPES, _SCOPES[:1]):
            pair.all_do(
                lambda store, review_id=review_id, scopes=scopes: store.review(
                    review_id, scopes, now_ms=to_ms(NOW)
                )
            )
    for memory_id in pair.ids:
        pair.all_do(lambda store, memory_id=memory_id: store.fetch(memory_id, _SCOPES))


def _check_past(pair: _Pair) -> None:
    """What is told of what happened; a rebuilt index is one more thing that did."""
    pair.all_do(lambda store: store.position())
    for scopes in (_SCOPES, _SCOPES[:1], _SCOPES[1:]):
        pair.all_do(lambda store, scopes=scopes: store.happened(scopes, 3, 99))
        pair.all_do(lambda store, scopes=scopes: store.ledger(scopes, after=None, limit=99))
    for memory_id in pair.ids:
        pair.all_do(lambda store, memory_id=memory_id: store.trail(memory_id, _SCOPES))
        for scopes in (_SCOPES, _SCOPES[:1]):
            pair.all_do(
                lambda store, memory_id=memory_id, scopes=scopes: store.history(memory_id, scopes)
            )
    for run_id in range(40):
        pair.all_do(lambda store, run_id=run_id: store.read_run(run_id))


@settings(deadline=None, max_examples=20, phases=set(Phase) - {Phase.explain})
@given(
    seed=st.integers(0, 2**32),
    writes=st.integers(1, 30),
    kind=st.sampled_from([{}, {"sparse": False}, {"dim": 272, "tail": 16}]),
)
def test_after_any_writes_sqlite_answers_every_read_as_the_plain_store_does(
    seed: int, writes: int, kind: dict[str, Any]
) -> None:
    dice = _Dice(seed)
    with _pair(PlainIndexer(**kind)) as pair:
        for number in range(writes):
            pair.write(dice.write(), to_ms(NOW) + number * 1000)
        asked = [(dice.view(), dice.match(), dice.text(), dice.limit()) for _ in range(6)]
        _check_past(pair)
        answers = _all_answers(pair, asked)
        _check_integrity(pair.stores["vec"])
        pair.write(_Write("reindex"), to_ms(NOW) + 60_000)
        assert _all_answers(pair, asked) == answers  # what is derived was right all along
        _check_integrity(pair.stores["vec"])


def _check_integrity(store: Store) -> None:
    assert isinstance(store, SqliteStore)
    connection = apsw.Connection(str(store._path))
    try:
        connection.execute(statements("index")["fts_check"])
        assert connection.execute("PRAGMA integrity_check").get == "ok"
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        rows = connection.execute(
            "SELECT scope_id, terms FROM memory_index WHERE scope_id <> 0"
        ).fetchall()
        df = Counter((term, scope) for scope, terms in rows for term in str(terms).split(" ") if term)
        kept = connection.execute("SELECT term, scope_id, df FROM term").fetchall()
        assert {(term, scope): count for term, scope, count in kept} == df
        documents = connection.execute("SELECT scope_id, documents FROM scope_statistics").fetchall()
        assert dict(documents) == Counter(scope for scope, _ in rows)
        # What weighs is what is active; what is there beside it was believed once.
        active = "SELECT seq FROM memory WHERE status = 'active' ORDER BY seq"
        counted = "SELECT seq FROM memory_index WHERE scope_id <> 0 ORDER BY seq"
        assert connection.execute(counted).fetchall() == connection.execute(active).fetchall()
    finally:
        connection.close()


def test_a_memory_recalls_alike_on_both_engines(tmp_path: Path) -> None:
    analyzer = Analyzer(synonyms=Synonyms.load())
    embedder = HashedNgramEmbedder(analyzer)
    indexer = TextIndexer(analyzer, embedder)
    stores: list[Store] = [SqliteStore.open(tmp_path / "memory.db", indexer), PlainStore(indexer)]
    memories = [
        Memory(store, analyzer=analyzer, embedder=embedder, config=Config(), clock=FixedClock())
        for store in stores
    ]
    scope = Scope.project("atlas")
    texts = (
        *("The project uses pnpm, not npm", "Ada Lovelace owns the billing service", "公司在上海"),
        *(
            "服务器 SSH 端口是 49222",
            "Billing is written in Rust",
            "我对花生过敏",
            "Don't use rock'n'roll",
        ),
        *(
            f"Note {number}: the {word} was checked"
            for number, word in enumerate(("gate", "door") * 20)
        ),
    )
    asked = (
        *("how do I install packages?", "who owns billing?", "公司在哪里", "ssh 端口", "49222"),
        *("what was said yesterday?", "the latest note", "花生", "rock'n'roll", "nothing of the kind"),
    )
    for memory in memories:
        ids = [
            memory.remember(text, scope=scope, created_at=NOW - timedelta(days=number % 40)).id
            for number, text in enumerate(texts)
        ]
        memory.relate("Billing", "runs on", "Kubernetes", scope=scope)
        memory.remember("The project uses bun now", scope=scope, supersedes=ids[0])
        memory.forget(ids[5], scope=scope)
        memory.feedback(ids[1], "helped", scope=scope, query="who is responsible for invoices?")
        memory.answer("Who owns it?", "Ada", scope=scope)
    found = 0
    for question in (*asked, "Who owns it?"):
        one, other = (memory.recall(question, scope=scope) for memory in memories)
        assert one.block == other.block
        assert [(each.id, each.score) for each in one.candidates] == [
            (each.id, each.score) for each in other.candidates
        ]
        assert one.rankings == other.rankings
        found += bool(one)
    assert found >= 6  # most questions have an answer, so that there is something to agree on
    for memory in memories:
        memory.close()
