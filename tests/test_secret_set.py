"""Is the made set of secrets and look-alikes what it says it is, and is its arithmetic right?"""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import sys
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

# benchmarks/ is not installed, and a bare `pytest` does not look here.
sys.path.append(str(Path(__file__).resolve().parents[1]))

from benchmarks.secrets import (
    BLIND,
    DATA,
    MARK,
    Counts,
    Row,
    Verdict,
    count,
    gate,
    judge,
    load,
    main,
    report,
    wilson,
)

ROWS = load()


def verdict(secret: bool, rule: str | None, *, lang: str = "en", category: str = "pin") -> Verdict:
    return Verdict(Row("x", "text", secret, lang, category, "dev"), rule)


def test_the_set_has_its_size() -> None:
    assert sum(row.secret for row in ROWS) >= 240
    assert sum(not row.secret for row in ROWS) >= 360


@pytest.mark.parametrize("secret", [True, False])
def test_each_language_is_about_half_of_secrets_and_look_alikes(secret: bool) -> None:
    languages = Counter(row.lang for row in ROWS if row.secret is secret)
    assert set(languages) == {"en", "zh"}
    assert min(languages.values()) / languages.total() >= 0.45


def test_the_halves_take_turns_within_each_category_and_language() -> None:
    turns = defaultdict(list)
    for row in ROWS:
        turns[row.category, row.lang].append(row.half)
    for group, halves in turns.items():
        assert set(halves) <= {"dev", "held"}, group
        assert all(one != next_ for one, next_ in pairwise(halves)), group
    sizes = Counter(row.half for row in ROWS)
    assert abs(sizes["dev"] - sizes["held"]) <= 4  # at most one for each label and language


def test_a_category_holds_only_secrets_or_only_look_alikes_in_both_languages() -> None:
    labels, languages = defaultdict(set), defaultdict(set)
    for row in ROWS:
        labels[row.category].add(row.secret)
        languages[row.category].add(row.lang)
    assert all(len(each) == 1 for each in labels.values())
    assert all(each == {"en", "zh"} for each in languages.values())


def test_no_id_and_no_text_comes_twice() -> None:
    assert len({row.id for row in ROWS}) == len(ROWS)
    assert len({" ".join(row.text.split()).casefold() for row in ROWS}) == len(ROWS)


def test_lines_and_lengths_vary() -> None:
    for secret in (True, False):
        texts = [row.text for row in ROWS if row.secret is secret]
        assert sum("\n" in text for text in texts) >= 30
        assert sum(len(text) > 200 for text in texts) >= 20
        assert sum(len(text) < 30 for text in texts) >= 40


def test_every_line_of_the_file_carries_the_mark_and_no_loaded_text_does() -> None:
    raw = [json.loads(line)["text"] for line in DATA.read_text(encoding="utf-8").splitlines()]
    assert all(MARK in text for text in raw)
    assert [text.replace(MARK, "") for text in raw] == [row.text for row in ROWS]
    assert not any(MARK in row.text for row in ROWS)


def test_the_two_halves_together_are_the_set() -> None:
    dev, held = load(half="dev"), load(half="held")
    assert {row.half for row in dev} == {"dev"}
    assert sorted(row.id for row in dev + held) == sorted(row.id for row in ROWS)


def test_the_loader_reads_fields_and_removes_every_mark(tmp_path: Path) -> None:
    fields = {"id": "a", "secret": True, "lang": "zh", "category": "pin", "half": "held"}
    path = tmp_path / "set.jsonl"
    path.write_text(json.dumps({**fields, "text": "密¦码：4¦8\n21"}) + "\n", encoding="utf-8")
    assert load(path) == [Row("a", "密码：48\n21", True, "zh", "pin", "held")]
    assert load(path, half="dev") == []


def test_the_four_cells_are_told_apart() -> None:
    judged = [
        *[verdict(True, "rule")] * 3,
        *[verdict(True, None)] * 1,
        *[verdict(False, "rule")] * 2,
        *[verdict(False, None)] * 5,
    ]
    counts = count(judged)
    assert counts == Counts(hits=3, misses=1, false_alarms=2, passed=5)
    assert counts.recall == (3, 4)  # 3 of 3 + 1 secrets
    assert counts.precision == (3, 5)  # 3 of 3 + 2 refused
    assert counts.false_alarm_rate == (2, 7)  # 2 of 2 + 5 look-alikes


def test_scan_gets_the_text_and_its_answer_is_kept() -> None:
    row = Row("x", "open sesame", True, "en", "pin", "dev")
    assert judge([row], lambda text: text.upper()) == [Verdict(row, "OPEN SESAME")]


