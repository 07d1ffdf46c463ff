"""Does a sentence state a rule or a habit? A weekday in it is every such day then, not one.

"We never deploy on a Friday" and 周五不部署 say nothing of one Friday; "we deployed on Friday" does.
"""

from __future__ import annotations

from typing import Final

from memweir.retrieval.dates_grammar import LazyPattern, Tense
from memweir.retrieval.dates_tense import told_tense

__all__ = ["names_weekday", "states_rule"]


def states_rule(sentence: str, until: int) -> bool:
    """Whether a sentence says what always, never or usually is, or what must not be.

    "We met on Friday and will never forget it" tells of one Friday: in English what is past up to the
    day is no rule, unless it is said of a Friday.

    Args:
        sentence: folded (`dates_grammar.fold`).
        until: where its date expression ends.
    """
    if _ZH_RULE.search(sentence) or _EN_ANY.search(sentence):
        return True
    told = sentence[:until]
    return bool(_EN_RULE.search(sentence)) and told_tense(told, told) is not Tense.PAST


def names_weekday(expression: str) -> bool:
    """Whether a folded date expression is nothing but a weekday or weekend."""
    return bool(_WEEKDAY.compiled.fullmatch(expression.strip()))


_WEEKDAY: Final = LazyPattern(
    r"(?:on\s+)?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|(?:the\s+)?weekends?)"
    r"(?:\s+(?:morning|noon|afternoon|evening|night)s?)?"
    "|(?:周|星期|礼拜)[一二三四五六日天末](?:早上|上午|中午|下午|傍晚|晚上|夜里|晚|早)?"
)
_EN_RULE: Final = LazyPattern(
    r"(?<![a-z])(?:never|always|usually|normally|generally|typically|every|each|forbidden|prohibited|banned"
    r"|(?:not|n't|never)\s+(?:be\s+)?(?:allowed|permitted|supposed)|must\s*(?:n't|not)|(?:do|does)\s*(?:n't|\s+not)"
    r")(?![a-z])"
    r"|(?<![a-z])no\s+[a-z]+(?:\s+[a-z]+)?\s+on\s+(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|the\s+weekend)"
)
_EN_ANY: Final = LazyPattern(
    r"(?<![a-z])(?:never|always|not|n't|cannot)\s(?:[^.!?]*\s)?on\s+an?\s+"
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend)(?![a-z])"
)
# 周五不部署, but not 周五不来了, 周五不在, 周五不会下雨: of one day as well.
_ZH_RULE: Final = LazyPattern(
    "从不|从来|从未|总是|总会|一律|通常|一般|往往|平时|禁止|严禁|禁(?=[部上发合])|不要|不可|不能|不准|不许|不得(?!不)|不让"
    "|不允许|不应|别(?=[在再]|部署|发布|上线)|每|逢|只能|只在"
    "|(?:周|星期|礼拜)[一二三四五六日天末](?:都|也|我们|大家|早上|上午|中午|下午|晚上|晚){0,2}不(?![在是会用必了行太]|[^,，。;；!！]*了)"
)
