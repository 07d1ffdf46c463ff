"""Whose memory is it? Kinds and keys of scopes."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memweir.errors import LimitError, ScopeError
from memweir.store.scopes import SCOPE_KINDS, Scope, as_scopes

_KEYED = [kind for kind in SCOPE_KINDS if kind != "global"]


@pytest.mark.parametrize("kind", _KEYED)
@pytest.mark.parametrize("key", ["", " ", "\t\n", "\u3000", "\u00a0", "x" * 513, "cut \ud83d", None, 7])
def test_a_blank_overlong_or_unwritable_key_is_an_error_for_every_kind(kind: str, key: object) -> None:
    with pytest.raises(ScopeError):
        Scope(kind, key)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["", "Project", "user", "GLOBAL", None])
def test_an_unknown_kind_is_an_error(kind: str) -> None:
    with pytest.raises(ScopeError, match="unknown scope kind"):
        Scope(kind, "x")


def test_the_global_scope_is_one() -> None:
    assert Scope.everywhere() == Scope.parse("global") == Scope.parse("global:global")
    with pytest.raises(ScopeError):
        Scope("global", "mine")


@pytest.mark.parametrize("given", [None, (), [], iter(())])
def test_a_missing_scope_never_means_global(given: object) -> None:
    with pytest.raises(ScopeError, match="never means global"):
        as_scopes(given)  # type: ignore[arg-type]


@pytest.mark.parametrize("given", ["atlas", ["atlas"], [Scope.project("a"), None], 7, {"a": 1}])
def test_what_is_no_scope_is_an_error(given: object) -> None:
    with pytest.raises(ScopeError):
        as_scopes(given)  # type: ignore[arg-type]


def test_several_scopes_are_sorted_without_repeats_and_the_argument_stays_as_it_was() -> None:
    given = [Scope.team("b"), Scope.project("a"), Scope.team("b")]
    assert as_scopes(given) == (Scope.project("a"), Scope.team("b"))
    assert given == [Scope.team("b"), Scope.project("a"), Scope.team("b")]
    assert as_scopes(Scope.team("b")) == (Scope.team("b"),)


@given(st.sampled_from(_KEYED), st.text(min_size=1, max_size=40))
def test_what_a_scope_prints_as_is_read_back_as_the_same_scope(kind: str, key: str) -> None:
    try:
        scope = Scope(kind, key)
    except ScopeError:
        return
    assert Scope.parse(str(scope)) == scope


@pytest.mark.parametrize(
    "text", ["", "atlas", "project:", "user:ada", "workspace:", "workspace:#", "#x"]
)
def test_text_that_names_no_scope_is_an_error(text: str) -> None:
    with pytest.raises(ScopeError):
        Scope.parse(text)


def test_a_workspace_is_a_hash_of_the_folder_behind_every_way_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "ada" / "app"
    folder.mkdir(parents=True)
    scope = Scope.workspace(folder)
    assert re.fullmatch("[0-9a-f]{32}", scope.key)
    ways = [f"{folder}/", f"{folder}/../app", f"{folder}/./"]
    if hasattr(os, "symlink") and os.name == "posix":
        link = tmp_path / "link"
        link.symlink_to(folder)
        ways.append(str(link))
    monkeypatch.chdir(folder)
    assert {Scope.workspace(way) for way in [*ways, "."]} == {scope}
    assert Scope.workspace(folder.parent) != scope
    assert str(tmp_path) not in str(scope)


@pytest.mark.parametrize("given", ["", "  ", b"/tmp", "a\x00b", None, 3])
def test_a_path_that_names_no_folder_is_an_error(given: object) -> None:
    with pytest.raises(ScopeError):
        Scope.workspace(given)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", [None, 5, b"project:atlas", ["project:atlas"]])
def test_what_is_not_text_is_no_written_scope(text: object) -> None:
    with pytest.raises(ScopeError, match="project:atlas"):
        Scope.parse(text)  # type: ignore[arg-type]


def test_one_call_takes_at_most_256_different_scopes() -> None:
    several = [Scope.project(f"p{n}") for n in range(256)]
    assert len(as_scopes([*several, *several])) == 256
    with pytest.raises(LimitError, match="at most 256") as caught:
        as_scopes([*several, Scope.everywhere()])
    assert (caught.value.name, caught.value.value) == ("scopes", 257)
