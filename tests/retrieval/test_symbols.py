"""Identifiers are kept whole, taken apart, and only exact ones are symbols."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.dates import without_dates
from memweir.retrieval.symbols import read_identifier
from memweir.retrieval.types import DateSpan


def symbols(text: str) -> list[str]:
    return list(default_analyzer().analyse(text).symbols)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("runs on 8080", ["8080"]),
        ("a single 7 is none", []),
        ("Python 3.11.2", ["3.11.2"]),
        ("tag v2.0 or V2.1", ["v2.0", "2.0", "v2.1", "2.1"]),
        ("PyCharm 2024.1.2", ["2024.1.2"]),
        ("at 10.0.0.1:8080", ["10.0.0.1:8080", "10.0.0.1", "8080"]),
        ("localhost:3000", ["localhost:3000", "3000"]),
        ("端口４３２４", ["4324"]),
        ("fails with ERR-42", ["err-42"]),
        ("CVE-2024-1234", ["cve-2024-1234"]),
        ("MAX_TOKENS is snake_case", ["max_tokens", "snake_case"]),
        ("call getUserById", ["getuserbyid"]),
        ("UserAccountService", ["useraccountservice"]),
        ("Merged PR #260", ["260"]),
        ("paid 1,500,000", ["1500000"]),
        ("16GB of memory", ["16"]),
        ("sha256 of rtx4090", ["sha256", "rtx4090"]),
        ("call 138-0013-8000", ["138-0013-8000"]),
        ("pages 10-20", ["10", "20"]),
        ("id 550e8400-e29b-41d4-a716-446655440000", ["550e8400-e29b-41d4-a716-446655440000"]),
        ("write to a@b.co", ["a@b.co"]),
        ("edit .env", [".env"]),
        ("GET /v1/users", ["/v1/users"]),
        ("see README.md", ["readme.md"]),
    ],
)
def test_symbols_of(text: str, expected: list[str]) -> None:
    assert symbols(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "and/or he/she",
        "a well-known self-paced course",
        "JavaScript and GitHub",
        "node.js and ASP.NET",
        "it ended.Next it began",
        "GB/s",
        "the 1990s, the 3rd, 5pm",
    ],
)
def test_ordinary_writing_has_no_symbol(text: str) -> None:
    assert symbols(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "on 2026-06-10",
        "on 2026/6/10",
        "at 2026-06-10T08:00:00Z",
        "at 2026-06-10T08:00:00.123+08:00",
        "May 12, 2023",
        "12 May 2023",
        "in 2019",
        "20 days ago",
        "at 10:30",
        "2026年6月10日",
        "12月25号",
        "15点开会",
        "10天前",
        "2026 年 12 月 25 日",
    ],
)
def test_numbers_of_a_date_are_no_symbols(text: str) -> None:
    assert symbols(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("住在12号楼", ["12"]),
        ("1001号文件", ["1001"]),
        ("端口 8080 日志在哪", ["8080"]),
        ("返回500时重试", ["500"]),
        ("in 8080 ways", ["8080"]),
        ("今年25岁", ["25"]),
    ],
)
def test_number_is_a_symbol_though_something_beside_it_looks_like_a_date(
    text: str, expected: list[str]
) -> None:
    assert symbols(text) == expected


def test_symbols_inside_given_spans_are_left_out() -> None:
    text = "port 8080 since week 23"
    start = text.index("week 23")
    outside = symbols(without_dates(text, [DateSpan(start, len(text), None)]))
    assert tuple(outside) == ("8080",)


def test_path_is_found_whole_by_its_file_and_by_its_parts() -> None:
    analysis = default_analyzer().analyse("see src/app/user_service.py:42")
    assert analysis.symbols[:2] == ("src/app/user_service.py:42", "src/app/user_service.py")
    assert "user_service.py" in analysis.symbols
    assert {"src", "app", "user", "servic", "py", "42"} <= set(analysis.terms)
    assert "42" not in analysis.symbols  # a line, not a port


def test_windows_path_is_found_with_either_slash() -> None:
    assert {r"c:\users\ada\notes.txt", "c:/users/ada/notes.txt"} <= set(
        symbols(r"C:\Users\ada\notes.txt")
    )


def test_url_keeps_its_query_and_loses_the_full_stop_after_it() -> None:
    found = symbols("open (https://example.com/a/b?x=1#y).")
    assert found[0] == "https://example.com/a/b?x=1#y"
    assert "example.com" in found


def test_root_relative_and_home_paths_keep_their_start() -> None:
    assert "/etc/hosts" in symbols("edit /etc/hosts")
    assert "/etc/hosts" in symbols("修改/etc/hosts")
    assert "~/.ssh/config" in symbols("edit ~/.ssh/config")
    assert "../lib/x.py" in symbols("import ../lib/x.py")
    assert "@types/node" in symbols("add @types/node")


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ("HTTPServer2", ("HTTP", "Server", "2")),
        ("getUserById", ("get", "User", "By", "Id")),
        ("URLs", ("URLs",)),
        ("JavaScript", ("JavaScript",)),
        ("pre-edit", ("pre", "edit")),
        ("python-3.11", ("python",)),
        ("a1b2c3d4", ()),
        ("27th", ("27",)),
        ("größe-x", ("größe", "x")),
    ],
)
def test_words_of_an_identifier(token: str, words: tuple[str, ...]) -> None:
    assert read_identifier(token).words == words


def test_mix_that_is_no_words_is_opaque() -> None:
    assert read_identifier("a1b2c3d4").opaque
    assert not read_identifier("sha256").opaque


def test_longer_version_is_found_by_what_it_begins_with() -> None:
    assert {"3.11.2", "3.11", "3"} <= set(default_analyzer().analyse("3.11.2").terms)


@settings(deadline=None, max_examples=300)
@given(st.text(st.sampled_from("aZ09_-./\\:@#+'&~=?é漢 "), max_size=40))
def test_every_symbol_is_an_index_term(text: str) -> None:
    analysis = default_analyzer().analyse(text)
    assert set(analysis.symbols) <= set(analysis.terms)
    assert len(set(analysis.symbols)) == len(analysis.symbols)


@settings(deadline=None, max_examples=200)
@given(st.text(st.sampled_from("aZ09_-./"), min_size=1, max_size=30))
def test_symbol_is_found_again_when_asked_for_alone(text: str) -> None:
    for symbol in symbols(f"x {text} y"):
        assert symbol in default_analyzer().analyse(symbol).terms
