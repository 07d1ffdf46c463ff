"""Which identifiers of failures does a text name, and does it hold a stack trace?"""

from __future__ import annotations

import re
from typing import Final

from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.normalise import fold, unify
from memweir.retrieval.synonyms import TOKEN_MARK

__all__ = ["holds_stack_trace", "incident_marks", "raw_marks"]

_MOST_MARKS: Final = 32


def incident_marks(text: str) -> tuple[str, ...]:
    """The identifiers of failures that a text names, first seen first, unique, at most 32.

    Error names, codes in capitals, E1234 and the like are index terms as the analysis makes them of
    the same text. A number alone would name nothing: "exit code 137" is `exit:137` and "HTTP 502" is
    `http:502`, in either language; these are no terms of the analysis.
    """
    marks: dict[str, None] = {}
    for raw in raw_marks(text):
        marks[_term(raw)] = None
    return tuple(marks)[:_MOST_MARKS]


def raw_marks(text: str) -> list[str]:
    """The marks as written, but for the numbers, which get their word; unique, at most 32."""
    if not text.isascii():
        text = unify(text)
    marks: dict[str, None] = {}
    for match in _MARK.finditer(text):
        kind, value = match.lastgroup, match[match.lastgroup or 0]
        if kind == "exit":
            value = f"exit:{value}"
        elif kind in ("http", "plural"):
            value = f"http:{value}"
        elif kind == "name":
            value = value.rpartition(".")[2]
        marks[value] = None
        if len(marks) >= _MOST_MARKS:
            break
    return list(marks)


def holds_stack_trace(text: str) -> bool:
    """Whether frames of a stack trace stand in a text as a program writes them."""
    return _FRAMES.search(text) is not None


_FRAMES: Final = re.compile(
    r"""Traceback\ \(most\ recent\ call\ last\)
      | ^[ \t]*File\ "[^"\n]{1,200}",\ line\ \d+
      | ^[ \t]*at\ [\w.$<>/]{1,120}[ ]?\([^()\n]{1,120}:\d+\)
      | ^goroutine\ \d+\ \[
      | thread\ '[^'\n]{1,60}'\ panicked\ at
    """,
    re.MULTILINE | re.VERBOSE,
)
_ERRNO: Final = (
    "ACCES|ADDRINUSE|ADDRNOTAVAIL|AGAIN|AI_AGAIN|ALREADY|BADF|BUSY|CONNABORTED|CONNREFUSED|CONNRESET"
    "|DQUOT|EXIST|FBIG|HOSTDOWN|HOSTUNREACH|INTR|INVAL|ISDIR|LOOP|MFILE|MSGSIZE|NAMETOOLONG|NETDOWN"
    "|NETUNREACH|NFILE|NODEV|NOENT|NOEXEC|NOMEM|NOSPC|NOSYS|NOTCONN|NOTDIR|NOTEMPTY|NOTFOUND|NOTSUP|PERM"
    "|PIPE|PROTO|RANGE|ROFS|SRCH|STALE|TIMEDOUT|XDEV|RESOLVE|LIFECYCLE|INTEGRITY|TARGET|USAGE|BADENGINE"
)
_HTTP_WORD: Final = (
    r"http(?:/[\d.]{1,3})?|status(?:[ -]code)?|returned|returns?|answer(?:s|ed|ing)?"
    r"|respond(?:s|ed)?(?:\ with)?|got|gets?|getting|see|seeing|saw|throws|with|code"
    r"|状态码|返回码|返回|响应|报|报错|一直|收到|全是|又是|出现|错误码"
)
_COUNTED: Final = (
    r"(?![\d%]|[.,:/-]\d|\ ?(?:rows?|items?|records?|results?|events?|files?|users?|ms|kb|mb|gb"
    r"|s\b|px|usd"
    r"|[条个次行元份名人年万毫秒页篇张块号字天米公斤]))"
)
_MARK: Final = re.compile(
    rf"""
      (?<![A-Za-z0-9_-])(?:
        (?P<name>(?:[A-Za-z_]\w{{0,60}}\.){{0,8}}
            (?:[A-Z][A-Za-z0-9]{{1,60}}(?:Error|Exception|Panic|Fault)
                |(?![a-z]*terror)[a-z]{{2,40}}(?:error|exception))
            )(?![A-Za-z0-9_])
        |(?P<code>[A-Z][A-Z0-9]{{1,30}}(?:_[A-Z0-9]{{1,30}}){{1,8}}|E(?:{_ERRNO})
            |SIG(?:SEGV|KILL|ABRT|BUS|ILL|FPE|TERM|PIPE|TRAP|XCPU)
            |(?:E|TS|CS|LNK|MSB|NU|PGRST)\d{{3,5}}|(?:ERR|ORA|SQLSTATE)[-_]?\d{{2,6}}|0x[0-9A-Fa-f]{{8}}
            |CrashLoopBackOff|OOMKilled|ImagePullBackOff|ErrImagePull|FailedScheduling)
            (?![A-Za-z0-9_])
      )
      |(?i:error|fatal|code|报错|错误码?)\ ?[\[(:：]?\ ?
            (?P<numbered>[A-Z]{{1,5}}-?\d{{2,6}})(?![A-Za-z0-9_])
      |(?i:(?:exit(?:ed|s)?(?:\ with)?(?:\ (?:status|code|value)){{0,2}}|退出码|exit_code|returncode)
          \ ?(?:was|is|of|为|是)?[:=：]?\ ?|code=exited,\ ?status=)(?P<exit>[1-9]\d{{0,2}})(?![\d.])
      |(?<![A-Za-z0-9_])(?i:{_HTTP_WORD})(?:\ (?:an?|http|error|status|code|of)){{0,3}}[:=：]?\ ?
            (?P<http>[45]\d\d){_COUNTED}
      |(?<![\w.,:/-])(?P<plural>50[0-4]|40[0134]|429)
            (?:s(?!\w)|\ ?(?i:errors?|bad\ gateway|internal\ server|错误|报错))
    """,
    re.VERBOSE,
)


def _term(mark: str) -> str:
    """A mark as the keyword index folds it: an identifier whole, a plain word by its stem."""
    if ":" in mark:
        return mark
    terms = default_analyzer().analyse(mark).terms
    return next((term for term in terms if not term.startswith(TOKEN_MARK)), fold(mark))
