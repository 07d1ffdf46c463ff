"""What do the tests of the command line share? A place of their own, and ways to run a command."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memweir.cli import main

Run = Callable[..., tuple[int, str, str]]

_NOW = "2026-03-20T10:00:00+08:00"


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting, store or folder of whoever runs the tests is read or written."""
    for name in list(os.environ):
        if name.startswith("MEMWEIR_"):
            monkeypatch.delenv(name)
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.setenv("MEMWEIR_STORE", str(tmp_path / "memory.db"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command; its exit code, what it wrote to stdout and what to stderr."""

    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def ask(run: Run) -> Callable[..., Any]:
    """Run a command with --json, at the moment of these tests unless one is given; its JSON object."""

    def call(*arguments: str, code: int = 0) -> Any:
        moment = () if "--now" in arguments else ("--now", _NOW)
        found, out, err = run(*arguments, *moment, "--json")
        assert found == code, err
        value = json.loads(out)
        assert isinstance(value, dict)
        assert out.count("\n") == 1, "one object on one line"
        return value

    return call
