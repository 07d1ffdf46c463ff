"""Is this line code, or a command for a shell? What no sentence looks like."""

from __future__ import annotations

import functools
import re
from typing import Final

from memweir.learning.lists import read_lines
from memweir.retrieval.scripts import HAN

__all__ = ["is_code", "is_command"]

_LONGEST: Final = 600  # characters that are looked at

_HAN: Final = re.compile(f"[{HAN}]")
_COMMENT: Final = re.compile(r"\s(?:#|//)\s.*$|/\*.*?\*/")
_STRING: Final = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`")
# What a statement of a programming language begins with, in full: the words alone are English too.
_OPENS: Final = re.compile(
    r"\s*(?:"
    r"(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:def|function|func|fn)\s+[\w$.]*\s*[(<]"
    r"|(?:export\s+|abstract\s+|public\s+|final\s+|data\s+)*(?:class|interface|struct|enum|trait|impl)\s+\w+"
    r"[^.!?]{0,200}[{:(]\s*$"
    r"|(?:export\s+)?(?:const|let|var|val|static|final)\s+[\w$\[\]{},: <>]+?\s*=(?!=)"
    r"|(?:from [\w.]+ )?import (?:[\w.]+|\{[^{}]{0,200}\}|\*)(?: as \w+)?(?:, ?\w+(?: as \w+)?)*"
    r"(?: from ['\"][^'\"]*['\"])?;?\s*$"
    r"|\#\s*(?:include|define|ifdef|ifndef|endif|pragma)\b|\#!\s*/"
    r"|(?:public|private|protected)\s+(?:static\s+)?[\w<>\[\]]+\s+\w+\s*[(=;]"
    r"|(?:if|elif|while|for|switch|catch|else if)\s*\([^)]*\)\s*\{?\s*$"
    r"|(?:else|try|finally|except(?: [\w.]+)?(?: as \w+)?):\s*$"
    r"|(?:if|elif|while|with|except)\b[^.!?,，。]{0,200}(?:[()\[\]<>]|==|\bnot\b)[^!?，。]{0,200}:\s*$"
    r"|for (?:\w{1,2} in |\w+(?:, ?\w+)* in [^ ]*[(._\[])[^ ]*:\s*$"
    r"|return\b[^.]*;\s*$|return\s+[\w.]+\(.*\)\s*$"
    r"|@[\w.]+(?:\(.*\))?\s*$"
    r"|(?:SELECT\b.{1,400}\bFROM|INSERT\s+INTO|UPDATE\s+\S+\s+SET|DELETE\s+FROM|(?:CREATE|ALTER|DROP)\s+"
    r"(?:TABLE|INDEX|VIEW|DATABASE))\b"
    r"|>>>\s|\$\s+[a-z]|In\s\[\d+\]:|Out\[\d+\]:|PS\s[A-Z]:\\"
    r")"
)
_ASSIGNS: Final = re.compile(
    r"\s*(?:export\s+|set\s+)?[A-Za-z_$][\w$.\[\]'\"]*(?:\s*:\s*[\w\[\], |]+)?"
    r"\s*(?:[-+*/|&:]?=)(?![=>])\s*\S"
)
_ENDS: Final = re.compile(r"(?:[;{}]|\)\s*;|=>\s*\{?|\(\s*|\\|\]\)|\}\))\s*$")
_CALLS: Final = re.compile(
    r"\s*(?:await\s+|new\s+)?[A-Za-z_$][\w$]*(?:(?:\.|::|->)[\w$]+)*\(.*\)[;,]?\s*$"
)
_OPERATORS: Final = re.compile(
    r"=>|->|::|&&|\|\||[=!]==?|\+=|-=|:=|<=|>=|\(\)|\+\+;|</|/>|\$\{|\}\}|\{\{|\[\]|\{\}|\w\[\w+\]|\w\.\w+\("
)
_SIGN: Final = re.compile(r"[{}()\[\];=<>|&$\\^~%#@*/+]")
_SPACE: Final = re.compile(r"\s")
_PROSE: Final = re.compile(
    r"\b(?:i|i'm|my|we|our|you|your|he|she|they|is|are|was|were|am|the|because|always|never|please|when|but)\b",
    re.IGNORECASE,
)
_TALK: Final = re.compile(
    r"(?<![\w-])(?:i|i'm|my|me|we|our|you|your|he|she|they|it|is|are|was|were|am|the|because|always|never|please"
    r"|when|but|that|this|so|fails?|works?|takes?|for)\b",
    re.IGNORECASE,
)
_SHELL: Final = re.compile(
    r"\s-{1,2}[A-Za-z][\w-]*|\s\||\|\s|&&|\|\||[<>]{1,2}\s*\S|\$\(|\$\w|\s(?:~|\.{0,2}/)\S*|\s\S*\*\S*"
)
_FILE: Final = re.compile(r"\s[\w.-]+\.[A-Za-z][\w]{0,4}(?:\s|$)")
_PROMPT: Final = re.compile(r"\s*(?:\$(?=\s+[a-z])|❯|➜|PS>|[\w.-]+@[\w.-]+[:~][^\s$#]*[$#])\s+(?=\S)")


def is_code(line: str) -> bool:
    """Whether a line is of a program, or of a file that one reads.

    A line with Chinese outside of strings and comments is prose, however many signs stand in it.
    """
    line = line[:_LONGEST]
    bare = _COMMENT.sub("", _STRING.sub('""', line))
    if not bare.strip() or _HAN.search(bare):
        return False
    if _OPENS.match(bare):
        return True
    talk = _PROSE.search(bare) is not None
    if not talk and (_ASSIGNS.match(bare) or _CALLS.match(bare)):
        return True
    signs = len(_SIGN.findall(bare))
    dense = signs * 6 >= len(_SPACE.sub("", bare))
    operators = len(_OPERATORS.findall(bare))
    if _ENDS.search(bare):
        return not talk and (operators > 0 or dense or signs >= 2)
    return (dense and operators > 0 and not talk) or (operators >= 3 and dense)


def is_command(line: str) -> bool:
    """Whether a line is what one types into a shell: "git push origin main"."""
    line = line[:_LONGEST].strip().strip("`")
    if _HAN.search(_STRING.sub("", line)):
        return False
    prompt = _PROMPT.match(line)
    if prompt is not None:
        return True
    words = line.split(None, 2)
    if not words or line[-1:] in "?!":
        return False
    program = words[0].rpartition("/")[2]
    if _TALK.search(_STRING.sub("", line[len(words[0]) :])):
        return False
    following, plain = _programs()
    if program in following:
        known = following[program]
        if len(words) > 1 and (words[1] in known or ("*" in known)):
            return program != "make" or len(words) == 2
    elif program not in plain:
        return line.startswith(("./", "/")) and len(words) > 1 and _SHELL.search(line) is not None
    if len(words) == 1:
        return program in ("ls", "pwd", "pytest")
    return _SHELL.search(line) is not None or _FILE.search(line) is not None


@functools.cache
def _programs() -> tuple[dict[str, frozenset[str]], frozenset[str]]:
    following: dict[str, frozenset[str]] = {}
    plain: set[str] = set()
    for section, line in read_lines("programs.txt"):
        if section == "with":
            program, _, words = line.partition(":")
            following[program] = frozenset(words.split())
        else:
            plain.update(line.split())
    return following, frozenset(plain)
