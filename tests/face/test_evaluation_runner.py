"""Evaluation runs: what is written when, asked when, and how the command reports it."""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memweir.cli import eval as command
from memweir.cli import eval_common, main
from memweir.errors import ConfigError, InputError, MemweirError, SecretRefused
from memweir.evaluation import batch
from memweir.evaluation.datasets import UNDATED, DataSet, DataSetError
from memweir.evaluation.metrics import METRICS
from memweir.evaluation.offtopic import OFF_TOPIC
from memweir.evaluation.runner import SetRun, run_set
from memweir.fusion.types import Candidate, Decision, Fused, Scored
from memweir.results import Recall, RecallItem
from memweir.retrieval.types import Hit, Ranking
from memweir.store.records import Draft, Stored
from memweir.store.scopes import Scope


@dataclass
class Call:
    text: str
    scope: Scope
    now: datetime
    context: tuple[str, ...]
    limit: int
    record: bool
    known: tuple[str, ...]


@dataclass
class FakeEngine:
    """Ranks by words in common; two and more are injected, three and more as "use"."""

    path: Path = Path()
    clock: datetime = UNDATED
    drafts: dict[str, Draft] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    batches: list[list[str]] = field(default_factory=list)

    def remember_many(
        self, drafts: Iterable[Draft], *, now: datetime | None = None
    ) -> Sequence[Stored | MemweirError]:
        answers: list[Stored | MemweirError] = []
        several = list(drafts)
        for each in several:
            if "secret" in each.text:
                answers.append(SecretRefused("rule", "text", "f00"))
                continue
            self.drafts[f"mem_{len(self.drafts)}"] = each
            answers.append(Stored(f"mem_{len(self.drafts) - 1}", "created", 1))
        self.batches.append([str(each.document_id) for each in several])
        return answers

    def recall(
        self,
        text: str,
        *,
        scope: Scope,
        now: datetime | None = None,
        context: Sequence[str] = (),
        limit: int = 50,
        record: bool = True,
    ) -> Recall:
        assert now is not None
        mine = {each: draft for each, draft in self.drafts.items() if draft.scope == scope}
        known = tuple(str(draft.document_id) for draft in mine.values())
        self.calls.append(Call(text, scope, now, tuple(context), limit, record, known))
        common = {each: len(_words(text) & _words(draft.text)) for each, draft in mine.items()}
        found = sorted((each for each in mine if common[each]), key=lambda each: (-common[each], each))
        candidates = tuple(_item(each, mine[each], common[each]) for each in found)
        items = tuple(each for each in candidates if each.action != "ignore")
        hits = tuple(Hit(each, float(common[each])) for each in found)
        return Recall(
            block="block" if items else "",
            items=items,
            candidates=candidates,
            rankings={"keyword": Ranking("keyword", hits), "extra": Ranking("extra", hits[:1])},
            abstained="" if items else "nothing fits",
        )


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def _item(each: str, draft: Draft, common: int) -> RecallItem:
    action = "use" if common >= 3 else "verify" if common == 2 else "ignore"
    return RecallItem(
        id=each,
        text=draft.text,
        title="",
        layer=draft.layer,
        kind=draft.kind,
        scope=str(draft.scope),
        provenance=draft.provenance,
        created="",
        score=common / 10,
        decision=Decision(action, "rule", common / 10, 1.0, 1.0, 0.0),
        ranks={"keyword": 1},
        scored=Scored(Candidate(each, draft.text), Fused(each, common / 10, {}), common / 10),
        matched={},
        injected=action != "ignore",
    )


def make_set(folder: Path, memories: list[dict[str, Any]], queries: list[dict[str, Any]]) -> DataSet:
    folder.mkdir(parents=True)
    for name, rows in (("memories", memories), ("queries", queries)):
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return DataSet(folder.name, folder)


