"""When is one word a slip of another?"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.retrieval.spelling import SHORTEST, is_slip


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("kestral", "kestrel"),  # a letter changed
        ("kestre", "kestrel"),  # dropped
        ("kestrell", "kestrel"),  # added
        ("ketsrel", "kestrel"),  # two neighbours swapped
        ("tast", "test"),
        ("kuberntes", "kubernetes"),
        ("autoscalling", "autoscaling"),
        ("kubrenetse", "kubernetes"),  # two swaps in a long word
    ],
)
def test_one_edit_or_two_in_a_long_word_is_a_slip(word: str, known: str) -> None:
    assert is_slip(word, known)
    assert is_slip(known, word)


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("kestrel", "kestrel"),  # the word itself
        ("lestrel", "kestrel"),  # the first letter
        ("kestasl", "kestrel"),  # two edits in seven letters
        ("cat", "cut"),  # too short
        ("cats", "cat"),
        ("test", "toast"),
        ("kubernetes", "kubbernettess"),  # three edits
        ("deploy", "delay"),
        ("", ""),
        ("port", "ports" * 9),
    ],
)
def test_anything_further_is_another_word(word: str, known: str) -> None:
    assert not is_slip(word, known)
    assert not is_slip(known, word)


def _distance(one: str, other: str) -> int:
    """Optimal string alignment in the plain textbook table."""
    table = [
        [max(i, j) if not min(i, j) else 0 for j in range(len(other) + 1)] for i in range(len(one) + 1)
    ]
    for i in range(1, len(one) + 1):
        for j in range(1, len(other) + 1):
            best = min(
                table[i - 1][j] + 1,
                table[i][j - 1] + 1,
                table[i - 1][j - 1] + (one[i - 1] != other[j - 1]),
            )
            if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
                best = min(best, table[i - 2][j - 2] + 1)
            table[i][j] = best
    return table[-1][-1]


_word = st.text("abc", min_size=0, max_size=11).map(lambda rest: "a" + rest)


@settings(deadline=None, max_examples=400)
@given(word=_word, known=_word)
def test_agrees_with_the_whole_edit_table(word: str, known: str) -> None:
    allowed = 2 if min(len(word), len(known)) >= 8 else 1
    expected = (
        word != known
        and min(len(word), len(known)) >= SHORTEST
        and word[0] == known[0]
        and _distance(word, known) <= allowed
    )
    assert is_slip(word, known) == expected
