"""Do facts that say the same become one belief, with nothing lost and nothing mixed that is apart?"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from memweir import Config, Memory, Scope
from memweir.config import ReflectionConfig
from memweir.errors import InputError, MissingExtra, NotFoundError, RefusedError, StoreReadOnly

SCOPE = Scope.project("atlas")
OTHER = Scope.project("borealis")
ZONE = timezone(timedelta(hours=8))
NOW = datetime(2026, 5, 14, 10, tzinfo=ZONE)
TOLD = NOW - timedelta(days=9)

PYTHON = (
    "The backend uses Python 3.11.",
    "The backend still uses Python 3.11.",
    "后端用 Python 3.11。",
)
TEA = ("用户喜欢喝绿茶。", "用户很喜欢喝绿茶。", "用户还是喜欢喝绿茶。")


class Clock:
    """Tells the moment that it is set to."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def opened(tmp_path: Path, clock: Clock) -> Iterator[Callable[..., Memory]]:
    made: list[Memory] = []

    def opening(**settings: Any) -> Memory:
        config = Config(reflection=ReflectionConfig(**settings))
        made.append(Memory.open(tmp_path / "memory.db", config=config, clock=clock))
        return made[-1]

    yield opening
    for each in made:
        each.close()


@pytest.fixture
def memory(opened: Callable[..., Memory]) -> Memory:
    return opened()


def tell(memory: Memory, texts: Sequence[str], *, day: int = 0, **fields: Any) -> list[str]:
    """Ids of facts told one a day, from `day` days after TOLD on."""
    fields.setdefault("scope", SCOPE)
    return [
        memory.remember(text, now=TOLD + timedelta(days=day + place), **fields).id
        for place, text in enumerate(texts)
    ]


def believed(memory: Memory, scope: Scope = SCOPE) -> list[str]:
    return [each.record.text for each in memory.beliefs(scope=scope)]


def shown(memory: Memory, query: str, **options: Any) -> list[str]:
    """The texts of all candidates of a recall."""
    options.setdefault("scope", SCOPE)
    return sorted(each.text for each in memory.recall(query, record=False, **options).candidates)


# What becomes of facts


@pytest.mark.parametrize(
    ("texts", "query"), [(PYTHON, "Python backend 后端"), (TEA, "绿茶")], ids=["both", "zh"]
)
def test_facts_that_say_the_same_become_one_belief(
    memory: Memory, texts: Sequence[str], query: str
) -> None:
    ids = tell(memory, texts)
    done = memory.reflect()
    assert (done.period, done.done, done.already, done.counts["merge"]) == (
        "2026-05-14",
        True,
        False,
        1,
    )
    (belief,) = memory.beliefs(scope=SCOPE)
    assert belief.record.text in texts
    assert belief.record.layer == "belief"
    assert sorted(belief.evidence) == sorted(ids)
    assert (belief.against, belief.revisions, belief.rewritten) == ((), (), False)
    # Three claims stated by a person: 3 * 6 / 7 against one unit of doubt, 2.571429 / 3.571429.
    assert belief.strength == pytest.approx(0.72, abs=1e-6)
    assert shown(memory, query) == [belief.record.text]


def test_facts_keep_their_rows_and_name_the_belief(memory: Memory) -> None:
    ids = tell(memory, PYTHON)
    memory.reflect()
    (belief,) = memory.beliefs(scope=SCOPE)
    for each, text in zip(ids, PYTHON, strict=True):
        record = memory.get(each, scope=SCOPE)
        assert (record.text, record.status) == (text, "active")
        assert record.superseded_by == belief.record.id
        chain = [link.record.id for link in memory.history(each, scope=SCOPE).chain]
        assert belief.record.id in chain


def test_of_the_time_before_the_facts_are_recalled(memory: Memory, clock: Clock) -> None:
    tell(memory, PYTHON)
    memory.reflect()
    (belief,) = believed(memory)
    clock.now = NOW + timedelta(days=1)
    before = NOW - timedelta(hours=1)
    query = "Python backend 后端"
    assert shown(memory, query, as_of=before) == sorted(PYTHON)
    assert shown(memory, query, known_at=before) == sorted(PYTHON)
    assert shown(memory, query) == [belief]
    assert shown(memory, query, known_at=NOW + timedelta(hours=1)) == [belief]


