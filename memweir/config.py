"""Which settings steer the engine, and from where does each of them come?

`Config` gathers the settings of every room. `Config()` is the defaults; `Config.load` reads

    keyword overrides  >  environment  >  file  >  defaults

setting by setting. A file is TOML with the sections of `Config.to_dict`:

    timezone = "Asia/Shanghai"
    [fusion.gate]
    min_relevance = 0.2
    [fusion.rrf.weights]
    graph = 0.0

An environment variable spells the same path in capitals, `MEMWEIR_FUSION_GATE_MIN_RELEVANCE=0.2`, its
value a TOML scalar (text may go without quotes); an empty one counts as not set. An unknown setting
is an error: a typo must not silently leave a default in force. The gates that keep secrets and
instructions out are no settings.
"""

from __future__ import annotations

import math
import os
import re
import tomllib
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import time
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from memweir.errors import ConfigError
from memweir.fusion.types import Budget, DecayConfig, GateConfig, RerankConfig, RrfConfig
from memweir.learning.schedule import Schedule
from memweir.retrieval.features import FEATURES
from memweir.retrieval.types import PATHS
from memweir.store.records import KINDS, LAYERS
from memweir.store.scopes import SCOPE_KINDS

__all__ = [
    "FIELD_WEIGHTS",
    "AnswerConfig",
    "CaptureConfig",
    "Config",
    "MirrorConfig",
    "ReflectionConfig",
    "RetrievalConfig",
    "StoreConfig",
    "parse_scalar",
]

FIELD_WEIGHTS: Final[Mapping[str, float]] = types.MappingProxyType(
    {
        "body": 1.0,
        "chars": 0.3,
        "synonyms": 0.5,
        "title": 2.0,
        "tags": 2.0,
        "key": 2.0,
        "speaker": 0.7,
        "learned": 0.6,
        "symbols": 0.0,
    }
)
"""Weight of each indexed field in the keyword path's bm25."""


