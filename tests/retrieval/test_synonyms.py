"""Members of a synonym group give one token, whichever language they are in."""

from __future__ import annotations

from pathlib import Path

import pytest

from memweir.errors import ConfigError
from memweir.retrieval.analysis import Analyzer, default_analyzer
from memweir.retrieval.normalise import normalise
from memweir.retrieval.synonyms import Synonyms


def tokens(text: str, analyzer: Analyzer | None = None) -> list[str]:
    terms = (analyzer or default_analyzer()).analyse(text).terms
    return [term for term in terms if term.startswith("~")]


def loaded(tmp_path: Path, text: str) -> Synonyms:
    path = tmp_path / "synonyms.txt"
    path.write_text(text, encoding="utf-8")
    return Synonyms.load(path)


def test_every_built_in_member_gives_the_token_of_its_group_and_no_other() -> None:
    for key, members in Synonyms.load().groups.items():
        for member in members:
            assert tokens(member) == [f"~{key}"], member


def test_built_in_members_are_written_in_normal_form() -> None:
    for members in Synonyms.load().groups.values():
        assert [normalise(member) for member in members] == list(members)


def test_built_in_groups_speak_both_languages() -> None:
    groups = Synonyms.load().groups
    chinese = [
        key for key, members in groups.items() if not all(member.isascii() for member in members)
    ]
    assert len(chinese) > 0.95 * len(groups)


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("deploy it to production", "部署到线上"),
        ("which package manager", "包管理器是哪个"),
        ("I like tea", "我喜欢茶"),
        ("allergic to nuts", "对坚果过敏"),
        ("the database is slow", "資料庫很慢"),
        ("log in with a password", "用密码登录"),
    ],
)
def test_the_two_languages_share_a_token(english: str, chinese: str) -> None:
    assert set(tokens(english)) & set(tokens(chinese))


def test_token_is_both_term_and_content_once_per_occurrence() -> None:
    analysis = default_analyzer().analyse("deploy, then deploy again")
    assert analysis.terms.count("~deploy") == 2
    assert analysis.content.count("~deploy") == 2


@pytest.mark.parametrize(
    "text", ["deploys", "deployed", "Deploying", "DEPLOY", "deploy's", "re-deploy"]
)
def test_inflected_forms_count(text: str) -> None:
    assert tokens(text) == ["~deploy"]


@pytest.mark.parametrize(
    "text",
    [
        "likely",  # not a form of "like", though the stemmer says so
        "cared",  # not a form of "car"
        "I'd like to know",
        "would you like",
        "发布会",  # a press conference is no release
        "网上线下",  # 上线 across two words
        "package, manager",
    ],
)
def test_look_alikes_do_not_count(text: str) -> None:
    assert not {"~preference", "~car", "~release", "~deploy", "~package-manager"} & set(tokens(text))


def test_longest_member_wins() -> None:
    assert tokens("I don't like it") == ["~dislike"]
    assert tokens("我不喜欢它") == ["~dislike"]
    assert tokens("log in") == ["~login"]
    assert tokens("log file") == ["~log"]


def test_phrase_inside_an_identifier_counts() -> None:
    assert "~package-manager" in tokens("package_manager")
    assert "~package-manager" in tokens("packageManager")
    assert "~rollback" in tokens("roll-back")


def test_compound_counts_as_its_head() -> None:
    assert tokens("开会时间") == ["~meeting"]  # one word to the segmenter


def test_empty_synonyms_fold_nothing() -> None:
    assert tokens("deploy 部署", Analyzer(synonyms=Synonyms())) == []


def test_user_group_is_added(tmp_path: Path) -> None:
    analyzer = Analyzer(synonyms=loaded(tmp_path, "# ours\natlas: project atlas, 阿特拉斯项目\n"))
    assert "~atlas" in tokens("we shipped Project Atlas", analyzer)
    assert "~atlas" in tokens("阿特拉斯项目", analyzer)
    assert tokens("deploy", analyzer) == ["~deploy"]


def test_user_member_extends_a_built_in_group(tmp_path: Path) -> None:
    analyzer = Analyzer(synonyms=loaded(tmp_path, "deploy: ship it, 推上線\n"))
    assert tokens("ship it", analyzer) == ["~deploy"]
    assert tokens("推上线", analyzer) == ["~deploy"]  # written traditional, found simplified
    assert tokens("部署", analyzer) == ["~deploy"]


def test_user_member_moves_out_of_a_built_in_group(tmp_path: Path) -> None:
    analyzer = Analyzer(synonyms=loaded(tmp_path, "go-live: 上线\n"))
    assert tokens("上线", analyzer) == ["~go-live"]
    assert tokens("部署", analyzer) == ["~deploy"]


def test_user_can_take_a_member_out(tmp_path: Path) -> None:
    analyzer = Analyzer(synonyms=loaded(tmp_path, "deploy: -上线\n"))
    assert tokens("上线", analyzer) == []
    assert tokens("部署", analyzer) == ["~deploy"]


def test_full_width_punctuation_separates_too(tmp_path: Path) -> None:
    assert loaded(tmp_path, "tea：红茶，绿茶、black tea").groups["tea"] == ("black tea", "红茶", "绿茶")


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("a: x, y\nno colon here", 2, "ID: MEMBER"),
        ("bad id: x, y", 1, "ID: MEMBER"),
        (": x", 1, "ID: MEMBER"),
        ("a: x\n\na: y", 3, "already"),
        ("a: x\nb: x", 2, "belongs to a already"),
        ("a:", 1, "no member"),
        ("a: ,,", 1, "no member"),
        ("a: 茶", 1, "two characters"),
        ("a: CI流水线", 1, "either Chinese or"),
        ("a: x/y", 1, "words"),
        ("a: one two three four five six", 1, "at most 5 words"),
        ("a: " + "x" * 49, 1, "at most 48 characters"),
    ],
)
def test_wrong_line_is_named(tmp_path: Path, text: str, line: int, problem: str) -> None:
    with pytest.raises(ConfigError, match=problem) as caught:
        loaded(tmp_path, text)
    assert caught.value.setting.endswith(f"synonyms.txt:{line}")


def test_missing_file_is_a_configuration_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        Synonyms.load(tmp_path / "none.txt")


def test_file_that_is_not_utf8_is_a_configuration_error(tmp_path: Path) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes("a: caf\xe9".encode("latin-1"))
    with pytest.raises(ConfigError, match="UTF-8"):
        Synonyms.load(path)


def test_digest_depends_on_the_groups_and_not_on_their_order(tmp_path: Path) -> None:
    one = Synonyms({"a": ["x", "y"], "b": ["z"]})
    same = Synonyms({"b": ["z"], "a": ["y", "x", "x"]})
    other = Synonyms({"a": ["x"], "b": ["y", "z"]})
    assert one.digest == same.digest != other.digest
    assert Analyzer(synonyms=one).version != Analyzer(synonyms=other).version
