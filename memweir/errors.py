"""What can go wrong, and what should the caller do about it?

    MemweirError
    ├── InputError            the call itself is wrong; nothing was read or written   (also ValueError)
    │   ├── ConfigError       a setting is unknown or out of its range
    │   ├── ScopeError        a scope is missing, blank or of an unknown kind
    │   ├── TextError         a text that must say something is blank
    │   └── LimitError        a number is outside what the verb accepts
    ├── RefusedError          the call was understood and refused; nothing was written
    │   ├── PersonalDataRefused  a person has to approve what holds personal data
    │   ├── PromptRefused     a prompt block hides text, or forges the frame of a prompt
    │   ├── ReviewStale       what a decision is about changed since it was looked at
    │   ├── SecretRefused     a write gate saw a credential
    │   └── ThreatRefused     a write gate saw text that addresses the agent as an instruction
    ├── NotFoundError         no such memory, answer or run that the caller may see  (also LookupError)
    ├── StoreError            the database
    │   ├── StoreClosed       the store was closed
    │   ├── StorePathError    the path cannot hold a store: a directory, a missing or read-only folder
    │   ├── NotAStore         the file is not a memweir store
    │   ├── SchemaTooNew      a newer memweir wrote the file
    │   ├── StoreBusy         another process held the write lock for too long
    │   ├── StoreReadOnly     the file or disk does not accept writes
    │   ├── StoreFull         the disk is full
    │   └── StoreCorrupt      the file is damaged
    ├── FolderError           a folder for Markdown: something else is in it, or it takes no writes
    ├── EmbedderError         vectors and embedder do not fit together
    │   └── EmbedderMismatch  the store was indexed by another embedder; `reindex` mends it
    ├── ExtractorError        an extractor of facts failed, or gave what is no answer
    └── MissingExtra          an optional dependency is not installed             (also ImportError)

Errors carry their facts as attributes; their text says what to do. None of them carries a memory's
text, so that a log of errors is never a copy of the store. What a caller gave is quoted in part where
it is long: the attribute has the whole of it.
"""

from __future__ import annotations

import pickle
from typing import Final

from memweir.quoting import LONGEST_QUOTE, cut, quoted

__all__ = [
    "ConfigError",
    "EmbedderError",
    "EmbedderMismatch",
    "ExtractorError",
    "FolderError",
    "InputError",
    "LimitError",
    "MemweirError",
    "MissingExtra",
    "NotAStore",
    "NotFoundError",
    "PersonalDataRefused",
    "PromptRefused",
    "RefusedError",
    "ReviewStale",
    "SchemaTooNew",
    "ScopeError",
    "SecretRefused",
    "StoreBusy",
    "StoreClosed",
    "StoreCorrupt",
    "StoreError",
    "StoreFull",
    "StorePathError",
    "StoreReadOnly",
    "TextError",
    "ThreatRefused",
]


_MESSAGE: Final = 1_000  # characters of a message; a longer one quotes, and loses of its middle


class MemweirError(Exception):
    """Every error that memweir raises on purpose. It can be pickled, whatever its facts are."""

    def __reduce__(self) -> tuple[object, ...]:
        facts = {name: _picklable(value) for name, value in self.__dict__.items()}
        return _revive, (type(self), tuple(map(_picklable, self.args)), facts)


def _picklable(value: object) -> object:
    """The value, or how it is quoted where it cannot be pickled."""
    try:
        pickle.dumps(value)
    except Exception:  # whatever a caller's own type raises
        return quoted(value)
    return value


def _revive(
    kind: type[MemweirError], args: tuple[object, ...], facts: dict[str, object]
) -> MemweirError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(facts)
    return error


class InputError(MemweirError, ValueError):
    """The call itself is wrong; the store is as it was."""

    def __str__(self) -> str:
        return _bounded(super().__str__())


class ConfigError(InputError):
    """A setting is unknown or out of its range."""

    def __init__(self, setting: str, value: object, problem: str) -> None:
        super().__init__(f"{cut(setting)} = {quoted(value)}: {problem}")
        self.setting, self.value, self.problem = setting, value, problem


class ScopeError(InputError):
    """A scope is missing, blank or of an unknown kind. A missing scope never means global."""


class TextError(InputError):
    """A text that must say something is blank."""


class LimitError(InputError):
    """A number is outside what the verb accepts."""

    def __init__(self, name: str, value: object, problem: str) -> None:
        super().__init__(f"{cut(name)} = {quoted(value)}: {problem}")
        self.name, self.value, self.problem = name, value, problem


class RefusedError(MemweirError):
    """The call was understood and refused; nothing of it was written but the ledger entry."""