@dataclass(frozen=True, slots=True)
class RetrievalConfig:
    """How the four paths look for memories.

    Attributes:
        semantic, keyword, graph, timeline: whether the path is asked at all; at least one is.
        word_vectors: whether words of the same meaning are near one another, by the built-in table;
            a store written with it is read with it (`reindex` changes it).
        limit: candidates a path returns at most, 1 to 1000.
        graph_hops: steps of the walk over relations, 1 to 4.
        graph_fanout: edges followed from one entity, 1 to 1000: keeps hubs from drowning the rest.
        graph_damping: what is left of a score after each step, 0 to 1.
        pin_max_df: share of a store's memories up to which an exact symbol of the query is rare enough
            to pin its holders above every weight, 0 to 1.
        feature_weights: feature of a candidate (see `retrieval.features.FEATURES`) → factor on its
            learned weight, 0 to 10; 0 leaves the feature out, one not named keeps its weight.
        field_weights: indexed field → bm25 weight, 0 to 1000, not all zero. A field not named keeps
            its value in `FIELD_WEIGHTS`.
        synonyms: path of the user's own synonym file, None for the built-in ones only.
        duplicate_threshold: similarity from which two texts say the same, 0 to 1.
        task_alignment: records of failures stay out of turns that are not about them.
        scene_routing: of a turn that clearly speaks of one scene, memories of other scenes stay out.
        context_weight: weight of the turn before in the query's vector, halved with every turn further
            back, 0 to 1.
        embedder: a learned model beside the words, in one of the forms of `memweir.embedders.learned`;
            "": none.
        background_indexing: a thread makes what takes a model of a memory's vector, after it is stored.

    Raises:
        ConfigError: a value of the wrong type or outside its range.
    """

    semantic: bool = True
    keyword: bool = True
    graph: bool = True
    timeline: bool = True
    word_vectors: bool = True
    limit: int = 16
    graph_hops: int = 2
    graph_fanout: int = 32
    graph_damping: float = 0.5
    pin_max_df: float = 0.02
    field_weights: Mapping[str, float] = field(default_factory=lambda: dict(FIELD_WEIGHTS))
    synonyms: str | None = None
    feature_weights: Mapping[str, float] = field(default_factory=dict)
    duplicate_threshold: float = 0.9
    context_weight: float = 0.5
    task_alignment: bool = True
    scene_routing: bool = True
    embedder: str = ""
    background_indexing: bool = False

    def __post_init__(self) -> None:
        _check_types("retrieval", self)
        if not self.paths():
            raise ConfigError("retrieval", dict.fromkeys(PATHS, False), "at least one path must be on")
        _check_range("retrieval.limit", self.limit, 1, 1000)
        _check_range("retrieval.graph_hops", self.graph_hops, 1, 4)
        _check_range("retrieval.graph_fanout", self.graph_fanout, 1, 1000)
        _check_range("retrieval.graph_damping", self.graph_damping, 0, 1)
        _check_range("retrieval.pin_max_df", self.pin_max_df, 0, 1)
        _check_range("retrieval.duplicate_threshold", self.duplicate_threshold, 0, 1)
        _check_range("retrieval.context_weight", self.context_weight, 0, 1)
        _check_keys("retrieval.feature_weights", self.feature_weights, FEATURES)
        for name, factor in self.feature_weights.items():
            _check_range(f"retrieval.feature_weights.{name}", factor, 0, 10)
        object.__setattr__(self, "feature_weights", dict(self.feature_weights))
        _check_keys("retrieval.field_weights", self.field_weights, tuple(FIELD_WEIGHTS))
        for name, weight in self.field_weights.items():
            _check_range(f"retrieval.field_weights.{name}", weight, 0, 1000)
        weights = {**FIELD_WEIGHTS, **self.field_weights}
        if not any(weights.values()):
            raise ConfigError("retrieval.field_weights", weights, "must not all be 0")
        object.__setattr__(self, "field_weights", weights)
        if self.synonyms is not None and not self.synonyms.strip():
            raise ConfigError("retrieval.synonyms", self.synonyms, "must be the path of a file")
        if self.embedder:
            from memweir.embedders import check_spec

            check_spec(self.embedder)

    def paths(self) -> tuple[str, ...]:
        """Names of the paths that are on, in the order of `retrieval.types.PATHS`."""
        return tuple(name for name in PATHS if getattr(self, name))


@dataclass(frozen=True, slots=True)
class StoreConfig:
    """How the database behaves.

    Attributes:
        busy_timeout_ms: how long a write waits for another process, 0 to 600,000.
        keep_runs: audited recalls kept before the oldest are dropped, 0 to 10,000,000.
        quarantine_personal_data: what holds an e-mail address, a telephone number, a Chinese identity
            number or a bank card waits for a person's approval before it is recalled.
        ask_contradictions: memories without a common key are compared too, and a question is opened
            where one seems to deny or to replace another.

    Raises:
        ConfigError: a value of the wrong type or outside its range.
    """

    busy_timeout_ms: int = 5000
    keep_runs: int = 5000
    quarantine_personal_data: bool = True
    ask_contradictions: bool = True

    def __post_init__(self) -> None:
        _check_types("store", self)
        _check_range("store.busy_timeout_ms", self.busy_timeout_ms, 0, 600_000)
        _check_range("store.keep_runs", self.keep_runs, 0, 10_000_000)


@dataclass(frozen=True, slots=True)
class AnswerConfig:
    """How standing answers are used.

    Attributes:
        enabled: whether a recall looks for one.
        stale_days: days without verification from which an answer is marked, 0 to 36,500.

    Raises:
        ConfigError: a value of the wrong type or outside its range.
    """

    enabled: bool = True
    stale_days: int = 60

    def __post_init__(self) -> None:
        _check_types("answers", self)
        _check_range("answers.stale_days", self.stale_days, 0, 36_500)


