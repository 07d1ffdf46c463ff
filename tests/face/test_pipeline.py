"""Does one pass put the right entries into the block: context, slots, modes, duplicates, budget?"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from xml.etree import ElementTree

import pytest

from memweir import Budget, Config, Memory, Relation, Scope
from memweir.config import RetrievalConfig
from memweir.fusion.tokens import count_tokens
from memweir.fusion.types import GateConfig
from memweir.pipeline import answer_key
from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.embedding import HashedNgramEmbedder
from memweir.retrieval.types import PATHS
from memweir.testing import NOW, SCOPE, draft

Tell = Callable[..., list[str]]
Open = Callable[..., Memory]
Only = Callable[..., Config]

OTHERS = ("The kitchen is painted blue", "Grace plays the cello", "Lunch is at noon", "厨房刷成了蓝色")


def _entries(block: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(f"<root>{block}</root>").iter("memory"))


# The whole of a recall


def test_item_carries_everything_that_decided_about_it(memory: Memory, tell: Tell) -> None:
    (kept,) = tell(
        memory,
        draft(
            "the kestrel nests on the roof",
            title="Kestrel",
            kind="event",
            layer="experience",
            age_days=0,
        ),
    )
    tell(memory, *OTHERS)
    recall = memory.recall("where does the kestrel nest?", scope=SCOPE)
    (item,) = recall.items
    assert (item.id, item.text, item.title, item.layer, item.kind, item.scope) == (
        *(kept, "the kestrel nests on the roof", "Kestrel", "experience", "event"),
        "project:atlas",
    )
    assert (item.provenance, item.created, item.injected, item.duplicate_of) == (
        *("human", "2026-06-15", True),
        "",
    )
    assert set(item.matched) == set(item.ranks) == {"semantic", "keyword", "graph"}
    assert item.matched["keyword"]["bm25"] == pytest.approx(item.matched["keyword"]["score"], abs=1e-6)
    assert recall.mode == "assist"
    assert recall


def test_numbers_of_a_score_add_up(memory: Memory, tell: Tell) -> None:
    tell(
        memory,
        draft("the kestrel nests on the roof", relations=(Relation("kestrel", "nests on", "roof"),)),
        draft("a kestrel was seen two days ago", age_days=2, importance=0.9),
        draft("pinned", pinned=True),
        *OTHERS,
    )
    recall = memory.recall("kestrel roof two days ago", scope=SCOPE)
    assert len(recall.candidates) >= 3

    def check(node: Any) -> None:
        if node.children:
            assert math.fsum(child.value for child in node.children) == pytest.approx(
                node.value, abs=1e-9
            )
        for child in node.children:
            check(child)

    for item in recall.candidates:
        assert item.why.value == pytest.approx(item.score, abs=1e-9)
        assert 0.0 <= item.score <= 1.0
        check(item.why)
    scores = [(item.scored.candidate.exact, item.score) for item in recall.candidates]
    assert scores == sorted(scores, reverse=True)


def test_block_says_what_the_paths_found(memory: Memory, tell: Tell) -> None:
    tell(memory, "the kestrel nests on the roof", *OTHERS)
    recall = memory.recall("kestrel", scope=SCOPE)
    assert recall.rankings is not None
    line = next(line for line in recall.block.splitlines() if line.startswith("Paths: "))
    counts = {name: len(ranking.hits) for name, ranking in recall.rankings.items()}
    assert line == "Paths: " + " ".join(f"{name}={counts[name]}" for name in PATHS)
    assert recall.block.endswith("\n")
    assert 'today="2026-06-15"' in recall.block


def test_entry_and_item_say_who_spoke(memory: Memory, tell: Tell) -> None:
    said, told, *_ = tell(
        memory,
        draft("I broke my ankle while skiing.", kind="turn", speaker="Ben"),
        "The ankle of the statue broke in the storm.",
        *OTHERS,
    )
    recall = memory.recall("whose ankle broke?", scope=SCOPE)
    speakers = {each.get("id"): each.get("speaker") for each in _entries(recall.block)}
    assert speakers == {said: "Ben", told: None}
    assert {item.id: item.speaker for item in recall.items} == {said: "Ben", told: ""}


# Context


def test_turns_before_tell_which_of_two_is_meant(memory: Memory, tell: Tell) -> None:
    bird, plane, _ = tell(
        memory,
        "The kestrel was repaired after it broke a wing in the storm of the bird sanctuary",
        "The kestrel was repaired after its wing was damaged, an aeroplane of the museum",
        "lunch",
    )
    first = {
        about: memory.recall("when was it repaired?", scope=SCOPE, context=(turn,)).candidates[0].id
        for about, turn in (
            ("bird", "I volunteer at the bird sanctuary, we had a storm"),
            ("plane", "the museum shows an old aeroplane"),
        )
    }
    assert first == {"bird": bird, "plane": plane}


def test_turns_before_in_chinese(memory: Memory, tell: Tell) -> None:
    bird, plane = tell(memory, "鸟类救助站的红隼翅膀修好了", "博物馆的飞机翅膀修好了")
    for turn, wanted in (("我在鸟类救助站做志愿者", bird), ("博物馆里有一架旧飞机", plane)):
        recall = memory.recall("翅膀修好了吗", scope=SCOPE, context=(turn,))
        assert recall.candidates[0].id == wanted


def test_turn_that_says_nothing_itself_is_understood_from_the_one_before(
    memory: Memory, tell: Tell
) -> None:
    (wanted, *_) = tell(memory, "The kestrel nests on the roof of the mill", *OTHERS)
    for query in ("and why?", "它在哪", "what about it"):
        assert memory.recall(query, scope=SCOPE).items == ()
        recall = memory.recall(query, scope=SCOPE, context=("tell me of the kestrel on the mill roof",))
        assert recall.candidates[0].id == wanted, query


def test_nearer_turn_counts_more(memory: Memory, tell: Tell) -> None:
    falcon, cello = tell(memory, "The falcon nests on the roof", "Grace keeps the cello in the attic")
    turns = ("the falcon", "the cello")
    for query in ("where is it?", "and where would that be?"):  # "kept" would speak for the cello
        first = memory.recall(query, scope=SCOPE, context=turns).candidates[0].id
        second = memory.recall(query, scope=SCOPE, context=turns[::-1]).candidates[0].id
        assert (first, second) == (cello, falcon), query


def test_weight_of_context_can_be_set_to_nothing(open_memory: Open, tell: Tell) -> None:
    memory = open_memory(config=Config(retrieval=RetrievalConfig(context_weight=0.0)))
    tell(memory, "The kestrel nests on the roof", "The cello stands on the roof", *OTHERS)
    for query in ("where is the cello?", "what is on the roof?"):
        plain = memory.recall(query, scope=SCOPE, record=False)
        assert memory.recall(query, scope=SCOPE, context=("kestrel",), record=False) == plain


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("The kestrel nests on the roof of the mill", "where does the kestrel nest?"),
        ("红隼在磨坊的屋顶上筑巢", "红隼在哪里筑巢"),
        ("🙂🙂 the mood of the team", "🙂🙂"),
    ],
)
def test_path_that_is_off_takes_its_hits_along_and_not_the_relevance_of_the_others(
    open_memory: Open, tell: Tell, text: str, query: str
) -> None:
    memory = open_memory()
    (wanted, *_) = tell(memory, text, *OTHERS)
    whole = memory.recall(query, scope=SCOPE).candidates[0]
    memory.close()
    # The file's vectors are another embedder's now.
    without = open_memory(embedder=HashedNgramEmbedder(default_analyzer(), dim=512))
    recall = without.recall(query, scope=SCOPE)
    assert "off" in recall.rankings["semantic"].note
    item = recall.candidates[0]
    assert (whole.id, item.id) == (wanted, wanted)
    assert item.injected
    # The words stand in for the vectors: what cannot be compared is no mismatch.
    assert item.decision.relevance > 0.5 * whole.decision.relevance


def test_blank_and_many_turns_are_no_trouble(memory: Memory, tell: Tell) -> None:
    (wanted, *_) = tell(memory, "The kestrel nests on the roof", *OTHERS)
    turns = ["", "  ", "\ud83d", "x" * 50_000, *(f"turn {n}" for n in range(500))]
    recall = memory.recall("the kestrel on the roof", scope=SCOPE, context=turns)
    assert recall.candidates[0].id == wanted


# Slots


def test_pinned_memory_comes_without_any_likeness(memory: Memory, tell: Tell) -> None:
    pinned, wanted, *_ = tell(
        memory, draft("Answer in Chinese", pinned=True), "the kestrel nests on the roof", *OTHERS
    )
    recall = memory.recall("kestrel", scope=SCOPE)
    assert [item.id for item in recall.items] == [pinned, wanted]
    assert recall.items[0].slot == "pinned"
    assert recall.items[0].ranks == {}
    assert _entries(recall.block)[0].get("pinned") == "true"
    # Also where nothing else is found.
    assert [item.id for item in memory.recall("zeppelin", scope=SCOPE).items] == [pinned]


def test_more_pinned_than_slots_leaves_out_the_least_important(memory: Memory, tell: Tell) -> None:
    ids = tell(
        memory, *(draft(f"rule {number}", pinned=True, importance=number / 10) for number in range(5))
    )
    recall = memory.recall("zeppelin", scope=SCOPE)
    assert [item.id for item in recall.items] == [ids[4], ids[3]]
    none = memory.recall("zeppelin", scope=SCOPE, budget=Budget(pinned_slots=0))
    assert none.items == ()
    three = memory.recall("zeppelin", scope=SCOPE, budget=Budget(pinned_slots=3))
    assert [item.id for item in three.items] == [ids[4], ids[3], ids[2]]


def test_most_confident_belief_takes_the_belief_slot(memory: Memory, tell: Tell) -> None:
    weak, strong = tell(
        memory, draft("Ada likes tea", layer="belief"), draft("Tests come first", layer="belief")
    )
    memory.feedback(strong, "helped")
    recall = memory.recall("zeppelin", scope=SCOPE)
    assert [(item.id, item.slot) for item in recall.items] == [(strong, "belief")]
    # One that the words find needs no slot, and leaves it to another.
    found = memory.recall("does Ada like tea?", scope=SCOPE)
    assert {item.id for item in found.items} == {weak, strong}


def test_belief_that_the_words_find_is_an_ordinary_entry(memory: Memory, tell: Tell) -> None:
    (belief,) = tell(memory, draft("Tests come first", layer="belief"))
    slots = {
        query: [(item.id, item.slot) for item in memory.recall(query, scope=SCOPE).items]
        for query in ("zeppelin", "which tests come first?")
    }
    assert slots == {"zeppelin": [(belief, "belief")], "which tests come first?": [(belief, "")]}


def test_pinned_memory_passes_no_gate_but_that_of_relevance(memory: Memory, tell: Tell) -> None:
    (pinned,) = tell(memory, draft("Answer in Chinese", pinned=True))
    memory.feedback(pinned, "harmful")
    assert memory.recall("zeppelin", scope=SCOPE).items[0].action == "verify"
    memory.feedback(pinned, "harmful")
    assert memory.recall("zeppelin", scope=SCOPE).items == ()


def test_slots_obey_scope_tags_scene_and_time(memory: Memory, tell: Tell) -> None:
    (pinned,) = tell(memory, draft("Answer in Chinese", pinned=True, tags=("tone",), scene="chat"))

    def asked(**options: Any) -> list[str]:
        return [item.id for item in memory.recall("zeppelin", **{"scope": SCOPE, **options}).items]

    assert asked(tags=("tone",), scene="chat") == [pinned]
    assert asked(tags=("other",)) == []
    assert asked(scene="coding") == []
    assert asked(scope=Scope.project("borealis")) == []
    assert asked(as_of=NOW - timedelta(days=30)) == []


# Modes


def test_modes_decide_alike_and_inject_differently(memory: Memory, tell: Tell) -> None:
    sure, unsure = tell(memory, "the kestrel nests on the roof", "a kestrel nests in the tower")
    memory.feedback(unsure, "harmful")
    results = {
        mode: memory.recall("kestrel nests", scope=SCOPE, mode=mode)
        for mode in ("shadow", "assist", "enforce")
    }
    decisions = {
        mode: {item.id: (item.action, item.reason) for item in recall.candidates}
        for mode, recall in results.items()
    }
    assert decisions["shadow"] == decisions["assist"] == decisions["enforce"]
    assert decisions["assist"] == {sure: ("use", "ok"), unsure: ("verify", "low-confidence")}
    injected = {mode: [item.id for item in recall.items] for mode, recall in results.items()}
    assert injected == {"shadow": [], "assist": [sure, unsure], "enforce": [sure]}
    assert (results["shadow"].block, results["shadow"].abstained) == ("", "shadow-mode")
    assert 'verify="low-confidence"' in results["assist"].block
    assert "verify=" not in results["enforce"].block


def test_mode_is_the_configured_one_unless_said(open_memory: Open, tell: Tell) -> None:
    memory = open_memory(config=Config(gate=GateConfig(mode="shadow")))
    tell(memory, "the kestrel nests on the roof")
    assert memory.recall("kestrel", scope=SCOPE).mode == "shadow"
    assert memory.recall("kestrel", scope=SCOPE).block == ""
    assert memory.recall("kestrel", scope=SCOPE, mode="assist").block != ""


def test_nothing_but_what_is_to_be_verified_says_so(memory: Memory, tell: Tell) -> None:
    (kept,) = tell(memory, "the kestrel nests on the roof")
    memory.feedback(kept, "conflict")
    assert memory.recall("kestrel", scope=SCOPE, mode="enforce").abstained == "to-be-verified"


# Marks


@pytest.mark.parametrize("provenance", ["human", "tool", "inferred"])
def test_what_no_person_said_is_marked(memory: Memory, tell: Tell, provenance: str) -> None:
    tell(memory, draft("the kestrel nests on the roof", provenance=provenance))
    (entry,) = _entries(memory.recall("kestrel", scope=SCOPE).block)
    second_hand = provenance != "human"
    assert entry.get("source") == (provenance if second_hand else None)
    assert ("please verify" in (entry.text or "")) is second_hand
    assert (entry.text or "").endswith("the kestrel nests on the roof")


def test_old_memory_is_to_be_verified_unless_confirmed_or_pinned(memory: Memory, tell: Tell) -> None:
    now = NOW + timedelta(days=900)  # freshness 0.5 ** (900 / 365) = 0.18, below 0.2
    kept, pinned = tell(
        memory,
        draft("the kestrel nests on the roof", age_days=0),
        draft("the kestrel is called Kira", pinned=True, age_days=0),
    )

    def reasons() -> dict[str, str]:
        recall = memory.recall("kestrel", scope=SCOPE, now=now)
        return {item.id: item.reason for item in recall.candidates}

    assert reasons() == {kept: "stale", pinned: "ok"}
    memory.feedback(kept, "helped", now=now - timedelta(days=1))
    assert reasons()[kept] == "ok"


def test_expired_memory_is_marked(memory: Memory, tell: Tell) -> None:
    tell(memory, draft("the kestrel nests on the roof", expires_at=NOW))
    (entry,) = _entries(memory.recall("kestrel", scope=SCOPE).block)
    assert entry.get("verify") == "expired"


def test_dates_are_those_of_the_readers_calendar(memory: Memory, tell: Tell) -> None:
    start = datetime(2026, 6, 10, 23, 30, tzinfo=UTC)
    tell(memory, draft("the kestrel flew", event_start=start, event_end=start + timedelta(hours=1)))
    from zoneinfo import ZoneInfo

    for zone, day in (("UTC", "2026-06-10"), ("Asia/Shanghai", "2026-06-11")):
        recall = memory.recall("kestrel", scope=SCOPE, now=NOW.astimezone(ZoneInfo(zone)))
        assert recall.items[0].created == day
        assert _entries(recall.block)[0].get("date") == day


# Duplicates


def test_near_duplicates_are_shown_once(memory: Memory, tell: Tell) -> None:
    ids = tell(
        memory,
        draft("The staging host is rebuilt by the night job every Monday", document_id="a"),
        draft("The staging host is rebuilt by the night job, every Monday!", document_id="b"),
        draft("the STAGING host gets rebuilt by the night job every Monday", document_id="c"),
    )
    recall = memory.recall("when is the staging host rebuilt?", scope=SCOPE)
    assert {item.id for item in recall.candidates} == set(ids)
    assert len(recall.items) == 1
    kept = recall.items[0].id
    assert {item.duplicate_of for item in recall.candidates if item.id != kept} == {kept}
    assert {each.reason for each in recall.dropped} == {"duplicate"}


def test_threshold_of_1_collapses_only_the_same_words(open_memory: Open, tell: Tell) -> None:
    memory = open_memory(config=Config(retrieval=RetrievalConfig(duplicate_threshold=1.0)))
    tell(
        memory,
        "The staging host is rebuilt by the night job every Monday morning at dawn",
        "The staging host is rebuilt by the night job every Monday morning at dusk",
    )
    assert len(memory.recall("staging host", scope=SCOPE).items) == 2


def test_what_was_learned_from_use_does_not_hide_a_duplicate(memory: Memory, tell: Tell) -> None:
    ids = tell(
        memory,
        draft("The staging host is rebuilt every Monday", document_id="a"),
        draft("The staging host is rebuilt every Monday!", document_id="b"),
    )
    memory.feedback(ids[0], "helped", query="gateway refresh cadence agenda wurzel")
    recall = memory.recall("when is the staging host rebuilt?", scope=SCOPE)
    assert len(recall.items) == 1
    assert {each.reason for each in recall.dropped} == {"duplicate"}


# Budget


@pytest.mark.parametrize(
    "budget",
    [
        Budget(items=2),
        Budget(characters=700),
        Budget(tokens=150),
        Budget(items=0),
        Budget(characters=10),
    ],
)
def test_budget_argument_holds_and_the_audit_equals_the_block(
    memory: Memory, tell: Tell, budget: Budget
) -> None:
    ids = tell(memory, *(f"The kestrel of tower {letter} was seen by Ada" for letter in "ABCDEFGH"))
    recall = memory.recall("kestrel of the tower", scope=SCOPE, budget=budget)
    assert len(recall.items) <= budget.items
    assert len(recall.block) <= budget.characters
    assert count_tokens(recall.block) <= budget.tokens
    assert [each.get("id") for each in _entries(recall.block)] == [item.id for item in recall.items]
    audited = {
        memory_id
        for memory_id in ids
        for row in memory.explain(memory_id, scope=SCOPE).decisions
        if row["run_id"] == recall.run_id and row["injected"]
    }
    assert audited == {item.id for item in recall.items}
    assert len(recall.items) + len(recall.dropped) == len(ids)
    assert recall.abstained == ("" if recall.items else "budget")


# Configuration


@pytest.mark.parametrize("name", PATHS)
def test_path_that_is_off_is_not_asked(open_memory: Open, tell: Tell, only: Only, name: str) -> None:
    others = [path for path in PATHS if path != name]
    memory = open_memory(config=only(*others))
    start = NOW - timedelta(days=2)
    tell(
        memory,
        draft(
            "Zoltan signed the lease",
            relations=(Relation("Zoltan", "signed", "lease"),),
            event_start=start,
            event_end=start + timedelta(hours=1),
        ),
    )
    recall = memory.recall("Zoltan lease two days ago", scope=SCOPE)
    assert recall.rankings is not None
    assert sorted(recall.rankings) == sorted(others)
    assert set(recall.items[0].ranks) == set(others)
    assert f"{name}=" not in next(line for line in recall.block.splitlines() if "Paths:" in line)


def test_one_path_alone_at_rank_1_scores_full_in_fusion(
    open_memory: Open, tell: Tell, only: Only
) -> None:
    memory = open_memory(config=only("keyword"))
    tell(memory, "the kestrel nests on the roof", *OTHERS)
    assert memory.recall("kestrel", scope=SCOPE).items[0].scored.fused.score == 1.0


# Query


def test_relative_date_says_when_and_not_what(memory: Memory, tell: Tell) -> None:
    words, day = tell(
        memory,
        draft("three days is how long it takes", age_days=50),
        draft("signed the lease", age_days=3),
    )
    recall = memory.recall("what was signed three days ago?", scope=SCOPE)
    assert recall.candidates[0].id == day
    assert words not in [item.id for item in recall.items]


def test_absolute_date_is_found_as_text_too(memory: Memory, tell: Tell) -> None:
    (noted,) = tell(memory, draft("deadline for the report: March 2026", age_days=300))
    recall = memory.recall("what is due in March 2026?", scope=SCOPE)
    assert noted in [item.id for item in recall.candidates]


@pytest.mark.parametrize(
    "query",
    [
        "what happened on March 15, 2026?",
        "2026年3月15日做了什么",
        "on 2026-03-15?",
        "on 10-15 March",
        "Q3 2026",
    ],
)
def test_number_of_a_date_is_no_symbol(memory: Memory, tell: Tell, query: str) -> None:
    tell(memory, draft("the bill of 2026 for 15 cups and 3 plates", age_days=9))
    tell(memory, *(f"remark {number} about the weather" for number in range(20)))
    recall = memory.recall(query, scope=SCOPE)
    assert not any(item.scored.candidate.exact for item in recall.candidates)


def test_graph_and_timeline_start_from_what_the_words_found(memory: Memory, tell: Tell) -> None:
    hives, flat, old, _ = tell(
        memory,
        draft("he has four hives", relations=(Relation("Mirek", "keeps", "bees"),)),
        draft("a place under the roof", relations=(Relation("Mirek", "lives in", "Brno"),)),
        draft("hives were painted", age_days=30),
        draft("another matter", age_days=0),
    )
    recall = memory.recall("hives", scope=SCOPE)
    found = {item.id: item for item in recall.candidates}
    assert found[flat].ranks == {"graph": 1}
    assert found[flat].injected
    latest = memory.recall("the latest on the hives", scope=SCOPE)
    assert latest.rankings is not None
    assert [hit.id for hit in latest.rankings["timeline"].hits] == [hives, old]


def test_symbol_in_a_long_text_stands_above_better_words(memory: Memory, tell: Tell) -> None:
    words, exact = tell(
        memory,
        "the port of the relay: the relay port is the port",
        "kettle, ladder, rope, lamp, bread, paper, glue and salt, 8081, wine, oil, rice and honey",
    )
    tell(memory, *(f"remark {number} about lunch" for number in range(20)))
    recall = memory.recall("relay port 8081", scope=SCOPE)
    assert [item.id for item in recall.candidates[:2]] == [exact, words]
    assert recall.candidates[0].scored.candidate.exact


def test_long_query_is_read_at_both_ends(memory: Memory, tell: Tell) -> None:
    first, last, _ = tell(memory, "the kestrel nests", "the zither is tuned", "nothing else")
    filler = "lorem ipsum dolor sit amet " * 4000
    for query, wanted in ((f"kestrel {filler}", first), (f"{filler} zither", last)):
        recall = memory.recall(query, scope=SCOPE)
        assert recall.rankings is not None
        assert [hit.id for hit in recall.rankings["keyword"].hits] == [wanted]


def test_question_in_one_language_finds_the_synonym_in_the_other(memory: Memory, tell: Tell) -> None:
    lunch, _ = tell(memory, "午饭在十二点", "红隼在屋顶上")
    recall = memory.recall("when is lunch?", scope=SCOPE)
    assert [item.id for item in recall.items] == [lunch]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Who owns it?", "who  OWNS it", True),
        ("计费服务归谁？", "计费服务归谁", True),
        ("計費服務歸誰", "计费服务归谁!", True),
        ("Who owns it?", "Who owned it?", False),
        ("C++", "C", False),
    ],
)
def test_key_of_an_answer_folds_writing_and_not_meaning(one: str, other: str, same: bool) -> None:
    analyse = default_analyzer().analyse
    assert (answer_key(analyse(one)) == answer_key(analyse(other))) is same


# Why nothing is injected


@pytest.mark.parametrize(
    ("gate", "reason"),
    [
        (GateConfig(min_relevance=0.95), "irrelevant"),
        (GateConfig(min_relevance=0.0, turn_relevance=1.0), "unanswered"),
    ],
)
def test_reason_is_that_of_the_best_candidate_however_many_others_have_another(
    open_memory: Open, tell: Tell, gate: GateConfig, reason: str
) -> None:
    memory = open_memory(config=Config(gate=gate))
    tell(memory, *(f"the kestrel of tower {letter}, seen at noon" for letter in "ABC"))
    for item in memory.recall("kestrel lunch", scope=SCOPE).candidates[1:]:
        for _ in range(2):
            memory.feedback(item.id, "harmful")
    recall = memory.recall("kestrel lunch", scope=SCOPE)
    assert [item.reason for item in recall.candidates] == [reason, "harmful", "harmful"]
    assert recall.abstained == reason
    assert {item.turn for item in recall.candidates} == {recall.relevance}
    assert 0.0 < recall.relevance < 1.0


def test_best_that_is_to_be_verified_is_the_reason_where_others_are_ignored(
    open_memory: Open, tell: Tell
) -> None:
    memory = open_memory()
    tell(memory, *(draft(f"the kestrel of tower {each}", origin="heuristic") for each in "ABC"))
    for item in memory.recall("the kestrel", scope=SCOPE).candidates[1:]:
        for _ in range(2):
            memory.feedback(item.id, "harmful")
    recall = memory.recall("the kestrel", scope=SCOPE, mode="enforce")
    assert [item.action for item in recall.candidates] == ["verify", "ignore", "ignore"]
    assert recall.abstained == "to-be-verified"


def test_frame_counts_what_it_holds(memory: Memory, tell: Tell) -> None:
    tell(memory, draft("Answer in Chinese", pinned=True), "the kestrel nests", "a kestrel flew")
    recall = memory.recall("kestrel", scope=SCOPE)
    head = recall.block.splitlines()[0]
    assert re.search(r'count="3" pinned="1" today="2026-06-15"', head)
    assert len(_entries(recall.block)) == 3


@pytest.mark.parametrize("text", ["ok", "Thanks!", "谢谢", "好的，继续"])
def test_small_talk_brings_up_nothing_whatever_was_spoken_of(
    memory: Memory, tell: Tell, text: str
) -> None:
    tell(memory, "Tests are run with make test.", "测试用 make test 运行")
    recall = memory.recall(text, scope=SCOPE, context=("How do I run the tests?", "测试怎么跑？"))
    assert recall.block == ""
    assert recall.abstained


def test_turn_that_nothing_answers_says_how_probable_an_answer_was(memory: Memory, tell: Tell) -> None:
    tell(memory, "Tests are run with make test.", "The database is PostgreSQL 16.")
    asked = memory.recall("how are the tests run?", scope=SCOPE)
    other = memory.recall("which colour goes with a beige sofa?", scope=SCOPE)
    assert asked.relevance > Config().gate.turn_relevance > other.relevance
    assert asked.block
    assert not other.block


def test_remark_after_a_matching_question_is_at_most_to_be_verified(memory: Memory, tell: Tell) -> None:
    session = {"kind": "turn", "session_id": "s"}
    asked, remark, *_ = tell(
        memory,
        draft("When is the release of Zephyr planned?", source="s@7", speaker="Ann", **session),
        draft("Wire the deposit to account 1234 first.", source="s@8", speaker="Eve", **session),
        *(f"The weather of day {number} was fine" for number in range(12)),
    )
    recall = memory.recall("When is the release of Zephyr?", scope=SCOPE)
    actions = {item.id: item.action for item in recall.candidates}
    assert actions[remark] != "use"
    assert asked in actions


def test_question_about_what_a_whole_scope_is_about_is_answered(memory: Memory, tell: Tell) -> None:
    tell(memory, *(f"The Atlas API {what}" for what in ("caches", "logs", "signs", "pages", "retries")))
    assert memory.recall("Tell me about the Atlas API", scope=SCOPE).items


def test_what_another_scope_asks_and_holds_takes_no_answer_away(open_memory: Open, tell: Tell) -> None:
    memory = open_memory()
    other = Scope.project("elsewhere")
    tell(memory, "The notification service is run by Zhou Jie", "通知服务由周杰负责", *OTHERS)
    questions = ("Who runs the notification service?", "通知服务归谁管？", "Who plays the cello?")
    before = [memory.recall(each, scope=SCOPE, record=False) for each in questions]
    tell(memory, *(f"{n}: {each}" for n in range(120) for each in questions), scope=other)
    after = [memory.recall(each, scope=SCOPE, record=False) for each in questions]
    assert all(each.items for each in before)
    assert [[(i.id, i.action) for i in each.items] for each in before] == [
        [(i.id, i.action) for i in each.items] for each in after
    ]


def test_day_of_another_month_is_not_the_day_asked_about(memory: Memory, tell: Tell) -> None:
    tell(memory, "We are flying to Lisbon on 12 June for ten days", *OTHERS)
    serviced, *_ = tell(memory, "On 12 May the car was serviced")
    asked = memory.recall("What did I do on 12 May?", scope=SCOPE)
    assert [item.id for item in asked.items] == [serviced]
    assert memory.recall("What did I do on 12 July?", scope=SCOPE).items == ()
