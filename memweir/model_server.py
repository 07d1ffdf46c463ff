"""How does JSON reach a model's server, and nobody else? One address, one key, no redirects.

Connections are opened to the address its user wrote down and to no other, so neither texts nor the key
reach another server. A problem names the server and the status it answered with, never the key, a text
or the words of the answer, which may repeat both.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

__all__ = ["LARGEST_ANSWER", "ModelServer", "ServerProblem"]

LARGEST_ANSWER: Final = 64 * 1024 * 1024
"""Bytes of an answer at most."""

_BLOCK: Final = 1 << 20
_AGAIN: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504})


class ServerProblem(Exception):
    """What is wrong with a server, its address or its key, in words that may be shown.

    Attributes:
        status: that it answered with; 0 where it did not.
    """

    def __init__(self, problem: str, status: int = 0) -> None:
        super().__init__(problem)
        self.status = status


class ModelServer:
    """One route of an OpenAI-compatible server. Safe between threads.

    Attributes:
        host: with its port, as errors name it; address: up to and without the route.
        safe: what goes there is encrypted, or does not leave this machine.
    """

    def __init__(
        self,
        address: str,
        route: str,
        *,
        what: str,
        hints: Mapping[int, str],
        api_key: str | None = None,
        key_over_http: bool = False,
        backoff_seconds: Sequence[float] = (0.5, 2.0),
        longest_wait_seconds: float = 20.0,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """Nothing is sent.

        Args:
            address: up to and without `route`, such as `http://127.0.0.1:8000/v1`.
            route: "/embeddings", "/chat/completions".
            what: the kind of server, with its article, as errors name it: "an embedding".
            hints: status → what to look at.
            api_key: sent as a bearer token; None: none is sent.
            key_over_http: send the key unencrypted to another machine.
            backoff_seconds: waits before each further try; as many further tries as numbers.
            longest_wait_seconds: a server that asks for a longer wait is not waited for.
            sleep: waits; for tests.

        Raises:
            ServerProblem: not an http(s) address, one that holds a name, password, query or fragment,
                a key that no header can hold, or one that would cross a network unencrypted.
        """
        self.address, self.host, self.safe = _endpoint(address, route, what)
        if api_key is not None and not (api_key.isascii() and api_key.isprintable() and api_key):
            raise ServerProblem("the key is empty or holds characters that no header can carry")
        if api_key is not None and not self.safe and not key_over_http:
            raise ServerProblem(
                f"the key would go unencrypted to {self.host}; use https, or say key_over_http=True"
            )
        self._url = self.address + route
        self._what = what.partition(" ")[2]
        self._hints = dict(hints)
        self._backoff = tuple(backoff_seconds)
        self._longest_wait = longest_wait_seconds
        self._sleep = sleep
        # In a closure: no look at the object's attributes shows it.
        self._authorise = _authorisation(api_key)
        self._opener = urllib.request.build_opener(_NoRedirects)

    def post(
        self,
        body: Mapping[str, Any],
        *,
        timeout_seconds: float,
        once: bool = False,
        largest: int = LARGEST_ANSWER,
    ) -> bytes:
        """The server's answer, asked again after a wait where it was busy or could not be reached.

        Args:
            timeout_seconds: how long the server may be silent.
            once: do not ask again: somebody waits.
            largest: bytes of an answer at most.

        Raises:
            ServerProblem: there is none.
        """
        data = json.dumps(body).encode()
        status = 0
        for wait in (*(() if once else self._backoff), None):
            headers = {"Content-Type": "application/json", "Accept": "application/json"}
            request = urllib.request.Request(
                self._url, data=data, headers=headers | self._authorise(), method="POST"
            )
            asked_for = 0.0
            status = 0
            # None of these is kept as a cause: they hold headers and addresses of redirects.
            try:
                with self._opener.open(request, timeout=timeout_seconds) as response:
                    return _read(response, largest)
            except urllib.error.HTTPError as error:
                with error:
                    status = error.code
                    problem = f"answered {status}"
                    if status in self._hints:
                        problem += f" ({self._hints[status]})"
                    again = status in _AGAIN
                    asked_for = _retry_after(error.headers.get("Retry-After"))
            except _TooLarge:
                problem, again = f"answered more than {largest} bytes", False
            except (OSError, http.client.HTTPException) as error:
                reason = getattr(error, "reason", error)
                problem, again = f"cannot be reached ({_kind(reason)})", True
            if wait is None or not again or asked_for > self._longest_wait:
                break
            self._sleep(max(wait, asked_for))
        raise ServerProblem(f"the {self._what} server at {self.host} {problem}", status)


class _TooLarge(Exception):
    """An answer that is longer than any answer should be."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect is an answer like any other that says nothing."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _endpoint(address: str, route: str, what: str) -> tuple[str, str, bool]:
    """(address without the route, host with port, whether what is sent there is safe on the way)."""
    try:
        parts = urllib.parse.urlsplit(address)
        host, port = parts.hostname, parts.port
    except (ValueError, TypeError, AttributeError):
        parts, host, port = urllib.parse.SplitResult("", "", "", "", ""), None, None
    # What is wrong is named and not shown: a password may stand in it.
    if parts.scheme not in ("http", "https") or not host:
        raise ServerProblem(f"{what} server needs an address that begins with http:// or https://")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ServerProblem(
            f"the address of {what} server must not hold a name, a password, a query or a "
            "fragment; a key is given as api_key"
        )
    if not address.isascii() or not address.isprintable() or " " in address:
        raise ServerProblem(f"the address of {what} server holds characters that no address has")
    shown = f"[{host}]" if ":" in host else host
    place = shown if port is None else f"{shown}:{port}"
    path = parts.path.rstrip("/").removesuffix(route)
    return f"{parts.scheme}://{place}{path}", place, parts.scheme == "https" or _is_here(host)


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


def _read(response: Any, largest: int) -> bytes:
    """A whole answer, block by block, so that one without end does not fill the memory."""
    blocks: list[bytes] = []
    size = 0
    while block := response.read(_BLOCK):
        size += len(block)
        if size > largest:
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
