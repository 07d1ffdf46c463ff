"""Does a server get the texts and the key, and nobody else; and what is said when it fails?"""

from __future__ import annotations

import copy
import json
import pickle
import socket
import traceback
from typing import Any

import numpy as np
import pytest

from memweir.embedders import OpenAICompatibleEmbedder
from memweir.errors import EmbedderError
from memweir.retrieval.embedding import embed_checked

KEY = "sk-test-9f8e7d6c5b4a"
TEXT = "my secret diary"


def embedder(server: Any, **options: Any) -> OpenAICompatibleEmbedder:
    options.setdefault("sleep", lambda _: None)
    return OpenAICompatibleEmbedder(server.url, "small", **options)


def test_each_text_has_its_own_vector_at_length_1_whatever_order_the_server_answers_in(
    server: Any,
) -> None:
    vectors = embed_checked(embedder(server), ["abc", "a b c", ""])
    # (3, 0) and (5, 2) at length 1; 5 * 5 + 2 * 2 = 29
    np.testing.assert_allclose(vectors[0], [1.0, 0.0])
    np.testing.assert_allclose(vectors[1], [5 / 29**0.5, 2 / 29**0.5], rtol=1e-6)
    np.testing.assert_array_equal(vectors[2], [0.0, 0.0])


def test_a_blank_text_is_not_sent(server: Any) -> None:
    embedder(server, dim=2).embed(["", " \n", "abc"])
    assert [request["body"]["input"] for request in server.requests] == [["abc"]]


def test_the_request_is_what_the_protocol_wants(server: Any) -> None:
    embedder(server, api_key=KEY, dimensions=2).embed(["abc"])
    (request,) = server.requests
    assert request["path"] == "/v1/embeddings"
    assert request["headers"]["Authorization"] == f"Bearer {KEY}"
    assert request["body"] == {
        "model": "small",
        "input": ["abc"],
        "encoding_format": "float",
        "dimensions": 2,
    }


def test_without_a_key_none_is_sent(server: Any) -> None:
    embedder(server, dim=2).embed(["abc"])
    assert "Authorization" not in server.requests[0]["headers"]


def test_nothing_is_sent_before_a_vector_is_wanted(server: Any) -> None:
    made = embedder(server, dim=2)
    assert (made.name, made.version, made.dim) == ("openai:small", "1", 2)
    assert server.requests == []


def test_the_server_is_asked_for_the_dimension_where_nobody_says_it(server: Any) -> None:
    made = embedder(server)
    assert made.dim == 2
    asked = len(server.requests)
    assert made.dim == 2
    assert len(server.requests) == asked


def test_texts_go_in_batches_and_come_back_in_order(server: Any) -> None:
    texts = ["a" * size for size in range(1, 8)]
    vectors = embedder(server, dim=2, batch=3).embed([f"{text} x" for text in texts])
    assert [len(request["body"]["input"]) for request in server.requests] == [3, 3, 1]
    # (n + 2, 1): the ratio is n + 2.
    np.testing.assert_allclose(vectors[:, 0] / vectors[:, 1], np.arange(1, 8) + 2, rtol=1e-5)


def test_a_long_text_is_cut_before_it_is_sent(server: Any) -> None:
    embedder(server, dim=2, longest=10).embed(["x" * 1_000_000])
    assert server.requests[0]["body"]["input"] == ["x" * 10]


def test_half_a_surrogate_pair_and_nul_do_not_reach_the_server(server: Any) -> None:
    embedder(server, dim=2).embed(["a\x00b\ud800c"])
    assert server.requests[0]["body"]["input"] == ["a b?c"]


def test_questions_and_memories_get_the_prefixes_of_an_e5_model(server: Any) -> None:
    made = OpenAICompatibleEmbedder(server.url, "intfloat/multilingual-e5-small", dim=2)
    made.embed(["kept"])
    made.embed_query(["asked"])
    assert [each["body"]["input"] for each in server.requests] == [["passage: kept"], ["query: asked"]]
    assert made.version == "1[query: |passage: ]"


def test_a_busy_server_is_asked_again_after_the_waits_it_was_told(server: Any) -> None:
    answers = iter([(429, {"Retry-After": "7"}, b"{}"), (503, {}, b"{}")])
    server.answer = lambda request: next(answers, None) or server.honest(request)
    waited: list[float] = []
    made = embedder(server, dim=2, backoff_seconds=(0.5, 2.0), sleep=waited.append)
    assert made.embed(["abc"]).shape == (1, 2)
    assert waited == [7.0, 2.0]


