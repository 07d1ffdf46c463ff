"""Which texts forge the structure of a prompt? Role tags, chat templates, headings."""

from __future__ import annotations

from typing import Final

from memweir.store.gate_rules import Rule

__all__ = ["STRUCTURE_RULES"]

# Tags that change who speaks. The second list holds names that ordinary mark-up opens, but that only
# a forger closes: `#include <memory>` is C++, `</memory>` is not.
_ROLES: Final = (
    r"system|assistant|developer|system[_-]?(?:prompt|message|reminder|instructions?|override)|"
    r"(?:user_)?(?:long_term_)?memories|standing_answer|user[_-]rules|memweir[\w-]*"
)
_CLOSED_ROLES: Final = (
    _ROLES
    + r"|user|human|instructions?|memory|memory[_-]block|tool_results?|function_results?|recalled|"
    r"recall|"
    r"untrusted[\w-]*"
)
_ORDERING: Final = (
    r"you|ignore|disregard|forget|from now on|always|never|do not|don't|new|override|act|"
    r"the (?:user|assistant)|from this"
)

STRUCTURE_RULES: Final[tuple[Rule, ...]] = (
    Rule(
        "role-tag",
        (
            "</",
            "<system",
            "<assistant",
            "<developer",
            "memories",
            "standing_answer",
            "<user",
            "<memweir",
        ),
        rf"(?<![\w/@.-])<\s{{0,4}}(?:{_ROLES})(?:\s[^<>/]{{0,200}})?>(?![:.@/])"
        rf"|<\s{{0,4}}/\s{{0,4}}(?:{_CLOSED_ROLES})\s{{0,4}}>",
    ),
    Rule(
        "chat-template",
        ("[inst]", "[/inst]", "<<sys>>", "<</sys>>", "<|", "<start_of_turn>", "<end_of_turn>"),
        r"\[\s?/?\s?INST\s?\]|<<\s?/?\s?(?i:sys)\s?>>|<\|[^\s|<>](?:[^|<>\n]{0,38}[^\s|<>])?\|>|<(?:start|end)_of_turn>",
        exact=True,
    ),
    Rule(
        "role-line",
        ("system", "developer", "instructions:", "系统指令", "系统提示", "系统:"),
        r"(?:^|\n)[\s#>*\[\"'-]{0,8}(?:system|developer)(?:\s(?:prompt|message|instructions?|override|notice))?"
        rf"[\]*\"']{{0,3}}\s{{0,4}}:\s{{0,8}}[\"'*]{{0,3}}(?:{_ORDERING})(?![a-z])"
        r"|(?:^|\n)\s{0,8}#{2,4}\s{0,4}(?:new )?(?:system|instructions?)(?: prompt| message)?\s{0,4}:"
        r"|[\[【]\s{0,4}(?:system (?:prompt|message|override|instructions?)|系统(?:指令|"
        r"提示词))\s{0,4}[\]】]"
        r"|(?:^|\n)\s{0,8}系统(?:指令|提示词?)?:\s{0,4}(?:你|忽略|无视|从现在)",
    ),
    Rule(
        "system-prompt-heading",
        ("systemprompt",),
        r"(?:^|\n)[\s#>*\[\"'-]{0,8}(?:new |updated |end of |begin |override )?system prompt"
        r"(?: override| begins?| ends?)?[\]*\"']{0,3}\s{0,4}(?::|\]|$|\n)",
    ),
    Rule(
        "image-exfiltration",
        ("](http",),
        r"!\[[^\]\n]{0,200}\]\(https?://[^)\s?&]{0,300}[?&][^)\s]{0,200}?=(?:\{|<|\$|\[|%7b)",
    ),
)
