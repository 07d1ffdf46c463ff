"""Are vectors kept and compared exactly? Blobs, codes, and the two engines that search them."""

from __future__ import annotations

import hashlib
import os
import struct
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from memweir.errors import EmbedderError, EmbedderMismatch, StoreError
from memweir.store import vectors
from memweir.store.entry import Indexable, IndexEntry
from memweir.store.reads import TermMatch
from memweir.store.records import to_ms
from memweir.store.scopes import Scope
from memweir.store.sqlite import SqliteStore
from memweir.testing import NOW, SCOPE, PlainIndexer, PlainStore, draft, view
from memweir.testing.plain_index import likeness

_NOW_MS = to_ms(NOW)

_embeddings = hnp.arrays(
    np.float32,
    st.integers(1, 80),
    elements=st.sampled_from([0.0, 0.0, 0.0, 1.0, -1.0]) | st.floats(-1, 1, width=32),
)


def _encoded(vector: np.ndarray, *, sparse: bool) -> tuple[bytes, bytes]:
    found = vectors.encode(vector, sparse=sparse)
    assert found is not None
    return found


def test_a_sparse_blob_is_header_dimensions_and_values() -> None:
    # 0.6 and -0.8 scaled so that the larger is 127: 95.25 → 95 and -127; norm √(95² + 127²).
    vector = np.array([0, 0.6, 0, -0.8], np.float32)
    inverse = np.float32(1 / np.sqrt(95**2 + 127**2)).tobytes()
    values = bytes([95, 256 - 127])
    assert _encoded(vector, sparse=True)[0] == b"\x01\0\0\0" + inverse + b"\x01\0\x03\0" + values
    dense = bytes([0, 95, 0, 256 - 127])
    assert _encoded(vector, sparse=False)[0] == b"\x02\0\0\0" + inverse + dense


def test_likeness_by_hand() -> None:
    memory = np.array([1, 1, 0, 0], np.float32)
    query = np.array([0.6, 0, 0.8, 0], np.float64)
    blobs = [_encoded(memory, sparse=True)[0], _encoded(-memory, sparse=True)[0]]
    # (0.6 · 127) / (127 · √2) = 0.6 / √2; the memory holds dimension 0, which is 0.6² of the query.
    found = vectors.compare(query, blobs)
    assert found == pytest.approx(np.array([[0.6 / 2**0.5, 0.36, 0.0], [-0.6 / 2**0.5, 0.0, 0.0]]))
    dense = [_encoded(memory, sparse=False)[0], _encoded(-memory, sparse=False)[0]]
    # Dense: no dimension means anything alone, so containment is the cosine above nought.
    found = vectors.compare(query, dense)
    c = 0.6 / 2**0.5
    assert found == pytest.approx(np.array([[c, c, c], [-c, 0.0, -c]]))
    assert vectors.compare(query, []).shape == (0, 3)


def test_a_hybrid_blob_is_header_head_and_tail() -> None:
    # Head of length 0.6, tail of 0.8. Head: 0.36 / 0.48 · 127 = 95.25 → 95, and -127; tail: 127, 0.
    vector = np.array([0, 0.36, 0, -0.48, 0.8, 0], np.float32)
    found = vectors.encode(vector, sparse=True, tail=2)
    assert found is not None
    codec, tail, scale, tail_scale, inverse = struct.unpack_from("<BxHfff", found[0])
    assert (codec, tail) == (3, 2)
    assert scale == pytest.approx(0.6 / (95**2 + 127**2) ** 0.5, rel=1e-6)
    assert (tail_scale, inverse) == pytest.approx((0.8 / 127, 1 / 127), rel=1e-6)
    assert found[0][16:] == b"\x01\0\x03\0" + bytes([95, 256 - 127]) + bytes([127, 0])
    assert vectors.decode_support(found[0]).tolist() == [1, 3]


