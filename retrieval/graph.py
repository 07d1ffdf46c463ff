"""What hangs together with this? The graph path: a bounded walk over entities and relations.

Spreading activation (Collins and Loftus, 1975) with the limits that keep it useful on real data: weight
starts at the entities the query names and at those of the other paths' best hits, falls with every hop,
is damped by an entity's degree (a hub says little), and follows at most `fanout` edges from one entity.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from memweir.retrieval.normalise import fold
from memweir.retrieval.types import Hit, Query, Ranking
from memweir.store.reads import Mention
from memweir.store.seam import Reader
from memweir.store.view import View

__all__ = ["GraphPath", "name_candidates"]

_SEEDS: Final = 5  # best hits of the other paths that the walk starts from
_LEAST: Final = 0.05  # weight below which an entity is not expanded: it could decide nothing
_LEAST_LINK: Final = 0.3  # of the best hit's strength, from which what a hit mentions is followed
_LINK: Final = 0.1  # weight of what the best hit mentions, however weak the hit
_FRONTIER: Final = 24  # entities expanded in one hop, heaviest first
_NAME_WORDS: Final = 3  # longest name looked up, in words
_NAME_HAN: Final = (2, 3, 4, 5, 6)  # lengths of Chinese names looked up, in characters
_LOOKUPS: Final = 400  # names looked up for one query
_ROLE: Final = {"subject": 1.0, "stated": 0.9, "text": 0.5}
_HAN: Final = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")
_WORD: Final = re.compile(r"[^\W_]+(?:[-_.'][^\W_]+)*")
_FEW: Final = 8  # edges an entity may have before it counts as a hub


def name_candidates(query: Query) -> tuple[str, ...]:
    """Folded strings of the query that may name an entity: its names, word runs, Chinese windows."""
    normal = query.analysis.normal
    found = dict.fromkeys(query.analysis.names)
    words = _WORD.findall(normal)
    for size in range(1, _NAME_WORDS + 1):
        found |= dict.fromkeys(" ".join(words[at : at + size]) for at in range(len(words) - size + 1))
    for run in _HAN.findall(normal):
        for size in _NAME_HAN:
            found |= dict.fromkeys(run[at : at + size] for at in range(len(run) - size + 1))
    return tuple(found)[:_LOOKUPS]


@dataclass(frozen=True, slots=True)
class _Start:
    """Why an entity is expanded: the query names it, or what matches so well mentions it."""

    link: float
    hop: int


@dataclass(slots=True)
class _Walk:
    """Where the weight went.

    Attributes:
        scores: memory → all weight that reached it; what it is linked with comes on top.
        related: memory → the strongest weight over stated relations alone, in [0, 1].
        linked: memory → how well that matches, against the best, which mentions what it is about.
        steps: memory → (weight, description) of the strongest step that led there.
        mentions: entity → what was read of it: each is asked for once.
    """

    scores: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    related: dict[str, float] = field(default_factory=dict)
    linked: dict[str, float] = field(default_factory=dict)
    steps: dict[str, tuple[float, str]] = field(default_factory=dict)
    mentions: dict[int, list[Mention]] = field(default_factory=dict)

    def visit(self, memory_id: str, weight: float, step: str) -> None:
        self.scores[memory_id] += weight
        if weight > self.steps.get(memory_id, (0.0, ""))[0]:
            self.steps[memory_id] = (weight, step)


def _heaviest(frontier: Mapping[int, float]) -> dict[int, float]:
    """Entities that are worth expanding, heaviest first."""
    strong = [each for each in frontier.items() if each[1] >= _LEAST]
    return dict(sorted(strong, key=lambda each: (-each[1], each[0]))[:_FRONTIER])


class GraphPath:
    """Brings up memories that share no word with the query but hang together with what does."""

    name = "graph"

    def __init__(
        self, reader: Reader, *, hops: int = 2, fanout: int = 32, damping: float = 0.5
    ) -> None:
        """Args: hops: 1 to 4; fanout: edges followed from one entity; damping: weight kept a hop."""
        self._reader = reader
        self._hops = hops
        self._fanout = fanout
        self._damping = damping

    def rank(self, query: Query, *, limit: int) -> Ranking:
        walk = _Walk()
        named, mentioned = self._start(query, walk)
        frontier = {
            entity: max(mentioned.get(entity, (0.0, 0.0))[0], 1.0 if entity in named else 0.0)
            for entity in sorted({*named, *mentioned})
        }
        if not frontier:
            return Ranking(self.name, (), note="no entity is named here or in the best hits")
        heaviest = _heaviest(frontier)
        # What is not expanded is followed no further than to what is about the things it mentions.
        for entity, (_, link) in sorted(mentioned.items()):
            if entity not in heaviest and link >= _LEAST_LINK:
                self._link(query.view, entity, link, walk)
        expanded: dict[int, float] = {}
        for hop in range(1, self._hops + 1):
            expanded |= heaviest
            reached: dict[int, float] = {}
            for entity, weight in heaviest.items():
                start = _Start(mentioned.get(entity, (0.0, 0.0))[1], hop)
                for neighbour, passed in self._expand(query.view, entity, weight, start, walk):
                    reached[neighbour] = max(reached.get(neighbour, 0.0), passed)
            # Again only where the way round is the stronger one.
            frontier = {
                entity: weight
                for entity, weight in reached.items()
                if weight > expanded.get(entity, 0.0)
            }
            heaviest = _heaviest(frontier)
            if not heaviest:
                break
        # The seeds are known already: what they lead to comes before them.
        known = set(list(query.seeds)[:_SEEDS])
        # A link says more than many ways round through what the query's common words name.
        scores = {
            each: round(score + walk.linked.get(each, 0.0), 9) for each, score in walk.scores.items()
        }
        hits = [
            Hit(
                each,
                scores[each],
                {
                    "via": walk.steps[each][1],
                    "related": round(walk.related.get(each, 0.0), 9),
                    "linked": round(walk.linked.get(each, 0.0), 9),
                },
            )
            for each in sorted(scores, key=lambda each: (-scores[each], each))
        ]
        fresh = [hit for hit in hits if hit.id not in known] + [hit for hit in hits if hit.id in known]
        return Ranking(self.name, tuple(fresh[:limit]))

    def _mentions(self, view: View, entity: int, walk: _Walk) -> list[Mention]:
        if entity not in walk.mentions:
            walk.mentions[entity] = self._reader.mentions_of(view, entity, self._fanout)
        return walk.mentions[entity]

    def _start(self, query: Query, walk: _Walk) -> tuple[set[int], dict[int, tuple[float, float]]]:
        """Entities the query names; entities of the best hits, each with its weight and its link's."""
        named = set(self._reader.entities_named(name_candidates(query)).values())
        seeds = list(query.seeds)[:_SEEDS]
        place = {memory_id: rank for rank, memory_id in enumerate(seeds)}
        best = max((query.seeds[each] for each in seeds), default=0.0)
        mentioned: dict[int, tuple[float, float]] = {}
        found = self._reader.entities_of(query.view, seeds)
        about = {
            each.id for each in found if each.role == "subject" and self._is_asked(query, each, walk)
        }
        for mention in found:
            # What hangs together with something that is not relevant is not relevant either.
            strength = query.seeds[mention.id]
            weight, link = mentioned.get(mention.entity, (0.0, 0.0))
            # A memory is not linked to others about the same: only to those about what it mentions.
            # Whatever is not far behind the best may mention the one asked for.
            near = max(strength / best, 1.0 / (1 + place[mention.id])) if best > 0.0 else 0.0
            if mention.id in about and best > 0.0:
                near = 1.0  # of two that the query names, neither leads by less than the other
            passed = near if mention.role != "subject" else 0.0
            onward = strength / (1 + place[mention.id])
            mentioned[mention.entity] = (max(weight, onward), max(link, passed))
        return named, mentioned

    def _is_asked(self, query: Query, mention: Mention, walk: _Walk) -> bool:
        """Whether the query names what a memory is about, and few others have to do with it."""
        name = fold(self._reader.entity_name(mention.entity))
        at = query.analysis.normal.find(name) if len(name) > 1 else -1
        if at < 0:
            return False
        around = query.analysis.normal[:at][-1:], query.analysis.normal[at + len(name) :][:1]
        if name.isascii() and any(map(str.isalnum, around)):
            return False
        return len(self._mentions(query.view, mention.entity, walk)) < self._fanout

    def _expand(
        self, view: View, entity: int, weight: float, start: _Start, walk: _Walk
    ) -> list[tuple[int, float]]:
        edges = self._reader.relations_at(view, entity, self._fanout)
        mentions = self._mentions(view, entity, walk)
        damped = weight / (1.0 + math.log1p((len(edges) + len(mentions)) / _FEW))
        reached: list[tuple[int, float]] = []
        label = self._reader.entity_name(entity)
        for edge in edges:
            walk.visit(edge.id, damped, f"{start.hop}: {label} {edge.predicate}")
            walk.related[edge.id] = max(walk.related.get(edge.id, 0.0), damped)
            other = edge.target if edge.source == entity else edge.source
            reached.append((other, damped * self._damping))
        if len(mentions) >= self._fanout:
            return reached  # a hub: which of its many memories is meant, the name alone does not say
        for mention in mentions:
            walk.visit(mention.id, damped * _ROLE.get(mention.role, 0.5), f"{start.hop}: {label}")
            if mention.role == "subject" and start.hop == 1:
                walk.linked[mention.id] = max(walk.linked.get(mention.id, 0.0), start.link)
        about = [mention.id for mention in mentions if mention.role != "text"]
        reached += self._through(view, about, damped)
        return reached

    def _link(self, view: View, entity: int, link: float, walk: _Walk) -> None:
        """Bring up what is about an entity that a hit mentions, for its link alone."""
        mentions = self._mentions(view, entity, walk)
        if len(mentions) >= self._fanout:
            return
        label = self._reader.entity_name(entity)
        damped = _LINK * link / (1.0 + math.log1p(len(mentions) / _FEW))
        for mention in mentions:
            if mention.role == "subject":
                walk.visit(mention.id, damped, f"1: {label}")
                walk.linked[mention.id] = max(walk.linked.get(mention.id, 0.0), link)

    def _through(self, view: View, memories: Sequence[str], damped: float) -> list[tuple[int, float]]:
        """From memories about an entity on to the other entities they mention."""
        passed = damped * self._damping * 0.5
        return [
            (mention.entity, passed)
            for mention in self._reader.entities_of(view, memories[: self._fanout])
        ]
