"""Does the command line show what a conversation teaches, and why the rest of it is not kept?"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[int, str, str]]
Ask = Callable[..., Any]

pytestmark = pytest.mark.usefixtures("alone")

CONVERSATION = [
    {"role": "user", "content": "Hi! My sister Dana lives in Oslo. What's the weather?"},
    {"role": "assistant", "content": "I love Oslo."},
    {"role": "user", "content": [{"type": "text", "text": "记住：上线前先跑冒烟测试。"}]},
    {"role": "tool", "content": "ok"},
]


def _write(tmp_path: Path, name: str = "talk.jsonl", lines: list[Any] | None = None) -> str:
    rows = CONVERSATION if lines is None else lines
    (tmp_path / name).write_text(
        "\n".join(json.dumps(each, ensure_ascii=False) for each in rows), "utf-8"
    )
    return name


def test_what_a_person_said_is_stored(run: Run, ask: Ask) -> None:
    code, out, err = run("observe", "My sister Dana lives in Oslo. What's the weather?")
    assert code == 0
    assert "The user's sister Dana lives in Oslo." in out
    assert "shape.question 1" in err
    found = ask("recall", "where does Dana live?")
    assert "Oslo" in found["block"]


def test_a_turn_may_be_json(run: Run, ask: Ask) -> None:
    found = ask("observe", json.dumps(CONVERSATION, ensure_ascii=False), "--session", "s1")
    assert [each["explicit"] for each in found["captured"]] == [False, True]
    assert {each["rule"] for each in found["left_out"]} >= {"source.assistant", "source.tool"}
    assert found["read"] == 2
    again = ask("observe", json.dumps(CONVERSATION, ensure_ascii=False), "--session", "s1")
    assert (again["captured"], again["known"]) == ([], 2)


def test_text_that_only_looks_like_json_is_what_a_person_said(run: Run) -> None:
    assert run("observe", "[sic] My sister Dana lives in Oslo.")[0] == 0


@pytest.mark.parametrize("text", ["", "  ", '{"role": ""}', '[{"role": "user"}]'])
def test_what_is_no_turn_is_wrong_usage(run: Run, text: str, tmp_path: Path) -> None:
    code, out, err = run("observe", text)
    assert (code, out) == (2, "")
    assert err
    assert not (tmp_path / "memory.db").exists() or run("stats")[0] == 0


def test_a_replay_shows_what_is_kept_and_why_the_rest_is_not(run: Run, tmp_path: Path) -> None:
    code, out, err = run("replay", _write(tmp_path))
    assert (code, err) == (0, "")
    assert "+ The user's sister Dana lives in Oslo.  (fact" in out
    assert "+ 上线前先跑冒烟测试" in out
    assert "explicit" in out
    assert "- shape.question: What's the weather?" in out
    assert "- source.assistant: I love Oslo." in out
    assert "4 messages" in out
    assert "kept 2 memories" in out
    assert not (tmp_path / "memory.db").exists(), "nothing is kept without --keep"


def test_a_replay_counts_in_json(ask: Ask, tmp_path: Path) -> None:
    found = ask("replay", _write(tmp_path))
    assert [each["number"] for each in found["messages"]] == [1, 2, 3, 4]
    assert found["summary"]["kept"] == 2
    assert found["summary"]["left_out"]["source.assistant"] == 1
    left = found["messages"][0]["left_out"]
    said = CONVERSATION[0]["content"]
    assert all(said[each["start"] : each["end"]] == each["text"] for each in left)  # type: ignore[index]


def test_a_replay_is_kept_where_it_is_asked_to_be(run: Run, ask: Ask, tmp_path: Path) -> None:
    name = _write(tmp_path)
    assert run("replay", name, "--keep", "--kept-only", "--recall", "--subject", "Ada")[0] == 0
    assert "Ada's sister Dana" in ask("recall", "where does Dana live?")["block"]
    code, out, _ = run("replay", name, "--keep")
    assert code == 0
    assert "kept 0 memories" in out
    assert "read before" in out


@pytest.mark.parametrize("form", ["list", "turns", "object"])
def test_a_conversation_may_be_a_list_or_turns(ask: Ask, tmp_path: Path, form: str) -> None:
    made: list[Any] = {
        "list": [CONVERSATION],
        "turns": [CONVERSATION[:2], {"messages": CONVERSATION[2:]}],
        "object": [{"messages": CONVERSATION}],
    }[form]
    assert ask("replay", _write(tmp_path, lines=made))["summary"]["kept"] == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "cannot be read"),
        (b"\xff\xfe", "not UTF-8"),
        (b'{"role": "user", "content": "x"}\n{', "line 2"),
        (b"5", "a message is a JSON object"),
        (b'{"role": "user", "content": "x"}\n{"role": 5}', "message 2"),
    ],
)
def test_a_file_that_is_no_conversation_is_wrong_usage(
    run: Run, ask: Ask, tmp_path: Path, text: bytes | None, said: str
) -> None:
    if text is not None:
        (tmp_path / "bad.jsonl").write_bytes(text)
    code, _, err = run("replay", "bad.jsonl")
    assert code == 2
    assert said in err
    assert ask("replay", "bad.jsonl", code=2)["error"]["type"] == "InputError"
