"""Is who a query names first told by one text, whatever scripts the names are in?"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.speakers import other_speaker


def _worth(text: str, *speakers: str) -> list[float]:
    """Only the query's two texts and the memories' speakers are looked at."""
    analyzer = default_analyzer()
    profile: Any = SimpleNamespace(text=text, normal=analyzer.analyse(text).normal)
    records: Any = [SimpleNamespace(speaker=each) for each in speakers]
    return other_speaker(profile, records, analyzer).tolist()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What did Ada ask 王小明 about tea?", [0.0, -0.5, -1.0]),
        ("王小明问了 Ada 什么茶？", [-0.5, 0.0, -1.0]),
        # Folded, the white space is gone: 王小明 is at 6 there, and Ada at 14 as it was written.
        ("              Ada 问 王小明 什么茶？", [0.0, -0.5, -1.0]),
        # Folded, each sign is four: 王小明 is at 33 there, and Ada at 17 as it was written.
        ("㍿㍿㍿㍿㍿㍿㍿㍿ 王小明 问 Ada 什么茶？", [-0.5, 0.0, -1.0]),
        # A line of its own begins a sentence, in the text as it was written only.
        ("王小明说茶好\nAda 问 Grace 什么茶？", [-0.5, 0.0, -0.5]),
    ],
)
def test_of_names_in_two_scripts_the_one_that_stands_first_is_first(
    query: str, expected: list[float]
) -> None:
    assert _worth(query, "Ada", "王小明", "Grace") == expected


def test_a_function_word_on_a_line_of_its_own_names_nobody_beside_a_chinese_name() -> None:
    assert _worth("王小明的茶\nWill it be ready, Ada?", "Will", "王小明", "Ada") == [-1.0, 0.0, -0.5]
