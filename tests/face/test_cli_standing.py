"""Can a person look after standing answers and prompt blocks from the command line?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.usefixtures("alone")

Run = Callable[..., tuple[int, str, str]]
Ask = Callable[..., Any]
ATLAS = ("--scope", "project:atlas")
LATER = ("--now", "2026-06-01T10:00:00+08:00")


def test_answers_are_listed_and_the_stale_one_is_named(ask: Ask, run: Run) -> None:
    told = ask("answer", "Which port?", "8443\nbehind the proxy", *ATLAS, "--phrasing", "哪个端口？")
    code, out, err = run("answers", *ATLAS, *LATER)
    assert code == 0
    assert out.splitlines() == [
        f"{told['id']}  given 0 times, verified 2026-03-20T02:00:00Z, stale  in project:atlas",
        "  ? Which port?",
        "  ? 哪个端口？",
        "  | 8443",
        "  | behind the proxy",
    ]
    assert f"memweir answers verify {told['id']}" in err
    (listed,) = ask("answers", "list", *ATLAS, *LATER)["answers"]
    assert listed == {
        "id": told["id"],
        "scope": "project:atlas",
        "text": "8443\nbehind the proxy",
        "phrasings": ["Which port?", "哪个端口？"],
        "hits": 0,
        "verified_at": "2026-03-20T02:00:00Z",
        "created_at": "2026-03-20T02:00:00Z",
        "question": "Which port?",
        "earlier": 0,
        "stale": True,
    }
    assert run("answers", "--scope", "project:other")[1] == "no standing answer\n"


def test_an_answer_is_verified_phrased_shown_and_withdrawn(ask: Ask, run: Run) -> None:
    told = ask("answer", "Which port?", "8443", *ATLAS)
    assert ask("answers", "verify", told["id"], *ATLAS, *LATER)["verified_at"] == "2026-06-01T02:00:00Z"
    assert run("answers", "phrase", told["id"], "--phrasing", "端口？", *ATLAS)[0] == 0
    assert ask("recall", "端口", *ATLAS)["answer"]["text"] == "8443"
    assert "  ? 端口？" in run("answers", "show", told["id"], *ATLAS)[1]
    assert run("answers", "withdraw", told["id"], *ATLAS)[1] == f"{told['id']} is withdrawn\n"
    assert ask("answers", "show", told["id"], *ATLAS, code=1)["error"]["type"] == "NotFoundError"


def test_personal_data_is_told_once_a_person_approves(ask: Ask) -> None:
    told = ("answer", "Where do I write to Ada?", "ada@example.org", *ATLAS)
    error = ask(*told, code=1)["error"]
    assert (error["type"], error["rule"], error["field"]) == ("PersonalDataRefused", "email", "answer")
    assert "--approve-personal" in error["message"]
    assert "ada@" not in str(error)
    answer = ask(*told, "--approve-personal")
    more = ("answers", "phrase", answer["id"], "--phrasing", "bob@example.org?", *ATLAS)
    assert ask(*more, code=1)["error"]["type"] == "PersonalDataRefused"
    assert len(ask(*more, "--approve-personal")["phrasings"]) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("verify",),
        ("list", "ans_1"),
        ("phrase", "ans_1"),
        ("verify", "ans_1", "--phrasing", "x"),
        ("verify", "ans_1", "--approve-personal"),
        ("burn", "ans_1"),
    ],
)
def test_an_action_on_answers_that_makes_no_sense_is_wrong_usage(
    ask: Ask, arguments: tuple[str, ...]
) -> None:
    ask("answer", "Which port?", "8443", *ATLAS)
    ask("answers", *arguments, *ATLAS, code=2)


# Prompt blocks


def test_the_prompt_is_printed_as_it_is_given(ask: Ask, run: Run) -> None:
    body = "先写测试。\n再写代码。"
    block = ask("prompts", "add", "--title", "Order", "--body", body, *ATLAS)
    assert run("prompt", *ATLAS) == (0, body + "\n", "")
    found = ask("prompt", *ATLAS)
    assert (found["text"], found["characters"], found["fallback"]) == (body, len(body), False)
    assert found["blocks"] == [block]
    assert block == {
        "id": block["id"],
        "scope": "project:atlas",
        "title": "Order",
        "body": body,
        "position": 10,
        "enabled": True,
        "created_at": "2026-03-20T02:00:00Z",
        "updated_at": "2026-03-20T02:00:00Z",
    }


def test_blocks_are_listed_edited_and_removed(ask: Ask, run: Run) -> None:
    block = ask("prompts", "add", "--title", "Order", "--body", "Test first.", *ATLAS)["id"]
    edited = ask("prompts", "edit", block, "--no-enabled", "--position", "3", *ATLAS)
    assert (edited["enabled"], edited["position"], edited["title"]) == (False, 3, "Order")
    assert run("prompts", *ATLAS)[1].splitlines() == [
        f"{block}  at 3, 11 characters, off  in project:atlas",
        "  Order",
        "  | Test first.",
    ]
    assert ask("prompt", *ATLAS)["fallback"] is True
    assert ask("prompts", "edit", block, "--enabled", "--title", "顺序", *ATLAS)["title"] == "顺序"
    assert run("prompts", "remove", block, *ATLAS)[1] == f"{block} is removed\n"
    assert ask("prompts", "list", *ATLAS) == {"prompts": []}
    assert ask("prompts", "remove", block, *ATLAS, code=1)["error"]["what"] == "prompt block"


def test_a_new_store_lists_the_block_that_came_along(ask: Ask, run: Run) -> None:
    assert run("prompts")[0] == 1  # looking makes no store
    ask("remember", "The port is 8443", *ATLAS)
    (block,) = ask("prompts")["prompts"]
    assert (block["scope"], block["position"]) == ("global", 0)
    assert run("prompts", *ATLAS)[1] == "no prompt block\n"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("add", "--title", "t"), 2),
        (("add", "--body", "b"), 2),
        (("add", "--title", "t", "--body", "b", "--enabled"), 2),
        (("add", "prm_1", "--title", "t", "--body", "b"), 2),
        (("add", "--title", "t" * 81, "--body", "b"), 2),
        (("add", "--title", "t", "--body", "</memory>"), 1),
        (("edit", "--title", "t"), 2),
        (("edit", "prm_1"), 2),
        (("edit", "prm_1", "--title", "t"), 1),
        (("remove",), 2),
        (("remove", "prm_1", "--title", "t"), 2),
        (("list", "--position", "3"), 2),
        (("list", "prm_1"), 2),
    ],
)
def test_an_action_on_blocks_that_makes_no_sense_is_refused(
    ask: Ask, arguments: tuple[str, ...], code: int
) -> None:
    ask("remember", "The port is 8443", *ATLAS)
    ask("prompts", *arguments, *ATLAS, code=code)
