"""Which facts does a model behind HTTP see in sentences? Any server that speaks `/chat/completions`.

Only sentences that passed the gates of capture are sent, and of these none that holds a credential or
addresses an agent. What comes back is verified, see `memweir.extractors.answers`. No error holds a
sentence, the key or the words of an answer.
"""

from __future__ import annotations

import json
import logging
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NoReturn

from memweir.errors import ExtractorError
from memweir.extractors.answers import (
    NOTHING,
    Asked,
    read_answer,
    verified,
)
from memweir.extractors.prompt import messages
from memweir.learning.extractor import RuleExtractor
from memweir.learning.types import Fact, Sentence, Spoken
from memweir.model_server import ModelServer, ServerProblem
from memweir.store.gates import scan_secrets, scan_threats

__all__ = ["OpenAICompatibleExtractor"]

_LOG = logging.getLogger("memweir")
_LARGEST_ANSWER: Final = 4 * 1024 * 1024  # bytes
_MOST_FACTS: Final = 4  # of a sentence
_PARAMETERS: Final = frozenset({400, 422})  # what servers answer to a parameter that they do not know
_HINTS: Final = {
    400: "is the model a chat model, and its context large enough? try a smaller `batch`",
    401: "is the key right?",
    403: "may the key use this model?",
    404: "is the address right, with its /v1, and the model's name?",
    413: "take a smaller `batch` or `characters`",
    429: "too many requests, or nothing left to spend",
}


