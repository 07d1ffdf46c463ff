"""Is a memory the log of one failure, and is this turn about that failure?

Where memories of engineering work pile up, most are incident logs: "when the handoff reported
SOURCE_DRIFT, the digest had changed". To whoever meets that failure they are worth much. In any other
task they are confident, specific and beside the point. What tells them is the shape they have, not
their topic: a control method ("always give when_to_use") may name the same things.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from memweir.retrieval.failure_marks import holds_stack_trace, incident_marks, raw_marks
from memweir.retrieval.phrases import Phrases, flat, read_phrases
from memweir.retrieval.repair import wants_repair
from memweir.retrieval.stopwords import read_data
from memweir.retrieval.tasks import Task, opens, rare_terms, read_task, task_terms, task_text

__all__ = [
    "Task",
    "incident_marks",
    "incident_version",
    "is_incident",
    "opens",
    "rare_terms",
    "read_task",
    "task_terms",
    "task_text",
    "wants_repair",
]

_RECORDS: Final = frozenset({"fact", "event", "procedure"})
_HEAD: Final = 4_000  # characters of a memory whose shape is looked at: it shows early
_TAIL: Final = 1_000  # or in the last lines of a pasted log
_RULES: Final = 1  # raised when changed code tells incidents or their marks otherwise
_WORDS: Final = "incident_words.txt"


def is_incident(text: str, *, title: str = "", layer: str, kind: str) -> bool:
    """Whether a memory has the shape of a technical failure record.

    Of a text longer than 5,000 characters its first 4,000 and last 1,000 are looked at; linear.

    Args:
        text, title: as stored.
        layer, kind: as in the record. What was said in a conversation, wants, rules, decisions and
            beliefs are none, whatever they speak of; a procedure is one only where it holds a log.
    """
    if kind not in _RECORDS or layer == "belief":
        return False
    if len(text) > _HEAD + _TAIL:
        text = f"{text[:_HEAD]}\n{text[-_TAIL:]}"
    if _DOCUMENTED.search(text):
        return False
    evidence = _Evidence.of(text, title)
    if evidence is None or evidence.is_method(layer):
        return False
    if evidence.frames:
        return True
    if kind == "procedure" and not evidence.labels:
        return False
    return evidence.is_failure_record()


def incident_version() -> str:
    """Names what `is_incident` and `incident_marks` depend on: what is stored of them under another
    version must be computed anew."""
    digest = hashlib.sha256(read_data(_WORDS).encode()).hexdigest()[:8]
    return f"incidents-{_RULES}-{digest}"


@dataclass(frozen=True, slots=True)
class _Evidence:
    """How much a text holds of the shape of a failure record, and of a rule.

    Attributes:
        frames: it holds a stack trace.
        technical: it speaks of something that runs, is built or is operated.
        failed: it says that something went wrong.
        narrative: it tells how that was traced back and got around, rather than what holds.
        labels: headings of a failure record and lines as a program writes them.
        general: it may speak of what happens again and again, or on a condition.
        directives: it says what to do, or what something means.
        named: it names an error, a code or a signal.
        needed: what the first three must add up to: more in a long text, where any word may stand by
            chance, and in one about people.
    """

    frames: bool
    technical: int
    failed: int
    narrative: int
    labels: int
    general: bool
    directives: int
    named: bool
    needed: int

    @classmethod
    def of(cls, text: str, title: str) -> _Evidence | None:
        """None where nothing failed, which most texts are spared the rest by."""
        whole = f"{title}\n{text}" if title else text
        normal = flat(whole)
        found: dict[str, set[str]] = {}
        for name, phrase in _phrases().find(normal):
            found.setdefault(name, set()).add(phrase)
        count = Counter({name: len(phrases) for name, phrases in found.items()})
        frames = holds_stack_trace(whole)
        logged = min(len(_LOGGED.findall(whole)), 2)
        reported = _REPORTED.search(whole) is not None
        denied = min(len(_DENIED.findall(normal)), 2)
        labels = count["label"] + (_RECORD_TITLE.search(title) is not None)
        traced = count["cause"] + count["remedy"]
        failed = 2 * count["failure"] + count["failure-hint"] + denied
        marks = raw_marks(whole)
        named = any(":" not in mark for mark in marks)
        if not (frames or logged or reported or labels or failed or named):
            return None
        once = sum(pattern.search(normal) is not None for pattern in (_PLUPERFECT, _DID, _WHEN))
        told = traced + count["cause-hint"] + count["remedy-hint"] + once
        general = _GENERAL.search(normal) is not None
        if named and told and not general:  # an error's name alone may be what an interface speaks of
            failed += 2
        orders = len(_ORDER.findall(normal)) + 2 * (
            (_LEAD.search(flat(text[:_OPENING])) is not None)
            + (_METHOD_TITLE.search(title) is not None)
            + (not labels and _STEPS.search(normal) is not None)
        )
        return cls(
            frames=frames,
            technical=2 * (count["technical"] + bool(marks) + logged)
            + min(count["technical-hint"], 3)
            + min(len(_CODE.findall(whole)), 2),
            failed=failed + labels + 2 * (logged + reported),
            narrative=told + traced + 2 * (labels + logged) + bool(marks) + (failed > 3),
            labels=labels + logged,
            general=general,
            directives=2 * (count["directive"] + orders),
            named=named,
            needed=6
            + 2 * min(_length(normal) // _SPAN, _MOST_SPANS)
            + 2 * min(count["private"], _MOST_PRIVATE),
        )

    def is_method(self, layer: str) -> bool:
        """Whether it rather says what to do.

        Of a skill that is expected, and of a negative path what to do instead is the point, unless it
        names the failure it comes from.
        """
        if layer == "negative" and self.directives and not self.named:
            return True
        return 0 < self.directives >= (self.narrative / 2 if layer == "skill" else self.narrative)

    def is_failure_record(self) -> bool:
        """Whether it tells of a failure: of what, that, and how.

        What one part lacks the others make up; less so in a general statement, such as "a job that
        fails is retried".
        """
        technical, failed, narrative = self.technical, self.failed, self.narrative
        if not (technical and failed):
            return False
        needed = self.needed
        if not narrative:  # a bare report: "job 4471 crashed on node 3"
            clear = not self.general and (
                (failed > 1 and technical > 3) or (failed > 2 and technical > 1)
            )
            needed -= failed > 2
        elif failed == 1:
            clear = (narrative > 1 and technical > 1) or (technical > 5 and not self.general)
        else:
            clear = technical > 1 or failed + narrative > 4
        return clear and technical + failed + narrative >= needed


_OPENING: Final = 160  # characters in which a text shows that it is a rule
_SPAN: Final = 150  # letters of a text that raise what is needed
_MOST_SPANS: Final = 8
_MOST_PRIVATE: Final = 3
_GENERAL: Final = re.compile(
    r"\b(?:if|whenever|always|usually|will|may|can|each|any|retries|fails|returns|raises|throws|shows|exits)\b"
    r"|如果|若|则|一律|自动|就会|才会|都会|可以|可能|分为|即可|[时后](?:会|将|由)"
)
_HAN_CHARACTER: Final = re.compile("[\u3400-\u9fff]")

# What is told of one day and not of every day: "had been removed", "Reverted the commit", "at 14:32".
_PLUPERFECT: Final = re.compile(
    r"\bhad (?:not |never )?"
    r"(?:been|become|begun|gone|grown|kept|left|lost|run|set|sent|taken|\w{2,20}ed)\b"
)
_DID: Final = re.compile(
    r"(?:^|[.;:|] )(?:\w{2,20}ed|rebuilt|rerun|reset|sent|put|took|made)"
    r" (?:the|a|an|it|them|to|with|by|in|for|from|all|our)\b"
    r"|把[^,.;。|]{1,20}(?:了|掉|成|到)|[\u4e00-\u9fff](?:才|就)[\u4e00-\u9fff]{0,3}[好通过行了]"
)
_WHEN: Final = re.compile(
    r"\b(?:yesterday|last night|this morning|last week"
    r"|(?:on|since) (?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|at \d{1,2} ?[ap]m|\d{1,2}:\d\d|20\d\d[-/]\d\d[-/]\d\d)\b"
    r"|昨天|昨晚|今早|今天|凌晨|上周|周[一二三四五六日]|[点时]起|\d{1,2}月\d{1,2}[日号]"
)
# It did not do what it should.
_DENIED: Final = re.compile(
    r"\b(?:did|was|were|would|could|had)(?:n't| not)\b|\bnever \w{2,20}ed\b|\bno longer\b"
    r"|[没未](?!有|事|关系|问题|想|什么|来|必|婚|知)[\u4e00-\u9fff]"
    r"|[断丢坏错乱爆满挂崩卡死漏炸堵锁吞](?:了|掉|住|光)|被[\u4e00-\u9fff]{1,3}[了掉]"
    r"|只剩|写死|到期|差[一两\d]"
)

# What a function's documentation holds, with the errors it raises and the traces it shows.
_DOCUMENTED: Final = re.compile(
    r"^[ \t]*>>> |^[ \t]*Raises:?$|^[ \t]*Raises\n[ \t]*-{3}|:raises? |:param |:returns?:"
    r"|:(?:py:)?exc:`|\b(?:sub|base )class of\b|@throws\b|@param\b",
    re.MULTILINE,
)
_LOGGED: Final = re.compile(
    r"""npm\ ERR!
      | \bpanic:\ | \bfatal:\ | \berror(?:\[E\d{2,5}\])?:\  | Exception\ in\ thread | Uncaught\ [A-Z]
      | \[(?:ERROR|FATAL|CRITICAL)\] | ^(?:[\d:.,TZ -]{8,30})?\s?(?:ERROR|FATAL|CRITICAL)\b
      | Segmentation\ fault | core\ dumped
      | (?<![\w.])[A-Za-z_.]{0,60}(?:Error|Exception)(?:`|')?:\ \S
    """,
    re.ASCII | re.MULTILINE | re.VERBOSE,
)
_NAMED: Final = r"(?:[A-Z][A-Z0-9]{1,30}_[A-Z0-9_]{1,60}|[A-Za-z.]{2,60}(?:Error|Exception))"
# Present tense says what an interface does, unless it is the server's own fault: "returns 404".
_REPORTED: Final = re.compile(
    rf"""(?:\b(?:[Rr]eported|[Tt]hrew|[Rr]aised|[Gg]ot|[Hh]it|[Ss]aw|[Rr]eturned|[Aa]nswered|said)\b
            |[报抛]出?|冒出|遇到|提示)[^.;。;\n]{{0,40}}?(?:{_NAMED}|(?<!\d)[45]\d\d(?!\d)|"|`)
        |返回\ ?5\d\d(?!\d)
        |{_NAMED}\ (?:was\ (?:thrown|raised|reported)|came\ up|popped\ up|appeared|showed\ up)
    """,
    re.ASCII | re.VERBOSE,
)
# A piece of code, a file, a version, a commit.
_CODE: Final = re.compile(
    r"`[^`\n]{2,80}`"
    r"|(?<![\w.])[\w-]{1,40}\.(?:py|js|ts|tsx|rs|go|java|json|yaml|yml|toml|conf|sql|sh|cfg|log)(?!\w)"
    r"|(?<![\w.])v?\d{1,4}\.\d{1,4}(?:\.\d{1,6})?(?![\w%])|(?<!\w)[a-z]{1,40}_[a-z_]{2,40}(?!\w)"
    r"|(?<![\w-])--[a-z][a-z-]{2,40}|(?<!\w)(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{6,40}(?!\w)",
    re.ASCII,
)
_ORDERS: Final = (
    "use|run|check|verify|confirm|ensure|write|pass|take|set|declare|look|read|bump|tag|add|remove|delete"
    "|keep|avoid|prefer|give|never|always|do not|don't|catch|wait|roll|submit|correct|ask|install"
    "|switch|turn|put|inject|wrap|validate|treat|convert|inspect|compare|measure|include|require|make"
)
_ORDER: Final = re.compile(rf"(?:^|[.;|:] |, (?:then |and )?|\bthen |\d\. )(?:{_ORDERS}) (?!\d)")
_LEAD: Final = re.compile(
    rf"^(?:\| )?(?:\d[.)] ?)?(?:(?:{_ORDERS}) (?!\d)"
    r"|(?:every|all|each|any|no) \w+ (?:must|should|have|has|need)"
    r"|(?:if|when|whenever|before|after|to) [^,|.;]{1,120}, "
    rf"(?:first |please |always )?(?:{_ORDERS}) "
    r"|(?:不要|禁止|避免|必须|切勿|务必|每次|所有|凡是|一律|每个)"
    r"|(?:若|如果|当|遇到)[^。|]{0,40}(?:要|先|就|则)|先[^。|]{1,30}[,;]?(?:再|最后|然后)"
    r"|[^,.。|]{1,14}(?:时|前|之前|以前|的时候)[, ]?(?:要|先|必须|务必|一定))"
)
_STEPS: Final = re.compile(
    r"(?:^|[|.;。:] ?)(?:1[.)、]|一、|step 1\b|第一步|首先)"
    r".{1,400}?(?:2[.)、]|二、|step 2\b|第二步|其次|最后)"
)
_METHOD_TITLE: Final = re.compile(
    r"^(?:how to|guide to)\b|^(?!fixing|failing|crashing|missing|hanging|debugging)[a-z]+ing\b"
    r"|\b(?:checklist|template|guide|guidelines?|runbook|conventions?|rules?)$"
    r"|(?:模板|清单|指南|步骤|规范|流程|方法)$",
    re.IGNORECASE,
)
_RECORD_TITLE: Final = re.compile(
    r"\b(?:post-?mortem|incident|outage|rca|sev ?\d|hotfix)\b|(?:故障|事故|问题|异常)(?:记录|报告)"
    r"|复盘|排查",
    re.IGNORECASE,
)


def _length(normal: str) -> int:
    """In Latin letters: a Chinese character says as much as two of them."""
    return len(normal) + len(_HAN_CHARACTER.findall(normal))


@functools.cache
def _phrases() -> Phrases:
    return Phrases.of(read_phrases(_WORDS))
