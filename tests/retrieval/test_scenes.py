"""Does a turn's scene come out where it is clearly named, and nothing where it is not?"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.scenes import GENERAL, SCENES, infer_scene, is_general

KNOWN = (*SCENES, "feishu", "general")

# Scene or "-" for none, and a turn; written in two halves before the table, which saw the first only.
TUNED = """
    database | how do I add an index to the orders table in Postgres?
    database | write the sql query for monthly revenue
    database | 帮我写个脚本连数据库
    database | 订单表的外键怎么建
    ui | make the dropdown close on escape
    ui | 前端的按钮颜色改成蓝色
    ui | the settings page needs a dark theme
    testing | run the unit tests of the parser
    testing | why do the tests fail on Windows?
    testing | 给价格计算补单元测试
    testing | pytest skips half of the cases
    deployment | deploy the service to staging
    deployment | 把新版本部署到生产环境
    networking | the reverse proxy drops long requests
    networking | 防火墙要开放哪个端口
    security | check the upload form for XSS
    security | sql injection in the search endpoint
    security | 接口鉴权怎么做
    docs | update the README with the new flags
    docs | 接口文档缺少示例
    plugin-dev | which services must a plugin inject?
    plugin-dev | 写一个插件,注册两个工具
    session-ops | do a session handoff before the context window is full
    session-ops | 会话交接之后历史怎么查
    data | load the dataset into a dataframe
    data | 数据清洗的步骤有哪些
    build | webpack takes forever to bundle
    build | 编译的时候怎么打开优化
    version-control | rebase my branch and solve the merge conflicts
    observability | add a grafana dashboard for queue depth
    ml | fine-tune the model on our tickets
    feishu | send the card through feishu
    - | set the table for four people
    - | the button on my shirt came off
    - | my blood tests came back fine
    - | networking events for founders in Berlin
    - | how do social security payments work?
    - | troops were deployed overseas in 1944
    - | the build of this athlete is impressive
    - | I booked a therapy session for Monday
    - | which mobile data plan is the cheapest?
    - | a plug-in hybrid or a diesel?
    - | the Congo loses forest to illegal logging
    - | 做个性格测试玩玩
    - | 剩下的菜打包带走
    - | 车上的安全带怎么调
    - | 小区的监控摄像头坏了
    - | the settings page should show the size of the database
    - | 按钮点击后把数据写进数据库
    - | deploy after the unit tests pass
    - | 继续
    - | what did we decide yesterday?
    - | 重做任务看板
"""
HELD = """
    database | can sqlite handle two writers?
    database | alembic made an empty migration for the users table in the database
    database | 这张表的主键用自增还是 uuid,mysql 里
    database | 慢查询怎么优化
    ui | the tooltip hides behind the sidebar
    ui | 把导航栏做成响应式的
    ui | CSS grid or flexbox for the cards?
    testing | write an integration test for the refund flow
    testing | 这个模块的测试覆盖率是多少
    testing | mock the clock in the jest suite
    deployment | roll out the new image on kubernetes
    deployment | 灰度发布从百分之五开始
    networking | DNS does not resolve inside the VPN
    networking | 内网穿透怎么配
    security | rotate the api keys and encrypt them
    security | 做一次安全审计,看看有没有漏洞
    docs | add docstrings to the public functions
    docs | 更新日志怎么写
    plugin-dev | my browser extension loses its manifest
    plugin-dev | 插件加载顺序有要求吗
    session-ops | which session transcript holds that decision?
    session-ops | 上下文窗口快满了,怎么办
    data | the etl job writes parquet files
    data | 数仓里的宽表怎么建
    build | gradle cannot find the toolchain
    build | 构建缓存放在哪里
    version-control | what goes into a commit message here?
    observability | set the log level of the worker to debug
    ml | 神经网络过拟合怎么办
    feishu | 飞书机器人的 feishu webhook 怎么配
    - | reserve a table by the window
    - | belly button piercing prices
    - | she passed her driving test
    - | professional networking over dinner
    - | airport security took my scissors
    - | the airbag deployed when we hit the deer
    - | how to build muscle after forty
    - | a jam session with friends
    - | Google Docs or Word for my thesis?
    - | the doctor wants more tests
    - | a compilation album of the eighties
    - | 做了核酸测试才能进
    - | 打包行李去海边
    - | 开车要注意安全
    - | 网络小说推荐
    - | 军队部署到边境
    - | write docs for the deployment script
    - | 测试环境的数据库怎么连
    - | the css of the documentation site
    - | ok go ahead
    - | where did I park the car?
