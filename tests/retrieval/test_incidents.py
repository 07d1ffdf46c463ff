"""Are incident logs told by their shape, and does the door open to the turns that are about them?

`incident_set.jsonl` was labelled, in two halves, before the rules were written; the rules were made
with the half "dev" in view. A row is a memory, or a turn and an incident of the same half.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.incidents import (
    Task,
    incident_marks,
    incident_version,
    is_incident,
    opens,
    rare_terms,
    read_task,
    task_terms,
    task_text,
    wants_repair,
)
from memweir.store.records import KINDS, LAYERS

HALVES = ("dev", "held")
DRIFT = "When the handoff reported SOURCE_DRIFT, the digest had changed between prepare and commit."
DRIFT_ZH = "当交接报 SOURCE_DRIFT 时,digest 在 prepare 与 commit 之间变了。"


def _is(text: str, *, title: str = "", layer: str = "experience", kind: str = "fact") -> bool:
    return is_incident(text, title=title, layer=layer, kind=kind)


# ---- the labelled set ---------------------------------------------------------------------------


@cache
def _rows() -> list[dict[str, Any]]:
    lines = (Path(__file__).parent / "incident_set.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _of(half: str, row: str) -> list[dict[str, Any]]:
    return [each for each in _rows() if each["half"] == half and each["row"] == row]


@dataclass(frozen=True)
class _Pool:
    """Attributes: held: memory → its terms and marks; df: term → memories."""

    held: dict[str, set[str]]
    df: Counter[str]


@cache
def _pool(half: str) -> _Pool:
    held = {}
    for memory in _of(half, "memory"):
        parts = [memory["text"], memory["title"]]
        terms = {term for part in parts for term in default_analyzer().analyse(part).terms}
        held[memory["id"]] = terms | {mark for part in parts for mark in incident_marks(part)}
    return _Pool(held, Counter(term for terms in held.values() for term in terms))


def test_labelled_set_is_as_large_as_it_should_be() -> None:
    memories = [each for each in _rows() if each["row"] == "memory"]
    assert sum(each["incident"] for each in memories) >= 80
    assert sum(not each["incident"] for each in memories) >= 160
    assert len(_rows()) - len(memories) >= 60


@pytest.mark.parametrize("half", HALVES)
def test_incidents_of_the_labelled_set_are_found(half: str) -> None:
    told: Counter[tuple[bool, bool]] = Counter()
    for each in _of(half, "memory"):
        found = _is(each["text"], title=each["title"], layer=each["layer"], kind=each["kind"])
        told[each["incident"], found] += 1
    assert told[True, True] >= 0.95 * (told[True, True] + told[False, True])  # precision
    assert told[True, True] >= 0.8 * (told[True, True] + told[True, False])  # recall


@pytest.mark.parametrize("half", HALVES)
def test_door_opens_to_the_labelled_turns(half: str) -> None:
    pool = _pool(half)
    rows = _of(half, "opening")
    right = 0
    for each in rows:
        task = read_task(each["turn"], each["context"])
        rare = rare_terms(task.terms, pool.df, len(pool.held))
        right += bool(opens(task, rare, pool.held[each["incident"]])) == each["opens"]
    assert right >= 0.9 * len(rows)


# ---- shape, not topic ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        DRIFT,
        DRIFT_ZH,
        "Root cause of the failed deploy: the probe pointed at port 8080.",
        "Symptom: uploads stop at 1 MB. Root cause: client_max_body_size. Fix: raised it to 20 MB.",
        "The database migration crashed on the second run; worked around by skipping it.",
        "The worker kept restarting until we noticed that DATABASE_URL was missing.",
        "npm install 报 ERESOLVE,临时加了 --legacy-peer-deps 绕过。",
        "线上接口超时,排查发现是连接池打满,重启后恢复。",
        "線上接口超時,排查發現是連接池打滿,重啟後恢復。",
    ],
)
def test_failure_record_is_an_incident(text: str) -> None:
    assert _is(text)


@pytest.mark.parametrize(
    "text",
    [
        "Always pass the source and its digest to commit; never read it again.",
        "Every skill must give when_to_use, otherwise the writer refuses the file.",
        "When a deploy fails, first read the probe's log, then roll back and check the version.",
        "The API answers with 404 for unknown ids.",
        "Exit code 2 means wrong usage.",
        "Errors are logged as JSON and shipped to Loki.",
        "技能必须给出 when_to_use,缺少则拒绝落盘。",
        "每次改表结构前先跑备份脚本,确认退出码是 0 再继续。",
        "退出码 2 表示用法错误。",
    ],
)
def test_control_method_or_definition_of_the_same_topic_is_none(text: str) -> None:
    assert not _is(text)


@pytest.mark.parametrize(
    "text",
    [
        "I had an accident on the way to work.",
        "My car broke down last week because the battery was dead.",
        "The exam went wrong, she failed two problems.",
        "The washing machine broke again, we fixed it with a new hose.",
        "The maiden flight failed in 1996; the cause was an overflow.",
        "昨天摔了一跤,膝盖破了。",
        "上周车子抛锚了,原因是电瓶没电,换了以后就好了。",
        "蛋糕做了两次都失败,后来发现是酵母过期。",
    ],
)
def test_ordinary_life_is_no_incident(text: str) -> None:
    assert not _is(text)


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("kind", ["turn", "preference", "constraint", "decision"])
def test_what_was_said_wanted_or_decided_is_no_incident(layer: str, kind: str) -> None:
    assert not _is(DRIFT, layer=layer, kind=kind)


@pytest.mark.parametrize("kind", KINDS)
def test_belief_is_no_incident(kind: str) -> None:
    assert not _is(DRIFT, layer="belief", kind=kind)


def test_procedure_is_an_incident_only_where_it_holds_a_record() -> None:
    told = "The build broke after the bump of esbuild, pinned it to get going."
    assert _is(told)
    assert not _is(told, kind="procedure")
    assert _is(
        "Reproduce: save in two tabs. Actual: 409 STALE_REVISION. Cause: a cached etag.",
        kind="procedure",
    )


def test_stack_trace_makes_an_incident() -> None:
    trace = 'Traceback (most recent call last):\n  File "a.py", line 3, in run\nValueError: no such row'
    assert _is(trace)
    assert _is("java.lang.NullPointerException\n\tat com.acme.Invoice.total(Invoice.java:73)")
    assert _is("thread 'main' panicked at src/config.rs:57:14")


def test_stack_trace_of_a_documentation_is_none() -> None:
    assert not _is(
        ">>> pop([])\nTraceback (most recent call last):\n  ...\nIndexError: pop from empty list"
    )
    assert not _is("Look a name up.\n\nRaises:\n    KeyError: the name is missing.")


def test_last_lines_of_a_long_log_count_and_its_middle_does_not() -> None:
    trace = (
        '\nTraceback (most recent call last):\n  File "a.py", line 3, in run\nValueError: no such row'
    )
    quiet = "the job is running and all is well\n" * 200  # 7,000 characters
    assert _is(quiet + trace)
    assert not _is(quiet + trace + "\n" + quiet)


def test_long_text_needs_more_than_a_few_scattered_words() -> None:
    words = "The server was slow because a query failed."
    assert _is(words)
    other = "The choir sang in the old hall and the people of the town came to hear it gladly. " * 20
    assert not _is(other + words)


def test_title_of_a_method_and_of_a_record_count() -> None:
    text = "Write down the timeline, the impact and the root cause of the outage of the server."
    assert not _is(text, title="Postmortem template")
    told = "Checkout answered 502 for 41 minutes. A config push removed the upstream block."
    assert _is(told, title="Postmortem: checkout")


def test_negative_path_with_an_alternative_is_a_method_unless_it_names_the_failure() -> None:
    path = "Symptom: the tests hang. Root cause: a pool of one connection. Instead: a pool of two."
    assert not _is(path, layer="negative")
    assert _is(path, layer="experience")
    assert _is(path.replace("hang", "end with POOL_EXHAUSTED"), layer="negative")


@settings(deadline=None, max_examples=80)
@given(st.text(max_size=300), st.text(max_size=40), st.sampled_from(LAYERS), st.sampled_from(KINDS))
def test_any_text_is_told(text: str, title: str, layer: str, kind: str) -> None:
    assert is_incident(text, title=title, layer=layer, kind=kind) in (True, False)
    assert isinstance(incident_marks(text), tuple)
    assert wants_repair(text) in (True, False)
    assert read_task(text, [title]).text in (text, title)


def test_version_names_the_rules_and_their_words() -> None:
    assert incident_version().startswith("incidents-")
    assert incident_version() == incident_version()


# ---- marks --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        (DRIFT, ("source_drift",)),
        (DRIFT_ZH, ("source_drift",)),
        ("报SOURCE_DRIFT时", ("source_drift",)),
        ("ＳＯＵＲＣＥ＿ＤＲＩＦＴ", ("source_drift",)),
        ("a TypeError, then sqlite3.OperationalError", ("typeerror", "operationalerror")),
        ("keyerror again", ("keyerror",)),
        ("E1234, error[E0502], error TS2322", ("e1234", "e0502", "ts2322")),
        ("ENOSPC, then SIGSEGV", ("enospc", "sigsegv")),
        ("CI ended with exit code 137", ("exit:137",)),
        ("退出码为 137", ("exit:137",)),
        ("HTTP 502", ("http:502",)),
        ("支付接口返回 502", ("http:502",)),
        ("we have 504s again", ("http:504",)),
        ("SOURCE_DRIFT and source_drift: SOURCE_DRIFT", ("source_drift",)),
        ("returned 500 rows, 返回 500 条", ()),
        ("exit code 0", ()),
        ("an Error, a mirror, terror and the year 404", ()),
        ("EVERYTHING about UTF-8, SHA256 and an A100", ()),
        ("", ()),
    ],
)
def test_marks_of_a_failure(text: str, marks: tuple[str, ...]) -> None:
    assert incident_marks(text) == marks


@pytest.mark.parametrize("half", HALVES)
def test_mark_that_is_no_number_is_an_index_term_of_its_text(half: str) -> None:
    for each in _of(half, "memory"):
        terms = default_analyzer().analyse(each["text"]).terms
        for mark in incident_marks(each["text"]):
            assert mark in terms or mark.startswith(("exit:", "http:")), each["id"]


def test_marks_are_few() -> None:
    assert len(incident_marks(" ".join(f"CODE_{number}" for number in range(99)))) == 32


# ---- the wish to repair -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "turn",
    [
        "fix the login redirect", "Debug this for me", "why does the build fail on Windows?",
        "why am I getting a 500 from /api/orders", "it crashed again", "the page won't load",
        "find out what makes the sockets disconnect", "how do I get past this error?",
        "there is a bug in the pagination", "what's wrong with the webhook", "Fix it", "FIX THE TESTS",
        "could you look at this stack trace", "修一下登录", "排查下延迟", "为什么交接失败",
        "怎么又挂了", "编译不过", "又崩了", "把这个 bug 解决掉", "CI 为啥红了",
        "导出乱码怎么解决", "這個報錯怎麼處理",
        'Traceback (most recent call last):\n  File "a.py", line 1, in f\nOSError',
    ],
)  # fmt: skip
def test_wish_to_repair_is_heard(turn: str) -> None:
    assert wants_repair(turn)
    assert wants_repair(default_analyzer().analyse(turn)) or "\n" in turn


@pytest.mark.parametrize(
    "turn",
    [
        "fix dinner", "fix me a drink", "fix the date of the meeting at 5", "fix the typo in the title",
        "prefix every key", "a fixed price offer", "add an affix", "set the log level to debug",
        "add a debug flag", "add error handling to the upload", "write a poem about failure",
        "document our error codes", "retry when the request fails", "what does a 404 mean?",
        "why do we use pnpm here?", "my car broke down", "the great crash of 1929",
        "修改文案", "提高个人修养", "装修客厅", "选修课怎么选", "修饰一下这段文字", "设计一个报错页面",
        "怎么重启服务", "为什么选 sqlite", "修一下楼道的路灯", "定位一个新品牌", "",
    ],
)  # fmt: skip
def test_look_alike_is_no_wish_to_repair(turn: str) -> None:
    assert not wants_repair(turn)


def test_failure_on_a_condition_is_no_wish_to_repair() -> None:
    assert wants_repair("the upload fails")
    assert not wants_repair("show a toast if the upload fails")
    assert not wants_repair("如果上传失败就提示用户")


# ---- the task -----------------------------------------------------------------------------------


def test_task_is_what_the_turn_says_whatever_was_said_before() -> None:
    assert (
        task_text("redo the task board", ["SOURCE_DRIFT again", "TypeError"]) == "redo the task board"
    )


@pytest.mark.parametrize(
    "turn",
    [
        "go on",
        "ok do it",
        "yes, please continue",
        "sounds good, go ahead",
        "继续",
        "好的,接着来",
        "就这么办",
        "1",
    ],
)
def test_turn_without_a_task_goes_on_with_the_latest_that_has_one(turn: str) -> None:
    context = ["I got SOURCE_DRIFT all morning", "redo the task board", "thanks", "好的"]
    assert task_text(turn, context) == "redo the task board"


def test_turn_that_says_a_little_is_a_task_of_its_own() -> None:
    for turn in (
        "fix it",
        "what about SOURCE_DRIFT?",
        "next the kestrel page",
        "继续写台账",
        "src/a.py",
    ):
        assert task_text(turn, ["redo the task board"]) == turn


def test_without_any_task_the_turn_stands_for_itself() -> None:
    assert task_text("go on", ["ok", "谢谢"]) == "go on"
    assert task_text("go on") == "go on"


def test_terms_of_the_task_are_words_and_identifiers_once_each() -> None:
    # "boards" and "board" have one stem; 看板 is no word of the dictionary, 任务 is.
    assert task_terms("boards, the board, test_upload") == ("board", "test", "upload", "test_upload")
    assert "任务" in task_terms("重做任务看板")
    assert "做任" not in task_terms("重做任务看板")


def test_terms_come_from_the_task_and_not_from_the_turns_before() -> None:
    assert task_terms("go on", ["kestrel", "redo the harbour"]) == task_terms("redo the harbour")


# ---- rare words ---------------------------------------------------------------------------------


def test_rare_word_is_held_by_one_memory_in_fifty_at_most() -> None:
    df = {"kestrel": 2, "osprey": 3, "heron": 0}
    terms = ("kestrel", "osprey", "heron", "crane")
    assert rare_terms(terms, df, 100) == ("kestrel",)  # 100 // 50 = 2
    assert rare_terms(terms, df, 150) == ("kestrel", "osprey")
    assert rare_terms(terms, df, 99) == ()  # 99 // 50 = 1
    assert rare_terms(terms, {"crane": 1}, 3) == ("crane",)  # one is rare in the smallest store


@pytest.mark.parametrize(
    "term",
    [
        "error",
        "fail",
        "报错",
        "失败",
        "task",
        "board",
        "任务",
        "page",
        "db",
        "42",
        "2026",
        "表",
        "3.11",
        "the",
    ],
)
def test_short_numeric_general_and_failure_words_are_not_rare(term: str) -> None:
    assert rare_terms([term], {term: 1}, 1_000) == ()


@pytest.mark.parametrize("term", ["kestrel", "台账", "ops-812", "source_drift", "esbuild"])
def test_word_of_its_own_is_rare(term: str) -> None:
    assert rare_terms([term, term], {term: 1}, 1_000) == (term,)


# ---- the door -----------------------------------------------------------------------------------


def test_door_opens_to_repair_mark_and_rare_word_in_this_order() -> None:
    held = {"source_drift", "handoff", "digest", "exit:137"}
    shut = Task("", repair=False, marks=(), terms=())
    assert opens(shut, (), held) == ""
    assert opens(shut, ("kestrel",), held) == ""
    assert opens(shut, ("kestrel", "digest"), held) == "rare"
    named = Task("", repair=False, marks=("typeerror", "exit:137"), terms=())
    assert opens(named, ("digest",), held) == "mark"
    assert opens(Task("", repair=True, marks=("exit:137",), terms=()), (), held) == "repair"


def test_redesign_of_the_task_board_brings_up_no_incident_about_tasks() -> None:
    held = set(
        default_analyzer().analyse("The task ledger crashed: the session state had no epoch.").terms
    )
    df = dict.fromkeys(held, 1)
    for turn in ("redesign the task board", "重做任务看板", "show the session state on the page"):
        task = read_task(turn)
        assert opens(task, rare_terms(task.terms, df, 20), held) == "", turn
    task = read_task("what is an epoch?")
    assert opens(task, rare_terms(task.terms, df, 20), held) == "rare"
