"""Which texts speak to the agent instead of telling it something? The table of the threat gate.

A memory is data that will stand in a prompt. Refused is what would work there as an instruction:
calls to drop the instructions, new identities, demands for the system prompt, forged role tags,
secrecy towards the user, orders to send data away. Rules that a user lays down for the agent
("from now on use pnpm", "以后都用中文回答") are what a memory is for, and pass.
"""

from __future__ import annotations

from typing import Final

from memweir.store.folding import fold
from memweir.store.gate_rules import Rule, RuleTable
from memweir.store.threat_chinese import CHINESE_RULES
from memweir.store.threat_english import ENGLISH_RULES
from memweir.store.threat_structure import STRUCTURE_RULES

__all__ = ["THREAT_RULES"]

# "Ignore the previous instructions" as other languages have it.
_OTHER_LANGUAGES: Final = (
    (
        "spanish-portuguese",
        ("ignora", "ignore", "olvida"),
        (
            r"(?:ignora|ignore|ignorad|olvida|olvide)\s{1,4}(?:todas\s{1,4})?(?:las|tus|sus|as|suas)\s{1,4}"
            r"(?:instrucciones|instruções|reglas|regras|órdenes)(?![a-z])"
        ),
    ),
    (
        "french",
        ("ignore", "oubli"),
        (
            r"(?:ignore|ignorez|oublie|oubliez)\s{1,4}(?:toutes\s{1,4})?(?:les|tes|vos)\s{1,4}"
            r"(?:instructions|consignes|règles)\s{1,4}(?:précédentes|antérieures|ci-dessus)"
        ),
    ),
    (
        "german",
        ("ignorier", "vergiss"),
        (
            r"(?:ignoriere?|vergiss|ignorieren\s{1,4}sie)\s{1,4}(?:alle\s{1,4})?(?:die\s{1,4}|deine\s{1,4})?"
            r"(?:vorherigen|bisherigen|obigen|früheren)\s{1,4}(?:anweisungen|regeln|befehle|instruktionen)"
        ),
    ),
    (
        "russian",
        ("игнорируй", "забудь"),
        (
            r"(?:игнорируй(?:те)?|забудь(?:те)?)\s{1,4}(?:все\s{1,4})?(?:предыдущие|прежние|прошлые)\s{1,4}"
            r"(?:инструкции|указания|правила|команды)"
        ),
    ),
    (
        "japanese",
        ("無視", "忘れ"),
        r"(?:以前|これまで|上記|前)の(?:すべての|全ての)?(?:指示|命令|ルール|プロンプト)を(?:すべて|全て)?(?:無視|忘れ)",
    ),
    (
        "korean",
        ("무시", "잊어"),
        (
            r"(?:이전|위의|앞의|지금까지의)\s{0,4}(?:모든\s{0,4})?(?:지시|명령|규칙|지침)(?:사항)?[를을]?\s{0,4}(?:모두\s{0,4})?"
            r"(?:무시|잊어)"
        ),
    ),
)


def _other_languages() -> tuple[Rule, ...]:
    return tuple(
        Rule(
            f"{language}-ignore-instructions",
            tuple(fold(hint).squeezed for hint in hints),
            rf"(?<![a-z]){fold(pattern).lower}",
        )
        for language, hints, pattern in _OTHER_LANGUAGES
    )


THREAT_RULES: Final = RuleTable((*STRUCTURE_RULES, *ENGLISH_RULES, *CHINESE_RULES, *_other_languages()))
