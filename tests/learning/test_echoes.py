"""Is what was injected known again in any wrapping, and what a person says of it kept?"""

from __future__ import annotations

import html
import subprocess
import sys
import textwrap
from collections.abc import Collection

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.learning.echoes import (
    ECHO,
    MOST_FINGERPRINTS,
    Unknown,
    echoed,
    fingerprints,
    probes,
    without_echoes,
)

PNPM = "The project uses pnpm, not npm."
DARK = "The user prefers dark mode in every editor."
TEA = "用户喜欢喝绿茶，不喝咖啡。"
WORK = "用户在上海工作，是一名后端工程师，每天骑车上班。"
CATS = (
    "The user lives in Berlin with two cats, Miso and Taro, and works remotely for a Dutch shipping "
    "company since March 2024."
)
DEPLOY = 'The deploy command is `make ship` & it needs the <token> from "vault".'
DATABASE = (
    "The staging database runs PostgreSQL 16 on port 5433. Backups are written every night at 02:00 to "
    "the bucket ada-backups. Restores were last tested on 2026-05-04."
)
ALL = (PNPM, DARK, TEA, WORK, CATS, DEPLOY, DATABASE)


class Injected:
    def __init__(self, *texts: str) -> None:
        self.numbers = {number for text in texts for number in fingerprints(text)}

    def known(self, fingerprints: Collection[int]) -> set[int]:
        return self.numbers & set(fingerprints)


def rest(text: str, *injected: str) -> str:
    """What is left of a text without the echoes, its words only."""
    kept, _ = without_echoes(text, ((0, len(text)),), Injected(*(injected or ALL)))
    return " ".join(" ".join(text[start:end] for start, end in kept).split())


def says(text: str) -> bool:
    return any(map(str.isalnum, text))


@pytest.mark.parametrize("text", ALL)
@pytest.mark.parametrize(
    "wrap",
    [
        lambda text: text,
        lambda text: text.upper(),
        lambda text: html.escape(text),
        lambda text: f"**{text}**",
        lambda text: f"- {text}",
        lambda text: f"• {text[:10]}\n  {text[10:]}" if text[:1] == "用" else f"• {text}",
        lambda text: "> " + textwrap.fill(text, 30).replace("\n", "\n> "),
        lambda text: textwrap.fill(text, 24),
        lambda text: f"“{text}”",
        lambda text: f'<m id="">{text}</m>'.replace('<m id="">', "").replace("</m>", ""),
        lambda text: text.replace(",", "，").replace(".", "。"),
        lambda text: text.replace("户", "戶").replace("欢", "歡").replace("绿", "綠"),
        lambda text: text.replace(" ", "\u00a0"),
        lambda text: (
            "\u200b".join(text[at : at + 5] for at in range(0, len(text), 5))
            if text[:1] == "用"
            else text
        ),
    ],
)
def test_an_entry_is_known_in_every_wrapping(text: str, wrap) -> None:  # type: ignore[no-untyped-def]
    assert not says(rest(wrap(text)))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"{PNPM} I also use vim.", "I also use vim."),
        (f"I agree that: {DARK}\nI live in Rome.", "I agree that: I live in Rome."),
        (f"> {TEA}\n我搬到了北京。", "我搬到了北京。"),
        (f"- {DARK}\n- {PNPM}\n\nI prefer light mode now.", "I prefer light mode now."),
        (f"{CATS[:70]}…\nI left in June.", "I left in June."),
        (f"…{CATS[30:90]}…\nI left in June.", "I left in June."),
        (f"{CATS[40:]} I left in June.", "I left in June."),
        (f"1. {DARK} 2. {PNPM} 3. I use emacs.", "1. 2. 3. I use emacs."),
        (
            f"As you remembered: {DARK[:-1]}; I changed it in July.",
            "As you remembered: I changed it in July.",
        ),
        (f"我觉得“{WORK[:-1]}”没错，我还养猫。", "我觉得 没错，我还养猫。"),
    ],
)
def test_a_persons_words_beside_an_echo_are_kept(text: str, left: str) -> None:
    assert rest(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "No, the project uses yarn, not pnpm",
        "No, the project uses yarn, not npm.",
        "I prefer dark mode in every editor.",
        CATS.replace("Dutch shipping company", "French bank"),
        "I live in Berlin with two cats.",
        "用户在上海工作，是一名前端工程师，每天骑车上班。",
        "不对，用户喜欢喝红茶，不喝咖啡。",
        "我喜欢喝红茶。",
        "Actually the staging database runs PostgreSQL 17 on port 5433.",
        "The staging database runs PostgreSQL 16 on port 5433, but I plan to move it to MySQL.",
        "Backups are written every night at 03:00 to the bucket ada-backups.",
        "Restores were last tested on 2026-06-01.",
    ],
)
def test_a_correction_of_a_memory_is_no_echo(text: str) -> None:
    assert rest(text) == text