def test_two_facts_make_no_belief_unless_two_are_enough(opened: Callable[..., Memory]) -> None:
    tell(opened(), PYTHON[:2])
    assert "merge" not in opened().reflect().counts
    assert opened(min_evidence=2).reflect(again=True).counts["merge"] == 1


def test_what_is_added_later_strengthens_the_belief(memory: Memory, clock: Clock) -> None:
    tell(memory, PYTHON)
    memory.reflect()
    (before,) = memory.beliefs(scope=SCOPE)
    clock.now = NOW + timedelta(days=2)
    new = memory.remember("后端还是用 Python 3.11。", scope=SCOPE).id
    clock.now = NOW + timedelta(days=3)
    assert memory.reflect().counts["reinforce"] == 1
    (after,) = memory.beliefs(scope=SCOPE)
    assert after.record.id == before.record.id
    assert after.record.text == before.record.text
    assert after.strength > before.strength
    assert set(after.evidence) == {*before.evidence, new}
    assert memory.get(new, scope=SCOPE).superseded_by == before.record.id


def test_news_ends_a_belief_and_begins_another_with_its_history(memory: Memory, clock: Clock) -> None:
    tell(memory, PYTHON)
    memory.reflect()
    (old,) = memory.beliefs(scope=SCOPE)
    clock.now = NOW + timedelta(days=2)
    memory.remember("The backend no longer uses Python 3.11.", scope=SCOPE)
    clock.now = NOW + timedelta(days=3)
    assert memory.reflect().counts["overwrite"] == 1
    (new,) = memory.beliefs(scope=SCOPE)
    assert new.record.text == "The backend no longer uses Python 3.11."
    assert new.rewritten
    (revision,) = new.revisions
    assert (revision.number, revision.text, revision.strength) == (1, old.record.text, old.strength)
    assert revision.reason.startswith("contradicted_by_new_evidence:")
    assert sorted(revision.evidence) == sorted(old.evidence)
    assert memory.get(old.record.id, scope=SCOPE).superseded_by == new.record.id
    assert shown(memory, "Python 3.11 backend") == [new.record.text]


def test_a_machine_does_not_end_what_people_said(memory: Memory, clock: Clock) -> None:
    tell(memory, PYTHON)
    memory.reflect()
    (old,) = memory.beliefs(scope=SCOPE)
    clock.now = NOW + timedelta(days=2)
    memory.remember("The backend no longer uses Python 3.11.", scope=SCOPE, provenance="inferred")
    clock.now = NOW + timedelta(days=3)
    assert memory.reflect().counts["weaken"] == 1
    (weaker,) = memory.beliefs(scope=SCOPE)
    assert weaker.record.id == old.record.id
    assert weaker.strength < old.strength
    assert len(weaker.against) == 1
    assert [each.reason for each in weaker.revisions] == ["outranked"]


def test_what_was_said_after_the_evidence_and_told_after_the_reflection_is_news(
    memory: Memory, clock: Clock
) -> None:
    tell(memory, PYTHON)  # on 5, 6 and 7 May
    memory.reflect()
    clock.now = NOW + timedelta(days=1)
    earlier = memory.remember(
        "The backend no longer uses Python 3.11.", scope=SCOPE, created_at=TOLD + timedelta(days=1)
    )
    assert "overwrite" not in memory.reflect().counts
    memory.archive(earlier.id, scope=SCOPE)
    memory.remember(
        "The backend does not use Python 3.11 any more.",
        scope=SCOPE,
        created_at=TOLD + timedelta(days=5),
    )
    assert memory.reflect(again=True).counts["overwrite"] == 1


