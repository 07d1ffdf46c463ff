"""Do all fields of a draft or an answer pass the write gates, alone and beside each other?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, Literal

from memweir.store.gates import check_fields, check_pair, names_credential
from memweir.store.records import Draft, Record, Relation
from memweir.store.scopes import Scope

__all__ = ["check_answer", "check_draft", "personal_in_answer", "personal_rule", "texts_of"]

# Field → how a label elsewhere in the memory is tied to it; ids and pointers look random by nature.
_TIES: Final[Mapping[str, Literal["beside", "loose"]]] = {
    "text": "beside",
    "raw_quote": "beside",
    "title": "beside",
    "semantic_key": "beside",
    "tags": "beside",
    "entities": "beside",
    "speaker": "loose",
    "scene": "loose",
    "domain": "loose",
}
_HASH = re.compile(r"[0-9a-f]{32}")
_LONE: Final = 40  # characters of a value alone
_BOND = re.compile(
    r"^(?:(?:is|was|are|has|have|had|uses?|with|的|是|有|用)(?![A-Za-z])\s*)+(?:an?\s+|the\s+)?"
    r"|\s*(?:(?<![A-Za-z])(?:is|of|for|to)|是|为)$",
    re.IGNORECASE,
)
_LEADS_BACK = re.compile(r"(?<![A-Za-z])(?:of|for|to)\s*$|^\s*是.*[^是为\s]\s*$", re.IGNORECASE)
_OWNED = re.compile(r"\s*(?:has|have|had|with|knows?|uses?|owns?)(?![A-Za-z])", re.IGNORECASE)


def check_draft(draft: Draft, *, key: bytes) -> None:
    """Every text field through the write gates.

    Raises:
        SecretRefused, ThreatRefused: naming the field and the rule, never the text.
    """
    fields = {
        "text": draft.text,
        "title": draft.title,
        "raw_quote": draft.raw_quote,
        "semantic_key": draft.semantic_key,
        "speaker": draft.speaker,
        "scene": draft.scene,
        "domain": draft.domain,
        "document_id": draft.document_id,
        "session_id": draft.session_id,
        "source": draft.source,
    }
    fields["scope"] = _scope_key(draft.scope)
    fields |= {f"tags[{place}]": tag for place, tag in enumerate(draft.tags)}
    fields |= {f"entities[{place}]": name for place, name in enumerate(draft.entities)}
    for place, edge in enumerate(draft.relations):
        fields[f"relations[{place}]"] = f"{edge.source} {edge.predicate} {edge.target}"
    for name, text in fields.items():
        if text:
            # Alone: beside "I forgot my password" a speaker or a session id is no password.
            check_fields({name: text}, key=key)
    for label in ("title", "semantic_key"):
        for name in ("text", "raw_quote"):
            value = fields[name] or ""
            if fields[label] and len(value.split()) == 1:  # "WiFi password" over "hunter2"
                check_fields({label: fields[label] or "", name: value}, key=key)
    _check_pairs({name: text for name, text in fields.items() if text}, key=key)
    for place, edge in enumerate(draft.relations):
        _check_relation(edge, f"relations[{place}]", key=key)


def check_answer(scope: Scope, text: str, phrasings: Iterable[str], *, key: bytes) -> None:
    """A standing answer through the write gates: each field, and each question with the answer.

    Raises:
        SecretRefused, ThreatRefused: naming the field and the rule, never the text.
    """
    asked = {f"phrasing[{place}]": each for place, each in enumerate(phrasings)}
    check_fields({"answer": text} | asked, key=key)
    scoped = _scope_key(scope)
    if scoped:
        check_fields({"scope": scoped}, key=key)
    for each in asked.values():
        check_pair(each, text, "answer", tie="said", key=key)


def _scope_key(scope: Scope) -> str | None:
    """The key as a text that goes through the gates; None of a hash and of a word of ours."""
    if scope.kind == "global" or (scope.kind == "workspace" and _HASH.fullmatch(scope.key)):
        return None
    return scope.key


def _check_pairs(fields: Mapping[str, str], *, key: bytes) -> None:
    """A label in one field and its value in another: the text "WiFi password", the tag "hunter2"."""
    ties = {name: tie for name in fields if (tie := _TIES.get(name.partition("[")[0])) is not None}
    for label in ties:
        if label == "speaker":
            continue  # who said it names nothing
        if not names_credential(fields[label]):
            continue
        for name, tie in ties.items():
            if name != label and fields[name] != fields[label]:
                under = label in ("title", "semantic_key") and name in ("text", "raw_quote")
                check_pair(fields[label], fields[name], name, tie="said" if under else tie, key=key)


def _check_relation(edge: Relation, name: str, *, key: bytes) -> None:
    """`(hunter2, is password of, admin)`, `(admin, has password, hunter2)`."""
    label = _BOND.sub("", edge.predicate.strip())
    # "password of": what stands behind is the thing it opens, and before it the value, or who has it.
    leads = _LEADS_BACK.search(edge.predicate) is not None
    owned = _OWNED.match(edge.predicate) is not None
    check_pair(label, edge.source, name, tie="said" if leads and not owned else "beside", key=key)
    check_pair(label, edge.target, name, tie="beside" if leads else "said", key=key)
    check_pair(edge.source, edge.target, name, tie="beside", key=key)
    check_pair(edge.target, edge.source, name, tie="beside", key=key)


def personal_rule(draft: Draft, *, known: Iterable[str] = ()) -> str:
    """The rule by which a draft holds a person's data, "" where it holds none.

    Who said it, and the caller's own ids and scopes, are names by which memories are told apart: they
    are not looked at.

    Args:
        known: texts and names that were let in already: what repeats them adds nothing.
    """
    from memweir.store.personal_data import find_personal_data

    said = {_plain(each) for each in known}
    edges = [
        f"{edge.source} {edge.predicate} {edge.target}"
        for edge in draft.relations
        if not {_plain(edge.source), _plain(edge.target)} <= said
    ]
    # A label over its value says what the number is: the title "phone", the text "4155550111".
    labelled = [
        f"{label}: {value}"
        for label in (draft.title, draft.semantic_key)
        for value in (draft.text, draft.raw_quote or "")
        if label and value and len(value) <= _LONE and not {_plain(label), _plain(value)} <= said
    ]
    texts = [*texts_of(draft), *draft.entities, *edges, *labelled]
    for text in texts:
        finding = None if _plain(text) in said else find_personal_data(text)
        if finding is not None:
            return finding.rule
    return ""


def personal_in_answer(
    text: str, phrasings: Iterable[str], *, known: Iterable[str] = ()
) -> tuple[str, str, str] | None:
    """(rule, field, its text) of the first field of a standing answer that holds a person's data.

    A question over its answer says what a number is: "Ada's phone?", "4155550111".

    Args:
        known: texts that were let in already: what repeats them adds nothing.
    """
    from memweir.store.personal_data import find_personal_data

    said = {_plain(each) for each in known}
    asked = {f"phrasing[{place}]": each for place, each in enumerate(phrasings)}
    looked = [
        (name, value, value)
        for name, value in {"answer": text, **asked}.items()
        if _plain(value) not in said
    ]
    if len(text) <= _LONE:
        looked += [
            ("answer", text, f"{each}: {text}")
            for each in asked.values()
            if not {_plain(each), _plain(text)} <= said
        ]
    for name, value, read in looked:
        finding = find_personal_data(read)
        if finding is not None:
            return finding.rule, name, value
    return None


def texts_of(told: Draft | Record) -> list[str]:
    """What a memory says, but for its names."""
    labels = (told.title, told.raw_quote, told.semantic_key, told.scene, told.domain)
    return [told.text, *(each for each in labels if each), *told.tags]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
