"""Is there a better configuration, and is it better on questions it was not chosen by?

Scopes of a set are split in two, by question where there is one scope only. Random search and a local
refinement choose a configuration on the first part; the second part is asked once, by the base and by
the chosen one. Only the second part says anything: the best of many trials always looks good on the
first.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from memweir.config import Config
from memweir.errors import ConfigError, InputError
from memweir.evaluation.ablations import flat, with_overrides
from memweir.evaluation.datasets import Question

__all__ = ["PRESETS", "Parameter", "Split", "Trial", "parameters", "search", "split", "to_toml"]

PRESETS: Final[Mapping[str, tuple[str, ...]]] = {
    "fusion": (
        "fusion.rrf.k=5:100",
        "fusion.rrf.weights.semantic=0.2:3",
        "fusion.rrf.weights.keyword=0.2:3",
        "fusion.rrf.weights.graph=0.05:2",
        "fusion.rrf.weights.timeline=0.05:2",
        "fusion.rerank.fused=0.05:0.8",
        "fusion.rerank.relevance=0.05:0.8",
    ),
    "keyword": (
        "retrieval.field_weights.chars=0.05:1",
        "retrieval.field_weights.synonyms=0.05:2",
        "retrieval.field_weights.speaker=0.05:2",
    ),
}
"""Name → the parameters it stands for."""

_ALIASES: Final = {"rrf": "fusion.rrf", "rerank": "fusion.rerank", "gate": "fusion.gate"}
_RANDOM_SHARE: Final = 0.6  # of the trials; the rest refine the best so far
_ROUND: Final = 4  # refinements proposed at once
_FIRST_STEP: Final = 0.25  # of a range; halved every round
_LOGARITHMIC: Final = 10  # a range at least so many times its lower end is searched by ratio


@dataclass(frozen=True, slots=True)
class Parameter:
    """A setting to be searched between two values, both included."""

    key: str
    low: float
    high: float
    whole: bool

    def at(self, place: float) -> float | int:
        """The value at a place of the range, 0 to 1: even in the value, or in its logarithm."""
        if self.low > 0 and self.high >= _LOGARITHMIC * self.low:
            value = self.low * math.exp(math.log(self.high / self.low) * place)
        else:
            value = self.low + (self.high - self.low) * place
        value = min(max(value, self.low), self.high)
        return round(value) if self.whole else round(value, 4)


@dataclass(frozen=True, slots=True)
class Trial:
    """One configuration tried.

    Attributes:
        overrides: what it has otherwise than the base, as proposed.
        places: of each parameter in its range; empty for the base itself.
        objective: what it reached on the questions it was chosen by.
    """

    overrides: Mapping[str, float | int]
    places: tuple[float, ...]
    config: Config
    objective: float


@dataclass(frozen=True, slots=True)
class Split:
    """Ids of the questions to choose by, and of those to report on."""

    chosen_by: frozenset[str]
    held_out: frozenset[str]


def parameters(texts: Sequence[str], base: Config) -> list[Parameter]:
    """The parameters written as `KEY=LOW:HIGH` or as the name of a preset.

    `rrf`, `rerank` and `gate` stand for the sections of these names.

    Raises:
        InputError: another form, a range without room, a setting given twice or that is no number.
        ConfigError: no such setting, or an end of the range is outside what it takes.
    """
    written = [each for text in texts for each in PRESETS.get(text, (text,))]
    settings = flat(base)
    found: dict[str, Parameter] = {}
    for text in written:
        name, equals, ends = text.partition("=")
        low_text, colon, high_text = ends.partition(":")
        if not equals or not colon:
            raise InputError(
                f"--param {text!r}: write KEY=LOW:HIGH or one of the presets {', '.join(PRESETS)}"
            )
        head, dot, tail = name.strip().partition(".")
        key = _ALIASES.get(head, head) + dot + tail
        try:
            low, high = float(low_text), float(high_text)
        except ValueError as error:
            raise InputError(f"--param {text!r}: LOW and HIGH must be numbers") from error
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise InputError(f"--param {text!r}: LOW must be below HIGH")
        if key in found:
            raise InputError(f"--param {key} is given twice")
        value = settings.get(key)
        if key in settings and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise InputError(f"--param {key}: only numbers can be searched, this is {value!r}")
        parameter = Parameter(key, low, high, whole=isinstance(value, int))
        for place in (0.0, 1.0):
            with_overrides(base, {key: parameter.at(place)})
        found[key] = parameter
    if not found:
        raise InputError(
            f"eval tune needs --param KEY=LOW:HIGH or one of the presets {', '.join(PRESETS)}"
        )
    return list(found.values())


def split(questions: Sequence[Question], *, held_out: float, seed: int) -> Split:
    """Questions of whole scopes to either side; of one scope only, single questions.

    Which scope goes where depends on its name and the seed alone, so that two sets about the same
    scopes are split alike.

    Args:
        held_out: share of the scopes (or questions) to report on, above 0 and below 1; where there are
            two or more, each side gets at least one.

    Raises:
        InputError: the share is not between 0 and 1.
    """
    if not 0 < held_out < 1:
        raise InputError(f"--held-out {held_out}: must be above 0 and below 1")
    by_scope = len({each.scope for each in questions}) > 1
    unit = {each.id: each.scope if by_scope else each.id for each in questions}
    names = sorted(set(unit.values()), key=lambda each: (_digest(seed, each), each))
    count = min(max(1, round(held_out * len(names))), max(1, len(names) - 1))
    reported = set(names[:count])
    return Split(
        frozenset(each for each, name in unit.items() if name not in reported),
        frozenset(each for each, name in unit.items() if name in reported),
    )


def search(
    evaluate: Callable[[Sequence[Config]], Sequence[float]],
    several: Sequence[Parameter],
    base: Config,
    *,
    trials: int,
    seed: int,
) -> list[Trial]:
    """Every trial in the order tried, the base first.

    Args:
        evaluate: the objective of each configuration, greater is better.
        trials: configurations tried beside the base. Three in five are drawn at random; the rest are
            drawn around the best one so far, closer with every round of four. A proposal that the other
            settings do not allow is replaced by another draw.

    Raises:
        InputError: no draw within the ranges is a configuration.
    """
    generator = np.random.Generator(np.random.PCG64(seed))
    done = [Trial({}, (), base, evaluate([base])[0])]
    at_random = math.ceil(trials * _RANDOM_SHARE)

    def batch(count: int, centre: Sequence[float] | None, step: float) -> None:
        proposals = [_propose(several, base, generator, centre, step) for _ in range(count)]
        values = evaluate([config for _, _, config in proposals])
        done.extend(
            Trial(overrides, places, config, value)
            for (overrides, places, config), value in zip(proposals, values, strict=True)
        )

    batch(at_random, None, 0.0)
    step = _FIRST_STEP
    while len(done) <= trials:
        best = max(done[1:], key=lambda each: each.objective)  # the first of equals
        batch(min(_ROUND, trials + 1 - len(done)), best.places, step)
        step /= 2
    return done


def to_toml(config: Config) -> str:
    """What a configuration has otherwise than the built-in one, as a file."""
    built_in = flat(Config())
    tables: dict[str, list[str]] = {}
    for key, value in flat(config).items():
        if value != built_in.get(key):
            table, _, name = key.rpartition(".")
            tables.setdefault(table, []).append(f"{name} = {_toml_value(value)}")
    return "\n".join(
        "\n".join([*([f"[{table}]"] if table else []), *lines, ""]) for table, lines in tables.items()
    )


def _toml_value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    text = str(value)
    escaped = "".join(
        f"\\u{ord(each):04x}" if each in '"\\' or not each.isprintable() else each for each in text
    )
    return f'"{escaped}"'


def _propose(
    several: Sequence[Parameter],
    base: Config,
    generator: np.random.Generator,
    centre: Sequence[float] | None,
    step: float,
) -> tuple[dict[str, float | int], tuple[float, ...], Config]:
    for _ in range(100):
        draws = generator.random(len(several))
        places = (
            tuple(float(each) for each in draws)
            if centre is None
            else tuple(
                min(1.0, max(0.0, middle + (2 * float(each) - 1) * step))
                for middle, each in zip(centre, draws, strict=True)
            )
        )
        overrides = {each.key: each.at(place) for each, place in zip(several, places, strict=True)}
        try:
            return overrides, places, with_overrides(base, overrides)
        except ConfigError:
            continue
    raise InputError("no draw within the ranges of --param is a configuration")


def _digest(seed: int, name: str) -> str:
    return hashlib.sha256(f"{seed}:{name}".encode()).hexdigest()
