"""What speaks for a memory? One row of numbers a candidate, all of them computed here.

The numbers are shares and likenesses between 0 and 1, comparable between queries, so that a weighted
sum of them (`memweir.retrieval.relevance`) can be learned once and read by a person. The words of a
query weigh their rarity in the scopes asked (idf); a memory holds a word itself, a synonym, a slip of
the pen, or a word near it in meaning, each for less than the one before. The soft match follows late
interaction (Khattab and Zaharia, ColBERT, SIGIR 2020), with word vectors from a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memweir.retrieval.answering import holds_name, holds_number, says_when, states_preference
from memweir.retrieval.clauses import question_share
from memweir.retrieval.profile import Profile, Told, is_word
from memweir.retrieval.speakers import other_speaker
from memweir.retrieval.spelling import is_slip
from memweir.retrieval.synonyms import TOKEN_MARK
from memweir.retrieval.together import accounted, bridged, group_accounted, within_group

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memweir.retrieval.analysis import Analyzer
    from memweir.retrieval.meaning import WordVectors
    from memweir.store.records import Record

__all__ = ["FEATURES", "Candidates", "Found"]

FEATURES: Final = (
    "words",  # match of the very words, the longer the memory the less
    "cosine_best",  # cosine of the vectors against the best candidate's
    "containment",  # share of the query's n-grams
    "meaning",  # cosine of the meanings of the texts
    "meaning_best",  # the same against the best candidate's
    "fused",  # rank fusion of the paths
    "rarest",  # the rarest word held, against the rarest asked for
    "soft_best",  # soft match of the words against the best candidate's
    "mass",  # how many rare words it is, softly, that the question and the memory share
    "known",  # share of the question's words that any memory holds: the same for every candidate
    "few",  # how few memories there are to ask: likewise; among few a likeness by chance is rarer
    "question",  # soft match of the sentence it answers best, of those that ask
    "last_question",  # the same of the last that asks
    "segment",  # the same of the stretch between commas it answers best
    "before",  # match of the turn before it in its session
    "after",  # match of the turn after it
    "answers",  # match of the turn before it, as far as that is a question
    "session",  # the best other match in its session
    "session_whole",  # what its session accounts for as a whole, against the best session
    "source",  # the best other match of its source, the rarer the source
    "source_whole",  # what its source accounts for beyond it, the rarer the source
    "within_source",  # soft match of the words that few others of its source hold, likewise
    "bridged",  # what it adds together with one of the best that a rare word joins it to
    "other_speaker",  # below 0: the query names another speaker, or another one first
    "other_speaker_match",  # below 0: the same, the more the better the words match
    "misnamed",  # mean of that over the six that match the words best: the same for every candidate
    "unknown_name",  # below 0: share of the names in the query that no memory holds: likewise
    "is_question",  # below 0: how much of it asks
    "is_question_match",  # below 0: the same, the more the better the words match
    "says_when",  # names a time where one is asked for
    "says_number",  # holds a number where one is asked for, the more the better the words match
    "says_name",  # names somebody or a place where one is asked for
    "says_preference",  # states a taste or a need where advice is asked for, the nearer in meaning
    "window",  # fits the days asked about; as far as the words support it, where there are any
    "elsewhen",  # below 0: it is of other days than those asked about
    "same_date_words",  # holds a date expression of the query as it is written there
    "recent",  # newer than a month or so
    "linked",  # what matches best mentions what it is about
    "long_words",  # for long turns: match of the words
    "long_meaning",  # for long turns: as `meaning`
    "long_soft_best",  # for long turns: as `soft_best`
    "long_fused",  # for long turns: as `fused`
    "long_recent",  # for long turns: as `recent`
)
"""Names of the columns; see the comments."""

_LIKENESS: Final = (
    *("words", "cosine_best", "containment", "meaning", "meaning_best", "fused", "rarest", "soft_best"),
    *("mass", "question", "last_question", "segment"),
)
_SYNONYM: Final = 0.9  # what a word counts that is matched by a synonym
_SLIP: Final = 0.6  # by a slip of the pen
_SLIP_LENGTHS: Final = 2  # letters more or less than the word meant
_MOST_COMPARED: Final = 1_000  # words of about the length that one word is compared with
_NEAR: Final = 0.9  # by a word of the same meaning
_LEAST_NEAR, _NEAR_SPAN = 0.22, 0.55  # cosine from which words are near, and how far to the same
_K1, _B = 0.8, 0.3  # of bm25, for the length of a memory
_CORE: Final = 0.5  # share of the very words in the match of words
_MISNAMED: Final = 0.35  # what the match of another speaker's memory loses
_SUPPORT: Final = 0.08  # match of the words from which a window counts in full
_ONLY_TIME: Final = 2.0  # what a window counts where there is nothing else to go by
_MANY: Final = 6.0  # words held by one memory each that are as many as need be shared
_SIX: Final = 6  # as many as come into a block
_MONTH_DAYS: Final = 30.0


@dataclass(frozen=True, slots=True)
class Found:
    """What the paths say of one memory; 0 where they did not find it.

    Attributes:
        cosine, containment, meaning: of the vectors, cosines in [-1, 1]; 0 where these know nothing of
            the query or of the memory.
        fused: of rank fusion.
        window: how well it fits the days asked about.
        linked: how well that matches, against the best, which mentions what it is about.
    """

    cosine: float = 0.0
    containment: float = 0.0
    meaning: float = 0.0
    fused: float = 0.0
    window: float = 0.0
    linked: float = 0.0


class Candidates:
    """The memories looked at for one query. Their words are compared once, when they are added."""

    def __init__(self, profile: Profile, words: WordVectors | None, analyzer: Analyzer) -> None:
        """Args: words: None: only the very words, synonyms and slips match."""
        self._profile = profile
        self._words = words
        self._analyzer = analyzer
        self._records: dict[str, Record] = {}
        self._hard: dict[str, NDArray[np.float64]] = {}
        self._soft: dict[str, NDArray[np.float64]] = {}
        self._lengths: dict[str, int] = {}
        self._asking: dict[str, float] = {}

    def add(self, records: Mapping[str, Record]) -> None:
        """Compare the words of memories that are not there yet."""
        import numpy as np

        fresh = {each: record for each, record in records.items() if each not in self._records}
        if not fresh:
            return
        self._records |= fresh
        told = self._profile.told
        terms = told.terms
        places = {term: place for place, term in enumerate(terms)}
        alternatives = [
            (places[term], token) for term, token in told.alternatives.items() if term in places
        ]
        found = _slips(told.unknown, fresh.values())
        slips = [(places[term], meant) for term, meant in found.items()]
        hard = np.zeros((len(fresh), len(terms)))
        for row, record in enumerate(fresh.values()):
            held = record.terms
            self._asking[record.id] = question_share(record.text)
            self._lengths[record.id] = sum(term[0] != TOKEN_MARK for term in held)
            for place, token in alternatives:
                if token in held:
                    hard[row, place] = _SYNONYM
            for place, meant in slips:
                if not meant.isdisjoint(held):
                    hard[row, place] = max(hard[row, place], _SLIP)
            for term in held.intersection(places):
                hard[row, places[term]] = 1.0
        soft = hard
        if self._words is not None and terms:
            near = self._words.nearest_of(terms, [record.terms for record in fresh.values()])
            soft = np.maximum(hard, np.clip((near - _LEAST_NEAR) / _NEAR_SPAN, 0.0, 1.0) * _NEAR)
        for row, memory_id in enumerate(fresh):
            self._hard[memory_id], self._soft[memory_id] = hard[row], soft[row]

    def holds_all(self, memory_id: str) -> bool:
        """Whether a memory that was added holds every term of what the question is about.

        By a synonym or a slip of the pen counts too, by a word of like meaning does not.
        """
        subject = self._profile.told.subject
        return subject.size > 0 and bool((self._hard[memory_id][subject] >= _SLIP).all())

    def holds_name(self, memory_id: str) -> bool:
        """Whether a memory that was added holds a name that the question gives in another script."""
        return bool((self._hard[memory_id][self._profile.told.named] == 1.0).any())

    def matrix(
        self,
        ids: Sequence[str],
        found: Mapping[str, Found],
        around: Mapping[str, tuple[str | None, str | None]],
        rarity: Mapping[str, float],
        *,
        together: bool = True,
    ) -> NDArray[np.float64]:
        """(n, len(FEATURES)) float64, a row for each id.

        Args:
            ids: of memories that were added.
            found: what the paths say.
            around: id → the turns before and after it in its session; those that were added count.
            rarity: speaker → how few memories are theirs, in [0, 1]; not named: 0.
            together: compare groups of candidates too; without, those columns are 0.
        """
        import numpy as np

        pool = list(dict.fromkeys([*ids, *(each for pair in around.values() for each in pair if each)]))
        pool = [each for each in pool if each in self._records]
        if not ids:
            return np.zeros((0, len(FEATURES)))
        told, long = self._profile.told, self._profile.length
        hard = np.stack([self._hard[each] for each in pool])
        soft = np.stack([self._soft[each] for each in pool])
        lengths = np.array([self._lengths[each] for each in pool], np.float64)
        pivot = max(float(lengths.mean()), 1.0)
        shorter = (_K1 + 1.0) / (1.0 + _K1 * (1.0 - _B + _B * lengths / pivot))
        words = _cover(hard, told.weights, told.question) * shorter
        near = _cover(soft, told.weights, told.question)
        core = _CORE * words + (1.0 - _CORE) * near
        row = {memory_id: place for place, memory_id in enumerate(pool)}
        at = np.array([row[each] for each in ids])
        records = [self._records[each] for each in ids]
        speaking = other_speaker(self._profile, records, self._analyzer)
        claimed = core.copy()
        claimed[at] *= 1.0 + _MISNAMED * speaking
        columns = {
            **self._paths([found.get(each, Found()) for each in ids], words[at], core[at], near[at]),
            **_sentences(soft, near, told, at),
            **self._neighbours(ids, around, row, claimed),
        }
        # What somebody else than the one asked about replies is no answer about them.
        columns["answers"] *= 1.0 + speaking
        columns["rarest"] = _rarest(hard, told)[at]
        columns["soft_best"] = _against_best(near[at])
        own = told.weights[told.question]
        columns["mass"] = np.minimum(near[at] * float(own.sum()) / told.rare / _MANY, 1.0)
        columns["known"] = np.full(len(ids), told.known)
        columns["few"] = np.full(len(ids), told.few)
        best = claimed[at]
        columns["session"] = _best_other(best, [_session(record) for record in records])
        scarce = np.array([rarity.get(record.speaker or "", 0.0) for record in records])
        columns["source"] = scarce * _best_other(best, [record.speaker for record in records])
        columns |= self._together(pool, at, soft, core, scarce, together=together)
        columns["other_speaker"] = speaking
        columns["other_speaker_match"] = columns["other_speaker"] * core[at]
        closest = np.argsort(-near[at], kind="stable")[:_SIX]
        columns["misnamed"] = np.full(len(ids), speaking[closest].mean())
        unknown = sum(float(hard[:, places].max(initial=0.0)) < _SLIP for places in told.names)
        columns["unknown_name"] = np.full(len(ids), -unknown / max(told.given, 1))
        asking = np.array([-self._asking[each] for each in ids])
        columns["is_question"], columns["is_question_match"] = asking, asking * core[at]
        columns |= self._answering(records, core[at], columns["meaning"])
        columns["long_words"] = long * words[at]
        columns["long_meaning"] = long * columns["meaning"]
        columns["long_soft_best"] = long * columns["soft_best"]
        columns["long_fused"] = long * columns["fused"]
        columns["long_recent"] = long * columns["recent"]
        if self._profile.only_time and together:
            # Nothing is asked but a time: what is of other days shares its digits and nothing else.
            for name in _LIKENESS:
                columns[name] = columns[name] * (1.0 + columns["elsewhen"])
        return np.stack([columns[name] for name in FEATURES], axis=1)

    def _paths(
        self,
        found: Sequence[Found],
        words: NDArray[np.float64],
        core: NDArray[np.float64],
        near: NDArray[np.float64],
    ) -> dict[str, NDArray[np.float64]]:
        import numpy as np

        def column(name: str) -> NDArray[np.float64]:
            return np.array([float(getattr(each, name)) for each in found])

        def of_vectors(name: str) -> NDArray[np.float64]:
            # A query that the vectors know nothing of speaks against no memory: its words stand in.
            values = column(name)
            return np.maximum(values, 0.0) if values.any() else near

        cosine, meaning = of_vectors("cosine"), of_vectors("meaning")
        # Where nothing but a time is asked about, the words that do match say nothing against it.
        support = _ONLY_TIME if self._profile.only_time else np.minimum(core / _SUPPORT, 1.0)
        return {
            # Not the bm25 of the index: that weighs words by all scopes, and these may be anybody's.
            "words": np.minimum(words, 1.0),
            "cosine_best": _against_best(cosine),
            "containment": of_vectors("containment"),
            "meaning": meaning,
            "meaning_best": _against_best(meaning),
            "fused": column("fused"),
            "window": column("window") * support,
            "linked": column("linked"),
        }

    def _neighbours(
        self,
        ids: Sequence[str],
        around: Mapping[str, tuple[str | None, str | None]],
        row: Mapping[str, int],
        core: NDArray[np.float64],
    ) -> dict[str, NDArray[np.float64]]:
        import numpy as np

        before, after, answers = np.zeros(len(ids)), np.zeros(len(ids)), np.zeros(len(ids))
        for place, memory_id in enumerate(ids):
            earlier, later = around.get(memory_id, (None, None))
            if earlier is not None and earlier in row:
                before[place] = core[row[earlier]]
                answers[place] = before[place] * self._asking[earlier]
            if later is not None and later in row:
                after[place] = core[row[later]]
        return {"before": before, "after": after, "answers": answers}

    def _together(
        self,
        pool: Sequence[str],
        at: NDArray[np.int64],
        soft: NDArray[np.float64],
        core: NDArray[np.float64],
        scarce: NDArray[np.float64],
        *,
        together: bool,
    ) -> dict[str, NDArray[np.float64]]:
        import numpy as np

        names = ("session_whole", "source_whole", "within_source", "bridged")
        if not together:
            return dict.fromkeys(names, np.zeros(at.size))
        told = self._profile.told
        asked, weights = soft[:, told.question], told.weights[told.question]
        records = [self._records[each] for each in pool]
        sources = [record.speaker or None for record in records]
        sessions = group_accounted(asked, weights, [_session(record) for record in records])
        beyond = group_accounted(asked, weights, sources) - accounted(asked, weights)
        known = frozenset(told.terms)
        others = [
            frozenset(term for term in record.terms - known if len(term) > 1 and term[0] != TOKEN_MARK)
            for record in records
        ]
        columns = (
            _against_best(sessions)[at],
            scarce * np.maximum(beyond, 0.0)[at],
            scarce * within_group(asked, weights, sources)[at],
            bridged(asked, weights, core, others)[at],
        )
        return dict(zip(names, columns, strict=True))

    def _elsewhen(self, records: Sequence[Record]) -> NDArray[np.float64]:
        import numpy as np

        windows = self._profile.windows

        def fits(record: Record) -> bool:
            start, end = record.event_start_ms, record.event_end_ms
            if start is None or end is None or not windows:
                return True
            told = record.created_at_ms
            return any(
                (start < until and end > since) or since <= told < until for since, until in windows
            )

        return np.array([float(fits(record)) - 1.0 for record in records])

    def _same_date_words(self, records: Sequence[Record]) -> NDArray[np.float64]:
        import numpy as np

        words = self._profile.date_words
        if not words:
            return np.zeros(len(records))
        texts = [record.text.lower() for record in records]
        return np.array([float(any(each in text for each in words)) for text in texts])

    def _answering(
        self, records: Sequence[Record], core: NDArray[np.float64], meaning: NDArray[np.float64]
    ) -> dict[str, NDArray[np.float64]]:
        import numpy as np

        wanted, nothing = self._profile.wanted, np.zeros(len(records))
        when = number = name = preference = nothing
        if wanted.when:
            when = np.array([float(says_when(record.text)) for record in records])
        if wanted.number:
            number = np.array([float(holds_number(each.text)) for each in records])
        if wanted.name:
            question = self._profile.text.lower()
            name = np.array([float(holds_name(each.text, question)) for each in records])
        if wanted.preference:
            preference = np.array([float(states_preference(each.text)) for each in records])
        ages = np.array(
            [max(self._profile.now_ms - record.created_at_ms, 0) / 86_400_000 for record in records]
        )
        return {
            "says_when": when,
            "says_number": number * core,
            "says_name": name,
            "says_preference": preference * meaning,
            "elsewhen": self._elsewhen(records),
            "same_date_words": self._same_date_words(records),
            "recent": np.exp(-ages / _MONTH_DAYS),
        }


def _session(record: Record) -> str | None:
    """A session of its scope: another scope's of the same name is another."""
    return None if record.session_id is None else f"{record.scope} {record.session_id}"


