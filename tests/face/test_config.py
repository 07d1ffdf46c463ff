"""Do settings come from where they should, and is a wrong one named?"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from memweir.config import (
    FIELD_WEIGHTS,
    AnswerConfig,
    Config,
    RetrievalConfig,
    StoreConfig,
    parse_scalar,
)
from memweir.errors import ConfigError
from memweir.fusion.types import Budget, GateConfig, RrfConfig


def load(overrides: Mapping[str, object] | None = None, /, **environ: str) -> Config:
    return Config.load(environ=environ, overrides=overrides)


def leaves(table: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    for name, value in table.items():
        key = f"{prefix}.{name}" if prefix else name
        if isinstance(value, Mapping):
            yield from leaves(value, key)
        else:
            yield key, value


KEYS = sorted(key for key, _ in leaves(Config().to_dict()))
NUMERIC = sorted(
    key
    for key, value in leaves(Config().to_dict())
    if isinstance(value, (int, float)) and not isinstance(value, bool)
)


def test_loading_nothing_gives_the_defaults() -> None:
    assert load() == Config()
    assert Config().timezone is None
    assert Config().zone() is None


def test_arguments_win_over_environment_over_file_over_defaults(tmp_path: Path) -> None:
    file = tmp_path / "memweir.toml"
    file.write_text("[budget]\nitems = 3\ncharacters = 3000\ntokens = 300\n", encoding="utf-8")
    config = Config.load(
        file,
        environ={"MEMWEIR_BUDGET_ITEMS": "4", "MEMWEIR_BUDGET_CHARACTERS": "4000"},
        overrides={"budget.items": 5},
    )
    assert config.budget == Budget(items=5, characters=4000, tokens=300, pinned_slots=2, belief_slots=1)


def test_loading_reads_the_process_environment_unless_another_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MEMWEIR_BUDGET_ITEMS", "7")
    assert Config.load().budget.items == 7
    assert Config.load(environ={}).budget.items == Budget().items


def test_a_table_of_weights_keeps_what_a_file_does_not_name(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text("[fusion.rrf.weights]\ngraph = 0\n", encoding="utf-8")
    assert Config.load(file, environ={}).rrf.weights == {**RrfConfig().weights, "graph": 0.0}


def test_a_field_weight_not_named_keeps_its_default() -> None:
    weights = RetrievalConfig(field_weights={"title": 5.0}).field_weights
    assert weights == {**FIELD_WEIGHTS, "title": 5.0}


def test_the_configuration_does_not_follow_later_changes_of_the_callers_table() -> None:
    mine = {"title": 5.0}
    config = RetrievalConfig(field_weights=mine)
    mine["title"] = 9.0
    assert config.field_weights["title"] == 5.0


@pytest.mark.parametrize(
    ("name", "text", "key", "value"),
    [
        ("MEMWEIR_FUSION_RRF_K", "30", "fusion.rrf.k", 30),
        ("MEMWEIR_FUSION_RRF_WEIGHTS_TIMELINE", "0.25", "fusion.rrf.weights.timeline", 0.25),
        ("MEMWEIR_FUSION_GATE_MODE", "enforce", "fusion.gate.mode", "enforce"),
        ("MEMWEIR_FUSION_GATE_MODE", '"shadow"', "fusion.gate.mode", "shadow"),
        ("MEMWEIR_FUSION_GATE_KIND_RISK_TURN", "1", "fusion.gate.kind_risk.turn", 1.0),
        ("MEMWEIR_RETRIEVAL_GRAPH", "false", "retrieval.graph", False),
        ("MEMWEIR_RETRIEVAL_GRAPH_HOPS", "3", "retrieval.graph_hops", 3),
        ("MEMWEIR_RETRIEVAL_FIELD_WEIGHTS_BODY", "3", "retrieval.field_weights.body", 3.0),
        ("MEMWEIR_RETRIEVAL_SYNONYMS", "C:\\new.txt", "retrieval.synonyms", "C:\\new.txt"),
        ("MEMWEIR_RETRIEVAL_SYNONYMS", "2024", "retrieval.synonyms", "2024"),
        ("MEMWEIR_STORE_BUSY_TIMEOUT_MS", "0", "store.busy_timeout_ms", 0),
        ("MEMWEIR_ANSWERS_ENABLED", "false", "answers.enabled", False),
        ("MEMWEIR_TIMEZONE", "Asia/Shanghai", "timezone", "Asia/Shanghai"),
    ],
)
def test_a_variable_sets_the_setting_it_spells(name: str, text: str, key: str, value: object) -> None:
    assert dict(leaves(load(**{name: text}).to_dict()))[key] == value


@pytest.mark.parametrize(
    "name", ["MEMWEIR_STORE", "MEMWEIR_CONFIG", "MEMWEIR_PORT_8080_TCP", "HOME", "memweir_budget_items"]
)
def test_a_variable_that_is_no_setting_is_left_alone(name: str) -> None:
    assert load(**{name: "tcp://10.0.0.1:1"}) == Config()


def test_an_empty_variable_counts_as_not_set() -> None:
    assert load(MEMWEIR_BUDGET_ITEMS=" ", MEMWEIR_TIMEZONE="") == Config()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("MEMWEIR_BUDGET_ITEM", "3"),
        ("MEMWEIR_BUDGET_ITEMS", "six"),
        ("MEMWEIR_BUDGET_ITEMS", "true"),
        ("MEMWEIR_BUDGET_ITEMS", "1\ncharacters = 5"),
        ("MEMWEIR_BUDGET_ITEMS", "[" * 10_000),
        ("MEMWEIR_FUSION_GAET_MODE", "shadow"),
        ("MEMWEIR_FUSION_RRF_WEIGHTS", "{graph = 1}"),
        ("MEMWEIR_FUSION_RRF_WEIGHTS_GRAHP", "1"),
        ("MEMWEIR_FUSION_GATE_MIN_RELEVANCE", "nan"),
        ("MEMWEIR_TIMEZONE", "Asia"),
    ],
)
def test_a_wrong_variable_is_an_error_that_names_it(name: str, text: str) -> None:
    with pytest.raises(ConfigError, match=f"environment variable {name}") as caught:
        load(**{name: text})
    if name != "MEMWEIR_TIMEZONE":
        assert caught.value.setting.startswith(("budget.", "fusion."))


@pytest.mark.parametrize("key", NUMERIC)
def test_every_number_refuses_what_is_no_number_in_range(key: str) -> None:
    wrong: list[object] = [math.nan, math.inf, -math.inf, -1, "1", True, None, [1], 10**400]
    for value in wrong:
        with pytest.raises(ConfigError) as caught:
            load({key: value})
        assert caught.value.setting == key


@pytest.mark.parametrize("key", KEYS)
def test_no_setting_accepts_a_list(key: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load({key: [1, 2]})
    assert caught.value.setting == key


UNKNOWN = """
    budgte.items  budget.item  budget.items.x  fusion  fusion.gate  items  timezone.x  store.secret_gate
    fusion.rrf.weights.semantics  fusion.rerank.layer_prior.beleif  fusion.rerank.scope_prior.user
    fusion.gate.kind_risk.turns  retrieval.field_weights.scope