def test_cosine_containment_and_meaning_of_a_vector_with_a_tail_by_hand() -> None:
    # Head (1, 1) / √2 of length 0.6, tail (0, 1) of length 0.8.
    memory = np.array([0.6 / 2**0.5, 0.6 / 2**0.5, 0, 0.8], np.float32)
    # Head (1, 0) of length 0.8, tail (0.6, 0.8) of length 0.6.
    query = np.array([0.8, 0, 0.36, 0.48], np.float64)
    blobs = []
    for vector in (memory, -memory, memory * [1, 1, 0, 0], memory * [0, 0, 1, 1]):
        found = vectors.encode(vector.astype(np.float32), sparse=True, tail=2)
        assert found is not None
        blobs.append(found[0])
    head, tail = 0.8 * 0.6 / 2**0.5, 0.48 * 0.8
    expected = [
        [head + tail, 1.0, 0.8],  # dimension 0 is all of the query's head
        [-head - tail, 0.0, -0.8],
        [head / 0.6, 1.0, 0.0],  # no tail: the head has length 1
        [tail / 0.8, 0.0, 0.8],  # no head
    ]
    assert vectors.compare(query, blobs, tail=2) == pytest.approx(np.array(expected), abs=1e-6)
    silent = np.array([1, 0, 0, 0], np.float64)
    # 0.6 / √2, and where the head has length 1, 1 / √2; the query's tail is zero, so nothing is meant.
    c = 0.6 / 2**0.5
    expected = [[c, 1.0, 0.0], [-c, 0.0, 0.0], [c / 0.6, 1.0, 0.0], [0.0, 0.0, 0.0]]
    assert vectors.compare(silent, blobs, tail=2) == pytest.approx(np.array(expected), abs=1e-6)
    wordless = np.array([0, 0, 0, 1], np.float64)
    expected = [[0.8, 0.0, 1.0], [-0.8, 0.0, -1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 1.0]]
    assert vectors.compare(wordless, blobs, tail=2) == pytest.approx(np.array(expected), abs=1e-6)


@settings(deadline=None, max_examples=200)
@given(_embeddings, st.data(), st.sampled_from(["sparse", "dense", "hybrid"]))
def test_comparing_agrees_with_plain_arithmetic(
    vector: np.ndarray, data: st.DataObject, kind: str
) -> None:
    shape = vector.shape
    query = data.draw(hnp.arrays(np.float32, shape, elements=st.floats(-1, 1, width=32)))
    tail = data.draw(st.integers(1, vector.size)) if kind == "hybrid" else 0
    encoded = vectors.encode(vector, sparse=kind != "dense", tail=tail)
    length = float(np.sqrt((query.astype(np.float64) ** 2).sum()))
    if encoded is None or length < 1e-3:
        return
    got = vectors.compare(query.astype(np.float64) / length, [encoded[0]] * 2, tail=tail)
    assert (got[0] == got[1]).all()
    plain = likeness([float(value) for value in query], encoded[0])
    assert got[0] == pytest.approx(plain, abs=1.1e-6)


@settings(deadline=None, max_examples=150)
@given(_embeddings, st.data())
def test_a_hybrid_blob_keeps_the_whole_vector_to_two_digits_of_each_part(
    vector: np.ndarray, data: st.DataObject
) -> None:
    tail = data.draw(st.integers(1, vector.size))
    encoded = vectors.encode(vector, sparse=True, tail=tail)
    if encoded is None:
        assert not vector.any()
        return
    unit = vector.astype(np.float64) / np.sqrt((vector.astype(np.float64) ** 2).sum())
    # Asked dimension by dimension, the cosine is the kept value.
    eye = np.eye(vector.size)
    kept = np.array([vectors.compare(row, [encoded[0]], tail=tail)[0, 0] for row in eye])
    for part in (slice(None, -tail), slice(-tail, None)):
        largest = np.abs(unit[part]).max(initial=0.0)
        # Half a step of rounding, 1 / 254 of the largest, and what bringing the part back to its length
        # makes of as much in each of its dimensions; below 1e-7 float32 may keep nothing.
        allowed = largest / 254 * (1 + unit[part].size ** 0.5) + 1e-7
        assert (np.abs(kept[part] - unit[part]) <= allowed).all()
        assert np.sqrt((kept[part] ** 2).sum()) == pytest.approx(
            np.sqrt((unit[part] ** 2).sum()), rel=1e-5, abs=1e-7
        )


