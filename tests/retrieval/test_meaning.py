"""Does the table put like near like, in and across both languages, with the same bytes everywhere?"""

from __future__ import annotations

import hashlib
import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from memweir.errors import EmbedderError
from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.meaning import HEADER, WordVectors, stem_key, word_key

_ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=80)


@pytest.fixture(scope="module")
def table() -> WordVectors:
    return WordVectors.load()


def _embed(table: WordVectors, *texts: str) -> NDArray[np.float32]:
    return table.embed_analysed([default_analyzer().analyse(text) for text in texts])


def _cosine(table: WordVectors, one: str, other: str) -> float:
    first, second = _embed(table, one, other)
    return float(first @ second)


# A table of two dimensions made by hand. Codes are kept with 8 added, the lower half byte first.
#   cat   code ( 3,  4), scale 10   →  ( 30,  40)
#   dog   code ( 4, -3), scale 10   →  ( 40, -30)
#   猫    code (-8,  6), scale  5   →  (-40,  30)
#   小    code ( 0,  7), scale  1   →  (  0,   7)
_ROWS = (("cat", 3, 4, 10), ("dog", 4, -3, 10), ("猫", -8, 6, 5), ("小", 0, 7, 1))


def _file(*, version: int = 7, form: int = 1, rows: int = 4, stems: tuple[str, ...] = ()) -> bytes:
    entries = [(word_key(word), row) for row, (word, *_) in enumerate(_ROWS)]
    entries += [(stem_key(root), 0) for root in stems]
    entries.sort()
    body = struct.pack(f"<{len(entries)}Q", *(key for key, _ in entries))
    body += struct.pack(f"<{len(entries)}H", *(row for _, row in entries))
    body += struct.pack("<4H", *(scale for *_, scale in _ROWS))
    body += bytes((low + 8) | (high + 8) << 4 for _, low, high, _ in _ROWS)
    header = HEADER.pack(b"MWMEANS\n", form, version, 2, rows, len(entries), zlib.crc32(body))
    return header + body


def test_a_word_has_its_row_at_length_one() -> None:
    # (30, 40) has length 50.
    assert _embed(WordVectors(_file()), "cat").tolist() == [[np.float32(0.6), np.float32(0.8)]]


def test_a_text_is_the_sum_of_its_words() -> None:
    # (30, 40) + (40, -30) = (70, 10), length sqrt(5000); 7/√50 and 1/√50.
    (row,) = _embed(WordVectors(_file()), "cat and dog")
    assert row.tolist() == pytest.approx([7 / 50**0.5, 1 / 50**0.5], rel=1e-6)


def test_a_repeated_word_counts_less_than_twice() -> None:
    # 2 · 2.2 / (2 + 1.2) = 1.375, in 64ths exactly 88: 88 · (30, 40) + 64 · (40, -30) = (5200, 1600).
    (row,) = _embed(WordVectors(_file()), "cat, dog, cat")
    assert row.tolist() == pytest.approx([13 / 185**0.5, 4 / 185**0.5], rel=1e-6)


def test_a_weight_scales_its_stem_and_no_other() -> None:
    # cat at 2, dog at 1: (60, 80) + (40, -30) = (100, 50).
    analyses = [default_analyzer().analyse("cat dog")]
    (row,) = WordVectors(_file()).embed_analysed(analyses, weights={"cat": 2.0})
    assert row.tolist() == pytest.approx([2 / 5**0.5, 1 / 5**0.5], rel=1e-6)


@pytest.mark.parametrize("weight", [0.0, -3.0])
def test_a_word_that_weighs_nothing_leaves_no_direction(weight: float) -> None:
    analyses = [default_analyzer().analyse("cat")]
    assert not WordVectors(_file()).embed_analysed(analyses, weights={"cat": weight}).any()


def test_an_unknown_inflection_takes_the_row_of_its_stem() -> None:
    table = WordVectors(_file(stems=("felin",)))
    assert not table.knows("felines")
    assert _embed(table, "felines").tolist() == _embed(table, "cat").tolist()
    assert _embed(table, "cats").tolist() == _embed(table, "cat").tolist()  # the stem is itself a word


def test_a_stem_entry_is_found_by_no_word() -> None:
    assert not WordVectors(_file(stems=("felin",))).knows("feline")


def test_an_unknown_chinese_word_is_the_sum_of_its_known_parts() -> None:
    # 猫 and 小, each by 1/√2 (45 of 64 parts): 45 · (-40, 30) + 45 · (0, 7) is along (-40, 37).
    (row,) = _embed(WordVectors(_file()), "小猫")
    assert row.tolist() == pytest.approx([-40 / 2969**0.5, 37 / 2969**0.5], rel=1e-6)


