"""How does a text reach a model behind HTTP? Any server that speaks OpenAI's `/embeddings`.

What is sent goes to the address its user wrote down and to no other, see `memweir.model_server`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn

from memweir.embedders.base import LONGEST, LearnedEmbedder, prefixes_of
from memweir.errors import EmbedderError
from memweir.model_server import LARGEST_ANSWER, ModelServer, ServerProblem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["OpenAICompatibleEmbedder"]

_LARGEST_ANSWER: Final = LARGEST_ANSWER
_HINTS: Final = {
    400: "is the model an embedding model, and a text too long for it?",
    401: "is the key right?",
    403: "may the key use this model?",
    404: "is the address right, with its /v1, and the model's name?",
    413: "take a smaller `batch` or `longest`",
    429: "too many requests, or nothing left to spend",
}


class OpenAICompatibleEmbedder(LearnedEmbedder):
    """A model behind an OpenAI-compatible server, on this machine or elsewhere. Needs no package.

    What is remembered is sent to that server. Its `version` is what the caller says: nobody but the
    server knows whether the model behind a name is still the same.
    """

    concurrent = True

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str | None = None,
        dim: int | None = None,
        dimensions: int | None = None,
        revision: str = "1",
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
        batch: int = 64,
        longest: int = LONGEST,
        timeout_seconds: float = 30.0,
        query_timeout_seconds: float = 5.0,
        backoff_seconds: Sequence[float] = (0.5, 2.0),
        longest_wait_seconds: float = 20.0,
        key_over_http: bool = False,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """Nothing is sent before the first vector is wanted.

        Args:
            base_url: up to and without `/embeddings`, such as `http://127.0.0.1:8000/v1`.
            model: as the server calls it.
            api_key: sent as a bearer token; None: none is sent.
            dim: length of the vectors; None: the server is asked when the store is opened.
            dimensions: how long the server is asked to make them, where it can; `dim` follows from it.
            revision: change it when the model behind the name is another.
            query_prefix, passage_prefix: None: what models of this name need, see `prefixes_of`.
            batch: texts in one request; longest: characters of a text that are sent.
            timeout_seconds: how long the server may be silent.
            query_timeout_seconds: the same where a text asks: a turn waits, so there is one try.
            backoff_seconds: waits before each further try; as many further tries as numbers.
            longest_wait_seconds: a server that asks for a longer wait is not waited for.
            key_over_http: send the key unencrypted to another machine.
            sleep: waits; for tests.

        Raises:
            EmbedderError: not an http(s) address, one that holds a name, password, query or fragment, a
                key that no header can hold, or one that would cross a network unencrypted.
        """
        if min(backoff_seconds, default=0.0) < 0:
            raise EmbedderError("timeouts must be above 0, and waits not below")
        try:
            self._server = ModelServer(
                base_url,
                "/embeddings",
                what="an embedding",
                hints=_HINTS,
                api_key=api_key,
                key_over_http=key_over_http,
                backoff_seconds=backoff_seconds,
                longest_wait_seconds=longest_wait_seconds,
                sleep=sleep,
            )
        except ServerProblem as problem:
            raise EmbedderError(str(problem)) from None
        if not isinstance(model, str) or not model.strip():
            raise EmbedderError("a server needs the name of a model")
        for name, size in (("dim", dim), ("dimensions", dimensions)):
            if size is not None and not 0 < size <= 65_536:
                raise EmbedderError(f"{name} must lie between 1 and 65536, got {size}")
        if dim is not None and dimensions is not None and dim != dimensions:
            raise EmbedderError(f"dim is {dim}, but the server is asked for {dimensions} dimensions")
        if min(timeout_seconds, query_timeout_seconds) <= 0:
            raise EmbedderError("timeouts must be above 0, and waits not below")
        prefixes = prefixes_of(model, query_prefix, passage_prefix)
        super().__init__(f"openai:{model}", prefixes, batch=batch, longest=longest)
        self._model = model
        self._asked_for = dimensions
        self._stated = dim or dimensions
        self._revision = revision
        self._timeouts = {False: timeout_seconds, True: query_timeout_seconds}

    def __repr__(self) -> str:
        return f"OpenAICompatibleEmbedder({self._server.address!r}, {self._model!r})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("an embedder that may hold a key is not pickled")

    @property
    def version(self) -> str:
        """The revision the caller stated, and the prefixes."""
        prefixes = self._prefixes
        said = f"[{prefixes.query}|{prefixes.passage}]" if prefixes.query or prefixes.passage else ""
        return f"{self._revision}{said}"

    @property
    def dim(self) -> int:
        """Length of every vector; without `dim` the server is asked once."""
        return self._stated or super().dim

    def _encode(self, texts: Sequence[str], *, query: bool) -> object:
        body: dict[str, Any] = {
            "model": self._model,
            "input": list(texts),
            "encoding_format": "float",
        }
        if self._asked_for is not None:
            body["dimensions"] = self._asked_for
        try:
            answer = self._server.post(
                body, timeout_seconds=self._timeouts[query], once=query, largest=_LARGEST_ANSWER
            )
        except ServerProblem as problem:
            raise EmbedderError(str(problem)) from None
        return self._vectors(answer, len(texts))

    def _vectors(self, answer: bytes, count: int) -> NDArray[np.float64]:
        """(count, d) float64 in the order of the texts."""
        import numpy as np

        try:
            rows: dict[int, list[float]] = {}
            for place, each in enumerate(json.loads(answer)["data"]):
                rows[int(each.get("index", place))] = each["embedding"]
            ordered = [rows[place] for place in range(count)]
            if len(rows) == count:
                return np.array(ordered, np.float64)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            pass
        raise EmbedderError(
            f"the embedding server at {self._server.host} did not answer with {count} vectors of "
            "one length"
        )