def test_a_server_that_stays_busy_is_given_up_after_as_many_tries_as_waits(server: Any) -> None:
    server.answer = lambda request: (500, {}, b"{}")
    with pytest.raises(EmbedderError, match="answered 500"):
        embedder(server, dim=2, backoff_seconds=(0.1, 0.1, 0.1)).embed(["abc"])
    assert len(server.requests) == 4


def test_a_turn_does_not_wait_for_a_busy_server(server: Any) -> None:
    server.answer = lambda request: (503, {}, b"{}")
    waited: list[float] = []
    with pytest.raises(EmbedderError, match="answered 503"):
        embedder(server, dim=2, sleep=waited.append).embed_query(["abc"])
    assert (len(server.requests), waited) == (1, [])


def test_a_turn_waits_less_long_for_a_silent_server_than_a_memory_does() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        made = OpenAICompatibleEmbedder(url, "m", dim=2, query_timeout_seconds=0.05)
        with pytest.raises(EmbedderError, match="no answer in time"):
            made.embed_query(["abc"])


def test_a_server_that_asks_for_a_long_wait_is_not_waited_for(server: Any) -> None:
    server.answer = lambda request: (429, {"Retry-After": "3600"}, b"{}")
    with pytest.raises(EmbedderError, match="answered 429"):
        embedder(server, dim=2).embed(["abc"])
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413])
def test_what_will_not_get_better_is_not_tried_again(server: Any, status: int) -> None:
    server.answer = lambda request: (status, {}, b"{}")
    with pytest.raises(EmbedderError, match=f"answered {status}"):
        embedder(server, dim=2).embed(["abc"])
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(server: Any, status: int) -> None:
    server.answer = lambda request: (status, {"Location": server.url + "/elsewhere"}, b"")
    with pytest.raises(EmbedderError, match=f"answered {status}"):
        embedder(server, dim=2, api_key=KEY).embed(["abc"])
    assert [request["path"] for request in server.requests] == ["/v1/embeddings"]


def _rows(*vectors: object) -> bytes:
    rows = [{"index": place, "embedding": each} for place, each in enumerate(vectors)]
    return json.dumps({"data": rows}).encode()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not json",
        b"[]",
        b'{"data": null}',
        b'{"data": [1, 2]}',
        _rows([1.0, 2.0]),  # one vector for two texts
        _rows([1.0, 2.0], [1.0, 2.0], [1.0, 2.0]),
        _rows([1.0, 2.0], [1.0]),
        _rows("AAAA", "AAAA"),
        _rows([1.0, None], [1.0, 2.0]),
        b"[" * 100_000,
    ],
)
def test_an_answer_that_is_no_vectors_is_told(server: Any, body: bytes) -> None:
    server.answer = lambda request: (200, {}, body)
    with pytest.raises(EmbedderError):
        embedder(server, dim=2).embed(["abc", "defg"])


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (_rows([1.0, 2.0, 3.0]), "shape"),
        (b'{"data": [{"index": 0, "embedding": [NaN, 1.0]}]}', "finite"),
        (b'{"data": [{"index": 0, "embedding": [1e999, 1.0]}]}', "finite"),
    ],
)
def test_vectors_of_another_length_or_without_end_are_told(server: Any, body: bytes, told: str) -> None:
    server.answer = lambda request: (200, {}, body)
    with pytest.raises(EmbedderError, match=told):
        embedder(server, dim=2).embed(["abc"])


