"""Two spellings of one text have one canonical form."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memweir.retrieval.normalise import clean, normalise, simplify, simplify_characters

TEXTS = st.text(st.characters(exclude_categories=()), max_size=60)  # lone surrogates and NUL included


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("  Hello \t\n World ", "hello world"),
        ("端口４３２４", "端口4324"),
        ("ＡＢＣ，ｄ！", "abc,d!"),
        ("數據庫連線", "数据库连线"),
        ("Straße ŒUVRE", "strasse œuvre"),
        ("Acme moved\x00 to Shenzhen", "acme moved to shenzhen"),
        ("done \ud83d", "done \ufffd"),
        ("zero\u200bwidth\u202e and\ufeff soft\u00adhyphen", "zerowidth and softhyphen"),
        ("\u3000。\u3000", "。"),
        ("", ""),
    ],
)
def test_normal_form_of(text: str, normal: str) -> None:
    assert normalise(text) == normal


def test_clean_keeps_the_case() -> None:
    assert clean("Ｇｅｔ UserById") == "Get UserById"


def test_trade_mark_sign_is_not_glued_to_the_word_before_it() -> None:
    # Plain NFKC would give "acmetm".
    assert normalise("Acme™ ℠ ﬁne") == "acme™ ℠ fine"


def test_joined_emoji_stay_joined_and_other_joiners_go() -> None:
    assert normalise("👨‍👩‍👧 🏳️‍🌈") == "👨\u200d👩\u200d👧 🏳\u200d🌈"
    assert normalise("a\u200db क\u200dष") == "ab कष"


def test_traditional_is_folded_by_phrase() -> None:
    assert simplify("瞭解瞭望") == "了解瞭望"
    assert simplify("回覆藉口") == "回复借口"


def test_simplified_text_is_not_rewritten_by_phrases_of_traditional_writing() -> None:
    # 打坏 is in the phrase table as a variant of 打坯.
    assert normalise("万一打坏了怎么办") == "万一打坏了怎么办"


def test_folding_by_character_keeps_the_length_and_ignores_the_neighbours() -> None:
    assert simplify_characters("乾隆數據 abc") == "干隆数据 abc"
    assert simplify_characters("薴") == "苎"  # in two steps: 薴 → 苧 → 苎


@settings(deadline=None, max_examples=300)
@given(TEXTS)
@example("ﷺ\u0345\u03b1")
@example("么麼於其一乾坤")
@example("\u1e9e\u0130\u0307")
def test_normal_form_is_its_own_normal_form(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


@settings(deadline=None, max_examples=200)
@given(TEXTS)
def test_normal_form_can_be_written_as_utf8_on_one_line(text: str) -> None:
    normal = normalise(text)
    normal.encode()
    assert normal == " ".join(normal.split())
    assert "\0" not in normal


def test_every_code_point_is_folded_to_a_fixed_point() -> None:
    # In blocks, because a block is what composition and phrases may go wrong in.
    for start in range(0, 0x110000, 256):
        block = " x".join(map(chr, range(start, start + 256)))
        once = normalise(block)
        assert normalise(once) == once, hex(start)


def test_a_pile_of_combining_marks_is_cut_to_thirty() -> None:
    # Alternating classes (230 above, 220 below) are the worst case of canonical ordering.
    pile = "\u0301\u0323" * 50_000
    assert len(normalise("x" + pile + " y")) <= 1 + 30 + 2