@dataclass(frozen=True, slots=True)
class CaptureConfig:
    """What is learned from a turn.

    Attributes:
        enabled: whether `observe` captures at all.
        facts: kept of one message at most, 1 to 100; what a person asks for does not count.
        min_confidence: of a fact that is kept, 0 to 1.
        extractor: a model that reads facts out of sentences, in the form of
            `memweir.extractors.resolve`; "": by rules.
        extractor_fallback: where that model fails, by rules; else the turn is refused.

    Raises:
        ConfigError: a value of the wrong type or outside its range.
    """

    enabled: bool = True
    facts: int = 8
    min_confidence: float = 0.35
    extractor: str = ""
    extractor_fallback: bool = True

    def __post_init__(self) -> None:
        _check_types("capture", self)
        _check_range("capture.facts", self.facts, 1, 100)
        _check_range("capture.min_confidence", self.min_confidence, 0, 1)
        if self.extractor:
            from memweir.extractors import check_spec

            check_spec(self.extractor)


@dataclass(frozen=True, slots=True)
class ReflectionConfig:
    """When and how facts become beliefs.

    Attributes:
        enabled: whether a scheduler runs; by hand it can always be done.
        days: days of the month on which it is due, separated by commas.
        at: the hour of the host's clock, as in 03:00.
        min_evidence: facts that say the same before they make a belief, 1 to 100.
        quality_gate: what is short, asks, orders once or comes from a machine is no evidence.
        min_chars: of a fact that is evidence, 0 to 1,000; a Chinese character counts more.
        skip_patterns: regular expressions, one a line: a fact in which one is found is no evidence.
        limit: memories of a scope from which on the least used are archived, 0 for never.
        archive_share: of the limit that is archived then, 0 to 1; at least what is over.

    Raises:
        ConfigError: a value of the wrong type or outside its range.
    """

    enabled: bool = True
    days: str = "1,8,15,22,29"
    at: str = "03:00"
    min_evidence: int = 3
    quality_gate: bool = True
    min_chars: int = 12
    skip_patterns: str = ""
    limit: int = 0
    archive_share: float = 0.1

    def __post_init__(self) -> None:
        _check_types("reflection", self)
        _check_range("reflection.min_evidence", self.min_evidence, 1, 100)
        _check_range("reflection.min_chars", self.min_chars, 0, 1_000)
        _check_range("reflection.limit", self.limit, 0, 10_000_000)
        _check_range("reflection.archive_share", self.archive_share, 0, 1)
        self.schedule()
        for pattern in self.patterns():
            try:
                re.compile(pattern)
            except re.error as error:
                problem = f"is no regular expression: {error}"
                raise ConfigError("reflection.skip_patterns", pattern, problem) from error

    def patterns(self) -> tuple[str, ...]:
        """`skip_patterns` as a list."""
        return tuple(each.strip() for each in self.skip_patterns.splitlines() if each.strip())

    def schedule(self) -> Schedule:
        """`days` and `at` as a schedule."""
        try:
            days = tuple(sorted({int(each) for each in self.days.split(",") if each.strip()}))
            return Schedule(days, time.fromisoformat(self.at.strip()))
        except ValueError as error:
            name = "at" if "isoformat" in str(error) else "days"
            problem = "must be days of the month and an hour, for example 1,8,15 and 03:00"
            raise ConfigError(f"reflection.{name}", getattr(self, name), problem) from error


@dataclass(frozen=True, slots=True)
class MirrorConfig:
    """Where what is remembered can be read by people, day by day.

    Attributes:
        folder: of the files, None for no mirror. It belongs to one person: lines of every scope are in
            it. It has no part in what is recalled, and is not among the settings that the audit keeps.

    Raises:
        ConfigError: a value of the wrong type, or blank.
    """

    folder: str | None = None

    def __post_init__(self) -> None:
        _check_types("mirror", self)
        if self.folder is not None and (not self.folder.strip() or "\x00" in self.folder):
            raise ConfigError("mirror.folder", self.folder, "must be the path of a folder")


