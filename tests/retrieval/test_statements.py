"""Is it known what a text states, whether it denies it, and whether it announces a change?"""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.polarity import clash, read_sentence
from memweir.retrieval.polarity_words import lexicon
from memweir.retrieval.statements import LONGEST_TEXT, Statement, read_statement
from memweir.retrieval.typed_values import kind_of, mark_values
from memweir.retrieval.wording import word_tokens


def read(text: str) -> Statement:
    return read_statement(text, default_analyzer())


# --- skeleton and polarity ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("affirmed", "denied"),
    [
        ("Production deployment is allowed", "Production deployment is not allowed"),
        ("Production deployment is allowed", "Production deployment isn't allowed"),
        ("Production deployment is allowed", "Production deployment isn’t allowed"),
        ("Production deployment is allowed", "Production deployment is forbidden"),
        ("Ada likes tea", "Ada doesn't like tea"),
        ("Ada likes tea", "Ada hates tea"),
        ("Ada likes tea", "Ada can't stand tea"),
        ("Turn on autosave", "Turn off autosave"),
        ("Autosave is on", "Autosave is off"),
        ("Autosave is enabled", "Autosave is turned off"),
        ("Always rebase", "Never rebase"),
        ("The door is locked", "The door is not locked"),
        ("The door is locked", "The door is no longer locked"),
        ("We use npm", "We don't use npm anymore"),
        ("允许部署到生产", "不允许部署到生产"),
        ("允许部署到生产", "禁止部署到生产"),
        ("周三开会", "周三不开会"),
        ("我喜欢香菜", "我讨厌香菜"),
        ("自动保存已开启", "自动保存已关闭"),
        ("用 npm", "不要用 npm"),
        ("我有驾照", "我没有驾照"),
        ("合同已经签了", "合同还没签"),
        ("我去过日本", "我没去过日本"),
        ("爺爺喜歡坐飛機", "爷爷不喜欢坐飞机"),
        ("他总是迟交", "他从不迟交"),
    ],
)
def test_texts_that_part_in_polarity_only_have_equal_skeletons(affirmed: str, denied: str) -> None:
    one, other = read(affirmed), read(denied)
    assert one.skeleton
    assert one.skeleton == other.skeleton
    assert clash(one.polarity, other.polarity)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada likes tea", "Ada really likes tea"),
        ("Ada doesn't like tea", "Ada doesn't hate tea"),  # she may not care
        ("Ada doesn't dislike tea", "Ada likes tea"),
        ("Backups are not always kept", "Backups are kept"),
        ("Backups are always kept", "Backups are kept"),
        ("Logging is not disabled", "Logging is enabled"),
        ("不是不允许部署到生产", "允许部署到生产"),
        ("并不是不允许部署到生产", "可以部署到生产"),
    ],
)
def test_what_may_both_be_true_does_not_clash(one: str, other: str) -> None:
    assert read(one).skeleton == read(other).skeleton
    assert not clash(read(one).polarity, read(other).polarity)


def test_not_always_denies_always_and_nothing_less() -> None:
    # States: always 1, sometimes 2, never 4. Plain: 1 or 2; "not always": 2 or 4.
    polarity = {
        text: read(text).polarity
        for text in ("Backups are always kept", "Backups are kept", "Backups are not always kept")
    }
    assert list(polarity.values()) == [(0b001,), (0b011,), (0b110,)]
    assert clash(polarity["Backups are always kept"], polarity["Backups are not always kept"])


def test_denial_turns_the_clause_it_stands_in() -> None:
    first = read("The app is not portable and uses pnpm")
    second = read("The app is portable and does not use pnpm")
    assert first.skeleton == second.skeleton
    assert first.polarity == (0b100, 0b011)
    assert second.polarity == (0b011, 0b100)


def test_answer_no_does_not_deny_the_next_clause() -> None:
    assert read("No, we use npm").polarity == read("We use npm").polarity


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("这个方案不错", "不错"),
        ("不仅支持导出", "不仅"),
        ("我不得不去上海", "不得不"),
        ("不过周三开会", "不过"),
        ("不同版本支持导出", "不同"),
        ("两个版本差不多", "差不多"),
        ("没关系，周三开会", "没关系"),
        ("Not only Ada likes tea", "not_only"),
        ("No problem, deployment is allowed", "no_problem"),
        ("Ada drinks nothing but tea", "nothing_but"),
        ("I can't wait to see Rome", "can_not_wait"),
        ("No doubt Ada likes tea", "no_doubt"),
    ],
)
def test_denial_inside_a_word_or_set_phrase_denies_nothing(text: str, inside: str) -> None:
    reading = read_sentence(text.lower())
    assert not reading.denies
    assert inside in reading.skeleton