@settings(deadline=None, max_examples=150)
@given(_embeddings)
def test_quantising_keeps_direction_sign_and_support(vector: np.ndarray) -> None:
    support, values = vectors.quantise(vector)
    largest = float(np.abs(vector).max())
    if largest == 0.0:
        assert support.size == 0
        assert vectors.encode(vector, sparse=True) is None
        return
    whole = np.zeros(vector.shape)
    whole[support] = values
    assert np.abs(values).max() == 127
    assert (np.abs(whole / 127 - vector / largest) <= 0.5 / 127 + 1e-6).all()
    for sparse in (True, False):
        blob, _ = _encoded(vector, sparse=sparse)
        assert vectors.decode_support(blob).tolist() == support.tolist()


@pytest.mark.parametrize("bad", [[np.nan, 1], [np.inf, 0], [-np.inf, 1], [[1.0, 0.0]]])
def test_what_is_no_finite_row_is_an_error(bad: list[float]) -> None:
    with pytest.raises(EmbedderError):
        vectors.encode(np.array(bad, np.float32), sparse=True)
    with pytest.raises(EmbedderError):
        vectors.encode(np.zeros(65_537, np.float32), sparse=True)
    with pytest.raises(EmbedderError):
        vectors.encode(np.array(bad, np.float32), sparse=True, tail=1)
    with pytest.raises(EmbedderError):
        vectors.code_of(np.array(bad, np.float32), tail=1)


@pytest.mark.parametrize(("sparse", "tail"), [(False, 2), (True, 9), (True, -1), (True, 65_536)])
def test_a_tail_that_the_vector_cannot_have_is_an_error(sparse: bool, tail: int) -> None:
    with pytest.raises(EmbedderError, match="tail"):
        vectors.encode(np.ones(8 if tail < 10 else 70_000, np.float32), sparse=sparse, tail=tail)


def test_the_widest_head_and_tail_are_kept() -> None:
    vector = np.ones(65_536 + 65_535, np.float32)
    found = vectors.encode(vector, sparse=True, tail=65_535)
    assert found is not None
    query = vector.astype(np.float64) / vector.size**0.5
    assert vectors.compare(query, [found[0]], tail=65_535)[0] == pytest.approx([1, 1, 1], abs=1e-5)
    with pytest.raises(EmbedderError):
        vectors.encode(np.ones(65_537 + 2, np.float32), sparse=True, tail=2)


def test_hamming_counts_the_bits_that_differ() -> None:
    assert vectors.hamming(b"\x0f\x00", [b"\x0f\x00", b"\x0e\x00", b"\xf0\xff"]).tolist() == [0, 1, 16]
    assert vectors.hamming(b"\x0f", []).tolist() == []


def test_codes_are_the_same_in_every_process() -> None:
    code = (
        "import hashlib, numpy as np; from memweir.store import vectors\n"
        "v = np.cos(np.arange(300, dtype=np.float32)) * (np.arange(300) % 3 == 0)\n"
        "kept = vectors.encode(v.astype(np.float32), sparse=True)\n"
        "kept += vectors.encode(v.astype(np.float32), sparse=True, tail=40)\n"
        "print(hashlib.sha256(b''.join(kept)).hexdigest())"
    )
    vector = (np.cos(np.arange(300, dtype=np.float32)) * (np.arange(300) % 3 == 0)).astype(np.float32)
    hybrid = vectors.encode(vector, sparse=True, tail=40)
    assert hybrid is not None
    here = hashlib.sha256(b"".join((*_encoded(vector, sparse=True), *hybrid))).hexdigest()
    printed = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONHASHSEED": "7"},
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    assert printed.strip() == here


def test_a_code_does_not_depend_on_the_scale_and_flips_with_the_sign() -> None:
    vector = np.array([0.1, -0.7, 0.0, 0.35], np.float32)
    _, code = _encoded(vector, sparse=True)
    assert _encoded(vector * np.float32(0.25), sparse=True)[1] == code
    opposite = _encoded(-vector, sparse=True)[1]
    assert vectors.hamming(code, [opposite])[0] == vectors.CODE_BITS