def test_a_short_entry_about_the_user_is_known_whole_and_their_own_words_are_not() -> None:
    short = ("User is vegan.", "用户吃素。")
    assert not says(rest("User is vegan", *short))
    assert not says(rest("用户吃素", *short))
    for own in ("I'm vegan.", "我吃素。", "The user who is vegan is my sister."):
        assert rest(own, *short) == own


def test_of_a_long_entry_every_sentence_is_known_again() -> None:
    facts = [
        f"Host {n} in the rack of room {n * 7} runs release {n * 3} of the ledger for branch {n * 11}."
        for n in range(40)
    ]
    entry = " ".join(facts)
    assert len(fingerprints(entry)) <= MOST_FINGERPRINTS
    assert not says(rest(entry, entry))
    known = [not says(rest(fact, entry)) for fact in facts]
    assert all(known)
    assert not says(rest(entry[: len(entry) // 2] + "…", entry))


def test_nothing_is_an_echo_where_nothing_was_injected() -> None:
    assert echoed(CATS, Unknown().known(probes(CATS))) == []
    assert without_echoes(CATS, ((0, len(CATS)),), Unknown()) == (((0, len(CATS)),), ())


def test_an_echo_is_reported_with_its_message() -> None:
    text = f"Hm. {PNPM}"
    kept, left_out = without_echoes(text, ((0, len(text)),), Injected(PNPM), place=4)
    assert [text[start:end] for start, end in kept] == ["Hm. "]
    assert [(each.rule, each.place, each.start, each.end) for each in left_out] == [
        (ECHO, 4, 4, len(text))
    ]


def test_fingerprints_are_the_same_in_every_process() -> None:
    code = f"from memweir.learning.echoes import fingerprints; print(sum(fingerprints({CATS!r})))"
    said = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONHASHSEED": "7", "PYTHONPATH": ":".join(sys.path)},
    )
    assert int(said.stdout) == sum(fingerprints(CATS))


_WORDS = st.lists(
    st.sampled_from(
        ["river", "copper", "lantern", "walks", "seven", "garden", "harbour", "Ada", "silver"]
    ),
    min_size=8,
    max_size=80,
)
_HAN = st.text(st.sampled_from("河铜灯走园快下银书桌窗云山海"), min_size=12, max_size=120)


@given(st.one_of(_WORDS.map(" ".join), _HAN))
@settings(deadline=None, max_examples=150)
def test_a_whole_entry_that_is_long_enough_is_always_an_echo(entry: str) -> None:
    assert not says(rest(entry, entry))
    assert rest(f"{entry}\n\nI moved to Oslo.", entry) == "I moved to Oslo."
    assert 0 < len(fingerprints(entry)) <= MOST_FINGERPRINTS
    assert all(0 <= number < 2**63 for number in fingerprints(entry))


@given(st.text(max_size=120), st.text(max_size=120))
@settings(deadline=None, max_examples=200)
def test_stretches_of_echoes_lie_in_the_text_in_order_and_never_overlap(entry: str, text: str) -> None:
    whole = f"{text}\n{entry}\n{text}"
    found = echoed(whole, Injected(entry).known(probes(whole)))
    reach = 0
    for start, end in found:
        assert reach <= start < end <= len(whole)
        reach = end