def test_an_endless_answer_is_cut_off(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memweir.embedders.openai_compatible._LARGEST_ANSWER", 1000)
    server.answer = lambda request: (200, {}, b" " * 5000)
    with pytest.raises(EmbedderError, match="more than 1000 bytes"):
        embedder(server, dim=2).embed(["abc"])
    assert len(server.requests) == 1


def test_a_server_that_is_not_there_is_tried_again_and_told() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    waited: list[float] = []
    made = OpenAICompatibleEmbedder(f"http://127.0.0.1:{port}/v1", "m", dim=2, sleep=waited.append)
    with pytest.raises(EmbedderError, match="cannot be reached"):
        made.embed(["abc"])
    assert waited == [0.5, 2.0]


def test_a_silent_server_is_given_up() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        made = OpenAICompatibleEmbedder(url, "m", dim=2, timeout_seconds=0.05, backoff_seconds=())
        with pytest.raises(EmbedderError, match="no answer in time"):
            made.embed(["abc"])


def _all_text_of(error: BaseException) -> str:
    """What a log shows of an error: its chain, arguments and attributes."""
    seen = "".join(traceback.format_exception(error))
    step: BaseException | None = error
    while step is not None:
        seen += repr(step) + repr(step.args) + repr(vars(step))
        step = step.__cause__ or (None if step.__suppress_context__ else step.__context__)
    return seen


@pytest.mark.parametrize("status", [302, 400, 401, 429, 500])
def test_neither_key_nor_text_nor_the_servers_words_are_in_an_error(server: Any, status: int) -> None:
    said = f"Incorrect API key provided: {KEY} for the input {TEXT}"
    server.answer = lambda request: (status, {"Location": f"/{KEY}"}, said.encode())
    with pytest.raises(EmbedderError) as caught:
        embedder(server, dim=2, api_key=KEY, backoff_seconds=()).embed([TEXT])
    shown = _all_text_of(caught.value)
    assert KEY not in shown
    assert "diary" not in shown
    assert "Incorrect" not in shown


def test_the_key_is_not_in_what_is_shown_of_an_embedder(server: Any) -> None:
    made = embedder(server, api_key=KEY, dim=2)
    assert repr(made) == f"OpenAICompatibleEmbedder('{server.url}', 'small')"
    assert KEY not in repr(vars(made)) + made.name + made.version + str(made)
    for copying in (pickle.dumps, copy.copy):
        with pytest.raises(TypeError, match="not pickled"):
            copying(made)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "127.0.0.1:8000",
        "ftp://127.0.0.1/v1",
        "file:///etc/passwd",
        "http://",
        "http://[::1/v1",
        "http://127.0.0.1:port/v1",
        "javascript:alert(1)",
        "http://127.0.0.1/v1\r\nX: y",
        "http://127.0.0.1/a b",
    ],
)
def test_what_is_no_web_address_is_refused(address: str) -> None:
    with pytest.raises(EmbedderError):
        OpenAICompatibleEmbedder(address, "m")


@pytest.mark.parametrize(
    "address", ["https://me:hush@host/v1", "https://host/v1?key=hush", "https://host/#hush"]
)
def test_an_address_that_may_hold_a_key_is_refused_and_not_shown(address: str) -> None:
    with pytest.raises(EmbedderError) as caught:
        OpenAICompatibleEmbedder(address, "m")
    assert "hush" not in _all_text_of(caught.value)


@pytest.mark.parametrize(
    "address", ["http://example.com/v1", "http://10.0.0.7:8000/v1", "http://localhost.example.com"]
)
def test_a_key_does_not_cross_a_network_unencrypted_unless_that_is_said(address: str) -> None:
    with pytest.raises(EmbedderError, match="unencrypted"):
        OpenAICompatibleEmbedder(address, "m", api_key=KEY)
    OpenAICompatibleEmbedder(address, "m", api_key=KEY, key_over_http=True)
    OpenAICompatibleEmbedder(address, "m")


@pytest.mark.parametrize(
    "address", ["https://example.com/v1", "http://localhost:1/v1", "http://[::1]:1/v1"]
)
def test_a_key_goes_encrypted_or_to_this_machine(address: str) -> None:
    assert OpenAICompatibleEmbedder(address, "m", api_key=KEY, dim=2).dim == 2


@pytest.mark.parametrize("key", ["", "line\nbreak", "schlüssel"])
def test_a_key_that_no_header_holds_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(EmbedderError) as caught:
        OpenAICompatibleEmbedder("https://example.com/v1", "m", api_key=key)
    assert not key or key not in _all_text_of(caught.value)


@pytest.mark.parametrize(
    "options",
    [
        {"dim": 0},
        {"dimensions": 70_000},
        {"dim": 2, "dimensions": 3},
        {"timeout_seconds": 0},
        {"query_timeout_seconds": 0},
        {"backoff_seconds": (-1.0,)},
        {"batch": 0},
        {"longest": 0},
    ],
)
def test_numbers_that_cannot_be_meant_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(EmbedderError):
        OpenAICompatibleEmbedder("https://example.com/v1", "m", **options)


def test_the_address_may_end_with_a_slash_or_with_the_verb(server: Any) -> None:
    for url in (server.url + "/", server.url + "/embeddings"):
        OpenAICompatibleEmbedder(url, "m", dim=2).embed(["abc"])
    assert {request["path"] for request in server.requests} == {"/v1/embeddings"}