class PersonalDataRefused(RefusedError):
    """What would be given at once holds a person's data, and nobody has approved it."""

    def __init__(self, rule: str, field: str, fingerprint: str) -> None:
        super().__init__(
            f"refused: {field} holds personal data (rule {rule}, fingerprint {fingerprint}); once a "
            "person has approved it, pass approve_personal=True (--approve-personal)"
        )
        self.rule, self.field, self.fingerprint = rule, field, fingerprint


class PromptRefused(RefusedError):
    """A prompt block hides text from its reader, or would end the frame it stands in."""

    def __init__(self, rule: str, field: str, fingerprint: str) -> None:
        super().__init__(
            f"refused: {field} hides text or forges the frame of a prompt (rule {rule}, "
            f"fingerprint {fingerprint}); write it in plain words, without such marks"
        )
        self.rule, self.field, self.fingerprint = rule, field, fingerprint


class ReviewStale(RefusedError):
    """What a decision is about changed since it was looked at; look again, then decide."""

    def __init__(
        self, what: str, problem: str, remedy: str = "look at it again and decide with its new token"
    ) -> None:
        super().__init__(f"{what} {problem}; {remedy}")
        self.what, self.problem, self.remedy = what, problem, remedy


class SecretRefused(RefusedError):
    """A write gate saw a credential. The refused text is nowhere: only its rule and a fingerprint."""

    def __init__(self, rule: str, field: str, fingerprint: str) -> None:
        super().__init__(
            f"refused: {field} looks like a credential (rule {rule}, fingerprint {fingerprint}); "
            "store a pointer to where the secret is kept instead"
        )
        self.rule, self.field, self.fingerprint = rule, field, fingerprint


class ThreatRefused(RefusedError):
    """A write gate saw text that addresses the agent as an instruction."""

    def __init__(self, rule: str, field: str, fingerprint: str) -> None:
        super().__init__(
            f"refused: {field} reads as an instruction to the agent (rule {rule}, "
            f"fingerprint {fingerprint}); memories are data, restate it as a fact"
        )
        self.rule, self.field, self.fingerprint = rule, field, fingerprint


class NotFoundError(MemweirError, LookupError):
    """No such row that the caller may see. Other scopes' rows are reported the same way."""

    def __init__(self, what: str, key: str) -> None:
        super().__init__(f"no {what} {quoted(key)} in this store and scope")
        self.what, self.key = what, key


class StoreError(MemweirError):
    """The database."""


class StoreClosed(StoreError):
    """The store was closed."""

    def __init__(self) -> None:
        super().__init__("the store is closed; open it again with Memory.open")


class StorePathError(StoreError):
    """The path cannot hold a store."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path, self.problem = path, problem


class NotAStore(StoreError):
    """The file is not a memweir store; it was not touched."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path} is not a memweir store ({problem}); the file is untouched")
        self.path, self.problem = path, problem


class SchemaTooNew(StoreError):
    """A newer memweir wrote the file; it was not touched."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(
            f"store has schema {found}, this memweir knows {known}; "
            "upgrade memweir, the file is untouched"
        )
        self.found, self.known = found, known


class StoreBusy(StoreError):
    """Another process held the write lock for longer than the busy timeout."""


class StoreReadOnly(StoreError):
    """The file, folder or disk does not accept writes."""


class StoreFull(StoreError):
    """The disk is full; the transaction was rolled back."""


class StoreCorrupt(StoreError):
    """The file is damaged; restore a backup or export what can be read."""


class FolderError(MemweirError):
    """A folder for Markdown cannot be used; what was in it is as it was."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path, self.problem = path, problem


class EmbedderError(MemweirError):
    """Vectors and embedder do not fit together."""


class EmbedderMismatch(EmbedderError):
    """The store was indexed by another embedder; `reindex` mends it."""

    def __init__(self, stored: str, given: str) -> None:
        super().__init__(
            f"the store's vectors were made by {stored}, this embedder is {given}; "
            "the semantic path is off until `reindex` is run"
        )
        self.stored, self.given = stored, given


class ExtractorError(MemweirError):
    """An extractor of facts failed, or gave what is no answer; nothing was stored of the turn."""


class MissingExtra(MemweirError, ImportError):
    """An optional dependency is not installed."""

    def __init__(self, extra: str, package: str) -> None:
        super().__init__(
            f"{package} is needed for this; install it with: pip install 'memweir[{extra}]' "
            f"or, from a checkout, pip install -e '.[{extra}]'"
        )
        self.extra, self.package = extra, package


def _bounded(message: str) -> str:
    """A message whose end, where it says what to do, stays."""
    if len(message) <= _MESSAGE:
        return message
    return f"{message[:LONGEST_QUOTE]}…{message[-LONGEST_QUOTE:]}"
