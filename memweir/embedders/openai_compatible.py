"""How does a text reach a model behind HTTP? Any server that speaks OpenAI's `/embeddings`.

It opens connections to the address its user wrote down and to no other: redirects are not followed,
so neither texts nor the key reach another server. An error names the server and the status it
answered with, never the key, a text or the words of the answer, which may repeat both.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn

from memweir.embedders.base import LONGEST, LearnedEmbedder, prefixes_of
from memweir.errors import EmbedderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["OpenAICompatibleEmbedder"]

_LARGEST_ANSWER: Final = 64 * 1024 * 1024  # bytes
_BLOCK: Final = 1 << 20
_AGAIN: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
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
        self._url, host, safe = _endpoint(base_url)
        if not isinstance(model, str) or not model.strip():
            raise EmbedderError("a server needs the name of a model")
        if api_key is not None and not (api_key.isascii() and api_key.isprintable() and api_key):
            raise EmbedderError("the key is empty or holds characters that no header can carry")
        if api_key is not None and not safe and not key_over_http:
            raise EmbedderError(
                f"the key would go unencrypted to {host}; use https, or say key_over_http=True"
            )
        for name, size in (("dim", dim), ("dimensions", dimensions)):
            if size is not None and not 0 < size <= 65_536:
                raise EmbedderError(f"{name} must lie between 1 and 65536, got {size}")
        if dim is not None and dimensions is not None and dim != dimensions:
            raise EmbedderError(f"dim is {dim}, but the server is asked for {dimensions} dimensions")
        if min(timeout_seconds, query_timeout_seconds) <= 0 or min(backoff_seconds, default=0.0) < 0:
            raise EmbedderError("timeouts must be above 0, and waits not below")
        prefixes = prefixes_of(model, query_prefix, passage_prefix)
        super().__init__(f"openai:{model}", prefixes, batch=batch, longest=longest)
        self._host = host
        self._model = model
        self._asked_for = dimensions
        self._stated = dim or dimensions
        self._revision = revision
        self._timeouts = {False: timeout_seconds, True: query_timeout_seconds}
        self._backoff = tuple(backoff_seconds)
        self._longest_wait = longest_wait_seconds
        self._sleep = sleep
        # In a closure: no look at the object's attributes shows it.
        self._authorise = _authorisation(api_key)
        self._opener = urllib.request.build_opener(_NoRedirects)

    def __repr__(self) -> str:
        return f"OpenAICompatibleEmbedder({self._url.removesuffix('/embeddings')!r}, {self._model!r})"

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
        return self._vectors(self._answer(json.dumps(body).encode(), query=query), len(texts))

    def _answer(self, body: bytes, *, query: bool) -> bytes:
        """The server's answer, asked again after a wait where it was busy or could not be reached."""
        for wait in (*(() if query else self._backoff), None):
            headers = {"Content-Type": "application/json", "Accept": "application/json"}
            request = urllib.request.Request(
                self._url, data=body, headers=headers | self._authorise(), method="POST"
            )
            asked_for = 0.0
            # None of these is kept as a cause: they hold headers and addresses of redirects.
            try:
                with self._opener.open(request, timeout=self._timeouts[query]) as response:
                    return _read(response)
            except urllib.error.HTTPError as error:
                with error:
                    problem = f"answered {error.code}"
                    if error.code in _HINTS:
                        problem += f" ({_HINTS[error.code]})"
                    again = error.code in _AGAIN
                    asked_for = _retry_after(error.headers.get("Retry-After"))
            except _TooLarge:
                problem, again = f"answered more than {_LARGEST_ANSWER} bytes", False
            except (OSError, http.client.HTTPException) as error:
                reason = getattr(error, "reason", error)
                problem, again = f"cannot be reached ({_kind(reason)})", True
            if wait is None or not again or asked_for > self._longest_wait:
                break
            self._sleep(max(wait, asked_for))
        raise EmbedderError(f"the embedding server at {self._host} {problem}")

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
            f"the embedding server at {self._host} did not answer with {count} vectors of one length"
        )


class _TooLarge(Exception):
    """An answer that is longer than any answer should be."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect is an answer like any other that is no vector."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _endpoint(base_url: str) -> tuple[str, str, bool]:
    """(address of `/embeddings`, host with port, whether a key is safe on the way there)."""
    try:
        parts = urllib.parse.urlsplit(base_url)
        host, port = parts.hostname, parts.port
    except (ValueError, TypeError, AttributeError):
        parts, host, port = urllib.parse.SplitResult("", "", "", "", ""), None, None
    # What is wrong is named and not shown: a password may stand in it.
    if parts.scheme not in ("http", "https") or not host:
        raise EmbedderError("an embedding server needs an address that begins with http:// or https://")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise EmbedderError(
            "the address of an embedding server must not hold a name, a password, a query or a "
            "fragment; a key is given as api_key"
        )
    if not base_url.isascii() or not base_url.isprintable() or " " in base_url:
        raise EmbedderError("the address of an embedding server holds characters that no address has")
    shown = f"[{host}]" if ":" in host else host
    place = shown if port is None else f"{shown}:{port}"
    path = parts.path.rstrip("/").removesuffix("/embeddings")
    safe = parts.scheme == "https" or _is_here(host)
    return f"{parts.scheme}://{place}{path}/embeddings", place, safe


def _is_here(host: str) -> bool:
    """Whether a host is this machine itself."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _authorisation(api_key: str | None) -> Callable[[], dict[str, str]]:
    def headers() -> dict[str, str]:
        return {} if api_key is None else {"Authorization": f"Bearer {api_key}"}

    return headers


def _read(response: Any) -> bytes:
    """A whole answer, block by block, so that one without end does not fill the memory."""
    blocks: list[bytes] = []
    size = 0
    while block := response.read(_BLOCK):
        size += len(block)
        if size > _LARGEST_ANSWER:
            raise _TooLarge
        blocks.append(block)
    return b"".join(blocks)


def _retry_after(value: str | None) -> float:
    """Seconds a server asks to be left alone; a date or nonsense counts as nothing asked."""
    try:
        return max(float(value or 0.0), 0.0)
    except ValueError:
        return 0.0


def _kind(reason: object) -> str:
    """What kind of failure it was, in words that hold no address."""
    if isinstance(reason, TimeoutError):
        return "no answer in time"
    if isinstance(reason, OSError) and reason.strerror:
        return reason.strerror
    return type(reason).__name__