def test_wilson_interval_of_eight_in_ten() -> None:
    # z = 2: p = 0.8, z²/n = 0.4, so the centre is (0.8 + 0.2) / 1.4 = 0.714286 and the half-width
    # 2 √(0.16 / 10 + 4 / 400) / 1.4 = 2 √0.026 / 1.4 = 0.230350.
    assert wilson((8, 10), z=2.0) == pytest.approx((0.483936, 0.944636), abs=1e-6)


def test_wilson_interval_at_the_ends() -> None:
    # p = 1, z = 2, n = 16: centre (1 + 0.125) / 1.25 = 0.9, half-width 2 √(4 / 1024) / 1.25 = 0.1.
    assert wilson((16, 16), z=2.0) == pytest.approx((0.8, 1.0))
    assert wilson((0, 16), z=2.0) == pytest.approx((0.0, 0.2))
    assert wilson((0, 0)) == (0.0, 1.0)


def test_the_report_groups_by_language_and_category() -> None:
    judged = [
        verdict(True, "rule", lang="en"),
        verdict(True, None, lang="zh"),
        verdict(True, None, lang="zh", category="table"),
        verdict(False, "rule", lang="zh", category="hash"),
    ]
    result = json.loads(json.dumps(report(judged)))
    assert result["missed"] == {"pin": {"count": 1, "of": 2}, "table": {"count": 1, "of": 1}}
    assert result["false_alarms"] == {"hash": {"count": 1, "of": 1}}
    assert result["total"]["recall"]["value"] == 0.3333  # 1 of 3
    assert result["total"]["precision"]["value"] == 0.5  # 1 of 2
    assert result["languages"]["en"]["recall"]["count"] == 1
    assert result["languages"]["en"]["false_alarm_rate"]["value"] is None  # no look-alike in English
    assert result["languages"]["zh"]["recall"]["value"] == 0.0
    assert list(result["halves"]) == ["dev"]


def test_the_command_prints_one_json_object_without_texts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--json", "--half", "dev", "--show"]) == 0
    printed = capsys.readouterr().out
    result = json.loads(printed)
    dev = load(half="dev")
    assert result["total"]["recall"]["of"] == sum(row.secret for row in dev)
    assert len(result["shown"]["missed"]) == sum(each["count"] for each in result["missed"].values())
    assert not any(row.text in printed for row in dev if len(row.text) > 20)


def test_the_command_prints_a_table_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--half", "held"]) == 0
    printed = capsys.readouterr().out
    assert "recall" in printed
    assert "provider_token" in printed


# What the gate makes of it


def _shares(path: Path, **only: str) -> tuple[float, float]:
    """(recall, precision) over the rows of a file with these values."""
    rows = [row for row in load(path) if all(getattr(row, name) == each for name, each in only.items())]
    cells = count(judge(rows, gate))
    return cells.recall[0] / cells.recall[1], cells.precision[0] / cells.precision[1]


@pytest.mark.parametrize("only", [{}, {"half": "held"}, {"lang": "en"}, {"lang": "zh"}])
def test_of_a_hundred_credentials_the_gate_refuses_97_and_of_what_it_refuses_97_are_some(
    only: dict[str, str],
) -> None:
    recall, precision = _shares(DATA, **only)
    assert recall >= 0.97
    assert precision >= 0.97


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_of_credentials_that_nobody_tuned_to_the_gate_refuses_nearly_all(lang: str) -> None:
    # Measured: recall 0.95 and precision 0.96. Nothing may be tuned to this set to raise it.
    recall, precision = _shares(BLIND, lang=lang)
    assert recall >= 0.93
    assert precision >= 0.95


def test_the_blind_set_shares_no_text_with_the_other() -> None:
    told = {row.text.strip().lower() for row in ROWS}
    blind = load(BLIND)
    assert len(blind) >= 500
    assert not [row.id for row in blind if row.text.strip().lower() in told]


def test_what_a_detector_library_knows_by_its_shape_the_gate_refuses_too() -> None:
    plugins = pytest.importorskip("detect_secrets.plugins", reason="detect-secrets is not installed")
    base = importlib.import_module("detect_secrets.plugins.base")
    detectors: list[Any] = []
    for module in pkgutil.iter_modules(plugins.__path__):
        if module.name == "ip_public":
            continue  # an address is no credential
        for kind in vars(importlib.import_module(f"{plugins.__name__}.{module.name}")).values():
            shaped = isinstance(kind, type) and issubclass(kind, base.RegexBasedDetector)
            if shaped and not inspect.isabstract(kind):
                detectors.append(kind())
    known = [
        row
        for row in [*ROWS, *load(BLIND)]
        if row.secret and any(True for each in detectors for _ in each.analyze_string(row.text))
    ]
    assert len(detectors) >= 20
    assert len(known) >= 80
    assert [row.id for row in known if gate(row.text) is None] == []