@dataclass(frozen=True, slots=True)
class Config:
    """Every setting of the engine.

    Attributes:
        rrf, rerank, gate: sections `fusion.rrf`, `fusion.rerank`, `fusion.gate`.
        budget: what the injected block may cost.
        retrieval, store, answers, capture, reflection, mirror: of the sections of the same names.
        timezone: IANA name of the zone in which "yesterday" is meant, None: the system's.
        decay: section `fusion.decay`.

    Raises:
        ConfigError: a value of the wrong type or outside its range, or two that contradict each other.
    """

    rrf: RrfConfig = field(default_factory=RrfConfig)
    rerank: RerankConfig = field(default_factory=RerankConfig)
    gate: GateConfig = field(default_factory=GateConfig)
    budget: Budget = field(default_factory=Budget)
    retrieval: RetrievalConfig = field(default_factory=RetrievalConfig)
    store: StoreConfig = field(default_factory=StoreConfig)
    answers: AnswerConfig = field(default_factory=AnswerConfig)
    timezone: str | None = None
    decay: DecayConfig = field(default_factory=DecayConfig)
    capture: CaptureConfig = field(default_factory=CaptureConfig)
    reflection: ReflectionConfig = field(default_factory=ReflectionConfig)
    mirror: MirrorConfig = field(default_factory=MirrorConfig)

    def __post_init__(self) -> None:
        for prefix, (name, section) in _SECTIONS.items():
            value = getattr(self, name)
            if not isinstance(value, section):
                raise ConfigError(prefix, value, f"must be a {section.__name__}")
            _check_types(prefix, value)
        _check_keys("fusion.rrf.weights", self.rrf.weights, PATHS)
        _check_keys("fusion.rerank.layer_prior", self.rerank.layer_prior, LAYERS)
        _check_keys("fusion.rerank.scope_prior", self.rerank.scope_prior, SCOPE_KINDS)
        _check_keys("fusion.gate.kind_risk", self.gate.kind_risk, KINDS)
        _check_keys("fusion.decay.unused_days", self.decay.unused_days, LAYERS)
        if not any(self.rrf.weights.get(path, 1.0) for path in self.retrieval.paths()):
            raise ConfigError(
                "fusion.rrf.weights",
                dict(self.rrf.weights),
                f"gives every path that is on ({', '.join(self.retrieval.paths())}) the weight 0",
            )
        if self.timezone is not None:
            _check_zone(self.timezone)

    def zone(self) -> ZoneInfo | None:
        """The time zone set, None where the system's is meant."""
        return None if self.timezone is None else ZoneInfo(self.timezone)

    def unmirrored(self) -> Config:
        """The same for a store that nobody sees again: it adds nothing to a person's mirror."""
        return replace(self, mirror=MirrorConfig())

    def to_dict(self) -> dict[str, object]:
        """All settings as nested plain values, in the shape of a configuration file."""
        result: dict[str, object] = {"timezone": self.timezone}
        for prefix, (name, _) in _SECTIONS.items():
            table = result
            *outer, last = prefix.split(".")
            for part in outer:
                table = typing.cast(dict[str, object], table.setdefault(part, {}))
            table[last] = _plain(getattr(self, name))
        return result

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Config:
        """The settings that `to_dict` gave.

        Raises:
            ConfigError: an unknown setting, or a wrong value.
        """
        overrides: dict[str, object] = {}
        for prefix in ("", *_SECTIONS):
            table: Any = values
            for part in prefix.split(".") if prefix else ():
                table = table.get(part, {})
            kept = ("timezone",) if not prefix else tuple(table)
            for name in kept:
                if table.get(name) is not None:
                    overrides[f"{prefix}.{name}" if prefix else name] = table[name]
        return cls.load(environ={}, overrides=overrides)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str] | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        overrides: Mapping[str, object] | None = None,
    ) -> Config:
        """Settings from a file, the environment and the caller, the later winning.

        Args:
            path: a TOML file; None: no file. A relative `retrieval.synonyms` or `mirror.folder` in it
                is meant from its folder.
            environ: variables to read instead of the process's; `{}` for none.
            overrides: dotted setting → value, for example `{"fusion.gate.mode": "enforce"}`; a table
                of weights may be given whole or key by key, and what it does not name stays.

        Raises:
            ConfigError: an unknown setting, a wrong value, an unreadable file, or one that names an
                unreadable synonym file; the message names the setting and the file or variable it
                came from.
        """
        given = _Given()
        if path is not None:
            source = f"{_FILE}{os.fspath(path)}"
            for key, value in _flatten(_read_file(Path(path))):
                if key in _PATH_SETTINGS and isinstance(value, str) and value.strip():
                    value = str(Path(path).parent / Path(value).expanduser())
                given.set(key, value, source)
        for name, text in sorted((os.environ if environ is None else environ).items()):
            known = _from_environment(name, text)
            if known is not None:
                given.set(*known, f"environment variable {name}")
        for key, value in (overrides or {}).items():
            if not isinstance(key, str):
                raise ConfigError(repr(key), value, "a setting is named by its dotted key")
            pairs = _flatten(value, key) if isinstance(value, Mapping) else [(key, value)]
            for each, single in pairs:
                given.set(each, single, "")
        config = given.build(cls)
        given.check_synonyms(config.retrieval.synonyms)
        return config