@settings(deadline=None, max_examples=60)
@given(_embeddings, st.data())
def test_a_code_with_a_tail_is_that_of_exact_sums(vector: np.ndarray, data: st.DataObject) -> None:
    tail = data.draw(st.integers(1, vector.size))
    encoded = vectors.encode(vector, sparse=True, tail=tail)
    code = vectors.code_of(vector, tail=tail)
    if encoded is None:
        assert code is None
        return
    assert encoded[1] == code
    exact = [Fraction(float(value)) for value in vector]
    signs = np.unpackbits(vectors._projection(1024)[: vector.size], axis=1).astype(int) * 2 - 1
    bits = np.unpackbits(np.frombuffer(code, np.uint8))
    length = sum(value * value for value in exact)
    for place in range(0, vectors.CODE_BITS, 37):
        total = sum(value * int(sign) for value, sign in zip(exact, signs[:, place], strict=True))
        # Rounding moves the sum of 80 values by at most 80 / 2 parts of 2^18 (they add up to less than
        # 9): where it is further from nought than that, the bit is its sign.
        if total * total > length / 10**7:
            assert bits[place] == (total > 0)


@pytest.mark.parametrize("size", [1, 2, 300, 5000])
def test_the_whole_numbers_behind_a_code_add_up_within_what_float32_holds_exactly(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[np.ndarray, np.ndarray]] = []
    real = vectors.sign_code
    with monkeypatch.context() as patch:
        patch.setattr(vectors, "sign_code", lambda *parts: seen.append(parts) or real(*parts))
        vector = np.random.default_rng(size).normal(size=size).astype(np.float32)
        code = vectors.code_of(vector, tail=1)
    ((support, values),) = seen
    total = int(np.abs(values).sum())
    # At most 2^22, so that twice a partial sum is below 2^24; and as fine as a power of two allows.
    assert 2**21 - size <= total <= 2**22
    assert code is not None
    signs = np.unpackbits(vectors._projection(8192)[support], axis=1).astype(np.int64) * 2 - 1
    expected = np.packbits((signs * values[:, None]).sum(axis=0) > 0).tobytes()
    assert code == expected


def test_head_and_tail_count_in_a_code_as_they_do_in_the_vector() -> None:
    rows = np.random.default_rng(8).normal(size=(3, 300))
    for share in (0.1, 0.5, 0.9):
        # Equal heads, tails at right angles: the cosine is the head's share.
        tails = np.zeros((2, 100))
        tails[0, :50], tails[1, 50:] = rows[1, :50], rows[2, :50]
        whole = [
            np.concatenate(
                [
                    rows[0] / np.linalg.norm(rows[0]) * share**0.5,
                    tail / np.linalg.norm(tail) * (1 - share) ** 0.5,
                ]
            ).astype(np.float32)
            for tail in tails
        ]
        codes = [vectors.code_of(each, tail=100) for each in whole]
        assert codes[0] is not None
        assert codes[1] is not None
        expected = float(np.arccos(share) / np.pi) * vectors.CODE_BITS
        differing = int(vectors.hamming(codes[0], [codes[1]])[0])
        assert abs(differing - expected) <= 5 * (vectors.CODE_BITS * 0.25) ** 0.5


def test_a_code_with_a_tail_does_not_depend_on_the_scale_and_flips_with_the_sign() -> None:
    vector = np.array([0.1, -0.7, 0.0, 0.35], np.float32)
    code = vectors.code_of(vector, tail=2)
    assert code is not None
    assert vectors.code_of(vector * np.float32(0.25), tail=2) == code
    opposite = vectors.code_of(-vector, tail=2)
    assert opposite is not None
    assert vectors.hamming(code, [opposite])[0] == vectors.CODE_BITS


def test_codes_keep_angles_apart() -> None:
    rows = np.random.default_rng(5).normal(size=(40, 256)).astype(np.float32)
    base = rows[0]
    _, code = _encoded(base, sparse=False)
    for mix in (0.0, 0.5, 1.0, 2.0):
        other = base + np.float32(mix) * rows[7]
        cosine = float(base @ other / np.linalg.norm(base) / np.linalg.norm(other))
        # Charikar: a bit differs with probability angle / π; 1024 bits are within 5 deviations.
        expected = float(np.arccos(min(cosine, 1.0)) / np.pi) * vectors.CODE_BITS
        differing = int(vectors.hamming(code, [_encoded(other, sparse=False)[1]])[0])
        assert abs(differing - expected) <= 5 * (vectors.CODE_BITS * 0.25) ** 0.5