def _slips(unknown: frozenset[str], records: Iterable[Record]) -> dict[str, frozenset[str]]:
    """Unknown word of the query → words of the memories that may be meant.

    Where so many words begin alike that comparing them would hold up the turn, none is.
    """
    if not unknown:
        return {}
    by_letter: dict[str, list[str]] = {term[0]: [] for term in unknown}
    for known in sorted(set().union(*(record.terms for record in records))):
        if known[0] in by_letter and is_word(known):
            by_letter[known[0]].append(known)
    slips: dict[str, frozenset[str]] = {}
    for term in sorted(unknown):
        near = [each for each in by_letter[term[0]] if abs(len(each) - len(term)) <= _SLIP_LENGTHS]
        if len(near) <= _MOST_COMPARED and (
            meant := frozenset(known for known in near if is_slip(term, known))
        ):
            slips[term] = meant
    return slips


def _cover(
    held: NDArray[np.float64], weights: NDArray[np.float64], places: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Share of the weight of some terms that each row accounts for."""
    return accounted(held[:, places], weights[places])


def _sentences(
    soft: NDArray[np.float64], near: NDArray[np.float64], told: Told, at: NDArray[np.int64]
) -> dict[str, NDArray[np.float64]]:
    import numpy as np

    any_sentence = question = segment = np.zeros(soft.shape[0])
    last: NDArray[np.float64] | None = None
    for places, asking, size in told.sentences:
        match = _cover(soft, told.weights, places)
        any_sentence = np.maximum(any_sentence, match * size)
        if asking:
            question = np.maximum(question, match * size)
            last = match
    if last is None:
        question = last = any_sentence
    for places, size in told.segments:
        segment = np.maximum(segment, _cover(soft, told.weights, places) * size)
    if not told.segments:
        segment = near
    return {"question": question[at], "last_question": last[at], "segment": segment[at]}


def _rarest(hard: NDArray[np.float64], told: Told) -> NDArray[np.float64]:
    import numpy as np

    chosen = told.weights[told.question]
    if not chosen.size or float(chosen.max()) <= 0.0:
        return np.zeros(hard.shape[0])
    best: NDArray[np.float64] = (hard[:, told.question] * chosen).max(axis=1) / float(chosen.max())
    return best


def _against_best(values: NDArray[np.float64]) -> NDArray[np.float64]:
    best = float(values.max(initial=0.0))
    scaled: NDArray[np.float64] = values / best if best > 0.0 else values * 0.0
    return scaled


def _best_other(values: NDArray[np.float64], groups: Sequence[str | None]) -> NDArray[np.float64]:
    """For each row the best value among the others of its group; 0 where it has none."""
    import numpy as np

    first: dict[str, float] = {}
    second: dict[str, float] = {}
    for value, group in zip(values.tolist(), groups, strict=True):
        if group is None:
            continue
        if value > first.get(group, 0.0):
            second[group] = first.get(group, 0.0)
            first[group] = value
        elif value > second.get(group, 0.0):
            second[group] = value
    return np.array(
        [
            0.0
            if group is None
            else (second.get(group, 0.0) if value >= first.get(group, 0.0) else first[group])
            for value, group in zip(values.tolist(), groups, strict=True)
        ]
    )