"""


@pytest.mark.parametrize("key", ["", *UNKNOWN.split()])
def test_an_unknown_setting_is_an_error_that_names_it(key: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load({key: 0.5})
    assert caught.value.setting == key


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("budget.item", "budget.items"),
        ("fusion.gate.min_relevence", "fusion.gate.min_relevance"),
        ("min_relevance", "fusion.gate.min_relevance"),
        ("gate.min_relevance", "fusion.gate.min_relevance"),
        ("fusion.rrf.weight.graph", "fusion.rrf.weights.graph"),
        ("timezon", "timezone"),
        ("budgte.items", "budget.items"),
        ("fusion.gate.busy_timeout", "store.busy_timeout_ms"),
    ],
)
def test_a_typo_is_answered_with_the_setting_that_was_meant(key: str, meant: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load({key: 0.5})
    assert caught.value.problem == f"is not a setting; did you mean {meant}?"


@pytest.mark.parametrize("key", ["", "fusion", "store.secret_gate", "x" * 1_000_000, "旗标"])
def test_what_looks_like_no_setting_is_answered_with_no_guess(key: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load({key: 0.5})
    assert caught.value.problem == "is not a setting"


def test_a_suggestion_still_names_where_the_typo_stands(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[budget]\nitem = 3\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"did you mean budget\.items\? \(file .*mine\.toml\)"):
        Config.load(file, environ={})
    with pytest.raises(
        ConfigError, match=r"budget\.items\? \(environment variable MEMWEIR_BUDGET_ITEM\)"
    ):
        load(MEMWEIR_BUDGET_ITEM="3")


def test_a_whole_number_setting_refuses_a_fraction_even_a_round_one() -> None:
    with pytest.raises(ConfigError, match=r"budget\.items = 3\.0"):
        load({"budget.items": 3.0})


def test_an_error_from_a_file_names_the_file_and_the_setting(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[fusion.gate]\nmode = "strict"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"fusion\.gate\.mode = 'strict': .*mine\.toml"):
        Config.load(file, environ={})


def test_weights_that_do_not_sum_to_one_name_the_file_they_came_from(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[fusion.rerank]\nfused = 0.9\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"sum to 1\.0 \(file .*mine\.toml\)"):
        Config.load(file, environ={})


def test_an_error_of_an_argument_does_not_blame_the_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[budget]\nitems = 3\n", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        Config.load(file, environ={}, overrides={"budget.items": 51})
    assert "mine.toml" not in str(caught.value)


@pytest.mark.parametrize(
    "content", [b"[budget\n", b"items = \xff", b"k = " + b"9" * 5000, b"a = " + b"[" * 5000]
)
def test_a_file_that_is_not_toml_is_a_config_error(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "broken.toml"
    file.write_bytes(content)
    with pytest.raises(ConfigError, match=r"broken\.toml"):
        Config.load(file, environ={})


def test_a_missing_file_is_an_error_rather_than_the_defaults(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.toml"):
        Config.load(tmp_path / "none.toml", environ={})


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    file = tmp_path / "bom.toml"
    file.write_bytes(b"\xef\xbb\xbftimezone = 'Asia/Shanghai'\n")
    assert Config.load(file, environ={}).zone() == ZoneInfo("Asia/Shanghai")


def test_a_relative_synonym_file_is_meant_from_the_configurations_folder(tmp_path: Path) -> None:
    file = tmp_path / "memweir.toml"
    file.write_text("[retrieval]\nsynonyms = 'words.txt'\n", encoding="utf-8")
    (tmp_path / "words.txt").write_text("lighthouse: lighthouse, 灯塔\n", encoding="utf-8")
    assert Config.load(file, environ={}).retrieval.synonyms == str(tmp_path / "words.txt")
    absolute = Config.load(file, environ={}, overrides={"retrieval.synonyms": "x.txt"})
    assert absolute.retrieval.synonyms == "x.txt"


@pytest.mark.parametrize("name", ["none.txt", ".", "a\\u0000b"])
def test_a_synonym_file_that_cannot_be_read_names_the_file_that_asks_for_it(
    tmp_path: Path, name: str
) -> None:
    file = tmp_path / "memweir.toml"
    file.write_text(f'[retrieval]\nsynonyms = "{name}"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"cannot be read: .*\(file .*memweir\.toml\)") as caught:
        Config.load(file, environ={})
    assert caught.value.setting == "retrieval.synonyms"
    # What is not in force cannot break anything.
    assert Config.load(file, environ={}, overrides={"retrieval.synonyms": "x.txt"}).retrieval.synonyms


def test_all_paths_off_is_refused() -> None:
    off = {f"retrieval.{path}": False for path in ("semantic", "keyword", "graph", "timeline")}
    with pytest.raises(ConfigError, match="at least one path"):
        load(off)
    assert load({**off, "retrieval.timeline": True}).retrieval.paths() == ("timeline",)


def test_the_only_path_that_is_on_must_weigh_something() -> None:
    off: dict[str, object] = {f"retrieval.{path}": False for path in ("semantic", "keyword", "graph")}
    with pytest.raises(ConfigError, match=r"fusion\.rrf\.weights"):
        load({**off, "fusion.rrf.weights.timeline": 0})


def test_field_weights_must_not_all_be_zero() -> None:
    with pytest.raises(ConfigError, match="must not all be 0"):
        RetrievalConfig(field_weights=dict.fromkeys(FIELD_WEIGHTS, 0.0))


@pytest.mark.parametrize(
    "name", ["", "Asia", "../etc/passwd", "/etc/localtime", "Mars/Base", "a\0b", "\ud83d"]
)
def test_a_time_zone_outside_the_database_is_refused(name: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Config(timezone=name)
    assert caught.value.setting == "timezone"


def test_building_a_section_by_hand_is_checked_as_strictly_as_loading_it() -> None:
    with pytest.raises(ConfigError, match=r"store\.keep_runs"):
        StoreConfig(keep_runs=1.5)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=r"answers\.enabled"):
        AnswerConfig(enabled=1)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=r"fusion\.gate"):
        Config(gate=Budget())  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=r"fusion\.rrf\.weights\.grahp"):
        Config(rrf=RrfConfig(weights={"grahp": 1.0}))
    with pytest.raises(ConfigError, match=r"retrieval\.limit"):
        RetrievalConfig(limit=0)


def test_the_gates_against_secrets_and_instructions_cannot_be_switched_off() -> None:
    assert not [key for key in KEYS if "secret" in key or "threat" in key]


def test_to_dict_is_json_and_loads_back_to_the_same_configuration() -> None:
    config = Config(gate=GateConfig(mode="enforce"), timezone="Europe/Rome")
    assert load(json.loads(json.dumps(config.to_dict()))) == config


def test_to_dict_hands_out_copies() -> None:
    config = Config()
    table = config.to_dict()["retrieval"]
    assert isinstance(table, dict)
    table["field_weights"]["body"] = 9.0
    assert config.retrieval.field_weights["body"] == 1.0


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("budget.items", "3", 3),
        ("budget.items", " 0x10 ", 16),
        ("retrieval.graph", "true", True),
        ("retrieval.graph", "True", "True"),
        ("timezone", "UTC", "UTC"),
        ("timezone", "1979-05-27", "1979-05-27"),
        ("fusion.gate.min_relevance", "0.2", 0.2),
        ("fusion.gate.min_relevance", "", ""),
    ],
)
def test_a_scalar_is_read_as_toml_with_text_left_as_text(key: str, text: str, value: object) -> None:
    assert parse_scalar(key, text) == value


@settings(deadline=None, max_examples=150)
@given(
    st.dictionaries(
        st.one_of(st.sampled_from(KEYS), st.text(max_size=12)),
        st.recursive(
            st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
            lambda inner: st.dictionaries(st.text(max_size=6), inner, max_size=2),
            max_leaves=4,
        ),
        max_size=4,
    )
)
def test_whatever_is_given_the_result_is_a_valid_configuration_or_a_config_error(
    overrides: dict[str, object],
) -> None:
    try:
        config = load(overrides)
    except ConfigError:
        return
    assert load(config.to_dict()) == config
    assert config.retrieval.paths()


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(KEYS), st.text(max_size=20))
def test_whatever_a_variable_holds_loading_answers_or_names_it(key: str, text: str) -> None:
    name = "MEMWEIR_" + key.upper().replace(".", "_")
    try:
        config = load(**{name: text})
    except ConfigError as error:
        named = name in str(error)
        event("refused")
    else:
        named = load(config.to_dict()) == config
        event("accepted")
    assert named
