"""How do words and meaning share one vector? Sparse hashed features first, a dense tail behind them.

The head is the vector of hashed n-grams, the tail another embedder's: the built-in word vectors, or a
learned model. Each part has length 1; the head is scaled by sqrt(1 - share), the tail by sqrt(share),
so that the cosine of two vectors is (1 - share) times that of their heads plus share times that of
their tails. Where one part knows nothing of a text the other has length 1.

Document frequencies weigh the head of a query and nothing else (decision 0004), so a query is made of
`parts` and put together by `join` once its head is weighed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, cast

from memweir.errors import EmbedderError
from memweir.retrieval.embedding import embed_checked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memweir.retrieval.embedding import HashedNgramEmbedder
    from memweir.retrieval.types import Analysis, Embedder

__all__ = ["DEFAULT_SHARE", "AnalysedTail", "HybridEmbedder"]

DEFAULT_SHARE = 0.25
"""What the tail counts in a cosine beside the head, where nobody says otherwise."""

_TAIL_NAME = "word-vectors"  # of a tail that has no name of its own


class AnalysedTail(Protocol):
    """A tail that embeds analyses, as `memweir.retrieval.meaning.WordVectors` does."""

    @property
    def version(self) -> str: ...
    @property
    def dim(self) -> int: ...

    def embed_analysed(
        self, analyses: Sequence[Analysis], *, weights: Mapping[str, float] | None = None
    ) -> NDArray[np.float32]:
        """(n, dim) float32, rows of length 1 or all zero; weights: stem → factor on its words."""
        ...


class HybridEmbedder:
    """A head of hashed n-grams and a dense tail in one vector of length 1. Safe between threads.

    Attributes:
        name, version: of both parts; another part, dimension or share means other vectors.
        dim: of the whole vector: the head's dimensions come first.
        tail: how many dimensions at the end are dense.
        share: what the tail counts in a cosine, 0 to 1 and neither of them.
    """

    sparse = True

    def __init__(
        self,
        head: HashedNgramEmbedder,
        tail: Embedder | AnalysedTail,
        share: float = DEFAULT_SHARE,
    ) -> None:
        """Args: tail: a learned embedder, or word vectors that embed analyses.

        Raises:
            EmbedderError: `share` is not between 0 and 1, or the tail has sparse dimensions itself.
        """
        if not 0.0 < share < 1.0:
            raise EmbedderError(f"share must lie between 0 and 1, got {share!r}")
        if getattr(tail, "sparse", False):
            raise EmbedderError("the tail of a hybrid embedder must be dense")
        self._head = head
        self._tail = tail
        # Asked by name: a check of the whole protocol would load a model to look at its version.
        analysed = callable(getattr(tail, "embed_analysed", None))
        self._words = cast("AnalysedTail", tail) if analysed else None
        self.share = float(share)
        self._weights = (math.sqrt(1.0 - share), math.sqrt(share))

    @property
    def name(self) -> str:
        """Both parts' names."""
        return f"{self._head.name}+{getattr(self._tail, 'name', _TAIL_NAME)}"

    @property
    def version(self) -> str:
        """Both parts' versions and dimensions, and the share."""
        head, tail = self._head, self._tail
        return f"{head.version}({head.dim})+{tail.version}({tail.dim})@{self.share:g}"

    @property
    def dim(self) -> int:
        """Length of every vector."""
        return self._head.dim + self.tail

    @property
    def tail(self) -> int:
        """Dense dimensions at the end of every vector."""
        return self._tail.dim

    @property
    def learned(self) -> bool:
        """Whether the tail takes a model, and so time; word vectors take none."""
        return self._words is None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dim) float32, rows of length 1, or all zero where neither part knows anything.

        Raises:
            EmbedderError: the tail failed, or broke the contract of an embedder.
        """
        return self.embed_analysed(self._head.analyse(texts), texts)

    def embed_analysed(self, analyses: Sequence[Analysis], texts: Sequence[str]) -> NDArray[np.float32]:
        """The same from analyses that are already there, one of each text."""
        return self._joined(self._head.embed_analysed(analyses), self._tails(analyses, texts))

    def embed_query(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As `embed`, for texts that ask; no document frequency weighs them."""
        return self._joined(*self.parts(texts))

    def heads(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dim) float32, the head alone: for where the tail is not to be had, or not yet."""
        return self.heads_analysed(self._head.analyse(texts))

    def heads_analysed(self, analyses: Sequence[Analysis]) -> NDArray[np.float32]:
        """The same from analyses that are already there."""
        import numpy as np

        empty = np.zeros((len(analyses), self.tail), np.float32)
        return self._joined(self._head.embed_analysed(analyses), empty)

    def parts(
        self, texts: Sequence[str], *, weights: Mapping[str, float] | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Heads (n, dim - tail) and tails (n, tail) of texts that ask; rows of length 1 or all zero.

        Args:
            weights: stem → factor on its words, for a tail of word vectors; a learned one takes none.
        """
        analyses = self._head.analyse(texts)
        if self._words is not None:
            tails = self._words.embed_analysed(analyses, weights=weights)
        else:
            tails = embed_checked(cast("Embedder", self._tail), texts, query=True)
        return self._head.embed_analysed(analyses), tails

    def join(self, head: NDArray[np.floating], tail: NDArray[np.floating]) -> NDArray[np.float32]:
        """(dim,) float32: one head and one tail of any lengths, each brought to length 1 first."""
        import numpy as np

        rows = [np.asarray(part, np.float64)[None, :] for part in (head, tail)]
        if rows[0].shape[1] != self._head.dim or rows[1].shape[1] != self.tail:
            raise EmbedderError(
                f"{self.name} joins {self._head.dim} and {self.tail} dimensions, "
                f"got {rows[0].shape[1]} and {rows[1].shape[1]}"
            )
        lengths = [math.sqrt(math.fsum((row * row).ravel().tolist())) for row in rows]
        scaled = [row / length if length else row for row, length in zip(rows, lengths, strict=True)]
        vector: NDArray[np.float32] = self._joined(scaled[0], scaled[1])[0]
        return vector

    def _tails(self, analyses: Sequence[Analysis], texts: Sequence[str]) -> NDArray[np.float32]:
        if self._words is not None:
            return self._words.embed_analysed(analyses)
        return embed_checked(cast("Embedder", self._tail), texts)

    def _joined(self, heads: NDArray[np.floating], tails: NDArray[np.floating]) -> NDArray[np.float32]:
        """Rows of both parts side by side; each has length 1 or 0, so the whole length needs no sum."""
        import numpy as np

        squares = [weight * weight for weight in self._weights]
        known = [np.any(part != 0.0, axis=1) for part in (heads, tails)]
        whole = np.sqrt(known[0] * squares[0] + known[1] * squares[1])
        whole[whole == 0.0] = 1.0
        vectors = np.empty((heads.shape[0], self.dim), np.float32)
        cut = self._head.dim
        vectors[:, :cut] = heads * (self._weights[0] / whole)[:, None]
        vectors[:, cut:] = tails * (self._weights[1] / whole)[:, None]
        return vectors
