"""Which English texts address the agent as an instruction?

Patterns are written as phrases: a space stands for any gap between two words (`GAP`).
"""

from __future__ import annotations

import re
from typing import Final

from memweir.store.folding import Folded
from memweir.store.gate_rules import LazyPattern, Rule

__all__ = ["ENGLISH_RULES"]

_GAP: Final = r"[\s*_~`\"'.,:;!-]{1,8}"


def _phrase(*phrases: str) -> str:
    """Phrases as one pattern: spaces are gaps, a phrase starts and ends at a word's edge."""
    return rf"(?<![a-z])(?:{'|'.join(phrases)})(?![a-z])".replace(" ", _GAP)


_EARLIER: Final = (
    r"(?:previous|previously given|prior|earlier|above|preceding|foregoing|past|former|existing|"
    r"original|initial|old|"
    r"system|developer|safety|security|hidden)"
)
_ORDERS: Final = (
    r"(?:instructions?|prompts?|rules?|directives?|directions?|guidelines?|guardrails?|commands?|orders|programming|"
    r"training|policies|restrictions|constraints|safeguards|messages?)"
)
_FILLER: Final = (
    r"(?:(?:all|any|each|every|everything|of|the|these|those|this|that|your|my|our|its|both|in|and|"
    r"or|other) ){0,5}"
)
_DROP: Final = (
    r"(?:ignore|disregard|forget|neglect|overlook|stop (?:following|obeying)|(?:do not|don't|"
    r"never) (?:follow|obey)|"
    r"pay no attention to)"
)
_LIMITS: Final = (
    r"(?:restrictions?|rules|filters?|limits?|limitations|guidelines|ethics|safety|constraints|morals)"
)
_PERSONA: Final = (
    r"(?:dan|unrestricted|unfiltered|uncensored|jailbroken|unaligned|evil|amoral|malicious|hacker|root|"
    rf"system administrator|sysadmin|(?:with no|without|no|not bound by) (?:any )?{_LIMITS})"
)
_DETERMINER: Final = (
    r"(?:(?:an?|the|ai|assistant|model|chatbot|completely|totally|fully|with|that|has) ){0,5}"
)
_PROMPT: Final = (
    r"(?:your (?:(?:own|full|complete|entire|original|initial|hidden|secret|internal|exact|system|"
    r"developer|current|"
    r"previous|core) ){0,3}(?:prompts?|instructions|directives|guidelines|rules|system message|"
    r"configuration)"
    r"|(?:the )?(?:instructions|text|words|prompt) (?:above|given to you|you were given))"
)
_SHOW: Final = (
    r"(?:reveal|show|print|output|repeat|leak|expose|display|dump|disclose|share|recite|tell|give|send|return|write|copy|"
    r"summari[sz]e|translate|paste|echo|extract|state)"
)
_MUCH: Final = (
    r"(?:(?:me|us|back|out|all|of|exactly|verbatim|the|full|complete|entire|exact|contents?|whole) )"
    r"{0,6}"
)
# Life stages and roles that people congratulate each other on: "you are now a mother".
_PEOPLE: Final = (
    r"(?:mother|mom|father|dad|parent|aunt|uncle|grand\w+|member|resident|citizen|graduate|homeowner|doctor|nurse|"
    r"teacher|published|certified|licensed|registered|proud|married|little|bit|lot|year|step|part|few|couple|week|month|"
    r"day|senior|junior|manager|vegetarian|vegan|subscriber|customer|patient)"
)
_AGENT: Final = r"(?:you|(?:the|an|any) (?:ai|assistant|agent|model|llm))"
_MEMORY: Final = r"(?:memory|message|note|text|line|file|document|instruction|entry|record)"
_THEN: Final = (
    r"(?:you (?:must|should|will)|please|immediately|always|do|run|send|execute|call|open|delete|"
    r"ignore|reply|output|write|"
    r"post|fetch|forward|print|say)"
)

