"""Is the token estimate what it says, and does it add up over entries?"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.fusion.tokens import count_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("the", 1),
        ("the project uses pnpm", 5),  # the, proje ct, uses, pnpm
        ("Project", 2),  # P+rojec, t
        ("README", 2),  # REA DME
        ("2026-10-14", 6),  # 202 6 - 10 - 14
        ("项目使用 pnpm。", 6),  # 项 目 使 用, pnpm, 。
        ("カタカナ 한국", 7),  # four, the space, two
        ("🙂", 3),
        ("a\n    b", 3),  # a, line break with indent, b
        ("a   b", 3),
        (" " * 64, 4),
        ('<memory id="m1">', 10),  # < memor y, " id" = " m 1 " >
    ],
)
def test_the_estimate_follows_its_description(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@given(st.text(max_size=80), st.text(max_size=80))
@settings(deadline=None, max_examples=150)
def test_elements_on_lines_of_their_own_add_up(one: str, other: str) -> None:
    first, second = f"<m>{one}</m>\n", f"<m>{other}</m>\n"
    assert count_tokens(first + second) == count_tokens(first) + count_tokens(second)


@given(st.text(max_size=80), st.text(max_size=20))
@settings(deadline=None, max_examples=150)
def test_a_longer_text_never_costs_less(text: str, more: str) -> None:
    assert count_tokens(text + more) >= count_tokens(text)


@given(st.text(max_size=200))
@settings(deadline=None, max_examples=100)
def test_no_character_run_is_free(text: str) -> None:
    assert count_tokens(text) >= len(text) / 17
