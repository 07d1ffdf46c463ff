"""Are the messages of a host read as it means them, or refused with the place named?"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.errors import InputError, LimitError
from memweir.learning.messages import LONGEST_MESSAGE, MOST_MESSAGES, read_turn
from memweir.learning.types import Message

_NOON = datetime(2026, 6, 15, 12, tzinfo=UTC)


def test_a_plain_list_of_openai_is_read_in_its_order() -> None:
    turn = [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": "I use pnpm", "name": "ada"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1"}]},
        {"role": "tool", "content": "exit 0", "tool_call_id": "c1"},
        {"role": "assistant", "content": [{"type": "text", "text": "Done"}]},
    ]
    assert [(each.role, each.source, each.text, each.place) for each in read_turn(turn)] == [
        ("developer", "developer", "Be brief.", 0),
        ("user", "user", "I use pnpm", 1),
        ("tool", "tool", "exit 0", 3),
        ("assistant", "assistant", "Done", 4),
    ]
    assert read_turn(turn)[1].name == "ada"


def test_blocks_of_anthropic_are_read_and_the_result_of_a_tool_is_no_persons_word() -> None:
    turn = {
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "Look at this."},
                    {"type": "image", "source": {"type": "base64", "data": "AAAA"}},
                    {"type": "tool_result", "tool_use_id": "t1", "content": "I like tea"},
                    {"type": "tool_result", "content": [{"type": "text", "text": "a"}, {"text": "b"}]},
                    {"type": "text", "text": "I like coffee."},
                    {"type": "text", "text": "Black."},
                ],
            },
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "hm"},
                    {"type": "tool_use", "name": "ls", "input": {}},
                ],
            },
        ]
    }
    assert [(each.source, each.text) for each in read_turn(turn)] == [
        ("user", "Look at this."),
        ("tool", "I like tea"),
        ("tool", "a\nb"),
        ("user", "I like coffee."),
        ("user", "Black."),
    ]


@pytest.mark.parametrize(
    ("message", "source"),
    [
        ({"role": "user", "source": {"kind": "plugin"}}, "plugin"),
        ({"role": "user", "source_kind": "runtime"}, "runtime"),
        ({"role": "user", "source": {"kind": "user"}}, "user"),
        ({"role": "Human"}, "user"),
        ({"role": "user", "source": "human"}, "user"),
        ({"role": "assistant", "source": {"kind": "user"}}, "assistant"),
        ({"role": "tool", "source": "user"}, "tool"),
        ({"role": "user", "source": {"plugin": "x"}}, "user"),
    ],
)
def test_a_person_wrote_it_only_where_role_and_source_agree(
    message: dict[str, Any], source: str
) -> None:
    assert read_turn(message | {"text": "hello"})[0].source == source


@pytest.mark.parametrize(
    "moment",
    [
        "2026-06-15T12:00:00Z",
        "2026-06-15T14:00:00+02:00",
        1_781_524_800,
        1_781_524_800_000,
        1_781_524_800.0,
        _NOON,
    ],
)
def test_a_moment_is_read_in_every_form(moment: object) -> None:
    for name in ("time", "created_at", "timestamp"):
        (message,) = read_turn([{"role": "user", "text": "x", "id": 7, name: moment}])
        assert message == Message("user", "x", "user", id="7", at=_NOON, place=0)


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        ("I use pnpm", "list of messages"),
        (None, "list of messages"),
        ([{"role": "user", "text": "a"}, "b"], "message 1"),
        ([{"content": "a"}], "message 0: it needs a role"),
        ([{"role": " ", "content": "a"}], "message 0: it needs a role"),
        ([{"role": "user"}], "message 0: it has neither"),
        ([{"role": "user", "content": 7}], "message 0: its content"),
        ([{"role": "user", "content": [7]}], "message 0, part 0"),
        ([{"role": "user", "text": "a", "source": 7}], "message 0: its source"),
        ([{"role": "user", "text": "a", "id": []}], "message 0: its id"),
        ([{"role": "user", "text": "a", "time": "noon"}], "'noon' is no moment"),
        ([{"role": "user", "text": "a", "time": "2026-06-15T12:00:00"}], "time zone"),
        ([{"role": "user", "text": "a", "time": 10**30}], "no moment"),
        ([{"role": "user", "text": "a", "time": []}], "ISO 8601 or a number"),
    ],
)
def test_what_is_no_message_is_an_error_that_says_which(turn: object, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read_turn(turn)


def test_a_list_without_end_is_refused() -> None:
    with pytest.raises(LimitError, match="at most"):
        read_turn([{"role": "user", "text": "a"}] * (MOST_MESSAGES + 1))


def test_a_person_s_message_without_end_is_refused_and_a_machine_s_is_not_read() -> None:
    half = "a" * (LONGEST_MESSAGE // 2 + 1)
    parts = [{"type": "text", "text": half}, {"type": "text", "text": half}]
    with pytest.raises(LimitError, match="message 1: its characters"):
        read_turn([{"role": "user", "text": "a"}, {"role": "user", "content": parts}])
    assert len(read_turn([{"role": "tool", "content": half + half}])) == 1


def test_a_part_that_names_another_source_is_no_person_s_word() -> None:
    clock = {"type": "text", "text": "Time sampled.", "source": {"kind": "runtime"}}
    own = {"type": "text", "text": "I use pnpm.", "source_kind": "user"}
    said = read_turn([{"role": "user", "id": "m1", "content": [clock, own]}])
    assert [(each.source, each.text, each.id) for each in said] == [
        ("runtime", "Time sampled.", "m1"),
        ("user", "I use pnpm.", "m1"),
    ]
    (claimed,) = read_turn([{"role": "assistant", "content": [own]}])
    assert claimed.source == "assistant"
    assert read_turn([{"role": "user", "parts": [{"text": "hi"}]}])[0].text == "hi"


def test_no_message_is_no_turn_and_no_error() -> None:
    assert read_turn([]) == ()
    assert read_turn({"messages": []}) == ()


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["role", "content", "text", "type", "source", "id", "time", "messages", "parts"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(_JSON)
@settings(deadline=None, max_examples=300)
def test_whatever_a_host_hands_over_is_read_or_refused(turn: object) -> None:
    try:
        messages = read_turn(turn)
    except InputError:
        return
    assert all(isinstance(each.text, str) for each in messages)
