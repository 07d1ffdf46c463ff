"""Is what is no prose cut, in blocks and line by line, and prose left alone?"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.learning.sentences import sentences
from memweir.learning.shapes import LONGEST, sentence_shape, shape_cuts
from memweir.learning.types import Sentence


def shape(text: str) -> str | None:
    (found,) = sentences(text, ((0, len(text)),))
    return sentence_shape(found)


@pytest.mark.parametrize(
    ("block", "rule"),
    [
        ("```py\nI = 1\n```", "shape.code"),
        ("~~~\nI like tea\n```\n~~~", "shape.code"),
        ("def f(x):\n    y = x + 1\n    return y", "shape.code"),
        ("import os\nimport sys\nprint(os.getcwd())", "shape.code"),
        ("git add .\ngit commit -m 'I like tea'\ngit push", "shape.code"),
        ("    const a = 1;\n    run(a);", "shape.code"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "shape.table"),
        ("| 名字 | 城市 |\n| 小明 | 上海 |", "shape.table"),
        ("name\tage\nada\t3", "shape.table"),
        ("a,b,c\n1,2,3\n4,5,6", "shape.table"),
        ("ID      NAME    AGE\n1       ada     3\n2       bob     4", "shape.table"),
        ("├── src\n│   └── a.py\n└── tests", "shape.table"),
        ("2026-10-14 09:31:22 INFO started", "shape.log"),
        ("[09:31:22] server started\n[09:31:23] ready", "shape.log"),
        ("ERROR: disk is full\n  at sector 3", "shape.log"),
        ("npm ERR! code E404", "shape.log"),
        ("src/a.c:12:3: error: expected expression", "shape.log"),
        ("drwxr-xr-x 2 root root 4096 Dec 1 02:40 .", "shape.log"),
        (
            'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    f()\nKeyError: 1',
            "shape.trace",
        ),
        ("TypeError: x is undefined\n    at f (a.js:1:2)\n    at g (b.js:3:4)", "shape.trace"),
        (
            'Exception in thread "main" java.lang.Error\n\tat a.B.c(B.java:3)\n\t... 12 more',
            "shape.trace",
        ),
        ("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-I like tea\n+I like rum", "shape.diff"),
        ('{\n  "a": "I like tea",\n  "b": [1, 2]\n}', "shape.data"),
        ('[{"a": 1}, {"a": 2}]', "shape.data"),
        ("services:\n  web:\n    image: nginx\n    ports:\n      - 80", "shape.data"),
        ("DB_HOST=localhost\nDB_PORT=5433", "shape.data"),
        ("[core]\neditor = vim\npager = less", "shape.data"),
        ("> I prefer recursion\n> and tea", "shape.quote"),
        ("＞ 我喜欢递归", "shape.quote"),
    ],
)
def test_a_block_is_cut_and_the_prose_around_it_is_kept(block: str, rule: str) -> None:
    text = f"I moved to Rome.\n\n{block}\n\n我搬到了罗马。"
    kept, left_out = shape_cuts(text, ((0, len(text)),), place=2)
    assert [text[start:end].strip() for start, end in kept] == ["I moved to Rome.", "我搬到了罗马。"]
    assert rule in {each.rule for each in left_out}
    assert {each.place for each in left_out} == {2}


@pytest.mark.parametrize(
    "text",
    [
        "- I prefer tabs\n- I use vim",
        "I live in Rome, Italy\nI like a,b,c\nhe is x,y,z",
        "Name: Ada\nCity: Rome\nEditor: vim",
        "姓名：小明\n城市：上海\n编辑器：vim",
        "    I like poems,\n    they are short.",
        "　　我喜欢写诗。\n　　也喜欢画画。",
        "I like <3 and > 5 cats",
        "WARNING: I get carsick",
        "We meet at 9:30 and 10:45.",
        "Either tea | coffee is fine for me",
        "My editor (vim) is old; my shell is zsh;",
        "*   Phase one is over\n*   Phase two starts\n*   Phase three is mine",
        "Import duties are high here.\nReturn tickets cost 50.\nClass starts at nine.",
        "make sure the tests pass\ngo to the store\nfind me a flat",
        "At work we use:\n\nvim and tmux",
    ],
)
def test_prose_is_not_taken_for_a_block(text: str) -> None:
    assert shape_cuts(text, ((0, len(text)),)) == (((0, len(text)),), ())


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("git push origin main", "shape.code"),
        ("$ npm run build", "shape.code"),
        ("python main.py --verbose", "shape.code"),
        ("docker run -it debian", "shape.code"),
        ("x = foo(bar)", "shape.code"),
        ("const a = 1;", "shape.code"),
        ("`pnpm install`", "shape.code"),
        ("SELECT name FROM users WHERE id = 1", "shape.code"),
        ("if (a > b) {", "shape.code"),
        ("https://example.org/a?b=c", "shape.url"),
        ("www.example.org, https://a.b/c", "shape.url"),
        ("ada@example.org", "shape.url"),
        ("~/dotfiles/.zshrc", "shape.path"),
        ("C:\\Users\\ada", "shape.path"),
        ("src/main.py:12", "shape.path"),
        ("12345", "shape.wordless"),
        ("🎉", "shape.wordless"),
        ("Thanks!", "shape.short"),
        ("Only pnpm.", "shape.short"),
        ("It was great", "shape.short"),
        ("好的", "shape.short"),
        ("你呢？", "shape.short"),
        ("a" * (LONGEST + 1), "shape.long"),
    ],
)
def test_a_line_that_says_nothing_is_named(text: str, rule: str) -> None:
    assert shape(text) == rule


@pytest.mark.parametrize(
    "text",
    [
        "I'm vegan.",
        "I smoke.",
        "我吃素。",
        "我姓王",
        "We use pnpm",
        "Prefer tabs",
        "Git is what I use for my work",
        "docker runs all our services",
        "npm install fails for me every time",
        "我用 pip install 安装依赖",
        "我的邮箱是ada@example.org",
        "My site is https://example.org",
        "I keep it in ~/notes",
        "make sure tests pass",
        "$500 is my rent",
        "I like C++ (and C#); she likes R.",
        "for breakfast in Berlin: eggs",
        "我把 x = 1 写进了配置",
        "a" * 599 + "b",
    ],
)
def test_a_sentence_that_may_state_something_passes(text: str) -> None:
    assert shape(text) in (None, "shape.short" if set(text) == {"a", "b"} else None)


_LINES = st.lists(
    st.sampled_from(
        [
            "I use vim",
            "我住在上海。",
            "",
            "```",
            "x = 1",
            "    y = 2",
            "a,b",
            "1,2",
            "| a |",
            "|--|",
            "{",
            '"a": 1',
            "}",
            "> q",
            "@@ -1 +1 @@",
            "+x",
            "Traceback (most recent call last):",
            "KeyError: 1",
            "\tat a(b)",
            "a: 1",
            "  b: 2",
            "A=1",
            "[09:31:22] x",
            "<a>",
            "\x00",
            "\ud800",
        ]
    ),
    max_size=16,
).map("\n".join)


@given(st.one_of(st.text(max_size=80), _LINES), st.integers(0, 60), st.integers(0, 60))
@settings(deadline=None, max_examples=300)
def test_kept_and_cut_make_up_the_stretches(text: str, at: int, to: int) -> None:
    stretches = ((0, min(at, len(text))), (min(max(at, to), len(text)), len(text)))
    kept, left_out = shape_cuts(text, stretches)
    spans = sorted([*kept, *((each.start, each.end) for each in left_out)])
    reach = 0
    for start, end in spans:
        assert reach <= start < end
        assert any(first <= start and end <= last for first, last in stretches)
        reach = end
    covered = {place for start, end in spans for place in range(start, end)}
    for first, last in stretches:
        assert all(place in covered or text[place].isspace() for place in range(first, last))


@given(st.text(max_size=120))
@settings(deadline=None, max_examples=300)
def test_any_sentence_has_a_shape_or_none(text: str) -> None:
    for lang in ("en", "zh"):
        found = sentence_shape(Sentence(text, 0, len(text), lang))
        assert found is None or found.startswith("shape.")