def test_what_a_person_worded_is_not_ended_by_what_was_said_before(
    memory: Memory, clock: Clock
) -> None:
    tell(memory, PYTHON)
    memory.reflect()
    (belief,) = memory.beliefs(scope=SCOPE)
    clock.now = NOW + timedelta(days=1)
    memory.edit_belief(belief.record.id, "The backend uses CPython 3.11.", scope=SCOPE)
    memory.remember(
        "The backend no longer uses CPython 3.11.", scope=SCOPE, created_at=TOLD + timedelta(days=5)
    )
    assert "overwrite" not in memory.reflect().counts
    assert believed(memory) == ["The backend uses CPython 3.11."]


# What is left alone


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"scope": SCOPE}, {"scope": OTHER}),
        ({"speaker": "Ben"}, {"speaker": "Dana"}),
        ({"scene": "office"}, {"scene": "home"}),
        ({"domain": "billing"}, {"domain": "search"}),
        ({"semantic_key": "python"}, {"semantic_key": "runtime"}),
    ],
    ids=["scope", "speaker", "scene", "domain", "key"],
)
def test_what_is_apart_is_never_mixed(
    opened: Callable[..., Memory], one: dict[str, Any], other: dict[str, Any]
) -> None:
    memory = opened(quality_gate=False)
    keyed = "semantic_key" in one
    if keyed:
        # One value of a key at a time: only different wordings of it meet.
        tell(memory, PYTHON[:1], **one)
        tell(memory, PYTHON[1:2], day=1, **other)
        tell(memory, PYTHON[2:], day=2)
    else:
        tell(memory, PYTHON[:2], **one)
        tell(memory, PYTHON[2:], day=2, **other)
    done = memory.reflect()
    assert "merge" not in done.counts
    assert believed(memory) + believed(memory, OTHER) == []


def test_each_scope_has_its_own_belief(memory: Memory) -> None:
    tell(memory, PYTHON)
    tell(memory, PYTHON, scope=OTHER)
    assert memory.reflect().counts["merge"] == 2
    (here,), (there,) = (memory.beliefs(scope=each) for each in (SCOPE, OTHER))
    assert here.record.scope == SCOPE
    assert there.record.scope == OTHER
    assert not set(here.evidence) & set(there.evidence)
    with pytest.raises(NotFoundError):
        memory.belief(here.record.id, scope=OTHER)


def test_pinned_waiting_withdrawn_and_other_layers_are_untouched(memory: Memory) -> None:
    pinned = tell(memory, PYTHON[:1], pinned=True)
    waiting = tell(memory, ["The backend uses Python 3.11, says ada@example.com."])
    archived = tell(memory, PYTHON[1:2])
    memory.archive(archived[0], scope=SCOPE)
    harmful = tell(memory, ["The backend does use Python 3.11."])
    memory.feedback(harmful[0], "harmful", scope=SCOPE)
    tell(memory, ["后端使用 Python 3.11。"], layer="negative")
    tell(memory, PYTHON[2:], kind="event")
    every = [*pinned, *waiting, *archived, *harmful]
    before = [memory.get(each, scope=SCOPE) for each in every]
    assert [each.status for each in before] == ["active", "quarantined", "archived", "active"]
    assert memory.reflect().counts["facts"] == 0
    assert [memory.get(each, scope=SCOPE) for each in every] == before


def test_coexisting_facts_are_untouched(memory: Memory) -> None:
    tell(memory, ["The backend uses Python 3.11."], semantic_key="python")
    (newer,) = tell(memory, ["The backend uses Python 3.12."], day=1, semantic_key="python")
    (review,) = memory.reviews(scope=SCOPE)
    memory.decide(review.id, "coexist", token=review.token, scope=SCOPE)
    tell(memory, PYTHON[1:], day=3)
    assert memory.get(newer, scope=SCOPE).coexistence is not None
    assert memory.reflect().counts["facts"] == 2
    assert memory.get(newer, scope=SCOPE).superseded_by is None


def test_what_is_no_lasting_fact_is_held_back_and_counted(memory: Memory) -> None:
    tell(memory, ["ok", "Which Python does the backend use?", *PYTHON])
    counts = memory.reflect().counts
    assert counts["filtered"] == 2
    assert counts["facts"] == 5
    assert counts["merge"] == 1


