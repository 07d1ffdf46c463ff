"""What is captured of a Chinese sentence, rule by rule? Every moment counts from Monday, 2026-06-15."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.learning.chinese import read_chinese
from memweir.learning.types import Fact, Sentence, Spoken
from memweir.store.records import KINDS, Relation

NOW = datetime(2026, 6, 15, 10, tzinfo=timezone(timedelta(hours=8)))


def read(text: str, *, subject: str = "", before: str = "") -> tuple[Fact, ...] | str:
    return read_chinese(Sentence(text, 0, len(text), "zh", before), Spoken(subject, NOW))


def facts(text: str, *, subject: str = "", before: str = "") -> tuple[Fact, ...]:
    found = read(text, subject=subject, before=before)
    assert not isinstance(found, str), (text, found)
    return found


def only(text: str, *, subject: str = "", before: str = "") -> Fact:
    found = facts(text, subject=subject, before=before)
    assert len(found) == 1, [each.statement for each in found]
    return found[0]


# --- what holds nothing ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "你还记得我的名字吗",
        "你觉得 Rust 怎么样",
        "Rust 和 Go 哪个好",
        "這段程式碼為什麼報錯",
        "解释一下什么是闭包",
        "还有别的办法吗？",
        "我不知道该怎么办",
        "你有没有去过敦煌",
        "明天要不要带伞",
        "我应该用 React 还是 Vue 呢",
        "你住在哪里",
        "现在几点了",
        "难道我错了",
        "能帮我看看这个报错吗",
    ],
)
def test_a_question_is_no_fact_with_or_without_a_mark(text: str) -> None:
    assert read(text) == "shape.question"


@pytest.mark.parametrize(
    "text", ["我什么都吃，就是不吃香菜", "我有几个朋友在柏林", "我从小就知道怎么修自行车"]
)
def test_an_interrogative_that_asks_nothing_is_no_question(text: str) -> None:
    assert read(text) != "shape.question"


@pytest.mark.parametrize("text", ["你好", "谢谢你！", "早上好啊", "晚安～", "不客气"])
def test_greetings_and_thanks_are_left_out(text: str) -> None:
    assert read(text) == "shape.greeting"


@pytest.mark.parametrize(
    "text",
    ["太好了", "哈哈哈哈", "好的", "嗯嗯", "原来如此", "真棒！", "我明白了", "听起来不错", "笑死我了"],
)
def test_reactions_are_left_out(text: str) -> None:
    assert read(text) == "shape.reaction"


@pytest.mark.parametrize(
    "text",
    [
        "帮我写一个排序函数",
        "请翻译下面这段话",
        "把这个函数改成异步的",
        "翻译成英文",
        "给我三个例子",
        "先找出所有没用的变量",
        "看看这个文件",
        "帮我订明天去上海的票",
        "写一个脚本",
        "我们继续吧",
        "我想让你扮演面试官",
        "重新生成一遍",
        "我需要一个正则表达式",
    ],
)
def test_a_command_for_once_is_left_out(text: str) -> None:
    assert read(text) == "shape.command"


@pytest.mark.parametrize(
    "text", ["如果明天下雨，我就不去了", "要是能早点下班就好了", "萬一失敗，我會再試"]
)
def test_what_is_only_supposed_is_left_out(text: str) -> None:
    assert read(text) == "shape.hypothetical"


@pytest.mark.parametrize(
    "text",
    [
        "我先去吃饭了",
        "今天好累啊",
        "我现在在开会",
        "我到家了",
        "外面下雨了",
        "我会试试的",
        "我有点困",
        "我在路上",
        "我有个问题",
    ],
)
def test_what_passes_is_left_out(text: str) -> None:
    assert read(text) in ("shape.transient", "shape.reaction")


@pytest.mark.parametrize(
    "text",
    [
        "那个还行",
        "这个方法挺好的",
        "他说“我不去”",
        "我可能下周去上海",
        "好像他们搬家了",
        "听说他们公司要裁员",
        "你的回答很有帮助",
        "你刚才写的代码有错",
        "我觉得还可以",
        "记住这些",
        "我刚写完代码",
    ],
)
def test_vague_guessed_quoted_and_talk_of_the_talk_is_left_out(text: str) -> None:
    assert isinstance(read(text), str)


# --- who -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("我妈对海鲜过敏", "用户的妈妈对海鲜过敏。"),
        ("俺家住河南", "用户家住河南。"),
        ("我爸爸叫王建国", "用户的爸爸叫王建国。"),
        ("妈妈的生日是农历八月十五", "用户的妈妈的生日是农历八月十五。"),
        ("我们团队决定改用 TypeScript", "用户的团队决定改用 TypeScript。"),
        ("我们家有三口人", "用户家有三口人。"),
        ("我们孩子下周三开学", "用户的孩子2026年6月24日开学。"),
        ("我本人不喝酒", "用户本人不喝酒。"),
        ("我個人更喜歡深色主題", "用户更喜歡深色主題。"),
        ("《三体》是我最喜欢的小说", "《三体》是用户最喜欢的小说。"),
    ],
)
def test_the_first_person_is_told_in_the_third(text: str, statement: str) -> None:
    assert only(text).statement == statement


def test_a_named_speaker_takes_the_place_of_the_user() -> None:
    assert only("我妹妹在银行上班", subject="林晓").statement == "林晓的妹妹在银行上班。"


def test_a_clause_without_a_subject_inherits_it() -> None:
    assert [each.statement for each in facts("我老公在字节跳动做后端，每天加班到十点")] == [
        "用户的老公在字节跳动做后端。",
        "用户的老公每天加班到十点。",
    ]


def test_he_is_who_was_named_before_in_the_sentence_or_in_the_one_before() -> None:
    assert facts("我舅舅的电话是13800001111，他住在长沙")[1].statement == "用户的舅舅住在长沙。"
    assert only("她对芒果过敏", before="我女儿叫小雨。").statement == "用户的女儿对芒果过敏。"


def test_he_stays_unsaid_where_two_were_named_before() -> None:
    assert isinstance(read("他住在长沙", before="我舅舅认识我老板，我老板是湖南人。"), str)


# --- rewriting ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("对了，我搬到苏州啦", "用户搬到苏州了。"),
        ("其实我不太喜欢吃甜食呢", "用户不太喜欢吃甜食。"),
        ("跟你说，我养了一只橘猫", "用户养了一只橘猫。"),
        ("哈哈，我女儿考上复旦了，太开心了", "用户的女儿考上复旦了。"),
        ("我对花生过敏，能推荐个零食吗？", "用户对花生过敏。"),
        ("话说我左撇子来着，真的", "用户左撇子来着。"),
    ],
)
def test_openers_particles_and_reactions_fall_away(text: str, statement: str) -> None:
    assert facts(text)[0].statement == statement


def test_traditional_characters_are_kept_as_written() -> None:
    assert only("我媽媽對海鮮過敏").statement == "用户的媽媽對海鮮過敏。"


def test_independent_facts_are_split_and_what_belongs_together_is_not() -> None:
    assert [each.statement for each in facts("张伟负责后端，李娜负责前端")] == [
        "张伟负责后端。",
        "李娜负责前端。",
    ]
    assert only("我有两个孩子，大的八岁，小的五岁").statement == "用户有两个孩子，大的八岁，小的五岁。"


def test_the_quote_is_what_the_statement_was_made_of() -> None:
    assert only("哈哈，我女儿考上复旦了，太开心了").quote == "我女儿考上复旦了"


# --- dates -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "statement", "first", "days"),
    [
        # 2026-06-15 is a Monday.
        ("昨天我和老王去了颐和园", "用户2026年6月14日和老王去了颐和园。", "2026-06-14", 1),
        ("我妈下周三要来北京看我", "用户的妈妈2026年6月24日要来北京看用户。", "2026-06-24", 1),
        ("我大前天把腿摔伤了", "用户2026年6月12日把腿摔伤了。", "2026-06-12", 1),
        ("上周末我和室友聚了餐", "用户2026年6月13日至14日和室友聚了餐。", "2026-06-13", 2),
        ("昨晚我失眠了", "用户2026年6月14日晚失眠了。", "2026-06-14", 1),
        ("我决定下个月初去日本旅游", "用户决定2026年7月初去日本旅游。", "2026-07-01", 10),
        ("我妹妹去年春节结婚了", "用户的妹妹2025年春节结婚了。", "2025-01-29", 7),
        ("我要在月底前完成迁移", "用户要在2026年6月底前完成迁移。", "2026-06-21", 10),
        ("我6月20号飞昆明", "用户2026年6月20日飞昆明。", "2026-06-20", 1),
        ("下次开会改到周四了", "用户下次开会改到2026年6月18日了。", "2026-06-18", 1),
    ],
)
def test_a_day_is_named_and_is_the_window(text: str, statement: str, first: str, days: int) -> None:
    fact = only(text)
    assert fact.statement == statement
    assert fact.window is not None
    assert fact.window[0].date().isoformat() == first
    assert fact.window[1] - fact.window[0] == timedelta(days=days)


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("我每周二晚上去游泳", "用户每周二晚上去游泳。"),
        ("从2019年起我一直住在深圳", "用户从2019年起一直住在深圳。"),
        ("我的生日是3月8号", "用户的生日是3月8号。"),
        ("我最近在准备考研", "用户最近在准备考研。"),
        ("我爷爷去年去世了", "用户的爷爷2025年去世了。"),
        ("我今年三十二岁", "用户2026年三十二岁。"),
    ],
)
def test_what_recurs_or_lasts_has_no_window(text: str, statement: str) -> None:
    fact = only(text)
    assert (fact.statement, fact.window) == (statement, None)


# --- explicit ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "statement", "kind"),
    [
        ("记住：我的车停在地下二层", "用户的车停在地下二层。", "fact"),
        ("记得我对海鲜过敏", "用户对海鲜过敏。", "fact"),
        ("别忘了我周五要交报告", "用户2026年6月19日要交报告。", "event"),
        ("我周五要交报告，帮我记一下", "用户2026年6月19日要交报告。", "event"),
        ("備忘：伺服器續費日期是每年9月1日", "伺服器續費日期是每年9月1日。", "fact"),
        ("以后都用中文回答我。", "用户要求以后都用中文回答。", "preference"),
        ("从现在开始，回答尽量简短", "用户要求从现在开始，回答尽量简短。", "preference"),
        ("永远不要用 any 类型", "用户要求永远不要用 any 类型。", "constraint"),
        ("每次提交前先跑测试", "用户要求每次提交前先跑测试。", "procedure"),
        ("以后代码注释一律用英文", "用户要求以后代码注释一律用英文。", "preference"),
        ("你以后叫我老陈吧", "用户希望被称为老陈。", "preference"),
        ("我希望你以后回答简短一点", "用户要求以后回答简短一点。", "preference"),
    ],
)
def test_a_request_to_remember_is_explicit(text: str, statement: str, kind: str) -> None:
    fact = only(text)
    assert (fact.statement, fact.kind, fact.explicit, fact.confidence) == (statement, kind, True, 0.95)


def test_what_is_merely_stated_is_not_explicit() -> None:
    assert not only("我以后都坐地铁上班").explicit


# --- kinds, keys, changes ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "key"),
    [
        ("我叫林晓", "fact", "姓名"),
        ("我是李雷", "fact", "姓名"),
        ("我妹妹叫小雪", "fact", "妹妹.姓名"),
        ("我家的狗叫旺财", "fact", "宠物.狗.名字"),
        ("我住在杭州", "fact", "居住地"),
        ("我在台积电上班", "fact", "工作.公司"),
        ("我在上海上班", "fact", "工作地"),
        ("我是一名护士", "fact", "职业"),
        ("我舅舅的电话是13800001111", "fact", "舅舅.电话"),
        ("我最喜欢的颜色是蓝色", "preference", "偏好.颜色"),
        ("我习惯用 tab 缩进", "preference", "代码.缩进"),
        ("我更喜欢用 Firefox", "preference", "偏好.浏览器"),
        ("我把编辑器从 VS Code 换成了 Zed", "decision", "偏好.编辑器"),
        ("我们项目用 pnpm", "fact", "项目.包管理器"),
        ("我讨厌开会", "preference", None),
        ("项目的截止日期是7月15日", "fact", "项目.截止日期"),
        ("生产环境禁止直接执行 SQL", "constraint", None),
        ("我们昨天开会决定用 Kafka", "decision", None),
        ("后天下午两点我要去看牙医", "event", None),
        ("我外婆上个月做了白内障手术", "event", None),
        ("我每天早上六点半起床跑步", "fact", None),
        ("我会说日语", "fact", None),
        ("我有两个孩子", "fact", None),
        ("钥匙在鞋柜第二个抽屉里", "fact", None),
        ("张丽华的邮箱是zlh@example.com", "fact", "张丽华.邮箱"),
    ],
)
def test_the_kind_and_the_key_of_a_statement(text: str, kind: str, key: str | None) -> None:
    fact = only(text)
    assert (fact.kind, fact.semantic_key) == (kind, key)


def test_a_change_says_what_holds_now_and_that_it_is_one() -> None:
    fact = only("我以前用 VS Code，现在换成 Neovim 了")
    assert fact.statement == "用户现在换成 Neovim 了，以前用 VS Code。"
    assert fact.semantic_key == "偏好.编辑器"
    assert fact.slots.relation == "换成"


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("用 npm，不对，用 pnpm", "用户用 pnpm。"),
        ("会议定在周二，哦不，周三下午三点", "会议定在2026年6月17日下午三点。"),
        ("我喜欢蓝色，说错了，是绿色", "用户喜欢绿色。"),
        ("我住在杭州，不对，是苏州", "用户住在苏州。"),
        ("预算是三万，不，五万", "预算是五万。"),
    ],
)
def test_a_correction_keeps_the_last_and_is_quoted_whole(text: str, statement: str) -> None:
    fact = only(text)
    assert fact.statement == statement
    assert fact.quote in text
    assert text.endswith(fact.quote)


def test_what_was_corrected_is_quoted_from_the_first_value_to_the_last() -> None:
    assert only("对了，我住在杭州，不对，是苏州。").quote == "我住在杭州，不对，是苏州"


# --- entities and relations --------------------------------------------------------------------------


def test_people_places_and_products_are_entities() -> None:
    assert only("我妹妹用 Figma 画图标").entities == ("用户的妹妹", "Figma")
    assert "苏州" in only("我上周三搬到了苏州").entities


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("我女儿叫小雨", Relation("用户的女儿", "姓名", "小雨")),
        ("我住在杭州", Relation("用户", "居住地", "杭州")),
        ("我对花生过敏", Relation("用户", "过敏", "花生")),
        ("王志强是我的表哥", Relation("王志强", "是", "用户的表哥")),
        ("我舅舅的电话是13800001111", Relation("用户的舅舅", "电话", "13800001111")),
    ],
)
def test_a_clear_triple_is_a_relation(text: str, relation: Relation) -> None:
    assert relation in only(text).relations


# --- whatever is written -----------------------------------------------------------------------------

_PIECES = st.sampled_from(
    [
        "我",
        "我们",
        "我妈",
        "咱",
        "他",
        "你",
        "的",
        "是",
        "了",
        "在",
        "喜欢",
        "不",
        "对",
        "叫",
        "住在",
        "记住",
        "以后",
        "都",
        "用",
        "pnpm",
        "Neovim",
        "昨天",
        "下周三",
        "每天",
        "春节",
        "换成",
        "，",
        "。",
        "？",
        "！",
        "《我的前半生》",
        "“",
        "”",
        "「",
        "」",
        "吗",
        "呢",
        "啊",
        "不对",
        "哦不",
        "如果",
        "因为",
        "北京",
        "三",
        "岁",
        "猫",
        "有",
        "一只",
        "说",
        "今年三十",
        "2026年",
        "号",
        ":",
        "：",
        "、",
        "我家",
        "自我",
        "本人",
        "其",
        "把",
        "别忘了",
        "帮我记一下",
        "先",
        "再",
        "然后",
        "的话",
        "最后",
        "选了",
        "敲定了",
        "不许",
        "别",
        "必须",
        "归",
        "管",
        "找",
        "小陈",
        "唔係",
        "我哋",
        "聽日",
        "专案",
        "端口",
        "8080",
        "说错了",
        "sorry",
        "每次",
        "周五",
        "流程是",
        "一律",
        "它",
        "她",
        "领导",
        "的",
    ]
)
_WRITTEN = st.one_of(
    st.lists(_PIECES, max_size=14).map("".join),
    st.text(alphabet="我你他的是了不在，。！？“”《》abc 0９我们們說\n\ud800", max_size=30),
    st.text(max_size=30),
)
_FIRST_PERSON = re.compile("(?<![自忘敌唯非无大小])我|俺|咱")


@settings(deadline=None, max_examples=400)
@given(_WRITTEN, _WRITTEN)
def test_any_text_gives_sound_facts_or_the_name_of_a_rule(text: str, before: str) -> None:
    found = read(text, before=before)
    if isinstance(found, str):
        assert re.fullmatch("(?:shape|extract)[.][a-z-]+", found)
        return
    assert found
    for fact in found:
        assert fact.quote
        assert fact.quote in text
        assert fact.kind in KINDS
        assert fact.kind != "turn"
        assert 0 < fact.confidence <= 1
        assert fact.window is None or fact.window[0] < fact.window[1]
        bare = re.sub('《[^《》]*》|“[^“”]*”|「[^「」]*」|"[^"]*"', "", fact.statement)
        assert not _FIRST_PERSON.search(bare), (text, fact.statement)


def test_a_naive_moment_is_taken_for_utc() -> None:
    naive = datetime(2026, 6, 15, 10, tzinfo=UTC).replace(tzinfo=None)
    found = read_chinese(Sentence("我昨天搬家了", 0, 6, "zh"), Spoken("", naive))
    assert not isinstance(found, str)
    assert found[0].window == (datetime(2026, 6, 14, tzinfo=UTC), datetime(2026, 6, 15, tzinfo=UTC))
