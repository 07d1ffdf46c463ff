"""When is an edited text the same statement?"""

from __future__ import annotations

import pytest

from memweir.store.edits import same_statement


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We deploy on Fridays", "we deploy, on fridays."),
        ("包管理器用 pnpm", "包管理器用pnpm。"),
        ("端口是 22，不是 80", "端口是22,不是80!"),
        ("the re-deploy is slow", "The re deploy is slow"),
        ("version 1.5 is out", "Version 1.5 is out!"),
    ],
)
def test_punctuation_case_and_blanks_alone_make_no_other_statement(one: str, other: str) -> None:
    assert same_statement(one, other)
    assert same_statement(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("version 1.5", "version 15"),
        ("it is -5 outside", "it is 5 outside"),
        ("50% of it", "50 of it"),
        ("written in C++", "written in C"),
        ("see a.b", "see ab"),
        ("now here", "nowhere"),
        ("at 10:30", "at 1030"),
        ("用 pnpm", "用 npm"),
    ],
)
def test_what_changes_a_number_a_sign_or_a_word_is_another_statement(one: str, other: str) -> None:
    assert not same_statement(one, other)
