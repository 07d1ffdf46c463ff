"""Is every script and every byte findable and kept? Section B of the cases: Chinese, Unicode, bytes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memweir import Config, Memory, Scope
from memweir.errors import RefusedError, ThreatRefused
from memweir.retrieval.scripts import IGNORABLE
from memweir.testing import SCOPE, FixedClock, draft

Tell = Callable[..., list[str]]
Open = Callable[..., Memory]
Only = Callable[..., Config]

OTHERS = (
    "午饭在十二点",
    "小李会拉大提琴",
    "厨房刷成了蓝色",
    "我的电脑坏了",
    "他去了北京的公司",
    "买了三个苹果",
    "会议改了时间",
    "The kitchen is painted blue",
)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("即适者生存，生存等于正确的道理", "适者生存"),
        ("即适者生存，生存等于正确的道理", "等于正确"),
        ("亏损到三个点就止损", "止损"),
        ("亏损到三个点就止损", "三个点"),
        ("结算系统由张伟维护", "张伟"),
        ("結算系統由張偉維護", "结算系统"),
        ("结算系统由张伟维护", "結算系統"),
        ("今日は東京で会議です", "東京"),
        ("서울에서 회의가 있습니다", "회의"),
        ("ประชุมที่กรุงเทพ", "กรุงเทพ"),
    ],
)
def test_case_09_word_inside_an_unspaced_run_is_found(
    open_memory: Open, tell: Tell, only: Only, text: str, query: str
) -> None:
    memory = open_memory(config=only("keyword"))
    wanted, *_ = tell(memory, text, *OTHERS)
    recall = memory.recall(query, scope=SCOPE)
    assert recall.candidates[0].id == wanted
    assert recall.candidates[0].injected


def test_case_11_single_character_is_weaker_than_a_pair_and_particles_do_not_flood(
    memory: Memory, tell: Tell
) -> None:
    rain, *_ = tell(memory, "今天下雨了", *OTHERS)
    scores = {}
    for query in ("雨", "下雨"):
        first = memory.recall(query, scope=SCOPE).candidates[0]
        assert first.id == rain
        assert first.injected
        scores[query] = first.score
    assert scores["雨"] < scores["下雨"]
    for particle in ("的", "了", "在", "是"):
        assert memory.recall(particle, scope=SCOPE).items == ()


@pytest.mark.parametrize(
    ("tag", "asked"),
    [
        ("模型", "模型"),
        ("模型", "請問模型"),
        ("机器 学习", "机器 学习"),
        ("Größe", "grösse"),
        ("ＡＩ", "ai"),
        ("🙂", "🙂"),
    ],
)
def test_case_13_tag_of_any_script_is_found_and_filters(
    memory: Memory, tell: Tell, tag: str, asked: str
) -> None:
    (tagged,) = tell(memory, "x", tags=(tag,))
    tell(memory, *OTHERS)
    assert memory.recall(asked, scope=SCOPE).candidates[0].id == tagged
    assert memory.get(tagged, scope=SCOPE).tags == (tag,)
    if asked != "請問模型":
        filtered = memory.recall("x 午饭 电脑", scope=SCOPE, tags=(asked,))
        assert [item.id for item in filtered.candidates] == [tagged]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("服务器端口４３２４", "4324"),
        ("服务器端口4324", "４３２４"),
        ("项目代号ＡＰＯＬＬＯ", "apollo"),
        ("the code is apollo", "ＡＰＯＬＬＯ"),
        ("版本是 Ｖ２．１３．０", "v2.13.0"),
        ("ﾃｽﾄ環境は停止中", "テスト環境"),
        ("cafe\u0301 opens at eight", "café"),
        ("caf\u00e9 opens at eight", "cafe\u0301"),
        ("the ﬁle is read-only", "file"),
        ("①号楼在施工", "1号楼"),
    ],
)
def test_case_14_full_width_and_compatibility_forms_are_the_same_text(
    open_memory: Open, tell: Tell, only: Only, text: str, query: str
) -> None:
    memory = open_memory(config=only("keyword"))
    wanted, *_ = tell(memory, text, *OTHERS)
    assert memory.recall(query, scope=SCOPE).candidates[0].id == wanted
    assert memory.get(wanted, scope=SCOPE).text == text


@pytest.mark.parametrize(
    "text", ["手机１３８００１３８０００", "call １３８-００１３-８０００", "ＡＤＡ＠ＣＯＲＰ．ＣＮ"]
)
def test_case_14_full_width_personal_data_is_quarantined(memory: Memory, text: str) -> None:
    stored = memory.remember(text, scope=SCOPE)
    assert stored.status == "quarantined"
    assert memory.recall(text, scope=SCOPE).candidates == ()


def test_case_15_facts_without_a_latin_letter_stay_apart(memory: Memory, tell: Tell) -> None:
    texts = (
        "我喜欢喝茶",
        "公司在上海",
        "我喜歡喝咖啡",
        "会议在周一",
        "会议在周二",
        "🙂",
        "🙂🙂",
        "。。。",
        "…",
    )
    assert len(set(tell(memory, *texts))) == len(texts)
    assert memory.stats().memories == {"active": len(texts)}
    # Not a matter of writing: the same words in another script are the same memory.
    assert len(set(tell(memory, "公司在上海", "公司在上海 ", "公司在上海"))) == 1
    assert [item.text for item in memory.recall("公司在哪里", scope=SCOPE).items] == ["公司在上海"]


@pytest.mark.parametrize("text", ["done \ud83d", "\ude00 done", "a\ud800\ud800b done"])
def test_case_17_lone_surrogate_harms_neither_itself_nor_its_batch(memory: Memory, text: str) -> None:
    results = memory.remember_many([draft("first 茶"), draft(text), draft("last 咖啡", title=text)])
    assert [getattr(each, "outcome", each) for each in results] == ["created"] * 3
    broken = results[1]
    stored = memory.get(broken.id, scope=SCOPE).text  # type: ignore[union-attr]
    assert stored == "".join("\ufffd" if "\ud800" <= each <= "\udfff" else each for each in text)
    for query in (text, "done"):
        assert broken.id in [each.id for each in memory.recall(query, scope=SCOPE).candidates]  # type: ignore[union-attr]
    assert memory.recall(text, scope=SCOPE, context=(text,)).abstained == ""


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Acme moved\x00 to Shenzhen", "Shenzhen"),
        ("\x00Acme moved to Shenzhen", "Shenzhen"),
        ("公司搬到\x00深圳了", "深圳"),
        ("ESC \x1b[31m and BEL \x07 then Shenzhen", "Shenzhen"),
    ],
)
def test_case_18_text_after_a_nul_is_kept_and_found(
    memory: Memory, tell: Tell, text: str, query: str
) -> None:
    wanted, *_ = tell(memory, text, *OTHERS)
    assert memory.get(wanted, scope=SCOPE).text == text
    recall = memory.recall(query, scope=SCOPE)
    assert recall.items[0].id == wanted
    assert "\x00" not in recall.block
    asked = memory.recall(f"where\x00 is {query}", scope=SCOPE)
    assert asked.candidates[0].id == wanted


@pytest.mark.parametrize(
    "text",
    [
        "👨‍👩‍👧 家庭日是周六 🏳️‍🌈",
        "❤️ and ☺︎ mean something 家庭日",
        "🏴󠁧󠁢󠁥󠁮󠁧󠁿 plays on 家庭日",
        "可以\u200b换行的家庭日",
        "क्‍ष is written with a joiner 家庭日",
        "\u2067שלום\u2069 家庭日",
    ],
)
def test_case_19_joiners_and_variation_selectors_are_kept(
    memory: Memory, tell: Tell, text: str
) -> None:
    wanted, *_ = tell(memory, text, *OTHERS)
    assert memory.get(wanted, scope=SCOPE).text == text
    assert memory.recall("家庭日", scope=SCOPE).items[0].text == text


@pytest.mark.parametrize(
    "hidden",
    [
        "tea \u202efdp.exe",
        "tea \u2066never closed",
        "tea " + "\u200b\u200c\u200d" * 4,
        "tea " + "".join(chr(0xE0000 + ord(each)) for each in "send it"),
        "茶" + "\u2060" * 12 + "水",
    ],
)
def test_case_19_hidden_runs_are_still_refused(memory: Memory, hidden: str) -> None:
    with pytest.raises(ThreatRefused):
        memory.remember(hidden, scope=SCOPE)
    assert memory.stats().memories == {}


# 21: any piece of a text finds it

ENGLISH = [
    "The",
    "project",
    "uses",
    "pnpm,",
    "not",
    "npm;",
    "run",
    "pre-edit",
    "check",
    "before",
    "commit",
    "to",
    "main",
    "and",
    "don't",
    "push",
    "on",
    "Friday",
    "v2.13.0",
    "port",
    "8080",
    "ERR-42",
    "getUserById",
    "snake_case_name",
    "https://example.org/a/b?c=d",
    "~/src/app.py",
    "a",
    "->",
    "b",
    "x+y=z",
    "C++",
    "C#",
    "$50",
    "50%",
    "#tag",
    "@ada",
    "np",
    "is",
    "pnp",
    "in",
    "to",
    "of",
    "and",
    "a",
    "I",
]
CHINESE = (
    "即适者生存生存等于正确的道理亏损到三个点就止损今天下雨了服务器端口我们在上海的办公室里开会决定不用框架了吗"
    "呢也的了是在昨天下午两点３４．５乾隆皇帝頭髮發財著作權"
)
SIGNS = ("🙂", "👨‍👩‍👧", "🏳️‍🌈", "→", "★", "—", "~", "×", "。", "、", "《", "》")

_chinese = st.integers(0, len(CHINESE) - 9).flatmap(
    lambda at: st.integers(1, 8).map(lambda size: CHINESE[at : at + size])
)
_shuffled = st.text(st.sampled_from(CHINESE), min_size=1, max_size=8)
_wild = st.text(st.characters(exclude_categories=("Cc", "Cs", "Cn", "Co")), min_size=1, max_size=6)
_pieces = st.one_of(
    st.sampled_from(ENGLISH),
    _chinese,
    _shuffled,
    st.sampled_from(SIGNS),
    _wild,
    st.sampled_from(ENGLISH),
)
_texts = st.builds(
    lambda parts, joint: joint.join(parts),
    st.lists(_pieces, min_size=1, max_size=7),
    st.sampled_from([" ", "", "，", ", ", "\n"]),
).filter(str.strip)


_INVISIBLE = re.compile(f"[{IGNORABLE}]")


def _is_askable(piece: str) -> bool:
    """Whether a piece holds a letter, digit or sign that can be seen."""
    return any(unicodedata.category(each)[0] in "LNS" for each in _INVISIBLE.sub("", piece))


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    path = tmp_path_factory.mktemp("crowded") / "memory.db"
    with Memory.open(path, clock=FixedClock()) as memory:
        yield memory


_rooms = count()


@settings(deadline=None, max_examples=120)
@example(texts=["¨", "a ¨"], cuts=[(0, 2)])
@given(
    texts=st.lists(_texts, min_size=1, max_size=4, unique=True),
    cuts=st.lists(st.tuples(st.integers(0, 400), st.integers(2, 8)), min_size=6, max_size=6),
)
def test_case_21_any_piece_of_a_text_finds_it(
    crowded: Memory, texts: list[str], cuts: list[tuple[int, int]]
) -> None:
    # A scope of its own, in which several others lie that hold the same words.
    scope = Scope.session(str(next(_rooms)))
    background = [*OTHERS, "np is pnp", "a to b", " ".join(ENGLISH[:24]), CHINESE[:30], "-> 和 ~"]
    results = crowded.remember_many([draft(each, scope=scope) for each in (*texts, *background)])
    for text, stored in zip(texts, results, strict=False):
        if isinstance(stored, RefusedError):
            continue  # the gates' business
        for at, size in cuts:
            start = at % max(len(text) - size + 1, 1)
            piece = text[start : start + size]
            if _is_askable(piece):
                # Not routed: of a record of a failure a piece does not say that the turn is about it.
                found = crowded.recall(piece, scope=scope, record=False, route=False).candidates
                assert stored.id in [each.id for each in found], (piece, text)  # type: ignore[union-attr]


def test_case_21_pieces_are_found_beside_a_memory_that_holds_them_as_words(
    open_memory: Open, tell: Tell, only: Only
) -> None:
    memory = open_memory(config=only("keyword"))
    text = "用 getUserById 读 user_id，然后 -> 写回服务器的端口８０８０"
    cuts = [(at, size) for size in range(2, 9) for at in range(len(text) - size + 1)]
    pieces = [piece for piece in (text[at : at + size] for at, size in cuts) if _is_askable(piece)]
    wanted, *_ = tell(memory, text, *OTHERS, " / ".join(pieces))
    for piece in pieces:
        found = memory.recall(piece, scope=SCOPE, record=False).candidates
        assert wanted in [each.id for each in found], piece


def test_case_21_holds_for_a_file_written_before_it_was_opened(
    open_memory: Open, tell: Tell, path: Path
) -> None:
    first = open_memory()
    wanted, *_ = tell(first, "run pre-edit check 适者生存", *OTHERS)
    first.close()
    again = open_memory()
    for piece in ("e-edit", "re-ed", "者生", "k 适", "适者生存"):
        assert wanted in [each.id for each in again.recall(piece, scope=SCOPE).candidates]
