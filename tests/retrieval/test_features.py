"""Does each feature of a candidate say what its name claims, and nothing of what it does not?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.dates import find_dates
from memweir.retrieval.features import FEATURES, Candidates, Found
from memweir.retrieval.keyword import query_terms
from memweir.retrieval.meaning import WordVectors
from memweir.retrieval.profile import Parts, Profile
from memweir.retrieval.types import Query
from memweir.store.records import Record, to_ms
from memweir.store.scopes import Scope
from memweir.testing import NOW, SCOPE, draft, view

_ANALYZER = default_analyzer()


def _records(*texts: str | tuple[str, Mapping[str, object]]) -> dict[str, Record]:
    """Records with the real index terms, ids "0", "1" ... in the order given."""
    from memweir.retrieval.embedding import HashedNgramEmbedder
    from memweir.retrieval.indexing import TextIndexer

    indexer = TextIndexer(_ANALYZER, HashedNgramEmbedder(_ANALYZER, dim=256))
    found = {}
    for place, each in enumerate(texts):
        text, fields = (each, {}) if isinstance(each, str) else each
        made = draft(text, **fields)  # type: ignore[arg-type]
        entry = indexer.index([_indexable(text, fields)])[0]
        terms = frozenset(term for field in entry.fields.values() for term in field)
        record = _record(str(place), made, terms)
        found[record.id] = record
    return found


def _indexable(text: str, fields: Mapping[str, object]) -> object:
    from memweir.store.entry import Indexable

    return Indexable(
        text=text,
        title=None,
        tags=(),
        semantic_key=None,
        speaker=fields.get("speaker"),
        learned_terms=(),  # type: ignore[arg-type]
    )


def _record(memory_id: str, made: object, terms: frozenset[str]) -> Record:
    created = to_ms(made.created_at)  # type: ignore[attr-defined]
    return Record(
        id=memory_id,
        scope=SCOPE,
        text=made.text,
        kind=made.kind,
        layer=made.layer,  # type: ignore[attr-defined]
        provenance="human",
        origin="explicit",
        status="active",
        title=None,
        semantic_key=None,
        tags=(),
        speaker=made.speaker,
        scene=None,
        domain=None,
        raw_quote=None,
        importance=0.5,
        pinned=False,  # type: ignore[attr-defined]
        document_id=None,
        session_id=made.session_id,
        source=made.source,
        event_start_ms=None,  # type: ignore[attr-defined]
        event_end_ms=None,
        valid_at_ms=created,
        invalid_at_ms=None,
        superseded_by=None,
        supersedes=None,
        created_at_ms=created,
        updated_at_ms=created,
        confirmed_at_ms=created,
        expires_at_ms=None,
        alpha=1.0,
        beta=1.0,
        harmful_count=0,
        recall_count=0,
        last_recalled_at_ms=None,
        evidence_count=1,
        learned_terms=(),
        terms=terms,
    )


def _profile(
    text: str,
    *,
    df: Mapping[str, int] | None = None,
    documents: int = 100,
) -> Profile:
    analysis = _ANALYZER.analyse(text)
    query = Query(
        text=text,
        analysis=analysis,
        view=view(),
        now=NOW,
        dates=tuple(find_dates(text, NOW)),
    )
    terms = query_terms(query)
    parts = Parts.of(query, text, terms, _ANALYZER)
    return Profile.of(query, text, parts, _ANALYZER, (documents, df or {}), to_ms(NOW))


def _columns(
    text: str,
    records: Mapping[str, Record],
    *,
    ids: Sequence[str] | None = None,
    found: Mapping[str, Found] | None = None,
    around: Mapping[str, tuple[str | None, str | None]] | None = None,
    rarity: Mapping[str, float] | None = None,
    words: WordVectors | None = None,
    df: Mapping[str, int] | None = None,
) -> dict[str, list[float]]:
    candidates = Candidates(_profile(text, df=df), words, _ANALYZER)
    candidates.add(records)
    matrix = candidates.matrix(
        list(records) if ids is None else ids, found or {}, around or {}, rarity or {}
    )
    return {name: matrix[:, place].tolist() for place, name in enumerate(FEATURES)}


def test_every_feature_has_its_column() -> None:
    records = _records("The kestrel nests in the tower", "A tram stops at noon")
    columns = _columns("Where does the kestrel nest?", records)
    assert set(columns) == set(FEATURES)
    assert all(len(values) == 2 for values in columns.values())
    assert all(math.isfinite(value) for values in columns.values() for value in values)


def test_no_candidates_make_no_rows() -> None:
    candidates = Candidates(_profile("kestrel"), None, _ANALYZER)
    assert candidates.matrix([], {}, {}, {}).shape == (0, len(FEATURES))


def test_sentence_counts_the_share_of_its_own_words() -> None:
    # The second sentence asks; its two terms are equally rare, and each memory holds one or both.
    records = _records("kestrel tower", "kestrel", "weather")
    columns = _columns("Such nice weather today. Is the kestrel in the tower?", records)
    assert columns["question"] == pytest.approx([1.0, 0.5, 0.0])
    assert columns["last_question"] == pytest.approx([1.0, 0.5, 0.0])


def test_few_memories_count_as_few() -> None:
    def few(documents: int) -> float:
        profile = _profile("kestrel", documents=documents)
        candidates = Candidates(profile, None, _ANALYZER)
        candidates.add(_records("kestrel"))
        return float(candidates.matrix(["0"], {}, {}, {})[0, FEATURES.index("few")])

    # 1 - ln(n) / ln(1000).
    assert few(1) == 1.0
    assert few(10) == pytest.approx(2 / 3)
    assert few(1_000) == few(50_000) == 0.0


def test_rarer_word_weighs_more() -> None:
    records = _records("kestrel", "tower")
    columns = _columns("kestrel tower", records, df={"kestrel": 1, "tower": 50})
    # ln(1 + 99.5 / 1.5) = 4.2096 of 4.2096 + 0.6931.
    assert columns["question"] == pytest.approx([0.8586, 0.1414], abs=1e-3)
    assert columns["rarest"] == pytest.approx([1.0, 0.6931 / 4.2096], abs=1e-3)


def test_word_of_the_same_meaning_counts_only_with_word_vectors() -> None:
    records = _records("My doctor works downtown", "The train leaves at nine")
    plain = _columns("Which physician do I see?", records)
    near = _columns("Which physician do I see?", records, words=WordVectors.load())
    assert plain["soft_best"] == [0.0, 0.0]
    assert near["soft_best"][0] == 1.0
    assert near["soft_best"][1] < 0.5
    assert near["rarest"] == plain["rarest"]  # the very words only


def test_turns_around_are_taken_from_the_session() -> None:
    records = _records("Did the kestrel nest in the tower?", "Yes, since May.", "Great.")
    around = {"1": ("0", "2")}
    columns = _columns("Does the kestrel nest in the tower?", records, ids=["1"], around=around)
    assert columns["before"][0] > 0.5
    assert columns["answers"] == columns["before"]  # the turn before is a question
    assert columns["after"] == [0.0]


def test_reply_of_another_than_the_one_asked_about_answers_nothing() -> None:
    ada, grace = {"speaker": "Ada"}, {"speaker": "Grace"}
    records = _records(
        ("Do you like tea?", ada), ("I do!", grace), ("Do you like tea?", grace), ("I do!", ada)
    )
    around = {"1": ("0", None), "3": ("2", None)}
    answers = _columns("Does Ada like tea?", records, around=around)["answers"]
    assert answers[1] == 0.0
    assert answers[3] > 0.0


def test_neighbour_that_was_not_loaded_counts_nothing() -> None:
    records = _records("Yes, since May.")
    columns = _columns("kestrel", records, around={"0": ("elsewhere", None)})
    assert columns["before"] == [0.0]


def test_session_is_judged_by_its_best_other_turn() -> None:
    session = {"session_id": "s1"}
    records = _records(("kestrel tower", session), ("a remark", session), ("a remark apart", {}))
    columns = _columns("kestrel tower", records)
    assert columns["session"][1] > 0.5
    assert columns["session"][0] == 0.0  # its only other turn matches nothing
    assert columns["session"][2] == 0.0  # no session


def test_session_of_another_scope_is_another() -> None:
    session = {"session_id": "1"}
    records = _records(("kestrel tower", session), ("a remark", session))
    there = replace(records["1"], scope=Scope.project("elsewhere"))
    apart = _columns("kestrel tower", {**records, "1": there})
    assert apart["session"] == [0.0, 0.0]
    assert apart["session_whole"] == pytest.approx([1.0, 0.0])
    assert _columns("kestrel tower", records)["session_whole"] == pytest.approx([1.0, 1.0])


def test_source_counts_the_more_the_rarer_it_is() -> None:
    records = _records(("kestrel", {"speaker": "atlas"}), ("a remark", {"speaker": "atlas"}))
    full = _columns("kestrel", records, rarity={"atlas": 1.0})["source"]
    half = _columns("kestrel", records, rarity={"atlas": 0.5})["source"]
    assert full[1] > 0.0
    assert half[1] == pytest.approx(full[1] / 2)
    assert _columns("kestrel", records)["source"] == [0.0, 0.0]


def test_session_counts_as_a_whole_against_the_best_session() -> None:
    one, other = {"session_id": "s1"}, {"session_id": "s2"}
    records = _records(("kestrel", one), ("tower", one), ("tower", other), ("kestrel tower", {}))
    # The first holds both words among its turns, the second one of two that weigh the same.
    assert _columns("kestrel tower", records)["session_whole"] == pytest.approx([1.0, 1.0, 0.5, 0.0])


def test_source_counts_beyond_a_memory_and_within_itself() -> None:
    book = {"speaker": "atlas"}
    records = _records(("kestrel", book), ("kestrel tower", book), ("kestrel tower", {}))
    columns = _columns("kestrel tower", records, rarity={"atlas": 1.0})
    # The first lacks half of what the book holds.
    assert columns["source_whole"] == pytest.approx([0.5, 0.0, 0.0])
    # What both hold says nothing within the book; the tower, half of the question, the second alone.
    assert columns["within_source"] == pytest.approx([0.0, 0.5, 0.0])
    assert not any(_columns("kestrel tower", records)["source_whole"])


def test_memory_is_bridged_by_a_word_that_the_question_lacks() -> None:
    records = _records("Zoltan is my uncle", "my uncle turned sixty", "my cousin turned sixty")
    bridged = _columns("Zoltan turned?", records)["bridged"]
    # "turned" and "Zoltan" weigh the same, and the uncle leads from one to the other.
    assert bridged == pytest.approx([0.5, 0.5, 0.0])


def test_latin_word_of_a_chinese_question_is_a_name() -> None:
    def holds(query: str, df: int = 1) -> list[bool]:
        candidates = Candidates(_profile(query, df={"codey": df}), None, _ANALYZER)
        records = _records("Codey is reached by telegram", "the tram at noon")
        candidates.add(records)
        return [candidates.holds_name(each) for each in records]

    assert holds("为什么我联系不上 Codey") == [True, False]
    # Held by many it points to none, and in English it is a word like others.
    assert holds("为什么我联系不上 Codey", df=4) == [False, False]
    assert holds("why can I not reach Codey") == [False, False]


def test_groups_are_left_out_where_nobody_asks_for_them() -> None:
    session = {"session_id": "s1", "speaker": "atlas"}
    records = _records(("kestrel nest", session), ("a nest in the tower", session))
    candidates = Candidates(_profile("kestrel tower"), None, _ANALYZER)
    candidates.add(records)
    names = ("session_whole", "source_whole", "within_source", "bridged")
    places = [FEATURES.index(name) for name in names]
    ids, rarity = list(records), {"atlas": 1.0}
    assert candidates.matrix(ids, {}, {}, rarity)[:, places].any(axis=0).all()
    assert not candidates.matrix(ids, {}, {}, rarity, together=False)[:, places].any()


def test_stretch_between_commas_counts_the_share_of_its_own_words() -> None:
    records = _records("kestrel tower", "tram noon", "kestrel tram", "weather")
    columns = _columns("the kestrel of the tower, the tram at noon", records)
    # Each stretch is half of the question: what holds one of them whole is as good as can be.
    assert columns["segment"] == pytest.approx([1.0, 1.0, 0.5, 0.0])
    assert columns["question"] == pytest.approx([0.5, 0.5, 0.5, 0.0])


def test_named_speaker_is_told_from_another() -> None:
    records = _records(
        ("I like tea", {"speaker": "Ada"}),
        ("I like tea", {"speaker": "Grace"}),
        ("I like tea", {"speaker": "user"}),
        ("I like tea", {}),
    )
    columns = _columns("What does Ada like to drink, tea?", records)
    assert columns["other_speaker"] == [0.0, -1.0, 0.0, 0.0]
    assert columns["other_speaker_match"][1] < 0.0


def test_question_that_names_nobody_who_speaks_of_it_is_misnamed_as_a_whole() -> None:
    records = _records(
        ("I like tea", {"speaker": "Grace"}), ("tea", {"speaker": "Ada"}), ("coal", {"speaker": "Ada"})
    )
    columns = _columns("Does Ada like tea?", records)
    # Of the three closest one is Grace's, and the same holds for all.
    assert columns["misnamed"] == pytest.approx([-1 / 3] * 3)
    assert _columns("Who likes tea?", records)["misnamed"] == [0.0] * 3


def test_name_that_no_memory_holds_speaks_against_all() -> None:
    records = _records("Petra works at the mill", "Ada sings")
    assert _columns("Where does my brother Klaus work?", records)["unknown_name"] == [-1.0, -1.0]
    # One of two names is held, whether the index knows it or a slip of it stands there.
    both = "Did Klaus sing with Petra?"
    assert _columns(both, records, df={"petra": 1})["unknown_name"] == [-0.5, -0.5]
    assert _columns("Where does Petrra work?", records)["unknown_name"] == [0.0, 0.0]
    # A word that begins a sentence is no name, nor is a date.
    for none in ("Recommend a mill", "What happened in May?", "who sings"):
        assert _columns(none, records)["unknown_name"] == [0.0, 0.0]


def test_memory_of_other_days_is_told_from_the_days_asked_about() -> None:
    day = int(datetime(2026, 5, 12, tzinfo=UTC).timestamp() * 1000)
    month = 30 * 86_400_000
    records = {
        each: replace(record, event_start_ms=start, event_end_ms=start and start + 86_400_000)
        for (each, record), start in zip(
            _records("the car", "the flight", "the show").items(), (day, day + month, None), strict=True
        )
    }
    columns = _columns("What did I do on 12 May 2026?", records)
    assert columns["elsewhen"] == [0.0, -1.0, 0.0]
    # Without the year every 12 May that may be meant counts.
    assert _columns("What did I do on 12 May?", records)["elsewhen"] == [0.0, -1.0, 0.0]
    assert _columns("What did I do?", records)["elsewhen"] == [0.0] * 3


def test_name_within_a_longer_word_names_nobody() -> None:
    records = _records(("I like tea", {"speaker": "Ada"}), ("tea", {"speaker": "Grace"}))
    columns = _columns("Is the tea from Adana or Canada?", records)
    assert columns["other_speaker"] == [0.0, 0.0]


def test_chinese_name_is_found_without_gaps() -> None:
    records = _records(("我爱喝茶", {"speaker": "王小明"}), ("我爱喝茶", {"speaker": "李梅"}))
    assert _columns("王小明爱喝什么茶？", records)["other_speaker"] == [0.0, -1.0]


def test_question_speaks_against_itself() -> None:
    records = _records("Do you like tea?", "I like tea.")
    columns = _columns("Who likes tea?", records)
    assert columns["is_question"] == [-1.0, -0.0]
    assert columns["is_question_match"][0] < 0.0


@pytest.mark.parametrize(
    ("text", "feature"),
    [
        ("When did she move?", "says_when"),
        ("How many cats?", "says_number"),
        ("Who moved, and where to?", "says_name"),
        ("Can you recommend a cat?", "says_preference"),
    ],
)
def test_what_would_answer_counts_only_where_it_is_asked_for(text: str, feature: str) -> None:
    records = _records("She hates that she moved in June 2024 with 3 cats", "She moved with a cat")
    says, does_not = _columns(text, records)[feature]
    assert says > does_not == 0.0
    assert _columns("Why did she go away?", records)[feature] == [0.0, 0.0]


def test_newer_counts_more() -> None:
    records = _records(("tea", {"age_days": 1}), ("tea", {"age_days": 60}))
    recent = _columns("tea", records)["recent"]
    assert recent == pytest.approx([math.exp(-1 / 30), math.exp(-2)])


def test_date_counts_as_it_is_written_too() -> None:
    records = _records("The show is next Friday evening", "The show is on Sunday", "下周五看演出")
    assert _columns("Which show is Next Friday?", records)["same_date_words"] == [1.0, 0.0, 0.0]
    assert _columns("下周五有什么演出", records)["same_date_words"] == [0.0, 0.0, 1.0]
    assert _columns("Which show is there?", records)["same_date_words"] == [0.0] * 3


def test_window_counts_as_far_as_the_words_support_it() -> None:
    records = _records("kestrel tower", "tram")
    found = {"0": Found(window=1.0), "1": Found(window=1.0)}
    assert _columns("kestrel tower", records, found=found)["window"] == [1.0, 0.0]


def test_paths_are_taken_as_they_are_and_against_the_best() -> None:
    records = _records("one", "two")
    found = {"0": Found(cosine=0.2, meaning=0.1), "1": Found(cosine=0.4)}
    columns = _columns("three", records, found=found)
    assert columns["cosine_best"] == [0.5, 1.0]
    assert columns["meaning_best"] == [1.0, 0.0]


def test_long_turns_have_weights_of_their_own() -> None:
    records = _records("kestrel tower")
    short = _columns("kestrel tower", records)
    words = " ".join(f"word{chr(97 + n)}{chr(97 + n)}" for n in range(26))
    long = _columns(f"kestrel tower {words} {words.upper()[::-1]}", records)
    assert short["long_words"] == short["long_soft_best"] == [0.0]
    assert long["long_words"][0] > 0.0


def test_slip_of_the_pen_counts_less_than_the_word() -> None:
    records = _records("the kubernetes cluster")
    assert _columns("kubernetes", records, df={"kubernet": 1})["rarest"] == [1.0]
    slip = _columns("kuberntes", records)["rarest"][0]
    assert 0.0 < slip < 1.0


def test_words_that_begin_alike_are_compared_up_to_a_bound() -> None:
    crowd = " ".join(
        f"ku{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}rnetes" for n in range(1_200)
    )
    assert _columns("kuberntes", _records("the kubernetes cluster", crowd))["rarest"][0] == 0.0
    few = " ".join(crowd.split()[:500])
    assert _columns("kuberntes", _records("the kubernetes cluster", few))["rarest"][0] > 0.0


def test_odd_texts_make_finite_rows() -> None:
    texts = ["\x00", "\ud800 lone", "🙂🙂", '" OR NEAR(', "字" * 5000, "word " * 20_000]
    records = _records(*[text.encode("utf-8", "replace").decode() for text in texts])
    for query in ("\x00", "🙂", "字字", "word", "?" * 1000, "word. " * 500):
        for values in _columns(query, records, words=WordVectors.load()).values():
            assert np.isfinite(values).all()


def test_same_rows_whatever_the_order_of_adding() -> None:
    records = _records("kestrel tower", "tram at noon", "a kestrel")
    one = Candidates(_profile("kestrel tower"), WordVectors.load(), _ANALYZER)
    one.add(records)
    two = Candidates(_profile("kestrel tower"), WordVectors.load(), _ANALYZER)
    for memory_id in reversed(records):
        two.add({memory_id: records[memory_id]})
    ids = list(records)
    assert (one.matrix(ids, {}, {}, {}) == two.matrix(ids, {}, {}, {})).all()


def test_of_two_named_speakers_the_first_is_asked_about() -> None:
    records = _records(
        ("I like tea", {"speaker": "Ada"}),
        ("I like tea", {"speaker": "Grace"}),
        ("I like tea", {"speaker": "Alan"}),
    )
    columns = _columns("What tea did Grace bring for Ada?", records)
    assert columns["other_speaker"] == [-0.5, 0.0, -1.0]


@pytest.mark.parametrize(
    ("query", "speaker"),
    [
        ("Will the tea be ready?", "Will"),
        ("How long does the tea steep?", "Long"),
        ("Where may I have tea?", "May"),
        ("我的行李和茶在哪？", "李"),
    ],
)
def test_common_word_names_no_speaker_of_that_name(query: str, speaker: str) -> None:
    records = _records(("tea", {"speaker": speaker}), ("tea", {"speaker": "Grace"}))
    assert _columns(query, records)["other_speaker"] == [0.0, 0.0]


@pytest.mark.parametrize("query", ["What tea does Will like?", "what tea does ada like?"])
def test_name_is_known_by_its_capital_or_in_a_query_without_any(query: str) -> None:
    records = _records(
        ("tea", {"speaker": "Will"}), ("tea", {"speaker": "Ada"}), ("tea", {"speaker": "Grace"})
    )
    assert _columns(query, records)["other_speaker"][2] == -1.0


def test_every_word_of_the_subject_is_what_counts_as_whole() -> None:
    records = _records("The Atlas API caches for an hour", "The Atlas logo is blue")
    candidates = Candidates(_profile("Tell me about the Atlas API"), None, _ANALYZER)
    candidates.add(records)
    assert candidates.holds_all("0")
    assert not candidates.holds_all("1")
