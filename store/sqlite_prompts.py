"""How does the store on SQLite keep prompt blocks? Seeded once, then only what people do to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memweir.store import prompts
from memweir.store.prompt_gates import check_prompt
from memweir.store.records import PromptBlock
from memweir.store.scopes import Scope
from memweir.store.sqlite_parts import SqlitePart

__all__ = ["SqlitePrompts"]


class SqlitePrompts(SqlitePart):
    """Verbs of `memweir.store.sqlite.SqliteStore` about prompt blocks.

    The first of them on a store that takes writes puts in the block that comes along.
    """

    _read_only: bool

    def prompts(self, scopes: Sequence[Scope], *, now_ms: int) -> list[PromptBlock]:
        """The blocks of the scopes, in order of position, then id."""
        self._seed(now_ms)
        with self._reading() as connection:
            return prompts.list_blocks(connection, scopes)

    def add_prompt(
        self, scope: Scope, title: str, body: str, *, position: int | None = None, now_ms: int
    ) -> PromptBlock:
        """Store a block, enabled. Args: position: None: behind the last one of its scope.

        Raises:
            InputError, TextError, LimitError: a field is wrong; SecretRefused, PromptRefused.
        """
        title, body = prompts.title_of(title), prompts.body_of(body)
        place = None if position is None else prompts.position_of(position)
        self._check_writable()
        self._seed(now_ms)
        with self._gated(now_ms, scope):
            check_prompt(title, body, key=self._key)
        with self._writer(now_ms) as writer:
            block_id = prompts.add_block(writer, scope, title, body, place)
        return self._block(block_id, (scope,))

    def edit_prompt(
        self,
        prompt_id: str,
        scopes: Sequence[Scope],
        changes: Mapping[str, object],
        *,
        now_ms: int,
    ) -> PromptBlock:
        """Give a block of the scopes other fields of `EDITABLE_OF_PROMPT`; the same ones write nothing.

        Raises:
            NotFoundError; InputError, TextError, LimitError: a field is wrong; SecretRefused,
                PromptRefused.
        """
        self._check_writable()
        self._seed(now_ms)
        before = self._block(prompt_id, scopes)
        after = prompts.edited_block(before, changes)
        if after == before:
            return before
        with self._gated(now_ms, before.scope), self._writer(now_ms) as writer:
            current = prompts.read_block(writer.connection, prompt_id, scopes)
            after = prompts.edited_block(current, changes)
            # A block that better rules would refuse by now can still be moved and switched off.
            if (after.title, after.body) != (current.title, current.body):
                check_prompt(after.title, after.body, key=self._key)
            prompts.edit_block(writer, current, after)
        return self._block(prompt_id, scopes)

    def remove_prompt(self, prompt_id: str, scopes: Sequence[Scope], *, now_ms: int) -> PromptBlock:
        """Delete a block of the scopes, by a person's act; what it was. Raises: NotFoundError."""
        self._check_writable()
        self._seed(now_ms)
        with self._writer(now_ms) as writer:
            block = prompts.read_block(writer.connection, prompt_id, scopes)
            prompts.remove_block(writer, block)
        return block

    def _block(self, prompt_id: str, scopes: Sequence[Scope]) -> PromptBlock:
        with self._reading() as connection:
            return prompts.read_block(connection, prompt_id, scopes)

    def _seed(self, now_ms: int) -> None:
        with self._reading() as connection:
            done = prompts.seeded(connection)
        if not done and not self._read_only:
            with self._writer(now_ms) as writer:
                prompts.seed(writer)
