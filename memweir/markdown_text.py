"""How does stored text stand in a Markdown page? As text: it opens and closes nothing there.

Every text becomes one line, put behind something that we wrote, so that nothing in it begins a line
and with it a heading, a list, a fence, a table or a setext underline. What means something inside a
line is escaped: by a character reference where a reader may not know a backslash before it (< > & | and
{{), else by a backslash.
"""

from __future__ import annotations

import html
import re
from typing import Final

from memweir.fusion.escaping import revealed

__all__ = ["BREAK", "inline", "plain"]

BREAK: Final = "<br>"
"""In place of a line end."""

_REFERENCES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"})
_BACKSLASHED: Final = re.compile(
    r"[\\`*\[\]~$]"
    # Underscores inside of words are no emphasis, and names_like_this stay readable.
    r"|(?<![^\W_])_|_(?![^\W_])"
    # What is made a link without any brackets: a scheme, and www.
    r"|:(?=//)|(?<=mailto):|(?<=xmpp):|(?<=www)\.",
    re.IGNORECASE,
)
_TEMPLATE: Final = re.compile(r"\{(?=[{%:#])")  # of generators of sites, and lists of attributes
_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")


def inline(text: str) -> str:
    """A text as one line of Markdown that shows it, with `BREAK` for its line ends.

    Control characters, direction marks and what else hides are spelled out: see `revealed`. Blanks at
    the ends of lines and empty lines at the ends of the text are lost.
    """
    lines = [each.replace("\t", " ").strip(" ") for each in revealed(text).strip().split("\n")]
    return BREAK.join(_line(each) for each in lines)


def plain(line: str) -> str:
    """What a line of Markdown says without its escapes, as far as they are ours."""
    return html.unescape(_ESCAPED.sub(r"\1", line.replace(BREAK, " ")))


def _line(text: str) -> str:
    # Backslashes first: none of the references holds a character that they stand before.
    escaped = _BACKSLASHED.sub(r"\\\g<0>", text).translate(_REFERENCES)
    return _TEMPLATE.sub("&#123;", escaped)
