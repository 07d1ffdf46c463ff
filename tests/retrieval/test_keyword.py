"""Does the keyword path rank by words, and pin by symbols?"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest

from memweir import Draft
from memweir.config import FIELD_WEIGHTS
from memweir.retrieval import keyword
from memweir.retrieval.keyword import KeywordPath, query_terms
from memweir.retrieval.types import Hit, Query, Ranking
from memweir.store.sqlite import SqliteStore
from memweir.testing import draft

Put = Callable[..., list[str]]
Ask = Callable[..., Query]


def _path(store: SqliteStore, *, pin_max_df: float = 0.02, **weights: float) -> KeywordPath:
    return KeywordPath(store, weights={**FIELD_WEIGHTS, **weights}, pin_max_df=pin_max_df)


def _ids(ranking: Ranking) -> list[str]:
    return [hit.id for hit in ranking.hits]


def _remarks(count: int, about: str = "lunch") -> list[Draft]:
    return [draft(f"remark {number} on {about}") for number in range(count)]


def test_query_is_judged_by_its_content_and_by_all_terms_where_it_has_none(ask: Ask) -> None:
    assert query_terms(ask("is the kestrel the kestrel")) == ("kestrel",)
    assert query_terms(ask("not")) == ("not",)
    assert query_terms(ask("is the")) == ()


def test_rarer_word_counts_more(store: SqliteStore, put: Put, ask: Ask) -> None:
    rare, *_ = put("the kestrel on the mast", *_remarks(20))
    ranking = _path(store).rank(ask("a remark about the kestrel"), limit=30)
    assert _ids(ranking)[0] == rare
    assert len(ranking.hits) == 21


def test_scores_are_those_of_bm25(store: SqliteStore, put: Put, ask: Ask) -> None:
    ids = put("kestrel", "kestrel kestrel mast", *_remarks(8))
    ranking = _path(store).rank(ask("kestrel"), limit=5)
    # Robertson's bm25 with k1 = 1.2, b = 0.75; idf = ln((10 - 2 + 0.5) / (2 + 0.5)) = 1.2238. A row's
    # length counts every column, one for the scope: of a remark "remark", its number, "lunch" and the
    # token of its synonyms, 5 in all.
    lengths = {ids[0]: 2.0, ids[1]: 4.0}
    mean = (2 + 4 + 8 * 5) / 10
    idf = math.log((10 - 2 + 0.5) / (2 + 0.5))
    expected = {}
    for memory_id, count in ((ids[0], 1), (ids[1], 2)):
        saturated = count * 2.2 / (count + 1.2 * (0.25 + 0.75 * lengths[memory_id] / mean))
        expected[memory_id] = idf * saturated
    assert {hit.id: hit.score for hit in ranking.hits} == pytest.approx(expected, rel=1e-6)
    # What repeating every term without end would give: idf × (k1 + 1).
    attainable = idf * 2.2
    for hit in ranking.hits:
        assert hit.why["share"] == pytest.approx(hit.score / attainable, abs=1e-6)


def test_share_counts_words_that_no_memory_holds(store: SqliteStore, put: Put, ask: Ask) -> None:
    put("the kestrel on the mast", *_remarks(20))
    shares = [
        _path(store).rank(ask(text), limit=1).hits[0].why["share"]
        for text in ("kestrel", "kestrel xylophone", "kestrel xylophone zeppelin")
    ]
    assert shares == sorted(shares, reverse=True)  # type: ignore[type-var]
    assert len(set(shares)) == 3


def test_share_does_not_count_a_word_beside_its_synonym(store: SqliteStore, put: Put, ask: Ask) -> None:
    put("午饭在十二点", *_remarks(20, "the weather"))
    query = ask("lunch")
    assert query.alternatives == {}
    plain = _path(store).rank(query, limit=1).hits[0].why["share"]
    # "lunch" is in no memory: as a word of its own it would be attainable and never attained.
    known = replace(query, alternatives={"lunch": "~lunch"})
    folded = _path(store).rank(known, limit=1).hits[0].why["share"]
    assert 1.0 >= folded > 1.5 * plain > 0.0  # type: ignore[operator]


def test_title_weighs_more_than_the_body_and_as_configured(
    store: SqliteStore, put: Put, ask: Ask
) -> None:
    titled, plain = put(
        draft("something about birds", title="kestrel"), draft("kestrel something about birds")
    )
    put(*_remarks(20))
    assert _ids(_path(store).rank(ask("kestrel"), limit=5)) == [titled, plain]
    assert _ids(_path(store, title=0.01).rank(ask("kestrel"), limit=5)) == [plain, titled]


@pytest.mark.parametrize(
    "fields",
    [
        {"title": "kestrel"},
        {"tags": ("kestrel",)},
        {"semantic_key": "birds.kestrel"},
        {"speaker": "Kestrel"},
        {"title": "红隼 kestrel"},
    ],
)
def test_word_of_any_field_is_found(
    store: SqliteStore, put: Put, ask: Ask, fields: dict[str, object]
) -> None:
    (wanted,) = put(draft("x", **fields))  # type: ignore[arg-type]
    put(*_remarks(5))
    assert _ids(_path(store).rank(ask("kestrel"), limit=5)) == [wanted]


def test_symbol_pins_its_holder_above_better_words(store: SqliteStore, put: Put, ask: Ask) -> None:
    words, pinned = put(
        "the port of the relay, the relay port",
        "a long list of things: 8081, kettle, ladder, rope, lamp, bread, paper, glue, salt",
    )
    put(*_remarks(20))
    ranking = _path(store).rank(ask("relay port 8081"), limit=5)
    assert _ids(ranking) == [pinned, words]
    assert ranking.pinned == {pinned}
    assert [hit.why["exact"] for hit in ranking.hits] == [True, False]
    assert ranking.hits[0].score < ranking.hits[1].score


@pytest.mark.parametrize(
    ("symbol", "text"),
    [
        ("8081", "answers on 8081"),
        ("10.0.0.7", "lives at 10.0.0.7"),
        ("ERR-42", "fails with ERR-42"),
        ("getUserById", "calls getUserById first"),
        ("max_connections", "max_connections is high"),
        ("v2.13.0", "since v2.13.0"),
        ("src/app/main.py", "starts in src/app/main.py"),
        ("https://example.org/a", "see https://example.org/a"),
    ],
)
def test_every_kind_of_symbol_pins(
    store: SqliteStore, put: Put, ask: Ask, symbol: str, text: str
) -> None:
    (wanted,) = put(text)
    put(*_remarks(20))
    ranking = _path(store).rank(ask(f"what about {symbol}"), limit=5)
    assert ranking.pinned == {wanted}
    assert _ids(ranking)[0] == wanted


def test_neighbouring_number_is_not_pinned(store: SqliteStore, put: Put, ask: Ask) -> None:
    put("answers on 8080", "answers on 18081", "answers on 80810", "answers on 808")
    ranking = _path(store).rank(ask("8081"), limit=5)
    assert ranking.pinned == frozenset()
    # It is inside two of them all the same, and found there as a piece of a longer number.
    assert {hit.why["literal"] for hit in ranking.hits} == {True}
    assert len(ranking.hits) == 2


def test_common_symbol_pins_nobody(store: SqliteStore, put: Put, ask: Ask) -> None:
    put(*(f"note {number} on ERR-8081" for number in range(10)))
    assert _path(store).rank(ask("ERR-8081"), limit=20).pinned == frozenset()
    # Of ten memories all may be pinned where the share allows it.
    assert len(_path(store, pin_max_df=1.0).rank(ask("ERR-8081"), limit=20).pinned) == 10


@pytest.mark.parametrize("number", ["45", "8081", "1982"])
def test_plain_number_that_four_memories_hold_pins_nobody(
    store: SqliteStore, put: Put, ask: Ask, number: str
) -> None:
    put(*(f"note {place} of {number}" for place in range(4)), *_remarks(300))
    # 2 % of 304 memories are 6, which is enough for a name and not for a number.
    assert _path(store).rank(ask(f"what is {number}"), limit=20).pinned == frozenset()


def test_three_holders_are_pinned_in_the_smallest_store(store: SqliteStore, put: Put, ask: Ask) -> None:
    ids = put(*(f"note {number} on port 8081" for number in range(3)))
    assert _path(store).rank(ask("8081"), limit=20).pinned == set(ids)


def test_number_of_a_date_pins_nobody(store: SqliteStore, put: Put, ask: Ask) -> None:
    put("the bill of 2026 and 15 cups")
    put(*_remarks(20))
    query = ask("what was on 2026-06-15?")
    assert _path(store).rank(query, limit=5).pinned == frozenset()


def test_single_character_is_weaker_than_the_word(store: SqliteStore, put: Put, ask: Ask) -> None:
    word, single, _ = put("下雨的时候带伞", "雨天路滑", "买了三个苹果")
    put(*(f"第{number}条备注" for number in range(20)))
    ranking = _path(store).rank(ask("下雨"), limit=5)
    assert _ids(ranking) == [word, single]
    assert ranking.hits[0].score > 2 * ranking.hits[1].score


def test_literal_text_is_looked_for_where_no_term_is_known(
    store: SqliteStore, put: Put, ask: Ask
) -> None:
    older, newer, _ = put(
        draft("uses pnpmx today", age_days=9), draft("pnpmx is fast", age_days=1), "npm is slow"
    )
    ranking = _path(store).rank(ask("npmx"), limit=5)
    assert _ids(ranking) == [newer, older]
    assert ranking.note == "found as it stands, not by terms"
    assert {hit.why["literal"] for hit in ranking.hits} == {True}
    assert {hit.why["share"] for hit in ranking.hits} == {0.0}


def test_holders_of_a_piece_come_after_holders_of_the_word(
    store: SqliteStore, put: Put, ask: Ask
) -> None:
    inside, word = put(draft("we concatenate strings", age_days=1), draft("the cat sleeps", age_days=9))
    put(*_remarks(20))
    ranking = _path(store).rank(ask("cat"), limit=5)
    assert _ids(ranking) == [word, inside]
    assert [hit.why["literal"] for hit in ranking.hits] == [False, False]
    assert ranking.hits[0].score > ranking.hits[1].score > 0
    assert ranking.hits[1].why["share"] == 0.0


def test_long_query_is_not_looked_for_as_it_stands(store: SqliteStore, put: Put, ask: Ask) -> None:
    put("xx" + "y" * 30 + "xx")
    assert _path(store).rank(ask("y" * 30), limit=5).hits == ()
    assert len(_path(store).rank(ask("y" * 24), limit=5).hits) == 1


def test_posting_budget_takes_the_rarest_terms_first(
    store: SqliteStore, put: Put, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    rare, common = put("the kestrel on the mast", "a mast on the roof")
    put(*_remarks(6, "the mast"))
    query = ask("kestrel mast remark")
    assert len(_path(store).rank(query, limit=20).hits) == 8
    # kestrel is in 1 memory, remark in 6, mast in 8: the budget of 7 holds the first two.
    monkeypatch.setattr(keyword, "_POSTING_BUDGET", 7)
    ranking = _path(store).rank(query, limit=20)
    assert len(ranking.hits) == 7
    assert rare in _ids(ranking)
    assert common not in _ids(ranking)
    assert "left out" in ranking.note
    # The rarest is asked whatever it costs.
    monkeypatch.setattr(keyword, "_POSTING_BUDGET", 0)
    assert _ids(_path(store).rank(query, limit=20)) == [rare]


def test_hit_says_what_made_its_score(store: SqliteStore, put: Put, ask: Ask) -> None:
    put("the kestrel on the mast", *_remarks(20))
    hit: Hit = _path(store).rank(ask("kestrel"), limit=1).hits[0]
    assert set(hit.why) == {"bm25", "share", "exact", "literal"}
    assert hit.why["bm25"] == pytest.approx(hit.score, abs=1e-6)


@pytest.mark.parametrize(
    "query",
    [
        "std::vector<int> ports(41873, 0);",
        "11:03:17 WARN retrying in 41873 ms",
        'log["41873"] == {"level": 3};',
    ],
)
def test_number_of_a_code_or_log_line_pins_nothing(
    store: SqliteStore, put: Put, ask: Ask, query: str
) -> None:
    put(draft("The gateway listens on 41873"), *_remarks(5))
    assert not _path(store).rank(ask(query), limit=9).pinned
    assert _path(store).rank(ask("who listens on 41873?"), limit=9).pinned
