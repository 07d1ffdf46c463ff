"""May this text be written at all? The secret gate and the threat gate, before anything touches disk.

Both read the whole text, whatever its length, in linear time. What they refuse leaves no copy: the
ledger gets the rule's name and a keyed fingerprint.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Literal

from memweir.errors import LimitError, SecretRefused, ThreatRefused
from memweir.store.folding import Folded, fold
from memweir.store.gate_rules import Finding
from memweir.store.hidden_text import hidden_text
from memweir.store.threat_rules import THREAT_RULES

__all__ = [
    "Finding",
    "check_fields",
    "check_pair",
    "check_secrets",
    "fingerprint",
    "names_credential",
    "scan_secrets",
    "scan_threats",
]


def scan_secrets(text: str) -> Finding | None:
    """The first credential of a text, by order of the rules; None where there is none."""
    return _secrets(fold(text))


def scan_threats(text: str) -> Finding | None:
    """The first stretch that addresses the agent as an instruction or hides text from a reader."""
    return _threats(fold(text))


def fingerprint(text: str, *, key: bytes) -> str:
    """12 hex digits by which the same refused text is known again without being kept.

    Args:
        text: the whole refused text.
        key: the store's own secret key: without it a short password could be found by trying.
    Raises:
        LimitError: the key is empty.
    """
    if not key:
        raise LimitError("len(key)", 0, "a fingerprint needs a secret key")
    return hmac.digest(key, text.encode("utf-8", "surrogatepass"), "sha256").hex()[:12]


def check_fields(fields: Mapping[str, str], *, key: bytes) -> None:
    """Refuse a write when one of its fields holds a credential or an instruction to the agent.

    A label and its value are read together too: the title "WiFi password" over the text "hunter2".

    Args:
        fields: field name to text; every field that would be written, tags and titles included.
        key: see `fingerprint`.
    Raises:
        SecretRefused, ThreatRefused: with rule, field and fingerprint, never the text. A credential
            is reported before a threat, whichever field it is in.
    """
    folded = check_secrets(fields, key=key)
    for name, text in folded.items():
        finding = _threats(text)
        if finding is not None:
            raise ThreatRefused(finding.rule, name, fingerprint(text.original, key=key))


def check_secrets(fields: Mapping[str, str], *, key: bytes) -> Mapping[str, Folded]:
    """The first half of `check_fields`: refuse credentials, and nothing else; the fields folded.

    Raises:
        SecretRefused: with rule, field and fingerprint, never the text.
    """
    folded = {name: fold(text) for name, text in fields.items()}
    for name, text in folded.items():
        _refuse_secret(_secrets(text), name, text.original, key)
    for label in folded.values():
        if label.original and len(label.original) <= _LABEL_LIMIT:
            for name, text in folded.items():
                if text is not label and _is_lone_value(text.exact):
                    joined = fold(f"{label.original.strip()}: {text.original.strip()}")
                    _refuse_secret(_secrets(joined), name, text.original, key)
    return folded


def check_pair(
    label: str, value: str, field: str, *, tie: Literal["said", "beside", "loose"], key: bytes
) -> None:
    """Refuse a value that is a credential under a label of another field.

    Args:
        field: the value's field, as the error names it.
        tie: how close the two stand, see `memweir.store.secret_pairs`.
        key: see `fingerprint`.
    Raises:
        SecretRefused: with the value's fingerprint.
    """
    # Loaded by the first write, as the rules are.
    from memweir.store.secret_pairs import pair_finding

    _refuse_secret(pair_finding(fold(label), fold(value), tie=tie), field, value, key)


def names_credential(label: str) -> bool:
    """Whether a text is a label that a credential may stand under: "our WiFi password"."""
    from memweir.store.secret_pairs import credential_word

    return credential_word(fold(label[:_MOST_LABEL])) is not None


_MOST_LABEL = 200  # characters looked at; a longer text is no label
_LABEL_LIMIT = 80  # characters of a field that may be the label of another
_VALUE_LIMIT = 128  # characters of a field that may be nothing but a credential


def _secrets(text: Folded) -> Finding | None:
    # Loaded by the first write: a process that only recalls never needs these rules.
    from memweir.store.secret_rules import find_secret

    return find_secret(text)


def _threats(text: Folded) -> Finding | None:
    return hidden_text(text.original) or THREAT_RULES.first(text)


def _is_lone_value(text: str) -> bool:
    text = text.strip()
    return 0 < len(text) <= _VALUE_LIMIT and len(text.split()) == 1


def _refuse_secret(finding: Finding | None, field: str, text: str, key: bytes) -> None:
    if finding is not None:
        raise SecretRefused(finding.rule, field, fingerprint(text, key=key))