class _Given:
    """An indexer whose vectors are told by the text: "v 3" is row 3 of a table."""

    analyzer = "given/1"
    embedder = "given/1/32"
    dim = 32

    def __init__(self, rows: np.ndarray, *, sparse: bool, tail: int = 0) -> None:
        self._rows = rows
        self.sparse = sparse
        self.tail = tail

    def fold(self, name: str) -> str:
        return name

    def index(self, documents: list[Indexable]) -> list[IndexEntry]:
        return [
            IndexEntry(each.text, {"body": ("v",)}, (), self._rows[int(each.text.split()[1])], ())
            for each in documents
        ]


@pytest.mark.parametrize(("sparse", "tail"), [(True, 0), (False, 0), (True, 8), (True, 32)])
def test_both_engines_and_the_oracle_rank_alike_with_many_ties(
    tmp_path: Path, sparse: bool, tail: int
) -> None:
    random = np.random.default_rng(3)
    # Whole numbers from few values: many equal vectors, equal codes and equal cosines.
    rows = random.integers(-1, 2, size=(400, 32)).astype(np.float32)
    rows[::3, 3:] = 0
    rows[1::5, :24] = 0
    rows[rows.any(axis=1) == 0, 0] = 1
    indexer = _Given(rows, sparse=sparse, tail=tail)
    stores = [
        SqliteStore.open(tmp_path / "vec.db", indexer, vectors_in_sql=True),  # type: ignore[arg-type]
        SqliteStore.open(tmp_path / "numpy.db", indexer, vectors_in_sql=False),  # type: ignore[arg-type]
        PlainStore(indexer),  # type: ignore[arg-type]
    ]
    drafts = [draft(f"v {n}", scope=Scope.project("ab"[n % 2])) for n in range(400)]
    for each in stores:
        each.add_many(drafts, now_ms=_NOW_MS)
    for scopes in ([Scope.project("a")], [Scope.project("a"), Scope.project("b")]):
        for query in (*rows[:12], *random.normal(size=(6, 32)).astype(np.float32)):
            vec, numpy, plain = (each.nearest(view(*scopes), query, 100) for each in stores)
            assert vec == numpy  # 400 vectors, 4 × 100 rescored: both see all of them
            assert vec == plain
    for each in stores:
        each.close()


def test_up_to_256_visible_memories_the_nearest_are_exact(tmp_path: Path) -> None:
    random = np.random.default_rng(2)
    rows = random.normal(size=(756, 32)).astype(np.float32)
    indexer = _Given(rows, sparse=False)
    store = SqliteStore.open(tmp_path / "memory.db", indexer)  # type: ignore[arg-type]
    plain = PlainStore(indexer)  # type: ignore[arg-type]
    for each in (store, plain):
        mine = [draft(f"v {n}") for n in range(256)]
        theirs = [draft(f"v {n}", scope=Scope.project("other")) for n in range(256, 756)]
        each.add_many([*theirs, *mine], now_ms=_NOW_MS)
    for query in random.normal(size=(20, 32)).astype(np.float32):
        assert store.nearest(view(), query, 5) == plain.nearest(view(), query, 5)
    store.close()


@pytest.mark.parametrize("tail", [0, 12])
def test_both_engines_choose_the_same_rows_where_codes_only_preselect(
    tmp_path: Path, tail: int
) -> None:
    random = np.random.default_rng(11)
    rows = random.normal(size=(1500, 32)).astype(np.float32)
    rows[700:] = rows[:800]  # every one twice: ties at every cut
    indexer = _Given(rows, sparse=tail > 0, tail=tail)
    vec = SqliteStore.open(tmp_path / "vec.db", indexer, vectors_in_sql=True)  # type: ignore[arg-type]
    numpy = SqliteStore.open(tmp_path / "np.db", indexer, vectors_in_sql=False)  # type: ignore[arg-type]
    plain = PlainStore(indexer)  # type: ignore[arg-type]
    for each in (vec, numpy, plain):
        each.add_many([draft(f"v {n}") for n in range(1500)], now_ms=_NOW_MS)
    found = 0
    for query in random.normal(size=(20, 32)).astype(np.float32):
        hits = vec.nearest(view(), query, 10)
        assert hits == numpy.nearest(view(), query, 10)
        exact = {hit.id for hit in plain.nearest(view(), query, 10)}
        found += len(exact & {hit.id for hit in hits})
    assert found >= 190  # of 200: codes and 256 rescored rows lose next to nothing
    vec.close()
    numpy.close()


