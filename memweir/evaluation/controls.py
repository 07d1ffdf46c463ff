"""What should draw no memory at all? Small talk, code and logs, questions about other people's data.

Negative controls in the sense of an experiment: what is injected for one of these is injected without a
reason. The fixed lists are the same on every run. The crossed control asks a set's store what another
set was asked; two sets that share questions are about the same things and are not crossed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memweir.evaluation.datasets import DataSet, Question

__all__ = [
    "CODE",
    "CROSS_SAMPLE",
    "FIXED",
    "SCOPE_SAMPLE",
    "SMALL_TALK",
    "Control",
    "ControlRun",
    "ControlText",
    "crossed",
    "language_of",
    "sample",
]

CROSS_SAMPLE: Final = 50
"""Questions of each other set."""

SCOPE_SAMPLE: Final = 5
"""Scopes of a set in which controls are asked, one after the other."""

_RELATED_SHARE: Final = 0.1  # of the smaller set's questions: above it two sets are about the same
_HAN: Final = re.compile("[\u3400-\u9fff\uf900-\ufaff]")

SMALL_TALK: Final = (
    "ok, thanks",
    "hi there",
    "good morning!",
    "sounds good",
    "yes please",
    "no, that's all for now",
    "go on",
    "continue",
    "got it",
    "hmm, let me think",
    "sorry, say that again?",
    "haha nice one",
    "you're right",
    "bye, talk to you later",
    "你好",
    "谢谢",
    "继续",
    "好的，明白了",
    "嗯，可以",
    "没问题",
    "辛苦了，晚安",
    "哈哈哈",
    "再说一遍好吗？",
    "不用了，先这样吧",
)

CODE: Final = (
    "for (let i = 0; i < items.length; i++) { total += items[i].price; }",
    "def area(width: float, height: float) -> float:\n    return width * height",
    "SELECT name, COUNT(*) FROM orders GROUP BY name HAVING COUNT(*) > 3;",
    "git rebase --interactive HEAD~3",
    "npm ERR! code ELIFECYCLE",
    "Traceback (most recent call last):\n  File \"main.py\", line 12, in <module>\nKeyError: 'total'",
    "2024-05-02 11:03:17,204 WARN pool-1-thread-7 Connection reset by peer, retrying in 500 ms",
    "segmentation fault (core dumped)",
    "if err != nil { return nil, err }",
    '127.0.0.1 - - [02/May/2024:11:03:17 +0000] "GET /index.html HTTP/1.1" 304 0',
    '<div class="row"><span>{{ label }}</span></div>',
    "docker run --rm -it -p 8080:80 nginx:alpine",
    "std::vector<int> values(10, 0);",
    "sudo systemctl restart cron.service",
    "Exit status 137: the container was killed",
    "warning: unused variable `count` [-Wunused-variable]",
    'while read -r line; do echo "$line"; done < input.txt',
    "tests/test_sum.py::test_empty PASSED [ 42%]",
    "错误：无法打开文件 input.txt（没有那个文件或目录）",
    "INFO 任务队列已清空，耗时 183 毫秒，等待下一批",
    "// 交换数组里的两个元素\nint tmp = a[i]; a[i] = a[j]; a[j] = tmp;",
)


@dataclass(frozen=True, slots=True)
class ControlText:
    """One text to be asked, with the turns before it."""

    text: str
    context: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Control:
    """A list of texts that no store should answer.

    Attributes:
        name: "small_talk", "code" or the other set's name.
        crossed: the texts are another set's questions.
    """

    name: str
    texts: tuple[ControlText, ...]
    crossed: bool = False


@dataclass(frozen=True, slots=True)
class ControlRun:
    """What came of a control: for each of its texts whether anything was injected."""

    control: Control
    injected: tuple[bool, ...]


FIXED: Final = (
    Control("small_talk", tuple(ControlText(each) for each in SMALL_TALK)),
    Control("code", tuple(ControlText(each) for each in CODE)),
)


def language_of(texts: Iterable[str]) -> str:
    """ "zh" where most of the texts hold a Chinese character, else "en"."""
    several = list(texts)
    return "zh" if 2 * sum(bool(_HAN.search(each)) for each in several) > len(several) else "en"


def sample(keys: Iterable[str], count: int) -> list[str]:
    """`count` different ones of the keys, by their digests: the same whatever the keys' order."""
    return sorted(dict.fromkeys(keys), key=lambda each: (_digest(each), each))[:count]


def crossed(datasets: Sequence[DataSet]) -> dict[str, tuple[Control, ...]]:
    """For each set the controls made of the others' questions.

    Raises:
        DataSetError: a set cannot be read.
    """
    questions = {each.name: list(each.questions()) for each in datasets}
    controls = {name: _control(name, several) for name, several in questions.items()}
    texts = {name: {each.text for each in several} for name, several in questions.items()}
    return {
        name: tuple(
            control
            for other, control in controls.items()
            if control.texts and not _related(texts[name], texts[other])
        )
        for name in questions
    }


def _control(name: str, questions: Sequence[Question]) -> Control:
    by_id: Mapping[str, Question] = {each.id: each for each in questions}
    chosen = [by_id[each] for each in sample(by_id, CROSS_SAMPLE)]
    return Control(name, tuple(ControlText(each.text, each.context) for each in chosen), crossed=True)


def _related(one: set[str], other: set[str]) -> bool:
    return len(one & other) > _RELATED_SHARE * min(len(one), len(other))


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