def test_denial_before_a_word_that_begins_like_a_set_phrase_denies() -> None:
    assert read_sentence("小李对花生不过敏").denies


@pytest.mark.parametrize(
    ("reminder", "thing"),
    [
        ("Don't forget to run the tests", "Run the tests"),
        ("Never forget to lock the door", "Lock the door"),
        ("别忘了关灯", "关灯"),
        ("记得不要用 npm", "不要用 npm"),
    ],
)
def test_reminder_states_what_it_reminds_of(reminder: str, thing: str) -> None:
    assert read(reminder).skeleton == read(thing).skeleton
    assert read(reminder).polarity == read(thing).polarity
    assert read(reminder).reversal == ""


@pytest.mark.parametrize(
    "text",
    [
        "Is production deployment allowed?",
        "is the port open",
        "Ada likes tea, doesn't she?",
        "允许部署到生产吗",
        "小王喜不喜欢喝茶",
        "If tests fail, deployment is not allowed",
        "When the flag is set, retries are off",
        "Maybe Ada likes tea",
        "It may rain on the parade",
        "如果下雪就不开会",
        "小王可能喜欢喝茶",
        "Ben said that Ada likes tea",
        "听说小王喜欢喝茶",
        "There is no standup today",
        "There is no standup next Friday",
        "今天不开会",
        "下周三不开会",
        "I'm not hungry",
        "我不饿",
        "I don't like it",
        "That is not right",
        "我不喜欢它",
        "I didn't sleep well",
        "Ben called me back",
        "小李没接电话",
        "I don't know",
        "我不知道",
        "可以",
        "Default is not true",
        "3. deployment is not allowed",
        "Step 3: deployment is not allowed",
        "第三步：不要重启",
        "首先，不要重启",
        "",
        "   ",
        "!!! … 。",
    ],
)
def test_what_is_no_plain_statement_has_no_skeleton(text: str) -> None:
    assert read(text).skeleton == ""
    assert read(text).polarity == ()


def test_one_question_among_its_sentences_leaves_a_text_without_skeleton() -> None:
    assert read("Ada likes tea. Ben likes coffee.").skeleton
    assert read("Ada likes tea. Do you like coffee?").skeleton == ""


def test_single_bullet_is_a_statement_and_a_list_is_none() -> None:
    assert read("- Ada likes tea").skeleton == read("Ada likes tea").skeleton
    assert read("- Ada likes tea\n- Ben likes coffee") == Statement()
    assert read("1. Ada likes tea\n2. Ben likes coffee") == Statement()


def test_quoted_words_are_one_name() -> None:
    one = read('My favourite song is "Always Let Me Go"')
    other = read('My favourite song is "Never Let Me Go"')
    assert one.skeleton
    assert one.skeleton != other.skeleton
    assert one.polarity == other.polarity
    assert read("我最喜欢的歌是《不再犹豫》").reversal == ""


def test_month_may_is_no_guess() -> None:
    assert read("The wedding is on May 3").skeleton
    assert read("The wedding may be off").skeleton == ""


