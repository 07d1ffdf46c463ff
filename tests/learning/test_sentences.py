"""Is a text cut into the sentences that a person wrote, each with its language?"""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memweir.learning.sentences import language, sentences


def said(text: str) -> list[str]:
    return [each.text for each in sentences(text, ((0, len(text)),))]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("I like tea. i also like rum.", ["I like tea.", "i also like rum."]),
        ("Really?! Yes! OK.", ["Really?!", "Yes!", "OK."]),
        (
            "我喜欢喝茶。我住在上海！你呢?我写代码",
            ["我喜欢喝茶。", "我住在上海！", "你呢?", "我写代码"],
        ),
        ("I use Vue.我也用React。", ["I use Vue.", "我也用React。"]),
        ("Dr. Smith met Mr. Li, e.g. at 3.5 km.", ["Dr. Smith met Mr. Li, e.g. at 3.5 km."]),
        ("Acme Inc. is in the U.S. It is big.", ["Acme Inc. is in the U.S.", "It is big."]),
        ("We meet at 5 p.m. tomorrow.", ["We meet at 5 p.m. tomorrow."]),
        ("J. R. Tolkien wrote. So did I. We read.", ["J. R. Tolkien wrote.", "So did I.", "We read."]),
        ("I take vitamin C. I like it.", ["I take vitamin C.", "I like it."]),
        ("Room No. 5 is mine. No. I left.", ["Room No. 5 is mine.", "No.", "I left."]),
        ("I moved... to Rome... It rained.", ["I moved... to Rome...", "It rained."]),
        ("很小……但是我喜欢。真的", ["很小……但是我喜欢。", "真的"]),
        ("See https://a.b/c?d=e!f. I do.", ["See https://a.b/c?d=e!f.", "I do."]),
        ("Open app.py and v1.2.3 now.", ["Open app.py and v1.2.3 now."]),
        ('He said "I left. You stayed." today. Ok', ['He said "I left. You stayed." today.', "Ok"]),
        ("他说：“我来。你走。”然后我走了。", ["他说：“我来。你走。”", "然后我走了。"]),
        ("I won! 🎉🎉 It was fun 😀", ["I won! 🎉🎉", "It was fun 😀"]),
        ("- I use vim\n* I use zsh\n• 我用茶", ["I use vim", "I use zsh", "我用茶"]),
        ("1. 我在上海\n2、我养猫\n（三）我写书\n④ 我唱歌", ["我在上海", "我养猫", "我写书", "我唱歌"]),
        ("Plan: 1. I run. 2. I swim.", ["Plan: 1. I run.", "I swim."]),
        ("- [x] I use vim\n## About me", ["I use vim", "About me"]),
        ("**I prefer tabs**\n_I use vim_", ["I prefer tabs", "I use vim"]),
        ("In 1984. That is when.", ["In 1984.", "That is when."]),
        ("a\nb\n\nc\r\nd", ["a", "b", "c", "d"]),
        ("我喜欢茶，\n也喜欢酒。", ["我喜欢茶，\n也喜欢酒。"]),
        (
            "I moved from Hamburg to Berlin last summer because of\nmy new job at the zoo.",
            ["I moved from Hamburg to Berlin last summer because of\nmy new job at the zoo."],
        ),
        ("...\n---\n***", []),
        ("😀", ["😀"]),
        ("\x00 I \ud800 am. Yes", ["\x00 I \ud800 am.", "Yes"]),
    ],
)
def test_a_text_is_cut_at_its_marks_and_breaks_only(text: str, parts: list[str]) -> None:
    assert said(text) == parts


def test_no_sentence_reaches_over_two_stretches_and_each_knows_the_one_before() -> None:
    text = "I like XXX tea. I do"
    found = sentences(text, ((0, 7), (10, 20)))
    assert [(each.text, each.start, each.end, each.before) for each in found] == [
        ("I like", 0, 6, ""),
        ("tea.", 11, 15, "I like"),
        ("I do", 16, 20, "tea."),
    ]


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("I love 麻婆豆腐", "en"),
        ("My name is 李明", "en"),
        ("I use 微信 with my friends", "en"),
        ("我用 VS Code 和 PyCharm 写 Python", "zh"),
        ("Remember: 我喜欢喝茶", "zh"),
        ("記住我用 pnpm", "zh"),
        ("12 🎉", "en"),
        ("東京に住んでいます", "en"),
    ],
)
def test_the_words_that_carry_a_sentence_tell_its_language(text: str, lang: str) -> None:
    assert language(text) == lang


_TEXTS = st.one_of(
    st.text(max_size=80),
    st.lists(
        st.sampled_from(
            ["I ", "我", "。", ". ", "Dr. ", "\n", "- ", "1. ", '"', "“", "”", "…", "a, ", "!", "**"]
        ),
        max_size=25,
    ).map("".join),
)


@example("*0 *", 0, 0)
@given(_TEXTS, st.integers(0, 80), st.integers(0, 80))
@settings(deadline=None, max_examples=300)
def test_a_sentence_is_a_place_in_its_stretch_and_no_letter_is_lost(
    text: str, at: int, to: int
) -> None:
    stretches = [(0, min(at, len(text))), (min(max(at, to), len(text)), len(text))]
    found = sentences(text, stretches)
    reach = 0
    for each in found:
        assert each.text == text[each.start : each.end]
        assert each.text == each.text.strip() != ""
        assert reach <= each.start
        assert any(first <= each.start and each.end <= last for first, last in stretches)
        reach = each.end
    given_letters = sum(sign.isalpha() for first, last in stretches for sign in text[first:last])
    kept_letters = sum(sign.isalpha() for each in found for sign in each.text)
    lettered = sum(1 for sign in text if sign in "abcdefghABCDEFGH一二三四五六七八九十")
    assert given_letters - lettered <= kept_letters <= given_letters


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("k8s namespace 统一叫 team-x", "zh"),
        ("SQL 里别写 select *", "zh"),
        ("合并前跑一下 pre-commit run -a", "zh"),
        ("I love 麻婆豆腐 and 小笼包", "en"),
        ("We met at 东方明珠 in Shanghai", "en"),
    ],
)
def test_names_and_commands_make_no_sentence_english(text: str, lang: str) -> None:
    assert language(text) == lang
