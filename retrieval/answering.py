"""What kind of answer is a question after, and does a text hold one? A day, a number, a name, a taste.

The kinds are told by a few common words of both languages, no model: each is one weak sign among many.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["Wanted", "holds_name", "holds_number", "says_when", "states_preference", "wanted"]

_WHEN: Final = re.compile(
    r"\bwhen\b|\bwhat (?:date|day|month|year|time)\b|\bhow long\b"
    r"|\b(?:birthday|date)\b|几号|几月|几点|哪天|哪一天|哪年|哪一年|什么时候|什么时间|何时|时间是|生日|日期",
    re.IGNORECASE,
)
_HOW_MANY: Final = re.compile(
    r"\bhow (?:many|much|old|long|often|far|big|large|tall|high)\b"
    r"|\b(?:age|height|weight|price|cost|size|salary|phone|number)\b"
    r"|\b(?:older|younger|taller|larger|bigger|smaller|longer|shorter|cheaper|fewer|more \w+ than)\b"
    r"|多少|几|多大|多久|多长|多远|多高|年龄|身高|体重|价格|人数|规模|电话|号码|工资|收入|面积"
    r"|更(?:多|少|大|小|高|低|长|短|早|晚|贵|便宜|重|轻|远|近|年轻|年长)",
    re.IGNORECASE,
)
_WHO: Final = re.compile(r"\b(?:who|whom|whose|where|which)\b", re.IGNORECASE)
_ADVICE: Final = re.compile(
    r"\b(?:recommend|recommendations?|suggest|suggestions?|advi[cs]e|tips?|ideas?|options?|should i|"
    r"should we|help me|looking for|what are some|what (?:is|are|would be) (?:the|a) (?:best|good)|"
    r"how (?:can|could|do|should) i|where (?:can|should|could) i|any good)\b"
    r"|推荐|建议|适合|怎么选|选哪|该怎么|应该怎么|帮我|有什么好|有没有好|去哪",
    re.IGNORECASE,
)
_PREFERENCE: Final = re.compile(
    r"\b(?:prefer(?:s|red|ence)?|likes?|loves?|enjoys?|hates?|dislikes?|avoids?|favou?rites?|"
    r"fond of|fan of|into|interested in|averse|aversion|rather|allerg\w+|intoleran\w+|vegan|"
    r"vegetarian|afraid|fears?|uncomfortable|(?:can't|cannot|can not) stand|"
    r"(?:don't|do not) (?:eat|drink|want|use)|never|always|must|requires?|needs?)\b"
    r"|喜欢|讨厌|偏好|偏爱|更爱|最爱|爱吃|爱喝|爱看|过敏|忌口|害怕|不吃|不喝|不想|从不|从来不|一定要|必须|宁愿|受不了",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|dozen|hundred|thousand)\b"
    r"|[一二三四五六七八九十两百千万]",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}")  # capitalised, not because a sentence begins
_SAYS_WHEN: Final = re.compile(
    r"\b(?:yesterday|today|tomorrow|tonight|last|next|ago|weeks?|weekend|months?|years?|days?|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|\d{4})\b|[年月日号周]|昨|今天|明天",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What would answer a question; several at once where it may be either.

    Attributes:
        when, number: a date, a number.
        name: of somebody or of a place; told for languages that write names with capitals.
        preference: it asks for advice, which the asker's tastes and needs decide.
    """

    when: bool = False
    number: bool = False
    name: bool = False
    preference: bool = False


def wanted(question: str, turn: str) -> Wanted:
    """Args: question: the sentence that asks; turn: all that was said, where advice is asked for."""
    return Wanted(
        when=_WHEN.search(question) is not None,
        number=_HOW_MANY.search(question) is not None,
        name=_WHO.search(question) is not None,
        preference=_ADVICE.search(turn) is not None,
    )


def says_when(text: str) -> bool:
    """Whether a text names a day, a month or the like."""
    return _SAYS_WHEN.search(text) is not None


def holds_number(text: str) -> bool:
    """Whether a text holds a number, in digits or words."""
    return _NUMBER.search(text) is not None


def holds_name(text: str, folded_question: str) -> bool:
    """Whether a text holds a name, by its capital, that the question does not.

    Args:
        folded_question: in lower case.
    """
    return any(found.group().lower() not in folded_question for found in _NAME.finditer(text))


def states_preference(text: str) -> bool:
    """Whether a text states what somebody likes, avoids or needs."""
    return _PREFERENCE.search(text) is not None