_SECTIONS: Final[Mapping[str, tuple[str, type[Any]]]] = types.MappingProxyType(
    {
        "fusion.rrf": ("rrf", RrfConfig),
        "fusion.rerank": ("rerank", RerankConfig),
        "fusion.gate": ("gate", GateConfig),
        "fusion.decay": ("decay", DecayConfig),
        "budget": ("budget", Budget),
        "retrieval": ("retrieval", RetrievalConfig),
        "store": ("store", StoreConfig),
        "answers": ("answers", AnswerConfig),
        "capture": ("capture", CaptureConfig),
        "reflection": ("reflection", ReflectionConfig),
        "mirror": ("mirror", MirrorConfig),
    }
)
_PATH_SETTINGS: Final = ("retrieval.synonyms", "mirror.folder")
_OPTIONAL_TEXT: Final = "text"
_NUMBER_TABLE: Final = "table"
_FILE: Final = "file "  # what the origin of a file's settings begins with
_INTEGER_LIMIT: Final = 2**63
_LONGEST_SUGGESTED: Final = 100  # characters; comparing much longer keys would take seconds


def parse_scalar(key: str, text: str) -> object:
    """The value of a setting written as text, as in the environment or in `--set KEY=VALUE`.

    Text settings take the characters as they are unless they are quoted; everything else is read as
    a TOML value. What is not TOML stays text, and the type check then names the setting.
    """
    try:
        table = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    if len(table) > 1:  # a line end in the text began a second setting
        return text
    value: object = table["value"]
    if _kinds().get(key) in (str, _OPTIONAL_TEXT) and not isinstance(value, str):
        return text
    return value