# --- announced changes --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reversal", "subject", "value", "old"),
    [
        ("The SSH port was changed to 49222", "change", {"ssh", "port"}, {"49222"}, set()),
        ("The project switched from npm to pnpm", "change", {"project"}, {"pnpm"}, {"npm"}),
        ("The project now uses pnpm instead of npm", "change", {"project"}, {"pnpm"}, {"npm"}),
        ("We replaced Redis with Valkey for caching", "change", {"cach"}, {"valkey"}, {"redi"}),
        ("The repo was renamed to atlas-core", "change", {"repo"}, {"atlas-core"}, set()),
        ("Ada moved to Berlin", "change", {"ada"}, {"berlin"}, set()),
        ("Priya used to live in Rome, now she lives in Oslo", "change", {"priya"}, {"oslo"}, {"rome"}),
        (
            "The demo moved to Sunday, December 28",
            "change",
            {"demo"},
            {"sunday", "decemb", "28"},
            set(),
        ),
        ("Max retries is now 5", "change", {"max", "retri"}, {"5"}, set()),
        ("The project no longer uses npm", "end", {"project", "use", "npm"}, set(), set()),
        ("I don't drink coffee anymore", "end", {"drink", "coffe"}, set(), set()),
        ("I used to smoke but now I don't", "end", {"smoke"}, set(), set()),
        ("We stopped using Jenkins", "end", {"use", "jenkin"}, set(), set()),
        ("The Friday demo has been cancelled", "end", {"friday", "demo"}, set(), set()),
        ("SSH 端口改到 49222", "change", {"ssh", "端口"}, {"49222"}, set()),
        ("项目从 npm 换成了 pnpm", "change", {"项目"}, {"pnpm"}, {"npm"}),
        ("我们现在用 pnpm 而不是 npm", "change", set(), {"pnpm"}, {"npm"}),
        ("不用 npm，改用 pnpm", "change", set(), {"pnpm"}, {"npm"}),
        ("早餐不吃面包了，改吃燕麦", "change", {"早餐"}, {"燕麦"}, {"面包"}),
        ("缓存用 Valkey 代替了 Redis", "change", {"缓存"}, {"valkey"}, {"redi"}),
        ("仓库改名为 atlas-core", "change", {"仓库"}, {"atlas-core"}, set()),
        ("小王搬到北京了", "change", {"小王"}, {"北京"}, set()),
        ("我不再吃肉", "end", {"吃肉"}, set(), set()),
        ("我不喝咖啡了", "end", {"咖啡"}, set(), set()),
        ("周三的例会取消了", "end", {"周三", "例会"}, set(), set()),
    ],
)
def test_change_is_announced_with_what_to_look_up(
    text: str, reversal: str, subject: set[str], value: set[str], old: set[str]
) -> None:
    statement = read(text)
    assert statement.reversal == reversal
    assert subject <= set(statement.subject_terms)
    assert value <= set(statement.value_terms)
    assert old <= set(statement.old_terms)
    assert not (value - subject) & set(statement.subject_terms)
    assert bool(old) == bool(statement.old_terms)


@pytest.mark.parametrize(
    "text",
    [
        "Do not forget to switch to pnpm",
        "别忘了把端口改到 22",
        "记得不要换成 npm",
        "I use npm now and then",
        "Right now the port is 22",
        "For now we use npm",
        "现在端口是 22",
        "Did the port change to 22?",
        "端口是不是改到 22 了",
        "Delete it if it is no longer needed",
        "如果不再需要就删掉",
        "We plan to move the sync to Thursday",
        "The sync will be moved to Thursday",
        "我们打算把周会改到周四",
        "周会可能改到周四",
        "明天会改到周四",
        "Ben told me that the port was changed to 22",
        "听说端口改到 22 了",
        "小李说“我们不再用 npm”",
        "The port was not changed to 22",
        "端口没有改成 22",
        "Switch from npm to pnpm",
        "请把端口改为 22",
        "把主题换成深色就行",
        "The plan was updated to include a walk",
        "The race is postponed due to rain",
        "I prefer shelters rather than breeders",
        "Values, converted to integers",
        "Backporting to abandoned branches",
        "It was moved to Friday",
        "步骤3 把密码改为 7731",
        "- the port was changed to 22",
        "利润同比上升到百分之五",
        "新增 3 例",
        "Merged PR #480",
        "Ada likes tea",
    ],
)
def test_what_announces_no_change_has_no_reversal(text: str) -> None:
    statement = read(text)
    assert statement.reversal == ""
    assert statement.change is None
    assert statement.subject_terms == statement.value_terms == statement.old_terms == ()


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The project switched from npm to pnpm", "The project uses npm"),
        ("从 npm 换到 pnpm", "我们用 npm"),
        ("SSH 端口改到 49222", "服务器 SSH 端口是 22"),
        ("I moved to Berlin", "I live in Paris"),
        ("我搬到成都了", "我住在重庆"),
        ("I no longer eat meat", "I eat meat"),
        ("爸爸戒酒了", "爸爸喝酒"),
    ],
)
def test_earlier_text_holds_one_of_the_terms_to_look_up(new: str, old: str) -> None:
    held = default_analyzer().analyse(old)
    assert set(read(new).lookup_terms) & {*held.terms, *held.chars}


def test_nothing_is_looked_up_where_nothing_changed() -> None:
    assert read("The project uses npm").lookup_terms == ()


def test_change_in_one_of_several_sentences_is_announced() -> None:
    statement = read("What a week! Ada moved to Berlin. She likes the lakes.")
    assert statement.reversal == "change"
    assert "berlin" in statement.value_terms


