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