class OpenAICompatibleExtractor:
    """Reads facts with a model behind an OpenAI-compatible server. Needs no package. An `Extractor`.

    What a person says is sent to that server. Safe between threads.
    """

    def __init__(
        self,
        address: str,
        model: str,
        *,
        api_key: str | None = None,
        timeout_seconds: float = 30.0,
        backoff_seconds: Sequence[float] = (0.5,),
        longest_wait_seconds: float = 20.0,
        batch: int = 20,
        characters: int = 6_000,
        json_mode: bool = True,
        unencrypted: bool = False,
        key_over_http: bool = False,
        fallback: bool = False,
        rest_seconds: float = 60.0,
        sleep: Callable[[float], object] = time.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Nothing is sent before there is a sentence.

        Args:
            address: up to and without `/chat/completions`, such as `http://127.0.0.1:8000/v1`.
            model: as the server calls it.
            api_key: sent as a bearer token; None: none is sent.
            timeout_seconds: how long the server may be silent.
            backoff_seconds: waits before each further try; as many further tries as numbers.
            longest_wait_seconds: a server that asks for a longer wait is not waited for.
            batch: sentences in one request; characters: of their texts together.
            json_mode: ask for JSON by `response_format`; where the server refuses that, by words only.
            unencrypted: send what a person says unencrypted to another machine.
            key_over_http: send the key unencrypted to another machine.
            fallback: where the server fails, read by rules and log it, instead of raising.
            rest_seconds: with `fallback`, for how long a server that failed is not asked again.
            sleep, monotonic: wait, and count seconds; for tests.

        Raises:
            ExtractorError: not an http(s) address, one that holds a name, password, query or fragment,
                a key that no header can hold, something that would cross a network unencrypted, or a
                number that cannot be meant.
        """
        if timeout_seconds <= 0 or min((*backoff_seconds, rest_seconds)) < 0:
            raise ExtractorError("timeouts must be above 0, and waits not below")
        if batch < 1 or characters < 1:
            raise ExtractorError(
                f"batch and characters must be 1 or more, got {batch} and {characters}"
            )
        if not isinstance(model, str) or not model.strip():
            raise ExtractorError("a server needs the name of a model")
        try:
            self._server = ModelServer(
                address,
                "/chat/completions",
                what="an extraction",
                hints=_HINTS,
                api_key=api_key,
                key_over_http=key_over_http,
                backoff_seconds=backoff_seconds,
                longest_wait_seconds=longest_wait_seconds,
                sleep=sleep,
            )
        except ServerProblem as problem:
            raise ExtractorError(str(problem)) from None
        if not self._server.safe and not unencrypted:
            raise ExtractorError(
                f"what a person says would go unencrypted to {self._server.host}; use https, or say "
                "unencrypted=True (in a setting: #unencrypted behind the address)"
            )
        self._model = model
        self._timeout = timeout_seconds
        self._batch, self._characters = batch, characters
        self._json_mode = json_mode
        self._fallback, self._rest = fallback, rest_seconds
        self._monotonic = monotonic
        self._resting_until = float("-inf")

    def __repr__(self) -> str:
        return f"OpenAICompatibleExtractor({self._server.address!r}, {self._model!r})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("an extractor that may hold a key is not pickled")

    def extract(self, sentences: Sequence[Sentence], spoken: Spoken) -> list[tuple[Fact, ...] | str]:
        """For each sentence its facts, or the rule by which there are none.

        Raises:
            ExtractorError: the server failed, or gave what is no answer; with `fallback` never.
        """
        if not sentences:
            return []
        if self._fallback and self._monotonic() < self._resting_until:
            return RuleExtractor().extract(sentences, spoken)
        try:
            return self._extract(sentences, spoken)
        except ExtractorError as error:
            if not self._fallback:
                raise
            self._resting_until = self._monotonic() + self._rest
            _LOG.warning("sentences are read by rules for %.0f seconds: %s", self._rest, error)
            return RuleExtractor().extract(sentences, spoken)

    def _extract(self, sentences: Sequence[Sentence], spoken: Spoken) -> list[tuple[Fact, ...] | str]:
        answers: list[tuple[Fact, ...] | str] = [_refused(each.text) for each in sentences]
        shown = {each.text for each, rule in zip(sentences, answers, strict=True) if not rule}
        rules = RuleExtractor()
        asked: dict[int, Asked] = {}
        for number, (each, rule) in enumerate(zip(sentences, answers, strict=True), 1):
            if not rule:
                by_rules = rules.extract([each], spoken)[0]
                explicit = not isinstance(by_rules, str) and any(fact.explicit for fact in by_rules)
                # The sentence before may be one that a gate held back.
                asked[number] = Asked(each, each.before if each.before in shown else "", explicit)
        for batch in self._batches(asked):
            for number, answer in self._ask(
                {number: asked[number] for number in batch}, spoken
            ).items():
                answers[number - 1] = answer
        return answers

    def _batches(self, asked: dict[int, Asked]) -> Iterator[list[int]]:
        """Numbers of sentences that go together; one that is too long goes alone."""
        batch: list[int] = []
        size = 0
        for number, each in asked.items():
            length = len(each.sentence.text) + len(each.before)
            if batch and (len(batch) == self._batch or size + length > self._characters):
                yield batch
                batch, size = [], 0
            batch.append(number)
            size += length
        if batch:
            yield batch

    def _ask(self, asked: dict[int, Asked], spoken: Spoken) -> dict[int, tuple[Fact, ...] | str]:
        shown = [(number, each.sentence, each.before) for number, each in asked.items()]
        items = self._facts(self._content(messages(shown, spoken)))
        given: defaultdict[int, list[Any]] = defaultdict(list)
        for item in items:
            number = item.get("sentence") if isinstance(item, dict) else None
            if isinstance(number, int) and not isinstance(number, bool) and number in asked:
                given[number].append(item)
        return {number: _read(given[number], each, spoken) for number, each in asked.items()}

    def _content(self, said: list[dict[str, str]]) -> object:
        """What the model wrote."""
        body: dict[str, Any] = {"model": self._model, "messages": said}
        exact = {"temperature": 0, "response_format": {"type": "json_object"}}
        try:
            if not self._json_mode:
                return self._posted(body)
            try:
                return self._posted(body | exact)
            except ServerProblem as problem:
                if problem.status not in _PARAMETERS:
                    raise
            answer = self._posted(body)
        except ServerProblem as problem:
            raise ExtractorError(str(problem)) from None
        self._json_mode = False  # without them it answers: do not ask in vain again
        return answer

    def _posted(self, body: dict[str, Any]) -> object:
        answer = self._server.post(body, timeout_seconds=self._timeout, largest=_LARGEST_ANSWER)
        try:
            (choice, *_) = json.loads(answer)["choices"]
            if choice.get("finish_reason") == "length":
                raise ExtractorError(
                    f"the extraction server at {self._server.host} cut its answer off; take a smaller "
                    "`batch`, or let it answer at greater length"
                )
            return choice["message"]["content"]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            pass
        raise ExtractorError(
            f"the extraction server at {self._server.host} did not answer as a chat completion; is the "
            "address that of an OpenAI-compatible server, with its /v1?"
        )

    def _facts(self, content: object) -> list[Any]:
        items = read_answer(content) if isinstance(content, str) else None
        if items is None:
            raise ExtractorError(
                f"the model behind {self._server.host} did not answer with JSON of the form that it "
                "was asked for; take one that follows instructions, or turn the extractor off"
            )
        return items


def _refused(text: str) -> str:
    """The rule of a write gate by which a sentence is not even sent; "" where it may be."""
    found = scan_secrets(text) or scan_threats(text)
    return f"refused.{found.rule}" if found is not None else ""


def _read(items: Sequence[Any], asked: Asked, spoken: Spoken) -> tuple[Fact, ...] | str:
    """What holds of the facts of one sentence; where nothing does, the rule of the first."""
    read = [verified(item, asked, spoken) for item in items[:_MOST_FACTS]]
    facts = tuple(dict.fromkeys(each for each in read if isinstance(each, Fact)))
    if facts:
        return facts
    rules = [each for each in read if isinstance(each, str)]
    return rules[0] if rules else NOTHING