def test_sentence_of_the_past_may_be_outdated_only_by_what_it_led_to() -> None:
    assert read("The port was 22").sentences == ()
    assert read("The port was changed to 22").sentences == ("the port was changed to 22",)


# --- values -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("周四", "thursday", "week"),
        ("星期日", "sundays", "week"),
        ("下午三点半", "at 3:30", "clock"),
        ("3 pm", "15:00", "clock"),
        ("十点一刻", "10:15 am", "clock"),
        ("六月", "june", "month"),
        ("八百", "800", "number"),
        ("一千二百", "1200", "number"),
        ("三万五千", "35000", "number"),
    ],
)
def test_value_is_the_same_in_both_languages(one: str, other: str, kind: str) -> None:
    def values(text: str) -> list[str]:
        return [token for token in word_tokens(text)[0] if kind_of(token) == kind]

    assert values(one) == values(other)
    assert len(values(one)) == 1


@pytest.mark.parametrize(
    "text", ["千万别动", "万一下雪", "快一点", "小周一个人住", "十分好", "三号楼", "百度"]
)
def test_what_only_looks_like_a_value_is_none(text: str) -> None:
    assert mark_values(text) == text


# --- any text -----------------------------------------------------------------------------------------

_PIECES = st.sampled_from(
    [
        *(
            "not",
            "n't",
            "never",
            "no",
            "always",
            "if",
            "?",
            ".",
            ",",
            "3pm",
            "is",
            "on",
            "off",
            "like",
            "hates",
        ),
        *(
            "now",
            "instead of",
            "moved to",
            "from",
            "no longer",
            "used to",
            "anymore",
            "22",
            "#480",
            "-",
            "1.",
        ),
        *(
            "不",
            "没",
            "没有",
            "别",
            "不再",
            "改到",
            "换成",
            "从",
            "到",
            "了",
            "的",
            "允许",
            "禁止",
            "的话",
        ),
        *("。", "周三", "三点", "'", '"', "“", "”", "《", "》", "\n", "\ue000", "\ud83d"),
    ]
)
_AWKWARD = st.lists(_PIECES | st.text(max_size=3), max_size=30).map(" ".join) | st.lists(
    _PIECES, max_size=30
).map("".join)


@settings(deadline=None, max_examples=400)
@given(_AWKWARD)
@example("\ue000week1")
@example("不" * 500)
@example("used to " * 60)
@example("from to " * 60)
def test_any_text_is_read(text: str) -> None:
    statement = read(text)
    assert (statement.change is None) == (statement.reversal == "")
    assert bool(statement.skeleton) or statement.polarity == ()
    assert all(statement.polarity)  # some state is always left open
    assert statement == read_statement(text, default_analyzer(), default_analyzer().analyse(text))


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=200))
def test_any_unicode_is_read(text: str) -> None:
    assert read(text) == read(text)


def test_text_over_the_limit_states_nothing() -> None:
    sentence = "The SSH port was changed to 49222. "
    fits = (sentence * 100)[:LONGEST_TEXT]
    assert read(fits).reversal == "change"
    assert read(fits + "x") == Statement()


def test_sentence_over_the_limit_announces_nothing() -> None:
    assert read(f"The port of {'very ' * 60}old servers was changed to 22").reversal == ""


# --- the word lists -----------------------------------------------------------------------------------


def test_every_member_of_a_scale_leaves_some_state_to_its_denial() -> None:
    rules = [rule for entries in lexicon().rules.values() for _, rule in entries]
    rules += [rule for entries in lexicon().han_rules.values() for _, rule in entries]
    scales = [rule.scale for rule in rules if rule.scale is not None]
    assert len(scales) > 100
    assert all(0 < scale.mask < scale.every and not scale.mask & ~scale.every for scale in scales)


def test_no_member_stands_on_two_scales_under_the_same_condition() -> None:
    for entries in (*lexicon().rules.values(), *lexicon().han_rules.values()):
        seen = [(phrase, rule.scale.condition) for phrase, rule in entries if rule.scale is not None]
        assert len(seen) == len(set(seen)), seen


def test_reading_is_the_same_in_another_process_with_another_hash_seed() -> None:
    code = (
        "from memweir.retrieval.analysis import default_analyzer as d\n"
        "from memweir.retrieval.statements import read_statement as r\n"
        "for text in ('Ada hates tea and not coffee', '项目从 npm 换成了 pnpm，不再用 yarn'):\n"
        "    print(ascii(r(text, d())))\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            env={"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
        ).stdout
        for seed in ("0", "1")
    }
    assert len(outputs) == 1
