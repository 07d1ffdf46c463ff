"""Rows 55, 56 and 58: junk, echoes and an assistant's words never become memories."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memweir import Memory, Scope
from memweir.learning.sources import written
from memweir.learning.types import Message

SCOPE = Scope.project("atlas")
START = datetime(2026, 5, 4, 9, tzinfo=UTC)

BOOT = """# Project Context

The following project context files have been loaded:

## /home/ada/agent/SOUL.md

You are Harbor, a careful assistant. You prefer short answers. I always run the linter first.
My favourite editor is Helix and I live in the terminal.

## /home/ada/agent/USER.md

- The user is called Ada and lives in Turin.
- 用户对海鲜过敏，每天早上六点起床。
"""
CLOCK = (
    "Time sampled while preparing turn {turn}: 2026-05-04T09:{turn:02d}:00Z\n"
    "Elapsed since the preceding turn: 42 s"
)
HEARTBEAT = (
    "Read HEARTBEAT.md if it exists (workspace context). Follow it strictly. Do not infer or repeat "
    "old tasks from prior chats. If nothing needs attention, reply HEARTBEAT_OK."
)
CRON = "[cron:4f1c nightly-report] Summarise the day for Ada. The team uses Jira and ships on Mondays."
CATALOGUE = """<available_skills>
- name: deploy
  description: Deploys the site. The production server is in Frankfurt.
- name: 周报
  description: 每周五生成周报，用户喜欢简短的周报。
</available_skills>"""
TOOL = "$ cat config.toml\nport = 8443\neditor = 'emacs'\nThe database lives on db7 and I own it."
CLAIMS = (
    "I prefer recursion, and I always use tabs.",
    "You told me that you love Haskell and that your dog is called Bello.",
    "我记得你住在成都，最喜欢的语言是 Rust。",
)

SAID = (
    "My sister Dana lives in Oslo.",
    "我对花生过敏。",
    "We use pnpm as our package manager.",
    "Remember: the VPN drops every day at noon.",
    "记住：上线前先跑冒烟测试。",
    "I work as a nurse at the Charité.",
    "我的狗叫雷克斯，今年五岁。",
    "Our staging server runs on port 7001.",
    "From now on, answer me in French on Fridays.",
    "我上个月搬到了苏州。",
    "I'm allergic to penicillin.",
    "Tom is my manager.",
)


def _turns(memory: Memory) -> Iterator[tuple[list[dict[str, Any]], str]]:
    """A hundred turns as a host has them, and what the person said in each, "" where nothing."""
    for turn in range(100):
        now = START + timedelta(minutes=turn)
        said = SAID[turn // 8] if turn % 8 == 3 and turn // 8 < len(SAID) else ""
        question = said or ("where does Dana live, and what about 花生?" if turn % 2 else "")
        block = memory.recall(question, scope=SCOPE, now=now).block if question else ""
        parts = [{"type": "text", "text": CLOCK.format(turn=turn)}]
        if turn == 0 or turn % 25 == 0:
            parts.append({"type": "text", "text": BOOT})
        if turn % 10 == 5:
            parts.append({"type": "text", "text": HEARTBEAT})
        if turn % 10 == 7:
            parts.append({"type": "text", "text": CRON})
        if turn % 20 == 9:
            parts.append({"type": "text", "text": CATALOGUE})
        if question:
            parts.append({"type": "text", "text": f"{block}\n{question}" if block else question})
        messages: list[dict[str, Any]] = [{"role": "user", "content": parts}]
        messages.append({"role": "assistant", "content": CLAIMS[turn % len(CLAIMS)]})
        if turn % 3 == 0:
            messages.append({"role": "tool", "content": TOOL})
        if turn % 6 == 2:
            result = {"type": "tool_result", "tool_use_id": "t", "content": TOOL}
            messages.append({"role": "user", "content": [result]})
        if block and turn % 4 == 1:
            # Somebody pastes back what the assistant showed of it.
            entry = memory.recall(question, scope=SCOPE, now=now).items[0].text
            messages.append({"role": "user", "content": f"> {entry}\n\nthanks"})
        yield messages, said


def test_a_hundred_turns_leave_what_the_person_said_and_nothing_twice(tmp_path: Path) -> None:
    history: list[dict[str, Any]] = []
    quotes: dict[str, str] = {}
    told: list[str] = []
    with Memory.open(tmp_path / "memory.db") as memory:
        for number, (messages, said) in enumerate(_turns(memory)):
            history += messages
            told += [said] if said else []
            now = START + timedelta(minutes=number, seconds=30)
            found = memory.observe(history, scope=SCOPE, session="s", now=now)
            for each in found.captured:
                assert each.outcome == "created", each
                quotes[each.id] = each.quote
        assert told == list(SAID)
        foreign = [each for each in quotes.values() if not any(each in said for said in SAID)]
        assert foreign == []
        statements = [memory.get(each, scope=SCOPE).text for each in quotes]
        assert len(set(statements)) == len(statements)
        # Each of the twelve is kept, at most in two parts.
        heard = [said for said in SAID if any(each in said for each in quotes.values())]
        assert heard == list(SAID)
        assert sum(memory.stats().memories.values()) == len(quotes) <= len(SAID) + 4
        assert all(memory.get(each, scope=SCOPE).evidence_count == 1 for each in quotes)


@pytest.mark.parametrize(
    "wrap",
    [
        lambda text: text,
        lambda text: text[: len(text) // 2],
        lambda text: text[len(text) // 3 :],
        lambda text: "\n".join(f"> {line}" for line in text.splitlines()),
        lambda text: text.replace("user_long_term_memories", "用户长期记忆").replace("memory", "记忆"),
        lambda text: text.replace("<", "&lt;").replace(">", "&gt;"),
        lambda text: "\n".join(text[at : at + 40] for at in range(0, len(text), 40)),
        lambda text: f"```\n{text}\n```",
        lambda text: text + text,
    ],
    ids=["whole", "head", "tail", "quoted", "translated", "escaped", "rewrapped", "fenced", "twice"],
)
def test_an_injected_block_never_comes_back_as_a_memory(tmp_path: Path, wrap: Any) -> None:
    with Memory.open(tmp_path / "memory.db") as memory:
        for text in (
            "My aunt Greta keeps bees on the roof of the town hall in Bamberg.",
            "用户每个周末都去太湖边骑车，通常早上六点从苏州出发。",
            "The nightly backup is written to the second disk of the Frankfurt server.",
        ):
            memory.remember(text, scope=SCOPE, pinned=True, now=START)
        block = memory.recall("where are Greta's bees? 骑车", scope=SCOPE, now=START).block
        assert "bees" in block
        assert "太湖" in block
        for _ in range(3):
            memory.observe([{"role": "user", "content": wrap(block)}], scope=SCOPE, now=START)
        assert memory.stats().memories == {"active": 3}


def test_an_assistants_words_are_nobodys_also_in_chunks(tmp_path: Path) -> None:
    long = "I prefer recursion, I live in Graz and my dog is called Bello. " * 100
    chunks = [
        {"role": "assistant", "content": long[at : at + 1000]} for at in range(0, len(long), 1000)
    ]
    with Memory.open(tmp_path / "memory.db") as memory:
        said = [{"role": "assistant", "content": "I prefer recursion"}, *chunks]
        assert memory.observe(said, scope=SCOPE, now=START).captured == ()
        assert memory.stats().memories == {}
    assert written(Message("assistant", long, "assistant")).stretches == ()
