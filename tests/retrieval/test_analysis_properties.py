"""What holds for every text."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from memweir.retrieval.analysis import Analyzer, default_analyzer
from memweir.retrieval.cjk import PARTICLES
from memweir.retrieval.normalise import normalise, simplify_characters
from memweir.retrieval.stopwords import word_lists
from memweir.retrieval.synonyms import Synonyms
from memweir.retrieval.types import Analysis

ANYTHING = st.text(st.characters(exclude_categories=()), max_size=80)
# Letters, connectors, Han, Kana, marks, emoji, invisible: what the rules are about.
AWKWARD = st.text(
    st.sampled_from(
        "aAzZ09 _-./\\:@#+'’\"`“”《》「」&~=?,$™é\u0301ß汉數据库的不了乾隆瞭解べアー"
        "안ก\u0e31क\u093f\u05d0٣🙂👍🏽👩\u200d💻\ufe0f🇨🇳\u20e3→\x00\ud83d\u200b\u202e\n\t"
    ),
    max_size=60,
)
# Common characters, particles and stop words among them, so that words and stop words do occur.
CHINESE = st.text(
    st.sampled_from(
        "我你他们的了吗呢是在不没有什么时候去北京大学数据库管理喜欢喝茶过敏会议上海公司工作可以因为"
        "生日快乐今天明天端口服务器部署项目用户对花朋友家里面打坏回复"
    ),
    min_size=2,
    max_size=40,
)
TRADITIONAL = st.text(
    st.sampled_from("我們的資料庫連線設定瞭解乾隆皇帝乾淨回覆藉口於是對單一計畫沈默鍾表後臺麼"),
    min_size=2,
    max_size=30,
)


def _check(text: str) -> Analysis:
    analysis = default_analyzer().analyse(text)
    everything = [*analysis.terms, *analysis.content, *analysis.chars, *analysis.symbols]
    for term in everything:
        assert term
        assert len(term) <= 64
        assert '"' not in term
        assert not any(map(str.isspace, term))
        term.encode()
    for surface, stem in analysis.words:
        assert surface
        assert stem
    for name in analysis.names:
        assert name == name.strip() != ""
    assert set(analysis.content) <= set(analysis.terms)
    assert set(analysis.symbols) <= set(analysis.terms)
    assert analysis.normal == normalise(text)
    assert all(len(character) == 1 for character in analysis.chars)
    return analysis


@settings(deadline=None, max_examples=300)
@given(ANYTHING)
def test_any_text_is_analysed(text: str) -> None:
    _check(text)


@settings(deadline=None, max_examples=500)
@given(AWKWARD)
@example("\ud83d")
@example("1.2.3.4.5.6.7.8.9.10.11:12")
@example("a" * 70 + "/" + "b" * 70)
@example("://")
@example("x::y::")
def test_awkward_text_is_analysed(text: str) -> None:
    _check(text)


@settings(deadline=None, max_examples=150)
@given(AWKWARD)
def test_same_text_gives_the_same_analysis_from_another_analyzer(text: str) -> None:
    assert Analyzer().analyse(text) == default_analyzer().analyse(text)


@settings(deadline=None, max_examples=200)
@given(AWKWARD)
def test_white_space_around_a_text_changes_nothing(text: str) -> None:
    assert default_analyzer().analyse(f" \n{text}\t ") == default_analyzer().analyse(text)


def _findable_pair(fragment: str) -> bool:
    """Whether a pair of it is neither a stop word nor with a particle."""
    stop = word_lists().stop
    plain = simplify_characters(fragment)
    pairs = (plain[at : at + 2] for at in range(len(plain) - 1))
    return any(PARTICLES.isdisjoint(pair) and pair not in stop for pair in pairs)


@settings(deadline=None, max_examples=400)
@given(CHINESE, st.data())
def test_every_fragment_of_a_chinese_text_shares_a_term_with_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 2))
    fragment = text[start : start + data.draw(st.integers(2, 8))]
    assume(_findable_pair(fragment))
    analyzer = default_analyzer()
    assert set(analyzer.analyse(fragment).terms) & set(analyzer.analyse(text).terms)


@settings(deadline=None, max_examples=400)
@given(TRADITIONAL, st.data())
def test_every_fragment_of_a_traditional_text_shares_a_term_with_it(
    text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text) - 2))
    fragment = text[start : start + data.draw(st.integers(2, 8))]
    assume(_findable_pair(fragment))
    analyzer = default_analyzer()
    assert set(analyzer.analyse(fragment).terms) & set(analyzer.analyse(text).terms)


@settings(deadline=None, max_examples=200)
@given(CHINESE)
def test_every_character_of_a_chinese_text_is_findable_unless_it_is_a_stop_character(text: str) -> None:
    stop = PARTICLES | word_lists().stop
    assert list(default_analyzer().analyse(text).chars) == [each for each in text if each not in stop]


@settings(deadline=None, max_examples=200)
@given(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), max_size=40))
def test_full_width_equals_half_width(text: str) -> None:
    wide = "".join(chr(ord(character) + 0xFEE0) for character in text)
    assert default_analyzer().analyse(wide) == default_analyzer().analyse(text)


@settings(deadline=None, max_examples=200)
@given(TRADITIONAL)
def test_traditional_equals_its_simplified_form(text: str) -> None:
    analyzer = default_analyzer()
    simplified = normalise(text)
    assert analyzer.analyse(text).normal == analyzer.analyse(simplified).normal
    # The traditional side may have more: pairs by character, for fragments of it.
    assert set(analyzer.analyse(simplified).content) <= set(analyzer.analyse(text).terms) | set(
        analyzer.analyse(simplify_characters(simplified)).terms
    )


WORDS = st.lists(
    st.sampled_from(["the", "deploy", "is", "allowed", "in", "production", "user", "likes", "tea"]),
    min_size=1,
    max_size=8,
)


@settings(deadline=None, max_examples=200)
@given(WORDS, st.data(), st.sampled_from(["not", "never", "no"]))
def test_texts_that_differ_in_a_negation_differ_in_terms(
    words: list[str], data: st.DataObject, negation: str
) -> None:
    at = data.draw(st.integers(0, len(words)))
    denied = [*words[:at], negation, *words[at:]]
    analyzer = default_analyzer()
    assert analyzer.analyse(" ".join(words)).terms != analyzer.analyse(" ".join(denied)).terms


@settings(deadline=None, max_examples=300)
@given(CHINESE, st.data())
def test_chinese_texts_that_differ_in_a_denial_differ_in_terms(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    analyzer = default_analyzer()
    denied = f"{text[:at]}不{text[at:]}"
    assert sorted(analyzer.analyse(text).terms) != sorted(analyzer.analyse(denied).terms)


_SAMPLE = """
import hashlib, sys
from memweir.retrieval.analysis import default_analyzer
texts = [
    "Deploy src/app/main.py to 10.0.0.1:8080, don't log in as O'Brien; getUserById, ERR-42, v3.11.2",
    "我不喜欢喝咖啡，什么时候去北京大学？《活着》的作者余华，資料庫瞭解乾隆 ４３２４ 🙂👨‍👩‍👧",
    "食べる 안녕하세요 Привет café 2026年6月10日 I like the Bank of America",
]
print(hashlib.sha256(repr([default_analyzer().analyse(t) for t in texts]).encode()).hexdigest())
print(default_analyzer().version)
"""


def test_analysis_does_not_depend_on_the_hash_seed() -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", _SAMPLE],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "77")
    }
    assert len(printed) == 1


def test_threads_share_an_analyzer() -> None:
    texts = [f"deploy number{n} 部署第{n}个项目 running workers {'x' * (n % 7)}" for n in range(60)] * 4
    expected = [Analyzer().analyse(text) for text in texts[:60]] * 4
    shared = Analyzer(synonyms=Synonyms.load())
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(shared.analyse, texts)) == expected


def test_digest_stands_for_a_term_that_is_too_long() -> None:
    long = "x" * 65
    digest = hashlib.sha256(long.encode()).hexdigest()[:32]
    assert default_analyzer().analyse(long).terms == (f"sha256:{digest}",)
