"""What do all tests share? A memory in a file of its own, told texts, single paths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

# Before anything of memweir.testing is imported: failing asserts of the contract explain themselves.
pytest.register_assert_rewrite("memweir.testing.contract")

from memweir import Config, Draft, Memory, Stored  # noqa: E402
from memweir.config import RetrievalConfig  # noqa: E402
from memweir.retrieval.types import PATHS  # noqa: E402
from memweir.testing import FixedClock, draft  # noqa: E402


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def open_memory(path: Path) -> Iterator[Callable[..., Memory]]:
    """Open the memory at `path`, the clock standing still; closed at the end of the test."""
    with ExitStack() as opened:

        def opening(**options: Any) -> Memory:
            options.setdefault("clock", FixedClock())
            return opened.enter_context(Memory.open(path, **options))

        yield opening


@pytest.fixture
def memory(open_memory: Callable[..., Memory]) -> Memory:
    return open_memory()


@pytest.fixture
def tell() -> Callable[..., list[str]]:
    """Store texts or drafts, none of which may be refused; their ids."""

    def telling(memory: Memory, *texts: str | Draft, **fields: Any) -> list[str]:
        drafts = [each if isinstance(each, Draft) else draft(each, **fields) for each in texts]
        ids = []
        for result in memory.remember_many(drafts):
            assert isinstance(result, Stored), result
            ids.append(result.id)
        return ids

    return telling


@pytest.fixture
def only() -> Callable[..., Config]:
    """A configuration with these paths on and the others off."""

    def switching(*paths: str, **settings: Any) -> Config:
        switches = {name: name in paths for name in PATHS}
        return Config(retrieval=RetrievalConfig(**switches), **settings)

    return switching
