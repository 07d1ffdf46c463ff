"""Why do unrelated texts look alike to some models, and what takes it away? What all texts share goes.

The vectors of many models lie in a narrow cone: of E5, texts that have nothing to do with each other
have a cosine of three quarters. Beside hashed words, whose cosine is then near 0, that says "related"
of everything. Subtracting the mean of unrelated texts mends it (Mu and Viswanath, All-but-the-Top,
ICLR 2018); here the mean of two dozen fixed ones in two languages, so that it does not depend on what
a store holds.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from memweir.retrieval.embedding import embed_checked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memweir.retrieval.types import Embedder

__all__ = ["Centred"]

_TEXTS: Final = (
    *("The meeting was moved to Thursday afternoon.", "会议改到星期四下午了。"),
    *("She has lived in the city for three years.", "她在这个城市住了三年。"),
    *("The recipe needs two eggs and some butter.", "这道菜需要两个鸡蛋和一点黄油。"),
    *("He does not like to travel by plane.", "他不喜欢坐飞机旅行。"),
    *("The report shows higher costs this quarter.", "报告显示本季度的成本更高了。"),
    *("Run the tests before you merge the branch.", "合并分支之前先跑一遍测试。"),
    *("What is the best way to learn a language?", "学习一门语言最好的方法是什么？"),
    *("How do I reset my password?", "怎么重置我的密码？"),
    *("Which restaurant would you recommend for tonight?", "今晚你推荐哪家餐厅？"),
    *("Could you explain photosynthesis?", "你能解释一下光合作用吗？"),
    *("They won the match in the last minute.", "他们在最后一分钟赢了比赛。"),
    *("The new phone has a better camera.", "新手机的摄像头更好。"),
)
_SIDES: Final = (False, True)


class Centred:
    """An embedder whose vectors have the mean of fixed texts taken off. Safe between threads.

    Attributes:
        name, version, dim: the model's own, the version marked as centred.
    """

    sparse = False

    def __init__(self, model: Embedder) -> None:
        """Args: model: a dense embedder; it is asked about the fixed texts when it is first needed."""
        self._model = model
        self._lock = threading.Lock()
        self._known: NDArray[np.float64] | None = None

    def __repr__(self) -> str:
        return f"Centred({self._model!r})"

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    @property
    def version(self) -> str:
        """The model's version, marked."""
        return f"{self._model.version}-centred"

    @property
    def dim(self) -> int:
        """Length of every vector."""
        return self._model.dim

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dim) float32 of texts that are kept: rows of length 1; a zero vector stays one.

        Raises:
            EmbedderError: the model failed, or broke the contract of an embedder.
        """
        return self._taken_off(embed_checked(self._model, texts))

    def embed_query(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same of texts that ask."""
        return self._taken_off(embed_checked(self._model, texts, query=True))

    def _mean(self) -> NDArray[np.float64]:
        """(dim,) float64: of the fixed texts as memories and as questions, the same for both sides."""
        import numpy as np

        with self._lock:
            if self._known is None:
                sides = [embed_checked(self._model, _TEXTS, query=query) for query in _SIDES]
                self._known = np.concatenate(sides).astype(np.float64).mean(axis=0)
            return self._known

    def _taken_off(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        import numpy as np

        if not vectors.any():
            return vectors
        moved = vectors.astype(np.float64) - self._mean()
        moved[~vectors.any(axis=1)] = 0.0
        lengths = np.sqrt((moved * moved).sum(axis=1, keepdims=True))
        unit: NDArray[np.float32] = (moved / np.where(lengths > 0.0, lengths, 1.0)).astype(np.float32)
        return unit