def line(name: str, text: str = "red green blue", **fields: object) -> dict[str, Any]:
    return {"id": name, "text": text, "scope": "a", "created_at": None, "speaker": "Ada", **fields}


def query(name: str, text: str = "red green blue", **fields: object) -> dict[str, Any]:
    return {"id": name, "text": text, "scope": "a", "category": "c", "relevant": [], **fields}


def measure(dataset: DataSet, engine: FakeEngine, **options: Any) -> SetRun:
    @contextmanager
    def open_engine(path: Path, now: datetime) -> Iterator[FakeEngine]:
        engine.path, engine.clock = path, now
        yield engine

    return run_set(dataset, open_engine, **options)


def asked_calls(engine: FakeEngine) -> list[Call]:
    """The set's own questions: between the warm-up and the off-topic ones."""
    return engine.calls[1 : -len(OFF_TOPIC)]


def test_every_question_is_asked_in_its_own_scope_and_leaves_no_audit(tmp_path: Path) -> None:
    engine = FakeEngine()
    data = make_set(
        tmp_path / "s",
        [line("m1"), line("m2", scope="b")],
        [query("q1", context=["before"]), query("q2", scope="b")],
    )
    measure(data, engine)
    first, second = asked_calls(engine)
    assert (first.scope, first.known, first.context) == (Scope.project("a"), ("m1",), ("before",))
    assert (second.scope, second.known) == (Scope.project("b"), ("m2",))
    assert {(call.limit, call.record) for call in engine.calls} == {(100, False)}


def test_answers_come_back_in_the_ids_of_the_set(tmp_path: Path) -> None:
    rows = [line("m1", "red"), line("m2", "red green blue"), line("m3", "red green")]
    run = measure(make_set(tmp_path / "s", rows, [query("q1", relevant=["m2"])]), FakeEngine())
    [only] = run.asked
    assert only.ranked == (("m2", 0.3), ("m3", 0.2), ("m1", 0.1))
    assert (only.block, only.used, only.injected) == (("m2", "m3"), ("m2",), True)
    assert only.relevance == 0.3
    assert only.paths == {
        "semantic": (),
        "keyword": ("m2", "m3", "m1"),
        "graph": (),
        "timeline": (),
        "extra": ("m2",),
    }
    assert only.abstained == ""
    assert only.latency_ms >= 0


def test_a_store_is_fresh_and_gone_afterwards(tmp_path: Path) -> None:
    engine = FakeEngine()
    measure(make_set(tmp_path / "s", [line("m1")], [query("q1")]), engine)
    assert engine.path.name == "memory.db"
    assert not engine.path.parent.exists()


def test_memories_are_written_in_file_order_in_batches(tmp_path: Path) -> None:
    engine = FakeEngine()
    names = [f"m{number}" for number in range(1203)]
    measure(make_set(tmp_path / "s", [line(each) for each in names], [query("q1")]), engine)
    assert [len(batch) for batch in engine.batches] == [500, 500, 203]
    assert [each for batch in engine.batches for each in batch] == names


def test_a_refused_memory_is_reported_and_the_rest_is_measured(tmp_path: Path) -> None:
    rows = [line("m1", "secret red green"), line("m2")]
    run = measure(make_set(tmp_path / "s", rows, [query("q1", relevant=["m1", "m7"])]), FakeEngine())
    [(refused, reason)] = run.refused
    assert refused == "m1"
    assert "credential" in reason
    assert run.unknown == ("m7",)
    assert (run.memories, run.asked[0].ranked) == (2, (("m2", 0.3),))


def test_questions_without_a_date_are_asked_the_day_after_the_newest_memory(tmp_path: Path) -> None:
    engine = FakeEngine()
    rows = [line("m1", created_at="2023-05-06"), line("m2", created_at="2022-01-01T08:00:00")]
    measure(make_set(tmp_path / "s", rows, [query("q1"), query("q2", as_of="2023-02-01")]), engine)
    first, second = asked_calls(engine)
    assert first.now == engine.clock == datetime(2023, 5, 7, 12, tzinfo=UTC)
    assert second.now == datetime(2023, 2, 1, 23, 59, 59, tzinfo=UTC)


