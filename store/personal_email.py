"""Which stretches of a text are an e-mail address?

The "@" of an address stands in many other things too: remotes of repositories, logins, versions of
packages, mentions, users of URLs, code. Each "@" is judged by a bounded stretch before and after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memweir.store.gate_rules import LazyPattern
from memweir.store.personal_domains import domain_end
from memweir.store.personal_numbers import line_after, line_before

__all__ = ["emails"]


def emails(text: str) -> Iterator[tuple[int, int]]:
    """Spans of addresses in a folded text, in its order, none overlapping."""
    done = 0
    for sign in _SIGN.finditer(text):
        if sign.start() < done:
            continue
        span = _address(text, sign.start(), sign.end())
        if span is not None and span[0] >= done:
            yield span
            done = span[1]


_SIGN: Final = re.compile(r"@|%40")
_MOST_LOCAL: Final = 64  # characters, RFC 5321
_MOST_DOMAIN: Final = 255


def _address(text: str, at: int, behind: int) -> tuple[int, int] | None:
    local = _local_part(text, at)
    if not local:
        return None
    start = at - len(local)
    labels = _LABELS.match(text[behind : behind + _MOST_DOMAIN].translate(_FULL_STOP))
    if labels is None or _VERSION.match(labels.group()) is not None:
        return None
    named = _is_beside_word(text, start, behind)
    length = domain_end(labels.group(), any_ending=named)
    if not length:
        return None
    end = behind + length
    if _is_machine(local.lower(), text[behind:end].lower()):
        return None
    if _is_other_before(text, start) or _is_other_behind(text, end, named=named):
        return None
    if text[start - 1 : start] == "\\":
        start += 1  # the letter of the escape
    return start, end


def _local_part(text: str, at: int) -> str:
    """The local part that ends before an "@"; empty where there is none, or one too long."""
    before = text[max(0, at - _MOST_LOCAL - 1) : at]
    if before.endswith('"'):
        quoted = _QUOTED.match(before[::-1])
        return quoted.group()[::-1] if quoted is not None else ""
    run = _LOCAL_RUN.match(before[::-1])  # read backwards, so that it is walked once
    if run is None or run.end() > _MOST_LOCAL:
        return ""
    return run.group()[::-1].lstrip(".+-'%")


# Letters of scripts that put blanks between words: a Chinese sentence runs on before the "@".
_LETTER: Final = r"[^\W\u0700-\U0010ffff]"
_LOCAL_RUN: Final = re.compile(rf"(?!\.)(?:{_LETTER}|[.+%'-])+")
_QUOTED: Final = LazyPattern(r'"[^"\n@]{1,60}"(?![^\s<(:,;=])')
_LABELS: Final = re.compile(r"(?:[^\W_](?:[^\W_]|-){0,62}\.)+(?:[^\W_]|-){2,63}")
_FULL_STOP: Final = {ord("。"): "."}  # what an input method for Chinese makes of the dot
_VERSION: Final = re.compile(
    r"v[0-9]+\.|[0-9]+\.(?:[0-9]|x(?![a-z]))|[0-9]+x\.|sha[0-9]+\.", re.IGNORECASE
)


def _is_machine(local: str, domain: str) -> bool:
    """Whether nobody reads what is sent there."""
    return _MACHINE.fullmatch(local) is not None or domain.endswith(".gserviceaccount.com")


_MACHINE: Final = re.compile(
    r"git|svn|hg|(?:no|do-?not)[._-]?reply|mailer-daemon|(?:auto-?)?bounces?"
    r"|v?[0-9]+\.[0-9]+\.[0-9].*"
)


def _is_other_before(text: str, start: int) -> bool:
    """Whether what stands before makes it a login, a path or a handle rather than an address."""
    previous = text[start - 1 : start]
    if previous == "@" or (previous == "\\" and _ESCAPE.match(text, start) is None):
        return True
    before = text[max(0, start - 256) : start]
    scheme = before.rfind("://")
    if scheme >= 0 and _USER_INFO.fullmatch(before, scheme + 3) is not None:
        return True
    line = line_before(text, start, 120)
    return _LOGIN.search(line) is not None or (previous == "<" and _MESSAGE_ID.search(line) is not None)


_ESCAPE: Final = re.compile(r"[nrt][^@]")  # a line break as JSON writes it
_USER_INFO: Final = re.compile(r"[A-Za-z0-9._~%!$&*+=:-]*")
_LOGIN: Final = LazyPattern(
    r"(?<![a-z0-9_-])(?:ssh|scp|sftp|rsync|mosh|autossh|sshfs|ssh-copy-id)"
    r"(?:\s{1,4}-[^\s]{1,20}(?:\s{1,4}(?!-)[^\s@]{1,60})?){0,6}\s{1,4}$"
    r"|(?<![a-z])(?:sqlplus|sqlldr|expdp|impdp|rman)\s[^\n]{0,60}/$"
)
_MESSAGE_ID: Final = LazyPattern(r"(?:message-id|in-reply-to|references)\s?:[^\n]{0,100}<$")


def _is_other_behind(text: str, end: int, *, named: bool) -> bool:
    """Whether what stands behind makes it a remote path or a call."""
    after = line_after(text, end, 80)
    if _REMOTE_PATH.match(after) is not None:
        return True
    return not named and _CALL.match(after) is not None


_REMOTE_PATH: Final = LazyPattern(
    r":(?:[~/.]|[0-9]{1,5}[:/]|[a-z0-9_.-]{1,60}/|[a-z0-9_.-]{1,60}\.git)"
)
_CALL: Final = LazyPattern(r"[(\[][\x00-\x7f]")

_WORD: Final = (
    r"(?:(?<![a-z])e?-?mails?(?![a-z])|mailto|邮箱|邮件|邮址|信箱|郵箱|郵件|电邮|電郵|電邮|почта)"
)
_BEFORE: Final = LazyPattern(rf"{_WORD}[^@]{{0,24}}$")
_BEHIND: Final = LazyPattern(rf"[^@]{{0,60}}?{_WORD}")


def _is_beside_word(text: str, start: int, behind: int) -> bool:
    return (
        _BEFORE.search(line_before(text, start, 40)) is not None
        or _BEHIND.match(line_after(text, behind, 80)) is not None
    )
