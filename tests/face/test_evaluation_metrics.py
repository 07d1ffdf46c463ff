"""Evaluation figures: hand-made tables, a plain Python oracle, and the paired test."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.errors import InputError, MissingExtra
from memweir.evaluation import metrics
from memweir.evaluation.datasets import Question
from memweir.evaluation.grouping import by_session
from memweir.evaluation.report import per_query_lines, summary
from memweir.evaluation.runner import Asked, SetRun
from memweir.evaluation.significance import holm, randomisation_p

NOW = datetime(2024, 1, 1, tzinfo=UTC)


def asked(
    ranked: Sequence[str] = (),
    relevant: Sequence[str] = (),
    *,
    name: str = "q",
    category: str = "fact",
    relevance: float = 0.0,
    paths: dict[str, tuple[str, ...]] | None = None,
    block: Sequence[str] = (),
    used: Sequence[str] = (),
    trap: Sequence[str] = (),
    abstained: str = "",
    latency_ms: float = 1.0,
) -> Asked:
    return Asked(
        question=Question(1, name, "text", "scope", category, tuple(relevant), tuple(trap)),
        ranked=tuple((each, 1 / (place + 2)) for place, each in enumerate(ranked)),
        relevance=relevance,
        paths=paths or {},
        block=tuple(block),
        used=tuple(used),
        injected=bool(block),
        abstained=abstained,
        latency_ms=latency_ms,
    )


def run(*several: Asked, config: str = "default", offtopic: Sequence[bool] = (False,)) -> SetRun:
    return SetRun("set", config, 9, (), (), several, tuple(offtopic))


TABLE = (
    asked(["a", "b", "c"], ["a"], category="one"),
    asked(["x", "a", "y", "z", "w", "b"], ["a", "b"], category="one"),
    asked(["x", "y", "z", "w", "v", "a"], ["a"], category="two"),
    asked([], ["a", "b"], category="two"),
    asked(["a"], [], category="none"),
)


def test_ranking_figures_are_those_computed_by_hand() -> None:
    # question    1     2                                      3                    4
    # hit@1       1     0                                      0                    0   → 1/4
    # hit@5       1     1                                      0                    0   → 2/4
    # hit@6       1     1                                      1                    0   → 3/4
    # recall@10   1     1                                      1                    0   → 3/4
    # mrr@10      1     1/2                                    1/6                  0   → 5/12
    # ndcg@10     1     (1/log2 3 + 1/log2 7)/(1 + 1/log2 3)   1/log2 7             0
    second = (1 / math.log2(3) + 1 / math.log2(7)) / (1 + 1 / math.log2(3))
    assert metrics.mean(metrics.ranking_metrics(TABLE), metrics.METRICS) == pytest.approx(
        {
            "hit@1": 0.25,
            "hit@5": 0.5,
            "hit@6": 0.75,
            "recall@10": 0.75,
            "mrr@10": 5 / 12,
            "ndcg@10": (1 + second + 1 / math.log2(7)) / 4,
        }
    )


def test_a_question_without_any_answer_counts_as_nought_and_does_not_vanish() -> None:
    rows = metrics.ranking_metrics([asked(["a"], ["a"]), asked([], ["a"])])
    assert [row["hit@1"] for row in rows] == [1, 0]


def test_an_unanswerable_question_is_no_part_of_the_ranking_figures() -> None:
    assert metrics.ranking_metrics([asked(["a"], [])]) == []


def test_no_answerable_question_gives_no_figure_rather_than_nought() -> None:
    assert metrics.mean([], ["hit@1"]) == {"hit@1": None}


def _oracle(ranked: Sequence[str], relevant: Sequence[str]) -> dict[str, float]:
    flags = [each in relevant for each in ranked[:10]]
    gain = sum(1 / math.log2(place + 2) for place, flag in enumerate(flags) if flag)
    ideal = sum(1 / math.log2(place + 2) for place in range(min(10, len(relevant))))
    return {
        "hit@1": float(any(flags[:1])),
        "hit@5": float(any(flags[:5])),
        "hit@6": float(any(flags[:6])),
        "recall@10": sum(flags) / len(relevant),
        "mrr@10": 1 / (flags.index(True) + 1) if any(flags) else 0.0,
        "ndcg@10": gain / ideal,
    }


_IDS = st.integers(0, 20).map(lambda number: f"记 {number}:\x00")
_RANKED = st.lists(_IDS, unique=True, max_size=18)
_RELEVANT = st.lists(_IDS, unique=True, min_size=1, max_size=14)


@given(st.lists(st.tuples(_RANKED, _RELEVANT), min_size=1, max_size=12))
@settings(deadline=None, max_examples=60)
def test_ranking_figures_agree_with_a_plain_computation(
    rankings: list[tuple[list[str], list[str]]],
) -> None:
    expected = [_oracle(ranked, relevant) for ranked, relevant in rankings]
    for got, want in zip(metrics.per_question(rankings), expected, strict=True):
        assert got == pytest.approx(want)


@given(st.permutations([f"m{number}" for number in range(8)]))
@settings(deadline=None, max_examples=30)
def test_the_order_of_the_list_decides_whatever_the_ids_are(ranked: list[str]) -> None:
    [row] = metrics.per_question([(ranked, ["m3"])])
    assert row["mrr@10"] == pytest.approx(1 / (ranked.index("m3") + 1))


def test_auroc_counts_the_pairs_that_stand_right_and_half_the_ties() -> None:
    # answerable 0.9, 0.4; unanswerable 0.4, 0.1: right (0.9,0.4) (0.9,0.1) (0.4,0.1), tie (0.4,0.4)
    # whatever stands first, exact symbols and all: the greatest score counts.
    several = [
        replace(asked(relevant=["a"]), ranked=(("b", 0.2), ("a", 0.9))),
        replace(asked(relevant=["a"]), ranked=(("a", 0.4),)),
        replace(asked(), ranked=(("a", 0.4),)),
        replace(asked(), ranked=(("a", 0.1),)),
    ]
    assert metrics.auroc(several) == pytest.approx(3.5 / 4)


@pytest.mark.parametrize("relevant", [["a"], []])
def test_auroc_is_none_where_all_questions_are_of_one_sort(relevant: list[str]) -> None:
    assert metrics.auroc([asked(relevant=relevant, relevance=0.5)]) is None
    assert metrics.auroc([]) is None


def test_gate_figures_are_about_what_reaches_the_block() -> None:
    several = [
        asked(["a", "b"], ["a"], block=["b", "a"], used=["b"]),  # kept, though only as verify
        asked(["a"], ["a"], block=["b"], used=["b"]),  # found, and lost to the gate
        asked(["a"], ["a"]),
        asked(["a"], [], block=["a"], used=[]),  # shown to be verified: not used
        asked(["a"], [], block=["a"], used=["a"]),
    ]
    assert metrics.gate(several, [True, False, False, False]) == {
        "answerable_kept": pytest.approx(1 / 3),
        "unanswerable_used": 0.5,
        "offtopic_injected": 0.25,
        "kept_of_top6": pytest.approx(1 / 3),  # all three have it among the first six
        "injected": 0.8,
    }


def test_gate_figures_of_nothing_are_none() -> None:
    assert set(metrics.gate([], []).values()) == {None}


def test_paths_are_judged_by_their_own_rankings() -> None:
    several = [
        asked(["a"], ["a"], paths={"keyword": ("b", "a"), "graph": ()}),
        asked(["a"], ["a"], paths={"keyword": (), "graph": ("a",)}),
        asked(["a"], [], paths={"keyword": ("a",), "graph": ()}),
    ]
    [entry] = summary([run(*several)])["sets"]
    # keyword: rank 2, nothing → hit@1 0, hit@5 1/2, mrr 1/4; it answered 2 of all 3 questions
    assert list(entry["paths"]["keyword"]) == [*metrics.METRICS, "answered"]
    assert {name: entry["paths"]["keyword"][name] for name in ("hit@1", "hit@6", "mrr@10")} == {
        "hit@1": 0.0,
        "hit@6": 0.5,
        "mrr@10": 0.25,
    }
    assert entry["paths"]["keyword"]["answered"] == 0.666667
    assert entry["paths"]["graph"]["answered"] == 0.333333


def test_categories_hold_their_answerable_questions_only() -> None:
    [entry] = summary([run(*TABLE)])["sets"]
    shown = ("hit@1", "hit@5", "recall@10", "mrr@10", "queries")
    assert {
        name: [figures[each] for each in shown] for name, figures in entry["categories"].items()
    } == {"one": [0.5, 1.0, 1.0, 0.75, 2], "two": [0.0, 0.0, 0.5, 0.083333, 2]}
    assert list(entry["category_gate"]) == ["none", "one", "two"]


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [([3.0], 0.95, 3.0), ([4.0, 1.0, 2.0, 3.0], 0.5, 2.5), ([0.0, 10.0], 0.95, 9.5), ([], 0.5, None)],
)
def test_percentiles_are_interpolated(
    values: list[float], share: float, expected: float | None
) -> None:
    assert metrics.percentile(values, share) == (None if expected is None else pytest.approx(expected))


def test_the_report_of_a_set_has_the_agreed_shape() -> None:
    report = summary([run(*TABLE)])
    assert {"sets", "comparisons", "notes"} <= set(report)
    [entry] = report["sets"]
    agreed = [
        "name",
        "config",
        "memories",
        "queries",
        "answerable",
        "metrics",
        "paths",
        "categories",
        "gate",
        "latency_ms",
        "fused_vs_best_path",
        "intervals",
        "calibration",
        "controls",
    ]
    assert [each for each in agreed if each not in entry] == []
    assert list(entry["intervals"]) == list(entry["metrics"])
    assert (entry["memories"], entry["queries"], entry["answerable"]) == (9, 5, 4)
    assert list(entry["metrics"]) == [*metrics.METRICS, "auroc_unanswerable"]
    assert entry["latency_ms"] == {"p50": 1.0, "p95": 1.0}
    assert report["comparisons"] == []


def test_a_line_per_question_holds_the_whole_answer() -> None:
    long = [f"m{number}" for number in range(130)]
    [first, second] = per_query_lines(
        run(
            asked(long, ["m0"], name="q1", block=["m0"], used=["m0"]),
            asked(name="q2", abstained="nothing fits"),
        )
    )
    agreed = ["set", "config", "query", "ranked", "block", "used", "abstained"]
    assert list(first)[: len(agreed)] == agreed
    assert (first["query"], first["block"], first["used"]) == ("q1", ["m0"], ["m0"])
    assert first["abstained"] is None
    assert first["ranked"][:2] == [["m0", 1 / 2], ["m1", 1 / 3]]
    assert len(first["ranked"]) == 100
    assert (second["ranked"], second["abstained"]) == ([], "nothing fits")


def test_refused_and_unknown_memories_are_told() -> None:
    one = SetRun("set", "default", 2, (("m1", "a credential"),), ("m9",), (), ())
    notes = [each["note"] for each in summary([one])["notes"]]
    assert notes[0].startswith("1 of 2 memories were refused")
    assert "m9" in notes[1]


def test_a_session_ranks_where_its_best_turn_does() -> None:
    turns = asked(
        ["D1:4", "D2:1", "D1:2", "D3:9"],
        ["D2:7", "D2:8"],
        paths={"keyword": ("D2:1", "D2:2", "D1:1")},
        block=["D1:4", "D1:2"],
        used=["D1:2"],
    )
    [grouped] = by_session(run(turns)).asked
    assert grouped.ranked == (("D1", 1 / 2), ("D2", 1 / 3), ("D3", 1 / 5))
    assert grouped.question.relevant == ("D2",)
    assert grouped.paths == {"keyword": ("D2", "D1")}
    assert (grouped.block, grouped.used) == (("D1",), ("D1",))


def test_by_session_an_unanswerable_question_is_judged_by_its_trap() -> None:
    [trapped, hopeless] = by_session(run(asked(["D1:1"], trap=["D1:5"]), asked(["D1:1"]))).asked
    assert trapped.question.relevant == ("D1",)
    assert not hopeless.question.answerable


def test_two_configurations_are_compared_question_by_question() -> None:
    before = [asked(["x", "a"], ["a"]) for _ in range(8)]
    after = [asked(["a", "x"], ["a"]) for _ in range(8)]
    report = summary([run(*before, config="A"), run(*after, config="B")])
    [comparison] = report["comparisons"]
    assert (comparison["set"], comparison["baseline"], comparison["config"]) == ("set", "A", "B")
    # All 8 pairs differ the same way: 2 of the 2^8 sign patterns are as extreme, p = 1/128. Only
    # one set and one configuration are tested in this figure: nothing to correct for.
    assert comparison["metrics"]["hit@1"] == {
        "baseline": 0.0,
        "config": 1.0,
        "difference": 1.0,
        "interval": [1.0, 1.0],
        "p": round(1 / 128, 6),
        "p_holm": round(1 / 128, 6),
    }
    assert comparison["metrics"]["hit@5"]["p_holm"] == 1.0


def test_the_first_configuration_of_each_set_is_the_baseline_of_the_others() -> None:
    runs = [run(TABLE[0], config=name) for name in ("A", "B", "C")]
    pairs = [(each["baseline"], each["config"]) for each in summary(runs)["comparisons"]]
    assert pairs == [("A", "B"), ("A", "C")]


def test_the_fused_list_is_held_against_the_path_that_is_best_on_the_set() -> None:
    several = [
        asked(["a"], ["a"], paths={"semantic": ("x", "a"), "keyword": ("a",)}),
        asked(["x", "a"], ["a"], paths={"semantic": ("a",), "keyword": ("a",)}),
    ]
    [entry] = summary([run(*several)])["sets"]
    # hit@5: both paths 1, the first named stands for both; mrr: keyword 1, fused (1 + 1/2)/2
    assert entry["fused_vs_best_path"]["hit@5"] == {
        "path": "semantic",
        "best": 1.0,
        "fused": 1.0,
        "difference": 0.0,
        "interval": [0.0, 0.0],
        "p": 1.0,
    }
    assert entry["fused_vs_best_path"]["mrr@10"] == {
        "path": "keyword",
        "best": 1.0,
        "fused": 0.75,
        "difference": -0.25,
        "interval": [-0.5, 0.0],  # drawn twice: the first, the second, or one of each
        "p": 1.0,  # one differing pair: both of its two sign patterns are as extreme
    }


def test_few_differing_pairs_are_tested_exactly() -> None:
    # Differences 1, 1, 1, 0: of the 2^3 patterns of the three that differ, +++ and --- are as extreme.
    assert randomisation_p([0, 0, 0, 5], [1, 1, 1, 5]) == 2 / 8
    # Differences 3, -1: sums 2, 4, -4, -2: all of them are at least 2 away from 0.
    assert randomisation_p([0, 1], [3, 0]) == 1.0
    assert randomisation_p([1, 2], [1, 2]) == 1.0
    assert randomisation_p([], []) == 1.0


def test_sums_that_differ_in_the_last_bit_are_equally_extreme() -> None:
    tenths = [1, 2, -3, 4]  # sum 4, and so is -1 - 2 + 3 + 4; in binary tenths the two differ
    signs = list(itertools.product((1, -1), repeat=4))
    sums = [sum(sign * each for sign, each in zip(some, tenths, strict=True)) for some in signs]
    p_value = randomisation_p([0.0] * 4, [each / 10 for each in tenths])
    assert p_value == sum(abs(each) >= 4 for each in sums) / 16


def test_many_differing_pairs_are_tested_by_the_same_draws_every_time() -> None:
    first = [0.0] * 40
    second = [1.0] * 25 + [-1.0] * 15
    p_value = randomisation_p(first, second)
    assert p_value == randomisation_p(first, second)
    # Exact: P(|heads - tails| >= 10 of 40) = 2 P(X >= 25), X ~ Bin(40, 1/2).
    exact = 2 * sum(math.comb(40, heads) for heads in range(25, 41)) / 2**40
    assert p_value == pytest.approx(exact, abs=0.015)
    assert randomisation_p(first, [1.0] * 40) == 1 / 10_001


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=9))
@settings(deadline=None, max_examples=40)
def test_the_paired_test_agrees_with_counting_every_pattern(pairs: list[tuple[int, int]]) -> None:
    first, second = [list(map(float, side)) for side in zip(*pairs, strict=True)]
    differences = [after - before for before, after in pairs]
    patterns = list(itertools.product((1, -1), repeat=len(pairs)))
    extreme = [
        abs(sum(sign * each for sign, each in zip(signs, differences, strict=True)))
        >= abs(sum(differences))
        for signs in patterns
    ]
    assert randomisation_p(first, second) == pytest.approx(sum(extreme) / len(patterns))
    assert randomisation_p(first, second) == randomisation_p(second, first)


def test_a_paired_test_needs_pairs() -> None:
    with pytest.raises(InputError, match="equal numbers"):
        randomisation_p([1.0], [1.0, 2.0])


def test_holm_steps_down_and_never_below_what_came_before() -> None:
    # sorted 0.01 x3 = 0.03, 0.02 x2 = 0.04, 0.03 x1 = 0.03 -> raised to 0.04
    assert holm({"b": 0.03, "a": 0.01, "c": 0.02}) == pytest.approx({"b": 0.04, "a": 0.03, "c": 0.04})
    assert holm({"a": 0.6, "b": 0.7}) == {"a": 1.0, "b": 1.0}
    assert holm({}) == {}


@pytest.mark.parametrize("module", ["ir_measures", "sklearn.metrics"])
def test_a_missing_package_says_what_to_install(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=r"pip install 'memweir\[eval\]'") as caught:
        metrics.check_installed()
    assert caught.value.extra == "eval"