"""


def _rows(table: str) -> list[tuple[str | None, str]]:
    rows = [line.strip().split(" | ", 1) for line in table.strip().splitlines()]
    return [(None if scene == "-" else scene, turn) for scene, turn in rows]


@pytest.mark.parametrize("table", [TUNED, HELD], ids=["tuned", "held"])
def test_labelled_turns_get_their_scene(table: str) -> None:
    rows = _rows(table)
    right = sum(infer_scene(turn, KNOWN) == scene for scene, turn in rows)
    assert len(rows) > 50
    assert right >= 0.95 * len(rows)


@pytest.mark.parametrize("table", [TUNED, HELD], ids=["tuned", "held"])
def test_no_labelled_turn_gets_a_wrong_scene_for_another(table: str) -> None:
    for scene, turn in _rows(table):
        if scene is not None:
            assert infer_scene(turn, KNOWN) in (scene, None), turn


@pytest.mark.parametrize(
    "turn",
    [
        "set the table for four people", "the button on my shirt came off", "airport security was slow",
        "I met her at a networking event", "the airbag deployed", "illegal logging in the hills",
        "my blood tests came back", "剩下的菜打包带走", "做个性格测试", "小区的监控摄像头坏了",
    ],
)  # fmt: skip
def test_look_alike_is_no_scene(turn: str) -> None:
    assert infer_scene(turn, KNOWN) is None


def test_turn_that_names_two_scenes_names_neither() -> None:
    turn = "the settings page should show the size of the database"
    assert infer_scene(turn, ["ui", "database"]) is None
    assert infer_scene("the size of the database", ["ui", "database"]) == "database"


def test_second_scene_counts_though_the_store_does_not_know_it() -> None:
    turn = "the settings page should show the size of the database"
    assert infer_scene(turn, ["database", "testing"]) is None


def test_scene_that_no_memory_carries_is_not_inferred() -> None:
    assert infer_scene("write the sql query", ["ui", "testing"]) is None
    assert infer_scene("write the sql query", []) is None


def test_longer_phrase_takes_its_words_from_the_shorter() -> None:
    # "sql" alone is database, "渗透测试" holds 测试.
    assert infer_scene("is this open to sql injection?", KNOWN) == "security"
    assert infer_scene("安排一次渗透测试", KNOWN) == "security"


def test_scene_is_spelled_as_the_store_spells_it() -> None:
    assert infer_scene("write the sql query", ["DB", "UI"]) == "DB"
    assert infer_scene("数据库怎么建索引", ["数据库", "前端"]) == "数据库"
    assert infer_scene("write the sql query", ["数据库", "前端"]) == "数据库"
    assert infer_scene("資料怎麼寫進 mysql", ["數據庫", "前端"]) == "數據庫"


def test_two_names_of_one_scene_leave_it_open() -> None:
    assert infer_scene("write the sql query", ["db", "数据库"]) is None


def test_own_scene_is_known_by_its_name() -> None:
    known = ["feishu", "Order_Desk", "星火", "database"]
    assert infer_scene("send the card through Feishu", known) == "feishu"
    assert infer_scene("what does the order desk do at night?", known) == "Order_Desk"
    assert infer_scene("星火的启动参数", known) == "星火"
    assert infer_scene("feishu-bot", known) == "feishu"
    assert infer_scene("用feishu发卡片", known) == "feishu"
    assert infer_scene("feishutable", known) is None
    assert infer_scene("журнал смены", ["журнал", "database"]) == "журнал"


def test_own_scene_whose_name_holds_another_is_the_one_meant() -> None:
    assert infer_scene("what does the order desk do?", ["desk", "order desk"]) == "order desk"
    assert infer_scene("a desk lamp", ["desk", "order desk"]) == "desk"
    assert infer_scene("the order desk", ["order-desk", "order_desk"]) is None


def test_own_scene_is_clear_beside_a_scene_the_store_does_not_have() -> None:
    assert infer_scene("deploy the feishu bot", ["feishu", "testing"]) == "feishu"
    assert infer_scene("deploy the feishu bot", ["feishu", "deployment"]) is None
    assert infer_scene("connect feishu to kestrel", ["feishu", "kestrel"]) is None


def test_everyday_word_names_no_scene_of_the_store() -> None:
    assert infer_scene("how does the parser work at home?", ["work", "home"]) is None


def test_general_scene_is_none() -> None:
    assert infer_scene("a general question", ["general", "feishu"]) is None
    assert infer_scene("通用的写法", ["通用"]) is None
    assert is_general("General")
    assert is_general("通用")
    assert is_general("Ｇeneral ")
    assert not is_general("database")
    assert {"general", "通用"} <= GENERAL


def test_analysis_and_text_give_the_same() -> None:
    for scene, turn in _rows(TUNED):
        assert infer_scene(default_analyzer().analyse(turn), KNOWN) == infer_scene(turn, KNOWN), scene


def test_only_the_beginning_of_a_long_turn_counts() -> None:
    assert infer_scene("x " * 5_000 + "mysql", KNOWN) is None
    assert infer_scene("mysql " + "x " * 5_000, KNOWN) == "database"


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.sampled_from(["mysql", "button", "feishu", "部署", "kestrel", "the", "，", "pytest"])),
    st.lists(st.sampled_from([*KNOWN, "kestrel", "DB", "前端", "  ", "é"]), unique=True),
)
def test_scene_is_a_known_one_and_their_order_does_not_matter(
    words: list[str], known: list[str]
) -> None:
    turn = " ".join(words)
    scene = infer_scene(turn, known)
    assert scene is None or scene in known
    assert infer_scene(turn, known[::-1]) == scene


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=200), st.lists(st.text(max_size=12), max_size=5))
def test_any_text_and_any_names_are_read(turn: str, known: list[str]) -> None:
    scene = infer_scene(turn, known)
    assert scene is None or scene in known
