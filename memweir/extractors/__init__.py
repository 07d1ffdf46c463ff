"""Which models can read facts out of what a person says, and how does a setting name one?

Nothing here is needed: memweir reads by rules, without a model. A class here is an `Extractor`; what it
gives is verified as if a stranger had said it. Names are loaded when first used.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from memweir.errors import ConfigError, ExtractorError

if TYPE_CHECKING:
    from memweir.extractors.openai_compatible import OpenAICompatibleExtractor
    from memweir.learning.types import Extractor

__all__ = [
    "KEY_VARIABLE",
    "SETTING",
    "OpenAICompatibleExtractor",
    "check_spec",
    "resolve",
]

SETTING: Final = "capture.extractor"
"""The setting that names an extractor."""

KEY_VARIABLE: Final = "OPENAI_API_KEY"
"""The environment variable that a server's key is read from; no setting holds one."""

_HOMES: Final = {"OpenAICompatibleExtractor": "openai_compatible"}
_UNENCRYPTED: Final = "unencrypted"
_SHOWN: Final = "openai:…"  # what was written is not shown: somebody may have put a key there
_FORM: Final = "openai:MODEL@http(s)://HOST/v1"


def resolve(
    spec: str, *, environ: Mapping[str, str] | None = None, fallback: bool = False
) -> Extractor:
    """The extractor of a setting. Nothing is sent yet.

    Args:
        spec: `openai:MODEL@URL`; `openai:MODEL@URL#unencrypted` for a server on another machine
            without encryption, to which no key is sent.
        environ: where `OPENAI_API_KEY` is looked up; None: the process's environment.
        fallback: read by rules where the server fails.

    Raises:
        ConfigError: the setting names nothing that is known, or a server that cannot be asked.
    """
    from memweir.extractors.openai_compatible import OpenAICompatibleExtractor

    model, address, unencrypted = check_spec(spec)
    key = (os.environ if environ is None else environ).get(KEY_VARIABLE) or None
    try:
        return OpenAICompatibleExtractor(
            address,
            model,
            api_key=None if unencrypted else key,
            unencrypted=unencrypted,
            fallback=fallback,
        )
    except ExtractorError as error:
        raise ConfigError(SETTING, f"openai:{model}@…", str(error)) from error


def check_spec(spec: str) -> tuple[str, str, bool]:
    """(model, address, whether it may be asked without encryption) of a setting. Imports nothing.

    Raises:
        ConfigError: it has none of the known forms.
    """
    kind, colon, value = spec.partition(":")
    if kind != "openai" or not colon:
        raise ConfigError(SETTING, kind, f"is no extractor; use {_FORM}")
    model, at, address = value.rpartition("@")
    address, hash_sign, mark = address.partition("#")
    if not at or not model.strip() or not address.startswith(("http://", "https://")):
        raise ConfigError(SETTING, _SHOWN, f"must have the form {_FORM}")
    if hash_sign and mark != _UNENCRYPTED:
        raise ConfigError(SETTING, _SHOWN, f"may end with #{_UNENCRYPTED} and with nothing else")
    return model, address, bool(hash_sign)


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'memweir.extractors' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"memweir.extractors.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
