"""Does a name reach no further than a person would say, in scripts with and without spaces?"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.retrieval.analysis import Analyzer
from memweir.retrieval.embedding import HashedNgramEmbedder
from memweir.retrieval.indexing import TextIndexer
from memweir.store.entry import Indexable
from memweir.store.names import Name
from memweir.testing import PlainIndexer


@pytest.fixture(scope="module")
def indexer() -> TextIndexer:
    analyzer = Analyzer()
    return TextIndexer(analyzer, HashedNgramEmbedder(analyzer))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Ann", "Ann said so"),
        ("Ann", "it was ann."),
        ("Ann", "ANN's desk"),
        ("Ann", "ask ann_42 or ann@example.org"),
        ("Ann", "我叫Ann的时候"),
        ("Ann", "annual, but Ann too"),
        ("Ann Lee", "ann\n lee"),
        ("ＡＮＮ", "ann"),
        ("Ann", "ＡＮＮ"),
        ("小明", "王小明说"),
        ("王小明", "我朋友王小明今天"),
        ("陳偉", "陈伟来了"),
        ("陈伟", "陳偉來了"),
        ("김철수", "김철수는 왔다"),
        ("Zoë", "zoë's"),
        ("Zoe\u0308", "Zoë"),
        ("C++", "we write C++17 here"),
        ("🙂", "so 🙂 said"),
        ("7", "room 7"),
        ("\u0301x", "a \u0301x"),
        ("Ann", "7Ann"),
    ],
)
def test_a_name_is_in(indexer: TextIndexer, name: str, text: str) -> None:
    assert Name(name, indexer).is_in((text,))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Ann", "annual"),
        ("Ann", "we plan"),
        ("Ann", "Hannah"),
        ("Ann", "Joann"),
        ("Ann", ""),
        ("7", "room 17, 71 and 0.717"),
        ("Zoe", "Zoe\u0308 with a mark of its own"),
        ("王小明", "王小\n|\n明"),
        ("Ann Lee", "Ann or Lee"),
        ("\u0416\u0443\u043a", "\u0436\u0443\u043a\u043e\u0432"),
    ],
)
def test_a_name_is_not_in(indexer: TextIndexer, name: str, text: str) -> None:
    assert not Name(name, indexer).is_in((text,))


def test_no_name_reaches_from_one_field_into_the_next(indexer: TextIndexer) -> None:
    name = Name("Ann Lee", indexer)
    assert not name.is_in(("Ann", "Lee"))
    assert name.is_in((None, "", "by Ann Lee"))


def test_terms_say_a_name_alone_or_all_together() -> None:
    name = Name("Ann Lee", PlainIndexer())
    assert name.among(["ann", "port", "lee"]) == {"ann", "lee"}
    assert name.among(["ann", "port"]) == set()
    assert name.among(["ann lee", "port"]) == {"ann lee"}
    assert name.among([]) == set()


def test_a_stemmed_term_says_the_name_it_was_made_of(indexer: TextIndexer) -> None:
    terms = indexer.index([Indexable("James keeps the keys")])[0].fields["body"]
    said = Name("James", indexer).among(terms)
    assert said
    assert said == frozenset(indexer.index([Indexable("James")])[0].fields["body"])


@settings(deadline=None, max_examples=300)
@given(st.text(max_size=8), st.text(min_size=1, max_size=4).filter(str.strip), st.text(max_size=8))
def test_a_name_between_spaces_is_always_found(before: str, name: str, after: str) -> None:
    assert Name(name, PlainIndexer()).is_in((f"{before} {name} {after}",))
