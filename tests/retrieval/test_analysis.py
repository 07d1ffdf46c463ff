"""What a text says, example by example."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memweir.retrieval.analysis import Analyzer, default_analyzer
from memweir.retrieval.synonyms import Synonyms

PLAIN = Analyzer(synonyms=Synonyms())


def terms(text: str) -> list[str]:
    return list(PLAIN.analyse(text).terms)


def content(text: str) -> list[str]:
    return list(PLAIN.analyse(text).content)


# ── English ──


def test_words_are_stemmed_and_stop_words_left_out() -> None:
    assert terms("The projects were using it") == ["project", "use"]


def test_negation_is_a_term_and_no_content() -> None:
    assert terms("it is not allowed, never") == ["not", "allow", "never"]
    assert content("it is not allowed, never") == ["allow"]


@pytest.mark.parametrize("text", ["don't", "don’t", "DON'T", "cannot", "can't", "isn't", "dont"])
def test_contracted_negation_reads_not(text: str) -> None:
    assert terms(text) == ["not"]
    assert content(text) == []


def test_possessive_is_removed_whatever_the_apostrophe() -> None:
    assert terms("Nate's") == terms("Nate’s") == terms("nate") == ["nate"]
    assert terms("GitHub's") == ["github"]


def test_name_with_an_apostrophe_is_found_with_and_without() -> None:
    assert terms("O'Brien") == ["obrien", "brien"]


def test_accents_do_not_matter() -> None:
    assert terms("café naïve") == terms("cafe naive")


def test_identifier_is_kept_whole_and_split() -> None:
    assert terms("pre-edit") == ["pre-edit", "pre", "edit"]
    assert terms("snake_case") == ["snake_case", "snake", "case"]
    assert terms("getUserById") == ["getuserbyid", "user"]
    assert terms("GB/s") == ["gb/s", "gb", "s"]


def test_names_of_languages_keep_their_signs() -> None:
    assert terms("C++ C# .NET node.js C") == ["c++", "c#", ".net", "net", "node.js", "node", "js", "c"]


def test_letters_with_full_stops_are_found_joined_too() -> None:
    assert terms("U.S.A.") == ["u.s.a", "usa"]


def test_words_of_other_scripts_are_terms() -> None:
    assert terms("Привет мир") == ["привет", "мир"]
    assert terms("العربية हिन्दी") == ["العربية", "हिन्दी"]


def test_pure_punctuation_gives_nothing() -> None:
    analysis = PLAIN.analyse("?! -- … ((( ___ 。，「」 * | ` ~ ^ = < >")
    assert analysis.terms == analysis.content == analysis.chars == analysis.names == ()


def test_one_digit_is_a_term() -> None:
    assert terms("3 cats") == ["3", "cat"]


def test_words_pair_surface_and_stem() -> None:
    assert PLAIN.analyse("Running user_names 数据库").words == (
        ("running", "run"),
        ("user", "user"),
        ("names", "name"),
        ("数据库", "数据库"),
    )


# ── Chinese ──


def test_pairs_and_words_are_terms() -> None:
    # 数据库 is one word; its pairs are terms besides it.
    assert terms("数据库连接") == ["数据库", "数据", "据库", "库连", "连接"]


def test_two_character_word_and_its_pair_are_one_term() -> None:
    assert terms("杭州") == ["杭州"]


def test_pair_with_a_particle_is_skipped_unless_it_is_a_word() -> None:
    assert terms("好的吗") == []
    assert "了解" in terms("了解目的")
    assert "目的" in terms("了解目的")
    assert "解目" in terms("了解目的")


def test_pair_that_is_a_stop_word_is_skipped() -> None:
    assert terms("我们可以") == ["们可"]
    assert content("我们可以") == []


def test_pair_that_touches_a_stop_word_is_no_content() -> None:
    assert "么时" not in terms("什么时候去北京")
    assert content("什么时候去北京") == ["去北", "北京"]


def test_denial_is_a_term() -> None:
    assert "不" in terms("不允许")
    assert "不" not in content("不允许")
    assert content("不允许") == ["允许"]


def test_single_characters_are_apart() -> None:
    analysis = PLAIN.analyse("今天下雨了")
    assert analysis.chars == ("今", "天", "下", "雨")
    assert "雨" not in analysis.terms


def test_traditional_and_simplified_have_the_same_terms() -> None:
    assert terms("資料庫連線設定") == terms("资料库连线设定")


def test_fragment_of_a_traditional_phrase_is_found() -> None:
    # 瞭解 becomes 了解 as a phrase; cut in the middle it cannot.
    assert set(terms("請瞭解情況")) & set(terms("請瞭"))
    assert set(terms("乾隆皇帝")) & set(terms("干隆"))


def test_other_scripts_without_spaces_give_pairs() -> None:
    assert terms("食べる") == ["食べ", "べる"]
    assert terms("안녕하세요") == ["안녕하세요", "안녕", "녕하", "하세", "세요"]
    assert "สว" in terms("สวัสดี")


def test_date_is_found_in_either_writing() -> None:
    assert "2026-06-01" in terms("2026年6月1日")
    assert "2026-06-01" in terms("2026/6/1")
    assert "2026-06-01" in terms("2026-06-01T08:00:00Z")


# ── signs ──


def test_emoji_are_terms_and_content() -> None:
    assert terms("ok 🙂🙂") == ["🙂", "🙂"]
    assert content("🙂") == ["🙂"]


def test_joined_emoji_are_one_term_and_variation_selectors_do_not_matter() -> None:
    assert terms("👨‍👩‍👧") == ["👨\u200d👩\u200d👧"]
    assert terms("🏳️‍🌈") == terms("🏳‍🌈")
    assert terms("❤️") == terms("❤") == ["❤"]
    assert terms("🇨🇳1️⃣") == ["🇨🇳", "1\u20e3"]


def test_emoji_with_a_skin_tone_is_found_without() -> None:
    assert terms("👍🏽") == ["👍🏽", "👍"]


def test_signs_are_terms_and_no_content() -> None:
    assert terms("€ → ™ $") == ["€", "→", "™", "$"]
    assert content("€ → ™ $") == []


# ── names ──


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("What does Joanna think of Nate's dog?", ["joanna", "nate"]),
        ("The Bank of America is here", ["bank of america"]),
        ("I read Lord of the Rings by J.R.R. Tolkien", ["lord of the rings", "j.r.r. tolkien"]),
        ("They run. Deploy it", ["deploy"]),
        ("I am. What is it", []),
        ("I'm here on Monday, 10 Dec, and she's away", []),
        ("Dr. Smith", ["smith"]),
        ('he played "Happy Days" twice', ["happy days"]),
        ('he said "I will never go there again, no"', []),
        ("use user_service and `make test`", ["user_service", "make test"]),
        ("《活着》的作者", ["活着"]),
        ("她说「早安」", ["早安"]),
        ("张伟在上海的腾讯公司", ["张伟", "上海", "腾讯"]),
        ("对花生过敏，明白", []),
    ],
)
def test_names_of(text: str, names: list[str]) -> None:
    assert list(PLAIN.analyse(text).names) == names


def test_names_of_one_text_are_bounded() -> None:
    few = [f"Name{chr(97 + n)}x" for n in range(26)]
    assert len(PLAIN.analyse(", ".join(few + few)).names) == 26
    many = " and ".join(f"N{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(100))
    assert len(PLAIN.analyse(many).names) == 32


# ── size, loading, version ──


def test_long_term_is_replaced_by_a_digest_and_its_parts_are_found() -> None:
    url = "https://example.com/" + "/".join(["segment"] * 20)
    found = terms(url)
    assert max(map(len, found)) <= 64
    assert "segment" in found
    assert set(PLAIN.analyse(url).symbols) <= set(found)
    assert terms("x" * 65) == terms("x" * 65) != terms("x" * 66)


def test_far_too_long_text_keeps_its_start_middle_and_end() -> None:
    words = [
        f"w{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676 % 26)}q" for n in range(17_000)
    ]
    text = "firstword " + " ".join(f"{word}{number}" for number, word in enumerate(words)) + " lastword"
    analysis = PLAIN.analyse(text)
    assert len(analysis.terms) == 20_000
    at = [int(term[5:]) for term in analysis.terms if term[:1] == "w" and term[5:].isdigit()]
    assert analysis.terms[0] == "firstword"
    assert at == sorted(at)
    for start in range(0, 17_000, 1_000):
        assert any(start <= number < start + 1_000 for number in at)


def test_repeats_go_first_where_a_text_is_far_too_long() -> None:
    analysis = PLAIN.analyse("the same words again " * 20_000 + "needle")
    assert analysis.terms == ("word", "needl")


def test_text_of_many_parts_is_analysed_to_its_end() -> None:
    filler = "lorem ipsum dolor " * 8_000  # 144,000 characters, three parts
    analysis = PLAIN.analyse(filler + "needle_42x 针尖对麦芒")
    assert "needle_42x" in analysis.symbols
    assert "针尖" in analysis.terms


def test_importing_loads_no_dictionary() -> None:
    code = (
        "import sys, memweir.retrieval.analysis as a; a.Analyzer().version; "
        "a.Analyzer().analyse('42'); "
        "print(sorted({'rjieba', 'opencc', 'snowballstemmer'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_english_text_loads_no_chinese_dictionary() -> None:
    code = (
        "import sys; from memweir.retrieval.analysis import default_analyzer; "
        "default_analyzer().analyse('The pipelines are deployed, café'); "
        "print(sorted({'rjieba', 'opencc'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_version_names_what_an_index_depends_on() -> None:
    version = default_analyzer().version
    for part in ("analysis-", "rjieba-", "opencc-", "snowball-", "words-", "synonyms-"):
        assert part in version
    assert Analyzer().version == version
    assert Analyzer(synonyms=Synonyms()).version != version


def test_default_analyzer_is_one_per_process() -> None:
    assert default_analyzer() is default_analyzer()
