"""Which English texts address the agent as an instruction?

Patterns are written as phrases: a space stands for any gap between two words, `_any("a b_c")` for one
of the words "a" and "b c".
"""

from __future__ import annotations

import re
from typing import Final

from memweir.store.folding import Folded
from memweir.store.gate_rules import LazyPattern, Rule, hints

__all__ = ["ENGLISH_RULES"]

_GAP: Final = r"[\s*_~`\"'.,:;!-]{1,8}"


def _any(words: str) -> str:
    """One of these words; they may be patterns, and `_` joins the words of a phrase."""
    return f"(?:{'|'.join(words.split())})".replace("_", " ")


def _phrase(*phrases: str) -> str:
    """Phrases as one pattern, from a word's edge to a word's edge."""
    return rf"(?<![a-z])(?:{'|'.join(phrases)})(?![a-z])".replace(" ", _GAP)


def _spread(words: tuple[str, ...]) -> str:
    """One of these words, its letters perhaps apart, and what may stand behind it."""
    return "(?:" + "|".join(r"\s{0,4}".join(word) for word in words) + r")\s{0,4}"


# ---- vocabulary ---------------------------------------------------------------------------------

_EARLIER: Final = _any(
    """
    previous previously_given prior earlier above preceding foregoing initial original system
    developer safety security hidden
    """
)
_ORDERS: Final = _any(
    """
    instructions? prompts? rules? directives? directions? guidelines? guardrails? commands? orders
    programming training policies restrictions constraints safeguards messages?
    """
)
_CORE_ORDERS: Final = _any("instructions prompts rules directives guidelines guardrails restrictions")
_FILLER: Final = _any(
    "all any each every everything of the these those this that your my our its both in and or other"
)
_FILLERS: Final = rf"(?:{_FILLER} ){{0,5}}"
_DROP: Final = _any(
    """
    ignore disregard forget neglect overlook stop_following stop_obeying do_not_follow do_not_obey
    don't_follow don't_obey never_follow never_obey pay_no_attention_to
    """
)
_DROP_YOURS: Final = _any(
    """
    ignore disregard forget override bypass circumvent violate do_not_follow do_not_obey don't_follow
    don't_obey stop_following stop_obeying
    """
)
_LIMITS: Final = _any(
    "restrictions? rules filters? limits? limitations guidelines ethics safety constraints morals"
)
_UNBOUND: Final = _any("unrestricted unfiltered uncensored jailbroken unaligned")
_PERSONA: Final = (
    rf"(?:dan|{_UNBOUND}|evil|amoral|malicious|hacker|root|system administrator|sysadmin|"
    rf"(?:with no|without|no|not bound by) (?:any )?{_LIMITS})"
)
_DETERMINERS: Final = (
    r"(?:(?:an?|the|ai|assistant|model|chatbot|completely|totally|fully|with|that|has) ){0,5}"
)
_SHOW: Final = _any(
    """
    reveal show print output repeat leak expose display dump disclose share recite tell give send
    return write copy summari[sz]e translate paste echo extract state
    """
)
_MUCH: Final = (
    r"(?:(?:me|us|back|out|all|of|exactly|verbatim|the|full|complete|entire|exact|contents?|"
    r"whole) ){0,6}"
)
_INNER: Final = _any(
    "own full complete entire original initial hidden secret internal exact system developer"
)
_AGENT: Final = r"(?:you|(?:the|an|any) (?:ai|assistant|agent|model|llm))"
_MODELS: Final = (
    r"(?:ai(?: (?:agents?|assistants?|models?|systems?))?|llms?|language models?|chatbots?)"
)
_MEMORY: Final = _any("memory message note text line file document instruction entry record")
_THEN: Final = _any(
    """
    you_must you_should you_will please immediately always do run send execute call open delete
    ignore reply output write post fetch forward print say
    """
)
# Roles and stages of life that people congratulate each other on: "you are now a mother".
_PEOPLE: Final = _any(
    r"""
    mother mom father dad parent aunt uncle grand\w+ member resident citizen graduate homeowner
    doctor nurse teacher published certified licensed registered proud married little bit lot year
    step part few couple week month day senior junior manager vegetarian vegan subscriber customer
    patient
    """
)
_OBEYED: Final = (
    r"(?:me|my|the following|this|these|all|any|every|whatever|him|her|them|"
    r"the (?:owner|attacker|admin|developer|user|sender))"
)
_NEVER: Final = _any(
    "do_not don't dont never must_not mustn't should_not shouldn't without avoid refrain_from"
)
_HIDDEN: Final = _any(
    """
    this it that these them all of a instructions? message memory secret hidden quiet everything your
    actions? strictly completely confidential
    """
)
_NO_REASON: Final = (  # "without telling the user why": how a program behaves, not an order to hide
    r"(?!\s{1,4}(?:why|when|if|unless|until|which|whether|where|their|his|her|its|to)(?![a-z]))"
)
# Where an order can begin: a text, a line, a clause, after a word that leads in.
_CLAUSE: Final = (
    r"(?:^|[\n.;:!?,()\"'>*\]#。、-]|(?<![a-z])(?:please|and|then|now|must|should|always|also|you|to|just|first|"
    r"immediately|secretly|silently|quietly|assistant|ai|agent)(?=\s))\s{0,8}"
)

