"""What does the index hold of a memory? Terms by field, names by role, a vector of title and text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.errors import EmbedderError
from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.embedding import HashedNgramEmbedder
from memweir.retrieval.incidents import incident_version
from memweir.retrieval.indexing import TextIndexer
from memweir.store.entry import FIELDS, Indexable, IndexEntry


@pytest.fixture(scope="module")
def indexer() -> TextIndexer:
    return TextIndexer(default_analyzer(), HashedNgramEmbedder(default_analyzer()))


def _entry(indexer: TextIndexer, text: str, **fields: Any) -> IndexEntry:
    (entry,) = indexer.index([Indexable(text, **fields)])
    return entry


def test_each_field_holds_its_own_terms(indexer: TextIndexer) -> None:
    entry = _entry(
        indexer,
        "the kestrel nests at 10.0.0.7 雨",
        title="Roof",
        tags=("birds", "塔楼"),
        semantic_key="house.roof",
        speaker="Ada",
        learned_terms=("hawk",),
    )
    assert set(entry.fields) <= set(FIELDS)
    assert {"kestrel", "nest"} <= set(entry.fields["body"])
    assert "the" not in entry.fields["body"]
    assert entry.fields["chars"] == ("雨",)
    assert entry.fields["title"] == ("roof",)
    assert {"bird", "塔楼"} <= set(entry.fields["tags"])
    assert {"hous", "roof"} <= set(entry.fields["key"])
    assert entry.fields["speaker"] == ("ada",)
    assert entry.fields["learned"] == ("hawk",)
    assert "10.0.0.7" in entry.fields["symbols"]


def test_synonym_tokens_have_a_field_of_their_own(indexer: TextIndexer) -> None:
    entry = _entry(indexer, "lunch is at noon", title="lunch", tags=("lunch",))
    assert entry.fields["synonyms"] == ("~lunch",) * 3
    plain = [term for name, terms in entry.fields.items() if name != "synonyms" for term in terms]
    assert not [term for term in plain if term.startswith("~")]
    (chinese,) = indexer.index([Indexable("午饭在十二点")])
    assert "~lunch" in chinese.fields["synonyms"]


def test_symbols_of_title_and_text_are_listed_once(indexer: TextIndexer) -> None:
    entry = _entry(indexer, "see ERR-42 and max_size", title="about ERR-42 on 8081")
    assert entry.fields["symbols"] == ("err-42", "max_size", "8081")


def test_title_and_speaker_are_what_a_memory_is_about(indexer: TextIndexer) -> None:
    entry = _entry(indexer, "Grace Hopper met Linus", title="Ada Lovelace", speaker="Ken")
    assert entry.entities[:2] == (
        ("ada lovelace", "Ada Lovelace", "subject"),
        ("ken", "Ken", "subject"),
    )
    assert {(name, role) for name, _, role in entry.entities[2:]} >= {("grace hopper", "text")}


def test_mentions_are_bounded(indexer: TextIndexer) -> None:
    many = " met ".join(f"Name{chr(65 + place // 26)}{chr(97 + place % 26)}" for place in range(200))
    assert len(_entry(indexer, many, title="Title", speaker="Ken").entities) == 32


def test_vector_is_of_title_and_text_together(indexer: TextIndexer) -> None:
    embedder = HashedNgramEmbedder(default_analyzer())
    entry = _entry(indexer, "nests on the roof", title="kestrel")
    assert entry.embedding.tobytes() == embedder.embed(["kestrel\nnests on the roof"])[0].tobytes()
    bare = _entry(indexer, "nests on the roof", tags=("kestrel",), speaker="kestrel")
    assert bare.embedding.tobytes() == embedder.embed(["nests on the roof"])[0].tobytes()


@pytest.mark.parametrize(
    ("tag", "folded", "terms"),
    [
        ("模型", "模型", ("模型",)),
        ("To Do", "to do", ("to_do",)),  # stop words only: the tag as it stands is a term
        ("🙂", "🙂", ("🙂",)),
        ("的", "的", ("的",)),
        ("ＡＩ", "ai", ("ai",)),
    ],
)
def test_tag_is_kept_folded_and_always_has_a_term(
    indexer: TextIndexer, tag: str, folded: str, terms: tuple[str, ...]
) -> None:
    entry = _entry(indexer, "x", tags=(tag, tag))
    assert entry.tags == (folded,)
    assert set(entry.fields["tags"]) == set(terms)


def test_text_without_a_term_is_its_own_normal_form(indexer: TextIndexer) -> None:
    assert _entry(indexer, "。。。").normal == "。。。"
    assert _entry(indexer, "\u200b").normal == "\u200b"
    assert indexer.fold("  ＡＤＡ  Lovelace ") == "ada lovelace"
    assert indexer.fold("\u200b") == "\u200b"


@given(st.text(min_size=1, max_size=12))
@settings(deadline=None, max_examples=200)
def test_a_key_is_folded_alone_as_it_is_in_the_index(indexer: TextIndexer, key: str) -> None:
    assert _entry(indexer, "a text", semantic_key=key).key == indexer.fold(key)


def test_no_documents_give_no_entries(indexer: TextIndexer) -> None:
    assert indexer.index([]) == []


def test_batch_equals_single(indexer: TextIndexer) -> None:
    documents = [
        Indexable("the kestrel", title="Roof"),
        Indexable("公司在上海", tags=("城市",)),
        Indexable("the kestrel"),
        Indexable("。。。", learned_terms=("dots",)),
    ]
    for entry, document in zip(indexer.index(documents), documents, strict=True):
        (single,) = indexer.index([document])
        assert single.embedding.tobytes() == entry.embedding.tobytes()
        for name in ("normal", "fields", "tags", "entities"):
            assert getattr(single, name) == getattr(entry, name)


class _Fixed:
    """An embedder that answers with what it was given, whatever is asked."""

    name, version, dim, sparse = "fixed", "7", 4, False

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def embed(self, texts: Any) -> Any:
        return self._answer


@pytest.mark.parametrize(
    "answer",
    [np.zeros((1, 3)), np.zeros((2, 4)), np.zeros(4), np.zeros((0, 4)), np.zeros((1, 4, 1)), 0.5],
)
def test_embedder_that_breaks_its_promise_is_named(answer: Any) -> None:
    with pytest.raises(EmbedderError, match="fixed/7/4"):
        TextIndexer(default_analyzer(), _Fixed(answer)).index([Indexable("x")])


def test_plugged_embedder_is_used_and_named() -> None:
    indexer = TextIndexer(default_analyzer(), _Fixed([[0.0, 1.0, 0.0, 0.0]]))
    (entry,) = indexer.index([Indexable("x")])
    assert entry.embedding.dtype == np.float32
    assert entry.embedding.tolist() == [0.0, 1.0, 0.0, 0.0]
    assert (indexer.embedder, indexer.dim, indexer.sparse) == ("fixed/7/4", 4, False)
    assert indexer.analyzer == f"{default_analyzer().version} reading-1"


def test_title_with_a_qualifier_is_found_without_it() -> None:
    indexer = TextIndexer(default_analyzer(), HashedNgramEmbedder(default_analyzer(), dim=256))
    text = Indexable(
        text="A small planet.",
        title="Mercury (planet)",
        tags=(),
        semantic_key=None,
        speaker=None,
        learned_terms=(),
    )
    subjects = [(norm, role) for norm, _, role in indexer.index([text])[0].entities]
    assert ("mercury (planet)", "subject") in subjects
    assert ("mercury", "subject") in subjects


def test_what_is_read_out_of_a_text_has_a_version_of_its_own() -> None:
    # With other rules what stands in the rows must be computed anew: another word list is another
    # `_READING` in retrieval/indexing.py.
    assert incident_version() == "incidents-1-8f38d077"
