"""Does the command line say what the face says, to a person and to a program?"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from memweir.cli import COMMANDS, build_parser
from memweir.cli.output import compared, visible, wrapped
from memweir.cli.plain import dumps
from memweir.cli.session import moment, read_text, window
from memweir.config import Config
from memweir.errors import InputError

NOW = "2026-03-20T10:00:00+08:00"
ATLAS = ("--scope", "project:atlas")
NO_GATE = "fusion.gate.turn_relevance=0"

Run = Callable[..., tuple[int, str, str]]


pytestmark = pytest.mark.usefixtures("alone")


def one_object(out: str) -> Any:
    value = json.loads(out)
    assert isinstance(value, dict)
    assert out.count("\n") == 1, "one object on one line"
    return value


# ------------------------------------------------------------------ help, version, usage


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_explains_itself_and_offers_json(run: Run, command: str) -> None:
    code, out, err = run(command, "--help")
    assert (code, err) == (0, "")
    assert f"memweir {command}" in out
    assert "--json" in out


def test_the_list_of_commands_is_complete(run: Run) -> None:
    code, out, _ = run("--help")
    assert code == 0
    assert all(re.search(rf"^    {name}\s", out, re.MULTILINE) for name in COMMANDS)


def test_the_version_is_the_packages(run: Run) -> None:
    from importlib.metadata import version

    assert run("--version") == (0, f"memweir {version('memweir')}\n", "")
    assert run("--json", "--version")[:2] == (0, f"memweir {version('memweir')}\n")


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("recal", "x"),
        ("recall",),
        ("recall", "x", "--mod", "assist"),
        ("recall", "x", "--mode", "strict"),
        ("recall", "x", "y"),
        ("remember", "x", "--kind", "rumour"),
        ("remember", "x", "--importance", "high"),
        ("--nonsense", "recall", "x"),
        ("demo", "--now", NOW),
        ("feedback", "id", "liked"),
        ("review", "rev_1", "reject"),
        ("edit", "mem_1", "--pinned", "yes"),
        ("rerun", "receipt.json"),
    ],
)
def test_wrong_usage_is_2_with_usage_on_stderr_and_one_object_in_json(
    run: Run, arguments: tuple[str, ...]
) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("usage: memweir")
    code, out, _ = run(*arguments, "--json")
    assert code == 2
    assert one_object(out)["error"]["type"] == "UsageError"


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        (("recall", "x", "--scope", "atlas"), "ScopeError"),
        (("recall", "x", "--scope", "project: "), "ScopeError"),
        (("remember", "x", *ATLAS, "--scope", "global"), "ScopeError"),
        (("remember", " ", *ATLAS), "TextError"),
        (("remember", "x", *ATLAS, "--importance", "1.5"), "LimitError"),
        (("remember", "x", *ATLAS, "--importance", "nan"), "LimitError"),
        (("remember", "x", *ATLAS, "--event", "2026-03-20/"), "InputError"),
        (("remember", "x", *ATLAS, "--expires", "tomorrow"), "InputError"),
        (("remember", "x", *ATLAS, "--relation", "a", " ", "b"), "TextError"),
        (("recall", "x", *ATLAS, "--items", "-1"), "ConfigError"),
        (("recall", "x", *ATLAS, "--set", "budget.items"), "InputError"),
        (("recall", "x", *ATLAS, "--set", "budget.item=3"), "ConfigError"),
        (("recall", "x", *ATLAS, "--config", "none.toml"), "ConfigError"),
        (("stats", "--now", "yesterday", "--set", "timezone=Mars"), "ConfigError"),
        (("recall", "x", *ATLAS, "--known-at", "once"), "InputError"),
        (("recall", "x", *ATLAS, "--receipt", "-"), "InputError"),
        (("recall", "x", *ATLAS, "--receipt", "r.json", "--no-record"), "InputError"),
        (("edit", "mem_1", *ATLAS), "InputError"),
        (("edit", "mem_1", *ATLAS, "--move-to", "atlas"), "ScopeError"),
        (("edit", "mem_1", *ATLAS, "--expires", "tomorrow"), "InputError"),
        (("edit", "mem_1", *ATLAS, "--valid-at", ""), "InputError"),
        (("history", "mem_1", *ATLAS, "--now", "once"), "InputError"),
        (("explain", "run:1", *ATLAS, "--query", "x"), "InputError"),
        (("rerun", "none.json", "x"), "InputError"),
        (("rerun", "-", "-"), "InputError"),
    ],
)
def test_a_wrong_value_is_wrong_usage_names_its_kind_and_makes_no_store(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], kind: str
) -> None:
    code, out, err = run(*arguments, "--json")
    assert code == 2
    error = one_object(out)["error"]
    assert error["type"] == kind
    assert err == f"memweir: {visible(error['message'])}\n"
    if kind not in {"TextError", "LimitError"}:  # a memory's own fields are checked by the open store
        assert list(tmp_path.iterdir()) == []


def test_the_parser_of_one_command_does_not_load_the_others() -> None:
    script = (
        "import sys, memweir.cli as cli; cli.main(['--help']); "
        "print(sorted(m for m in sys.modules if m.partition('.')[0] in "
        "('apsw', 'numpy', 'rich', 'platformdirs') or m.startswith('memweir.')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "['memweir.cli']"


def test_common_options_work_before_and_after_the_command() -> None:
    def parsed(*arguments: str) -> argparse.Namespace:
        from memweir.cli import _command_first

        ordered = _command_first(list(arguments))
        return build_parser(ordered[0]).parse_args(ordered)

    after = parsed("remember", "x", *ATLAS, "--tag", "a", "--tag", "b", "--json", "--store=s.db")
    before = parsed("--store=s.db", *ATLAS, "--tag", "a", "--json", "remember", "x", "--tag", "b")
    assert vars(after) == vars(before)
    assert after.tag == ["a", "b"]
    assert after.json is True


# ------------------------------------------------------------------ the verbs


def test_what_was_remembered_is_recalled_ready_to_inject(ask: Any, run: Run) -> None:
    stored = ask("remember", "The API listens on port 8443", *ATLAS, "--tag", "network")
    assert stored["outcome"] == "created"
    assert stored["evidence_count"] == 1
    found = ask("recall", "which port does the API listen on?", *ATLAS)
    assert [each["id"] for each in found["items"]] == [stored["id"]]
    assert found["items"][0]["action"] == "use"
    assert "8443" in found["block"]
    code, out, err = run("recall", "which port does the API listen on?", *ATLAS, "--now", NOW)
    assert (code, out, err) == (0, found["block"].rstrip("\n") + "\n", "")


def test_telling_it_again_confirms_it(ask: Any) -> None:
    first = ask("remember", "tea, not coffee", *ATLAS)
    again = ask("remember", "tea, not coffee", *ATLAS)
    assert again == {
        "id": first["id"],
        "outcome": "confirmed",
        "evidence_count": 2,
        "status": "active",
        "reviews": [],
    }


def test_a_silent_recall_says_why_on_stderr_only(run: Run, ask: Any) -> None:
    ask("remember", "The API listens on port 8443", *ATLAS)
    found = ask("recall", "how long does sourdough bake?", *ATLAS)
    assert found["block"] == ""
    assert found["abstained"]
    code, out, err = run("recall", "how long does sourdough bake?", *ATLAS, "--now", NOW)
    assert (code, out) == (0, "")
    assert found["abstained"] in err


def test_a_refused_turn_is_told_with_its_probability_and_the_threshold(run: Run, ask: Any) -> None:
    stored = ask("remember", "the kestrel of the tower was fed in winter", *ATLAS)
    text = "how was the kestrel fed in spring?"
    common = (*ATLAS, "--now", NOW, "--set", "fusion.gate.turn_relevance=1")
    found = ask("recall", text, *ATLAS, "--set", "fusion.gate.turn_relevance=1")
    assert found["abstained"] == "unanswered"
    before = "probability that anything here answers"
    numbers = f"{before} {compared(found['relevance'], 1.0)}"
    assert ", below 1.0" in numbers
    line = f"memweir: nothing to inject: unanswered: {numbers}\n"
    assert run("recall", text, *common) == (0, "", line)
    code, out, err = run("recall", text, *common, "--explain")
    assert (code, err) == (0, line)
    assert stored["id"] in out
    code, out, _ = run("explain", stored["id"], "--query", text, *common)
    assert code == 0
    assert f"gate: ignore (unanswered)\n  {numbers}\n" in out
    code, out, err = run("recall", text, *ATLAS, "--now", NOW, "--explain", "--set", NO_GATE)
    assert (code, err) == (0, f"memweir: {before} {found['relevance']:.2f}, at least 0.00\n")
    _, out, _ = run("explain", stored["id"], *common)
    assert "probability" not in out


@pytest.mark.parametrize(
    ("value", "threshold", "said"),
    [
        (0.32, 0.6, "0.32, below 0.60"),
        (0.9, 0.6, "0.90, at least 0.60"),
        (0.6, 0.6, "0.60, at least 0.60"),
        (0.598, 0.6, "0.598, below 0.600"),
        (0.6 - 1e-12, 0.6, "0.60, at least 0.60"),  # the gate sees no difference either
    ],
)
def test_two_numbers_that_differ_are_not_shown_as_one(
    value: float, threshold: float, said: str
) -> None:
    assert compared(value, threshold) == said


def test_explaining_a_recall_shows_candidates_and_every_paths_list(ask: Any, run: Run) -> None:
    stored = ask("remember", "The API listens on port 8443", *ATLAS)
    found = ask("recall", "API port", *ATLAS, "--explain")
    assert found["candidates"][0]["id"] == stored["id"]
    assert found["candidates"][0]["why"]["children"]
    assert {"semantic", "keyword"} <= set(found["rankings"])
    _, out, _ = run("recall", "API port", *ATLAS, "--explain", "--now", NOW)
    table = out.removeprefix(found["block"])
    assert stored["id"] in table
    assert max(map(len, table.splitlines())) <= 80


def test_recall_options_reach_the_face(ask: Any) -> None:
    old = ask("remember", "The console uses npm", *ATLAS, "--created-at", "2026-03-01T00:00+08:00")
    new = ask("remember", "The console uses pnpm", *ATLAS, "--supersedes", old["id"], "--tag", "tool")

    def ids(*options: str) -> list[str]:
        found = ask("recall", "what does the console use?", *ATLAS, *options)
        return [each["id"] for each in found["items"]]

    def considered(*options: str) -> list[str]:
        found = ask("recall", "what does the console use?", *ATLAS, "--explain", *options)
        return [each["id"] for each in found["candidates"]]

    assert ids() == [new["id"]]
    assert ids("--as-of", "2026-03-10T00:00+08:00") == [old["id"]]
    assert old["id"] not in considered()
    assert old["id"] in considered("--history")
    assert ids("--tag", "tool") == [new["id"]]
    assert ids("--tag", "other") == []
    assert ids("--items", "0") == []
    assert ids("--mode", "shadow") == []


def test_no_record_writes_no_audit(ask: Any) -> None:
    ask("remember", "The API listens on port 8443", *ATLAS)
    assert ask("recall", "API port", *ATLAS, "--no-record")["run_id"] == 0
    assert ask("stats")["runs"] == 0
    assert ask("recall", "API port", *ATLAS)["run_id"] > 0
    assert ask("stats")["runs"] == 1


def test_every_field_of_a_memory_can_be_given(ask: Any) -> None:
    given = {
        "kind": "event",
        "layer": "experience",
        "title": "部署",
        "speaker": "Ada",
        "document_id": "doc-1",
        "source": "s1@4",
        "scene": "work",
        "domain": "ops",
        "provenance": "tool",
    }
    options = [part for name, value in given.items() for part in (f"--{name.replace('_', '-')}", value)]
    stored = ask(
        "remember",
        "部署在周二完成",
        *ATLAS,
        *options,
        *("--key", "deploy", "--tag", "运维", "--entity", "Atlas", "--session", "s1", "--pinned"),
        *("--importance", "0.75", "--event", "2026-03-17", "--expires", "2026-06-01"),
        *("--valid-at", "2026-03-18T00:00:00Z", "--created-at", "2026-03-18T01:00:00Z"),
        *("--relation", "Ada", "owns", "Atlas"),
        *("--set", "timezone=Asia/Shanghai"),
    )
    found = ask("explain", stored["id"], *ATLAS)
    record = found["record"]
    assert {name: record[name] for name in given} == given
    assert record["semantic_key"] == "deploy"
    assert record["tags"] == ["运维"]
    assert record["session_id"] == "s1"
    assert record["pinned"] is True
    assert record["importance"] == 0.75
    # 17 March in Shanghai is 16:00 UTC of the 16th to 16:00 UTC of the 17th.
    assert (record["event_start"], record["event_end"]) == (
        "2026-03-16T16:00:00Z",
        "2026-03-17T16:00:00Z",
    )
    assert record["expires_at"] == "2026-05-31T16:00:00Z"
    assert record["valid_at"] == "2026-03-18T00:00:00Z"
    assert record["created_at"] == "2026-03-18T01:00:00Z"
    assert found["relations"] == [["Ada", "owns", "Atlas"]]
    assert record["scope"] == "project:atlas"


def test_a_secret_is_refused_with_its_rule_and_without_its_text(run: Run) -> None:
    code, out, err = run("remember", "DB_PASSWORD=harbour-crane-71", *ATLAS, "--json")
    assert code == 1
    error = one_object(out)["error"]
    assert error["type"] == "SecretRefused"
    assert {"rule", "field", "fingerprint"} <= set(error)
    assert "harbour-crane" not in out + err
    assert run("remember", "DB_PASSWORD=harbour-crane-71", *ATLAS)[:2] == (1, "")


def test_feedback_forget_and_restore_follow_a_memory(ask: Any) -> None:
    stored = ask("remember", "The API listens on port 8443", *ATLAS)
    before = ask("explain", stored["id"], *ATLAS)["record"]
    after = ask("feedback", stored["id"], "helped", *ATLAS)
    assert after["confidence"] > before["confidence"]
    assert ask("feedback", stored["id"], "harmful", *ATLAS)["harmful_count"] == 1
    assert ask("forget", stored["id"], *ATLAS)["status"] == "tombstoned"
    assert ask("recall", "API port", *ATLAS)["items"] == []
    assert ask("restore", stored["id"], *ATLAS)["status"] == "active"
    assert [each["id"] for each in ask("recall", "API port", *ATLAS)["items"]] == [stored["id"]]


_ONE_MEMORY = {
    "feedback": ("helped",),
    "edit": ("--text", "another"),
    **dict.fromkeys(("archive", "counter", "explain", "forget", "history", "restore"), ()),
}


@pytest.mark.parametrize("command", sorted(_ONE_MEMORY))
def test_a_memory_of_another_scope_is_not_found(ask: Any, command: str) -> None:
    stored = ask("remember", "The API listens on port 8443", *ATLAS)
    error = ask(command, stored["id"], *_ONE_MEMORY[command], "--scope", "project:other", code=1)
    error = error["error"]
    assert error["type"] == "NotFoundError"
    assert "8443" not in json.dumps(error)
    assert error["scopes"] == ["project:other"]
    assert "project:other" in error["message"]
    assert "pass --scope" in error["message"]


@pytest.mark.parametrize("command", sorted(_ONE_MEMORY))
def test_not_found_without_a_scope_names_the_folder_and_global(
    ask: Any, run: Run, tmp_path: Path, command: str
) -> None:
    stored = ask("remember", "The API listens on port 8443", *ATLAS)
    error = ask(command, stored["id"], *_ONE_MEMORY[command], code=1)["error"]
    assert error["scopes"] == [f"workspace:{tmp_path}", "global"]
    code, out, err = run(command, stored["id"], *_ONE_MEMORY[command])
    assert (code, out) == (1, "")
    assert f"workspace:{tmp_path} or global" in err
    assert "pass --scope" in err


def test_what_is_to_be_superseded_is_looked_for_in_the_scope_written_to(ask: Any) -> None:
    old = ask("remember", "The console uses npm", *ATLAS)
    error = ask(
        "remember",
        "The console uses pnpm",
        *("--supersedes", old["id"], "--scope", "project:other"),
        code=1,
    )["error"]
    assert error["scopes"] == ["project:other"]


def test_restoring_what_is_superseded_says_that_recall_will_not_bring_it_up(ask: Any, run: Run) -> None:
    old = ask("remember", "The console uses npm", *ATLAS)
    new = ask("remember", "The console uses pnpm", *ATLAS, "--supersedes", old["id"])
    ask("forget", old["id"], *ATLAS)
    restored = ask("restore", old["id"], *ATLAS)
    assert restored["status"] == "active"
    assert restored["remark"] == f"superseded by {new['id']}: recall will not bring it up"
    considered = ask("recall", "what does the console use?", *ATLAS, "--explain")["candidates"]
    assert old["id"] not in [each["id"] for each in considered]
    ask("forget", old["id"], *ATLAS)
    code, out, err = run("restore", old["id"], *ATLAS)
    assert (code, err) == (0, "")
    assert out == f"{old['id']} active, but superseded by {new['id']}: recall will not bring it up\n"
    ask("forget", new["id"], *ATLAS)
    assert "remark" not in ask("restore", new["id"], *ATLAS)


def test_relations_and_standing_answers_can_be_given(ask: Any) -> None:
    ask("relate", "Ada", "manager", "Lin Yue", *ATLAS)
    assert ask("stats")["relations"] == 1
    answer = ask("answer", "How do I run the tests?", "make test", *ATLAS, "--phrasing", "怎么跑测试？")
    assert answer["text"] == "make test"
    found = ask("recall", "怎么跑测试？", *ATLAS)
    assert found["answer"]["id"] == answer["id"]
    assert "make test" in found["block"]


def test_explain_says_in_words_what_decided(ask: Any, run: Run) -> None:
    stored = ask("remember", "The API listens on port 8443", *ATLAS)
    found = ask("explain", stored["id"], *ATLAS, "--query", "API port")
    assert found["item"]["action"] == "use"
    assert found["evidence"][0]["at"] == "2026-03-20T02:00:00Z"
    code, out, err = run("explain", stored["id"], *ATLAS, "--query", "API port", "--now", NOW)
    assert (code, err) == (0, "")
    assert out.startswith(found["verdict"])
    assert "gate: use" in out


def test_reindex_counts_what_it_rebuilt(ask: Any, run: Run) -> None:
    ask("remember", "one thing", *ATLAS)
    ask("remember", "another thing", *ATLAS)
    assert ask("reindex") == {"reindexed": 2}
    assert run("reindex")[:2] == (0, "2 memories reindexed\n")


def test_reindex_of_what_is_pending_counts_the_vectors_it_made(ask: Any, run: Run) -> None:
    ask("remember", "one thing", *ATLAS)
    assert ask("reindex", "--pending") == {"indexed": 0}
    assert run("reindex", "--pending")[:2] == (0, "0 vectors made\n")


def test_without_a_scope_memories_belong_to_the_current_folder(
    ask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = ask("remember", "The API listens on port 8443")
    everywhere = ask("remember", "Ada listens to the radio", "--scope", "global")
    assert {each["id"] for each in ask("recall", "listens")["items"]} == {here["id"], everywhere["id"]}
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    assert {each["id"] for each in ask("recall", "listens")["items"]} == {everywhere["id"]}


def test_the_store_option_wins_over_the_environment(ask: Any, tmp_path: Path) -> None:
    ask("remember", "one thing", *ATLAS, "--store", str(tmp_path / "b.db"))
    assert (tmp_path / "b.db").exists()
    assert not (tmp_path / "memory.db").exists()


def test_without_a_named_store_the_user_data_folder_holds_it(
    ask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MEMWEIR_STORE")
    ask("remember", "one thing", *ATLAS)
    assert [each.name for each in (tmp_path / "home").rglob("memory.db")] == ["memory.db"]


def test_a_store_that_has_no_place_to_be_is_1(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("stats", "--store", str(tmp_path), "--json")
    assert code == 1
    assert one_object(out)["error"]["type"] == "StorePathError"


@pytest.mark.parametrize(
    "arguments",
    [
        ("recall", "x"),
        ("explain", "mem_1"),
        ("stats",),
        ("reindex",),
        ("feedback", "mem_1", "helped"),
        ("forget", "mem_1"),
        ("restore", "mem_1"),
        ("archive", "mem_1"),
        ("counter", "mem_1"),
        ("edit", "mem_1", "--title", "x"),
        ("history", "mem_1"),
        ("explain", "run:1"),
        ("reviews",),
        ("review", "rev_1", "reject", "--token", "x"),
    ],
)
def test_what_needs_a_store_makes_none(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    missing = str(tmp_path / "folder" / "mistyped.db")
    code, out, err = run(*arguments, "--store", missing)
    assert (code, out) == (1, "")
    assert err == f"memweir: {missing}: no store here yet; `memweir remember` makes one\n"
    error = one_object(run(*arguments, "--store", missing, "--json")[1])["error"]
    assert (error["type"], error["path"]) == ("StorePathError", missing)
    monkeypatch.delenv("MEMWEIR_STORE")
    assert run(*arguments)[0] == 1  # the platform's folder is not made either
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments", [("remember", "x"), ("relate", "a", "knows", "b"), ("answer", "how?", "so")]
)
def test_the_first_thing_told_makes_the_store(
    run: Run, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    assert run(*arguments, "--store", str(tmp_path / "new.db"))[0] == 0
    assert (tmp_path / "new.db").is_file()


def test_settings_come_from_the_file_the_environment_and_set_in_this_order(
    ask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask("remember", "The API listens on port 8443", *ATLAS)
    (tmp_path / "m.toml").write_text("[fusion.gate]\nmode = 'shadow'\n", encoding="utf-8")

    def mode(*options: str) -> str:
        found: str = ask("recall", "API port", *ATLAS, *options)["mode"]
        return found

    assert mode() == "assist"
    assert mode("--config", "m.toml") == "shadow"
    monkeypatch.setenv("MEMWEIR_CONFIG", "m.toml")
    assert mode() == "shadow"
    monkeypatch.setenv("MEMWEIR_FUSION_GATE_MODE", "enforce")
    assert mode() == "enforce"
    assert mode("--set", "fusion.gate.mode=assist") == "assist"


def _small_set(folder: Path) -> None:
    folder.mkdir()
    fields = {
        "created_at": "2026-03-01T09:00:00Z",
        "speaker": "Ada",
        "scope": "project:a",
        "lang": "en",
    }
    told = {"id": "m1", "text": "The Atlas API listens on port 8443.", **fields}
    asked = {"scope": "project:a", "category": "fact", "as_of": "2026-03-20T10:00:00Z"}
    questions = [
        {"id": "q1", "text": "which port?", "relevant": ["m1"], **asked},
        {"id": "q2", "text": "who bakes bread?", "relevant": [], **asked},
    ]
    (folder / "memories.jsonl").write_text(json.dumps(told) + "\n", encoding="utf-8")
    lines = "".join(json.dumps(each) + "\n" for each in questions)
    (folder / "queries.jsonl").write_text(lines, encoding="utf-8")


@pytest.mark.parametrize("columns", [50, 80])
def test_tables_of_an_evaluation_fit_the_columns_they_are_given_and_lose_no_figure(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    _small_set(tmp_path / "small")
    (tmp_path / "other.toml").write_text("[budget]\nitems = 3\n", encoding="utf-8")
    arguments = ("eval", str(tmp_path / "small"), "--config", "default", "--config", "other.toml")
    times = {"p50": 12.345, "p95": 23.456}
    monkeypatch.setattr("memweir.evaluation.metrics.latency", lambda asked: times)
    monkeypatch.delenv("COLUMNS", raising=False)
    code, wide, _ = run(*arguments)
    assert code == 0
    monkeypatch.setenv("COLUMNS", str(columns))
    narrow = run(*arguments)[1]
    assert max(cell_len(line.rstrip()) for line in narrow.splitlines()) <= columns
    assert "(continued)" in narrow
    assert "(continued)" not in wide

    def counted(out: str) -> dict[str, int]:
        """How often each figure, none of which stands in a repeated column, is there."""
        cells = [each.strip() for line in out.splitlines() for each in line.split("│")]
        figures = ("1.000", "0.000", "0.500", "1.0000", "-", "12.345", "23.456")
        return {value: cells.count(value) for value in figures}

    assert sum(counted(wide).values()) > 30
    assert counted(narrow) == counted(wide)
    for word in ("auroc_unanswerable", "ndcg@10", "answered", "difference", "off-topic"):
        assert word in narrow


# ------------------------------------------------------------------ text in, text out


def test_a_dash_reads_the_text_from_stdin(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "sys.stdin",
        io.TextIOWrapper(io.BytesIO("\ufeff第一行\n第二行\r\n".encode()), encoding="latin-1"),
    )
    stored = ask("remember", "-", *ATLAS)
    assert ask("explain", stored["id"], *ATLAS)["record"]["text"] == "第一行\n第二行"


@pytest.mark.parametrize(
    ("raw", "text"), [(b"a", "a"), (b"a\n", "a"), (b"a\n\n", "a\n"), (b"\xff\n", "\ufffd"), (b"", "")]
)
def test_stdin_loses_one_line_end_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, raw: bytes, text: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(raw)))
    assert read_text("-") == text
    assert read_text("--") == "--"


def test_text_that_looks_like_an_option_is_text_after_two_dashes(ask: Any, run: Run) -> None:
    stored = ask("remember", "-5 degrees", *ATLAS)
    assert ask("explain", stored["id"], *ATLAS)["record"]["text"] == "-5 degrees"
    assert run("recall", *ATLAS, "--now", NOW, "--", "--error-on-warnings")[0] == 0
    code, out, _ = run("recall", *ATLAS, "--", "--json")
    assert (code, out) == (0, "")


def test_a_lone_surrogate_reaches_no_stream_as_a_crash(ask: Any, run: Run) -> None:
    stored = ask("remember", "done \ud83d", *ATLAS)
    text = ask("explain", stored["id"], *ATLAS)["record"]["text"]
    assert text.rstrip("\ufffd") == "done "
    assert text != "done "
    code, out, err = run("stats", "--config", "\ud83d", "--json")
    assert code == 2
    assert one_object(out)["error"]["value"] == "\ud83d"
    assert err.startswith("memweir: config = ")


@settings(deadline=None, max_examples=100)
@given(st.text(st.characters(categories=None)))
def test_json_output_is_utf8_and_reads_back_to_the_same_text(text: str) -> None:
    out = dumps({"text": text})
    assert json.loads(out.encode("utf-8")) == {"text": text}
    assert "\n" not in out


def test_chinese_is_readable_in_json_output(run: Run) -> None:
    _, out, _ = run("remember", "灯塔", "--scope", "项目:灯塔", "--json")
    assert "项目" in out


def test_control_characters_of_stored_text_are_shown_not_obeyed() -> None:
    assert visible("a\x1b[2Jb\r\u202ec\n\t\x9b") == "a\\x1b[2Jb\\r\\u202ec\n\t\\x9b"
    assert visible("👨‍👩‍👧 家庭 🏳️‍🌈") == "👨‍👩‍👧 家庭 🏳️‍🌈"


@settings(deadline=None, max_examples=100)
@given(st.text("ab ，。《》艾达喝茶🙂\n", max_size=60), st.integers(2, 20))
def test_wrapping_loses_no_character_and_keeps_within_the_width(text: str, width: int) -> None:
    lines = list(wrapped(text, width))
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(cell_len(line) <= width for line in lines)


def test_chinese_wraps_between_characters_and_a_closing_mark_stays_with_its_word() -> None:
    # Eight columns hold four characters; the comma would begin a line, so 茶 goes along.
    assert list(wrapped("艾达只喝茶，不喝咖啡", 8)) == ["艾达只喝", "茶，不喝", "咖啡"]
    assert list(wrapped("艾达喝茶，好", 8)) == ["艾达喝", "茶，好"]
    assert list(wrapped("one two three", 8)) == ["one two", "three"]
    assert list(wrapped("abcdefghijk", 8)) == ["abcdefgh", "ijk"]
    assert list(wrapped("a\n\nb", 8)) == ["a", "", "b"]


# ------------------------------------------------------------------ moments


def test_a_moment_without_a_zone_is_meant_in_the_configured_one() -> None:
    shanghai = Config(timezone="Asia/Shanghai")
    found = moment("--now", "2026-03-20T10:00", shanghai)
    assert found is not None
    assert found.astimezone(UTC) == datetime(2026, 3, 20, 2, tzinfo=UTC)
    given = moment("--now", "2026-03-20T10:00:00-05:00", shanghai)
    assert given is not None
    assert given.utcoffset() == timedelta(hours=-5)
    assert moment("--now", None, shanghai) is None


@pytest.mark.parametrize("text", ["", "today", "2026-13-01", "10:00", "2026-03-20T25:00"])
def test_what_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="--now"):
        moment("--now", text, Config())


def test_one_date_is_its_whole_day_and_a_window_excludes_its_end() -> None:
    config = Config(timezone="Asia/Shanghai")
    east = timezone(timedelta(hours=8))
    day = (datetime(2026, 3, 17, tzinfo=east), datetime(2026, 3, 18, tzinfo=east))
    assert window("--event", "2026-03-17", config) == day
    assert window("--event", "2026-03-17/2026-03-18", config) == day
    assert window("--event", None, config) is None


@pytest.mark.parametrize("text", ["2026-03-17T10:00", "2026-03-17/", "/2026-03-17", "a/b", ""])
def test_what_is_no_window_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="--event"):
        window("--event", text, Config())


# ------------------------------------------------------------------ as a process


def memweir(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "memweir", *arguments], capture_output=True, check=False, **options
    )


def test_python_dash_m_runs_the_same_commands() -> None:
    done = memweir("remember", "艾达喝茶", *ATLAS, "--json", "--now", NOW)
    assert (done.returncode, done.stderr) == (0, b"")
    assert one_object(done.stdout.decode())["outcome"] == "created"


def test_an_index_of_another_embedder_is_warned_of_once_a_command(tmp_path: Path) -> None:
    assert memweir("remember", "Ada drinks tea", *ATLAS).returncode == 0
    (tmp_path / "words.toml").write_text("[retrieval]\nword_vectors = false\n")
    other = ("--config", "words.toml")
    for command in (("recall", "tea", *ATLAS), ("recall", "tea", *ATLAS, "--json"), ("stats",)):
        [line] = memweir(*command, *other).stderr.decode().splitlines()
        assert line.startswith("memweir: warning: embedder of the index is ")
        assert line.endswith("run reindex")


def test_an_evaluation_says_in_its_notes_what_it_would_else_warn_of(tmp_path: Path) -> None:
    assert memweir("remember", "Ada drinks tea", "--scope", "global").returncode == 0
    (tmp_path / "words.toml").write_text("[retrieval]\nword_vectors = false\n")
    (tmp_path / "q.jsonl").write_text('{"id": "q", "text": "what does Ada drink?"}\n')
    asked = ("--store", "memory.db", "--queries", "q.jsonl", "--config", "words.toml", "--json")
    done = memweir("eval", *asked)
    assert (done.returncode, done.stderr) == (0, b"")
    [note] = one_object(done.stdout.decode())["notes"]
    assert note["note"].startswith("embedder of the index is ")


def test_what_the_engine_logs_is_a_warning_of_the_command(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("remember", "Ada drinks tea", *ATLAS)[0] == 0
    monkeypatch.setattr("memweir.store.sqlite.SqliteStore.pending", lambda store, limit: ["mem_x"])
    _, _, err = run("recall", "tea", *ATLAS)
    assert err.splitlines() == [
        "memweir: warning: memories wait for their vector; index_pending makes it"
    ]


def test_output_is_utf8_even_where_the_locale_is_not() -> None:
    environ = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    memweir("remember", "艾达喝茶", *ATLAS, env=environ)
    done = memweir("recall", "喝茶", *ATLAS, env=environ)
    assert done.returncode == 0
    assert "艾达喝茶" in done.stdout.decode("utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe closes differently there")
def test_a_reader_that_leaves_early_is_no_error() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "memweir", "demo", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


def test_an_interrupt_is_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: argparse.Namespace) -> Config:
        raise KeyboardInterrupt

    monkeypatch.setattr("memweir.cli.upkeep.settings", interrupted)
    assert run("stats") == (130, "", "")


_SIGNALS = [
    pytest.param(getattr(signal, name, None), id=name)
    for name in ("SIGTERM", "SIGHUP", "SIGINT")
    if hasattr(signal, name)
]
_POSIX_SIGNALS = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


def _stopped(number: int, temporary: Path, stores: int, *arguments: str) -> tuple[int, bytes]:
    """The exit code and stderr of an evaluation that gets the signal once it has so many stores."""
    temporary.mkdir()
    # What the tests were told to ignore, as a shell tells what it runs in the background, a child
    # would ignore too; what they handle, it does not inherit.
    before = signal.signal(number, signal.default_int_handler)
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "memweir", "eval", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "TMPDIR": str(temporary)},
        )
    finally:
        signal.signal(number, before)
    with process:
        while len(list(temporary.glob("memweir-eval-*/memory.db"))) < stores and process.poll() is None:
            pass
        assert process.poll() is None, "it ended before it could be stopped"
        process.send_signal(number)
        _, told = process.communicate()
        return process.returncode, told


@_POSIX_SIGNALS
@pytest.mark.parametrize("number", _SIGNALS)
def test_a_stopped_evaluation_of_a_store_leaves_no_copy_of_it(number: int, tmp_path: Path) -> None:
    assert memweir("remember", "Ada drinks tea", "--scope", "global").returncode == 0
    lines = (json.dumps({"id": f"q{each}", "text": "what does Ada drink?"}) for each in range(50_000))
    (tmp_path / "q.jsonl").write_text("\n".join(lines))
    temporary = tmp_path / "temporary"
    asked = ("--store", "memory.db", "--queries", "q.jsonl", "--json")
    assert _stopped(number, temporary, 1, *asked) == (128 + number, b"")
    assert list(temporary.iterdir()) == []


@_POSIX_SIGNALS
def test_a_stopped_evaluation_of_several_sets_at_once_leaves_no_store_of_them(tmp_path: Path) -> None:
    memory = {"id": "m", "text": "Ada drinks tea", "scope": "s", "created_at": "2026-03-01"}
    question = {"text": "what does Ada drink?", "scope": "s", "category": "c", "relevant": ["m"]}
    for name in ("one", "two"):
        folder = tmp_path / "sets" / name
        folder.mkdir(parents=True)
        (folder / "memories.jsonl").write_text(json.dumps(memory))
        rows = (json.dumps({"id": f"q{each}"} | question) for each in range(50_000))
        (folder / "queries.jsonl").write_text("\n".join(rows))
    temporary = tmp_path / "temporary"
    code, _ = _stopped(signal.SIGTERM, temporary, 2, "sets", "--jobs", "2", "--controls", "none")
    assert code == 128 + signal.SIGTERM
    assert list(temporary.iterdir()) == []


@_POSIX_SIGNALS
def test_a_signal_that_was_ignored_stays_ignored_and_the_others_are_given_back(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def signalled(_: argparse.Namespace) -> int:
        os.kill(os.getpid(), signal.SIGHUP)
        os.kill(os.getpid(), signal.SIGTERM)
        return 0

    monkeypatch.setattr("memweir.cli.eval.run", signalled)
    before = [signal.getsignal(each) for each in (signal.SIGHUP, signal.SIGTERM)]
    try:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        assert run("eval", "sets") == (128 + signal.SIGTERM, "", "")
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before[0])
        signal.signal(signal.SIGTERM, before[1])
