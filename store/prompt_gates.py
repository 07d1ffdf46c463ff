"""May this text stand in every system prompt? Orders may; secrets and forged frames may not.

A block is a person's instruction to the agent, so that the threat gate, which keeps instructions out of
memories, does not look at it. Refused is what nobody reads or what would end the frame it stands in.
"""

from __future__ import annotations

from typing import Final

from memweir.errors import PromptRefused
from memweir.store.folding import fold
from memweir.store.gate_rules import Finding, Rule, RuleTable
from memweir.store.gates import check_pair, check_secrets, fingerprint
from memweir.store.hidden_text import hidden_text
from memweir.store.threat_structure import LESS, MORE, SLASH, STRUCTURE_RULES

__all__ = ["check_prompt", "scan_frame"]

_FRAME: Final = Rule(
    "block-frame",
    ("memories", "standing_answer", "memory"),
    rf"{LESS}\s{{0,4}}(?:{SLASH}\s{{0,4}})?(?:(?:user_)?long_term_memories|standing_answer)(?![\w-])"
    rf"|{LESS}\s{{0,4}}{SLASH}\s{{0,4}}memory\s{{0,4}}{MORE}"
    rf"|{LESS}\s{{0,4}}memory\s{{1,4}}id\s{{0,4}}=",
)
_FRAMES: Final = RuleTable(
    (_FRAME, *(rule for rule in STRUCTURE_RULES if rule.name == "chat-template"))
)


def scan_frame(text: str) -> Finding | None:
    """The first stretch that hides text or forges a frame: of a block, or of a chat template."""
    return hidden_text(text) or _FRAMES.first(fold(text))


def check_prompt(title: str, body: str, *, key: bytes) -> None:
    """Title and body of a block through its gates, alone and as label and value.

    Raises:
        SecretRefused: a credential; PromptRefused: hidden text, or a forged frame. Naming the field and
            the rule, never the text.
    """
    fields = {"title": title, "body": body}
    check_secrets(fields, key=key)
    check_pair(title, body, "body", tie="said", key=key)
    for name, text in fields.items():
        finding = scan_frame(text)
        if finding is not None:
            raise PromptRefused(finding.rule, name, fingerprint(text, key=key))
