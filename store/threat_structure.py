"""Which texts forge the structure of a prompt? Role tags, chat templates, headings."""

from __future__ import annotations

from typing import Final

from memweir.store.gate_rules import Rule, hints

__all__ = ["LESS", "MORE", "SLASH", "STRUCTURE_RULES"]

# Tags that change who speaks. The second list holds names that ordinary mark-up opens, but that only
# a forger closes: `#include <memory>` is C++, `</memory>` is not.
_ROLES: Final = (
    r"(?:system|assistant|developer|system[_-]?(?:prompt|message|reminder|instructions?|override)|"
    r"(?:user_)?(?:long_term_)?memories|standing_answer|user[_-]rules|memweir[\w-]*|"
    r"(?:tool|function)_(?:calls?|use))"
)
_CLOSED_ROLES: Final = (
    rf"(?:{_ROLES}|user|human|instructions?|prompt|context|conversation|chat|history|query|memory|"
    r"memory[_-]block|user_(?:input|query|message)|(?:tool|function)_results?|recall|recalled|untrusted[\w-]*)"
)
# "<" and ">", also as other formats write them.
LESS: Final = r"(?:<|&lt;|&#0{0,4}60;|&#x0{0,4}3c;|%3c|\\u003c|\\x3c)"
MORE: Final = r"(?:>|&gt;|&#0{0,4}62;|&#x0{0,4}3e;|%3e|\\u003e|\\x3e)"
SLASH: Final = r"(?:/|%2f|\\/)"
_ORDERING: Final = (
    r"(?:you|ignore|disregard|forget|from now on|always|never|do not|don't|new|override|act|obey|"
    r"reveal|print|"
    r"delete|respond|answer|execute|output|the (?:user|assistant)|from this)"
)

STRUCTURE_RULES: Final[tuple[Rule, ...]] = (
    Rule(
        "role-tag",
        hints(
            """
            </ <system <assistant <developer <tool <function memories standing_answer <user <memweir
            &lt; &# %3c u003c x3c
            """
        ),
        rf"(?<![\w/@.-]){LESS}\s{{0,4}}{_ROLES}(?:\s[^<>/]{{0,200}})?\s{{0,4}}{MORE}(?![:.@/])"
        rf"|{LESS}\s{{0,4}}{SLASH}\s{{0,4}}{_CLOSED_ROLES}\s{{0,4}}{MORE}",
    ),
    Rule(
        "chat-template",
        hints("[inst] [/inst] <<sys>> <</sys>> <| <start_of_turn> <end_of_turn>"),
        r"\[\s?/?\s?INST\s?\]|<<\s?/?\s?(?i:sys)\s?>>|<\|[^\s|<>](?:[^|<>\n]{0,38}[^\s|<>])?\|>|<(?:start|end)_of_turn>",
        view="exact",
    ),
    Rule(
        "role-line",
        hints(
            """
            system: developer: system]: developer]: system" system' system* systemprompt systemmessage
            systeminstruction systemoverride systemnotice developerprompt developermessage
            developerinstruction developernotice 系统指令 系统提示词
            """
        ),
        r"(?:^|\n)[\s#>*\[\"'-]{0,8}(?:system|developer)(?:\s(?:prompt|message|instructions?|override|notice))?"
        rf"[\]*\"']{{0,3}}\s{{0,4}}:\s{{0,8}}[\"'*]{{0,3}}{_ORDERING}(?![a-z])"
        r"|[\[【]\s{0,4}(?:system (?:prompt|message|override|instructions?)|系统(?:指令|"
        r"提示词))\s{0,4}[\]】]",
    ),
    Rule(
        "prompt-heading",
        hints(
            """
            #system ###instruction: ###response: #newinstruction #newsystem #newprompt
            -begin [begin =begin *begin #begin <begin -end [end =end *end #end <end
            -start [start =start *start #start <start
            """
        ),
        r"(?:^|\n)\s{0,8}#{2,4}\s{0,4}(?:system(?: prompt| message)?|"
        r"new (?:system )?(?:instructions?|prompt))\s{0,4}:"
        r"|(?:^|\n)\s{0,8}###\s?(?:instruction|response)\s?:"
        r"|[-=*#\[<]{2,8}\s{0,2}(?:begin|end|start)(?: of)?(?: the)?(?: (?:system|user|memory|"
        r"conversation))?"
        r" (?:prompt|context|instructions|memories|memory|conversation)\s{0,2}[-=*#\]>]{2,8}",
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