class _Given:
    """Settings collected so far, and where each of them came from."""

    def __init__(self) -> None:
        self.values: dict[str, dict[str, object]] = {prefix: {} for prefix in _SECTIONS}
        self.timezone: str | None = None
        self.sources: dict[str, str] = {}

    def set(self, key: str, value: object, source: str) -> None:
        self.sources[key] = source
        if key == "timezone":
            self.timezone = self._typed(key, value, _OPTIONAL_TEXT)
            return
        kind = _kinds().get(key)
        if kind is not None and kind != _NUMBER_TABLE:
            prefix, _, name = key.rpartition(".")
            self.values[prefix][name] = self._typed(key, value, kind)
            return
        table, _, name = key.rpartition(".")
        if _kinds().get(table) == _NUMBER_TABLE and name:
            prefix, _, table_name = table.rpartition(".")
            numbers = typing.cast(dict[str, object], self.values[prefix].setdefault(table_name, {}))
            numbers[name] = self._typed(key, value, float)
            return
        problem = "must be a table of numbers" if kind else "is not a setting" + _suggestion(key)
        raise ConfigError(key, value, problem + self._origin(key))

    def build(self, cls: type[Config]) -> Config:
        try:
            sections: dict[str, Any] = {}
            for prefix, (name, section) in _SECTIONS.items():
                chosen = dict(self.values[prefix])
                for key, value in chosen.items():
                    if _kinds()[f"{prefix}.{key}"] == _NUMBER_TABLE:
                        base = getattr(section(), key)
                        chosen[key] = {**base, **typing.cast(dict[str, object], value)}
                sections[name] = section(**chosen)
            return cls(**sections, timezone=self.timezone)
        except ConfigError as error:
            raise ConfigError(
                error.setting, error.value, error.problem + self._origin(error.setting)
            ) from None

    def check_synonyms(self, path: str | None) -> None:
        """A file that names a synonym file which cannot be read is told at once, and by its name."""
        key = "retrieval.synonyms"
        if path is None or not self.sources.get(key, "").startswith(_FILE):
            return
        try:
            with open(path, "rb"):
                pass
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise ConfigError(key, path, f"cannot be read: {reason}{self._origin(key)}") from error

    def _typed(self, key: str, value: object, kind: object) -> Any:
        try:
            return _typed(key, value, kind)
        except ConfigError as error:
            raise ConfigError(key, value, error.problem + self._origin(key)) from None

    def _origin(self, key: str) -> str:
        """Where a setting, or what is below it, was said: " (file memweir.toml)", "" for a default."""
        below = [each for each in self.sources if each == key or each.startswith(key + ".")]
        origins = sorted({self.sources[each] for each in below} - {""})
        return f" ({', '.join(origins)})" if origins else ""


def _suggestion(key: str) -> str:
    """ "; did you mean fusion.gate.mode?" where an unknown setting looks like a known one, else ""."""
    if len(key) > _LONGEST_SUGGESTED:
        return ""
    from difflib import get_close_matches  # only a typo pays for it

    known = sorted(each for each, _ in _flatten(Config().to_dict()))
    section, _, name = key.rpartition(".")
    last = {each: each.rpartition(".")[2] for each in known}
    beside = {last[each]: each for each in known if each.rpartition(".")[0] == section}
    whole = {each: each for each in known}
    anywhere = {last[each]: each for each in reversed(known)}
    # A typo within its section, then in the section, then a setting looked for in the wrong one.
    for wanted, names, cutoff in ((name, beside, 0.6), (key, whole, 0.85), (name, anywhere, 0.8)):
        for close in get_close_matches(wanted, names, 1, cutoff):
            return f"; did you mean {names[close]}?"
    return ""


