"""The other forms of `memweir eval`: ablations, pooling, a store, tuning, files of single questions."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir import Config, Memory, Scope
from memweir.cli import main
from memweir.errors import ConfigError, InputError, MissingExtra, StorePathError
from memweir.evaluation import ablations, tuning
from memweir.evaluation.ablations import ABLATIONS, flat, with_overrides
from memweir.evaluation.datasets import DataSet, Question
from memweir.evaluation.frozen import snapshot
from memweir.evaluation.lines import (
    LinesError,
    aligned,
    labelled_only,
    per_query_lines,
    read_runs,
)
from memweir.evaluation.runner import run_set
from memweir.results import Recall

NOW = datetime(2026, 3, 20, 10, tzinfo=UTC)


def make(folder: Path, *, scopes: int = 2, seq: bool = False) -> Path:
    """In every scope two memories and two questions, each about one; scope 0's port is 9000."""
    folder.mkdir(parents=True)
    memories, queries = [], []
    for number in range(scopes):
        scope = f"s{number}"
        memories += [
            {"id": f"{scope}/port", "text": f"The staging server listens on port {9000 + number}"},
            {"id": f"{scope}/tea", "text": f"Ada{number} drinks green tea in the morning"},
        ]
        queries += [
            {"id": f"{scope}/q1", "text": "which port is the staging server on?", "category": "port"},
            {"id": f"{scope}/q2", "text": f"what does Ada{number} drink?", "category": "tea"},
        ]
        queries[-2]["relevant"], queries[-1]["relevant"] = [f"{scope}/port"], [f"{scope}/tea"]
        for place, memory in enumerate(memories[-2:]):
            memory |= {"scope": scope, "created_at": "2026-03-01"} | ({"seq": place} if seq else {})
        for query in queries[-2:]:
            query |= {"scope": scope} | ({"as_of_seq": 1} if seq else {})
    for name, rows in (("memories", memories), ("queries", queries)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return folder


def evaluate(capsys: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> Any:
    assert main(["eval", *(str(each) for each in arguments), "--json"]) == code
    return json.loads(capsys.readouterr().out)


@contextmanager
def open_engine(path: Path, now: datetime) -> Iterator[Memory]:
    with Memory.open(path, clock=lambda: now) as memory:
        yield memory


# Ablations


@pytest.mark.parametrize("each", ABLATIONS, ids=lambda each: each.name)
def test_every_ablation_switches_something_off_in_the_built_in_configuration(
    each: ablations.Ablation,
) -> None:
    assert with_overrides(Config(), each.overrides) != Config()
    assert each.description


def test_ablations_have_names_of_their_own_and_an_unknown_one_is_refused() -> None:
    assert len({each.name for each in ABLATIONS}) == len(ABLATIONS)
    assert ablations.chosen([]) == ABLATIONS
    assert [each.name for each in ablations.chosen(["no-pin", "no-graph"])] == ["no-graph", "no-pin"]
    *_, own = ablations.chosen(["retrieval.limit=5", "no-pin"])
    assert (own.name, own.overrides) == ("retrieval.limit=5", {"retrieval.limit": 5})
    with pytest.raises(InputError, match="no-graph"):
        ablations.chosen(["no-such"])


def test_a_weight_that_is_switched_off_leaves_the_ratios_of_the_others() -> None:
    base = Config()
    without = with_overrides(base, {"fusion.rerank.fused": 0.0}).rerank
    assert without.fused == 0
    assert without.relevance / without.confidence == pytest.approx(
        base.rerank.relevance / base.rerank.confidence
    )
    assert sum(without.weights().values()) == pytest.approx(1)
    with pytest.raises(ConfigError):
        with_overrides(base, {f"fusion.rerank.{each}": 0.0 for each in base.rerank.weights()})


def test_no_override_gives_the_same_configuration_back() -> None:
    config = Config.load(environ={}, overrides={"timezone": "Asia/Shanghai", "budget.items": 3})
    assert with_overrides(config, {}) == config
    assert flat(config)["timezone"] == "Asia/Shanghai"


def test_ablations_are_reported_as_differences_to_the_first_configuration(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "base.toml"
    config.write_text("[retrieval]\ngraph = false\n")
    options = ("--config", config, "--ablate", "no-graph", "no-threshold", "no-keyword")
    report = evaluate(capsys, make(tmp_path / "set"), *options)
    assert [each["config"] for each in report["sets"]] == ["base"]
    names = [each["name"] for each in report["ablations_overall"]]
    assert names == ["no-keyword", "no-threshold"]
    assert [(each["set"], each["name"]) for each in report["ablations"]] == [
        ("set", "no-keyword"),
        ("set", "no-threshold"),
    ]
    one = report["ablations"][0]["metrics"]["mrr@10"]
    assert one["baseline"] == report["sets"][0]["metrics"]["mrr@10"]
    assert one["difference"] == pytest.approx(one["config"] - one["baseline"], abs=2e-6)
    [note] = [each["note"] for each in report["notes"]]
    assert note == "ablation no-graph is left out: the base is without it already"


# Pooling


def test_pooled_questions_see_every_scope_and_scoped_ones_only_their_own(tmp_path: Path) -> None:
    data = DataSet("set", make(tmp_path / "set"))
    scoped, pooled = (run_set(data, open_engine, pooled=each) for each in (False, True))
    ports = {"s0/port", "s1/port"}
    assert [ports & {each for each, _ in one.ranked} for one in scoped.asked[::2]] == [
        {"s0/port"},
        {"s1/port"},
    ]
    assert all(ports <= {each for each, _ in one.ranked} for one in pooled.asked[::2])


def test_more_scopes_than_a_call_takes_are_pooled_in_one(tmp_path: Path) -> None:
    data = DataSet("set", make(tmp_path / "set", scopes=257))
    run = run_set(data, open_engine, pooled=True, only={"s0/q2", "s256/q2"})
    assert [each.question.id for each in run.asked] == ["s0/q2", "s256/q2"]
    assert [each.ranked[0][0] for each in run.asked] == ["s0/tea", "s256/tea"]
    scopes = {each.question.scope for each in run.asked}
    assert scopes == {"s0", "s256"}  # figures are still by the set's own scopes


def test_a_growing_store_that_is_pooled_holds_no_memory_from_after_the_question(tmp_path: Path) -> None:
    data = DataSet("set", make(tmp_path / "set", seq=True))
    for run in (run_set(data, open_engine, pooled=each) for each in (False, True)):
        seen = {each for one in run.asked for each, _ in one.ranked}
        assert "s0/port" in seen
        assert not {"s0/tea", "s1/tea"} & seen  # told at 1, asked when only 0 exists


def test_pooled_figures_stand_beside_the_scoped_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = evaluate(capsys, make(tmp_path / "set"), "--pooled")
    [entry] = report["sets"]
    assert entry["metrics"]["hit@1"] == 1.0
    # Both scopes' servers are equally good answers to the question about the port.
    assert entry["pooled"]["metrics"]["hit@1"] == 0.75
    assert set(entry["pooled"]) == {"metrics", "intervals", "gate", "gate_intervals", "controls"}
    assert "pooled" not in evaluate(capsys, tmp_path / "set")["sets"][0]
    single = evaluate(capsys, make(tmp_path / "single", scopes=1), "--pooled")
    assert "pooled" not in single["sets"][0]  # it would be the same again


# Several processes


def test_the_answers_are_the_same_with_however_many_processes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        make(tmp_path / "sets" / name)
    reports, lines = [], []
    for jobs in (1, 2):
        file = tmp_path / f"{jobs}.jsonl"
        report = evaluate(
            capsys, tmp_path / "sets", "--jobs", jobs, "--per-query", file, "--controls", "cross"
        )
        assert report.pop("jobs") == jobs
        for entry in report["sets"]:
            assert entry.pop("latency_noisy") == (jobs == 2)
            del entry["latency_ms"]
        reports.append(report)
        lines.append(re.sub(r'"latency_ms": [\d.]+', "", file.read_text(encoding="utf-8")))
    assert reports[0] == reports[1]
    assert lines[0] == lines[1]


# A store


def digests(folder: Path) -> dict[str, str]:
    return {
        each.name: hashlib.sha256(each.read_bytes()).hexdigest() for each in sorted(folder.iterdir())
    }


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store of its own folder: the port is in project:a, tea in the global scope."""
    folder = tmp_path / "kept"
    folder.mkdir()
    with Memory.open(folder / "memory.db", clock=lambda: NOW) as memory:
        memory.remember("The staging server listens on port 9000", scope=Scope.project("a"))
        memory.remember("Ada drinks green tea in the morning", scope=Scope.everywhere())
    return folder / "memory.db"


def queries(file: Path, *rows: dict[str, Any]) -> Path:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def ids(store: Path) -> dict[str, str]:
    with Memory.open(store, read_only=True) as memory:
        found = {}
        for word, scope in (("port", Scope.project("a")), ("tea", Scope.everywhere())):
            recall = memory.recall(word, scope=scope, record=False, now=NOW)
            found[word] = recall.candidates[0].id
        return found


PORT = {"id": "q1", "text": "which port is the staging server on?", "scope": "project:a"}
TEA = {"id": "q2", "text": "what does Ada drink?"}


def test_a_store_is_asked_in_a_copy_and_stays_byte_for_byte_what_it_was(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = ids(store)
    file = queries(
        tmp_path / "q.jsonl", PORT | {"relevant": [known["port"]]}, TEA | {"relevant": [known["tea"]]}
    )
    silent = tmp_path / "silent.toml"
    silent.write_text("[fusion.gate]\nmode = 'shadow'\n")
    before = digests(store.parent)
    options = ("--now", NOW.isoformat(), "--config", "default", "--config", silent, "--reindex")
    report = evaluate(capsys, "--store", store, "--queries", file, *options)
    assert digests(store.parent) == before
    assert [each["metrics"]["hit@1"] for each in report["sets"]] == [1.0, 1.0]
    assert [each["gate"]["answerable_kept"] for each in report["sets"]] == [1.0, 0.0]
    assert report["changes"][0]["changes"]["newly_silent"] == 1.0
    assert report["injected"] == {"default": 1.0, "silent": 0.0}


def test_without_labels_only_what_changed_is_reported(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--now", NOW.isoformat(), "--scope", "global", "--scope", "project:a")
    file = queries(tmp_path / "q.jsonl", TEA, {"id": "q3", "text": "staging port?"})
    other = tmp_path / "other.toml"
    other.write_text("[budget]\nitems = 0\n")
    report = evaluate(
        capsys, "--store", store, "--queries", file, "--config", "default", "--config", other, *options
    )
    assert (report["sets"], report["unlabelled"]) == ([], 2)
    [change] = report["changes"]
    assert change["changes"]["overlap@10"] == 1.0
    assert change["changes"]["questions"] == ["q2", "q3"]  # both scopes given were looked in
    assert change["changes"]["decisions"] == {"use": {"out": 2}}


def test_a_store_is_asked_for_as_many_candidates_as_its_configuration_says(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    recall = Memory.recall
    limits: set[object] = set()

    def counted(self: Memory, text: str, **options: Any) -> Recall:
        limits.add(options["limit"])
        return recall(self, text, **options)

    monkeypatch.setattr(Memory, "recall", counted)
    file = queries(tmp_path / "q.jsonl", TEA)
    two = tmp_path / "two.toml"
    two.write_text("[retrieval]\nlimit = 2\n")
    evaluate(capsys, "--store", store, "--queries", file, "--now", NOW.isoformat(), "--config", two)
    assert limits == {2}


ALIEN = {"id": "q4", "text": "who rules the kingdom of Spain?", "scope": "project:a"}


def test_a_person_is_told_what_a_store_was_asked_and_which_questions_got_nothing(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    file = queries(tmp_path / "q.jsonl", PORT, TEA, ALIEN)
    reports = [tmp_path / "r.md", tmp_path / "r.html"]
    arguments = ["eval", "--store", str(store), "--queries", str(file), "--now", NOW.isoformat()]
    assert main([*arguments, *(f"--report={each}" for each in reports)]) == 0
    shown = [re.findall(r"[^│\s]+", line) for line in capsys.readouterr().out.splitlines()]
    # 2 memories, 3 questions, none labelled; 2 of 3 got something, 1 got nothing; then the times.
    assert ["memory", "default", "2", "3", "0", "0.667", "1"] in [line[:7] for line in shown]
    assert ["memory", "default", "no-match", "1", "q4"] in shown
    for each in reports:
        written = each.read_text(encoding="utf-8")
        assert (
            "Store memory: 2 memories; 3 questions, none of them labelled; configuration default."
            in (written)
        )
        assert "Questions that got nothing" in written


def test_memories_of_the_scopes_asked_are_told_beside_those_of_the_store(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    with Memory.open(store, clock=lambda: NOW) as memory:
        gone = memory.remember("The lamp is blue", scope=Scope.project("a")).id
        memory.forget(gone, scope=Scope.project("a"))
    # 3 memories: the port in project:a, tea in global, an archived one in project:a.
    here = queries(tmp_path / "q.jsonl", PORT, PORT | {"id": "again"})
    both = queries(tmp_path / "both.jsonl", PORT, TEA)
    for file, reached in ((here, 1), (both, 2)):
        options = ["--store", store, "--queries", file, "--now", NOW.isoformat()]
        [entry] = evaluate(capsys, *options)["asked"]
        assert (entry["memories"], entry["within"]) == (3, reached)
        report = tmp_path / "r.md"
        assert main(["eval", *map(str, options), "--report", str(report)]) == 0
        assert f" {reached} of 3 " in capsys.readouterr().out
        assert (
            f"Store memory: 3 memories, {reached} of them active in the scopes asked; 2 questions"
            in report.read_text(encoding="utf-8")
        )


def test_what_was_asked_counts_all_questions_where_some_are_labelled(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = ids(store)
    file = queries(tmp_path / "q.jsonl", PORT | {"relevant": [known["port"]]}, TEA, ALIEN)
    report = evaluate(
        capsys,
        "--store",
        store,
        "--queries",
        file,
        "--report",
        tmp_path / "r.md",
        "--now",
        NOW.isoformat(),
    )
    [entry] = report["asked"]
    assert (entry["queries"], entry["labelled"], entry["answerable"]) == (3, 1, 1)
    assert (entry["injected"], entry["abstained"]) == (0.666667, {"no-match": ["q4"]})
    assert [each["queries"] for each in report["sets"]] == [1]
    written = (tmp_path / "r.md").read_text(encoding="utf-8")
    assert "Store memory: 2 memories; 3 questions, 1 of them labelled;" in written


def test_a_cell_names_as_many_questions_as_it_has_room_for_and_counts_the_others() -> None:
    from memweir.evaluation.sections import sections

    ids = [f"question-{number:03}" for number in range(40)]
    entry = {
        "name": "m",
        "config": "c",
        "memories": 1,
        "queries": 41,
        "labelled": 0,
        "injected": 0.0,
        "abstained": {"no-match": ids, "budget": ["x" * 60]},
        "latency_ms": {"p50": 1.0, "p95": 2.0},
    }
    empty = {"sets": [], "comparisons": [], "comparisons_overall": []}
    report = empty | {"ablations": [], "ablations_overall": [], "changes": [], "asked": [entry]}
    _, reasons, single = sections(report)
    # Three ids of 12 characters and two separators are 40 characters; a fourth would make 54.
    assert [row[-1] for row in reasons.rows] == [
        "question-000, question-001, question-002 and 37 more",
        "x" * 48 + "…",
    ]
    assert (len(single.rows), single.detail) == (41, True)


def test_questions_where_the_store_holds_nothing_are_named_once_for_all_configurations(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.toml"
    other.write_text("[budget]\nitems = 1\n")
    elsewhere = [PORT | {"id": f"e{number}", "scope": "team:none"} for number in range(7)]
    file = queries(tmp_path / "q.jsonl", PORT, *elsewhere)
    options = (
        "--now",
        NOW.isoformat(),
        "--scope",
        "session:s",
        "--config",
        "default",
        "--config",
        other,
    )
    report = evaluate(capsys, "--store", store, "--queries", file, *options)
    empty, aside = report["notes"]
    assert (empty["set"], empty["config"]) == ("memory", "default, other")
    assert empty["note"] == (
        "7 of 8 questions are asked where the store holds no memory, so they get nothing: in "
        "team:none; questions e0, e1, e2, e3, e4 and 2 more"
    )
    assert "controls are asked in session:s, where the store holds no memory" in aside["note"]


def test_labels_that_no_question_can_see_are_counted_and_named_for_a_person_too(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = ids(store)
    with Memory.open(store, clock=lambda: NOW) as memory:
        gone = memory.remember("Ada drank coffee once", scope=Scope.everywhere()).id
        memory.forget(gone, scope=Scope.everywhere())
    file = queries(
        tmp_path / "q.jsonl",
        PORT | {"relevant": [known["port"], "mem_none"]},
        TEA | {"relevant": [known["tea"], known["port"], gone]},  # asked in global, without the port
    )
    note = (
        "3 of 5 labels name no memory that their question can see (not in this store, of another "
        f"scope, withdrawn or superseded) and count as never found: mem_none, {known['port']}, {gone}"
    )
    options = ("--store", store, "--queries", file, "--now", NOW.isoformat())
    assert [each["note"] for each in evaluate(capsys, *options)["notes"]] == [note]
    monkeypatch.setenv("COLUMNS", "400")
    assert main(["eval", *map(str, options)]) == 0
    assert f"memory (default): {note}" in capsys.readouterr().out


def test_a_store_that_holds_what_it_is_asked_for_gets_no_note(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = ids(store)
    file = queries(
        tmp_path / "q.jsonl", PORT | {"relevant": [known["port"]]}, TEA | {"relevant": [known["tea"]]}
    )
    report = evaluate(capsys, "--store", store, "--queries", file, "--now", NOW.isoformat())
    assert report["notes"] == []


def test_a_store_that_is_being_written_is_copied_with_what_was_committed(
    store: Path, tmp_path: Path
) -> None:
    with Memory.open(store, clock=lambda: NOW) as writer:
        writer.remember("The lamp is blue", scope=Scope.everywhere())
        # The third file, the log's index, holds the marks of whoever reads: it is nobody's data.
        kept = ("memory.db", "memory.db-wal")
        before = [digests(store.parent)[name] for name in kept]
        with snapshot(store) as copy:
            assert [digests(store.parent)[name] for name in kept] == before
            with Memory.open(copy, read_only=True) as memory:
                found = memory.recall("lamp", scope=Scope.everywhere(), record=False, now=NOW)
    assert [each.text for each in found.candidates][:1] == ["The lamp is blue"]
    assert not copy.parent.exists()


def test_a_store_that_is_missing_is_not_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(StorePathError), snapshot(tmp_path / "none.db"):
        pass
    file = queries(tmp_path / "q.jsonl", TEA)
    error = evaluate(capsys, "--store", tmp_path / "none.db", "--queries", file, code=1)
    assert error["error"]["type"] == "StorePathError"
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize(
    "content", [b"", b'{"id": "q"}\n' * 100, bytes(range(256)) * 20], ids=["empty", "lines", "bytes"]
)
def test_a_file_that_is_no_store_is_refused_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    other = tmp_path / "other.db"
    other.write_bytes(content)
    file = queries(tmp_path / "q.jsonl", TEA)
    error = evaluate(capsys, "--store", other, "--queries", file, code=1)["error"]
    assert (error["type"], error["path"]) == ("NotAStore", str(other))
    assert str(other) in error["message"]
    assert other.read_bytes() == content


def test_a_database_of_another_program_is_refused_by_its_own_name_and_not_the_copys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.db"
    with closing(apsw.Connection(str(other))) as connection:
        connection.execute("CREATE TABLE note (text)")
    file = queries(tmp_path / "q.jsonl", TEA)
    error = evaluate(capsys, "--store", other, "--queries", file, code=1)["error"]
    assert (error["type"], error["path"]) == ("NotAStore", str(other))
    assert "memweir-eval-" not in error["message"]


def test_an_error_about_another_file_keeps_its_name_while_a_store_is_asked(store: Path) -> None:
    with pytest.raises(StorePathError) as caught, snapshot(store):
        raise StorePathError("elsewhere.db", "no store here")
    assert caught.value.path == "elsewhere.db"


def test_a_store_that_was_cut_off_is_damaged(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store.write_bytes(store.read_bytes()[:20_000])
    file = queries(tmp_path / "q.jsonl", TEA)
    error = evaluate(capsys, "--store", store, "--queries", file, code=1)["error"]
    assert error["type"] == "StoreCorrupt"
    assert "malformed" in error["message"]


# Tuning


def question(name: str, scope: str) -> Question:
    return Question(1, name, "text", scope, "c", ("m",))


@given(st.integers(0, 99), st.floats(0.01, 0.99), st.integers(2, 9), st.integers(1, 4))
@settings(deadline=None, max_examples=50)
def test_no_scope_is_on_both_sides_of_a_split(seed: int, share: float, scopes: int, each: int) -> None:
    several = [question(f"{s}/{q}", f"s{s}") for s in range(scopes) for q in range(each)]
    parts = tuning.split(several, held_out=share, seed=seed)
    sides = [{name.split("/")[0] for name in part} for part in (parts.chosen_by, parts.held_out)]
    assert not sides[0] & sides[1]
    assert sides[0]
    assert sides[1]
    assert parts.chosen_by | parts.held_out == {one.id for one in several}
    assert parts == tuning.split(several[::-1], held_out=share, seed=seed)


def test_a_set_of_one_scope_is_split_by_question_and_by_the_seed() -> None:
    several = [question(f"q{number}", "s") for number in range(40)]
    parts = tuning.split(several, held_out=0.25, seed=1)
    assert (len(parts.chosen_by), len(parts.held_out)) == (30, 10)
    assert parts != tuning.split(several, held_out=0.25, seed=2)
    with pytest.raises(InputError):
        tuning.split(several, held_out=1.0, seed=1)
    only = tuning.split([question("q", "s")], held_out=0.5, seed=1)
    assert only == tuning.Split(frozenset(), frozenset({"q"}))


def test_parameters_are_read_with_short_names_and_presets() -> None:
    [k] = tuning.parameters(["rrf.k=5:100"], Config())
    assert k == tuning.Parameter("fusion.rrf.k", 5.0, 100.0, True)
    # 100 is 20 times 5: the middle is the geometric one, √500 = 22.4
    assert [k.at(place) for place in (0.0, 0.5, 1.0)] == [5, 22, 100]
    [limit] = tuning.parameters(["gate.min_relevance=0.2:0.4"], Config())
    assert limit.at(0.5) == pytest.approx(0.3)
    for name in tuning.PRESETS:
        assert len(tuning.parameters([name], Config())) == len(tuning.PRESETS[name])


@pytest.mark.parametrize(
    "texts",
    [
        [],
        ["rrf.k"],
        ["rrf.k=5"],
        ["rrf.k=9:5"],
        ["rrf.k=a:5"],
        ["rrf.k=5:inf"],
        ["rrf.k=0:5"],
        ["rrf.kk=1:5"],
        ["retrieval.graph=0:1"],
        ["gate.mode=0:1"],
        ["rrf.k=5:9", "fusion.rrf.k=5:9"],
    ],
)
def test_a_parameter_that_cannot_be_searched_is_refused(texts: list[str]) -> None:
    with pytest.raises(InputError):
        tuning.parameters(texts, Config())


def test_a_search_is_the_same_for_the_same_seed_and_comes_closer_to_the_best() -> None:
    several = tuning.parameters(["gate.min_relevance=0:1", "gate.max_risk=0:1"], Config())

    def evaluate(configs: Any) -> list[float]:
        return [-abs(each.gate.min_relevance - 0.7) - abs(each.gate.max_risk - 0.2) for each in configs]

    one, two = (tuning.search(evaluate, several, Config(), trials=40, seed=seed) for seed in (3, 3))
    assert one == two
    assert len(one) == 41
    assert (one[0].overrides, one[0].config) == ({}, Config())
    drawn, refined = one[1:25], one[25:]
    assert max(each.objective for each in refined) > max(each.objective for each in drawn)


def test_a_configuration_is_written_as_a_file_that_reads_back(tmp_path: Path) -> None:
    overrides = {
        "timezone": "Asia/Shanghai",
        "fusion.rrf.k": 7,
        "fusion.rrf.weights.graph": 0.125,
        "fusion.gate.mode": "shadow",
        "retrieval.graph": False,
    }
    config = with_overrides(Config(), overrides)
    file = tmp_path / "c.toml"
    file.write_text(tuning.to_toml(config), encoding="utf-8")
    assert Config.load(file, environ={}) == config
    assert tuning.to_toml(Config()) == ""


def test_tuning_reports_on_held_out_questions_and_claims_nothing_without_a_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path / "set", scopes=4)
    report = evaluate(
        capsys, "tune", tmp_path / "set", "--param", "rrf.k=5:100", "--trials", 3, "--seed", 5
    )
    tuned = report["tuned"]
    assert len(tuned["trials"]) == 4
    assert tuned["split"] == {"set": {"chosen_by": 4, "held_out": 4}}
    assert [each["config"] for each in report["sets"]] == ["default", "tuned"]
    assert {each["queries"] for each in report["sets"]} == {4}
    # Everything is found first whatever k is: the interval of the difference is 0 to 0.
    assert tuned["held_out"]["interval"] == [0.0, 0.0]
    assert tuned["improved"] is False
    assert tuned["toml"].startswith("# no change: nothing tried is better than default on the part")
    assert tomllib.loads(tuned["toml"]) == {}
    assert "no improvement can be claimed" in report["notes"][-1]["note"]


def test_tuning_prints_the_verdict_before_the_file_and_the_file_before_the_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path / "set", scopes=4)
    base = tmp_path / "base.toml"
    base.write_text("[fusion.rrf]\nk = 7\n", encoding="utf-8")
    options = ["--param", "rrf.k=5:100", "--trials", "2", "--config", str(base)]
    assert main(["eval", "tune", str(tmp_path / "set"), *options]) == 0
    printed = capsys.readouterr().out
    verdict, no_change, *lines = printed.partition("\n\n")[0].splitlines()
    assert verdict.startswith("# no improvement can be claimed, keep the base: mrr@10 ")
    assert no_change.startswith("# no change: nothing tried is better than base on")
    # No change is the base, which is not the built-in configuration here.
    assert tomllib.loads("\n".join(lines)) == {"fusion": {"rrf": {"k": 7}}}


def test_a_better_configuration_is_the_file_and_says_of_no_change_nothing() -> None:
    from memweir.cli import eval_tune

    assert eval_tune._file("[budget]\nitems = 4\n", changed=True, base="default") == (
        "[budget]\nitems = 4\n"
    )


@pytest.mark.parametrize(
    ("interval", "improved"), [([0.01, 0.2], True), ([0.0, 0.2], False), ([-0.1, 0.2], False)]
)
def test_an_improvement_is_claimed_only_above_nought(interval: list[float], improved: bool) -> None:
    from memweir.cli import eval_tune

    assert eval_tune._improved({"interval": interval}) is improved


# Files of single questions


def test_files_of_single_questions_give_the_comparison_of_the_runs_themselves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make(tmp_path / "set")
    other = tmp_path / "other.toml"
    other.write_text("[retrieval]\nkeyword = false\nsemantic = false\n")
    both = tmp_path / "both.jsonl"
    report = evaluate(capsys, folder, "--config", "default", "--config", other, "--per-query", both)
    for name in ("default", other):
        file = tmp_path / f"{Path(str(name)).stem}.jsonl"
        evaluate(capsys, folder, "--config", name, "--per-query", file)

    def figures(compared: Any) -> Any:
        [entry] = compared["comparisons"]
        entry["gate"] = {name: one for name, one in entry["gate"].items() if name.startswith("answer")}
        return entry

    expected = figures(report)
    assert expected["metrics"]["hit@1"]["difference"] < 0
    assert figures(evaluate(capsys, "compare", both)) == expected
    files = (tmp_path / "default.jsonl", tmp_path / "other.jsonl")
    assert figures(evaluate(capsys, "compare", *files)) == expected


def test_unlabelled_questions_of_a_store_are_compared_and_count_in_no_figure(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = ids(store)
    # Asked of the tea too, which is there: taken for unanswerable it would count as used.
    file = queries(tmp_path / "q.jsonl", PORT | {"relevant": [known["port"]]}, TEA)
    options = ("--store", store, "--queries", file, "--now", NOW.isoformat())
    silent = tmp_path / "silent.toml"
    silent.write_text("[fusion.gate]\nmode = 'shadow'\n")
    before, after = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    expected = evaluate(capsys, *options, "--per-query", before)
    evaluate(capsys, *options, "--per-query", after, "--config", silent)
    lines = [json.loads(each) for each in before.read_text(encoding="utf-8").splitlines()]
    assert [(each["query"], each["labelled"]) for each in lines] == [("q1", True), ("q2", False)]
    report = evaluate(capsys, "compare", before, after)
    assert report["unlabelled"] == 1
    assert [each["queries"] for each in report["sets"]] == [1, 1]
    for name in ("answerable_kept", "unanswerable_used"):
        assert report["sets"][0]["gate"][name] == expected["sets"][0]["gate"][name]
    assert report["sets"][0]["gate"]["unanswerable_used"] is None
    assert report["changes"][0]["changes"]["questions"] == ["q1", "q2"]
    [note] = report["notes"]
    assert note["note"].startswith("1 of 2 questions are unlabelled")


def test_files_without_any_label_are_compared_by_what_changed(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = queries(tmp_path / "q.jsonl", PORT, TEA)
    lines = tmp_path / "lines.jsonl"
    options = ("--store", store, "--queries", file, "--now", NOW.isoformat())
    evaluate(capsys, *options, "--per-query", lines)
    report = evaluate(capsys, "compare", lines, lines)
    assert (report["sets"], report["comparisons"], report["unlabelled"]) == ([], [], 2)
    assert report["changes"][0]["changes"]["block_changed"] == 0.0
    assert main(["eval", "compare", str(lines), str(lines)]) == 0
    assert "What changed" in capsys.readouterr().out


def test_a_line_that_does_not_say_whether_it_is_labelled_is_labelled(tmp_path: Path) -> None:
    run = run_set(DataSet("set", make(tmp_path / "set")), open_engine)
    new = [each | {"relevant": []} for each in per_query_lines(run)]
    old = [{key: value for key, value in each.items() if key != "labelled"} for each in new]
    one = read_runs(queries(tmp_path / "one.jsonl", *old))
    assert one[0].unlabelled == frozenset()
    assert labelled_only(one[0]) == one[0]
    # Beside a file that says that one of them is not, it is not: there was no way to say so.
    marked = queries(tmp_path / "two.jsonl", new[0] | {"labelled": False}, *new[1:])
    runs = aligned([(Path("one.jsonl"), one), (marked, read_runs(marked))])
    assert [each.unlabelled for each in runs] == [{new[0]["query"]}] * 2
    assert [len(labelled_only(each).asked) for each in runs] == [len(new) - 1] * 2


@pytest.mark.parametrize("fields", [{"labelled": "no"}, {"labelled": False}])
def test_a_label_that_is_none_is_named_by_line(tmp_path: Path, fields: dict[str, Any]) -> None:
    run = run_set(DataSet("set", make(tmp_path / "set")), open_engine)
    file = queries(tmp_path / "lines.jsonl", *(each | fields for each in per_query_lines(run)))
    with pytest.raises(LinesError, match="line 1: labelled"):
        read_runs(file)


def test_runs_of_one_name_in_two_files_are_told_apart(tmp_path: Path) -> None:
    run = run_set(DataSet("set", make(tmp_path / "set")), open_engine)
    files = []
    for name in ("before", "after"):
        files.append(tmp_path / f"{name}.jsonl")
        text = "".join(json.dumps(each) + "\n" for each in per_query_lines(run)[:: -1 if files else 1])
        files[-1].write_text(text, encoding="utf-8")
    runs = aligned([(file, read_runs(file)) for file in files])
    assert [each.config for each in runs] == ["before:default", "after:default"]
    assert [each.question.id for each in runs[0].asked] == [each.question.id for each in runs[1].asked]


def test_files_about_other_questions_are_not_compared(tmp_path: Path) -> None:
    run = run_set(DataSet("set", make(tmp_path / "set")), open_engine)
    lines = per_query_lines(run)
    one = queries(tmp_path / "one.jsonl", *lines)
    fewer = queries(tmp_path / "fewer.jsonl", *lines[1:])
    relabelled = queries(tmp_path / "relabelled.jsonl", lines[0] | {"relevant": ["x"]}, *lines[1:])
    for other in (fewer, relabelled):
        with pytest.raises(LinesError, match="not the same questions"):
            aligned([(one, read_runs(one)), (other, read_runs(other))])


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("", 0),
        ("{", 1),
        ("[]", 1),
        ('{"set": "s"}', 1),
        ('\n{"set": "s", "config": "c", "query": "q", "ranked": [["a"]], "block": [], "used": []}', 2),
    ],
)
def test_a_file_of_single_questions_that_is_none_is_named_by_line(
    tmp_path: Path, content: str, line: int
) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(LinesError) as caught:
        read_runs(file)
    assert (caught.value.file, caught.value.line) == (str(file), line)


# The command


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["tune"],
        ["compare"],
        ["x", "--store", "y"],
        ["--store", "y"],
        ["--queries", "y"],
        ["x", "--param", "rrf.k=5:9"],
        ["compare", "x", "--ablate"],
        ["compare", "x", "--jobs", "2"],
        ["tune", "x", "--pooled"],
        ["x", "--report", "y.pdf"],
        ["x", "--report", "missing/y.md"],
        ["x", "--preamble", "missing.md"],
    ],
)
def test_options_that_do_not_go_together_are_wrong_usage(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["eval", *arguments]) == 2


def test_folders_may_stand_before_and_behind_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = make(tmp_path / "one"), make(tmp_path / "two")
    report = evaluate(capsys, one, "--jobs", 1, "--limit", 1, two)
    assert [(each["name"], each["queries"]) for each in report["sets"]] == [("one", 1), ("two", 1)]
    assert main(["eval", str(one), "--no-such", "x"]) == 2


def test_reports_are_whole_and_the_same_every_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memweir.evaluation.metrics.latency", lambda asked: {"p50": 1.0, "p95": 2.0})
    make(tmp_path / "sets" / "<b>$x$|集")
    make(tmp_path / "sets" / "plain")
    intro = tmp_path / "intro.md"
    intro.write_text("# Figures & <facts>\n\nHow it was done.\n", encoding="utf-8")
    pages = []
    for name in ("a", "b"):
        files = [tmp_path / f"{name}.{kind}" for kind in ("md", "html")]
        evaluate(
            capsys,
            tmp_path / "sets",
            *("--jobs", 1, "--controls", "cross", "--pooled", "--preamble", intro),
            *("--config", "default", "--report", files[0], "--report", files[1]),
            *("--ablate", "no-graph"),
        )
        pages.append([each.read_text(encoding="utf-8") for each in files])
    assert pages[0] == pages[1]
    written, page = pages[0]
    assert written.startswith("# Figures & <facts>\n\nHow it was done.\n\n2 sets, ")
    headings = re.findall(r"^## (.+)$", written, re.MULTILINE)
    for title in ("Fused ranking", "By category", "Single paths", "Gate and time", "Reliability"):
        assert title in headings
    assert "Ablations: mean over the sets" in headings
    rows = [line for line in written.splitlines() if line.startswith("| ")]
    assert any(r"\<b\>$x$\|集" in line for line in rows)
    # Every heading of the Markdown is on the page, and nothing of a name is markup there.
    for title in headings:
        assert f">{title}</h2>" in page.replace("&#x27;", "'")
    assert "<b>" not in page
    assert "&lt;b&gt;$x$|集" in page
    assert "<script" not in page
    assert set(re.findall(r'(?:src|href)="(?!#)([^"]*)"', page)) == set()
    assert "prefers-color-scheme: dark" in page
    pictures = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(pictures) == 6
    for each in pictures:
        ElementTree.fromstring(each)
        assert "currentColor" in each
    names = re.findall(r'\bid="([^"]+)"', page)
    assert len(set(names)) == len(names)
    assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', page)) <= set(names)


def test_a_page_without_matplotlib_says_what_to_install_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    from memweir.evaluation import plots

    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"pip install 'memweir\[eval\]'"):
        plots.check_installed()
    assert main(["eval", str(tmp_path / "no set"), "--report", str(tmp_path / "r.html")]) == 1


def test_only_a_page_needs_matplotlib(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    evaluate(capsys, make(tmp_path / "set"), "--report", tmp_path / "r.md")
    assert (tmp_path / "r.md").read_text(encoding="utf-8").startswith("# Evaluation")
