"""Does a memory learn what a person says, all of it from the person, each thing once?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from memweir import Config, Memory, Scope
from memweir.config import CaptureConfig
from memweir.errors import ExtractorError, InputError, LimitError, ScopeError, StoreReadOnly
from memweir.learning.types import Fact, Sentence, Spoken

SCOPE = Scope.project("atlas")
NOW = datetime(2026, 5, 14, 10, tzinfo=timezone(timedelta(hours=8)))


@pytest.fixture
def memory(open_memory: Callable[..., Memory]) -> Memory:
    return open_memory(clock=lambda: NOW)


def user(text: str, **fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, **fields}


def texts(memory: Memory, *turn: dict[str, Any], **options: Any) -> list[str]:
    return [each.statement for each in memory.observe(list(turn), scope=SCOPE, **options).captured]


# What is kept


def test_a_fact_is_stored_with_the_words_it_was_made_of(memory: Memory) -> None:
    found = memory.observe([user("Hi! My sister Dana lives in Oslo.")], scope=SCOPE, session="s1")
    (kept,) = found.captured
    assert "sister Dana lives in Oslo" in kept.statement
    assert kept.statement.startswith("The user")
    record = memory.get(kept.id, scope=SCOPE)
    assert record.text == kept.statement
    assert record.raw_quote == kept.quote == "My sister Dana lives in Oslo"
    assert record.provenance == "human"
    assert record.origin == "heuristic"
    assert record.session_id == "s1"
    assert record.source == "s1@0"
    assert "Hi! My sister Dana lives in Oslo."[kept.start : kept.end] == kept.quote


def test_what_is_asked_to_be_remembered_is_an_explicit_claim(memory: Memory) -> None:
    found = memory.observe(
        [user("记住：上线前先跑冒烟测试。"), user("Remember: the VPN drops at noon.")], scope=SCOPE
    )
    assert [each.explicit for each in found.captured] == [True, True]
    for each in found.captured:
        record = memory.get(each.id, scope=SCOPE)
        assert record.origin == "explicit"
        assert record.confidence > 0.8


def test_an_event_has_its_day_in_the_zone_of_the_speaker(memory: Memory) -> None:
    (kept,) = memory.observe([user("我昨天把数据库迁到了 Postgres 16。")], scope=SCOPE).captured
    record = memory.get(kept.id, scope=SCOPE)
    assert record.event_start_ms is not None
    day = datetime(2026, 5, 13, tzinfo=NOW.tzinfo)
    assert record.event_start_ms == int(day.timestamp() * 1000)
    assert "昨天" not in kept.statement


def test_a_message_is_read_at_the_time_that_it_bears(memory: Memory) -> None:
    (kept,) = memory.observe(
        [user("Yesterday I moved to Graz.", time="2024-02-29T12:00:00Z")], scope=SCOPE
    ).captured
    record = memory.get(kept.id, scope=SCOPE)
    assert record.event_start_ms is not None
    start = datetime.fromtimestamp(record.event_start_ms / 1000, NOW.tzinfo)
    assert (start.year, start.month, start.day) == (2024, 2, 28)


def test_statements_are_of_whom_the_host_names(memory: Memory) -> None:
    (kept,) = memory.observe([user("I live in Graz.", name="Mira")], scope=SCOPE).captured
    assert kept.statement == "Mira lives in Graz."
    assert memory.get(kept.id, scope=SCOPE).speaker == "Mira"
    (kept,) = memory.observe([user("I live in Oslo.")], scope=SCOPE, subject="Ada").captured
    assert kept.statement == "Ada lives in Oslo."


def test_the_last_word_on_a_key_counts(memory: Memory) -> None:
    kept = texts(memory, user("We use npm as package manager. No, we use pnpm as package manager."))
    assert len(kept) == 1
    assert "pnpm" in kept[0]


def test_what_was_captured_is_recalled(memory: Memory) -> None:
    memory.observe([user("My sister Dana lives in Oslo."), user("我对花生过敏。")], scope=SCOPE)
    assert "Oslo" in memory.recall("where does my sister Dana live?", scope=SCOPE).block
    assert "花生" in memory.recall("我对什么过敏？", scope=SCOPE).block


def test_a_second_value_of_a_key_waits_for_a_person(memory: Memory) -> None:
    memory.observe([user("I use VS Code as my editor.")], scope=SCOPE)
    found = memory.observe([user("I use Zed as my editor.")], scope=SCOPE)
    if found.captured and found.captured[0].semantic_key is not None:
        assert found.captured[0].status == "quarantined"
        assert memory.reviews(scope=SCOPE)


# What is not


@pytest.mark.parametrize(
    "text",
    [
        "What is the capital of France?",
        "帮我改一下这个函数",
        "please fix the failing test",
        "哈哈哈太好了",
        "Thanks, that looks great!",
        "git push origin main",
        "https://example.org/a/b",
        "```py\nmy_editor = 'vim'\n```",
        "| name | port |\n|---|---|\n| api | 8080 |",
        "2026-05-14 10:00:01 INFO server listening on 8080",
        "",
        "   \n ",
    ],
)
def test_nothing_is_made_of(memory: Memory, text: str) -> None:
    assert texts(memory, user(text)) == []
    assert memory.stats().memories == {}


@pytest.mark.parametrize("role", ["assistant", "system", "tool", "developer", "function", "plugin"])
def test_no_machine_is_a_person(memory: Memory, role: str) -> None:
    said = [{"role": role, "content": "I prefer recursion and my name is Ada."}]
    found = memory.observe(said, scope=SCOPE)
    assert found.captured == ()
    assert found.left_out[0].rule == f"source.{role}"


def test_a_source_that_is_no_person_is_none_whatever_its_role(memory: Memory) -> None:
    assert texts(memory, user("I live in Graz.", source={"kind": "runtime"})) == []
    assert texts(memory, {"role": "user", "content": [
        {"type": "text", "text": "I live in Rome.", "source": {"kind": "plugin"}},
        {"type": "text", "text": "I live in Graz."},
        {"type": "tool_result", "content": "I live in Oslo."},
    ]}) == ["The user lives in Graz."]  # fmt: skip


def test_a_secret_is_refused_and_the_rest_is_kept(memory: Memory, tmp_path: Path) -> None:
    said = "Remember: the password is hunter2-Xk99! My sister Dana lives in Oslo."
    found = memory.observe([user(said)], scope=SCOPE)
    assert [each.statement for each in found.captured if "Oslo" in each.statement]
    assert [each.rule for each in found.left_out if each.rule.startswith("refused.")]
    memory.close()
    assert b"hunter2" not in b"".join(each.read_bytes() for each in tmp_path.iterdir())


def test_personal_data_waits_for_a_person(memory: Memory) -> None:
    found = memory.observe([user("Remember: my e-mail is ada.lovelace@example.org.")], scope=SCOPE)
    assert [each.status for each in found.captured] == ["quarantined"]
    assert "lovelace" not in memory.recall("what is my e-mail?", scope=SCOPE).block


# Once


def test_a_growing_history_adds_only_what_is_new(memory: Memory) -> None:
    history = [user("My sister Dana lives in Oslo.")]
    first = memory.observe(history, scope=SCOPE)
    history += [{"role": "assistant", "content": "Noted."}, user("我对花生过敏。")]
    second = memory.observe(history, scope=SCOPE)
    third = memory.observe(history, scope=SCOPE)
    assert (first.read, first.known) == (1, 0)
    assert (second.read, second.known) == (1, 1)
    assert (third.read, third.known, third.captured) == (0, 2, ())
    for each in (*first.captured, *second.captured):
        assert memory.get(each.id, scope=SCOPE).evidence_count == 1


def test_the_same_words_in_another_message_are_more_evidence(memory: Memory) -> None:
    memory.observe([user("My sister Dana lives in Oslo.", id="m1")], scope=SCOPE)
    found = memory.observe([user("My sister Dana lives in Oslo.", id="m2")], scope=SCOPE)
    assert [each.outcome for each in found.captured] == ["confirmed"]
    assert memory.get(found.captured[0].id, scope=SCOPE).evidence_count == 2


def test_a_message_that_was_edited_is_read_anew(memory: Memory) -> None:
    memory.observe([user("My sister Dana lives in Oslo.", id="m1")], scope=SCOPE)
    found = memory.observe([user("My sister Dana lives in Bergen.", id="m1")], scope=SCOPE)
    assert found.read == 1


def test_each_scope_reads_for_itself(memory: Memory) -> None:
    other = Scope.project("borealis")
    memory.observe([user("My sister Dana lives in Oslo.")], scope=SCOPE)
    assert len(memory.observe([user("My sister Dana lives in Oslo.")], scope=other).captured) == 1


def test_nothing_of_a_turn_is_stored_where_the_store_fails(tmp_path: Path) -> None:
    Memory.open(tmp_path / "m.db").close()
    with Memory.open(tmp_path / "m.db", read_only=True) as memory:
        with pytest.raises(StoreReadOnly):
            memory.observe([user("My sister Dana lives in Oslo.")], scope=SCOPE)
        found = memory.observe_or_empty([user("My sister Dana lives in Oslo.")], scope=SCOPE)
        assert found.captured == ()
        assert "StoreReadOnly" in found.warnings[0]


# Echoes


def _injected(memory: Memory) -> str:
    memory.remember(
        "The release train leaves the Hamburg depot every second Tuesday at nine.", scope=SCOPE
    )
    memory.remember("灯塔项目的测试服务器放在慕尼黑机房，每周一凌晨三点自动重启一次。", scope=SCOPE)
    block = memory.recall("when does the release train leave Hamburg?", scope=SCOPE, now=NOW).block
    assert "Hamburg depot" in block
    return block + memory.recall("灯塔的测试服务器什么时候自动重启？", scope=SCOPE, now=NOW).block


def test_an_injected_block_is_not_captured_and_the_words_beside_it_are(memory: Memory) -> None:
    block = _injected(memory)
    before = memory.stats().memories
    kept = texts(memory, user(f"{block}\nMy dog is called Rex."))
    assert len(kept) == 1
    assert "Rex" in kept[0]
    assert sum(memory.stats().memories.values()) == sum(before.values()) + 1


@pytest.mark.parametrize(
    "form",
    [
        "{text}",
        "> {text}",
        'You told me: "{text}"',
        "- {text}\n",
        "<note>{text}</note>",
        "&lt;memory&gt;{text}&lt;/memory&gt;",
        "记忆里写着：“{text}”",
        "<長期記憶>{text}</長期記憶>",
    ],
)
@pytest.mark.parametrize(
    "text",
    [
        "The release train leaves the Hamburg depot every second Tuesday at nine.",
        "灯塔项目的测试服务器放在慕尼黑机房，每周一凌晨三点自动重启一次。",
    ],
)
def test_an_echo_is_known_in_whatever_form_it_comes_back(memory: Memory, form: str, text: str) -> None:
    _injected(memory)
    before = sum(memory.stats().memories.values())
    memory.observe([user(form.format(text=text))], scope=SCOPE)
    assert sum(memory.stats().memories.values()) == before


def test_a_cut_and_rewrapped_echo_is_known(memory: Memory) -> None:
    _injected(memory)
    before = sum(memory.stats().memories.values())
    cut = "leaves the Hamburg depot every second\n    Tuesday at nine."
    memory.observe(
        [user(f"…{cut}"), user("The release train leaves the Hamburg depot every…")], scope=SCOPE
    )
    assert sum(memory.stats().memories.values()) == before


def test_a_correction_of_a_memory_is_no_echo(memory: Memory) -> None:
    _injected(memory)
    kept = texts(
        memory,
        user("Remember: the release train leaves the Hamburg depot every second Thursday at eight."),
    )
    assert len(kept) == 1
    assert "Thursday" in kept[0]


def test_what_was_injected_in_another_scope_is_no_echo_here(memory: Memory) -> None:
    _injected(memory)
    text = "Remember: the release train leaves the Hamburg depot every second Tuesday at nine."
    found = memory.observe([user(text)], scope=Scope.project("borealis"))
    assert len(found.captured) == 1


def test_the_fingerprints_of_what_is_erased_are_erased(memory: Memory, tmp_path: Path) -> None:
    _injected(memory)
    plan = memory.erase(scope=SCOPE, everything=True)
    assert plan.counts["echo"] > 0
    memory.erase(scope=SCOPE, everything=True, confirm=plan.token)
    text = "Remember: the release train leaves the Hamburg depot every second Tuesday at nine."
    assert len(memory.observe([user(text)], scope=SCOPE).captured) == 1


# Limits, and extractors of one's own


def test_one_message_gives_at_most_so_many_facts_but_all_that_was_asked_for(tmp_path: Path) -> None:
    config = Config(capture=CaptureConfig(facts=2))
    said = (
        "My sister Dana lives in Oslo. My brother Tom lives in Rome. My uncle Al lives in Bern. "
        "Remember: the VPN drops at noon."
    )
    with Memory.open(tmp_path / "m.db", config=config, clock=lambda: NOW) as memory:
        found = memory.observe([user(said)], scope=SCOPE)
    assert len(found.captured) == 2
    assert any(each.explicit for each in found.captured)
    assert [each.rule for each in found.left_out] == ["extract.too-many"] * 2


def test_capture_can_be_switched_off(tmp_path: Path) -> None:
    config = Config(capture=CaptureConfig(enabled=False))
    with Memory.open(tmp_path / "m.db", config=config) as memory:
        assert memory.observe([user("I live in Graz.")], scope=SCOPE).captured == ()


class _Parrot:
    """Answers every sentence with one fact, quoted as it is told to."""

    def __init__(self, quote: str | None, kind: str = "fact") -> None:
        self.quote, self.kind = quote, kind

    def extract(self, sentences: Sequence[Sentence], spoken: Spoken) -> list[tuple[Fact, ...] | str]:
        return [
            (Fact(f"Said: {each.text}", self.quote or each.text, self.kind, 0.9, "parrot"),)
            for each in sentences
        ]


def test_a_quote_that_nobody_wrote_is_no_evidence(tmp_path: Path) -> None:
    with Memory.open(
        tmp_path / "m.db", extractor=_Parrot("I love Haskell"), clock=lambda: NOW
    ) as memory:
        found = memory.observe([user("The bakery opens at seven on Sundays.")], scope=SCOPE)
        assert found.captured == ()
        assert [each.rule for each in found.left_out] == ["extract.no-evidence"]


def test_an_extractor_of_ones_own_is_gated_too(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db", extractor=_Parrot(None), clock=lambda: NOW) as memory:
        found = memory.observe(
            [user("The password is hunter2-Xk99!"), {"role": "assistant", "content": "I am tall."}],
            scope=SCOPE,
        )
        assert found.captured == ()
        rules = [each.rule for each in found.left_out]
        assert any(each.startswith("refused.") for each in rules)
        assert "source.assistant" in rules


@pytest.mark.parametrize("broken", ["raise", "short", "kind", "type"])
def test_a_broken_extractor_is_a_typed_error_and_stores_nothing(tmp_path: Path, broken: str) -> None:
    class Broken:
        def extract(self, sentences: Sequence[Sentence], spoken: Spoken) -> Any:
            if broken == "raise":
                raise RuntimeError("no such model")
            if broken == "short":
                return []
            return _Parrot(None, "turn").extract(sentences, spoken) if broken == "kind" else [("x",)]

    said = [user("The bakery opens at seven on Sundays.")]
    with Memory.open(tmp_path / "m.db", extractor=Broken(), clock=lambda: NOW) as memory:
        with pytest.raises(ExtractorError):
            memory.observe(said, scope=SCOPE)
        assert memory.stats().memories == {}
    with Memory.open(tmp_path / "m.db", extractor=_Parrot(None), clock=lambda: NOW) as memory:
        assert len(memory.observe(said, scope=SCOPE).captured) == 1, "it was not marked as read"


def test_what_is_no_extractor_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        Memory.open(tmp_path / "m.db", extractor=object())  # type: ignore[arg-type]
    assert not (tmp_path / "m.db").exists()


# Odd input


@pytest.mark.parametrize(
    "turn",
    [
        None,
        "I live in Graz.",
        5,
        [5],
        [{}],
        [{"role": ""}],
        [{"role": "user"}],
        [{"role": "user", "content": 5}],
        [{"role": "user", "content": "x", "time": "soon"}],
        [{"role": "user", "content": "x", "time": "2026-01-01T10:00:00"}],
        [{"role": "user", "content": [5]}],
    ],
)
def test_what_is_no_turn_is_refused_and_nothing_is_stored(memory: Memory, turn: Any) -> None:
    before = memory.stats()
    with pytest.raises(InputError):
        memory.observe(turn, scope=SCOPE)
    assert memory.stats() == before
    assert memory.observe_or_empty(turn, scope=SCOPE).warnings


def test_a_blank_scope_is_no_scope(memory: Memory) -> None:
    with pytest.raises(ScopeError):
        memory.observe([user("I live in Graz.")], scope=None)  # type: ignore[arg-type]


def test_a_message_of_more_than_a_million_characters_is_too_long(memory: Memory) -> None:
    with pytest.raises(LimitError):
        memory.observe([user("x" * 1_000_001)], scope=SCOPE)


@pytest.mark.parametrize(
    "text",
    [
        "\x00I live in Graz.\x00",
        "\ud800 I live in Graz.",
        "I live in Graz. 🏔️\u202e",
        '"I" AND NEAR(x) live* OR -',
    ],
)
def test_any_text_may_be_said(memory: Memory, text: str) -> None:
    found = memory.observe([user(text)], scope=SCOPE)
    for each in found.captured:
        assert memory.get(each.id, scope=SCOPE).raw_quote == each.quote
    assert memory.observe([user(text)], scope=SCOPE).read == 0


def test_two_stores_learn_the_same(tmp_path: Path) -> None:
    said = [
        user("My sister Dana lives in Oslo. 我上周五去了苏州。"),
        user("We switched to pnpm last week."),
    ]
    found = []
    for name in ("a.db", "b.db"):
        with Memory.open(tmp_path / name, clock=lambda: datetime(2026, 5, 14, tzinfo=UTC)) as memory:
            found.append(memory.observe(said, scope=SCOPE))
    assert found[0] == found[1]


# What has one answer


def test_the_same_answer_in_other_words_is_evidence_and_another_answer_a_question(
    memory: Memory,
) -> None:
    turn = [
        user("I prefer pnpm over npm."),
        user("I still prefer pnpm over npm."),
        user("I prefer pnpm over npm."),
    ]
    first = memory.observe(turn, scope=SCOPE)
    assert [each.status for each in first.captured] == ["active", "active", "active"]
    assert [each.semantic_key for each in first.captured] == [
        "preference.package-manager",
        None,
        "preference.package-manager",
    ]
    later = memory.observe(
        [user("I still prefer pnpm to npm."), user("I prefer yarn over pnpm.")], scope=SCOPE
    )
    assert [each.status for each in later.captured] == ["active", "quarantined"]
    (review,) = memory.reviews(scope=SCOPE)
    assert review.memory.text == "The user prefers yarn over pnpm."
    assert [each.text for each in review.against] == ["The user prefers pnpm over npm."]