def test_patterns_of_the_settings_hold_facts_back(opened: Callable[..., Memory]) -> None:
    memory = opened(skip_patterns="(?i)python\n^用户")
    tell(memory, [*PYTHON, *TEA])
    counts = memory.reflect().counts
    assert counts["filtered"] == 6
    assert "merge" not in counts


# Once a day


def test_a_day_is_reflected_on_once(memory: Memory, clock: Clock) -> None:
    tell(memory, PYTHON)
    first = memory.reflect()
    tell(memory, TEA)
    second = memory.reflect()
    assert (second.already, second.period, second.counts) == (True, first.period, first.counts)
    assert len(believed(memory)) == 1
    assert memory.reflect(again=True).counts["merge"] == 1
    assert len(believed(memory)) == 2
    clock.now = NOW + timedelta(days=1)
    assert not memory.reflect().already


def test_reflecting_again_changes_nothing_where_nothing_is_new(memory: Memory, clock: Clock) -> None:
    tell(memory, [*PYTHON, *TEA])
    memory.reflect()
    before = memory.beliefs(scope=SCOPE)
    for day in (1, 2):
        clock.now = NOW + timedelta(days=day)
        counts = memory.reflect().counts
        assert not {"merge", "reinforce", "weaken", "overwrite"} & set(counts)
    assert memory.beliefs(scope=SCOPE) == before


def test_it_is_due_on_the_days_of_the_schedule_and_what_was_missed_is_made_up_for(
    memory: Memory, clock: Clock
) -> None:
    tell(memory, PYTHON)  # the first on 5 May
    assert memory.next_reflection() == NOW  # that of 8 May was missed
    done = memory.reflect(due_only=True)
    assert (done.period, done.counts["merge"]) == ("2026-05-08", 1)
    assert memory.next_reflection() == datetime(2026, 5, 15, 3, tzinfo=ZONE)
    assert not memory.reflect(due_only=True).done
    clock.now = datetime(2026, 5, 15, 2, 59, tzinfo=ZONE)
    assert not memory.reflect(due_only=True).done
    clock.now = datetime(2026, 5, 15, 3, 0, tzinfo=ZONE)
    assert memory.reflect(due_only=True).period == "2026-05-15"


def test_an_empty_store_is_not_due_and_reflects_on_nothing(memory: Memory) -> None:
    assert memory.next_reflection() == datetime(2026, 5, 15, 3, tzinfo=ZONE)
    assert memory.reflect().counts == {}


def test_progress_ends_at_the_whole(memory: Memory) -> None:
    tell(memory, [*PYTHON, *TEA])
    told: list[tuple[int, int]] = []
    memory.reflect(progress=lambda done, of: told.append((done, of)))
    assert (6, 6) in told  # facts
    assert told[-1] == (2, 2)  # steps
    assert all(done <= of for done, of in told)


def test_one_stopped_in_the_middle_goes_on_with_its_own_clock(memory: Memory, clock: Clock) -> None:
    tell(memory, PYTHON)

    def stop(done: int, of: int) -> None:
        if (done, of) == (1, 1):  # its only step
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.reflect(progress=stop)
    clock.now = NOW + timedelta(days=3)
    again = memory.reflect()
    assert again.done
    assert len(believed(memory)) == 1


def test_a_read_only_memory_does_not_reflect(tmp_path: Path, memory: Memory) -> None:
    tell(memory, PYTHON)
    memory.close()
    with Memory.open(tmp_path / "memory.db", read_only=True, clock=lambda: NOW) as looking:
        with pytest.raises(StoreReadOnly):
            looking.reflect()
        with pytest.raises(StoreReadOnly):
            looking.start_reflecting()


