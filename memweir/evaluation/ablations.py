"""What is each technique worth? The configuration with one of them switched off.

One line of `ABLATIONS` is all a new switch needs: a name, what is switched off, and the settings that
do it. The difference to the base says what the technique does beside all the others, not by itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memweir.config import Config, parse_scalar
from memweir.errors import ConfigError, InputError
from memweir.fusion.types import RerankConfig
from memweir.retrieval.features import FEATURES

__all__ = ["ABLATIONS", "Ablation", "chosen", "flat", "with_overrides"]

_RERANK: Final = "fusion.rerank."
_LONG: Final = tuple(each for each in FEATURES if each.startswith("long_"))


@dataclass(frozen=True, slots=True)
class Ablation:
    """One technique and how it is switched off.

    Attributes:
        overrides: dotted setting → value; weights of the rerank are rescaled to sum to 1.
    """

    name: str
    description: str
    overrides: Mapping[str, object]


def _without(name: str, description: str, *features: str) -> Ablation:
    """The learned sum without some of its features."""
    return Ablation(name, description, {f"retrieval.feature_weights.{each}": 0.0 for each in features})


ABLATIONS: Final = (
    Ablation("no-semantic", "without the semantic path", {"retrieval.semantic": False}),
    Ablation("no-keyword", "without the keyword path", {"retrieval.keyword": False}),
    Ablation("no-graph", "without the graph path", {"retrieval.graph": False}),
    Ablation("no-timeline", "without the timeline path", {"retrieval.timeline": False}),
    Ablation(
        "equal-paths",
        "every path weighs the same in the fusion",
        {f"fusion.rrf.weights.{each}": 1.0 for each in ("semantic", "keyword", "graph", "timeline")},
    ),
    Ablation("no-relevance", "ordered without the absolute match", {"fusion.rerank.relevance": 0.0}),
    Ablation(
        "no-priors",
        "ordered without confidence, recency, layer, importance and scope",
        {
            f"fusion.rerank.{each}": 0.0
            for each in ("confidence", "recency", "layer", "importance", "scope")
        },
    ),
    Ablation("no-recency", "ordered without recency", {"fusion.rerank.recency": 0.0}),
    Ablation("no-pin", "exact symbols do not pin their holders", {"retrieval.pin_max_df": 0.0}),
    Ablation("no-synonyms", "no weight on synonyms", {"retrieval.field_weights.synonyms": 0.0}),
    Ablation("no-characters", "no weight on single characters", {"retrieval.field_weights.chars": 0.0}),
    Ablation("no-speaker", "no weight on the speaker", {"retrieval.field_weights.speaker": 0.0}),
    Ablation("no-context", "without the turns before", {"retrieval.context_weight": 0.0}),
    Ablation("one-hop", "the graph is walked one step", {"retrieval.graph_hops": 1}),
    Ablation(
        "no-duplicates", "what says the same is not collapsed", {"retrieval.duplicate_threshold": 1.0}
    ),
    Ablation(
        "no-threshold",
        "the gate asks for no relevance",
        {f"fusion.gate.{each}_relevance": 0.0 for each in ("min", "turn", "use")},
    ),
    Ablation(
        "no-turn-threshold",
        "the gate does not ask whether a turn has any good candidate",
        {"fusion.gate.turn_relevance": 0.0},
    ),
    Ablation(
        "no-word-vectors", "no word is near another in meaning", {"retrieval.word_vectors": False}
    ),
    _without(
        "no-meaning",
        "no weight on the meaning of whole texts",
        *("meaning", "meaning_best", "long_meaning"),
    ),
    _without(
        "no-sentences",
        "no weight on single sentences of the turn and stretches of them",
        *("question", "last_question", "segment"),
    ),
    _without(
        "no-turns-around",
        "no weight on the turns around a memory in its session",
        *("before", "after", "answers"),
    ),
    _without(
        "no-session",
        "no weight on what else its session holds",
        *("session", "session_whole"),
    ),
    _without(
        "no-source",
        "no weight on what else its source holds",
        *("source", "source_whole", "within_source"),
    ),
    _without("no-bridges", "no weight on what a rare word joins to the best matches", "bridged"),
    _without(
        "no-named-speaker",
        "no weight on whether the query names another speaker",
        *("other_speaker", "other_speaker_match", "misnamed"),
    ),
    _without(
        "no-question-penalty",
        "a memory that asks itself loses nothing",
        *("is_question", "is_question_match"),
    ),
    _without(
        "no-answer-type",
        "no weight on a time, a number, a name or a taste where one is asked for",
        *("says_when", "says_number", "says_name", "says_preference"),
    ),
    _without("no-window", "no weight on the days asked about", "window", "elsewhen", "same_date_words"),
    _without("no-unknown-name", "a name that nobody here bears costs nothing", "unknown_name"),
    _without("no-recent", "no weight on what is newer than a month or so", "recent"),
    _without("no-links", "no weight on what hangs together with the best matches", "linked"),
    _without("no-rank-fusion", "no weight on the fused ranks", "fused", "long_fused"),
    _without("no-long-turns", "no weights of their own for long turns", *_LONG),
    _without("no-rarest", "no weight on the rarest word asked for", "rarest"),
)


def chosen(names: Sequence[str]) -> tuple[Ablation, ...]:
    """The ablations of these names in the order of the registry; all where none is named.

    A name of the form KEY=VALUE is an ablation of its own, after the others: that setting, that value.

    Raises:
        InputError: there is none of that name.
    """
    known = [each.name for each in ABLATIONS]
    own = []
    for name in dict.fromkeys(names):
        key, equals, text = name.partition("=")
        if equals:
            own.append(Ablation(name, f"with {name}", {key.strip(): parse_scalar(key.strip(), text)}))
        elif name not in known:
            raise InputError(
                f"no ablation {name!r}; there are {', '.join(known)} (folders stand before --ablate)"
            )
    return (*(each for each in ABLATIONS if not names or each.name in names), *own)


def with_overrides(config: Config, overrides: Mapping[str, object]) -> Config:
    """The same settings but these.

    Args:
        overrides: dotted setting → value. Where one is a weight of the rerank all seven are divided by
            their sum, as only their ratios order.

    Raises:
        ConfigError: a setting that is unknown, out of its range, or not possible with the others.
    """
    settings = {**flat(config), **overrides}
    weights = [_RERANK + name for name in RerankConfig().weights()]
    if any(each in overrides for each in weights):
        values = [settings[each] for each in weights]
        numbers = [float(each) for each in values if isinstance(each, int | float)]
        total = math.fsum(numbers)
        if len(numbers) < len(values) or not total > 0:
            raise ConfigError(_RERANK.rstrip("."), total, "the weights must not all be 0")
        settings |= {name: value / total for name, value in zip(weights, numbers, strict=True)}
    return Config.load(environ={}, overrides=settings)


def flat(config: Config) -> dict[str, object]:
    """Every setting by its dotted name."""
    found: dict[str, object] = {}
    waiting: list[tuple[str, object]] = list(config.to_dict().items())
    while waiting:
        key, value = waiting.pop(0)
        if isinstance(value, Mapping):
            waiting += [(f"{key}.{name}", each) for name, each in _items(value)]
        else:
            found[key] = value
    return found


def _items(table: Mapping[object, object]) -> Iterable[tuple[object, object]]:
    return table.items()