def test_undated_memories_are_told_the_day_before_the_first_question(tmp_path: Path) -> None:
    engine = FakeEngine()
    queries = [query("q1", as_of="2020-3-2"), query("q2", as_of="2021-01-01")]
    measure(
        make_set(tmp_path / "s", [line("m1"), line("m2", created_at="2020-01-01")], queries), engine
    )
    told = [draft.created_at for draft in engine.drafts.values()]
    assert told == [
        datetime(2020, 3, 1, 23, 59, 59, tzinfo=UTC),
        datetime(2020, 1, 1, 12, tzinfo=UTC),
    ]


def test_a_set_without_any_date_has_a_fixed_one(tmp_path: Path) -> None:
    engine = FakeEngine()
    measure(make_set(tmp_path / "s", [line("m1")], [query("q1")]), engine)
    assert engine.drafts["mem_0"].created_at == UNDATED == datetime(2024, 1, 1, 12, tzinfo=UTC)
    assert asked_calls(engine)[0].now == datetime(2024, 1, 2, 12, tzinfo=UTC)


def test_a_question_of_a_growing_set_sees_exactly_the_memories_before_it(tmp_path: Path) -> None:
    engine = FakeEngine()
    memories = [
        line("a3", seq=3),
        line("a1", seq=1),
        line("b2", seq=2, scope="b"),
        line("a0"),  # no place in time: there from the start
        line("a5", seq=5),
    ]
    queries = [
        query("late", as_of_seq=9),
        query("third", as_of_seq=3),
        query("other", as_of_seq=3, scope="b"),
        query("fourth", as_of_seq=4),
        query("first", as_of_seq=1),
        query("end"),
    ]
    run = measure(make_set(tmp_path / "s", memories, queries), engine)
    seen = {
        (call.scope.key, index): sorted(call.known) for index, call in enumerate(asked_calls(engine))
    }
    assert list(seen.items()) == [
        (("a", 0), ["a0"]),
        (("a", 1), ["a0", "a1"]),
        (("a", 2), ["a0", "a1", "a3"]),
        (("a", 3), ["a0", "a1", "a3", "a5"]),
        (("a", 4), ["a0", "a1", "a3", "a5"]),
        (("b", 5), ["b2"]),
    ]
    by_name = {each.question.id: len(each.ranked) for each in run.asked}
    assert by_name == {"late": 4, "third": 2, "other": 1, "fourth": 3, "first": 1, "end": 4}
    assert [each.question.id for each in run.asked] == [each["id"] for each in queries]


def test_off_topic_questions_are_asked_in_the_full_first_scope_at_its_latest_moment(
    tmp_path: Path,
) -> None:
    engine = FakeEngine()
    memories = [line("m1", seq=1), line("m2", "how do i bleed the brakes", seq=8)]
    queries = [
        query("q1", as_of="2023-01-01", as_of_seq=2),
        query("q2", as_of="2023-03-01", as_of_seq=3),
        query("q3", as_of="2024-03-01", as_of_seq=3, scope="b"),
    ]
    run = measure(make_set(tmp_path / "s", memories, queries), engine)
    calls = engine.calls[-len(OFF_TOPIC) :]
    assert tuple(call.text for call in calls) == OFF_TOPIC
    assert {call.now for call in calls} == {datetime(2023, 3, 1, 23, 59, 59, tzinfo=UTC)}
    assert {call.known for call in calls} == {("m1", "m2")}
    about_brakes = OFF_TOPIC.index("How do I bleed the brakes of a mountain bike?")
    assert run.offtopic[about_brakes]


