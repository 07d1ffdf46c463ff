"""Which change does an English sentence announce? Patterns over one folded sentence."""

from __future__ import annotations

import functools
import re
from typing import Final, NamedTuple

from memweir.retrieval.changes import Change, change_words

__all__ = ["read_english"]


def read_english(sentence: str) -> Change | None:
    """The first change or end that an English sentence announces.

    Verbs count in the form that tells what has happened: an instruction announces nothing. A subject
    that stands outside the sentence ("it was moved") is none that could be looked up.
    """
    for read in (_used_to, _instead, _changed, _ended, _now):
        found = read(sentence)
        if found is not None:
            return found
    return None


_VERB: Final = (
    r"(?:is|are|uses?|listens?(?: on)?"
    r"|runs?(?: on)?|prefers?|works?(?: at| for| with| on)?|lives?(?: in)?|drinks?|eats?"
    r"|drives?|takes?|wants?|writes?|speaks?|plays?|wears?|rides?|goes to|go to|studies|study|teaches"
    r"|owns?)"
)
_CLAUSE_START: Final = re.compile(r".*(?:[,;:] (?:(?:and|but|so|then) )?| (?:and|but|because) )")
_AUXILIARIES: Final = re.compile(
    r"(?:\b(?:has|have|had|is|are|was|were|been|be|being|just|already|now|recently|finally|also|officially"
    r"|since|got|'s|'ve)\s*)+$"
)
_DENIED: Final = re.compile(
    r"\b(?:not|never|no|nobody|nothing|cannot|hardly|almost|nearly|without)\b|n't\b"
)
_OUTSIDE: Final = re.compile(
    r"\b(?:it|this|that|they|them|these|those|which|who|what|there|everything|something|things?)\b"
)
# "Sunday, December 28" goes on after its comma.
_END_OF_VALUE: Final = re.compile(
    r"[;(]|,(?! (?:on |at )?(?:[0-9]|[a-z]+day\b|(?:jan|febr)uary\b|march\b|april\b|june\b|july\b"
    r"|august\b|[a-z]+ber\b|may [0-9]))"
    r"| (?:because|since|so|as|which|who|when|while|after|before|due to|instead|in order|until|but"
    r"|with|and now|last (?:week|month|year|night|summer|winter|spring|fall)|this (?:week|month|year)"
    r"|yesterday|today|recently)\b"
)
# After these "replaced" and "abandoned" describe a thing: "with replaced values".
_NO_ADJECTIVE: Final = "".join(
    rf"(?<!\b{word})" for word in ("to", "the", "a", "an", "of", "for", "in", "with", "by", "or", "on")
)
_REASON: Final = re.compile(r"[,;(]| (?:because|since|so|due to)\b")


def _change(slot: str, subject: str, value: str, old: str) -> Change | None:
    subject, value, old = subject.strip(), _value(value), _value(old)
    if not value or _OUTSIDE.search(subject) or _OUTSIDE.search(old):
        return None
    return Change("change", slot, subject, value, old)


def _end(subject: str, rest: str) -> Change | None:
    # The more it says, the less it ends: nothing but a reason is cut off.
    reason = _REASON.search(rest)
    whole = f"{subject.strip()} {rest[: reason.start()] if reason else rest}".strip()
    return None if _OUTSIDE.search(whole) else Change("end", "", whole)


def _value(text: str) -> str:
    found = _END_OF_VALUE.search(text)
    return (text[: found.start()] if found else text).strip(" .!").removesuffix(" now")


def _last_clause(text: str) -> str:
    """The clause that a text ends in; the whole where nothing is left of it but auxiliaries."""
    clause = _CLAUSE_START.sub("", text)
    return clause if _AUXILIARIES.sub("", clause).strip() else text


# --- "used to … now" ----------------------------------------------------------------------------------

_USED_TO: Final = re.compile(
    r"^(?P<s>[^,;]*?)\bused to (?P<v>[a-z]+)(?: (?P<o>[^,;]{1,60}?))??(?:, | )"
    r"(?P<rest>(?:and |but )*now .*)$"
)
_WHAT_NOW: Final = re.compile(
    rf"^(?:and |but )*now (?:(?:i|we|you|he|she|they) )?{_VERB} (?:in |at |for |on |with )?(?P<n>.+)$"
)
_NOT_NOW: Final = re.compile(
    r"^(?:and |but )*now (?:i|we|you|he|she|they)(?: (?:do|does|am|is|are)|'m|'s|'re)?(?:n't| not)"
    r"(?: any ?more)?$"
)


