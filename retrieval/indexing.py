"""What does the index hold of a memory? The indexer the store asks: analysis and embedder together."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from memweir.retrieval.analysis import Analyzer
from memweir.retrieval.embedding import HashedNgramEmbedder, embed_checked
from memweir.retrieval.hybrid import HybridEmbedder
from memweir.retrieval.normalise import normalise
from memweir.retrieval.synonyms import TOKEN_MARK
from memweir.retrieval.types import Analysis, Embedder
from memweir.store.entry import Indexable, IndexEntry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["TextIndexer"]

_QUALIFIER: Final = re.compile(r"\s*[(（][^()（）]*[)）]$")
_READING: Final = "reading-1"  # of what a text states and whether it is an incident: see tests
_NEVER_OUTDATED: Final = ("turn", "event")  # that it was said or happened stays true
_ENTITIES: Final = 32  # a memory's mentions kept in the graph


class TextIndexer:
    """Implements `memweir.store.entry.Indexer`; both sides of retrieval share its analyzer."""

    def __init__(self, analyzer: Analyzer, embedder: Embedder, *, deferred: bool = False) -> None:
        """Args: deferred: leave what takes a model to `vectors`; entries have the words at most."""
        self._analyzer = analyzer
        self._embedder = embedder
        # Words take no model: there is nothing to put off.
        wordy = isinstance(embedder, HybridEmbedder) and not embedder.learned
        self._deferred = deferred and not wordy and not isinstance(embedder, HashedNgramEmbedder)

    @property
    def deferred(self) -> bool:
        """Whether entries are pending: `vectors` makes later what takes a model."""
        return self._deferred

    @property
    def analyzer(self) -> str:
        """Name and version of the text analysis."""
        return f"{self._analyzer.version} {_READING}"

    @property
    def embedder(self) -> str:
        """Name, version and dimension of the embedder."""
        return f"{self._embedder.name}/{self._embedder.version}/{self._embedder.dim}"

    @property
    def dim(self) -> int:
        """Length of the embeddings."""
        return self._embedder.dim

    @property
    def sparse(self) -> bool:
        """Whether each dimension is a hashed feature of its own."""
        return self._embedder.sparse

    @property
    def tail(self) -> int:
        """Dense dimensions at the end of a sparse embedding."""
        return int(getattr(self._embedder, "tail", 0))

    def fold(self, name: str) -> str:
        """A name, key or phrasing as the index compares it."""
        return normalise(name) or name.strip()

    def index(self, documents: Sequence[Indexable]) -> list[IndexEntry]:
        """Analyse and embed; the vector is of title and text together."""
        # Loaded by the first write: a process that only recalls never needs them.
        from memweir.retrieval.incidents import incident_marks, is_incident
        from memweir.retrieval.statements import Statement, read_statement

        analyse = self._analyzer.analyse
        bodies = [analyse(document.text) for document in documents]
        if not bodies:
            return []
        vectors = self._embed(documents, bodies, deferred=self._deferred)
        entries = []
        for document, body, vector in zip(documents, bodies, vectors, strict=True):
            title = analyse(document.title) if document.title else None
            speaker = analyse(document.speaker) if document.speaker else None
            tags = [analyse(tag) for tag in document.tags]
            key = analyse(document.semantic_key) if document.semantic_key else None
            subjects = [
                (folded.normal, written or "", "subject")
                for folded, written in ((title, document.title), (speaker, document.speaker))
                if folded is not None and folded.normal
            ]
            # "Mercury (planet)" is mentioned as Mercury.
            subjects += [
                (bare, bare, role)
                for norm, _, role in list(subjects)
                if (bare := _QUALIFIER.sub("", norm)) and bare != norm
            ]
            named = [(name, name, "text") for name in body.names]
            fields = {
                "body": body.terms,
                "chars": body.chars,
                "title": title.terms if title else (),
                "tags": tuple(term for tag in tags for term in _label_terms(tag)),
                "key": key.terms if key else (),
                "speaker": speaker.terms if speaker else (),
                "learned": document.learned_terms,
            }
            # In a field of their own, because a concept weighs less than the word itself.
            synonyms = [term for terms in fields.values() for term in terms if term[0] == TOKEN_MARK]
            plain = {
                name: tuple(term for term in terms if term[0] != TOKEN_MARK)
                for name, terms in fields.items()
            }
            statement = Statement()
            if document.kind not in _NEVER_OUTDATED:
                statement = read_statement(document.text, self._analyzer, body)
            incident = is_incident(
                document.text,
                title=document.title or "",
                layer=document.layer,
                kind=document.kind,
            )
            symbols = [*body.symbols, *(title.symbols if title else ())]
            if incident:  # by its marks a turn asks for it, see memweir.routing
                symbols += [*incident_marks(document.text), *incident_marks(document.title or "")]
            entries.append(
                IndexEntry(
                    normal=body.normal or document.text,
                    fields=plain
                    | {"synonyms": tuple(synonyms), "symbols": tuple(dict.fromkeys(symbols))},
                    tags=tuple(dict.fromkeys(tag.normal for tag in tags if tag.normal)),
                    embedding=vector,
                    entities=tuple([*subjects, *named][:_ENTITIES]),
                    pending=self._deferred,
                    incident=incident,
                    stance=_short(statement.skeleton),
                    polarity=",".join(map(str, statement.polarity)),
                    revises=statement.lookup_terms,
                    key=(key.normal or (document.semantic_key or "").strip()) if key else "",
                )
            )
        return entries

    def clash(self, newer: Indexable, older: Indexable) -> str:
        """What a newer text says of an older one, see `memweir.retrieval.contradiction`."""
        from memweir.retrieval.contradiction import relation
        from memweir.retrieval.statements import read_statement

        return relation(
            read_statement(newer.text, self._analyzer), read_statement(older.text, self._analyzer)
        )

    def vectors(self, documents: Sequence[Indexable]) -> NDArray[np.float32]:
        """(n, dim) float32: the whole vectors, of title and text together, whatever takes how long.

        Raises:
            EmbedderError: the embedder failed, or broke its contract.
        """
        bodies = [self._analyzer.analyse(document.text) for document in documents]
        return self._embed(documents, bodies, deferred=False)

    def _embed(
        self, documents: Sequence[Indexable], bodies: Sequence[Analysis], *, deferred: bool
    ) -> NDArray[np.float32]:
        """Args: bodies: analyses of the texts; deferred: what takes no model, and no more."""
        import numpy as np

        embedder = self._embedder
        texts = [
            f"{document.title}\n{document.text}" if document.title else document.text
            for document in documents
        ]
        if not isinstance(embedder, HashedNgramEmbedder | HybridEmbedder):
            if deferred:
                return np.zeros((len(texts), embedder.dim), np.float32)
            return embed_checked(embedder, texts)
        joined = [
            body if text is document.text else self._analyzer.analyse(text)
            for body, text, document in zip(bodies, texts, documents, strict=True)
        ]
        if isinstance(embedder, HashedNgramEmbedder):
            return embedder.embed_analysed(joined)
        return embedder.heads_analysed(joined) if deferred else embedder.embed_analysed(joined, texts)


def _short(skeleton: str) -> str:
    """Stands for a skeleton where it is only compared."""
    return hashlib.sha256(skeleton.encode("utf-8", "replace")).hexdigest()[:16] if skeleton else ""


def _label_terms(label: Analysis) -> tuple[str, ...]:
    """The terms of a tag; one without any is a term as it stands."""
    if label.terms or label.chars:
        return label.terms or label.chars
    bare = "_".join(label.normal.replace('"', " ").split())
    return (bare,) if bare else ()