# ---- judges -------------------------------------------------------------------------------------

_PRIVATE: Final = LazyPattern(
    _phrase(
        _any(
            r"""
            conversations? chats? history histories messages memory memories secrets? credentials?
            passwords? (?:api_|ssh_)?keys? tokens? prompt private personal environment_variables?
            env_vars? users? data files? contents? context everything information details
            transcripts? emails cookies? database results? output response
            """
        ),
        r"\.env",
    )
)
_AWAY: Final = LazyPattern(
    r"(?<![a-z])(?:to|at|into|via|using)\s{1,4}(?:[\w'-]{1,24}\s{1,4}){0,3}[\"'`<(]?"
    r"(?:(?:https?|ftp|wss?)://(?!localhost|127\.|10\.|192\.168\.|\[::1)|[\w.+-]{1,64}@[\w-]{1,64}\.[a-z]{2,}|"
    r"(?:the |an |my )?attacker)"
)
_NEXT: Final = r"(?:[ \t]{1,4}|[ \t]{0,4}\n[ \t]{0,4})"  # to the next word, not over a blank line
_NEGATED = LazyPattern(
    r"(?:(?:do|does|did|should|must|can|could|would|will|to|may|is|was) ?(?:not|n't)|not to|never|"
    r"cannot|won't|"
    rf"don't|dont){_NEXT}(?:ever{_NEXT})?\Z"
)
_TOLD = LazyPattern(
    r"(?:^|[^a-z])(?:i|we|they|people|users|students|kids|children|who|often|sometimes|usually|"
    r"going to|"
    r"tend(?:s|ed)? to|(?:i|we|they|he|she|it|that|which|who|[a-z]{3,20}) (?:will|would|might|may|"
    r"can|could))"
    rf"{_NEXT}\Z"
)
_TO_AGENT = LazyPattern(r"(?<![a-z])(?:you|assistant|ai|agent|model) [a-z]{2,6}\s{1,4}\Z")
_SENTENCE_END = LazyPattern(r"[.!?。]\s")


def _ordered(match: re.Match[str], _: Folded) -> bool:
    """Neither negated ("remind me not to ignore …") nor told of somebody ("they ignore …")."""
    before = match.string[max(0, match.start() - 40) : match.start()]
    if _NEGATED.search(before) is not None:
        return False
    return _TOLD.search(before) is None or _TO_AGENT.search(before) is not None


def _glued(match: re.Match[str], _: Folded) -> bool:
    """Words run together or letters apart: how nobody writes but to get past a filter."""
    words = re.split(r"[\s*_~`\"'.,:;!-]+", match.group())
    return len(words) == 1 or sum(len(word) == 1 for word in words) * 2 > len(words)