# Where an order can begin: a text, a line, a clause, after a word that leads in.
_CLAUSE: Final = (
    r"(?:^|[\n.;:!?,()\"'>*\]#。、-]|(?<![a-z])(?:please|and|then|now|must|should|always|also|you|to|just|first|immediately|"
    r"secretly|silently|quietly|assistant|ai|agent)(?=\s))\s{0,8}"
)
_PRIVATE: Final = LazyPattern(
    r"(?<![a-z])(?:conversations?|chats?|histor(?:y|ies)|messages|memor(?:y|ies)|secrets?|credentials?|passwords?|"
    r"(?:api |ssh )?keys?|tokens?|prompt|private|personal|environment variables?|env vars?|\.env|"
    r"users?|data|files?|"
    r"contents?|context|everything|information|details|transcripts?|emails?|cookies?|database|results?|output|response)"
    r"(?![a-z])"
)
_AWAY: Final = LazyPattern(
    r"(?<![a-z])(?:to|at|into|via|using)\s{1,4}(?:[\w'-]{1,24}\s{1,4}){0,3}[\"'`<(]?"
    r"(?:(?:https?|ftp|wss?)://|[\w.+-]{1,64}@[\w-]{1,64}\.[a-z]{2,}|\d{1,3}(?:\.\d{1,3}){3}|"
    r"(?:the |an |my )?attacker)"
)

_NEXT: Final = r"(?:[ \t]{1,4}|[ \t]{0,4}\n[ \t]{0,4})"  # to the next word, not over a blank line
_NEGATED = LazyPattern(
    r"(?:(?:do|does|did|should|must|can|could|would|will|to|may|is|was) ?(?:not|n't|n’t)|not to|"
    r"never|cannot|won't|don't|"
    rf"dont){_NEXT}(?:ever{_NEXT})?\Z"
)
_DESCRIBED = LazyPattern(
    r"(?:^|[^a-z])(?:i|we|they|he|she|it|people|users|students|kids|children|who|often|sometimes|"
    r"usually|going to|"
    rf"tend(?:s|ed)? to|(?:i|we|they|he|she|it|that|which|who|[a-z]{{3,20}}) (?:will|would|might|"
    rf"may|can|could)){_NEXT}\Z"
)
_TO_AGENT = LazyPattern(r"(?<![a-z])(?:you|assistant|ai|agent|model) [a-z]{2,6}\s{1,4}\Z")


def _ordered(match: re.Match[str], text: Folded) -> bool:
    """Neither negated ("remind me not to ignore …") nor told of somebody ("they ignore …")."""
    before = text.lower[max(0, match.start() - 40) : match.start()]
    if _NEGATED.search(before) is not None:
        return False
    return _DESCRIBED.search(before) is None or _TO_AGENT.search(before) is not None


def _sends_away(match: re.Match[str], text: Folded) -> bool:
    """An order to send private things to an address; not how a system works ("we send …")."""
    stretch = match["stretch"]
    away = _AWAY.search(stretch)
    if away is None or re.search(r"[.!?。]\s", stretch[: away.start()]) is not None:
        return False
    return _PRIVATE.search(stretch[: away.start()]) is not None


