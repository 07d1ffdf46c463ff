"""What do the tests of extractors share? A chat server on this machine that says what it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

Reply = tuple[int, dict[str, str], bytes]


def completion(content: object, finish_reason: str = "stop") -> bytes:
    """A chat completion that says this."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content}}
    return json.dumps({"choices": [choice | {"finish_reason": finish_reason}]}).encode()


@dataclass
class ChatServer:
    """An OpenAI-compatible server; `facts` is what its model finds, unless `answer` says otherwise."""

    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    facts: Callable[[list[dict[str, Any]]], list[Any]] = field(default_factory=lambda: lambda _: [])
    answer: Callable[[dict[str, Any]], Reply] | None = None

    def sentences(self, number: int = -1) -> list[dict[str, Any]]:
        """The sentences of a request."""
        document = json.loads(self.requests[number]["body"]["messages"][1]["content"])
        found: list[dict[str, Any]] = document["sentences"]
        return found

    def honest(self) -> Reply:
        """The answer of a model that does as it is told."""
        return 200, {}, completion(json.dumps({"facts": self.facts(self.sentences())}))


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    told = ChatServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            request = {"path": self.path, "headers": dict(self.headers), "body": body}
            told.requests.append(request)
            status, headers, answer = told.honest() if told.answer is None else told.answer(request)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

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