def _sends_away(match: re.Match[str], _: Folded) -> bool:
    """An order to send private things to an address; not how a system works ("we send …")."""
    stretch = match["stretch"]
    away = _AWAY.search(stretch)
    if away is None or _SENTENCE_END.search(stretch[: away.start()]) is not None:
        return False
    return _PRIVATE.search(stretch[: away.start()]) is not None


# ---- the table ----------------------------------------------------------------------------------

_SPREAD_DROP: Final = ("ignore", "ignoreall", "ignorethe", "disregard", "disregardall", "disregardthe")
_SPREAD_EARLIER: Final = ("previous", "prior", "above")
_SPREAD_ORDER: Final = ("instruction", "rule", "prompt", "directive")
_IGNORING: Final = hints(
    """
    ignore disregard forget neglect overlook notfollow don'tfollow neverfollow stopfollowing notobey
    don'tobey neverobey stopobeying attentionto
    """
)

ENGLISH_RULES: Final[tuple[Rule, ...]] = (
    Rule(
        "ignore-instructions",
        _IGNORING,
        _phrase(
            rf"{_DROP} {_FILLERS}{_EARLIER} (?:(?:{_EARLIER}|and|or|of|the|your|"
            rf"user) ){{0,4}}{_ORDERS}",
            rf"{_DROP} {_FILLERS}{_CORE_ORDERS} (?:above|(?:that )?(?:came|were given) (?:before|"
            rf"above|earlier)|"
            r"(?:that )?you (?:were|have been|are) (?:given|told|taught))",
        ),
        _ordered,
    ),
    Rule(
        "ignore-all-instructions",
        _IGNORING,
        _phrase(
            rf"{_DROP} (?:all|any|every) (?:(?:of|the|these|those|your|other) ){{0,3}}{_CORE_ORDERS}"
        )
        + r"(?!\s{1,4}(?:on|in|from|for|about|at|related|regarding|concerning|that|which)(?![a-z]))",
        _ordered,
    ),
    Rule(
        "ignore-your-instructions",
        (*_IGNORING, "override", "bypass", "circumvent", "violate"),
        _phrase(
            rf"{_DROP_YOURS} (?:(?:all|any|every|of) ){{0,3}}(?:your|its) (?:(?:own|"
            rf"{_EARLIER}) ){{0,3}}"
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
        + r"(?=\s*(?:$|[.;:!\n\"'*)-]|,?\s{0,2}(?:and|instructions?|text|content|context|prompt|"
        r"instead|before|so far)"
        r"(?![a-z])))",
        _ordered,
    ),
    Rule(
        "ignore-spread-out",
        tuple(f"{drop}{earlier}" for drop in _SPREAD_DROP for earlier in _SPREAD_EARLIER),
        _spread(_SPREAD_DROP) + _spread(_SPREAD_EARLIER) + _spread(_SPREAD_ORDER),
        _glued,
    ),
    Rule(
        "void-instructions",
        (
            "nolongerapply",
            "instructionsare",
            "rulesare",
            "promptsare",
            "guidelinesare",
            "directivesare",
        ),
        _phrase(
            rf"{_EARLIER} {_CORE_ORDERS} (?:(?:are|is) (?:now |hereby )?"
            r"(?:void|null|cancell?ed|revoked|suspended|overridden|lifted)|no longer apply)"
        ),
    ),
    Rule(
        "override-safety",
        ("override", "bypass", "circumvent", "disable", "turnoff"),
        _CLAUSE
        + _phrase(
            rf"(?:override|bypass|circumvent|disable|turn off) {_FILLERS}"
            rf"{_any('previous prior safety security system content developer ethical model')} "
            r"(?:(?:prompt|safety|and) ){0,2}"
            rf"(?:{_CORE_ORDERS}|prompt|filters?|protocols?|policies|constraints|safeguards)"
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
        _phrase(r"(?:new|updated|real|actual|true) (?:system )?(?:instructions?|prompt|directives?)")
        + r"(?:\s{1,4}(?:are|is))?\s{0,4}:\s{0,4}(?:you|ignore|disregard|always|never|from now|"
        r"do not|don't|answer|"
        r"respond|reply|output|reveal|send|delete|erase|act|forget|print|obey|pretend|execute)(?![a-z])",
    ),
    Rule(
        "new-identity",
        ("youarenow", "you'renow"),
        r"(?:^|[\n.;:!?,()\"'>*\]#-]|(?<![a-z])(?:on|and|that|because|as|pretend|assume|instructions|assistant|ai))"
        r"\s{0,8}"
        + _phrase(
            rf"you(?:'re| are) now (?:an?(?![a-z])(?! {_PEOPLE}(?![a-z]))|dan|stan|"
            rf"in \S{{1,20}} mode|{_UNBOUND}|"
            r"free (?:from|of|to)|no longer (?:an?|bound|restricted|limited|required|subject|under)|"
            r"acting|operating|playing|called|named|known|root|admin(?:istrator)?|evil|god|"
            r"my (?:evil|obedient|hacker|slave|servant)|the (?:system|admin|administrator|"
            r"developer|user|hacker))"
        ),
    ),
    Rule(
        "no-limits",
        ("youarenolonger", "younolongerhave", "unrestricted", "unfiltered", "uncensored", "jailbr"),
        _phrase(
            r"you are no longer (?:bound|restricted|limited|an (?:ai|assistant)|subject to (?:any|"
            r"the|your))",
            rf"you no longer have (?:any )?{_LIMITS}",
            rf"you(?:'re| are) {_DETERMINERS}{_UNBOUND}",
            r"jailbreak (?:yourself|the (?:ai|model|assistant))",
        ),
    ),
    Rule(
        "persona",
        hints("actas actlike pretend behaveas respondas answeras roleplay imagine"),
        _phrase(
            r"(?:pretend|act|behave|respond|answer|imagine|roleplay) (?:to be |as (?:if |though )?|"
            r"like |that )?"
            rf"(?:you(?:'re| are| have| had| were) )?{_DETERMINERS}{_PERSONA}"
        ),
        _ordered,
    ),
    Rule(
        "from-now-on",
        ("fromnowon", "fromthispoint", "fromthismoment"),
        _phrase(
            r"from (?:now on|this (?:point|moment) (?:on|onwards?|forward)) you(?:'re| (?:are|"
            r"will (?:be|act|pretend|become|obey|ignore|play)|must (?:obey|ignore|act|pretend)|"
            r"act|pretend|become|obey|no longer))"
        ),
    ),
    Rule(
        "jailbreak-mode",
        hints(
            """
            danmode jailbreakmode godmode unrestrictedmode uncensoredmode sudomode developermode
            debugmode maintenancemode anythingnow
            """
        ),
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
        hints("youmust youshall youwill youhaveto youare withoutask withoutconfirm withoutquestion"),
        _phrase(
            r"you (?:must|shall|will|have to|are (?:required|obliged) to) (?:always |now |only )?"
            rf"(?:obey|comply with) {_OBEYED}",
            r"you (?:must|shall|will) (?:always )?do (?:exactly |everything |whatever |"
            r"anything )?(?:as |what |that )?"
            r"i (?:say|tell|command|order)",
            r"(?:execute|run|perform|carry out|follow) (?:the following|these|this|any|all|"
            r"every) (?:[a-z]+ ){0,3}"
            r"without (?:asking|confirm\w*|question\w*|approval|telling|permission)",
        ),
    ),
    Rule(
        "trigger",
        hints(
            """
            readthis readsthis seethis seesthis recallthis recallsthis retriev processthis loadthis
            """
        ),
        _phrase(
            rf"(?:when(?:ever)?|if|once|after|as soon as) {_AGENT} "
            r"(?:reads?|sees?|recalls?|retrieves?|process(?:es)?|loads?) "
            rf"this(?: {_MEMORY})?\s{{0,4}}[,:]\s{{0,4}}{_THEN}"
        ),
    ),
    Rule(
        "calls-the-model",
        hints("attentionai attentionall attentionllm readingthis processingthis ifyouarean ifyou'rean"),
        _phrase(
            rf"attention,? (?:all |any )?{_MODELS}",
            rf"(?:{_MODELS}|assistants?|agents?) (?:that (?:is |are )?)?(?:reading|processing) this",
            r"if you(?:'re| are) an? (?:ai|llm|language model|chatbot|automated)",
        ),
    ),
    Rule(
        "reveal-prompt",
        hints(
            """
            prompt instructions systemmessage contextwindow yourrules hiddenrules yourguidelines
            yourdirectives yourhidden yoursecret everythingabove
            """
        ),
        _phrase(
            rf"{_SHOW} {_MUCH}your (?:(?:{_INNER}|current|previous|core) ){{0,3}}"
            r"(?:prompts?|instructions|directives|guidelines|rules|system message|configuration)",
            rf"{_SHOW} {_MUCH}(?:the )?(?:instructions|text|words|prompt|everything) "
            r"(?:above|given to you|you were given)",
            rf"{_SHOW} {_MUCH}everything in (?:your|the) (?:context|prompt)",
            rf"{_SHOW} {_MUCH}(?:system|developer|hidden|initial|secret|internal) (?:prompt|"
            rf"instructions)"
            r"(?= (?:verbatim|above|to me|to us|word for word|now|in full)|\s*(?:$|[.!?\n]))",
            rf"what(?:'s| is| are| were) your (?:{_INNER} ){{0,2}}"
            r"(?:system (?:prompt|message|instructions)|(?:initial |original |hidden |"
            r"secret )(?:prompt|instructions)|"
            r"(?:prompt|instructions)(?=\s*(?:$|\?)))",
        ),
        _ordered,
    ),
    Rule(
        "hide-from-user",
        ("theuser", "thehumanuser"),
        _phrase(
            rf"{_NEVER} "
            r"(?:ever |explicitly )?(?:tell|inform|notify|let|mention|reveal|disclose?|admit|"
            r"say)(?:t?ing)? "
            r"(?:(?:this|it|that|anything|any of this|about this|to|about) ){0,4}the (?:human )?user",
            r"(?:keep|hide|conceal) "
            rf"(?:{_HIDDEN} ){{1,6}}from the user",
            r"the user (?:must|should|may|shall|can) (?:not|never) (?:know|find out|learn|notice|"
            r"be (?:told|informed))",
            r"without the user(?:'s knowledge|'s consent| knowing| noticing| finding out)",
        )
        + _NO_REASON,
        _ordered,
    ),
    Rule(
        "exfiltration",
        ("://", "@", "attacker"),
        rf"{_CLAUSE}(?:send|post|upload|forward|exfiltrate|transmit|leak|submit|email|deliver|copy)\s{{1,8}}"
        r"(?=(?P<stretch>[^\n]{0,200}))",
        _sends_away,
    ),
    Rule(
        "remote-instructions",
        ("http",),
        r"(?<![a-z])(?:fetch|visit|open|load|read|download|go to|"
        r"browse to)\s{1,4}(?:[a-z]{1,12}\s{1,4}){0,3}"
        r"https?://\S{1,300}\s{1,4}and\s{1,4}(?:then\s{1,4})?(?:follow|execute|obey|do|run|perform)(?![a-z])"
        r"[^\n.]{0,30}(?:instruction|command|it says|there|code|script)",
    ),
    Rule(
        "command-exfiltration",
        ("$(cat", "$(env", "$(printenv", "`cat"),
        r"https?://\S{0,300}[$`]\(?(?:cat|env|printenv)(?![a-z])",
    ),
    Rule(
        "erase-memories",
        hints(
            """
            deleteall deleteevery deletethe deleteyour deletestored eraseall eraseevery erasethe
            eraseyour wipeall wipeevery wipethe wipeyour purgeall purgeevery purgethe purgeyour
            """
        ),
        _CLAUSE
        + _phrase(
            r"(?:delete|erase|wipe|purge) (?:(?:all|every|your|the|entire|of|stored|user) ){1,4}"
            r"memor(?:y|ies)"
        )
        + r"(?!\s{1,4}(?:of|about|from|with|leak|usage|cache|we|i|you)(?![a-z]))",
        _ordered,
    ),
)