def test_without_sqlite_vec_a_store_says_so_or_uses_numpy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sqlite_vec", None)
    with pytest.raises(StoreError, match="sqlite-vec"):
        SqliteStore.open(tmp_path / "a.db", PlainIndexer(), vectors_in_sql=True)
    store = SqliteStore.open(tmp_path / "a.db", PlainIndexer())
    memory_id = store.add_many([draft("green tea")], now_ms=_NOW_MS)[0].id  # type: ignore[union-attr]
    assert [hit.id for hit in store.nearest(view(), PlainIndexer().embed("tea"), 5)] == [memory_id]
    store.close()


# A store that another embedder indexed


@pytest.mark.parametrize(
    "other",
    [
        PlainIndexer(dim=32),
        PlainIndexer(dim=256),
        PlainIndexer(name="learned"),
        PlainIndexer(dim=80, tail=16),
    ],
    ids=["smaller", "larger", "same dimension", "same head"],
)
def test_a_store_of_another_embedder_keeps_writing_and_reading_words_until_it_is_rebuilt(
    tmp_path: Path, other: PlainIndexer
) -> None:
    path = tmp_path / "memory.db"
    first = PlainIndexer()
    store = SqliteStore.open(path, first)
    assert store.index_mismatch() == {}
    kept, gone, edited = (
        each.id  # type: ignore[union-attr]
        for each in store.add_many(
            [draft("green tea"), draft("black tea"), draft("old tea", document_id="d")], now_ms=_NOW_MS
        )
    )
    store.close()

    store = SqliteStore.open(path, other)
    assert store.index_mismatch() == {"embedder": ("plain/1/64", other.embedder)}
    store.add_many([draft("white tea"), draft("new tea", document_id="d")], now_ms=_NOW_MS)
    store.forget(gone, (SCOPE,), now_ms=_NOW_MS)
    store.feedback(kept, "helped", None, now_ms=_NOW_MS, learned=("matcha",))
    assert len(store.keyword(view(), TermMatch({"": ("tea",)}, {}), 9)) == 3
    assert store.matching(view(), TermMatch({"": ("matcha",)}, {}), 9) == [kept]
    for call in (
        lambda: store.nearest(view(), other.embed("tea"), 5),
        lambda: store.similarity(other.embed("tea"), [kept]),
    ):
        with pytest.raises(EmbedderMismatch) as caught:
            call()
        assert (caught.value.stored, caught.value.given) == ("plain/1/64", other.embedder)
    store.close()

    # What the first embedder's statistics say is still true of the vectors that are left: none.
    back = SqliteStore.open(path, first)
    assert back.index_mismatch() == {}
    statistics = back.vector_statistics()
    assert statistics.documents == 0
    assert not statistics.df.any()
    back.close()

    store = SqliteStore.open(path, other)
    assert store.reindex(now_ms=_NOW_MS) == 3
    assert store.index_mismatch() == {}
    assert store.vector_statistics().documents == 3
    assert {hit.id for hit in store.nearest(view(), other.embed("tea"), 9)} >= {kept, edited}
    store.close()


def test_another_text_analysis_is_reported_too(tmp_path: Path) -> None:
    class Later(PlainIndexer):
        @property
        def analyzer(self) -> str:
            return "words/2"

    path = tmp_path / "memory.db"
    SqliteStore.open(path, PlainIndexer()).close()
    store = SqliteStore.open(path, Later())
    assert store.index_mismatch() == {"analyzer": ("words/1", "words/2")}
    store.reindex(now_ms=_NOW_MS)
    assert store.index_mismatch() == {}
    store.close()