ENGLISH_RULES: Final[tuple[Rule, ...]] = (
    Rule(
        "ignore-instructions",
        (
            "ignore",
            "disregard",
            "forget",
            "neglect",
            "overlook",
            "following",
            "obeying",
            "follow",
            "obey",
            "attentionto",
        ),
        _phrase(
            rf"{_DROP} {_FILLER}{_EARLIER} (?:(?:{_EARLIER}|and|or|of|the|your|user) ){{0,4}}{_ORDERS}"
        ),
        _ordered,
    ),
    Rule(
        "ignore-your-instructions",
        ("ignore", "disregard", "forget", "follow", "override", "bypass", "circumvent", "violate"),
        _phrase(
            r"(?:ignore|disregard|forget|override|bypass|circumvent|violate|(?:do not|don't|"
            r"stop) follow(?:ing)?) "
            rf"(?:(?:all|any|every|of) ){{0,3}}(?:your|its) (?:(?:own|{_EARLIER}) ){{0,3}}"
            rf"(?:{_ORDERS}|filters?|alignment|ethics)"
        ),
        _ordered,
    ),
    Rule(
        "ignore-the-above",
        ("ignore", "disregard", "forget"),
        _phrase(
            r"(?:ignore|disregard) (?:everything|all|anything|what is|whatever (?:is|was)|the) "
            r"(?:(?:of|the|text|content|that|was|is|said|written|stated|mentioned) ){0,3}(?:above|"
            r"before this)",
            r"(?:ignore|disregard|forget) (?:everything|all|anything|what) (?:that )?"
            r"(?:you (?:were|have been|are) (?:told|taught|given|instructed|programmed)|above|"
            r"before this)",
        )
        + r"(?=\s*(?:$|[.,;:!\n\"'*)-]|(?:and|instructions?|text|content|context|prompt|instead|"
        r"before|so far)(?![a-z])))",
        _ordered,
    ),
    Rule(
        "override-safety",
        ("override", "bypass", "circumvent", "disable", "turnoff"),
        _CLAUSE
        + _phrase(
            rf"(?:override|bypass|circumvent|disable|turn off) {_FILLER}"
            r"(?:previous|prior|safety|security|system|content|developer|ethical|"
            r"model) (?:(?:prompt|safety|and) ){0,2}"
            r"(?:instructions?|prompts?|rules?|directives?|guidelines?|guardrails?|restrictions|constraints|safeguards|"
            r"filters?|protocols?|policies)"
        ),
        _ordered,
    ),
    Rule(
        "new-instructions",
        (
            "newinstructions",
            "newsysteminstructions",
            "updatedinstructions",
            "realinstructions",
            "newsystemprompt",
        ),
        _phrase(
            r"(?:here are )?(?:your )?(?:new|updated|real|actual|"
            r"true) (?:system )?(?:instructions?|prompt|directives?)"
        )
        + r"(?:\s{1,4}(?:are|is))?\s{0,4}:\s{0,4}(?=\S)",
    ),
    Rule(
        "new-identity",
        ("youarenow", "you'renow"),
        r"(?:^|[\n.;:!?,()\"'>*\]#-]|(?<![a-z])(?:on|and|that|because|as|pretend|assume|instructions|assistant|ai))\s{0,8}"
        + _phrase(
            rf"you(?:'re| are) now (?:an?(?![a-z])(?! {_PEOPLE}(?![a-z]))|dan|stan|"
            rf"in \S{{1,20}} mode|(?:un|jail)\w{{4,}}|"
            r"free (?:from|of|to)|no longer (?:an?|bound|restricted|limited|required|subject|"
            r"under)|acting|operating|"
            r"playing|called|named|known|root|admin(?:istrator)?|evil|god|my (?:evil|obedient|"
            r"hacker|slave|servant)|"
            r"the (?:system|admin|administrator|developer|user|evil|hacker|root))"
        ),
    ),
    Rule(
        "no-limits",
        ("youarenolonger", "younolongerhave"),
        _phrase(
            r"you are no longer (?:bound|restricted|limited|an (?:ai|assistant)|subject to (?:any|"
            r"the|your))",
            rf"you no longer have (?:any )?{_LIMITS}",
        ),
    ),
    Rule(
        "persona",
        ("actas", "actlike", "pretend", "behaveas", "respondas", "answeras", "roleplay", "imagine"),
        _phrase(
            r"(?:pretend|act|behave|respond|answer|imagine|roleplay) (?:to be |as (?:if |though )?|"
            r"like |that )?"
            rf"(?:you(?:'re| are| have| were) )?{_DETERMINER}{_PERSONA}"
        ),
        _ordered,
    ),
    Rule(
        "from-now-on",
        ("fromnowon", "fromthispoint", "fromthismoment"),
        _phrase(
            r"from (?:now on|this (?:point|moment) (?:on|onwards?|forward)) you(?:'re| (?:are|"
            r"will (?:be|act|pretend|become|"
            r"obey|ignore|play)|must (?:obey|ignore|act|pretend)|act|pretend|become|obey|no longer))"
        ),
    ),
    Rule(
        "jailbreak-mode",
        ("mode", "anythingnow"),
        _phrase(
            r"(?:enable|enter|activate|switch to|you are(?: now)? in|you have entered) "
            r"(?:dan|jailbreak|god|unrestricted|uncensored|sudo) mode",
            r"(?:you are(?: now)? in|you have entered|your) (?:developer|debug|maintenance) mode",
            r"(?:can|will|must) do anything now",
        ),
        _ordered,
    ),
    Rule(
        "obedience",
        ("obey", "complywith", "without"),
        _phrase(
            r"you (?:must|shall|will|have to|are (?:required|obliged) to) (?:always |now |"
            r"only )?(?:obey|comply with) "
            r"(?:me|my|the following|this|these|all|any|every|whatever|him|her|them|the (?:owner|"
            r"attacker|admin|developer))",
            r"(?:execute|run|perform|carry out|follow) (?:the following|these|this|any|all|"
            r"every) (?:[a-z]+ ){0,3}"
            r"without (?:asking|confirm\w*|question\w*|approval|telling|permission)",
        ),
    ),
    Rule(
        "trigger",
        (
            "readthis",
            "readsthis",
            "seethis",
            "seesthis",
            "recallthis",
            "recallsthis",
            "retriev",
            "processthis",
            "loadthis",
        ),
        _phrase(
            rf"(?:when(?:ever)?|if|once|after|as soon as) {_AGENT} (?:reads?|sees?|recalls?|"
            rf"retrieves?|process(?:es)?|loads?) "
            rf"this(?: {_MEMORY})?\s{{0,4}}[,:]\s{{0,4}}{_THEN}"
        ),
    ),
    Rule(
        "reveal-prompt",
        (
            "yourprompt",
            "instructions",
            "systemprompt",
            "systemmessage",
            "hiddenprompt",
            "promptabove",
            "textabove",
        ),
        _phrase(
            rf"{_SHOW} {_MUCH}{_PROMPT}",
            rf"{_SHOW} {_MUCH}(?:system|developer|hidden|initial|secret|internal) (?:prompt|"
            rf"instructions)"
            r"(?= (?:verbatim|above|to me|to us|word for word|now|in full)|\s*(?:$|[.!?\n]))",
            r"what(?:'s| is| are| were) your (?:(?:exact|full|original|initial|hidden|secret|"
            r"internal) ){0,2}"
            r"(?:system (?:prompt|message|instructions)|(?:initial|original|hidden|"
            r"secret) (?:prompt|instructions))",
        ),
        _ordered,
    ),
    Rule(
        "hide-from-user",
        ("theuser", "thehumanuser"),
        _phrase(
            r"(?:do not|don't|dont|never|must not|mustn't|should not|shouldn't|without|avoid|"
            r"refrain from) "
            r"(?:ever |explicitly )?(?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|let(?:ting)?|"
            r"mention(?:ing)?|"
            r"reveal(?:ing)?|disclos(?:e|ing)|admit(?:ting)?|say(?:ing)?) "
            r"(?:(?:this|it|that|anything|any of this|about this|to|about) ){0,4}the (?:human )?user",
            r"(?:keep|hide|conceal) (?:(?:this|it|that|these|them|all|of|a|instructions?|message|"
            r"memory|secret|hidden|quiet|"
            r"everything|your|actions?|strictly|completely|confidential) ){1,6}from the user",
        )
        + r"(?!\s{1,4}(?:why|when|if|unless|until|which|whether|where|their|his|her|its|to)(?![a-z]))",
        _ordered,
    ),
    Rule(
        "exfiltration",
        (
            "send",
            "post",
            "upload",
            "forward",
            "exfiltrate",
            "transmit",
            "leak",
            "submit",
            "email",
            "deliver",
            "copy",
        ),
        rf"{_CLAUSE}(?:send|post|upload|forward|exfiltrate|transmit|leak|submit|email|deliver|copy)\s{{1,8}}"
        r"(?=(?P<stretch>[^\n]{0,200}))",
        _sends_away,
    ),
)