def test_off_topic_questions_are_in_both_languages_and_differ() -> None:
    chinese = [each for each in OFF_TOPIC if re.search("[一-鿿]", each)]
    assert len(set(OFF_TOPIC)) == len(OFF_TOPIC)
    assert len(chinese) * 2 == len(OFF_TOPIC)


def test_a_limit_is_one_of_questions_and_not_of_memories(tmp_path: Path) -> None:
    engine, steps = FakeEngine(), list[tuple[int, int]]()
    data = make_set(tmp_path / "s", [line("m1"), line("m2")], [query("q1"), query("q2"), query("q3")])
    run = measure(data, engine, limit=2, progress=lambda done, total: steps.append((done, total)))
    assert [each.question.id for each in run.asked] == ["q1", "q2"]
    assert (run.memories, len(engine.drafts)) == (2, 2)
    total = 2 + 2 + len(OFF_TOPIC)
    assert steps == [(done, total) for done in range(2, total + 1)]


def test_a_set_without_questions_is_measured_as_empty(tmp_path: Path) -> None:
    run = measure(make_set(tmp_path / "s", [line("m1")], []), FakeEngine())
    assert (run.asked, run.offtopic, run.memories) == ((), (), 1)


# The command


@pytest.fixture
def fake_engine(monkeypatch: pytest.MonkeyPatch) -> list[FakeEngine]:
    """The command's engine is a `FakeEngine`; every one it opened."""
    opened: list[FakeEngine] = []

    def opener(config: object) -> Any:
        @contextmanager
        def open_engine(path: Path, now: datetime) -> Iterator[FakeEngine]:
            opened.append(FakeEngine(path, now))
            yield opened[-1]

        return open_engine

    monkeypatch.setattr(batch, "opener", opener)
    return opened


def call(*arguments: object) -> int:
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    words = ["eval", *(str(each) for each in arguments)]
    if "--jobs" not in words and words[1] != "compare" and "--store" not in words:
        words += ["--jobs", "1"]  # the fake engine is in this process only
    return command.run(parser.parse_args(words))


def small_set(folder: Path) -> Path:
    """Four questions: found first, found third, not found; one unanswerable.

    Words in common: q1 with m1 3, m2 1; q2 with m2 2, m3 2, m1 1 (m2 before m3 by id), so that the
    relevant m1 is third; q3 with nothing; q4 with m1 3, m2 1.
    """
    memories = [
        line("m1", "red green blue"),
        line("m2", "red cat dog"),
        line("m3", "dog cow cat"),
    ]
    queries = [
        query("q1", "red green blue", relevant=["m1"]),
        query("q2", "green cat dog", relevant=["m1"], category="d"),
        query("q3", "zebra", relevant=["m3"]),
        query("q4", "blue red green"),
    ]
    make_set(folder, memories, queries)
    return folder