def _used_to(sentence: str) -> Change | None:
    match = _USED_TO.match(sentence)
    if match is None:
        return None
    verb, old, rest = match["v"], match["o"] or "", match["rest"]
    if _NOT_NOW.match(rest):
        return _end(match["s"], f"{verb} {old}")
    now = _WHAT_NOW.match(rest)
    if now is None or not old or _DENIED.search(rest):
        return None
    slot = verb if verb in ("live", "work") else ""
    return _change(slot, match["s"], now["n"], re.sub(r"^(?:in|at|for|on|with|to) ", "", old))


# --- "uses X instead of Y", "replaced X with Y" -------------------------------------------------------

_INSTEAD: Final = re.compile(
    rf"^(?P<s>.*?)(?P<now>\bnow )?\b(?P<v>{_VERB})(?P<then> now)? (?P<n>[^,;]{{1,60}}?)(?P<later> now)?"
    r"(?:,? (?P<by>instead of|rather than|in place of|and no longer|and not)|, (?P<not>not|no longer))"
    r"(?! (?:just|only|merely)\b)"
    r" (?P<o>[^,;]+)"
)
_OVER: Final = re.compile(r"^(?P<s>.*?)\bnow prefers? (?P<n>[^,;]{1,60}?) (?:over|to) (?P<o>[^,;]+)$")
_REPLACED: Final = re.compile(
    r"^(?P<s>.*?)\b(?:replaced|swapped) (?P<o>[^,;]{1,60}?) (?:with|by|for) (?P<n>[^,;]+)$"
)
_WAS_REPLACED: Final = re.compile(
    r"^(?P<o>[^,;]{1,60}?) (?:(?:has|have) been|was|were|is|are|got) replaced (?:with|by)"
    r" (?P<n>[^,;]+)$"
)
_REPLACES: Final = re.compile(
    rf"^(?P<n>[^,;]{{1,60}}?){_NO_ADJECTIVE} (?:has replaced|have replaced|replaced|replaces)"
    r" (?!by |with )(?P<o>[^,;]+)$"
)
_WHERE: Final = re.compile(r" (?:for|in|on|at|of) (?:the |our |my |this )?(?P<scope>[^,;]+)$")


def _instead(sentence: str) -> Change | None:
    match = _OVER.match(sentence) or _INSTEAD.match(sentence)
    if match:
        return None if _compares(match.groupdict()) else _change("", match["s"], match["n"], match["o"])
    match = _REPLACED.match(sentence)
    if match:
        if _DENIED.search(match["s"]):
            return None
        new, scope = _scoped(match["n"])
        return _change("", f"{_AUXILIARIES.sub('', match['s'])} {scope}", new, match["o"])
    match = _WAS_REPLACED.match(sentence) or _REPLACES.match(sentence)
    if match and not _OUTSIDE.search(match["n"]) and not _DENIED.search(sentence):
        new, scope = _scoped(match["n"])
        old, scope_of_old = _scoped(match["o"])
        return _change("", f"{scope} {scope_of_old}", new, old)
    return None


def _compares(match: dict[str, str | None]) -> bool:
    """Whether it compares two things, as "prefers A rather than B" does without "now"."""
    if "v" not in match or match["now"] or match["then"] or match["later"]:
        return False
    return match["by"] == "rather than" or (match["v"] or "").startswith("prefer")


def _scoped(text: str) -> tuple[str, str]:
    """ "uv in this project" → (uv, project)."""
    found = _WHERE.search(text)
    return (text[: found.start()], found["scope"]) if found else (text, "")


# --- "was changed to" ---------------------------------------------------------------------------------

# Not "updated to include": what follows is no value.
_TO: Final = re.compile(
    r"^(?P<obj>(?: (?!(?:to|from|because|and|but|due|thanks|prior|compared|according|relative)\b)"
    r"[^\s,;]+){0,6}?)"
    r"(?: from (?P<o>[^,;]{1,60}?))? to "
    r"(?!(?:be|have|include|reflect|focus|make|get|see|do|help|allow|ensure|prevent|avoid|support|show"
    r"|match|become|keep|fit|find|use|give|take|start|stop|work|live|study|try|join|ask|say|tell|go|come"
    r"|accommodate|improve|meet|add|remove)\b)(?P<n>[^;]+)$"
)
_FROM_LATER: Final = re.compile(r"^(?P<n>.+?) from (?P<o>.+)$")