def test_without_what_groups_facts_it_says_what_to_install(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(memory, PYTHON)
    monkeypatch.setattr("memweir.learning.reflection.find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"memweir\[reflection\]"):
        memory.reflect()
    monkeypatch.undo()
    assert memory.reflect().counts["merge"] == 1


# Limits


def test_over_the_limit_the_least_used_are_archived_and_what_people_want_kept_is_not(
    opened: Callable[..., Memory],
) -> None:
    memory = opened(limit=10, archive_share=0.0)
    names = ("Ada", "Ben", "Cyd", "Dan", "Eva", "Fay", "Gil", "Hal", "Ida", "Jon", "Kim", "Lea")
    idle = tell(memory, [f"{name} keeps bees near the river." for name in names], origin="heuristic")
    kept = tell(memory, ["The deploy key rotates on Mondays."])
    pinned = tell(memory, ["The office opens at nine."], origin="heuristic", pinned=True)
    merged = tell(memory, PYTHON, origin="heuristic")
    done = memory.reflect()
    # 17 memories; three become one: 15; five are over ten, the oldest of those nobody asked for.
    assert (done.counts["merge"], done.counts["archive"]) == (1, 5)
    status = {each: memory.get(each, scope=SCOPE).status for each in (*idle, *kept, *pinned, *merged)}
    assert [status[each] for each in idle] == ["archived"] * 5 + ["active"] * 7
    assert {status[each] for each in (*kept, *pinned, *merged)} == {"active"}
    assert memory.restore(idle[0], scope=SCOPE).status == "active"


def test_below_the_limit_nothing_is_archived(opened: Callable[..., Memory]) -> None:
    memory = opened(limit=4, archive_share=1.0)
    tell(memory, ["Ada keeps bees near the river.", "Ben rows on the lake."], origin="heuristic")
    tell(memory, PYTHON, origin="heuristic")
    # Five, of which three become one: three are left.
    assert "archive" not in memory.reflect().counts


# What a person does about it


def test_a_person_words_a_belief_anew_and_it_stays_theirs(memory: Memory, clock: Clock) -> None:
    tell(memory, PYTHON)
    memory.reflect()
    (belief,) = memory.beliefs(scope=SCOPE)
    memory.edit_belief(belief.record.id, belief.record.text, scope=SCOPE)
    assert memory.belief(belief.record.id, scope=SCOPE).revisions == ()
    clock.now = NOW + timedelta(hours=1)
    memory.edit_belief(belief.record.id, "The backend uses CPython 3.11.", scope=SCOPE)
    edited = memory.belief(belief.record.id, scope=SCOPE)
    assert edited.record.text == "The backend uses CPython 3.11."
    assert [(each.reason, each.text) for each in edited.revisions] == [
        ("manual_edit", belief.record.text)
    ]
    assert not edited.rewritten
    assert edited.evidence == belief.evidence
    with pytest.raises(InputError, match="no belief"):
        memory.edit_belief(belief.evidence[0], "x y z", scope=SCOPE)


def test_a_belief_that_was_taken_back_leaves_its_facts_and_does_not_return(
    memory: Memory, clock: Clock
) -> None:
    ids = tell(memory, PYTHON)
    memory.reflect()
    (belief,) = memory.beliefs(scope=SCOPE)
    assert sorted(memory.withdraw_belief(belief.record.id, scope=SCOPE)) == sorted(ids)
    assert believed(memory) == []
    assert all(memory.get(each, scope=SCOPE).superseded_by is None for each in ids)
    assert shown(memory, "Python backend 后端") == sorted(PYTHON)
    clock.now = NOW + timedelta(days=1)
    assert "merge" not in memory.reflect().counts
    assert believed(memory) == []
    with pytest.raises(RefusedError, match="no belief"):
        memory.withdraw_belief(ids[0], scope=SCOPE)


def test_taking_back_what_overwrote_brings_back_what_was_believed(memory: Memory, clock: Clock) -> None:
    tell(memory, PYTHON)
    memory.reflect()
    (old,) = memory.beliefs(scope=SCOPE)
    clock.now = NOW + timedelta(days=2)
    news = memory.remember("The backend no longer uses Python 3.11.", scope=SCOPE).id
    clock.now = NOW + timedelta(days=3)
    memory.reflect()
    (new,) = memory.beliefs(scope=SCOPE)
    with pytest.raises(RefusedError, match="took its place"):
        memory.withdraw_belief(old.record.id, scope=SCOPE)
    back = memory.withdraw_belief(new.record.id, scope=SCOPE)
    assert set(back) == {old.record.id, news}
    assert old.record.id in [each.record.id for each in memory.beliefs(scope=SCOPE)]


def test_a_fact_holds_again_once_its_belief_is_forgotten(memory: Memory) -> None:
    ids = tell(memory, PYTHON)
    memory.reflect()
    (belief,) = memory.beliefs(scope=SCOPE)
    with pytest.raises(RefusedError):
        memory.restore(ids[0], scope=SCOPE)
    memory.forget(belief.record.id, scope=SCOPE)
    assert memory.restore(ids[0], scope=SCOPE).superseded_by is None


# Erasing


def _erase(memory: Memory, *ids: str) -> None:
    plan: Any = memory.erase(scope=SCOPE, ids=ids)
    memory.erase(scope=SCOPE, ids=ids, confirm=plan.token)


def _file(tmp_path: Path) -> bytes:
    return b"".join(each.read_bytes() for each in sorted(tmp_path.glob("memory.db*")))


def test_an_erased_belief_leaves_no_trace_and_its_facts_hold_again(
    memory: Memory, tmp_path: Path
) -> None:
    ids = tell(memory, PYTHON)
    memory.reflect()
    (belief,) = memory.beliefs(scope=SCOPE)
    _erase(memory, belief.record.id)
    assert believed(memory) == []
    assert belief.record.id.encode() not in _file(tmp_path)
    for each in ids:
        record = memory.get(each, scope=SCOPE)
        assert (record.superseded_by, record.invalid_at_ms) == (None, None)
    assert shown(memory, "Python backend 后端") == sorted(PYTHON)


def test_with_the_fact_that_worded_it_the_belief_goes_and_the_other_facts_hold_again(
    memory: Memory, tmp_path: Path
) -> None:
    ids = tell(memory, PYTHON)
    memory.reflect()
    (belief,) = memory.beliefs(scope=SCOPE)
    worded = ids[PYTHON.index(belief.record.text)]
    _erase(memory, worded)
    assert believed(memory) == []
    left = sorted(set(PYTHON) - {belief.record.text})
    assert shown(memory, "Python backend 后端") == left
    assert belief.record.text.encode() not in _file(tmp_path)


def test_of_an_erased_fact_its_belief_keeps_nothing(memory: Memory, tmp_path: Path) -> None:
    ids = tell(memory, PYTHON)
    memory.reflect()
    (belief,) = memory.beliefs(scope=SCOPE)
    gone = ids[1 if PYTHON.index(belief.record.text) != 1 else 0]
    _erase(memory, gone)
    (left,) = memory.beliefs(scope=SCOPE)
    assert gone not in left.evidence
    assert len(left.evidence) == 2
    assert gone.encode() not in _file(tmp_path)


def test_erasing_between_plan_and_act_is_not_undone(memory: Memory, clock: Clock) -> None:
    ids = tell(memory, PYTHON)

    def stop(done: int, of: int) -> None:
        if done == 3 and of == 3:  # all facts are planned for
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.reflect(progress=stop)
    _erase(memory, ids[0])
    clock.now = NOW + timedelta(days=1)
    memory.reflect()
    assert believed(memory) == []


# In the background


def _waits(answers: Sequence[Callable[[], None]]) -> tuple[list[float], Any, threading.Event]:
    """A wait that does one thing a time instead, and then is over; how long it was to be, each time."""
    seconds: list[float] = []
    left = list(answers)
    over = threading.Event()

    def wait(event: threading.Event, timeout: float) -> bool:
        seconds.append(timeout)
        if left:
            left.pop(0)()
            return False
        over.set()
        return event.wait()

    return seconds, wait, over


def test_the_scheduler_catches_up_sleeps_and_comes_again(memory: Memory, clock: Clock) -> None:
    from memweir.learning.scheduler import ReflectionScheduler

    tell(memory, PYTHON)

    def later() -> None:
        clock.now = datetime(2026, 5, 15, 3, 0, tzinfo=ZONE)
        tell(memory, TEA)

    clock.now = datetime(2026, 5, 15, 2, 30, tzinfo=ZONE)
    seconds, wait, over = _waits([later])
    scheduler = ReflectionScheduler(memory, clock=clock, wait=wait)
    assert over.wait(30)
    scheduler.close()
    assert not scheduler.running
    assert sorted(believed(memory), key=len) != []
    assert len(believed(memory)) == 2
    # Half an hour to the 15th; then a week, of which no more than an hour at a time.
    assert seconds == [1800.0, 3600.0]


def test_the_scheduler_survives_errors_and_tries_later_and_later(
    caplog: pytest.LogCaptureFixture,
) -> None:
    from memweir.learning.scheduler import ReflectionScheduler

    class Failing:
        def next_reflection(self, *, now: datetime | None = None) -> datetime:
            assert now is not None
            return now

        def reflect(self, **_: Any) -> Any:
            raise RuntimeError("no space")

    seconds, wait, over = _waits([lambda: None] * 3)
    scheduler = ReflectionScheduler(
        Failing(), clock=lambda: NOW, wait=wait, first_wait_seconds=10, longest_wait_seconds=30
    )
    assert over.wait(30)
    scheduler.close()
    assert seconds == [10, 20, 30, 30]
    assert caplog.text.count("no space") == 4


def test_close_ends_a_reflection_that_is_under_way(memory: Memory, clock: Clock) -> None:
    from memweir.learning.scheduler import ReflectionScheduler

    begun, asked = threading.Event(), threading.Event()

    class Long:
        def next_reflection(self, *, now: datetime | None = None) -> datetime:
            assert now is not None
            return now

        def reflect(self, *, progress: Any = None, **_: Any) -> Any:
            begun.set()
            while not asked.wait(0.001):
                progress(0, 1)
            raise AssertionError("was not ended")

    scheduler = ReflectionScheduler(Long(), clock=lambda: NOW)
    assert begun.wait(30)
    scheduler.close()
    assert not scheduler.running
    asked.set()


def test_a_memory_reflects_in_the_background_where_that_is_on(
    opened: Callable[..., Memory], clock: Clock
) -> None:
    assert opened(enabled=False).start_reflecting() is False
    memory = opened()
    tell(memory, PYTHON)
    assert memory.start_reflecting() is True
    scheduler = memory._scheduler
    assert memory.start_reflecting() is True
    assert memory._scheduler is scheduler
    for _ in range(3_000):
        if believed(memory):
            break
        threading.Event().wait(0.01)
    assert len(believed(memory)) == 1
    memory.close()
    assert scheduler is not None
    assert not scheduler.running


def test_two_schedulers_over_one_file_reflect_once(tmp_path: Path, clock: Clock) -> None:
    from memweir.learning.scheduler import ReflectionScheduler

    with (
        Memory.open(tmp_path / "memory.db", clock=clock) as one,
        Memory.open(tmp_path / "memory.db", clock=clock) as other,
    ):
        tell(one, [*PYTHON, *TEA])
        waiting = [_waits([]) for _ in range(2)]
        schedulers = [
            ReflectionScheduler(each, clock=clock, wait=wait)
            for each, (_, wait, _) in zip((one, other), waiting, strict=True)
        ]
        assert all(over.wait(60) for _, _, over in waiting)
        for each in schedulers:
            each.close()
        beliefs = one.beliefs(scope=SCOPE)
        assert len(beliefs) == 2
        assert [len(each.evidence) for each in beliefs] == [3, 3]


def test_a_plan_made_while_another_was_carried_out_is_not_kept(tmp_path: Path, clock: Clock) -> None:
    with (
        Memory.open(tmp_path / "memory.db", clock=clock) as one,
        Memory.open(tmp_path / "memory.db", clock=clock) as other,
    ):
        tell(one, PYTHON)
        made: list[Any] = []

        def meanwhile(done: int, of: int) -> None:
            if not made:
                made.append(other.reflect())

        late = one.reflect(progress=meanwhile)
        assert made[0].counts["merge"] == 1
        assert late.already
        assert late.counts == made[0].counts
        assert len(one.beliefs(scope=SCOPE)) == 1