def test_the_json_report_is_the_one_computed_by_hand(
    tmp_path: Path, fake_engine: list[FakeEngine], capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(small_set(tmp_path / "small"), "--json") == 0
    output = capsys.readouterr().out
    report = json.loads(output)
    [entry] = report["sets"]
    assert (entry["name"], entry["config"], entry["memories"]) == ("small", "default", 3)
    assert (entry["queries"], entry["answerable"]) == (4, 3)
    # Ranks of the relevant memory: 1, 3, none. nDCG: 1, 1/log2 4 = 1/2, 0.
    # Best relevance: answerable .3, .2, 0; unanswerable .3: one tie of three pairs, 0.5/3.
    assert entry["metrics"] == {
        "hit@1": 0.333333,
        "hit@5": 0.666667,
        "hit@6": 0.666667,
        "recall@10": 0.666667,
        "mrr@10": 0.444444,
        "ndcg@10": 0.5,
        "auroc_unanswerable": 0.166667,
    }
    # Blocks: q1 [m1], q2 [m2, m3] without the relevant m1, q3 none; q4 uses m1.
    assert entry["gate"] == {
        "answerable_kept": 0.333333,
        "unanswerable_used": 1.0,
        "offtopic_injected": 0.0,
        "kept_of_top6": 0.5,  # q1 and q2 have it among the first six, q1 keeps it
        "injected": 0.75,  # all but q3
    }
    shown = ("hit@1", "hit@5", "recall@10", "mrr@10", "queries")
    assert {
        name: [figures[each] for each in shown] for name, figures in entry["categories"].items()
    } == {"c": [0.5, 0.5, 0.5, 0.5, 2], "d": [0.0, 1.0, 1.0, 0.333333, 1]}
    assert entry["category_gate"]["d"] == {
        "answerable_kept": 0.0,
        "unanswerable_used": None,
        "kept_of_top6": 0.0,
        "injected": 1.0,
        "queries": 1,
    }
    assert list(entry["paths"]) == ["semantic", "keyword", "graph", "timeline", "extra"]
    assert entry["paths"]["keyword"]["answered"] == 0.75
    assert entry["paths"]["semantic"]["answered"] == 0.0
    assert 0 <= entry["latency_ms"]["p50"] <= entry["latency_ms"]["p95"]


def test_json_is_the_only_thing_on_stdout(
    tmp_path: Path, fake_engine: list[FakeEngine], capsys: pytest.CaptureFixture[str]
) -> None:
    call(small_set(tmp_path / "small"), "--json")
    output = capsys.readouterr()
    _, end = json.JSONDecoder().raw_decode(output.out)
    assert output.out[end:].strip() == ""
    assert output.err == ""


def test_without_json_the_figures_are_in_tables(
    tmp_path: Path,
    fake_engine: list[FakeEngine],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "180")
    assert call(small_set(tmp_path / "s[bold]x")) == 0
    output = capsys.readouterr().out
    assert "s[bold]x" in output
    for shown in ("hit@1", "0.333", "keyword", "answerable kept", "p95 ms", "mrr@10"):
        assert shown in output


def test_per_query_lines_are_those_agreed(
    tmp_path: Path, fake_engine: list[FakeEngine], capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "lines.jsonl"
    call(small_set(tmp_path / "small"), "--json", "--per-query", file, "--group", "session")
    lines = [json.loads(each) for each in file.read_text(encoding="utf-8").splitlines()]
    assert [each["query"] for each in lines] == ["q1", "q2", "q3", "q4"]
    assert lines[0].pop("latency_ms") >= 0
    assert lines[0] == {
        "set": "small",
        "config": "default",
        "query": "q1",
        "ranked": [["m1", 0.3], ["m2", 0.1]],
        "block": ["m1"],
        "used": ["m1"],
        "abstained": None,
        "labelled": True,
        "relevant": ["m1"],
        "trap": [],
        "scope": "a",
        "category": "c",
        "injected": True,
        "relevances": [0.3, 0.1],
    }
    assert lines[2]["abstained"] == "nothing fits"
    assert json.loads(capsys.readouterr().out)["group"] == "session"


def test_every_set_is_run_under_every_configuration(
    tmp_path: Path, fake_engine: list[FakeEngine], capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        small_set(tmp_path / "sets" / name)
    (tmp_path / "strict.toml").write_text("[fusion.gate]\nmin_relevance = 0.5\n")
    call(tmp_path / "sets", "--config", "default", "--config", tmp_path / "strict.toml", "--json")
    report = json.loads(capsys.readouterr().out)
    pairs = [(each["name"], each["config"]) for each in report["sets"]]
    assert pairs == [("one", "default"), ("one", "strict"), ("two", "default"), ("two", "strict")]
    compared = [(each["set"], each["baseline"], each["config"]) for each in report["comparisons"]]
    assert compared == [("one", "default", "strict"), ("two", "default", "strict")]
    assert set(report["comparisons"][0]["metrics"]) == set(METRICS)
    assert len(fake_engine) == 4


def test_configurations_of_one_name_are_told_apart_and_one_given_twice_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [tmp_path / each / "c.toml" for each in ("x", "y")]
    for place, file in enumerate(files):
        file.parent.mkdir()
        file.write_text(f"[fusion.gate]\nmin_relevance = 0.{place + 1}\n")
    monkeypatch.setenv("MEMWEIR_FUSION_GATE_MIN_RELEVANCE", "0.9")
    configs = eval_common.configurations([str(each) for each in files])
    assert list(configs) == [str(each) for each in files]
    assert [each.gate.min_relevance for each in configs.values()] == [0.1, 0.2]
    with pytest.raises(InputError, match="twice"):
        eval_common.configurations(["default", "default"])
    with pytest.raises(ConfigError):
        eval_common.configurations([str(tmp_path / "missing.toml")])


def test_wrong_arguments_are_refused_before_anything_is_asked(
    tmp_path: Path, fake_engine: list[FakeEngine]
) -> None:
    small = small_set(tmp_path / "small")
    with pytest.raises(DataSetError, match="no such folder"):
        call(tmp_path / "missing")
    with pytest.raises(InputError, match="--per-query"):
        call(small, "--per-query", tmp_path / "missing" / "lines.jsonl")
    for limit in ("0", "-1", "x"):
        with pytest.raises(SystemExit):
            call(small, "--limit", limit)
    assert fake_engine == []


def test_the_command_line_reports_a_bad_set_as_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_set(tmp_path / "s", [line("m1"), line("m1")], [])
    assert main(["eval", str(tmp_path / "s"), "--json"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert (error["type"], error["line"]) == ("DataSetError", 2)


# The engine itself, and sets of other people's data where they are at hand

DATA = Path(os.environ.get("MEMWEIR_DATA", Path(__file__).parents[2].parent / "shared" / "data"))


def test_the_engine_finds_what_was_told_in_either_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    memories = [
        line("en/D1:1", "The staging server listens on port 49222", created_at="2024-03-01"),
        line("en/D1:2", "Grace prefers pnpm over npm for every project", created_at="2024-03-02"),
        line("zh/1", "小李对花生过敏，点菜要避开", created_at=None),
        line("zh/2", "下周三在杭州开项目评审会", created_at="2024-3-4"),
    ]
    queries = [
        query("q1", "which port does the staging server use?", relevant=["en/D1:1"]),
        query("q2", "does Grace use pnpm or npm?", relevant=["en/D1:2"], as_of="2024-03-05"),
        query("q3", "小李对什么过敏？", relevant=["zh/1"]),
        query("q4", "项目评审会在哪里开？", relevant=["zh/2"], context=["你好"]),
        query("q5", "which port does the staging server use?", scope="other"),
    ]
    make_set(tmp_path / "both", memories, queries)
    file = tmp_path / "lines.jsonl"
    assert call(tmp_path / "both", "--json", "--per-query", file) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["notes"] == []
    [entry] = report["sets"]
    assert entry["metrics"]["hit@1"] == 1.0
    assert entry["gate"]["answerable_kept"] == 1.0
    lines = [json.loads(each) for each in file.read_text(encoding="utf-8").splitlines()]
    assert lines[4]["ranked"] == []  # another scope's memories do not exist for it
    assert lines[4]["abstained"]


@pytest.mark.parametrize("name", ["locomo_facts", "madial_zh", "memorybank_dates_en"])
def test_real_sets_are_measured(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    if not (DATA / name / "memories.jsonl").is_file():
        pytest.skip(f"no evaluation sets in {DATA}; set MEMWEIR_DATA to their folder")
    assert call(DATA / name, "--limit", "3", "--json") == 0
    [entry] = json.loads(capsys.readouterr().out)["sets"]
    assert entry["queries"] == 3
    assert entry["memories"] > 100
    assert 0 <= entry["metrics"]["recall@10"] <= 1
    assert entry["paths"]["keyword"]["answered"] > 0