def _changed(sentence: str) -> Change | None:
    for match in _patterns().verb.finditer(sentence):
        before = _last_clause(sentence[: match.start()])
        to = _TO.match(sentence[match.end() :])
        if to is None or sentence[: match.start()].endswith(", "):  # "values, converted to integers"
            continue
        if _DENIED.search(before):
            return None
        value, old = to["n"], to["o"] or ""
        if not old and (later := _FROM_LATER.match(value)):
            value, old = later["n"], later["o"]
        subject = f"{_AUXILIARIES.sub('', before)}{to['obj']}"
        return _change(change_words().slots[match["verb"]], subject, value, old)
    return None


# --- "no longer", "anymore", "stopped", "was cancelled" -----------------------------------------------

_NO_LONGER: Final = re.compile(r"^(?P<s>.*?)\bno longer (?P<p>.+)$")
_ANYMORE: Final = re.compile(
    r"^(?P<s>.*?)\b(?:(?:do|does|is|are|am|can|will)(?: not|n't)|can't|cannot) (?P<p>.+?)"
    r" (?:any ?more|any longer)\b[^,;]{0,12}$"
)
_INTRANSITIVE: Final = re.compile(
    r"(?:at|by|for|in|on|to|when|before|after|and|here|there|over|off|from|working|running)\b"
)


def _ended(sentence: str) -> Change | None:
    match = _NO_LONGER.match(sentence) or _ANYMORE.match(sentence)
    if match:
        return _end(_AUXILIARIES.sub("", _last_clause(match["s"])), match["p"])
    patterns = _patterns()
    match = patterns.gone.match(sentence)
    if match:
        return None if _DENIED.search(match["s"]) else _end(_last_clause(match["s"]), "")
    match = patterns.stopped.match(sentence)
    if match and not _INTRANSITIVE.match(match["p"]) and not _DENIED.search(match["s"] or ""):
        return _end(_AUXILIARIES.sub("", _last_clause(match["s"] or "")), match["p"])
    return None


# --- "now lives in", "is now" -------------------------------------------------------------------------

_PLACED: Final = r"lives? in|works? (?:at|for)|(?:is|are|am) based in"
_NOW_PLACED: Final = re.compile(
    rf"^(?P<s>[^,;]{{0,60}}?) ?\b(?:now (?P<v>{_PLACED}) (?P<n>[^,;]+)"
    rf"|(?P<v2>{_PLACED}) (?P<n2>[^,;]+?) now)$"
)
# One value at a time, so that a new one replaces it: a number, a time, a day.
_IS_NOW: Final = re.compile(
    r"^(?P<s>[^,;]{1,60}?) (?:is|are) now (?:at |on |in |set to |due )?"
    r"(?=[^,;]*(?:[0-9]|day\b|january|february|march|april|\bmay\b|june|july|august|ber\b))(?P<n>[^,;]+)$"
)


def _now(sentence: str) -> Change | None:
    match = _NOW_PLACED.match(sentence)
    if match:
        slot = "work" if (match["v"] or match["v2"]).startswith("work") else "live"
        return _change(slot, match["s"], match["n"] or match["n2"], "")
    match = _IS_NOW.match(sentence)
    return _change("now", match["s"], match["n"], "") if match else None


class _Patterns(NamedTuple):
    verb: re.Pattern[str]
    stopped: re.Pattern[str]
    gone: re.Pattern[str]


@functools.cache
def _patterns() -> _Patterns:
    words = change_words().english
    return _Patterns(
        verb=re.compile(rf"\b(?P<verb>{words['changing']})(?= )"),
        stopped=re.compile(rf"^(?:(?P<s>.*?){_NO_ADJECTIVE} )?(?:{words['stop']}) (?P<p>.+)$"),
        gone=re.compile(
            rf"^(?P<s>.+?) (?:was|were|is|are|has been|have been|got)(?: now| just)?"
            rf" (?:{words['gone']})\b"
        ),
    )
