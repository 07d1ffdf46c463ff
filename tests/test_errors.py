"""Is the error tree as it is drawn, and does every error say its facts and what to do?"""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable

import pytest

from memweir import errors
from memweir.errors import LimitError, MemweirError, SchemaTooNew, SecretRefused

CONSTRUCTED: dict[str, Callable[[], MemweirError]] = {
    "MemweirError": lambda: MemweirError("something"),
    "InputError": lambda: errors.InputError("the call is wrong"),
    "ConfigError": lambda: errors.ConfigError("fusion.rrf.k", -1, "must be between 1 and 1000"),
    "ScopeError": lambda: errors.ScopeError("a scope is missing"),
    "TextError": lambda: errors.TextError("blank"),
    "LimitError": lambda: errors.LimitError("limit", 0, "must be between 1 and 1000"),
    "RefusedError": lambda: errors.RefusedError("refused"),
    "PersonalDataRefused": lambda: errors.PersonalDataRefused("email", "answer", "3f9a"),
    "PromptRefused": lambda: errors.PromptRefused("block-frame", "body", "3f9a"),
    "ReviewStale": lambda: errors.ReviewStale("rev_1", "changed since it was looked at"),
    "SecretRefused": lambda: errors.SecretRefused("aws-key", "text", "3f9a"),
    "ThreatRefused": lambda: errors.ThreatRefused("ignore-previous", "title", "77b0"),
    "NotFoundError": lambda: errors.NotFoundError("memory", "mem_0123"),
    "StoreError": lambda: errors.StoreError("SQLite: something"),
    "StoreClosed": lambda: errors.StoreClosed(),
    "StorePathError": lambda: errors.StorePathError("/tmp", "is a directory"),
    "NotAStore": lambda: errors.NotAStore("notes.txt", "no SQLite header"),
    "SchemaTooNew": lambda: errors.SchemaTooNew(9, 1),
    "StoreBusy": lambda: errors.StoreBusy("locked"),
    "StoreReadOnly": lambda: errors.StoreReadOnly("read-only"),
    "StoreFull": lambda: errors.StoreFull("full"),
    "StoreCorrupt": lambda: errors.StoreCorrupt("damaged"),
    "ExtractorError": lambda: errors.ExtractorError("no answer"),
    "FolderError": lambda: errors.FolderError("/tmp/notes", "is a symbolic link"),
    "EmbedderError": lambda: errors.EmbedderError("not finite"),
    "EmbedderMismatch": lambda: errors.EmbedderMismatch("hashed/1/4096", "minilm/2/384"),
    "MissingExtra": lambda: errors.MissingExtra("eval", "ir-measures"),
}
FACTS = {
    "ConfigError": ("setting", "value", "problem"),
    "LimitError": ("name", "value", "problem"),
    "PersonalDataRefused": ("rule", "field", "fingerprint"),
    "PromptRefused": ("rule", "field", "fingerprint"),
    "ReviewStale": ("what", "problem", "remedy"),
    "SecretRefused": ("rule", "field", "fingerprint"),
    "ThreatRefused": ("rule", "field", "fingerprint"),
    "NotFoundError": ("what", "key"),
    "StorePathError": ("path", "problem"),
    "NotAStore": ("path", "problem"),
    "SchemaTooNew": ("found", "known"),
    "FolderError": ("path", "problem"),
    "EmbedderMismatch": ("stored", "given"),
    "MissingExtra": ("extra", "package"),
}


def _classes() -> dict[str, type[MemweirError]]:
    return {
        name: value
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, MemweirError)
    }


def _drawn() -> dict[str, tuple[str, set[str]]]:
    """Name → (parent, built-in bases named in brackets), read from the drawing in the docstring."""
    found: dict[str, tuple[str, set[str]]] = {}
    above: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        bare = line.lstrip(" │├└─")
        name = bare.split(" ")[0]
        drawing = line[: len(line) - len(bare)]
        if name not in _classes() or not (name == "MemweirError" or "─" in drawing):
            continue
        depth = (len(drawing) - 4) // 4
        del above[depth:]
        also = {bare.split("(also ")[1].rstrip(")")} if "(also " in bare else set()
        found[name] = (above[-1] if above else "", also)
        above.append(name)
    return found


def test_drawing_shows_every_error_below_its_parent_and_no_other() -> None:
    real = {}
    for name, value in _classes().items():
        ours = [each for each in value.__bases__ if each.__name__ in _classes()]
        foreign = {
            each.__name__
            for each in value.__bases__
            if each.__name__ not in _classes() and each is not Exception
        }
        real[name] = (ours[0].__name__ if ours else "", foreign)
    assert _drawn() == real


def test_every_error_is_exported_and_has_an_example_here() -> None:
    assert set(_classes()) == set(errors.__all__) == set(CONSTRUCTED)


@pytest.mark.parametrize("name", sorted(CONSTRUCTED))
def test_error_is_caught_as_memweir_error_and_says_something(name: str) -> None:
    error = CONSTRUCTED[name]()
    assert type(error).__name__ == name
    assert isinstance(error, MemweirError)
    assert str(error).strip()
    assert "\n" not in str(error)


@pytest.mark.parametrize("name", sorted(FACTS))
def test_error_carries_its_facts_as_attributes_and_nothing_else(name: str) -> None:
    error = CONSTRUCTED[name]()
    assert set(vars(error)) == set(FACTS[name])
    for fact in FACTS[name]:
        assert str(getattr(error, fact)) in str(error)


def test_errors_without_listed_facts_carry_none() -> None:
    bare = [name for name in CONSTRUCTED if name not in FACTS]
    assert [name for name in bare if vars(CONSTRUCTED[name]())] == []


@pytest.mark.parametrize("name", sorted(CONSTRUCTED))
def test_every_error_says_in_its_docstring_what_happened(name: str) -> None:
    assert (_classes()[name].__doc__ or "").strip().endswith(".")


def test_callers_that_know_only_python_catch_the_usual_kinds() -> None:
    assert issubclass(errors.InputError, ValueError)
    assert issubclass(errors.NotFoundError, LookupError)
    assert issubclass(errors.MissingExtra, ImportError)


def test_refusal_never_quotes_what_it_refused() -> None:
    parameters = inspect.signature(errors.SecretRefused.__init__).parameters
    assert list(parameters) == ["self", "rule", "field", "fingerprint"]
    assert list(inspect.signature(errors.ThreatRefused.__init__).parameters) == list(parameters)


def test_every_error_survives_a_process_boundary() -> None:
    errors = [SchemaTooNew(9, 1), SecretRefused("rule", "text", "0f"), LimitError("limit", 0, "low")]
    for error in errors:
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert (str(again), vars(again)) == (str(error), vars(error))


def test_an_error_about_what_cannot_be_pickled_is_pickled_as_it_was_quoted() -> None:
    error = LimitError("importance", (each for each in ()), "must be a number")
    back = pickle.loads(pickle.dumps(error))
    assert (type(back), str(back), back.problem) == (LimitError, str(error), error.problem)
    assert isinstance(back.value, str)
