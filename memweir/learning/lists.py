"""Which words does a list of capture hold? The files of `learning/data/`, by section."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from importlib import resources

from memweir.errors import ConfigError

__all__ = ["read_lines", "read_sections"]


def read_lines(file: str) -> Iterator[tuple[str, str]]:
    """(section, line) of a list, without comments and blank lines.

    Raises:
        ConfigError: the file cannot be read.
    """
    try:
        text = (resources.files("memweir.learning") / "data" / file).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ConfigError(file, str(error), "cannot be read; reinstall memweir") from error
    section = ""
    for line in text.splitlines():
        if line.startswith("["):
            section = line.strip().strip("[]")
        elif line.strip() and not line.startswith("#"):
            yield section, line.strip()


@functools.cache
def read_sections(file: str) -> Mapping[str, frozenset[str]]:
    """The words of each section of a list of words. Read once per process."""
    found: dict[str, set[str]] = {}
    for section, line in read_lines(file):
        found.setdefault(section, set()).update(line.split())
    return {section: frozenset(words) for section, words in found.items()}
