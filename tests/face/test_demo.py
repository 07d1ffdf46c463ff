"""Does the demo's story hold: is what it claims what the engine does?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from memweir.cli import main
from memweir.cli.demo import to_dict
from memweir.cli.plain import dumps
from memweir.demo import LANGUAGES, Played, load_story, play
from memweir.errors import StorePathError
from memweir.memory import Memory
from memweir.store.scopes import Scope

STORY = load_story()


@pytest.fixture(scope="module")
def played() -> Played:
    return play()


NUMBERED = [
    pytest.param(
        number, id=f"{entry['lang']}-{entry.get('expect') or entry.get('expect_answer') or 'nothing'}"
    )
    for number, entry in enumerate(STORY["question"])
]


@pytest.mark.parametrize("number", NUMBERED)
def test_every_question_is_answered_as_the_story_claims(played: Played, number: int) -> None:
    one = played.asked[number]
    keys = played.keys()
    if "expect_answer" in one.entry:
        assert one.recall.answer is not None
        assert one.recall.answer.id == played.answers[one.entry["expect_answer"]]
        assert one.recall.answer.text in one.recall.block
    elif one.entry["expect"]:
        assert keys.get(one.best()) == one.entry["expect"]
        injected = {keys[each.id] for each in one.recall.items}
        assert injected >= set(one.entry.get("also", ()))
    else:
        assert one.recall.block == ""
        assert one.recall.abstained
    candidates = {keys.get(each.id) for each in one.recall.candidates}
    assert not candidates & set(one.entry.get("absent", ()))


def test_what_must_not_be_stored_is_refused_and_everything_else_is_stored(played: Played) -> None:
    outcomes = {each.key: type(each.refusal).__name__ for each in played.told if each.refusal}
    assert outcomes == {e["key"]: e["refused"] for e in STORY["memory"] if "refused" in e}
    assert all(each.stored is not None or each.refusal is not None for each in played.told)
    assert len(played.keys()) == len(STORY["memory"]) - len(outcomes)


def test_a_pinned_constraint_stands_in_every_block_of_its_project_and_in_no_other(
    played: Played,
) -> None:
    keys = played.keys()
    for each in played.asked:
        injected = {keys.get(one.id) for one in each.recall.items}
        assert ("friday" in injected) == ("project:atlas" in each.entry["scopes"])


@pytest.mark.parametrize(("key", "day"), [("dinner", "2026-03-17"), ("xiangshan", "2026-03-14")])
def test_the_block_dates_an_event_by_the_calendar_of_who_asks(
    played: Played, key: str, day: str
) -> None:
    (one,) = (each for each in played.asked if each.entry.get("expect") == key)
    (line,) = (each for each in one.recall.block.splitlines() if one.best() in each)
    assert f'date="{day}"' in line


def test_what_a_tool_said_is_marked_in_the_block(played: Played) -> None:
    (one,) = (each for each in played.asked if each.entry.get("expect") == "pytest")
    (line,) = (each for each in one.recall.block.splitlines() if "412 passed" in each)
    assert "tool" in line


def test_the_story_has_both_languages_in_everything_it_says() -> None:
    assert {each["lang"] for each in STORY["question"]} == set(LANGUAGES)
    assert set(STORY["summary"]) == set(STORY["next"]) == set(LANGUAGES)
    assert all(set(each["note"]) == set(LANGUAGES) for each in STORY["memory"] if "refused" in each)


def test_no_question_holds_the_words_of_a_refused_text(played: Played) -> None:
    shown = dumps(to_dict(played))
    for entry in STORY["memory"]:
        if "refused" in entry:
            assert entry["text"] not in shown


def test_the_counts_add_up(played: Played) -> None:
    counts: Any = to_dict(played)["counts"]
    assert counts["stored"] + counts["refused"] == len(STORY["memory"])
    assert counts["abstained"] == sum(1 for e in STORY["question"] if e.get("expect") == "")
    assert sum(counts["rules"].values()) == counts["refused"]


def test_one_language_asks_only_its_own_questions() -> None:
    chinese = to_dict(play(languages=("zh",)))
    questions: Any = chinese["questions"]
    assert {each["lang"] for each in questions} == {"zh"}
    assert set(chinese["summary"]) == {"zh"}  # type: ignore[call-overload]


def test_a_kept_store_can_be_used_afterwards(tmp_path: Path) -> None:
    file = tmp_path / "demo.db"
    play(file, languages=("en",))
    with Memory.open(file) as memory:
        assert memory.recall("metrics port", scope=Scope.project("atlas")).candidates
    with pytest.raises(StorePathError, match="exists already"):
        play(file)


def test_the_printed_demo_fits_80_columns_and_starts_with_the_summary(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["demo"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.startswith(STORY["summary"]["en"].strip()[:60])
    for line in captured.out.splitlines():
        cells = sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in line)
        assert cells <= 80, line
    for entry in STORY["question"]:
        assert entry["text"] in captured.out


def test_the_output_is_the_same_in_every_process_and_time_zone() -> None:
    def run(seed: str, zone: str) -> bytes:
        done = subprocess.run(
            [sys.executable, "-m", "memweir", "demo", "--json"],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone},
        )
        assert done.stderr == b""
        return done.stdout

    first = run(seed="1", zone="Asia/Shanghai")
    assert json.loads(first)["languages"] == ["en", "zh"]
    assert first == run(seed="2", zone="America/New_York")
