"""Whose memory is it? The six kinds of scope and their keys."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from memweir.errors import LimitError, ScopeError
from memweir.quoting import quoted

__all__ = ["SCOPE_KINDS", "Scope", "as_scopes"]

SCOPE_KINDS: Final = ("session", "workspace", "project", "agent", "team", "global")

_KEY_LIMIT: Final = 512  # characters
_MOST_SCOPES: Final = 256  # of one view
_WORKSPACE_DIGEST: Final = 32  # hex digits, 128 bits


@dataclass(frozen=True, slots=True, order=True)
class Scope:
    """One scope: a kind and a key. Keys are data and never interpreted.

    Attributes:
        kind: one of `SCOPE_KINDS`.
        key: 1 to 512 characters, not blank; of a workspace the hash of its canonical path, never
            the path itself; of the global scope the word "global".

    Raises:
        ScopeError: unknown kind, blank or overlong key, text that UTF-8 cannot carry.
    """

    kind: str
    key: str

    def __post_init__(self) -> None:
        if self.kind not in SCOPE_KINDS:
            raise ScopeError(
                f"unknown scope kind {quoted(self.kind)}; use one of {', '.join(SCOPE_KINDS)}"
            )
        if not isinstance(self.key, str) or not self.key.strip():
            raise ScopeError(f"a {self.kind} scope needs a key that is not blank")
        if len(self.key) > _KEY_LIMIT:
            raise ScopeError(f"a scope key has at most {_KEY_LIMIT} characters, got {len(self.key)}")
        try:
            self.key.encode()
        except UnicodeEncodeError as error:
            raise ScopeError("a scope key must be valid Unicode (lone surrogate found)") from error
        if self.kind == "global" and self.key != "global":
            raise ScopeError("the global scope has the one key 'global'")

    @classmethod
    def session(cls, session_id: str) -> Scope:
        return cls("session", session_id)

    @classmethod
    def workspace(cls, path: str | os.PathLike[str]) -> Scope:
        """The scope of a folder: links resolved, stored as a hash, so that no path is on disk."""
        raw = os.fspath(path) if isinstance(path, (str, os.PathLike)) else None
        if not isinstance(raw, str) or not raw.strip():
            raise ScopeError("a workspace scope needs a path that is not blank")
        try:
            canonical = os.path.normcase(os.path.realpath(raw))
            digest = hashlib.sha256(canonical.encode("utf-8", "surrogateescape")).hexdigest()
        except (ValueError, OSError) as error:
            raise ScopeError(f"not a usable workspace path: {error}") from error
        return cls("workspace", digest[:_WORKSPACE_DIGEST])

    @classmethod
    def project(cls, name: str) -> Scope:
        return cls("project", name)

    @classmethod
    def agent(cls, agent_id: str) -> Scope:
        return cls("agent", agent_id)

    @classmethod
    def team(cls, team_id: str) -> Scope:
        return cls("team", team_id)

    @classmethod
    def everywhere(cls) -> Scope:
        """The global scope: only ever chosen explicitly."""
        return cls("global", "global")

    @classmethod
    def parse(cls, text: str) -> Scope:
        """Read `global`, `workspace:PATH`, `workspace:#HASH`, `session:ID`, `project:NAME`, …

        Raises:
            ScopeError: not text, or not a scope.
        """
        if not isinstance(text, str):
            raise ScopeError(
                f"a scope is written as text, KIND:KEY, got {type(text).__name__}; "
                "write for example project:atlas"
            )
        kind, colon, key = text.partition(":")
        if kind == "global" and (not colon or key == "global"):
            return cls.everywhere()
        if not colon:
            raise ScopeError(
                f"{quoted(text)} is not a scope; write KIND:KEY, for example project:atlas"
            )
        if kind == "workspace":
            return cls("workspace", key[1:]) if key.startswith("#") else cls.workspace(key)
        return cls(kind, key)

    def __str__(self) -> str:
        """The form `parse` reads back."""
        if self.kind == "global":
            return "global"
        return f"{self.kind}:{'#' if self.kind == 'workspace' else ''}{self.key}"


def _needed(given: object) -> str:
    return f"a Scope is needed, got {quoted(given)}; build one with Scope.project('name')"


def as_scopes(scope: Scope | Iterable[Scope] | None) -> tuple[Scope, ...]:
    """One scope or several as a sorted tuple without repeats.

    Raises:
        ScopeError: none given. A missing scope is an error, never global.
        LimitError: more than 256 different ones.
    """
    if isinstance(scope, Scope):
        return (scope,)
    if scope is not None and not isinstance(scope, Iterable):
        raise ScopeError(
            f"a Scope is needed, got {quoted(scope)}; build one with Scope.project('name')"
        )
    given: list[object] = [] if scope is None else list(scope)
    if not given:
        raise ScopeError("at least one scope is needed; a missing scope never means global")
    several = {each for each in given if isinstance(each, Scope)}
    if not all(isinstance(each, Scope) for each in given):
        raise ScopeError(
            f"a Scope is needed, got {quoted(scope)}; build one with Scope.project('name')"
        )
    if len(several) > _MOST_SCOPES:
        raise LimitError("scopes", len(several), f"at most {_MOST_SCOPES} in one call")
    return tuple(sorted(several))
