"""What goes into every system prompt? Looking after its blocks, and the text that they make."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from memweir.errors import RefusedError, StoreError
from memweir.inputs import memory_id_of, scope_of
from memweir.results import Prompt
from memweir.store.records import PromptBlock, to_ms
from memweir.store.scopes import Scope, as_scopes
from memweir.store.seam import Learning, Prompting

if TYPE_CHECKING:
    from memweir.store.seam import Store

__all__ = ["Prompted"]

_LOG: Final = logging.getLogger("memweir")


class Prompted:
    """Verbs of `memweir.memory.Memory` about prompt blocks."""

    _store: Store
    _records: bool

    def _now(self, now: datetime | None) -> datetime:
        raise NotImplementedError

    def prompt(
        self,
        *,
        scope: Scope | Iterable[Scope],
        record: bool = True,
        now: datetime | None = None,
    ) -> Prompt:
        """The text for the system prompt, exactly: what is enabled, in order, a blank line between.

        Where nothing is enabled it is the built-in guidance, so that it is never empty.

        Args:
            scope: one or several; blocks of others do not exist for this call.
            record: leave fingerprints of what is given, by which its echo is known.
        """
        from memweir.store.prompt_gates import scan_frame
        from memweir.store.prompts import BUILT_IN_BODY, BUILT_IN_ID

        scopes = as_scopes(scope)
        blocks: list[PromptBlock] = []
        warnings: list[str] = []
        for each in self._prompting().prompts(scopes, now_ms=to_ms(self._now(now))):
            if not each.enabled:
                continue
            # Looked at when written; and again here: a file can be changed behind our back.
            finding = scan_frame(each.body)
            if finding is None:
                blocks.append(each)
            else:
                warnings.append(f"{each.id} breaks its frame ({finding.rule}): left out")
        given = {each.id: each.body for each in blocks} or {BUILT_IN_ID: BUILT_IN_BODY}
        text = "\n\n".join(given.values())
        if record:
            warnings += self._note_given(scopes, given)
        return Prompt(
            text=text,
            blocks=tuple(blocks),
            characters=len(text),
            fallback=not blocks,
            warnings=tuple(warnings),
        )

    def prompts(
        self, *, scope: Scope | Iterable[Scope], now: datetime | None = None
    ) -> list[PromptBlock]:
        """The blocks of the scopes, enabled or not, in order of position, then id."""
        return self._prompting().prompts(as_scopes(scope), now_ms=to_ms(self._now(now)))

    def add_prompt(
        self,
        title: str,
        body: str,
        *,
        scope: Scope,
        position: int | None = None,
        now: datetime | None = None,
    ) -> PromptBlock:
        """Store a block that goes into every prompt of its scope from now on.

        Args:
            title: what people call it, at most 80 characters; not part of the prompt.
            body: what the prompt says, at most 8,000 characters.
            position: from 0 to 1,000,000; None: 10 behind the last one of its scope.

        Raises:
            TextError: blank; LimitError: too long, or no such position; SecretRefused: a credential.
            PromptRefused: it hides text, or would end the frame of what memweir puts into prompts.
        """
        moment = self._now(now)
        return self._prompting().add_prompt(
            scope_of(scope), title, body, position=position, now_ms=to_ms(moment)
        )

    def edit_prompt(
        self,
        prompt_id: str,
        *,
        scope: Scope | Iterable[Scope],
        title: str | None = None,
        body: str | None = None,
        position: int | None = None,
        enabled: bool | None = None,
        now: datetime | None = None,
    ) -> PromptBlock:
        """Change a block of the scopes; what is None stays. A change of nothing writes nothing.

        Args:
            enabled: False: it stays in the store and out of the prompt.

        Raises:
            NotFoundError: no such block there; as `add_prompt`.
        """
        given = {"title": title, "body": body, "position": position, "enabled": enabled}
        changes = {name: value for name, value in given.items() if value is not None}
        return self._prompting().edit_prompt(
            memory_id_of(prompt_id), as_scopes(scope), changes, now_ms=to_ms(self._now(now))
        )

    def remove_prompt(
        self, prompt_id: str, *, scope: Scope | Iterable[Scope], now: datetime | None = None
    ) -> PromptBlock:
        """Delete a block of the scopes, as a person's act; what it was. It does not come back.

        Raises:
            NotFoundError: no such block there.
        """
        return self._prompting().remove_prompt(
            memory_id_of(prompt_id), as_scopes(scope), now_ms=to_ms(self._now(now))
        )

    def _prompting(self) -> Prompting:
        if not isinstance(self._store, Prompting):
            raise RefusedError("this store keeps no prompt blocks")
        return self._store

    def _note_given(
        self, scopes: Sequence[Scope], given: Mapping[str, str], *, what: str = "prompt"
    ) -> list[str]:
        """Leave fingerprints of what was given, so that its echo is known; what is to be warned of.

        Args:
            given: id of a memory, an answer or a prompt block → its text as it was given.
            what: was given, for the warning.
        """
        from memweir.learning.echoes import fingerprints

        if not (given and self._records and isinstance(self._store, Learning)):
            return []
        try:
            self._store.note_injected(scopes, given, fingerprints)
        except StoreError as error:  # what was given is right, only its echo will not be known
            warning = f"{what} not recorded: {error}"
            _LOG.warning("%s", warning)
            return [warning]
        return []
