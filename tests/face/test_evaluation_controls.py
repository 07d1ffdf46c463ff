"""Negative controls, comparisons over sets, and what of a report is computed from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memweir.evaluation.controls import (
    CODE,
    CROSS_SAMPLE,
    FIXED,
    SMALL_TALK,
    Control,
    ControlRun,
    ControlText,
    crossed,
    language_of,
    sample,
)
from memweir.evaluation.datasets import DataSet, Question
from memweir.evaluation.offtopic import OFF_TOPIC
from memweir.evaluation.report import summary
from memweir.evaluation.runner import Asked, SetRun, run_set


def asked(
    name: str,
    ranked: list[str],
    relevant: list[str],
    *,
    relevances: list[float] | None = None,
    block: list[str] | None = None,
    scope: str = "s",
    category: str = "c",
) -> Asked:
    known = relevances if relevances is not None else [0.5] * len(ranked)
    return Asked(
        question=Question(1, name, "text", scope, category, tuple(relevant)),
        ranked=tuple((each, 1 / (place + 2)) for place, each in enumerate(ranked)),
        relevance=max(known, default=0.0),
        paths={},
        block=tuple(block or ()),
        used=tuple(block or ()),
        injected=bool(block),
        abstained="",
        latency_ms=1.0,
        relevances=tuple(known),
    )


def run(*several: Asked, name: str = "set", config: str = "A", **fields: Any) -> SetRun:
    return SetRun(name, config, 3, (), (), several, (False, True), **fields)


def test_fixed_controls_differ_and_are_in_both_languages() -> None:
    for texts in (SMALL_TALK, CODE):
        assert len(set(texts)) == len(texts) >= 20
        assert {language_of([each]) for each in texts} == {"en", "zh"}
    assert not set(SMALL_TALK + CODE) & set(OFF_TOPIC)
    assert [each.name for each in FIXED] == ["small_talk", "code"]


def test_a_language_is_that_of_most_texts() -> None:
    assert language_of(["你好", "ok"]) == "en"
    assert language_of(["你好", "用 pnpm", "ok"]) == "zh"
    assert language_of([]) == "en"


def test_a_sample_does_not_depend_on_the_order_of_its_keys() -> None:
    keys = [f"k{number}" for number in range(100)]
    chosen = sample(keys, 10)
    assert chosen == sample(reversed(keys), 10)
    assert len(set(chosen)) == 10
    assert chosen != sorted(chosen)
    assert sample(["a", "a"], 5) == ["a"]


def make(folder: Path, questions: list[tuple[str, str]]) -> DataSet:
    import json

    folder.mkdir()
    (folder / "memories.jsonl").write_text(
        json.dumps({"id": "m", "text": "red green", "scope": "s", "created_at": "2024-01-01"}) + "\n"
    )
    rows = [
        {"id": name, "text": text, "scope": "s", "category": "c", "relevant": ["m"]}
        for name, text in questions
    ]
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return DataSet(folder.name, folder)


def test_a_set_is_crossed_with_samples_of_unrelated_sets_only(tmp_path: Path) -> None:
    many = make(tmp_path / "many", [(f"q{each}", f"what is {each}?") for each in range(200)])
    # Two of its three questions are questions of `many`: the same data in another cut.
    related = make(tmp_path / "related", [("a", "what is 1?"), ("b", "what is 2?"), ("c", "else")])
    other = make(tmp_path / "other", [("x", "谁？"), ("y", "什么？")])
    controls = crossed([many, related, other])
    assert {name: [each.name for each in own] for name, own in controls.items()} == {
        "many": ["other"],
        "related": ["other"],
        "other": ["many", "related"],
    }
    [from_many, _] = controls["other"]
    assert from_many.crossed
    assert len(set(from_many.texts)) == CROSS_SAMPLE
    assert controls == crossed([many, related, other])


def test_controls_are_asked_in_scopes_of_the_set_and_counted_by_language(tmp_path: Path) -> None:
    from contextlib import contextmanager

    from memweir.memory import Memory

    @contextmanager
    def open_engine(path: Path, now: Any) -> Any:
        with Memory.open(path, clock=lambda: now) as memory:
            yield memory

    data = make(tmp_path / "one", [("q", "red?")])
    control = Control("mine", (ControlText("red green"), ControlText("量子")))
    measured = run_set(data, open_engine, controls=[control])
    assert measured.controls == (ControlRun(control, (True, False)),)
    [entry] = summary([measured])["sets"]
    assert entry["controls"]["mine"] == {
        "questions": 2,
        "injected": 0.5,
        "interval": [0.0, 1.0],  # of two texts
        "en": 1.0,
        "zh": 0.0,
    }


def test_crossed_controls_are_reported_by_source_and_by_language() -> None:
    def control(name: str, text: str, *flags: bool) -> ControlRun:
        return ControlRun(Control(name, tuple(ControlText(text) for _ in flags), True), flags)

    controls = (
        control("english", "who?", True, False),
        control("also", "why?", True, True),
        control("chinese", "谁？", False),
    )
    [entry] = summary([run(asked("q", [], ["m"]), controls=controls)])["sets"]
    controls_of = entry["controls"]
    intervals = [
        each.pop("interval")
        for each in (*controls_of["cross"].values(), *list(controls_of.values())[1:])
    ]
    assert intervals[1:3] == [[1.0, 1.0], [0.0, 0.0]]
    assert intervals[0] == [0.0, 1.0]
    assert controls_of == {
        "cross": {
            "english": {"questions": 2, "injected": 0.5, "language": "en"},
            "also": {"questions": 2, "injected": 1.0, "language": "en"},
            "chinese": {"questions": 1, "injected": 0.0, "language": "zh"},
        },
        "cross_same_language": {"questions": 4, "injected": 0.75},
        "cross_other_language": {"questions": 1, "injected": 0.0},
    }


def test_calibration_is_of_the_first_candidate_and_of_what_is_injected() -> None:
    several = [
        asked("q1", ["a", "b"], ["a"], relevances=[0.9, 0.8], block=["a", "b"]),  # right at 0.9
        asked("q2", ["b", "a"], ["a"], relevances=[0.3, 0.9]),  # the first is wrong at 0.3
        asked("q3", [], ["a"]),  # nothing at all: 0 and wrong
        asked("q4", ["b"], [], relevances=[0.5]),  # unanswerable: wrong at 0.5
    ]
    [entry] = summary([run(*several)])["sets"]
    measured = entry["calibration"]
    assert (measured["questions"], measured["accuracy"]) == (4, 0.25)
    # (0.1² + 0.3² + 0² + 0.5²) / 4
    assert measured["brier"] == pytest.approx(0.35 / 4)
    # Each case is a bin of its own: (0.1 + 0.3 + 0 + 0.5) / 4
    assert measured["ece"] == pytest.approx(0.225)
    assert measured["risk_coverage"][0] == [0.25, 0.0]
    # Injected: a at 0.9, right; b at 0.8, wrong.
    assert measured["injected"] == {
        "memories": 2,
        "precision": 0.5,
        "ece": pytest.approx((0.1 + 0.8) / 2),
        "brier": pytest.approx((0.01 + 0.64) / 2),
        "auroc": 1.0,
    }
    assert set(measured["intervals"]) == {"ece", "brier", "aurc", "auroc"}


def test_calibration_is_unknown_where_relevances_are() -> None:
    [entry] = summary([run(asked("q1", ["a"], ["a"], relevances=[]))])["sets"]
    assert entry["calibration"] is None


def test_kept_of_the_first_six_leaves_out_what_ranking_lost() -> None:
    several = [
        asked("q1", list("bcdefga"), ["a"], block=["a"]),  # seventh: ranking lost it
        asked("q2", list("bcdefa"), ["a"], block=["a"]),
        asked("q3", ["a"], ["a"]),
    ]
    [entry] = summary([run(*several)])["sets"]
    assert entry["gate"]["kept_of_top6"] == 0.5
    assert entry["gate"]["answerable_kept"] == pytest.approx(2 / 3, abs=1e-6)


def test_p_is_corrected_over_sets_and_configurations_figure_by_figure() -> None:
    def of(name: str, config: str, *, better: int) -> SetRun:
        ranked = [["a", "x"] if place < better else ["x", "a"] for place in range(8)]
        return run(
            *(asked(f"q{place}", each, ["a"]) for place, each in enumerate(ranked)),
            name=name,
            config=config,
        )

    runs = [
        of("s", "A", better=0),
        of("s", "B", better=8),
        of("t", "A", better=0),
        of("t", "B", better=1),
    ]
    report = summary(runs)
    first, second = (each["metrics"]["hit@1"] for each in report["comparisons"])
    # Eight of eight: 2/2^8; one of one: both patterns. Holm: the smaller one times two.
    assert (first["p"], first["p_holm"]) == (round(2 / 256, 6), round(4 / 256, 6))
    assert (second["p"], second["p_holm"]) == (1.0, 1.0)
    [overall] = report["comparisons_overall"]
    # Every set counts the same: (1 + 1/8) / 2. Nine pairs of equal weight differ the same way: 2/2^9.
    assert overall["metrics"]["hit@1"]["difference"] == pytest.approx(0.5625)
    assert overall["metrics"]["hit@1"]["p"] == round(2 / 512, 6)
    assert overall["metrics"]["hit@1"]["sets"] == 2
    low, high = overall["metrics"]["hit@1"]["interval"]
    assert low < 0.5625 < high


def test_what_changed_is_counted_without_judging_it() -> None:
    before = [
        asked("q1", ["a", "b"], [], block=["a", "b"]),
        asked("q2", ["a"], [], block=[]),
        asked("q3", [], []),
    ]
    after = [
        asked("q1", ["b", "c"], [], block=["b", "c"]),
        asked("q2", ["a"], [], block=["a"]),
        asked("q3", [], []),
    ]
    [comparison] = summary([run(*before), run(*after, config="B")])["comparisons"]
    assert comparison["changes"] == {
        "overlap@1": round((0 + 1 + 1) / 3, 6),
        "overlap@6": round((0.5 + 1 + 1) / 3, 6),
        "overlap@10": round((0.5 + 1 + 1) / 3, 6),
        "same_first": round(2 / 3, 6),
        "block_changed": round(2 / 3, 6),
        "newly_injected": round(1 / 3, 6),
        "newly_silent": 0.0,
        "decisions_changed": 3,  # q1: a is gone, c is new; q2: a is new
        "decisions": {"out": {"use": 2}, "use": {"out": 1, "use": 1}},
        "questions": ["q1", "q2"],
    }