def _read_file(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ConfigError("config", str(path), f"cannot be read: {reason}") from error
    except RecursionError as error:
        raise ConfigError("config", str(path), "is nested too deeply") from error
    except ValueError as error:
        raise ConfigError("config", str(path), f"is not valid TOML: {error}") from error


def _flatten(table: Mapping[Any, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    for name, value in table.items():
        key = f"{prefix}.{name}" if prefix else str(name)
        if isinstance(value, Mapping):
            yield from _flatten(value, key)
        else:
            yield key, value


def _from_environment(name: str, text: str) -> tuple[str, object] | None:
    """The setting a variable names, None where it names none of ours.

    `MEMWEIR_STORE` and the like belong to the command line; names outside our sections may be another
    program's, such as what a container platform sets for a service.
    """
    if not name.startswith("MEMWEIR_") or not text.strip():
        return None
    spelled = name.removeprefix("MEMWEIR_").lower()
    if spelled == "timezone":
        return "timezone", parse_scalar("timezone", text)
    for prefix in sorted(_SECTIONS, key=len, reverse=True):
        head = prefix.replace(".", "_") + "_"
        if not spelled.startswith(head):
            continue
        rest = spelled.removeprefix(head)
        for key, kind in _kinds().items():
            table = key.removeprefix(prefix + ".") + "_"
            if kind == _NUMBER_TABLE and key.startswith(prefix + ".") and rest.startswith(table):
                key = f"{key}.{rest.removeprefix(table)}"
                return key, parse_scalar(key, text)
        return f"{prefix}.{rest}", parse_scalar(f"{prefix}.{rest}", text)
    if spelled.startswith("fusion_"):
        return f"fusion.{spelled.removeprefix('fusion_')}", text
    return None


_KINDS: dict[str, object] = {}


def _kinds() -> Mapping[str, object]:
    """Dotted setting → bool, int, float, str, `_OPTIONAL_TEXT` or `_NUMBER_TABLE`."""
    if not _KINDS:
        found: dict[str, object] = {"timezone": _OPTIONAL_TEXT}
        for prefix, (_, section) in _SECTIONS.items():
            for name, hint in typing.get_type_hints(section).items():
                found[f"{prefix}.{name}"] = _kind(hint)
        _KINDS.update(found)
    return _KINDS


def _kind(hint: object) -> object:
    if hint == str | None:
        return _OPTIONAL_TEXT
    if typing.get_origin(hint) is Mapping:
        return _NUMBER_TABLE
    assert hint in (bool, int, float, str), f"a setting of a type that no file can hold: {hint}"
    return hint


def _typed(key: str, value: object, kind: object) -> object:
    """The value in the type of its setting; whole numbers become floats where floats are meant.

    Raises:
        ConfigError: it has another type or is not finite.
    """
    if kind is bool and isinstance(value, bool):
        return value
    if kind is str and isinstance(value, str):
        return value
    if kind == _OPTIONAL_TEXT and (value is None or isinstance(value, str)):
        return value
    if kind is int and isinstance(value, int) and not isinstance(value, bool):
        if abs(value) < _INTEGER_LIMIT:
            return value
        raise ConfigError(key, value, "is out of range")
    if kind is float and isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            raise ConfigError(key, value, "is out of range") from None
        if math.isfinite(number):
            return number
        raise ConfigError(key, value, "must be a finite number")
    if kind == _NUMBER_TABLE and isinstance(value, Mapping):
        return {str(name): _typed(f"{key}.{name}", each, float) for name, each in value.items()}
    wanted = {
        bool: "must be true or false",
        int: "must be a whole number",
        float: "must be a number",
        _NUMBER_TABLE: "must be a table of numbers",
    }
    raise ConfigError(key, value, wanted.get(kind, "must be text"))


def _check_types(prefix: str, section: object) -> None:
    for each in fields(typing.cast(Any, section)):
        key = f"{prefix}.{each.name}"
        _typed(key, getattr(section, each.name), _kinds()[key])


def _check_range(key: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise ConfigError(key, value, f"must be between {low:g} and {high:g}")


def _check_keys(key: str, table: Mapping[str, float], allowed: tuple[str, ...]) -> None:
    for name, value in table.items():
        if name not in allowed:
            raise ConfigError(f"{key}.{name}", value, f"is not one of {', '.join(allowed)}")


def _check_zone(name: object) -> None:
    if not isinstance(name, str):
        raise ConfigError("timezone", name, "must be text")
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        # OSError: "Asia" alone is a folder of the zone database.
        raise ConfigError(
            "timezone", name, "is no zone of the time-zone database, use a name like Asia/Shanghai"
        ) from error


def _plain(section: object) -> dict[str, object]:
    result: dict[str, object] = {}
    for each in fields(typing.cast(Any, section)):
        value = getattr(section, each.name)
        result[each.name] = dict(value) if isinstance(value, Mapping) else value
    return result
