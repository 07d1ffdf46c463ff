"""What do the tests of the embedders share? A server on this machine that answers as it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


def vector_of(text: str) -> list[float]:
    """Two numbers of a text: its length, and how many blanks it has. Not of length 1."""
    return [float(len(text)), float(text.count(" "))]


@dataclass
class Server:
    """An OpenAI-compatible server; `answer` makes (status, headers, body) of a request."""

    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    answer: Callable[[dict[str, Any]], tuple[int, dict[str, str], bytes]] = field(
        default_factory=lambda: honest
    )

    @staticmethod
    def honest(request: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
        """The answer of a server that works."""
        return honest(request)


def honest(request: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
    """As a server answers, but in another order than it was asked in: `index` tells which is which."""
    rows = [
        {"object": "embedding", "index": place, "embedding": vector_of(text)}
        for place, text in enumerate(request["body"]["input"])
    ]
    return 200, {}, json.dumps({"object": "list", "data": rows[::-1]}).encode()


@pytest.fixture
def server() -> Iterator[Server]:
    told = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            request = {"path": self.path, "headers": dict(self.headers), "body": body}
            told.requests.append(request)
            status, headers, answer = told.answer(request)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def do_GET(self) -> None:
            told.requests.append({"path": self.path, "headers": dict(self.headers), "body": None})
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.url = f"http://127.0.0.1:{listening.server_address[1]}/v1"
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield told
    listening.shutdown()
    thread.join()
    listening.server_close()
