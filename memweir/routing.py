"""Which memories does this turn not concern at all? Task alignment and scenes, before any ranking.

What is kept out neither ranks nor weighs; how much it was is reported, for a silent refusal looks just
like having no such memory. Capability design, task alignment and scene isolation.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from memweir.asking import Request
from memweir.config import Config
from memweir.store.reads import TermMatch
from memweir.store.seam import Store
from memweir.store.view import View

if TYPE_CHECKING:
    from memweir.retrieval.analysis import Analyzer

__all__ = ["Router"]

_MOST: Final = 200  # incidents that one task may open the door to
_NOTHING: Final = TermMatch({}, {})


class Router:
    """Stateless between calls."""

    def __init__(self, store: Store, analyzer: Analyzer, config: Config) -> None:
        self._store = store
        self._analyzer = analyzer
        self._aligned = config.retrieval.task_alignment
        self._scenes = config.retrieval.scene_routing

    def route(self, request: Request) -> View:
        """The view of a request, narrowed to what its turn is about."""
        view = request.view
        if not request.route:
            return view
        if view.scene is None and self._scenes:
            view = replace(view, scene=self._scene(request, view))
        if self._aligned:
            view = replace(view, incidents=self._incidents(request, view))
        return view

    def _scene(self, request: Request, view: View) -> str | None:
        known = self._store.scenes(view)
        if not known:
            return None
        from memweir.retrieval.scenes import infer_scene

        return infer_scene(request.text, known)

    def _incidents(self, request: Request, view: View) -> tuple[str, ...] | None:
        """The incidents that this turn is about; None: all of them, or there are none."""
        if self._store.incidents(view, _NOTHING, 0) is None:
            return None
        from memweir.retrieval.tasks import rare_terms, read_task

        task = read_task(request.text, request.context, analyzer=self._analyzer)
        if task.repair:
            return None
        known = self._store.term_statistics(view, task.terms)
        rare = rare_terms(task.terms, known.df, known.documents)
        wanted = tuple(dict.fromkeys([*task.marks, *rare]))
        if not wanted:
            return ()
        return tuple(self._store.incidents(view, TermMatch({"": wanted}, {}), _MOST) or ())