@pytest.mark.parametrize(
    ("damaged", "message"),
    [
        (b"", "not a table"),
        (b"PK\x03\x04" + bytes(60), "not a table"),
        (_file()[: HEADER.size - 1], "not a table"),
        (_file()[:-1], "damaged"),
        (_file() + b"\0", "damaged"),
        (_file()[:-1] + b"\0", "checksum"),
        (_file(form=2), "format 2"),
        (_file(rows=3), "damaged"),
        (_file(rows=2**32 - 1), "damaged"),
    ],
)
def test_a_damaged_file_is_refused_with_its_name(damaged: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.bin"
    path.write_bytes(damaged)
    with pytest.raises(EmbedderError, match=message) as caught:
        WordVectors.load(path)
    assert "broken.bin" in str(caught.value)


def test_a_row_number_beyond_the_table_is_refused() -> None:
    data = bytearray(_file())
    at = HEADER.size + 4 * 8
    data[at : at + 2] = struct.pack("<H", 4)
    data[HEADER.size - 4 : HEADER.size] = struct.pack("<I", zlib.crc32(data[HEADER.size :]))
    with pytest.raises(EmbedderError, match="no row"):
        WordVectors(bytes(data))


def test_a_missing_file_is_a_typed_error(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match=r"none\.bin cannot be read"):
        WordVectors.load(tmp_path / "none.bin")


def test_a_flipped_bit_anywhere_in_the_built_in_table_is_noticed() -> None:
    data = bytearray((Path(__file__).parents[2] / "retrieval" / "data" / "meaning.bin").read_bytes())
    for at in (HEADER.size, len(data) // 2, len(data) - 1):
        data[at] ^= 1
        with pytest.raises(EmbedderError, match="checksum"):
            WordVectors(bytes(data))
        data[at] ^= 1
    assert WordVectors(bytes(data)).dim == WordVectors.load().dim


def test_the_version_is_of_the_file() -> None:
    table = WordVectors(_file(version=7))
    assert (table.version, table.dim) == ("meaning-7", 2)


def test_the_table_is_loaded_once(table: WordVectors) -> None:
    assert WordVectors.load() is table


def test_the_table_takes_at_most_eight_megabytes() -> None:
    path = Path(__file__).parents[2] / "retrieval" / "data" / "meaning.bin"
    assert path.stat().st_size <= 8_000_000


@pytest.mark.parametrize(
    ("word", "like", "unlike"),
    [
        ("physician", "doctor", "carpet"),
        ("cheap", "inexpensive", "purple"),
        ("holiday", "vacation", "screwdriver"),
        ("automobile", "car", "poem"),
        ("sofa", "couch", "volcano"),
        ("kitten", "cat", "parliament"),
        ("医生", "大夫", "地毯"),
        ("便宜", "廉价", "紫色"),
        ("度假", "旅游", "螺丝"),
        ("汽车", "轿车", "诗歌"),
        ("害怕", "恐惧", "厨房"),
        ("doctor", "医生", "地毯"),
        ("crowded", "拥挤", "数据库"),
        ("数据库", "database", "sausage"),
        ("牛肉", "beef", "lawyer"),
        ("piano", "钢琴", "洪水"),
    ],
)
def test_a_synonym_is_nearer_than_an_unrelated_word(
    table: WordVectors, word: str, like: str, unlike: str
) -> None:
    assert _cosine(table, word, like) > _cosine(table, word, unlike) + 0.1


@pytest.mark.parametrize(
    ("question", "answer", "others"),
    [
        (
            "what can I cook for dinner?",
            "My daughter is vegetarian",
            ("The build server runs on port 8080", "He repaired the roof of the garage"),
        ),
        (
            "which pet should we get?",
            "My son is scared of dogs",
            ("She pays the rent on Fridays", "The train to the airport was late"),
        ),
        (
            "推荐一家吃晚饭的餐厅",
            "我对海鲜过敏",
            ("服务器的磁盘满了", "他把车停在车库里"),
        ),
        (
            "how is the patient?",
            "医生说病人需要手术",
            ("合同下周签字", "他在阳台上种西红柿"),
        ),
        (
            "怎么去机场？",
            "The taxi to the terminal takes an hour",
            ("She plays the violin", "The cake needs more sugar"),
        ),
    ],
)
def test_what_a_question_implies_is_nearer_than_what_it_does_not(
    table: WordVectors, question: str, answer: str, others: tuple[str, ...]
) -> None:
    assert all(_cosine(table, question, answer) > _cosine(table, question, other) for other in others)


def test_traditional_characters_mean_what_the_simplified_ones_do(table: WordVectors) -> None:
    assert _cosine(table, "圖書館離醫院很近", "图书馆离医院很近") == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize(
    "text", ["", "   ", "？！…", "🙂🙂", "\x00", "the of and", "\ud83d", "xqzzvk wwqjx", "的了吗"]
)
def test_a_text_without_a_known_word_has_the_zero_vector(table: WordVectors, text: str) -> None:
    (row,) = _embed(table, text)
    assert not row.any()


def test_zero_rows_stand_beside_others_in_their_places(table: WordVectors) -> None:
    rows = _embed(table, "", "beef", "🙂", "", "牛肉")
    assert rows.any(axis=1).tolist() == [False, True, False, False, True]


def test_no_text_gives_no_row(table: WordVectors) -> None:
    assert table.embed_analysed([]).shape == (0, table.dim)


@pytest.mark.parametrize(
    "odd", ["🙂 {} 👨‍👩‍👧", "\x00{}\x00", "\ud83d {} \udc00", "ｘqzzvk {}", "{}" + "。" * 500]
)
def test_odd_signs_around_a_word_do_not_move_it(table: WordVectors, odd: str) -> None:
    assert _embed(table, odd.format("beef")).tobytes() == _embed(table, "beef").tobytes()


def test_a_text_of_megabytes_has_a_vector_of_length_one(table: WordVectors) -> None:
    (row,) = _embed(table, "the river floods every spring 河水泛滥 " * 50_000)
    assert float(np.linalg.norm(row)) == pytest.approx(1.0, abs=1e-6)


def test_a_word_of_a_million_letters_is_unknown(table: WordVectors) -> None:
    assert not _embed(table, "x" * 1_000_000).any()


@settings(deadline=None, max_examples=60)
@given(st.lists(_ANY_TEXT, max_size=6))
def test_any_texts_have_rows_of_length_one_or_zero_whatever_stands_beside_them(
    texts: list[str],
) -> None:
    table = WordVectors.load()
    together = _embed(table, *texts)
    assert together.shape == (len(texts), table.dim)
    assert together.dtype == np.float32
    lengths = np.linalg.norm(together, axis=1)
    assert all(length == 0.0 or abs(length - 1.0) < 1e-5 for length in lengths)
    for text, row in zip(texts, together, strict=True):
        assert _embed(table, text).tobytes() == row.tobytes()


def test_many_texts_at_once_have_the_rows_of_each_alone(table: WordVectors) -> None:
    # More words than are unpacked at a time, so that a text is cut between two parts.
    words = ("beef", "river", "lawyer", "piano", "牛肉", "钢琴", "医生", "carpet", "budget", "winter")
    texts = [" ".join(words[number % 7 : number % 7 + 3] * 40) for number in range(50)]
    long = " ".join(f"{one}{two}" for one in words[:4] for two in words[:4]) + " ".join(words) * 600
    together = _embed(table, *texts, long, *texts)
    assert (
        together.tobytes()
        == np.vstack([_embed(table, text) for text in (*texts, long, *texts)]).tobytes()
    )


def test_the_order_of_words_does_not_change_a_byte(table: WordVectors) -> None:
    one = "the doctor paid the rent of the old piano school near the river"
    other = "near the river school the piano old doctor of the rent paid the"
    assert _embed(table, one).tobytes() == _embed(table, other).tobytes()


_FIXED = ("I cannot stand crowds", "去意大利哪里度假好？", "the database migration failed 数据库")
_DIGEST = "dd17089047566b3b50b64dc5836ce9062fbd90cd111ab11557ee84a92a61ad0b"


def test_vectors_have_the_bytes_they_had_when_the_table_was_made(table: WordVectors) -> None:
    assert hashlib.sha256(_embed(table, *_FIXED).astype("<f4").tobytes()).hexdigest() == _DIGEST


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["1", "2"])
def test_another_process_computes_the_same_bytes(seed: str) -> None:
    code = (
        "import hashlib\n"
        "from memweir.retrieval.analysis import default_analyzer as a\n"
        "from memweir.retrieval.meaning import WordVectors as w\n"
        f"v = w.load().embed_analysed([a().analyse(t) for t in {_FIXED!r}])\n"
        "print(hashlib.sha256(v.astype('<f4').tobytes()).hexdigest())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONUTF8": "1", "OPENBLAS_NUM_THREADS": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == _DIGEST
