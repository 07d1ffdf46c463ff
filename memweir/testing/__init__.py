"""How do I test against memweir? Small builders, doubles of its seams, and the contract of a store.

    from memweir.testing import PlainStore, draft

    store = PlainStore()
    store.add_many([draft("The project uses pnpm")], now_ms=FixedClock().ms)

`PlainStore` keeps everything in plain Python and answers as the real store does, so it serves as a fast
double in tests and as the oracle of `SqliteStore`. An engine of your own proves itself by inheriting
`StoreContract`. Nothing here needs pytest to be imported; the contract's tests are run by it.
"""

from __future__ import annotations

from memweir.testing.builders import NOW, SCOPE, FixedClock, draft, view
from memweir.testing.contract import StoreContract
from memweir.testing.indexer import DeferredIndexer, PlainIndexer
from memweir.testing.plain_store import PlainStore

__all__ = [
    "NOW",
    "SCOPE",
    "DeferredIndexer",
    "FixedClock",
    "PlainIndexer",
    "PlainStore",
    "StoreContract",
    "draft",
    "view",
]
