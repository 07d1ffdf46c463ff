"""Does the command line reflect, show beliefs and take a person's word on them?"""

from __future__ import annotations

import io
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.usefixtures("alone")

PYTHON = (
    "The backend uses Python 3.11.",
    "The backend still uses Python 3.11.",
    "后端用 Python 3.11。",
)
HERE = ("--scope", "project:atlas")


@pytest.fixture
def told(ask: Callable[..., Any]) -> list[str]:
    """Ids of three facts that say the same."""
    return [
        ask("remember", text, *HERE, "--now", f"2026-03-0{day}T10:00:00+08:00")["id"]
        for day, text in enumerate(PYTHON, 5)
    ]


def test_reflect_says_in_words_what_it_did(run: Any, told: list[str]) -> None:
    code, out, err = run("reflect", "--now", "2026-03-20T10:00:00+08:00")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "reflection of 2026-03-20",
        "looked at 3 facts and 0 beliefs",
        "beliefs: 1 begun",
    ]
    code, out, err = run("reflect", "--now", "2026-03-20T12:00:00+08:00")
    assert code == 0
    assert "was reflected on before" in err
    code, out, err = run("reflect", "--again", "--now", "2026-03-20T12:00:00+08:00")
    assert (code, err) == (0, "")
    assert "looked at 0 facts and 1 beliefs" in out
    assert "beliefs: none begun or changed" in out


def test_reflect_where_it_is_due_and_where_not(run: Any, ask: Any, told: list[str]) -> None:
    assert ask("reflect", "--due")["period"] == "2026-03-15"
    assert ask("reflect", "--due")["done"] is False
    code, out, _ = run("reflect", "--due", "--now", "2026-03-20T10:00:00+08:00")
    assert code == 0
    assert re.fullmatch(r"not due before 2026-03-2[12] \d\d:00\n", out)


def test_reflect_as_json_is_what_the_verb_gives(ask: Any, told: list[str]) -> None:
    done = ask("reflect")
    assert done == {
        "period": "2026-03-20",
        "done": True,
        "counts": {"beliefs": 0, "facts": 3, "grouped": 3, "merge": 1},
        "already": False,
        "resumed": False,
        "warnings": [],
    }


def test_a_store_that_is_not_there_is_not_made(run: Any, tmp_path: Path) -> None:
    code, _, err = run("reflect")
    assert code == 1
    assert "no store here yet" in err
    assert not (tmp_path / "memory.db").exists()


def test_a_bar_is_shown_to_a_person_and_not_to_a_pipe(
    run: Any, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    code, out, _ = run("reflect", "--now", "2026-03-20T10:00:00+08:00")
    assert code == 0
    assert "1 begun" in out
    assert "3/3" in screen.getvalue() or "1/1" in screen.getvalue()


def test_beliefs_are_listed_with_what_they_rest_on(run: Any, ask: Any, told: list[str]) -> None:
    assert ask("beliefs", *HERE) == {"beliefs": []}
    ask("reflect")
    (belief,) = ask("beliefs", *HERE)["beliefs"]
    assert sorted(belief["evidence"]) == sorted(told)
    code, out, err = run("beliefs", *HERE)
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == f"{belief['record']['id']}  strength 0.72, evidence 3"
    assert out.splitlines()[1].strip() == f"| {belief['record']['text']}"
    assert ask("beliefs", "--scope", "project:other") == {"beliefs": []}


def test_one_belief_is_shown_with_its_evidence_and_its_history(
    run: Any, ask: Any, told: list[str]
) -> None:
    ask("reflect")
    (belief,) = ask("beliefs", *HERE)["beliefs"]
    name, before = belief["record"]["id"], belief["record"]["text"]
    later = ("--now", "2026-03-20T18:00:00+08:00")
    ask("remember", "The backend no longer uses Python 3.11.", *HERE, *later)
    ask("reflect", "--now", "2026-03-21T10:00:00+08:00")
    (new,) = ask("beliefs", *HERE)["beliefs"]
    assert new["rewritten"] is True
    code, out, _ = run("belief", new["record"]["id"], *HERE)
    assert code == 0
    assert "rewritten by reflection" in out
    assert "revised 1 times" in out
    assert f"| {before}" in out
    assert "contradicted_by_new_evidence:" in out
    code, out, _ = run("belief", name, *HERE)
    assert "no longer believed" in out
    shown = ask("belief", new["record"]["id"], *HERE)
    assert list(shown["texts"].values()) == ["The backend no longer uses Python 3.11."]


def test_a_belief_is_edited_and_withdrawn(run: Any, ask: Any, told: list[str]) -> None:
    ask("reflect")
    (belief,) = ask("beliefs", *HERE)["beliefs"]
    name = belief["record"]["id"]
    edited = ask("belief", name, *HERE, "--edit", "The backend uses CPython 3.11.")
    assert edited["belief"]["record"]["text"] == "The backend uses CPython 3.11."
    assert [each["reason"] for each in edited["belief"]["revisions"]] == ["manual_edit"]
    assert run("belief", name, *HERE, "--edit", " ")[0] == 2
    back = ask("belief", name, *HERE, "--withdraw")
    assert sorted(back["holding_again"]) == sorted(told)
    assert ask("beliefs", *HERE) == {"beliefs": []}
    assert run("belief", told[0], *HERE)[0] == 2
    assert run("belief", told[0], *HERE, "--withdraw")[0] == 1
    assert run("belief", "mem_0123456789", *HERE)[0] == 1
    assert run("belief", name, *HERE, "--edit", "a b", "--withdraw")[0] == 2


def test_a_crontab_line_names_program_store_days_and_hour(run: Any, tmp_path: Path) -> None:
    code, out, _ = run("reflect", "--timer", "cron", "--store", "my %store.db")
    assert code == 0
    heading, line, boot, *_ = out.splitlines()
    assert heading == "# crontab"
    minute, hour, days, month, weekday, command = line.split(" ", 5)
    assert (minute, hour, days, month, weekday) == ("0", "3", "1,8,15,22,29", "*", "*")
    program, *words = shlex.split(command.replace(r"\%", "%"))
    assert Path(program).is_absolute()
    assert Path(program).name.startswith("memweir")
    assert words == ["reflect", "--due", "--store", str(tmp_path / "my %store.db")]
    assert boot == f"@reboot {command}"
    assert not (tmp_path / "my %store.db").exists()


def test_systemd_units_hold_the_days_of_the_settings(run: Any, ask: Any, tmp_path: Path) -> None:
    code, out, _ = run("reflect", "--timer", "systemd")
    assert code == 0
    assert "OnCalendar=*-*-01,08,15,22,29 03:00:00\n" in out
    assert "Persistent=true\n" in out
    files = ask(
        *("reflect", "--timer", "systemd", "--store", "a $b.db"),
        *("--set", "reflection.days=2,20", "--set", "reflection.at=04:30"),
    )["files"]
    service, timer = files.values()
    assert "OnCalendar=*-*-02,20 04:30:00\n" in timer
    (command,) = [line for line in service.splitlines() if line.startswith("ExecStart=")]
    assert command.startswith("ExecStart=/")
    assert f'"{tmp_path}/a $$b.db"' in command
    assert "reflection.days=2,20" in command
